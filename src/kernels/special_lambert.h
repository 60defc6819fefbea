/* special_lambert.h - Lambert's W function (Corless and others, Adv. Comput. Math. 5, 1996) and Wright's Bessel
 * function. */
#ifndef TB_KERNELS_SPECIAL_LAMBERT_H
#define TB_KERNELS_SPECIAL_LAMBERT_H

/* The first terms around the branch point -1/e, in p = +-sqrt(2 (e z + 1)). */
TB_FN tb_c128 tb_lambertw_branch(tb_c128 z, double sign)
{
    const tb_c128 e = tb_make_c128(fma(z.re, 2.718281828459045235360, 1) + z.re * 1.4456468917292502e-16,
                                   z.im * 2.718281828459045235360);
    const tb_c128 p = tb_scale_c128(tb_sqrt_c128(tb_scale_c128(e, 2)), sign);
    const double c[4] = {11.0 / 72, -1.0 / 3, 1, -1};
    return tb_polynomial_c128(p, c, 4);
}

TB_CALLED tb_c128 tb_lambertw_start(tb_c128 z, double k)
{
    const double distance = hypot(z.re + 0.36787944117144233, z.im);
    if (k == 0 && distance < 0.3) return tb_lambertw_branch(z, 1);
    if (k == 0 && tb_abs_c128(z) < 1.5 && z.re > -0.5) {
        /* A Pade approximant at 0. */
        const double up[4] = {12.85106382978723404255, 12.34042553191489361902, 1, 0},
                     down[4] = {32.53191489361702127660, 14.34042553191489361702, 1, 0};
        const tb_c128 n = tb_polynomial_c128(z, up, 3), d = tb_polynomial_c128(z, down, 3);
        return tb_mul_c128(z, tb_div_c128(n, d));
    }
    if (distance < 0.3 && ((k == -1 && z.im >= 0) || (k == 1 && z.im < 0))) return tb_lambertw_branch(z, -1);
    const tb_c128 l = tb_log_c128(z), w = tb_make_c128(l.re, l.im + 2 * TB_PI * k);
    return tb_sub_c128(w, tb_log_c128(w));
}

/* W of branch 0 for z >= -0.3 to some 6 digits: its series at 0 and at infinity (DLMF 4.13.5, 4.13.10), between them
 * Winitzki's approximation and a step of the iteration below. */
TB_FN double tb_lambertw_near_apart(double z)
{
    if (fabs(z) < 1e-2) return z * (1 - z * (1 - 1.5 * z));
    if (z > 1e30) {
        const double l = log(z), m = log(l);
        return l - m + m / l * (1 + (m - 2) / (2 * l));
    }
    const float x = (float)z, l = logf(1 + x), w = l * (1 - logf(1 + l) / (2 + l));
    const float f = logf(x / w) - w, g = 1 + w, q = 2 * g * (g + f * (2.0f / 3));
    return w + w * f * (q - f) / (g * (q - 2 * f));
}

TB_CALLED double tb_lambertw_near(double z)
{
    TB_TOGETHER(const double result = tb_lambertw_near_apart(z));
    return result;
}

/* A step of Fritsch, Shafer and Crowley's iteration (CACM 16, 1973), of order four. */
TB_FN double tb_lambertw_real(double z)
{
    const double w = tb_lambertw_near(z), f = log(z / w) - w, g = 1 + w, q = 2 * g * (g + f * (2.0 / 3));
    return w + w * f * (q - f) / (g * (q - 2 * f));
}

/* Halley's method for w exp(w) = z, in exp(-w) where exp(w) is large. */
TB_FN tb_c128 tb_lambertw_apart(tb_c128 z, double k, double tolerance)
{
    if (tb_isnan_c128(z)) return z;
    if (z.re == TB_INFINITE) return tb_make_c128(z.re, z.im + 2 * TB_PI * k);
    if (z.re == -TB_INFINITE) return tb_make_c128(-z.re, -z.im + TB_PI * (2 * k + 1));
    if (z.re == 0 && z.im == 0) return k == 0 ? z : tb_make_c128(-TB_INFINITE, 0);
    if (k == 0 && z.re == 1 && z.im == 0) return tb_make_c128(0.567143290409783872999969, 0);
    if (k == 0 && z.im == 0 && z.re >= -0.3) return tb_make_c128(tb_lambertw_real(z.re), z.im);
    tb_c128 w = tb_lambertw_start(z, k);
    for (int i = 0; i < 100; i++) {
        const int large = w.re >= 0;
        const tb_c128 e = tb_exp_c128(large ? tb_neg_c128(w) : w), one = tb_make_c128(w.re + 1, w.im);
        /* f = w e^w - z, scaled by e^-w: f' = w + 1, f'' = w + 2. */
        const tb_c128 f = large ? tb_sub_c128(w, tb_mul_c128(z, e)) : tb_sub_c128(w, tb_div_c128(z, e));
        const tb_c128 bend = tb_div_c128(tb_make_c128(w.re + 2, w.im), tb_scale_c128(one, 2));
        const tb_c128 step = tb_div_c128(f, tb_sub_c128(one, tb_mul_c128(bend, f)));
        if (tb_isnan_c128(step)) return w; /* at the branch point */
        w = tb_sub_c128(w, step);
        if (tb_abs_c128(step) <= tolerance * tb_abs_c128(w)) return w;
    }
    return tb_none_c128();
}

TB_CALLED tb_c128 tb_lambertw(tb_c128 z, double k, double tolerance)
{
    TB_TOGETHER(const tb_c128 result = tb_lambertw_apart(z, k, tolerance));
    return result;
}

/* The sum of x^k / (k! gamma(a k + b)) (DLMF 10.46.1) for numbers from 0 on, so that all terms are positive; wherever
 * the sum is a double, a few thousand terms count. */
TB_CALLED double tb_wright_bessel(double a, double b, double x)
{
    if (!(a >= 0 && b >= 0 && x >= 0) || a == TB_INFINITE || b == TB_INFINITE) return TB_NONE;
    if (x == TB_INFINITE) return a == TB_INFINITE ? TB_NONE : x;
    if (x == 0) return tb_rgamma(b);
    if (a == 0) return b == 0 ? 0 : x < 700 && b < 170 ? exp(x) * tb_rgamma(b) : exp(x - tb_gammaln(b));
    double sum = 0, power = 1, before = 0;
    const double l = log(x);
    for (double k = 0; k < 100000; k += 1) {
        const double g = a * k + b;
        if (k > 0) power *= x / k;
        double term = 0;
        if (power > 1e-290 && power < 1e290 && g < 170) term = power * tb_rgamma(g);
        else if (g > 0) term = exp(k * l - tb_gammaln(k + 1) - tb_gammaln(g));
        sum += term;
        if (!(sum < TB_INFINITE) || (k > 2 && term < before && term < TB_EPS / 8 * sum)) break;
        before = term;
    }
    return sum;
}
#endif
