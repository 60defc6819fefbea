/* test_cuda_tiers.c - which kernels a plan runs on and who waits for what, with a compiler and a driver that only
 * pretend: a test says which compilations are held, and looks at what goes on meanwhile. A call that waits for what it
 * should not never comes to an end: the alarm ends the test.
 *
 *   test_cuda_tiers DIRECTORY [MODE]   where libcuda.so.1 of fake_cuda.c is; MODE: what another process does */
#include <stdlib.h>
#include <unistd.h>

#include "backend/gpu/kernel.h"
#include "backend/start.h"
#include "base/lock.h"
#include "check.h"
#include "device_memory.h"
#include "fake_cuda.h"
#include "fake_nvrtc.h"
#include "operations.h"
#include "plans.h"

enum { N = 10000, THREADS = 4, PATIENCE = 120 /* s */ };
static fake_cuda *fake;
static tb_stream *null;
static char *x, *y, *out;

static tb_status run(const tb_plan *p)
{
    tb__lock();
    const tb_status status = device_run(null, p);
    tb__unlock();
    return status;
}

static void unary(tb_plan *p, const char *op)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){N});
    const int a = plan_load(p, TB_F32, x);
    plan_store(p, TB_F32, plan_op(p, op, TB_F32, a, 0), out);
}

static void binary(tb_plan *p, const char *op)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){N});
    const int a = plan_load(p, TB_F32, x), b = plan_load(p, TB_F32, y);
    plan_store(p, TB_F32, plan_op(p, op, TB_F32, a, b), out);
}

/* op(op(x) + y), of n elements: three steps, of two kinds. */
static void chain(tb_plan *p, const char *op, int64_t n)
{
    plan_start(p, TB_PLAN_MAP, 1, &n);
    const int a = plan_load(p, TB_F32, x), b = plan_load(p, TB_F32, y);
    const int c = plan_op(p, "add", TB_F32, plan_op(p, op, TB_F32, a, 0), b);
    plan_store(p, TB_F32, plan_op(p, op, TB_F32, c, 0), out);
}

static bool is_chain(const char *source) { return strstr(source, " v4 ") != NULL; }
static bool is_step(const char *source) { return !is_chain(source); }

static tb_counters counters(void)
{
    tb_counters c;
    tb_counters_get(&c, sizeof c);
    return c;
}

static int launches_of(const tb_plan *p)
{
    const int before = fake->launches;
    CHECK_OK(run(p));
    return fake->launches - before;
}

static void finish_all(void)
{
    fake_nvrtc_hold(NULL);
    tb_compile_wait();
    fake_nvrtc_reset();
}

/* ---- who waits -------------------------------------------------------------------------------------------------- */

/* With steps at hand a plan runs on them until its own kernel is there, however often it comes. */
static void test_nobody_waits(void)
{
    static tb_plan p;
    unary(&p, "sin");
    CHECK_OK(run(&p));
    binary(&p, "add");
    CHECK_OK(run(&p));
    finish_all();
    fake_nvrtc_hold(fake_nvrtc_all);
    const tb_counters before = counters();
    chain(&p, "sin", N);
    for (int i = 0; i < 20; i++) {
        CHECK(launches_of(&p) == 3);
        if (i == 1) fake_nvrtc_await(1); /* since it came again */
    }
    CHECK(fake_nvrtc.started == 1);
    const tb_counters after = counters();
    CHECK(after.compile_waits == before.compile_waits && after.compiles == before.compiles);
    finish_all();
    CHECK(launches_of(&p) == 1 && counters().compiles == before.compiles + 1);
}

/* Where one run step by step takes long enough the kernel is made before the first. Steps that it takes the place of
 * are not. */
static void test_large_plans_at_once(void)
{
    static tb_plan p;
    tb_counters before = counters();
    finish_all();
    chain(&p, "sqrt", 1 << 26);
    CHECK(launches_of(&p) == 1);
    tb_counters after = counters();
    CHECK(after.compiles == before.compiles + 1 && after.compile_waits == before.compile_waits + 1);
    finish_all();
    CHECK(counters().compiles == before.compiles + 1);
    chain(&p, "sqrt", N); /* the same kernel */
    CHECK(launches_of(&p) == 1);
    CHECK(counters().compiles == before.compiles + 1);
}

/* What is between the two is compiled in the background when it is first met. */
static void test_middling_plans_soon(void)
{
    static tb_plan p;
    unary(&p, "tanh");
    CHECK_OK(run(&p));
    finish_all();
    fake_nvrtc_hold(fake_nvrtc_all);
    chain(&p, "tanh", 1 << 22);
    CHECK(launches_of(&p) == 3);
    fake_nvrtc_await(1);
    finish_all();
    CHECK(launches_of(&p) == 1);
}

/* A first run in another thread, which waits. */
static void *run_in_thread(void *plan)
{
    CHECK_OK(run(plan));
    return NULL;
}

/* Nothing is there: the whole and its steps are compiled at the same time, and either serves. */
static void check_cold(const char *op, bool (*held)(const char *), int launches)
{
    static tb_plan p;
    pthread_t thread;
    const int before = fake->launches;
    finish_all();
    const tb_counters first = counters();
    fake_nvrtc_hold(fake_nvrtc_all);
    chain(&p, op, N);
    CHECK(pthread_create(&thread, NULL, run_in_thread, &p) == 0);
    fake_nvrtc_await(2); /* the sum is there from earlier */
    CHECK(fake_nvrtc.most == 2 && fake->launches == before);
    fake_nvrtc_hold(held);
    pthread_join(thread, NULL);
    CHECK(fake->launches == before + launches);
    CHECK(counters().compile_waits == first.compile_waits + 1);
    finish_all();
    CHECK(counters().compiles == first.compiles + 2);
    CHECK(launches_of(&p) == 1);
    unary(&p, op);
    CHECK(launches_of(&p) == 1 && counters().compiles == first.compiles + 2);
}

static tb_array *negated(tb_array *a)
{
    tb_array *b = NULL;
    const tb_operand in = {TB_OPERAND_ARRAY, .array = a};
    CHECK_OK(tb_ufunc_call(tb_ufunc_find("negative"), &in, &b, NULL));
    CHECK_OK(tb_array_eval(b));
    return b;
}

static void *sum_in_thread(void *a)
{
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    tb_array *sum = NULL;
    CHECK_OK(tb_reduce(TB_RED_SUM, a, &args, &sum));
    tb_array_release(sum);
    return NULL;
}

/* While a thread waits for a compiler others compute. */
static void test_lock_is_free(void)
{
    pthread_t thread;
    tb_array *a = NULL;
    CHECK_OK(tb_arange(TB_F32, tb_scalar_float(0), tb_scalar_int(1), N, &a));
    CHECK_OK(tb_array_eval(a));
    tb_array_release(negated(a));
    finish_all();
    fake_nvrtc_hold(fake_nvrtc_all);
    const tb_counters before = counters();
    CHECK(pthread_create(&thread, NULL, sum_in_thread, a) == 0);
    fake_nvrtc_await(1);
    for (int i = 0; i < 10; i++) tb_array_release(negated(a));
    CHECK(counters().launches == before.launches + 10 && counters().compiles == before.compiles);
    fake_nvrtc_hold(NULL);
    pthread_join(thread, NULL);
    CHECK(counters().launches == before.launches + 11 && counters().compile_waits == before.compile_waits + 1);
    finish_all();
    tb_array_release(a);
}

/* ---- several threads -------------------------------------------------------------------------------------------- */

static void test_parallel(void)
{
    static const char *const ops[] = {"floor", "ceil", "cos", "exp", "log", "cosh"};
    enum { OPS = sizeof ops / sizeof *ops };
    static tb_plan p[OPS];
    int kernels = 0;
    for (int i = 0; i < OPS; i++) {
        unary(&p[i], ops[i]);
        CHECK_OK(run(&p[i]));
        chain(&p[i], ops[i], N);
        CHECK_OK(run(&p[i]));
    }
    finish_all();
    fake_nvrtc_hold(fake_nvrtc_all);
    for (int i = 0; i < OPS; i++) CHECK(launches_of(&p[i]) == 3);
    fake_nvrtc_await(THREADS);
    fake_nvrtc_hold(NULL);
    tb_compile_wait();
    CHECK(fake_nvrtc.most == THREADS && fake_nvrtc.nthread == THREADS && fake_nvrtc.ended == OPS);
    for (int i = 0; i < fake_nvrtc.nthread; i++) kernels += fake_nvrtc.by[i];
    CHECK(kernels == OPS);
    for (int i = 0; i < OPS; i++) CHECK(launches_of(&p[i]) == 1);
}

/* ---- in a hurry ------------------------------------------------------------------------------------------------ */

/* What somebody waits for is made in a hurry, and better afterwards: then launches are of that. */
static void test_hurry(void)
{
    static tb_plan p;
    finish_all();
    const tb_counters before = counters();
    const int loads = fake->loads;
    unary(&p, "expm1");
    CHECK(launches_of(&p) == 1 && launches_of(&p) == 1);
    CHECK(fake->loads == loads + 1);
    tb_compile_wait();
    CHECK(fake_nvrtc.ended == 2 && fake_nvrtc.hasty == 1);
    CHECK(launches_of(&p) == 1 && fake->loads == loads + 2);
    CHECK(launches_of(&p) == 1 && fake->loads == loads + 2);
    CHECK(counters().compiles == before.compiles + 1); /* one kernel */
    chain(&p, "expm1", N);
    CHECK(launches_of(&p) == 3 && launches_of(&p) == 3);
    finish_all();
    CHECK(launches_of(&p) == 1 && fake_nvrtc.hasty == 0); /* nobody waited */
}

/* Where it cannot be made better it stays, and nobody hears of it. */
static void test_hurry_alone(void)
{
    static tb_plan p;
    finish_all();
    unary(&p, "arcsinh");
    CHECK(launches_of(&p) == 1);
    fake_nvrtc_fail(fake_nvrtc_all);
    tb_compile_wait();
    fake_nvrtc_fail(NULL);
    CHECK(fake_nvrtc.ended == 2 && launches_of(&p) == 1);
    finish_all();
}

/* ---- failures --------------------------------------------------------------------------------------------------- */

static void test_failure(void)
{
    static tb_plan p;
    unary(&p, "arctan");
    CHECK_OK(run(&p));
    finish_all();
    chain(&p, "arctan", N);
    CHECK(launches_of(&p) == 3);
    fake_nvrtc_fail(is_chain);
    CHECK(launches_of(&p) == 3);
    finish_all();
    CHECK_FAILS(run(&p), TB_ERR_COMPILE, "NVRTC could not compile");
    CHECK_FAILS(run(&p), TB_ERR_COMPILE, "NVRTC could not compile");
    fake_nvrtc_fail(fake_nvrtc_all); /* nothing of a plan can be made */
    chain(&p, "arcsin", N);
    CHECK_FAILS(run(&p), TB_ERR_COMPILE, "NVRTC could not compile");
    unary(&p, "arccos");
    CHECK_FAILS(run(&p), TB_ERR_COMPILE, "NVRTC could not compile");
    fake_nvrtc_fail(NULL);
    finish_all();
    CHECK(launches_of(&p) == 1);
}

/* ---- other processes -------------------------------------------------------------------------------------------- */

/* Work for all threads that does not end soon, however slowly this one goes on, and more of it. */
static void keep_busy(void)
{
    static const char *const ops[] = {"floor", "ceil", "cos", "exp", "log", "cosh"};
    static tb_plan p;
    binary(&p, "add");
    CHECK_OK(run(&p));
    for (int i = 0; i < 6; i++) {
        unary(&p, ops[i]);
        CHECK_OK(run(&p));
        chain(&p, ops[i], N);
        CHECK_OK(run(&p));
    }
    tb_compile_wait();
    fake_nvrtc_reset();
    fake_nvrtc.ms = 1000;
    for (int i = 0; i < 6; i++) {
        chain(&p, ops[i], N);
        CHECK_OK(run(&p));
    }
    fake_nvrtc_await(THREADS);
}

/* The process ends with what is under way; what is waiting is dropped. */
static int exit_process(void)
{
    keep_busy();
    tb_compile_stop();
    CHECK(fake_nvrtc.ended == THREADS && fake_nvrtc.started == THREADS);
    static tb_plan p;
    chain(&p, "log10", N); /* now it is compiled by whoever needs it */
    CHECK(launches_of(&p) == 1);
    return check_report();
}

static int leave_process(void)
{
    keep_busy();
    return check_report();
}

/* What threads had that are not there is lost to a child. */
static int is_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return is_child; }

/* A child has none of the threads, and none of what they were at. */
static int fork_process(void)
{
    keep_busy();
    const pid_t child = fork();
    if (child == 0) {
        is_child = 1;
        tb_compile_wait();
        exit(check_report());
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    return check_report();
}

/* Without NVRTC what is shipped or in the cache serves, and the rest says what is missing. */
static int missing_process(void)
{
    static tb_plan p;
    unary(&p, "sin");
    CHECK_OK(run(&p));
    binary(&p, "add");
    CHECK_OK(run(&p));
    __atomic_store_n(&tb__library_nvrtc.ready, false, __ATOMIC_RELEASE);
    tb__library_nvrtc.failure = strdup("NVRTC was not found: install it");
    for (int i = 0; i < 5; i++) {
        chain(&p, "sin", N);
        CHECK(launches_of(&p) == 3);
        tb_compile_wait();
    }
    chain(&p, "sin", 1 << 26);
    CHECK(launches_of(&p) == 3);
    unary(&p, "cos");
    CHECK_FAILS(run(&p), TB_ERR_LIBRARY, "install it");
    chain(&p, "cos", N);
    CHECK_FAILS(run(&p), TB_ERR_LIBRARY, "install it");
    return check_report();
}

/* ---- every operation, in a process of its own ------------------------------------------------------------------ */

static struct {
    const struct operation *operation;
    op_inputs inputs;
    int let_go; /* compilations that need not wait any more */
    bool ended;
} held;

static bool is_held(const char *source)
{
    (void)source;
    return fake_nvrtc.ended >= held.let_go;
}

static void *perform_held(void *unused)
{
    (void)unused;
    tb_array *a = held.operation->run(&held.inputs);
    CHECK(a && tb_array_size(a) > 0);
    CHECK_OK(tb_array_eval(a));
    tb_array_release(a);
    pthread_mutex_lock(&fake_nvrtc.mutex);
    held.ended = true;
    pthread_cond_broadcast(&fake_nvrtc.changed);
    pthread_mutex_unlock(&fake_nvrtc.mutex);
    return NULL;
}

/* Whether compilations are under way, and the operation is not over. */
static bool await_compilations(void)
{
    pthread_mutex_lock(&fake_nvrtc.mutex);
    while (!held.ended && fake_nvrtc.running == 0) pthread_cond_wait(&fake_nvrtc.changed, &fake_nvrtc.mutex);
    const bool more = !held.ended;
    pthread_mutex_unlock(&fake_nvrtc.mutex);
    return more;
}

static void let_go(void)
{
    pthread_mutex_lock(&fake_nvrtc.mutex);
    held.let_go = fake_nvrtc.ended + fake_nvrtc.running;
    const int until = held.let_go;
    pthread_cond_broadcast(&fake_nvrtc.changed);
    while (fake_nvrtc.ended < until) pthread_cond_wait(&fake_nvrtc.changed, &fake_nvrtc.mutex);
    pthread_mutex_unlock(&fake_nvrtc.mutex);
}

/* What counts of true elements, and running ones, will find in memory, where no kernel runs: the device's, and the
 * host's that copies and answers come by. */
static void leave_counts(void)
{
    static int64_t counts[OP_N];
    int64_t count = 0;
    void *address = NULL;
    tb_array *a = NULL, *b = NULL;
    for (int i = 0; i < OP_N; i++) counts[i] = OP_PICKS;
    CHECK_OK(tb_from_host(counts, TB_I64, 0, NULL, NULL, 'C', &a));
    CHECK_OK(tb_from_host(counts, TB_I64, 1, (int64_t[]){OP_N}, NULL, 'C', &b));
    CHECK_OK(tb_array_data(a, &address)); /* the host does not remember what others may have written */
    CHECK_OK(tb_array_get(a, &count, NULL, NULL, true));
    tb_array_release(a);
    tb_array_release(b);
}

/* While any kernel of an operation is compiled this thread computes. */
static int operation_process(const struct operation *o)
{
    pthread_t thread;
    held.operation = o;
    op_prepare(&held.inputs);
    tb_array *a = op_numbers(TB_I8, N, 0);
    tb_array_release(negated(a));
    finish_all();
    leave_counts();
    fake_nvrtc_hold(is_held);
    int turns = 0;
    CHECK(pthread_create(&thread, NULL, perform_held, NULL) == 0);
    for (; await_compilations(); turns++) {
        tb_array_release(negated(a));
        let_go();
    }
    pthread_join(thread, NULL);
    if (turns == 0) fprintf(stderr, "%s: nothing was compiled\n", o->name);
    CHECK(turns > 0 && counters().compile_waits > 0);
    finish_all();
    tb_array_release(a);
    op_finish(&held.inputs);
    return check_report();
}

static int sync_process(void)
{
    static tb_plan p;
    chain(&p, "sin", N);
    CHECK(launches_of(&p) == 1 && launches_of(&p) == 1 && counters().compiles == 1);
    return check_report();
}

static int other_process(const char *mode)
{
    if (strcmp(mode, "exit") == 0) return exit_process();
    if (strcmp(mode, "leave") == 0) return leave_process();
    if (strcmp(mode, "fork") == 0) return fork_process();
    if (strcmp(mode, "missing") == 0) return missing_process();
    if (mode[0] == '#') return operation_process(&operations[atoi(mode + 1)]);
    return sync_process();
}

static void test_processes(const char *self, const char *folder)
{
    CHECK(fake_cuda_spawn(self, folder, "exit") == 0);
    CHECK(fake_cuda_spawn(self, folder, "leave") == 0);
    CHECK(fake_cuda_spawn(self, folder, "fork") == 0);
    CHECK(fake_cuda_spawn(self, folder, "missing") == 0);
    for (int i = 0; i < OPERATIONS; i++) {
        char mode[16];
        if (operations[i].run == op_bincount) continue; /* it reads what kernels make, and none runs here */
        snprintf(mode, sizeof mode, "#%d", i);
        const bool ok = fake_cuda_spawn(self, folder, mode) == 0;
        if (!ok) fprintf(stderr, "%s: others wait for its kernels\n", operations[i].name);
        CHECK(ok);
    }
    setenv("TOMBAC_COMPILE", "sync", 1);
    CHECK(fake_cuda_spawn(self, folder, "sync") == 0);
}

/* ---- the decision ----------------------------------------------------------------------------------------------- */

/* A chain of float32 operations on a card of 4.8 TB/s with 50 MB of cache. */
static tb_when decide(int bits, int operations, bool before)
{
    static tb_plan p;
    const tb_speed speed = {4800, 50e6};
    plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){(int64_t)1 << bits});
    int a = plan_load(&p, TB_F32, x);
    for (int i = 0; i < operations; i++) a = plan_op(&p, "sin", TB_F32, a, 0);
    plan_store(&p, TB_F32, a, out);
    return tb__cost_when(tb__cost_saved(&p, &speed), before, tb__cost_compile(&p));
}

static void test_decision(void)
{
    static const struct {
        int bits;
        tb_when when[4]; /* of 2, 5, 12 and 30 operations */
    } rows[] = {
        {10, {TB_LATER, TB_LATER, TB_LATER, TB_SOON}}, {16, {TB_LATER, TB_LATER, TB_LATER, TB_SOON}},
        {20, {TB_LATER, TB_LATER, TB_LATER, TB_SOON}}, {22, {TB_LATER, TB_LATER, TB_SOON, TB_SOON}},
        {24, {TB_SOON, TB_SOON, TB_NOW, TB_NOW}},      {26, {TB_SOON, TB_NOW, TB_NOW, TB_NOW}},
    };
    static const int operations[] = {2, 5, 12, 30};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int k = 0; k < 4; k++) {
            const tb_when when = decide(rows[i].bits, operations[k], false);
            if (when != rows[i].when[k])
                fprintf(stderr, "2^%d elements, %d operations: %d\n", rows[i].bits, operations[k], when);
            CHECK(when == rows[i].when[k]);
            CHECK(decide(rows[i].bits, operations[k], true) == (when == TB_NOW ? TB_NOW : TB_SOON));
        }
        CHECK(decide(rows[i].bits, 1, false) == TB_LATER); /* nothing to save */
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    alarm(PATIENCE);
    fake = fake_cuda_open(argv[1]);
    CHECK(fake != NULL);
    if (!fake) return check_report();
    fake->capacity = (size_t)4 << 30;
    setenv("TOMBAC_COMPILE_THREADS", "4", 1);
    setenv("TOMBAC_CACHE_DIR", "/proc/none", 1); /* none can be made there */
    if (argc < 3) unsetenv("TOMBAC_COMPILE");
    fake_nvrtc_install();
    CHECK_OK(tb_stream_null(&null));
    x = take(N * 4);
    y = take(N * 4);
    out = take(N * 4);
    if (argc > 2) return other_process(argv[2]);
    test_decision();
    test_nobody_waits();
    test_large_plans_at_once();
    test_middling_plans_soon();
    check_cold("exp2", is_chain, 3);
    check_cold("cbrt", is_step, 1);
    test_lock_is_free();
    test_parallel();
    test_hurry();
    test_hurry_alone();
    test_failure();
    tb_compile_stop();
    test_processes(argv[0], argv[1]);
    CHECK(fake->errors == 0);
    return check_report();
}
