/* sort_vector.h - the vectors of KEY that sort_keys.h computes with, for the instruction set that is compiled for.
 *
 * Included with KEY (int32_t, int64_t, or float or double where FLOATS is 1), BITS (its width) and NAME(x). Defines
 * VEC, LANES, MASK (a set of lanes) and
 *   LOAD STORE SET1 MIN MAX  as their names say
 *   EXCHANGE(a, b)           a has the smaller of both then, b the larger
 *   MAX_IN(m, a, b)          lanes of the constant set m have the larger, others the smaller of both
 *   LESS(a, b)               the set of lanes where a < b
 *   FRONT(p, v, m)           lanes in m to p; LANES may be written there
 *   PART(v, m, lo, hi)       lanes in m to where lo points, others to where hi ends; LANES may be written at both */
#include <immintrin.h>
#if !defined(__AVX512F__)
#include "backend/cpu/loops/sort_grouping.h"
#endif

#if defined(__AVX512F__)
#define VEC __m512i
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
/* FRONT_ONLY compresses in a register: compressing to memory runs microcode on Zen 4. */
#if BITS == 32
#define LANES 16
#define MASK __mmask16
#if FLOATS
#define AS(x) _mm512_castsi512_ps(x)
#define SET1(x) _mm512_castps_si512(_mm512_set1_ps(x))
#define MIN(a, b) _mm512_castps_si512(_mm512_min_ps(AS(a), AS(b)))
#define MAX(a, b) _mm512_castps_si512(_mm512_max_ps(AS(a), AS(b)))
#define MAX_IN(m, a, b) _mm512_castps_si512(_mm512_mask_max_ps(AS(MIN(a, b)), (MASK)(m), AS(a), AS(b)))
#define LESS(a, b) _mm512_cmp_ps_mask(AS(a), AS(b), _CMP_LT_OQ)
#else
#define SET1(x) _mm512_set1_epi32(x)
#define MIN(a, b) _mm512_min_epi32(a, b)
#define MAX(a, b) _mm512_max_epi32(a, b)
#define MAX_IN(m, a, b) _mm512_mask_max_epi32(MIN(a, b), (MASK)(m), a, b)
#define LESS(a, b) _mm512_cmplt_epi32_mask(a, b)
#endif
#define FRONT(p, v, m) STORE(p, _mm512_maskz_compress_epi32((MASK)(m), v))
#define FRONT_ONLY(p, v, m) \
    _mm512_mask_storeu_epi32((void *)(p), (MASK)((1u << __builtin_popcount((MASK)(m))) - 1), \
                             _mm512_maskz_compress_epi32((MASK)(m), v))
#else
#define LANES 8
#define MASK __mmask8
#if FLOATS
#define AS(x) _mm512_castsi512_pd(x)
#define SET1(x) _mm512_castpd_si512(_mm512_set1_pd(x))
#define MIN(a, b) _mm512_castpd_si512(_mm512_min_pd(AS(a), AS(b)))
#define MAX(a, b) _mm512_castpd_si512(_mm512_max_pd(AS(a), AS(b)))
#define MAX_IN(m, a, b) _mm512_castpd_si512(_mm512_mask_max_pd(AS(MIN(a, b)), (MASK)(m), AS(a), AS(b)))
#define LESS(a, b) _mm512_cmp_pd_mask(AS(a), AS(b), _CMP_LT_OQ)
#else
#define SET1(x) _mm512_set1_epi64(x)
#define LESS(a, b) _mm512_cmplt_epi64_mask(a, b)
#define MIN(a, b) _mm512_min_epi64(a, b)
#define MAX_IN(m, a, b) _mm512_mask_max_epi64(MIN(a, b), (MASK)(m), a, b)
/* Finding the smaller of 64 bits may take twice as long as other instructions; the larger is what is left. */
#define EXCHANGE(a, b)                                           \
    do {                                                         \
        const VEC low_ = MIN(a, b);                              \
        (b) = _mm512_ternarylogic_epi64(a, b, low_, 0x96); /* ^ */ \
        (a) = low_;                                              \
    } while (0)
#endif
#define FRONT(p, v, m) STORE(p, _mm512_maskz_compress_epi64((MASK)(m), v))
#define FRONT_ONLY(p, v, m) \
    _mm512_mask_storeu_epi64((void *)(p), (MASK)((1u << __builtin_popcount((MASK)(m))) - 1), \
                             _mm512_maskz_compress_epi64((MASK)(m), v))
#endif
#define PART(v, m, lo, hi)                                         \
    do {                                                           \
        FRONT(lo, v, m);                                           \
        FRONT_ONLY((hi) - (LANES - __builtin_popcount(m)), v, ~m); \
    } while (0)

#else
#define VEC __m256i
#define MASK unsigned
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#if BITS == 32
#define LANES 8
#define ORDERS grouping_32
#define MAX_IN(m, a, b) _mm256_blend_epi32(MIN(a, b), MAX(a, b), m)
#if FLOATS
#define AS(x) _mm256_castsi256_ps(x)
#define SET1(x) _mm256_castps_si256(_mm256_set1_ps(x))
#define MIN(a, b) _mm256_castps_si256(_mm256_min_ps(AS(a), AS(b)))
#define MAX(a, b) _mm256_castps_si256(_mm256_max_ps(AS(a), AS(b)))
#define LESS(a, b) (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(AS(a), AS(b), _CMP_LT_OQ))
#else
#define SET1(x) _mm256_set1_epi32(x)
#define MIN(a, b) _mm256_min_epi32(a, b)
#define MAX(a, b) _mm256_max_epi32(a, b)
#define LESS(a, b) (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)))
#endif
#else
#define LANES 4
#define ORDERS grouping_64
#define MAX_IN(m, a, b) _mm256_blend_epi32(MIN(a, b), MAX(a, b), PAIRS(m))
#if FLOATS
#define AS(x) _mm256_castsi256_pd(x)
#define SET1(x) _mm256_castpd_si256(_mm256_set1_pd(x))
#define MIN(a, b) _mm256_castpd_si256(_mm256_min_pd(AS(a), AS(b)))
#define MAX(a, b) _mm256_castpd_si256(_mm256_max_pd(AS(a), AS(b)))
#define LESS(a, b) (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(AS(a), AS(b), _CMP_LT_OQ))
#else
#define SET1(x) _mm256_set1_epi64x(x)
#define ABOVE(a, b) _mm256_cmpgt_epi64(a, b)
#define MIN(a, b) _mm256_blendv_epi8(a, b, ABOVE(a, b))
#define MAX(a, b) _mm256_blendv_epi8(b, a, ABOVE(a, b))
#define LESS(a, b) (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(ABOVE(b, a)))
#endif
#endif
/* Lanes in m, then the others. */
static inline __m256i NAME(grouped)(__m256i v, unsigned m)
{
    const __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)&ORDERS[m]);
    return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
}
#define FRONT(p, v, m) STORE(p, NAME(grouped)(v, m))
#define PART(v, m, lo, hi)                       \
    do {                                         \
        const VEC both = NAME(grouped)(v, m);    \
        STORE(lo, both);                         \
        STORE((hi) - LANES, both);               \
    } while (0)
#endif

#ifndef EXCHANGE
#define EXCHANGE(a, b)              \
    do {                            \
        const VEC low_ = MIN(a, b); \
        (b) = MAX(a, b);            \
        (a) = low_;                 \
    } while (0)
#endif

typedef KEY NAME(lanes) __attribute__((vector_size(sizeof(VEC))));
/* The lanes of a and b whose numbers OF(l, x) gives; those of b follow a's. */
#if LANES == 16
#define SHUFFLE(a, b, OF, x)                                                                                      \
    (VEC) __builtin_shufflevector((NAME(lanes))(a), (NAME(lanes))(b), OF(0, x), OF(1, x), OF(2, x), OF(3, x),     \
                                  OF(4, x), OF(5, x), OF(6, x), OF(7, x), OF(8, x), OF(9, x), OF(10, x),          \
                                  OF(11, x), OF(12, x), OF(13, x), OF(14, x), OF(15, x))
#elif LANES == 8
#define SHUFFLE(a, b, OF, x)                                                                                  \
    (VEC) __builtin_shufflevector((NAME(lanes))(a), (NAME(lanes))(b), OF(0, x), OF(1, x), OF(2, x), OF(3, x), \
                                  OF(4, x), OF(5, x), OF(6, x), OF(7, x))
#else
#define SHUFFLE(a, b, OF, x) \
    (VEC) __builtin_shufflevector((NAME(lanes))(a), (NAME(lanes))(b), OF(0, x), OF(1, x), OF(2, x), OF(3, x))
#endif
