/* entropy.h - the entropy of numbers that are not divided by their sum, for host and device, in one pass over them:
 *
 *   -sum (x / s) log(x / s) = log(s / m) + sum (x / s) log(m / x), s the sum, m the greatest,
 *
 * whose terms are positive, so that none of a small entropy is lost. The greatest is kept apart from the others, whose
 * products with logarithms are relative to a power of two that is near it. What numbers of both signs have is -inf, as
 * they are no distribution. Needs types.h and logarithm.h. */
#ifndef TB_KERNELS_ENTROPY_H
#define TB_KERNELS_ENTROPY_H

/* `rest` is the sum of all x but `most`, times `scale`; `terms` that of x scale log(x scale). */
typedef struct {
    double most, rest, terms, scale;
    tb_u32 negative, positive; /* whether there are such numbers */
} tb_entropy_sums;

/* The inverse of the power of two that is not above x, as far as there is one: 2^1023 at most, 2^-1022 at least. */
TB_FN double tb_entropy_scale(double x)
{
    tb_u64 bits;
    memcpy(&bits, &x, sizeof bits);
    const tb_i32 exponent = 2046 - (tb_i32)(bits >> 52 & 2047);
    bits = (tb_u64)(exponent > 0 ? exponent : 1) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

TB_FN tb_entropy_sums tb_entropy_none(void)
{
    tb_entropy_sums s;
    s.most = s.rest = s.terms = 0;
    s.scale = 0x1p1023;
    s.negative = s.positive = 0;
    return s;
}

/* With another scale, which is no greater. */
TB_CALLED tb_entropy_sums tb_entropy_rescaled(tb_entropy_sums s, double scale)
{
    if (scale == s.scale) return s;
    tb_u64 from, to;
    memcpy(&from, &s.scale, sizeof scale);
    memcpy(&to, &scale, sizeof scale);
    const tb_i32 apart = (tb_i32)(to >> 52) - (tb_i32)(from >> 52);
    const tb_u64 power = apart > -1023 ? (tb_u64)(1023 + apart) << 52 : 0;
    double ratio;
    memcpy(&ratio, &power, sizeof ratio);
    s.terms = (s.terms + s.rest * ((double)apart * 0.6931471805599453)) * ratio;
    s.rest *= ratio;
    s.scale = scale;
    return s;
}

/* x log(x), 0 of 0: what is added is lost beside anything that counts. */
TB_FN double tb_entropy_term(double x) { return x * tb_log_beside_one(x + 0x1p-1022); }

/* The less of |v| and the greatest so far, which stays apart. What is below 2^-1042 has no sign here. */
TB_FN double tb_entropy_less(tb_entropy_sums *s, double v)
{
    tb_u64 bits;
    memcpy(&bits, &v, sizeof bits);
    const tb_u32 word = (tb_u32)(bits >> 32);
    bits &= 0x7fffffffffffffffull;
    double size;
    memcpy(&size, &bits, sizeof size);
    const double most = s->most, less = size > most ? most : size;
    if (word > 0x80000000u) s->negative = 1;
    if ((tb_i32)word > 0) s->positive = 1;
    s->most = size > most ? size : most;
    return less;
}

TB_FN tb_entropy_sums tb_entropy_step(tb_entropy_sums s, double v)
{
    const double less = tb_entropy_less(&s, v);
    if (less * s.scale > 0x1p20) s = tb_entropy_rescaled(s, tb_entropy_scale(s.most));
    const double scaled = less * s.scale;
    s.rest += scaled;
    s.terms += TB_ROUNDED(tb_entropy_term(scaled));
    return s;
}

#ifdef __CUDACC_RTC__
/* Of several elements, whose logarithms are computed side by side as one test is enough for all. */
template <int N> TB_FN void tb_entropy_steps(tb_entropy_sums &s, const double (&v)[N])
{
    double less[N];
    tb_u64 most = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        less[i] = tb_entropy_less(&s, v[i]);
        tb_u64 bits;
        memcpy(&bits, &less[i], sizeof bits);
        most = bits > most ? bits : most;
    }
    double greatest;
    memcpy(&greatest, &most, sizeof greatest);
    if (greatest * s.scale > 0x1p20) s = tb_entropy_rescaled(s, tb_entropy_scale(s.most));
#pragma unroll
    for (int i = 0; i < N; i++) {
        const double scaled = less[i] * s.scale;
        s.rest += scaled;
        s.terms += tb_entropy_term(scaled);
    }
}
#endif

TB_CALLED tb_entropy_sums tb_entropy_join(tb_entropy_sums s, tb_entropy_sums t)
{
    const int other = t.most > s.most;
    const double most = other ? t.most : s.most, less = other ? s.most : t.most, scale = tb_entropy_scale(most);
    s = tb_entropy_rescaled(s, scale);
    t = tb_entropy_rescaled(t, scale);
    s.terms += t.terms + tb_entropy_term(less * scale);
    s.rest += t.rest + less * scale;
    s.most = most;
    s.negative |= t.negative;
    s.positive |= t.positive;
    return s;
}

/* NaN of nothing but zeros, whose sum they cannot be divided by, and of what is infinite; where the sum overflows all
 * quotients are 0. */
TB_FN double tb_entropy_of(tb_entropy_sums s)
{
    s = tb_entropy_rescaled(s, tb_entropy_scale(s.most));
    const double most = s.most * s.scale, sum = s.most + s.rest / s.scale;
    if (s.most == 0 || s.most - s.most != 0 || s.rest != s.rest) return tb_nan_f64();
    if (s.negative && s.positive) return -tb_inf_f64();
    if (sum - sum != 0) return 0;
    return log1p(s.rest / most) + (s.rest * log(most) - s.terms) / (most + s.rest);
}

#endif
