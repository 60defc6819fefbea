/* splines.c - sums of B-splines at the points of an affine map (kernels/device/spline_map.h), and the sums of
 * exponentials that give their coefficients (two_sided.h). */
#include <math.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum {
    MAP_THREADS = 256,
    TILE = 32, /* columns of a tile, and rows where there are few tiles */
    HIGH = 64,
    SEGMENT = 16,
    ALONG_THREADS = 128,
    ACROSS_THREADS = 512,
    LINES = 32,
};

static bool is_wide(const tb_spline_map *m)
{
    const int64_t MOST = 500000000; /* 2 * it is an int32 */
    int64_t elements = 1, points = 1;
    for (int d = 0; d < m->naxis; d++) {
        elements *= m->sides[d];
        points *= m->shape[d];
    }
    return elements * m->batch > MOST || points * m->batch > MOST;
}

tb_routine_source tb__spline_map_source(const tb_spline_map *m)
{
    return (tb_routine_source){.kind = TB_ROUTINE_SPLINE_MAP,
                               .dtype = (uint8_t)m->in_dtype,
                               .targets = (uint8_t)m->out_dtype,
                               .items = (uint8_t)m->order,
                               .levels = (uint8_t)m->mode,
                               .lanes = (uint8_t)m->naxis,
                               .right = m->diagonal,
                               .wide_places = is_wide(m),
                               .warps = MAP_THREADS / 32};
}

typedef struct map_params {
    const void *image;
    void *out;
    double cval, margin;
    int64_t points, elements, across, down, height, sides[TB_SPLINE_AXES], shape[TB_SPLINE_AXES];
    double map[TB_SPLINE_AXES * (TB_SPLINE_AXES + 1)], least[TB_SPLINE_AXES], most[TB_SPLINE_AXES];
} map_params;

/* From the first point of a tile others are as far away as the last two columns of the matrix say. One element more is
 * kept to either side than is needed: coordinates are rounded. */
static void bound_tiles(const tb_spline_map *m, map_params *p)
{
    for (int d = 0; d < m->naxis; d++) {
        const double *row = m->map + d * (m->naxis + 1);
        const double down = row[m->naxis - 2] * (double)(p->height - 1), across = row[m->naxis - 1] * (TILE - 1);
        const int around = m->order / 2 + 1;
        p->least[d] = around - fmin(down, 0) - fmin(across, 0);
        p->most[d] = (double)m->sides[d] - 2 - around - fmax(down, 0) - fmax(across, 0);
    }
}

/* Rows of a tile: what threads compute once is of twice as many points where the tiles are enough for a device. */
static int64_t height(const tb_spline_map *m)
{
    const int64_t MANY = 1 << 20;
    int64_t points = m->batch;
    for (int d = 0; d < m->naxis; d++) points *= m->shape[d];
    return points >= MANY ? HIGH : TILE;
}

tb_status tb__gpu_spline_map(tb_stream *s, const tb_spline_map *m)
{
    const tb_routine_source source = tb__spline_map_source(m);
    map_params params = {.image = m->in,
                         .out = m->out,
                         .cval = m->cval,
                         .margin = m->margin,
                         .points = 1,
                         .elements = 1,
                         .down = 1,
                         .height = height(m)};
    const int last = m->naxis - 1;
    int64_t blocks = m->batch;
    for (int d = 0; d < m->naxis; d++) {
        params.elements *= params.sides[d] = m->sides[d];
        params.points *= params.shape[d] = m->shape[d];
        if (d < last - 1) blocks *= m->shape[d];
    }
    params.across = tb__ceil_div(m->shape[last], last ? TILE : 4 * MAP_THREADS);
    if (last) params.down = tb__ceil_div(m->shape[last - 1], params.height);
    blocks *= params.across * params.down;
    memcpy(params.map, m->map, (size_t)(m->naxis * (m->diagonal ? 3 : m->naxis + 1)) * sizeof *params.map);
    if (!m->diagonal && last) bound_tiles(m, &params);
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, blocks, MAP_THREADS);
}

/* ---- coefficients ------------------------------------------------------------------------------------------------ */

/* Segments until powers of the pole are below what sums of float64 see. */
static int reach(const tb_two_sided *t)
{
    const double LEAST = 3e-18;
    double largest = 0;
    for (int k = 0; k < t->poles; k++) largest = fmax(largest, fabs(t->pole[k]));
    return largest > 0 ? (int)ceil(log(LEAST) / log(largest) / SEGMENT) : 1;
}

tb_routine_source tb__two_sided_source(const tb_two_sided *t)
{
    const bool along = t->inner == 1;
    return (tb_routine_source){.kind = TB_ROUTINE_TWO_SIDED,
                               .dtype = (uint8_t)t->dtype,
                               .levels = (uint8_t)t->edge,
                               .items = (uint8_t)t->poles,
                               .lanes = (uint8_t)reach(t),
                               .order = along,
                               .warps = (along ? ALONG_THREADS : ACROSS_THREADS) / 32};
}

tb_status tb__gpu_two_sided(tb_stream *s, const tb_two_sided *t)
{
    const tb_routine_source source = tb__two_sided_source(t);
    const int threads = 32 * source.warps, lines = source.order ? 1 : LINES;
    const int64_t used = (threads / lines - 2 * source.lanes) * SEGMENT, all = t->outer * t->inner;
    struct {
        const void *x;
        void *y;
        int64_t lines, n, inner, pieces;
        double pole[TB_TWO_SIDED_POLES], weight[TB_TWO_SIDED_POLES];
    } params = {.x = t->x, .y = t->y, .lines = all, .n = t->n, .inner = t->inner, .pieces = tb__ceil_div(t->n, used)};
    memcpy(params.pole, t->pole, sizeof params.pole);
    memcpy(params.weight, t->weight, sizeof params.weight);
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, params.pieces * tb__ceil_div(all, lines), threads);
}
