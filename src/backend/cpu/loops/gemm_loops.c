/* gemm_loops.c - products of tiles of integer matrices, compiled once for each instruction set (TB_ISA). */
#include "backend/cpu/loops/gemm_loops.h"
#include "backend/cpu/loops/loops.h"

#include <string.h>

/* Two vectors of sums a row, four rows: eight accumulators and three operands fit sixteen registers. */
#if defined(__AVX512BW__)
enum { VECTOR = 64 };
#elif defined(__AVX2__)
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif
enum { ROWS = TB_GEMM_ROWS };
_Static_assert(2 * VECTOR <= TB_GEMM_COLS_BYTES, "scratch has room for a tile");

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 4")
#endif

#define PLUS(x, y) ((x) + (y))
#define TIMES(x, y) ((x) * (y))
#define OR(x, y) ((x) | (y))
#define AND(x, y) ((x) & (y))

/* T: elements in memory; L: lanes. Both are unsigned. */
#define LOOPS(name, T, L, ADD, MUL)                                                                                    \
    typedef L name##_vector __attribute__((vector_size(VECTOR)));                                                      \
    static inline __attribute__((always_inline)) void name##_pack_as(int64_t k, int64_t n, const T *x, int64_t step,   \
                                                                     int64_t across, int64_t width, L *restrict y)     \
    {                                                                                                                  \
        for (int64_t l = 0; l < k; l++)                                                                                \
            for (int64_t i = 0; i < n; i++) y[l * width + i] = (L)x[l * step + i * across];                            \
    }                                                                                                                  \
    static void name##_pack(int64_t k, int64_t n, const void *from, int64_t step, int64_t across, int64_t width,       \
                            void *to)                                                                                  \
    {                                                                                                                  \
        enum { COLS = 2 * VECTOR / sizeof(L) };                                                                        \
        if (n < width) memset(to, 0, (size_t)(k * width) * sizeof(L));                                                 \
        if (n == ROWS && width == ROWS && step == 1) name##_pack_as(k, ROWS, from, 1, across, ROWS, to);               \
        else if (n == ROWS && width == ROWS && across == 1) name##_pack_as(k, ROWS, from, step, 1, ROWS, to);          \
        else if (n == COLS && width == COLS && across == 1) name##_pack_as(k, COLS, from, step, 1, COLS, to);          \
        else if (across == 1) name##_pack_as(k, n, from, step, 1, width, to);                                          \
        else name##_pack_as(k, n, from, step, across, width, to);                                                      \
    }                                                                                                                  \
    static void name##_tile(int64_t k, const void *pa, const void *pb, void *sums)                                     \
    {                                                                                                                  \
        const L *a = pa;                                                                                               \
        const name##_vector *b = pb;                                                                                   \
        name##_vector s[ROWS][2] = {{{0}}};                                                                            \
        for (int64_t l = 0; l < k; l++, a += ROWS, b += 2) {                                                           \
            const name##_vector left = b[0], right = b[1];                                                             \
            UNROLL for (int i = 0; i < ROWS; i++)                                                                      \
            {                                                                                                          \
                const name##_vector x = (name##_vector){0} + a[i];                                                     \
                s[i][0] = ADD(s[i][0], MUL(x, left));                                                                  \
                s[i][1] = ADD(s[i][1], MUL(x, right));                                                                 \
            }                                                                                                          \
        }                                                                                                              \
        memcpy(sums, s, sizeof s);                                                                                     \
    }                                                                                                                  \
    static void name##_store(int64_t m, int64_t n, const void *sums, void *to, int64_t c_row, bool add)               \
    {                                                                                                                  \
        const L *s = sums;                                                                                             \
        T *c = to;                                                                                                     \
        for (int64_t i = 0; i < m; i++, s += 2 * VECTOR / sizeof(L), c += c_row)                                       \
            if (add)                                                                                                   \
                for (int64_t j = 0; j < n; j++) c[j] = (T)ADD(c[j], s[j]);                                             \
            else                                                                                                       \
                for (int64_t j = 0; j < n; j++) c[j] = (T)s[j];                                                        \
    }

LOOPS(bool, uint8_t, uint8_t, OR, AND)
LOOPS(w8, uint8_t, uint16_t, PLUS, TIMES)
LOOPS(w16, uint16_t, uint16_t, PLUS, TIMES)
LOOPS(w32, uint32_t, uint32_t, PLUS, TIMES)
LOOPS(w64, uint64_t, uint64_t, PLUS, TIMES)

#define ROW(name, L) {sizeof(L), ROWS, 2 * VECTOR / sizeof(L), name##_pack, name##_tile, name##_store}
const tb_gemm_loops TB_ISA_NAME(tb__gemm_loops_, TB_ISA)[TB_GEMM_KINDS] = {
    [TB_GEMM_BOOL] = ROW(bool, uint8_t), [TB_GEMM_8] = ROW(w8, uint16_t),   [TB_GEMM_16] = ROW(w16, uint16_t),
    [TB_GEMM_32] = ROW(w32, uint32_t),   [TB_GEMM_64] = ROW(w64, uint64_t),
};
