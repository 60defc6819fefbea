/* device_scan_warp.h - SCAN of short rows: 2^part neighbouring lanes a row. Where rows are staged a block takes `parts`
 * rows, as many as it has groups of lanes after one another. */

TB_FN void tb_scan_row(const tb_params &p, const tb_at &start, unsigned lane, unsigned lanes, bool live)
{
    const tb_idx chunks = tb_chunks(p), end = live ? chunks : 0;
    tb_acc carry = tb_init();
    for (tb_idx first = 0; first < chunks; first += lanes) {
        const tb_at at = tb_along(p, start, first + lane);
        tb_chunk x;
        tb_share share;
        const int n = tb_scan_left(p, first + lane, end);
        tb_scan_fetch(p, at, n, x);
        const tb_acc sum = tb_share_take(p, at, x, n, share);
        const tb_acc total = tb_scan_lanes(sum, lane, lanes), below = tb_from_below(total, 1);
        tb_acc before = carry;
        if (lane > 0) tb_merge(before, below);
        tb_share_put(p, at, share, before, n);
        tb_merge(carry, tb_from_lane(total, threadIdx.x % 32 | (lanes - 1)));
    }
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const unsigned log2 = (unsigned)p.part, lanes = 1u << log2, lane = threadIdx.x & (lanes - 1);
    const tb_idx step = blockDim.x >> log2, most = TB_STAGED ? (tb_idx)p.parts : step, first = blockIdx.x * most;
    const tb_idx rows = (tb_idx)p.rows, end = TB_STAGED && rows - first > most ? first + most : rows;
    const tb_staged staged = tb_stage_in(p, first, end - first);
    tb_idx from = first;
    do {
        const tb_idx row = from + (threadIdx.x >> log2);
        const bool live = row < end;
        tb_at start = tb_row(p, live ? row : 0);
        tb_stage_row(staged, start);
        tb_scan_row(p, start, lane, lanes, live);
    } while (TB_STAGED && (from += step) < end);
    tb_stage_out(p, staged, first, end - first);
}
