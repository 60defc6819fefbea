/* sparse_pair.h - SPARSE_PAIR: how many elements of b come before each one of a, flipped where b has it, too. */

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_CHUNK;
    const tb_span span = tb_span_of(p.a, p.rows, first);
    tb_column *place = (tb_column *)p.out[0];
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_i64 k = first + i * TB_THREADS + threadIdx.x;
        if (k >= p.a.n) continue;
        const tb_i64 row = tb_row_of(p.a.start, span.low, span.high, k);
        const tb_column column = p.a.index[k], at = (tb_column)tb_element_at(p.b, row, column);
        place[k] = at < p.b.start[row + 1] && p.b.index[at] == column ? ~at : at;
    }
}
