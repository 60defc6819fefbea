/* select_move.h - SELECT, last: every element to its class, in any order: before the first target, equal to it, between
 * it and the next, and so on. A block takes room for its elements of a class at once. */

struct tb_params {
    const tb_element *in;
    void *out; /* elements, or positions */
    const tb_target *targets;
    tb_u64 *begins; /* of a row and class: where there is room */
    tb_u64 n;
    tb_u32 tiles; /* of a row */
};

enum { TB_CLASSES = 2 * TB_TARGETS + 1 };

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_u32 counts[8][TB_CLASSES]; /* of a warp; then of those before it */
    __shared__ tb_u64 begins[TB_CLASSES];
    tb_wait();
    const tb_u32 row = blockIdx.x / p.tiles, tile = blockIdx.x % p.tiles;
    const tb_u64 begin = row * p.n, here = (tb_u64)tile * (256 * TB_ITEMS);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool whole = here + 256 * TB_ITEMS <= p.n;
    tb_target targets[TB_TARGETS];
    tb_element x[TB_ITEMS];
    tb_u32 rank[TB_ITEMS], own[TB_CLASSES];
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++) targets[t] = p.targets[(tb_u64)row * TB_TARGETS + t];
#pragma unroll
    for (int c = 0; c < TB_CLASSES; c++) own[c] = 0;
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_u64 at = here + i * 256 + threadIdx.x;
        if (at < p.n) x[i] = p.in[begin + at];
    }
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const bool there = here + i * 256 + threadIdx.x < p.n;
        const int mine = there ? tb_class(targets, tb_key_of(x[i])) : TB_CLASSES;
        unsigned left = whole ? ~0u : __ballot_sync(~0u, there);
        rank[i] = (tb_u32)mine;
#pragma unroll
        for (int c = 0; c < TB_CLASSES; c++) {
            const unsigned peers = c < TB_CLASSES - 1 ? __ballot_sync(~0u, mine == c) : left;
            left &= ~peers;
            if (mine == c) rank[i] |= (own[c] + __popc(peers & ((1u << lane) - 1))) << 8;
            own[c] += __popc(peers);
        }
    }
#pragma unroll
    for (int c = 0; c < TB_CLASSES; c++)
        if (lane == 0) counts[warp][c] = own[c];
    __syncthreads();
    if (threadIdx.x < TB_CLASSES) {
        tb_u32 sum = 0;
        for (int w = 0; w < 8; w++) {
            const tb_u32 count = counts[w][threadIdx.x];
            counts[w][threadIdx.x] = sum;
            sum += count;
        }
        tb_u64 *from = &p.begins[(tb_u64)row * TB_CLASSES + threadIdx.x];
        begins[threadIdx.x] = begin + (sum ? atomicAdd(from, (tb_u64)sum) : 0);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const tb_u32 mine = rank[i] & 255;
        if (mine == TB_CLASSES) continue;
        const tb_u64 to = begins[mine] + counts[warp][mine] + (rank[i] >> 8);
        if (TB_ORDER) ((tb_i64 *)p.out)[to] = (tb_i64)(here + i * 256 + threadIdx.x);
        else ((tb_element *)p.out)[to] = x[i];
    }
}
