/* test_pool.c - the memory pool over a backend of plain host memory: figures, reuse, limits, and running out. */
#include <stdlib.h>

#include "backend/runtime.h"
#include "base/error.h"
#include "check.h"

enum { MANY = 2000, STEPS = 200000 };
static const size_t KIB = 1024, MIB = 1024 * 1024;

/* ---- the backend ---------------------------------------------------------------------------------------------- */

static size_t capacity = SIZE_MAX, given; /* bytes the device has, and has given out */
static int allocations, waits, synchronisations;

typedef struct { size_t size; char pad[504]; } prefix; /* keeps the block's alignment */

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

static tb_status event_new(tb_event *e, bool blocking)
{
    (void)e;
    (void)blocking;
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
    CHECK(s->handle == e->handle);
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
    tb__pool_statistics(device, &s);
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
    tb__pool_set_limit(0, 3 * MIB);
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
    tb__pool_set_limit(0, 0);
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

typedef struct { char *ptr; size_t size; int stream; char mark; } taken;

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

int main(void)
{
    setenv("TOMBAC_GPU_MEMORY_LIMIT", "25%", 1);
    tb__backend = &host_memory;
    CHECK(stats(0).limit == 250 * MIB);
    tb__pool_set_limit(0, 0);
    tb__pool_set_limit(1, 0);
    test_figures();
    test_split_and_join();
    test_best_fit();
    test_small_and_large();
    test_streams();
    test_limit();
    test_running_out();
    test_random();
    return check_report();
}
