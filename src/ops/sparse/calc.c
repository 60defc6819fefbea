/* calc.c - sequences of array operations. */
#include "ops/sparse/calc.h"

#include "base/error.h"

tb_array *tb__calc_keep(tb_calc *c, tb_status status, tb_array *const *a)
{
    if (status == TB_OK && c->n == TB_CALC_MOST) {
        tb_array_release(*a);
        status = tb__fail(TB_ERR_INTERNAL, "a calculation has more than %d steps", TB_CALC_MOST);
    }
    c->status = status;
    return status == TB_OK ? c->held[c->n++] = *a : NULL;
}

tb_status tb__calc_end(tb_calc *c)
{
    while (c->n > 0) tb_array_release(c->held[--c->n]);
    return c->status;
}

tb_array *tb__calc_cast(tb_calc *c, tb_array *a, tb_dtype t)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb_astype(a, t, 'C', TB_CAST_UNSAFE, false, &result), &result);
}

tb_array *tb__calc_only(tb_calc *c, int from, tb_array *a)
{
    int kept = from;
    if (c->status != TB_OK) return NULL;
    for (int i = from; i < c->n; i++)
        if (c->held[i] == a && kept == from) c->held[kept++] = a;
        else tb_array_release(c->held[i]);
    c->n = kept;
    return a;
}

void tb__calc_give(tb_calc *c, tb_array *a, tb_dtype t, tb_array **out)
{
    tb_array *result = t == TB_NODTYPE ? a : tb__calc_cast(c, a, t);
    if (c->status == TB_OK) *out = tb_array_retain(result);
}

tb_array *tb__calc_count(tb_calc *c, int64_t n)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb_arange(TB_I64, tb_scalar_int(0), tb_scalar_int(1), n, &result), &result);
}

tb_array *tb__calc_fill(tb_calc *c, int64_t value, int64_t n)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb_full(TB_I64, 1, &n, 'C', tb_scalar_int(value), &result), &result);
}

static tb_array *call(tb_calc *c, const char *ufunc, tb_operand a, tb_operand b)
{
    const tb_operand in[] = {a, b};
    tb_array *result = NULL;
    return tb__calc_keep(c, tb_ufunc_call(tb_ufunc_find(ufunc), in, &result, NULL), &result);
}

tb_array *tb__calc_of(tb_calc *c, const char *ufunc, tb_array *a, tb_array *b)
{
    return c->status == TB_OK ? call(c, ufunc, tb_operand_array(a), tb_operand_array(b)) : NULL;
}

tb_array *tb__calc_with(tb_calc *c, const char *ufunc, tb_array *a, int64_t value)
{
    return c->status == TB_OK ? call(c, ufunc, tb_operand_array(a), tb_operand_int(value)) : NULL;
}

tb_array *tb__calc_where(tb_calc *c, tb_array *condition, tb_array *a, int64_t other)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    const tb_operand cond = tb_operand_array(condition), x = tb_operand_array(a), y = tb_operand_int(other);
    return tb__calc_keep(c, tb_where(&cond, &x, &y, &result), &result);
}

tb_array *tb__calc_pick(tb_calc *c, tb_array *a, tb_array *numbers)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = numbers};
    return tb__calc_keep(c, tb_array_index(a, 1, &key, &result), &result);
}

tb_array *tb__calc_part(tb_calc *c, tb_array *a, int64_t start, int64_t stop)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    const tb_index key = {
        .kind = TB_INDEX_SLICE, .start = start, .stop = stop, .step = 1, .has_start = true, .has_stop = true};
    return tb__calc_keep(c, tb_array_index(a, 1, &key, &result), &result);
}

tb_array *tb__calc_join(tb_calc *c, tb_array *a, tb_array *b)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    const int64_t na = a->size, n = na + b->size;
    tb_array *joined = tb__calc_keep(c, tb_empty((tb_dtype)a->dtype, 1, &n, 'C', &result), &result);
    tb_array *first = tb__calc_part(c, joined, 0, na), *second = tb__calc_part(c, joined, na, n);
    if (c->status == TB_OK) c->status = tb_assign(first, a, TB_CAST_UNSAFE);
    if (c->status == TB_OK) c->status = tb_assign(second, b, TB_CAST_UNSAFE);
    return joined;
}

tb_array *tb__calc_search(tb_calc *c, tb_array *sorted, tb_array *values, bool right)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb_searchsorted(sorted, values, right, &result), &result);
}

tb_array *tb__calc_order(tb_calc *c, tb_array *keys, int64_t end)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb__argsort_below(keys, end, &result), &result);
}

tb_array *tb__calc_nonzero(tb_calc *c, tb_array *mask)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    return tb__calc_keep(c, tb_nonzero(mask, &result), &result);
}

tb_array *tb__calc_running_sum(tb_calc *c, tb_array *a)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return NULL;
    tb_array *sums = tb__calc_keep(c, tb_scan(TB_RED_SUM, a, 0, TB_I64, &result), &result);
    return tb__calc_join(c, tb__calc_fill(c, 0, 1), sums);
}

static int64_t fetch(tb_calc *c, tb_array *a)
{
    int64_t value = 0;
    tb_array *wide = tb__calc_cast(c, a, TB_I64);
    if (c->status == TB_OK) c->status = tb_array_get(wide, &value, NULL, NULL, true);
    return value;
}

int64_t tb__calc_item(tb_calc *c, tb_array *a, int64_t at)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return 0;
    const tb_index key = {.kind = TB_INDEX_INT, .start = at};
    return fetch(c, tb__calc_keep(c, tb_array_index(a, 1, &key, &result), &result));
}

int64_t tb__calc_reduce(tb_calc *c, tb_reduction op, tb_array *a)
{
    tb_array *result = NULL;
    if (c->status != TB_OK) return 0;
    return fetch(c, tb__calc_keep(c, tb_reduce(op, a, NULL, &result), &result));
}
