/* interrupt.h - how a thread that waits, or runs a user's code, learns that its caller wants to go on.
 *
 * A function of the application's is asked (tb_interrupt_functions), a few times a second, by the thread that made the
 * call, never by threads of the library's own. What it returns is what the call fails with. */
#ifndef TB_BASE_INTERRUPT_H
#define TB_BASE_INTERRUPT_H
#include <pthread.h>
#include <stdbool.h>

#include "base/tls.h"
#include "tombac/tombac.h"

enum { TB_ASK_EVERY = 100 }; /* milliseconds */

/* The calling thread is the library's own: it waits for as long as it takes, and whoever waits for it is asked. */
extern TB_THREAD_LOCAL bool tb__own_thread;

/* TB_OK: go on. Otherwise the call is to end with that status. The core lock may be held, but no other. */
tb_status tb__interrupted(void);
/* pthread_cond_wait that also comes back now and then, asking with the mutex released. */
tb_status tb__cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
/* The same without asking; false: the time is over. */
bool tb__cond_wait_for(pthread_cond_t *c, pthread_mutex_t *m, int milliseconds);

/* For the core lock, whose waits cannot fail. Asks; if the answer is to stop, user code that runs with the lock held is
 * ended, and the application hears of it when the call returns. */
void tb__interrupted_at_lock(void);
/* What ends that user code: the backend's. */
extern void (*tb__end_user_code)(void);
#endif
