/* sort_count.h - SORT of long rows, first: how often each digit occurs, for all passes at once. `parts` blocks count a
 * row. */

struct tb_params {
    const tb_element *in;
    tb_count *counts; /* of a row and pass, 256; zero before */
    tb_u64 n;
    tb_u32 parts;
};

/* A digit has several counters, so that fewer lanes of a warp want one bank. */
enum { TB_COPIES = TB_PASSES <= 4 ? 4 : TB_PASSES <= 8 ? 2 : 1, TB_COUNTERS = TB_PASSES * 256 };

TB_FN void tb_count_key(tb_counters to, const tb_key &key)
{
#pragma unroll
    for (tb_u32 pass = 0; pass < TB_PASSES; pass++)
        tb_counter_add(to, (pass * 256 + tb_digit(key, pass)) * TB_COPIES + threadIdx.x % TB_COPIES, 1);
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_u32 counts[TB_COUNTERS * TB_COPIES];
    tb_wait();
    const tb_u32 row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    const tb_element *in = p.in + row * p.n;
    for (tb_u32 i = threadIdx.x; i < TB_COUNTERS * TB_COPIES; i += 256) counts[i] = 0;
    __syncthreads();
    const tb_counters to = tb_counters_at(counts);
    for (tb_u64 first = (tb_u64)part * (256 * TB_ITEMS); first < p.n; first += (tb_u64)p.parts * (256 * TB_ITEMS)) {
        tb_element x[TB_ITEMS];
        const tb_u64 at = first + threadIdx.x;
        if (first + 256 * TB_ITEMS <= p.n) {
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) x[i] = in[at + i * 256];
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) tb_count_key(to, tb_key_of(x[i]));
        } else {
            for (int i = 0; i < TB_ITEMS; i++)
                if (at + i * 256 < p.n) tb_count_key(to, tb_key_of(in[at + i * 256]));
        }
    }
    __syncthreads();
    for (tb_u32 i = threadIdx.x; i < TB_COUNTERS; i += 256) {
        tb_u32 sum = 0;
#pragma unroll
        for (tb_u32 k = 0; k < TB_COPIES; k++) sum += counts[i * TB_COPIES + (k + threadIdx.x) % TB_COPIES];
        if (sum) atomicAdd(&p.counts[(tb_u64)row * TB_COUNTERS + i], (tb_count)sum);
    }
}
