/* intrinsics.h - CUDA's intrinsic functions of numbers and bits, for kernels that are compiled for the CPU.
 *
 * The fast ones (__sinf) are as exact as the ordinary ones here. Those with a rounding mode other than to nearest are
 * worked out in a wider type or from the error of the operation. */
#ifndef TB_KERNELS_HOST_CUDA_INTRINSICS_H
#define TB_KERNELS_HOST_CUDA_INTRINSICS_H

/* ---- bits -------------------------------------------------------------------------------------------------- */

template <class To, class From> TB_FN To tb_bits(From x)
{
    To y;
    static_assert(sizeof x == sizeof y, "a copy of the bits");
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
TB_FN int __float_as_int(float x) { return tb_bits<int>(x); }
TB_FN unsigned __float_as_uint(float x) { return tb_bits<unsigned>(x); }
TB_FN float __int_as_float(int x) { return tb_bits<float>(x); }
TB_FN float __uint_as_float(unsigned x) { return tb_bits<float>(x); }
TB_FN long long __double_as_longlong(double x) { return tb_bits<long long>(x); }
TB_FN double __longlong_as_double(long long x) { return tb_bits<double>(x); }
TB_FN int __double2hiint(double x) { return (int)(tb_bits<tb_ull>(x) >> 32); }
TB_FN int __double2loint(double x) { return (int)tb_bits<tb_ull>(x); }
TB_FN double __hiloint2double(int hi, int lo) { return tb_bits<double>((tb_ull)(unsigned)hi << 32 | (unsigned)lo); }

TB_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
TB_FN int __clzll(long long x) { return x ? __builtin_clzll((tb_ull)x) : 64; }
TB_FN int __ffs(int x) { return __builtin_ffs(x); }
TB_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
TB_FN int __popc(unsigned x) { return __builtin_popcount(x); }
TB_FN int __popcll(tb_ull x) { return __builtin_popcountll(x); }
TB_FN tb_ull __brevll(tb_ull x)
{
    x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
    x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(x);
}
TB_FN unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
TB_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    tb_ull both = (tb_ull)y << 32 | x;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = s >> 4 * i & 15, byte = (unsigned)(both >> 8 * (pick & 7)) & 255;
        if (pick & 8) byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return r;
}
TB_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((tb_ull)hi << 32 | lo) << (n & 31) >> 32);
}
TB_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((tb_ull)hi << 32 | lo) >> (n & 31));
}
TB_FN unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
TB_FN unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
TB_FN unsigned __fns(unsigned mask, unsigned base, int offset)
{
    int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
    if (offset == 0) return mask >> (base & 31) & 1 ? base : ~0u;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && --left == 0) return (unsigned)i;
    return ~0u;
}
TB_FN int __mul24(int x, int y) { return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8)); }
TB_FN unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
TB_FN int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
TB_FN unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((tb_ull)x * y >> 32); }
TB_FN long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
TB_FN tb_ull __umul64hi(tb_ull x, tb_ull y) { return (tb_ull)((unsigned __int128)x * y >> 64); }
TB_FN int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
TB_FN int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
TB_FN unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((tb_ull)x + y) >> 1); }
TB_FN unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((tb_ull)x + y + 1) >> 1); }
TB_FN unsigned __sad(int x, int y, unsigned z)
{
    return z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y);
}
TB_FN unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
template <class T> TB_FN int tb_dot4(unsigned a, unsigned b, int c)
{
    for (int i = 0; i < 4; i++) c += (int)(T)(a >> 8 * i) * (int)(T)(b >> 8 * i);
    return c;
}
TB_FN int __dp4a(int a, int b, int c) { return tb_dot4<signed char>((unsigned)a, (unsigned)b, c); }
TB_FN unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return (unsigned)tb_dot4<unsigned char>(a, b, (int)c); }

/* ---- arithmetic with a rounding mode ------------------------------------------------------------------------- */

/* The neighbours of a result that is off by `error` (exact minus result), in the direction of the mode. */
template <class T> TB_FN T tb_up(T x)
{
    return sizeof(T) == 4 ? (T)__builtin_nextafterf((float)x, __builtin_inff())
                          : (T)__builtin_nextafter((double)x, __builtin_inf());
}
template <class T> TB_FN T tb_down(T x)
{
    return sizeof(T) == 4 ? (T)__builtin_nextafterf((float)x, -__builtin_inff())
                          : (T)__builtin_nextafter((double)x, -__builtin_inf());
}
enum { TB_RN, TB_RZ, TB_RU, TB_RD };
template <class T, class E> TB_FN T tb_directed(T x, E error, int mode)
{
    if (error == 0 || !__builtin_isfinite(x) || error != error) return x;
    if (mode == TB_RZ) mode = x > 0 ? TB_RD : x < 0 ? TB_RU : TB_RN;
    if (mode == TB_RU && error > 0) return tb_up(x);
    if (mode == TB_RD && error < 0) return tb_down(x);
    return x;
}
TB_FN double tb_sum_error(double a, double b)
{
    double s = a + b, bb = s - a;
    return (a - (s - bb)) + (b - bb);
}

/* All of them for one mode; m is the end of their names. */
#define TB_ROUNDED(m, mode) \
    TB_FN float __fadd_##m(float x, float y) \
    { \
        float r = x + y; \
        return tb_directed(r, tb_sum_error(x, y) + ((double)x + y - r), mode); \
    } \
    TB_FN float __fsub_##m(float x, float y) { return __fadd_##m(x, -y); } \
    TB_FN float __fmul_##m(float x, float y) { float r = x * y; return tb_directed(r, (double)x * y - r, mode); } \
    TB_FN float __fmaf_##m(float x, float y, float z) \
    { \
        float r = __builtin_fmaf(x, y, z); \
        double p = (double)x * y; \
        return tb_directed(r, tb_sum_error(p, z) + (p + z - r), mode); \
    } \
    TB_FN float __fdiv_##m(float x, float y) \
    { \
        float r = x / y; \
        return tb_directed(r, (double)__builtin_fma(-(double)r, y, x) * (y < 0 ? -1 : 1), mode); \
    } \
    TB_FN float __frcp_##m(float x) { return __fdiv_##m(1.0f, x); } \
    TB_FN float __fsqrt_##m(float x) \
    { \
        float r = __builtin_sqrtf(x); \
        return tb_directed(r, __builtin_fma(-(double)r, r, x), mode); \
    } \
    TB_FN double __dadd_##m(double x, double y) { return tb_directed(x + y, tb_sum_error(x, y), mode); } \
    TB_FN double __dsub_##m(double x, double y) { return __dadd_##m(x, -y); } \
    TB_FN double __dmul_##m(double x, double y) \
    { \
        double r = x * y; \
        return tb_directed(r, __builtin_fma(x, y, -r), mode); \
    } \
    TB_FN double __ddiv_##m(double x, double y) \
    { \
        double r = x / y; \
        return tb_directed(r, __builtin_fma(-r, y, x) * (y < 0 ? -1 : 1), mode); \
    } \
    TB_FN double __drcp_##m(double x) { return __ddiv_##m(1.0, x); } \
    TB_FN double __dsqrt_##m(double x) \
    { \
        double r = __builtin_sqrt(x); \
        return tb_directed(r, __builtin_fma(-r, r, x), mode); \
    } \
    TB_FN double __fma_##m(double x, double y, double z) \
    { \
        double r = __builtin_fma(x, y, z), p = x * y, pe = __builtin_fma(x, y, -p), s = p + z; \
        return tb_directed(r, ((s - r) + tb_sum_error(p, z)) + pe, mode); \
    }
TB_ROUNDED(rn, TB_RN)
TB_ROUNDED(rz, TB_RZ)
TB_ROUNDED(ru, TB_RU)
TB_ROUNDED(rd, TB_RD)
#undef TB_ROUNDED
TB_FN float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

/* ---- fast versions: __sinf and its like, names that C libraries have for themselves ---------------------------- */

TB_FN float tb_fast_sinf(float x) { return __builtin_sinf(x); }
TB_FN float tb_fast_cosf(float x) { return __builtin_cosf(x); }
TB_FN float tb_fast_tanf(float x) { return __builtin_tanf(x); }
TB_FN float tb_fast_expf(float x) { return __builtin_expf(x); }
TB_FN float tb_fast_exp10f(float x) { return exp10f(x); }
TB_FN float tb_fast_logf(float x) { return __builtin_logf(x); }
TB_FN float tb_fast_log2f(float x) { return __builtin_log2f(x); }
TB_FN float tb_fast_log10f(float x) { return __builtin_log10f(x); }
TB_FN float tb_fast_powf(float x, float y) { return __builtin_powf(x, y); }
TB_FN void tb_fast_sincosf(float x, float *s, float *c) { *s = __builtin_sinf(x), *c = __builtin_cosf(x); }
TB_FN float tb_fast_fdividef(float x, float y) { return x / y; }
TB_FN float tb_fast_saturate(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
TB_FN float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

/* ---- conversions ---------------------------------------------------------------------------------------------- */

/* A float out of the integer's range gives the nearest integer; NaN gives 0. */
template <class I, class F> TB_FN I tb_clamped(F x, F low, F past, I most, I least)
{
    if (x != x) return 0;
    return x >= past ? most : x < low ? least : (I)x;
}
#define TB_LIMIT(I, name, F, low, past, least, most) \
    TB_FN I tb_to_##name(F x) { return tb_clamped<I, F>(x, low, past, most, least); }
TB_LIMIT(int, int, double, -0x1p31, 0x1p31, -2147483647 - 1, 2147483647)
TB_LIMIT(unsigned, uint, double, 0, 0x1p32, 0u, ~0u)
TB_LIMIT(long long, ll, double, -0x1p63, 0x1p63, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
TB_LIMIT(tb_ull, ull, double, 0, 0x1p64, 0ull, ~0ull)

TB_FN float tb_float_of_half(unsigned short h)
{
#if defined(__F16C__)
    typedef short v8 __attribute__((vector_size(16)));
    return __builtin_ia32_vcvtph2ps((v8){(short)h, 0, 0, 0, 0, 0, 0, 0})[0];
#else
    unsigned sign = (unsigned)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31) return tb_bits<float>(sign | 0x7f800000u | m << 13);
    if (e) return tb_bits<float>(sign | (e + 112) << 23 | m << 13);
    float x = (float)m * 0x1p-24f;
    return sign ? -x : x;
#endif
}

TB_FN int __float2int_rn(float x) { return tb_to_int(__builtin_rint((double)x)); }
TB_FN unsigned __float2uint_rn(float x) { return tb_to_uint(__builtin_rint((double)x)); }
TB_FN long long __float2ll_rn(float x) { return tb_to_ll(__builtin_rint((double)x)); }
TB_FN tb_ull __float2ull_rn(float x) { return tb_to_ull(__builtin_rint((double)x)); }
TB_FN int __double2int_rn(double x) { return tb_to_int(__builtin_rint((double)x)); }
TB_FN unsigned __double2uint_rn(double x) { return tb_to_uint(__builtin_rint((double)x)); }
TB_FN long long __double2ll_rn(double x) { return tb_to_ll(__builtin_rint((double)x)); }
TB_FN tb_ull __double2ull_rn(double x) { return tb_to_ull(__builtin_rint((double)x)); }
TB_FN float __int2float_rn(int x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RN); }
TB_FN float __uint2float_rn(unsigned x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RN); }
TB_FN float __ll2float_rn(long long x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RN);
}
TB_FN double __ll2double_rn(long long x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RN);
}
TB_FN float __ull2float_rn(tb_ull x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RN);
}
TB_FN double __ull2double_rn(tb_ull x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RN);
}
TB_FN float __double2float_rn(double x) { float r = (float)x; return tb_directed(r, x - r, TB_RN); }
TB_FN int __float2int_rz(float x) { return tb_to_int(__builtin_trunc((double)x)); }
TB_FN unsigned __float2uint_rz(float x) { return tb_to_uint(__builtin_trunc((double)x)); }
TB_FN long long __float2ll_rz(float x) { return tb_to_ll(__builtin_trunc((double)x)); }
TB_FN tb_ull __float2ull_rz(float x) { return tb_to_ull(__builtin_trunc((double)x)); }
TB_FN int __double2int_rz(double x) { return tb_to_int(__builtin_trunc((double)x)); }
TB_FN unsigned __double2uint_rz(double x) { return tb_to_uint(__builtin_trunc((double)x)); }
TB_FN long long __double2ll_rz(double x) { return tb_to_ll(__builtin_trunc((double)x)); }
TB_FN tb_ull __double2ull_rz(double x) { return tb_to_ull(__builtin_trunc((double)x)); }
TB_FN float __int2float_rz(int x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RZ); }
TB_FN float __uint2float_rz(unsigned x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RZ); }
TB_FN float __ll2float_rz(long long x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RZ);
}
TB_FN double __ll2double_rz(long long x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RZ);
}
TB_FN float __ull2float_rz(tb_ull x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RZ);
}
TB_FN double __ull2double_rz(tb_ull x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RZ);
}
TB_FN float __double2float_rz(double x) { float r = (float)x; return tb_directed(r, x - r, TB_RZ); }
TB_FN int __float2int_ru(float x) { return tb_to_int(__builtin_ceil((double)x)); }
TB_FN unsigned __float2uint_ru(float x) { return tb_to_uint(__builtin_ceil((double)x)); }
TB_FN long long __float2ll_ru(float x) { return tb_to_ll(__builtin_ceil((double)x)); }
TB_FN tb_ull __float2ull_ru(float x) { return tb_to_ull(__builtin_ceil((double)x)); }
TB_FN int __double2int_ru(double x) { return tb_to_int(__builtin_ceil((double)x)); }
TB_FN unsigned __double2uint_ru(double x) { return tb_to_uint(__builtin_ceil((double)x)); }
TB_FN long long __double2ll_ru(double x) { return tb_to_ll(__builtin_ceil((double)x)); }
TB_FN tb_ull __double2ull_ru(double x) { return tb_to_ull(__builtin_ceil((double)x)); }
TB_FN float __int2float_ru(int x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RU); }
TB_FN float __uint2float_ru(unsigned x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RU); }
TB_FN float __ll2float_ru(long long x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RU);
}
TB_FN double __ll2double_ru(long long x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RU);
}
TB_FN float __ull2float_ru(tb_ull x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RU);
}
TB_FN double __ull2double_ru(tb_ull x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RU);
}
TB_FN float __double2float_ru(double x) { float r = (float)x; return tb_directed(r, x - r, TB_RU); }
TB_FN int __float2int_rd(float x) { return tb_to_int(__builtin_floor((double)x)); }
TB_FN unsigned __float2uint_rd(float x) { return tb_to_uint(__builtin_floor((double)x)); }
TB_FN long long __float2ll_rd(float x) { return tb_to_ll(__builtin_floor((double)x)); }
TB_FN tb_ull __float2ull_rd(float x) { return tb_to_ull(__builtin_floor((double)x)); }
TB_FN int __double2int_rd(double x) { return tb_to_int(__builtin_floor((double)x)); }
TB_FN unsigned __double2uint_rd(double x) { return tb_to_uint(__builtin_floor((double)x)); }
TB_FN long long __double2ll_rd(double x) { return tb_to_ll(__builtin_floor((double)x)); }
TB_FN tb_ull __double2ull_rd(double x) { return tb_to_ull(__builtin_floor((double)x)); }
TB_FN float __int2float_rd(int x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RD); }
TB_FN float __uint2float_rd(unsigned x) { float r = (float)x; return tb_directed(r, (double)x - r, TB_RD); }
TB_FN float __ll2float_rd(long long x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RD);
}
TB_FN double __ll2double_rd(long long x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RD);
}
TB_FN float __ull2float_rd(tb_ull x)
{
    float r = (float)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RD);
}
TB_FN double __ull2double_rd(tb_ull x)
{
    double r = (double)x;
    return tb_directed(r, (double)((__int128)x - (__int128)r), TB_RD);
}
TB_FN float __double2float_rd(double x) { float r = (float)x; return tb_directed(r, x - r, TB_RD); }
TB_FN double __int2double_rn(int x) { return x; }
TB_FN double __uint2double_rn(unsigned x) { return x; }

/* ---- memory --------------------------------------------------------------------------------------------------- */

template <class T> TB_FN T __ldg(const T *p) { return *p; }
template <class T> TB_FN T __ldca(const T *p) { return *p; }
template <class T> TB_FN T __ldcg(const T *p) { return *p; }
template <class T> TB_FN T __ldcs(const T *p) { return *p; }
template <class T> TB_FN T __ldlu(const T *p) { return *p; }
template <class T> TB_FN T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> TB_FN void __stwb(T *p, T v) { *p = v; }
template <class T> TB_FN void __stcg(T *p, T v) { *p = v; }
template <class T> TB_FN void __stcs(T *p, T v) { *p = v; }
template <class T> TB_FN void __stwt(T *p, T v) { *p = v; }
TB_FN void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TB_FN void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TB_FN void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TB_FN bool __isGlobal(const void *) { return true; }

/* ---- time, ends ----------------------------------------------------------------------------------------------- */

struct tb_timespec { long seconds, nanoseconds; };
extern "C" int clock_gettime(int, struct timespec *) noexcept(true);
TB_FN tb_ull tb_nanoseconds()
{
    tb_timespec t;
    clock_gettime(1, (struct timespec *)&t);
    return (tb_ull)t.seconds * 1000000000ull + (tb_ull)t.nanoseconds;
}
TB_FN long long clock64()
{
#if defined(__x86_64__)
    return (long long)__builtin_ia32_rdtsc();
#else
    return (long long)tb_nanoseconds();
#endif
}
TB_FN int tb_clock() { return (int)clock64(); } /* what the rewriter makes of clock() */
TB_FN tb_ull globaltimer() { return tb_nanoseconds(); }
TB_FN tb_ull __globaltimer() { return tb_nanoseconds(); }
TB_FN void __nanosleep(unsigned ns)
{
    for (tb_ull until = tb_nanoseconds() + ns; tb_nanoseconds() < until;) {}
}
TB_FN void __trap() { tb_services->fail(TB_HOST_FAIL_TRAP, ""); }
TB_FN void __brkpt() {}
/* Launches do not overlap. */
TB_FN void cudaGridDependencySynchronize() {}
TB_FN void cudaTriggerProgrammaticLaunchCompletion() {}
static inline __attribute__((unused, format(printf, 1, 2))) int tb_printf(const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int n = tb_services->print(format, args);
    __builtin_va_end(args);
    return n;
}
#endif
