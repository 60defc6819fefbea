/* distances.c - distances to what is zero, along an axis, by the steps of one kernel (kernels/device/distances.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256, LANES = 32, ROWS = 8 };

typedef struct distances_params {
    const void *in;
    void *out, *words, *before, *behind;
    const void *from;
    void *places;
    int64_t size, lines, n, inner, each;
    double apart;
    int32_t step, others, last;
} distances_params;

tb_routine_source tb__distances_source(const tb_distance_pass *d)
{
    return (tb_routine_source){.kind = TB_ROUTINE_DISTANCES,
                               .dtype = (uint8_t)d->to,
                               .order = d->whole,
                               .wide_places = d->outer * d->n * d->inner > INT32_MAX,
                               .warps = THREADS / LANES};
}

static tb_status run(tb_stream *s, const tb_distance_pass *d, distances_params *p, int step, int64_t blocks)
{
    const tb_routine_source source = tb__distances_source(d);
    p->step = step;
    return tb__gpu_run_routine(s, &source, p, sizeof *p, blocks, THREADS);
}

/* By bits of rows, which need no search. */
static tb_status along_rows(tb_stream *s, const tb_distance_pass *d, distances_params *p)
{
    enum { PARTS = 3 };
    void *memory;
    const size_t part = (size_t)(p->lines * p->each) * 4;
    TB_TRY(tb__pool_alloc(s, PARTS * part, &memory));
    p->words = memory;
    p->before = (char *)memory + part;
    p->behind = (char *)memory + 2 * part;
    tb_status status = run(s, d, p, TB_DISTANCES_ZEROS, tb__ceil_div(p->lines * p->each, THREADS / LANES));
    if (status == TB_OK) status = run(s, d, p, TB_DISTANCES_BESIDE, tb__ceil_div(p->lines, THREADS / LANES));
    if (status == TB_OK) status = run(s, d, p, TB_DISTANCES_ROWS, tb__ceil_div(p->size, THREADS));
    tb__pool_free(s->device, s->handle, memory);
    return status;
}

tb_status tb__gpu_distances(tb_stream *s, const tb_distance_pass *d)
{
    distances_params p = {.in = d->in,
                          .out = d->out,
                          .from = d->from,
                          .places = d->places,
                          .size = d->outer * d->n * d->inner,
                          .lines = d->outer,
                          .n = d->n,
                          .inner = d->inner,
                          .each = tb__ceil_div(d->n, LANES),
                          .apart = d->step,
                          .others = d->others,
                          .last = d->last};
    TB_TRY(tb__gpu->enter(s->device));
    if (d->first) return along_rows(s, d, &p);
    return run(s, d, &p, TB_DISTANCES_COLUMNS, tb__ceil_div(d->inner, LANES) * tb__ceil_div(d->n, ROWS) * d->outer);
}
