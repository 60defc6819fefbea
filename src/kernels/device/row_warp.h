/* row_warp.h - REDUCE, short rows: what device/rows.h has a group of lanes do with a row. */

TB_FN void tb_take_row(const tb_params &p, const tb_at &at, unsigned lane, unsigned lanes, bool live)
{
    tb_acc s = tb_strip(p, at, lane, lanes, live ? tb_chunks(p) : 0);
    for (unsigned d = lanes / 2; d; d /= 2) tb_merge(s, tb_from_above(s, d));
    if (live && lane == 0) tb_put(p, at, 0, tb_final(s, p));
}
