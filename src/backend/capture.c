/* capture.c - recording the work of a stream into a graph, and what a graph keeps alive.
 *
 * While something is recorded the backend's table is replaced by one that notes the addresses that work touches; so
 * recording costs nothing when it is not used. A block of the pool that a graph touches, and any block that is freed
 * while work is recorded, becomes free only when the graph is gone: otherwise a launch would write into memory that
 * belongs to somebody else by then. */
#include "backend/capture.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backend/module.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"

int tb__graph_count;
bool tb__backend_busy;

static tb_graph *graphs;
int tb__captures_open;
static const tb_backend *plain, *inner; /* the backend's own table, and the one that `noting` calls */
static tb_backend noting;
static atomic_int host_calls;           /* outstanding, on all streams */

/* ---- addresses ------------------------------------------------------------------------------------------------ */

static tb_status note(tb_stream *s, const void *address)
{
    tb_graph *g = s->capture;
    if (!g || !address) return TB_OK;
    if (g->ntouched == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 64;
        const char **more = realloc(g->touched, capacity * sizeof *more);
        if (!more) return tb__fail_memory(capacity * sizeof *more, 0, 0, 0);
        g->touched = more;
        g->capacity = capacity;
    }
    g->touched[g->ntouched++] = address;
    return TB_OK;
}

static void release_function(void *f) { tb_function_release(f); }

static tb_status note_run(tb_stream *s, const tb_plan *p)
{
    for (int i = 0; i < p->nload; i++) TB_TRY(note(s, p->load[i].ptr));
    for (int i = 0; i < p->nstore; i++) TB_TRY(note(s, p->store[i].ptr));
    return inner->run(s, p);
}

static tb_status note_gemm(tb_stream *s, const tb_gemm *g)
{
    TB_TRY(note(s, g->a));
    TB_TRY(note(s, g->b));
    TB_TRY(note(s, g->c));
    return inner->gemm(s, g);
}

static tb_status note_copy(tb_stream *s, void *dst, const void *src, size_t n)
{
    TB_TRY(note(s, dst));
    TB_TRY(note(s, src));
    return inner->copy(s, dst, src, n);
}

static tb_status note_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking)
{
    TB_TRY(note(s, dst));
    return inner->copy_in(s, dst, host, n, blocking);
}

static tb_status note_copy_out(tb_stream *s, void *host, const void *src, size_t n, bool blocking)
{
    TB_TRY(note(s, src));
    return inner->copy_out(s, host, src, n, blocking);
}

/* Any value with room for an address may be one. The graph keeps the kernel alive. */
static tb_status note_launch(tb_stream *s, tb_function *f, const tb_launch_shape *shape, void **values)
{
    tb_graph *g = s->capture;
    for (int i = 0; g && f->info.size && i < f->info.nparam; i++) {
        const char *address;
        if (f->info.size[i] != sizeof address) continue;
        memcpy(&address, values[i], sizeof address);
        TB_TRY(note(s, address));
    }
    if (g) {
        tb_host_call *keep = calloc(1, sizeof *keep);
        if (!keep) return tb__fail_memory(sizeof *keep, 0, 0, 0);
        *keep = (tb_host_call){.drop = release_function, .arg = tb_function_retain(f), .next = g->calls};
        g->calls = keep;
    }
    if (inner->launch_later) return inner->launch_later(s, f, shape, values);
    return inner->function_launch(s, &f->info, f->name, shape, values);
}


void tb__backend_select(void)
{
    if (!plain) plain = tb__backend;
    const tb_backend *table = plain->busy && (tb__captures_open > 0 || tb__backend_busy) ? plain->busy : plain;
    if (tb__captures_open > 0) {
        inner = table;
        noting = *table;
        noting.run = note_run;
        noting.gemm = note_gemm;
        noting.copy = note_copy;
        noting.copy_in = note_copy_in;
        noting.copy_out = note_copy_out;
        noting.launch_later = note_launch;
        table = &noting;
    }
    tb__backend = table;
}

/* The order of the addresses does not matter: few graphs are alive, and blocks are rarely freed meanwhile. */
static bool touches(const tb_graph *g, const char *ptr, size_t size)
{
    for (size_t i = 0; i < g->ntouched; i++)
        if (g->touched[i] >= ptr && g->touched[i] < ptr + size) return true;
    return false;
}

bool tb__graph_keeps(int device, void *ptr, size_t size)
{
    for (tb_graph *g = graphs; g; g = g->next) {
        if (g->device != device || (!g->open && !touches(g, ptr, size))) continue;
        if (g->nkept == g->kept_capacity) {
            size_t capacity = g->kept_capacity ? 2 * g->kept_capacity : 16;
            void **more = realloc(g->kept, capacity * sizeof *more);
            if (!more) return true; /* the block leaks, which is better than being used twice */
            g->kept = more;
            g->kept_capacity = capacity;
        }
        g->kept[g->nkept++] = ptr;
        return true;
    }
    return false;
}

/* ---- what is being recorded ----------------------------------------------------------------------------------- */

bool tb__capture_is_open(const tb_graph *capture)
{
    for (tb_graph *g = tb__captures_open ? graphs : NULL; g; g = g->next)
        if (g == capture) return g->open;
    return false;
}

bool tb__capturing(int device)
{
    for (tb_graph *g = tb__captures_open ? graphs : NULL; g; g = g->next)
        if (g->open && g->device == device) return true;
    return false;
}

bool tb__capturing_blocking(int device)
{
    for (tb_graph *g = tb__captures_open ? graphs : NULL; g; g = g->next)
        if (g->open && g->device == device && !(g->origin->flags & TB_STREAM_NON_BLOCKING)) return true;
    return false;
}

tb_status tb__capture_fail(tb_stream *s, int code, const char *call)
{
    static const struct { int code; const char *text; } errors[] = {
        {TB_CAPTURE_UNSUPPORTED, "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing"},
        {TB_CAPTURE_INVALIDATED, "cudaErrorStreamCaptureInvalidated: operation failed due to a previous error during"
                                 " capture"},
        {TB_CAPTURE_UNMATCHED, "cudaErrorStreamCaptureUnmatched: the capture was not begun on this stream"},
        {TB_CAPTURE_ISOLATION, "cudaErrorStreamCaptureIsolation: dependency created on uncaptured work in another"
                               " stream"},
        {TB_CAPTURE_IMPLICIT, "cudaErrorStreamCaptureImplicit: operation would make the legacy stream depend on a"
                              " capturing blocking stream"},
    };
    const char *text = "error during capture";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) text = errors[i].text;
    if (s && s->capture) s->capture->failed = true;
    return tb__fail_device(code, call, text);
}

/* What no pool of the library's has handed out. */
static void give_back(int device, void *ptr)
{
    int before = tb__device_current();
    const int64_t address = (int64_t)(intptr_t)ptr;
    if (before != device && tb_device_use(device) != TB_OK) return;
    tb__backend->runtime(TB_RT_free, &address, NULL);
    if (before != device) tb_device_use(before);
}

static void free_graph(tb_graph *g)
{
    tb_graph **link = &graphs;
    while (*link != g) link = &(*link)->next;
    *link = g->next;
    tb__graph_count--;
    if (g->handle || g->exec) tb__backend->graph_free(g);
    for (size_t i = 0; i < g->nkept; i++)
        if (!tb__pool_free(g->device, NULL, g->kept[i])) give_back(g->device, g->kept[i]);
    while (g->calls) {
        tb_host_call *c = g->calls;
        g->calls = c->next;
        if (c->drop) tb__defer(c->drop, c->arg);
        if (c->fn) atomic_fetch_sub_explicit(&host_calls, 1, memory_order_release);
        free(c);
    }
    free(g->kept);
    free(g->touched);
    free(g);
}

static tb_status capture_begin(tb_stream *s, int mode)
{
    if (s->capture || !s->handle) return tb__fail_device(TB_CAPTURE_UNSUPPORTED, "begin_capture", s->capture ?
        "cudaErrorStreamCaptureUnsupported: the stream is being captured already" :
        "cudaErrorStreamCaptureUnsupported: the legacy default stream cannot be captured");
    if (mode < 0 || mode > 2)
        return tb__fail(TB_ERR_VALUE, "begin_capture: mode is %d; it must be a runtime.streamCaptureMode", mode);
    /* What was asked for before runs before, and is not recorded, whichever stream it is pending on. */
    TB_TRY(tb__flush_device(s->device));
    tb_graph *g = calloc(1, sizeof *g);
    if (!g) return tb__fail_memory(sizeof *g, 0, 0, 0);
    *g = (tb_graph){.refs = 1, .device = s->device, .mode = mode, .open = true, .origin = s, .next = graphs};
    tb_status status = tb__backend->capture_begin(s, g);
    if (status != TB_OK) {
        free(g);
        return status;
    }
    graphs = g;
    tb__graph_count++;
    tb__captures_open++;
    s->refs++;
    s->capture = g;
    tb__backend_select();
    return TB_OK;
}

tb_status tb_stream_capture_begin(tb_stream *s, int mode)
{
    TB_TRY(tb_init());
    tb__lock();
    tb_status status = capture_begin(s, mode);
    tb__unlock();
    return status;
}

static tb_status capture_end(tb_stream *s, tb_graph **out)
{
    tb_graph *g = s->capture;
    if (!g) return tb__fail_device(1, "end_capture", "cudaErrorInvalidValue: the stream is not being captured");
    if (g->origin != s) return tb__capture_fail(s, TB_CAPTURE_UNMATCHED, "end_capture");
    tb_status flushed = tb__flush_stream(s);
    tb_status status = tb__backend->capture_end(s, g);
    tb__streams_leave(g);
    g->open = false;
    tb__captures_open--;
    tb__backend_select();
    g->origin = NULL;
    if (status == TB_OK) status = flushed;
    if (status == TB_OK && g->failed) status = tb__capture_fail(NULL, TB_CAPTURE_INVALIDATED, "end_capture");
    if (status == TB_OK) *out = g;
    else free_graph(g);
    tb_stream_release(s);
    return status;
}

tb_status tb_stream_capture_end(tb_stream *s, tb_graph **out)
{
    TB_TRY(tb_init());
    tb__lock();
    tb_status status = capture_end(s, out);
    tb__unlock();
    return status;
}

int tb_stream_capture_status(tb_stream *s)
{
    tb__lock();
    int status = !s->capture ? 0 : s->capture->failed ? 2 : 1;
    tb__unlock();
    return status;
}

/* ---- graphs --------------------------------------------------------------------------------------------------- */

tb_graph *tb_graph_retain(tb_graph *g)
{
    tb__lock();
    g->refs++;
    tb__unlock();
    return g;
}

void tb_graph_release(tb_graph *g)
{
    if (!g) return;
    tb__lock();
    if (--g->refs == 0) free_graph(g);
    tb__unlock();
}

static tb_status check_stream(const char *who, const tb_graph *g, const tb_stream *s)
{
    if (s->device == g->device) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: the graph belongs to device %d, the stream to device %d", who, g->device,
                    s->device);
}

/* What is pending on any stream of the device was asked for before the graph's work, which may read it. */
tb_status tb_graph_launch(tb_graph *g, tb_stream *s)
{
    tb__lock();
    tb_status status = TB_OK;
    if (!s) status = tb__current_stream(&s);
    if (status == TB_OK) status = check_stream("Graph.launch", g, s);
    if (status == TB_OK) status = s->capture ? tb__flush_stream(s) : tb__flush_device(s->device);
    if (status == TB_OK) status = tb__backend->graph_launch(g, s);
    tb__unlock();
    return status;
}

tb_status tb_graph_upload(tb_graph *g, tb_stream *s)
{
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
    tb__lock();
    tb_status status = tb__backend->graph_dot(g, flags, path);
    tb__unlock();
    return status;
}

uintptr_t tb_graph_handle(const tb_graph *g) { return (uintptr_t)g->handle; }
uintptr_t tb_graph_exec(const tb_graph *g) { return (uintptr_t)g->exec; }

bool tb_graph_host_arg(const tb_graph *g, int i, void **arg)
{
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

bool tb_host_func_pending(void) { return atomic_load_explicit(&host_calls, memory_order_acquire) > 0; }

void tb__host_call(void *p)
{
    tb_host_call *c = p;
    bool recorded = c->recorded; /* when it is not, c may be gone after the call */
    c->fn(c->arg);
    if (recorded) return;
    if (c->drop) c->drop(c->arg);
    free(c);
    atomic_fetch_sub_explicit(&host_calls, 1, memory_order_release);
}

static tb_status host_func(tb_stream *s, tb_host_call *c)
{
    TB_TRY(tb__flush_stream(s));
    bool recorded = s->capture != NULL;
    c->recorded = recorded;
    if (!recorded) atomic_fetch_add_explicit(&host_calls, 1, memory_order_release);
    tb_status status = tb__backend->host_func(s, tb__host_call, c);
    if (status != TB_OK) {
        if (!recorded) atomic_fetch_sub_explicit(&host_calls, 1, memory_order_release);
    } else if (recorded) { /* one that is not may have been made by now, and *c be gone */
        /* A graph with host functions may run them at any time from its first launch on. */
        atomic_fetch_add_explicit(&host_calls, 1, memory_order_release);
        c->next = s->capture->calls;
        s->capture->calls = c;
    }
    return status;
}

tb_status tb_stream_host_func(tb_stream *s, void (*fn)(void *), void *arg, void (*drop)(void *))
{
    tb_host_call *c = malloc(sizeof *c);
    if (!c) return tb__fail_memory(sizeof *c, 0, 0, 0);
    *c = (tb_host_call){.fn = fn, .drop = drop, .arg = arg};
    tb__lock();
    tb_status status = host_func(s, c);
    tb__unlock();
    if (status != TB_OK) free(c);
    return status;
}
