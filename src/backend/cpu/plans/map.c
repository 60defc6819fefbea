/* map.c - elementwise plans: boxes of a size that keeps scratch in cache, spread over the threads. */
#include <string.h>

#include "backend/cpu/plans/block.h"

enum {
    TASK_POINTS = 32768, /* of cheap work: about what it takes to be worth handing to another thread */
    HEAVY_TASK_POINTS = 4096,
    SLOW_TASK_POINTS = 512,
    LINEAR_POINTS = 16384, /* a box without scratch */
    MIN_POINTS = 256,
    MAX_POINTS = 2048,
    CACHE_BYTES = 32768, /* what the operands of a box may take together: the first-level cache */
    TILE_WIDTH = 64,
    TILE_POINTS = 2048,
    MAX_TASKS = 512,
};

typedef struct map_job {
    tb_block block;
    int64_t nbox, boxes; /* in all, and of a task */
} map_job;

static int fastest_dim(const tb_plan *p, const int64_t *strides)
{
    int best = -1;
    int64_t least = INT64_MAX;
    for (int d = p->ndim - 1; d >= 0; d--) {
        int64_t s = strides[d] < 0 ? -strides[d] : strides[d];
        if (s != 0 && s < least) least = s, best = d;
    }
    return best;
}

/* A dimension other than the last along which some operand's memory runs; -1 if there is none worth a tile. */
static int crossing_dim(const tb_plan *p)
{
    int last = p->ndim - 1;
    for (int i = 0; i < p->nload + p->nstore; i++) {
        const int64_t *strides = i < p->nload ? p->load[i].strides : p->store[i - p->nload].strides;
        int d = fastest_dim(p, strides);
        if (d >= 0 && strides[last] != 0 && d != last && p->shape[last] > TILE_WIDTH / 4 && p->shape[d] > 4) return d;
    }
    return -1;
}

static const char *last_of(const tb_plan *p, const tb_store *s)
{
    const char *at = s->ptr;
    for (int d = 0; d < p->ndim; d++) at += tb__max(s->strides[d], 0) * (p->shape[d] - 1);
    return at;
}

static bool has_rows(const int64_t *strides, int ndim, int64_t item)
{
    return ndim == 0 || strides[ndim - 1] == item || strides[ndim - 1] == 0;
}

/* Whether results are stored past the cache. It saves a read of them, which is little beside that of larger loads, and
 * nothing beside the work of gathering, or of much computing: not even one function's, where stores narrower than a
 * line wait for memory. */
static bool is_past(const tb_plan *p, int nheavy)
{
    enum { FUNCTION = 5, MOST_WORK = 7 }; /* in additions */
    int64_t loaded = 0, stored = 0;
    if (p->scatters || (nheavy && !tb__nontemporal_lines())) return false;
    if (p->ninstr + (FUNCTION - 1) * nheavy > MOST_WORK) return false;
    for (int i = 0; i < p->nstore; i++) stored += (int64_t)tb_dtype_size((tb_dtype)p->store[i].dtype);
    for (int i = 0; i < p->nload; i++) {
        const int64_t item = (int64_t)tb_dtype_size((tb_dtype)p->load[i].dtype);
        if (p->load[i].base || !has_rows(p->load[i].strides, p->ndim, item)) return false;
        loaded += item;
    }
    return loaded <= 4 * stored && tb__nontemporal_pays(p->size * (loaded + stored), last_of(p, &p->store[0]));
}

/* About what a point takes in loads, stores and scratch; 0 if all is done in the memory of loads and stores. */
static int64_t bytes_per_point(const tb_block *b)
{
    const tb_plan *p = b->plan;
    int64_t bytes = 0, widest = 0;
    for (int i = 0; i < p->nscalar; i++) bytes += b->single[i] ? 0 : (int64_t)tb_dtype_size(p->scalar[i].dtype);
    if (p->ndim <= 1 && bytes == 0 && p->ninstr <= (b->past ? 0 : 1)) return 0;
    for (int i = 0; i < p->nload; i++) bytes += (int64_t)tb_dtype_size((tb_dtype)p->load[i].dtype);
    for (int i = 0; i < p->nstore; i++) bytes += (int64_t)tb_dtype_size((tb_dtype)p->store[i].dtype);
    for (int i = 0; i < p->ninstr; i++) widest = tb__max(widest, (int64_t)tb_dtype_size((tb_dtype)p->instr[i].dtype));
    return bytes + widest * tb__min(p->ninstr - 1, 3);
}

/* Functions of which a point takes many times what an exponential does, by the texts that they call. */
bool tb__cpu_is_slow(const tb_plan *p)
{
    if (p->size <= SLOW_TASK_POINTS) return false;
    const unsigned slow = TB_CALLS(GAMMAINC) | TB_CALLS(BETAINC) | TB_CALLS(STUDENT) | TB_CALLS(LAMBERT) |
                          TB_CALLS(NONCENTRAL) | TB_CALLS(ORDERS) | TB_CALLS(AIRY);
    for (int i = 0; i < p->ninstr; i++)
        if (slow >> tb__op_of(p->instr[i].loop)->text & 1) return true;
    return false;
}

static void choose_boxes(tb_block *b, const tb_plan *p, int nheavy, bool slow)
{
    int order[TB_MAXDIM];
    for (int d = 0; d < p->ndim; d++) order[d] = d;
    tb__block_start(b, p, p->ndim, order);
    b->past = is_past(p, nheavy);
    int cross = p->ndim > 1 && !p->scatters ? crossing_dim(p) : -1;
    if (cross >= 0) {
        int last = p->ndim - 1;
        b->ext[last] = tb__min(p->shape[last], TILE_WIDTH);
        b->ext[cross] = tb__min(p->shape[cross], TILE_POINTS / b->ext[last]);
        return;
    }
    int64_t bytes = bytes_per_point(b), points = LINEAR_POINTS;
    const int64_t most = p->nload + p->ninstr > 0 ? MAX_POINTS : LINEAR_POINTS; /* of a fill, bytes are what counts */
    if (bytes > 0) points = tb__max(MIN_POINTS, tb__min(most, tb__floor_pow2(CACHE_BYTES / bytes + 1)));
    tb__block_fit(b, 0, p->ndim, slow ? tb__min(points, SLOW_TASK_POINTS) : points);
}

static bool map_task(void *arg, int64_t task)
{
    const map_job *j = arg;
    const int64_t first = task * j->boxes;
    return tb__block_walk(&j->block, first, tb__min(first + j->boxes, j->nbox), NULL, NULL);
}

/* ---- one number -------------------------------------------------------------------------------------------------- */

enum { FILL_POINTS = 1 << 16 };

/* Whether one number goes to memory without gaps, which the cache has room for. */
static bool is_fill(const tb_plan *p)
{
    if (p->nload + p->ninstr > 0 || p->nscalar != 1 || p->nstore != 1 || p->scatters || p->ndim > 1) return false;
    const int64_t item = (int64_t)tb_dtype_size((tb_dtype)p->store[0].dtype);
    return p->scalar[0].dtype == (tb_dtype)p->store[0].dtype && (p->ndim == 0 || p->store[0].strides[0] == item) &&
           !is_past(p, 0);
}

static bool fill_task(void *arg, int64_t task)
{
    const tb_plan *p = arg;
    const int64_t from = task * FILL_POINTS, n = tb__min(FILL_POINTS, p->size - from);
    tb__cpu_fill(p->scalar[0], p->store[0].ptr + from * (int64_t)tb_dtype_size((tb_dtype)p->store[0].dtype), n);
    return true;
}

tb_status tb__cpu_map(const tb_plan *p)
{
    map_job j;
    tb_status status;
    int nheavy = 0;
    if (is_fill(p)) return tb__parallel(tb__ceil_div(p->size, FILL_POINTS), fill_task, (void *)p);
    if (p->scatters && tb__cpu_put(p, &status)) return status;
    if (tb__cpu_take(p, &status) || tb__cpu_move_rows(p, &status)) return status;
    for (int i = 0; i < p->ninstr; i++) nheavy += (tb_loop_table[p->instr[i].loop].flags & TB_LOOP_HEAVY) != 0;
    const bool slow = tb__cpu_is_slow(p);
    choose_boxes(&j.block, p, nheavy, slow);
    tb__block_finish(&j.block, TB_BLOCK_NONE, true);
    const int64_t points = slow ? SLOW_TASK_POINTS : nheavy ? HEAVY_TASK_POINTS : TASK_POINTS;
    j.nbox = tb__block_boxes(&j.block, 0, j.block.nd);
    j.boxes = tb__max(tb__ceil_div(points, j.block.points), tb__ceil_div(j.nbox, MAX_TASKS));
    if (p->scatters && tb__cpu_bins(&j.block, j.nbox, &status)) return status;
    /* Points that go to one place take turns. */
    if (p->scatters) j.boxes = j.nbox;
    return tb__parallel(tb__ceil_div(j.nbox, j.boxes), map_task, &j);
}
