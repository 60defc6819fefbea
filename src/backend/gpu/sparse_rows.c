/* sparse_rows.c - rows of a product of two sparse matrices (kernels/device/sparse_multiply.h), by warps or blocks as
 * their numbers of products ask. */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { WARPS = 4, BLOCK_WARPS = 8 };

/* Rows with up to `most` products. */
static const struct {
    int most, items;
    bool whole; /* a block has a row */
} kinds[] = {{64, 2, false}, {256, 8, false}, {TB_SPARSE_BOUND, TB_SPARSE_BOUND / 32 / BLOCK_WARPS, true}};

enum { KINDS = sizeof kinds / sizeof *kinds };

tb_routine_source tb__sparse_rows_source(int kind, tb_dtype t, bool wide, bool fills)
{
    return (tb_routine_source){.kind = fills ? TB_ROUTINE_SPARSE_FILL : TB_ROUTINE_SPARSE_COUNT,
                               .dtype = (uint8_t)(fills ? t : TB_BOOL), /* which counts do not depend on */
                               .wide_places = wide,
                               .order = kinds[kind].whole,
                               .items = (uint8_t)kinds[kind].items,
                               .warps = kinds[kind].whole ? BLOCK_WARPS : WARPS};
}

tb_routine_source tb__sparse_bound_source(bool wide)
{
    return (tb_routine_source){.kind = TB_ROUTINE_SPARSE_BOUND, .wide_places = wide, .items = 1, .warps = BLOCK_WARPS};
}

static tb_status find_bounds(tb_stream *s, const tb_sparse_rows *x)
{
    const tb_routine_source source = tb__sparse_bound_source(x->a.wide);
    const struct {
        const void *start, *index, *b_start;
        void *bound;
        int64_t rows;
    } params = {x->a.start, x->a.index, x->b.start, x->out, x->a.rows};
    return tb__gpu_run_routine(s, &source, &params, sizeof params, tb__ceil_div(x->a.rows, BLOCK_WARPS),
                               32 * BLOCK_WARPS);
}

static tb_status run_kind(tb_stream *s, const tb_sparse_rows *x, int kind)
{
    const tb_routine_source source = tb__sparse_rows_source(kind, x->dtype, x->a.wide, x->start != NULL);
    const struct {
        const void *a_start, *a_index, *b_start, *b_index, *a, *b, *bound, *start;
        void *index, *data;
        int64_t rows, more, most;
    } params = {x->a.start,      x->a.index, x->b.start, x->b.index, x->a_data, x->b_data,
                x->bound,        x->start,   x->out,     x->data,    x->a.rows, kind > 0 ? kinds[kind - 1].most : -1,
                kinds[kind].most};
    const int64_t blocks = kinds[kind].whole ? x->a.rows : tb__ceil_div(x->a.rows, WARPS);
    return tb__gpu_run_routine(s, &source, &params, sizeof params, blocks, 32 * source.warps);
}

tb_status tb__gpu_sparse_rows(tb_stream *s, const tb_sparse_rows *x)
{
    if (x->a.rows == 0) return TB_OK;
    TB_TRY(tb__gpu->enter(s->device));
    if (!x->bound) return find_bounds(s, x);
    for (int kind = 0; kind < KINDS; kind++)
        if (kind == 0 || x->most > kinds[kind - 1].most) TB_TRY(run_kind(s, x, kind));
    return TB_OK;
}
