/* linalg.h - what the functions of linear algebra have in common. Callers hold the core lock.
 *
 * LAPACK has its matrices in columns, arrays usually in rows: the memory of a matrix is its transpose. Functions work
 * on that where the mathematics allows, and turn matrices round only where it does not. */
#ifndef TB_OPS_LINALG_LINALG_H
#define TB_OPS_LINALG_LINALG_H
#include "backend/backend.h"
#include "ops/array_ops.h"

/* A stack of m x n matrices: the last two axes of an array. */
typedef struct tb_matrices {
    tb_dtype t; /* in which they are worked on */
    int nbatch;
    int64_t shape[TB_MAXDIM]; /* of the stack */
    int64_t batch, m, n;
} tb_matrices;

/* What a is as a stack. TB_ERR_LINALG unless it has two dimensions and, if asked for, square matrices. */
tb_status tb__matrices(const char *who, const tb_array *a, bool square, tb_matrices *out);
/* The dtype that LAPACK has for elements of t: integers are float64, float16 and bfloat16 are float32. */
tb_dtype tb__matrix_dtype(tb_dtype t);

/* A new array in C order and in memory: the matrices as s->t, turned (n x m) or not. */
tb_status tb__matrix_copy(const tb_matrices *s, tb_array *a, bool turned, tb_array **out);
/* The same of what nobody else has: it may be a itself, if that lies as it is wanted. */
tb_status tb__matrix_own(const tb_matrices *s, tb_array *a, bool turned, tb_array **out);
/* The same where it is only read: it may be a itself. */
tb_status tb__matrix_read(const tb_matrices *s, tb_array *a, bool turned, tb_array **out);
/* A new array to be written: s's stack with axes (rows, cols); with cols -1 (rows). */
tb_status tb__matrix_new(const tb_matrices *s, tb_dtype t, int64_t rows, int64_t cols, tb_array **out);
/* A view with the last two axes changed for one another; steals a. */
tb_status tb__matrix_turn(tb_array *a, tb_array **out);
/* The triangle of the matrices at or below (lower) or above their diagonals, zero elsewhere; steals a. Deferred. */
tb_status tb__matrix_triangle(tb_array *a, bool lower, tb_array **out);
static inline void *tb__matrix_at(const tb_array *a) { return a ? a->buffer->ptr + a->offset : NULL; }

/* Gives q, of which all but the batch and dtype is set, to the backend. Where the thread asks for errors (and `failure`
 * is not NULL) it waits, and says TB_ERR_LINALG if a matrix failed. What is written is new and the caller's alone: the
 * lock may be given up meanwhile. */
tb_status tb__solve(const tb_matrices *s, tb_solve *q, const char *failure);
bool tb__linalg_errors_wanted(void);

/* factor.c: pivots + by, as int32. */
tb_status tb__pivots_shift(tb_array *pivots, int by, tb_array **out);

/* ---- finite.c --------------------------------------------------------------------------------------------------- */

/* For a GPU: which matrices of a have finite elements alone, of shape (..., 1, 1), and a with zeros in place of the
 * others; deferred. On the host, where LAPACK looks itself, *sound is NULL. Steals a. */
tb_status tb__matrix_sound(tb_array *a, tb_array **sound, tb_array **clean);
/* *result becomes NaN where the matrices are not sound. Both may be NULL. */
tb_status tb__matrix_spoil(tb_array *sound, tb_array **result);
/* TB_ERR_LINALG if the thread asks for errors and a matrix is not sound, or has a zero on its diagonal. */
tb_status tb__matrix_check_sound(tb_array *sound, const char *failure);
tb_status tb__matrix_check_diagonal(tb_array *a, const char *failure);
#endif
