/* tree_keys.h - TREE_KEYS: where points are on a Hilbert curve (kernels/tree.h). */

struct tb_params {
    const double *points, *columns;
    tb_u64 *keys;
    tb_i64 n, dims, ranks, bits;
};

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 i = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    if (i < p.n) p.keys[i] = tb_tree_key(p.points + i * p.dims, p.columns, p.ranks, p.dims, (int)p.bits);
}
