/* gemm_loops.c - products of tiles of matrices, compiled once for each instruction set (TB_ISA).
 *
 * A complex product is a real one of twice the depth: an element of A is packed as its real part above its imaginary
 * part, one of B as the square of numbers (re, im; -im, re). */
#include "backend/cpu/loops/gemm_loops.h"
#include "backend/cpu/loops/loops.h"

#include <string.h>
#ifdef __FMA__
#include <immintrin.h>
#endif

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

/* sums + x * v, where x is one number for all lanes. */
#define INTEGER(vector, sums, x, v) ((sums) + ((vector){0} + (x)) * (v))
#define TRUTH(vector, sums, x, v) ((sums) | (((vector){0} + (x)) & (v)))
#if defined(__AVX512F__)
#define SINGLE(vector, sums, x, v) _mm512_fmadd_ps(_mm512_set1_ps(x), v, sums)
#define DOUBLE(vector, sums, x, v) _mm512_fmadd_pd(_mm512_set1_pd(x), v, sums)
#elif defined(__FMA__)
#define SINGLE(vector, sums, x, v) _mm256_fmadd_ps(_mm256_set1_ps(x), v, sums)
#define DOUBLE(vector, sums, x, v) _mm256_fmadd_pd(_mm256_set1_pd(x), v, sums)
#else
#define SINGLE(vector, sums, x, v) ((sums) + (x) * (v))
#define DOUBLE(vector, sums, x, v) ((sums) + (x) * (v))
#endif
#define PLUS(x, y) ((x) + (y))
#define OR(x, y) ((x) | (y))

#define AS_IS(x) (x)
#define IS_TRUE(x) ((x) != 0)

/* T: elements in memory; L: lanes; READ: an element's value. */
#define PACK(name, T, L, READ)                                                                                         \
    static inline __attribute__((always_inline)) void name##_pack_as(int64_t k, int64_t n, const T *x, int64_t step,   \
                                                                     int64_t across, int64_t width, L *restrict y)     \
    {                                                                                                                  \
        for (int64_t l = 0; l < k; l++)                                                                                \
            for (int64_t i = 0; i < n; i++) y[l * width + i] = (L)READ(x[l * step + i * across]);                      \
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
    }

#define PACK_COMPLEX(name, L)                                                                                          \
    static void name##_pack_a(int64_t k, int64_t n, const void *from, int64_t step, int64_t across, int64_t width,     \
                              void *to)                                                                                \
    {                                                                                                                  \
        const L *x = from;                                                                                             \
        L *y = to;                                                                                                     \
        if (n < width) memset(to, 0, (size_t)(2 * k * width) * sizeof(L));                                             \
        for (int64_t l = 0; l < k; l++, y += 2 * width)                                                                \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                const L *number = x + 2 * (l * step + i * across);                                                     \
                y[i] = number[0], y[width + i] = number[1];                                                            \
            }                                                                                                          \
    }                                                                                                                  \
    static void name##_pack_b(int64_t k, int64_t n, const void *from, int64_t step, int64_t across, int64_t width,     \
                              void *to)                                                                                \
    {                                                                                                                  \
        const L *x = from;                                                                                             \
        L *y = to;                                                                                                     \
        if (n < width) memset(to, 0, (size_t)(4 * k * width) * sizeof(L));                                             \
        for (int64_t l = 0; l < k; l++, y += 4 * width)                                                                \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                const L *number = x + 2 * (l * step + i * across);                                                     \
                y[2 * i] = number[0], y[2 * i + 1] = number[1];                                                        \
                y[2 * (width + i)] = -number[1], y[2 * (width + i) + 1] = number[0];                                   \
            }                                                                                                          \
    }

#define TILE(name, L, MULTIPLY_ADD)                                                                                    \
    typedef L name##_vector __attribute__((vector_size(VECTOR)));                                                      \
    static void name##_tile(int64_t k, const void *pa, const void *pb, void *sums)                                     \
    {                                                                                                                  \
        const L *a = pa;                                                                                               \
        const name##_vector *b = pb;                                                                                   \
        name##_vector s[ROWS][2] = {{{0}}};                                                                            \
        for (int64_t l = 0; l < k; l++, a += ROWS, b += 2) {                                                           \
            const name##_vector left = b[0], right = b[1];                                                             \
            UNROLL for (int i = 0; i < ROWS; i++)                                                                      \
            {                                                                                                          \
                s[i][0] = MULTIPLY_ADD(name##_vector, s[i][0], a[i], left);                                            \
                s[i][1] = MULTIPLY_ADD(name##_vector, s[i][1], a[i], right);                                           \
            }                                                                                                          \
        }                                                                                                              \
        memcpy(sums, s, sizeof s);                                                                                     \
    }

/* PARTS: numbers of an element. */
#define STORE(name, T, L, ADD, PARTS)                                                                                  \
    static void name##_store(int64_t m, int64_t n, const void *sums, void *to, int64_t c_row, bool add)               \
    {                                                                                                                  \
        const L *s = sums;                                                                                             \
        T *c = to;                                                                                                     \
        for (int64_t i = 0; i < m; i++, s += 2 * VECTOR / sizeof(L), c += PARTS * c_row)                               \
            if (add)                                                                                                   \
                for (int64_t j = 0; j < PARTS * n; j++) c[j] = (T)ADD(c[j], s[j]);                                     \
            else                                                                                                       \
                for (int64_t j = 0; j < PARTS * n; j++) c[j] = (T)s[j];                                                \
    }

#define LOOPS(name, T, L, READ, MULTIPLY_ADD, ADD)                                                                     \
    PACK(name, T, L, READ)                                                                                             \
    TILE(name, L, MULTIPLY_ADD)                                                                                        \
    STORE(name, T, L, ADD, 1)

/* Lanes of integers are unsigned. */
LOOPS(truth, uint8_t, uint8_t, IS_TRUE, TRUTH, OR)
LOOPS(w8, uint8_t, uint16_t, AS_IS, INTEGER, PLUS)
LOOPS(w16, uint16_t, uint16_t, AS_IS, INTEGER, PLUS)
LOOPS(w32, uint32_t, uint32_t, AS_IS, INTEGER, PLUS)
LOOPS(w64, uint64_t, uint64_t, AS_IS, INTEGER, PLUS)
LOOPS(f32, float, float, AS_IS, SINGLE, PLUS)
LOOPS(f64, double, double, AS_IS, DOUBLE, PLUS)
PACK_COMPLEX(c64, float)
STORE(c64, float, float, PLUS, 2)
PACK_COMPLEX(c128, double)
STORE(c128, double, double, PLUS, 2)

#define ROW(name, L)                                                                                                   \
    {sizeof(L), sizeof(L), 1, ROWS, 2 * VECTOR / sizeof(L), name##_pack, name##_pack, name##_tile, name##_store}
#define COMPLEX(name, real, L)                                                                                         \
    {2 * sizeof(L), 4 * sizeof(L), 2, ROWS, VECTOR / sizeof(L), name##_pack_a, name##_pack_b, real##_tile, name##_store}
const tb_gemm_loops TB_ISA_NAME(tb__gemm_loops_, TB_ISA)[TB_GEMM_KINDS] = {
    [TB_GEMM_BOOL] = ROW(truth, uint8_t),
    [TB_GEMM_8] = ROW(w8, uint16_t),
    [TB_GEMM_16] = ROW(w16, uint16_t),
    [TB_GEMM_32] = ROW(w32, uint32_t),
    [TB_GEMM_64] = ROW(w64, uint64_t),
    [TB_GEMM_F32] = ROW(f32, float),
    [TB_GEMM_F64] = ROW(f64, double),
    [TB_GEMM_C64] = COMPLEX(c64, f32, float),
    [TB_GEMM_C128] = COMPLEX(c128, f64, double),
};
