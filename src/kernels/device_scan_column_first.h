/* device_scan_column_first.h - the first pass of device_scan_column.h. */

extern "C" __global__ void __launch_bounds__(256) tb_first(const __grid_constant__ tb_params p)
{
    const tb_lines l = tb_my_lines(p);
    if (!l.live || l.part + 1 == (tb_idx)p.parts) return;
    tb_acc s[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    for (tb_idx r = l.from; r < l.to; r += TB_U) {
        tb_at at[TB_U];
        tb_chunk x[TB_U];
        tb_lines_fetch(p, l, r, at, x);
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
#pragma unroll
            for (int j = 0; j < TB_V; j++)
                if (r + u < l.to) tb_step(s[j], tb_compute(p, at[u], x[u], j), (tb_i64)(r + u));
        }
    }
#pragma unroll
    for (int j = 0; j < TB_V; j++) tb_spill(p, (l.part * (tb_idx)p.rows + l.column) * TB_V + j, s[j]);
}
