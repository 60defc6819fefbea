/* slide.c - sums of products of windows, by one kernel (kernels/device/slide.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256 };

tb_routine_source tb__slide_source(tb_dtype t, int64_t m)
{
    enum { MANY = 1 << 17, EACH = 8 };
    return (tb_routine_source){
        .kind = TB_ROUTINE_SLIDE, .dtype = (uint8_t)t, .items = m < MANY ? 1 : EACH, .warps = THREADS / 32};
}

tb_status tb__gpu_slide(tb_stream *s, const tb_slide *l)
{
    const tb_routine_source source = tb__slide_source(l->dtype, l->m);
    const struct {
        const void *a, *w;
        void *out;
        int64_t n, k, m, before;
    } params = {l->a, l->w, l->out, l->n, l->k, l->m, l->before};
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, tb__ceil_div(l->m, source.items * THREADS), THREADS);
}
