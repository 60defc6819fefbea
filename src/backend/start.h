/* start.h - inside src/backend, and for who loads the library: limits, search paths, streams' part of the pool. */
#ifndef TB_BACKEND_START_H
#define TB_BACKEND_START_H
#include "backend/current.h"

/* Directories separated by colons in which to look for CUDA's libraries: library directories, or directories into
 * which NVIDIA's wheels were installed (site-packages). Call before the first use of a device. */
TB_API void tb__library_path(const char *dirs);

/* Checks the number and opens the device on first use. Initialises the library. */
tb_status tb__device_ready(const char *who, int device);
tb_stream *tb__null_stream(int device);
/* tb_function_launch with the arguments' addresses as cuLaunchKernel takes them, for a caller that has checked them and
 * enqueued all that is pending on their memory. Called with the core lock held. */
tb_status tb__function_launch_ready(tb_function *f, const tb_launch_shape *shape, tb_stream *s, void **values);

/* A driver may give a new stream the handle of one that is gone, and with it an arena whose memory the old stream's
 * work may still use: the new stream waits for the old one's end. */
void tb__pool_stream_end(tb_stream *s);
tb_status tb__pool_stream_begin(tb_stream *s);
#endif
