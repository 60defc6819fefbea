/* scan_row.h - SCAN of rows that are so long, or so few, that several blocks share one: see device/chain.h. */

/* The sum of the posts from, from + 1, ... before end of those before a tile, in all lanes of a warp. */
TB_FN tb_acc tb_sum_posts(const tb_params &p, const tb_chain &c, tb_idx from, tb_idx end)
{
    enum { POSTS = (3 * TB_FAN_IN + 31) / 32 };
    tb_u32 k[POSTS];
    tb_acc s[POSTS];
#pragma unroll
    for (int i = 0; i < POSTS; i++) {
        const tb_idx m = from + threadIdx.x + i * 32;
        k[i] = m < end ? (tb_u32)tb_post_before(c, m) : TB_NOTHING;
    }
    tb_await<POSTS>(p, k, s);
#pragma unroll
    for (int i = 1; i < POSTS; i++) tb_merge(s[0], s[i]);
    return tb_from_lane(tb_scan_lanes(s[0], threadIdx.x, 32), 31);
}

/* What lies before this block's tile. The first warp finds out, and posts what others want to know. */
TB_FN tb_acc tb_row_start(const tb_params &p, const tb_chain &c, tb_acc total)
{
    __shared__ tb_acc start;
    if (threadIdx.x < 32) {
        const bool first = threadIdx.x == 0;
        tb_idx end = tb_posts_before(c);
        tb_acc s = tb_init();
        if (first) tb_post(p, tb_post_tile(c, c.tile), total);
        for (bool near = tb_ends_group(c);; near = false) {
            const tb_idx from = near ? end - tb_tiles_before(c) : 0;
            tb_acc sum = tb_sum_posts(p, c, from, end);
            tb_merge(sum, s);
            s = sum;
            if (!near) break;
            tb_merge(sum, total);
            if (first) tb_post(p, tb_post_group(c, c.tile / TB_FAN_IN), sum);
            end = from;
        }
        if (first) {
            start = s;
            tb_merge(s, total);
            if (tb_ends_section(c)) tb_post(p, tb_post_section(c, tb_next_section(c)), s);
        }
    }
    __syncthreads();
    return start;
}

/* A tile is all that a thread has at a time: what the search takes beside it is not to cost a block. */
enum { TB_ROW_BLOCKS = TB_BLOCKS ? TB_BLOCKS : sizeof(tb_acc) <= 8 ? 3 : 2 };

extern "C" __global__ void __launch_bounds__(256, TB_ROW_BLOCKS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_chain c = tb_my_chain(p, (tb_idx)p.rows);
    const tb_at row = tb_row(p, c.line);
    tb_tile t;
    const tb_acc total = tb_tile_scan(p, row, c.tile * (tb_idx)p.part, tb_chunks(p), 0, t);
    tb_tile_put(p, row, t, tb_row_start(p, c, total));
}
