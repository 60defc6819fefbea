/* runtime.h - src/runtime is what users see of devices: streams and events, memory, modules and their functions,
 * captured graphs, and the calls of CUDA's run-time interface (cudart.c). It enqueues what is pending before anybody
 * looks. Most of it is public (tombac.h); here is what array operations need besides. */
#ifndef TB_RUNTIME_RUNTIME_H
#define TB_RUNTIME_RUNTIME_H
#include "backend/current.h"

/* tb_function_launch with the arguments' addresses as cuLaunchKernel takes them, for a caller that has checked them and
 * enqueued all that is pending on their memory. Called with the core lock held. */
tb_status tb__function_launch_ready(tb_function *f, const tb_launch_shape *shape, tb_stream *s, void **values);
/* Before a wait with the lock held, while functions of the host are outstanding, which may want the lock: waits for the
 * stream (NULL: the current one) without it. Not for a stream that is being captured, whose wait is an error. */
tb_status tb__wait_unlocked(tb_stream *s, bool blocking);
#endif
