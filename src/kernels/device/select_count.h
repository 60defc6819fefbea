/* select_count.h - SELECT, each pass: how often its digit occurs among the elements that have a target's digits above.
 * `parts` blocks count a row. Where these elements have become few, a pass keeps them aside, and those after it read
 * them alone. */

struct tb_params {
    const tb_element *in;
    const tb_target *targets;
    tb_count *counts; /* of a row and target, 256; zero before */
    tb_progress *progress;
    tb_element *kept; /* of a row, `room` */
    tb_u64 n, room;
    tb_u32 parts, pass, first;
};

/* A digit has several counters, for lanes that have it in common would wait for each other. */
enum { TB_COPIES = 8 / TB_TARGETS, TB_TILE = 256 * TB_ITEMS };

/* Whether it has a target's digits. ALONE: all targets have the same ones. */
template <bool ALONE>
TB_FN bool tb_select_key(tb_counters to, const tb_key &key, const tb_target *targets, const bool *leads, tb_u32 pass)
{
    enum { TARGETS = ALONE ? 1 : TB_TARGETS, COPIES = ALONE ? 8 : TB_COPIES };
    const tb_u32 at = tb_digit(key, pass) * COPIES + threadIdx.x % COPIES;
    bool any = false;
#pragma unroll
    for (int t = 0; t < TARGETS; t++) {
        if (!(ALONE || leads[t]) || !tb_same_above(key, targets[t].key, pass)) continue;
        tb_counter_add(to, t * 256 * COPIES + at, 1);
        any = true;
    }
    return any;
}

/* The elements of a tile that have a target's digits: bit i of the result is element i's. */
template <bool ALONE>
TB_FN tb_u32 tb_select_tile(tb_counters to, const tb_element *x, tb_u64 left, const tb_target *targets,
                            const bool *leads, tb_u32 pass)
{
    tb_u32 mine = 0;
    if (left >= TB_TILE) {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++)
            mine |= (tb_u32)tb_select_key<ALONE>(to, tb_key_of(x[i]), targets, leads, pass) << i;
    } else {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++)
            if (threadIdx.x + i * 256 < left)
                mine |= (tb_u32)tb_select_key<ALONE>(to, tb_key_of(x[i]), targets, leads, pass) << i;
    }
    return mine;
}

/* Elements that are to be kept wait here until they are worth a trip to memory for their place. */
struct tb_waiting {
    tb_element x[2 * TB_TILE];
    tb_u32 n;
    tb_u64 begin; /* where they go */
};

/* Those that wait, if they are as many as `least`. All threads of the block call this and the next one. */
TB_FN void tb_release(tb_waiting &waiting, tb_u32 least, tb_element *kept, tb_u64 *filled)
{
    const tb_u32 n = waiting.n;
    __syncthreads();
    if (n < least) return;
    if (threadIdx.x == 0) {
        waiting.begin = atomicAdd(filled, (tb_u64)n);
        waiting.n = 0;
    }
    __syncthreads();
    for (tb_u32 i = threadIdx.x; i < n; i += 256) kept[waiting.begin + i] = waiting.x[i];
    __syncthreads();
}

/* Those elements of a tile of which bit i of `mine` is set, in any order. */
TB_FN void tb_keep(tb_waiting &waiting, tb_element *kept, tb_u64 *filled, const tb_element *x, tb_u32 mine)
{
    const unsigned lane = threadIdx.x % 32;
    tb_u32 rank[TB_ITEMS], own = 0, first = 0;
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        const unsigned peers = __ballot_sync(~0u, mine >> i & 1);
        rank[i] = own + __popc(peers & ((1u << lane) - 1));
        own += __popc(peers);
    }
    if (lane == 0) first = atomicAdd(&waiting.n, own);
    first = __shfl_sync(~0u, first, 0);
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++)
        if (mine >> i & 1) waiting.x[first + rank[i]] = x[i];
    __syncthreads();
    tb_release(waiting, TB_TILE, kept, filled);
}

extern "C" __global__ void __launch_bounds__(256) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_u32 counts[256 * 8];
    __shared__ tb_waiting waiting;
    tb_wait();
    const tb_u32 row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    tb_progress now = tb_progress();
    tb_target targets[TB_TARGETS];
    bool leads[TB_TARGETS];
    if (!p.first) now = p.progress[row];
    const bool keeps = now.state == TB_KEEPS;
    tb_element *kept = p.kept + row * p.room;
    tb_u64 *filled = &p.progress[row].filled;
    const tb_element *in = now.state == TB_KEPT ? kept : p.in + row * p.n;
    const tb_u64 n = now.state == TB_KEPT ? now.kept : p.n;
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++) {
        if (!p.first) targets[t] = p.targets[(tb_u64)row * TB_TARGETS + t];
        else targets[t] = tb_target();
    }
#pragma unroll
    for (int t = 0; t < TB_TARGETS; t++) leads[t] = p.first ? t == 0 : tb_leader(targets, t, p.pass) == t;
    bool alone = true;
#pragma unroll
    for (int t = 1; t < TB_TARGETS; t++) alone = alone && !leads[t];
    for (tb_u32 i = threadIdx.x; i < 256 * 8; i += 256) counts[i] = 0;
    if (threadIdx.x == 0) waiting.n = 0;
    __syncthreads();
    const tb_counters to = tb_counters_at(counts);
    for (tb_u64 first = (tb_u64)part * TB_TILE; first < n; first += (tb_u64)p.parts * TB_TILE) {
        tb_element x[TB_ITEMS];
        const tb_u64 at = first + threadIdx.x, left = n - first;
        if (left >= TB_TILE) {
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++) x[i] = in[at + i * 256];
        } else {
#pragma unroll
            for (int i = 0; i < TB_ITEMS; i++)
                if (at + i * 256 < n) x[i] = in[at + i * 256];
        }
        const tb_u32 mine = alone ? tb_select_tile<true>(to, x, left, targets, leads, p.pass)
                                  : tb_select_tile<false>(to, x, left, targets, leads, p.pass);
        if (keeps) tb_keep(waiting, kept, filled, x, mine);
    }
    __syncthreads();
    if (keeps) tb_release(waiting, 1, kept, filled);
    const tb_u32 copies = alone ? 8 : TB_COPIES;
    for (tb_u32 i = threadIdx.x; i < 256 * 8 / copies; i += 256) {
        tb_u32 sum = 0;
        for (tb_u32 k = 0; k < copies; k++) sum += counts[i * copies + ((k + threadIdx.x) & (copies - 1))];
        if (sum) atomicAdd(&p.counts[(tb_u64)row * (TB_TARGETS * 256) + i], (tb_count)sum);
    }
}
