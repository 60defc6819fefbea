/* special_student.h - Student's distribution of v degrees of freedom. */
#ifndef TB_KERNELS_SPECIAL_STUDENT_H
#define TB_KERNELS_SPECIAL_STUDENT_H

/* The probability of less than t: half of what the beta distribution of v / 2 and 1/2 has up to v / (v + t^2). */
TB_FN double tb_stdtr_apart(double v, double t)
{
    if (!(v > 0) || t != t) return TB_NONE;
    if (v == TB_INFINITE) return tb_ndtr(t);
    const double square = t * t, x = v / (v + square), y = square < TB_INFINITE ? square / (v + square) : 1;
    /* From t = 1 on, at the latest, the tail is not what is left of a half, which would have none of its digits. */
    const double tail = square > fmin(v, 1) ? tb_betainc_xy(v / 2, 0.5, x, y, 0) / 2
                                            : 0.5 - tb_betainc_xy(0.5, v / 2, y, x, 0) / 2;
    return t > 0 ? 1 - tail : tail;
}

TB_CALLED double tb_stdtr(double v, double t)
{
    TB_TOGETHER(const double result = tb_stdtr_apart(v, t));
    return result;
}

/* 1 - 2 p, the distance from the middle, is exact where it is small. */
TB_FN double tb_stdtrit_apart(double v, double p)
{
    if (!(v > 0 && p >= 0 && p <= 1)) return TB_NONE;
    if (v == TB_INFINITE) return tb_ndtri(p);
    if (p == 0.5) return 0;
    const double tail = fmin(p, 1 - p);
    if (tail == 0) return p == 0 ? -TB_INFINITE : TB_INFINITE;
    double y;
    const double x = tb_beta_quantile(v / 2, 0.5, 2 * tail, fabs(1 - 2 * p), &y);
    return copysign(sqrt(v * (y / x)), p - 0.5);
}

TB_CALLED double tb_stdtrit(double v, double p)
{
    TB_TOGETHER(const double result = tb_stdtrit_apart(v, p));
    return result;
}
#endif
