/* special_zeta.h - Riemann's and Hurwitz' zeta functions of real arguments. */
#ifndef TB_KERNELS_SPECIAL_ZETA_H
#define TB_KERNELS_SPECIAL_ZETA_H

/* Bernoulli's numbers over factorials, B(2k) / (2k)!. */
TB_TABLE tb_bernoulli[12] = {0.08333333333333333,    -0.001388888888888889,   3.306878306878307e-05,
                             -8.267195767195768e-07, 2.08767569878681e-08,    -5.284190138687493e-10,
                             1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                             -2.174868698558062e-16, 5.5090028283602295e-18,  -1.3954464685812522e-19};

/* The sum over k of (q + k)^-s, q > 0, s > 1: Euler and Maclaurin's formula (DLMF 25.11.5). */
TB_CALLED double tb_zeta_sum(double s, double q)
{
    double sum = tb_pow(q, -s), a = q, power = sum;
    for (int k = 0; k < 9 || a <= 9; k++) {
        a += 1;
        power = tb_pow(a, -s);
        sum += power;
        if (power < TB_EPS / 2 * sum) return sum;
    }
    sum += power * a / (s - 1) - 0.5 * power;
    double factor = s;
    for (int k = 0; k < 12; k++) {
        power /= a;
        const double term = factor * power * tb_bernoulli[k];
        sum += term;
        if (fabs(term) < TB_EPS / 2 * fabs(sum)) break;
        factor *= (s + 2 * k + 1) * (s + 2 * k + 2);
        power /= a;
    }
    return sum;
}

TB_CALLED double tb_zeta(double s, double q)
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
    if (q > 1e8) return (1 / (s - 1) + 1 / (2 * q)) * tb_pow(q, 1 - s);
    return tb_zeta_sum(s, q);
}

/* zeta(s) - 1 - 1 / (s - 1) for s in [-1/2, 1], in (4 s - 1) / 3. */
TB_TABLE tb_zetac_near[12] = {-3.870635255392599e-13, 6.991393408467512e-12,  -4.273287392702637e-11,
                              -7.426196924249432e-10, 2.0730750280540537e-08, -1.81045728920519e-07,
                              -8.725132789294861e-07, 3.706543721663072e-05,  -0.00028100710934883847,
                              -0.0020937584318786073, 0.0594994705411078,     -0.47994507192855834};

/* Riemann's zeta function less 1; below -1/2 by its functional equation (DLMF 25.4.1). */
TB_CALLED double tb_zetac(double s)
{
    if (s != s) return s;
    if (s == 1) return TB_INFINITE;
    if (s == -TB_INFINITE) return TB_NONE;
    if (s > 1)
        return s > 1100     ? 0
               : s < 1.0001 ? 1 / (s - 1) + TB_EULER - 1 + 0.0728158454836767 * (s - 1)
                            : tb_zeta_sum(s, 2);
    if (s >= -0.5) return 1 / (s - 1) + tb_horner((4 * s - 1) / 3, tb_zetac_near, 12);
    const double r = 1 - s;
    if (tb_is_whole(s / 2)) return -1;
    /* (2 pi)^-r = (2 pi e)^... : in logarithms where gamma overflows. */
    const double sine = -tb_sin_pi(fmod(r - 1, 4) / 2), tail = r > 1100 ? 1 : 1 + tb_zeta_sum(r, 2);
    if (r < 150) return 2 * sine * tail * tb_tgamma(r) * tb_pow(2 * TB_PI, -r) - 1;
    const double half = tb_pow(r / (2 * TB_PI * 2.718281828459045235360), r / 2 - 0.25);
    /* gamma(r) = sqrt(2 pi) r^(r - 1/2) e^-r (1 + ...), DLMF 5.11.3 */
    const double scale =
        tb_pow(2 * TB_PI * 2.718281828459045235360, -0.5) * 2.506628274631000502416 * exp(tb_stirling(r));
    return 2 * sine * tail * scale * half * half - 1;
}
#endif
