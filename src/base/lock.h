/* lock.h - the one lock of the core. Public functions hold it while they touch arrays, expressions or pools.
 *
 * It may be taken again by the thread that holds it. Foreign code (deleters of wrapped memory) must not run under it:
 * it may want an interpreter's lock that another thread holds while it waits for ours. tb__defer queues such calls;
 * they run when the outermost tb__unlock has released the lock (at once, if the calling thread does not hold it). */
#ifndef TB_BASE_LOCK_H
#define TB_BASE_LOCK_H
#include <stdbool.h>
#include <stddef.h>

#include "base/bias.h"
#include "base/tls.h"

/* Only for what follows. */
extern TB_THREAD_LOCAL int tb__lock_depth;
extern struct tb_deferred_call *tb__lock_deferred;
void tb__lock_acquire(void);
void tb__lock_release(void);

/* In line as long as the bias stands: every call of the library takes the lock, small ones several times. */
static inline void tb__lock(void)
{
    if (__builtin_expect(tb__lock_depth > 0, 0)) {
        tb__lock_depth++;
        return;
    }
    if (__builtin_expect(!tb__bias_take(), 0)) tb__lock_acquire();
    tb__lock_depth = 1;
}

static inline void tb__unlock(void)
{
    if (__builtin_expect(tb__lock_depth > 1, 0)) {
        tb__lock_depth--;
        return;
    }
    tb__lock_depth = 0;
    if (__builtin_expect(tb__lock_deferred != NULL || !tb__bias_give(), 0)) tb__lock_release();
}

/* By the calling thread. */
static inline bool tb__lock_held(void) { return tb__lock_depth > 0; }
void tb__defer(void (*fn)(void *), void *arg);
/* False: there is no memory, and it will not be called. */
bool tb__defer_if_possible(void (*fn)(void *), void *arg);
/* A function of the caller's runs, in the middle of an operation; under the lock. */
extern int tb__foreign;
/* Around a wait with the lock held for somebody who may want what the application set tb_lock_wait_functions for. */
void *tb__wait_begin(void);
void tb__wait_end(void *given);
#endif
