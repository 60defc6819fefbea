/* stream.c - streams and events: lifetime, what is current, and enqueueing pending work before anybody looks.
 *
 * Each device has a null stream that never goes away. The current device and the current stream of each device belong
 * to the thread; current streams are retained and let go when the thread ends. Waits happen without the core lock. */
#include <pthread.h>
#include <stdlib.h>

#include "backend/runtime.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/tls.h"
#include "graph/expr.h"

static tb_stream null_stream[TB_DEVICE_MAX];

static TB_THREAD_LOCAL int current_device;
static TB_THREAD_LOCAL tb_stream *current[TB_DEVICE_MAX]; /* NULL: none chosen yet, the null stream */

/* ---- what is current ------------------------------------------------------------------------------------------ */

int tb__device_current(void) { return current_device; }

tb_stream *tb__null_stream(int device)
{
    tb_stream *s = &null_stream[device];
    if (s->refs == 0) *s = (tb_stream){.refs = 1, .device = device};
    return s;
}

static void release_current(void *streams)
{
    tb_stream **s = streams;
    for (int i = 0; i < TB_DEVICE_MAX; i++) {
        if (s[i]) tb_stream_release(s[i]);
        s[i] = NULL;
    }
}

/* Thread-local storage proper has no destructors, so a key whose only use is its destructor stands by. */
static void release_at_thread_end(void)
{
    static pthread_key_t key;
    static bool made; /* under the core lock */
    if (!made) made = pthread_key_create(&key, release_current) == 0;
    if (made) pthread_setspecific(key, current);
}

static tb_status first_stream(tb_stream **out)
{
    TB_TRY(tb__device_ready("tb_stream_current", current_device));
    tb_stream *s = tb__null_stream(current_device);
    s->refs++;
    current[current_device] = s;
    *out = s;
    return TB_OK;
}

tb_status tb__current_stream(tb_stream **out)
{
    tb_stream *s = current[current_device];
    if (__builtin_expect(s == NULL, 0)) return first_stream(out);
    *out = s;
    return TB_OK;
}

tb_status tb_device_use(int device)
{
    tb__lock();
    tb_status status = tb__device_ready("tb_device_use", device);
    if (status == TB_OK) current_device = device;
    tb__unlock();
    return status;
}

tb_status tb_stream_current(tb_stream **out)
{
    tb__lock();
    tb_status status = tb__current_stream(out);
    tb__unlock();
    return status;
}

tb_status tb_stream_null(tb_stream **out)
{
    tb__lock();
    tb_status status = tb__device_ready("tb_stream_null", current_device);
    if (status == TB_OK) *out = tb__null_stream(current_device);
    tb__unlock();
    return status;
}

tb_status tb_stream_use(tb_stream *s)
{
    if (s->device != current_device)
        return tb__fail(TB_ERR_VALUE, "tb_stream_use: the stream belongs to device %d, but device %d is current",
                        s->device, current_device);
    tb__lock();
    tb_stream *before = current[current_device];
    s->refs++;
    current[current_device] = s;
    release_at_thread_end();
    if (before) tb_stream_release(before);
    tb__unlock();
    return TB_OK;
}

/* ---- streams -------------------------------------------------------------------------------------------------- */

static tb_status stream_new(int flags, int priority, tb_stream **out)
{
    if (flags & ~TB_STREAM_NON_BLOCKING)
        return tb__fail(TB_ERR_VALUE, "tb_stream_new: flags are %#x; expected TB_STREAM_DEFAULT or"
                        " TB_STREAM_NON_BLOCKING", (unsigned)flags);
    TB_TRY(tb__device_ready("tb_stream_new", current_device));
    tb_stream *s = malloc(sizeof *s);
    if (!s) return tb__fail_memory(sizeof *s, 0, 0, 0);
    *s = (tb_stream){.refs = 1, .device = current_device, .flags = flags};
    tb_status status = tb__backend->stream_new(s, priority);
    if (status != TB_OK) {
        free(s);
        return status;
    }
    status = tb__pool_stream_begin(s);
    if (status != TB_OK) {
        tb_stream_release(s);
        return status;
    }
    *out = s;
    return TB_OK;
}

tb_status tb_stream_new(int flags, int priority, tb_stream **out)
{
    tb__lock();
    tb_status status = stream_new(flags, priority, out);
    tb__unlock();
    return status;
}

/* CUDA's handle 1 is another name of the null stream. */
tb_status tb_stream_wrap(uintptr_t handle, tb_stream **out)
{
    tb__lock();
    tb_status status = tb__device_ready("tb_stream_wrap", current_device);
    tb_stream *s = status == TB_OK ? malloc(sizeof *s) : NULL;
    if (status == TB_OK && !s) status = tb__fail_memory(sizeof *s, 0, 0, 0);
    if (s) {
        void *driver_handle = handle == 1 ? NULL : (void *)handle;
        *s = (tb_stream){.refs = 1, .device = current_device, .handle = driver_handle, .foreign = true};
        *out = s;
    }
    tb__unlock();
    return status;
}

void tb_stream_retain(tb_stream *s)
{
    tb__lock();
    s->refs++;
    tb__unlock();
}

/* Flushing may take and drop references of its own, so the last one is held until it is done. */
static void stream_end(tb_stream *s)
{
    s->refs = 1;
    tb__flush_stream(s);
    if (--s->refs > 0) return;
    if (!s->foreign) {
        if (!tb__backend->on_host) tb__pool_stream_end(s);
        tb__backend->stream_free(s);
    }
    free(s);
}

void tb_stream_release(tb_stream *s)
{
    if (!s) return;
    tb__lock();
    if (--s->refs == 0) stream_end(s);
    tb__unlock();
}

/* Enqueues what is pending on s, then waits: without the lock if the backend needs none. */
static tb_status flush_and_wait(tb_stream *s)
{
    bool host = tb__backend->on_host;
    tb__lock();
    s->refs++;
    tb_status status = tb__flush_stream(s);
    if (status == TB_OK && host) status = tb__backend->stream_synchronize(s);
    tb__unlock();
    if (status == TB_OK && !host) status = tb__backend->stream_synchronize(s);
    tb_stream_release(s);
    return status;
}

tb_status tb_stream_synchronize(tb_stream *s)
{
    TB_TRY(tb_init());
    return flush_and_wait(s);
}

tb_status tb_stream_query(tb_stream *s, bool *done)
{
    TB_TRY(tb_init());
    tb__lock();
    tb_status status = tb__flush_stream(s);
    if (status == TB_OK) status = tb__backend->stream_query(s, done);
    tb__unlock();
    return status;
}

uintptr_t tb_stream_handle(const tb_stream *s) { return (uintptr_t)s->handle; }
int tb_stream_device(const tb_stream *s) { return s->device; }

/* ---- events --------------------------------------------------------------------------------------------------- */

static tb_status event_new(bool timing, bool blocking, tb_event **out)
{
    TB_TRY(tb__device_ready("tb_event_new", current_device));
    tb_event *e = malloc(sizeof *e);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    *e = (tb_event){.refs = 1, .device = current_device, .timing = timing};
    tb_status status = tb__backend->event_new(e, blocking);
    if (status != TB_OK) {
        free(e);
        return status;
    }
    *out = e;
    return TB_OK;
}

tb_status tb_event_new(bool timing, bool blocking, tb_event **out)
{
    tb__lock();
    tb_status status = event_new(timing, blocking, out);
    tb__unlock();
    return status;
}

void tb_event_release(tb_event *e)
{
    if (!e) return;
    tb__lock();
    if (--e->refs == 0) {
        tb__backend->event_free(e);
        free(e);
    }
    tb__unlock();
}

tb_status tb_event_record(tb_event *e, tb_stream *s)
{
    if (e->device != s->device)
        return tb__fail(TB_ERR_VALUE, "tb_event_record: the event belongs to device %d, the stream to device %d",
                        e->device, s->device);
    tb__lock();
    tb_status status = tb__flush_stream(s);
    if (status == TB_OK) status = tb__backend->event_record(e, s);
    if (status == TB_OK) e->recorded = true;
    tb__unlock();
    return status;
}

tb_status tb_event_synchronize(tb_event *e)
{
    bool host = tb__backend->on_host;
    if (!host) return tb__backend->event_synchronize(e);
    tb__lock();
    tb_status status = tb__backend->event_synchronize(e);
    tb__unlock();
    return status;
}

tb_status tb_event_query(tb_event *e, bool *done)
{
    tb__lock();
    tb_status status = tb__backend->event_query(e, done);
    tb__unlock();
    return status;
}

tb_status tb_event_elapsed(tb_event *start, tb_event *stop, float *ms)
{
    tb_event *events[2] = {start, stop};
    for (int i = 0; i < 2; i++) {
        const char *which = i ? "stop" : "start";
        if (!events[i]->timing)
            return tb__fail(TB_ERR_VALUE, "tb_event_elapsed: the %s event was made without timing", which);
        if (!events[i]->recorded)
            return tb__fail(TB_ERR_VALUE, "tb_event_elapsed: the %s event was never recorded", which);
    }
    tb__lock();
    tb_status status = tb__backend->event_elapsed(start, stop, ms);
    tb__unlock();
    return status;
}

/* Work that is pending on s when it is told to wait was asked for earlier, so it goes ahead of the wait. */
tb_status tb_stream_wait_event(tb_stream *s, tb_event *e)
{
    tb__lock();
    tb_status status = tb__flush_stream(s);
    if (status == TB_OK) status = tb__backend->stream_wait(s, e);
    tb__unlock();
    return status;
}

uintptr_t tb_event_handle(const tb_event *e) { return (uintptr_t)e->handle; }
