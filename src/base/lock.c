/* lock.c - the one lock of the core: recursive, and safe across fork.
 *
 * Every call of the library takes it, nearly always without contention: on Linux that is one compare-and-swap in line,
 * and a futex for whoever has to wait. Until a second thread wants it, not even that: the lock is biased (bias.h).
 * Invariants: `tb__lock_deferred` is touched only with the lock held; it is empty whenever the lock is free. */
#include "base/lock.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/bias.h"
#include "base/interrupt.h"
#include "base/tls.h"
#include "tombac/tombac.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct tb_deferred_call {
    void (*fn)(void *);
    void *arg;
    struct tb_deferred_call *next;
} deferred_call;

/* 0 free, 1 held, 2 held and somebody may be asleep. */
static atomic_int state;

/* False: it is time to ask whether the caller still wants it. */
static bool sleep_while_held(void)
{
    const struct timespec most = {.tv_nsec = TB_ASK_EVERY * 1000000};
    return syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, &most, NULL, 0) == 0 || errno != ETIMEDOUT;
}

static void wait_for_it(void)
{
    while (atomic_exchange_explicit(&state, 2, memory_order_acquire) != 0)
        if (!sleep_while_held()) tb__interrupted_at_lock();
}

static inline void release(void)
{
    if (atomic_exchange_explicit(&state, 0, memory_order_release) == 2)
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static inline bool try_acquire(void)
{
    int expected = 0;
    return atomic_compare_exchange_strong_explicit(&state, &expected, 2, memory_order_acquire, memory_order_relaxed);
}

/* Whoever was woken may not take the lock at once, so the next one is woken as well. */
static void wait_until_free(void)
{
    for (;;) {
        int seen = 1;
        if (!atomic_compare_exchange_strong(&state, &seen, 2) && seen == 0) break;
        if (!sleep_while_held()) tb__interrupted_at_lock();
    }
    syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *(*before_wait)(void);
static void (*after_wait)(void *);

void tb_lock_wait_functions(void *(*before)(void), void (*after)(void *))
{
    if (!before || !after) return;
    before_wait = before;
    after_wait = after;
}

/* Nobody waits for this lock while holding what the owner may want, nor for that while holding this lock. */
static void acquire_slowly(void)
{
    void *given = before_wait ? before_wait() : NULL;
    while (given) {
        wait_until_free();
        after_wait(given);
        if (try_acquire()) return;
        given = before_wait();
    }
    wait_for_it();
}

void *tb__wait_begin(void) { return before_wait ? before_wait() : NULL; }

/* Whoever has it and wants the lock gives it up, so it may be waited for with the lock held. */
void tb__wait_end(void *given)
{
    if (given) after_wait(given);
}

void tb__lock_acquire(void)
{
    if (__builtin_expect(tb__bias_stands(), 0)) {
        void *given = before_wait ? before_wait() : NULL;
        tb__bias_revoke();
        if (given) after_wait(given);
    }
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&state, &expected, 1, memory_order_acquire, memory_order_relaxed))
        acquire_slowly();
}

TB_THREAD_LOCAL int tb__lock_depth;
deferred_call *tb__lock_deferred;
int tb__foreign;
static deferred_call **deferred_end = &tb__lock_deferred;

void tb__lock_release(void)
{
    deferred_call *call = tb__lock_deferred;
    if (call) {
        tb__lock_deferred = NULL;
        deferred_end = &tb__lock_deferred;
    }
    if (!tb__bias_give()) release();
    while (call) {
        deferred_call *next = call->next;
        call->fn(call->arg);
        free(call);
        call = next;
    }
}

bool tb__defer_if_possible(void (*fn)(void *), void *arg)
{
    if (tb__lock_depth == 0) {
        fn(arg);
        return true;
    }
    deferred_call *call = malloc(sizeof *call);
    if (!call) return false;
    *call = (deferred_call){fn, arg, NULL};
    *deferred_end = call;
    deferred_end = &call->next;
    return true;
}

/* Without memory for it the owner's leaks, which is better than a deadlock. */
void tb__defer(void (*fn)(void *), void *arg) { (void)tb__defer_if_possible(fn, arg); }

/* The child of a fork has one thread, so whoever held the mutex must be done before the fork. */
static void before_fork(void) { tb__lock(); }

static void after_fork(void)
{
    if (--tb__lock_depth == 0 && !tb__bias_give()) release();
}

static void after_fork_in_child(void)
{
    tb__bias_forked();
    after_fork();
}

__attribute__((constructor)) static void prepare(void)
{
    tb__bias_start();
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
