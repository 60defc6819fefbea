/* components.c - connected components of graphs, where the device is the host. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

static const char who[] = "tb_graph_components";

static tb_status components_stored(const tb_held *h, bool strong, int64_t *count, tb_array **label)
{
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__index_vector(false, h->p.rows, label));
    tb__count.launches++;
    return tb__backend->sparse->components(&h->p, strong, tb__vector_at(*label), count);
}

static tb_status components(const tb_pattern *p, bool strong, int64_t *count, tb_array **label)
{
    tb_held h;
    tb_array *result = NULL;
    TB_TRY(tb__pattern_hold(who, p, &h));
    const tb_status status = components_stored(&h, strong, count, &result);
    tb__pattern_drop(&h);
    if (status == TB_OK) *label = result;
    else tb_array_release(result);
    return status;
}

tb_status tb_graph_components(const tb_pattern *p, bool strong, int64_t *count, tb_array **label)
{
    TB_NOT_NULL(p, count, label);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(tb__sparse_on_host(who));
    if (p->rows != p->cols || p->rows > INT32_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: a graph has a square pattern of at most 2^31 - 1 rows", who);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(components(p, strong, count, label));
}
