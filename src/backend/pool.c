/* pool.c - memory for buffers: one pool per device, an arena per stream, the same algorithm for every backend.
 *
 * Sizes are rounded up to 512 bytes. A request takes the best fitting free block of its stream's arena and splits it;
 * a freed block joins its free neighbours. Work on a stream runs in order, so memory freed on it may be handed out on
 * it again at once.
 *
 * Requests up to 1 MiB are carved from slabs, larger ones get a chunk of their own from the backend, and the two share
 * one only when memory has run out: otherwise small arrays would break up the chunks that large arrays need again. The
 * untouched end of a slab counts neither as free nor as held: the figures are those of a pool without slabs.
 *
 * Invariants: the blocks of a chunk tile [0, carved); no two neighbours are free; a free block is in the bin of its
 * size; a used block is in `table` under its address. Everything is guarded by the core lock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/runtime.h"
#include "base/error.h"

enum {
    UNIT = 512,
    SMALL = 1 << 20,
    SLAB = 4 << 20,
    EXACT = 64,                     /* bins that hold one size each: up to 32 KiB */
    STEPS = 8,                      /* bins for each doubling above */
    BINS = EXACT + STEPS * 50,
    BIN_WORDS = (BINS + 63) / 64,
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
    block *last;                    /* the block that ends at `carved` */
    struct arena *arena;
    struct chunk *prev, *next;
} chunk;

typedef struct arena {
    void *handle;
    int device;
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
} pool;

static pool pools[TB_DEVICE_MAX];

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

static block *table_take(const char *ptr)
{
    if (!table_slots) return NULL;
    size_t mask = table_slots - 1, i = slot_of(ptr);
    while (table[i] && table[i]->ptr != ptr) i = (i + 1) & mask;
    block *found = table[i];
    if (!found) return NULL;
    table_taken--;
    /* Close the gap: whatever follows and may not be found past an empty slot moves up. */
    for (size_t gap = i, k = (i + 1) & mask; ; k = (k + 1) & mask) {
        if (!table[k]) {
            table[gap] = NULL;
            return found;
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
    pools[a->device].n_free++;
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
    pools[a->device].n_free--;
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
    pools[c->arena->device].total += size;
    return b;
}

static bool within_limit(const pool *p, size_t held, size_t more)
{
    return p->limit == 0 || (more <= p->limit && held <= p->limit - more);
}

static block *carve_from_slabs(arena *a, size_t size)
{
    if (!within_limit(&pools[a->device], pools[a->device].total, size)) return NULL;
    for (unsigned i = 0; i < SLAB_TRIES; i++) {
        chunk *c = a->slabs[(a->next_slab - 1 - i) % SLAB_TRIES];
        if (c && c->size - c->carved >= size) return carve(c, size);
    }
    return NULL;
}

static tb_status new_chunk(arena *a, size_t size, bool small, chunk **out)
{
    pool *p = &pools[a->device];
    void *ptr = NULL;
    chunk *c = calloc(1, sizeof *c);
    if (!c) return TB_ERR_MEMORY;
    tb_status status = tb__backend->mem_alloc(a->device, size, &ptr);
    if (status != TB_OK) {
        free(c);
        return status;
    }
    *c = (chunk){.ptr = ptr, .size = size, .small = small, .arena = a, .next = a->chunks};
    if (c->next) c->next->prev = c;
    a->chunks = c;
    p->held += size;
    *out = c;
    return TB_OK;
}

static void free_chunk(arena *a, chunk *c)
{
    pool *p = &pools[a->device];
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
    tb__backend->mem_free(a->device, c->ptr);
    free(c);
}

/* A block of new memory. TB_ERR_MEMORY, without a message, when there is none to be had. */
static tb_status grow(arena *a, size_t size, block **out)
{
    pool *p = &pools[a->device];
    bool small = size <= SMALL;
    chunk *c = NULL;
    tb_status status = TB_ERR_MEMORY;
    if (!within_limit(p, p->total, size)) return TB_ERR_MEMORY;
    if (small && within_limit(p, p->held, SLAB)) {
        status = new_chunk(a, SLAB, true, &c);
        if (status == TB_OK) a->slabs[a->next_slab++ % SLAB_TRIES] = c;
    }
    if (status == TB_ERR_MEMORY) status = new_chunk(a, size, small, &c);
    if (status != TB_OK) return status;
    *out = carve(c, size);
    return *out ? TB_OK : TB_ERR_MEMORY;
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

static tb_status pool_of(int device, pool **out)
{
    pool *p = &pools[device];
    if (!p->ready) TB_TRY(read_limit(device, p));
    *out = p;
    return TB_OK;
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
    a->next = p->arenas;
    return p->arenas = a;
}

void tb__pool_stream_end(tb_stream *s)
{
    arena *a = find_arena(&pools[s->device], s->handle);
    if (!a || !a->chunks || a->end) return;
    tb_event *e = calloc(1, sizeof *e);
    if (e) e->device = s->device;
    if (!e || tb__backend->event_new(e, false) != TB_OK) {
        free(e);
        tb__backend->stream_synchronize(s);
        return;
    }
    tb__backend->event_record(e, s);
    a->end = e;
}

tb_status tb__pool_stream_begin(tb_stream *s)
{
    arena *a = find_arena(&pools[s->device], s->handle);
    if (!a || !a->end) return TB_OK;
    TB_TRY(tb__backend->stream_wait(s, a->end));
    tb__backend->event_free(a->end);
    free(a->end);
    a->end = NULL;
    return TB_OK;
}

/* ---- what the core calls -------------------------------------------------------------------------------------- */

static block *reuse(arena *a, size_t size)
{
    bool small = size <= SMALL;
    block *b = best_fit(small ? &a->small : &a->large, size);
    if (b) {
        bin_take(a, b);
        split(a, b, size);
        return b;
    }
    return small ? carve_from_slabs(a, size) : NULL;
}

/* Everything cached goes back to the device, and a request that still fails may break up a chunk of the other kind. */
static tb_status recover(arena *a, size_t size, block **out)
{
    tb__pool_free_all(a->device);
    TB_TRY(tb__backend->device_synchronize(a->device));
    tb_status status = grow(a, size, out);
    if (status != TB_ERR_MEMORY) return status;
    block *b = best_fit(size <= SMALL ? &a->large : &a->small, size);
    if (!b) return TB_ERR_MEMORY;
    bin_take(a, b);
    split(a, b, size);
    *out = b;
    return TB_OK;
}

tb_status tb__pool_alloc(tb_stream *s, size_t bytes, void **ptr)
{
    pool *p;
    block *b = NULL;
    tb_status status = TB_OK;
    TB_TRY(pool_of(s->device, &p));
    arena *a = get_arena(p, s->device, s->handle);
    if (!a || !table_reserve() || bytes > SIZE_MAX - UNIT) return tb__fail_memory(bytes, p->used, p->total, p->limit);
    size_t size = round_up(bytes);
    b = reuse(a, size);
    if (!b) {
        status = grow(a, size, &b);
        if (status == TB_ERR_MEMORY) status = recover(a, size, &b);
        if (status == TB_ERR_MEMORY) return tb__fail_memory(bytes, p->used, p->total, p->limit);
        if (status != TB_OK) return status;
    }
    b->free = false;
    b->chunk->used++;
    p->used += b->size;
    table_put(b);
    *ptr = b->ptr;
    return TB_OK;
}

void tb__pool_free(int device, void *stream_handle, void *ptr)
{
    (void)stream_handle; /* the block knows its arena */
    block *b = ptr ? table_take(ptr) : NULL;
    if (!b) return;
    chunk *c = b->chunk;
    arena *a = c->arena;
    c->used--;
    pools[device].used -= b->size;
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

void tb__pool_statistics(int device, tb_pool_stats *out)
{
    pool *p = &pools[device];
    if (!p->ready) read_limit(device, p);
    *out = (tb_pool_stats){
        .used_bytes = p->used,
        .free_bytes = p->total - p->used,
        .total_bytes = p->total,
        .n_free_blocks = p->n_free,
        .limit = p->limit,
    };
}

bool tb__pool_has_room(int device, size_t bytes)
{
    pool *p = &pools[device];
    if (!p->ready) read_limit(device, p);
    size_t free_bytes;
    if (!p->capacity && tb__backend->mem_info(device, &free_bytes, &p->capacity) != TB_OK) return true;
    size_t most = p->limit ? p->limit : p->capacity;
    return bytes <= most && p->used <= most - bytes;
}

void tb__pool_free_all(int device)
{
    for (arena *a = pools[device].arenas; a; a = a->next) {
        for (chunk *c = a->chunks; c;) {
            chunk *next = c->next;
            if (c->used == 0) free_chunk(a, c);
            c = next;
        }
    }
}

void tb__pool_set_limit(int device, size_t bytes)
{
    pools[device].ready = true;
    pools[device].limit = bytes;
}
