/* special_lanes.h - special functions of vectors of doubles: NAME_v, and NAME_outside where that is not for all
 * arguments.
 *
 * There are no branches but around what no lane of a vector needs: what a lane gives depends on nothing but its
 * arguments. Coefficients that are not here are those of src/kernels. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_LANES_H
#include "backend/cpu/loops/special_gamma_lanes.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/special_elliptic.h"
#include "kernels/special_expint.h"
#include "kernels/special_zeta.h"

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

/* log(1 + e) for e in [0, 1]: of (1 + e) / 2 where that is next to 1. */
IN_LINE tb_vd log1p_of_part(tb_vd e)
{
    const tb_dmask large = tb_dless(tb_dset(0.41421356237309505), e);
    const tb_vd f = tb_dselect(large, 0.5 * (e - 1), e), k = tb_dselect(large, tb_dset(1), tb_dset(0));
    return tb_log_sum(k, f, tb_log_tail(f), tb_dset(0));
}

IN_LINE tb_vd log_expit_v(tb_vd x)
{
    const tb_vd l = log1p_of_part(tb_exp_double(-tb_dabs(x)));
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

/* Where the product overflows, or is of infinity and 0. */
IN_LINE tb_dmask inv_boxcox_outside(tb_vd y, tb_vd lambda)
{
    return tb_dnot(tb_dless(tb_dabs(lambda * y), tb_dset(1e300)));
}

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

/* ---- exponential integrals --------------------------------------------------------------------------------------- */

/* Orders from 2 on, and numbers of which exponentials are none of the smallest. */
IN_LINE tb_dmask expn_outside(tb_vd order, tb_vd x)
{
    const tb_dmask inside = tb_dand(tb_dat_least(order, tb_dset(2)), tb_dless(order, tb_dset(1e15)));
    return tb_dnot(tb_dand(inside, tb_dand(tb_dless(tb_dset(0), x), tb_dless(x, tb_dset(700)))));
}

/* tb_expn's series for x <= 1, of which more terms are nothing. */
IN_LINE tb_vd expn_series_v(tb_vd n, tb_vd x)
{
    const tb_vd l = tb_log_double(x);
    tb_vd sum = 1 / (n - 1), term = tb_dset(1);
    double psi = -TB_EULER;
    for (int k = 1; k <= 20; k++) {
        const tb_vd from = k + 1 - n;
        const tb_dmask at = tb_dless(tb_dabs(from), tb_dset(0.5));
        term *= x * (-1.0 / k);
        psi += 1.0 / k;
        sum += tb_dselect(at, term * (psi - l), -term / tb_dselect(at, tb_dset(1), from));
    }
    return sum;
}

/* Its continued fraction beyond, of which each lane has as many terms, as a quotient that is divided out now and then:
 * before it overflows. */
IN_LINE tb_vd expn_fraction_v(tb_vd n, tb_vd x)
{
    const tb_vd count = 20 + 110 / x;
    tb_vd above = tb_dset(0), below = tb_dset(1);
    double most = 0;
    for (int i = 0; i < TB_DLANES; i++) most = count[i] > most ? count[i] : most;
    for (int k = (int)most; k > 0; k--) {
        const tb_dmask some = tb_dat_least(count, tb_dset(k));
        const tb_vd next = tb_dfma(x + n + 2 * k, below, -above);
        above = tb_dselect(some, k * (n - 1 + k) * below, above);
        below = tb_dselect(some, next, below);
        if (k % 8) continue;
        above /= below;
        below = tb_dset(1);
    }
    return tb_exp_double(-x) / (x + n - above / below);
}

IN_LINE tb_vd expn_v(tb_vd order, tb_vd x)
{
    const tb_vd up = tb_dround(order), n = tb_dwhen_less(order, up, up - 1, up);
    const tb_dmask far = tb_dless(tb_dset(1), x);
    tb_vd near = tb_dset(0);
    if (tb_dany(tb_dnot(far))) near = expn_series_v(n, tb_dselect(far, tb_dset(1), x));
    return tb_dany(far) ? tb_dselect(far, expn_fraction_v(n, tb_dselect(far, x, tb_dset(9))), near) : near;
}

/* ---- Hurwitz' zeta function -------------------------------------------------------------------------------------- */

/* Where it is not Riemann's, whose digits are counted from 1 on, and powers are far from the ends of their range. */
IN_LINE tb_dmask zeta_outside(tb_vd s, tb_vd q)
{
    const tb_dmask power = tb_dand(tb_dless(tb_dset(1), s), tb_dless(s, tb_dset(100)));
    const tb_dmask range = tb_dand(tb_dless(tb_dset(1e-3), q), tb_dless(q, tb_dset(1e8)));
    const tb_dmask own = tb_dless(tb_dset(0), tb_dabs((q - 1) * (q - 2)));
    return tb_dnot(tb_dand(tb_dand(power, range), own));
}

/* x^-s, the logarithm in two parts. */
IN_LINE tb_vd inverse_power_v(tb_vd x, tb_vd s)
{
    tb_vd k;
    const tb_vd f = tb_log_parts(x, &k) - 1, whole = k * 0x1.62e42fefa3800p-1, high = whole + f;
    const tb_vd low = (f - (high - whole)) + tb_dfma(k, tb_dset(0x1.ef35793c76730p-45), -tb_log_tail(f));
    const tb_vd t = -s * high, more = tb_dfma(-s, low, tb_dfma(-s, high, -t)), sum = t + more, back = sum - t;
    return tb_exp_of_sum(sum, (t - (sum - back)) + (more - back));
}

/* tb_zeta_sum. Lanes that are done stay as they are. */
IN_LINE tb_vd zeta_v(tb_vd s, tb_vd given)
{
    const tb_vd q = tb_dmax(tb_dset(1e-3), given), r = 1 / q; /* what is outside ends, too */
    tb_vd sum = tb_dset(1), a = q, power = sum;
    tb_dmask enough = tb_dless(sum, sum), more = tb_dnot(enough);
    for (int k = 0; tb_dany(more); k++) {
        const tb_vd next = a + 1, ratio = next * r;
        const tb_vd off = tb_dwhen_less(ratio, tb_dset(1.5), tb_dfma(-ratio, q, next) * r, tb_dset(0));
        const tb_vd p = tb_exp_double(-s * (tb_log_double(ratio) + off));
        a = tb_dselect(more, next, a);
        power = tb_dselect(more, p, power);
        sum = tb_dselect(more, sum + p, sum);
        const tb_dmask little = tb_dand(more, tb_dless(power, TB_EPS / 2 * sum));
        enough = tb_dnot(tb_dand(tb_dnot(enough), tb_dnot(little)));
        more = tb_dnot(enough);
        if (k >= 8) more = tb_dand(more, tb_dat_least(tb_dset(9), a));
    }
    const tb_vd inverse = 1 / a, inverse2 = inverse * inverse;
    tb_vd tail = tb_dset(tb_bernoulli[11]);
    for (int k = 11; k > 0; k--)
        tail = tb_dfma((s + (2 * k - 1)) * (s + 2 * k) * inverse2, tail, tb_dset(tb_bernoulli[k - 1]));
    const tb_vd rest = power * (a / (s - 1) - 0.5 + s * inverse * tail);
    return inverse_power_v(q, s) * tb_dselect(enough, sum, sum + rest);
}
#endif
#endif
