/* label.c - connected objects, by the steps of one kernel (kernels/device/label.h). */
#include <stddef.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256, EDGE_THREADS = 96, SIDE = 32, ITEMS = 16 };

typedef struct label_params {
    const void *inside;
    void *labels, *result, *counts, *total;
    int64_t size, rows, columns, across, down, parts;
    int32_t step, near, ndim, count;
    int64_t shape[TB_LABEL_DIMS];
    uint64_t steps[TB_LABEL_STEPS];
} label_params;

typedef struct label_job {
    tb_stream *s;
    const tb_objects *o;
    tb_routine_source source;
    label_params p;
} label_job;

/* The steps to the neighbours of an element before it are half the box, 3^ndim / 2 of them: at k of it is whether there
 * is one by the step of which k's digits to the base of 3 are 1 more. */
static int64_t half_of(const tb_objects *o)
{
    int64_t box = 1;
    for (int d = 0; d < o->ndim; d++) box *= 3;
    return box / 2;
}

/* How many of them lead to the element's plane, the last two axes. */
static int64_t planar_of(const tb_objects *o) { return o->ndim > 1 ? 4 : 1; }

tb_routine_source tb__label_source(const tb_objects *o)
{
    const int64_t half = half_of(o);
    return (tb_routine_source){.kind = TB_ROUTINE_LABEL,
                               .wide_places = o->wide,
                               .order = memchr(o->connected, 1, (size_t)(half - planar_of(o))) != NULL,
                               .items = ITEMS,
                               .warps = THREADS / 32};
}

static tb_status run(label_job *x, int step, int64_t blocks, int threads)
{
    const size_t size = x->source.order ? sizeof x->p : offsetof(label_params, shape);
    x->p.step = step;
    return tb__gpu_run_routine(x->s, &x->source, &x->p, size, blocks, threads);
}

static int32_t near_in_plane(const tb_objects *o)
{
    static const int32_t bits[4] = {2, 4, 8, 1}; /* north-west, north, north-east, west */
    const int64_t half = half_of(o), planar = planar_of(o);
    int32_t near = 0;
    for (int k = 0; k < planar; k++)
        if (o->connected[half - planar + k]) near |= bits[4 - planar + k];
    return near;
}

static uint64_t step_of(const tb_objects *o, int64_t k)
{
    uint64_t step = 0;
    for (int d = o->ndim - 1; d >= 0; d--, k /= 3) step |= (uint64_t)(k % 3) << (2 * d);
    return step;
}

/* As many neighbours a launch as a kernel's argument has room for. */
static tb_status unite_planes(label_job *x)
{
    const tb_objects *o = x->o;
    const int64_t outer = half_of(o) - planar_of(o);
    tb_status status = TB_OK;
    x->p.count = 0;
    for (int64_t k = 0; k < outer && status == TB_OK; k++) {
        if (o->connected[k]) x->p.steps[x->p.count++] = step_of(o, k);
        if (x->p.count == 0 || (x->p.count < TB_LABEL_STEPS && k + 1 < outer)) continue;
        status = run(x, TB_LABEL_PLANES, tb__ceil_div(x->p.size, THREADS), THREADS);
        x->p.count = 0;
    }
    return status;
}

static tb_status make_forest(label_job *x)
{
    const int64_t tiles = x->p.size / (x->p.rows * x->p.columns) * x->p.across * x->p.down;
    TB_TRY(run(x, TB_LABEL_TILES, tiles, THREADS));
    if (x->p.near) TB_TRY(run(x, TB_LABEL_EDGES, tiles, EDGE_THREADS));
    return x->source.order ? unite_planes(x) : TB_OK;
}

/* Trees by the order of their roots. */
static tb_status number(label_job *x)
{
    TB_TRY(run(x, TB_LABEL_COUNT, x->p.parts, THREADS));
    TB_TRY(run(x, TB_LABEL_SUM, 1, TB_LABEL_SUM_THREADS));
    TB_TRY(run(x, TB_LABEL_NUMBER, x->p.parts, THREADS));
    return run(x, TB_LABEL_FINISH, tb__ceil_div(x->p.size, THREADS), THREADS);
}

static tb_status reserve(label_job *x, void **out)
{
    const size_t counts = ((size_t)x->p.parts * sizeof(int64_t) + 255) / 256 * 256;
    TB_TRY(tb__pool_alloc(x->s, counts + (size_t)x->p.size * (x->o->wide ? 8 : 4), out));
    x->p.counts = *out;
    x->p.labels = (char *)*out + counts;
    return TB_OK;
}

tb_status tb__gpu_label(tb_stream *s, const tb_objects *o)
{
    void *memory;
    label_job x = {.s = s, .o = o, .source = tb__label_source(o)};
    if (o->ndim > TB_LABEL_DIMS) return tb__fail(TB_ERR_INTERNAL, "labels of %d dimensions", o->ndim);
    x.p = (label_params){.inside = o->inside, .result = o->labels, .total = o->count, .size = 1, .ndim = o->ndim};
    for (int d = 0; d < o->ndim; d++) x.p.size *= x.p.shape[d] = o->shape[d];
    x.p.columns = o->shape[o->ndim - 1];
    x.p.rows = o->ndim > 1 ? o->shape[o->ndim - 2] : 1;
    x.p.across = tb__ceil_div(x.p.columns, SIDE);
    x.p.down = tb__ceil_div(x.p.rows, SIDE);
    x.p.parts = tb__ceil_div(x.p.size, THREADS * ITEMS);
    x.p.near = near_in_plane(o);
    TB_TRY(tb__gpu->enter(s->device));
    TB_TRY(reserve(&x, &memory));
    tb_status status = make_forest(&x);
    if (status == TB_OK) status = number(&x);
    tb__pool_free(s->device, s->handle, memory);
    return status;
}
