/* vecdot.c - sums of products of vectors along an axis, the others broadcast; the first ones conjugated. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* Moves `axis` of a's shape and strides behind the others. */
static void put_last(const tb_array *a, int axis, int64_t *dims, int64_t *strides)
{
    int at = 0;
    for (int d = 0; d <= a->ndim; d++) {
        const int from = d == a->ndim ? axis : d;
        if (d == axis) continue;
        dims[at] = a->dims[from];
        strides[at++] = a->strides[from];
    }
}

/* a and b as views of one shape, whose last axis is the one that is summed. */
static tb_status line_up(tb_array *const *in, int axis, tb_array **out)
{
    int64_t dims[2][TB_MAXDIM], strides[2][TB_MAXDIM], shape[TB_MAXDIM], spread[TB_MAXDIM];
    int at[2], ndim;
    for (int i = 0; i < 2; i++) {
        TB_TRY(tb__axis(axis, in[i]->ndim, &at[i]));
        put_last(in[i], at[i], dims[i], strides[i]);
    }
    const int64_t k = dims[0][in[0]->ndim - 1], other = dims[1][in[1]->ndim - 1];
    if (k != other)
        return tb__fail(TB_ERR_VALUE, "vecdot: axis %d has lengths %lld and %lld", axis, (long long)k,
                        (long long)other);
    ndim = in[0]->ndim - 1;
    memcpy(shape, dims[0], (size_t)ndim * sizeof *shape);
    TB_TRY(tb__broadcast("vecdot", &ndim, shape, in[1]->ndim - 1, dims[1]));
    shape[ndim] = k;
    for (int i = 0; i < 2; i++) {
        const int n = in[i]->ndim;
        tb__broadcast_strides(n, dims[i], strides[i], ndim + 1, shape, spread);
        TB_TRY(tb__view(in[i], in[i]->offset, (tb_dtype)in[i]->dtype, ndim + 1, shape, spread, &out[i]));
    }
    return TB_OK;
}

/* float16 and bfloat16 are added up in float32, as in other products. */
static tb_status sum(tb_dtype t, tb_array *a, tb_array *b, tb_array **out)
{
    const int last = a->ndim - 1;
    const tb_op op = tb_dtype_kind(t) == TB_KIND_COMPLEX ? TB_OP_multiply_conjugate : TB_OP_multiply;
    tb_array *wide;
    int64_t size;
    TB_TRY(tb__shape_size("vecdot", last, a->dims, tb_dtype_size(t), &size));
    if (size == 0 || a->dims[last] == 0) return tb__full(t, last, a->dims, 'C', tb_scalar_int(0), out);
    if (!tb__is_half(t)) return tb__sum_of_products(op, t, a, b, last, NULL, out);
    TB_TRY(tb__sum_of_products(op, TB_F32, a, b, last, NULL, &wide));
    const tb_status status = tb__astype(wide, t, 'K', TB_CAST_UNSAFE, false, out);
    tb_array_release(wide);
    return status;
}

static tb_status vecdot(tb_array *a, tb_array *b, int axis, tb_array **out)
{
    tb_array *lines[2] = {NULL, NULL};
    tb_status status = line_up((tb_array *const[]){a, b}, axis, lines);
    if (status == TB_OK) status = sum(tb_promote((tb_dtype)a->dtype, (tb_dtype)b->dtype), lines[0], lines[1], out);
    tb_array_release(lines[0]);
    tb_array_release(lines[1]);
    return status;
}

tb_status tb_vecdot(tb_array *a, tb_array *b, int axis, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    TB_ARE_NUMBERS("vecdot", a->dtype);
    TB_ARE_NUMBERS("vecdot", b->dtype);
    for (int i = 0; i < 2; i++)
        if ((i ? b : a)->ndim == 0)
            return tb__fail(TB_ERR_VALUE, "vecdot: operand %d must have at least one dimension", i);
    return TB__OPERATION(vecdot(a, b, axis, out));
}
