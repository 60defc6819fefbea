/* warning.c - telling the application of what works but should not be as it is: through its own function, or on
 * the standard error stream while it has not set one. */
#include <stdio.h>

#include "backend/backend.h"
#include "backend/memory/memory.h"
#include "base/lock.h"

static tb_status print_warning(const char *message)
{
    fprintf(stderr, "tombac: %s\n", message);
    return TB_OK;
}

static tb_warning_function warning = print_warning;

void tb_warning_function_set(tb_warning_function fn)
{
    tb__lock();
    warning = fn;
    tb__unlock();
}

tb_status tb__warn(const char *message)
{
    if (!warning) return TB_OK;
    tb__foreign++;
    tb_status status = warning(message);
    tb__foreign--;
    return status;
}

void tb__released_again(const char *function, tb_object kind, void *p)
{
    static bool warned;
    char message[256];
    if (tb__debug) tb__stop_ended(function, "its argument", kind, p);
    *(int *)p = 0;
    if (warned) return;
    warned = true;
    snprintf(message, sizeof message,
             "%s was given a released %s, and ignores it; with TOMBAC_DEBUG=1 the program stops"
             " there and is told where it was made and released",
             function, tb__object_name(kind));
    (void)tb__warn(message);
}
