/* take.c - the plainest gather: elements of a vector at the int64 indices of another, a few hundred at a time; or in
 * rows, each of a vector of its own, as along a last axis. */
#include <string.h>

#include "backend/cpu/loops/take_loops.h"
#include "backend/cpu/plans/block.h"
#include "backend/cpu/plans/rows.h"

enum { RUN = 256, TASK_POINTS = 32768, FEW = 16 };

typedef struct take_job {
    const tb_plan *plan;
    const tb_instr *gather;
    tb_cpu_loop place; /* by the numbers below */
    const tb_load *base, *index;
    char *to;
    int64_t row, length, stride, item; /* row: points of one, which follow one another among all of them */
    tb_take_loop *loop;                /* for indices in range; NULL: elements do not follow one another */
} take_job;

/* n points of a row from `at` on, whose vector is at `base`. */
static void take_some(const take_job *j, tb_cpu_loop gather, const char *base, const char *indices, int64_t at,
                      int64_t n)
{
    int64_t where[RUN];
    const int64_t *index = (const int64_t *)(const void *)indices;
    char *to = j->to + at * j->item;
    if (j->loop && j->loop(n, index, j->length, base, to)) return;
    j->place(n,
             (void *[]){where, (void *)(uintptr_t)index, (void *)(uintptr_t)&j->length, (void *)(uintptr_t)&j->stride},
             0);
    gather(n, (void *[]){to, (void *)(uintptr_t)base, where}, 0);
}

/* Operands 0 and 1: a row's vector and its indices. */
static tb_rows find_row(const take_job *j, int64_t row)
{
    tb_rows r = {.plan = j->plan};
    tb__rows_add(&r, j->base->ptr, j->base->strides);
    tb__rows_add(&r, j->index->ptr, j->index->strides);
    tb__rows_find(&r, row);
    return r;
}

/* Rows of few points at indices that are the same in all of them. */
static bool columns_task(void *arg, int64_t task)
{
    const take_job *j = arg;
    const int64_t stride = j->base->strides[j->plan->ndim - 2];
    const int64_t rows = j->plan->size / j->row, step = TASK_POINTS / j->row, end = tb__min((task + 1) * step, rows);
    tb_columns_loop *columns = TB_OF_ISA(tb__columns_loops_)[__builtin_ctzll((uint64_t)j->item)];
    int64_t where[FEW];
    tb_rows r = find_row(j, task * step);
    j->place(j->row,
             (void *[]){where, (void *)(uintptr_t)j->index->ptr, (void *)(uintptr_t)&j->length,
                        (void *)(uintptr_t)&j->stride},
             0);
    for (int64_t at = task * step, n; at < end; at += n) {
        n = tb__min(tb__rows_left(&r), end - at);
        columns(n, j->row, where, r.at[0], stride, j->to + at * j->row * j->item);
        tb__rows_skip(&r, n);
    }
    return true;
}

static bool take_task(void *arg, int64_t task)
{
    const take_job *j = arg;
    const tb_cpu_loop gather = tb__cpu_loops()[j->gather->loop];
    int64_t at = task * TASK_POINTS, in_row = at % j->row;
    const int64_t end = tb__min(at + TASK_POINTS, j->plan->size);
    tb_rows r = find_row(j, at / j->row);
    while (at < end) {
        const int64_t n = tb__min(tb__min(RUN, end - at), j->row - in_row);
        take_some(j, gather, r.at[0], r.at[1] + in_row * (int64_t)sizeof(int64_t), at, n);
        at += n;
        in_row += n;
        if (in_row < j->row) continue;
        tb__rows_next(&r);
        in_row = 0;
    }
    return true;
}

/* Whether elements lie in the order of the points, none left out. */
static bool is_in_order(const tb_plan *p, const int64_t *strides, int64_t item)
{
    for (int d = p->ndim - 1; d >= 0; d--) {
        if (strides[d] != item) return false;
        item *= p->shape[d];
    }
    return true;
}

/* Whether the plan is: place an index, gather, store. */
static bool find_take(const tb_plan *p, take_job *j)
{
    if (p->scatters || p->nstore != 1) return false;
    if (p->nload != 2 || p->nscalar != 2 || p->ninstr != 2) return false;
    const tb_instr *place = &p->instr[0], *gather = &p->instr[1];
    if (!(tb_loop_table[gather->loop].flags & TB_LOOP_ADDRESS) || tb_loop_table[place->loop].op != TB_OP_place)
        return false;
    const int first = p->nload + p->nscalar;
    if (gather->in[1] != first || p->store[0].value != first + 1) return false;
    if (place->in[0] >= p->nload || place->in[1] < p->nload || place->in[2] < p->nload) return false;
    const tb_load *base = &p->load[gather->in[0]], *index = &p->load[place->in[0]];
    j->place = tb__cpu_loop_by_number(place->loop);
    j->gather = gather;
    j->item = (int64_t)tb_dtype_size((tb_dtype)gather->dtype);
    const int last = p->ndim - 1;
    if (p->ndim > 0 && (base->strides[last] != 0 || index->strides[last] != (int64_t)sizeof(int64_t))) return false;
    if (!is_in_order(p, p->store[0].strides, j->item)) return false;
    j->plan = p;
    j->base = base;
    j->index = index;
    j->to = p->store[0].ptr;
    j->row = p->ndim > 0 ? p->shape[p->ndim - 1] : 1;
    j->length = p->scalar[place->in[1] - p->nload].v.i;
    j->stride = p->scalar[place->in[2] - p->nload].v.i;
    j->loop = j->stride == j->item ? TB_OF_ISA(tb__take_loops_)[__builtin_ctzll((uint64_t)j->item)] : NULL;
    return j->place && tb__elements_are_aligned(index->ptr, p->ndim, index->strides, TB_I64) &&
           tb__elements_are_aligned(p->store[0].ptr, 0, NULL, (tb_dtype)p->store[0].dtype);
}

static bool has_few_columns(const take_job *j)
{
    const tb_plan *p = j->plan;
    if (p->ndim < 2 || j->row > FEW || j->item > 16) return false;
    for (int d = 0; d < p->ndim - 1; d++)
        if (j->index->strides[d] != 0) return false;
    return true;
}

bool tb__cpu_take(const tb_plan *p, tb_status *status)
{
    take_job j;
    if (!find_take(p, &j)) return false;
    if (has_few_columns(&j))
        *status = tb__parallel(tb__ceil_div(p->size / j.row, TASK_POINTS / j.row), columns_task, &j);
    else *status = tb__parallel(tb__ceil_div(p->size, TASK_POINTS), take_task, &j);
    return true;
}
