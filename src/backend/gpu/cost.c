/* cost.c - what a kernel of its own would save a plan, and when that is worth compiling it.
 *
 * Operations on arrays take as long as their bytes take to and from memory, and a launch takes some time of its own. So
 * the whole saves what steps read and write between them. What a compilation takes follows from the number of
 * operations. Both are right within a factor of two or so, which will do: what is decided by them lies a factor of ten
 * apart. A plan that is met again is compiled in any case. */
#include "backend/gpu/kernel.h"

enum {
    LAUNCH = 2500,          /* ns from one kernel to the next, where these do little */
    CACHE_GAIN = 3,         /* how much faster the cache is than memory */
    COMPILE_MAP = 10000000, /* ns: a kernel without operations */
    COMPILE_REDUCE = 20000000,
    COMPILE_OPERATION = 700000,
    /* How many more runs of a plan are taken for granted: where somebody waits for its kernel, and where not. */
    RUNS_NOW = 64,
    RUNS_SOON = 512,
};

/* Bytes of a plan's operand: along dimensions that it is broadcast in it is read once. */
static double operand_bytes(const tb_plan *p, const int64_t *strides, int dtype)
{
    double n = (double)tb_dtype_size((tb_dtype)dtype);
    for (int d = 0; d < p->ndim; d++)
        if (strides[d]) n *= (double)p->shape[d];
    return n;
}

static double value_bytes(const tb_plan *p, int value)
{
    if (value < p->nload) return operand_bytes(p, p->load[value].strides, p->load[value].dtype);
    if (value < p->nload + p->nscalar) return 0;
    return (double)p->size * (double)tb_dtype_size(tb__plan_dtype(p, value));
}

static double instr_bytes(const tb_plan *p, const tb_instr *instr)
{
    double n = (double)p->size * (double)tb_dtype_size((tb_dtype)instr->dtype);
    for (int k = 0; k < instr->nin; k++)
        if (k == 0 || instr->in[k] != instr->in[k - 1]) n += value_bytes(p, instr->in[k]);
    return n;
}

/* What the first store of an instruction's value, which its step writes itself, does not cost again. */
static bool is_direct(const tb_plan *p, int s)
{
    if (p->kind != TB_PLAN_MAP || p->store[s].value < p->nload + p->nscalar) return false;
    for (int t = 0; t < s; t++)
        if (p->store[t].value == p->store[s].value) return false;
    return true;
}

uint64_t tb__cost_saved(const tb_plan *p, const tb_speed *speed)
{
    double whole = 0, steps = 0, widest = 0;
    int nstep = p->ninstr;
    for (int i = 0; i < p->nload; i++) whole += value_bytes(p, i);
    for (int i = 0; i < p->ninstr; i++) {
        const double wide = (double)p->size * (double)tb_dtype_size((tb_dtype)p->instr[i].dtype);
        steps += instr_bytes(p, &p->instr[i]);
        widest = wide > widest ? wide : widest;
    }
    for (int s = 0; s < p->nstore; s++) {
        const double bytes = operand_bytes(p, p->store[s].strides, p->store[s].dtype);
        whole += bytes;
        if (is_direct(p, s)) continue;
        steps += value_bytes(p, p->store[s].value) + bytes;
        nstep++;
    }
    const double extra = steps > whole ? steps - whole : 0;
    const double rate = speed->bytes_per_ns * (2 * widest <= speed->cache ? CACHE_GAIN : 1);
    return (uint64_t)(extra / rate) + (nstep > 1 ? (uint64_t)(nstep - 1) * LAUNCH : 0);
}

uint64_t tb__cost_compile(const tb_plan *p)
{
    const int base = p->kind == TB_PLAN_MAP ? COMPILE_MAP : COMPILE_REDUCE;
    return (uint64_t)base + (uint64_t)p->ninstr * COMPILE_OPERATION;
}

tb_when tb__cost_when(uint64_t saved, bool before, uint64_t compile)
{
    if (saved * RUNS_NOW >= compile) return TB_NOW;
    return before || saved * RUNS_SOON >= compile ? TB_SOON : TB_LATER;
}
