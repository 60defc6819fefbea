/* random_lanes.h - Philox 4x32 with 10 rounds for several blocks at a time, one to a 64-bit lane. */
#ifndef TB_BACKEND_CPU_LOOPS_RANDOM_LANES_H
#define TB_BACKEND_CPU_LOOPS_RANDOM_LANES_H
#include <stdint.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* PRODUCT: of the lower halves of the lanes; upper halves are ignored. EVEN_PAIRS, ODD_PAIRS: x[0], y[0], x[2] ... and
 * x[1], y[1], x[3] ...; one instruction each, where neighbours' pairs would take two. */
#if defined(__AVX512F__)
enum { LANES = 8 };
typedef uint64_t lanes __attribute__((vector_size(64)));
typedef uint32_t lanes_of_32 __attribute__((vector_size(64)));
#define PRODUCT(x, y) ((lanes)_mm512_mul_epu32((__m512i)(x), (__m512i)(y)))
#define EVEN_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD_PAIRS(x, y) __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15)
#elif defined(__AVX2__)
enum { LANES = 4 };
typedef uint64_t lanes __attribute__((vector_size(32)));
typedef uint32_t lanes_of_32 __attribute__((vector_size(32)));
#define PRODUCT(x, y) ((lanes)_mm256_mul_epu32((__m256i)(x), (__m256i)(y)))
#define EVEN_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 4, 2, 6)
#define ODD_PAIRS(x, y) __builtin_shufflevector(x, y, 1, 5, 3, 7)
#elif defined(__x86_64__)
enum { LANES = 2 };
typedef uint64_t lanes __attribute__((vector_size(16)));
typedef uint32_t lanes_of_32 __attribute__((vector_size(16)));
#define PRODUCT(x, y) ((lanes)_mm_mul_epu32((__m128i)(x), (__m128i)(y)))
#define EVEN_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 2)
#define ODD_PAIRS(x, y) __builtin_shufflevector(x, y, 1, 3)
#else
enum { LANES = 2 };
typedef uint64_t lanes __attribute__((vector_size(16)));
typedef uint32_t lanes_of_32 __attribute__((vector_size(16)));
#define PRODUCT(x, y) (((x)&0xffffffffu) * (y))
#define EVEN_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 2)
#define ODD_PAIRS(x, y) __builtin_shufflevector(x, y, 1, 3)
#endif

/* A vector of counters on their way: their words, in the lower halves, and the keys of the next round, in both. */
typedef struct tb_lanes_state {
    lanes w0, w1, w2, w3, key;
} tb_lanes_state;

/* Both keys at once go to the next round. */
static inline lanes tb_lanes_next_key(lanes key)
{
    const uint64_t step = (uint64_t)0xbb67ae85u << 32 | 0x9e3779b9u;
    return (lanes)((lanes_of_32)key + (lanes_of_32)((lanes){0} + step));
}

/* What is known before the product is, which GCC would group anew: a round would wait for one instruction more. Those
 * of AVX-512 take three operands. */
static inline lanes tb_lanes_early(lanes x)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    __asm__("" : "+x"(x));
#endif
    return x;
}

static inline void tb_lanes_round(tb_lanes_state *s)
{
    const lanes zero = {0}, m0 = zero + 0xd2511f53u, m1 = zero + 0xcd9e8d57u;
    const lanes p0 = PRODUCT(s->w0, m0), p1 = PRODUCT(s->w2, m1);
    s->w0 = (p1 >> 32) ^ tb_lanes_early(s->w1 ^ s->key);
    s->w1 = p1;
    s->w2 = (p0 >> 32) ^ tb_lanes_early(s->w3 ^ s->key >> 32);
    s->w3 = p0;
    s->key = tb_lanes_next_key(s->key);
}

#ifdef __clang__
#define ALL_ROUNDS _Pragma("clang loop unroll(full)")
#else
#define ALL_ROUNDS _Pragma("GCC unroll 10")
#endif

/* Several by turns, as a round waits for the one before. */
static inline __attribute__((always_inline)) void tb_lanes_encrypt(int n, tb_lanes_state *s)
{
    ALL_ROUNDS for (int round = 0; round < 10; round++)
    {
        ALL_ROUNDS for (int j = 0; j < n; j++) tb_lanes_round(&s[j]);
    }
}

/* Words of 64 bits, of the lower halves of x and y. */
static inline lanes tb_lanes_joined(lanes x, lanes y)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    return (lanes)_mm256_blend_epi32((__m256i)x, (__m256i)(y << 32), 0xaa);
#else
    const lanes zero = {0}, low = zero + 0xffffffffu;
    return (x & low) | y << 32;
#endif
}

static inline lanes tb_lanes_even(const tb_lanes_state *s) { return tb_lanes_joined(s->w0, s->w1); }
static inline lanes tb_lanes_odd(const tb_lanes_state *s) { return tb_lanes_joined(s->w2, s->w3); }

/* The upper words of products of 64 bits each. */
static inline lanes tb_lanes_product_high(lanes x, uint64_t y)
{
    const lanes zero = {0}, low = zero + 0xffffffffu, yl = zero + (y & 0xffffffffu), yh = zero + (y >> 32);
    const lanes xh = x >> 32, middle = PRODUCT(xh, yl) + (PRODUCT(x, yl) >> 32);
    return PRODUCT(xh, yh) + (middle >> 32) + ((PRODUCT(x, yh) + (middle & low)) >> 32);
}

/* The same of a factor of 32 bits. */
static inline lanes tb_lanes_product_high_32(lanes x, uint32_t y)
{
    const lanes zero = {0}, factor = zero + y;
    return (PRODUCT(x >> 32, factor) + (PRODUCT(x, factor) >> 32)) >> 32;
}

/* Bits that say which of 16 numbers are NaN. */
static inline uint32_t tb_nan_bits_f64(const double *x)
{
#if defined(__AVX512F__)
    const __m512d a = _mm512_loadu_pd(x), b = _mm512_loadu_pd(x + 8);
    return (uint32_t)_mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q) | (uint32_t)_mm512_cmp_pd_mask(b, b, _CMP_UNORD_Q) << 8;
#else
    uint32_t bits = 0;
    for (int k = 0; k < 16; k += 4) {
#ifdef __AVX2__
        const __m256d a = _mm256_loadu_pd(x + k);
        bits |= (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, a, _CMP_UNORD_Q)) << k;
#else
        for (int j = k; j < k + 4; j++) bits |= (uint32_t)(x[j] != x[j]) << j;
#endif
    }
    return bits;
#endif
}

static inline uint32_t tb_nan_bits_f32(const float *x)
{
#if defined(__AVX512F__)
    const __m512 a = _mm512_loadu_ps(x);
    return (uint32_t)_mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
#else
    uint32_t bits = 0;
    for (int k = 0; k < 16; k += 8) {
#ifdef __AVX2__
        const __m256 a = _mm256_loadu_ps(x + k);
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, a, _CMP_UNORD_Q)) << k;
#else
        for (int j = k; j < k + 8; j++) bits |= (uint32_t)(x[j] != x[j]) << j;
#endif
    }
    return bits;
#endif
}
#endif
