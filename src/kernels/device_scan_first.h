/* device_scan_first.h - the first pass of device_scan_block.h: the total of every part but a row's last. */

extern "C" __global__ void __launch_bounds__(256) tb_first(const __grid_constant__ tb_params p)
{
    const tb_idx part = (tb_idx)p.part, from = blockIdx.y * part;
    if (blockIdx.y + 1 == gridDim.y) return;
    const tb_acc s = tb_block_merge(tb_strip(p, tb_row(p, blockIdx.x), from + threadIdx.x, blockDim.x, from + part));
    if (threadIdx.x == 0) tb_spill(p, (tb_idx)blockIdx.x * gridDim.y + blockIdx.y, s);
}
