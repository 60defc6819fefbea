/* mask.c - keys that are masks, and nonzero. The running count of a mask's true elements says where each of them goes,
 * or which value it gets. The size of a result is known after they have been counted, for which the host waits. */
#include <string.h>

#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "base/waits.h"
#include "ops/places.h"

/* ---- counting --------------------------------------------------------------------------------------------------- */

static tb_status last_of(const tb_array *order, int64_t *count)
{
    tb_array *last;
    const int64_t offset = order->offset + (order->size - 1) * (int64_t)sizeof(int64_t);
    TB_TRY(tb__view(order, offset, TB_I64, 0, NULL, NULL, &last));
    tb_status status = tb_array_get(last, count, NULL, NULL, true);
    tb_array_release(last);
    return status;
}

tb_status tb__mask_count(tb_array *mask, tb_array **order, int64_t *count)
{
    tb_array *flat = NULL;
    *count = 0;
    if (mask->size == 0) return tb__empty(TB_I64, mask->ndim, mask->dims, 'C', order);
    TB_TRY(tb__buffer_here(mask->buffer)); /* it is read twice */
    TB_TRY(tb_scan(TB_RED_SUM, mask, TB_ALL_AXES, TB_NODTYPE, &flat));
    tb_status status = last_of(flat, count);
    if (status == TB_OK) status = tb__reshape(flat, mask->ndim, mask->dims, 'C', NULL, order);
    tb_array_release(flat);
    return status;
}

tb_status tb__mask_view(const tb_array *a, tb_array *mask, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    for (int d = 0; d < a->ndim; d++) {
        shape[d] = d < mask->ndim ? mask->dims[d] : 1;
        strides[d] = d < mask->ndim ? mask->strides[d] : 0;
    }
    return tb__view(mask, mask->offset, (tb_dtype)mask->dtype, a->ndim, shape, strides, out);
}

/* An array over a's first axes as a node of a's shape. */
static tb_status mask_input(const tb_array *a, tb_array *mask, tb_expr **out)
{
    tb_array *wide;
    if (mask->ndim == a->ndim) return tb__expr_input(mask, a->ndim, a->dims, out);
    TB_TRY(tb__mask_view(a, mask, &wide));
    tb_status status = tb__expr_input(wide, a->ndim, a->dims, out);
    tb_array_release(wide);
    return status;
}

static void release(int n, tb_expr **nodes)
{
    for (int i = 0; i < n; i++) tb__expr_release(nodes[i]);
}

/* ---- picking ----------------------------------------------------------------------------------------------------- */

static tb_status enqueue_count(tb_array *mask, tb_array *into, tb_array **sum)
{
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    return tb__reduce(TB_RED_COUNT_NONZERO, mask, &args, into, sum);
}

static tb_status count_true(tb_array *mask, int64_t *count)
{
    tb_array *sum = NULL;
    TB_TRY(enqueue_count(mask, NULL, &sum));
    tb_status status = tb_array_get(sum, count, NULL, NULL, true);
    tb_array_release(sum);
    return status;
}

/* A scan whose values are not stored: they say where those that are picked go. */
static tb_status run_pick(tb_expr *const *in, tb_array *result)
{
    tb_plan plan;
    tb_stream *s;
    uint16_t value[2];
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__plan_from_exprs(&plan, 2, in, value));
    plan.kind = TB_PLAN_SCAN;
    plan.red = tb__red_find(TB_REDUCE_SUM, TB_BOOL);
    plan.scatters = true;
    plan.combine = TB_NOLOOP;
    plan.where = value[0];
    plan.count = (double)result->size;
    plan.nstore = 1;
    plan.store[0].ptr = result->buffer->ptr + result->offset;
    plan.store[0].value = value[1];
    plan.store[0].dtype = result->dtype;
    memset(plan.store[0].strides, 0, sizeof plan.store[0].strides);
    return tb__run(s, &plan);
}

/* A new vector of the values (stolen; a vector as long as the mask) where the mask is true, which is `count` times. */
static tb_status pick(tb_array *mask, tb_expr *value, int64_t count, tb_array **out)
{
    tb_array *result = NULL;
    tb_expr *in[2] = {NULL, value};
    tb_status status = tb__expr_input(mask, 1, &mask->size, &in[0]);
    if (status != TB_OK) in[0] = NULL;
    if (status == TB_OK) status = tb__empty((tb_dtype)value->dtype, 1, &count, 'C', &result);
    if (status == TB_OK && count > 0) status = run_pick(in, result);
    if (in[0]) tb__expr_release(in[0]);
    tb__expr_release(value);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- picking before the count is known ------------------------------------------------------------------------- */

static void keep(void *answer) { (void)answer; }

/* Asks the device for the number of true elements, which it writes to the host's memory. *answer: NULL where it cannot.
 */
static tb_status ask_count(tb_array *mask, tb_stream *s, const int64_t **answer)
{
    tb_array *into;
    void *place = tb__backend->answer && !tb_host_func_pending() ? tb__backend->answer(s) : NULL;
    *answer = NULL;
    if (!place) return TB_OK;
    TB_TRY(tb__may_wait("the number of true elements"));
    TB_TRY(tb__array_adopt(place, TB_I64, 0, NULL, keep, NULL, &into));
    const tb_status status = enqueue_count(mask, into, NULL);
    tb_array_release(into);
    TB_TRY(status);
    tb__backend->answer_ask(s);
    *answer = place;
    return TB_OK;
}

/* The first elements of all that there was room for. A program may keep many such results: where there are few elements
 * the rest of the memory goes back, and else stays, so that memory of that size is found again at once. */
static tb_status shortened(const tb_array *a, int64_t count, tb_array **out)
{
    enum { FEW = 4 }; /* one of so many */
    tb_buffer *b = a->buffer;
    const size_t bytes = (size_t)(count > 0 ? count : 1) * tb_dtype_size((tb_dtype)a->dtype);
    if (bytes <= b->size / FEW && !b->allocator && tb__pool_shorten(b->ptr, bytes)) b->size = bytes;
    *out = tb__array_new(a->buffer, 0, (tb_dtype)a->dtype, 1, &count, NULL);
    return *out ? TB_OK : tb__fail_memory(sizeof **out, 0, 0, 0);
}

/* Of few elements they are picked while the host waits for their number, into memory that is enough for all. *out: NULL
 * where nothing was done; else the value is stolen. */
static tb_status pick_meanwhile(tb_array *mask, tb_expr *value, tb_array **out)
{
    enum { FEW = 1 << 16 }; /* bytes */
    tb_stream *s;
    tb_array *all = NULL;
    const int64_t *answer;
    *out = NULL;
    TB_TRY(tb__current_stream(&s));
    if (mask->size * (int64_t)tb_dtype_size((tb_dtype)value->dtype) > FEW) return TB_OK;
    TB_TRY(ask_count(mask, s, &answer));
    if (!answer) return TB_OK;
    value->refs++;
    tb_status status = pick(mask, value, mask->size, &all);
    const tb_status waited = tb__backend->answer_wait(s);
    if (status == TB_OK) status = waited;
    if (status == TB_OK) status = shortened(all, *answer, out);
    tb_array_release(all);
    if (status == TB_OK) tb__expr_release(value);
    return status;
}

/* A new vector of the values (stolen; a vector as long as the mask) where the mask is true. */
static tb_status pick_counted(tb_array *mask, tb_expr *value, tb_array **out)
{
    int64_t count;
    tb_status status = pick_meanwhile(mask, value, out);
    if (status == TB_OK && *out) return TB_OK;
    if (status == TB_OK) status = count_true(mask, &count);
    if (status == TB_OK) return pick(mask, value, count, out);
    tb__expr_release(value);
    return status;
}

/* ---- positions --------------------------------------------------------------------------------------------------- */

static tb_status numbers(const tb_array *mask, tb_dtype t, tb_expr **out)
{
    tb_expr *in[2];
    TB_TRY(tb__node_scalar(tb_scalar_int(0), t, &in[0]));
    tb_status status = tb__node_scalar(tb_scalar_int(1), t, &in[1]);
    if (status == TB_OK) return tb__node(TB_OP_iota, 2, in, mask->ndim, mask->dims, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

/* Where the device is the host, one pass writes what another has counted: numbers, or the elements of `a` there. The
 * mask is in C order, as `a` is. */
static tb_status find_set(tb_array *mask, tb_array *a, tb_array **out)
{
    tb_stream *s;
    tb_array *result;
    int64_t count;
    const tb_dtype t = a ? (tb_dtype)a->dtype : TB_I64;
    TB_TRY(tb__may_wait("the number of true elements"));
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__buffer_here(mask->buffer));
    if (a) TB_TRY(tb__buffer_here(a->buffer));
    tb_mask set = {.flags = (const uint8_t *)mask->buffer->ptr + mask->offset, .n = mask->size};
    TB_TRY(tb__backend->find_set(s, &set, &count));
    TB_TRY(tb__empty(t, 1, &count, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    set.elements = a ? a->buffer->ptr + a->offset : NULL;
    set.item = (int64_t)tb_dtype_size(t);
    set.out = result->buffer->ptr;
    if (status == TB_OK && count > 0) status = tb__backend->find_set(s, &set, &count);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* Of a vector of truth values. passing: they are only worked with, and may be narrow. */
static tb_status positions(tb_array *mask, bool passing, tb_array **out)
{
    tb_expr *number;
    const tb_dtype t = passing && mask->size <= INT32_MAX ? TB_I32 : TB_I64;
    if (tb__backend->find_set) return find_set(mask, NULL, out);
    if (mask->size == 0) return tb__empty(t, 1, &mask->size, 'C', out);
    TB_TRY(tb__buffer_here(mask->buffer)); /* it is read twice */
    TB_TRY(numbers(mask, t, &number));
    return pick_counted(mask, number, out);
}

/* The mask's elements in C order, as one piece of memory where they are found without a scan. */
static tb_status flatten(tb_array *mask, tb_array **out)
{
    tb_array *flat;
    if (mask->ndim == 1 && mask->c_contiguous) {
        *out = tb_array_retain(mask);
        return TB_OK;
    }
    TB_TRY(tb__reshape(mask, 1, &mask->size, 'C', NULL, &flat));
    tb_status status = tb__astype(flat, TB_BOOL, 'C', TB_CAST_UNSAFE, false, out);
    tb_array_release(flat);
    return status;
}

static tb_status flat_positions(tb_array *mask, bool passing, tb_array **out)
{
    tb_array *flat;
    TB_TRY(flatten(mask, &flat));
    tb_status status = positions(flat, passing, out);
    tb_array_release(flat);
    return status;
}

/* ---- a[mask] ----------------------------------------------------------------------------------------------------- */

/* The mask's axes of a as one. */
static tb_status merge_axes(tb_array *a, const tb_array *mask, tb_array **out)
{
    const int rest = a->ndim - mask->ndim;
    int64_t shape[TB_MAXDIM];
    if (mask->ndim == 1) {
        *out = tb_array_retain(a);
        return TB_OK;
    }
    shape[0] = mask->size;
    memcpy(shape + 1, a->dims + mask->ndim, (size_t)rest * sizeof *shape);
    return tb__reshape(a, 1 + rest, shape, 'C', NULL, out);
}

static tb_status get_at_positions(tb_array *a, tb_array *mask, tb_array **out)
{
    tb_array *rows;
    tb_index key = {.kind = TB_INDEX_ARRAY};
    TB_TRY(flat_positions(mask, false, &key.array));
    tb_status status = merge_axes(a, mask, &rows);
    if (status == TB_OK) {
        status = tb_array_index(rows, 1, &key, out);
        tb_array_release(rows);
    }
    tb_array_release(key.array);
    return status;
}

static tb_status pick_elements(tb_array *a, tb_array *mask, tb_array **out)
{
    tb_array *flat = NULL, *line = NULL;
    tb_expr *value;
    TB_TRY(tb__buffer_here(mask->buffer)); /* it is read twice */
    tb_status status = flatten(mask, &flat);
    if (status == TB_OK) status = merge_axes(a, mask, &line);
    if (status == TB_OK) status = tb__fit_prologue(line, TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES);
    if (status == TB_OK) status = tb__expr_input(line, 1, &line->size, &value);
    if (status == TB_OK) status = pick_counted(flat, value, out);
    tb_array_release(line);
    tb_array_release(flat);
    return status;
}

/* Elements in a row, of a size that one instruction moves. */
static bool is_picked_at_once(const tb_array *a)
{
    const size_t item = tb_dtype_size((tb_dtype)a->dtype);
    return a->c_contiguous && item <= 16 && (item & (item - 1)) == 0;
}

static tb_status pick_here(tb_array *a, tb_array *mask, tb_array **out)
{
    tb_array *flat;
    TB_TRY(flatten(mask, &flat));
    const tb_status status = find_set(flat, a, out);
    tb_array_release(flat);
    return status;
}

tb_status tb__mask_get(tb_array *a, tb_array *mask, tb_array **out)
{
    TB_TRY(tb__check_mask(a, 0, mask));
    if (a->ndim != mask->ndim || a->size == 0) return get_at_positions(a, mask, out);
    if (!tb__backend->find_set) return pick_elements(a, mask, out);
    return is_picked_at_once(a) ? pick_here(a, mask, out) : get_at_positions(a, mask, out);
}

/* *a (stolen) becomes a `ufunc` n, or with other a `ufunc` other. */
static tb_status apply(tb_op op, tb_array **a, tb_array *other, int64_t n)
{
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = *a}, other ? tb_operand_array(other) : tb_operand_int(n)};
    tb_array *result = NULL;
    tb_status status = tb_ufunc_call(&tb_op_table[op], in, &result, NULL);
    tb_array_release(*a);
    *a = status == TB_OK ? result : NULL;
    return status;
}

/* flat / inner - above * n, of int64. above: NULL for the first dimension. */
static tb_status coordinate(tb_array *flat, tb_array *above, int64_t n, int64_t inner, tb_array **out)
{
    tb_array *outer = above ? tb_array_retain(above) : NULL, *narrow = tb_array_retain(flat);
    tb_status status = inner == 1 ? TB_OK : apply(TB_OP_floor_divide, &narrow, NULL, inner);
    *out = NULL;
    if (status == TB_OK) status = tb__astype(narrow, TB_I64, 'K', TB_CAST_UNSAFE, false, out);
    if (status == TB_OK && above) status = apply(TB_OP_multiply, &outer, NULL, n);
    if (status == TB_OK && above) status = apply(TB_OP_subtract, out, outer, 0);
    tb_array_release(outer);
    tb_array_release(narrow);
    return status;
}

/* above becomes the position in the dimensions up to the one, of n, in which it is `at`. */
static tb_status descend(tb_array **above, tb_array *at, int64_t n)
{
    if (!*above) {
        *above = tb_array_retain(at);
        return TB_OK;
    }
    TB_TRY(apply(TB_OP_multiply, above, NULL, n));
    return apply(TB_OP_add, above, at, 0);
}

/* The last coordinates follow from those before, so that one kernel makes all of them. On failure there is nothing in
 * out. */
static tb_status unravel(tb_array *flat, int ndim, const int64_t *shape, tb_array **out)
{
    tb_array *above = NULL;
    int64_t inner[TB_MAXDIM];
    tb_status status = TB_OK;
    int d = 0;
    inner[ndim - 1] = 1;
    for (int k = ndim - 1; k > 0; k--) inner[k - 1] = inner[k] * (shape[k] > 0 ? shape[k] : 1);
    for (; d < ndim && status == TB_OK; d++) {
        status = coordinate(flat, above, shape[d], inner[d], &out[d]);
        if (status == TB_OK) status = descend(&above, out[d], shape[d]);
    }
    tb_array_release(above);
    while (status != TB_OK && d > 0) tb_array_release(out[--d]);
    return status;
}

tb_status tb__mask_positions(tb_array *mask, tb_array **out)
{
    tb_array *flat;
    TB_TRY(flat_positions(mask, mask->ndim > 1, &flat));
    if (mask->ndim == 1) {
        out[0] = flat;
        return TB_OK;
    }
    tb_status status = unravel(flat, mask->ndim, mask->dims, out);
    tb_array_release(flat);
    return status;
}

/* The last one's kernel makes the others too. */
static tb_status make_all(int ndim, tb_array **out)
{
    tb_status status = tb__buffer_eval(out[ndim - 1]->buffer);
    for (int d = 0; d < ndim && status != TB_OK; d++) tb_array_release(out[d]);
    return status;
}

/* Column d of a matrix whose rows are places in an array. */
static tb_status column(const tb_array *rows, int d, tb_array **out)
{
    const int64_t item = (int64_t)sizeof(int64_t);
    return tb__view(rows, rows->offset + d * item, TB_I64, 1, rows->dims, rows->strides, out);
}

/* Steals the coordinates. */
static tb_status as_rows(int ndim, tb_array **coordinate, tb_array **out)
{
    tb_array *rows = NULL, *to[TB_MAXDIM];
    int n = 0;
    tb_status status = tb__empty(TB_I64, 2, (int64_t[]){coordinate[0]->size, ndim}, 'C', &rows);
    for (; n < ndim && status == TB_OK; n += status == TB_OK) status = column(rows, n, &to[n]);
    if (status == TB_OK) status = tb__assign_all(ndim, to, coordinate, TB_CAST_SAFE);
    while (n > 0) tb_array_release(to[--n]);
    for (int d = 0; d < ndim; d++) tb_array_release(coordinate[d]);
    if (status == TB_OK) *out = rows;
    else tb_array_release(rows);
    return status;
}

/* joined: as one array. */
static tb_status nonzero(tb_array *a, bool joined, tb_array **out)
{
    tb_array *mask, *coordinate[TB_MAXDIM];
    if (a->ndim == 0) return tb__fail(TB_ERR_VALUE, "nonzero: a 0-dimensional array has no axes; use atleast_1d");
    TB_TRY(tb__astype(a, TB_BOOL, 'K', TB_CAST_UNSAFE, false, &mask));
    tb_status status = tb__mask_positions(mask, joined ? coordinate : out);
    tb_array_release(mask);
    TB_TRY(status);
    return joined ? as_rows(a->ndim, coordinate, out) : make_all(a->ndim, out);
}

static tb_status call_nonzero(tb_array *a, bool joined, tb_array **out)
{
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(nonzero(a, joined, out));
}

tb_status tb_nonzero(tb_array *a, tb_array **out)
{
    TB_NOT_NULL(a, out);
    return call_nonzero(a, false, out);
}

tb_status tb_argwhere(tb_array *a, tb_array **out)
{
    TB_NOT_NULL(a, out);
    return call_nonzero(a, true, out);
}

/* ---- assignment -------------------------------------------------------------------------------------------------- */

/* a[...] = value (stolen) where the mask is true. */
static tb_status write_masked(tb_array *a, tb_array *mask, tb_expr *value)
{
    tb_array *wide;
    tb_status status = tb__check_writable(a->buffer, "assignment destination");
    if (status != TB_OK) {
        tb__expr_release(value);
        return status;
    }
    TB_TRY(tb__expr_cast(value, (tb_dtype)a->dtype, &value));
    status = tb__mask_view(a, mask, &wide);
    if (status == TB_OK) {
        status = tb__store(a, wide, value, 'C', 0, NULL);
        tb_array_release(wide);
    } else {
        tb__expr_release(value);
    }
    return status;
}

static tb_status ready(tb_array *a, tb_array *mask, tb_array *value)
{
    return tb__ready(3, (tb_array *const[]){a, mask, value});
}

static tb_status fail_count(int64_t given, int64_t count)
{
    return tb__fail(TB_ERR_VALUE,
                    "NumPy boolean array indexing assignment cannot assign %lld input values to the %lld "
                    "output values where the mask is true",
                    (long long)given, (long long)count);
}

/* Whether the value's dimensions from the first on broadcast to a's last ones. */
static bool fits(const tb_array *a, const tb_array *value, int first)
{
    const int missing = a->ndim - (value->ndim - first);
    for (int d = first; d < value->ndim; d++)
        if (value->dims[d] != 1 && value->dims[d] != a->dims[missing + d - first]) return false;
    return true;
}

static tb_status fail_shape(const tb_array *a, const tb_array *mask, const tb_array *value)
{
    char text[2][256];
    return tb__fail(TB_ERR_VALUE,
                    "shape mismatch: value array of shape %s could not be broadcast to indexing result whose "
                    "last axes are %s",
                    tb__shape_text(text[0], sizeof text[0], value->ndim, value->dims),
                    tb__shape_text(text[1], sizeof text[1], a->ndim - mask->ndim, a->dims + mask->ndim));
}

/* ---- values in their order, on the host -------------------------------------------------------------------------- */

static bool is_row(const tb_array *x, const tb_array *a, tb_dtype t)
{
    return x->c_contiguous && x->dtype == t && x->buffer->device == a->buffer->device &&
           (x == a || x->buffer != a->buffer);
}

/* Whether the host writes the values straight to where the mask is true: numbers of one dtype in C order, in memory of
 * their own. */
static bool is_put_here(const tb_array *a, const tb_array *mask, const tb_array *values)
{
    const tb_dtype t = (tb_dtype)a->dtype;
    if (!tb__backend->find_set || a->size == 0 || values->size == 0 || mask->size != a->size) return false;
    if (TB_UNLIKELY(tb__is_record(a->dtype)) || a->buffer->device != tb__device_current()) return false;
    return is_row(a, a, t) && is_row(values, a, t) && is_row(mask, a, TB_BOOL);
}

/* exact: there have to be as many values as true elements; else they are repeated. */
static tb_status put_here(tb_array *a, tb_array *mask, tb_array *values, bool exact)
{
    tb_stream *s;
    int64_t count = 0;
    TB_TRY(tb__check_writable(a->buffer, "assignment destination"));
    TB_TRY(tb__may_wait("the number of true elements"));
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__before_write(a->buffer));
    TB_TRY(ready(a, mask, values));
    TB_TRY(tb__buffer_here(a->buffer));
    TB_TRY(tb__buffer_here(mask->buffer));
    TB_TRY(tb__buffer_here(values->buffer));
    tb_mask set = {.flags = (const uint8_t *)mask->buffer->ptr + mask->offset, .n = mask->size};
    if (exact) TB_TRY(tb__backend->find_set(s, &set, &count));
    if (exact && count != values->size) return fail_count(values->size, count);
    set.values = values->buffer->ptr + values->offset;
    set.nvalue = values->size;
    set.item = (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    set.out = a->buffer->ptr + a->offset;
    TB_TRY(tb__backend->find_set(s, &set, &count));
    tb__wrote(a->buffer);
    return TB_OK;
}

static tb_status put_where(tb_array *a, tb_array *mask, tb_array *values, bool *done)
{
    *done = is_put_here(a, mask, values);
    return *done ? put_here(a, mask, values, false) : TB_OK;
}

tb_status tb__put_where(tb_array *a, tb_array *mask, tb_array *values, bool *done)
{
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(put_where(a, mask, values, done));
}

/* One value for all rows: the dimensions of the value from `first` on. */
static tb_status set_alike(tb_array *a, tb_array *mask, tb_array *value, int first)
{
    tb_array *narrow;
    tb_expr *e;
    TB_TRY(ready(a, mask, value));
    TB_TRY(tb__view(value, value->offset, (tb_dtype)value->dtype, value->ndim - first, value->dims + first,
                    value->strides + first, &narrow));
    tb_status status = tb__expr_input(narrow, a->ndim, a->dims, &e);
    tb_array_release(narrow);
    return status == TB_OK ? write_masked(a, mask, e) : status;
}

/* For each element of a the offset of its value: that of the true element before it, where the mask says no. */
static tb_status value_offsets(const tb_array *a, tb_array *order, int64_t count, int64_t stride, tb_expr **out)
{
    tb_expr *in[3];
    int n = 0;
    tb_status status = mask_input(a, order, &in[0]);
    if (status == TB_OK) status = (n++, tb__node_scalar(tb_scalar_int(1), TB_I64, &in[1]));
    if (status == TB_OK) {
        n = 0;
        status = tb__node(TB_OP_subtract, 2, in, a->ndim, a->dims, 'C', &in[0]);
    }
    if (status == TB_OK) status = (n = 1, tb__node_scalar(tb_scalar_int(count), TB_I64, &in[1]));
    if (status == TB_OK) status = (n++, tb__node_scalar(tb_scalar_int(stride), TB_I64, &in[2]));
    if (status == TB_OK) return tb__node(TB_OP_place, 3, in, a->ndim, a->dims, 'C', out);
    release(n, in);
    return status;
}

/* A row of values for each true element: the dimensions of the value from `first` on. */
static tb_status set_each(tb_array *a, tb_array *mask, tb_array *value, int first)
{
    tb_array *order;
    tb_expr *where, *e;
    int64_t count, strides[TB_MAXDIM] = {0};
    TB_TRY(tb__mask_count(mask, &order, &count));
    tb_status status = value->dims[first] == count ? TB_OK : fail_count(value->dims[first], count);
    if (status == TB_OK && count > 0 && a->size > 0) {
        const int rest = value->ndim - first - 1, own = a->ndim - rest;
        for (int d = 0; d < rest; d++)
            if (value->dims[first + 1 + d] > 1) strides[own + d] = value->strides[first + 1 + d];
        status = ready(a, mask, value);
        if (status == TB_OK) status = value_offsets(a, order, count, value->strides[first], &where);
        if (status == TB_OK) status = tb__gather(value, strides, where, &e);
        if (status == TB_OK) status = write_masked(a, mask, e);
    }
    tb_array_release(order);
    return status;
}

/* The same where positions are found without a scan and the mask's axes are one. */
static tb_status set_at_positions(tb_array *a, tb_array *mask, const tb_operand *value, int first)
{
    tb_array *rows;
    tb_index key = {.kind = TB_INDEX_ARRAY};
    TB_TRY(flat_positions(mask, false, &key.array));
    const int64_t given = value->array->dims[first], count = key.array->size;
    tb_status status = given == count ? merge_axes(a, mask, &rows) : fail_count(given, count);
    if (status == TB_OK) {
        status = tb_array_index_set(rows, 1, &key, value);
        tb_array_release(rows);
    }
    tb_array_release(key.array);
    return status;
}

tb_status tb__mask_set(tb_array *a, tb_array *mask, const tb_operand *operand)
{
    tb_array *value = operand->array;
    tb_expr *e;
    TB_TRY(tb__check_mask(a, 0, mask));
    if (!value) {
        TB_TRY(ready(a, mask, NULL));
        TB_TRY(tb__node_scalar(operand->scalar, (tb_dtype)a->dtype, &e));
        return write_masked(a, mask, e);
    }
    const int rest = a->ndim - mask->ndim;
    int first = value->ndim > rest ? value->ndim - rest : 0;
    for (int d = 0; d + 1 < first; d++)
        if (value->dims[d] != 1) return fail_shape(a, mask, value);
    if (!fits(a, value, first)) return fail_shape(a, mask, value);
    if (first == 0 || value->dims[first - 1] == 1) return set_alike(a, mask, value, first);
    if (a->ndim == mask->ndim && value->ndim == 1 && is_put_here(a, mask, value)) return put_here(a, mask, value, true);
    if (tb__backend->find_set && (mask->ndim == 1 || a->c_contiguous))
        return set_at_positions(a, mask, operand, first - 1);
    return set_each(a, mask, value, first - 1);
}
