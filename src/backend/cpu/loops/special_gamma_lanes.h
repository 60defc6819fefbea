/* special_gamma_lanes.h - the gamma function, what is made of it, and incomplete gamma functions, of vectors of
 * doubles, as special_lanes.h has others. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_GAMMA_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_GAMMA_LANES_H
#include "backend/cpu/loops/double_math.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/special_common.h"
#include "kernels/special_elementary.h"
#include "kernels/special_erf.h"
#include "kernels/special_gamma.h"
#include "kernels/special_gammainc.h"

#define IN_LINE static inline __attribute__((always_inline))

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

/* Whole numbers have exact values, numbers next to 0 no reciprocal, and far from it there are many steps. */
IN_LINE tb_dmask gamma_outside(tb_vd x)
{
    const tb_dmask fraction = tb_dless(tb_dset(1e-300), tb_dabs(x - tb_dround(x)));
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

/* Zeros, NaN, and numbers next to which there are no halves. */
IN_LINE tb_dmask gammasgn_outside(tb_vd x)
{
    return tb_dnot(tb_dand(tb_dless(tb_dset(0), tb_dabs(x)), tb_dless(tb_dset(-0x1p50), x)));
}
IN_LINE tb_vd gammasgn_v(tb_vd x)
{
    const tb_vd kept = tb_dmax(tb_dset(-0x1p50), x), near = tb_dround(kept);
    const tb_vd down = tb_dwhen_less(kept, near, near - 1, near), half = 0.5 * down;
    const tb_vd odd = tb_dabs(half - tb_dround(half)), sign = 1 - 4 * odd;
    const tb_vd whole = tb_dwhen_less(near, kept, sign, tb_dwhen_less(kept, near, sign, tb_dset(NAN)));
    return tb_dwhen_less(tb_dset(0), x, tb_dset(1), whole);
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

/* Whole numbers k have products; differences of others have reciprocals. */
IN_LINE tb_dmask binom_outside(tb_vd n, tb_vd k)
{
    const tb_dmask inside = tb_dand(tb_dless(tb_dset(1e-280), tb_dmin(n, k)), tb_dless(tb_dmax(n, k), tb_dset(17)));
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

/* P by the series of tb_gammainc_ratio, some terms at a time, for which nothing waits. Lanes that are done stay as they
 * are. */
IN_LINE tb_vd gammainc_series_v(tb_vd a, tb_vd x, tb_vd front)
{
    tb_vd sum = tb_dset(1), term = sum, below = sum, next = a + 1;
    for (tb_dmask more = tb_dless(term * TB_EPS, sum); tb_dany(more); more = tb_dless(sum * TB_EPS, term)) {
        for (int i = 0; i < 4; i++) {
            const tb_vd power = term * x;
            sum = tb_dselect(more, tb_dfma(sum, next, power), sum);
            below = tb_dselect(more, below * next, below);
            term = tb_dselect(more, power, term);
            next += 1;
        }
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
    for (int k = 1; k < 200 && tb_dany(more);) {
        const tb_dmask large = tb_dless(tb_dset(1e100), tb_dabs(below));
        const tb_vd scale = tb_dselect(tb_dand(more, large), tb_dset(1e-100), tb_dset(1));
        above0 *= scale;
        below0 *= scale;
        above *= scale;
        below *= scale;
        for (const int stop = k + 3; k < stop; k++) {
            const tb_vd n = -k * (k - a);
            b += 2;
            const tb_vd above2 = tb_dfma(b, above, n * above0), below2 = tb_dfma(b, below, n * below0);
            above0 = tb_dselect(more, above, above0);
            below0 = tb_dselect(more, below, below0);
            above = tb_dselect(more, above2, above);
            below = tb_dselect(more, below2, below);
        }
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
#endif
#endif
