/* bias.h - the bias of the core lock towards the thread that loaded the library, which pays for the lock with plain
 * loads and stores, not with the atomic instructions that cost more than much of what small calls do under it.
 *
 * The first other thread that wants the lock revokes the bias, once and for all. It says so, makes every thread of the
 * process pass a memory barrier (membarrier, of Linux), and waits until the thread that the bias was for is out of the
 * lock. That thread says that it is inside before it looks whether the bias stands: so either it sees that it does not,
 * or it is seen inside. Where the system has no such barrier there is no bias.
 * Only the lock uses this, but for the barrier. */
#ifndef TB_BASE_BIAS_H
#define TB_BASE_BIAS_H
#include <stdatomic.h>
#include <stdbool.h>

#include "base/tls.h"

enum { TB_BIAS_OFF, TB_BIAS_ON, TB_BIAS_REVOKING };
extern atomic_int tb__bias, tb__bias_inside;
extern TB_THREAD_LOCAL bool tb__bias_mine;

void tb__bias_start(void);  /* from now on the lock is biased towards the calling thread, if it can be */
void tb__bias_revoke(void); /* returns when the bias is gone; the caller holds nothing that its owner may want */
void tb__bias_forked(void); /* in the child, where only the calling thread is left, inside the lock */
void tb__bias_drop(void);   /* by its owner, outside the lock, once it is being revoked */
/* Every thread of the process has passed a memory barrier when this returns. */
void tb__barrier_of_all_threads(void);

static inline bool tb__bias_stands(void)
{
    return atomic_load_explicit(&tb__bias, memory_order_acquire) != TB_BIAS_OFF;
}

/* True: the caller is in the lock. */
static inline bool tb__bias_take(void)
{
    if (__builtin_expect(!tb__bias_mine, 0)) return false;
    atomic_store_explicit(&tb__bias_inside, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* the revoking thread makes it a fence of the processor */
    if (__builtin_expect(atomic_load_explicit(&tb__bias, memory_order_acquire) == TB_BIAS_ON, 1)) return true;
    tb__bias_drop();
    return false;
}

/* False: the caller did not take the lock by the bias. */
static inline bool tb__bias_give(void)
{
    if (__builtin_expect(!tb__bias_mine, 0)) return false;
    atomic_store_explicit(&tb__bias_inside, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&tb__bias, memory_order_relaxed) != TB_BIAS_ON, 0)) tb__bias_drop();
    return true;
}
#endif
