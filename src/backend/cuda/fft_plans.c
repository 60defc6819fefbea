/* fft_plans.c - cuFFT's plans, which take milliseconds to make: the calling thread keeps those it used last.
 *
 * A thread has a table for each device, in the order of use, bounded by the number of plans and by the bytes of work
 * area that they ask for. Plans own no work area; who runs one lends it memory of the pool. A thread's plans end with
 * it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/fft.h"
#include "backend/memory/memory.h"
#include "base/error.h"

typedef struct entry {
    tb_cufft_layout layout;
    tb_cufft_plan plan;
} entry;

/* The most recently used one first. */
typedef struct table {
    tb_fft_cache figures;
    bool ready;
    int64_t room;
    entry *entries;
} table;

typedef struct tables {
    table of[TB_DEVICE_MAX];
} tables;

static pthread_key_t key;
static bool has_key;

tb_status tb__cufft_check(cufftResult result, const char *call)
{
    static const char *const names[] = {
        [CUFFT_INVALID_PLAN] = "CUFFT_INVALID_PLAN",     [CUFFT_ALLOC_FAILED] = "CUFFT_ALLOC_FAILED",
        [CUFFT_INVALID_TYPE] = "CUFFT_INVALID_TYPE",     [CUFFT_INVALID_VALUE] = "CUFFT_INVALID_VALUE",
        [CUFFT_INTERNAL_ERROR] = "CUFFT_INTERNAL_ERROR", [CUFFT_EXEC_FAILED] = "CUFFT_EXEC_FAILED",
        [CUFFT_SETUP_FAILED] = "CUFFT_SETUP_FAILED",     [CUFFT_INVALID_SIZE] = "CUFFT_INVALID_SIZE",
        [CUFFT_NOT_SUPPORTED] = "CUFFT_NOT_SUPPORTED"};
    if (result == CUFFT_SUCCESS) return TB_OK;
    const bool known = result > 0 && (size_t)result < sizeof names / sizeof *names && names[result];
    return tb__fail_device(result, call, known ? names[result] : "a cuFFT error");
}

static void end_plan(const tb_cufft_plan *plan)
{
    tb__cufft.cufftDestroy(plan->handle);
    if (!plan->slot) return;
    tb__pool_free(plan->slot->device, plan->slot->stream, plan->slot->memory);
    free(plan->slot);
}

static void drop_from(table *t, int64_t first)
{
    for (int64_t i = first; i < t->figures.plans; i++) {
        t->figures.bytes -= (int64_t)t->entries[i].plan.work_size;
        end_plan(&t->entries[i].plan);
    }
    if (t->figures.plans > first) t->figures.plans = first;
}

/* A thread is over. */
static void end_tables(void *p)
{
    tables *all = p;
    tb__lock();
    for (int d = 0; d < TB_DEVICE_MAX; d++) {
        table *t = &all->of[d];
        if (t->figures.plans > 0 && !tb__cuda_forked() && tb__cuda_enter(d) == TB_OK) drop_from(t, 0);
        free(t->entries);
    }
    tb__unlock();
    free(all);
}

static tb_status table_of(int device, table **out)
{
    if (!has_key) has_key = pthread_key_create(&key, end_tables) == 0;
    tables *all = has_key ? pthread_getspecific(key) : NULL;
    if (!all) {
        all = calloc(1, sizeof *all);
        if (!all || !has_key || pthread_setspecific(key, all) != 0) {
            free(all);
            return tb__fail_memory(sizeof *all, 0, 0, 0);
        }
    }
    table *t = &all->of[device];
    if (!t->ready) {
        t->figures = (tb_fft_cache){.most_plans = TB_FFT_PLANS, .most_bytes = -1};
        t->ready = true;
    }
    *out = t;
    return TB_OK;
}

static void obey_limits(table *t)
{
    tb_fft_cache *f = &t->figures;
    if (f->most_plans >= 0 && f->plans > f->most_plans) drop_from(t, f->most_plans);
    while (f->most_bytes >= 0 && f->plans > 0 && f->bytes > f->most_bytes) drop_from(t, f->plans - 1);
}

static void put_first(table *t, int64_t from, entry e)
{
    memmove(t->entries + 1, t->entries, (size_t)from * sizeof *t->entries);
    t->entries[0] = e;
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

/* Before the plan is filled, when cuFFT links it. */
static cufftResult add_callback(cufftHandle handle, tb_cufft_link *link)
{
    const tb_cufft_table *f = &tb__cufft;
    return (f->cufftSetCallback12 ? f->cufftSetCallback12 : f->cufftSetCallback)(handle, link->symbol, link->code,
                                                                                 link->size, link->type, link->info);
}

static cufftResult fill(cufftHandle handle, const tb_cufft_layout *l, size_t *work_size)
{
    long long int n[TB_CUFFT_AXES], in[TB_CUFFT_AXES], out[TB_CUFFT_AXES];
    for (int i = 0; i < TB_CUFFT_AXES; i++) {
        n[i] = l->n[i];
        in[i] = l->in_embed[i];
        out[i] = l->out_embed[i];
    }
    const cufftResult result = tb__cufft.cufftSetAutoAllocation(handle, 0);
    if (result != CUFFT_SUCCESS) return result;
    return tb__cufft.cufftMakePlanMany64(handle, (int)l->rank, n, in, l->in_stride, l->in_dist, out, l->out_stride,
                                         l->out_dist, (cufftType)l->type, l->batch, work_size);
}

static cufftResult try_to_make(const tb_cufft_layout *l, tb_cufft_link *link, tb_cufft_plan *out)
{
    tb_cufft_plan plan = {0};
    cufftResult result = tb__cufft.cufftCreate(&plan.handle);
    if (result != CUFFT_SUCCESS) return result;
    if (link) result = add_callback(plan.handle, link);
    if (result == CUFFT_SUCCESS) result = fill(plan.handle, l, &plan.work_size);
    if (result == CUFFT_SUCCESS) *out = plan;
    else tb__cufft.cufftDestroy(plan.handle);
    return result;
}

/* cuFFT's own tables need memory, which the pool may have all of. */
tb_status tb__cufft_plan_make(int device, const tb_cufft_layout *l, tb_cufft_link *link, tb_cufft_plan *out)
{
    cufftResult result = try_to_make(l, link, out);
    if (result == CUFFT_ALLOC_FAILED || result == CUFFT_INTERNAL_ERROR || result == CUFFT_SETUP_FAILED) {
        tb__pool_free_all(device);
        result = try_to_make(l, link, out);
    }
    if (!link || result == CUFFT_SUCCESS || result == CUFFT_ALLOC_FAILED)
        return tb__cufft_check(result, "cufftMakePlanMany64");
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "fft: cuFFT makes no such plan with a callback (error %d)", result);
}

static bool reserve(table *t)
{
    if (t->figures.plans < t->room) return true;
    const int64_t room = t->room ? 2 * t->room : TB_FFT_PLANS;
    entry *entries = realloc(t->entries, (size_t)room * sizeof *entries);
    if (!entries) return false;
    t->entries = entries;
    t->room = room;
    return true;
}

static bool fits(const tb_fft_cache *f, const tb_cufft_plan *plan)
{
    return f->most_plans != 0 && (f->most_bytes < 0 || plan->work_size <= (uint64_t)f->most_bytes);
}

tb_status tb__cufft_plan_find(int device, const tb_cufft_layout *layout, bool *found, tb_cufft_plan *out)
{
    table *t = NULL;
    TB_TRY(table_of(device, &t));
    *found = false;
    for (int64_t i = 0; i < t->figures.plans && !*found; i++) {
        const entry e = t->entries[i];
        if (memcmp(&e.layout, layout, sizeof *layout) != 0) continue;
        t->figures.hits++;
        put_first(t, i, e);
        *out = e.plan;
        *found = true;
    }
    return TB_OK;
}

tb_status tb__cufft_plan_fits(int device, size_t work_size, bool *out)
{
    table *t = NULL;
    TB_TRY(table_of(device, &t));
    *out = fits(&t->figures, &(tb_cufft_plan){.work_size = work_size});
    return TB_OK;
}

tb_status tb__cufft_plan_keep(int device, const tb_cufft_layout *layout, tb_cufft_plan *plan)
{
    table *t = NULL;
    TB_TRY(table_of(device, &t));
    tb_fft_cache *f = &t->figures;
    f->misses++;
    plan->kept = fits(f, plan) && reserve(t);
    if (!plan->kept) return TB_OK;
    put_first(t, f->plans++, (entry){*layout, *plan});
    f->bytes += (int64_t)plan->work_size;
    obey_limits(t);
    return TB_OK;
}

tb_status tb__cufft_plan(int device, const tb_cufft_layout *layout, tb_cufft_plan *out)
{
    bool found = false;
    TB_TRY(tb__cufft_plan_find(device, layout, &found, out));
    if (found) return TB_OK;
    TB_TRY(tb__cufft_plan_make(device, layout, NULL, out));
    return tb__cufft_plan_keep(device, layout, out);
}

void tb__cufft_plan_done(const tb_cufft_plan *plan)
{
    if (!plan->kept) end_plan(plan);
}

tb_status tb__cuda_fft_cache(int device, tb_fft_cache_op op, tb_fft_cache *c)
{
    table *t = NULL;
    TB_TRY(table_of(device, &t));
    tb_fft_cache *f = &t->figures;
    if (op != TB_FFT_CACHE_READ && f->plans > 0) TB_TRY(tb__cuda_enter(device));
    if (op == TB_FFT_CACHE_CLEAR) {
        drop_from(t, 0);
        f->hits = f->misses = 0;
    } else if (op == TB_FFT_CACHE_LIMIT) {
        f->most_plans = c->most_plans;
        f->most_bytes = c->most_bytes;
        obey_limits(t);
    }
    *c = *f;
    return TB_OK;
}
