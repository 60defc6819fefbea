/* warning.c - telling the application of what works but is slower than it has to be: through its own function, or on
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
