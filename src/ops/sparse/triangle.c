/* triangle.c - equations with one triangle of a sparse matrix, where the backend has a routine for them. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

static const char who[] = "tb_sparse_solve_triangle";

static tb_dtype work_dtype(const tb_array *data, const tb_array *b)
{
    const tb_dtype t = tb_promote((tb_dtype)data->dtype, (tb_dtype)b->dtype);
    return tb__is_half(t) ? TB_F32 : t < TB_F32 ? TB_F64 : t;
}

/* Everything is in memory, and nothing else is under way. */
static tb_status run(const tb_held *h, bool lower, bool unit, const tb_array *data, const tb_array *x)
{
    TB_TRY(tb__sparse_begin());
    const tb_sparse_triangle t = {.a = h->p,
                                  .dtype = (tb_dtype)x->dtype,
                                  .lower = lower,
                                  .unit = unit,
                                  .width = x->ndim == 2 ? x->dims[1] : 1,
                                  .data = tb__vector_at(data),
                                  .x = tb__vector_at(x)};
    tb__count.launches++;
    return tb__backend->sparse->triangle(&t);
}

static tb_status solve(const tb_pattern *a, tb_array *data, bool lower, bool unit, tb_array *b, tb_array **out)
{
    tb_held h;
    tb_array *d = NULL, *x = NULL;
    const tb_dtype t = work_dtype(data, b);
    TB_TRY(tb__sparse_on_host(who));
    TB_TRY(tb__pattern_hold(who, a, &h));
    tb_status status = tb__stored(data, t, &d);
    if (status == TB_OK) status = tb__astype(b, t, 'C', TB_CAST_UNSAFE, true, &x);
    if (status == TB_OK) status = tb__buffer_eval(x->buffer);
    if (status == TB_OK) status = tb__before_write(x->buffer);
    if (status == TB_OK && x->size > 0) status = run(&h, lower, unit, d, x);
    if (status == TB_OK) *out = tb_array_retain(x);
    tb_array_release(x);
    tb_array_release(d);
    tb__pattern_drop(&h);
    return status;
}

tb_status tb_sparse_solve_triangle(const tb_pattern *a, tb_array *data, bool lower, bool unit, tb_array *b,
                                   tb_array **out)
{
    TB_NOT_NULL(a, data, b, out);
    TB_NOT_NULL(a->start, a->index);
    TB_TRY(tb__pattern_usable(who, a));
    TB_ARE_NUMBERS(who, data->dtype);
    TB_ARE_NUMBERS(who, b->dtype);
    if (a->rows != a->cols)
        return tb__fail(TB_ERR_VALUE, "%s: the matrix must be square, its shape is (%lld, %lld)", who,
                        (long long)a->rows, (long long)a->cols);
    if (data->ndim != 1 || data->size != a->index->size)
        return tb__fail(TB_ERR_VALUE, "%s: a pattern of %lld elements must have as many values", who,
                        (long long)a->index->size);
    if ((b->ndim != 1 && b->ndim != 2) || b->dims[0] != a->rows)
        return tb__fail(TB_ERR_VALUE, "%s: b must have the shape (%lld,) or (%lld, k)", who, (long long)a->rows,
                        (long long)a->rows);
    return TB__OPERATION(solve(a, data, lower, unit, b, out));
}
