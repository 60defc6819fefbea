/* real.h - operations on float and double with NumPy's semantics, where C's own function or operator differs.
 *
 * float16 operands are floats here; the caller rounds the result. */
#ifndef TB_KERNELS_REAL_H
#define TB_KERNELS_REAL_H

/* tb_angle_sinf and tb_angle_sin, tb_angle_cosf, ... CUDA reduces large angles in line, wherever its function is
 * called, and that is what compiling it takes its time for. Here such code is called, and past CUDA's own condition the
 * compiler leaves it out of the rest. */
#ifdef __CUDACC_RTC__
#define TB_ANGLE_FNS(fn)                                                                              \
    static __device__ __attribute__((noinline)) float tb_far_##fn##f(float x) { return fn##f(x); }    \
    TB_FN float tb_angle_##fn##f(float x)                                                             \
    {                                                                                                 \
        if (fabsf(x) >= 105615.0f) return tb_far_##fn##f(x);                                          \
        return fn##f(x);                                                                              \
    }                                                                                                 \
    TB_FN double tb_angle_##fn(double x) { return fn(x); }
#else
#define TB_ANGLE_FNS(fn)                                                                              \
    TB_FN float tb_angle_##fn##f(float x) { return fn##f(x); }                                        \
    TB_FN double tb_angle_##fn(double x) { return fn(x); }
#endif
TB_ANGLE_FNS(sin)
TB_ANGLE_FNS(cos)
TB_ANGLE_FNS(tan)
#undef TB_ANGLE_FNS

/* T: the type, s: its token, f: the suffix of its C library functions. */
#define TB_REAL_FNS(T, s, f)                                                                          \
    /* With the divisor's sign, and the quotient that belongs to it: from m = fmod(a, b). */          \
    TB_FN T tb_remainder_of_fmod_##s(T m, T b)                                                        \
    {                                                                                                 \
        const T r = (m < 0) != (b < 0) ? m + b : m;                                                   \
        return b == 0 ? m : m == 0 ? copysign##f((T)0, b) : r;                                        \
    }                                                                                                 \
    TB_FN T tb_quotient_of_fmod_##s(T a, T b, T m)                                                    \
    {                                                                                                 \
        const T exact = (a - m) / b;                                                                  \
        const T q = ((m != 0) & ((m < 0) != (b < 0))) ? exact - 1 : exact;                            \
        const T down = floor##f(q);                                                                   \
        const T near = q - down > (T)0.5 ? down + 1 : down;                                           \
        return b == 0 ? a / b : q == 0 ? copysign##f((T)0, a / b) : near;                             \
    }                                                                                                 \
    TB_FN T tb_remainder_##s(T a, T b)                                                                \
    {                                                                                                 \
        return tb_remainder_of_fmod_##s(fmod##f(a, b), b);                                            \
    }                                                                                                 \
    TB_FN T tb_floor_divide_##s(T a, T b)                                                             \
    {                                                                                                 \
        return tb_quotient_of_fmod_##s(a, b, fmod##f(a, b));                                          \
    }                                                                                                 \
    TB_FN T tb_maximum_##s(T a, T b)                                                                  \
    {                                                                                                 \
        return a >= b || a != a ? a : b;                                                              \
    }                                                                                                 \
    TB_FN T tb_minimum_##s(T a, T b)                                                                  \
    {                                                                                                 \
        return a <= b || a != a ? a : b;                                                              \
    }                                                                                                 \
    TB_FN T tb_fmax_##s(T a, T b)                                                                     \
    {                                                                                                 \
        return a >= b || b != b ? a : b;                                                              \
    }                                                                                                 \
    TB_FN T tb_fmin_##s(T a, T b)                                                                     \
    {                                                                                                 \
        return a <= b || b != b ? a : b;                                                              \
    }                                                                                                 \
    TB_FN T tb_sign_##s(T a)                                                                          \
    {                                                                                                 \
        return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a;                                               \
    }                                                                                                 \
    TB_FN T tb_heaviside_##s(T a, T b)                                                                \
    {                                                                                                 \
        return a > 0 ? 1 : a < 0 ? 0 : a == 0 ? b : a;                                                \
    }                                                                                                 \
    /* Equal operands apart, so that infinities of one sign give that infinity. */                    \
    TB_FN T tb_logaddexp_##s(T a, T b)                                                                \
    {                                                                                                 \
        if (a == b) return a + (T)0.693147180559945309417232121458176568;                             \
        const T d = a - b;                                                                            \
        return d > 0 ? a + log1p##f(exp##f(-d)) : d <= 0 ? b + log1p##f(exp##f(d)) : d;               \
    }                                                                                                 \
    TB_FN T tb_logaddexp2_##s(T a, T b)                                                               \
    {                                                                                                 \
        const T log2e = (T)1.442695040888963407359924681001892137;                                    \
        if (a == b) return a + 1;                                                                     \
        const T d = a - b;                                                                            \
        return d > 0 ? a + log2e * log1p##f(exp2##f(-d)) : d <= 0 ? b + log2e * log1p##f(exp2##f(d)) : d; \
    }                                                                                                 \
    TB_FN T tb_modf_int_##s(T a)                                                                      \
    {                                                                                                 \
        return trunc##f(a);                                                                           \
    }                                                                                                 \
    TB_FN T tb_modf_frac_##s(T a)                                                                     \
    {                                                                                                 \
        const T r = a - trunc##f(a);                                                                  \
        return copysign##f(a == a && r != r ? 0 : r, a);                                              \
    }                                                                                                 \
    /* sin(pi a) / (pi a). */                                                                         \
    TB_FN T tb_sinc_##s(T a)                                                                          \
    {                                                                                                 \
        const T x = (T)3.141592653589793238462643383279502884 * a;                                    \
        return x == 0 ? 1 : tb_angle_sin##f(x) / x;                                                   \
    }                                                                                                 \
    TB_FN T tb_clip_##s(T a, T low, T high)                                                           \
    {                                                                                                 \
        return tb_minimum_##s(high, tb_maximum_##s(low, a));                                          \
    }

TB_REAL_FNS(float, f32, f)
TB_REAL_FNS(double, f64, )
#undef TB_REAL_FNS

/* a times 2 to the power of b, rounded once. */
#ifdef __CUDACC_RTC__
TB_FN float tb_ldexp_f32(float a, tb_i64 b)
{
    return ldexpf(a, b > 4000 ? 4000 : b < -4000 ? -4000 : (int)b);
}

TB_FN double tb_ldexp_f64(double a, tb_i64 b)
{
    return ldexp(a, b > 4000 ? 4000 : b < -4000 ? -4000 : (int)b);
}
#else
TB_FN double tb_exp2_whole(tb_i64 b) /* -1023 < b < 1024 */
{
    const tb_u64 bits = (tb_u64)(b + 1023) << 52;
    double r;
    memcpy(&r, &bits, sizeof r);
    return r;
}

TB_FN float tb_ldexp_f32(float a, tb_i64 b)
{
    return (float)(a * tb_exp2_whole(b > 400 ? 400 : b < -400 ? -400 : b));
}

/* In three steps, of which only the last can round: the first two stay clear of denormal numbers. */
TB_FN double tb_ldexp_f64(double a, tb_i64 b)
{
    b = b > 3000 ? 3000 : b < -2900 ? -2900 : b;
    for (int step = 0; step < 2; step++) {
        const tb_i64 part = b > 1000 ? 1000 : b < -960 ? -960 : 0;
        a *= tb_exp2_whole(part);
        b -= part;
    }
    return a * tb_exp2_whole(b);
}
#endif

/* The two results of frexp, NaN and infinities with exponent 0. On the host from the bits, without a branch, denormal
 * numbers scaled first. */
#ifdef __CUDACC_RTC__
#define TB_FREXP_FNS(T, s, f)                                                                         \
    TB_FN T tb_frexp_mantissa_##s(T a)                                                                \
    {                                                                                                 \
        int e;                                                                                        \
        return frexp##f(a, &e);                                                                       \
    }                                                                                                 \
    TB_FN tb_i32 tb_frexp_exponent_##s(T a)                                                           \
    {                                                                                                 \
        int e = 0;                                                                                    \
        frexp##f(a, &e);                                                                              \
        return a - a == 0 ? e : 0;                                                                    \
    }
TB_FREXP_FNS(float, f32, f)
TB_FREXP_FNS(double, f64, )
#else
/* U, S: integers of the type's size; digits: of the mantissa, without the implicit one; bias: of an exponent in
 * [0.5, 1). */
#define TB_FREXP_FNS(T, s, f, U, S, digits, bias)                                                     \
    TB_FN U tb_frexp_bits_##s(T a, T least)                                                           \
    {                                                                                                 \
        const T scaled = fabs##f(a) < least ? a * (T)((U)1 << digits) : a;                            \
        U bits;                                                                                       \
        memcpy(&bits, &scaled, sizeof bits);                                                          \
        return bits;                                                                                  \
    }                                                                                                 \
    TB_FN T tb_frexp_mantissa_##s(T a)                                                                \
    {                                                                                                 \
        const U field = ~(U)0 >> 1 >> digits << digits, half = (U)bias << digits;                     \
        const U bits = (tb_frexp_bits_##s(a, TB_LEAST_##s) & ~field) | half;                          \
        T r;                                                                                          \
        memcpy(&r, &bits, sizeof r);                                                                  \
        return ((a - a == 0) & (a != 0)) ? r : a;                                                     \
    }                                                                                                 \
    TB_FN tb_i32 tb_frexp_exponent_##s(T a)                                                           \
    {                                                                                                 \
        const S biased = (S)(tb_frexp_bits_##s(a, TB_LEAST_##s) << 1 >> 1 >> digits);                 \
        const S e = biased - bias - (fabs##f(a) < TB_LEAST_##s ? digits : 0);                         \
        return ((a - a == 0) & (a != 0)) ? (tb_i32)e : 0;                                             \
    }
#define TB_LEAST_f32 0x1p-126f
#define TB_LEAST_f64 0x1p-1022
TB_FREXP_FNS(float, f32, f, tb_u32, tb_i32, 23, 126)
TB_FREXP_FNS(double, f64, , tb_u64, tb_i64, 52, 1022)
#undef TB_LEAST_f32
#undef TB_LEAST_f64
#endif
#undef TB_FREXP_FNS

/* Bits of numbers of one sign are in the order of their magnitudes: adding 1 leads away from zero, to infinity from the
 * largest, and to NaN from infinity. */
#define TB_NEIGHBOUR_FNS(T, s, f, U)                                                                  \
    TB_FN T tb_spacing_##s(T a) /* of -0 as of 0 */                                                   \
    {                                                                                                 \
        return tb_##s##_of_bits(tb_bits_of_##s(a + (T)0) + 1) - a;                                    \
    }                                                                                                 \
    TB_FN T tb_nextafter_##s(T a, T b)                                                                \
    {                                                                                                 \
        const U bits = tb_bits_of_##s(a), least = tb_bits_of_##s(copysign##f((T)0, b)) | 1;           \
        const U next = (a < b) == (a > 0) ? bits + 1 : bits - 1;                                      \
        const T there = tb_##s##_of_bits(a == 0 ? least : next);                                      \
        return a != a || b != b ? a + b : a == b ? b : there;                                         \
    }
TB_NEIGHBOUR_FNS(float, f32, f, tb_u32)
TB_NEIGHBOUR_FNS(double, f64, , tb_u64)
#undef TB_NEIGHBOUR_FNS

/* The modified Bessel function of order 0, by Chebyshev series of exp(-x) I0(x) on [0, 8] and of exp(-x) sqrt(x) I0(x)
 * on [8, inf), the highest coefficient first (published with the Cephes library). Float needs the later ones only. */
TB_TABLE tb_i0_small[30] = {
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
    -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877, -0.3046826723431984,
    0.6767952744094761};
TB_TABLE tb_i0_large[25] = {
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
    1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
    2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
    0.8044904110141088};

#define TB_I0_FNS(T, s, f, small_skip, large_skip)                                                    \
    TB_FN T tb_chebyshev_##s(T x, const double *c, int first, int n)                                  \
    {                                                                                                 \
        T b0 = 0, b1 = 0, b2 = 0;                                                                     \
        for (int k = first; k < n; k++) {                                                             \
            b2 = b1;                                                                                  \
            b1 = b0;                                                                                  \
            b0 = x * b1 - b2 + (T)c[k];                                                               \
        }                                                                                             \
        return (T)0.5 * (b0 - b2);                                                                    \
    }                                                                                                 \
    TB_FN T tb_i0_##s(T a)                                                                            \
    {                                                                                                 \
        const T x = fabs##f(a);                                                                       \
        if (x <= 8) return exp##f(x) * tb_chebyshev_##s(x / 2 - 2, tb_i0_small, small_skip, 30);      \
        return exp##f(x) * tb_chebyshev_##s(32 / x - 2, tb_i0_large, large_skip, 25) / sqrt##f(x);    \
    }

TB_I0_FNS(float, f32, f, 10, 17)
TB_I0_FNS(double, f64, , 0, 0)
#undef TB_I0_FNS
#endif
