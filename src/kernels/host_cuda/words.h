/* words.h - CUDA's words as macros, and the macros that the rewritten source uses.
 *
 * They come after all other headers: no header may need them, so that a source can be preprocessed with the headers in
 * front and still have these words in it. */
#ifndef TB_KERNELS_HOST_CUDA_WORDS_H
#define TB_KERNELS_HOST_CUDA_WORDS_H
#undef __forceinline__

#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__

#define threadIdx (tb_here->thread)
#define blockIdx (tb_here->block)
#define blockDim (tb_here->block_dim)
#define gridDim (tb_here->grid_dim)
#define warpSize 32
#define TB_TEXT_(x) #x
#define TB_TEXT(x) TB_TEXT_(x)
/* Lanes at the same place of the source are together. */
#define TB_PLACE ((const void *)(__COUNTER__ + 1ul))
#define __activemask() (tb_services->converged(TB_PLACE))
#define __sinf tb_fast_sinf
#define __cosf tb_fast_cosf
#define __tanf tb_fast_tanf
#define __expf tb_fast_expf
#define __exp10f tb_fast_exp10f
#define __logf tb_fast_logf
#define __log2f tb_fast_log2f
#define __log10f tb_fast_log10f
#define __powf tb_fast_powf
#define __sincosf tb_fast_sincosf
#define __fdividef tb_fast_fdividef
/* What assert becomes: without a definition, NDEBUG is its own text. */
#define tb_assert(ndebug, text, ...) \
    (TB_TEXT(ndebug)[0] != 'N' || (__VA_ARGS__) \
         ? (void)0 : tb_services->fail(TB_HOST_FAIL_ASSERT, __FILE__ ":" TB_TEXT(__LINE__) ": assert(" text ")"))

#define TB_KERNEL static inline __attribute__((always_inline))
#define TB_KERNEL_SPECIALISED inline __attribute__((always_inline))
#define TB_KERNEL_PARAMETER const tb_host_here *tb_here
#define TB_KERNEL_TYPE(...) tb_kernel<decltype(&__VA_ARGS__)>
#define TB_KERNEL_LOOPS(name, bounds, ...) \
    {name, TB_KERNEL_TYPE(__VA_ARGS__)::nparam, TB_KERNEL_TYPE(__VA_ARGS__)::sizes(), \
     &TB_KERNEL_TYPE(__VA_ARGS__)::template run_blocks<&__VA_ARGS__, TB_PLACES_OUTSIDE>, 0, bounds}
#define TB_KERNEL_WAITS(name, bounds, ...) \
    {name, TB_KERNEL_TYPE(__VA_ARGS__)::nparam, TB_KERNEL_TYPE(__VA_ARGS__)::sizes(), 0, \
     &TB_KERNEL_TYPE(__VA_ARGS__)::template run_thread<&__VA_ARGS__>, bounds}
#define TB_GLOBAL(name, constant, ...) {name, (void *)&(__VA_ARGS__), sizeof(__VA_ARGS__), constant}
#define TB_MODULE(prints, others) \
    extern "C" __attribute__((visibility("default"))) const tb_host_exports tb_host_module = { \
        TB_HOST_VERSION, prints, &tb_services, tb_kernels, tb_globals, others}
#endif
