/* special_jy.h - Bessel functions J, Y and Hankel's of real order and argument.
 *
 * v and x are made positive by reflection (DLMF 10.4). Small x have power series and Temme's; large ones, and large
 * orders, Debye's expansions, or one in Airy's functions; between them functions of two orders next to each other,
 * known by a table or by an expansion, lead to the one that is wanted by recurrence, in the direction in which it is
 * stable (DLMF 10.74(iv)): Y upwards, J upwards as far as it oscillates and else down to known orders (J. C. P.
 * Miller's algorithm). */
#ifndef TB_KERNELS_SPECIAL_JY_H
#define TB_KERNELS_SPECIAL_JY_H

/* (t - atanh(t)) / t^3 in t^2 < 1/16. */
TB_CURVE tb_debye_slow[13] = {-1.0 / 27, -1.0 / 25, -1.0 / 23, -1.0 / 21, -1.0 / 19, -1.0 / 17, -1.0 / 15,
                              -1.0 / 13, -1.0 / 11, -1.0 / 9,  -1.0 / 7,  -1.0 / 5,  -1.0 / 3};

/* J and Y where v > x and they hold (DLMF 10.19.3). Next to each other their exponent is small beside its terms. */
TB_CALLED tb_c128 tb_jy_below(double v, double x, double r)
{
    const double p = v / r, slope = r / v, square = slope * slope;
    const double half = square < 1.0 / 16 ? exp(0.5 * r * (square * tb_horner(square, tb_debye_slow, 13)))
                                          : tb_debye_power(v, x, r, tb_lost_by_root(r, v, x, -1), 0);
    double odd, even = tb_debye(p * p, r, 1, &odd);
    const double size = 0.39894228040143267794 / sqrt(r);
    return tb_make_c128(size * (even + odd) * half * half, 2 * size * (odd - even) / half / half);
}

/* J and Y where x is next to v, of which the expansion for large orders is one in Airy's functions of their distance
 * over v's cube root (DLMF 10.19.8): from 1e9 on three powers of v^(-2/3) are enough. */
TB_CALLED tb_c128 tb_jy_beside(double v, double x, double more)
{
    const double root = cbrt(v), a = (x - v + more) / root, cube = a * a * a, r = 1 / root / root;
    const double two = 1.25992104989487316477, s = two / root, t = two * two / v; /* the cube root of 2 */
    const double p1 = -a / 5, p2 = a * a * fma(cube, -0.09, 3.0 / 35);
    const double p3 = fma(cube, fma(cube, 957.0 / 7000, -173.0 / 3150), -1.0 / 225);
    const double q0 = 0.3 * a * a, q1 = fma(cube, -17.0 / 70, 1.0 / 70);
    const double q2 = a * fma(cube, fma(cube, -0.009, 611.0 / 3150), -37.0 / 3150);
    const double p = s * fma(r, fma(r, fma(r, p3, p2), p1), 1), q = t * fma(r, fma(r, q2, q1), q0);
    const tb_c128 value = tb_airy(-two * a, 0, 0), slope = tb_airy(-two * a, 1, 0);
    return tb_make_c128(p * value.re + q * slope.re, -(p * value.im + q * slope.im));
}

/* For x >= 2 the order, at most v and a whole number of steps away from it, of which J and Y are known: they in `at`,
 * and those of the order one step up in `above` if there are steps. */
TB_CALLED double tb_jy_start(double v, double x, double more, tb_c128 *at, tb_c128 *above)
{
    const double m = v - rint(v);
    if (x >= 30) {
        const double bound = x - 11 * cbrt(x), n = bound < v ? ceil(v - bound) : 0, from = fmax(v - n, m);
        *at = tb_jy_far(from, x, more);
        if (v > from) *above = tb_jy_far(from + 1, x, more);
        return from;
    }
    double c;
    const double s = tb_wave_angle(x, m, more, &c), t = tb_order_t(x), u = tb_order_u(m);
    const double p = tb_horner_of_two(t, u, tb_wave_p, 23), q = tb_horner_of_two(t, u, tb_wave_q, 23);
    const double size = 0.79788456080286535588 / sqrt(x);
    *at = tb_make_c128(size * (p * c - q * s), size * (p * s + q * c));
    if (v > m) {
        const double a = tb_horner_of_two(t, u, tb_wave_r, 23), b = tb_horner_of_two(t, u, tb_wave_s, 23);
        *above = tb_make_c128(fma(m / x, at->re, size * (a * s + b * c)), fma(m / x, at->im, -size * (a * c - b * s)));
    }
    return m;
}

/* From `low` of order v and `high` of order v + 1 upwards to `order`. */
TB_FN double tb_upwards(double order, double v, double x, double low, double high)
{
    if (!(order > v + 0.5)) return low;
    const double step = 2 / x;
    for (double k = v + 1; k < order - 0.5 && tb_is_finite(high); k += 1) {
        const double next = fma(k * step, high, -low);
        low = high;
        high = next;
    }
    return high;
}

/* J of `order` > x: what comes down from far above is J but for a factor, which is known at orders v and v + 1. */
TB_CALLED double tb_downwards(double order, double v, double x, double at, double above)
{
    const double step = 2 / x;
    double high = 0, low = 1, wanted = 0;
    for (double k = order + ceil(7.6 * cbrt(x)) + 2; k > v + 0.5; k -= 1) { /* low is of order k */
        if (fabs(k - order) < 0.5) wanted = low;
        const double next = fma(k * step, low, -high);
        high = low;
        low = next;
    }
    return wanted * ((low * at + high * above) / (low * low + high * high));
}

TB_CALLED double tb_jv_series(double v, double x)
{
    const double t = x * x / 4;
    double term = 1, sum = 1;
    for (int k = 1; k < 60 && fabs(term) > TB_EPS / 4 * fabs(sum); k++) {
        term *= -t / (k * (k + v));
        sum += term;
    }
    return tb_first_term(v, x) * sum;
}

/* Which ones are wanted. */
#define TB_ORDER_J 1
#define TB_ORDER_Y 2

/* J and Y of v >= 0 and x > 0. */
TB_FN tb_c128 tb_jy_of_positive_apart(double v, double x, double more, int wanted)
{
    if (x == TB_INFINITE || v == TB_INFINITE) {
        return v != TB_INFINITE ? tb_make_c128(0, 0)
                                : tb_make_c128(x == v ? TB_NONE : 0, x == v ? TB_NONE : -TB_INFINITE);
    }
    if (v > x) {
        const double r = tb_leg(v, x);
        if (tb_debye_holds(r, x)) return tb_jy_below(v, x, r);
    }
    const int series = x < 2 || x * x < 2 * (v + 1);
    double j = series && wanted & TB_ORDER_J ? tb_jv_series(v, x) : 0;
    if (series && !(wanted & TB_ORDER_Y)) return tb_make_c128(j, 0);
    if (x < 2) {
        const double m = v - rint(v);
        double above, y = tb_temme_pair(m, x, 0, &above);
        return tb_make_c128(j, tb_upwards(v, m, x, y, above));
    }
    if (x - v < 11 * cbrt(x) && x > 1e9) return tb_jy_beside(v, x, more);
    tb_c128 at, above = tb_make_c128(0, 0);
    const double from = tb_jy_start(v, x, more, &at, &above);
    if (!series && wanted & TB_ORDER_J)
        j = v > x && v > from ? tb_downwards(v, from, x, at.re, above.re) : tb_upwards(v, from, x, at.re, above.re);
    return tb_make_c128(j, wanted & TB_ORDER_Y ? tb_upwards(v, from, x, at.im, above.im) : 0);
}

TB_CALLED tb_c128 tb_jy_of_positive(double v, double x, double more, int wanted)
{
    TB_TOGETHER(const tb_c128 result = tb_jy_of_positive_apart(v, x, more, wanted));
    return result;
}

/* Of x > 0; of a negative order by those of the positive one and its half turns (DLMF 10.4.6). */
TB_CALLED tb_c128 tb_jy_of_any(double v, double x, int wanted)
{
    if (v >= 0) return tb_jy_of_positive(v, x, 0, wanted);
    const double s = tb_sin_pi(-v), c = tb_cos_pi(-v);
    const int both = TB_ORDER_J | TB_ORDER_Y;
    const tb_c128 z = tb_jy_of_positive(-v, x, 0, s == 0 || wanted == both ? wanted : c == 0 ? both - wanted : both);
    const double j = c == 0 ? 0 : c * z.re, y = c == 0 ? 0 : c * z.im;
    return s == 0 ? tb_make_c128(j, y) : tb_make_c128(j - s * z.im, y + s * z.re);
}

TB_FN double tb_jv_apart(double v, double a)
{
    const double x = fabs(a);
    if (v != v || x != x || (a < 0 && !tb_is_whole(v))) return TB_NONE;
    if (x == 0) return tb_power_at_0(v);
    const double value = tb_jy_of_any(v, x, TB_ORDER_J).re;
    return a < 0 && tb_is_odd(fabs(v)) ? -value : value;
}

TB_CALLED double tb_jv(double v, double a)
{
    TB_TOGETHER(const double result = tb_jv_apart(v, a));
    return result;
}

TB_FN double tb_yv_apart(double v, double x)
{
    if (v != v || !(x >= 0)) return TB_NONE;
    return x == 0 ? -TB_INFINITE : tb_jy_of_any(v, x, TB_ORDER_Y).im;
}

TB_CALLED double tb_yv(double v, double x)
{
    TB_TOGETHER(const double result = tb_yv_apart(v, x));
    return result;
}

/* Hankel's functions, the first and the second, or these over exp(ix) and exp(-ix). Negative x are half a turn away
 * (DLMF 10.11.3 to 10.11.5). */
TB_FN tb_c128 tb_hankel_of_order_apart(double v, double a, int second, int scaled)
{
    const double x = fabs(a), side = second ? -1 : 1;
    if (v != v || !(x > 0) || x == TB_INFINITE) return tb_none_c128();
    const tb_c128 z = tb_jy_of_any(v, x, TB_ORDER_J | TB_ORDER_Y);
    tb_c128 h = tb_make_c128(z.re, side * z.im);
    if (a < 0) {
        const double s = tb_sin_pi(v), c = tb_cos_pi(v), sign = second ? 1 : -1;
        h = tb_mul_c128(tb_make_c128(sign * c, s), tb_make_c128(z.re, -side * z.im));
        if (second) h = tb_make_c128(h.re + 2 * c * z.re, h.im - 2 * c * z.im);
    }
    if (!scaled) return h;
    double s, c;
    tb_sin_and_cos(side * a, &s, &c);
    return tb_mul_c128(h, tb_make_c128(c, -s));
}

TB_CALLED tb_c128 tb_hankel_of_order(double v, double a, int second, int scaled)
{
    TB_TOGETHER(const tb_c128 result = tb_hankel_of_order_apart(v, a, second, scaled));
    return result;
}
#endif
