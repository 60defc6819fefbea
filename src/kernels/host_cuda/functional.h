/* functional.h - the text of <cuda/functional>, for kernels that are compiled for the CPU. */
#ifndef TB_KERNELS_HOST_CUDA_FUNCTIONAL_H
#define TB_KERNELS_HOST_CUDA_FUNCTIONAL_H
namespace cuda {
template <class T = void> struct maximum {
    template <class U> U operator()(const U &a, const U &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
    template <class U> U operator()(const U &a, const U &b) const { return b < a ? b : a; }
};
}
#endif
