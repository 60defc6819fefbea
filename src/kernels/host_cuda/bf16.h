/* bf16.h - CUDA's bfloat16 and its pair, for kernels compiled for the CPU: the text of <cuda_bf16.h>.
 * It is followed by host_cuda/half.h, which has the operations. */
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

struct __nv_bfloat16;
struct __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define TB_H __nv_bfloat16
#define TB_H2 __nv_bfloat162
#define TB_H_RAW __nv_bfloat16_raw
#define TB_H_TO_FLOAT tb_float_of_bfloat
#define TB_H_OF_FLOAT tb_bfloat_of_float
#define TB_H_OF_DOUBLE tb_bfloat_of_double
#define TB_HN(a, b) a##bfloat16##b
#define TB_HH(a, b, c) a##bfloat16##b##bfloat16##c
#endif
