/* pick.h - SCAN that picks: the count of an element that is picked says where it goes. What a warp has of that
 * goes to neighbouring places; it is put together in shared memory first, so that lanes store neighbours. Flags are
 * read twice, after the host has counted them: should somebody change them meanwhile, nothing is stored elsewhere for
 * it. */

TB_FN void tb_put_some(const tb_params &p, const tb_at &at, int n, const tb_result &y)
{
    __shared__ tb_pick found[8][32 * TB_V];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const tb_acc end = (tb_acc)p.count;
    tb_chunk x;
    if (n == TB_V) tb_fetch(p, at, x);
    else tb_fetch_some(p, at, n, x);
    const tb_acc before = tb_from_lane(y.count[0] - (n > 0 && tb_compute(p, at, x, 0)), 0);
    const unsigned some = (unsigned)(tb_from_lane(y.count[TB_V - 1], 31) - before);
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        const unsigned to = (unsigned)(y.count[j] - before - 1);
        if (j < n && to < 32 * TB_V && tb_compute(p, at, x, j)) found[warp][to] = tb_picked(p, at, x, j);
    }
    __syncwarp();
#pragma unroll
    for (int u = 0; u < TB_V; u++) {
        const tb_acc to = before + (tb_acc)(u * 32 + lane);
        if (u * 32 + lane < some && to < end) ((tb_pick *)p.y0)[to] = found[warp][u * 32 + lane];
    }
    __syncwarp();
}

TB_FN void tb_put(const tb_params &p, const tb_at &at, const tb_result &y)
{
    tb_put_some(p, at, TB_V, y);
}
