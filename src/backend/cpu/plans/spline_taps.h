/* spline_taps.h - the elements around a point and what each of them counts in a sum of B-splines, for splines.c and
 * spline_map.c: weights by the recurrence of Cox and de Boor (C. de Boor, A Practical Guide to Splines, 1978).
 * Functions are compiled once for each order, which is then a constant in them. */
#ifndef TB_BACKEND_CPU_PLANS_SPLINE_TAPS_H
#define TB_BACKEND_CPU_PLANS_SPLINE_TAPS_H
#include <math.h>

#include "backend/cpu/plans/plans.h"

#define FOR_AN_ORDER static inline __attribute__((always_inline))

/* Along one axis: the elements around a point, as offsets in elements, and what each counts; -1: there is none. */
typedef struct taps {
    bool whole; /* all are there */
    int64_t offset[TB_SPLINE_ORDERS];
    double weight[TB_SPLINE_ORDERS];
} taps;

/* The splines on an interval between knots, u of its length from its beginning. */
FOR_AN_ORDER void find_weights(double u, int order, double *w)
{
    static const double shares[] = {0, 1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5};
    w[0] = 1;
    for (int d = 1; d <= order; d++) {
        double left_over = 0;
        for (int r = 0; r < d; r++) {
            const double part = w[r] * shares[d];
            w[r] = left_over + (r + 1 - u) * part;
            left_over = (u + d - 1 - r) * part;
        }
        w[d] = left_over;
    }
}

/* n: of the axis, along which elements are `stride` apart. */
FOR_AN_ORDER void find_taps(int64_t n, tb_spline_edge edge, int order, double x, int64_t stride, taps *out)
{
    const double half = order % 2 ? 0 : 0.5, begin = floor(x + half);
    find_weights(x - begin + half, order, out->weight);
    const int64_t first = (int64_t)begin - order / 2;
    out->whole = first >= 0 && first + order < n;
    for (int k = 0; k <= order && out->whole; k++) out->offset[k] = (first + k) * stride;
    if (out->whole) return;
    out->whole = true;
    for (int k = 0; k <= order; k++) {
        const int64_t i = first + k, place = i >= 0 && i < n ? i : tb__cpu_folded(i, n, edge);
        out->offset[k] = place < 0 ? -1 : place * stride;
        out->whole &= place >= 0;
    }
}

static inline double remainder_of(double x, double period) { return x - period * floor(x / period); }

/* A coordinate beyond the edges of n elements, by the modes in which splines go on as they are. */
static inline double folded(double x, double n, tb_spline_mode mode)
{
    const double last = n - 1;
    double around;
    if (n == 1) return 0;
    switch (mode) {
    case TB_SPLINE_AT_GRID_WRAP: return remainder_of(x, n);
    case TB_SPLINE_AT_WRAP: return x < 0 ? x + last * (floor(-x / last) + 1) : remainder_of(x, last);
    case TB_SPLINE_AT_MIRROR:
        around = remainder_of(fabs(x), 2 * last);
        return around > last ? 2 * last - around : around;
    default: around = remainder_of(x < 0 ? -x - 1 : x, 2 * n); return around >= n ? 2 * n - 1 - around : around;
    }
}

/* How elements go on, of which the splines near an edge are. */
static inline tb_spline_edge edge_of(tb_spline_mode mode)
{
    switch (mode) {
    case TB_SPLINE_AT_GRID_CONSTANT: return TB_SPLINE_CONSTANT;
    case TB_SPLINE_AT_NEAREST: return TB_SPLINE_NEAREST;
    case TB_SPLINE_AT_REFLECT: return TB_SPLINE_REFLECT;
    case TB_SPLINE_AT_GRID_WRAP: return TB_SPLINE_WRAP;
    default: return TB_SPLINE_MIRROR;
    }
}

/* What a spline at x, along an axis of n elements, is of; NaN of NaN. False: there is no spline, but a constant. */
FOR_AN_ORDER bool look(tb_spline_mode mode, int64_t n, int order, double x, int64_t stride, taps *out)
{
    const double MOST = 1e15; /* no element near it is out of int64's range */
    const bool is_number = x == x;
    if (!(x >= 0 && x <= (double)(n - 1))) {
        if (mode == TB_SPLINE_AT_CONSTANT) return false;
        if (mode != TB_SPLINE_AT_GRID_CONSTANT && mode != TB_SPLINE_AT_NEAREST) x = folded(x, (double)n, mode);
        x = fmin(fmax(x, -MOST), MOST);
    }
    find_taps(n, edge_of(mode), order, x, stride, out);
    for (int k = 0; k <= order && !is_number; k++) out->weight[k] = (double)NAN;
    return true;
}

FOR_AN_ORDER double sum_along(double cval, int order, const taps *t, const double *from)
{
    double sum = 0;
    if (t->whole)
        for (int k = 0; k <= order; k++) sum += t->weight[k] * from[t->offset[k]];
    else
        for (int k = 0; k <= order; k++) sum += t->weight[k] * (t->offset[k] < 0 ? cval : from[t->offset[k]]);
    return sum;
}

/* Over the axes from `axis` on, of naxis, of the elements at `from`. */
static inline double sum_of(int naxis, double cval, int order, const taps *const *t, int axis, const double *from)
{
    double sum = 0;
    if (axis + 1 == naxis) return sum_along(cval, order, t[axis], from);
    for (int k = 0; k <= order; k++) {
        const int64_t offset = t[axis]->offset[k];
        sum += t[axis]->weight[k] * (offset < 0 ? cval : sum_of(naxis, cval, order, t, axis + 1, from + offset));
    }
    return sum;
}

/* Where the two last axes are all there are. */
FOR_AN_ORDER double sum_of_two(double cval, int order, const taps *rows, const taps *columns, const double *from)
{
    double sum = 0;
    for (int k = 0; k <= order; k++) {
        const int64_t offset = rows->offset[k];
        sum += rows->weight[k] * (offset < 0 ? cval : sum_along(cval, order, columns, from + offset));
    }
    return sum;
}

FOR_AN_ORDER double sum_at(int naxis, double cval, int order, const taps *const *t, const double *image)
{
    return naxis == 2 ? sum_of_two(cval, order, t[0], t[1], image) : sum_of(naxis, cval, order, t, 0, image);
}
#endif
