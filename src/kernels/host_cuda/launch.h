/* launch.h - kernels that launch kernels, compiled for the CPU: what the rewriter makes of <<<...>>>.
 *
 * The arguments are evaluated at the launch and kept in a closure; the grid runs when the one that launched it is
 * over, as a kernel with one parameter, the closure's address. */
#ifndef TB_KERNELS_HOST_CUDA_LAUNCH_H
#define TB_KERNELS_HOST_CUDA_LAUNCH_H

#define cudaStreamTailLaunch ((cudaStream_t)TB_HOST_TAIL)
#define cudaStreamFireAndForget ((cudaStream_t)4)
enum { cudaStreamDefault, cudaStreamNonBlocking };
TB_FN cudaError_t cudaGetLastError() { return cudaSuccess; }
TB_FN cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
/* All streams of a grid are worked off in the order of the launches. */
TB_FN cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned)
{
    *s = 0;
    return cudaSuccess;
}
TB_FN cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }

template <class C> struct tb_child {
    static inline __attribute__((always_inline)) void one(const tb_host_here *here, const C *call) { (*call)(here); }
    typedef tb_kernel<void (*)(const tb_host_here *, const C *)> kernel;
};

struct tb_launch_name {
    const char *name;
    bool waits;
    int max_threads;
};
template <class F> struct tb_launcher {
    F f;
    tb_launch_name name;
    tb_host_launch launch;

    template <class... A> void operator()(A... a)
    {
        F run = f;
        auto call = [=](const tb_host_here *here) { run(here, a...); };
        typedef tb_child<decltype(call)> child;
        const tb_host_kernel k = {
            name.name, 1, child::kernel::sizes(),
            name.waits ? 0 : &child::kernel::template run_blocks<&child::one, true>,
            name.waits ? &child::kernel::template run_thread<&child::one> : 0, name.max_threads};
        launch.kernel = &k;
        launch.arguments = &call;
        launch.size = sizeof call;
        tb_services->launch(&launch);
    }
};
template <class H, class F>
TB_FN tb_launcher<F> tb_launch(H here, tb_launch_name name, F f, dim3 grid, dim3 block, tb_size shared = 0,
                               cudaStream_t stream = 0)
{
    const tb_host_index at = here->block;
    const tb_host_size n = here->grid_dim;
    tb_host_launch launch = {0, grid, block, (unsigned)shared, (unsigned long)stream == TB_HOST_TAIL,
                             at.x + (unsigned long)n.x * (at.y + (unsigned long)n.y * at.z), 0, 0};
    return tb_launcher<F>{f, name, launch};
}
#endif
