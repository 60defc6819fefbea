/* test_host_cuda.c - CUDA C++ on the CPU: the rewriter, the compiler's options, launches, and every way to fail that
 * must leave the process alive. Skipped where there is no C++ compiler. */
#include <stdlib.h>

#include "arrays.h"
#include "backend/compile/option_words.h"
#include "backend/cpu/user/user.h"

enum { SKIPPED = 77 };

#define CHECK_STATUS(call, status) check_status_at((call), status, __FILE__, __LINE__, #call)

/* ---- helpers -------------------------------------------------------------------------------------------------- */

static tb_module *compiled(const char *code)
{
    tb_module *m = NULL;
    CHECK_OK(tb_module_compile(&(tb_module_source){sizeof(tb_module_source), .code = code}, NULL, &m));
    return m;
}

static tb_function *function(tb_module *m, const char *name)
{
    tb_function *f = NULL;
    if (m) CHECK_OK(tb_module_function(m, name, &f));
    return f;
}

static tb_status launch(tb_function *f, uint32_t grid, uint32_t block, uint32_t shared, tb_array *a)
{
    tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {grid, 1, 1}, .block = {block, 1, 1}, .shared = shared};
    return tb_function_launch(f, &shape, NULL, 1, &(tb_kernel_arg){.array = a});
}

/* One kernel "k" of one array of 64 ints, by one block of 64 threads. */
static tb_status run(const char *code, int *out)
{
    tb_array *a = range(TB_I32, 0, 64);
    tb_module *m = compiled(code);
    tb_function *f = function(m, "k");
    tb_status status = f ? launch(f, 1, 64, 0, a) : TB_ERR_INTERNAL;
    if (status == TB_OK) CHECK_OK(tb_array_get(a, out, NULL, NULL, true));
    tb_function_release(f);
    tb_module_release(m);
    tb_array_release(a);
    return status;
}

static bool message_has(const char *what) { return strstr(tb_error_message(), what) != NULL; }

static void fails(const char *code, int driver_code, const char *what)
{
    int out[64];
    CHECK(run(code, out) == TB_ERR_DEVICE);
    CHECK(tb_error_driver_code() == driver_code);
    CHECK(message_has("kernel k"));
    if (!message_has(what)) fprintf(stderr, "expected \"%s\" in: %s\n", what, tb_error_message());
    CHECK(message_has(what));
}

/* ---- the rewriter --------------------------------------------------------------------------------------------- */

static void test_text_that_only_looks_like_cuda(void)
{
    static const char code[] =
        "// __global__ void no(int); extern __shared__\n"
        "/* __syncthreads(); <<< */\n"
        "__device__ const char *s = \"__global__ void no(\\\" <<<\"; __device__ char c = '\"';\n"
        "__device__ const char *r = R\"x(__shared__ )\" \" int a[];)x\";\n"
        "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1'000 + (r[0] == '_') + (c == '\"'); }\n";
    int out[64];
    CHECK_OK(run(code, out));
    CHECK(out[0] == 1002 && out[63] == 1002);
}

static void test_forms_of_kernels(void)
{
    static const char *const codes[] = {
        "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 7; }",
        "extern \"C\" { __global__ void k(int *x) { x[threadIdx.x] = 7; } }",
        "extern \"C\" void __global__ k(int *x); extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 7; }",
        "extern \"C\" __global__ void __launch_bounds__(64, 2) k(int *__restrict__ x) { x[threadIdx.x] = 7; }",
        "extern \"C\" __global__ __launch_bounds__(64)\nvoid k(\n int *x\n)\n{ x[threadIdx.x] = 7; }",
        "#define KERNEL extern \"C\" __global__ void\nKERNEL k(int *x) { x[threadIdx.x] = 7; }",
        "__device__ int t() { return threadIdx.x; }\nextern \"C\" __global__ void k(int *x) { x[t()] = 7; }",
        ("template <class T> __device__ T seven() { return 7; }\n"
         "extern \"C\" __global__ void k(int *x) { auto f = [=](int i) { x[i] = seven<int>(); }; f(threadIdx.x); }"),
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        int out[64] = {0};
        CHECK_OK(run(codes[i], out));
        CHECK(out[0] == 7 && out[63] == 7);
    }
}

static void test_forms_of_shared_memory(void)
{
    static const char *const codes[] = {
        "extern __shared__ int s[];",
        "__shared__ extern int s[];",
        "extern __shared__ __align__(16) int s[];",
        "extern __align__(8) volatile __shared__ int s[];",
        "__shared__ int s[64];",
        "__shared__ int r[2], s[64];",
        "static __shared__ int s[64];",
        "__shared__ __align__(16) int s[64];",
    };
    for (size_t i = 0; i < 2 * sizeof codes / sizeof *codes; i++) {
        char code[512];
        bool inside = i % 2 == 0; /* in the kernel, or in front of it */
        snprintf(code, sizeof code,
                 "%s\nextern \"C\" __global__ void k(int *x) { %s s[threadIdx.x] = x[threadIdx.x]; __syncthreads();"
                 " x[threadIdx.x] = s[63 - threadIdx.x]; }",
                 inside ? "" : codes[i / 2], inside ? codes[i / 2] : "");
        tb_array *a = range(TB_I32, 0, 64);
        tb_module *m = compiled(code);
        tb_function *f = function(m, "k");
        int out[64] = {0};
        CHECK_OK(launch(f, 1, 64, 256, a));
        CHECK_OK(tb_array_get(a, out, NULL, NULL, true));
        for (int t = 0; t < 64; t++) CHECK(out[t] == 63 - t);
        tb_function_release(f);
        tb_module_release(m);
        tb_array_release(a);
    }
}

static bool waits(const char *code)
{
    tb_text out = {0};
    bool macros = false;
    CHECK_OK(tb__rewrite(&(tb_module_source){sizeof(tb_module_source), .code = code}, code, false, &out, &macros));
    bool found = out.s && strstr(out.s, "TB_KERNEL_WAITS(\"k\"") != NULL;
    CHECK(found || (out.s && strstr(out.s, "TB_KERNEL_LOOPS(\"k\"")));
    tb__text_free(&out);
    return found;
}

static void test_only_kernels_with_barriers_wait(void)
{
    CHECK(!waits("extern \"C\" __global__ void k(int *x) { x[0] = 1; } // __syncthreads\n"));
    CHECK(!waits("extern \"C\" __global__ void k(int *x) { x[0] = 1; }\n"
                 "extern \"C\" __global__ void l(int *x) { __syncthreads(); }\n"));
    CHECK(waits("extern \"C\" __global__ void k(int *x) { __syncthreads(); }\n"));
    CHECK(waits("#define S __syncthreads()\nextern \"C\" __global__ void k(int *x) { S; }\n"));
    CHECK(waits("__device__ void f() { __syncwarp(); }\nextern \"C\" __global__ void k(int *x) { f(); }\n"));
}

static void test_nested_launches(void)
{
    int out[64] = {0};
    CHECK_OK(run("template <int N> __global__ void inner(int *x) { x[threadIdx.x] = N; __syncthreads(); }\n"
                 "extern \"C\" __global__ void k(int *x)\n{ if (!threadIdx.x) inner<7><<<dim3(1), blockDim>>>(x); }",
                 out));
    CHECK(out[0] == 7 && out[63] == 7);
}

/* ---- options -------------------------------------------------------------------------------------------------- */

static tb_status options_of(int n, const char *const *given, bool nvcc, tb_host_options *o)
{
    tb_module_source s = {sizeof(tb_module_source), .code = "", .options = given, .noption = n, .nvcc = nvcc};
    return tb__host_options_of(&s, o);
}

static void test_options(void)
{
    static const char *const given[] = {"--std=c++14",
                                        "-DA=1",
                                        "-D",
                                        "B=2",
                                        "--define-macro=C=3",
                                        "-D D=4",
                                        "-D=E=5",
                                        "--define-macro",
                                        "F=6",
                                        "-UA",
                                        "-U B",
                                        "--undefine-macro=C",
                                        "-arch=sm_90",
                                        "--gpu-architecture",
                                        "compute_75",
                                        "-lineinfo",
                                        "--use_fast_math",
                                        "--include-path=/x",
                                        "-I /y",
                                        "-I=/z",
                                        "-I",
                                        "/w",
                                        "--maxrregcount=32",
                                        "--fmad=false",
                                        "-G",
                                        "-default-device",
                                        "--extra-device-vectorization",
                                        "-Xptxas",
                                        "-v",
                                        "-w",
                                        "-include=first.h"};
    static const char *const wanted[] = {"-std=gnu++14",
                                         "-ffp-contract=fast",
                                         "-freciprocal-math",
                                         "-I/x",
                                         "-I/y",
                                         "-I/z",
                                         "-I/w",
                                         "-ffp-contract=off",
                                         "-w"};
    tb_host_options o;
    CHECK_OK(options_of(sizeof given / sizeof *given, given, false, &o));
    CHECK(o.n == sizeof wanted / sizeof *wanted);
    for (int i = 0; i < o.n && i < (int)(sizeof wanted / sizeof *wanted); i++) CHECK(!strcmp(o.argv[i], wanted[i]));
    CHECK(!strcmp(o.defines.s, "#define A 1\n#define B 2\n#define C 3\n#define D 4\n#define E 5\n#define F 6\n"
                               "#undef A\n#undef B\n#undef C\n#include \"first.h\"\n"));
    tb__host_options_free(&o);
}

/* The host compiler has options that run programs, write files or read more options: none of them is passed on. */
static void test_other_options_are_refused(void)
{
    static const char *const refused[] = {"-wrapper",
                                          "-Wl,-Map=x",
                                          "-aux-info",
                                          "-save-temps",
                                          "-fplugin=x.so",
                                          "-specs=x",
                                          "-B/x",
                                          "-o",
                                          "-ox",
                                          "@file",
                                          "-O3",
                                          "-Wall",
                                          "-g",
                                          "-x",
                                          "-isystem",
                                          "-Xlinker",
                                          "-Wp,-MD",
                                          "-MD",
                                          "-fdump-tree-all",
                                          "-fprofile-generate",
                                          "-dumpbase",
                                          "-idirafter",
                                          "-iquote",
                                          "--sysroot=/",
                                          "-pipe",
                                          "-ldl",
                                          "-L/x",
                                          "x.cpp",
                                          "/etc/passwd",
                                          "",
                                          "-",
                                          "--",
                                          "---fmad=true",
                                          "-D",
                                          "-I",
                                          "--define-macro",
                                          "--fmad",
                                          "--fmad=maybe",
                                          "--std=gnu++17",
                                          "-std",
                                          "-G=1",
                                          "--use_fast_math=true",
                                          "-ccbin=evil",
                                          "-gencode=arch=compute_80,code=sm_80",
                                          "-include=a\"b"};
    tb_host_options o;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(options_of(1, &refused[i], false, &o) == TB_ERR_COMPILE);
        CHECK(strstr(tb_error_message(), refused[i]) != NULL);
    }
    static const char *const nvcc[] = {"-gencode=arch=compute_80,code=sm_80", "-O3", "-ccbin", "g++", "-fmad=true"};
    CHECK_OK(options_of(5, nvcc, true, &o));
    CHECK(o.n == 1);
    tb__host_options_free(&o);
    CHECK(options_of(1, refused, true, &o) == TB_ERR_COMPILE);
}

static void test_lines_do_not_end_in_options(void)
{
    static const char *const bad[] = {"-DA=1\n#define B 2", "-DA\r", "@file", "-I/x\n"};
    static const char *const expression = "f<int>\n", *const good = "-DA=1";
    tb_module_source s = {sizeof(tb_module_source), .code = "", .noption = 1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        s.options = &bad[i];
        CHECK(tb__options_check(&s) == TB_ERR_VALUE);
    }
    s.options = &good;
    CHECK_OK(tb__options_check(&s));
    s.name = "a\nb";
    CHECK(tb__options_check(&s) == TB_ERR_VALUE);
    s.name = NULL, s.nexpression = 1, s.expressions = &expression;
    CHECK(tb__options_check(&s) == TB_ERR_VALUE);
}

static void test_macros_leave_the_headers_alone(void)
{
    static const char *const options[] = {"-DN=21", "-DT=int", "-Dx=a", "-DF(v)=((v) + 1)", "-Dvalue=wrong"};
    tb_module *m = NULL;
    tb_module_source s = {sizeof(tb_module_source),
                          .code = "#include <cuda_fp16.h>\nextern \"C\" __global__ void k(T *x) { x[0] = F(N); }",
                          .options = options, .noption = 5};
    CHECK_OK(tb_module_compile(&s, NULL, &m));
    tb_module_release(m);
}

/* ---- failures ------------------------------------------------------------------------------------------------- */

#define KERNEL(body) "extern \"C\" __global__ void k(int *x) { " body " }"

static void test_barriers_that_cannot_be_passed(void)
{
    fails(KERNEL("if (threadIdx.x < 16) __syncthreads();"), 719, "thread (16, 0, 0) has returned");
    fails(KERNEL("if (threadIdx.x == 3) return; __syncthreads();"), 719, "thread (3, 0, 0) has returned");
    fails(KERNEL("if (threadIdx.x < 16) __shfl_sync(~0u, 1, 0); else __syncthreads();"), 719, "mask 0xffffffff");
    fails(KERNEL("if (threadIdx.x < 16) __shfl_sync(~0u, 1, 0);"), 719, "thread (16, 0, 0) has returned");
    fails(KERNEL("__shfl_sync(1u, 1, 0);"), 719, "does not have its lane 1");
    fails(KERNEL("if (threadIdx.x < 9) __syncthreads(); else __syncthreads_count(1);"), 719, "different kinds");
}

static void test_faults(void)
{
    int out[64];
    fails(KERNEL("x[1ll << 40] = 1;"), 700, "illegal memory access");
    fails(KERNEL("__syncthreads(); if (threadIdx.x == 5) *(volatile int *)8 = 1;"), 700, "thread (5, 0, 0)");
    fails(KERNEL("x[0] = 5 / x[0];"), 719, "division by zero");
    fails(KERNEL("assert(threadIdx.x != 3);"), 710, "kernel.cu:1: assert(threadIdx.x != 3)");
    fails(KERNEL("if (threadIdx.x == 2) __trap();"), 719, "__trap()");
    CHECK_OK(run(KERNEL("x[threadIdx.x] = 3;"), out));
    CHECK(out[63] == 3);
}

static void test_bad_launches(void)
{
    tb_array *a = range(TB_I32, 0, 64);
    tb_module *m = compiled(KERNEL("__syncthreads();"));
    tb_function *f = function(m, "k");
    int most = 0;
    CHECK_STATUS(launch(f, 1, 1025, 0, a), TB_ERR_DEVICE);
    CHECK_STATUS(launch(f, 0, 1, 0, a), TB_ERR_DEVICE);
    CHECK_STATUS(launch(f, 1, 0, 0, a), TB_ERR_DEVICE);
    CHECK_STATUS(launch(f, 1, 1, 50000, a), TB_ERR_DEVICE);
    CHECK(tb_error_driver_code() == 1);
    CHECK_OK(tb_function_set_attribute(f, 8, 60000));
    CHECK_OK(tb_function_attribute(f, 8, &most));
    CHECK(most == 60000);
    CHECK_OK(launch(f, 1, 1, 50000, a));
    CHECK_STATUS(tb_function_set_attribute(f, 8, 1 << 20), TB_ERR_DEVICE);
    CHECK_STATUS(tb_function_launch(f,
                                    &(tb_launch_shape){sizeof(tb_launch_shape), .grid = {1, 1, 1}, .block = {1, 1, 1}},
                                    NULL, 0, NULL),
                 TB_ERR_VALUE);
    tb_function_release(f);
    tb_module_release(m);
    tb_array_release(a);
}

static void test_compile_errors(void)
{
    tb_module *m;
    char *log = NULL;
    tb_module_source s = {sizeof(tb_module_source),
                          .code = "\nextern \"C\" __global__ void k(int *x) { x[0] = nobody; }", .name = "mine.cu"};
    CHECK_STATUS(tb_module_compile(&s, &log, &m), TB_ERR_COMPILE);
    CHECK(message_has("mine.cu:2") && message_has("nobody") && message_has("   2  extern"));
    CHECK(log && strstr(log, "nobody"));
    tb_free(log);
}

/* ---- modules -------------------------------------------------------------------------------------------------- */

static void test_variables_of_a_module(void)
{
    static const char code[] = "__device__ int n = 5; __constant__ float c[3];\n" KERNEL("x[threadIdx.x] = ++n;");
    tb_module_source s = {sizeof(tb_module_source), .code = code};
    tb_module *m[2] = {compiled(code), NULL};
    tb_image image;
    void *p[2] = {NULL, NULL};
    size_t size = 0;
    if (!CHECK_OK(tb__host_compile(&s, NULL, &image))) return;
    CHECK_OK(tb_module_load(image.data, image.size, &m[1]));
    for (int i = 0; i < 2; i++) CHECK_OK(tb_module_global(m[i], "n", &p[i], &size));
    CHECK(size == 4 && p[0] != p[1] && *(int *)p[0] == 5);
    CHECK_OK(tb_module_global(m[0], "c", &p[0], &size));
    CHECK(size == 12);
    CHECK_STATUS(tb_module_global(m[0], "nobody", &p[0], &size), TB_ERR_DEVICE);
    CHECK(tb_error_driver_code() == 500);
    for (int i = 0; i < 2; i++) tb_module_release(m[i]);
    free(image.data);
}

static void test_images(void)
{
    tb_module *m;
    tb_image image;
    tb_function *f;
    tb_module_source s = {sizeof(tb_module_source), .code = KERNEL("x[threadIdx.x] = 4;")};
    CHECK_STATUS(tb_module_load("nonsense", 8, &m), TB_ERR_DEVICE);
    if (!CHECK_OK(tb__host_compile(&s, NULL, &image))) return;
    CHECK_STATUS(tb_module_load(image.data, image.size / 2, &m), TB_ERR_DEVICE);
    if (CHECK_OK(tb_module_load(image.data, image.size, &m))) {
        CHECK_OK(tb_module_function(m, "k", &f));
        tb_function_release(f);
        CHECK_STATUS(tb_module_function(m, "nobody", &f), TB_ERR_DEVICE);
        tb_module_release(m);
    }
    free(image.data);
}

static void test_mangled_names(void)
{
    tb_function *f;
    tb_module *m = compiled("__global__ void plain(int *x) {}");
    CHECK_STATUS(tb_module_function(m, "plain", &f), TB_ERR_DEVICE);
    CHECK(message_has("extern \"C\"") && message_has("name_expressions"));
    CHECK_STATUS(tb_module_function(m, "_Z5plait", &f), TB_ERR_DEVICE);
    CHECK_STATUS(tb_module_function(m, "_Z5plain", &f), TB_ERR_DEVICE);
    if (CHECK_OK(tb_module_function(m, "_Z5plainPi", &f))) tb_function_release(f);
    tb_module_release(m);
    /* Overloads, templates and members of namespaces are name expressions; what shares a name still compiles. */
    m = compiled("__device__ int two(int a) { return a; } __global__ void two(int *x) { *x = two(1); }\n"
                 "template <class T> __global__ void any(T *x) {} namespace n { __global__ void inner() {} }\n"
                 "__global__ void one(float *x, int n) {}");
    CHECK_STATUS(tb_module_function(m, "_Z3twoPi", &f), TB_ERR_DEVICE);
    CHECK_STATUS(tb_module_function(m, "_Z5innerv", &f), TB_ERR_DEVICE);
    if (CHECK_OK(tb_module_function(m, "_Z3onePfi", &f))) tb_function_release(f);
    tb_module_release(m);
}

int main(void)
{
    tb_kernel_name name;
    CHECK_OK(tb_init());
    if (tb__host_compiler_name(&(tb_module_source){sizeof(tb_module_source), .code = ""}, &name) != TB_OK) {
        fprintf(stderr, "%s\n", tb_error_message());
        return SKIPPED;
    }
    test_text_that_only_looks_like_cuda();
    test_forms_of_kernels();
    test_forms_of_shared_memory();
    test_only_kernels_with_barriers_wait();
    test_nested_launches();
    test_options();
    test_other_options_are_refused();
    test_lines_do_not_end_in_options();
    test_macros_leave_the_headers_alone();
    test_barriers_that_cannot_be_passed();
    test_faults();
    test_bad_launches();
    test_compile_errors();
    test_variables_of_a_module();
    test_images();
    test_mangled_names();
    return check_report();
}
