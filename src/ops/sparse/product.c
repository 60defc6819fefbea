/* product.c - products of sparse matrices. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/keys.h"
#include "ops/sparse/sparse.h"
#include "ops/sparse/steps.h"

/* result (stolen) as dtype t. */
static tb_status cast(tb_array *result, tb_dtype t, tb_array **out)
{
    const tb_status status = tb__astype(result, t, 'C', TB_CAST_UNSAFE, false, out);
    tb_array_release(result);
    return status;
}

/* ---- with a dense array ------------------------------------------------------------------------------------------ */

/* data and x are in memory, of one dtype. */
static tb_status matmul_stored(const tb_held *h, bool transposed, const tb_array *data, const tb_array *x,
                               tb_array **out)
{
    const int64_t shape[2] = {transposed ? h->p.cols : h->p.rows, x->ndim == 2 ? x->dims[1] : 1};
    tb_array *result;
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty((tb_dtype)x->dtype, x->ndim, shape, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK && result->size > 0) {
        const tb_sparse_product p = {.a = h->p,
                                     .dtype = (tb_dtype)x->dtype,
                                     .transposed = transposed,
                                     .width = shape[1],
                                     .n = h->n,
                                     .data = tb__vector_at(data),
                                     .x = tb__vector_at(x),
                                     .out = tb__vector_at(result)};
        tb__count.launches += tb__backend->on_host; /* a GPU's are counted where they are made */
        status = tb__backend->sparse_product(s, &p);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status matmul(const tb_pattern *a, tb_array *data, bool transposed, tb_array *x, tb_array **out)
{
    tb_held h;
    tb_array *d = NULL, *y = NULL, *result = NULL;
    const tb_dtype t = tb_promote((tb_dtype)data->dtype, (tb_dtype)x->dtype), work = tb__values_sum_dtype(t);
    TB_TRY(tb__pattern_hold("tb_sparse_matmul", a, &h));
    tb_status status = tb__stored(data, work, &d);
    if (status == TB_OK) status = tb__stored(x, work, &y);
    if (status == TB_OK) status = matmul_stored(&h, transposed, d, y, &result);
    tb_array_release(d);
    tb_array_release(y);
    tb__pattern_drop(&h);
    TB_TRY(status);
    return cast(result, t, out);
}

/* Whether a kernel adds products where they belong. To few places sums of parts are quicker, which scatters make. */
static bool scatters(tb_dtype t, int64_t places)
{
    enum { FEW = 4096 };
    return places >= FEW && tb_dtype_size(tb__values_sum_dtype(t)) >= 4;
}

/* The same, of the transpose, by sequences of operations. Without the lock. */
static tb_status matmul_by_keys(const tb_pattern *a, tb_array *data, tb_array *x, tb_array **out)
{
    const tb_dtype t = tb_promote((tb_dtype)data->dtype, (tb_dtype)x->dtype), work = tb__values_sum_dtype(t);
    tb_array *d = NULL, *y = NULL, *result = NULL;
    tb_status status = tb_astype(data, work, 'C', TB_CAST_UNSAFE, false, &d);
    if (status == TB_OK) status = tb_astype(x, work, 'C', TB_CAST_UNSAFE, false, &y);
    if (status == TB_OK) status = tb__keys_transposed_product(a, d, y, &result);
    if (status == TB_OK) status = tb_astype(result, t, 'C', TB_CAST_UNSAFE, false, out);
    tb_array_release(d);
    tb_array_release(y);
    tb_array_release(result);
    return status;
}

static tb_status check_factors(const tb_pattern *a, const tb_array *data, bool transposed, const tb_array *x)
{
    static const char who[] = "tb_sparse_matmul";
    const int64_t length = transposed ? a->rows : a->cols;
    TB_TRY(tb__pattern_usable(who, a));
    TB_TRY(tb__values_usable(who, a, data));
    TB_ARE_NUMBERS(who, x->dtype);
    if (x->ndim == 1 || x->ndim == 2)
        if (x->dims[0] == length) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "dimension mismatch: a matrix of %lld columns, and %lld rows", (long long)length,
                    (long long)(x->ndim > 0 ? x->dims[0] : 0));
}

tb_status tb_sparse_matmul(const tb_pattern *a, tb_array *data, bool transposed, tb_array *x, tb_array **out)
{
    TB_NOT_NULL(a, data, x, out);
    TB_NOT_NULL(a->start, a->index);
    TB_TRY(check_factors(a, data, transposed, x));
    const tb_dtype t = tb_promote((tb_dtype)data->dtype, (tb_dtype)x->dtype);
    const int64_t places = a->cols * (x->ndim == 2 ? x->dims[1] : 1);
    if (transposed && !tb__backend->on_host && !scatters(t, places)) return matmul_by_keys(a, data, x, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(matmul(a, data, transposed, x, out));
}

/* ---- with one another -------------------------------------------------------------------------------------------- */

typedef struct factor {
    tb_held h;
    tb_array *data;
} factor;

static void drop(factor *f)
{
    if (!f->data) return;
    tb_array_release(f->data);
    tb__pattern_drop(&f->h);
}

static tb_status hold(const tb_pattern *p, tb_array *data, tb_dtype t, factor *out)
{
    TB_TRY(tb__pattern_hold("tb_sparse_multiply", p, &out->h));
    const tb_status status = tb__stored(data, t, &out->data);
    if (status != TB_OK) tb__pattern_drop(&out->h);
    return status;
}

static tb_status multiply_stored(const factor *a, const factor *b, tb_dtype t, tb_pattern *out, tb_array **data)
{
    const tb_sparse_routines *l = tb__backend->sparse;
    const tb_sparse_pattern *x = &a->h.p, *y = &b->h.p;
    int64_t n;
    *out = (tb_pattern){x->rows, y->cols, NULL, NULL};
    *data = NULL;
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__index_vector(x->wide, x->rows + 1, &out->start));
    void *start = tb__vector_at(out->start);
    TB_TRY(l->multiply(x, y, t, NULL, NULL, start, NULL, NULL));
    TB_TRY(tb__pattern_size(out->start, &n));
    TB_TRY(tb__index_vector(x->wide, n, &out->index));
    TB_TRY(tb__empty(t, 1, &n, 'C', data));
    TB_TRY(tb__before_write((*data)->buffer));
    if (n == 0) return TB_OK;
    return l->multiply(x, y, t, tb__vector_at(a->data), tb__vector_at(b->data), start, tb__vector_at(out->index),
                       tb__vector_at(*data));
}

static tb_status multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data, tb_pattern *out,
                          tb_array **data)
{
    factor x = {.data = NULL}, y = {.data = NULL};
    tb_pattern result = {0, 0, NULL, NULL};
    tb_array *values = NULL;
    const tb_dtype t = tb_promote((tb_dtype)a_data->dtype, (tb_dtype)b_data->dtype);
    tb_status status = hold(a, a_data, tb__values_sum_dtype(t), &x);
    if (status == TB_OK) status = hold(b, b_data, tb__values_sum_dtype(t), &y);
    if (status == TB_OK) status = multiply_stored(&x, &y, tb__values_sum_dtype(t), &result, &values);
    if (status == TB_OK) status = cast(values, t, data);
    else tb_array_release(values);
    drop(&x);
    drop(&y);
    if (status == TB_OK) *out = result;
    else tb__pattern_release(&result);
    return status;
}

static tb_status multiply_by_keys(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                                  tb_pattern *out, tb_array **data)
{
    const tb_dtype t = tb_promote((tb_dtype)a_data->dtype, (tb_dtype)b_data->dtype), work = tb__values_sum_dtype(t);
    tb_array *x = NULL, *y = NULL, *result = NULL;
    tb_status status = tb_astype(a_data, work, 'C', TB_CAST_UNSAFE, false, &x);
    if (status == TB_OK) status = tb_astype(b_data, work, 'C', TB_CAST_UNSAFE, false, &y);
    if (status == TB_OK) status = tb__rows_multiply(a, x, b, y, out, &result);
    if (status == TB_OK && !result) status = tb__keys_multiply(a, x, b, y, out, &result);
    if (status == TB_OK) {
        status = tb_astype(result, t, 'C', TB_CAST_UNSAFE, false, data);
        if (status != TB_OK) tb__pattern_release(out);
    }
    tb_array_release(x);
    tb_array_release(y);
    tb_array_release(result);
    return status;
}

static tb_status check_matrices(const tb_pattern *a, const tb_array *a_data, const tb_pattern *b,
                                const tb_array *b_data)
{
    static const char who[] = "tb_sparse_multiply";
    TB_TRY(tb__pattern_usable(who, a));
    TB_TRY(tb__pattern_usable(who, b));
    TB_TRY(tb__values_usable(who, a, a_data));
    TB_TRY(tb__values_usable(who, b, b_data));
    if (a->cols == b->rows && a->index->dtype == b->index->dtype) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "dimension mismatch: a matrix of %lld columns, and %lld rows", (long long)a->cols,
                    (long long)b->rows);
}

tb_status tb_sparse_multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                             tb_pattern *out, tb_array **data)
{
    TB_NOT_NULL(a, a_data, b, b_data);
    TB_NOT_NULL(out, data);
    TB_NOT_NULL(a->start, a->index, b->start, b->index);
    TB_TRY(check_matrices(a, a_data, b, b_data));
    if (!tb__backend->sparse) return multiply_by_keys(a, a_data, b, b_data, out, data);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(multiply(a, a_data, b, b_data, out, data));
}
