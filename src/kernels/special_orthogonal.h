/* special_orthogonal.h - associated Legendre functions and the angular part of spherical harmonics. */
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
    for (int k = 1; k <= m; k++) p *= -(v - m + 2 * k - 1) * (v - m + 2 * k) / (2 * k) * root;
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
    const double v = degree < 0 ? -degree - 1 : degree;
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
#endif
