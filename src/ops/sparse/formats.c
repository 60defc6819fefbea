/* formats.c - dense arrays and diagonals of sparse matrices, and matrices of diagonals, on the host. */
#include <stdlib.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

/* ---- dense arrays ------------------------------------------------------------------------------------------------ */

static tb_status dense_stored(const tb_held *h, const tb_array *data, bool transposed, char order, tb_array **out)
{
    const int64_t shape[2] = {transposed ? h->p.cols : h->p.rows, transposed ? h->p.rows : h->p.cols};
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__sparse_room((tb_dtype)data->dtype, 2, shape, order, out));
    const bool together = (order == 'F') == transposed; /* elements of the pattern's rows are */
    const tb_sparse_dense d = {.a = h->p,
                               .dtype = (tb_dtype)data->dtype,
                               .row_step = together ? h->p.cols : 1,
                               .col_step = together ? 1 : h->p.rows,
                               .data = tb__vector_at(data),
                               .out = tb__vector_at(*out)};
    tb__count.launches++;
    return (*out)->size > 0 ? tb__backend->sparse->dense(&d) : TB_OK;
}

static tb_status dense(const tb_pattern *a, tb_array *data, bool transposed, char order, tb_array **out)
{
    tb_held h;
    tb_array *d = NULL, *result = NULL;
    TB_TRY(tb__pattern_hold("tb_sparse_to_dense", a, &h));
    tb_status status = tb__stored(data, tb__values_sum_dtype((tb_dtype)data->dtype), &d);
    if (status == TB_OK) status = dense_stored(&h, d, transposed, order, &result);
    tb_array_release(d);
    tb__pattern_drop(&h);
    return tb__sparse_deliver(status, result, (tb_dtype)data->dtype, order, out);
}

tb_status tb_sparse_to_dense(const tb_pattern *a, tb_array *data, bool transposed, char order, tb_array **out)
{
    TB_NOT_NULL(a, data, out);
    TB_NOT_NULL(a->start, a->index);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(tb__values_usable(__func__, a, data));
    if (order != 'C' && order != 'F') return tb__fail(TB_ERR_VALUE, "tb_sparse_to_dense: order must be 'C' or 'F'");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(dense(a, data, transposed, order, out));
}

/* ---- diagonals --------------------------------------------------------------------------------------------------- */

static tb_status diagonal_stored(const tb_held *h, const tb_array *data, int64_t k, int64_t n, tb_array **out)
{
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__sparse_room((tb_dtype)data->dtype, 1, &n, 'C', out));
    const tb_sparse_diagonal d = {h->p, (tb_dtype)data->dtype, k, n, tb__vector_at(data), tb__vector_at(*out)};
    tb__count.launches++;
    return n > 0 ? tb__backend->sparse->diagonal(&d) : TB_OK;
}

static tb_status diagonal(const tb_pattern *a, tb_array *data, int64_t k, tb_array **out)
{
    tb_held h;
    tb_array *d = NULL, *result = NULL;
    const int64_t rows = a->rows, cols = a->cols;
    const int64_t n = k <= -rows || k >= cols ? 0 : tb__min(rows + tb__min(k, 0), cols - tb__max(k, 0));
    TB_TRY(tb__pattern_hold("tb_sparse_get_diagonal", a, &h));
    tb_status status = tb__stored(data, tb__values_sum_dtype((tb_dtype)data->dtype), &d);
    if (status == TB_OK) status = diagonal_stored(&h, d, k, n, &result);
    tb_array_release(d);
    tb__pattern_drop(&h);
    return tb__sparse_deliver(status, result, (tb_dtype)data->dtype, 'C', out);
}

tb_status tb_sparse_get_diagonal(const tb_pattern *a, tb_array *data, int64_t k, tb_array **out)
{
    TB_NOT_NULL(a, data, out);
    TB_NOT_NULL(a->start, a->index);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(tb__values_usable(__func__, a, data));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(diagonal(a, data, k, out));
}

/* ---- matrices of diagonals --------------------------------------------------------------------------------------- */

typedef struct tb_sparse_band band;

static int ascending(const void *a, const void *b)
{
    const int64_t x = ((const band *)a)->offset, y = ((const band *)b)->offset;
    return (x > y) - (x < y);
}

tb_status tb__bands_usable(const char *who, int64_t rows, int64_t cols, const tb_array *offsets, const tb_array *data)
{
    TB_ARE_NUMBERS(who, data->dtype);
    if (rows < 0 || cols < 0 || rows == INT64_MAX) return tb__fail(TB_ERR_VALUE, "%s: no matrix has such a shape", who);
    if (offsets->ndim != 1 || (offsets->dtype != TB_I32 && offsets->dtype != TB_I64))
        return tb__fail(TB_ERR_VALUE, "%s: offsets must be one-dimensional, of int32 or int64", who);
    if (data->ndim == 2 && data->dims[0] == offsets->size) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: data must have a row for each offset", who);
}

tb_status tb__bands_of(const tb_array *offsets, tb_sparse_bands *b, band **out)
{
    const int64_t n = offsets->size;
    band *bands = malloc((size_t)(n + 1) * sizeof *bands);
    if (!bands) return tb__fail_memory((size_t)n * sizeof *bands, 0, 0, 0);
    for (int64_t i = 0; i < n; i++) {
        const int64_t offset = offsets->dtype == TB_I64 ? ((const int64_t *)tb__vector_at(offsets))[i]
                                                        : ((const int32_t *)tb__vector_at(offsets))[i];
        if (offset > -b->rows && offset < b->cols) bands[b->count++] = (band){offset, i};
    }
    qsort(bands, (size_t)b->count, sizeof *bands, ascending);
    b->bands = *out = bands;
    return TB_OK;
}

static tb_status fill(tb_sparse_bands *b, tb_pattern *out, tb_array **values)
{
    int64_t n;
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__index_vector(b->wide, b->rows + 1, &out->start));
    b->start = tb__vector_at(out->start);
    TB_TRY(tb__backend->sparse->bands(b));
    TB_TRY(tb__pattern_size(out->start, &n));
    TB_TRY(tb__index_vector(b->wide, n, &out->index));
    TB_TRY(tb__sparse_room(b->dtype, 1, &n, 'C', values));
    b->index = tb__vector_at(out->index);
    b->values = tb__vector_at(*values);
    tb__count.launches++;
    return n > 0 ? tb__backend->sparse->bands(b) : TB_OK;
}

static tb_status bands_stored(int64_t rows, int64_t cols, const tb_array *offsets, const tb_array *data,
                              tb_pattern *out, tb_array **values)
{
    band *bands = NULL;
    tb_sparse_bands b = {.rows = rows,
                         .cols = cols,
                         .length = data->dims[1],
                         .dtype = (tb_dtype)data->dtype,
                         .wide = offsets->dtype == TB_I64 || data->size > INT32_MAX,
                         .data = tb__vector_at(data)};
    TB_TRY(tb__bands_of(offsets, &b, &bands));
    *out = (tb_pattern){rows, cols, NULL, NULL};
    const tb_status status = fill(&b, out, values);
    free(bands);
    return status;
}

static tb_status bands(int64_t rows, int64_t cols, tb_array *offsets, tb_array *data, tb_pattern *out,
                       tb_array **values)
{
    tb_array *o = NULL, *d = NULL, *result = NULL;
    tb_pattern p = {0, 0, NULL, NULL};
    tb_status status = tb__stored(offsets, (tb_dtype)offsets->dtype, &o);
    if (status == TB_OK) status = tb__stored(data, tb__values_sum_dtype((tb_dtype)data->dtype), &d);
    if (status == TB_OK) status = bands_stored(rows, cols, o, d, &p, &result);
    tb_array_release(o);
    tb_array_release(d);
    status = tb__sparse_deliver(status, result, (tb_dtype)data->dtype, 'C', values);
    if (status == TB_OK) *out = p;
    else tb__pattern_release(&p);
    return status;
}

tb_status tb_sparse_from_bands(int64_t rows, int64_t cols, tb_array *offsets, tb_array *data, tb_pattern *out,
                               tb_array **values)
{
    TB_NOT_NULL(offsets, data, out, values);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(tb__bands_usable(__func__, rows, cols, offsets, data));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(bands(rows, cols, offsets, data, out, values));
}
