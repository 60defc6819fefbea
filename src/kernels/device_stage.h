/* device_stage.h - pieces of memory, moved to shared memory and back as a whole. What is in the middle moves 16 bytes
 * at a time: places in shared memory have the addresses in memory, modulo 16. A generated source goes on with
 *   tb_staged                             how far operands' places in shared memory are from those in memory
 *   tb_stage_in(p, at, count)             fetches `count` elements of the loads, from `at` on
 *   tb_stage_at(staged, at)               has at's offsets of staged operands count from the begin of shared memory
 *   tb_stage_out(p, staged, at, count)    stores those of a map or scan
 * all of which do nothing where no operand is staged. */

TB_FN void tb_stage_move(const char *from, char *to, unsigned n)
{
    typedef tb_vec<tb_u32, 4> tb_quad;
    enum { BATCH = 4 };
    const unsigned ahead = (unsigned)-(size_t)from % 16, head = ahead < n ? ahead : n, quads = (n - head) / 16;
    const unsigned tail = head + quads * 16, step = blockDim.x * blockDim.y;
    const unsigned me = threadIdx.y * blockDim.x + threadIdx.x;
    if (me < head) to[me] = from[me];
    if (me < n - tail) to[tail + me] = from[tail + me];
    for (unsigned k = me; k < quads; k += BATCH * step) {
        tb_quad x[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (k + u * step < quads) x[u] = ((const tb_quad *)(from + head))[k + u * step];
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (k + u * step < quads) ((tb_quad *)(to + head))[k + u * step] = x[u];
    }
}
