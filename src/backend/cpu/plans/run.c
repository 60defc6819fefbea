/* run.c - a plan to the code for its kind, with a short way for the smallest work: one operation on contiguous
 * arrays. */
#include <string.h>

#include "backend/cpu/plans/block.h"
#include "base/error.h"

enum { SHORT_POINTS = 16384, HEAVY_POINTS = 512, FILLED_BYTES = 16384 };

static bool is_linear(const void *ptr, const int64_t *strides, int ndim, tb_dtype t)
{
    return (ndim == 0 || strides[0] == (int64_t)tb_dtype_size(t)) && tb__elements_are_aligned(ptr, 0, NULL, t);
}

/* The elements of a load, one after the other: where they are, or in `room`, which has FILLED_BYTES. NULL: neither. */
static void *line_up(const tb_plan *p, const tb_load *l, char *room)
{
    const int64_t item = (int64_t)tb_dtype_size((tb_dtype)l->dtype);
    if (is_linear(l->ptr, l->strides, p->ndim, (tb_dtype)l->dtype)) return (void *)(uintptr_t)l->ptr;
    if (p->ndim != 1 || p->size * item > FILLED_BYTES) return NULL;
    tb__cpu_copy((size_t)item, 1, p->shape, room, &item, l->ptr, l->strides, false);
    return room;
}

/* One instruction whose operands are contiguous, or scalars or other vectors of few points. False: not so, nothing was
 * done. */
static bool run_short(const tb_plan *p)
{
    const tb_instr *in = &p->instr[0];
    /* Scalars: for each point, and for loops of numbers. */
    _Alignas(64) char filled[TB_MAXIN][FILLED_BYTES], number[TB_MAXIN][16];
    void *args[TB_MAXARGS];
    const tb_cpu_loop of_numbers = tb__loop_of_numbers(p, in);
    const tb_cpu_loop loop = of_numbers ? of_numbers : tb__cpu_loops()[in->loop];
    bool generates = (tb_loop_table[in->loop].flags & TB_LOOP_INDEX) != 0;
    if (p->store[0].value != p->nload + p->nscalar) return false;
    if (!is_linear(p->store[0].ptr, p->store[0].strides, p->ndim, (tb_dtype)p->store[0].dtype)) return false;
    const bool once = generates || of_numbers;
    if (p->nscalar > (once ? TB_MAXIN : TB_MAXIN - 1) || tb_loop_table[in->loop].flags & TB_LOOP_ADDRESS) return false;
    for (int i = 0; i < p->nscalar && !once; i++)
        if (p->size * (int64_t)tb_dtype_size(p->scalar[i].dtype) > FILLED_BYTES) return false;
    if (p->nload + p->nscalar > TB_MAXIN) return false;
    for (int i = 0; i < in->nin; i++) {
        int v = in->in[i];
        if (v < p->nload) {
            if (!(args[i + 1] = line_up(p, &p->load[v], filled[v]))) return false;
        } else {
            args[i + 1] = once ? number[v - p->nload] : filled[v];
            tb__cpu_fill(p->scalar[v - p->nload], args[i + 1], once ? 1 : p->size);
        }
    }
    args[0] = p->store[0].ptr;
    loop(p->size, args, 0);
    return true;
}

/* No instruction: a copy, or one number everywhere in contiguous memory. */
static bool run_copy(const tb_plan *p)
{
    const tb_store *s = &p->store[0];
    const size_t item = tb_dtype_size((tb_dtype)s->dtype);
    const bool linear = p->ndim <= 1 && is_linear(s->ptr, s->strides, p->ndim, (tb_dtype)s->dtype);
    if (s->value >= p->nload) {
        if (linear) tb__cpu_fill(p->scalar[s->value - p->nload], s->ptr, p->size);
        return linear;
    }
    const tb_load *l = &p->load[s->value];
    if (linear && is_linear(l->ptr, l->strides, p->ndim, (tb_dtype)l->dtype))
        memmove(s->ptr, l->ptr, (size_t)p->size * item);
    else tb__cpu_copy(item, p->ndim, p->shape, s->ptr, s->strides, l->ptr, l->strides, false);
    return true;
}

/* The loop that takes operands as they are given. NULL: none does. */
static tb_cpu_loop loop_of_points(const tb_points *x)
{
    unsigned numbers = 0;
    for (int i = 0; i < x->nin; i++) numbers |= (x->in[i] == NULL) << i;
    if (x->n == 1 || numbers == 0) return tb__cpu_loops()[x->loop];
    if (numbers == (1u << x->nin) - 2) return tb__cpu_loop_by_number(x->loop);
    return x->nin == 2 && numbers == 1 ? tb__cpu_loop_of_number(x->loop) : NULL;
}

bool tb__cpu_run_points(const tb_points *x)
{
    enum { OTHERS = TB_LOOP_INDEX | TB_LOOP_ADDRESS | TB_LOOP_ALWAYS | TB_LOOP_NEVER };
    _Alignas(16) char number[TB_MAXIN][16];
    void *args[TB_MAXARGS] = {x->out};
    const tb_loop_info *info = &tb_loop_table[x->loop];
    if (info->flags & OTHERS || (info->flags & TB_LOOP_HEAVY && x->n > HEAVY_POINTS)) return false;
    const tb_cpu_loop loop = loop_of_points(x);
    if (!loop || !tb__elements_are_aligned(x->out, 0, NULL, (tb_dtype)info->out)) return false;
    for (int i = 0; i < x->nin; i++) {
        if (x->in[i] && !tb__elements_are_aligned(x->in[i], 0, NULL, (tb_dtype)info->in[i])) return false;
        args[i + 1] = x->in[i] ? (void *)(uintptr_t)x->in[i] : number[i];
        if (!x->in[i]) tb__cpu_number(x->number[i], number[i]);
    }
    loop(x->n, args, 0);
    return true;
}

tb_status tb__cpu_run(tb_stream *s, const tb_plan *p)
{
    (void)s;
    switch (p->kind) {
    case TB_PLAN_MAP:
        if (p->ninstr <= 1 && p->nstore == 1 && !p->scatters && p->size <= SHORT_POINTS &&
            (p->ninstr == 1 ? p->ndim <= 1 && !tb__cpu_is_slow(p) && run_short(p) : run_copy(p)))
            return TB_OK;
        return tb__cpu_map(p);
    case TB_PLAN_REDUCE: return tb__cpu_reduce(p);
    case TB_PLAN_SCAN: return tb__cpu_scan(p);
    case TB_PLAN_ROUTINE: break;
    }
    return tb__fail(TB_ERR_INTERNAL, "unknown kind of plan %d", (int)p->kind);
}
