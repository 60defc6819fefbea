/* half.h - a number of 16 bits and a pair of them, for kernels compiled for the CPU: what the texts of
 * <cuda_fp16.h> and <cuda_bf16.h> have in common.
 *
 * It follows host_cuda/fp16.h and host_cuda/bf16.h, which say what the numbers are: TB_H the type, TB_H2 the pair,
 * TB_H_RAW its bits, TB_HN(a, b) and TB_HH(a, b, c) names with the type's own in them once or twice, and conversions.
 * Every operation is done in float and rounded once, to nearest even. */
struct TB_H_RAW {
    unsigned short x;
};
struct TB_H {
    unsigned short bits;
    TB_H() = default;
    constexpr TB_H(TB_H_RAW r) : bits(r.x) {}
    TB_H(float x) : bits(TB_H_OF_FLOAT(x)) {}
    TB_H(double x) : bits(TB_H_OF_DOUBLE(x)) {}
    template <class T, class = typename tb_if<tb_is_integer<T>::value, T>::type>
    TB_H(T x) : bits(TB_H_OF_DOUBLE((double)x)) {}
    operator float() const { return TB_H_TO_FLOAT(bits); }
    explicit operator bool() const { return (bits & 0x7fff) != 0; }
    explicit operator double() const { return TB_H_TO_FLOAT(bits); }
    template <class T, class = typename tb_if<tb_is_integer<T>::value && !tb_same<T, bool>::value, T>::type>
    explicit operator T() const
    {
        return (T)__builtin_truncf(TB_H_TO_FLOAT(bits));
    }
    operator TB_H_RAW() const { return TB_H_RAW{bits}; }
};
struct alignas(4) TB_H2 {
    TB_H x, y;
    TB_H2() = default;
    constexpr TB_H2(TB_H a, TB_H b) : x(a), y(b) {}
};
template <> struct tb_shuffles<TB_H> { enum { value = 1 }; };
template <> struct tb_shuffles<TB_H2> { enum { value = 1 }; };

#define TB_F(a) TB_H_TO_FLOAT((a).bits)
#define TB_OPERATOR(op) \
    TB_FN TB_H operator op(TB_H a, TB_H b) { return TB_H(TB_F(a) op TB_F(b)); } \
    TB_FN TB_H &operator op##=(TB_H &a, TB_H b) { return a = a op b; } \
    TB_FN TB_H2 operator op(TB_H2 a, TB_H2 b) { return TB_H2(a.x op b.x, a.y op b.y); } \
    TB_FN TB_H2 &operator op##=(TB_H2 &a, TB_H2 b) { return a = a op b; }
TB_OPERATOR(+) TB_OPERATOR(-) TB_OPERATOR(*) TB_OPERATOR(/)
#undef TB_OPERATOR
TB_FN TB_H operator-(TB_H a) { return TB_H(-TB_F(a)); }
TB_FN TB_H operator+(TB_H a) { return a; }
TB_FN TB_H2 operator-(TB_H2 a) { return TB_H2(-a.x, -a.y); }
TB_FN TB_H &operator++(TB_H &a) { return a = TB_H(TB_F(a) + 1); }
TB_FN TB_H &operator--(TB_H &a) { return a = TB_H(TB_F(a) - 1); }
#define TB_COMPARE(op) TB_FN bool operator op(TB_H a, TB_H b) { return TB_F(a) op TB_F(b); }
TB_COMPARE(==) TB_COMPARE(!=) TB_COMPARE(<) TB_COMPARE(>) TB_COMPARE(<=) TB_COMPARE(>=)
#undef TB_COMPARE

/* ---- conversions ------------------------------------------------------------------------------------------------- */

TB_FN TB_H TB_HN(__float2, )(float x) { return TB_H(x); }
TB_FN TB_H TB_HN(__float2, _rn)(float x) { return TB_H(x); }
TB_FN TB_H TB_HN(__double2, )(double x) { return TB_H(x); }
TB_FN float TB_HN(__, 2float)(TB_H a) { return TB_F(a); }
TB_FN unsigned short TB_HN(__, _as_ushort)(TB_H a) { return a.bits; }
TB_FN short TB_HN(__, _as_short)(TB_H a) { return (short)a.bits; }
TB_FN TB_H TB_HN(__ushort_as_, )(unsigned short x) { return TB_H(TB_H_RAW{x}); }
TB_FN TB_H TB_HN(__short_as_, )(short x) { return TB_H(TB_H_RAW{(unsigned short)x}); }
#define TB_INTEGERS(name, T, to) \
    TB_FN TB_H TB_HN(__##name##2, _rn)(T x) { return TB_H(x); } \
    TB_FN T TB_HN(__, 2##name##_rn)(TB_H a) { return (T)to(__builtin_rint((double)TB_F(a))); } \
    TB_FN T TB_HN(__, 2##name##_rz)(TB_H a) { return (T)to(__builtin_trunc((double)TB_F(a))); } \
    TB_FN T TB_HN(__, 2##name##_ru)(TB_H a) { return (T)to(__builtin_ceil((double)TB_F(a))); } \
    TB_FN T TB_HN(__, 2##name##_rd)(TB_H a) { return (T)to(__builtin_floor((double)TB_F(a))); }
TB_INTEGERS(int, int, tb_to_int)
TB_INTEGERS(uint, unsigned, tb_to_uint)
TB_INTEGERS(short, short, tb_to_ll)
TB_INTEGERS(ushort, unsigned short, tb_to_uint)
TB_INTEGERS(ll, long long, tb_to_ll)
TB_INTEGERS(ull, tb_ull, tb_to_ull)
#undef TB_INTEGERS
TB_FN TB_H2 TB_HN(make_, 2)(TB_H x, TB_H y) { return TB_H2(x, y); }
TB_FN TB_H2 TB_HH(__, 2, 2)(TB_H a) { return TB_H2(a, a); }
TB_FN TB_H2 TB_HN(__halves2, 2)(TB_H a, TB_H b) { return TB_H2(a, b); }
TB_FN TB_H2 TB_HN(__float2, 2_rn)(float x) { return TB_H2(TB_H(x), TB_H(x)); }
TB_FN TB_H2 TB_HN(__floats2, 2_rn)(float x, float y) { return TB_H2(TB_H(x), TB_H(y)); }
TB_FN TB_H2 TB_HN(__float22, 2_rn)(float2 v) { return TB_H2(TB_H(v.x), TB_H(v.y)); }
TB_FN float2 TB_HN(__, 22float2)(TB_H2 a) { return make_float2(TB_F(a.x), TB_F(a.y)); }
TB_FN float __low2float(TB_H2 a) { return TB_F(a.x); }
TB_FN float __high2float(TB_H2 a) { return TB_F(a.y); }
TB_FN TB_H TB_HN(__low2, )(TB_H2 a) { return a.x; }
TB_FN TB_H TB_HN(__high2, )(TB_H2 a) { return a.y; }
TB_FN TB_H2 TB_HN(__low2, 2)(TB_H2 a) { return TB_H2(a.x, a.x); }
TB_FN TB_H2 TB_HN(__high2, 2)(TB_H2 a) { return TB_H2(a.y, a.y); }
TB_FN TB_H2 __lowhigh2highlow(TB_H2 a) { return TB_H2(a.y, a.x); }
TB_FN TB_H2 TB_HN(__lows2, 2)(TB_H2 a, TB_H2 b) { return TB_H2(a.x, b.x); }
TB_FN TB_H2 TB_HN(__highs2, 2)(TB_H2 a, TB_H2 b) { return TB_H2(a.y, b.y); }

/* ---- arithmetic, of one and of two ------------------------------------------------------------------------------- */

#define TB_BOTH(name, name2, e) \
    TB_FN TB_H name(TB_H a, TB_H b) { return TB_H(e); } \
    TB_FN TB_H2 name2(TB_H2 a, TB_H2 b) { return TB_H2(name(a.x, b.x), name(a.y, b.y)); }
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
TB_FN TB_H __hfma(TB_H a, TB_H b, TB_H c)
{
    return TB_H(__builtin_fma((double)TB_F(a), (double)TB_F(b), (double)TB_F(c)));
}
TB_FN TB_H2 __hfma2(TB_H2 a, TB_H2 b, TB_H2 c)
{
    return TB_H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
TB_FN TB_H __hneg(TB_H a) { return -a; }
TB_FN TB_H2 __hneg2(TB_H2 a) { return -a; }
TB_FN TB_H __habs(TB_H a) { return TB_H(__builtin_fabsf(TB_F(a))); }
TB_FN TB_H2 __habs2(TB_H2 a) { return TB_H2(__habs(a.x), __habs(a.y)); }
#define TB_TEST(name, op) \
    TB_FN bool __h##name(TB_H a, TB_H b) { return TB_F(a) op TB_F(b); } \
    TB_FN bool __hb##name##2(TB_H2 a, TB_H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    TB_FN TB_H2 __h##name##2(TB_H2 a, TB_H2 b) \
    { \
        return TB_HN(__floats2, 2_rn)((float)__h##name(a.x, b.x), (float)__h##name(a.y, b.y)); \
    }
TB_TEST(eq, ==) TB_TEST(ne, !=) TB_TEST(lt, <) TB_TEST(le, <=) TB_TEST(gt, >) TB_TEST(ge, >=)
#undef TB_TEST
TB_FN bool __hisnan(TB_H a) { return __builtin_isnan(TB_F(a)); }
TB_FN int __hisinf(TB_H a) { return __builtin_isinf_sign(TB_F(a)); }
#define TB_FUNCTION(name, e) \
    TB_FN TB_H h##name(TB_H a) { float x = TB_F(a); return TB_H(e); } \
    TB_FN TB_H2 h2##name(TB_H2 a) { return TB_H2(h##name(a.x), h##name(a.y)); }
TB_FUNCTION(sqrt, __builtin_sqrtf(x)) TB_FUNCTION(rsqrt, 1 / __builtin_sqrt((double)x)) TB_FUNCTION(rcp, 1 / x)
TB_FUNCTION(exp, __builtin_expf(x)) TB_FUNCTION(exp2, __builtin_exp2f(x)) TB_FUNCTION(exp10, exp10f(x))
TB_FUNCTION(log, __builtin_logf(x)) TB_FUNCTION(log2, __builtin_log2f(x)) TB_FUNCTION(log10, __builtin_log10f(x))
TB_FUNCTION(sin, __builtin_sinf(x)) TB_FUNCTION(cos, __builtin_cosf(x)) TB_FUNCTION(tanh, __builtin_tanhf(x))
TB_FUNCTION(ceil, __builtin_ceilf(x)) TB_FUNCTION(floor, __builtin_floorf(x)) TB_FUNCTION(trunc, __builtin_truncf(x))
TB_FUNCTION(rint, __builtin_rintf(x))
#undef TB_FUNCTION
TB_FN TB_H atomicAdd(TB_H *p, TB_H v) { return tb_atomic(p, [=](TB_H x) { return x + v; }); }
TB_FN TB_H2 atomicAdd(TB_H2 *p, TB_H2 v) { return tb_atomic(p, [=](TB_H2 x) { return x + v; }); }
#undef TB_F
#undef TB_H
#undef TB_H2
#undef TB_H_RAW
#undef TB_H_TO_FLOAT
#undef TB_H_OF_FLOAT
#undef TB_H_OF_DOUBLE
#undef TB_HN
#undef TB_HH
