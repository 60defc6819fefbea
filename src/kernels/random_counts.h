/* random_counts.h - draws of whole numbers, each from the stream that its key selects, or from the key itself.
 *
 * The functions of a distribution are those that random_floats.h speaks of, over doubles; what a point whose mean is
 * small takes instead of attempts is tb_D_few, a search along the distribution function for the one uniform number that
 * the key is. tb_random_D gives the least int64 for parameters that are none, and the largest where the number is
 * larger. */
#ifndef TB_KERNELS_RANDOM_COUNTS_H
#define TB_KERNELS_RANDOM_COUNTS_H

#define TB_NAN_F64 tb_f64_of_bits(0x7ff8000000000000u)
#define TB_FEW 10.0                            /* where searches end and rejections begin */
#define TB_LEAST_TERM 0x1p-60                  /* of a distribution function, past its mode: too small to matter */
#define TB_NO_COUNT (-0x7fffffffffffffff - 1)

TB_FN tb_i64 tb_count(double k)
{
    const tb_i64 n = (tb_i64)(k < 0x1p63 ? k : 0), other = k != k ? TB_NO_COUNT : 0x7fffffffffffffff;
    return k < 0x1p63 ? n : other;
}

/* ---- probabilities ----------------------------------------------------------------------------------------------- */

/* log(k!) - log(sqrt(2 pi k) (k / e)^k), and 0 for 0: Stirling's series from 4 on, with an error below 1e-10. */
TB_FN double tb_stirling_rest(double k)
{
    const double r = 1 / (k < 4 ? 4 : k), r2 = r * r;
    double s = fma(r2, -691.0 / 360360, 1.0 / 1188);
    s = fma(r2, s, -1.0 / 1680);
    s = fma(r2, s, 1.0 / 1260);
    s = fma(r2, s, -1.0 / 360);
    s = fma(r2, s, 1.0 / 12) * r;
    s = k < 4 ? 0.02767792568499834 : s;
    s = k < 3 ? 0.0413406959554093 : s;
    s = k < 2 ? 0.08106146679532726 : s;
    return k < 1 ? 0 : s;
}

TB_FN double tb_log_factorial(double k)
{
    const double l = tb_log_normal_f64(k < 1 ? 1 : k);
    return k * l - k + tb_stirling_rest(k) + (k < 1 ? 0 : fma(0.5, l, 0.91893853320467274178));
}

/* The same where a number is to be accepted or not: of floats. By an estimate their rounding changes how often that
 * is by less than 1e-5. */
TB_FN float tb_stirling_rest_f32(float k)
{
    const float r = 1 / (k < 4 ? 4 : k), r2 = r * r;
    float s = fmaf(r2, fmaf(r2, (float)(1.0 / 1260), (float)(-1.0 / 360)), (float)(1.0 / 12)) * r;
    s = k < 4 ? 0.02767792568f : s;
    s = k < 3 ? 0.04134069596f : s;
    s = k < 2 ? 0.08106146680f : s;
    return k < 1 ? 0 : s;
}

/* x log(x / m) + m - x of d = x - m, without cancellation; as Loader, "Fast and accurate computation of binomial
 * probabilities" (2000), takes probabilities apart. */
TB_FN float tb_deviance(float d, float m)
{
    const float e = d / m;
    return d * e * fmaf(1 + e, tb_log1p_curve_f32(e), 1);
}

/* k under the root of Stirling's formula, where it comes with 2 pi; the formula is true of 0 too then. */
TB_FN float tb_under_root(float k) { return k < 1 ? 0.15915494309f : k; }

/* ---- Poisson ----------------------------------------------------------------------------------------------------- */

TB_FN int tb_poisson_valid(double mean) { return mean >= 0; }

TB_FN double tb_poisson_few(tb_u64 key, double mean)
{
    double u = tb_first_f64(key, key), term = tb_exp_below_f64(-mean), k = 0;
    while (u > term && term > TB_LEAST_TERM) {
        u -= term;
        k++;
        term *= mean * (1 / k);
    }
    return k;
}

/* Hoermann, "The transformed rejection method for generating Poisson random variables" (1993): PTRS. root: of the
 * mean. */
TB_FN double tb_poisson_try(tb_u64 x, tb_u64 y, double mean, double root, int sure)
{
    const double v = tb_first_f64(x, y), u = tb_second_f64(x, y) - 0.5, us = 0.5 - fabs(u);
    const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b, vr = 0.9277 - 3.6224 / (b - 2);
    const double k = floor((2 * a / us + b) * u + mean + 0.43);
    int ok = (us >= 0.07) & (v <= vr);
    if (sure) {
        const float w = (float)us, q = (float)v / ((float)a / (w * w) + (float)b), n = k >= 0 ? (float)k : 0;
        const float scale = 1.1239f + 1.1328f / (float)(b - 3.4);
        const float log_p = -tb_stirling_rest_f32(n) - tb_deviance(k >= 0 ? (float)(k - mean) : 0, (float)mean);
        const int beyond = (k < 0) | ((us < 0.013) & (v > us));
        ok |= !beyond & (TB_LOG_f32(q * scale * (2.50662827463f * sqrtf(tb_under_root(n)))) <= log_p);
    }
    return ok ? k : TB_NAN_F64;
}

TB_CALLED double tb_poisson_of(tb_u64 key, double mean, double root)
{
    double k = TB_NAN_F64;
    tb_u64 x, y;
    if (mean < TB_FEW) return tb_poisson_few(key, mean);
    for (tb_u32 n = 0; n < TB_ATTEMPTS && k != k; n++) {
        x = tb_point_draws(key, n, 0, &y);
        k = tb_poisson_try(x, y, mean, root, 1);
    }
    return k;
}

TB_FN tb_i64 tb_random_poisson(tb_u64 key, double mean)
{
    return tb_poisson_valid(mean) ? tb_count(tb_poisson_of(key, mean, sqrt(mean))) : TB_NO_COUNT;
}

/* ---- binomial ---------------------------------------------------------------------------------------------------- */

TB_FN int tb_binomial_valid(tb_i64 n, double p) { return (n >= 0) & (p >= 0) & (p <= 1); }

/* n trials that succeed with p <= 1/2. */
TB_FN double tb_binomial_few(tb_u64 key, double n, double p)
{
    double u = tb_first_f64(key, key), term = tb_exp_below_f64(n * tb_log1p_above_f64(-p)), k = 0;
    while (u > term && term > TB_LEAST_TERM) {
        u -= term;
        k++;
        term *= (n - k + 1) * (p / (1 - p)) * (1 / k);
    }
    return k;
}

TB_FN double tb_binomial_spread(double n, double p) { return sqrt(n * p * (1 - p)); }

/* Hoermann, "The generation of binomial random variates" (1993): BTRS, with the peak of the normal density of the same
 * spread in the place of the greatest probability, which it is next to: the hat is above all probabilities and the
 * squeeze below them then too (tests/python/test_distributions.py). */
TB_FN double tb_binomial_try(tb_u64 x, tb_u64 y, double n, double p, double spread, int sure)
{
    const double v = tb_first_f64(x, y), u = tb_second_f64(x, y) - 0.5, us = 0.5 - fabs(u);
    const double b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double k = floor((2 * a / us + b) * u + (n * p + 0.5));
    int ok = (us >= 0.07) & (v <= 0.92 - 4.2 / b);
    if (sure) {
        const int inside = (k >= 0) & (k <= n);
        const float w = (float)us, scale = 2.83f + 5.1f / (float)b;
        const float q = (float)v * scale / ((float)a / (w * w) + (float)b);
        const float yes = inside ? (float)k : 0, no = inside ? (float)(n - k) : (float)n;
        const float d = inside ? (float)(k - n * p) : 0;
        const float log_p = tb_stirling_rest_f32((float)n) - tb_stirling_rest_f32(yes) - tb_stirling_rest_f32(no) -
                            tb_deviance(d, (float)(n * p)) - tb_deviance(-d, (float)(n * (1 - p)));
        const float root = sqrtf(tb_under_root(yes) * (tb_under_root(no) / (float)n));
        ok |= inside & (TB_LOG_f32(q * root) <= log_p);
    }
    return ok ? k : TB_NAN_F64;
}

TB_CALLED double tb_binomial_of(tb_u64 key, double n, double p, double spread)
{
    double k = TB_NAN_F64;
    tb_u64 x, y;
    if (n * p < TB_FEW) return tb_binomial_few(key, n, p);
    for (tb_u32 t = 0; t < TB_ATTEMPTS && k != k; t++) {
        x = tb_point_draws(key, t, 0, &y);
        k = tb_binomial_try(x, y, n, p, spread, 1);
    }
    return k;
}

TB_FN tb_i64 tb_random_binomial(tb_u64 key, tb_i64 n, double p)
{
    const double less = p > 0.5 ? 1 - p : p;
    if (!tb_binomial_valid(n, p)) return TB_NO_COUNT;
    const double k = tb_binomial_of(key, (double)n, less, tb_binomial_spread((double)n, less));
    return p > 0.5 && k == k ? n - tb_count(k) : tb_count(k);
}

/* ---- hypergeometric ---------------------------------------------------------------------------------------------- */

/* An urn as the methods want it: by symmetry `drawn` <= `good` <= total / 2. */
typedef struct tb_urn { double total, good, drawn; } tb_urn;

TB_FN int tb_urn_valid(tb_c128 content, double drawn)
{
    return (content.re >= 0) & (content.im >= 0) & (drawn >= 0) & (drawn <= content.re + content.im);
}

TB_FN tb_urn tb_make_urn(tb_c128 content, double drawn)
{
    tb_urn urn;
    const double total = content.re + content.im, good = content.re < content.im ? content.re : content.im;
    const double d = drawn < total - drawn ? drawn : total - drawn;
    urn.total = total;
    urn.good = good < d ? d : good;
    urn.drawn = good < d ? good : d;
    return urn;
}

/* Of k in such an urn, what was asked for. */
TB_FN double tb_urn_result(tb_c128 content, double drawn, double k)
{
    const double rest = content.re + content.im - drawn, d = drawn < rest ? drawn : rest;
    const double of_good = content.re > content.im ? d - k : k;
    return drawn > rest ? content.re - of_good : of_good;
}

/* The probability of 0. */
TB_FN double tb_hypergeometric_first(double total, double good, double drawn)
{
    double above = 1, below = 1;
#ifdef __CUDACC_RTC__
#pragma unroll
#elif !defined(__clang__)
#pragma GCC unroll 10
#endif
    for (int j = 0; j < 10; j++) {
        above *= j < drawn ? total - good - j : 1;
        below *= j < drawn ? total - j : 1;
    }
    return above / below;
}

TB_FN double tb_hypergeometric_few(tb_u64 key, double total, double good, double drawn)
{
    double u = tb_first_f64(key, key), term = tb_hypergeometric_first(total, good, drawn), k = 0;
    while (u > term && k < drawn) {
        u -= term;
        k++;
        term *= (good - k + 1) * (drawn - k + 1) / (k * (total - good - drawn + k));
    }
    return k;
}

TB_FN double tb_urn_log(double total, double good, double drawn, double k)
{
    return -tb_log_factorial(k) - tb_log_factorial(good - k) - tb_log_factorial(drawn - k) -
           tb_log_factorial(total - good - drawn + k);
}

/* Stadlober, "The ratio of uniforms approach for generating discrete random variates" (1990): HRUA. */
TB_FN double tb_hypergeometric_try(tb_u64 x, tb_u64 y, double total, double good, double drawn, int sure)
{
    const double share = good / total, mean = drawn * share + 0.5;
    const double spread = sqrt((total - drawn) * drawn * share * (1 - share) / (total - 1) + 0.5);
    const double width = 1.7155277699214135 * spread + 0.8989161620588988;
    const double mode = floor((drawn + 1) * (good + 1) / (total + 2));
    const double last = floor(mean + 16 * spread), end = drawn + 1 < last ? drawn + 1 : last;
    const double v = tb_first_f64(x, y), w = mean + width * (tb_second_f64(x, y) - 0.5) / v;
    const int inside = (w >= 0) & (w < end);
    const double k = floor(inside ? w : 0);
    const double t = tb_urn_log(total, good, drawn, k) - tb_urn_log(total, good, drawn, mode);
    int ok = v * (4 - v) - 3 <= t;
    if (sure) ok |= 2 * TB_LOG_f64(v) <= t;
    return inside & ok ? k : TB_NAN_F64;
}

TB_CALLED tb_i64 tb_random_hypergeometric(tb_u64 key, tb_c128 content, double drawn)
{
    double k = TB_NAN_F64;
    tb_u64 x, y;
    if (!tb_urn_valid(content, drawn)) return TB_NO_COUNT;
    const tb_urn urn = tb_make_urn(content, drawn);
    if (urn.drawn <= TB_FEW) k = tb_hypergeometric_few(key, urn.total, urn.good, urn.drawn);
    for (tb_u32 n = 0; n < TB_ATTEMPTS && k != k; n++) {
        x = tb_point_draws(key, n, 0, &y);
        k = tb_hypergeometric_try(x, y, urn.total, urn.good, urn.drawn, 1);
    }
    return tb_count(tb_urn_result(content, drawn, k));
}

/* ---- Zipf -------------------------------------------------------------------------------------------------------- */

TB_FN int tb_zipf_valid(double a) { return a > 1; }

/* Devroye, "Non-uniform random variate generation" (1986), X.6.1, within the numbers that an int64 holds. */
TB_FN double tb_zipf_try(tb_u64 x, tb_u64 y, double a, int sure)
{
    const double power = a < 1025 ? a - 1 : 1024, range = tb_expm1_below_f64(-43.66827237527655 * power);
    const double u = 1 - tb_first_f64(x, y), v = 1 - tb_second_f64(x, y);
    const double k = floor(tb_exp_below_f64(-tb_log1p_above_f64(u * range) / power));
    const double log_t = power * tb_log1p_above_f64(1 / k), log_b = power * 0.693147180559945309417;
    const double slope = tb_expm1_below_f64(log_t) / tb_expm1_below_f64(log_b);
    (void)sure;
    const int taken = (k >= 1) & (k < 0x1p63) & (v * k * slope <= tb_exp_below_f64(log_t - log_b));
    return taken ? k : TB_NAN_F64;
}

TB_CALLED tb_i64 tb_random_zipf(tb_u64 key, double a)
{
    double k = TB_NAN_F64;
    tb_u64 x, y;
    for (tb_u32 n = 0; tb_zipf_valid(a) && n < TB_ATTEMPTS && k != k; n++) {
        x = tb_point_draws(key, n, 0, &y);
        k = tb_zipf_try(x, y, a, 1);
    }
    return tb_count(k);
}

/* ---- by inversion alone ------------------------------------------------------------------------------------------ */

TB_FN int tb_geometric_valid(double p) { return (p > 0) & (p <= 1); }

/* Trials until the first that succeeds. */
TB_FN double tb_geometric_few(tb_u64 key, double p)
{
    const double l = tb_log1p_above_f64(p < 1 ? -p : -0.5);
    const double k = ceil(tb_log_normal_f64(tb_first_f64(key, key)) / l);
    return ((p < 1) & (k > 1)) ? k : 1;
}

TB_FN tb_i64 tb_random_geometric(tb_u64 key, double p)
{
    const double k = tb_geometric_few(key, p);
    return tb_count(tb_geometric_valid(p) ? k : TB_NAN_F64);
}

TB_FN int tb_logseries_valid(double p) { return (p >= 0) & (p < 1); }

/* Kemp, "Efficient generation of logarithmically distributed pseudo-random variables" (1981): LK. */
TB_FN double tb_logseries_of(tb_u64 x, tb_u64 y, double p)
{
    const double v = tb_first_f64(x, y), r = tb_log1p_above_f64(-p) * (1 - tb_second_f64(x, y));
    const double q = -tb_expm1_below_f64(r), k = floor(1 + TB_LOG_f64(v) / tb_log1p_above_f64(-tb_exp_below_f64(r)));
    return ((v >= p) | (v >= q)) ? 1 : v <= q * q ? k : 2;
}

TB_FN tb_i64 tb_random_logseries(tb_u64 key, double p)
{
    tb_u64 y;
    const tb_u64 x = tb_point_draws(key, 0, 0, &y);
    return tb_count(tb_logseries_valid(p) ? tb_logseries_of(x, y, p) : TB_NAN_F64);
}
#endif
