/* repeat.c - each part of an array along an axis, several times. As often as all others it is a broadcast; by a number
 * of its own the host writes it where memory is the host's, and else the parts are gathered at positions that follow
 * from running sums. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "base/waits.h"
#include "ops/array_ops.h"

static const char who[] = "repeat";

static tb_status fail_negative(void) { return tb__fail(TB_ERR_VALUE, "%s: repeats must not be negative", who); }

/* a with the axis: TB_ALL_AXES, and any of an array of no dimension, is the only one of the elements in a row. */
static tb_status open_axis(tb_array *a, int *axis, tb_array **out)
{
    const bool flat = *axis == TB_ALL_AXES || a->ndim == 0;
    bool copied;
    TB_TRY(tb__axis(*axis == TB_ALL_AXES ? 0 : *axis, flat ? 1 : a->ndim, axis));
    if (flat && a->ndim != 1) return tb_reshape(a, 1, &a->size, 'C', &copied, out);
    *out = tb_array_retain(a);
    return TB_OK;
}

/* ---- all alike --------------------------------------------------------------------------------------------------- */

static tb_status repeat_alike(tb_array *a, int axis, int64_t n, tb_array **out)
{
    int64_t shape[TB_MAXDIM + 1], strides[TB_MAXDIM + 1];
    tb_array *wide, *copy;
    bool copied;
    if (n < 0) return fail_negative();
    if (a->ndim == TB_MAXDIM) return tb__fail(TB_ERR_VALUE, "%s: an array of %d dimensions", who, a->ndim);
    for (int d = 0; d <= a->ndim; d++) {
        shape[d] = d == axis + 1 ? n : a->dims[d - (d > axis)];
        strides[d] = d == axis + 1 ? 0 : a->strides[d - (d > axis)];
    }
    TB_TRY(tb__view(a, a->offset, (tb_dtype)a->dtype, a->ndim + 1, shape, strides, &wide));
    tb_status status = tb_copy(wide, 'C', &copy);
    tb_array_release(wide);
    TB_TRY(status);
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    shape[axis] *= n;
    status = tb_reshape(copy, a->ndim, shape, 'C', &copied, out);
    tb_array_release(copy);
    return status;
}

/* ---- by numbers, on the host ------------------------------------------------------------------------------------- */

#define SPREAD(T, NAME)                                                                              \
    static char *NAME(const char *from, const int64_t *times, int64_t length, char *to)              \
    {                                                                                                \
        for (int64_t i = 0; i < length; i++, from += sizeof(T)) {                                    \
            T v;                                                                                     \
            memcpy(&v, from, sizeof v);                                                              \
            for (int64_t k = times[i]; k > 0; k--, to += sizeof v) memcpy(to, &v, sizeof v);         \
        }                                                                                            \
        return to;                                                                                   \
    }

SPREAD(uint8_t, spread_1)
SPREAD(uint16_t, spread_2)
SPREAD(uint32_t, spread_4)
SPREAD(uint64_t, spread_8)

/* Parts of so many bytes; returns where the next row goes. */
static char *spread(const char *from, const int64_t *times, int64_t length, size_t part, char *to)
{
    switch (part) {
    case 1: return spread_1(from, times, length, to);
    case 2: return spread_2(from, times, length, to);
    case 4: return spread_4(from, times, length, to);
    case 8: return spread_8(from, times, length, to);
    default: break;
    }
    for (int64_t i = 0; i < length; i++, from += part)
        for (int64_t k = times[i]; k > 0; k--, to += part) memcpy(to, from, part);
    return to;
}

static tb_status add_up(const int64_t *times, int64_t n, int64_t *total)
{
    int64_t sum = 0;
    bool beyond = false;
    for (int64_t i = 0; i < n; i++) {
        if (times[i] < 0) return fail_negative();
        beyond |= __builtin_add_overflow(sum, times[i], &sum);
    }
    if (beyond) return tb__fail(TB_ERR_VALUE, "%s: more elements than an array can have", who);
    *total = sum;
    return TB_OK;
}

static tb_status spread_stored(const tb_array *from, const tb_array *counts, int axis, tb_array **out)
{
    const int64_t *times = (const int64_t *)(const void *)(counts->buffer->ptr + counts->offset), length = counts->size;
    int64_t shape[TB_MAXDIM], rows = 1, inner = 1;
    tb_array *result;
    memcpy(shape, from->dims, (size_t)from->ndim * sizeof *shape);
    TB_TRY(add_up(times, length, &shape[axis]));
    for (int d = 0; d < axis; d++) rows *= shape[d];
    for (int d = axis + 1; d < from->ndim; d++) inner *= shape[d];
    TB_TRY(tb__empty((tb_dtype)from->dtype, from->ndim, shape, 'C', &result));
    const tb_status status = tb__before_write(result->buffer);
    if (status != TB_OK) {
        tb_array_release(result);
        return status;
    }
    const size_t part = (size_t)inner * tb_dtype_size((tb_dtype)from->dtype);
    const char *at = from->buffer->ptr + from->offset;
    char *to = result->buffer->ptr;
    for (int64_t row = 0; result->size > 0 && row < rows; row++, at += (size_t)length * part)
        to = spread(at, times, length, part, to);
    *out = result;
    return TB_OK;
}

static tb_status repeat_here(tb_array *a, tb_array *counts, int axis, tb_array **out)
{
    tb_array *from, *times;
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__stored(counts, TB_I64, &times));
    tb_status status = tb__stored(a, (tb_dtype)a->dtype, &from);
    if (status == TB_OK) {
        status = tb__backend->stream_synchronize(s);
        if (status == TB_OK) status = spread_stored(from, times, axis, out);
        tb_array_release(from);
    }
    tb_array_release(times);
    return status;
}

/* ---- by numbers, elsewhere --------------------------------------------------------------------------------------- */

/* The last of where parts end, -1 if a count is negative; for which the host waits. */
static tb_status read_total(tb_array *counts, tb_array *ends, int64_t *total)
{
    tb_array *least = NULL, *negative = NULL, *end = NULL, *answer = NULL;
    const tb_index last = {.kind = TB_INDEX_INT, .start = -1};
    tb_status status;
    TB_GOTO(tb_reduce(TB_RED_MIN, counts, NULL, &least));
    const tb_operand compared[2] = {tb_operand_array(least), tb_operand_int(0)};
    TB_GOTO(tb_ufunc_call(tb_ufunc_find("less"), compared, &negative, NULL));
    TB_GOTO(tb_array_index(ends, 1, &last, &end));
    const tb_operand sign = tb_operand_array(negative), none = tb_operand_int(-1), all = tb_operand_array(end);
    TB_GOTO(tb_where(&sign, &none, &all, &answer));
    TB_GOTO(tb_array_get(answer, total, NULL, NULL, true));
    if (*total < 0) status = fail_negative();
fail:
    tb_array_release(least);
    tb_array_release(negative);
    tb_array_release(end);
    tb_array_release(answer);
    return status;
}

/* Each position as often as its count says: one begins where all before it have ended, which the running sum of a one
 * at each end counts. */
static tb_status positions_of(tb_array *counts, tb_array **out)
{
    tb_array *ends = NULL, *marks = NULL, *inside = NULL;
    int64_t total = 0;
    tb_status status;
    TB_GOTO(tb_scan(TB_RED_SUM, counts, TB_ALL_AXES, TB_I64, &ends));
    TB_GOTO(read_total(counts, ends, &total));
    const int64_t size = total + 1;
    const tb_index at = {.kind = TB_INDEX_ARRAY, .array = ends};
    const tb_index first = {.kind = TB_INDEX_SLICE, .stop = total, .step = 1, .has_stop = true};
    const tb_operand one = tb_operand_int(1);
    TB_GOTO(tb_full(TB_I64, 1, &size, 'C', tb_scalar_int(0), &marks));
    TB_GOTO(tb_ufunc_update(tb_ufunc_find("add"), marks, 1, &at, &one));
    TB_GOTO(tb_array_index(marks, 1, &first, &inside));
    TB_GOTO(tb_scan(TB_RED_SUM, inside, TB_ALL_AXES, TB_I64, out));
fail:
    tb_array_release(ends);
    tb_array_release(marks);
    tb_array_release(inside);
    return status;
}

static tb_status repeat_there(tb_array *a, tb_array *counts, int axis, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    TB_TRY(positions_of(counts, &key[axis].array));
    tb_array *positions = key[axis].array;
    for (int d = 0; d < axis; d++) key[d] = (tb_index){.kind = TB_INDEX_SLICE, .step = 1};
    key[axis] = (tb_index){.kind = TB_INDEX_ARRAY, .array = positions};
    const tb_status status = tb_array_index(a, axis + 1, key, out);
    tb_array_release(positions);
    return status;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

tb_status tb_repeat(tb_array *a, int64_t n, int axis, tb_array **out)
{
    tb_array *from;
    TB_NOT_NULL(a, out);
    TB_TRY(open_axis(a, &axis, &from));
    const tb_status status = repeat_alike(from, axis, n, out);
    tb_array_release(from);
    return status;
}

static tb_status repeat_by(tb_array *a, tb_array *counts, int axis, tb_array **out)
{
    if (counts->size != a->dims[axis])
        return tb__fail(TB_ERR_VALUE, "%s: %lld repeats for an axis of length %lld", who, (long long)counts->size,
                        (long long)a->dims[axis]);
    if (counts->size == 0) return tb_copy(a, 'C', out);
    TB_TRY(tb__may_wait("the numbers of repeats"));
    if (!tb__backend->on_host) return repeat_there(a, counts, axis, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(repeat_here(a, counts, axis, out));
}

tb_status tb_repeat_by(tb_array *a, tb_array *counts, int axis, tb_array **out)
{
    tb_array *from;
    TB_NOT_NULL(a, counts, out);
    if (counts->size > 0 && tb_dtype_kind((tb_dtype)counts->dtype) > TB_KIND_INT)
        return tb__fail(TB_ERR_TYPE, "%s: repeats must be integers, not %s", who,
                        tb_dtype_name((tb_dtype)counts->dtype));
    if (counts->ndim > 1)
        return tb__fail(TB_ERR_VALUE, "%s: repeats must be one-dimensional, they have %d dimensions", who,
                        counts->ndim);
    TB_TRY(open_axis(a, &axis, &from));
    tb_scalar n = {.dtype = TB_I64};
    tb_status status;
    if (counts->size != 1) {
        status = repeat_by(from, counts, axis, out);
    } else {
        status = tb_item(counts, &n);
        if (status == TB_OK) status = repeat_alike(from, axis, n.v.i, out);
    }
    tb_array_release(from);
    return status;
}
