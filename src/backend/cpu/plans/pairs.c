/* pairs.c - distances of pairs of rows. Many are made by tiles: a task makes those from some rows of b, which it lays
 * out side by side (loops/pair_loops.h). Where one side has few rows and they are long, each pair is gone along by
 * itself. What is done depends on the numbers of rows and elements alone. */

#include "backend/cpu/loops/pair_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/arith.h"
#include "base/threads.h"

enum { TILE = TB_PAIRS_TILE, LANES = TB_PAIRS_LANES, BLOCK = 16, PIECE = 1 << 16 };

typedef struct pairs {
    const tb_pairs *p;
    const void *a, *b; /* m rows, and k that tiles are made of */
    int64_t m, k;
    bool turned; /* a is what is b in *p */
    int64_t each;
} pairs;

static tb_pair_task task_of(const pairs *p)
{
    return (tb_pair_task){.a = p->a,
                          .out = p->p->out,
                          .n = p->p->n,
                          .columns = p->k,
                          .down = p->turned ? 1 : p->k,
                          .across = p->turned ? p->m : 1,
                          .once = p->p->once,
                          .p = p->p->p};
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

/* Rows side by side, the last one for those that are not there; some elements of all at a time, which stay in the
 * cache. */
#define LAY_OUT(T)                                                                         \
    for (int64_t from = 0; from < n; from += BLOCK)                                        \
        for (int l = 0; l < TILE; l++) {                                                   \
            const T *row = (const T *)b + tb__min(first + l, last) * n;                    \
            for (int64_t e = from; e < tb__min(from + BLOCK, n); e++) ((T *)tile)[e * TILE + l] = row[e]; \
        }

static void lay_out(const void *b, int64_t n, int64_t first, int64_t last, bool wide, void *tile)
{
    if (wide) LAY_OUT(double)
    else LAY_OUT(float)
}

static bool some_rows(void *arg, int64_t task)
{
    const pairs *p = arg;
    const int64_t first = task * TILE, n = p->p->n, count = tb__min(TILE, p->k - first);
    const bool wide = p->p->dtype == TB_F64;
    void *tile = tb__scratch((size_t)tb__max(n, 1) * TILE * (wide ? 8 : 4));
    if (!tile) return false;
    lay_out(p->b, n, first, p->k - 1, wide, tile);
    tb_pair_task t = task_of(p);
    t.tile = tile;
    t.rows = t.once ? first + count - 1 : p->m;
    t.first = first;
    t.count = count;
    TB_OF_ISA(&tb__pair_loops_)->of[p->p->metric].tile[wide](&t);
    return true;
}

/* ---- pair by pair ------------------------------------------------------------------------------------------------ */

static bool some_pairs(void *arg, int64_t task)
{
    const pairs *p = arg;
    const int64_t from = task * p->each, to = tb__min(from + p->each, p->m * p->k), n = p->p->n;
    const bool wide = p->p->dtype == TB_F64;
    const tb_pair_task t = task_of(p);
    tb_pair_line *distance = TB_OF_ISA(&tb__pair_loops_)->of[p->p->metric].line[wide];
    for (int64_t pair = from; pair < to; pair++) {
        const int64_t i = pair / p->k, l = pair % p->k, size = wide ? 8 : 4;
        if (t.once && l <= i) continue;
        const double d = distance(&t, (const char *)p->a + i * n * size, (const char *)p->b + l * n * size);
        const int64_t at = t.once ? i * (2 * p->k - i - 1) / 2 + l - i - 1 : pair;
        if (wide) ((double *)t.out)[at] = d;
        else ((float *)t.out)[at] = (float)d;
    }
    return true;
}

/* ---- which way --------------------------------------------------------------------------------------------------- */

/* How long the ways take, in elements of vectors of one operation: one takes as long as four of them to be laid out,
 * and to put the sums of a pair together as four of each. */
enum { LAYING = 4 * TILE, JOINING = 4 * LANES };

static double time_of_tiles(int64_t m, int64_t k, int64_t n)
{
    const double tiles = (double)tb__ceil_div(k, TILE), lanes = (double)tb__ceil_div(k, LANES) * LANES;
    return (LAYING * tiles + (double)m * lanes) * (double)n;
}

static double time_of_pairs(tb_metric metric, int64_t m, int64_t k, int64_t n)
{
    const int64_t sums = metric == TB_METRIC_COSINE ? 3 : 1;
    return (double)m * (double)k * (double)(n + sums * JOINING);
}

tb_status tb__cpu_pairs(const tb_pairs *p)
{
    pairs some = {.p = p, .a = p->a, .b = p->b, .m = p->once ? p->k : p->m, .k = p->k};
    const double once = p->once ? 0.5 : 1, along = once * time_of_pairs(p->metric, some.m, some.k, p->n);
    const double tiles = once * time_of_tiles(some.m, some.k, p->n);
    const double turned = p->once ? tiles : time_of_tiles(p->k, p->m, p->n);
    if (along <= tiles && along <= turned) {
        some.each = tb__max(PIECE / tb__max(p->n, 1), 1);
        return tb__parallel(tb__ceil_div(some.m * some.k, some.each), some_pairs, &some);
    }
    if (turned < tiles) some = (pairs){.p = p, .a = p->b, .b = p->a, .m = p->k, .k = p->m, .turned = true};
    return tb__parallel(tb__ceil_div(some.k, TILE), some_rows, &some);
}
