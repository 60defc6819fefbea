/* special_bessel.h - Bessel functions, plain and modified, of orders 0 and 1, those of the second kind of whole order,
 * spherical ones. i0 is real.h's. */
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

/* ---- orders 0 and 1 --------------------------------------------------------------------------------------------- */

/* Hankel's amplitudes from x = 8 on: with chi = x - (n / 2 + 1/4) pi, P = sqrt(pi x / 2) (J cos(chi) + Y sin(chi)) and
 * Q = sqrt(pi x / 2) (Y cos(chi) - J sin(chi)) (DLMF 10.17(i), Abramowitz and Stegun 9.2), P and x Q / 8 as polynomials
 * in t = 128 / x^2 - 1. CUDA's own functions miss SciPy's there. */
TB_TABLE tb_hankel_p0[13] = {3.2274659236696375e-14,  -1.0240462527458219e-13, 2.486651879170221e-13,
                             -1.0160586409351026e-12, 4.7832464504070676e-12,  -2.4911156906092825e-11,
                             1.5500758850965851e-10,  -1.2121099519052884e-09, 1.2803760990761632e-08,
                             -2.0527448258799454e-07, 6.137416080147722e-06,   -0.0005363673192129684,
                             0.9994572757882519};
TB_TABLE tb_hankel_q0[12] = {9.575735875005847e-14,   -3.119994376116503e-13,  8.259713596314508e-13,
                             -3.4904977440952908e-12, 1.7051726884410257e-11,  -9.475742351179434e-11,
                             6.432736726927442e-10,   -5.6687032442267705e-09, 7.106214898484435e-08,
                             -1.4771388337607956e-06, 6.833149099343349e-05,   -0.015555113879513503};
TB_TABLE tb_hankel_p1[13] = {-3.4273425511664546e-14, 1.0911783467601572e-13,  -2.668914316041983e-13,
                             1.0958092927251801e-12,  -5.1871998149145174e-12, 2.7234187811287063e-11,
                             -1.713127898085761e-10,  1.360297066536911e-09,   -1.470851251614582e-08,
                             2.45367663311693e-07,    -7.959694698478657e-06,  0.0008988049416705195,
                             1.0009070262780821};
TB_TABLE tb_hankel_q1[12] = {-1.0179381589087164e-13, 3.3289005448364253e-13,  -8.87712379064879e-13,
                             3.771644965774865e-12,   -1.8544350761823707e-11, 1.0400745817311543e-10,
                             -7.151057862334875e-10,  6.420118927317563e-09,   -8.291960750207848e-08,
                             1.821201852408518e-06,   -9.621458822053857e-05,  0.04677687402744896};

TB_FN void tb_sin_and_cos(double x, double *s, double *c)
{
#ifdef __CUDACC_RTC__
    sincos(x, s, c);
#else
    *s = sin(x);
    *c = cos(x);
#endif
}

/* sqrt(2 / (pi x)) (P cos(y) - Q sin(y)) for y = x - pi / 4; turned: a quarter of a turn on, sin for cos and -cos for
 * sin. Of sin(x) + cos(x) and sin(x) - cos(x), whose product is -cos(2 x), the one that cancels is found from the
 * other: what is left next to zeros is right to its own last places. */
TB_FN double tb_hankel(double x, const double *p, const double *q, int turned)
{
    double s, c;
    if (x == TB_INFINITE) return 0;
    tb_sin_and_cos(x, &s, &c);
    double sum = s + c, difference = s - c;
    if (x < 1e300) {
        const double product = -cos(2 * x);
        if (s * c < 0) sum = product / difference;
        else difference = product / sum;
    }
    const double t = 128 / (x * x) - 1, along = turned ? difference : sum, across = turned ? sum : -difference;
    return 0.564189583547756286948079 / sqrt(x) *
           fma(tb_horner(t, p, 13), along, tb_horner(t, q, 12) * (8 / x) * across);
}

TB_CALLED double tb_hankel0(double x, int turned) { return tb_hankel(x, tb_hankel_p0, tb_hankel_q0, turned); }
TB_CALLED double tb_hankel1(double x, int turned) { return tb_hankel(x, tb_hankel_p1, tb_hankel_q1, turned); }

TB_CALLED double tb_j0(double a)
{
    const double x = fabs(a);
    return x < 8 ? j0(x) : tb_hankel0(x, 0);
}

TB_CALLED double tb_j1(double a)
{
    const double x = fabs(a);
    return x < 8 ? j1(a) : copysign(1.0, a) * tb_hankel1(x, 1);
}

TB_CALLED double tb_y0(double x)
{
    if (!(x > 0)) return x == 0 ? -TB_INFINITE : TB_NONE;
    return x < 8 ? y0(x) : tb_hankel0(x, 1);
}

TB_CALLED double tb_y1(double x)
{
    if (!(x > 0)) return x == 0 ? -TB_INFINITE : TB_NONE;
    return x < 8 ? y1(x) : -tb_hankel1(x, 0);
}

/* ---- other orders ----------------------------------------------------------------------------------------------- */

/* Upward recurrence, which is stable: DLMF 10.6.1. Y of order -n is (-1)^n that of order n. */
TB_CALLED double tb_yn(double order, double x)
{
    const double n = fabs(trunc(order)), sign = order < 0 && tb_is_odd(n) ? -1 : 1;
    if (!(x > 0)) return x == 0 ? -sign * TB_INFINITE : TB_NONE;
    if (x == TB_INFINITE) return 0;
    double low = tb_y0(x), high = tb_y1(x);
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
