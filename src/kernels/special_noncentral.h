/* special_noncentral.h - noncentral distributions, of chi-squared, of Student and of F. Their tails are sums of those
 * of central ones, weighted by a Poisson distribution's probabilities.
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

/* From which number of the weights on terms count: these are first, first + 1, ... Where they are many, by bounds of a
 * Poisson distribution's tails (Bernstein's), than which terms fall faster away from the middle. */
TB_FN double tb_mix_begin(double first, double a, double b, double mean, double y, int upper)
{
    const double root = tb_mix_middle(a, b, mean, y, upper);
    const double middle = !upper && b > 0 && b < 1 ? fmax(root, fmin(mean * y, mean)) : root;
    if (middle > 30 && upper) return first + floor(fmax(middle - sqrt(88 * (middle + 1)), 0));
    if (middle > 30) return first + floor(middle + 15 + sqrt(212 + 88 * (middle + 1)));
    double u = first + floor(middle), left = 1;
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
        left = fmin(left, 1); /* the middle's is the greatest */
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
 * rest = 1 - y > 0 for the beta distribution, are exact. *slope: how steep its logarithm is over log(y), or
 * log(y / rest). */
TB_FN double tb_mix_apart(double first, double a, double b, double mean, double y, double rest, int upper,
                          double *slope)
{
    *slope = 0;
    const int is_one = mean == 0 || (mean < TB_MIX_NOTHING && !upper); /* term that counts */
    if (is_one && first > 0) return 0;
    double u = !is_one ? tb_mix_begin(first, a, b, mean, y, upper) : 0, s = a + u, tail_log = 0, density = 0;
    const double weight = tb_gamma_front(u, mean);
    const double tail = b > 0 ? tb_betainc_xy(s, b, y, rest, upper) : tb_gamma_tail(s, y, upper);
    const int is_tiny = !(tail > TB_MIX_TINY), is_product = weight > TB_MIX_TINY && !is_tiny;
    if (is_tiny) tail_log = tb_mix_log(s, b, y, rest, upper, &density);
    else density = (b > 0 ? tb_beta_front_over(s, b, y, rest, 0) / s : tb_gamma_front(s, y)) / tail;
    const double sign = upper ? -1 : 1;
    *slope = sign * density * s;
    if (is_one) return tail;
    const double weight_log = is_product ? 0 : u * log(mean) - mean - tb_lgamma1p(u);
    const double less = 1 / mean, over_y = 1 / y, last = tb_mix_last(mean);
    double term = 1, sum = 1, steep = density * s, scale = 0;
    for (;;) {
        if (upper ? u > last : u <= first) break;
        if ((upper ? u > mean : u < mean) && !(term > TB_MIX_NOTHING * sum)) break;
        if (upper) {
            const double over = 1 / ((u + 1) * (s + 1)), step = mean * (s + 1) * over;
            term = step * (term + density);
            density *= step * (b > 0 ? y * (s + b) : y) * (u + 1) * over;
            u += 1;
            s = a + u;
        } else {
            const double step = u * less;
            u -= 1;
            s = a + u; /* s - 1 would have too few digits of a small a */
            density *= step * (s + 1) * (b > 0 ? over_y / (s + b) : over_y);
            term = fma(step, term, density);
        }
        sum += term;
        steep += density * s;
        if (sum > 1e100) {
            scale += log(sum);
            term /= sum;
            density /= sum;
            steep /= sum;
            sum = 1;
        }
    }
    *slope = sign * steep / sum;
    if (is_product && scale == 0) return weight * tail * sum;
    return exp((is_product ? log(weight) : weight_log) + (is_tiny ? tail_log : log(tail)) + log(sum) + scale);
}

TB_CALLED double tb_mix(double first, double a, double b, double mean, double y, double rest, int upper,
                        double *slope)
{
    TB_TOGETHER(const double result = tb_mix_apart(first, a, b, mean, y, rest, upper, slope));
    return result;
}

/* The same of lower tails for first = 0 and little numbers, upwards: as the sum of the differences of neighbours'
 * tails, each times the weights up to there. 0: there are too few digits. */
TB_FN double tb_mix_upwards(double a, double b, double mean, double y, double rest, double *slope)
{
    double difference = b > 0 ? tb_beta_front_over(a, b, y, rest, 0) / a : tb_gamma_front(a, y);
    double weight = exp(-mean), weights = weight, sum = difference * weight, steep = a * sum, ratio = 1;
    if (!(sum > TB_MIX_TINY)) return 0;
    for (double u = 1; !(ratio < 0.9 && difference < TB_EPS / 100 * sum); u += 1) {
        const double s = a + u, over = 1 / (s * u);
        ratio = (b > 0 ? y * (s - 1 + b) : y) * (u * over);
        difference *= ratio;
        weight *= mean * (s * over);
        weights += weight;
        sum += difference * weights;
        steep += difference * weight * s;
    }
    *slope = steep / sum;
    return sum;
}

/* The tail of all, by the other one if x is `before` or past the mean so that this is the lesser one, of fewer terms.
 */
TB_FN double tb_mix_tail_apart(double a, double b, double mean, double y, double rest, int upper, int before,
                               double *slope)
{
    const int few = mean < 30 && (b > 0 ? y < 0.5 && b * y < 20 : y < 20);
    for (int other = upper == before;; other = 0) {
        const int above = upper != other;
        double part = above || !few ? 0 : tb_mix_upwards(a, b, mean, y, rest, slope);
        if (!(part > 0)) part = tb_mix(0, a, b, mean, y, rest, above, slope);
        if (other && part > 0.9) continue;
        if (other) *slope *= part / (part - 1);
        return other ? 1 - part : part > 1 ? 1 : part;
    }
}

TB_CALLED double tb_mix_tail(double a, double b, double mean, double y, double rest, int upper, int before,
                             double *slope)
{
    TB_TOGETHER(const double result = tb_mix_tail_apart(a, b, mean, y, rest, upper, before, slope));
    return result;
}

#define TB_MIX_FREE 1e100 /* degrees of freedom of which the variable is as good as central, or normal */

/* ---- squares of normal variables --------------------------------------------------------------------------------- */

#define TB_MIX_MOST 1e11 /* beyond which noncentralities are, for which sums would take seconds */

/* *slope: of its logarithm over log(x). */
TB_FN double tb_ncx2_part_apart(double x, double df, double nc, int upper, double *slope)
{
    *slope = 0;
    if (!(df > 0 && nc >= 0 && nc <= TB_MIX_MOST && x == x)) return TB_NONE;
    if (x <= 0) return upper;
    if (x == TB_INFINITE || df == TB_INFINITE) return (x == TB_INFINITE) != upper;
    if (x > 2e4 && x > 10 * (df + nc)) return !upper; /* the tail is less than exp(-x / 5), by Chernoff's bound */
    if (df > TB_MIX_FREE) return tb_gamma_tail(df / 2, x / 2, upper);
    return tb_mix_tail(df / 2, 0, nc / 2, x / 2, 0, upper, x < df + nc, slope);
}

TB_CALLED double tb_ncx2_part(double x, double df, double nc, int upper, double *slope)
{
    TB_TOGETHER(const double result = tb_ncx2_part_apart(x, df, nc, upper, slope));
    return result;
}

TB_FN double tb_ncx2_cdf(double x, double df, double nc)
{
    double slope;
    return tb_ncx2_part(x, df, nc, 0, &slope);
}

TB_FN double tb_ncx2_sf(double x, double df, double nc)
{
    double slope;
    return tb_ncx2_part(x, df, nc, 1, &slope);
}

/* The logarithm of the density, by the terms on either side of the greatest. */
TB_FN double tb_ncx2_log_apart(double x, double df, double nc)
{
    if (!(df > 0 && nc >= 0 && nc <= TB_MIX_MOST && x == x)) return TB_NONE;
    if (x == 0) return df > 2 ? -TB_INFINITE : df == 2 ? -nc / 2 - log(2.0) : TB_INFINITE;
    if (!(x > 0 && x < TB_INFINITE)) return -TB_INFINITE;
    const double a = df / 2, mean = nc / 2, y = x / 2, product = mean * y, z = sqrt(nc) * sqrt(x), v = a - 1;
    if (z > 1e10 || (z > 40 && v * v < z)) { /* by Hankel's expansion of the Bessel function that the sum is, 10.40.1 */
        const double far = (x - nc) / (sqrt(x) + sqrt(nc));
        double sum = 1, term = 1;
        for (int k = 1; v * v < z && fabs(term) > TB_EPS / 4; k++)
            sum += term *= ((2 * k - 1) * (2 * k - 1) - 4 * v * v) / (8 * k * z);
        const double log_sum = v * v < z ? log(sum) : -(v * v - 0.25) / (2 * z);
        return v / 2 * log(x / nc) - far * far / 2 + log_sum - log(8 * TB_PI * z) / 2;
    }
    const double d = (sqrt(v * v + 4 * product) - (a + 1)) / 2, middle = d > 0 && d < TB_INFINITE ? floor(d) : 0;
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
    double slope;
    const double even = tb_mix(0, 0.5, df / 2, mean, y, rest, 1, &slope);
    const double odd = tb_mix(0.5, 0.5, df / 2, mean, y, rest, 1, &slope);
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

/* The density is up to a factor the sum of gamma(v + k / 2) / gamma(v) (sqrt(2) z)^k / k!, v = (df + 1) / 2 and
 * z = x nc / sqrt(x^2 + df). Of 2 z^2, and k from where terms are greatest, every other one. */
TB_CALLED double tb_nct_series(double df, double square, double k, double greatest)
{
    double sum = greatest, term = greatest;
    for (double j = k; term > TB_MIX_NOTHING * sum; j += 2)
        sum += term *= (df + j + 1) * square / (2 * (j + 1) * (j + 2));
    term = greatest;
    for (double j = k; j > 1 && term > TB_MIX_NOTHING * sum; j -= 2)
        sum += term *= 2 * j * (j - 1) / ((df + j - 1) * square);
    return sum;
}

/* The same for z < 0, where terms change signs, by the integral of exp(2 y s - s^2) s^df over s > 0, y = z / sqrt(2),
 * twice of which it is: by steps of log(s) that get wider away from where it is greatest, at `top`. */
TB_FN double tb_nct_integral(double df, double z, double *scale)
{
    const double y = z / sqrt(2.0), power = df + 1, top = power / (sqrt(y * y + 2 * power) - y);
    const double width = 1 / sqrt(2 * top * (2 * top - y)), wider = 1.0512710963760241; /* exp(0.05) */
    double sum = 1;
    for (int way = -1; way <= 1; way += 2) {
        double u = wider; /* exp of the step */
        for (int k = 0; k < 90; k++, u *= wider) {
            const double v = width * (u - 1 / u) / 2, s = top * exp(way * v);
            const double e = power * (way * v) - (s - top) * (s + top - 2 * y);
            if (!(e > -45)) break;
            sum += exp(e) * (u + 1 / u) / 2;
        }
    }
    *scale = log(2.0) + power * log(top) - top * (top - 2 * y) - tb_lgamma(power / 2);
    return sum * width * 0.05;
}

/* By the even and the odd terms, unless they cancel. The sum's logarithm is off by *scale, which is 0 where terms need
 * not be far from the first ones to be great. */
TB_FN double tb_nct_sum(double df, double z, double step, double *scale)
{
    const double square = 2 * z * z, p = square / 2 - 3, d = p * p + 2 * square * (df + 1) - 8;
    const double far = d > 0 ? fmax((p + sqrt(d)) / 2, 0) : 0, top = far > 200 ? 2 * floor(far / 2) : 0;
    const double v = (df + 1) / 2, next = top > 0 ? tb_poch(v + top / 2, 0.5) : step;
    const double even = tb_nct_series(df, square, top, 1);
    const double odd = tb_nct_series(df, square, top + 1, next * sqrt(square) / (top + 1));
    if (z < 0 && !(even - odd > 0.1 * even)) return tb_nct_integral(df, z, scale);
    *scale = top > 0 ? top * log(square) / 2 - tb_lgamma1p(top) + tb_lgamma(v + top / 2) - tb_lgamma(v) : 0;
    return z < 0 ? even - odd : even + odd;
}

/* The logarithm of the density. */
TB_FN double tb_nct_log_apart(double x, double df, double nc)
{
    if (!(df > 0 && nc * nc <= 2 * TB_MIX_MOST && x == x)) return TB_NONE;
    if (fabs(x) == TB_INFINITE) return -TB_INFINITE;
    if (df > TB_MIX_FREE) return -((x - nc) * (x - nc) + log(2 * TB_PI)) / 2;
    const double size = fabs(x) < 1e150 ? sqrt(fma(x, x, df)) : fabs(x), z = nc * (x / size);
    const double step = tb_poch((df + 1) / 2, 0.5); /* gamma(df / 2 + 1) / gamma((df + 1) / 2) */
    double scale;
    const double sum = tb_nct_sum(df, z, step, &scale);
    const double power = fabs(x) < 1e150 ? log1p(x / df * x) : 2 * log(fabs(x)) - log(df);
    return log(sum / step * sqrt(df / (4 * TB_PI))) - (nc * nc + (df + 1) * power) / 2 + scale;
}

TB_CALLED double tb_nct_log(double x, double df, double nc)
{
    TB_TOGETHER(const double result = tb_nct_log_apart(x, df, nc));
    return result;
}

/* ---- a square's mean over that of central ones ------------------------------------------------------------------- */

#define TB_MIX_LEAST 1e-290 /* degrees of freedom of which densities are doubles */

TB_FN int tb_ncf_allows(double x, double m, double n, double nc)
{
    return m > TB_MIX_LEAST && m < TB_INFINITE && n > TB_MIX_LEAST && n < TB_INFINITE && nc >= 0 &&
           nc <= 2 * TB_MIX_MOST && x == x;
}

/* *slope: of its logarithm over log(x). */
TB_FN double tb_ncf_part_apart(double x, double m, double n, double nc, int upper, double *slope)
{
    *slope = 0;
    if (!tb_ncf_allows(x, m, n, nc)) return TB_NONE;
    if (!(x > 0 && x < TB_INFINITE)) return (x > 0) != upper;
    double rest;
    if (m > TB_MIX_FREE) return tb_gamma_tail(n / 2, n / 2 / x, !upper);
    if (n > TB_MIX_FREE) return tb_ncx2_part(m * x, m, nc, upper, slope);
    const double y = tb_f_share(m, n, x, &rest);
    if (y == 0 || rest == 0) return (y > 0) != upper;
    return tb_mix_tail(m / 2, n / 2, nc / 2, y, rest, upper, m * x < m + nc, slope);
}

TB_CALLED double tb_ncf_part(double x, double m, double n, double nc, int upper, double *slope)
{
    TB_TOGETHER(const double result = tb_ncf_part_apart(x, m, n, nc, upper, slope));
    return result;
}

TB_FN double tb_ncf_cdf(double x, double m, double n, double nc)
{
    double slope;
    return tb_ncf_part(x, m, n, nc, 0, &slope);
}

TB_FN double tb_ncf_sf(double x, double m, double n, double nc)
{
    double slope;
    return tb_ncf_part(x, m, n, nc, 1, &slope);
}

/* The logarithm of the density, by the terms on either side of the greatest, as that of chi-squared. */
TB_FN double tb_ncf_log_apart(double x, double m, double n, double nc)
{
    if (!tb_ncf_allows(x, m, n, nc)) return TB_NONE;
    if (x == 0) return m > 2 ? -TB_INFINITE : m == 2 ? -nc / 2 : TB_INFINITE;
    if (!(x > 0 && x < TB_INFINITE)) return -TB_INFINITE;
    if (m > TB_MIX_FREE) return n / 2 * (log(n / 2) - log(x) - 1 / x) - tb_lgamma(n / 2) - log(x);
    if (n > TB_MIX_FREE) return tb_ncx2_log(m * x, m, nc) + log(m);
    double rest;
    const double y = tb_f_share(m, n, x, &rest), a = m / 2, b = n / 2, mean = nc / 2, product = mean * y;
    const double p = a + 1 - product, d = p * p - 4 * (a - product * (a + b));
    const double middle = d > 0 && d < TB_INFINITE ? floor(fmax((sqrt(d) - p) / 2, 0)) : 0;
    double sum = 1, term = 1;
    for (double j = middle; term > TB_MIX_NOTHING * sum; j += 1)
        sum += term *= product * (a + b + j) / ((j + 1) * (a + j));
    term = 1;
    for (double j = middle; j > 0 && term > TB_MIX_NOTHING * sum; j -= 1)
        sum += term *= j * (a + j - 1) / (product * (a + b + j - 1));
    const double weight = mean > 0 ? tb_gamma_front(middle, mean) : 1, s = a + middle;
    const double front = tb_beta_front_over(s, b, y, rest, 0);
    if (weight > TB_MIX_TINY && front > TB_MIX_TINY) return log(weight * front * sum) - log(x);
    const double logs = mean > 0 ? middle * log(mean) - mean - tb_lgamma1p(middle) : 0;
    const double log_y = y > 0.5 ? log1p(-rest) : log(y), log_rest = rest > 0.5 ? log1p(-y) : log(rest);
    return logs + s * log_y + b * log_rest - tb_betaln_positive(s, b) + log(sum) - log(x);
}

TB_CALLED double tb_ncf_log(double x, double m, double n, double nc)
{
    TB_TOGETHER(const double result = tb_ncf_log_apart(x, m, n, nc));
    return result;
}

/* ---- where a tail is what is wanted ------------------------------------------------------------------------------ */

#define TB_IS_NCX2 0
#define TB_IS_NCT 1
#define TB_IS_NCF 2

/* A tail of one of them over x, of what is not negative at exp(x), and how steep its logarithm is. n: the other degrees
 * of freedom of F. */
TB_FN double tb_noncentral_tail(int kind, double x, double df, double n, double nc, int upper, double *slope)
{
    if (kind == TB_IS_NCX2) return tb_ncx2_part(exp(x), df, nc, upper, slope);
    if (kind == TB_IS_NCF) return tb_ncf_part(exp(x), df, n, nc, upper, slope);
    const double tail = upper ? tb_nct_sf(df, nc, x) : tb_nct_cdf(df, nc, x), density = exp(tb_nct_log(x, df, nc));
    *slope = (upper ? -density : density) / tail;
    return tail;
}

/* How far it is to where a function is 0 that is g and g0, and as steep as slope and slope0, here and `back` from here:
 * by Newton's step, or by the inverse's cubic polynomial where that is not far from there. */
TB_FN double tb_step_of_two(double g, double slope, double g0, double slope0, double back)
{
    const double r = 1 / slope, r0 = 1 / slope0, d = g - g0, mean = -back / d;
    if (!(fabs(g) < 1 && fabs(d) < 3 && fabs(r - mean) < 0.5 * fabs(r))) return -g * r;
    return -g * r + g * g / d * ((r - mean) - g0 * (r0 + r - 2 * mean) / d);
}

/* The x at which a tail's logarithm is `wanted`, from about there; `far`: how far to go where it is 0 or not steep. A
 * step's error is about the cube of its size over the square of the last one's. */
TB_FN double tb_noncentral_root_apart(int kind, double wanted, double df, double n, double nc, int upper, double x,
                                      double far)
{
    double low = -TB_INFINITE, high = TB_INFINITE, last = TB_INFINITE, g0 = TB_INFINITE, slope0 = 0;
    int told = 0; /* the last step's size tells of its error */
    for (int k = 0; k < 1200; k++) {
        double slope;
        const double g = log(tb_noncentral_tail(kind, x, df, n, nc, upper, &slope)) - wanted;
        if (g != g) return TB_NONE;
        if ((g > 0) == upper) low = x;
        else high = x;
        double step = tb_step_of_two(g, slope, g0, slope0, -last);
        const double size = kind == TB_IS_NCT ? fabs(x) : fmax(fabs(x), 1), room = 2 * TB_EPS * size;
        const int is_noise = told && fabs(step) > fabs(last) / 2 && fabs(step) < 1e-9 * size;
        if (is_noise || g == 0) return x;
        if (!(low < x + step && x + step < high && fabs(step) < fmax(fabs(last), 64 * far))) {
            if (fabs(step) <= room || high - low <= 2 * room) return x;
            step = low > -TB_INFINITE && high < TB_INFINITE ? (low + high) / 2 - x : high < TB_INFINITE ? -far : far;
            far *= 2;
            told = 0;
        } else {
            const double error = told ? fabs(step * (step / last) * (step / last)) : TB_INFINITE;
            if (fabs(step) <= room || error <= room / 16) return x + step;
            told = 1;
        }
        x += step;
        last = step;
        g0 = g;
        slope0 = slope;
    }
    return x;
}

TB_CALLED double tb_noncentral_root(int kind, double wanted, double df, double n, double nc, int upper, double x,
                                    double far)
{
    TB_TOGETHER(const double result = tb_noncentral_root_apart(kind, wanted, df, n, nc, upper, x, far));
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
    return exp(tb_noncentral_root(TB_IS_NCX2, log(upper ? q : p), df, 0, nc, upper, log(fmax(about, 1e-300)), 0.02));
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
    return tb_noncentral_root(TB_IS_NCT, log(upper ? 1 - p : p), df, 0, nc, upper, about, 0.05 + 0.05 * fabs(about));
}

TB_CALLED double tb_nct_ppf(double p, double df, double nc)
{
    TB_TOGETHER(const double result = tb_nct_ppf_apart(p, df, nc));
    return result;
}

/* From that of F whose numerator is the square with the same mean and variance. */
TB_FN double tb_ncf_quantile_apart(double p, double q, double m, double n, double nc)
{
    if (!(tb_ncf_allows(0, m, n, nc) && p >= 0 && q >= 0)) return TB_NONE;
    if (p == 0 || q == 0) return p == 0 ? 0 : TB_INFINITE;
    const double spread = (m + 2 * nc) / (m + nc);
    double rest;
    const double share = tb_beta_quantile((m + nc) / spread / 2, n / 2, p, q, &rest);
    const double about = spread * (n / m) * (share / rest);
    if (nc == 0) return about;
    const int upper = q < p;
    const double start = log(fmin(fmax(about, 1e-300), 1e300));
    return exp(tb_noncentral_root(TB_IS_NCF, log(upper ? q : p), m, n, nc, upper, start, 0.02));
}

TB_CALLED double tb_ncf_quantile(double p, double q, double m, double n, double nc)
{
    TB_TOGETHER(const double result = tb_ncf_quantile_apart(p, q, m, n, nc));
    return result;
}

TB_FN double tb_ncf_ppf(double p, double m, double n, double nc) { return tb_ncf_quantile(p, 1 - p, m, n, nc); }
TB_FN double tb_ncf_isf(double q, double m, double n, double nc) { return tb_ncf_quantile(1 - q, q, m, n, nc); }
#endif
