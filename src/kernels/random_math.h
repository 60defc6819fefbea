/* random_math.h - what draws by rejection compute with: elementary functions that give the same bits wherever they are
 * compiled, of arguments as draws have them.
 *
 * Whether an attempt is accepted hangs on the last bit of a comparison: so logarithms here are the project's own, with
 * fused multiply-adds spelled out, and without branches, so that host compilers make vector code of them. Polynomials
 * interpolate at Chebyshev's nodes. */
#ifndef TB_KERNELS_RANDOM_MATH_H
#define TB_KERNELS_RANDOM_MATH_H

/* Polynomials are written out, as of loops over coefficients the host's compilers make no vector code. */

/* ---- logarithms ------------------------------------------------------------------------------------------------ */

TB_SERIES tb_log_terms[] = {
    -0x1.4530c364ba9d7p-4, 0x1.53ee84f37149cp-4, -0x1.4cc52776f1283p-5, 0x1.5f1b05a15a198p-5,
    -0x1.d266833cd7aa3p-5, 0x1.eda4b7d8fa704p-5, -0x1.ff00d91d7037dp-5, 0x1.108c2bddfe376p-4,
    -0x1.2499533783f78p-4, 0x1.3b1b06564f0b4p-4, -0x1.555517628b5bap-4, 0x1.745cd6bf5a870p-4,
    -0x1.99999ae001f2fp-4, 0x1.c71c731b165e1p-4, -0x1.fffffffc51563p-4, 0x1.24924922a75eap-3,
    -0x1.5555555557c42p-3, 0x1.999999999c224p-3, -0x1.ffffffffffff1p-3, 0x1.555555555554dp-2,
    -0x1.0000000000000p-1};
/* (log(1 + m) - m) / m^2 for |m| <= 1/3. */
TB_FN double tb_log1p_rest_f64(double m)
{
    double p = tb_log_terms[0];
    p = fma(p, m, tb_log_terms[1]);
    p = fma(p, m, tb_log_terms[2]);
    p = fma(p, m, tb_log_terms[3]);
    p = fma(p, m, tb_log_terms[4]);
    p = fma(p, m, tb_log_terms[5]);
    p = fma(p, m, tb_log_terms[6]);
    p = fma(p, m, tb_log_terms[7]);
    p = fma(p, m, tb_log_terms[8]);
    p = fma(p, m, tb_log_terms[9]);
    p = fma(p, m, tb_log_terms[10]);
    p = fma(p, m, tb_log_terms[11]);
    p = fma(p, m, tb_log_terms[12]);
    p = fma(p, m, tb_log_terms[13]);
    p = fma(p, m, tb_log_terms[14]);
    p = fma(p, m, tb_log_terms[15]);
    p = fma(p, m, tb_log_terms[16]);
    p = fma(p, m, tb_log_terms[17]);
    p = fma(p, m, tb_log_terms[18]);
    p = fma(p, m, tb_log_terms[19]);
    p = fma(p, m, tb_log_terms[20]);
    return p;
}

TB_FN float tb_log1p_rest_f32(float m)
{
    float p = 0x1.dba260p-4f;
    p = fmaf(p, m, -0x1.04a268p-3f);
    p = fmaf(p, m, 0x1.bc8cf8p-4f);
    p = fmaf(p, m, -0x1.f4963ep-4f);
    p = fmaf(p, m, 0x1.24c926p-3f);
    p = fmaf(p, m, -0x1.55909ep-3f);
    p = fmaf(p, m, 0x1.9998d4p-3f);
    p = fmaf(p, m, -0x1.ffff2cp-3f);
    p = fmaf(p, m, 0x1.555556p-2f);
    return fmaf(p, m, -0x1.000000p-1f);
}

/* The logarithm of a normal positive number: x = 2^k (1 + m), m in [-1/3, 1/3]. */
TB_FN double tb_log_normal_f64(double x)
{
    const tb_u64 bits = tb_bits_of_f64(x), raised = bits - 0x3fe5555500000000u + 0x4000000000000000u;
    const double k = tb_f64_of_bits(0x4330000000000000u | raised >> 52) - (0x1p52 + 1024);
    const double m = tb_f64_of_bits(bits - (raised & 0xfff0000000000000u) + 0x4000000000000000u) - 1;
    return fma(k, 0x1.62e42fefa39efp-1, fma(tb_log1p_rest_f64(m) * m, m, m));
}

TB_FN float tb_log_normal_f32(float x)
{
    const tb_u32 bits = tb_bits_of_f32(x), raised = bits - 0x3f2aaaabu + 0x40000000u;
    const float k = tb_f32_of_bits(0x4b000000u | raised >> 23) - (0x1p23f + 128);
    const float m = tb_f32_of_bits(bits - (raised & 0xff800000u) + 0x40000000u) - 1;
    return fmaf(k, 0x1.62e430p-1f, fmaf(tb_log1p_rest_f32(m) * m, m, m));
}

/* The logarithm, where what is too small for a normal number, as 0 is, counts as the least of these. */
#define TB_LOG_f64(x) tb_log_normal_f64((x) > 0x1p-1022 ? (x) : 0x1p-1022)
#define TB_LOG_f32(x) tb_log_normal_f32((x) > 0x1p-126f ? (x) : 0x1p-126f)

/* log(1 + x) for x > -1: the logarithm of the rounded sum, and what that lacks (Kahan). */
TB_FN double tb_log1p_above_f64(double x)
{
    const double sum = 1 + x, less = sum - 1;
    return sum == 1 ? x : TB_LOG_f64(sum) * (x / (less == 0 ? 1 : less));
}

/* 1 / x of numbers that are neither close to 0 nor huge, with an error of about an ULP: without a branch, which the
 * device's quotients have. Three of Newton's steps from what the bits give. */
TB_FN float tb_reciprocal_f32(float x)
{
    float y = tb_f32_of_bits(0x7ef311c7u - tb_bits_of_f32(x));
    y = fmaf(fmaf(-x, y, 1), y, y);
    y = fmaf(fmaf(-x, y, 1), y, y);
    return fmaf(fmaf(-x, y, 1), y, y);
}

/* (log(1 + e) - e) / e^2 where 1 + e is between a quarter and four: with w = 1 / (2 + e) and v = e w, of which it is
 * twice the inverse hyperbolic tangent, the logarithm is 2 v (1 + v^2 q), and the linear term goes exactly. */
#define TB_NEAR_ONE(e) (((e) >= -0.75f) & ((e) <= 3))
TB_FN float tb_log1p_curve_f32(float e)
{
    const float w = tb_reciprocal_f32(2 + e), v = e * w, v2 = v * v;
    float q = 0x1.0de81ap-2f;
    q = fmaf(q, v2, -0x1.65afd4p-4f);
    q = fmaf(q, v2, 0x1.0a0d5ep-3f);
    q = fmaf(q, v2, 0x1.4d0d1ep-4f);
    q = fmaf(q, v2, 0x1.cae030p-4f);
    q = fmaf(q, v2, 0x1.247c02p-3f);
    q = fmaf(q, v2, 0x1.9999fcp-3f);
    q = fmaf(q, v2, 0x1.555556p-2f);
    return fmaf(2 * v * w, w * q, -w);
}

/* ---- exponentials, sines ----------------------------------------------------------------------------------------- */

TB_SERIES tb_exp_terms[] = {
    0x1.af390ba7e6f47p-26, 0x1.2891d4ffbb0f9p-22, 0x1.71de0d85293b8p-19, 0x1.a019b8ca26fcfp-16,
    0x1.a01a01a7cebcdp-13, 0x1.6c16c1789d1d7p-10, 0x1.11111111109a6p-7, 0x1.5555555553d37p-5,
    0x1.5555555555556p-3, 0x1.0000000000001p-1};
/* x = n log(2) + r: exp(r) - 1, and 2^n. Results below the normal numbers are 0. */
TB_FN double tb_exp_parts_f64(double x, double *scale)
{
    const double bounded = x < -708 ? -708 : x > 709 ? 709 : x;
    const double shifted = fma(bounded, 0x1.71547652b82fep0, 0x1.8p52), n = shifted - 0x1.8p52;
    const double r = fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, bounded));
    double p = tb_exp_terms[0];
    p = fma(p, r, tb_exp_terms[1]);
    p = fma(p, r, tb_exp_terms[2]);
    p = fma(p, r, tb_exp_terms[3]);
    p = fma(p, r, tb_exp_terms[4]);
    p = fma(p, r, tb_exp_terms[5]);
    p = fma(p, r, tb_exp_terms[6]);
    p = fma(p, r, tb_exp_terms[7]);
    p = fma(p, r, tb_exp_terms[8]);
    p = fma(p, r, tb_exp_terms[9]);
    *scale = x < -708 ? 0 : tb_f64_of_bits((tb_bits_of_f64(shifted) << 52) + 0x3ff0000000000000u);
    return fma(p * r, r, r);
}

TB_FN float tb_exp_parts_f32(float x, float *scale)
{
    const float bounded = x < -87 ? -87 : x > 88 ? 88 : x;
    const float shifted = fmaf(bounded, 0x1.715476p0f, 0x1.8p23f), n = shifted - 0x1.8p23f;
    const float r = fmaf(n, 0x1.05c610p-29f, fmaf(n, -0x1.62e430p-1f, bounded));
    float p = 0x1.a1256cp-13f;
    p = fmaf(p, r, 0x1.6d43b0p-10f);
    p = fmaf(p, r, 0x1.1110e0p-7f);
    p = fmaf(p, r, 0x1.5554e8p-5f);
    p = fmaf(p, r, 0x1.555556p-3f);
    p = fmaf(p, r, 0x1.000000p-1f);
    *scale = x < -87 ? 0 : tb_f32_of_bits((tb_bits_of_f32(shifted) << 23) + 0x3f800000u);
    return fmaf(p * r, r, r);
}

TB_FN double tb_exp_below_f64(double x) /* x <= 709 */
{
    double scale;
    const double rest = tb_exp_parts_f64(x, &scale);
    return fma(rest, scale, scale);
}

TB_FN float tb_exp_below_f32(float x) /* x <= 88 */
{
    float scale;
    const float rest = tb_exp_parts_f32(x, &scale);
    return fmaf(rest, scale, scale);
}

TB_FN double tb_expm1_below_f64(double x)
{
    double scale;
    const double rest = tb_exp_parts_f64(x, &scale);
    return fma(rest, scale, scale - 1);
}

TB_SERIES tb_sin_terms[] = {
    0x1.9d462020fcc78p-38, -0x1.6f7acdb8f6580p-31, 0x1.e8f3675ee37ddp-25, -0x1.e3074dfaf87afp-19,
    0x1.5078348551854p-13, -0x1.32d2cce627c86p-8, 0x1.466bc6775aa7dp-4, -0x1.4abbce625be52p-1,
    0x1.921fb54442d18p+0};
/* The sine of z quarter turns, |z| <= 1. */
TB_FN double tb_sin_quarters_f64(double z)
{
    const double z2 = z * z;
    double p = tb_sin_terms[0];
    p = fma(p, z2, tb_sin_terms[1]);
    p = fma(p, z2, tb_sin_terms[2]);
    p = fma(p, z2, tb_sin_terms[3]);
    p = fma(p, z2, tb_sin_terms[4]);
    p = fma(p, z2, tb_sin_terms[5]);
    p = fma(p, z2, tb_sin_terms[6]);
    p = fma(p, z2, tb_sin_terms[7]);
    p = fma(p, z2, tb_sin_terms[8]);
    return p * z;
}

TB_FN float tb_sin_quarters_f32(float z)
{
    const float z2 = z * z;
    float p = -0x1.cc9b60p-19f;
    p = fmaf(p, z2, 0x1.501408p-13f);
    p = fmaf(p, z2, -0x1.32d12ep-8f);
    p = fmaf(p, z2, 0x1.466bc0p-4f);
    p = fmaf(p, z2, -0x1.4abbcep-1f);
    p = fmaf(p, z2, 0x1.921fb6p+0f);
    return p * z;
}
#endif
