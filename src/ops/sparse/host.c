/* host.c - what routines on the host have in common: whether there are such, when they begin, and where results go. */
#include "backend/retry.h"
#include "base/error.h"
#include "ops/sparse/sparse.h"

tb_status tb__sparse_on_host(const char *who)
{
    if (tb__backend->sparse) return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the backend %s has no routine for it", who, tb__backend->name);
}

tb_status tb__sparse_begin(void)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    return tb__backend->stream_synchronize(s);
}

tb_status tb__sparse_room(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out)
{
    TB_TRY(tb__empty(t, ndim, shape, order, out));
    const tb_status status = tb__before_write((*out)->buffer);
    if (status == TB_OK) return TB_OK;
    tb_array_release(*out);
    *out = NULL;
    return status;
}

tb_status tb__sparse_deliver(tb_status status, tb_array *result, tb_dtype t, char order, tb_array **out)
{
    if (status == TB_OK && result->dtype == t) {
        *out = result;
        return TB_OK;
    }
    if (status == TB_OK) status = tb__astype(result, t, order, TB_CAST_UNSAFE, false, out);
    tb_array_release(result);
    return status;
}
