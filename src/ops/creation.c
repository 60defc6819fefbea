/* creation.c - new arrays: without content, over given memory, filled with a number, and generated.
 *
 * Filled and generated arrays are promises: their expression has no leaf, so whatever uses them computes the elements
 * where it needs them. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

tb_status tb__check_order(const char *who, char order, const char *allowed)
{
    if (order && strchr(allowed, order)) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: order must be one of '%s', not '%c'", who, allowed, order ? order : '?');
}

/* ---- layouts -------------------------------------------------------------------------------------------------- */

void tb__strides_like(int ndim, const int64_t *shape, const int64_t *like, int64_t itemsize, int64_t *strides)
{
    int order[TB_MAXDIM]; /* axes, the innermost last */
    for (int d = 0; d < ndim; d++) {
        int at = d;
        for (; at > 0; at--) {
            int64_t outer = llabs(like[order[at - 1]]), inner = llabs(like[d]);
            if (inner <= outer) break;
            order[at] = order[at - 1];
        }
        order[at] = d;
    }
    for (int k = ndim - 1; k >= 0; k--) {
        strides[order[k]] = itemsize;
        itemsize *= shape[order[k]] > 1 ? shape[order[k]] : 1;
    }
}

tb_status tb__empty_strided(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides, tb_array **out)
{
    int64_t size;
    tb_buffer *b;
    TB_TRY(tb__shape_size("empty", ndim, shape, tb_dtype_size(t), &size));
    TB_TRY(tb_buffer_new((size_t)size * tb_dtype_size(t), &b));
    tb_array *a = tb__array_new(b, 0, t, ndim, shape, size > 0 ? strides : NULL);
    tb_buffer_release(b);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    *out = a;
    return TB_OK;
}

/* Complex numbers are loaded as pairs, so they need the alignment of their parts alone. */
static bool is_aligned(const tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                       const int64_t *strides)
{
    int64_t item = tb__dtype_alignment(t), low = offset;
    if (b->ptr) low += (int64_t)(intptr_t)b->ptr;
    for (int d = 0; d < ndim; d++)
        if (shape[d] > 1) low |= strides[d];
    return (low & (item - 1)) == 0;
}

tb_status tb__check_view(const char *who, const tb_buffer *b, int64_t offset, tb_dtype t, int ndim,
                         const int64_t *shape, const int64_t *strides)
{
    int64_t size, lo, hi;
    char text[256];
    TB_TRY(tb__shape_size(who, ndim, shape, tb_dtype_size(t), &size));
    if (size == 0) return TB_OK;
    for (int d = 0; d < ndim; d++) {
        int64_t reach;
        if (__builtin_mul_overflow(shape[d], strides[d], &reach) || reach > INT64_MAX / 64 || reach < -(INT64_MAX / 64))
            return tb__fail(TB_ERR_VALUE, "%s: stride %lld of axis %d reaches outside the buffer of %zu bytes", who,
                            (long long)strides[d], d, b->size);
    }
    tb__extent(ndim, shape, strides, (int64_t)tb_dtype_size(t), &lo, &hi);
    if (offset < 0 || offset > (int64_t)b->size || offset + lo < 0 || offset + hi > (int64_t)b->size)
        return tb__fail(TB_ERR_VALUE,
                        "%s: %s of shape %s at byte %lld would touch bytes %lld to %lld of a buffer of "
                        "%zu bytes",
                        who, tb_dtype_name(t), tb__shape_text(text, sizeof text, ndim, shape), (long long)offset,
                        (long long)(offset + lo), (long long)(offset + hi), b->size);
    if (!is_aligned(b, offset, t, ndim, shape, strides))
        return tb__fail(TB_ERR_VALUE, "%s: elements of %s at byte %lld of the buffer would not be aligned", who,
                        tb_dtype_name(t), (long long)offset);
    return TB_OK;
}

/* ---- empty ---------------------------------------------------------------------------------------------------- */

tb_status tb_empty(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_ELEMENT(t);
    TB_IS_SHAPE(ndim, shape);
    TB_IS_ORDER(order);
    return TB__OPERATION(tb__empty(t, ndim, shape, order == 'F' ? 'F' : 'C', out));
}

static tb_status empty_like(const tb_array *proto, tb_dtype t, char order, tb_array **out)
{
    int64_t strides[TB_MAXDIM];
    if (t == TB_NODTYPE) t = (tb_dtype)proto->dtype;
    if (order == 'A') order = proto->f_contiguous && !proto->c_contiguous ? 'F' : 'C';
    if (proto->c_contiguous && order == 'K') order = 'C';
    if (order != 'K') return tb__empty(t, proto->ndim, proto->dims, order, out);
    tb__strides_like(proto->ndim, proto->dims, proto->strides, (int64_t)tb_dtype_size(t), strides);
    return tb__empty_strided(t, proto->ndim, proto->dims, strides, out);
}

tb_status tb__with_axis(const tb_array *a, int axis, int64_t n, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof(int64_t));
    shape[axis] = n;
    return tb_empty((tb_dtype)a->dtype, a->ndim, shape, 'C', out);
}

tb_status tb_empty_like(const tb_array *proto, tb_dtype t, char order, tb_array **out)
{
    TB_NOT_NULL(proto, out);
    TB_IS_ELEMENT_OR_NONE(t);
    TB_IS_ORDER(order);
    return TB__OPERATION(empty_like(proto, t, order, out));
}

static tb_status array_on_buffer(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                                 const int64_t *strides, tb_array **out)
{
    int64_t size, c_strides[TB_MAXDIM];
    TB_TRY(tb__shape_size("array_on_buffer", ndim, shape, tb_dtype_size(t), &size));
    if (!strides) {
        tb__strides_c(ndim, shape, (int64_t)tb_dtype_size(t), c_strides);
        strides = c_strides;
    }
    TB_TRY(tb__check_view("array_on_buffer", b, offset, t, ndim, shape, strides));
    tb_array *a = tb__array_new(b, offset, t, ndim, shape, strides);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    *out = a;
    return TB_OK;
}

tb_status tb_array_on_buffer(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                             const int64_t *strides, tb_array **out)
{
    TB_NOT_NULL(b, out);
    TB_IS_ELEMENT(t);
    TB_IS_SHAPE(ndim, shape);
    tb__lock();
    tb_status status = array_on_buffer(b, offset, t, ndim, shape, strides, out);
    tb__unlock();
    return status;
}

/* ---- numbers -------------------------------------------------------------------------------------------------- */

tb_status tb__loop_array(tb_loop loop, int n, const tb_operand *in, tb_dtype t, int ndim, const int64_t *shape,
                         char order, tb_array **out)
{
    tb_array *a;
    TB_TRY(tb__empty(t, ndim, shape, order, &a));
    tb_status status = tb__run_loop(a, loop, n, in);
    if (status == TB_OK) *out = a;
    else tb_array_release(a);
    return status;
}

tb_status tb__full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out)
{
    tb_expr *e;
    int64_t size;
    if (TB_UNLIKELY(tb__is_record(t))) return tb__record_full(t, ndim, shape, order, value, out);
    TB_TRY(tb__shape_size("full", ndim, shape, tb_dtype_size(t), &size));
    if (tb__is_prompt(size * (int64_t)tb_dtype_size(t))) {
        TB_TRY(tb_scalar_cast(value, t, &value));
        return tb__loop_array(TB_NOLOOP, 1, &(tb_operand){TB_OPERAND_SCALAR, .scalar = value}, t, ndim, shape, order,
                              out);
    }
    TB_TRY(tb__node_fill(value, t, ndim, shape, order == 'F' ? 'F' : 'C', &e));
    return tb__promise(e, out);
}

tb_status tb_full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_ELEMENT(t);
    TB_IS_SHAPE(ndim, shape);
    TB_IS_ORDER(order);
    return TB__OPERATION(tb__full(t, ndim, shape, order, value, out));
}

/* The generator `op` of n scalars, each already of the dtype that it takes. */
static tb_status generate(tb_op op, int n, const tb_scalar *args, int ndim, const int64_t *shape, char order,
                          tb_expr **out)
{
    tb_expr *in[3];
    for (int i = 0; i < n; i++) {
        tb_status status = tb__node_scalar(args[i], args[i].dtype, &in[i]);
        if (status == TB_OK) continue;
        while (i > 0) tb__expr_release(in[--i]);
        return status;
    }
    return tb__node(op, n, in, ndim, shape, order, out);
}

/* What NumPy steps by: the difference of the first two numbers, once both have been converted to t. */
static tb_status range_step(tb_dtype t, tb_scalar start, tb_scalar step, tb_scalar *out)
{
    tb_scalar first, second;
    if (tb_dtype_kind(step.dtype) <= TB_KIND_INT && tb_dtype_kind(start.dtype) <= TB_KIND_INT) {
        step.weak = false; /* a negative step of an unsigned range wraps around */
        return tb_scalar_cast(step, t, out);
    }
    TB_TRY(tb_scalar_cast(start, TB_C128, &first));
    TB_TRY(tb_scalar_cast(step, TB_C128, &second));
    second.v.c.re += first.v.c.re;
    second.v.c.im += first.v.c.im;
    TB_TRY(tb_scalar_cast(first, t, &first));
    TB_TRY(tb_scalar_cast(second, t, &second));
    if (tb_dtype_kind(t) <= TB_KIND_INT) {
        second = (tb_scalar){.dtype = TB_U64, .v.u = second.v.u - first.v.u};
        return tb_scalar_cast(second, t, out);
    }
    TB_TRY(tb_scalar_cast(first, TB_C128, &first));
    TB_TRY(tb_scalar_cast(second, TB_C128, &second));
    second.v.c.re -= first.v.c.re;
    second.v.c.im -= first.v.c.im;
    return tb_scalar_cast(second, t, out);
}

/* A generator's numbers as t, written at the call. */
static tb_status generate_now(tb_op op, int narg, const tb_scalar *args, tb_dtype t, int ndim, const int64_t *shape,
                              tb_array **out)
{
    tb_dtype types[3];
    tb_operand in[3] = {0};
    for (int i = 0; i < narg; i++) {
        types[i] = (tb_dtype)args[i].dtype;
        in[i] = tb_operand_scalar(args[i]);
    }
    return tb__loop_array(tb__loop_find(op, narg, types), narg, in, t, ndim, shape, 'C', out);
}

static tb_status arange(tb_dtype t, tb_scalar start, tb_scalar step, int64_t n, tb_array **out)
{
    tb_scalar args[2];
    tb_expr *e;
    int64_t size;
    tb_dtype computed = t == TB_BOOL ? TB_I64 : t;
    TB_TRY(tb__shape_size("arange", 1, &n, tb_dtype_size(t), &size));
    TB_TRY(tb_scalar_cast(start, computed, &args[0]));
    TB_TRY(range_step(computed, start, step, &args[1]));
    if (tb__is_prompt(size * (int64_t)tb_dtype_size(t))) return generate_now(TB_OP_iota, 2, args, t, 1, &n, out);
    TB_TRY(generate(TB_OP_iota, 2, args, 1, &n, 'C', &e));
    TB_TRY(tb__expr_cast(e, t, &e));
    return tb__promise(e, out);
}

tb_status tb_arange(tb_dtype t, tb_scalar start, tb_scalar step, int64_t n, tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_DTYPE(t);
    return TB__OPERATION(arange(t, start, step, n, out));
}

/* What the generator takes for one real part of a linspace, in double precision. */
static void line_args(double start, double stop, int64_t n, bool endpoint, tb_scalar *args)
{
    double parts = (double)(endpoint ? n - 1 : n);
    args[0] = (tb_scalar){.dtype = TB_C128};
    args[0].v.c.re = start;
    args[0].v.c.im = parts > 0 ? (stop - start) / parts : 0;
    args[1] = (tb_scalar){.dtype = TB_F64, .v.f = stop};
    args[2] = (tb_scalar){.dtype = TB_I64, .v.i = endpoint && n > 1 ? n - 1 : -1};
}

static tb_status line(double start, double stop, int64_t n, bool endpoint, tb_expr **out)
{
    tb_scalar args[3];
    line_args(start, stop, n, endpoint, args);
    return generate(TB_OP_linspace, 3, args, 1, &n, 'C', out);
}

static tb_status line_now(double start, double stop, int64_t n, bool endpoint, tb_array **out)
{
    tb_scalar args[3];
    line_args(start, stop, n, endpoint, args);
    return generate_now(TB_OP_linspace, 3, args, TB_F64, 1, &n, out);
}

static tb_status linspace(tb_dtype t, tb_scalar start, tb_scalar stop, int64_t n, bool endpoint, tb_array **out)
{
    tb_scalar a, b;
    tb_expr *in[2], *e;
    int64_t size;
    bool complex = tb_dtype_kind(t) == TB_KIND_COMPLEX;
    TB_TRY(tb__shape_size("linspace", 1, &n, sizeof(double) * 2, &size));
    TB_TRY(tb_scalar_cast(start, TB_C128, &a));
    TB_TRY(tb_scalar_cast(stop, TB_C128, &b));
    if (t == TB_F64 && tb__is_prompt(n * (int64_t)sizeof(double)))
        return line_now(a.v.c.re, b.v.c.re, n, endpoint, out);
    TB_TRY(line(a.v.c.re, b.v.c.re, n, endpoint, &in[0]));
    e = in[0];
    if (complex) {
        tb_status status = line(a.v.c.im, b.v.c.im, n, endpoint, &in[1]);
        if (status != TB_OK) {
            tb__expr_release(in[0]);
            return status;
        }
        TB_TRY(tb__node(TB_OP_make_complex, 2, in, 1, &n, 'C', &e));
    } else if (tb_dtype_kind(t) <= TB_KIND_INT) {
        TB_TRY(tb__node(TB_OP_floor, 1, in, 1, &n, 'C', &e));
    }
    TB_TRY(tb__expr_cast(e, t, &e));
    return tb__promise(e, out);
}

tb_status tb_linspace(tb_dtype t, tb_scalar start, tb_scalar stop, int64_t n, bool endpoint, tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_DTYPE(t);
    return TB__OPERATION(linspace(t, start, stop, n, endpoint, out));
}

/* Matrices of zeros and ones, by position relative to the k-th diagonal. */
static tb_status by_diagonal(tb_op op, tb_dtype t, int64_t rows, int64_t cols, int64_t k, char order, tb_array **out)
{
    int64_t shape[2] = {rows, cols}, size;
    tb_scalar args[3] = {{.dtype = TB_I64, .v.i = cols}, {.dtype = TB_I64, .v.i = k}, {.dtype = TB_U64}};
    tb_expr *e;
    TB_TRY(tb__shape_size(tb_op_table[op].name, 2, shape, tb_dtype_size(t), &size));
    /* A diagonal outside the matrix, brought nearer, so that sums with it cannot overflow. */
    if (k > cols) args[1].v.i = cols;
    if (k < -rows) args[1].v.i = -rows;
    if (cols > 0) args[2].v.u = UINT64_MAX / (uint64_t)cols;
    if (order != 'F' && tb__is_prompt(size * (int64_t)tb_dtype_size(t)))
        return generate_now(op, 3, args, t, 2, shape, out);
    TB_TRY(generate(op, 3, args, 2, shape, order == 'F' ? 'F' : 'C', &e));
    TB_TRY(tb__expr_cast(e, t, &e));
    return tb__promise(e, out);
}

tb_status tb_eye(tb_dtype t, int64_t rows, int64_t cols, int64_t k, char order, tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_DTYPE(t);
    TB_IS_ORDER(order);
    return TB__OPERATION(by_diagonal(TB_OP_eye, t, rows, cols, k, order, out));
}

tb_status tb_tri(tb_dtype t, int64_t rows, int64_t cols, int64_t k, tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_DTYPE(t);
    return TB__OPERATION(by_diagonal(TB_OP_tri, t, rows, cols, k, 'C', out));
}
