/* device_row_warp.h - REDUCE, short rows: 2^part neighbouring lanes a row. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const unsigned log2 = (unsigned)p.part, lanes = 1u << log2, lane = threadIdx.x & (lanes - 1);
    const tb_idx row = (tb_idx)blockIdx.x * (blockDim.x >> log2) + (threadIdx.x >> log2);
    const bool live = row < (tb_idx)p.rows;
    const tb_at at = tb_row(p, live ? row : 0);
    tb_acc s = tb_strip(p, at, lane, lanes, live ? tb_chunks(p) : 0);
    for (unsigned d = lanes / 2; d; d /= 2) tb_merge(s, tb_from_above(s, d));
    if (live && lane == 0) tb_put(p, at, 0, tb_final(s, p));
}
