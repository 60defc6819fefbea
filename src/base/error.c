/* error.c - the calling thread's last failure: its message and, for some codes, its details.
 *
 * They are kept in a block of their own, made at a thread's first failure: thread-local storage is scarce for libraries
 * that are loaded late. Without memory for the block the status alone tells. A message that does not fit is cut. */
#define TB__FAIL_ITSELF
#include "base/error.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct last_error {
    tb_status code;
    int axis, ndim;           /* TB_ERR_AXIS */
    int driver_code;          /* TB_ERR_DEVICE */
    size_t asked, used, held; /* TB_ERR_MEMORY */
    bool detailed;            /* the code's details above are set */
    char message[8192];
} last_error;

static _Thread_local last_error *last;
static pthread_key_t key;

static void forget(void *block)
{
    free(block);
    last = NULL;
}

__attribute__((constructor)) static void make_key(void) { pthread_key_create(&key, forget); }

/* Sets everything but the details; NULL when there is no memory. */
static last_error *set_error(tb_status code, bool detailed, const char *format, va_list ap)
{
    if (!last) {
        last = calloc(1, sizeof *last);
        if (!last) return NULL;
        pthread_setspecific(key, last);
    }
    /* The arguments may point into the old message, so it is written over only when the new one is complete. */
    char message[sizeof last->message];
    vsnprintf(message, sizeof message, format, ap);
    memcpy(last->message, message, strlen(message) + 1);
    last->code = code;
    last->detailed = detailed;
    return last;
}

void *tb__error_keep(void)
{
    last_error *copy = last ? malloc(sizeof *copy) : NULL;
    if (copy) *copy = *last;
    return copy;
}

void tb__error_put_back(void *kept)
{
    if (kept && last) *last = *(last_error *)kept;
    free(kept);
}

const char *tb_version(void) { return TB_VERSION; }

tb_status tb__fail(tb_status code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    set_error(code, false, format, ap);
    va_end(ap);
    return code;
}

__attribute__((format(printf, 2, 3))) static last_error *set_detailed(tb_status code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    last_error *e = set_error(code, true, format, ap);
    va_end(ap);
    return e;
}

tb_status tb__fail_axis(int axis, int ndim)
{
    last_error *e = set_detailed(TB_ERR_AXIS, "axis %d is out of bounds for array of dimension %d", axis, ndim);
    if (e) {
        e->axis = axis;
        e->ndim = ndim;
    }
    return TB_ERR_AXIS;
}

tb_status tb__fail_memory(size_t asked, size_t used, size_t held, size_t limit)
{
    char limited[64] = "";
    if (limit) snprintf(limited, sizeof limited, "; the pool's limit is %zu bytes", limit);
    last_error *e = set_detailed(
        TB_ERR_MEMORY, "out of memory allocating %zu bytes (arrays use %zu bytes, the pool holds %zu bytes%s)", asked,
        used, held, limited);
    if (e) {
        e->asked = asked;
        e->used = used;
        e->held = held;
    }
    return TB_ERR_MEMORY;
}

tb_status tb__fail_device(int driver_code, const char *call, const char *text)
{
    if (!text) text = "unknown error";
    last_error *e = set_detailed(TB_ERR_DEVICE, "%s failed: %s (%d)", call, text, driver_code);
    if (e) e->driver_code = driver_code;
    return TB_ERR_DEVICE;
}

void tb__error_prefix(const char *what)
{
    if (!last) return;
    char *message = last->message;
    size_t room = sizeof last->message - 1, add = strlen(what) + 2, keep = strlen(message);
    if (add > room) return;
    if (keep > room - add) keep = room - add;
    memmove(message + add, message, keep);
    memcpy(message, what, add - 2);
    memcpy(message + add - 2, ": ", 2);
    message[add + keep] = 0;
}

/* The last failure, if it was of this code and has details. */
static const last_error *detailed(tb_status code) { return last && last->code == code && last->detailed ? last : NULL; }

const char *tb_error_message(void) { return last ? last->message : ""; }

int tb_error_driver_code(void)
{
    const last_error *e = detailed(TB_ERR_DEVICE);
    return e ? e->driver_code : 0;
}

int tb_error_axis(int *axis, int *ndim)
{
    if (!axis || !ndim) return 0;
    const last_error *e = detailed(TB_ERR_AXIS);
    if (!e) return 0;
    *axis = e->axis;
    *ndim = e->ndim;
    return 1;
}

int tb_error_memory(size_t *asked, size_t *used, size_t *held)
{
    if (!asked || !used || !held) return 0;
    const last_error *e = detailed(TB_ERR_MEMORY);
    if (!e) return 0;
    *asked = e->asked;
    *used = e->used;
    *held = e->held;
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
