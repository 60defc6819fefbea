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

/* Hoermann, "The transformed rejection method for generating Poisson random variables" (1993): PTRS, whose a and b are
 * from the root of the mean; a number is middle + (twice_a / us + b) u. */
typedef struct tb_poisson_set {
    double mean, middle, twice_a, b;
    float scale, share;
    int valid;
} tb_poisson_set;

TB_FN tb_poisson_set tb_set_random_poisson_u64_f64_i64(double mean)
{
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    tb_poisson_set set;
    set.mean = mean;
    set.middle = mean + 0.43;
    set.twice_a = 2 * a;
    set.b = b;
    set.scale = (1.1239f + 1.1328f / (float)(b - 3.4)) * 2.50662827463f;
    set.share = 1 / (float)mean;
    set.valid = mean >= 0;
    return set;
}

TB_FN double tb_poisson_begin(tb_u64 x, tb_u64 y, tb_poisson_set set)
{
    const double u = tb_second_f64(x, y) - 0.5;
    return floor((set.twice_a / (0.5 - fabs(u)) + set.b) * u + set.middle);
}

TB_FN double tb_poisson_try(double k, tb_u64 x, tb_u64 y, tb_poisson_set set)
{
    const double v = tb_first_f64(x, y), us = 0.5 - fabs(tb_second_f64(x, y) - 0.5);
    const float w = (float)(us * us), n = k >= 0 ? (float)k : 0, d = k >= 0 ? (float)(k - set.mean) : 0;
    const float q = (float)v * set.scale * w * tb_reciprocal_f32(fmaf((float)set.b, w, (float)(0.5 * set.twice_a)));
    const float log_p = -tb_stirling_rest_f32(n) - tb_deviance(d, (float)set.mean, d * set.share);
    const int beyond = (k < 0) | ((us < 0.013) & (v > us));
    const int taken = !beyond & (0.5f * TB_LOG_f32(q * q * tb_under_root(n)) <= log_p);
    return taken ? k : TB_NAN_F64;
}

TB_FN int tb_step_random_poisson_u64_f64_i64(tb_u32 t, tb_u64 key, tb_poisson_set set, tb_i64 *r)
{
    tb_u64 y;
    double k;
    if (set.mean < TB_FEW) k = tb_poisson_few(key, set.mean);
    else {
        const tb_u64 x = tb_point_draws(key, t, 0, &y);
        k = tb_poisson_try(tb_poisson_begin(x, y, set), x, y, set);
    }
    *r = set.valid ? tb_count(k) : TB_NO_COUNT;
    return (k == k) | !set.valid | (t >= TB_ATTEMPTS - 1);
}
TB_STEPS(tb_random_poisson, random_poisson_u64_f64_i64, tb_i64, double)

/* ---- binomial ---------------------------------------------------------------------------------------------------- */

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

/* Hoermann, "The generation of binomial random variates" (1993): BTRS, with the peak of the normal density of the same
 * spread in the place of the greatest probability, which it is next to: the hat is above all probabilities then too
 * (tests/python/test_distributions.py). p <= 1/2; a number is middle + (twice_a / us + b) u. */
typedef struct tb_binomial_set {
    double n, p, mean, middle, twice_a, b;
    float scale, share, good, bad, of_good, of_bad, rest; /* 1 / n, the means, their reciprocals, of log(n!) */
} tb_binomial_set;

TB_FN tb_binomial_set tb_make_binomial(double n, double p)
{
    const double b = 1.15 + 2.53 * sqrt(n * p * (1 - p));
    tb_binomial_set set;
    set.n = n;
    set.p = p;
    set.mean = n * p;
    set.middle = n * p + 0.5;
    set.twice_a = 2 * (-0.0873 + 0.0248 * b + 0.01 * p);
    set.b = b;
    set.scale = 2.83f + 5.1f / (float)b;
    set.share = 1 / (float)n;
    set.good = (float)(n * p);
    set.bad = (float)(n * (1 - p));
    set.of_good = 1 / set.good;
    set.of_bad = 1 / set.bad;
    set.rest = tb_stirling_rest_f32((float)n);
    return set;
}

TB_FN double tb_binomial_begin(tb_u64 x, tb_u64 y, tb_binomial_set set)
{
    (void)set;
    return tb_second_f64(x, y) - 0.5;
}

TB_FN double tb_binomial_try(double u, tb_u64 x, tb_u64 y, tb_binomial_set set)
{
    const double v = tb_first_f64(x, y), us = 0.5 - fabs(u);
    const double k = floor((set.twice_a / us + set.b) * u + set.middle);
    const int inside = (k >= 0) & (k <= set.n);
    const float w = (float)(us * us), hat = fmaf((float)set.b, w, (float)(0.5 * set.twice_a));
    const float q = (float)v * set.scale * w * tb_reciprocal_f32(hat);
    const float yes = inside ? (float)k : 0, no = inside ? (float)(set.n - k) : 0;
    const float d = inside ? (float)(k - set.mean) : 0;
    const float log_p = set.rest - tb_stirling_rest_f32(yes) - tb_stirling_rest_f32(no) -
                        tb_deviance(d, set.good, d * set.of_good) - tb_deviance(-d, set.bad, -d * set.of_bad);
    const float under = tb_under_root(yes) * (tb_under_root(no) * set.share);
    const int taken = inside & (0.5f * TB_LOG_f32(q * q * under) <= log_p);
    return taken ? k : TB_NAN_F64;
}

/* What k of the rarer outcome is of successes. */
TB_FN tb_i64 tb_binomial_result(double k, tb_i64 trials, int turned)
{
    const tb_i64 n = tb_count(k);
    return turned && k == k ? trials - n : n;
}

/* Trials of which the rarer outcome is drawn, and turned where that is not success. */
typedef struct tb_trials {
    tb_binomial_set of;
    tb_i64 n;
    int valid, turned;
} tb_trials;

TB_FN tb_trials tb_set_random_binomial_u64_i64_f64_i64(tb_i64 n, double p)
{
    tb_trials trials;
    trials.of = tb_make_binomial((double)n, p > 0.5 ? 1 - p : p);
    trials.n = n;
    trials.valid = (n >= 0) & (p >= 0) & (p <= 1);
    trials.turned = p > 0.5;
    return trials;
}

TB_FN int tb_step_random_binomial_u64_i64_f64_i64(tb_u32 t, tb_u64 key, tb_trials trials, tb_i64 *r)
{
    tb_u64 y;
    double k;
    if (!(trials.of.mean >= TB_FEW)) k = trials.valid ? tb_binomial_few(key, trials.of.n, trials.of.p) : TB_NAN_F64;
    else {
        const tb_u64 x = tb_point_draws(key, t, 0, &y);
        k = tb_binomial_try(tb_binomial_begin(x, y, trials.of), x, y, trials.of);
    }
    *r = trials.valid ? tb_binomial_result(k, trials.n, trials.turned) : TB_NO_COUNT;
    return (k == k) | !trials.valid | (t >= TB_ATTEMPTS - 1);
}

TB_CALLED tb_i64 tb_random_binomial(tb_u64 key, tb_i64 n, double p)
{
    const tb_trials trials = tb_set_random_binomial_u64_i64_f64_i64(n, p);
    tb_i64 r;
    tb_u32 k = 0;
    while (!tb_step_random_binomial_u64_i64_f64_i64(k, key, trials, &r)) k++;
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

/* What the logarithm of a number's probability is made of: the mean numbers of drawn good ones, of good ones left, of
 * drawn bad ones and of what is left of these, and their reciprocals. */
typedef struct tb_urn_means {
    float drawn_good, good, drawn_bad, bad;
    float of_drawn_good, of_good, of_drawn_bad, of_bad;
} tb_urn_means;

TB_FN tb_urn_means tb_make_urn_means(tb_urn urn)
{
    const double share = urn.drawn / urn.total, mean = urn.good * share;
    tb_urn_means m;
    m.drawn_good = (float)mean;
    m.good = (float)(urn.good - mean);
    m.drawn_bad = (float)(urn.drawn - mean);
    m.bad = (float)((urn.total - urn.good) * (1 - share));
    m.of_drawn_good = 1 / m.drawn_good;
    m.of_good = 1 / m.good;
    m.of_drawn_bad = 1 / m.drawn_bad;
    m.of_bad = 1 / m.bad;
    return m;
}

/* The part of one of these numbers, n = m + d, in the logarithm. */
TB_FN float tb_urn_part(float n, float d, float m, float of_m)
{
    return tb_stirling_rest_f32(n) + tb_deviance(d, m, d * of_m);
}

/* The logarithm, but for what k has no part in and for the root of *under. All four numbers differ by as much from
 * their means. */
TB_FN float tb_urn_log(tb_urn urn, tb_urn_means m, double k, float *under)
{
    const float d = (float)(k - urn.drawn / urn.total * urn.good);
    const float n0 = (float)k, n1 = (float)(urn.good - k), n2 = (float)(urn.drawn - k),
                n3 = (float)(urn.total - urn.good - urn.drawn + k);
    *under = tb_under_root(n0) * m.of_drawn_good * (tb_under_root(n1) * m.of_good) *
             (tb_under_root(n2) * m.of_drawn_bad) * (tb_under_root(n3) * m.of_bad);
    return -tb_urn_part(n0, d, m.drawn_good, m.of_drawn_good) - tb_urn_part(n1, -d, m.good, m.of_good) -
           tb_urn_part(n2, -d, m.drawn_bad, m.of_drawn_bad) - tb_urn_part(n3, d, m.bad, m.of_bad);
}

/* Stadlober, "The ratio of uniforms approach for generating discrete random variates" (1990): HRUA. */
typedef struct tb_hypergeometric_set {
    tb_urn urn;
    tb_urn_means means;
    double mean, width, end;
    float most, of_mode; /* the logarithm that the mode has, and what of it is not under a root, inverted */
} tb_hypergeometric_set;

TB_FN tb_hypergeometric_set tb_make_hypergeometric(tb_urn urn)
{
    const double share = urn.good / urn.total, mean = urn.drawn * share + 0.5;
    const double variance = (urn.total - urn.drawn) * urn.drawn * share * (1 - share) / (urn.total - 1);
    const double spread = sqrt(variance + 0.5), last = floor(mean + 16 * spread);
    const double mode = floor((urn.drawn + 1) * (urn.good + 1) / (urn.total + 2));
    tb_hypergeometric_set set;
    float under;
    set.urn = urn;
    set.means = tb_make_urn_means(urn);
    set.mean = mean;
    set.width = 1.7155277699214135 * spread + 0.8989161620588988;
    set.end = urn.drawn + 1 < last ? urn.drawn + 1 : last;
    set.most = tb_urn_log(urn, set.means, mode, &under);
    set.of_mode = 1 / under;
    return set;
}

TB_FN double tb_hypergeometric_begin(tb_u64 x, tb_u64 y, tb_hypergeometric_set set)
{
    return set.mean + set.width * (tb_second_f64(x, y) - 0.5) / tb_first_f64(x, y);
}

TB_FN double tb_hypergeometric_try(double w, tb_u64 x, tb_u64 y, tb_hypergeometric_set set)
{
    const double v = tb_first_f64(x, y);
    const int inside = (w >= 0) & (w < set.end);
    const double k = floor(inside ? w : 0);
    const float v2 = (float)(v * v);
    float under;
    const float log_p = tb_urn_log(set.urn, set.means, k, &under) - set.most;
    const int taken = inside & (0.5f * TB_LOG_f32(v2 * v2 * under * set.of_mode) <= log_p);
    return taken ? k : TB_NAN_F64;
}

/* What was asked for, and how it is drawn. */
typedef struct tb_draw_of_urn {
    tb_hypergeometric_set of;
    tb_c128 content;
    double drawn;
    int valid;
} tb_draw_of_urn;

TB_FN tb_draw_of_urn tb_set_random_hypergeometric_u64_c128_f64_i64(tb_c128 content, double drawn)
{
    tb_draw_of_urn draw;
    draw.of = tb_make_hypergeometric(tb_make_urn(content, drawn));
    draw.content = content;
    draw.drawn = drawn;
    draw.valid = tb_urn_valid(content, drawn);
    return draw;
}

TB_FN int tb_step_random_hypergeometric_u64_c128_f64_i64(tb_u32 t, tb_u64 key, tb_draw_of_urn draw, tb_i64 *r)
{
    const tb_urn urn = draw.of.urn;
    tb_u64 y;
    double k;
    if (!(urn.drawn > TB_FEW))
        k = draw.valid ? tb_hypergeometric_few(key, urn.total, urn.good, urn.drawn) : TB_NAN_F64;
    else {
        const tb_u64 x = tb_point_draws(key, t, 0, &y);
        k = tb_hypergeometric_try(tb_hypergeometric_begin(x, y, draw.of), x, y, draw.of);
    }
    *r = draw.valid ? tb_count(tb_urn_result(draw.content, draw.drawn, k)) : TB_NO_COUNT;
    return (k == k) | !draw.valid | (t >= TB_ATTEMPTS - 1);
}

TB_CALLED tb_i64 tb_random_hypergeometric(tb_u64 key, tb_c128 content, double drawn)
{
    const tb_draw_of_urn draw = tb_set_random_hypergeometric_u64_c128_f64_i64(content, drawn);
    tb_i64 r;
    tb_u32 k = 0;
    while (!tb_step_random_hypergeometric_u64_c128_f64_i64(k, key, draw, &r)) k++;
    return r;
}

/* ---- Zipf -------------------------------------------------------------------------------------------------------- */

/* Devroye, "Non-uniform random variate generation" (1986), X.6.1, within the numbers that an int64 holds. */
typedef struct tb_zipf_set {
    double power, range, log_b, of_slope;
    int valid;
} tb_zipf_set;

TB_FN tb_zipf_set tb_set_random_zipf_u64_f64_i64(double a)
{
    tb_zipf_set set;
    set.power = a > 1 ? a < 1025 ? a - 1 : 1024 : TB_NAN_F64;
    set.range = tb_expm1_below_f64(-43.66827237527655 * set.power);
    set.log_b = set.power * 0.693147180559945309417;
    set.of_slope = 1 / tb_expm1_below_f64(set.log_b);
    set.valid = a > 1;
    return set;
}

TB_FN double tb_zipf_begin(tb_u64 x, tb_u64 y, tb_zipf_set set)
{
    const double u = 1 - tb_first_f64(x, y);
    return floor(tb_exp_below_f64(-tb_log1p_above_f64(u * set.range) / set.power));
}

TB_FN double tb_zipf_try(double k, tb_u64 x, tb_u64 y, tb_zipf_set set)
{
    const double v = 1 - tb_second_f64(x, y);
    const double log_t = set.power * tb_log1p_above_f64(1 / k), slope = tb_expm1_below_f64(log_t) * set.of_slope;
    const int taken = (k >= 1) & (k < 0x1p63) & (v * k * slope <= tb_exp_below_f64(log_t - set.log_b));
    return taken ? k : TB_NAN_F64;
}

TB_FN int tb_step_random_zipf_u64_f64_i64(tb_u32 t, tb_u64 key, tb_zipf_set set, tb_i64 *r)
{
    tb_u64 y;
    const tb_u64 x = tb_point_draws(key, t, 0, &y);
    const double k = tb_zipf_try(tb_zipf_begin(x, y, set), x, y, set);
    *r = tb_count(k);
    return (k == k) | !set.valid | (t >= TB_ATTEMPTS - 1);
}
TB_STEPS(tb_random_zipf, random_zipf_u64_f64_i64, tb_i64, double)

/* ---- by inversion alone ------------------------------------------------------------------------------------------ */

typedef struct tb_geometric_set { double l; } tb_geometric_set; /* log(1 - p) */

TB_FN tb_geometric_set tb_set_random_geometric_u64_f64_i64(double p)
{
    const tb_geometric_set set = {((p > 0) & (p <= 1)) ? tb_log1p_above_f64(-p) : TB_NAN_F64};
    return set;
}

/* Trials until the first that succeeds; of the key, which is both words. */
TB_FN double tb_geometric_of(tb_u64 x, tb_u64 y, tb_geometric_set set)
{
    const double k = ceil(tb_log_normal_f64(tb_first_f64(x, y)) / set.l);
    return k < 1 ? 1 : k;
}

TB_FN int tb_step_random_geometric_u64_f64_i64(tb_u32 t, tb_u64 key, tb_geometric_set set, tb_i64 *r)
{
    (void)t;
    *r = tb_count(tb_geometric_of(key, key, set));
    return 1;
}
TB_STEPS(tb_random_geometric, random_geometric_u64_f64_i64, tb_i64, double)

/* Kemp, "Efficient generation of logarithmically distributed pseudo-random variables" (1981): LK. */
typedef struct tb_logseries_set {
    double p, l; /* l: log(1 - p) */
    int valid;
} tb_logseries_set;

TB_FN tb_logseries_set tb_set_random_logseries_u64_f64_i64(double p)
{
    const int valid = (p >= 0) & (p < 1);
    const tb_logseries_set set = {p, tb_log1p_above_f64(valid ? -p : 0), valid};
    return set;
}

TB_FN double tb_logseries_of(tb_u64 x, tb_u64 y, tb_logseries_set set)
{
    const double v = tb_first_f64(x, y), r = set.l * (1 - tb_second_f64(x, y));
    const double q = -tb_expm1_below_f64(r), k = floor(1 + TB_LOG_f64(v) / tb_log1p_above_f64(-tb_exp_below_f64(r)));
    const double n = ((v >= set.p) | (v >= q)) ? 1 : v <= q * q ? k : 2;
    return set.valid ? n : TB_NAN_F64;
}

TB_FN int tb_step_random_logseries_u64_f64_i64(tb_u32 t, tb_u64 key, tb_logseries_set set, tb_i64 *r)
{
    tb_u64 y;
    const tb_u64 x = tb_point_draws(key, t, 0, &y);
    *r = tb_count(tb_logseries_of(x, y, set));
    return 1;
}
TB_STEPS(tb_random_logseries, random_logseries_u64_f64_i64, tb_i64, double)
#endif
