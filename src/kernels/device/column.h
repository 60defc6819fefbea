/* column.h - REDUCE across the inner dimension: threadIdx.x counts chunks of neighbouring results, threadIdx.y
 * and gridDim.y divide what is reduced. Several blocks a result combine as in device/row_block.h. */

/* Merges the accumulators of all threadIdx.y into those of threadIdx.y 0. */
TB_FN void tb_merge_down(tb_acc *s)
{
    __shared__ tb_acc part[256 * TB_V];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    if (blockDim.y == 1) return;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TB_V; j++) part[(y * blockDim.x + x) * TB_V + j] = s[j];
    for (unsigned d = blockDim.y / 2; d; d /= 2) {
        __syncthreads();
        if (y >= d) continue;
#pragma unroll
        for (int j = 0; j < TB_V; j++) {
            tb_merge(s[j], part[((y + d) * blockDim.x + x) * TB_V + j]);
            part[(y * blockDim.x + x) * TB_V + j] = s[j];
        }
    }
}

/* N elements from r on, all of which are there, of the columns of one chunk. */
template <int N>
TB_FN void tb_walk_all(const tb_params &p, const tb_at &column, tb_idx r, tb_idx step, tb_acc *s)
{
    tb_at at[N];
    tb_chunk x[N];
#pragma unroll
    for (int u = 0; u < N; u++) {
        at[u] = tb_along(p, column, r + u * step);
        tb_fetch(p, at[u], x[u]);
    }
#pragma unroll
    for (int k = 0; k < N * TB_V; k++) {
        const int u = k / TB_V, j = k % TB_V;
        tb_step(s[j], tb_compute(p, at[u], x[u], j), (tb_i64)(r + u * step));
    }
}

/* What is left for the unrolled loop, N elements at most: all there is if little is reduced. Code for each number of
 * them: to tell of every element whether it is there takes longer. */
template <int N>
TB_FN void tb_walk_rest(const tb_params &p, const tb_at &column, tb_idx r, tb_idx step, tb_idx end, tb_acc *s)
{
    if constexpr (N > 0) {
        if (r + (N - 1) * step < end) tb_walk_all<N>(p, column, r, step, s);
        else tb_walk_rest<N - 1>(p, column, r, step, end, s);
    }
}

/* Elements r, r + step, ... below end of the columns of one chunk. */
TB_FN void tb_walk(const tb_params &p, const tb_at &column, tb_idx r, tb_idx step, tb_idx end, tb_acc *s)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) s[j] = tb_init();
    for (; r + (TB_U - 1) * step < end; r += TB_U * step) tb_walk_all<TB_U>(p, column, r, step, s);
    tb_walk_rest<TB_U - 1>(p, column, r, step, end, s);
}

/* Whether this block is the last of its columns, and its first row of threads then has their accumulators. */
TB_FN bool tb_join(const tb_params &p, tb_idx column, bool live, tb_acc *s)
{
    enum { BATCH = TB_ACC_WORDS <= 2 ? 8 : TB_AT_HAND };
    const tb_idx parts = gridDim.y, width = (tb_idx)p.rows * TB_V;
    if (live && threadIdx.y == 0) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) tb_spill(p, blockIdx.y * width + column * TB_V + j, s[j]);
    }
    if (!tb_last_block(p.counters + blockIdx.x, gridDim.y)) return false;
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        s[j] = tb_init();
        if (live) tb_merge_parts<BATCH>(p, column * TB_V + j, width, threadIdx.y, blockDim.y, parts, s[j]);
    }
    tb_merge_down(s);
    return true;
}

extern "C" __global__ void __launch_bounds__(256, TB_RESIDENT) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_idx column = (tb_idx)blockIdx.x * blockDim.x + threadIdx.x, parts = gridDim.y;
    const bool live = column < (tb_idx)p.rows;
    const tb_idx along = (tb_idx)p.along, part = (tb_idx)p.part, from = blockIdx.y * part;
    const tb_idx to = !live ? 0 : along - from < part ? along : from + part;
    const tb_at at = tb_row(p, live ? column : 0);
    tb_acc s[TB_V];
    tb_walk(p, at, from + threadIdx.y, blockDim.y, to, s);
    tb_merge_down(s);
    if constexpr (!TB_PLAIN)
        if (parts > 1 && !tb_join(p, column, live, s)) return;
    if (!live || threadIdx.y != 0) return;
#pragma unroll
    for (int j = 0; j < TB_V; j++) tb_put(p, at, j, tb_final(s[j], p));
}
