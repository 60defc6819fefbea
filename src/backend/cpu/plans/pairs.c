/* pairs.c - distances of pairs of rows. A task makes those from some rows of b, which it lays out side by side
 * (loops/pair_loops.h). Each distance is summed up in the order of the elements, whatever the tasks are. */

#include "backend/cpu/loops/pair_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/arith.h"
#include "base/threads.h"

enum { TILE = TB_PAIRS_TILE };

static bool some_rows(void *arg, int64_t task)
{
    const tb_pairs *p = arg;
    const int64_t first = task * TILE, n = p->n, last = p->k - 1, count = tb__min(TILE, p->k - first);
    const bool wide = p->dtype == TB_F64;
    void *tile = tb__scratch((size_t)tb__max(n, 1) * TILE * (wide ? 8 : 4));
    if (!tile) return false;
    for (int l = 0; l < TILE; l++) { /* the last row for those that are not there */
        const int64_t from = tb__min(first + l, last) * n;
        for (int64_t e = 0; e < n; e++) {
            if (wide) ((double *)tile)[e * TILE + l] = ((const double *)p->b)[from + e];
            else ((float *)tile)[e * TILE + l] = ((const float *)p->b)[from + e];
        }
    }
    const tb_pair_task t = {.a = p->a,
                            .tile = tile,
                            .out = p->out,
                            .n = n,
                            .rows = p->once ? first + count - 1 : p->m,
                            .first = first,
                            .count = count,
                            .columns = p->k,
                            .once = p->once,
                            .p = p->p};
    TB_OF_ISA(&tb__pair_loops_)->loop[p->metric][wide](&t);
    return true;
}

tb_status tb__cpu_pairs(const tb_pairs *p)
{
    tb_pairs some = *p;
    return tb__parallel(tb__ceil_div(p->k, TILE), some_rows, &some);
}
