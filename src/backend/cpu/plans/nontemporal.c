/* nontemporal.c - bytes from one place to another, also past the cache, for results that it has no room for: memory
 * that is stored to in whole lines is not read first, and what is in the cache stays there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "backend/cpu/plans/plans.h"
#include "backend/cpu/loops/isa.h"
#include "base/environment.h"

#if defined(__SSE2__)
enum { LINE = 64, USUAL_CACHE = 32 << 20 };

static void store_lines(char *dst, const char *src, size_t n)
{
    for (size_t at = 0; at < n; at += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)(dst + at), _mm_loadu_si128((const __m128i *)(const void *)(src + at)));
}

#ifdef TB_HAVE_ISA_AVX512
/* A line is one of the stores that may wait for memory while work goes on, not four. */
__attribute__((target("avx512f"))) static void store_lines_avx512(char *dst, const char *src, size_t n)
{
    for (size_t at = 0; at < n; at += LINE) _mm512_stream_si512((void *)(dst + at), _mm512_loadu_si512(src + at));
}
#endif

static int64_t most; /* that are left to the cache */
static void (*store)(char *dst, const char *src, size_t n) = store_lines;

/* Of the cache that a processor shares with its neighbours; sysconf may tell that of all of them together. */
static int64_t cache_bytes(void)
{
    long long kib = 0;
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    if (!f) return USUAL_CACHE;
    if (fscanf(f, "%lldK", &kib) != 1 || kib <= 0) kib = USUAL_CACHE >> 10;
    fclose(f);
    return kib << 10;
}

bool tb__nontemporal_lines(void) { return tb__cpu_level() == TB_CPU_AVX512; }

static void read_settings(void)
{
    most = tb__environment(TB_ENV_STREAM_BYTES, -1);
    if (most < 0) most = cache_bytes() * 3 / 2;
#ifdef TB_HAVE_ISA_AVX512
    if (tb__nontemporal_lines()) store = store_lines_avx512;
#endif
}

void tb__nontemporal_copy(char *dst, const char *src, size_t n)
{
    const size_t head = -(uintptr_t)dst & (LINE - 1);
    if (n < head + LINE) {
        memcpy(dst, src, n);
        return;
    }
    const size_t lines = (n - head) & ~(size_t)(LINE - 1), tail = n - head - lines;
    memcpy(dst, src, head);
    store(dst + head, src + head, lines);
    memcpy(dst + n - tail, src + n - tail, tail);
}

void tb__nontemporal_end(void) { _mm_sfence(); }

/* Of such lengths C libraries use the instruction that moves bytes, which on some processors takes five times as long
 * where the destination is, but for whole pages, less than a line behind the source. */
static bool slow_for_memcpy(const char *dst, const char *src, size_t n)
{
    enum { PAGE = 4096, LEAST = 1024, MOST = 4 << 20 };
    const uintptr_t behind = ((uintptr_t)dst - (uintptr_t)src) & (PAGE - 1);
    return n >= LEAST && n <= MOST && behind > 0 && behind < LINE;
}

void tb__copy_bytes(char *dst, const char *src, size_t n)
{
    if (!slow_for_memcpy(dst, src, n)) {
        memcpy(dst, src, n);
        return;
    }
    enum { WIDE = sizeof(__m128i) };
    for (size_t at = 0; at + WIDE <= n; at += WIDE)
        _mm_storeu_si128((__m128i *)(void *)(dst + at), _mm_loadu_si128((const __m128i *)(const void *)(src + at)));
    const size_t left = n % WIDE;
    memcpy(dst + n - left, src + n - left, left);
}

/* Memory that is new gets its pages as it is stored to, cleared, which leaves them in the cache. */
static bool has_page(const char *at)
{
    unsigned char state = 1;
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    return mincore((void *)((uintptr_t)at & ~(size - 1)), 1, &state) != 0 || state & 1;
}

bool tb__nontemporal_pays(int64_t bytes, const char *last)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_settings);
    return bytes > most && has_page(last);
}
#else
bool tb__nontemporal_lines(void) { return false; }
void tb__nontemporal_copy(char *dst, const char *src, size_t n) { memcpy(dst, src, n); }
void tb__nontemporal_end(void) {}
void tb__copy_bytes(char *dst, const char *src, size_t n) { memcpy(dst, src, n); }
bool tb__nontemporal_pays(int64_t bytes, const char *last) { return (void)bytes, (void)last, false; }
#endif
