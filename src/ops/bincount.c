/* bincount.c - how often each number comes up: the host counts in one pass, without knowing the largest before. On
 * other devices, and where numbers are large beside how many there are, the largest is read and ones are added at the
 * numbers' places. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/array_ops.h"

static const char who[] = "bincount";

/* ---- on the host ----------------------------------------------------------------------------------------------- */

static tb_status deliver_table(const tb_tally *t, int64_t places, tb_array **out)
{
    tb_array *result;
    TB_TRY(tb__empty(t->weights ? TB_F64 : TB_I64, 1, &places, 'C', &result));
    const tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK && places > 0) {
        char *to = result->buffer->ptr;
        memcpy(to, t->table, (size_t)t->places * 8);
        memset(to + t->places * 8, 0, (size_t)(places - t->places) * 8);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* *out stays NULL where numbers are too large for that. weights: float64, or NULL. */
static tb_status tally(tb_array *x, tb_array *weights, int64_t least, tb_array **out)
{
    tb_stream *s;
    tb_tally t = {.dtype = (tb_dtype)x->dtype, .n = x->size, .in = x->buffer->ptr + x->offset};
    if (weights) t.weights = (const double *)(const void *)(weights->buffer->ptr + weights->offset);
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__backend->tally(s, &t));
    if (!t.table) return TB_OK;
    const tb_status status = deliver_table(&t, tb__max(t.places, least), out);
    free(t.table);
    return status;
}

static tb_status tally_here(tb_array *x, tb_array *weights, int64_t least, tb_array **out)
{
    tb_array *numbers, *heavy = NULL;
    *out = NULL;
    TB_TRY(tb__stored(x, (tb_dtype)x->dtype, &numbers));
    tb_status status = weights ? tb__stored(weights, TB_F64, &heavy) : TB_OK;
    if (status == TB_OK) status = tally(numbers, heavy, least, out);
    tb_array_release(numbers);
    if (heavy) tb_array_release(heavy);
    return status;
}

/* ---- by a reduction and a scatter ------------------------------------------------------------------------------ */

static tb_status extreme(tb_array *x, tb_reduction op, tb_dtype t, void *out)
{
    tb_array *r, *wide;
    TB_TRY(tb_reduce(op, x, NULL, &r));
    tb_status status = tb_astype(r, t, 'C', TB_CAST_UNSAFE, false, &wide);
    tb_array_release(r);
    TB_TRY(status);
    status = tb_array_get(wide, out, NULL, NULL, true);
    tb_array_release(wide);
    return status;
}

/* How many places there are: one more than the largest number. */
static tb_status find_places(tb_array *x, tb_array *view, int64_t *places)
{
    const int bits = (int)(8 * tb_dtype_size((tb_dtype)x->dtype));
    uint64_t most;
    int64_t least;
    TB_TRY(extreme(view, TB_RED_MAX, TB_U64, &most));
    if (!tb_dtype_is_unsigned((tb_dtype)x->dtype) && x->dtype != TB_BOOL && most >> (bits - 1)) {
        TB_TRY(extreme(x, TB_RED_MIN, TB_I64, &least));
        return tb__fail(TB_ERR_VALUE, "%s: x must have no negative elements, one is %lld", who, (long long)least);
    }
    if (most >= INT64_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: %llu is too large a number to count up to", who, (unsigned long long)most);
    *places = (int64_t)most + 1;
    return TB_OK;
}

static tb_status scatter(tb_array *x, tb_array *weights, int64_t least, tb_array **out)
{
    static const tb_dtype of_size[] = {[1] = TB_U8, [2] = TB_U16, [4] = TB_U32, [8] = TB_U64};
    tb_array *view, *result;
    int64_t places = 0;
    TB_TRY(tb_view_dtype(x, of_size[tb_dtype_size((tb_dtype)x->dtype)], &view)); /* negative ones are the largest */
    tb_status status = TB_OK;
    if (x->size > 0) status = find_places(x, view, &places);
    places = tb__max(places, least);
    if (status == TB_OK) status = tb_full(weights ? TB_F64 : TB_I64, 1, &places, 'C', tb_scalar_int(0), &result);
    if (status == TB_OK && x->size > 0) {
        const tb_index key = {.kind = TB_INDEX_ARRAY, .array = view};
        const tb_operand value = weights ? tb_operand_array(weights) : tb_operand_int(1);
        status = tb_ufunc_update(tb_ufunc_find("add"), result, 1, &key, &value);
        if (status != TB_OK) tb_array_release(result);
    }
    tb_array_release(view);
    if (status == TB_OK) *out = result;
    return status;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static tb_status check(const tb_array *x, const tb_array *weights, int64_t least)
{
    const tb_kind kind = tb_dtype_kind((tb_dtype)x->dtype);
    if (kind > TB_KIND_INT)
        return tb__fail(TB_ERR_TYPE, "%s: x must be of integers, not %s", who, tb_dtype_name((tb_dtype)x->dtype));
    if (x->ndim != 1)
        return tb__fail(TB_ERR_VALUE, "%s: x must be one-dimensional, it has %d dimensions", who, x->ndim);
    if (least < 0)
        return tb__fail(TB_ERR_VALUE, "%s: minlength must not be negative, it is %lld", who, (long long)least);
    if (!weights) return TB_OK;
    if (tb_dtype_kind((tb_dtype)weights->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: weights must be real, not %s", who, tb_dtype_name((tb_dtype)weights->dtype));
    if (weights->ndim != 1 || weights->dims[0] != x->dims[0])
        return tb__fail(TB_ERR_VALUE, "%s: weights must have x's shape, which is (%lld,)", who, (long long)x->size);
    return TB_OK;
}

tb_status tb_bincount(tb_array *x, tb_array *weights, int64_t minlength, tb_array **out)
{
    tb_array *result = NULL;
    TB_NOT_NULL(x, out);
    if (weights) TB_NOT_NULL(weights);
    TB_TRY(check(x, weights, minlength));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    if (tb__backend->tally && x->size > 0) TB_TRY(TB__OPERATION(tally_here(x, weights, minlength, &result)));
    if (!result) return scatter(x, weights, minlength, out);
    *out = result;
    return TB_OK;
}
