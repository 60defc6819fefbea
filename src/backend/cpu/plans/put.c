/* put.c - the plainest scatter: a number, or the elements of one vector, to int64 places of another, a few hundred at a
 * time; or in rows, each to a vector of its own. Of several for one place the last stays. */
#include <string.h>

#include "backend/cpu/loops/take_loops.h"
#include "backend/cpu/plans/block.h"
#include "backend/cpu/plans/rows.h"

enum { RUN = 256, TASK_POINTS = 32768, FEW = 16, MOST_BYTES = 16 };

typedef struct put_job {
    const tb_plan *plan;
    tb_cpu_loop place;
    tb_put_loop *put;
    const tb_load *index, *from; /* from NULL: the number */
    int64_t row, length, item;   /* row: points of one */
    _Alignas(MOST_BYTES) char number[RUN * MOST_BYTES];
} put_job;

/* Operands: where a row goes, its indices, and its elements, unless they are the number. */
static tb_rows find_row(const put_job *j, int64_t row)
{
    tb_rows r = {.plan = j->plan};
    tb__rows_add(&r, j->plan->store[0].ptr, j->plan->store[0].strides);
    tb__rows_add(&r, j->index->ptr, j->index->strides);
    if (j->from) tb__rows_add(&r, j->from->ptr, j->from->strides);
    tb__rows_find(&r, row);
    return r;
}

/* Offsets of n indices, which may be out of range. */
static void find_places(const put_job *j, const char *index, int64_t n, int64_t *where)
{
    j->place(n, (void *[]){where, (void *)(uintptr_t)index, (void *)(uintptr_t)&j->length, (void *)(uintptr_t)&j->item},
             0);
}

static void put_row(const put_job *j, const tb_rows *r)
{
    int64_t where[RUN];
    for (int64_t at = 0; at < j->row; at += RUN) {
        const int64_t n = tb__min(RUN, j->row - at);
        const char *index = r->at[1] + at * (int64_t)sizeof(int64_t),
                   *from = j->from ? r->at[2] + at * j->item : j->number;
        if (j->put(n, (const int64_t *)(const void *)index, j->length, r->at[0], from)) continue;
        find_places(j, index, n, where);
        for (int64_t k = 0; k < n; k++) memcpy(r->at[0] + where[k], from + k * j->item, (size_t)j->item);
    }
}

static bool rows_task(void *arg, int64_t task)
{
    const put_job *j = arg;
    const int64_t step = tb__max(TASK_POINTS / j->row, 1), rows = j->plan->size / j->row;
    tb_rows r = find_row(j, task * step);
    for (int64_t at = task * step; at < tb__min((task + 1) * step, rows); at++) {
        put_row(j, &r);
        tb__rows_next(&r);
    }
    return true;
}

/* Rows of few points at indices that are the same in all of them. */
static bool columns_task(void *arg, int64_t task)
{
    const put_job *j = arg;
    const int d = j->plan->ndim - 2;
    const int64_t rows = j->plan->size / j->row, step = TASK_POINTS / j->row, end = tb__min((task + 1) * step, rows);
    tb_put_columns_loop *columns = TB_OF_ISA(tb__put_columns_loops_)[__builtin_ctzll((uint64_t)j->item)];
    int64_t where[FEW];
    tb_rows r = find_row(j, task * step);
    find_places(j, j->index->ptr, j->row, where);
    for (int64_t at = task * step, n; at < end; at += n) {
        n = tb__min(tb__rows_left(&r), end - at);
        columns(n, j->row, where, r.at[0], j->plan->store[0].strides[d], j->from ? r.at[2] : j->number,
                j->from ? j->from->strides[d] : 0);
        tb__rows_skip(&r, n);
    }
    return true;
}

/* Whether the plan is: place an index, store the element of another vector, or a number, there. */
static bool find_put(const tb_plan *p, put_job *j)
{
    if (!p->scatters || p->combine != TB_NOLOOP || p->nstore != 1 || p->ninstr != 1) return false;
    if (p->nload > 2 || p->nload + p->nscalar != 4 || p->where != 4) return false;
    const tb_instr *place = &p->instr[0];
    const int value = p->store[0].value, last = p->ndim - 1;
    const tb_dtype t = (tb_dtype)p->store[0].dtype;
    if (tb_loop_table[place->loop].op != TB_OP_place || value > 3 || value == place->in[0]) return false;
    if (place->in[0] >= p->nload || place->in[1] < p->nload || place->in[2] < p->nload) return false;
    j->plan = p;
    j->place = tb__cpu_loop_by_number(place->loop);
    j->item = (int64_t)tb_dtype_size(t);
    j->index = &p->load[place->in[0]];
    j->from = value < p->nload ? &p->load[value] : NULL;
    j->row = p->ndim > 0 ? p->shape[last] : 1;
    j->length = p->scalar[place->in[1] - p->nload].v.i;
    if (!j->place || j->item > MOST_BYTES || p->scalar[place->in[2] - p->nload].v.i != j->item) return false;
    if (j->from ? j->from->dtype != t : p->scalar[value - p->nload].dtype != t) return false;
    if (p->ndim > 0 && (p->store[0].strides[last] != 0 || j->index->strides[last] != (int64_t)sizeof(int64_t)))
        return false;
    if (p->ndim > 0 && j->from && j->from->strides[last] != j->item) return false;
    j->put = TB_OF_ISA(tb__put_loops_)[__builtin_ctzll((uint64_t)j->item)];
    return tb__elements_are_aligned(j->index->ptr, p->ndim, j->index->strides, TB_I64);
}

static bool has_few_columns(const put_job *j)
{
    if (j->plan->ndim < 2 || j->row > FEW) return false;
    for (int d = 0; d < j->plan->ndim - 1; d++)
        if (j->index->strides[d] != 0) return false;
    return true;
}

/* Rows of an array that lies in order have no memory in common, unless several are of one index array. */
static bool are_apart(const tb_plan *p)
{
    for (int d = 0; d < p->ndim - 1; d++)
        if (p->store[0].strides[d] == 0) return false;
    return p->count > 0;
}

bool tb__cpu_put(const tb_plan *p, tb_status *status)
{
    put_job j;
    if (!find_put(p, &j)) return false;
    *status = TB_OK;
    if (!j.from) tb__cpu_fill(p->scalar[p->store[0].value - p->nload], j.number, tb__min(RUN, j.row));
    const bool few = has_few_columns(&j);
    const int64_t step = tb__max(TASK_POINTS / j.row, 1), tasks = tb__ceil_div(p->size / j.row, step);
    bool (*task)(void *, int64_t) = few ? columns_task : rows_task;
    if (are_apart(p)) *status = tb__parallel(tasks, task, &j);
    else
        for (int64_t k = 0; k < tasks; k++) task(&j, k);
    return true;
}
