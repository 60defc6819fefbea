/* device_scan_column.h - SCAN across the inner dimension: a thread goes along the lines of one chunk, or along one of
 * their `parts`; then tb_first has left the totals of all parts in the workspace. */

struct tb_lines {
    tb_at at;
    tb_idx column, part, from, to;
    bool live;
};

TB_FN tb_lines tb_my_lines(const tb_params &p)
{
    const tb_idx me = (tb_idx)blockIdx.x * blockDim.x + threadIdx.x, rows = (tb_idx)p.rows, along = (tb_idx)p.along;
    tb_lines l;
    l.part = me / rows;
    l.column = me - l.part * rows;
    l.live = l.part < (tb_idx)p.parts;
    l.from = l.part * (tb_idx)p.part;
    l.to = along - l.from < (tb_idx)p.part ? along : l.from + (tb_idx)p.part;
    l.at = tb_row(p, l.column);
    return l;
}

/* The next elements of the lines: TB_U of them, or as many as are left. */
TB_FN void tb_lines_fetch(const tb_params &p, const tb_lines &l, tb_idx r, tb_at *at, tb_chunk *x)
{
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        at[u] = tb_along(p, l.at, r + u < l.to ? r + u : r);
        tb_fetch(p, at[u], x[u]);
    }
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    const tb_lines l = tb_my_lines(p);
    if (!l.live) return;
    tb_acc s[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        s[j] = tb_init();
        for (tb_idx k = 0; k < l.part; k++) tb_merge(s[j], tb_unspill(p, (k * (tb_idx)p.rows + l.column) * TB_V + j));
    }
    for (tb_idx r = l.from; r < l.to; r += TB_U) {
        tb_at at[TB_U];
        tb_chunk x[TB_U];
        tb_lines_fetch(p, l, r, at, x);
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            if (r + u >= l.to) break;
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
