/* special_betainc.h - the regularised incomplete beta function, its inverse, and distributions made of it. */
#ifndef TB_KERNELS_SPECIAL_BETAINC_H
#define TB_KERNELS_SPECIAL_BETAINC_H

/* x^a, where x = 1 - y and the smaller of both is exact: what the larger is off by counts a times. */
TB_FN double tb_power_beside(double x, double y, double a)
{
    const double power = tb_pow(x, a);
    return x > 0.5 ? power * fma(a * (3 - 2 * x), (1 - x) - y, 1) : power; /* 3 - 2 x for 1 / x */
}

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
    const double p = tb_power_beside(x, y, a), q = tb_power_beside(y, x, b);
    if (p > 1e-260 && q > 1e-260 && a < 1e6 && b < 1e6) return p * q / tb_beta(a, b);
    const double log_x = x > 0.5 ? log1p(-y) : log(x), log_y = y > 0.5 ? log1p(-x) : log(y);
    return exp(a * log_x + b * log_y - tb_betaln_positive(a, b));
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
    const double power = tb_power_beside(x, y, a);
    if (power > 1e-260 && a < 1e6 && b < 1e6 && fmin(a, b) < 10) return power / tb_beta(a, b) * sum;
    return exp(a * (x > 0.5 ? log1p(-y) : log(x)) - tb_betaln_positive(a, b) + log(sum));
}

/* I for a small whole b, x^a times the sum over j < b of a (a + 1) ... (a + j - 1) y^j / j! (DLMF 8.17.24), all of
 * whose terms are positive: one fraction, from the last one on. */
TB_FN double tb_betainc_whole(double a, double b, double y, double power)
{
    double above = 1, below = 1;
    for (double j = b - 1; j > 0; j -= 1) {
        below *= j;
        above = fma(y * (a + j - 1), above, below);
    }
    return power * (above / below);
}

/* I by the continued fraction DLMF 8.17.22, which converges fast for x < (a + 1) / (a + b + 2), by the recurrence of
 * its numerators and denominators (DLMF 1.12.5), in units of a + 1. */
TB_CALLED double tb_betainc_fraction(double a, double b, double x, double y)
{
    TB_LEAVE_TOGETHER;
    const double r = 1 / (a + 1);
    double above0 = 0, above = 1, below0 = 1, below = 1;
    for (int k = 0; k < 20000; k++) {
        const double m = k, here = (a + 2 * m) * r;
        double scale = 1;
        if (k > 0) {
            const double n = m * r * ((b - m) * r) * x, d = (a + 2 * m - 1) * r * here;
            scale = fabs(below) > 1e100 ? 1e-100 : fabs(below) < 1e-100 ? 1e100 : 1;
            const double above1 = d * above, below1 = d * below;
            above = fma(n, above0, above1);
            below = fma(n, below0, below1);
            above0 = above1;
            below0 = below1;
        }
        const double n = -((a + m) * r) * ((a + b + m) * r) * x, d = here * ((a + 2 * m + 1) * r);
        const double above1 = d * above, below1 = d * below;
        above = scale * fma(n, above0, above1);
        below = scale * fma(n, below0, below1);
        above0 = scale * above1;
        below0 = scale * below1;
        if (fabs(above * below0 - above0 * below) <= TB_EPS * fabs(above0 * below)) break;
    }
    return tb_beta_front(a, b, x, y) * (above / below) / a;
}

/* I for x in (0, 1), y = 1 - x, and a, b > 0; or 1 - I. What is small is not made of 1 less what is nearly 1. */
TB_CALLED double tb_beta_tail(double a, double b, double x, double y, int upper)
{
    TB_LEAVE_TOGETHER;
    const double head = upper ? b : a, tail = upper ? a : b;
    if (tail <= 32 && tb_is_whole(tail)) {
        const double power = tb_power_beside(upper ? y : x, upper ? x : y, head);
        if (power > 1e-260 && head < 1e6) return tb_betainc_whole(head, tail, upper ? x : y, power);
    }
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

/* Of k rounded down and the number of trials n without its fraction: integers as SciPy makes them. */
TB_FN double tb_bdtr(double k, double n, double p)
{
    k = floor(k);
    n = trunc(n);
    if (!(p >= 0 && p <= 1) || !(n >= k) || n == TB_INFINITE) return TB_NONE;
    if (k < 0) return TB_NONE;
    if (k == n) return 1;
    return k == 0 ? tb_pow(1 - p, n) : tb_betainc_xy(n - k, k + 1, 1 - p, p, 0);
}

TB_FN double tb_bdtrc(double k, double n, double p)
{
    k = floor(k);
    n = trunc(n);
    if (!(p >= 0 && p <= 1) || !(n >= k) || n == TB_INFINITE) return TB_NONE;
    if (k < 0) return 1;
    if (k == n) return 0;
    if (k == 0) return p < 0.01 ? -expm1(n * log1p(-p)) : 1 - tb_pow(1 - p, n);
    return tb_betainc_xy(k + 1, n - k, p, 1 - p, 0);
}

TB_FN double tb_bdtri(double k, double n, double y)
{
    k = floor(k);
    n = trunc(n);
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

/* Of k and n without their fractions. */
TB_FN double tb_nbdtr(double k, double n, double p)
{
    k = trunc(k);
    n = trunc(n);
    if (!(p >= 0 && p <= 1) || !(k >= 0 && n > 0)) return TB_NONE;
    return tb_betainc_xy(n, k + 1, p, 1 - p, 0);
}

TB_FN double tb_nbdtrc(double k, double n, double p)
{
    k = trunc(k);
    n = trunc(n);
    if (!(p >= 0 && p <= 1) || !(k >= 0 && n > 0)) return TB_NONE;
    return tb_betainc_xy(k + 1, n, 1 - p, p, 0);
}

TB_FN double tb_nbdtri(double k, double n, double y)
{
    k = trunc(k);
    n = trunc(n);
    if (!(k >= 0 && n >= 0)) return TB_NONE;
    return y == 0 || y == 1 ? y : tb_betaincinv(n, k + 1, y);
}
#endif
