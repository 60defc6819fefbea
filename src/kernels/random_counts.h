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

/* Whether a number is accepted is asked of floats: by an estimate their rounding changes how often that is by less than
 * 1e-5. This is log(k!) - log(sqrt(2 pi k) (k / e)^k), and 0 for 0: Stirling's series from 4 on. */
TB_FN float tb_stirling_rest_f32(float k)
{
    const float r = tb_reciprocal_f32(k < 4 ? 4 : k), r2 = r * r;
    float s = fmaf(r2, fmaf(r2, (float)(1.0 / 1260), (float)(-1.0 / 360)), (float)(1.0 / 12)) * r;
    s = k < 4 ? 0.02767792568f : s;
    s = k < 3 ? 0.04134069596f : s;
    s = k < 2 ? 0.08106146680f : s;
    return k < 1 ? 0 : s;
}

/* x log(x / m) + m - x of d = x - m and e = d / m, without cancellation; as Loader, "Fast and accurate computation of
 * binomial probabilities" (2000), takes probabilities apart. */
TB_FN float tb_deviance(float d, float m, float e)
{
    const float near = d * e * fmaf(1 + e, tb_log1p_curve_f32(e), 1);
    return TB_NEAR_ONE(e) ? near : (m + d) * TB_LOG_f32(1 + e) - d;
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
        const float scale = (1.1239f + 1.1328f / (float)(b - 3.4)) * 2.50662827463f, share = 1 / (float)mean;
        const float w = (float)(us * us), n = k >= 0 ? (float)k : 0, d = k >= 0 ? (float)(k - mean) : 0;
        const float q = (float)v * scale * w * tb_reciprocal_f32(fmaf((float)b, w, (float)a));
        const float log_p = -tb_stirling_rest_f32(n) - tb_deviance(d, (float)mean, d * share);
        const int beyond = (k < 0) | ((us < 0.013) & (v > us));
        ok |= !beyond & (0.5f * TB_LOG_f32(q * q * tb_under_root(n)) <= log_p);
    }
    return ok ? k : TB_NAN_F64;
}

TB_FN int tb_step_random_poisson_u64_f64_i64(tb_u32 t, tb_u64 key, double mean, tb_i64 *r)
{
    tb_u64 y;
    double k;
    if (mean < TB_FEW) k = tb_poisson_few(key, mean);
    else {
        const tb_u64 x = tb_point_draws(key, t, 0, &y);
        k = tb_poisson_try(x, y, mean, sqrt(mean), 1);
    }
    *r = tb_poisson_valid(mean) ? tb_count(k) : TB_NO_COUNT;
    return (k == k) | !tb_poisson_valid(mean) | (t >= TB_ATTEMPTS - 1);
}
TB_STEPS(tb_random_poisson, tb_i64, double, tb_step_random_poisson_u64_f64_i64)

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
        const float trials = (float)n, share = 1 / trials, scale = 2.83f + 5.1f / (float)b;
        const float good = (float)(n * p), bad = (float)(n * (1 - p)), of_good = 1 / good, of_bad = 1 / bad;
        const float w = (float)(us * us), q = (float)v * scale * w * tb_reciprocal_f32(fmaf((float)b, w, (float)a));
        const float yes = inside ? (float)k : 0, no = inside ? (float)(n - k) : trials;
        const float d = inside ? (float)(k - n * p) : 0;
        const float log_p = tb_stirling_rest_f32(trials) - tb_stirling_rest_f32(yes) - tb_stirling_rest_f32(no) -
                            tb_deviance(d, good, d * of_good) - tb_deviance(-d, bad, -d * of_bad);
        const float under = tb_under_root(yes) * (tb_under_root(no) * share);
        ok |= inside & (0.5f * TB_LOG_f32(q * q * under) <= log_p);
    }
    return ok ? k : TB_NAN_F64;
}

TB_FN int tb_step_random_binomial_u64_i64_f64_i64(tb_u32 t, tb_u64 key, tb_i64 n, double p, tb_i64 *r)
{
    const double less = p > 0.5 ? 1 - p : p, trials = (double)n;
    const int valid = tb_binomial_valid(n, p);
    tb_u64 y;
    double k;
    if (!(trials * less >= TB_FEW)) k = valid ? tb_binomial_few(key, trials, less) : TB_NAN_F64;
    else {
        const tb_u64 x = tb_point_draws(key, t, 0, &y);
        k = tb_binomial_try(x, y, trials, less, tb_binomial_spread(trials, less), 1);
    }
    *r = !valid ? TB_NO_COUNT : p > 0.5 && k == k ? n - tb_count(k) : tb_count(k);
    return (k == k) | !valid | (t >= TB_ATTEMPTS - 1);
}

TB_CALLED tb_i64 tb_random_binomial(tb_u64 key, tb_i64 n, double p)
{
    tb_i64 r;
    tb_u32 k = 0;
    while (!tb_step_random_binomial_u64_i64_f64_i64(k, key, n, p, &r)) k++;
    return r;
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

/* The logarithm of the probability of k, but for what k has no part in; under is to be multiplied by four factors that
 * stand under a root. From the mean all four numbers differ by as much, d. */
TB_FN float tb_urn_log(double total, double good, double drawn, double k, float *under)
{
    const double share = drawn / total, mean = good * share;
    const float d = (float)(k - mean), yes = (float)mean, undrawn = (float)(good - mean), bad = (float)(drawn - mean),
                rest = (float)((total - good) * (1 - share));
    const float to_yes = 1 / yes, to_undrawn = 1 / undrawn, to_bad = 1 / bad, to_rest = 1 / rest;
    const float n0 = (float)k, n1 = (float)(good - k), n2 = (float)(drawn - k), n3 = (float)(total - good - drawn + k);
    *under = tb_under_root(n0) * to_yes * (tb_under_root(n1) * to_undrawn) * (tb_under_root(n2) * to_bad) *
             (tb_under_root(n3) * to_rest);
    return -tb_stirling_rest_f32(n0) - tb_stirling_rest_f32(n1) - tb_stirling_rest_f32(n2) - tb_stirling_rest_f32(n3) -
           tb_deviance(d, yes, d * to_yes) - tb_deviance(-d, undrawn, -d * to_undrawn) -
           tb_deviance(-d, bad, -d * to_bad) - tb_deviance(d, rest, d * to_rest);
}

/* Stadlober, "The ratio of uniforms approach for generating discrete random variates" (1990): HRUA. */
TB_FN double tb_hypergeometric_try(tb_u64 x, tb_u64 y, double total, double good, double drawn)
{
    const double share = good / total, mean = drawn * share + 0.5;
    const double spread = sqrt((total - drawn) * drawn * share * (1 - share) / (total - 1) + 0.5);
    const double width = 1.7155277699214135 * spread + 0.8989161620588988;
    const double mode = floor((drawn + 1) * (good + 1) / (total + 2));
    const double last = floor(mean + 16 * spread), end = drawn + 1 < last ? drawn + 1 : last;
    const double v = tb_first_f64(x, y), w = mean + width * (tb_second_f64(x, y) - 0.5) / v;
    const int inside = (w >= 0) & (w < end);
    const double k = floor(inside ? w : 0);
    float under, of_mode, v2 = (float)(v * v);
    const float most = tb_urn_log(total, good, drawn, mode, &of_mode);
    const float log_p = tb_urn_log(total, good, drawn, k, &under) - most;
    const int ok = 0.5f * TB_LOG_f32(v2 * v2 * under * (1 / of_mode)) <= log_p;
    return inside & ok ? k : TB_NAN_F64;
}

TB_FN int tb_step_random_hypergeometric_u64_c128_f64_i64(tb_u32 t, tb_u64 key, tb_c128 content, double drawn, tb_i64 *r)
{
    const int valid = tb_urn_valid(content, drawn);
    const tb_urn urn = tb_make_urn(content, drawn);
    tb_u64 y;
    double k;
    if (!(urn.drawn > TB_FEW)) k = valid ? tb_hypergeometric_few(key, urn.total, urn.good, urn.drawn) : TB_NAN_F64;
    else {
        const tb_u64 x = tb_point_draws(key, t, 0, &y);
        k = tb_hypergeometric_try(x, y, urn.total, urn.good, urn.drawn);
    }
    *r = valid ? tb_count(tb_urn_result(content, drawn, k)) : TB_NO_COUNT;
    return (k == k) | !valid | (t >= TB_ATTEMPTS - 1);
}

TB_CALLED tb_i64 tb_random_hypergeometric(tb_u64 key, tb_c128 content, double drawn)
{
    tb_i64 r;
    tb_u32 k = 0;
    while (!tb_step_random_hypergeometric_u64_c128_f64_i64(k, key, content, drawn, &r)) k++;
    return r;
}

/* ---- Zipf -------------------------------------------------------------------------------------------------------- */

TB_FN int tb_zipf_valid(double a) { return a > 1; }

/* Devroye, "Non-uniform random variate generation" (1986), X.6.1, within the numbers that an int64 holds. */
TB_FN double tb_zipf_try(tb_u64 x, tb_u64 y, double a)
{
    const double power = a < 1025 ? a - 1 : 1024, range = tb_expm1_below_f64(-43.66827237527655 * power);
    const double u = 1 - tb_first_f64(x, y), v = 1 - tb_second_f64(x, y);
    const double k = floor(tb_exp_below_f64(-tb_log1p_above_f64(u * range) / power));
    const double log_t = power * tb_log1p_above_f64(1 / k), log_b = power * 0.693147180559945309417;
    const double slope = tb_expm1_below_f64(log_t) / tb_expm1_below_f64(log_b);
    const int taken = (k >= 1) & (k < 0x1p63) & (v * k * slope <= tb_exp_below_f64(log_t - log_b));
    return taken ? k : TB_NAN_F64;
}

TB_FN int tb_step_random_zipf_u64_f64_i64(tb_u32 t, tb_u64 key, double a, tb_i64 *r)
{
    tb_u64 y;
    const tb_u64 x = tb_point_draws(key, t, 0, &y);
    const double k = tb_zipf_valid(a) ? tb_zipf_try(x, y, a) : TB_NAN_F64;
    *r = tb_count(k);
    return (k == k) | !tb_zipf_valid(a) | (t >= TB_ATTEMPTS - 1);
}
TB_STEPS(tb_random_zipf, tb_i64, double, tb_step_random_zipf_u64_f64_i64)

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

TB_FN int tb_step_random_geometric_u64_f64_i64(tb_u32 t, tb_u64 key, double p, tb_i64 *r)
{
    (void)t;
    *r = tb_random_geometric(key, p);
    return 1;
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

TB_FN int tb_step_random_logseries_u64_f64_i64(tb_u32 t, tb_u64 key, double p, tb_i64 *r)
{
    (void)t;
    *r = tb_random_logseries(key, p);
    return 1;
}
#endif
