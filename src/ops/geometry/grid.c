/* grid.c - functions between the points of a grid: along each axis some values count for a point, each by a weight. */
#include "ops/geometry/grid.h"

#include <math.h>
#include <stdbool.h>

#include "base/arith.h"
#include "base/half.h"
#include "base/threads.h"

enum { PIECE = 1 << 10 };

#define OF_KNOWN_SIZE static inline __attribute__((always_inline))

/* Along an axis: the values that count, and for how much each. */
typedef struct cell {
    int64_t offset;
    double weight[TB_GRID_DEGREE + 1];
} cell;

/* The interval that x lies in; lines are mostly equally far apart. */
static inline int64_t interval_of(const tb_grid_side *s, double x)
{
    const double guess = (x - s->begin) * s->density;
    int64_t low = s->first, high = s->last + 1;
    if (guess >= 0 && guess < (double)(high - low)) {
        const int64_t at = low + (int64_t)guess;
        if (s->line[at] <= x && x < s->line[at + 1]) return at;
    }
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (s->line[middle] <= x) low = middle;
        else high = middle;
    }
    return low;
}

/* The B-splines that are not 0 in an interval, and derivatives of them, by the recurrence of Cox and de Boor (C. de
 * Boor, A Practical Guide to Splines, chapter X), in which what is divided by a difference of 0 counts for 0. */
OF_KNOWN_SIZE void splines_at(const tb_grid_side *s, int64_t at, int degree, double x, double *w)
{
    w[0] = 1;
    for (int d = 1; d <= degree - s->order; d++) {
        const double *share = s->shares + (d - 1) * s->knots + at + 1 - d, *knot = s->line + at + 1;
        double carried = 0;
        for (int j = 0; j < d; j++) {
            const double part = w[j] * share[j];
            w[j] = carried + (knot[j] - x) * part;
            carried = (x - knot[j - d]) * part;
        }
        w[d] = carried;
    }
    for (int d = degree - s->order + 1 > 1 ? degree - s->order + 1 : 1; d <= degree; d++) {
        const double *share = s->shares + (d - 1) * s->knots + at + 1 - d;
        double before = 0;
        for (int j = 0; j < d; j++) {
            const double slope = d * w[j] * share[j];
            w[j] = before - slope;
            before = slope;
        }
        w[d] = before;
    }
    for (int j = 0; j <= degree && s->order > degree; j++) w[j] = 0;
}

OF_KNOWN_SIZE void find_cell(const tb_grid *g, const tb_grid_side *s, int degree, double x, cell *c)
{
    int64_t at = s->last < s->first ? 0 : interval_of(s, x);
    if (g->form == TB_GRID_SPLINE) {
        splines_at(s, at, degree, x, c->weight);
        at -= degree;
    } else {
        const double share = s->last < s->first ? 0 : (x - s->line[at]) / (s->line[at + 1] - s->line[at]);
        const bool nearest = g->form == TB_GRID_NEAREST;
        if (nearest && !(share <= 0.5)) at++;
        c->weight[0] = nearest ? 1 : 1 - share;
        if (!nearest) c->weight[1] = share;
    }
    c->offset = at * s->step;
}

/* Only what counts is read, and converted then: a few points of a large grid cost no conversion of all of it. */
OF_KNOWN_SIZE double number_at(const tb_grid *g, bool wide, int64_t at)
{
    if (wide) return ((const double *)g->values)[at];
    return g->number == TB_F32 ? ((const float *)g->values)[at] : tb__half_to_double(((const uint16_t *)g->values)[at]);
}

/* Over the axes from `axis` on. */
static double sum_of(const tb_grid *g, const cell *c, int axis, int64_t from)
{
    const tb_grid_side *s = &g->side[axis];
    const int degree = s->degree;
    if (axis == g->naxis) return number_at(g, g->number == TB_F64, from);
    from += c[axis].offset;
    double sum = c[axis].weight[0] * sum_of(g, c, axis + 1, from);
    for (int j = 1; j <= degree; j++) sum += c[axis].weight[j] * sum_of(g, c, axis + 1, from + j * s->step);
    return sum;
}

OF_KNOWN_SIZE double sum_of_two(const tb_grid *g, const cell *c, bool wide, int degree, int64_t from)
{
    double sum = 0;
    from += c[0].offset + c[1].offset;
    for (int i = 0; i <= degree; i++, from += g->side[0].step) {
        double row = c[1].weight[0] * number_at(g, wide, from);
        for (int j = 1; j <= degree; j++) row += c[1].weight[j] * number_at(g, wide, from + j * g->side[1].step);
        sum = i ? sum + c[0].weight[i] * row : c[0].weight[0] * row;
    }
    return sum;
}

static void fill(const tb_grid *g, const double *value, double *out)
{
    for (int64_t i = 0; i < g->each; i++) out[i] = value[i % g->parts];
}

/* Which axes a point is beyond the ends of, as bits. *bad: one of its coordinates is NaN. */
static unsigned beyond(const tb_grid *g, const double *x, bool *bad)
{
    unsigned bits = 0;
    for (int d = 0; d < g->naxis; d++) {
        *bad |= x[d] != x[d];
        bits |= (unsigned)!(x[d] >= g->side[d].begin && x[d] <= g->side[d].end) << d;
    }
    return bits;
}

/* Of two axes where `degree` says how many values count along both, and 1 is fewer than these; -1: any. */
OF_KNOWN_SIZE unsigned piece(const tb_grid *g, int64_t from, int64_t to, bool wide, int degree)
{
    static const double nan[2] = {(double)NAN, 0};
    unsigned all = 0;
    for (int64_t i = from; i < to; i++) {
        const double *x = g->x + i * g->naxis;
        double *out = g->out + i * g->each;
        cell c[TB_GRID_AXES];
        bool bad = false;
        const unsigned bits = beyond(g, x, &bad);
        all |= bits;
        if (bad || (bits && g->outside)) {
            fill(g, bad ? nan : g->outside, out);
            continue;
        }
        for (int d = 0; d < (degree < 0 ? g->naxis : 2); d++)
            find_cell(g, &g->side[d], degree < 0 ? g->side[d].degree : degree, x[d], &c[d]);
        for (int64_t e = 0, at = 0; e < g->each; e += g->parts, at += g->apart)
            for (int k = 0; k < g->parts; k++)
                out[e + k] = degree < 0 ? sum_of(g, c, 0, at + k) : sum_of_two(g, c, wide, degree, at + k);
    }
    return all;
}

OF_KNOWN_SIZE unsigned piece_of(const tb_grid *g, int64_t from, int64_t to, bool wide)
{
    const int degree = g->naxis == 2 && g->side[0].degree == g->side[1].degree ? g->side[0].degree : -1;
    switch (degree) {
    case 0: return piece(g, from, to, wide, 0);
    case 1: return piece(g, from, to, wide, 1);
    case 3: return piece(g, from, to, wide, 3);
    default: return piece(g, from, to, wide, -1);
    }
}

static bool grid_task(void *arg, int64_t task)
{
    tb_grid *g = arg;
    const int64_t from = task * PIECE, to = tb__min(from + PIECE, g->m);
    const unsigned bits = g->number == TB_F64 ? piece_of(g, from, to, true) : piece_of(g, from, to, false);
    if (bits) __atomic_fetch_or(&g->beyond, bits, __ATOMIC_RELAXED);
    return true;
}

tb_status tb__grid_at(tb_grid *g) { return tb__parallel(tb__ceil_div(g->m, PIECE), grid_task, g); }
