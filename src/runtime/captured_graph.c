/* captured_graph.c - what users see of captures: they begin and end, graphs are launched, functions of the host called.
 *
 * What is pending is enqueued before. How work is recorded is in backend/capture.c. */
#include <stdlib.h>

#include "backend/capture.h"
#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "backend/stream.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"

static tb_status capture_begin(tb_stream *s, int mode)
{
    static uint64_t number;
    if (s->capture || !s->handle)
        return tb__fail_device(TB_CAPTURE_UNSUPPORTED, "begin_capture",
                               s->capture
                                   ? "cudaErrorStreamCaptureUnsupported: the stream is being captured already"
                                   : "cudaErrorStreamCaptureUnsupported: the legacy default stream cannot be captured");
    if (mode < 0 || mode > 2)
        return tb__fail(TB_ERR_VALUE, "begin_capture: mode is %d; it must be a runtime.streamCaptureMode", mode);
    /* What was asked for before runs before, and is not recorded, whichever stream it is pending on. */
    TB_TRY(tb__flush_device(s->device));
    tb_graph *g = calloc(1, sizeof *g);
    if (!g) return tb__fail_memory(sizeof *g, 0, 0, 0);
    *g = (tb_graph){.refs = 1,
                    .number = ++number,
                    .device = s->device,
                    .mode = mode,
                    .open = true,
                    .origin = s,
                    .release = tb_graph_release};
    tb_status status = tb__backend->capture_begin(s, g);
    if (status != TB_OK) {
        free(g);
        return status;
    }
    tb__object_made(TB_OBJECT_GRAPH, g);
    tb__graph_add(g);
    tb__captures_open++;
    s->refs++;
    s->lost = false;
    s->capture = g;
    tb__backend_select();
    return TB_OK;
}

tb_status tb_stream_capture_begin(tb_stream *s, int mode)
{
    TB_NOT_NULL(s);
    TB_TRY(tb_init());
    return TB__OPERATION(capture_begin(s, mode));
}

/* What was asked of the streams that take part is recorded before the recording ends. */
static tb_status flush_recorded(const tb_graph *g)
{
    for (tb_stream *s = tb__stream_next(NULL); s; s = tb__stream_next(s))
        if (s->capture == g) TB_TRY(tb__flush_stream(s));
    return TB_OK;
}

static tb_status capture_end(tb_stream *s, tb_graph **out)
{
    tb_graph *g = s->capture;
    if (!g) {
        const bool lost = s->lost;
        s->lost = false;
        return tb__capture_error(lost ? TB_CAPTURE_INVALIDATED : TB_CAPTURE_ILLEGAL_STATE, "end_capture");
    }
    if (g->origin != s) return tb__capture_fail(g, TB_CAPTURE_UNMATCHED, "end_capture");
    tb_status flushed = g->failed ? TB_OK : flush_recorded(g);
    if (flushed == TB__AGAIN) return flushed;
    tb_status status = tb__backend->capture_end(s, g);
    if (status == TB_OK) status = flushed;
    if (status == TB_OK && g->failed) status = tb__capture_error(TB_CAPTURE_INVALIDATED, "end_capture");
    if (status == TB_OK && !tb__streams_joined(g)) status = tb__capture_error(TB_CAPTURE_UNJOINED, "end_capture");
    tb__capture_close(g);
    if (status == TB_OK) *out = g;
    else tb__graph_release(g);
    return status;
}

tb_status tb_stream_capture_end(tb_stream *s, tb_graph **out)
{
    TB_NOT_NULL(s, out);
    TB_TRY(tb_init());
    return TB__OPERATION(capture_end(s, out));
}

int tb_stream_capture_status(tb_stream *s)
{
    if (TB_IS_NONE(s)) return 0;
    tb__lock();
    int status = s->capture && !s->capture->failed ? 1 : s->capture || s->lost ? 2 : 0;
    tb__unlock();
    return status;
}

void tb_stream_capture_drop(tb_stream *s)
{
    if (TB_IS_NONE(s)) return;
    tb__lock();
    if (s->capture) tb__capture_spoil(s->capture);
    tb__unlock();
}

/* ---- graphs --------------------------------------------------------------------------------------------------- */

tb_graph *tb_graph_retain(tb_graph *g)
{
    if (!g) return NULL;
    tb__lock();
    if (g->refs++ <= 0) tb__released_again("tb_graph_retain", TB_OBJECT_GRAPH, g);
    tb__unlock();
    return g;
}

void tb_graph_release(tb_graph *g)
{
    if (!g) return;
    tb__lock();
    tb__graph_release(g);
    tb__unlock();
}

static tb_status check_stream(const char *who, const tb_graph *g, const tb_stream *s)
{
    if (s->device == g->device) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: the graph belongs to device %d, the stream to device %d", who, g->device,
                    s->device);
}

/* What is pending on any stream of the device was asked for before the graph's work, which may read it. */
static tb_status graph_launch(tb_graph *g, tb_stream *s)
{
    if (!s) TB_TRY(tb__current_stream(&s));
    TB_TRY(check_stream("Graph.launch", g, s));
    TB_TRY(s->capture ? tb__flush_stream(s) : tb__flush_device(s->device));
    return tb__backend->graph_launch(g, s);
}

tb_status tb_graph_launch(tb_graph *g, tb_stream *s)
{
    TB_NOT_NULL(g);
    TB_NOT_RELEASED(s);
    return TB__OPERATION(graph_launch(g, s));
}

tb_status tb_graph_upload(tb_graph *g, tb_stream *s)
{
    TB_NOT_NULL(g);
    TB_NOT_RELEASED(s);
    tb__lock();
    tb_status status = TB_OK;
    if (!s) status = tb__current_stream(&s);
    if (status == TB_OK) status = check_stream("Graph.upload", g, s);
    if (status == TB_OK) status = tb__backend->graph_upload(g, s);
    tb__unlock();
    return status;
}

tb_status tb_graph_dot(tb_graph *g, unsigned flags, const char *path)
{
    TB_NOT_NULL(g, path);
    tb__lock();
    tb_status status = tb__backend->graph_dot(g, flags, path);
    tb__unlock();
    return status;
}

uintptr_t tb_graph_handle(const tb_graph *g)
{
    if (TB_IS_NONE(g)) return 0;
    return (uintptr_t)g->handle;
}
uintptr_t tb_graph_exec(const tb_graph *g)
{
    if (TB_IS_NONE(g)) return 0;
    return (uintptr_t)g->exec;
}

bool tb_graph_host_arg(const tb_graph *g, int i, void **arg)
{
    if (TB_IS_NONE(g)) return false;
    const tb_host_call *found = NULL;
    int n = 0;
    tb__lock();
    for (const tb_host_call *c = g->calls; c; c = c->next) n += c->fn != NULL;
    for (const tb_host_call *c = g->calls; c; c = c->next) /* newest first */
        if (c->fn && --n == i) found = c;
    if (found) *arg = found->arg;
    tb__unlock();
    return found != NULL;
}

/* ---- functions of the host in a stream ------------------------------------------------------------------------ */

static tb_status host_func(tb_stream *s, tb_host_call *c)
{
    TB_TRY(tb__flush_stream(s));
    bool recorded = s->capture != NULL;
    c->recorded = recorded;
    if (!recorded) tb__host_calls_more();
    tb_status status = tb__backend->host_func(s, tb__host_call, c);
    if (status != TB_OK) {
        if (!recorded) tb__host_calls_less();
    } else if (recorded) { /* one that is not may have been made by now, and *c be gone */
        /* A graph with host functions may run them at any time from its first launch on. */
        tb__host_calls_more();
        c->next = s->capture->calls;
        s->capture->calls = c;
    }
    return status;
}

tb_status tb_stream_host_func(tb_stream *s, void (*fn)(void *), void *arg, void (*drop)(void *))
{
    TB_NOT_NULL(s, fn);
    tb_host_call *c = malloc(sizeof *c);
    if (!c) return tb__fail_memory(sizeof *c, 0, 0, 0);
    *c = (tb_host_call){.fn = fn, .drop = drop, .arg = arg};
    const tb_status status = TB__OPERATION(host_func(s, c));
    if (status != TB_OK) free(c);
    return status;
}
