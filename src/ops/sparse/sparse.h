/* sparse.h - src/ops/sparse: the structure of sparse matrices, and their products.
 *
 *   pattern.c   patterns from one another, where the device is the host by the backend's loops
 *   host.c      what routines on the host have in common
 *   factors.c   equations, by the backend's solver
 *   combine.c   elementwise functions of two
 *   moves.c     rows and columns picked, and matrices joined, with their values
 *   formats.c   dense arrays, diagonals, and matrices of diagonals
 *   forms.c     products of matrices of diagonals and of blocks
 *   components.c  connected components of graphs
 *   paths.c     shortest paths
 *   searches.c  searches of graphs, and trees
 *   least_squares.c  LSQR and LSMR
 *   keys.c      the same anywhere: by sorting and searching numbers that stand for places in the matrix
 *   steps.c     parts of that by kernels of their own
 *   product.c   products
 *   rows.c      products of two by kernels
 *   structured.c  products of matrices with structured zeros
 *   triangle.c  equations with a triangle */
#ifndef TB_OPS_SPARSE_SPARSE_H
#define TB_OPS_SPARSE_SPARSE_H
#include "ops/array_ops.h"

/* A pattern in memory, in C order and on the current device. */
typedef struct tb_held {
    tb_array *start, *index; /* references */
    int64_t n;
    tb_sparse_pattern p;
} tb_held;

tb_status tb__pattern_usable(const char *who, const tb_pattern *p);
/* Whether these are values for its elements. */
tb_status tb__values_usable(const char *who, const tb_pattern *p, const tb_array *data);
/* What values are added in: float16 and bfloat16 as float32, and rounded once. */
tb_dtype tb__values_sum_dtype(tb_dtype t);
/* TB_ERR_VALUE, which says what rows or columns there are that are not in the matrix. */
tb_status tb__fail_outside(tb_array *row, int64_t rows, tb_array *col, int64_t cols);
tb_status tb__pattern_hold(const char *who, const tb_pattern *p, tb_held *out);
void tb__pattern_drop(tb_held *h);
/* A new vector for results, of the dtype of indices. */
tb_status tb__index_vector(bool wide, int64_t n, tb_array **out);
/* How many elements there are by the last of `start`. */
tb_status tb__pattern_size(const tb_array *start, int64_t *n);
void tb__pattern_release(tb_pattern *p);
/* Whether the backend has such routines, or TB_ERR_NOT_IMPLEMENTED. */
tb_status tb__sparse_on_host(const char *who);
/* Whether it is a square pattern, and there are such routines; host functions are done. */
tb_status tb__check_graph(const char *who, const tb_pattern *p);
/* Work before is done: what follows is done at the call. */
tb_status tb__sparse_begin(void);
/* A new array, to be written at once. */
tb_status tb__sparse_room(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out);
/* result (stolen) as dtype t, unless something has failed. */
tb_status tb__sparse_deliver(tb_status status, tb_array *result, tb_dtype t, char order, tb_array **out);
/* Whether these are diagonals of a matrix and their offsets. */
tb_status tb__bands_usable(const char *who, int64_t rows, int64_t cols, const tb_array *offsets, const tb_array *data);
/* The diagonals that are in the matrix, in order; whose memory is the caller's. */
tb_status tb__bands_of(const tb_array *offsets, tb_sparse_bands *b, struct tb_sparse_band **out);
#endif
