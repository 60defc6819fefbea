/* scan_strip.h - SCAN across the inner dimension, by blocks that share lines: see device/chain.h. A strip is
 * blockDim.x chunks of neighbouring lines; a tile blockDim.y times TB_U elements of each. Thread (x, y) has TB_U
 * elements after those of y - 1 of the lines of chunk x. Where rows are staged there is one strip.
 *
 * What is left of elements while other blocks are waited for is told by device/scan_cells.h or device/scan_places.h:
 *   tb_cells                                          a thread's elements
 *   tb_cells_take(p, column, from, n, cells, run)     steps through the n of them, `from` the first; run: all together
 *   tb_cells_put(p, column, from, n, cells, before)   stores the running values, after what lies before all of them
 *   TB_STRIP_BLOCKS                                   blocks that a multiprocessor is to have room for */

/* s becomes that of all threads of this chunk up to this one, `before` what lies before this one. Where rows are narrow
 * a warp that has more than one thread of a chunk finds out by shuffles; how wide other strips are tells nothing of the
 * order. `part` is for what warps, or else threads, have to tell others. That takes one barrier; the next call takes
 * another set. */
TB_FN void tb_scan_down(tb_acc *part, tb_acc *s, tb_acc *before)
{
    const unsigned width = blockDim.x, me = threadIdx.y * width + threadIdx.x, lane = me % 32;
    const bool shared = TB_NARROW && width < 32;
    const unsigned set = shared ? me / 32 : threadIdx.y;
    if (shared) {
        for (unsigned d = width; d < 32; d *= 2) {
#pragma unroll
            for (int j = 0; j < TB_V; j++) {
                tb_acc below = tb_from_below(s[j], d);
                if (lane < d) continue;
                tb_merge(below, s[j]);
                s[j] = below;
            }
        }
    }
    if (!shared || lane >= 32 - width) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) part[(set * width + threadIdx.x) * TB_V + j] = s[j];
    }
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        const tb_acc below = shared ? tb_from_below(s[j], width) : tb_init();
        before[j] = shared && lane >= width ? below : tb_init();
    }
    __syncthreads();
    tb_acc sets[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) sets[j] = tb_init();
#pragma unroll 2
    for (unsigned k = 0; k < set; k++) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) tb_merge(sets[j], part[(k * width + threadIdx.x) * TB_V + j]);
    }
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        tb_acc up = sets[j], to = sets[j];
        tb_merge(up, before[j]);
        before[j] = up;
        tb_merge(to, s[j]);
        s[j] = to;
    }
}

/* Accumulator j of this thread's chunk, in a post. */
TB_FN tb_u32 tb_strip_place(tb_idx post, int j)
{
    return ((tb_u32)post * blockDim.x + threadIdx.x) * TB_V + j;
}

TB_FN void tb_strip_post(const tb_params &p, tb_idx post, const tb_acc *s)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) tb_post(p, tb_strip_place(post, j), s[j]);
}

/* The sum of the posts from, from + 1, ... before end of those before a tile, in the threads of the last y. */
TB_FN void tb_sum_posts(const tb_params &p, const tb_chain &c, tb_acc *part, tb_idx from, tb_idx end, tb_acc *s)
{
    enum { WORDS = TB_ACC_WORDS * TB_V, POSTS = WORDS >= 4 ? 1 : 4 / WORDS };
    tb_acc before[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    for (tb_idx m = from + threadIdx.y; m < end; m += POSTS * blockDim.y) {
        tb_acc x[POSTS * TB_V];
        tb_u32 k[POSTS * TB_V];
#pragma unroll
        for (int i = 0; i < POSTS; i++) {
            const tb_idx n = m + i * blockDim.y, post = n < end ? tb_post_before(c, n) : 0;
#pragma unroll
            for (int j = 0; j < TB_V; j++) k[i * TB_V + j] = n < end ? tb_strip_place(post, j) : TB_NOTHING;
        }
        tb_await<POSTS * TB_V>(p, k, x);
#pragma unroll
        for (int i = 0; i < POSTS * TB_V; i++) tb_merge(s[i % TB_V], x[i]);
    }
    tb_scan_down(part, s, before);
}

TB_FN void tb_merge_all(tb_acc *s, const tb_acc *t)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) tb_merge(s[j], t[j]);
}

/* What lies before this block's tile, in shared memory after the next barrier. The threads of the last y post what
 * others want to know. `part`: two sets of shared memory in turns, of which the first is in use. */
TB_FN const tb_acc *tb_strip_start(const tb_params &p, const tb_chain &c, tb_acc (*part)[256 * TB_V],
                                   const tb_acc *total)
{
    const bool last = threadIdx.y + 1 == blockDim.y;
    tb_idx end = tb_posts_before(c);
    unsigned turn = 1;
    tb_acc s[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    if (last) tb_strip_post(p, tb_post_tile(c, c.tile), total);
    for (bool near = tb_ends_group(c);; near = false, turn ^= 1) {
        const tb_idx from = near ? end - tb_tiles_before(c) : 0;
        tb_acc sum[TB_V];
        tb_sum_posts(p, c, part[turn], from, end, sum);
        tb_merge_all(sum, s);
#pragma unroll
        for (int j = 0; j < TB_V; j++) s[j] = sum[j];
        if (!near) break;
        tb_merge_all(sum, total);
        if (last) tb_strip_post(p, tb_post_group(c, c.tile / TB_FAN_IN), sum);
        end = from;
    }
    turn ^= 1;
    if (last) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) part[turn][threadIdx.x * TB_V + j] = s[j];
        tb_merge_all(s, total);
        if (tb_ends_section(c)) tb_strip_post(p, tb_post_section(c, tb_next_section(c)), s);
    }
    return part[turn];
}

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ == 750
enum { TB_MOST_BLOCKS = 4 }; /* 1,024 threads */
#else
enum { TB_MOST_BLOCKS = 5 };
#endif

extern "C" __global__ void __launch_bounds__(256, TB_STRIP_BLOCKS < TB_MOST_BLOCKS ? TB_STRIP_BLOCKS : TB_MOST_BLOCKS)
    tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    __shared__ tb_acc part[2][256 * TB_V];
    const tb_idx rows = (tb_idx)p.rows, along = (tb_idx)p.along;
    const tb_chain c = tb_my_chain(p, (rows + (blockDim.x - 1)) / blockDim.x);
    const tb_idx column = c.line * blockDim.x + threadIdx.x, tile = c.tile * (tb_idx)p.part;
    const tb_idx from = tile + threadIdx.y * TB_U;
    const bool live = column < rows;
    const int n = from >= along ? 0 : along - from < TB_U ? (int)(along - from) : TB_U;
    const tb_i64 left = p.along - (tb_i64)tile, count = (left < p.part ? left : p.part) * rows;
    const tb_at first = tb_along(p, tb_row(p, 0), tile);
    const tb_staged staged = tb_stage_in(p, first, count);
    tb_at at = tb_row(p, live ? column : rows - 1);
    tb_stage_at(staged, at);
    tb_cells cells;
    tb_acc run[TB_V], before[TB_V];
    tb_cells_take(p, at, from, n, cells, run);
    tb_scan_down(part[0], run, before);
    const tb_acc *start = tb_strip_start(p, c, part, run);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        run[j] = start[threadIdx.x * TB_V + j];
        tb_merge(run[j], before[j]);
    }
    tb_cells_put(p, at, from, live ? n : 0, cells, run);
    tb_stage_out(p, staged, first, count);
}
