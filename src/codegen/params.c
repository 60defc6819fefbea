/* params.c - the parameter block. Packing and declaring go through the same fields in the same order; every field
 * starts at a multiple of 8 bytes, so that both sides agree on the layout without knowing each other's rules. */
#include "base/error.h"
#include "codegen/layout.h"
#include <string.h>

/* A reduction's result has no stride along B. */
static int group_dims(const tb_plan *p, const tb_layout *l, int g)
{
    return p->kind == TB_PLAN_REDUCE && l->first[g] >= p->nload ? l->na : l->na + l->nb;
}

static bool needs_point(const tb_plan *p) { return p->uses_index && p->kind != TB_PLAN_MAP; }

/* Numbers of fields that follow the fixed ones, times 8: an upper bound. */
static size_t variable_bytes(const tb_plan *p, const tb_layout *l)
{
    const size_t dims = (size_t)(l->na + l->nb);
    return 8 * (l->noperand + 2 * (size_t)p->nscalar + dims * (2 + (size_t)l->ngroup + (needs_point(p) ? 1 : 0)));
}

static unsigned char *put_u64(unsigned char *to, uint64_t x)
{
    memcpy(to, &x, 8);
    return to + 8;
}

static unsigned char *put_f64(unsigned char *to, double x)
{
    memcpy(to, &x, 8);
    return to + 8;
}

static unsigned char *put_f32(unsigned char *to, double x)
{
    const float f = (float)x;
    memcpy(to, &f, 4);
    return to + 4;
}

static unsigned char *put_scalar(unsigned char *to, const tb_scalar *s)
{
    switch (s->dtype) {
    case TB_F16:
    case TB_BF16:
    case TB_F32: return put_f32(put_f32(to, s->v.f), 0);
    case TB_C64: return put_f32(put_f32(to, s->v.c.re), s->v.c.im);
    case TB_F64: return put_f64(to, s->v.f);
    case TB_C128: return put_f64(put_f64(to, s->v.c.re), s->v.c.im);
    default: return put_u64(to, s->v.u);
    }
}

/* n, then what tb_divide in device/narrow.h multiplies with and shifts by: exact for dividends below 2^31. */
unsigned char *tb__put_divisor(unsigned char *to, int64_t n, bool wide)
{
    if (wide) return put_u64(put_u64(to, (uint64_t)n), 0);
    const uint32_t shift = n <= 1 ? 0 : 32 - (uint32_t)__builtin_clz((uint32_t)n - 1);
    const uint64_t factor = (((((uint64_t)1 << shift) - (uint64_t)n) << 32) / (uint64_t)n) + 1;
    return put_u64(put_u64(to, (uint64_t)n | factor << 32), shift);
}

static unsigned char *put_walk(unsigned char *to, const tb_plan *p, const tb_layout *l, const tb_geometry *g,
                               tb_variant *v)
{
    to = put_u64(to, (uint64_t)l->rows);
    to = put_u64(to, (uint64_t)l->along);
    to = put_u64(to, (uint64_t)g->part);
    to = put_u64(to, (uint64_t)g->parts);
    to = put_f64(to, p->count);
    const bool column = l->form == TB_FORM_COLUMN;
    to = put_u64(to, column ? (uint64_t)p->store[0].strides[l->dim[l->inner]] : 0);
    v->workspace_at = (size_t)(to - v->params);
    to = put_u64(to, 0);
    v->counters_at = (size_t)(to - v->params);
    return put_u64(to, 0);
}

/* Tiles along both dimensions that a tile lies in, and these dimensions' extents. */
static unsigned char *put_tiles(unsigned char *to, const tb_plan *p, const tb_layout *l)
{
    const int64_t height = p->shape[l->dim[l->na - 2]], width = p->shape[l->dim[l->na - 1]];
    to = tb__put_divisor(to, tb__ceil_div(height, TB_TILE * l->vec), l->wide);
    to = tb__put_divisor(to, tb__ceil_div(width, TB_TILE * l->vec), l->wide);
    return put_u64(put_u64(to, (uint64_t)height), (uint64_t)width);
}

/* Panels along a dimension, the extents of a panel's two dimensions, and what a line of one is 2 to the power of. */
static unsigned char *put_panels(unsigned char *to, const tb_plan *p, const tb_layout *l)
{
    const int64_t height = p->shape[l->dim[l->na - 2]], width = p->shape[l->dim[l->na - 1]];
    to = tb__put_divisor(to, tb__ceil_div(width, l->along * l->vec), l->wide);
    to = put_u64(put_u64(to, (uint64_t)height), (uint64_t)width);
    return put_u64(to, (uint64_t)__builtin_ctzll((unsigned long long)l->along));
}

/* Places, and what the number of bins of each is 2 to the power of: so many that a warp's lanes rarely meet. */
static unsigned char *put_bins(unsigned char *to, const tb_plan *p)
{
    const int64_t places = (int64_t)p->count, size = tb__bin_size(p);
    uint64_t log2 = 0;
    while (log2 < 5 && (places << (log2 + 1)) * size <= TB_BIN_BYTES) log2++;
    return put_u64(put_u64(to, (uint64_t)places), log2);
}

static unsigned char *put_point(unsigned char *to, const tb_plan *p, const tb_layout *l)
{
    int64_t strides[TB_MAXDIM], n = 1;
    for (int d = p->ndim; d-- > 0; n *= p->shape[d]) strides[d] = n;
    for (int t = 0; t < l->na + l->nb; t++) to = put_u64(to, (uint64_t)(strides[l->dim[t]] * tb__unit(l, t)));
    return put_u64(to, (uint64_t)(l->na + l->nb ? strides[l->dim[l->inner]] : 0));
}

static unsigned char *put_operands(unsigned char *to, const tb_plan *p)
{
    for (int k = 0; k < p->nload; k++) to = put_u64(to, (uintptr_t)p->load[k].ptr);
    for (int k = 0; k < p->nstore; k++) to = put_u64(to, (uintptr_t)p->store[k].ptr);
    for (int k = 0; k < p->nscalar; k++) to = put_scalar(to, &p->scalar[k]);
    return to;
}

void tb__codegen_refill(const tb_plan *p, unsigned char *operands) { put_operands(operands, p); }

tb_status tb__params_pack(const tb_plan *p, const tb_layout *l, const tb_geometry *g, tb_variant *v)
{
    enum { FIXED = 128 };
    if (FIXED + variable_bytes(p, l) > TB_PARAM_MAX)
        return tb__fail(TB_ERR_INTERNAL, "a kernel of %d arrays, %d scalars and %d dimensions has too many parameters",
                        l->noperand, p->nscalar, p->ndim);
    unsigned char *to = v->params;
    v->workspace_at = v->counters_at = 0;
    if (p->kind == TB_PLAN_MAP) to = put_u64(to, (uint64_t)p->size);
    else to = put_walk(to, p, l, g, v);
    v->operands_at = (size_t)(to - v->params);
    to = put_operands(to, p);
    for (int t = 0; t < l->na + l->nb; t++)
        if (tb__has_divisor(l, t)) to = tb__put_divisor(to, p->shape[l->dim[t]] / tb__unit(l, t), l->wide);
    for (int k = 0; k < l->ngroup; k++) {
        const int64_t *strides = tb__operand_strides(p, l->first[k]);
        for (int t = 0; t < group_dims(p, l, k); t++) to = put_u64(to, (uint64_t)(strides[l->dim[t]] * tb__unit(l, t)));
    }
    if (needs_point(p)) to = put_point(to, p, l);
    if (l->form == TB_FORM_TILE) to = put_tiles(to, p, l);
    if (l->form == TB_FORM_PANEL) to = put_panels(to, p, l);
    if (l->form == TB_FORM_BINS) to = put_bins(to, p);
    else if (tb__adds_narrow(p)) to = put_u64(to, (uint64_t)p->count);
    v->nparam = (size_t)(to - v->params);
    return TB_OK;
}

void tb__params_declare(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "struct tb_params {\n");
    if (p->kind == TB_PLAN_MAP) {
        tb__text_add(out, "    tb_i64 size;\n");
    } else {
        tb__text_add(out, "    tb_i64 rows, along, part, parts;\n    double count;\n    tb_i64 result_step;\n"
                          "    char *workspace;\n    tb_u32 *counters;\n");
    }
    for (int k = 0; k < p->nload; k++) tb__text_addf(out, "    const char *x%d;\n", k);
    for (int k = 0; k < p->nstore; k++) tb__text_addf(out, "    char *y%d;\n", k);
    for (int k = 0; k < p->nscalar; k++)
        tb__text_addf(out, "    alignas(8) tb_reg_%s s%d;\n", tb__token[p->scalar[k].dtype], k);
    for (int t = 0; t < l->na + l->nb; t++)
        if (tb__has_divisor(l, t)) tb__text_addf(out, "    alignas(8) tb_divisor d%d;\n", t);
    for (int k = 0; k < l->ngroup; k++)
        for (int t = 0; t < group_dims(p, l, k); t++) tb__text_addf(out, "    tb_i64 g%d_%d;\n", k, t);
    if (needs_point(p)) {
        for (int t = 0; t < l->na + l->nb; t++) tb__text_addf(out, "    tb_i64 point_%d;\n", t);
        tb__text_add(out, "    tb_i64 point_step;\n");
    }
    if (l->form == TB_FORM_TILE) tb__text_add(out, "    tb_divisor down, across;\n    tb_i64 height, width;\n");
    if (l->form == TB_FORM_PANEL) tb__text_add(out, "    tb_divisor across;\n    tb_i64 height, width, log2;\n");
    if (l->form == TB_FORM_BINS) tb__text_add(out, "    tb_i64 places, log2;\n");
    else if (tb__adds_narrow(p)) tb__text_add(out, "    tb_i64 places;\n");
    tb__text_add(out, "};\n");
}
