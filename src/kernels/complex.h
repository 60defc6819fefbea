/* complex.h - complex numbers with NumPy's semantics: arithmetic, lexicographic order, elementary functions.
 *
 * Arithmetic and comparisons are the same text everywhere. The elementary functions are the C library's on the host;
 * the device has formulas after Kahan ("Branch Cuts for Complex Elementary Functions", 1987) that keep signed zeros,
 * the branch cuts and the accuracy near the cuts, and the limits that C's Annex G gives for infinities. */
#ifndef TB_KERNELS_COMPLEX_H
#define TB_KERNELS_COMPLEX_H

#ifndef __CUDACC_RTC__
#include <complex.h>
#undef I
#endif

/* T: the parts' type, s: the complex token, r: the real token, f: the suffix of C library functions. */
#define TB_COMPLEX_ARITHMETIC(T, s, r, f)                                                             \
    TB_FN tb_##s tb_add_##s(tb_##s a, tb_##s b)                                                       \
    {                                                                                                 \
        return tb_make_##s(a.re + b.re, a.im + b.im);                                                 \
    }                                                                                                 \
    TB_FN tb_##s tb_sub_##s(tb_##s a, tb_##s b)                                                       \
    {                                                                                                 \
        return tb_make_##s(a.re - b.re, a.im - b.im);                                                 \
    }                                                                                                 \
    TB_FN tb_##s tb_mul_##s(tb_##s a, tb_##s b)                                                       \
    {                                                                                                 \
        return tb_make_##s(TB_ROUNDED(a.re * b.re) - TB_ROUNDED(a.im * b.im),                         \
                           TB_ROUNDED(a.re * b.im) + TB_ROUNDED(a.im * b.re));                        \
    }                                                                                                 \
    TB_FN tb_##s tb_scale_##s(tb_##s a, T k)                                                          \
    {                                                                                                 \
        return tb_make_##s(a.re * k, a.im * k);                                                       \
    }                                                                                                 \
    TB_FN tb_##s tb_neg_##s(tb_##s a)                                                                 \
    {                                                                                                 \
        return tb_make_##s(-a.re, -a.im);                                                             \
    }                                                                                                 \
    TB_FN tb_##s tb_conj_##s(tb_##s a)                                                                \
    {                                                                                                 \
        return tb_make_##s(a.re, -a.im);                                                              \
    }                                                                                                 \
    TB_FN tb_##s tb_mul_conj_##s(tb_##s a, tb_##s b)                                                  \
    {                                                                                                 \
        return tb_mul_##s(tb_conj_##s(a), b);                                                         \
    }                                                                                                 \
    /* Smith's division: scales by the larger part of the divisor. */                                 \
    TB_FN tb_##s tb_div_##s(tb_##s a, tb_##s b)                                                       \
    {                                                                                                 \
        const T x = fabs##f(b.re), y = fabs##f(b.im);                                                 \
        if (x >= y) {                                                                                 \
            if (x == 0 && y == 0) return tb_make_##s(a.re / x, a.im / x);                             \
            const T q = b.im / b.re, d = 1 / (b.re + b.im * q);                                       \
            return tb_make_##s((a.re + TB_ROUNDED(a.im * q)) * d, (a.im - TB_ROUNDED(a.re * q)) * d); \
        }                                                                                             \
        const T q = b.re / b.im, d = 1 / (b.im + b.re * q);                                           \
        return tb_make_##s((TB_ROUNDED(a.re * q) + a.im) * d, (TB_ROUNDED(a.im * q) - a.re) * d);     \
    }                                                                                                 \
    TB_FN tb_##s tb_reciprocal_##s(tb_##s a)                                                          \
    {                                                                                                 \
        if (fabs##f(a.im) <= fabs##f(a.re)) {                                                         \
            const T q = a.im / a.re, d = a.re + a.im * q;                                             \
            return tb_make_##s(1 / d, -q / d);                                                        \
        }                                                                                             \
        const T q = a.re / a.im, d = a.re * q + a.im;                                                 \
        return tb_make_##s(q / d, -1 / d);                                                            \
    }                                                                                                 \
    TB_FN T tb_abs_##s(tb_##s a)                                                                      \
    {                                                                                                 \
        return hypot##f(a.re, a.im);                                                                  \
    }                                                                                                 \
    TB_FN T tb_abs2_##s(tb_##s a)                                                                     \
    {                                                                                                 \
        return TB_ROUNDED(a.re * a.re) + TB_ROUNDED(a.im * a.im);                                     \
    }                                                                                                 \
    TB_FN int tb_isnan_##s(tb_##s a)                                                                  \
    {                                                                                                 \
        return a.re != a.re || a.im != a.im;                                                          \
    }                                                                                                 \
    TB_FN int tb_nonzero_part_##s(tb_##s a)                                                           \
    {                                                                                                 \
        return a.re != 0 || a.im != 0;                                                                \
    }                                                                                                 \
    TB_FN int tb_eq_##s(tb_##s a, tb_##s b)                                                           \
    {                                                                                                 \
        return a.re == b.re && a.im == b.im;                                                          \
    }                                                                                                 \
    /* The order is lexicographic; a NaN in a part that decides makes the comparison false. */        \
    TB_FN int tb_gt_##s(tb_##s a, tb_##s b)                                                           \
    {                                                                                                 \
        return (a.re > b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im > b.im);        \
    }                                                                                                 \
    TB_FN int tb_ge_##s(tb_##s a, tb_##s b)                                                           \
    {                                                                                                 \
        return (a.re > b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im >= b.im);       \
    }                                                                                                 \
    TB_FN tb_##s tb_maximum_##s(tb_##s a, tb_##s b)                                                   \
    {                                                                                                 \
        return tb_isnan_##s(a) || tb_ge_##s(a, b) ? a : b;                                            \
    }                                                                                                 \
    TB_FN tb_##s tb_minimum_##s(tb_##s a, tb_##s b)                                                   \
    {                                                                                                 \
        return tb_isnan_##s(a) || tb_ge_##s(b, a) ? a : b;                                            \
    }                                                                                                 \
    TB_FN tb_##s tb_fmax_##s(tb_##s a, tb_##s b)                                                      \
    {                                                                                                 \
        return tb_isnan_##s(b) || tb_ge_##s(a, b) ? a : b;                                            \
    }                                                                                                 \
    TB_FN tb_##s tb_fmin_##s(tb_##s a, tb_##s b)                                                      \
    {                                                                                                 \
        return tb_isnan_##s(b) || tb_ge_##s(b, a) ? a : b;                                            \
    }                                                                                                 \
    /* Clipping goes by the real parts alone unless they are equal. */                                \
    TB_FN int tb_past_##s(tb_##s a, tb_##s b)                                                         \
    {                                                                                                 \
        return a.re > b.re || (a.re == b.re && a.im > b.im);                                          \
    }                                                                                                 \
    TB_FN tb_##s tb_clip_##s(tb_##s a, tb_##s low, tb_##s high)                                       \
    {                                                                                                 \
        const tb_##s x = tb_isnan_##s(a) || tb_past_##s(a, low) ? a : low;                            \
        return tb_isnan_##s(x) || tb_past_##s(high, x) ? x : high;                                    \
    }                                                                                                 \
    TB_FN tb_##s tb_sign_##s(tb_##s a)                                                                \
    {                                                                                                 \
        const T m = hypot##f(a.re, a.im);                                                             \
        if (m - m == 0) return m == 0 ? tb_make_##s(0, 0) : tb_make_##s(a.re / m, a.im / m);          \
        const int wide = fabs##f(a.re) == m, high = fabs##f(a.im) == m;                               \
        if (m != m || (wide && high)) return tb_make_##s(m - m, m - m);                               \
        return wide ? tb_make_##s(copysign##f((T)1, a.re), 0) : tb_make_##s(0, copysign##f((T)1, a.im)); \
    }

TB_COMPLEX_ARITHMETIC(float, c64, f32, f)
TB_COMPLEX_ARITHMETIC(double, c128, f64, )
#undef TB_COMPLEX_ARITHMETIC

#ifndef __CUDACC_RTC__

#define TB_COMPLEX_LIBRARY(s, name, fn, C)                                                            \
    TB_FN tb_##s tb_##name##_##s(tb_##s a)                                                            \
    {                                                                                                 \
        C z;                                                                                          \
        memcpy(&z, &a, sizeof z);                                                                     \
        z = fn(z);                                                                                    \
        memcpy(&a, &z, sizeof a);                                                                     \
        return a;                                                                                     \
    }
#define TB_COMPLEX_BOTH(name, fn)                                                                     \
    TB_COMPLEX_LIBRARY(c64, name, fn##f, float complex)                                               \
    TB_COMPLEX_LIBRARY(c128, name, fn, double complex)

TB_COMPLEX_BOTH(exp, cexp)
TB_COMPLEX_BOTH(log, clog)
TB_COMPLEX_BOTH(sqrt, csqrt)
TB_COMPLEX_BOTH(sin, csin)
TB_COMPLEX_BOTH(cos, ccos)
TB_COMPLEX_BOTH(tan, ctan)
TB_COMPLEX_BOTH(sinh, csinh)
TB_COMPLEX_BOTH(cosh, ccosh)
TB_COMPLEX_BOTH(tanh, ctanh)
TB_COMPLEX_BOTH(arcsin, casin)
TB_COMPLEX_BOTH(arccos, cacos)
TB_COMPLEX_BOTH(arctan, catan)
TB_COMPLEX_BOTH(arcsinh, casinh)
TB_COMPLEX_BOTH(arccosh, cacosh)
TB_COMPLEX_BOTH(arctanh, catanh)

#define TB_COMPLEX_POW(s, fn, C)                                                                      \
    TB_FN tb_##s tb_pow_##s(tb_##s a, tb_##s b)                                                       \
    {                                                                                                 \
        C x, y;                                                                                       \
        memcpy(&x, &a, sizeof x);                                                                     \
        memcpy(&y, &b, sizeof y);                                                                     \
        x = fn(x, y);                                                                                 \
        memcpy(&a, &x, sizeof a);                                                                     \
        return a;                                                                                     \
    }
TB_COMPLEX_POW(c64, cpowf, float complex)
TB_COMPLEX_POW(c128, cpow, double complex)
#undef TB_COMPLEX_POW
#undef TB_COMPLEX_BOTH
#undef TB_COMPLEX_LIBRARY

#else

/* big: exp(big) is still finite; eps: the unit roundoff's neighbourhood; huge: its square is finite. */
#define TB_COMPLEX_DEVICE(T, s, f, big, flat, eps, huge)                                              \
    TB_FN tb_##s tb_rot_##s(tb_##s a) /* i a */                                                       \
    {                                                                                                 \
        return tb_make_##s(-a.im, a.re);                                                              \
    }                                                                                                 \
    TB_FN tb_##s tb_unrot_##s(tb_##s a) /* a / i */                                                   \
    {                                                                                                 \
        return tb_make_##s(a.im, -a.re);                                                              \
    }                                                                                                 \
    TB_FN tb_##s tb_exp_##s(tb_##s a)                                                                 \
    {                                                                                                 \
        if (a.im == 0) return tb_make_##s(exp##f(a.re), a.im);                                        \
        if (a.im - a.im != 0 && a.re - a.re != 0 && a.re == a.re)                                     \
            return a.re < 0 ? tb_make_##s(0, 0) : tb_make_##s(a.re, a.im - a.im);                     \
        /* In two steps where exp overflows alone but the product may not. */                         \
        const T h = a.re > big && a.re - a.re == 0 ? a.re * (T)0.5 : 0, e = exp##f(a.re - h), k = exp##f(h); \
        return tb_make_##s(e * tb_angle_cos##f(a.im) * k, e * tb_angle_sin##f(a.im) * k);             \
    }                                                                                                 \
    /* log|a|; near the unit circle from |a|^2 - 1, computed with twice the precision. */             \
    TB_FN T tb_logabs_##s(tb_##s a)                                                                   \
    {                                                                                                 \
        const T p = fabs##f(a.re), q = fabs##f(a.im), x = p > q ? p : q, y = p > q ? q : p;           \
        if (!(x > (T)0.5 && x < 2 && y < 2)) {                                                        \
            const T k = x > huge ? 1 / (T)huge : x < 1 / (T)huge ? (T)huge : 1;                       \
            return log##f(hypot##f(x * k, y * k)) - log##f(k);                                        \
        }                                                                                             \
        const T xx = x * x, yy = y * y, low = fma##f(x, x, -xx) + fma##f(y, y, -yy);                  \
        const T d = x > 1 ? (x - 1) * (x + 1) + yy : ((xx - 1) + yy) + low;                           \
        return d < 3 ? (T)0.5 * log1p##f(d) : log##f(hypot##f(x, y));                                 \
    }                                                                                                 \
    TB_FN tb_##s tb_log_##s(tb_##s a)                                                                 \
    {                                                                                                 \
        return tb_make_##s(tb_logabs_##s(a), atan2##f(a.im, a.re));                                   \
    }                                                                                                 \
    TB_FN tb_##s tb_sqrt_##s(tb_##s a)                                                                \
    {                                                                                                 \
        if (a.re == 0 && a.im == 0) return tb_make_##s(0, a.im);                                      \
        const T x = fabs##f(a.re), y = fabs##f(a.im);                                                 \
        if (y - y != 0 && y == y) return tb_make_##s(y, a.im);                                        \
        if (x - x != 0 && x == x) {                                                                   \
            const T zero = a.im == a.im ? 0 : a.im;                                                   \
            return a.re > 0 ? tb_make_##s(a.re, copysign##f(zero, a.im))                              \
                            : tb_make_##s(y == y ? 0 : y, copysign##f(x, a.im));                      \
        }                                                                                             \
        /* Scaled by a power of 4 where the hypotenuse would overflow or lose bits. */                \
        const T up = x > huge || y > huge ? (T)0.0625 : x < 1 / (T)huge && y < 1 / (T)huge ? (T)huge : 1; \
        const T back = up == 1 ? 1 : up < 1 ? 4 : 1 / sqrt##f(huge);                                  \
        const T t = sqrt##f((x * up + hypot##f(x * up, y * up)) * (T)0.5) * back, u = y / t * (T)0.5; \
        return a.re >= 0 ? tb_make_##s(t, copysign##f(u, a.im)) : tb_make_##s(u, copysign##f(t, a.im)); \
    }                                                                                                 \
    TB_FN tb_##s tb_sinh_##s(tb_##s a)                                                                \
    {                                                                                                 \
        const T x = a.re, y = a.im;                                                                   \
        if (y == 0) return tb_make_##s(sinh##f(x), y);                                                \
        if (y - y != 0 && (x == 0 || x - x != 0)) return tb_make_##s(x, y - y);                       \
        if (fabs##f(x) > big && x - x == 0) {                                                         \
            const T e = exp##f(fabs##f(x) * (T)0.5), h = e * (T)0.5;                                  \
            return tb_make_##s(copysign##f(h, x) * tb_angle_cos##f(y) * e, h * tb_angle_sin##f(y) * e); \
        }                                                                                             \
        return tb_make_##s(sinh##f(x) * tb_angle_cos##f(y), cosh##f(x) * tb_angle_sin##f(y));         \
    }                                                                                                 \
    TB_FN tb_##s tb_cosh_##s(tb_##s a)                                                                \
    {                                                                                                 \
        const T x = a.re, y = a.im;                                                                   \
        if (y == 0) return tb_make_##s(cosh##f(x), x == x ? copysign##f(y, copysign##f((T)1, x) * y) : y); \
        if (x == 0) return tb_make_##s(tb_angle_cos##f(y), y - y == 0 ? x * tb_angle_sin##f(y) : 0);  \
        if (y - y != 0 && x - x != 0) return tb_make_##s(x * x, y - y);                               \
        if (fabs##f(x) > big && x - x == 0) {                                                         \
            const T e = exp##f(fabs##f(x) * (T)0.5), h = e * (T)0.5;                                  \
            return tb_make_##s(h * tb_angle_cos##f(y) * e, copysign##f(h, x) * tb_angle_sin##f(y) * e); \
        }                                                                                             \
        return tb_make_##s(cosh##f(x) * tb_angle_cos##f(y), sinh##f(x) * tb_angle_sin##f(y));         \
    }                                                                                                 \
    TB_FN tb_##s tb_tanh_##s(tb_##s a)                                                                \
    {                                                                                                 \
        const T x = a.re, y = a.im;                                                                   \
        if (y == 0) return tb_make_##s(tanh##f(x), y);                                                \
        if (x == 0 && y - y != 0) return tb_make_##s(x, y - y);                                       \
        if (fabs##f(x) > flat) {                                                                      \
            const T c = y - y == 0 || x - x == 0 ? tb_angle_sin##f(y) * tb_angle_cos##f(y) : copysign##f((T)1, y); \
            const T e = exp##f(-fabs##f(x));                                                          \
            return tb_make_##s(copysign##f((T)1, x) + (c - c), 4 * c * e * e);                        \
        }                                                                                             \
        const T t = tb_angle_tan##f(y), b = 1 + t * t, h = sinh##f(x), d = 1 + b * h * h;             \
        return tb_make_##s(b * sqrt##f(1 + h * h) * h / d, t / d);                                    \
    }                                                                                                 \
    TB_FN tb_##s tb_sin_##s(tb_##s a)                                                                 \
    {                                                                                                 \
        return tb_unrot_##s(tb_sinh_##s(tb_rot_##s(a)));                                              \
    }                                                                                                 \
    TB_FN tb_##s tb_cos_##s(tb_##s a)                                                                 \
    {                                                                                                 \
        return tb_cosh_##s(tb_rot_##s(a));                                                            \
    }                                                                                                 \
    TB_FN tb_##s tb_tan_##s(tb_##s a)                                                                 \
    {                                                                                                 \
        return tb_unrot_##s(tb_tanh_##s(tb_rot_##s(a)));                                              \
    }                                                                                                 \
    /* log(2 |a|), the size of the inverse functions far from the origin. */                          \
    TB_FN T tb_logfar_##s(tb_##s a)                                                                   \
    {                                                                                                 \
        return (T)0.693147180559945309417232121458176568 + log##f(hypot##f(a.re * (T)0.25, a.im * (T)0.25)) + \
               (T)1.386294361119890618834464242916353136;                                             \
    }                                                                                                 \
    TB_FN int tb_isfar_##s(tb_##s a)                                                                  \
    {                                                                                                 \
        return !(fabs##f(a.re) < 1 / (T)eps && fabs##f(a.im) < 1 / (T)eps);                           \
    }                                                                                                 \
    TB_FN tb_##s tb_arcsin_##s(tb_##s a)                                                              \
    {                                                                                                 \
        if (tb_isfar_##s(a)) {                                                                        \
            const T angle = a.re == 0 ? a.re : atan2##f(a.re, fabs##f(a.im));                         \
            return tb_make_##s(angle, copysign##f(tb_logfar_##s(a), a.im));                           \
        }                                                                                             \
        const tb_##s u = tb_sqrt_##s(tb_make_##s(1 - a.re, -a.im));                                   \
        const tb_##s v = tb_sqrt_##s(tb_make_##s(1 + a.re, a.im));                                    \
        return tb_make_##s(atan2##f(a.re, u.re * v.re - u.im * v.im), asinh##f(u.re * v.im - u.im * v.re)); \
    }                                                                                                 \
    TB_FN tb_##s tb_arccos_##s(tb_##s a)                                                              \
    {                                                                                                 \
        if (tb_isfar_##s(a)) {                                                                        \
            const T angle = a.re == 0 ? (T)1.570796326794896619231321691639751442 : atan2##f(fabs##f(a.im), a.re); \
            return tb_make_##s(angle, copysign##f(tb_logfar_##s(a), -a.im));                          \
        }                                                                                             \
        const tb_##s u = tb_sqrt_##s(tb_make_##s(1 - a.re, -a.im));                                   \
        const tb_##s v = tb_sqrt_##s(tb_make_##s(1 + a.re, a.im));                                    \
        return tb_make_##s(2 * atan2##f(u.re, v.re), asinh##f(v.re * u.im - v.im * u.re));            \
    }                                                                                                 \
    TB_FN tb_##s tb_arccosh_##s(tb_##s a)                                                             \
    {                                                                                                 \
        if (tb_isfar_##s(a)) {                                                                        \
            const T angle = a.re == 0 ? (T)1.570796326794896619231321691639751442 : atan2##f(fabs##f(a.im), a.re); \
            return tb_make_##s(tb_logfar_##s(a), copysign##f(angle, a.im));                           \
        }                                                                                             \
        const tb_##s u = tb_sqrt_##s(tb_make_##s(a.re - 1, a.im));                                    \
        const tb_##s v = tb_sqrt_##s(tb_make_##s(a.re + 1, a.im));                                    \
        return tb_make_##s(asinh##f(u.re * v.re + u.im * v.im), 2 * atan2##f(u.im, v.re));            \
    }                                                                                                 \
    TB_FN tb_##s tb_arctanh_##s(tb_##s a)                                                             \
    {                                                                                                 \
        const T half_pi = (T)1.570796326794896619231321691639751442, x = fabs##f(a.re), y = fabs##f(a.im); \
        if (a.re != a.re || a.im != a.im) {                                                           \
            const T nan = a.re + a.im, zero = y - y == 0 || a.im != a.im ? nan : 0;                   \
            return tb_make_##s(a.re == 0 || x - x != 0 ? copysign##f(a.re == a.re ? 0 : zero, a.re) : nan, \
                               y - y != 0 && y == y ? copysign##f(half_pi, a.im) : nan);              \
        }                                                                                             \
        if (tb_isfar_##s(a)) {                                                                        \
            const T m = hypot##f(a.re * (T)0.25, a.im * (T)0.25), part = x * (T)0.25 / m / m * (T)0.25; \
            return tb_make_##s(copysign##f(m - m == 0 ? part : 0, a.re), copysign##f(half_pi, a.im)); \
        }                                                                                             \
        T part = (T)0.25 * log1p##f(4 * x / ((1 - x) * (1 - x) + y * y));                             \
        if (x == 1 && y < eps) part = (T)0.5 * ((T)0.693147180559945309417232121458176568 - log##f(y)); \
        return tb_make_##s(copysign##f(part, a.re),                                                   \
                           (T)0.5 * atan2##f(2 * a.im, (1 - x) * (1 + x) - y * y));                   \
    }                                                                                                 \
    TB_FN tb_##s tb_arcsinh_##s(tb_##s a)                                                             \
    {                                                                                                 \
        return tb_unrot_##s(tb_arcsin_##s(tb_rot_##s(a)));                                            \
    }                                                                                                 \
    TB_FN tb_##s tb_arctan_##s(tb_##s a)                                                              \
    {                                                                                                 \
        return tb_unrot_##s(tb_arctanh_##s(tb_rot_##s(a)));                                           \
    }                                                                                                 \
    TB_FN tb_##s tb_pow_##s(tb_##s a, tb_##s b)                                                       \
    {                                                                                                 \
        return tb_exp_##s(tb_mul_##s(b, tb_log_##s(a)));                                              \
    }

TB_COMPLEX_DEVICE(float, c64, f, 88.0f, 12.0f, 1e-8f, 1152921504606846976.0f)
TB_COMPLEX_DEVICE(double, c128, , 709.0, 22.0, 1e-17, 3.273390607896142e+150)
#undef TB_COMPLEX_DEVICE
#endif

#define TB_COMPLEX_MORE(T, s, f)                                                                      \
    TB_FN tb_##s tb_expm1_##s(tb_##s a)                                                               \
    {                                                                                                 \
        const T h = tb_angle_sin##f(a.im / 2);                                                        \
        return tb_make_##s(expm1##f(a.re) * tb_angle_cos##f(a.im) - 2 * h * h, exp##f(a.re) * tb_angle_sin##f(a.im)); \
    }                                                                                                 \
    TB_FN tb_##s tb_log1p_##s(tb_##s a)                                                               \
    {                                                                                                 \
        return tb_make_##s(log##f(hypot##f(a.re + 1, a.im)), atan2##f(a.im, a.re + 1));               \
    }                                                                                                 \
    TB_FN tb_##s tb_rint_##s(tb_##s a)                                                                \
    {                                                                                                 \
        return tb_make_##s(rint##f(a.re), rint##f(a.im));                                             \
    }                                                                                                 \
    TB_FN tb_##s tb_sinc_##s(tb_##s a)                                                                \
    {                                                                                                 \
        const tb_##s x = tb_scale_##s(a, (T)3.141592653589793238462643383279502884);                  \
        return tb_nonzero_part_##s(x) ? tb_div_##s(tb_sin_##s(x), x) : tb_make_##s(1, 0);             \
    }                                                                                                 \
    /* Small whole powers by multiplication, which is exact where the products are. */                \
    TB_FN tb_##s tb_power_##s(tb_##s a, tb_##s b)                                                     \
    {                                                                                                 \
        if (b.re == 0 && b.im == 0) return tb_make_##s(1, 0);                                         \
        if (a.re == 0 && a.im == 0) {                                                                 \
            const T x = b.re > 0 ? 0 : a.re / a.re;                                                   \
            return tb_make_##s(x, x);                                                                 \
        }                                                                                             \
        if (b.im == 0 && fabs##f(b.re) < 100 && b.re == trunc##f(b.re)) {                             \
            tb_##s r = tb_make_##s(1, 0);                                                             \
            int n = (int)fabs##f(b.re), alone = b.re > 0 && n < 4; /* not times 1, as in NumPy: inf + nan */ \
            for (tb_##s p = a;; p = tb_mul_##s(p, p)) {                                               \
                if (n & 1) r = alone ? p : tb_mul_##s(r, p), alone = 0;                               \
                n >>= 1;                                                                              \
                if (!n) break;                                                                        \
            }                                                                                         \
            return b.re < 0 ? tb_reciprocal_##s(r) : r;                                               \
        }                                                                                             \
        return tb_pow_##s(a, b);                                                                      \
    }

TB_COMPLEX_MORE(float, c64, f)
TB_COMPLEX_MORE(double, c128, )
#undef TB_COMPLEX_MORE
#endif
