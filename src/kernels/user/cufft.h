/* cufft.h - the types of callbacks that run where a Fourier transform loads and stores its elements: of cuFFT's headers
 * what device code needs. */
#ifndef TB_USER_CUFFT_H
#define TB_USER_CUFFT_H

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cuFloatComplex, cuComplex, cufftComplex;
typedef double2 cuDoubleComplex, cufftDoubleComplex;

#define TB_CALLBACKS(T, KIND) \
    typedef T (*cufftCallbackLoad##KIND)(void *data, size_t offset, void *info, void *shared); \
    typedef T (*cufftJITCallbackLoad##KIND)(void *data, unsigned long long offset, void *info, void *shared); \
    typedef void (*cufftCallbackStore##KIND)(void *data, size_t offset, T element, void *info, void *shared); \
    typedef void (*cufftJITCallbackStore##KIND)(void *data, unsigned long long offset, T element, void *info, \
                                                void *shared);
TB_CALLBACKS(cufftReal, R)
TB_CALLBACKS(cufftDoubleReal, D)
TB_CALLBACKS(cufftComplex, C)
TB_CALLBACKS(cufftDoubleComplex, Z)
#undef TB_CALLBACKS
#endif
