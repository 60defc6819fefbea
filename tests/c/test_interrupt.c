/* test_interrupt.c - calls that are given up: user kernels in every form, waits for streams, for events and for the
 * library's lock. The application's function says stop at its n-th call; a hang ends the program by its alarm. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "arrays.h"
#include "base/lock.h"

enum { SKIPPED = 77, HANGS = 300 };

static const char code[] =
    "extern \"C\" __global__ void spin(volatile int *go) { while (*go) {} }\n"
    "extern \"C\" __global__ void barriers(volatile int *go) { while (*go) __syncthreads(); }\n"
    "extern \"C\" __global__ void deep(volatile int *go) { volatile char room[4000]; room[*go] = 1;\n"
    "    while (*go) { __syncthreads(); room[threadIdx.x] = (char)*go; } }\n"
    "extern \"C\" __global__ void prints(volatile int *go) { while (*go) printf(\"\"); }\n"
    "extern \"C\" __global__ void parent(volatile int *go) { spin<<<1, 1>>>(go); }\n"
    "extern \"C\" __global__ void add(int *x) { atomicAdd(x, 1); __syncthreads(); }\n";
static const char *const endless[] = {"spin", "barriers", "deep", "prints", "parent"};
enum { NENDLESS = sizeof endless / sizeof *endless };

static tb_module *module;
static tb_array *go;

/* ---- the application ------------------------------------------------------------------------------------------ */

static atomic_int questions, patience = 1, told_later;
static pthread_t main_thread;

/* Some stack, and memory of the C library's. */
static tb_status asked(void)
{
    volatile char room[20000];
    if (!pthread_equal(pthread_self(), main_thread)) return TB_OK;
    void *p = malloc(100);
    room[0] = room[19999] = p != NULL;
    free(p);
    return atomic_fetch_add(&questions, 1) + 1 >= atomic_load(&patience) && room[0] ? TB_ERR_CALLER : TB_OK;
}

static void later(void) { atomic_fetch_add(&told_later, 1); }

static void ask_again(int n)
{
    atomic_store(&questions, 0);
    atomic_store(&patience, n);
}

/* ---- helpers -------------------------------------------------------------------------------------------------- */

static tb_status launch(const char *name, uint32_t grid, uint32_t block, tb_stream *s, tb_array *a)
{
    tb_function *f = NULL;
    tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {grid, 1, 1}, .block = {block, 1, 1}};
    CHECK_OK(tb_module_function(module, name, &f));
    tb_status status = tb_function_launch(f, &shape, s, 1, &(tb_kernel_arg){.array = a});
    tb_function_release(f);
    return status;
}

static void all_is_well(void)
{
    int n = 0;
    tb_array *x = range(TB_I32, 0, 1);
    CHECK_OK(launch("add", 100, 64, NULL, x));
    CHECK_OK(tb_array_get(x, &n, NULL, NULL, true));
    CHECK(n == 6400);
    tb_array_release(x);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

static void test_kernels(void)
{
    for (int i = 0; i < NENDLESS; i++) {
        ask_again(2);
        CHECK(launch(endless[i], i % 2 ? 1 : 50, 64, NULL, go) == TB_ERR_CALLER);
        CHECK(atomic_load(&questions) == 2);
        all_is_well();
    }
}

/* ---- launches of other threads --------------------------------------------------------------------------------- */

static void *launch_endless(void *name) { return (void *)(intptr_t)launch(name, 2, 32, NULL, go); }

static void test_the_lock_is_waited_for(void)
{
    for (int i = 0; i < NENDLESS; i++) {
        pthread_t other;
        void *status;
        tb_array *x;
        ask_again(2);
        int before = atomic_load(&told_later);
        CHECK(pthread_create(&other, NULL, launch_endless, (void *)(uintptr_t)endless[i]) == 0);
        while (!atomic_load(&questions)) { /* until the launch has the lock, and this thread waits for it */
            x = range(TB_I32, 0, 10);
            tb_array_release(x);
            usleep(1000);
        }
        x = range(TB_I32, 0, 10);
        tb_array_release(x);
        pthread_join(other, &status);
        CHECK((intptr_t)status == TB_ERR_INTERRUPTED);
        CHECK(atomic_load(&told_later) > before);
        ask_again(1000);
        all_is_well();
    }
}

static void test_all_are_ended(void)
{
    for (int i = 0; i < NENDLESS; i++) {
        pthread_t other;
        void *status;
        CHECK(pthread_create(&other, NULL, launch_endless, (void *)(uintptr_t)endless[i]) == 0);
        usleep(100000);
        tb_interrupt_all();
        pthread_join(other, &status);
        CHECK((intptr_t)status == TB_ERR_INTERRUPTED);
        all_is_well();
    }
}

/* ---- streams --------------------------------------------------------------------------------------------------- */

static void wait_for_flag(void *flag)
{
    while (!atomic_load((atomic_int *)flag)) usleep(1000);
}

static tb_stream *stream_behind(atomic_int *flag)
{
    tb_stream *s = NULL;
    atomic_store(flag, 0);
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb_stream_host_func(s, wait_for_flag, flag, NULL));
    return s;
}

/* Several kernels of a queue end at once, what else was given to the stream is done. */
static void test_kernels_of_queues(void)
{
    static atomic_int flag;
    int n = 0;
    tb_array *x = range(TB_I32, 0, 1);
    tb_stream *s = stream_behind(&flag);
    for (int i = 0; i < NENDLESS; i++) CHECK_OK(launch(endless[i], 2, 32, s, go));
    CHECK_OK(tb_stream_host_func(s, wait_for_flag, &flag, NULL));
    atomic_store(&flag, 1);
    ask_again(2);
    CHECK(tb_stream_synchronize(s) == TB_ERR_CALLER);
    ask_again(1000);
    CHECK_OK(tb_stream_synchronize(s));
    CHECK_OK(launch("add", 1, 64, s, x));
    CHECK_OK(tb_array_get(x, &n, NULL, s, true));
    CHECK(n == 64);
    tb_stream_release(s);
    tb_array_release(x);
    all_is_well();
}

static void test_waits_behind_others(void)
{
    static atomic_int flag;
    tb_event *first = NULL, *last = NULL;
    tb_stream *a = stream_behind(&flag), *b = NULL;
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &b));
    CHECK_OK(tb_event_new(0, &first));
    CHECK_OK(tb_event_new(0, &last));
    CHECK_OK(launch("barriers", 2, 32, a, go));
    CHECK_OK(tb_event_record(first, a));
    CHECK_OK(tb_stream_wait_event(b, first));
    CHECK_OK(tb_event_record(last, b));
    ask_again(2);
    CHECK(tb_event_synchronize(last) == TB_ERR_CALLER); /* the host function goes on; the kernel will not run */
    ask_again(1000);
    atomic_store(&flag, 1);
    CHECK_OK(tb_event_synchronize(last));
    CHECK_OK(tb_device_synchronize(0));
    tb_event_release(first);
    tb_event_release(last);
    tb_stream_release(a);
    tb_stream_release(b);
    all_is_well();
}

static void test_a_device(void)
{
    static atomic_int flag;
    tb_stream *s = stream_behind(&flag);
    CHECK_OK(launch("spin", 1, 1, s, go));
    ask_again(2);
    CHECK(tb_device_synchronize(0) == TB_ERR_CALLER);
    ask_again(1000);
    atomic_store(&flag, 1);
    CHECK_OK(tb_device_synchronize(0));
    tb_stream_release(s);
    all_is_well();
}

/* ---- nothing is asked without a reason -------------------------------------------------------------------------- */

static void test_what_is_short_is_not_asked(void)
{
    ask_again(1000);
    tb_array *x = range(TB_I32, 0, 1);
    for (int i = 0; i < 1000; i++) CHECK_OK(launch("add", 1, 1, NULL, x));
    CHECK(atomic_load(&questions) < 50); /* none, unless the machine is very busy */
    tb_array_release(x);
}

int main(void)
{
    alarm(HANGS);
    main_thread = pthread_self();
    tb_status status = tb_module_compile(&(tb_module_source){sizeof(tb_module_source), .code = code}, NULL, &module);
    if (status == TB_ERR_LIBRARY) {
        printf("%s\n", tb_error_message());
        return SKIPPED;
    }
    CHECK_OK(status);
    go = range(TB_I32, 1, 1);
    tb_interrupt_functions(asked, later);
    test_kernels();
    test_the_lock_is_waited_for();
    test_all_are_ended();
    test_kernels_of_queues();
    test_waits_behind_others();
    test_a_device();
    test_what_is_short_is_not_asked();
    tb_array_release(go);
    tb_module_release(module);
    return check_report();
}
