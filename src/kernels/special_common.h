/* special_common.h - what special functions share: polynomials, squares in exponents, functions of multiples of pi.
 *
 * Special functions are computed in double, whatever the dtype, but for elementary ones: float results are rounded
 * once. Tables are made with mpmath: polynomials in t in [-1, 1] that interpolate at Chebyshev's nodes. */
#ifndef TB_KERNELS_SPECIAL_COMMON_H
#define TB_KERNELS_SPECIAL_COMMON_H

/* A table of doubles alone. Numbers of a constant one become parts of a GPU's instructions, half a double each; those
 * of one that might be written to are read from constant memory: two instructions for a coefficient, not three. */
#ifdef __CUDACC_RTC__
#define TB_CURVE static __constant__ __attribute__((unused)) double
#else
#define TB_CURVE TB_TABLE
#endif

#ifdef __CUDACC_RTC__
#define TB_INFINITE __longlong_as_double(0x7ff0000000000000)
#else
#define TB_INFINITE ((double)INFINITY)
#endif
#define TB_NONE (TB_INFINITE - TB_INFINITE)
#define TB_PI 3.141592653589793238462643
#define TB_EULER 0.5772156649015328606065121
#define TB_EPS 1.1102230246251565e-16

/* c[0] x^(n-1) + ... + c[n-1]. */
TB_FN double tb_horner(double x, const double *c, int n)
{
    double p = c[0];
    for (int k = 1; k < n; k++) p = fma(p, x, c[k]);
    return p;
}

/* The same in two halves, of even and of odd powers, which do not wait for one another. */
TB_FN double tb_horner_halves(double x, const double *c, int n)
{
    const double square = x * x;
    double p = c[0], q = c[1];
    int k = 2;
    for (; k + 1 < n; k += 2) {
        p = fma(p, square, c[k]);
        q = fma(q, square, c[k + 1]);
    }
    return k < n ? fma(q, x, fma(p, square, c[k])) : fma(p, x, q);
}

/* What CUDA has in line, tens of instructions and more, is called here: compilers take seconds for the copies. */
TB_CALLED double tb_pow(double x, double y) { return pow(x, y); }

TB_FN int tb_is_whole(double x) { return x == floor(x); }
TB_FN int tb_is_finite(double x) { return x - x == 0; }
/* A whole number that is odd; numbers from 2^53 on are even. */
TB_FN int tb_is_odd(double x) { return x - 2 * floor(x / 2) == 1; }

/* exp(s x^2): the square of x's leading 24 bits is exact, and what it lacks is small. */
TB_FN double tb_exp_scaled_square(double x, double s)
{
    const double big = (float)x, rest = s * (x - big) * (x + big);
    return exp(s * big * big) * fma(rest, fma(rest, fma(rest, 1.0 / 6, 0.5), 1), 1);
}

TB_CALLED double tb_exp_half_square(double x, double sign)
{
    return fabs(x) > 60 ? (sign < 0 ? 0 : TB_INFINITE) : tb_exp_scaled_square(x, sign / 2);
}

TB_CALLED double tb_exp_square(double x, double sign)
{
    return fabs(x) > 40 ? (sign < 0 ? 0 : TB_INFINITE) : tb_exp_scaled_square(x, sign);
}

#ifdef __CUDACC_RTC__
TB_FN void tb_sin_and_cos(double x, double *s, double *c) { sincos(x, s, c); }
#else
/* sin(r) / r - 1 over r^2, and cos(r) - 1 + r^2 / 2 over r^4, in r^2 for |r| <= pi / 4. */
TB_CURVE tb_sin_curve[6] = {1.5918115263265974e-10,  -2.505113165023518e-08, 2.7557316101617874e-06,
                            -0.00019841269836756774, 0.008333333333330948,   -0.16666666666666666};
TB_CURVE tb_cos_curve[6] = {-1.1382623647474604e-11, 2.087614614655861e-09,  -2.7557317271145144e-07,
                            2.480158729876456e-05,   -0.0013888888888887398, 0.041666666666666664};

/* Both, in less time than the C library's: up to 2^16 quarter turns are taken off x, of which a double's part is taken
 * off exactly. Of -0 the sine is 0. */
TB_FN void tb_sin_and_cos(double x, double *s, double *c)
{
    if (!(fabs(x) < 1e5)) {
        *s = sin(x);
        *c = cos(x);
        return;
    }
    const double n = rint(x * 0.63661977236758134308), near = fma(-n, 6.123233995736766e-17, fma(-n, TB_PI / 2, x));
    const double r = fma(n, 1.4973849048591833e-33, near);
    const double q = r * r, up = fma(r * q, tb_horner(q, tb_sin_curve, 6), r);
    const double side = fma(q * q, tb_horner(q, tb_cos_curve, 6), fma(-0.5, q, 1));
    const int quarter = (int)n & 3;
    *s = copysign(1.0, 1.5 - quarter) * (quarter & 1 ? side : up);
    *c = copysign(1.0, fabs(1.5 - quarter) - 1) * (quarter & 1 ? up : side);
}
#endif

TB_CALLED double tb_sin_pi(double x)
{
    const double r = x - 2 * rint(x / 2), y = fabs(r) > 0.5 ? copysign(1 - fabs(r), r) : r;
    return sin(TB_PI * y);
}

TB_CALLED double tb_cos_pi(double x)
{
    const double r = fabs(x - 2 * rint(x / 2));
    return r < 0.25 ? cos(TB_PI * r) : r < 0.75 ? sin(TB_PI * (0.5 - r)) : -cos(TB_PI * (1 - r));
}

/* log(x / y) by the inverse of y and its rest beyond a double: what the quotient is off by counts next to 1. */
TB_FN double tb_log_over(double x, double inverse, double rest)
{
    const double q = x * inverse, off = fma(x, inverse, -q) + x * rest;
    if (x < 9.332636185032189e-302) return log(x) + log(inverse); /* the quotient may have few digits */
    return log(q) + (fabs(q - 1) < 0.5 ? off * (2 - q) : 0);
}

/* log1p, in half of the C library's time: the logarithm of 1 + x as it is rounded, and what the rounding lost
 * (W. Kahan). CUDA's takes less. */
#ifdef __CUDACC_RTC__
TB_FN double tb_log1p_f64(double x) { return log1p(x); }
#else
TB_FN double tb_log1p_f64(double x)
{
    const double u = 1 + x;
    if (!(x > -1 && x < 1e15) || u == 1) return u == 1 ? x : log(u);
    return log(u) + (x - (u - 1)) / u;
}
#endif
TB_FN float tb_log1p_f32(float x) { return log1pf(x); }

/* z of the normal distribution's tail p <= 1/2, up to 3e-3: Abramowitz and Stegun 26.2.22. */
TB_FN double tb_about_normal(double p)
{
    const double t = sqrt(-2 * log(p));
    return t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
}

/* expm1 where a step that is not small is followed by another. */
TB_FN double tb_small_expm1(double x)
{
    if (fabs(x) > 0.02) return exp(x) - 1;
    return x * fma(x, fma(x, fma(x, fma(x, fma(x, 1.0 / 720, 1.0 / 120), 1.0 / 24), 1.0 / 6), 0.5), 1);
}

/* How far it is to where a tail of a distribution over t is what is wanted. g: the logarithm of what it is here over
 * that; `slope`: the derivative of the tail's logarithm; h, h1, h2: the first three of the density's. By the inverse of
 * g's series, to the fourth power, as slope' = slope (h - slope). `last`: what is left does not count. */
TB_FN double tb_tail_step(double g, double slope, double h, double h1, double h2, int *last)
{
    const double u = h - slope, square = u * u, u1 = h1 - slope * u, u2 = h2 - slope * (square + u1);
    const double t = -g / slope, c2 = u / 2, c3 = (square + u1) / 6, c4 = (u * (square + 3 * u1) + u2) / 24;
    const double size = t * t * (square + fabs(u1));
    *last = fabs(t) * size * size < 1e-14;
    if (!(size < 0.5)) return fabs(t) < 8 ? t : copysign(8.0, t);
    return t * (1 - t * (c2 - t * (2 * c2 * c2 - c3 - t * (5 * c2 * (c2 * c2 - c3) + c4))));
}

/* A step, or half of the way to what is known to be too far: `down` below and `up` above, from there on too. */
TB_FN double tb_step_between(double step, double *down, double *up)
{
    if (step > 0) *down = 0;
    else *up = 0;
    const double within = step >= *up && step > 0 ? *up / 2 : step <= -*down && step < 0 ? -*down / 2 : step;
    *down += within;
    *up -= within;
    return within;
}

/* log(1 + x) - x: near 0 by x = 2 s / (1 - s), where log(1 + x) = 2 artanh(s). */
TB_FN double tb_log1p_minus_apart(double x)
{
    if (fabs(x) > 0.4) return log1p(x) - x;
    const double s = x / (2 + x), s2 = s * s;
    double sum = 0;
    for (int k = 27; k >= 3; k -= 2) sum = fma(sum, s2, 1.0 / k);
    return 2 * s * s2 * sum - s * x;
}

TB_CALLED double tb_log1p_minus(double x)
{
    TB_TOGETHER(const double result = tb_log1p_minus_apart(x));
    return result;
}

/* gamma on [2, 3] in 2 x - 5, and x (gamma(x) / (sqrt(2 pi) x^(x - 1/2) e^-x) - 1) in 20 / x - 1 from 10 on. */
TB_CURVE tb_gamma_2[17] = {3.1107055603112123e-12, -1.5443061779555456e-11, 6.51572360327812e-11,
                           -3.080763108698437e-10, 1.7718103539968532e-09,  -6.2550094513430585e-09,
                           5.989210476105906e-08,  7.701042460415819e-09,   2.9471647009899543e-06,
                           1.255781561154807e-05,  0.0001623813035082171,   0.0008862743936967716,
                           0.0068545771251365545,  0.03173390585513512,     0.16363964449533416,
                           0.4673672608130429,     1.329340388179137};
TB_CURVE tb_gamma_far[9] = {2.600731571053044e-14,  2.022618748043305e-13,  -8.643455717921099e-12,
                            -3.27637743578448e-11,  4.871266603895532e-09,  -9.049771575600417e-09,
                            -6.759889287687074e-06, 0.00016013807766765648, 0.08350021735530642};
TB_FN double tb_gamma_beyond_apart(double x)
{
    if (!(x < 172)) return x != x ? x : TB_INFINITE;
    const double r = 1 / x, rest = r * tb_horner(20 * r - 1, tb_gamma_far, 9), root = 2.50662827463100050242;
    if (x < 140) return root * tb_pow(x, x - 0.5) * (exp(-x) * (1 + rest));
    const double half = tb_pow(x, x / 2 - 0.25);
    return root * half * exp(-x) * (1 + rest) * half;
}

TB_CALLED double tb_gamma_beyond(double x)
{
    TB_TOGETHER(const double result = tb_gamma_beyond_apart(x));
    return result;
}

TB_CURVE tb_factorials[23] = {1,
                              1,
                              2,
                              6,
                              24,
                              120,
                              720,
                              5040,
                              40320,
                              362880,
                              3628800,
                              39916800,
                              479001600,
                              6227020800,
                              87178291200,
                              1307674368000,
                              20922789888000,
                              355687428096000,
                              6402373705728000,
                              121645100408832000,
                              2432902008176640000,
                              51090942171709440000.0,
                              1124000727777607680000.0};

/* CUDA's own is off by up to 10 units in the last place, and the C library's takes twice as long as these few
 * polynomials. Whole numbers whose factorials are doubles give these. Below 10 the product of the steps from [2, 3],
 * with what its roundings lost; a step's factor is exact. */
TB_FN double tb_gamma_of_positive_apart(double x)
{
    if (x < 24 && x >= 1 && tb_is_whole(x)) return tb_factorials[(int)x - 1];
    if (!(x < 10)) return tb_gamma_beyond(x);
    double p = 1, lost = 0, y = x;
    while (y >= 3) {
        y -= 1;
        const double next = p * y;
        lost = fma(lost, y, fma(p, y, -next));
        p = next;
    }
    double below = 1;
    if (y < 1) {
        below = y * (y + 1);
        y += 2;
    } else if (y < 2) {
        below = y;
        y += 1;
    }
    const double g = tb_horner(2 * y - 5, tb_gamma_2, 17);
    return below == 1 ? fma(g, p, g * lost) : g / below;
}

TB_CALLED double tb_gamma_of_positive(double x)
{
    TB_TOGETHER(const double result = tb_gamma_of_positive_apart(x));
    return result;
}

/* The quotient by the steps to [2, 3], from below 0: fewer operations than the reflection's sine. */
TB_FN double tb_gamma_of_little(double x)
{
    double p = 1, lost = 0, y = x;
    while (y < 2) {
        const double next = p * y;
        lost = fma(lost, y, fma(p, y, -next));
        p = next;
        y += 1;
    }
    const double q = tb_horner(2 * y - 5, tb_gamma_2, 17) / p;
    return fma(-q, lost / p, q);
}

TB_FN double tb_tgamma_apart(double x)
{
    if (x > 0 || x != x) return tb_gamma_of_positive(x);
    if (x == 0) return copysign(TB_INFINITE, x);
    if (tb_is_whole(x)) return TB_NONE;
    if (x > -1e-17) return 1 / x;
    if (x > -8) return tb_gamma_of_little(x);
    const double s = tb_sin_pi(x);
    if (x < -184) return copysign(0.0, s);
    const int steps = x < -170 ? 16 : 0; /* of an even number the sine keeps its sign */
    const double y = x + steps;
    double g = -TB_PI / (y * s * tb_gamma_of_positive(-y));
    for (int k = 1; k <= steps; k++) g /= y - k;
    return g;
}

TB_CALLED double tb_tgamma(double x)
{
    TB_TOGETHER(const double result = tb_tgamma_apart(x));
    return result;
}
#endif
