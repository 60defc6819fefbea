/* float_math.h - elementary functions of vectors of floats.
 *
 * No table and no call. Fused multiply-adds are explicit, so that a point gives the same bits with every instruction
 * set. Where a few arguments need more care than the others (overflow, zero, NaN), a vector that has one of them is
 * computed a second time with that care: the other lanes come out the same. Errors are below 3 units in the last place
 * over all floats (docs/accuracy.md), special values are C's. Polynomials are minimax fits of the relative error. */
#ifndef TB_BACKEND_CPU_LOOPS_FLOAT_MATH_H
#define TB_BACKEND_CPU_LOOPS_FLOAT_MATH_H
#include "backend/cpu/loops/float_vector.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#define V(x) tb_vset(x)
#define FMA(a, b, c) tb_vfma(a, b, c)
#define POLY2(x, c0, c1, c2) FMA(FMA(V(c2), x, V(c1)), x, V(c0))
#define POLY3(x, c0, c1, c2, c3) FMA(POLY2(x, c1, c2, c3), x, V(c0))
#define POLY4(x, c0, c1, c2, c3, c4) FMA(POLY3(x, c1, c2, c3, c4), x, V(c0))
#define POLY5(x, c0, c1, c2, c3, c4, c5) FMA(POLY4(x, c1, c2, c3, c4, c5), x, V(c0))

#define LOG2_E 0x1.715476p0f
#define LOG2_E_LOW 0x1.4ae0c0p-26f
#define LN_2 0x1.62e430p-1f
#define LN_2_LOW -0x1.05c610p-29f
#define PI_2 0x1.921fb6p0f /* above pi/2 by */
#define PI_2_OVER 0x1.777a5cp-25f

/* ---- exponentials ---------------------------------------------------------------------------------------------- */

/* Adding it rounds a float to a whole number, which is then in the low bits. */
#define TO_WHOLE 0x1.8p23f

/* exp(r) - 1 for |r| <= log(2) / 2. */
TB_FN tb_vf tb_expm1_reduced(tb_vf r)
{
    const tb_vf p = POLY4(r, 0x1.fffffep-2f, 0x1.5554aap-3f, 0x1.555798p-5f, 0x1.122bf0p-7f, 0x1.6acb66p-10f);
    return FMA(r * r, p, r);
}

/* x = n log(2) + r: sets the low bits to n, returns exp(r) - 1. */
TB_FN tb_vf tb_exp_split(tb_vf x, tb_vu *n)
{
    const tb_vf shifted = FMA(x, V(LOG2_E), V(TO_WHOLE)), whole = shifted - TO_WHOLE;
    *n = (tb_vu)shifted;
    return tb_expm1_reduced(FMA(whole, V(-LN_2_LOW), FMA(whole, V(-LN_2), x)));
}

/* 2^(n + by) where that is a normal number. */
TB_FN tb_vf tb_power_of_2(tb_vu n, int by) { return (tb_vf)((n << 23) + ((tb_u32)(127 + by) << 23)); }

/* (1 + q) 2^n where that is a normal number, and in two steps, of which only the second can round. */
TB_FN tb_vf tb_exp_join(tb_vf q, tb_vu n)
{
    const tb_vf scale = tb_power_of_2(n, 0);
    return FMA(q, scale, scale);
}

TB_FN tb_vf tb_exp_join_any(tb_vf q, tb_vu n)
{
    const tb_vf half = tb_power_of_2(n >> 1, 0);
    return FMA(q, half, half) * tb_power_of_2(n - (n >> 1), 0);
}

TB_FN tb_vf tb_exp_float(tb_vf x)
{
    tb_vu n;
    const tb_vf q = tb_exp_split(x, &n);
    if (__builtin_expect(!tb_vany(tb_vnot_less(tb_vabs(x), V(87))), 1)) return tb_exp_join(q, n);
    const tb_vf bounded = tb_exp_split(tb_vmin(V(89), tb_vmax(V(-104), x)), &n);
    return tb_exp_join_any(bounded, n);
}

TB_FN tb_vf tb_exp2_split(tb_vf x, tb_vu *n)
{
    const tb_vf shifted = x + TO_WHOLE;
    *n = (tb_vu)shifted;
    return tb_expm1_reduced((x - (shifted - TO_WHOLE)) * LN_2);
}

TB_FN tb_vf tb_exp2_float(tb_vf x)
{
    tb_vu n;
    const tb_vf q = tb_exp2_split(x, &n);
    if (__builtin_expect(!tb_vany(tb_vnot_less(tb_vabs(x), V(126))), 1)) return tb_exp_join(q, n);
    const tb_vf bounded = tb_exp2_split(tb_vmin(V(129), tb_vmax(V(-151), x)), &n);
    return tb_exp_join_any(bounded, n);
}

/* Half of it has room near overflow. */
TB_FN tb_vf tb_expm1_float(tb_vf x)
{
    tb_vu n;
    const tb_vf q = tb_exp_split(tb_vmin(V(89), tb_vmax(V(-20), x)), &n), half = tb_power_of_2(n, -1);
    const tb_vf r = FMA(q, half, half - 0.5f);
    return tb_vcopysign(r + r, x);
}

/* With e = exp(2|x|) - 1: e / (e + 2). */
TB_FN tb_vf tb_tanh_float(tb_vf x)
{
    tb_vu n;
    const tb_vf a = tb_vabs(x), q = tb_exp_split(tb_vmin(V(20), a + a), &n), scale = tb_power_of_2(n, 0);
    const tb_vf e = FMA(q, scale, scale - 1);
    return tb_vcopysign(e / (e + 2), x);
}

/* With e = (exp(|x|) - 1) / 4, which has room near overflow: 2 (e + e / (4 e + 1)). */
TB_FN tb_vf tb_sinh_float(tb_vf x)
{
    tb_vu n;
    const tb_vf a = tb_vabs(x), q = tb_exp_split(tb_vmin(V(89.5f), a), &n), quarter = tb_power_of_2(n, -2);
    const tb_vf e = FMA(q, quarter, quarter - 0.25f), r = e + e / FMA(e, V(4), V(1));
    return tb_vcopysign(tb_vselect(tb_vless(a, V(0x1p-13f)), a, r + r), x);
}

TB_FN tb_vf tb_cosh_float(tb_vf x)
{
    tb_vu n;
    const tb_vf q = tb_exp_split(tb_vmin(V(89.5f), tb_vabs(x)), &n), quarter = tb_power_of_2(n, -2);
    const tb_vf e = FMA(q, quarter, quarter);
    return FMA(e, V(2), 0.125f / e);
}

/* ---- logarithms ------------------------------------------------------------------------------------------------ */

/* Numbers are split as 2^k (1 + f), f in [-1/3, 1/3]. */
#define TWO_THIRDS 0x3f2aaaabu

/* What log(1 + f) has beside f. */
TB_FN tb_vf tb_log1p_rest(tb_vf f)
{
    const tb_vf z = f * f;
    const tb_vf low = FMA(POLY2(f, -0x1.00041ep-2f, 0x1.99d2f6p-3f, -0x1.54fcfap-3f), f, V(0x1.555506p-2f));
    const tb_vf high = POLY3(f, 0x1.1e6eeap-3f, -0x1.eff552p-4f, 0x1.215c94p-3f, -0x1.305b68p-3f);
    return FMA(f * z, FMA(z * z, high, low), -0.5f * z);
}

TB_FN tb_vf tb_log_join(tb_vf k, tb_vf f) { return FMA(k, V(LN_2), f + FMA(k, V(LN_2_LOW), tb_log1p_rest(f))); }

TB_FN tb_vf tb_log2_join(tb_vf k, tb_vf f)
{
    const tb_vf l = f + tb_log1p_rest(f);
    return FMA(l, V(LOG2_E), FMA(l, V(LOG2_E_LOW), k));
}

TB_FN tb_vf tb_log10_join(tb_vf k, tb_vf f)
{
    const tb_vf l = f + tb_log1p_rest(f), low = FMA(l, V(-0x1.5b235ep-27f), k * -0x1.ec10c0p-27f);
    return FMA(k, V(0x1.344136p-2f), FMA(l, V(0x1.bcb7b2p-2f), low));
}

TB_FN tb_vf tb_log_split(tb_vf x, tb_vf *f)
{
    const tb_vu bits = (tb_vu)x - TWO_THIRDS;
    *f = (tb_vf)((bits & 0x7fffffu) + TWO_THIRDS) - 1;
    return tb_vof_int((tb_vi)bits >> 23);
}

/* Whether there are others than normal positive numbers. */
TB_FN int tb_log_is_odd(tb_vf x)
{
    return __builtin_expect(tb_vany(tb_vor(tb_vless(x, V(0x1p-126f)), tb_vnot_less(x, V(INFINITY)))), 0);
}

/* A logarithm's value r, but at the ends of its domain, which begins above `zero`. */
TB_FN tb_vf tb_log_ends(tb_vf x, tb_vf zero, tb_vf r)
{
    const tb_vf outside = tb_vselect(tb_vequal(x, zero), V(-INFINITY), V(NAN));
    return tb_vselect(tb_vless(zero, x), tb_vselect(tb_vless(x, V(INFINITY)), r, x), outside);
}

/* Denormal numbers are scaled first. */
#define LOGARITHM(name)                                                                               \
    TB_FN tb_vf tb_##name##_float(tb_vf x)                                                            \
    {                                                                                                 \
        tb_vf f, k = tb_log_split(x, &f);                                                             \
        if (!tb_log_is_odd(x)) return tb_##name##_join(k, f);                                         \
        const tb_vmask tiny = tb_vless(x, V(0x1p-126f));                                              \
        k = tb_log_split(tb_vselect(tiny, x * 0x1p23f, x), &f);                                       \
        return tb_log_ends(x, V(0), tb_##name##_join(tb_vselect(tiny, k - 23, k), f));                \
    }
LOGARITHM(log)
LOGARITHM(log2)
LOGARITHM(log10)
#undef LOGARITHM

/* 1 + x = 2^k (1 + f), where f comes from x itself: x 2^-k + (2^-k - 1). */
TB_FN tb_vf tb_log1p_float(tb_vf x)
{
    const tb_vu bits = (tb_vu)(x + 1) - TWO_THIRDS, exponent = bits & 0xff800000u;
    const tb_vf scaled = (tb_vf)((tb_vu)x - exponent), quarter = (tb_vf)(0x40800000u - exponent);
    const tb_vf f = FMA(quarter, V(0.25f), V(-1)) + scaled;
    const tb_vf r = tb_vcopysign(tb_log_join(tb_vof_int((tb_vi)bits >> 23), f), x);
    if (__builtin_expect(!tb_vany(tb_vor(tb_vnot_less(V(-1), x), tb_vnot_less(x, V(INFINITY)))), 1)) return r;
    return tb_log_ends(x, V(-1), r);
}

/* log1p(a + a^2 / (1 + sqrt(1 + a^2))); log(2 a) where a^2 could overflow. */
TB_FN tb_vf tb_asinh_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x), s = a * a, t = a + s / (1 + tb_vsqrt(1 + s));
    const tb_vmask large = tb_vless(V(0x1p13f), a);
    const tb_vf l = tb_log1p_float(tb_vselect(large, a - 1, t));
    return tb_vcopysign(tb_vselect(large, l + LN_2, l), x);
}

TB_FN tb_vf tb_acosh_float(tb_vf x)
{
    const tb_vf a = x - 1, t = a + tb_vsqrt(FMA(a, a, a + a));
    const tb_vmask large = tb_vless(V(0x1p13f), x);
    const tb_vf l = tb_log1p_float(tb_vselect(large, a, tb_vselect(tb_vless(x, V(1)), V(NAN), t)));
    return tb_vselect(large, l + LN_2, l);
}

TB_FN tb_vf tb_atanh_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x);
    return tb_vcopysign(0.5f * tb_log1p_float((a + a) / (1 - a)), x);
}

/* Equal arguments apart, so that infinities of one sign give that infinity. */
TB_FN tb_vf tb_logaddexp_float(tb_vf x, tb_vf y)
{
    const tb_vf above = tb_log1p_float(tb_exp_float(-tb_vabs(x - y)));
    return tb_vselect(tb_vequal(x, y), x + LN_2, tb_vmax(x, y) + above);
}

TB_FN tb_vf tb_logaddexp2_float(tb_vf x, tb_vf y)
{
    const tb_vf above = LOG2_E * tb_log1p_float(tb_exp2_float(-tb_vabs(x - y)));
    return tb_vselect(tb_vequal(x, y), x + 1, tb_vmax(x, y) + above);
}

/* ---- trigonometry ---------------------------------------------------------------------------------------------- */

/* Up to here three floats of pi/2 reduce an angle. */
#define TB_LARGEST_ANGLE 1e5f

/* a = n pi/2 + r, |r| <= pi/4: sets the low bits to n. The first product leaves no error, since it cancels. */
TB_FN tb_vf tb_angle_split(tb_vf a, tb_vu *n)
{
    const tb_vf shifted = FMA(a, V(0x1.45f306p-1f), V(TO_WHOLE)), whole = shifted - TO_WHOLE;
    *n = (tb_vu)shifted;
    return FMA(whole, V(0x1.ee59dap-50f), FMA(whole, V(PI_2_OVER), FMA(whole, V(-PI_2), a)));
}

/* sin(r) for |r| <= pi/2, its sign turned by the highest bit of `turn`. */
TB_FN tb_vf tb_sin_reduced(tb_vf r, tb_vu turn)
{
    const tb_vf z = r * r;
    const tb_vf p = POLY3(z, -0x1.55554cp-3f, 0x1.110ed4p-7f, -0x1.9f6feep-13f, 0x1.5dbceap-19f);
    return (tb_vf)((tb_vu)FMA(r * z, p, r) ^ (turn & 0x80000000u));
}

/* a - w pi, in the manner of tb_angle_split; w is a multiple of 1/2. */
TB_FN tb_vf tb_turn_back(tb_vf a, tb_vf w)
{
    return FMA(w, V(0x1.ee59dap-49f), FMA(w, V(2 * PI_2_OVER), FMA(w, V(-2 * PI_2), a)));
}

TB_FN tb_vf tb_sin_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x), shifted = FMA(a, V(0x1.45f306p-2f), V(TO_WHOLE));
    return tb_sin_reduced(tb_turn_back(a, shifted - TO_WHOLE), (tb_vu)shifted << 31 ^ (tb_vu)x);
}

/* cos(a) is sin((n + 1/2) pi - a), or the opposite of it for odd n. */
TB_FN tb_vf tb_cos_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x), shifted = FMA(a, V(0x1.45f306p-2f), V(-0.5f)) + TO_WHOLE;
    return tb_sin_reduced(-tb_turn_back(a, shifted - TO_WHOLE + 0.5f), (tb_vu)shifted << 31);
}

TB_FN tb_vf tb_tan_float(tb_vf x)
{
    tb_vu n;
    const tb_vf r = tb_angle_split(tb_vabs(x), &n), z = r * r;
    const tb_vf p =
        POLY5(z, 0x1.5554dep-2f, 0x1.112deap-3f, 0x1.b58522p-5f, 0x1.90726ap-6f, 0x1.96881ap-9f, 0x1.33e728p-7f);
    const tb_vf t = FMA(r * z, p, r);
    return (tb_vf)((tb_vu)tb_vselect(tb_vodd(n), -1 / t, t) ^ ((tb_vu)x & 0x80000000u));
}

/* For a in [0, 1], beyond 1/2 from asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)): the arcsine that occurs. */
TB_FN tb_vf tb_asin_part(tb_vf a, tb_vmask beyond)
{
    const tb_vf z = tb_vselect(beyond, 0.5f - 0.5f * a, a * a), s = tb_vselect(beyond, tb_vsqrt(z), a);
    const tb_vf p = POLY4(z, 0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bbap-5f, 0x1.8c3e20p-6f, 0x1.595ca2p-5f);
    return FMA(s * z, p, s);
}

TB_FN tb_vf tb_asin_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x);
    const tb_vmask beyond = tb_vless(V(0.5f), a);
    const tb_vf y = tb_asin_part(a, beyond);
    return tb_vcopysign(tb_vselect(beyond, PI_2 - FMA(y, V(2), V(PI_2_OVER)), y), x);
}

TB_FN tb_vf tb_acos_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x);
    const tb_vmask beyond = tb_vless(V(0.5f), a);
    const tb_vf y = tb_vcopysign(tb_asin_part(a, beyond), x), near = PI_2 - (y + PI_2_OVER);
    const tb_vf far = tb_vselect(tb_vless(V(0), x), y + y, 2 * PI_2 + FMA(y, V(2), V(-2 * PI_2_OVER)));
    return tb_vselect(beyond, far, near);
}

/* atan(low / high) for 0 <= low <= high. Beyond tan(pi/8) by the angle from pi/4. */
TB_FN tb_vf tb_atan_ratio(tb_vf low, tb_vf high)
{
    const tb_vmask middle = tb_vless(0.41421356f * high, low);
    const tb_vf t = tb_vselect(middle, low - high, low) / tb_vselect(middle, low + high, high), z = t * t;
    const tb_vf y = FMA(t * z, POLY3(z, -0x1.555452p-2f, 0x1.99243ep-3f, -0x1.1c3144p-3f, 0x1.49ba12p-4f), t);
    return tb_vselect(middle, PI_2 / 2 + (y - PI_2_OVER / 2), y);
}

TB_FN tb_vf tb_atan_float(tb_vf x)
{
    const tb_vf a = tb_vabs(x), r = tb_atan_ratio(tb_vmin(V(1), a), tb_vmax(V(1), a));
    return tb_vcopysign(tb_vselect(tb_vless(V(1), a), PI_2 - (r + PI_2_OVER), r), x);
}

TB_FN tb_vf tb_atan2_float(tb_vf y, tb_vf x)
{
    const tb_vf ax = tb_vabs(x), ay = tb_vabs(y), most = tb_vmax(ax, ay);
    const tb_vmask steep = tb_vless(ax, ay), equal = tb_vequal(ax, ay);
    const tb_vf scale = tb_vselect(tb_vless(V(0x1p126f), most), V(0.25f), V(1));
    const tb_vf one = tb_vselect(tb_vless(V(0), ax), V(1), V(0));
    const tb_vf low = tb_vselect(equal, one, tb_vmin(ax, ay) * scale), high = tb_vselect(equal, V(1), most * scale);
    const tb_vf ratio = tb_atan_ratio(low, high), r = tb_vselect(steep, PI_2 - (ratio + PI_2_OVER), ratio);
    const tb_vmask left = tb_vless(tb_vcopysign(V(1), x), V(0));
    const tb_vf angle = tb_vcopysign(tb_vselect(left, 2 * PI_2 - (r + 2 * PI_2_OVER), r), y);
    return tb_vselect(tb_vequal(x, x), tb_vselect(tb_vequal(y, y), angle, y), x);
}

/* ---- roots ----------------------------------------------------------------------------------------------------- */

/* One divided by the cube root, from a third of the exponent by a step of fourth order; that squared, times the number;
 * and Newton's step with the residual to twice the precision. */
TB_FN tb_vf tb_cbrt_float(tb_vf x)
{
    const tb_vf size = tb_vabs(x);
    const tb_vmask small = tb_vless(size, V(0x1p-60f)), large = tb_vless(V(0x1p60f), size);
    const tb_vf a = size * tb_vselect(small, V(0x1p72f), tb_vselect(large, V(0x1p-72f), V(1)));
    const tb_vf third = tb_vof_int((tb_vi)a) * 0.333333333f;
    const tb_vf z = (tb_vf)(0x54a21d2a - __builtin_convertvector(third, tb_vi));
    const tb_vf e = FMA(-a * z, z * z, V(1));
    const tb_vf inverse = FMA(z * e, POLY2(e, 0x1.555556p-2f, 0x1.c71c72p-3f, 0x1.61f9aep-3f), z);
    const tb_vf w = inverse * inverse, y = a * w, square = y * y, rest = FMA(y, y, -square);
    const tb_vf r = FMA(FMA(rest, y, FMA(square, y, -a)), w * -0x1.555556p-2f, y);
    const tb_vf back = tb_vselect(small, V(0x1p-24f), tb_vselect(large, V(0x1p24f), V(1)));
    const tb_vmask ends = tb_vor(tb_vequal(x, V(0)), tb_vnot_less(size, V(INFINITY)));
    return tb_vselect(ends, x, tb_vcopysign(r * back, x));
}

/* Scaled where squares would leave the range. An infinity beside NaN is infinity. */
TB_FN tb_vf tb_hypot_float(tb_vf x, tb_vf y)
{
    const tb_vf ax = tb_vabs(x), ay = tb_vabs(y), sum = ax + ay, most = tb_vmax(ax, ay);
    const tb_vmask small = tb_vless(most, V(0x1p-50f)), large = tb_vless(V(0x1p60f), most);
    const tb_vf scale = tb_vselect(small, V(0x1p100f), tb_vselect(large, V(0x1p-100f), V(1)));
    const tb_vf back = tb_vselect(small, V(0x1p-100f), tb_vselect(large, V(0x1p100f), V(1)));
    const tb_vf a = most * scale, b = tb_vmin(ax, ay) * scale, r = tb_vsqrt(FMA(a, a, b * b)) * back;
    const tb_vmask infinite = tb_vor(tb_vequal(ax, V(INFINITY)), tb_vequal(ay, V(INFINITY)));
    return tb_vselect(infinite, V(INFINITY), tb_vselect(tb_vequal(sum, sum), r, sum));
}

/* ---- powers ---------------------------------------------------------------------------------------------------- */

/* The logarithm to base 2 has 32 correct bits: one rounding is nearly all of a power's error, and powers that are
 * floats come out exact. */
#define STEP(r, x, c) tb_dfma(r, x, tb_dset(c))

/* What log2(1 + f) / f has beyond the cubic term, divided by f^4: at most 1/80 of it counts, so float will do. */
TB_FN tb_vf tb_log2_tail(tb_vf f)
{
    const tb_vf low = POLY3(f, 0x1.27744ep-2f, -0x1.ec68bep-3f, 0x1.a6d178p-3f, -0x1.724546p-3f);
    const tb_vf high = POLY3(f, 0x1.3c0f6ap-3f, -0x1.19b3c2p-3f, 0x1.689c4ap-3f, -0x1.5396d4p-3f);
    const tb_vf z = f * f;
    return FMA(z * z, high, low);
}

/* Half of the lanes of y log2(2^k (1 + f)). */
TB_FN tb_vd tb_log2_times(tb_vf y, tb_vf k, tb_vf f, tb_vf tail, int half)
{
    const tb_vd x = tb_vwiden(f, half);
    tb_vd r = STEP(tb_vwiden(tail, half), x, -0x1.71548482ff959p-2);
    r = STEP(r, x, 0x1.ec70a3da76fabp-2);
    r = STEP(r, x, -0x1.7154764b78599p-1);
    r = STEP(r, x, 0x1.715476521c9b1p+0);
    return tb_dfma(r, x, tb_vwiden(k, half)) * tb_vwiden(y, half);
}

/* 2^(x - n) for the whole number n next to x, which is set in the low bits. */
TB_FN tb_vd tb_exp2_reduced(tb_vd x, tb_vu64 *n)
{
    const tb_vd shifted = x + 0x1.8p52, f = x - (shifted - 0x1.8p52);
    *n = (tb_vu64)shifted;
    tb_vd r = STEP(tb_dset(0x1.41d333a1fbff9p-13), f, 0x1.5f456a867c735p-10);
    r = STEP(r, f, 0x1.3b2dbbc0aa7a3p-7);
    r = STEP(r, f, 0x1.c6aed4b95c606p-5);
    r = STEP(r, f, 0x1.ebfbdadcb136fp-3);
    r = STEP(r, f, 0x1.62e430c7e91afp-1);
    return STEP(r, f, 0x1.00000002614ffp+0);
}

/* Any power, to float precision: beyond 160 either way a float has overflowed or vanished. NaN stays. */
TB_FN tb_vd tb_exp2_double(tb_vd x)
{
    tb_vu64 n;
    const tb_vd r = tb_exp2_reduced(tb_dmin(tb_dset(160), tb_dmax(tb_dset(-160), x)), &n);
    return r * (tb_vd)((n + 1023) << 52);
}
#undef STEP

/* Of positive numbers. */
TB_FN tb_vf tb_pow_size(tb_vf x, tb_vf y)
{
    const tb_vmask tiny = tb_vless(x, V(0x1p-126f));
    tb_vf f, k = tb_log_split(tb_vselect(tiny, x * 0x1p23f, x), &f);
    k = tb_vselect(tiny, k - 23, k);
    const tb_vf tail = tb_log2_tail(f);
    return tb_vnarrow(tb_exp2_double(tb_log2_times(y, k, f, tail, 0)), tb_exp2_double(tb_log2_times(y, k, f, tail, 1)));
}

TB_FN tb_vf tb_pow_any(tb_vf x, tb_vf y)
{
    const tb_vf a = tb_vabs(x), p = tb_pow_size(a, y), zero = V(0), infinity = V(INFINITY);
    const tb_vf of_zero = tb_vselect(tb_vless(zero, y), zero, infinity);
    const tb_vf of_infinity = tb_vselect(tb_vless(zero, y), infinity, zero);
    const tb_vf ends = tb_vselect(tb_vequal(a, zero), of_zero, tb_vselect(tb_vequal(a, infinity), of_infinity, p));
    const tb_vf r = tb_vselect(tb_vequal(y, y), tb_vselect(tb_vequal(x, x), ends, x), y);
    const tb_vmask whole = tb_vequal(tb_vfloor(y), y), even = tb_vequal(tb_vfloor(0.5f * y), 0.5f * y);
    const tb_vf of_odd = tb_vselect(tb_vequal(x, x), tb_vcopysign(r, x), x), of_whole = tb_vselect(even, r, of_odd);
    const tb_vmask real = tb_vor(tb_vnot_less(x, zero), tb_vequal(x, -infinity));
    const tb_vf any = tb_vselect(whole, of_whole, tb_vselect(real, r, V(NAN)));
    const tb_vf of_minus_1 = tb_vselect(tb_vequal(tb_vabs(y), infinity), V(1), any);
    const tb_vmask is_one = tb_vor(tb_vequal(y, zero), tb_vequal(x, V(1)));
    return tb_vselect(is_one, V(1), tb_vselect(tb_vequal(x, V(-1)), of_minus_1, any));
}

/* Normal positive bases whose powers are normal numbers; others come second. */
TB_FN tb_vf tb_pow_float(tb_vf x, tb_vf y)
{
    tb_vu64 low, high;
    tb_vf f;
    const tb_vf k = tb_log_split(x, &f), size = tb_vabs(y), tail = tb_log2_tail(f);
    const tb_vmask base = tb_vor(tb_vless(x, V(0x1p-126f)), tb_vnot_less(x, V(INFINITY)));
    const tb_vmask large = tb_vnot_less(FMA(tb_vabs(k), size, size), V(126));
    if (__builtin_expect(tb_vany(tb_vor(base, large)), 0)) return tb_pow_any(x, y);
    const tb_vd r0 = tb_exp2_reduced(tb_log2_times(y, k, f, tail, 0), &low);
    const tb_vd r1 = tb_exp2_reduced(tb_log2_times(y, k, f, tail, 1), &high);
    return (tb_vf)((tb_vu)tb_vnarrow(r0, r1) + (tb_vlow_words(low, high) << 23));
}

#undef V
#undef FMA
#undef POLY2
#undef POLY3
#undef POLY4
#undef POLY5
#undef LOG2_E
#undef LOG2_E_LOW
#undef LN_2
#undef LN_2_LOW
#undef PI_2
#undef PI_2_OVER
#undef TO_WHOLE
#undef TWO_THIRDS
#endif
#endif
