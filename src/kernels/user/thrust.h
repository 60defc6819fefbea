/* thrust.h - iterators, operators and pairs with Thrust's names, for the algorithms of the user_thrust_*.h files:
 * what kernels in Python use on GPU and CPU, and the text of <thrust/...> on the CPU.
 *
 * One thread does all of an algorithm's work, whatever the policy. Iterators are pointers or have [], + and - of their
 * own; algorithms go by index. */
#ifndef TB_USER_THRUST_H
#define TB_USER_THRUST_H
namespace thrust {

template <class T> struct tb_bare { typedef T type; };
template <class T> struct tb_bare<const T> { typedef T type; };
template <class T> struct tb_bare<T &> { typedef T type; };
template <class T> struct tb_bare<const T &> { typedef T type; };
template <class I> using tb_element = typename tb_bare<decltype((*(I *)0)[0])>::type;

template <class A, class B> struct pair {
    A first;
    B second;
};
template <class A, class B> __device__ __forceinline__ pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }

/* ---- policies ---------------------------------------------------------------------------------------------------- */

struct tb_policy {};
#ifdef TB_HOST_CUDA
static const tb_policy seq = {}, device = {}, host = {};
#endif
#define TB_WITH_POLICY(name) \
    template <class... A> __device__ inline auto name(tb_policy, A... a) { return name(a...); }

/* ---- operators --------------------------------------------------------------------------------------------------- */

#define TB_BINARY(name, R, e) \
    template <class T = void> struct name { \
        __device__ __forceinline__ R operator()(const T &a, const T &b) const { return (R)(e); } \
    }; \
    template <> struct name<void> { \
        template <class T, class U> __device__ __forceinline__ auto operator()(const T &a, const U &b) const \
        { \
            return e; \
        } \
    };
TB_BINARY(plus, T, a + b)
TB_BINARY(minus, T, a - b)
TB_BINARY(multiplies, T, a *b)
TB_BINARY(divides, T, a / b)
TB_BINARY(modulus, T, a % b)
TB_BINARY(maximum, T, a < b ? b : a)
TB_BINARY(minimum, T, b < a ? b : a)
TB_BINARY(bit_and, T, a &b)
TB_BINARY(bit_or, T, a | b)
TB_BINARY(bit_xor, T, a ^ b)
TB_BINARY(equal_to, bool, a == b)
TB_BINARY(not_equal_to, bool, a != b)
TB_BINARY(less, bool, a < b)
TB_BINARY(less_equal, bool, a <= b)
TB_BINARY(greater, bool, b < a)
TB_BINARY(greater_equal, bool, b <= a)
TB_BINARY(logical_and, bool, a &&b)
TB_BINARY(logical_or, bool, a || b)
#undef TB_BINARY

#define TB_UNARY(name, R, e) \
    template <class T = void> struct name { \
        __device__ __forceinline__ R operator()(const T &a) const { return (R)(e); } \
    }; \
    template <> struct name<void> { \
        template <class T> __device__ __forceinline__ auto operator()(const T &a) const { return e; } \
    };
TB_UNARY(identity, T, a)
TB_UNARY(negate, T, -a)
TB_UNARY(square, T, a *a)
TB_UNARY(logical_not, bool, !a)
#undef TB_UNARY

/* Whether an element equals a given value. */
template <class T> struct tb_equals {
    T value;
    template <class U> __device__ __forceinline__ bool operator()(const U &a) const { return a == value; }
};

/* ---- iterators --------------------------------------------------------------------------------------------------- */

/* What follows from move() and distance(). */
#define TB_RANDOM_ACCESS(I) \
    __device__ __forceinline__ I operator+(ptrdiff_t n) const { I r = *this; r.move(n); return r; } \
    __device__ __forceinline__ I operator-(ptrdiff_t n) const { return *this + -n; } \
    __device__ __forceinline__ ptrdiff_t operator-(const I &o) const { return distance(o); } \
    __device__ __forceinline__ I &operator+=(ptrdiff_t n) { move(n); return *this; } \
    __device__ __forceinline__ I &operator-=(ptrdiff_t n) { move(-n); return *this; } \
    __device__ __forceinline__ I &operator++() { move(1); return *this; } \
    __device__ __forceinline__ I &operator--() { move(-1); return *this; } \
    __device__ __forceinline__ I operator++(int) { I r = *this; move(1); return r; } \
    __device__ __forceinline__ I operator--(int) { I r = *this; move(-1); return r; } \
    __device__ __forceinline__ bool operator==(const I &o) const { return distance(o) == 0; } \
    __device__ __forceinline__ bool operator!=(const I &o) const { return distance(o) != 0; } \
    __device__ __forceinline__ bool operator<(const I &o) const { return distance(o) < 0; } \
    __device__ __forceinline__ bool operator<=(const I &o) const { return distance(o) <= 0; } \
    __device__ __forceinline__ bool operator>(const I &o) const { return distance(o) > 0; } \
    __device__ __forceinline__ bool operator>=(const I &o) const { return distance(o) >= 0; } \
    __device__ __forceinline__ auto operator*() const -> decltype(auto) { return (*this)[0]; }

/* The elements of an array of N dimensions, the last one running fastest. */
template <class T, int N> struct tb_strided {
    char *base;
    ptrdiff_t at, shape[N], stride[N]; /* elements; bytes */
    __device__ __forceinline__ T &operator[](ptrdiff_t i) const
    {
        char *p = base;
        i += at;
#pragma unroll
        for (int k = N - 1; k > 0; k--) {
            p += i % shape[k] * stride[k];
            i /= shape[k];
        }
        return *(T *)(p + i * stride[0]);
    }
    __device__ __forceinline__ void move(ptrdiff_t n) { at += n; }
    __device__ __forceinline__ ptrdiff_t distance(const tb_strided &o) const { return at - o.at; }
    TB_RANDOM_ACCESS(tb_strided)
};

template <class T> struct constant_iterator {
    T value;
    ptrdiff_t at;
    __device__ __forceinline__ T operator[](ptrdiff_t) const { return value; }
    __device__ __forceinline__ void move(ptrdiff_t n) { at += n; }
    __device__ __forceinline__ ptrdiff_t distance(const constant_iterator &o) const { return at - o.at; }
    TB_RANDOM_ACCESS(constant_iterator)
};
template <class T> __device__ __forceinline__ constant_iterator<T> make_constant_iterator(T v, ptrdiff_t at = 0)
{
    return constant_iterator<T>{v, at};
}

template <class T> struct counting_iterator {
    T value;
    __device__ __forceinline__ T operator[](ptrdiff_t i) const { return (T)(value + (T)i); }
    __device__ __forceinline__ void move(ptrdiff_t n) { value = (T)(value + (T)n); }
    __device__ __forceinline__ ptrdiff_t distance(const counting_iterator &o) const
    {
        return value < o.value ? -(ptrdiff_t)(o.value - value) : (ptrdiff_t)(value - o.value);
    }
    TB_RANDOM_ACCESS(counting_iterator)
};
template <class T> __device__ __forceinline__ counting_iterator<T> make_counting_iterator(T v)
{
    return counting_iterator<T>{v};
}
#undef TB_RANDOM_ACCESS

template <class I, class J> __device__ __forceinline__ void tb_swap(I a, ptrdiff_t i, J b, ptrdiff_t j)
{
    tb_element<I> kept = a[i];
    a[i] = (tb_element<I>)b[j];
    b[j] = (tb_element<J>)kept;
}
}
#endif
