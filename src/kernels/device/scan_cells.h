/* scan_cells.h - SCAN_COLUMN: a thread's running values are kept in registers. */

struct tb_cells {
    tb_acc s[TB_U][TB_V];
};

enum { TB_STRIP_BLOCKS = sizeof(tb_cells) <= 64 ? 5 : sizeof(tb_cells) <= 128 ? 4 : 2 };

TB_FN void tb_cells_take(const tb_params &p, const tb_at &column, tb_idx from, int n, tb_cells &cells, tb_acc *run)
{
    tb_at at[TB_U];
    tb_chunk x[TB_U];
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        at[u] = tb_along(p, column, u < n ? from + u : (tb_idx)p.along - 1);
        tb_fetch(p, at[u], x[u]);
    }
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        run[j] = tb_init();
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            if (u < n) tb_step(run[j], tb_compute(p, at[u], x[u], j), (tb_i64)(from + u));
            cells.s[u][j] = run[j];
        }
    }
}

TB_FN void tb_cells_put(const tb_params &p, const tb_at &column, tb_idx from, int n, const tb_cells &cells,
                        const tb_acc *before)
{
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        tb_result y;
        if (u >= n) break;
#pragma unroll
        for (int j = 0; j < TB_V; j++) {
            tb_acc s = before[j];
            tb_merge(s, cells.s[u][j]);
            tb_result_set(y, j, tb_final(s, 1.0));
        }
        tb_put(p, tb_along(p, column, from + u), y);
    }
}
