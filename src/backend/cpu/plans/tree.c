/* tree.c - trees of boxes over points, on all threads (kernels/tree.h). Common metrics and dimensions are known when
 * this is compiled. */
#include <stdlib.h>

#include "backend/cpu/plans/plans.h"
#include "kernels/types.h"

#include "kernels/tree.h"

enum { PIECE = 64, BUILD_PIECE = 1 << 10, MOST_LEVELS = 64, FEW = 16 };

#define FOR_A_METRIC static inline __attribute__((always_inline))

/* ---- walking through --------------------------------------------------------------------------------------------- */

/* With a stack, and distances on it: boxes need not be looked at again as on a GPU, where it would take memory. */
typedef struct walk {
    int depth;
    struct {
        double least;
        int64_t node;
    } waiting[MOST_LEVELS];
} walk;

static inline void begin(walk *w)
{
    w->depth = 1;
    w->waiting[0].least = 0;
    w->waiting[0].node = 1;
}

/* The number of the next leaf that is nearer than `bound`; -1: there is none. */
FOR_A_METRIC int64_t next_leaf(walk *w, const tb_tree_step *s, const double *x, double bound, int64_t dims, int norm,
                               const double *periods)
{
    while (w->depth > 0) {
        double least = w->waiting[--w->depth].least;
        int64_t node = w->waiting[w->depth].node;
        while (least < bound && node < s->leaves) {
            const double *left = s->boxes + 4 * dims * node;
            const double a = tb_tree_least(x, left, dims, norm, s->p, periods);
            const double b = tb_tree_least(x, left + 2 * dims, dims, norm, s->p, periods);
            const bool right = b < a;
            const double far = right ? a : b;
            w->waiting[w->depth].least = far;
            w->waiting[w->depth].node = 2 * node + !right;
            w->depth += far < bound;
            least = right ? b : a;
            node = 2 * node + right;
        }
        if (least < bound) return node - s->leaves;
    }
    return -1;
}

/* The distances of a leaf's points, and which of them are less than `bound`, as bits. */
FOR_A_METRIC unsigned look_at(const tb_tree_step *s, int64_t leaf, const double *x, double bound, int64_t dims,
                              int norm, const double *periods, double *distance)
{
    const int64_t first = leaf * TB_TREE_LEAF, count = tb_tree_end(leaf, s->n) - first;
    unsigned found = 0;
    for (int64_t i = 0; i < count; i++)
        distance[i] = tb_tree_apart(x, s->packed + (first + i) * dims, dims, norm, s->p, periods);
    for (int64_t i = 0; i < count; i++) found |= (unsigned)(distance[i] < bound) << i;
    return found;
}

/* ---- the k nearest ----------------------------------------------------------------------------------------------- */

/* Takes the place of the furthest: few are kept in order, many as a heap. Returns how far the furthest is. */
static inline double take(double *distance, int64_t *index, int64_t k, double d, int64_t number)
{
    if (k > FEW) {
        tb_tree_sink(distance, index, k, 0, d, number);
        return distance[0];
    }
    int64_t at = k - 1;
    for (; at > 0 && distance[at - 1] > d; at--) {
        distance[at] = distance[at - 1];
        index[at] = index[at - 1];
    }
    distance[at] = d;
    index[at] = number;
    return distance[k - 1];
}

FOR_A_METRIC void nearest(const tb_tree_step *s, int64_t i, int64_t dims, int norm, const double *periods)
{
    const double *x = s->x + i * dims;
    double *distance = s->distance + i * s->k, bound = s->bound, here[TB_TREE_LEAF];
    int64_t *index = s->index + i * s->k;
    walk w;
    begin(&w);
    for (int64_t j = 0; j < s->k; j++) distance[j] = s->bound, index[j] = -1;
    for (int64_t leaf; (leaf = next_leaf(&w, s, x, bound, dims, norm, periods)) >= 0;)
        for (unsigned found = look_at(s, leaf, x, bound, dims, norm, periods, here); found; found &= found - 1) {
            const int at = __builtin_ctz(found);
            if (here[at] < bound) bound = take(distance, index, s->k, here[at], leaf * TB_TREE_LEAF + at);
        }
    if (s->k > FEW) tb_tree_order(distance, index, s->k);
    for (int64_t j = 0; j < s->k; j++) {
        distance[j] = index[j] < 0 ? (double)INFINITY : tb_tree_root(distance[j], norm, s->p);
        index[j] = index[j] < 0 ? s->n : s->order[index[j]];
    }
}

/* ---- all within a distance --------------------------------------------------------------------------------------- */

FOR_A_METRIC void within(const tb_tree_step *s, int64_t i, int64_t dims, int norm, const double *periods)
{
    const double *x = s->x + i * dims, radius = s->radius[i];
    const double bound = radius >= 0 ? nextafter(tb_tree_power(radius, norm, s->p), (double)INFINITY) : 0;
    double here[TB_TREE_LEAF];
    int64_t count = 0, *out = s->kind == TB_TREE_LIST ? s->index + s->start[i] : NULL;
    walk w;
    begin(&w);
    for (int64_t leaf; (leaf = next_leaf(&w, s, x, bound, dims, norm, periods)) >= 0;)
        for (unsigned found = look_at(s, leaf, x, bound, dims, norm, periods, here); found; found &= found - 1) {
            if (out) out[count] = s->order[leaf * TB_TREE_LEAF + __builtin_ctz(found)];
            count++;
        }
    if (!out) s->index[i] = count;
}

FOR_A_METRIC void find(const tb_tree_step *s, int64_t task, int64_t dims, int norm, const double *periods)
{
    const int64_t end = tb__min((task + 1) * PIECE, s->m);
    for (int64_t at = task * PIECE; at < end; at++) {
        const int64_t i = s->visit ? s->visit[at] : at;
        if (s->kind == TB_TREE_NEAREST) nearest(s, i, dims, norm, periods);
        else within(s, i, dims, norm, periods);
    }
}

static bool find_task(void *arg, int64_t task)
{
    const tb_tree_step *s = arg;
    const int norm = tb__tree_norm(s->p);
    if (s->periods || norm != 2) find(s, task, s->dims, norm, s->periods);
    else if (s->dims == 2) find(s, task, 2, 2, NULL);
    else if (s->dims == 3) find(s, task, 3, 2, NULL);
    else find(s, task, s->dims, 2, NULL);
    return true;
}

/* ---- pairs of points of two trees -------------------------------------------------------------------------------- */

static bool keep(tb_tree_found *f, int64_t first, int64_t second, double distance)
{
    if (f->n == f->room) {
        enum { LEAST = 64 };
        const int64_t room = f->room ? 2 * f->room : LEAST;
        int64_t *numbers = realloc(f->numbers, (size_t)room * 2 * sizeof *numbers);
        if (numbers) f->numbers = numbers;
        double *distances = numbers ? realloc(f->distances, (size_t)room * sizeof *distances) : NULL;
        if (!distances) return false;
        f->distances = distances;
        f->room = room;
    }
    f->numbers[2 * f->n] = first;
    f->numbers[2 * f->n + 1] = second;
    f->distances[f->n++] = distance;
    return true;
}

/* The pairs of leaf a with leaf b of the other tree, or with itself. */
FOR_A_METRIC bool pair_leaves(const tb_tree_step *s, const tb_tree_step *other, int64_t a, int64_t b, double bound,
                              tb_tree_found *f, int64_t dims, int norm, const double *periods)
{
    const double *box = other->boxes + 2 * dims * (other->leaves + b);
    double here[TB_TREE_LEAF];
    for (int64_t first = a * TB_TREE_LEAF, end = tb_tree_end(a, s->n); first < end; first++) {
        const double *x = s->packed + first * dims;
        if (tb_tree_least(x, box, dims, norm, s->p, periods) >= bound) continue;
        unsigned found = look_at(other, b, x, bound, dims, norm, periods, here);
        if (!s->other && a == b) found &= ~0u << (first - a * TB_TREE_LEAF + 1);
        for (; found; found &= found - 1) {
            const int at = __builtin_ctz(found);
            const int64_t i = s->order[first], j = other->order[b * TB_TREE_LEAF + at];
            const bool turned = !s->other && j < i;
            if (!keep(f, turned ? j : i, turned ? i : j, tb_tree_root(here[at], norm, s->p))) return false;
        }
    }
    return true;
}

/* Levels that a node of a tree is above the leaves. */
static inline int height(int64_t node, int64_t leaves) { return __builtin_clzll(node) - __builtin_clzll(leaves); }

/* Of the points below `top`, by both trees at once: the larger of two nodes is taken apart. */
FOR_A_METRIC bool pair_below(const tb_tree_step *s, int64_t top, tb_tree_found *f, int64_t dims, int norm,
                             const double *periods)
{
    const tb_tree_step *other = s->other ? s->other : s;
    const double bound = s->reach >= 0 ? nextafter(tb_tree_power(s->reach, norm, s->p), (double)INFINITY) : 0;
    int64_t waiting[2 * MOST_LEVELS][2] = {{top, 1}};
    for (int depth = 1; depth > 0;) {
        const int64_t a = waiting[--depth][0], b = waiting[depth][1];
        const int above_a = height(a, s->leaves), above_b = height(b, other->leaves);
        if (!s->other && (b + 1) << above_b <= a << above_a) continue; /* found from the other side */
        if (!(tb_tree_between(s->boxes + 2 * dims * a, other->boxes + 2 * dims * b, dims, norm, s->p, periods) < bound))
            continue;
        if (above_a == 0 && above_b == 0) {
            if (!pair_leaves(s, other, a - s->leaves, b - other->leaves, bound, f, dims, norm, periods)) return false;
            continue;
        }
        for (int child = 1; child >= 0; child--) {
            waiting[depth][0] = above_a > above_b ? 2 * a + child : a;
            waiting[depth++][1] = above_a > above_b ? b : 2 * b + child;
        }
    }
    return true;
}

static bool pair_task(void *arg, int64_t task)
{
    const tb_tree_step *s = arg;
    const int norm = tb__tree_norm(s->p);
    const int64_t top = tb__tree_tasks(s->leaves) + task;
    tb_tree_found *f = &s->found[task];
    if (s->periods || norm != 2) return pair_below(s, top, f, s->dims, norm, s->periods);
    if (s->dims == 2) return pair_below(s, top, f, 2, 2, NULL);
    if (s->dims == 3) return pair_below(s, top, f, 3, 2, NULL);
    return pair_below(s, top, f, s->dims, 2, NULL);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool pack_task(void *arg, int64_t task)
{
    const tb_tree_step *s = arg;
    const int64_t end = tb__min((task + 1) * BUILD_PIECE, s->leaves);
    for (int64_t i = task * BUILD_PIECE; i < end; i++)
        tb_tree_pack(s->points, s->order, s->n, s->dims, i, s->packed, s->boxes + 2 * s->dims * (s->leaves + i));
    return true;
}

tb_status tb__cpu_tree(const tb_tree_step *s)
{
    void *job = (void *)s;
    if (s->kind == TB_TREE_PAIRS) return tb__parallel(tb__tree_tasks(s->leaves), pair_task, job);
    if (s->kind == TB_TREE_ORDER) return tb__cpu_tree_order(s);
    if (s->kind != TB_TREE_PACK) return tb__parallel(tb__ceil_div(s->m, PIECE), find_task, job);
    const tb_status status = tb__parallel(tb__ceil_div(s->leaves, BUILD_PIECE), pack_task, job);
    for (int64_t node = s->leaves - 1; node > 0 && status == TB_OK; node--) tb_tree_unite(s->boxes, node, s->dims);
    /* What nobody looks at is no accident either. */
    for (int64_t d = 0; d < 2 * s->dims; d++) s->boxes[d] = s->boxes[2 * s->dims + d];
    return status;
}
