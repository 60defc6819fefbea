/* launch.c - running a plan: its kernels are found or made, given scratch memory, and enqueued.
 *
 * The graph counts one launch for every plan; what a plan takes beyond that is added here. */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/kernel.h"
#include "base/error.h"

enum { MIN_COUNTERS = 16 << 10 };

/* Counters live outside the pool: they last as long as the stream, and are no array's memory. */
static tb_status reserve_counters(tb_stream *s, tb_cuda_queue *q, size_t n)
{
    void *memory;
    if (n <= q->ncounter) return TB_OK;
    if (n < MIN_COUNTERS) n = MIN_COUNTERS;
    TB_TRY(tb__cuda_alloc(s->device, n * sizeof(uint32_t), &memory));
    tb_status status = tb__cuda_check(
        tb__cu.cuMemsetD8Async(tb__cuda_ptr(memory), 0, n * sizeof(uint32_t), s->handle), "cuMemsetD8Async");
    if (status != TB_OK) {
        tb__cuda_free(s->device, memory);
        return status;
    }
    if (s->capture && q->counters) {
        tb_cuda_outgrown *old = malloc(sizeof *old);
        if (old) *old = (tb_cuda_outgrown){q->counters, q->outgrown};
        if (old) q->outgrown = old; /* else it leaks, which is better than being used twice */
    } else {
        tb__cuda_free(s->device, q->counters);
    }
    q->counters = memory;
    q->ncounter = n;
    return TB_OK;
}

tb_status tb__cuda_counters(tb_stream *s, size_t n, void **counters)
{
    tb_cuda_queue *q;
    TB_TRY(tb__cuda_enter(s->device));
    TB_TRY(tb__cuda_queue(s, &q));
    TB_TRY(reserve_counters(s, q, n));
    *counters = q->counters;
    return TB_OK;
}

static tb_status launch_one(tb_stream *s, CUfunction function, const tb_launch *l, void *params)
{
    void *args[1] = {params};
    CUresult result = CUDA_SUCCESS;
    for (int attempt = 0; attempt < 2; attempt++) {
        result = tb__cu.cuLaunchKernel(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                                       l->block[2], l->shared, s->handle, args, NULL);
        if (result != CUDA_ERROR_OUT_OF_MEMORY) break;
        tb__pool_free_all(s->device); /* the driver loads code at the first launch */
    }
    tb__cuda_note(s, l->entry);
    return tb__cuda_check(result, "cuLaunchKernel");
}

/* The workspace goes back at once: the stream's next user of it runs after these kernels. */
static tb_status launch(tb_stream *s, const tb_kernel *k, tb_variant *v)
{
    void *workspace = NULL;
    tb_status status = TB_OK;
    if (v->counters) {
        tb_cuda_queue *q;
        TB_TRY(tb__cuda_queue(s, &q));
        TB_TRY(reserve_counters(s, q, v->counters));
        memcpy(v->params + v->counters_at, &q->counters, sizeof q->counters);
    }
    if (v->workspace) {
        TB_TRY(tb__pool_alloc(s, v->workspace, &workspace));
        memcpy(v->params + v->workspace_at, &workspace, sizeof workspace);
    }
    for (int i = 0; i < v->nlaunch && status == TB_OK; i++)
        status = launch_one(s, k->function[i], &v->launch[i], v->params);
    if (workspace) tb__pool_free(s->device, s->handle, workspace);
    tb__count.launches += (uint64_t)v->nlaunch;
    return status;
}

/* ---- in pieces ------------------------------------------------------------------------------------------------ */

static tb_status run_piece(tb_stream *s, const tb_plan *p)
{
    tb_variant v;
    tb_kernel *k;
    TB_TRY(tb__codegen_variant(p, &tb__cuda_devices[s->device].chip, &v));
    TB_TRY(tb__kernel_get(s->device, &v, &k));
    TB_TRY(tb__tier_force(k, p, &v));
    return launch(s, k, &v);
}

/* The graph has counted the plan as one fused kernel, and it is none. */
static void uncount_fused(const tb_plan *p)
{
    if (p->ninstr <= 1 && p->kind == TB_PLAN_MAP) return;
    tb__count.fused_kernels--;
    tb__count.fused_nodes -= (uint64_t)p->ninstr;
}

/* All temporaries are there before the first piece runs: so nothing has been done when memory runs out. */
static tb_status run_pieces(tb_stream *s, const tb_pieces *pieces, bool *out_of_memory)
{
    tb_plan piece;
    void *slots[TB_PLAN_MAXINSTR];
    tb_status status = TB_OK;
    int n = 0;
    while (n < pieces->nslot && status == TB_OK) {
        status = tb__pool_alloc(s, pieces->slot_size[n], &slots[n]);
        n += status == TB_OK;
    }
    *out_of_memory = status == TB_ERR_MEMORY;
    for (int i = 0; i < pieces->n && status == TB_OK; i++) {
        tb__pieces_plan(pieces, i, slots, &piece);
        status = run_piece(s, &piece);
    }
    while (n > 0) tb__pool_free(s->device, s->handle, slots[--n]);
    if (status == TB_OK) uncount_fused(pieces->plan);
    return status;
}

/* ---- the entry ------------------------------------------------------------------------------------------------ */

tb_status tb__cuda_run(tb_stream *s, const tb_plan *p)
{
    tb_variant v;
    tb_kernel *k;
    TB_TRY(tb__cuda_enter(s->device));
    TB_TRY(tb__codegen_variant(p, &tb__cuda_devices[s->device].chip, &v));
    TB_TRY(tb__kernel_get(s->device, &v, &k));
    tb__count.launches--; /* the graph's; the real ones are counted as they are made */
    if (tb__kernel_state(k) == TB_KERNEL_READY) return launch(s, k, &v);

    tb_pieces pieces;
    tb_tier_choice choice;
    TB_TRY(tb__tier_choose(k, p, &v, &pieces, &choice));
    if (choice == TB_TIER_WHOLE) return launch(s, k, &v);
    bool out_of_memory = false;
    tb_status status = run_pieces(s, &pieces, &out_of_memory);
    if (!out_of_memory) return status;
    TB_TRY(tb__tier_force(k, p, &v));
    return launch(s, k, &v);
}
