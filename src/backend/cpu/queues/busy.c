/* busy.c - the backend's functions while work is outstanding or recorded, and graphs.
 *
 * Every function makes a command of its arguments and hands it to the stream's queue, which runs it at once if nothing
 * is in its way. Once nothing is outstanding the plain functions are put back in place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/blas.h"
#include "backend/cpu/queues/queue.h"
#include "backend/cpu/user/user.h"
#include "base/error.h"

/* The caller runs the plain function: nothing is in the way. */
static bool at_once(const tb_stream *s) { return !s->capture && !tb__capturing(s->device) && tb__cpu_idle(); }

tb_status tb__cpu_busy_run(tb_stream *s, const tb_plan *p)
{
    if (at_once(s)) return tb__cpu_run(s, p);
    return tb__cpu_submit(s, tb__command_run(p));
}

tb_status tb__cpu_busy_gemm(tb_stream *s, const tb_gemm *g)
{
    const tb_blas *blas;
    if (at_once(s)) return tb__cpu_gemm(s, g);
    if (g->dtype >= TB_F16) TB_TRY(tb__cpu_blas(TB_F32, &blas)); /* looked for now, with the lock */
    return tb__cpu_submit(s, tb__command_gemm(g));
}

tb_status tb__cpu_busy_copy(tb_stream *s, void *dst, const void *src, size_t n)
{
    if (n == 0) return TB_OK;
    return tb__cpu_submit(s, tb__command_copy(dst, src, n, false));
}

tb_status tb__cpu_busy_copy_in(tb_stream *s, void *dst, const void *host, size_t n, bool blocking)
{
    if (n == 0) return TB_OK;
    return tb__cpu_submit(s, tb__command_copy(dst, host, n, blocking && !at_once(s)));
}

tb_status tb__cpu_busy_copy_out(tb_stream *s, void *host, const void *src, size_t n, bool blocking)
{
    if (n == 0) return TB_OK;
    if (blocking && s->capture) return tb__capture_fail(s->capture, TB_CAPTURE_UNSUPPORTED, "copying to the host");
    TB_TRY(tb__cpu_submit(s, tb__command_copy(host, src, n, false)));
    return blocking ? tb__cpu_drain(s) : TB_OK;
}

tb_status tb__cpu_busy_launch(tb_stream *s, tb_function *f, const tb_launch_shape *shape, void **values)
{
    if (at_once(s)) return tb__cpu_function_launch(s, &f->info, f->name, shape, values);
    if (f->info.nparam > 0 && !f->info.size)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED,
                        "kernel %s: the sizes of its parameters are not known, so that it"
                        " cannot be recorded, nor launched behind a function of the host; synchronize the stream first",
                        f->name);
    return tb__cpu_submit(s, tb__command_launch(f, shape, values));
}

void tb__cpu_busy_mem_free(int device, void *ptr)
{
    if (tb__cpu_idle()) {
        tb__cpu_mem_free(device, ptr);
        return;
    }
    tb_region *r = tb__cpu_region_take(ptr);
    if (r) tb__cpu_free_later(r);
}

/* ---- graphs ---------------------------------------------------------------------------------------------------- */

tb_status tb__cpu_capture_begin(tb_stream *s, tb_graph *g)
{
    (void)s;
    tb_command_list *list = calloc(1, sizeof *list);
    if (!list) return tb__fail_memory(sizeof *list, 0, 0, 0);
    list->tail = &list->head;
    g->handle = list;
    return TB_OK;
}

tb_status tb__cpu_capture_end(tb_stream *s, tb_graph *g)
{
    (void)s;
    g->exec = g->handle;
    return TB_OK;
}

void tb__cpu_graph_free(tb_graph *g)
{
    tb_command_list *list = g->handle;
    while (list->head) {
        tb_command *c = list->head;
        list->head = c->next;
        tb__command_free(c);
    }
    free(list);
    g->handle = g->exec = NULL;
}

tb_status tb__cpu_graph_launch(tb_graph *g, tb_stream *s) { return tb__cpu_submit(s, tb__command_graph(g)); }

tb_status tb__cpu_graph_upload(tb_graph *g, tb_stream *s)
{
    (void)g;
    (void)s;
    return TB_OK;
}

tb_status tb__cpu_graph_dot(tb_graph *g, unsigned flags, const char *path)
{
    (void)flags;
    FILE *f = fopen(path, "w");
    if (!f) return tb__fail(TB_ERR_VALUE, "debug_dot_str: %s cannot be written", path);
    int n = 0;
    fprintf(f, "digraph dot {\n");
    for (tb_command *c = ((tb_command_list *)g->handle)->head; c; c = c->next, n++) {
        fprintf(f, "  node_%d[label=\"%d\\n%s\"];\n", n, n, c->host ? "HOST" : "WORK");
        if (n > 0) fprintf(f, "  node_%d -> node_%d;\n", n - 1, n);
    }
    fprintf(f, "}\n");
    fclose(f);
    return TB_OK;
}
