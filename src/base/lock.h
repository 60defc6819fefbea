/* lock.h - the one lock of the core. Public functions hold it while they touch arrays, expressions or pools.
 *
 * It may be taken again by the thread that holds it. Foreign code (deleters of wrapped memory) must not run under it:
 * it may want an interpreter's lock that another thread holds while it waits for ours. tb__defer queues such calls;
 * they run when the outermost tb__unlock has released the lock (at once, if the calling thread does not hold it). */
#ifndef TB_BASE_LOCK_H
#define TB_BASE_LOCK_H
#include <stdbool.h>

void tb__lock(void);
void tb__unlock(void);
bool tb__lock_held(void); /* by the calling thread */
void tb__defer(void (*fn)(void *), void *arg);
/* Around a wait with the lock held for somebody who may want what the application set tb_lock_wait_functions for. */
void *tb__wait_begin(void);
void tb__wait_end(void *given);
#endif
