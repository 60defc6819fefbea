/* float_vector.h - vectors of floats, as wide as the instruction set compiled for has them, and half as many doubles,
 * with what C has no operator for. Arithmetic and bit operations are the compiler's; (tb_vu)x are the bits of x.
 * Needs fused multiply-add: TB_HAVE_FLOAT_VECTOR says whether there is one. */
#ifndef TB_BACKEND_CPU_LOOPS_FLOAT_VECTOR_H
#define TB_BACKEND_CPU_LOOPS_FLOAT_VECTOR_H
#include "kernels/types.h"

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define TB_HAVE_FLOAT_VECTOR 1
#ifdef __FMA__
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
enum { TB_LANES = 16 };
typedef __m512 tb_vf;
typedef __m512d tb_vd;
typedef __mmask16 tb_vmask;
#elif defined(__FMA__) && defined(__AVX2__)
enum { TB_LANES = 8 };
typedef __m256 tb_vf;
typedef __m256d tb_vd;
typedef __m256 tb_vmask; /* by the sign of each lane */
#else
enum { TB_LANES = 4 };
typedef float tb_vf __attribute__((vector_size(16)));
typedef double tb_vd __attribute__((vector_size(16)));
typedef tb_i32 tb_vmask __attribute__((vector_size(16))); /* 0 or -1 */
#endif
typedef tb_u32 tb_vu __attribute__((vector_size(4 * TB_LANES)));
typedef tb_i32 tb_vi __attribute__((vector_size(4 * TB_LANES)));
typedef tb_u64 tb_vu64 __attribute__((vector_size(4 * TB_LANES)));

/* tb_vfma: a b + c, rounded once. tb_vmin, tb_vmax: b where one is NaN. tb_vless: a < b; tb_vnot_less: its opposite,
 * also where one is NaN; tb_vequal: a == b. tb_vodd: the lowest bit. tb_vselect: a where m, else b.
 * tb_vwiden: a half of the lanes, 0 or 1; tb_vnarrow: both halves; tb_vlow_words: of each word the lower 32 bits.
 * tb_d...: the same of doubles. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
TB_FN tb_vf tb_vset(float x) { return _mm512_set1_ps(x); }
TB_FN tb_vf tb_vfma(tb_vf a, tb_vf b, tb_vf c) { return _mm512_fmadd_ps(a, b, c); }
TB_FN tb_vf tb_vsqrt(tb_vf a) { return _mm512_sqrt_ps(a); }
TB_FN tb_vf tb_vmin(tb_vf a, tb_vf b) { return _mm512_min_ps(a, b); }
TB_FN tb_vf tb_vmax(tb_vf a, tb_vf b) { return _mm512_max_ps(a, b); }
TB_FN tb_vmask tb_vless(tb_vf a, tb_vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
TB_FN tb_vmask tb_vnot_less(tb_vf a, tb_vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ); }
TB_FN tb_vmask tb_vequal(tb_vf a, tb_vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
TB_FN tb_vmask tb_vodd(tb_vu n) { return _mm512_test_epi32_mask((__m512i)n, _mm512_set1_epi32(1)); }
TB_FN tb_vmask tb_vor(tb_vmask a, tb_vmask b) { return a | b; }
TB_FN int tb_vany(tb_vmask m) { return m != 0; }
TB_FN tb_vf tb_vfloor(tb_vf a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF); }
TB_FN tb_vd tb_dset(double x) { return _mm512_set1_pd(x); }
TB_FN tb_vd tb_dfma(tb_vd a, tb_vd b, tb_vd c) { return _mm512_fmadd_pd(a, b, c); }
TB_FN tb_vd tb_dmin(tb_vd a, tb_vd b) { return _mm512_min_pd(a, b); }
TB_FN tb_vd tb_dmax(tb_vd a, tb_vd b) { return _mm512_max_pd(a, b); }
TB_FN tb_vd tb_vwiden(tb_vf a, int half)
{
    return _mm512_cvtps_pd(half ? _mm512_extractf32x8_ps(a, 1) : _mm512_castps512_ps256(a));
}
TB_FN tb_vf tb_vnarrow(tb_vd a, tb_vd b)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a)), _mm512_cvtpd_ps(b), 1);
}
TB_FN tb_vu tb_vlow_words(tb_vu64 a, tb_vu64 b)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return (tb_vu)_mm512_permutex2var_epi32((__m512i)a, even, (__m512i)b);
}
TB_FN tb_vf tb_vselect(tb_vmask m, tb_vf a, tb_vf b) { return _mm512_mask_blend_ps(m, b, a); }
#elif defined(__FMA__) && defined(__AVX2__)
TB_FN tb_vf tb_vset(float x) { return _mm256_set1_ps(x); }
TB_FN tb_vf tb_vfma(tb_vf a, tb_vf b, tb_vf c) { return _mm256_fmadd_ps(a, b, c); }
TB_FN tb_vf tb_vsqrt(tb_vf a) { return _mm256_sqrt_ps(a); }
TB_FN tb_vf tb_vmin(tb_vf a, tb_vf b) { return _mm256_min_ps(a, b); }
TB_FN tb_vf tb_vmax(tb_vf a, tb_vf b) { return _mm256_max_ps(a, b); }
TB_FN tb_vmask tb_vless(tb_vf a, tb_vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
TB_FN tb_vmask tb_vnot_less(tb_vf a, tb_vf b) { return _mm256_cmp_ps(a, b, _CMP_NLT_UQ); }
TB_FN tb_vmask tb_vequal(tb_vf a, tb_vf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
TB_FN tb_vmask tb_vodd(tb_vu n) { return (tb_vmask)(n << 31); }
TB_FN tb_vmask tb_vor(tb_vmask a, tb_vmask b) { return _mm256_or_ps(a, b); }
TB_FN int tb_vany(tb_vmask m) { return _mm256_movemask_ps(m) != 0; }
TB_FN tb_vf tb_vfloor(tb_vf a) { return _mm256_floor_ps(a); }
TB_FN tb_vd tb_dset(double x) { return _mm256_set1_pd(x); }
TB_FN tb_vd tb_dfma(tb_vd a, tb_vd b, tb_vd c) { return _mm256_fmadd_pd(a, b, c); }
TB_FN tb_vd tb_dmin(tb_vd a, tb_vd b) { return _mm256_min_pd(a, b); }
TB_FN tb_vd tb_dmax(tb_vd a, tb_vd b) { return _mm256_max_pd(a, b); }
TB_FN tb_vd tb_vwiden(tb_vf a, int half)
{
    return _mm256_cvtps_pd(half ? _mm256_extractf128_ps(a, 1) : _mm256_castps256_ps128(a));
}
TB_FN tb_vf tb_vnarrow(tb_vd a, tb_vd b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a)), _mm256_cvtpd_ps(b), 1);
}
TB_FN tb_vu tb_vlow_words(tb_vu64 a, tb_vu64 b)
{
    const __m256 even = _mm256_shuffle_ps((__m256)a, (__m256)b, 0x88); /* of each 128 bits: a's, b's */
    return (tb_vu)_mm256_permute4x64_epi64((__m256i)even, 0xd8);
}
TB_FN tb_vf tb_vselect(tb_vmask m, tb_vf a, tb_vf b) { return _mm256_blendv_ps(b, a, m); }
#else
TB_FN tb_vf tb_vset(float x) { return (tb_vf){x, x, x, x}; }

TB_FN tb_vf tb_vfma(tb_vf a, tb_vf b, tb_vf c)
{
    for (int i = 0; i < TB_LANES; i++) c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
}

TB_FN tb_vf tb_vsqrt(tb_vf a)
{
    for (int i = 0; i < TB_LANES; i++) a[i] = sqrtf(a[i]);
    return a;
}

TB_FN tb_vf tb_vselect(tb_vmask m, tb_vf a, tb_vf b) { return (tb_vf)(((tb_vmask)a & m) | ((tb_vmask)b & ~m)); }
TB_FN tb_vmask tb_vless(tb_vf a, tb_vf b) { return a < b; }
TB_FN tb_vmask tb_vnot_less(tb_vf a, tb_vf b) { return ~(a < b); }
TB_FN tb_vmask tb_vequal(tb_vf a, tb_vf b) { return a == b; }
TB_FN tb_vmask tb_vodd(tb_vu n) { return -(tb_vmask)(n & 1); }
TB_FN tb_vmask tb_vor(tb_vmask a, tb_vmask b) { return a | b; }
TB_FN int tb_vany(tb_vmask m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
TB_FN tb_vf tb_vmin(tb_vf a, tb_vf b) { return tb_vselect(a < b, a, b); }
TB_FN tb_vf tb_vmax(tb_vf a, tb_vf b) { return tb_vselect(a > b, a, b); }
TB_FN tb_vf tb_vfloor(tb_vf a) { return (tb_vf){floorf(a[0]), floorf(a[1]), floorf(a[2]), floorf(a[3])}; }
TB_FN tb_vd tb_dset(double x) { return (tb_vd){x, x}; }
TB_FN tb_vd tb_dfma(tb_vd a, tb_vd b, tb_vd c)
{
    return (tb_vd){__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
TB_FN tb_vd tb_dmin(tb_vd a, tb_vd b) { return (tb_vd){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]}; }
TB_FN tb_vd tb_dmax(tb_vd a, tb_vd b) { return (tb_vd){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]}; }
TB_FN tb_vd tb_vwiden(tb_vf a, int half) { return (tb_vd){a[2 * half], a[2 * half + 1]}; }
TB_FN tb_vf tb_vnarrow(tb_vd a, tb_vd b) { return (tb_vf){(float)a[0], (float)a[1], (float)b[0], (float)b[1]}; }
TB_FN tb_vu tb_vlow_words(tb_vu64 a, tb_vu64 b)
{
    return (tb_vu){(tb_u32)a[0], (tb_u32)a[1], (tb_u32)b[0], (tb_u32)b[1]};
}
#endif

TB_FN tb_vf tb_vabs(tb_vf a) { return (tb_vf)((tb_vu)a & 0x7fffffffu); }
TB_FN tb_vf tb_vcopysign(tb_vf a, tb_vf sign)
{
    return (tb_vf)(((tb_vu)a & 0x7fffffffu) | ((tb_vu)sign & 0x80000000u));
}
TB_FN tb_vf tb_vof_int(tb_vi n) { return __builtin_convertvector(n, tb_vf); }

/* The last, partial vector of a run repeats its last point. */
TB_FN tb_vf tb_vload(const float *x, int64_t left)
{
    tb_vf v;
    if (left >= TB_LANES) {
        memcpy(&v, x, sizeof v);
        return v;
    }
    v = tb_vset(x[left - 1]);
    memcpy(&v, x, (size_t)left * sizeof *x);
    return v;
}

TB_FN void tb_vsave(float *o, tb_vf v, int64_t left)
{
    memcpy(o, &v, left >= TB_LANES ? sizeof v : (size_t)left * sizeof *o);
}
#endif
#endif
