/* test_cuda.c - the CUDA backend against the driver of fake_cuda.c and, where there is one, the real NVRTC: finding
 * libraries, memory, copies, streams, the kernel cache, fork. Numbers are not checked: no kernel
 * runs.
 *
 *   test_cuda DIRECTORY   where libcuda.so.1 of fake_cuda.c is */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cuda/compile.h"
#include "backend/cuda/device.h"
#include "backend/gpu/kernel.h"
#include "backend/start.h"
#include "base/lock.h"
#include "check.h"
#include "device_memory.h"
#include "fake_cuda.h"
#include "plans.h"

enum { N = 10000 };
static fake_cuda *fake;
static char cache[256];
static tb_stream *null;

static tb_status run(const tb_plan *p) { return device_run(null, p); }

/* ---- libraries, devices, memory ------------------------------------------------------------------------------- */

static void test_start(void)
{
    int n, device, major, minor, value;
    char name[64], *text;
    size_t free_bytes, total_bytes;
    CHECK(strcmp(tb_backend_name(), "") == 0);
    CHECK_OK(tb_init());
    CHECK(strcmp(tb_backend_name(), "cuda") == 0);
    CHECK_OK(tb_device_count(&n));
    CHECK_OK(tb_device_name(1, name, sizeof name));
    CHECK_OK(tb_device_capability(0, &major, &minor));
    CHECK(n == 2 && strcmp(name, "Fake 1") == 0 && major == 9 && minor == 0);
    CHECK_OK(tb_device_attribute(0, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &value));
    CHECK(value == 132);
    CHECK_FAILS(tb_device_attribute(0, 12345, &value), TB_ERR_DEVICE, "cuDeviceGetAttribute");
    CHECK_FAILS(tb_device_use(2), TB_ERR_DEVICE, "invalid device ordinal");
    CHECK(tb_error_driver_code() == CUDA_ERROR_INVALID_DEVICE);
    CHECK_OK(tb_device_use(1));
    CHECK_OK(tb_device_current(&device));
    CHECK_OK(tb_device_memory(1, &free_bytes, &total_bytes));
    CHECK(device == 1 && total_bytes == (size_t)1 << 30);
    CHECK_OK(tb_device_use(0));
    CHECK_OK(tb_stream_null(&null));
    CHECK(tb_stream_handle(null) == 0 && tb_stream_device(null) == 0);
    CHECK_OK(tb_show_config(&text));
    CHECK(strstr(text, "backend: cuda") && strstr(text, "libcuda.so.1") && strstr(text, cache));
    tb_free(text);
}

static void test_missing_library(void)
{
    static const tb_symbol none[] = {{NULL, 0, false}};
    static void *table[1];
    tb_library l = {
        .title = "a library",
        .package = "pip install a-package",
        .sonames = (const char *const[]){"libtombac-test-none.so.13", "libtombac-test-none.so.12", NULL},
        .symbols = none,
        .table = table,
        .wheel = "/nvidia/*/lib",
    };
    char identity[256];
    CHECK(!tb__library_identity(&l, identity, sizeof identity));
    CHECK_FAILS(tb__library_load(&l), TB_ERR_LIBRARY, "pip install a-package");
    CHECK(strstr(tb_error_message(), "libtombac-test-none.so.12"));
    CHECK(strstr(tb_error_message(), "/usr/local/cuda/lib64"));
    CHECK_FAILS(tb__library_load(&l), TB_ERR_LIBRARY, "pip install a-package");
    free(l.failure);
}

/* Libraries that only others call: in a folder, and in a wheel's. */
static void test_libraries_of_others(const char *dir)
{
    static const char *const folders[] = {"", "/cutensor", "/cutensor/lib"};
    static const char *const files[] = {"/libcusparse.so.12", "/cutensor/lib/libcutensor.so.2"};
    static const char *const names[] = {"cusparse", "cutensor"};
    char root[256], path[300], driver[600];
    void *handle;
    snprintf(root, sizeof root, "/tmp/tombac-test-libraries-%ld", (long)getpid());
    snprintf(driver, sizeof driver, "%s/libcuda.so.1", dir);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        CHECK(mkdir(path, 0700) == 0);
    }
    tb__library_path(root);
    for (int i = 0; i < 2; i++) {
        handle = NULL;
        snprintf(path, sizeof path, "%s%s", root, files[i]);
        CHECK(symlink(driver, path) == 0);
        CHECK_OK(tb_library_handle(names[i], &handle));
        CHECK(handle && dlsym(handle, "fake_cuda_state") == fake);
        CHECK(unlink(path) == 0);
    }
    tb__library_path(NULL);
    for (int i = 3; i-- > 0;) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        CHECK(rmdir(path) == 0);
    }
    CHECK_FAILS(tb_library_handle("cudnn", &handle), TB_ERR_VALUE, "'cudnn'");
}

/* Fills whose bytes repeat and short ranges take no kernel; other fills, long ranges, random numbers, and ranges in a
 * stream that somebody captures do. */
static void test_without_kernels(bool nvrtc)
{
    static const struct {
        tb_dtype dtype;
        double value;
        int launches;
    } fill[] = {{TB_BOOL, 1, 0},  {TB_I8, -3, 0}, {TB_I16, 258, 0}, {TB_I32, 70000, 0},
                {TB_I64, -1, 0},  {TB_I64, 5, 1}, {TB_F16, 1.5, 0}, {TB_F32, -0.0, 0},
                {TB_F32, 0.1, 0}, {TB_F64, 0, 0}, {TB_F64, 0.1, 1}};
    const int64_t n[1] = {200}, longer[1] = {4000};
    char *x = take(1 << 16), want[8], back[8];
    tb_plan p;
    tb_stream *s = NULL;
    for (size_t i = 0; i < sizeof fill / sizeof *fill; i++) {
        const size_t size = tb_dtype_size(fill[i].dtype);
        const int launches = fake->launches;
        if (fill[i].launches && !nvrtc) continue;
        plan_start(&p, TB_PLAN_MAP, 1, n);
        plan_store(&p, fill[i].dtype, plan_scalar(&p, fill[i].dtype, fill[i].value), x);
        CHECK_OK(run(&p));
        CHECK(fake->launches == launches + fill[i].launches);
        if (fill[i].launches) continue;
        tb_plan one = p;
        one.size = one.shape[0] = 1;
        one.store[0].ptr = want;
        CHECK_OK(tb__backend_cpu()->run(NULL, &one));
        CHECK_OK(tb__backend->copy_out(null, back, x + 199 * size, size, true));
        CHECK(memcmp(want, back, size) == 0);
    }
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    for (int turn = 0; turn < (nvrtc ? 4 : 1); turn++) {
        int64_t last = 0;
        const int launches = fake->launches;
        plan_start(&p, TB_PLAN_MAP, 1, turn == 1 ? longer : n);
        const int start = plan_scalar(&p, TB_I64, 7), step = plan_scalar(&p, TB_I64, 3);
        const tb_dtype t = turn == 2 ? TB_U64 : TB_I64;
        plan_store(&p, t, plan_op(&p, turn == 2 ? "random_u64" : "iota", t, start, step), x);
        if (turn == 3) fake->captured = s->handle;
        CHECK_OK(device_run(turn == 3 ? s : null, &p));
        fake->captured = NULL;
        CHECK(fake->launches == launches + (turn > 0));
        if (turn > 0) continue;
        CHECK_OK(tb__backend->copy_out(null, &last, x + 199 * sizeof last, sizeof last, true));
        CHECK(last == 7 + 3 * 199);
    }
    tb_stream_release(s);
    give(x);
}

static void test_streams(void)
{
    tb_stream *s = NULL, *foreign = NULL, *now = NULL;
    tb_event *a = NULL, *b = NULL;
    bool done = true;
    float ms = 0;
    int streams = fake->streams, events = fake->events;
    CHECK_FAILS(tb_stream_new(8, 0, &s), TB_ERR_VALUE, "flags");
    CHECK_OK(tb_stream_new(TB_STREAM_DEFAULT, -1, &s));
    CHECK_OK(tb_stream_use(s));
    CHECK_OK(tb_stream_current(&now));
    CHECK(now == s && fake->streams == streams + 1);
    CHECK_OK(tb_stream_wrap(tb_stream_handle(s), &foreign));
    CHECK(tb_stream_handle(foreign) == tb_stream_handle(s));
    tb_stream_release(foreign);
    CHECK_OK(tb_event_new(0, &a));
    CHECK_OK(tb_event_new(TB_EVENT_BLOCKING, &b));
    CHECK_FAILS(tb_event_elapsed(a, b, &ms), TB_ERR_DEVICE, "never recorded");
    CHECK_OK(tb_event_record(a, s));
    CHECK_OK(tb_event_record(b, null));
    CHECK_OK(tb_event_elapsed(a, b, &ms));
    CHECK_OK(tb_event_query(a, &done));
    CHECK(done && ms == 1.5f);
    CHECK_OK(tb_event_synchronize(b));
    CHECK_OK(tb_stream_wait_event(s, b));
    CHECK_OK(tb_stream_query(s, &done));
    CHECK(!done);
    CHECK_OK(tb_stream_synchronize(s));
    CHECK_OK(tb_device_synchronize(0));
    tb_stream_release(s);
    CHECK(fake->streams == streams + 1);
    CHECK_OK(tb_stream_use(null));
    CHECK(fake->streams == streams);
    tb_event_release(a);
    tb_event_release(b);
    CHECK(fake->events == events);
    CHECK_OK(tb_device_use(1));
    CHECK_FAILS(tb_stream_use(null), TB_ERR_VALUE, "device");
    CHECK_OK(tb_device_use(0));
}

/* The figures leave out what the backend allocates for itself, and running out of memory empties the cache. */
static void test_memory(void)
{
    tb_pool_stats stats;
    void *ptr = NULL;
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    CHECK(stats.total_bytes == 0);
    char *big = take((size_t)600 << 20);
    CHECK_FAILS(tb__pool_alloc(null, (size_t)600 << 20, &ptr), TB_ERR_MEMORY, "out of memory");
    give(big);
    tb_stream *s = NULL;
    CHECK_OK(tb_stream_new(0, 0, &s));
    CHECK_OK(tb__pool_alloc(s, (size_t)600 << 20, &ptr));
    tb__pool_free(0, s->handle, ptr);
    tb_stream_release(s);
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    CHECK(stats.total_bytes == 0 && stats.used_bytes == 0);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

static char *x, *y, *out;

static void unary(tb_plan *p, const char *op)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){N});
    int a = plan_load(p, TB_F32, x);
    plan_store(p, TB_F32, plan_op(p, op, TB_F32, a, 0), out);
}

static void binary(tb_plan *p, const char *op)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){N});
    int a = plan_load(p, TB_F32, x), b = plan_load(p, TB_F32, y);
    plan_store(p, TB_F32, plan_op(p, op, TB_F32, a, b), out);
}

/* op(op(x) + y): its steps are `op` of one array and the sum of two. */
static void fused(tb_plan *p, const char *op)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){N});
    int a = plan_load(p, TB_F32, x), b = plan_load(p, TB_F32, y);
    int c = plan_op(p, op, TB_F32, a, 0);
    int d = plan_op(p, "add", TB_F32, c, b);
    plan_store(p, TB_F32, plan_op(p, op, TB_F32, d, 0), out);
}

static int cached_files(void)
{
    int n = 0;
    DIR *dir = opendir(cache);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) n += strstr(d->d_name, ".tbk") != NULL;
    if (dir) closedir(dir);
    return n;
}

static void test_tiers(void)
{
    static tb_plan p;
    tb_counters c;
    tb_counters_reset();
    unary(&p, "sin");
    CHECK_OK(run(&p));
    CHECK_OK(run(&p));
    binary(&p, "add");
    CHECK_OK(run(&p));
    tb_compile_wait();
    tb_counters_get(&c, sizeof c);
    CHECK(c.compiles == 2 && c.launches == 3 && cached_files() == 2);
    fused(&p, "sin"); /* all steps are there */
    CHECK_OK(run(&p));
    tb_counters_get(&c, sizeof c);
    CHECK(c.compiles == 2 && c.launches == 6);
    CHECK_OK(run(&p));
    tb_compile_wait();
    tb_counters_get(&c, sizeof c);
    CHECK(c.compiles == 3 && c.launches == 9 && cached_files() == 3);
    CHECK_OK(run(&p));
    CHECK_OK(run(&p));
    tb_counters_get(&c, sizeof c);
    CHECK(c.compiles == 3 && c.launches == 11);
    binary(&p, "add");
    p.load[1].strides[0] = 0;
    CHECK_OK(run(&p));
    fused(&p, "sin"); /* met before, but for its layout */
    p.load[1].strides[0] = 0;
    CHECK_OK(run(&p));
    tb_compile_wait();
    tb_counters_get(&c, sizeof c);
    CHECK(c.compiles == 5 && c.launches == 15);
    tb_pool_stats stats;
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    CHECK(stats.used_bytes == 3 * (size_t)((N * 4 + 511) / 512 * 512));
}

/* Several stores without operations, a join: copies at first. */
static void copies(tb_plan *p, int n)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){N / 2});
    const int a = plan_load(p, TB_F32, x), b = plan_load(p, TB_F32, y);
    for (int k = 0; k < n; k++) plan_store(p, TB_F32, k ? b : a, out + k * (N / 2) * 4);
    p->nload = n;
}

static void test_several_stores(void)
{
    static tb_plan p;
    tb_counters before, after;
    copies(&p, 1);
    CHECK_OK(run(&p));
    tb_counters_get(&before, sizeof before);
    copies(&p, 2);
    CHECK_OK(run(&p));
    tb_counters_get(&after, sizeof after);
    CHECK(after.compiles == before.compiles && after.launches == before.launches + 2);
    CHECK(after.fused_kernels == before.fused_kernels);
    copies(&p, 2);
    CHECK_OK(run(&p)); /* met again */
    tb_compile_wait();
    copies(&p, 2);
    CHECK_OK(run(&p));
    tb_counters_get(&after, sizeof after);
    CHECK(after.compiles == before.compiles + 1 && after.launches == before.launches + 5);
}

/* Kernels of the library's own wait for what precedes them by themselves. */
static void test_early(void)
{
    static tb_plan p;
    const uint32_t one[3] = {1, 1, 1};
    tb_kernel *k = NULL;
    tb_variant v;
    tb_stream captured = *null;
    void *params = v.params;
    const int launches = fake->launches, early = fake->early;
    binary(&p, "add");
    CHECK_OK(run(&p));
    CHECK_OK(run(&p));
    CHECK(fake->launches == launches + 2 && fake->early == early + 2);

    CHECK_OK(tb__codegen_variant(&p, &tb__gpu_devices[0].chip, &v));
    CHECK_OK(tb__kernel_get(0, &v, &k));
    captured.capture = (struct tb_graph *)&captured;
    CHECK(tb__cuda_enqueue(&captured, k->function, true, one, one, 0, &params) == CUDA_SUCCESS);
    CHECK(tb__cuda_enqueue(null, k->function, false, one, one, 0, &params) == CUDA_SUCCESS);
    CHECK(fake->launches == launches + 4 && fake->early == early + 2);

    const int version = tb__driver_version;
    CHECK(tb__cuda_launches_early(k->function));
    fake->arch = 80;
    CHECK(!tb__cuda_launches_early(k->function));
    fake->arch = 90;
    tb__driver_version = 12020;
    CHECK(!tb__cuda_launches_early(k->function));
    tb__driver_version = version;
}

static void test_reduction(void)
{
    static tb_plan p;
    tb_counters before, after;
    plan_start(&p, TB_PLAN_REDUCE, 1, (int64_t[]){N});
    p.reduced = 1;
    p.red = tb__red_find(TB_REDUCE_SUM, TB_F32);
    int a = plan_load(&p, TB_F32, x);
    plan_store(&p, TB_F32, a, out);
    CHECK_OK(run(&p));
    tb_counters_get(&before, sizeof before);
    plan_start(&p, TB_PLAN_REDUCE, 1, (int64_t[]){N});
    p.reduced = 1;
    p.red = tb__red_find(TB_REDUCE_SUM, TB_F32);
    a = plan_load(&p, TB_F32, x);
    plan_store(&p, TB_F32, plan_op(&p, "sin", TB_F32, a, 0), out);
    CHECK_OK(run(&p));
    tb_counters_get(&after, sizeof after);
    CHECK(after.compiles == before.compiles && after.launches > before.launches + 1);
}

/* With no room for the temporaries of the steps the whole kernel is compiled after all. */
static void test_no_room_for_steps(void)
{
    static tb_plan p;
    tb_counters before, after;
    binary(&p, "multiply");
    CHECK_OK(run(&p));
    unary(&p, "sqrt");
    CHECK_OK(run(&p));
    plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){N});
    int a = plan_load(&p, TB_F32, x), b = plan_load(&p, TB_F32, y);
    a = plan_op(&p, "sqrt", TB_F32, a, 0);
    plan_store(&p, TB_F32, plan_op(&p, "multiply", TB_F32, a, b), out);
    void *held[64];
    int n = 0;
    CHECK_OK(tb_pool_set_limit(NULL, 0, 1 << 20));
    while (n < 64 && tb__pool_alloc(null, N * 4, &held[n]) == TB_OK) n++;
    tb_counters_get(&before, sizeof before);
    CHECK_OK(run(&p));
    tb_counters_get(&after, sizeof after);
    CHECK(after.compiles == before.compiles + 1 && after.launches == before.launches + 1);
    while (n > 0) give(held[--n]);
    CHECK_OK(tb_pool_set_limit(NULL, 0, 0));
}

/* In another process: everything comes from disk, but for what was damaged. */
static int second_process(const char *damaged)
{
    static tb_plan p;
    tb_counters c;
    tb_counters_reset();
    unary(&p, "sin");
    CHECK_OK(run(&p));
    binary(&p, "add");
    CHECK_OK(run(&p));
    fused(&p, "sin"); /* in three steps, twice; then as it was found on disk meanwhile */
    CHECK_OK(run(&p));
    CHECK_OK(run(&p));
    tb_compile_wait();
    CHECK_OK(run(&p));
    tb_counters_get(&c, sizeof c);
    bool expect_compile = strcmp(damaged, "yes") == 0;
    CHECK(c.cache_hits_disk == (expect_compile ? 0u : 3u) && (c.compiles > 0) == expect_compile);
    CHECK(fake->launches == 9);
    return check_report();
}

/* In another process: two kernels come from the bundle in TOMBAC_KERNEL_PATH, if it is not cut off. */
static int shipped_process(bool whole)
{
    static tb_plan p;
    tb_counters c;
    tb_counters_reset();
    unary(&p, "floor");
    CHECK_OK(run(&p));
    binary(&p, "maximum");
    CHECK_OK(run(&p));
    unary(&p, "sin"); /* not in it */
    CHECK_OK(run(&p));
    tb_counters_get(&c, sizeof c);
    CHECK(c.cache_hits_disk == 1 && c.cache_hits_shipped == (whole ? 2u : 0u) && c.compiles == (whole ? 0u : 2u));
    return check_report();
}

static void ship(const tb_plan *p, int arch, tb_kernel_name *name, tb_image *image)
{
    tb_text source = {0};
    CHECK_OK(tb__codegen_source(p, &tb__gpu_devices[0].chip, &source));
    CHECK_OK(tb__cuda_compile(source.s, arch, false, image));
    tb__disk_shipped_name(source.s, arch, name);
    tb__text_free(&source);
}

/* A bundle that is cut off is as good as none. */
static void test_shipped(const char *self, const char *dir)
{
    static tb_plan p;
    tb_kernel_name names[2];
    tb_image images[2];
    char path[300];
    snprintf(path, sizeof path, "%s/sm_%d.tbk", cache, fake->arch);
    unary(&p, "floor");
    ship(&p, fake->arch, &names[0], &images[0]);
    binary(&p, "maximum");
    ship(&p, fake->arch, &names[1], &images[1]);
    CHECK(tb__bundle_write(path, 2, names, images));
    setenv("TOMBAC_KERNEL_PATH", cache, 1);
    CHECK(fake_cuda_spawn(self, dir, "shipped") == 0);
    CHECK(truncate(path, 60) == 0);
    CHECK(fake_cuda_spawn(self, dir, "cut") == 0);
    unsetenv("TOMBAC_KERNEL_PATH");
    CHECK(unlink(path) == 0);
    free(images[0].data);
    free(images[1].data);
}

static void damage_cache(void)
{
    char path[600];
    tb_compile_wait(); /* whose threads write there */
    DIR *dir = opendir(cache);
    int n = 0;
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        if (!strstr(d->d_name, ".tbk")) continue;
        snprintf(path, sizeof path, "%s/%s", cache, d->d_name);
        FILE *f = fopen(path, "r+b");
        CHECK(f != NULL);
        if (!f) continue;
        if (n++ % 2) CHECK(ftruncate(fileno(f), 100) == 0);
        else CHECK(fseek(f, 200, SEEK_SET) == 0 && fputc('!' ^ n, f) != EOF && fputc('?', f) != EOF);
        fclose(f);
    }
    if (dir) closedir(dir);
    CHECK(n > 0);
}

/* What the parent's threads had is out of the child's reach. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:pthread_setspecific\n"; }

/* What NVRTC does with its own memory on several threads is its own affair. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return "race:libnvrtc\n"; }

/* The child of a fork learns what is wrong and how to do it right, and ends in peace. */
static void test_fork(void)
{
    static tb_plan p;
    pid_t child = fork();
    if (child == 0) {
        unary(&p, "sin");
        CHECK_FAILS(run(&p), TB_ERR_DEVICE, "spawn");
        CHECK_FAILS(tb_device_synchronize(0), TB_ERR_DEVICE, "fork");
        exit(check_report());
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    unary(&p, "sin");
    CHECK_OK(run(&p));
}

static void test_kernels(const char *self, const char *dir)
{
    test_tiers();
    test_several_stores();
    test_early();
    test_reduction();
    test_no_room_for_steps();
    CHECK(fake_cuda_spawn(self, dir, "no") == 0);
    test_shipped(self, dir);
    damage_cache();
    CHECK(fake_cuda_spawn(self, dir, "yes") == 0);
    CHECK(fake_cuda_spawn(self, dir, "no") == 0);
    CHECK(chmod(cache, 0777) == 0); /* others could write: not used */
    CHECK(fake_cuda_spawn(self, dir, "yes") == 0);
    CHECK(chmod(cache, 0700) == 0);
}

static void remove_cache(void)
{
    char command[300];
    tb_compile_wait(); /* whose threads write there */
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    CHECK(system(command) == 0);
}

/* ---- graphs ---------------------------------------------------------------------------------------------------- */

static void count(void *p) { ++*(int *)p; }

static int given_up, taken_back;
static void *give_up(void)
{
    given_up++;
    return &given_up;
}
static void take_back(void *given) { taken_back += given == &given_up; }

/* While a function of the host may be what the driver waits for, what that function needs is given up. */
static void check_making_a_stream(void)
{
    tb_stream *s = NULL;
    tb_lock_wait_functions(give_up, take_back);
    CHECK_OK(tb_stream_new(TB_STREAM_DEFAULT, 0, &s));
    tb_lock_wait_functions(NULL, NULL);
    CHECK(given_up > 0 && taken_back == given_up);
    tb_stream_release(s);
}

static void test_graphs(void)
{
    tb_stream *s = NULL;
    tb_graph *g = NULL;
    tb_pool_stats before, during;
    int called = 0, dropped[2] = {0, 0}, errors = fake->errors;
    char host[100] = "kept";
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb_stream_host_func(s, count, &called, NULL));
    CHECK(called == 1 && !tb_host_func_pending());
    CHECK_FAILS(tb_stream_capture_begin(null, 2), TB_ERR_DEVICE, "legacy");
    CHECK_FAILS(tb_stream_capture_end(s, &g), TB_ERR_DEVICE, "not being captured");
    char *outside = take(1000), *inside = NULL;
    CHECK_OK(tb_stream_capture_begin(s, 0));
    CHECK(tb_stream_capture_status(s) == 1);
    CHECK_FAILS(tb_stream_capture_begin(s, 0), TB_ERR_DEVICE, "already");
    tb__lock();
    CHECK_OK(tb__pool_alloc(s, 1000, (void **)&inside));
    int pinned = fake->pinned_copies;
    CHECK_OK(tb__backend->copy_in(s, inside, host, sizeof host, true));
    CHECK(fake->pinned_copies == pinned + 1);
    CHECK_OK(tb__backend->copy(s, outside, inside, 100));
    tb__pool_free(0, tb__backend ? (void *)tb_stream_handle(s) : NULL, inside);
    tb__unlock();
    CHECK_OK(tb_stream_host_func(s, count, &dropped[0], count));
    CHECK(tb_host_func_pending());
    check_making_a_stream();
    CHECK_OK(tb_stream_capture_end(s, &g));
    CHECK(tb_stream_capture_status(s) == 0 && tb_graph_handle(g) && tb_graph_exec(g));
    /* Both blocks are the graph's until it goes: one was freed meanwhile, the other is used by it. */
    give(outside);
    CHECK_OK(tb_pool_statistics(NULL, 0, &before, sizeof before));
    CHECK_OK(tb_graph_launch(g, s));
    CHECK_OK(tb_graph_launch(g, NULL));
    tb_graph_release(g);
    CHECK_OK(tb_pool_statistics(NULL, 0, &during, sizeof during));
    CHECK(during.used_bytes + 2 * 1024 == before.used_bytes);
    CHECK(dropped[0] == 2 && !tb_host_func_pending()); /* the fake calls it when it is recorded; then it is dropped */
    tb_stream_release(s);
    CHECK(fake->errors == errors);
}

/* Memory from the driver without the pool: of each kind, in a stream's order, and through a pool. */
static int queries_of(tb_stream *s)
{
    const int before = fake->queries;
    bool done;
    CHECK_OK(tb_stream_query(s, &done));
    return fake->queries - before;
}

/* After a small copy the driver's wait is called only where what the stream writes does not show; where it does, a
 * stream that the driver does not see at its end at once is asked about again. */
static void test_waits(void)
{
    tb_stream *s = NULL;
    float number = 0;
    char *p = take(4);
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    for (fake->lag = 0; fake->lag < 3; fake->lag++) {
        for (int k = 0; k < 4; k++) {
            const int before = fake->synchronisations;
            CHECK_OK(tb__backend->copy_out(null, &number, p, 4, true));
            CHECK(fake->synchronisations == before + (fake->lag > 0));
        }
        CHECK(queries_of(s) == 1);
        CHECK(queries_of(null) == (fake->lag == 0 ? 101 : 1) && queries_of(null) == 1);
    }
    fake->lag = 0;
    tb_stream_release(s);
    give(p);
}

static void test_allocators(void)
{
    static const tb_memory_kind kinds[] = {TB_MEMORY_DEVICE, TB_MEMORY_MANAGED, TB_MEMORY_ASYNC, TB_MEMORY_SYSTEM};
    tb_stream *s = NULL;
    tb_pool_stats before, after;
    CHECK_OK(tb_pool_statistics(NULL, 0, &before, sizeof before));
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb_stream_use(s));
    for (int i = 0; i < 4; i++) {
        tb_allocator *a = NULL, *fed = NULL;
        tb_buffer *b = NULL, *c = NULL, *large = NULL;
        void *ptr = NULL;
        int allocs = fake->allocs, frees = fake->frees;
        size_t used = fake->used;
        CHECK_OK(tb_allocator_direct(kinds[i], 0, NULL, &a));
        CHECK_OK(tb_buffer_new_in(a, 1000, &b));
        CHECK_OK(tb_buffer_data(b, &ptr));
        CHECK(ptr && (kinds[i] == TB_MEMORY_SYSTEM || fake->allocs == allocs + 1));
        CHECK_OK(tb_allocator_pool(a, &fed));
        CHECK_OK(tb_buffer_new_in(fed, 1000, &c));
        if (kinds[i] != TB_MEMORY_SYSTEM) CHECK_FAILS(tb_buffer_new_in(a, 1ul << 40, &large), TB_ERR_MEMORY, "out of");
        tb_allocator_release(a);
        tb_buffer_release(b);
        tb_allocator_release(fed);
        tb_buffer_release(c);
        CHECK(fake->used <= used && fake->allocs - allocs <= fake->frees - frees);
    }
    CHECK_OK(tb_stream_use(null));
    tb_stream_release(s);
    CHECK_OK(tb_pool_statistics(NULL, 0, &after, sizeof after));
    CHECK(before.used_bytes == after.used_bytes);
}

static int64_t new_pool(void)
{
    int64_t pool = 0;
    CHECK_OK(tb_runtime_call(TB_RT_memPoolCreate, (const int64_t[]){1, 0, 1, 0}, &pool));
    return pool;
}

/* The driver sees a pool destroyed when nothing of it is out any more. */
static void test_pool_destroyed_before_its_memory(void)
{
    int64_t pool = new_pool(), now = 0;
    CHECK(fake->pools == 1);
    CHECK_OK(tb_runtime_call(TB_RT_memPoolDestroy, &pool, NULL));
    CHECK(fake->pools == 0);
    pool = new_pool();
    CHECK_OK(tb_runtime_call(TB_RT_deviceSetMemPool, (const int64_t[]){0, pool}, NULL));
    fake->pool_used = 100;
    CHECK_OK(tb_runtime_call(TB_RT_memPoolDestroy, &pool, NULL));
    CHECK_OK(tb_runtime_call(TB_RT_deviceGetMemPool, (const int64_t[]){0}, &now));
    CHECK(fake->pools == 1 && now != pool);
    CHECK(tb_runtime_call(TB_RT_memPoolDestroy, &pool, NULL) == TB_ERR_DEVICE && fake->pools == 1);
    int64_t other = new_pool();
    CHECK(fake->pools == 2);
    fake->pool_used = 0;
    CHECK_OK(tb_runtime_call(TB_RT_memPoolDestroy, &other, NULL));
    CHECK(fake->pools == 0);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    fake = fake_cuda_open(argv[1]);
    CHECK(fake != NULL);
    if (!fake) return check_report();
    const char *mode = argc > 2 ? argv[2] : NULL;
    if (mode) snprintf(cache, sizeof cache, "%s", getenv("TOMBAC_CACHE_DIR"));
    else snprintf(cache, sizeof cache, "/tmp/tombac-test-cuda-%ld/kernels", (long)getpid());
    setenv("TOMBAC_CACHE_DIR", cache, 1);
    unsetenv("TOMBAC_COMPILE");
    unsetenv("TOMBAC_GPU_MEMORY_LIMIT");

    if (!mode) test_start();
    else CHECK_OK(tb_stream_null(&null));
    x = take(N * 4);
    y = take(N * 4);
    out = take(N * 4);
    if (mode && (strcmp(mode, "shipped") == 0 || strcmp(mode, "cut") == 0)) return shipped_process(mode[0] == 's');
    if (mode) return second_process(mode);
    bool nvrtc = tb__library_load(&tb__library_nvrtc) == TB_OK;
    if (nvrtc) test_kernels(argv[0], argv[1]);
    if (nvrtc) test_fork();
    give(x);
    give(y);
    give(out);
    test_missing_library();
    test_libraries_of_others(argv[1]);
    test_without_kernels(nvrtc);
    test_waits();
    test_allocators();
    test_pool_destroyed_before_its_memory();
    test_streams();
    test_graphs();
    test_memory();
    CHECK(fake->errors == 0);
    *strrchr(cache, '/') = 0;
    remove_cache();
    return check_report();
}
