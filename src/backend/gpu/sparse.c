/* sparse.c - sparse matrices: products with dense ones, by one kernel (kernels/device/sparse_product.h), and steps to
 * patterns (sparse_*.h beside it). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 128, STEP_THREADS = 256, STEP_ITEMS = 8 };

tb_routine_source tb__sparse_source(tb_dtype t, bool wide, bool transposed, int64_t width, double each)
{
    int lanes = width == 1 ? 1 : 0;
    while (lanes && lanes < 32 && 2 * lanes < each) lanes *= 2;
    return (tb_routine_source){.kind = TB_ROUTINE_SPARSE,
                               .dtype = (uint8_t)t,
                               .wide_places = wide,
                               .right = transposed,
                               .lanes = (uint8_t)lanes,
                               .warps = THREADS / 32};
}

tb_status tb__gpu_sparse_product(tb_stream *s, const tb_sparse_product *p)
{
    const double each = (double)p->n / (double)p->a.rows;
    const tb_routine_source source = tb__sparse_source(p->dtype, p->a.wide, p->transposed, p->width, each);
    const struct {
        const void *start, *index, *data, *x;
        void *out;
        int64_t rows, width;
    } params = {p->a.start, p->a.index, p->data, p->x, p->out, p->a.rows, p->width};
    const int64_t threads = p->a.rows * (source.lanes ? source.lanes : p->width);
    TB_TRY(tb__gpu->enter(s->device));
    if (p->transposed) TB_TRY(tb__gpu->set(s, p->out, 0, 1, (size_t)(p->a.cols * p->width) * tb_dtype_size(p->dtype)));
    if (threads == 0) return TB_OK;
    return tb__gpu_run_routine(s, &source, &params, sizeof params, tb__ceil_div(threads, THREADS), THREADS);
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

tb_routine_source tb__sparse_step_source(tb_sparse_step_kind kind, bool wide)
{
    return (tb_routine_source){.kind = (uint8_t)(TB_ROUTINE_SPARSE_ROWS + (int)kind),
                               .wide_places = wide,
                               .items = STEP_ITEMS,
                               .warps = STEP_THREADS / 32};
}

static int64_t blocks_of(const tb_sparse_step *x)
{
    enum { CHUNK = STEP_THREADS * STEP_ITEMS };
    const int64_t start = tb__ceil_div(x->a.rows + 1, CHUNK), a = tb__ceil_div(x->n, CHUNK);
    if (x->kind == TB_SPARSE_STARTS) return tb__ceil_div(x->n + 1, CHUNK);
    if (x->kind == TB_SPARSE_CHECK) return x->place ? a : tb__max(a, start);
    if (x->kind == TB_SPARSE_MERGE) return a + start + (x->any ? tb__ceil_div(x->nb, CHUNK) : 0);
    return a;
}

tb_status tb__gpu_sparse_step(tb_stream *s, const tb_sparse_step *x)
{
    const tb_routine_source source = tb__sparse_step_source(x->kind, x->a.wide);
    const struct {
        struct {
            const void *start, *index;
            int64_t n;
        } a, b;
        int64_t rows, cols;
        const void *place, *both;
        void *out[4];
        int64_t any;
    } params = {{x->a.start, x->a.index, x->n},
                {x->b.start, x->b.index, x->nb},
                x->a.rows,
                x->a.cols,
                x->place,
                x->both,
                {x->out[0], x->out[1], x->out[2], x->out[3]},
                x->any};
    const int64_t blocks = blocks_of(x);
    if (blocks == 0) return TB_OK;
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, blocks, STEP_THREADS);
}
