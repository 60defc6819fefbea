/* outline.c - what of a plan decides its variant: all but numbers and addresses, of which alignment matters, and
 * whether stores lie side by side. Runs at every launch. */
#include "codegen/layout.h"

#include <string.h>

#include "base/hash.h"

/* Of an address, what layout.c looks at. */
static uint64_t alignment(const void *p) { return (uintptr_t)p & 15; }

static int count_words(const tb_plan *p)
{
    const int noperand = p->nload + p->nstore;
    return 5 + p->ndim + noperand * (1 + p->ndim) + (p->nscalar + 7) / 8 + p->ninstr;
}

static uint64_t *put_strides(uint64_t *to, const tb_plan *p, const int64_t *strides)
{
    memcpy(to, strides, (size_t)p->ndim * sizeof *to);
    return to + p->ndim;
}

static uint64_t *put_operands(uint64_t *to, const tb_plan *p)
{
    for (int k = 0; k < p->nload; k++) {
        const tb_load *l = &p->load[k];
        *to++ = alignment(l->ptr) | (uint64_t)l->dtype << 8 | (uint64_t)l->base << 16;
        to = put_strides(to, p, l->strides);
    }
    for (int k = 0; k < p->nstore; k++) {
        const tb_store *s = &p->store[k];
        *to++ = alignment(s->ptr) | (uint64_t)s->dtype << 8 | (uint64_t)s->value << 16;
        to = put_strides(to, p, s->strides);
    }
    return to;
}

static uint64_t *put_values(uint64_t *to, const tb_plan *p)
{
    for (int k = 0; k < p->nscalar; k += 8) {
        uint64_t word = 0;
        for (int m = k; m < p->nscalar && m < k + 8; m++) word = word << 8 | (uint64_t)p->scalar[m].dtype;
        *to++ = word;
    }
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *x = &p->instr[k];
        uint64_t word = (uint64_t)x->loop;
        for (int m = 0; m < x->nin; m++) word |= (uint64_t)x->in[m] << (16 + 8 * m);
        *to++ = word;
    }
    return to;
}

/* What only reductions, scans and scatters have. */
static uint64_t *put_kind(uint64_t *to, const tb_plan *p)
{
    *to++ = (uint64_t)p->red | (uint64_t)p->reduced << 32;
    *to++ = (uint64_t)p->axis | (uint64_t)p->where << 16 | (uint64_t)p->combine << 32;
    memcpy(to++, &p->count, sizeof p->count);
    return to;
}

static uint64_t head(const tb_plan *p)
{
    return (uint64_t)p->kind | (uint64_t)p->nload << 8 | (uint64_t)p->nscalar << 16 | (uint64_t)p->ninstr << 24 |
           (uint64_t)p->nstore << 32 | (uint64_t)p->uses_index << 40 | (uint64_t)p->scatters << 41;
}

static uint64_t hash_words(const uint64_t *word, size_t n)
{
    uint64_t h = TB_HASH_START;
    for (size_t k = 0; k < n; k++) h = tb__hash_u64(h, word[k]);
    return h ^ h >> 32;
}

uint64_t tb__codegen_structure(const tb_plan *p)
{
    uint64_t word[4 + TB_PLAN_MAXLOAD + TB_PLAN_MAXSTORE + TB_PLAN_MAXSCALAR / 8 + TB_PLAN_MAXINSTR], *to = word;
    *to++ = head(p);
    if (p->kind != TB_PLAN_MAP) *to++ = (uint64_t)p->red;
    if (p->scatters) *to++ = (uint64_t)p->where << 16 | (uint64_t)p->combine << 32;
    for (int k = 0; k < p->nload; k++) *to++ = (uint64_t)p->load[k].dtype | (uint64_t)p->load[k].base << 8;
    for (int k = 0; k < p->nstore; k++) *to++ = (uint64_t)p->store[k].dtype | (uint64_t)p->store[k].value << 8;
    to = put_values(to, p);
    return hash_words(word, (size_t)(to - word));
}

bool tb__codegen_outline(const tb_plan *p, tb_outline *out)
{
    _Static_assert(sizeof(tb_loop) <= 2 && TB_PLAN_MAXVALUE <= 256 && TB_MAXIN <= 6, "an instruction is one word");
    uint64_t *to = out->word;
    if (p->kind == TB_PLAN_ROUTINE || count_words(p) > TB_OUTLINE_MAX) return false;
    *to++ = head(p) | (uint64_t)p->ndim << 48 | (uint64_t)tb__interleaves(p) << 56;
    to = put_strides(to, p, p->shape);
    if (p->kind != TB_PLAN_MAP || p->scatters) to = put_kind(to, p);
    to = put_values(put_operands(to, p), p);
    out->n = (int)(to - out->word);
    out->hash = hash_words(out->word, (size_t)out->n);
    return true;
}
