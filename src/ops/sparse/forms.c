/* forms.c - products of matrices of diagonals and of blocks with dense arrays, and diagonals of blocks, on the host. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

typedef tb_status routine(const tb_sparse_form *f);

/* What the routine makes of f, when the work before is done. */
static tb_status run(routine *r, tb_sparse_form *f, int ndim, const int64_t *shape, tb_array **out)
{
    TB_TRY(tb__sparse_begin());
    TB_TRY(tb__sparse_room(f->dtype, ndim, shape, 'C', out));
    f->out = tb__vector_at(*out);
    tb__count.launches++;
    return (*out)->size > 0 ? r(f) : TB_OK;
}

static tb_status check_dense(const char *who, const tb_array *data, const tb_array *x, int64_t cols)
{
    TB_ARE_NUMBERS(who, data->dtype | x->dtype);
    if (x->ndim == 1 || x->ndim == 2)
        if (x->dims[0] == cols) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "dimension mismatch: a matrix of %lld columns, and %lld rows", (long long)cols,
                    (long long)(x->ndim > 0 ? x->dims[0] : 0));
}

/* ---- diagonals ------------------------------------------------------------------------------------------------- */

static tb_status bands_stored(int64_t rows, int64_t cols, const tb_array *offsets, const tb_array *data,
                              const tb_array *x, tb_array **out)
{
    struct tb_sparse_band *bands = NULL;
    tb_sparse_bands b = {.rows = rows, .cols = cols, .length = data->dims[1], .data = tb__vector_at(data)};
    const int64_t shape[2] = {rows, x->ndim == 2 ? x->dims[1] : 1};
    tb_sparse_form f = {.dtype = (tb_dtype)x->dtype, .width = shape[1], .x = tb__vector_at(x), .bands = &b};
    TB_TRY(tb__bands_of(offsets, &b, &bands));
    const tb_status status = run(tb__backend->sparse->matmul_bands, &f, x->ndim, shape, out);
    free(bands);
    return status;
}

static tb_status matmul_bands(int64_t rows, int64_t cols, tb_array *offsets, tb_array *data, tb_array *x,
                              tb_array **out)
{
    tb_array *o = NULL, *d = NULL, *y = NULL, *result = NULL;
    const tb_dtype t = tb_promote((tb_dtype)data->dtype, (tb_dtype)x->dtype), work = tb__values_sum_dtype(t);
    tb_status status = tb__stored(offsets, (tb_dtype)offsets->dtype, &o);
    if (status == TB_OK) status = tb__stored(data, work, &d);
    if (status == TB_OK) status = tb__stored(x, work, &y);
    if (status == TB_OK) status = bands_stored(rows, cols, o, d, y, &result);
    tb_array_release(o);
    tb_array_release(d);
    tb_array_release(y);
    return tb__sparse_deliver(status, result, t, 'C', out);
}

tb_status tb_sparse_matmul_bands(int64_t rows, int64_t cols, tb_array *offsets, tb_array *data, tb_array *x,
                                 tb_array **out)
{
    TB_NOT_NULL(offsets, data, x, out);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(tb__bands_usable(__func__, rows, cols, offsets, data));
    TB_TRY(check_dense(__func__, data, x, cols));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(matmul_bands(rows, cols, offsets, data, x, out));
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

static tb_status check_blocks(const char *who, const tb_pattern *p, const tb_array *blocks)
{
    TB_TRY(tb__sparse_on_host(who));
    TB_TRY(tb__pattern_usable(who, p));
    TB_ARE_NUMBERS(who, blocks->dtype);
    if (blocks->ndim == 3 && blocks->dims[0] == p->index->size && blocks->dims[1] > 0 && blocks->dims[2] > 0)
        return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: a pattern of %lld elements must have as many blocks", who,
                    (long long)p->index->size);
}

static tb_status matmul_blocks(const tb_pattern *p, tb_array *blocks, tb_array *x, tb_array **out)
{
    tb_held h;
    tb_array *d = NULL, *y = NULL, *result = NULL;
    const tb_dtype t = tb_promote((tb_dtype)blocks->dtype, (tb_dtype)x->dtype), work = tb__values_sum_dtype(t);
    const int64_t high = blocks->dims[1], shape[2] = {p->rows * high, x->ndim == 2 ? x->dims[1] : 1};
    TB_TRY(tb__pattern_hold("tb_sparse_matmul_blocks", p, &h));
    tb_status status = tb__stored(blocks, work, &d);
    if (status == TB_OK) status = tb__stored(x, work, &y);
    if (status == TB_OK) {
        tb_sparse_form f = {.dtype = work, .width = shape[1], .x = tb__vector_at(y), .a = h.p, .high = high};
        f.wide = blocks->dims[2];
        f.data = tb__vector_at(d);
        status = run(tb__backend->sparse->matmul_blocks, &f, x->ndim, shape, &result);
    }
    tb_array_release(d);
    tb_array_release(y);
    tb__pattern_drop(&h);
    return tb__sparse_deliver(status, result, t, 'C', out);
}

tb_status tb_sparse_matmul_blocks(const tb_pattern *p, tb_array *blocks, tb_array *x, tb_array **out)
{
    TB_NOT_NULL(p, blocks, x, out);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(check_blocks(__func__, p, blocks));
    TB_TRY(check_dense(__func__, blocks, x, p->cols * blocks->dims[2]));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(matmul_blocks(p, blocks, x, out));
}

static tb_status cleared_diagonal(const tb_sparse_form *f)
{
    memset(f->out, 0, (size_t)f->n * tb_dtype_size(f->dtype));
    return tb__backend->sparse->block_diagonal(f);
}

static tb_status block_diagonal(const tb_pattern *p, tb_array *blocks, int64_t k, tb_array **out)
{
    tb_held h;
    tb_array *d = NULL, *result = NULL;
    const tb_dtype work = tb__values_sum_dtype((tb_dtype)blocks->dtype);
    tb_sparse_form f = {.dtype = work, .high = blocks->dims[1], .wide = blocks->dims[2], .k = k};
    const int64_t rows = p->rows * f.high, cols = p->cols * f.wide;
    f.n = k <= -rows || k >= cols ? 0 : tb__min(rows + tb__min(k, 0), cols - tb__max(k, 0));
    TB_TRY(tb__pattern_hold("tb_sparse_get_block_diagonal", p, &h));
    tb_status status = tb__stored(blocks, work, &d);
    if (status == TB_OK) {
        f.a = h.p;
        f.data = tb__vector_at(d);
        status = run(cleared_diagonal, &f, 1, &f.n, &result);
    }
    tb_array_release(d);
    tb__pattern_drop(&h);
    return tb__sparse_deliver(status, result, (tb_dtype)blocks->dtype, 'C', out);
}

tb_status tb_sparse_get_block_diagonal(const tb_pattern *p, tb_array *blocks, int64_t k, tb_array **out)
{
    TB_NOT_NULL(p, blocks, out);
    TB_NOT_NULL(p->start, p->index);
    TB_TRY(check_blocks(__func__, p, blocks));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(block_diagonal(p, blocks, k, out));
}
