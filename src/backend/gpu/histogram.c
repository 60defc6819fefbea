/* histogram.c - counts of a few numbers in bins, by one block (kernels/device/histogram.h). */
#include "backend/gpu/kernel.h"
#include "base/error.h"

enum { THREADS = 1024 };

tb_routine_source tb__histogram_source(tb_dtype t)
{
    return (tb_routine_source){.kind = TB_ROUTINE_HISTOGRAM, .dtype = (uint8_t)t, .warps = THREADS / 32};
}

tb_status tb__gpu_histogram(tb_stream *s, const tb_bins *x)
{
    const tb_routine_source source = tb__histogram_source(x->dtype);
    TB_TRY(tb__gpu->enter(s->device));
    if (x->dtype == TB_F64) {
        const struct {
            const void *in;
            void *edges;
            int64_t *counts;
            double first, last, step;
            uint32_t n, bins;
        } params = {x->in, x->edges, x->counts, x->first, x->last, x->step, (uint32_t)x->n, (uint32_t)x->bins};
        return tb__gpu_run_routine(s, &source, &params, sizeof params, 1, THREADS);
    }
    const struct {
        const void *in;
        void *edges;
        int64_t *counts;
        float first, last, step;
        uint32_t n, bins;
    } params = {x->in,          x->edges,       x->counts,      (float)x->first,
                (float)x->last, (float)x->step, (uint32_t)x->n, (uint32_t)x->bins};
    return tb__gpu_run_routine(s, &source, &params, sizeof params, 1, THREADS);
}
