/* special_sici.h - sine and cosine integrals, trigonometric and hyperbolic, of real and complex arguments. */
#ifndef TB_KERNELS_SPECIAL_SICI_H
#define TB_KERNELS_SPECIAL_SICI_H

/* Si(x) / x in x^2 on [0, 16]; (Ci(x) - log(x / root)) / (x - root) on [0, 4], and the same of Chi; the auxiliary
 * functions x f(x) and x^2 g(x) of DLMF 6.2 beyond 4, in 8 / x - 1. */
TB_TABLE tb_si_near[11] = {8.535034668454058e-13,  -4.8854715983030926e-11, 2.294707477809517e-09,
                           -8.669326212129578e-08, 2.562902980424153e-06,   -5.7295100454746436e-05,
                           0.000926043940588566,   -0.010180919854576809,   0.06995436230262994,
                           -0.26998630593421996,   0.6488924209268717};
TB_TABLE tb_ci_near[17] = {-9.955560833259281e-12,  -2.1457132789439125e-11, 8.061300540763578e-10,
                           1.3849960916538439e-09,  -4.906247067117488e-08,  -6.221783922291486e-08,
                           2.268534672135474e-06,   1.8542619463303835e-06,  -7.636210620092258e-05,
                           -2.7850002396770576e-05, 0.0017609823392510091,   -0.00016758891595981763,
                           -0.025392681153795373,   0.014772177403635236,    0.1955716684980697,
                           -0.23589816954359702,    -0.5448915065157309};
TB_TABLE tb_chi_near[18] = {3.799746015847528e-12, 3.411087572954579e-11, 3.0652296286157714e-10,
                            2.446993639729303e-09, 2.057632134666818e-08, 1.4422316952360595e-07,
                            1.061319353593972e-06, 6.401009269979975e-06, 4.0454817208065394e-05,
                            0.0002042339088477004, 0.001078837259098456,  0.004377826714851917,
                            0.018600436698159997,  0.056789511706948174,  0.18345275476477735,
                            0.3700733016927515,    0.8497343537075668,    0.7539185089129501};
TB_TABLE tb_sici_f[31] = {
    -1.2049616188036249e-08, 1.3757234268860708e-09,  1.056440466393563e-07,  -4.5237743322154964e-08,
    -3.5893305746872355e-07, 2.1070887012004772e-07,  6.465827670524715e-07,  -4.022256823765199e-07,
    -7.870801478010267e-07,  4.850620280034985e-07,   7.107272532800704e-07,  -5.288117136293327e-07,
    -2.0661051543413619e-07, 1.8280857407822381e-09,  3.7762377725057755e-07, -5.411500275102294e-08,
    -8.207869094046405e-07,  2.28883350006095e-06,    -4.612387176414737e-06, 7.05880039930223e-06,
    -6.248956705038285e-06,  -6.60983747890056e-06,   4.8566090295631014e-05, -0.00013899310157346442,
    0.00025179405195869213,  -0.00012936551628475482, -0.0012306310945510524, 0.006223319506798733,
    -0.013667694560306651,   -0.047572231220872244,   0.9729943077879408};
TB_TABLE tb_sici_g[35] = {
    -1.6033973895469678e-07, 2.142991038477426e-07,   1.1385070700946428e-06,  -1.597627053807946e-06,
    -3.527821779870072e-06,  5.15545285001014e-06,    6.541712532962645e-06,   -9.803708098766523e-06,
    -8.389509330128716e-06,  1.2757211065307029e-05,  7.556297312401012e-06,   -1.1709180917859698e-05,
    -4.9161763641773304e-06, 7.436740529119696e-06,   3.314164430101667e-06,   -5.03672224590608e-06,
    3.6026449007246495e-07,  4.238631338903753e-07,   -1.7303902890927826e-07, 3.6969455817697787e-06,
    -1.0955962152931811e-05, 2.0947891337283707e-05,  -3.070316105841284e-05,  2.928116399748907e-05,
    8.985955520315064e-06,   -0.00012857799673152162, 0.0003775983867470023,   -0.000723416922952018,
    0.0007896071333287643,   0.0007345712539125756,   -0.006799983069459866,   0.01997075364809438,
    -0.022333125160332694,   -0.12247985156235179,    0.9254220765670682};

TB_CALLED double tb_near_root(double x, double root, double rest, double slope)
{
    const double distance = (x - root) - rest;
    return (fabs(distance) < 0.1 ? log1p(distance / root) : log(x / root)) + distance * slope;
}

TB_CALLED double tb_si(double a)
{
    const double x = fabs(a);
    if (x <= 4) return a * tb_horner(x * x / 8 - 1, tb_si_near, 11);
    if (x == TB_INFINITE) return copysign(TB_PI / 2, a);
    const double t = 8 / x - 1, f = tb_horner(t, tb_sici_f, 31) / x, g = tb_horner(t, tb_sici_g, 35) / x / x;
    return copysign(TB_PI / 2 - (f * cos(x) + g * sin(x)), a);
}

/* Of negative numbers too the real part. */
TB_CALLED double tb_ci(double a)
{
    const double x = fabs(a);
    if (!(x > 0) || a == -TB_INFINITE) return x == 0 ? -TB_INFINITE : TB_NONE;
    if (x <= 4)
        return tb_near_root(x, 0.6165054856207163, -4.209920321433186e-17, tb_horner(x / 2 - 1, tb_ci_near, 17));
    if (x == TB_INFINITE) return 0;
    const double t = 8 / x - 1, f = tb_horner(t, tb_sici_f, 31) / x, g = tb_horner(t, tb_sici_g, 35) / x / x;
    return f * sin(x) - g * cos(x);
}

TB_CALLED double tb_shi(double a)
{
    const double x = fabs(a);
    if (x == TB_INFINITE) return a;
    if (x > 6) return copysign(0.5 * tb_ei_positive(x) + 0.5 * tb_exp1_positive(x), a);
    double sum = 1, term = 1; /* DLMF 6.6.5 for an imaginary argument */
    for (int k = 1; k < 40; k++) {
        term *= x * x / (2 * k * (2 * k + 1));
        sum += term / (2 * k + 1);
    }
    return a * sum;
}

TB_CALLED double tb_chi(double a)
{
    const double x = fabs(a);
    if (!(x > 0)) return x == 0 ? -TB_INFINITE : TB_NONE;
    if (x == TB_INFINITE) return x;
    if (x <= 4)
        return tb_near_root(x, 0.5238225713898644, -2.6671382575502846e-17, tb_horner(x / 2 - 1, tb_chi_near, 18));
    return 0.5 * tb_ei_positive(x) - 0.5 * tb_exp1_positive(x);
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
