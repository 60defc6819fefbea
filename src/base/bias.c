/* bias.c - starting and revoking the bias of the core lock: see bias.h. */
#include "base/bias.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"

atomic_int tb__bias, tb__bias_inside;
TB_THREAD_LOCAL bool tb__bias_mine;

#if defined(__SANITIZE_THREAD__)
#define NO_BIAS /* the sanitizer does not know that barrier */
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_BIAS
#endif
#endif
#ifndef SYS_membarrier
#define NO_BIAS
#endif

/* As in linux/membarrier.h, which older systems lack. */
enum { MEMBARRIER_CMD_PRIVATE_EXPEDITED = 1 << 3, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED = 1 << 4 };

static bool barrier(int command)
{
#ifdef SYS_membarrier
    return syscall(SYS_membarrier, command, 0, 0) == 0;
#else
    return (void)command, false;
#endif
}

/* A process may have given up the call since it registered. What a processor has not written yet it has written long
 * before that time is over. */
void tb__barrier_of_all_threads(void)
{
    if (barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
    if (barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

#ifndef NO_BIAS
static void sleep_on(atomic_int *word, int value)
{
    const struct timespec most = {.tv_nsec = TB_ASK_EVERY * 1000000};
    if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &most, NULL, 0) != 0 && errno == ETIMEDOUT)
        tb__interrupted_at_lock();
}

static void wake(atomic_int *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1 << 30, NULL, NULL, 0); }

void tb__bias_start(void)
{
    if (!barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) return;
    tb__bias_mine = true;
    atomic_store(&tb__bias, TB_BIAS_ON);
}

void tb__bias_revoke(void)
{
    int on = TB_BIAS_ON;
    if (atomic_compare_exchange_strong(&tb__bias, &on, TB_BIAS_REVOKING)) {
        tb__barrier_of_all_threads();
        while (atomic_load(&tb__bias_inside)) sleep_on(&tb__bias_inside, 1);
        atomic_store(&tb__bias, TB_BIAS_OFF);
        wake(&tb__bias);
    }
    while (atomic_load(&tb__bias) == TB_BIAS_REVOKING) sleep_on(&tb__bias, TB_BIAS_REVOKING);
}

void tb__bias_drop(void)
{
    tb__bias_mine = false;
    atomic_store(&tb__bias_inside, 0);
    wake(&tb__bias_inside);
}

void tb__bias_forked(void)
{
    if (tb__bias_mine) atomic_store(&tb__bias, TB_BIAS_ON); /* whoever was revoking it is not here */
}
#else
void tb__bias_start(void) {}
void tb__bias_revoke(void) {}
void tb__bias_forked(void) {}
void tb__bias_drop(void) {}
#endif
