/* interrupt.c - asking the application whether to go on; see interrupt.h.
 *
 * The application's function may run anything, a signal handler written in Python for one. With the core lock held it
 * is treated as other foreign code is: it may take and drop arrays, but not compute. */
#include "base/interrupt.h"

#include <time.h>

#include "base/lock.h"

TB_THREAD_LOCAL bool tb__own_thread;
void (*tb__end_user_code)(void);

static tb_status (*asked)(void);
static void (*later)(void);
static _Thread_local bool asking;

void tb_interrupt_functions(tb_status (*ask)(void), void (*raise_later)(void))
{
    asked = ask;
    later = raise_later;
}

tb_status tb__interrupted(void)
{
    if (!asked || tb__own_thread || asking) return TB_OK;
    bool held = tb__lock_held(); /* otherwise tb__foreign is another thread's: not even 0 may be added */
    asking = true;
    if (held) tb__foreign++;
    tb_status status = asked();
    if (held) tb__foreign--;
    asking = false;
    return status;
}

void tb__interrupted_at_lock(void)
{
    if (tb__interrupted() == TB_OK) return;
    if (tb__end_user_code) tb__end_user_code();
    if (later) later();
}

bool tb__cond_wait_for(pthread_cond_t *c, pthread_mutex_t *m, int milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)milliseconds * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(c, m, &t) == 0;
}

tb_status tb__cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    if (tb__cond_wait_for(c, m, TB_ASK_EVERY)) return TB_OK;
    pthread_mutex_unlock(m);
    tb_status status = tb__interrupted();
    pthread_mutex_lock(m);
    return status;
}
