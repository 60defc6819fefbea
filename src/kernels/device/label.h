/* label.h - LABEL: the connected objects of an array, as a forest that all threads build, a step a launch. Trees are
 * hooked to one another by atomic minima (C. Komura, GPU-based cluster-labeling algorithm without the use of
 * conventional iteration, Computer Physics Communications 194, 2015), within tiles of 32 x 32 elements first, then
 * between them (D. P. Playne, K. Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE
 * Transactions on Parallel and Distributed Systems 29, 2018).
 *
 * p.labels has for each element of an object 1 and the number of another element of it that does not come after; roots
 * have their own. 0 is outside. In the end roots have their labels, negated. TB_OUTER: there are neighbours in other
 * planes. */

enum { TB_SIDE = 32, TB_LABEL_WEST = 1, TB_LABEL_NORTH_WEST = 2, TB_LABEL_NORTH = 4, TB_LABEL_NORTH_EAST = 8 };

struct tb_params {
    const tb_bool *inside;
    tb_label *labels, *result;
    tb_i64 *counts, *total;
    tb_i64 size, rows, columns, across, down, parts;
    tb_i32 step, near, ndim, count;
#if TB_OUTER
    tb_i64 shape[TB_LABEL_DIMS];
    tb_u64 steps[TB_LABEL_STEPS]; /* to neighbours in planes before: 1 and the step of axis d in its bits 2 d and on */
#endif
};

/* ---- forests ----------------------------------------------------------------------------------------------------- */

TB_FN tb_label tb_root_of(volatile const tb_label *labels, tb_label i)
{
    for (tb_label above = labels[i] - 1; above != i; above = labels[i] - 1) i = above;
    return i;
}

TB_FN void tb_unite_apart(tb_label *labels, tb_label i, tb_label k)
{
    for (;;) {
        i = tb_root_of(labels, i);
        k = tb_root_of(labels, k);
        if (i == k) return;
        if (i < k) {
            const tb_label other = i;
            i = k;
            k = other;
        }
        /* If it was no root any more, what it hung on is united with k instead. */
        const tb_label before = atomicMin(&labels[i], k + 1) - 1;
        if (before == i) return;
        i = before;
    }
}

TB_CALLED void tb_unite(tb_label *labels, tb_label i, tb_label k)
{
    TB_TOGETHER(tb_unite_apart(labels, i, k));
}

TB_FN int tb_local_root(volatile const int *parent, int i)
{
    for (int above = parent[i]; above != i; above = parent[i]) i = above;
    return i;
}

TB_FN void tb_unite_locally(int *parent, int i, int k)
{
    for (;;) {
        i = tb_local_root(parent, i);
        k = tb_local_root(parent, k);
        if (i == k) return;
        if (i < k) {
            const int other = i;
            i = k;
            k = other;
        }
        const int before = atomicMin(&parent[i], k);
        if (before == i) return;
        i = before;
    }
}

/* ---- in a plane -------------------------------------------------------------------------------------------------- */

struct tb_tile {
    tb_label left, top, base;
};

TB_FN tb_tile tb_tile_of(const tb_params &p)
{
    const tb_i64 block = blockIdx.x, plane = block / p.across / p.down;
    return tb_tile{(tb_label)(block % p.across) * TB_SIDE, (tb_label)(block / p.across % p.down) * TB_SIDE,
                   (tb_label)(plane * p.rows * p.columns)};
}

/* Elements of a row of a tile with those of the row before: runs, which their first elements stand for already. */
TB_FN void tb_unite_rows(int *parent, unsigned set, unsigned above, int y, int lane, int near)
{
    const int here = y * TB_SIDE + lane, over = here - TB_SIDE;
    const bool north = near & TB_LABEL_NORTH && above >> lane & 1;
    const bool known = near & TB_LABEL_WEST && lane && (set & above) >> (lane - 1) & 1; /* by the element before */
    if (north && !known) tb_unite_locally(parent, here, over);
    if (north && near & TB_LABEL_WEST) return;
    if (near & TB_LABEL_NORTH_WEST && lane && above >> (lane - 1) & 1) tb_unite_locally(parent, here, over - 1);
    if (near & TB_LABEL_NORTH_EAST && lane < TB_SIDE - 1 && above >> (lane + 1) & 1)
        tb_unite_locally(parent, here, over + 1);
}

TB_FN void tb_label_tiles(const tb_params &p)
{
    __shared__ int parent[TB_SIDE * TB_SIDE];
    __shared__ unsigned sets[TB_SIDE];
    const int lane = (int)threadIdx.x % TB_SIDE, warp = (int)threadIdx.x / TB_SIDE, warps = TB_THREADS / TB_SIDE;
    const tb_tile t = tb_tile_of(p);
    const tb_label line = (tb_label)p.columns;
    for (int y = warp; y < TB_SIDE; y += warps) {
        const bool there = t.top + y < p.rows && t.left + lane < p.columns;
        const bool set = there && p.inside[t.base + (t.top + y) * line + t.left + lane];
        const unsigned mask = __ballot_sync(~0u, set), gaps = ~mask << (31 - lane);
        const int run = gaps ? __clz((int)gaps) : 32;
        const int back = p.near & TB_LABEL_WEST && set ? (run <= lane ? run : lane + 1) - 1 : 0;
        parent[y * TB_SIDE + lane] = y * TB_SIDE + lane - back;
        if (lane == 0) sets[y] = mask;
    }
    __syncthreads();
#pragma unroll 1
    for (int y = warp; y < TB_SIDE; y += warps) {
        const unsigned above = y ? sets[y - 1] : 0;
        if (sets[y] >> lane & 1 && above) tb_unite_rows(parent, sets[y], above, y, lane, p.near);
    }
    __syncthreads();
    for (int y = warp; y < TB_SIDE; y += warps) {
        if (t.top + y >= p.rows || t.left + lane >= p.columns) continue;
        const int root = tb_local_root(parent, y * TB_SIDE + lane);
        const tb_label at = t.base + (t.top + root / TB_SIDE) * line + t.left + root % TB_SIDE + 1;
        p.labels[t.base + (t.top + y) * line + t.left + lane] = sets[y] >> lane & 1 ? at : 0;
    }
}

/* What touches across the upper edge of a tile, and across its sides: a warp each. */
TB_FN void tb_label_edges(const tb_params &p)
{
    const int lane = (int)threadIdx.x % TB_SIDE, edge = (int)threadIdx.x / TB_SIDE, near = p.near;
    const tb_tile t = tb_tile_of(p);
    const tb_label y = t.top + (edge ? lane : 0), x = t.left + (edge == 0 ? lane : edge == 1 ? 0 : TB_SIDE - 1);
    const tb_label line = (tb_label)p.columns, i = t.base + y * line + x;
    tb_label *labels = p.labels;
    if (y >= p.rows || x >= p.columns || !labels[i]) return;
    if (edge == 0 && y > 0) {
        const bool north = near & TB_LABEL_NORTH && labels[i - line];
        const bool known = near & TB_LABEL_WEST && lane && labels[i - 1] && labels[i - line - 1];
        if (north && !known) tb_unite(labels, i, i - line);
        if (north && near & TB_LABEL_WEST) return;
        if (near & TB_LABEL_NORTH_WEST && x > 0 && labels[i - line - 1]) tb_unite(labels, i, i - line - 1);
        if (near & TB_LABEL_NORTH_EAST && x + 1 < p.columns && labels[i - line + 1]) tb_unite(labels, i, i - line + 1);
    }
    if (edge == 1 && x > 0) {
        if (near & TB_LABEL_WEST && labels[i - 1]) tb_unite(labels, i, i - 1);
        if (near & TB_LABEL_NORTH_WEST && y > 0 && labels[i - line - 1]) tb_unite(labels, i, i - line - 1);
    }
    if (edge == 2 && near & TB_LABEL_NORTH_EAST && y > 0 && x + 1 < p.columns && labels[i - line + 1])
        tb_unite(labels, i, i - line + 1);
}

/* ---- between planes ---------------------------------------------------------------------------------------------- */

TB_FN void tb_label_planes(const tb_params &p)
{
#if TB_OUTER
    const tb_i64 i = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    if (i >= p.size || !p.labels[i]) return;
    for (int k = 0; k < p.count; k++) {
        bool there = true;
        tb_i64 other = 0, rest = i, stride = 1;
        for (int d = p.ndim - 1; d >= 0; d--) {
            const tb_i64 x = rest % p.shape[d] + (tb_i64)(p.steps[k] >> (2 * d) & 3) - 1;
            there = there && x >= 0 && x < p.shape[d];
            other += x * stride;
            stride *= p.shape[d];
            rest /= p.shape[d];
        }
        if (there && p.labels[other]) tb_unite(p.labels, (tb_label)i, (tb_label)other);
    }
#endif
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* The elements that a block has. */
struct tb_part {
    tb_label *labels, first;
    int n;
};

TB_FN tb_part tb_part_of(const tb_params &p)
{
    const tb_i64 first = (tb_i64)blockIdx.x * (TB_ITEMS * TB_THREADS), left = p.size - first;
    return tb_part{p.labels + first, (tb_label)first, left < TB_ITEMS * TB_THREADS ? (int)left : TB_ITEMS * TB_THREADS};
}

/* Which lanes of a warp have a root. */
TB_FN unsigned tb_roots_of(const tb_part &part, int k)
{
    const int i = k * TB_THREADS + (int)threadIdx.x;
    return __ballot_sync(~0u, i < part.n && part.labels[i] == part.first + (i + 1));
}

TB_FN void tb_label_count(const tb_params &p)
{
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const tb_part part = tb_part_of(p);
    int count = 0;
#pragma unroll
    for (int k = 0; k < TB_ITEMS; k++) count += __popc(tb_roots_of(part, k));
    if (threadIdx.x % 32 == 0) atomicAdd(&total, count);
    __syncthreads();
    if (threadIdx.x == 0) p.counts[blockIdx.x] = total;
}

/* Of counts those before each; all together are the total. One block. */
TB_FN void tb_label_sum(const tb_params &p)
{
    __shared__ tb_i64 sums[TB_SUM_THREADS];
    const int me = (int)threadIdx.x;
    const tb_i64 share = (p.parts + TB_SUM_THREADS - 1) / TB_SUM_THREADS, from = me * share;
    const tb_i64 to = from + share < p.parts ? from + share : p.parts;
    tb_i64 sum = 0;
#pragma unroll 4
    for (tb_i64 i = from; i < to; i++) sum += p.counts[i];
    sums[me] = sum;
#pragma unroll 1
    for (int apart = 1; apart < TB_SUM_THREADS; apart *= 2) {
        __syncthreads();
        const tb_i64 more = me >= apart ? sums[me - apart] : 0;
        __syncthreads();
        sums[me] += more;
    }
    sum = sums[me] - sum;
#pragma unroll 1
    for (tb_i64 i = from; i < to; i++) {
        const tb_i64 count = p.counts[i];
        p.counts[i] = sum;
        sum += count;
    }
    if (me == TB_SUM_THREADS - 1) *p.total = sums[me];
}

/* Of n numbers, a multiple of 32, those before each; by a warp. */
TB_FN void tb_sum_before(int *number, int n)
{
    const int lane = (int)threadIdx.x % 32, each = n / 32;
    int sum = 0;
    for (int j = 0; j < each; j++) sum += number[lane * each + j];
    int before = sum;
#pragma unroll 1
    for (int apart = 1; apart < 32; apart *= 2) {
        const int more = __shfl_up_sync(~0u, before, (unsigned)apart);
        before += lane >= apart ? more : 0;
    }
    before -= sum;
    for (int j = 0; j < each; j++) {
        const int mine = number[lane * each + j];
        number[lane * each + j] = before;
        before += mine;
    }
}

TB_FN void tb_label_number(const tb_params &p)
{
    __shared__ int before[TB_ITEMS * (TB_THREADS / 32)];
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const tb_part part = tb_part_of(p);
    unsigned roots[TB_ITEMS];
#pragma unroll
    for (int k = 0; k < TB_ITEMS; k++) {
        roots[k] = tb_roots_of(part, k);
        if (lane == 0) before[k * (TB_THREADS / 32) + warp] = __popc(roots[k]);
    }
    __syncthreads();
    if (warp == 0) tb_sum_before(before, TB_ITEMS * (TB_THREADS / 32));
    __syncthreads();
    const tb_label first = (tb_label)p.counts[blockIdx.x] + 1;
#pragma unroll
    for (int k = 0; k < TB_ITEMS; k++) {
        const int mine = before[k * (TB_THREADS / 32) + warp] + __popc(roots[k] & ((1u << lane) - 1));
        if (roots[k] >> lane & 1) part.labels[k * TB_THREADS + (int)threadIdx.x] = -(first + mine);
    }
}

TB_FN void tb_label_finish(const tb_params &p)
{
    const tb_i64 i = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    if (i >= p.size) return;
    tb_label label = p.labels[i];
    while (label > 0) label = p.labels[label - 1];
    p.result[i] = -label;
}

/* One kernel has all steps, so that one is compiled. */
extern "C" __global__ void __launch_bounds__(TB_SUM_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    tb_wait();
    switch (p.step) {
    case TB_LABEL_TILES: tb_label_tiles(p); break;
    case TB_LABEL_EDGES: tb_label_edges(p); break;
    case TB_LABEL_PLANES: tb_label_planes(p); break;
    case TB_LABEL_COUNT: tb_label_count(p); break;
    case TB_LABEL_SUM: tb_label_sum(p); break;
    case TB_LABEL_NUMBER: tb_label_number(p); break;
    default: tb_label_finish(p);
    }
}
