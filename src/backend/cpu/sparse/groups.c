/* groups.c - elements put in order of their rows with their values, on all threads: those whose rows ascend already
 * stay as they are, others are counted row by row in each part of them, then put where the counts say. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum {
    TASK = 1 << 15,       /* rows and elements of a task, about */
    MOST_TABLES = 1 << 3, /* into which a grouping counts */
};

#define LOOPS "backend/cpu/sparse/group_loops.h"
#include "backend/cpu/sparse/move_forms.h"

typedef struct group_loops {
    bool (*place)(const tb_sparse_grouping *g, int64_t from, int64_t to, void *table);
    void (*place_rows)(const tb_sparse_grouping *g, int64_t from, int64_t to, void *table);
    bool (*sort_rows)(const tb_sparse_grouping *g, const tb_index_loops *l, int64_t from, int64_t to);
} group_loops;

#define OF(size, width) {place_##size##_##width, place_rows_##size##_##width, sort_rows_##size##_##width}
static const group_loops loops[2][5] = {
    {OF(1, 32), OF(2, 32), OF(4, 32), OF(8, 32), OF(16, 32)},
    {OF(1, 64), OF(2, 64), OF(4, 64), OF(8, 64), OF(16, 64)},
};

typedef struct grouping {
    const tb_index_loops *l;
    const group_loops *loops;
    const tb_sparse_grouping *g;
    tb_sparse_pattern made;
    int64_t parts;
    char *tables;
    bool outside;  /* some row or column is; any task may say so */
    bool disorder; /* of rows */
} grouping;

static char *table_of(const grouping *j, int64_t part) { return j->tables + (size_t)(part * j->g->rows) * j->l->size; }

/* Where a part begins: an element, or of a pattern a row. */
static int64_t part_at(const grouping *j, int64_t i)
{
    return j->g->p ? tb__sparse_part(j->g->p, j->parts, i) : j->g->n * i / j->parts;
}

static void note_outside(grouping *j) { __atomic_store_n(&j->outside, true, __ATOMIC_RELAXED); }

static bool count_part(void *arg, int64_t i)
{
    grouping *j = arg;
    const tb_sparse_grouping *g = j->g;
    int64_t from = part_at(j, i), to = part_at(j, i + 1);
    if (g->p) from = j->l->at(g->p->start, from), to = j->l->at(g->p->start, to);
    memset(table_of(j, i), 0, (size_t)g->rows * j->l->size);
    if (!j->l->count(g->p ? g->p->index : g->row, g->rows, from, to, table_of(j, i))) note_outside(j);
    return true;
}

static bool place_part(void *arg, int64_t i)
{
    grouping *j = arg;
    const int64_t from = part_at(j, i), to = part_at(j, i + 1);
    if (j->g->p) j->loops->place_rows(j->g, from, to, table_of(j, i));
    else if (!j->loops->place(j->g, from, to, table_of(j, i))) note_outside(j);
    return true;
}

static bool sort_part(void *arg, int64_t i)
{
    const grouping *j = arg;
    const int64_t from = tb__sparse_part(&j->made, j->parts, i), to = tb__sparse_part(&j->made, j->parts, i + 1);
    if (j->l->check(&j->made, j->g->n, from, to) & TB_SPARSE_SORTED) return true;
    return j->loops->sort_rows(j->g, j->l, from, to);
}

static bool take_part(void *arg, int64_t i)
{
    grouping *j = arg;
    const tb_sparse_grouping *g = j->g;
    const int64_t from = part_at(j, i), to = part_at(j, i + 1);
    const size_t first = (size_t)from * g->item;
    if (!j->l->in_order(g, from, to)) __atomic_store_n(&j->disorder, true, __ATOMIC_RELAXED);
    else memcpy((char *)g->moved + first, (const char *)g->values + first, (size_t)(to - from) * g->item);
    return true;
}

/* Elements whose rows ascend stay in their order. */
static tb_status take_in_order(grouping *j)
{
    memset(j->g->start, 0, (size_t)(j->g->rows + 1) * j->l->size);
    TB_TRY(tb__parallel(j->parts, take_part, j));
    if (!j->disorder) j->l->fill_ends(j->g->rows, j->g->start);
    return TB_OK;
}

static tb_status check_inside(const grouping *j)
{
    if (!j->outside) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "indices of a sparse matrix are out of range: they have been overwritten");
}

static tb_status count_and_place_by(grouping *j)
{
    TB_TRY(tb__parallel(j->parts, count_part, j));
    TB_TRY(check_inside(j));
    j->l->begin(j->parts, j->g->rows, j->tables, j->g->start);
    TB_TRY(tb__parallel(j->parts, place_part, j));
    return check_inside(j);
}

static tb_status count_and_place(grouping *j)
{
    const size_t bytes = (size_t)(j->parts * tb__max(j->g->rows, 1)) * j->l->size;
    j->tables = malloc(bytes);
    if (!j->tables) return tb__fail_memory(bytes, 0, 0, 0);
    const tb_status status = count_and_place_by(j);
    free(j->tables);
    return status;
}

tb_status tb__cpu_sparse_group_values(const tb_sparse_grouping *g)
{
    int k = 0;
    while ((size_t)1 << k < g->item) k++;
    grouping j = {.l = tb__index_loops(g->wide), .loops = &loops[g->wide][k], .g = g};
    j.parts = tb__min(tb__min(g->n / tb__max(g->rows, TASK) + 1, tb__threads()), MOST_TABLES);
    j.disorder = g->p != NULL;
    if (!g->p) TB_TRY(take_in_order(&j));
    if (j.disorder) TB_TRY(count_and_place(&j));
    if (g->p) return TB_OK;
    j.made = (tb_sparse_pattern){g->rows, g->cols, g->wide, g->start, g->index};
    j.parts = tb__sparse_parts(&j.made, TASK);
    return tb__parallel(j.parts, sort_part, &j);
}
