/* math.h - CUDA's math functions of float and double, for kernels that are compiled for the CPU.
 *
 * Where a standard header with math is included (TB_STD), its declarations and overloads are taken; else ours, which
 * are the same functions of the C library. */
#ifndef TB_KERNELS_HOST_CUDA_MATH_H
#define TB_KERNELS_HOST_CUDA_MATH_H

template <class T> struct tb_is_integer { enum { value = 0 }; };
#define TB_INTEGER(T) template <> struct tb_is_integer<T> { enum { value = 1 }; };
TB_INTEGER(bool) TB_INTEGER(char) TB_INTEGER(signed char) TB_INTEGER(unsigned char) TB_INTEGER(short)
TB_INTEGER(unsigned short) TB_INTEGER(int) TB_INTEGER(unsigned) TB_INTEGER(long) TB_INTEGER(unsigned long)
TB_INTEGER(long long) TB_INTEGER(unsigned long long)
template <bool, class T> struct tb_if {};
template <class T> struct tb_if<true, T> { typedef T type; };
template <class A, class B> struct tb_same { enum { value = 0 }; };
template <class A> struct tb_same<A, A> { enum { value = 1 }; };
template <class T> struct tb_is_number { enum { value = tb_is_integer<T>::value }; };
template <> struct tb_is_number<float> { enum { value = 1 }; };
template <> struct tb_is_number<double> { enum { value = 1 }; };

/* Functions of the C library by their number of arguments: declared, and overloaded for float and for integers. */
#define TB_MATH1(F) \
    F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atanh) F(cbrt) F(ceil) F(cos) F(cosh) F(erf) F(erfc) F(exp) F(exp2) \
    F(expm1) F(fabs) F(floor) F(lgamma) F(log) F(log10) F(log1p) F(log2) F(logb) F(nearbyint) F(rint) F(round) F(sin) \
    F(sinh) F(sqrt) F(tan) F(tanh) F(tgamma) F(trunc)
#define TB_MATH2(F) \
    F(atan2) F(copysign) F(fdim) F(fmax) F(fmin) F(fmod) F(hypot) F(nextafter) F(pow) F(remainder)

/* Loops over these are vectorised where the C library has them for vectors, to 4 ULP: glibc's libmvec. TB_LIBMVEC is 1
 * for what it began with, 2 for what it has since glibc 2.35. (clang knows them by itself.) */
#if defined(TB_LIBMVEC) && defined(__x86_64__) && !defined(__clang__)
#define TB_SIMD __attribute__((simd("notinbranch")))
#define TB_SIMD1(name) TB_SIMD double name(double) noexcept(true); TB_SIMD float name##f(float) noexcept(true);
#define TB_SIMD2(name) \
    TB_SIMD double name(double, double) noexcept(true); TB_SIMD float name##f(float, float) noexcept(true);
extern "C" {
TB_SIMD1(cos) TB_SIMD1(exp) TB_SIMD1(log) TB_SIMD1(sin) TB_SIMD2(pow)
#if TB_LIBMVEC > 1
TB_SIMD1(acos) TB_SIMD1(acosh) TB_SIMD1(asin) TB_SIMD1(asinh) TB_SIMD1(atan) TB_SIMD1(atanh) TB_SIMD1(cbrt)
TB_SIMD1(cosh) TB_SIMD1(erf) TB_SIMD1(erfc) TB_SIMD1(exp10) TB_SIMD1(exp2) TB_SIMD1(expm1) TB_SIMD1(log10)
TB_SIMD1(log1p) TB_SIMD1(log2) TB_SIMD1(sinh) TB_SIMD1(tan) TB_SIMD1(tanh) TB_SIMD2(atan2) TB_SIMD2(hypot)
#endif
}
#endif

#ifdef TB_STD
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;
#else
extern "C" {
#define TB_DECLARE(name) double name(double) noexcept(true); float name##f(float) noexcept(true);
TB_MATH1(TB_DECLARE)
#undef TB_DECLARE
#define TB_DECLARE(name) double name(double, double) noexcept(true); float name##f(float, float) noexcept(true);
TB_MATH2(TB_DECLARE)
#undef TB_DECLARE
double fma(double, double, double) noexcept(true);
float fmaf(float, float, float) noexcept(true);
double frexp(double, int *) noexcept(true);
float frexpf(float, int *) noexcept(true);
double ldexp(double, int) noexcept(true);
float ldexpf(float, int) noexcept(true);
double scalbn(double, int) noexcept(true);
float scalbnf(float, int) noexcept(true);
double scalbln(double, long) noexcept(true);
float scalblnf(float, long) noexcept(true);
double modf(double, double *) noexcept(true);
float modff(float, float *) noexcept(true);
double remquo(double, double, int *) noexcept(true);
float remquof(float, float, int *) noexcept(true);
int ilogb(double) noexcept(true);
int ilogbf(float) noexcept(true);
long lrint(double) noexcept(true);
long lrintf(float) noexcept(true);
long lround(double) noexcept(true);
long lroundf(float) noexcept(true);
long long llrint(double) noexcept(true);
long long llrintf(float) noexcept(true);
long long llround(double) noexcept(true);
long long llroundf(float) noexcept(true);
double nan(const char *) noexcept(true);
float nanf(const char *) noexcept(true);
double j0(double) noexcept(true);
double j1(double) noexcept(true);
double jn(int, double) noexcept(true);
double y0(double) noexcept(true);
double y1(double) noexcept(true);
double yn(int, double) noexcept(true);
float j0f(float) noexcept(true);
float j1f(float) noexcept(true);
float jnf(int, float) noexcept(true);
float y0f(float) noexcept(true);
float y1f(float) noexcept(true);
float ynf(int, float) noexcept(true);
void sincos(double, double *, double *) noexcept(true);
void sincosf(float, float *, float *) noexcept(true);
int abs(int) noexcept(true);
long labs(long) noexcept(true);
long long llabs(long long) noexcept(true);
}
#define TB_OVERLOAD(name) \
    TB_FN float name(float x) { return __builtin_##name##f(x); } \
    template <class T> TB_FN typename tb_if<tb_is_integer<T>::value, double>::type name(T x) \
    { \
        return __builtin_##name((double)x); \
    }
TB_MATH1(TB_OVERLOAD)
#undef TB_OVERLOAD
#define TB_OVERLOAD(name) \
    TB_FN float name(float x, float y) { return __builtin_##name##f(x, y); } \
    template <class T, class U> \
    TB_FN typename tb_if<tb_is_number<T>::value && tb_is_number<U>::value && !tb_same<T, U>::value, double>::type \
    name(T x, U y) \
    { \
        return __builtin_##name((double)x, (double)y); \
    } \
    template <class T> TB_FN typename tb_if<tb_is_integer<T>::value, double>::type name(T x, T y) \
    { \
        return __builtin_##name((double)x, (double)y); \
    }
TB_MATH2(TB_OVERLOAD)
#undef TB_OVERLOAD
TB_FN float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
TB_FN float frexp(float x, int *e) { return __builtin_frexpf(x, e); }
TB_FN float ldexp(float x, int e) { return __builtin_ldexpf(x, e); }
TB_FN float scalbn(float x, int e) { return __builtin_scalbnf(x, e); }
TB_FN float scalbln(float x, long e) { return __builtin_scalblnf(x, e); }
TB_FN float modf(float x, float *i) { return __builtin_modff(x, i); }
TB_FN float remquo(float x, float y, int *q) { return __builtin_remquof(x, y, q); }
TB_FN int ilogb(float x) { return __builtin_ilogbf(x); }
TB_FN long lrint(float x) { return __builtin_lrintf(x); }
TB_FN long lround(float x) { return __builtin_lroundf(x); }
TB_FN long long llrint(float x) { return __builtin_llrintf(x); }
TB_FN long long llround(float x) { return __builtin_llroundf(x); }
TB_FN float abs(float x) { return __builtin_fabsf(x); }
TB_FN double abs(double x) { return __builtin_fabs(x); }
TB_FN long abs(long x) { return x < 0 ? -x : x; }
TB_FN long long abs(long long x) { return x < 0 ? -x : x; }
#define TB_CLASSIFY(f, e) \
    TB_FN bool f(float x) { return e; } \
    TB_FN bool f(double x) { return e; } \
    template <class T> TB_FN typename tb_if<tb_is_integer<T>::value, bool>::type f(T x) { return f((double)x); }
TB_CLASSIFY(isnan, __builtin_isnan(x))
TB_CLASSIFY(isinf, __builtin_isinf_sign(x) != 0)
TB_CLASSIFY(isfinite, __builtin_isfinite(x))
TB_CLASSIFY(signbit, __builtin_signbit(x) != 0)
TB_CLASSIFY(isnormal, __builtin_isnormal(x))
#endif

/* ---- what CUDA has beyond the C library ------------------------------------------------------------------------ */

#define TB_BOTH1(name, e32, e64) \
    TB_FN float name##f(float x) { return e32; } \
    TB_FN double name(double x) { return e64; } \
    TB_FN float name(float x) { return name##f(x); }
#define TB_PI 3.14159265358979323846

/* sin(pi x) and cos(pi x), exact where the result is. */
TB_FN double tb_sinpi(double x)
{
    double r = __builtin_fabs(x) - 2 * __builtin_floor(__builtin_fabs(x) / 2), s;
    if (!(r < 2)) return __builtin_isnan(r) || __builtin_isinf_sign(x) ? __builtin_nan("") : x * 0;
    if (r >= 1.75) s = __builtin_sin(TB_PI * (r - 2));
    else if (r >= 1.25) s = -__builtin_cos(TB_PI * (r - 1.5));
    else if (r >= 0.75) s = __builtin_sin(TB_PI * (1 - r));
    else if (r >= 0.25) s = __builtin_cos(TB_PI * (0.5 - r));
    else s = __builtin_sin(TB_PI * r);
    return x < 0 ? -s : s;
}
TB_FN double tb_cospi(double x)
{
    double r = __builtin_fabs(x) - 2 * __builtin_floor(__builtin_fabs(x) / 2);
    if (!(r < 2)) return __builtin_nan("");
    if (r > 1) r = 2 - r;
    if (r > 0.75) return -__builtin_cos(TB_PI * (1 - r));
    if (r > 0.25) return r == 0.5 ? 0.0 : __builtin_sin(TB_PI * (0.5 - r));
    return __builtin_cos(TB_PI * r);
}
/* The inverse of the normal distribution's integral: Acklam's start, one step of Halley's method. */
static inline double tb_normcdfinv(double p)
{
    const double low = 0.02425;
    double q, x;
    if (!(p >= 0 && p <= 1)) return __builtin_nan("");
    if (p == 0) return -__builtin_inf();
    if (p == 1) return __builtin_inf();
    bool tail = p < low || p > 1 - low;
    if (tail) {
        q = __builtin_sqrt(-2 * __builtin_log(p < low ? p : 1 - p));
        x = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q -
               2.549732539343734e+00) * q + 4.374664141464968e+00) * q + 2.938163982698783e+00) /
            ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
              3.754408661907416e+00) * q + 1);
        if (p >= low) x = -x;
    } else {
        q = p - 0.5;
        double r = q * q;
        x = (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
               1.383577518672690e+02) * r - 3.066479806614716e+01) * r + 2.506628277459239e+00) * q /
            (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
               6.680131188771972e+01) * r - 1.328068155288572e+01) * r + 1);
    }
    for (int i = 0; i < 2; i++) {
        double e = x < 0 ? 0.5 * __builtin_erfc(-x * 0.70710678118654752440) - p
                         : (1 - p) - 0.5 * __builtin_erfc(x * 0.70710678118654752440);
        double u = e * 2.50662827463100050242 * __builtin_exp(x * x / 2);
        if (!(__builtin_fabs(u) < 1)) break;
        x = x - u / (1 + x * u / 2);
    }
    return x;
}
static inline double tb_erfinv(double x)
{
    if (x == 0) return x;
    if (__builtin_fabs(x) > 0.5) {
        double y = -tb_normcdfinv(0.5 * (1 - __builtin_fabs(x))) * 0.70710678118654752440;
        return x < 0 ? -y : y;
    }
    double y = tb_normcdfinv(0.5 + 0.5 * x) * 0.70710678118654752440;
    for (int i = 0; i < 2; i++) y -= (__builtin_erf(y) - x) * 0.88622692545275801365 * __builtin_exp(y * y);
    return y;
}
/* Far from 0 by its continued fraction, since the error of exp(x * x) grows with x. */
static inline double tb_erfcx(double x)
{
    if (x < 3) return __builtin_exp(x * x) * __builtin_erfc(x);
    double f = x;
    for (int k = 100; k > 0; k--) f = x + 0.5 * k / f;
    return 0.56418958354775628695 / f;
}
/* Modified Bessel functions by their series, and asymptotically. */
static inline double tb_cyl_bessel_i(int n, double x)
{
    double a = __builtin_fabs(x), sign = n && x < 0 ? -1 : 1;
    if (a < 30) {
        double term = n ? a / 2 : 1, sum = term, q = a * a / 4;
        for (int k = 1; k < 200; k++) {
            term *= q / ((double)k * (k + n));
            sum += term;
            if (term < sum * 1e-17) break;
        }
        return sign * sum;
    }
    double term = 1, sum = 1;
    for (int k = 1; k < 30; k++) {
        double next = term * -(4.0 * n * n - (2.0 * k - 1) * (2.0 * k - 1)) / (8 * k * a);
        if (__builtin_fabs(next) > __builtin_fabs(term)) break;
        sum += term = next;
    }
    return sign * sum * __builtin_exp(a / 2) / __builtin_sqrt(2 * TB_PI * a) * __builtin_exp(a / 2);
}

TB_BOTH1(rsqrt, 1 / __builtin_sqrtf(x), 1 / __builtin_sqrt(x))
TB_BOTH1(rcbrt, 1 / __builtin_cbrtf(x), 1 / __builtin_cbrt(x))
TB_BOTH1(sinpi, (float)tb_sinpi(x), tb_sinpi(x))
TB_BOTH1(cospi, (float)tb_cospi(x), tb_cospi(x))
TB_BOTH1(erfinv, (float)tb_erfinv(x), tb_erfinv(x))
TB_BOTH1(erfcinv, (float)(-tb_normcdfinv(0.5 * (double)x) * 0.70710678118654752440),
         -tb_normcdfinv(0.5 * x) * 0.70710678118654752440)
TB_BOTH1(erfcx, (float)tb_erfcx(x), tb_erfcx(x))
TB_BOTH1(normcdf, (float)(0.5 * __builtin_erfc(-(double)x * 0.70710678118654752440)),
         0.5 * __builtin_erfc(-x * 0.70710678118654752440))
TB_BOTH1(normcdfinv, (float)tb_normcdfinv(x), tb_normcdfinv(x))
TB_BOTH1(cyl_bessel_i0, (float)tb_cyl_bessel_i(0, x), tb_cyl_bessel_i(0, x))
TB_BOTH1(cyl_bessel_i1, (float)tb_cyl_bessel_i(1, x), tb_cyl_bessel_i(1, x))
extern "C" double exp10(double) noexcept(true);
extern "C" float exp10f(float) noexcept(true);
TB_FN float exp10(float x) { return exp10f(x); }

TB_FN double norm3d(double x, double y, double z) { return __builtin_hypot(__builtin_hypot(x, y), z); }
TB_FN float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
TB_FN double norm4d(double x, double y, double z, double w)
{
    return __builtin_hypot(__builtin_hypot(x, y), __builtin_hypot(z, w));
}
TB_FN float norm4df(float x, float y, float z, float w) { return (float)norm4d(x, y, z, w); }
TB_FN double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
TB_FN float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }
TB_FN double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }
TB_FN float rnorm4df(float x, float y, float z, float w) { return (float)rnorm4d(x, y, z, w); }
TB_FN double rhypot(double x, double y) { return 1 / __builtin_hypot(x, y); }
TB_FN float rhypotf(float x, float y) { return 1 / __builtin_hypotf(x, y); }
TB_FN double norm(int n, const double *v)
{
    double s = 0;
    for (int i = 0; i < n; i++) s = __builtin_hypot(s, v[i]);
    return s;
}
TB_FN float normf(int n, const float *v)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += (double)v[i] * v[i];
    return (float)__builtin_sqrt(s);
}
TB_FN double rnorm(int n, const double *v) { return 1 / norm(n, v); }
TB_FN float rnormf(int n, const float *v) { return 1 / normf(n, v); }
TB_FN double fdivide(double x, double y) { return x / y; }
TB_FN float fdividef(float x, float y) { return x / y; }
TB_FN void sincospi(double x, double *s, double *c) { *s = tb_sinpi(x), *c = tb_cospi(x); }
TB_FN void sincospif(float x, float *s, float *c) { *s = (float)tb_sinpi(x), *c = (float)tb_cospi(x); }
TB_FN void sincos(float x, float *s, float *c) { *s = __builtin_sinf(x), *c = __builtin_cosf(x); }

/* min and max of every pair of numbers: of the common type, as in CUDA; of floats a NaN gives way to a number. */
#define TB_MINMAX(T) \
    TB_FN constexpr T min(T a, T b) { return b < a ? b : a; } \
    TB_FN constexpr T max(T a, T b) { return a < b ? b : a; }
TB_MINMAX(int) TB_MINMAX(unsigned) TB_MINMAX(long) TB_MINMAX(unsigned long) TB_MINMAX(long long)
TB_MINMAX(unsigned long long)
TB_FN float min(float a, float b) { return __builtin_fminf(a, b); }
TB_FN float max(float a, float b) { return __builtin_fmaxf(a, b); }
TB_FN double min(double a, double b) { return __builtin_fmin(a, b); }
TB_FN double max(double a, double b) { return __builtin_fmax(a, b); }
#define TB_MIXED(f) \
    template <class T, class U> \
    TB_FN auto f(T a, U b) -> typename tb_if< \
        tb_is_number<T>::value && tb_is_number<U>::value && !tb_same<T, U>::value, decltype(a + b)>::type \
    { \
        return f((decltype(a + b))a, (decltype(a + b))b); \
    } \
    template <class T> \
    TB_FN auto f(T a, T b) -> typename tb_if<tb_is_number<T>::value, decltype(a + b)>::type \
    { \
        return f((decltype(a + b))a, (decltype(a + b))b); \
    }
TB_MIXED(min)
TB_MIXED(max)
TB_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
TB_FN unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
TB_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
TB_FN long long llmax(long long a, long long b) { return a < b ? b : a; }
TB_FN tb_ull ullmin(tb_ull a, tb_ull b) { return a < b ? a : b; }
TB_FN tb_ull ullmax(tb_ull a, tb_ull b) { return a < b ? b : a; }
#endif
