/* pool_arena.c - the pool's arenas, one for every stream. An arena whose stream is gone has an event, after which its
 * memory is free for any other stream. */
#include <stdlib.h>

#include "backend/memory/pool.h"
#include "base/error.h"

void tb__pool_free_unused(tb_pool_part *p, const tb_stream *s)
{
    for (tb_pool_arena *a = p->arenas; a; a = a->next) {
        if (s && a->handle != s->handle) continue;
        tb__pool_consolidate(a);
        for (tb_pool_chunk *c = a->chunks; c;) {
            tb_pool_chunk *next = c->next;
            if (c->used == 0 && c->held == 0) tb__pool_chunk_free(a, c);
            c = next;
        }
    }
}

static tb_pool_arena *find_arena(tb_pool_part *p, const void *handle)
{
    tb_pool_arena **link = &p->arenas;
    while (*link && (*link)->handle != handle) link = &(*link)->next;
    tb_pool_arena *a = *link;
    if (a && a != p->arenas) {
        *link = a->next;
        a->next = p->arenas;
        p->arenas = a;
    }
    return a;
}

tb_pool_arena *tb__pool_arena_first(tb_pool_part *p, int device, void *handle)
{
    tb_pool_arena *a = find_arena(p, handle);
    if (a) return a;
    a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->handle = handle;
    a->device = device;
    a->pool = p;
    a->next = p->arenas;
    return p->arenas = a;
}

static void drop_event(tb_pool_arena *a)
{
    if (!a->end) return;
    tb__backend->event_free(a->end);
    free(a->end);
    a->end = NULL;
}

void tb__pool_arena_drop(tb_pool_part *p)
{
    tb_pool_arena *a = p->arenas;
    p->arenas = a->next;
    drop_event(a);
    free(a);
}

void tb__pool_arena_end(tb_pool_part *p, tb_stream *s)
{
    tb_pool_arena *a = find_arena(p, s->handle);
    if (!a || a->end) return;
    if (!a->chunks) {
        tb__pool_arena_drop(p);
        return;
    }
    tb_event *e = calloc(1, sizeof *e);
    if (e) e->device = s->device;
    if (!e || tb__backend->event_new(e, TB_EVENT_NO_TIMING) != TB_OK) {
        free(e);
        tb__backend->stream_synchronize(s);
        return;
    }
    tb__backend->event_record(e, s);
    a->end = e;
}

tb_status tb__pool_arena_begin(tb_pool_part *p, tb_stream *s)
{
    tb_pool_arena *a = find_arena(p, s->handle);
    if (!a || !a->end) return TB_OK;
    TB_TRY(tb__backend->stream_wait(s, a->end));
    drop_event(a);
    return TB_OK;
}

/* All chunks of `from`, whose stream is gone, become a's. */
static void take_over(tb_pool_arena *a, tb_pool_arena *from)
{
    tb__pool_consolidate(from);
    while (from->chunks) {
        tb_pool_chunk *c = from->chunks;
        from->chunks = c->next;
        for (tb_pool_block *b = c->last; b; b = b->left) {
            if (!b->free) continue;
            tb__pool_bin_take(from, b);
            tb__pool_bin_put(a, b);
        }
        c->arena = a;
        c->prev = NULL;
        c->next = a->chunks;
        if (c->next) c->next->prev = c;
        a->chunks = c;
        if (c->small && c->carved < c->size) a->slabs[a->next_slab++ % POOL_SLAB_TRIES] = c;
    }
}

/* Whether s may use memory that was free at `end`: it waits for that. A stream that is being captured must not wait for
 * anything outside, so that it takes what is over already. */
static bool comes_after(tb_stream *s, tb_event *end)
{
    bool done = false;
    if (!s->capture) return tb__backend->stream_wait(s, end) == TB_OK;
    return tb__backend->event_query(end, &done) == TB_OK && done;
}

bool tb__pool_inherit(tb_pool_arena *a, tb_stream *s)
{
    bool any = false;
    for (tb_pool_arena **link = &a->pool->arenas; *link;) {
        tb_pool_arena *from = *link;
        if (from == a || !from->end || !comes_after(s, from->end)) {
            link = &from->next;
            continue;
        }
        any |= from->chunks != NULL;
        take_over(a, from);
        *link = from->next;
        drop_event(from);
        free(from);
    }
    return any;
}
