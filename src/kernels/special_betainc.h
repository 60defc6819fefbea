/* special_betainc.h - the regularised incomplete beta function, its inverse, and distributions made of it. */
#ifndef TB_KERNELS_SPECIAL_BETAINC_H
#define TB_KERNELS_SPECIAL_BETAINC_H

/* x^a y^b / beta(a, b), y = 1 - x: around the peak for large a and b (Didonato and Morris, ACM TOMS 18, 1992). */
TB_CALLED double tb_beta_front(double a, double b, double x, double y)
{
    if (a >= 10 && b >= 10) {
        const double sum = a + b, off = x <= 0.5 ? fma(-sum, x, a) : fma(sum, y, -b); /* a - (a + b) x */
        const double e = -off / a, f = off / b;
        const double u = fabs(e) < 0.4 ? tb_log1p_minus(e) : log(x * sum / a) - e;
        const double v = fabs(f) < 0.4 ? tb_log1p_minus(f) : log(y * sum / b) - f;
        return exp(a * u + b * v - (tb_stirling(a) + tb_stirling(b) - tb_stirling(sum))) *
               sqrt(b * (a / sum) / (2 * TB_PI));
    }
    const double log_x = x > 0.5 ? log1p(-y) : log(x), log_y = y > 0.5 ? log1p(-x) : log(y);
    const double s = a * log_x, t = b * log_y;
    if (s > -600 && t > -600 && a < 1e6 && b < 1e6)
        return (x > 0.5 ? exp(s) : tb_pow(x, a)) * (y > 0.5 ? exp(t) : tb_pow(y, b)) / tb_beta(a, b);
    return exp(s + t - tb_betaln_positive(a, b));
}

/* I for b x <= 1: DLMF 8.17.7 in powers of x. */
TB_CALLED double tb_betainc_series(double a, double b, double x, double y)
{
    double sum = 1 / a, term = 1;
    for (int k = 1; k < 5000; k++) {
        term *= (k - b) / k * x;
        const double t = term / (a + k);
        sum += t;
        if (fabs(t) <= TB_EPS / 4 * sum) break;
    }
    const double log_x = x > 0.5 ? log1p(-y) : log(x);
    if (a * log_x > -600 && a < 1e6 && b < 1e6 && fmin(a, b) < 10)
        return (x > 0.5 ? exp(a * log_x) : tb_pow(x, a)) / tb_beta(a, b) * sum;
    return exp(a * log_x - tb_betaln_positive(a, b) + log(sum));
}

/* I by the continued fraction DLMF 8.17.22, which converges fast for x < (a + 1) / (a + b + 2). */
TB_CALLED double tb_betainc_fraction(double a, double b, double x, double y)
{
    TB_LEAVE_TOGETHER;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
    double h = d;
    for (int k = 1; k < 20000; k++) {
        const double m = k, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        h *= d * c;
        if (fabs(d * c - 1) < TB_EPS) break;
    }
    return tb_beta_front(a, b, x, y) * h / a;
}

/* I for x in (0, 1), y = 1 - x, and a, b > 0; or 1 - I. What is small is not made of 1 less what is nearly 1. */
TB_CALLED double tb_beta_tail(double a, double b, double x, double y, int upper)
{
    TB_LEAVE_TOGETHER;
    double p;
    int of_upper = 0;
    if (b * x <= 1 && (x <= 0.95 || (b < 0.01 && x <= 0.99))) {
        p = tb_betainc_series(a, b, x, y);
    } else if (a * y <= 1 && (y <= 0.95 || (a < 0.01 && y <= 0.99))) {
        p = tb_betainc_series(b, a, y, x);
        of_upper = 1;
    } else {
        of_upper = x > (a + 1) / (a + b + 2);
        p = of_upper ? tb_betainc_fraction(b, a, y, x) : tb_betainc_fraction(a, b, x, y);
    }
    if (of_upper == upper) return p;
    if (p > 0.9 && fmin(x, y) > 0.01) return upper ? tb_betainc_fraction(b, a, y, x) : tb_betainc_fraction(a, b, x, y);
    return 1 - p;
}

TB_CALLED double tb_betainc_xy(double a, double b, double x, double y, int upper)
{
    TB_LEAVE_TOGETHER;
    if (!(a >= 0 && b >= 0 && x >= 0 && y >= 0)) return TB_NONE;
    if ((a == 0 && b == 0) || (a == TB_INFINITE && b == TB_INFINITE)) return TB_NONE;
    if (x == 0) return upper;
    if (y == 0) return !upper;
    if (a == 0 || b == TB_INFINITE) return !upper;
    if (b == 0 || a == TB_INFINITE) return upper;
    return tb_beta_tail(a, b, x, y, upper);
}

TB_FN double tb_betainc(double a, double b, double x) { return x != x ? x : tb_betainc_xy(a, b, x, 1 - x, 0); }

/* I = p, 1 - I = q: Newton's method for the logarithm of the smaller one, over the logarithm of x, or of y above the
 * middle, kept between what is known to be too small and too large. `other`: y instead of x. */
TB_CALLED double tb_beta_quantile(double a, double b, double p, double q, int other)
{
    TB_LEAVE_TOGETHER;
    const double middle = tb_beta_tail(a, b, 0.5, 0.5, 0);
    if (p > middle) {
        double t = a;
        a = b;
        b = t;
        t = p;
        p = q;
        q = t;
        other = !other;
    }
    /* Now x <= 1/2. */
    const int upper = q < p;
    const double wanted = upper ? q : p, first = exp((log(p) + log(a) + tb_betaln_positive(a, b)) / a),
                 mean = a / (a + b);
    double low = 0, high = 0.5,
           x = first < 0.5 && (first * b < 1 || first < mean / 2) ? first
               : mean < 0.5                                       ? mean
                                                                  : 0.4;
    for (int k = 0; k < 200; k++) {
        if (x == 0) break;
        const double is = tb_beta_tail(a, b, x, 1 - x, upper),
                     slope = tb_beta_front(a, b, x, 1 - x) / (1 - x); /* over log(x) */
        if (upper ? is < wanted : is > wanted) high = x;
        else low = x;
        const double ratio = fabs(is - wanted) < 0.5 * wanted ? log1p((is - wanted) / wanted) : log(is / wanted);
        double next = x * exp(ratio * is / slope * (upper ? 1 : -1));
        if (!(next > low && next < high)) next = low == 0 ? x / 8 : 0.5 * (low + high);
        if (fabs(next - x) <= 2 * TB_EPS * x) {
            x = next;
            break;
        }
        x = next;
    }
    return other ? 1 - x : x;
}

TB_CALLED double tb_betaincinv(double a, double b, double p)
{
    if (!(a > 0 && b > 0 && p >= 0 && p <= 1)) return TB_NONE;
    if (p == 0 || p == 1) return p;
    if (a == TB_INFINITE || b == TB_INFINITE) return a == b ? TB_NONE : a == TB_INFINITE;
    return tb_beta_quantile(a, b, p, 1 - p, 0);
}

/* ---- distributions ----------------------------------------------------------------------------------------------- */

/* Of k and the number of trials n, rounded down. */
TB_FN double tb_bdtr(double k, double n, double p)
{
    k = floor(k);
    n = floor(n);
    if (!(p >= 0 && p <= 1) || !(n >= k) || n == TB_INFINITE) return TB_NONE;
    if (k < 0) return TB_NONE;
    if (k == n) return 1;
    return k == 0 ? tb_pow(1 - p, n) : tb_betainc_xy(n - k, k + 1, 1 - p, p, 0);
}

TB_FN double tb_bdtrc(double k, double n, double p)
{
    k = floor(k);
    n = floor(n);
    if (!(p >= 0 && p <= 1) || !(n >= k) || n == TB_INFINITE) return TB_NONE;
    if (k < 0) return 1;
    if (k == n) return 0;
    if (k == 0) return p < 0.01 ? -expm1(n * log1p(-p)) : 1 - tb_pow(1 - p, n);
    return tb_betainc_xy(k + 1, n - k, p, 1 - p, 0);
}

TB_FN double tb_bdtri(double k, double n, double y)
{
    k = floor(k);
    n = floor(n);
    if (!(y >= 0 && y <= 1) || !(k >= 0 && n > k) || n == TB_INFINITE) return TB_NONE;
    if (k == 0) return y > 0.8 ? -expm1(log1p(y - 1) / n) : 1 - tb_pow(y, 1 / n);
    return y == 0 || y == 1 ? 1 - y : tb_beta_quantile(n - k, k + 1, y, 1 - y, 1);
}

TB_FN double tb_fdtr(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0)) return TB_NONE;
    if (x == TB_INFINITE) return 1;
    return tb_betainc_xy(a / 2, b / 2, a * x / (b + a * x), b / (b + a * x), 0);
}

TB_FN double tb_fdtrc(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0)) return TB_NONE;
    if (x == TB_INFINITE) return 0;
    return tb_betainc_xy(b / 2, a / 2, b / (b + a * x), a * x / (b + a * x), 0);
}

TB_FN double tb_fdtri(double a, double b, double p)
{
    if (!(a > 0 && b > 0 && p > 0 && p <= 1)) return TB_NONE;
    if (p == 1) return TB_INFINITE;
    const double x = tb_beta_quantile(a / 2, b / 2, p, 1 - p, 0), y = tb_beta_quantile(a / 2, b / 2, p, 1 - p, 1);
    return b * x / (a * y);
}

TB_FN double tb_nbdtr(double k, double n, double p)
{
    if (!(p >= 0 && p <= 1) || !(k >= 0 && n > 0)) return TB_NONE;
    return tb_betainc_xy(n, k + 1, p, 1 - p, 0);
}

TB_FN double tb_nbdtrc(double k, double n, double p)
{
    if (!(p >= 0 && p <= 1) || !(k >= 0 && n > 0)) return TB_NONE;
    return tb_betainc_xy(k + 1, n, 1 - p, p, 0);
}

TB_FN double tb_nbdtri(double k, double n, double y)
{
    if (!(k >= 0 && n >= 0)) return TB_NONE;
    return y == 0 || y == 1 ? y : tb_betaincinv(n, k + 1, y);
}
#endif
