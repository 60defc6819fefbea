/* source_values.c - the part of a source that computes: one function a loop, tb_compute, a reduction's functions. */
#include "codegen/layout.h"
#include <string.h>

const char *const tb__token[TB_NDTYPE] = {
    "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64", "c64", "c128",
};

static bool seen_before(const tb_plan *p, int n)
{
    for (int k = 0; k < n; k++)
        if (p->instr[k].loop == p->instr[n].loop) return true;
    return false;
}

void tb__source_loop(tb_loop loop, int uses, tb_text *out)
{
    enum { MANY = 6 }; /* uses: a function in line each time costs the compiler a multiple of one that is called */
    const tb_loop_info *info = &tb_loop_table[loop];
    const char *to = tb__token[info->out];
    const bool called = info->flags & TB_LOOP_HEAVY && uses >= MANY;
    tb__text_addf(out, "%s tb_reg_%s op_%s(", called ? "TB_CALLED" : "TB_FN", to, info->name);
    for (int k = 0; k < info->nin; k++) {
        const bool address = k == 0 && info->flags & TB_LOOP_ADDRESS;
        tb__text_addf(out, "%s%s%s %c", k ? ", " : "", address ? "const char *" : "tb_reg_",
                      address ? "" : tb__token[info->in[k]], 'a' + k);
    }
    if (info->flags & TB_LOOP_INDEX) tb__text_add(out, ", tb_i64 i");
    if (info->expr) tb__text_addf(out, ") { return tb_round_%s(%s); }\n", to, info->expr);
    else tb__text_addf(out, ") { return TB_CAST(%s, %s, a); }\n", tb__token[info->in[0]], to);
}

/* ---- tb_compute ------------------------------------------------------------------------------------------------ */

static bool is_scalar(const tb_plan *p, int n) { return n >= p->nload && n < p->nload + p->nscalar; }

/* Whether an instruction divides numbers of float32. */
static bool is_quotient(const tb_instr *x)
{
    const tb_loop_info *info = &tb_loop_table[x->loop];
    return info->out == TB_F32 && info->in[0] == TB_F32 && tb__op_of(x->loop)->facts & TB_FACT_DIVIDES;
}

static bool takes_attempts(const tb_instr *x)
{
    return (tb_loop_table[x->loop].flags & (TB_LOOP_RANDOM | TB_LOOP_INDEX)) == TB_LOOP_RANDOM;
}

bool tb__has_draws(const tb_plan *p)
{
    bool found = false;
    for (int k = 0; k < p->ninstr; k++) found = found || takes_attempts(&p->instr[k]);
    for (int k = 0; k < p->nload; k++) found = found && !p->load[k].base;
    return found && p->kind == TB_PLAN_MAP && !p->scatters;
}

bool tb__draws_together(const tb_plan *p, const tb_layout *l) { return l->form == TB_FORM_MAP && tb__has_draws(p); }

bool tb__has_quotients(const tb_plan *p)
{
    bool found = false;
    if (p->kind != TB_PLAN_MAP || p->uses_index || p->scatters || tb__has_draws(p)) return false;
    for (int k = 0; k < p->nload; k++)
        if (p->load[k].base) return false;
    for (int k = 0; k < p->ninstr; k++) found = found || is_quotient(&p->instr[k]);
    return found;
}

/* Whether an instruction divides floats by what is one number for all points. */
static bool divides_by_one(const tb_plan *p, const tb_layout *l, const tb_instr *x)
{
    const tb_loop_info *info = &tb_loop_table[x->loop];
    if (!(tb__op_of(x->loop)->facts & TB_FACT_DIVIDES) || x->nin != 2) return false;
    if (info->out != info->in[1] || (info->out != TB_F32 && info->out != TB_F64)) return false;
    const int by = x->in[1];
    return by < p->nload ? !p->load[by].base && l->access[by] == TB_ACCESS_SAME : is_scalar(p, by);
}

bool tb__has_inverses(const tb_plan *p, const tb_layout *l)
{
    bool found = false;
    if (p->kind != TB_PLAN_REDUCE) return false;
    for (int k = 0; k < p->ninstr; k++) found = found || divides_by_one(p, l, &p->instr[k]);
    return found;
}

/* Whether values of several elements are kept, and of which. */
typedef enum keeps { NONE, CHUNK, THREAD } keeps;
static const char *const place[] = {"", "[j]", "[e]"};

static void add_value(const tb_plan *p, int n, keeps kept, tb_text *out)
{
    tb__text_addf(out, "v%d%s", n, is_scalar(p, n) ? "" : place[kept]);
}

static void define_value(const tb_plan *p, int n, keeps kept, tb_text *out)
{
    if (kept) tb__text_addf(out, "    v%d%s = ", n, place[kept]);
    else tb__text_addf(out, "    const tb_reg_%s v%d = ", tb__token[tb__plan_dtype(p, n)], n);
}

static void load_values(const tb_plan *p, const tb_layout *l, keeps kept, tb_text *out)
{
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype];
        const bool one = l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_SPREAD;
        if (p->load[k].base) {
            tb__text_addf(out, "    const char *const v%d = ", k);
            tb__source_address(p, l, k, out);
            tb__text_add(out, ";\n");
            continue;
        }
        define_value(p, k, kept, out);
        tb__text_addf(out, "tb_load_%s(x.x%d%s);\n", t, k, one ? "" : ".v[j]");
    }
}

static void take_scalars(const tb_plan *p, tb_text *out)
{
    for (int k = 0; k < p->nscalar; k++)
        tb__text_addf(out, "    const tb_reg_%s v%d = p.s%d;\n", tb__token[p->scalar[k].dtype], p->nload + k, k);
}

static void index_value(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    if (!p->uses_index) return;
    tb__text_addf(out, "    const tb_i64 i = (tb_i64)(%s);\n",
                  p->kind == TB_PLAN_MAP ? "(tb_i64)at.c * TB_V + j"
                  : l->gather            ? "tb_element(p, at, j).point"
                                         : "at.point + j * (tb_idx)p.point_step");
}

static void instruction(const tb_plan *p, int k, keeps kept, tb_text *out)
{
    const tb_instr *x = &p->instr[k];
    const tb_loop_info *info = &tb_loop_table[x->loop];
    define_value(p, p->nload + p->nscalar + k, kept, out);
    if (info->flags & TB_LOOP_ADDRESS) tb__text_addf(out, "j >= x.n ? tb_reg_%s() : ", tb__token[x->dtype]);
    tb__text_addf(out, "op_%s(", info->name);
    for (int m = 0; m < x->nin; m++) {
        if (m) tb__text_add(out, ", ");
        add_value(p, x->in[m], kept, out);
    }
    tb__text_add(out, info->flags & TB_LOOP_INDEX ? ", i);\n" : ");\n");
}

/* What tb__source_address names of the parameters, for each base: its address and, where that changes from element to
 * element of a chunk, the stride of its group. */
static void bases(const tb_plan *p, const tb_layout *l, bool set, tb_text *out)
{
    bool done[TB_MAXOPERAND] = {false};
    for (int k = 0; k < p->nload; k++) {
        if (!p->load[k].base) continue;
        if (set) tb__text_addf(out, "    s.x%d = p.x%d;\n", k, k);
        else tb__text_addf(out, "    const char *x%d;\n", k);
        const int g = l->group[k], t = l->inner;
        if (l->access[k] != TB_ACCESS_BASE || l->vec == 1 || done[g]) continue;
        if (set) tb__text_addf(out, "    s.g%d_%d = p.g%d_%d;\n", g, t, g, t);
        else tb__text_addf(out, "    tb_i64 g%d_%d;\n", g, t);
        done[g] = true;
    }
}

/* Left alone, the compiler fetches the scalars again for every element. Generators' are better off where they are: what
 * is computed from them is the same for a whole warp. */
static void scalars(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    enum { MOST = 16 }; /* that registers are spent on */
    const bool hold = p->nscalar <= MOST && !p->uses_index;
    tb__text_add(out, "struct tb_scalars {\n");
    bases(p, l, false, out);
    for (int k = 0; k < p->nscalar; k++) tb__text_addf(out, "    tb_reg_%s s%d;\n", tb__token[p->scalar[k].dtype], k);
    tb__text_add(out, "};\nTB_FN tb_scalars tb_take_scalars(const tb_params &p)\n{\n    tb_scalars s;\n");
    bases(p, l, true, out);
    for (int k = 0; k < p->nscalar; k++) tb__text_addf(out, "    s.s%d = p.s%d;\n", k, k);
    for (int k = 0; k < p->nscalar && hold; k++) tb__text_addf(out, "    tb_hold(s.s%d);\n", k);
    tb__text_add(out, "    return s;\n}\n");
}

static void begin_elements(const tb_plan *p, keeps kept, tb_text *out)
{
    if (kept != THREAD) {
        tb__text_add(out, "#pragma unroll\n    for (int j = 0; j < TB_V; j++) {\n");
        return;
    }
    tb__text_add(out, "#pragma unroll\n    for (int e = 0; e < TB_U * TB_V; e++) {\n    const int j = e % TB_V;\n"
                      "    const tb_at &at = ats[e / TB_V];\n    const tb_chunk &x = xs[e / TB_V];\n"
                      "    tb_result &y = ys[e / TB_V];\n");
    if (p->uses_index) tb__text_add(out, "    const tb_i64 i = (tb_i64)at.c * TB_V + j;\n");
}

static void quotients(const tb_plan *p, int k, tb_text *out)
{
    const tb_instr *x = &p->instr[k];
    const int to = p->nload + p->nscalar + k;
    tb__text_add(out, "    tb_quotients(");
    if (x->nin == 1) tb__text_addf(out, "1.0f, v%d, v%d);\n", x->in[0], to);
    else tb__text_addf(out, "v%d, v%d, v%d);\n", x->in[0], x->in[1], to);
}

static void add_set(const tb_plan *p, const tb_instr *x, tb_text *out)
{
    tb__text_addf(out, "tb_set_%s(", tb_loop_table[x->loop].name);
    for (int m = 1; m < x->nin; m++) {
        add_value(p, x->in[m], THREAD, out);
        tb__text_add(out, m + 1 < x->nin ? ", " : ")");
    }
}

/* Parameters that are scalars are made a set of once. */
static void draws(const tb_plan *p, int k, tb_text *out)
{
    const tb_instr *x = &p->instr[k];
    bool same = true;
    for (int m = 1; m < x->nin; m++) same = same && is_scalar(p, x->in[m]);
    tb__text_add(out, "    {\n");
    if (same) {
        tb__text_add(out, "    const auto set = ");
        add_set(p, x, out);
        tb__text_add(out, ";\n");
    }
    tb__text_addf(out, "    tb_draws(v%d, [&](tb_u32 k, int e, tb_reg_%s *r) { return tb_step_%s(k, ",
                  p->nload + p->nscalar + k, tb__token[x->dtype], tb_loop_table[x->loop].name);
    add_value(p, x->in[0], THREAD, out);
    tb__text_add(out, ", ");
    if (same) tb__text_add(out, "set");
    else add_set(p, x, out);
    tb__text_add(out, ", r); });\n    }\n");
}

/* What is computed for several elements together has loops of its own before and after it, and values are kept. */
static void map_instructions(const tb_plan *p, keeps kept, tb_text *out)
{
    for (int k = 0; k < p->ninstr; k++) {
        const bool together = kept == THREAD ? takes_attempts(&p->instr[k]) : kept && is_quotient(&p->instr[k]);
        if (!together) {
            instruction(p, k, kept, out);
            continue;
        }
        tb__text_add(out, "    }\n");
        if (kept == THREAD) draws(p, k, out);
        else quotients(p, k, out);
        begin_elements(p, kept, out);
    }
}

static void compute_map(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const keeps kept = tb__draws_together(p, l) ? THREAD : tb__has_quotients(p) ? CHUNK : NONE;
    scalars(p, l, out);
    if (kept == THREAD)
        tb__text_add(out, "TB_FN void tb_compute(const tb_scalars &p, const tb_at (&ats)[TB_U],"
                          " const tb_chunk (&xs)[TB_U], tb_result (&ys)[TB_U])\n{\n");
    else
        tb__text_add(out, "TB_FN void tb_compute(const tb_scalars &p, const tb_at &at, const tb_chunk &x,"
                          " tb_result &y)\n{\n");
    take_scalars(p, out);
    for (int n = 0; kept && n < tb__plan_nvalue(p); n++)
        if (!is_scalar(p, n))
            tb__text_addf(out, "    tb_reg_%s v%d[%sTB_V];\n", tb__token[tb__plan_dtype(p, n)], n,
                          kept == THREAD ? "TB_U * " : "");
    begin_elements(p, kept, out);
    load_values(p, l, kept, out);
    if (kept != THREAD) index_value(p, l, out);
    map_instructions(p, kept, out);
    for (int k = 0; k < p->nstore; k++) {
        tb__text_addf(out, "    y.y%d.v[j] = tb_store_%s(", k, tb__token[tb__plan_dtype(p, p->store[k].value)]);
        add_value(p, p->store[k].value, kept, out);
        tb__text_add(out, ");\n");
    }
    if (p->scatters) tb__text_addf(out, "    y.where[j] = v%d;\n", p->where);
    tb__text_add(out, "    }\n}\n");
}

/* Accumulators with a position go on: theirs is not a truth value alone. */
static void absorbed(const tb_red_info *red, tb_text *out)
{
    const int value = red->has_index ? -1 : tb__red_absorbing(red);
    if (value < 0) tb__text_add(out, "TB_FN bool tb_is_absorbed(const tb_acc &) { return false; }\n");
    else tb__text_addf(out, "TB_FN bool tb_is_absorbed(const tb_acc &s) { return s == %d; }\n", value);
}

static void element_values(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "const tb_params &p, const tb_at &at, const tb_chunk &x, int j)\n{\n");
    load_values(p, l, NONE, out);
    take_scalars(p, out);
    index_value(p, l, out);
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *at = &p->instr[k];
        if (p->kind == TB_PLAN_REDUCE && divides_by_one(p, l, at)) {
            define_value(p, p->nload + p->nscalar + k, NONE, out);
            tb__text_addf(out, "tb_quotient_by(v%d, v%d, tb_inverse(v%d));\n", at->in[0], at->in[1], at->in[1]);
        } else {
            instruction(p, k, NONE, out);
        }
    }
}

/* Whether values are computed again rather than kept: their operands are at hand, and there is little to do. */
static bool computes_again(const tb_plan *p, const tb_layout *l)
{
    enum { LITTLE = 4 };
    for (int k = 0; k < p->nload; k++)
        if (l->access[k] != TB_ACCESS_STAGED && l->access[k] != TB_ACCESS_SAME) return false;
    for (int k = 0; k < p->ninstr; k++)
        if (tb_loop_table[p->instr[k].loop].flags & TB_LOOP_HEAVY) return false;
    return p->ninstr <= LITTLE;
}

static void places(const tb_plan *p, const tb_layout *l, const char *in, tb_text *out)
{
    if (computes_again(p, l)) {
        tb__text_addf(out,
                      "TB_FN void tb_leave(const tb_at &, tb_reg_%s) {}\n"
                      "TB_FN tb_reg_%s tb_left(const tb_params &p, const tb_at &at)\n{\n"
                      "    tb_chunk x;\n    tb_fetch(p, at, x);\n    return tb_compute(p, at, x, 0);\n}\n",
                      in, in);
        return;
    }
    tb__text_addf(out, "TB_FN tb_%s &tb_place(const tb_at &at) { return *(tb_%s *)((char *)tb_stage + at.o%d); }\n", in,
                  in, l->group[p->nload]);
    tb__text_addf(out,
                  "TB_FN void tb_leave(const tb_at &at, tb_reg_%s v) { tb_place(at) = tb_store_%s(v); }\n"
                  "TB_FN tb_reg_%s tb_left(const tb_params &, const tb_at &at)"
                  " { return tb_load_%s(tb_place(at)); }\n",
                  in, in, in, in);
}

static void compute_walk(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const tb_red_info *red = &tb_red_table[p->red];
    const char *in = tb__token[red->in], *to = tb__token[red->out];
    tb__text_addf(out, "TB_FN tb_reg_%s tb_compute(", in);
    element_values(p, l, out);
    tb__text_addf(out, "    return v%d;\n}\n", p->scatters ? p->where : p->store[0].value);
    if (p->scatters) {
        const char *t = tb__token[p->store[0].dtype];
        tb__text_addf(out, "TB_FN tb_%s tb_picked(", t);
        element_values(p, l, out);
        tb__text_addf(out, "    return tb_store_%s(v%d);\n}\n", t, p->store[0].value);
    }
    tb__text_addf(out, "TB_FN tb_acc tb_init() { return (tb_acc)(%s); }\n", red->init);
    tb__text_addf(out, "TB_FN void tb_step(tb_acc &s, tb_reg_%s v, tb_i64 i) { s = (tb_acc)(%s); }\n", in, red->step);
    tb__text_addf(out, "TB_FN void tb_merge(tb_acc &s, tb_acc t) { s = (tb_acc)(%s); }\n", red->merge);
    absorbed(red, out);
    tb__text_addf(out, "TB_FN tb_%s tb_final(tb_acc s, double n) { return tb_store_%s(%s); }\n", to, to, red->final);
    tb__text_addf(out, "TB_FN tb_%s tb_final(tb_acc s, const tb_params &p) { return tb_final(s, p.count); }\n", to);
    if (l->form == TB_FORM_SCAN_COLUMN && l->staged) places(p, l, in, out);
    if (!tb__scan_packs(p)) return;
    tb__text_addf(out,
                  "typedef tb_vec<tb_%s, TB_V> tb_items;\n"
                  "TB_FN void tb_keep(tb_items &k, int j, tb_reg_%s v) { k.v[j] = tb_store_%s(v); }\n"
                  "TB_FN tb_reg_%s tb_kept(const tb_items &k, int j) { return tb_load_%s(k.v[j]); }\n",
                  in, in, in, in, in);
}

static int uses_of(const tb_plan *p, tb_loop loop)
{
    int n = 0;
    for (int k = 0; k < p->ninstr; k++) n += p->instr[k].loop == loop;
    return n;
}

void tb__source_values(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const bool quotients = tb__has_quotients(p);
    const tb_update u = tb__plan_update(p); /* its loops are there */
    for (int k = 0; k < p->ninstr; k++) {
        const tb_loop loop = p->instr[k].loop;
        if (seen_before(p, k) || loop == u.before || loop == u.combine || loop == u.after) continue;
        if (!quotients || !is_quotient(&p->instr[k])) tb__source_loop(loop, uses_of(p, loop), out);
    }
    if (p->kind == TB_PLAN_MAP) compute_map(p, l, out);
    else compute_walk(p, l, out);
}
