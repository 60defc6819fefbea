/* special_elementary.h - special functions that are a few elementary ones: logistic, entropies, Box and Cox's
 * transform, degrees, losses. */
#ifndef TB_KERNELS_SPECIAL_ELEMENTARY_H
#define TB_KERNELS_SPECIAL_ELEMENTARY_H

/* log(1 + e) for e from 0 to 1, by s = e / (2 + e): log(1 + e) = 2 s + s r, where r / s^2 is a polynomial in
 * 18 s^2 - 1. The sum is taken from the largest part, e, down. */
TB_CURVE tb_log1p_curve[12] = {
    2.3699454523071963e-15, 4.3809685629140406e-14, 8.089628259764631e-13, 1.5210648736260094e-11,
    2.892560454659229e-10, 5.5788551479386874e-09, 1.0957728322746252e-07, 2.205353924106282e-06,
    4.5931832285962125e-05, 0.0010074153542460112, 0.024107562526291777, 0.6898106445903153};
TB_FN double tb_log1p_of_unit_f64(double e)
{
    const double s = e / (2 + e), square = s * s, half = 0.5 * e * e;
    return e - (half - s * fma(square, tb_horner_halves(fma(18, square, -1), tb_log1p_curve, 12), half));
}
TB_FN float tb_log1p_of_unit_f32(float e) { return log1pf(e); }

/* cos(x) - 1: -2 sin(x / 2)^2. */
#define TB_SPECIAL_ELEMENTARY(T, s, f)                                                      \
    TB_FN T tb_inf_of_##s(void) { return (T)TB_INFINITE; }                                               \
    TB_FN T tb_expit_##s(T x)                                                                         \
    {                                                                                                 \
        const T e = exp##f(-fabs##f(x));                                                              \
        return (x < 0 ? e : 1) / (1 + e);                                                             \
    }                                                                                                 \
    TB_FN T tb_log_expit_##s(T x)                                                                     \
    {                                                                                                 \
        const T l = tb_log1p_of_unit_##s(exp##f(-fabs##f(x)));                                              \
        return x < 0 ? x - l : -l;                                                                    \
    }                                                                                                 \
    /* A quotient's logarithm, and what the quotient is off by, which counts where it is next to 1. */\
    TB_FN T tb_logit_##s(T p)                                                                         \
    {                                                                                                 \
        const T other = 1 - p, rest = (1 - other) - p, q = p / other;                                 \
        const T off = fma##f(-q, other, p) - q * rest;                                                \
        return log##f(q) + (p > (T)0.25 && p < (T)0.75 ? off / p : 0);                                \
    }                                                                                                 \
    TB_FN T tb_xlogy_##s(T x, T y)                                                                    \
    {                                                                                                 \
        return x == 0 && y == y ? 0 : x * log##f(y);                                                  \
    }                                                                                                 \
    TB_FN T tb_xlog1py_##s(T x, T y)                                                                  \
    {                                                                                                 \
        return x == 0 && y == y ? 0 : x * log1p##f(y);                                                \
    }                                                                                                 \
    TB_FN T tb_entr_##s(T x)                                                                          \
    {                                                                                                 \
        return x > 0 ? -x * log##f(x) : x == 0 ? 0 : x < 0 ? -tb_inf_of_##s() : x;                    \
    }                                                                                                 \
    TB_FN T tb_exprel_##s(T x)                                                                        \
    {                                                                                                 \
        if (fabs##f(x) < (T)1e-16) return 1;                                                          \
        return x > (T)1e10 ? tb_inf_of_##s() : expm1##f(x) / x;                                       \
    }                                                                                                 \
    TB_FN T tb_cosm1_##s(T x)                                                                         \
    {                                                                                                 \
        const T h = sin##f(x / 2);                                                                    \
        return -2 * h * h;                                                                            \
    }                                                                                                 \
    /* Angles in degrees are reduced exactly, to 45 degrees around the next multiple of 90; beyond    \
     * 1e14, as in SciPy, results are 0. */                                                           \
    TB_FN T tb_turned_##s(T x, int *quarter)                                                          \
    {                                                                                                 \
        const T r = fmod##f(x, 360), q = rint##f(r / 90);                                             \
        *quarter = (int)q & 3;                                                                        \
        return (r - 90 * q) * (T)0.017453292519943295769236907684886;                                 \
    }                                                                                                 \
    TB_FN T tb_sindg_##s(T x)                                                                         \
    {                                                                                                 \
        int q;                                                                                        \
        if (!(fabs##f(x) <= (T)1e14)) return x != x ? x : 0;                                                    \
        const T r = tb_turned_##s(x, &q), y = q & 1 ? cos##f(r) : sin##f(r);                          \
        return q & 2 ? -y : y;                                                                        \
    }                                                                                                 \
    TB_FN T tb_cosdg_##s(T x)                                                                         \
    {                                                                                                 \
        int q;                                                                                        \
        if (!(fabs##f(x) <= (T)1e14)) return x != x ? x : 0;                                                    \
        const T r = tb_turned_##s(x, &q), y = q & 1 ? -sin##f(r) : cos##f(r);                         \
        return (q & 2 ? -y : y) + 0;                                                                  \
    }                                                                                                 \
    TB_FN T tb_tandg_##s(T x)                                                                         \
    {                                                                                                 \
        int q;                                                                                        \
        if (!(fabs##f(x) <= (T)1e14)) return x != x ? x : 0;                                                    \
        const T r = tb_turned_##s(x, &q), t = tan##f(r);                                              \
        return q & 1 ? (r == 0 ? tb_inf_of_##s() : -1 / t) : t + 0;                                   \
    }                                                                                                 \
    TB_FN T tb_cotdg_##s(T x)                                                                         \
    {                                                                                                 \
        int q;                                                                                        \
        if (!(fabs##f(x) <= (T)1e14)) return x != x ? x : 0;                                                    \
        const T r = tb_turned_##s(x, &q), t = tan##f(r);                                              \
        return q & 1 ? 0 - t : (r == 0 ? tb_inf_of_##s() : 1 / t);                                    \
    }
TB_SPECIAL_ELEMENTARY(float, f32, f)
TB_SPECIAL_ELEMENTARY(double, f64, )
#undef TB_SPECIAL_ELEMENTARY

/* Not log(x / y), where the quotient is no normal number. */
TB_FN double tb_log_quotient(double x, double y)
{
    const double q = x / y;
    if (q > 0.5 && q < 2) return log1p((x - y) / y);
    return q > 1e-30 && q < 1e30 ? log(q) : log(x) - log(y);
}

TB_FN double tb_rel_entr(double x, double y)
{
    if (x != x || y != y) return x + y;
    if (x > 0 && y > 0) return x * tb_log_quotient(x, y);
    return x == 0 && y >= 0 ? 0 : TB_INFINITE;
}

TB_FN double tb_huber(double delta, double r)
{
    const double size = fabs(r);
    if (delta < 0) return TB_INFINITE;
    return size <= delta ? 0.5 * r * r : delta * (size - 0.5 * delta);
}

TB_FN double tb_pseudo_huber(double delta, double r)
{
    if (delta < 0) return TB_INFINITE;
    if (delta == 0 || r == 0) return 0;
    /* sqrt(1 + q^2) - 1 = q^2 / (sqrt(1 + q^2) + 1), of the greater by the lesser so that nothing overflows */
    const double q = r / delta, p = delta / fabs(r);
    return fabs(q) < 1 ? r * (r / (1 + hypot(1, q))) : fabs(r) * (delta / (p + hypot(1, p)));
}

TB_FN double tb_boxcox_of_log(double l, double lambda)
{
    const double t = lambda * l;
    if (fabs(lambda) < 1e-19 || fabs(t) < 1e-19) return l;
    if (t > 708) return copysign(exp(t - log(fabs(lambda))), lambda) - 1 / lambda;
    return expm1(t) / lambda;
}

TB_FN double tb_boxcox(double x, double lambda) { return tb_boxcox_of_log(log(x), lambda); }

TB_FN double tb_boxcox1p(double x, double lambda) { return tb_boxcox_of_log(log1p(x), lambda); }

/* log(1 + lambda y) / lambda, also where the product overflows. */
TB_FN double tb_log_of_boxcox(double y, double lambda)
{
    const double t = lambda * y;
    return (t < TB_INFINITE ? log1p(t) : log(fabs(lambda)) + log(fabs(y))) / lambda;
}

TB_FN double tb_inv_boxcox(double y, double lambda) { return exp(lambda == 0 ? y : tb_log_of_boxcox(y, lambda)); }

TB_FN double tb_inv_boxcox1p(double y, double lambda)
{
    return expm1(lambda == 0 || fabs(lambda * y) < 1e-19 ? y : tb_log_of_boxcox(y, lambda));
}

/* x log(x / y) - x + y = x (d - log(1 + d)) for d = (y - x) / x. */
TB_FN double tb_kl_div(double x, double y)
{
    if (x != x || y != y) return x + y;
    if (x > 0 && y > 0) {
        const double d = (y - x) / x;
        return fabs(d) < 0.4 ? -x * tb_log1p_minus(d) : x * tb_log_quotient(x, y) - x + y;
    }
    return x == 0 && y >= 0 ? y : TB_INFINITE;
}

/* Degrees, minutes and seconds to radians: the sum of what each part is in seconds. */
TB_FN double tb_radian(double d, double m, double s)
{
    return ((d * 60.0 + m) * 60.0 + s) * 4.84813681109535993589914102357947975956353e-6;
}

/* 10^x: x log2(10) in two parts. */
TB_FN double tb_exp10(double x)
{
    if (!(fabs(x) < 400)) return x != x ? x : x > 0 ? TB_INFINITE : 0;
    const double n = rint(x * 3.321928094887362347870319429489390), log2_high = 0.3010299955494702,
                 log2_low = 1.1451100898021838e-10;
    const double r = fma(-n, log2_low, fma(-n, log2_high, x));
    const double rest = r * 2.302585092994045684017991454684364, low = fma(r, 2.302585092994045684, -rest);
    return ldexp(exp(rest) * (1 + (low + r * -2.1707562233822494e-16)), (int)n);
}
#endif
