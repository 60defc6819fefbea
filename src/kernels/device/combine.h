/* combine.h - accumulators of several threads and blocks made one, in an order that does not depend on timing.
 * TB_ACC_BYTES of workspace are there for each. */

enum { TB_ACC_WORDS = (sizeof(tb_acc) + 3) / 4 };
static_assert(TB_ACC_WORDS * 4 <= TB_ACC_BYTES, "an accumulator has its place in the workspace");

/* Of accumulators that take many registers fewer are at hand at a time, so that a multiprocessor has room for the
 * blocks that geometry.c makes; of others the compiler knows best. */
enum { TB_LARGE_ACC = TB_ACC_WORDS > 6, TB_RESIDENT = TB_LARGE_ACC ? 4 : 0, TB_AT_HAND = TB_LARGE_ACC ? 1 : 4 };

/* N accumulators become one, by halves. */
template <int N> TB_FN void tb_fold(tb_acc *s)
{
    if constexpr (N > 1) {
#pragma unroll
        for (int k = 0; k < N / 2; k++) tb_merge(s[k], s[k + N / 2]);
        tb_fold<N / 2>(s);
    }
}

/* s of another lane: `shuffle` fetches a word. */
template <class F> TB_FN tb_acc tb_shuffled(tb_acc s, F shuffle)
{
    tb_u32 w[TB_ACC_WORDS] = {0};
    memcpy(w, &s, sizeof s);
#pragma unroll
    for (int k = 0; k < TB_ACC_WORDS; k++) w[k] = shuffle(w[k]);
    memcpy(&s, w, sizeof s);
    return s;
}

/* Of the lane d above or below; of this lane itself where there is none. */
TB_FN tb_acc tb_from_above(tb_acc s, unsigned d)
{
    return tb_shuffled(s, [d](tb_u32 w) { return __shfl_down_sync(0xffffffffu, w, d); });
}

TB_FN tb_acc tb_from_below(tb_acc s, unsigned d)
{
    return tb_shuffled(s, [d](tb_u32 w) { return __shfl_up_sync(0xffffffffu, w, d); });
}

TB_FN tb_acc tb_from_lane(tb_acc s, unsigned lane)
{
    return tb_shuffled(s, [lane](tb_u32 w) { return __shfl_sync(0xffffffffu, w, lane); });
}

/* Accumulator k of the workspace. Reads bypass the cache of the multiprocessor, which may hold what was there before
 * another block wrote. */
TB_FN void tb_spill(const tb_params &p, tb_idx k, tb_acc s)
{
    tb_u32 w[TB_ACC_WORDS] = {0};
    memcpy(w, &s, sizeof s);
    tb_u32 *to = (tb_u32 *)p.workspace + (size_t)k * TB_ACC_WORDS;
    for (int i = 0; i < TB_ACC_WORDS; i++) to[i] = w[i];
}

TB_FN tb_acc tb_unspill(const tb_params &p, tb_idx k)
{
    tb_u32 w[TB_ACC_WORDS];
    const volatile tb_u32 *from = (const volatile tb_u32 *)p.workspace + (size_t)k * TB_ACC_WORDS;
    for (int i = 0; i < TB_ACC_WORDS; i++) w[i] = from[i];
    tb_acc s;
    memcpy(&s, w, sizeof s);
    return s;
}

/* Merges accumulators `at` + k * stride of the workspace, for k, k + step, ... below n, in this order. BATCH are on
 * their way at a time: each is a trip to memory. */
template <int BATCH>
TB_FN void tb_merge_parts(const tb_params &p, tb_idx at, tb_idx stride, tb_idx k, tb_idx step, tb_idx n, tb_acc &s)
{
    for (; k < n; k += BATCH * step) {
        tb_acc part[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (k + u * step < n) part[u] = tb_unspill(p, at + (k + u * step) * stride);
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (k + u * step < n) tb_merge(s, part[u]);
    }
}

/* Lane 0 gets the accumulator of the first 2 * d lanes. */
TB_FN tb_acc tb_warp_merge(tb_acc s, unsigned d)
{
    for (; d; d /= 2) tb_merge(s, tb_from_above(s, d));
    return s;
}

/* All threads of a one-dimensional block, of 256 at most, call it; thread 0 gets the block's accumulator. Every warp
 * makes it, so that none of them branches around its shuffles, unless those of a large one take longer. */
TB_FN tb_acc tb_block_merge(tb_acc s)
{
    enum { WARPS = 8 };
    __shared__ tb_acc part[WARPS];
    const unsigned lane = threadIdx.x % 32;
    s = tb_warp_merge(s, 16);
    if (lane == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (!TB_LARGE_ACC || threadIdx.x < 32)
        s = tb_warp_merge(lane < blockDim.x / 32 ? part[lane] : tb_init(), WARPS / 2);
    __syncthreads();
    return s;
}

/* Whether this block is the last of `blocks` to arrive; what they wrote before can then be read. The counter is zero
 * again afterwards. */
TB_FN bool tb_last_block(tb_u32 *counter, unsigned blocks)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        last = atomicAdd(counter, 1u) == blocks - 1;
        if (last) *counter = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}
