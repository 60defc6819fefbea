/* sort_grouping.h - for each set of lanes the permutation of eight lanes of 32 bits that brings those in it to the
 * front: their numbers, a byte each, in ascending order, then those of the others. For sort_vector.h, with AVX2. */
#ifndef TB_BACKEND_CPU_LOOPS_SORT_GROUPING_H
#define TB_BACKEND_CPU_LOOPS_SORT_GROUPING_H
#include <stdint.h>

/* Lane l before the rest, if it is in m. */
#define TAKE(m, l, rest) ((rest) * ((m) >> (l) & 1 ? 256 : 1) + ((m) >> (l) & 1 ? (l) : 0))
#define TAKE_4(m, l, rest) TAKE(m, l, TAKE(m, (l) + 1, TAKE(m, (l) + 2, TAKE(m, (l) + 3, rest))))
#define TAKE_8(m, rest)    TAKE_4(m, 0, TAKE_4(m, 4, rest))
#define GROUPING(m)        TAKE_8((m), TAKE_8(~(m), UINT64_C(0)))

#define GROUPINGS_4(m)  GROUPING(m), GROUPING((m) + 1), GROUPING((m) + 2), GROUPING((m) + 3)
#define GROUPINGS_16(m) GROUPINGS_4(m), GROUPINGS_4((m) + 4), GROUPINGS_4((m) + 8), GROUPINGS_4((m) + 12)
#define GROUPINGS_64(m) GROUPINGS_16(m), GROUPINGS_16((m) + 16), GROUPINGS_16((m) + 32), GROUPINGS_16((m) + 48)

static const uint64_t grouping_32[256] = {GROUPINGS_64(0), GROUPINGS_64(64), GROUPINGS_64(128), GROUPINGS_64(192)};

/* Four lanes of 64 bits are pairs of those. */
#define PAIRS(m)    (((m)&1) * 3 | ((m)&2) * 6 | ((m)&4) * 12 | ((m)&8) * 24)
#define OF_PAIRS(m) GROUPING(PAIRS(m))
#define OF_PAIRS_4(m) OF_PAIRS(m), OF_PAIRS((m) + 1), OF_PAIRS((m) + 2), OF_PAIRS((m) + 3)

static const uint64_t grouping_64[16] = {OF_PAIRS_4(0), OF_PAIRS_4(4), OF_PAIRS_4(8), OF_PAIRS_4(12)};

#undef TAKE
#undef TAKE_4
#undef TAKE_8
#undef GROUPING
#undef GROUPINGS_4
#undef GROUPINGS_16
#undef GROUPINGS_64
#undef OF_PAIRS
#undef OF_PAIRS_4
#endif
