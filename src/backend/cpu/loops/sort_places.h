/* sort_places.h - numbers of 64 bits that follow each other, for sort_network.h: those whose lanes are in a set are
 * stored side by side. */
#ifndef TB_BACKEND_CPU_LOOPS_SORT_PLACES_H
#define TB_BACKEND_CPU_LOOPS_SORT_PLACES_H
#include <immintrin.h>

#ifdef __AVX512F__
enum { WIDE_LANES = 8 };

/* first + l for each lane l in m, of which WIDE_LANES bits count, to `to`, where a vector may be written; how many. */
static inline int put_places(int64_t *to, int64_t first, unsigned m)
{
    const __m512i all = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)m, all));
    return __builtin_popcount(m & 0xff);
}
#else
#include "backend/cpu/loops/sort_grouping.h"

enum { WIDE_LANES = 4 };

static inline int put_places(int64_t *to, int64_t first, unsigned m)
{
    const __m256i all = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_set_epi64x(3, 2, 1, 0));
    const __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)&grouping_64[m & 0xf]);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(all, _mm256_cvtepu8_epi32(order)));
    return __builtin_popcount(m & 0xf);
}
#endif
#endif
