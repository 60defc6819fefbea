/* sort_count.h - SORT of long rows, first: how often each digit occurs, for all passes at once. `parts` blocks count a
 * row. Where a warp has one digit alone, as in the upper ones of small numbers, one lane counts for all. */

struct tb_params {
    const tb_element *in;
    tb_count *counts; /* of a row and pass, 256; zero before */
    tb_u64 n;
    tb_u32 parts;
};

TB_FN void tb_count_key(tb_u32 *counts, const tb_key &key, bool there)
{
#pragma unroll
    for (tb_u32 pass = 0; pass < TB_PASSES; pass++) {
        const tb_u32 digit = tb_digit(key, pass), first = __shfl_sync(~0u, digit, 0);
        if (__all_sync(~0u, there && digit == first)) {
            if (threadIdx.x % 32 == 0) atomicAdd(&counts[pass * 256 + digit], 32u);
        } else if (there) {
            atomicAdd(&counts[pass * 256 + digit], 1u);
        }
    }
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_u32 counts[TB_PASSES * 256];
    tb_wait();
    const tb_u32 row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    const tb_element *in = p.in + row * p.n;
    for (tb_u32 i = threadIdx.x; i < TB_PASSES * 256; i += 256) counts[i] = 0;
    __syncthreads();
    for (tb_u64 first = (tb_u64)part * (256 * TB_ITEMS); first < p.n; first += (tb_u64)p.parts * (256 * TB_ITEMS)) {
        tb_element x[TB_ITEMS];
        const tb_u64 at = first + threadIdx.x;
        if (first + 256 * TB_ITEMS <= p.n) {
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) x[i] = in[at + i * 256];
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) tb_count_key(counts, tb_key_of(x[i]), true);
        } else {
            for (int i = 0; i < TB_ITEMS; i++) {
                const bool there = at + i * 256 < p.n;
                tb_count_key(counts, there ? tb_key_of(in[at + i * 256]) : tb_key_last(), there);
            }
        }
    }
    __syncthreads();
    for (tb_u32 i = threadIdx.x; i < TB_PASSES * 256; i += 256)
        if (counts[i]) atomicAdd(&p.counts[(tb_u64)row * (TB_PASSES * 256) + i], (tb_count)counts[i]);
}
