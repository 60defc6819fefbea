/* variant.c - a plan made ready for launch: structural key, grid and parameters. Runs at every launch. */
#include "base/hash.h"
#include "codegen/layout.h"
#include <string.h>

/* Everything the source depends on, in as few bytes as that takes. Value numbers fit a byte. */
static int write_key(const tb_plan *p, const tb_layout *l, unsigned char *key)
{
    _Static_assert(TB_PLAN_MAXVALUE <= 256, "value numbers are bytes of the key");
    _Static_assert(33 + 3 * TB_MAXOPERAND + TB_PLAN_MAXSCALAR + (2 + TB_MAXIN) * TB_PLAN_MAXINSTR + TB_PLAN_MAXSTORE <=
                       TB_KEY_MAX,
                   "every plan's key fits");
    unsigned char *to = key;
    *to++ = l->form;
    *to++ = l->vec;
    *to++ = l->unroll;
    *to++ = (unsigned char)(l->wide | l->aligned << 1 | l->split << 2 | p->uses_index << 3 | l->gather << 4 |
                            p->scatters << 5 | l->staged << 6 | tb__counts_few(p) << 7);
    *to++ = l->na;
    *to++ = l->nb;
    *to++ = l->inner;
    *to++ = (unsigned char)p->nload;
    *to++ = (unsigned char)p->nscalar;
    *to++ = (unsigned char)p->ninstr;
    *to++ = (unsigned char)p->nstore;
    if (p->kind != TB_PLAN_MAP) {
        *to++ = l->fan_in;
        *to++ = (unsigned char)(p->red & 255);
        *to++ = (unsigned char)(p->red >> 8);
    }
    for (int k = 0; k < l->noperand; k++) {
        *to++ = (unsigned char)tb__operand_dtype(p, k);
        *to++ = (unsigned char)(l->access[k] | (k < p->nload && p->load[k].base) << 7);
        *to++ = l->group[k];
    }
    for (int k = 0; k < p->nscalar; k++) *to++ = (unsigned char)p->scalar[k].dtype;
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *x = &p->instr[k];
        *to++ = (unsigned char)(x->loop & 255);
        *to++ = (unsigned char)(x->loop >> 8);
        for (int m = 0; m < x->nin; m++) *to++ = (unsigned char)x->in[m];
    }
    for (int k = 0; k < p->nstore; k++) *to++ = (unsigned char)p->store[k].value;
    if (p->scatters) {
        *to++ = (unsigned char)p->where;
        *to++ = (unsigned char)(p->combine & 255);
        *to++ = (unsigned char)(p->combine >> 8);
    }
    return (int)(to - key);
}

static uint64_t hash_key(const unsigned char *key, int n)
{
    uint64_t h = TB_HASH_START, word;
    int at = 0;
    for (; at + 8 <= n; at += 8) {
        memcpy(&word, key + at, 8);
        h = tb__hash_u64(h, word);
    }
    word = (uint64_t)n;
    for (; at < n; at++) word = word << 8 | key[at];
    h = tb__hash_u64(h, word);
    return h ^ h >> 32;
}

tb_status tb__codegen_variant(const tb_plan *p, const tb_chip *chip, tb_variant *v)
{
    tb_layout l;
    tb_geometry g;
    if (p->kind == TB_PLAN_ROUTINE) {
        tb__routine_variant(p->routine, v);
        return TB_OK;
    }
    tb__layout(p, chip, &l);
    tb__geometry(p, chip, &l, &g);
    const tb_status status = tb__params_pack(p, &l, &g, v);
    if (status != TB_OK) return status;
    v->keylen = write_key(p, &l, v->key);
    v->hash = hash_key(v->key, v->keylen);
    v->workspace = g.workspace;
    v->clear = g.clear;
    v->together = false;
    v->counters = g.counters;
    memcpy(v->grid, g.grid, sizeof v->grid);
    memcpy(v->block, g.block, sizeof v->block);
    return TB_OK;
}
