/* special_bessel_lanes.h - Bessel functions of orders 0 and 1, and those of the second kind of whole order, also
 * spherical ones, of vectors of doubles, as special_lanes.h has others: the polynomials of kernels/special_bessel.h,
 * each where a lane is in its part. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_BESSEL_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_BESSEL_LANES_H
#include <stdbool.h>

#include "backend/cpu/loops/special_gamma_lanes.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/special_bessel.h"

/* Beyond, angles take more digits; next to 0, logarithms and quotients do. */
IN_LINE tb_dmask j_outside(tb_vd x) { return tb_dnot(tb_dless(tb_dabs(x), tb_dset(1e5))); }
IN_LINE tb_dmask y_outside(tb_vd x)
{
    return tb_dnot(tb_dand(tb_dless(tb_dset(1e-300), x), tb_dless(x, tb_dset(1e5))));
}

IN_LINE tb_vd beside_v(tb_vd x, double zero, double rest) { return (x - zero) - rest; }

IN_LINE tb_dmask is_odd_v(tb_vd n) { return tb_dless(tb_dset(0.25), tb_dabs(0.5 * n - tb_dround(0.5 * n))); }

/* Of x less `shift` quarter turns, x up to 1e5: whole ones are taken off, of which a double's part is taken off exactly
 * where `shift` is 0 or 1/2. */
IN_LINE void sine_and_cosine_v(tb_vd x, double shift, tb_vd *s, tb_vd *c)
{
    const tb_vd turns = tb_dround(tb_dfma(x, tb_dset(0.63661977236758134308), tb_dset(-shift))), m = -(turns + shift);
    const tb_vd once = tb_dfma(m, tb_dset(1.5707963267948966), x);
    const tb_vd twice = tb_dfma(m, tb_dset(6.123233995736766e-17), once);
    const tb_vd angle = tb_dfma(m, tb_dset(-1.4973849048591698e-33), twice), square = angle * angle;
    const tb_vd sine = tb_dfma(angle * square, tb_dpolynomial(square, tb_sine, 6), angle);
    const tb_vd cosine = tb_dfma(square, tb_dpolynomial(square, tb_cosine, 7), tb_dset(1));
    const tb_dmask odd = is_odd_v(turns), back = is_odd_v(0.5 * tb_dselect(odd, turns - 1, turns));
    const tb_vd along = tb_dselect(odd, cosine, sine), across = tb_dselect(odd, -sine, cosine);
    *s = tb_dselect(back, -along, along);
    *c = tb_dselect(back, -across, across);
}

/* tb_hankel, with the angle less a whole number of quarter turns. */
IN_LINE tb_vd hankel_v(tb_vd x, const double *p, const double *q, bool turned)
{
    tb_vd s, c;
    sine_and_cosine_v(x, 0.5, &s, &c);
    const tb_vd r = 1 / x, t = tb_dfma(128 * r, r, tb_dset(-1));
    const tb_vd along = turned ? s : c, across = turned ? c : -s;
    return 0.79788456080286535588 * tb_dsqrt(r) *
           tb_dfma(tb_dpolynomial(t, p, 13), along, tb_dpolynomial(t, q, 12) * (8 * r) * across);
}

/* Up to 4. */
IN_LINE tb_vd j0_small_v(tb_vd x)
{
    const double zero = 2.404825557695773;
    return beside_v(x, zero, -1.176691651530894e-16) * (x + zero) * tb_dpolynomial(x * x / 8 - 1, tb_j0_near, 12);
}

IN_LINE tb_vd j1_small_v(tb_vd x)
{
    const double zero = 3.8317059702075125;
    return x * (beside_v(x, zero, -1.5269184090088067e-16) * (x + zero)) *
           tb_dpolynomial(x * x / 8 - 1, tb_j1_near, 11);
}

/* tb_log_over */
IN_LINE tb_vd log_over_v(tb_vd x, double inverse, double rest)
{
    const tb_vd q = x * inverse, off = tb_dfma(x, tb_dset(inverse), -q) + x * rest;
    return tb_log_double(q) + tb_dwhen_less(tb_dabs(q - 1), tb_dset(0.5), off * (2 - q), tb_dset(0));
}

IN_LINE tb_vd y0_small_v(tb_vd x)
{
    const double zero = 0.8935769662791675;
    const tb_vd rest = beside_v(x, zero, 2.6596231539720385e-17) * (x + zero);
    const tb_vd l = log_over_v(x, 1.1190977808704887, 1.0518920173996795e-16);
    return tb_dfma(2 / TB_PI * l, j0_small_v(x), rest * tb_dpolynomial(x * x / 4.5 - 1, tb_y0_near, 11));
}

IN_LINE tb_vd y1_small_v(tb_vd x)
{
    const double zero = 2.197141326031017;
    const tb_vd rest = beside_v(x, zero, -4.8259835876454966e-17) * (x + zero);
    const tb_vd l = log_over_v(x, 0.4551368581312111, 9.409393165612907e-18);
    return tb_dfma(2 / TB_PI * l, j1_small_v(x), rest * tb_dpolynomial(x * x / 4.5 - 1, tb_y1_near, 11) / x);
}

/* Between the small ones and 8. */
IN_LINE tb_vd j0_middle_v(tb_vd x)
{
    return beside_v(x, 5.520078110286311, 8.088597146146722e-17) * (x - 8.653727912911013) *
           tb_dpolynomial(x / 2 - 3, tb_j0_middle, 17);
}

IN_LINE tb_vd j1_middle_v(tb_vd x)
{
    return beside_v(x, 7.015586669815619, -9.414165653410389e-17) * (x - 3.8317059702075125) *
           tb_dpolynomial(x / 2 - 3, tb_j1_middle, 18);
}

IN_LINE tb_vd y0_middle_v(tb_vd x)
{
    return beside_v(x, 3.957678419314858, -1.0764340697562706e-16) *
           beside_v(x, 7.086051060301773, -8.835285723085408e-17) * tb_dpolynomial(x / 2.5 - 2.2, tb_y0_middle, 25);
}

IN_LINE tb_vd y1_middle_v(tb_vd x)
{
    return beside_v(x, 5.429681040794135, 4.162514026670377e-16) * (x - 8.596005868331169) *
           tb_dpolynomial(x / 2.5 - 2.2, tb_y1_middle, 26);
}

/* What one of them is where x < least, another up to 8, and Hankel's from there on. */
IN_LINE tb_vd by_parts_v(tb_vd x, double least, tb_vd (*small)(tb_vd), tb_vd (*medium)(tb_vd), const double *p,
                         const double *q, bool turned, double sign)
{
    const tb_dmask near = tb_dless(x, tb_dset(least)), far = tb_dat_least(x, tb_dset(8));
    const tb_dmask middle = tb_dand(tb_dnot(near), tb_dnot(far));
    tb_vd y = tb_dset(0);
    if (tb_dany(near)) y = small(x);
    if (tb_dany(middle)) y = tb_dselect(middle, medium(x), y);
    if (tb_dany(far)) y = tb_dselect(far, sign * hankel_v(x, p, q, turned), y);
    return y;
}

IN_LINE tb_vd j0_v(tb_vd x)
{
    return by_parts_v(tb_dabs(x), 4, j0_small_v, j0_middle_v, tb_hankel_p0, tb_hankel_q0, false, 1);
}

IN_LINE tb_vd j1_v(tb_vd x)
{
    const tb_vd y = by_parts_v(tb_dabs(x), 4, j1_small_v, j1_middle_v, tb_hankel_p1, tb_hankel_q1, true, 1);
    return tb_dselect(tb_dless(x, tb_dset(0)), -y, tb_dselect(tb_dless(tb_dset(0), x), y, x));
}

IN_LINE tb_vd y0_v(tb_vd x) { return by_parts_v(x, 3, y0_small_v, y0_middle_v, tb_hankel_p0, tb_hankel_q0, true, 1); }

IN_LINE tb_vd y1_v(tb_vd x) { return by_parts_v(x, 3, y1_small_v, y1_middle_v, tb_hankel_p1, tb_hankel_q1, false, -1); }

/* Orders that are whole, and few steps away. */
IN_LINE tb_dmask yn_outside(tb_vd n, tb_vd x)
{
    const tb_dmask whole = tb_dat_least(tb_dset(0), tb_dabs(n - tb_dround(n)));
    const tb_dmask few = tb_dand(tb_dat_least(n, tb_dset(0)), tb_dless(n, tb_dset(64)));
    return tb_dnot(tb_dand(tb_dnot(y_outside(x)), tb_dand(whole, few)));
}

/* Upwards from orders 0 and 1 to n, as far as numbers are finite: each is the one before times (step k + more) / x,
 * less the one before that. */
IN_LINE tb_vd upwards_v(tb_vd n, tb_vd x, tb_vd low, tb_vd high, double step, double more)
{
    tb_vd k = tb_dset(1);
    high = tb_dselect(tb_dat_least(tb_dset(0), n), low, high);
    for (tb_dmask left = tb_dless(k, n); tb_dany(left); left = tb_dand(tb_dless(k, n), tb_dless(k, tb_dset(64)))) {
        const tb_dmask goes_on = tb_dand(left, tb_dless(tb_dabs(high), tb_dset(INFINITY)));
        const tb_vd next = (step * k + more) / x * high - low;
        low = tb_dselect(goes_on, high, low);
        high = tb_dselect(goes_on, next, high);
        k = k + 1;
    }
    return high;
}

/* tb_yn */
IN_LINE tb_vd yn_v(tb_vd n, tb_vd x) { return upwards_v(n, x, y0_v(x), y1_v(x), 2, 0); }

/* tb_spherical_yn */
IN_LINE tb_vd spherical_yn_v(tb_vd n, tb_vd x)
{
    tb_vd s, c;
    sine_and_cosine_v(x, 0, &s, &c);
    const tb_vd first = -c / x;
    return upwards_v(n, x, first, (first - s) / x, 2, 1);
}
#endif
#endif
