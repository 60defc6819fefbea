/* memory.h - src/backend/memory is where buffers get their memory: pools (pool.h), and allocators over them, over the
 * driver or over a caller's function (allocator.c); hooks that watch pools. Everything is called with the core lock
 * held.
 *
 * A caller's functions run under the lock, wherever memory happens to be needed. So while one runs, nothing may be
 * computed (tb__may_compute fails) and what is let go is released later; taking and giving memory is fine. */
#ifndef TB_BACKEND_MEMORY_MEMORY_H
#define TB_BACKEND_MEMORY_MEMORY_H
#include "backend/current.h"

/* ---- pool.c, pool_limit.c ---- */
/* From the default pool. */
tb_status tb__pool_alloc(tb_stream *s, size_t bytes, void **ptr);
/* Memory goes back to the arena of the stream it was allocated on. False: no pool has handed it out. */
bool tb__pool_free(int device, void *stream_handle, void *ptr);
/* All pools give back what is not in use. */
void tb__pool_free_all(int device);
/* A driver may give a new stream the handle of one that is gone, and with it an arena whose memory the old stream's
 * work may still use: the new stream waits for the old one's end. */
void tb__pool_stream_end(tb_stream *s);
tb_status tb__pool_stream_begin(tb_stream *s);

typedef struct tb_pool tb_pool; /* NULL stands for the default pool */

tb_status tb__pool_new(tb_allocator *source /* retained; NULL: the device */, tb_pool **out);
/* Nothing of it is in use. */
void tb__pool_end(tb_pool *pool);
tb_status tb__pool_take(tb_pool *pool, tb_stream *s, size_t bytes, void **ptr);
void tb__pool_statistics(tb_pool *pool, int device, tb_pool_stats *out);
/* Whether that many more bytes would be within the limit, or the device's memory if there is none. */
bool tb__pool_has_room(tb_pool *pool, int device, size_t bytes);
/* What is not in use goes back to where it came from: of every stream, or of s alone. */
void tb__pool_trim(tb_pool *pool, int device, const tb_stream *s);
void tb__pool_set_limit(tb_pool *pool, int device, size_t bytes);
/* Whether a block of some pool, which is in use or was lately, begins there. */
bool tb__pool_has(const void *ptr);
/* Keeps the memory that the block at ptr is a part of from going back to where it came from, also when the block is
 * free, until tb__pool_let_go of what this returns. NULL if there is no such block. */
void *tb__pool_hold(const void *ptr);
void tb__pool_let_go(void *hold);
/* Of the block at ptr, which is in use, only the first bytes still are; true unless it stays as it is. */
bool tb__pool_shorten(const void *ptr, size_t bytes);

/* ---- allocator.c ---- */
/* Bytes from which a promise asks whether there is memory for it. */
enum { TB_LARGE = 1 << 20 };
typedef enum tb_allocator_kind {
    TB_ALLOCATOR_POOL,
    TB_ALLOCATOR_DEVICE,
    TB_ALLOCATOR_MANAGED,
    TB_ALLOCATOR_SYSTEM,
    TB_ALLOCATOR_ASYNC,
    TB_ALLOCATOR_FUNCTION
} tb_allocator_kind;

struct tb_allocator {
    int refs;
    tb_allocator_kind kind;
    tb_pool *pool;                        /* POOL */
    uintptr_t driver_pool[TB_DEVICE_MAX]; /* ASYNC: CUmemoryPool of a device; 0: its current one */
    /* FUNCTION: the caller's, what calls it, and what gives memory back by its token */
    tb_allocate_function fn;
    void *arg;
    void (*drop)(void *);
    bool asked; /* it is being called */
    tb_status (*take)(tb_allocator *a, size_t bytes, void **ptr, void **token);
    void (*give)(void *token);
};

tb_status tb__allocator_new(tb_allocator_kind kind, tb_allocator **out);
/* How many threads have an allocator of their own, plus one if all have: 0 means the default pool. */
extern int tb__allocators;
/* The calling thread's allocator, borrowed; NULL: the default pool. */
tb_allocator *tb__allocator_current(void);
/* Memory for work on s. `token` is whatever is needed to give it back. */
tb_status tb__allocator_take(tb_allocator *a, tb_stream *s, size_t bytes, void **ptr, void **token);
void tb__allocator_give(tb_allocator *a, int device, tb_stream *s, void *ptr, void *token);
void tb__allocator_release(tb_allocator *a);
bool tb__allocator_is_pool(const tb_allocator *a);
/* Whether memory for a promise of that size may be taken later rather than at once. */
bool tb__allocator_may_wait(const tb_allocator *a, int device, size_t bytes);

/* How many threads have a hook. */
extern int tb__hooks;
/* Tells the calling thread's hook, if it has one. */
tb_status tb__memory_event(tb_memory_event_kind kind, bool after, int device, size_t size, size_t mem_size, void *ptr,
                           uintptr_t id);

tb_status tb__may_compute(void);
#endif
