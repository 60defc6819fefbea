/* polyphase.c - filters between two rates, by one kernel (kernels/device/polyphase.h): what there is room for in shared
 * memory. */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 256, ITEMS = 4, SAMPLES_KB = 32, TAPS_KB = 16, BLOCKS = 16 /* of a multiprocessor */ };

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The threads of a block that have results: whole periods of phases, if each has several. */
static int64_t group_of(const tb_phases *p, int items)
{
    const int64_t period = p->up / gcd(p->up, p->down);
    return items > 1 ? THREADS / period * period : THREADS;
}

static int64_t taps_of_phase(const tb_phases *p) { return tb__ceil_div(p->taps, p->up); }

/* KB of samples for a block, a power of two; 0: there is no room, or what is computed with has no 32 bits. */
static int samples_kb(const tb_phases *p, int items)
{
    const int64_t SMALL = 1 << 20, group = group_of(p, items);
    if (group == 0 || p->up > SMALL || p->down > SMALL || p->taps > SMALL) return 0;
    const int64_t samples = ((group * items - 1) * p->down + p->up - 1) / p->up + taps_of_phase(p);
    const int64_t bytes = samples * (int64_t)tb_dtype_size(p->dtype);
    int kb = SAMPLES_KB / 8;
    while (kb <= SAMPLES_KB && (int64_t)kb << 10 < bytes) kb *= 2;
    return kb <= SAMPLES_KB ? kb : 0;
}

static int taps_kb(const tb_phases *p)
{
    const int64_t bytes = p->taps * (int64_t)tb_dtype_size(p->dtype);
    int kb = 1;
    while (kb <= TAPS_KB && (int64_t)kb << 10 < bytes) kb *= 4;
    return kb <= TAPS_KB ? kb : 0;
}

/* Of a row. */
static int64_t tiles_of(const tb_phases *p, int items) { return tb__ceil_div(p->count, group_of(p, items) * items); }

tb_routine_source tb__phases_source(const tb_phases *p)
{
    const int taps = taps_kb(p);
    int items = !taps || p->count < THREADS / 2 ? 0 : p->count < ITEMS * THREADS ? 1 : ITEMS, samples = 0;
    for (; items > 0; items = items > 1 ? 1 : 0)
        if ((samples = samples_kb(p, items)) > 0 && p->rows * tiles_of(p, items) <= INT32_MAX) break;
    return (tb_routine_source){.kind = TB_ROUTINE_POLYPHASE,
                               .dtype = (uint8_t)p->dtype,
                               .items = (uint8_t)items,
                               .lanes = items ? (uint8_t)samples : 0,
                               .levels = items ? (uint8_t)taps : 0,
                               .warps = THREADS / 32};
}

tb_status tb__gpu_phases(tb_stream *s, const tb_phases *p)
{
    const tb_routine_source source = tb__phases_source(p);
    const int64_t group = source.items ? group_of(p, source.items) : THREADS;
    const int64_t tiles = source.items ? tiles_of(p, source.items) : 0;
    const struct {
        const void *x, *h;
        void *out;
        int64_t rows, n, count, taps, up, down, start, tiles;
        int32_t group, step, most;
    } params = {.x = p->x,
                .h = p->h,
                .out = p->out,
                .rows = p->rows,
                .n = p->n,
                .count = p->count,
                .taps = p->taps,
                .up = p->up,
                .down = p->down,
                .start = p->start,
                .tiles = tiles,
                .group = (int32_t)group,
                .step = source.items ? (int32_t)(group * p->down / p->up) : 0,
                .most = source.items ? (int32_t)taps_of_phase(p) : 0};
    TB_TRY(tb__gpu->enter(s->device));
    int64_t blocks =
        tb__min(tb__ceil_div(p->rows * p->count, THREADS), BLOCKS * (int64_t)tb__gpu_devices[s->device].chip.sms);
    if (source.items) blocks = p->rows * tiles;
    return tb__gpu_run_routine(s, &source, &params, sizeof params, blocks, THREADS);
}
