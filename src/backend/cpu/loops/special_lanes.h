/* special_lanes.h - special functions of vectors of doubles: NAME_v, and NAME_outside where that is not for all
 * arguments.
 *
 * There are no branches but around what no lane of a vector needs: what a lane gives depends on nothing but its
 * arguments. Coefficients that are not here are those of src/kernels. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_LANES_H
#include "backend/cpu/loops/double_math.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/special_common.h"
#include "kernels/special_elementary.h"
#include "kernels/special_erf.h"
#include "kernels/special_gamma.h"
#include "kernels/special_gammainc.h"
#include "kernels/special_elliptic.h"

#define IN_LINE static inline __attribute__((always_inline))

/* ---- a few elementary functions ---------------------------------------------------------------------------------- */

IN_LINE tb_vd exprel_v(tb_vd x)
{
    const tb_vd q = tb_expm1_double(x) / x;
    const tb_vd near = tb_dwhen_less(tb_dabs(x), tb_dset(1e-16), tb_dset(1), q);
    return tb_dwhen_less(tb_dset(1e10), x, tb_dset(INFINITY), near);
}

IN_LINE tb_vd expit_v(tb_vd x)
{
    const tb_vd e = tb_exp_double(-tb_dabs(x));
    return tb_dwhen_less(x, tb_dset(0), e, tb_dset(1)) / (1 + e);
}

IN_LINE tb_vd log_expit_v(tb_vd x)
{
    const tb_vd l = tb_log1p_double(tb_exp_double(-tb_dabs(x)));
    return tb_dwhen_less(x, tb_dset(0), x - l, -l);
}

IN_LINE tb_vd logit_v(tb_vd p)
{
    const tb_vd other = 1 - p, rest = (1 - other) - p, q = p / other, off = tb_dfma(-q, other, p) - q * rest;
    return tb_log_double(q) + tb_dwhen_less(tb_dabs(p - 0.5), tb_dset(0.25), off / p, tb_dset(0));
}

IN_LINE tb_vd entr_v(tb_vd x)
{
    const tb_vd at_0 = tb_dwhen_less(x, tb_dset(0), tb_dset(-INFINITY), x + 0);
    return tb_dselect(tb_dat_least(tb_dset(0), x), at_0, -x * tb_log_double(x));
}

/* 0 where x is and y is a number, else the product. */
IN_LINE tb_vd product_v(tb_vd x, tb_vd y, tb_vd function)
{
    const tb_vd zero = tb_dselect(tb_dat_least(tb_dabs(y), tb_dset(0)), tb_dset(0), y);
    return tb_dselect(tb_dat_least(tb_dset(0), tb_dabs(x)), zero, x * function);
}

/* Where the power is so large that it is not a power of what it is of. */
IN_LINE tb_dmask boxcox_outside(tb_vd x, tb_vd lambda)
{
    return tb_dnot(tb_dless(lambda * tb_log_double(x), tb_dset(700)));
}
IN_LINE tb_dmask boxcox1p_outside(tb_vd x, tb_vd lambda)
{
    return tb_dnot(tb_dless(lambda * tb_log1p_double(x), tb_dset(700)));
}

IN_LINE tb_vd boxcox_of_log(tb_vd l, tb_vd lambda)
{
    const tb_vd t = lambda * l, least = tb_dmin(tb_dabs(lambda), tb_dabs(t));
    return tb_dwhen_less(least, tb_dset(1e-19), l, tb_expm1_double(t) / lambda);
}

IN_LINE tb_vd boxcox_v(tb_vd x, tb_vd lambda) { return boxcox_of_log(tb_log_double(x), lambda); }
IN_LINE tb_vd boxcox1p_v(tb_vd x, tb_vd lambda) { return boxcox_of_log(tb_log1p_double(x), lambda); }

IN_LINE tb_vd inv_boxcox_v(tb_vd y, tb_vd lambda)
{
    const tb_vd t = tb_log1p_double(lambda * y) / lambda;
    return tb_exp_double(tb_dselect(tb_dat_least(tb_dset(0), tb_dabs(lambda)), y, t));
}

IN_LINE tb_vd inv_boxcox1p_v(tb_vd y, tb_vd lambda)
{
    const tb_vd t = lambda * y;
    return tb_expm1_double(tb_dwhen_less(tb_dabs(t), tb_dset(1e-19), y, tb_log1p_double(t) / lambda));
}

IN_LINE tb_vd xlogy_v(tb_vd x, tb_vd y) { return product_v(x, y, tb_log_double(y)); }
IN_LINE tb_vd xlog1py_v(tb_vd x, tb_vd y) { return product_v(x, y, tb_log1p_double(y)); }

/* Where a quotient may be no normal number, or the function has a value of its own. */
IN_LINE tb_dmask pair_outside(tb_vd x, tb_vd y)
{
    return tb_dnot(tb_dand(tb_dat_least(tb_dmin(x, y), tb_dset(1e-100)), tb_dless(x + y, tb_dset(1e100))));
}

/* The difference of numbers that are next to each other is exact. */
IN_LINE tb_vd rel_entr_v(tb_vd x, tb_vd y)
{
    const tb_vd q = x / y, d = (x - y) / y, sum = 1 + d, one = sum - d, lost = (1 - one) + (d - (sum - one));
    const tb_dmask near = tb_dless(tb_dabs(q - 1.25), tb_dset(0.75));
    return x * tb_log_of_sum(tb_dselect(near, sum, q), tb_dselect(near, lost, tb_dset(0)), d);
}

/* With d = y / x - 1: x (d - log(1 + d)) near 0. */
IN_LINE tb_vd kl_div_v(tb_vd x, tb_vd y)
{
    const tb_vd q = y / x, d = (y - x) / x;
    tb_vd k;
    const tb_vd m = tb_log_parts(q, &k);
    const tb_dmask apart = tb_dless(tb_dset(0), tb_dabs(k));
    const tb_vd f = tb_dselect(apart, m - 1, d), tail = tb_log_tail(f), l = tb_log_sum(k, f, tail, tb_dset(0));
    return tb_dselect(apart, -x * l - x + y, x * tail);
}

/* Zeros, and what has no reciprocal that is a normal number. */
IN_LINE tb_dmask extreme(tb_vd x)
{
    return tb_dnot(tb_dand(tb_dless(tb_dset(1e-300), tb_dabs(x)), tb_dless(tb_dabs(x), tb_dset(1e300))));
}

/* Of m in [1, 8), x being 2^(3 e) m: a line, twice Halley's step, and Newton's with the cube's rounding. */
IN_LINE tb_vd cbrt_v(tb_vd x)
{
    const tb_vd size = tb_dabs(x), exponent = (tb_vd)((tb_vu64)size >> 52 | 0x4330000000000000u) - (0x1p52 + 1023);
    const tb_vd e = tb_dround((exponent - 1) * (1.0 / 3)), m = tb_dscale(size, -3 * e);
    tb_vd y = tb_dfma(m, tb_dset(0.134), tb_dset(0.98));
    for (int k = 0; k < 2; k++) {
        const tb_vd cube = y * y * y;
        y = y * (cube + 2 * m) / (2 * cube + m);
    }
    const tb_vd square = y * y, lost = tb_dfma(y, y, -square), off = tb_dfma(lost, y, tb_dfma(square, y, -m));
    return tb_dcopysign(tb_dscale(y - off / (3 * square), e), x);
}

/* ---- sines and cosines ------------------------------------------------------------------------------------------- */

/* What lies `quarter` turns on from the angle r, |r| <= pi / 4: its sine, or its cosine where those are odd. */
IN_LINE tb_vd sine_of_quarter(tb_vd r, tb_vd quarter)
{
    const tb_vd q = r * r, half = quarter * 0.5, two = tb_dround(half - 0.25);
    const tb_vd up = tb_dfma(r * q, tb_dpolynomial(q, tb_sin_curve, 6), r);
    const tb_vd side = tb_dfma(q * q, tb_dpolynomial(q, tb_cos_curve, 6), tb_dfma(tb_dset(-0.5), q, tb_dset(1)));
    const tb_dmask odd = tb_dless(tb_dset(0.25), tb_dabs(half - tb_dround(half)));
    const tb_vd value = tb_dselect(odd, side, tb_dwhen_less(tb_dset(0), tb_dabs(r), up, r));
    return (tb_vd)((tb_vu64)value ^ (tb_vu64)(two + 0x1.8p52) << 63);
}

IN_LINE tb_vd sine_v(tb_vd x)
{
    const tb_vd n = tb_dround(x * 0.63661977236758134308);
    const tb_vd near = tb_dfma(-n, tb_dset(6.123233995736766e-17), tb_dfma(-n, tb_dset(TB_PI / 2), x));
    return sine_of_quarter(tb_dfma(n, tb_dset(1.4973849048591833e-33), near), n);
}

IN_LINE tb_dmask angle_outside(tb_vd x) { return tb_dnot(tb_dless(tb_dabs(x), tb_dset(3e4))); }

IN_LINE tb_vd cosm1_v(tb_vd x)
{
    const tb_vd h = sine_v(x * 0.5);
    return -2 * h * h;
}

/* Angles in degrees are reduced exactly, to 45 degrees around the next multiple of 90. */
IN_LINE tb_dmask degrees_outside(tb_vd x) { return tb_dnot(tb_dless(tb_dabs(x), tb_dset(1e9))); }

IN_LINE tb_vd turned(tb_vd x, tb_vd *quarter)
{
    *quarter = tb_dround(x * (1.0 / 90));
    return tb_dfma(-*quarter, tb_dset(90), x) * 0.017453292519943295769236907684886;
}

IN_LINE tb_vd sindg_v(tb_vd x)
{
    tb_vd quarter;
    const tb_vd r = turned(x, &quarter);
    return sine_of_quarter(r, quarter);
}

IN_LINE tb_vd cosdg_v(tb_vd x)
{
    tb_vd quarter;
    const tb_vd r = turned(x, &quarter);
    return sine_of_quarter(r, quarter + 1) + 0;
}

IN_LINE tb_vd tandg_v(tb_vd x)
{
    tb_vd quarter;
    const tb_vd r = turned(x, &quarter), c = sine_of_quarter(r, quarter + 1);
    return tb_dwhen_less(tb_dset(0), tb_dabs(c), sine_of_quarter(r, quarter) / c + 0, tb_dset(INFINITY));
}

IN_LINE tb_vd cotdg_v(tb_vd x)
{
    tb_vd quarter;
    const tb_vd r = turned(x, &quarter), s = sine_of_quarter(r, quarter);
    return tb_dwhen_less(tb_dset(0), tb_dabs(s), sine_of_quarter(r, quarter + 1) / s + 0, tb_dset(INFINITY));
}

/* ---- the error function and the normal distribution -------------------------------------------------------------- */

/* erf(x) / x - 1 in x^2, |x| <= 3/4; and (1 + 2 x) erfcx(x) in (x - 4) / (x + 3), x >= 1/2. */
TB_TABLE erf_curve[11] = {0x1.8a2e9dbc7fd95p-27, -0x1.564f044b3c25bp-23, 0x1.b90ebdca7dfe4p-20, -0x1.f4c5dd88cd703p-17,
                          0x1.f9a2af950ce8ap-14, -0x1.c02db121a06a1p-11, 0x1.565bcd036392ep-8,  -0x1.b82ce31257374p-6,
                          0x1.ce2f21a0424c1p-4,  -0x1.812746b0379e0p-2,  0x1.06eba8214db69p-3};
TB_TABLE erfcx_curve[22] = {
    -0x1.1f8d605f43585p-31, -0x1.151419cdce946p-30, 0x1.7ac1cf2c821a0p-28, 0x1.b755b2e8eeceep-27,
    -0x1.3a57a35816716p-25, -0x1.b9fcdc96b7b63p-24, 0x1.01098debdc73cp-22, 0x1.83a87f825bef8p-21,
    -0x1.00ba31f1d660ap-19, -0x1.331c7e70c02b7p-18, 0x1.3c77a5f23dea6p-16, 0x1.253ecb5e45826p-16,
    -0x1.9f000f9f9c7b0p-13, 0x1.036bf5ffc1ce6p-12,  0x1.6ceba607337e5p-10, -0x1.088e4c74c86ddp-7,
    0x1.7595ade46dfefp-6,   -0x1.567a9b820a8edp-5,  0x1.7e31c1c8b9829p-5,  -0x1.ca3abf69a6901p-9,
    -0x1.f466eee541c75p-4,  0x1.3ba5916e9fd7fp+0};

IN_LINE tb_vd erf_near(tb_vd x) { return tb_dfma(x, tb_dpolynomial(x * x, erf_curve, 11), x); }
IN_LINE tb_vd erfcx_far(tb_vd x) { return tb_dpolynomial(1 - 7 / (x + 3), erfcx_curve, 22) / (1 + 2 * x); }

IN_LINE tb_vd erf_v(tb_vd x)
{
    const tb_vd y = tb_dabs(x), far = 1 - tb_exp_of_square(y, -1) * erfcx_far(y);
    return tb_dwhen_less(y, tb_dset(0.75), erf_near(x), tb_dcopysign(far, x));
}

IN_LINE tb_vd erfc_v(tb_vd x)
{
    const tb_vd y = tb_dabs(x), far = tb_exp_of_square(y, -1) * erfcx_far(y);
    return tb_dwhen_less(y, tb_dset(0.5), 1 - erf_near(x), tb_dwhen_less(x, tb_dset(0), 2 - far, far));
}

IN_LINE tb_dmask erfcx_outside(tb_vd x) { return tb_dnot(tb_dless(tb_dabs(x), tb_dset(1e150))); }

IN_LINE tb_vd erfcx_v(tb_vd x)
{
    const tb_vd y = tb_dabs(x), far = erfcx_far(y);
    const tb_dmask near = tb_dless(y, tb_dset(0.5)), left = tb_dless(x, tb_dset(0.5));
    if (!tb_dany(left)) return far;
    const tb_vd growth = tb_exp_of_square(y, 1), below = 2 * growth - far;
    return tb_dselect(near, growth * (1 - erf_near(x)), tb_dselect(left, below, far));
}

/* The distribution function at -|x|, from 0 down. */
IN_LINE tb_vd ndtr_below(tb_vd size, tb_vd erfcx)
{
    const tb_vd far = 0.5 * tb_exp_of_square(size, -0.5) * erfcx;
    return tb_dwhen_less(size, tb_dset(TB_HALF_ROOT),
                         tb_dfma(tb_dset(-0.5), erf_near(size * TB_HALF_ROOT), tb_dset(0.5)), far);
}

IN_LINE tb_vd ndtr_v(tb_vd x)
{
    const tb_vd size = tb_dabs(x), below = ndtr_below(size, erfcx_far(size * TB_HALF_ROOT));
    return tb_dwhen_less(x, tb_dset(0), below, 1 - below);
}

/* log(erfcx / 2) - x^2 / 2 where x is well below 0, the logarithm of the distribution function elsewhere. */
IN_LINE tb_vd log_ndtr_v(tb_vd x)
{
    const tb_vd size = tb_dabs(x), erfcx = erfcx_far(size * TB_HALF_ROOT), below = ndtr_below(size, erfcx);
    const tb_vd above = 1 - below, lost = (1 - above) - below;
    const tb_dmask tail = tb_dless(x, tb_dset(-TB_HALF_ROOT)), left = tb_dless(x, tb_dset(0));
    const tb_vd u = tb_dselect(tail, 0.5 * erfcx, tb_dselect(left, below, above));
    const tb_vd l = tb_log_of_sum(u, tb_dselect(left, tb_dset(0), lost), -below);
    return tb_dselect(tail, l - 0.5 * x * x, l);
}

IN_LINE tb_vd erfinv_centre(tb_vd y) { return y * tb_dpolynomial(8 * y * y - 1, tb_erfinv_middle, 14); }

/* The inverse of erfc for p <= 1/2. */
IN_LINE tb_vd erfcinv_tail(tb_vd p)
{
    const tb_vd t = tb_dsqrt(-tb_log_double(p));
    tb_vd curve = tb_dpolynomial((t - 1.54) * 1.4084507042253522, tb_erfcinv_near, 23);
    const tb_dmask far = tb_dat_least(t, tb_dset(2.25)), end = tb_dat_least(t, tb_dset(6));
    if (tb_dany(far)) {
        const tb_vd c = tb_dpolynomial((t - 4.125) * 0.53333333333333333, tb_erfcinv_far, 26);
        curve = tb_dselect(far, c, curve);
    }
    if (tb_dany(end)) {
        const tb_vd c = tb_dpolynomial((1 / t - 0.10158150851581508) * 15.364485981308411, tb_erfcinv_end, 26);
        curve = tb_dselect(end, c, curve);
    }
    return t * curve;
}

IN_LINE tb_vd erfinv_v(tb_vd y)
{
    const tb_vd size = tb_dabs(y),
                near = tb_dwhen_less(size, tb_dset(1e-9), y * 0.886226925452758013649, erfinv_centre(y));
    return tb_dwhen_less(tb_dset(0.5), size, tb_dcopysign(erfcinv_tail(1 - size), y), near);
}

IN_LINE tb_vd erfcinv_v(tb_vd p)
{
    const tb_vd other = 2 - p, tail = erfcinv_tail(tb_dmin(other, p));
    const tb_vd side = tb_dwhen_less(p, tb_dset(1), tail, -tail);
    return tb_dwhen_less(tb_dabs(p - 1), tb_dset(0.5), erfinv_centre(1 - p), side);
}

IN_LINE tb_vd ndtri_v(tb_vd p)
{
    const tb_vd d = p - 0.5, tail = erfcinv_tail(2 * tb_dwhen_less(tb_dset(0.5), p, 1 - p, p));
    const tb_vd side = tb_dcopysign(tail, d);
    return 1.41421356237309504880 * tb_dwhen_less(tb_dabs(d), tb_dset(0.25), erfinv_centre(2 * d), side);
}

/* ---- the gamma function ------------------------------------------------------------------------------------------ */

/* sin(pi r) / r in r^2, |r| <= 1/2. */
TB_TABLE sin_pi_curve[9] = {0x1.9d462020fcc78p-21, -0x1.6f7acdb8f6580p-16, 0x1.e8f3675ee37ddp-12,
                            -0x1.e3074dfaf87afp-8, 0x1.5078348551854p-4,   -0x1.32d2cce627c86p-1,
                            0x1.466bc6775aa7dp+1,  -0x1.4abbce625be52p+2,  0x1.921fb54442d18p+1};

/* log(gamma(x)) - ((x - 1/2) log(x) - x + log(2 pi) / 2) in 1 / x^2, times x: DLMF 5.11.1. */
TB_TABLE stirling_curve[8] = {-0.029550653594771242, 0.00641025641025641,    -0.0019175269175269176,
                              0.0008417508417508417, -0.0005952380952380953, 0.0007936507936507937,
                              -0.002777777777777778, 0.08333333333333333};

/* Numbers without a fraction that are no poles do not differ from their neighbours'. */
IN_LINE tb_dmask gammaln_outside(tb_vd x) { return tb_dless(x, tb_dset(-0x1p50)); }

/* Up to 10 by the steps from [3/2, 5/2], which are a product and one logarithm, beyond by Stirling's series. */
IN_LINE tb_vd gammaln_v(tb_vd x)
{
    const tb_vd size = tb_dabs(x);
    const tb_dmask big = tb_dat_least(size, tb_dset(10)), less = tb_dless(size, tb_dset(1.5));
    const tb_dmask least = tb_dless(size, tb_dset(0.5));
    tb_vd above = tb_dset(1), y = tb_dselect(big, tb_dset(2), size);
    for (tb_dmask more = tb_dat_least(y, tb_dset(2.5)); tb_dany(more); more = tb_dat_least(y, tb_dset(2.5))) {
        y = tb_dselect(more, y - 1, y);
        above = tb_dselect(more, above * y, above);
    }
    const tb_vd d = tb_dselect(least, size, tb_dselect(less, size - 1, y - 2));
    const tb_vd below = tb_dselect(least, size * (size + 1), size);
    const tb_vd l = tb_log_double(tb_dselect(less, below, tb_dselect(big, size, above))), r = 1 / size;
    const tb_vd near = tb_dfma(d, tb_dpolynomial(2 * d, tb_loggamma_2, 18), tb_dselect(less, -l, l));
    const tb_vd far = (size - 0.5) * (l - 1) + 0.418938533204672741780 + r * tb_dpolynomial(r * r, stirling_curve, 8);
    const tb_vd right = tb_dselect(big, far, near);
    const tb_dmask left = tb_dless(x, tb_dset(-1e-17));
    if (!tb_dany(left)) return right;
    const tb_vd f = size - tb_dround(size), sine = f * tb_dpolynomial(f * f, sin_pi_curve, 9);
    return tb_dselect(left, tb_log_double(TB_PI / (size * tb_dabs(sine))) - right, right);
}

IN_LINE tb_dmask loggamma_outside(tb_vd x) { return tb_dnot(tb_dat_least(x, tb_dset(0))); }

/* Whole numbers have exact values, and far from 0 there are many steps. */
IN_LINE tb_dmask gamma_outside(tb_vd x)
{
    const tb_dmask fraction = tb_dless(tb_dset(0), tb_dabs(x - tb_dround(x)));
    return tb_dnot(tb_dand(fraction, tb_dless(tb_dabs(x - 2), tb_dset(22))));
}

/* The product of the steps from [2, 3], or the quotient by those to it, with what the roundings lost. */
IN_LINE tb_vd gamma_v(tb_vd x)
{
    const tb_dmask left = tb_dless(x, tb_dset(2));
    tb_vd p = tb_dset(1), lost = tb_dset(0), y = tb_dmax(tb_dset(-21), tb_dmin(tb_dset(24), x));
    for (tb_dmask more = tb_dat_least(y, tb_dset(3)); tb_dany(more); more = tb_dat_least(y, tb_dset(3))) {
        y = tb_dselect(more, y - 1, y);
        const tb_vd factor = tb_dselect(more, y, tb_dset(1)), next = p * factor;
        lost = tb_dfma(lost, factor, tb_dfma(p, factor, -next));
        p = next;
    }
    for (tb_dmask more = left; tb_dany(more); more = tb_dless(y, tb_dset(2))) {
        const tb_vd factor = tb_dselect(more, y, tb_dset(1)), next = p * factor;
        lost = tb_dfma(lost, factor, tb_dfma(p, factor, -next));
        p = next;
        y = tb_dselect(more, y + 1, y);
    }
    const tb_vd g = tb_dpolynomial(2 * y - 5, tb_gamma_2, 17), right = tb_dfma(g, p, g * lost);
    if (!tb_dany(left)) return right;
    const tb_vd q = g / p;
    return tb_dselect(left, tb_dfma(-q, lost / p, q), right);
}

IN_LINE tb_dmask poch_outside(tb_vd x, tb_vd m)
{
    const tb_vd sum = x + m, least = tb_dmin(x, sum), most = tb_dmax(x, sum);
    const tb_dmask inside = tb_dand(tb_dless(tb_dset(1e-300), least), tb_dless(most, tb_dset(24)));
    return tb_dnot(tb_dand(inside, tb_dless(tb_dset(0), tb_dabs(m - tb_dround(m)))));
}

IN_LINE tb_vd poch_v(tb_vd x, tb_vd m) { return gamma_v(x + m) / gamma_v(x); }

/* For a, b > 0 with a small sum: by about digamma, what its rounding does. */
IN_LINE tb_dmask beta_outside(tb_vd a, tb_vd b)
{
    return tb_dnot(tb_dand(tb_dless(tb_dset(1e-300), tb_dmin(a, b)), tb_dless(a + b, tb_dset(20))));
}

IN_LINE tb_vd beta_v(tb_vd a, tb_vd b)
{
    const tb_vd big = tb_dmax(a, b), small = tb_dmin(a, b), sum = a + b, rest = small - (sum - big);
    const tb_vd quotient = gamma_v(big) / gamma_v(sum) * gamma_v(small);
    const tb_vd mended = tb_dfma(-quotient, rest * tb_log_double(sum - 0.5), quotient);
    return tb_dwhen_less(tb_dset(2), sum, mended, quotient);
}

IN_LINE tb_vd betaln_v(tb_vd a, tb_vd b) { return tb_log_double(beta_v(a, b)); }

/* Whole numbers k have products. */
IN_LINE tb_dmask binom_outside(tb_vd n, tb_vd k)
{
    const tb_dmask inside = tb_dand(tb_dless(tb_dset(0), tb_dmin(n, k)), tb_dless(tb_dmax(n, k), tb_dset(17)));
    return tb_dnot(tb_dand(inside, tb_dless(tb_dset(0), tb_dabs(k - tb_dround(k)))));
}

/* By the beta function, where k is above n with the reflection of gamma(n - k + 1), as tb_binom. */
IN_LINE tb_vd binom_v(tb_vd n, tb_vd k)
{
    const tb_vd other = n - k, up = tb_dround(other), f = other - up;
    const tb_dmask above = tb_dless(other, tb_dset(0));
    const tb_vd b = beta_v(tb_dselect(above, n, other) + 1, tb_dselect(above, -other, k + 1));
    const tb_vd right = 1 / ((n + 1) * b);
    if (!tb_dany(above)) return right;
    const tb_vd sine = f * tb_dpolynomial(f * f, sin_pi_curve, 9);
    const tb_vd turned = (tb_vd)((tb_vu64)(-sine) ^ (tb_vu64)(up + 0x1.8p52) << 63);
    return tb_dselect(above, turned * b * (1 / TB_PI), right);
}

IN_LINE tb_vd rgamma_v(tb_vd x) { return 1 / gamma_v(x); }

/* DLMF 5.11.2, in 1 / x^2. */
TB_TABLE digamma_far[8] = {-0.4432598039215686,   0.08333333333333333,  -0.021092796092796094, 0.007575757575757576,
                           -0.004166666666666667, 0.003968253968253968, -0.008333333333333333, 0.08333333333333333};

IN_LINE tb_dmask digamma_outside(tb_vd x) { return tb_dnot(tb_dless(tb_dset(0), x)); }

/* Up to 10 by the steps from [1, 2], whose reciprocals' sum is a fraction, beyond by the asymptotic series. */
IN_LINE tb_vd digamma_v(tb_vd x)
{
    const tb_dmask big = tb_dat_least(x, tb_dset(10)), least = tb_dless(x, tb_dset(1));
    tb_vd top = tb_dselect(least, tb_dset(-1), tb_dset(0)), below = tb_dselect(least, x, tb_dset(1));
    tb_vd y = tb_dselect(big, tb_dset(2), tb_dselect(least, x + 1, x));
    for (tb_dmask more = tb_dless(tb_dset(2), y); tb_dany(more); more = tb_dless(tb_dset(2), y)) {
        y = tb_dselect(more, y - 1, y);
        top = tb_dselect(more, tb_dfma(top, y, below), top);
        below = tb_dselect(more, below * y, below);
    }
    const tb_vd distance = (y - TB_DIGAMMA_ZERO) - 9.549995429965697e-17;
    const tb_vd near = tb_dfma(distance, tb_dpolynomial(2 * y - 3, tb_digamma_slope, 22), top / below);
    if (!tb_dany(big)) return near;
    const tb_vd r = 1 / x, square = r * r;
    const tb_vd far = tb_log_double(x) - (0.5 * r + square * tb_dpolynomial(square, digamma_far, 8));
    return tb_dselect(big, far, near);
}

/* ---- incomplete gamma functions ---------------------------------------------------------------------------------- */

/* x^a exp(-x) / gamma(a + 1) of a < 20, with a logarithm and a product in two parts each; what a + 1 is rounded by
 * counts digamma times. */
IN_LINE tb_vd gamma_front_v(tb_vd a, tb_vd x)
{
    tb_vd k;
    const tb_vd f = tb_log_parts(x, &k) - 1, whole = k * 0x1.62e42fefa3800p-1, high = whole + f;
    const tb_vd low = (f - (high - whole)) + tb_dfma(k, tb_dset(0x1.ef35793c76730p-45), -tb_log_tail(f));
    const tb_vd t = a * high, e = t - x, back = e - t, lost = (t - (e - back)) - (x + back);
    const tb_vd above = a + 1, one = above - a, rest = (a - (above - one)) + (1 - one);
    const tb_vd small = tb_dfma(-rest, tb_log_double(a + 0.5), tb_dfma(a, high, -t) + lost);
    const tb_vd more = tb_dfma(a, low, small), sum = e + more, part = sum - e;
    return tb_exp_of_sum(sum, (e - (sum - part)) + (more - part)) / gamma_v(above);
}

/* P by the series of tb_gammainc_ratio. Lanes that are done stay as they are. */
IN_LINE tb_vd gammainc_series_v(tb_vd a, tb_vd x, tb_vd front)
{
    tb_vd sum = tb_dset(1), term = sum, below = sum, next = a + 1;
    for (tb_dmask more = tb_dless(term * TB_EPS, sum); tb_dany(more); more = tb_dless(sum * TB_EPS, term)) {
        const tb_vd power = term * x;
        sum = tb_dselect(more, tb_dfma(sum, next, power), sum);
        below = tb_dselect(more, below * next, below);
        term = tb_dselect(more, power, term);
        next += 1;
    }
    return front * (sum / below);
}

/* Q by the continued fraction of tb_gammaincc_ratio; `for_p`: to digits that 1 - Q has. */
IN_LINE tb_vd gammaincc_fraction_v(tb_vd a, tb_vd x, tb_vd front, int for_p)
{
    const tb_vd scaled = a * front, eps = tb_dset(TB_EPS);
    const tb_vd tolerance = for_p ? tb_dmax(eps, TB_EPS / 16 / scaled) : eps;
    tb_vd b = x + 1 - a, above0 = tb_dset(0), above = tb_dset(1), below0 = above, below = b;
    tb_dmask more = tb_dless(above0, above);
    for (int k = 1; k < 200 && tb_dany(more); k++) {
        const tb_vd n = -k * (k - a), size = tb_dabs(below);
        const tb_vd scale = tb_dwhen_less(tb_dset(1e100), size, tb_dset(1e-100), tb_dset(1));
        b += 2;
        const tb_vd above2 = scale * tb_dfma(b, above, n * above0), below2 = scale * tb_dfma(b, below, n * below0);
        above0 = tb_dselect(more, scale * above, above0);
        below0 = tb_dselect(more, scale * below, below0);
        above = tb_dselect(more, above2, above);
        below = tb_dselect(more, below2, below);
        const tb_vd off = tb_dabs(above * below0 - above0 * below);
        more = tb_dand(more, tb_dless(tolerance * tb_dabs(above0 * below), off));
    }
    return scaled * (above / below);
}

IN_LINE tb_dmask gammainc_outside(tb_vd a, tb_vd x)
{
    const tb_dmask some = tb_dless(tb_dset(1e-300), tb_dmin(a, x));
    return tb_dnot(tb_dand(some, tb_dand(tb_dless(a, tb_dset(20)), tb_dless(x, tb_dset(100)))));
}

/* Small x have a series of their own, but where it is well below a. */
IN_LINE tb_dmask gammaincc_outside(tb_vd a, tb_vd x)
{
    const tb_dmask low = tb_dand(tb_dless(tb_dset(0.5), x), tb_dless(x, a * (1 / 1.1)));
    const tb_dmask inside = tb_dnot(tb_dand(tb_dnot(low), tb_dnot(tb_dless(tb_dset(1.1), x))));
    return tb_dnot(tb_dand(inside, tb_dnot(gammainc_outside(a, x))));
}

/* As tb_gamma_tail, of those that are not outside. */
IN_LINE tb_vd gamma_tail_v(tb_vd a, tb_vd x, int upper)
{
    const tb_vd x0 = tb_dmax(tb_dset(1e-300), tb_dmin(tb_dset(100), x));
    const tb_vd a0 = tb_dmax(tb_dset(1e-300), tb_dmin(tb_dset(20), a)), front = gamma_front_v(a0, x0);
    const tb_dmask far = tb_dless(tb_dmax(a0 + 1, tb_dset(upper ? 1.1 : 12)), x0);
    tb_vd near = tb_dset(0);
    if (tb_dany(tb_dnot(far))) near = gammainc_series_v(a0, tb_dselect(far, tb_dset(1), x0), front);
    if (upper) near = 1 - near;
    if (!tb_dany(far)) return near;
    tb_vd q = gammaincc_fraction_v(a0, tb_dselect(far, x0, a0 + 2), front, !upper);
    if (!upper) q = 1 - q;
    return tb_dselect(far, q, near);
}

IN_LINE tb_vd gammainc_v(tb_vd a, tb_vd x) { return gamma_tail_v(a, x, 0); }
IN_LINE tb_vd gammaincc_v(tb_vd a, tb_vd x) { return gamma_tail_v(a, x, 1); }
IN_LINE tb_dmask chdtr_outside(tb_vd v, tb_vd x) { return gammainc_outside(v * 0.5, x * 0.5); }
IN_LINE tb_dmask chdtrc_outside(tb_vd v, tb_vd x) { return gammaincc_outside(v * 0.5, x * 0.5); }
IN_LINE tb_vd chdtr_v(tb_vd v, tb_vd x) { return gamma_tail_v(v * 0.5, x * 0.5, 0); }
IN_LINE tb_vd chdtrc_v(tb_vd v, tb_vd x) { return gamma_tail_v(v * 0.5, x * 0.5, 1); }

/* Of rate r and shape b; negative x have no place in it. */
IN_LINE tb_dmask gdtr_outside(tb_vd r, tb_vd b, tb_vd x)
{
    return tb_dnot(tb_dand(tb_dat_least(x, tb_dset(0)), tb_dnot(gammainc_outside(b, r * x))));
}
IN_LINE tb_dmask gdtrc_outside(tb_vd r, tb_vd b, tb_vd x)
{
    return tb_dnot(tb_dand(tb_dat_least(x, tb_dset(0)), tb_dnot(gammaincc_outside(b, r * x))));
}
IN_LINE tb_vd gdtr_v(tb_vd r, tb_vd b, tb_vd x) { return gamma_tail_v(b, r * x, 0); }
IN_LINE tb_vd gdtrc_v(tb_vd r, tb_vd b, tb_vd x) { return gamma_tail_v(b, r * x, 1); }

/* pdtr's shape of k events. */
IN_LINE tb_vd shape_of_count(tb_vd k)
{
    const tb_vd near = tb_dround(k);
    return tb_dwhen_less(k, near, near, near + 1);
}
IN_LINE tb_dmask pdtr_outside(tb_vd k, tb_vd m) { return gammaincc_outside(shape_of_count(k), m); }
IN_LINE tb_dmask pdtrc_outside(tb_vd k, tb_vd m) { return gammainc_outside(shape_of_count(k), m); }
IN_LINE tb_vd pdtr_v(tb_vd k, tb_vd m) { return gamma_tail_v(shape_of_count(k), m, 1); }
IN_LINE tb_vd pdtrc_v(tb_vd k, tb_vd m) { return gamma_tail_v(shape_of_count(k), m, 0); }

/* ---- elliptic integrals ------------------------------------------------------------------------------------------ */

IN_LINE tb_dmask ellipkm1_outside(tb_vd p)
{
    return tb_dnot(tb_dand(tb_dless(tb_dset(1e-300), p), tb_dless(p, tb_dset(1e300))));
}

/* As tb_ellipkm1: lanes whose means are near each other stay as they are. */
IN_LINE tb_vd ellipkm1_v(tb_vd p)
{
    tb_vd a = tb_dset(1), g = tb_dsqrt(p);
    for (;;) {
        const tb_dmask more = tb_dless(0.14 * a, tb_dabs(a - g));
        if (!tb_dany(more)) break;
        const tb_vd mean = 0.5 * (a + g);
        g = tb_dselect(more, tb_dsqrt(a * g), g);
        a = tb_dselect(more, mean, a);
    }
    const tb_vd sum = a + g, r = (a - g) / sum;
    return TB_PI * tb_dpolynomial(r * r, tb_ellipk_series, 8) / sum;
}

IN_LINE tb_dmask ellipk_outside(tb_vd m) { return ellipkm1_outside(1 - m); }
IN_LINE tb_vd ellipk_v(tb_vd m) { return ellipkm1_v(1 - m); }

IN_LINE tb_dmask elliptic_outside(tb_vd phi, tb_vd m)
{
    const tb_vd size = tb_dabs(m), bound = tb_dwhen_less(m, tb_dset(0), tb_dset(1e5), tb_dset(1));
    return tb_dnot(tb_dand(tb_dand(tb_dless(tb_dset(0), size), tb_dless(size, bound)), tb_dnot(angle_outside(phi))));
}

/* The integrals up to an angle of this sine and squared cosine, by Carlson's RF(x, y, 1), and RD of these whose third
 * number is y where m is positive and 1 elsewhere: then nothing is subtracted (DLMF 19.25.9, 19.25.10, 19.36.1,
 * 19.36.2). Both have the same duplications. Lanes that are done stay as they are. */
IN_LINE tb_vd elliptic_part(tb_vd s, tb_vd x, tb_vd m, int second)
{
    const tb_vd cosine = tb_dsqrt(x), left = 1 - m, delta = tb_dfma(left, s * s, x);
    const tb_dmask above = tb_dless(tb_dset(0), m);
    tb_vd y = delta, z = tb_dset(1), sum = tb_dset(0), factor = tb_dset(1);
    for (;;) {
        const tb_vd mean = (x + y + z) * (1.0 / 3), most = tb_dmax(tb_dmax(x, y), z), least = tb_dmin(tb_dmin(x, y), z);
        const tb_dmask more = tb_dless(mean * 5e-4, most - least);
        if (!tb_dany(more)) break;
        const tb_vd rx = tb_dsqrt(x), ry = tb_dsqrt(y), rz = tb_dsqrt(z), l = rx * (ry + rz) + ry * rz;
        if (second) {
            const tb_vd third = tb_dselect(above, ry * (y + l), rz * (z + l));
            sum = tb_dselect(more, sum + factor / third, sum);
        }
        factor = tb_dselect(more, factor * 0.25, factor);
        x = tb_dselect(more, (x + l) * 0.25, x);
        y = tb_dselect(more, (y + l) * 0.25, y);
        z = tb_dselect(more, (z + l) * 0.25, z);
    }
    const tb_vd mean = (x + y + z) * (1.0 / 3), dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
    const tb_vd e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
    const tb_vd f = s * (1 + (e2 * (e2 * (1.0 / 24) - 0.1 - e3 * (3.0 / 44)) + e3 * (1.0 / 14))) / tb_dsqrt(mean);
    if (!second) return f;
    const tb_vd other = tb_dselect(above, z, y), third = tb_dselect(above, y, z),
                middle = (x + other + 3 * third) * 0.2;
    const tb_vd px = 1 - x / middle, py = 1 - other / middle, pz = 1 - third / middle;
    const tb_vd ea = px * py, eb = pz * pz, ec = ea - eb, ed = ea - 6 * eb, ef = ed + ec + ec;
    const tb_vd first = ed * (ed * (9.0 / 88) - pz * ef * (9.0 / 52) - 3.0 / 14);
    const tb_vd rest = pz * (ef * (1.0 / 6) + pz * (pz * ea * (3.0 / 26) - ec * (9.0 / 22)));
    const tb_vd d = 3 * sum + factor * (1 + (first + rest)) / (middle * tb_dsqrt(middle));
    const tb_vd more = m * s * s * s * d * (1.0 / 3);
    return tb_dselect(above, left * (f + more) + m * cosine * s / tb_dsqrt(delta), f - more);
}

IN_LINE tb_vd elliptic_v(tb_vd phi, tb_vd m, int second)
{
    const tb_vd turns = tb_dround(phi * (1 / TB_PI));
    const tb_vd r = tb_dfma(-turns, tb_dset(1.2246467991473532e-16), tb_dfma(-turns, tb_dset(TB_PI), phi));
    const tb_vd n = tb_dround(r * 0.63661977236758134308);
    const tb_vd q = tb_dfma(-n, tb_dset(6.123233995736766e-17), tb_dfma(-n, tb_dset(TB_PI / 2), r));
    const tb_vd s = sine_of_quarter(q, n), c = sine_of_quarter(q, n + 1);
    const tb_vd cubic = m * r * r * r * (1.0 / 6), near = second ? r - cubic : r + cubic;
    const tb_vd part = tb_dwhen_less(tb_dabs(r), tb_dset(1e-5), near, elliptic_part(s, c * c, m, second));
    const tb_dmask around = tb_dless(tb_dset(0), tb_dabs(turns));
    if (!tb_dany(around)) return part;
    return tb_dselect(around, part + 2 * turns * elliptic_part(tb_dset(1), tb_dset(0), m, second), part);
}

IN_LINE tb_vd ellipkinc_v(tb_vd phi, tb_vd m) { return elliptic_v(phi, m, 0); }
IN_LINE tb_vd ellipeinc_v(tb_vd phi, tb_vd m) { return elliptic_v(phi, m, 1); }
#endif
#endif
