/* pieces.c - functions in pieces at points, on either backend by its routine. Where points are many beside the pieces
 * of a spline, it is made into powers first: an order costs a product then, not a quotient for each lower one. */
#include <math.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/sparse/calc.h"

/* All stored: x and points of float64, c of the result's dtype. */
typedef struct request {
    tb_array *x, *c, *points;
    tb_piece_form form;
    tb_piece_outside outside;
    int degree, nu;
} request;

static const double *numbers(const tb_array *a) { return (const double *)(const void *)(a->buffer->ptr + a->offset); }

static int before_others(tb_piece_form form) { return form == TB_PIECE_POWERS ? 2 : 1; } /* c's own dimensions */

static tb_status run(const tb_pieces *p, tb_buffer *into)
{
    tb_stream *s;
    tb_pieces job = *p;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__before_write(into));
    job.out = (double *)(void *)into->ptr;
    tb__count.launches += tb__backend->on_host; /* a GPU's are counted where they are made */
    return tb__backend->pieces(s, &job);
}

/* p, a spline, by its powers. */
static tb_status run_powers(const tb_pieces *p, tb_buffer *into)
{
    tb_array *powers;
    const int64_t pieces = p->last - p->first + 1, size = p->orders * pieces * p->each;
    tb_pieces convert = *p, evaluate = *p;
    TB_TRY(tb__empty(TB_F64, 1, &size, 'C', &powers));
    convert.points = NULL;
    convert.n = convert.pieces = pieces;
    evaluate.form = TB_PIECE_POWERS;
    evaluate.x = p->x + p->first;
    evaluate.count = pieces + 1;
    evaluate.first = 0;
    evaluate.last = pieces - 1;
    evaluate.pieces = pieces;
    tb_status status = run(&convert, powers->buffer);
    evaluate.c = numbers(powers);
    if (status == TB_OK) status = run(&evaluate, into);
    tb_array_release(powers);
    return status;
}

static tb_pieces describe(const request *q)
{
    const tb_array *c = q->c;
    const int own = before_others(q->form), parts = tb_dtype_kind((tb_dtype)c->dtype) == TB_KIND_COMPLEX ? 2 : 1;
    const bool spline = q->form == TB_PIECE_SPLINE;
    return (tb_pieces){.form = q->form,
                       .outside = q->outside,
                       .orders = spline     ? q->degree + 1
                                 : own == 2 ? (int)c->dims[0]
                                            : 2,
                       .nu = q->nu,
                       .parts = parts,
                       .count = q->x->size,
                       .first = spline ? q->degree : 0,
                       .last = q->x->size - 2 - (spline ? q->degree : 0),
                       .pieces = c->dims[own - 1],
                       .n = q->points->size,
                       .each = tb__product(c->ndim - own, c->dims + own) * parts,
                       .x = numbers(q->x),
                       .c = numbers(c),
                       .points = numbers(q->points)};
}

static tb_status evaluate(const request *q, tb_array **out)
{
    enum { WORTH_POWERS = 4 }; /* points for each piece */
    const int own = before_others(q->form), others = q->c->ndim - own, ndim = q->points->ndim + others;
    int64_t shape[TB_MAXDIM];
    tb_array *result;
    if (ndim > TB_MAXDIM) return tb__fail(TB_ERR_VALUE, "pieces_at: the result has more than %d dimensions", TB_MAXDIM);
    memcpy(shape, q->points->dims, (size_t)q->points->ndim * sizeof *shape);
    memcpy(shape + q->points->ndim, q->c->dims + own, (size_t)others * sizeof *shape);
    TB_TRY(tb__empty((tb_dtype)q->c->dtype, ndim, shape, 'C', &result));
    const tb_pieces p = describe(q);
    const bool powers = q->form == TB_PIECE_SPLINE && q->nu <= q->degree && p.n / WORTH_POWERS >= p.last - p.first + 1;
    const tb_status status = result->size == 0 ? TB_OK : (powers ? run_powers : run)(&p, result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status pieces_at(const request *given, tb_array **out)
{
    request q = *given;
    const bool complex = tb_dtype_kind((tb_dtype)q.c->dtype) == TB_KIND_COMPLEX;
    tb_array **const part[] = {&q.x, &q.c, &q.points};
    tb_status status = TB_OK;
    int ready = 0;
    for (; ready < 3; ready++) {
        status = tb__stored(*part[ready], ready == 1 && complex ? TB_C128 : TB_F64, part[ready]);
        if (status != TB_OK) break;
    }
    if (status == TB_OK) status = evaluate(&q, out);
    while (ready-- > 0) tb_array_release(*part[ready]);
    return status;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tb_status check_real(const char *name, const tb_array *a)
{
    TB_ARE_NUMBERS("pieces_at", a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) != TB_KIND_COMPLEX) return TB_OK;
    return tb__fail(TB_ERR_TYPE, "pieces_at: %s must be real, not %s", name, tb_dtype_name((tb_dtype)a->dtype));
}

static tb_status check_spline(const request *q)
{
    const int64_t knots = q->x->size, k = q->degree;
    if (k < 0 || k > TB_PIECE_DEGREE)
        return tb__fail(TB_ERR_VALUE, "pieces_at: the degree must be from 0 to %d, it is %d", TB_PIECE_DEGREE,
                        q->degree);
    if (knots < 2 * k + 2)
        return tb__fail(TB_ERR_VALUE, "pieces_at: a spline of degree %d has %d knots at least, not %lld", q->degree,
                        2 * q->degree + 2, (long long)knots);
    if (q->c->dims[0] < knots - k - 1)
        return tb__fail(TB_ERR_VALUE, "pieces_at: %lld knots need %lld coefficients, not %lld", (long long)knots,
                        (long long)(knots - k - 1), (long long)q->c->dims[0]);
    return TB_OK;
}

static tb_status check(const request *q)
{
    const int own = before_others(q->form);
    const tb_array *x = q->x, *c = q->c;
    TB_TRY(check_real("x", x));
    TB_TRY(check_real("points", q->points));
    TB_ARE_NUMBERS("pieces_at", c->dtype);
    if (x->ndim != 1 || x->size < 2)
        return tb__fail(TB_ERR_VALUE, "pieces_at: x must be a vector of 2 elements at least");
    if (c->ndim < own) return tb__fail(TB_ERR_VALUE, "pieces_at: c must have %d dimensions at least", own);
    if (q->nu < 0 || (q->nu > 0 && q->form == TB_PIECE_LINES))
        return tb__fail(TB_ERR_VALUE, "pieces_at: there is no derivative %d", q->nu);
    if (q->form == TB_PIECE_SPLINE) return check_spline(q);
    const int64_t wanted = q->form == TB_PIECE_LINES ? x->size : x->size - 1;
    if (c->dims[own - 1] != wanted)
        return tb__fail(TB_ERR_VALUE, "pieces_at: %lld breakpoints go with %lld coefficients, not %lld",
                        (long long)x->size, (long long)wanted, (long long)c->dims[own - 1]);
    if (own == 2 && (c->dims[0] < 1 || c->dims[0] > INT32_MAX))
        return tb__fail(TB_ERR_VALUE, "pieces_at: c has %lld orders", (long long)c->dims[0]);
    return TB_OK;
}

tb_status tb_pieces_at(tb_array *x, tb_array *c, tb_piece_form form, int degree, tb_array *points, int nu,
                       tb_piece_outside outside, tb_array **out)
{
    TB_NOT_NULL(x, c, points, out);
    TB_IS_CHOICE(form, TB_PIECE_SPLINE + 1);
    TB_IS_CHOICE(outside, TB_PIECE_REPEATS + 1);
    const request q = {x, c, points, form, outside, degree, nu};
    TB_TRY(check(&q));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(pieces_at(&q, out));
}

/* ---- integrals --------------------------------------------------------------------------------------------------- */

/* The number of the piece that a point lies in; the first and the last one go on outside. */
static int64_t piece_of(const tb_pieces *p, double at)
{
    const bool ascends = !(p->x[0] > p->x[p->count - 1]);
    int64_t first = p->first, behind = p->last + 1; /* x[first] is not beyond the point, or the first one */
    while (behind - first > 1) {
        const int64_t middle = first + (behind - first) / 2;
        if (ascends ? p->x[middle] <= at : p->x[middle] >= at) first = middle;
        else behind = middle;
    }
    return first;
}

/* That of a piece from its breakpoint to one at a distance. */
static double integral_of(const tb_pieces *p, int64_t piece, int64_t part, double distance)
{
    const double *c = p->c + piece * p->each + part;
    double sum = 0;
    for (int k = 0; k < p->orders; k++) sum = (sum + c[k * p->pieces * p->each] / (p->orders - k)) * distance;
    return sum;
}

/* From a to b, a in a piece that is not behind b's: a sum over pieces, which does not cancel as a difference of
 * antiderivatives does. */
static double integral_over(const tb_pieces *p, int64_t from, int64_t to, int64_t part, double a, double b)
{
    double sum = -integral_of(p, from, part, a - p->x[from]);
    for (int64_t i = from; i < to; i++) sum += integral_of(p, i, part, p->x[i + 1] - p->x[i]);
    return sum + integral_of(p, to, part, b - p->x[to]);
}

static void integrate(const tb_pieces *p, double a, double b, double *out)
{
    const double begin = p->x[0], end = p->x[p->count - 1];
    const double least = begin < end ? begin : end, most = begin < end ? end : begin;
    const bool inside = least <= a && a <= most && least <= b && b <= most;
    const bool known = a == a && b == b && (inside || p->outside == TB_PIECE_GOES_ON);
    const int64_t at_a = known ? piece_of(p, a) : 0, at_b = known ? piece_of(p, b) : 0;
    for (int64_t part = 0; part < p->each; part++) {
        if (!known) out[part] = p->parts == 2 && part % 2 ? 0 : (double)NAN;
        else if (at_a <= at_b) out[part] = integral_over(p, at_a, at_b, part, a, b);
        else out[part] = -integral_over(p, at_b, at_a, part, b, a);
    }
}

static tb_status pieces_integral(const request *q, double a, double b, tb_array **out)
{
    tb_calc calc = {.status = TB_OK};
    const tb_dtype t = tb_dtype_kind((tb_dtype)q->c->dtype) == TB_KIND_COMPLEX ? TB_C128 : TB_F64;
    tb_array *result = NULL, *x = NULL, *c = NULL;
    tb__calc_keep(&calc, tb__stored(q->x, TB_F64, &x), &x);
    if (calc.status == TB_OK) tb__calc_keep(&calc, tb__stored(q->c, t, &c), &c);
    if (calc.status == TB_OK) tb__calc_keep(&calc, tb__empty(t, q->c->ndim - 2, q->c->dims + 2, 'C', &result), &result);
    if (calc.status == TB_OK) calc.status = tb__before_write(result->buffer);
    if (calc.status == TB_OK) {
        const request all = {.x = x, .c = c, .points = x, .form = TB_PIECE_POWERS, .outside = q->outside};
        const tb_pieces p = describe(&all);
        integrate(&p, a, b, (double *)tb__vector_at(result));
        *out = tb_array_retain(result);
    }
    return tb__calc_end(&calc);
}

tb_status tb_pieces_integral(tb_array *x, tb_array *c, double a, double b, tb_piece_outside outside, tb_array **out)
{
    TB_NOT_NULL(x, c, out);
    TB_IS_CHOICE(outside, TB_PIECE_NAN + 1);
    const request q = {.x = x, .c = c, .points = x, .form = TB_PIECE_POWERS, .outside = outside};
    TB_TRY(check(&q));
    if (!tb__backend->on_host) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "pieces_integral: the device is not the host");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(pieces_integral(&q, a, b, out));
}
