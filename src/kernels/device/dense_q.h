/* dense_q.h - DENSE_Q: the first n columns of Q in place of k reflectors of m x n matrices, from the last one back, as
 * LAPACK's orgqr makes them. */

/* Column j becomes the reflected unit vector. */
TB_FN void tb_reflect_unit(const tb_matrix &a, int m, int j, tb_number factor)
{
    for (int i = (int)threadIdx.x; i < m; i += TB_THREADS) {
        tb_number &x = tb_cell(a, i, j);
        if (i < j) x = tb_number_of(0, 0);
        else x = tb_less_product(tb_number_of(i == j, 0), factor, i == j ? tb_number_of(1, 0) : x);
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number room[TB_ELEMENTS];
    tb_wait();
    const int m = (int)p.m, n = (int)p.n, k = (int)p.k, lanes = tb_lanes_of(n);
    tb_number *mine = p.a + (tb_i64)blockIdx.x * m * n;
    const tb_number *factors = p.v + (tb_i64)blockIdx.x * k;
    const tb_matrix a = tb_bring(mine, room, m, n);
    for (int j = k; j < n; j++)
        for (int i = (int)threadIdx.x; i < m; i += TB_THREADS) tb_cell(a, i, j) = tb_number_of(i == j, 0);
    __syncthreads();
    for (int j = k - 1; j >= 0; j--) {
        const tb_number factor = factors[j];
        tb_reflect(a, m, j, n, factor, lanes);
        __syncthreads();
        tb_reflect_unit(a, m, j, factor);
        __syncthreads();
    }
    tb_take_back(mine, room, m, n);
    if (p.info && threadIdx.x == 0) p.info[blockIdx.x] = 0;
}
