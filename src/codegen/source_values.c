/* source_values.c - the part of a source that computes: one function a loop, tb_compute, a reduction's functions. */
#include "codegen/layout.h"
#include <string.h>

const char *const tb__token[TB_NDTYPE] = {
    "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "c64", "c128",
};

static bool seen_before(const tb_plan *p, int n)
{
    for (int k = 0; k < n; k++)
        if (p->instr[k].loop == p->instr[n].loop) return true;
    return false;
}

static void loop_function(tb_loop loop, tb_text *out)
{
    const tb_loop_info *info = &tb_loop_table[loop];
    const char *to = tb__token[info->out];
    tb__text_addf(out, "TB_FN tb_reg_%s op_%s(", to, info->name);
    for (int k = 0; k < info->nin; k++)
        tb__text_addf(out, "%stb_reg_%s %c", k ? ", " : "", tb__token[info->in[k]], 'a' + k);
    if (info->flags & TB_LOOP_INDEX) tb__text_add(out, ", tb_i64 i");
    if (info->expr) tb__text_addf(out, ") { return tb_round_%s(%s); }\n", to, info->expr);
    else tb__text_addf(out, ") { return TB_CAST(%s, %s, a); }\n", tb__token[info->in[0]], to);
}

static void load_values(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype];
        const bool one = l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_SPREAD;
        tb__text_addf(out, "    const tb_reg_%s v%d = tb_load_%s(x.x%d%s);\n", t, k, t, k, one ? "" : ".v[j]");
    }
    for (int k = 0; k < p->nscalar; k++)
        tb__text_addf(out, "    const tb_reg_%s v%d = p.s%d;\n", tb__token[p->scalar[k].dtype], p->nload + k, k);
}

static void instructions(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    if (p->uses_index)
        tb__text_addf(out, "    const tb_i64 i = (tb_i64)(%s);\n",
                      p->kind == TB_PLAN_MAP ? "at.c * TB_V + j"
                      : l->gather            ? "tb_element(p, at, j).point"
                                             : "at.point + j * (tb_idx)p.point_step");
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *x = &p->instr[k];
        const tb_loop_info *info = &tb_loop_table[x->loop];
        const int value = p->nload + p->nscalar + k;
        tb__text_addf(out, "    const tb_reg_%s v%d = op_%s(", tb__token[x->dtype], value, info->name);
        for (int m = 0; m < x->nin; m++) tb__text_addf(out, "%sv%d", m ? ", " : "", x->in[m]);
        tb__text_add(out, info->flags & TB_LOOP_INDEX ? ", i);\n" : ");\n");
    }
}

/* Left alone, the compiler fetches the scalars again for every element. Generators' are better off where they are: what
 * is computed from them is the same for a whole warp. */
static void scalars(const tb_plan *p, tb_text *out)
{
    enum { MOST = 16 }; /* that registers are spent on */
    const bool hold = p->nscalar <= MOST && !p->uses_index;
    tb__text_add(out, "struct tb_scalars {\n");
    for (int k = 0; k < p->nscalar; k++) tb__text_addf(out, "    tb_reg_%s s%d;\n", tb__token[p->scalar[k].dtype], k);
    tb__text_add(out, "};\nTB_FN tb_scalars tb_take_scalars(const tb_params &p)\n{\n    tb_scalars s;\n");
    for (int k = 0; k < p->nscalar; k++) tb__text_addf(out, "    s.s%d = p.s%d;\n", k, k);
    for (int k = 0; k < p->nscalar && hold; k++) tb__text_addf(out, "    tb_hold(s.s%d);\n", k);
    tb__text_add(out, "    return s;\n}\n");
}

static void compute_map(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    scalars(p, out);
    tb__text_add(out, "TB_FN void tb_compute(const tb_scalars &p, const tb_at &at, const tb_chunk &x, int j, "
                      "tb_result &y)\n{\n");
    load_values(p, l, out);
    instructions(p, l, out);
    for (int k = 0; k < p->nstore; k++)
        tb__text_addf(out, "    y.y%d.v[j] = tb_store_%s(v%d);\n", k, tb__token[p->store[k].dtype], p->store[k].value);
    tb__text_add(out, "}\n");
}

static void compute_walk(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const tb_red_info *red = &tb_red_table[p->red];
    const char *in = tb__token[red->in], *to = tb__token[red->out];
    tb__text_addf(out, "TB_FN tb_reg_%s tb_compute(", in);
    tb__text_add(out, "const tb_params &p, const tb_at &at, const tb_chunk &x, int j)\n{\n");
    load_values(p, l, out);
    instructions(p, l, out);
    tb__text_addf(out, "    return v%d;\n}\n", p->store[0].value);
    tb__text_addf(out, "TB_FN tb_acc tb_init() { return (tb_acc)(%s); }\n", red->init);
    tb__text_addf(out, "TB_FN void tb_step(tb_acc &s, tb_reg_%s v, tb_i64 i) { s = (tb_acc)(%s); }\n", in, red->step);
    tb__text_addf(out, "TB_FN void tb_merge(tb_acc &s, tb_acc t) { s = (tb_acc)(%s); }\n", red->merge);
    tb__text_addf(out, "TB_FN tb_%s tb_final(tb_acc s, double n) { return tb_store_%s(%s); }\n", to, to, red->final);
    tb__text_addf(out, "TB_FN tb_%s tb_final(tb_acc s, const tb_params &p) { return tb_final(s, p.count); }\n", to);
}

void tb__source_values(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    for (int k = 0; k < p->ninstr; k++)
        if (!seen_before(p, k)) loop_function(p->instr[k].loop, out);
    if (p->kind == TB_PLAN_MAP) compute_map(p, l, out);
    else compute_walk(p, l, out);
}
