/* random.c - arrays of random numbers, as promises: a generator node, then scale and shift.
 *
 * A draw depends on the seed, the stream's offset and the element's number alone, so an expression may be evaluated
 * wherever and as often as it suits. The offset advances by the 128-bit blocks that the elements use up. */
#include <math.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "base/shape.h"
#include "kernels/types.h"
#include "kernels/philox.h"
#include "ops/array_ops.h"
#include "ops/distributions.h"

/* What is being drawn. */
typedef struct draw {
    tb_rng *rng;
    int ndim;
    const int64_t *shape;
    int64_t size, per_block; /* elements; draws that one block serves */
    bool plain;              /* the generator's numbers are the result */
    tb_array *made;          /* so few of them that they were made at once */
} draw;

static tb_status generate_now(draw *d, tb_loop loop, const tb_scalar *args)
{
    tb_operand in[2] = {{TB_OPERAND_SCALAR, .scalar = args[0]}, {TB_OPERAND_SCALAR, .scalar = args[1]}};
    return tb__loop_array(loop, 2, in, (tb_dtype)tb_loop_table[loop].out, d->ndim, d->shape, 'C', &d->made);
}

/* `top`: the third operand of generators that take one, or NULL. Either *out or d->made is set. */
static tb_status generate(draw *d, tb_op op, int64_t per_block, const tb_scalar *top, tb_expr **out)
{
    tb_scalar args[2] = {{.dtype = TB_U64, .v.u = d->rng->seed}, {.dtype = TB_U64, .v.u = d->rng->offset}};
    tb_expr *in[3];
    int n = 0;
    tb_status status = TB_OK;
    d->per_block = per_block;
    if (d->plain && tb__is_little(d->size * (int64_t)sizeof(double)))
        return generate_now(d, tb__loop_find(op, 2, (tb_dtype[]){TB_U64, TB_U64}), args);
    for (; n < 2 + (top != NULL) && status == TB_OK; n += status == TB_OK) {
        const tb_scalar *s = n < 2 ? &args[n] : top;
        status = tb__node_scalar(*s, s->dtype, &in[n]);
    }
    if (status == TB_OK) return tb__node(op, n, in, d->ndim, d->shape, 'C', out);
    while (n > 0) tb__expr_release(in[--n]);
    return status;
}

/* e combined with a number of its own dtype (steals e). */
static tb_status with_scalar(tb_op op, tb_expr *e, tb_scalar s, tb_expr **out)
{
    tb_expr *in[2] = {e, NULL};
    tb_status status = tb__node_scalar(s, (tb_dtype)e->dtype, &in[1]);
    if (status == TB_OK) return tb__node(op, 2, in, e->ndim, e->dims, 'C', out);
    tb__expr_release(e);
    return status;
}

/* scale * e + shift, without the steps that change nothing. */
static tb_status affine(tb_expr *e, double scale, double shift, tb_expr **out)
{
    if (scale != 1) TB_TRY(with_scalar(TB_OP_multiply, e, tb_scalar_float(scale), &e));
    if (shift != 0) TB_TRY(with_scalar(TB_OP_add, e, tb_scalar_float(shift), &e));
    *out = e;
    return TB_OK;
}

static double half_before(double end, double start, tb_dtype t)
{
    const uint16_t bits = tb__half_of(t, end);
    const double x = tb__half_value(t, bits), y = tb__half_value(t, tb__half_of(t, start));
    if (x == y) return x;
    if (x == 0) return tb__half_value(t, y > 0 ? 0x0001 : 0x8001);
    return tb__half_value(t, (uint16_t)(bits + ((x < y) == (x > 0) ? 1 : -1)));
}

/* The last number of dtype t before the end of an interval. */
static double last_before(double end, double start, tb_dtype t)
{
    if (t == TB_F64) return nextafter(end, start);
    return t == TB_F32 ? nextafterf((float)end, (float)start) : half_before(end, start, t);
}

/* e without the end of its interval, which rounding may reach. */
static tb_status without_end(tb_expr *e, double start, double end, tb_expr **out)
{
    const double last = last_before(end, start, (tb_dtype)e->dtype);
    return with_scalar(start < end ? TB_OP_minimum : TB_OP_maximum, e, tb_scalar_float(last), out);
}

static tb_status real_number(tb_scalar s, double *out)
{
    tb_scalar f;
    TB_TRY(tb_scalar_cast(s, TB_F64, &f));
    *out = f.v.f;
    return TB_OK;
}

static tb_status floats(draw *d, tb_distribution kind, tb_dtype t, tb_scalar p0, tb_scalar p1, tb_expr **out)
{
    static const uint16_t op[][2] = {
        [TB_RAND_UNIFORM] = {TB_OP_uniform_f32, TB_OP_uniform_f64},
        [TB_RAND_NORMAL] = {TB_OP_normal_f32, TB_OP_normal_f64},
        [TB_RAND_EXPONENTIAL] = {TB_OP_exponential_f32, TB_OP_exponential_f64},
    };
    double a, b;
    tb_expr *e;
    bool wide = t == TB_F64;
    if (tb_dtype_kind(t) != TB_KIND_FLOAT)
        return tb__fail(TB_ERR_TYPE, "random: floating-point distributions have no dtype %s", tb_dtype_name(t));
    TB_TRY(real_number(p0, &a));
    TB_TRY(real_number(p1, &b));
    double scale = kind == TB_RAND_UNIFORM ? b - a : kind == TB_RAND_NORMAL ? b : a;
    double shift = kind == TB_RAND_EXPONENTIAL ? 0 : a;
    if (kind != TB_RAND_UNIFORM && scale < 0) return tb__fail(TB_ERR_VALUE, "random: scale < 0");
    d->plain = scale == 1 && shift == 0 && !tb__is_half(t);
    TB_TRY(generate(d, (tb_op)op[kind][wide], wide ? 2 : 4, NULL, &e));
    if (d->made) return TB_OK;
    TB_TRY(affine(e, scale, shift, &e));
    const bool open = kind == TB_RAND_UNIFORM && a != b;
    if (open && (a != 0 || b != 1)) TB_TRY(without_end(e, a, b, &e));
    TB_TRY(tb__expr_cast(e, t, &e));
    if (open && tb__is_half(t)) TB_TRY(without_end(e, a, b, &e));
    *out = e;
    return TB_OK;
}

/* ---- integers ------------------------------------------------------------------------------------------------- */

static bool is_negative(tb_scalar s) { return s.dtype != TB_BOOL && !tb_dtype_is_unsigned(s.dtype) && s.v.i < 0; }

static bool is_less(tb_scalar a, tb_scalar b)
{
    if (is_negative(a) != is_negative(b)) return is_negative(a);
    return is_negative(a) ? a.v.i < b.v.i : a.v.u < b.v.u;
}

static tb_status check_bound(const char *which, tb_scalar s, tb_dtype t)
{
    tb_scalar unused;
    bool fits = tb_dtype_kind(s.dtype) <= TB_KIND_INT;
    if (!fits)
        return tb__fail(TB_ERR_TYPE, "random: the bounds of integers must be integers, not %s", tb_dtype_name(s.dtype));
    s.weak = true; /* so that the cast checks the range */
    fits = t == TB_BOOL ? s.v.u <= 1 : tb_scalar_cast(s, t, &unused) == TB_OK;
    return fits ? TB_OK : tb__fail(TB_ERR_VALUE, "random: %s is out of bounds for %s", which, tb_dtype_name(t));
}

static tb_status integers(draw *d, tb_dtype t, tb_scalar low, tb_scalar high, tb_expr **out)
{
    tb_expr *e;
    if (tb_dtype_kind(t) > TB_KIND_INT)
        return tb__fail(TB_ERR_TYPE, "random: integers have no dtype %s", tb_dtype_name(t));
    TB_TRY(check_bound("low", low, t));
    TB_TRY(check_bound("high", high, t));
    if (is_less(high, low)) return tb__fail(TB_ERR_VALUE, "random: low > high");
    tb_scalar top = {.dtype = TB_U64, .v.u = high.v.u - low.v.u};
    bool narrow = top.v.u <= UINT32_MAX;
    if (narrow) top.dtype = TB_U32;
    TB_TRY(generate(d, narrow ? TB_OP_integers_u32 : TB_OP_integers_u64, 2, &top, &e));
    TB_TRY(tb__expr_cast(e, t == TB_BOOL ? TB_U8 : t, &e));
    low.weak = false;
    if (low.v.u != 0) TB_TRY(with_scalar(TB_OP_add, e, low, &e));
    return tb__expr_cast(e, t, out);
}

static tb_status bits(draw *d, tb_dtype t, tb_expr **out)
{
    tb_expr *e;
    bool wide = tb_dtype_size(t) == 8;
    if (tb_dtype_kind(t) != TB_KIND_INT)
        return tb__fail(TB_ERR_TYPE, "random: bits have an integer dtype, not %s", tb_dtype_name(t));
    TB_TRY(generate(d, wide ? TB_OP_random_u64 : TB_OP_random_u32, wide ? 2 : 4, NULL, &e));
    return tb__expr_cast(e, t, out);
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* The first numbers of 0 ... n - 1 in random order. */
static tb_status order(draw *d, tb_dtype t, tb_scalar n, tb_expr **out)
{
    enum { LEAST_BITS = 8 }; /* few values would have few ciphers */
    tb_expr *e, *in[3];
    int k = 0;
    if (tb_dtype_kind(t) > TB_KIND_INT || t == TB_BOOL)
        return tb__fail(TB_ERR_TYPE, "random: orders have no dtype %s", tb_dtype_name(t));
    if (tb_dtype_kind(n.dtype) > TB_KIND_INT || is_negative(n) || n.v.u < (uint64_t)d->size || n.v.u > INT64_MAX)
        return tb__fail(TB_ERR_VALUE, "random: there are no %lld numbers to put in order", (long long)d->size);
    const uint64_t top = n.v.u > 0 ? n.v.u - 1 : 0;
    const uint64_t bits = top >> LEAST_BITS ? 64 - (uint64_t)__builtin_clzll(top) : LEAST_BITS;
    const tb_scalar args[] = {{.dtype = TB_U64, .v.u = tb_random_u64(d->rng->seed, d->rng->offset, 0)},
                              {.dtype = TB_U64, .v.u = top},
                              {.dtype = TB_U32, .v.u = bits}};
    tb_status status = TB_OK;
    for (; k < 3 && status == TB_OK; k += status == TB_OK) status = tb__node_scalar(args[k], args[k].dtype, &in[k]);
    if (status != TB_OK) {
        while (k > 0) tb__expr_release(in[--k]);
        return status;
    }
    d->per_block = d->size ? d->size : 1;
    TB_TRY(tb__node(TB_OP_order, 3, in, d->ndim, d->shape, 'C', &e));
    return tb__expr_cast(e, t, out);
}

/* ---- arrays --------------------------------------------------------------------------------------------------- */

static tb_status make(draw *d, tb_distribution kind, tb_dtype t, tb_scalar p0, tb_scalar p1, tb_expr **out)
{
    switch (kind) {
    case TB_RAND_UNIFORM:
    case TB_RAND_NORMAL:
    case TB_RAND_EXPONENTIAL: return floats(d, kind, t, p0, p1, out);
    case TB_RAND_INTEGERS: return integers(d, t, p0, p1, out);
    case TB_RAND_BITS: return bits(d, t, out);
    case TB_RAND_ORDER: return order(d, t, p0, out);
    default: break; /* they have a row: tb__random_points */
    }
    return tb__fail(TB_ERR_VALUE, "random: there is no distribution %d", (int)kind);
}

static tb_status draw_array(tb_rng *rng, tb_distribution kind, tb_dtype t, tb_scalar p0, tb_scalar p1, int ndim,
                            const int64_t *shape, tb_array **out)
{
    draw d = {.rng = rng, .ndim = ndim, .shape = shape};
    tb_expr *e;
    TB_TRY(tb__shape_size("random", ndim, shape, tb_dtype_size(t), &d.size));
    TB_TRY(make(&d, kind, t, p0, p1, &e));
    if (d.made) *out = d.made;
    else TB_TRY(tb__promise(e, out));
    rng->offset += (uint64_t)((d.size + d.per_block - 1) / d.per_block);
    return TB_OK;
}

/* ndim -1: the parameters' shape, or none. */
static tb_status draw_any(tb_rng *rng, tb_distribution kind, tb_dtype t, int n, const tb_operand *p, int ndim,
                          const int64_t *shape, tb_array **out)
{
    if (tb__random_has_row(kind)) return tb__random_points(rng, kind, t, n, p, ndim, shape, out);
    for (int k = 0; k < n; k++)
        if (p[k].array) return tb__fail(TB_ERR_VALUE, "random: parameters of this distribution must be numbers");
    return draw_array(rng, kind, t, n > 0 ? p[0].scalar : tb_scalar_int(0), n > 1 ? p[1].scalar : tb_scalar_int(0),
                      ndim < 0 ? 0 : ndim, shape, out);
}

tb_status tb_random(tb_rng *rng, tb_distribution d, tb_dtype t, tb_scalar p0, tb_scalar p1, int ndim,
                    const int64_t *shape, tb_array **out)
{
    TB_NOT_NULL(rng, out);
    TB_IS_CHOICE(d, TB_RAND_ORDER + 1);
    TB_IS_DTYPE(t);
    TB_IS_SHAPE(ndim, shape);
    const tb_operand p[2] = {{TB_OPERAND_SCALAR, .scalar = p0}, {TB_OPERAND_SCALAR, .scalar = p1}};
    return TB__OPERATION(draw_any(rng, d, t, tb__random_parameters(d), p, ndim, shape, out));
}

tb_status tb_random_of(tb_rng *rng, tb_distribution d, tb_dtype t, int n, const tb_operand *p, int ndim,
                       const int64_t *shape, tb_array **out)
{
    TB_NOT_NULL(rng, out);
    TB_IS_CHOICE(d, TB_RAND_ORDER + 1);
    TB_IS_DTYPE(t);
    TB_IS_COUNT(n, TB_RANDOM_PARAMETERS);
    if (n > 0) TB_NOT_NULL(p);
    TB_ARE_OPERANDS(n, p);
    if (ndim != -1) TB_IS_SHAPE(ndim, shape);
    return TB__OPERATION(draw_any(rng, d, t, n, p, ndim, shape, out));
}
