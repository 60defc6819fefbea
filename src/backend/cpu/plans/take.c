/* take.c - the plainest gather and scatter: elements of a vector at the int64 indices of another, a few hundred at a
 * time. */
#include <string.h>

#include "backend/cpu/loops/take_loops.h"
#include "backend/cpu/plans/block.h"

enum { RUN = 256, TASK_POINTS = 32768 };

typedef struct take_job {
    const tb_instr *gather;
    tb_cpu_loop place; /* by the numbers below */
    const char *base, *index;
    char *to;
    int64_t n, length, stride, item;
    tb_take_loop *loop; /* for indices in range; NULL: elements do not follow one another */
} take_job;

static bool take_task(void *arg, int64_t task)
{
    const take_job *j = arg;
    const tb_cpu_loop gather = tb__cpu_loops()[j->gather->loop];
    int64_t where[RUN];
    const int64_t first = task * TASK_POINTS, end = tb__min(first + TASK_POINTS, j->n);
    for (int64_t at = first; at < end; at += RUN) {
        const int64_t n = tb__min(RUN, end - at);
        const int64_t *index = (const int64_t *)(const void *)j->index + at;
        if (j->loop && j->loop(n, index, j->length, j->base, j->to + at * j->item)) continue;
        j->place(
            n,
            (void *[]){where, (void *)(uintptr_t)index, (void *)(uintptr_t)&j->length, (void *)(uintptr_t)&j->stride},
            0);
        gather(n, (void *[]){j->to + at * j->item, (void *)(uintptr_t)j->base, where}, 0);
    }
    return true;
}

/* Whether the plan is: place an index, gather, store. */
static bool find_take(const tb_plan *p, take_job *j)
{
    if (p->scatters || p->ndim > 1 || p->nstore != 1) return false;
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
    if (p->ndim == 1 &&
        (base->strides[0] != 0 || index->strides[0] != (int64_t)sizeof(int64_t) || p->store[0].strides[0] != j->item))
        return false;
    j->base = base->ptr;
    j->index = index->ptr;
    j->to = p->store[0].ptr;
    j->n = p->size;
    j->length = p->scalar[place->in[1] - p->nload].v.i;
    j->stride = p->scalar[place->in[2] - p->nload].v.i;
    j->loop = j->stride == j->item ? TB_OF_ISA(tb__take_loops_)[__builtin_ctzll((uint64_t)j->item)] : NULL;
    return j->place && tb__elements_are_aligned(index->ptr, 0, NULL, TB_I64) &&
           tb__elements_are_aligned(p->store[0].ptr, 0, NULL, (tb_dtype)p->store[0].dtype);
}

bool tb__cpu_take(const tb_plan *p, tb_status *status)
{
    take_job j;
    if (!find_take(p, &j)) return false;
    *status = tb__parallel(tb__ceil_div(j.n, TASK_POINTS), take_task, &j);
    return true;
}

/* ---- scatter ---------------------------------------------------------------------------------------------------- */

/* Whether the plan is: place an index, store the element of another vector there. */
static bool is_put(const tb_plan *p, int64_t item)
{
    if (!p->scatters || p->combine != TB_NOLOOP || p->ndim > 1 || p->nstore != 1) return false;
    if (p->nload != 2 || p->nscalar != 2 || p->ninstr != 1 || p->where != p->nload + p->nscalar) return false;
    const tb_instr *place = &p->instr[0];
    const uint16_t value = p->store[0].value;
    if (tb_loop_table[place->loop].op != TB_OP_place || value >= p->nload || value == place->in[0]) return false;
    if (place->in[0] >= p->nload || place->in[1] < p->nload || place->in[2] < p->nload) return false;
    const tb_load *index = &p->load[place->in[0]], *from = &p->load[value];
    if (p->scalar[place->in[2] - p->nload].v.i != item || from->dtype != p->store[0].dtype) return false;
    if (p->ndim == 1 &&
        (p->store[0].strides[0] != 0 || index->strides[0] != (int64_t)sizeof(int64_t) || from->strides[0] != item))
        return false;
    return tb__elements_are_aligned(index->ptr, 0, NULL, TB_I64);
}

/* By one thread: of several elements for one place the last stays. */
bool tb__cpu_put(const tb_plan *p)
{
    const int64_t item = (int64_t)tb_dtype_size((tb_dtype)p->store[0].dtype);
    if (!is_put(p, item)) return false;
    const tb_instr *place = &p->instr[0];
    const tb_cpu_loop place_loop = tb__cpu_loop_by_number(place->loop);
    tb_put_loop *put = TB_OF_ISA(tb__put_loops_)[__builtin_ctzll((uint64_t)item)];
    if (!place_loop) return false;
    const char *index = p->load[place->in[0]].ptr, *from = p->load[p->store[0].value].ptr;
    const int64_t length = p->scalar[place->in[1] - p->nload].v.i;
    int64_t where[RUN];
    for (int64_t at = 0; at < p->size; at += RUN) {
        const int64_t n = tb__min(RUN, p->size - at);
        const int64_t *some = (const int64_t *)(const void *)index + at;
        char *to = p->store[0].ptr;
        if (put(n, some, length, to, from + at * item)) continue;
        place_loop(n, (void *[]){where, (void *)(uintptr_t)some, (void *)(uintptr_t)&length, (void *)(uintptr_t)&item},
                   0);
        for (int64_t k = 0; k < n; k++) memcpy(to + where[k], from + (at + k) * item, (size_t)item);
    }
    return true;
}
