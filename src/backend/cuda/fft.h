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
    uint64_t callback, stream; /* a hash of the callback's text, and the stream's handle; 0: there is none */
} tb_cufft_layout;

/* ---- fft_layout.c ---- */
/* False: cuFFT has no such layout. */
bool tb__cufft_layout(const tb_transform *t, tb_cufft_layout *out);

/* ---- fft_plans.c ---- */

/* What a callback in cuFFT's kernels is handed, in device memory: cuFFT remembers the address that a plan is made with,
 * so that it is what is there that changes. On one stream, in whose order it is written. */
typedef struct tb_cufft_slot {
    void *memory;   /* of the pool */
    void *holds[2]; /* the elements' address, the caller's; as last written */
    int device;
    void *stream;     /* handle */
    size_t work_size; /* cuFFT's own part of the plan's, which comes first */
} tb_cufft_slot;

typedef struct tb_cufft_plan {
    cufftHandle handle;
    size_t work_size;    /* bytes that it wants while it runs */
    bool kept;           /* else it ends with tb__cufft_plan_done */
    tb_cufft_slot *slot; /* NULL: it has no callback */
} tb_cufft_plan;

/* A callback as cuFFT takes it, which looks at all of this when it makes the plan. */
typedef struct tb_cufft_link {
    const char *symbol;
    const void *code; /* LTO-IR */
    size_t size;
    int type;
    void *info[1]; /* tb_cufft_slot.memory */
} tb_cufft_link;

/* The calling thread's plan for a device, whose context is current. With the core lock, as all of these. */
tb_status tb__cufft_plan(int device, const tb_cufft_layout *layout, tb_cufft_plan *out);
void tb__cufft_plan_done(const tb_cufft_plan *plan);
/* Its parts: looks for it; makes one, which *out->work_size is set of; has the thread keep it (false: its limits are
 * against that). */
tb_status tb__cufft_plan_find(int device, const tb_cufft_layout *layout, bool *found, tb_cufft_plan *out);
tb_status tb__cufft_plan_make(int device, const tb_cufft_layout *layout, tb_cufft_link *link /* NULL: none */,
                              tb_cufft_plan *out);
tb_status tb__cufft_plan_keep(int device, const tb_cufft_layout *layout, tb_cufft_plan *plan);
/* Whether a plan of that many bytes would be kept. */
tb_status tb__cufft_plan_fits(int device, size_t work_size, bool *fits);
tb_status tb__cufft_check(cufftResult result, const char *call);
tb_status tb__cuda_fft_cache(int device, tb_fft_cache_op op, tb_fft_cache *c);

/* ---- fft_callback.c ---- */
/* The callback's code, and the function that cuFFT knows: of float64 where it is wide. */
void tb__cufft_callback_text(const tb_fft_callback *c, bool real, bool wide, tb_text *out);
tb_status tb__cuda_fft_called(tb_stream *s, tb_transform *t, const tb_fft_callback *c);

/* ---- fft.c ---- */
/* Enqueues it, on the plan's stream and with its work area. */
tb_status tb__cufft_run(const tb_transform *t, const tb_cufft_plan *plan, void *in, void *out);
tb_status tb__cuda_fft(tb_stream *s, tb_transform *t);
bool tb__cuda_fft_suits(const tb_transform *t);
#endif
