/* scan.h - what the scans along a row share.
 *
 * What a thread keeps of a chunk between its first and its second look at it is a tb_share, of device/scan_running.h or
 * device/scan_packed.h:
 *   tb_share_take(p, at, x, n, share)        the first n elements of a chunk; returns what they are together
 *   tb_share_follow(share, before)           what lies before the chunk
 *   tb_share_put(p, at, share, carry, n)     stores the running values, after what lies before all of it
 *   TB_BLOCKS                                blocks that a multiprocessor is to have room for; 0: any number */

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

/* Has the words of x in a register each. The compiler would take smaller values apart long before they are wanted. */
template <class T> TB_FN void tb_pack(T &x)
{
    tb_u32 w[(sizeof x + 3) / 4];
    if (sizeof x % 4) return;
    memcpy(w, &x, sizeof x);
#pragma unroll
    for (int i = 0; i < (int)(sizeof x / 4); i++) asm volatile("" : "+r"(w[i]));
    memcpy(&x, w, sizeof x);
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

TB_FN void tb_scan_store(const tb_params &p, const tb_at &at, const tb_result &y, int n)
{
    if (n == TB_V && !TB_PICKS) tb_put(p, at, y);
    else tb_put_some(p, at, n, y);
}
