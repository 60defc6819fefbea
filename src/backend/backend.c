/* backend.c - what is in force: the chosen backend's table of functions, and the counters. start.c chooses, capture.c
 * exchanges tables, the graph says what is to be done before a stream ends. */
#include "backend/backend.h"

const tb_backend *tb__backend;
tb_counters tb__count;
tb_status (*tb__host_run)(tb_stream *s, const tb_plan *p);
tb_status (*tb__host_recur)(tb_stream *none, const tb_recur *r);
void (*tb__stream_flush)(tb_stream *s);
