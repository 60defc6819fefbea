/* sort_block.h - SORT of rows that fit a block's shared memory: digit by digit, there. A digit that all keys have in
 * common is passed over. */

struct tb_params {
    const tb_element *in;
    void *out; /* elements, or positions */
    tb_u64 n;
};

/* Item i becomes the i-th of the thread in the order that `at` says. */
template <class T> TB_FN void tb_exchange(T *x, const tb_u32 *at, tb_room &room)
{
    T *all = (T *)room.words;
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) all[at[i]] = x[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) x[i] = all[tb_item(i)];
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_room room;
    tb_wait();
    const tb_u64 begin = blockIdx.x * p.n;
    const tb_u32 n = (tb_u32)p.n;
    tb_key keys[TB_ITEMS];
    tb_u32 at[TB_ITEMS], places[TB_ITEMS];
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) places[i] = tb_item(i);
    tb_take_keys(p.in + begin, n, keys);
    for (tb_u32 pass = 0; pass < TB_PASSES; pass++) {
        const tb_u32 count = tb_rank_count(keys, pass, room, at);
        if (__syncthreads_or(count == (threadIdx.x == 255 ? TB_TILE : n))) continue;
        tb_rank_place(keys, pass, count, room, at);
        tb_exchange(keys, at, room);
        if (TB_ORDER) tb_exchange(places, at, room);
    }
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        if (tb_item(i) >= n) continue;
        if (TB_ORDER) ((tb_i64 *)p.out)[begin + tb_item(i)] = places[i];
        else ((tb_element *)p.out)[begin + tb_item(i)] = tb_element_of(keys[i]);
    }
}
