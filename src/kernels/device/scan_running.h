/* scan_running.h - SCAN: of a chunk its running values are kept. */

enum { TB_BLOCKS = 0 };

struct tb_share {
    tb_acc s[TB_V];
};

TB_FN tb_acc tb_share_take(const tb_params &p, const tb_at &at, const tb_chunk &x, int n, tb_share &share)
{
    tb_acc run = tb_init();
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        if (j < n) tb_step(run, tb_compute(p, at, x, j), j);
        share.s[j] = run;
    }
    return run;
}

TB_FN void tb_share_follow(tb_share &share, tb_acc before)
{
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        tb_acc s = before;
        tb_merge(s, share.s[j]);
        share.s[j] = s;
    }
}

TB_FN void tb_share_put(const tb_params &p, const tb_at &at, const tb_share &share, tb_acc carry, int n)
{
    tb_result y;
#pragma unroll
    for (int j = 0; j < TB_V; j++) {
        tb_acc s = carry;
        tb_merge(s, share.s[j]);
        tb_result_set(y, j, tb_final(s, 1.0));
    }
    tb_scan_store(p, at, y, n);
}
