/* power_run.h - runs of float powers, computed in double so that one rounding is left: in a form that compilers
 * vectorise. Special values are C's. */
#ifndef TB_BACKEND_CPU_POWER_RUN_H
#define TB_BACKEND_CPU_POWER_RUN_H
#include "kernels/types.h"

#ifdef __FMA__
#define TB_MULTIPLY_ADD(a, b, c) __builtin_fma(a, b, c)
#else
#define TB_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

TB_FN uint64_t tb_bits_of_double(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

TB_FN double tb_double_of_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* log2 of a float's magnitude. With x = 2^e m and m in [2/3, 4/3), log2(m) is f = m - 1 times a polynomial, which
 * interpolates at Chebyshev's points to 5e-12; integers turn into doubles in the low bits of 2^52. */
TB_FN double tb_log2_of_float(double x)
{
    const uint64_t two_thirds = 0x3fe5555555555555u, raised = (uint64_t)1024 << 52;
    const uint64_t shifted = tb_bits_of_double(x) - two_thirds + raised;
    const double e = tb_double_of_bits(shifted >> 52 | 0x4330000000000000u) - (0x1p52 + 1024);
    const double f = tb_double_of_bits((shifted & 0xfffffffffffffu) + two_thirds) - 1;
    double r = -0x1.2ce388575f24ap-3;
    r = TB_MULTIPLY_ADD(r, f, 0x1.42f3531e0af8ep-3);
    r = TB_MULTIPLY_ADD(r, f, -0x1.cf08c3d7b561cp-4);
    r = TB_MULTIPLY_ADD(r, f, 0x1.f9e8c2c83f1dep-4);
    r = TB_MULTIPLY_ADD(r, f, -0x1.289d6bfb5d7c8p-3);
    r = TB_MULTIPLY_ADD(r, f, 0x1.49849ea7373e5p-3);
    r = TB_MULTIPLY_ADD(r, f, -0x1.7148cb186a7c6p-3);
    r = TB_MULTIPLY_ADD(r, f, 0x1.a60af8502d178p-3);
    r = TB_MULTIPLY_ADD(r, f, -0x1.ec70d5a8b21e0p-3);
    r = TB_MULTIPLY_ADD(r, f, 0x1.2776e2cab1d28p-2);
    r = TB_MULTIPLY_ADD(r, f, -0x1.71547620c6b16p-2);
    r = TB_MULTIPLY_ADD(r, f, 0x1.ec709d8e7e3b3p-2);
    r = TB_MULTIPLY_ADD(r, f, -0x1.71547652bf714p-1);
    r = TB_MULTIPLY_ADD(r, f, 0x1.71547652bc0bep+0);
    return x == 0 ? -INFINITY : x < INFINITY ? TB_MULTIPLY_ADD(r, f, e) : x;
}

/* 2^x to float precision: beyond 160 either way a float has overflowed or vanished. NaN stays. */
TB_FN double tb_exp2_of_double(double x)
{
    x = x < -160 ? -160 : x > 160 ? 160 : x;
    const double shifted = x + 0x1.8p52, f = x - (shifted - 0x1.8p52);
    const double scale = tb_double_of_bits((tb_bits_of_double(shifted) + 1023) << 52);
    double r = 1.3215486790144309e-06;
    r = TB_MULTIPLY_ADD(r, f, 1.5252733804059841e-05);
    r = TB_MULTIPLY_ADD(r, f, 0.00015403530393381608);
    r = TB_MULTIPLY_ADD(r, f, 0.0013333558146428443);
    r = TB_MULTIPLY_ADD(r, f, 0.0096181291076284772);
    r = TB_MULTIPLY_ADD(r, f, 0.055504108664821580);
    r = TB_MULTIPLY_ADD(r, f, 0.24022650695910072);
    r = TB_MULTIPLY_ADD(r, f, 0.69314718055994531);
    return TB_MULTIPLY_ADD(r, f, 1.0) * scale;
}

/* o may be x or y: a point is read before it is written. */
static void tb_f32_run_of_power(int64_t n, float *o, const float *x, const float *y)
{
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (int64_t k = 0; k < n; k++) {
        const float a = x[k], b = y[k], half = b * 0.5f;
        const float r = (float)tb_exp2_of_double((double)b * tb_log2_of_float((double)fabsf(a)));
        const int fraction = floorf(b) != b, odd = (half - floorf(half) == 0.5f) & !fraction;
        const float signed_r = odd ? copysignf(r, a) : r;
        const float real_r = (a < 0) & (a != -INFINITY) & fraction ? NAN : signed_r;
        o[k] = (b == 0) | (a == 1) | ((a == -1) & (fabsf(b) == INFINITY)) ? 1 : real_r;
    }
}
#undef TB_MULTIPLY_ADD
#endif
