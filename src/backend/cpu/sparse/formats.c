/* formats.c - dense arrays and diagonals of sparse matrices, and matrices of diagonals, on all threads. */
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum { TASK = 1 << 15 }; /* elements, about */

typedef struct job {
    const tb_product_loops *loops;
    int64_t parts;
    const tb_sparse_dense *dense;
    const tb_sparse_diagonal *diagonal;
    const tb_sparse_bands *bands;
    bool outside; /* some column is; any task may say so */
} job;

/* ---- dense arrays ------------------------------------------------------------------------------------------------ */

/* Whether a row's elements follow one another, so that each task clears its own. */
static bool in_rows(const tb_sparse_dense *d) { return d->col_step == 1 && d->row_step == d->a.cols; }

static bool dense_part(void *arg, int64_t i)
{
    job *j = arg;
    const tb_sparse_dense *d = j->dense;
    const int64_t from = tb__sparse_part(&d->a, j->parts, i), to = tb__sparse_part(&d->a, j->parts, i + 1);
    const size_t row = (size_t)d->row_step * tb_dtype_size(d->dtype);
    if (in_rows(d)) memset((char *)d->out + (size_t)from * row, 0, (size_t)(to - from) * row);
    if (!j->loops->dense(d, from, to)) __atomic_store_n(&j->outside, true, __ATOMIC_RELAXED);
    return true;
}

tb_status tb__cpu_sparse_dense(const tb_sparse_dense *d)
{
    job j = {.dense = d, .loops = tb__product_loops(d->dtype, d->a.wide)};
    const int64_t size = d->a.rows * d->a.cols;
    if (!in_rows(d)) memset(d->out, 0, (size_t)size * tb_dtype_size(d->dtype));
    j.parts = tb__max(tb__min(tb__sparse_parts(&d->a, 1) / TASK + size / (4 * TASK), d->a.rows), 1);
    TB_TRY(tb__parallel(j.parts, dense_part, &j));
    if (!j.outside) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "indices of a sparse matrix are out of range: they have been overwritten");
}

/* ---- diagonals --------------------------------------------------------------------------------------------------- */

static bool diagonal_part(void *arg, int64_t i)
{
    const job *j = arg;
    const tb_sparse_diagonal *d = j->diagonal;
    j->loops->diagonal(d, d->n * i / j->parts, d->n * (i + 1) / j->parts);
    return true;
}

tb_status tb__cpu_sparse_diagonal(const tb_sparse_diagonal *d)
{
    job j = {.diagonal = d, .loops = tb__product_loops(d->dtype, d->a.wide)};
    j.parts = tb__min(tb__sparse_parts(&d->a, TASK), d->n);
    return tb__parallel(j.parts, diagonal_part, &j);
}

/* ---- matrices of diagonals --------------------------------------------------------------------------------------- */

static bool count_part(void *arg, int64_t i)
{
    const job *j = arg;
    const int64_t rows = j->bands->rows;
    j->loops->count_bands(j->bands, rows * i / j->parts, rows * (i + 1) / j->parts);
    return true;
}

static bool place_part(void *arg, int64_t i)
{
    const job *j = arg;
    const int64_t rows = j->bands->rows;
    j->loops->place_bands(j->bands, rows * i / j->parts, rows * (i + 1) / j->parts);
    return true;
}

tb_status tb__cpu_sparse_bands(const tb_sparse_bands *b)
{
    job j = {.bands = b, .loops = tb__product_loops(b->dtype, b->wide)};
    j.parts = tb__max(tb__min(b->rows * (b->count + 1) / TASK, b->rows), 1);
    if (b->index) return tb__parallel(j.parts, place_part, &j);
    TB_TRY(tb__parallel(j.parts, count_part, &j));
    if (tb__index_loops(b->wide)->sum_up(b->rows, b->start)) return TB_OK;
    return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
}
