/* device_scan_block.h - SCAN of long rows: gridDim.y blocks a row, each of which goes over its part tile by tile. Where
 * there are several, tb_first has left the totals of their parts in the workspace. */

/* All that lies before this block's part. */
TB_FN tb_acc tb_scan_start(const tb_params &p)
{
    __shared__ tb_acc start;
    if (gridDim.y == 1) return tb_init();
    tb_acc s = tb_init();
    for (tb_idx k = threadIdx.x; k < blockIdx.y; k += blockDim.x)
        tb_merge(s, tb_unspill(p, (tb_idx)blockIdx.x * gridDim.y + k));
    s = tb_block_merge(s);
    if (threadIdx.x == 0) start = s;
    __syncthreads();
    return start;
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    /* Two sets of totals in turn: one barrier a tile is enough. */
    __shared__ tb_acc totals[2][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const tb_idx chunks = tb_chunks(p), part = (tb_idx)p.part, from = blockIdx.y * part;
    const tb_idx end = chunks - from < part ? chunks : from + part;
    const tb_at row = tb_row(p, blockIdx.x);
    tb_acc carry = tb_scan_start(p);
    unsigned turn = 0;
    for (tb_idx tile = from; tile < end; tile += TB_U * blockDim.x, turn ^= 1) {
        tb_at at[TB_U];
        tb_acc s[TB_U][TB_V], before[TB_U];
        int n[TB_U];
        {
            tb_chunk x[TB_U];
#pragma unroll
            for (int u = 0; u < TB_U; u++) {
                const tb_idx c = tile + u * blockDim.x + threadIdx.x;
                at[u] = tb_along(p, row, c);
                n[u] = tb_scan_fetch(p, at[u], c, end, x[u]);
            }
#pragma unroll
            for (int u = 0; u < TB_U; u++) tb_scan_chunk(p, at[u], x[u], n[u], s[u]);
        }
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            const tb_acc total = tb_scan_lanes(s[u][TB_V - 1], lane, 32);
            if (lane == 31) totals[turn][u * warps + warp] = total;
            before[u] = tb_from_below(total, 1);
        }
        __syncthreads();
        const tb_acc sum = tb_scan_lanes(lane < TB_U * warps ? totals[turn][lane] : tb_init(), lane, 32);
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            const unsigned k = u * warps + warp;
            const tb_acc others = tb_from_lane(sum, k ? k - 1 : 0);
            tb_acc start = carry;
            if (k > 0) tb_merge(start, others);
            if (lane > 0) tb_merge(start, before[u]);
            tb_scan_put(p, at[u], start, s[u], n[u]);
        }
        tb_merge(carry, tb_from_lane(sum, 31));
    }
}
