/* blas_loops.h - a BLAS of reference loops for float64, which checks that its arguments are what the Fortran interface
 * lays down: for tests, which need no other. */
#ifndef TB_TESTS_BLAS_LOOPS_H
#define TB_TESTS_BLAS_LOOPS_H
#include <string.h>

#include "check.h"

static int gemms, gemvs, syrks;

/* Element (i, j) of a matrix or its transpose. */
static double at(char trans, const double *a, int ld, int i, int j)
{
    return trans == 'N' ? a[i + (size_t)j * (size_t)ld] : a[j + (size_t)i * (size_t)ld];
}

static void check_matrix(char trans, int rows, int cols, int ld)
{
    CHECK(trans == 'N' || trans == 'T');
    CHECK(ld >= 1 && ld >= (trans == 'N' ? rows : cols));
}

static void dgemm(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
                  const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
                  const double *beta, double *c, const int *ldc)
{
    gemms++;
    CHECK(*ldc >= *m && *ldc >= 1);
    check_matrix(*trans_a, *m, *k, *lda);
    check_matrix(*trans_b, *k, *n, *ldb);
    for (int i = 0; i < *m; i++)
        for (int j = 0; j < *n; j++) {
            double sum = 0;
            for (int l = 0; l < *k; l++) sum += at(*trans_a, a, *lda, i, l) * at(*trans_b, b, *ldb, l, j);
            double *to = &c[i + (size_t)j * (size_t)*ldc];
            *to = *alpha * sum + (*beta == 0 ? 0 : *beta * *to);
        }
}

static void dgemv(const char *trans, const int *m, const int *n, const double *alpha, const double *a, const int *lda,
                  const double *x, const int *incx, const double *beta, double *y, const int *incy)
{
    int rows = *trans == 'N' ? *m : *n, cols = *trans == 'N' ? *n : *m;
    gemvs++;
    CHECK(*alpha == 1 && *beta == 0 && *incx != 0 && *incy != 0);
    check_matrix('N', *m, *n, *lda);
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int l = 0; l < cols; l++) sum += at(*trans, a, *lda, i, l) * x[(size_t)l * (size_t)*incx];
        y[(size_t)i * (size_t)*incy] = sum;
    }
}

static void dsyrk(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha, const double *a,
                  const int *lda, const double *beta, double *c, const int *ldc)
{
    syrks++;
    CHECK(*alpha == 1 && *beta == 0 && *ldc >= *n);
    check_matrix(*trans, *n, *k, *lda);
    for (int i = 0; i < *n; i++)
        for (int j = 0; j < *n; j++) {
            if (*uplo == 'L' ? i < j : i > j) continue;
            double sum = 0;
            for (int l = 0; l < *k; l++) sum += at(*trans, a, *lda, i, l) * at(*trans, a, *lda, j, l);
            c[i + (size_t)j * (size_t)*ldc] = sum;
        }
}

static void not_called(void) { CHECK(false); }

/* For tb_provide_blas. `lacking`: the routine that this BLAS has not got, or NULL. */
static void *blas_loops(void *lacking, const char *name)
{
    static const struct {
        const char *name;
        void (*routine)(void);
    } all[] = {{"dgemm", (void (*)(void))dgemm}, {"dgemv", (void (*)(void))dgemv}, {"dsyrk", (void (*)(void))dsyrk}};
    void (*routine)(void) = not_called;
    void *address;
    if (lacking && strcmp(name, lacking) == 0) return NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0) routine = all[i].routine;
    memcpy(&address, &routine, sizeof address);
    return address;
}
#endif
