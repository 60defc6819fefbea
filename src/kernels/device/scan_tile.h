/* scan_tile.h - a block's share of a long row: TB_U times blockDim.x neighbouring chunks, scanned alone. A warp
 * has TB_U times 32 neighbouring chunks, lane by lane. */

struct tb_tile {
    tb_idx first, end;      /* of the warp's chunks; of all chunks */
    tb_share share[TB_U];   /* the thread's chunks; they follow what lies before in the warp's share */
    tb_acc start;           /* what lies before that, in the tile */
    bool whole;             /* all chunks of the tile have all their elements */
};

/* A thread's chunk u. */
TB_FN tb_idx tb_tile_chunk(const tb_tile &t, int u) { return t.first + (u * 32 + threadIdx.x % 32); }

/* total[u]: of a thread's chunk u. */
TB_FN void tb_tile_fetch(const tb_params &p, const tb_at &row, tb_tile &t, tb_acc *total)
{
    tb_chunk x[TB_U];
#pragma unroll
    for (int u = 0; u < TB_U; u++) tb_fetch(p, tb_along(p, row, tb_tile_chunk(t, u)), x[u]);
#pragma unroll
    for (int u = 0; u < TB_U; u++)
        total[u] = tb_share_take(p, tb_along(p, row, tb_tile_chunk(t, u)), x[u], TB_V, t.share[u]);
}

/* Where chunks may be missing, and the last of a row be a partial one: that one's elements are loaded when its turn
 * comes, since those of all chunks, one by one, would take a register each. */
TB_FN void tb_tile_fetch_some(const tb_params &p, const tb_at &row, tb_tile &t, tb_acc *total)
{
    tb_chunk x[TB_U];
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        const tb_idx c = tb_tile_chunk(t, u);
        if (tb_scan_left(p, c, t.end) == TB_V) tb_fetch(p, tb_along(p, row, c), x[u]);
        tb_pack(x[u]);
    }
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        const tb_idx c = tb_tile_chunk(t, u);
        const tb_at at = tb_along(p, row, c);
        const int n = tb_scan_left(p, c, t.end);
        if (n > 0 && n < TB_V) tb_fetch_some(p, at, n, x[u]);
        tb_pack(x[u]);
        total[u] = tb_share_take(p, at, x[u], n, t.share[u]);
        asm volatile("" ::: "memory");
    }
}

/* Scans the chunks from, from + 1, ...; returns what all of them are together. Two sets of totals in turn: one barrier
 * a tile is enough. */
TB_FN tb_acc tb_tile_scan(const tb_params &p, const tb_at &row, tb_idx from, tb_idx end, unsigned turn, tb_tile &t)
{
    __shared__ tb_acc totals[2][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const tb_idx to = from + TB_U * blockDim.x;
    t.first = from + warp * (TB_U * 32);
    t.end = end;
    t.whole = to <= end && to * TB_V <= (tb_idx)p.along;
    tb_acc total[TB_U], run = tb_init();
    if (t.whole) tb_tile_fetch(p, row, t, total);
    else tb_tile_fetch_some(p, row, t, total);
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        const tb_acc lanes = tb_scan_lanes(total[u], lane, 32), below = tb_from_below(lanes, 1);
        tb_acc before = run;
        if (lane > 0) tb_merge(before, below);
        tb_merge(run, tb_from_lane(lanes, 31));
        tb_share_follow(t.share[u], before);
    }
    if (lane == 0) totals[turn][warp] = run;
    __syncthreads();
    const tb_acc sum = tb_scan_lanes(lane < warps ? totals[turn][lane] : tb_init(), lane, 32);
    const tb_acc others = tb_from_lane(sum, warp ? warp - 1 : 0);
    t.start = warp ? others : tb_init();
    return tb_from_lane(sum, 31);
}

TB_FN void tb_tile_put(const tb_params &p, const tb_at &row, const tb_tile &t, tb_acc carry)
{
    tb_merge(carry, t.start);
    if (t.whole) {
#pragma unroll
        for (int u = 0; u < TB_U; u++)
            tb_share_put(p, tb_along(p, row, tb_tile_chunk(t, u)), t.share[u], carry, TB_V);
    } else {
#pragma unroll
        for (int u = 0; u < TB_U; u++) {
            const tb_idx c = tb_tile_chunk(t, u);
            tb_share_put(p, tb_along(p, row, c), t.share[u], carry, tb_scan_left(p, c, t.end));
        }
    }
}
