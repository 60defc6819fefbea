/* sparse_pair.h - SPARSE_PAIR: how many elements of b come before each one of a, flipped where b has it, too. A thread
 * has elements of a that follow one another: the next one's place is searched for from the last one's on. */

/* The first of b's elements from `low` on that is not before a column: by steps that double, then by halves. */
TB_FN tb_i64 tb_from(const tb_column *index, tb_i64 low, tb_i64 high, tb_column column)
{
    for (tb_i64 step = 1; low < high; step *= 2) {
        const tb_i64 probe = low + step < high ? low + step : high;
        if (index[probe - 1] >= column) {
            high = probe - 1;
            break;
        }
        low = probe;
    }
    while (low < high) {
        const tb_i64 middle = low + (high - low) / 2;
        if (index[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_column places[TB_CHUNK];
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_CHUNK;
    const tb_span span = tb_span_of(p.a, p.rows, first);
    const tb_i64 count = p.a.n - first < TB_CHUNK ? p.a.n - first : TB_CHUNK;
    tb_i64 row = span.low, at = 0, end = 0, next = -1;
    tb_column before = 0;
    for (tb_i64 i = threadIdx.x * TB_ITEMS; i < count && i < (threadIdx.x + 1) * TB_ITEMS; i++) {
        const tb_column column = p.a.index[first + i];
        if (first + i >= next) row = tb_row_of(p.a.start, row, span.high, first + i);
        if (first + i >= next || column < before) {
            next = p.a.start[row + 1];
            at = p.b.start[row];
            end = p.b.start[row + 1];
        }
        at = tb_from(p.b.index, at, end, before = column);
        places[i] = (tb_column)(at < end && p.b.index[at] == column ? ~at : at);
    }
    __syncthreads();
    for (tb_i64 i = threadIdx.x; i < count; i += TB_THREADS) ((tb_column *)p.out[0])[first + i] = places[i];
}
