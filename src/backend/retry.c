/* retry.c - operations that are begun anew: see retry.h. */
#include "backend/retry.h"

TB_THREAD_LOCAL bool tb__may_retry;
TB_THREAD_LOCAL uint32_t tb__attempt = 1, tb__first_attempt = 1;
uint32_t tb__last_attempt = 1;

void tb__retry_wait(void)
{
    void (*wait)(void) = tb__backend->run_wait;
    tb__unlock();
    wait();
    tb__lock();
    tb__may_retry = true;
    tb__attempt = ++tb__last_attempt;
}
