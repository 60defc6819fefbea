/* test_user_kernels.c - the sources of user kernels through the runtime compiler, for the oldest and a new
 * architecture: every dtype, layout, kind of argument and form of reduction, and every special function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/fft.h"
#include "codegen/kernel_text.h"
#include "codegen/special.h"
#include "codegen/user.h"
#include "nvrtc.h"
#include "tables/loops.h"

static nvrtc_api api;
static int failures, compiled;

static void compile(const char *what, const tb_text *source)
{
    if (!strstr(source->s, ")\n{\n    tb_wait();\n") && !strstr(source->s, ")\n{\ntb_wait();\n")) {
        fprintf(stderr, "%s: a kernel that does not wait for what precedes it:\n%s\n", what, source->s);
        failures++;
    }
    static const char *const archs[] = {"sm_75", "sm_90", NULL};
    static const char *const options[] = {"--std=c++17", NULL};
    for (int k = 0; archs[k]; k++) {
        compiled++;
        if (nvrtc_compile(&api, source->s, archs[k], options)) continue;
        failures++;
        fprintf(stderr, "%s does not compile:\n%s\n", what, source->s);
    }
}

typedef struct example {
    const char *in, *out;
    tb_user_code code;
    uint8_t real_only;
} example;

static const example elementwise[] = {
    {"T x, T y", "T z", {"k", "z = (x - y) * (x - y)", "", "", ""}, 0},
    {"T x, T y", "T z", {"k", "if (x == y) return;\nz = x;", "", "", ""}, 0},
    {"T x, raw T t, int32 n", "T z", {"k", "z = t[n - 1 - i] + x", "", "", ""}, 0},
    {"T x, raw T t",
     "T z, int64 w",
     {"k",
      "ptrdiff_t j[] = {0, (ptrdiff_t)(i % 2)}; z = t[_ind.get()] + t[j] * *t.begin(); w = t.size() + "
      "t.shape()[0] + "
      "t.strides()[1] + t.ndim + n + _ind.size();",
      "", "", ""},
     0},
    {"raw T x", "raw T y", {"k", "y[i] = x[i]; *(&y[0] + i) = x[0];", "", "", ""}, 0},
    {"T x",
     "T y",
     {"k", "a += x; y = twice(x)", "static __device__ T twice(T v) { return v + v; }", "T a = T()",
      "if (n < 0) "
      "twice(a)"},
     0},
    {"T x, T y",
     "bool z, float16 h, complex64 c",
     {"k", "z = x < y; h = (float)i; c = complex<float>(1, 2) * h", "", "", ""},
     0},
    {"T x, _non_const T y", "", {"k", "y = x; if (i == 3) { return; }", "", "", ""}, 0},
    {"T x, T y",
     "T z",
     {"k",
      "z = x > y ? x : y; int32_t a = 0; (void)a; for (int j = 0; j < 3; j++) { if (j == 1) "
      "continue; "
      "z += x; }",
      "", "", ""},
     1},
    {"T x, T y", "T z", {"k", "z = x; atomicAdd(&w, 1)", "__device__ int w;", "", ""}, 0},
    {"complex128 x, complex64 y",
     "complex128 z, float64 r",
     {"k", "z = exp(x) + pow(x, 2) * conj(y) - sqrt(x) / 3 + 1; r = abs(x) + x.real() + y.imag() + arg(y)", "", "", ""},
     2},
    /* What ops/user_fuse.c makes of a kernel whose input is pending. */
    {"float32 y, float32 _fused_0, float64 _fused_1",
     "float32 z",
     {"k",
      "typedef float T;\ntypedef unsigned int tb_u32;\nfloat _fused_2;\n"
      "{ const float a = _fused_0; const float b = y; _fused_2 = (float)(__fmul_rn(a, b)); }\ndouble _fused_3;\n"
      "{ const double a = _fused_1; _fused_3 = (double)(__dmul_rn(a, a)); }\nconst float &x = _fused_2;\n"
      "{\nT v = x; z = v * y + (T)_fused_3; if (z > 1) return;\n}",
      "", "", ""},
     0},
    {"T x", "T y, float64 w", {"k", "y = special::gammainc(x, x); w = special::j0((int)i)", "", "", ""}, 1},
    {"T x, float64 s",
     "T y, complex128 z",
     {"k", "y = special::sici(x).first + special::expit(s); z = special::lambertw(complex<double>(x), 0, 1e-8)", "", "",
      ""},
     2},
    {"float16 x, float16 y",
     "float16 z",
     {"k", "z = x * y + exp(x); z += 2; if (isnan(x)) z = max(x, y)", "", "", ""},
     2},
};

/* All parameters typed t; element accesses cycle through the classes from `access` on. */
static void elementwise_variant(const example *e, tb_dtype t, int layout)
{
    tb_user_params p;
    tb_user_variant v;
    tb_text out = {0};
    if (tb__user_params_parse("test", e->in, e->out, &p) != TB_OK) {
        fprintf(stderr, "%s\n", tb_error_message());
        failures++;
        return;
    }
    memset(&v, 0, sizeof v);
    tb_user_traits traits;
    tb__user_traits(&p, &e->code, &traits);
    v.flat = layout < 3;
    v.ndim = layout < 3 ? 1 : (uint8_t)(layout - 1);
    v.wide = layout == 1 || layout == 4;
    v.unroll = 1;
    if (layout != 1 && layout < 3 && traits.vector) {
        v.vector = layout == 0 ? 4 : 1;
        v.unroll = layout == 0 ? 2 : 4;
    }
    for (int k = 0; k < p.n; k++) {
        v.type[k] = p.param[k].dtype == TB_NODTYPE ? (uint8_t)t : (uint8_t)p.param[k].dtype;
        v.kind[k] = p.param[k].raw ? TB_USER_RAW : strcmp(p.param[k].name, "n") == 0 ? TB_USER_SCALAR : TB_USER_ELEMENT;
        v.raw[k] =
            (tb_user_raw){.ndim = p.param[k].raw ? 2 : TB_NODTYPE, .contiguous = layout & 1, .narrow = layout & 2};
        v.access[k] = v.flat
                          ? (k == 1 && k < p.nin && !p.param[k].writable && layout == 2 ? TB_USER_SAME : TB_USER_LINEAR)
                          : (uint8_t)(TB_USER_LINEAR + (k + layout) % 4);
    }
    if (tb__user_elementwise(&p, &e->code, &v, &out) == TB_OK) compile(e->code.operation, &out);
    else failures++;
    tb__text_free(&out);
    tb__user_params_free(&p);
}

/* ---- reductions ------------------------------------------------------------------------------------------------- */

typedef struct reduction {
    const char *in, *out;
    tb_user_reduce_code code;
    bool real_only;
} reduction;

static const reduction reductions[] = {
    {"T x", "T y", {"x * x", "a + b", "y = a", "", "0", ""}, false},
    {"T x", "T y", {"x", "a < b ? a : b", "y = a", "", "", ""}, true},
    {"T x, T w, raw T t, float64 s",
     "float64 y",
     {"x * w * t[_J % 2]", "a + b", "y = a * s + t[0]", "", "0", "double"},
     true},
    {"T x",
     "int64 y",
     {"best(x, _J)", "a.at < 0 || (b.at >= 0 && b.v > a.v) ? b : a", "y = a.at",
      "struct best {\n    T v;\n    long long at;\n    __device__ best() : at(-1) {}\n"
      "    __device__ best(T x, long long i) : v(x), at(i) {}\n};",
      "best()", "best"},
     true},
    {"float32 w, float32 _fused_0, int32 _fused_1",
     "float32 y",
     {"[&]() -> _type_reduce {\nfloat _fused_2;\n{ const float a = _fused_0; _fused_2 = (float)(a + _fused_1); }\n"
      "const float &x = _fused_2;\nreturn static_cast<_type_reduce>(x * w + _J);\n}()",
      "a + b", "y = a", "typedef float T;", "0", "float"},
     true},
    {"T x",
     "float64 y",
     {"x * _in_ind.get()[0] + _out_ind.size()", "a + b", "y = a + _out_ind.get()[0] + _i", "", "0", ""},
     true},
    {"T x", "T y", {"x", "a < b ? b : a", "y = a * _out_ind.get()[0]", "", "", ""}, true},
    {"T x", "complex128 y", {"complex<double>(x)", "a * b", "y = exp(a)", "", "1", ""}, false},
    {"T x", "float16 y", {"x", "a + b", "y = a", "", "0", "float"}, true},
};

/* form: 0 all, 1 rows, 2 columns, 3 a middle axis, 4 short rows, 5 rows that are not aligned. */
static void make_plan(tb_plan *p, const tb_user_params *params, const uint8_t *type, const uint8_t *kind, int form)
{
    static char memory[64];
    static const int64_t shapes[][3] = {{1, 1, 1 << 20}, {1, 64, 1 << 16}, {1, 1 << 10, 1 << 10},
                                        {64, 100, 128},  {1, 1 << 20, 16}, {1, 77, 1023}};
    static const uint32_t reduced[] = {7, 4, 2, 2, 4, 4};
    memset(p, 0, sizeof *p);
    p->kind = TB_PLAN_REDUCE;
    p->ndim = 3;
    p->nstore = 1;
    p->reduced = reduced[form];
    memcpy(p->shape, shapes[form], sizeof shapes[form]);
    for (int k = 0; k < params->nin; k++) {
        if (kind[k] != TB_USER_ELEMENT) continue;
        tb_load *l = &p->load[p->nload++];
        l->ptr = memory;
        l->dtype = type[k];
        l->strides[2] = (int64_t)tb_dtype_size((tb_dtype)type[k]);
        l->strides[1] = l->strides[2] * p->shape[2];
        l->strides[0] = l->strides[1] * p->shape[1];
    }
    p->store[0].ptr = memory;
    p->store[0].dtype = type[params->nin];
    int64_t stride = (int64_t)tb_dtype_size((tb_dtype)type[params->nin]);
    for (int d = 2; d >= 0; d--) {
        if (p->reduced >> d & 1) continue;
        p->store[0].strides[d] = stride;
        stride *= p->shape[d];
    }
}

static void reduction_variant(const reduction *e, tb_dtype t, int form)
{
    static tb_plan plan;
    static const tb_chip chip = {.sms = 132, .threads_per_sm = 2048, .max_shared = 49152};
    tb_user_params p;
    tb_user_raw raw[TB_USER_MAXPARAM];
    tb_layout layout;
    tb_geometry geometry;
    tb_text out = {0};
    uint8_t type[TB_USER_MAXPARAM], kind[TB_USER_MAXPARAM];
    if (tb__user_params_parse("test", e->in, e->out, &p) != TB_OK) {
        failures++;
        return;
    }
    for (int k = 0; k < p.n; k++) {
        type[k] = p.param[k].dtype == TB_NODTYPE ? (uint8_t)t : (uint8_t)p.param[k].dtype;
        kind[k] = p.param[k].raw ? TB_USER_RAW : strcmp(p.param[k].name, "s") == 0 ? TB_USER_SCALAR : TB_USER_ELEMENT;
        raw[k] = (tb_user_raw){.ndim = p.param[k].raw ? 1 : TB_NODTYPE, .contiguous = true, .narrow = true};
    }
    make_plan(&plan, &p, type, kind, form);
    plan.red = tb__red_find(tb__user_reduce_ordered(&e->code) ? TB_REDUCE_ARGMAX : TB_REDUCE_SUM,
                            (tb_dtype)plan.load[0].dtype);
    tb__plan_finish(&plan);
    tb__layout(&plan, NULL, &layout);
    tb__geometry(&plan, &chip, &layout, &geometry);
    layout.plain = geometry.parts == 1;
    const tb_user_reduce u = {.params = &p,
                              .code = &e->code,
                              .type = type,
                              .kind = kind,
                              .raw = raw,
                              .plan = &plan,
                              .in_ndim = 3,
                              .out_ndim = 1};
    if (tb__user_reduction(&u, &layout, &out) == TB_OK) compile(e->code.map, &out);
    else failures++;
    tb__text_free(&out);
    tb__user_params_free(&p);
}

/* ---- special functions ------------------------------------------------------------------------------------------ */

static const char *c_type(int dtype) { return dtype == TB_F16 ? "float" : tb__ctype[dtype]; }

/* y[n] = special::NAME(...) with arguments of a loop's types; whatever is no float or double is an integer here. */
static void call_loop(const char *name, const tb_loop_info *l, bool pair, int n, tb_text *out)
{
    tb__text_addf(out, "    { auto r = special::%s(", name);
    for (int k = 0; k < l->nin; k++) tb__text_addf(out, "%s(%s)x[%d]", k ? ", " : "", c_type(l->in[k]), k);
    tb__text_addf(out, "); %s t = %s; y[%d] = *(char *)&t; }\n", l->in[0] == TB_F16 ? "auto" : tb__ctype[l->out],
                  pair ? "r.second" : "r", n);
}

/* What makes both results of another function is for that alone. */
static bool makes_both(const tb_ufunc *u)
{
    for (int op = 0; op < TB_NOP; op++)
        if (tb_op_table[op].both == u) return true;
    return false;
}

/* Complex of real numbers, for which kernels take the parts: no argument tells whose complex type it would be. */
static bool has_no_type(const tb_loop_info *l)
{
    bool complex = false;
    for (int k = 0; k < l->nin; k++) complex = complex || tb_dtype_kind((tb_dtype)l->in[k]) == TB_KIND_COMPLEX;
    return !complex && tb_dtype_kind((tb_dtype)l->out) == TB_KIND_COMPLEX;
}

/* All functions in one source, which is what a header's text is; without a wait, so that it is compiled here. */
static void special_functions(void)
{
    static const char *const archs[] = {"compute_75", "compute_90"}, *const options[] = {"--std=c++17", NULL};
    tb_text out = {0};
    int n = 0;
    tb__kernel_text_add("user_complex", &out);
    tb__special_functions(NULL, &out);
    tb__text_add(&out, "extern \"C\" __global__ void k(const double *x, char *y)\n{\n");
    for (int op = 0; op < TB_NOP; op++) {
        const tb_ufunc *u = &tb_op_table[op];
        if (!(u->facts & TB_FACT_SPECIAL) || makes_both(u)) continue;
        const char *name = strchr(u->name, '.') + 1;
        for (int k = 0; k < u->count; k++) {
            const tb_loop_info *l = &tb_loop_table[u->first + k];
            if (!has_no_type(l)) call_loop(name + (*name == '_'), l, u->nout == 2, n++, &out);
        }
    }
    tb__text_add(&out, "}\n");
    for (int k = 0; k < 2; k++) {
        compiled++;
        if (nvrtc_compile(&api, out.s, archs[k], options)) continue;
        failures++;
        fprintf(stderr, "special functions do not compile for %s\n", archs[k]);
    }
    tb__text_free(&out);
}

/* Functions that cuFFT's kernels call, with either type of offsets. */
static void callbacks(void)
{
    static const char *const archs[] = {"sm_75", "sm_90"}, *const options[] = {"-dlto", "-rdc=true", NULL};
    static const char *const types[] = {"cufftComplex", "cufftDoubleComplex", "cufftReal", "cufftDoubleReal"};
    static const char load[] = "__device__ %s f(void *data, %s i, void *, void *) { return ((%s *)data)[i]; }\n";
    static const char store[] = "__device__ void f(void *data, %s i, %s x, void *, void *) { ((%s *)data)[i] = x; }\n";
    for (int k = 0; k < 16; k++) {
        const char *t = types[k / 4], *offset = k & 1 ? "size_t" : "unsigned long long";
        tb_text code = {0}, out = {0};
        tb__kernel_text_add("user_cufft", &code);
        tb__text_addf(&code, k & 2 ? store : load, k & 2 ? offset : t, k & 2 ? t : offset, t);
        const tb_module_source source = {sizeof source, .code = code.s};
        const tb_fft_callback c = {sizeof c, .source = &source, .function = "f", .stores = k & 2};
        tb__cufft_callback_text(&c, k >= 8, k / 4 & 1, &out);
        compiled++;
        if (!nvrtc_compile(&api, out.s, archs[k & 1], options)) {
            failures++;
            fprintf(stderr, "a callback of %s does not compile\n", t);
        }
        tb__text_free(&code);
        tb__text_free(&out);
    }
}

int main(void)
{
    if (!nvrtc_open(&api)) {
        printf("no NVRTC here\n");
        return 77;
    }
    for (size_t k = 0; k < sizeof elementwise / sizeof *elementwise; k++) {
        const example *e = &elementwise[k];
        for (int t = e->real_only == 2 ? TB_C128 : TB_BOOL; t < TB_NDTYPE; t++) {
            if (e->real_only == 1 && t >= TB_C64) continue;
            for (int layout = 0; layout < 5; layout++)
                if (layout == t % 5 || t == TB_F32 || t == TB_C64 || e->real_only == 2)
                    elementwise_variant(e, (tb_dtype)t, layout);
        }
    }
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++)
        for (int t = TB_BOOL; t < TB_NDTYPE; t++)
            for (int form = 0; form < 6; form++)
                if (!(reductions[k].real_only && t >= TB_C64) && (form == t % 6 || t == TB_F32))
                    reduction_variant(&reductions[k], (tb_dtype)t, form);
    special_functions();
    callbacks();
    printf("%d sources compiled, %d failures\n", compiled, failures);
    return failures > 0;
}
