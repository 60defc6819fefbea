/* sparse_rows.h - SPARSE_ROWS: the row of each element; (any) or it in the upper half of a word, and in the lower one
 * the element's 32 bits, or its number. A thread has elements that follow one another, most of which are of the row
 * that the one before is of; they are written side by side. */

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_column rows[TB_CHUNK];
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_CHUNK;
    const tb_span span = tb_span_of(p.a, p.rows, first);
    const tb_i64 end = p.a.n - first < TB_CHUNK ? p.a.n - first : TB_CHUNK;
    tb_i64 row = span.low;
    for (tb_i64 i = threadIdx.x * TB_ITEMS, next = -1; i < end && i < (threadIdx.x + 1) * TB_ITEMS; i++) {
        if (first + i >= next) {
            row = tb_row_of(p.a.start, row, span.high, first + i);
            next = p.a.start[row + 1];
        }
        rows[i] = (tb_column)row;
    }
    __syncthreads();
    for (tb_i64 i = threadIdx.x; i < end; i += TB_THREADS) {
        const tb_i64 k = first + i;
        const tb_u32 *bits = (const tb_u32 *)p.place;
        if (p.any) ((tb_u64 *)p.out[0])[k] = (tb_u64)rows[i] << 32 | (bits ? bits[k] : (tb_u32)k);
        else ((tb_column *)p.out[0])[k] = rows[i];
    }
}
