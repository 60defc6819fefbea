/* recur_chain.h - RECUR_CHAIN: of the states in which regions end that begin with zeros, those in which they begin.
 * Needs recur.h. A thread block has a row, and puts its regions together by doubling distances, as far as states reach:
 * `states` and `room` take turns, and what is written last is begun with. */

enum { TB_MOST_STATES = 32 };

/* A state of region `region` after the last element, given that of the regions `distance` before it. */
TB_FN tb_wide tb_after(const tb_wide *jump, const tb_wide *from, int i, int order, int states, tb_wide sum)
{
    const int reached = (i / order + 1) * order; /* sections go on to those after them */
    for (int j = 0; j < reached; j++) sum = tb_add_part(sum, jump[i * states + j], from[j]);
    return sum;
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
    __shared__ tb_wide before[TB_MOST_STATES];
    __shared__ int lost[TB_MOST_STATES];
    tb_wait();
    const int states = p.sections * p.order;
    const int count = (int)p.regions - 1;
    const tb_i64 row = blockIdx.x;
    tb_wide *z = p.states + row * p.regions * states, *other = p.room + row * p.regions * states;
    if ((int)threadIdx.x < states)
        before[threadIdx.x] = p.zi ? tb_widen(p.zi[tb_state_at(p, row, (int)threadIdx.x)]) : tb_wide_of(0, 0);
    __syncthreads();
    if ((int)threadIdx.x < states)
        z[threadIdx.x] = tb_after(p.jumps, before, (int)threadIdx.x, p.order, states, z[threadIdx.x]);
    __syncthreads();
    for (int leap = 0; leap < p.leaps; leap++) {
        const tb_wide *jump = p.jumps + (tb_i64)leap * states * states;
        const int distance = states << leap;
        for (int i = (int)threadIdx.x; i < count * states; i += TB_THREADS) {
            const int state = i % states;
            other[i] = i < distance ? z[i] : tb_after(jump, z + i - state - distance, state, p.order, states, z[i]);
        }
        __syncthreads();
        tb_wide *const turned = z;
        z = other;
        other = turned;
    }
    tb_find_lost(z, count, p.order, states, lost);
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    for (int i = (int)threadIdx.x; i < (count + 1) * states; i += TB_THREADS) {
        const int region = i / states, state = i % states;
        other[i] = region == 0                          ? before[state]
                   : region - 1 > lost[state / p.order] ? tb_wide_of(nan, nan)
                                                        : z[i - states];
    }
}
