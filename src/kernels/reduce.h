/* reduce.h - what the expressions of tables/reduce.def call, for host and device: identities, complex arithmetic, the
 * order of complex numbers (by real part, then by imaginary part) with NumPy's treatment of NaN. Needs types.h. */
#ifndef TB_KERNELS_REDUCE_H
#define TB_KERNELS_REDUCE_H

#ifdef __CUDACC_RTC__
TB_FN float tb_inf_f32() { return __int_as_float(0x7f800000); }
TB_FN double tb_inf_f64() { return __longlong_as_double(0x7ff0000000000000ll); }
TB_FN float tb_nan_f32() { return __int_as_float(0x7fc00000); }
TB_FN double tb_nan_f64() { return __longlong_as_double(0x7ff8000000000000ll); }
#else
TB_FN float tb_inf_f32(void) { return INFINITY; }
TB_FN double tb_inf_f64(void) { return (double)INFINITY; }
TB_FN float tb_nan_f32(void) { return NAN; }
TB_FN double tb_nan_f64(void) { return (double)NAN; }
#endif
#define tb_nan_f16() tb_nan_f32()
#define tb_nan_bf16() tb_nan_f32()

/* tb_max_of_f32(s, v), ...: the extreme of two numbers. With max and min NaN wins; with fmax and fmin, any number. One
 * instruction where the device has it. float16 and bfloat16 are in registers as float. */
#define TB_EXTREME_FNS(T, f, op, sign)                                                                  \
    TB_FN T tb_##op##_of_##f(T s, T v) { return ((v sign s) | (v != v)) ? v : s; }                        \
    TB_FN T tb_f##op##_of_##f(T s, T v) { return ((v sign s) | (s != s)) ? v : s; }
#if defined(__CUDACC_RTC__) && __CUDA_ARCH__ >= 800
#define TB_EXTREME_FN(name, instruction)                                                                \
    TB_FN float name(float s, float v)                                                                  \
    {                                                                                                   \
        float r;                                                                                        \
        asm(instruction " %0, %1, %2;" : "=f"(r) : "f"(s), "f"(v));                                     \
        return r;                                                                                       \
    }
TB_EXTREME_FN(tb_max_of_f32, "max.NaN.f32")
TB_EXTREME_FN(tb_min_of_f32, "min.NaN.f32")
TB_EXTREME_FN(tb_fmax_of_f32, "max.f32")
TB_EXTREME_FN(tb_fmin_of_f32, "min.f32")
#undef TB_EXTREME_FN
#else
TB_EXTREME_FNS(float, f32, max, >)
TB_EXTREME_FNS(float, f32, min, <)
#endif
TB_EXTREME_FNS(double, f64, max, >)
TB_EXTREME_FNS(double, f64, min, <)
#undef TB_EXTREME_FNS
#define tb_max_of_f16 tb_max_of_f32
#define tb_max_of_bf16 tb_max_of_f32
#define tb_min_of_f16 tb_min_of_f32
#define tb_min_of_bf16 tb_min_of_f32
#define tb_fmax_of_f16 tb_fmax_of_f32
#define tb_fmax_of_bf16 tb_fmax_of_f32
#define tb_fmin_of_f16 tb_fmin_of_f32
#define tb_fmin_of_bf16 tb_fmin_of_f32

/* Defines for the dtype T, in registers R, whose extremes of two numbers are LESS and MORE: the least and the greatest
 * number, and their difference, which wraps around as unsigned numbers of type WRAP do. */
#define TB_MIN_MAX(T, R, LESS, MORE, WRAP)                                                              \
    typedef struct {                                                                                    \
        R least, most;                                                                                  \
    } tb_min_max_##T;                                                                                   \
    TB_FN tb_min_max_##T tb_min_max_of_##T(R least, R most)                                             \
    {                                                                                                   \
        tb_min_max_##T s;                                                                               \
        s.least = least;                                                                                \
        s.most = most;                                                                                  \
        return s;                                                                                       \
    }                                                                                                   \
    TB_FN tb_min_max_##T tb_min_max_join_##T(tb_min_max_##T s, tb_min_max_##T t)                        \
    {                                                                                                   \
        return tb_min_max_of_##T((R)LESS(s.least, t.least), (R)MORE(s.most, t.most));                   \
    }                                                                                                   \
    TB_FN R tb_ptp_##T(tb_min_max_##T s) { return (R)((WRAP)s.most - (WRAP)s.least); }
#define TB_LESS_OF(s, v) ((v) < (s) ? (v) : (s))
#define TB_MORE_OF(s, v) ((v) > (s) ? (v) : (s))
#define TB_BOTH_OF(s, v) ((s) & (v))
#define TB_ANY_OF(s, v) ((s) | (v))
TB_MIN_MAX(bool, tb_bool, TB_BOTH_OF, TB_ANY_OF, tb_u32)
TB_MIN_MAX(i8, tb_i8, TB_LESS_OF, TB_MORE_OF, tb_u32)
TB_MIN_MAX(u8, tb_u8, TB_LESS_OF, TB_MORE_OF, tb_u32)
TB_MIN_MAX(i16, tb_i16, TB_LESS_OF, TB_MORE_OF, tb_u32)
TB_MIN_MAX(u16, tb_u16, TB_LESS_OF, TB_MORE_OF, tb_u32)
TB_MIN_MAX(i32, tb_i32, TB_LESS_OF, TB_MORE_OF, tb_u32)
TB_MIN_MAX(u32, tb_u32, TB_LESS_OF, TB_MORE_OF, tb_u32)
TB_MIN_MAX(i64, tb_i64, TB_LESS_OF, TB_MORE_OF, tb_u64)
TB_MIN_MAX(u64, tb_u64, TB_LESS_OF, TB_MORE_OF, tb_u64)
TB_MIN_MAX(f16, float, tb_min_of_f16, tb_max_of_f16, float)
TB_MIN_MAX(bf16, float, tb_min_of_bf16, tb_max_of_bf16, float)
TB_MIN_MAX(f32, float, tb_min_of_f32, tb_max_of_f32, float)
TB_MIN_MAX(f64, double, tb_min_of_f64, tb_max_of_f64, double)
#undef TB_MIN_MAX
#undef TB_LESS_OF
#undef TB_MORE_OF
#undef TB_BOTH_OF
#undef TB_ANY_OF

/* Defines for the complex dtype T: sum, product, whether a NaN is in it or all of it, and the four picks.
 * tb_pick_min_T(s, t) is s unless t comes before it or is the first to have a NaN; tb_pick_fmin_T(s, t) avoids NaN
 * where it can, and is the first of two, unless that is NaN in both parts, as what no element is in. */
#define TB_REDUCE_COMPLEX(T)                                                                            \
    TB_FN tb_##T tb_plus_##T(tb_##T s, tb_##T t) { return tb_make_##T(s.re + t.re, s.im + t.im); }      \
    TB_FN tb_##T tb_times_##T(tb_##T s, tb_##T t)                                                       \
    {                                                                                                   \
        return tb_make_##T(TB_ROUNDED(s.re * t.re) - TB_ROUNDED(s.im * t.im),                           \
                           TB_ROUNDED(s.re * t.im) + TB_ROUNDED(s.im * t.re));                          \
    }                                                                                                   \
    TB_FN int tb_has_nan_##T(tb_##T s) { return (s.re != s.re) | (s.im != s.im); }                      \
    TB_FN int tb_is_nan_##T(tb_##T s) { return (s.re != s.re) & (s.im != s.im); }                       \
    TB_FN int tb_less_##T(tb_##T s, tb_##T t)                                                           \
    {                                                                                                   \
        return (s.re < t.re) | ((s.re == t.re) & (s.im < t.im));                                        \
    }                                                                                                   \
    TB_FN tb_##T tb_pick_min_##T(tb_##T s, tb_##T t)                                                    \
    {                                                                                                   \
        const int other = (!tb_has_nan_##T(s)) & (tb_has_nan_##T(t) | tb_less_##T(t, s));               \
        return tb_make_##T(other ? t.re : s.re, other ? t.im : s.im);                                   \
    }                                                                                                   \
    TB_FN tb_##T tb_pick_max_##T(tb_##T s, tb_##T t)                                                    \
    {                                                                                                   \
        const int other = (!tb_has_nan_##T(s)) & (tb_has_nan_##T(t) | tb_less_##T(s, t));               \
        return tb_make_##T(other ? t.re : s.re, other ? t.im : s.im);                                   \
    }                                                                                                   \
    TB_FN tb_##T tb_pick_fmin_##T(tb_##T s, tb_##T t)                                                   \
    {                                                                                                   \
        const int other = tb_is_nan_##T(s) | ((!tb_has_nan_##T(t)) & (tb_has_nan_##T(s) | tb_less_##T(t, s))); \
        return tb_make_##T(other ? t.re : s.re, other ? t.im : s.im);                                   \
    }                                                                                                   \
    TB_FN tb_##T tb_pick_fmax_##T(tb_##T s, tb_##T t)                                                   \
    {                                                                                                   \
        const int other = tb_is_nan_##T(s) | ((!tb_has_nan_##T(t)) & (tb_has_nan_##T(s) | tb_less_##T(s, t))); \
        return tb_make_##T(other ? t.re : s.re, other ? t.im : s.im);                                   \
    }

/* Sums of exponentials: the greatest number, and the sum of exp(number - greatest) over all others, so that it keeps
 * what is small beside the greatest. A NaN is in the sum. Equal numbers may both be infinite. */
#define TB_EXPONENTIALS(T, f, EXP, LOG1P)                                                                           \
    typedef struct {                                                                                                \
        T most, rest;                                                                                               \
    } tb_exps_##f;                                                                                                  \
    TB_FN tb_exps_##f tb_exps_of_##f(T most, T rest)                                                                \
    {                                                                                                               \
        tb_exps_##f s;                                                                                              \
        s.most = most;                                                                                              \
        s.rest = rest;                                                                                              \
        return s;                                                                                                   \
    }                                                                                                               \
    TB_FN tb_exps_##f tb_exps_join_##f(tb_exps_##f s, tb_exps_##f t)                                                \
    {                                                                                                               \
        const int more = t.most > s.most;                                                                           \
        const T most = more ? t.most : s.most, less = more ? s.most : t.most;                                       \
        const T scale = EXP(less == most ? 0 : less - most);                                                        \
        const T rest = more ? t.rest : s.rest, scaled = 1 + (more ? s.rest : t.rest);                               \
        return tb_exps_of_##f(most, rest + TB_ROUNDED(scaled * scale));                                             \
    }                                                                                                               \
    TB_FN T tb_exps_log_##f(tb_exps_##f s) { return s.most + LOG1P(s.rest); }
TB_EXPONENTIALS(float, f32, expf, log1pf)
TB_EXPONENTIALS(double, f64, exp, log1p)
#undef TB_EXPONENTIALS

/* Moments of n numbers: their mean is c + (m + s / n), c one of them; the sum of their squared distances from it is
 * q - s^2 / n. A thread's numbers are seen from its first one: s and q are sums of distances and of their squares, m is
 * 0. Where accumulators meet s becomes 0, since they are merged by their means (T. F. Chan, G. H. Golub, R. J. LeVeque,
 * Updating formulae and a pairwise algorithm for computing sample variances, 1979). So what is lost does not grow with
 * the numbers' distance from zero, nor, beyond a thread's own numbers, with that of an outlier from the others. */
typedef struct {
    double c, m, s, q;
    tb_i64 n;
} tb_moments;

TB_FN tb_moments tb_moments_none(void)
{
    tb_moments s;
    s.c = s.m = s.s = s.q = 0;
    s.n = 0;
    return s;
}

TB_FN tb_moments tb_moments_step(tb_moments s, double v)
{
    s.c = s.n == 0 ? v : s.c;
    const double d = v - s.c;
    s.s += d;
    s.q += TB_ROUNDED(d * d);
    s.n += 1;
    return s;
}

/* From c. */
TB_FN double tb_moments_middle(tb_moments s) { return s.s == 0 ? s.m : s.m + s.s / (double)s.n; }

TB_FN double tb_moments_mean(tb_moments s) { return s.n == 1 ? s.c : s.c + tb_moments_middle(s); }

/* Where squares overflow, as they do of finite numbers, the spread is infinite; of infinite ones it is NaN. */
TB_FN double tb_moments_spread(tb_moments s)
{
    const double d = s.s == 0 ? s.q : s.q - TB_ROUNDED(s.s * (s.s / (double)s.n));
    if (d != d && s.s - s.s == 0) return s.q;
    return d < 0 ? 0 : d;
}

/* A standard deviation, but NaN where it is what rounding leaves of numbers that are all the same. */
TB_FN double tb_moments_scale(double mean, double variance, double epsilon)
{
    const double deviation = sqrt(variance);
    return deviation <= epsilon * fabs(mean) ? tb_nan_f64() : deviation;
}

TB_CALLED tb_moments tb_moments_join(tb_moments s, tb_moments t)
{
    if (t.n == 0) return s;
    if (s.n == 0) return t;
    const double middle = tb_moments_middle(s), apart = (t.c - s.c) + (tb_moments_middle(t) - middle);
    /* A quotient takes longer than all the rest, and most accumulators that meet are of as many numbers. */
    const double share = s.n == t.n ? 0.5 : (double)t.n / (double)(s.n + t.n);
    const double between = apart * ((double)s.n * share);
    s.q = tb_moments_spread(s) + tb_moments_spread(t) + TB_ROUNDED(apart * between);
    s.m = middle + TB_ROUNDED(apart * share);
    s.s = 0;
    s.n += t.n;
    return s;
}

TB_REDUCE_COMPLEX(c64)
TB_REDUCE_COMPLEX(c128)
#endif
