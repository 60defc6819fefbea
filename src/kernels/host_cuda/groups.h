/* groups.h - cooperative groups for kernels compiled for the CPU: the text of <cooperative_groups.h>.
 *
 * A tile is lanes of one warp, and a warp collective with its mask; the block and the grid have their barriers. */
#ifndef TB_KERNELS_HOST_CUDA_GROUPS_H
#define TB_KERNELS_HOST_CUDA_GROUPS_H
namespace cooperative_groups {

TB_FN const tb_host_here *tb_place() { return *tb_here_slot(); }
TB_FN unsigned tb_rank_in_block()
{
    const tb_host_here *h = tb_place();
    return h->thread.x + h->block_dim.x * (h->thread.y + h->block_dim.y * h->thread.z);
}
TB_FN unsigned tb_block_size() { return tb_place()->block_dim.x * tb_place()->block_dim.y * tb_place()->block_dim.z; }
TB_FN unsigned tb_block_rank()
{
    const tb_host_here *h = tb_place();
    return h->block.x + h->grid_dim.x * (h->block.y + h->grid_dim.y * h->block.z);
}
TB_FN unsigned tb_grid_size() { return tb_place()->grid_dim.x * tb_place()->grid_dim.y * tb_place()->grid_dim.z; }

struct thread_block {
    static void sync() { __syncthreads(); }
    static unsigned size() { return tb_block_size(); }
    static unsigned num_threads() { return tb_block_size(); }
    static unsigned thread_rank() { return tb_rank_in_block(); }
    static dim3 group_index() { return dim3(tb_place()->block); }
    static dim3 thread_index() { return dim3(tb_place()->thread); }
    static dim3 group_dim() { return tb_place()->block_dim; }
    static dim3 dim_threads() { return tb_place()->block_dim; }
};
TB_FN thread_block this_thread_block() { return thread_block(); }

struct grid_group {
    static void sync() { tb_services->sync_grid(); }
    static bool is_valid() { return tb_services->sync_grid_valid(); }
    static tb_ull size() { return (tb_ull)tb_grid_size() * tb_block_size(); }
    static tb_ull num_threads() { return size(); }
    static tb_ull thread_rank() { return (tb_ull)tb_block_rank() * tb_block_size() + tb_rank_in_block(); }
    static tb_ull num_blocks() { return tb_grid_size(); }
    static tb_ull block_rank() { return tb_block_rank(); }
    static dim3 group_dim() { return tb_place()->grid_dim; }
    static dim3 dim_blocks() { return tb_place()->grid_dim; }
    static dim3 block_index() { return dim3(tb_place()->block); }
};
TB_FN grid_group this_grid() { return grid_group(); }

/* Lanes of a warp, the lowest being rank 0. Values of any size go in pieces of 8 bytes. */
class tb_lanes {
protected:
    unsigned mask;
    unsigned lane_of(unsigned rank) const { return __fns(mask, 0, (int)rank + 1); }

public:
    explicit tb_lanes(unsigned m) : mask(m) {}
    void sync() const { __syncwarp(mask); }
    unsigned size() const { return (unsigned)__popc(mask); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return (unsigned)__popc(mask & tb_lanemask_lt()); }
    unsigned tb_mask() const { return mask; }
    template <class T> T tb_from_lane(T v, unsigned lane) const
    {
        char bytes[sizeof(T)];
        for (unsigned at = 0; at < sizeof(T); at += 8) {
            tb_ull part = 0;
            unsigned n = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
            __builtin_memcpy(&part, (const char *)&v + at, n);
            part = tb_services->warp(TB_HOST_SHUFFLE, mask, part, (int)lane);
            __builtin_memcpy(bytes + at, &part, n);
        }
        return tb_argument<T>(bytes);
    }
    template <class T> T shfl(T v, int rank) const { return tb_from_lane(v, lane_of((unsigned)rank % size())); }
    template <class T> T shfl_up(T v, unsigned delta) const
    {
        unsigned r = thread_rank();
        return tb_from_lane(v, lane_of(r < delta ? r : r - delta));
    }
    template <class T> T shfl_down(T v, unsigned delta) const
    {
        unsigned r = thread_rank();
        return tb_from_lane(v, lane_of(r + delta >= size() ? r : r + delta));
    }
    int any(int p) const { return __any_sync(mask, p); }
    int all(int p) const { return __all_sync(mask, p); }
    unsigned ballot(int p) const { return ranks_of(__ballot_sync(mask, p)); }
    template <class T> unsigned match_any(T v) const { return ranks_of(__match_any_sync(mask, v)); }
    template <class T> unsigned match_all(T v, int &p) const { return ranks_of(__match_all_sync(mask, v, &p)); }

private:
    unsigned ranks_of(unsigned lanes) const
    {
        unsigned ranks = 0, rank = 0;
        for (unsigned m = mask; m; m &= m - 1, rank++)
            if (lanes & m & (0u - m)) ranks |= 1u << rank;
        return ranks;
    }
};

struct coalesced_group : tb_lanes {
    explicit coalesced_group(unsigned m) : tb_lanes(m) {}
    unsigned meta_group_size() const { return 1; }
    unsigned meta_group_rank() const { return 0; }
};
#define coalesced_threads() coalesced_group_at(TB_PLACE)
TB_FN coalesced_group coalesced_group_at(const void *site) { return coalesced_group(tb_services->converged(site)); }

template <unsigned N, class Parent = void> class thread_block_tile : public tb_lanes {
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");

    static unsigned own_mask() { return (N == 32 ? ~0u : (1u << N % 32) - 1) << (tb_rank_in_block() % 32 / N * N); }

public:
    thread_block_tile() : tb_lanes(own_mask()) {}
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }
    static unsigned thread_rank() { return tb_rank_in_block() % N; }
    template <class T> T shfl(T v, int rank) const { return tb_from_lane(v, first() + (unsigned)rank % N); }
    template <class T> T shfl_xor(T v, unsigned m) const
    {
        return tb_from_lane(v, first() + ((thread_rank() ^ m) % N));
    }
    template <class T> T shfl_up(T v, unsigned delta) const
    {
        unsigned r = thread_rank();
        return tb_from_lane(v, first() + (r < delta ? r : r - delta));
    }
    template <class T> T shfl_down(T v, unsigned delta) const
    {
        unsigned r = thread_rank();
        return tb_from_lane(v, first() + (r + delta >= N ? r : r + delta));
    }
    static unsigned meta_group_size() { return (tb_block_size() + N - 1) / N; }
    static unsigned meta_group_rank() { return tb_rank_in_block() / N; }

private:
    static unsigned first() { return tb_rank_in_block() % 32 / N * N; }
};
template <unsigned N, class G> TB_FN thread_block_tile<N, G> tiled_partition(const G &)
{
    return thread_block_tile<N, G>();
}

/* A size that is known only at run time. */
struct thread_group : tb_lanes {
    bool block;
    explicit thread_group(unsigned m) : tb_lanes(m), block(false) {}
    thread_group(thread_block) : tb_lanes(0), block(true) {}
    void sync() const
    {
        if (block) __syncthreads();
        else __syncwarp(mask);
    }
    unsigned size() const { return block ? tb_block_size() : tb_lanes::size(); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return block ? tb_rank_in_block() : tb_lanes::thread_rank(); }
};
template <class G> TB_FN thread_group tiled_partition(const G &, unsigned n)
{
    return thread_group((n == 32 ? ~0u : (1u << n % 32) - 1) << (tb_rank_in_block() % 32 / n * n));
}
/* Those of a tile whose predicates are equal. */
template <class G> TB_FN coalesced_group binary_partition(const G &g, bool p)
{
    unsigned with = __ballot_sync(g.tb_mask(), p);
    return coalesced_group(p ? with : g.tb_mask() & ~with);
}
template <class G, class T> TB_FN coalesced_group labeled_partition(const G &g, T label)
{
    return coalesced_group(__match_any_sync(g.tb_mask(), label));
}

template <class G> TB_FN void sync(const G &g) { g.sync(); }
TB_FN void wait(const thread_block &b) { b.sync(); }
template <class G, class T> TB_FN void memcpy_async(const G &g, T *to, const T *from, tb_size bytes)
{
    for (tb_size i = g.thread_rank(); i < bytes; i += g.size()) ((char *)to)[i] = ((const char *)from)[i];
}
template <class G> TB_FN void wait(const G &g) { g.sync(); }

}
#endif
