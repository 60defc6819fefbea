/* stream.h - the streams of the process: inside src/backend and src/runtime. Everything is called with the core lock
 * held, about devices that are open. */
#ifndef TB_BACKEND_STREAM_H
#define TB_BACKEND_STREAM_H
#include "backend/current.h"

tb_stream *tb__null_stream(int device);
/* On the current device. */
tb_status tb__stream_new(int flags, int priority, tb_stream **out);
tb_status tb__stream_per_thread(tb_stream **out); /* borrowed */
tb_status tb__stream_wrap(uintptr_t handle, tb_stream **out);
/* Every stream in turn, null streams first; NULL before the first and after the last. */
tb_stream *tb__stream_next(const tb_stream *s);
/* The capture is over: none of its streams is part of it any more. */
void tb__streams_leave(const struct tb_graph *g);
/* Whether the capture's origin waits for all that its other streams do. */
bool tb__streams_joined(const struct tb_graph *g);
/* s waits for an event of its capture: the steps before that are waited for, and the wait is one of s. */
void tb__stream_join(tb_stream *s, const tb_event *e);
#endif
