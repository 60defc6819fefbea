/* spline_fit.c - splines through points: systems of equations with few diagonals, solved on the host. Elimination needs
 * no exchange of rows: those of slopes are dominated by their diagonals but for the ends, and those of B-splines are
 * totally positive (C. de Boor, A. Pinkus, Backward error analysis for totally positive linear systems, 1977). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

enum { MOST_DEGREE = 9 };

/* On the host: x, and y as n rows of `each` numbers, `parts` of them (2 of complex values) to a value. */
typedef struct points {
    int64_t n, each, parts;
    double *x, *y;
} points;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static tb_status new_numbers(int64_t n, double **out)
{
    const size_t bytes = (size_t)n * sizeof **out;
    *out = malloc(bytes ? bytes : 1);
    return *out ? TB_OK : tb__fail_memory(bytes, 0, 0, 0);
}

static tb_status read_numbers(tb_array *a, tb_dtype t, double *to)
{
    tb_array *cast;
    TB_TRY(tb_astype(a, t, 'C', TB_CAST_UNSAFE, false, &cast));
    const tb_status status = tb_array_get(cast, to, NULL, NULL, true);
    tb_array_release(cast);
    return status;
}

static void free_points(points *p)
{
    free(p->x);
    free(p->y);
}

/* equal: whether elements of x may be. */
static tb_status check_points(const char *who, const points *p, bool equal)
{
    for (int64_t i = 0; i < p->n; i++)
        if (!isfinite(p->x[i]) || (i > 0 && !(p->x[i - 1] < p->x[i]) && !(equal && p->x[i - 1] == p->x[i])))
            return tb__fail(TB_ERR_VALUE, "%s: x must be finite and %s", who, equal ? "must not descend" : "ascend");
    for (int64_t i = 0; i < p->n * p->each; i++)
        if (!isfinite(p->y[i])) return tb__fail(TB_ERR_VALUE, "%s: y must be finite", who);
    return TB_OK;
}

static tb_dtype dtype_of(const tb_array *y)
{
    return tb_dtype_kind((tb_dtype)y->dtype) == TB_KIND_COMPLEX ? TB_C128 : TB_F64;
}

static tb_status check_shapes(const char *who, const tb_array *x, const tb_array *y)
{
    TB_ARE_NUMBERS(who, x->dtype);
    TB_ARE_NUMBERS(who, y->dtype);
    if (tb_dtype_kind((tb_dtype)x->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: x must be real, not %s", who, tb_dtype_name((tb_dtype)x->dtype));
    if (x->ndim != 1 || x->size < 2)
        return tb__fail(TB_ERR_VALUE, "%s: x must be a vector of 2 elements at least", who);
    if (y->ndim < 1 || y->ndim >= TB_MAXDIM || y->dims[0] != x->size)
        return tb__fail(TB_ERR_VALUE, "%s: y must have as many rows as x has elements, %lld", who, (long long)x->size);
    return TB_OK;
}

static tb_status read_points(const char *who, tb_array *x, tb_array *y, bool equal, points *p)
{
    TB_TRY(check_shapes(who, x, y));
    const tb_dtype t = dtype_of(y);
    const int64_t parts = t == TB_C128 ? 2 : 1;
    *p = (points){.n = x->size, .each = tb__product(y->ndim - 1, y->dims + 1) * parts, .parts = parts};
    tb_status status = new_numbers(p->n, &p->x);
    if (status == TB_OK) status = new_numbers(p->n * p->each, &p->y);
    if (status == TB_OK) status = read_numbers(x, TB_F64, p->x);
    if (status == TB_OK) status = read_numbers(y, t, p->y);
    if (status == TB_OK) status = check_points(who, p, equal);
    if (status != TB_OK) free_points(p);
    return status;
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

/* n equations: row i has the coefficients of unknowns i - k to i + k, and `each` right sides, which become unknowns.
 * False where there is no solution. */
static bool solve_band(int64_t n, int k, double *band, int64_t each, double *right)
{
    const int width = 2 * k + 1;
    for (int64_t i = 0; i < n; i++) {
        const double *row = band + i * width + k;
        if (!(fabs(row[0]) > 0)) return false;
        for (int r = 1; r <= k && i + r < n; r++) {
            double *other = band + (i + r) * width + k - r;
            const double factor = other[0] / row[0];
            if (factor == 0) continue;
            for (int c = 1; c <= k; c++) other[c] -= factor * row[c];
            for (int64_t e = 0; e < each; e++) right[(i + r) * each + e] -= factor * right[i * each + e];
        }
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        const double *row = band + i * width + k;
        for (int64_t e = 0; e < each; e++) {
            double value = right[i * each + e];
            for (int c = 1; c <= k && i + c < n; c++) value -= row[c] * right[(i + c) * each + e];
            right[i * each + e] = value / row[0];
        }
    }
    return true;
}

/* ---- cubic splines ----------------------------------------------------------------------------------------------- */

typedef struct spline_end {
    int order;
    double value;
} spline_end;

static double step(const points *p, int64_t i) { return p->x[i + 1] - p->x[i]; }

static double chord(const points *p, int64_t i, int64_t e)
{
    return (p->y[(i + 1) * p->each + e] - p->y[i * p->each + e]) / step(p, i);
}

/* A derivative at an end is a real number: that of imaginary parts is 0. */
static double end_value(const points *p, spline_end end, int64_t e) { return e % p->parts ? 0 : end.value; }

/* Row i, the first or the last: `towards` is 1 or -1, the way to the others. s is its derivative's coefficient. */
static void end_row(const points *p, spline_end end, int64_t i, int towards, double *row, double *right)
{
    const int64_t near = towards > 0 ? 0 : p->n - 2, next = near + towards;
    const double h = step(p, near);
    if (end.order == 1) {
        row[1] = 1;
        for (int64_t e = 0; e < p->each; e++) right[i * p->each + e] = end_value(p, end, e);
    } else if (end.order == 2) {
        row[1] = 2;
        row[1 + towards] = 1;
        for (int64_t e = 0; e < p->each; e++)
            right[i * p->each + e] = 3 * chord(p, near, e) - towards * end_value(p, end, e) * h / 2;
    } else if (p->n == 2) { /* a line */
        row[1] = 1;
        for (int64_t e = 0; e < p->each; e++) right[i * p->each + e] = chord(p, near, e);
    } else {
        const double g = step(p, next), d = h + g;
        row[1] = g;
        row[1 + towards] = d;
        for (int64_t e = 0; e < p->each; e++)
            right[i * p->each + e] = ((h + 2 * d) * g * chord(p, near, e) + h * h * chord(p, next, e)) / d;
    }
}

/* Where the pieces of three points are one: the parabola's slopes. */
static void parabola_rows(const points *p, double *band, double *right)
{
    for (int i = 0; i < 3; i += 2) {
        band[3 * i + 1] = 1;
        band[3 * i + (i ? 0 : 2)] = 1;
        for (int64_t e = 0; e < p->each; e++) right[i * p->each + e] = 2 * chord(p, i ? 1 : 0, e);
    }
}

/* Equations for the slopes at points: the second derivative is the same on both sides. */
static bool find_slopes(const points *p, spline_end first, spline_end last, double *band, double *slopes)
{
    memset(band, 0, (size_t)(3 * p->n) * sizeof *band);
    for (int64_t i = 1; i < p->n - 1; i++) {
        const double before = step(p, i - 1), behind = step(p, i);
        band[3 * i] = behind;
        band[3 * i + 1] = 2 * (before + behind);
        band[3 * i + 2] = before;
        for (int64_t e = 0; e < p->each; e++)
            slopes[i * p->each + e] = 3 * (before * chord(p, i, e) + behind * chord(p, i - 1, e));
    }
    if (p->n == 3 && first.order == 0 && last.order == 0) {
        parabola_rows(p, band, slopes);
    } else {
        end_row(p, first, 0, 1, band, slopes);
        end_row(p, last, p->n - 1, -1, band + 3 * (p->n - 1), slopes);
    }
    return solve_band(p->n, 1, band, p->each, slopes);
}

static void hermite(const points *p, const double *slopes, double *c)
{
    const int64_t order = (p->n - 1) * p->each;
    for (int64_t i = 0; i < order; i++) {
        const int64_t piece = i / p->each, e = i % p->each;
        const double h = step(p, piece), m = chord(p, piece, e), s0 = slopes[i], s1 = slopes[i + p->each];
        const double third = (s0 + s1 - 2 * m) / h;
        c[i] = third / h;
        c[order + i] = (m - s0) / h - third;
        c[2 * order + i] = s0;
        c[3 * order + i] = p->y[i];
    }
}

/* *out: (4, pieces, each), to be freed. */
static tb_status make_cubics(const points *p, spline_end first, spline_end last, double **out)
{
    double *band = NULL, *slopes = NULL, *c = NULL;
    tb_status status = new_numbers(3 * p->n, &band);
    if (status == TB_OK) status = new_numbers(p->n * p->each, &slopes);
    if (status == TB_OK) status = new_numbers(4 * (p->n - 1) * p->each, &c);
    if (status == TB_OK && !find_slopes(p, first, last, band, slopes))
        status = tb__fail(TB_ERR_VALUE, "cubic_spline: x is too close together");
    if (status == TB_OK) {
        hermite(p, slopes, c);
        *out = c;
        c = NULL;
    }
    free(band);
    free(slopes);
    free(c);
    return status;
}

tb_status tb_cubic_spline(tb_array *x, tb_array *y, int first_order, double first_value, int last_order,
                          double last_value, tb_array **c)
{
    points p;
    double *made = NULL;
    int64_t shape[TB_MAXDIM + 1];
    TB_NOT_NULL(x, y, c);
    if (first_order < 0 || first_order > 2 || last_order < 0 || last_order > 2)
        return tb__fail(TB_ERR_VALUE, "cubic_spline: derivatives at the ends are of order 1 or 2, not %d and %d",
                        first_order, last_order);
    TB_TRY(read_points("cubic_spline", x, y, false, &p));
    tb_status status =
        make_cubics(&p, (spline_end){first_order, first_value}, (spline_end){last_order, last_value}, &made);
    shape[0] = 4;
    shape[1] = p.n - 1;
    memcpy(shape + 2, y->dims + 1, (size_t)(y->ndim - 1) * sizeof *shape);
    if (status == TB_OK) status = tb_from_host(made, dtype_of(y), y->ndim + 1, shape, NULL, 'C', c);
    free(made);
    free_points(&p);
    return status;
}

/* ---- splines of any degree --------------------------------------------------------------------------------------- */

static void choose_knots(const points *p, int k, double *t)
{
    const int64_t inner = p->n - k - 1, skipped = k % 2 ? (k + 1) / 2 : k / 2;
    for (int i = 0; i <= k; i++) {
        t[i] = p->x[0];
        t[p->n + i] = p->x[p->n - 1];
    }
    for (int64_t i = 0; i < inner; i++) {
        const int64_t at = skipped + i;
        t[k + 1 + i] = k % 2 ? p->x[at] : (p->x[at] + p->x[at + 1]) / 2;
    }
}

static bool are_knots(const double *t, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(t[i]) || (i > 0 && t[i - 1] > t[i])) return false;
    return true;
}

/* The B-splines that are not 0 at x, between the knots t[at] and t[at + 1] (The NURBS Book, A2.2). */
static void basis_at(const double *t, int64_t at, int k, double x, double *b)
{
    b[0] = 1;
    for (int d = 1; d <= k; d++) {
        double carried = 0;
        for (int r = 0; r < d; r++) {
            const double right = t[at + r + 1] - x, left = x - t[at + 1 - d + r], share = b[r] / (right + left);
            b[r] = carried + right * share;
            carried = left * share;
        }
        b[d] = carried;
    }
}

/* The values at each point, a row; false where one is none of the diagonals', so that there is no solution. */
static bool find_band(const points *p, int k, const double *t, double *band)
{
    const int width = 2 * k + 1;
    int64_t at = k;
    memset(band, 0, (size_t)(p->n * width) * sizeof *band);
    for (int64_t i = 0; i < p->n; i++) {
        double b[MOST_DEGREE + 1];
        while (at < p->n - 1 && !(p->x[i] < t[at + 1])) at++;
        if (p->x[i] < t[at] || p->x[i] > t[at + 1] || t[at] == t[at + 1]) return false;
        basis_at(t, at, k, p->x[i], b);
        for (int j = 0; j <= k; j++) {
            const int64_t place = at - k + j - i + k;
            if (place >= 0 && place < width) band[i * width + place] = b[j];
            else if (b[j] != 0) return false;
        }
    }
    return true;
}

/* p's values become coefficients. */
static tb_status fit(const points *p, int k, const double *t)
{
    double *band;
    TB_TRY(new_numbers(p->n * (2 * k + 1), &band));
    const bool solved = find_band(p, k, t, band) && solve_band(p->n, k, band, p->each, p->y);
    free(band);
    return solved ? TB_OK : tb__fail(TB_ERR_VALUE, "spline_through: the knots do not fit the points");
}

static tb_status find_knots(const points *p, int k, tb_array *given, double *t)
{
    const int64_t n = p->n + k + 1;
    if (!given) {
        choose_knots(p, k, t);
        return TB_OK;
    }
    TB_ARE_NUMBERS("spline_through", given->dtype);
    if (given->ndim != 1 || given->size != n || tb_dtype_kind((tb_dtype)given->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_VALUE, "spline_through: knots are a real vector of %lld elements", (long long)n);
    TB_TRY(read_numbers(given, TB_F64, t));
    return are_knots(t, n) ? TB_OK
                           : tb__fail(TB_ERR_VALUE, "spline_through: knots must be finite and must not descend");
}

static tb_status through(points *p, int k, tb_array *given, double *knots, const tb_array *y, tb_array **t,
                         tb_array **c)
{
    const int64_t n = p->n + k + 1;
    tb_array *made;
    TB_TRY(find_knots(p, k, given, knots));
    TB_TRY(fit(p, k, knots));
    TB_TRY(tb_from_host(knots, TB_F64, 1, &n, NULL, 'C', &made));
    const tb_status status = tb_from_host(p->y, dtype_of(y), y->ndim, y->dims, NULL, 'C', c);
    if (status == TB_OK) *t = made;
    else tb_array_release(made);
    return status;
}

tb_status tb_spline_through(tb_array *x, tb_array *y, int degree, tb_array *given, tb_array **t, tb_array **c)
{
    points p;
    double *knots = NULL;
    TB_NOT_NULL(x, y, t, c);
    TB_NOT_RELEASED(given);
    if (degree < 1 || degree > MOST_DEGREE)
        return tb__fail(TB_ERR_VALUE, "spline_through: the degree must be from 1 to %d, it is %d", MOST_DEGREE, degree);
    if (x->size <= degree)
        return tb__fail(TB_ERR_VALUE, "spline_through: a degree of %d needs %d points at least, not %lld", degree,
                        degree + 1, (long long)x->size);
    TB_TRY(read_points("spline_through", x, y, false, &p));
    tb_status status = new_numbers(p.n + degree + 1, &knots);
    if (status == TB_OK) status = through(&p, degree, given, knots, y, t, c);
    free(knots);
    free_points(&p);
    return status;
}

/* ---- splines near points ----------------------------------------------------------------------------------------- */

/* Least squares by rotations: `band` is a triangle with the rows of coefficients i to i + k, `right` its right sides.
 * */
typedef struct triangle {
    int64_t n;
    int k;
    double *band, *right;
} triangle;

/* Takes in the equation of a point, over the coefficients from `first` on: each element is rotated into the row that
 * begins with its coefficient (W. Givens, 1958). */
static void rotate_in(triangle *r, const points *p, int64_t first, double *b, double *y)
{
    const int width = r->k + 1;
    for (int i = 0; i < width; i++) {
        double *row = r->band + (first + i) * width, *right = r->right + (first + i) * p->each;
        if (b[i] == 0) continue;
        const double length = hypot(row[0], b[i]), c = row[0] / length, s = b[i] / length;
        row[0] = length;
        for (int j = 1; i + j < width; j++) {
            const double own = row[j], other = b[i + j];
            row[j] = c * own + s * other;
            b[i + j] = c * other - s * own;
        }
        for (int64_t e = 0; e < p->each; e++) {
            const double own = right[e];
            right[e] = c * own + s * y[e];
            y[e] = c * y[e] - s * own;
        }
    }
}

/* False where a point is outside of the knots. p's values are used up. */
static bool take_points(triangle *r, const points *p, const double *t, const double *w)
{
    int64_t at = r->k;
    for (int64_t i = 0; i < p->n; i++) {
        double b[MOST_DEGREE + 1], *y = p->y + i * p->each;
        while (at < r->n - 1 && !(p->x[i] < t[at + 1])) at++;
        if (p->x[i] < t[at] || p->x[i] > t[at + 1] || t[at] == t[at + 1]) return false;
        basis_at(t, at, r->k, p->x[i], b);
        for (int j = 0; j <= r->k && w; j++) b[j] *= w[i];
        for (int64_t e = 0; e < p->each && w; e++) y[e] *= w[i];
        rotate_in(r, p, at - r->k, b, y);
    }
    return true;
}

/* The right sides become coefficients. False where the points do not say all of them. */
static bool solve_triangle(triangle *r, const points *p)
{
    static const double least = 1e-12;
    const int width = r->k + 1;
    double most = 0;
    for (int64_t i = 0; i < r->n; i++) most = fmax(most, r->band[i * width]);
    for (int64_t i = r->n - 1; i >= 0; i--) {
        const double *row = r->band + i * width;
        if (!(row[0] > least * most)) return false;
        for (int64_t e = 0; e < p->each; e++) {
            double value = r->right[i * p->each + e];
            for (int j = 1; j < width && i + j < r->n; j++) value -= row[j] * r->right[(i + j) * p->each + e];
            r->right[i * p->each + e] = value / row[0];
        }
    }
    return true;
}

static tb_status read_vector(const char *name, tb_array *a, int64_t n, double **out)
{
    TB_ARE_NUMBERS("spline_nearest", a->dtype);
    if (a->ndim != 1 || a->size != n || tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_VALUE, "spline_nearest: %s must be a real vector of %lld elements", name, (long long)n);
    TB_TRY(new_numbers(n, out));
    return read_numbers(a, TB_F64, *out);
}

static tb_status nearest(points *p, triangle *r, tb_array *knots, tb_array *weights, tb_array *y, tb_array **c)
{
    double *t = NULL, *w = NULL;
    int64_t shape[TB_MAXDIM] = {r->n};
    memcpy(shape + 1, y->dims + 1, (size_t)(y->ndim - 1) * sizeof *shape);
    tb_status status = read_vector("knots", knots, r->n + r->k + 1, &t);
    if (status == TB_OK && weights) status = read_vector("weights", weights, p->n, &w);
    if (status == TB_OK) status = new_numbers(r->n * (r->k + 1), &r->band);
    if (status == TB_OK) status = new_numbers(r->n * p->each, &r->right);
    if (status == TB_OK) {
        memset(r->band, 0, (size_t)(r->n * (r->k + 1)) * sizeof *r->band);
        memset(r->right, 0, (size_t)(r->n * p->each) * sizeof *r->right);
        if (!are_knots(t, r->n + r->k + 1) || !take_points(r, p, t, w) || !solve_triangle(r, p))
            status = tb__fail(TB_ERR_VALUE, "spline_nearest: the knots do not fit the points");
    }
    if (status == TB_OK) status = tb_from_host(r->right, dtype_of(y), y->ndim, shape, NULL, 'C', c);
    free(t);
    free(w);
    free(r->band);
    free(r->right);
    return status;
}

tb_status tb_spline_nearest(tb_array *x, tb_array *y, int degree, tb_array *knots, tb_array *weights, tb_array **c)
{
    points p;
    TB_NOT_NULL(x, y, knots, c);
    TB_NOT_RELEASED(weights);
    if (degree < 1 || degree > MOST_DEGREE)
        return tb__fail(TB_ERR_VALUE, "spline_nearest: the degree must be from 1 to %d, it is %d", MOST_DEGREE, degree);
    triangle r = {.n = knots->size - degree - 1, .k = degree};
    if (r.n <= degree)
        return tb__fail(TB_ERR_VALUE, "spline_nearest: a degree of %d needs %d knots at least, not %lld", degree,
                        2 * degree + 2, (long long)knots->size);
    TB_TRY(read_points("spline_nearest", x, y, true, &p));
    const tb_status status = nearest(&p, &r, knots, weights, y, c);
    free_points(&p);
    return status;
}
