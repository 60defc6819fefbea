/* lock.c - the one lock of the core: recursive, and safe across fork.
 *
 * Invariants: `deferred` is touched only with the mutex held; it is empty whenever the mutex is free. */
#include "base/lock.h"
#include <pthread.h>
#include <stdlib.h>

typedef struct deferred_call {
    void (*fn)(void *);
    void *arg;
    struct deferred_call *next;
} deferred_call;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int depth;
static deferred_call *deferred, **deferred_end = &deferred;

void tb__lock(void)
{
    if (depth++ == 0) pthread_mutex_lock(&mutex);
}

void tb__unlock(void)
{
    if (--depth > 0) return;
    deferred_call *call = deferred;
    deferred = NULL;
    deferred_end = &deferred;
    pthread_mutex_unlock(&mutex);
    while (call) {
        deferred_call *next = call->next;
        call->fn(call->arg);
        free(call);
        call = next;
    }
}

void tb__defer(void (*fn)(void *), void *arg)
{
    if (depth == 0) {
        fn(arg);
        return;
    }
    deferred_call *call = malloc(sizeof *call);
    if (!call) return; /* the owner's memory leaks, which is better than a deadlock */
    *call = (deferred_call){fn, arg, NULL};
    *deferred_end = call;
    deferred_end = &call->next;
}

/* The child of a fork has one thread, so whoever held the mutex must be done before the fork. */
static void before_fork(void)
{
    tb__lock();
}

static void after_fork(void)
{
    if (--depth == 0) pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}
