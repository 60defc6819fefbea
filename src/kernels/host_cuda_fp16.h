/* host_cuda_fp16.h - CUDA's half and half2, for kernels that are compiled for the CPU: the text of <cuda_fp16.h>.
 *
 * A number is kept in 16 bits; every operation is done in float and rounded once, to nearest even. */
#ifndef TB_KERNELS_HOST_CUDA_FP16_H
#define TB_KERNELS_HOST_CUDA_FP16_H

/* From double, with one rounding. */
TB_FN unsigned short tb_half_of_double(double x)
{
    tb_ull bits = tb_bits<tb_ull>(x), m = bits & 0xfffffffffffffull;
    unsigned sign = (unsigned)(bits >> 48 & 0x8000);
    int e = (int)(bits >> 52 & 0x7ff);
    if (e == 0x7ff) return (unsigned short)(sign | 0x7c00 | (m ? 0x200 | (unsigned)(m >> 42) : 0));
    e += 15 - 1023;
    if (e >= 31) return (unsigned short)(sign | 0x7c00);
    if (e < -10) return (unsigned short)sign;
    m |= 1ull << 52;
    int shift = e > 0 ? 42 : 43 - e;
    tb_ull kept = m >> shift, rest = m & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    return (unsigned short)(sign | (unsigned)(e > 0 ? kept + ((tb_ull)(e - 1) << 10) : kept));
}
TB_FN unsigned short tb_half_of_float(float x)
{
#if defined(__F16C__)
    typedef float v4 __attribute__((vector_size(16)));
    return (unsigned short)__builtin_ia32_vcvtps2ph((v4){x, 0, 0, 0}, 0)[0];
#else
    return tb_half_of_double(x);
#endif
}

struct __half_raw {
    unsigned short x;
};
struct __half {
    unsigned short bits;
    __half() = default;
    constexpr __half(__half_raw r) : bits(r.x) {}
    __half(float x) : bits(tb_half_of_float(x)) {}
    __half(double x) : bits(tb_half_of_double(x)) {}
    template <class T, class = typename tb_if<tb_is_integer<T>::value, T>::type>
    __half(T x) : bits(tb_half_of_double((double)x)) {}
    operator float() const { return tb_float_of_half(bits); }
    explicit operator bool() const { return (bits & 0x7fff) != 0; }
    explicit operator double() const { return tb_float_of_half(bits); }
    template <class T, class = typename tb_if<tb_is_integer<T>::value && !tb_same<T, bool>::value, T>::type>
    explicit operator T() const
    {
        return (T)__builtin_truncf(tb_float_of_half(bits));
    }
    operator __half_raw() const { return __half_raw{bits}; }
};
typedef __half half;
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    constexpr __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;
template <> struct tb_shuffled<__half> { enum { value = 1 }; };
template <> struct tb_shuffled<__half2> { enum { value = 1 }; };

#define TB_F(a) tb_float_of_half((a).bits)
#define TB_OPERATOR(op) \
    TB_FN __half operator op(__half a, __half b) { return __half(TB_F(a) op TB_F(b)); } \
    TB_FN __half &operator op##=(__half &a, __half b) { return a = a op b; } \
    TB_FN __half2 operator op(__half2 a, __half2 b) { return __half2(a.x op b.x, a.y op b.y); } \
    TB_FN __half2 &operator op##=(__half2 &a, __half2 b) { return a = a op b; }
TB_OPERATOR(+) TB_OPERATOR(-) TB_OPERATOR(*) TB_OPERATOR(/)
#undef TB_OPERATOR
TB_FN __half operator-(__half a) { return __half(-TB_F(a)); }
TB_FN __half operator+(__half a) { return a; }
TB_FN __half2 operator-(__half2 a) { return __half2(-a.x, -a.y); }
TB_FN __half &operator++(__half &a) { return a = __half(TB_F(a) + 1); }
TB_FN __half &operator--(__half &a) { return a = __half(TB_F(a) - 1); }
#define TB_COMPARE(op) TB_FN bool operator op(__half a, __half b) { return TB_F(a) op TB_F(b); }
TB_COMPARE(==) TB_COMPARE(!=) TB_COMPARE(<) TB_COMPARE(>) TB_COMPARE(<=) TB_COMPARE(>=)
#undef TB_COMPARE

/* ---- conversions ------------------------------------------------------------------------------------------------- */

TB_FN __half __float2half(float x) { return __half(x); }
TB_FN __half __float2half_rn(float x) { return __half(x); }
TB_FN __half __double2half(double x) { return __half(x); }
TB_FN float __half2float(__half a) { return TB_F(a); }
TB_FN unsigned short __half_as_ushort(__half a) { return a.bits; }
TB_FN short __half_as_short(__half a) { return (short)a.bits; }
TB_FN __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
TB_FN __half __short_as_half(short x) { return __half(__half_raw{(unsigned short)x}); }
TB_FN __half __int2half_rn(int x) { return __half(x); }
TB_FN int __half2int_rn(__half a) { return (int)tb_to_int(__builtin_rint((double)TB_F(a))); }
TB_FN int __half2int_rz(__half a) { return (int)tb_to_int(__builtin_trunc((double)TB_F(a))); }
TB_FN int __half2int_ru(__half a) { return (int)tb_to_int(__builtin_ceil((double)TB_F(a))); }
TB_FN int __half2int_rd(__half a) { return (int)tb_to_int(__builtin_floor((double)TB_F(a))); }
TB_FN __half __uint2half_rn(unsigned x) { return __half(x); }
TB_FN unsigned __half2uint_rn(__half a) { return (unsigned)tb_to_uint(__builtin_rint((double)TB_F(a))); }
TB_FN unsigned __half2uint_rz(__half a) { return (unsigned)tb_to_uint(__builtin_trunc((double)TB_F(a))); }
TB_FN unsigned __half2uint_ru(__half a) { return (unsigned)tb_to_uint(__builtin_ceil((double)TB_F(a))); }
TB_FN unsigned __half2uint_rd(__half a) { return (unsigned)tb_to_uint(__builtin_floor((double)TB_F(a))); }
TB_FN __half __short2half_rn(short x) { return __half(x); }
TB_FN short __half2short_rn(__half a) { return (short)tb_to_ll(__builtin_rint((double)TB_F(a))); }
TB_FN short __half2short_rz(__half a) { return (short)tb_to_ll(__builtin_trunc((double)TB_F(a))); }
TB_FN short __half2short_ru(__half a) { return (short)tb_to_ll(__builtin_ceil((double)TB_F(a))); }
TB_FN short __half2short_rd(__half a) { return (short)tb_to_ll(__builtin_floor((double)TB_F(a))); }
TB_FN __half __ushort2half_rn(unsigned short x) { return __half(x); }
TB_FN unsigned short __half2ushort_rn(__half a) { return (unsigned short)tb_to_uint(__builtin_rint((double)TB_F(a))); }
TB_FN unsigned short __half2ushort_rz(__half a)
{
    return (unsigned short)tb_to_uint(__builtin_trunc((double)TB_F(a)));
}
TB_FN unsigned short __half2ushort_ru(__half a) { return (unsigned short)tb_to_uint(__builtin_ceil((double)TB_F(a))); }
TB_FN unsigned short __half2ushort_rd(__half a)
{
    return (unsigned short)tb_to_uint(__builtin_floor((double)TB_F(a)));
}
TB_FN __half __ll2half_rn(long long x) { return __half(x); }
TB_FN long long __half2ll_rn(__half a) { return (long long)tb_to_ll(__builtin_rint((double)TB_F(a))); }
TB_FN long long __half2ll_rz(__half a) { return (long long)tb_to_ll(__builtin_trunc((double)TB_F(a))); }
TB_FN long long __half2ll_ru(__half a) { return (long long)tb_to_ll(__builtin_ceil((double)TB_F(a))); }
TB_FN long long __half2ll_rd(__half a) { return (long long)tb_to_ll(__builtin_floor((double)TB_F(a))); }
TB_FN __half __ull2half_rn(tb_ull x) { return __half(x); }
TB_FN tb_ull __half2ull_rn(__half a) { return (tb_ull)tb_to_ull(__builtin_rint((double)TB_F(a))); }
TB_FN tb_ull __half2ull_rz(__half a) { return (tb_ull)tb_to_ull(__builtin_trunc((double)TB_F(a))); }
TB_FN tb_ull __half2ull_ru(__half a) { return (tb_ull)tb_to_ull(__builtin_ceil((double)TB_F(a))); }
TB_FN tb_ull __half2ull_rd(__half a) { return (tb_ull)tb_to_ull(__builtin_floor((double)TB_F(a))); }
TB_FN __half2 make_half2(__half x, __half y) { return __half2(x, y); }
TB_FN __half2 __half2half2(__half a) { return __half2(a, a); }
TB_FN __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
TB_FN __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
TB_FN __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
TB_FN __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
TB_FN float2 __half22float2(__half2 a) { return make_float2(TB_F(a.x), TB_F(a.y)); }
TB_FN float __low2float(__half2 a) { return TB_F(a.x); }
TB_FN float __high2float(__half2 a) { return TB_F(a.y); }
TB_FN __half __low2half(__half2 a) { return a.x; }
TB_FN __half __high2half(__half2 a) { return a.y; }
TB_FN __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
TB_FN __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
TB_FN __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
TB_FN __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
TB_FN __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

/* ---- arithmetic, of one and of two ------------------------------------------------------------------------------- */

#define TB_BOTH(name, name2, e) \
    TB_FN __half name(__half a, __half b) { return __half(e); } \
    TB_FN __half2 name2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
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
TB_FN __half __hfma(__half a, __half b, __half c)
{
    return __half(__builtin_fma((double)TB_F(a), (double)TB_F(b), (double)TB_F(c)));
}
TB_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
TB_FN __half __hneg(__half a) { return -a; }
TB_FN __half2 __hneg2(__half2 a) { return -a; }
TB_FN __half __habs(__half a) { return __half(__builtin_fabsf(TB_F(a))); }
TB_FN __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
#define TB_TEST(name, op) \
    TB_FN bool __h##name(__half a, __half b) { return TB_F(a) op TB_F(b); } \
    TB_FN bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    TB_FN __half2 __h##name##2(__half2 a, __half2 b) \
    { \
        return __floats2half2_rn((float)__h##name(a.x, b.x), (float)__h##name(a.y, b.y)); \
    }
TB_TEST(eq, ==) TB_TEST(ne, !=) TB_TEST(lt, <) TB_TEST(le, <=) TB_TEST(gt, >) TB_TEST(ge, >=)
#undef TB_TEST
TB_FN bool __hisnan(__half a) { return __builtin_isnan(TB_F(a)); }
TB_FN int __hisinf(__half a) { return __builtin_isinf_sign(TB_F(a)); }
#define TB_FUNCTION(name, e) \
    TB_FN __half h##name(__half a) { float x = TB_F(a); return __half(e); } \
    TB_FN __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
TB_FUNCTION(sqrt, __builtin_sqrtf(x)) TB_FUNCTION(rsqrt, 1 / __builtin_sqrt((double)x)) TB_FUNCTION(rcp, 1 / x)
TB_FUNCTION(exp, __builtin_expf(x)) TB_FUNCTION(exp2, __builtin_exp2f(x)) TB_FUNCTION(exp10, exp10f(x))
TB_FUNCTION(log, __builtin_logf(x)) TB_FUNCTION(log2, __builtin_log2f(x)) TB_FUNCTION(log10, __builtin_log10f(x))
TB_FUNCTION(sin, __builtin_sinf(x)) TB_FUNCTION(cos, __builtin_cosf(x)) TB_FUNCTION(tanh, __builtin_tanhf(x))
TB_FUNCTION(ceil, __builtin_ceilf(x)) TB_FUNCTION(floor, __builtin_floorf(x)) TB_FUNCTION(trunc, __builtin_truncf(x))
TB_FUNCTION(rint, __builtin_rintf(x))
#undef TB_FUNCTION
TB_FN __half atomicAdd(__half *p, __half v) { return tb_atomic(p, [=](__half x) { return x + v; }); }
TB_FN __half2 atomicAdd(__half2 *p, __half2 v) { return tb_atomic(p, [=](__half2 x) { return x + v; }); }
#undef TB_F
#endif
