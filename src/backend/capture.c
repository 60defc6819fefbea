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
#include "backend/memory/memory.h"
#include "backend/stream.h"
#include "base/error.h"
#include "base/lock.h"

int tb__graph_count;
bool tb__backend_busy;

static tb_graph *graphs;
int tb__captures_open;
static const tb_backend *plain, *inner; /* the backend's own table, and the one that `noting` calls */
static tb_backend noting;
static tb_structured_routines noting_structured;
static atomic_int host_calls; /* outstanding, on all streams */

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

static tb_status note_sort(tb_stream *s, const tb_sort_rows *r)
{
    TB_TRY(note(s, r->in));
    TB_TRY(note(s, r->order ? (void *)r->order : r->out));
    return inner->sort(s, r);
}

static tb_status note_search(tb_stream *s, const tb_search *x)
{
    TB_TRY(note(s, x->sorted));
    TB_TRY(note(s, x->values));
    TB_TRY(note(s, x->out));
    return inner->search(s, x);
}

static tb_status note_slide(tb_stream *s, const tb_slide *l)
{
    TB_TRY(note(s, l->a));
    TB_TRY(note(s, l->w));
    TB_TRY(note(s, l->out));
    return inner->slide(s, l);
}

static tb_status note_pieces(tb_stream *s, const tb_pieces *p)
{
    TB_TRY(note(s, p->x));
    TB_TRY(note(s, p->c));
    TB_TRY(note(s, p->points));
    TB_TRY(note(s, p->out));
    return inner->pieces(s, p);
}

static tb_status note_pairs(tb_stream *s, const tb_pairs *p)
{
    TB_TRY(note(s, p->a));
    TB_TRY(note(s, p->b));
    TB_TRY(note(s, p->out));
    return inner->pairs(s, p);
}

static tb_status note_tree(tb_stream *s, const tb_tree_step *x)
{
    const void *const used[] = {x->points, x->columns, x->keys,    x->packed, x->boxes,    x->order,
                                x->x,      x->radius,  x->periods, x->start,  x->distance, x->index};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) TB_TRY(note(s, used[i]));
    return inner->tree(s, x);
}

static tb_status note_windows(tb_stream *s, const tb_windows *q)
{
    TB_TRY(note(s, q->x));
    TB_TRY(note(s, q->y));
    return inner->windows(s, q);
}

static tb_status note_sparse_product(tb_stream *s, const tb_sparse_product *p)
{
    TB_TRY(note(s, p->a.start));
    TB_TRY(note(s, p->a.index));
    TB_TRY(note(s, p->data));
    TB_TRY(note(s, p->x));
    TB_TRY(note(s, p->out));
    return inner->sparse_product(s, p);
}

static tb_status note_compress(tb_stream *s, const tb_structured *q)
{
    TB_TRY(note(s, q->a));
    TB_TRY(note(s, q->out));
    return inner->structured->compress(s, q);
}

static tb_status note_multiply(tb_stream *s, const tb_structured *q)
{
    TB_TRY(note(s, q->a));
    TB_TRY(note(s, q->x));
    TB_TRY(note(s, q->out));
    return inner->structured->multiply(s, q);
}

static tb_status note_sparse_step(tb_stream *s, const tb_sparse_step *x)
{
    const void *const used[] = {x->a.start, x->a.index, x->b.start, x->b.index, x->place,
                                x->both,    x->out[0],  x->out[1],  x->out[2],  x->out[3]};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        if (used[i]) TB_TRY(note(s, used[i]));
    return inner->sparse_step(s, x);
}

static tb_status note_recur(tb_stream *s, const tb_recur *r)
{
    TB_TRY(note(s, r->x));
    TB_TRY(note(s, r->zi));
    TB_TRY(note(s, r->y));
    TB_TRY(note(s, r->zf));
    return inner->recur(s, r);
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
        *keep = (tb_host_call){.drop = f->release, .arg = f, .next = g->calls};
        f->refs++;
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
        noting.sort = note_sort;
        noting.search = note_search;
        noting.slide = note_slide;
        noting.pieces = note_pieces;
        if (table->pairs) noting.pairs = note_pairs;
        noting.tree = note_tree;
        if (table->windows) noting.windows = note_windows;
        noting.sparse_step = note_sparse_step;
        noting.sparse_product = note_sparse_product;
        if (table->structured) {
            noting_structured = *table->structured;
            noting_structured.compress = note_compress;
            noting_structured.multiply = note_multiply;
            noting.structured = &noting_structured;
        }
        noting.recur = note_recur;
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

void tb__graph_add(tb_graph *g)
{
    g->next = graphs;
    graphs = g;
    tb__graph_count++;
}

static void graph_remove(tb_graph *g)
{
    tb_graph **link = &graphs;
    while (*link != g) link = &(*link)->next;
    *link = g->next;
    tb__graph_count--;
}

tb_graph *tb__capture_of(const tb_event *e)
{
    for (tb_graph *g = tb__captures_open && e->capture ? graphs : NULL; g; g = g->next)
        if (g->number == e->capture) return g->open ? g : NULL;
    return NULL;
}

bool tb__capturing(int device)
{
    tb__lock();
    tb_graph *g = tb__captures_open ? graphs : NULL;
    while (g && !(g->open && g->device == device)) g = g->next;
    tb__unlock();
    return g != NULL;
}

static bool is_blocking(const tb_graph *g) { return !(g->origin->flags & TB_STREAM_NON_BLOCKING); }

bool tb__capturing_blocking(int device)
{
    tb__lock();
    tb_graph *g = tb__captures_open ? graphs : NULL;
    while (g && !(g->open && g->device == device && is_blocking(g))) g = g->next;
    tb__unlock();
    return g != NULL;
}

tb_status tb__capture_error(int code, const char *call)
{
    static const struct {
        int code;
        const char *text;
    } errors[] = {
        {TB_CAPTURE_ILLEGAL_STATE, "cudaErrorIllegalState: the stream is not being captured"},
        {TB_CAPTURE_UNSUPPORTED, "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing"},
        {TB_CAPTURE_INVALIDATED, "cudaErrorStreamCaptureInvalidated: operation failed due to a previous error during"
                                 " capture"},
        {TB_CAPTURE_MERGE, "cudaErrorStreamCaptureMerge: operation would result in a merge of separate capture"
                           " sequences"},
        {TB_CAPTURE_UNMATCHED, "cudaErrorStreamCaptureUnmatched: the capture was not begun on this stream"},
        {TB_CAPTURE_UNJOINED, "cudaErrorStreamCaptureUnjoined: capturing stream has unjoined work"},
        {TB_CAPTURE_ISOLATION, "cudaErrorStreamCaptureIsolation: dependency created on uncaptured work in another"
                               " stream"},
        {TB_CAPTURE_IMPLICIT, "cudaErrorStreamCaptureImplicit: operation would make the legacy stream depend on a"
                              " capturing blocking stream"},
        {TB_CAPTURED_EVENT, "cudaErrorCapturedEvent: operation not permitted on an event last recorded in a capturing"
                            " stream"},
    };
    const char *text = "error during capture";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) text = errors[i].text;
    return tb__fail_device(code, call, text);
}

/* What no pool of the library's has handed out. */
static void give_back(int device, void *ptr)
{
    int before = tb__device_current();
    const int64_t address = (int64_t)(intptr_t)ptr;
    tb__current_device = device;
    tb__backend->cudart(TB_RT_free, &address, NULL);
    tb__current_device = before;
}

static void free_graph(tb_graph *g)
{
    graph_remove(g);
    if (g->handle || g->exec) tb__backend->graph_free(g);
    for (size_t i = 0; i < g->nkept; i++)
        if (!tb__pool_free(g->device, NULL, g->kept[i])) give_back(g->device, g->kept[i]);
    while (g->calls) {
        tb_host_call *c = g->calls;
        g->calls = c->next;
        if (c->drop) tb__defer(c->drop, c->arg);
        if (c->fn) tb__host_calls_less();
        free(c);
    }
    free(g->kept);
    free(g->touched);
    tb__object_end(TB_OBJECT_GRAPH, g, sizeof *g, NULL);
}

/* A backend waits for the device before it frees a graph, which would end a capture: graphs go after that. */
void tb__graph_release(tb_graph *g)
{
    if (--g->refs < 0) tb__released_again("tb_graph_release", TB_OBJECT_GRAPH, g);
    else if (g->refs == 0 && !tb__capturing(g->device)) free_graph(g);
}

static void free_left_graphs(int device)
{
    tb_graph *g = tb__capturing(device) ? NULL : graphs;
    while (g) {
        tb_graph *next = g->next;
        if (g->refs == 0 && g->device == device) free_graph(g);
        g = next;
    }
}

/* ---- the end of a capture --------------------------------------------------------------------------------------- */

void tb__capture_close(tb_graph *g)
{
    tb_stream *s = g->origin;
    tb__streams_leave(g);
    g->open = false;
    g->origin = NULL;
    tb__captures_open--;
    tb__backend_select();
    free_left_graphs(g->device);
    tb_stream_release(s);
}

/* What is pending stays so: it was asked for, and is computed like anything else when somebody needs it. */
static void abandon(void *p)
{
    tb_graph *g = p;
    tb__lock();
    if (g->open) {
        void *error = tb__error_keep();
        g->origin->lost = true;
        tb__backend->capture_end(g->origin, g);
        tb__capture_close(g);
        tb__graph_release(g);
        tb__error_put_back(error);
    }
    tb__graph_release(g); /* NOLINT(clang-analyzer-unix.Malloc): this reference is spoil's, the one above capture's */
    tb__unlock();
}

/* Not at once: whoever has failed may be in the middle of something that knows the capture. */
void tb__capture_spoil(tb_graph *g)
{
    if (!g->open || g->failed) return;
    g->failed = true;
    g->refs++;
    tb__defer(abandon, g);
}

tb_status tb__capture_fail(tb_graph *g, int code, const char *call)
{
    tb__lock();
    if (g) tb__capture_spoil(g);
    tb__unlock();
    return tb__capture_error(code, call);
}

tb_status tb__capture_fail_all(int device, bool blocking, int code, const char *call)
{
    tb__lock();
    for (tb_graph *g = graphs; g; g = g->next)
        if (g->open && g->device == device && (!blocking || is_blocking(g))) tb__capture_spoil(g);
    tb__unlock();
    return tb__capture_error(code, call);
}

void tb__captures_check(void)
{
    tb__lock();
    for (tb_graph *g = tb__captures_open && tb__backend->capture_lost ? graphs : NULL; g; g = g->next)
        if (g->open && tb__backend->capture_lost(g->origin)) tb__capture_spoil(g);
    tb__unlock();
}

void tb__capture_forsake(tb_stream *s)
{
    if (s->capture->origin == s) tb__capture_spoil(s->capture);
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

void tb__host_calls_more(void) { atomic_fetch_add_explicit(&host_calls, 1, memory_order_release); }
void tb__host_calls_less(void) { atomic_fetch_sub_explicit(&host_calls, 1, memory_order_release); }
