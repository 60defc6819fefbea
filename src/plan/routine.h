/* routine.h - kernels of a GPU's that are made of no values: the steps of a sort (kernels/device/sort_*.h) and of a
 * selection (select_*.h), a search (search.h), a histogram (histogram.h), sums of windows (slide.h, polyphase.h), rows
 * (softmax.h), functions in pieces (pieces.h), distances (pairs.h), splines (spline_map.h, two_sided.h), a filter
 * (recur*.h), sparse products and patterns (sparse_*.h), small matrices (dense_*.h), eigenvalues (tridiagonal.h),
 * neighbours of points (tree_*.h), filters over windows (window*.h), objects (label.h), distances to what is zero
 * (distances.h). */
#ifndef TB_PLAN_ROUTINE_H
#define TB_PLAN_ROUTINE_H
#include "tombac/tombac.h"

typedef enum tb_routine_kind {
    TB_ROUTINE_SORT_SHORT,    /* rows of up to 32 * items elements, by `lanes` lanes each */
    TB_ROUTINE_SORT_BLOCK,    /* rows of up to threads * items elements */
    TB_ROUTINE_SORT_COUNT,    /* long rows: how often digits occur, */
    TB_ROUTINE_SORT_STARTS,   /* where their keys begin, */
    TB_ROUTINE_SORT_SWEEP,    /* and one pass */
    TB_ROUTINE_SELECT_COUNT,  /* wanted positions of long rows: how often a digit occurs, */
    TB_ROUTINE_SELECT_NARROW, /* which it is, */
    TB_ROUTINE_SELECT_MOVE,   /* and where all elements go */
    TB_ROUTINE_SEARCH,        /* places of values among elements in order */
    TB_ROUTINE_HISTOGRAM,     /* counts of a few numbers in bins, and the edges of these */
    TB_ROUTINE_SLIDE,         /* sums of products of windows */
    TB_ROUTINE_SOFTMAX,       /* exponentials of rows by their sums; lanes 0: a block a row; order: logarithms */
    TB_ROUTINE_POLYPHASE,     /* those of filters between two rates; lanes and levels: KB of samples, of taps */
    TB_ROUTINE_PAIRS,         /* distances of pairs of rows; targets is the metric, order: each pair once */
    TB_ROUTINE_PIECES,        /* functions in pieces at points; lanes is their orders, targets their form */
    TB_ROUTINE_SPLINE_MAP,    /* sums of splines at points, */
    TB_ROUTINE_TWO_SIDED,     /* and the sums of exponentials that give their coefficients */
    TB_ROUTINE_SPARSE,        /* products of a sparse matrix; lanes 0: with more than a vector */
    TB_ROUTINE_SPARSE_ROWS,   /* patterns of sparse matrices: the row of each element, */
    TB_ROUTINE_SPARSE_CHECK,  /* what a pattern is not, */
    TB_ROUTINE_SPARSE_PAIR,   /* where elements of one are in another, */
    TB_ROUTINE_SPARSE_MERGE,  /* and both in one; */
    TB_ROUTINE_SPARSE_STARTS, /* where lines begin */
    TB_ROUTINE_SPARSE_BOUND,  /* rows of a product of two: how many products there are, */
    TB_ROUTINE_SPARSE_COUNT,  /* elements, */
    TB_ROUTINE_SPARSE_FILL,   /* and what they are; order: a block has a row, not each warp */
    TB_ROUTINE_RECUR,         /* digital filters */
    TB_ROUTINE_DENSE_LU,      /* small matrices: factors, */
    TB_ROUTINE_DENSE_SOLVE,   /* solutions by them, */
    TB_ROUTINE_DENSE_ROWS,    /* exchanges of rows, of large ones too, */
    TB_ROUTINE_DENSE_QR,      /* reflectors, */
    TB_ROUTINE_DENSE_Q,       /* Q, */
    TB_ROUTINE_DENSE_VECTORS, /* and eigenvectors that were packed */
    TB_ROUTINE_TRIDIAGONAL,   /* symmetric matrices of middle size made tridiagonal; blocks wait for each other, */
    TB_ROUTINE_EIGENVALUES,   /* and the eigenvalues of that; items: columns of a lane */
    TB_ROUTINE_TREE_KEYS,     /* trees of boxes: where points are on a curve, */
    TB_ROUTINE_TREE_PACK,     /* boxes, */
    TB_ROUTINE_TREE_NEAREST,  /* neighbours, */
    TB_ROUTINE_TREE_COUNT,    /* how many are within a distance, */
    TB_ROUTINE_TREE_LIST,     /* and which */
    TB_ROUTINE_WINDOW_SUM,    /* filters over windows: sums of products, */
    TB_ROUTINE_WINDOW_MEAN,   /* means, */
    TB_ROUTINE_WINDOW_LEAST,  /* least */
    TB_ROUTINE_WINDOW_GREATEST,
    TB_ROUTINE_WINDOW_RANK, /* and other elements in order, */
    TB_ROUTINE_WINDOW_TWO,  /* short windows along two axes; lanes and items: places, targets and levels: kinds */
    TB_ROUTINE_LABEL,       /* connected objects; order: there are neighbours in other planes */
    TB_ROUTINE_DISTANCES    /* distances to what is zero, along an axis; order: their squares are whole */
} tb_routine_kind;

enum { TB_ROWS_BYTES = 48 << 10 }; /* DENSE_ROWS: of shared memory, for a column and where its rows come from */

/* What the source depends on. */
typedef struct tb_routine_source {
    uint8_t kind, dtype;
    uint8_t work, to; /* WINDOW: the dtypes of what is computed, and of the result */
    bool order;       /* positions are wanted. RECUR: x has float32, though dtype is float64. TWO_SIDED: elements of a
                       * row are near each other. WINDOW: neighbours in memory are lines */
    bool wide_places; /* positions have 64 bits */
    bool wide_counts; /* counts of elements have 64 bits */
    /* RECUR: lanes is the order. DENSE: items is the room. TREE: dimensions, neighbours. SPLINE_MAP: axes, the order.
     * TWO_SIDED: segments at either end, poles. WINDOW: lines of a tile, KB of it */
    uint8_t lanes, items, warps;
    uint8_t targets; /* SELECT: wanted positions. SPLINE_MAP: the result's dtype. WINDOW: places of a RANK,
                      * else the tb_window_kind */
    bool right;      /* SEARCH: behind elements that are equal. RECUR: outputs come back. SPARSE: transposed.
                      * SPLINE_MAP: the map is diagonal. TREE: periods. WINDOW: numbers are added */
    uint8_t levels;  /* SEARCH: of the tree, at most. SOFTMAX: elements of a chunk. SPLINE_MAP, TWO_SIDED: what is
                      * beyond the edges. TREE: the norm. WINDOW: the rank */
} tb_routine_source;

/* What a key of a dtype is made of. */
typedef struct tb_sort_key {
    int bits, parts;   /* of a component; components */
    int words, passes; /* 32-bit words; digits that matter */
} tb_sort_key;
tb_sort_key tb__sort_key(tb_dtype t);

enum { TB_RECUR_CARRIED = 256 }; /* states of a tile's rows in shared memory */

enum { TB_MOST_BINS = 1024 };

enum { TB_ROUTINE_PARAMS = 1664 };
/* LABEL: what a launch does; most dimensions, and neighbours in other planes a launch. */
typedef enum tb_label_step {
    TB_LABEL_TILES,
    TB_LABEL_EDGES,
    TB_LABEL_PLANES,
    TB_LABEL_COUNT,
    TB_LABEL_SUM,
    TB_LABEL_NUMBER,
    TB_LABEL_FINISH
} tb_label_step;
enum { TB_LABEL_DIMS = 32, TB_LABEL_STEPS = 128, TB_LABEL_SUM_THREADS = 1024 };
/* DISTANCES: what a launch does. */
typedef enum tb_distances_step {
    TB_DISTANCES_ZEROS,
    TB_DISTANCES_BESIDE,
    TB_DISTANCES_ROWS,
    TB_DISTANCES_COLUMNS
} tb_distances_step;
/* WINDOW: threads of a block, axes of a batch at most, room for 8 bytes in the argument, places of WINDOW_TWO's. */
enum { TB_WINDOW_THREADS = 256, TB_WINDOW_BATCHES = 4, TB_WINDOW_NEAR = 144, TB_WINDOW_SHORT = 9 };
typedef struct tb_routine {
    tb_routine_source source;
    uint32_t grid, block;
    size_t nparam;
    _Alignas(16) unsigned char params[TB_ROUTINE_PARAMS]; /* the kernel's argument */
} tb_routine;
#endif
