/* product.c - products of sparse matrices on all threads: with vectors and dense matrices, and with one another. The
 * order in which numbers are added depends on the matrix alone, not on the threads. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum {
    TASK_PRODUCTS = 1 << 15,
    MOST_SUMS = 8, /* results of a transposed product that are made apart, then added */
    TASK_ELEMENTS = 1 << 14,
    MOST_PLACES = 1 << 22, /* columns of a product that have a place each */
    CLEARED = 4,           /* places that may be cleared for each product */
};

/* Vectors that are not filled bring nothing. */
const tb_row_loops *tb__row_loops(tb_dtype t, bool wide, int64_t n)
{
    enum { SHORT = 32, MIDDLE = 128 }; /* bytes */
    const int64_t bytes = n * (int64_t)tb_dtype_size(t);
    if (bytes < SHORT) return tb__row_loops_base[t][wide];
    if (bytes < MIDDLE)
        return TB_OR_AVX512(tb__row_loops_avx2, TB_OR_AVX2(tb__row_loops_avx2, tb__row_loops_base))[t][wide];
    return TB_OF_ISA(tb__row_loops_)[t][wide];
}

typedef struct product {
    const tb_sparse_product *p;
    const tb_row_loops *loops;
    int64_t parts;
    int64_t n, size; /* elements and bytes of a result */
    char *sums;      /* transposed: results but the first, one after the other */
} product;

static bool rows_part(void *arg, int64_t i)
{
    const product *j = arg;
    const int64_t from = tb__sparse_part(&j->p->a, j->parts, i), to = tb__sparse_part(&j->p->a, j->parts, i + 1);
    (j->p->width == 1 ? j->loops->by_vector : j->loops->by_matrix)(j->p, from, to, j->p->out);
    return true;
}

static bool scattered_part(void *arg, int64_t i)
{
    const product *j = arg;
    const int64_t from = tb__sparse_part(&j->p->a, j->parts, i), to = tb__sparse_part(&j->p->a, j->parts, i + 1);
    char *out = i > 0 ? j->sums + (i - 1) * j->size : j->p->out;
    memset(out, 0, (size_t)j->size);
    j->loops->transposed(j->p, from, to, out);
    return true;
}

static bool sum_part(void *arg, int64_t task)
{
    const product *j = arg;
    const int64_t from = task * TASK_ELEMENTS, n = tb__min(TASK_ELEMENTS, j->n - from), item = j->size / j->n;
    for (int64_t i = 1; i < j->parts; i++)
        j->loops->sum(n, j->sums + (i - 1) * j->size + from * item, (char *)j->p->out + from * item);
    return true;
}

static tb_status scatter(product *j)
{
    const size_t bytes = (size_t)((j->parts - 1) * j->size);
    if (j->parts > 1 && !(j->sums = malloc(bytes))) return tb__fail_memory(bytes, 0, 0, 0);
    tb_status status = tb__parallel(j->parts, scattered_part, j);
    if (status == TB_OK && j->parts > 1) status = tb__parallel(tb__ceil_div(j->n, TASK_ELEMENTS), sum_part, j);
    free(j->sums);
    return status;
}

tb_status tb__cpu_sparse_product(const tb_sparse_product *p)
{
    product j = {.p = p, .loops = tb__row_loops(p->dtype, p->a.wide, p->width)};
    j.parts = tb__sparse_parts(&p->a, tb__max(TASK_PRODUCTS / p->width, 1));
    j.n = (p->transposed ? p->a.cols : p->a.rows) * p->width;
    j.size = j.n * (int64_t)tb_dtype_size(p->dtype);
    if (!p->transposed) return tb__parallel(j.parts, rows_part, &j);
    /* Each result of its own is to have six products for each of its elements, which are cleared and added; and as many
     * of them as processors share evenly. */
    const int64_t products = tb__index_loops(p->a.wide)->at(p->a.start, p->a.rows) * p->width;
    const int64_t most = tb__min(tb__min(j.parts, MOST_SUMS), products / (6 * j.n));
    for (j.parts = 1; 2 * j.parts <= most; j.parts *= 2) continue;
    return scatter(&j);
}

/* ---- matrices with one another ---------------------------------------------------------------------------------- */

typedef struct multiplication {
    tb_sparse_pair q;
    const tb_index_loops *index;
    const tb_product_loops *loops; /* NULL: columns are counted */
    int64_t parts;
} multiplication;

tb_sparse_table tb__sparse_table(int64_t cols, int64_t most, size_t size, size_t key)
{
    int bits = 4;
    while (bits < 62 && (int64_t)1 << bits < 2 * tb__min(most, cols)) bits++;
    tb_sparse_table t = {.mask = ((uint64_t)1 << bits) - 1, .factor = 0x9e3779b97f4a7c15u, .shift = 64 - bits};
    if (t.mask >= (uint64_t)cols) t.factor = 1, t.shift = 0;
    t.room = tb__scratch((t.mask + 1) * size);
    if (t.room) memset(t.room, 0xff, (t.mask + 1) * key);
    return t;
}

static bool multiply_part(void *arg, int64_t i)
{
    const multiplication *j = arg;
    const tb_sparse_pattern *a = j->q.a;
    const int64_t from = tb__sparse_part(a, j->parts, i), to = tb__sparse_part(a, j->parts, i + 1);
    return j->loops ? j->loops->multiply(&j->q, from, to) : j->index->count_product(&j->q, from, to);
}

/* Whether columns are to have places; and in how many parts at most, each of which clears them. */
static bool has_places(const tb_sparse_pattern *a, const tb_sparse_pattern *b, int64_t *parts)
{
    const tb_index_loops *l = tb__index_loops(a->wide);
    const double elements = (double)l->at(a->start, a->rows), row = (double)l->at(b->start, b->rows) / (double)b->rows;
    const double products = elements * row;
    const bool dense = tb__sparse_is_dense(b->cols, (int64_t)(products / (double)a->rows));
    if (b->cols > MOST_PLACES || dense || 2 * CLEARED * products < (double)b->cols) return false;
    *parts = tb__min(*parts, tb__max((int64_t)(CLEARED * products / (double)b->cols), 1));
    return true;
}

tb_status tb__cpu_sparse_multiply(const tb_sparse_pattern *a, const tb_sparse_pattern *b, tb_dtype dtype,
                                  const void *a_data, const void *b_data, void *start, void *index, void *data)
{
    const tb_index_loops *l = tb__index_loops(a->wide);
    multiplication j = {.q = {a, b, a_data, b_data, start, index, data, l->work, false}, .index = l};
    if (data) j.loops = tb__product_loops(dtype, a->wide);
    j.parts = tb__sparse_parts(a, 1 << 10);
    j.q.places = a->rows > 0 && b->rows > 0 && b->cols > 0 && has_places(a, b, &j.parts);
    TB_TRY(tb__parallel(j.parts, multiply_part, &j));
    if (data || j.index->sum_up(a->rows, start)) return TB_OK;
    return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
}
