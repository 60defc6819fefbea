/* half.h - float16 in user kernels: two bytes in memory, a float in every expression. */
#ifndef TB_USER_HALF_H
#define TB_USER_HALF_H
#if defined(TB_HOST_CUDA)
static inline __attribute__((unused)) float _tb_widen(unsigned short h)
{
    const unsigned sign = (unsigned)(h & 0x8000) << 16, rest = (unsigned)(h & 0x7fff) << 13;
    unsigned bits;
    float f;
    __builtin_memcpy(&f, &rest, 4);
    f *= 0x1p112f;
    __builtin_memcpy(&bits, &f, 4);
    bits = sign | (rest >= 0x0f800000u ? rest | 0x7f800000u : bits);
    __builtin_memcpy(&f, &bits, 4);
    return f;
}
static inline __attribute__((unused)) unsigned short _tb_narrow(float f)
{
    unsigned bits, denormal;
    __builtin_memcpy(&bits, &f, 4);
    const unsigned mag = bits & 0x7fffffffu, normal = (mag - 0x38000000u + 0xfffu + ((mag >> 13) & 1)) >> 13;
    float g;
    __builtin_memcpy(&g, &mag, 4);
    g += 0.5f;
    __builtin_memcpy(&denormal, &g, 4);
    denormal -= 0x3f000000u;
    unsigned r = mag < 0x38800000u ? denormal : normal;
    r = mag >= 0x47800000u ? 0x7c00u : r;
    r = mag > 0x7f800000u ? 0x7e00u | ((mag >> 13) & 0x3ffu) : r;
    return (unsigned short)(r | (bits >> 16 & 0x8000u));
}
#else
static __device__ __forceinline__ float _tb_widen(unsigned short h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}
static __device__ __forceinline__ unsigned short _tb_narrow(float f)
{
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
#endif

class float16 {
public:
    float16() = default;
    __device__ __forceinline__ float16(float f) : bits(_tb_narrow(f)) {}
    __device__ __forceinline__ operator float() const { return _tb_widen(bits); }
    template <typename U> __device__ __forceinline__ float16 &operator+=(U v)
    {
        return *this = float16((float)*this + (float)v);
    }
    template <typename U> __device__ __forceinline__ float16 &operator-=(U v)
    {
        return *this = float16((float)*this - (float)v);
    }
    template <typename U> __device__ __forceinline__ float16 &operator*=(U v)
    {
        return *this = float16((float)*this * (float)v);
    }
    template <typename U> __device__ __forceinline__ float16 &operator/=(U v)
    {
        return *this = float16((float)*this / (float)v);
    }
    unsigned short bits;
};

__device__ __forceinline__ float16 min(float16 a, float16 b) { return (float)a < (float)b ? a : b; }
__device__ __forceinline__ float16 max(float16 a, float16 b) { return (float)a > (float)b ? a : b; }
__device__ __forceinline__ float16 abs(float16 x) { return x.bits &= 0x7fff, x; }
__device__ __forceinline__ int isnan(float16 x) { return (x.bits & 0x7fff) > 0x7c00; }
__device__ __forceinline__ int isinf(float16 x) { return (x.bits & 0x7fff) == 0x7c00; }
__device__ __forceinline__ int isfinite(float16 x) { return (x.bits & 0x7c00) != 0x7c00; }
__device__ __forceinline__ int signbit(float16 x) { return x.bits >> 15; }
#endif
