/* distances.c - distances of pairs of rows, by the backend's routine. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "ops/array_ops.h"

typedef struct request {
    tb_array *a, *b; /* b: NULL for pairs of a's rows */
    tb_metric metric;
    double p;
} request;

static const void *address(const tb_array *a) { return a->buffer->ptr + a->offset; }

static tb_status run(const request *q, tb_array *result)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__before_write(result->buffer));
    const tb_array *b = q->b ? q->b : q->a;
    const tb_pairs pairs = {.dtype = (tb_dtype)q->a->dtype,
                            .metric = q->metric,
                            .p = q->p,
                            .m = q->a->dims[0],
                            .k = b->dims[0],
                            .n = q->a->dims[1],
                            .once = !q->b,
                            .a = address(q->a),
                            .b = address(b),
                            .out = result->buffer->ptr};
    return tb__backend->pairs(s, &pairs);
}

static tb_status stored_distances(const request *q, tb_array **out)
{
    tb_array *result;
    const int64_t m = q->a->dims[0], shape[2] = {q->b ? m : m * (m - 1) / 2, q->b ? q->b->dims[0] : 0};
    TB_TRY(tb__empty((tb_dtype)q->a->dtype, q->b ? 2 : 1, shape, 'C', &result));
    const tb_status status = result->size ? run(q, result) : TB_OK;
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status distances(const request *given, tb_array **out)
{
    request q = *given;
    if (!tb__backend->pairs)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "distances: the backend %s has none", tb__backend->name);
    TB_TRY(tb__stored(given->a, (tb_dtype)given->a->dtype, &q.a));
    tb_status status = given->b ? tb__stored(given->b, (tb_dtype)given->b->dtype, &q.b) : TB_OK;
    if (status == TB_OK) {
        status = stored_distances(&q, out);
        if (q.b) tb_array_release(q.b);
    }
    tb_array_release(q.a);
    return status;
}

static tb_status check(const request *q)
{
    const tb_array *a = q->a, *b = q->b ? q->b : q->a;
    if ((a->dtype != TB_F32 && a->dtype != TB_F64) || b->dtype != a->dtype)
        return tb__fail(TB_ERR_TYPE, "distances: both sets are of float32 or float64, not of %s and %s",
                        tb_dtype_name((tb_dtype)a->dtype), tb_dtype_name((tb_dtype)b->dtype));
    if (a->ndim != 2 || b->ndim != 2 || a->dims[1] != b->dims[1])
        return tb__fail(TB_ERR_VALUE, "distances: sets are matrices with as many columns");
    return TB_OK;
}

tb_status tb_distances(tb_array *a, tb_array *b, tb_metric metric, double p, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_NOT_RELEASED(b);
    TB_IS_CHOICE(metric, TB_METRIC_COSINE + 1);
    const request q = {a, b, metric, p};
    TB_TRY(check(&q));
    return TB__OPERATION(distances(&q, out));
}
