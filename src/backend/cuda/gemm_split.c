/* gemm_split.c - products of few rows and columns that are long inside: X' X of a tall X. cuBLAS gives such a product
 * to few blocks; here parts of the inner dimension are products of their own, in one batch, and then added up. The
 * parts follow from the sizes, and with them the order of additions. */
#include "backend/cuda/device.h"
#include "base/error.h"

enum { MOST = 32, LEAST_INNER = 1 << 15, PART = 512, MOST_PARTS = 1024 };

static int64_t part_count(const tb_gemm *g) { return g->k / PART < MOST_PARTS ? g->k / PART : MOST_PARTS; }

/* Not of a vector: cuBLAS has kernels for these. */
bool tb__cuda_gemm_splits(const tb_gemm *g)
{
    return g->batch == 1 && g->dtype >= TB_F32 && g->k >= LEAST_INNER && g->m > 1 && g->m <= MOST && g->n > 1 &&
           g->n <= MOST;
}

/* c = the sum of n matrices, one behind the other; or TB__AGAIN. */
static tb_status add_up(tb_stream *s, const tb_gemm *g, const void *matrices, int64_t n)
{
    tb_plan p;
    const int64_t size = (int64_t)tb_dtype_size(g->dtype);
    tb__plan_start(&p, 3, (int64_t[]){n, g->m, g->n});
    p.kind = TB_PLAN_REDUCE;
    p.reduced = 1;
    p.red = tb__red_find(TB_REDUCE_SUM, g->dtype);
    p.count = (double)n;
    p.nload = p.nstore = 1;
    p.load[0] = (tb_load){matrices, (uint8_t)g->dtype, false, {g->m * g->n * size, g->n * size, size}};
    p.store[0] = (tb_store){g->c, 0, (uint8_t)g->dtype, {0, g->c_row * size, size}};
    tb__plan_finish(&p);
    return tb__gpu_run_besides(s, &p);
}

tb_status tb__cuda_gemm_split(tb_stream *s, const tb_gemm *g)
{
    const int64_t n = part_count(g), inner = g->k / n, rest = g->k - n * inner, size = (int64_t)tb_dtype_size(g->dtype);
    void *sums;
    TB_TRY(tb__pool_alloc(s, (size_t)((n + 1) * g->m * g->n * size), &sums));
    tb_gemm part = *g, last = *g;
    part.k = inner;
    part.batch = n;
    part.a_batch = inner * g->a_col;
    part.b_batch = inner * g->b_row;
    part.c = sums;
    part.c_row = g->n;
    part.c_batch = g->m * g->n;
    tb_status status = tb__cuda_gemm(s, &part);
    if (status == TB_OK && rest > 0) {
        last.k = rest;
        last.a = (const char *)g->a + n * part.a_batch * size;
        last.b = (const char *)g->b + n * part.b_batch * size;
        last.c = (char *)sums + n * part.c_batch * size;
        last.c_row = g->n;
        tb__count.launches++;
        status = tb__cuda_gemm(s, &last);
    }
    if (status == TB_OK) status = add_up(s, g, sums, n + (rest > 0));
    tb__pool_free(s->device, s->handle, sums);
    return status;
}
