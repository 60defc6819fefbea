/* fft.h - Fourier transforms by cuFFT: what a plan is made for, the plans that a thread keeps, running them. */
#ifndef TB_BACKEND_CUDA_FFT_H
#define TB_BACKEND_CUDA_FFT_H
#include "backend/cuda/device.h"

enum { TB_CUFFT_AXES = 3 };

/* All that a plan depends on, without gaps, so that plans are found by comparing bytes: cuFFT's "advanced data layout".
 * Element x of transform b is at b * dist + ((x[0] * embed[1] + x[1]) * embed[2] + x[2]) * stride. */
typedef struct tb_cufft_layout {
    int64_t type, rank, batch;
    int64_t n[TB_CUFFT_AXES];
    int64_t in_embed[TB_CUFFT_AXES], in_stride, in_dist;
    int64_t out_embed[TB_CUFFT_AXES], out_stride, out_dist;
} tb_cufft_layout;

/* ---- fft_layout.c ---- */
/* False: cuFFT has no such layout. */
bool tb__cufft_layout(const tb_transform *t, tb_cufft_layout *out);

/* ---- fft_plans.c ---- */
typedef struct tb_cufft_plan {
    cufftHandle handle;
    size_t work_size; /* bytes that it wants while it runs */
    bool kept;        /* else it ends with tb__cufft_plan_done */
} tb_cufft_plan;

/* The calling thread's plan for a device, whose context is current. With the core lock, as all of these. */
tb_status tb__cufft_plan(int device, const tb_cufft_layout *layout, tb_cufft_plan *out);
void tb__cufft_plan_done(const tb_cufft_plan *plan);
tb_status tb__cufft_check(cufftResult result, const char *call);
tb_status tb__cuda_fft_cache(int device, tb_fft_cache_op op, tb_fft_cache *c);

/* ---- fft.c ---- */
tb_status tb__cuda_fft(tb_stream *s, tb_transform *t);
bool tb__cuda_fft_suits(const tb_transform *t);
#endif
