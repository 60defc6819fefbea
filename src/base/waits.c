/* waits.c - whether calls of a thread may wait for a device; see waits.h. Asked where the host reads what a device has
 * computed, and where a caller waits for a stream, an event or a device. */
#include "base/waits.h"

#include "base/error.h"

TB_THREAD_LOCAL bool tb__waits_forbidden;

bool tb_waits_get(void) { return !tb__waits_forbidden; }

bool tb_waits_set(bool allowed)
{
    const bool before = !tb__waits_forbidden;
    tb__waits_forbidden = !allowed;
    return before;
}

tb_status tb__may_wait(const char *what)
{
    if (!tb__waits_forbidden) return TB_OK;
    return tb__fail(TB_ERR_WAIT, "the call would wait for %s, which this thread does not allow", what);
}
