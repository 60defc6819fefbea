/* divide.c - integers divided by one number: floor_divide, remainder, fmod, and indices that wrap around an axis,
 * compiled once for each instruction set.
 *
 * Division by an invariant integer is a multiplication by its inverse and a shift (Granlund and Montgomery, 1994). What
 * is divided is a magnitude: of a negative number that is rounded down, a is ~(~a / b). Those of signed numbers have a
 * bit less than the word, so that the inverse fits one; those of unsigned numbers want one bit more, which is added
 * by hand. The results are the reference's, those of division by 0 included. */
#include "backend/cpu/loops/loops.h"
#include "kernels/types.h"
#include "kernels/integer.h"
#include "tables/loops.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* The upper half of a product. */
#define HIGH_16(a, b) ((uint16_t)((uint32_t)(a) * (b) >> 16))
#define HIGH_32(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define HIGH_64(a, b) ((uint64_t)((unsigned __int128)(a) * (b) >> 64))

/* How to divide by b > 1: the upper half of the product with `inverse`, shifted. */
typedef struct divisor {
    uint64_t inverse;
    int shift;
} divisor;

/* The least l with b <= 2^l. */
static int log_of(uint64_t b) { return 64 - __builtin_clzll(b - 1); }

/* Of magnitudes up to 2^(bits - 1): 2^(bits - 1 + l) / b, rounded up. What it is too large by, times a magnitude, is
 * less than the power of two, so that no quotient comes out too large. */
static divisor divisor_of_less(uint64_t b, int bits)
{
    const int l = log_of(b);
    const unsigned __int128 power = (unsigned __int128)1 << (bits - 1 + l);
    return (divisor){(uint64_t)((power + b - 1) / b), l - 1};
}

/* Of magnitudes below 2^bits: 2^(bits + l) / b, rounded up, less 2^bits. */
static divisor divisor_of_more(uint64_t b, int bits)
{
    const int l = log_of(b);
    const unsigned __int128 one = 1, rest = ((one << l) - b) << bits;
    return (divisor){(uint64_t)(rest / b + 1), l - 1};
}

/* A byte's magnitude has so much room in 16 bits that the inverse needs no shift. */
static divisor divisor_of_byte(uint64_t b, int bits)
{
    (void)bits;
    return (divisor){(65536 + b - 1) / b, 0};
}

/* Quotients of magnitudes, by `inverse` and `shift`. */
#define BY_BYTE(U, x)   ((U)HIGH_16(x, inverse))
#define BY_LESS_16(U, x) (HIGH_16(x, inverse) >> shift)
#define BY_LESS_32(U, x) (HIGH_32(x, inverse) >> shift)
#define BY_LESS_64(U, x) (HIGH_64(x, inverse) >> shift)
#define BY_MORE(U, high, x) ((U)((U)((U)((U)((x) - (high)) >> 1) + (high)) >> shift))
#define BY_MORE_16(U, x) BY_MORE(U, HIGH_16(x, inverse), x)
#define BY_MORE_32(U, x) BY_MORE(U, HIGH_32(x, inverse), x)
#define BY_MORE_64(U, x) BY_MORE(U, HIGH_64(x, inverse), x)

enum { FEW = 4 }; /* points for which an inverse takes longer than it saves */

/* A loop over n points by one number b, with what its cases have in common. REF: the reference. */
#define BEGIN(op, s, T, REF)                                                     \
    static void op##_##s(int64_t n, void *const *p, int64_t index)               \
    {                                                                            \
        const T *x = p[1], b = *(const T *)p[2];                                 \
        T *o = p[0];                                                             \
        (void)index;                                                             \
        if (n < FEW || b == 0) {                                                 \
            for (int64_t k = 0; k < n; k++) o[k] = (T)(b ? REF(x[k], b) : 0);    \
            return;                                                              \
        }
#define INVERT(make, I, T, size)                                                 \
        const divisor d = make(size, 8 * (int)sizeof(T));                        \
        const I inverse = (I)d.inverse;                                          \
        const int shift = d.shift;                                               \
        (void)shift;
#define EACH(T, ...)                                                             \
        INDEPENDENT for (int64_t k = 0; k < n; k++) {                            \
            const T a = x[k];                                                    \
            (void)a;                                                             \
            __VA_ARGS__                                                          \
        }
#define END }

/* What is divided, with the sign that it will have; of a quotient to be rounded down, and of one towards zero. */
#define DOWN_BY_MORE(U)                                                          \
            const U sign = (U)-(U)(a < 0), magnitude = (U)((U)a ^ sign);
#define DOWN_BY_LESS(U)                                                          \
            const U sign = (U)-(U)(a > 0), magnitude = (U)((U)(0 - (U)a) ^ sign);
#define TO_ZERO(U)                                                               \
            const U sign = (U)-(U)(a < 0), magnitude = (U)(((U)a ^ sign) - sign);

#define SIGNED(s, S, U, I, make, QUOTIENT, w)                                                              \
    BEGIN(floor_divide, s, S, tb_floor_divide_##w)                                                         \
        const U size = (U)(b < 0 ? 0 - (U)b : (U)b);                                                       \
        if (size == 1 && b > 0) EACH(S, o[k] = a;)                                                         \
        if (size == 1 && b < 0) EACH(S, o[k] = (S)(0 - (U)a);)                                             \
        if (size == 1) return;                                                                             \
        INVERT(make, I, S, size)                                                                           \
        if (b > 0) EACH(S, DOWN_BY_MORE(U) o[k] = (S)(QUOTIENT(U, magnitude) ^ sign);)                     \
        else EACH(S, DOWN_BY_LESS(U) o[k] = (S)(QUOTIENT(U, magnitude) ^ sign);)                           \
    END                                                                                                    \
    BEGIN(remainder, s, S, tb_remainder_##w)                                                               \
        const U size = (U)(b < 0 ? 0 - (U)b : (U)b), by = (U)b;                                            \
        if (size == 1) EACH(S, o[k] = 0;)                                                                  \
        if (size == 1) return;                                                                             \
        INVERT(make, I, S, size)                                                                           \
        if (b > 0) EACH(S, DOWN_BY_MORE(U) o[k] = (S)((U)a - (U)((U)(QUOTIENT(U, magnitude) ^ sign) * by));) \
        else EACH(S, DOWN_BY_LESS(U) o[k] = (S)((U)a - (U)((U)(QUOTIENT(U, magnitude) ^ sign) * by));)     \
    END                                                                                                    \
    BEGIN(fmod, s, S, tb_fmod_##w)                                                                         \
        const U size = (U)(b < 0 ? 0 - (U)b : (U)b);                                                       \
        if (size == 1) EACH(S, o[k] = 0;)                                                                  \
        if (size == 1) return;                                                                             \
        INVERT(make, I, S, size)                                                                           \
        EACH(S, TO_ZERO(U) const U rest = (U)(magnitude - (U)(QUOTIENT(U, magnitude) * size));             \
             o[k] = (S)((U)(rest ^ sign) - sign);)                                                         \
    END

#define QUOTIENT_OF(a, b)  ((a) / (b))
#define REMAINDER_OF(a, b) ((a) % (b))
#define UNSIGNED(s, U, I, make, QUOTIENT)                                                                  \
    BEGIN(floor_divide, s, U, QUOTIENT_OF)                                                                 \
        if (b == 1) EACH(U, o[k] = a;)                                                                     \
        if (b == 1) return;                                                                                \
        INVERT(make, I, U, b)                                                                              \
        EACH(U, o[k] = QUOTIENT(U, a);)                                                                    \
    END                                                                                                    \
    BEGIN(remainder, s, U, REMAINDER_OF)                                                                   \
        if (b == 1) EACH(U, o[k] = 0;)                                                                     \
        if (b == 1) return;                                                                                \
        INVERT(make, I, U, b)                                                                              \
        EACH(U, o[k] = (U)(a - (U)(QUOTIENT(U, a) * b));)                                                  \
    END

SIGNED(i8, int8_t, uint8_t, uint16_t, divisor_of_byte, BY_BYTE, i32)
SIGNED(i16, int16_t, uint16_t, uint16_t, divisor_of_less, BY_LESS_16, i32)
SIGNED(i32, int32_t, uint32_t, uint32_t, divisor_of_less, BY_LESS_32, i32)
SIGNED(i64, int64_t, uint64_t, uint64_t, divisor_of_less, BY_LESS_64, i64)
UNSIGNED(u8, uint8_t, uint16_t, divisor_of_byte, BY_BYTE)
UNSIGNED(u16, uint16_t, uint16_t, divisor_of_more, BY_MORE_16)
UNSIGNED(u32, uint32_t, uint32_t, divisor_of_more, BY_MORE_32)
UNSIGNED(u64, uint64_t, uint64_t, divisor_of_more, BY_MORE_64)

/* Indices that wrap around an axis. Those in range, from either end, are the rule, and need no division. */
static void place(int64_t n, void *const *p, int64_t index)
{
    int64_t *o = p[0], outside = 0;
    const int64_t *i = p[1], length = *(const int64_t *)p[2], stride = *(const int64_t *)p[3];
    (void)index;
    for (int64_t k = 0; k < n; k++) {
        const int64_t a = i[k] + (i[k] < 0 ? length : 0);
        outside |= a | (length - 1 - a);
    }
    if (outside < 0) {
        for (int64_t k = 0; k < n; k++) o[k] = tb_place(i[k], length, stride);
    } else {
        INDEPENDENT for (int64_t k = 0; k < n; k++) o[k] = (i[k] + (i[k] < 0 ? length : 0)) * stride;
    }
}

static void put(tb_cpu_loop *table, tb_op op, tb_dtype t, tb_cpu_loop loop)
{
    table[tb__loop_find(op, 2, (tb_dtype[]){t, t})] = loop;
}

#define PUT(T, s)                                                                \
    put(table, TB_OP_floor_divide, T, floor_divide_##s);                         \
    put(table, TB_OP_remainder, T, remainder_##s);
#define PUT_SIGNED(T, s)   PUT(T, s) put(table, TB_OP_fmod, T, fmod_##s);
#define PUT_UNSIGNED(T, s) PUT(T, s) put(table, TB_OP_fmod, T, remainder_##s);

void TB_ISA_NAME(tb__divide_, TB_ISA)(tb_cpu_loop *table)
{
    PUT_SIGNED(TB_I8, i8)
    PUT_SIGNED(TB_I16, i16)
    PUT_SIGNED(TB_I32, i32)
    PUT_SIGNED(TB_I64, i64)
    PUT_UNSIGNED(TB_U8, u8)
    PUT_UNSIGNED(TB_U16, u16)
    PUT_UNSIGNED(TB_U32, u32)
    PUT_UNSIGNED(TB_U64, u64)
    table[tb__loop_find(TB_OP_place, 3, (tb_dtype[]){TB_I64, TB_I64, TB_I64})] = place;
}
