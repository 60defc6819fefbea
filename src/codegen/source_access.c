/* source_access.c - the part of a source that finds and moves elements: tb_at, tb_row, tb_along, tb_chunk, tb_fetch,
 * tb_result, tb_put. */
#include "codegen/kernel_text.h"
#include "codegen/layout.h"

#include <string.h>

static const char *vector_name(const tb_layout *l) { return l->aligned ? "tb_vec" : "tb_bare"; }

static bool is_reduce_store(const tb_plan *p, int k) { return p->kind == TB_PLAN_REDUCE && k >= p->nload; }

static bool has_point(const tb_plan *p) { return p->uses_index && p->kind != TB_PLAN_MAP; }

/* Adds coordinate `x` of position t, times the strides there, to every offset that depends on it. */
static void add_coordinate(const tb_plan *p, const tb_layout *l, int t, const char *x, tb_text *out)
{
    for (int g = 0; g < l->ngroup; g++) {
        const int k = l->first[g];
        if (t >= l->na && is_reduce_store(p, k)) continue;
        if (t == l->inner && l->access[k] == TB_ACCESS_SPREAD) continue;
        if (t == l->inner &&
            (l->access[k] == TB_ACCESS_VECTOR || (l->access[k] == TB_ACCESS_STAGED && l->form != TB_FORM_PANEL)))
            tb__text_addf(out, "    at.o%d += (tb_off)%s * %d;\n", g, x,
                          (int)(tb__unit(l, t) * (int64_t)tb_dtype_size(tb__operand_dtype(p, k))));
        else tb__text_addf(out, "    at.o%d += (tb_off)%s * (tb_off)p.g%d_%d;\n", g, x, g, t);
    }
    if (has_point(p)) tb__text_addf(out, "    at.point += %s * (tb_idx)p.point_%d;\n", x, t);
}

/* Takes index x apart into the coordinates of positions from ... to-1. */
static void add_coordinates(const tb_plan *p, const tb_layout *l, int from, int to, tb_text *out)
{
    if (from == to) return;
    if (to - from > 1) tb__text_add(out, "    tb_idx q, r;\n");
    for (int t = to - 1; t > from; t--) {
        tb__text_addf(out, "    q = tb_divide(x, p.d%d);\n    r = x - q * (tb_idx)p.d%d.n;\n", t, t);
        add_coordinate(p, l, t, "r", out);
        tb__text_add(out, "    x = q;\n");
    }
    add_coordinate(p, l, from, "x", out);
}

static void positions(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "struct tb_at {\n    tb_idx c;\n");
    for (int g = 0; g < l->ngroup; g++) tb__text_addf(out, "    tb_off o%d;\n", g);
    if (has_point(p)) tb__text_add(out, "    tb_idx point;\n");
    tb__text_add(out, "};\nTB_FN tb_at tb_row(const tb_params &p, tb_idx x)\n{\n    tb_at at;\n    at.c = x;\n");
    for (int g = 0; g < l->ngroup; g++) tb__text_addf(out, "    at.o%d = 0;\n", g);
    if (has_point(p)) tb__text_add(out, "    at.point = 0;\n");
    add_coordinates(p, l, 0, tb__has_cells(l) ? l->na - 2 : l->na, out);
    tb__text_add(out, "    return at;\n}\n");
    if (tb__has_cells(l)) {
        tb__text_add(out, "TB_FN tb_at tb_cell(const tb_params &p, tb_at at, tb_idx y, tb_idx x)\n{\n");
        add_coordinate(p, l, l->na - 2, "y", out);
        add_coordinate(p, l, l->na - 1, "x", out);
        tb__text_add(out, "    return at;\n}\n");
    }
    if (p->kind == TB_PLAN_MAP) return;
    tb__text_add(out, "TB_FN tb_at tb_along(const tb_params &p, tb_at at, tb_idx x)\n{\n");
    if (l->gather)
        tb__text_add(out, "    at.c = x;\n    return at;\n}\n"
                          "TB_FN tb_at tb_element(const tb_params &p, tb_at at, int j)\n{\n"
                          "    tb_idx x = at.c * TB_V + j;\n");
    add_coordinates(p, l, l->na, l->na + l->nb, out);
    tb__text_add(out, "    return at;\n}\n");
}

static bool has_base(const tb_plan *p)
{
    for (int k = 0; k < p->nload; k++)
        if (p->load[k].base) return true;
    return false;
}

void tb__source_address(const tb_plan *p, const tb_layout *l, int k, tb_text *out)
{
    const int g = l->group[k];
    const int size = (int)tb_dtype_size(tb__operand_dtype(p, k));
    tb__text_addf(out, "p.%c%d", k < p->nload ? 'x' : 'y', k < p->nload ? k : k - p->nload);
    if (l->access[k] == TB_ACCESS_SAME) return;
    if (l->access[k] == TB_ACCESS_LINEAR) tb__text_addf(out, " + (tb_i64)(at.c * TB_V + j) * %d", size);
    else if (l->gather) tb__text_addf(out, " + tb_element(p, at, j).o%d", g);
    else if (l->vec == 1) tb__text_addf(out, " + at.o%d", g);
    else tb__text_addf(out, " + at.o%d + j * (p.g%d_%d / TB_V)", g, g, l->inner);
}

/* What begins tb_fetch and tb_fetch_some, which reads the first n elements of a chunk. */
static void begin_fetch(const tb_plan *p, bool some, tb_text *out)
{
    tb__text_addf(out, "TB_FN void tb_fetch%s(const tb_params &p, const tb_at &at, %stb_chunk &x)\n{\n",
                  some ? "_some" : "", some ? "int n, " : "");
    if (has_base(p)) tb__text_addf(out, "    x.n = %s;\n", some ? "n" : "TB_V");
}

/* Load k, in a chunk of which all elements are read. */
static void fetch_all(const tb_layout *l, int k, const char *t, tb_text *out)
{
    if (l->access[k] == TB_ACCESS_TILED) return;
    if (l->access[k] == TB_ACCESS_LINEAR)
        tb__text_addf(out, "    x.x%d = ((const %s<tb_%s, TB_V> *)p.x%d)[at.c];\n", k, vector_name(l), t, k);
    else
        tb__text_addf(out, "    x.x%d = *(const %s<tb_%s, TB_V> *)(p.x%d + at.o%d);\n", k, vector_name(l), t, k,
                      l->group[k]);
}

/* Where element j of a chunk in shared memory is. */
static void add_place(const tb_layout *l, int k, const char *t, tb_text *out)
{
    if (l->form == TB_FORM_PANEL)
        tb__text_addf(out, "*(tb_%s *)((char *)tb_stage + (at.o%d + j * (tb_off)p.g%d_%d))", t, l->group[k],
                      l->group[k], l->inner);
    else tb__text_addf(out, "((tb_%s *)((char *)tb_stage + at.o%d))[j]", t, l->group[k]);
}

/* From shared memory; `some`: the first n elements. */
static void fetch_staged(const tb_layout *l, bool some, int k, const char *t, tb_text *out)
{
    tb__text_addf(out, "#pragma unroll\n    for (int j = 0; j < TB_V; j++)\n        x.x%d.v[j] = %s", k,
                  some ? "j < n ? " : "");
    add_place(l, k, t, out);
    if (some) tb__text_addf(out, " : tb_%s()", t);
    tb__text_add(out, ";\n");
}

/* The same, backwards. */
static void fetch_reversed(const tb_layout *l, int k, const char *t, tb_text *out)
{
    tb__text_addf(out,
                  "    {\n        const %s<tb_%s, TB_V> r = *(const %s<tb_%s, TB_V> *)"
                  "(p.x%d + at.o%d - (int)sizeof(tb_%s) * (TB_V - 1));\n#pragma unroll\n"
                  "        for (int j = 0; j < TB_V; j++) x.x%d.v[j] = r.v[TB_V - 1 - j];\n    }\n",
                  vector_name(l), t, vector_name(l), t, k, l->group[k], t, k);
}

static void fetch_some(const tb_layout *l, int k, const char *t, tb_text *out)
{
    tb__text_addf(out, "#pragma unroll\n    for (int j = 0; j < TB_V; j++)\n        x.x%d.v[j] = j < n ? ", k);
    if (l->access[k] == TB_ACCESS_LINEAR)
        tb__text_addf(out, "((const tb_%s *)p.x%d)[at.c * TB_V + j] : tb_%s();\n", t, k, t);
    else
        tb__text_addf(out, "((const tb_%s *)(p.x%d + at.o%d))[%sj] : tb_%s();\n", t, k, l->group[k],
                      l->access[k] == TB_ACCESS_REVERSED ? "-" : "", t);
}

static void fetch_spread(const tb_layout *l, bool some, int k, const char *t, tb_text *out)
{
    tb__text_addf(out, "    x.x%d = %s*(const tb_%s *)(p.x%d + at.o%d)", k, some ? "n > 0 ? " : "", t, k, l->group[k]);
    if (some) tb__text_addf(out, " : tb_%s()", t);
    tb__text_add(out, ";\n");
}

/* tb_fetch, or tb_fetch_some. */
static void fetch(const tb_plan *p, const tb_layout *l, bool some, tb_text *out)
{
    begin_fetch(p, some, out);
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype];
        if (p->load[k].base) continue;
        if (l->access[k] == TB_ACCESS_SAME) tb__text_addf(out, "    x.x%d = *(const tb_%s *)p.x%d;\n", k, t, k);
        else if (l->access[k] == TB_ACCESS_SPREAD) fetch_spread(l, some, k, t, out);
        else if (l->access[k] == TB_ACCESS_STAGED) fetch_staged(l, some, k, t, out);
        else if (some) fetch_some(l, k, t, out);
        else if (l->access[k] == TB_ACCESS_REVERSED) fetch_reversed(l, k, t, out);
        else fetch_all(l, k, t, out);
    }
    tb__text_add(out, "}\n");
}

/* tb_fetch, or tb_fetch_some, element by element. */
static void gather(const tb_plan *p, const tb_layout *l, bool some, tb_text *out)
{
    begin_fetch(p, some, out);
    for (int k = 0; k < p->nload; k++)
        if (l->access[k] == TB_ACCESS_SAME && !p->load[k].base)
            tb__text_addf(out, "    x.x%d = *(const tb_%s *)p.x%d;\n", k, tb__token[p->load[k].dtype], k);
    tb__text_add(out, "#pragma unroll\n    for (int j = 0; j < TB_V; j++) {\n"
                      "        const tb_at e = tb_element(p, at, j);\n");
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype];
        if (l->access[k] == TB_ACCESS_SAME || p->load[k].base) continue;
        tb__text_addf(out, "        x.x%d.v[j] = %s(const tb_%s *)(p.x%d + e.o%d)", k, some ? "j < n ? *" : "*", t, k,
                      l->group[k]);
        if (some) tb__text_addf(out, " : tb_%s()", t);
        tb__text_add(out, ";\n");
    }
    tb__text_add(out, "    }\n}\n");
}

/* A tile has rows of TB_TILE chunks along the last dimension, and one more, and another one after TB_TILE rows: neither
 * chunks of a row nor chunks of a column, TB_V rows apart, fall into one bank of shared memory. A thread takes TB_V
 * chunks along the other dimension and turns them round in registers. */
static void tiles(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_addf(out,
                  "TB_FN unsigned tb_tile_row(unsigned y) { return y * %d + (TB_V > 1 ? y / %d : 0); }\n"
                  "struct tb_tiles {\n",
                  TB_TILE + 1, TB_TILE);
    for (int k = 0; k < p->nload; k++)
        if (l->access[k] == TB_ACCESS_TILED)
            tb__text_addf(out, "    %s<tb_%s, TB_V> t%d[%d * TB_V * %d + TB_V];\n", vector_name(l),
                          tb__token[p->load[k].dtype], k, TB_TILE, TB_TILE + 1);
    tb__text_add(out, "};\nTB_FN void tb_stage(const tb_params &p, const tb_at &start, tb_idx y, tb_idx x, tb_tiles &t,"
                      " unsigned row, unsigned c)\n{\n    tb_at at[TB_V];\n#pragma unroll\n"
                      "    for (int i = 0; i < TB_V; i++) at[i] = tb_cell(p, start, y, x + i);\n");
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype], *vec = vector_name(l);
        if (l->access[k] != TB_ACCESS_TILED) continue;
        tb__text_addf(out, "    {\n        %s<tb_%s, TB_V> r[TB_V], turned;\n#pragma unroll\n", vec, t);
        tb__text_addf(out,
                      "        for (int i = 0; i < TB_V; i++)\n            r[i] = *(const %s<tb_%s, TB_V> *)"
                      "(p.x%d + at[i].o%d);\n#pragma unroll\n",
                      vec, t, k, l->group[k]);
        tb__text_addf(out,
                      "        for (int j = 0; j < TB_V; j++) {\n#pragma unroll\n"
                      "            for (int i = 0; i < TB_V; i++) turned.v[i] = r[i].v[j];\n"
                      "            t.t%d[tb_tile_row(row + j) + c] = turned;\n        }\n    }\n",
                      k);
    }
    tb__text_add(out, "}\nTB_FN void tb_unstage(const tb_tiles &t, unsigned row, unsigned c, tb_chunk &to)\n{\n");
    for (int k = 0; k < p->nload; k++)
        if (l->access[k] == TB_ACCESS_TILED) tb__text_addf(out, "    to.x%d = t.t%d[tb_tile_row(row) + c];\n", k, k);
    tb__text_add(out, "}\n");
}

static void loads(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "struct tb_chunk {\n");
    if (has_base(p)) tb__text_add(out, "    int n; /* elements that exist */\n");
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype];
        if (p->load[k].base) continue;
        const bool one = l->access[k] == TB_ACCESS_SAME || l->access[k] == TB_ACCESS_SPREAD;
        if (one) tb__text_addf(out, "    tb_%s x%d;\n", t, k);
        else tb__text_addf(out, "    %s<tb_%s, TB_V> x%d;\n", vector_name(l), t, k);
    }
    tb__text_add(out, "};\n");
    if (l->gather) {
        gather(p, l, false, out);
        gather(p, l, true, out);
        return;
    }
    fetch(p, l, false, out);
    if (l->form == TB_FORM_TILE) tiles(p, l, out);
    else fetch(p, l, true, out);
}

/* A reduction stores results one by one. */
static void put_result(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const char *t = tb__token[p->store[0].dtype];
    tb__text_addf(out, "TB_FN void tb_put(const tb_params &p, const tb_at &at, int j, tb_%s value)\n{\n", t);
    tb__text_addf(out, "    *(tb_%s *)(p.y0 + at.o%d + j * p.result_step) = value;\n}\n", t, l->group[p->nload]);
}

/* Store k of tb_put_some; of tb_put, where n is TB_V. */
static void put_elements(const tb_plan *p, const tb_layout *l, int k, const char *n, tb_text *out)
{
    const char *t = tb__token[p->store[k].dtype];
    const int g = l->group[p->nload + k];
    tb__text_addf(out, "#pragma unroll\n    for (int j = 0; j < TB_V; j++)\n        if (j < %s) ", n);
    if (l->access[p->nload + k] == TB_ACCESS_STAGED) add_place(l, p->nload + k, t, out);
    else if (l->gather) tb__text_addf(out, "*(tb_%s *)(p.y%d + tb_element(p, at, j).o%d)", t, k, g);
    else if (l->access[p->nload + k] == TB_ACCESS_LINEAR) tb__text_addf(out, "((tb_%s *)p.y%d)[at.c * TB_V + j]", t, k);
    else if (l->access[p->nload + k] == TB_ACCESS_INTERLEAVED)
        tb__text_addf(out, "((tb_%s *)(p.y%d + at.o%d))[j * %d]", t, k, g, p->nstore);
    else tb__text_addf(out, "((tb_%s *)(p.y%d + at.o%d))[j]", t, k, g);
    tb__text_addf(out, " = y.y%d.v[j];\n", k);
}

/* A chunk of all stores together is one piece of memory. */
static void put_interleaved(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const char *t = tb__token[p->store[0].dtype], *vec = vector_name(l);
    tb__text_addf(out, "    %s<tb_%s, TB_V> w[%d];\n", vec, t, p->nstore);
    for (int k = 0; k < p->nstore; k++)
        tb__text_addf(out,
                      "#pragma unroll\n    for (int j = 0; j < TB_V; j++)\n"
                      "        w[(j * %d + %d) / TB_V].v[(j * %d + %d) %% TB_V] = y.y%d.v[j];\n",
                      p->nstore, k, p->nstore, k, k);
    tb__text_addf(out,
                  "#pragma unroll\n    for (int m = 0; m < %d; m++)\n"
                  "        ((%s<tb_%s, TB_V> *)(p.y0 + at.o%d))[m] = w[m];\n",
                  p->nstore, vec, t, l->group[p->nload]);
}

/* tb_put and tb_put_some. */
static void put(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "TB_FN void tb_put(const tb_params &p, const tb_at &at, const tb_result &y)\n{\n");
    const bool interleaved = l->access[p->nload] == TB_ACCESS_INTERLEAVED;
    if (interleaved) put_interleaved(p, l, out);
    for (int k = 0; k < p->nstore && !interleaved; k++) {
        const char *t = tb__token[p->store[k].dtype];
        if (l->gather || l->access[p->nload + k] == TB_ACCESS_STAGED) put_elements(p, l, k, "TB_V", out);
        else if (l->access[p->nload + k] == TB_ACCESS_LINEAR)
            tb__text_addf(out, "    ((%s<tb_%s, TB_V> *)p.y%d)[at.c] = y.y%d;\n", vector_name(l), t, k, k);
        else
            tb__text_addf(out, "    *(%s<tb_%s, TB_V> *)(p.y%d + at.o%d) = y.y%d;\n", vector_name(l), t, k,
                          l->group[p->nload + k], k);
    }
    tb__text_add(out, "}\nTB_FN void tb_put_some(const tb_params &p, const tb_at &at, int n, const tb_result &y)\n{\n");
    for (int k = 0; k < p->nstore; k++) put_elements(p, l, k, "n", out);
    tb__text_add(out, "}\n");
}

/* tb_combine: one value of a scatter, with what is where it goes. */
static void combine(const tb_plan *p, tb_text *out)
{
    const char *t = tb__token[p->store[0].dtype], *v = tb__token[tb__plan_dtype(p, p->store[0].value)];
    const tb_loop_info *info = p->combine != TB_NOLOOP ? &tb_loop_table[p->combine] : NULL;
    const bool narrow = tb__adds_narrow(p);
    tb__text_addf(out, "TB_FN void tb_combine(const tb_params &p, char *to, tb_%s value)\n{\n", v);
    if (narrow)
        tb__text_addf(out, "    if (tb_has_word(to, p.y0, p.places * %zu)) return tb_atomic_%s(to, value);\n",
                      tb_dtype_size((tb_dtype)p->store[0].dtype), tb_op_table[info->op].name);
    if (!info) {
        tb__text_addf(out, "    *(tb_%s *)to = value;\n", t);
    } else if (tb__is_native(p) && !narrow) {
        tb__text_addf(out, "    tb_atomic_%s(to, value);\n", tb_op_table[info->op].name);
    } else {
        const tb_update u = tb__plan_update(p);
        if (info->nin > 1) tb__text_addf(out, "    const tb_reg_%s b = tb_load_%s(value);\n", v, v);
        tb__text_addf(out, "    tb_update<tb_%s>(to, [=](tb_%s old) {\n        return tb_store_%s(", t, t, t);
        if (u.after != TB_NOLOOP) tb__text_addf(out, "op_%s(", tb_loop_table[u.after].name);
        tb__text_addf(out, "op_%s(", info->name);
        if (u.before != TB_NOLOOP) tb__text_addf(out, "op_%s(", tb_loop_table[u.before].name);
        tb__text_addf(out, "tb_load_%s(old)%s%s)%s);\n    });\n", t, u.before != TB_NOLOOP ? ")" : "",
                      info->nin > 1 ? ", b" : "", u.after != TB_NOLOOP ? ")" : "");
    }
    tb__text_add(out, "}\n");
}

static void counting_bins(const tb_plan *p, tb_text *out)
{
    const char *place = tb__token[p->store[0].dtype];
    tb__text_addf(out,
                  "typedef tb_%s tb_target;\ntypedef tb_u32 tb_bin;\n"
                  "TB_FN tb_bin tb_bin_of(tb_target) { return 1; }\n"
                  "TB_FN tb_target tb_target_of(const tb_params &p, tb_bin x) { return (tb_target)(x * p.s%d); }\n"
                  "TB_FN tb_bin tb_bin_none() { return 0; }\n"
                  "TB_FN tb_bin tb_bin_merge(tb_bin s, tb_bin t) { return s + t; }\n"
                  "TB_FN void tb_bin_combine(tb_bin *to, tb_bin) { atomicAdd(to, 1u); }\n",
                  place, p->store[0].value - p->nload);
}

/* What device/bins.h combines with: the reduction's own steps, by instructions of the machine where it has them. */
static void bins(const tb_plan *p, tb_text *out)
{
    const tb_red_info *red = &tb_red_table[tb__bin_red(p)];
    const char *place = tb__token[p->store[0].dtype], *bin = tb__token[red->out];
    tb__text_addf(out, "typedef tb_%s tb_target;\ntypedef tb_%s tb_bin;\n", place, bin);
    tb__text_addf(out,
                  "TB_FN tb_bin tb_bin_of(tb_target x) { return (tb_bin)tb_load_%s(x); }\n"
                  "TB_FN tb_target tb_target_of(const tb_params &, tb_bin x) { return tb_store_%s(x); }\n"
                  "TB_FN tb_bin tb_bin_none() { return (tb_bin)(%s); }\n"
                  "TB_FN tb_bin tb_bin_merge(tb_bin s, tb_bin t) { return (tb_bin)(%s); }\n",
                  place, place, red->init, red->merge);
    tb__text_add(out, "TB_FN void tb_bin_combine(tb_bin *to, tb_bin x)\n{\n    ");
    const char *repeated = tb_op_table[tb_fold_table[red->fold].repeats].name;
    if (tb__is_native(p)) tb__text_addf(out, "tb_atomic_%s((char *)to, x);\n}\n", repeated);
    else tb__text_add(out, "tb_update<tb_bin>((char *)to, [=](tb_bin old) { return tb_bin_merge(old, x); });\n}\n");
}

/* tb_scatter: how one value of a scatter gets where it goes. Bins come before what is in memory. */
static void scatter(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const char *v = tb__token[tb__plan_dtype(p, p->store[0].value)];
    const bool binned = l->form == TB_FORM_BINS;
    combine(p, out);
    if (binned) (tb__bins_count(p) ? counting_bins : bins)(p, out);
    tb__text_addf(out, "TB_FN void tb_scatter(const tb_params &p, char *to, tb_i64 where, tb_%s value)%s\n", v,
                  binned ? ";" : "\n{\n    tb_combine(p, to + where, value);\n}");
}

/* tb_put and tb_put_some of a plan that scatters. */
static void scatter_points(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_addf(out, "struct tb_result {\n    tb_vec<tb_%s, TB_V> y0;\n    tb_i64 where[TB_V];\n};\n",
                  tb__token[tb__plan_dtype(p, p->store[0].value)]);
    scatter(p, l, out);
    tb__text_add(out, "TB_FN void tb_put_some(const tb_params &p, const tb_at &at, int n, const tb_result &y)\n{\n"
                      "#pragma unroll\n    for (int j = 0; j < TB_V; j++)\n        if (j < n) tb_scatter(p, ");
    tb__source_address(p, l, p->nload, out);
    tb__text_add(out, ", y.where[j], y.y0.v[j]);\n}\n"
                      "TB_FN void tb_put(const tb_params &p, const tb_at &at, const tb_result &y)\n{\n"
                      "    tb_put_some(p, at, TB_V, y);\n}\n");
}

/* tb_put_some of a scan that picks: the lanes of a warp together. A chunk is fetched once more. */
static void put_picked(const tb_plan *p, tb_text *out)
{
    const char *t = tb__token[p->store[0].dtype];
    tb__text_addf(out,
                  "struct tb_result {\n    tb_acc count[TB_V];\n};\n"
                  "TB_FN void tb_result_set(tb_result &y, int j, tb_i64 count) { y.count[j] = (tb_acc)count; }\n"
                  "TB_FN tb_acc tb_from_lane(tb_acc s, unsigned lane);\n"
                  "TB_FN tb_reg_%s tb_compute(const tb_params &p, const tb_at &at, const tb_chunk &x, int j);\n"
                  "TB_FN tb_%s tb_picked(const tb_params &p, const tb_at &at, const tb_chunk &x, int j);\n"
                  "typedef tb_%s tb_pick;\n",
                  tb__token[tb_red_table[p->red].in], t, t);
    tb__kernel_text_add("device_pick", out);
}

static void stores(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    if (tb__picks(p)) {
        put_picked(p, out);
        return;
    }
    if (p->scatters) {
        scatter_points(p, l, out);
        return;
    }
    tb__text_add(out, "struct tb_result {\n");
    for (int k = 0; k < p->nstore; k++)
        tb__text_addf(out, "    %s<tb_%s, TB_V> y%d;\n", vector_name(l), tb__token[p->store[k].dtype], k);
    tb__text_add(out, "};\n");
    put(p, l, out);
    if (p->kind == TB_PLAN_SCAN)
        tb__text_addf(out, "TB_FN void tb_result_set(tb_result &y, int j, tb_%s value) { y.y0.v[j] = value; }\n",
                      tb__token[p->store[0].dtype]);
}

void tb__source_access(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    positions(p, l, out);
    if (tb__has_stage(l)) tb__source_stage(p, l, out);
    loads(p, l, out);
    if (p->kind == TB_PLAN_REDUCE) put_result(p, l, out);
    else stores(p, l, out);
}
