/* search.h - SEARCH: places of values among elements in order (device/sort_key.h), several values a thread. Keys of
 * elements, `stride` apart where there is no room for all, are a tree in a block's shared memory. Its levels lie one
 * behind the other: lanes of a warp read few words of the upper ones and neighbours in the lower ones, and so rarely
 * want one bank. The last steps are in memory. */

struct tb_params {
    const tb_element *sorted, *values;
    tb_i64 *out;
    tb_u64 count, n, stride;
    tb_u32 inside, levels; /* keys in the tree; 2 to the power of levels are more */
};

enum { TB_ROOM = 1 << TB_LEVELS };

/* Whether what is asked for is behind an element. */
TB_FN bool tb_goes_on(const tb_key &element, const tb_key &value)
{
    return TB_RIGHT ? !tb_key_less(value, element) : tb_key_less(element, value);
}

/* Node i has children 2 * i and 2 * i + 1, and as many keys before it as its level leaves. */
TB_FN void tb_plant(const tb_params &p, tb_key *tree)
{
    for (tb_u32 i = threadIdx.x; i < 1u << p.levels; i += TB_THREADS) {
        const tb_u32 level = i ? 31 - __clz(i) : 0;
        const tb_u32 before = ((2 * (i - (1u << level)) + 1) << (p.levels - level - 1)) - 1;
        tree[i] = i && before < p.inside ? tb_key_of(p.sorted[(before + 1) * p.stride - 1]) : tb_key_last();
    }
    __syncthreads();
}

/* Among the elements between those of the tree: none where all are in it. */
TB_FN tb_u64 tb_search_memory(const tb_params &p, const tb_key &value, tb_u32 passed)
{
    tb_u64 from = passed * p.stride, to = passed < p.inside ? from + p.stride - 1 : p.count;
    while (from < to) {
        const tb_u64 middle = from + (to - from) / 2;
        if (tb_goes_on(tb_key_of(p.sorted[middle]), value)) from = middle + 1;
        else to = middle;
    }
    return from;
}

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_key tree[TB_ROOM];
    tb_wait();
    tb_plant(p, tree);
    const tb_u64 step = TB_ITEMS * TB_THREADS;
    for (tb_u64 first = blockIdx.x * step; first < p.n; first += gridDim.x * step) {
        tb_key value[TB_ITEMS];
        tb_u32 node[TB_ITEMS];
        const tb_u64 at = first + threadIdx.x;
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) {
            const tb_u64 here = at + i * TB_THREADS;
            value[i] = tb_key_of(p.values[here < p.n ? here : p.n - 1]);
            node[i] = 1;
        }
        for (tb_u32 level = 0; level < p.levels; level++) {
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) node[i] = 2 * node[i] + tb_goes_on(tree[node[i]], value[i]);
        }
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) {
            const tb_u32 all = node[i] - (1u << p.levels), passed = all < p.inside ? all : p.inside;
            const tb_u64 place = tb_search_memory(p, value[i], passed);
            if (at + i * TB_THREADS < p.n) p.out[at + i * TB_THREADS] = (tb_i64)place;
        }
    }
}
