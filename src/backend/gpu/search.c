/* search.c - places of values among elements in order, by one kernel (kernels/device/search.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256 };

tb_routine_source tb__search_source(tb_dtype t, bool right)
{
    /* Levels of the tree that fit into 32 KiB. */
    static const uint8_t levels[] = {[1] = 13, [2] = 12, [3] = 11, [5] = 10};
    const int words = tb__sort_key(t).words;
    return (tb_routine_source){.kind = TB_ROUTINE_SEARCH,
                               .dtype = (uint8_t)t,
                               .order = true, /* zeros of both signs are equal */
                               .right = right,
                               .items = words < 3 ? 4 : 2,
                               .warps = THREADS / 32,
                               .levels = levels[words]};
}

tb_status tb__gpu_search(tb_stream *s, const tb_search *x)
{
    enum { LEAST_LEVELS = 8, PARTS = 6 /* blocks of a multiprocessor */ };
    const tb_routine_source source = tb__search_source(x->dtype, x->right);
    int levels = 1;
    while (levels < source.levels && (int64_t)1 << levels <= x->nsorted) levels++;
    while (levels > LEAST_LEVELS && (int64_t)1 << levels > x->n) levels--; /* a few values are not worth a large tree */
    const int64_t most = ((int64_t)1 << levels) - 1, stride = tb__ceil_div(x->nsorted, most + 1);
    const struct {
        const void *sorted, *values;
        void *out;
        uint64_t count, n, stride;
        uint32_t inside, levels;
    } params = {x->sorted,
                x->values,
                x->out,
                (uint64_t)x->nsorted,
                (uint64_t)x->n,
                (uint64_t)stride,
                (uint32_t)tb__min(most, x->nsorted / stride),
                (uint32_t)levels};
    TB_TRY(tb__gpu->enter(s->device));
    const int64_t blocks =
        tb__min(tb__ceil_div(x->n, source.items * THREADS), PARTS * (int64_t)tb__gpu_devices[s->device].chip.sms);
    return tb__gpu_run_routine(s, &source, &params, sizeof params, blocks, THREADS);
}
