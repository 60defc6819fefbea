/* search.c - where values belong among elements in order. Narrow dtypes are searched as wider ones that hold them, but
 * for integers on the host. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "ops/array_ops.h"

static tb_dtype search_dtype(tb_dtype t)
{
    if (tb__backend->on_host && tb_dtype_kind(t) <= TB_KIND_INT) return t;
    switch (t) {
    case TB_BOOL:
    case TB_I8:
    case TB_U8:
    case TB_I16:
    case TB_U16: return TB_I32;
    case TB_F16:
    case TB_BF16: return TB_F32;
    default: return t;
    }
}

/* *sorted and *values are replaced by new arrays of one dtype, of which the loops know. */
static tb_status make_ready(tb_array **sorted, tb_array **values)
{
    const tb_dtype t = search_dtype(tb_promote((tb_dtype)(*sorted)->dtype, (tb_dtype)(*values)->dtype));
    tb_array *first, *second;
    TB_TRY(tb__stored(*sorted, t, &first));
    const tb_status status = tb__stored(*values, t, &second);
    if (status == TB_OK) {
        *sorted = first;
        *values = second;
    } else {
        tb_array_release(first);
    }
    return status;
}

static const char *at_of(const tb_array *a) { return (const char *)a->buffer->ptr + a->offset; }

static tb_status search_stored(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    tb_stream *s;
    tb_array *result;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty(TB_I64, values->ndim, values->dims, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) {
        const tb_search search = {(tb_dtype)sorted->dtype,
                                  right,
                                  at_of(sorted),
                                  at_of(values),
                                  .nsorted = sorted->size,
                                  .n = values->size,
                                  .out = (int64_t *)(void *)result->buffer->ptr};
        status = tb__backend->search(s, &search);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status search(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    TB_ARE_NUMBERS("searchsorted", sorted->dtype);
    TB_ARE_NUMBERS("searchsorted", values->dtype);
    if (sorted->ndim != 1)
        return tb__fail(TB_ERR_VALUE, "searchsorted: elements in order must be one-dimensional, not of %d dimensions",
                        sorted->ndim);
    if (sorted->size == 0 || values->size == 0)
        return tb__full(TB_I64, values->ndim, values->dims, 'C', tb_scalar_int(0), out);
    TB_TRY(make_ready(&sorted, &values));
    const tb_status status = search_stored(sorted, values, right, out);
    tb_array_release(sorted);
    tb_array_release(values);
    return status;
}

tb_status tb_searchsorted(tb_array *sorted, tb_array *values, bool right, tb_array **out)
{
    TB_NOT_NULL(sorted, values, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(search(sorted, values, right, out));
}
