/* retry.h - waiting for a compiler without the core lock.
 *
 * A plan whose kernel is being compiled is met deep inside an operation, where the lock cannot be given up: what the
 * operation has found out so far would no longer be true. So the operation fails with TB__AGAIN, which leaves
 * everything as it was like any other failure, and is begun anew once the kernel is there, by whoever took the lock:
 *
 *     tb__lock();
 *     tb_status status = TB__RETRYING(operation(...));
 *     tb__unlock();
 *
 * The operation must be one that can be begun anew. Once it has done what must not be done twice it says so by
 * tb__retry_no_more; from then on, as everywhere else, kernels are waited for with the lock held. */
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

/* Of a number that was tb__attempt once: whether that attempt was given up, so that it does not count. */
static inline bool tb__given_up(uint32_t attempt) { return attempt >= tb__first_attempt && attempt < tb__attempt; }
#endif
