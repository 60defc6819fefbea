/* view.c - other views of an array's memory: reshape, transpose, broadcast, reinterpret. A view shares the buffer,
 * pending or not; only reshape ever copies, when no strides can express the result. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

enum { TEXT = 256 };

tb_status tb__view(const tb_array *a, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                   const int64_t *strides, tb_array **out)
{
    int64_t size;
    TB_TRY(tb__shape_size("view", ndim, shape, tb_dtype_size(t), &size));
    return tb__view_sized(a, offset, t, ndim, shape, strides, out);
}

tb_status tb__view_sized(const tb_array *a, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                         const int64_t *strides, tb_array **out)
{
    tb_array *view = tb__array_new(a->buffer, offset, t, ndim, shape, strides);
    if (!view) return tb__fail_memory(sizeof *view, 0, 0, 0);
    *out = view;
    return TB_OK;
}

/* ---- reshape -------------------------------------------------------------------------------------------------- */

static tb_status fail_reshape(const tb_array *a, int ndim, const int64_t *shape)
{
    char text[TEXT];
    return tb__fail(TB_ERR_VALUE, "cannot reshape array of size %lld into shape %s", (long long)a->size,
                    tb__shape_text(text, TEXT, ndim, shape));
}

/* Replaces the unknown dimension, if there is one, by what the others leave for it. */
static tb_status resolve_shape(const tb_array *a, int ndim, const int64_t *want, int64_t *shape)
{
    int unknown = -1;
    int64_t known = 1;
    if (ndim < 0 || ndim > TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "reshape: an array may have at most %d dimensions, found %d", TB_MAXDIM, ndim);
    for (int d = 0; d < ndim; d++) {
        shape[d] = want[d];
        if (want[d] >= 0) {
            if (__builtin_mul_overflow(known, want[d], &known)) return fail_reshape(a, ndim, want);
            continue;
        }
        if (unknown >= 0) return tb__fail(TB_ERR_VALUE, "can only specify one unknown dimension");
        unknown = d;
    }
    if (unknown >= 0) {
        if (known == 0 || a->size % known != 0) return fail_reshape(a, ndim, want);
        shape[unknown] = a->size / known;
    } else if (known != a->size) {
        return fail_reshape(a, ndim, want);
    }
    /* Dimensions beside one of 0 may be of any length. */
    return tb__shape_size("reshape", ndim, shape, tb_dtype_size((tb_dtype)a->dtype), &known);
}

/* Copies the dimensions other than 1, in reverse when the order is Fortran's, so that the last varies fastest. */
static int significant(int ndim, const int64_t *shape, const int64_t *strides, bool fortran, int64_t *to_shape,
                       int64_t *to_strides)
{
    int n = 0;
    for (int d = 0; d < ndim; d++) {
        int from = fortran ? ndim - 1 - d : d;
        if (shape[from] == 1) continue;
        to_shape[n] = shape[from];
        to_strides[n++] = strides[from];
    }
    return n;
}

/* Strides that show the elements of a, taken in C or Fortran order, in the new shape; false when there are none.
 * Dimensions are matched in groups of equal product; within a group the old ones must lie in memory as one. */
static bool strides_without_copy(const tb_array *a, int ndim, const int64_t *shape, bool fortran, int64_t *strides)
{
    int64_t old[TB_MAXDIM], step[TB_MAXDIM], new[TB_MAXDIM], made[TB_MAXDIM];
    int nold = significant(a->ndim, a->dims, a->strides, fortran, old, step);
    for (int d = 0; d < ndim; d++) new[d] = shape[fortran ? ndim - 1 - d : d];
    int o = 0, n = 0;
    while (o < nold) {
        int64_t product_old = old[o], product_new = new[n];
        int o_end = o + 1, n_end = n + 1;
        while (product_old != product_new) {
            if (product_old < product_new) product_old *= old[o_end++];
            else product_new *= new[n_end++];
        }
        for (int k = o; k + 1 < o_end; k++)
            if (step[k] != step[k + 1] * old[k + 1]) return false;
        made[n_end - 1] = step[o_end - 1];
        for (int k = n_end - 1; k > n; k--) made[k - 1] = made[k] * new[k];
        o = o_end;
        n = n_end;
    }
    for (; n < ndim; n++) made[n] = n > 0 ? made[n - 1] : (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    for (int d = 0; d < ndim; d++) strides[d] = made[fortran ? ndim - 1 - d : d];
    return true;
}

tb_status tb__reshape(tb_array *a, int ndim, const int64_t *want, char order, bool *copied, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    int64_t itemsize = (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    if (order != 'C') TB_TRY(tb__check_order("reshape", order, "CFA"));
    TB_TRY(resolve_shape(a, ndim, want, shape));
    bool fortran = order == 'F' || (order == 'A' && a->f_contiguous && !a->c_contiguous);
    int64_t extent[TB_MAXDIM]; /* as NumPy's, views of no elements have strides */
    for (int d = 0; d < ndim; d++) extent[d] = shape[d] > 0 ? shape[d] : 1;
    if (fortran) tb__strides_f(ndim, extent, itemsize, strides);
    else tb__strides_c(ndim, extent, itemsize, strides);
    const bool in_order = fortran ? a->f_contiguous : a->c_contiguous;
    bool copy = a->size > 0 && !in_order && !strides_without_copy(a, ndim, shape, fortran, strides);
    if (copy) {
        tb_array *whole;
        TB_TRY(tb__copy(a, fortran ? 'F' : 'C', &whole));
        tb_status status = tb__view(whole, 0, (tb_dtype)a->dtype, ndim, shape, strides, out);
        tb_array_release(whole);
        TB_TRY(status);
    } else {
        TB_TRY(tb__view_sized(a, a->offset, (tb_dtype)a->dtype, ndim, shape, strides, out));
    }
    if (copied) *copied = copy;
    return TB_OK;
}

tb_status tb_reshape(tb_array *a, int ndim, const int64_t *shape, char order, bool *copied, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_SHAPE(ndim, shape);
    TB_IS_ORDER(order);
    return TB__OPERATION(tb__reshape(a, ndim, shape, order, copied, out));
}

/* ---- axes ----------------------------------------------------------------------------------------------------- */

static tb_status transpose(tb_array *a, const int *axes, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    uint32_t seen = 0;
    for (int d = 0; d < a->ndim; d++) {
        int from = a->ndim - 1 - d;
        if (axes) TB_TRY(tb__axis(axes[d], a->ndim, &from));
        if (seen >> from & 1) return tb__fail(TB_ERR_VALUE, "repeated axis in transpose");
        seen |= 1u << from;
        shape[d] = a->dims[from];
        strides[d] = a->strides[from];
    }
    return tb__view_sized(a, a->offset, (tb_dtype)a->dtype, a->ndim, shape, strides, out);
}

tb_status tb_transpose(tb_array *a, const int *axes, tb_array **out)
{
    TB_NOT_NULL(a, out);
    tb__lock();
    tb_status status = transpose(a, axes, out);
    tb__unlock();
    return status;
}

static bool broadcasts_to(int ndim, const int64_t *shape, int to_ndim, const int64_t *to)
{
    if (ndim > to_ndim) return false;
    for (int d = 0; d < ndim; d++) {
        int64_t have = shape[d], want = to[to_ndim - ndim + d];
        if (have != want && have != 1) return false;
    }
    return true;
}

static tb_status broadcast_to(tb_array *a, int ndim, const int64_t *shape, tb_array **out)
{
    char text[2][TEXT];
    int64_t size, strides[TB_MAXDIM];
    TB_TRY(tb__shape_size("broadcast_to", ndim, shape, tb_dtype_size((tb_dtype)a->dtype), &size));
    if (!broadcasts_to(a->ndim, a->dims, ndim, shape))
        return tb__fail(TB_ERR_VALUE, "broadcast_to: an array of shape %s cannot be broadcast to shape %s",
                        tb__shape_text(text[0], TEXT, a->ndim, a->dims), tb__shape_text(text[1], TEXT, ndim, shape));
    tb__broadcast_strides(a->ndim, a->dims, a->strides, ndim, shape, strides);
    return tb__view(a, a->offset, (tb_dtype)a->dtype, ndim, shape, strides, out);
}

tb_status tb_broadcast_to(tb_array *a, int ndim, const int64_t *shape, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_SHAPE(ndim, shape);
    tb__lock();
    tb_status status = broadcast_to(a, ndim, shape, out);
    tb__unlock();
    return status;
}

/* ---- reinterpretation ----------------------------------------------------------------------------------------- */

/* NumPy's rule: a change of item size is taken up by the last axis, which must be contiguous. */
static tb_status resize_last_axis(const tb_array *a, int64_t to, int64_t *shape, int64_t *strides)
{
    int64_t from = (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    int last = a->ndim - 1;
    if (last < 0)
        return tb__fail(TB_ERR_VALUE, "Changing the dtype of a 0d array is only supported if the itemsize is "
                                      "unchanged");
    if (a->size > 0 && shape[last] != 1 && strides[last] != from)
        return tb__fail(TB_ERR_VALUE, "To change to a dtype of a different size, the last axis must be contiguous");
    if (to < from && from % to != 0)
        return tb__fail(TB_ERR_VALUE, "When changing to a smaller dtype, its size must be a divisor of the size of "
                                      "original dtype");
    int64_t bytes = shape[last] * from;
    if (bytes % to != 0)
        return tb__fail(TB_ERR_VALUE, "When changing to a larger dtype, its size must be a divisor of the total size "
                                      "in bytes of the last axis of the array.");
    shape[last] = bytes / to;
    strides[last] = to;
    return TB_OK;
}

static tb_status view_dtype(tb_array *a, tb_dtype t, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    memcpy(strides, a->strides, (size_t)a->ndim * sizeof *strides);
    if (tb_dtype_size(t) != tb_dtype_size((tb_dtype)a->dtype))
        TB_TRY(resize_last_axis(a, (int64_t)tb_dtype_size(t), shape, strides));
    TB_TRY(tb__check_view("view", a->buffer, a->offset, t, a->ndim, shape, strides));
    return tb__view(a, a->offset, t, a->ndim, shape, strides, out);
}

tb_status tb_view_dtype(tb_array *a, tb_dtype t, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_ELEMENT(t);
    tb__lock();
    tb_status status = view_dtype(a, t, out);
    tb__unlock();
    return status;
}

tb_status tb__real_imag(tb_array *a, bool imag, tb_array **out)
{
    tb_dtype t = tb_dtype_real((tb_dtype)a->dtype);
    if (t == a->dtype)
        return tb__fail(TB_ERR_TYPE, "%s: the array must be complex, not %s", imag ? "imag" : "real", tb_dtype_name(t));
    int64_t offset = a->offset + (imag ? (int64_t)tb_dtype_size(t) : 0);
    return tb__view(a, offset, t, a->ndim, a->dims, a->strides, out);
}

tb_status tb_real_imag(tb_array *a, bool imag, tb_array **out)
{
    TB_NOT_NULL(a, out);
    tb__lock();
    tb_status status = tb__real_imag(a, imag, out);
    tb__unlock();
    return status;
}

static tb_status as_strided(tb_array *a, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset,
                            tb_array **out)
{
    tb_dtype t = (tb_dtype)a->dtype;
    TB_TRY(tb__check_view("as_strided", a->buffer, a->offset + offset, t, ndim, shape, strides));
    return tb__view(a, a->offset + offset, t, ndim, shape, strides, out);
}

tb_status tb_as_strided(tb_array *a, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset,
                        tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_SHAPE(ndim, shape);
    TB_IS_SHAPE(ndim, strides);
    tb__lock();
    tb_status status = as_strided(a, ndim, shape, strides, offset, out);
    tb__unlock();
    return status;
}

/* ---- overlap -------------------------------------------------------------------------------------------------- */

bool tb_may_share_memory(const tb_array *a, const tb_array *b)
{
    if (TB_IS_NONE(a) || TB_IS_NONE(b)) return false;
    int64_t lo[2], hi[2];
    const char *base[2] = {NULL, NULL};
    if (a->size == 0 || b->size == 0) return false;
    if (a->buffer != b->buffer) {
        /* Foreign memory may be wrapped twice. A promise has no memory that anybody could share. */
        if (!a->buffer->ptr || !b->buffer->ptr || a->buffer->device != b->buffer->device) return false;
        base[0] = a->buffer->ptr;
        base[1] = b->buffer->ptr;
    }
    tb__extent(a->ndim, a->dims, a->strides, (int64_t)tb_dtype_size((tb_dtype)a->dtype), &lo[0], &hi[0]);
    tb__extent(b->ndim, b->dims, b->strides, (int64_t)tb_dtype_size((tb_dtype)b->dtype), &lo[1], &hi[1]);
    intptr_t at[2] = {(intptr_t)base[0] + a->offset, (intptr_t)base[1] + b->offset};
    return at[0] + lo[0] < at[1] + hi[1] && at[1] + lo[1] < at[0] + hi[0];
}
