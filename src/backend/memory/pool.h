/* pool.h - inside the pool: its blocks, chunks and arenas, and what its files need of each other.
 *
 *   pool.c        blocks are taken and given back; pools of users
 *   pool_limit.c  limits and figures
 *   pool_arena.c  an arena for every stream, also when streams come and go
 *   pool_chunk.c  memory from the device, or from the pool's source, and slabs
 *   pool_bins.c   free blocks by size: they are found, cut and joined
 *   pool_used.c   used blocks by address, and the blocks' descriptors
 *
 * Each calls those below it only. Invariants: the blocks of a chunk tile [0, carved); no two neighbours are free; a
 * free block is in the bin of its size; a used block is in tb__pool_used under its address. The core
 * lock guards everything. */
#ifndef TB_BACKEND_MEMORY_POOL_H
#define TB_BACKEND_MEMORY_POOL_H
#include "backend/memory/memory.h"

enum {
    POOL_UNIT = 512,
    POOL_SMALL = 1 << 20, /* blocks up to this size come from slabs */
    POOL_EXACT = 64,      /* bins that hold one size each: up to 32 KiB */
    POOL_STEPS = 8,       /* bins for each doubling above */
    POOL_BINS = POOL_EXACT + POOL_STEPS * 50,
    POOL_BIN_WORDS = (POOL_BINS + 63) / 64,
    POOL_SLAB_TRIES = 16, /* older slabs that are looked at for room */
};

typedef struct tb_pool_block {
    char *ptr;
    size_t size;
    struct tb_pool_block *left, *right; /* neighbours in the chunk */
    struct tb_pool_block *prev, *next;  /* free list */
    struct tb_pool_chunk *chunk;
    bool free;
} tb_pool_block;

typedef struct tb_pool_bins {
    uint64_t occupied[POOL_BIN_WORDS];
    tb_pool_block *head[POOL_BINS];
} tb_pool_bins;

typedef struct tb_pool_chunk {
    char *ptr;
    size_t size, carved;
    int used; /* blocks in use */
    int held; /* by who may look at what was given back: the memory stays */
    bool small;
    void *token;         /* of the pool's source */
    tb_pool_block *last; /* the block that ends at `carved` */
    struct tb_pool_arena *arena;
    struct tb_pool_chunk *prev, *next;
} tb_pool_chunk;

typedef struct tb_pool_arena {
    void *handle;
    int device;
    struct tb_pool_part *pool;
    tb_pool_block *quick[POOL_EXACT]; /* given back lately, by size; still among the used ones */
    uint64_t quick_sizes;             /* the lists that may have some */
    tb_pool_bins small, large;
    tb_pool_chunk *chunks;                 /* newest first */
    tb_pool_chunk *slabs[POOL_SLAB_TRIES]; /* the newest slabs with room, a ring */
    unsigned next_slab;
    tb_event *end; /* recorded when the stream went away */
    struct tb_pool_arena *next;
} tb_pool_arena;

/* A device's part of a pool. */
typedef struct tb_pool_part {
    tb_pool_arena *arenas; /* the one used last comes first */
    size_t used, total, held, limit;
    size_t n_free;
    size_t capacity;      /* the device's memory; 0: not asked yet */
    bool ready;           /* the limit has been read from the environment */
    tb_allocator *source; /* where chunks come from; NULL: the device */
} tb_pool_part;

struct tb_pool {
    tb_pool_part of[TB_DEVICE_MAX];
    tb_pool *next;
};

/* ---- pool.c ---- */
extern tb_pool tb__pool_default; /* the first of all pools */

static inline tb_pool_part *tb__pool_part(tb_pool *p, int device)
{
    return p ? &p->of[device] : &tb__pool_default.of[device];
}

/* ---- pool_limit.c ---- */
/* The limit that the environment sets. */
tb_status tb__pool_read_limit(tb_pool_part *p, int device);

static inline tb_status tb__pool_ready(tb_pool_part *p, int device)
{
    return p->ready ? TB_OK : tb__pool_read_limit(p, device);
}

/* ---- pool_arena.c ---- */
/* The arena of that stream, which comes first from here on; a new one if there is none. NULL: no memory. */
tb_pool_arena *tb__pool_arena_first(tb_pool_part *p, int device, void *handle);

static inline tb_pool_arena *tb__pool_arena_get(tb_pool_part *p, int device, void *handle)
{
    return p->arenas && p->arenas->handle == handle ? p->arenas : tb__pool_arena_first(p, device, handle);
}

/* Forgets the first arena of p, which has no chunks. */
void tb__pool_arena_drop(tb_pool_part *p);
void tb__pool_arena_end(tb_pool_part *p, tb_stream *s);
tb_status tb__pool_arena_begin(tb_pool_part *p, tb_stream *s);
/* True if some stream has gone and left memory, which is a's now. */
bool tb__pool_inherit(tb_pool_arena *a, tb_stream *s);
/* Frees chunks that nothing is used of: of the arena of s, or of all (NULL). */
void tb__pool_free_unused(tb_pool_part *p, const tb_stream *s);

/* ---- pool_chunk.c ---- */
/* A small block from the end of a slab, or NULL. */
tb_pool_block *tb__pool_carve(tb_pool_arena *a, size_t size);
/* A block of new memory. TB_ERR_MEMORY, without a message, when there is none to be had. */
tb_status tb__pool_grow(tb_pool_arena *a, tb_stream *s, size_t size, tb_pool_block **out);
/* Nothing of c is in use. */
void tb__pool_chunk_free(tb_pool_arena *a, tb_pool_chunk *c);

/* ---- pool_bins.c ---- */
void tb__pool_bin_put(tb_pool_arena *a, tb_pool_block *b);
void tb__pool_bin_take(tb_pool_arena *a, tb_pool_block *b);
/* The smallest block that fits; of equals, the one freed last. */
tb_pool_block *tb__pool_best_fit(const tb_pool_bins *set, size_t size);
/* Takes b from its bin and cuts it down to size; the rest becomes a free block. Without memory for its descriptor b
 * stays whole. */
void tb__pool_cut(tb_pool_arena *a, tb_pool_block *b, size_t size);
/* The same of a block in use. */
void tb__pool_cut_used(tb_pool_block *b, size_t size);
/* b, which is no longer in use, becomes a free block. */
void tb__pool_put_back(tb_pool_block *b);
/* Blocks in the quick lists become free ones. */
void tb__pool_consolidate(tb_pool_arena *a);

/* ---- pool_used.c ---- */
/* A descriptor, not initialised; NULL: no memory. */
tb_pool_block *tb__pool_block_new(void);
void tb__pool_block_drop(tb_pool_block *b);

/* Open addressing by address; the number of slots is a power of two, at most half of them taken. */
typedef struct tb_pool_used {
    tb_pool_block **slot;
    size_t n, taken;
} tb_pool_used;

extern tb_pool_used tb__pool_used;

bool tb__pool_used_grow(void);
void tb__pool_used_remove(size_t i);

/* Makes room for one more. */
static inline bool tb__pool_used_reserve(void)
{
    return 2 * (tb__pool_used.taken + 1) <= tb__pool_used.n || tb__pool_used_grow();
}

static inline size_t tb__pool_used_home(const char *ptr)
{
    uint64_t h = ((uint64_t)(uintptr_t)ptr / POOL_UNIT) * 0x9e3779b97f4a7c15ull;
    return (size_t)(h >> 32) & (tb__pool_used.n - 1);
}

/* The slot that has it, or that is empty. There is a table. */
static inline size_t tb__pool_used_find(const char *ptr)
{
    size_t mask = tb__pool_used.n - 1, i = tb__pool_used_home(ptr);
    while (tb__pool_used.slot[i] && tb__pool_used.slot[i]->ptr != ptr) i = (i + 1) & mask;
    return i;
}

static inline void tb__pool_used_put(tb_pool_block *b)
{
    size_t mask = tb__pool_used.n - 1, i = tb__pool_used_home(b->ptr);
    while (tb__pool_used.slot[i]) i = (i + 1) & mask;
    tb__pool_used.slot[i] = b;
    tb__pool_used.taken++;
}
#endif
