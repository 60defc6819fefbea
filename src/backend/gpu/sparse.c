/* sparse.c - products of sparse matrices and dense ones, by one kernel (kernels/device/sparse_product.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 128 };

tb_routine_source tb__sparse_source(tb_dtype t, bool wide, int64_t width, double each)
{
    int lanes = width == 1 ? 1 : 0;
    while (lanes && lanes < 32 && 2 * lanes < each) lanes *= 2;
    return (tb_routine_source){.kind = TB_ROUTINE_SPARSE,
                               .dtype = (uint8_t)t,
                               .wide_places = wide,
                               .lanes = (uint8_t)lanes,
                               .warps = THREADS / 32};
}

tb_status tb__gpu_sparse_product(tb_stream *s, const tb_sparse_product *p)
{
    const double each = (double)p->n / (double)p->a.rows;
    const tb_routine_source source = tb__sparse_source(p->dtype, p->a.wide, p->width, each);
    const struct {
        const void *start, *index, *data, *x;
        void *out;
        int64_t rows, width;
    } params = {p->a.start, p->a.index, p->data, p->x, p->out, p->a.rows, p->width};
    const int64_t threads = p->a.rows * (source.lanes ? source.lanes : p->width);
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, tb__ceil_div(threads, THREADS), THREADS);
}
