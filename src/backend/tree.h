/* tree.h - trees of boxes over points (kernels/tree.h), in which neighbours are found: what a backend does for them. */
#ifndef TB_BACKEND_TREE_H
#define TB_BACKEND_TREE_H
#include <stdint.h>

typedef enum tb_tree_step_kind {
    TB_TREE_KEYS,    /* keys, on a GPU: where each of the points is on a curve */
    TB_TREE_PACK,    /* packed, boxes: of the points, in this order */
    TB_TREE_NEAREST, /* distance, index (m, k): the nearest of x, missing ones infinity and n */
    TB_TREE_COUNT,   /* index (m): how many points are no further from x than radius, */
    TB_TREE_LIST,    /* index: and which, those of x[i] from start[i] on in any order */
    TB_TREE_PAIRS,   /* found, on the host: pairs of points no further apart than reach */
    TB_TREE_ORDER,   /* index (n), on the host: the points' order */
} tb_tree_step_kind;

/* Of TB_TREE_PAIRS, in memory of malloc's. */
typedef struct tb_tree_found {
    int64_t n, room;
    int64_t *numbers;  /* (n, 2) */
    double *distances; /* (n) */
} tb_tree_found;

/* Numbers of float64 and int64, on the device and in C order. */
typedef struct tb_tree_step {
    tb_tree_step_kind kind;
    int64_t n, dims, leaves;
    const double *points;  /* KEYS, PACK: (n, dims) */
    const double *columns; /* KEYS: (dims, ranks), in order */
    int64_t ranks;         /* 2^bits at most */
    int bits;              /* times axes 62 at most */
    uint64_t *keys;
    double *packed, *boxes; /* (n, dims); (2 leaves, 2, dims), of which the first is not used */
    const int64_t *order;   /* the number of each packed point */
    int64_t m, k;
    double p;              /* at least 1, or infinity */
    double bound;          /* NEAREST: what is found is nearer */
    const double *periods; /* or NULL; a coordinate of x is within its period then */
    const double *x, *radius;
    const int64_t *start;
    const int64_t *visit; /* on the host, or NULL: the order in which to go through x, neighbours close together */
    double *distance;
    int64_t *index;
    const struct tb_tree_step *other; /* PAIRS: the tree of the second points; NULL: the same, and each pair once, with
                                       * the lesser number first */
    double reach;
    tb_tree_found *found; /* of each task */
} tb_tree_step;

enum { TB_TREE_TOGETHER = 64 }; /* leaves whose pairs are a task */
static inline int64_t tb__tree_tasks(int64_t leaves)
{
    return leaves > TB_TREE_TOGETHER ? leaves / TB_TREE_TOGETHER : 1;
}

/* How distances are summed up (kernels/tree.h). */
static inline int tb__tree_norm(double p) { return p > 1e300 ? 0 : p == 1 ? 1 : p == 2 ? 2 : 3; }
#endif
