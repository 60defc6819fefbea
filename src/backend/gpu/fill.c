/* fill.c - plans that need no kernel: one number everywhere, where it is a pattern that the driver can set, and few
 * numbers that follow from their positions, which are made here and copied. Either takes less than a launch. */
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/error.h"

enum { LARGEST_ELEMENT = 16, FEW = 2048 /* bytes */ };

/* Whether a plan reads nothing and stores one block of memory. */
static bool fills_block(const tb_plan *p)
{
    if (p->kind != TB_PLAN_MAP || p->nload || p->nstore != 1 || p->scatters || p->ndim > 1) return false;
    return p->ndim == 0 || p->store[0].strides[0] == (int64_t)tb_dtype_size((tb_dtype)p->store[0].dtype);
}

/* The first n elements of such a plan. */
static tb_status make_here(const tb_plan *p, int64_t n, void *to)
{
    tb_plan here;
    tb__plan_start(&here, 1, &n);
    here.size = n;
    here.nscalar = p->nscalar;
    here.ninstr = p->ninstr;
    here.uses_index = p->uses_index;
    here.nstore = 1;
    memcpy(here.scalar, p->scalar, (size_t)p->nscalar * sizeof *p->scalar);
    memcpy(here.instr, p->instr, (size_t)p->ninstr * sizeof *p->instr);
    here.store[0].ptr = to;
    here.store[0].value = p->store[0].value;
    here.store[0].dtype = p->store[0].dtype;
    here.store[0].strides[0] = (int64_t)tb_dtype_size((tb_dtype)p->store[0].dtype);
    return tb__host_run(NULL, &here);
}

/* The bytes after which an element repeats itself: 1, 2 or 4; 0 if it does not. */
static size_t period(const char *item, size_t size)
{
    for (size_t n = 1; n <= 4 && n <= size; n *= 2)
        if (memcmp(item, item + n, size - n) == 0) return n;
    return 0;
}

static tb_status set_pattern(tb_stream *s, const tb_store *to, const char *item, size_t width, size_t bytes)
{
    uint32_t word = 0;
    memcpy(&word, item, width);
    return tb__gpu->set(s, to->ptr, word, width, bytes);
}

/* Whether numbers made here are those of a kernel bit for bit, as all of an expression must be wherever it runs:
 * functions of the host's library are not. */
static bool is_exact(const tb_plan *p)
{
    if (p->ninstr == 0) return false;
    const uint16_t flags = tb_loop_table[p->instr[0].loop].flags;
    if (!(flags & TB_LOOP_INDEX) || flags & TB_LOOP_HEAVY) return false;
    for (int i = 1; i < p->ninstr; i++)
        if (!tb__loop_is_cast(p->instr[i].loop)) return false;
    return true;
}

tb_status tb__gpu_fill(tb_stream *s, const tb_plan *p, bool *done)
{
    *done = false;
    if (!fills_block(p)) return TB_OK;
    const tb_store *to = &p->store[0];
    const size_t size = tb_dtype_size((tb_dtype)to->dtype), bytes = (size_t)p->size * size;
    if (p->ninstr == 0) {
        _Alignas(LARGEST_ELEMENT) char item[LARGEST_ELEMENT];
        TB_TRY(make_here(p, 1, item));
        const size_t width = period(item, size);
        *done = width > 0;
        return *done ? set_pattern(s, to, item, width, bytes) : TB_OK;
    }
    if (bytes > FEW || !is_exact(p) || !tb__gpu->stages(s)) return TB_OK;
    _Alignas(64) char made[FEW];
    *done = true;
    TB_TRY(make_here(p, p->size, made));
    return tb__backend->copy_in(s, to->ptr, made, bytes, false);
}
