/* bfloat.h - bfloat16 in user kernels: two bytes in memory, the upper half of a float; a float in every expression. */
#ifndef TB_USER_BFLOAT_H
#define TB_USER_BFLOAT_H
#if defined(TB_HOST_CUDA)
static inline __attribute__((unused)) unsigned _tb_word_of(float f)
{
    unsigned bits;
    __builtin_memcpy(&bits, &f, 4);
    return bits;
}
static inline __attribute__((unused)) float _tb_float_of(unsigned bits)
{
    float f;
    __builtin_memcpy(&f, &bits, 4);
    return f;
}
#else
static __device__ __forceinline__ unsigned _tb_word_of(float f) { return __float_as_uint(f); }
static __device__ __forceinline__ float _tb_float_of(unsigned bits) { return __uint_as_float(bits); }
#endif
static __device__ __forceinline__ unsigned short _tb_upper_half(float f)
{
    const unsigned bits = _tb_word_of(f), up = bits + 0x7fffu + (bits >> 16 & 1);
    return (unsigned short)((f != f ? bits | 0x400000u : up) >> 16);
}

class bfloat16 {
public:
    bfloat16() = default;
    __device__ __forceinline__ bfloat16(float f) : bits(_tb_upper_half(f)) {}
    __device__ __forceinline__ operator float() const { return _tb_float_of((unsigned)bits << 16); }
    template <typename U> __device__ __forceinline__ bfloat16 &operator+=(U v)
    {
        return *this = bfloat16((float)*this + (float)v);
    }
    template <typename U> __device__ __forceinline__ bfloat16 &operator-=(U v)
    {
        return *this = bfloat16((float)*this - (float)v);
    }
    template <typename U> __device__ __forceinline__ bfloat16 &operator*=(U v)
    {
        return *this = bfloat16((float)*this * (float)v);
    }
    template <typename U> __device__ __forceinline__ bfloat16 &operator/=(U v)
    {
        return *this = bfloat16((float)*this / (float)v);
    }
    unsigned short bits;
};

__device__ __forceinline__ bfloat16 min(bfloat16 a, bfloat16 b) { return (float)a < (float)b ? a : b; }
__device__ __forceinline__ bfloat16 max(bfloat16 a, bfloat16 b) { return (float)a > (float)b ? a : b; }
__device__ __forceinline__ bfloat16 abs(bfloat16 x) { return x.bits &= 0x7fff, x; }
__device__ __forceinline__ int isnan(bfloat16 x) { return (x.bits & 0x7fff) > 0x7f80; }
__device__ __forceinline__ int isinf(bfloat16 x) { return (x.bits & 0x7fff) == 0x7f80; }
__device__ __forceinline__ int isfinite(bfloat16 x) { return (x.bits & 0x7f80) != 0x7f80; }
__device__ __forceinline__ int signbit(bfloat16 x) { return x.bits >> 15; }
#endif
