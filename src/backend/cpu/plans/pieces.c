/* pieces.c - functions in pieces at points: the places of some points among the breakpoints, then their values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/threads.h"
#include "kernels/types.h"
#include "kernels/pieces.h"

enum { PIECE = 1 << 11 };

typedef struct pieces_job {
    const tb_pieces *p;
    const double *ascending; /* breakpoints, */
    double sign;             /* with the other sign where they descend */
} pieces_job;

/* ---- values at points whose pieces are known --------------------------------------------------------------------- */

static double line_at(const tb_pieces *p, int64_t piece, int64_t part, double x)
{
    const double *c = p->c + piece * p->each + part, x0 = p->x[piece];
    return (c[p->each] - c[0]) / (p->x[piece + 1] - x0) * (x - x0) + c[0];
}

static double value_at(const tb_pieces *p, int64_t piece, int64_t part, double x)
{
    if (p->form == TB_PIECE_LINES) return line_at(p, piece, part, x);
    return tb_power_value(p->c + piece * p->each + part, p->pieces * p->each, p->orders, p->nu, x - p->x[piece]);
}

/* The derivatives nu, at most the degree, at x of the B-splines of that degree which are not 0 between the knots t[at]
 * and t[at + 1] (The NURBS Book, A2.2): for several splines over the same knots they are computed once. */
static void basis_at(const double *t, int64_t at, int degree, int nu, double x, double *b)
{
    b[0] = 1;
    for (int d = 1; d <= degree; d++) {
        double carried = 0;
        for (int j = 0; j < d; j++) {
            const double left = t[at + 1 + j - d], right = t[at + 1 + j], span = right - left;
            const double share = span == 0 ? 0 : b[j] / span;
            b[j] = d <= degree - nu ? carried + (right - x) * share : carried - d * share;
            carried = d <= degree - nu ? (x - left) * share : d * share;
        }
        b[d] = carried;
    }
}

/* The derivative at x of all splines of a row of coefficients. */
static void spline_row(const tb_pieces *p, int64_t piece, int nu, double x, double *out)
{
    const int degree = p->orders - 1;
    double b[TB_PIECE_DEGREE + 1];
    if (p->each == 1) {
        *out = tb_spline_value(p->x, piece, p->c, 1, degree, nu, x, b);
        return;
    }
    basis_at(p->x, piece, degree, nu, x, b);
    const double *c = p->c + (piece - degree) * p->each;
    for (int64_t part = 0; part < p->each; part++) out[part] = b[0] * c[part];
    for (int j = 1; j <= degree; j++)
        for (int64_t part = 0; part < p->each; part++) out[part] += b[j] * c[j * p->each + part];
}

static void cubics_at(const tb_pieces *p, const int64_t *piece, const double *x, int64_t n, double *out)
{
    const double *a = p->c, *b = a + p->pieces, *c = b + p->pieces, *d = c + p->pieces;
    for (int64_t j = 0; j < n; j++) {
        const int64_t i = piece[j];
        const double s = x[j] - p->x[i];
        out[j] = ((a[i] * s + b[i]) * s + c[i]) * s + d[i];
    }
}

/* One step of tb_spline_value; factor: of a difference, where the step is a derivative's, or 0. */
static inline double spline_step(double factor, double x, double left, double right, double low, double high)
{
    const double span = right - left;
    const double share = factor != 0 ? factor * (high - low) : (x - left) * high + (right - x) * low;
    return span == 0 ? 0 : share / span;
}

/* The same for degree 3, its coefficients in registers. */
static void cubic_splines_at(const tb_pieces *p, const int64_t *piece, const double *x, int64_t n, double *out)
{
    const double one = p->nu >= 1 ? 3 : 0, two = p->nu >= 2 ? 2 : 0, three = p->nu >= 3 ? 1 : 0;
    for (int64_t j = 0; j < n; j++) {
        const double *t = p->x + piece[j], *c = p->c + piece[j] - 3;
        const double b1 = spline_step(one, x[j], t[-2], t[1], c[0], c[1]);
        const double b2 = spline_step(one, x[j], t[-1], t[2], c[1], c[2]);
        const double b3 = spline_step(one, x[j], t[0], t[3], c[2], c[3]);
        const double a2 = spline_step(two, x[j], t[-1], t[1], b1, b2), a3 = spline_step(two, x[j], t[0], t[2], b2, b3);
        out[j] = spline_step(three, x[j], t[0], t[1], a2, a3);
    }
}

static void values_at(const tb_pieces *p, const int64_t *piece, const double *x, int64_t n, double *out)
{
    if (p->orders == 4 && p->each == 1 && p->nu < 4) {
        if (p->form == TB_PIECE_SPLINE) return cubic_splines_at(p, piece, x, n, out);
        if (p->form == TB_PIECE_POWERS && p->nu == 0) return cubics_at(p, piece, x, n, out);
    }
    if (p->form == TB_PIECE_SPLINE && p->nu < p->orders) {
        for (int64_t j = 0; j < n; j++) spline_row(p, piece[j], p->nu, x[j], out + j * p->each);
        return;
    }
    if (p->form == TB_PIECE_SPLINE) {
        memset(out, 0, (size_t)(n * p->each) * sizeof *out);
        return;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t part = 0; part < p->each; part++) out[j * p->each + part] = value_at(p, piece[j], part, x[j]);
}

/* ---- some points ------------------------------------------------------------------------------------------------- */

static void find_pieces(const pieces_job *j, const double *x, int64_t n, int64_t *piece)
{
    const tb_pieces *p = j->p;
    double turned[PIECE];
    for (int64_t i = 0; i < n && j->sign < 0; i++) turned[i] = -x[i];
    const tb_search search = {.dtype = TB_F64,
                              .right = p->form != TB_PIECE_LINES,
                              .sorted = j->ascending,
                              .nsorted = p->count,
                              .values = j->sign < 0 ? turned : x,
                              .n = n,
                              .out = piece};
    (void)tb__cpu_search(&search); /* few enough to be searched here */
    for (int64_t i = 0; i < n; i++) piece[i] = tb__min(tb__max(piece[i] - 1, p->first), p->last);
}

static bool some_points(void *arg, int64_t task)
{
    const pieces_job *j = arg;
    const tb_pieces *p = j->p;
    const int64_t from = task * PIECE, n = tb__min(PIECE, p->n - from);
    const double begin = p->x[p->first], end = p->x[p->last + 1], least = fmin(begin, end), most = fmax(begin, end);
    const double *x = p->points + from;
    double moved[PIECE], *out = p->out + from * p->each;
    int64_t piece[PIECE];
    if (p->outside == TB_PIECE_REPEATS) {
        for (int64_t i = 0; i < n; i++) moved[i] = tb_repeated(x[i], begin, end);
        x = moved;
    }
    find_pieces(j, x, n, piece);
    values_at(p, piece, x, n, out);
    for (int64_t i = 0; i < n; i++) {
        const bool beyond = p->outside == TB_PIECE_NAN && (x[i] < least || x[i] > most);
        if (x[i] == x[i] && !beyond) continue;
        for (int64_t part = 0; part < p->each; part++)
            out[i * p->each + part] = p->parts == 2 && part % 2 ? 0 : (double)NAN;
    }
    return true;
}

/* ---- the coefficients of a spline's powers ----------------------------------------------------------------------- */

static bool some_powers(void *arg, int64_t task)
{
    const tb_pieces *p = ((const pieces_job *)arg)->p;
    const int64_t from = task * PIECE, to = tb__min(from + PIECE, p->n);
    double factorial = 1;
    for (int nu = 0; nu < p->orders; nu++) {
        double *out = p->out + (p->orders - 1 - nu) * p->n * p->each;
        if (nu > 1) factorial *= nu;
        for (int64_t i = from; i < to; i++) {
            spline_row(p, p->first + i, nu, p->x[p->first + i], out + i * p->each);
            for (int64_t part = 0; part < p->each; part++) out[i * p->each + part] /= factorial;
        }
    }
    return true;
}

tb_status tb__cpu_pieces(const tb_pieces *p)
{
    pieces_job j = {p, p->x, 1};
    const int64_t tasks = tb__ceil_div(p->n, PIECE);
    if (!p->points) return tb__parallel(tasks, some_powers, &j);
    if (!(p->x[0] > p->x[p->count - 1])) return tb__parallel(tasks, some_points, &j);
    double *turned = malloc((size_t)p->count * sizeof *turned);
    if (!turned) return tb__fail_memory((size_t)p->count * sizeof *turned, 0, 0, 0);
    for (int64_t i = 0; i < p->count; i++) turned[i] = -p->x[i];
    j.ascending = turned;
    j.sign = -1;
    const tb_status status = tb__parallel(tasks, some_points, &j);
    free(turned);
    return status;
}
