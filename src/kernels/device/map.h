/* map.h - MAP: a block of 256 threads takes TB_U times as many neighbouring chunks; a thread loads all of its
 * chunks before it computes and stores any, so that enough loads are in flight, and so that a result may replace an
 * operand. */

/* All results of a thread; of some kernels the source has a function for them. */
template <int N>
TB_FN void tb_compute(const tb_scalars &p, const tb_at (&at)[N], const tb_chunk (&x)[N], tb_result (&y)[N])
{
#pragma unroll
    for (int u = 0; u < N; u++) tb_compute(p, at[u], x[u], y[u]);
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    const tb_idx size = (tb_idx)p.size, step = 256, block = blockIdx.x;
    const tb_idx first = block * (step * TB_U) + threadIdx.x;
    const bool whole = (block + 1) * (step * (TB_U * TB_V)) <= size;
    tb_at at[TB_U];
    tb_chunk x[TB_U];
    tb_result y[TB_U];
    const tb_scalars scalars = tb_take_scalars(p);
#pragma unroll
    for (int u = 0; u < TB_U; u++) at[u] = tb_row(p, first + u * step);
    if (whole) {
#pragma unroll
        for (int u = 0; u < TB_U; u++) tb_fetch(p, at[u], x[u]);
    } else {
#pragma unroll
        for (int u = 0; u < TB_U; u++) tb_fetch_some(p, at[u], tb_left(size, first + u * step), x[u]);
    }
    tb_compute(scalars, at, x, y);
    if (whole) {
#pragma unroll
        for (int u = 0; u < TB_U; u++) tb_put(p, at[u], y[u]);
    } else {
#pragma unroll
        for (int u = 0; u < TB_U; u++) tb_put_some(p, at[u], tb_left(size, first + u * step), y[u]);
    }
}
