/* special_complex.h - the gamma function's relatives, and logarithms, of complex arguments. */
#ifndef TB_KERNELS_SPECIAL_COMPLEX_H
#define TB_KERNELS_SPECIAL_COMPLEX_H

TB_FN tb_c128 tb_widen(tb_c64 z) { return tb_make_c128(z.re, z.im); }
TB_FN tb_c64 tb_narrow(tb_c128 z) { return tb_make_c64((float)z.re, (float)z.im); }
TB_FN tb_c128 tb_none_c128(void) { return tb_make_c128(TB_NONE, TB_NONE); }

/* sin(pi z), cos(pi z). */
TB_CALLED tb_c128 tb_sin_pi_c128(tb_c128 z)
{
    const double s = tb_sin_pi(z.re), c = tb_cos_pi(z.re), y = TB_PI * z.im;
    if (fabs(y) < 700) return tb_make_c128(s * cosh(y), c * sinh(y));
    const double half = exp(fabs(y) / 2);
    return tb_make_c128(0.5 * s * half * half, copysign(0.5, y) * c * half * half);
}

TB_FN tb_c128 tb_polynomial_c128(tb_c128 z, const double *c, int n)
{
    tb_c128 p = tb_make_c128(c[0], 0);
    for (int k = 1; k < n; k++) {
        p = tb_mul_c128(p, z);
        p.re += c[k];
    }
    return p;
}

/* log(1 + z): |1 + z|^2 - 1 = 2 x + x^2 + y^2 in twice the digits, since it may be near 0 where z is not. Where z is
 * near -1 the sum has no error. */
TB_CALLED tb_c128 tb_log1p_complex(tb_c128 z)
{
    const double x = z.re, y = z.im, sum = 1 + x, angle = atan2(y, sum);
    if (!(fabs(x) < 3 && fabs(y) < 3) || (fabs(sum) < 0.5 && fabs(y) < 0.5)) return tb_log_c128(tb_make_c128(sum, y));
    const double xx = x * x, yy = y * y, lost = fma(x, x, -xx) + fma(y, y, -yy);
    const double a = 2 * x + xx, a_part = a - 2 * x, a_lost = (2 * x - (a - a_part)) + (xx - a_part);
    const double b = a + yy, b_part = b - a, b_lost = (a - (b - b_part)) + (yy - b_part);
    return tb_make_c128(0.5 * log1p(b + (a_lost + b_lost + lost)), angle);
}

TB_FN tb_c128 tb_xlogy_complex(tb_c128 x, tb_c128 y)
{
    if (x.re == 0 && x.im == 0 && !tb_isnan_c128(y)) return tb_make_c128(0, 0);
    return tb_mul_c128(x, tb_log_c128(y));
}

TB_FN tb_c128 tb_xlog1py_complex(tb_c128 x, tb_c128 y)
{
    if (x.re == 0 && x.im == 0 && !tb_isnan_c128(y)) return tb_make_c128(0, 0);
    return tb_mul_c128(x, tb_log1p_complex(y));
}

/* (exp(z) - 1) / z; e^x cos(y) - 1 = expm1(x) cos(y) - 2 sin(y / 2)^2. */
TB_CALLED tb_c128 tb_expm1_complex(tb_c128 z)
{
    if (!(tb_is_finite(z.re) && tb_is_finite(z.im))) return tb_expm1_c128(z);
    const double h = sin(z.im / 2);
    return tb_make_c128(expm1(z.re) * cos(z.im) - 2 * h * h, exp(z.re) * sin(z.im));
}

TB_FN tb_c128 tb_exprel_complex(tb_c128 z)
{
    if (tb_abs_c128(z) < 1e-16) return tb_make_c128(1, 0);
    return tb_div_c128(tb_expm1_complex(z), z);
}

/* ---- gamma ------------------------------------------------------------------------------------------------------- */

TB_FN tb_c128 tb_loggamma_near_1(tb_c128 z) /* of 1 + z */
{
    tb_c128 p = tb_polynomial_c128(z, tb_loggamma_taylor, 22);
    p = tb_mul_c128(p, z);
    p.re -= TB_EULER;
    return tb_mul_c128(p, z);
}

/* DLMF 5.11.1 for re z > 7 or |im z| > 7. */
TB_CALLED tb_c128 tb_loggamma_far(tb_c128 z)
{
    const double c[8] = {-0.029550653594771242,  0.00641025641025641,   -0.0019175269175269176, 0.0008417508417508417,
                         -0.0005952380952380953, 0.0007936507936507937, -0.002777777777777778,  0.08333333333333333};
    const tb_c128 r = tb_reciprocal_c128(z), p = tb_mul_c128(tb_polynomial_c128(tb_mul_c128(r, r), c, 8), r);
    const tb_c128 l = tb_log_c128(z), main = tb_mul_c128(tb_make_c128(z.re - 0.5, z.im), l);
    return tb_make_c128(main.re - z.re + 0.918938533204672741780 + p.re, main.im - z.im + p.im);
}

/* im z >= 0: steps up, with a turn of the logarithm each time that the product passes the negative axis (Hare 1997). */
TB_FN tb_c128 tb_loggamma_steps(tb_c128 z)
{
    tb_c128 product = z;
    int turns = 0, below = 0;
    z.re += 1;
    while (z.re <= 7) {
        product = tb_mul_c128(product, z);
        const int now = copysign(1.0, product.im) < 0;
        turns += now && !below;
        below = now;
        z.re += 1;
    }
    const tb_c128 far = tb_loggamma_far(z), l = tb_log_c128(product);
    return tb_make_c128(far.re - l.re, far.im - l.im - turns * 2 * TB_PI);
}

TB_CALLED tb_c128 tb_loggamma_right(tb_c128 z)
{
    const tb_c128 one = tb_make_c128(z.re - 1, z.im), two = tb_make_c128(z.re - 2, z.im);
    if (z.re > 7 || fabs(z.im) > 7) return tb_loggamma_far(z);
    if (tb_abs_c128(one) < 0.2) return tb_loggamma_near_1(one);
    if (tb_abs_c128(two) < 0.2) return tb_add_c128(tb_log1p_complex(two), tb_loggamma_near_1(two));
    return copysign(1.0, z.im) < 0 ? tb_conj_c128(tb_loggamma_steps(tb_conj_c128(z))) : tb_loggamma_steps(z);
}

TB_CALLED tb_c128 tb_loggamma_complex(tb_c128 z)
{
    if (tb_isnan_c128(z) || (z.im == 0 && tb_is_pole(z.re))) return tb_none_c128();
    if (z.re >= 0.1 || fabs(z.im) > 7) return tb_loggamma_right(z);
    /* DLMF 5.5.3, on the branch that is continuous off the negative axis. */
    const tb_c128 l = tb_log_c128(tb_sin_pi_c128(z)), g = tb_loggamma_right(tb_make_c128(1 - z.re, -z.im));
    return tb_make_c128(1.144729885849400174143 - l.re - g.re,
                        copysign(2 * TB_PI, z.im) * floor(0.5 * z.re + 0.25) - l.im - g.im);
}

TB_FN double tb_loggamma(double x) { return x < 0 ? TB_NONE : tb_gammaln(x); }

TB_FN tb_c128 tb_gamma_complex(tb_c128 z)
{
    if (z.im == 0 && tb_is_pole(z.re)) return tb_none_c128();
    if (z.im == 0) return tb_make_c128(tb_gamma(z.re), z.im);
    return tb_exp_c128(tb_loggamma_complex(z));
}

TB_FN tb_c128 tb_rgamma_complex(tb_c128 z)
{
    if (z.im == 0 && tb_is_pole(z.re)) return tb_make_c128(0, 0);
    if (z.im == 0) return tb_make_c128(tb_rgamma(z.re), -z.im);
    return tb_exp_c128(tb_neg_c128(tb_loggamma_complex(z)));
}

/* ---- digamma ----------------------------------------------------------------------------------------------------- */

/* Derivatives over factorials, down to the first, at the positive zero and at the first negative one. */
TB_CURVE tb_digamma_taylor[21] = {0.00023635601564027053, -0.0003454680251063077, 0.000504953265834602,
                                  -0.0007380709389960052, 0.0010788252019162967,  -0.0015769367714301972,
                                  0.002305126326734928,   -0.003369801655439328,  0.004926781395729853,
                                  -0.007204534386356869,  0.010538791616612175,   -0.01542476590494896,
                                  0.022597648232218104,   -0.03316112647484736,   0.04880428816414311,
                                  -0.07219956125645471,   0.10782405069126237,    -0.16394270544240652,
                                  0.258499760955651,      -0.4427631689835921,    0.9676722454476212};
TB_CURVE tb_digamma_taylor_below[21] = {8530604.878543982,  -723318.8861804305, 2126602.3725968753, -163451.79342700253,
                                        530280.3912420176,  -36529.94596948565, 132262.95480834588, -8051.818155363498,
                                        32997.785655255044, -1743.364608867363, 8234.667099203069,  -368.5783503832191,
                                        2055.5357119463315, -75.37700066344631, 513.2704629562862,  -14.70672173553036,
                                        128.27342343090902, -2.761011648790828, 32.258572064915505, -0.8093454625306507,
                                        8.939798558792134};

/* DLMF 5.11.2. */
TB_FN tb_c128 tb_digamma_far_c128(tb_c128 z)
{
    const double c[8] = {-0.4432598039215686,   0.08333333333333333,  -0.021092796092796094, 0.007575757575757576,
                         -0.004166666666666667, 0.003968253968253968, -0.008333333333333333, 0.08333333333333333};
    const tb_c128 r = tb_reciprocal_c128(z), r2 = tb_mul_c128(r, r), p = tb_mul_c128(tb_polynomial_c128(r2, c, 8), r2);
    const tb_c128 l = tb_log_c128(z);
    return tb_make_c128(l.re - 0.5 * r.re - p.re, l.im - 0.5 * r.im - p.im);
}

TB_CALLED tb_c128 tb_digamma_right_c128(tb_c128 z)
{
    tb_c128 sum = tb_make_c128(0, 0);
    while (z.re < 10 && tb_abs_c128(z) < 12) {
        sum = tb_sub_c128(sum, tb_reciprocal_c128(z));
        z.re += 1;
    }
    return tb_add_c128(sum, tb_digamma_far_c128(z));
}

TB_CALLED tb_c128 tb_digamma_complex(tb_c128 z)
{
    if (tb_isnan_c128(z) || (z.im == 0 && tb_is_pole(z.re))) return tb_none_c128();
    const tb_c128 near = tb_make_c128(z.re - TB_DIGAMMA_ZERO - 9.549995429965697e-17, z.im);
    const tb_c128 below = tb_make_c128(z.re - TB_DIGAMMA_BELOW + 8.15428206243813e-18, z.im);
    if (tb_abs_c128(near) < 0.25) return tb_mul_c128(near, tb_polynomial_c128(near, tb_digamma_taylor, 21));
    if (tb_abs_c128(below) < 0.08) return tb_mul_c128(below, tb_polynomial_c128(below, tb_digamma_taylor_below, 21));
    if (z.re >= 0) return tb_digamma_right_c128(z);
    tb_c128 cot = tb_make_c128(0, z.im > 0 ? -1 : 1);
    if (fabs(z.im) < 20) {
        /* DLMF 4.21.40; squares next to a pole may be too small. */
        const double y = TB_PI * z.im, below_line = z.re - rint(z.re), s = tb_sin_pi(below_line), h = sinh(y);
        const double most = fmax(fabs(s), fabs(h)), a = s / most, b = h / most, square = a * a + b * b;
        cot = tb_make_c128(a * tb_cos_pi(below_line) / square / most, -b * cosh(y) / square / most);
    }
    return tb_sub_c128(tb_digamma_right_c128(tb_make_c128(1 - z.re, -z.im)), tb_scale_c128(cot, TB_PI));
}
#endif
