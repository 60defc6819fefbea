/* dense_lu.h - DENSE_LU: LU factors with partial pivoting of m x n matrices, by columns from the left. Behind a column
 * of zeros it goes on, as LAPACK's getrf does.
 *
 * Lanes have rows, warps columns, and every warp looks for the pivots itself. Rows stay where they are until the end:
 * a lane knows to which place each of its rows belongs so far. */

enum { TB_ROWS = TB_ROOM ? TB_ROOM / 32 : 8, TB_AT_ONCE = 4 };

TB_FN int tb_lesser(int x, int y) { return x < y ? x : y; }

struct tb_pivot {
    tb_real size;
    int place, row;
};

/* The larger one, or of equals the upper one; a NaN at the top stays there. */
TB_FN tb_pivot tb_larger(const tb_pivot &x, const tb_pivot &y, int top)
{
    const bool nan = (x.size != x.size && x.place == top) || (y.size != y.size && y.place == top);
    const bool first = nan ? x.place == top : x.size > y.size || (x.size == y.size && x.place < y.place);
    return first ? x : y;
}

/* Of column k, where the rows from place k on are left. The same for all lanes. */
TB_FN tb_pivot tb_find_pivot(const tb_number *column, const int *place, int m, int k)
{
    const int lane = (int)threadIdx.x % 32;
    tb_pivot best = {-1, m, 0};
#pragma unroll
    for (int r = 0; r < TB_ROWS; r++) {
        const int i = lane + 32 * r;
        const tb_real size = tb_magnitude(column[r]);
        if (i < m && place[r] >= k && (size == size || place[r] == k))
            best = tb_larger(best, tb_pivot{size, place[r], i}, k);
    }
    for (int apart = 16; apart > 0; apart /= 2)
        best = tb_larger(best,
                         tb_pivot{__shfl_xor_sync(0xffffffffu, best.size, apart),
                                  __shfl_xor_sync(0xffffffffu, best.place, apart),
                                  __shfl_xor_sync(0xffffffffu, best.row, apart)},
                         k);
    return best;
}

/* Column k's multiples are taken from the columns behind it; `column` becomes its multipliers. */
TB_FN void tb_eliminate(const tb_matrix &a, int m, int n, int k, const tb_pivot &pivot, tb_number *column,
                        const int *place)
{
    const int lane = (int)threadIdx.x % 32;
    const tb_number top = tb_cell(a, pivot.row, k);
    const bool zero = tb_magnitude(top) == 0;
#pragma unroll
    for (int r = 0; r < TB_ROWS; r++)
        if (lane + 32 * r < m && place[r] > k && !zero) column[r] = tb_over(column[r], top);
    for (int first = k + 1 + (int)threadIdx.x / 32; first < n; first += TB_AT_ONCE * TB_WARPS) {
        tb_number x[TB_AT_ONCE], y[TB_AT_ONCE];
#pragma unroll
        for (int u = 0; u < TB_AT_ONCE; u++) x[u] = tb_cell(a, pivot.row, tb_lesser(first + u * TB_WARPS, n - 1));
#pragma unroll
        for (int r = 0; r < TB_ROWS; r++) {
            const int i = lane + 32 * r;
            if (i >= m || place[r] <= k) continue;
#pragma unroll
            for (int u = 0; u < TB_AT_ONCE; u++) y[u] = tb_cell(a, i, tb_lesser(first + u * TB_WARPS, n - 1));
#pragma unroll
            for (int u = 0; u < TB_AT_ONCE; u++)
                if (first + u * TB_WARPS < n)
                    tb_cell(a, i, first + u * TB_WARPS) = tb_less_product(y[u], column[r], x[u]);
        }
    }
}

/* Rows go to their places. */
TB_FN void tb_put_in_place(const tb_matrix &a, int m, int n, const int *place)
{
    const int lane = (int)threadIdx.x % 32;
    for (int j = (int)threadIdx.x / 32; j < n; j += TB_WARPS) {
        tb_number x[TB_ROWS];
#pragma unroll
        for (int r = 0; r < TB_ROWS; r++)
            if (lane + 32 * r < m) x[r] = tb_cell(a, lane + 32 * r, j);
        __syncwarp();
#pragma unroll
        for (int r = 0; r < TB_ROWS; r++)
            if (lane + 32 * r < m) tb_cell(a, place[r], j) = x[r];
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number room[TB_ELEMENTS];
    tb_wait();
    const int m = (int)p.m, n = (int)p.n, steps = m < n ? m : n, lane = (int)threadIdx.x % 32;
    tb_number *mine = p.a + (tb_i64)blockIdx.x * m * n;
    tb_i32 *pivots = p.pivots + (tb_i64)blockIdx.x * steps;
    const tb_matrix a = tb_bring(mine, room, m, n);
    tb_number column[TB_ROWS];
    int place[TB_ROWS], zero = 0;
#pragma unroll
    for (int r = 0; r < TB_ROWS; r++) place[r] = lane + 32 * r;
    for (int k = 0; k < steps; k++) {
#pragma unroll
        for (int r = 0; r < TB_ROWS; r++) column[r] = tb_cell(a, lane + 32 * r < m ? lane + 32 * r : 0, k);
        const tb_pivot pivot = tb_find_pivot(column, place, m, k);
        if (!zero && pivot.size == 0) zero = k + 1;
#pragma unroll
        for (int r = 0; r < TB_ROWS; r++)
            place[r] = place[r] == k ? pivot.place : lane + 32 * r == pivot.row ? k : place[r];
        tb_eliminate(a, m, n, k, pivot, column, place);
        __syncthreads();
        if (threadIdx.x / 32 == k % TB_WARPS)
#pragma unroll
            for (int r = 0; r < TB_ROWS; r++)
                if (lane + 32 * r < m && place[r] > k) tb_cell(a, lane + 32 * r, k) = column[r];
        if (threadIdx.x == 0) pivots[k] = pivot.place + 1;
    }
    __syncthreads();
    tb_put_in_place(a, m, n, place);
    tb_take_back(mine, room, m, n);
    if (p.info && threadIdx.x == 0) p.info[blockIdx.x] = zero;
}
