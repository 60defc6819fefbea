/* random_lanes.h - Philox 4x32 with 10 rounds for several blocks at a time, one to a 64-bit lane. */
#ifndef TB_BACKEND_CPU_LOOPS_RANDOM_LANES_H
#define TB_BACKEND_CPU_LOOPS_RANDOM_LANES_H
#include <stdint.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* PRODUCT: of the lower halves of the lanes; upper halves are ignored. FIRST_PAIRS, LAST_PAIRS: x[0], y[0], x[1]... */
#if defined(__AVX512F__)
enum { LANES = 8 };
typedef uint64_t lanes __attribute__((vector_size(64)));
#define PRODUCT(x, y) ((lanes)_mm512_mul_epu32((__m512i)(x), (__m512i)(y)))
#define FIRST_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define LAST_PAIRS(x, y) __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)
#elif defined(__AVX2__)
enum { LANES = 4 };
typedef uint64_t lanes __attribute__((vector_size(32)));
#define PRODUCT(x, y) ((lanes)_mm256_mul_epu32((__m256i)(x), (__m256i)(y)))
#define FIRST_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 4, 1, 5)
#define LAST_PAIRS(x, y) __builtin_shufflevector(x, y, 2, 6, 3, 7)
#elif defined(__x86_64__)
enum { LANES = 2 };
typedef uint64_t lanes __attribute__((vector_size(16)));
#define PRODUCT(x, y) ((lanes)_mm_mul_epu32((__m128i)(x), (__m128i)(y)))
#define FIRST_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 2)
#define LAST_PAIRS(x, y) __builtin_shufflevector(x, y, 1, 3)
#else
enum { LANES = 2 };
typedef uint64_t lanes __attribute__((vector_size(16)));
#define PRODUCT(x, y) (((x)&0xffffffffu) * (y))
#define FIRST_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 2)
#define LAST_PAIRS(x, y) __builtin_shufflevector(x, y, 1, 3)
#endif

/* The counter's words, of which c3 alone has to have no upper half, encrypted with keys that have none: as words of 64
 * bits. */
static inline void tb_lanes_philox(lanes k0, lanes k1, lanes c0, lanes c1, lanes c3, lanes *even, lanes *odd)
{
    const lanes zero = {0}, low = zero + 0xffffffffu, m0 = zero + 0xd2511f53u, m1 = zero + 0xcd9e8d57u;
    lanes w0 = c0, w1 = c1, w2 = zero, w3 = c3;
    for (int round = 0; round < 10; round++) {
        const lanes p0 = PRODUCT(w0, m0), p1 = PRODUCT(w2, m1);
        w0 = (p1 >> 32) ^ w1 ^ k0;
        w1 = p1;
        w2 = (p0 >> 32) ^ w3 ^ k1;
        w3 = p0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    *even = (w0 & low) | w1 << 32;
    *odd = (w2 & low) | w3 << 32;
}

/* The upper words of products of 64 bits each. */
static inline lanes tb_lanes_product_high(lanes x, uint64_t y)
{
    const lanes zero = {0}, low = zero + 0xffffffffu, yl = zero + (y & 0xffffffffu), yh = zero + (y >> 32);
    const lanes xh = x >> 32, middle = PRODUCT(xh, yl) + (PRODUCT(x, yl) >> 32);
    return PRODUCT(xh, yh) + (middle >> 32) + ((PRODUCT(x, yh) + (middle & low)) >> 32);
}
#endif
