/* pool_chunk.c - the pool's chunks: memory from the device, or from the allocator that is the pool's source. Small
 * blocks are carved from slabs, larger ones have a chunk each. */
#include <stdlib.h>

#include "backend/handles.h"
#include "backend/memory/pool.h"

enum { SLAB = 4 << 20 };

/* A block from the untouched end of c. */
static tb_pool_block *carve(tb_pool_chunk *c, size_t size)
{
    tb_pool_block *b = tb__pool_block_new();
    if (!b) return NULL;
    *b = (tb_pool_block){.ptr = c->ptr + c->carved, .size = size, .left = c->last, .chunk = c};
    if (c->last) c->last->right = b;
    c->last = b;
    c->carved += size;
    c->arena->pool->total += size;
    return b;
}

static bool within_limit(const tb_pool_part *p, size_t held, size_t more)
{
    return p->limit == 0 || (more <= p->limit && held <= p->limit - more);
}

tb_pool_block *tb__pool_carve(tb_pool_arena *a, size_t size)
{
    if (!within_limit(a->pool, a->pool->total, size)) return NULL;
    for (unsigned i = 0; i < POOL_SLAB_TRIES; i++) {
        tb_pool_chunk *c = a->slabs[(a->next_slab - 1 - i) % POOL_SLAB_TRIES];
        if (c && c->size - c->carved >= size) return carve(c, size);
    }
    return NULL;
}

static tb_status new_chunk(tb_pool_arena *a, tb_stream *s, size_t size, bool small, tb_pool_chunk **out)
{
    tb_pool_part *p = a->pool;
    void *ptr = NULL, *token = NULL;
    tb_pool_chunk *c = calloc(1, sizeof *c);
    if (!c) return TB_ERR_MEMORY;
    tb_status status = p->source ? tb__allocator_take(p->source, s, size, &ptr, &token)
                                 : tb__backend->mem_alloc(a->device, size, &ptr);
    if (status == TB_OK && !p->source) {
        status = tb__handle_set(TB_HANDLE_MEMORY, (int64_t)(intptr_t)ptr, TB_HANDLE_OWNED);
        if (status != TB_OK) tb__backend->mem_free(a->device, ptr);
    }
    if (status != TB_OK) {
        free(c);
        return status;
    }
    *c = (tb_pool_chunk){.ptr = ptr, .size = size, .small = small, .token = token, .arena = a, .next = a->chunks};
    if (c->next) c->next->prev = c;
    a->chunks = c;
    p->held += size;
    *out = c;
    return TB_OK;
}

void tb__pool_chunk_free(tb_pool_arena *a, tb_pool_chunk *c)
{
    tb_pool_part *p = a->pool;
    for (tb_pool_block *b = c->last; b;) {
        tb_pool_block *left = b->left;
        tb__pool_bin_take(a, b);
        tb__pool_block_drop(b);
        b = left;
    }
    if (c->prev) c->prev->next = c->next;
    else a->chunks = c->next;
    if (c->next) c->next->prev = c->prev;
    for (int i = 0; i < POOL_SLAB_TRIES; i++)
        if (a->slabs[i] == c) a->slabs[i] = NULL;
    p->total -= c->carved;
    p->held -= c->size;
    if (p->source) {
        tb__allocator_give(p->source, a->device, NULL, c->ptr, c->token);
    } else {
        tb__handle_end(TB_HANDLE_MEMORY, (int64_t)(intptr_t)c->ptr);
        tb__backend->mem_free(a->device, c->ptr);
    }
    free(c);
}

tb_status tb__pool_grow(tb_pool_arena *a, tb_stream *s, size_t size, tb_pool_block **out)
{
    tb_pool_part *p = a->pool;
    bool small = size <= POOL_SMALL;
    tb_pool_chunk *c = NULL;
    tb_status status = TB_ERR_MEMORY;
    if (!within_limit(p, p->total, size)) return TB_ERR_MEMORY;
    if (small && !p->source && within_limit(p, p->held, SLAB)) { /* a source is asked for no more than is needed */
        status = new_chunk(a, s, SLAB, true, &c);
        if (status == TB_OK) a->slabs[a->next_slab++ % POOL_SLAB_TRIES] = c;
    }
    if (status == TB_ERR_MEMORY) status = new_chunk(a, s, size, small, &c);
    if (status != TB_OK) return status;
    *out = carve(c, size);
    return *out ? TB_OK : TB_ERR_MEMORY;
}
