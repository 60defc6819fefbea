/* scan_packed.h - SCAN of elements that are smaller than an accumulator: of a chunk its values are kept, as they
 * would lie in memory, and stepped through again. It takes half the registers, so that more blocks are under way. */

enum { TB_BLOCKS = sizeof(tb_acc) > 4 ? 3 : 4 };

struct tb_share {
    tb_items v;
    tb_acc before;
};

TB_FN tb_acc tb_share_take(const tb_params &p, const tb_at &at, const tb_chunk &x, int n, tb_share &share)
{
    tb_acc run = tb_init();
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        if (j >= n) continue;
        const auto value = tb_compute(p, at, x, j);
        tb_step(run, value, j);
        tb_keep(share.v, j, value);
    }
    tb_pack(share.v);
    share.before = tb_init();
    return run;
}

TB_FN void tb_share_follow(tb_share &share, tb_acc before) { share.before = before; }

TB_FN void tb_share_put(const tb_params &p, const tb_at &at, const tb_share &share, tb_acc carry, int n)
{
    tb_items v = share.v;
    tb_acc run = tb_init();
    tb_result y;
    tb_pack(v);
    tb_merge(carry, share.before);
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        tb_acc s = carry;
        if (j < n) tb_step(run, tb_kept(v, j), j);
        tb_merge(s, run);
        tb_result_set(y, j, tb_final(s, 1.0));
    }
    tb_scan_store(p, at, y, n);
}
