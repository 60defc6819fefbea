/* polyphase.c - filters between two rates, by a device's routine. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

static tb_status check(const tb_array *x, const tb_array *taps, const tb_phases *p)
{
    const tb_dtype t = (tb_dtype)x->dtype;
    if (t != taps->dtype || (t != TB_F32 && t != TB_F64 && t != TB_C64 && t != TB_C128))
        return tb__fail(
            TB_ERR_TYPE,
            "polyphase: x and taps must both be of float32, float64, complex64 or complex128, not %s and %s",
            tb_dtype_name(t), tb_dtype_name((tb_dtype)taps->dtype));
    if (x->ndim < 1 || taps->ndim != 1 || taps->size < 1)
        return tb__fail(TB_ERR_VALUE,
                        "polyphase: x has the dimensions %d, and taps %d and %lld elements; not 1 or more, and 1",
                        x->ndim, taps->ndim, (long long)taps->size);
    if (p->up < 1 || p->down < 1)
        return tb__fail(TB_ERR_VALUE, "polyphase: up and down must be 1 or more, not %lld and %lld", (long long)p->up,
                        (long long)p->down);
    if (p->start < 0 || p->count < 0)
        return tb__fail(TB_ERR_VALUE, "polyphase: start and count must not be negative: %lld and %lld",
                        (long long)p->start, (long long)p->count);
    int64_t last;
    if (__builtin_mul_overflow(p->count, p->down, &last) || __builtin_add_overflow(last, p->start, &last))
        return tb__fail(TB_ERR_VALUE, "polyphase: %lld results are more than there are numbers for",
                        (long long)p->count);
    if (!tb__backend->phases)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "polyphase: the backend %s has none", tb__backend->name);
    return TB_OK;
}

static tb_status run(tb_array *x, tb_array *taps, const tb_phases *given, tb_array **out)
{
    tb_phases p = *given;
    tb_stream *s;
    tb_array *result;
    int64_t shape[TB_MAXDIM];
    const int last = x->ndim - 1;
    memcpy(shape, x->dims, (size_t)last * sizeof *shape);
    shape[last] = p.count;
    p.dtype = (tb_dtype)x->dtype;
    p.rows = tb__product(last, x->dims);
    p.n = x->dims[last];
    p.taps = taps->size;
    p.x = tb__vector_at(x);
    p.h = tb__vector_at(taps);
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty(p.dtype, x->ndim, shape, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    p.out = tb__vector_at(result);
    if (status == TB_OK && result->size > 0) status = tb__backend->phases(s, &p);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status polyphase(tb_array *x, tb_array *taps, const tb_phases *p, tb_array **out)
{
    tb_array *rows, *vector;
    TB_ARE_NUMBERS("polyphase", x->dtype);
    TB_ARE_NUMBERS("polyphase", taps->dtype);
    TB_TRY(check(x, taps, p));
    TB_TRY(tb__stored(x, (tb_dtype)x->dtype, &rows));
    tb_status status = tb__stored(taps, (tb_dtype)taps->dtype, &vector);
    if (status == TB_OK) {
        status = run(rows, vector, p, out);
        tb_array_release(vector);
    }
    tb_array_release(rows);
    return status;
}

tb_status tb_polyphase(tb_array *x, tb_array *taps, int64_t up, int64_t down, int64_t start, int64_t count,
                       tb_array **out)
{
    const tb_phases p = {.up = up, .down = down, .start = start, .count = count};
    TB_NOT_NULL(x, taps, out);
    return TB__OPERATION(polyphase(x, taps, &p, out));
}
