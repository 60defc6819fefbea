/* recur_back.h - RECUR: the states in which threads and tiles begin. Needs recur.h.
 *
 * Tiles of a row that have blocks of their own are a chain: each posts in which states it ends if it begins with zeros,
 * and looks back at what others have posted ("decoupled look-back": Merrill and Garland, 2016), but in an order that
 * does not depend on timing (device/chain.h has the same). TB_FAN_IN tiles are a group, as many groups a stretch. What
 * is before a tile is
 *   the states in which its stretch begins    posted by the last tile of the one before
 *   groups of the stretch, begun with zeros   posted by the last tile of each
 *   tiles of its group, begun with zeros.
 * A block waits for blocks of lower numbers only. GPUs start these first; CUDA does not promise it. Each word of a post
 * carries a mark, and both are written and read in one access: nothing needs a fence. */

struct tb_spot {
    tb_i64 row, first, end; /* of the block */
    tb_i64 rows, tile;
    int bits, across; /* of a tile: rows, and elements of a row */
    int mine, chunk;  /* the thread's row in the tile, and which elements */
};

TB_FN tb_spot tb_spot_of(const tb_params &p)
{
    tb_spot at;
    const int t = (int)threadIdx.x;
    at.bits = p.row_bits;
    at.across = TB_THREADS * TB_ITEMS >> at.bits;
    at.rows = p.outer * p.inner;
    const tb_u64 lines = (tb_u64)(at.rows + (1 << at.bits) - 1) >> at.bits;
    at.tile = (tb_i64)(blockIdx.x / lines);
    at.row = (tb_i64)(blockIdx.x % lines) << at.bits;
    at.first = at.tile * at.across;
    at.end = p.tiles > 1 && at.first + at.across < p.n ? at.first + at.across : p.n;
    at.mine = t & ((1 << at.bits) - 1);
    at.chunk = t >> at.bits;
    return at;
}

/* ---- posts ------------------------------------------------------------------------------------------------------- */

enum { TB_POST_WORDS = TB_ORDER * sizeof(tb_wide) / 4 };

struct tb_chain {
    tb_i64 tile, tiles, groups, line; /* line: of neighbouring rows */
    int rows;
};

TB_FN volatile tb_u64 *tb_post_of(const tb_params &p, const tb_chain &c, int section, int row, tb_i64 k)
{
    const tb_i64 stretches = (c.groups + TB_FAN_IN - 1) / TB_FAN_IN;
    const tb_i64 all = c.line * (c.tiles + c.groups + stretches) + k;
    return p.posts + ((all * c.rows + row) * p.sections + section) * TB_POST_WORDS;
}

TB_FN void tb_post(volatile tb_u64 *to, const tb_wide *z)
{
    tb_u32 w[TB_POST_WORDS];
    memcpy(w, z, sizeof w);
#pragma unroll
    for (int i = 0; i < TB_POST_WORDS; i++) to[i] = (tb_u64)w[i] << 32 | 1;
}

/* Those who wait share the caches with those who work. */
TB_FN void tb_pause()
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 700
    __nanosleep(100);
#endif
}

TB_FN void tb_await(const volatile tb_u64 *from, tb_wide *z)
{
    tb_u64 x[TB_POST_WORDS];
    tb_u32 w[TB_POST_WORDS];
    while (from[TB_POST_WORDS - 1] == 0) tb_pause(); /* it is the last to be written */
    for (bool there = false; !there;) {
        there = true;
#pragma unroll
        for (int i = 0; i < TB_POST_WORDS; i++) x[i] = from[i];
#pragma unroll
        for (int i = 0; i < TB_POST_WORDS; i++) there &= x[i] != 0;
    }
#pragma unroll
    for (int i = 0; i < TB_POST_WORDS; i++) w[i] = (tb_u32)(x[i] >> 32);
    memcpy(z, w, sizeof w);
}

/* ---- between tiles ----------------------------------------------------------------------------------------------- */

/* The states after `count` neighbours that have posted, from the k-th post on, begun with zeros: a lane each. */
TB_FN void tb_put_together(const tb_params &p, const tb_chain &c, int section, int row, int level, tb_i64 k, int count,
                           tb_wide *sum)
{
    const int lane = (int)threadIdx.x % 32;
    tb_no_states(sum);
    if (count == 0) return;
    if (lane < count) {
        tb_wide z[TB_ORDER];
        tb_await(tb_post_of(p, c, section, row, k + lane), z);
        tb_advance(tb_powers(p, level, section), count - 1 - lane, z, sum);
    }
    __syncwarp();
#pragma unroll
    for (int across = 1; across < 32; across *= 2)
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) sum[i] = tb_sum(sum[i], tb_from_across(sum[i], across));
}

/* Of the states `own` in which a row of the tile ends that begins with zeros, those in which it begins. All lanes of a
 * warp have the same. */
TB_FN void tb_look_back(const tb_params &p, const tb_chain &c, int section, int row, tb_i64 number, const tb_wide *own,
                        tb_wide *before)
{
    const bool first = threadIdx.x % 32 == 0;
    const int in_group = (int)(c.tile % TB_FAN_IN), groups = (int)(c.tile / TB_FAN_IN % TB_FAN_IN);
    const tb_i64 group = c.tile / TB_FAN_IN, stretch = group / TB_FAN_IN, all = c.tiles + c.groups;
    const tb_wide *tile = tb_powers(p, TB_LEVEL_TILE, section), *whole = tb_powers(p, TB_LEVEL_GROUP, section);
    tb_wide near[TB_ORDER], far[TB_ORDER], z[TB_ORDER];
    if (first) tb_post(tb_post_of(p, c, section, row, c.tile), own);
    tb_put_together(p, c, section, row, TB_LEVEL_TILE, c.tile - in_group, in_group, near);
    if (in_group == TB_FAN_IN - 1) {
        tb_copy_states(own, z);
        tb_advance(tile, 1, near, z);
        if (first) tb_post(tb_post_of(p, c, section, row, c.tiles + group), z);
    }
    tb_put_together(p, c, section, row, TB_LEVEL_GROUP, c.tiles + group - groups, groups, far);
    if (stretch > 0) tb_await(tb_post_of(p, c, section, row, all + stretch), z);
    else
        for (int i = 0; i < TB_ORDER; i++) z[i] = tb_first_state(p, number, section * TB_ORDER + i);
    tb_advance(whole, groups, z, far);
    tb_copy_states(near, before);
    tb_advance(tile, in_group, far, before);
    if (in_group == TB_FAN_IN - 1 && groups == TB_FAN_IN - 1 && c.tile + 1 < c.tiles) {
        tb_copy_states(own, z);
        tb_advance(tile, 1, before, z);
        if (first) tb_post(tb_post_of(p, c, section, row, all + stretch + 1), z);
    }
}

/* ---- between threads --------------------------------------------------------------------------------------------- */

typedef tb_wide tb_shared_states[TB_THREADS * TB_ORDER];

/* Those who have a row's elements: `chunks` threads in each of `groups` warps or parts of one. */
struct tb_sharing {
    int rows, chunks, groups, group, number;
};

TB_FN tb_sharing tb_sharing_of(const tb_spot &at)
{
    tb_sharing s;
    s.rows = 1 << at.bits;
    s.chunks = s.rows < 32 ? 32 >> at.bits : 1;
    s.groups = (TB_THREADS >> at.bits) / s.chunks;
    s.group = at.chunk / s.chunks;
    s.number = at.chunk % s.chunks;
    return s;
}

/* The states after the threads' elements, of those after each begun from zeros: in a warp. */
TB_FN void tb_chain_in_warp(const tb_wide *powers, const tb_sharing &s, tb_wide *z)
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll 1
    for (int times = 1; times < s.chunks; times *= 2) {
        tb_wide from[TB_ORDER];
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) from[i] = tb_from_below(z[i], times * s.rows);
        if (lane >= times * s.rows) tb_advance(powers, times, from, z);
    }
}

/* before = the states after the first `count` groups of those before them. shared: of the row's first group. */
TB_FN void tb_pass_groups(const tb_wide *powers, const tb_sharing &s, const tb_wide *shared, int count, tb_wide *before)
{
#pragma unroll 1
    for (int g = 0; g < count; g++) {
        tb_wide after[TB_ORDER];
        tb_copy_states(shared + g * s.rows * TB_ORDER, after);
        tb_advance(powers, s.chunks, before, after);
        tb_copy_states(after, before);
    }
}

/* The states in which the rows of a block's one tile begin; a warp has rows in turn. */
TB_FN void tb_begin_tile(const tb_params &p, const tb_spot &at, const tb_sharing &s, int section,
                         const tb_wide *shared, tb_wide *carry)
{
    tb_chain c;
    c.tile = at.tile;
    c.tiles = p.tiles;
    c.groups = (p.tiles + TB_FAN_IN - 1) / TB_FAN_IN;
    c.line = at.row >> at.bits;
    c.rows = s.rows;
    for (int row = (int)threadIdx.x / 32; row < s.rows && at.row + row < at.rows; row += TB_THREADS / 32) {
        tb_wide own[TB_ORDER], before[TB_ORDER];
        tb_no_states(own);
        tb_pass_groups(tb_powers(p, TB_LEVEL_THREAD, section), s, shared + row * TB_ORDER, s.groups, own);
        tb_look_back(p, c, section, row, at.row + row, own, before);
        for (int i = 0; threadIdx.x % 32 == 0 && i < TB_ORDER; i++) carry[i * s.rows + row] = before[i];
    }
}

/* Of the states in which the threads' elements end that begin with zeros, those in which they begin. `shared` are those
 * after the elements that each warp has of a row, begun from zeros. */
TB_FN void tb_chain_threads(const tb_params &p, const tb_spot &at, int section, tb_wide *carry, tb_wide *shared,
                            tb_wide *z)
{
    const tb_sharing s = tb_sharing_of(at);
    const tb_wide *powers = tb_powers(p, TB_LEVEL_THREAD, section);
    tb_wide *const mine = shared + at.mine * TB_ORDER;
    tb_wide before[TB_ORDER];
    tb_chain_in_warp(powers, s, z);
    for (int i = 0; s.number == s.chunks - 1 && i < TB_ORDER; i++) mine[s.group * s.rows * TB_ORDER + i] = z[i];
    __syncthreads();
    if (p.tiles > 1) {
        tb_begin_tile(p, at, s, section, shared, carry);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) before[i] = carry[i * s.rows + at.mine];
    tb_pass_groups(powers, s, mine, s.group, before);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) {
        const tb_wide below = s.chunks > 1 ? tb_from_below(z[i], s.rows) : z[i];
        z[i] = s.number ? below : tb_wide_of(0, 0);
    }
    tb_advance(powers, s.number, before, z);
    __syncthreads();
    if (p.tiles > 1 || s.group < s.groups - 1 || s.number < s.chunks - 1) return;
    tb_pass_groups(powers, s, mine + s.group * s.rows * TB_ORDER, 1, before);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) carry[i * s.rows + at.mine] = before[i];
}
