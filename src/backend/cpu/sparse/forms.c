/* forms.c - products of matrices of diagonals and of blocks, and diagonals of these, on all threads. */
#include "backend/cpu/sparse/sparse.h"

enum { TASK = 1 << 15 }; /* products */

typedef struct job {
    const tb_sparse_form *f;
    void (*loop)(const tb_sparse_form *f, int64_t from, int64_t to);
    int64_t rows, parts;
} job;

static bool even_part(void *arg, int64_t i)
{
    const job *j = arg;
    j->loop(j->f, j->rows * i / j->parts, j->rows * (i + 1) / j->parts);
    return true;
}

static bool uneven_part(void *arg, int64_t i)
{
    const job *j = arg;
    j->loop(j->f, tb__sparse_part(&j->f->a, j->parts, i), tb__sparse_part(&j->f->a, j->parts, i + 1));
    return true;
}

tb_status tb__cpu_sparse_matmul_bands(const tb_sparse_form *f)
{
    const int64_t row = f->width == 1 ? f->bands->length : f->width;
    job j = {.f = f, .loop = tb__row_loops(f->dtype, false, row)->by_bands, .rows = f->bands->rows};
    j.parts = tb__max(tb__min(j.rows * (f->bands->count + 1) / TASK * f->width, j.rows), 1);
    return tb__parallel(j.parts, even_part, &j);
}

tb_status tb__cpu_sparse_matmul_blocks(const tb_sparse_form *f)
{
    job j = {.f = f, .loop = tb__row_loops(f->dtype, f->a.wide, f->width)->by_blocks};
    j.parts = tb__sparse_parts(&f->a, tb__max(TASK / f->high / f->wide / f->width, 1));
    return tb__parallel(j.parts, uneven_part, &j);
}

tb_status tb__cpu_sparse_block_diagonal(const tb_sparse_form *f)
{
    job j = {.f = f, .loop = tb__product_loops(f->dtype, f->a.wide)->block_diagonal};
    j.parts = tb__sparse_parts(&f->a, TASK);
    return tb__parallel(j.parts, uneven_part, &j);
}
