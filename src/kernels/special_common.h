/* special_common.h - what special functions share: polynomials, squares in exponents, functions of multiples of pi.
 *
 * Special functions are computed in double, whatever the dtype, but for elementary ones: float results are rounded
 * once. Tables are made with mpmath: polynomials in t in [-1, 1] that interpolate at Chebyshev's nodes. */
#ifndef TB_KERNELS_SPECIAL_COMMON_H
#define TB_KERNELS_SPECIAL_COMMON_H

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

/* What CUDA has in line, tens of instructions and more, is called here: compilers take seconds for the copies. */
TB_CALLED double tb_pow(double x, double y) { return pow(x, y); }
TB_CALLED double tb_tgamma(double x) { return tgamma(x); }

TB_FN int tb_is_whole(double x) { return x == floor(x); }
TB_FN int tb_is_finite(double x) { return x - x == 0; }
/* A whole number that is odd; numbers from 2^53 on are even. */
TB_FN int tb_is_odd(double x) { return x - 2 * floor(x / 2) == 1; }

/* exp(sign x^2 / 2): the square of x's leading bits is exact, and what it lacks is small. */
TB_CALLED double tb_exp_half_square(double x, double sign)
{
    const double big = floor(fabs(x) * 16) / 16, rest = (fabs(x) - big) * (fabs(x) + big);
    return fabs(x) > 60 ? (sign < 0 ? 0 : TB_INFINITE) : exp(sign * big * big / 2) * exp(sign * rest / 2);
}

TB_CALLED double tb_exp_square(double x, double sign)
{
    const double big = floor(fabs(x) * 16) / 16, rest = (fabs(x) - big) * (fabs(x) + big);
    return fabs(x) > 40 ? (sign < 0 ? 0 : TB_INFINITE) : exp(sign * big * big) * exp(sign * rest);
}

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

/* log(1 + x) - x: near 0 by x = 2 s / (1 - s), where log(1 + x) = 2 artanh(s). */
TB_CALLED double tb_log1p_minus(double x)
{
    TB_LEAVE_TOGETHER;
    if (fabs(x) > 0.4) return log1p(x) - x;
    const double s = x / (2 + x), s2 = s * s;
    double sum = 0;
    for (int k = 27; k >= 3; k -= 2) sum = fma(sum, s2, 1.0 / k);
    return 2 * s * s2 * sum - s * x;
}
#endif
