/* fiber_block.c - a block whose threads wait for each other: each is a fiber, all of them on one thread of the system.
 *
 * Threads run in a ring, in their order: whoever has to wait goes on to the next. At a barrier of all threads the last
 * to arrive does not wait, so every switch leads to a thread that can run. Lanes of a warp leave what they bring to a
 * collective in their record; the last to arrive works out every lane's result. When everybody has been asked in vain,
 * threads that wait for "those that are here" are let go; if there are none, the barrier can never be passed, which
 * ends the block with an error that names a thread.
 *
 * A thread that has returned can reach no barrier, which is such an error too, unless the launch does as GPUs do since
 * Volta: then those that are left do not wait for it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#include "backend/cpu/user/user.h"

enum {
    LANES = 32,
    MOST_WARPS = TB_CPU_MAX_THREADS / LANES,
    STACK = 128 << 10,
    GUARD = 4096,
    COLOURS = 32, /* stacks start at different places of a page, or their frames would share cache sets */
    COLOUR_BYTES = 448,
    LAUNCH_FAILED = 719, /* CUDA_ERROR_LAUNCH_FAILED */
    MOST_GUARDED = 24,   /* threads of the system; a process has a limited number of mappings */
};

/* What a thread waits for. */
enum { RUNS, AT_BARRIER, AT_COLLECTIVE, RETURNED };

enum { WHO_IS_HERE = -1 }; /* an operation of ours: the mask of those that are at `site` */

/* What a barrier touches is one line of the cache. */
typedef struct fiber {
    _Alignas(64) void *sp;
    int state;
    tb_host_here here;
    struct fiber *next, *previous; /* the ring of those that have not returned */
    int operation, from;           /* of the collective */
    unsigned mask;
    unsigned long long value, result;
    const void *site;
} fiber;

struct tb_block {
    void *sp; /* of the code that started the block */
    fiber *current;
    tb_cpu_launch *launch;
    int nthread, live;
    int arrived, kind, sum; /* at the barrier of all threads: how many, which one, how many of them with a true value */
    int result;
    unsigned long passed; /* barriers so far */
    int idle;             /* threads that were asked in vain since something last happened */
    char *stacks;
    int nstack;
    fiber fibers[TB_CPU_MAX_THREADS];
};

/* ---- memory: one block a thread of the system, reused ------------------------------------------------------------ */

static pthread_key_t block_key;
static _Thread_local struct tb_block *own_block;

static void free_block(void *p)
{
    struct tb_block *b = p;
    if (b->stacks) munmap(b->stacks, (size_t)TB_CPU_MAX_THREADS * STACK);
    free(b);
    own_block = NULL;
}

static void make_key(void) { pthread_key_create(&block_key, free_block); }

static struct tb_block *get_block(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (own_block) return own_block;
    pthread_once(&once, make_key);
    struct tb_block *b = aligned_alloc(64, sizeof *b);
    if (!b) return NULL;
    memset(b, 0, sizeof *b);
    void *p = mmap(NULL, (size_t)TB_CPU_MAX_THREADS * STACK, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        free(b);
        return NULL;
    }
#ifdef MADV_NOHUGEPAGE
    madvise(p, (size_t)TB_CPU_MAX_THREADS * STACK, MADV_NOHUGEPAGE);
#endif
    b->stacks = p;
    pthread_setspecific(block_key, b);
    return own_block = b;
}

static void guard_stacks(struct tb_block *b, int n)
{
    if (tb__threads() > MOST_GUARDED) return;
    for (; b->nstack < n; b->nstack++) mprotect(b->stacks + (size_t)b->nstack * STACK, GUARD, PROT_NONE);
}

bool tb__block_overflowed(const void *address)
{
    const struct tb_block *b = own_block;
    size_t at = b ? (size_t)((const char *)address - b->stacks) : 0;
    return b && at < (size_t)TB_CPU_MAX_THREADS * STACK && at % STACK < GUARD;
}

/* ---- the ring ------------------------------------------------------------------------------------------------- */

static struct tb_block *block_here(void) { return tb__cpu_running ? tb__cpu_running->block : NULL; }

static void go_to(struct tb_block *b, fiber *to)
{
    fiber *me = b->current;
    b->current = to;
    tb__host_here = &to->here;
    tb__fiber_switch(&me->sp, to->sp);
}

char *tb__block_outside(const struct tb_block *b) { return b->sp; }

/* Functions that are left and not returned from leave marks of AddressSanitizer's, which the stack's next user would
 * run into. */
static void forget_frames(const struct tb_block *b)
{
    const fiber *f = b->current;
    ASAN_UNPOISON_MEMORY_REGION(b->stacks + (size_t)(f - b->fibers) * STACK + GUARD, STACK - GUARD);
}

_Noreturn void tb__block_leave(void)
{
    struct tb_block *b = block_here();
    forget_frames(b);
    tb__fiber_switch(&b->current->sp, b->sp);
    abort(); /* nobody switches back */
}

#define THREAD_FORMAT "thread (%u, %u, %u) of block (%u, %u, %u)"
#define THREAD_VALUES(f) \
    (f)->here.thread.x, (f)->here.thread.y, (f)->here.thread.z, (f)->here.block.x, (f)->here.block.y, (f)->here.block.z

static const char *what_for(const fiber *f)
{
    switch (f->state) {
    case AT_BARRIER: return "waits at __syncthreads";
    case AT_COLLECTIVE: return f->operation == TB_HOST_WARP_SYNC ? "waits at __syncwarp" : "waits at a warp collective";
    case RETURNED: return "has returned";
    default: return "runs";
    }
}

static fiber *some_in_state(struct tb_block *b, int state)
{
    for (int i = 0; i < b->nthread; i++)
        if (b->fibers[i].state == state) return &b->fibers[i];
    return NULL;
}

static const char returned_hint[] = ". Instead of returning early, put an `if` around what lies between barriers; or"
                                    " set TOMBAC_BARRIER=volta, and threads that have returned are not waited for, as"
                                    " on GPUs since Volta";

/* `f` waits at the barrier of all threads, which `other` will not reach. */
static _Noreturn void fail_barrier(struct tb_block *b, const fiber *f, const fiber *other)
{
    tb__cpu_launch_fail(b->launch, LAUNCH_FAILED,
                        "a barrier that is not reached by all threads of the block: " THREAD_FORMAT
                        " waits at __syncthreads, and thread (%u, %u, %u) %s%s",
                        THREAD_VALUES(f), other->here.thread.x, other->here.thread.y, other->here.thread.z,
                        what_for(other), other->state == RETURNED ? returned_hint : "");
    tb__block_leave();
}

static _Noreturn void fail_collective(struct tb_block *b, const fiber *f, const fiber *other)
{
    tb__cpu_launch_fail(b->launch, LAUNCH_FAILED,
                        "a warp collective that is not reached by all lanes of its mask: " THREAD_FORMAT
                        " %s with mask 0x%08x, and thread (%u, %u, %u) %s%s",
                        THREAD_VALUES(f), what_for(f), f->mask, other->here.thread.x, other->here.thread.y,
                        other->here.thread.z, what_for(other), other->state == RETURNED ? returned_hint : "");
    tb__block_leave();
}

/* ---- warps ---------------------------------------------------------------------------------------------------- */

static fiber *warp_of(struct tb_block *b, const fiber *f) { return b->fibers + (f - b->fibers) / LANES * LANES; }
static int lane_of(const struct tb_block *b, const fiber *f) { return (int)(f - b->fibers) % LANES; }

/* Lanes that the block has. */
static unsigned lanes_of(const struct tb_block *b, const fiber *warp)
{
    int n = b->nthread - (int)(warp - b->fibers);
    return n >= LANES ? ~0u : (1u << n) - 1;
}

static unsigned long long reduce_pair(int operation, unsigned long long x, unsigned long long y)
{
    unsigned a = (unsigned)x, b = (unsigned)y;
    switch (operation) {
    case TB_HOST_ADD_U32:
    case TB_HOST_ADD_I32: return a + b;
    case TB_HOST_MIN_U32: return a < b ? a : b;
    case TB_HOST_MAX_U32: return a > b ? a : b;
    case TB_HOST_MIN_I32: return (int)a < (int)b ? a : b;
    case TB_HOST_MAX_I32: return (int)a > (int)b ? a : b;
    case TB_HOST_AND_U32: return a & b;
    case TB_HOST_OR_U32: return a | b;
    default: return a ^ b;
    }
}

#define FOR_LANES(l, mask) \
    for (unsigned left_ = (mask), l; left_ && (l = (unsigned)__builtin_ctz(left_), 1); left_ &= left_ - 1)

static unsigned same_value(const fiber *warp, unsigned mask, unsigned long long value)
{
    unsigned same = 0;
    FOR_LANES(l, mask) if (warp[l].value == value) same |= 1u << l;
    return same;
}

/* Every lane's result of a collective that all lanes of `mask` have reached. */
static void work_out(fiber *warp, unsigned mask, int operation)
{
    unsigned long long all = 0;
    unsigned first = (unsigned)__builtin_ctz(mask);
    switch (operation) {
    case TB_HOST_WARP_SYNC: return;
    case WHO_IS_HERE: all = mask; break;
    case TB_HOST_SHUFFLE:
        FOR_LANES(l, mask)
        {
            unsigned from = (unsigned)warp[l].from;
            warp[l].result = from < LANES && (mask >> from & 1) ? warp[from].value : warp[l].value;
        }
        return;
    case TB_HOST_MATCH_ANY: FOR_LANES(l, mask) warp[l].result = same_value(warp, mask, warp[l].value); return;
    case TB_HOST_BALLOT: FOR_LANES(l, mask) if (warp[l].value) all |= 1ull << l; break;
    case TB_HOST_MATCH_ALL: all = same_value(warp, mask, warp[first].value) == mask ? mask : 0; break;
    default: all = warp[first].value; FOR_LANES(l, mask & (mask - 1)) all = reduce_pair(operation, all, warp[l].value);
    }
    FOR_LANES(l, mask) warp[l].result = all;
}

/* Lanes that wait for the same collective with the same mask as f. */
static unsigned at_same(const struct tb_block *b, const fiber *warp, const fiber *f)
{
    unsigned there = 0;
    FOR_LANES(l, lanes_of(b, warp))
    if (warp[l].state == f->state && warp[l].operation == f->operation && warp[l].mask == f->mask &&
        warp[l].site == f->site)
        there |= 1u << l;
    return there;
}

/* Lanes that have not returned. */
static unsigned lanes_left(const struct tb_block *b, const fiber *warp)
{
    unsigned mask = lanes_of(b, warp);
    FOR_LANES(l, mask) if (warp[l].state == RETURNED) mask &= ~(1u << l);
    return mask;
}

/* Lanes of f's mask that are expected: a lane that has returned no longer takes part in __syncwarp, nor in others where
 * it is not waited for. */
static unsigned expected(struct tb_block *b, fiber *warp, const fiber *f)
{
    bool left = f->operation == TB_HOST_WARP_SYNC || b->launch->volta;
    return f->mask & (left ? lanes_left(b, warp) : lanes_of(b, warp));
}

/* Threads that only meet are rarely found in their own code. */
static void stop_if_asked(void)
{
    if (__builtin_expect(__atomic_load_n(&tb__cpu_running->missed, __ATOMIC_RELAXED), 0)) tb__cpu_stop_point();
}

static void release(fiber *warp, unsigned mask, int operation)
{
    work_out(warp, mask, operation);
    FOR_LANES(l, mask) warp[l].state = RUNS;
}

/* Lets the lanes go that f waits for, if they are all there. */
static bool try_collective(struct tb_block *b, fiber *f)
{
    fiber *warp = warp_of(b, f);
    unsigned mask = f->mask == TB_HOST_CONVERGED ? lanes_left(b, warp) : expected(b, warp, f);
    if (!mask || (at_same(b, warp, f) & mask) != mask) return false;
    stop_if_asked();
    release(warp, mask, f->operation);
    b->idle = 0;
    return true;
}

/* ---- when nobody can run -------------------------------------------------------------------------------------- */

/* Lets those go on that wait for whoever is with them. False: there are none. */
static bool let_converged_go(struct tb_block *b)
{
    bool any = false;
    for (int i = 0; i < b->nthread; i++) {
        fiber *f = &b->fibers[i], *warp = warp_of(b, f);
        if (f->state != AT_COLLECTIVE || f->mask != TB_HOST_CONVERGED) continue;
        release(warp, at_same(b, warp, f), f->operation);
        any = true;
    }
    return any;
}

static _Noreturn void fail_stuck(struct tb_block *b)
{
    for (int i = 0; i < b->nthread; i++) {
        fiber *f = &b->fibers[i], *warp = warp_of(b, f);
        if (f->state != AT_COLLECTIVE) continue;
        unsigned missing = expected(b, warp, f) & ~at_same(b, warp, f);
        if (missing) fail_collective(b, f, &warp[__builtin_ctz(missing)]);
    }
    fiber *waiting = some_in_state(b, AT_BARRIER);
    fiber *other = some_in_state(b, RETURNED);
    fail_barrier(b, waiting ? waiting : b->current, other ? other : b->current);
}

/* Runs others until `f` may go on, which they tell by its state. */
static void wait_for_lanes(struct tb_block *b, fiber *f)
{
    while (f->state != RUNS) {
        if (b->idle++ > b->live) {
            if (!let_converged_go(b)) fail_stuck(b);
            b->idle = 0;
            continue;
        }
        if (f->next == f) continue;
        go_to(b, f->next);
    }
    b->idle = 0;
}

/* ---- what kernels call ---------------------------------------------------------------------------------------- */

static struct tb_block *block_or_fail(const char *what)
{
    struct tb_block *b = block_here();
    if (b) return b;
    tb__host_services()->fail(0, what);
    return NULL;
}

static int barrier_value(const struct tb_block *b)
{
    switch (b->kind) {
    case TB_HOST_SYNC_COUNT: return b->sum;
    case TB_HOST_SYNC_AND: return b->sum == b->live;
    case TB_HOST_SYNC_OR: return b->sum > 0;
    default: return 0;
    }
}

/* All that are left have arrived: `passed` tells them. */
static void pass_barrier(struct tb_block *b)
{
    stop_if_asked();
    b->result = barrier_value(b);
    b->arrived = b->sum = 0;
    b->passed++;
}

/* The last to arrive goes on at once. */
int tb__block_sync(int kind, int value)
{
    struct tb_block *b = block_or_fail("a barrier that the source does not show");
    fiber *me = b->current;
    if (b->live < b->nthread && !b->launch->volta)
        fail_barrier(b, (me->state = AT_BARRIER, me), some_in_state(b, RETURNED));
    if (b->arrived > 0 && b->kind != kind) {
        tb__cpu_launch_fail(b->launch, LAUNCH_FAILED, THREAD_FORMAT " and others wait at different kinds of barriers",
                            THREAD_VALUES(me));
        tb__block_leave();
    }
    b->kind = kind;
    b->sum += value != 0;
    b->idle = 0;
    if (++b->arrived == b->live) {
        pass_barrier(b);
        return b->result;
    }
    /* While nobody has returned, the ring has all threads in their order. */
    unsigned long passed = b->passed;
    fiber *last = b->fibers + b->nthread - 1, *next = me < last ? me + 1 : b->fibers;
    me->state = AT_BARRIER;
    __builtin_prefetch(next + 2);
    __builtin_prefetch((next < last ? next + 1 : b->fibers)->sp);
    do {
        if (b->idle++ > b->live) {
            if (!let_converged_go(b)) fail_stuck(b);
            b->idle = 0;
        }
        go_to(b, b->live == b->nthread ? next : me->next);
    } while (b->passed == passed);
    b->idle = 0;
    me->state = RUNS;
    return b->result;
}

static unsigned long long collective(struct tb_block *b, int operation, unsigned mask, unsigned long long value,
                                     int from, const void *site)
{
    fiber *me = b->current;
    me->state = AT_COLLECTIVE;
    me->operation = operation;
    me->mask = mask;
    me->value = value;
    me->from = from;
    me->site = site;
    b->idle = 0;
    if (!try_collective(b, me)) wait_for_lanes(b, me);
    return me->result;
}

unsigned long long tb__block_warp(int operation, unsigned mask, unsigned long long value, int from)
{
    struct tb_block *b = block_or_fail("a warp collective that the source does not show");
    int lane = lane_of(b, b->current);
    if (mask != TB_HOST_CONVERGED && !(mask >> lane & 1)) {
        tb__cpu_launch_fail(b->launch, LAUNCH_FAILED,
                            THREAD_FORMAT " calls a warp collective with mask 0x%08x, which does not have its lane %d",
                            THREAD_VALUES(b->current), mask, lane);
        tb__block_leave();
    }
    return collective(b, operation, mask, value, from, NULL);
}

unsigned tb__block_converged(const void *site)
{
    struct tb_block *b = block_or_fail("__activemask that the source does not show");
    return (unsigned)collective(b, WHO_IS_HERE, TB_HOST_CONVERGED, 0, 0, site);
}

/* ---- running a block ------------------------------------------------------------------------------------------ */

static void thread_returned(struct tb_block *b, fiber *me)
{
    me->state = RETURNED;
    b->live--;
    b->idle = 0;
    if (b->arrived > 0 && !b->launch->volta) fail_barrier(b, some_in_state(b, AT_BARRIER), me);
    if (b->arrived > 0 && b->arrived == b->live) pass_barrier(b);
    fiber *warp = warp_of(b, me);
    FOR_LANES(l, lanes_of(b, warp))
    {
        if (warp[l].state != AT_COLLECTIVE) continue;
        if (warp[l].mask != TB_HOST_CONVERGED && expected(b, warp, &warp[l]) >> lane_of(b, me) & 1)
            fail_collective(b, &warp[l], me);
        try_collective(b, &warp[l]);
    }
    me->next->previous = me->previous;
    me->previous->next = me->next;
}

static void run_thread(void)
{
    struct tb_block *b = block_here();
    fiber *me = b->current;
    b->idle = 0;
    b->launch->kernel->thread(&me->here, b->launch->args);
    thread_returned(b, me);
    if (b->live > 0) go_to(b, me->next);
    tb__block_leave();
}

static void prepare_threads(struct tb_block *b, tb_cpu_launch *l, tb_host_index block)
{
    tb_host_index at = {0, 0, 0};
    for (int i = 0; i < b->nthread; i++) {
        fiber *f = &b->fibers[i];
        char *top = b->stacks + (size_t)(i + 1) * STACK - (size_t)(i % COLOURS) * COLOUR_BYTES;
        f->sp = tb__fiber_prepare(top, run_thread);
        f->next = &b->fibers[i + 1 < b->nthread ? i + 1 : 0];
        f->previous = &b->fibers[i > 0 ? i - 1 : b->nthread - 1];
        f->here = l->here;
        f->here.thread = at;
        f->here.block = block;
        f->state = RUNS;
        if (++at.x == l->here.block_dim.x) {
            at.x = 0;
            if (++at.y == l->here.block_dim.y) at.y = 0, at.z++;
        }
    }
}

void tb__block_run(tb_cpu_launch *l, tb_host_index block)
{
    struct tb_block *b = get_block();
    if (!b) {
        tb__cpu_launch_fail(l, 2, "no memory for the stacks of a block's threads"); /* CUDA_ERROR_OUT_OF_MEMORY */
        return;
    }
    b->launch = l;
    b->nthread = b->live = l->nthread;
    b->arrived = b->sum = b->idle = 0;
    guard_stacks(b, b->nthread);
    prepare_threads(b, l, block);
    tb__cpu_running->block = b;
    b->current = &b->fibers[0];
    tb__host_here = &b->fibers[0].here;
    tb__fiber_switch(&b->sp, b->fibers[0].sp);
    tb__cpu_running->block = NULL;
    tb__host_here = NULL;
}
