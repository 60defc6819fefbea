/* softmax.c - exponentials of rows divided by their sums, where a device has a kernel that reads a row once. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/array_ops.h"

/* a, whose rows follow one another. */
static tb_status run(tb_array *a, bool log, tb_array **out)
{
    tb_stream *stream;
    tb_array *result;
    const int64_t n = a->dims[a->ndim - 1];
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__empty((tb_dtype)a->dtype, a->ndim, a->dims, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) {
        const tb_soft_rows x = {.dtype = (tb_dtype)a->dtype,
                                .log = log,
                                .in = a->buffer->ptr + a->offset,
                                .out = result->buffer->ptr + result->offset,
                                .rows = a->size / n,
                                .n = n};
        status = tb__backend->softmax(stream, &x);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status softmax(tb_array *a, bool log, tb_array **out)
{
    tb_array *rows;
    const bool fits = tb__backend->softmax && a->ndim > 0 && a->size > 0 && a->buffer->device == tb__device_current() &&
                      tb__backend->softmax_fits((tb_dtype)a->dtype, a->dims[a->ndim - 1]);
    if (!fits) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "softmax: there is no kernel for such rows");
    if (a->c_contiguous) {
        TB_TRY(tb__buffer_eval(a->buffer));
        rows = tb_array_retain(a);
    } else {
        TB_TRY(tb__stored(a, (tb_dtype)a->dtype, &rows));
    }
    const tb_status status = run(rows, log, out);
    tb_array_release(rows);
    return status;
}

tb_status tb_softmax(tb_array *a, bool log, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_ARE_NUMBERS("softmax", a->dtype);
    return TB__OPERATION(softmax(a, log, out));
}
