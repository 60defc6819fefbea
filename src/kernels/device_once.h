/* device_once.h - MAP: all elements of a thread. */

TB_FN void tb_compute_all(const tb_params &p, const tb_at (&at)[TB_U], const tb_chunk (&x)[TB_U], tb_result (&y)[TB_U])
{
#pragma unroll
    for (int u = 0; u < TB_U; u++) {
#pragma unroll
        for (int j = 0; j < TB_V; j++) tb_compute(p, at[u], x[u], j, y[u]);
    }
}
