/* device_scan_strip.h - SCAN across the inner dimension, by blocks that share lines: see device_chain.h. A strip is
 * blockDim.x chunks of neighbouring lines; a tile blockDim.y times TB_U elements of each. Thread (x, y) holds TB_U
 * elements after those of y - 1 of the lines of chunk x. Where rows are staged there is one strip. */

struct tb_cells {
    tb_acc s[TB_U][TB_V];
    int n;                  /* elements that exist */
};

TB_FN void tb_cells_scan(const tb_params &p, const tb_at &column, tb_idx from, tb_cells &t)
{
    tb_at at[TB_U];
    tb_chunk x[TB_U];
    const tb_idx along = (tb_idx)p.along;
    t.n = from >= along ? 0 : along - from < TB_U ? (int)(along - from) : TB_U;
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        at[u] = tb_along(p, column, u < t.n ? from + u : along - 1);
        tb_fetch(p, at[u], x[u]);
    }
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        tb_acc run = tb_init();
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            if (u < t.n) tb_step(run, tb_compute(p, at[u], x[u], j), (tb_i64)(from + u));
            t.s[u][j] = run;
        }
    }
}

/* The totals of the threads of a chunk become those of all up to them; the set that is returned has them, too. */
TB_FN tb_acc *tb_scan_down(tb_acc (*part)[256 * TB_V], tb_acc *s)
{
    const unsigned width = blockDim.x, me = threadIdx.y * width + threadIdx.x;
    unsigned turn = 0;
#pragma unroll
    for (int j = 0; j < TB_V; j++) part[0][me * TB_V + j] = s[j];
    __syncthreads();
    for (unsigned d = 1; d < blockDim.y; d *= 2, turn ^= 1) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) {
            if (threadIdx.y >= d) {
                tb_acc before = part[turn][(me - d * width) * TB_V + j];
                tb_merge(before, s[j]);
                s[j] = before;
            }
            part[turn ^ 1][me * TB_V + j] = s[j];
        }
        __syncthreads();
    }
    return part[turn];
}

/* Accumulator j of this thread's chunk, in a post. */
TB_FN size_t tb_strip_place(tb_idx post, int j)
{
    return ((size_t)post * blockDim.x + threadIdx.x) * TB_V + j;
}

TB_FN void tb_strip_post(const tb_params &p, tb_idx post, const tb_acc *s)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) tb_post(p, tb_strip_place(post, j), s[j]);
}

/* The sum of posts first, first + 1, ... before end, in the threads of the last y. */
TB_FN void tb_sum_posts(const tb_params &p, tb_acc (*part)[256 * TB_V], tb_idx first, tb_idx end, tb_acc *s)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    for (tb_idx k = first + threadIdx.y; k < end; k += blockDim.y) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) tb_merge(s[j], tb_await(p, tb_strip_place(k, j)));
    }
    const unsigned width = blockDim.x, last = blockDim.y - 1, some = end - first < last ? end - first : last;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TB_V; j++) part[0][(threadIdx.y * width + threadIdx.x) * TB_V + j] = s[j];
    __syncthreads();
    if (threadIdx.y < last) return;
    for (unsigned y = 0; y < some; y++) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) tb_merge(s[j], part[0][(y * width + threadIdx.x) * TB_V + j]);
    }
}

TB_FN void tb_merge_all(tb_acc *s, const tb_acc *t)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) tb_merge(s[j], t[j]);
}

/* What lies before this block's tile, in the threads of the last y, which post what others want to know. */
TB_FN void tb_strip_start(const tb_params &p, const tb_chain &c, tb_acc (*part)[256 * TB_V], const tb_acc *total,
                          tb_acc *s)
{
    const tb_idx group = c.tile / TB_FAN, section = group / TB_FAN;
    const bool last = threadIdx.y + 1 == blockDim.y;
    tb_acc tiles[TB_V];
    if (last) tb_strip_post(p, tb_post_tile(c, c.tile), total);
    tb_sum_posts(p, part, tb_post_tile(c, group * TB_FAN), tb_post_tile(c, c.tile), tiles);
    if (last && tb_ends_group(c)) {
        tb_acc all[TB_V];
#pragma unroll
        for (int j = 0; j < TB_V; j++) all[j] = tiles[j];
        tb_merge_all(all, total);
        tb_strip_post(p, tb_post_group(c, group), all);
    }
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    if (group % TB_FAN > 0) tb_sum_posts(p, part, tb_post_group(c, section * TB_FAN), tb_post_group(c, group), s);
    if (!last) return;
    tb_merge_all(s, tiles);
    if (section > 0) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) {
            tb_acc before = tb_await(p, tb_strip_place(tb_post_section(c, section), j));
            tb_merge(before, s[j]);
            s[j] = before;
        }
    }
    if (!tb_ends_section(c)) return;
    tb_acc all[TB_V];
#pragma unroll
    for (int j = 0; j < TB_V; j++) all[j] = s[j];
    tb_merge_all(all, total);
    tb_strip_post(p, tb_post_section(c, section + 1), all);
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    __shared__ tb_acc part[2][256 * TB_V];
    const tb_idx rows = (tb_idx)p.rows;
    const tb_chain c = tb_my_chain(p, (rows + (blockDim.x - 1)) / blockDim.x);
    const tb_idx column = c.line * blockDim.x + threadIdx.x;
    const bool live = column < rows;
    const tb_i64 from = (tb_i64)c.tile * p.part, left = p.along - from;
    const tb_i64 count = (left < p.part ? left : p.part) * rows;
    const tb_at first = tb_along(p, tb_row(p, 0), (tb_idx)from);
    const tb_staged staged = tb_stage_in(p, first, count);
    tb_at at = tb_row(p, live ? column : rows - 1);
    tb_stage_at(staged, at);
    const unsigned me = threadIdx.y * blockDim.x + threadIdx.x;
    tb_cells t;
    tb_acc sum[TB_V], before[TB_V], s[TB_V];
    tb_cells_scan(p, at, (tb_idx)from + threadIdx.y * TB_U, t);
#pragma unroll
    for (int j = 0; j < TB_V; j++) sum[j] = t.s[TB_U - 1][j];
    const tb_acc *sums = tb_scan_down(part, sum);
#pragma unroll
    for (int j = 0; j < TB_V; j++) before[j] = threadIdx.y > 0 ? sums[(me - blockDim.x) * TB_V + j] : tb_init();
    tb_strip_start(p, c, part, sum, s);
    /* What is at hand need not be in registers all the time: more blocks fit. */
    if (TB_STAGED > 1) tb_cells_scan(p, at, (tb_idx)from + threadIdx.y * TB_U, t);
    __syncthreads();
    if (threadIdx.y + 1 == blockDim.y) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) part[0][threadIdx.x * TB_V + j] = s[j];
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        tb_result y;
        if (!live || u >= t.n) break;
#pragma unroll
        for (int j = 0; j < TB_V; j++) {
            tb_acc r = part[0][threadIdx.x * TB_V + j];
            tb_merge(r, before[j]);
            tb_merge(r, t.s[u][j]);
            tb_result_set(y, j, tb_final(r, 1.0));
        }
        tb_put(p, tb_along(p, at, (tb_idx)from + threadIdx.y * TB_U + u), y);
    }
    tb_stage_out(p, staged, first, count);
}
