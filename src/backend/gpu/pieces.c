/* pieces.c - functions in pieces at points, by one kernel (kernels/device/pieces.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256, UNROLLED = 8, SAMPLES = 2048, BUCKETS = 2048, PARTS = 6 /* blocks of a multiprocessor */ };

tb_routine_source tb__pieces_source(const tb_pieces *p)
{
    const bool known = p->form == TB_PIECE_SPLINE || (p->form == TB_PIECE_POWERS && p->orders <= UNROLLED);
    return (tb_routine_source){.kind = TB_ROUTINE_PIECES,
                               .dtype = TB_F64,
                               .targets = (uint8_t)p->form,
                               .lanes = known ? (uint8_t)p->orders : 0,
                               .warps = THREADS / 32};
}

tb_status tb__gpu_pieces(tb_stream *s, const tb_pieces *p)
{
    const tb_routine_source source = tb__pieces_source(p);
    const int64_t stride = tb__ceil_div(p->count, SAMPLES), samples = tb__ceil_div(p->count, stride);
    const int64_t results = p->n * p->each * (p->points ? 1 : p->orders);
    uint32_t buckets = 16;
    while (buckets < BUCKETS && buckets < 2 * samples) buckets *= 2;
    const struct {
        const double *x, *c, *points;
        double *out;
        uint64_t count, stride, n, each, first, last, pieces;
        uint32_t samples, buckets;
        int32_t orders, nu, parts, outside;
    } params = {p->x,
                p->c,
                p->points,
                p->out,
                (uint64_t)p->count,
                (uint64_t)stride,
                (uint64_t)results,
                (uint64_t)p->each,
                (uint64_t)p->first,
                (uint64_t)p->last,
                (uint64_t)p->pieces,
                (uint32_t)samples,
                buckets,
                p->orders,
                p->nu,
                p->parts,
                (int32_t)p->outside};
    TB_TRY(tb__gpu->enter(s->device));
    const int64_t blocks =
        tb__min(tb__ceil_div(results, THREADS), PARTS * (int64_t)tb__gpu_devices[s->device].chip.sms);
    return tb__gpu_run_routine(s, &source, &params, sizeof params, blocks, THREADS);
}
