/* fake_blas.c - a library that looks like a BLAS: each of those built from this file has its own marks. dgemm writes
 * FAKE_NUMBER everywhere, so that a product tells whose it is.
 *
 *   FAKE_NUMBER    what products give; without it there are no routines at all
 *   FAKE_MARK      a function that tells whose library it is
 *   FAKE_LONG      integers have 64 bits
 *   FAKE_BACKEND   FlexiBLAS, with this behind it */
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))
int fake_blas_loaded(void);
EXPORT int fake_blas_loaded(void) { return 1; }

#ifdef FAKE_NUMBER

#ifdef FAKE_LONG
typedef int64_t integer;
#else
typedef int integer;
#endif

EXPORT integer isamax_(const integer *n, const float *x, const integer *step)
{
    integer at = 0;
    for (integer i = 0; i < *n; i++)
        if (i == 0 || x[i * *step] > x[(at - 1) * *step]) at = i + 1;
    return at;
}

EXPORT void dgemm_(const char *ta, const char *tb, const integer *m, const integer *n, const integer *k,
                   const double *alpha, const double *a, const integer *lda, const double *b, const integer *ldb,
                   const double *beta, double *c, const integer *ldc)
{
    (void)ta, (void)tb, (void)k, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb, (void)beta;
    for (integer j = 0; j < *n; j++)
        for (integer i = 0; i < *m; i++) c[i + j * *ldc] = FAKE_NUMBER;
}

/* clang-format off */
#define NOT_CALLED(name) EXPORT void name(void) { fputs(#name " was called\n", stderr); }
NOT_CALLED(sgemm_) NOT_CALLED(cgemm_) NOT_CALLED(zgemm_)
NOT_CALLED(sgemv_) NOT_CALLED(dgemv_) NOT_CALLED(cgemv_) NOT_CALLED(zgemv_)
NOT_CALLED(ssyrk_) NOT_CALLED(dsyrk_) NOT_CALLED(csyrk_) NOT_CALLED(zsyrk_)
/* clang-format on */
#endif

#ifdef FAKE_MARK
        EXPORT void FAKE_MARK(void)
{
}
#endif

#ifdef FAKE_BACKEND
EXPORT int flexiblas_current_backend(char *name, size_t cap) { return snprintf(name, cap, "%s", FAKE_BACKEND); }
#endif
