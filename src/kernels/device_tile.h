/* device_tile.h - MAP where loads are transposed with respect to the stores. Such loads go through shared memory, 32 by
 * 32 elements at a time, so that both sides of global memory see runs of neighbours. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    __shared__ tb_tiles t;
    const unsigned tx = threadIdx.x, ty = threadIdx.y, step = 32 / TB_U;
    const tb_idx tile = blockIdx.x, above = tb_divide(tile, p.across), batch = tb_divide(above, p.down);
    const tb_idx x0 = (tile - above * (tb_idx)p.across.n) * 32, y0 = (above - batch * (tb_idx)p.down.n) * 32;
    const tb_idx height = (tb_idx)p.height, width = (tb_idx)p.width;
    const tb_at start = tb_row(p, batch);
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        const tb_idx y = y0 + tx, x = x0 + ty + u * step;
        if (y < height && x < width) tb_stage(p, tb_cell(p, start, y, x), t, ty + u * step, tx);
    }
    __syncthreads();
    const tb_scalars scalars = tb_take_scalars(p);
    tb_chunk in[TB_U];
    tb_at at[TB_U];
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        const tb_idx y = y0 + ty + u * step, x = x0 + tx;
        at[u] = tb_cell(p, start, y, x);
        if (y >= height || x >= width) continue;
        tb_fetch(p, at[u], in[u]);
        tb_unstage(t, tx, ty + u * step, in[u]);
    }
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        if (y0 + ty + u * step >= height || x0 + tx >= width) continue;
        tb_result out;
        tb_compute(scalars, at[u], in[u], out);
        tb_put(p, at[u], out);
    }
}
