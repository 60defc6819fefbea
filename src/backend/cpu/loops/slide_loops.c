/* slide_loops.c - see slide_loops.h. Neighbours in the result are lanes, so that a sum's terms are added one after the
 * other, in runs of which the sums are added: with any instruction set the same. */
#include "backend/cpu/loops/slide_loops.h"
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
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum { RUN = 512, WIDTH = 8 };

#define VECTORS(T)                                                                        \
    typedef T T##_vec __attribute__((vector_size(BYTES)));                                \
    typedef T T##_any __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias)); \
    enum { T##_LANES = BYTES / sizeof(T) };

/* A tile of eight vectors of sums. */
#define REAL(name, T)                                                                                       \
    static void name(const void *from, const void *weights, int64_t k, void *to)                            \
    {                                                                                                       \
        const T *a = from, *w = weights;                                                                    \
        T##_vec total[WIDTH] = {{0}};                                                                       \
        for (int64_t first = 0; first < k; first += RUN) {                                                  \
            const int64_t last = k - first < RUN ? k : first + RUN;                                         \
            T##_vec sum[WIDTH] = {{0}};                                                                     \
            for (int64_t j = first; j < last; j++) {                                                        \
                const T##_vec one = w[j] - (T##_vec){0};                                                    \
                UNROLL for (int i = 0; i < WIDTH; i++)                                                      \
                    sum[i] += *(const T##_any *)(const void *)(a + j + i * T##_LANES) * one;                \
            }                                                                                               \
            UNROLL for (int i = 0; i < WIDTH; i++) total[i] += sum[i];                                      \
        }                                                                                                   \
        memcpy(to, total, sizeof total);                                                                    \
    }

/* Both parts of the elements by a real number, and by an imaginary one, whose products change places at the end. */
#define COMPLEX(name, T)                                                                                    \
    static void name(const void *from, const void *weights, int64_t k, void *to)                            \
    {                                                                                                       \
        const T *a = from, *w = weights;                                                                    \
        enum { HALF = WIDTH / 2 };                                                                          \
        T##_vec total[2][HALF] = {{{0}}};                                                                   \
        for (int64_t first = 0; first < k; first += RUN) {                                                  \
            const int64_t last = k - first < RUN ? k : first + RUN;                                         \
            T##_vec by_re[HALF] = {{0}}, by_im[HALF] = {{0}};                                               \
            for (int64_t j = first; j < last; j++) {                                                        \
                const T##_vec re = w[2 * j] - (T##_vec){0}, im = w[2 * j + 1] - (T##_vec){0};               \
                UNROLL for (int i = 0; i < HALF; i++)                                                       \
                {                                                                                           \
                    const T##_vec x = *(const T##_any *)(const void *)(a + 2 * j + i * T##_LANES);          \
                    by_re[i] += x * re;                                                                     \
                    by_im[i] += x * im;                                                                     \
                }                                                                                           \
            }                                                                                               \
            UNROLL for (int i = 0; i < HALF; i++)                                                           \
            {                                                                                               \
                total[0][i] += by_re[i];                                                                    \
                total[1][i] += by_im[i];                                                                    \
            }                                                                                               \
        }                                                                                                   \
        const T *re = (const T *)total[0], *im = (const T *)total[1];                                       \
        T *out = to;                                                                                        \
        for (int i = 0; i < HALF * T##_LANES; i += 2) {                                                     \
            out[i] = re[i] - im[i + 1];                                                                     \
            out[i + 1] = re[i + 1] + im[i];                                                                 \
        }                                                                                                   \
    }

/* Integers wrap around. */
VECTORS(uint32_t)
VECTORS(uint64_t)
VECTORS(float)
VECTORS(double)
REAL(slide_i32, uint32_t)
REAL(slide_i64, uint64_t)
REAL(slide_f32, float)
REAL(slide_f64, double)
COMPLEX(slide_c64, float)
COMPLEX(slide_c128, double)

_Static_assert(WIDTH *BYTES / 4 <= TB_SLIDE_MOST, "a tile is larger than its users believe");

extern const tb_slide_loops TB_ISA_NAME(tb__slide_loops_, TB_ISA);
const tb_slide_loops TB_ISA_NAME(tb__slide_loops_, TB_ISA) = {
    .loop = {[TB_I32] = slide_i32,
             [TB_I64] = slide_i64,
             [TB_F32] = slide_f32,
             [TB_F64] = slide_f64,
             [TB_C64] = slide_c64,
             [TB_C128] = slide_c128},
    .tile = {[TB_I32] = WIDTH * BYTES / 4,
             [TB_I64] = WIDTH * BYTES / 8,
             [TB_F32] = WIDTH * BYTES / 4,
             [TB_F64] = WIDTH * BYTES / 8,
             [TB_C64] = WIDTH * BYTES / 16,
             [TB_C128] = WIDTH * BYTES / 32},
};
