/* sparse.h - sparse matrices: what a backend does with their structure, and the products that depend on it.
 *
 * A pattern says where elements are, row by row: those of row i are at start[i] to start[i + 1] of `index`, which holds
 * their columns. Both are int32, or if `wide` int64. A matrix in columns is the pattern of its transpose. Indices have
 * been checked; rows are in order where it is said so. What becomes of values is not said here: results have, beside
 * their own pattern, the numbers of the elements that they come from, for whoever gathers.
 *
 * Where memory is the host's, a backend has a routine for each function. Elsewhere it has kernels for those steps that
 * sorts, searches and scans would take too long for (ops/sparse/steps.c). */
#ifndef TB_BACKEND_SPARSE_H
#define TB_BACKEND_SPARSE_H
#include <stdbool.h>
#include <stdint.h>

#include "tombac/tombac.h"

typedef struct tb_sparse_pattern {
    int64_t rows, cols;
    bool wide;
    const void *start, *index;
} tb_sparse_pattern;

/* n elements put in order of their rows, those of a row as they come. */
typedef struct tb_sparse_group {
    int64_t n, rows;
    bool wide;
    const void *row, *col;
    void *start, *index, *order; /* rows + 1, n and n: the pattern, and the number of each element before */
} tb_sparse_group;

enum { TB_SPARSE_SORTED = 1, TB_SPARSE_UNIQUE = 2, TB_SPARSE_VALID = 4 };

/* What a product is made of. Integers wrap around; of truth values a product is an "and" and a sum an "or". */
typedef struct tb_sparse_product {
    tb_sparse_pattern a;
    tb_dtype dtype;  /* not float16 */
    bool transposed; /* a's transpose is multiplied; elsewhere than on_host: numbers of 4 or 8 bytes, or of two such */
    int64_t width;   /* columns of x and of the result, both in C order */
    int64_t n;       /* elements of a */
    const void *data, *x;
    void *out;
} tb_sparse_product;

typedef enum tb_sparse_step_kind {
    /* out[0]: the row of each element of a; (any) or as the upper half of a uint64, whose lower one is a uint32 of
     * `place`, or if that is NULL the element's number. */
    TB_SPARSE_ROWS,
    TB_SPARSE_CHECK, /* out[0]: a uint32 of TB_SPARSE_..., what a pattern is not, or elements of given rows are not */
    TB_SPARSE_PAIR,  /* out[0]: how many elements of b come before each of a; if it is in b, too, all bits flipped */
    /* With this as `place`, and how many are in both up to each: the pattern of those in both, or (any) in either,
     * start, index, and their numbers in a and in b, -1 where there is none. */
    TB_SPARSE_MERGE,
    TB_SPARSE_STARTS, /* out[0]: where each of a's rows begins among elements in order, whose rows a.index has */
} tb_sparse_step_kind;
enum { TB_SPARSE_STEPS = TB_SPARSE_STARTS + 1 };

typedef struct tb_sparse_step {
    tb_sparse_step_kind kind;
    tb_sparse_pattern a, b;   /* PAIR, MERGE: in order, and each element once */
    int64_t n, nb;            /* their elements */
    const void *place, *both; /* CHECK: place is the row of each element, or NULL */
    bool any;
    void *out[4];
} tb_sparse_step;

/* Rows of a product of two matrices, where memory is not the host's; b has fewer than 2^32 - 1 columns. Without
 * `bound` it is found: how many products each row is made of; without `start` how many elements, of those rows of
 * which `most` is the greatest bound; then what they are, in order. */
typedef struct tb_sparse_rows {
    tb_sparse_pattern a, b;
    tb_dtype dtype;
    int64_t most; /* not more than TB_SPARSE_BOUND */
    const void *a_data, *b_data;
    const int32_t *bound;
    const void *start;
    void *out, *data; /* bounds, of int32, or counts or columns, of indices */
} tb_sparse_rows;
enum { TB_SPARSE_BOUND = 1024 };

/* Equations with the lower triangle of a square matrix, or the upper one, whose diagonal counts as ones (unit). What is
 * in the other triangle is not looked at, and what is stored twice counts twice. */
typedef struct tb_sparse_triangle {
    tb_sparse_pattern a; /* in any order */
    tb_dtype dtype;      /* float32, float64, complex64 or complex128 */
    bool lower, unit;
    int64_t width; /* columns of x */
    const void *data;
    void *x; /* the right sides, in C order; then the solutions */
} tb_sparse_triangle;

/* A matrix as a dense array, whose rows and columns are so many elements apart; what is stored twice is added. */
typedef struct tb_sparse_dense {
    tb_sparse_pattern a; /* in any order */
    tb_dtype dtype;      /* here and below: not float16 */
    int64_t row_step, col_step;
    const void *data;
    void *out;
} tb_sparse_dense;

/* The n elements of the k-th diagonal, which is in the matrix. */
typedef struct tb_sparse_diagonal {
    tb_sparse_pattern a; /* in any order */
    tb_dtype dtype;
    int64_t k, n;
    const void *data;
    void *out;
} tb_sparse_diagonal;

/* A matrix of diagonals, of which `data` has a line of `length` elements each, that of column j at j. */
typedef struct tb_sparse_bands {
    int64_t rows, cols, count, length;
    tb_dtype dtype;
    bool wide;
    const struct tb_sparse_band {
        int64_t offset, line; /* offsets ascend */
    } *bands;
    const void *data;
    void *start, *index, *values; /* the pattern, without zeros; index NULL: `start` is made */
} tb_sparse_bands;

/* Such a matrix, or one of blocks, times a dense one of `width` columns: x and the result are in C order. Or a diagonal
 * of one of blocks. */
typedef struct tb_sparse_form {
    tb_dtype dtype;
    int64_t width;
    const void *x;
    void *out;
    const tb_sparse_bands *bands; /* or blocks: */
    tb_sparse_pattern a;          /* of blocks, in any order */
    int64_t high, wide;           /* a block's rows and columns */
    const void *data;
    int64_t k, n; /* the k-th diagonal, of n elements, which are 0 before */
} tb_sparse_form;

/* Rows or columns of a matrix, in any order, with their values. It comes twice: to make `start` of the result, then
 * with it the rest. Elements of a row stay as they come. */
typedef struct tb_sparse_move {
    tb_sparse_pattern a; /* in any order */
    size_t item;         /* bytes of a value: 1, 2, 4, 8 or 16 */
    int64_t n;
    const void *picked; /* n of them, of the indices' type */
    const void *values;
    void *table; /* columns: room for cols + n + 2 indices, kept from the first call to the second */
    void *start, *index, *moved;
} tb_sparse_move;

/* n elements put in order of their rows, and in each row of their columns, with their values; or those of a pattern
 * (p), whose columns become rows, and stay as they come. */
typedef struct tb_sparse_grouping {
    const tb_sparse_pattern *p; /* or NULL */
    int64_t n, rows, cols;      /* of the result */
    bool wide;
    const void *row, *col;
    size_t item;
    const void *values;
    void *start, *index, *moved; /* rows + 1, n and n */
} tb_sparse_grouping;

/* Matrices of as many rows side by side. */
typedef struct tb_sparse_sides {
    int count;
    int64_t rows;
    bool wide; /* as all of their patterns are */
    size_t item;
    const struct tb_sparse_side {
        tb_sparse_pattern a;
        const void *values;
        int64_t shift; /* what its columns are moved by */
    } *sides;
    void *start, *index, *moved;
} tb_sparse_sides;
typedef struct tb_sparse_side tb_sparse_side;

typedef enum tb_sparse_function {
    TB_SPARSE_ADD,
    TB_SPARSE_SUBTRACT,
    TB_SPARSE_MULTIPLY, /* where both have one */
    TB_SPARSE_MAXIMUM,  /* NaN if either is, as in NumPy */
    TB_SPARSE_MINIMUM,
    TB_SPARSE_NOT_EQUAL, /* from here on results are truth values */
    TB_SPARSE_LESS,
    TB_SPARSE_GREATER,
} tb_sparse_function;
enum { TB_SPARSE_FUNCTIONS = TB_SPARSE_GREATER + 1 };

/* A function of the elements of two matrices, where either has one and the result is not zero. A first call leaves
 * them in `room`, which is for as many elements as both have, and makes `start`; a second one, with as much memory as
 * that says, moves them there. */
typedef struct tb_sparse_combination {
    tb_sparse_pattern a, b; /* in order, each element once */
    tb_dtype dtype;         /* TB_ERR_NOT_IMPLEMENTED: there is no loop */
    tb_sparse_function function;
    const void *a_data, *b_data;
    size_t size; /* of an element of the result */
    void *start; /* NULL: it is only asked whether there is a loop */
    struct {
        void *index, *data;
    } room, made; /* of the second NULL: the first call */
} tb_sparse_combination;

/* x for which norm(b - a x)^2 + damp^2 norm(x - x0)^2 is least, by LSQR or LSMR, as far as `limit` steps go. */
typedef struct tb_sparse_least_squares {
    tb_sparse_pattern a; /* in any order */
    bool columns;        /* a's transpose counts */
    bool lsmr;
    tb_dtype dtype; /* float32, float64, complex64 or complex128, of data and b */
    int64_t n;      /* elements of a */
    const void *data, *conjugate;
    const void *b;
    void *x;          /* x0, then the result; float64 or complex128, as all that follows */
    bool from_x;      /* x0 is not zero */
    double *variance; /* or NULL; LSQR: zeros, then what is added up */
    double damp, atol, btol, conlim;
    int64_t limit;
    int64_t steps; /* results */
    int reason;
    /* LSQR: of b - a x and of that with x, of A and its condition, of A^H r and x; LSMR: without the first. */
    double norm[6];
} tb_sparse_least_squares;

/* A search of a graph, a square pattern of edges, from a vertex on. */
typedef struct tb_sparse_search {
    tb_sparse_pattern p;
    bool depth, both; /* depth before breadth; edges go both ways, own ones of a vertex first */
    int32_t first;
    int32_t *order, *from; /* of as many numbers as vertices: those found, and from which each was, or TB_NO_VERTEX */
    int64_t count;         /* of those found */
} tb_sparse_search;
#define TB_NO_VERTEX (-9999)

/* Lengths of shortest paths in a graph, none of whose edges is of negative length, from each of some vertices, or (any)
 * from any of them. */
typedef struct tb_sparse_paths {
    tb_sparse_pattern p;
    const double *data;   /* NULL: each edge is of length 1 */
    const int64_t *first; /* the vertices */
    int64_t count;
    bool both, any;   /* edges go both ways */
    double limit;     /* those that are longer are infinite */
    double *distance; /* a row for each of `first`, or one */
} tb_sparse_paths;

/* The edges of a graph from the vertex before each (from; negative: none): start, which is zero, has as many numbers as
 * there are vertices and one; index and value as many as have one before them. Lengths that are stored twice are added
 * up; if edges go both ways, the lesser counts. */
typedef struct tb_sparse_tree {
    tb_sparse_pattern p;
    const double *data;
    const int32_t *from;
    bool both;
    int32_t *start, *index;
    double *value;
} tb_sparse_tree;

/* All of them are done when they return. */
typedef struct tb_sparse_routines {
    /* TB_SPARSE_...: whether rows are in order, no element comes twice, start does not fall, indices are in range. */
    tb_status (*check)(const tb_sparse_pattern *p, int64_t n, int *found);
    tb_status (*rows)(const tb_sparse_pattern *p, void *row); /* the row of each element */
    tb_status (*group)(const tb_sparse_group *g);
    /* Rows of a new pattern put in order, where they are, and `order` with them. */
    tb_status (*sort)(const tb_sparse_pattern *p, void *index, void *order);

    /* Each of these comes twice: to make `start` of the result, then with it the rest. Rows are in order. */
    /* Elements that differ, each once; `first` is the number of the first of those that are equal. */
    tb_status (*unique)(const tb_sparse_pattern *p, void *start, void *index, void *first);
    /* Elements of a or b (any), or of both, and their numbers there, -1 where there is none. */
    tb_status (*match)(const tb_sparse_pattern *a, const tb_sparse_pattern *b, bool any, void *start, void *index,
                       void *from_a, void *from_b);
    /* n rows, in any order. */
    tb_status (*take)(const tb_sparse_pattern *p, int64_t n, const void *row, void *start, void *index, void *from);
    /* The product of two matrices, whose elements of a row are in no order. data NULL: its pattern's start. */
    tb_status (*multiply)(const tb_sparse_pattern *a, const tb_sparse_pattern *b, tb_dtype dtype, const void *a_data,
                          const void *b_data, void *start, void *index, void *data);

    /* The numbers of n elements (row, col), -1 where there is none; rows are in order. */
    tb_status (*find)(const tb_sparse_pattern *p, int64_t n, const void *row, const void *col, void *out);

    /* TB_ERR_LINALG: there is a zero on the diagonal. */
    tb_status (*triangle)(const tb_sparse_triangle *t);

    tb_status (*dense)(const tb_sparse_dense *d);
    tb_status (*diagonal)(const tb_sparse_diagonal *d);
    tb_status (*bands)(const tb_sparse_bands *b);
    tb_status (*matmul_bands)(const tb_sparse_form *f);
    tb_status (*matmul_blocks)(const tb_sparse_form *f);
    tb_status (*block_diagonal)(const tb_sparse_form *f);

    tb_status (*group_values)(const tb_sparse_grouping *g); /* TB_ERR_VALUE: something is out of range */
    tb_status (*take_rows)(const tb_sparse_move *m);
    tb_status (*take_cols)(const tb_sparse_move *m);
    tb_status (*join)(const tb_sparse_sides *q);
    tb_status (*combine)(const tb_sparse_combination *c);

    /* For each vertex of a graph, a square pattern of edges, the number of its component: by where edges go, or only
     * those from which there is a way back (strong). Numbers are given in the order of the lowest vertices, strong ones
     * in that in which a search that takes the last edges first leaves them. */
    tb_status (*components)(const tb_sparse_pattern *p, bool strong, int32_t *label, int64_t *count);
    /* Of the edges in this order those that connect what the ones before do not. */
    tb_status (*forest)(const tb_sparse_pattern *p, const int64_t *order, bool *kept);
    /* The column of each row and the row of each column, of n elements; -1: none. */
    tb_status (*matching)(const tb_sparse_pattern *p, int64_t n, int32_t *column, int32_t *row);
    tb_status (*paths)(const tb_sparse_paths *s, int64_t n); /* of n edges */
    tb_status (*search)(tb_sparse_search *s, int64_t n);     /* of n edges */
    tb_status (*tree)(const tb_sparse_tree *t);
    tb_status (*least_squares)(tb_sparse_least_squares *l);
} tb_sparse_routines;

/* Equations with one matrix: a is square and in order, neither rows nor n are 0. */
typedef struct tb_sparse_equations {
    tb_sparse_pattern a;
    int64_t n;      /* elements of a */
    tb_dtype dtype; /* float32, float64, complex64 or complex128 */
    bool positive;  /* a is Hermitian and positive definite; above the diagonal it is not looked at */
    const void *data;
} tb_sparse_equations;

typedef struct tb_sparse_solver {
    tb_status (*check)(void); /* whether there is one, and it is wanted */
    /* The matrix stays where it is as long as its factors. TB_ERR_LINALG: not without replacing pivots. */
    tb_status (*factor)(tb_stream *s, const tb_sparse_equations *e, void **factors);
    /* x (rows, k) with a x = b, both by columns; on the device of the factors. */
    tb_status (*solve)(tb_stream *s, void *factors, int64_t k, const void *b, void *x);
    void (*free)(void *factors);
} tb_sparse_solver;
#endif
