/* bincount.c - how often each number comes up: the host counts in one pass, without knowing the largest before; another
 * device does where numbers are small. Else the largest is read, and ones are added at the numbers' places. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/waits.h"
#include "ops/array_ops.h"

static const char who[] = "bincount";

/* How many places numbers of dtype t have that are not negative: those that are look larger when read as unsigned. */
static int64_t most_places(tb_dtype t)
{
    const size_t bits = 8 * tb_dtype_size(t) - (tb_dtype_kind(t) == TB_KIND_INT && !tb_dtype_is_unsigned(t));
    return bits < 63 ? (int64_t)1 << bits : INT64_MAX;
}

/* ---- on the host ----------------------------------------------------------------------------------------------- */

/* The result, when there is one. */
typedef struct counts {
    tb_dtype dtype;
    int64_t least, most; /* places: wanted in any case; of numbers that are not negative */
    tb_array *array;
    tb_status status;
} counts;

/* Of so many places or `least`, of which those beyond are 0. NULL: there is an error, or a negative number. */
static void *make_result(void *owner, int64_t places)
{
    counts *c = owner;
    if (places > c->most) return NULL;
    const int64_t all = tb__max(places, c->least);
    c->status = tb__empty(c->dtype, 1, &all, 'C', &c->array);
    if (c->status == TB_OK) c->status = tb__before_write(c->array->buffer);
    if (c->status != TB_OK) return NULL;
    char *to = c->array->buffer->ptr;
    memset(to + places * 8, 0, (size_t)(all - places) * 8);
    return to;
}

/* *out stays NULL where numbers are too large for that, or negative. weights: float64, or NULL. */
static tb_status tally(tb_array *x, tb_array *weights, int64_t least, tb_array **out)
{
    tb_stream *s;
    tb_tally t = {.dtype = (tb_dtype)x->dtype, .n = x->size, .in = x->buffer->ptr + x->offset};
    counts c = {.dtype = weights ? TB_F64 : TB_I64, .least = least, .most = most_places(t.dtype)};
    if (weights) t.weights = (const double *)(const void *)(weights->buffer->ptr + weights->offset);
    t.room = make_result;
    t.owner = &c;
    TB_TRY(tb__current_stream(&s));
    tb_status status = tb__backend->tally(s, &t);
    if (status == TB_OK && t.table) {
        void *to = make_result(&c, t.places);
        if (to) memcpy(to, t.table, (size_t)t.places * 8);
    }
    free(t.table);
    if (c.status != TB_OK) status = c.status;
    if (status == TB_OK) *out = c.array;
    else if (c.array) tb_array_release(c.array);
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

/* A table of so many places, with what is added at those that x names. */
static tb_status add_up(tb_array *x, tb_array *weights, int64_t places, tb_array **out)
{
    tb_array *table;
    TB_TRY(tb_full(weights ? TB_F64 : TB_I64, 1, &places, 'C', tb_scalar_int(0), &table));
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = x};
    const tb_operand value = weights ? tb_operand_array(weights) : tb_operand_int(1);
    const tb_status status = x->size > 0 ? tb_ufunc_update(tb_ufunc_find("add"), table, 1, &key, &value) : TB_OK;
    if (status == TB_OK) *out = table;
    else tb_array_release(table);
    return status;
}

/* x: of unsigned integers. */
static tb_status scatter(tb_array *x, tb_array *view, tb_array *weights, int64_t least, tb_array **out)
{
    int64_t places = 0;
    if (x->size > 0) TB_TRY(find_places(x, view, &places));
    return add_up(view, weights, tb__max(places, least), out);
}

/* ---- by a table of small numbers ------------------------------------------------------------------------------- */

enum { SMALL = (1 << 12) - 1, MANY = 1 << 14 };

/* The last place of the table that is not zero. */
static tb_status last_place(tb_array *table, int64_t *last)
{
    tb_array *place, *counted, *found = NULL;
    const tb_operand none[] = {tb_operand_array(table), tb_operand_int(0)};
    TB_TRY(tb_arange(TB_I64, tb_scalar_int(0), tb_scalar_int(1), table->size, &place));
    tb_status status = tb_ufunc_call(tb_ufunc_find("not_equal"), none, &counted, NULL);
    if (status == TB_OK) {
        const tb_operand product[] = {tb_operand_array(counted), tb_operand_array(place)};
        status = tb_ufunc_call(tb_ufunc_find("multiply"), product, &found, NULL);
        tb_array_release(counted);
    }
    tb_array_release(place);
    TB_TRY(status);
    status = extreme(found, TB_RED_MAX, TB_I64, last);
    tb_array_release(found);
    return status;
}

/* Of a new array nobody else has a view. */
static void shorten(tb_array *table, int64_t places) { table->dims[0] = table->size = places; }

static tb_status lengthened(tb_array *table, int64_t places, tb_array **out)
{
    const tb_index first = {.kind = TB_INDEX_SLICE, .stop = table->size, .step = 1, .has_stop = true};
    tb_array *result;
    TB_TRY(tb_full(TB_I64, 1, &places, 'C', tb_scalar_int(0), &result));
    const tb_operand counts = tb_operand_array(table);
    const tb_status status = tb_array_index_set(result, 1, &first, &counts);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* What is not small goes to the table's last place; if there is any, or a negative one, *out stays NULL. */
static tb_status count_small(tb_array *view, int64_t most, int64_t least, tb_array **out)
{
    tb_array *numbers, *table;
    int64_t last = 0;
    const tb_operand in[] = {tb_operand_array(view), tb_operand_int(SMALL)};
    if (view->dtype == TB_U8) numbers = tb_array_retain(view);
    else TB_TRY(tb_ufunc_call(tb_ufunc_find("minimum"), in, &numbers, NULL));
    tb_status status = add_up(numbers, NULL, SMALL + 1, &table);
    tb_array_release(numbers);
    TB_TRY(status);
    status = last_place(table, &last);
    const int64_t places = tb__max(last + 1, least);
    if (status == TB_OK && last < tb__min(most, SMALL) && places <= table->size) {
        shorten(table, places);
        *out = table;
        return TB_OK;
    }
    if (status == TB_OK && last < tb__min(most, SMALL)) status = lengthened(table, places, out);
    tb_array_release(table);
    return status;
}

static tb_status count_there(tb_array *x, tb_array *weights, int64_t least, tb_array **out)
{
    static const tb_dtype of_size[] = {[1] = TB_U8, [2] = TB_U16, [4] = TB_U32, [8] = TB_U64};
    tb_array *view, *result = NULL;
    TB_TRY(tb_view_dtype(x, of_size[tb_dtype_size((tb_dtype)x->dtype)], &view)); /* negative ones are the largest */
    tb_status status = TB_OK;
    if (!tb__backend->on_host && !weights && x->size >= MANY)
        status = count_small(view, most_places((tb_dtype)x->dtype), least, &result);
    if (status == TB_OK && !result) status = scatter(x, view, weights, least, &result);
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
    if (weights) TB_ARE_NUMBERS("bincount", weights->dtype);
    if (x->size > 0) TB_TRY(tb__may_wait("the largest number"));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    if (tb__backend->tally && x->size > 0) TB_TRY(TB__OPERATION(tally_here(x, weights, minlength, &result)));
    if (!result) return count_there(x, weights, minlength, out);
    *out = result;
    return TB_OK;
}
