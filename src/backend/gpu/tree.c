/* tree.c - trees of boxes over points, by a kernel for each step (kernels/device/tree_*.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256, FIND_THREADS = 128, MOST_DIMS = 4, MOST_NEAREST = 16 };

tb_routine_source tb__tree_source(const tb_tree_step *x)
{
    tb_routine_source source = {.kind = (uint8_t)(TB_ROUTINE_TREE_KEYS + (int)x->kind), .warps = THREADS / 32};
    if (x->kind < TB_TREE_NEAREST) return source;
    source.warps = FIND_THREADS / 32;
    source.lanes = x->dims <= MOST_DIMS ? (uint8_t)x->dims : 0;
    source.levels = (uint8_t)tb__tree_norm(x->p);
    source.right = x->periods != NULL;
    if (x->kind == TB_TREE_NEAREST && x->k <= MOST_NEAREST)
        for (source.items = 1; source.items < x->k;) source.items *= 2;
    return source;
}

static tb_status find_keys(tb_stream *s, const tb_routine_source *source, const tb_tree_step *x)
{
    const struct {
        const void *points, *columns;
        void *keys;
        int64_t n, dims, ranks, bits;
    } params = {x->points, x->columns, x->keys, x->n, x->dims, x->ranks, x->bits};
    return tb__gpu_run_routine(s, source, &params, sizeof params, tb__ceil_div(x->n, THREADS), THREADS);
}

static tb_status pack(tb_stream *s, const tb_routine_source *source, const tb_tree_step *x)
{
    /* The levels that a launch makes: one, and those above it within a block. */
    for (int64_t width = x->leaves; width > 0; width /= 2 * THREADS) {
        const struct {
            const void *points, *order;
            void *packed, *boxes;
            int64_t n, dims, leaves, width;
        } params = {x->points, x->order, x->packed, x->boxes, x->n, x->dims, x->leaves, width};
        TB_TRY(tb__gpu_run_routine(s, source, &params, sizeof params, tb__ceil_div(width, THREADS), THREADS));
    }
    return TB_OK;
}

static tb_status find(tb_stream *s, const tb_routine_source *source, const tb_tree_step *x)
{
    const struct {
        const void *packed, *boxes, *order, *x, *periods, *radius, *start;
        void *distance, *index;
        int64_t n, dims, leaves, m, k;
        double p, bound;
    } params = {x->packed, x->boxes, x->order, x->x,      x->periods, x->radius, x->start, x->distance,
                x->index,  x->n,     x->dims,  x->leaves, x->m,       x->k,      x->p,     x->bound};
    return tb__gpu_run_routine(s, source, &params, sizeof params, tb__ceil_div(x->m, FIND_THREADS), FIND_THREADS);
}

tb_status tb__gpu_tree(tb_stream *s, const tb_tree_step *x)
{
    const tb_routine_source source = tb__tree_source(x);
    TB_TRY(tb__gpu->enter(s->device));
    if (x->kind == TB_TREE_KEYS) {
        const tb_routine_source next = tb__tree_source(&(tb_tree_step){.kind = TB_TREE_PACK});
        tb__gpu_routine_ahead(s, &next);
        return find_keys(s, &source, x);
    }
    return x->kind == TB_TREE_PACK ? pack(s, &source, x) : find(s, &source, x);
}
