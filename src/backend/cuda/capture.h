/* capture.h - inside src/backend/cuda: graphs, functions of the host, and the rest of the run-time interface. */
#ifndef TB_BACKEND_CUDA_CAPTURE_H
#define TB_BACKEND_CUDA_CAPTURE_H
#include "backend/cuda/device.h"
#include "backend/capture.h"

tb_status tb__cuda_host_func(tb_stream *s, void (*fn)(void *), void *arg);
tb_status tb__cuda_capture_begin(tb_stream *s, tb_graph *g);
tb_status tb__cuda_capture_end(tb_stream *s, tb_graph *g);
bool tb__cuda_capture_lost(tb_stream *s);
tb_status tb__cuda_graph_launch(tb_graph *g, tb_stream *s);
tb_status tb__cuda_graph_upload(tb_graph *g, tb_stream *s);
tb_status tb__cuda_graph_dot(tb_graph *g, unsigned flags, const char *path);
void tb__cuda_graph_free(tb_graph *g);
tb_status tb__cuda_capture_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking);
/* Around calls that a capture of a stricter mode forbids although they do no harm: allocating, loading code. */
int tb__cuda_relax(int device);
void tb__cuda_unrelax(int mode);

tb_status tb__cuda_cudart(tb_runtime_op op, const int64_t *in, int64_t *out);
#endif
