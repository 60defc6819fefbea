/* special_complex_lanes.h - functions of vectors of complex numbers, as special_lanes.h has those of real ones: the
 * gamma function and its logarithm as kernels/special_complex.h makes them of single numbers, Lambert's W function and
 * Wright's Bessel function as kernels/special_lambert.h does. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_COMPLEX_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_COMPLEX_LANES_H
#include "backend/cpu/loops/special_sici_lanes.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/special_lambert.h"
#include "kernels/special_order_tables.h"

typedef struct tb_vz {
    tb_vd re, im;
} tb_vz;

IN_LINE tb_vz tb_zmake(tb_vd re, tb_vd im) { return (tb_vz){re, im}; }
IN_LINE tb_vz tb_zselect(tb_dmask m, tb_vz a, tb_vz b)
{
    return tb_zmake(tb_dselect(m, a.re, b.re), tb_dselect(m, a.im, b.im));
}
IN_LINE tb_vz tb_zsub(tb_vz a, tb_vz b) { return tb_zmake(a.re - b.re, a.im - b.im); }
IN_LINE tb_vz tb_zmul(tb_vz a, tb_vz b)
{
    return tb_zmake(tb_dfma(a.re, b.re, -(a.im * b.im)), tb_dfma(a.re, b.im, a.im * b.re));
}
IN_LINE tb_vd tb_znorm(tb_vz a) { return tb_dfma(a.re, a.re, a.im * a.im); }

/* Of numbers whose squares are none of the largest or smallest. */
IN_LINE tb_vz tb_zreciprocal(tb_vz a)
{
    const tb_vd r = 1 / tb_znorm(a);
    return tb_zmake(a.re * r, -a.im * r);
}

/* The sum, and what its rounding lost. */
IN_LINE tb_vd whole_and_rest(tb_vd a, tb_vd b, tb_vd *rest)
{
    const tb_vd sum = a + b, back = sum - a;
    *rest = (a - (sum - back)) + (b - back);
    return sum;
}

/* atan2(y, x) of numbers that are not both 0, and what that lacks. */
IN_LINE tb_vd angle_v(tb_vd x, tb_vd y, tb_vd *lost)
{
    const tb_vd u = tb_dabs(x), v = tb_dabs(y), most = tb_dmax(u, v), least = tb_dmin(u, v);
    const tb_vd s = least / most, q = s * s;
    const tb_vd rest = tb_dfma(-s, most, least) / (most * (1 + q));
    tb_vd angle = s, low = tb_dfma(-(s * q), tb_dpolynomial(2 * q - 1, tb_angle_curve, 22), rest), other;
    const tb_vd turned = whole_and_rest(tb_dset(TB_PI / 2), -angle, &other);
    const tb_dmask up = tb_dless(u, v), left = tb_dless(x, tb_dset(0));
    low = tb_dselect(up, other + (6.123233995736766e-17 - low), low);
    angle = tb_dselect(up, turned, angle);
    const tb_vd back = whole_and_rest(tb_dset(TB_PI), -angle, &other);
    low = tb_dselect(left, other + (1.2246467991473532e-16 - low), low);
    angle = whole_and_rest(tb_dselect(left, back, angle), low, &low);
    *lost = tb_dselect(tb_dless(y, tb_dset(0)), -low, low);
    return tb_dcopysign(angle, y);
}

/* The logarithm, and what it lacks. */
IN_LINE tb_vz log_z_v(tb_vz a, tb_vz *lost)
{
    const tb_vd xx = a.re * a.re, yy = a.im * a.im, n = xx + yy, most = tb_dmax(xx, yy), least = tb_dmin(xx, yy);
    const tb_vd rest = (least - (n - most)) + (tb_dfma(a.re, a.re, -xx) + tb_dfma(a.im, a.im, -yy));
    tb_vd k;
    const tb_vd f = tb_log_parts(n, &k) - 1, whole = k * 0x1.62e42fefa3800p-1, high = whole + f;
    const tb_vd low = tb_dfma(k, tb_dset(0x1.ef35793c76730p-45), -tb_log_tail(f)) + rest / n;
    const tb_vd sum = whole_and_rest(high, (f - (high - whole)) + low, &lost->re);
    lost->re *= 0.5;
    return tb_zmake(0.5 * sum, angle_v(a.re, a.im, &lost->im));
}

IN_LINE tb_vz tb_zlog(tb_vz a)
{
    tb_vz lost;
    return log_z_v(a, &lost);
}

/* exp(a + more), `more` a rounding next to a; of imaginary parts up to 1e5. */
IN_LINE tb_vz exp_z_v(tb_vz a, tb_vz more)
{
    tb_vd s, c;
    const tb_vd size = tb_exp_of_sum(a.re, more.re);
    sine_and_cosine_v(a.im, 0, &s, &c);
    return tb_zmake(size * tb_dfma(-more.im, s, c), size * tb_dfma(more.im, c, s));
}

IN_LINE tb_dmask either_v(tb_dmask a, tb_dmask b) { return tb_dnot(tb_dand(tb_dnot(a), tb_dnot(b))); }

/* ---- the gamma function ------------------------------------------------------------------------------------------ */

/* a b + c d - e, and what that lacks; b and d lack b_low and d_low. */
IN_LINE tb_vd products_v(tb_vd a, tb_vd b, tb_vd b_low, tb_vd c, tb_vd d, tb_vd d_low, tb_vd e, tb_vd *lost)
{
    const tb_vd first = a * b, second = c * d;
    tb_vd rest, other;
    const tb_vd sum = whole_and_rest(first, second, &rest), all = whole_and_rest(sum, -e, &other);
    const tb_vd parts = tb_dfma(a, b, -first) + tb_dfma(c, d, -second);
    *lost = (rest + other) + (parts + tb_dfma(a, b_low, c * d_low));
    return all;
}

/* DLMF 5.11.1, as tb_loggamma_far, and what it lacks: an exponential counts that. */
IN_LINE tb_vz loggamma_far_v(tb_vz z, tb_vz *lost)
{
    tb_vz low, rest;
    const tb_vz r = tb_zreciprocal(z), q = tb_zmul(r, r), l = log_z_v(z, &low);
    tb_vz p = tb_zmake(tb_dset(stirling_curve[0]), tb_dset(0));
    for (int k = 1; k < 8; k++) {
        p = tb_zmul(p, q);
        p.re += stirling_curve[k];
    }
    p = tb_zmul(p, r);
    const tb_vd x = z.re - 0.5;
    const tb_vd re = products_v(x, l.re, low.re, -z.im, l.im, low.im, z.re, &rest.re);
    const tb_vd im = products_v(x, l.im, low.im, z.im, l.re, low.re, z.im, &rest.im);
    return tb_zmake(whole_and_rest(re, rest.re + (0.918938533204672741780 + p.re), &lost->re),
                    whole_and_rest(im, rest.im + p.im, &lost->im));
}

/* z moved right to where the series holds, and the product of the steps; `turns`: how often that passes the negative
 * axis upwards, for im z >= 0. */
IN_LINE tb_vz gamma_steps_v(tb_vz *z, tb_vd *turns)
{
    tb_vz at = *z, product = tb_zmake(tb_dset(1), tb_dset(0));
    tb_vd count = tb_dset(0);
    tb_dmask below = tb_dless(count, count);
    const tb_dmask near = tb_dat_least(tb_dset(7), tb_dabs(at.im));
    for (tb_dmask more = near;;) {
        more = tb_dand(more, tb_dat_least(tb_dset(7), at.re));
        if (!tb_dany(more)) break;
        product = tb_zselect(more, tb_zmul(product, at), product);
        at.re = tb_dselect(more, at.re + 1, at.re);
        const tb_dmask now = tb_dless(product.im, tb_dset(0));
        count = tb_dselect(tb_dand(now, tb_dnot(below)), count + 1, count);
        below = now;
    }
    *z = at;
    *turns = count;
    return product;
}

/* Next to the zeros at 1 and 2, left of the imaginary axis, and far out. */
IN_LINE tb_dmask loggamma_z_outside(tb_vz z)
{
    const tb_vd y = tb_dabs(z.im), one = tb_dabs(z.re - 1.5), square = (0.5 - one) * (0.5 - one) + y * y;
    const tb_dmask inside = tb_dand(tb_dat_least(z.re, tb_dset(0.1)), tb_dless(z.re, tb_dset(1e100)));
    return tb_dnot(tb_dand(tb_dand(inside, tb_dless(y, tb_dset(1e100))), tb_dat_least(square, tb_dset(0.04))));
}

IN_LINE tb_vz loggamma_z_v(tb_vz z)
{
    tb_vd turns;
    tb_vz at = tb_zmake(z.re, tb_dabs(z.im));
    const tb_vz product = gamma_steps_v(&at, &turns);
    tb_vz lost;
    const tb_vz far = loggamma_far_v(at, &lost), l = tb_zlog(product);
    const tb_vd angle = far.im - l.im - turns * (2 * TB_PI);
    return tb_zmake(far.re - l.re, tb_dwhen_less(z.im, tb_dset(0), -angle, angle));
}

/* Real numbers have a function of their own, and far from 0 there are many steps and large exponents. */
IN_LINE tb_dmask gamma_z_outside(tb_vz z)
{
    const tb_vd y = tb_dabs(z.im);
    const tb_dmask inside = tb_dand(tb_dless(tb_dset(1e-100), y), tb_dless(y, tb_dset(40)));
    return tb_dnot(tb_dand(inside, tb_dless(tb_dabs(z.re - 30), tb_dset(50))));
}

IN_LINE tb_vz gamma_z_v(tb_vz z)
{
    tb_vd turns;
    tb_vz lost;
    const tb_vz product = gamma_steps_v(&z, &turns), far = loggamma_far_v(z, &lost);
    return tb_zmul(exp_z_v(far, lost), tb_zreciprocal(product));
}

IN_LINE tb_vz rgamma_z_v(tb_vz z)
{
    tb_vd turns;
    tb_vz lost;
    const tb_vz product = gamma_steps_v(&z, &turns), far = loggamma_far_v(z, &lost);
    return tb_zmul(exp_z_v(tb_zmake(-far.re, -far.im), tb_zmake(-lost.re, -lost.im)), product);
}

/* ---- Lambert's W function ---------------------------------------------------------------------------------------- */

/* Where tb_lambertw begins with something else than logarithms, or does not begin. */
IN_LINE tb_dmask lambertw_outside(tb_vz z, tb_vd k)
{
    const tb_vd size = tb_znorm(z), x = z.re + 0.36787944117144233;
    const tb_dmask principal = tb_dat_least(tb_dset(0), tb_dabs(k)), near = tb_dless(size, tb_dset(2.25));
    const tb_dmask real = tb_dat_least(tb_dset(0), tb_dabs(z.im));
    const tb_dmask begins = tb_dand(tb_dless(tb_dset(1e-200), size), tb_dless(size, tb_dset(1e200)));
    const tb_dmask apart = tb_dat_least(x * x + z.im * z.im, tb_dset(0.09)), few = tb_dless(tb_dabs(k), tb_dset(1e4));
    return either_v(tb_dnot(tb_dand(begins, tb_dand(apart, few))), tb_dand(principal, either_v(near, real)));
}

/* Halley's method, in exp(-w): where that is large z is small. Lanes that are done stay as they are; `left`: those that
 * are not. */
IN_LINE tb_vz lambertw_v(tb_vz z, tb_vd k, tb_vd tolerance, tb_dmask outside, tb_dmask *left)
{
    tb_vz w = tb_zlog(z);
    w.im += k * (2 * TB_PI);
    w = tb_zsub(w, tb_zlog(w));
    const tb_vz none = tb_zmake(tb_dset(0), tb_dset(0));
    tb_dmask more = tb_dnot(outside);
    for (int i = 0; i < 12 && tb_dany(more); i++) {
        const tb_vz one = tb_zmake(w.re + 1, w.im), two = tb_zmake(w.re + 2, w.im);
        const tb_vz f = tb_zsub(w, tb_zmul(z, exp_z_v(tb_zmake(-w.re, -w.im), none)));
        const tb_vz below = tb_zsub(tb_zmul(one, one), tb_zmul(tb_zmake(0.5 * two.re, 0.5 * two.im), f));
        const tb_vz step = tb_zmul(tb_zmul(f, one), tb_zreciprocal(below));
        w = tb_zselect(more, tb_zsub(w, step), w);
        const tb_dmask done = tb_dat_least(tolerance * tolerance * tb_znorm(w), tb_znorm(step));
        more = tb_dand(more, tb_dnot(done));
    }
    *left = more;
    return w;
}

/* ---- Wright's Bessel function ------------------------------------------------------------------------------------ */

enum { WRIGHT_TERMS = 64 };

/* The reciprocals of gamma(a k + b), for an a and b that are many points'. */
typedef struct wright_terms {
    double a, b, reciprocal[WRIGHT_TERMS];
    int known;
} wright_terms;

/* tb_wright_bessel's sum, for lanes of a and b; `left`: lanes that take more, or something else. */
IN_LINE tb_vd wright_bessel_v(wright_terms *t, tb_vd x, tb_dmask *left)
{
    const tb_dmask inside = tb_dand(tb_dless(tb_dset(0), x), tb_dless(x, tb_dset(1e100)));
    tb_vd sum = tb_dset(0), power = tb_dset(1), before = sum;
    tb_dmask more = inside, strange = tb_dnot(inside);
    for (int k = 0; k < WRIGHT_TERMS && tb_dany(more); k++) {
        const double g = t->a * k + t->b;
        if (!(g < 170)) break;
        if (k == t->known) t->reciprocal[t->known++] = tb_rgamma(g);
        if (k > 0) power = power * (x / k);
        const tb_dmask fits = tb_dand(tb_dless(tb_dset(1e-290), power), tb_dless(power, tb_dset(1e290)));
        strange = either_v(strange, tb_dand(more, tb_dnot(fits)));
        const tb_vd term = power * t->reciprocal[k];
        sum = tb_dselect(more, sum + term, sum);
        const tb_dmask little = tb_dand(tb_dless(term, before), tb_dless(term, TB_EPS / 8 * sum));
        if (k > 2) more = tb_dand(more, tb_dnot(little));
        before = term;
    }
    *left = either_v(strange, more);
    return sum;
}
#endif
#endif
