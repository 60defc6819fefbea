/* special_zeta.h - Riemann's and Hurwitz' zeta functions of real arguments. */
#ifndef TB_KERNELS_SPECIAL_ZETA_H
#define TB_KERNELS_SPECIAL_ZETA_H

/* Bernoulli's numbers over factorials, B(2k) / (2k)!. */
TB_CURVE tb_bernoulli[12] = {0.08333333333333333,    -0.001388888888888889,   3.306878306878307e-05,
                             -8.267195767195768e-07, 2.08767569878681e-08,    -5.284190138687493e-10,
                             1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                             -2.174868698558062e-16, 5.5090028283602295e-18,  -1.3954464685812522e-19};

/* 2^s (zeta(s) - 1) - 2 / (s - 1) for s in [1, 16], in (2 s - 17) / 15. */
TB_CURVE tb_zetac_above[22] = {
    -4.98098334544296e-11,  2.125357686735843e-10,   -1.798648638537887e-10,  -1.512166511969183e-09,
    8.893156002584533e-09,  -2.496708271648317e-08,  1.6559239522959227e-08,  1.9229684623575949e-07,
    -9.99759786000704e-07,  2.3127064327537432e-06,  -7.530153356962407e-08,  -2.0213795120386637e-05,
    7.715304707893522e-05,  -0.00011973828056484455, -0.00016494885272369972, 0.0014243139389463698,
    -0.0035613633719400826, 0.0021303103981875743,   0.015898668618072865,    -0.06744462152552316,
    0.15149110457267043,    0.7684927256250249};

/* The sum over k of (q + k)^-s, q > 0, s > 1: Euler and Maclaurin's formula (DLMF 25.11.5), q^-s times a sum of
 * (q / (q + k))^s. What a quotient is off by next to 1 counts as often as s says, so it is put right. */
TB_FN double tb_zeta_sum_apart(double s, double q)
{
    const double first = tb_pow(q, -s), r = 1 / q;
    if (q < 1e-100) return first;
    double sum = 1, a = q, power = 1;
    for (int k = 0; k < 9 || a <= 9; k++) {
        a += 1;
        const double ratio = a * r;
        power = exp(-s * (log(ratio) + (ratio < 1.5 ? fma(-ratio, q, a) * r : 0)));
        sum += power;
        if (power < TB_EPS / 2 * sum) return first * sum;
    }
    const double inverse = 1 / a, inverse2 = inverse * inverse;
    double tail = tb_bernoulli[11];
    for (int k = 11; k > 0; k--) tail = fma((s + (2 * k - 1)) * (s + 2 * k) * inverse2, tail, tb_bernoulli[k - 1]);
    return first * (sum + power * (a / (s - 1) - 0.5 + s * inverse * tail));
}

TB_CALLED double tb_zeta_sum(double s, double q)
{
    TB_TOGETHER(const double result = tb_zeta_sum_apart(s, q));
    return result;
}

/* zeta(s) - 1 for s > 1. */
TB_FN double tb_zetac_beyond_apart(double s)
{
    if (s > 16) return s > 1100 ? 0 : tb_zeta_sum(s, 2);
    return exp2(-s) * (2 / (s - 1) + tb_horner((2 * s - 17) * (1.0 / 15), tb_zetac_above, 22));
}

TB_CALLED double tb_zetac_beyond(double s)
{
    TB_TOGETHER(const double result = tb_zetac_beyond_apart(s));
    return result;
}

TB_FN double tb_zeta_apart(double s, double q)
{
    if (s != s || q != q) return s + q;
    if (s == 1) return TB_INFINITE;
    if (s < 1) return TB_NONE;
    if (q <= 0) {
        if (tb_is_whole(q)) return TB_INFINITE;
        if (!tb_is_whole(s)) return TB_NONE; /* of a negative number */
        /* Terms before the first positive one, exactly as many. */
        double sum = 0;
        if (q < -1e5) return TB_NONE;
        for (; q < 0; q += 1) sum += tb_pow(q, -s);
        return sum + tb_zeta_sum(s, q);
    }
    if (q == 1 || q == 2) return (q == 1) + tb_zetac_beyond(s);
    if (q > 1e8) return (1 / (s - 1) + 1 / (2 * q)) * tb_pow(q, 1 - s);
    return tb_zeta_sum(s, q);
}

TB_CALLED double tb_zeta(double s, double q)
{
    TB_TOGETHER(const double result = tb_zeta_apart(s, q));
    return result;
}

/* zeta(s) - 1 - 1 / (s - 1) for s in [-1/2, 1], in (4 s - 1) / 3. */
TB_CURVE tb_zetac_near[12] = {-3.870635255392599e-13, 6.991393408467512e-12,  -4.273287392702637e-11,
                              -7.426196924249432e-10, 2.0730750280540537e-08, -1.81045728920519e-07,
                              -8.725132789294861e-07, 3.706543721663072e-05,  -0.00028100710934883847,
                              -0.0020937584318786073, 0.0594994705411078,     -0.47994507192855834};

/* Riemann's zeta function below -1/2 by its functional equation (DLMF 25.4.1). */
TB_CALLED double tb_zeta_reflected(double s)
{
    const double r = 1 - s;
    if (tb_is_whole(s / 2)) return 0;
    /* (2 pi)^-r = (2 pi e)^... : in logarithms where gamma overflows. */
    const double sine = -tb_sin_pi(fmod(-s, 4) / 2), tail = 1 + tb_zetac_beyond(r);
    if (r < 150) return 2 * sine * tail * tb_tgamma(r) * tb_pow(2 * TB_PI, -r);
    const double half = tb_pow(r / (2 * TB_PI * 2.718281828459045235360), r / 2 - 0.25);
    /* gamma(r) = sqrt(2 pi) r^(r - 1/2) e^-r (1 + ...), DLMF 5.11.3 */
    const double scale =
        tb_pow(2 * TB_PI * 2.718281828459045235360, -0.5) * 2.506628274631000502416 * exp(tb_stirling(r));
    return 2 * sine * tail * scale * half * half;
}

/* Riemann's zeta function less 1. */
TB_CALLED double tb_zetac(double s)
{
    if (s != s) return s;
    if (s == 1) return TB_INFINITE;
    if (s == -TB_INFINITE) return TB_NONE;
    if (s > 1) return tb_zetac_beyond(s);
    if (s >= -0.5) return 1 / (s - 1) + tb_horner((4 * s - 1) / 3, tb_zetac_near, 12);
    return tb_zeta_reflected(s) - 1;
}

TB_FN double tb_riemann_zeta(double s)
{
    return s < -0.5 && s > -TB_INFINITE ? tb_zeta_reflected(s) : 1 + tb_zetac(s);
}
#endif
