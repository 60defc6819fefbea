/* sparse_bound.h - SPARSE_BOUND: how many products each row of a product of two sparse matrices is made of, by a warp
 * each, and not more than TB_MANY. */

struct tb_params {
    const tb_column *start, *index, *b_start;
    tb_i32 *bound;
    tb_i64 rows;
};

#define TB_MANY (1 << 30)

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 row = (tb_i64)blockIdx.x * (TB_THREADS / 32) + threadIdx.x / 32;
    const int lane = (int)threadIdx.x % 32;
    if (row >= p.rows) return;
    tb_i64 n = 0;
    for (tb_i64 k = p.start[row] + lane; k < p.start[row + 1]; k += 32) {
        const tb_column of = p.index[k];
        n += p.b_start[of + 1] - p.b_start[of];
    }
    tb_i32 bound = n < TB_MANY / 32 ? (tb_i32)n : TB_MANY / 32;
#pragma unroll
    for (unsigned apart = 16; apart > 0; apart /= 2) bound += (tb_i32)__shfl_down_sync(~0u, (tb_u32)bound, apart);
    if (lane == 0) p.bound[row] = bound;
}
