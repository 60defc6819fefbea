/* dense_qr.h - DENSE_QR: R of m x n matrices, and below it the reflectors that make it, 1 - f v v' with v's first
 * element 1 and f in p.v: Householder's, as LAPACK's geqrf has them. */

TB_FN tb_real tb_sum_of_warp(tb_real x)
{
    for (int apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(0xffffffffu, x, apart);
    return x;
}

/* The sum of the squares of column k below its top, times scale * scale; the same for all lanes. */
TB_FN tb_real tb_squares_below(const tb_matrix &a, int m, int k, tb_real scale)
{
    tb_real sum = 0;
    for (int i = k + 1 + (int)threadIdx.x % 32; i < m; i += 32) {
        const tb_real re = tb_re(tb_cell(a, i, k)) * scale, im = tb_im(tb_cell(a, i, k)) * scale;
        sum += re * re + im * im;
    }
    return tb_sum_of_warp(sum);
}

TB_FN tb_real tb_largest_below(const tb_matrix &a, int m, int k)
{
    tb_real most = 0;
    for (int i = k + 1 + (int)threadIdx.x % 32; i < m; i += 32) {
        const tb_real size = tb_magnitude(tb_cell(a, i, k));
        if (size > most || size != size) most = size;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        const tb_real y = __shfl_xor_sync(0xffffffffu, most, apart);
        if (y > most || y != y) most = y;
    }
    return most;
}

/* The norm of column k below its top: of scaled elements where squares are too large or too small. */
TB_FN tb_real tb_norm_below(const tb_matrix &a, int m, int k)
{
    const tb_real sum = tb_squares_below(a, m, k, 1);
    if (sum > TB_SMALL_SQUARE && sum < TB_LARGE_SQUARE) return (tb_real)sqrt(sum);
    const tb_real most = tb_largest_below(a, m, k);
    if (most == 0 || most - most != 0) return most;
    const tb_real scale = most < TB_LEAST ? TB_LEAST : most;
    return scale * (tb_real)sqrt(tb_squares_below(a, m, k, 1 / scale));
}

TB_FN tb_real tb_hypotenuse(tb_real x, tb_real y, tb_real z)
{
    const tb_real sum = x * x + y * y + z * z;
    if (sum > TB_SMALL_SQUARE && sum < TB_LARGE_SQUARE) return (tb_real)sqrt(sum);
    tb_real most = x < 0 ? -x : x;
    y = y < 0 ? -y : y;
    if (y > most || y != y) most = y;
    if (z > most || z != z) most = z;
    if (most == 0 || most - most != 0) return most;
    x /= most;
    y /= most;
    z /= most;
    return most * (tb_real)sqrt(x * x + y * y + z * z);
}

/* Column k becomes its reflector, of which this is the factor; by the first warp. */
TB_FN tb_number tb_make_reflector(const tb_matrix &a, int m, int k)
{
    const tb_number top = tb_cell(a, k, k);
    const tb_real re = tb_re(top), im = tb_im(top), norm = tb_norm_below(a, m, k);
    if (norm == 0 && im == 0) return tb_number_of(0, 0);
    const tb_real all = tb_hypotenuse(re, im, norm), beta = re < 0 ? all : -all;
    const tb_number less = tb_number_of(re - beta, im);
    __syncwarp();
    for (int i = k + 1 + (int)threadIdx.x; i < m; i += 32) tb_cell(a, i, k) = tb_over(tb_cell(a, i, k), less);
    if (threadIdx.x == 0) tb_cell(a, k, k) = tb_number_of(beta, 0);
    return tb_number_of((beta - re) / beta, -im / beta);
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number room[TB_ELEMENTS], factor;
    tb_wait();
    const int m = (int)p.m, n = (int)p.n, steps = m < n ? m : n, lanes = tb_lanes_of(n);
    tb_number *mine = p.a + (tb_i64)blockIdx.x * m * n;
    const tb_matrix a = tb_bring(mine, room, m, n);
    for (int k = 0; k < steps; k++) {
        if (threadIdx.x < 32) {
            const tb_number made = tb_make_reflector(a, m, k);
            if (threadIdx.x == 0) {
                factor = made;
                p.v[(tb_i64)blockIdx.x * steps + k] = made;
            }
        }
        __syncthreads();
        tb_reflect(a, m, k, n, tb_conj(factor), lanes);
        __syncthreads();
    }
    tb_take_back(mine, room, m, n);
    if (p.info && threadIdx.x == 0) p.info[blockIdx.x] = 0;
}
