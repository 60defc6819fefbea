/* select_count.h - SELECT, each pass: how often its digit occurs among the elements that have a target's digits above.
 * `parts` blocks count a row. */

struct tb_params {
    const tb_element *in;
    const tb_target *targets;
    tb_count *counts; /* of a row and target, 256; zero before */
    tb_u64 n;
    tb_u32 parts, pass, first;
};

TB_FN void tb_select_key(tb_u32 *counts, const tb_key &key, bool there, const tb_target *targets, const bool *leads,
                         tb_u32 pass)
{
    const tb_u32 digit = tb_digit(key, pass);
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++) {
        const bool counts_here = there && leads[t] && tb_same_above(key, targets[t].key, pass);
        const unsigned peers = __ballot_sync(~0u, counts_here);
        if (peers == 0) continue;
        const tb_u32 first = __shfl_sync(~0u, digit, __ffs(peers) - 1);
        if (__all_sync(~0u, !counts_here || digit == first)) {
            if (threadIdx.x % 32 == 0) atomicAdd(&counts[t * 256 + first], (tb_u32)__popc(peers));
        } else if (counts_here) {
            atomicAdd(&counts[t * 256 + digit], 1u);
        }
    }
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_u32 counts[TB_TARGETS * 256];
    tb_wait();
    const tb_u32 row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    const tb_element *in = p.in + row * p.n;
    tb_target targets[TB_TARGETS];
    bool leads[TB_TARGETS];
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++) {
        if (!p.first) targets[t] = p.targets[(tb_u64)row * TB_TARGETS + t];
        else targets[t] = tb_target();
    }
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++) leads[t] = p.first ? t == 0 : tb_leader(targets, t, p.pass) == t;
    for (tb_u32 i = threadIdx.x; i < TB_TARGETS * 256; i += 256) counts[i] = 0;
    __syncthreads();
    for (tb_u64 first = (tb_u64)part * (256 * TB_ITEMS); first < p.n; first += (tb_u64)p.parts * (256 * TB_ITEMS)) {
        tb_element x[TB_ITEMS];
        const tb_u64 at = first + threadIdx.x;
        if (first + 256 * TB_ITEMS <= p.n) {
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) x[i] = in[at + i * 256];
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) tb_select_key(counts, tb_key_of(x[i]), true, targets, leads, p.pass);
        } else {
            for (int i = 0; i < TB_ITEMS; i++) {
                const bool there = at + i * 256 < p.n;
                const tb_key key = there ? tb_key_of(in[at + i * 256]) : tb_key_last();
                tb_select_key(counts, key, there, targets, leads, p.pass);
            }
        }
    }
    __syncthreads();
    for (tb_u32 i = threadIdx.x; i < TB_TARGETS * 256; i += 256)
        if (counts[i]) atomicAdd(&p.counts[(tb_u64)row * (TB_TARGETS * 256) + i], (tb_count)counts[i]);
}
