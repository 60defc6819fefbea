/* row_block.h - REDUCE, long rows: gridDim.y blocks a row. Where there are several, each leaves its part in the
 * workspace and the last to arrive combines them. */

/* Whether this block is the last of its row, and thread 0 then has the row's accumulator. */
TB_FN bool tb_join(const tb_params &p, tb_idx row, tb_acc &s)
{
    const tb_idx parts = gridDim.y;
    if (threadIdx.x == 0) tb_spill(p, row * parts + blockIdx.y, s);
    if (!tb_last_block(p.counters + row, gridDim.y)) return false;
    s = tb_init();
    tb_merge_parts<TB_AT_HAND>(p, row * parts, 1, threadIdx.x, blockDim.x, parts, s);
    s = tb_block_merge(s);
    return true;
}

extern "C" __global__ void __launch_bounds__(256, TB_RESIDENT) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_idx row = blockIdx.x, parts = gridDim.y, part = (tb_idx)p.part, chunks = tb_chunks(p);
    const tb_idx from = blockIdx.y * part, to = chunks - from < part ? chunks : from + part;
    const tb_at at = tb_row(p, row);
    tb_acc s = tb_block_merge(tb_strip(p, at, from + threadIdx.x, blockDim.x, to));
    if constexpr (!TB_PLAIN)
        if (parts > 1 && !tb_join(p, row, s)) return;
    if (threadIdx.x == 0) tb_put(p, at, 0, tb_final(s, p));
}
