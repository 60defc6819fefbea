/* threads.c - the thread pool and the scratch memory of each thread.
 *
 * One job runs at a time; a job that finds the pool taken, or is started inside a task, runs on its own thread alone.
 * The tasks of a job are handed out by an atomic counter, and the thread that started it takes part. Workers are
 * started by the first job that has use for them. After a fork the child has none, and starts its own when it needs
 * them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/threads.h"

#include "base/environment.h"
#include "base/error.h"
#include "base/interrupt.h"

enum { MAX_THREADS = 1024, SPINS = 2000 };

typedef struct job {
    tb_task fn;
    void *arg;
    int64_t ntask;
    atomic_llong next;
    atomic_bool failed;
} job;

static struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    job *job;             /* what workers may join; guarded by mutex */
    int joined;           /* workers on it; guarded by mutex */
    int nworker;          /* running; guarded by `taken` */
    atomic_flag taken;    /* a job owns the pool */
    atomic_ullong posted; /* jobs so far: what idle workers watch */
    atomic_int left;      /* the copy of `joined` that the owner watches */
} pool = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
    .taken = ATOMIC_FLAG_INIT,
};

static _Thread_local bool in_task;

static void do_tasks(job *j)
{
    in_task = true;
    for (;;) {
        int64_t t = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
        if (t >= j->ntask) break;
        if (!j->fn(j->arg, t)) atomic_store_explicit(&j->failed, true, memory_order_relaxed);
    }
    in_task = false;
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Jobs often follow each other closely: a short look is cheaper than sleeping and being woken. */
static void watch_for_job(unsigned long long seen)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&pool.posted, memory_order_relaxed) != seen) return;
        pause_briefly();
    }
}

static void *worker(void *arg)
{
    unsigned long long seen = 0;
    (void)arg;
    for (;;) {
        watch_for_job(seen);
        pthread_mutex_lock(&pool.mutex);
        while (!pool.job || atomic_load(&pool.posted) == seen) pthread_cond_wait(&pool.work, &pool.mutex);
        seen = atomic_load(&pool.posted);
        job *j = pool.job;
        pool.joined++;
        atomic_fetch_add(&pool.left, 1);
        pthread_mutex_unlock(&pool.mutex);
        do_tasks(j);
        pthread_mutex_lock(&pool.mutex);
        atomic_fetch_sub(&pool.left, 1);
        if (--pool.joined == 0) pthread_cond_signal(&pool.done);
        pthread_mutex_unlock(&pool.mutex);
    }
    return NULL;
}

static void forget_workers(void)
{
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.job = NULL;
    pool.joined = 0;
    pool.nworker = 0;
    atomic_store(&pool.left, 0);
    atomic_flag_clear(&pool.taken);
}

static int nthread;

/* Processors that a container grants as a share of time rather than by number. */
static int quota(void)
{
    long long share = 0, period = 0;
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (!f) return MAX_THREADS;
    if (fscanf(f, "%lld %lld", &share, &period) != 2 || share <= 0 || period <= 0) share = MAX_THREADS, period = 1;
    fclose(f);
    share = (share + period - 1) / period;
    return share < MAX_THREADS ? (int)share : MAX_THREADS;
}

int tb__processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int granted = quota();
    return n < granted ? n : granted;
}

static void read_settings(void)
{
    int64_t n = tb__environment(TB_ENV_NUM_THREADS, 0);
    if (n == 0) n = tb__processors();
    nthread = n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (int)n;
    pthread_atfork(NULL, NULL, forget_workers);
}

int tb__threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_settings);
    return nthread;
}

static void start_workers(int n)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0) return;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_t id;
    while (pool.nworker < n && pthread_create(&id, &attr, worker, NULL) == 0) pool.nworker++;
    pthread_attr_destroy(&attr);
}

static void post(job *j)
{
    pthread_mutex_lock(&pool.mutex);
    pool.job = j;
    atomic_fetch_add(&pool.posted, 1);
    if (j->ntask - 1 < pool.nworker)
        for (int64_t i = 1; i < j->ntask; i++) pthread_cond_signal(&pool.work);
    else pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.mutex);
}

static void finish(void (*watch)(void *), void *arg)
{
    pthread_mutex_lock(&pool.mutex);
    pool.job = NULL;
    pthread_mutex_unlock(&pool.mutex);
    for (int i = 0; i < SPINS && atomic_load_explicit(&pool.left, memory_order_relaxed) > 0; i++) pause_briefly();
    pthread_mutex_lock(&pool.mutex);
    while (pool.joined > 0) {
        if (!watch) {
            pthread_cond_wait(&pool.done, &pool.mutex);
        } else if (!tb__cond_wait_for(&pool.done, &pool.mutex, TB_ASK_EVERY)) {
            pthread_mutex_unlock(&pool.mutex);
            watch(arg);
            pthread_mutex_lock(&pool.mutex);
        }
    }
    pthread_mutex_unlock(&pool.mutex);
}

static tb_status no_scratch(void)
{
    return tb__fail(TB_ERR_MEMORY, "out of host memory for the scratch of a CPU kernel");
}

tb_status tb__parallel(int64_t ntask, tb_task fn, void *arg) { return tb__parallel_watched(ntask, fn, arg, NULL); }

tb_status tb__parallel_watched(int64_t ntask, tb_task fn, void *arg, void (*watch)(void *))
{
    job j = {.fn = fn, .arg = arg, .ntask = ntask};
    if (ntask == 1) return fn(arg, 0) ? TB_OK : no_scratch();
    bool shared = ntask > 1 && !in_task && tb__threads() > 1 && !atomic_flag_test_and_set(&pool.taken);
    if (shared) {
        start_workers((int)(ntask < tb__threads() ? ntask : tb__threads()) - 1);
        post(&j);
    }
    bool nested = in_task;
    do_tasks(&j);
    in_task = nested;
    if (shared) {
        finish(watch, arg);
        atomic_flag_clear(&pool.taken);
    }
    return atomic_load(&j.failed) ? no_scratch() : TB_OK;
}

/* ---- scratch -------------------------------------------------------------------------------------------------- */

static pthread_key_t scratch_key;

static void make_key(void) { pthread_key_create(&scratch_key, free); }

void *tb__scratch(size_t n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local void *scratch;
    static _Thread_local size_t size;
    if (scratch && n <= size) return scratch;
    pthread_once(&once, make_key);
    n = (n + 4096) & ~(size_t)4095;
    void *p = aligned_alloc(64, n);
    if (!p) return NULL;
    free(scratch);
    scratch = p;
    size = n;
    pthread_setspecific(scratch_key, p);
    return p;
}
