/* moves.c - rows, columns and elements of matrices picked, and matrices joined, with their values, on the host. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

/* A matrix in memory. */
typedef struct held {
    tb_held h;
    tb_array *values;
} held;

static tb_status hold(const char *who, const tb_pattern *p, tb_array *values, held *out)
{
    *out = (held){.values = NULL};
    TB_TRY(tb__pattern_hold(who, p, &out->h));
    return tb__stored(values, (tb_dtype)values->dtype, &out->values);
}

static void drop(held *m)
{
    tb__pattern_drop(&m->h);
    tb_array_release(m->values);
}

/* Room for n elements of a new pattern, whose start is there. */
static tb_status make_rest(tb_dtype t, int64_t n, tb_pattern *p, tb_array **values)
{
    TB_TRY(tb__index_vector(p->start->dtype == TB_I64, n, &p->index));
    return tb__sparse_room(t, 1, &n, 'C', values);
}

/* What was made to whoever asked, or away with it. */
static tb_status deliver(tb_status status, tb_pattern *made, tb_array *values, tb_pattern *out, tb_array **moved)
{
    if (status == TB_OK) {
        *out = *made;
        *moved = values;
        return TB_OK;
    }
    tb__pattern_release(made);
    tb_array_release(values);
    return status;
}

static tb_status check_matrix(const char *who, const tb_pattern *p, const tb_array *values)
{
    TB_TRY(tb__pattern_usable(who, p));
    return tb__values_usable(who, p, values);
}

/* ---- rows and columns -------------------------------------------------------------------------------------------- */

static tb_status fill(tb_sparse_move *m, bool columns, tb_dtype t, tb_pattern *made, tb_array **moved)
{
    tb_status (*const routine)(const tb_sparse_move *) =
        columns ? tb__backend->sparse->take_cols : tb__backend->sparse->take_rows;
    int64_t n;
    TB_TRY(tb__index_vector(m->a.wide, made->rows + 1, &made->start));
    m->start = tb__vector_at(made->start);
    TB_TRY(routine(m));
    TB_TRY(tb__pattern_size(made->start, &n));
    TB_TRY(make_rest(t, n, made, moved));
    m->index = tb__vector_at(made->index);
    m->moved = tb__vector_at(*moved);
    return n > 0 ? routine(m) : TB_OK;
}

static tb_status pick_stored(const held *a, bool columns, const tb_array *picked, tb_pattern *made, tb_array **moved)
{
    const tb_sparse_pattern *p = &a->h.p;
    const size_t table = columns ? (size_t)(p->cols + picked->size + 2) * (p->wide ? 8 : 4) : 0;
    tb_sparse_move m = {.a = *p,
                        .item = tb_dtype_size((tb_dtype)a->values->dtype),
                        .n = picked->size,
                        .picked = tb__vector_at(picked),
                        .values = tb__vector_at(a->values)};
    TB_TRY(tb__sparse_begin());
    if (table > 0 && !(m.table = malloc(table))) return tb__fail_memory(table, 0, 0, 0);
    *made = (tb_pattern){columns ? p->rows : m.n, columns ? m.n : p->cols, NULL, NULL};
    tb__count.launches++;
    const tb_status status = fill(&m, columns, (tb_dtype)a->values->dtype, made, moved);
    free(m.table);
    return status;
}

static tb_status pick(const tb_pattern *p, tb_array *values, bool columns, tb_array *picked, tb_pattern *out,
                      tb_array **moved)
{
    held a;
    tb_array *which = NULL, *result = NULL;
    tb_pattern made = {0, 0, NULL, NULL};
    tb_status status = hold("tb_sparse_pick", p, values, &a);
    if (status == TB_OK) status = tb__stored(picked, (tb_dtype)picked->dtype, &which);
    if (status == TB_OK) status = pick_stored(&a, columns, which, &made, &result);
    tb_array_release(which);
    drop(&a);
    return deliver(status, &made, result, out, moved);
}

tb_status tb_sparse_pick(const tb_pattern *p, tb_array *values, bool columns, tb_array *picked, tb_pattern *out,
                         tb_array **moved)
{
    TB_NOT_NULL(p, values, picked);
    TB_NOT_NULL(out, moved);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(check_matrix(__func__, p, values));
    if (picked->ndim != 1 || picked->dtype != p->index->dtype)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_pick: what is picked must be a vector of the indices' dtype");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(pick(p, values, columns, picked, out, moved));
}

/* ---- one element ------------------------------------------------------------------------------------------------- */

static int64_t number_at(const void *numbers, bool wide, int64_t i)
{
    return wide ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

/* The number of an element of a pattern in order, or -1. */
static int64_t find(const tb_held *h, int64_t row, int64_t col)
{
    const tb_sparse_pattern *p = &h->p;
    int64_t low = number_at(p->start, p->wide, row), high = number_at(p->start, p->wide, row + 1);
    while (low < high) {
        const int64_t mid = low + (high - low) / 2, x = number_at(p->index, p->wide, mid);
        if (x == col) return mid;
        if (x < col) low = mid + 1;
        else high = mid;
    }
    return -1;
}

static tb_status element_stored(const held *a, int64_t row, int64_t col, tb_array **out)
{
    const tb_dtype t = (tb_dtype)a->values->dtype;
    const size_t item = tb_dtype_size(t);
    tb_array *result = NULL;
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__sparse_room(t, 0, NULL, 'C', &result));
    const int64_t i = find(&a->h, row, col);
    if (i < 0) memset(tb__vector_at(result), 0, item);
    else memcpy(tb__vector_at(result), (const char *)tb__vector_at(a->values) + (size_t)i * item, item);
    *out = result;
    return TB_OK;
}

static tb_status element(const tb_pattern *p, tb_array *values, int64_t row, int64_t col, tb_array **out)
{
    held a;
    tb_status status = hold("tb_sparse_get_element", p, values, &a);
    if (status == TB_OK) status = element_stored(&a, row, col, out);
    drop(&a);
    return status;
}

tb_status tb_sparse_get_element(const tb_pattern *p, tb_array *values, int64_t row, int64_t col, tb_array **out)
{
    TB_NOT_NULL(p, values, out);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(check_matrix(__func__, p, values));
    if (row < 0 || row >= p->rows || col < 0 || col >= p->cols)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_get_element: there is no such place");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(element(p, values, row, col, out));
}

/* ---- matrices side by side --------------------------------------------------------------------------------------- */

static tb_status join_stored(int n, const held *a, tb_sparse_side *sides, tb_pattern *made, tb_array **moved)
{
    const tb_dtype t = (tb_dtype)a[0].values->dtype;
    tb_sparse_sides q = {n, a[0].h.p.rows, a[0].h.p.wide, tb_dtype_size(t), sides, NULL, NULL, NULL};
    int64_t total = 0;
    TB_TRY(tb__sparse_begin());
    *made = (tb_pattern){q.rows, 0, NULL, NULL};
    for (int i = 0; i < n; i++) {
        sides[i] = (tb_sparse_side){a[i].h.p, tb__vector_at(a[i].values), made->cols};
        made->cols += a[i].h.p.cols;
        total += a[i].h.n;
    }
    if (!q.wide && tb__max(total, made->cols) > INT32_MAX)
        return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix of such a size needs int64 indices");
    TB_TRY(tb__index_vector(q.wide, q.rows + 1, &made->start));
    TB_TRY(make_rest(t, total, made, moved));
    q.start = tb__vector_at(made->start);
    q.index = tb__vector_at(made->index);
    q.moved = tb__vector_at(*moved);
    tb__count.launches++;
    return tb__backend->sparse->join(&q);
}

static tb_status join(int n, const tb_pattern *p, tb_array *const *values, tb_pattern *out, tb_array **moved)
{
    held *a = calloc((size_t)n, sizeof *a);
    tb_sparse_side *sides = calloc((size_t)n, sizeof *sides);
    tb_array *result = NULL;
    tb_pattern made = {0, 0, NULL, NULL};
    tb_status status = a && sides ? TB_OK : tb__fail_memory((size_t)n * sizeof *a, 0, 0, 0);
    for (int i = 0; status == TB_OK && i < n; i++) status = hold("tb_sparse_join", &p[i], values[i], &a[i]);
    if (status == TB_OK) status = join_stored(n, a, sides, &made, &result);
    for (int i = 0; a && i < n; i++) drop(&a[i]);
    free(a);
    free(sides);
    return deliver(status, &made, result, out, moved);
}

tb_status tb_sparse_join(int n, const tb_pattern *p, tb_array *const *values, tb_pattern *out, tb_array **moved)
{
    TB_NOT_NULL(p, values, out, moved);
    TB_TRY(tb__sparse_on_host(__func__));
    if (n < 1) return tb__fail(TB_ERR_VALUE, "tb_sparse_join: there must be a matrix");
    for (int i = 0; i < n; i++) {
        TB_NOT_NULL(p[i].start, p[i].index, values[i]);
        TB_TRY(check_matrix(__func__, &p[i], values[i]));
        if (p[i].rows != p[0].rows || p[i].index->dtype != p[0].index->dtype || values[i]->dtype != values[0]->dtype)
            return tb__fail(TB_ERR_VALUE, "tb_sparse_join: matrices must have as many rows, and the same dtypes");
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(join(n, p, values, out, moved));
}
