/* fp16.h - CUDA's half and half2, for kernels that are compiled for the CPU: the text of <cuda_fp16.h>.
 * It is followed by host_cuda/half.h, which has the operations. */
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

struct __half;
struct __half2;
typedef __half half;
typedef __half2 half2;
#define TB_H __half
#define TB_H2 __half2
#define TB_H_RAW __half_raw
#define TB_H_TO_FLOAT tb_float_of_half
#define TB_H_OF_FLOAT tb_half_of_float
#define TB_H_OF_DOUBLE tb_half_of_double
#define TB_HN(a, b) a##half##b
#define TB_HH(a, b, c) a##half##b##half##c
#endif
