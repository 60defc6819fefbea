/* double_power.h - powers of vectors of doubles, where vectors are wide enough to keep tables in registers (AVX-512).
 *
 * The logarithm is kept as a sum of two doubles, with some 65 correct digits: x = 2^k m, and m times the number of
 * 32nds next to 1/m is 1 + r without an error (a reduction by tables, after P. T. P. Tang, 1990). The power is
 * 2^(n/16) exp(f). Errors are below 0.6 units in the last place, or 0.75 of denormal numbers; powers that are doubles
 * come out exact. What is no positive number, and exponents that are no numbers or whose powers are far out of range,
 * come second: the other lanes come out the same. */
#ifndef TB_BACKEND_CPU_LOOPS_DOUBLE_POWER_H
#define TB_BACKEND_CPU_LOOPS_DOUBLE_POWER_H
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define TB_HAVE_DOUBLE_POWER 1
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

enum { TB_POWER_LANES = 8 };

#define SET(x)       _mm512_set1_pd(x)
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)

/* -log(j / 32) at j modulo 32, for j from 21 to 43: a multiple of 2^-42, and what it is less than that. */
static const double tb_power_log[32] = {0,
                                        -0x1.f829b0e780000p-6,
                                        -0x1.f0a30c0118000p-5,
                                        -0x1.6f0d28ae58000p-4,
                                        -0x1.e27076e2b0000p-4,
                                        -0x1.29552f8200000p-3,
                                        -0x1.5ff3070a7a000p-3,
                                        -0x1.9525a9cf46000p-3,
                                        -0x1.c8ff7c79aa000p-3,
                                        -0x1.fb9186d5e4000p-3,
                                        -0x1.1675cababa000p-2,
                                        -0x1.2e8e2bae12000p-2,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0x1.af5295248d000p-2,
                                        0x1.7fafa3bd81000p-2,
                                        0x1.522ae0738a000p-2,
                                        0x1.269621134e000p-2,
                                        0x1.f991c6cb3c000p-3,
                                        0x1.a93ed3c8ae000p-3,
                                        0x1.5bf406b544000p-3,
                                        0x1.1178e8227e000p-3,
                                        0x1.9335e5d594000p-4,
                                        0x1.08598b59e4000p-4,
                                        0x1.0415d89e78000p-5};
static const double tb_power_log_low[32] = {0,
                                            -0x1.980267c7e09e4p-45,
                                            0x1.d599e83368e91p-45,
                                            0x1.4b4641b664613p-44,
                                            0x1.a342c2af0003cp-45,
                                            0x1.5b967f4471dfcp-44,
                                            0x1.8586f183bebf2p-44,
                                            0x1.297137d9f158fp-44,
                                            0x1.7794f689f8434p-45,
                                            0x1.d572aab993c87p-47,
                                            -0x1.8380e731f55c4p-44,
                                            0x1.67b1e99b72bd8p-45,
                                            0,
                                            0,
                                            0,
                                            0,
                                            0,
                                            0,
                                            0,
                                            0,
                                            0,
                                            -0x1.17cc552774458p-45,
                                            0x1.46fb79bf6d4cbp-44,
                                            0x1.ebe708164c759p-45,
                                            -0x1.1b61f10522625p-44,
                                            -0x1.90d04cd7cc834p-44,
                                            -0x1.8724350562169p-45,
                                            -0x1.27023eb68981cp-46,
                                            0x1.1ef78ce2d07f2p-45,
                                            0x1.3115c3abd47dap-45,
                                            -0x1.7e5dd7009902cp-46,
                                            -0x1.dddc7f461c516p-44};

/* 2^(j / 16). */
static const double tb_power_exp[16] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
static const double tb_power_exp_low[16] = {0,
                                            0x1.8a62e4adc610bp-54,
                                            -0x1.19041b9d78a76p-55,
                                            0x1.9b07eb6c70573p-54,
                                            0x1.6f46ad23182e4p-55,
                                            0x1.ada0911f09ebcp-55,
                                            0x1.d4397afec42e2p-56,
                                            0x1.6324c054647adp-54,
                                            -0x1.bdd3413b26456p-54,
                                            -0x1.41577ee04992fp-55,
                                            0x1.6e9f156864b27p-54,
                                            0x1.c7c46b071f2bep-56,
                                            0x1.7a1cd345dcc81p-54,
                                            0x1.11065895048ddp-55,
                                            0x1.2ed02d75b3707p-55,
                                            -0x1.e9c23179c2893p-54};

/* What a table has at the lowest digits of `place`: of 16, and of 32, of which `upper` says where the fifth is set. */
static inline __attribute__((always_inline)) __m512d tb_power_look(const double *table, __m512d place)
{
    return _mm512_permutex2var_pd(_mm512_loadu_pd(table), _mm512_castpd_si512(place), _mm512_loadu_pd(table + 8));
}

static inline __attribute__((always_inline)) __m512d tb_power_look_32(const double *table, __m512d place,
                                                                      __mmask8 upper)
{
    return _mm512_mask_blend_pd(upper, tb_power_look(table, place), tb_power_look(table + 16, place));
}

/* log(x) of positive numbers, and what it is less than that. */
static inline __attribute__((always_inline)) __m512d tb_power_logarithm(__m512d x, __m512d *low)
{
    const __m512d m = _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    const __m512d k = _mm512_sub_pd(_mm512_getexp_pd(x), _mm512_getexp_pd(m));
    const __m512d place = _mm512_add_pd(_mm512_rcp14_pd(m), SET(0x1.8p47)); /* parts of 32 are its lowest digits */
    const __mmask8 upper = _mm512_test_epi64_mask(_mm512_castpd_si512(place), _mm512_set1_epi64(16));
    const __m512d r = FMA(m, _mm512_sub_pd(place, SET(0x1.8p47)), SET(-1));
    const __m512d whole = FMA(k, SET(0x1.62e42fefa3800p-1), tb_power_look_32(tb_power_log, place, upper));
    const __m512d rest = FMA(k, SET(0x1.ef35793c76730p-45), tb_power_look_32(tb_power_log_low, place, upper));
    /* Each sum's first term is 0 or the larger one. */
    const __m512d half = _mm512_mul_pd(r, SET(-0.5)), square = _mm512_mul_pd(half, r);
    const __m512d first = _mm512_add_pd(whole, r), sum = _mm512_add_pd(first, square);
    const __m512d first_low = _mm512_add_pd(_mm512_sub_pd(whole, first), r);
    const __m512d sum_low = _mm512_add_pd(_mm512_sub_pd(first, sum), square);
    const __m512d square_low = _mm512_add_pd(_mm512_fmsub_pd(half, r, square), rest);
    const __m512d exact = _mm512_add_pd(_mm512_add_pd(first_low, sum_low), square_low);
    /* r^3 / 3 - r^4 / 4 + ..., a minimax fit. */
    const __m512d z = _mm512_mul_pd(r, r), z2 = _mm512_mul_pd(z, z);
    const __m512d p0 = FMA(r, SET(-0x1.ffffffffffff6p-3), SET(0x1.5555555555555p-2));
    const __m512d p1 = FMA(r, SET(-0x1.5555555590c24p-3), SET(0x1.9999999999990p-3));
    const __m512d p2 = FMA(r, SET(-0x1.fffff44775d57p-4), SET(0x1.24924924c9240p-3));
    const __m512d p3 = FMA(z, SET(0x1.74c23e5f41a0dp-4), FMA(r, SET(-0x1.9a072e66a9ca3p-4), SET(0x1.c71c66f55a68fp-4)));
    const __m512d p = FMA(z2, FMA(z, p3, p2), FMA(z, p1, p0));
    const __m512d more = FMA(_mm512_mul_pd(z, r), p, exact), log = _mm512_add_pd(sum, more);
    *low = _mm512_add_pd(_mm512_sub_pd(sum, log), more);
    return log;
}

/* exp(x + low) for |x| < 2^20. */
static inline __attribute__((always_inline)) __m512d tb_power_exponential(__m512d x, __m512d low)
{
    const __m512d place = FMA(x, SET(0x1.71547652b82fep+4), SET(0x1.8p52)), n = _mm512_sub_pd(place, SET(0x1.8p52));
    const __m512d near = FMA(n, SET(-0x1.62e42fefa39efp-5), x);
    const __m512d f = _mm512_add_pd(near, FMA(n, SET(-0x1.abc9e3b39803fp-60), low)), z = _mm512_mul_pd(f, f);
    const __m512d p0 = FMA(f, SET(0x1.5555555555556p-3), SET(0x1.0000000000001p-1));
    const __m512d p1 = FMA(f, SET(0x1.11111110e0d94p-7), SET(0x1.55555554e8d7bp-5));
    const __m512d p2 = FMA(f, SET(0x1.a01b0cb76698bp-13), SET(0x1.6c17ede661f5cp-10));
    const __m512d above = FMA(z, FMA(z, FMA(z, p2, p1), p0), f); /* exp(f) - 1 */
    const __m512d scale = tb_power_look(tb_power_exp, place), scale_low = tb_power_look(tb_power_exp_low, place);
    const __m512d r = _mm512_add_pd(scale, FMA(scale, above, scale_low));
    return _mm512_scalef_pd(r, _mm512_mul_pd(n, SET(0.0625)));
}

/* Lanes that are not finite positive numbers to powers of moderate size. */
static __attribute__((noinline)) __m512d tb_power_second(__m512d x, __m512d y, __m512d r, __mmask8 large)
{
    const __m512d half = _mm512_mul_pd(y, SET(0.5));
    const __mmask8 negative = _mm512_fpclass_pd_mask(x, 0x40);
    const __mmask8 broken = _mm512_cmp_pd_mask(_mm512_roundscale_pd(y, 8), y, _CMP_NEQ_UQ);
    const __mmask8 odd = _mm512_cmp_pd_mask(_mm512_roundscale_pd(half, 8), half, _CMP_NEQ_UQ);
    const __m512d turned = _mm512_mask_xor_pd(r, negative & odd, r, SET(-0.0));
    unsigned left = large | _mm512_fpclass_pd_mask(x, 0x9f); /* NaN, infinities, zeros */
    double base[8], exponent[8], result[8];
    _mm512_storeu_pd(base, x);
    _mm512_storeu_pd(exponent, y);
    _mm512_storeu_pd(result, _mm512_mask_mov_pd(turned, negative & broken, SET((double)NAN)));
    for (; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        result[i] = pow(base[i], exponent[i]);
    }
    return _mm512_loadu_pd(result);
}

static inline __attribute__((always_inline)) __m512d tb_power_double(__m512d x, __m512d y)
{
    __m512d low;
    const __m512d log = tb_power_logarithm(x, &low), whole = _mm512_mul_pd(y, log);
    const __m512d rest = FMA(y, low, _mm512_fmsub_pd(y, log, whole));
    const __mmask8 large = _mm512_cmp_pd_mask(_mm512_abs_pd(whole), SET(0x1p20), _CMP_NLT_UQ);
    const __m512d r = tb_power_exponential(whole, rest);
    if (__builtin_expect((large | _mm512_fpclass_pd_mask(x, 0xdf)) != 0, 0)) return tb_power_second(x, y, r, large);
    return r;
}

/* The last, partial vector of a run is filled with ones. */
static inline void tb_power_run(int64_t n, double *o, const double *x, const double *y)
{
    int64_t k = 0;
    for (; k + TB_POWER_LANES <= n; k += TB_POWER_LANES)
        _mm512_storeu_pd(o + k, tb_power_double(_mm512_loadu_pd(x + k), _mm512_loadu_pd(y + k)));
    if (k == n) return;
    const __mmask8 left = (__mmask8)((1u << (n - k)) - 1);
    const __m512d base = _mm512_mask_loadu_pd(SET(1), left, x + k);
    const __m512d exponent = _mm512_mask_loadu_pd(SET(1), left, y + k);
    _mm512_mask_storeu_pd(o + k, left, tb_power_double(base, exponent));
}
#undef SET
#undef FMA
#endif
#endif
