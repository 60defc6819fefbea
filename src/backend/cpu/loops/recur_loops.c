/* recur_loops.c - see recur_loops.h. Direct form II transposed: what comes next depends on what was before, so that
 * neighbours in a row cannot be lanes. As many vectors of lanes go side by side as hide each other's latencies and
 * still leave room for states in registers; sections of up to eighth order have loops of their own. */
#include "backend/cpu/loops/recur_loops.h"
#include "backend/cpu/loops/loops.h"

#include <string.h>

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum { WIDTH = 4 /* vectors of lanes */ };

/* ---- real numbers ------------------------------------------------------------------------------------------------ */

/* order K, S vectors at a time; A: 0 where no output comes back. */
#define SECTION(T, K, S, A)                                                                                 \
    static void T##_section_##K##_##S##_##A(T *tile, int64_t count, int n, T *states, const T *c)           \
    {                                                                                                       \
        const T *b = c, *a = c + K + 1;                                                                     \
        for (int from = 0; from * T##_LANES < n; from += S) {                                               \
            T##_vec z[K][S];                                                                                \
            UNROLL for (int i = 0; i < K; i++)                                                              \
                UNROLL for (int v = 0; v < S; v++) z[i][v] = ((T##_vec *)states)[i * WIDTH + from + v];     \
            for (int64_t t = 0; t < count; t++) {                                                           \
                T##_vec *line = (T##_vec *)tile + t * WIDTH + from;                                         \
                UNROLL for (int v = 0; v < S; v++)                                                          \
                {                                                                                           \
                    const T##_vec x = line[v], y = z[0][v] + x * b[0];                                      \
                    line[v] = y;                                                                            \
                    UNROLL for (int i = 0; i + 1 < K; i++)                                                  \
                    {                                                                                       \
                        z[i][v] = z[i + 1][v] + x * b[i + 1];                                               \
                        if (A) z[i][v] -= y * a[i + 1];                                                     \
                    }                                                                                       \
                    z[K - 1][v] = x * b[K];                                                                 \
                    if (A) z[K - 1][v] -= y * a[K];                                                         \
                }                                                                                           \
            }                                                                                               \
            UNROLL for (int i = 0; i < K; i++)                                                              \
                UNROLL for (int v = 0; v < S; v++)((T##_vec *)states)[i * WIDTH + from + v] = z[i][v];      \
        }                                                                                                   \
    }

#define ANY_ORDER(T)                                                                                        \
    static void T##_section_any(T *tile, int64_t count, int n, T *states, const T *c, int order, bool whole) \
    {                                                                                                       \
        const T *b = c, *a = c + order + 1;                                                                 \
        for (int64_t t = 0; t < count; t++)                                                                 \
            for (int v = 0; v * T##_LANES < n; v++) {                                                               \
                T##_vec *line = (T##_vec *)tile + t * WIDTH + v, *z = (T##_vec *)states + v;                \
                const T##_vec x = *line, y = z[0] + x * b[0];                                               \
                *line = y;                                                                                  \
                for (int i = 0; i < order; i++) {                                                           \
                    T##_vec next = x * b[i + 1];                                                            \
                    if (i + 1 < order) next += z[(i + 1) * WIDTH];                                          \
                    if (whole) next -= y * a[i + 1];                                                        \
                    z[i * WIDTH] = next;                                                                    \
                }                                                                                           \
            }                                                                                               \
    }

#define CASE(T, K, S) \
    case K: \
        if (n <= T##_LANES && whole) T##_section_##K##_1_1(tile, count, n, states, c); \
        else if (whole) T##_section_##K##_##S##_1(tile, count, n, states, c); \
        else T##_section_##K##_1_0(tile, count, n, states, c); \
        break;

/* ---- to and from tiles ------------------------------------------------------------------------------------------- */

/* The lower halves of two vectors, element by element in turn, and the upper ones. */
#define INTERLEAVED_2(a, b) __builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3)
#define INTERLEAVED_4(a, b) \
    __builtin_shufflevector(a, b, 0, 4, 1, 5), __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define INTERLEAVED_8(a, b) \
    __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11), \
        __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define INTERLEAVED_16(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), \
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#if BYTES == 64
#define INTERLEAVED_float INTERLEAVED_16
#define INTERLEAVED_double INTERLEAVED_8
#elif BYTES == 32
#define INTERLEAVED_float INTERLEAVED_8
#define INTERLEAVED_double INTERLEAVED_4
#else
#define INTERLEAVED_float INTERLEAVED_4
#define INTERLEAVED_double INTERLEAVED_2
#endif

/* As many lines as a line has elements: perfect shuffles, as often as it takes to put the first half's bits last. */
#define TRANSPOSE(T)                                                                                        \
    static inline __attribute__((always_inline)) void T##_transpose(T##_vec *line)                          \
    {                                                                                                       \
        UNROLL for (int width = 1; width < T##_LANES; width *= 2)                                           \
        {                                                                                                   \
            T##_vec next[T##_LANES];                                                                        \
            UNROLL for (int i = 0; i < T##_LANES / 2; i++)                                                  \
            {                                                                                               \
                const T##_vec both[2] = {INTERLEAVED_##T(line[i], line[i + T##_LANES / 2])};                \
                next[2 * i] = both[0];                                                                      \
                next[2 * i + 1] = both[1];                                                                  \
            }                                                                                               \
            UNROLL for (int i = 0; i < T##_LANES; i++) line[i] = next[i];                                   \
        }                                                                                                   \
    }

/* Squares of a tile and of lanes whose elements follow each other, forward or backward; how many lanes that are. */
#define SQUARES(T)                                                                                          \
    static int T##_load_squares(T *tile, int64_t count, int n, const T *const *at, int64_t step)            \
    {                                                                                                       \
        enum { N = T##_LANES };                                                                             \
        if (step != 1 && step != -1) return 0;                                                              \
        for (int l = 0; l + N <= n; l += N)                                                                 \
            for (int64_t t = 0; t + N <= count; t += N) {                                                   \
                T##_vec line[N];                                                                            \
                const int64_t first = step > 0 ? t : -(t + N - 1);                                          \
                UNROLL for (int i = 0; i < N; i++) memcpy(&line[i], at[l + i] + first, BYTES);              \
                T##_transpose(line);                                                                        \
                T##_vec *to = (T##_vec *)(void *)(tile + t * WIDTH * N + l);                                \
                UNROLL for (int i = 0; i < N; i++) to[(step > 0 ? i : N - 1 - i) * WIDTH] = line[i];        \
            }                                                                                               \
        return n / N * N;                                                                                   \
    }                                                                                                       \
    static int T##_store_squares(const T *tile, int64_t count, int n, T *const *at, int64_t step)           \
    {                                                                                                       \
        enum { N = T##_LANES };                                                                             \
        if (step != 1 && step != -1) return 0;                                                              \
        for (int l = 0; l + N <= n; l += N)                                                                 \
            for (int64_t t = 0; t + N <= count; t += N) {                                                   \
                T##_vec line[N];                                                                            \
                const int64_t first = step > 0 ? t : -(t + N - 1);                                          \
                const T##_vec *from = (const T##_vec *)(const void *)(tile + t * WIDTH * N + l);            \
                UNROLL for (int i = 0; i < N; i++) line[i] = from[(step > 0 ? i : N - 1 - i) * WIDTH];      \
                T##_transpose(line);                                                                        \
                UNROLL for (int i = 0; i < N; i++) memcpy(at[l + i] + first, &line[i], BYTES);              \
            }                                                                                               \
        return n / N * N;                                                                                   \
    }

#define MOVES(T)                                                                                            \
    static bool T##_adjacent(int n, const T *const *at)                                                     \
    {                                                                                                       \
        for (int l = 1; l < n; l++)                                                                         \
            if (at[l] != at[0] + l) return false;                                                           \
        return n > 1;                                                                                       \
    }                                                                                                       \
    static void T##_load(void *to, int64_t count, int n, const void *const *from, int64_t step)             \
    {                                                                                                       \
        enum { COLUMN = WIDTH * T##_LANES };                                                                \
        T *tile = to;                                                                                       \
        const T *const *at = (const T *const *)from;                                                        \
        if (n < COLUMN) memset(tile, 0, (size_t)count * COLUMN * sizeof(T));                                \
        if (T##_adjacent(n, at)) {                                                                          \
            for (int64_t t = 0; t < count; t++)                                                             \
                memcpy(tile + t * COLUMN, at[0] + t * step, (size_t)n * sizeof(T));                         \
            return;                                                                                         \
        }                                                                                                   \
        const int whole = T##_load_squares(tile, count, n, at, step);                                       \
        for (int l = 0; l < n; l++)                                                                         \
            for (int64_t t = l < whole ? count / T##_LANES * T##_LANES : 0; t < count; t++)                 \
                tile[t * COLUMN + l] = at[l][t * step];                                                     \
    }                                                                                                       \
    static void T##_store(const void *from, int64_t count, int n, void *const *to, int64_t step)            \
    {                                                                                                       \
        enum { COLUMN = WIDTH * T##_LANES };                                                                \
        const T *tile = from;                                                                               \
        T *const *at = (T *const *)to;                                                                      \
        if (T##_adjacent(n, (const T *const *)at)) {                                                        \
            for (int64_t t = 0; t < count; t++)                                                             \
                memcpy(at[0] + t * step, tile + t * COLUMN, (size_t)n * sizeof(T));                         \
            return;                                                                                         \
        }                                                                                                   \
        const int whole = T##_store_squares(tile, count, n, at, step);                                      \
        for (int l = 0; l < n; l++)                                                                         \
            for (int64_t t = l < whole ? count / T##_LANES * T##_LANES : 0; t < count; t++)                 \
                at[l][t * step] = tile[t * COLUMN + l];                                                     \
    }

#define REAL(T)                                                                                             \
    typedef T T##_vec __attribute__((vector_size(BYTES), may_alias));                                       \
    enum { T##_LANES = BYTES / sizeof(T) };                                                                 \
    SECTION(T, 1, 1, 0) SECTION(T, 1, 1, 1) SECTION(T, 1, 4, 1)                                             \
    SECTION(T, 2, 1, 0) SECTION(T, 2, 1, 1) SECTION(T, 2, 4, 1)                                             \
    SECTION(T, 3, 1, 0) SECTION(T, 3, 1, 1) SECTION(T, 3, 2, 1)                                             \
    SECTION(T, 4, 1, 0) SECTION(T, 4, 1, 1) SECTION(T, 4, 2, 1)                                             \
    SECTION(T, 5, 1, 0) SECTION(T, 5, 1, 1) SECTION(T, 5, 2, 1)                                             \
    SECTION(T, 6, 1, 0) SECTION(T, 6, 1, 1) SECTION(T, 6, 2, 1)                                             \
    SECTION(T, 7, 1, 0) SECTION(T, 7, 1, 1) SECTION(T, 8, 1, 0) SECTION(T, 8, 1, 1)                         \
    ANY_ORDER(T)                                                                                            \
    TRANSPOSE(T)                                                                                            \
    SQUARES(T)                                                                                              \
    MOVES(T)                                                                                                \
    static void T##_section(void *tile, int64_t count, int n, void *states, const void *c, int order,       \
                            bool whole)                                                                     \
    {                                                                                                       \
        switch (order) {                                                                                    \
            CASE(T, 1, 4) CASE(T, 2, 4) CASE(T, 3, 2) CASE(T, 4, 2)                                         \
            CASE(T, 5, 2) CASE(T, 6, 2) CASE(T, 7, 1) CASE(T, 8, 1)                                         \
        default: T##_section_any(tile, count, n, states, c, order, whole);                                  \
        }                                                                                                   \
    }

/* ---- complex numbers --------------------------------------------------------------------------------------------- */

#define COMPLEX(T)                                                                                          \
    static void T##_complex_section(void *tile, int64_t count, int n, void *states, const void *c, int order, \
                                    bool whole)                                                             \
    {                                                                                                       \
        const T *b = c, *a = b + 2 * (order + 1);                                                           \
        for (int64_t t = 0; t < count; t++)                                                                 \
            for (int v = 0; v * T##_LANES < n; v++) {                                                               \
                T##_vec *line = (T##_vec *)tile + 2 * t * WIDTH + v, *z = (T##_vec *)states + v;            \
                const T##_vec x = line[0], xi = line[WIDTH];                                                \
                const T##_vec y = z[0] + (x * b[0] - xi * b[1]), yi = z[WIDTH] + (x * b[1] + xi * b[0]);    \
                line[0] = y;                                                                                \
                line[WIDTH] = yi;                                                                           \
                for (int i = 1; i <= order; i++, z += 2 * WIDTH) {                                          \
                    const T br = b[2 * i], bi = b[2 * i + 1], ar = a[2 * i], ai = a[2 * i + 1];             \
                    T##_vec re = x * br - xi * bi, im = x * bi + xi * br;                                   \
                    if (i < order) {                                                                        \
                        re += z[2 * WIDTH];                                                                 \
                        im += z[3 * WIDTH];                                                                 \
                    }                                                                                       \
                    if (whole) {                                                                            \
                        re -= y * ar - yi * ai;                                                             \
                        im -= y * ai + yi * ar;                                                             \
                    }                                                                                       \
                    z[0] = re;                                                                              \
                    z[WIDTH] = im;                                                                          \
                }                                                                                           \
            }                                                                                               \
    }                                                                                                       \
    static void T##_complex_load(void *to, int64_t count, int n, const void *const *from, int64_t step)     \
    {                                                                                                       \
        enum { COLUMN = WIDTH * T##_LANES };                                                                \
        T *tile = to;                                                                                       \
        if (n < COLUMN) memset(tile, 0, 2 * (size_t)count * COLUMN * sizeof(T));                            \
        for (int l = 0; l < n; l++)                                                                         \
            for (int64_t t = 0; t < count; t++) {                                                           \
                tile[2 * t * COLUMN + l] = ((const T *)from[l])[2 * t * step];                              \
                tile[(2 * t + 1) * COLUMN + l] = ((const T *)from[l])[2 * t * step + 1];                    \
            }                                                                                               \
    }                                                                                                       \
    static void T##_complex_store(const void *from, int64_t count, int n, void *const *to, int64_t step)    \
    {                                                                                                       \
        enum { COLUMN = WIDTH * T##_LANES };                                                                \
        const T *tile = from;                                                                               \
        for (int l = 0; l < n; l++)                                                                         \
            for (int64_t t = 0; t < count; t++) {                                                           \
                ((T *)to[l])[2 * t * step] = tile[2 * t * COLUMN + l];                                      \
                ((T *)to[l])[2 * t * step + 1] = tile[(2 * t + 1) * COLUMN + l];                            \
            }                                                                                               \
    }

REAL(float)
REAL(double)
COMPLEX(float)
COMPLEX(double)

extern const tb_recur_isa TB_ISA_NAME(tb__recur_, TB_ISA);
const tb_recur_isa TB_ISA_NAME(tb__recur_, TB_ISA) = {{
    {WIDTH * float_LANES, float_section, float_load, float_store},
    {WIDTH * double_LANES, double_section, double_load, double_store},
    {WIDTH * float_LANES, float_complex_section, float_complex_load, float_complex_store},
    {WIDTH * double_LANES, double_complex_section, double_complex_load, double_complex_store},
}};
