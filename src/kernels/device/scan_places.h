/* scan_places.h - SCAN_COLUMN: a thread's values wait in shared memory, where their results will be, or are
 * computed again from operands that are there. Few registers are in use while other blocks are waited for, so that more
 * blocks are under way. */

struct tb_cells {};

enum { TB_STRIP_BLOCKS = 5, TB_STEPS = 8 /* elements of a thread on their way at a time */ };

TB_FN void tb_cells_take(const tb_params &p, const tb_at &column, tb_idx from, int n, tb_cells &, tb_acc *run)
{
    static_assert(TB_V == 1, "staged rows have no chunks");
    run[0] = tb_init();
#pragma unroll 1
    for (int first = 0; first < n; first += TB_STEPS) {
        tb_at at[TB_STEPS];
        tb_chunk x[TB_STEPS];
#pragma unroll
        for (int k = 0; k < TB_STEPS; k++) {
            at[k] = tb_along(p, column, from + (first + k < n ? first + k : first));
            tb_fetch(p, at[k], x[k]);
        }
#pragma unroll
        for (int k = 0; k < TB_STEPS; k++) {
            if (first + k >= n) continue;
            const auto value = tb_compute(p, at[k], x[k], 0);
            tb_step(run[0], value, (tb_i64)(from + first + k));
            tb_leave(at[k], value);
        }
    }
}

TB_FN void tb_cells_put(const tb_params &p, const tb_at &column, tb_idx from, int n, const tb_cells &,
                        const tb_acc *before)
{
    tb_acc run = tb_init();
#pragma unroll 1
    for (int first = 0; first < n; first += TB_STEPS) {
        const tb_at begin = tb_along(p, column, from + first);
        decltype(tb_left(p, begin)) value[TB_STEPS];
#pragma unroll
        for (int k = 0; k < TB_STEPS; k++) value[k] = tb_left(p, first + k < n ? tb_along(p, begin, k) : begin);
#pragma unroll
        for (int k = 0; k < TB_STEPS; k++) {
            tb_result y;
            if (first + k >= n) continue;
            tb_step(run, value[k], (tb_i64)(from + first + k));
            tb_acc s = before[0];
            tb_merge(s, run);
            tb_result_set(y, 0, tb_final(s, 1.0));
            tb_put(p, tb_along(p, begin, k), y);
        }
    }
}
