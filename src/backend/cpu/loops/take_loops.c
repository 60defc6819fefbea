/* take_loops.c - indices are looked over first, in vectors: then nothing stands between an index and its element. */
#include "backend/cpu/loops/take_loops.h"

#include <string.h>

#include "backend/cpu/loops/loops.h"

/* Whether one of the n indices is not in [0, length). */
static inline bool is_outside(int64_t n, const int64_t *index, int64_t length)
{
    int64_t outside = 0;
    for (int64_t k = 0; k < n; k++) outside |= index[k] | (length - 1 - index[k]);
    return outside < 0;
}

/* Of less than a word eight at a time: compilers build vectors of such elements else, which takes longer. */
#define EACH(N, DO)                                          \
    {                                                        \
        int64_t k = 0;                                       \
        for (const int64_t whole = N < 8 ? n - 7 : 0; k < whole; k += 8) { \
            _Pragma("GCC unroll 8") for (int j = 0; j < 8; j++) DO(N, k + j); \
        }                                                    \
        for (; k < n; k++) DO(N, k);                         \
    }
#define TAKE_ONE(N, k) memcpy(to + (k) * N, base + index[k] * N, N)
#define PUT_ONE(N, k)  memcpy(base + index[k] * N, from + (k) * N, N)

#define TAKE(N)                                                                                                   \
    static bool take_##N(int64_t n, const int64_t *index, int64_t length, const char *base, char *restrict to)    \
    {                                                                                                             \
        if (is_outside(n, index, length)) return false;                                                           \
        EACH(N, TAKE_ONE)                                                                                         \
        return true;                                                                                              \
    }                                                                                                             \
    static bool put_##N(int64_t n, const int64_t *index, int64_t length, char *base, const char *from)            \
    {                                                                                                             \
        if (is_outside(n, index, length)) return false;                                                           \
        EACH(N, PUT_ONE)                                                                                          \
        return true;                                                                                              \
    }
TAKE(1)
TAKE(2)
TAKE(4)
TAKE(8)
TAKE(16)

tb_take_loop *const TB_ISA_NAME(tb__take_loops_, TB_ISA)[TB_TAKE_SIZES] = {take_1, take_2, take_4, take_8, take_16};
tb_put_loop *const TB_ISA_NAME(tb__put_loops_, TB_ISA)[TB_TAKE_SIZES] = {put_1, put_2, put_4, put_8, put_16};
