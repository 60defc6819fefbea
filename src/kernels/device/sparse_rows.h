/* sparse_rows.h - SPARSE_ROWS: the row of each element. */

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_CHUNK;
    const tb_span span = tb_span_of(p.a, p.rows, first);
    tb_column *row = (tb_column *)p.out[0];
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_i64 k = first + i * TB_THREADS + threadIdx.x;
        if (k < p.a.n) row[k] = (tb_column)tb_row_of(p.a.start, span.low, span.high, k);
    }
}
