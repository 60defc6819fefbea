/* command.c - work that is kept for later: with a copy of everything that describes it, but not of the memory that it
 * reads and writes. A command of a graph runs many times, so running one changes nothing in it. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/queues/queue.h"
#include "backend/cpu/user/user.h"
#include "base/error.h"
#include "base/lock.h"

static void *command(size_t size, tb_status (*run)(tb_command *), void (*drop)(tb_command *))
{
    tb_command *c = calloc(1, size);
    if (!c) return NULL;
    c->run = run;
    c->drop = drop;
    return c;
}

void tb__command_free(tb_command *c)
{
    if (c->drop) c->drop(c);
    free(c);
}

/* ---- plans, products ------------------------------------------------------------------------------------------ */

typedef struct run_command {
    tb_command base;
    tb_plan plan;
} run_command;

static tb_status run_plan(tb_command *c) { return tb__cpu_run(NULL, &((run_command *)c)->plan); }

tb_command *tb__command_run(const tb_plan *p)
{
    run_command *c = command(sizeof *c, run_plan, NULL);
    if (!c) return NULL;
    c->plan = *p;
    return &c->base;
}

typedef struct gemm_command {
    tb_command base;
    tb_gemm gemm;
} gemm_command;

static tb_status run_gemm(tb_command *c) { return tb__cpu_gemm(NULL, &((gemm_command *)c)->gemm); }

tb_command *tb__command_gemm(const tb_gemm *g)
{
    gemm_command *c = command(sizeof *c, run_gemm, NULL);
    if (!c) return NULL;
    c->gemm = *g;
    return &c->base;
}

/* ---- copies ---------------------------------------------------------------------------------------------------- */

typedef struct copy_command {
    tb_command base;
    void *dst;
    const void *src;
    size_t n;
    int value;
    char kept[];
} copy_command;

static tb_status run_copy(tb_command *base)
{
    copy_command *c = (copy_command *)base;
    memmove(c->dst, c->src, c->n);
    return TB_OK;
}

static tb_status run_fill(tb_command *base)
{
    copy_command *c = (copy_command *)base;
    memset(c->dst, c->value, c->n);
    return TB_OK;
}

tb_command *tb__command_copy(void *dst, const void *src, size_t n, bool keep)
{
    copy_command *c = command(sizeof *c + (keep ? n : 0), run_copy, NULL);
    if (!c) return NULL;
    c->dst = dst;
    c->src = src;
    c->n = n;
    if (keep) c->src = memcpy(c->kept, src, n);
    return &c->base;
}

typedef struct rows_command {
    tb_command base;
    tb_row_copy copy;
} rows_command;

static tb_status run_rows(tb_command *base)
{
    const tb_row_copy *c = &((rows_command *)base)->copy;
    bool whole = c->width == c->dst_pitch && c->width == c->src_pitch;
    for (size_t k = 0; k < c->layers; k++) {
        char *to = c->dst + k * c->dst_layer;
        const char *from = c->src + k * c->src_layer;
        size_t rows = whole ? 1 : c->rows, n = whole ? c->rows * c->width : c->width;
        for (size_t i = 0; i < rows; i++) memmove(to + i * c->dst_pitch, from + i * c->src_pitch, n);
    }
    return TB_OK;
}

tb_command *tb__command_copy_rows(const tb_row_copy *copy)
{
    rows_command *c = command(sizeof *c, run_rows, NULL);
    if (!c) return NULL;
    c->copy = *copy;
    return &c->base;
}

tb_command *tb__command_fill(void *dst, int value, size_t n)
{
    copy_command *c = command(sizeof *c, run_fill, NULL);
    if (!c) return NULL;
    c->dst = dst;
    c->n = n;
    c->value = value;
    return &c->base;
}

/* ---- functions of the host ------------------------------------------------------------------------------------- */

typedef struct call_command {
    tb_command base;
    void (*fn)(void *);
    void *arg;
} call_command;

static tb_status run_call(tb_command *base)
{
    call_command *c = (call_command *)base;
    c->fn(c->arg);
    return TB_OK;
}

tb_command *tb__command_call(void (*fn)(void *), void *arg)
{
    call_command *c = command(sizeof *c, run_call, NULL);
    if (!c) return NULL;
    c->base.host = true;
    c->fn = fn;
    c->arg = arg;
    return &c->base;
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

typedef struct order_command {
    tb_command base;
    uint64_t ticket;
    tb_cpu_event *event;
    uint32_t number; /* in the page of an event that processes share */
} order_command;

static tb_status run_wait(tb_command *base)
{
    const order_command *c = (order_command *)base;
    return tb__cpu_wait(base->behind, c->ticket); /* an error there is reported there */
}

tb_command *tb__command_wait(tb_cpu_queue *q, uint64_t ticket)
{
    order_command *c = command(sizeof *c, run_wait, NULL);
    if (!c) return NULL;
    c->base.behind = q;
    c->ticket = ticket;
    return &c->base;
}

static tb_status run_record(tb_command *base)
{
    const order_command *c = (order_command *)base;
    tb__cpu_stamp(c->event);
    if (c->event->page) tb__event_page_reach(c->event->page, c->number);
    return TB_OK;
}

static tb_status run_wait_page(tb_command *base)
{
    const order_command *c = (order_command *)base;
    return tb__event_page_wait(c->event->page, c->number);
}

static void drop_event(tb_command *base) { tb__cpu_event_drop(((order_command *)base)->event); }

static tb_command *command_of_event(tb_status (*run)(tb_command *), tb_cpu_event *e, uint32_t number)
{
    order_command *c = command(sizeof *c, run, drop_event);
    if (!c) return NULL;
    c->event = e;
    c->number = number;
    __atomic_fetch_add(&e->refs, 1, __ATOMIC_RELAXED);
    return &c->base;
}

tb_command *tb__command_record(tb_cpu_event *e, uint32_t number) { return command_of_event(run_record, e, number); }

/* It waits for another process, as long as that takes. */
tb_command *tb__command_wait_page(tb_cpu_event *e)
{
    tb_command *c = command_of_event(run_wait_page, e, tb__event_page_given(e->page));
    if (c) c->host = true;
    return c;
}

/* ---- graphs ----------------------------------------------------------------------------------------------------- */

typedef struct graph_command {
    tb_command base;
    tb_graph *graph;
} graph_command;

static tb_status run_graph(tb_command *base)
{
    tb_graph *g = ((graph_command *)base)->graph;
    for (tb_command *c = ((tb_command_list *)g->handle)->head; c; c = c->next) TB_TRY(c->run(c));
    return TB_OK;
}

static void drop_graph(tb_command *base)
{
    tb_graph *g = ((graph_command *)base)->graph;
    g->release(g);
}

tb_command *tb__command_graph(tb_graph *g)
{
    graph_command *c = command(sizeof *c, run_graph, drop_graph);
    if (!c) return NULL;
    g->refs++;
    c->graph = g;
    for (tb_command *k = ((tb_command_list *)g->handle)->head; k; k = k->next) c->base.host |= k->host;
    return &c->base;
}

/* ---- user kernels ----------------------------------------------------------------------------------------------- */

typedef struct launch_command {
    tb_command base;
    tb_function *function;
    tb_launch_shape shape;
    void **values; /* behind it, the values themselves */
} launch_command;

static tb_status run_launch(tb_command *base)
{
    launch_command *c = (launch_command *)base;
    tb_stream s = {.refs = 1, .device = c->function->module->device};
    const tb_function *f = c->function;
    return tb__cpu_function_launch(&s, &f->info, f->name, &c->shape, c->values);
}

static void drop_launch(tb_command *base)
{
    launch_command *c = (launch_command *)base;
    free(c->values);
    c->function->release(c->function);
}

tb_command *tb__command_launch(tb_function *f, const tb_launch_shape *shape, void **values)
{
    enum { ALIGNMENT = 16 };
    size_t n = (size_t)(f->info.nparam > 0 ? f->info.nparam : 0), at = (n * sizeof(void *) + 15) / 16 * 16, size = at;
    for (size_t i = 0; i < n; i++) size += (f->info.size[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    launch_command *c = command(sizeof *c, run_launch, drop_launch);
    char *room = c ? malloc(size ? size : 1) : NULL;
    if (!room) {
        free(c);
        return NULL;
    }
    f->refs++;
    c->function = f;
    c->shape = *shape;
    c->values = (void **)room;
    for (size_t i = 0; i < n; i++) {
        c->values[i] = memcpy(room + at, values[i], f->info.size[i]);
        at += (f->info.size[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return &c->base;
}
