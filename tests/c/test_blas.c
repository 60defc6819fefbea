/* test_blas.c - what the CPU backend asks of a BLAS is the product that was wanted: a BLAS of reference loops is
 * provided, which checks its arguments as the Fortran interface lays them down. */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "blas_loops.h"
#include "check.h"
#include "gemms.h"

enum { MAX = 40000 };

/* ---- products ------------------------------------------------------------------------------------------------- */

static double a[MAX], b[MAX], c[MAX];

static void test_product(tb_gemm g)
{
    g.dtype = TB_F64;
    g.c = c;
    for (int i = 0; i < MAX; i++) c[i] = -1;
    if (!CHECK_OK(tb__backend->gemm(NULL, &g))) return;
    const double *x = g.a, *y = g.b;
    for (int64_t i = 0; i < g.batch * g.m * g.n; i++) {
        int64_t batch = i / (g.m * g.n), row = i / g.n % g.m, col = i % g.n;
        double sum = 0;
        for (int64_t l = 0; l < g.k; l++)
            sum +=
                x[batch * g.a_batch + row * g.a_row + l * g.a_col] * y[batch * g.b_batch + l * g.b_row + col * g.b_col];
        CHECK(c[batch * g.c_batch + row * g.c_row + col] == sum);
        if (col == g.n - 1 && g.c_row > g.n && i + 1 < g.batch * g.m * g.n)
            CHECK(c[batch * g.c_batch + row * g.c_row + g.n] == -1);
    }
}

/* Every order of both operands, with lines as long as they need to be or longer. */
static void test_orders(int64_t m, int64_t n, int64_t k)
{
    for (int order = 0; order < 8; order++) {
        tb_gemm g = gemm_in_order(order, m, n, k, 3);
        g.a = a;
        g.b = b;
        test_product(g);
    }
}

/* A vector whose elements are apart, as a row or a column of a matrix is. */
static void test_strided_vectors(void)
{
    test_product((tb_gemm){.m = 1,
                           .n = 4,
                           .k = 6,
                           .batch = 1,
                           .a = a,
                           .b = b,
                           .a_row = 1,
                           .a_col = 9,
                           .b_row = 4,
                           .b_col = 1,
                           .c_row = 4});
    test_product((tb_gemm){.m = 3,
                           .n = 1,
                           .k = 6,
                           .batch = 1,
                           .a = a,
                           .b = b,
                           .a_row = 6,
                           .a_col = 1,
                           .b_row = 7,
                           .b_col = 1,
                           .c_row = 2});
}

static void test_transposes(void)
{
    int before = syrks;
    tb_gemm g = {.m = 70,
                 .n = 70,
                 .k = 5,
                 .batch = 2,
                 .a = a,
                 .b = a,
                 .a_row = 6,
                 .a_col = 1,
                 .b_row = 1,
                 .b_col = 6,
                 .c_row = 73,
                 .a_batch = 500,
                 .b_batch = 500,
                 .c_batch = 70 * 73};
    test_product(g);
    g.a_row = g.b_col = 1;
    g.a_col = g.b_row = 71;
    test_product(g);
    CHECK(syrks == before + 4);
    g.b_batch = 0; /* the second product has another transpose */
    test_product(g);
    g.b_batch = g.a_batch;
    g.b = a + 1;
    test_product(g);
    CHECK(syrks == before + 4);
}

int main(void)
{
    static const int64_t sizes[] = {1, 2, 5, 8};
    CHECK_OK(tb_init());
    tb_provide_blas(blas_loops, "zsyrk");
    CHECK(tb_needs_blas());
    tb_provide_blas(blas_loops, NULL);
    CHECK(!tb_needs_blas());
    for (int i = 0; i < MAX; i++) {
        a[i] = i * 7 % 23 - 11;
        b[i] = i * 5 % 19 - 9;
    }
    for (int i = 0; i < 64; i++) test_orders(sizes[i % 4], sizes[i / 4 % 4], sizes[i / 16]);
    CHECK(gemms > 0 && gemvs > 0 && syrks == 0);
    test_strided_vectors();
    test_transposes();
    return check_report();
}
