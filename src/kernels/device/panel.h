/* panel.h - MAP over a narrow dimension ("down") and a part of another ("across"), which some operands have
 * inside out: those are staged, see device/stage.h. Threads are side by side across. A panel's line has 2^log2
 * chunks. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const unsigned log2 = (unsigned)p.log2;
    const tb_idx batch = tb_divide((tb_idx)blockIdx.x, p.across), part = blockIdx.x - batch * (tb_idx)p.across.n;
    const tb_idx height = (tb_idx)p.height, x0 = part * ((tb_idx)TB_V << log2), left = (tb_idx)p.width - x0;
    const tb_idx width = left < (tb_idx)TB_V << log2 ? left : (tb_idx)TB_V << log2;
    const tb_at first = tb_cell(p, tb_row(p, batch), 0, x0);
    const tb_staged staged = tb_stage_in(p, first, (tb_i64)height * width);
    const tb_scalars scalars = tb_take_scalars(p);
    tb_at start = first;
    tb_stage_at(staged, start);
    for (unsigned c = threadIdx.x; c < height << log2; c += 256 * TB_U) {
        tb_at at[TB_U];
        tb_chunk in[TB_U];
        bool live[TB_U];
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            const unsigned y = (c + u * 256) >> log2, x = ((c + u * 256) & ((1u << log2) - 1)) * TB_V;
            at[u] = tb_cell(p, start, y, x);
            live[u] = y < height && x < width;
            if (live[u]) tb_fetch(p, at[u], in[u]);
        }
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            tb_result out;
            if (!live[u]) continue;
            tb_compute(scalars, at[u], in[u], out);
            tb_put(p, at[u], out);
        }
    }
    tb_stage_out(p, staged, first, (tb_i64)height * width);
}
