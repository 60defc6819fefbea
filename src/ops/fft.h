/* fft.h - inside src/ops only: what prepares the input of a Fourier transform. Callers hold the core lock. */
#ifndef TB_OPS_FFT_H
#define TB_OPS_FFT_H
#include "ops/array_ops.h"

/* a as dtype t in memory, cut off or continued by zeros to `shape`: a new reference. */
tb_status tb__fft_fit(tb_array *a, tb_dtype t, const int64_t *shape, tb_array **out);
/* Byte strides of an array of `shape` whose transformed axes are its innermost ones. */
void tb__fft_strides(const tb_transform *t, const int64_t *shape, int64_t item, int64_t *strides);
/* A copy of a, which is in memory, in that order. */
tb_status tb__fft_lay_out(tb_array *a, const tb_transform *t, tb_array **out);
#endif
