/* stream.c - the streams there are, and which are current.
 *
 * Each device has a null stream that never goes away. The current device and the current stream of each device belong
 * to the thread; current streams are retained and let go when the thread ends. Devices are open by the time that
 * anything here is asked about them. */
#include "backend/stream.h"

#include <pthread.h>
#include <stdlib.h>

#include "backend/capture.h"
#include "backend/handles.h"
#include "backend/memory/memory.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"

static tb_stream null_stream[TB_DEVICE_MAX];
static tb_stream *streams; /* all others */

TB_THREAD_LOCAL int tb__current_device;
TB_THREAD_LOCAL tb_stream *tb__current_streams[TB_DEVICE_MAX];
static _Thread_local tb_stream *own[TB_DEVICE_MAX]; /* the thread's own streams, made when first asked for */

/* ---- what is current ------------------------------------------------------------------------------------------ */

tb_stream *tb__null_stream(int device)
{
    tb_stream *s = &null_stream[device];
    if (s->refs == 0) *s = (tb_stream){.refs = 1, .device = device};
    return s;
}

static void release_all(tb_stream **s)
{
    for (int i = 0; i < TB_DEVICE_MAX; i++) {
        if (s[i]) tb_stream_release(s[i]);
        s[i] = NULL;
    }
}

static void release_current(void *ignored)
{
    (void)ignored;
    release_all(tb__current_streams);
    release_all(own);
}

/* Thread-local storage proper has no destructors, so a key whose only use is its destructor stands by. */
static void release_at_thread_end(void)
{
    static pthread_key_t key;
    static bool made; /* under the core lock */
    if (!made) made = pthread_key_create(&key, release_current) == 0;
    if (made) pthread_setspecific(key, tb__current_streams);
}

tb_status tb_stream_use(tb_stream *s)
{
    TB_NOT_NULL(s);
    if (s->device != tb__current_device)
        return tb__fail(TB_ERR_VALUE, "tb_stream_use: the stream belongs to device %d, but device %d is current",
                        s->device, tb__current_device);
    tb__lock();
    tb_stream *before = tb__current_streams[tb__current_device];
    s->refs++;
    tb__current_streams[tb__current_device] = s;
    release_at_thread_end();
    if (before) tb_stream_release(before);
    tb__unlock();
    return TB_OK;
}

/* ---- streams -------------------------------------------------------------------------------------------------- */

/* A stream like `model` on the current device, made by the backend or, if it is foreign, made known to it. */
static tb_status add_stream(tb_stream model, tb_stream **out)
{
    tb_stream *s = malloc(sizeof *s);
    if (!s) return tb__fail_memory(sizeof *s, 0, 0, 0);
    *s = model;
    s->refs = 1;
    s->device = tb__current_device;
    const tb_status status = s->foreign ? tb__backend->stream_wrap(s) : tb__backend->stream_new(s, s->priority);
    if (status != TB_OK) {
        free(s);
        return status;
    }
    tb__object_made(TB_OBJECT_STREAM, s);
    s->next = streams;
    streams = s;
    *out = s;
    return TB_OK;
}

tb_status tb__stream_new(int flags, int priority, tb_stream **out)
{
    if (flags & ~TB_STREAM_NON_BLOCKING)
        return tb__fail(TB_ERR_VALUE,
                        "tb_stream_new: flags are %#x; expected TB_STREAM_DEFAULT or"
                        " TB_STREAM_NON_BLOCKING",
                        (unsigned)flags);
    tb_stream *s = NULL;
    TB_TRY(add_stream((tb_stream){.flags = flags, .priority = priority}, &s));
    tb_status status = tb__handle_set(TB_HANDLE_STREAM, (int64_t)(intptr_t)s->handle, TB_HANDLE_OWNED);
    if (status == TB_OK) status = tb__pool_stream_begin(s);
    if (status != TB_OK) {
        tb_stream_release(s);
        return status;
    }
    *out = s;
    return TB_OK;
}

tb_status tb__stream_per_thread(tb_stream **out)
{
    if (!own[tb__current_device]) {
        TB_TRY(tb__stream_new(TB_STREAM_DEFAULT, 0, &own[tb__current_device]));
        release_at_thread_end();
    }
    *out = own[tb__current_device];
    return TB_OK;
}

/* A stream that is known keeps what is known of it: what is pending, whether it is being captured. CUDA's handle 1 is
 * another name of the null stream, 2 of the thread's own. */
tb_status tb__stream_wrap(uintptr_t handle, tb_stream **out)
{
    tb_stream *s = NULL;
    if (handle <= 1) s = tb__null_stream(tb__current_device);
    if (handle == 2) TB_TRY(tb__stream_per_thread(&s));
    for (tb_stream *k = streams; k && !s; k = k->next)
        if (k->handle == (void *)handle && k->device == tb__current_device) s = k;
    if (s) {
        s->refs++;
        *out = s;
        return TB_OK;
    }
    TB_TRY(tb__handle_check("the stream", TB_HANDLE_STREAM, (int64_t)handle));
    return add_stream((tb_stream){.handle = (void *)handle, .foreign = true}, out);
}

void tb_stream_retain(tb_stream *s)
{
    if (!s) return;
    tb__lock();
    if (__builtin_expect(s->refs++ <= 0, 0)) tb__released_again("tb_stream_retain", TB_OBJECT_STREAM, s);
    tb__unlock();
}

/* Flushing may take and drop references of its own, so the last one is held until it is done. */
static void stream_end(tb_stream *s)
{
    s->refs = 1;
    if (s == &null_stream[s->device]) { /* it has been there before anybody, and is still used */
        tb__released_again("tb_stream_release", TB_OBJECT_STREAM, s);
        s->refs = 1;
        return;
    }
    if (tb__stream_flush) tb__stream_flush(s);
    if (--s->refs > 0) return;
    tb_stream **link = &streams;
    while (*link != s) link = &(*link)->next;
    *link = s->next;
    if (!s->foreign) {
        tb__pool_stream_end(s);
        tb__handle_end(TB_HANDLE_STREAM, (int64_t)(intptr_t)s->handle);
        tb__backend->stream_free(s);
    }
    tb__object_end(TB_OBJECT_STREAM, s, sizeof *s, NULL);
}

static void release_stream(void *s) { tb_stream_release(s); }

/* While a caller's allocator runs nothing can be enqueued, which a stream's end may need. */
void tb_stream_release(tb_stream *s)
{
    if (!s) return;
    if (!s) return;
    tb__lock();
    if (s->refs == 1 && tb__foreign) tb__defer(release_stream, s);
    else if (--s->refs == 0) stream_end(s);
    else if (s->refs < 0) tb__released_again("tb_stream_release", TB_OBJECT_STREAM, s);
    else if (s->refs == 1 && s->capture) tb__capture_forsake(s);
    tb__unlock();
}

void tb__streams_leave(const tb_graph *g)
{
    for (tb_stream *s = streams; s; s = s->next)
        if (s->capture == g) s->capture = NULL;
}

bool tb__streams_joined(const tb_graph *g)
{
    for (tb_stream *s = streams; s; s = s->next)
        if (s->capture == g && s != g->origin && s->joined != s->recorded) return false;
    return true;
}

void tb__stream_join(tb_stream *s, const tb_event *e)
{
    s->recorded++;
    for (tb_stream *k = streams; k; k = k->next)
        if (k == e->from && k->capture == s->capture && k->joined < e->at) k->joined = e->at;
}

tb_stream *tb__stream_next(const tb_stream *s)
{
    int d = 0;
    if (s && s != &null_stream[s->device]) return s->next;
    if (s) d = s->device + 1;
    while (d < TB_DEVICE_MAX && null_stream[d].refs == 0) d++;
    return d < TB_DEVICE_MAX ? &null_stream[d] : streams;
}
