/* gemm.c - matrix products by a BLAS, or by the library's own loops (gemm_tiles.c) where there is none.
 *
 * Row-major C = A B is column-major C' = B' A'. A product with a vector is gemv's, one of a matrix and its transpose
 * syrk's, which makes one half and leaves the other to be copied. float16 goes through float. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/blas.h"
#include "backend/cpu/plans/plans.h"
#include "backend/cpu/loops/loops.h"
#include "base/error.h"
#include "base/half.h"
#include "plan/plan.h"

/* ---- one product ---------------------------------------------------------------------------------------------- */

/* How BLAS sees a row-major matrix: as the column-major transpose ('N'), or, if its columns are contiguous, transposed
 * back ('T'). */
typedef struct operand {
    char trans;
    int rows, cols, ld; /* of the column-major matrix in memory */
} operand;

static tb_status as_fortran(const char *which, int64_t row, int64_t col, int64_t rows, int64_t cols, operand *out)
{
    bool plain = col == 1 || cols == 1;
    int64_t step = plain ? row : col, least = plain ? cols : rows, count = plain ? rows : cols;
    if (!plain && row != 1 && rows != 1)
        return tb__fail(TB_ERR_INTERNAL, "matrix product: neither stride of operand %s is 1", which);
    if (step < least && count > 1)
        return tb__fail(TB_ERR_INTERNAL, "matrix product: rows of operand %s overlap", which);
    step = tb__max(tb__max(step, least), 1);
    if (step > INT_MAX)
        return tb__fail(TB_ERR_VALUE, "matrix product: a stride of %lld elements is more than BLAS can take (%d)",
                        (long long)step, INT_MAX);
    *out = (operand){plain ? 'N' : 'T', (int)least, (int)count, (int)step};
    return TB_OK;
}

static const float one_s[2] = {1, 0}, zero_s[2] = {0, 0};
static const double one_d[2] = {1, 0}, zero_d[2] = {0, 0};

/* All that the products of a stack have in common. */
typedef struct product {
    const tb_gemm *g;
    void (*multiply)(const struct product *p, const void *a, const void *b, void *c);
    int64_t per_task;
    const tb_blas *blas;
    const void *one, *zero;
    operand a, b;
    int ldc;
} product;

static void by_gemm(const product *p, const void *a, const void *b, void *c)
{
    const int m = (int)p->g->m, n = (int)p->g->n, k = (int)p->g->k;
    p->blas->gemm(&p->b.trans, &p->a.trans, &n, &m, &k, p->one, b, &p->b.ld, a, &p->a.ld, p->zero, c, &p->ldc, 1, 1);
}

/* A column is A's product with a vector, a row the product of B's transpose with one. */
static void by_gemv(const product *p, const void *a, const void *b, void *c)
{
    bool column = p->g->n == 1;
    const operand *x = column ? &p->a : &p->b;
    const int step = (int)(column ? p->g->b_row : p->g->a_col), step_c = column ? p->ldc : 1;
    char trans = (x->trans == 'N') == column ? 'T' : 'N';
    p->blas->gemv(&trans, &x->rows, &x->cols, p->one, column ? a : b, &x->ld, column ? b : a, &step, p->zero, c,
                  &step_c, 1);
}

/* Fills the half below the diagonal of n rows, a square of rows and columns at a time. */
static inline __attribute__((always_inline)) void mirror_items(char *c, int64_t n, int64_t ld, size_t item)
{
    enum { SQUARE = 16 };
    for (int64_t i = 0; i < n; i += SQUARE)
        for (int64_t j = i; j < n; j++)
            for (int64_t l = i; l < tb__min(i + SQUARE, j); l++)
                memcpy(c + (size_t)(j * ld + l) * item, c + (size_t)(l * ld + j) * item, item);
}

static void mirror(void *c, int64_t n, int64_t ld, size_t item)
{
    if (item == 4) mirror_items(c, n, ld, 4);
    else if (item == 8) mirror_items(c, n, ld, 8);
    else mirror_items(c, n, ld, 16);
}

static void by_syrk(const product *p, const void *a, const void *b, void *c)
{
    const int n = (int)p->g->m, k = (int)p->g->k;
    char trans = p->a.trans == 'N' ? 'T' : 'N';
    (void)b;
    p->blas->syrk("L", &trans, &n, &k, p->one, a, &p->a.ld, p->zero, c, &p->ldc, 1, 1);
    mirror(c, n, p->ldc, tb_dtype_size(p->g->dtype));
}

/* Below SMALL the mirror image costs more than half of the product. */
static bool is_symmetric(const tb_gemm *g)
{
    enum { SMALL = 64 };
    return g->a == g->b && g->m == g->n && g->m >= SMALL && g->a_row == g->b_col && g->a_col == g->b_row &&
           g->a_batch == g->b_batch;
}

static bool multiply_some(void *arg, int64_t task)
{
    const product *p = arg;
    const tb_gemm *g = p->g;
    int64_t item = (int64_t)tb_dtype_size(g->dtype);
    int64_t end = tb__min((task + 1) * p->per_task, g->batch);
    for (int64_t i = task * p->per_task; i < end; i++)
        p->multiply(p, (const char *)g->a + i * g->a_batch * item, (const char *)g->b + i * g->b_batch * item,
                    (char *)g->c + i * g->c_batch * item);
    return true;
}

/* A stack of small products is spread over the pool of threads. One that BLAS may divide among threads of its own is
 * not: it would have to take turns. */
static tb_status multiply_stack(product *p)
{
    enum { GRAIN = 1 << 16, DIVIDED_GEMM = 1 << 18, DIVIDED = 1 << 13 };
    const tb_gemm *g = p->g;
    double size = (double)g->m * (double)g->n * (double)g->k;
    p->per_task = g->batch;
    if (size <= (p->multiply == by_gemm ? DIVIDED_GEMM : DIVIDED)) p->per_task = tb__max(GRAIN / (int64_t)size, 1);
    return tb__parallel(tb__ceil_div(g->batch, p->per_task), multiply_some, p);
}

static tb_status multiply(const tb_gemm *g)
{
    bool wide = g->dtype == TB_F64 || g->dtype == TB_C128;
    int64_t c_row = tb__max(tb__max(g->c_row, g->n), 1);
    product p = {.g = g, .one = wide ? (const void *)one_d : one_s, .zero = wide ? (const void *)zero_d : zero_s};
    TB_TRY(tb__cpu_blas(g->dtype, &p.blas));
    if (!p.blas) return tb__cpu_gemm_tiles(g);
    if (g->m > INT_MAX || g->n > INT_MAX || g->k > INT_MAX || c_row > INT_MAX)
        return tb__fail(TB_ERR_VALUE, "matrix product of (%lld, %lld) and (%lld, %lld): BLAS takes dimensions up to %d",
                        (long long)g->m, (long long)g->k, (long long)g->k, (long long)g->n, INT_MAX);
    TB_TRY(as_fortran("A", g->a_row, g->a_col, g->m, g->k, &p.a));
    TB_TRY(as_fortran("B", g->b_row, g->b_col, g->k, g->n, &p.b));
    p.ldc = (int)c_row;
    p.multiply = g->m == 1 || g->n == 1 ? by_gemv : is_symmetric(g) ? by_syrk : by_gemm;
    return multiply_stack(&p);
}

/* ---- float16 and bfloat16 -------------------------------------------------------------------------------------- */

/* A matrix as contiguous float rows (or columns, where those are contiguous). */
static void widen(tb_dtype t, const char *from, int64_t row, int64_t col, int64_t rows, int64_t cols, float *to)
{
    tb_cpu_loop cast = tb__cpu_loops()[tb__cast_loop(t, TB_F32)];
    bool plain = col == 1 || cols == 1;
    int64_t n = plain ? cols : rows, count = plain ? rows : cols, step = plain ? row : col;
    for (int64_t i = 0; i < count; i++) {
        void *p[2] = {to + i * n, (void *)(uintptr_t)(from + 2 * i * step)};
        cast(n, p, 0);
    }
}

static void narrow(tb_dtype t, const float *from, char *to, int64_t row, int64_t rows, int64_t cols)
{
    tb_cpu_loop cast = tb__cpu_loops()[tb__cast_loop(TB_F32, t)];
    for (int64_t i = 0; i < rows; i++) {
        void *p[2] = {to + 2 * i * row, (void *)(uintptr_t)(from + i * cols)};
        cast(cols, p, 0);
    }
}

static void load_half(tb_plan *p, tb_dtype t, int64_t step)
{
    p->load[p->nload++] = (tb_load){.dtype = t, .strides = {2 * step}};
}

static void add_instr(tb_plan *p, tb_loop loop, int nin, int a, int b)
{
    p->instr[p->ninstr++] = (tb_instr){loop, (uint8_t)nin, TB_F32, {(uint16_t)a, (uint16_t)b}};
}

/* Inner products: cast, multiply and sum, all in float. */
static tb_status dot_half(const tb_gemm *g)
{
    float sum = 0;
    tb_plan *p = calloc(1, sizeof *p);
    if (!p) return tb__fail(TB_ERR_MEMORY, "out of host memory for an inner product of %s", tb_dtype_name(g->dtype));
    p->kind = TB_PLAN_REDUCE;
    p->ndim = 1;
    p->shape[0] = g->k;
    p->reduced = 1;
    p->red = tb__red_find(TB_REDUCE_SUM, TB_F32);
    p->nstore = 1;
    load_half(p, g->dtype, g->a_col);
    load_half(p, g->dtype, g->b_row);
    add_instr(p, tb__cast_loop(g->dtype, TB_F32), 1, 0, 0);
    add_instr(p, tb__cast_loop(g->dtype, TB_F32), 1, 1, 0);
    add_instr(p, tb__loop_find(TB_OP_multiply, 2, (const tb_dtype[]){TB_F32, TB_F32}), 2, 2, 3);
    p->store[0] = (tb_store){.ptr = (char *)&sum, .value = 4, .dtype = TB_F32};
    tb__plan_finish(p);
    tb_status status = TB_OK;
    for (int64_t i = 0; i < g->batch && status == TB_OK; i++) {
        p->load[0].ptr = (const char *)g->a + 2 * i * g->a_batch;
        p->load[1].ptr = (const char *)g->b + 2 * i * g->b_batch;
        status = tb__cpu_reduce(p);
        ((uint16_t *)g->c)[i * g->c_batch] = tb__half_of(g->dtype, (double)sum);
    }
    free(p);
    return status;
}

static tb_status multiply_half(const tb_gemm *g)
{
    if (g->m == 1 && g->n == 1 && g->k > 0) return dot_half(g);
    float *a = malloc((size_t)(g->m * g->k + g->k * g->n + g->m * g->n) * sizeof(float));
    if (!a) return tb__fail(TB_ERR_MEMORY, "out of host memory for a matrix product of %s", tb_dtype_name(g->dtype));
    float *b = a + g->m * g->k, *c = b + g->k * g->n;
    bool a_plain = g->a_col == 1 || g->k == 1, b_plain = g->b_col == 1 || g->n == 1;
    tb_gemm h = *g;
    h.dtype = TB_F32;
    h.batch = 1;
    h.a = a, h.b = b, h.c = c;
    h.a_row = a_plain ? g->k : 1, h.a_col = a_plain ? 1 : g->m;
    h.b_row = b_plain ? g->n : 1, h.b_col = b_plain ? 1 : g->k;
    h.c_row = g->n;
    tb_status status = TB_OK;
    for (int64_t i = 0; i < g->batch && status == TB_OK; i++) {
        widen(g->dtype, (const char *)g->a + 2 * i * g->a_batch, g->a_row, g->a_col, g->m, g->k, a);
        widen(g->dtype, (const char *)g->b + 2 * i * g->b_batch, g->b_row, g->b_col, g->k, g->n, b);
        status = multiply(&h);
        if (status == TB_OK) narrow(g->dtype, c, (char *)g->c + 2 * i * g->c_batch, g->c_row, g->m, g->n);
    }
    free(a);
    return status;
}

/* Inner products are reductions. So are products with a vector or nearly one that no BLAS makes: they would leave tiles
 * mostly empty. */
bool tb__cpu_gemm_suits(const tb_gemm *g)
{
    if (g->dtype < TB_F16 || (!tb__is_half(g->dtype) && !tb__cpu_has_blas())) return g->m >= 4 && g->n >= 4;
    return g->m > 1 || g->n > 1 || tb__is_half(g->dtype);
}

tb_status tb__cpu_gemm(tb_stream *s, const tb_gemm *g)
{
    (void)s;
    if (g->dtype < TB_F16) return tb__cpu_gemm_tiles(g);
    return tb__is_half(g->dtype) ? multiply_half(g) : multiply(g);
}
