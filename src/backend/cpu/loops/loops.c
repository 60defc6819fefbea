/* loops.c - the reference loop of every row of the tables, compiled once for each instruction set (TB_ISA), heavy ones
 * for the base set alone.
 *
 * A loop is its row's expression over contiguous operands, in a form that compilers vectorise. float16 operands are
 * converted a run at a time, so that the loop between the conversions is one over floats. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/half_run.h"
#include "kernels/integer.h"
#include "kernels/real.h"
#include "kernels/complex.h"
#include "kernels/random_math.h"
#include "kernels/philox.h"
#include "kernels/random_points.h"
#include "kernels/random_counts.h"
#include "kernels/random_floats.h"
#include "tables/groups.h"

/* Points are independent even where the output is an input: a point is read before it is written. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Conversions are not inlined: a call for a run costs nothing here, and there are some hundred callers. */
static __attribute__((noinline)) void half_in(float *restrict run, const tb_f16 *restrict x, int64_t m)
{
    tb_f32_run_of_f16(run, x, m);
}

static __attribute__((noinline)) void half_out(tb_f16 *restrict o, const float *restrict run, int64_t m)
{
    tb_f16_run_of_f32(o, run, m);
}

/* IS_HALF_T: whether dtype T goes through a buffer. IN_T(x, k): pointer x to the run's points of operand k, as
 * registers. OUT_T, END_T: the same for the output, before and after the run. */
#define IS_HALF_f16 1
#define IN_f16(x, k)             \
    float x##_run[TB_HALF_RUN];  \
    const float *x = x##_run;    \
    half_in(x##_run, (const tb_f16 *)p[k] + at, m);
#define OUT_f16 float o[TB_HALF_RUN];
#define END_f16 half_out((tb_f16 *)p[0] + at, o, m);

#define IN_AS_IS(T, x, k) const tb_##T *x = (const tb_##T *)p[k] + at;
#define OUT_AS_IS(T) tb_##T *o = (tb_##T *)p[0] + at;
#define IS_HALF_bool 0
#define IN_bool(x, k) IN_AS_IS(bool, x, k)
#define OUT_bool OUT_AS_IS(bool)
#define END_bool
#define IS_HALF_i8 0
#define IN_i8(x, k) IN_AS_IS(i8, x, k)
#define OUT_i8 OUT_AS_IS(i8)
#define END_i8
#define IS_HALF_u8 0
#define IN_u8(x, k) IN_AS_IS(u8, x, k)
#define OUT_u8 OUT_AS_IS(u8)
#define END_u8
#define IS_HALF_i16 0
#define IN_i16(x, k) IN_AS_IS(i16, x, k)
#define OUT_i16 OUT_AS_IS(i16)
#define END_i16
#define IS_HALF_u16 0
#define IN_u16(x, k) IN_AS_IS(u16, x, k)
#define OUT_u16 OUT_AS_IS(u16)
#define END_u16
#define IS_HALF_i32 0
#define IN_i32(x, k) IN_AS_IS(i32, x, k)
#define OUT_i32 OUT_AS_IS(i32)
#define END_i32
#define IS_HALF_u32 0
#define IN_u32(x, k) IN_AS_IS(u32, x, k)
#define OUT_u32 OUT_AS_IS(u32)
#define END_u32
#define IS_HALF_i64 0
#define IN_i64(x, k) IN_AS_IS(i64, x, k)
#define OUT_i64 OUT_AS_IS(i64)
#define END_i64
#define IS_HALF_u64 0
#define IN_u64(x, k) IN_AS_IS(u64, x, k)
#define OUT_u64 OUT_AS_IS(u64)
#define END_u64
#define IS_HALF_f32 0
#define IN_f32(x, k) IN_AS_IS(f32, x, k)
#define OUT_f32 OUT_AS_IS(f32)
#define END_f32
#define IS_HALF_f64 0
#define IN_f64(x, k) IN_AS_IS(f64, x, k)
#define OUT_f64 OUT_AS_IS(f64)
#define END_f64
#define IS_HALF_c64 0
#define IN_c64(x, k) IN_AS_IS(c64, x, k)
#define OUT_c64 OUT_AS_IS(c64)
#define END_c64
#define IS_HALF_c128 0
#define IN_c128(x, k) IN_AS_IS(c128, x, k)
#define OUT_c128 OUT_AS_IS(c128)
#define END_c128

/* Starts a loop function: runs of m points from `at`; all n at once where no operand is float16. */
#define BEGIN(name, half)                                                       \
    static void name(int64_t n, void *const *p, int64_t index)                  \
    {                                                                           \
        (void)index;                                                            \
        const int64_t longest = (half) ? TB_HALF_RUN : INT64_MAX;               \
        for (int64_t at = 0, m; at < n; at += m) {                              \
            m = n - at < longest ? n - at : longest;

#define L1(op, A, O, e)                                                         \
    BEGIN(op##_##A##_##O, IS_HALF_##A || IS_HALF_##O)                           \
            IN_##A(x, 1) OUT_##O                                                \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                (void)a;                                                        \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
#define L2(op, A, B, O, e)                                                      \
    BEGIN(op##_##A##_##B##_##O, IS_HALF_##A || IS_HALF_##B || IS_HALF_##O)      \
            IN_##A(x, 1) IN_##B(y, 2) OUT_##O                                   \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                const tb_reg_##B b = y[k];                                      \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
#define L3(op, A, B, C, O, e)                                                   \
    BEGIN(op##_##A##_##B##_##C##_##O, IS_HALF_##B || IS_HALF_##C || IS_HALF_##O) \
            IN_##A(x, 1) IN_##B(y, 2) IN_##C(z, 3) OUT_##O                      \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##A a = x[k];                                      \
                const tb_reg_##B b = y[k];                                      \
                const tb_reg_##C c = z[k];                                      \
                o[k] = e;                                                       \
            }                                                                   \
            END_##O                                                             \
        }                                                                       \
    }
/* Calls of the C library's functions, for which wider vectors bring nothing: the table's entry is the base set's. But
 * float16 is converted by instructions that only larger sets have. */
#ifdef TB_ISA_IS_BASE
#define HEAVY(T, loop, none) loop
#else
#define HEAVY(T, loop, none) HEAVY_OF(IS_HALF_##T, loop, none)
#define HEAVY_OF(half, loop, none) HEAVY_IF(half, loop, none)
#define HEAVY_IF(half, loop, none) HEAVY_IF_##half(loop, none)
#define HEAVY_IF_0(loop, none) none
#define HEAVY_IF_1(loop, none) loop
#endif
#define H1(op, A, O, e) HEAVY(O, L1(op, A, O, e), )
#define H2(op, A, B, O, e) HEAVY(O, L2(op, A, B, O, e), )
#define D3(op, A, B, C, O, e) HEAVY(O, L3(op, A, B, C, O, e), )

#define G2(op, A, B, O, e)                                                      \
    static void op##_##A##_##B##_##O(int64_t n, void *const *p, int64_t index)  \
    {                                                                           \
        const tb_reg_##A a = tb_load_##A(*(const tb_##A *)p[1]);                \
        const tb_reg_##B b = tb_load_##B(*(const tb_##B *)p[2]);                \
        tb_##O *o = p[0];                                                       \
        INDEPENDENT for (int64_t k = 0; k < n; k++) {                           \
            const int64_t i = index + k;                                        \
            o[k] = tb_store_##O(e);                                             \
        }                                                                       \
    }
#define G3(op, A, B, C, O, e)                                                   \
    static void op##_##A##_##B##_##C##_##O(int64_t n, void *const *p, int64_t index) \
    {                                                                           \
        const tb_reg_##A a = tb_load_##A(*(const tb_##A *)p[1]);                \
        const tb_reg_##B b = tb_load_##B(*(const tb_##B *)p[2]);                \
        const tb_reg_##C c = tb_load_##C(*(const tb_##C *)p[3]);                \
        tb_##O *o = p[0];                                                       \
        INDEPENDENT for (int64_t k = 0; k < n; k++) {                           \
            const int64_t i = index + k;                                        \
            o[k] = tb_store_##O(e);                                             \
        }                                                                       \
    }

/* Row by row, so that nothing is divided for each point. */
#define tb_diagonal(i, a, c) diagonal
#define M3(op, A, B, C, O, e)                                                   \
    static void op##_##A##_##B##_##C##_##O(int64_t n, void *const *p, int64_t index)  \
    {                                                                           \
        const tb_##A a = *(const tb_##A *)p[1];                                 \
        const tb_##B b = *(const tb_##B *)p[2];                                 \
        tb_##O *restrict o = p[0];                                              \
        int64_t row = index / a, first = index % a;                             \
        for (int64_t k = 0, m; k < n; k += m, row++, first = 0) {               \
            m = n - k < a - first ? n - k : a - first;                          \
            INDEPENDENT for (int64_t j = 0; j < m; j++) {                       \
                const int64_t diagonal = first + j - row;                       \
                o[k + j] = e;                                                   \
            }                                                                   \
        }                                                                       \
    }

/* Four points at a time from a multiple of four, in a form that shows which of them share a Philox block. */
#define DRAWS(name)                                                             \
        int64_t k = 0;                                                          \
        for (; k < n && (index + k) & 3; k++) o[k] = name##_at(p, index + k);   \
        for (; k + 4 <= n; k += 4) {                                            \
            const uint64_t quad = (uint64_t)(index + k) >> 2;                   \
            o[k] = name##_at(p, (int64_t)(quad * 4));                           \
            o[k + 1] = name##_at(p, (int64_t)(quad * 4 | 1));                   \
            o[k + 2] = name##_at(p, (int64_t)(quad * 4 | 2));                   \
            o[k + 3] = name##_at(p, (int64_t)(quad * 4 | 3));                   \
        }                                                                       \
        for (; k < n; k++) o[k] = name##_at(p, index + k);
#define R2(op, A, B, O, e)                                                      \
    static inline __attribute__((always_inline)) tb_##O op##_at(void *const *p, int64_t i) \
    {                                                                           \
        const tb_##A a = *(const tb_##A *)p[1];                                 \
        const tb_##B b = *(const tb_##B *)p[2];                                 \
        return e;                                                               \
    }                                                                           \
    static void op##_##A##_##B##_##O(int64_t n, void *const *p, int64_t index)  \
    {                                                                           \
        tb_##O *restrict o = p[0];                                              \
        DRAWS(op)                                                               \
    }
#define R3(op, A, B, C, O, e)                                                   \
    static inline __attribute__((always_inline)) tb_##O op##_at(void *const *p, int64_t i) \
    {                                                                           \
        const tb_##A a = *(const tb_##A *)p[1];                                 \
        const tb_##B b = *(const tb_##B *)p[2];                                 \
        const tb_##C c = *(const tb_##C *)p[3];                                 \
        return e;                                                               \
    }                                                                           \
    static void op##_##A##_##B##_##C##_##O(int64_t n, void *const *p, int64_t index) \
    {                                                                           \
        tb_##O *restrict o = p[0];                                              \
        DRAWS(op)                                                               \
    }

/* index: how far the base moves from point to point. Elements lie at any address. */
#define A2(op, A, B, O, e)                                                      \
    static void op##_##A##_##B##_##O(int64_t n, void *const *p, int64_t index)  \
    {                                                                           \
        tb_##O *o = p[0];                                                       \
        const char *base = p[1];                                                \
        const tb_##B *offset = p[2];                                            \
        if (index == 0) {                                                       \
            for (int64_t k = 0; k < n; k++) memcpy(&o[k], base + offset[k], sizeof *o); \
            return;                                                             \
        }                                                                       \
        for (int64_t k = 0; k < n; k++, base += index) memcpy(&o[k], base + offset[k], sizeof *o); \
    }

#include "tables/loops.def"
#undef tb_diagonal

/* Casts to float16 round once, from the type that they come from. */
#define HALF_OF_bool tb_f16_of_f32
#define HALF_OF_i8 tb_f16_of_f32
#define HALF_OF_u8 tb_f16_of_f32
#define HALF_OF_i16 tb_f16_of_f32
#define HALF_OF_u16 tb_f16_of_f32
#define HALF_OF_i32 tb_f16_of_f32
#define HALF_OF_u32 tb_f16_of_f32
#define HALF_OF_i64 tb_f16_of_f32
#define HALF_OF_u64 tb_f16_of_f32
#define HALF_OF_f16 tb_f16_of_f32
#define HALF_OF_f32 tb_f16_of_f32
#define HALF_OF_f64 tb_f16_of_f64
#define HALF_OF_c64 tb_f16_of_f32
#define HALF_OF_c128 tb_f16_of_f64
#define CAST(F, T, O, value)                                                    \
    BEGIN(cast_##F##_##T, IS_HALF_##F)                                          \
            IN_##F(x, 1)                                                        \
            O *o = (O *)p[0] + at;                                              \
            INDEPENDENT for (int64_t k = 0; k < m; k++) {                       \
                const tb_reg_##F a = x[k];                                      \
                o[k] = value;                                                   \
            }                                                                   \
        }                                                                       \
    }
#define CAST_bool(F) CAST(F, bool, tb_bool, TB_CAST(F, bool, a))
#define CAST_i8(F) CAST(F, i8, tb_i8, TB_CAST(F, i8, a))
#define CAST_u8(F) CAST(F, u8, tb_u8, TB_CAST(F, u8, a))
#define CAST_i16(F) CAST(F, i16, tb_i16, TB_CAST(F, i16, a))
#define CAST_u16(F) CAST(F, u16, tb_u16, TB_CAST(F, u16, a))
#define CAST_i32(F) CAST(F, i32, tb_i32, TB_CAST(F, i32, a))
#define CAST_u32(F) CAST(F, u32, tb_u32, TB_CAST(F, u32, a))
#define CAST_i64(F) CAST(F, i64, tb_i64, TB_CAST(F, i64, a))
#define CAST_u64(F) CAST(F, u64, tb_u64, TB_CAST(F, u64, a))
#define CAST_f16(F) CAST(F, f16, tb_f16, HALF_OF_##F(tb_re_##F(a)))
#define CAST_f32(F) CAST(F, f32, float, TB_CAST(F, f32, a))
#define CAST_f64(F) CAST(F, f64, double, TB_CAST(F, f64, a))
#define CAST_c64(F) CAST(F, c64, tb_c64, TB_CAST(F, c64, a))
#define CAST_c128(F) CAST(F, c128, tb_c128, TB_CAST(F, c128, a))
#define C(F, T) CAST_##T(F)
TB_CASTS

#define L1(op, A, O, e) op##_##A##_##O,
#define L2(op, A, B, O, e) op##_##A##_##B##_##O,
#define L3(op, A, B, C, O, e) op##_##A##_##B##_##C##_##O,
#define H1(op, A, O, e) HEAVY(O, op##_##A##_##O, NULL),
#define H2(op, A, B, O, e) HEAVY(O, op##_##A##_##B##_##O, NULL),
#define D3(op, A, B, C, O, e) HEAVY(O, op##_##A##_##B##_##C##_##O, NULL),
#undef C
#define C(F, T) cast_##F##_##T,

const tb_cpu_loop TB_ISA_NAME(tb__loops_, TB_ISA)[] = {
#include "tables/loops.def"
    TB_CASTS};
