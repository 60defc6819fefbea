/* special_elliptic.h - Legendre's elliptic integrals of parameter m, by means and Carlson's symmetric forms (DLMF 19.8,
 * 19.25, 19.36), and Jacobi's elliptic functions. */
#ifndef TB_KERNELS_SPECIAL_ELLIPTIC_H
#define TB_KERNELS_SPECIAL_ELLIPTIC_H

/* ((2 n)! / (4^n n!^2))^2 down to n = 0: K's series in the modulus' square (DLMF 19.5.1). */
TB_CURVE tb_ellipk_series[8] = {
    0.043878793716430664, 0.050889015197753906, 0.0605621337890625, 0.07476806640625, 0.09765625, 0.140625, 0.25, 1};

/* K of 1 - p: pi / 2 over the arithmetic-geometric mean of 1 and sqrt(p). Of numbers that are near each other the mean
 * is had by K's series, as AGM(1 + r, 1 - r) = pi / (2 K) of the modulus r. */
TB_CALLED double tb_ellipkm1(double p)
{
    if (!(p >= 0)) return TB_NONE;
    if (p == 0) return TB_INFINITE;
    if (p == TB_INFINITE) return 0;
    double a = 1, g = sqrt(p);
    for (int k = 0; k < 40 && fabs(a - g) > 0.14 * a; k++) {
        const double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    const double r = (a - g) / (a + g);
    return TB_PI * tb_horner(r * r, tb_ellipk_series, 8) / (a + g);
}

TB_FN double tb_ellipk(double m) { return m == -TB_INFINITE ? 0 : tb_ellipkm1(1 - m); }

/* RF(x, y, 1) and RD(x, y, 1) by duplication; results are kept apart so that both cost one loop. */
TB_CALLED double tb_carlson(double x, double y, int third, double *sum_of_d)
{
    double z = 1, sum = 0, factor = 1;
    for (int k = 0; k < 60; k++) {
        const double mean = third ? (x + y + 3 * z) / 5 : (x + y + z) / 3;
        const double dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
        if (fabs(dx) < 1e-3 && fabs(dy) < 1e-3 && fabs(dz) < 1e-3) {
            *sum_of_d = sum;
            if (!third) {
                const double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
                return (1 + e2 * (e2 / 24 - 0.1 - 3 * e3 / 44) + e3 / 14) / sqrt(mean);
            }
            const double ea = dx * dy, eb = dz * dz, ec = ea - eb, ed = ea - 6 * eb, ef = ed + ec + ec;
            const double s = ed * (-3.0 / 14 + 9.0 / 88 * ed - 9.0 / 52 * dz * ef) +
                             dz * (ef / 6 + dz * (-9.0 / 22 * ec + dz * 3.0 / 26 * ea));
            return factor * (1 + s) / (mean * sqrt(mean));
        }
        const double rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), l = rx * ry + rx * rz + ry * rz;
        sum += factor / (rz * (z + l));
        factor /= 4;
        x = (x + l) / 4;
        y = (y + l) / 4;
        z = (z + l) / 4;
    }
    *sum_of_d = sum;
    return TB_NONE;
}

/* The integral of the second kind less the first, over m, is -s^3 RD / 3: what both need for an angle up to a right one
 * (DLMF 19.25.9). */
TB_FN double tb_elliptic_part(double phi, double m, int second)
{
    const double s = sin(phi), c = cos(phi);
    double rest;
    const double y = 1 - m * s * s;
    if (y < 0) return TB_NONE;
    const double f = s * tb_carlson(c * c, y, 0, &rest);
    if (!second) return f;
    const double last = tb_carlson(c * c, y, 1, &rest);
    return f - m * s * s * s * (3 * rest + last) / 3;
}

TB_CALLED double tb_elliptic_incomplete(double phi, double m, int second)
{
    if (phi != phi || m != m || m > 1) return TB_NONE;
    if (phi - phi != 0) return m - m != 0 ? TB_NONE : phi;
    if (m == -TB_INFINITE) return second ? (phi == 0 ? phi : copysign(TB_INFINITE, phi)) : 0;
    if (m == 0) return phi;
    const double turns = rint(phi / TB_PI);
    const double r = fma(-turns, 1.2246467991473532e-16, fma(-turns, TB_PI, phi));
    if (m == 1) {
        if (second) return 2 * turns + sin(r);
        return fabs(phi) >= TB_PI / 2 ? TB_INFINITE : asinh(tan(phi)); /* whatever the sign, as in SciPy */
    }
    const double part = fabs(r) < 1e-5 && fabs(m) < 1e5 ? (second ? r - m * r * r * r / 6 : r + m * r * r * r / 6)
                                                        : tb_elliptic_part(r, m, second);
    if (turns == 0) return part;
    double rest, whole = tb_ellipkm1(1 - m);
    if (second) {
        const double last = tb_carlson(0, 1 - m, 1, &rest);
        whole -= m * (3 * rest + last) / 3;
    }
    return part + 2 * turns * whole;
}

TB_FN double tb_ellipkinc(double phi, double m) { return tb_elliptic_incomplete(phi, m, 0); }
TB_FN double tb_ellipeinc(double phi, double m) { return tb_elliptic_incomplete(phi, m, 1); }

/* One of sn, cn, dn and the amplitude, for m = 1. */
TB_FN double tb_hyperbolic_of(double u, int which)
{
    return which == 0 ? tanh(u) : which == 3 ? 2 * atan(tanh(u / 2)) : 1 / cosh(u);
}

/* sn, cn, dn and the amplitude: by descending Landen transformations (DLMF 22.7.2 to 22.7.4) down to cotangents, whose
 * moduli are those of the arithmetic-geometric mean (22.20(ii)). Of a_n cs and dn nothing is subtracted on the way up:
 *   a_n cs = a_n+1 cs_n+1 dn_n+1,  dn_n = ((a_n+1 cs_n+1)^2 + a_n+1 b_n) / ((a_n+1 cs_n+1)^2 + a_n+1 a_n). */
TB_FN double tb_ellipj_apart(double u, double m, int which)
{
    double above[10], below[10], a = 1, b = sqrt(1 - m), s, c;
    if (!(m >= 0 && m <= 1) || u != u) return TB_NONE;
    if (b == 0) return tb_hyperbolic_of(u, which);
    if (fabs(u) < 1e-140) return which == 0 || which == 3 ? u : 1;
    int n = 0;
    for (int more = 1; more && n < 10; n++) { /* where the modulus is this small, the next one's square is nothing */
        const double mean = 0.5 * (a + b);
        above[n] = mean * b;
        below[n] = mean * a;
        more = a - b > 2e-8 * a;
        b = sqrt(a * b);
        a = mean;
    }
    const double angle = a * u;
    tb_sin_and_cos(angle, &s, &c);
    double cs = a * (c / s), dn = 1;
    while (n--) {
        const double square = cs * cs;
        cs *= dn;
        dn = (square + above[n]) / (square + below[n]);
    }
    if (which == 2) return dn;
    const double sn = copysign(1 / sqrt(1 + cs * cs), s), cn = cs * sn;
    if (which < 2) return which ? cn : sn;
    const double r = atan2(sn, cn), turns = rint((angle - r) / (2 * TB_PI)); /* as many as of the angle */
    return fma(turns, 2 * TB_PI, fma(turns, 2.4492935982947064e-16, r));
}

TB_CALLED double tb_ellipj(double u, double m, int which)
{
    TB_TOGETHER(const double result = tb_ellipj_apart(u, m, which));
    return result;
}
#endif
