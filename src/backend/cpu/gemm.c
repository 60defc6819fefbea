/* gemm.c - matrix products through a Fortran BLAS: one that was provided, else an OpenBLAS or BLAS found by dlopen.
 *
 * Row-major C = A B is column-major C' = B' A'. float16 goes through float. */
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/loops.h"
#include "base/error.h"
#include "base/lock.h"

/* The lengths of the two strings come last in the Fortran interface; who does not expect them does not look. */
typedef void (*gemm_fn)(const char *, const char *, const int *, const int *, const int *, const void *, const void *,
                        const int *, const void *, const int *, const void *, void *, const int *, size_t, size_t);

enum { S, D, C, Z, NFN };

static struct blas {
    gemm_fn fn[NFN];
    bool looked;
    bool tuned; /* more than the reference implementation: nobody need provide another */
    const char *source;
} blas;

void tb_provide_gemm(void *s, void *d, void *c, void *z)
{
    void *given[NFN] = {s, d, c, z};
    if (!s || !d || !c || !z) return;
    tb__lock();
    for (int i = 0; i < NFN; i++) blas.fn[i] = (gemm_fn)given[i];
    blas.tuned = true;
    blas.source = "provided";
    tb__unlock();
}

bool tb_needs_gemm_provider(void)
{
    tb__lock();
    bool needs = tb__backend && tb__backend->on_host && !blas.tuned;
    tb__unlock();
    return needs;
}

static void look_for_library(void)
{
    static const char *const library[] = {
        "libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0", "libmkl_rt.so.2", "libmkl_rt.so", "libblis.so.4",
        "libblas.so.3", "libblas.so",
    };
    enum { NTUNED = 6 };
    static const char *const symbol[NFN] = {"sgemm_", "dgemm_", "cgemm_", "zgemm_"};
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
        void *handle = dlopen(library[i], RTLD_NOW | RTLD_LOCAL);
        if (!handle) continue;
        gemm_fn fn[NFN];
        bool all = true;
        for (int k = 0; k < NFN; k++) {
            fn[k] = (gemm_fn)dlsym(handle, symbol[k]);
            all = all && fn[k];
        }
        if (!all) {
            dlclose(handle);
            continue;
        }
        for (int k = 0; k < NFN; k++) blas.fn[k] = fn[k];
        blas.source = library[i];
        blas.tuned = i < NTUNED;
        return;
    }
}

const char *tb__cpu_gemm_source(void)
{
    if (!blas.source && !blas.looked) {
        blas.looked = true;
        look_for_library();
    }
    return blas.source;
}

/* ---- one product ---------------------------------------------------------------------------------------------- */

/* How BLAS sees a row-major operand: as the column-major transpose, or, if its columns are contiguous, transposed
 * back. */
static tb_status as_fortran(const char *which, int64_t row, int64_t col, int64_t rows, int64_t cols, char *trans,
                            int *ld)
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
    *trans = plain ? 'N' : 'T';
    *ld = (int)step;
    return TB_OK;
}

static void call(gemm_fn fn, const tb_gemm *g, const char *trans, const int *ld, const void *a, const void *b, void *c)
{
    const int m = (int)g->m, n = (int)g->n, k = (int)g->k;
    const float one_s[2] = {1, 0}, zero_s[2] = {0, 0};
    const double one_d[2] = {1, 0}, zero_d[2] = {0, 0};
    bool wide = g->dtype == TB_F64 || g->dtype == TB_C128;
    const void *one = wide ? (const void *)one_d : one_s, *zero = wide ? (const void *)zero_d : zero_s;
    fn(&trans[1], &trans[0], &n, &m, &k, one, b, &ld[1], a, &ld[0], zero, c, &ld[2], 1, 1);
}

static tb_status multiply(const tb_gemm *g, gemm_fn fn)
{
    char trans[2];
    int ld[3];
    int64_t item = (int64_t)tb_dtype_size(g->dtype), c_row = tb__max(tb__max(g->c_row, g->n), 1);
    if (g->m > INT_MAX || g->n > INT_MAX || g->k > INT_MAX || c_row > INT_MAX)
        return tb__fail(TB_ERR_VALUE, "matrix product of (%lld, %lld) and (%lld, %lld): BLAS takes dimensions up to %d",
                        (long long)g->m, (long long)g->k, (long long)g->k, (long long)g->n, INT_MAX);
    TB_TRY(as_fortran("A", g->a_row, g->a_col, g->m, g->k, &trans[0], &ld[0]));
    TB_TRY(as_fortran("B", g->b_row, g->b_col, g->k, g->n, &trans[1], &ld[1]));
    ld[2] = (int)c_row;
    for (int64_t i = 0; i < g->batch; i++)
        call(fn, g, trans, ld, (const char *)g->a + i * g->a_batch * item, (const char *)g->b + i * g->b_batch * item,
             (char *)g->c + i * g->c_batch * item);
    return TB_OK;
}

/* ---- float16 -------------------------------------------------------------------------------------------------- */

/* A matrix as contiguous float rows (or columns, where those are contiguous). */
static void widen(const char *from, int64_t row, int64_t col, int64_t rows, int64_t cols, float *to)
{
    tb_cpu_loop cast = tb__cpu_loops()[tb__cast_loop(TB_F16, TB_F32)];
    bool plain = col == 1 || cols == 1;
    int64_t n = plain ? cols : rows, count = plain ? rows : cols, step = plain ? row : col;
    for (int64_t i = 0; i < count; i++) {
        void *p[2] = {to + i * n, (void *)(uintptr_t)(from + 2 * i * step)};
        cast(n, p, 0);
    }
}

static void narrow(const float *from, char *to, int64_t row, int64_t rows, int64_t cols)
{
    tb_cpu_loop cast = tb__cpu_loops()[tb__cast_loop(TB_F32, TB_F16)];
    for (int64_t i = 0; i < rows; i++) {
        void *p[2] = {to + 2 * i * row, (void *)(uintptr_t)(from + i * cols)};
        cast(cols, p, 0);
    }
}

static tb_status multiply_half(const tb_gemm *g)
{
    float *a = malloc((size_t)(g->m * g->k + g->k * g->n + g->m * g->n) * sizeof(float));
    if (!a) return tb__fail(TB_ERR_MEMORY, "out of host memory for a float16 matrix product");
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
        widen((const char *)g->a + 2 * i * g->a_batch, g->a_row, g->a_col, g->m, g->k, a);
        widen((const char *)g->b + 2 * i * g->b_batch, g->b_row, g->b_col, g->k, g->n, b);
        status = multiply(&h, blas.fn[S]);
        if (status == TB_OK) narrow(c, (char *)g->c + 2 * i * g->c_batch, g->c_row, g->m, g->n);
    }
    free(a);
    return status;
}

/* Inner products are reductions. So are products of integers with a vector or nearly one, which would leave tiles
 * mostly empty. */
bool tb__cpu_gemm_suits(const tb_gemm *g)
{
    if (g->dtype < TB_F16) return g->m >= 4 && g->n >= 4;
    return g->m > 1 || g->n > 1 || g->dtype == TB_F16;
}

tb_status tb__cpu_gemm(tb_stream *s, const tb_gemm *g)
{
    (void)s;
    if (g->dtype < TB_F16) return tb__cpu_gemm_integer(g);
    if (!tb__cpu_gemm_source())
        return tb__fail(TB_ERR_LIBRARY,
                        "matrix products on the CPU need a BLAS: install scipy (`pip install scipy`) or "
                        "OpenBLAS (libopenblas)");
    switch (g->dtype) {
    case TB_F16: return multiply_half(g);
    case TB_F32: return multiply(g, blas.fn[S]);
    case TB_F64: return multiply(g, blas.fn[D]);
    case TB_C64: return multiply(g, blas.fn[C]);
    case TB_C128: return multiply(g, blas.fn[Z]);
    default: return tb__fail(TB_ERR_INTERNAL, "matrix product of dtype %s in BLAS", tb_dtype_name(g->dtype));
    }
}
