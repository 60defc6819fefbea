/* paths.c - lengths of shortest paths in graphs, where the device is the host. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

static tb_status check_lengths(const char *who, const double *length, int64_t n)
{
    bool valid = true;
    for (int64_t k = 0; k < n && length; k++) valid &= length[k] >= 0;
    return valid ? TB_OK : tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: a length is negative, or NaN", who);
}

static tb_status check_first(const char *who, const int64_t *first, int64_t count, int64_t n)
{
    for (int64_t i = 0; i < count; i++)
        if (first[i] < 0 || first[i] >= n)
            return tb__fail(TB_ERR_INDEX, "%s: vertex %lld is out of bounds for a graph of %lld", who,
                            (long long)first[i], (long long)n);
    return TB_OK;
}

static tb_status paths_stored(const char *who, tb_sparse_paths *s, int64_t n, tb_array **out)
{
    const int64_t shape[2] = {s->count, s->p.rows};
    TB_TRY(tb__sparse_begin());
    TB_TRY(check_lengths(who, s->data, n));
    TB_TRY(check_first(who, s->first, s->count, s->p.rows));
    TB_TRY(tb__sparse_room(TB_F64, s->any ? 1 : 2, shape + s->any, 'C', out));
    s->distance = tb__vector_at(*out);
    tb__count.launches++;
    return (*out)->size > 0 ? tb__backend->sparse->paths(s, n) : TB_OK;
}

static tb_status paths(const char *who, const tb_pattern *p, tb_array *data, tb_array *first, tb_sparse_paths *s,
                       tb_array **out)
{
    tb_held h;
    tb_array *lengths = NULL, *vertices = NULL, *found = NULL;
    TB_TRY(tb__pattern_hold(who, p, &h));
    tb_status status = data ? tb__stored(data, TB_F64, &lengths) : TB_OK;
    if (status == TB_OK) status = tb__stored(first, TB_I64, &vertices);
    if (status == TB_OK) {
        s->p = h.p;
        s->data = data ? tb__vector_at(lengths) : NULL;
        s->first = tb__vector_at(vertices);
        status = paths_stored(who, s, h.n, &found);
    }
    tb__pattern_drop(&h);
    tb_array_release(lengths);
    tb_array_release(vertices);
    if (status == TB_OK) *out = found;
    else tb_array_release(found);
    return status;
}

tb_status tb_graph_distances(const tb_pattern *p, tb_array *data, tb_array *first, bool directed, bool any,
                             double limit, tb_array **out)
{
    static const char who[] = "tb_graph_distances";
    TB_NOT_NULL(p, first, out);
    TB_NOT_NULL(p->start, p->index);
    TB_NOT_RELEASED(data);
    TB_TRY(tb__check_graph(who, p));
    if (data) TB_TRY(tb__values_usable(who, p, data));
    if (first->ndim != 1 || tb_dtype_kind((tb_dtype)first->dtype) != TB_KIND_INT)
        return tb__fail(TB_ERR_VALUE, "%s: vertices to begin with must be a vector of integers", who);
    tb_sparse_paths s = {.count = first->size, .both = !directed, .any = any, .limit = limit};
    return TB__OPERATION(paths(who, p, data, first, &s, out));
}
