/* device_scan_row.h - SCAN of rows that are so long, or so few, that several blocks share one: see device_chain.h. */

/* The sum of posts first, first + 1, ... before end, in all lanes of a warp. */
TB_FN tb_acc tb_sum_posts(const tb_params &p, tb_idx first, tb_idx end)
{
    const tb_idx k = first + threadIdx.x;
    const tb_acc s = k < end ? tb_await(p, k) : tb_init();
    return tb_from_lane(tb_scan_lanes(s, threadIdx.x, 32), 31);
}

/* What lies before this block's tile. The first warp finds out, and posts what others want to know. */
TB_FN tb_acc tb_row_start(const tb_params &p, const tb_chain &c, tb_acc total)
{
    __shared__ tb_acc start;
    if (threadIdx.x < 32) {
        const tb_idx group = c.tile / TB_FAN, section = group / TB_FAN;
        if (threadIdx.x == 0) tb_post(p, tb_post_tile(c, c.tile), total);
        const tb_acc tiles = tb_sum_posts(p, tb_post_tile(c, group * TB_FAN), tb_post_tile(c, c.tile));
        if (threadIdx.x == 0 && tb_ends_group(c)) {
            tb_acc all = tiles;
            tb_merge(all, total);
            tb_post(p, tb_post_group(c, group), all);
        }
        tb_acc s = tb_sum_posts(p, tb_post_group(c, section * TB_FAN), tb_post_group(c, group));
        tb_merge(s, tiles);
        if (threadIdx.x == 0) {
            if (section > 0) {
                tb_acc before = tb_await(p, tb_post_section(c, section));
                tb_merge(before, s);
                s = before;
            }
            start = s;
            tb_merge(s, total);
            if (tb_ends_section(c)) tb_post(p, tb_post_section(c, section + 1), s);
        }
    }
    __syncthreads();
    return start;
}

extern "C" __global__ void __launch_bounds__(256, TB_BLOCKS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_chain c = tb_my_chain(p, (tb_idx)p.rows);
    const tb_at row = tb_row(p, c.line);
    tb_tile t;
    const tb_acc total = tb_tile_scan(p, row, c.tile * (tb_idx)p.part, tb_chunks(p), 0, t);
    tb_tile_put(p, row, t, tb_row_start(p, c, total));
}
