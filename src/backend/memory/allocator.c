/* allocator.c - allocators: where arrays get their memory, and which of them is current; hooks.
 *
 * Without an allocator a buffer's memory comes from the default pool: `tb__allocators` is 0 and nothing here runs. A
 * buffer remembers the allocator that was current when it was made, also where its memory is taken later.
 *
 * A caller's function (an allocator, a hook) runs with the core lock held, in the middle of an operation. `tb__foreign`
 * tells everybody: nothing is computed meanwhile, and references that are dropped are dropped later (tb__defer). */
#include "backend/memory/memory.h"

#include <stdlib.h>

#include "backend/capture.h"
#include "backend/handles.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"

int tb__allocators, tb__hooks;

static tb_allocator *common; /* of all threads without one of their own */
static _Thread_local tb_allocator *own;
static _Thread_local bool has_own;
static _Thread_local tb_memory_hook hook;
static _Thread_local void *hook_arg;

/* ---- lifetime ------------------------------------------------------------------------------------------------- */

tb_status tb__allocator_new(tb_allocator_kind kind, tb_allocator **out)
{
    tb_allocator *a = calloc(1, sizeof *a);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    a->refs = 1;
    a->kind = kind;
    tb__object_made(TB_OBJECT_ALLOCATOR, a);
    *out = a;
    return TB_OK;
}

tb_allocator *tb_allocator_retain(tb_allocator *a)
{
    if (!a) return NULL;
    tb__lock();
    if (a->refs++ <= 0) tb__released_again("tb_allocator_retain", TB_OBJECT_ALLOCATOR, a);
    tb__unlock();
    return a;
}

void tb__allocator_release(tb_allocator *a)
{
    if (--a->refs > 0) return;
    if (a->refs < 0) {
        tb__released_again("tb_allocator_release", TB_OBJECT_ALLOCATOR, a);
        return;
    }
    if (a->pool) tb__pool_end(a->pool);
    if (a->drop) tb__defer(a->drop, a->arg);
    tb__object_end(TB_OBJECT_ALLOCATOR, a, sizeof *a, NULL);
}

bool tb__allocator_is_pool(const tb_allocator *a) { return !a || a->kind == TB_ALLOCATOR_POOL; }

void tb_allocator_release(tb_allocator *a)
{
    if (!a) return;
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
    (void)TB_IS_NONE(a);
    tb__lock();
    tb__allocators += (a != NULL) - (common != NULL);
    exchange(&common, a);
    tb__unlock();
}

void tb_allocator_use(bool on, tb_allocator *a)
{
    (void)TB_IS_NONE(a);
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
    return tb__fail(TB_ERR_VALUE, "an allocator, a memory hook or a signal handler must not compute with arrays while"
                                  " it is called");
}

/* in[0] of what allocates is the size. */
static tb_status cudart(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    enum { OUT_OF_MEMORY = 2 }; /* CUDA's number */
    if (!tb__backend->cudart)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "the %s backend has only its plain device memory", tb__backend->name);
    tb_status status = tb__backend->cudart(op, in, out);
    if (status != TB_ERR_DEVICE || tb_error_driver_code() != OUT_OF_MEMORY) return status;
    return tb__fail_memory((size_t)in[0], 0, 0, 0);
}

static tb_status take_direct(const tb_allocator *a, tb_stream *s, size_t bytes, void **ptr)
{
    int64_t stream = (int64_t)(intptr_t)s->handle, size = (int64_t)bytes, pool, out = 0;
    switch (a->kind) {
    case TB_ALLOCATOR_DEVICE: return tb__backend->mem_alloc(s->device, bytes, ptr);
    case TB_ALLOCATOR_MANAGED: TB_TRY(cudart(TB_RT_mallocManaged, (const int64_t[]){size, 1}, &out)); break;
    case TB_ALLOCATOR_ASYNC:
        pool = (int64_t)a->driver_pool[s->device];
        if (pool) TB_TRY(cudart(TB_RT_mallocFromPoolAsync, (const int64_t[]){size, pool, stream}, &out));
        else TB_TRY(cudart(TB_RT_mallocAsync, (const int64_t[]){size, stream}, &out));
        break;
    default: /* SYSTEM */
        out = (int64_t)(intptr_t)aligned_alloc(512, (bytes + 511) & ~(size_t)511);
        if (!out) return tb__fail_memory(bytes, 0, 0, 0);
    }
    *ptr = (void *)(intptr_t)out;
    return TB_OK;
}

/* The driver waits until nothing uses what mem_free takes; for the other kinds it is up to us. s is NULL where memory
 * may have been used on several streams. */
static void give_direct(const tb_allocator *a, int device, tb_stream *s, void *ptr)
{
    bool async = a->kind == TB_ALLOCATOR_ASYNC;
    int before = tb__device_current();
    tb__handle_end(TB_HANDLE_MEMORY, (int64_t)(intptr_t)ptr);
    if (a->kind == TB_ALLOCATOR_SYSTEM || (async && !s)) tb__backend->device_synchronize(device);
    if (a->kind == TB_ALLOCATOR_SYSTEM) {
        free(ptr);
        return;
    }
    if (!async) {
        tb__backend->mem_free(device, ptr);
        return;
    }
    int64_t in[2] = {(int64_t)(intptr_t)ptr, s ? (int64_t)(intptr_t)s->handle : 0};
    tb__current_device = device;
    cudart(TB_RT_freeAsync, in, NULL);
    tb__current_device = before;
}

/* On the stream's device, which need not be the current one. With an error the pools' caches make way, once. */
static tb_status take_on_device(const tb_allocator *a, tb_stream *s, size_t bytes, void **ptr)
{
    int before = tb__device_current();
    tb__current_device = s->device;
    tb_status status = take_direct(a, s, bytes, ptr);
    if (status == TB_ERR_MEMORY) {
        tb__pool_free_all(s->device);
        status = tb__capturing(s->device) ? TB_OK : tb__backend->device_synchronize(s->device);
        if (status == TB_OK) status = take_direct(a, s, bytes, ptr);
    }
    tb__current_device = before;
    if (status != TB_OK || !*ptr) return status;
    status = tb__handle_set(TB_HANDLE_MEMORY, (int64_t)(intptr_t)*ptr, TB_HANDLE_OWNED);
    if (status != TB_OK) give_direct(a, s->device, s, *ptr);
    return status;
}

tb_status tb__allocator_take(tb_allocator *a, tb_stream *s, size_t bytes, void **ptr, void **token)
{
    *token = NULL;
    if (a->kind == TB_ALLOCATOR_POOL) return tb__pool_take(a->pool, s, bytes, ptr);
    if (a->kind == TB_ALLOCATOR_FUNCTION) return a->take(a, bytes, ptr, token);
    return take_on_device(a, s, bytes, ptr);
}

void tb__allocator_give(tb_allocator *a, int device, tb_stream *s, void *ptr, void *token)
{
    if (a->kind == TB_ALLOCATOR_POOL) tb__pool_free(device, NULL, ptr);
    else if (a->kind == TB_ALLOCATOR_FUNCTION) a->give(token);
    else give_direct(a, device, s, ptr);
}

/* A caller's function is called, and fails, where the array is made. */
bool tb__allocator_may_wait(const tb_allocator *a, int device, size_t bytes)
{
    if (a && a->kind == TB_ALLOCATOR_FUNCTION) return false;
    if (bytes < TB_LARGE) return true;
    return (a && a->kind != TB_ALLOCATOR_POOL) || tb__pool_has_room(a ? a->pool : NULL, device, bytes);
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
    tb_memory_event e = {
        .kind = what, .after = after, .device = device, .size = size, .mem_size = mem_size, .ptr = ptr, .id = id};
    static _Thread_local bool telling;
    if (!hook || telling) return TB_OK;
    telling = true;
    tb__foreign++;
    tb_status status = hook(hook_arg, &e);
    tb__foreign--;
    telling = false;
    return status;
}
