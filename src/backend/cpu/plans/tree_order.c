/* tree_order.c - the order of a tree's points on the host: by halves along the axis in which they reach furthest (J. L.
 * Bentley, Multidimensional binary search trees used for associative searching, 1975), so that boxes do not overlap.
 *
 * What is split is one integer for each point: the distance from where the axis begins, as a double's bits, the lowest
 * of which give way to the point's number. So numbers move along, and no two are equal. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "base/threads.h"
#include "kernels/types.h"

#include "kernels/tree.h"

/* Leaves that one task puts in order; points that say how far an axis reaches. */
enum { TASK = 256, SAMPLE = 64 };

typedef struct order_job {
    const tb_tree_step *s;
    const tb_sort_loops *loops;
    int64_t *key;  /* where a point's is, its number is in the result */
    int64_t mask;  /* the bits of a number */
    int64_t width; /* leaves below each node of a level */
} order_job;

/* The axis along which some of the points reach furthest, and where it begins. */
static int64_t longest_axis(const tb_tree_step *s, const int64_t *number, int64_t n, double *begin)
{
    const int64_t step = tb__ceil_div(n, SAMPLE);
    int64_t longest = 0;
    double most = -1;
    for (int64_t d = 0; d < s->dims; d++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int64_t i = 0; i < n; i += step) {
            const double x = s->points[number[i] * s->dims + d];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (!(high - low > most)) continue;
        longest = d;
        most = high - low;
        *begin = low;
    }
    return longest;
}

/* As integers that are in the same order. */
static inline int64_t in_order(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ ((bits >> 63) & INT64_MAX);
}

/* Brings the points of a node's first half to the front; `half`: as many as its leaves have room for. */
static void split(const order_job *j, int64_t first, int64_t n, int64_t half)
{
    const tb_tree_step *s = j->s;
    int64_t *number = s->index + first, *key = j->key + first;
    double begin = 0;
    const double *along = s->points + longest_axis(s, number, n, &begin);
    for (int64_t i = 0; i < n; i++) key[i] = (in_order(along[number[i] * s->dims] - begin) & ~j->mask) | number[i];
    j->loops->select_64(key, n, &half, 1);
    for (int64_t i = 0; i < n; i++) number[i] = key[i] & j->mask;
}

static void split_node(const order_job *j, int64_t leaf, int64_t width)
{
    const int64_t first = leaf * TB_TREE_LEAF, n = tb__min(j->s->n - first, width * TB_TREE_LEAF);
    const int64_t half = width / 2 * TB_TREE_LEAF;
    if (n > half) split(j, first, n, half);
}

static bool level_task(void *arg, int64_t task)
{
    const order_job *j = arg;
    split_node(j, task * j->width, j->width);
    return true;
}

/* All that is below a node. */
static bool below_task(void *arg, int64_t task)
{
    const order_job *j = arg;
    for (int64_t width = j->width; width > 1; width /= 2)
        for (int64_t leaf = 0; leaf < j->width; leaf += width) split_node(j, task * j->width + leaf, width);
    return true;
}

tb_status tb__cpu_tree_order(const tb_tree_step *s)
{
    order_job j = {.s = s, .loops = tb__sort_loops(), .width = s->leaves};
    while (j.mask < s->n) j.mask = 2 * j.mask + 1;
    for (int64_t i = 0; i < s->n; i++) s->index[i] = i;
    if (s->dims == 0) return TB_OK;
    j.key = malloc((size_t)s->n * sizeof *j.key);
    if (!j.key) return tb__fail_memory((size_t)s->n * sizeof *j.key, 0, 0, 0);
    tb_status status = TB_OK;
    for (; j.width > TASK && status == TB_OK; j.width /= 2) status = tb__parallel(s->leaves / j.width, level_task, &j);
    if (status == TB_OK) status = tb__parallel(s->leaves / j.width, below_task, &j);
    free(j.key);
    return status;
}
