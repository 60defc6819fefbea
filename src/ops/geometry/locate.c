/* locate.c - points are found by walks through neighbouring triangles, always across the edge that the point is
 * furthest behind (O. Devillers, S. Pion, M. Teillaud, Walking in a triangulation, 2002). Where many points are asked
 * for, walks begin in a triangle near to the point, which a grid knows, else in the nearest of a few, or where the last
 * one ended (E. Muecke, I. Saias, B. Zhu, Fast randomized point location without preprocessing, 1996). A walk that does
 * not end, by rounding, gives way to looking at all triangles. */
#include "ops/geometry/locate.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/error.h"
#include "base/threads.h"
#include "ops/geometry/thin.h"

enum { PIECE = 512, FEW = 8, MOST_CELLS = 1 << 10, NONE = -1 };

/* Where walks begin: in the triangles of cells of a grid around the points, or none is given (side: 0). */
typedef struct grid {
    int side;
    double left, bottom, across, up; /* the corner, and cells to a unit */
    int32_t *cell;
} grid;

typedef struct search {
    const tb_location *l;
    grid grid;
    int32_t first; /* a triangle that is not flat, or the first one */
    int64_t apart; /* of each so many triangles one is tried for a beginning */
} search;

/* ---- triangles --------------------------------------------------------------------------------------------------- */

static inline tb_point corner(const tb_location *l, int64_t at, int k) { return l->points[l->corners[3 * at + k]]; }

static inline bool is_flat(const tb_location *l, int64_t at)
{
    return tb__is_thin((const tb_point[]){corner(l, at, 0), corner(l, at, 1), corner(l, at, 2)});
}

/* Twice the areas that x has with the edges opposite to each corner. */
typedef struct areas {
    double of[3];
} areas;

static inline areas areas_at(const tb_location *l, int64_t at, tb_point x)
{
    const tb_point a = corner(l, at, 0), b = corner(l, at, 1), c = corner(l, at, 2);
    return (areas){{(c.x - b.x) * (x.y - b.y) - (c.y - b.y) * (x.x - b.x),
                    (a.x - c.x) * (x.y - c.y) - (a.y - c.y) * (x.x - c.x),
                    (b.x - a.x) * (x.y - a.y) - (b.y - a.y) * (x.x - a.x)}};
}

static inline int least_of(const double *s)
{
    const int first = s[1] < s[0];
    return s[2] < s[first] ? 2 : first;
}

/* No coordinate may be less than -tol, nor greater than 1 + tol. */
static int32_t look_everywhere(const tb_location *l, tb_point x)
{
    for (int64_t at = 0; at < l->n; at++) {
        const areas s = areas_at(l, at, x);
        const double area = s.of[0] + s.of[1] + s.of[2], low = -l->tol * area, high = (1 + l->tol) * area;
        bool inside = true;
        for (int k = 0; k < 3; k++) inside &= s.of[k] >= low && s.of[k] <= high;
        if (inside && !is_flat(l, at)) return (int32_t)at;
    }
    return NONE;
}

/* A flat triangle is entered for a point only that is far from here: what is in it is mostly rounding. */
static int32_t walk(const tb_location *l, int64_t at, tb_point x)
{
    static const double wide = 1.4901161193847656e-8; /* the root of DBL_EPSILON */
    for (int64_t steps = 0; steps <= l->n; steps++) {
        const areas s = areas_at(l, at, x);
        const int k = least_of(s.of);
        const double least = s.of[k], area = s.of[0] + s.of[1] + s.of[2];
        if (least >= -l->tol * area) return (int32_t)at;
        if (!(fabs(area) < (double)INFINITY)) return NONE;
        const int32_t beyond = l->neighbors[3 * at + k];
        if (beyond < 0) return NONE;
        if (least >= -wide * area && is_flat(l, beyond)) return (int32_t)at;
        at = beyond;
    }
    return look_everywhere(l, x);
}

/* ---- where walks begin ------------------------------------------------------------------------------------------- */

static inline int place(double x, double from, double scale, int side)
{
    const double at = (x - from) * scale;
    return at > 0 ? (at < side ? (int)at : side - 1) : 0;
}

static inline int32_t *cell_of(const grid *g, tb_point x)
{
    return g->cell + (int64_t)place(x.y, g->bottom, g->up, g->side) * g->side + place(x.x, g->left, g->across, g->side);
}

static void span(const tb_location *l, grid *g)
{
    tb_point low = corner(l, 0, 0), high = low;
    for (int64_t i = 0; i < 3 * l->n; i++) {
        const tb_point p = l->points[l->corners[i]];
        low = (tb_point){fmin(low.x, p.x), fmin(low.y, p.y)};
        high = (tb_point){fmax(high.x, p.x), fmax(high.y, p.y)};
    }
    g->left = low.x;
    g->bottom = low.y;
    g->across = g->side / (high.x - low.x);
    g->up = g->side / (high.y - low.y);
}

static int32_t first_wide(const tb_location *l)
{
    for (int64_t at = 0; at < l->n; at++)
        if (!is_flat(l, at)) return (int32_t)at;
    return 0;
}

/* Each cell has a triangle whose centre is in it, or that of the cell before. */
static tb_status make_grid(search *s)
{
    const tb_location *l = s->l;
    grid *g = &s->grid;
    for (g->side = 1; g->side < MOST_CELLS && 4 * (int64_t)g->side * g->side < l->n;) g->side *= 2;
    const int64_t cells = (int64_t)g->side * g->side;
    g->cell = malloc((size_t)cells * sizeof *g->cell);
    if (!g->cell) return tb__fail_memory((size_t)cells * sizeof *g->cell, 0, 0, 0);
    span(l, g);
    for (int64_t i = 0; i < cells; i++) g->cell[i] = NONE;
    for (int64_t at = 0; at < l->n; at++) {
        const tb_point a = corner(l, at, 0), b = corner(l, at, 1), c = corner(l, at, 2);
        int32_t *cell = cell_of(g, (tb_point){a.x / 3 + b.x / 3 + c.x / 3, a.y / 3 + b.y / 3 + c.y / 3});
        if (*cell == NONE && !is_flat(l, at)) *cell = (int32_t)at;
    }
    int32_t last = s->first;
    for (int64_t i = 0; i < cells; i++) g->cell[i] = last = g->cell[i] == NONE ? last : g->cell[i];
    return TB_OK;
}

static double away(const tb_location *l, int64_t at, tb_point x)
{
    const tb_point p = corner(l, at, 0);
    return (p.x - x.x) * (p.x - x.x) + (p.y - x.y) * (p.y - x.y);
}

/* Of the last triangle and a few others the one that is nearest to x. */
static int32_t nearest_of_few(const search *s, int32_t last, tb_point x)
{
    double least = away(s->l, last, x);
    for (int64_t at = s->apart / 2; at < s->l->n; at += s->apart) {
        const double other = away(s->l, at, x);
        if (!(other < least) || is_flat(s->l, at)) continue;
        least = other;
        last = (int32_t)at;
    }
    return last;
}

static int32_t start_of(const search *s, int32_t last, tb_point x)
{
    return s->grid.side ? *cell_of(&s->grid, x) : nearest_of_few(s, last, x);
}

static bool locate_task(void *arg, int64_t task)
{
    const search *s = arg;
    const tb_location *l = s->l;
    const int64_t end = tb__min((task + 1) * PIECE, l->m);
    int32_t last = s->first;
    for (int64_t i = task * PIECE; i < end; i++) {
        const tb_point x = l->x[i];
        int32_t at = NONE;
        if (isfinite(x.x) && isfinite(x.y))
            at = l->exhaustive ? look_everywhere(l, x) : walk(l, start_of(s, last, x), x);
        l->found[i] = at;
        if (at != NONE && !is_flat(l, at)) last = at;
    }
    return true;
}

tb_status tb__locate(const tb_location *l)
{
    search s = {.l = l, .grid = {.side = 0, .cell = NULL}};
    if (l->n == 0) {
        for (int64_t i = 0; i < l->m; i++) l->found[i] = NONE;
        return TB_OK;
    }
    s.first = first_wide(l);
    s.apart = (int64_t)pow((double)l->n, 2.0 / 3);
    if (!l->exhaustive && l->m >= l->n / FEW) TB_TRY(make_grid(&s));
    const tb_status status = tb__parallel(tb__ceil_div(l->m, PIECE), locate_task, &s);
    free(s.grid.cell);
    return status;
}
