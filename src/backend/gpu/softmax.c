/* softmax.c - exponentials of rows divided by their sums, by one kernel (kernels/device/softmax.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

/* Bytes of a chunk, and of what a thread has in registers. */
enum { THREADS = 256, WARP = 32, CHUNK = 16, BYTES = 128 };

/* Elements are moved one by one where rows do not begin with whole chunks. */
static int chunk_of(const tb_soft_rows *x)
{
    const int size = (int)tb_dtype_size(x->dtype), v = CHUNK / size;
    const bool whole = x->n % v == 0 && ((uintptr_t)x->in | (uintptr_t)x->out) % CHUNK == 0;
    return whole ? v : 1;
}

/* Elements that a thread has room for, of float16 in registers of 4 bytes. */
static int64_t room_of(const tb_soft_rows *x)
{
    const int64_t size = (int64_t)tb_dtype_size(x->dtype);
    return BYTES / tb__max(size, (int64_t)sizeof(float));
}

static int64_t power_of_2_from(int64_t x)
{
    int64_t r = 1;
    while (r < x) r *= 2;
    return r;
}

bool tb__gpu_softmax_fits(tb_dtype t, int64_t n)
{
    const tb_soft_rows x = {.dtype = t, .n = n};
    return n > 0 && n <= THREADS * room_of(&x) && tb_dtype_kind(t) == TB_KIND_FLOAT;
}

/* As many threads a row as leave each a few chunks, the whole block where a warp has no room for it. */
tb_routine_source tb__softmax_source(const tb_soft_rows *x)
{
    enum { FEW = 4 };
    const int v = chunk_of(x);
    const int64_t chunks = tb__ceil_div(x->n, v), most = room_of(x) / v;
    int64_t lanes = tb__min(power_of_2_from(tb__ceil_div(chunks, FEW)), WARP);
    if (tb__ceil_div(chunks, lanes) > most) lanes = THREADS;
    return (tb_routine_source){.kind = TB_ROUTINE_SOFTMAX,
                               .dtype = (uint8_t)x->dtype,
                               .order = x->log,
                               .lanes = (uint8_t)(lanes == THREADS ? 0 : lanes),
                               .items = (uint8_t)power_of_2_from(tb__ceil_div(chunks, lanes)),
                               .levels = (uint8_t)v,
                               .warps = THREADS / WARP};
}

tb_status tb__gpu_softmax(tb_stream *s, const tb_soft_rows *x)
{
    const tb_routine_source source = tb__softmax_source(x);
    const struct {
        const void *in;
        void *out;
        int64_t rows, n;
    } params = {x->in, x->out, x->rows, x->n};
    const int64_t each = source.lanes ? THREADS / source.lanes : 1;
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, tb__ceil_div(x->rows, each), THREADS);
}
