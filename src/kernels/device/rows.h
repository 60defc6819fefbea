/* rows.h - short rows: 2^part neighbouring lanes a row. Where rows are staged a block takes `parts` rows, as
 * many as it has groups of lanes after one another. */

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const unsigned log2 = (unsigned)p.part, lanes = 1u << log2, lane = threadIdx.x & (lanes - 1);
    const tb_idx step = blockDim.x >> log2, most = TB_STAGED ? (tb_idx)p.parts : step, first = blockIdx.x * most;
    const tb_idx rows = (tb_idx)p.rows, end = TB_STAGED && rows - first > most ? first + most : rows;
    const tb_at at0 = tb_row(p, first);
    const tb_staged staged = tb_stage_in(p, at0, (end - first) * p.along);
    tb_idx from = first;
    do {
        const tb_idx row = from + (threadIdx.x >> log2);
        const bool live = row < end;
        tb_at at = tb_row(p, live ? row : 0);
        tb_stage_at(staged, at);
        tb_take_row(p, at, lane, lanes, live);
    } while (TB_STAGED && (from += step) < end);
    tb_stage_out(p, staged, at0, (end - first) * p.along);
}
