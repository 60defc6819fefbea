/* strip.h - one thread's share of a row: the chunks c, c + step, c + 2 step, ... below end, in TB_V independent
 * accumulators, or one where they are so large that registers would run out; a fold may take several elements in one
 * step (TB_SEVERAL). TB_U chunks are loaded at a time; it makes no difference to the order of steps. Once an
 * accumulator has what no further element can change, such as `any` a true one, the rest is not read. */

template <int N> TB_FN bool tb_any_absorbed(const tb_acc *s)
{
    bool absorbed = false;
#pragma unroll
    for (int j = 0; j < N; j++) absorbed |= tb_is_absorbed(s[j]);
    return absorbed;
}

enum { TB_APART = TB_LARGE_ACC ? 1 : TB_V };

TB_FN tb_acc tb_strip(const tb_params &p, const tb_at &row, tb_idx c, tb_idx step, tb_idx end)
{
    const tb_idx along = (tb_idx)p.along, whole = along / TB_V < end ? along / TB_V : end;
    tb_acc s[TB_APART];
#pragma unroll
    for (int j = 0; j < TB_APART; j++) s[j] = tb_init();
    if (TB_U > 1) {
        for (; c + (TB_U - 1) * step < whole; c += TB_U * step) {
            tb_at at[TB_U];
            tb_chunk x[TB_U];
#pragma unroll
            for (int u = 0; u < TB_U; u++) {
                at[u] = tb_along(p, row, c + u * step);
                tb_fetch(p, at[u], x[u]);
            }
#ifdef TB_SEVERAL
#pragma unroll
            for (int u = 0; u < TB_U; u += 2) {
                double v[2 * TB_V];
#pragma unroll
                for (int k = 0; k < 2 * TB_V; k++) v[k] = tb_compute(p, at[u + k / TB_V], x[u + k / TB_V], k % TB_V);
                TB_SEVERAL(s[0], v);
            }
#else
#pragma unroll
            for (int k = 0; k < TB_U * TB_V; k++) {
                const int u = k / TB_V, j = k % TB_V;
                tb_step(s[j % TB_APART], tb_compute(p, at[u], x[u], j), (tb_i64)((c + u * step) * TB_V + j));
            }
#endif
            if (tb_any_absorbed<TB_APART>(s)) end = 0;
            if (end == 0) break;
        }
    }
    for (; c < end; c += step) {
        const int n = TB_V == 1 || c < whole ? TB_V : (int)(along - c * TB_V);
        const tb_at at = tb_along(p, row, c);
        tb_chunk x;
        if (n == TB_V) tb_fetch(p, at, x);
        else tb_fetch_some(p, at, n, x);
#pragma unroll
        for (int j = 0; j < TB_V; j++)
            if (j < n) tb_step(s[j % TB_APART], tb_compute(p, at, x, j), (tb_i64)(c * TB_V + j));
    }
    tb_fold<TB_APART>(s);
    return s[0];
}

TB_FN tb_idx tb_chunks(const tb_params &p)
{
    return ((tb_idx)p.along + (TB_V - 1)) / TB_V;
}
