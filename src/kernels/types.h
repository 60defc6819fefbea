/* types.h - the storage and register types of every dtype, for host (C17) and device (CUDA C++ under NVRTC).
 *
 * src/kernels is code that host loops and device sources share, and in its folders what only some have: device/ the
 * kernels that generated sources end with, host_cuda/ CUDA for a C++ compiler, user/ what user kernels may count on.
 * Nothing is included on the device. Every other file of this folder needs this one first. A dtype goes by its token:
 * bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 c64 c128. For a token T
 *   tb_T            the type in memory
 *   tb_reg_T        the type of an expression's operand: float for f16 and bf16, else tb_T
 *   tb_load_T(x)    memory to register            tb_store_T(x)   register to memory
 *   tb_round_T(x)   an expression's value, made a register value of T: what follows every operation
 *   TB_CAST(F, T, x)  a register of dtype F converted to a register of dtype T, by the rules of NumPy's astype
 * Conversions of float16 and bfloat16 come from half.h, which must follow this file wherever one of them occurs.
 *
 * The expressions of a loop need, beside this file and half.h: integer.h for integer inputs, real.h for float inputs,
 * real.h and then complex.h for complex inputs, real.h and then philox.h for generators. */
#ifndef TB_KERNELS_TYPES_H
#define TB_KERNELS_TYPES_H

/* TB_SERIES: coefficients of a polynomial. Of constants that it knows, the device's compiler makes two instructions
 * each to have them in a register: of these, which it does not, one. */
#ifdef __CUDACC_RTC__
#define TB_FN static __device__ __forceinline__ __attribute__((unused))
#define TB_CALLED static __device__ __attribute__((noinline, unused))
#define TB_TABLE static __constant__ const double
#define TB_SERIES static __constant__ double
typedef signed char tb_i8;
typedef unsigned char tb_u8;
typedef short tb_i16;
typedef unsigned short tb_u16;
typedef int tb_i32;
typedef unsigned int tb_u32;
typedef long long tb_i64;
typedef unsigned long long tb_u64;
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#define TB_FN static inline __attribute__((unused))
#define TB_CALLED static __attribute__((noinline, unused))
#define TB_TABLE static const __attribute__((unused)) double
#define TB_SERIES TB_TABLE
typedef int8_t tb_i8;
typedef uint8_t tb_u8;
typedef int16_t tb_i16;
typedef uint16_t tb_u16;
typedef int32_t tb_i32;
typedef uint32_t tb_u32;
typedef int64_t tb_i64;
typedef uint64_t tb_u64;
#endif
/* Around all that a called function does whose lanes may have the result one before another: those that come together
 * leave together. What some still call in it may clear the barrier at which ptxas (13.0) has the first ones wait, and
 * from there on a warp whose lanes have parted would run code that is compiled for one that has not: what that holds in
 * a uniform register is computed twice. A function has one such place. Where lanes of one mask wait in several, after
 * each of its returns, barriers of the same number are used by both, and some wait for ever. */
#if defined __CUDACC_RTC__ && !defined TB_HOST_CUDA
#define TB_TOGETHER(...)                   \
    const unsigned lanes = __activemask(); \
    __VA_ARGS__;                           \
    __syncwarp(lanes)
#else
#define TB_TOGETHER(...) __VA_ARGS__
#endif
typedef tb_u8 tb_bool; /* 0 or 1 */
typedef struct tb_f16 {
    tb_u16 bits;
} tb_f16;
typedef struct tb_bf16 {
    tb_u16 bits;
} tb_bf16;
typedef float tb_f32;
typedef double tb_f64;
typedef struct tb_c64 {
    float re, im;
} tb_c64;
typedef struct tb_c128 {
    double re, im;
} tb_c128;

#ifdef __cplusplus
typedef tb_bool tb_reg_bool;
#else
typedef _Bool tb_reg_bool; /* 0 or 1, whatever byte it is made of */
#endif
typedef tb_i8 tb_reg_i8;
typedef tb_u8 tb_reg_u8;
typedef tb_i16 tb_reg_i16;
typedef tb_u16 tb_reg_u16;
typedef tb_i32 tb_reg_i32;
typedef tb_u32 tb_reg_u32;
typedef tb_i64 tb_reg_i64;
typedef tb_u64 tb_reg_u64;
typedef float tb_reg_f16;
typedef float tb_reg_bf16;
typedef float tb_reg_f32;
typedef double tb_reg_f64;
typedef tb_c64 tb_reg_c64;
typedef tb_c128 tb_reg_c128;

TB_FN tb_c64 tb_make_c64(float re, float im)
{
    tb_c64 z;
    z.re = re;
    z.im = im;
    return z;
}

TB_FN tb_c128 tb_make_c128(double re, double im)
{
    tb_c128 z;
    z.re = re;
    z.im = im;
    return z;
}

/* Floats as their bits. */
#if defined __CUDACC_RTC__ && !defined TB_HOST_CUDA
TB_FN tb_u32 tb_bits_of_f32(float a) { return __float_as_uint(a); }
TB_FN float tb_f32_of_bits(tb_u32 bits) { return __uint_as_float(bits); }
TB_FN tb_u64 tb_bits_of_f64(double a) { return (tb_u64)__double_as_longlong(a); }
TB_FN double tb_f64_of_bits(tb_u64 bits) { return __longlong_as_double((tb_i64)bits); }
#else
#define TB_BITS_FNS(T, s, U)                                                                          \
    TB_FN U tb_bits_of_##s(T a)                                                                       \
    {                                                                                                 \
        U bits;                                                                                       \
        memcpy(&bits, &a, sizeof bits);                                                               \
        return bits;                                                                                  \
    }                                                                                                 \
    TB_FN T tb_##s##_of_bits(U bits)                                                                  \
    {                                                                                                 \
        T a;                                                                                          \
        memcpy(&a, &bits, sizeof a);                                                                  \
        return a;                                                                                     \
    }
TB_BITS_FNS(float, f32, tb_u32)
TB_BITS_FNS(double, f64, tb_u64)
#undef TB_BITS_FNS
#endif

/* A product that stays rounded: gcc joins the products of a vectorised complex multiplication with the sums, whatever
 * -ffp-contract says. */
#if !defined(__CUDACC_RTC__) && defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
#define TB_ROUNDED(x) __builtin_assoc_barrier(x)
#endif
#endif
#ifndef TB_ROUNDED
#define TB_ROUNDED(x) (x)
#endif

/* Index i of an axis of length n > 0, from either end and as often around it as it takes, times a stride. */
TB_FN tb_i64 tb_place(tb_i64 i, tb_i64 n, tb_i64 stride)
{
    tb_i64 at = i < 0 ? i + n : i;
    if ((tb_u64)at >= (tb_u64)n) {
        at = i % n;
        if (at < 0) at += n;
    }
    return at * stride;
}

/* -x, in two steps: ptxas 13.0 merges negations into the least and the greatest of three numbers (VIMNMX3 of Hopper and
 * Blackwell), and loses the sign of one of them. */
TB_FN tb_u32 tb_minus(tb_u32 x)
{
#if defined __CUDA_ARCH__ && !defined TB_HOST_CUDA
    asm("{\n\t.reg .b32 t;\n\tnot.b32 t, %1;\n\tadd.s32 %0, t, 1;\n\t}" : "=r"(x) : "r"(x));
    return x;
#else
    return 0u - x;
#endif
}

#define tb_load_bool(x) ((tb_bool)((x) != 0)) /* a mask may be a view of other bytes, which a scan would add up */
#define tb_load_i8(x) (x)
#define tb_load_u8(x) (x)
#define tb_load_i16(x) (x)
#define tb_load_u16(x) (x)
#define tb_load_i32(x) (x)
#define tb_load_u32(x) (x)
#define tb_load_i64(x) (x)
#define tb_load_u64(x) (x)
#define tb_load_f16(x) tb_f32_of_f16(x)
#define tb_load_bf16(x) tb_f32_of_bf16(x)
#define tb_load_f32(x) (x)
#define tb_load_f64(x) (x)
#define tb_load_c64(x) (x)
#define tb_load_c128(x) (x)

#define tb_store_bool(x) ((tb_bool)(x))
#define tb_store_i8(x) ((tb_i8)(x))
#define tb_store_u8(x) ((tb_u8)(x))
#define tb_store_i16(x) ((tb_i16)(x))
#define tb_store_u16(x) ((tb_u16)(x))
#define tb_store_i32(x) ((tb_i32)(x))
#define tb_store_u32(x) ((tb_u32)(x))
#define tb_store_i64(x) ((tb_i64)(x))
#define tb_store_u64(x) ((tb_u64)(x))
#define tb_store_f16(x) tb_f16_of_f32(x)
#define tb_store_bf16(x) tb_bf16_of_f32(x)
#define tb_store_f32(x) ((float)(x))
#define tb_store_f64(x) ((double)(x))
#define tb_store_c64(x) (x)
#define tb_store_c128(x) (x)

#define tb_round_bool(x) tb_store_bool(x)
#define tb_round_i8(x) tb_store_i8(x)
#define tb_round_u8(x) tb_store_u8(x)
#define tb_round_i16(x) tb_store_i16(x)
#define tb_round_u16(x) tb_store_u16(x)
#define tb_round_i32(x) tb_store_i32(x)
#define tb_round_u32(x) tb_store_u32(x)
#define tb_round_i64(x) tb_store_i64(x)
#define tb_round_u64(x) tb_store_u64(x)
#define tb_round_f16(x) tb_f32_of_f16(tb_f16_of_f32(x))
#define tb_round_bf16(x) tb_f32_of_bf16(tb_bf16_of_f32(x))
#define tb_round_f32(x) tb_store_f32(x)
#define tb_round_f64(x) tb_store_f64(x)
#define tb_round_c64(x) (x)
#define tb_round_c128(x) (x)

/* Casts: tb_to_T(F, x) converts to T from a register of dtype F, through the helpers below. */
#define TB_CAST(F, T, x) tb_to_##T(F, x)
#define tb_to_bool(F, x) ((tb_bool)tb_nonzero_##F(x))
#define tb_to_i8(F, x) ((tb_i8)tb_int_##F(x))
#define tb_to_u8(F, x) ((tb_u8)tb_int_##F(x))
#define tb_to_i16(F, x) ((tb_i16)tb_int_##F(x))
#define tb_to_u16(F, x) ((tb_u16)tb_int_##F(x))
#define tb_to_i32(F, x) ((tb_i32)tb_int_##F(x))
#define tb_to_u32(F, x) ((tb_u32)tb_long_##F(x))
#define tb_to_i64(F, x) ((tb_i64)tb_long_##F(x))
#define tb_to_u64(F, x) ((tb_u64)tb_ulong_##F(x))
#define tb_to_f16(F, x) tb_half_##F(x)
#define tb_to_bf16(F, x) tb_bfloat_##F(x)
#define tb_to_f32(F, x) ((float)tb_re_##F(x))
#define tb_to_f64(F, x) ((double)tb_re_##F(x))
#define tb_to_c64(F, x) tb_make_c64((float)tb_re_##F(x), (float)tb_im_##F(x))
#define tb_to_c128(F, x) tb_make_c128((double)tb_re_##F(x), (double)tb_im_##F(x))

#define tb_re_bool(x) (x)
#define tb_re_i8(x) (x)
#define tb_re_u8(x) (x)
#define tb_re_i16(x) (x)
#define tb_re_u16(x) (x)
#define tb_re_i32(x) (x)
#define tb_re_u32(x) (x)
#define tb_re_i64(x) (x)
#define tb_re_u64(x) (x)
#define tb_re_f16(x) (x)
#define tb_re_bf16(x) (x)
#define tb_re_f32(x) (x)
#define tb_re_f64(x) (x)
#define tb_re_c64(x) ((x).re)
#define tb_re_c128(x) ((x).re)

#define tb_im_bool(x) 0
#define tb_im_i8(x) 0
#define tb_im_u8(x) 0
#define tb_im_i16(x) 0
#define tb_im_u16(x) 0
#define tb_im_i32(x) 0
#define tb_im_u32(x) 0
#define tb_im_i64(x) 0
#define tb_im_u64(x) 0
#define tb_im_f16(x) 0
#define tb_im_bf16(x) 0
#define tb_im_f32(x) 0
#define tb_im_f64(x) 0
#define tb_im_c64(x) ((x).im)
#define tb_im_c128(x) ((x).im)

#define tb_nonzero_bool(x) (x)
#define tb_nonzero_i8(x) ((x) != 0)
#define tb_nonzero_u8(x) ((x) != 0)
#define tb_nonzero_i16(x) ((x) != 0)
#define tb_nonzero_u16(x) ((x) != 0)
#define tb_nonzero_i32(x) ((x) != 0)
#define tb_nonzero_u32(x) ((x) != 0)
#define tb_nonzero_i64(x) ((x) != 0)
#define tb_nonzero_u64(x) ((x) != 0)
#define tb_nonzero_f16(x) ((x) != 0)
#define tb_nonzero_bf16(x) ((x) != 0)
#define tb_nonzero_f32(x) ((x) != 0)
#define tb_nonzero_f64(x) ((x) != 0)
#define tb_nonzero_c64(x) ((x).re != 0 || (x).im != 0)
#define tb_nonzero_c128(x) ((x).re != 0 || (x).im != 0)

/* The value as a wider integer that the target then truncates: fixes the intermediate, so that a float which the target
 * cannot hold gives the same number whatever instructions the compiler picks. */
#define tb_int_bool(x) (x)
#define tb_int_i8(x) (x)
#define tb_int_u8(x) (x)
#define tb_int_i16(x) (x)
#define tb_int_u16(x) (x)
#define tb_int_i32(x) (x)
#define tb_int_u32(x) (x)
#define tb_int_i64(x) (x)
#define tb_int_u64(x) (x)
#define tb_int_f16(x) ((tb_i32)(x))
#define tb_int_bf16(x) ((tb_i32)(x))
#define tb_int_f32(x) ((tb_i32)(x))
#define tb_int_f64(x) ((tb_i32)(x))
#define tb_int_c64(x) ((tb_i32)(x).re)
#define tb_int_c128(x) ((tb_i32)(x).re)

#define tb_long_bool(x) (x)
#define tb_long_i8(x) (x)
#define tb_long_u8(x) (x)
#define tb_long_i16(x) (x)
#define tb_long_u16(x) (x)
#define tb_long_i32(x) (x)
#define tb_long_u32(x) (x)
#define tb_long_i64(x) (x)
#define tb_long_u64(x) (x)
#define tb_long_f16(x) ((tb_i64)(x))
#define tb_long_bf16(x) ((tb_i64)(x))
#define tb_long_f32(x) ((tb_i64)(x))
#define tb_long_f64(x) ((tb_i64)(x))
#define tb_long_c64(x) ((tb_i64)(x).re)
#define tb_long_c128(x) ((tb_i64)(x).re)

#define tb_ulong_bool(x) (x)
#define tb_ulong_i8(x) (x)
#define tb_ulong_u8(x) (x)
#define tb_ulong_i16(x) (x)
#define tb_ulong_u16(x) (x)
#define tb_ulong_i32(x) (x)
#define tb_ulong_u32(x) (x)
#define tb_ulong_i64(x) (x)
#define tb_ulong_u64(x) (x)
#define tb_ulong_f16(x) tb_u64_of_f64(x)
#define tb_ulong_bf16(x) tb_u64_of_f64(x)
#define tb_ulong_f32(x) tb_u64_of_f64(x)
#define tb_ulong_f64(x) tb_u64_of_f64(x)
#define tb_ulong_c64(x) tb_u64_of_f64((x).re)
#define tb_ulong_c128(x) tb_u64_of_f64((x).re)

#define tb_half_bool(x) ((float)(x))
#define tb_half_i8(x) tb_round_f16((float)(x))
#define tb_half_u8(x) tb_round_f16((float)(x))
#define tb_half_i16(x) tb_round_f16((float)(x))
#define tb_half_u16(x) tb_round_f16((float)(x))
#define tb_half_i32(x) tb_round_f16((float)(x))
#define tb_half_u32(x) tb_round_f16((float)(x))
#define tb_half_i64(x) tb_round_f16((float)(x))
#define tb_half_u64(x) tb_round_f16((float)(x))
#define tb_half_f16(x) (x)
#define tb_half_bf16(x) tb_round_f16(x)
#define tb_half_f32(x) tb_round_f16(x)
#define tb_half_f64(x) tb_f32_of_f16(tb_f16_of_f64(x))
#define tb_half_c64(x) tb_round_f16((x).re)
#define tb_half_c128(x) tb_f32_of_f16(tb_f16_of_f64((x).re))

#define tb_bfloat_bool(x) ((float)(x))
#define tb_bfloat_i8(x) ((float)(x))
#define tb_bfloat_u8(x) ((float)(x))
#define tb_bfloat_i16(x) tb_round_bf16((float)(x))
#define tb_bfloat_u16(x) tb_round_bf16((float)(x))
#define tb_bfloat_i32(x) tb_round_bf16((float)(x))
#define tb_bfloat_u32(x) tb_round_bf16((float)(x))
#define tb_bfloat_i64(x) tb_round_bf16((float)(x))
#define tb_bfloat_u64(x) tb_round_bf16((float)(x))
#define tb_bfloat_f16(x) tb_round_bf16(x)
#define tb_bfloat_bf16(x) (x)
#define tb_bfloat_f32(x) tb_round_bf16(x)
#define tb_bfloat_f64(x) tb_f32_of_bf16(tb_bf16_of_f64(x))
#define tb_bfloat_c64(x) tb_round_bf16((x).re)
#define tb_bfloat_c128(x) tb_f32_of_bf16(tb_bf16_of_f64((x).re))

/* What x86-64 computes for a cast to unsigned 64 bits: negative numbers wrap around. */
TB_FN tb_u64 tb_u64_of_f64(double x)
{
    const double top = 9223372036854775808.0;
    return x >= top ? (tb_u64)(tb_i64)(x - top) ^ ((tb_u64)1 << 63) : (tb_u64)(tb_i64)x;
}
#endif
