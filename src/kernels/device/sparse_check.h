/* sparse_check.h - SPARSE_CHECK: what a pattern is not, whatever is in it, or elements whose rows are given. */

enum { TB_IS_SORTED = 1, TB_IS_UNIQUE = 2, TB_IS_VALID = 4 };

/* Start may be anything: then it is said so, and what else is found does not matter. */
TB_FN tb_u32 tb_start_fails(const tb_params &p, tb_i64 row)
{
    const tb_column here = p.a.start[row];
    const bool first = row > 0 || here == 0, last = row < p.rows || here == p.a.n;
    return first && last && (row == 0 || p.a.start[row - 1] <= here) ? 0 : TB_IS_VALID;
}

/* Of element k and the one before it. */
TB_FN tb_u32 tb_element_fails(const tb_params &p, const tb_span &span, tb_i64 k)
{
    const tb_column column = p.a.index[k];
    const bool no_row = p.place && (p.place[k] < 0 || p.place[k] >= p.rows);
    const tb_u32 outside = column < 0 || column >= p.cols || no_row ? TB_IS_VALID : 0;
    if (k == 0) return outside;
    const tb_column before = p.a.index[k - 1];
    const bool falls = p.place && p.place[k] < p.place[k - 1];
    const bool same =
        p.place ? p.place[k] == p.place[k - 1] : p.a.start[tb_row_of(p.a.start, span.low, span.high, k)] < k;
    return outside | (falls || (same && column < before) ? TB_IS_SORTED : 0) |
           (same && column == before ? TB_IS_UNIQUE : 0);
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 first = (tb_i64)blockIdx.x * TB_CHUNK;
    tb_span span = {0, 0};
    tb_u32 fails = 0;
    if (!p.place && first < p.a.n && p.rows > 0) span = tb_span_of(p.a, p.rows, first);
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_i64 k = first + i * TB_THREADS + threadIdx.x;
        if (!p.place && k <= p.rows) fails |= tb_start_fails(p, k);
        if (k < p.a.n && (p.place || p.rows > 0)) fails |= tb_element_fails(p, span, k);
    }
    if (fails) atomicOr((tb_u32 *)p.out[0], fails);
}
