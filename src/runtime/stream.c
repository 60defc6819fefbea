/* stream.c - streams and events: what is pending on them is enqueued before anybody looks. Waits happen without the
 * core lock. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/capture.h"
#include "backend/handles.h"
#include "backend/start.h"
#include "backend/stream.h"
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/waits.h"
#include "graph/expr.h"

/* ---- streams -------------------------------------------------------------------------------------------------- */

tb_status tb_stream_current(tb_stream **out)
{
    TB_NOT_NULL(out);
    tb__lock();
    tb_status status = tb__current_stream(out);
    tb__unlock();
    return status;
}

tb_status tb_stream_null(tb_stream **out)
{
    TB_NOT_NULL(out);
    tb__lock();
    tb_status status = tb__device_ready("tb_stream_null", tb__current_device);
    if (status == TB_OK) *out = tb__null_stream(tb__current_device);
    tb__unlock();
    return status;
}

tb_status tb_stream_new(int flags, int priority, tb_stream **out)
{
    TB_NOT_NULL(out);
    tb__lock();
    tb_status status = tb__device_ready("tb_stream_new", tb__current_device);
    if (status == TB_OK) status = tb__stream_new(flags, priority, out);
    tb__unlock();
    return status;
}

tb_status tb_stream_per_thread(tb_stream **out)
{
    TB_NOT_NULL(out);
    tb__lock();
    tb_status status = tb__device_ready("tb_stream_per_thread", tb__current_device);
    if (status == TB_OK) status = tb__stream_per_thread(out);
    tb__unlock();
    return status;
}

tb_status tb_stream_wrap(uintptr_t handle, tb_stream **out)
{
    TB_NOT_NULL(out);
    tb__lock();
    tb_status status = tb__device_ready("tb_stream_wrap", tb__current_device);
    if (status == TB_OK) status = tb__stream_wrap(handle, out);
    tb__unlock();
    return status;
}

/* Enqueues what is pending on s, then waits without the lock: functions of the host may want it meanwhile. */
static tb_status flush_and_wait(tb_stream *s)
{
    tb__lock();
    s->refs++;
    tb_status status = TB__RETRYING(tb__flush_stream(s));
    tb_status (*wait)(tb_stream *) = tb__backend->stream_synchronize;
    tb__unlock();
    if (status == TB_OK) status = wait(s);
    tb_stream_release(s);
    return status;
}

tb_status tb_stream_synchronize(tb_stream *s)
{
    TB_NOT_NULL(s);
    TB_TRY(tb_init());
    TB_TRY(tb__may_wait("a stream"));
    return flush_and_wait(s);
}

tb_status tb__wait_unlocked(tb_stream *s, bool blocking)
{
    if (!s) TB_TRY(tb_stream_current(&s));
    if (!blocking || s->capture) return TB_OK;
    void *given = tb__wait_begin();
    tb_status status = flush_and_wait(s);
    tb__wait_end(given);
    return status;
}

tb_status tb_stream_query(tb_stream *s, bool *done)
{
    TB_NOT_NULL(s, done);
    TB_TRY(tb_init());
    tb__lock();
    tb_status status = TB__RETRYING(tb__flush_stream(s));
    if (status == TB_OK) status = tb__backend->stream_query(s, done);
    tb__unlock();
    return status;
}

uintptr_t tb_stream_handle(const tb_stream *s)
{
    if (TB_IS_NONE(s)) return 0;
    return (uintptr_t)s->handle;
}
int tb_stream_device(const tb_stream *s)
{
    if (TB_IS_NONE(s)) return 0;
    return s->device;
}
int tb_stream_flags(const tb_stream *s)
{
    if (TB_IS_NONE(s)) return 0;
    return s->flags;
}
int tb_stream_priority(const tb_stream *s)
{
    if (TB_IS_NONE(s)) return 0;
    return s->priority;
}

/* ---- events --------------------------------------------------------------------------------------------------- */

static tb_status event_new(unsigned flags, tb_event **out)
{
    if (flags & ~7u) return tb__fail(TB_ERR_VALUE, "tb_event_new: flags are %#x; expected TB_EVENT_ flags", flags);
    if ((flags & TB_EVENT_INTERPROCESS) && !(flags & TB_EVENT_NO_TIMING))
        return tb__fail_device(1, "Event", "cudaErrorInvalidValue: an interprocess event must disable timing");
    TB_TRY(tb__device_ready("tb_event_new", tb__current_device));
    tb_event *e = malloc(sizeof *e);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    *e = (tb_event){.refs = 1, .device = tb__current_device, .timing = !(flags & TB_EVENT_NO_TIMING)};
    tb_status status = tb__backend->event_new(e, flags);
    if (status == TB_OK) {
        status = tb__handle_set(TB_HANDLE_EVENT, (int64_t)(intptr_t)e->handle, TB_HANDLE_OWNED);
        if (status != TB_OK) tb__backend->event_free(e);
    }
    if (status != TB_OK) {
        free(e);
        return status;
    }
    tb__object_made(TB_OBJECT_EVENT, e);
    *out = e;
    return TB_OK;
}

tb_status tb_event_new(unsigned flags, tb_event **out)
{
    TB_NOT_NULL(out);
    tb__lock();
    tb_status status = event_new(flags, out);
    tb__unlock();
    return status;
}

/* Not asked while something is recorded, when asking may be an error. */
static tb_status is_outstanding(tb_stream *s, bool *outstanding)
{
    bool done = false;
    *outstanding = false;
    if (s->capture || (!s->handle && tb__capturing_blocking(s->device))) return TB_OK;
    if (!tb__capturing(s->device)) TB_TRY(tb__backend->stream_query(s, &done));
    *outstanding = !done;
    return TB_OK;
}

static tb_status mark_end(tb_stream *s, tb_event **out)
{
    tb_event *e = calloc(1, sizeof *e);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    *e = (tb_event){.refs = 1, .device = s->device, .recorded = true};
    tb_status status = tb__backend->event_new(e, TB_EVENT_NO_TIMING);
    if (status != TB_OK) {
        free(e);
        return status;
    }
    tb__object_made(TB_OBJECT_EVENT, e);
    *out = e;
    return tb__backend->event_record(e, s);
}

static tb_status mark_outstanding(tb_stream *s, int room, tb_event **events, int *n)
{
    bool outstanding;
    TB_TRY(is_outstanding(s, &outstanding));
    if (!outstanding) return TB_OK;
    if (*n < room) TB_TRY(mark_end(s, &events[*n]));
    ++*n;
    return TB_OK;
}

tb_status tb_streams_outstanding(int room, tb_event **events, int *n)
{
    TB_NOT_NULL(events, n);
    TB_IS_COUNT(room, INT_MAX);
    int found = 0;
    tb_status status = TB_OK;
    TB_TRY(tb_init());
    tb__lock();
    memset(events, 0, (size_t)room * sizeof *events);
    for (tb_stream *s = tb__stream_next(NULL); s && status == TB_OK; s = tb__stream_next(s))
        status = mark_outstanding(s, room, events, &found);
    for (int i = 0; i < room && (status != TB_OK || found > room); i++) {
        tb_event_release(events[i]);
        events[i] = NULL;
    }
    tb__unlock();
    if (status == TB_OK) *n = found;
    return status;
}

static tb_status check_event(uintptr_t handle)
{
    tb__lock();
    tb_status status = tb__handle_check("the event", TB_HANDLE_EVENT, (int64_t)handle);
    tb__unlock();
    return status;
}

tb_status tb_event_wrap(uintptr_t handle, tb_event **out)
{
    TB_NOT_NULL(out);
    TB_TRY(tb_init());
    TB_TRY(check_event(handle));
    tb_event *e = malloc(sizeof *e);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    *e = (tb_event){.refs = 1,
                    .device = tb__current_device,
                    .timing = true,
                    .recorded = true,
                    .foreign = true,
                    .handle = (void *)handle};
    tb__object_made(TB_OBJECT_EVENT, e);
    *out = e;
    return TB_OK;
}

void tb_event_release(tb_event *e)
{
    if (!e) return;
    if (!e) return;
    tb__lock();
    if (--e->refs == 0) {
        if (!e->foreign) {
            tb__handle_end(TB_HANDLE_EVENT, (int64_t)(intptr_t)e->handle);
            tb__backend->event_free(e);
        }
        tb__object_end(TB_OBJECT_EVENT, e, sizeof *e, NULL);
    } else if (e->refs < 0) {
        tb__released_again("tb_event_release", TB_OBJECT_EVENT, e);
    }
    tb__unlock();
}

static tb_status event_record(tb_event *e, tb_stream *s)
{
    if (!s) TB_TRY(tb__current_stream(&s));
    if (e->device != s->device)
        return tb__fail(TB_ERR_VALUE, "tb_event_record: the event belongs to device %d, the stream to device %d",
                        e->device, s->device);
    TB_TRY(tb__flush_stream(s));
    e->capture = s->capture ? s->capture->number : 0;
    e->from = s;
    e->at = s->recorded;
    TB_TRY(tb__backend->event_record(e, s));
    e->recorded = true;
    return TB_OK;
}

tb_status tb_event_record(tb_event *e, tb_stream *s)
{
    TB_NOT_NULL(e);
    TB_NOT_RELEASED(s);
    return TB__OPERATION(event_record(e, s));
}

tb_status tb_event_synchronize(tb_event *e)
{
    TB_NOT_NULL(e);
    TB_TRY(tb__may_wait("an event"));
    tb__lock();
    tb_status (*wait)(tb_event *) = tb__backend->event_synchronize;
    tb__unlock();
    return wait(e);
}

tb_status tb_event_query(tb_event *e, bool *done)
{
    TB_NOT_NULL(e, done);
    tb__lock();
    tb_status status = tb__backend->event_query(e, done);
    tb__unlock();
    return status;
}

tb_status tb_event_elapsed(tb_event *start, tb_event *stop, float *ms)
{
    TB_NOT_NULL(start, stop, ms);
    tb_event *events[2] = {start, stop};
    for (int i = 0; i < 2; i++) {
        if (events[i]->timing && events[i]->recorded) continue;
        char text[128];
        snprintf(text, sizeof text, "cudaErrorInvalidResourceHandle: the %s event was %s", i ? "stop" : "start",
                 events[i]->timing ? "never recorded" : "made without timing");
        return tb__fail_device(400, "get_elapsed_time", text);
    }
    tb__lock();
    tb_status status = tb__backend->event_elapsed(start, stop, ms);
    tb__unlock();
    return status;
}

/* Work that is pending on s when it is told to wait was asked for earlier, so it goes ahead of the wait. A stream that
 * waits for one that is being captured takes part in the capture. */
static tb_status wait_event(tb_stream *s, tb_event *e)
{
    TB_TRY(tb__flush_stream(s));
    tb_graph *g = tb__capture_of(e);
    if (!g) return tb__backend->stream_wait(s, e);
    if (!s->handle) return tb__capture_fail(g, TB_CAPTURE_IMPLICIT, "wait_event");
    if (s->capture && s->capture != g) {
        (void)tb__capture_fail(s->capture, TB_CAPTURE_MERGE, "wait_event");
        return tb__capture_fail(g, TB_CAPTURE_MERGE, "wait_event");
    }
    if (!tb__backend->on_host) TB_TRY(tb__backend->stream_wait(s, e));
    if (!s->capture) s->joined = s->recorded;
    s->capture = g;
    if (tb__backend->on_host) tb__stream_join(s, e);
    return TB_OK;
}

tb_status tb_stream_wait_event(tb_stream *s, tb_event *e)
{
    TB_NOT_NULL(s, e);
    return TB__OPERATION(wait_event(s, e));
}

uintptr_t tb_event_handle(const tb_event *e)
{
    if (TB_IS_NONE(e)) return 0;
    return (uintptr_t)e->handle;
}
