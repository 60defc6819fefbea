/* retry.h - public operations: they hold the core lock, but not while they wait for a compiler.
 *
 * A plan whose kernel is being compiled is met deep inside an operation, where the lock cannot be given up: what the
 * operation has found out so far would no longer be true. So the operation fails with TB__AGAIN, which leaves
 * everything as it was like any other failure, and is begun anew once the kernel is there, by whoever took the lock:
 *
 *     return TB__OPERATION(operation(...));
 *
 * Whatever can come to a plan is called so. It must leave its out-parameters alone until it succeeds. What others can
 * see it changes last: whoever has written to a buffer says so by tb__wrote, and if that is older than the attempt, it
 * is not begun anew any more; from then on, as everywhere else, kernels are waited for with the lock held. An operation
 * that writes several times is several operations, TB__RETRYING each, under one lock. */
#ifndef TB_BACKEND_RETRY_H
#define TB_BACKEND_RETRY_H
#include "backend/backend.h"
#include "base/lock.h"

#define TB__RETRYING(call) \
    ({ \
        const bool may_ = tb__retry_begin(); \
        tb_status status_; \
        do status_ = (call); \
        while (tb__retry(may_, status_)); \
        status_; \
    })

#define TB__OPERATION(call) \
    ({ \
        tb__lock(); \
        const tb_status ended_ = TB__RETRYING(call); \
        tb__unlock(); \
        ended_; \
    })

/* Only for what is here. */
extern TB_THREAD_LOCAL bool tb__may_retry;                      /* TB__AGAIN is understood by those who called */
extern TB_THREAD_LOCAL uint32_t tb__attempt, tb__first_attempt; /* numbers of this thread's operation */
extern uint32_t tb__last_attempt;                               /* of any thread; under the core lock */
void tb__retry_wait(void);

/* Only whoever holds the lock once can give it up. */
static inline bool tb__retry_begin(void)
{
    if (tb__lock_depth != 1) return false;
    tb__may_retry = true;
    tb__first_attempt = tb__attempt = ++tb__last_attempt;
    return true;
}

/* Whether the operation is to be begun anew: it was TB__AGAIN, and what it lacked is there. */
static inline bool tb__retry(bool may, tb_status status)
{
    if (!may) return false;
    tb__may_retry = false;
    if (__builtin_expect(status != TB__AGAIN, 1)) return false;
    tb__retry_wait();
    return true;
}

static inline void tb__retry_no_more(void) { tb__may_retry = false; }

/* Around what must not be left half done, or whose failures are nobody's: there kernels are waited for at once. */
static inline bool tb__retry_pause(void)
{
    const bool may = tb__may_retry;
    tb__may_retry = false;
    return may;
}

static inline void tb__retry_resume(bool may) { tb__may_retry = may; }

/* Of a number that was tb__attempt once: whether that attempt was given up, so that it does not count. */
static inline bool tb__given_up(uint32_t attempt) { return attempt >= tb__first_attempt && attempt < tb__attempt; }
#endif
