/* device_generate.h - MAP where nothing is loaded: as device_map.h, but a thread goes through its chunks one after the
 * other. More of them side by side would bring less than the larger code costs. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    const tb_idx size = (tb_idx)p.size, step = blockDim.x, block = blockIdx.x;
    const tb_idx first = block * (step * TB_U) + threadIdx.x;
    const bool whole = (block + 1) * (step * (TB_U * TB_V)) <= size;
    const tb_scalars scalars = tb_take_scalars(p);
#pragma unroll 1
    for (int u = 0; u < TB_U; u++) {
        const tb_at at = tb_row(p, first + u * step);
        const tb_chunk x = {};
        tb_result y;
#pragma unroll
        for (int j = 0; j < TB_V; j++) tb_compute(scalars, at, x, j, y);
        if (whole) tb_put(p, at, y);
        else tb_put_some(p, at, tb_left(size, first + u * step), y);
    }
}
