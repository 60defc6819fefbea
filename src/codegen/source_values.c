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

/* Loops that have a quick form: the functions of quick.h end so. */
static const char *quick_form(tb_loop loop)
{
    static const struct {
        const char *loop, *form;
    } quick[] = {{"divide_f32_f32_f32", "divide"}, {"reciprocal_f32_f32", "reciprocal"}};
    for (size_t k = 0; k < sizeof quick / sizeof *quick; k++)
        if (strcmp(tb_loop_table[loop].name, quick[k].loop) == 0) return quick[k].form;
    return NULL;
}

bool tb__is_quick(const tb_plan *p)
{
    enum { WORTH_IT = 2 };
    int n = 0;
    for (int k = 0; k < p->ninstr; k++) n += quick_form(p->instr[k].loop) != NULL;
    return n >= WORTH_IT;
}

static void arguments(const tb_instr *x, tb_text *out)
{
    for (int m = 0; m < x->nin; m++) tb__text_addf(out, "%sv%d", m ? ", " : "", x->in[m]);
}

/* `quick`: by the quick forms, where there are any; `rare` tells whether their operands were. */
static void instructions(const tb_plan *p, const tb_layout *l, bool quick, tb_text *out)
{
    if (p->uses_index)
        tb__text_addf(out, "    const tb_i64 i = (tb_i64)(%s);\n",
                      p->kind == TB_PLAN_MAP ? "at.c * TB_V + j"
                      : l->gather            ? "tb_element(p, at, j).point"
                                             : "at.point + j * (tb_idx)p.point_step");
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *x = &p->instr[k];
        const tb_loop_info *info = &tb_loop_table[x->loop];
        const char *form = quick ? quick_form(x->loop) : NULL;
        if (form) {
            tb__text_addf(out, "    rare |= tb_rare_%s(", form);
            arguments(x, out);
            tb__text_add(out, ");\n");
        }
        tb__text_addf(out, "    const tb_reg_%s v%d = %s_%s(", tb__token[x->dtype], p->nload + p->nscalar + k,
                      form ? "tb_quick" : "op", form ? form : info->name);
        arguments(x, out);
        tb__text_add(out, info->flags & TB_LOOP_INDEX ? ", i);\n" : ");\n");
    }
}

static void compute_map(const tb_plan *p, const tb_layout *l, bool quick, tb_text *out)
{
    tb__text_add(out, quick ? "TB_FN int tb_compute_quick" : "TB_FN void tb_compute");
    tb__text_add(out, "(const tb_params &p, const tb_at &at, const tb_chunk &x, int j, tb_result &y)\n{\n");
    load_values(p, l, out);
    if (quick) tb__text_add(out, "    int rare = 0;\n");
    instructions(p, l, quick, out);
    for (int k = 0; k < p->nstore; k++)
        tb__text_addf(out, "    y.y%d.v[j] = tb_store_%s(v%d);\n", k, tb__token[p->store[k].dtype], p->store[k].value);
    tb__text_add(out, quick ? "    return rare;\n}\n" : "}\n");
}

static void compute_walk(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const tb_red_info *red = &tb_red_table[p->red];
    const char *in = tb__token[red->in], *to = tb__token[red->out];
    tb__text_addf(out, "TB_FN tb_reg_%s tb_compute(", in);
    tb__text_add(out, "const tb_params &p, const tb_at &at, const tb_chunk &x, int j)\n{\n");
    load_values(p, l, out);
    instructions(p, l, false, out);
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
    if (p->kind != TB_PLAN_MAP) {
        compute_walk(p, l, out);
        return;
    }
    compute_map(p, l, false, out);
    if (l->form == TB_FORM_MAP && tb__is_quick(p)) compute_map(p, l, true, out);
}
