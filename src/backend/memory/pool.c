/* pool.c - memory for buffers: pools, in each a part for every device, in that an arena for every stream; the same
 * algorithm for every backend. There is one default pool; users may make more.
 *
 * Sizes are rounded up to 512 bytes. A request takes the best fitting free block of its stream's arena and splits it;
 * a freed block joins its free neighbours. Work on a stream runs in order, so memory freed on it may be handed out on
 * it again at once. What a stream leaves behind when it goes is taken over by the next arena that needs memory, once it
 * waits for the old stream's end.
 *
 * Requests up to 1 MiB are carved from slabs, larger ones get a chunk of their own from the backend, and the two share
 * one only when memory has run out: otherwise small arrays would break up the chunks that large arrays need again. The
 * untouched end of a slab counts neither as free nor as held: the figures are those of a pool without slabs.
 *
 * A small block that is given back is kept in a list of its size, where the next request for that size finds it; such
 * blocks count as used until they are consolidated: when a request finds no room, or somebody asks for figures. */
#include <stdlib.h>
#include <string.h>

#include "backend/capture.h"
#include "backend/memory/pool.h"
#include "base/environment.h"
#include "base/error.h"

/* Blocks up to this size wait in lists to be handed out again; with TOMBAC_DEBUG none do. */
static size_t quick = POOL_EXACT * POOL_UNIT;

__attribute__((constructor)) static void read_mode(void)
{
    if (tb__environment(TB_ENV_DEBUG, 0) == 1) quick = 0;
}

tb_pool tb__pool_default;

static size_t round_up(size_t bytes)
{
    if (bytes == 0) return POOL_UNIT;
    return (bytes + POOL_UNIT - 1) & ~(size_t)(POOL_UNIT - 1);
}

/* ---- taking -------------------------------------------------------------------------------------------------- */

static tb_pool_block *reuse(tb_pool_arena *a, size_t size)
{
    bool small = size <= POOL_SMALL;
    const tb_pool_bins *set = small ? &a->small : &a->large;
    tb_pool_block *b = tb__pool_best_fit(set, size);
    if (!b && a->quick_sizes) {
        tb__pool_consolidate(a);
        b = tb__pool_best_fit(set, size);
    }
    if (b) {
        tb__pool_cut(a, b, size);
        return b;
    }
    return small ? tb__pool_carve(a, size) : NULL;
}

/* Everything cached goes back to the device, and a request that still fails may break up a chunk of the other kind. */
static tb_status recover(tb_pool_arena *a, tb_stream *s, size_t size, tb_pool_block **out)
{
    tb__pool_free_all(a->device);
    if (!tb__capturing(a->device)) TB_TRY(tb__backend->device_synchronize(a->device));
    tb_status status = tb__pool_grow(a, s, size, out);
    if (status != TB_ERR_MEMORY) return status;
    tb_pool_block *b = tb__pool_best_fit(size <= POOL_SMALL ? &a->large : &a->small, size);
    if (!b) return TB_ERR_MEMORY;
    tb__pool_cut(a, b, size);
    *out = b;
    return TB_OK;
}

static tb_status find_block(tb_pool_arena *a, tb_stream *s, size_t bytes, tb_pool_block **out)
{
    tb_pool_part *p = a->pool;
    size_t size = round_up(bytes);
    tb_pool_block *b = reuse(a, size);
    if (!b && tb__pool_inherit(a, s)) b = reuse(a, size);
    if (!b) {
        tb_status status = tb__pool_grow(a, s, size, &b);
        if (status == TB_ERR_MEMORY) status = recover(a, s, size, &b);
        if (status == TB_ERR_MEMORY) return tb__fail_memory(bytes, p->used, p->total, p->limit);
        if (status != TB_OK) return status;
    }
    *out = b;
    return TB_OK;
}

/* The block is in use from here on. */
static void hand_out(tb_pool_part *p, tb_pool_block *b)
{
    b->free = false;
    b->chunk->used++;
    p->used += b->size;
    tb__pool_used_put(b);
}

/* take, with the thread's hook told. What is told as allocated is what the pool's total grows by. */
static tb_status take_hooked(tb_pool_part *p, tb_pool_arena *a, tb_stream *s, size_t bytes, void **ptr)
{
    tb_pool_block *b = NULL;
    size_t size = round_up(bytes);
    tb__pool_consolidate(a);
    TB_TRY(tb__memory_event(TB_MEMORY_MALLOC, false, a->device, bytes, size, NULL, 0));
    bool cached = tb__pool_best_fit(size <= POOL_SMALL ? &a->small : &a->large, size) != NULL;
    if (!cached) TB_TRY(tb__memory_event(TB_MEMORY_ALLOC, false, a->device, bytes, size, NULL, 0));
    TB_TRY(find_block(a, s, bytes, &b));
    hand_out(p, b);
    char *address = b->ptr;
    uintptr_t id = (uintptr_t)address;
    tb_status status = TB_OK;
    if (!cached) status = tb__memory_event(TB_MEMORY_ALLOC, true, a->device, bytes, b->size, address, id);
    if (status == TB_OK) status = tb__memory_event(TB_MEMORY_MALLOC, true, a->device, bytes, b->size, address, id);
    if (status != TB_OK) tb__pool_free(a->device, s->handle, address);
    else *ptr = address;
    return status;
}

/* A block of the size that was given back lately. */
static inline bool take_quickly(tb_pool_arena *a, const tb_stream *s, size_t bytes, void **ptr)
{
    size_t i = (bytes - 1) / POOL_UNIT;
    if (!a || a->handle != s->handle || i >= POOL_EXACT || tb__hooks) return false;
    tb_pool_block *b = a->quick[i];
    if (!b) return false;
    a->quick[i] = b->next;
    *ptr = b->ptr;
    return true;
}

static __attribute__((noinline)) tb_status take(tb_pool_part *p, tb_stream *s, size_t bytes, void **ptr)
{
    tb_pool_block *b = NULL;
    TB_TRY(tb__pool_ready(p, s->device));
    tb_pool_arena *a = tb__pool_arena_get(p, s->device, s->handle);
    if (!a || !tb__pool_used_reserve() || bytes > SIZE_MAX - POOL_UNIT)
        return tb__fail_memory(bytes, p->used, p->total, p->limit);
    if (__builtin_expect(tb__hooks != 0, 0)) return take_hooked(p, a, s, bytes, ptr);
    if (take_quickly(a, s, bytes, ptr)) return TB_OK; /* it was not the first arena */
    TB_TRY(find_block(a, s, bytes, &b));
    hand_out(p, b);
    *ptr = b->ptr;
    return TB_OK;
}

tb_status tb__pool_take(tb_pool *from, tb_stream *s, size_t bytes, void **ptr)
{
    tb_pool_part *p = tb__pool_part(from, s->device);
    return take_quickly(p->arenas, s, bytes, ptr) ? TB_OK : take(p, s, bytes, ptr);
}

tb_status tb__pool_alloc(tb_stream *s, size_t bytes, void **ptr)
{
    tb_pool_part *p = &tb__pool_default.of[s->device];
    return take_quickly(p->arenas, s, bytes, ptr) ? TB_OK : take(p, s, bytes, ptr);
}

/* ---- giving back ---------------------------------------------------------------------------------------------- */

/* Whoever still reads it sees it. Not where work is outstanding that may read it by right, nor a GPU's memory. */
static void spoil(char *ptr, size_t size)
{
    if (tb__backend->on_host && tb__backend_plain()) memset(ptr, TB_PATTERN, size);
}

/* Nobody is there to hear of a hook that fails: it has to tell for itself. */
static __attribute__((noinline)) void give(int device, size_t slot)
{
    tb_pool_block *b = tb__pool_used.slot[slot];
    char *ptr = b->ptr;
    if (tb__graph_count > 0 && tb__graph_keeps(device, ptr, b->size)) return;
    size_t size = b->size;
    uintptr_t id = (uintptr_t)ptr;
    if (tb__debug) spoil(ptr, size);
    tb__pool_used_remove(slot);
    if (tb__hooks) tb__memory_event(TB_MEMORY_FREE, false, device, size, size, ptr, id);
    tb__pool_put_back(b);
    if (tb__hooks) tb__memory_event(TB_MEMORY_FREE, true, device, size, size, ptr, id);
}

bool tb__pool_free(int device, void *stream_handle, void *ptr)
{
    (void)stream_handle; /* the block knows its arena */
    if (!ptr || !tb__pool_used.n) return false;
    size_t slot = tb__pool_used_find(ptr);
    tb_pool_block *b = tb__pool_used.slot[slot];
    if (!b) return false;
    if (__builtin_expect(b->size > quick || tb__graph_count > 0 || tb__hooks, 0)) {
        give(device, slot);
        return true;
    }
    tb_pool_arena *a = b->chunk->arena;
    size_t i = b->size / POOL_UNIT - 1;
    b->next = a->quick[i];
    a->quick[i] = b;
    a->quick_sizes |= 1ull << i;
    return true;
}

bool tb__pool_has(const void *ptr)
{
    return ptr && tb__pool_used.n && tb__pool_used.slot[tb__pool_used_find(ptr)] != NULL;
}

void *tb__pool_hold(const void *ptr)
{
    if (!tb__pool_has(ptr)) return NULL;
    tb_pool_chunk *c = tb__pool_used.slot[tb__pool_used_find(ptr)]->chunk;
    c->held++;
    return c;
}

/* Hooks are told of whole blocks, and recorded graphs keep them. */
bool tb__pool_shorten(const void *ptr, size_t bytes)
{
    if (tb__hooks || tb__graph_count > 0 || !tb__pool_has(ptr)) return false;
    tb__pool_cut_used(tb__pool_used.slot[tb__pool_used_find(ptr)], round_up(bytes));
    return true;
}

void tb__pool_let_go(void *hold) { ((tb_pool_chunk *)hold)->held--; }

/* ---- all pools ------------------------------------------------------------------------------------------------ */

void tb__pool_trim(tb_pool *from, int device, const tb_stream *s)
{
    tb__pool_free_unused(tb__pool_part(from, device), s);
}

void tb__pool_free_all(int device)
{
    for (tb_pool *p = &tb__pool_default; p; p = p->next) tb__pool_free_unused(&p->of[device], NULL);
}

void tb__pool_stream_end(tb_stream *s)
{
    for (tb_pool *p = &tb__pool_default; p; p = p->next) tb__pool_arena_end(&p->of[s->device], s);
}

tb_status tb__pool_stream_begin(tb_stream *s)
{
    for (tb_pool *p = &tb__pool_default; p; p = p->next) TB_TRY(tb__pool_arena_begin(&p->of[s->device], s));
    return TB_OK;
}

/* ---- pools of users ------------------------------------------------------------------------------------------- */

tb_status tb__pool_new(tb_allocator *source, tb_pool **out)
{
    tb_pool *p = calloc(1, sizeof *p);
    if (!p) return tb__fail_memory(sizeof *p, 0, 0, 0);
    for (int i = 0; i < TB_DEVICE_MAX; i++) p->of[i].source = source;
    if (source) tb_allocator_retain(source);
    p->next = tb__pool_default.next;
    tb__pool_default.next = p;
    *out = p;
    return TB_OK;
}

void tb__pool_end(tb_pool *pool)
{
    tb_pool **link = &tb__pool_default.next;
    while (*link != pool) link = &(*link)->next;
    *link = pool->next;
    for (int i = 0; i < TB_DEVICE_MAX; i++) {
        tb__pool_free_unused(&pool->of[i], NULL);
        while (pool->of[i].arenas) tb__pool_arena_drop(&pool->of[i]);
    }
    if (pool->of[0].source) tb__allocator_release(pool->of[0].source);
    free(pool);
}
