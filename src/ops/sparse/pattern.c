/* pattern.c - patterns from patterns, by the backend's loops where the device is the host. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "ops/sparse/keys.h"
#include "ops/sparse/sparse.h"
#include "ops/sparse/steps.h"

/* ---- what goes in ------------------------------------------------------------------------------------------------ */

static bool is_index(const tb_array *a) { return a->ndim == 1 && (a->dtype == TB_I32 || a->dtype == TB_I64); }

static tb_status check_index(const char *who, const char *name, const tb_array *a)
{
    if (is_index(a)) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: %s must be one-dimensional, of int32 or int64", who, name);
}

/* Whether arrays are what a pattern is made of, not what is in them. */
tb_status tb__pattern_usable(const char *who, const tb_pattern *p)
{
    TB_TRY(check_index(who, "start", p->start));
    TB_TRY(check_index(who, "index", p->index));
    if (p->start->dtype != p->index->dtype)
        return tb__fail(TB_ERR_VALUE, "%s: start and index must have one dtype", who);
    if (p->rows < 0 || p->cols < 0 || p->start->size - 1 != p->rows)
        return tb__fail(TB_ERR_VALUE, "%s: a matrix of %lld rows and %lld columns cannot have a start of %lld numbers",
                        who, (long long)p->rows, (long long)p->cols, (long long)p->start->size);
    return TB_OK;
}

tb_status tb__values_usable(const char *who, const tb_pattern *p, const tb_array *data)
{
    TB_ARE_NUMBERS(who, data->dtype);
    if (data->ndim == 1 && data->size == p->index->size) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: a pattern of %lld elements must have as many values", who,
                    (long long)p->index->size);
}

tb_dtype tb__values_sum_dtype(tb_dtype t) { return tb__is_half(t) ? TB_F32 : t; }

tb_status tb__pattern_hold(const char *who, const tb_pattern *p, tb_held *out)
{
    TB_TRY(tb__pattern_usable(who, p));
    *out = (tb_held){.n = p->index->size};
    TB_TRY(tb__stored(p->start, (tb_dtype)p->start->dtype, &out->start));
    const tb_status status = tb__stored(p->index, (tb_dtype)p->index->dtype, &out->index);
    if (status != TB_OK) tb_array_release(out->start);
    TB_TRY(status);
    out->p = (tb_sparse_pattern){p->rows, p->cols, p->index->dtype == TB_I64, tb__vector_at(out->start),
                                 tb__vector_at(out->index)};
    return TB_OK;
}

void tb__pattern_drop(tb_held *h)
{
    tb_array_release(h->start);
    tb_array_release(h->index);
}

void tb__pattern_release(tb_pattern *p)
{
    tb_array_release(p->start);
    tb_array_release(p->index);
    p->start = p->index = NULL;
}

tb_status tb__index_vector(bool wide, int64_t n, tb_array **out)
{
    return tb__sparse_room(wide ? TB_I64 : TB_I32, 1, &n, 'C', out);
}

tb_status tb__pattern_size(const tb_array *start, int64_t *n)
{
    *n = start->dtype == TB_I64 ? ((const int64_t *)tb__vector_at(start))[start->size - 1]
                                : ((const int32_t *)tb__vector_at(start))[start->size - 1];
    return TB_OK;
}

static int64_t number_at(const tb_array *a, int64_t i)
{
    return a->dtype == TB_I64 ? ((const int64_t *)tb__vector_at(a))[i] : ((const int32_t *)tb__vector_at(a))[i];
}

static tb_sparse_pattern view_of(const tb_pattern *p)
{
    return (tb_sparse_pattern){p->rows, p->cols, p->index->dtype == TB_I64, tb__vector_at(p->start),
                               tb__vector_at(p->index)};
}

/* A new pattern's start, then what its size is known for: index and up to two vectors of the same length. */
typedef struct made {
    tb_pattern p;
    tb_array *from[2];
} made;

static void drop(made *m)
{
    tb__pattern_release(&m->p);
    tb_array_release(m->from[0]);
    tb_array_release(m->from[1]);
}

static tb_status make_start(bool wide, int64_t rows, int64_t cols, made *m)
{
    *m = (made){.p = {.rows = rows, .cols = cols}};
    return tb__index_vector(wide, rows + 1, &m->p.start);
}

static tb_status make_rest(int64_t n, int nfrom, made *m)
{
    const bool wide = m->p.start->dtype == TB_I64;
    TB_TRY(tb__index_vector(wide, n, &m->p.index));
    for (int i = 0; i < nfrom; i++) TB_TRY(tb__index_vector(wide, n, &m->from[i]));
    return TB_OK;
}

static tb_status deliver(tb_status status, made *m, tb_pattern *out, tb_array **first, tb_array **second)
{
    if (status != TB_OK) {
        drop(m);
        return status;
    }
    *out = m->p;
    *first = m->from[0];
    if (second) *second = m->from[1];
    return TB_OK;
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

static tb_status check(const tb_pattern *p, int *found)
{
    tb_held h;
    TB_TRY(tb__pattern_hold("tb_pattern_check", p, &h));
    tb_status status = tb__sparse_begin();
    if (status == TB_OK) status = tb__backend->sparse->check(&h.p, h.n, found);
    if (status == TB_OK && (number_at(h.start, 0) != 0 || number_at(h.start, p->rows) != h.n)) *found = 0;
    tb__pattern_drop(&h);
    return status;
}

tb_status tb_pattern_check(const tb_pattern *p, int *found)
{
    TB_NOT_NULL(p, found);
    TB_NOT_NULL(p->start, p->index);
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__steps_check(p, found);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(check(p, found));
}

/* ---- rows, order ------------------------------------------------------------------------------------------------- */

static tb_status rows(const tb_pattern *p, tb_array **row)
{
    tb_held h;
    tb_array *result = NULL;
    TB_TRY(tb__pattern_hold("tb_pattern_rows", p, &h));
    tb_status status = tb__sparse_begin();
    if (status == TB_OK) status = tb__index_vector(h.p.wide, h.n, &result);
    if (status == TB_OK) status = tb__backend->sparse->rows(&h.p, tb__vector_at(result));
    tb__pattern_drop(&h);
    if (status == TB_OK) *row = result;
    else tb_array_release(result);
    return status;
}

tb_status tb_pattern_rows(const tb_pattern *p, tb_array **row)
{
    TB_NOT_NULL(p, row);
    TB_NOT_NULL(p->start, p->index);
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__steps_rows(p, row);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(rows(p, row));
}

/* The rows of row and col (in memory) grouped. */
static tb_status group(tb_array *row, tb_array *col, int64_t nrows, int64_t ncols, made *m)
{
    TB_TRY(make_start(row->dtype == TB_I64, nrows, ncols, m));
    TB_TRY(make_rest(row->size, 1, m));
    const tb_sparse_group g = {row->size,
                               nrows,
                               row->dtype == TB_I64,
                               tb__vector_at(row),
                               tb__vector_at(col),
                               tb__vector_at(m->p.start),
                               tb__vector_at(m->p.index),
                               tb__vector_at(m->from[0])};
    return tb__backend->sparse->group(&g);
}

static tb_status sort_made(made *m)
{
    const tb_sparse_pattern p = view_of(&m->p);
    return tb__backend->sparse->sort(&p, tb__vector_at(m->p.index), tb__vector_at(m->from[0]));
}

static tb_status extreme(tb_reduction op, tb_array *a, int64_t *out)
{
    tb_array *r, *wide;
    TB_TRY(tb_reduce(op, a, NULL, &r));
    tb_status status = tb_astype(r, TB_I64, 'C', TB_CAST_UNSAFE, false, &wide);
    tb_array_release(r);
    TB_TRY(status);
    status = tb_array_get(wide, out, NULL, NULL, true);
    tb_array_release(wide);
    return status;
}

static tb_status check_range(const char *name, tb_array *a, int64_t end)
{
    int64_t least = 0, most = -1;
    if (a->size == 0) return TB_OK;
    TB_TRY(extreme(TB_RED_MIN, a, &least));
    TB_TRY(extreme(TB_RED_MAX, a, &most));
    if (least < 0) return tb__fail(TB_ERR_VALUE, "negative %s index found", name);
    if (most >= end)
        return tb__fail(TB_ERR_VALUE, "%s index %lld exceeds matrix dimension %lld", name, (long long)most,
                        (long long)end);
    return TB_OK;
}

tb_status tb__fail_outside(tb_array *row, int64_t rows, tb_array *col, int64_t cols)
{
    TB_TRY(check_range("row", row, rows));
    TB_TRY(check_range("column", col, cols));
    return tb__fail(TB_ERR_VALUE, "indices of a sparse matrix have been overwritten");
}

static tb_status group_given(tb_array *row, tb_array *col, int64_t nrows, int64_t ncols, tb_pattern *out,
                             tb_array **order)
{
    made m = {.p = {.rows = 0}};
    tb_array *r, *c;
    TB_TRY(check_range("row", row, nrows));
    TB_TRY(check_range("column", col, ncols));
    TB_TRY(tb__stored(row, (tb_dtype)row->dtype, &r));
    tb_status status = tb__stored(col, (tb_dtype)col->dtype, &c);
    if (status == TB_OK) {
        status = tb__sparse_begin();
        if (status == TB_OK) status = group(r, c, nrows, ncols, &m);
        tb_array_release(c);
    }
    tb_array_release(r);
    if (status == TB_OK) status = sort_made(&m);
    return deliver(status, &m, out, order, NULL);
}

tb_status tb_pattern_group(tb_array *row, tb_array *col, int64_t nrows, int64_t ncols, tb_pattern *out,
                           tb_array **order)
{
    TB_NOT_NULL(row, col, out, order);
    if (nrows < 0 || ncols < 0 || nrows == INT64_MAX)
        return tb__fail(TB_ERR_VALUE, "tb_pattern_group: no matrix has such a shape");
    TB_TRY(check_index("tb_pattern_group", "row", row));
    TB_TRY(check_index("tb_pattern_group", "col", col));
    if (row->size != col->size || row->dtype != col->dtype)
        return tb__fail(TB_ERR_VALUE, "tb_pattern_group: row and col must have one length and one dtype");
    if (!tb__backend->sparse) return tb__keys_group(row, col, nrows, ncols, out, order);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(group_given(row, col, nrows, ncols, out, order));
}

/* ---- the same with values, by one routine of the host's ---------------------------------------------------------- */

/* Values in memory are moved along. g says what is grouped, and how. */
static tb_status group_with(tb_sparse_grouping *g, const tb_array *values, made *m, tb_array **moved)
{
    TB_TRY(tb__sparse_begin());
    TB_TRY(make_start(g->wide, g->rows, g->cols, m));
    TB_TRY(make_rest(g->n, 0, m));
    TB_TRY(tb__empty((tb_dtype)values->dtype, 1, &g->n, 'C', moved));
    TB_TRY(tb__before_write((*moved)->buffer));
    g->item = tb_dtype_size((tb_dtype)values->dtype);
    g->values = tb__vector_at(values);
    g->start = tb__vector_at(m->p.start);
    g->index = tb__vector_at(m->p.index);
    g->moved = tb__vector_at(*moved);
    tb__count.launches++;
    return tb__backend->sparse->group_values(g);
}

static tb_status deliver_with(tb_status status, made *m, tb_array *values, tb_pattern *out, tb_array **moved)
{
    tb_array *none;
    status = deliver(status, m, out, &none, NULL);
    if (status == TB_OK) *moved = values;
    else tb_array_release(values);
    return status;
}

static tb_status group_values(tb_array *row, tb_array *col, tb_array *values, int64_t nrows, int64_t ncols,
                              tb_pattern *out, tb_array **moved)
{
    made m = {.p = {.rows = 0}};
    tb_array *r = NULL, *c = NULL, *v = NULL, *result = NULL;
    tb_status status = tb__stored(row, (tb_dtype)row->dtype, &r);
    if (status == TB_OK) status = tb__stored(col, (tb_dtype)col->dtype, &c);
    if (status == TB_OK) status = tb__stored(values, (tb_dtype)values->dtype, &v);
    if (status == TB_OK) {
        tb_sparse_grouping g = {.n = r->size,
                                .rows = nrows,
                                .cols = ncols,
                                .wide = r->dtype == TB_I64,
                                .row = tb__vector_at(r),
                                .col = tb__vector_at(c)};
        status = group_with(&g, v, &m, &result);
    }
    tb_array_release(r);
    tb_array_release(c);
    tb_array_release(v);
    if (status == TB_ERR_VALUE) status = tb__fail_outside(row, nrows, col, ncols);
    return deliver_with(status, &m, result, out, moved);
}

tb_status tb_sparse_from_elements(tb_array *row, tb_array *col, tb_array *values, int64_t nrows, int64_t ncols,
                                  tb_pattern *out, tb_array **moved)
{
    TB_NOT_NULL(row, col, values);
    TB_NOT_NULL(out, moved);
    if (!tb__backend->sparse)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the backend %s has no routine for it", __func__,
                        tb__backend->name);
    if (nrows < 0 || ncols < 0 || nrows == INT64_MAX)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_from_elements: no matrix has such a shape");
    TB_TRY(check_index("tb_sparse_from_elements", "row", row));
    TB_TRY(check_index("tb_sparse_from_elements", "col", col));
    TB_ARE_NUMBERS("tb_sparse_from_elements", values->dtype);
    if (row->size != col->size || row->dtype != col->dtype)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_from_elements: row and col must have one length and one dtype");
    if (values->ndim != 1 || values->size != row->size)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_from_elements: there must be a value for each element");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(group_values(row, col, values, nrows, ncols, out, moved));
}

/* ---- transposes -------------------------------------------------------------------------------------------------- */

static tb_status transpose(const tb_pattern *p, tb_pattern *out, tb_array **order)
{
    tb_held h;
    made m = {.p = {.rows = 0}};
    tb_array *row = NULL;
    TB_TRY(tb__pattern_hold("tb_pattern_transpose", p, &h));
    tb_status status = rows(p, &row);
    if (status == TB_OK) status = group(h.index, row, p->cols, p->rows, &m);
    tb_array_release(row);
    tb__pattern_drop(&h);
    return deliver(status, &m, out, order, NULL);
}

tb_status tb_pattern_transpose(const tb_pattern *p, tb_pattern *out, tb_array **order)
{
    TB_NOT_NULL(p, out, order);
    TB_NOT_NULL(p->start, p->index);
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__keys_transpose(p, out, order);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(transpose(p, out, order));
}

static tb_status transpose_values(const tb_pattern *p, tb_array *values, tb_pattern *out, tb_array **moved)
{
    tb_held h;
    made m = {.p = {.rows = 0}};
    tb_array *v = NULL, *result = NULL;
    TB_TRY(tb__pattern_hold("tb_pattern_transpose_values", p, &h));
    tb_status status = tb__stored(values, (tb_dtype)values->dtype, &v);
    tb_sparse_grouping g = {.p = &h.p, .n = h.n, .rows = h.p.cols, .cols = h.p.rows, .wide = h.p.wide};
    if (status == TB_OK) status = group_with(&g, v, &m, &result);
    tb_array_release(v);
    tb__pattern_drop(&h);
    return deliver_with(status, &m, result, out, moved);
}

/* A pattern whose elements are in this order, which is released, has these values. */
static tb_status values_in(tb_array *order, tb_array *values, tb_pattern *p, tb_array **out)
{
    const tb_index key = {.kind = TB_INDEX_ARRAY, .array = order};
    const tb_status status = tb_array_index(values, 1, &key, out);
    tb_array_release(order);
    if (status != TB_OK) tb__pattern_release(p);
    return status;
}

tb_status tb_pattern_transpose_values(const tb_pattern *p, tb_array *values, tb_pattern *out, tb_array **moved)
{
    tb_pattern result;
    tb_array *order;
    TB_NOT_NULL(p, values, out, moved);
    TB_NOT_NULL(p->start, p->index);
    if (values->ndim != 1 || values->size != p->index->size)
        return tb__fail(TB_ERR_VALUE, "tb_pattern_transpose_values: there must be a value for each element");
    if (!tb__backend->sparse && tb__keys_carry(p, values)) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__keys_transpose_values(p, values, out, moved);
    }
    if (tb__backend->sparse && !tb__is_record(values->dtype)) {
        if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
        return TB__OPERATION(transpose_values(p, values, out, moved));
    }
    TB_TRY(tb_pattern_transpose(p, &result, &order));
    TB_TRY(values_in(order, values, &result, moved));
    *out = result;
    return TB_OK;
}

static tb_status sorted(const tb_pattern *p, tb_pattern *out, tb_array **order)
{
    made m = {.p = {.rows = p->rows, .cols = p->cols}};
    const tb_dtype t = (tb_dtype)p->index->dtype;
    tb_held h;
    TB_TRY(tb__pattern_hold("tb_pattern_sort", p, &h));
    m.p.start = tb_array_retain(h.start);
    tb_status status = tb__copy(h.index, 'C', &m.p.index);
    if (status == TB_OK) status = tb__buffer_eval(m.p.index->buffer);
    if (status == TB_OK) status = tb_arange(t, tb_scalar_int(0), tb_scalar_int(1), h.n, &m.from[0]);
    if (status == TB_OK) status = tb__buffer_eval(m.from[0]->buffer);
    if (status == TB_OK) status = tb__sparse_begin();
    if (status == TB_OK) status = sort_made(&m);
    tb__pattern_drop(&h);
    return deliver(status, &m, out, order, NULL);
}

tb_status tb_pattern_sort(const tb_pattern *p, tb_pattern *out, tb_array **order)
{
    TB_NOT_NULL(p, out, order);
    TB_NOT_NULL(p->start, p->index);
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__keys_sort(p, out, order);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(sorted(p, out, order));
}

/* ---- results whose size is counted ------------------------------------------------------------------------------- */

static tb_status find_unique(const tb_sparse_pattern *p, made *m)
{
    const tb_sparse_routines *l = tb__backend->sparse;
    TB_TRY(tb__sparse_begin());
    TB_TRY(make_start(p->wide, p->rows, p->cols, m));
    TB_TRY(l->unique(p, tb__vector_at(m->p.start), NULL, NULL));
    TB_TRY(make_rest(number_at(m->p.start, p->rows), 1, m));
    return l->unique(p, tb__vector_at(m->p.start), tb__vector_at(m->p.index), tb__vector_at(m->from[0]));
}

static tb_status unique(const tb_pattern *p, tb_pattern *out, tb_array **first)
{
    tb_held h;
    made m = {.p = {.rows = 0}};
    TB_TRY(tb__pattern_hold("tb_pattern_unique", p, &h));
    const tb_status status = find_unique(&h.p, &m);
    tb__pattern_drop(&h);
    return deliver(status, &m, out, first, NULL);
}

tb_status tb_pattern_unique(const tb_pattern *p, tb_pattern *out, tb_array **first)
{
    TB_NOT_NULL(p, out, first);
    TB_NOT_NULL(p->start, p->index);
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__keys_unique(p, out, first);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(unique(p, out, first));
}

static tb_status find_match(const tb_sparse_pattern *a, const tb_sparse_pattern *b, bool any, made *m)
{
    const tb_sparse_routines *l = tb__backend->sparse;
    TB_TRY(tb__sparse_begin());
    TB_TRY(make_start(a->wide, a->rows, a->cols, m));
    TB_TRY(l->match(a, b, any, tb__vector_at(m->p.start), NULL, NULL, NULL));
    TB_TRY(make_rest(number_at(m->p.start, a->rows), 2, m));
    return l->match(a, b, any, tb__vector_at(m->p.start), tb__vector_at(m->p.index), tb__vector_at(m->from[0]),
                    tb__vector_at(m->from[1]));
}

static tb_status match(const tb_pattern *a, const tb_pattern *b, bool any, tb_pattern *out, tb_array **from_a,
                       tb_array **from_b)
{
    tb_held x, y;
    made m = {.p = {.rows = 0}};
    TB_TRY(tb__pattern_hold("tb_pattern_match", a, &x));
    tb_status status = tb__pattern_hold("tb_pattern_match", b, &y);
    if (status == TB_OK) {
        status = find_match(&x.p, &y.p, any, &m);
        tb__pattern_drop(&y);
    }
    tb__pattern_drop(&x);
    return deliver(status, &m, out, from_a, from_b);
}

tb_status tb_pattern_match(const tb_pattern *a, const tb_pattern *b, bool any, tb_pattern *out, tb_array **from_a,
                           tb_array **from_b)
{
    TB_NOT_NULL(a, b, out);
    TB_NOT_NULL(from_a, from_b);
    TB_NOT_NULL(a->start, a->index, b->start, b->index);
    if (a->rows != b->rows || a->cols != b->cols || a->index->dtype != b->index->dtype)
        return tb__fail(TB_ERR_VALUE, "tb_pattern_match: both must have one shape and one dtype of indices");
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, a));
        TB_TRY(tb__pattern_usable(__func__, b));
        return tb__steps_match(a, b, any, out, from_a, from_b);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(match(a, b, any, out, from_a, from_b));
}

static tb_status find_rows(const tb_sparse_pattern *p, const tb_array *row, made *m)
{
    const tb_sparse_routines *l = tb__backend->sparse;
    const void *at = tb__vector_at(row);
    TB_TRY(tb__sparse_begin());
    TB_TRY(make_start(p->wide, row->size, p->cols, m));
    TB_TRY(l->take(p, row->size, at, tb__vector_at(m->p.start), NULL, NULL));
    TB_TRY(make_rest(number_at(m->p.start, row->size), 1, m));
    return l->take(p, row->size, at, tb__vector_at(m->p.start), tb__vector_at(m->p.index), tb__vector_at(m->from[0]));
}

static tb_status check_rows(const char *who, const tb_pattern *p, const char *name, tb_array *row, int64_t end)
{
    TB_TRY(check_index(who, name, row));
    if (row->dtype != p->index->dtype)
        return tb__fail(TB_ERR_VALUE, "%s: %s must have the dtype of the pattern's indices", who, name);
    return tb__backend->sparse ? check_range(name, row, end) : TB_OK; /* which would have to wait */
}

static tb_status take(const tb_pattern *p, tb_array *row, tb_pattern *out, tb_array **from)
{
    tb_held h;
    tb_array *r;
    made m = {.p = {.rows = 0}};
    TB_TRY(tb__pattern_hold("tb_pattern_take", p, &h));
    tb_status status = tb__stored(row, (tb_dtype)row->dtype, &r);
    if (status == TB_OK) {
        status = find_rows(&h.p, r, &m);
        tb_array_release(r);
    }
    tb__pattern_drop(&h);
    return deliver(status, &m, out, from, NULL);
}

tb_status tb_pattern_take(const tb_pattern *p, tb_array *row, tb_pattern *out, tb_array **from)
{
    TB_NOT_NULL(p, row, out, from);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(check_rows("tb_pattern_take", p, "row", row, p->rows));
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__keys_take(p, row, out, from);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(take(p, row, out, from));
}

static tb_status find_stored(const tb_held *h, tb_array *row, tb_array *col, tb_array **out)
{
    tb_array *result;
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__index_vector(h->p.wide, row->size, &result));
    const tb_status status =
        tb__backend->sparse->find(&h->p, row->size, tb__vector_at(row), tb__vector_at(col), tb__vector_at(result));
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status find(const tb_pattern *p, tb_array *row, tb_array *col, tb_array **out)
{
    tb_held h;
    tb_array *r, *c;
    TB_TRY(tb__pattern_hold("tb_pattern_find", p, &h));
    tb_status status = tb__stored(row, (tb_dtype)row->dtype, &r);
    if (status == TB_OK) {
        status = tb__stored(col, (tb_dtype)col->dtype, &c);
        if (status == TB_OK) {
            status = find_stored(&h, r, c, out);
            tb_array_release(c);
        }
        tb_array_release(r);
    }
    tb__pattern_drop(&h);
    return status;
}

tb_status tb_pattern_find(const tb_pattern *p, tb_array *row, tb_array *col, tb_array **out)
{
    TB_NOT_NULL(p, row, col, out);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(check_rows("tb_pattern_find", p, "row", row, p->rows));
    TB_TRY(check_rows("tb_pattern_find", p, "col", col, p->cols));
    if (row->size != col->size) return tb__fail(TB_ERR_VALUE, "tb_pattern_find: row and col must have one length");
    if (!tb__backend->sparse) {
        TB_TRY(tb__pattern_usable(__func__, p));
        return tb__keys_find(p, row, col, out);
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(find(p, row, col, out));
}
