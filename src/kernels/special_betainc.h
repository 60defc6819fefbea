/* special_betainc.h - the regularised incomplete beta function, its inverse, and distributions made of it. */
#ifndef TB_KERNELS_SPECIAL_BETAINC_H
#define TB_KERNELS_SPECIAL_BETAINC_H

/* x^a, where x = 1 - y and the smaller of both is exact: what the larger is off by counts a times. */
TB_FN double tb_power_beside(double x, double y, double a)
{
    const double power = a == 0.5 ? sqrt(x) : tb_pow(x, a);
    return x > 0.5 ? power * fma(a * (3 - 2 * x), (1 - x) - y, 1) : power; /* 3 - 2 x for 1 / x */
}

/* beta(a, b), or 0 where it is better had by its logarithm. */
TB_FN double tb_beta_or_none(double a, double b) { return a >= 10 && b >= 10 && a + b > 140 ? 0 : tb_beta(a, b); }

/* x^a y^b / beta(a, b), y = 1 - x: around the peak for large a and b (Didonato and Morris, ACM TOMS 18, 1992). `of`:
 * what tb_beta_or_none gives, or 0. */
TB_FN double tb_beta_front_over_apart(double a, double b, double x, double y, double of)
{
    if (a >= 10 && b >= 10) {
        const double sum = a + b, off = x <= 0.5 ? fma(-sum, x, a) : fma(sum, y, -b); /* a - (a + b) x */
        const double e = -off / a, f = off / b;
        if (sum > 140 || (fabs(e) < 0.4 && fabs(f) < 0.4)) {
            const double u = fabs(e) < 0.4 ? tb_log1p_minus(e) : log(x * sum / a) - e;
            const double v = fabs(f) < 0.4 ? tb_log1p_minus(f) : log(y * sum / b) - f;
            return exp(a * u + b * v - (tb_stirling(a) + tb_stirling(b) - tb_stirling(sum))) *
                   sqrt(b * (a / sum) / (2 * TB_PI));
        }
    }
    const double p = tb_power_beside(x, y, a), q = tb_power_beside(y, x, b);
    if (p > 1e-260 && q > 1e-260 && a < 1e6 && b < 1e6) return p * q / (of > 0 ? of : tb_beta(a, b));
    const double log_x = x > 0.5 ? log1p(-y) : log(x), log_y = y > 0.5 ? log1p(-x) : log(y);
    return exp(a * log_x + b * log_y - tb_betaln_positive(a, b));
}

TB_CALLED double tb_beta_front_over(double a, double b, double x, double y, double of)
{
    TB_TOGETHER(const double result = tb_beta_front_over_apart(a, b, x, y, of));
    return result;
}

/* I for b x <= 1: DLMF 8.17.7 in powers of x. */
TB_FN double tb_betainc_series_apart(double a, double b, double x, double y)
{
    double sum = 1 / a, term = 1;
    for (int k = 1; k < 5000; k++) {
        term *= (k - b) / k * x;
        const double t = term / (a + k);
        sum += t;
        if (fabs(t) <= TB_EPS / 4 * sum) break;
    }
    const double power = tb_power_beside(x, y, a);
    if (power > 1e-300 && a < 1e6 && b < 1e6) {
        const double of = tb_beta_or_none(a, b);
        if (of > 0) return power / of * sum;
    }
    return exp(a * (x > 0.5 ? log1p(-y) : log(x)) - tb_betaln_positive(a, b) + log(sum));
}

TB_CALLED double tb_betainc_series(double a, double b, double x, double y)
{
    TB_TOGETHER(const double result = tb_betainc_series_apart(a, b, x, y));
    return result;
}

/* 1 - I for a < 0.01, b x <= 1 and a small x, where I is nearly 1: of its logarithm, in which quotients of gamma are
 * means of digamma by Gauss's rule. */
TB_CALLED double tb_betainc_series_rest(double a, double b, double x)
{
    const double at[3] = {0.11270166537925831148, 0.5, 0.88729833462074168852},
                 weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double mean = 0, sum = 0, term = 1;
    for (int k = 0; k < 3; k++)
        mean += weight[k] * (tb_digamma_positive(1 + b + a * at[k]) - tb_digamma_positive(1 + a * at[k]));
    for (int k = 1; k < 5000 && fabs(term) > TB_EPS / 4 * fabs(sum); k++) {
        term *= (k - b) / k * x;
        sum += term / (a + k);
    }
    const double l = a * (log(x) + mean) - log1p(a / b);
    return -fma(exp(l), a * sum, expm1(l));
}

/* I for a small whole b, x^a times the sum over j < b of a (a + 1) ... (a + j - 1) y^j / j! (DLMF 8.17.24), all of
 * whose terms are positive: one fraction, from the last one on. 0: it is not so, or there are too few digits. *front:
 * x^a y^b / beta(a, b), by the last term. */
TB_FN double tb_betainc_of_whole(double a, double b, double x, double y, double *front)
{
    if (!(b <= 32 && tb_is_whole(b) && a < 1e6)) return 0;
    const double power = tb_power_beside(x, y, a);
    double above = 1, below = 1, last = y * (a + b - 1);
    for (double j = b - 1; j > 0; j -= 1) {
        const double factor = y * (a + j - 1);
        below *= j;
        last *= factor;
        above = fma(factor, above, below);
    }
    if (!(power > 1e-260)) return 0;
    *front = power * (last / below);
    return power * (above / below);
}

/* A tail by either of both, whichever's parameter is whole, or 0. */
TB_FN double tb_beta_tail_of_whole(double a, double b, double x, double y, int upper, double *front)
{
    const double direct = upper ? tb_betainc_of_whole(b, a, y, x, front) : tb_betainc_of_whole(a, b, x, y, front);
    if (direct > 0) return direct;
    const double other = upper ? tb_betainc_of_whole(a, b, x, y, front) : tb_betainc_of_whole(b, a, y, x, front);
    return other > 0 && other <= 0.9 ? 1 - other : 0;
}

/* I over x^a y^b / beta(a, b), by the even part of the continued fraction DLMF 8.17.22 (Didonato and Morris, ACM TOMS
 * 18, 1992), which converges fast for x < (a + 1) / (a + b + 2), by the recurrence of its numerators and denominators
 * (DLMF 1.12.5). */
TB_FN double tb_betainc_ratio_apart(double a, double b, double x, double y, double tolerance)
{
    const double sum = a + b, off = x <= 0.5 ? fma(-sum, x, a) : fma(sum, y, -b); /* a - (a + b) x */
    double r = 1 / (a + 1), above0 = 0, above = 1, below0 = 1, below = a * r * (off + 1);
    for (int k = 1; k < 10000; k++) {
        const double n = k, before = x * r, m = n * ((b - n) * before);
        r = 1 / (a + 2 * n + 1);
        const double c = ((sum + n - 1) * before) * ((a + n - 1) * m);
        const double d = n + m + ((a + n) * r) * (off + 1 + n * (1 + y));
        const double scale = fabs(below) > 1e100 ? 1 / fabs(below) : 1;
        const double above1 = scale * above, below1 = scale * below;
        above = fma(d, above1, c * (scale * above0));
        below = fma(d, below1, c * (scale * below0));
        above0 = above1;
        below0 = below1;
        if (fabs(above * below0 - above0 * below) <= tolerance * fabs(above0 * below)) break;
    }
    return above / below;
}

TB_CALLED double tb_betainc_ratio(double a, double b, double x, double y, double tolerance)
{
    TB_TOGETHER(const double result = tb_betainc_ratio_apart(a, b, x, y, tolerance));
    return result;
}

TB_FN double tb_betainc_fraction(double a, double b, double x, double y)
{
    return tb_beta_front_over(a, b, x, y, 0) * tb_betainc_ratio(a, b, x, y, TB_EPS);
}

/* Whether x is right of where the fraction of I is fast: by the smaller one of x and y, which may be 1 as a double. */
TB_FN int tb_beta_is_right(double a, double b, double x, double y)
{
    const double sum = a + b + 2;
    return x <= 0.5 ? x > (a + 1) / sum : y < (b + 1) / sum;
}

/* I for x in (0, 1), y = 1 - x, and a, b > 0; or 1 - I. What is small is not made of 1 less what is nearly 1. */
TB_FN double tb_beta_tail_apart(double a, double b, double x, double y, int upper)
{
    double front;
    const double whole = tb_beta_tail_of_whole(a, b, x, y, upper, &front);
    if (whole > 0) return whole;
    const int lower_is_series = b * x <= 1 && (x <= 0.95 || (b < 0.01 && x <= 0.99));
    const int upper_is_series = a * y <= 1 && (y <= 0.95 || (a < 0.01 && y <= 0.99));
    const int lower_is_short = lower_is_series && (x <= 0.6 || b < 0.01); /* not slower than the fraction */
    const int upper_is_short = upper_is_series && (y <= 0.6 || a < 0.01), is_series = lower_is_short || upper_is_short;
    const int of_upper = is_series ? upper_is_short && (x > 0.5 || !lower_is_short) : tb_beta_is_right(a, b, x, y);
    const double p = is_series  ? of_upper ? tb_betainc_series(b, a, y, x) : tb_betainc_series(a, b, x, y)
                     : of_upper ? tb_betainc_fraction(b, a, y, x)
                                : tb_betainc_fraction(a, b, x, y);
    if (of_upper == upper) return p;
    if (!(p > 0.9)) return 1 - p;
    if (upper && upper_is_series) return tb_betainc_series(b, a, y, x);
    if (!upper && lower_is_series) return tb_betainc_series(a, b, x, y);
    if (fmin(x, y) > 1e-4) return upper ? tb_betainc_fraction(b, a, y, x) : tb_betainc_fraction(a, b, x, y);
    if (of_upper && b < 0.01 && y <= 1e-4) return tb_betainc_series_rest(b, a, y);
    if (!of_upper && a < 0.01 && x <= 1e-4) return tb_betainc_series_rest(a, b, x);
    return 1 - p;
}

TB_CALLED double tb_beta_tail(double a, double b, double x, double y, int upper)
{
    TB_TOGETHER(const double result = tb_beta_tail_apart(a, b, x, y, upper));
    return result;
}

/* Of large parameters by Temme's uniform expansion (DLMF 8.18.9), whose next term is 1e-13 of this one: eta is how far
 * x is from a / (a + b), of which the distance is taken before it is rounded. */
TB_FN double tb_betainc_of_large(double a, double b, double x, double y, int upper)
{
    const double sum = a + b, x0 = a / sum, y0 = b / sum, s = sqrt(x0) * sqrt(y0);
    const double product = a * y, error = fma(a, y, -product), apart = fma(b, x, -product) - error;
    const double half_square = -x0 * tb_log1p_minus(apart / a) - y0 * tb_log1p_minus(-apart / b);
    const double eta = copysign(sqrt(2 * fmax(half_square, 0)), apart), t = apart / sum / s;
    const double skew = (y0 - x0) / s, square = 1 / (s * s) - 3;
    const int is_near = fabs(apart) < 1e-5 * fmin(a, b);
    const double first = is_near ? skew / 3 + (skew * skew / 6 - square / 4) * t : 1 / eta - 1 / t;
    const double rest = first * exp(-sum * half_square) / sqrt(2 * TB_PI * sum);
    const double sign = upper ? 1 : -1;
    return 0.5 * erfc(sign * eta * sqrt(sum / 2)) - sign * rest;
}

/* Inverses of tiny parameters may be infinite. If both are tiny their quotient is all that counts, and if one is, its
 * tail is in proportion to it. */
TB_FN double tb_betainc_xy_apart(double a, double b, double x, double y, int upper)
{
    if (!(a >= 0 && b >= 0 && x >= 0 && y >= 0)) return TB_NONE;
    if ((a == 0 && b == 0) || (a == TB_INFINITE && b == TB_INFINITE)) return TB_NONE;
    if (x == 0) return upper;
    if (y == 0) return !upper;
    if (a == 0 || b == TB_INFINITE) return !upper;
    if (b == 0 || a == TB_INFINITE) return upper;
    if (fmin(a, b) > 1e300) a *= 1e-100, b *= 1e-100; /* a step, wherever their quotient has it */
    if (fmin(a, b) > 1e8) return tb_betainc_of_large(a, b, x, y, upper);
    double part = 1;
    if (fmin(a, b) < 1e-290) {
        const double more = 1.6069380442589903e60;
        const int both = fmax(a, b) < 1e-200, is_a = a < b;
        if (!both && is_a != upper) return 1;
        if (!both) part = 1 / more;
        if (both || is_a) a *= more;
        if (both || !is_a) b *= more;
    }
    return tb_beta_tail(a, b, x, y, upper) * part;
}

TB_CALLED double tb_betainc_xy(double a, double b, double x, double y, int upper)
{
    TB_TOGETHER(const double result = tb_betainc_xy_apart(a, b, x, y, upper));
    return result;
}

TB_FN double tb_betainc(double a, double b, double x) { return x != x ? x : tb_betainc_xy(a, b, x, 1 - x, 0); }
TB_FN double tb_betaincc(double a, double b, double x) { return x != x ? x : tb_betainc_xy(a, b, x, 1 - x, 1); }

/* The smaller or larger tail at x, and how steep its logarithm is over log(x / y). `of`: beta(a, b). */
TB_FN double tb_beta_slope_apart(double a, double b, double of, double x, double y, int upper, double tolerance,
                                 double *slope)
{
    double front;
    const double whole = tb_beta_tail_of_whole(a, b, x, y, upper, &front);
    if (whole > 0) {
        *slope = (upper ? -front : front) / whole;
        return whole;
    }
    front = tb_beta_front_over(a, b, x, y, of);
    if (fmin(a, b) > 1e8) {
        const double value = tb_betainc_of_large(a, b, x, y, upper);
        *slope = (upper ? -front : front) / value;
        return value;
    }
    int of_upper = tb_beta_is_right(a, b, x, y);
    for (int again = 0;; again = 1) {
        const double ratio =
            of_upper ? tb_betainc_ratio(b, a, y, x, tolerance) : tb_betainc_ratio(a, b, x, y, tolerance);
        const double value = front * ratio;
        if (of_upper == upper) {
            *slope = (upper ? -1 : 1) / ratio;
            return value;
        }
        if (again || !(value > 0.9) || fmin(x, y) < 1e-4) {
            *slope = (upper ? -front : front) / (1 - value);
            return 1 - value;
        }
        of_upper = upper;
    }
}

TB_CALLED double tb_beta_slope(double a, double b, double of, double x, double y, int upper, double tolerance,
                               double *slope)
{
    TB_TOGETHER(const double result = tb_beta_slope_apart(a, b, of, x, y, upper, tolerance, slope));
    return result;
}

/* (p a beta(a, b))^(1 / a), as which x begins. `of`: beta(a, b), or 0 where `rest` is its logarithm. */
TB_FN double tb_beta_end(double p, double a, double of, double rest)
{
    const double f = p * a * of;
    return exp((f > 1e-290 ? log(f) : log(p) + log(a) + (of > 0 ? log(of) : rest)) / a);
}

/* An x to begin with, and y = 1 - x. Near either end z = x / y has I beta(a, b) a = (z / (1 + c z))^a but for the
 * square of z; where both are far log(z) is about normal (Abramowitz and Stegun 26.5.22). */
TB_CALLED double tb_beta_start(double a, double b, double of, double p, double q, double *beside)
{
    const double rest = of > 0 ? 0 : tb_betaln_positive(a, b), w = tb_beta_end(p, a, of, rest),
                 m = tb_beta_end(q, b, of, rest), u = w * ((a + b) / (a + 1)), v = m * ((a + b) / (b + 1));
    double z = u < v ? w / (1 - fmin(u, 0.9)) : m / (1 - fmin(v, 0.9));
    int other = !(u < v);
    if (a > 0.6 && b > 0.6 && fmin(u, v) > (a + b > 40 ? 0.2 : 0.5)) {
        const double n = tb_about_normal(fmin(p, q)), l = (n * n - 3) / 6;
        const double r = 1 / (2 * a - 1), s = 1 / (2 * b - 1), h = 2 / (r + s);
        if (h + l > 0) {
            const double t = (p < q ? n : -n) * sqrt(h + l) / h - (s - r) * (l + 5.0 / 6 - 2 / (3 * h));
            z = a / b * exp(-2 * t);
            other = 0;
        }
    }
    const double y = 1 / (1 + z), x = z < 1e300 ? z * y : 1;
    *beside = other ? x : y;
    return other ? y : x;
}

/* x and y = 1 - x where I = p, 1 - I = q: from tb_beta_start by tb_tail_step over log(x / y), of which the density is
 * x^a y^b / beta(a, b), whose logarithm is concave, and so are those of its tails. */
TB_FN double tb_beta_quantile_apart(double a, double b, double p, double q, double *beside)
{
    if (fmin(a, b) < 1e-290) { /* as in tb_betainc_xy */
        const double more = 1.6069380442589903e60;
        if (fmax(a, b) >= 1e-200) {
            const int at_0 = a < b;
            if ((at_0 ? q : p) >= 1e-200) {
                *beside = at_0;
                return !at_0;
            }
            if (at_0) a *= more, q *= more;
            else b *= more, p *= more;
        } else {
            a *= more;
            b *= more;
        }
    }
    if (a == 1 || b == 1) { /* a tail is a power */
        const double l = (b == 1) == (p < q) ? log(fmin(p, q)) : log1p(-fmin(p, q)), e = l / (b == 1 ? a : b);
        *beside = b == 1 ? -expm1(e) : exp(e);
        return b == 1 ? exp(e) : -expm1(e);
    }
    const int upper = q < p;
    const double sum = a + b, of = tb_beta_or_none(a, b), wanted = upper ? q : p;
    double y, x = tb_beta_start(a, b, of, p, q, &y);
    double down = TB_INFINITE, up = TB_INFINITE;
    int last = 0;
    for (int k = 0; k < 100 && (!last || k < 2) && x > 0 && y > 0; k++) {
        double slope, step = upper ? -1 : 1;
        const double is = tb_beta_slope(a, b, of, x, y, upper, k == 0 ? 1e-9 : TB_EPS, &slope), h1 = -sum * x * y;
        if (is > 0) step = tb_tail_step(log(is / wanted), slope, a - sum * x, h1, h1 * (y - x), &last);
        step = tb_step_between(step, &down, &up);
        if (k == 0 && fabs(step) < 1e-6) down = up = TB_INFINITE; /* too few digits to tell on which side */
        const double e = tb_small_expm1(step), r = 1 / fma(x, e, 1), d = x * y * e * r;
        if (fabs(step) < 0.5) {
            x += d;
            y -= d;
        } else {
            x *= (1 + e) * r;
            y *= r;
        }
        if (x < y) y = 1 - x;
        else x = 1 - y;
    }
    *beside = y;
    return x;
}

TB_CALLED double tb_beta_quantile(double a, double b, double p, double q, double *beside)
{
    TB_TOGETHER(const double result = tb_beta_quantile_apart(a, b, p, q, beside));
    return result;
}

TB_CALLED double tb_betaincinv(double a, double b, double p)
{
    if (!(a > 0 && b > 0 && p >= 0 && p <= 1)) return TB_NONE;
    if (p == 0 || p == 1) return p;
    if (a == TB_INFINITE || b == TB_INFINITE) return a == b ? TB_NONE : a == TB_INFINITE;
    double y;
    return tb_beta_quantile(a, b, p, 1 - p, &y);
}

TB_FN double tb_betainccinv_apart(double a, double b, double q)
{
    if (!(a > 0 && b > 0 && q >= 0 && q <= 1)) return TB_NONE;
    if (q == 0 || q == 1) return 1 - q;
    if (a == TB_INFINITE || b == TB_INFINITE) return a == b ? TB_NONE : a == TB_INFINITE;
    double y;
    return tb_beta_quantile(a, b, 1 - q, q, &y);
}

TB_CALLED double tb_betainccinv(double a, double b, double q)
{
    TB_TOGETHER(const double result = tb_betainccinv_apart(a, b, q));
    return result;
}

/* log(x^a y^b / beta(a, b)). */
TB_FN double tb_beta_front_log(double a, double b, double x, double y)
{
    const double front = tb_beta_front_over(a, b, x, y, 0);
    if (front > 1e-290) return log(front);
    const double log_x = x > 0.5 ? log1p(-y) : log(x), log_y = y > 0.5 ? log1p(-x) : log(y);
    return a * log_x + b * log_y - tb_betaln_positive(a, b);
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
    if (y == 0 || y == 1) return 1 - y;
    double other;
    tb_beta_quantile(n - k, k + 1, y, 1 - y, &other);
    return other;
}

/* a x / (a x + b), and in `beside` b / (a x + b). */
TB_FN double tb_f_share(double a, double b, double x, double *beside)
{
    const double scale = a * x < 1e308 ? 1 : 2.2250738585072014e-308, part = scale * a * x, sum = scale * b + part;
    *beside = scale * b / sum;
    return part / sum;
}

TB_FN double tb_fdtr(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0)) return TB_NONE;
    if (x == TB_INFINITE) return 1;
    double beside;
    const double share = tb_f_share(a, b, x, &beside);
    return tb_betainc_xy(a / 2, b / 2, share, beside, 0);
}

TB_FN double tb_fdtrc(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0)) return TB_NONE;
    if (x == TB_INFINITE) return 0;
    double beside;
    const double share = tb_f_share(a, b, x, &beside);
    return tb_betainc_xy(b / 2, a / 2, beside, share, 0);
}

TB_FN double tb_fdtri(double a, double b, double p)
{
    if (!(a > 0 && b > 0 && p >= 0 && p <= 1)) return TB_NONE;
    if (p == 0) return 0;
    if (p == 1) return TB_INFINITE;
    double y;
    const double x = tb_beta_quantile(a / 2, b / 2, p, 1 - p, &y);
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
