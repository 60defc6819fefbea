/* launch.c - running a plan: its kernel is found or made, given scratch memory, and enqueued.
 *
 * The graph counts one launch for every plan; what a plan takes beyond that is added here. */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "backend/retry.h"
#include "base/error.h"

enum { MIN_COUNTERS = 16 << 10 };

/* Counters live outside the pool: they last as long as the stream, and are no array's memory. */
static tb_status reserve_counters(tb_stream *s, tb_gpu_queue *q, size_t n)
{
    void *memory;
    if (n <= q->ncounter) return TB_OK;
    if (n < MIN_COUNTERS) n = MIN_COUNTERS;
    TB_TRY(tb__gpu_alloc(s->device, n * sizeof(uint32_t), &memory));
    tb_status status = tb__gpu->set(s, memory, 0, 1, n * sizeof(uint32_t));
    if (status != TB_OK) {
        tb__gpu_free(s->device, memory);
        return status;
    }
    if (s->capture && q->counters) {
        tb_gpu_outgrown *old = malloc(sizeof *old);
        if (old) *old = (tb_gpu_outgrown){q->counters, q->outgrown};
        if (old) q->outgrown = old; /* else it leaks, which is better than being used twice */
    } else {
        tb__gpu_free(s->device, q->counters);
    }
    q->counters = memory;
    q->ncounter = n;
    return TB_OK;
}

tb_status tb__gpu_counters(tb_stream *s, size_t n, void **counters)
{
    tb_gpu_queue *q;
    TB_TRY(tb__gpu->enter(s->device));
    TB_TRY(tb__gpu_queue(s, &q));
    TB_TRY(reserve_counters(s, q, n));
    *counters = q->counters;
    return TB_OK;
}

/* The workspace goes back at once: the stream's next user of it runs after this kernel. */
static tb_status launch(tb_stream *s, const tb_kernel *k, tb_variant *v)
{
    void *workspace = NULL;
    if (v->counters) {
        tb_gpu_queue *q;
        TB_TRY(tb__gpu_queue(s, &q));
        TB_TRY(reserve_counters(s, q, v->counters));
        memcpy(v->params + v->counters_at, &q->counters, sizeof q->counters);
    }
    if (v->workspace) {
        TB_TRY(tb__pool_alloc(s, v->workspace, &workspace));
        memcpy(v->params + v->workspace_at, &workspace, sizeof workspace);
    }
    tb_status status = v->clear ? tb__gpu->set(s, workspace, 0, 1, v->workspace) : TB_OK;
    const tb_launch_mode mode = v->together ? TB_LAUNCH_TOGETHER : k->early ? TB_LAUNCH_EARLY : TB_LAUNCH_PLAIN;
    if (status == TB_OK) status = tb__gpu->enqueue(s, k->function, mode, v->grid, v->block, v->params);
    if (workspace) tb__pool_free(s->device, s->handle, workspace);
    tb__count.launches++;
    return status;
}

/* ---- step by step ------------------------------------------------------------------------------------------------ */

static tb_status run_step(tb_stream *s, const tb_plan *p)
{
    tb_variant v;
    tb_kernel *k;
    TB_TRY(tb__codegen_variant(p, &tb__gpu_devices[s->device].chip, &v));
    TB_TRY(tb__kernel_get(s->device, &v, &k));
    TB_TRY(tb__tier_force(k, p));
    return launch(s, k, &v);
}

/* The graph has counted the plan as one fused kernel, and it is none. */
static void uncount_fused(const tb_plan *p)
{
    if (p->ninstr <= 1 && p->kind == TB_PLAN_MAP) return;
    tb__count.fused_kernels--;
    tb__count.fused_nodes -= (uint64_t)p->ninstr;
}

static tb_status launch_step(tb_stream *s, tb_ready *r, int i)
{
    tb_launch *l = &r->launch[i];
    tb_plan step;
    if (l->function) {
        tb__count.launches++;
        return tb__gpu->enqueue(s, l->function, (tb_launch_mode)l->early, l->grid, l->block, l->params);
    }
    tb__steps_plan(&r->steps, i, r->slots, &step);
    return run_step(s, &step);
}

static tb_status run_steps(tb_stream *s, tb_ready *r)
{
    tb_status status = TB_OK;
    for (int i = 0; i < r->steps.n && status == TB_OK; i++) status = launch_step(s, r, i);
    tb__ready_free(s, r);
    if (status == TB_OK) uncount_fused(r->steps.plan);
    return status;
}

/* ---- the entry ------------------------------------------------------------------------------------------------ */

/* o: p's outline, or NULL. */
static tb_status run_variant(tb_stream *s, const tb_plan *p, const tb_outline *o)
{
    tb_variant v;
    tb_kernel *k;
    TB_TRY(tb__codegen_variant(p, &tb__gpu_devices[s->device].chip, &v));
    TB_TRY(tb__kernel_get(s->device, &v, &k));
    if (tb__kernel_state(k) == TB_KERNEL_READY) {
        if (o) tb__recent_add(s->device, o, k, &v);
        return launch(s, k, &v);
    }

    tb_ready steps;
    tb_tier_choice choice;
    TB_TRY(tb__tier_choose(s, k, p, &steps, &choice));
    if (choice == TB_TIER_WAIT) return TB__AGAIN;
    return choice == TB_TIER_WHOLE ? launch(s, k, &v) : run_steps(s, &steps);
}

/* p, whose outline is o or NULL, is none of the recent launches. */
static tb_status run_anew(tb_stream *s, const tb_plan *p, const tb_outline *o)
{
    tb_ready steps;
    tb__count.launches--; /* the graph's; the real ones are counted as they are made */
    if (tb__tier_meet(s, p, &steps) == TB_TIER_STEPS) return run_steps(s, &steps);
    return run_variant(s, p, o);
}

tb_status tb__gpu_run(tb_stream *s, const tb_plan *p)
{
    tb_outline outline;
    tb_launch l;
    bool done;
    TB_TRY(tb__gpu->enter(s->device));
    TB_TRY(tb__gpu_fill(s, p, &done));
    if (done) return TB_OK;
    const bool outlined = tb__codegen_outline(p, &outline);
    if (outlined && tb__recent_find(s->device, &outline, p, &l))
        return tb__gpu->enqueue(s, l.function, (tb_launch_mode)l.early, l.grid, l.block, l.params);
    return run_anew(s, p, outlined ? &outline : NULL);
}

tb_status tb__gpu_run_besides(tb_stream *s, const tb_plan *p)
{
    for (;;) {
        const uint64_t before = tb__count.launches++;
        const tb_status status = tb__gpu_run(s, p);
        if (status != TB_OK) tb__count.launches = before;
        if (status != TB__AGAIN || tb__may_retry) return status;
        tb__tier_wait();
    }
}

static void routine_plan(const tb_routine *r, tb_plan *out)
{
    tb__plan_start(out, 0, NULL);
    out->kind = TB_PLAN_ROUTINE;
    out->size = 1;
    out->routine = r;
}

void tb__gpu_routine_ahead(tb_stream *s, const tb_routine_source *source)
{
    const tb_routine r = {.source = *source, .grid = 1, .block = 32};
    tb_plan p;
    tb_variant v;
    tb_kernel *k;
    routine_plan(&r, &p);
    if (tb__codegen_variant(&p, &tb__gpu_devices[s->device].chip, &v) != TB_OK) return;
    if (tb__kernel_get(s->device, &v, &k) != TB_OK || tb__kernel_state(k) != TB_KERNEL_MISSING) return;
    if (tb__tier_advance(k, &p, TB_ON_DISK) == TB_OK && tb__kernel_state(k) == TB_KERNEL_MISSING)
        tb__compilers_submit(k, &p, (uint64_t)TB_WORTH_WAITING);
}

tb_status tb__gpu_run_routine(tb_stream *s, const tb_routine_source *source, const void *params, size_t nparam,
                              int64_t blocks, int threads)
{
    tb_plan p;
    tb_routine r = {.source = *source, .grid = (uint32_t)blocks, .block = (uint32_t)threads, .nparam = nparam};
    if (blocks > INT32_MAX || nparam > sizeof r.params)
        return tb__fail(TB_ERR_INTERNAL, "%lld blocks, %zu bytes of parameters", (long long)blocks, nparam);
    memcpy(r.params, params, nparam);
    routine_plan(&r, &p);
    return tb__gpu_run_besides(s, &p);
}
