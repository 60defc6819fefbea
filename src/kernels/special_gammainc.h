/* special_gammainc.h - the regularised incomplete gamma functions P and Q, their inverses, and distributions made of
 * them. */
#ifndef TB_KERNELS_SPECIAL_GAMMAINC_H
#define TB_KERNELS_SPECIAL_GAMMAINC_H

/* log(gamma(1 + a)) for a >= 0, accurate near 0. */
TB_FN double tb_lgamma1p_apart(double a)
{
    return a < 0.2 ? a * fma(a, tb_horner(a, tb_loggamma_taylor, 22), -TB_EULER) : tb_lgamma(1 + a);
}

TB_CALLED double tb_lgamma1p(double a)
{
    TB_TOGETHER(const double result = tb_lgamma1p_apart(a));
    return result;
}

/* x^a exp(-x) / gamma(a + 1). */
TB_CALLED double tb_gamma_front(double a, double x)
{
    if (a >= 10) {
        const double d = (x - a) / a, l = fabs(d) < 0.4 ? tb_log1p_minus(d) : log(x / a) - d;
        if (fabs(d) >= 0.4 && fabs(a * log(x / a)) < 700 && x - a < 700)
            return tb_pow(x / a, a) * exp(a - x) * exp(-tb_stirling(a)) / sqrt(2 * TB_PI * a);
        return exp(a * l - tb_stirling(a)) / sqrt(2 * TB_PI * a);
    }
    return x < 600 ? tb_pow(x, a) * exp(-x) / tb_tgamma(a + 1) : exp(a * log(x) - x - tb_lgamma1p(a));
}

/* P over x^a exp(-x) / gamma(a + 1) by DLMF 8.11.4: where neither overflows, the sum is one fraction, which is
 * divided once. */
TB_FN double tb_gammainc_ratio_apart(double a, double x, double tolerance)
{
    double sum = 1, term = 1, below = 1;
    if (a < 40 && x < 40) {
        for (double next = a + 1; term > tolerance * sum; next += 1) {
            term *= x;
            sum = fma(sum, next, term);
            below *= next;
        }
        return sum / below;
    }
    for (int k = 1; k < 2000; k++) {
        term *= x / (a + k);
        sum += term;
        if (term <= tolerance * sum) break;
    }
    return sum;
}

TB_CALLED double tb_gammainc_ratio(double a, double x, double tolerance)
{
    TB_TOGETHER(const double result = tb_gammainc_ratio_apart(a, x, tolerance));
    return result;
}

TB_FN double tb_gammainc_series(double a, double x) { return tb_gammainc_ratio(a, x, TB_EPS) * tb_gamma_front(a, x); }

/* Q for small x, where 1 - P would lose digits: DLMF 8.7.3. */
TB_FN double tb_gammaincc_series(double a, double x)
{
    double factor = 1, sum = 0;
    for (int k = 1; k < 2000; k++) {
        factor *= -x / k;
        const double term = factor / (a + k);
        sum += term;
        if (fabs(term) <= TB_EPS * fabs(sum)) break;
    }
    const double l = a * log(x), g = tb_lgamma1p(a);
    return -expm1(l - g) - a * exp(l - g) * sum;
}

/* Q over x^a exp(-x) / gamma(a) by the continued fraction DLMF 8.9.2, by the recurrence of its numerators and
 * denominators (DLMF 1.12.5). Where that is no zero, a step multiplies these by less than 1e11. */
TB_FN double tb_gammaincc_ratio_apart(double a, double x, double tolerance)
{
    double b = x + 1 - a, above0 = 0, above = 1, below0 = 1, below = b;
    for (int k = 1; k < 5000; k++) {
        const double n = -k * (k - a), scale = fabs(below) > 1e100 ? 1e-100 : fabs(below) < 1e-100 ? 1e100 : 1;
        b += 2;
        const double above2 = scale * fma(b, above, n * above0), below2 = scale * fma(b, below, n * below0);
        above0 = scale * above;
        below0 = scale * below;
        above = above2;
        below = below2;
        if (fabs(above * below0 - above0 * below) <= tolerance * fabs(above0 * below)) break;
    }
    return above / below;
}

TB_CALLED double tb_gammaincc_ratio(double a, double x, double tolerance)
{
    TB_TOGETHER(const double result = tb_gammaincc_ratio_apart(a, x, tolerance));
    return result;
}

TB_CALLED double tb_gammaincc_fraction(double a, double x)
{
    const double front = a * tb_gamma_front(a, x);
    return front > 0 ? front * tb_gammaincc_ratio(a, x, TB_EPS) : front;
}

/* Coefficients of Temme's expansion (SIAM J. Math. Anal. 10, 1979; DLMF 8.12.7), the highest power of eta first: as
 * many for each power of 1 / a as matter for a >= 20 and |eta| < 0.36. */
TB_CURVE tb_temme[122] = {
    2.4361948020667415e-11,  -5.830772132550426e-11,  -2.5514193994946248e-11, 9.14769958223679e-10,
    -4.382036018453353e-09,  1.0261809784240309e-08,  6.707853543401498e-09,   -1.7665952736826078e-07,
    8.296711340953087e-07,   -1.85406221071516e-06,   -2.185448510679992e-06,  3.919263178522438e-05,
    -0.0001787551440329218,  0.0003527336860670194,   0.0011574074074074073,   -0.014814814814814815,
    0.08333333333333333,     -0.3333333333333333,     -8.56390702649298e-11,   4.162792991842583e-10,
    -1.0091543710600413e-09, -1.7543241719747647e-11, 1.1951628599778148e-08,  -5.752545603517705e-08,
    1.378633446915721e-07,   4.647127802807434e-09,   -1.6120900894563446e-06, 7.64916091608111e-06,
    -1.8098550334489977e-05, -4.018775720164609e-07,  0.00020576131687242798,  -0.0009902263374485596,
    0.0026455026455026454,   -0.003472222222222222,   -0.001851851851851852,   -1.3670488396617114e-09,
    6.228974084922022e-09,   -1.409252991086752e-08,  -2.0477098421990866e-10, 1.4280614206064242e-07,
    -6.298992138380055e-07,  1.3721957309062934e-06,  3.423578734096138e-08,   -1.2760635188618728e-05,
    5.2923448829120125e-05,  -0.0001073665322636516,  2.0093878600823047e-06,  0.0007716049382716049,
    -0.0026813271604938273,  0.004133597883597883,    -1.9111168485973655e-08, 8.099464905388083e-08,
    -1.6958404091930278e-07, -2.7861080291528143e-11, 1.4230900732435883e-06,  -5.6749528269915965e-06,
    1.1082654115347302e-05,  -2.396505113867297e-07,  -7.561801671883977e-05,  0.00026772063206283885,
    -0.0004691894943952557,  0.00022947209362139917,  0.0006494341563786008,   2.8865829742708783e-08,
    2.956794137544049e-11,   -2.292934834000805e-07,  8.907507532205309e-07,   -1.6954149536558305e-06,
    2.507497226237533e-10,   1.1375726970678419e-05,  -3.968365047179435e-05,  6.641498215465122e-05,
    -1.4638452578843418e-06, -0.0002990724803031902,  0.0007840392217200666,   -0.0008618882909167117,
    -1.8447187191171344e-07, 3.4652846491085265e-07,  -3.252473551298454e-10,  -2.291481176508095e-06,
    8.018470256334202e-06,   -1.3594048189768693e-05, 1.419062920643967e-07,   6.797780477937208e-05,
    -0.00019932570516188847, 0.0002772753244959392,   -6.972813758365857e-05,  -0.00033679855336635813,
    5.788792863149004e-07,   -2.0291327396058603e-06, 3.465155368803609e-06,   -3.0796134506033047e-09,
    -1.8329116582843375e-05, 5.61168275310625e-05,    -8.153969367561969e-05,  7.902353232660328e-07,
    0.0002708782096718045,   -0.0005921664373536939,  0.0005313079364639922,   5.7876949497350525e-06,
    -1.8263488805711332e-05, 2.7744451511563645e-05,  -1.2741009095484485e-07, -0.00010976582244684731,
    0.0002812695154763237,   -0.00033493161081142234, 5.171790908260592e-05,   0.00034436760689237765,
    4.629953263691304e-05,   -0.00012783517679769218, 0.00016644846642067547,  -6.969091458420552e-07,
    -0.000438297098541721,   0.0008394987206720873,   -0.0006526239185953094,  -8.479507117068503e-05,
    1.819700838046515e-07,   0.00027750107634328704,  -0.0006401475260262758,  0.0006782308837667328,
    -7.204895416020011e-05,  -0.0005967612901927463};

/* Q, or P, for a >= 20 and x within 0.3 a of a. */
TB_FN double tb_gammainc_temme(double a, double x, int upper)
{
    const int count[10] = {18, 17, 15, 13, 13, 12, 11, 9, 7, 7};
    const double d = (x - a) / a, half_square = -tb_log1p_minus(d), eta = copysign(sqrt(2 * half_square), d);
    double rest = 0, power = 1;
    const double *c = tb_temme;
    for (int k = 0; k < 10; k++) {
        rest += power * tb_horner(eta, c, count[k]);
        power /= a;
        c += count[k];
    }
    const double sign = upper ? 1 : -1;
    return 0.5 * erfc(sign * eta * sqrt(a / 2)) + sign * rest * exp(-a * half_square) / sqrt(2 * TB_PI * a);
}

/* P and Q; the smaller one, or what is asked for, keeps its digits. */
TB_FN double tb_gamma_tail_apart(double a, double x, int upper)
{
    if (!(a >= 0 && x >= 0)) return TB_NONE;
    if (a == 0 || x == TB_INFINITE) {
        if (x == 0 || a == TB_INFINITE) return TB_NONE;
        return !upper;
    }
    if (x == 0 || a == TB_INFINITE) return upper;
    if (a >= 20 && fabs(x - a) < 0.3 * a) return tb_gammainc_temme(a, x, upper);
    if (x <= 1.1) {
        if (!upper || x > 0.5 ? x < a / 1.1 || !upper : -0.4 > a * log(x)) {
            const double p = tb_gammainc_series(a, x);
            return upper ? 1 - p : p;
        }
        return tb_gammaincc_series(a, x);
    }
    /* All terms of the series are positive, and where x is small it takes fewer than the fraction. */
    if (x > a + 1 && (upper || x > 12)) {
        const double q = tb_gammaincc_fraction(a, x);
        return upper ? q : 1 - q;
    }
    const double p = tb_gammainc_series(a, x);
    return upper ? 1 - p : p;
}

TB_CALLED double tb_gamma_tail(double a, double x, int upper)
{
    TB_TOGETHER(const double result = tb_gamma_tail_apart(a, x, upper));
    return result;
}

TB_FN double tb_gammainc(double a, double x) { return tb_gamma_tail(a, x, 0); }
TB_FN double tb_gammaincc(double a, double x) { return tb_gamma_tail(a, x, 1); }

/* A tail at x, and how steep its logarithm is over log(x). `of`: gamma(a), or 0 where that is too large. */
TB_FN double tb_gamma_slope_apart(double a, double of, double x, int upper, double tolerance, double *slope)
{
    const int is_small = of > 0 && x < 600, is_near = a >= 20 && fabs(x - a) < 0.3 * a;
    const double front = is_small ? tb_pow(x, a) * exp(-x) / of : a * tb_gamma_front(a, x);
    if (upper && is_small && a <= 20 && tb_is_whole(a)) { /* DLMF 8.4.10 */
        double sum = 1;
        for (double k = a - 1; k > 0; k -= 1) sum = fma(sum, x / k, 1);
        const double value = exp(-x) * sum;
        *slope = -front / value;
        return value;
    }
    if (!is_near && !upper && x < a + 12) {
        const double ratio = tb_gammainc_ratio(a, x, tolerance) / a;
        *slope = 1 / ratio;
        return front * ratio;
    }
    if (!is_near && upper && x > a + 1 && x > 1.1) {
        const double ratio = tb_gammaincc_ratio(a, x, tolerance);
        *slope = -1 / ratio;
        return front * ratio;
    }
    const double value = tb_gamma_tail(a, x, upper);
    *slope = (upper ? -front : front) / value;
    return value;
}

TB_CALLED double tb_gamma_slope(double a, double of, double x, int upper, double tolerance, double *slope)
{
    TB_TOGETHER(const double result = tb_gamma_slope_apart(a, of, x, upper, tolerance, slope));
    return result;
}

/* Where to begin. Near 0 P gamma(a + 1) = (x / (1 + x / (a + 1)))^a but for the square of x; Wilson and Hilferty's
 * normal approximation; Q's first term. `of`: gamma(a), or 0 where that is too large. */
TB_CALLED double tb_gamma_quantile_start(double a, double of, double p, double q)
{
    const double f = p * a * of, log_gamma = of > 0 ? 0 : tb_lgamma(a);
    double log_f = f > 1e-290 ? log(f) : log(p) + log(a) + (of > 0 ? log(of) : log_gamma);
    if (a < 1e-8) log_f = (q < 0.5 ? log1p(-q) : log(p)) - TB_EULER * a; /* it is divided by a */
    const double first = exp(log_f / a), part = first / (a + 1);
    if (part < 0.3) return first / (1 - part);
    const double l = of > 0 ? -log(q * of) : -log(q) - log_gamma;
    if (l > a + 2 && q < 0.1) {
        const double y = l + (a - 1) * log(l);
        return y > 1 ? l + (a - 1) * log(y) : l;
    }
    const double z = tb_about_normal(fmin(p, q)), r = 1 - 1 / (9 * a) + (p < q ? -z : z) / (3 * sqrt(a));
    return r > 0.1 ? a * r * r * r : first / (1 - fmin(part, 0.9));
}

/* P(a, x) = p, Q(a, x) = q, where p + q = 1 and the smaller one is exact: by tb_tail_step over log(x), of which the
 * density is x^a exp(-x) / gamma(a), whose logarithm is concave, and so are those of its tails. */
TB_FN double tb_gamma_quantile_apart(double a, double p, double q)
{
    if (a > 1e36) return a; /* from which all quantiles differ by less than rounding */
    const double of = a < 30 ? tb_tgamma(a) : 0;
    const int upper = q < p;
    const double wanted = upper ? q : p;
    double x = tb_gamma_quantile_start(a, of, p, q);
    double down = TB_INFINITE, up = TB_INFINITE;
    int last = 0;
    for (int k = 0; k < 100 && (!last || k < 2) && x > 0 && x < TB_INFINITE; k++) {
        double slope;
        const double is = tb_gamma_slope(a, of, x, upper, k == 0 ? 1e-9 : TB_EPS, &slope);
        double step = is > 0 ? tb_tail_step(log(is / wanted), slope, a - x, -x, -x, &last) : upper ? -1 : 1;
        step = tb_step_between(step, &down, &up);
        if (k == 0 && fabs(step) < 1e-6) down = up = TB_INFINITE; /* too few digits to tell on which side */
        x = fma(x, tb_small_expm1(step), x);
    }
    return x;
}

TB_CALLED double tb_gamma_quantile(double a, double p, double q)
{
    TB_TOGETHER(const double result = tb_gamma_quantile_apart(a, p, q));
    return result;
}

TB_FN double tb_gammaincinv_apart(double a, double p)
{
    if (!(a >= 0 && p >= 0 && p <= 1)) return TB_NONE;
    if (p == 0) return 0;
    if (p == 1) return a < TB_INFINITE ? TB_INFINITE : TB_NONE;
    if (a == 0 || a == TB_INFINITE) return TB_NONE;
    return a < 1e-290 ? 0 : tb_gamma_quantile(a, p, 1 - p);
}

TB_CALLED double tb_gammaincinv(double a, double p)
{
    TB_TOGETHER(const double result = tb_gammaincinv_apart(a, p));
    return result;
}

TB_FN double tb_gammainccinv_apart(double a, double q)
{
    if (!(a >= 0 && q >= 0 && q <= 1)) return TB_NONE;
    if (q == 1) return 0;
    if (q == 0) return a < TB_INFINITE ? TB_INFINITE : TB_NONE;
    if (a == 0 || a == TB_INFINITE) return TB_NONE;
    if (!(a < 1e-290)) return tb_gamma_quantile(a, 1 - q, q);
    const double more = 1.6069380442589903e60; /* 2^200; the quantile is in proportion to both */
    return q < 1e-200 ? tb_gamma_quantile(a * more, 1, q * more) : 0;
}

TB_CALLED double tb_gammainccinv(double a, double q)
{
    TB_TOGETHER(const double result = tb_gammainccinv_apart(a, q));
    return result;
}

/* ---- distributions ----------------------------------------------------------------------------------------------- */

TB_FN double tb_chdtr(double v, double x) { return tb_gamma_tail(v / 2, x / 2, 0); }
TB_FN double tb_chdtrc(double v, double x) { return tb_gamma_tail(v / 2, x / 2, 1); }
TB_FN double tb_chdtri(double v, double q) { return 2 * tb_gammainccinv(v / 2, q); }
TB_FN double tb_gdtr(double a, double b, double x) { return x < 0 ? TB_NONE : tb_gamma_tail(b, a * x, 0); }
TB_FN double tb_gdtrc(double a, double b, double x) { return x < 0 ? TB_NONE : tb_gamma_tail(b, a * x, 1); }

TB_FN double tb_pdtr(double k, double m)
{
    if (!(k >= 0 && m >= 0)) return TB_NONE;
    return m == 0 ? 1 : tb_gamma_tail(floor(k) + 1, m, 1);
}

TB_FN double tb_pdtrc(double k, double m)
{
    if (!(k >= 0 && m >= 0)) return TB_NONE;
    return m == 0 ? 0 : tb_gamma_tail(floor(k) + 1, m, 0);
}

TB_FN double tb_pdtri(double k, double p)
{
    return k >= 0 && p >= 0 && p < 1 ? tb_gammainccinv(floor(k) + 1, p) : TB_NONE;
}
#endif
