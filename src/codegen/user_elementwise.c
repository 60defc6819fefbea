/* user_elementwise.c - the source of an elementwise user kernel for one variant.
 *
 * The user's operation becomes a lambda of the index and of references to elements. What calls it differs: on a GPU a
 * thread takes `unroll` times `vector` elements, whose inputs it reads first (outputs are read too; where the operation
 * always assigns them the compiler drops those reads); on the CPU a block of one thread takes a stretch of the range in
 * a plain loop that the host's compiler can vectorise. */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "codegen/kernel_text.h"
#include "codegen/user.h"

/* ---- what the code tells ---------------------------------------------------------------------------------------- */

/* "&x" or "& x", but not "a && x" or "a & x": an address is taken where an operand could begin. */
bool tb__takes_address(const char *code, const char *name)
{
    for (const char *s = code; (s = tb__find_word(s, name)) != NULL; s++) {
        const char *at = s;
        while (at > code && isspace((unsigned char)at[-1])) at--;
        if (at == code || *--at != '&') continue;
        if (at > code && at[-1] == '&') continue;
        while (at > code && isspace((unsigned char)at[-1])) at--;
        if (at == code || !(isalnum((unsigned char)at[-1]) || strchr("_)]", at[-1]))) return true;
    }
    return false;
}

void tb__user_traits(const tb_user_params *p, const tb_user_code *c, tb_user_traits *t)
{
    static const char *const against[] = {"for",        "while",         "asm",        "threadIdx", "blockIdx",
                                          "__shared__", "__syncthreads", "__syncwarp", NULL};
    const size_t length = strlen(c->operation) + strlen(c->preamble);
    t->indexer = tb__find_word(c->operation, "_ind") || tb__find_word(c->loop_prep, "_ind") ||
                 tb__find_word(c->after_loop, "_ind");
    t->work = length < 240 ? 0 : length < 1000 ? 1 : 2;
    t->vector = t->work < 2 && !*c->loop_prep && !*c->after_loop;
    for (int k = 0; against[k]; k++) t->vector = t->vector && !tb__find_word(c->operation, against[k]);
    for (int k = 0; k < p->n && t->vector; k++) {
        const tb_user_param *q = &p->param[k];
        if (q->raw ? q->writable : tb__takes_address(c->operation, q->name)) t->vector = false;
    }
}

/* ---- the parameter block ---------------------------------------------------------------------------------------- */

static bool is_element(const tb_user_variant *v, int k) { return v->kind[k] == TB_USER_ELEMENT; }

static void mark_elements(const tb_user_params *p, const tb_user_variant *v, bool *marks)
{
    for (int k = 0; k < p->n; k++) marks[k] = is_element(v, k);
}

static void divisors(const tb_user_variant *v, tb_text *out)
{
    if (v->wide)
        tb__text_add(out, "typedef unsigned long long _tb_idx;\ntypedef long long _tb_off;\n"
                          "struct _tb_divisor {\n    _tb_idx n, unused;\n};\n"
                          "static __device__ __forceinline__ _tb_idx _tb_divide(_tb_idx x, const _tb_divisor &d)\n"
                          "{\n    return x / d.n;\n}\n");
    else
        tb__text_add(out, "typedef unsigned _tb_idx;\ntypedef int _tb_off;\n"
                          "struct _tb_divisor {\n    unsigned n, factor, shift, unused;\n};\n"
                          "static __device__ __forceinline__ _tb_idx _tb_divide(_tb_idx x, const _tb_divisor &d)\n"
                          "{\n    return (__umulhi(x, d.factor) + x) >> d.shift;\n}\n");
}

static void declare(const tb_user_params *p, const tb_user_variant *v, bool indexer, tb_text *out)
{
    bool marks[TB_USER_MAXPARAM];
    mark_elements(p, v, marks);
    tb__text_add(out, "struct _tb_args {\n    long long n;\n");
    for (int d = 0; d < v->ndim && (indexer || !v->flat); d++)
        tb__text_addf(out, "    alignas(8) _tb_divisor d%d;\n", d);
    for (int k = 0; k < p->n; k++) {
        if (!is_element(v, k)) continue;
        tb__text_addf(out, "    char *p%d;\n", k);
        for (int d = 0; d < v->ndim && v->access[k] >= TB_USER_UNIT; d++)
            tb__text_addf(out, "    long long s%d_%d;\n", k, d);
    }
    tb__user_fields(p, v->type, marks, v->raw, out);
    tb__text_add(out, "};\n");
}

/* ---- the body --------------------------------------------------------------------------------------------------- */

static const char *const_of(const tb_user_params *p, int k) { return p->param[k].writable ? "" : "const "; }

static void body(const tb_user_params *p, const tb_user_code *c, const tb_user_variant *v, bool indexer, tb_text *out)
{
    tb__text_add(out, "    auto _tb_body = [&](const ptrdiff_t i");
    for (int k = 0; k < p->n; k++)
        if (is_element(v, k)) tb__text_addf(out, ", %s%s &%s", const_of(p, k), tb__ctype[v->type[k]], p->param[k].name);
    tb__text_add(out, ") __attribute__((always_inline)) {\n");
    if (indexer) tb__text_add(out, "    _ind.set(i);\n");
    tb__text_addf(out, "    do {\n%s;\n    } while (0);\n    };\n", c->operation);
}

static void index_object(const tb_user_params *p, const tb_user_variant *v, bool indexer, tb_text *out)
{
    bool taken = false;
    for (int k = 0; k < p->n; k++) taken |= strcmp(p->param[k].name, "n") == 0;
    if (!taken) tb__text_add(out, "    const ptrdiff_t n = _tb.n;\n");
    if (!indexer) return;
    tb__text_addf(out, "    CIndexer<%d> _ind;\n    _ind.size_ = _tb.n;\n", v->ndim);
    for (int d = 0; d < v->ndim; d++) tb__text_addf(out, "    _ind.shape_[%d] = _tb.d%d.n;\n", d, d);
}

/* A call of the body: `at` is the element's number, `form` writes one element argument. */
typedef void element_writer(const tb_user_params *p, const tb_user_variant *v, int k, tb_text *out);

static void call(const tb_user_params *p, const tb_user_variant *v, const char *at, element_writer *form, tb_text *out)
{
    tb__text_addf(out, "_tb_body((ptrdiff_t)(%s)", at);
    for (int k = 0; k < p->n; k++) {
        if (!is_element(v, k)) continue;
        tb__text_add(out, ", ");
        form(p, v, k, out);
    }
    tb__text_add(out, ");\n");
}

static void element_flat(const tb_user_params *p, const tb_user_variant *v, int k, tb_text *out)
{
    (void)p;
    tb__text_addf(out, v->access[k] == TB_USER_SAME ? "*_tb_p%d" : "_tb_p%d[_tb_k]", k);
}

static void element_vector(const tb_user_params *p, const tb_user_variant *v, int k, tb_text *out)
{
    (void)p;
    if (v->access[k] == TB_USER_SAME) tb__text_addf(out, "_tb_one%d", k);
    else tb__text_addf(out, "_tb_v%d[u].v[j]", k);
}

static void element_offset(const tb_user_params *p, const tb_user_variant *v, int k, tb_text *out)
{
    const char *t = tb__ctype[v->type[k]];
    if (v->access[k] == TB_USER_SAME) tb__text_addf(out, "*(%s%s *)_tb.p%d", const_of(p, k), t, k);
    else if (v->access[k] == TB_USER_LINEAR) tb__text_addf(out, "((%s%s *)_tb.p%d)[_tb_k]", const_of(p, k), t, k);
    else tb__text_addf(out, "*(%s%s *)(_tb.p%d + _tb_o%d)", const_of(p, k), t, k, k);
}

static void element_row(const tb_user_params *p, const tb_user_variant *v, int k, tb_text *out)
{
    const char *t = tb__ctype[v->type[k]];
    switch ((tb_user_access)v->access[k]) {
    case TB_USER_SAME: tb__text_addf(out, "*(%s%s *)_tb.p%d", const_of(p, k), t, k); break;
    case TB_USER_LINEAR: tb__text_addf(out, "((%s%s *)_tb.p%d)[_tb_k + j]", const_of(p, k), t, k); break;
    case TB_USER_UNIT: tb__text_addf(out, "((%s%s *)_tb_b%d)[j]", const_of(p, k), t, k); break;
    case TB_USER_SPREAD: tb__text_addf(out, "*(%s%s *)_tb_b%d", const_of(p, k), t, k); break;
    default: tb__text_addf(out, "*(%s%s *)(_tb_b%d + j * _tb.s%d_%d)", const_of(p, k), t, k, k, v->ndim - 1);
    }
}

static void flat_pointers(const tb_user_params *p, const tb_user_variant *v, tb_text *out)
{
    for (int k = 0; k < p->n; k++)
        if (is_element(v, k))
            tb__text_addf(out, "    %s%s *const _tb_p%d = (%s%s *)_tb.p%d;\n", const_of(p, k), tb__ctype[v->type[k]], k,
                          const_of(p, k), tb__ctype[v->type[k]], k);
}

/* Offsets of the element whose number is in the variable `_tb_r`, which is used up. */
static void offsets(const tb_user_params *p, const tb_user_variant *v, tb_text *out)
{
    for (int k = 0; k < p->n; k++)
        if (is_element(v, k) && v->access[k] >= TB_USER_UNIT) tb__text_addf(out, "    _tb_off _tb_o%d = 0;\n", k);
    for (int d = v->ndim - 1; d >= 0; d--) {
        if (d > 0)
            tb__text_addf(out,
                          "    _tb_q = _tb_divide(_tb_r, _tb.d%d);\n"
                          "    _tb_c = _tb_r - _tb_q * (_tb_idx)_tb.d%d.n;\n",
                          d, d);
        else tb__text_add(out, "    _tb_c = _tb_r;\n");
        for (int k = 0; k < p->n; k++)
            if (is_element(v, k) && v->access[k] >= TB_USER_UNIT)
                tb__text_addf(out, "    _tb_o%d += (_tb_off)_tb_c * (_tb_off)_tb.s%d_%d;\n", k, k, d);
        if (d > 0) tb__text_add(out, "    _tb_r = _tb_q;\n");
    }
}

/* ---- GPU -------------------------------------------------------------------------------------------------------- */

/* U vectors of V elements, a block's width apart; the last block, where it is not full, goes element by element. */
static void device_vector(const tb_user_params *p, const tb_user_variant *v, tb_text *out)
{
    tb__text_addf(out, "    enum { V = %d, U = %d };\n", v->vector, v->unroll);
    tb__text_add(out, "    const _tb_idx _tb_n = (_tb_idx)_tb.n, _tb_step = blockDim.x;\n"
                      "    const _tb_idx _tb_b = (_tb_idx)blockIdx.x * (_tb_step * U), _tb_c = _tb_b + threadIdx.x;\n"
                      "    if ((_tb_b + _tb_step * U) * V <= _tb_n) {\n");
    for (int k = 0; k < p->n; k++) {
        if (!is_element(v, k)) continue;
        const char *t = tb__ctype[v->type[k]];
        if (v->access[k] == TB_USER_SAME) tb__text_addf(out, "        const %s _tb_one%d = *_tb_p%d;\n", t, k, k);
        else tb__text_addf(out, "        _tb_vec<%s, V> _tb_v%d[U];\n", t, k);
    }
    tb__text_add(out, "#pragma unroll\n        for (int u = 0; u < U; u++) {\n");
    for (int k = 0; k < p->n; k++)
        if (is_element(v, k) && v->access[k] != TB_USER_SAME)
            tb__text_addf(out, "            _tb_v%d[u] = ((const _tb_vec<%s, V> *)_tb_p%d)[_tb_c + u * _tb_step];\n", k,
                          tb__ctype[v->type[k]], k);
    tb__text_add(out, "        }\n#pragma unroll\n        for (int u = 0; u < U; u++) {\n#pragma unroll\n"
                      "            for (int j = 0; j < V; j++)\n                ");
    call(p, v, "(_tb_c + u * _tb_step) * V + j", element_vector, out);
    for (int k = 0; k < p->n; k++)
        if (is_element(v, k) && p->param[k].writable)
            tb__text_addf(out, "            ((_tb_vec<%s, V> *)_tb_p%d)[_tb_c + u * _tb_step] = _tb_v%d[u];\n",
                          tb__ctype[v->type[k]], k, k);
    tb__text_add(out, "        }\n    } else {\n#pragma unroll 1\n"
                      "        for (_tb_idx _tb_k = _tb_b * V + threadIdx.x; _tb_k < _tb_n; _tb_k += _tb_step)\n"
                      "            ");
    call(p, v, "_tb_k", element_flat, out);
    tb__text_add(out, "    }\n");
}

static void device_flat(const tb_user_params *p, const tb_user_variant *v, tb_text *out)
{
    tb__text_add(out, "    const _tb_idx _tb_k = (_tb_idx)blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "    if (_tb_k < (_tb_idx)_tb.n) ");
    call(p, v, "_tb_k", element_flat, out);
}

static void device_strided(const tb_user_params *p, const tb_user_variant *v, tb_text *out)
{
    tb__text_add(out, "    const _tb_idx _tb_k = (_tb_idx)blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "    if (_tb_k < (_tb_idx)_tb.n) {\n    _tb_idx _tb_r = _tb_k, _tb_q, _tb_c;\n");
    offsets(p, v, out);
    tb__text_add(out, "    ");
    call(p, v, "_tb_k", element_offset, out);
    tb__text_add(out, "    }\n");
}

/* ---- CPU -------------------------------------------------------------------------------------------------------- */

/* Whether iterations have nothing but their own elements in common. */
static bool is_independent(const tb_user_params *p, const tb_user_code *c, bool indexer)
{
    for (int k = 0; k < p->n; k++)
        if (p->param[k].raw && p->param[k].writable) return false;
    return !indexer && !*c->loop_prep && !*c->after_loop && !*c->preamble;
}

static void host_loop(const tb_user_params *p, const tb_user_code *c, const tb_user_variant *v, bool indexer,
                      tb_text *out)
{
    const char *ivdep =
        !is_independent(p, c, indexer)
            ? ""
            : "#ifdef __clang__\n#pragma clang loop vectorize(assume_safety)\n#else\n#pragma GCC ivdep\n"
              "#endif\n";
    tb__text_addf(out,
                  "    const long long _tb_lo = (long long)blockIdx.x * %d, _tb_hi = _tb.n - _tb_lo < %d ? "
                  "_tb.n : "
                  "_tb_lo + %d;\n",
                  TB_USER_HOST_CHUNK, TB_USER_HOST_CHUNK, TB_USER_HOST_CHUNK);
    if (v->flat) {
        tb__text_addf(out, "%s    for (long long _tb_k = _tb_lo; _tb_k < _tb_hi; _tb_k++)\n        ", ivdep);
        call(p, v, "_tb_k", element_flat, out);
        return;
    }
    tb__text_add(out, "    for (long long _tb_k = _tb_lo; _tb_k < _tb_hi;) {\n"
                      "    _tb_idx _tb_r = _tb_k, _tb_q, _tb_c;\n");
    offsets(p, v, out);
    tb__text_addf(out, "    const long long _tb_in = _tb_k %% (long long)_tb.d%d.n, _tb_left = _tb.d%d.n - _tb_in;\n",
                  v->ndim - 1, v->ndim - 1);
    tb__text_add(out, "    const long long _tb_m = _tb_hi - _tb_k < _tb_left ? _tb_hi - _tb_k : _tb_left;\n");
    for (int k = 0; k < p->n; k++)
        if (is_element(v, k) && v->access[k] >= TB_USER_UNIT)
            tb__text_addf(out, "    char *const _tb_b%d = _tb.p%d + _tb_o%d;\n", k, k, k);
    tb__text_addf(out, "%s    for (long long j = 0; j < _tb_m; j++)\n        ", ivdep);
    call(p, v, "_tb_k + j", element_row, out);
    tb__text_add(out, "    _tb_k += _tb_m;\n    }\n");
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

tb_status tb__user_elementwise(const tb_user_params *p, const tb_user_code *c, const tb_user_variant *v, tb_text *out)
{
    const char *const texts[] = {c->operation, c->preamble, c->loop_prep, c->after_loop, NULL};
    tb_user_traits traits;
    bool marks[TB_USER_MAXPARAM];
    tb__user_traits(p, c, &traits);
    mark_elements(p, v, marks);
    tb__user_headers(p, v->type, v->on_host, texts, out);
    tb__user_typedefs(p, v->type, out);
    tb__text_addf(out, "%s\n", c->preamble);
    divisors(v, out);
    if (v->vector)
        tb__text_add(out, "template <typename T, int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) "
                          "_tb_vec {\n"
                          "    T v[N];\n};\n");
    declare(p, v, traits.indexer, out);
    if (!v->on_host) tb__kernel_text_add("device_wait", out);
    tb__text_addf(out, "extern \"C\" __global__ void %s(const __grid_constant__ _tb_args _tb)\n{\n", c->name);
    if (!v->on_host) tb__text_add(out, "    tb_wait();\n");
    tb__user_locals(p, v->type, marks, v->raw, "_tb", out);
    index_object(p, v, traits.indexer, out);
    if (*c->loop_prep) tb__text_addf(out, "%s;\n", c->loop_prep);
    body(p, c, v, traits.indexer, out);
    if (v->flat) flat_pointers(p, v, out);
    if (v->on_host) host_loop(p, c, v, traits.indexer, out);
    else if (!v->flat) device_strided(p, v, out);
    else if (v->vector) device_vector(p, v, out);
    else device_flat(p, v, out);
    if (*c->after_loop) tb__text_addf(out, "%s;\n", c->after_loop);
    tb__text_add(out, "}\n");
    return out->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory while writing a kernel's source") : TB_OK;
}
