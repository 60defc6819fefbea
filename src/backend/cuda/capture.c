/* capture.c - graphs and functions of the host, by the driver.
 *
 * While a stream is captured, memory for its work comes from elsewhere than usual: scratch that the backend keeps for a
 * stream belongs to the graph instead, and what is copied from the host is kept with the graph, since a launch reads it
 * again. Allocating is one of the calls that captures of the stricter modes forbid, although it does no harm. */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/capture.h"
#include "base/error.h"

typedef struct kept_page {
    void *ptr;
    struct kept_page *next;
} kept_page;

typedef struct recorded {
    CUgraph graph;
    kept_page *pages; /* pinned, or of malloc */
} recorded;

static tb_status too_old(const char *what)
{
    return tb__fail_device(801, what, "cudaErrorNotSupported: the driver is too old for this");
}

#define NEED(function) do { if (!tb__cu.function) return too_old(#function); } while (0)

/* ---- modes ----------------------------------------------------------------------------------------------------- */

int tb__cuda_relax(int device)
{
    int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    if (!tb__capturing(device) || !tb__cu.cuThreadExchangeStreamCaptureMode) return -1;
    return tb__cu.cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS ? mode : -1;
}

void tb__cuda_unrelax(int mode)
{
    if (mode >= 0) tb__cu.cuThreadExchangeStreamCaptureMode(&mode);
}

/* ---- host functions --------------------------------------------------------------------------------------------- */

tb_status tb__cuda_host_func(tb_stream *s, void (*fn)(void *), void *arg)
{
    NEED(cuLaunchHostFunc);
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuLaunchHostFunc, s->handle, fn, arg);
    return TB_OK;
}

/* ---- capturing -------------------------------------------------------------------------------------------------- */

tb_status tb__cuda_capture_begin(tb_stream *s, tb_graph *g)
{
    NEED(cuStreamBeginCapture);
    NEED(cuGraphInstantiate);
    TB_TRY(tb__cuda_enter(s->device));
    recorded *r = calloc(1, sizeof *r);
    if (!r) return tb__fail_memory(sizeof *r, 0, 0, 0);
    tb_status status = tb__cuda_check(TB_CU_RESULT(cuStreamBeginCapture, s->handle, g->mode), "cuStreamBeginCapture");
    if (status != TB_OK) free(r);
    else g->handle = r;
    return status;
}

tb_status tb__cuda_capture_end(tb_stream *s, tb_graph *g)
{
    recorded *r = g->handle;
    CUgraphExec exec = NULL;
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuStreamEndCapture, s->handle, &r->graph);
    TB_CU(cuGraphInstantiate, &exec, r->graph, 0);
    g->exec = exec;
    return TB_OK;
}

bool tb__cuda_capture_lost(tb_stream *s)
{
    int status = 0;
    return tb__cu.cuStreamIsCapturing && tb__cuda_enter(s->device) == TB_OK &&
           TB_CU_RESULT(cuStreamIsCapturing, s->handle, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_ACTIVE;
}

void tb__cuda_graph_free(tb_graph *g)
{
    recorded *r = g->handle;
    bool alive = !tb__cuda_forked() && tb__cuda_enter(g->device) == TB_OK;
    if (alive && g->exec) {
        /* A launch may be under way, and it reads what is freed below. */
        (void)TB_CU_RESULT(cuCtxSynchronize);
        (void)TB_CU_RESULT(cuGraphExecDestroy, g->exec);
    }
    if (alive && r->graph) tb__cu.cuGraphDestroy(r->graph);
    tb__gpu_queue_free(g->device, g);
    while (r->pages) {
        kept_page *page = r->pages;
        r->pages = page->next;
        if (alive) (void)TB_CU_RESULT(cuMemFreeHost, page->ptr);
        free(page);
    }
    free(r);
    g->handle = g->exec = NULL;
}

void *tb__cuda_graph_of(const tb_graph *g) { return ((recorded *)g->handle)->graph; }

tb_status tb__cuda_graph_launch(tb_graph *g, tb_stream *s)
{
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuGraphLaunch, g->exec, s->handle);
    return TB_OK;
}

tb_status tb__cuda_graph_upload(tb_graph *g, tb_stream *s)
{
    NEED(cuGraphUpload);
    TB_TRY(tb__cuda_enter(s->device));
    TB_CU(cuGraphUpload, g->exec, s->handle);
    return TB_OK;
}

tb_status tb__cuda_graph_dot(tb_graph *g, unsigned flags, const char *path)
{
    NEED(cuGraphDebugDotPrint);
    TB_TRY(tb__cuda_enter(g->device));
    TB_CU(cuGraphDebugDotPrint, tb__cuda_graph_of(g), path, flags);
    return TB_OK;
}

/* Copies from the host while s is captured. What the caller may reuse at once is kept with the graph. */
tb_status tb__cuda_capture_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking)
{
    const void *from = host;
    if (blocking) {
        recorded *r = s->capture->handle;
        void *memory = NULL;
        kept_page *page = malloc(sizeof *page);
        if (!page) return tb__fail_memory(sizeof *page, 0, 0, 0);
        int mode = tb__cuda_relax(s->device);
        tb_status status =
            tb__cuda_check(TB_CU_RESULT(cuMemHostAlloc, &memory, n, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
        tb__cuda_unrelax(mode);
        if (status != TB_OK) {
            free(page);
            return status;
        }
        *page = (kept_page){memory, r->pages};
        r->pages = page;
        from = memcpy(memory, host, n);
    }
    TB_CU(cuMemcpyHtoDAsync, tb__cuda_ptr(dst), from, n, s->handle);
    return TB_OK;
}
