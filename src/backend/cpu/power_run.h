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

/* log2 of a float's magnitude. With x = 2^e m and m in [sqrt(1/2), sqrt(2)), log(m) is an odd series in
 * (m - 1) / (m + 1); integers turn into doubles in the low bits of 2^52. */
TB_FN double tb_log2_of_float(double x)
{
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcdu, raised = (uint64_t)1024 << 52;
    const uint64_t shifted = tb_bits_of_double(x) - sqrt_half + raised;
    const double e = tb_double_of_bits(shifted >> 52 | 0x4330000000000000u) - (0x1p52 + 1024);
    const double m = tb_double_of_bits((shifted & 0xfffffffffffffu) + sqrt_half);
    const double s = (m - 1) / (m + 1), t = s * s;
    double r = 2.8853900817779268 / 13;
    r = TB_MULTIPLY_ADD(r, t, 2.8853900817779268 / 11);
    r = TB_MULTIPLY_ADD(r, t, 2.8853900817779268 / 9);
    r = TB_MULTIPLY_ADD(r, t, 2.8853900817779268 / 7);
    r = TB_MULTIPLY_ADD(r, t, 2.8853900817779268 / 5);
    r = TB_MULTIPLY_ADD(r, t, 2.8853900817779268 / 3);
    r = TB_MULTIPLY_ADD(r, t, 2.8853900817779268);
    return x == 0 ? -INFINITY : x < INFINITY ? TB_MULTIPLY_ADD(r, s, e) : x;
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
