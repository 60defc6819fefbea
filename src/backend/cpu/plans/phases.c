/* phases.c - filters between two rates, block by block of results on all threads.
 *
 * Results that are a period apart see the same taps, and samples that are `advance` apart. So a block's samples are
 * laid out in `advance` parts, by their number modulo that: a phase's results are then windows of each part times the
 * taps that meet it, which loops/slide_loops.h makes a tile of at a time. Beyond the row there are zeros. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/slide_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/arith.h"
#include "base/error.h"

enum { TASK_PRODUCTS = 1 << 19, BLOCK = 512, MOST_MEETINGS = 1 << 12 };

/* The taps of one phase that meet one part: so many from `w` on, in the order of the samples, the first of which is
 * number `at` of the part for the block's first result. */
typedef struct meeting {
    int64_t w, count, at;
} meeting;

typedef struct phases_job {
    const tb_phases *p;
    const meeting *meetings; /* of each phase, of each part */
    const char *w;
    tb_slide_loop *loop;
    int64_t item, tile, period, advance;
    int64_t results;         /* of a phase in a block */
    int64_t blocks, each;    /* of a row; of a task */
    int64_t length, earlier; /* of a part; how many samples before that of the block's first result */
} phases_job;

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* n elements of `item` bytes, `from_step` and `to_step` elements apart. */
static void copy_apart(int64_t item, int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step)
{
#define COPY(T)                                                                       \
    for (int64_t i = 0; i < n; i++) ((T *)(void *)to)[i * to_step] = ((const T *)(const void *)from)[i * from_step]
    typedef struct two {
        uint64_t part[2];
    } two;
    if (item == 4) COPY(uint32_t);
    else if (item == 8) COPY(uint64_t);
    else COPY(two);
#undef COPY
}

/* The samples from number `first` on, in parts. */
static void lay_out(const phases_job *j, const char *row, int64_t first, char *parts)
{
    for (int64_t i = 0; i < j->advance; i++) {
        char *part = parts + i * j->length * j->item;
        const int64_t at = first + i, skipped = at < 0 ? tb__ceil_div(-at, j->advance) : 0;
        const int64_t there = tb__ceil_div(j->p->n - at, j->advance);
        const int64_t from = tb__min(skipped, j->length), to = tb__max(tb__min(there, j->length), from);
        memset(part, 0, (size_t)(from * j->item));
        copy_apart(j->item, to - from, part + from * j->item, 1, row + (at + from * j->advance) * j->item, j->advance);
        memset(part + to * j->item, 0, (size_t)((j->length - to) * j->item));
    }
}

static void add(const phases_job *j, void *sum, const void *more)
{
    const int64_t n = j->tile * j->item;
    if (j->p->dtype == TB_F32 || j->p->dtype == TB_C64)
        for (int64_t i = 0; i < n / 4; i++) ((float *)sum)[i] += ((const float *)more)[i];
    else
        for (int64_t i = 0; i < n / 8; i++) ((double *)sum)[i] += ((const double *)more)[i];
}

/* A tile of a phase's results, from its number k of the block on. */
static void make_tile(const phases_job *j, const meeting *m, const char *parts, int64_t k, char *sum)
{
    _Alignas(64) char more[TB_SLIDE_MOST * 4];
    bool begun = false;
    for (int64_t i = 0; i < j->advance; i++) {
        if (m[i].count == 0) continue;
        const char *a = parts + (i * j->length + m[i].at + k) * j->item;
        j->loop(a, j->w + m[i].w * j->item, m[i].count, begun ? more : sum);
        if (begun) add(j, sum, more);
        begun = true;
    }
    if (!begun) memset(sum, 0, (size_t)(j->tile * j->item));
}

static void make_block(const phases_job *j, int64_t row, int64_t block, char *parts)
{
    const tb_phases *p = j->p;
    const int64_t first = block * j->results * j->period, last = tb__min(first + j->results * j->period, p->count);
    _Alignas(64) char sum[TB_SLIDE_MOST * 4];
    lay_out(j, (const char *)p->x + row * p->n * j->item, (p->start + first * p->down) / p->up - j->earlier, parts);
    for (int64_t r = 0; r < j->period && first + r < last; r++) {
        const int64_t n = tb__ceil_div(last - first - r, j->period);
        char *out = (char *)p->out + (row * p->count + first + r) * j->item;
        for (int64_t k = 0; k < n; k += j->tile) {
            make_tile(j, j->meetings + r * j->advance, parts, k, sum);
            copy_apart(j->item, tb__min(j->tile, n - k), out + k * j->period * j->item, j->period, sum, 1);
        }
    }
}

static bool phases_task(void *arg, int64_t task)
{
    const phases_job *j = arg;
    char *parts = tb__scratch((size_t)(j->length * j->advance * j->item));
    if (!parts) return false;
    const int64_t last = tb__min((task + 1) * j->each, j->blocks * j->p->rows);
    for (int64_t b = task * j->each; b < last; b++) make_block(j, b / j->blocks, b % j->blocks, parts);
    return true;
}

/* Which taps meet which part, and these one after the other. */
static void meet(const phases_job *j, meeting *meetings, char *w)
{
    const tb_phases *p = j->p;
    const int64_t first = p->start / p->up - j->earlier;
    int64_t at = 0;
    for (int64_t r = 0; r < j->period; r++) {
        const int64_t time = p->start + r * p->down, phase = time % p->up, sample = time / p->up - first;
        const int64_t taps = phase < p->taps ? tb__ceil_div(p->taps - phase, p->up) : 0;
        for (int64_t i = 0; i < j->advance; i++) {
            const int64_t nearest =
                ((sample - i) % j->advance + j->advance) % j->advance; /* the first tap that meets it */
            const int64_t count = nearest < taps ? tb__ceil_div(taps - nearest, j->advance) : 0;
            const int64_t farthest = nearest + (count - 1) * j->advance;
            meetings[r * j->advance + i] = (meeting){at, count, count ? (sample - farthest) / j->advance : 0};
            for (int64_t k = farthest; k >= nearest; k -= j->advance, at++)
                memcpy(w + at * j->item, (const char *)p->h + (phase + k * p->up) * j->item, (size_t)j->item);
        }
    }
}

tb_status tb__cpu_phases(const tb_phases *p)
{
    const tb_slide_loops *l = TB_OF_ISA(&tb__slide_loops_);
    const int64_t divisor = gcd(p->up, p->down), taps = tb__ceil_div(p->taps, p->up);
    phases_job j = {p,
                    .loop = l->loop[p->dtype],
                    .item = (int64_t)tb_dtype_size(p->dtype),
                    .tile = l->tile[p->dtype],
                    .period = p->up / divisor,
                    .advance = p->down / divisor,
                    .earlier = taps - 1};
    if (j.period > MOST_MEETINGS / j.advance)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "polyphase: rates of %lld to %lld are too many phases on the CPU",
                        (long long)p->up, (long long)p->down);
    const int64_t of_phase = tb__ceil_div(p->count, j.period), span = ((j.period - 1) * p->down + p->up - 1) / p->up;
    j.results = tb__min(tb__max(BLOCK / j.tile, 1), tb__ceil_div(of_phase, j.tile)) * j.tile;
    j.blocks = tb__ceil_div(of_phase, j.results);
    j.length = j.results + (j.earlier + span) / j.advance + 1;
    j.each = tb__max(TASK_PRODUCTS / (j.results * j.period * taps), 1);
    meeting *meetings = malloc((size_t)(j.period * j.advance) * sizeof *meetings);
    char *w = malloc((size_t)((p->taps + 1) * j.item));
    tb_status status = TB_OK;
    if (!meetings || !w) {
        status = tb__fail(TB_ERR_MEMORY, "out of host memory for a filter of %lld taps", (long long)p->taps);
    } else {
        meet(&j, meetings, w);
        j.meetings = meetings;
        j.w = w;
        status = tb__parallel(tb__ceil_div(j.blocks * p->rows, j.each), phases_task, &j);
    }
    free(meetings);
    free(w);
    return status;
}
