/* special_orthogonal.h - associated Legendre functions, the angular part of spherical harmonics, and orthogonal
 * polynomials of whole degrees. */
#ifndef TB_KERNELS_SPECIAL_ORTHOGONAL_H
#define TB_KERNELS_SPECIAL_ORTHOGONAL_H

/* Steps of a recurrence in one call: a kernel that takes more seems to hang. */
#define TB_MOST_STEPS 1e6

/* P of order m >= 0 and degree v >= m, v - m < 2: Gauss' series around 1 (DLMF 14.3.4). */
TB_CALLED double tb_legendre_start(int m, double v, double x)
{
    const double t = (1 - x) / 2;
    double p = 1, sum = 1, term = 1;
    /* gamma(v + m + 1) / (2^m m! gamma(v - m + 1)) (1 - x^2)^(m / 2) (-1)^m */
    const double root = sqrt((1 - x) * (1 + x));
    for (int k = 1; k <= m; k++) p *= -(v + (2 * k - 1 - m)) * (v + (2 * k - m)) / (2 * k) * root;
    for (int k = 0; k < 20000; k++) {
        term *= (m - v + k) * (m + v + 1 + k) / ((m + 1 + k) * (double)(k + 1)) * t;
        sum += term;
        if (term == 0 || fabs(term) < TB_EPS / 4 * fabs(sum)) break;
    }
    return p * sum;
}

/* Of order m, a whole number, and degree v: upwards from the two lowest degrees, DLMF 14.10.3. */
TB_CALLED double tb_lpmv(double order, double degree, double x)
{
    const double v = degree < -0.5 ? -degree - 1 : degree; /* which is exact next to -1, and to 0 */
    const int whole = tb_is_whole(v);
    if (!(fabs(x) <= 1 || (order == 0 && whole && x == x)) || v != v) return TB_NONE;
    if (!tb_is_whole(order) || fabs(order) > TB_MOST_STEPS) return TB_NONE;
    const int m = (int)fabs(order);
    if (whole && m > v) return order < 0 ? TB_NONE : 0;
    if (v - m > TB_MOST_STEPS) return TB_NONE;
    if (x == -1 && !whole) return m == 0 ? -TB_INFINITE : TB_INFINITE;
    double scale = 1;
    if (order < 0) {
        /* DLMF 14.9.3 */
        for (int k = 1 - m; k <= m; k++) scale /= v + k;
        if (m & 1) scale = -scale;
    }
    if (v < m) return scale * tb_legendre_start(m, v, x);
    const double fraction = v - floor(v);
    double low = tb_legendre_start(m, m + fraction, x);
    if (v == m + fraction) return scale * low;
    double high = whole ? (2 * m + 1) * x * low : tb_legendre_start(m, m + 1 + fraction, x);
    for (double n = m + 1 + fraction; n < v; n += 1) {
        const double next = ((2 * n + 1) * x * high - (n + m) * low) / (n - m + 1);
        low = high;
        high = next;
    }
    return scale * high;
}

/* sqrt((2 n + 1) (n - m)! / (4 pi (n + m)!)) P(m, n, cos(theta)), by the recurrence of what is normalised already. */
TB_CALLED double tb_harmonic(double degree, double order, double theta)
{
    if (!tb_is_whole(degree) || !tb_is_whole(order) || degree < 0 || theta != theta) return TB_NONE;
    const double n = degree, m = fabs(order), x = cos(theta), s = fabs(sin(theta));
    if (m > n) return 0;
    if (!(n <= TB_MOST_STEPS)) return TB_NONE;
    const double sign = order < 0 && tb_is_odd(m) ? -1 : 1;
    double low = sqrt(1 / (4 * TB_PI));
    for (double k = 1; k <= m; k += 1) low *= -sqrt((2 * k + 1) / (2 * k)) * s;
    if (n == m) return sign * low;
    double high = sqrt(2 * m + 3) * x * low;
    for (double k = m + 2; k <= n; k += 1) {
        const double a = sqrt((4 * k * k - 1) / ((k - m) * (k + m)));
        const double b = sqrt((2 * k + 1) * (k - 1 - m) * (k - 1 + m) / ((2 * k - 3) * (k - m) * (k + m)));
        const double next = a * x * high - b * low;
        low = high;
        high = next;
    }
    return sign * high;
}

/* ---- orthogonal polynomials of whole degrees, by DLMF 18.9.1 and 18.9.2; NaN of other degrees ---- */

/* Those of odd degree without a factor x, which keeps the digits near 0: DLMF 18.9.1 of them by turns. */
TB_CALLED double tb_legendre_near_0(double n, double x)
{
    double even = 1, odd = 1;
    for (double k = 2; k <= n; k += 1) {
        const int is_odd = tb_is_odd(k);
        const double next = is_odd ? ((2 * k - 1) * even - (k - 1) * odd) / k
                                   : ((2 * k - 1) * (x * x) * odd - (k - 1) * even) / k;
        if (is_odd) odd = next;
        else even = next;
    }
    return tb_is_odd(n) ? x * odd : even;
}

/* By what each adds to the one before it, which keeps the digits near 1; DLMF 14.9.5 for negative degrees. */
TB_CALLED double tb_eval_legendre(double degree, double x)
{
    const double n = degree < 0 ? -degree - 1 : degree;
    if (!tb_is_whole(n) || n > TB_MOST_STEPS) return TB_NONE;
    if (n == 0) return 1;
    if (n * fabs(x) < 0.1) return tb_legendre_near_0(n, x);
    double p = x, more = x - 1;
    for (double k = 1; k < n; k += 1) {
        more = ((2 * k + 1) * (x - 1) * p + k * more) / (k + 1);
        p += more;
    }
    return p;
}

/* From a first one and a second, of degrees 0 and 1, to degree n. */
TB_CALLED double tb_chebyshev(double n, double x, double low, double high)
{
    for (double k = 1; k < n; k += 1) {
        const double next = 2 * x * high - low;
        low = high;
        high = next;
    }
    return n == 0 ? low : high;
}

TB_CALLED double tb_eval_chebyt(double degree, double x)
{
    const double n = fabs(degree);
    if (!tb_is_whole(n) || n > TB_MOST_STEPS || !(fabs(x) < TB_INFINITE)) return TB_NONE;
    return tb_chebyshev(n, x, 1, x);
}

TB_CALLED double tb_eval_chebyu(double degree, double x)
{
    const double n = degree < 0 ? -degree - 2 : degree;
    if (degree == -1) return 0;
    if (!tb_is_whole(n) || n > TB_MOST_STEPS || !(fabs(x) < TB_INFINITE)) return TB_NONE;
    const double u = tb_chebyshev(n, x, 1, 2 * x);
    return degree < 0 ? -u : u;
}

/* H(k + 1) = scale (x H(k) - k H(k - 1)): 2 for the physicists', 1 for the probabilists'. */
TB_CALLED double tb_hermite(double degree, double x, double scale)
{
    if (!tb_is_whole(degree) || degree < 0 || degree > TB_MOST_STEPS || x != x) return TB_NONE;
    double low = 1, high = scale * x;
    for (double k = 1; k < degree; k += 1) {
        const double next = scale * (x * high - k * low);
        low = high;
        high = next;
    }
    /* Right of the zeros it grows beyond all numbers; SciPy has NaN for infinities. */
    if (high != high && fabs(x) < TB_INFINITE && x * x > 4 * degree)
        high = tb_is_odd(degree) ? copysign(TB_INFINITE, x) : TB_INFINITE;
    return degree == 0 ? 1 : high;
}

TB_CALLED double tb_eval_hermite(double degree, double x) { return tb_hermite(degree, x, 2); }

TB_CALLED double tb_eval_hermitenorm(double degree, double x) { return tb_hermite(degree, x, 1); }

/* By what each adds to the one before it; 0 of negative degrees. */
TB_CALLED double tb_eval_laguerre(double degree, double x)
{
    if (!tb_is_whole(degree) || degree > TB_MOST_STEPS || x != x) return TB_NONE;
    if (degree <= 0) return degree == 0 ? 1 : 0;
    double more = -x, sum = 1 - x;
    for (double k = 1; k < degree; k += 1) {
        more = (k * more - x * sum) / (k + 1);
        sum += more;
    }
    return sum;
}
#endif
