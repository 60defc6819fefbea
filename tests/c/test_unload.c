/* test_unload.c - the library as a plug-in: opened, used and closed again and again, as a host program does whose
 * plug-ins link it. What a use leaves behind (idle threads of the pool and of streams, what is to be done at a fork, at
 * the end of a thread and of the process) must find its code still there. The library's path is the argument. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 50, N = 1 << 18 };

/* The functions that the test calls, by address: it is not linked with the library. */
#define FUNCTIONS(X)                                                                                                   \
    X(tb_arange)                                                                                                       \
    X(tb_ufunc_find)                                                                                                   \
    X(tb_ufunc_call)                                                                                                   \
    X(tb_array_get)                                                                                                    \
    X(tb_array_release)                                                                                                \
    X(tb_scalar_int)                                                                                                   \
    X(tb_stream_new)                                                                                                   \
    X(tb_stream_host_func)                                                                                             \
    X(tb_stream_synchronize)                                                                                           \
    X(tb_stream_release)                                                                                               \
    X(tb_elementwise_new)                                                                                              \
    X(tb_elementwise_call)                                                                                             \
    X(tb_elementwise_release)

typedef struct library {
    void *handle;
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} library;

static bool open_library(const char *path, library *l)
{
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    void *address;
#define FIND(name)                                                                                                     \
    address = dlsym(l->handle, #name);                                                                                 \
    CHECK(address != NULL);                                                                                            \
    memcpy(&l->name, &address, sizeof address);
    FUNCTIONS(FIND)
    return true;
}

/* ---- a use ----------------------------------------------------------------------------------------------------- */

/* Enough for both threads: x * 3 of 0, 1, 2, ... */
static void multiply(const library *l)
{
    static _Thread_local float numbers[N];
    tb_array *x = NULL, *y = NULL;
    if (l->tb_arange(TB_F32, l->tb_scalar_int(0), l->tb_scalar_int(1), N, &x) != TB_OK) abort();
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = l->tb_scalar_int(3)}};
    CHECK(l->tb_ufunc_call(l->tb_ufunc_find("multiply"), in, &y, NULL) == TB_OK);
    CHECK(l->tb_array_get(y, numbers, NULL, NULL, true) == TB_OK);
    CHECK(numbers[1] == 3 && numbers[N - 1] == 3.0F * (N - 1));
    l->tb_array_release(x);
    l->tb_array_release(y);
}

static void count(void *arg) { ++*(int *)arg; }

static void use_stream(const library *l)
{
    tb_stream *s = NULL;
    int called = 0;
    CHECK(l->tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s) == TB_OK);
    CHECK(l->tb_stream_host_func(s, count, &called, NULL) == TB_OK);
    CHECK(l->tb_stream_synchronize(s) == TB_OK);
    CHECK(called == 1);
    l->tb_stream_release(s);
}

/* Where there is a C++ compiler. */
static void use_kernel(const library *l)
{
    const tb_elementwise_source source = {sizeof(tb_elementwise_source), .in_params = "T x", .out_params = "T y",
                                          .operation = "y = x * x", .name = "square"};
    float numbers[4] = {0};
    tb_array *x = NULL, *y = NULL;
    tb_elementwise *k = NULL;
    CHECK(l->tb_arange(TB_F32, l->tb_scalar_int(0), l->tb_scalar_int(1), 4, &x) == TB_OK);
    CHECK(l->tb_elementwise_new(&source, &k) == TB_OK);
    const tb_operand in[1] = {{TB_OPERAND_ARRAY, .array = x}};
    tb_status status = l->tb_elementwise_call(k, in, &y, NULL);
    CHECK(status == TB_OK || status == TB_ERR_LIBRARY);
    if (status == TB_OK) {
        CHECK(l->tb_array_get(y, numbers, NULL, NULL, true) == TB_OK);
        CHECK(numbers[3] == 9);
    }
    l->tb_array_release(x);
    l->tb_array_release(y);
    l->tb_elementwise_release(k);
}

/* ---- a thread that outlives the use ------------------------------------------------------------------------------ */

typedef struct user {
    const library *library;
    pthread_barrier_t used, closed;
} user;

static void *use_in_thread(void *arg)
{
    user *u = arg;
    multiply(u->library);
    pthread_barrier_wait(&u->used);
    pthread_barrier_wait(&u->closed);
    return NULL; /* and now the library's destructors of what is the thread's */
}

static void check_fork(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) _exit(0);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void use_and_close(const char *path)
{
    library l;
    user u = {.library = &l};
    pthread_t thread;
    if (!open_library(path, &l)) exit(1);
    pthread_barrier_init(&u.used, NULL, 2);
    pthread_barrier_init(&u.closed, NULL, 2);
    CHECK(pthread_create(&thread, NULL, use_in_thread, &u) == 0);
    multiply(&l);
    use_stream(&l);
    use_kernel(&l);
    pthread_barrier_wait(&u.used);
    CHECK(dlclose(l.handle) == 0);
    pthread_barrier_wait(&u.closed);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&u.used);
    pthread_barrier_destroy(&u.closed);
    check_fork();
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    setenv("TOMBAC_NUM_THREADS", "2", 1);
    for (int i = 0; i < ROUNDS; i++) use_and_close(argv[1]);
    return check_report();
}
