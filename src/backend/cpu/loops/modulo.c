/* modulo.c - vector versions of fmod, remainder and floor_divide, of the wrapping of indices, of powers of
 * integers, and of products with powers of two, compiled once for each instruction set (TB_ISA).
 *
 * Remainders of floats are exact, whichever way they are found: the bits are the reference's. The quotient is rounded
 * down in a wider format, or the product subtracted by a fused operation, which leaves the remainder or one divisor
 * less. Where the quotient has too many digits for that, or is no number, the C library's function has the word. */
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/half_run.h"
#include "kernels/integer.h"
#include "kernels/real.h"
#include "tables/loops.h"

enum { RUN = 256 }; /* points at a time */

/* The output may be an input: a point is read before it is written. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* What is left of x after q times y. A quotient that was rounded up to a whole number is one too large. */
#define REMAINDER(x, y, q, left)                                                 \
    const double least = (left) * copysign(1.0, x) < 0 ? (left) + copysign(y, x) : (left); \
    const double rest = copysign((q) == 0 ? (x) : least, x);

static void rest_run_f32(int64_t n, float *m, const float *a, const float *b)
{
    int rare = 0;
    for (int64_t k = 0; k < n; k++) {
        const double x = a[k], y = b[k], q = trunc(x / y);
        REMAINDER(x, y, q, x - q * y)
        m[k] = fabs(q) < 0x1p29 ? (float)rest : NAN;
    }
    for (int64_t k = 0; k < n; k++) rare |= m[k] != m[k];
    if (!rare) return;
    for (int64_t k = 0; k < n; k++)
        if (m[k] != m[k]) m[k] = fmodf(a[k], b[k]);
}

#ifdef __FMA__
#define HAVE_F64 1
static void rest_run_f64(int64_t n, double *m, const double *a, const double *b)
{
    int64_t rare = 0;
    for (int64_t k = 0; k < n; k++) {
        const double x = a[k], y = b[k], q = trunc(x / y);
        REMAINDER(x, y, q, __builtin_fma(-q, y, x))
        m[k] = fabs(q) < 0x1p52 ? rest : (double)NAN;
    }
    for (int64_t k = 0; k < n; k++) rare |= m[k] != m[k];
    if (!rare) return;
    for (int64_t k = 0; k < n; k++)
        if (m[k] != m[k]) m[k] = fmod(a[k], b[k]);
}
#else
#define HAVE_F64 0
#endif

/* RESULT: from a, b and m = fmod(a, b). */
#define RUNS(op, T, s, RESULT)                                                   \
    static void op##_run_##s(int64_t n, T *o, const T *x, const T *y)            \
    {                                                                            \
        T rest[RUN];                                                             \
        for (int64_t at = 0; at < n; at += RUN) {                                \
            const int64_t left = n - at < RUN ? n - at : RUN;                    \
            rest_run_##s(left, rest, x + at, y + at);                            \
            INDEPENDENT for (int64_t k = 0; k < left; k++) {                     \
                const T a = x[at + k], b = y[at + k], m = rest[k];               \
                (void)a;                                                         \
                (void)b;                                                         \
                o[at + k] = RESULT;                                              \
            }                                                                    \
        }                                                                        \
    }                                                                            \
    static void op##_##s(int64_t n, void *const *p, int64_t index)               \
    {                                                                            \
        (void)index;                                                             \
        op##_run_##s(n, p[0], p[1], p[2]);                                       \
    }
#define RUNS_HALF(op, s)                                                         \
    static void op##_##s(int64_t n, void *const *p, int64_t index)               \
    {                                                                            \
        float x[TB_HALF_RUN], y[TB_HALF_RUN];                                    \
        (void)index;                                                             \
        for (int64_t at = 0, m; at < n; at += m) {                               \
            m = n - at < TB_HALF_RUN ? n - at : TB_HALF_RUN;                     \
            tb_f32_run_of_##s(x, (const tb_##s *)p[1] + at, m);                  \
            tb_f32_run_of_##s(y, (const tb_##s *)p[2] + at, m);                  \
            op##_run_f32(m, x, x, y);                                            \
            tb_##s##_run_of_f32((tb_##s *)p[0] + at, x, m);                      \
        }                                                                        \
    }

RUNS(fmod, float, f32, m)
RUNS(remainder, float, f32, tb_remainder_of_fmod_f32(m, b))
RUNS(floor_divide, float, f32, tb_quotient_of_fmod_f32(a, b, m))
RUNS_HALF(fmod, f16)
RUNS_HALF(fmod, bf16)
RUNS_HALF(remainder, f16)
RUNS_HALF(remainder, bf16)
RUNS_HALF(floor_divide, f16)
RUNS_HALF(floor_divide, bf16)
#if HAVE_F64
RUNS(fmod, double, f64, m)
RUNS(remainder, double, f64, tb_remainder_of_fmod_f64(m, b))
RUNS(floor_divide, double, f64, tb_quotient_of_fmod_f64(a, b, m))
#endif

#if defined(__AVX512DQ__) || (defined(__AVX2__) && defined(__FMA__))
#define HAVE_I64 1
/* Integers that double has are divided as such. Their quotient is further from the next whole number than it is rounded
 * by: less than 2^53 parts of it fit between. */
#ifdef __AVX512DQ__
enum { WHOLE_BITS = 52 };
#define DOUBLE_OF(x) ((double)(x))
/* Adding zero keeps gcc from making one conversion of two, which it has for no vector. */
#define WHOLE_OF(x) ((int64_t)((x) + 0.0))
#else
/* AVX2 converts no integers of 64 bits: the digits of 1.5 * 2^52 and a number below 2^51 are theirs added. */
enum { WHOLE_BITS = 51 };
#define SHIFTED 0x1.8p52
#define DOUBLE_OF(x) (as_double((x) + as_integer(SHIFTED)) - SHIFTED)
#define WHOLE_OF(x)  (as_integer((x) + SHIFTED) - as_integer(SHIFTED))
static inline double as_double(int64_t x)
{
    double d;
    memcpy(&d, &x, sizeof d);
    return d;
}
static inline int64_t as_integer(double x)
{
    int64_t i;
    memcpy(&i, &x, sizeof i);
    return i;
}
#endif
#define ZERO(x) ((int64_t)((uint64_t)(x) - 1) & ~(x)) /* has the sign bit */
#define RUNS_I64(op, ROUND, RESULT)                                                             \
    static void op##_i64(int64_t n, void *const *p, int64_t index)                              \
    {                                                                                           \
        int64_t *o = p[0];                                                                      \
        const int64_t *x = p[1], *y = p[2];                                                     \
        (void)index;                                                                            \
        for (int64_t at = 0; at < n; at += RUN) {                                               \
            const int64_t end = n - at < RUN ? n : at + RUN;                                    \
            int64_t size = 0, zero = 0;                                                         \
            for (int64_t k = at; k < end; k++) {                                                \
                size |= (x[k] ^ -(int64_t)(x[k] < 0)) | (y[k] ^ -(int64_t)(y[k] < 0));          \
                zero |= ZERO(y[k]);                                                             \
            }                                                                                   \
            if (size >> WHOLE_BITS || zero < 0) {                                               \
                for (int64_t k = at; k < end; k++) o[k] = tb_##op##_i64(x[k], y[k]);            \
            } else {                                                                            \
                INDEPENDENT for (int64_t k = at; k < end; k++)                                  \
                {                                                                               \
                    const double a = DOUBLE_OF(x[k]), b = DOUBLE_OF(y[k]), q = ROUND(a / b);    \
                    o[k] = WHOLE_OF(RESULT);                                                    \
                }                                                                               \
            }                                                                                   \
        }                                                                                       \
    }
RUNS_I64(floor_divide, floor, q)
RUNS_I64(remainder, floor, __builtin_fma(-q, b, a))
RUNS_I64(fmod, trunc, __builtin_fma(-q, b, a))
#else
#define HAVE_I64 0
#endif

/* Indices in range, from either end, are the rule, and need no division. */
static void place_i64(int64_t n, void *const *p, int64_t index)
{
    int64_t *o = p[0];
    const int64_t *i = p[1], *length = p[2], *stride = p[3];
    (void)index;
    for (int64_t at = 0; at < n; at += RUN) {
        const int64_t end = n - at < RUN ? n : at + RUN;
        int64_t outside = 0;
        for (int64_t k = at; k < end; k++) {
            const int64_t a = i[k] + (i[k] < 0 ? length[k] : 0);
            outside |= a | (length[k] - 1 - a);
        }
        if (outside < 0) {
            for (int64_t k = at; k < end; k++) o[k] = tb_place(i[k], length[k], stride[k]);
        } else {
            INDEPENDENT for (int64_t k = at; k < end; k++) o[k] = (i[k] + (i[k] < 0 ? length[k] : 0)) * stride[k];
        }
    }
}
/* ---- powers of integers ----------------------------------------------------------------------------------------- */

/* As many squares as the longest exponent of a run has digits. A negative power is the true one truncated. */
#define POWER(s, T, U, NEGATIVE)                                                                      \
    static void power_##s(int64_t n, void *const *p, int64_t index)                                   \
    {                                                                                                 \
        (void)index;                                                                                  \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            T *o = (T *)p[0] + at;                                                                    \
            const T *a = (const T *)p[1] + at, *b = (const T *)p[2] + at;                             \
            U base[RUN], left[RUN], result[RUN], digits = 0;                                          \
            m = n - at < RUN ? n - at : RUN;                                                          \
            for (int64_t k = 0; k < m; k++) {                                                         \
                base[k] = (U)a[k];                                                                    \
                left[k] = (U)(NEGATIVE(b[k]) ? 0 : b[k]);                                             \
                result[k] = 1;                                                                        \
                digits = (U)(digits | left[k]);                                                       \
            }                                                                                         \
            for (; digits; digits = (U)(digits >> 1))                                                              \
                for (int64_t k = 0; k < m; k++) {                                                     \
                    result[k] = (U)(1u * result[k] * (left[k] & 1 ? base[k] : 1));                    \
                    base[k] = (U)(1u * base[k] * base[k]);                                            \
                    left[k] = (U)(left[k] >> 1);                                                      \
                }                                                                                     \
            INDEPENDENT                                                                               \
            for (int64_t k = 0; k < m; k++) {                                                         \
                const U x = (U)a[k], whole = x == 1 || x == (U)-1 ? (b[k] & 1 ? x : 1) : 0;           \
                o[k] = (T)(NEGATIVE(b[k]) ? whole : result[k]);                                       \
            }                                                                                         \
        }                                                                                             \
    }
#define BELOW_ZERO(x) ((x) < 0)
#define NEVER(x)      ((void)(x), 0)
POWER(i8, int8_t, uint8_t, BELOW_ZERO)
POWER(u8, uint8_t, uint8_t, NEVER)
POWER(i16, int16_t, uint16_t, BELOW_ZERO)
POWER(u16, uint16_t, uint16_t, NEVER)
POWER(i32, int32_t, uint32_t, BELOW_ZERO)
POWER(i64, int64_t, uint64_t, BELOW_ZERO)
POWER(u32, uint32_t, uint32_t, NEVER)
POWER(u64, uint64_t, uint64_t, NEVER)

/* ---- times powers of two ---------------------------------------------------------------------------------------- */

/* One product rounds once where the power is a normal number. */
#define LDEXP(s, T)                                                                                   \
    static void ldexp_f64_##s(int64_t n, void *const *p, int64_t index)                               \
    {                                                                                                 \
        double *o = p[0];                                                                             \
        const double *x = p[1];                                                                       \
        const T *by = p[2];                                                                           \
        (void)index;                                                                                  \
        for (int64_t at = 0; at < n; at += RUN) {                                                     \
            const int64_t end = n - at < RUN ? n : at + RUN;                                          \
            T beyond = 0;                                                                             \
            for (int64_t k = at; k < end; k++) beyond |= (T)(by[k] ^ by[k] >> (8 * sizeof(T) - 1));   \
            if (beyond >= 1022) {                                                                     \
                for (int64_t k = at; k < end; k++) o[k] = tb_ldexp_f64(x[k], by[k]);                  \
            } else {                                                                                  \
                INDEPENDENT for (int64_t k = at; k < end; k++) o[k] = x[k] * tb_exp2_whole(by[k]);    \
            }                                                                                         \
        }                                                                                             \
    }
LDEXP(i32, int32_t)
LDEXP(i64, int64_t)

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void put(tb_cpu_loop *table, tb_op op, tb_dtype t, tb_cpu_loop loop)
{
    const tb_dtype in[2] = {t, t};
    const tb_loop l = tb__loop_find(op, 2, in);
    if (l != TB_NOLOOP) table[l] = loop;
}

void TB_ISA_NAME(tb__modulo_, TB_ISA)(tb_cpu_loop *table)
{
    put(table, TB_OP_power, TB_I8, power_i8);
    put(table, TB_OP_power, TB_U8, power_u8);
    put(table, TB_OP_power, TB_I16, power_i16);
    put(table, TB_OP_power, TB_U16, power_u16);
    put(table, TB_OP_power, TB_I32, power_i32);
    put(table, TB_OP_power, TB_U32, power_u32);
    put(table, TB_OP_power, TB_I64, power_i64);
    put(table, TB_OP_power, TB_U64, power_u64);
    put(table, TB_OP_fmod, TB_F16, fmod_f16);
    put(table, TB_OP_fmod, TB_BF16, fmod_bf16);
    put(table, TB_OP_fmod, TB_F32, fmod_f32);
    put(table, TB_OP_remainder, TB_F16, remainder_f16);
    put(table, TB_OP_remainder, TB_BF16, remainder_bf16);
    put(table, TB_OP_remainder, TB_F32, remainder_f32);
    put(table, TB_OP_floor_divide, TB_F16, floor_divide_f16);
    put(table, TB_OP_floor_divide, TB_BF16, floor_divide_bf16);
    put(table, TB_OP_floor_divide, TB_F32, floor_divide_f32);
    const tb_loop by_32 = tb__loop_find(TB_OP_ldexp, 2, (tb_dtype[]){TB_F64, TB_I32});
    const tb_loop by_64 = tb__loop_find(TB_OP_ldexp, 2, (tb_dtype[]){TB_F64, TB_I64});
    if (by_32 != TB_NOLOOP) table[by_32] = ldexp_f64_i32;
    if (by_64 != TB_NOLOOP) table[by_64] = ldexp_f64_i64;
    const tb_loop place = tb__loop_find(TB_OP_place, 3, (tb_dtype[]){TB_I64, TB_I64, TB_I64});
    if (place != TB_NOLOOP) table[place] = place_i64;
#if HAVE_I64
    put(table, TB_OP_fmod, TB_I64, fmod_i64);
    put(table, TB_OP_remainder, TB_I64, remainder_i64);
    put(table, TB_OP_floor_divide, TB_I64, floor_divide_i64);
#endif
#if HAVE_F64
    put(table, TB_OP_fmod, TB_F64, fmod_f64);
    put(table, TB_OP_remainder, TB_F64, remainder_f64);
    put(table, TB_OP_floor_divide, TB_F64, floor_divide_f64);
#endif
}
