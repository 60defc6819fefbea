/* stop.c - ending user code that runs: the code knows nothing of it, and pays nothing.
 *
 * A thread of its own keeps watch while launches are under way. A few times a second it sends a signal to the threads
 * that run user code. In its handler the thread that made the launch asks whether its caller still wants it
 * (base/interrupt.h), and a thread whose launch has failed, or was told to stop, leaves. It leaves, and asks, only if
 * the signal found it between two instructions of the module itself or of the math library, which hold no locks; found
 * elsewhere, in an allocator or the dynamic loader, it is asked again a millisecond later, or where it next calls the
 * library. What asking runs is not
 * small, so it happens on the thread's own stack, also when a fiber was interrupted.
 *
 * Everything that threads read of each other is atomic; the list of threads is guarded by `mutex`. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "backend/cpu/user/user.h"
#include "base/bias.h"
#include "base/interrupt.h"

enum {
    TICK = 50,
    AGAIN = 1, /* milliseconds */
    TICKS_A_QUESTION = 4,
    IDLE_TICKS = 20, /* without launches, and the watch goes to sleep */
    SIGNAL = SIGURG, /* ignored unless somebody asks for it */
    BELOW = 4096,    /* what a stack's owner may be using below the place where it waits */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static tb_cpu_running *threads; /* all that have run user code and still exist */
enum { NOBODY, ASLEEP, AWAKE };
static int watch; /* atomic: the thread that keeps it */

static bool load(const bool *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static bool take(bool *flag) { return load(flag) && __atomic_exchange_n(flag, false, __ATOMIC_RELAXED); }
static void set(bool *flag, bool value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }
static bool has_failed(const tb_cpu_launch *l) { return __atomic_load_n(&l->failed, __ATOMIC_ACQUIRE) != 0; }

/* ---- asking --------------------------------------------------------------------------------------------------- */

typedef struct question {
    void *asker, *answerer; /* where each is to go on */
    tb_status answer;
} question;

static _Thread_local question *own_question;

static void answer(void)
{
    question *q = own_question;
    q->answer = tb__interrupted();
    tb__fiber_switch(&q->answerer, q->asker);
    abort(); /* nobody switches back */
}

/* Meanwhile the thread runs no user code: a fault is not the kernel's. */
static tb_status ask(tb_cpu_running *r)
{
    question q = {.answer = TB_OK};
    tb_cpu_launch *l = r->launch;
    char *stack = r->block ? tb__block_outside(r->block) : NULL;
    __atomic_store_n(&r->launch, NULL, __ATOMIC_RELAXED);
    if (stack) {
        own_question = &q;
        tb__fiber_switch(&q.asker, tb__fiber_prepare(stack - BELOW, answer));
    } else {
        q.answer = tb__interrupted();
    }
    __atomic_store_n(&r->launch, l, __ATOMIC_RELAXED);
    return q.answer;
}

static void stop(tb_cpu_launch *l, tb_status status)
{
    l->status = status;
    tb__cpu_launch_fail(l, TB_CPU_INTERRUPTED, "interrupted");
}

void tb__cpu_look(void)
{
    tb_cpu_running *r = tb__cpu_running;
    tb_cpu_launch *l = r->top;
    if (!l || has_failed(l)) return;
    if (take(&r->end) || (l->stop && load(l->stop))) {
        stop(l, TB_ERR_INTERRUPTED);
    } else if (take(&r->due)) {
        tb_status status = ask(r);
        if (status != TB_OK) stop(l, status);
    }
}

void tb__cpu_stop_point(void)
{
    tb_cpu_running *r = tb__cpu_running;
    set(&r->missed, false);
    tb__cpu_look();
    if (has_failed(r->launch)) tb__cpu_leave();
}

/* ---- the signal ----------------------------------------------------------------------------------------------- */

static struct sigaction before; /* the handler that was there */

static uintptr_t place_of(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__) && defined(__linux__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__) && defined(__linux__)
    return (uintptr_t)c->uc_mcontext.pc;
#else
    (void)c;
    return 0; /* kernels end where they call the library */
#endif
}

static bool in_user_code(const tb_cpu_module *m, uintptr_t place)
{
    for (int i = 0; i < m->ncode; i++)
        if (place >= m->code[i].start && place < m->code[i].end) return true;
    return false;
}

static void pass_on(int sig, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(sig, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) before.sa_handler(sig);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    tb_cpu_running *r = tb__cpu_running;
    int saved = errno;
    if (!r || !take(&r->poked)) {
        pass_on(sig, info, context);
    } else if (r->launch && !in_user_code(r->launch->module, place_of(context))) {
        set(&r->missed, true);
    } else if (r->launch) {
        tb__cpu_look();
        if (has_failed(r->launch)) {
            sigset_t mine;
            sigemptyset(&mine);
            sigaddset(&mine, SIGNAL);
            pthread_sigmask(SIG_UNBLOCK, &mine, NULL);
            tb__cpu_leave();
        }
    }
    errno = saved;
}

/* A program may set a handler of its own at any time, which is then called by ours. */
static void install_handler(void)
{
    struct sigaction now, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (sigaction(SIGNAL, NULL, &now) != 0) return;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal) return;
    before = now;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGNAL, &ours, NULL);
}

/* ---- the watch ------------------------------------------------------------------------------------------------ */

static bool runs(const tb_cpu_running *r) { return __atomic_load_n(&r->launch, __ATOMIC_RELAXED) != NULL; }

static void poke(tb_cpu_running *r)
{
    set(&r->missed, false);
    set(&r->poked, true);
    pthread_kill(r->thread, SIGNAL);
}

/* True: there were launches since the last time. A launch that is still the same one is asked about. */
static bool tick(bool question)
{
    bool active = false;
    install_handler();
    for (tb_cpu_running *r = threads; r; r = r->next) {
        uint64_t launches = __atomic_load_n(&r->launches, __ATOMIC_RELAXED);
        bool launched = __atomic_load_n(&r->top, __ATOMIC_RELAXED) != NULL;
        if (launched && question && r->seen == launches) set(&r->due, true);
        active |= launched || r->seen != launches;
        r->seen = launches;
        if (runs(r)) poke(r);
    }
    return active;
}

/* True: some thread was not where it could be asked. */
static bool try_again(void)
{
    bool again = false;
    for (tb_cpu_running *r = threads; r; r = r->next) {
        if (!load(&r->missed) || !runs(r)) continue;
        again = true;
        poke(r);
    }
    return again;
}

static bool any_launch(void)
{
    for (const tb_cpu_running *r = threads; r; r = r->next)
        if (__atomic_load_n(&r->top, __ATOMIC_SEQ_CST)) return true;
    return false;
}

/* Launches look at `watch` after they have said that they are there; the other way round here. */
static void sleep_until_launch(void)
{
    __atomic_store_n(&watch, ASLEEP, __ATOMIC_SEQ_CST);
    tb__barrier_of_all_threads();
    if (any_launch()) __atomic_store_n(&watch, AWAKE, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&watch, __ATOMIC_RELAXED) == ASLEEP) pthread_cond_wait(&changed, &mutex);
}

static void *keep_watch(void *ignored)
{
    bool question = false;
    int idle = 0;
    (void)ignored;
    pthread_mutex_lock(&mutex);
    for (unsigned n = 0;; n++) {
        question = n % TICKS_A_QUESTION == 0;
        idle = tick(question) ? 0 : idle + 1;
        if (idle > IDLE_TICKS) {
            sleep_until_launch();
            idle = 0;
        }
        for (int left = TICK; left > 0;) {
            int most = try_again() ? AGAIN : left;
            tb__cond_wait_for(&changed, &mutex, most);
            left -= most;
        }
    }
    return NULL;
}

/* No signal of the program's is to be handled by it. */
static void start_watch(void)
{
    pthread_attr_t attr;
    pthread_t id;
    sigset_t all, mask;
    if (pthread_attr_init(&attr) != 0) return;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    if (pthread_create(&id, &attr, keep_watch, NULL) == 0) __atomic_store_n(&watch, AWAKE, __ATOMIC_SEQ_CST);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    pthread_attr_destroy(&attr);
}

static void rouse(void)
{
    pthread_mutex_lock(&mutex);
    if (watch == NOBODY) start_watch();
    else if (watch == ASLEEP) __atomic_store_n(&watch, AWAKE, __ATOMIC_SEQ_CST);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

tb_cpu_launch *tb__cpu_watch_begin(tb_cpu_launch *l)
{
    tb_cpu_running *r = tb__cpu_running;
    tb_cpu_launch *outer = r->top;
    if (!outer) {
        set(&r->end, false);
        set(&r->due, false);
        __atomic_store_n(&r->launches, r->launches + 1, __ATOMIC_RELAXED);
    }
    l->stop = tb__cpu_stop_flag;
    __atomic_store_n(&r->top, l, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the watch makes it a fence of the processor */
    if (__builtin_expect(__atomic_load_n(&watch, __ATOMIC_RELAXED) != AWAKE, 0)) rouse();
    if (l->stop && load(l->stop)) stop(l, TB_ERR_INTERRUPTED);
    return outer;
}

void tb__cpu_watch_end(tb_cpu_launch *outer) { __atomic_store_n(&tb__cpu_running->top, outer, __ATOMIC_RELEASE); }

/* ---- from other threads --------------------------------------------------------------------------------------- */

TB_THREAD_LOCAL const bool *tb__cpu_stop_flag;

static void end_all(bool on_queues)
{
    pthread_mutex_lock(&mutex);
    for (tb_cpu_running *r = threads; r; r = r->next)
        if (on_queues || !r->on_queue) set(&r->end, true);
    pthread_mutex_unlock(&mutex);
}

static void end_direct(void) { end_all(false); }

void tb_interrupt_all(void)
{
    enum { TRIES = 200 };
    end_all(true);
    for (int i = 0; i < TRIES; i++) {
        pthread_mutex_lock(&mutex);
        bool any = any_launch();
        pthread_mutex_unlock(&mutex);
        if (!any) return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

void tb__cpu_thread_begins(tb_cpu_running *r)
{
    r->thread = pthread_self();
    r->on_queue = tb__own_thread;
    pthread_mutex_lock(&mutex);
    r->next = threads;
    threads = r;
    pthread_mutex_unlock(&mutex);
}

void tb__cpu_thread_ends(tb_cpu_running *r)
{
    pthread_mutex_lock(&mutex);
    tb_cpu_running **link = &threads;
    while (*link && *link != r) link = &(*link)->next;
    if (*link) *link = r->next;
    pthread_mutex_unlock(&mutex);
}

/* The child of a fork has neither the watch nor other threads. */
static void in_child(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&changed, NULL);
    watch = NOBODY;
    threads = tb__cpu_running;
    if (threads) threads->next = NULL;
}

static __attribute__((constructor)) void prepare(void)
{
    pthread_atfork(NULL, NULL, in_child);
    tb__end_user_code = end_direct;
}
