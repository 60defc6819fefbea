"""The connected objects of an array: on the CPU by runs of elements, on a device by a forest that all threads build."""

import functools

from tombac import _core
from tombac._numpy import np

# Where labels will be there is, while they are made, for each element of an object 1 and the number of another element
# of it that does not come after; roots have their own. 0 is outside. In the end roots have their labels, negated.
_FOREST = """
enum { SIDE = 32, THREADS = 256, ITEMS = 16, EDGES = 96, WEST = 1, NORTH_WEST = 2, NORTH = 4, NORTH_EAST = 8 };

__device__ place root_of(volatile const place *labels, place i)
{
    for (place above = labels[i] - 1; above != i; above = labels[i] - 1) i = above;
    return i;
}

__device__ void unite(place *labels, place i, place k)
{
    for (;;) {
        i = root_of(labels, i);
        k = root_of(labels, k);
        if (i == k) return;
        if (i < k) {
            const place other = i;
            i = k;
            k = other;
        }
        // If it was no root any more, what it hung on is united with k instead.
        const place before = atomicMin(&labels[i], k + 1) - 1;
        if (before == i) return;
        i = before;
    }
}

// Tiles of 32 by 32 elements by themselves, in shared memory: runs of rows first, which touch those of the row before.
__device__ int local_root(volatile const int *parent, int i)
{
    for (int above = parent[i]; above != i; above = parent[i]) i = above;
    return i;
}

__device__ void unite_locally(int *parent, int i, int k)
{
    for (;;) {
        i = local_root(parent, i);
        k = local_root(parent, k);
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

extern "C" __global__ void __launch_bounds__(THREADS)
tombac_tiles(const bool *inside, place *labels, long long rows, long long columns, long long across, long long down,
             int near)
{
    __shared__ int parent[SIDE * SIDE];
    __shared__ unsigned sets[SIDE];
    const int lane = threadIdx.x % SIDE, warp = threadIdx.x / SIDE;
    const place left = (place)(blockIdx.x % across) * SIDE, top = (place)(blockIdx.x / across % down) * SIDE;
    const place base = (place)(blockIdx.x / across / down) * (place)(rows * columns);
    for (int y = warp; y < SIDE; y += THREADS / SIDE) {
        const bool there = top + y < rows && left + lane < columns;
        const bool set = there && inside[base + (top + y) * (place)columns + left + lane];
        const unsigned mask = __ballot_sync(0xffffffffu, set), gaps = ~mask << (31 - lane);
        const int run = gaps ? __clz(gaps) : 32;
        parent[y * SIDE + lane] = y * SIDE + lane - (near & WEST && set ? (run <= lane ? run : lane + 1) - 1 : 0);
        if (lane == 0) sets[y] = mask;
    }
    __syncthreads();
    for (int y = warp; y < SIDE; y += THREADS / SIDE) {
        const unsigned above = y ? sets[y - 1] : 0;
        if (!(sets[y] >> lane & 1) || !above) continue;
        const int here = y * SIDE + lane, over = here - SIDE;
        const bool north = near & NORTH && above >> lane & 1;
        const bool known = near & WEST && lane && (sets[y] & above) >> (lane - 1) & 1; // by the element before
        if (north && !known) unite_locally(parent, here, over);
        if (north && near & WEST) continue;
        if (near & NORTH_WEST && lane && above >> (lane - 1) & 1) unite_locally(parent, here, over - 1);
        if (near & NORTH_EAST && lane < SIDE - 1 && above >> (lane + 1) & 1) unite_locally(parent, here, over + 1);
    }
    __syncthreads();
    for (int y = warp; y < SIDE; y += THREADS / SIDE) {
        if (top + y >= rows || left + lane >= columns) continue;
        const int root = local_root(parent, y * SIDE + lane);
        const place at = base + (top + root / SIDE) * (place)columns + left + root % SIDE + 1;
        labels[base + (top + y) * (place)columns + left + lane] = sets[y] >> lane & 1 ? at : 0;
    }
}

// What touches across the upper edge of a tile, and across its sides: a warp each.
extern "C" __global__ void __launch_bounds__(EDGES)
tombac_edges(place *labels, long long rows, long long columns, long long across, long long down, int near)
{
    const int lane = threadIdx.x % SIDE, edge = threadIdx.x / SIDE;
    const place left = (place)(blockIdx.x % across) * SIDE, top = (place)(blockIdx.x / across % down) * SIDE;
    const place base = (place)(blockIdx.x / across / down) * (place)(rows * columns), line = (place)columns;
    const place y = top + (edge ? lane : 0), x = left + (edge == 0 ? lane : edge == 1 ? 0 : SIDE - 1);
    const place i = base + y * line + x;
    if (y >= rows || x >= columns || !labels[i]) return;
    if (edge == 0 && y > 0) {
        const bool north = near & NORTH && labels[i - line];
        const bool known = near & WEST && lane && labels[i - 1] && labels[i - line - 1];
        if (north && !known) unite(labels, i, i - line);
        if (north && near & WEST) return;
        if (near & NORTH_WEST && x > 0 && labels[i - line - 1]) unite(labels, i, i - line - 1);
        if (near & NORTH_EAST && x + 1 < columns && labels[i - line + 1]) unite(labels, i, i - line + 1);
    }
    if (edge == 1 && x > 0) {
        if (near & WEST && labels[i - 1]) unite(labels, i, i - 1);
        if (near & NORTH_WEST && y > 0 && labels[i - line - 1]) unite(labels, i, i - line - 1);
    }
    if (edge == 2 && near & NORTH_EAST && y > 0 && x + 1 < columns && labels[i - line + 1])
        unite(labels, i, i - line + 1);
}

// What touches along the axes before the last two: layout has the shape, then the steps to a neighbour a row.
extern "C" __global__ void __launch_bounds__(THREADS)
tombac_slices(place *labels, const long long *layout, long long size, int ndim, int count)
{
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= size || !labels[i]) return;
    for (int k = 1; k <= count; k++) {
        bool there = true;
        long long other = 0, rest = i, stride = 1;
        for (int d = ndim - 1; d >= 0; d--) {
            const long long x = rest % layout[d] + layout[k * ndim + d];
            there = there && x >= 0 && x < layout[d];
            other += x * stride;
            stride *= layout[d];
            rest /= layout[d];
        }
        if (there && labels[other]) unite(labels, (place)i, (place)other);
    }
}

__device__ bool is_root(const place *labels, long long i, long long size)
{
    return i < size && labels[i] == i + 1;
}

extern "C" __global__ void __launch_bounds__(THREADS)
tombac_count_roots(const place *labels, long long *counts, long long size)
{
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int count = 0;
    for (int k = 0; k < ITEMS; k++) {
        const long long i = ((long long)blockIdx.x * ITEMS + k) * THREADS + threadIdx.x;
        count += __popc(__ballot_sync(0xffffffffu, is_root(labels, i, size)));
    }
    if (threadIdx.x % 32 == 0) atomicAdd(&total, count);
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

// Of counts those before each; all together behind the last. One block.
extern "C" __global__ void __launch_bounds__(1024) tombac_sum_roots(long long *counts, long long n)
{
    __shared__ long long sums[1024];
    const long long share = (n + 1023) / 1024, from = threadIdx.x * share, to = from + share < n ? from + share : n;
    long long sum = 0;
    for (long long i = from; i < to; i++) sum += counts[i];
    sums[threadIdx.x] = sum;
    for (int apart = 1; apart < 1024; apart *= 2) {
        __syncthreads();
        const long long more = threadIdx.x >= apart ? sums[threadIdx.x - apart] : 0;
        __syncthreads();
        sums[threadIdx.x] += more;
    }
    sum = sums[threadIdx.x] - sum;
    for (long long i = from; i < to; i++) {
        const long long count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    if (threadIdx.x == 1023) counts[n] = sums[1023];
}

extern "C" __global__ void __launch_bounds__(THREADS)
tombac_number_roots(place *labels, const long long *counts, long long size)
{
    __shared__ int warps[ITEMS][THREADS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned roots[ITEMS];
    for (int k = 0; k < ITEMS; k++) {
        const long long i = ((long long)blockIdx.x * ITEMS + k) * THREADS + threadIdx.x;
        roots[k] = __ballot_sync(0xffffffffu, is_root(labels, i, size));
        if (lane == 0) warps[k][warp] = __popc(roots[k]);
    }
    __syncthreads();
    place label = (place)counts[blockIdx.x] + 1;
    for (int k = 0; k < ITEMS; k++) {
        const long long i = ((long long)blockIdx.x * ITEMS + k) * THREADS + threadIdx.x;
        place mine = label + __popc(roots[k] & ((1u << lane) - 1));
        for (int w = 0; w < THREADS / 32; w++) {
            if (w < warp) mine += warps[k][w];
            label += warps[k][w];
        }
        if (roots[k] >> lane & 1) labels[i] = -mine;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
tombac_finish(const place *labels, place *result, long long size)
{
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= size) return;
    place label = labels[i];
    while (label > 0) label = labels[label - 1];
    result[i] = -label;
}
"""
_SIDE, _THREADS, _ITEMS = 32, 256, 16


@functools.cache
def _module(wide):
    return _core.RawModule(code=f"typedef {'long long' if wide else 'int'} place;\n{_FOREST}")


def labelled(input, structure):
    """(labels, how many) of what is not zero, for a structure on the host of sides of 3, the same from either end."""
    if _core.backend() == "cpu":
        return _core._label(input, structure.tobytes())
    return _united(_core.ascontiguousarray(input != 0), structure)


def _united(inside, structure):
    """On a device. Sources: C. Komura, GPU-based cluster-labeling algorithm without the use of conventional iteration,
    Computer Physics Communications 194 (2015): trees are hooked to one another by atomic minima; D. P. Playne,
    K. Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE Transactions on Parallel and
    Distributed Systems 29 (2018): tiles first, then what is between them."""
    if not inside.size or not inside.ndim:
        return inside.astype("i"), int(inside) if inside.size else 0
    size, shape = inside.size, ((1,) + inside.shape)[-2:]
    module = _module(size >= 2**31 - 1)
    labels = _core.empty(size, "l" if size >= 2**31 - 1 else "i")
    tiles = [-(-n // _SIDE) for n in shape]
    blocks, geometry = (size // (shape[0] * shape[1]) * tiles[0] * tiles[1],), (*shape, *tiles[::-1])
    before = np.argwhere(structure)[: np.count_nonzero(structure.ravel()[: structure.size // 2])] - 1
    near = _near_in_plane(before)
    module.get_function("tombac_tiles")(blocks, (_THREADS,), (inside, labels, *geometry, np.int32(near)))
    if near:
        module.get_function("tombac_edges")(blocks, (3 * _SIDE,), (labels, *geometry, np.int32(near)))
    outer = before[(before[:, :-2] != 0).any(1)]
    if len(outer):
        layout = _core.array(np.concatenate([np.array([inside.shape]), outer]).ravel().astype(np.int64))
        module.get_function("tombac_slices")((-(-size // _THREADS),), (_THREADS,),
                                             (labels, layout, size, np.int32(inside.ndim), np.int32(len(outer))))
    return _numbered(module, labels, size, inside.shape)


def _near_in_plane(before):
    """Which elements before one in its plane are its neighbours, as the kernels have it."""
    near = 0
    for step in before.tolist():
        if not any(step[:-2]):
            near |= {(0, -1): 1, (-1, -1): 2, (-1, 0): 4, (-1, 1): 8}[tuple(([0] + step)[-2:])]
    return near


def _numbered(module, labels, size, shape):
    """Trees by the order of their roots, and how many there are."""
    parts = -(-size // (_THREADS * _ITEMS))
    counts, result = _core.empty(parts + 1, "l"), _core.empty(size, labels.dtype)
    module.get_function("tombac_count_roots")((parts,), (_THREADS,), (labels, counts, size))
    module.get_function("tombac_sum_roots")((1,), (1024,), (counts, parts))
    module.get_function("tombac_number_roots")((parts,), (_THREADS,), (labels, counts, size))
    module.get_function("tombac_finish")((-(-size // _THREADS),), (_THREADS,), (labels, result, size))
    return result.reshape(shape), int(counts[parts])
