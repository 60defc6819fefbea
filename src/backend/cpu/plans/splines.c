/* splines.c - sums of B-splines at points: for each point the elements around it, axis by axis (spline_taps.h). */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/plans/spline_taps.h"
#include "tables/loops.h"

enum { PIECE = 1 << 12 };

static int64_t rest_of(int64_t i, int64_t n)
{
    const int64_t r = i % n;
    return r < 0 ? r + n : r;
}

int64_t tb__cpu_folded(int64_t i, int64_t n, tb_spline_edge edge)
{
    switch (edge) {
    case TB_SPLINE_CONSTANT: return -1;
    case TB_SPLINE_NEAREST: return i < 0 ? 0 : n - 1;
    case TB_SPLINE_WRAP: return rest_of(i, n);
    case TB_SPLINE_REFLECT: i = rest_of(i, 2 * n); return i < n ? i : 2 * n - 1 - i;
    default: break;
    }
    if (n == 1) return 0;
    i = rest_of(i, 2 * (n - 1));
    return i < n ? i : 2 * (n - 1) - i;
}

/* ---- images as they are ------------------------------------------------------------------------------------------ */

/* As sum_of, of which the offsets count elements along their axes. */
static double sum_there(const tb_spline_points *p, tb_cpu_loop read, const taps *t, int axis, const char *from)
{
    double sum = 0;
    if (axis == p->naxis) {
        read(1, (void *[]){&sum, (void *)from}, 0);
        return sum;
    }
    for (int k = 0; k <= p->order; k++) {
        const int64_t place = t[axis].offset[k];
        sum += t[axis].weight[k] *
               (place < 0 ? p->cval : sum_there(p, read, t, axis + 1, from + place * p->strides[axis]));
    }
    return sum;
}

FOR_AN_ORDER void sum_piece_there(const tb_spline_points *p, int order, int64_t from, int64_t to)
{
    const tb_cpu_loop read = tb__cpu_loops()[tb__cast_loop(p->dtype, TB_F64)];
    taps t[TB_SPLINE_AXES];
    for (int64_t i = from; i < to; i++) {
        bool inside = true;
        for (int d = 0; d < p->naxis; d++)
            inside &= look(p->mode, p->shape[d], order, p->at[d][i] + p->margin, 1, &t[d]);
        p->out[i] = inside ? sum_there(p, read, t, 0, p->there) : p->cval;
    }
}

/* ---- images of float64 ------------------------------------------------------------------------------------------- */

FOR_AN_ORDER void sum_piece(const tb_spline_points *p, int order, int64_t from, int64_t to)
{
    taps t[TB_SPLINE_AXES];
    const taps *all[TB_SPLINE_AXES];
    if (p->strides) {
        sum_piece_there(p, order, from, to);
        return;
    }
    for (int d = 0; d < p->naxis; d++) all[d] = &t[d];
    for (int64_t i = from; i < to; i++) {
        int64_t stride = 1;
        bool inside = true;
        for (int d = p->naxis - 1; d >= 0; d--) {
            inside &= look(p->mode, p->shape[d], order, p->at[d][i] + p->margin, stride, &t[d]);
            stride *= p->shape[d];
        }
        for (int64_t b = 0; b < p->batch; b++) {
            const double *in = p->in + b * stride;
            p->out[b * p->n + i] = inside ? sum_at(p->naxis, p->cval, order, all, in) : p->cval;
        }
    }
}

static bool spline_piece(void *arg, int64_t task)
{
    const tb_spline_points *p = arg;
    const int64_t from = task * PIECE, to = tb__min(from + PIECE, p->n);
    switch (p->order) {
    case 0: sum_piece(p, 0, from, to); break;
    case 1: sum_piece(p, 1, from, to); break;
    case 2: sum_piece(p, 2, from, to); break;
    case 3: sum_piece(p, 3, from, to); break;
    case 4: sum_piece(p, 4, from, to); break;
    default: sum_piece(p, 5, from, to); break;
    }
    return true;
}

tb_status tb__cpu_splines(const tb_spline_points *p)
{
    return tb__parallel(tb__ceil_div(p->n, PIECE), spline_piece, (void *)p);
}
