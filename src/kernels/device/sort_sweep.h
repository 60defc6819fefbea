/* sort_sweep.h - SORT of long rows, one digit: each block puts a tile in order and finds out from what the blocks of
 * the tiles before have posted where the keys of each digit go (decoupled look-back; see device/chain.h for the order
 * in which blocks start). After Adinets and Merrill, "Onesweep" (2022).
 *
 * A post is one word: the two upper bits say whether it counts a tile's keys of a digit, or those of all tiles up to
 * it. Posts are zero when the kernel starts. */

struct tb_params {
    const void *keys;  /* elements in the first pass */
    const tb_index *order; /* none in the first pass: positions */
    void *keys_out;        /* elements in the last pass, if anybody wants them */
    void *order_out;       /* tb_i64 in the last pass; of numbers that are carried the upper halves */
    void *lower_out;       /* and the lower ones; no carried numbers: none */
    const tb_count *counts;
    tb_count *posts;
    tb_u64 n;
    tb_u32 tiles, pass; /* tiles of a row */
    tb_u32 first, last;
};

#define TB_POST_TILE ((tb_count)1 << (sizeof(tb_count) * 8 - 2))
#define TB_POST_ALL ((tb_count)1 << (sizeof(tb_count) * 8 - 1))

/* The keys of a digit in all tiles of the row before this one. */
TB_FN tb_count tb_tiles_below(const tb_count *posts, tb_u32 tile)
{
    tb_count sum = 0;
    for (bool done = tile == 0; !done;) {
        const volatile tb_count *from = posts + (tb_u64)--tile * 256;
        tb_count post = *from;
        while (post == 0) post = *from;
        sum += post & (TB_POST_TILE - 1);
        done = (post & TB_POST_ALL) != 0;
    }
    return sum;
}

TB_FN void tb_post(tb_count *posts, tb_u32 tile, tb_count post)
{
    *(volatile tb_count *)(posts + (tb_u64)tile * 256) = post;
}

/* The number in the tile of what a thread writes i-th. */
TB_FN tb_u32 tb_slot(int i) { return i * TB_THREADS + threadIdx.x; }

/* x[i] to out[to[i]], as far as there are n. */
template <class T> TB_FN void tb_give(T *out, const tb_index *to, tb_u64 n, const T *x)
{
    if (n >= TB_TILE) {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) out[to[i]] = x[i];
    } else {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++)
            if (tb_slot(i) < n) out[to[i]] = x[i];
    }
}

TB_FN void tb_give_keys(const tb_params &p, tb_u64 begin, const tb_index *to, tb_u64 n, const tb_key *keys)
{
    if (!p.last) {
        tb_give((tb_key *)p.keys_out + begin, to, n, keys);
    } else if (p.keys_out) {
        tb_element x[TB_ITEMS];
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) x[i] = tb_element_of(keys[i]);
        tb_give((tb_element *)p.keys_out + begin, to, n, x);
    }
}

/* Positions, or other numbers, follow their keys through `places`. here: of the tile's first element. */
TB_FN void tb_move_places(const tb_params &p, tb_u64 begin, tb_u64 here, const tb_u32 *at, const tb_index *to,
                          tb_index *places)
{
    const tb_u64 n = p.n - here;
    tb_index x[TB_ITEMS];
    if (!p.order) {
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) x[i] = (tb_index)(here + tb_item(i));
    } else {
        tb_take(p.order + begin + here, n, x);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) places[at[i]] = x[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) x[i] = places[tb_slot(i)];
    if (!p.last) {
        tb_give((tb_index *)p.order_out + begin, to, n, x);
    } else if (p.lower_out) {
        tb_u32 half[TB_ITEMS];
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) half[i] = (tb_u32)((tb_u64)x[i] >> 32);
        tb_give((tb_u32 *)p.order_out, to, n, half);
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) half[i] = (tb_u32)x[i];
        tb_give((tb_u32 *)p.lower_out, to, n, half);
    } else {
        tb_i64 wide[TB_ITEMS];
#pragma unroll
        for (int i = 0; i < TB_ITEMS; i++) wide[i] = (tb_i64)x[i];
        tb_give((tb_i64 *)p.order_out + begin, to, n, wide);
    }
}

extern "C" __global__ void __launch_bounds__(TB_THREADS, 1024 / TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_room room;
    __shared__ tb_index base[256]; /* where a digit's keys go in the row, if the tile's began at 0; may wrap around */
    tb_wait();
    const tb_u32 row = blockIdx.x / p.tiles, tile = blockIdx.x % p.tiles;
    const tb_u64 begin = row * p.n, here = (tb_u64)tile * TB_TILE;
    tb_key keys[TB_ITEMS];
    tb_u32 at[TB_ITEMS];
    if (p.first) tb_take_keys((const tb_element *)p.keys + begin + here, p.n - here, keys);
    else tb_take_keys((const tb_key *)p.keys + begin + here, p.n - here, keys);

    const tb_u32 count = tb_rank_count(keys, p.pass, room, at);
    tb_count *posts = p.posts + (tb_u64)row * p.tiles * 256 + threadIdx.x;
    if (threadIdx.x < 256) tb_post(posts, tile, count | (tile == 0 ? TB_POST_ALL : TB_POST_TILE));
    tb_rank_place(keys, p.pass, count, room, at);
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) ((tb_key *)room.words)[at[i]] = keys[i];
    if (threadIdx.x < 256) {
        const tb_count before = p.counts[((tb_u64)row * TB_PASSES + p.pass) * 256 + threadIdx.x];
        const tb_count below = tb_tiles_below(posts, tile);
        if (tile > 0) tb_post(posts, tile, (below + count) | TB_POST_ALL);
        base[threadIdx.x] = (tb_index)(before + below - room.start[threadIdx.x]);
    }
    __syncthreads();

    tb_index to[TB_ITEMS];
#pragma unroll
    for (int i = 0; i < TB_ITEMS; i++) {
        keys[i] = ((const tb_key *)room.words)[tb_slot(i)];
        to[i] = base[tb_digit(keys[i], p.pass)] + tb_slot(i);
    }
    tb_give_keys(p, begin, to, p.n - here, keys);
    if (TB_ORDER) tb_move_places(p, begin, here, at, to, (tb_index *)room.words);
}
