/* error.c - the calling thread's last failure: its message and, for some codes, its details.
 *
 * Nothing here allocates, so that running out of memory can be reported. A message that does not fit is cut. */
#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct last_error {
    tb_status code;
    int axis, ndim;               /* TB_ERR_AXIS */
    int driver_code;              /* TB_ERR_DEVICE */
    size_t asked, used, held;     /* TB_ERR_MEMORY */
    bool detailed;                /* the code's details above are set */
    char message[8192];
} last_error;

static _Thread_local last_error last;

static void set_message(tb_status code, bool detailed, const char *format, va_list ap)
{
    /* The arguments may point into the old message, so it is written over only when the new one is complete. */
    char message[sizeof last.message];
    vsnprintf(message, sizeof message, format, ap);
    memcpy(last.message, message, strlen(message) + 1);
    last.code = code;
    last.detailed = detailed;
}

tb_status tb__fail(tb_status code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    set_message(code, false, format, ap);
    va_end(ap);
    return code;
}

__attribute__((format(printf, 2, 3))) static tb_status fail_detailed(tb_status code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    set_message(code, true, format, ap);
    va_end(ap);
    return code;
}

tb_status tb__fail_axis(int axis, int ndim)
{
    last.axis = axis;
    last.ndim = ndim;
    return fail_detailed(TB_ERR_AXIS, "axis %d is out of bounds for array of dimension %d", axis, ndim);
}

tb_status tb__fail_memory(size_t asked, size_t used, size_t held, size_t limit)
{
    char limited[64] = "";
    if (limit) snprintf(limited, sizeof limited, "; the pool's limit is %zu bytes", limit);
    last.asked = asked;
    last.used = used;
    last.held = held;
    return fail_detailed(TB_ERR_MEMORY,
                         "out of memory allocating %zu bytes (arrays use %zu bytes, the pool holds %zu bytes%s)", asked,
                         used, held, limited);
}

tb_status tb__fail_device(int driver_code, const char *call, const char *text)
{
    last.driver_code = driver_code;
    return fail_detailed(TB_ERR_DEVICE, "%s failed: %s (%d)", call, text ? text : "unknown error", driver_code);
}

void tb__error_prefix(const char *what)
{
    char *message = last.message;
    size_t room = sizeof last.message - 1, add = strlen(what) + 2, keep = strlen(message);
    if (add > room) return;
    if (keep > room - add) keep = room - add;
    memmove(message + add, message, keep);
    memcpy(message, what, add - 2);
    memcpy(message + add - 2, ": ", 2);
    message[add + keep] = 0;
}

const char *tb_error_message(void)
{
    return last.message;
}

int tb_error_driver_code(void)
{
    return last.code == TB_ERR_DEVICE && last.detailed ? last.driver_code : 0;
}

int tb_error_axis(int *axis, int *ndim)
{
    if (last.code != TB_ERR_AXIS || !last.detailed) return 0;
    *axis = last.axis;
    *ndim = last.ndim;
    return 1;
}

int tb_error_memory(size_t *asked, size_t *used, size_t *held)
{
    if (last.code != TB_ERR_MEMORY || !last.detailed) return 0;
    *asked = last.asked;
    *used = last.used;
    *held = last.held;
    return 1;
}

const char *tb__shape_text(char *buf, size_t cap, int ndim, const int64_t *shape)
{
    size_t at = (size_t)snprintf(buf, cap, "(");
    for (int d = 0; d < ndim && at < cap; d++) {
        at += (size_t)snprintf(buf + at, cap - at, d ? ", %lld" : "%lld", (long long)shape[d]);
    }
    if (at < cap) snprintf(buf + at, cap - at, ndim == 1 ? ",)" : ")");
    return buf;
}
