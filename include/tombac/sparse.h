/* sparse.h - a section of tombac.h, which includes it: where elements of sparse matrices are, and their products. */
#ifndef TOMBAC_SPARSE_H
#define TOMBAC_SPARSE_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- sparse matrices -------------------------------------------------------------------------------------------- */

/* Where the elements of a matrix are that are stored, row by row: those of row i have the numbers start[i] to
 * start[i + 1], and `index` says their columns. Both are one-dimensional, of int32 or both of int64. With an array of
 * as many values this is a matrix in the CSR format; a matrix in the CSC format is the pattern of its transpose.
 *
 * Functions make new patterns of their caller's, who releases both arrays, and say for each element which one of the
 * old pattern it is, so that values are moved by tb_take and computed by whatever else there is for arrays. Patterns
 * must be valid, which tb_pattern_check finds out; "in order" means that columns ascend in each row, and that no
 * element comes twice. TB_ERR_VALUE: arrays whose shapes or dtypes are not as said here. TB_ERR_OVERFLOW: a result has
 * more elements than int32 counts, and its input has indices of int32. */
typedef struct tb_pattern {
    int64_t rows, cols;      /* the matrix's shape */
    tb_array *start, *index; /* of rows + 1 and of as many elements as there are */
} tb_pattern;

/* What tb_pattern_check finds. */
enum {
    TB_PATTERN_SORTED = 1, /* columns do not descend in any row */
    TB_PATTERN_UNIQUE = 2, /* neither comes one twice; said of sorted rows only */
    TB_PATTERN_VALID = 4   /* start begins with 0, does not fall and ends with how many there are; columns are there */
};
/* What is to be said of a pattern that may be wrong: of TB_PATTERN_... those that hold. */
TB_API tb_status tb_pattern_check(const tb_pattern *p, int *found);

/* The row of each element. */
TB_API tb_status tb_pattern_rows(const tb_pattern *p, tb_array **row);
/* The pattern of n elements given by row and column (both int32 or int64, which has to hold n), in order but for
 * elements that come twice, and the number of each among those given. TB_ERR_VALUE: one is outside of the matrix, which
 * is noticed where the device is the host. */
TB_API tb_status tb_pattern_group(tb_array *row, tb_array *col, int64_t rows, int64_t cols, tb_pattern *out,
                                  tb_array **order);
TB_API tb_status tb_pattern_transpose(const tb_pattern *p, tb_pattern *out, tb_array **order); /* sorted if p is */
/* The same with a value for each element, a vector of any dtype, in the new order. */
TB_API tb_status tb_pattern_transpose_values(const tb_pattern *p, tb_array *values, tb_pattern *out, tb_array **moved);
TB_API tb_status tb_pattern_sort(const tb_pattern *p, tb_pattern *out, tb_array **order); /* equal ones as they come */
/* Of a sorted pattern each element once, and the number of the first of those that are equal. */
TB_API tb_status tb_pattern_unique(const tb_pattern *p, tb_pattern *out, tb_array **first);
/* The elements that a or b has (any), or both have, and their numbers in a and in b: -1 where there is none. Both are
 * in order, of one shape and one dtype of indices. */
TB_API tb_status tb_pattern_match(const tb_pattern *a, const tb_pattern *b, bool any, tb_pattern *out,
                                  tb_array **from_a, tb_array **from_b);
/* The rows that a vector of the indices' dtype names, none of which is negative. */
TB_API tb_status tb_pattern_take(const tb_pattern *p, tb_array *row, tb_pattern *out, tb_array **from);
/* The numbers of the elements (row, col), vectors of the indices' dtype; -1 where there is none. p is in order. */
TB_API tb_status tb_pattern_find(const tb_pattern *p, tb_array *row, tb_array *col, tb_array **out);

/* The product of a matrix (or its transpose) with a vector or a matrix x, in the dtype that both promote to: a dense
 * array. */
TB_API tb_status tb_sparse_matmul(const tb_pattern *a, tb_array *data, bool transposed, tb_array *x, tb_array **out);
/* The product of two matrices: a pattern whose rows are in no order, and values. */
TB_API tb_status tb_sparse_multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                                    tb_pattern *out, tb_array **data);

/* ---- sparse matrices on the host ------------------------------------------------------------------------------- */

/* What one routine does where the device is the host; TB_ERR_NOT_IMPLEMENTED on a GPU, where sequences of other
 * operations give the same. Patterns may be in any order; what is stored twice counts twice, and is added in float32
 * for float16.
 *
 * A matrix (or its transpose) as a dense array, in C order or Fortran's ('F'). */
TB_API tb_status tb_sparse_to_dense(const tb_pattern *a, tb_array *data, bool transposed, char order, tb_array **out);
/* The k-th diagonal, of no length where that is outside of the matrix. */
TB_API tb_status tb_sparse_get_diagonal(const tb_pattern *a, tb_array *data, int64_t k, tb_array **out);
/* The matrix whose element (j - offsets[i], j) is data[i, j], without zeros, in order. The offsets, of int32 or int64,
 * differ. */
TB_API tb_status tb_sparse_from_bands(int64_t rows, int64_t cols, tb_array *offsets, tb_array *data, tb_pattern *out,
                                      tb_array **values);
/* The product of that matrix with a dense array of one or two dimensions. */
TB_API tb_status tb_sparse_matmul_bands(int64_t rows, int64_t cols, tb_array *offsets, tb_array *data, tb_array *x,
                                        tb_array **out);
/* The product of a matrix of dense blocks with such an array: a pattern has an element for each block, and `blocks`
 * three dimensions, of which the first one counts them. */
TB_API tb_status tb_sparse_matmul_blocks(const tb_pattern *p, tb_array *blocks, tb_array *x, tb_array **out);
/* The k-th diagonal of such a matrix. */
TB_API tb_status tb_sparse_get_block_diagonal(const tb_pattern *p, tb_array *blocks, int64_t k, tb_array **out);
/* tb_pattern_group with a value for each element, a vector of any dtype, in the new order. */
TB_API tb_status tb_sparse_from_elements(tb_array *row, tb_array *col, tb_array *values, int64_t rows, int64_t cols,
                                         tb_pattern *out, tb_array **moved);
/* The rows, or columns, that a vector of the indices' dtype names, none of which is negative, with their values. The
 * elements of a row stay in the order in which they are stored. */
TB_API tb_status tb_sparse_pick(const tb_pattern *p, tb_array *values, bool columns, tb_array *picked, tb_pattern *out,
                                tb_array **moved);
/* The element in a row and a column, an array without dimensions: zero where none is stored. p is in order. */
TB_API tb_status tb_sparse_get_element(const tb_pattern *p, tb_array *values, int64_t row, int64_t col, tb_array **out);
/* n matrices of as many rows side by side; their indices have one dtype, and their values. */
TB_API tb_status tb_sparse_join(int n, const tb_pattern *p, tb_array *const *values, tb_pattern *out, tb_array **moved);
/* A function of the elements of two matrices, where either has one, or of multiply where both have; results that are
 * zero are left out. add, subtract, multiply, maximum, minimum, not_equal, less or greater, of int32, int64, float32 or
 * float64, or one of the first two of complex128; TB_ERR_NOT_IMPLEMENTED for others. Both are in order, of one shape
 * and one dtype of indices. */
TB_API tb_status tb_sparse_combine(const tb_pattern *a, tb_array *a_values, const tb_pattern *b, tb_array *b_values,
                                   const tb_ufunc *u, tb_pattern *out, tb_array **values);
/* How many components the graph has whose edges are the elements of a square matrix, and the number of each vertex's,
 * int32: of those connected by edges of any direction, in the order of their lowest vertices; or (strong) of those with
 * ways both there and back, in the order in which a search from the lowest vertices on, which follows the last edges
 * first, leaves them. */
TB_API tb_status tb_graph_components(const tb_pattern *p, bool strong, int64_t *count, tb_array **label);
/* The vertices of a graph that can be reached from `first`, int32 and in the order of a search, depth or breadth first,
 * and for each of all vertices the one from which it was found, int32, -9999 where there is none. If edges go both ways
 * (not directed), those that begin at a vertex come before those that end there. On the host, as the next four:
 * TB_ERR_NOT_IMPLEMENTED elsewhere. */
TB_API tb_status tb_graph_search(const tb_pattern *p, int64_t first, bool depth_first, bool directed, tb_array **order,
                                 tb_array **from);
/* The edges of a graph with these float64 lengths from the vertex before each, of which negative ones are none. Lengths
 * that are stored twice are added up; if edges go both ways the lesser counts, and zero is no edge. */
TB_API tb_status tb_graph_tree(const tb_pattern *p, tb_array *data, tb_array *from, bool directed, tb_pattern *out,
                               tb_array **values);
/* Which edges connect what those before them in an order (int64 numbers of all of them) do not: a spanning forest, the
 * least one if that is the order of their lengths. */
TB_API tb_status tb_graph_forest(const tb_pattern *p, tb_array *order, tb_array **kept);
/* Lengths of shortest paths in a graph with these float64 lengths of edges (NULL: 1) from each vertex of a vector of
 * integers: a row for each, float64, or (any) one of the least from any of them; infinite where there is no path, or
 * none that is not longer than limit. TB_ERR_NOT_IMPLEMENTED also where a length is negative or NaN. */
TB_API tb_status tb_graph_distances(const tb_pattern *p, tb_array *data, tb_array *first, bool directed, bool any,
                                    double limit, tb_array **out);
/* As many pairs of a row and a column as elements make: the column of each row and the row of each column, int32, -1
 * where there is none. */
TB_API tb_status tb_graph_matching(const tb_pattern *p, tb_array **column, tb_array **row);

/* Least squares by LSQR, or by LSMR. */
typedef struct tb_least_squares {
    bool lsmr;         /* by LSMR */
    double damp;       /* the weight of x */
    double atol, btol; /* to how many places the matrix and b are known */
    double conlim;     /* the largest condition */
    int64_t limit;     /* the largest number of steps */
    int reason;        /* a result: why it stopped, as SciPy's functions say it; 0: x0 is a solution */
    int64_t steps;     /* a result: how many steps it took */
    /* Results. LSQR: norms of b - a x, and of that with damp (x - x0); of a; its condition; of the transpose times the
     * residual; of x. LSMR: of b - a x; of the transpose times it; of a; its condition; of x. */
    double norm[6];
} tb_least_squares;
/* x for which norm(b - a x)^2 + damp^2 norm(x - x0)^2 is least, in float64 or complex128 as x0 is (NULL: zeros), for a
 * matrix a (or its transpose) of float32, float64, complex64 or complex128 and a vector b of that dtype; and, unless
 * `variance` is NULL, LSQR's estimates of variances, float64. */
TB_API tb_status tb_sparse_solve_least_squares(const tb_pattern *a, tb_array *data, bool transposed, tb_array *b,
                                               tb_array *x0, tb_least_squares *options, tb_array **x,
                                               tb_array **variance);

/* ---- sparse equations ------------------------------------------------------------------------------------------- */

/* The factors of a matrix, by cuDSS on a GPU: they belong to the device that was current, and are used there. */
typedef struct tb_sparse_factors tb_sparse_factors;
/* Whether there are such factors here. If not an error says why: TB_ERR_LIBRARY if the library is missing,
 * TB_ERR_NOT_IMPLEMENTED for the CPU, and where TOMBAC_SPARSE_SOLVERS does not ask for them. */
TB_API tb_status tb_sparse_solver_check(void);
/* Factors of a square matrix whose pattern is in order, of float32, float64, complex64 or complex128: LU, or if it is
 * said to be Hermitian and positive definite Cholesky's, for which nothing above the diagonal is read. TB_ERR_LINALG:
 * it is singular or nearly so, or is not positive. */
TB_API tb_status tb_sparse_factor(const tb_pattern *a, tb_array *data, bool positive, tb_sparse_factors **out);
/* x with a x = b, for a vector or the columns of a matrix, which is converted to the factors' dtype. */
TB_API tb_status tb_sparse_solve(tb_sparse_factors *factors, tb_array *b, tb_array **out);
/* x with a x = b, where of the square matrix a, in rows, the lower triangle counts, or the upper one, with ones on its
 * diagonal (unit): for a vector b or the columns of a matrix, in the dtype that a and b promote to, float64 for
 * integers. TB_ERR_LINALG: there is a zero on the diagonal. TB_ERR_NOT_IMPLEMENTED: on a GPU. */
TB_API tb_status tb_sparse_solve_triangle(const tb_pattern *a, tb_array *data, bool lower, bool unit, tb_array *b,
                                          tb_array **out);
/* NULL will do. */
TB_API void tb_sparse_factors_release(tb_sparse_factors *factors);

/* ---- 2:4 structured sparsity ------------------------------------------------------------------------------------ */

/* Matrices of which at most two in each four elements of a row, counted from its first, are other than 0: GPUs have
 * instructions for products of theirs that take half the time. cuSPARSELt uses them, for float16 and int8.
 *
 * Whether there are such products of a matrix (rows, cols) with a dense one (cols, width) on the current device; a
 * width of 0 stands for any. If not an error says why: TB_ERR_LIBRARY if the library is missing, TB_ERR_NOT_IMPLEMENTED
 * for the CPU, other GPUs, dtypes and shapes. */
TB_API tb_status tb_structured_check(tb_dtype t, int64_t rows, int64_t cols, int64_t width);
/* A matrix of that kind, which is not looked over, in the form that is multiplied: a vector of uint8, for this device
 * and this version of the library alone. Where there are more than two in four elements some of them are lost. */
TB_API tb_status tb_structured_compress(tb_array *a, tb_array **out);
/* The product of such a matrix, of so many rows, compressed from one of x's dtype, with the matrix x: float16, or int32
 * of int8. */
TB_API tb_status tb_structured_matmul(tb_array *compressed, int64_t rows, tb_array *x, tb_array **out);
#endif
