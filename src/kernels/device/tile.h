/* tile.h - MAP where loads are transposed with respect to the stores. Such loads go through shared memory, 32 by
 * 32 chunks at a time, so that both sides of global memory see runs of neighbours. A thread stages TB_U / TB_V squares
 * of TB_V by TB_V elements and stores TB_U chunks. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    enum { EDGE = 32 * TB_V, STEP = EDGE / TB_U };
    __shared__ tb_tiles t;
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const tb_idx tile = blockIdx.x, above = tb_divide(tile, p.across), batch = tb_divide(above, p.down);
    const tb_idx x0 = (tile - above * (tb_idx)p.across.n) * EDGE, y0 = (above - batch * (tb_idx)p.down.n) * EDGE;
    const tb_idx height = (tb_idx)p.height, width = (tb_idx)p.width;
    const tb_at start = tb_row(p, batch);
#pragma unroll
    for (int u = 0; u < TB_U / TB_V; u++) {
        const unsigned c = ty + u * STEP;
        const tb_idx y = y0 + tx * TB_V, x = x0 + c * TB_V;
        if (y < height && x < width) tb_stage(p, start, y, x, t, tx * TB_V, c);
    }
    __syncthreads();
    const tb_scalars scalars = tb_take_scalars(p);
    tb_chunk in[TB_U];
    tb_at at[TB_U];
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        const tb_idx y = y0 + ty + u * STEP, x = x0 + tx * TB_V;
        at[u] = tb_cell(p, start, y, x);
        if (y >= height || x >= width) continue;
        tb_fetch(p, at[u], in[u]);
        tb_unstage(t, ty + u * STEP, tx, in[u]);
    }
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        if (y0 + ty + u * STEP >= height || x0 + tx * TB_V >= width) continue;
        tb_result out;
        tb_compute(scalars, at[u], in[u], out);
        tb_put(p, at[u], out);
    }
}
