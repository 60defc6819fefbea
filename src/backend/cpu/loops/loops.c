/* loops.c - the reference loop of every row of the tables, compiled once for each instruction set (TB_ISA), heavy ones
 * for the base set alone.
 *
 * A loop is its row's expression over contiguous operands, in a form that compilers vectorise. float16 and bfloat16
 * operands are converted a run at a time, so that the loop between the conversions is one over floats. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/loop_forms.h"
#include "kernels/integer.h"
#include "kernels/logarithm.h"
#include "kernels/real.h"
#include "kernels/complex.h"
#include "kernels/random_math.h"
#include "kernels/philox.h"
#include "kernels/random_points.h"
#include "kernels/random_counts.h"
#include "kernels/random_floats.h"
#include "tables/groups.h"

#define L1(op, A, O, e) FORM1(static, op##_##A##_##O, A, O, e)
#define L2(op, A, B, O, e) FORM2(static, op##_##A##_##B##_##O, A, B, O, e)
#define L3(op, A, B, C, O, e) FORM3(static, op##_##A##_##B##_##C##_##O, A, B, C, O, e)
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
/* In special_loops.c, for the base set and for the next one, which larger ones share. */
#ifdef TB_ISA_IS_BASE
#define SPECIAL_OF(name) TB_ISA_NAME(name, base)
#else
#define SPECIAL_OF(name) TB_ISA_NAME(name, avx2)
#endif
#define S1(op, A, O, e) void SPECIAL_OF(tb__##op##_##A##_##O##_)(int64_t n, void *const *p, int64_t index);
#define S2(op, A, B, O, e) void SPECIAL_OF(tb__##op##_##A##_##B##_##O##_)(int64_t n, void *const *p, int64_t index);
#define S3(op, A, B, C, O, e) \
    void SPECIAL_OF(tb__##op##_##A##_##B##_##C##_##O##_)(int64_t n, void *const *p, int64_t index);
#define S4(op, A, B, C, D, O, e) \
    void SPECIAL_OF(tb__##op##_##A##_##B##_##C##_##D##_##O##_)(int64_t n, void *const *p, int64_t index);

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

/* Casts to float16 and bfloat16 round once, from the type that they come from; integers are floats first. */
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
#define HALF_OF_bf16 tb_f16_of_f32
#define HALF_OF_f32 tb_f16_of_f32
#define HALF_OF_f64 tb_f16_of_f64
#define HALF_OF_c64 tb_f16_of_f32
#define HALF_OF_c128 tb_f16_of_f64
#define BFLOAT_OF_bool tb_bf16_of_f32
#define BFLOAT_OF_i8 tb_bf16_of_f32
#define BFLOAT_OF_u8 tb_bf16_of_f32
#define BFLOAT_OF_i16 tb_bf16_of_f32
#define BFLOAT_OF_u16 tb_bf16_of_f32
#define BFLOAT_OF_i32 tb_bf16_of_f32
#define BFLOAT_OF_u32 tb_bf16_of_f32
#define BFLOAT_OF_i64 tb_bf16_of_f32
#define BFLOAT_OF_u64 tb_bf16_of_f32
#define BFLOAT_OF_f16 tb_bf16_of_f32
#define BFLOAT_OF_bf16 tb_bf16_of_f32
#define BFLOAT_OF_f32 tb_bf16_of_f32
#define BFLOAT_OF_f64 tb_bf16_of_f64
#define BFLOAT_OF_c64 tb_bf16_of_f32
#define BFLOAT_OF_c128 tb_bf16_of_f64
#define CAST(F, T, O, value)                                                    \
    BEGIN(static, cast_##F##_##T, IS_HALF_##F)                                          \
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
#define CAST_bf16(F) CAST(F, bf16, tb_bf16, BFLOAT_OF_##F(tb_re_##F(a)))
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
#define S1(op, A, O, e) SPECIAL_OF(tb__##op##_##A##_##O##_),
#define S2(op, A, B, O, e) SPECIAL_OF(tb__##op##_##A##_##B##_##O##_),
#define S3(op, A, B, C, O, e) SPECIAL_OF(tb__##op##_##A##_##B##_##C##_##O##_),
#define S4(op, A, B, C, D, O, e) SPECIAL_OF(tb__##op##_##A##_##B##_##C##_##D##_##O##_),
#undef C
#define C(F, T) cast_##F##_##T,

const tb_cpu_loop TB_ISA_NAME(tb__loops_, TB_ISA)[] = {
#include "tables/loops.def"
    TB_CASTS};
