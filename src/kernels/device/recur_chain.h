/* recur_chain.h - RECUR_CHAIN: of the states in which blocks end that begin with zeros, those in which they begin.
 * Needs recur.h. A thread block has a row, and each of its threads a run of `share` blocks, a power of two.
 *
 * What a block makes of the states before it is a product with a matrix, which is found by what becomes of each state
 * alone; squared, it is that of twice as many blocks. A thread's run is gone through from zeros, the runs' ends are put
 * together by doubling distances, and the run is gone through again from what is before it. */

/* to += power * from. Where outputs come back NaN and infinities stay for good, also when all else has died away; else
 * what has left a filter is nothing. */
TB_FN void tb_advance(const tb_wide *power, const tb_wide *from, tb_wide *to)
{
    for (int i = 0; i < TB_STATES; i++)
        for (int j = 0; j < TB_STATES; j++) {
            const tb_wide by = power[i * TB_STATES + j];
            if (TB_FEEDBACK || !tb_is_zero(by)) to[i] = tb_sum(to[i], tb_times(by, from[j]));
        }
}

/* What one block makes of each state: a column for each thread. */
TB_FN void tb_power(const tb_params &p, const tb_wide *c, tb_wide *power)
{
    const int j = (int)threadIdx.x;
    tb_wide z[TB_STATES];
    for (int i = 0; i < TB_STATES; i++) z[i] = tb_wide_of(i == j, 0);
    for (tb_i64 t = 0; j < TB_STATES && t < p.length; t++) tb_step(tb_wide_of(0, 0), z, c);
    for (int i = 0; j < TB_STATES && i < TB_STATES; i++) power[i * TB_STATES + j] = z[i];
    __syncthreads();
}

TB_FN void tb_square(tb_wide *power)
{
    enum { MOST = (TB_STATES * TB_STATES + TB_THREADS - 1) / TB_THREADS };
    tb_wide next[MOST];
    for (int k = 0; k < MOST; k++) {
        const int at = (int)threadIdx.x + k * TB_THREADS, row = at / TB_STATES, column = at % TB_STATES;
        next[k] = tb_wide_of(0, 0);
        for (int l = 0; at < TB_STATES * TB_STATES && l < TB_STATES; l++)
            next[k] = tb_sum(next[k], tb_times(power[row * TB_STATES + l], power[l * TB_STATES + column]));
    }
    __syncthreads();
    for (int k = 0; k < MOST; k++)
        if ((int)threadIdx.x + k * TB_THREADS < TB_STATES * TB_STATES) power[threadIdx.x + k * TB_THREADS] = next[k];
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_wide c[TB_COEFFICIENTS], one[TB_STATES * TB_STATES], power[TB_STATES * TB_STATES];
    tb_coefficients(p, c);
    tb_wait();
    const tb_i64 row = blockIdx.x, me = threadIdx.x;
    tb_i64 share = 1;
    tb_power(p, c, one);
    for (int i = (int)threadIdx.x; i < TB_STATES * TB_STATES; i += TB_THREADS) power[i] = one[i];
    __syncthreads();
    for (; share * TB_THREADS < p.blocks; share *= 2) tb_square(power);

    tb_wide *states = p.states + row * p.blocks * TB_STATES;
    tb_wide *room[2] = {p.room + row * 2 * TB_THREADS * TB_STATES, p.room + (row * 2 + 1) * TB_THREADS * TB_STATES};
    const tb_i64 from = me * share, to = from + share < p.blocks ? from + share : p.blocks;
    tb_wide z[TB_STATES], next[TB_STATES];
    for (int i = 0; i < TB_STATES; i++)
        z[i] = me == 0 && p.zi ? tb_widen(p.zi[tb_state_at(p, row, i)]) : tb_wide_of(0, 0);
    for (tb_i64 b = from; b < to; b++) {
        for (int i = 0; i < TB_STATES; i++) next[i] = states[b * TB_STATES + i];
        tb_advance(one, z, next);
        for (int i = 0; i < TB_STATES; i++) z[i] = next[i];
    }
    int with = 0;
    for (int i = 0; i < TB_STATES; i++) room[0][me * TB_STATES + i] = z[i];
    __syncthreads();
    for (int distance = 1; distance < TB_THREADS; distance *= 2, with ^= 1) {
        for (int i = 0; i < TB_STATES; i++) next[i] = room[with][me * TB_STATES + i];
        if (me >= distance) tb_advance(power, room[with] + (me - distance) * TB_STATES, next);
        for (int i = 0; i < TB_STATES; i++) room[with ^ 1][me * TB_STATES + i] = next[i];
        tb_square(power);
    }
    for (int i = 0; i < TB_STATES; i++)
        z[i] = me > 0 ? room[with][(me - 1) * TB_STATES + i]
               : p.zi ? tb_widen(p.zi[tb_state_at(p, row, i)])
                      : tb_wide_of(0, 0);
    for (tb_i64 b = from; b < to; b++) {
        for (int i = 0; i < TB_STATES; i++) next[i] = states[b * TB_STATES + i];
        for (int i = 0; i < TB_STATES; i++) states[b * TB_STATES + i] = z[i];
        tb_advance(one, z, next);
        for (int i = 0; i < TB_STATES; i++) z[i] = next[i];
    }
}
