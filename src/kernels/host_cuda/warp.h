/* warp.h - barriers of a block and what the lanes of a warp do together, for kernels compiled for the CPU.
 *
 * The old forms without a mask, and __activemask, are for the lanes that get there together. */
#ifndef TB_KERNELS_HOST_CUDA_WARP_H
#define TB_KERNELS_HOST_CUDA_WARP_H

TB_FN void __syncthreads() { tb_services->sync_block(TB_HOST_SYNC, 0); }
TB_FN int __syncthreads_count(int p) { return tb_services->sync_block(TB_HOST_SYNC_COUNT, p != 0); }
TB_FN int __syncthreads_and(int p) { return tb_services->sync_block(TB_HOST_SYNC_AND, p != 0); }
TB_FN int __syncthreads_or(int p) { return tb_services->sync_block(TB_HOST_SYNC_OR, p != 0); }
TB_FN void __barrier_sync(unsigned) { __syncthreads(); }

TB_FN int tb_lane()
{
    const tb_host_here *h = *tb_here_slot();
    return (int)((h->thread.x + h->block_dim.x * (h->thread.y + h->block_dim.y * h->thread.z)) & 31);
}
TB_FN void __syncwarp(unsigned mask = ~0u) { tb_services->warp(TB_HOST_WARP_SYNC, mask, 0, 0); }

TB_FN unsigned tb_lanemask_lt() { return (1u << tb_lane()) - 1; }

/* Values of up to 8 bytes travel as their bits. */
template <class T> TB_FN tb_ull tb_sent(T v)
{
    tb_ull bits = 0;
    static_assert(sizeof v <= 8, "lanes exchange values of up to 8 bytes");
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> TB_FN T tb_received(tb_ull bits)
{
    T v;
    __builtin_memcpy((void *)&v, &bits, sizeof v);
    return v;
}

/* The lane to read from, within segments of `width` lanes; a lane without one keeps its own value. */
TB_FN int tb_from_index(int src, int width) { return (tb_lane() & ~(width - 1)) | (src & (width - 1)); }
TB_FN int tb_from_up(int delta, int width)
{
    int l = tb_lane(), in = l & (width - 1);
    return in - delta < 0 ? l : l - delta;
}
TB_FN int tb_from_down(int delta, int width)
{
    int l = tb_lane(), in = l & (width - 1);
    return in + delta >= width ? l : l + delta;
}
/* A lane of an earlier segment may be read, one of a later segment not. */
TB_FN int tb_from_xor(int mask, int width)
{
    int l = tb_lane(), from = l ^ mask, end = (l & ~(width - 1)) + width;
    return from < end ? from : l;
}

template <class T> struct tb_shuffles { enum { value = tb_is_number<T>::value }; };
#define TB_SHUFFLE(name, from, kind) \
    template <class T> \
    TB_FN typename tb_if<tb_shuffles<T>::value, T>::type __##name##_sync(unsigned mask, T v, kind a, int width = 32) \
    { \
        return tb_received<T>(tb_services->warp(TB_HOST_SHUFFLE, mask, tb_sent(v), from((int)a, width))); \
    } \
    template <class T> TB_FN typename tb_if<tb_shuffles<T>::value, T>::type __##name(T v, kind a, int width = 32) \
    { \
        return tb_received<T>(tb_services->warp(TB_HOST_SHUFFLE, TB_HOST_CONVERGED, tb_sent(v), from((int)a, width))); \
    }
TB_SHUFFLE(shfl, tb_from_index, int)
TB_SHUFFLE(shfl_up, tb_from_up, unsigned)
TB_SHUFFLE(shfl_down, tb_from_down, unsigned)
TB_SHUFFLE(shfl_xor, tb_from_xor, int)

TB_FN unsigned __ballot_sync(unsigned mask, int p)
{
    return (unsigned)tb_services->warp(TB_HOST_BALLOT, mask, p != 0, 0);
}
TB_FN int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
TB_FN int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, !p) == 0; }
TB_FN int __uni_sync(unsigned mask, int p) { return (int)(tb_services->warp(TB_HOST_MATCH_ALL, mask, p != 0, 0) != 0); }
TB_FN unsigned __ballot(int p) { return (unsigned)tb_services->warp(TB_HOST_BALLOT, TB_HOST_CONVERGED, p != 0, 0); }
TB_FN int __any(int p) { return __ballot(p) != 0; }
TB_FN int __all(int p) { return __ballot(!p) == 0; }
template <class T> TB_FN unsigned __match_any_sync(unsigned mask, T v)
{
    return (unsigned)tb_services->warp(TB_HOST_MATCH_ANY, mask, tb_sent(v), 0);
}
template <class T> TB_FN unsigned __match_all_sync(unsigned mask, T v, int *p)
{
    unsigned all = (unsigned)tb_services->warp(TB_HOST_MATCH_ALL, mask, tb_sent(v), 0);
    *p = all != 0;
    return all;
}

#define TB_REDUCE(name, NAME) \
    TB_FN unsigned __reduce_##name##_sync(unsigned mask, unsigned v) \
    { \
        return (unsigned)tb_services->warp(TB_HOST_##NAME##_U32, mask, v, 0); \
    }
TB_REDUCE(add, ADD) TB_REDUCE(min, MIN) TB_REDUCE(max, MAX) TB_REDUCE(and, AND) TB_REDUCE(or, OR) TB_REDUCE(xor, XOR)
#define TB_REDUCE_SIGNED(name, NAME) \
    TB_FN int __reduce_##name##_sync(unsigned mask, int v) \
    { \
        return (int)tb_services->warp(TB_HOST_##NAME##_I32, mask, (unsigned)v, 0); \
    }
TB_REDUCE_SIGNED(add, ADD) TB_REDUCE_SIGNED(min, MIN) TB_REDUCE_SIGNED(max, MAX)
#endif
