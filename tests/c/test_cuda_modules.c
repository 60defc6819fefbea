/* test_cuda_modules.c - user code on the CUDA backend, against the driver of fake_cuda.c and, where there is one, the
 * real NVRTC: compiling, the table and the cache of compiled modules, lowered names, what is checked before a launch,
 * and what messages say. No kernel runs.
 *
 *   test_cuda_modules DIRECTORY   where libcuda.so.1 of fake_cuda.c is */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/cuda/module.h"
#include "backend/compile/listing.h"
#include "base/error.h"
#include "base/lock.h"
#include "check.h"
#include "fake_cuda.h"

static fake_cuda *fake;
static char cache[256];

/* As every kernel of the fake driver: two parameters, of 8 and 4 bytes. */
#define SCALE "template<class T> __global__ void scale(T *x, int n) { x[0] *= n; }\n"
static const char *const expressions[] = {"scale<float>", "scale<double>"};
static const tb_module_source templates = {sizeof(tb_module_source), .code = SCALE, .nexpression = 2,
                                           .expressions = expressions};

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static void test_listing(void)
{
    tb_text t = {0}, source = {0};
    tb__listing_add(&t, "one\ntwo", NULL, "kernel.cu");
    CHECK(strcmp(t.s, "   1  one\n   2  two\n") == 0);
    tb__text_free(&t);
    for (int i = 1; i <= 2000; i++) tb__text_addf(&source, "line %d\n", i);
    tb__listing_add(&t, source.s, "kernel.cu(1500): error\nkernel.cu:20: note\nkernel.cu(1500): more", "kernel.cu");
    CHECK(strstr(t.s, "1500  line 1500\n") && strstr(t.s, "  20  line 20\n") && strstr(t.s, "..."));
    CHECK(!strstr(t.s, "line 700") && strlen(t.s) < 1000);
    tb__text_free(&t);
    tb__listing_add(&t, source.s, NULL, "kernel.cu");
    CHECK(strstr(t.s, "   1  line 1\n") && strlen(t.s) < 5000);
    tb__text_free(&t);
    tb__text_free(&source);
}

static void test_user_image(void)
{
    const char *names[] = {"_Z5scaleIfEvPT_i", "b"};
    unsigned char bytes[] = "\177ELF code";
    tb_image code = {bytes, sizeof bytes}, block;
    tb_user_image image;
    CHECK_OK(tb__user_image_make(2, names, &code, &image));
    CHECK(strcmp(image.names, names[0]) == 0 && memcmp(image.code, bytes, sizeof bytes) == 0);
    CHECK((uintptr_t)image.code % 16 == 0);
    for (size_t cut = 0; cut < image.size; cut += 3) { /* never read beyond the end, whatever is left */
        block = (tb_image){malloc(cut + 1), cut};
        memcpy(block.data, image.data, cut);
        if (tb__user_image_open(&block, 2, &(tb_user_image){0})) free(block.data);
    }
    block = (tb_image){malloc(image.size), image.size};
    memcpy(block.data, image.data, image.size);
    CHECK(!tb__user_image_open(&block, 3, &(tb_user_image){0}) && !block.data);
    free(image.data);
}

/* ---- modules ---------------------------------------------------------------------------------------------------- */

static void test_functions(void)
{
    tb_module *m = NULL, *again = NULL;
    tb_function *f = NULL;
    const size_t *sizes = NULL;
    void *ptr = NULL;
    size_t size = 0;
    int value = 0;
    char *log = NULL;
    CHECK_OK(tb_module_compile(&templates, &log, &m));
    CHECK(log && !log[0]);
    tb_free(log);
    CHECK_OK(tb_module_compile(&templates, NULL, &again));
    CHECK(m == again);
    tb_module_release(again);
    CHECK_OK(tb_module_function(m, "scale< float >", &f));
    CHECK(strcmp(tb_function_name(f), "scale< float >") == 0 && tb_function_module(f) == m);
    CHECK(tb_function_parameters(f, &sizes) == 2 && sizes[0] == 8 && sizes[1] == 4);
    CHECK_OK(tb_function_attribute(f, 0, &value));
    CHECK(value == 1024);
    CHECK_OK(tb_function_set_attribute(f, 8, 60000));
    CHECK_FAILS(tb_function_set_attribute(f, 0, 1), TB_ERR_DEVICE, "cuFuncSetAttribute");
    CHECK_OK(tb_function_occupancy(f, 256, 0, &value));
    CHECK(value == 8);
    CHECK_OK(tb_module_global(m, "x", &ptr, &size));
    CHECK(ptr && size == 8);
    CHECK_FAILS(tb_module_global(m, "nothing", &ptr, &size), TB_ERR_DEVICE, "extern \"C\"");
    CHECK(tb_error_driver_code() == CUDA_ERROR_NOT_FOUND && strstr(tb_error_message(), "scale<double>"));
    tb_module_release(m);
    tb_function_release(f);
}

static void test_early_launch(const tb_kernel_arg *args)
{
    tb_module_source waits = templates;
    tb_launch_shape shape = {sizeof(tb_launch_shape), {1, 1, 1}, {32, 1, 1}, 0, false};
    tb_module *m = NULL;
    tb_function *f = NULL;
    const int early = fake->early;
    waits.waits = true;
    CHECK_OK(tb_module_compile(&waits, NULL, &m));
    CHECK_OK(tb_module_function(m, "scale<float>", &f));
    CHECK_OK(tb_function_launch(f, &shape, NULL, 2, args));
    CHECK(fake->early == early + 1);
    shape.cooperative = true;
    CHECK_OK(tb_function_launch(f, &shape, NULL, 2, args));
    CHECK(fake->early == early + 1);
    tb_function_release(f);
    tb_module_release(m);
}

static void test_launch(void)
{
    tb_module *m = NULL;
    tb_function *f = NULL;
    tb_array *x = NULL;
    tb_launch_shape shape = {sizeof(tb_launch_shape), {1, 1, 1}, {32, 1, 1}, 0, false};
    int n = 3, before = fake->launches, early = fake->early;
    double wide = 3;
    CHECK_OK(tb_module_compile(&templates, NULL, &m));
    CHECK_OK(tb_module_function(m, "scale<float>", &f));
    CHECK_OK(tb_empty(TB_F32, 1, (int64_t[]){16}, 'C', &x));
    tb_kernel_arg args[3] = {{.array = x}, {.bytes = &n, .size = sizeof n}, {.array = x}};
    CHECK_OK(tb_function_launch(f, &shape, NULL, 2, args));
    shape.cooperative = true;
    CHECK_OK(tb_function_launch(f, &shape, NULL, 2, args));
    CHECK(fake->launches == before + 2);
    CHECK(fake->early == early);
    test_early_launch(args);
    shape.cooperative = false;
    CHECK_FAILS(tb_function_launch(f, &shape, NULL, 1, args), TB_ERR_VALUE, "takes 2 arguments, but 1 was given");
    CHECK_FAILS(tb_function_launch(f, &shape, NULL, 3, args), TB_ERR_VALUE, "takes 2 arguments, but 3 were given");
    args[1] = (tb_kernel_arg){.bytes = &wide, .size = sizeof wide};
    CHECK_FAILS(tb_function_launch(f, &shape, NULL, 2, args), TB_ERR_TYPE, "argument 1 has 8 bytes");
    args[1] = (tb_kernel_arg){.bytes = &n, .size = sizeof n};
    CHECK(fake->launches == before + 4);
    CHECK_OK(tb_device_use(1));
    CHECK_FAILS(tb_function_launch(f, &shape, NULL, 2, args), TB_ERR_VALUE, "device");
    CHECK_OK(tb_device_use(0));
    tb_array_release(x);
    tb_function_release(f);
    tb_module_release(m);
}

static void test_faults(void)
{
    char text[1024] = "CUDA_ERROR_ILLEGAL_ADDRESS";
    tb_stream *s;
    CHECK_OK(tb_device_synchronize(0));
    CHECK_OK(tb_stream_null(&s));
    tb__cuda_note(s, "first");
    tb__cuda_note(s, "second");
    tb__cuda_note(s, "first");
    tb__cuda_add_suspects(CUDA_ERROR_ILLEGAL_ADDRESS, text, sizeof text);
    CHECK(strstr(text, ": first, second;"));
    text[0] = 0;
    tb__cuda_add_suspects(CUDA_ERROR_OUT_OF_MEMORY, text, sizeof text);
    CHECK(!text[0]);
    unsigned mark = tb__cuda_recent[0].n;
    tb__cuda_note(s, "third");
    tb__cuda_forget(0, NULL, false, mark);
    tb__cuda_add_suspects(CUDA_ERROR_LAUNCH_FAILED, text, sizeof text);
    CHECK(strstr(text, ": third;"));
    text[0] = 0;
    CHECK_OK(tb_stream_synchronize(s));
    tb__cuda_add_suspects(CUDA_ERROR_LAUNCH_FAILED, text, sizeof text);
    CHECK(!strstr(text, "third"));
}

static void test_errors(void)
{
    tb_module *m = NULL;
    char *log = NULL;
    tb_module_source bad = {sizeof(tb_module_source),
                            .code = "extern \"C\" __global__ void f(int *x) {\n  *x = undeclared; }", .name = "bad.cu"};
    CHECK_FAILS(tb_module_compile(&bad, &log, &m), TB_ERR_COMPILE, "bad.cu(2): error");
    CHECK(strstr(tb_error_message(), "   2    *x = undeclared; }") && log && strstr(log, "undeclared"));
    tb_free(log);
    bad = (tb_module_source){sizeof(tb_module_source), .code = "#include <there/is/none.h>\n"};
    CHECK_FAILS(tb_module_compile(&bad, NULL, &m), TB_ERR_COMPILE, "nvidia-cuda-runtime");
    bad = (tb_module_source){sizeof(tb_module_source), .code = "int", .nvcc = true, .nexpression = 2,
                             .expressions = expressions};
    CHECK_FAILS(tb_module_compile(&bad, NULL, &m), TB_ERR_VALUE, "nvcc");
    CHECK_FAILS(tb_module_load("", 0, &m), TB_ERR_VALUE, "empty");
}

static void *compile_one(void *out)
{
    static const tb_module_source source = {sizeof(tb_module_source), .code = SCALE "// for threads\n",
                                            .nexpression = 2, .expressions = expressions};
    tb_module **m = out;
    CHECK_OK(tb_module_compile(&source, NULL, m));
    return NULL;
}

/* Every thread gets the same module, and it is loaded once. */
static void test_threads(void)
{
    enum { N = 8 };
    pthread_t threads[N];
    tb_module *modules[N] = {NULL};
    int before = fake->loads;
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, compile_one, &modules[i]);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    CHECK(fake->loads == before + 1);
    tb__lock(); /* with the core lock held as well */
    tb_module *m = NULL;
    compile_one(&m);
    tb__unlock();
    for (int i = 0; i < N; i++) {
        CHECK(modules[i] == m);
        tb_module_release(modules[i]);
    }
    tb_module_release(m);
}

/* ---- the cache -------------------------------------------------------------------------------------------------- */

/* In a process of its own. */
static int cached(unsigned compiles, unsigned hits)
{
    tb_module *m = NULL;
    tb_function *f = NULL;
    tb_counters c;
    CHECK_OK(tb_module_compile(&templates, NULL, &m));
    CHECK_OK(tb_module_function(m, "scale<double>", &f));
    tb_counters_get(&c, sizeof c);
    CHECK(c.compiles == compiles && c.cache_hits_disk == hits);
    tb_function_release(f);
    tb_module_release(m);
    return check_report();
}

/* NVRTC is nowhere, and nothing of it is cached either. */
static int without_nvrtc(void)
{
    tb_module *m = NULL;
    tb__library_nvrtc.sonames = (const char *const[]){"libnvrtc-of-the-test.so.1", NULL};
    CHECK_FAILS(tb_module_compile(&templates, NULL, &m), TB_ERR_LIBRARY, "pip install nvidia-cuda-nvrtc");
    return check_report();
}

static void spawn(const char *self, const char *dir, const char *mode) { CHECK(fake_cuda_spawn(self, dir, mode) == 0); }

static void damage_cache(void)
{
    char path[600];
    DIR *dir = opendir(cache);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        if (!strstr(d->d_name, ".tbk")) continue;
        snprintf(path, sizeof path, "%s/%s", cache, d->d_name);
        CHECK(truncate(path, 64) == 0);
    }
    if (dir) closedir(dir);
}

/* ---- user kernels ----------------------------------------------------------------------------------------------- */

static tb_array *floats(int64_t n)
{
    tb_array *x = NULL;
    CHECK_OK(tb_empty(TB_F32, 1, (int64_t[]){n}, 'C', &x));
    return x;
}

/* How many sources two calls take. */
static int elementwise_sources(int64_t first, int64_t second)
{
    const tb_elementwise_source source = {sizeof(tb_elementwise_source), .in_params = "T x", .out_params = "T y",
                                          .operation = "y = 2 * x"};
    const int64_t sizes[2] = {first, second};
    tb_elementwise *k = NULL;
    int n = 0;
    CHECK_OK(tb_elementwise_new(&source, &k));
    for (int i = 0; i < 2; i++) {
        tb_array *x = floats(sizes[i]), *y = NULL;
        CHECK_OK(tb_elementwise_call(k, &(tb_operand){TB_OPERAND_ARRAY, .array = x}, &y, NULL));
        tb_array_release(x);
        tb_array_release(y);
    }
    while (tb_elementwise_code(k, n, NULL)) n++;
    tb_elementwise_release(k);
    return n;
}

static int reduction_sources(int64_t first, int64_t second)
{
    const tb_reducer_source source = {
        sizeof(tb_reducer_source), .in_params = "T x",       .out_params = "T y", .map_expr = "x",
        .reduce_expr = "a + b",    .post_map_expr = "y = a", .identity = "0"};
    const int64_t sizes[2] = {first, second};
    tb_reducer *k = NULL;
    int n = 0;
    CHECK_OK(tb_reducer_new(&source, &k));
    for (int i = 0; i < 2; i++) {
        tb_array *x = floats(sizes[i]), *y = NULL;
        CHECK_OK(tb_reducer_call(k, &(tb_operand){TB_OPERAND_ARRAY, .array = x}, &y, NULL));
        tb_array_release(x);
        tb_array_release(y);
    }
    while (tb_reducer_code(k, n, NULL)) n++;
    tb_reducer_release(k);
    return n;
}

/* Of a reduction, what little work needs compiles sooner; what much work needs serves little as well. */
static void test_sources(void)
{
    const int64_t small = 1000, large = 1 << 22;
    CHECK(elementwise_sources(small, 2 * small) == 1);
    CHECK(elementwise_sources(small, large) == 1);
    CHECK(elementwise_sources(small, large + 1) == 1);
    CHECK(reduction_sources(small, 2 * small) == 1);
    CHECK(reduction_sources(small, large) == 2);
    CHECK(reduction_sources(small, small + 1) == 1);
    CHECK(reduction_sources(large, small) == 1);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    fake = fake_cuda_open(argv[1]);
    CHECK(fake != NULL);
    if (!fake) return check_report();
    const char *mode = argc > 2 ? argv[2] : NULL;
    if (mode) snprintf(cache, sizeof cache, "%s", getenv("TOMBAC_CACHE_DIR"));
    else snprintf(cache, sizeof cache, "/tmp/tombac-test-modules-%ld", (long)getpid());
    setenv("TOMBAC_CACHE_DIR", cache, 1);
    CHECK_OK(tb_init());
    if (mode && strcmp(mode, "compiles") == 0) return cached(1, 0);
    if (mode && strcmp(mode, "hits") == 0) return cached(0, 1);
    if (mode) return without_nvrtc();
    test_listing();
    test_user_image();
    spawn(argv[0], argv[1], "without");
    if (tb__library_load(&tb__library_nvrtc) == TB_OK) {
        spawn(argv[0], argv[1], "compiles");
        spawn(argv[0], argv[1], "hits");
        damage_cache();
        spawn(argv[0], argv[1], "compiles");
        test_functions();
        test_launch();
        test_faults();
        test_errors();
        test_threads();
        test_sources();
    }
    char command[300];
    tb_compile_wait(); /* whose threads write there */
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    CHECK(system(command) == 0);
    return check_report();
}
