/* fft.c - Fourier transforms by cuFFT, which scales nothing, and whose backward transforms to real numbers overwrite
 * their input. */
#include "backend/cuda/fft.h"

#include "backend/memory/memory.h"
#include "base/error.h"

bool tb__cuda_fft_suits(const tb_transform *t)
{
    tb_cufft_layout layout;
    return tb__cufft_layout(t, &layout);
}

tb_status tb__cufft_run(const tb_transform *t, const tb_cufft_plan *plan, void *in, void *out)
{
    const int direction = t->kind == TB_FFT_FORWARD ? CUFFT_FORWARD : CUFFT_INVERSE;
    const tb_cufft_table *f = &tb__cufft;
    switch (t->kind) {
    case TB_FFT_REAL:
        if (t->wide) return tb__cufft_check(f->cufftExecD2Z(plan->handle, in, out), "cufftExecD2Z");
        return tb__cufft_check(f->cufftExecR2C(plan->handle, in, out), "cufftExecR2C");
    case TB_FFT_HALF:
        if (t->wide) return tb__cufft_check(f->cufftExecZ2D(plan->handle, in, out), "cufftExecZ2D");
        return tb__cufft_check(f->cufftExecC2R(plan->handle, in, out), "cufftExecC2R");
    default:
        if (t->wide) return tb__cufft_check(f->cufftExecZ2Z(plan->handle, in, out, direction), "cufftExecZ2Z");
        return tb__cufft_check(f->cufftExecC2C(plan->handle, in, out, direction), "cufftExecC2C");
    }
}

/* The work area goes back to the pool at once: what takes it next on this stream comes after the transform. */
static tb_status run_with_work_area(tb_stream *s, const tb_transform *t, const tb_cufft_plan *plan, void *out)
{
    void *area = NULL;
    TB_TRY(tb__cufft_check(tb__cufft.cufftSetStream(plan->handle, s->handle), "cufftSetStream"));
    if (plan->work_size == 0) return tb__cufft_run(t, plan, t->in, out);
    TB_TRY(tb__pool_alloc(s, plan->work_size, &area));
    tb_status status = tb__cufft_check(tb__cufft.cufftSetWorkArea(plan->handle, area), "cufftSetWorkArea");
    if (status == TB_OK) status = tb__cufft_run(t, plan, t->in, out);
    tb__pool_free(s->device, s->handle, area);
    return status;
}

static tb_status transform(tb_stream *s, const tb_transform *t, void *out)
{
    tb_cufft_layout layout;
    tb_cufft_plan plan;
    if (!tb__cufft_layout(t, &layout)) return tb__fail(TB_ERR_INTERNAL, "fft: cuFFT has no such layout");
    TB_TRY(tb__cuda_enter(s->device));
    TB_TRY(tb__cufft_plan(s->device, &layout, &plan));
    const tb_status status = run_with_work_area(s, t, &plan, out);
    tb__cufft_plan_done(&plan);
    return status;
}

tb_status tb__cuda_fft(tb_stream *s, tb_transform *t)
{
    TB_TRY(tb__library_load(&tb__library_cufft));
    void *out = t->room(t);
    if (!out) return TB_ERR_MEMORY;
    void *given = tb__cuda_wait_begin();
    const tb_status status = transform(s, t, out);
    tb__wait_end(given);
    if (status == TB_OK) t->out = out;
    return status;
}
