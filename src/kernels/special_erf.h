/* special_erf.h - the error function's relatives: scaled, inverse, and the normal distribution's. */
#ifndef TB_KERNELS_SPECIAL_ERF_H
#define TB_KERNELS_SPECIAL_ERF_H

/* (1 + 2 x) erfcx(x), x >= 0, as a polynomial in (x - 2) / (x + 2): Shepherd and Laframboise (1981). */
TB_TABLE tb_erfcx_curve[28] = {
    2.5778363471333786e-09, 4.728549078805336e-09,   -1.716763517532356e-08,  -4.5012416795220895e-08,
    2.611641493918638e-08,  1.7946746400424095e-07,  1.4420043308440299e-07,  -2.762294260316043e-07,
    -8.43733289365386e-07,  -6.889471734964774e-07,  1.511459048511491e-06,   5.221723048805833e-06,
    3.7064807687448275e-06, -1.3492292195049771e-05, -3.6421694460788126e-05, -1.5100062981599763e-06,
    0.0001510387408396369,  0.00020636724691274125,  -0.0004543407559845377,  -0.0014568139519915005,
    0.0012713389580731953,  0.008722653876094326,    -0.008034015081972714,   -0.054220000992051154,
    0.16405128003343034,    -0.1660303976152892,     -0.09276382658574592,    1.2769783815525286};

TB_CALLED double tb_erfcx_of_positive(double x) { return tb_horner(1 - 4 / (x + 2), tb_erfcx_curve, 28) / (1 + 2 * x); }

/* exp(x^2) erfc(x). */
TB_CALLED double tb_scaled_erfc(double x)
{
    if (x < 0) return x < -27 ? TB_INFINITE : 2 * tb_exp_square(x, 1) - tb_erfcx_of_positive(-x);
    return tb_erfcx_of_positive(x);
}

/* erf(z) = y for |y| <= 0.85: Giles' polynomial (GPU Computing Gems, 2012) to eight digits, then Newton's method. */
TB_CALLED double tb_erfinv_centre(double y)
{
    const double w = -log((1 - y) * (1 + y)) - 2.5;
    double p = 2.81022636e-08;
    p = p * w + 3.43273939e-07;
    p = p * w - 3.5233877e-06;
    p = p * w - 4.39150654e-06;
    p = p * w + 0.00021858087;
    p = p * w - 0.00125372503;
    p = p * w - 0.00417768164;
    p = p * w + 0.246640727;
    p = p * w + 1.50140941;
    double z = p * y;
    for (int k = 0; k < 2; k++) z -= (erf(z) - y) * 0.886226925452758013649 * exp(z * z);
    return z;
}

/* erfc(z) = p for 0 < p <= 0.15, z > 1: Halley's method for log(erfcx(z)) - z^2 = log(p). */
TB_CALLED double tb_erfcinv_tail(double p)
{
    const double l = -log(p), far = sqrt(l - 0.5 * log(l * TB_PI)), near = sqrt(l - 0.5 * log(far * far * TB_PI));
    double z = near;
    for (int k = 0; k < 3; k++) {
        const double e = tb_erfcx_of_positive(z);
        const double step = (log(e) - z * z + l) * e * 0.886226925452758013649;
        z += step / (1 - step * (z - 0.564189583547756286948 / e));
    }
    return z;
}

TB_CALLED double tb_inverse_erfc(double p)
{
    if (!(p > 0 && p < 2)) return p == 0 ? TB_INFINITE : p == 2 ? -TB_INFINITE : TB_NONE;
    if (p > 1.85) return -tb_erfcinv_tail(2 - p);
    return p < 0.15 ? tb_erfcinv_tail(p) : tb_erfinv_centre(1 - p);
}

TB_CALLED double tb_inverse_erf(double y)
{
    const double size = fabs(y);
    if (!(size < 1)) return size == 1 ? copysign(TB_INFINITE, y) : TB_NONE;
    if (size < 1e-9) return y * 0.886226925452758013649;
    return size > 0.85 ? copysign(tb_erfcinv_tail(1 - size), y) : tb_erfinv_centre(y);
}

#define TB_HALF_ROOT 0.707106781186547524400844

TB_CALLED double tb_ndtr(double x)
{
    if (x < -1) return 0.5 * tb_exp_half_square(x, -1) * tb_erfcx_of_positive(-x * TB_HALF_ROOT);
    return x < 1 ? 0.5 + 0.5 * erf(x * TB_HALF_ROOT) : 1 - 0.5 * erfc(x * TB_HALF_ROOT);
}

TB_CALLED double tb_log_ndtr(double x)
{
    if (x < -1) return log(0.5 * tb_erfcx_of_positive(-x * TB_HALF_ROOT)) - x * x / 2;
    return log1p(-tb_ndtr(-x));
}

TB_CALLED double tb_ndtri(double p)
{
    if (p > 0.25 && p < 0.75) return 1.41421356237309504880 * tb_erfinv_centre(2 * (p - 0.5));
    return p > 0.5 ? 1.41421356237309504880 * tb_inverse_erfc(2 * (1 - p))
                   : -1.41421356237309504880 * tb_inverse_erfc(2 * p);
}
#endif
