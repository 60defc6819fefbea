/* tree.c - trees of boxes over points, on all threads (kernels/tree.h). Common metrics and dimensions are known when
 * this is compiled. */
#include "backend/cpu/plans/plans.h"
#include "kernels/types.h"

#include "kernels/tree.h"

enum { PIECE = 64, BUILD_PIECE = 1 << 10 };

#define FOR_A_METRIC static inline __attribute__((always_inline))

FOR_A_METRIC void nearest(const tb_tree_step *s, int64_t i, int64_t dims, int norm, const double *periods)
{
    const double *x = s->x + i * dims;
    double *distance = s->distance + i * s->k;
    int64_t *index = s->index + i * s->k;
    tb_tree_walk w = tb_tree_begin();
    for (int64_t j = 0; j < s->k; j++) distance[j] = s->bound, index[j] = -1;
    for (int64_t leaf;
         (leaf = tb_tree_next(&w, s->boxes, s->leaves, x, distance[0], dims, norm, s->p, periods)) >= 0;) {
        const int64_t end = tb_tree_end(leaf, s->n);
        for (int64_t at = leaf * TB_TREE_LEAF; at < end; at++) {
            const double d = tb_tree_apart(x, s->packed + at * dims, dims, norm, s->p, periods);
            if (d < distance[0]) tb_tree_sink(distance, index, s->k, 0, d, at);
        }
    }
    tb_tree_order(distance, index, s->k);
    for (int64_t j = 0; j < s->k; j++) {
        distance[j] = index[j] < 0 ? (double)INFINITY : tb_tree_root(distance[j], norm, s->p);
        index[j] = index[j] < 0 ? s->n : s->order[index[j]];
    }
}

FOR_A_METRIC void within(const tb_tree_step *s, int64_t i, int64_t dims, int norm, const double *periods)
{
    const double *x = s->x + i * dims, radius = s->radius[i];
    const double bound = radius >= 0 ? nextafter(tb_tree_power(radius, norm, s->p), (double)INFINITY) : 0;
    int64_t count = 0, *out = s->kind == TB_TREE_LIST ? s->index + s->start[i] : NULL;
    tb_tree_walk w = tb_tree_begin();
    for (int64_t leaf; (leaf = tb_tree_next(&w, s->boxes, s->leaves, x, bound, dims, norm, s->p, periods)) >= 0;) {
        const int64_t end = tb_tree_end(leaf, s->n);
        for (int64_t at = leaf * TB_TREE_LEAF; at < end; at++) {
            if (!(tb_tree_apart(x, s->packed + at * dims, dims, norm, s->p, periods) < bound)) continue;
            if (out) out[count] = s->order[at];
            count++;
        }
    }
    if (!out) s->index[i] = count;
}

FOR_A_METRIC void find(const tb_tree_step *s, int64_t task, int64_t dims, int norm, const double *periods)
{
    const int64_t end = tb__min((task + 1) * PIECE, s->m);
    for (int64_t i = task * PIECE; i < end; i++)
        if (s->kind == TB_TREE_NEAREST) nearest(s, i, dims, norm, periods);
        else within(s, i, dims, norm, periods);
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

static bool key_task(void *arg, int64_t task)
{
    const tb_tree_step *s = arg;
    const int64_t end = tb__min((task + 1) * BUILD_PIECE, s->n);
    for (int64_t i = task * BUILD_PIECE; i < end; i++)
        s->keys[i] = tb_tree_key(s->points + i * s->dims, s->columns, s->ranks, s->dims, s->bits);
    return true;
}

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
    if (s->kind == TB_TREE_KEYS) return tb__parallel(tb__ceil_div(s->n, BUILD_PIECE), key_task, job);
    if (s->kind != TB_TREE_PACK) return tb__parallel(tb__ceil_div(s->m, PIECE), find_task, job);
    const tb_status status = tb__parallel(tb__ceil_div(s->leaves, BUILD_PIECE), pack_task, job);
    for (int64_t node = s->leaves - 1; node > 0 && status == TB_OK; node--) tb_tree_unite(s->boxes, node, s->dims);
    /* What nobody looks at is no accident either. */
    for (int64_t d = 0; d < 2 * s->dims; d++) s->boxes[d] = s->boxes[2 * s->dims + d];
    return status;
}
