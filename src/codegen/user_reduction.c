/* user_reduction.c - the source of a user's reduction for a GPU: the kernels of src/kernels/device, which also
 * serve the built-in reductions, around the user's expressions. */
#include <string.h>

#include "base/error.h"
#include "base/half.h"
#include "codegen/kernel_text.h"
#include "codegen/user.h"

bool tb__user_post_has_position(const tb_user_reduce_code *c)
{
    return tb__find_word(c->post_map, "_i") || tb__find_word(c->post_map, "_out_ind");
}

bool tb__user_reduce_ordered(const tb_user_reduce_code *c)
{
    static const char *const words[] = {"_J", "_j", "_i", "_in_ind", "_out_ind", NULL};
    for (const char *const *w = words; *w; w++)
        if (tb__find_word(c->map, *w)) return true;
    return tb__user_post_has_position(c);
}

/* ---- indices ---------------------------------------------------------------------------------------------------- */

bool tb__user_has_indexers(const tb_user_reduce_code *c)
{
    return tb__find_word(c->map, "_in_ind") || tb__find_word(c->map, "_out_ind") ||
           tb__find_word(c->post_map, "_out_ind");
}

void tb__user_indexer_fields(const tb_user_reduce *u, tb_text *out)
{
    if (tb__user_has_indexers(u->code))
        tb__text_addf(out, "    CIndexer<%d> in_ind;\n    CIndexer<%d> out_ind;\n", u->in_ndim, u->out_ndim);
}

void tb__user_indexer_locals(const tb_user_reduce *u, bool map, const char *from, tb_text *out)
{
    const char *code = map ? u->code->map : u->code->post_map;
    if (map && tb__find_word(code, "_in_ind"))
        tb__text_addf(out, "    CIndexer<%d> _in_ind = %s.in_ind;\n    _in_ind.set(_j);\n", u->in_ndim, from);
    if (tb__find_word(code, "_out_ind"))
        tb__text_addf(out, "    CIndexer<%d> _out_ind = %s.out_ind;\n    _out_ind.set(_i);\n", u->out_ndim, from);
}

unsigned char *tb__user_put_indexer(unsigned char *to, int ndim, const int64_t *shape)
{
    int64_t size = 1;
    for (int d = 0; d < ndim; d++) size *= shape[d];
    to = tb__user_put_word(to, size);
    for (int d = 0; d < (ndim ? ndim : 1); d++) to = tb__user_put_word(to, ndim ? shape[d] : 1);
    for (int d = 0; d < (ndim ? ndim : 1); d++) to = tb__user_put_word(to, 0);
    return to;
}

/* ---- what host and device have in common ------------------------------------------------------------------------ */

static bool is_plain_type(const char *type)
{
    for (int t = 0; t < TB_NDTYPE; t++)
        if (!tb__is_half((tb_dtype)t) && t < TB_C64 && strcmp(type, tb__ctype[t]) == 0) return true;
    return false;
}

static const char *reduce_type(const tb_user_reduce *u)
{
    const tb_user_params *p = u->params;
    if (!*u->code->reduce_type) return tb__ctype[u->type[p->nin]];
    for (int k = 0; k < p->n; k++)
        if (p->param[k].letter && p->param[k].letter == u->code->reduce_type[0] && !u->code->reduce_type[1])
            return tb__ctype[u->type[k]];
    return u->code->reduce_type;
}

/* Accumulators are kept as bytes where their type may have a constructor, which shared memory does not allow. Without
 * an identity they know whether they hold anything yet, and on a GPU, where the post-map asks for it, whose they
 * are. */
static void accumulator(const tb_user_reduce *u, bool on_host, tb_text *out)
{
    const bool located = !on_host && tb__user_post_has_position(u->code), known = *u->code->identity;
    const bool plain = is_plain_type(reduce_type(u)) && !located;
    const char *merge_place = located ? "    if (t.at > s.at) s.at = t.at;\n" : "";
    tb__text_addf(out, "typedef %s _type_reduce;\n", reduce_type(u));
    if (plain && known)
        tb__text_add(out, "typedef _type_reduce tb_acc;\n#define TB_VALUE(s) (s)\n#define TB_READ(s) (s)\n");
    else
        tb__text_addf(out,
                      "struct tb_acc {\n"
                      "    alignas(alignof(_type_reduce)) unsigned char b[sizeof(_type_reduce)];\n%s%s};\n"
                      "#define TB_VALUE(s) (*(_type_reduce *)(s).b)\n"
                      "#define TB_READ(s) (*(const _type_reduce *)(s).b)\n",
                      known ? "" : "    unsigned full;\n", located ? "    long long at;\n" : "");
    tb__text_add(out, "static __device__ __forceinline__ tb_acc tb_init()\n{\n    tb_acc s;\n");
    if (known) tb__text_addf(out, "    TB_VALUE(s) = _type_reduce(%s);\n", u->code->identity);
    else tb__text_add(out, "    s.full = 0;\n");
    if (located) tb__text_add(out, "    s.at = -1;\n");
    tb__text_add(out, "    return s;\n}\n");
    tb__text_addf(out,
                  "enum { TB_ACC_BYTES = (sizeof(tb_acc) + 7) / 8 * 8 };\n"
                  "extern \"C\" {\n__device__ unsigned char tb_acc_room[TB_ACC_BYTES];\n}\n"
                  "static __device__ __forceinline__ _type_reduce _tb_join(const _type_reduce &a, const "
                  "_type_reduce &b)\n"
                  "{\n    return (%s);\n}\n",
                  u->code->reduce);
    if (known)
        tb__text_addf(out,
                      "static __device__ __forceinline__ void _tb_take(tb_acc &s, const _type_reduce &v)\n"
                      "{\n    TB_VALUE(s) = _tb_join(TB_VALUE(s), v);\n}\n"
                      "static __device__ __forceinline__ void tb_merge(tb_acc &s, const tb_acc &t)\n"
                      "{\n    TB_VALUE(s) = _tb_join(TB_VALUE(s), TB_READ(t));\n%s}\n",
                      merge_place);
    else
        tb__text_addf(out,
                      "static __device__ __forceinline__ void _tb_take(tb_acc &s, const _type_reduce &v)\n"
                      "{\n    TB_VALUE(s) = s.full ? _tb_join(TB_VALUE(s), v) : v;\n    s.full = 1;\n}\n"
                      "static __device__ __forceinline__ void tb_merge(tb_acc &s, const tb_acc &t)\n"
                      "{\n    if (t.full) _tb_take(s, TB_READ(t));\n%s}\n",
                      merge_place);
}

void tb__user_reduce_prologue(const tb_user_reduce *u, bool on_host, tb_text *out)
{
    const tb_user_reduce_code *c = u->code;
    const char *const texts[] = {c->map, c->reduce, c->post_map, c->preamble, c->identity, c->reduce_type, NULL};
    tb__user_headers(u->params, u->type, on_host, texts, out);
    tb__user_typedefs(u->params, u->type, out);
    tb__text_addf(out, "%s\n", c->preamble);
    accumulator(u, on_host, out);
}

/* ---- device ----------------------------------------------------------------------------------------------------- */

static void elements(const tb_user_reduce *u, bool *marks)
{
    for (int k = 0; k < u->params->n; k++) marks[k] = u->kind[k] == TB_USER_ELEMENT;
}

/* The plan's own parameters, and after them the user's. */
static void parameters(const tb_user_reduce *u, const tb_layout *l, tb_text *out)
{
    static const char end[] = "};\n";
    bool marks[TB_USER_MAXPARAM];
    elements(u, marks);
    tb__params_declare(u->plan, l, out);
    if (out->failed) return;
    out->len -= sizeof end - 1;
    tb__user_fields(u->params, u->type, marks, u->raw, out);
    tb__user_indexer_fields(u, out);
    tb__text_add(out, end);
}

/* In functions with the user's code every other name begins with _tb_. */
static void locals(const tb_user_reduce *u, tb_text *out)
{
    bool marks[TB_USER_MAXPARAM];
    elements(u, marks);
    tb__user_locals(u->params, u->type, marks, u->raw, "_tb_p", out);
}

/* A point is what the loads give; the map is applied when it joins an accumulator, where its position is known. */
static void point(const tb_user_reduce *u, const tb_layout *l, tb_text *out)
{
    const tb_user_params *p = u->params;
    tb__text_add(out, "template <class T, class S> TB_FN T tb_as(const S &s)\n{\n    T t;\n"
                      "    memcpy(&t, &s, sizeof t);\n"
                      "    return t;\n}\nstruct tb_point {\n    const tb_params *p;\n    ptrdiff_t i;\n");
    for (int k = 0, x = 0; k < p->nin; k++)
        if (u->kind[k] == TB_USER_ELEMENT) tb__text_addf(out, "    %s x%d;\n", tb__ctype[u->type[k]], x++);
    tb__text_addf(out,
                  "};\n"
                  "TB_FN tb_point tb_compute(const tb_params &p, const tb_at &at, const tb_chunk &x, int j)\n{\n"
                  "    tb_point v;\n    v.p = &p;\n    v.i = (ptrdiff_t)at.c%s;\n",
                  l->form == TB_FORM_COLUMN ? " * TB_V + j" : "");
    for (int k = 0, x = 0; k < p->nin; k++) {
        if (u->kind[k] != TB_USER_ELEMENT) continue;
        const bool one = l->access[x] == TB_ACCESS_SAME || l->access[x] == TB_ACCESS_SPREAD;
        tb__text_addf(out, "    v.x%d = tb_as<%s>(x.x%d%s);\n", x, tb__ctype[u->type[k]], x, one ? "" : ".v[j]");
        x++;
    }
    tb__text_add(out, "    return v;\n}\nTB_FN void tb_step(tb_acc &_tb_s, const tb_point &_tb_v, tb_i64 _tb_at)\n{\n"
                      "    const tb_params &_tb_p = *_tb_v.p;\n");
    locals(u, out);
    for (int k = 0, x = 0; k < p->nin; k++)
        if (u->kind[k] == TB_USER_ELEMENT)
            tb__text_addf(out, "    const %s &%s = _tb_v.x%d;\n", tb__ctype[u->type[k]], p->param[k].name, x++);
    if (tb__user_reduce_ordered(u->code))
        tb__text_addf(out, "    const ptrdiff_t _J = _tb_at, _i = _tb_v.i, _j = _i + _J * (ptrdiff_t)_tb_p.rows%s;\n",
                      l->form == TB_FORM_COLUMN ? " * TB_V" : "");
    tb__user_indexer_locals(u, true, "_tb_p", out);
    if (tb__user_post_has_position(u->code)) tb__text_add(out, "    _tb_s.at = _tb_v.i;\n");
    tb__text_addf(out, "    _tb_take(_tb_s, static_cast<_type_reduce>(%s));\n}\n", u->code->map);
}

static void result(const tb_user_reduce *u, tb_text *out)
{
    const tb_user_params *p = u->params;
    const char *token = tb__token[u->type[p->nin]];
    tb__text_addf(out, "TB_FN tb_%s tb_final(tb_acc _tb_s, const tb_params &_tb_p)\n{\n", token);
    locals(u, out);
    if (tb__user_post_has_position(u->code)) tb__text_add(out, "    const ptrdiff_t _i = _tb_s.at;\n");
    tb__user_indexer_locals(u, false, "_tb_p", out);
    tb__text_addf(out,
                  "    _type_reduce a = TB_VALUE(_tb_s);\n    %s _tb_result{};\n    {\n"
                  "    %s &%s = _tb_result;\n%s;\n    }\n"
                  "    return tb_as<tb_%s>(_tb_result);\n}\n",
                  tb__ctype[u->type[p->nin]], tb__ctype[u->type[p->nin]], p->param[p->nin].name, u->code->post_map,
                  token);
}

static void kernel(const tb_layout *l, tb_text *out)
{
    tb__kernel_text_add("device_combine", out);
    if (l->form == TB_FORM_COLUMN) {
        tb__kernel_text_add("device_column", out);
        return;
    }
    tb__text_add(out, "TB_FN bool tb_is_absorbed(const tb_acc &) { return false; }\n");
    tb__kernel_text_add("device_strip", out);
    tb__kernel_text_add(l->form == TB_FORM_ROW_WARP ? "device_row_warp device_rows" : "device_row_block", out);
}

tb_status tb__user_reduction(const tb_user_reduce *u, const tb_layout *l, tb_text *out)
{
    tb__user_reduce_prologue(u, false, out);
    tb__kernel_text_add("types", out);
    tb__kernel_text_add("device_wait device_base", out);
    tb__kernel_text_add(l->wide ? "device_wide" : "device_narrow", out);
    tb__text_addf(out, "enum { TB_V = %d, TB_U = %d, TB_PLAIN = %d, TB_STAGED = %d };\n", l->vec, l->unroll, l->plain,
                  l->staged);
    parameters(u, l, out);
    tb__source_access(u->plan, l, out);
    point(u, l, out);
    result(u, out);
    kernel(l, out);
    return out->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory while writing a kernel's source") : TB_OK;
}
