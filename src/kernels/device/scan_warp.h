/* scan_warp.h - SCAN of short rows: what device/rows.h has a group of lanes do with a row. */

TB_FN void tb_take_row(const tb_params &p, const tb_at &start, unsigned lane, unsigned lanes, bool live)
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
