/* window_rank.h - WINDOW_RANK: the element of a rank in windows of TB_PLACES places. Threads that are neighbours have
 * results that are. TB_NETWORK orders x[0], x[1], ... as far as the wanted one depends on it. */

#define TB_ORDER_BOTH(i, j)                                                                                            \
    {                                                                                                                  \
        const tb_work least = tb_lesser(x[i], x[j]);                                                                   \
        x[j] = tb_greater(x[i], x[j]);                                                                                 \
        x[i] = least;                                                                                                  \
    }
#define TB_ORDER_LEAST(i, j) x[i] = tb_lesser(x[i], x[j]);
#define TB_ORDER_MOST(i, j) x[j] = tb_greater(x[i], x[j]);

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_work tile[TB_ROOM];
    tb_wait();
    const tb_tile_place at = tb_block_place(p);
    const tb_i32 zeros[1 + TB_BATCHES] = {};
    tb_load_plane(p, at, zeros, tile);
    __syncthreads();
    const tb_results to = tb_block_results(p, at);
    const tb_i32 *const places = (const tb_i32 *)p.near;
    for (int i = (int)threadIdx.x; i < TB_LINES * TB_SPAN; i += TB_THREADS) {
        const int line = TB_ACROSS ? i % TB_LINES : i / TB_SPAN, position = TB_ACROSS ? i / TB_LINES : i % TB_SPAN;
        const tb_work *const first = tile + line * p.pitch + position;
        tb_work x[TB_PLACES];
#pragma unroll
        for (int k = 0; k < TB_PLACES; k++) x[k] = first[places[k]];
        TB_NETWORK
        tb_put(p, to, position, line, x[TB_RANK]);
    }
}
