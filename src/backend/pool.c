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
 * blocks count as used until they are settled: when a request finds no room, or somebody asks for figures.
 *
 * Invariants: the blocks of a chunk tile [0, carved); no two neighbours are free; a free block is in the bin of its
 * size; a used block is in `table` under its address. Everything is guarded by the core lock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/graph_capture.h"
#include "backend/memory.h"
#include "base/error.h"

enum {
    UNIT = 512,
    SMALL = 1 << 20,
    SLAB = 4 << 20,
    EXACT = 64,                     /* bins that hold one size each: up to 32 KiB */
    STEPS = 8,                      /* bins for each doubling above */
    BINS = EXACT + STEPS * 50,
    BIN_WORDS = (BINS + 63) / 64,
    QUICK = EXACT * UNIT,           /* blocks up to this size wait in lists to be handed out again */
    SLAB_TRIES = 16,                /* older slabs that are looked at for room */
    DESCRIPTORS = 128,              /* blocks' descriptors allocated at a time */
};

typedef struct block {
    char *ptr;
    size_t size;
    struct block *left, *right;     /* neighbours in the chunk */
    struct block *prev, *next;      /* free list */
    struct chunk *chunk;
    bool free;
} block;

typedef struct bins {
    uint64_t occupied[BIN_WORDS];
    block *head[BINS];
} bins;

typedef struct chunk {
    char *ptr;
    size_t size, carved;
    int used;                       /* blocks in use */
    bool small;
    void *token;                    /* of the pool's source */
    block *last;                    /* the block that ends at `carved` */
    struct arena *arena;
    struct chunk *prev, *next;
} chunk;

typedef struct arena {
    void *handle;
    int device;
    struct pool *pool;
    block *quick[EXACT];            /* given back lately, by size; still in `table` */
    uint64_t quick_sizes;           /* the lists that may have some */
    bins small, large;
    chunk *chunks;                  /* newest first */
    chunk *slabs[SLAB_TRIES];       /* the newest slabs with room, a ring */
    unsigned next_slab;
    tb_event *end;                  /* recorded when the stream went away */
    struct arena *next;
} arena;

typedef struct pool {
    arena *arenas;                  /* the one used last comes first */
    size_t used, total, held, limit;
    size_t n_free;
    size_t capacity;                /* the device's memory; 0: not asked yet */
    bool ready;                     /* the limit has been read from the environment */
    tb_allocator *source;           /* where chunks come from; NULL: the device */
} pool;

struct tb_pool {
    pool of[TB_DEVICE_MAX];
    tb_pool *next;
};

static tb_pool default_pool;
static tb_pool *pools = &default_pool;

static pool *part_of(tb_pool *p, int device) { return p ? &p->of[device] : &default_pool.of[device]; }

static size_t round_up(size_t bytes)
{
    if (bytes == 0) return UNIT;
    return (bytes + UNIT - 1) & ~(size_t)(UNIT - 1);
}

/* ---- descriptors, and the table of used blocks ------------------------------------------------------------------ */

static block *spare;

static block *new_block(void)
{
    if (!spare) {
        block *batch = malloc(DESCRIPTORS * sizeof *batch);
        if (!batch) return NULL;
        for (int i = 0; i < DESCRIPTORS; i++) {
            batch[i].next = spare;
            spare = &batch[i];
        }
    }
    block *b = spare;
    spare = b->next;
    return b;
}

static void drop_block(block *b)
{
    b->next = spare;
    spare = b;
}

/* Open addressing by address; the number of slots is a power of two, at most half of them taken. */
static block **table;
static size_t table_slots, table_taken;

static size_t slot_of(const char *ptr)
{
    uint64_t h = ((uint64_t)(uintptr_t)ptr / UNIT) * 0x9e3779b97f4a7c15ull;
    return (size_t)(h >> 32) & (table_slots - 1);
}

static void table_put(block *b)
{
    size_t i = slot_of(b->ptr);
    while (table[i]) i = (i + 1) & (table_slots - 1);
    table[i] = b;
    table_taken++;
}

/* Makes room for one more. */
static bool table_reserve(void)
{
    if (2 * (table_taken + 1) <= table_slots) return true;
    size_t old_slots = table_slots, slots = old_slots ? 2 * old_slots : 1024;
    block **old = table, **bigger = calloc(slots, sizeof *bigger);
    if (!bigger) return false;
    table = bigger;
    table_slots = slots;
    table_taken = 0;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i]) table_put(old[i]);
    free(old);
    return true;
}

/* The slot that has it, or that is empty. There is a table. */
static inline size_t table_find(const char *ptr)
{
    size_t mask = table_slots - 1, i = slot_of(ptr);
    while (table[i] && table[i]->ptr != ptr) i = (i + 1) & mask;
    return i;
}

static void table_remove(size_t i)
{
    size_t mask = table_slots - 1;
    table_taken--;
    /* Close the gap: whatever follows and may not be found past an empty slot moves up. */
    for (size_t gap = i, k = (i + 1) & mask; ; k = (k + 1) & mask) {
        if (!table[k]) {
            table[gap] = NULL;
            return;
        }
        size_t home = slot_of(table[k]->ptr);
        if (((k - home) & mask) < ((k - gap) & mask)) continue;
        table[gap] = table[k];
        gap = k;
    }
}

/* ---- bins ----------------------------------------------------------------------------------------------------- */

static int bin_of(size_t size)
{
    size_t units = size / UNIT;
    if (units <= EXACT) return (int)units - 1;
    int log = 63 - __builtin_clzll(units);
    return EXACT + STEPS * (log - 6) + (int)(units >> (log - 3) & (STEPS - 1));
}

static bins *bins_of(arena *a, const chunk *c) { return c->small ? &a->small : &a->large; }

static void bin_put(arena *a, block *b)
{
    bins *set = bins_of(a, b->chunk);
    int i = bin_of(b->size);
    b->free = true;
    b->prev = NULL;
    b->next = set->head[i];
    if (b->next) b->next->prev = b;
    set->head[i] = b;
    set->occupied[i / 64] |= 1ull << i % 64;
    a->pool->n_free++;
}

static void bin_take(arena *a, block *b)
{
    bins *set = bins_of(a, b->chunk);
    int i = bin_of(b->size);
    if (b->prev) b->prev->next = b->next;
    else set->head[i] = b->next;
    if (b->next) b->next->prev = b->prev;
    if (!set->head[i]) set->occupied[i / 64] &= ~(1ull << i % 64);
    b->free = false;
    a->pool->n_free--;
}

static int next_occupied(const bins *set, int from)
{
    for (int word = from / 64; word < BIN_WORDS; word++) {
        uint64_t bits = set->occupied[word];
        if (word == from / 64) bits &= ~0ull << from % 64;
        if (bits) return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

/* The smallest block that fits; of equals, the one freed last. */
static block *best_fit(const bins *set, size_t size)
{
    for (int i = next_occupied(set, bin_of(size)); i >= 0; i = i + 1 < BINS ? next_occupied(set, i + 1) : -1) {
        if (i < EXACT) return set->head[i];
        block *best = NULL;
        for (block *b = set->head[i]; b; b = b->next)
            if (b->size >= size && (!best || b->size < best->size)) best = b;
        if (best) return best;
    }
    return NULL;
}

/* ---- chunks --------------------------------------------------------------------------------------------------- */

/* Cuts b down to size; the rest becomes a free block. Without memory for its descriptor b stays whole. */
static void split(arena *a, block *b, size_t size)
{
    if (b->size == size) return;
    block *rest = new_block();
    if (!rest) return;
    *rest = (block){.ptr = b->ptr + size, .size = b->size - size, .left = b, .right = b->right, .chunk = b->chunk};
    if (b->right) b->right->left = rest;
    else b->chunk->last = rest;
    b->right = rest;
    b->size = size;
    bin_put(a, rest);
}

/* Joins b with its right neighbour, which is in no bin. */
static void absorb(block *b, block *right)
{
    b->size += right->size;
    b->right = right->right;
    if (right->right) right->right->left = b;
    else b->chunk->last = b;
    drop_block(right);
}

/* A block from the untouched end of c. */
static block *carve(chunk *c, size_t size)
{
    block *b = new_block();
    if (!b) return NULL;
    *b = (block){.ptr = c->ptr + c->carved, .size = size, .left = c->last, .chunk = c};
    if (c->last) c->last->right = b;
    c->last = b;
    c->carved += size;
    c->arena->pool->total += size;
    return b;
}

static bool within_limit(const pool *p, size_t held, size_t more)
{
    return p->limit == 0 || (more <= p->limit && held <= p->limit - more);
}

static block *carve_from_slabs(arena *a, size_t size)
{
    if (!within_limit(a->pool, a->pool->total, size)) return NULL;
    for (unsigned i = 0; i < SLAB_TRIES; i++) {
        chunk *c = a->slabs[(a->next_slab - 1 - i) % SLAB_TRIES];
        if (c && c->size - c->carved >= size) return carve(c, size);
    }
    return NULL;
}

static tb_status new_chunk(arena *a, tb_stream *s, size_t size, bool small, chunk **out)
{
    pool *p = a->pool;
    void *ptr = NULL, *token = NULL;
    chunk *c = calloc(1, sizeof *c);
    if (!c) return TB_ERR_MEMORY;
    tb_status status = p->source ? tb__allocator_take(p->source, s, size, &ptr, &token)
                                 : tb__backend->mem_alloc(a->device, size, &ptr);
    if (status != TB_OK) {
        free(c);
        return status;
    }
    *c = (chunk){.ptr = ptr, .size = size, .small = small, .token = token, .arena = a, .next = a->chunks};
    if (c->next) c->next->prev = c;
    a->chunks = c;
    p->held += size;
    *out = c;
    return TB_OK;
}

static void free_chunk(arena *a, chunk *c)
{
    pool *p = a->pool;
    for (block *b = c->last; b;) {
        block *left = b->left;
        bin_take(a, b);
        drop_block(b);
        b = left;
    }
    if (c->prev) c->prev->next = c->next;
    else a->chunks = c->next;
    if (c->next) c->next->prev = c->prev;
    for (int i = 0; i < SLAB_TRIES; i++)
        if (a->slabs[i] == c) a->slabs[i] = NULL;
    p->total -= c->carved;
    p->held -= c->size;
    if (p->source) tb__allocator_give(p->source, a->device, NULL, c->ptr, c->token);
    else tb__backend->mem_free(a->device, c->ptr);
    free(c);
}

/* A block of new memory. TB_ERR_MEMORY, without a message, when there is none to be had. */
static tb_status grow(arena *a, tb_stream *s, size_t size, block **out)
{
    pool *p = a->pool;
    bool small = size <= SMALL;
    chunk *c = NULL;
    tb_status status = TB_ERR_MEMORY;
    if (!within_limit(p, p->total, size)) return TB_ERR_MEMORY;
    if (small && !p->source && within_limit(p, p->held, SLAB)) { /* a source is asked for no more than is needed */
        status = new_chunk(a, s, SLAB, true, &c);
        if (status == TB_OK) a->slabs[a->next_slab++ % SLAB_TRIES] = c;
    }
    if (status == TB_ERR_MEMORY) status = new_chunk(a, s, size, small, &c);
    if (status != TB_OK) return status;
    *out = carve(c, size);
    return *out ? TB_OK : TB_ERR_MEMORY;
}

/* ---- giving back --------------------------------------------------------------------------------------------- */

static void put_back(block *b)
{
    chunk *c = b->chunk;
    arena *a = c->arena;
    c->used--;
    a->pool->used -= b->size;
    if (b->right && b->right->free) {
        bin_take(a, b->right);
        absorb(b, b->right);
    }
    if (b->left && b->left->free) {
        bin_take(a, b->left);
        b = b->left;
        absorb(b, b->right);
    }
    bin_put(a, b);
}

/* Blocks in the lists become free ones. */
static void settle(arena *a)
{
    for (uint64_t sizes = a->quick_sizes; sizes; sizes &= sizes - 1) {
        int i = __builtin_ctzll(sizes);
        block *b = a->quick[i];
        a->quick[i] = NULL;
        while (b) {
            block *next = b->next;
            table_remove(table_find(b->ptr));
            put_back(b);
            b = next;
        }
    }
    a->quick_sizes = 0;
}

static void settle_all(pool *p)
{
    for (arena *a = p->arenas; a; a = a->next) settle(a);
}

/* ---- arenas --------------------------------------------------------------------------------------------------- */

/* TOMBAC_GPU_MEMORY_LIMIT: bytes, or a part of the device's memory such as "50%". */
static tb_status read_limit(int device, pool *p)
{
    const char *text = getenv("TOMBAC_GPU_MEMORY_LIMIT");
    p->ready = true;
    if (!text || !*text) return TB_OK;
    char *end;
    double value = strtod(text, &end);
    if (end != text && end[0] == '%' && end[1] == 0 && value >= 0 && value <= 100) {
        size_t free_bytes, total_bytes;
        TB_TRY(tb__backend->mem_info(device, &free_bytes, &total_bytes));
        p->limit = (size_t)((double)total_bytes * value / 100);
        return TB_OK;
    }
    unsigned long long bytes = strtoull(text, &end, 10);
    if (end == text || *end || text[0] == '-') {
        p->ready = false;
        return tb__fail(TB_ERR_VALUE, "TOMBAC_GPU_MEMORY_LIMIT is \"%s\"; expected a number of bytes or a percentage"
                        " such as \"50%%\"", text);
    }
    p->limit = (size_t)bytes;
    return TB_OK;
}

/* Of the arena of s, or of all. */
static void free_unused(pool *p, const tb_stream *s)
{
    for (arena *a = p->arenas; a; a = a->next) {
        if (s && a->handle != s->handle) continue;
        settle(a);
        for (chunk *c = a->chunks; c;) {
            chunk *next = c->next;
            if (c->used == 0) free_chunk(a, c);
            c = next;
        }
    }
}

static arena *find_arena(pool *p, const void *handle)
{
    arena **link = &p->arenas;
    while (*link && (*link)->handle != handle) link = &(*link)->next;
    arena *a = *link;
    if (a && a != p->arenas) {
        *link = a->next;
        a->next = p->arenas;
        p->arenas = a;
    }
    return a;
}

static arena *get_arena(pool *p, int device, void *handle)
{
    arena *a = p->arenas && p->arenas->handle == handle ? p->arenas : find_arena(p, handle);
    if (a) return a;
    a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->handle = handle;
    a->device = device;
    a->pool = p;
    a->next = p->arenas;
    return p->arenas = a;
}

static void drop_event(arena *a)
{
    if (!a->end) return;
    tb__backend->event_free(a->end);
    free(a->end);
    a->end = NULL;
}

/* Forgets the first arena of p, which has no chunks. */
static void drop_first(pool *p)
{
    arena *a = p->arenas;
    p->arenas = a->next;
    drop_event(a);
    free(a);
}

static void stream_end(pool *p, tb_stream *s)
{
    arena *a = find_arena(p, s->handle);
    if (!a || a->end) return;
    if (!a->chunks) {
        drop_first(p);
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

void tb__pool_stream_end(tb_stream *s)
{
    for (tb_pool *p = pools; p; p = p->next) stream_end(&p->of[s->device], s);
}

static tb_status stream_begin(pool *p, tb_stream *s)
{
    arena *a = find_arena(p, s->handle);
    if (!a || !a->end) return TB_OK;
    TB_TRY(tb__backend->stream_wait(s, a->end));
    drop_event(a);
    return TB_OK;
}

tb_status tb__pool_stream_begin(tb_stream *s)
{
    for (tb_pool *p = pools; p; p = p->next) TB_TRY(stream_begin(&p->of[s->device], s));
    return TB_OK;
}

/* All chunks of `from`, whose stream is gone, become a's. */
static void take_over(arena *a, arena *from)
{
    settle(from);
    while (from->chunks) {
        chunk *c = from->chunks;
        from->chunks = c->next;
        for (block *b = c->last; b; b = b->left) {
            if (!b->free) continue;
            bin_take(from, b);
            bin_put(a, b);
        }
        c->arena = a;
        c->prev = NULL;
        c->next = a->chunks;
        if (c->next) c->next->prev = c;
        a->chunks = c;
        if (c->small && c->carved < c->size) a->slabs[a->next_slab++ % SLAB_TRIES] = c;
    }
}

/* True if some stream has gone and left memory, which is a's now. */
static bool inherit(arena *a, tb_stream *s)
{
    bool any = false;
    for (arena **link = &a->pool->arenas; *link;) {
        arena *from = *link;
        if (from == a || !from->end || tb__backend->stream_wait(s, from->end) != TB_OK) {
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

/* ---- what the core calls -------------------------------------------------------------------------------------- */

static block *reuse(arena *a, size_t size)
{
    bool small = size <= SMALL;
    const bins *set = small ? &a->small : &a->large;
    block *b = best_fit(set, size);
    if (!b && a->quick_sizes) {
        settle(a);
        b = best_fit(set, size);
    }
    if (b) {
        bin_take(a, b);
        split(a, b, size);
        return b;
    }
    return small ? carve_from_slabs(a, size) : NULL;
}

/* Everything cached goes back to the device, and a request that still fails may break up a chunk of the other kind. */
static tb_status recover(arena *a, tb_stream *s, size_t size, block **out)
{
    tb__pool_free_all(a->device);
    TB_TRY(tb__backend->device_synchronize(a->device));
    tb_status status = grow(a, s, size, out);
    if (status != TB_ERR_MEMORY) return status;
    block *b = best_fit(size <= SMALL ? &a->large : &a->small, size);
    if (!b) return TB_ERR_MEMORY;
    bin_take(a, b);
    split(a, b, size);
    *out = b;
    return TB_OK;
}

static tb_status find_block(arena *a, tb_stream *s, size_t bytes, block **out)
{
    pool *p = a->pool;
    size_t size = round_up(bytes);
    block *b = reuse(a, size);
    if (!b && inherit(a, s)) b = reuse(a, size);
    if (!b) {
        tb_status status = grow(a, s, size, &b);
        if (status == TB_ERR_MEMORY) status = recover(a, s, size, &b);
        if (status == TB_ERR_MEMORY) return tb__fail_memory(bytes, p->used, p->total, p->limit);
        if (status != TB_OK) return status;
    }
    *out = b;
    return TB_OK;
}

/* The block is in use from here on. */
static void hand_out(pool *p, block *b)
{
    b->free = false;
    b->chunk->used++;
    p->used += b->size;
    table_put(b);
}

/* take, with the thread's hook told. What is told as allocated is what the pool's total grows by. */
static tb_status take_hooked(pool *p, arena *a, tb_stream *s, size_t bytes, void **ptr)
{
    block *b = NULL;
    size_t size = round_up(bytes);
    settle(a);
    TB_TRY(tb__memory_event(TB_MEMORY_MALLOC, false, a->device, bytes, size, NULL, 0));
    bool cached = best_fit(size <= SMALL ? &a->small : &a->large, size) != NULL;
    if (!cached) TB_TRY(tb__memory_event(TB_MEMORY_ALLOC, false, a->device, bytes, size, NULL, 0));
    TB_TRY(find_block(a, s, bytes, &b));
    hand_out(p, b);
    char *address = b->ptr;
    uintptr_t id = (uintptr_t)address;
    tb_status status = TB_OK;
    if (!cached) status = tb__memory_event(TB_MEMORY_ALLOC, true, a->device, bytes, b->size, address, id);
    if (status == TB_OK)
        status = tb__memory_event(TB_MEMORY_MALLOC, true, a->device, bytes, b->size, address, id);
    if (status != TB_OK) tb__pool_free(a->device, s->handle, address);
    else *ptr = address;
    return status;
}

/* A block of the size that was given back lately. */
static inline bool take_quickly(arena *a, const tb_stream *s, size_t bytes, void **ptr)
{
    size_t i = (bytes - 1) / UNIT;
    if (!a || a->handle != s->handle || i >= EXACT || tb__hooks) return false;
    block *b = a->quick[i];
    if (!b) return false;
    a->quick[i] = b->next;
    *ptr = b->ptr;
    return true;
}

static __attribute__((noinline)) tb_status take(pool *p, tb_stream *s, size_t bytes, void **ptr)
{
    block *b = NULL;
    if (!p->ready) TB_TRY(read_limit(s->device, p));
    arena *a = get_arena(p, s->device, s->handle);
    if (!a || !table_reserve() || bytes > SIZE_MAX - UNIT) return tb__fail_memory(bytes, p->used, p->total, p->limit);
    if (__builtin_expect(tb__hooks != 0, 0)) return take_hooked(p, a, s, bytes, ptr);
    if (take_quickly(a, s, bytes, ptr)) return TB_OK; /* it was not the first arena */
    TB_TRY(find_block(a, s, bytes, &b));
    hand_out(p, b);
    *ptr = b->ptr;
    return TB_OK;
}

tb_status tb__pool_take(tb_pool *from, tb_stream *s, size_t bytes, void **ptr)
{
    pool *p = part_of(from, s->device);
    return take_quickly(p->arenas, s, bytes, ptr) ? TB_OK : take(p, s, bytes, ptr);
}

tb_status tb__pool_alloc(tb_stream *s, size_t bytes, void **ptr)
{
    pool *p = &default_pool.of[s->device];
    return take_quickly(p->arenas, s, bytes, ptr) ? TB_OK : take(p, s, bytes, ptr);
}

/* Nobody is there to hear of a hook that fails: it has to tell for itself. */
static __attribute__((noinline)) void give(int device, size_t slot)
{
    block *b = table[slot];
    char *ptr = b->ptr;
    if (tb__graph_count > 0 && tb__graph_keeps(device, ptr, b->size)) return;
    size_t size = b->size;
    uintptr_t id = (uintptr_t)ptr;
    table_remove(slot);
    if (tb__hooks) tb__memory_event(TB_MEMORY_FREE, false, device, size, size, ptr, id);
    put_back(b);
    if (tb__hooks) tb__memory_event(TB_MEMORY_FREE, true, device, size, size, ptr, id);
}

bool tb__pool_free(int device, void *stream_handle, void *ptr)
{
    (void)stream_handle; /* the block knows its arena */
    if (!ptr || !table_slots) return false;
    size_t slot = table_find(ptr);
    block *b = table[slot];
    if (!b) return false;
    if (__builtin_expect(b->size > QUICK || tb__graph_count > 0 || tb__hooks, 0)) {
        give(device, slot);
        return true;
    }
    arena *a = b->chunk->arena;
    size_t i = b->size / UNIT - 1;
    b->next = a->quick[i];
    a->quick[i] = b;
    a->quick_sizes |= 1ull << i;
    return true;
}

void tb__pool_statistics(tb_pool *from, int device, tb_pool_stats *out)
{
    pool *p = part_of(from, device);
    if (!p->ready) read_limit(device, p);
    settle_all(p);
    *out = (tb_pool_stats){
        .used_bytes = p->used,
        .free_bytes = p->total - p->used,
        .total_bytes = p->total,
        .n_free_blocks = p->n_free,
        .limit = p->limit,
    };
}

bool tb__pool_has_room(tb_pool *from, int device, size_t bytes)
{
    pool *p = part_of(from, device);
    if (!p->ready) read_limit(device, p);
    settle_all(p);
    size_t free_bytes;
    if (!p->capacity && tb__backend->mem_info(device, &free_bytes, &p->capacity) != TB_OK) return true;
    size_t most = p->limit ? p->limit : p->capacity;
    return bytes <= most && p->used <= most - bytes;
}

void tb__pool_trim(tb_pool *from, int device, const tb_stream *s) { free_unused(part_of(from, device), s); }

void tb__pool_free_all(int device)
{
    for (tb_pool *p = pools; p; p = p->next) free_unused(&p->of[device], NULL);
}

void tb__pool_set_limit(tb_pool *from, int device, size_t bytes)
{
    pool *p = part_of(from, device);
    p->ready = true;
    p->limit = bytes;
}

/* ---- pools of users ------------------------------------------------------------------------------------------- */

tb_status tb__pool_new(tb_allocator *source, tb_pool **out)
{
    tb_pool *p = calloc(1, sizeof *p);
    if (!p) return tb__fail_memory(sizeof *p, 0, 0, 0);
    for (int i = 0; i < TB_DEVICE_MAX; i++) p->of[i].source = source;
    if (source) tb_allocator_retain(source);
    p->next = default_pool.next;
    default_pool.next = p;
    *out = p;
    return TB_OK;
}

void tb__pool_end(tb_pool *pool)
{
    tb_pool **link = &default_pool.next;
    while (*link != pool) link = &(*link)->next;
    *link = pool->next;
    for (int i = 0; i < TB_DEVICE_MAX; i++) {
        free_unused(&pool->of[i], NULL);
        while (pool->of[i].arenas) drop_first(&pool->of[i]);
    }
    if (pool->of[0].source) tb__allocator_release(pool->of[0].source);
    free(pool);
}
