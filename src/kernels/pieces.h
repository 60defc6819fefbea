/* pieces.h - splines at points, for host and device: de Boor's recurrence over coefficients (C. de Boor, A Practical
 * Guide to Splines, chapter X), in which what is divided by a difference of 0 counts for 0. */
#ifndef TB_KERNELS_PIECES_H
#define TB_KERNELS_PIECES_H

#ifdef __CUDACC_RTC__
#define TB_UNROLL _Pragma("unroll")
#else
#define TB_UNROLL
#endif

/* The derivative nu, at most the degree, at x of the spline whose coefficients c are `step` apart; x belongs to the
 * knots t[at] and t[at + 1]. d is room for the degree and 1. Differences come first: they make the coefficients of the
 * derivative, a spline of a lower degree over the same knots. */
TB_FN double tb_spline_value(const double *t, tb_i64 at, const double *c, tb_i64 step, int degree, int nu, double x,
                             double *d)
{
    TB_UNROLL
    for (int j = 0; j <= degree; j++) d[j] = c[(at - degree + j) * step];
    TB_UNROLL
    for (int r = 1; r <= degree; r++) {
        TB_UNROLL
        for (int j = degree; j >= r; j--) {
            const double left = t[at - degree + j], right = t[at + 1 + j - r], span = right - left;
            const double share =
                r <= nu ? (double)(degree - r + 1) * (d[j] - d[j - 1]) : (x - left) * d[j] + (right - x) * d[j - 1];
            d[j] = span == 0 ? 0 : share / span;
        }
    }
    return d[degree];
}

/* x moved by whole periods to between first and last, of which either may be the greater one. */
TB_FN double tb_repeated(double x, double first, double last)
{
    const double period = last - first, rest = fmod(x - first, period);
    return first + ((rest < 0) != (period < 0) && rest != 0 ? rest + period : rest);
}

/* The derivative nu of a polynomial in s with `orders` coefficients, the highest first, `step` apart. */
TB_FN double tb_power_value(const double *c, tb_i64 step, int orders, int nu, double s)
{
    double value = c[0], factor = 1;
    if (nu == 0) {
        TB_UNROLL
        for (int o = 1; o < orders; o++) value = value * s + c[o * step];
        return value;
    }
    if (nu >= orders) return 0;
    for (int i = 0; i < nu; i++) factor *= (double)(orders - 1 - i);
    value *= factor;
    for (int o = 1; o < orders - nu; o++) {
        factor = factor * (double)(orders - o - nu) / (double)(orders - o);
        value = value * s + c[o * step] * factor;
    }
    return value;
}
#endif
