/* device_twice.h - MAP: all elements of a thread by quick.h, without branches and so side by side. A thread that has
 * met rare operands computes its elements once more, by operations that are right for all. */

__device__ __noinline__ void tb_compute_rare(const tb_params &p, const tb_at at, const tb_chunk x, tb_result &y)
{
#pragma unroll 1
    for (int j = 0; j < TB_V; j++) tb_compute(p, at, x, j, y);
}

TB_FN void tb_compute_all(const tb_params &p, const tb_at (&at)[TB_U], const tb_chunk (&x)[TB_U], tb_result (&y)[TB_U])
{
    int rare = 0;
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) rare |= tb_compute_quick(p, at[u], x[u], j, y[u]);
    }
    if (!rare) return;
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
        tb_result again;
        tb_compute_rare(p, at[u], x[u], again);
        y[u] = again;
    }
}
