/* special_sici.h - sine and cosine integrals, trigonometric and hyperbolic, of real and complex arguments. */
#ifndef TB_KERNELS_SPECIAL_SICI_H
#define TB_KERNELS_SPECIAL_SICI_H

/* Si(x) / x in x^2 on [0, 16], Shi(x) / x on [0, 6]; (Ci(x) - log(x / root)) / (x - root) on [0, 4], and the
 * same of Chi; the auxiliary functions x f(x) and x^2 g(x) of DLMF 6.2 from 4 on in 1 - 18 / (x + 5). */
TB_CURVE tb_si_near[11] = {8.535034668454058e-13,  -4.8854715983030926e-11, 2.294707477809517e-09,
                           -8.669326212129578e-08, 2.562902980424153e-06,   -5.7295100454746436e-05,
                           0.000926043940588566,   -0.010180919854576809,   0.06995436230262994,
                           -0.26998630593421996,   0.6488924209268717};
TB_CURVE tb_shi_near[15] = {5.11189871700897e-33,   3.247696733297476e-30,  2.5901144753220002e-27,
                            1.6812648870974165e-24, 9.320631988818077e-22,  4.3266457379582746e-19,
                            1.65379846034833e-16,   5.0981091452591937e-14, 1.235311064451574e-11,
                            2.277464398671719e-09,  3.061924358220841e-07,  2.8344671201814016e-05,
                            0.0016666666666666668,  0.05555555555555555,    1.0};
TB_CURVE tb_ci_near[17] = {-9.955560833259281e-12,  -2.1457132789439125e-11, 8.061300540763578e-10,
                           1.3849960916538439e-09,  -4.906247067117488e-08,  -6.221783922291486e-08,
                           2.268534672135474e-06,   1.8542619463303835e-06,  -7.636210620092258e-05,
                           -2.7850002396770576e-05, 0.0017609823392510091,   -0.00016758891595981763,
                           -0.025392681153795373,   0.014772177403635236,    0.1955716684980697,
                           -0.23589816954359702,    -0.5448915065157309};
TB_CURVE tb_chi_near[18] = {3.799746015847528e-12, 3.411087572954579e-11, 3.0652296286157714e-10,
                            2.446993639729303e-09, 2.057632134666818e-08, 1.4422316952360595e-07,
                            1.061319353593972e-06, 6.401009269979975e-06, 4.0454817208065394e-05,
                            0.0002042339088477004, 0.001078837259098456,  0.004377826714851917,
                            0.018600436698159997,  0.056789511706948174,  0.18345275476477735,
                            0.3700733016927515,    0.8497343537075668,    0.7539185089129501};
TB_CURVE tb_sici_f[22] = {
    3.3362238419474625e-11, 2.3553047075917116e-12,  -9.997157591028629e-11, -3.778481704793409e-10,
    3.714967553530333e-10,  -8.43661007649566e-10,   5.1505443817223405e-09, -8.582255583494144e-09,
    4.294163527627377e-08,  -1.2755821070265367e-07, 3.540804851067297e-07,  -1.476411296180537e-06,
    4.382747445578591e-06,  -1.5002241629723836e-05, 6.0147805254630356e-05, -0.00019703165492590202,
    0.0007431958623151954,  -0.003338839233741454,   0.011796074238587514,   -0.026952938849455883,
    0.029010660819790937,   0.9888905617997232};
TB_CURVE tb_sici_g[23] = {
    2.34448531491553e-10,   3.0148799847862253e-10, -1.2113679236000023e-09, -2.580476463131354e-09,
    1.6020990928713916e-10, 3.714895917048558e-09,  9.530101190484396e-09,   1.6624404708571033e-08,
    3.767774639327072e-08,  -4.793936023854376e-08, -1.2931458331778856e-07, -9.102285504883488e-07,
    1.0571136130392625e-07, -7.616863723446277e-07, 2.0122652252704072e-05,  5.567851316621674e-06,
    5.686504050494219e-06,  -0.0004612753111649739, -0.002128254397759448,   0.022195853871209523,
    -0.06841075067152452,   0.08083631063335572,    0.9679384178743187};

/* Si(x) and Ci(x) from 4 on, x f(x) and x^2 g(x) times sines and cosines. */
TB_CALLED tb_c128 tb_sici_far(double x)
{
    double s, c;
    tb_sin_and_cos(x, &s, &c);
    const double t = 1 - 18 / (x + 5), r = 1 / x;
    const double f = tb_horner_halves(t, tb_sici_f, 22), g = r * tb_horner_halves(t, tb_sici_g, 23);
    return tb_make_c128(TB_PI / 2 - r * fma(f, c, g * s), r * fma(f, s, -(g * c)));
}

TB_CALLED double tb_si(double a)
{
    const double x = fabs(a);
    if (x <= 4) return a * tb_horner_halves(x * x / 8 - 1, tb_si_near, 11);
    if (x == TB_INFINITE) return copysign(TB_PI / 2, a);
    return copysign(tb_sici_far(x).re, a);
}

/* Of negative numbers too the real part. */
TB_CALLED double tb_ci(double a)
{
    const double x = fabs(a);
    if (!(x > 0) || a == -TB_INFINITE) return x == 0 ? -TB_INFINITE : TB_NONE;
    if (x <= 4)
        return tb_near_root(x, 0.6165054856207163, -4.209920321433186e-17, 1.6220455832492229, -8.354850171457824e-17,
                            tb_horner_halves(x / 2 - 1, tb_ci_near, 17));
    if (x == TB_INFINITE) return 0;
    return tb_sici_far(x).im;
}

/* Both, of real numbers; where they are polynomials they share nothing. */
TB_CALLED tb_c128 tb_sici(double a)
{
    const double x = fabs(a);
    if (!(x > 4 && x < TB_INFINITE)) return tb_make_c128(tb_si(a), tb_ci(a));
    const tb_c128 both = tb_sici_far(x);
    return tb_make_c128(copysign(both.re, a), both.im);
}

TB_CALLED double tb_shi(double a)
{
    const double x = fabs(a);
    if (x == TB_INFINITE) return a;
    if (x > 6) return copysign(0.5 * tb_ei_positive(x) + 0.5 * tb_exp1_positive(x), a);
    return a * tb_horner_halves(x * x, tb_shi_near, 15);
}

TB_CALLED double tb_chi(double a)
{
    const double x = fabs(a);
    if (!(x > 0)) return x == 0 ? -TB_INFINITE : TB_NONE;
    if (x == TB_INFINITE) return x;
    if (x <= 4)
        return tb_near_root(x, 0.5238225713898644, -2.6671382575502846e-17, 1.909043356697457, -4.5691504506573885e-17,
                            tb_horner_halves(x / 2 - 1, tb_chi_near, 18));
    return 0.5 * tb_ei_positive(x) - 0.5 * tb_exp1_positive(x);
}

TB_CALLED tb_c128 tb_shichi(double a)
{
    const double x = fabs(a);
    if (!(x > 6 && x < TB_INFINITE)) return tb_make_c128(tb_shi(a), tb_chi(a));
    const double up = 0.5 * tb_ei_positive(x), down = 0.5 * tb_exp1_positive(x);
    return tb_make_c128(copysign(up + down, a), up - down);
}

/* ---- complex ----------------------------------------------------------------------------------------------------- */

/* E1 off the negative axis: DLMF 6.6.2 near 0 and near the negative axis, else the continued fraction 6.9.1 from its
 * far end. */
TB_CALLED tb_c128 tb_exp1_complex(tb_c128 z)
{
    const double size = tb_abs_c128(z);
    if (size < (z.re < 0 ? 5 : 2.5) || (z.re < -2 * fabs(z.im) && size < 40)) {
        tb_c128 sum = tb_make_c128(0, 0), term = tb_make_c128(1, 0);
        for (int k = 1; k < 400; k++) {
            term = tb_scale_c128(tb_mul_c128(term, z), -1.0 / k);
            sum = tb_sub_c128(sum, tb_scale_c128(term, 1.0 / k));
            if (tb_abs_c128(term) < TB_EPS / 4 * k * tb_abs_c128(sum)) break;
        }
        const tb_c128 l = tb_log_c128(z);
        return tb_make_c128(sum.re - TB_EULER - l.re, sum.im - l.im);
    }
    tb_c128 rest = tb_make_c128(0, 0);
    for (int k = size < 4 ? 600 : size < 10 ? 300 : 120; k > 0; k--) {
        const tb_c128 inner = tb_div_c128(tb_make_c128(k, 0), tb_add_c128(z, rest));
        rest = tb_div_c128(tb_make_c128(k, 0), tb_make_c128(1 + inner.re, inner.im));
    }
    return tb_div_c128(tb_exp_c128(tb_neg_c128(z)), tb_add_c128(z, rest));
}

/* Ei(z) = -E1(-z), and half a turn towards the side on which z lies. */
TB_CALLED tb_c128 tb_ei_complex(tb_c128 z)
{
    const tb_c128 e = tb_exp1_complex(tb_neg_c128(z));
    return tb_make_c128(-e.re, -e.im + (z.im > 0 ? TB_PI : z.im < 0 ? -TB_PI : z.re > 0 ? copysign(TB_PI, z.im) : 0));
}

/* The odd one of Si and Shi, and the even one, whose logarithm is left out: sums of (sign z^2)^k. */
TB_CALLED tb_c128 tb_sici_series(tb_c128 z, double sign, int even)
{
    const tb_c128 square = tb_scale_c128(tb_mul_c128(z, z), sign);
    tb_c128 term = even ? tb_make_c128(1, 0) : z, sum = even ? tb_make_c128(TB_EULER, 0) : z;
    for (int k = 1; k < 40; k++) {
        const double n = even ? 2 * k : 2 * k + 1;
        term = tb_scale_c128(tb_mul_c128(term, square), 1 / (n * (n - 1)));
        sum = tb_add_c128(sum, tb_scale_c128(term, 1 / n));
    }
    return sum;
}

TB_CALLED tb_c128 tb_sici_complex(tb_c128 z, int even)
{
    if (z.re == 0 && z.im == 0) return even ? tb_make_c128(-TB_INFINITE, TB_NONE) : z;
    if (z.im == 0 && z.re > 0) return tb_make_c128(even ? tb_ci(z.re) : tb_si(z.re), z.im);
    if (tb_abs_c128(z) < 3) {
        const tb_c128 sum = tb_sici_series(z, -1, even);
        return even ? tb_add_c128(sum, tb_log_c128(z)) : sum;
    }
    const tb_c128 turned = tb_make_c128(-z.im, z.re);
    const tb_c128 p = tb_ei_complex(turned), q = tb_ei_complex(tb_neg_c128(turned));
    if (!even) {
        const double shift = z.re == 0 ? 0 : copysign(TB_PI / 2, -z.re);
        return tb_make_c128(0.5 * (p.im - q.im) + shift, -0.5 * (p.re - q.re));
    }
    const double shift = z.re == 0 ? copysign(TB_PI / 2, z.im) : z.re < 0 ? copysign(TB_PI, z.im) : 0;
    return tb_make_c128(0.5 * (p.re + q.re), 0.5 * (p.im + q.im) + shift);
}

TB_CALLED tb_c128 tb_shichi_complex(tb_c128 z, int even)
{
    if (z.re == 0 && z.im == 0) return even ? tb_make_c128(-TB_INFINITE, TB_NONE) : z;
    if (z.im == 0 && z.re > 0) return tb_make_c128(even ? tb_chi(z.re) : tb_shi(z.re), z.im);
    if (tb_abs_c128(z) < 3) {
        const tb_c128 sum = tb_sici_series(z, 1, even);
        return even ? tb_add_c128(sum, tb_log_c128(z)) : sum;
    }
    const tb_c128 p = tb_ei_complex(z), q = tb_ei_complex(tb_neg_c128(z));
    const double side = z.im == 0 ? 0 : copysign(TB_PI / 2, z.im);
    if (!even) return tb_make_c128(0.5 * (p.re - q.re), 0.5 * (p.im - q.im) - side);
    return tb_make_c128(0.5 * (p.re + q.re), 0.5 * (p.im + q.im) + (z.im == 0 ? (z.re < 0 ? TB_PI : 0) : side));
}
#endif
