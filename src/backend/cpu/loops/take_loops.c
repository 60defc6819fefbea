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

#define TAKE(N)                                                                                                   \
    static bool take_##N(int64_t n, const int64_t *index, int64_t length, const char *base, char *restrict to)    \
    {                                                                                                             \
        if (is_outside(n, index, length)) return false;                                                           \
        for (int64_t k = 0; k < n; k++) memcpy(to + k * N, base + index[k] * N, N);                               \
        return true;                                                                                              \
    }                                                                                                             \
    static bool put_##N(int64_t n, const int64_t *index, int64_t length, char *base, const char *from)            \
    {                                                                                                             \
        if (is_outside(n, index, length)) return false;                                                           \
        for (int64_t k = 0; k < n; k++) memcpy(base + index[k] * N, from + k * N, N);                             \
        return true;                                                                                              \
    }
TAKE(1)
TAKE(2)
TAKE(4)
TAKE(8)
TAKE(16)

tb_take_loop *const TB_ISA_NAME(tb__take_loops_, TB_ISA)[TB_TAKE_SIZES] = {take_1, take_2, take_4, take_8, take_16};
tb_put_loop *const TB_ISA_NAME(tb__put_loops_, TB_ISA)[TB_TAKE_SIZES] = {put_1, put_2, put_4, put_8, put_16};
