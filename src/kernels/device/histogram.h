/* histogram.h - HISTOGRAM: how many of a few numbers are in each of a row of bins of equal width, and the edges of
 * these, by a block that has both in shared memory. */

struct tb_params {
    const tb_number *in;
    tb_number *edges;
    tb_i64 *counts;
    tb_number first, last, step;
    tb_u32 n, bins;
};

/* The last edge but one that is not beyond x, which is between the outer ones. */
TB_FN tb_u32 tb_bin_of(const tb_number *edge, tb_u32 bins, tb_number x)
{
    tb_u32 from = 0, to = bins;
    while (to - from > 1) {
        const tb_u32 middle = (from + to) / 2;
        if (edge[middle] <= x) from = middle;
        else to = middle;
    }
    return from;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number edge[TB_BINS];
    __shared__ tb_u32 count[TB_BINS];
    tb_wait();
    for (tb_u32 i = threadIdx.x; i < p.bins; i += TB_THREADS) {
        const tb_number distance = (tb_number)i * p.step;
        edge[i] = distance + p.first;
        count[i] = 0;
        p.edges[i] = edge[i];
    }
    if (threadIdx.x == 0) p.edges[p.bins] = p.last;
    __syncthreads();
    const tb_counters counters = tb_counters_at(count);
    for (tb_u32 i = threadIdx.x; i < p.n; i += TB_THREADS) {
        const tb_number x = p.in[i];
        if (x >= p.first && x <= p.last) tb_counter_add(counters, tb_bin_of(edge, p.bins, x), 1);
    }
    __syncthreads();
    for (tb_u32 i = threadIdx.x; i < p.bins; i += TB_THREADS) p.counts[i] = count[i];
}
