/* recur_chain.h - RECUR_CHAIN: of the states in which regions end that begin with zeros, those in which they begin.
 * Needs recur.h. A thread block has a row, and puts its regions together by doubling distances, as far as states reach:
 * `states` and `room` take turns, and what is written last is begun with. */

enum { TB_MOST_STATES = 32 };

/* sum + a state that a jump makes of those before it. */
TB_FN tb_wide tb_after(const tb_wide *jump, const tb_wide *from, int state, int order, int states, tb_wide sum)
{
    const int reached = (state / order + 1) * order; /* sections go on to those after them */
#pragma unroll 4
    for (int j = 0; j < reached; j++) sum = tb_add_part(sum, jump[j * states + state], from[j]);
    return sum;
}

/* A jump to shared memory, turned round: neighbouring threads have neighbouring states. */
TB_FN void tb_bring(const tb_wide *jump, int states, tb_wide *turned)
{
    __syncthreads();
    for (int i = (int)threadIdx.x; i < states * states; i += TB_THREADS)
        turned[i % states * states + i / states] = jump[i];
    __syncthreads();
}

TB_FN bool tb_is_finite(double x) { return x - x == 0; }
TB_FN bool tb_is_finite(tb_c128 x) { return tb_is_finite(x.re) && tb_is_finite(x.im); }

/* From which region on the states of each section are not finite. */
TB_FN void tb_find_lost(const tb_wide *z, int count, int order, int states, int *lost)
{
    if (threadIdx.x < TB_MOST_STATES) lost[threadIdx.x] = 0x7fffffff;
    __syncthreads();
    for (int i = (int)threadIdx.x; TB_FEEDBACK && i < count * states; i += TB_THREADS)
        if (!tb_is_finite(z[i])) atomicMin(lost + i % states / order, i / states);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 1; s < states / order; s++) lost[s] = lost[s] < lost[s - 1] ? lost[s] : lost[s - 1];
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_wide jump[TB_MOST_STATES * TB_MOST_STATES], before[TB_MOST_STATES];
    __shared__ int lost[TB_MOST_STATES];
    tb_wait();
    const int t = (int)threadIdx.x, states = p.sections * p.order, count = (int)p.regions - 1;
    const int together = TB_THREADS / states; /* regions; threads beyond them wait */
    const int state = t % states, first = t < together * states ? t / states : count;
    const tb_i64 row = blockIdx.x;
    tb_wide *z = p.states + row * p.regions * states, *other = p.room + row * p.regions * states;
    if (t < states) before[t] = p.zi ? tb_widen(p.zi[tb_state_at(p, row, t)]) : tb_wide_of(0, 0);
    tb_bring(p.jumps, states, jump);
    if (t < states) z[t] = tb_after(jump, before, t, p.order, states, z[t]);
    for (int leap = 0; leap < p.leaps; leap++) {
        if (leap) tb_bring(p.jumps + (tb_i64)leap * states * states, states, jump);
        else __syncthreads();
        for (int r = first; r < count; r += together) {
            const tb_wide *from = z + (r - (1 << leap)) * states;
            const tb_wide own = z[r * states + state];
            other[r * states + state] = r < 1 << leap ? own : tb_after(jump, from, state, p.order, states, own);
        }
        tb_wide *const turned = z;
        z = other;
        other = turned;
    }
    __syncthreads();
    tb_find_lost(z, count, p.order, states, lost);
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    for (int r = first; r < count; r += together)
        other[(r + 1) * states + state] = r > lost[state / p.order] ? tb_wide_of(nan, nan) : z[r * states + state];
    if (t < states) other[t] = before[t];
}
