/* structured.c - matrices with structured zeros: operands in the layouts that the backend's library takes. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

static tb_status check(const tb_structured *q)
{
    if (!tb__backend->structured)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "products of matrices with structured zeros are cuSPARSELt's, which "
                                                "computes on GPUs; the CPU backend has none");
    return tb__backend->structured->check(tb__device_current(), q);
}

tb_status tb_structured_check(tb_dtype t, int64_t rows, int64_t cols, int64_t width)
{
    TB_IS_DTYPE(t);
    const tb_structured q = {.dtype = t, .m = rows, .k = cols, .n = width};
    tb__lock();
    const tb_status status = check(&q);
    tb__unlock();
    return status;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static bool is_aligned(const tb_array *a) { return (uintptr_t)tb__vector_at(a) % TB_STRUCTURED_ALIGNED == 0; }

/* a in memory, on the stream's device and aligned, in the order 'C' or 'F': a new reference. */
static tb_status hold(const tb_stream *s, tb_array *a, char order, tb_array **out)
{
    const bool lies = order == 'C' ? a->c_contiguous : a->f_contiguous;
    tb_array *held;
    if (a->buffer->device != s->device) TB_TRY(tb__bring(a, order, &held));
    else if (lies) held = tb_array_retain(a);
    else TB_TRY(tb__copy(a, order, &held));
    tb_status status = tb__buffer_eval(held->buffer);
    if (status == TB_OK && !is_aligned(held)) {
        tb_array *copy = NULL;
        status = tb__copy(held, order, &copy);
        if (status == TB_OK) status = tb__buffer_eval(copy->buffer);
        tb_array_release(held);
        held = copy;
    }
    if (status == TB_OK) *out = held;
    else tb_array_release(held);
    return status;
}

/* q->out is a new array of n extents, which the routine fills. */
static tb_status fill(tb_stream *s, tb_structured *q, tb_status (*routine)(tb_stream *, const tb_structured *),
                      tb_dtype t, int ndim, const int64_t *shape, tb_array **out)
{
    tb_array *result;
    TB_TRY(tb__empty(t, ndim, shape, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK && result->size > 0) {
        q->out = tb__vector_at(result);
        tb__count.launches++;
        status = routine(s, q);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- compressing ------------------------------------------------------------------------------------------------- */

static tb_status compress(tb_array *a, tb_array **out)
{
    tb_structured q = {.dtype = (tb_dtype)a->dtype, .m = a->dims[0], .k = a->dims[1]};
    tb_stream *s;
    tb_array *held;
    size_t bytes;
    TB_TRY(check(&q));
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__backend->structured->size(s, &q, &bytes));
    TB_TRY(hold(s, a, 'C', &held));
    q.a = tb__vector_at(held);
    const tb_status status =
        fill(s, &q, tb__backend->structured->compress, TB_U8, 1, (const int64_t[]){(int64_t)bytes}, out);
    tb_array_release(held);
    return status;
}

tb_status tb_structured_compress(tb_array *a, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_ARE_NUMBERS(__func__, a->dtype);
    if (a->ndim != 2)
        return tb__fail(TB_ERR_VALUE, "tb_structured_compress: a must be a matrix, not of %d dimensions", a->ndim);
    return TB__OPERATION(compress(a, out));
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

static tb_status check_compressed(tb_stream *s, const tb_structured *q, const tb_array *compressed)
{
    size_t bytes;
    TB_TRY(tb__backend->structured->size(s, q, &bytes));
    if (compressed->dtype == TB_U8 && compressed->ndim == 1 && compressed->size == (int64_t)bytes) return TB_OK;
    return tb__fail(TB_ERR_VALUE,
                    "tb_structured_matmul: a matrix (%lld, %lld) of %s is a vector of %zu uint8 when it is "
                    "compressed",
                    (long long)q->m, (long long)q->k, tb_dtype_name(q->dtype), bytes);
}

static tb_status multiply(tb_array *compressed, int64_t rows, tb_array *x, tb_array **out)
{
    tb_structured q = {.dtype = (tb_dtype)x->dtype, .m = rows, .k = x->dims[0], .n = x->dims[1]};
    tb_stream *s;
    tb_array *a, *held;
    TB_TRY(check(&q));
    TB_TRY(tb__current_stream(&s));
    TB_TRY(check_compressed(s, &q, compressed));
    q.x_by_columns = (x->f_contiguous && !x->c_contiguous) || tb__backend->structured->wants_columns(q.dtype);
    TB_TRY(hold(s, compressed, 'C', &a));
    tb_status status = hold(s, x, q.x_by_columns ? 'F' : 'C', &held);
    if (status == TB_OK) {
        q.a = tb__vector_at(a);
        q.x = tb__vector_at(held);
        status = fill(s, &q, tb__backend->structured->multiply, q.dtype == TB_I8 ? TB_I32 : TB_F16, 2,
                      (const int64_t[]){q.m, q.n}, out);
        tb_array_release(held);
    }
    tb_array_release(a);
    return status;
}

tb_status tb_structured_matmul(tb_array *compressed, int64_t rows, tb_array *x, tb_array **out)
{
    TB_NOT_NULL(compressed, x, out);
    TB_ARE_NUMBERS(__func__, compressed->dtype);
    TB_ARE_NUMBERS(__func__, x->dtype);
    if (x->ndim != 2)
        return tb__fail(TB_ERR_VALUE, "tb_structured_matmul: x must be a matrix, not of %d dimensions", x->ndim);
    return TB__OPERATION(multiply(compressed, rows, x, out));
}
