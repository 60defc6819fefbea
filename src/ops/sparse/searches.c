/* searches.c - searches of graphs, the trees that they leave, the least ones, and matchings, where the device is the
 * host. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

tb_status tb__check_graph(const char *who, const tb_pattern *p)
{
    TB_TRY(tb__sparse_on_host(who));
    if (p->rows != p->cols || p->rows > INT32_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: a graph has a square pattern of at most 2^31 - 1 rows", who);
    return tb_host_func_pending() ? tb__wait_unlocked(NULL, true) : TB_OK;
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

static tb_status searched(tb_sparse_search *s, int64_t n, tb_array **order, tb_array **from)
{
    const size_t bytes = (size_t)s->p.rows * sizeof *s->order;
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__index_vector(false, s->p.rows, from));
    s->from = tb__vector_at(*from);
    s->order = malloc(bytes);
    if (!s->order) return tb__fail_memory(bytes, 0, 0, 0);
    tb__count.launches++;
    tb_status status = tb__backend->sparse->search(s, n);
    if (status == TB_OK) status = tb__index_vector(false, s->count, order);
    if (status == TB_OK) memcpy(tb__vector_at(*order), s->order, (size_t)s->count * sizeof *s->order);
    free(s->order);
    return status;
}

static tb_status search(const char *who, const tb_pattern *p, tb_sparse_search *s, tb_array **order, tb_array **from)
{
    tb_held h;
    tb_array *found = NULL, *before = NULL;
    TB_TRY(tb__pattern_hold(who, p, &h));
    s->p = h.p;
    const tb_status status = searched(s, h.n, &found, &before);
    tb__pattern_drop(&h);
    if (status == TB_OK) {
        *order = found;
        *from = before;
        return TB_OK;
    }
    tb_array_release(found);
    tb_array_release(before);
    return status;
}

tb_status tb_graph_search(const tb_pattern *p, int64_t first, bool depth_first, bool directed, tb_array **order,
                          tb_array **from)
{
    static const char who[] = "tb_graph_search";
    TB_NOT_NULL(p, order, from);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(tb__check_graph(who, p));
    if (first < 0 || first >= p->rows)
        return tb__fail(TB_ERR_INDEX, "%s: vertex %lld is out of bounds for a graph of %lld", who, (long long)first,
                        (long long)p->rows);
    tb_sparse_search s = {.first = (int32_t)first, .depth = depth_first, .both = !directed};
    return TB__OPERATION(search(who, p, &s, order, from));
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static tb_status count_edges(const char *who, const int32_t *from, int64_t n, int64_t *count)
{
    *count = 0;
    for (int64_t v = 0; v < n; v++) {
        *count += from[v] >= 0;
        if (from[v] >= n)
            return tb__fail(TB_ERR_INDEX, "%s: vertex %lld is out of bounds for a graph of %lld", who,
                            (long long)from[v], (long long)n);
    }
    return TB_OK;
}

static tb_status tree_stored(const char *who, tb_sparse_tree *t, tb_pattern *made, tb_array **values)
{
    int64_t count;
    TB_TRY(tb__sparse_begin());
    TB_TRY(count_edges(who, t->from, t->p.rows, &count));
    TB_TRY(tb__index_vector(false, t->p.rows + 1, &made->start));
    TB_TRY(tb__index_vector(false, count, &made->index));
    TB_TRY(tb__sparse_room(TB_F64, 1, &count, 'C', values));
    t->start = tb__vector_at(made->start);
    t->index = tb__vector_at(made->index);
    t->value = tb__vector_at(*values);
    memset(t->start, 0, (size_t)(t->p.rows + 1) * sizeof *t->start);
    tb__count.launches++;
    return tb__backend->sparse->tree(t);
}

static tb_status tree(const char *who, const tb_pattern *p, tb_array *data, tb_array *from, bool directed,
                      tb_pattern *out, tb_array **values)
{
    tb_held h;
    tb_array *lengths = NULL, *before = NULL, *found = NULL;
    tb_pattern made = {p->rows, p->cols, NULL, NULL};
    TB_TRY(tb__pattern_hold(who, p, &h));
    tb_status status = tb__stored(data, TB_F64, &lengths);
    if (status == TB_OK) status = tb__stored(from, TB_I32, &before);
    if (status == TB_OK) {
        tb_sparse_tree t = {.p = h.p, .both = !directed, .data = tb__vector_at(lengths), .from = tb__vector_at(before)};
        status = tree_stored(who, &t, &made, &found);
    }
    tb__pattern_drop(&h);
    tb_array_release(lengths);
    tb_array_release(before);
    if (status == TB_OK) {
        *out = made;
        *values = found;
        return TB_OK;
    }
    tb__pattern_release(&made);
    tb_array_release(found);
    return status;
}

tb_status tb_graph_tree(const tb_pattern *p, tb_array *data, tb_array *from, bool directed, tb_pattern *out,
                        tb_array **values)
{
    static const char who[] = "tb_graph_tree";
    TB_NOT_NULL(p, out, values);
    TB_NOT_NULL(p->start, p->index, data, from);
    TB_TRY(tb__check_graph(who, p));
    TB_TRY(tb__values_usable(who, p, data));
    TB_ARE_NUMBERS(who, from->dtype);
    if (from->ndim != 1 || from->size != p->rows)
        return tb__fail(TB_ERR_VALUE, "%s: a graph of %lld vertices must have as many before them", who,
                        (long long)p->rows);
    return TB__OPERATION(tree(who, p, data, from, directed, out, values));
}

/* ---- the least forest -------------------------------------------------------------------------------------------- */

static tb_status forest_stored(const tb_held *h, const tb_array *order, tb_array **kept)
{
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__sparse_room(TB_BOOL, 1, &h->n, 'C', kept));
    tb__count.launches++;
    return tb__backend->sparse->forest(&h->p, tb__vector_at(order), tb__vector_at(*kept));
}

static tb_status forest(const char *who, const tb_pattern *p, tb_array *order, tb_array **kept)
{
    tb_held h;
    tb_array *ranked, *found = NULL;
    TB_TRY(tb__pattern_hold(who, p, &h));
    tb_status status = tb__stored(order, TB_I64, &ranked);
    if (status == TB_OK) {
        status = forest_stored(&h, ranked, &found);
        tb_array_release(ranked);
    }
    tb__pattern_drop(&h);
    if (status == TB_OK) *kept = found;
    else tb_array_release(found);
    return status;
}

tb_status tb_graph_forest(const tb_pattern *p, tb_array *order, tb_array **kept)
{
    static const char who[] = "tb_graph_forest";
    TB_NOT_NULL(p, order, kept);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(tb__check_graph(who, p));
    TB_TRY(tb__values_usable(who, p, order));
    return TB__OPERATION(forest(who, p, order, kept));
}

/* ---- matchings --------------------------------------------------------------------------------------------------- */

static tb_status matching_stored(const tb_held *h, tb_array **column, tb_array **row)
{
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__index_vector(false, h->p.rows, column));
    TB_TRY(tb__index_vector(false, h->p.cols, row));
    tb__count.launches++;
    return tb__backend->sparse->matching(&h->p, h->n, tb__vector_at(*column), tb__vector_at(*row));
}

static tb_status matching(const char *who, const tb_pattern *p, tb_array **column, tb_array **row)
{
    tb_held h;
    tb_array *of_rows = NULL, *of_columns = NULL;
    TB_TRY(tb__pattern_hold(who, p, &h));
    const tb_status status = matching_stored(&h, &of_rows, &of_columns);
    tb__pattern_drop(&h);
    if (status == TB_OK) {
        *column = of_rows;
        *row = of_columns;
        return TB_OK;
    }
    tb_array_release(of_rows);
    tb_array_release(of_columns);
    return status;
}

tb_status tb_graph_matching(const tb_pattern *p, tb_array **column, tb_array **row)
{
    static const char who[] = "tb_graph_matching";
    TB_NOT_NULL(p, column, row);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(tb__sparse_on_host(who));
    if (p->rows > INT32_MAX || p->cols > INT32_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: there are more than 2^31 - 1 rows or columns", who);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(matching(who, p, column, row));
}
