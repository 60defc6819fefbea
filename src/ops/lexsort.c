/* lexsort.c - orders by several keys, where the device is the host. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

enum { MOST_KEYS = 1 << 20 };

typedef struct columns {
    int n;
    tb_array **rows; /* stored; the first one decides first */
    tb_dtype *dtype;
    const void **at;
} columns;

static void release(columns *c)
{
    for (int i = 0; i < c->n; i++) tb_array_release(c->rows[i]);
    free(c->rows);
}

static tb_status make_columns(int n, tb_array *const *keys, int axis, columns *c)
{
    const size_t each = sizeof *c->rows + sizeof *c->at + sizeof *c->dtype;
    *c = (columns){.rows = malloc((size_t)n * each)};
    if (!c->rows) return tb__fail_memory((size_t)n * each, 0, 0, 0);
    c->at = (const void **)(void *)(c->rows + n);
    c->dtype = (tb_dtype *)(void *)(c->at + n);
    tb_status status = TB_OK;
    for (; status == TB_OK && c->n < n; c->n += status == TB_OK) {
        tb_array **rows = &c->rows[c->n];
        status = tb__rows_of(keys[n - 1 - c->n], axis, rows);
        if (status != TB_OK) break;
        c->dtype[c->n] = (tb_dtype)(*rows)->dtype;
        c->at[c->n] = (*rows)->buffer->ptr + (*rows)->offset;
    }
    if (status != TB_OK) release(c);
    return status;
}

/* A new array: positions of rows along the last axis. */
static tb_status order_rows(const columns *c, tb_array **out)
{
    tb_stream *s;
    tb_array *result;
    const tb_array *first = c->rows[0];
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty(TB_I64, first->ndim, first->dims, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK && result->size > 0) {
        const int64_t n = first->dims[first->ndim - 1];
        const tb_sort_keys keys = {result->size / n, n, c->n, c->dtype, c->at, (int64_t *)(void *)result->buffer->ptr};
        status = tb__backend->sort_keys(s, &keys);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status lexsort(int n, tb_array *const *keys, int axis, tb_array **out)
{
    columns c;
    tb_array *order = NULL, *view;
    const int last = keys[0]->ndim - 1;
    TB_TRY(make_columns(n, keys, axis, &c));
    tb_status status = order_rows(&c, &order);
    release(&c);
    TB_TRY(status);
    if (axis == last) {
        *out = order;
        return TB_OK;
    }
    status = tb__swap_axes(order, axis, last, &view);
    tb_array_release(order);
    TB_TRY(status);
    status = tb__copy(view, 'C', out);
    tb_array_release(view);
    return status;
}

tb_status tb_lexsort(int n, tb_array *const *keys, int axis, tb_array **out)
{
    TB_NOT_NULL(keys, out);
    TB_IS_COUNT(n, MOST_KEYS);
    if (n == 0) return tb__fail(TB_ERR_TYPE, "lexsort: at least one key is needed");
    for (int i = 0; i < n; i++)
        if (!keys[i]) return tb__fail_null(__func__, "keys");
    TB_NONE_RELEASED(n, keys, keys[0]);
    for (int i = 0; i < n; i++) TB_ARE_NUMBERS("lexsort", keys[i]->dtype);
    for (int i = 1; i < n; i++)
        if (keys[i]->ndim != keys[0]->ndim ||
            memcmp(keys[i]->dims, keys[0]->dims, (size_t)keys[0]->ndim * sizeof *keys[0]->dims) != 0)
            return tb__fail(TB_ERR_VALUE, "lexsort: the keys must have the same shape");
    TB_TRY(tb__axis(axis, keys[0]->ndim, &axis));
    if (!tb__backend->sort_keys) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "lexsort: the device is not the host");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(lexsort(n, keys, axis, out));
}
