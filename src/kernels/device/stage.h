/* stage.h - pieces of memory, moved to shared memory and back as a whole. What is in the middle moves 16 bytes
 * at a time: places in shared memory have the addresses in memory, modulo 16, but where operands share places. A
 * generated source goes on with
 *   tb_staged                             how far operands' places in shared memory are from those in memory
 *   tb_stage_in(p, at, count)             fetches `count` elements of the loads, from `at` on
 *   tb_stage_at(staged, at)               has at's offsets of staged operands count from the begin of shared memory
 *   tb_stage_out(p, staged, at, count)    stores those of a map or scan
 * all of which do nothing where no operand is staged. */

typedef tb_vec<tb_u32, 4> tb_quad;

/* A piece of memory in three: bytes up to a multiple of 16, what moves 16 bytes at a time, the rest. */
struct tb_piece {
    unsigned head, quads, tail;
};

TB_FN tb_piece tb_stage_ends(const char *from, char *to, unsigned n)
{
    const unsigned ahead = (unsigned)-(size_t)from % 16, me = threadIdx.y * blockDim.x + threadIdx.x;
    tb_piece piece;
    piece.head = ahead < n ? ahead : n;
    piece.quads = (n - piece.head) / 16;
    piece.tail = piece.head + piece.quads * 16;
    if (me < piece.head) to[me] = from[me];
    if (me < n - piece.tail) to[piece.tail + me] = from[piece.tail + me];
    return piece;
}

TB_FN void tb_stage_move(const char *from, char *to, unsigned n)
{
    enum { BATCH = 4 };
    const tb_piece piece = tb_stage_ends(from, to, n);
    const unsigned step = blockDim.x * blockDim.y;
    for (unsigned k = threadIdx.y * blockDim.x + threadIdx.x; k < piece.quads; k += BATCH * step) {
        tb_quad x[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (k + u * step < piece.quads) x[u] = ((const tb_quad *)(from + piece.head))[k + u * step];
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (k + u * step < piece.quads) ((tb_quad *)(to + piece.head))[k + u * step] = x[u];
    }
}

/* Where places are not congruent with addresses. T: an element, or a part of it. */
template <class T> TB_FN void tb_stage_shift(const char *from, char *to, unsigned n)
{
    const unsigned step = blockDim.x * blockDim.y, end = n / sizeof(T);
#pragma unroll 8
    for (unsigned k = threadIdx.y * blockDim.x + threadIdx.x; k < end; k += step) ((T *)to)[k] = ((const T *)from)[k];
}

/* To shared memory: all of it is on its way at once, and no register holds it. tb_stage_fetched() waits for it. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
TB_FN void tb_stage_fetch(const char *from, char *to, unsigned n)
{
    const tb_piece piece = tb_stage_ends(from, to, n);
    const unsigned step = blockDim.x * blockDim.y, place = (unsigned)__cvta_generic_to_shared(to + piece.head);
    for (unsigned k = threadIdx.y * blockDim.x + threadIdx.x; k < piece.quads; k += step)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place + k * 16),
                     "l"(from + piece.head + (size_t)k * 16)
                     : "memory");
}

TB_FN void tb_stage_fetched()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
}
#else
TB_FN void tb_stage_fetch(const char *from, char *to, unsigned n) { tb_stage_move(from, to, n); }
TB_FN void tb_stage_fetched() { __syncthreads(); }
#endif
