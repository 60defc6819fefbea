/* pairs.c - distances of pairs of rows, by one kernel (kernels/device/pairs.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { SIDE = 16, THREADS = SIDE * SIDE };

/* Pairs of a thread along either axis: as many as registers hold, fewer where that left multiprocessors idle. */
static int each_of(const tb_pairs *p)
{
    enum { ENOUGH = 256 };
    const bool heavy =
        p->metric == TB_METRIC_MINKOWSKI || p->metric == TB_METRIC_CANBERRA || p->metric == TB_METRIC_BRAYCURTIS;
    const int most = p->dtype == TB_F32 && !heavy ? 8 : 4;
    const int64_t tile = (int64_t)most * SIDE;
    return tb__ceil_div(p->m, tile) * tb__ceil_div(p->k, tile) >= ENOUGH ? most : 2;
}

tb_routine_source tb__pairs_source(const tb_pairs *p)
{
    return (tb_routine_source){.kind = TB_ROUTINE_PAIRS,
                               .dtype = (uint8_t)p->dtype,
                               .targets = (uint8_t)p->metric,
                               .order = p->once,
                               .items = (uint8_t)each_of(p),
                               .warps = THREADS / 32};
}

tb_status tb__gpu_pairs(tb_stream *s, const tb_pairs *p)
{
    const tb_routine_source source = tb__pairs_source(p);
    const int64_t tile = (int64_t)source.items * SIDE, across = tb__ceil_div(p->k, tile);
    const struct {
        const void *a, *b;
        void *out;
        uint64_t m, k, n, across;
        double p;
    } params = {p->a, p->b, p->out, (uint64_t)p->m, (uint64_t)p->k, (uint64_t)p->n, (uint64_t)across, p->p};
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, across * tb__ceil_div(p->m, tile), THREADS);
}
