/* sparse_starts.h - SPARSE_STARTS: where lines begin among elements in order, whose lines a.index has: a thread writes
 * what begins between two neighbours, and all of a block what is much. */

enum { TB_FEW = 16 };

/* Lines that begin at an element: from `low` to `high`. */
struct tb_gap {
    tb_i64 low, high;
};

/* Whatever lines elements have, of all gaps together no line is left out, and none is outside the result. */
TB_FN tb_gap tb_gap_before(const tb_params &p, tb_i64 k)
{
    const tb_i64 low = k == 0 ? 0 : (tb_i64)p.a.index[k - 1] + 1, high = k == p.a.n ? p.rows : (tb_i64)p.a.index[k];
    tb_gap gap;
    gap.low = low > 0 ? low : 0;
    gap.high = high < p.rows ? high : p.rows;
    return gap;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ int wide[TB_CHUNK];
    __shared__ int count;
    tb_column *const start = (tb_column *)p.out[0];
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_CHUNK;
    for (int i = threadIdx.x; i < TB_CHUNK && first + i <= p.a.n; i += TB_THREADS) {
        const tb_gap gap = tb_gap_before(p, first + i);
        if (gap.high - gap.low >= TB_FEW) wide[atomicAdd(&count, 1)] = i;
        else
            for (tb_i64 line = gap.low; line <= gap.high; line++) start[line] = (tb_column)(first + i);
    }
    __syncthreads();
    for (int i = 0; i < count; i++) {
        const tb_gap gap = tb_gap_before(p, first + wide[i]);
        for (tb_i64 line = gap.low + threadIdx.x; line <= gap.high; line += TB_THREADS)
            start[line] = (tb_column)(first + wide[i]);
    }
}
