/* scan_column.h - SCAN across the inner dimension: a thread goes along the lines of one chunk. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_idx column = (tb_idx)blockIdx.x * blockDim.x + threadIdx.x, along = (tb_idx)p.along;
    if (column >= (tb_idx)p.rows) return;
    const tb_at start = tb_row(p, column);
    tb_acc s[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    for (tb_idx r = 0; r < along; r += TB_U) {
        tb_at at[TB_U];
        tb_chunk x[TB_U];
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            at[u] = tb_along(p, start, r + u < along ? r + u : r);
            tb_fetch(p, at[u], x[u]);
        }
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            if (r + u >= along) break;
            tb_result y;
#pragma unroll
            for (int j = 0; j < TB_V; j++) {
                tb_step(s[j], tb_compute(p, at[u], x[u], j), (tb_i64)(r + u));
                tb_result_set(y, j, tb_final(s[j], 1.0));
            }
            tb_put(p, at[u], y);
        }
    }
}
