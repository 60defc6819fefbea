/* blas.h - the routines of a Fortran BLAS: one that was provided, else an OpenBLAS or BLAS found by dlopen. */
#ifndef TB_BACKEND_CPU_PLANS_BLAS_H
#define TB_BACKEND_CPU_PLANS_BLAS_H
#include <stddef.h>

#include "tombac/tombac.h"

/* The lengths of the strings come last in the Fortran interface; who does not expect them does not look. */
typedef void (*tb_blas_gemm)(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
                             const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
                             const void *beta, void *c, const int *ldc, size_t, size_t);
typedef void (*tb_blas_gemv)(const char *trans, const int *m, const int *n, const void *alpha, const void *a,
                             const int *lda, const void *x, const int *incx, const void *beta, void *y, const int *incy,
                             size_t);
typedef void (*tb_blas_syrk)(const char *uplo, const char *trans, const int *n, const int *k, const void *alpha,
                             const void *a, const int *lda, const void *beta, void *c, const int *ldc, size_t, size_t);

/* The routines of one dtype. */
typedef struct tb_blas {
    tb_blas_gemm gemm;
    tb_blas_gemv gemv;
    tb_blas_syrk syrk;
} tb_blas;

/* Those of f32, f64, c64 or c128; TB_ERR_LIBRARY if there is no BLAS. */
tb_status tb__cpu_blas(tb_dtype t, const tb_blas **out);
/* Where they come from, as text; NULL: nowhere. */
const char *tb__cpu_blas_source(void);
#endif
