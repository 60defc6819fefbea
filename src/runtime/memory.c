/* memory.c - what users see of memory: allocators are made, pools asked and told. Which allocator is current is kept
 * below, in backend/memory. */
#include "backend/memory/memory.h"

#include <stdlib.h>

#include "backend/retry.h"
#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/eval.h"

/* ---- allocators ----------------------------------------------------------------------------------------------- */

tb_status tb_allocator_direct(tb_memory_kind k, int n, const uintptr_t *driver_pools, tb_allocator **out)
{
    TB_NOT_NULL(out);
    TB_IS_CHOICE(k, TB_MEMORY_ASYNC + 1);
    static const tb_allocator_kind kinds[] = {TB_ALLOCATOR_DEVICE, TB_ALLOCATOR_MANAGED, TB_ALLOCATOR_SYSTEM,
                                              TB_ALLOCATOR_ASYNC};
    if (n < 0 || n > TB_DEVICE_MAX)
        return tb__fail(TB_ERR_VALUE, "tb_allocator_direct: there are no %d devices with pools", n);
    if (n > 0) TB_NOT_NULL(driver_pools);
    TB_TRY(tb_init());
    TB_TRY(tb__allocator_new(kinds[k], out));
    for (int i = 0; i < n; i++) (*out)->driver_pool[i] = driver_pools[i];
    return TB_OK;
}

tb_status tb_allocator_pool(tb_allocator *source, tb_allocator **out)
{
    TB_NOT_NULL(out);
    TB_NOT_RELEASED(source);
    tb_allocator *a = NULL;
    TB_TRY(tb_init());
    TB_TRY(tb__allocator_new(TB_ALLOCATOR_POOL, &a));
    tb__lock();
    tb_status status = tb__pool_new(source, &a->pool);
    tb__unlock();
    if (status != TB_OK) free(a);
    else *out = a;
    return status;
}

/* The function's buffer is the token. */
static tb_status take_from_function(tb_allocator *a, size_t bytes, void **ptr, void **token)
{
    tb_buffer *b = NULL;
    if (a->asked) return tb__fail(TB_ERR_VALUE, "the allocator asked itself for %zu bytes while it was called", bytes);
    a->asked = true;
    tb__foreign++;
    tb_status status = a->fn(a->arg, bytes, &b);
    tb__foreign--;
    a->asked = false;
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

static void give_to_function(void *token) { tb__buffer_release(token); }

tb_status tb_allocator_from(tb_allocate_function fn, void *arg, void (*drop)(void *), tb_allocator **out)
{
    TB_NOT_NULL(fn, out);
    tb_allocator *a = NULL;
    TB_TRY(tb_init());
    TB_TRY(tb__allocator_new(TB_ALLOCATOR_FUNCTION, &a));
    a->fn = fn;
    a->arg = arg;
    a->drop = drop;
    a->take = take_from_function;
    a->give = give_to_function;
    *out = a;
    return TB_OK;
}

/* ---- pools ---------------------------------------------------------------------------------------------------- */

static tb_status pool_of(const char *who, tb_allocator *a, int device, tb_pool **out)
{
    TB_TRY(tb__device_ready(who, device));
    if (a && a->kind != TB_ALLOCATOR_POOL) return tb__fail(TB_ERR_VALUE, "%s: the allocator is not a pool", who);
    *out = a ? a->pool : NULL;
    return TB_OK;
}

static tb_status pool_statistics(tb_allocator *a, int device, tb_pool_stats *out)
{
    tb_pool *pool = NULL;
    TB_TRY(pool_of("tb_pool_statistics", a, device, &pool));
    if (!tb__foreign) TB_TRY(tb__flush_device(device));
    tb__pool_statistics(pool, device, out);
    return TB_OK;
}

tb_status tb_pool_statistics(tb_allocator *a, int device, tb_pool_stats *out, size_t size)
{
    TB_NOT_RELEASED(a);
    tb_pool_stats all;
    TB_NOT_NULL(out);
    const tb_status status = TB__OPERATION(pool_statistics(a, device, &all));
    if (status == TB_OK) tb__fill_struct(out, size, &all, sizeof all);
    return status;
}

tb_status tb_pool_free_all(tb_allocator *a, int device, tb_stream *s)
{
    TB_NOT_RELEASED(a);
    TB_NOT_RELEASED(s);
    tb_pool *pool = NULL;
    tb__lock();
    tb_status status = pool_of("tb_pool_free_all", a, device, &pool);
    if (status == TB_OK) tb__pool_trim(pool, device, s);
    tb__unlock();
    return status;
}

tb_status tb_pool_set_limit(tb_allocator *a, int device, size_t bytes)
{
    TB_NOT_RELEASED(a);
    tb_pool *pool = NULL;
    tb__lock();
    tb_status status = pool_of("tb_pool_set_limit", a, device, &pool);
    if (status == TB_OK) tb__pool_set_limit(pool, device, bytes);
    tb__unlock();
    return status;
}
