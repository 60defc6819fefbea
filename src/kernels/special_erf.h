/* special_erf.h - the error function's relatives: scaled, inverse, and the normal distribution's. */
#ifndef TB_KERNELS_SPECIAL_ERF_H
#define TB_KERNELS_SPECIAL_ERF_H

/* (1 + 2 x) erfcx(x), x >= 0, as a polynomial in (x - 2) / (x + 2): Shepherd and Laframboise (1981). */
TB_CURVE tb_erfcx_curve[28] = {
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

#ifdef __CUDACC_RTC__
/* CUDA's own is off by up to 5 units in the last place. */
TB_CALLED double tb_erfc(double x) { return x < 0.25 ? 1 - erf(x) : tb_exp_square(x, -1) * tb_erfcx_of_positive(x); }
#else
TB_FN double tb_erfc(double x) { return erfc(x); }
#endif

/* Polynomials on intervals that are mapped to [-1, 1], by interpolation at Chebyshev's points: z / y for erf(z) = y in
 * y^2, for |y| <= 1/2; and z / t for erfc(z) = p in t = sqrt(-log(p)), for p <= 1/2, from t = 6 on in 1 / t. */
TB_CURVE tb_erfinv_middle[14] = {2.0671742197483168e-13, 1.5684593709957392e-12, 1.1316232483758686e-11,
                                 8.772059005647083e-11,  6.87947841959413e-10,   5.45663287400155e-09,
                                 4.398277107297447e-08,  3.6198638117747397e-07, 3.063743625042923e-06,
                                 2.697700101543171e-05,  0.0002522747551744835,  0.0026140273452602476,
                                 0.03356743029704948,    0.9174083670522701};
TB_CURVE tb_erfcinv_near[23] = {
    8.865179462339096e-11,   -3.1159197852597577e-10, 3.049553411205494e-10,   1.7832666240525002e-10,
    -1.5620810967738752e-09, 7.336983187242018e-09,   -2.5122031873319994e-08, 6.363011401625644e-08,
    -1.1851660116942658e-07, 1.0594994221848075e-07,  3.499056037165832e-07,   -2.433088463866287e-06,
    9.060567994809452e-06,   -2.5472385146169324e-05, 5.4819746154816656e-05,  -7.055223703610984e-05,
    -9.181713189616918e-05,  0.0010781959891114827,   -0.004945346401338192,   0.017270092407045256,
    -0.050640218492972136,   0.12487222669882193,     0.7705081123623662};
TB_CURVE tb_erfcinv_far[26] = {
    -1.1033731534483518e-10, 3.0970256708624724e-10,  -1.1018682351326759e-10, 8.408479284020484e-11,
    -1.7760341193284541e-09, 4.026619827151104e-09,   -5.460573860224051e-09,  9.021457859845972e-09,
    -1.4620941720302268e-08, 1.0183010354195204e-08,  3.850135157147396e-08,   -2.3551036539172865e-07,
    8.903757539871131e-07,   -2.8564146702349194e-06, 8.382885157862294e-06,   -2.3205945031319315e-05,
    6.151806827361813e-05,   -0.0001574377258716816,  0.000390624017714751,    -0.0009411773619590229,
    0.0022007589063865944,   -0.0049772774276213684,  0.010802610936505941,    -0.02211945277090585,
    0.04096925967976845,     0.9406727307413011};
TB_CURVE tb_erfcinv_end[26] = {
    1.4661134486095489e-10, -2.301573164729984e-10,  -5.529018082751255e-10, 8.03440607375115e-10,
    1.3543637314557044e-09, -1.939014524095832e-09,  -1.212492298051438e-09, 1.3935625457433638e-09,
    2.645736251308e-09,     -4.126061861365229e-09,  3.999339347239592e-09,  -8.426196642904459e-09,
    1.877300381525701e-08,  -3.7803990301155857e-08, 7.797479788406175e-08,  -1.6752671863570418e-07,
    3.7398845521641134e-07, -8.765096613399819e-07,  2.192162166397539e-06,  -5.986884100400605e-06,
    1.8494281118585007e-05, -7.16585808736766e-05,   0.0004352087197632372,  -0.0029608629546586866,
    -0.01571975947930947,   0.9851881624863685};

TB_CALLED double tb_erfinv_centre(double y) { return y * tb_horner(8 * y * y - 1, tb_erfinv_middle, 14); }

TB_CALLED double tb_erfcinv_tail(double p)
{
    const double t = sqrt(-log(p));
    if (t < 2.25) return t * tb_horner((t - 1.54) * 1.4084507042253522, tb_erfcinv_near, 23);
    if (t < 6) return t * tb_horner((t - 4.125) * 0.53333333333333333, tb_erfcinv_far, 26);
    return t * tb_horner((1 / t - 0.10158150851581508) * 15.364485981308411, tb_erfcinv_end, 26);
}

TB_CALLED double tb_inverse_erfc(double p)
{
    if (!(p > 0 && p < 2)) return p == 0 ? TB_INFINITE : p == 2 ? -TB_INFINITE : TB_NONE;
    if (p > 1.5) return -tb_erfcinv_tail(2 - p);
    return p < 0.5 ? tb_erfcinv_tail(p) : tb_erfinv_centre(1 - p);
}

TB_CALLED double tb_inverse_erf(double y)
{
    const double size = fabs(y);
    if (!(size < 1)) return size == 1 ? copysign(TB_INFINITE, y) : TB_NONE;
    if (size < 1e-9) return y * 0.886226925452758013649;
    return size > 0.5 ? copysign(tb_erfcinv_tail(1 - size), y) : tb_erfinv_centre(y);
}

#define TB_HALF_ROOT 0.707106781186547524400844

TB_CALLED double tb_ndtr(double x)
{
    if (x < -1) return 0.5 * tb_exp_half_square(x, -1) * tb_erfcx_of_positive(-x * TB_HALF_ROOT);
    return 0.5 + 0.5 * erf(x * TB_HALF_ROOT);
}

TB_CALLED double tb_log_ndtr(double x)
{
    if (x < -1) return log(0.5 * tb_erfcx_of_positive(-x * TB_HALF_ROOT)) - x * x / 2;
    return tb_log1p_f64(-tb_ndtr(-x));
}

/* One tail for both, so that lanes of either take one way. */
TB_FN double tb_ndtri_apart(double p)
{
    if (p > 0.25 && p < 0.75) return 1.41421356237309504880 * tb_erfinv_centre(2 * (p - 0.5));
    if (!(p > 0 && p < 1)) return p == 0 ? -TB_INFINITE : p == 1 ? TB_INFINITE : TB_NONE;
    return copysign(1.41421356237309504880 * tb_erfcinv_tail(2 * (p > 0.5 ? 1 - p : p)), p - 0.5);
}

TB_CALLED double tb_ndtri(double p)
{
    TB_TOGETHER(const double result = tb_ndtri_apart(p));
    return result;
}
#endif
