/* splines.c - sums of B-splines at points: the weights along each axis by the recurrence of Cox and de Boor (C. de
 * Boor, A Practical Guide to Splines, 1978), and for each point the elements around it, axis by axis. Functions are
 * compiled once for each order, which is then a constant in them. */
#include <math.h>

#include "backend/cpu/plans/plans.h"

enum { PIECE = 1 << 12 };

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

static int64_t remainder_of(int64_t i, int64_t n)
{
    const int64_t r = i % n;
    return r < 0 ? r + n : r;
}

/* Which of n elements stands for one beyond the edges; -1: none. */
static int64_t fold(int64_t i, int64_t n, tb_spline_edge edge)
{
    switch (edge) {
    case TB_SPLINE_CONSTANT: return -1;
    case TB_SPLINE_NEAREST: return i < 0 ? 0 : n - 1;
    case TB_SPLINE_WRAP: return remainder_of(i, n);
    case TB_SPLINE_REFLECT: i = remainder_of(i, 2 * n); return i < n ? i : 2 * n - 1 - i;
    default: break;
    }
    if (n == 1) return 0;
    i = remainder_of(i, 2 * (n - 1));
    return i < n ? i : 2 * (n - 1) - i;
}

FOR_AN_ORDER void find_taps(const tb_spline_points *p, int order, int axis, double x, int64_t stride, taps *out)
{
    const int64_t n = p->shape[axis];
    const double half = order % 2 ? 0 : 0.5, begin = floor(x + half);
    find_weights(x - begin + half, order, out->weight);
    const int64_t first = (int64_t)begin - order / 2;
    out->whole = first >= 0 && first + order < n;
    for (int k = 0; k <= order && out->whole; k++) out->offset[k] = (first + k) * stride;
    if (out->whole) return;
    out->whole = true;
    for (int k = 0; k <= order; k++) {
        const int64_t i = first + k, place = i >= 0 && i < n ? i : fold(i, n, p->edge);
        out->offset[k] = place < 0 ? -1 : place * stride;
        out->whole &= place >= 0;
    }
}

FOR_AN_ORDER double sum_along(const tb_spline_points *p, int order, const taps *t, const double *from)
{
    double sum = 0;
    if (t->whole)
        for (int k = 0; k <= order; k++) sum += t->weight[k] * from[t->offset[k]];
    else
        for (int k = 0; k <= order; k++) sum += t->weight[k] * (t->offset[k] < 0 ? p->cval : from[t->offset[k]]);
    return sum;
}

/* Over the axes from `axis` on of the elements at `from`. */
static double sum_of(const tb_spline_points *p, const taps *t, int axis, const double *from)
{
    double sum = 0;
    if (axis + 1 == p->naxis) return sum_along(p, p->order, &t[axis], from);
    for (int k = 0; k <= p->order; k++) {
        const int64_t offset = t[axis].offset[k];
        sum += t[axis].weight[k] * (offset < 0 ? p->cval : sum_of(p, t, axis + 1, from + offset));
    }
    return sum;
}

/* Where the two last axes are all there are. */
FOR_AN_ORDER double sum_of_two(const tb_spline_points *p, int order, const taps *t, const double *from)
{
    double sum = 0;
    for (int k = 0; k <= order; k++) {
        const int64_t offset = t[0].offset[k];
        sum += t[0].weight[k] * (offset < 0 ? p->cval : sum_along(p, order, &t[1], from + offset));
    }
    return sum;
}

FOR_AN_ORDER void sum_piece(const tb_spline_points *p, int order, int64_t from, int64_t to)
{
    taps t[TB_SPLINE_AXES];
    for (int64_t i = from; i < to; i++) {
        int64_t stride = 1;
        bool is_number = true;
        for (int d = p->naxis - 1; d >= 0; d--) {
            const double x = p->at[d][i];
            is_number &= fabs(x) < 4e18;
            if (is_number) find_taps(p, order, d, x, stride, &t[d]);
            stride *= p->shape[d];
        }
        for (int64_t b = 0; b < p->batch; b++) {
            const double *in = p->in + b * stride;
            double sum = (double)NAN;
            if (is_number) sum = p->naxis == 2 ? sum_of_two(p, order, t, in) : sum_of(p, t, 0, in);
            p->out[b * p->n + i] = sum;
        }
    }
}

static bool spline_piece(void *arg, int64_t task)
{
    const tb_spline_points *p = arg;
    const int64_t from = task * PIECE, to = tb__min(from + PIECE, p->n);
    switch (p->order) {
    case 2: sum_piece(p, 2, from, to); break;
    case 3: sum_piece(p, 3, from, to); break;
    case 4: sum_piece(p, 4, from, to); break;
    case 5: sum_piece(p, 5, from, to); break;
    default: sum_piece(p, p->order, from, to);
    }
    return true;
}

tb_status tb__cpu_splines(const tb_spline_points *p)
{
    return tb__parallel(tb__ceil_div(p->n, PIECE), spline_piece, (void *)p);
}
