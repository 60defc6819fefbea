/* special_noncentral.h - noncentral distributions, of chi-squared and of Student. Their tails are sums of those of
 * central ones, weighted by a Poisson distribution's probabilities.
 *
 * Between neighbours a weight and the density of a tail differ by factors, and tails by the density (DLMF 8.8.5 and
 * 8.17.20): upper tails are summed upwards and lower ones downwards, so that nothing is taken off (Benton and
 * Krishnamoorthy, "Computing discrete mixtures of continuous distributions", 2003), from where terms do not count. */
#ifndef TB_KERNELS_SPECIAL_NONCENTRAL_H
#define TB_KERNELS_SPECIAL_NONCENTRAL_H

#define TB_MIX_NOTHING 1e-19
#define TB_MIX_TINY 1e-140 /* of which two can be multiplied */

/* The greatest number that has a weight among doubles. */
TB_FN double tb_mix_last(double mean) { return mean + 40 * sqrt(mean) + 500; }

/* Where the product of weights and tails is about as large as it gets: above or below the weights' middle. */
TB_FN double tb_mix_middle(double a, double b, double mean, double y, int upper)
{
    const double p = a + 2 - (b > 0 ? mean * y : 0), q = a + 1 - mean * y * (b > 0 ? a + b : 1), d = p * p - 4 * q;
    const double u = d > 0 && d < TB_INFINITE ? fmax((sqrt(d) - p) / 2, 0) : 0;
    return upper ? fmin(fmax(u, mean), tb_mix_last(mean)) : fmin(u, mean);
}

/* From which number of the weights on terms count: these are first, first + 1, ... */
TB_FN double tb_mix_begin(double first, double a, double b, double mean, double y, int upper)
{
    double u = first + floor(tb_mix_middle(a, b, mean, y, upper)), left = 1;
    if (upper) {
        const double less = 1 / mean, over = 1 / y;
        while (u > first && left > TB_MIX_NOTHING) {
            left *= u * less * fmin((a + u) * (b > 0 ? over / (a + u - 1 + b) : over), 1);
            u -= 1;
        }
        return u;
    }
    for (;;) {
        const double s = a + u, over = 1 / ((u + 1) * (s + 1));
        left *= mean * over * (b > 0 && b < 1 ? y * (s + 1) : fmin(b > 0 ? y * (s + b) : y, s + 1));
        if (!(left > TB_MIX_NOTHING)) return u;
        u += 1;
    }
}

/* The logarithm of a tail that is too small for a double, and its density over it. */
TB_FN double tb_mix_log_apart(double s, double b, double y, double rest, int upper, double *density)
{
    double ratio; /* of the tail by the density */
    if (b > 0) ratio = s * (upper ? tb_betainc_ratio(b, s, rest, y, TB_EPS) : tb_betainc_ratio(s, b, y, rest, TB_EPS));
    else ratio = upper ? s * tb_gammaincc_ratio(s, y, TB_EPS) : tb_gammainc_ratio(s, y, TB_EPS);
    *density = 1 / ratio;
    const double front = b > 0 ? b * log(rest) - tb_betaln_positive(s, b) - log(s) : -y - tb_lgamma1p(s);
    return s * log(y) + front + log(ratio);
}

TB_CALLED double tb_mix_log(double s, double b, double y, double rest, int upper, double *density)
{
    TB_TOGETHER(const double result = tb_mix_log_apart(s, b, y, rest, upper, density));
    return result;
}

/* The sum over u = first, first + 1, ... of mean^u exp(-mean) / gamma(u + 1) by the tail of the shape a + u; y > 0, and
 * rest = 1 - y > 0 for the beta distribution, are exact. */
TB_FN double tb_mix_apart(double first, double a, double b, double mean, double y, double rest, int upper)
{
    const int is_one = mean == 0 || (mean < TB_MIX_NOTHING && !upper); /* term that counts */
    if (is_one && first > 0) return 0;
    double u = !is_one ? tb_mix_begin(first, a, b, mean, y, upper) : 0, s = a + u, tail_log = 0, density = 0;
    const double weight = tb_gamma_front(u, mean);
    const double tail = b > 0 ? tb_betainc_xy(s, b, y, rest, upper) : tb_gamma_tail(s, y, upper);
    if (is_one) return tail;
    const int is_tiny = !(tail > TB_MIX_TINY), is_product = weight > TB_MIX_TINY && !is_tiny;
    if (is_tiny) tail_log = tb_mix_log(s, b, y, rest, upper, &density);
    else density = (b > 0 ? tb_beta_front_over(s, b, y, rest, 0) / s : tb_gamma_front(s, y)) / tail;
    const double weight_log = is_product ? 0 : u * log(mean) - mean - tb_lgamma1p(u);
    const double less = 1 / mean, over_y = 1 / y, last = tb_mix_last(mean);
    double term = 1, sum = 1, scale = 0;
    for (;;) {
        if (upper ? u > last : u <= first) break;
        if ((upper ? u > mean : u < mean) && !(term > TB_MIX_NOTHING * sum)) break;
        if (upper) {
            const double over = 1 / ((u + 1) * (s + 1)), step = mean * (s + 1) * over;
            term = step * (term + density);
            density *= step * (b > 0 ? y * (s + b) : y) * (u + 1) * over;
            s += 1;
            u += 1;
        } else {
            const double step = u * less;
            s -= 1;
            u -= 1;
            density *= step * (s + 1) * (b > 0 ? over_y / (s + b) : over_y);
            term = fma(step, term, density);
        }
        sum += term;
        if (sum > 1e100) {
            scale += log(sum);
            term /= sum;
            density /= sum;
            sum = 1;
        }
    }
    if (is_product && scale == 0) return weight * tail * sum;
    return exp((is_product ? log(weight) : weight_log) + (is_tiny ? tail_log : log(tail)) + log(sum) + scale);
}

TB_CALLED double tb_mix(double first, double a, double b, double mean, double y, double rest, int upper)
{
    TB_TOGETHER(const double result = tb_mix_apart(first, a, b, mean, y, rest, upper));
    return result;
}

#define TB_MIX_FREE 1e100 /* degrees of freedom of which the variable is as good as central, or normal */

/* ---- squares of normal variables --------------------------------------------------------------------------------- */

#define TB_MIX_MOST 1e11 /* beyond which noncentralities are, for which sums would take seconds */

TB_FN double tb_ncx2_part_apart(double x, double df, double nc, int upper)
{
    if (!(df > 0 && nc >= 0 && nc <= TB_MIX_MOST && x == x)) return TB_NONE;
    if (x <= 0) return upper;
    if (x == TB_INFINITE || df == TB_INFINITE) return (x == TB_INFINITE) != upper;
    if (x > 2e4 && x > 10 * (df + nc)) return !upper; /* the tail is less than exp(-x / 5), by Chernoff's bound */
    if (df > TB_MIX_FREE) return tb_gamma_tail(df / 2, x / 2, upper);
    const double part = tb_mix(0, df / 2, 0, nc / 2, x / 2, 0, upper);
    return part > 1 ? 1 : part;
}

TB_CALLED double tb_ncx2_part(double x, double df, double nc, int upper)
{
    TB_TOGETHER(const double result = tb_ncx2_part_apart(x, df, nc, upper));
    return result;
}

TB_FN double tb_ncx2_cdf(double x, double df, double nc) { return tb_ncx2_part(x, df, nc, 0); }
TB_FN double tb_ncx2_sf(double x, double df, double nc) { return tb_ncx2_part(x, df, nc, 1); }

/* The logarithm of the density, by the terms on either side of the greatest. */
TB_FN double tb_ncx2_log_apart(double x, double df, double nc)
{
    if (!(df > 0 && nc >= 0 && nc <= TB_MIX_MOST && x == x)) return TB_NONE;
    if (x == 0) return df > 2 ? -TB_INFINITE : df == 2 ? -nc / 2 - log(2.0) : TB_INFINITE;
    if (!(x > 0 && x < TB_INFINITE)) return -TB_INFINITE;
    const double a = df / 2, mean = nc / 2, y = x / 2, product = mean * y, z = sqrt(nc) * sqrt(x);
    if (z > 1e10) { /* by Hankel's expansion of the Bessel function that the sum is, DLMF 10.40.1 */
        const double v = a - 1, far = sqrt(x) - sqrt(nc);
        return v / 2 * log(x / nc) - far * far / 2 - (v * v - 0.25) / (2 * z) - log(8 * TB_PI * z) / 2;
    }
    const double d = (sqrt((a - 1) * (a - 1) + 4 * product) - (a + 1)) / 2, middle = d > 0 ? floor(d) : 0;
    double sum = 1, term = 1;
    for (double j = middle; term > TB_MIX_NOTHING * sum; j += 1) sum += term *= product / ((j + 1) * (a + j));
    term = 1;
    for (double j = middle; j > 0 && term > TB_MIX_NOTHING * sum; j -= 1) sum += term *= j * (a + j - 1) / product;
    const double weight = mean > 0 ? tb_gamma_front(middle, mean) : 1, s = a + middle, front = tb_gamma_front(s, y);
    if (weight > 1e-140 && front > 1e-140) return log(weight * front * s * sum) - log(x);
    const double logs = mean > 0 ? middle * log(mean) - mean - tb_lgamma1p(middle) : 0;
    return logs + (s - 1) * (log(x) - log(2.0)) - y - tb_lgamma1p(s) + log(s / 2 * sum);
}

TB_CALLED double tb_ncx2_log(double x, double df, double nc)
{
    TB_TOGETHER(const double result = tb_ncx2_log_apart(x, df, nc));
    return result;
}

/* ---- a normal variable over the root of a square's --------------------------------------------------------------- */

/* The probability of what is above x >= 0. */
TB_FN double tb_nct_above(double x, double df, double nc)
{
    const double square = x * x, y = square < TB_INFINITE ? square / (square + df) : 1;
    const double rest = square < TB_INFINITE ? df / (square + df) : 0, mean = nc * nc / 2;
    if (x == 0) return tb_ndtr(nc);
    if (rest == 0) return 0;
    if (y == 0) return tb_ndtr(nc);
    const double even = tb_mix(0, 0.5, df / 2, mean, y, rest, 1), odd = tb_mix(0.5, 0.5, df / 2, mean, y, rest, 1);
    const double part = (even + copysign(odd, nc)) / 2;
    return part > 1 ? 1 : part < 0 ? 0 : part;
}

TB_FN double tb_nct_sf_apart(double df, double nc, double x)
{
    if (!(df > 0 && nc * nc <= 2 * TB_MIX_MOST && x == x)) return TB_NONE;
    if (df > TB_MIX_FREE) return tb_ndtr(nc - x);
    return x < 0 ? 1 - tb_nct_above(-x, df, -nc) : tb_nct_above(x, df, nc);
}

TB_CALLED double tb_nct_sf(double df, double nc, double x)
{
    TB_TOGETHER(const double result = tb_nct_sf_apart(df, nc, x));
    return result;
}

TB_FN double tb_nct_cdf(double df, double nc, double x) { return tb_nct_sf(df, -nc, -x); }

/* The density is up to a factor the sum of gamma((df + k + 1) / 2) (sqrt(2) z)^k / k!, z = x nc / sqrt(x^2 + df), by
 * its even and odd terms on either side of the greatest, the logarithm of which is *scale; z >= 0. */
TB_FN double tb_nct_series(double df, double z, double *scale)
{
    const double square = 2 * z * z, p = square / 2 - 3, d = p * p + 2 * square * (df + 1) - 8;
    const double top = d > 0 ? floor(fmax((p + sqrt(d)) / 2, 0)) : 0;
    *scale = tb_lgamma((df + top + 1) / 2) + (top > 0 ? top * log(square) / 2 : 0) - tb_lgamma1p(top);
    double sum = 1, term = 1;
    for (double k = top; term > TB_MIX_NOTHING * sum; k += 2)
        sum += term *= (df + k + 1) * square / (2 * (k + 1) * (k + 2));
    term = 1;
    for (double k = top; k > 1 && term > TB_MIX_NOTHING * sum; k -= 2)
        sum += term *= 2 * k * (k - 1) / ((df + k - 1) * square);
    const double next = exp(tb_lgamma((df + top + 2) / 2) - tb_lgamma((df + top + 1) / 2)) * sqrt(square) / (top + 1);
    sum += next;
    term = next;
    for (double k = top + 1; term > TB_MIX_NOTHING * sum; k += 2)
        sum += term *= (df + k + 1) * square / (2 * (k + 1) * (k + 2));
    term = next;
    for (double k = top + 1; k > 1 && term > TB_MIX_NOTHING * sum; k -= 2)
        sum += term *= 2 * k * (k - 1) / ((df + k - 1) * square);
    return sum;
}

/* The same for z < 0, where terms change signs, by the integral of exp(2 y s - s^2) s^df over s > 0, y = z / sqrt(2),
 * twice of which it is: by steps of log(s) that get wider away from where it is greatest, at `top`. */
TB_FN double tb_nct_integral(double df, double z, double *scale)
{
    const double y = z / sqrt(2.0), power = df + 1, top = power / (sqrt(y * y + 2 * power) - y);
    const double width = 1 / sqrt(2 * top * (2 * top - y));
    double sum = 0;
    for (int k = -88; k <= 64; k++) {
        const double u = k * 0.05, v = width * (exp(u) - exp(-u)) / 2, s = top * exp(v);
        const double e = power * v - (s - top) * (s + top - 2 * y);
        sum += exp(e) * (exp(u) + exp(-u)) / 2;
    }
    *scale = log(2.0) + power * log(top) - top * (top - 2 * y);
    return sum * width * 0.05;
}

/* The logarithm of the density. */
TB_FN double tb_nct_log_apart(double x, double df, double nc)
{
    if (!(df > 0 && nc * nc <= 2 * TB_MIX_MOST && x == x)) return TB_NONE;
    if (fabs(x) == TB_INFINITE) return -TB_INFINITE;
    if (df > TB_MIX_FREE) return -((x - nc) * (x - nc) + log(2 * TB_PI)) / 2;
    const double size = fabs(x) < 1e150 ? sqrt(fma(x, x, df)) : fabs(x), z = nc * (x / size);
    double scale;
    const double sum = z >= 0 ? tb_nct_series(df, z, &scale) : tb_nct_integral(df, z, &scale);
    const double front = df / 2 * log(df) - (nc * nc + log(TB_PI)) / 2 - tb_lgamma(df / 2);
    return front - (df + 1) * log(size) + scale + log(sum);
}

TB_CALLED double tb_nct_log(double x, double df, double nc)
{
    TB_TOGETHER(const double result = tb_nct_log_apart(x, df, nc));
    return result;
}

/* ---- where a tail is what is wanted ------------------------------------------------------------------------------ */

/* A tail of the one or the other, of x, over which it falls: of chi-squared at exp(x). */
TB_FN double tb_noncentral_tail(int student, double x, double df, double nc, int upper)
{
    if (student) return upper ? tb_nct_sf(df, nc, x) : tb_nct_cdf(df, nc, x);
    return tb_ncx2_part(exp(x), df, nc, upper);
}

/* The x at which a tail's logarithm is `wanted`, from about there and about that far: the root is put between two, and
 * found by parabolas through the last three, inverted, or halves (T. R. Chandrupatla, "A new hybrid quadratic/bisection
 * algorithm for finding the zero of a nonlinear function without using derivatives", 1997). */
TB_FN double tb_noncentral_root_apart(int student, double wanted, double df, double nc, int upper, double x, double far)
{
    double f = log(tb_noncentral_tail(student, x, df, nc, upper)) - wanted, b = x, fb = f;
    const double way = (f > 0) == upper ? 1 : -1;
    for (int k = 0; k < 1100 && (fb > 0) == (f > 0); k++) {
        x = b;
        f = fb;
        if (f == 0) return x;
        b += way * far;
        far *= 2;
        fb = log(tb_noncentral_tail(student, b, df, nc, upper)) - wanted;
        if (fb != fb) return TB_NONE;
    }
    double a = b, fa = fb, c = x, fc = f, t = fabs(fa - fc) < 30 ? fa / (fa - fc) : 0.5;
    b = x;
    fb = f;
    for (int k = 0; k < 120; k++) {
        const double at = a + t * (b - a), ft = log(tb_noncentral_tail(student, at, df, nc, upper)) - wanted;
        const int same = (ft > 0) == (fa > 0);
        c = same ? a : b;
        fc = same ? fa : fb;
        if (!same) {
            b = a;
            fb = fa;
        }
        a = at;
        fa = ft;
        const double best = fabs(fb) < fabs(fa) ? b : a, room = 4 * TB_EPS * (student ? fabs(best) : 1) / fabs(b - a);
        if (fa == 0 || !(room < 0.5) || a == b) return fa == 0 ? a : best;
        const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        t = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi
                ? fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb))
                : 0.5;
        t = fmin(fmax(t, room), 1 - room);
    }
    return a;
}

TB_CALLED double tb_noncentral_root(int student, double wanted, double df, double nc, int upper, double x, double far)
{
    TB_TOGETHER(const double result = tb_noncentral_root_apart(student, wanted, df, nc, upper, x, far));
    return result;
}

/* From that of chi-squared with the same mean and variance, P. B. Patnaik's. p + q = 1, and the lesser one is exact. */
TB_FN double tb_ncx2_quantile_apart(double p, double q, double df, double nc)
{
    if (!(df > 0 && df < TB_INFINITE && nc >= 0 && nc <= TB_MIX_MOST && p >= 0 && q >= 0)) return TB_NONE;
    if (p == 0 || q == 0) return p == 0 ? 0 : TB_INFINITE;
    const double spread = (df + 2 * nc) / (df + nc);
    const double about = 2 * spread * tb_gamma_quantile((df + nc) / spread / 2, p, q);
    if (nc == 0) return about;
    const int upper = q < p;
    return exp(tb_noncentral_root(0, log(upper ? q : p), df, nc, upper, log(fmax(about, 1e-300)), 0.02));
}

TB_CALLED double tb_ncx2_quantile(double p, double q, double df, double nc)
{
    TB_TOGETHER(const double result = tb_ncx2_quantile_apart(p, q, df, nc));
    return result;
}

TB_FN double tb_ncx2_ppf(double p, double df, double nc) { return tb_ncx2_quantile(p, 1 - p, df, nc); }
TB_FN double tb_ncx2_isf(double q, double df, double nc) { return tb_ncx2_quantile(1 - q, q, df, nc); }

TB_FN double tb_nct_ppf_apart(double p, double df, double nc)
{
    if (!(df > 0 && nc * nc <= 2 * TB_MIX_MOST && p >= 0 && p <= 1)) return TB_NONE;
    if (p == 0 || p == 1) return p == 0 ? -TB_INFINITE : TB_INFINITE;
    if (df > TB_MIX_FREE) return tb_ndtri(p) + nc;
    const double about = tb_stdtrit(df, p) * sqrt(1 + nc * nc / (2 * df)) + nc;
    if (nc == 0) return about;
    const int upper = p > 0.5;
    return tb_noncentral_root(1, log(upper ? 1 - p : p), df, nc, upper, about, 0.05 + 0.05 * fabs(about));
}

TB_CALLED double tb_nct_ppf(double p, double df, double nc)
{
    TB_TOGETHER(const double result = tb_nct_ppf_apart(p, df, nc));
    return result;
}
#endif
