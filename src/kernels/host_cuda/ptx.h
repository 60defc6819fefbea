/* ptx.h - what instructions of inline PTX are, for kernels compiled for the CPU: rewrite/ptx.c makes calls of
 * them. T is the instruction's type; operands come as they are. */
#ifndef TB_KERNELS_HOST_CUDA_PTX_H
#define TB_KERNELS_HOST_CUDA_PTX_H
namespace tb_ptx {

template <class T> struct is_float { enum { value = tb_same<T, float>::value || tb_same<T, double>::value }; };
/* A register has bits: a number of the other kind is them, one of the same kind the number. */
template <class T, class V, bool same> struct as {
    static T of(V v) { return (T)v; }
};
template <class T, class V> struct as<T, V, false> {
    static T of(V v)
    {
        T r;
        static_assert(sizeof(T) == sizeof(V), "a register of inline PTX has another size than the instruction's type");
        __builtin_memcpy(&r, &v, sizeof r);
        return r;
    }
};
template <class T, class V> TB_FN T get(V v)
{
    return as<T, V, (int)is_float<T>::value == (int)is_float<V>::value>::of(v);
}
template <class T, class P> TB_FN T get(P *p) { return (T)(unsigned long)p; }
template <class D, class V> TB_FN void set(D &to, V v) { to = get<D>(v); }
template <class P, class V> TB_FN void set(P *&to, V v) { to = (P *)(unsigned long)v; }
template <class A> TB_FN char *place(A a, long offset) { return (char *)get<unsigned long>(a) + offset; }
template <class H> TB_FN unsigned rank(H h)
{
    return h->thread.x + h->block_dim.x * (h->thread.y + h->block_dim.y * h->thread.z);
}

#define TB_PTX1(name, ...) \
    template <class T, class A> TB_FN T name##_(A a_) { T a = get<T>(a_); return (T)(__VA_ARGS__); }
#define TB_PTX2(name, ...) \
    template <class T, class A, class B> TB_FN T name##_(A a_, B b_) \
    { \
        T a = get<T>(a_), b = get<T>(b_); \
        return (T)(__VA_ARGS__); \
    }
#define TB_PTX3(name, ...) \
    template <class T, class A, class B, class C> TB_FN T name##_(A a_, B b_, C c_) \
    { \
        T a = get<T>(a_), b = get<T>(b_), c = get<T>(c_); \
        return (T)(__VA_ARGS__); \
    }
template <class T> struct wide { typedef T type; };
template <> struct wide<short> { typedef int type; };
template <> struct wide<unsigned short> { typedef unsigned type; };
template <> struct wide<int> { typedef long long type; };
template <> struct wide<unsigned> { typedef tb_ull type; };
template <> struct wide<long long> { typedef __int128 type; };
template <> struct wide<tb_ull> { typedef unsigned __int128 type; };
#define TB_WIDE typename wide<T>::type

TB_PTX1(mov, a) TB_PTX1(cvta, a) TB_PTX1(cvta_to, a)
TB_PTX2(add, a + b) TB_PTX2(sub, a - b) TB_PTX2(mul, a * b) TB_PTX2(mul_lo, a * b) TB_PTX2(div, a / b)
TB_PTX2(rem, a % b) TB_PTX1(neg, -a) TB_PTX1(abs, a < 0 ? -a : a) TB_PTX1(not, ~a)
TB_PTX2(and, a & b) TB_PTX2(or, a | b) TB_PTX2(xor, a ^ b)
TB_PTX2(mul_hi, ((TB_WIDE)a * (TB_WIDE)b) >> (8 * sizeof(T)))
TB_PTX3(mad, a * b + c) TB_PTX3(mad_lo, a * b + c)
TB_PTX3(mad_hi, (T)(((TB_WIDE)a * (TB_WIDE)b) >> (8 * sizeof(T))) + c)
TB_PTX3(sad, c + (a < b ? b - a : a - b))
template <class T, class A, class B> TB_FN TB_WIDE mul_wide_(A a, B b)
{
    return (TB_WIDE)get<T>(a) * (TB_WIDE)get<T>(b);
}
template <class T, class A, class B, class C> TB_FN TB_WIDE mad_wide_(A a, B b, C c)
{
    return (TB_WIDE)get<T>(a) * (TB_WIDE)get<T>(b) + get<TB_WIDE>(c);
}
TB_FN float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TB_FN double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
TB_PTX3(fma, fused(a, b, c))
/* A number rather than NaN. */
TB_PTX2(min, a != a ? b : b < a ? b : a) TB_PTX2(max, a != a ? b : b > a ? b : a)

template <class T, class A, class B> TB_FN T shl_(A a, B n) { return n < 8 * sizeof(T) ? (T)(get<T>(a) << n) : 0; }
template <class T, class A, class B> TB_FN T shr_(A a_, B n)
{
    T a = get<T>(a_);
    return n < 8 * sizeof(T) ? (T)(a >> n) : a < 0 ? (T)-1 : 0;
}
/* b above a, shifted by up to 32. */
TB_FN unsigned funnel(unsigned low, unsigned high, unsigned n, bool left)
{
    tb_ull both = (tb_ull)high << 32 | low;
    return left ? (unsigned)(both << n >> 32) : (unsigned)(both >> n);
}
TB_PTX3(shf_l_wrap, funnel(a, b, c & 31, true)) TB_PTX3(shf_r_wrap, funnel(a, b, c & 31, false))
TB_PTX3(shf_l_clamp, c < 32 ? funnel(a, b, c, true) : a) TB_PTX3(shf_r_clamp, c < 32 ? funnel(a, b, c, false) : b)

template <class T, class A> TB_FN unsigned popc_(A a) { return (unsigned)__builtin_popcountll(get<T>(a)); }
template <class T, class A> TB_FN unsigned clz_(A a_)
{
    T a = get<T>(a_);
    return a ? (unsigned)__builtin_clzll(a) - (64 - 8 * sizeof(T)) : 8 * sizeof(T);
}
template <class T, class A> TB_FN T brev_(A a_)
{
    T a = get<T>(a_), r = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); i++, a >>= 1) r = (T)(r << 1 | (a & 1));
    return r;
}
/* The highest bit that is not the sign. */
template <class T, class A> TB_FN unsigned bfind_(A a_)
{
    T a = get<T>(a_);
    tb_ull bits = (tb_ull)(a < 0 ? ~a : a);
    return bits ? 63 - (unsigned)__builtin_clzll(bits) : ~0u;
}
template <class T, class A, class B, class C> TB_FN T bfe_(A a_, B b, C c)
{
    T a = get<T>(a_);
    const unsigned size = 8 * sizeof(T), at = (unsigned)b & 255, n = (unsigned)c & 255, most = size - 1;
    unsigned last = at + n - 1 < most ? at + n - 1 : most;
    bool sign = (T)-1 < 0 && n && (a >> last & 1);
    tb_ull bits = at < size ? (tb_ull)a & (size == 64 ? ~0ull : (1ull << size % 64) - 1) : 0;
    tb_ull mask = n < 64 ? (1ull << n) - 1 : ~0ull;
    bits = at < 64 ? bits >> at & mask : 0;
    unsigned known = at < size ? size - at : 0;
    if (n < known) known = n;
    if (sign && known < 64) bits |= ~0ull << known;
    return (T)bits;
}
template <class T, class A, class B, class C, class D> TB_FN T bfi_(A a, B b_, C c, D d)
{
    T b = get<T>(b_);
    const unsigned size = 8 * sizeof(T), at = (unsigned)c & 255, n = (unsigned)d & 255;
    if (n == 0 || at >= size) return b;
    T mask = (T)((n < size ? ((T)1 << n) - 1 : (T)~(T)0) << at);
    return (T)((b & ~mask) | ((T)(get<T>(a) << at) & mask));
}
template <class T, class A, class B, class C> TB_FN unsigned prmt_(A a, B b, C c)
{
    tb_ull bytes = get<unsigned>(a) | (tb_ull)get<unsigned>(b) << 32;
    unsigned r = 0, select = get<unsigned>(c);
    for (int i = 0; i < 4; i++) {
        unsigned which = select >> 4 * i, byte = (unsigned)(bytes >> 8 * (which & 7)) & 255;
        if (which & 8) byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return r;
}
template <class T, class A, class B, class C> TB_FN T lop3_(A a_, B b_, C c_, int table)
{
    T a = get<T>(a_), b = get<T>(b_), c = get<T>(c_), r = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}

#define TB_PTX_MATH(name, F) \
    TB_FN float name##_of(float x) { return F##f(x); } \
    TB_FN double name##_of(double x) { return F(x); } \
    TB_PTX1(name, name##_of(a))
TB_PTX_MATH(sqrt, __builtin_sqrt) TB_PTX_MATH(sin, __builtin_sin) TB_PTX_MATH(cos, __builtin_cos)
TB_PTX_MATH(ex2, __builtin_exp2) TB_PTX_MATH(lg2, __builtin_log2) TB_PTX_MATH(tanh, __builtin_tanh)
TB_PTX1(rcp, 1 / a) TB_PTX1(rsqrt, 1 / sqrt_of(a))

/* To D from S. */
template <class D, class S, bool clamps> struct convert {
    static D of(S v) { return (D)v; }
};
template <class D, class S> struct convert<D, S, true> {
    static D of(S v)
    {
        const double least = (D)-1 < 0 ? -__builtin_ldexp(1, 8 * sizeof(D) - 1) : 0;
        const double past = __builtin_ldexp(1, 8 * sizeof(D) - ((D)-1 < 0));
        const D most = (D)-1 < 0 ? (D)(((tb_ull)1 << (8 * sizeof(D) - 1)) - 1) : (D)-1;
        return tb_clamped<D, double>(v, least, past, most, (D)least);
    }
};
#define TB_PTX_CONVERT(name, round) \
    template <class D, class S, class A> TB_FN D name##_(A a) \
    { \
        S v = get<S>(a); \
        return convert<D, S, is_float<S>::value && !is_float<D>::value>::of(round((double)v)); \
    }
TB_PTX_CONVERT(cvt_rni, __builtin_rint) TB_PTX_CONVERT(cvt_rzi, __builtin_trunc)
TB_PTX_CONVERT(cvt_rmi, __builtin_floor) TB_PTX_CONVERT(cvt_rpi, __builtin_ceil)
template <class D, class S, class A> TB_FN D cvt_(A a)
{
    return convert<D, S, is_float<S>::value && !is_float<D>::value>::of(get<S>(a));
}

template <class T, class A, class B> TB_FN T selp_(A a, B b, bool p) { return p ? get<T>(a) : get<T>(b); }
#define TB_PTX_TEST(name, op) \
    template <class T, class A, class B> TB_FN bool setp_##name##_(A a, B b) { return get<T>(a) op get<T>(b); }
TB_PTX_TEST(eq, ==) TB_PTX_TEST(ne, !=) TB_PTX_TEST(lt, <) TB_PTX_TEST(le, <=) TB_PTX_TEST(gt, >) TB_PTX_TEST(ge, >=)
TB_PTX_TEST(lo, <) TB_PTX_TEST(ls, <=) TB_PTX_TEST(hi, >) TB_PTX_TEST(hs, >=)

template <class T> TB_FN T ld_(const char *p) { return tb_argument<T>(p); }
template <class T, class V> TB_FN void st_(char *p, V v)
{
    T value = get<T>(v);
    __builtin_memcpy(p, &value, sizeof value);
}
#define TB_PTX_FENCE(name) template <class T> TB_FN void name##_() { __threadfence(); }
TB_PTX_FENCE(membar) TB_PTX_FENCE(membar_gl) TB_PTX_FENCE(membar_cta) TB_PTX_FENCE(membar_sys) TB_PTX_FENCE(fence)
TB_PTX_FENCE(fence_acq_rel) TB_PTX_FENCE(fence_sc)
template <class T, class A> TB_FN void nanosleep_(A n) { __nanosleep(get<unsigned>(n)); }
template <class T> TB_FN void trap_() { __trap(); }
template <class T> TB_FN void griddepcontrol_wait_() { cudaGridDependencySynchronize(); }
template <class T> TB_FN void griddepcontrol_launch_dependents_() { cudaTriggerProgrammaticLaunchCompletion(); }
#undef TB_PTX1
#undef TB_PTX2
#undef TB_PTX3
#undef TB_PTX_MATH
#undef TB_PTX_CONVERT
#undef TB_PTX_TEST
#undef TB_PTX_FENCE
#undef TB_WIDE
}
#endif
