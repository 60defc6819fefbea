/* device_scan.h - what the scans along a row share: a chunk's own running values, and those of the lanes before it. */

/* Elements of chunk c that exist, where chunks end before `end`. */
TB_FN int tb_scan_left(const tb_params &p, tb_idx c, tb_idx end)
{
    const tb_idx along = (tb_idx)p.along;
    return c >= end ? 0 : along - c * TB_V < TB_V ? (int)(along - c * TB_V) : TB_V;
}

TB_FN void tb_scan_fetch(const tb_params &p, const tb_at &at, int n, tb_chunk &x)
{
    if (n == TB_V) tb_fetch(p, at, x);
    else tb_fetch_some(p, at, n, x);
}

/* s[j]: elements 0 ... j of the chunk together. */
TB_FN void tb_scan_chunk(const tb_params &p, const tb_at &at, const tb_chunk &x, int n, tb_acc *s)
{
    tb_acc run = tb_init();
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        if (j < n) tb_step(run, tb_compute(p, at, x, j), j);
        s[j] = run;
    }
}

/* Among groups of `lanes` lanes: total becomes that of this lane and those before it. */
TB_FN tb_acc tb_scan_lanes(tb_acc total, unsigned lane, unsigned lanes)
{
    for (unsigned d = 1; d < lanes; d *= 2) {
        tb_acc below = tb_from_below(total, d);
        if (lane < d) continue;
        tb_merge(below, total);
        total = below;
    }
    return total;
}

/* Stores `before` combined with each of the chunk's running values. */
TB_FN void tb_scan_put(const tb_params &p, const tb_at &at, tb_acc before, const tb_acc *s, int n)
{
    tb_result y;
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        tb_acc t = before;
        tb_merge(t, s[j]);
        tb_result_set(y, j, tb_final(t, 1.0));
    }
    if (n == TB_V) tb_put(p, at, y);
    else tb_put_some(p, at, n, y);
}
