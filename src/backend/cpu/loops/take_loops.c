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

enum { TOGETHER = 64 };

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
/* A column after the other, of so many rows that the cache keeps: rows of few elements would be loops of few steps. */
#define COLUMNS(N)                                                                                                \
    static void columns_##N(int64_t rows, int64_t n, const int64_t *where, const char *base, int64_t stride,      \
                            char *restrict to)                                                                    \
    {                                                                                                             \
        for (int64_t r = 0; r < rows; r += TOGETHER) {                                                            \
            const int64_t some = rows - r < TOGETHER ? rows - r : TOGETHER;                                       \
            for (int64_t k = 0; k < n; k++) {                                                                     \
                const char *from = base + r * stride + where[k];                                                  \
                char *into = to + (r * n + k) * N;                                                                \
                _Pragma("GCC unroll 4") for (int64_t i = 0; i < some; i++)                                        \
                    memcpy(into + i * n * N, from + i * stride, N);                                               \
            }                                                                                                     \
        }                                                                                                         \
    }
TAKE(1)
TAKE(2)
TAKE(4)
TAKE(8)
TAKE(16)
#define PUT_COLUMNS(N)                                                                                            \
    static void put_columns_##N(int64_t rows, int64_t n, const int64_t *where, char *base, int64_t stride,        \
                                const char *from, int64_t pitch)                                                  \
    {                                                                                                             \
        for (int64_t r = 0; r < rows; r += TOGETHER) {                                                            \
            const int64_t some = rows - r < TOGETHER ? rows - r : TOGETHER;                                       \
            for (int64_t k = 0; k < n; k++) {                                                                     \
                char *to = base + r * stride + where[k];                                                          \
                const char *source = from + r * pitch + k * N;                                                    \
                _Pragma("GCC unroll 4") for (int64_t i = 0; i < some; i++)                                        \
                    memcpy(to + i * stride, source + i * pitch, N);                                               \
            }                                                                                                     \
        }                                                                                                         \
    }
PUT_COLUMNS(1)
PUT_COLUMNS(2)
PUT_COLUMNS(4)
PUT_COLUMNS(8)
PUT_COLUMNS(16)
COLUMNS(1)
COLUMNS(2)
COLUMNS(4)
COLUMNS(8)
COLUMNS(16)

tb_take_loop *const TB_ISA_NAME(tb__take_loops_, TB_ISA)[TB_TAKE_SIZES] = {take_1, take_2, take_4, take_8, take_16};
tb_put_loop *const TB_ISA_NAME(tb__put_loops_, TB_ISA)[TB_TAKE_SIZES] = {put_1, put_2, put_4, put_8, put_16};
tb_columns_loop *const TB_ISA_NAME(tb__columns_loops_, TB_ISA)[TB_TAKE_SIZES] = {columns_1, columns_2, columns_4,
                                                                                 columns_8, columns_16};
tb_put_columns_loop *const TB_ISA_NAME(tb__put_columns_loops_, TB_ISA)[TB_TAKE_SIZES] = {
    put_columns_1, put_columns_2, put_columns_4, put_columns_8, put_columns_16};
