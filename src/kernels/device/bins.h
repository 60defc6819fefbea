/* bins.h - MAP that combines many values with few places, by what is also a reduction: a block does so in shared
 * memory with what its chunks give, and combines what that makes with what is in memory.
 *
 * A place has several bins there, a power of two: one for each of so many lanes, since lanes that mean one bin wait for
 * each other. A place's bins are neighbours, and so in different banks. Bins of a sum of equal integers count them. */

enum { TB_BINS = (32 << 10) / sizeof(tb_bin) };

TB_FN tb_bin *tb_bins()
{
    __shared__ tb_bin bins[TB_BINS];
    return bins;
}

TB_FN void tb_scatter(const tb_params &p, char *to, tb_i64 where, tb_target value)
{
    const tb_u32 place = (tb_u32)((tb_u64)(to - p.y0 + where) / sizeof(tb_target));
    const tb_u32 lane = threadIdx.x & ((1u << p.log2) - 1);
    tb_bin_combine(&tb_bins()[place << p.log2 | lane], tb_bin_of(value));
}

/* Nothing was combined to it, or nothing that matters. */
TB_FN bool tb_bin_is_none(const tb_bin &s)
{
    const tb_bin none = tb_bin_none();
    tb_u32 x[sizeof none / 4], y[sizeof none / 4];
    memcpy(x, &s, sizeof none);
    memcpy(y, &none, sizeof none);
    bool same = true;
#pragma unroll
    for (int k = 0; k < (int)(sizeof none / 4); k++) same = same && x[k] == y[k];
    return same;
}

/* WHOLE: none of the chunks is at the end. Where there is nothing to ask for each element, the address of the bins is
 * worked out once. */
template <bool WHOLE> TB_FN void tb_bin_chunks(const tb_params &p, const tb_scalars &scalars, tb_idx first)
{
    const tb_idx size = (tb_idx)p.size;
    tb_at at[TB_U];
    tb_chunk x[TB_U];
    tb_result y[TB_U];
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        at[u] = tb_row(p, first + u * 256);
        if (WHOLE) tb_fetch(p, at[u], x[u]);
        else tb_fetch_some(p, at[u], tb_left(size, first + u * 256), x[u]);
    }
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        tb_compute(scalars, at[u], x[u], y[u]);
        if (WHOLE) tb_put(p, at[u], y[u]);
        else tb_put_some(p, at[u], tb_left(size, first + u * 256), y[u]);
    }
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    tb_bin *bins = tb_bins();
    const tb_scalars scalars = tb_take_scalars(p);
    const int copies = 1 << p.log2, n = (int)p.places << p.log2;
    for (int i = (int)threadIdx.x; i < n; i += 256) bins[i] = tb_bin_none();
    __syncthreads();
    const tb_i64 step = 256 * TB_U, chunks = (p.size + TB_V - 1) / TB_V, whole = p.size / TB_V;
    tb_i64 block = blockIdx.x;
    for (; (block + 1) * step <= whole; block += gridDim.x)
        tb_bin_chunks<true>(p, scalars, (tb_idx)(block * step + threadIdx.x));
    for (; block * step < chunks; block += gridDim.x)
        tb_bin_chunks<false>(p, scalars, (tb_idx)(block * step + threadIdx.x));
    __syncthreads();
    for (int i = (int)threadIdx.x; i < p.places; i += 256) {
        tb_bin all = tb_bin_none();
        for (int k = 0; k < copies; k++)
            all = tb_bin_merge(all, bins[i << p.log2 | ((k + (int)threadIdx.x) & (copies - 1))]);
        if (!tb_bin_is_none(all)) tb_combine(p, p.y0 + (tb_i64)i * (tb_i64)sizeof(tb_target), tb_target_of(p, all));
    }
}
