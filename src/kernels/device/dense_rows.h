/* dense_rows.h - DENSE_ROWS: the exchanges of rows that an LU factorization has made, one after the other, in k columns
 * of n elements; or taken back. Each block finds out where all rows come from, by one thread in shared memory, and
 * moves its columns through there. */

enum { TB_MOST = TB_ROWS_BYTES / (4 + (int)sizeof(tb_number)) };

struct tb_params {
    tb_number *b;
    const tb_i32 *pivots; /* counted from 1 */
    tb_i64 n, k;
    tb_i32 back;
};

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    __shared__ tb_number column[TB_MOST];
    __shared__ tb_i32 from[TB_MOST];
    const int n = (int)p.n, me = (int)threadIdx.x;
    tb_i32 *with = (tb_i32 *)column; /* the row that each is exchanged with */
    for (int i = me; i < n; i += TB_THREADS) {
        from[i] = i;
        with[i] = p.pivots[i] > 0 && p.pivots[i] <= n ? p.pivots[i] - 1 : i; /* callers may have made them */
    }
    __syncthreads();
    if (me == 0)
        for (int s = 0; s < n; s++) {
            const int i = p.back ? n - 1 - s : s, j = with[i];
            const tb_i32 kept = from[i];
            from[i] = from[j];
            from[j] = kept;
        }
    __syncthreads();
    for (tb_i64 c = blockIdx.x; c < p.k; c += gridDim.x) {
        tb_number *b = p.b + c * p.n;
        for (int i = me; i < n; i += TB_THREADS) column[i] = b[i];
        __syncthreads();
        for (int i = me; i < n; i += TB_THREADS) b[i] = column[from[i]];
        __syncthreads();
    }
}
