/* cub.h - reductions by a warp and by a block, with CUB's names: what kernels in Python use on GPU and CPU, and
 * the text of <cub/...> on the CPU.
 *
 * Values are combined in the order of the threads, so that the operator need not be commutative. The result is that of
 * the first thread; the others' is not defined. */
#ifndef TB_USER_CUB_H
#define TB_USER_CUB_H
namespace cub {

#define TB_CUB_OPERATOR(name, e) \
    struct name { \
        template <class T> __device__ __forceinline__ T operator()(const T &a, const T &b) const { return (T)(e); } \
    };
TB_CUB_OPERATOR(Sum, a + b)
TB_CUB_OPERATOR(Difference, a - b)
TB_CUB_OPERATOR(Max, a < b ? b : a)
TB_CUB_OPERATOR(Min, b < a ? b : a)
#undef TB_CUB_OPERATOR

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

/* Values of any size go from lane to lane in words of 4 or 8 bytes. */
template <bool large> struct tb_lane_word { typedef unsigned int type; };
template <> struct tb_lane_word<true> { typedef unsigned long long type; };

template <class T> __device__ __forceinline__ T tb_from_above(unsigned int mask, const T &v, int by)
{
    typedef typename tb_lane_word<(sizeof(T) > 4)>::type word;
    enum { count = (sizeof(T) + sizeof(word) - 1) / sizeof(word) };
    word words[count] = {};
    T other = v;
    memcpy((void *)words, (const void *)&v, sizeof(T));
#pragma unroll
    for (int k = 0; k < count; k++) words[k] = __shfl_down_sync(mask, words[k], by);
    memcpy((void *)&other, (const void *)words, sizeof(T));
    return other;
}

/* Of the first `valid` lanes that follow each other from the calling thread's rank 0 on. */
template <int lanes, class T, class F>
__device__ __forceinline__ T tb_reduce_lanes(unsigned int mask, int rank, int valid, T v, F op)
{
#pragma unroll
    for (int by = 1; by < lanes; by *= 2) {
        T other = tb_from_above(mask, v, by);
        if (rank + by < valid) v = (T)op(v, other);
    }
    return v;
}

__device__ __forceinline__ int tb_thread_rank()
{
    return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

template <class T, int lanes = 32> class WarpReduce {
    static_assert(lanes >= 1 && lanes <= 32, "a logical warp has 1 to 32 threads");

public:
    struct TempStorage { char none; };
    __device__ __forceinline__ WarpReduce(TempStorage &) {}
    template <class F> __device__ __forceinline__ T Reduce(T v, F op, int valid = lanes)
    {
        const int lane = tb_thread_rank() & 31, first = lane / lanes * lanes;
        const unsigned int mask = (lanes == 32 ? ~0u : (1u << lanes % 32) - 1) << first;
        return tb_reduce_lanes<lanes>(mask, lane - first, valid, v, op);
    }
    __device__ __forceinline__ T Sum(T v, int valid = lanes) { return Reduce(v, cub::Sum(), valid); }
};

template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1>
class BlockReduce {
    enum { threads = x * y * z, warps = (threads + 31) / 32 };
#ifdef TB_HOST_CUDA
    enum { kept = threads };
#else
    enum { kept = warps };
#endif
    static_assert(threads >= 1 && threads <= 1024, "a block has 1 to 1024 threads");

public:
    struct TempStorage { alignas(T) unsigned char parts[sizeof(T) * kept]; };
    __device__ __forceinline__ BlockReduce(TempStorage &s) : parts((T *)s.parts) {}
    template <class F> __device__ __forceinline__ T Reduce(T v, F op, int valid = threads)
    {
        const int rank = tb_thread_rank(), warp = rank / 32, first = warp * 32;
        const int present = threads - first < 32 ? threads - first : 32;
        const unsigned int mask = present == 32 ? ~0u : (1u << present) - 1;
        if (valid > threads) valid = threads;
#ifdef TB_HOST_CUDA
        parts[rank] = v;
        __syncthreads();
        return rank == 0 ? combined(op, valid) : v;
#endif
        v = tb_reduce_lanes<(threads < 32 ? threads : 32)>(mask, rank - first, valid - first, v, op);
        if (warps == 1) return v;
        if (rank == first) parts[warp] = v;
        __syncthreads();
        if (rank == 0)
            for (int k = 1; k < warps && k * 32 < valid; k++) v = (T)op(v, parts[k]);
        return v;
    }
    template <int n, class F> __device__ __forceinline__ T Reduce(T (&items)[n], F op)
    {
        T v = items[0];
        for (int k = 1; k < n; k++) v = (T)op(v, items[k]);
        return Reduce(v, op);
    }
    __device__ __forceinline__ T Sum(T v, int valid = threads) { return Reduce(v, cub::Sum(), valid); }
    template <int n> __device__ __forceinline__ T Sum(T (&items)[n]) { return Reduce(items, cub::Sum()); }

private:
    T *parts;
#ifdef TB_HOST_CUDA
    /* Lanes that exchange numbers switch stacks each time, so that the first thread does the work of all, in their
     * order. */
    template <class F> T combined(F op, int valid)
    {
        for (int first = 0; first < valid; first += 32) {
            const int n = valid - first < 32 ? valid - first : 32;
            T *v = parts + first;
            for (int by = 1; by < n; by *= 2)
                for (int k = 0; k + by < n; k += 2 * by) v[k] = (T)op(v[k], v[k + by]);
            if (first) parts[0] = (T)op(parts[0], *v);
        }
        return parts[0];
    }
#endif
};
}
#endif
