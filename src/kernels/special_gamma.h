/* special_gamma.h - the gamma function's relatives for real arguments. */
#ifndef TB_KERNELS_SPECIAL_GAMMA_H
#define TB_KERNELS_SPECIAL_GAMMA_H

TB_CALLED double tb_gamma(double x)
{
    if (x == -TB_INFINITE) return TB_NONE;
    return tb_tgamma(x);
}

TB_FN double tb_gammasgn(double x)
{
    if (x == 0) return copysign(1.0, x);
    if (x > 0 || x != x) return x > 0 ? 1 : x;
    if (tb_is_whole(x)) return TB_NONE;
    return tb_is_odd(floor(x)) ? -1 : 1;
}

/* 1 / gamma(x), which has no poles: where gamma overflows or underflows, from ten steps away. */
TB_CALLED double tb_rgamma(double x)
{
    if (fabs(x) < 1e-17) return x;
    if (x <= 0 && tb_is_whole(x)) return 0;
    double factor = 1;
    if (x > 171) {
        if (x > 186) return 0;
        for (int k = 0; k < 15; k++) factor /= x - 1 - k;
        return factor / tb_tgamma(x - 15);
    }
    if (x < -170) {
        if (x < -185) return tb_gammasgn(x) * TB_INFINITE;
        for (int k = 0; k < 15; k++) factor *= x + k;
        return factor / tb_tgamma(x + 15);
    }
    return 1 / tb_tgamma(x);
}

/* (-1)^k zeta(k) / k down to k = 2: log(gamma(1 + z)) without its linear term. */
TB_CURVE tb_loggamma_taylor[22] = {
    -0.04347826605304026, 0.04545455629320467,   -0.047619070330142226, 0.05000004769810169,  -0.05263167937961666,
    0.055555767627403614, -0.058823978658684585, 0.06250095514121304,   -0.06666870588242046, 0.07143294629536133,
    -0.0769325164113522,  0.083353840546109,     -0.09095401714582904,  0.1000994575127818,   -0.11133426586956469,
    0.12550966952474304,  -0.1440498967688461,   0.1695571769974082,    -0.20738555102867398, 0.27058080842778454,
    -0.40068563438653143, 0.8224670334241132};

/* log(gamma(x)) - ((x - 1/2) log(x) - x + log(2 pi) / 2), x >= 10: DLMF 5.11.1. */
TB_FN double tb_stirling(double x)
{
    const double r = 1 / x, r2 = r * r;
    double p = -0.029550653594771242;
    p = fma(p, r2, 0.00641025641025641);
    p = fma(p, r2, -0.0019175269175269176);
    p = fma(p, r2, 0.0008417508417508417);
    p = fma(p, r2, -0.0005952380952380953);
    p = fma(p, r2, 0.0007936507936507937);
    p = fma(p, r2, -0.002777777777777778);
    return fma(p, r2, 0.08333333333333333) * r;
}

/* log(gamma(2 + d)) / d in 2 d, |d| <= 1/2. */
TB_CURVE tb_loggamma_2[18] = {2.0962059060600024e-12,  -8.867306165956492e-12,  2.8206946487921987e-11,
                              -1.2050236137952312e-10, 5.350164231426595e-10,   -2.3086641882572558e-09,
                              1.0012704932493954e-08,  -4.38708276994606e-08,   1.94253158049944e-07,
                              -8.716991307145595e-07,  3.981793122286463e-06,   -1.8636779703098573e-05,
                              9.03284478395594e-05,    -0.00046159693930847154, 0.0025726010534729226,
                              -0.016838075263298908,   0.1612335167120566,      0.42278433509846713};

#ifdef __CUDACC_RTC__
/* Steps from [3/2, 5/2], which is around a zero, are a product and one logarithm for all lanes. */
TB_FN double tb_lgamma_of_positive_apart(double x)
{
    if (x >= 10) return (x - 0.5) * (log(x) - 1) + 0.418938533204672741780 + tb_stirling(x);
    double above = 1, y = x, d = x < 0.5 ? x : x - 1;
    while (y >= 2.5) {
        y -= 1;
        above *= y;
    }
    if (x >= 1.5) d = y - 2;
    const double l = log(x < 0.5 ? x * (x + 1) : x < 1.5 ? x : above);
    return fma(d, tb_horner(2 * d, tb_loggamma_2, 18), x < 1.5 ? -l : l);
}

TB_CALLED double tb_lgamma_of_positive(double x)
{
    TB_TOGETHER(const double result = tb_lgamma_of_positive_apart(x));
    return result;
}

TB_FN double tb_lgamma_apart(double x)
{
    if (!(x < 0)) return tb_lgamma_of_positive(x);
    if (tb_is_whole(x)) return TB_INFINITE;
    if (x > -1e-17) return -log(-x);
    return log(TB_PI / fabs(x * tb_sin_pi(x))) - tb_lgamma_of_positive(-x);
}

TB_CALLED double tb_lgamma(double x)
{
    TB_TOGETHER(const double result = tb_lgamma_apart(x));
    return result;
}
#else
/* Not lgamma, which writes the sign to a variable that threads share. */
TB_FN double tb_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}
#endif

/* The log of gamma(|x|) where x is no pole. */
TB_CALLED double tb_gammaln(double x)
{
    const double y = tb_lgamma(x);
    return x == -TB_INFINITE ? x : y;
}

/* ---- digamma ----------------------------------------------------------------------------------------------------- */

/* Divided by the distance to the positive zero, in t = 2 x - 3, for x in [1, 2]; and the same for the first negative
 * zero, in five times the distance, up to a fifth away. */
TB_CURVE tb_digamma_slope[22] = {
    -8.50550766013261e-11,   2.478695345606839e-10,  -2.7580994814377e-10,    8.657533672812613e-10,
    -3.7083753242807277e-09, 1.1039363482759935e-08, -3.162911147408454e-08,  9.500659034300503e-08,
    -2.863161166883193e-07,  8.59134317611421e-07,   -2.578093954045772e-06,  7.741156049273805e-06,
    -2.3258242519113285e-05, 6.995020506384849e-05,  -0.00021074841138175561, 0.0006368880282849916,
    -0.0019350666648613071,  0.005936795278436479,   -0.018550615381735008,   0.060135621060193475,
    -0.2118137106407303,     0.951055876031833};
TB_CURVE tb_digamma_below[25] = {
    7.028513658456655e-09,  -3.6834473385657407e-09, -1.994410014361527e-09, 1.7570804601149416e-09,
    1.1945660039876997e-07, -5.263264934771406e-08,  5.23221957650403e-07,   -1.9837904116916494e-07,
    3.5011629281356864e-06, -1.2082272101130088e-06, 2.1656644439427228e-05, -6.5907371639339306e-06,
    0.00013516358184632844, -3.5705787119247864e-05, 0.0008432288273721684,  -0.00018871176992527253,
    0.005262171584048275,   -0.0009648256522684394,  0.03284930961491959,    -0.004706150952270727,
    0.2052374774901096,     -0.022088093190428197,   1.2903428825966083,     -0.16186909250612916,
    8.939798558792134};

#define TB_DIGAMMA_ZERO 1.4616321449683622
#define TB_DIGAMMA_BELOW -0.5040830082644554

/* The log of x less 1 / (2 x) and digamma, divided by r = 1 / x^2, for x >= 2; DLMF 5.11.2 is its series at r = 0. */
TB_CURVE tb_digamma_rest[16] = {
    -228.61691153950466,   486.98761300990276,  -478.3223475788497,    288.6347960042415,
    -120.66792103567248,   37.5991914738121,    -9.283194730736733,    1.9487133358213296,
    -0.3835856766637056,   0.08081344471840027, -0.021014697590034933, 0.007574100974123103,
    -0.004166644757054354, 0.003968253812375423, -0.008333333332885825, 0.08333333333333312};

TB_CALLED double tb_digamma_positive(double x)
{
    const double inverse = 1 / x, r = inverse * inverse;
    double sum = 0;
    if (x > 2) return log(x) - 0.5 * inverse - tb_horner(r, tb_digamma_rest, 16) * r;
    if (x < 1) {
        sum = -inverse;
        x += 1;
    }
    const double distance = (x - TB_DIGAMMA_ZERO) - 9.549995429965697e-17;
    return sum + distance * tb_horner(2 * x - 3, tb_digamma_slope, 22);
}

TB_CALLED double tb_digamma(double x)
{
    if (x > 0 || x != x) return tb_digamma_positive(x);
    if (x == 0) return copysign(TB_INFINITE, -x);
    if (tb_is_whole(x)) return TB_NONE;
    if (fabs(x - TB_DIGAMMA_BELOW) < 0.2) {
        const double distance = (x - TB_DIGAMMA_BELOW) + 8.15428206243813e-18;
        return distance * tb_horner(5 * distance, tb_digamma_below, 25);
    }
    const double r = x - rint(x);
    return tb_digamma_positive(1 - x) - TB_PI * tb_cos_pi(r) / tb_sin_pi(r);
}

/* ---- beta -------------------------------------------------------------------------------------------------------- */

/* x (x + 1) ... (x + n - 1). */
TB_FN double tb_rising(double x, int n)
{
    double p = 1;
    for (int k = 0; k < n; k++) p *= x + k;
    return p;
}

/* log(gamma(x)) = whole + rest, x >= 10, so that differences of the first parts lose nothing that a caller cannot mend:
 * both parts of log(gamma(b) / gamma(a + b)) for b >= 10, a >= 0 (Didonato and Morris, ACM TOMS 18, 1992). */
TB_CALLED double tb_gammaln_ratio(double a, double b)
{
    const double q = a / b, h = log1p(q);
    return -(b + a - 0.5) * h - a * (log(b) - 1) + tb_stirling(b) - tb_stirling(a + b);
}

/* log(|beta(a, b)|) of positive numbers. */
TB_FN double tb_betaln_positive_apart(double x, double y)
{
    const double a = x < y ? x : y, b = x < y ? y : x;
    if (b == TB_INFINITE) return -b;
    if (a >= 10) {
        const double q = a / b, s = q / (1 + q);
        return -0.5 * log(b) + 0.918938533204672741780 + (a - 0.5) * log(s) - b * log1p(q) + tb_stirling(a) +
               tb_stirling(b) - tb_stirling(a + b);
    }
    if (b >= 10) return tb_lgamma(a) + tb_gammaln_ratio(a, b);
    if (a < 1e-300) return log1p(a / b) - log(a); /* gamma of the least ones is infinite */
    return log(tb_tgamma(a) * (tb_tgamma(b) / tb_tgamma(a + b)));
}

TB_CALLED double tb_betaln_positive(double x, double y)
{
    TB_TOGETHER(const double result = tb_betaln_positive_apart(x, y));
    return result;
}

TB_FN int tb_is_pole(double x) { return x <= 0 && tb_is_whole(x); }

/* beta(n, b) for a whole n <= 0: finite for a whole b in [1, -n] alone, where gamma's poles cancel. */
TB_FN double tb_beta_pole(double n, double b, int log_of)
{
    if (n == -TB_INFINITE || !(tb_is_whole(b) && 1 - n - b > 0)) return TB_INFINITE;
    const double l = b > 0 ? tb_betaln_positive(1 - n - b, b) : TB_INFINITE;
    return log_of ? l : (tb_is_odd(b) ? -1 : 1) * exp(l);
}

/* Of a > b, b < 0, neither a pole, one of them far from 0: differences of gammaln's would lose what it has more digits
 * than. What gamma of negative numbers is by reflection leaves quotients of gamma of positive ones. */
TB_CALLED double tb_betaln_far(double a, double b)
{
    const double sum = a + b, less = 1 - b;
    if (tb_is_pole(sum)) return -TB_INFINITE;
    if (a > 0 && sum >= 10) return tb_gammaln(b) - tb_gammaln_ratio(-b, sum);
    if (a > 0 && sum < 0) return tb_betaln_positive(a, 1 - sum) + log(fabs(tb_sin_pi(sum) / tb_sin_pi(b)));
    if (a > 0) {
        const double ratio = sum >= 1 ? -tb_gammaln_ratio(sum - 1, less) : tb_gammaln_ratio(1 - sum, a);
        return log(TB_PI / fabs(tb_sin_pi(b))) - tb_gammaln(sum) + ratio;
    }
    const double sines = TB_PI * tb_sin_pi(sum) / (tb_sin_pi(a) * tb_sin_pi(b));
    return log(fabs(sines) / (1 - sum)) - tb_betaln_positive(1 - a, less);
}

TB_CALLED double tb_betaln(double a, double b)
{
    if (tb_is_pole(a)) return tb_beta_pole(a, b, 1);
    if (tb_is_pole(b)) return tb_beta_pole(b, a, 1);
    if (a != a || b != b || (a == TB_INFINITE && b == TB_INFINITE)) return TB_NONE;
    if (a > 0 && b > 0) return tb_betaln_positive(a, b);
    const double most = fmax(fabs(a), fabs(b));
    if (most > 20 && most < TB_INFINITE) return a > b ? tb_betaln_far(a, b) : tb_betaln_far(b, a);
    return tb_gammaln(a) + tb_gammaln(b) - tb_gammaln(a + b);
}

TB_FN double tb_beta_of_positive_apart(double a, double b)
{
    const double small = a < b ? a : b, big = a < b ? b : a;
    if (small < 10 && big >= 10) return tb_tgamma(small) * exp(tb_gammaln_ratio(small, big));
    return exp(tb_betaln_positive(a, b));
}

TB_CALLED double tb_beta_of_positive(double a, double b)
{
    TB_TOGETHER(const double result = tb_beta_of_positive_apart(a, b));
    return result;
}

/* beta(a, b) for a large and b > -100. */
TB_FN double tb_beta_above(double a, double b)
{
    double factor = 1;
    for (; b < 0; b += 1) factor *= (a + b) / b;
    return factor * tb_beta_of_positive(a, b);
}

/* For a, b > 0 whose sum gamma is not too large for; by about digamma, what the sum's rounding does. */
TB_FN double tb_beta_by_gamma(double a, double b)
{
    const double big = fmax(a, b), small = fmin(a, b), sum = a + b, rest = small - (sum - big);
    if (small < 1e-300) return (1 + small / big) / small;
    const double quotient = tb_gamma_of_positive(big) / tb_gamma_of_positive(sum) * tb_gamma_of_positive(small);
    return sum > 2 ? fma(-quotient, rest * logf((float)sum - 0.5f), quotient) : quotient;
}

TB_FN double tb_beta_apart(double a, double b)
{
    if (a > 0 && b > 0 && a + b < 140) return tb_beta_by_gamma(a, b);
    if (tb_is_pole(a)) return tb_beta_pole(a, b, 0);
    if (tb_is_pole(b)) return tb_beta_pole(b, a, 0);
    if (a != a || b != b || (a == TB_INFINITE && b == TB_INFINITE)) return TB_NONE;
    const double sum = a + b;
    if (tb_is_pole(sum) || sum == TB_INFINITE) return 0;
    /* Up from negative numbers: beta(a, b) = beta(a, b + 1) (a + b) / b. */
    if (b < 0 && b > -100 && a > 30) return tb_beta_above(a, b + 1) * sum / b;
    if (a < 0 && a > -100 && b > 30) return tb_beta_above(b, a + 1) * sum / a;
    if (fabs(a) < 30 && fabs(b) < 30) {
        const double big = fabs(a) > fabs(b) ? a : b, small = fabs(a) > fabs(b) ? b : a;
        return tb_tgamma(big) / tb_tgamma(sum) * tb_tgamma(small);
    }
    if (a > 0 && b > 0) return tb_beta_of_positive(a, b);
    return tb_gammasgn(a) * tb_gammasgn(b) * tb_gammasgn(sum) * exp(tb_betaln(a, b));
}

TB_CALLED double tb_beta(double a, double b)
{
    TB_TOGETHER(const double result = tb_beta_apart(a, b));
    return result;
}

/* gamma(x + m) / gamma(x). */
TB_CALLED double tb_poch(double x, double m)
{
    if (x != x || m != m) return x + m;
    if (m == 0) return 1;
    if (tb_is_whole(m) && fabs(m) <= 30) {
        double p = 1;
        if (m > 0) return tb_rising(x, (int)m);
        for (int k = 0; k < (int)-m; k++) {
            if (x - 1 - k == 0) return TB_INFINITE;
            p /= x - 1 - k;
        }
        return p;
    }
    if (tb_is_pole(x + m)) {
        if (!tb_is_pole(x)) return tb_is_whole(m) && !tb_is_whole(x) ? 0 : TB_INFINITE; /* if the sum was rounded */
        const double sign = tb_is_odd(m) ? -1 : 1; /* both poles: gamma(1 - x) / gamma(1 - x - m) */
        return sign * exp(tb_lgamma(1 - x) - tb_lgamma(1 - x - m));
    }
    if (tb_is_pole(x)) return 0;
    if (fabs(x) < 150 && fabs(x + m) < 150) return tb_tgamma(x + m) / tb_tgamma(x);
    if (x >= 10 && m > 0) return exp(-tb_gammaln_ratio(m, x));
    if (x + m >= 10 && m < 0) return exp(tb_gammaln_ratio(-m, x + m));
    return tb_gammasgn(x) * tb_gammasgn(x + m) * exp(tb_gammaln(x + m) - tb_gammaln(x));
}

/* n (n - 1) ... (n - k + 1) / k!, from the last factor on: every product before a division is a whole multiple. */
TB_FN double tb_falling_ratio(double n, int k)
{
    double p = 1;
    for (int i = 1; i <= k; i++) {
        const double factor = n - (k - i);
        p = fabs(p) < 1e280 ? p * factor / i : p * (factor / i);
    }
    return p;
}

/* gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1)): DLMF 1.2.6 for a small whole k or n - k, else by the beta function,
 * where one of the denominator's arguments is negative by the reflection of its gamma function (DLMF 5.5.3). */
TB_FN double tb_binom_apart(double n, double k)
{
    const double least = 1e-300; /* that has a reciprocal */
    if (n != n || k != k || (n < 0 && tb_is_whole(n))) return TB_NONE;
    if (k == -TB_INFINITE) return n > -1 ? 0 : TB_NONE;
    const double other = n - k;
    if (tb_is_whole(k) && k >= 0 && k <= 20) return tb_falling_ratio(n, (int)k);
    if (tb_is_whole(n) && tb_is_whole(k) && other >= 0 && other <= 20) return tb_falling_ratio(n, (int)other);
    if (other < -least) {
        /* Of a small n nothing is left in a difference from a whole k. */
        const double turned = fmod(k, 2) == 0 ? -1 : 1;
        const double sine = tb_is_whole(k) && k < TB_INFINITE ? turned * tb_sin_pi(n) : tb_sin_pi(-other);
        return sine / TB_PI * tb_beta(n + 1, -other);
    }
    if (k < -least) return tb_sin_pi(-k) / TB_PI * tb_beta(n + 1, -k);
    const double product = (n + 1) * tb_beta(other + 1, k + 1);
    return product > 1e-290 ? 1 / product : exp(-tb_betaln(other + 1, k + 1) - log(n + 1));
}

TB_CALLED double tb_binom(double n, double k)
{
    TB_TOGETHER(const double result = tb_binom_apart(n, k));
    return result;
}
#endif
