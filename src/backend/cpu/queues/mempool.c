/* mempool.c - CUDA's stream-ordered memory pools on the CPU.
 *
 * A block that is freed stays in its pool, marked with the place in its stream's order where the free is. It is handed
 * out again to the same stream at once, and to others when their order has come there. What a pool holds beyond its
 * release threshold goes back to the system at the next synchronisation. Blocks are not split: the system's allocator
 * does that well, and a block serves a request that needs at least half of it.
 *
 * Everything is called with the core lock held, but tb__cpu_pools_trim. */
#include <stdlib.h>

#include "backend/cpu/queues/queue.h"
#include "base/error.h"
#include "base/lock.h"

enum { INVALID_VALUE = 1, INVALID_DEVICE = 101 };
enum { REUSE = 1, THRESHOLD = 4, RESERVED_NOW, RESERVED_HIGH, USED_NOW, USED_HIGH, ATTRIBUTES }; /* cudaMemPoolAttr */
enum { ALLOCATION_PINNED = 1, LOCATION_DEVICE = 1, FILE_DESCRIPTOR = 1 };

struct tb_cpu_pool {
    int device;
    bool ended; /* destroyed, and here until its last block comes back */
    int64_t attribute[ATTRIBUTES];
    tb_region *unused; /* newest first */
    tb_cpu_pool *next;
};

static tb_cpu_pool *pools;
static tb_cpu_pool *first[TB_DEVICE_MAX], *current[TB_DEVICE_MAX]; /* NULL: not asked for yet */
static bool overfull; /* some pool may be above its threshold; read without the lock */

static tb_status invalid(const char *who)
{
    return tb__fail_device(INVALID_VALUE, who, "cudaErrorInvalidValue: invalid argument");
}

/* ---- figures --------------------------------------------------------------------------------------------------- */

static void add(tb_cpu_pool *p, int now, int high, int64_t bytes)
{
    p->attribute[now] += bytes;
    if (p->attribute[high] < p->attribute[now]) p->attribute[high] = p->attribute[now];
}

static bool is_above(const tb_cpu_pool *p)
{
    return p->unused && (uint64_t)p->attribute[RESERVED_NOW] > (uint64_t)p->attribute[THRESHOLD];
}

static void note_above(const tb_cpu_pool *p)
{
    if (is_above(p)) __atomic_store_n(&overfull, true, __ATOMIC_RELEASE);
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

/* Gives blocks that no outstanding work uses back to the system until no more than `keep` bytes are held. */
static void release_to(tb_cpu_pool *p, uint64_t keep)
{
    for (tb_region **link = &p->unused; *link && (uint64_t)p->attribute[RESERVED_NOW] > keep;) {
        tb_region *r = *link;
        if (!tb__cpu_done(r->queue, r->ticket)) {
            link = &r->next;
            continue;
        }
        *link = r->next;
        p->attribute[RESERVED_NOW] -= (int64_t)r->size;
        tb__cpu_region_free(r);
    }
}

/* The smallest unused block that holds `size` bytes without wasting as many, for work on q. */
static tb_region **best_fit(tb_cpu_pool *p, size_t size, const tb_cpu_queue *q)
{
    tb_region **best = NULL;
    for (tb_region **link = &p->unused; *link; link = &(*link)->next) {
        const tb_region *r = *link;
        if (r->size < size || r->size / 2 > size || (best && r->size >= (*best)->size)) continue;
        if (r->queue == q || tb__cpu_done(r->queue, r->ticket)) best = link;
    }
    return best;
}

static tb_status grow(tb_cpu_pool *p, size_t size, tb_region **out)
{
    void *ptr;
    tb_status status = tb__cpu_mem_alloc(p->device, size, &ptr);
    if (status == TB_ERR_MEMORY && p->unused) {
        release_to(p, 0);
        status = tb__cpu_mem_alloc(p->device, size, &ptr);
    }
    TB_TRY(status);
    *out = tb__cpu_region(ptr);
    (*out)->pool = p;
    (*out)->device = p->device;
    add(p, RESERVED_NOW, RESERVED_HIGH, (int64_t)size);
    return TB_OK;
}

static tb_status take(tb_cpu_pool *p, int64_t bytes, int64_t stream, int64_t *out)
{
    enum { UNIT = 512 };
    tb_region *r = NULL;
    tb_cpu_queue *q = NULL;
    if (bytes < 0 || bytes > INT64_MAX - UNIT) return invalid("mallocAsync");
    TB_TRY(tb__cpu_queue_of(stream, &q));
    if (bytes == 0) {
        out[0] = 0;
        return TB_OK;
    }
    size_t size = ((size_t)bytes + UNIT - 1) & ~(size_t)(UNIT - 1);
    tb_region **fit = best_fit(p, size, q);
    if (fit) {
        r = *fit;
        TB_TRY(tb__cpu_region_add(r));
        *fit = r->next;
    } else {
        TB_TRY(grow(p, size, &r));
    }
    add(p, USED_NOW, USED_HIGH, (int64_t)r->size);
    out[0] = (int64_t)(intptr_t)r->ptr;
    return TB_OK;
}

static void end_if_empty(tb_cpu_pool *p)
{
    if (!p->ended || p->attribute[USED_NOW] > 0) return;
    release_to(p, 0);
    if (p->unused) return; /* the next synchronisation comes here again */
    tb_cpu_pool **link = &pools;
    while (*link != p) link = &(*link)->next;
    *link = p->next;
    free(p);
}

void tb__cpu_pool_give(tb_region *r, tb_cpu_queue *q)
{
    tb_cpu_pool *p = r->pool;
    r->queue = q;
    r->ticket = q ? tb__cpu_given(q) : 0;
    r->next = p->unused;
    p->unused = r;
    p->attribute[USED_NOW] -= (int64_t)r->size;
    note_above(p);
    end_if_empty(p);
}

static void trim_all(void)
{
    __atomic_store_n(&overfull, false, __ATOMIC_RELAXED);
    for (tb_cpu_pool *p = pools, *next; p; p = next) {
        next = p->next;
        if (is_above(p)) release_to(p, (uint64_t)p->attribute[THRESHOLD]);
        note_above(p);
        end_if_empty(p);
    }
}

void tb__cpu_pools_trim(void)
{
    if (__builtin_expect(!__atomic_load_n(&overfull, __ATOMIC_ACQUIRE), 1)) return;
    tb__lock();
    trim_all();
    tb__unlock();
}

/* ---- pools ----------------------------------------------------------------------------------------------------- */

static tb_status create(int device, tb_cpu_pool **out)
{
    tb_cpu_pool *p = calloc(1, sizeof *p);
    if (!p) return tb__fail_memory(sizeof *p, 0, 0, 0);
    p->device = device;
    for (int i = REUSE; i < THRESHOLD; i++) p->attribute[i] = 1;
    p->next = pools;
    pools = p;
    *out = p;
    return TB_OK;
}

static tb_status default_of(const char *who, int64_t device, tb_cpu_pool **out)
{
    int n = 0;
    tb__cpu_device_count(&n);
    if (device < 0 || device >= n)
        return tb__fail_device(INVALID_DEVICE, who, "cudaErrorInvalidDevice: invalid device ordinal");
    if (!first[device]) TB_TRY(create((int)device, &first[device]));
    *out = first[device];
    return TB_OK;
}

static tb_status current_of(const char *who, int64_t device, tb_cpu_pool **out)
{
    TB_TRY(default_of(who, device, out));
    if (current[device]) *out = current[device];
    return TB_OK;
}

static tb_status find(const char *who, int64_t handle, tb_cpu_pool **out)
{
    tb_cpu_pool *p = pools;
    while (p && ((int64_t)(intptr_t)p != handle || p->ended)) p = p->next;
    *out = p;
    return p ? TB_OK : invalid(who);
}

static tb_status create_checked(const int64_t *in, int64_t *out)
{
    tb_cpu_pool *p = NULL;
    TB_TRY(default_of("memPoolCreate", in[3], &p));
    if (in[0] != ALLOCATION_PINNED || (in[1] & ~FILE_DESCRIPTOR) || in[2] != LOCATION_DEVICE)
        return invalid("memPoolCreate");
    TB_TRY(create((int)in[3], &p));
    out[0] = (int64_t)(intptr_t)p;
    return TB_OK;
}

static tb_status destroy(int64_t handle)
{
    tb_cpu_pool *p = NULL;
    TB_TRY(find("memPoolDestroy", handle, &p));
    if (p == first[p->device]) return invalid("memPoolDestroy");
    if (p == current[p->device]) current[p->device] = NULL;
    p->ended = true;
    p->attribute[THRESHOLD] = 0;
    note_above(p);
    end_if_empty(p);
    return TB_OK;
}

static tb_status set_current(int64_t device, int64_t handle)
{
    tb_cpu_pool *p = NULL, *known = NULL;
    TB_TRY(default_of("deviceSetMemPool", device, &known));
    TB_TRY(find("deviceSetMemPool", handle, &p));
    if (p->device != device) return invalid("deviceSetMemPool");
    current[device] = p;
    return TB_OK;
}

/* ---- attributes ------------------------------------------------------------------------------------------------ */

static tb_status get_attribute(int64_t handle, int64_t which, int64_t *out)
{
    tb_cpu_pool *p = NULL;
    TB_TRY(find("memPoolGetAttribute", handle, &p));
    if (which < REUSE || which >= ATTRIBUTES) return invalid("memPoolGetAttribute");
    out[0] = p->attribute[which];
    return TB_OK;
}

/* High watermarks can be reset, to 0; what is in use now is not for callers to say. */
static tb_status set_attribute(int64_t handle, int64_t which, int64_t value)
{
    tb_cpu_pool *p = NULL;
    TB_TRY(find("memPoolSetAttribute", handle, &p));
    switch (which) {
    case RESERVED_HIGH:
    case USED_HIGH:
        if (value != 0) return invalid("memPoolSetAttribute");
        p->attribute[which] = p->attribute[which - 1];
        return TB_OK;
    case THRESHOLD:
        p->attribute[which] = value;
        note_above(p);
        return TB_OK;
    default:
        if (which < REUSE || which > THRESHOLD) return invalid("memPoolSetAttribute");
        p->attribute[which] = value != 0;
        return TB_OK;
    }
}

static tb_status trim(int64_t handle, int64_t keep)
{
    tb_cpu_pool *p = NULL;
    TB_TRY(find("memPoolTrimTo", handle, &p));
    if (keep < 0) return invalid("memPoolTrimTo");
    release_to(p, (uint64_t)keep);
    return TB_OK;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

tb_status tb__cpu_pool_op(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    tb_cpu_pool *p = NULL;
    switch (op) {
    case TB_RT_mallocAsync:
        TB_TRY(current_of("mallocAsync", tb__device_current(), &p));
        return take(p, in[0], in[1], out);
    case TB_RT_mallocFromPoolAsync: TB_TRY(find("mallocFromPoolAsync", in[1], &p)); return take(p, in[0], in[2], out);
    case TB_RT_memPoolCreate: return create_checked(in, out);
    case TB_RT_memPoolDestroy: return destroy(in[0]);
    case TB_RT_memPoolTrimTo: return trim(in[0], in[1]);
    case TB_RT_memPoolGetAttribute: return get_attribute(in[0], in[1], out);
    case TB_RT_memPoolSetAttribute: return set_attribute(in[0], in[1], in[2]);
    case TB_RT_deviceSetMemPool: return set_current(in[0], in[1]);
    case TB_RT_deviceGetDefaultMemPool: TB_TRY(default_of("deviceGetDefaultMemPool", in[0], &p)); break;
    default: TB_TRY(current_of("deviceGetMemPool", in[0], &p));
    }
    out[0] = (int64_t)(intptr_t)p;
    return TB_OK;
}
