/* solver.h - dense linear algebra: what a backend does with stacks of matrices.
 *
 * Matrices lie in columns, one after the other, without gaps, and most are worked on where they lie: LAPACK's routines
 * and names. The dtype is float32, float64, complex64 or complex128; "real" below is the dtype of its parts. Of batch,
 * m and n none is 0. */
#ifndef TB_BACKEND_SOLVER_H
#define TB_BACKEND_SOLVER_H
#include <stdbool.h>
#include <stddef.h>

#include "tombac/tombac.h"

/* The routines:
 *   potrf  Cholesky factors of the n x n matrices a, in the triangle uplo; the other one stays as it is
 *   potrs  b (n x k) becomes the solution for the factors a of potrf
 *   getrf  LU factors of the m x n matrices a; pivots, counted from 1
 *   getrs  b (n x k) becomes the solution for the factors a of getrf, or as trans says for their transpose
 *   getri  the inverse in place of the factors a (n x n) of getrf; on the host only
 *   trtrs  b (n x k) becomes the solution for the triangles uplo of a, or as trans says; diag 'U': a diagonal of ones
 *   geqrf  QR of the m x n matrices a: R, and below it reflectors with the factors v
 *   orgqr  the first n columns of Q in place of k reflectors in a (m x n) with the factors v
 *   ormqr  b (m x n) becomes Q b, or as trans says the adjoint of Q times b, for k reflectors in a (m x k) and v
 *   gesdd  singular values v (real) of the m x n matrices a (m >= n), which are lost; job 'A', 'S': b becomes all or
 *          the first n left vectors, c the right ones' conjugate transposes, or as plain says; 'N': neither
 *   geqp3  QR of the m x n matrices a with their columns exchanged, as geqrf; pivots say which column came where,
 *          counted from 1, and are 0 before; on the host only
 *   syevd  eigenvalues v (real) of the triangles uplo of a (n x n); job 'V': a becomes the vectors, 'N': a is lost
 *   geev   eigenvalues v (complex) of a (n x n), which is lost; job 'V': b (complex) becomes the right vectors
 * and what is made of these, on the host only:
 *   det    determinants v (float64 or complex128) of a (n x n), which are lost
 *   expm   exponentials in place of a (n x n) */
#define TB_LAPACK_SOLVERS(X)                                                                                  \
    X(potrf) X(potrs) X(getrf) X(getrs) X(getri) X(trtrs) X(geqrf) X(orgqr) X(ormqr) X(geqp3) X(gesdd) X(syevd) \
    X(geev)
#define TB_SOLVERS(X) TB_LAPACK_SOLVERS(X) X(det) X(expm)

typedef enum tb_solver {
#define X(name) TB_SOLVER_##name,
    TB_SOLVERS(X)
#undef X
        TB_NSOLVER,
    TB_NLAPACK = TB_SOLVER_det
} tb_solver;

typedef struct tb_solve {
    tb_solver routine;
    tb_dtype dtype;
    int64_t batch, m, n, k;
    char job, uplo, trans, diag;
    bool singular; /* getrf: factors of singular matrices are wanted as well, not only that they are singular */
    void *a, *b, *c, *v;
    int32_t *pivots;
    int32_t *info; /* one for each matrix, set by the routines that can fail: not 0 where one did */
    bool *plain;   /* gesdd: set where c became the right vectors rather than their conjugate transposes */
} tb_solve;

/* What the routine's operands take for one matrix of the stack, in bytes; 0: there is no such operand. */
typedef struct tb_solve_sizes {
    size_t a, b, c, v, pivots;
} tb_solve_sizes;

/* Whether an operand is read, and whether it is written. */
typedef struct tb_solve_use {
    const char *in, *out; /* letters: a, b, c, v, p */
} tb_solve_use;

void tb__solve_sizes(const tb_solve *q, tb_solve_sizes *out);
tb_solve_use tb__solve_use(const tb_solve *q);
const char *tb__solver_name(tb_solver r);

/* Solves in memory of the host, whichever backend is chosen, by the LAPACK that was provided or found:
 * none is NULL. */
extern tb_status (*tb__host_solve)(tb_stream *none, const tb_solve *q);
#endif
