/* special_bessel.h - modified Bessel functions of orders 0 and 1, Bessel functions of the second kind of whole order,
 * spherical ones. Orders 0 and 1 of the first and second kind are the C library's. i0 is real.h's. */
#ifndef TB_KERNELS_SPECIAL_BESSEL_H
#define TB_KERNELS_SPECIAL_BESSEL_H

/* exp(-x) I1(x) / x on [0, 8] and exp(-x) sqrt(x) I1(x) beyond, in 16 / x - 1. */
TB_TABLE tb_i1_small[29] = {
    3.7284532079392345e-10, -1.41695079121077e-09,   2.603206542331157e-09,  -8.984420960424589e-09,
    3.802984785138283e-08,  -1.2424759932738304e-07, 3.759367306404118e-07,  -1.1327072698408053e-06,
    3.293899139003749e-06,  -9.136543922789093e-06,  2.4233753149624307e-05, -6.142360299099794e-05,
    0.0001484212433475852,  -0.0003411760289073331,  0.0007445123445061157,  -0.00153887456203039,
    0.0030057624197775295,  -0.005534567847563678,   0.009583962150731578,   -0.015571309243980052,
    0.023686016957729535,   -0.03367135552108536,    0.04467457262125467,    -0.055280039226991644,
    0.06376740371340721,    -0.06848260620582691,    0.0680575999095116,     -0.061124338029666284,
    0.044687709875608835};
TB_TABLE tb_i1_large[23] = {
    -9.752397204138195e-11, -3.365431853180176e-11,  6.917089294193807e-10,   2.6340771095136483e-10,
    -2.297004161885201e-09, -1.0594544160443166e-09, 4.810597405089944e-09,   3.086886736722725e-09,
    -6.983839624895866e-09, -7.44444147719727e-09,   5.59337010179061e-09,    1.3958551001385955e-08,
    6.8401389977069586e-09, -8.409182040442918e-09,  -2.339250374801858e-08,  -4.313196489977733e-08,
    -1.000109565963654e-07, -3.4838534380376333e-07, -1.8349102358955385e-06, -1.5038547209501858e-05,
    -0.0002192357638317243, -0.009749577193235635,   0.38939845902587233};

/* With I0 and I1(x) / x in x^2 on [0, 2]: K0 + log(x / 2) I0 and x (K1 - log(x / 2) I1) (DLMF 10.31); and
 * exp(x) sqrt(x) K beyond, in 4 / x - 1. */
TB_TABLE tb_i0_square[10] = {
    1.5591722255510926e-14, 2.5398791970311194e-12, 3.27324784353647e-10, 3.236227352376538e-08, 2.3575789878938216e-06,
    0.0001198206858163441,  0.0039285651056368085,  0.07358986836105334,  0.6358617281560686,    1.5660829297563506};
TB_TABLE tb_i1_square[9] = {1.4032637886429537e-13, 2.031922759238477e-11,  2.291273488938041e-09,
                            1.9417364085156806e-07, 1.1787894939469932e-05, 0.00047928274326549763,
                            0.011785695316910426,   0.14717973672210669,    0.6358617281560686};
TB_TABLE tb_k0_small[10] = {3.518631515854722e-14, 5.452564662772586e-12, 6.623013272794453e-10, 6.093361894172114e-08,
                            4.054506619949891e-06, 0.0001828055582791554, 0.005053392643196092,  0.07177701034240509,
                            0.3404973210133806,    -0.30362077291575545};
TB_TABLE tb_k1_small[10] = {-6.214271617329577e-13, -8.533634168575142e-11, -9.032127501740678e-09,
                            -7.081133691517408e-07, -3.891869064371633e-05, -0.001383168846618116,
                            -0.02785423521977184,   -0.2438385288677433,    -0.3322409552403131,
                            0.8850882877295894};
TB_TABLE tb_k0_large[23] = {
    1.0926983537268735e-10, -1.7597528809195706e-10, -3.119936129682105e-10, 4.3927260002107633e-10,
    8.133913205464114e-10,  -1.2366923277096287e-09, 4.757544705776374e-11,  -6.643878631843235e-10,
    3.808399859919043e-09,  -8.025205604904476e-09,  1.7047535884249698e-08, -4.1056738724915364e-08,
    1.02954317593912e-07,   -2.689759865539584e-07,  7.427801232190096e-07,  -2.1911673837417864e-06,
    7.002245645755651e-06,  -2.473520542848972e-05,  9.95605474202942e-05,   -0.0004797690567328844,
    0.0030328918102753206,  -0.031071461824889898,   1.2185953385133905};
TB_TABLE tb_k1_large[23] = {
    -1.1931668393112158e-10, 1.9273808087540517e-10, 3.3867804167808003e-10,  -4.77441121785095e-10,
    -8.908596710923906e-10,  1.3615859404460648e-09, -8.336227195991456e-11,  7.966242798504094e-10,
    -4.331939985658629e-09,  9.213894020289533e-09,  -1.9817577141591116e-08, 4.815434679085478e-08,
    -1.2203186351938403e-07, 3.230567198853934e-07,  -9.067087633371393e-07,  2.7300301043527215e-06,
    -8.961207387750025e-06,  3.2843866502355955e-05, -0.00013959021956272223, 0.0007357241548718385,
    -0.005566729880074588,   0.10334973775386565,    1.363151890371342};

TB_CALLED double tb_i0e(double a)
{
    const double x = fabs(a);
    if (x <= 8) return tb_chebyshev_f64(x / 2 - 2, tb_i0_small, 0, 30);
    return tb_chebyshev_f64(32 / x - 2, tb_i0_large, 0, 25) / sqrt(x);
}

/* In two factors, the first of which overflows later than exp(x). */
TB_FN double tb_i0_scaled(double a)
{
    const double half = exp(fabs(a) / 2);
    return half * tb_i0e(a) * half;
}

TB_CALLED double tb_i1e(double a)
{
    const double x = fabs(a);
    if (x <= 8) return a * tb_horner(x / 4 - 1, tb_i1_small, 29);
    return copysign(tb_horner(16 / x - 1, tb_i1_large, 23) / sqrt(x), a);
}

TB_FN double tb_i1(double a)
{
    const double half = exp(fabs(a) / 2);
    return half * tb_i1e(a) * half;
}

TB_FN double tb_k0_near(double x)
{
    const double t = x * x / 2 - 1;
    return tb_horner(t, tb_k0_small, 10) - log(x / 2) * tb_horner(t, tb_i0_square, 10);
}

TB_FN double tb_k1_near(double x)
{
    const double t = x * x / 2 - 1;
    return x * log(x / 2) * tb_horner(t, tb_i1_square, 9) + tb_horner(t, tb_k1_small, 10) / x;
}

TB_FN double tb_k0e(double x)
{
    if (!(x > 0)) return x == 0 ? TB_INFINITE : TB_NONE;
    return x <= 2 ? exp(x) * tb_k0_near(x) : tb_horner(4 / x - 1, tb_k0_large, 23) / sqrt(x);
}

TB_FN double tb_k1e(double x)
{
    if (!(x > 0)) return x == 0 ? TB_INFINITE : TB_NONE;
    return x <= 2 ? exp(x) * tb_k1_near(x) : tb_horner(4 / x - 1, tb_k1_large, 23) / sqrt(x);
}

TB_FN double tb_k0(double x)
{
    if (!(x > 0)) return x == 0 ? TB_INFINITE : TB_NONE;
    return x <= 2 ? tb_k0_near(x) : exp(-x) * tb_k0e(x);
}

TB_FN double tb_k1(double x)
{
    if (!(x > 0)) return x == 0 ? TB_INFINITE : TB_NONE;
    return x <= 2 ? tb_k1_near(x) : exp(-x) * tb_k1e(x);
}

/* ---- the second kind --------------------------------------------------------------------------------------------- */

TB_FN double tb_y0(double x) { return x > 0 ? y0(x) : x == 0 ? -TB_INFINITE : TB_NONE; }
TB_FN double tb_y1(double x) { return x > 0 ? y1(x) : x == 0 ? -TB_INFINITE : TB_NONE; }

/* Upward recurrence, which is stable: DLMF 10.6.1. Y of order -n is (-1)^n that of order n. */
TB_CALLED double tb_yn(double order, double x)
{
    const double n = fabs(trunc(order)), sign = order < 0 && tb_is_odd(n) ? -1 : 1;
    if (!(x > 0)) return x == 0 ? -sign * TB_INFINITE : TB_NONE;
    if (x == TB_INFINITE) return 0;
    double low = y0(x), high = y1(x);
    if (n == 0) return low;
    for (double k = 1; k < n && tb_is_finite(high); k++) {
        const double next = 2 * k / x * high - low;
        low = high;
        high = next;
    }
    return sign * high;
}

/* y of order n, upwards from -cos(x) / x: DLMF 10.51.1; y_n(-x) = (-1)^(n + 1) y_n(x). */
TB_CALLED double tb_spherical_yn(double n, double a)
{
    const double x = fabs(a), sign = a < 0 && !tb_is_odd(n) ? -1 : 1;
    if (n < 0 || x != x) return TB_NONE;
    if (x == 0) return -TB_INFINITE;
    if (x == TB_INFINITE) return 0;
    const double s = sin(x), c = cos(x);
    double low = -c / x, high = (low - s) / x;
    if (n == 0) return sign * low;
    for (double k = 1; k < n && tb_is_finite(high); k++) {
        const double next = (2 * k + 1) / x * high - low;
        low = high;
        high = next;
    }
    return sign * high;
}
#endif
