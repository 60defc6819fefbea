/* dense.h - textbook linear algebra for the emulated GPU: matrices in columns, of the four dtypes (0: float32, 1:
 * float64, 2: complex64, 3: complex128), computed with as complex128. Results lie as LAPACK's. */
#ifndef TB_TESTS_EMULATED_DENSE_H
#define TB_TESTS_EMULATED_DENSE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline size_t dense_item(int t) { return (size_t[]){4, 8, 8, 16}[t]; }

/* op: 0 as it is, 1 the transpose, 2 its conjugate. */
void dense_trsm(int t, bool lower, int op, bool unit, int n, int k, const void *a, int lda, void *b, int ldb);
int dense_potrf(int t, bool lower, int n, void *a, int lda);
int dense_getrf(int t, int m, int n, void *a, int lda, int *pivots);
void dense_getrs(int t, int op, int n, int k, const void *a, int lda, const int *pivots, void *b, int ldb);
void dense_geqrf(int t, int m, int n, void *a, int lda, void *tau);
void dense_orgqr(int t, int m, int n, int k, void *a, int lda, const void *tau);
void dense_ormqr(int t, bool adjoint, int m, int n, int k, const void *a, int lda, const void *tau, void *c, int ldc);
/* m >= n. job: 'A', 'S', 'N'. */
void dense_gesvd(int t, int job, int m, int n, const void *a, int lda, void *s, void *u, int ldu, void *vt, int ldvt);
/* In place, of an n x n matrix. */
void dense_adjoint(int t, int n, void *a, int lda);
void dense_syev(int t, bool vectors, bool lower, int n, void *a, int lda, void *w);
#endif
