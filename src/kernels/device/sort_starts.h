/* sort_starts.h - SORT of long rows, second: from how often digits occur to where their keys begin. A block of 256
 * threads for each row and pass. */

struct tb_params {
    tb_count *counts;
};

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_count sums[256];
    tb_wait();
    tb_count *counts = p.counts + (tb_u64)blockIdx.x * 256 + threadIdx.x, sum = *counts;
    const tb_count mine = sum;
    for (unsigned d = 1; d < 256; d *= 2) {
        sums[threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.x >= d) sum += sums[threadIdx.x - d];
        __syncthreads();
    }
    *counts = sum - mine;
}
