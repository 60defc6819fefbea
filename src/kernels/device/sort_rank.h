/* sort_rank.h - SORT: a block's keys put in order by one digit. Thread by thread a warp has 32 * TB_ITEMS keys that
 * follow one another: thread `lane` the lane-th of every 32. Lanes find those with the same digit by a match, as in
 * Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (NVIDIA, 2022). */

enum {
    TB_TILE = TB_THREADS * TB_ITEMS,
    TB_WARPS = TB_THREADS / 32,
    TB_ITEM_WORDS = TB_ORDER && sizeof(tb_index) / 4 > TB_WORDS ? sizeof(tb_index) / 4 : TB_WORDS,
    TB_ROOM = TB_TILE * TB_ITEM_WORDS > TB_WARPS * 256 ? TB_TILE * TB_ITEM_WORDS : TB_WARPS * 256
};

/* What a block needs: counts of each warp, and then its keys. */
struct tb_room {
    tb_u32 words[TB_ROOM];
    tb_u32 start[256]; /* where the keys of a digit begin */
    tb_u32 sums[8];
};

/* Where in the tile the thread's item i is. */
TB_FN tb_u32 tb_item(int i) { return threadIdx.x / 32 * (32 * TB_ITEMS) + i * 32 + threadIdx.x % 32; }

/* The thread's items of `n` that begin at `from`, of which the tile may have less than it has room for; all of them are
 * asked for in one trip to memory. */
template <class T> TB_FN void tb_take(const T *from, tb_u64 n, T *x)
{
    if (n >= TB_TILE) {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) x[i] = from[tb_item(i)];
    } else {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++)
            if (tb_item(i) < n) x[i] = from[tb_item(i)];
    }
}

TB_FN void tb_take_keys(const tb_element *from, tb_u64 n, tb_key *keys)
{
    tb_element x[TB_ITEMS];
    tb_take(from, n, x);
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) keys[i] = tb_item(i) < n ? tb_key_of(x[i]) : tb_key_last();
}

TB_FN void tb_take_keys(const tb_key *from, tb_u64 n, tb_key *keys)
{
    tb_take(from, n, keys);
    if (n >= TB_TILE) return;
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++)
        if (tb_item(i) >= n) keys[i] = tb_key_last();
}

/* The lanes whose digit is this one. A match instruction takes the longer the more digits there are. */
TB_FN unsigned tb_peers(tb_u32 digit)
{
    unsigned peers = ~0u;
#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
        const bool set = digit >> bit & 1;
        const unsigned all = __ballot_sync(~0u, set);
        peers &= set ? all : ~all;
    }
    return peers;
}

/* The sum of what the threads below have; of the first 256. All threads come here. */
TB_FN tb_u32 tb_sum_below(tb_u32 x, tb_u32 *sums)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    tb_u32 sum = x;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const tb_u32 other = __shfl_up_sync(~0u, sum, d);
        if (lane >= d) sum += other;
    }
    if (warp < 8 && lane == 31) sums[warp] = sum;
    __syncthreads();
    tb_u32 below = 0;
#pragma unroll
    for (int i = 0; i < 7; i++) below += i < warp ? sums[i] : 0;
    return below + sum - x;
}

/* Counts: at[i] is how many keys before item i its warp has with the same digit; the result, of thread d < 256, how
 * many the block has of digit d. */
TB_FN tb_u32 tb_rank_count(const tb_key *keys, tb_u32 pass, tb_room &room, tb_u32 *at)
{
    const unsigned lane = threadIdx.x % 32;
    tb_u32 *mine = room.words + threadIdx.x / 32 * 256, count = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) mine[i * 32 + lane] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const unsigned peers = tb_peers(tb_digit(keys[i], pass));
        at[i] = __popc(peers & ((1u << lane) - 1)) | __popc(peers) << 8;
    }
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_u32 digit = tb_digit(keys[i], pass), before = mine[digit], below = at[i] & 255;
        __syncwarp();
        if (below == 0) mine[digit] = before + (at[i] >> 8);
        at[i] = before + below;
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < 256) {
#pragma unroll
        for (int w = 0; w < TB_WARPS; w++) {
            const tb_u32 x = room.words[w * 256 + threadIdx.x];
            room.words[w * 256 + threadIdx.x] = count;
            count += x;
        }
    }
    return count;
}

/* Then at[i] becomes item i's place in the tile. */
TB_FN void tb_rank_place(const tb_key *keys, tb_u32 pass, tb_u32 count, tb_room &room, tb_u32 *at)
{
    const tb_u32 start = tb_sum_below(threadIdx.x < 256 ? count : 0, room.sums);
    const tb_u32 *mine = room.words + threadIdx.x / 32 * 256;
    if (threadIdx.x < 256) {
        room.start[threadIdx.x] = start;
#pragma unroll
        for (int w = 0; w < TB_WARPS; w++) room.words[w * 256 + threadIdx.x] += start;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) at[i] += mine[tb_digit(keys[i], pass)];
    __syncthreads();
}
