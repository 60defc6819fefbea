/* bins.c - scatters that add integers in places which are few beside what is added: pieces of the work have tables of
 * their own, which are added up. Sums wrap around, so that their order does not matter. */
#include <stdlib.h>

#include "backend/cpu/plans/block.h"
#include "base/error.h"

enum { MOST_TABLES = 16, OFTEN = 4, PIECE_POINTS = 1 << 16, MOST_BYTES = 1 << 26 };

typedef struct bins_job {
    const tb_block *block;
    int64_t nbox, boxes; /* in all, and of a task */
    char *tables;
    size_t bytes; /* of a table */
} bins_job;

/* How many tables: that depends on sizes alone. 1: none, the places themselves will do. */
static int64_t count_tables(const tb_plan *p)
{
    if (p->combine == TB_NOLOOP || p->count < 1 || p->size < 2 * PIECE_POINTS) return 1;
    const tb_update u = tb__plan_update(p);
    const tb_dtype t = (tb_dtype)p->store[0].dtype;
    const double bytes = p->count * (double)tb_dtype_size(t);
    if (tb__update_casts(&u) || tb_dtype_kind(t) != TB_KIND_INT) return 1;
    if (tb__op_of(p->combine)->folds != TB_REDUCE_SUM) return 1; /* sums, or zero less them */
    for (int d = 0; d < p->ndim; d++)
        if (p->store[0].strides[d] != 0) return 1;
    double n = tb__min(MOST_TABLES, p->size / PIECE_POINTS);
    n = tb__min(n, (double)p->size / (OFTEN * p->count));
    n = tb__min(n, MOST_BYTES / bytes);
    return tb__max((int64_t)n, 1);
}

static bool fill_table(void *arg, int64_t task)
{
    const bins_job *j = arg;
    tb_block b = *j->block;
    b.to = j->tables + (size_t)task * j->bytes;
    const int64_t first = task * j->boxes;
    return tb__block_walk(&b, first, tb__min(first + j->boxes, j->nbox), NULL, NULL);
}

bool tb__cpu_bins(const tb_block *b, int64_t nbox, tb_status *status)
{
    const tb_plan *p = b->plan;
    int64_t n = count_tables(p);
    if (n < 2) return false;
    const int64_t places = (int64_t)p->count;
    bins_job j = {b, nbox, tb__ceil_div(nbox, n), .bytes = (size_t)places * tb_dtype_size((tb_dtype)p->store[0].dtype)};
    n = tb__ceil_div(nbox, j.boxes);
    j.tables = calloc((size_t)n, j.bytes);
    if (!j.tables) return false; /* without tables it takes longer */
    *status = tb__parallel(n, fill_table, &j);
    const tb_dtype t = (tb_dtype)p->store[0].dtype;
    const tb_loop add = tb__loop_find(TB_OP_add, 2, (tb_dtype[]){t, t});
    for (int64_t i = 0; *status == TB_OK && i < n; i++)
        b->loops[add](places, (void *[]){p->store[0].ptr, p->store[0].ptr, j.tables + (size_t)i * j.bytes}, 0);
    free(j.tables);
    return true;
}
