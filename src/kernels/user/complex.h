/* complex.h - complex<T> for user kernels: layout of NumPy's complex64 and complex128, operators between complex
 * numbers and reals of any arithmetic type, and the functions of C++'s <complex>. */
#ifndef TB_USER_COMPLEX_H
#define TB_USER_COMPLEX_H

template <typename T> class complex {
public:
    typedef T value_type;
    complex() = default;
    __device__ __forceinline__ constexpr complex(T re, T im = T()) : re_(re), im_(im) {}
    template <typename U>
    __device__ __forceinline__ constexpr complex(const complex<U> &z) : re_((T)z.real()), im_((T)z.imag())
    {

    }
    __device__ __forceinline__ constexpr T real() const { return re_; }
    __device__ __forceinline__ constexpr T imag() const { return im_; }
    __device__ __forceinline__ void real(T v) { re_ = v; }
    __device__ __forceinline__ void imag(T v) { im_ = v; }
    __device__ __forceinline__ complex &operator=(T v) { return re_ = v, im_ = T(), *this; }
    template <typename U> __device__ __forceinline__ complex &operator+=(const U &v)
    {
        return *this = *this + complex(v);
    }
    template <typename U> __device__ __forceinline__ complex &operator-=(const U &v)
    {
        return *this = *this - complex(v);
    }
    template <typename U> __device__ __forceinline__ complex &operator*=(const U &v)
    {
        return *this = *this * complex(v);
    }
    template <typename U> __device__ __forceinline__ complex &operator/=(const U &v)
    {
        return *this = *this / complex(v);
    }

private:
    T re_, im_;
};

/* The parts' type of a complex number together with a real one: double wins, integers bend. */
template <typename T, typename R> struct _tb_same { typedef R type; };
template <typename U> struct _tb_real { enum { value = 0 }; };
template <> struct _tb_real<bool> { enum { value = 1 }; };
template <> struct _tb_real<char> { enum { value = 1 }; };
template <> struct _tb_real<signed char> { enum { value = 1 }; };
template <> struct _tb_real<unsigned char> { enum { value = 1 }; };
template <> struct _tb_real<short> { enum { value = 1 }; };
template <> struct _tb_real<unsigned short> { enum { value = 1 }; };
template <> struct _tb_real<int> { enum { value = 1 }; };
template <> struct _tb_real<unsigned int> { enum { value = 1 }; };
template <> struct _tb_real<long> { enum { value = 1 }; };
template <> struct _tb_real<unsigned long> { enum { value = 1 }; };
template <> struct _tb_real<long long> { enum { value = 1 }; };
template <> struct _tb_real<unsigned long long> { enum { value = 1 }; };
template <> struct _tb_real<float> { enum { value = 1 }; };
#ifdef TB_USER_HALF_H
template <> struct _tb_real<float16> { enum { value = 1 }; };
#endif
template <> struct _tb_real<double> { enum { value = 2 }; };
template <typename T, int kind> struct _tb_wider {};
template <typename T> struct _tb_wider<T, 1> { typedef T type; };
template <typename T> struct _tb_wider<T, 2> { typedef double type; };
#define _TB_MIXED(T, U) typename _tb_wider<T, _tb_real<U>::value>::type

template <typename T> __device__ __forceinline__ complex<T> operator+(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.real() + b.real(), a.imag() + b.imag());
}
template <typename T> __device__ __forceinline__ complex<T> operator-(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.real() - b.real(), a.imag() - b.imag());
}
template <typename T> __device__ __forceinline__ complex<T> operator*(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
/* Scaled by the divisor's larger part, so that nothing overflows on the way. */
template <typename T> __device__ __forceinline__ complex<T> operator/(const complex<T> &a, const complex<T> &b)
{
    if (fabs(b.real()) >= fabs(b.imag())) {
        if (b.real() == T() && b.imag() == T()) return complex<T>(a.real() / fabs(b.real()), a.imag() / fabs(b.real()));
        const T q = b.imag() / b.real(), d = T(1) / (b.real() + b.imag() * q);
        return complex<T>((a.real() + a.imag() * q) * d, (a.imag() - a.real() * q) * d);
    }
    const T q = b.real() / b.imag(), d = T(1) / (b.real() * q + b.imag());
    return complex<T>((a.real() * q + a.imag()) * d, (a.imag() * q - a.real()) * d);
}
template <typename T> __device__ __forceinline__ complex<T> operator+(const complex<T> &a) { return a; }
template <typename T> __device__ __forceinline__ complex<T> operator-(const complex<T> &a)
{
    return complex<T>(-a.real(), -a.imag());
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator+(const complex<T> &a, const U &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>(a) + complex<R>((R)b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator+(const U &a, const complex<T> &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>((R)a) + complex<R>(b);
}
__device__ __forceinline__ complex<double> operator+(const complex<float> &a, const complex<double> &b)
{
    return complex<double>(a) + b;
}
__device__ __forceinline__ complex<double> operator+(const complex<double> &a, const complex<float> &b)
{
    return a + complex<double>(b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator-(const complex<T> &a, const U &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>(a) - complex<R>((R)b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator-(const U &a, const complex<T> &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>((R)a) - complex<R>(b);
}
__device__ __forceinline__ complex<double> operator-(const complex<float> &a, const complex<double> &b)
{
    return complex<double>(a) - b;
}
__device__ __forceinline__ complex<double> operator-(const complex<double> &a, const complex<float> &b)
{
    return a - complex<double>(b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator*(const complex<T> &a, const U &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>(a) * complex<R>((R)b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator*(const U &a, const complex<T> &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>((R)a) * complex<R>(b);
}
__device__ __forceinline__ complex<double> operator*(const complex<float> &a, const complex<double> &b)
{
    return complex<double>(a) * b;
}
__device__ __forceinline__ complex<double> operator*(const complex<double> &a, const complex<float> &b)
{
    return a * complex<double>(b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator/(const complex<T> &a, const U &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>(a) / complex<R>((R)b);
}
template <typename T, typename U> __device__ __forceinline__
    complex<_TB_MIXED(T, U)> operator/(const U &a, const complex<T> &b)
{
    typedef _TB_MIXED(T, U) R;
    return complex<R>((R)a) / complex<R>(b);
}
__device__ __forceinline__ complex<double> operator/(const complex<float> &a, const complex<double> &b)
{
    return complex<double>(a) / b;
}
__device__ __forceinline__ complex<double> operator/(const complex<double> &a, const complex<float> &b)
{
    return a / complex<double>(b);
}

template <typename T> __device__ __forceinline__ bool operator==(const complex<T> &a, const complex<T> &b)
{
    return a.real() == b.real() && a.imag() == b.imag();
}
template <typename T> __device__ __forceinline__ bool operator!=(const complex<T> &a, const complex<T> &b)
{
    return !(a == b);
}
/* Order is lexicographic, as NumPy's. */
template <typename T> __device__ __forceinline__ bool operator<(const complex<T> &a, const complex<T> &b)
{
    return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
template <typename T> __device__ __forceinline__ bool operator>(const complex<T> &a, const complex<T> &b)
{
    return b < a;
}
template <typename T> __device__ __forceinline__ bool operator<=(const complex<T> &a, const complex<T> &b)
{
    return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag());
}
template <typename T> __device__ __forceinline__ bool operator>=(const complex<T> &a, const complex<T> &b)
{
    return b <= a;
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator==(const complex<T> &a, const U &b)
{
    return a == complex<T>((T)b);
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator==(const U &a, const complex<T> &b)
{
    return complex<T>((T)a) == b;
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator!=(const complex<T> &a, const U &b)
{
    return a != complex<T>((T)b);
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator!=(const U &a, const complex<T> &b)
{
    return complex<T>((T)a) != b;
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator<(const complex<T> &a, const U &b)
{
    return a < complex<T>((T)b);
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator<(const U &a, const complex<T> &b)
{
    return complex<T>((T)a) < b;
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator>(const complex<T> &a, const U &b)
{
    return a > complex<T>((T)b);
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator>(const U &a, const complex<T> &b)
{
    return complex<T>((T)a) > b;
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator<=(const complex<T> &a, const U &b)
{
    return a <= complex<T>((T)b);
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator<=(const U &a, const complex<T> &b)
{
    return complex<T>((T)a) <= b;
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator>=(const complex<T> &a, const U &b)
{
    return a >= complex<T>((T)b);
}
template <typename T, typename U> __device__ __forceinline__
    typename _tb_same<_TB_MIXED(T, U), bool>::type operator>=(const U &a, const complex<T> &b)
{
    return complex<T>((T)a) >= b;
}

template <typename T> __device__ __forceinline__ T real(const complex<T> &z) { return z.real(); }
template <typename T> __device__ __forceinline__ T imag(const complex<T> &z) { return z.imag(); }
template <typename T> __device__ __forceinline__ complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.real(), -z.imag());
}
template <typename T> __device__ __forceinline__ T abs(const complex<T> &z) { return hypot(z.real(), z.imag()); }
template <typename T> __device__ __forceinline__ T arg(const complex<T> &z) { return atan2(z.imag(), z.real()); }
template <typename T> __device__ __forceinline__ T norm(const complex<T> &z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T> __device__ __forceinline__ bool isnan(const complex<T> &z)
{
    return z.real() != z.real() || z.imag() != z.imag();
}
template <typename T> __device__ __forceinline__ bool isinf(const complex<T> &z)
{
    return fabs(z.real()) > (T)1.7976931348623157e308 || fabs(z.imag()) > (T)1.7976931348623157e308;
}
template <typename T> __device__ __forceinline__ bool isfinite(const complex<T> &z)
{
    return z.real() - z.real() == T() && z.imag() - z.imag() == T();
}
template <typename T> __device__ __forceinline__ complex<T> polar(const T &r, const T &theta = T())
{
    return complex<T>(r * cos(theta), r * sin(theta));
}
template <typename T> __device__ __forceinline__ complex<T> proj(const complex<T> &z)
{
    if (!isinf(z)) return z;
    return complex<T>(T(1) / T(0), copysign(T(0), z.imag()));
}
template <typename T> __device__ __forceinline__ complex<T> exp(const complex<T> &z)
{
    const T r = exp(z.real());
    if (z.imag() == T()) return complex<T>(r, z.imag());
    return complex<T>(r * cos(z.imag()), r * sin(z.imag()));
}
template <typename T> __device__ __forceinline__ complex<T> log(const complex<T> &z)
{
    return complex<T>(log(abs(z)), arg(z));
}
template <typename T> __device__ __forceinline__ complex<T> log10(const complex<T> &z)
{
    return log(z) / T(2.302585092994045684);
}
template <typename T> __device__ __forceinline__ complex<T> log2(const complex<T> &z)
{
    return log(z) / T(0.693147180559945309);
}
template <typename T> __device__ __forceinline__ complex<T> sqrt(const complex<T> &z)
{
    if (z.real() == T() && z.imag() == T()) return complex<T>(T(), z.imag());
    const T m = sqrt(T(0.5) * fabs(z.real()) + T(0.5) * abs(z)), o = T(0.5) * z.imag() / m;
    return z.real() >= T() ? complex<T>(m, o) : complex<T>(fabs(o), copysign(m, z.imag()));
}
template <typename T> __device__ __forceinline__ complex<T> pow(const complex<T> &a, const complex<T> &b)
{
    if (a.real() == T() && a.imag() == T()) {
        if (b.real() == T() && b.imag() == T()) return complex<T>(T(1), T());
        return complex<T>();
    }
    return exp(log(a) * b);
}
/* Small integers by multiplication: exact where pow is not. */
template <typename T, typename U>
__device__ __forceinline__ complex<_TB_MIXED(T, U)> pow(const complex<T> &a, const U &b)
{
    typedef _TB_MIXED(T, U) R;
    const int n = b > U(-64) && b < U(64) ? (int)b : 0;
    if ((U)n != b || n <= 0) return pow(complex<R>(a), complex<R>((R)b));
    complex<R> r(R(1), R()), p(a);
    for (int k = n; k; k >>= 1, p = p * p)
        if (k & 1) r = r * p;
    return r;
}
template <typename T, typename U>
__device__ __forceinline__ complex<_TB_MIXED(T, U)> pow(const U &a, const complex<T> &b)
{
    typedef _TB_MIXED(T, U) R;
    return pow(complex<R>((R)a), complex<R>(b));
}
template <typename T> __device__ __forceinline__ complex<T> sinh(const complex<T> &z)
{
    return complex<T>(sinh(z.real()) * cos(z.imag()), cosh(z.real()) * sin(z.imag()));
}
template <typename T> __device__ __forceinline__ complex<T> cosh(const complex<T> &z)
{
    return complex<T>(cosh(z.real()) * cos(z.imag()), sinh(z.real()) * sin(z.imag()));
}
template <typename T> __device__ __forceinline__ complex<T> tanh(const complex<T> &z)
{
    const T x = z.real() * T(2), y = z.imag() * T(2);
    if (fabs(x) > T(40)) return complex<T>(copysign(T(1), x), copysign(T(0), sin(y)));
    const T d = cosh(x) + cos(y);
    return complex<T>(sinh(x) / d, sin(y) / d);
}
template <typename T> __device__ __forceinline__ complex<T> _tb_times_i(const complex<T> &z)
{
    return complex<T>(-z.imag(), z.real());
}
template <typename T> __device__ __forceinline__ complex<T> _tb_over_i(const complex<T> &z)
{
    return complex<T>(z.imag(), -z.real());
}
template <typename T> __device__ __forceinline__ complex<T> sin(const complex<T> &z)
{
    return _tb_over_i(sinh(_tb_times_i(z)));
}
template <typename T> __device__ __forceinline__ complex<T> cos(const complex<T> &z) { return cosh(_tb_times_i(z)); }
template <typename T> __device__ __forceinline__ complex<T> tan(const complex<T> &z)
{
    return _tb_over_i(tanh(_tb_times_i(z)));
}
/* Kahan's forms: the branch cuts and their sides are right. */
template <typename T> __device__ __forceinline__ complex<T> asinh(const complex<T> &z)
{
    const complex<T> a = sqrt(complex<T>(T(1) + z.imag(), -z.real())), b = sqrt(complex<T>(T(1) - z.imag(), z.real()));
    return complex<T>(asinh(a.real() * b.imag() - b.real() * a.imag()) , atan2(z.imag(), (a * b).real()));
}
template <typename T> __device__ __forceinline__ complex<T> asin(const complex<T> &z)
{
    return _tb_over_i(asinh(_tb_times_i(z)));
}
template <typename T> __device__ __forceinline__ complex<T> acos(const complex<T> &z)
{
    const complex<T> a = sqrt(complex<T>(T(1) - z.real(), -z.imag())), b = sqrt(complex<T>(T(1) + z.real(), z.imag()));
    return complex<T>(T(2) * atan2(a.real(), b.real()), asinh((conj(b) * a).imag()));
}
template <typename T> __device__ __forceinline__ complex<T> acosh(const complex<T> &z)
{
    const complex<T> a = sqrt(complex<T>(z.real() - T(1), z.imag())), b = sqrt(complex<T>(z.real() + T(1), z.imag()));
    return complex<T>(asinh((conj(a) * b).real()), T(2) * atan2(a.imag(), b.real()));
}
template <typename T> __device__ __forceinline__ complex<T> atanh(const complex<T> &z)
{
    const T x = z.real(), y = z.imag(), y2 = y * y;
    const T d = (T(1) - x) * (T(1) - x) + y2, s = (T(1) + x) * (T(1) + x) + y2;
    return complex<T>(T(0.25) * (log(s) - log(d)), T(0.5) * atan2(T(2) * y, (T(1) - x) * (T(1) + x) - y2));
}
template <typename T> __device__ __forceinline__ complex<T> atan(const complex<T> &z)
{
    return _tb_over_i(atanh(_tb_times_i(z)));
}
#endif
