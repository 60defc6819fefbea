/* blas.h - the routines of a Fortran BLAS: one that was provided, else one found by dlopen. */
#ifndef TB_BACKEND_CPU_PLANS_BLAS_H
#define TB_BACKEND_CPU_PLANS_BLAS_H
#include <stdbool.h>
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

enum { TB_BLAS_TYPES = 4 }; /* f32, f64, c64, c128 */

typedef struct tb_blas_library {
    tb_blas routines[TB_BLAS_TYPES];
    bool tuned;       /* more than the reference implementation: nobody need provide another */
    char source[320]; /* whose it is and where, for people; "": there is none */
} tb_blas_library;

/* Those of f32, f64, c64 or c128; *out is NULL where there is none that is worth a call. Then the application is told,
 * once. With the core lock. */
tb_status tb__cpu_blas(tb_dtype t, const tb_blas **out);
bool tb__cpu_has_blas(void); /* the same without telling */
/* Where they come from, as text; NULL: nowhere. With the core lock. */
const char *tb__cpu_blas_source(void);

/* Fills out[TB_BLAS_TYPES] with what find(arg, "sgemm") and the like give; false if there is not all of it. */
bool tb__blas_collect(void *(*find)(void *arg, const char *name), void *arg, tb_blas *out);
/* The best BLAS that is installed; false: none. */
bool tb__blas_search(tb_blas_library *out);
/* Opens those that are installed, in the order of their worth, until one is taken. */
void tb__blas_libraries(bool (*take)(void *handle, const char *name));
/* The Fortran routine of that name in an open library, or NULL. */
void *tb__blas_symbol(void *handle, const char *name);
#endif
