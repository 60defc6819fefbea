/* run.h - how a kernel that is compiled for the CPU reaches the threads it runs in, and is reached.
 *
 * tb_here-> is where a thread is. In a kernel's body that is its hidden parameter; elsewhere an object of that name
 * asks the calling thread. A kernel that never waits is run by a loop over the threads of its blocks, into which it is
 * inlined. */
#ifndef TB_KERNELS_HOST_CUDA_RUN_H
#define TB_KERNELS_HOST_CUDA_RUN_H

static const tb_host_services *tb_services;

#ifdef TB_STD /* objects of headers that are destroyed when the library is closed, which start files would see to */
extern "C" {
__attribute__((visibility("hidden"))) void *__dso_handle = &__dso_handle;
void __cxa_finalize(void *);
}
static __attribute__((destructor)) void tb_finalize() { __cxa_finalize(&__dso_handle); }
#endif

#if defined(__has_builtin) && defined(__ELF__)
#if __has_builtin(__builtin_thread_pointer)
#define TB_HAVE_THREAD_POINTER 1
#endif
#endif
TB_FN const tb_host_here **tb_here_slot()
{
#ifdef TB_HAVE_THREAD_POINTER
    return (const tb_host_here **)((char *)__builtin_thread_pointer() + tb_services->here_offset);
#else
    return tb_services->here();
#endif
}
struct tb_here_elsewhere {
    inline __attribute__((always_inline)) const tb_host_here *operator->() const { return *tb_here_slot(); }
};
static constexpr tb_here_elsewhere tb_here{};

TB_FN void *tb_dynamic_shared() { return tb_services->dynamic(); }

template <int... I> struct tb_indices {};
template <int N, int... I> struct tb_make_indices : tb_make_indices<N - 1, N - 1, I...> {};
template <int... I> struct tb_make_indices<0, I...> { typedef tb_indices<I...> type; };
template <class T> struct tb_plain { typedef T type; };
template <class T> struct tb_plain<const T> { typedef T type; };

/* An argument's value, whose address need not be aligned for it. */
template <class T> TB_FN T tb_argument(const void *p)
{
    union room {
        char bytes[sizeof(T)];
        T value;
        room() {}
        ~room() {}
    } r;
    __builtin_memcpy(r.bytes, p, sizeof(T));
    return r.value;
}

template <class F> struct tb_kernel;
template <class... A> struct tb_kernel<void (*)(const tb_host_here *, A...)> {
    typedef void (*function)(const tb_host_here *, A...);
    static const unsigned long *sizes()
    {
        static const unsigned long s[] = {sizeof(A)..., 0};
        return s;
    }
    template <function F, int... I>
    static inline __attribute__((always_inline)) void
    loop(const tb_host_here *launch, unsigned long first, unsigned long count, tb_indices<I...>, bool outside,
         typename tb_plain<A>::type... a)
    {
        tb_host_here here = *launch;
        const unsigned gx = here.grid_dim.x, gy = here.grid_dim.y;
        const unsigned nx = here.block_dim.x, ny = here.block_dim.y, nz = here.block_dim.z;
        if (nx > 1024 || ny > 1024 || nz > 64) __builtin_unreachable();
        if (outside) *tb_here_slot() = &here;
        for (unsigned long b = first; b < first + count; b++) {
            here.block.x = (unsigned)(b % gx);
            here.block.y = (unsigned)(b / gx % gy);
            here.block.z = (unsigned)(b / gx / gy);
            for (unsigned z = 0; z < nz; z++)
                for (unsigned y = 0; y < ny; y++)
                    for (unsigned x = 0; x < nx; x++) {
                        here.thread.x = x;
                        here.thread.y = y;
                        here.thread.z = z;
                        F(&here, a...);
                    }
        }
    }
    template <function F, bool outside, int... I>
    static void blocks(const tb_host_here *launch, void **args, unsigned long first, unsigned long count,
                       tb_indices<I...> all)
    {
        loop<F>(launch, first, count, all, outside, tb_argument<typename tb_plain<A>::type>(args[I])...);
    }
    template <function F, bool outside>
    static void run_blocks(const tb_host_here *launch, void **args, unsigned long first, unsigned long count)
    {
        blocks<F, outside>(launch, args, first, count, typename tb_make_indices<sizeof...(A)>::type());
    }
    template <function F, int... I> static void thread(const tb_host_here *here, void **args, tb_indices<I...>)
    {
        F(here, tb_argument<typename tb_plain<A>::type>(args[I])...);
    }
    template <function F> static void run_thread(const tb_host_here *here, void **args)
    {
        thread<F>(here, args, typename tb_make_indices<sizeof...(A)>::type());
    }
    enum { nparam = sizeof...(A) };
};
#endif
