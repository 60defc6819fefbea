/* tree_pack.h - TREE_PACK: the boxes of a level of `width` nodes, and above it as many levels as a block can make of
 * its own nodes (kernels/tree.h). The lowest level is that of leaves, whose points are brought together. */

struct tb_params {
    const double *points;
    const tb_i64 *order;
    double *packed, *boxes;
    tb_i64 n, dims, leaves, width;
};

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_i64 at = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x, node = p.width + at;
    if (at < p.width && p.width == p.leaves)
        tb_tree_pack(p.points, p.order, p.n, p.dims, at, p.packed, p.boxes + 2 * p.dims * node);
    else if (at < p.width) tb_tree_unite(p.boxes, node, p.dims);
    for (int up = 1; TB_THREADS >> up; up++) {
        __syncthreads();
        if (at < p.width && at % (1 << up) == 0 && node >> up) tb_tree_unite(p.boxes, node >> up, p.dims);
    }
}
