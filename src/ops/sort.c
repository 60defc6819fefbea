/* sort.c - elements in order along an axis: the backend sorts rows of a copy in which the axis is the last one. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* in and out: contiguous rows; out as the rows or positions of them. */
static tb_status sort_here(tb_sort_rows *rows, tb_array *in, tb_array *out, bool positions)
{
    tb_stream *s;
    void *to = out->buffer->ptr + out->offset;
    TB_TRY(tb__current_stream(&s));
    rows->in = in->buffer->ptr + in->offset;
    if (positions) rows->order = to;
    else rows->out = to;
    return tb__backend->sort(s, rows);
}

/* in: in C order, and not pending. */
static tb_status sort_rows(tb_array *in, bool positions, tb_array **out)
{
    tb_array *result;
    const tb_dtype t = positions ? TB_I64 : (tb_dtype)in->dtype;
    TB_TRY(tb__empty(t, in->ndim, in->dims, 'C', &result));
    tb_status status = TB_OK;
    if (in->size > 0) {
        const int64_t n = in->dims[in->ndim - 1];
        tb_sort_rows rows = {.dtype = (tb_dtype)in->dtype, .rows = in->size / n, .n = n};
        status = tb__before_write(result->buffer);
        if (status == TB_OK) status = sort_here(&rows, in, result, positions);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* a with two axes changed for one another: a view. */
static tb_status swap_axes(tb_array *a, int i, int k, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    for (int d = 0; d < a->ndim; d++) {
        const int from = d == i ? k : d == k ? i : d;
        shape[d] = a->dims[from];
        strides[d] = a->strides[from];
    }
    return tb__view(a, a->offset, (tb_dtype)a->dtype, a->ndim, shape, strides, out);
}

/* A new array: a, or a view of it, in C order and there. */
static tb_status rows_of(tb_array *a, int axis, tb_array **out)
{
    tb_array *view, *copy;
    TB_TRY(tb__buffer_eval(a->buffer));
    if (axis == a->ndim - 1 && a->c_contiguous) {
        *out = tb_array_retain(a);
        return TB_OK;
    }
    TB_TRY(swap_axes(a, axis, a->ndim - 1, &view));
    tb_status status = tb__copy(view, 'C', &copy);
    tb_array_release(view);
    TB_TRY(status);
    status = tb__buffer_eval(copy->buffer);
    if (status == TB_OK) *out = copy;
    else tb_array_release(copy);
    return status;
}

/* A new array with a's elements, in the order in memory that `like`, of the same shape, has. */
static tb_status copy_like(tb_array *a, const tb_array *like, tb_array **out)
{
    int64_t strides[TB_MAXDIM];
    tb_array *result;
    tb__strides_k(1, (const int64_t *[]){like->strides}, a->ndim, a->dims, (int64_t)tb_dtype_size((tb_dtype)a->dtype),
                  strides);
    TB_TRY(tb__empty_strided((tb_dtype)a->dtype, a->ndim, a->dims, strides, &result));
    const tb_status status = tb__assign(result, a, TB_CAST_NO);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status sort_axis(tb_array *a, int axis, bool positions, tb_array **out)
{
    tb_array *rows, *sorted = NULL, *view;
    TB_TRY(rows_of(a, axis, &rows));
    tb_status status = sort_rows(rows, positions, &sorted);
    tb_array_release(rows);
    if (status != TB_OK || (axis == a->ndim - 1 && a->c_contiguous)) {
        if (status == TB_OK) *out = sorted;
        return status;
    }
    status = swap_axes(sorted, axis, a->ndim - 1, &view);
    tb_array_release(sorted);
    TB_TRY(status);
    status = positions ? tb__copy(view, 'C', out) : copy_like(view, a, out);
    tb_array_release(view);
    return status;
}

static tb_status sort(tb_array *a, int axis, bool positions, tb_array *into, tb_array **out)
{
    tb_array *line, *result;
    int64_t size = a->size;
    if (axis == TB_ALL_AXES) {
        TB_TRY(tb__reshape(a, 1, &size, 'C', NULL, &line));
        axis = 0;
    } else {
        TB_TRY(tb__axis(axis, a->ndim, &axis));
        line = tb_array_retain(a);
    }
    tb_status status =
        into ? tb__check_out("sort", into, (tb_dtype)a->dtype, TB_CAST_SAME_KIND, line->ndim, line->dims) : TB_OK;
    if (status == TB_OK) status = sort_axis(line, axis, positions, &result);
    tb_array_release(line);
    TB_TRY(status);
    return tb__deliver(result, into, out);
}

tb_status tb_sort(tb_array *a, int axis, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, false, NULL, out));
}

tb_status tb_sort_into(tb_array *a, int axis, tb_array *into)
{
    TB_NOT_NULL(a, into);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, false, into, NULL));
}

tb_status tb_argsort(tb_array *a, int axis, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, true, NULL, out));
}
