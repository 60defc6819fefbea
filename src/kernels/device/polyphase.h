/* polyphase.h - POLYPHASE: filters between two rates. A result needs every `up`th tap only, from its phase on.
 *
 * TB_ITEMS: a block has the samples and taps that its results need in shared memory. Results of a thread are `group`
 * apart, so that they have the same phase, and each tap is read once for all of them. 0: there is no room for that;
 * results take what they need from memory, one after another. */

struct tb_params {
    const tb_number *x, *h;
    tb_number *out;
    tb_i64 rows, n, count, taps, up, down, start;
    tb_i64 tiles;             /* of a row */
    tb_i32 group, step, most; /* threads with results; samples between a thread's results; taps of a phase */
};

#if TB_ITEMS
/* WHOLE: nothing is asked for beyond the row. `first`: the number of the first sample in shared memory. */
template <bool WHOLE>
TB_FN void tb_sums(const tb_params &p, const tb_number *x, const tb_number *taps, int at, tb_i64 first, tb_number *sum)
{
    const int up = (int)p.up, step = p.step, sample = at / up, phase = at - sample * up;
    const int all = ((int)p.taps - phase + up - 1) / up;
    const tb_number *tap = taps + phase, *from = x + p.most - 1 + sample;
#pragma unroll 4
    for (int j = 0; j < all; j++, tap += up) {
        const tb_number weight = *tap;
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) {
            const int place = i * step - j;
            const tb_i64 number = first + (p.most - 1 + sample + place);
            if (WHOLE || (number >= 0 && number < p.n)) sum[i] = tb_add_product(sum[i], from[place], weight);
        }
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number x[TB_ROOM], taps[TB_TAPS];
    tb_wait();
    const tb_i64 row = blockIdx.x / p.tiles, tile = blockIdx.x - row * p.tiles;
    const tb_i64 result = tile * p.group * TB_ITEMS, left = p.count - result;
    const int results = left < p.group * TB_ITEMS ? (int)left : p.group * TB_ITEMS;
    const tb_i64 at = p.start + result * p.down, sample = at / p.up, first = sample - (p.most - 1);
    const int phase = (int)(at - sample * p.up);
    const int columns = (int)((phase + (results - 1) * p.down) / p.up) + p.most;
    const tb_number *const from = p.x + row * p.n;
    for (int i = (int)threadIdx.x; i < columns; i += TB_THREADS)
        if (first + i >= 0 && first + i < p.n) x[i] = from[first + i];
    for (int i = (int)threadIdx.x; i < (int)p.taps; i += TB_THREADS) taps[i] = p.h[i];
    __syncthreads();
    const int t = (int)threadIdx.x;
    if (t >= p.group) return;
    tb_number sum[TB_ITEMS] = {};
    if (first >= 0 && first + columns <= p.n && results == p.group * TB_ITEMS)
        tb_sums<true>(p, x, taps, phase + t * (int)p.down, first, sum);
    else tb_sums<false>(p, x, taps, phase + t * (int)p.down, first, sum);
    tb_number *const to = p.out + row * p.count + result;
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++)
        if (t + i * p.group < results) to[t + i * p.group] = sum[i];
}
#else
extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 all = p.rows * p.count, grid = (tb_i64)gridDim.x * TB_THREADS;
    for (tb_i64 i = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x; i < all; i += grid) {
        const tb_i64 row = i / p.count, at = p.start + (i - row * p.count) * p.down;
        const tb_i64 sample = at / p.up, phase = at - sample * p.up;
        const tb_i64 before = sample < p.n ? 0 : sample - p.n + 1, taps = (p.taps - phase + p.up - 1) / p.up;
        const tb_i64 end = taps < sample + 1 ? taps : sample + 1;
        const tb_number *const from = p.x + row * p.n + sample, *const tap = p.h + phase;
        tb_number sum = tb_number();
#pragma unroll 8
        for (tb_i64 j = before; j < end; j++) sum = tb_add_product(sum, tap[j * p.up], from[-j]);
        p.out[i] = sum;
    }
}
#endif
