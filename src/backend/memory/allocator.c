/* allocator.c - allocators: where arrays get their memory, which of them is current, and the public functions about
 * pools, allocators and hooks.
 *
 * Without an allocator a buffer's memory comes from the default pool: `tb__allocators` is 0 and nothing here runs. A
 * buffer remembers the allocator that was current when it was made, also where its memory is taken later.
 *
 * A caller's function (an allocator, a hook) runs with the core lock held, in the middle of an operation. `tb__foreign`
 * tells everybody: nothing is computed meanwhile, and references that are dropped are dropped later (tb__defer). */
#include "backend/memory/memory.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/lock.h"
#include "graph/eval.h"

typedef enum kind { POOL, DEVICE, MANAGED, SYSTEM, ASYNC, FUNCTION } kind;

struct tb_allocator {
    int refs;
    kind kind;
    tb_pool *pool;               /* POOL */
    uintptr_t driver_pool[TB_DEVICE_MAX]; /* ASYNC: CUmemoryPool of a device; 0: its current one */
    tb_allocate_function fn;     /* FUNCTION */
    void *arg;
    void (*drop)(void *);
};

int tb__allocators, tb__hooks, tb__foreign;

static tb_allocator *common;                 /* of all threads without one of their own */
static _Thread_local tb_allocator *own;
static _Thread_local bool has_own;
static _Thread_local tb_memory_hook hook;
static _Thread_local void *hook_arg;

/* ---- lifetime ------------------------------------------------------------------------------------------------- */

static tb_status allocator_new(kind k, tb_allocator **out)
{
    tb_allocator *a = calloc(1, sizeof *a);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    a->refs = 1;
    a->kind = k;
    *out = a;
    return TB_OK;
}

tb_status tb_allocator_direct(tb_memory_kind k, int n, const uintptr_t *driver_pools, tb_allocator **out)
{
    static const kind kinds[] = {DEVICE, MANAGED, SYSTEM, ASYNC};
    if ((unsigned)k >= sizeof kinds / sizeof *kinds)
        return tb__fail(TB_ERR_VALUE, "tb_allocator_direct: there is no kind %d of memory", (int)k);
    if (n < 0 || n > TB_DEVICE_MAX)
        return tb__fail(TB_ERR_VALUE, "tb_allocator_direct: there are no %d devices with pools", n);
    TB_TRY(tb_init());
    TB_TRY(allocator_new(kinds[k], out));
    for (int i = 0; i < n; i++) (*out)->driver_pool[i] = driver_pools[i];
    return TB_OK;
}

tb_status tb_allocator_pool(tb_allocator *source, tb_allocator **out)
{
    tb_allocator *a = NULL;
    TB_TRY(tb_init());
    TB_TRY(allocator_new(POOL, &a));
    tb__lock();
    tb_status status = tb__pool_new(source, &a->pool);
    tb__unlock();
    if (status != TB_OK) free(a);
    else *out = a;
    return status;
}

tb_status tb_allocator_from(tb_allocate_function fn, void *arg, void (*drop)(void *), tb_allocator **out)
{
    tb_allocator *a = NULL;
    TB_TRY(tb_init());
    TB_TRY(allocator_new(FUNCTION, &a));
    a->fn = fn;
    a->arg = arg;
    a->drop = drop;
    *out = a;
    return TB_OK;
}

tb_allocator *tb_allocator_retain(tb_allocator *a)
{
    tb__lock();
    a->refs++;
    tb__unlock();
    return a;
}

void tb__allocator_release(tb_allocator *a)
{
    if (--a->refs > 0) return;
    if (a->pool) tb__pool_end(a->pool);
    if (a->drop) tb__defer(a->drop, a->arg);
    free(a);
}

void tb_allocator_release(tb_allocator *a)
{
    if (!a) return;
    tb__lock();
    tb__allocator_release(a);
    tb__unlock();
}

/* ---- which is current ----------------------------------------------------------------------------------------- */

tb_allocator *tb__allocator_current(void) { return has_own ? own : common; }

static void exchange(tb_allocator **place, tb_allocator *a)
{
    tb_allocator *before = *place;
    if (a) a->refs++;
    *place = a;
    if (before) tb__allocator_release(before);
}

void tb_allocator_set(tb_allocator *a)
{
    tb__lock();
    tb__allocators += (a != NULL) - (common != NULL);
    exchange(&common, a);
    tb__unlock();
}

void tb_allocator_use(bool on, tb_allocator *a)
{
    tb__lock();
    tb__allocators += on - has_own;
    exchange(&own, on ? a : NULL);
    has_own = on;
    tb__unlock();
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

tb_status tb__may_compute(void)
{
    if (!tb__foreign) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "an allocator or a memory hook must not compute with arrays while it is called");
}

/* in[0] of what allocates is the size. */
static tb_status runtime(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    enum { OUT_OF_MEMORY = 2 }; /* CUDA's number */
    if (!tb__backend->runtime)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "the %s backend has only its plain device memory", tb__backend->name);
    tb_status status = tb__backend->runtime(op, in, out);
    if (status != TB_ERR_DEVICE || tb_error_driver_code() != OUT_OF_MEMORY) return status;
    return tb__fail_memory((size_t)in[0], 0, 0, 0);
}

static tb_status take_direct(const tb_allocator *a, tb_stream *s, size_t bytes, void **ptr)
{
    int64_t stream = (int64_t)(intptr_t)s->handle, size = (int64_t)bytes, pool, out = 0;
    switch (a->kind) {
    case DEVICE: return tb__backend->mem_alloc(s->device, bytes, ptr);
    case MANAGED: TB_TRY(runtime(TB_RT_mallocManaged, (const int64_t[]){size, 1}, &out)); break;
    case ASYNC:
        pool = (int64_t)a->driver_pool[s->device];
        if (pool) TB_TRY(runtime(TB_RT_mallocFromPoolAsync, (const int64_t[]){size, pool, stream}, &out));
        else TB_TRY(runtime(TB_RT_mallocAsync, (const int64_t[]){size, stream}, &out));
        break;
    default: /* SYSTEM */
        out = (int64_t)(intptr_t)aligned_alloc(512, (bytes + 511) & ~(size_t)511);
        if (!out) return tb__fail_memory(bytes, 0, 0, 0);
    }
    *ptr = (void *)(intptr_t)out;
    return TB_OK;
}

/* On the stream's device, which need not be the current one. With an error the pools' caches make way, once. */
static tb_status take_on_device(const tb_allocator *a, tb_stream *s, size_t bytes, void **ptr)
{
    int before = tb__device_current();
    if (before != s->device) TB_TRY(tb_device_use(s->device));
    tb_status status = take_direct(a, s, bytes, ptr);
    if (status == TB_ERR_MEMORY) {
        tb__pool_free_all(s->device);
        status = tb__backend->device_synchronize(s->device);
        if (status == TB_OK) status = take_direct(a, s, bytes, ptr);
    }
    if (before != s->device) tb_device_use(before);
    return status;
}

/* The function's buffer is the token. */
static tb_status take_from_function(const tb_allocator *a, size_t bytes, void **ptr, void **token)
{
    tb_buffer *b = NULL;
    tb__foreign++;
    tb_status status = a->fn(a->arg, bytes, &b);
    tb__foreign--;
    TB_TRY(status);
    if (b->expr || b->size < bytes || (!b->ptr && bytes > 0)) {
        size_t size = b->size;
        tb__buffer_release(b);
        return tb__fail(TB_ERR_VALUE, "the allocator was asked for %zu bytes and returned a buffer of %zu", bytes,
                        size);
    }
    *ptr = b->ptr;
    *token = b;
    return TB_OK;
}

tb_status tb__allocator_take(tb_allocator *a, tb_stream *s, size_t bytes, void **ptr, void **token)
{
    *token = NULL;
    if (a->kind == POOL) return tb__pool_take(a->pool, s, bytes, ptr);
    if (a->kind == FUNCTION) return take_from_function(a, bytes, ptr, token);
    return take_on_device(a, s, bytes, ptr);
}

/* The driver waits until nothing uses what mem_free takes; for the other kinds it is up to us. s is NULL where memory
 * may have been used on several streams. */
static void give_direct(const tb_allocator *a, int device, tb_stream *s, void *ptr)
{
    bool async = a->kind == ASYNC;
    int before = tb__device_current();
    if (a->kind == SYSTEM || (async && !s)) tb__backend->device_synchronize(device);
    if (a->kind == SYSTEM) {
        free(ptr);
        return;
    }
    if (!async) {
        tb__backend->mem_free(device, ptr);
        return;
    }
    int64_t in[2] = {(int64_t)(intptr_t)ptr, s ? (int64_t)(intptr_t)s->handle : 0};
    if (before != device && tb_device_use(device) != TB_OK) return;
    runtime(TB_RT_freeAsync, in, NULL);
    if (before != device) tb_device_use(before);
}

void tb__allocator_give(tb_allocator *a, int device, tb_stream *s, void *ptr, void *token)
{
    if (a->kind == POOL) tb__pool_free(device, NULL, ptr);
    else if (a->kind == FUNCTION) tb__buffer_release(token);
    else give_direct(a, device, s, ptr);
}

/* A caller's function is called, and fails, where the array is made. */
bool tb__allocator_may_wait(const tb_allocator *a, int device, size_t bytes)
{
    if (a && a->kind == FUNCTION) return false;
    if (bytes < TB_LARGE) return true;
    return (a && a->kind != POOL) || tb__pool_has_room(a ? a->pool : NULL, device, bytes);
}

/* ---- pools ---------------------------------------------------------------------------------------------------- */

static tb_status pool_of(const char *who, tb_allocator *a, int device, tb_pool **out)
{
    TB_TRY(tb__device_ready(who, device));
    if (a && a->kind != POOL) return tb__fail(TB_ERR_VALUE, "%s: the allocator is not a pool", who);
    *out = a ? a->pool : NULL;
    return TB_OK;
}

tb_status tb_pool_statistics(tb_allocator *a, int device, tb_pool_stats *out)
{
    tb_pool *pool = NULL;
    tb__lock();
    tb_status status = pool_of("tb_pool_statistics", a, device, &pool);
    if (status == TB_OK && !tb__foreign) status = tb__flush_device(device);
    if (status == TB_OK) tb__pool_statistics(pool, device, out);
    tb__unlock();
    return status;
}

tb_status tb_pool_free_all(tb_allocator *a, int device, tb_stream *s)
{
    tb_pool *pool = NULL;
    tb__lock();
    tb_status status = pool_of("tb_pool_free_all", a, device, &pool);
    if (status == TB_OK) tb__pool_trim(pool, device, s);
    tb__unlock();
    return status;
}

tb_status tb_pool_set_limit(tb_allocator *a, int device, size_t bytes)
{
    tb_pool *pool = NULL;
    tb__lock();
    tb_status status = pool_of("tb_pool_set_limit", a, device, &pool);
    if (status == TB_OK) tb__pool_set_limit(pool, device, bytes);
    tb__unlock();
    return status;
}

/* ---- hooks ---------------------------------------------------------------------------------------------------- */

void tb_memory_hook_set(tb_memory_hook fn, void *arg)
{
    tb__lock();
    tb__hooks += (fn != NULL) - (hook != NULL);
    hook = fn;
    hook_arg = arg;
    tb__unlock();
}

tb_status tb__memory_event(tb_memory_event_kind what, bool after, int device, size_t size, size_t mem_size, void *ptr,
                           uintptr_t id)
{
    tb_memory_event e = {.kind = what, .after = after, .device = device, .size = size, .mem_size = mem_size, .ptr = ptr,
                         .id = id};
    if (!hook) return TB_OK;
    tb__foreign++;
    tb_status status = hook(hook_arg, &e);
    tb__foreign--;
    return status;
}
