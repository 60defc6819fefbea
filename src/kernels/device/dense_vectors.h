/* dense_vectors.h - DENSE_VECTORS: eigenvectors of real n x n matrices, which come as LAPACK has them, as complex ones.
 * Of the two of a pair, of which the eigenvalue with a positive imaginary part is first, one column has the real part
 * and the next the imaginary part. a: columns as they come, v: eigenvalues, b: vectors, both pairs of numbers. A block
 * has a column. */

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_number value = p.v[2 * (tb_i64)blockIdx.x + 1], sign = value > 0 ? 1 : value < 0 ? -1 : 0;
    const tb_number *column = p.a + (tb_i64)blockIdx.x * p.n, *re = column, *im = column;
    tb_number *out = p.b + 2 * (tb_i64)blockIdx.x * p.n;
    if (sign > 0) im += p.n;
    if (sign < 0) re -= p.n;
    for (tb_i64 i = threadIdx.x; i < p.n; i += TB_THREADS) {
        out[2 * i] = re[i];
        out[2 * i + 1] = sign == 0 ? (tb_number)0 : sign * im[i];
    }
}
