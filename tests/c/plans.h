/* plans.h - plans made by hand, for tests of the code generator: no graph and no memory behind them. */
#ifndef TB_TESTS_PLANS_H
#define TB_TESTS_PLANS_H
#include "codegen/layout.h"
#include <string.h>

static const tb_chip test_chip = {132, 2048, 49152};

static inline void plan_start(tb_plan *p, tb_plan_kind kind, int ndim, const int64_t *shape)
{
    memset(p, 0, sizeof *p);
    p->kind = kind;
    p->ndim = ndim;
    p->size = p->count = 1;
    for (int d = 0; d < ndim; d++) {
        p->shape[d] = shape[d];
        p->size *= shape[d];
    }
}

/* C order, in the memory at `ptr`. All loads come before all scalars, and these before instructions. */
static inline int plan_load(tb_plan *p, tb_dtype t, const void *ptr)
{
    tb_load *x = &p->load[p->nload];
    int64_t stride = (int64_t)tb_dtype_size(t);
    x->ptr = ptr;
    x->dtype = (uint8_t)t;
    for (int d = p->ndim; d-- > 0; stride *= p->shape[d]) x->strides[d] = stride;
    return p->nload++;
}

/* A base that gathers read from. */
static inline int plan_base(tb_plan *p, tb_dtype t, const void *ptr)
{
    p->load[p->nload].base = true;
    return plan_load(p, t, ptr);
}

static inline int plan_scalar(tb_plan *p, tb_dtype t, double value)
{
    tb_scalar *s = &p->scalar[p->nscalar];
    s->dtype = t;
    if (t >= TB_F16) s->v.f = value;
    else s->v.i = (int64_t)value;
    return p->nload + p->nscalar++;
}

static inline int plan_loop(tb_plan *p, tb_loop loop, int a, int b, int c)
{
    const tb_loop_info *info = &tb_loop_table[loop];
    tb_instr *x = &p->instr[p->ninstr];
    x->loop = loop;
    x->nin = info->nin;
    x->dtype = info->out;
    x->in[0] = (uint16_t)a;
    x->in[1] = (uint16_t)b;
    x->in[2] = (uint16_t)c;
    p->uses_index |= info->flags & TB_LOOP_INDEX;
    return p->nload + p->nscalar + p->ninstr++;
}

/* The loop of the operation of that name, or TB_NOLOOP. */
static inline tb_loop loop_named(const char *op, int nin, const tb_dtype *in)
{
    return tb__loop_find(tb__op_find(op), nin, in);
}

/* The ufunc `op` with inputs of dtype t. */
static inline int plan_op(tb_plan *p, const char *op, tb_dtype t, int a, int b)
{
    const tb_dtype in[2] = {t, t};
    tb_loop loop = loop_named(op, 2, in);
    if (loop == TB_NOLOOP) loop = loop_named(op, 1, in);
    return plan_loop(p, loop, a, b, 0);
}

/* The element of a base at an offset. */
static inline int plan_gather(tb_plan *p, int base, int offset)
{
    const tb_dtype in[2] = {(tb_dtype)p->load[base].dtype, TB_I64};
    return plan_loop(p, tb__loop_find(TB_OP_gather, 2, in), base, offset, 0);
}

/* The offset of index i, an int64, on an axis of length n and stride s, both scalars. */
static inline int plan_place(tb_plan *p, int i, int n, int s)
{
    return plan_loop(p, tb__loop_find(TB_OP_place, 3, (tb_dtype[]){TB_I64, TB_I64, TB_I64}), i, n, s);
}

static inline void plan_store(tb_plan *p, tb_dtype t, int value, void *ptr)
{
    tb_store *y = &p->store[p->nstore++];
    int64_t stride = (int64_t)tb_dtype_size(t);
    y->ptr = ptr;
    y->dtype = (uint8_t)t;
    y->value = (uint16_t)value;
    for (int d = p->ndim; d-- > 0;) {
        if (p->kind == TB_PLAN_REDUCE && p->reduced >> d & 1) continue;
        y->strides[d] = stride;
        stride *= p->shape[d];
    }
}
#endif
