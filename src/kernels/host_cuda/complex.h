/* complex.h - complex numbers for kernels that are compiled for the CPU: the text of <cuComplex.h>. */
#ifndef TB_KERNELS_HOST_CUDA_COMPLEX_H
#define TB_KERNELS_HOST_CUDA_COMPLEX_H
typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

#define TB_COMPLEX(C, R, f, make, abs_of) \
    TB_FN C make(R re, R im) { C z; z.x = re; z.y = im; return z; } \
    TB_FN R cuCreal##f(C a) { return a.x; } \
    TB_FN R cuCimag##f(C a) { return a.y; } \
    TB_FN C cuConj##f(C a) { return make(a.x, -a.y); } \
    TB_FN C cuCadd##f(C a, C b) { return make(a.x + b.x, a.y + b.y); } \
    TB_FN C cuCsub##f(C a, C b) { return make(a.x - b.x, a.y - b.y); } \
    TB_FN C cuCmul##f(C a, C b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
    TB_FN C cuCdiv##f(C a, C b) \
    { \
        R s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), as = a.x / s, bs = a.y / s, cs = b.x / s, ds = b.y / s; \
        R n = cs * cs + ds * ds; \
        return make((as * cs + bs * ds) / n, (bs * cs - as * ds) / n); \
    } \
    TB_FN R cuCabs##f(C a) { return abs_of(a.x, a.y); } \
    TB_FN C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
TB_COMPLEX(float2, float, f, make_cuFloatComplex, __builtin_hypotf)
TB_COMPLEX(double2, double, , make_cuDoubleComplex, __builtin_hypot)
TB_FN cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
TB_FN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
TB_FN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
#endif
