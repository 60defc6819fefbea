/* host_cuda_bf16.h - CUDA's bfloat16 and its pair, for kernels compiled for the CPU: the text of <cuda_bf16.h>.
 *
 * A number is kept in 16 bits; every operation is done in float and rounded once, to nearest even. */
#ifndef TB_KERNELS_HOST_CUDA_BF16_H
#define TB_KERNELS_HOST_CUDA_BF16_H

TB_FN float tb_float_of_bfloat(unsigned short h) { return tb_bits<float>((unsigned)h << 16); }
TB_FN unsigned short tb_bfloat_of_float(float x)
{
    unsigned bits = tb_bits<unsigned>(x);
    if (x != x) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/* By way of the float on the side of the exact value that its last bit tells: rounded once. */
TB_FN unsigned short tb_bfloat_of_double(double x)
{
    float f = (float)x;
    if (f != x && f == f && !__builtin_isinf_sign(f)) {
        unsigned bits = tb_bits<unsigned>(f);
        if (__builtin_fabs((double)f) > __builtin_fabs(x)) bits--;
        f = tb_bits<float>(bits | 1);
    }
    return tb_bfloat_of_float(f);
}

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    constexpr __nv_bfloat16(__nv_bfloat16_raw r) : bits(r.x) {}
    __nv_bfloat16(float x) : bits(tb_bfloat_of_float(x)) {}
    __nv_bfloat16(double x) : bits(tb_bfloat_of_double(x)) {}
    template <class T, class = typename tb_if<tb_is_integer<T>::value, T>::type>
    __nv_bfloat16(T x) : bits(tb_bfloat_of_double((double)x)) {}
    operator float() const { return tb_float_of_bfloat(bits); }
    explicit operator bool() const { return (bits & 0x7fff) != 0; }
    explicit operator double() const { return tb_float_of_bfloat(bits); }
    template <class T, class = typename tb_if<tb_is_integer<T>::value && !tb_same<T, bool>::value, T>::type>
    explicit operator T() const
    {
        return (T)__builtin_truncf(tb_float_of_bfloat(bits));
    }
    operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{bits}; }
};
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    constexpr __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;
template <> struct tb_shuffled<__nv_bfloat16> { enum { value = 1 }; };
template <> struct tb_shuffled<__nv_bfloat162> { enum { value = 1 }; };

#define TB_F(a) tb_float_of_bfloat((a).bits)
#define TB_OPERATOR(op) \
    TB_FN __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(TB_F(a) op TB_F(b)); } \
    TB_FN __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a op b; } \
    TB_FN __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) \
    { \
        return __nv_bfloat162(a.x op b.x, a.y op b.y); \
    } \
    TB_FN __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a op b; }
TB_OPERATOR(+) TB_OPERATOR(-) TB_OPERATOR(*) TB_OPERATOR(/)
#undef TB_OPERATOR
TB_FN __nv_bfloat16 operator-(__nv_bfloat16 a) { return __nv_bfloat16(-TB_F(a)); }
TB_FN __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
TB_FN __nv_bfloat162 operator-(__nv_bfloat162 a) { return __nv_bfloat162(-a.x, -a.y); }
TB_FN __nv_bfloat16 &operator++(__nv_bfloat16 &a) { return a = __nv_bfloat16(TB_F(a) + 1); }
TB_FN __nv_bfloat16 &operator--(__nv_bfloat16 &a) { return a = __nv_bfloat16(TB_F(a) - 1); }
#define TB_COMPARE(op) TB_FN bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return TB_F(a) op TB_F(b); }
TB_COMPARE(==) TB_COMPARE(!=) TB_COMPARE(<) TB_COMPARE(>) TB_COMPARE(<=) TB_COMPARE(>=)
#undef TB_COMPARE

/* ---- conversions ------------------------------------------------------------------------------------------------- */

TB_FN __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
TB_FN __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
TB_FN __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
TB_FN float __bfloat162float(__nv_bfloat16 a) { return TB_F(a); }
TB_FN unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
TB_FN short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.bits; }
TB_FN __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16(__nv_bfloat16_raw{x}); }
TB_FN __nv_bfloat16 __short_as_bfloat16(short x) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)x}); }
TB_FN __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
TB_FN int __bfloat162int_rn(__nv_bfloat16 a) { return (int)tb_to_int(__builtin_rint((double)TB_F(a))); }
TB_FN int __bfloat162int_rz(__nv_bfloat16 a) { return (int)tb_to_int(__builtin_trunc((double)TB_F(a))); }
TB_FN int __bfloat162int_ru(__nv_bfloat16 a) { return (int)tb_to_int(__builtin_ceil((double)TB_F(a))); }
TB_FN int __bfloat162int_rd(__nv_bfloat16 a) { return (int)tb_to_int(__builtin_floor((double)TB_F(a))); }
TB_FN __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return __nv_bfloat16(x); }
TB_FN unsigned __bfloat162uint_rn(__nv_bfloat16 a) { return (unsigned)tb_to_uint(__builtin_rint((double)TB_F(a))); }
TB_FN unsigned __bfloat162uint_rz(__nv_bfloat16 a) { return (unsigned)tb_to_uint(__builtin_trunc((double)TB_F(a))); }
TB_FN unsigned __bfloat162uint_ru(__nv_bfloat16 a) { return (unsigned)tb_to_uint(__builtin_ceil((double)TB_F(a))); }
TB_FN unsigned __bfloat162uint_rd(__nv_bfloat16 a) { return (unsigned)tb_to_uint(__builtin_floor((double)TB_F(a))); }
TB_FN __nv_bfloat16 __short2bfloat16_rn(short x) { return __nv_bfloat16(x); }
TB_FN short __bfloat162short_rn(__nv_bfloat16 a) { return (short)tb_to_ll(__builtin_rint((double)TB_F(a))); }
TB_FN short __bfloat162short_rz(__nv_bfloat16 a) { return (short)tb_to_ll(__builtin_trunc((double)TB_F(a))); }
TB_FN short __bfloat162short_ru(__nv_bfloat16 a) { return (short)tb_to_ll(__builtin_ceil((double)TB_F(a))); }
TB_FN short __bfloat162short_rd(__nv_bfloat16 a) { return (short)tb_to_ll(__builtin_floor((double)TB_F(a))); }
TB_FN __nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) { return __nv_bfloat16(x); }
TB_FN unsigned short __bfloat162ushort_rn(__nv_bfloat16 a)
{
    return (unsigned short)tb_to_uint(__builtin_rint((double)TB_F(a)));
}
TB_FN unsigned short __bfloat162ushort_rz(__nv_bfloat16 a)
{
    return (unsigned short)tb_to_uint(__builtin_trunc((double)TB_F(a)));
}
TB_FN unsigned short __bfloat162ushort_ru(__nv_bfloat16 a)
{
    return (unsigned short)tb_to_uint(__builtin_ceil((double)TB_F(a)));
}
TB_FN unsigned short __bfloat162ushort_rd(__nv_bfloat16 a)
{
    return (unsigned short)tb_to_uint(__builtin_floor((double)TB_F(a)));
}
TB_FN __nv_bfloat16 __ll2bfloat16_rn(long long x) { return __nv_bfloat16(x); }
TB_FN long long __bfloat162ll_rn(__nv_bfloat16 a) { return (long long)tb_to_ll(__builtin_rint((double)TB_F(a))); }
TB_FN long long __bfloat162ll_rz(__nv_bfloat16 a) { return (long long)tb_to_ll(__builtin_trunc((double)TB_F(a))); }
TB_FN long long __bfloat162ll_ru(__nv_bfloat16 a) { return (long long)tb_to_ll(__builtin_ceil((double)TB_F(a))); }
TB_FN long long __bfloat162ll_rd(__nv_bfloat16 a) { return (long long)tb_to_ll(__builtin_floor((double)TB_F(a))); }
TB_FN __nv_bfloat16 __ull2bfloat16_rn(tb_ull x) { return __nv_bfloat16(x); }
TB_FN tb_ull __bfloat162ull_rn(__nv_bfloat16 a) { return (tb_ull)tb_to_ull(__builtin_rint((double)TB_F(a))); }
TB_FN tb_ull __bfloat162ull_rz(__nv_bfloat16 a) { return (tb_ull)tb_to_ull(__builtin_trunc((double)TB_F(a))); }
TB_FN tb_ull __bfloat162ull_ru(__nv_bfloat16 a) { return (tb_ull)tb_to_ull(__builtin_ceil((double)TB_F(a))); }
TB_FN tb_ull __bfloat162ull_rd(__nv_bfloat16 a) { return (tb_ull)tb_to_ull(__builtin_floor((double)TB_F(a))); }
TB_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
TB_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
TB_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
TB_FN __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x)); }
TB_FN __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
TB_FN __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y)); }
TB_FN float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(TB_F(a.x), TB_F(a.y)); }
TB_FN float __low2float(__nv_bfloat162 a) { return TB_F(a.x); }
TB_FN float __high2float(__nv_bfloat162 a) { return TB_F(a.y); }
TB_FN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
TB_FN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
TB_FN __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
TB_FN __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
TB_FN __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
TB_FN __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
TB_FN __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }

/* ---- arithmetic, of one and of two ------------------------------------------------------------------------------- */

#define TB_BOTH(name, name2, e) \
    TB_FN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(e); } \
    TB_FN __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b) \
    { \
        return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); \
    }
TB_BOTH(__hadd, __hadd2, TB_F(a) + TB_F(b))
TB_BOTH(__hsub, __hsub2, TB_F(a) - TB_F(b))
TB_BOTH(__hmul, __hmul2, TB_F(a) * TB_F(b))
TB_BOTH(__hdiv, __h2div, TB_F(a) / TB_F(b))
TB_BOTH(__hadd_rn, __hadd2_rn, TB_F(a) + TB_F(b))
TB_BOTH(__hsub_rn, __hsub2_rn, TB_F(a) - TB_F(b))
TB_BOTH(__hmul_rn, __hmul2_rn, TB_F(a) * TB_F(b))
TB_BOTH(__hadd_sat, __hadd2_sat, tb_fast_saturate(TB_F(a) + TB_F(b)))
TB_BOTH(__hsub_sat, __hsub2_sat, tb_fast_saturate(TB_F(a) - TB_F(b)))
TB_BOTH(__hmul_sat, __hmul2_sat, tb_fast_saturate(TB_F(a) * TB_F(b)))
TB_BOTH(__hmax, __hmax2, __builtin_fmaxf(TB_F(a), TB_F(b)))
TB_BOTH(__hmin, __hmin2, __builtin_fminf(TB_F(a), TB_F(b)))
#undef TB_BOTH
TB_FN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16(__builtin_fma((double)TB_F(a), (double)TB_F(b), (double)TB_F(c)));
}
TB_FN __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
TB_FN __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
TB_FN __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return -a; }
TB_FN __nv_bfloat16 __habs(__nv_bfloat16 a) { return __nv_bfloat16(__builtin_fabsf(TB_F(a))); }
TB_FN __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __nv_bfloat162(__habs(a.x), __habs(a.y)); }
#define TB_TEST(name, op) \
    TB_FN bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return TB_F(a) op TB_F(b); } \
    TB_FN bool __hb##name##2(__nv_bfloat162 a, __nv_bfloat162 b) \
    { \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y); \
    } \
    TB_FN __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) \
    { \
        return __floats2bfloat162_rn((float)__h##name(a.x, b.x), (float)__h##name(a.y, b.y)); \
    }
TB_TEST(eq, ==) TB_TEST(ne, !=) TB_TEST(lt, <) TB_TEST(le, <=) TB_TEST(gt, >) TB_TEST(ge, >=)
#undef TB_TEST
TB_FN bool __hisnan(__nv_bfloat16 a) { return __builtin_isnan(TB_F(a)); }
TB_FN int __hisinf(__nv_bfloat16 a) { return __builtin_isinf_sign(TB_F(a)); }
#define TB_FUNCTION(name, e) \
    TB_FN __nv_bfloat16 h##name(__nv_bfloat16 a) { float x = TB_F(a); return __nv_bfloat16(e); } \
    TB_FN __nv_bfloat162 h2##name(__nv_bfloat162 a) { return __nv_bfloat162(h##name(a.x), h##name(a.y)); }
TB_FUNCTION(sqrt, __builtin_sqrtf(x)) TB_FUNCTION(rsqrt, 1 / __builtin_sqrt((double)x)) TB_FUNCTION(rcp, 1 / x)
TB_FUNCTION(exp, __builtin_expf(x)) TB_FUNCTION(exp2, __builtin_exp2f(x)) TB_FUNCTION(exp10, exp10f(x))
TB_FUNCTION(log, __builtin_logf(x)) TB_FUNCTION(log2, __builtin_log2f(x)) TB_FUNCTION(log10, __builtin_log10f(x))
TB_FUNCTION(sin, __builtin_sinf(x)) TB_FUNCTION(cos, __builtin_cosf(x)) TB_FUNCTION(tanh, __builtin_tanhf(x))
TB_FUNCTION(ceil, __builtin_ceilf(x)) TB_FUNCTION(floor, __builtin_floorf(x)) TB_FUNCTION(trunc, __builtin_truncf(x))
TB_FUNCTION(rint, __builtin_rintf(x))
#undef TB_FUNCTION
TB_FN __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
    return tb_atomic(p, [=](__nv_bfloat16 x) { return x + v; });
}
TB_FN __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
    return tb_atomic(p, [=](__nv_bfloat162 x) { return x + v; });
}
#undef TB_F
#endif
