/* test_pool.c - memory pools and allocators over a backend of plain host memory: figures, reuse, limits, running out,
 * streams that end, pools of users, functions, hooks, eight threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/memory/memory.h"
#include "base/error.h"
#include "base/lock.h"
#include "check.h"

enum { MANY = 2000, STEPS = 200000 };
static const size_t KIB = 1024, MIB = 1024 * 1024;

/* ---- the backend ---------------------------------------------------------------------------------------------- */

static size_t capacity = SIZE_MAX, given; /* bytes the device has, and has given out */
static int allocations, waits, synchronisations;

typedef struct {
    size_t size;
    char pad[504];
} prefix; /* keeps the block's alignment */

static tb_status mem_alloc(int device, size_t bytes, void **ptr)
{
    (void)device;
    if (bytes > capacity - given) return tb__fail_memory(bytes, 0, 0, 0);
    prefix *p = aligned_alloc(512, sizeof *p + bytes);
    p->size = bytes;
    given += bytes;
    allocations++;
    *ptr = p + 1;
    return TB_OK;
}

static void mem_free(int device, void *ptr)
{
    (void)device;
    prefix *p = (prefix *)ptr - 1;
    given -= p->size;
    free(p);
}

static tb_status mem_info(int device, size_t *free_bytes, size_t *total_bytes)
{
    (void)device;
    *free_bytes = *total_bytes = 1000 * MIB;
    return TB_OK;
}

static tb_status device_synchronize(int device)
{
    (void)device;
    synchronisations++;
    return TB_OK;
}

static tb_status event_new(tb_event *e, unsigned flags)
{
    (void)e;
    (void)flags;
    return TB_OK;
}

static void event_free(tb_event *e) { (void)e; }

static tb_status event_record(tb_event *e, tb_stream *s)
{
    e->handle = s->handle;
    return TB_OK;
}

static tb_status stream_wait(tb_stream *s, tb_event *e)
{
    CHECK(e->handle && s->device == 0);
    waits++;
    return TB_OK;
}

static const tb_backend host_memory = {
    .name = "host memory",
    .mem_alloc = mem_alloc,
    .mem_free = mem_free,
    .mem_info = mem_info,
    .device_synchronize = device_synchronize,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .stream_wait = stream_wait,
};

static int handle[4];
static tb_stream stream[4] = {
    {.device = 0, .handle = NULL},
    {.device = 0, .handle = &handle[1]},
    {.device = 0, .handle = &handle[2]},
    {.device = 1, .handle = NULL},
};

static tb_pool_stats stats(int device)
{
    tb_pool_stats s;
    tb__pool_statistics(NULL, device, &s);
    CHECK(s.used_bytes + s.free_bytes == s.total_bytes);
    return s;
}

static char *take(int s, size_t bytes)
{
    void *ptr = NULL;
    CHECK_OK(tb__pool_alloc(&stream[s], bytes, &ptr));
    CHECK(ptr && (uintptr_t)ptr % 512 == 0);
    return ptr;
}

static void give(int s, void *ptr) { tb__pool_free(stream[s].device, stream[s].handle, ptr); }

static void empty(void)
{
    tb__pool_free_all(0);
    tb__pool_free_all(1);
    CHECK(given == 0 && stats(0).total_bytes == 0 && stats(0).n_free_blocks == 0);
}

/* ---- the tests ------------------------------------------------------------------------------------------------ */

static void test_figures(void)
{
    CHECK(stats(0).used_bytes == 0 && stats(0).total_bytes == 0);
    char *a = take(0, 400);
    CHECK(stats(0).used_bytes == 512 && stats(0).total_bytes == 512 && stats(0).n_free_blocks == 0);
    char *nothing = take(0, 0);
    CHECK(stats(0).used_bytes == 1024 && nothing != a);
    give(0, nothing);
    give(0, a);
    CHECK(stats(0).used_bytes == 0 && stats(0).total_bytes == 1024 && stats(0).n_free_blocks == 1);
    char *b = take(0, 3 * 512), *c = take(0, 512);
    CHECK(stats(0).total_bytes == 5 * 512 && stats(0).free_bytes == 512);
    give(0, b);
    give(0, c);
    empty();
}

static void test_split_and_join(void)
{
    char *whole = take(0, 4 * MIB);
    give(0, whole);
    char *head = take(0, 2 * MIB), *tail = take(0, 2 * MIB);
    CHECK(head == whole && tail == whole + 2 * MIB && stats(0).n_free_blocks == 0 && allocations > 0);
    give(0, tail);
    tb__pool_free_all(0);
    CHECK(stats(0).n_free_blocks == 1 && stats(0).free_bytes == 2 * MIB);
    give(0, head);
    CHECK(stats(0).n_free_blocks == 1 && stats(0).free_bytes == 4 * MIB);
    CHECK(take(0, 4 * MIB) == whole);
    give(0, whole);
    empty();
}

static void test_best_fit(void)
{
    char *held[6], *block[3];
    size_t sizes[3] = {9 * MIB, 5 * MIB, 7 * MIB};
    for (int i = 0; i < 3; i++) {
        block[i] = take(0, sizes[i]);
        held[i] = take(0, 2 * MIB);
    }
    for (int i = 0; i < 3; i++) give(0, block[i]);
    CHECK(take(0, 6 * MIB) == block[2]);
    CHECK(take(0, 5 * MIB) == block[1]);
    char *a = take(0, 600), *b = take(0, 600), *guard = take(0, 600);
    give(0, a);
    give(0, guard);
    CHECK(take(0, 600) == guard && take(0, 600) == a);
    for (int i = 0; i < 3; i++) give(0, held[i]);
    give(0, block[1]);
    give(0, block[2]);
    give(0, a);
    give(0, b);
    give(0, guard);
    empty();
}

/* Small arrays leave large chunks alone. */
static void test_small_and_large(void)
{
    char *large = take(0, 8 * MIB);
    give(0, large);
    char *small = take(0, 512);
    CHECK(small < large || small >= large + 8 * MIB);
    CHECK(take(0, 8 * MIB) == large);
    give(0, small);
    give(0, large);
    empty();
}

/* Blocks that were given back lately serve other sizes as well, before more is asked of the device. */
static void test_sizes_that_change(void)
{
    char *p[64];
    for (int i = 0; i < 64; i++) p[i] = take(0, 512);
    CHECK(stats(0).total_bytes == 64 * 512);
    for (int i = 0; i < 64; i++) give(0, p[i]);
    char *q = take(0, 16 * KIB), *r = take(0, 8 * KIB);
    CHECK(stats(0).used_bytes == 24 * KIB && stats(0).total_bytes == 32 * KIB && stats(0).n_free_blocks == 1);
    give(0, r);
    give(0, q);
    CHECK(take(0, 16 * KIB) == q && take(0, 8 * KIB) == r);
    give(0, q);
    give(0, r);
    char *whole = take(0, 32 * KIB);
    CHECK(stats(0).total_bytes == 32 * KIB && stats(0).n_free_blocks == 0);
    give(0, whole);
    CHECK(stats(0).used_bytes == 0 && stats(0).n_free_blocks == 1);
    empty();
}

static void test_streams(void)
{
    char *a = take(0, 4 * KIB);
    give(0, a);
    char *b = take(1, 4 * KIB), *c = take(3, 4 * KIB);
    CHECK(b != a && c != a && c != b);
    CHECK(stats(0).used_bytes == 4 * KIB && stats(1).used_bytes == 4 * KIB);
    give(1, b);
    give(3, c);
    CHECK(take(0, 4 * KIB) == a && take(1, 4 * KIB) == b);
    give(0, a);
    give(1, b);
    waits = 0;
    tb__pool_stream_end(&stream[1]);
    CHECK_OK(tb__pool_stream_begin(&stream[2]));
    CHECK(waits == 0);
    CHECK_OK(tb__pool_stream_begin(&stream[1]));
    CHECK_OK(tb__pool_stream_begin(&stream[1]));
    CHECK(waits == 1);
    empty();
}

static void test_limit(void)
{
    void *ptr = NULL;
    size_t asked, used, held;
    tb__pool_set_limit(NULL, 0, 3 * MIB);
    CHECK(stats(0).limit == 3 * MIB);
    char *a = take(0, 2 * MIB);
    CHECK_FAILS(tb__pool_alloc(&stream[0], 2 * MIB, &ptr), TB_ERR_MEMORY, "limit");
    CHECK(!ptr && tb_error_memory(&asked, &used, &held) && asked == 2 * MIB && used == 2 * MIB && held == 2 * MIB);
    char *b = take(0, 512), *c = take(1, 512);
    give(0, a);
    char *d = take(1, 2 * MIB); /* what is cached for another stream makes way */
    give(0, b);
    give(1, c);
    give(1, d);
    tb__pool_set_limit(NULL, 0, 0);
    empty();
}

static void test_running_out(void)
{
    void *ptr = NULL;
    capacity = 10 * MIB;
    char *a = take(0, 6 * MIB);
    give(0, a);
    synchronisations = 0;
    char *b = take(1, 8 * MIB);
    CHECK(synchronisations == 1 && given == 8 * MIB);
    CHECK_FAILS(tb__pool_alloc(&stream[0], 3 * MIB, &ptr), TB_ERR_MEMORY, "out of memory");
    char *c = take(0, 512 * KIB); /* there is no room for a whole slab */
    char *d = take(0, MIB);
    give(1, b);
    char *e = take(1, 4 * MIB), *f = take(1, 3 * MIB), *g = take(1, 100 * KIB);
    give(0, c);
    give(0, d);
    give(1, e);
    give(1, f);
    give(1, g);
    capacity = SIZE_MAX;
    CHECK_FAILS(tb__pool_alloc(&stream[0], SIZE_MAX - 100, &ptr), TB_ERR_MEMORY, "out of memory");
    empty();
}

static uint64_t random_state = 1;

static size_t random_below(size_t n)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (size_t)(random_state >> 33) % n;
}

typedef struct {
    char *ptr;
    size_t size;
    int stream;
    char mark;
} taken;

static void fill(taken *t)
{
    t->mark = (char)random_below(256);
    if (t->size) t->ptr[0] = t->ptr[t->size / 2] = t->ptr[t->size - 1] = t->mark;
}

static bool intact(const taken *t)
{
    if (t->size == 0) return true;
    return t->ptr[0] == t->mark && t->ptr[t->size / 2] == t->mark && t->ptr[t->size - 1] == t->mark;
}

/* Nothing overlaps, and the figures add up, whatever the order. */
static void test_random(void)
{
    static taken all[MANY];
    static const size_t scale[] = {1, 600, 5000, 70000, 900000, 3000000};
    size_t used[2] = {0, 0};
    int n = 0;
    capacity = 256 * MIB;
    for (int step = 0; step < STEPS; step++) {
        bool grow = n == 0 || (n < MANY && random_below(100) < (step % 20000 < 10000 ? 60u : 40u));
        if (grow) {
            taken *t = &all[n];
            void *ptr = NULL;
            t->stream = (int)random_below(4);
            t->size = random_below(2 * scale[random_below(n < 100 ? 6 : 4)]);
            if (tb__pool_alloc(&stream[t->stream], t->size, &ptr) != TB_OK) continue;
            t->ptr = ptr;
            fill(t);
            used[stream[t->stream].device] += t->size ? (t->size + 511) / 512 * 512 : 512;
            n++;
        } else {
            taken *t = &all[random_below((size_t)n)];
            CHECK(intact(t));
            used[stream[t->stream].device] -= t->size ? (t->size + 511) / 512 * 512 : 512;
            give(t->stream, t->ptr);
            *t = all[--n];
        }
        if (step % 1000 == 0) {
            CHECK(stats(0).used_bytes == used[0] && stats(1).used_bytes == used[1]);
            CHECK(stats(0).total_bytes + stats(1).total_bytes <= given);
        }
        if (step % 30000 == 29999) tb__pool_free_all((int)random_below(2));
    }
    while (n > 0) {
        CHECK(intact(&all[--n]));
        give(all[n].stream, all[n].ptr);
    }
    capacity = SIZE_MAX;
    empty();
}

/* ---- streams that are gone, other pools ------------------------------------------------------------------------- */

static void test_inheritance(void)
{
    char *a = take(1, 3 * MIB), *b = take(1, 600);
    give(1, a);
    give(1, b);
    size_t held = stats(0).total_bytes;
    waits = 0;
    tb__pool_stream_end(&stream[1]);
    CHECK(take(2, 3 * MIB) == a && take(2, 600) == b && waits == 1 && stats(0).total_bytes == held);
    give(2, a);
    give(2, b);
    tb__pool_stream_end(&stream[2]);
    empty();
    tb__pool_stream_end(&stream[2]);
}

static void test_pools(void)
{
    tb_pool *p = NULL;
    tb_pool_stats s;
    void *a = NULL, *b = NULL;
    CHECK_OK(tb__pool_new(NULL, &p));
    CHECK_OK(tb__pool_take(p, &stream[0], 1000, &a));
    CHECK_OK(tb__pool_take(p, &stream[3], 1000, &b));
    tb__pool_statistics(p, 0, &s);
    CHECK(s.used_bytes == 1024 && s.total_bytes == 1024 && stats(0).used_bytes == 0 && stats(0).total_bytes == 0);
    tb__pool_set_limit(p, 0, 2048);
    CHECK(tb__pool_has_room(p, 0, 1024) && !tb__pool_has_room(p, 0, 1025) && tb__pool_has_room(NULL, 0, MIB));
    CHECK_FAILS(tb__pool_take(p, &stream[0], 2048, &a), TB_ERR_MEMORY, "limit");
    give(0, a);
    tb__pool_trim(p, 0, &stream[1]);
    tb__pool_statistics(p, 0, &s);
    CHECK(s.free_bytes == 1024);
    tb__pool_trim(p, 0, &stream[0]);
    tb__pool_statistics(p, 0, &s);
    CHECK(s.total_bytes == 0);
    give(3, b);
    tb__pool_end(p);
    empty();
}

/* ---- functions and hooks ---------------------------------------------------------------------------------------- */

static int calls, freed, dropped;

static void free_block(void *ptr)
{
    freed++;
    free(ptr);
}

static void drop(void *arg) { dropped += arg == &calls; }

static tb_status function(void *arg, size_t bytes, tb_buffer **out)
{
    CHECK(arg == &calls && tb__lock_held());
    if (++calls == 3) return TB_ERR_CALLER;
    CHECK_FAILS(tb__may_compute(), TB_ERR_VALUE, "must not compute");
    size_t given_size = calls == 4 ? bytes / 2 : bytes;
    void *ptr = malloc(given_size);
    return tb_buffer_wrap(ptr, given_size, 0, free_block, ptr, out);
}

static void test_functions(void)
{
    tb_allocator *a = NULL, *fed = NULL;
    tb_buffer *b = NULL, *c = NULL;
    void *ptr = NULL;
    tb_pool_stats s;
    CHECK_OK(tb_allocator_from(function, &calls, drop, &a));
    CHECK_OK(tb_buffer_new_in(a, 100, &b));
    CHECK_OK(tb_buffer_data(b, &ptr));
    memset(ptr, 1, 100);
    tb_allocator_use(true, a);
    CHECK_OK(tb_buffer_new(200, &c));
    CHECK(calls == 2 && tb__foreign == 0);
    CHECK(tb_buffer_new(300, &c) == TB_ERR_CALLER && freed == 0);
    CHECK_FAILS(tb_buffer_new(400, &c), TB_ERR_VALUE, "asked for 400 bytes and returned a buffer of 200");
    tb_allocator_use(false, NULL);
    CHECK(freed == 1 && calls == 4 && tb__allocators == 0);
    CHECK_OK(tb_allocator_pool(a, &fed));
    tb_buffer *d = NULL;
    CHECK_OK(tb_buffer_new_in(fed, 1000, &d));
    CHECK_OK(tb_pool_statistics(fed, 0, &s, sizeof s));
    CHECK(calls == 5 && s.used_bytes == 1024);
    CHECK_FAILS(tb_pool_statistics(a, 0, &s, sizeof s), TB_ERR_VALUE, "not a pool");
    tb_buffer_release(b);
    tb_buffer_release(c);
    tb_allocator_release(a);
    CHECK(freed == 3 && dropped == 0);
    tb_allocator_release(fed);
    tb_buffer_release(d);
    CHECK(freed == 4 && dropped == 1);
    empty();
}

/* Asks for memory without saying of whom, and so itself while it is current. */
static tb_status ask_again(void *arg, size_t bytes, tb_buffer **out)
{
    ++*(int *)arg;
    return tb_buffer_new(bytes, out);
}

static tb_status hook_that_asks(void *arg, const tb_memory_event *e)
{
    tb_buffer *b = NULL;
    ++*(int *)arg;
    if (e->kind == TB_MEMORY_FREE) return TB_OK;
    CHECK_OK(tb_buffer_new(e->size, &b));
    tb_buffer_release(b);
    return TB_OK;
}

static void test_what_would_not_end(void)
{
    tb_allocator *a = NULL;
    tb_buffer *b = NULL;
    int asked = 0, told = 0;
    CHECK_OK(tb_allocator_from(ask_again, &asked, NULL, &a));
    CHECK_OK(tb_buffer_new_in(a, 100, &b));
    tb_buffer_release(b);
    tb_allocator_use(true, a);
    CHECK_FAILS(tb_buffer_new(100, &b), TB_ERR_VALUE, "asked itself");
    CHECK(asked == 2 && tb__foreign == 0);
    tb_allocator_use(false, NULL);
    tb_allocator_release(a);
    tb_memory_hook_set(hook_that_asks, &told);
    CHECK_OK(tb_buffer_new(100, &b));
    tb_memory_hook_set(NULL, NULL);
    CHECK(told >= 2 && told <= 12);
    tb_buffer_release(b);
    empty();
}

static tb_memory_event events[16];
static int nevent, refuse = -1;

static tb_status hook(void *arg, const tb_memory_event *e)
{
    CHECK(arg == events && nevent < 16);
    events[nevent++] = *e;
    return nevent - 1 == refuse ? TB_ERR_CALLER : TB_OK;
}

static void test_hooks(void)
{
    void *ptr = NULL;
    static const tb_memory_event_kind kinds[] = {TB_MEMORY_MALLOC, TB_MEMORY_ALLOC, TB_MEMORY_ALLOC,  TB_MEMORY_MALLOC,
                                                 TB_MEMORY_FREE,   TB_MEMORY_FREE,  TB_MEMORY_MALLOC, TB_MEMORY_MALLOC};
    tb_memory_hook_set(hook, events);
    char *a = take(0, 700);
    give(0, a);
    a = take(0, 600);
    CHECK(nevent == 8);
    for (int i = 0; i < 8; i++) {
        CHECK(events[i].kind == kinds[i] && events[i].mem_size == 1024);
        CHECK(events[i].after == (i == 2 || i == 3 || i == 5 || i == 7));
    }
    CHECK(events[3].size == 700 && events[3].ptr == a && !events[0].ptr && events[3].id == events[5].id);
    tb_memory_hook_set(NULL, NULL);
    give(0, a);
    CHECK(nevent == 8 && tb__hooks == 0);
    for (refuse = 0; refuse < 4; refuse++) { /* each of the four calls of an allocation */
        tb__pool_free_all(0);
        nevent = 0;
        tb_memory_hook_set(hook, events);
        CHECK(tb__pool_alloc(&stream[0], 700, &ptr) == TB_ERR_CALLER && !ptr);
        tb_memory_hook_set(NULL, NULL);
        CHECK(stats(0).used_bytes == 0);
    }
    empty();
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

enum { THREADS = 8, TURNS = 7000, HELD = 40 };

/* Each thread writes its mark into what it gets and finds it there when it gives it back. */
static void *allocate_much(void *arg)
{
    int k = *(int *)arg;
    uint64_t state = (uint64_t)k + 1;
    struct {
        char *ptr;
        size_t size;
    } held[HELD] = {{0}};
    for (int i = 0; i < TURNS + HELD; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        int at = i < TURNS ? (int)(state >> 40) % HELD : i - TURNS;
        tb__lock();
        if (held[at].ptr) {
            CHECK(held[at].ptr[0] == (char)k && held[at].ptr[held[at].size - 1] == (char)k);
            give(k % 3, held[at].ptr);
            held[at].ptr = NULL;
        } else if (i < TURNS) {
            held[at].size = 1 + (size_t)(state >> 33) % (state >> 63 ? 200000 : 3000);
            held[at].ptr = take(k % 3, held[at].size);
            held[at].ptr[0] = held[at].ptr[held[at].size - 1] = (char)k;
        }
        tb__unlock();
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[THREADS];
    int number[THREADS];
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        CHECK(pthread_create(&thread[i], NULL, allocate_much, &number[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    CHECK(stats(0).used_bytes == 0 && stats(0).free_bytes == stats(0).total_bytes);
    empty();
}

int main(void)
{
    setenv("TOMBAC_GPU_MEMORY_LIMIT", "25%", 1);
    tb__backend = &host_memory;
    CHECK(stats(0).limit == 250 * MIB);
    tb__pool_set_limit(NULL, 0, 0);
    tb__pool_set_limit(NULL, 1, 0);
    test_figures();
    test_split_and_join();
    test_best_fit();
    test_small_and_large();
    test_sizes_that_change();
    test_streams();
    test_limit();
    test_running_out();
    test_random();
    test_inheritance();
    test_pools();
    test_hooks();
    test_threads();
    /* With the CPU's own backend: what needs arrays. */
    tb__backend = NULL;
    CHECK_OK(tb_init());
    test_functions();
    test_what_would_not_end();
    return check_report();
}
