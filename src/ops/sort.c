/* sort.c - elements in order along an axis: the backend sorts rows of a copy in which the axis is the last one. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* What is asked for. */
typedef struct request {
    const char *function;
    bool positions, only; /* rather than elements; at the wanted positions alone */
    int nkth;             /* wanted positions of the axis; 0: all are */
    const int64_t *kth;
    int64_t *wanted; /* the same in ascending order, none negative, each once */
    int nwanted;
    int bits; /* of elements that may be set, see tb_sort_rows */
} request;

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

/* Whether rows can be put in order where they are: the host's sorts of real numbers read an element before they write
 * it, and those of short ones need no memory, for want of which they would end halfway. */
static bool in_place(const tb_array *in, bool copied, const request *q)
{
    enum { SHORT = 1 << 12 };
    const tb_dtype t = (tb_dtype)in->dtype;
    return tb__backend->on_host && !q->positions && !q->nwanted && tb_dtype_kind(t) != TB_KIND_COMPLEX &&
           tb_dtype_size(t) >= 4 && in->size > 0 && (copied || in->dims[in->ndim - 1] <= SHORT);
}

/* in: in C order, and not pending. own: it may be the result; copied: and is nobody else's. */
static tb_status sort_rows(tb_array *in, bool own, bool copied, const request *q, tb_array **out)
{
    tb_array *result;
    const tb_dtype t = q->positions ? TB_I64 : (tb_dtype)in->dtype;
    if ((own || copied) && in_place(in, copied, q)) result = tb_array_retain(in);
    else TB_TRY(tb__empty(t, in->ndim, in->dims, 'C', &result));
    tb_status status = TB_OK;
    if (in->size > 0) {
        const int64_t n = in->dims[in->ndim - 1];
        tb_sort_rows rows = {.dtype = (tb_dtype)in->dtype,
                             .rows = in->size / n,
                             .n = n,
                             .nkth = q->nwanted,
                             .kth = q->wanted,
                             .only = q->only,
                             .bits = q->bits};
        status = tb__before_write(result->buffer);
        if (status == TB_OK) status = sort_here(&rows, in, result, q->positions);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- the wanted positions of rows -------------------------------------------------------------------------------- */

/* Columns [at, at + n) of rows: a view. */
static tb_status columns(tb_array *rows, int64_t at, int64_t n, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    const int last = rows->ndim - 1;
    memcpy(shape, rows->dims, (size_t)rows->ndim * sizeof *shape);
    shape[last] = n;
    return tb__view(rows, rows->offset + at * rows->strides[last], (tb_dtype)rows->dtype, rows->ndim, shape,
                    rows->strides, out);
}

static tb_status copy_columns(tb_array *to, int64_t to_at, tb_array *from, int64_t from_at, int64_t n)
{
    tb_array *target, *source;
    TB_TRY(columns(to, to_at, n, &target));
    tb_status status = columns(from, from_at, n, &source);
    if (status == TB_OK) {
        status = tb__assign(target, source, TB_CAST_NO);
        tb_array_release(source);
    }
    tb_array_release(target);
    return status;
}

/* A new array with the columns that q wants, in the order in which it names them. */
static tb_status pick(tb_array *sorted, const request *q, tb_array **out)
{
    tb_array *result;
    int64_t shape[TB_MAXDIM];
    const int last = sorted->ndim - 1;
    const int64_t length = sorted->dims[last], size = (int64_t)tb_dtype_size((tb_dtype)sorted->dtype);
    memcpy(shape, sorted->dims, (size_t)sorted->ndim * sizeof *shape);
    shape[last] = q->nkth;
    TB_TRY(tb__empty((tb_dtype)sorted->dtype, sorted->ndim, shape, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    const bool here = tb__backend->on_host; /* and done: its sort works at once */
    if (here)
        for (int64_t i = 0; status == TB_OK && i < result->size; i++) {
            const int64_t kth = q->kth[i % q->nkth], from = i / q->nkth * length + kth + (kth < 0 ? length : 0);
            memcpy(result->buffer->ptr + i * size, sorted->buffer->ptr + sorted->offset + from * size, (size_t)size);
        }
    for (int i = 0, n; !here && status == TB_OK && i < q->nkth; i += n) {
        for (n = 1; i + n < q->nkth && q->kth[i + n] == q->kth[i] + n && q->kth[i + n] != 0; n++) {}
        status = copy_columns(result, i, sorted, q->kth[i] + (q->kth[i] < 0 ? length : 0), n);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb__swap_axes(tb_array *a, int i, int k, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    for (int d = 0; d < a->ndim; d++) {
        const int from = d == i ? k : d == k ? i : d;
        shape[d] = a->dims[from];
        strides[d] = a->strides[from];
    }
    return tb__view(a, a->offset, (tb_dtype)a->dtype, a->ndim, shape, strides, out);
}

tb_status tb__rows_of(tb_array *a, int axis, tb_array **out)
{
    tb_array *view, *copy;
    TB_TRY(tb__buffer_here(a->buffer));
    if (axis == a->ndim - 1 && a->c_contiguous) {
        *out = tb_array_retain(a);
        return TB_OK;
    }
    TB_TRY(tb__swap_axes(a, axis, a->ndim - 1, &view));
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

static tb_status sort_axis(tb_array *a, int axis, bool own, const request *q, tb_array **out)
{
    tb_array *rows, *sorted = NULL, *picked, *view;
    const int last = a->ndim - 1;
    TB_TRY(tb__rows_of(a, axis, &rows));
    tb_status status = sort_rows(rows, own, rows != a, q, &sorted);
    tb_array_release(rows);
    TB_TRY(status);
    if (q->only) {
        status = pick(sorted, q, &picked);
        tb_array_release(sorted);
        TB_TRY(status);
        sorted = picked;
    }
    if (axis == last && (a->c_contiguous || q->only)) {
        *out = sorted;
        return TB_OK;
    }
    status = tb__swap_axes(sorted, axis, last, &view);
    tb_array_release(sorted);
    TB_TRY(status);
    status = q->positions || q->only ? tb__copy(view, 'C', out) : copy_like(view, a, out);
    tb_array_release(view);
    return status;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Into q->wanted, where there is room for all. Of an axis without elements every position is one. */
static tb_status find_wanted(request *q, int64_t n)
{
    for (int i = 0; i < q->nkth; i++) {
        const int64_t k = q->kth[i];
        if ((n > 0 || q->only) && (k < -n || k >= n))
            return tb__fail(TB_ERR_VALUE, "%s: kth(=%lld) is out of bounds for an axis of length %lld", q->function,
                            (long long)k, (long long)n);
        q->wanted[i] = k < 0 ? k + n : k;
    }
    qsort(q->wanted, (size_t)q->nkth, sizeof *q->wanted, compare);
    for (int i = 0; i < q->nkth; i++)
        if (i == 0 || q->wanted[i] != q->wanted[q->nwanted - 1]) q->wanted[q->nwanted++] = q->wanted[i];
    return TB_OK;
}

static tb_status sort_checked(tb_array *line, int axis, request *q, tb_array *into, tb_array **out)
{
    if (into) TB_TRY(tb__check_out("sort", into, (tb_dtype)line->dtype, TB_CAST_SAME_KIND, line->ndim, line->dims));
    enum { FEW = 16 };
    int64_t few[FEW];
    q->wanted = q->nkth <= FEW ? few : malloc((size_t)q->nkth * sizeof *q->wanted);
    if (!q->wanted) return tb__fail_memory((size_t)q->nkth * sizeof *q->wanted, 0, 0, 0);
    tb_status status = find_wanted(q, line->dims[axis]);
    if (status == TB_OK) status = sort_axis(line, axis, line == into, q, out);
    if (q->wanted != few) free(q->wanted);
    q->wanted = NULL;
    return status;
}

static tb_status sort(tb_array *a, int axis, request q, tb_array *into, tb_array **out)
{
    tb_array *line, *result;
    int64_t size = a->size;
    TB_ARE_NUMBERS(q.function, a->dtype);
    if (into) TB_ARE_NUMBERS(q.function, into->dtype);
    if (axis == TB_ALL_AXES) {
        TB_TRY(tb__reshape(a, 1, &size, 'C', NULL, &line));
        axis = 0;
    } else {
        TB_TRY(tb__axis(axis, a->ndim, &axis));
        line = tb_array_retain(a);
    }
    const tb_status status = sort_checked(line, axis, &q, into, &result);
    tb_array_release(line);
    TB_TRY(status);
    return tb__deliver(result, into, out);
}

tb_status tb_sort(tb_array *a, int axis, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, (request){.function = "sort"}, NULL, out));
}

tb_status tb_sort_into(tb_array *a, int axis, tb_array *into)
{
    TB_NOT_NULL(a, into);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, (request){.function = "sort"}, into, NULL));
}

static int bits_below(int64_t end)
{
    int bits = 1;
    while (bits < 63 && end > (int64_t)1 << bits) bits++;
    return bits;
}

tb_status tb__argsort_below(tb_array *a, int64_t end, tb_array **out)
{
    const request q = {.function = "argsort", .positions = true, .bits = bits_below(end)};
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, 0, q, NULL, out));
}

/* keys and carried: whole vectors. */
/* made: the elements, and the halves of what they carry. */
static tb_status sort_vectors(tb_array *keys, tb_array *carried, int bits, tb_array **made)
{
    tb_stream *s;
    for (int i = 0; i < 3; i++) {
        TB_TRY(tb__empty(i == 0 ? (tb_dtype)keys->dtype : TB_U32, 1, keys->dims, 'C', &made[i]));
        TB_TRY(tb__before_write(made[i]->buffer));
    }
    TB_TRY(tb__current_stream(&s));
    const tb_sort_rows rows = {.dtype = (tb_dtype)keys->dtype,
                               .rows = 1,
                               .n = keys->size,
                               .in = tb__vector_at(keys),
                               .out = tb__vector_at(made[0]),
                               .carried = tb__vector_at(carried),
                               .upper = tb__vector_at(made[1]),
                               .lower = tb__vector_at(made[2]),
                               .bits = bits};
    return tb__backend->sort(s, &rows);
}

static tb_status sort_carrying(tb_array *keys, tb_array *carried, int bits, tb_array **made)
{
    tb_array *k, *x;
    for (int i = 0; i < 3; i++) made[i] = NULL;
    TB_TRY(tb__rows_of(keys, 0, &k));
    tb_status status = tb__rows_of(carried, 0, &x);
    if (status == TB_OK) {
        status = sort_vectors(k, x, bits, made);
        tb_array_release(x);
    }
    tb_array_release(k);
    for (int i = 0; i < 3 && status != TB_OK; i++) tb_array_release(made[i]);
    return status;
}

tb_status tb__sort_carrying(tb_array *keys, int64_t end, tb_array *carried, tb_array **sorted, tb_array **upper,
                            tb_array **lower)
{
    tb_array *made[3];
    TB_TRY(TB__OPERATION(sort_carrying(keys, carried, bits_below(end), made)));
    *sorted = made[0];
    *upper = made[1];
    *lower = made[2];
    return TB_OK;
}

tb_status tb_argsort(tb_array *a, int axis, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, (request){.function = "argsort", .positions = true}, NULL, out));
}

/* ---- some positions only ---------------------------------------------------------------------------------------- */

enum { MOST_POSITIONS = 1 << 20 };

static tb_status select_positions(tb_array *a, request q, int axis, tb_array *into, tb_array **out)
{
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sort(a, axis, q, into, out));
}

tb_status tb_partition(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out)
{
    TB_NOT_NULL(a, kth, out);
    TB_IS_COUNT(n, MOST_POSITIONS);
    return select_positions(a, (request){.function = "partition", .nkth = n, .kth = kth}, axis, NULL, out);
}

tb_status tb_partition_into(tb_array *a, int n, const int64_t *kth, int axis, tb_array *into)
{
    TB_NOT_NULL(a, kth, into);
    TB_IS_COUNT(n, MOST_POSITIONS);
    return select_positions(a, (request){.function = "partition", .nkth = n, .kth = kth}, axis, into, NULL);
}

tb_status tb_argpartition(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out)
{
    TB_NOT_NULL(a, kth, out);
    TB_IS_COUNT(n, MOST_POSITIONS);
    return select_positions(a, (request){.function = "argpartition", .positions = true, .nkth = n, .kth = kth}, axis,
                            NULL, out);
}

tb_status tb_order_statistics(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out)
{
    TB_NOT_NULL(a, kth, out);
    TB_IS_COUNT(n, MOST_POSITIONS);
    return select_positions(a, (request){.function = "order_statistics", .only = true, .nkth = n, .kth = kth}, axis,
                            NULL, out);
}
