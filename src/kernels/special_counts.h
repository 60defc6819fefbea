/* special_counts.h - distributions of counts: quantiles, and the probabilities of drawing without putting back. */
#ifndef TB_KERNELS_SPECIAL_COUNTS_H
#define TB_KERNELS_SPECIAL_COUNTS_H

/* ---- drawing without putting back -------------------------------------------------------------------------------- */

TB_CURVE tb_factorials_of_doubles[171] = {
    1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200, 1307674368000,
    20922789888000, 355687428096000, 6402373705728000, 1.21645100408832e+17, 2.43290200817664e+18,
    5.109094217170944e+19, 1.1240007277776077e+21, 2.585201673888498e+22, 6.204484017332394e+23, 1.5511210043330986e+25,
    4.0329146112660565e+26, 1.0888869450418352e+28, 3.0488834461171387e+29, 8.841761993739702e+30,
    2.6525285981219107e+32, 8.222838654177922e+33, 2.631308369336935e+35, 8.683317618811886e+36, 2.9523279903960416e+38,
    1.0333147966386145e+40, 3.7199332678990125e+41, 1.3763753091226346e+43, 5.230226174666011e+44,
    2.0397882081197444e+46, 8.159152832478977e+47, 3.345252661316381e+49, 1.40500611775288e+51, 6.041526306337383e+52,
    2.658271574788449e+54, 1.1962222086548019e+56, 5.502622159812089e+57, 2.5862324151116818e+59,
    1.2413915592536073e+61, 6.082818640342675e+62, 3.0414093201713376e+64, 1.5511187532873822e+66,
    8.065817517094388e+67, 4.2748832840600255e+69, 2.308436973392414e+71, 1.2696403353658276e+73, 7.109985878048635e+74,
    4.0526919504877214e+76, 2.3505613312828785e+78, 1.3868311854568984e+80, 8.32098711274139e+81, 5.075802138772248e+83,
    3.146997326038794e+85, 1.98260831540444e+87, 1.2688693218588417e+89, 8.247650592082472e+90, 5.443449390774431e+92,
    3.647111091818868e+94, 2.4800355424368305e+96, 1.711224524281413e+98, 1.1978571669969892e+100,
    8.504785885678623e+101, 6.1234458376886085e+103, 4.4701154615126844e+105, 3.307885441519386e+107,
    2.48091408113954e+109, 1.8854947016660504e+111, 1.4518309202828587e+113, 1.1324281178206297e+115,
    8.946182130782976e+116, 7.156945704626381e+118, 5.797126020747368e+120, 4.753643337012842e+122,
    3.945523969720659e+124, 3.314240134565353e+126, 2.81710411438055e+128, 2.4227095383672734e+130,
    2.107757298379528e+132, 1.8548264225739844e+134, 1.650795516090846e+136, 1.4857159644817615e+138,
    1.352001527678403e+140, 1.2438414054641308e+142, 1.1567725070816416e+144, 1.087366156656743e+146,
    1.032997848823906e+148, 9.916779348709496e+149, 9.619275968248212e+151, 9.426890448883248e+153,
    9.332621544394415e+155, 9.332621544394415e+157, 9.42594775983836e+159, 9.614466715035127e+161,
    9.90290071648618e+163, 1.0299016745145628e+166, 1.081396758240291e+168, 1.1462805637347084e+170,
    1.226520203196138e+172, 1.324641819451829e+174, 1.4438595832024937e+176, 1.588245541522743e+178,
    1.7629525510902446e+180, 1.974506857221074e+182, 2.2311927486598138e+184, 2.5435597334721877e+186,
    2.925093693493016e+188, 3.393108684451898e+190, 3.969937160808721e+192, 4.684525849754291e+194,
    5.574585761207606e+196, 6.689502913449127e+198, 8.094298525273444e+200, 9.875044200833601e+202,
    1.214630436702533e+205, 1.506141741511141e+207, 1.882677176888926e+209, 2.372173242880047e+211,
    3.0126600184576594e+213, 3.856204823625804e+215, 4.974504222477287e+217, 6.466855489220474e+219,
    8.47158069087882e+221, 1.1182486511960043e+224, 1.4872707060906857e+226, 1.9929427461615188e+228,
    2.6904727073180504e+230, 3.659042881952549e+232, 5.012888748274992e+234, 6.917786472619489e+236,
    9.615723196941089e+238, 1.3462012475717526e+241, 1.898143759076171e+243, 2.695364137888163e+245,
    3.854370717180073e+247, 5.5502938327393044e+249, 8.047926057471992e+251, 1.1749972043909107e+254,
    1.727245890454639e+256, 2.5563239178728654e+258, 3.80892263763057e+260, 5.713383956445855e+262,
    8.62720977423324e+264, 1.3113358856834524e+267, 2.0063439050956823e+269, 3.0897696138473508e+271,
    4.789142901463394e+273, 7.471062926282894e+275, 1.1729568794264145e+278, 1.853271869493735e+280,
    2.9467022724950384e+282, 4.7147236359920616e+284, 7.590705053947219e+286, 1.2296942187394494e+289,
    2.0044015765453026e+291, 3.287218585534296e+293, 5.423910666131589e+295, 9.003691705778438e+297,
    1.503616514864999e+300, 2.5260757449731984e+302, 4.269068009004705e+304, 7.257415615307999e+306};

TB_FN double tb_choices(double n, double k)
{
    return tb_factorials_of_doubles[(int)n] /
           (tb_factorials_of_doubles[(int)k] * tb_factorials_of_doubles[(int)(n - k)]);
}

/* The logarithm of the probability of k of n trials of the probability p, q = 1 - p. */
TB_FN double tb_trials_log(double k, double n, double p, double q)
{
    if (n == 0) return 0;
    if (k == 0) return n * (p < 0.5 ? log1p(-p) : log(q));
    if (k == n) return n * (p > 0.5 ? log1p(-q) : log(p));
    return tb_beta_front_log(k, n - k, p, q) + log(n / (k * (n - k)));
}

/* The logarithm of the probability that k of n are among d of m that are drawn: of few by factorials, else by that of
 * as many trials, whatever their probability. */
TB_FN double tb_hypergeom_log_apart(double k, double m, double n, double d)
{
    const double others = m - n, rest = d - k;
    if (!(m >= n && n >= 0 && m >= d && d >= 0 && m < TB_INFINITE && k == k)) return TB_NONE;
    if (!(k >= 0 && k <= n && rest >= 0 && rest <= others)) return -TB_INFINITE;
    if (m <= 170) return log(tb_choices(n, k) * tb_choices(others, rest) / tb_choices(m, d));
    if (d == 0 || d == m) return 0;
    const double p = d / m, q = (m - d) / m;
    return tb_trials_log(k, n, p, q) + tb_trials_log(rest, others, p, q) - tb_trials_log(d, m, p, q);
}

TB_CALLED double tb_hypergeom_log(double k, double m, double n, double d)
{
    TB_TOGETHER(const double result = tb_hypergeom_log_apart(k, m, n, d));
    return result;
}
/* The sum over the numbers from k on, up or down, of probabilities times odds^(their distance from k) over that of k:
 * neighbours' quotients are rational. */
TB_FN double tb_hypergeom_sum(double k, double m, double n, double d, double odds, int up)
{
    const double low = fmax(0, d - (m - n)), high = fmin(n, d), gap = m - n - d;
    double sum = 1, term = 1;
    if (up)
        for (double j = k; j < high && term > 1e-19 * sum; j += 1)
            sum += term *= odds * ((n - j) * (d - j)) / ((j + 1) * (gap + j + 1));
    else
        for (double j = k; j > low && term > 1e-19 * sum; j -= 1)
            sum += term *= j * (gap + j) / (odds * ((n - j + 1) * (d - j + 1)));
    return sum;
}

/* The probability of what is not above k, or of what is: of the two that which is away from the mean is summed. */
TB_FN double tb_hypergeom_part_apart(double k, double m, double n, double d, int upper)
{
    if (!(m >= n && n >= 0 && m >= d && d >= 0 && m < TB_INFINITE && k == k)) return TB_NONE;
    const double low = fmax(0, d - (m - n)), high = fmin(n, d);
    k = floor(k);
    if (k < low || k >= high) return (k < low) == upper;
    const int up = k + 1 > d * (n / m); /* the sum of those above k */
    const double first = up ? k + 1 : k;
    const double sum = exp(tb_hypergeom_log(first, m, n, d)) * tb_hypergeom_sum(first, m, n, d, 1, up);
    return up == upper ? fmin(sum, 1) : fmax(1 - sum, 0);
}

TB_CALLED double tb_hypergeom_part(double k, double m, double n, double d, int upper)
{
    TB_TOGETHER(const double result = tb_hypergeom_part_apart(k, m, n, d, upper));
    return result;
}

TB_FN double tb_hypergeom_cdf(double k, double m, double n, double d) { return tb_hypergeom_part(k, m, n, d, 0); }
TB_FN double tb_hypergeom_sf(double k, double m, double n, double d) { return tb_hypergeom_part(k, m, n, d, 1); }

/* The logarithm of the sum of probabilities times odds^k, from the greatest on. */
TB_FN double tb_hypergeom_total_apart(double m, double n, double d, double odds)
{
    if (!(m >= n && n >= 0 && m >= d && d >= 0 && m < TB_INFINITE && odds > 0 && odds < TB_INFINITE)) return TB_NONE;
    const double low = fmax(0, d - (m - n)), high = fmin(n, d), gap = m - n - d;
    const double a = odds - 1, b = odds * (n + d) + gap + 2, c = odds * n * d - (gap + 1);
    const double root = sqrt(fmax(b * b - 4 * a * c, 0)), k = b > 0 ? 2 * c / (b + root) : (b - root) / (2 * a);
    const double from = floor(k > low ? fmin(k, high) : low);
    const double sum = tb_hypergeom_sum(from, m, n, d, odds, 0) + tb_hypergeom_sum(from, m, n, d, odds, 1) - 1;
    return tb_hypergeom_log(from, m, n, d) + from * log(odds) + log(sum);
}

TB_CALLED double tb_hypergeom_total(double m, double n, double d, double odds)
{
    TB_TOGETHER(const double result = tb_hypergeom_total_apart(m, n, d, odds));
    return result;
}

/* ---- quantiles --------------------------------------------------------------------------------------------------- */

#define TB_IS_BINOM 0     /* of n trials of the probability p */
#define TB_IS_NBINOM 1    /* before n successes of the probability p */
#define TB_IS_POISSON 2   /* of the mean n */
#define TB_IS_HYPERGEOM 3 /* of n that are drawn, `good` of all the p */

/* The probability of what is not above a whole k >= 0, or of what is. */
TB_FN double tb_count_tail(int kind, double k, double n, double p, double good, int upper)
{
    if (kind == TB_IS_HYPERGEOM) return tb_hypergeom_part(k, p, good, n, upper);
    if (kind == TB_IS_POISSON) return tb_gamma_tail(k + 1, n, !upper);
    if (kind == TB_IS_NBINOM) return tb_betainc_xy(n, k + 1, p, 1 - p, upper);
    return upper ? tb_bdtrc(k, n, p) : tb_bdtr(k, n, p);
}

/* By the Cornish-Fisher expansion, as far as the skewness counts: from the mean, the variance over it, and the third
 * moment over that. */
TB_FN double tb_count_about(int kind, double n, double p, double good, double wanted, int upper)
{
    const double q = 1 - p, r = 1 / p, share = good / p;
    double mean = n, spread = 1, skew = 1;
    if (kind == TB_IS_BINOM) {
        mean = n * p;
        spread = q;
        skew = q - p;
    } else if (kind == TB_IS_NBINOM) {
        mean = n * (q * r);
        spread = r;
        skew = (2 - p) * r;
    } else if (kind == TB_IS_HYPERGEOM) {
        mean = n * share;
        spread = (1 - share) * ((p - n) / fmax(p - 1, 1));
        skew = (1 - 2 * share) * ((p - 2 * n) / fmax(p - 2, 1));
    }
    const double z = tb_about_normal(fmin(wanted, 1 - wanted)) * ((wanted < 0.5) == upper ? 1 : -1);
    return ceil(mean + sqrt(mean) * sqrt(spread) * z + skew * (z * z - 1) / 6 - 0.5);
}

/* The least k at which the lower tail is not less than `wanted`, or the upper one not greater. */
TB_FN double tb_count_quantile_apart(int kind, double wanted, double n, double p, double good, int upper)
{
    if (!(n >= 0 && n < TB_INFINITE && p >= 0 && p < TB_INFINITE && wanted > 0 && wanted < 1)) return TB_NONE;
    const double last = kind == TB_IS_BINOM ? n : kind == TB_IS_HYPERGEOM ? fmin(n, good) : TB_INFINITE;
    const double first = kind == TB_IS_HYPERGEOM ? fmax(0, n - (p - good)) : 0;
    double low = first - 1, high = last, k = tb_count_about(kind, n, p, good, wanted, upper);
    k = k > first ? fmin(k, last) : first;
    double far = fmax(1, 4 * TB_EPS * k);
    for (int i = 0; i < 2200 && low + 1 < high; i++) {
        const double tail = k < last ? tb_count_tail(kind, k, n, p, good, upper) : !upper;
        if (tail != tail) return TB_NONE;
        if (upper ? tail <= wanted : tail >= wanted) {
            high = k;
            k = fmax(k - far, low + 1);
        } else {
            low = k;
            k = fmin(k + far, high - 1);
        }
        far *= 2;
        if (i > 0 && high - low <= far) k = floor(low / 2 + high / 2);
        if (!(low < k && k < high)) break; /* of numbers beyond those that are told apart by 1 */
    }
    return high;
}

TB_CALLED double tb_count_quantile(int kind, double wanted, double n, double p, double good, int upper)
{
    TB_TOGETHER(const double result = tb_count_quantile_apart(kind, wanted, n, p, good, upper));
    return result;
}

TB_FN double tb_binom_ppf(double q, double n, double p) { return tb_count_quantile(TB_IS_BINOM, q, n, p, 0, 0); }
TB_FN double tb_binom_isf(double q, double n, double p) { return tb_count_quantile(TB_IS_BINOM, q, n, p, 0, 1); }
TB_FN double tb_nbinom_ppf(double q, double n, double p) { return tb_count_quantile(TB_IS_NBINOM, q, n, p, 0, 0); }
TB_FN double tb_nbinom_isf(double q, double n, double p) { return tb_count_quantile(TB_IS_NBINOM, q, n, p, 0, 1); }
TB_FN double tb_poisson_ppf(double q, double mean) { return tb_count_quantile(TB_IS_POISSON, q, mean, 1, 0, 0); }
TB_FN double tb_poisson_isf(double q, double mean) { return tb_count_quantile(TB_IS_POISSON, q, mean, 1, 0, 1); }

TB_FN double tb_hypergeom_ppf(double q, double m, double n, double d)
{
    return tb_count_quantile(TB_IS_HYPERGEOM, q, d, m, n, 0);
}

TB_FN double tb_hypergeom_isf(double q, double m, double n, double d)
{
    return tb_count_quantile(TB_IS_HYPERGEOM, q, d, m, n, 1);
}
#endif
