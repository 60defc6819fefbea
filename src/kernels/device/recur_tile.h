/* recur_tile.h - RECUR_ENDS, RECUR_APPLY: a region of some rows, tile by tile. Needs recur.h.
 *
 * A tile is in shared memory: of each of its rows a stretch, TB_ITEMS elements of which are a thread's. Section by
 * section threads go through theirs from zeros, put the states they end in together by doubling distances, and go
 * through theirs again from the states before them. */

enum {
    TB_EACH = 2 * (TB_ORDER + 1), /* coefficients of a section */
    TB_TOGETHER = 4,              /* elements in registers */
    TB_WORDS = TB_ORDER * sizeof(tb_wide) / sizeof(double),
    TB_RESIDENT = TB_WORDS <= 2   ? 8
                  : TB_WORDS <= 4 ? 6
                  : TB_WORDS <= 8 ? 4
                                  : 1, /* blocks of a multiprocessor */
};

struct tb_spot {
    tb_i64 row, first; /* of the block */
    tb_i64 rows;
    int bits, across; /* of the tile: rows, and elements of a row */
    int mine, chunk;  /* the thread's row in the tile, and which elements */
};

TB_FN tb_spot tb_spot_of(const tb_params &p, tb_i64 regions)
{
    tb_spot at;
    const int t = (int)threadIdx.x;
    at.bits = p.row_bits;
    at.across = TB_THREADS * TB_ITEMS >> at.bits;
    at.rows = p.outer * p.inner;
    at.row = (tb_i64)(blockIdx.x / (tb_u64)regions) << at.bits;
    at.first = (tb_i64)(blockIdx.x % (tb_u64)regions) * p.length;
    at.mine = t & ((1 << at.bits) - 1);
    at.chunk = t >> at.bits;
    return at;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

template <bool IN> TB_FN void tb_move_one(const tb_params &p, tb_i64 place, tb_number *slot)
{
    if (IN) *slot = (tb_number)p.x[place];
    else p.y[place] = *slot;
}

/* Where an element of a row is in the tile. */
TB_FN tb_number *tb_slot(const tb_spot &at, tb_number *tile, int row, int e)
{
    return tile + (((e / TB_ITEMS) << at.bits) + row) * (TB_ITEMS + 1) + e % TB_ITEMS;
}

/* The tile from element `first` on, `count` of each row: neighbouring threads have what is near each other, which are
 * elements of a row, or rows. */
template <bool IN> TB_FN void tb_move(const tb_params &p, const tb_spot &at, tb_i64 first, int count, tb_number *tile)
{
    const int t = (int)threadIdx.x;
    const tb_i64 sign = p.backwards ? -1 : 1, begin = p.backwards ? p.n - 1 - first : first;
    if (p.inner > 1 || at.bits == 0) {
        const tb_i64 row = at.row + at.mine, along = sign * p.inner, step = along * (TB_THREADS >> at.bits);
        tb_i64 place = (row / p.inner * p.n + begin) * p.inner + row % p.inner + along * at.chunk;
        if (row >= at.rows) return;
#pragma unroll 8
        for (int k = 0; k < TB_ITEMS; k++, place += step) {
            const int e = at.chunk + k * (TB_THREADS >> at.bits);
            if (e < count) tb_move_one<IN>(p, place, tb_slot(at, tile, at.mine, e));
        }
        return;
    }
    const int across_bits = 31 - __clz(at.across);
#pragma unroll 2
    for (int k = 0; k < TB_ITEMS; k++) {
        const int i = k * TB_THREADS + t, r = i >> across_bits, e = i & (at.across - 1);
        if (e < count && at.row + r < at.rows)
            tb_move_one<IN>(p, (at.row + r) * p.n + begin + sign * e, tb_slot(at, tile, r, e));
    }
}

TB_FN tb_number tb_step(tb_number x, tb_number *z, const tb_number *c)
{
    const tb_number *b = c, *a = c + TB_ORDER + 1;
    const tb_number y = tb_sum(z[0], tb_times(x, b[0]));
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) {
        tb_number next = tb_times(x, b[i + 1]);
        if (i + 1 < TB_ORDER) next = tb_sum(z[i + 1], next);
        z[i] = TB_FEEDBACK ? tb_less(next, tb_times(y, a[i + 1])) : next;
    }
    return y;
}

/* The thread's elements through a section. */
template <bool KEPT> TB_FN void tb_run(tb_number *mine, int count, tb_number *z, const tb_number *c)
{
#pragma unroll 1
    for (int i = 0; i < count; i += TB_TOGETHER) {
        tb_number x[TB_TOGETHER];
#pragma unroll
        for (int k = 0; k < TB_TOGETHER; k++) x[k] = mine[i + k];
#pragma unroll
        for (int k = 0; k < TB_TOGETHER; k++)
            if (i + k < count) x[k] = tb_step(x[k], z, c);
#pragma unroll
        for (int k = 0; KEPT && k < TB_TOGETHER; k++) mine[i + k] = x[k];
    }
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

enum { TB_UNROLLED = TB_ORDER > 8 ? 1 : TB_ORDER };

/* to += power * from. */
TB_FN void tb_advance(const tb_wide *power, const tb_wide *from, tb_wide *to)
{
#pragma unroll TB_UNROLLED
    for (int j = 0; j < TB_ORDER; j++)
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) to[i] = tb_add_part(to[i], power[i * TB_ORDER + j], from[j]);
}

TB_FN double tb_from_below(double x, int lanes) { return __shfl_up_sync(0xffffffffu, x, lanes); }
TB_FN tb_c128 tb_from_below(tb_c128 x, int lanes)
{
    return tb_make_c128(tb_from_below(x.re, lanes), tb_from_below(x.im, lanes));
}

/* The states after the threads' elements, of those after each begun from zeros: in a warp, `chunks` of each row. */
TB_FN void tb_chain_in_warp(const tb_wide *power, int next, int rows, int chunks, tb_wide *z)
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll 1
    for (int distance = rows; distance < chunks * rows; distance *= 2, power += next) {
        tb_wide from[TB_ORDER];
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) from[i] = tb_from_below(z[i], distance);
        if (lane >= distance) tb_advance(power, from, z);
    }
}

/* z = that after `chunks` threads' elements. */
TB_FN void tb_later(const tb_wide *power, int next, int chunks, tb_wide *z)
{
#pragma unroll 1
    for (; chunks; chunks >>= 1, power += next) {
        tb_wide to[TB_ORDER];
        if (!(chunks & 1)) continue;
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) to[i] = tb_wide_of(0, 0);
        tb_advance(power, z, to);
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) z[i] = to[i];
    }
}

typedef tb_wide tb_shared_states[TB_THREADS * TB_ORDER];

/* Of the states in which the threads' elements end that begin with zeros, those in which they begin. `shared` are those
 * after the elements that each warp has of a row, begun from zeros. */
TB_FN void tb_chain(const tb_params &p, const tb_spot &at, int section, tb_wide *carry, tb_wide *shared, tb_wide *z)
{
    const int rows = 1 << at.bits, chunks = rows < 32 ? 32 >> at.bits : 1, groups = (TB_THREADS >> at.bits) / chunks;
    const int group = at.chunk / chunks, number = at.chunk % chunks, next = p.sections * TB_ORDER * TB_ORDER;
    const tb_wide *power = p.powers + section * TB_ORDER * TB_ORDER;
    const tb_wide *whole = power + (31 - __clz(chunks)) * next;
    tb_chain_in_warp(power, next, rows, chunks, z);
    tb_wide *const mine = shared + at.mine * TB_ORDER;
    for (int i = 0; number == chunks - 1 && i < TB_ORDER; i++) mine[group * rows * TB_ORDER + i] = z[i];
    __syncthreads();
    tb_wide before[TB_ORDER];
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) before[i] = carry[i * rows + at.mine];
    tb_wide after[TB_ORDER];
#pragma unroll 1
    for (int g = 0; g <= group; g++) {
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) after[i] = mine[g * rows * TB_ORDER + i];
        tb_advance(whole, before, after);
#pragma unroll
        for (int i = 0; g < group && i < TB_ORDER; i++) before[i] = after[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) {
        if (group == groups - 1 && number == chunks - 1) carry[i * rows + at.mine] = after[i];
        z[i] = chunks > 1 ? tb_from_below(z[i], rows) : z[i];
    }
    tb_later(power, next, number, before);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) z[i] = number ? tb_sum(z[i], before[i]) : before[i];
}

TB_FN void tb_begin(const tb_params &p, const tb_spot &at, tb_wide *carry)
{
    const int states = p.sections * TB_ORDER;
    const tb_i64 row = at.row + at.mine;
    for (int i = 0; at.chunk == 0 && i < states; i++) {
        tb_wide z = tb_wide_of(0, 0);
#if TB_RECUR_APPLY
        if (row < at.rows && p.regions > 1) z = p.states[(row * p.regions + at.first / p.length) * states + i];
        else if (row < at.rows && p.zi) z = tb_widen(p.zi[tb_state_at(p, row, i)]);
#endif
        carry[(i << at.bits) + at.mine] = z;
    }
    __syncthreads();
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* Thread after thread, each from the states in which the one before it ended. */
TB_FN void tb_in_turn(const tb_spot &at, int count, tb_wide *carry, tb_number *mine, tb_number *z, const tb_number *c)
{
    const int rows = 1 << at.bits;
    for (int turn = 0; turn < TB_THREADS >> at.bits; turn++) {
        if (turn == at.chunk && count) {
            for (int i = 0; i < TB_ORDER; i++) tb_turn(carry[i * rows + at.mine], z + i);
            tb_run<true>(mine, count, z, c);
            for (int i = 0; i < TB_ORDER; i++) carry[i * rows + at.mine] = tb_widen(z[i]);
        }
        __syncthreads();
    }
}

TB_FN void tb_section(const tb_params &p, const tb_spot &at, int section, int count, tb_wide *carry, tb_number *mine,
                      tb_wide *shared, tb_number *z)
{
    tb_number c[TB_EACH];
#pragma unroll
    for (int i = 0; i < TB_EACH; i++) tb_turn(p.c[section * TB_EACH + i], c + i);
#if TB_RECUR_APPLY
    if (p.in_turn) {
        tb_in_turn(at, count, carry, mine, z, c);
        return;
    }
#endif
    tb_wide wide[TB_ORDER];
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) z[i] = tb_number();
    tb_run<false>(mine, count, z, c);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) wide[i] = tb_widen(z[i]);
    tb_chain(p, at, section, carry, shared, wide);
    if (TB_RECUR_ENDS && section == p.sections - 1) return;
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) tb_turn(wide[i], z + i);
    tb_run<true>(mine, count, z, c);
}

extern "C" __global__ void __launch_bounds__(TB_THREADS, TB_RESIDENT) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number tile[TB_THREADS * (TB_ITEMS + 1)];
    __shared__ tb_shared_states shared;
    __shared__ tb_wide carry[TB_CARRIED];
    tb_number *const mine = tile + threadIdx.x * (TB_ITEMS + 1);
    const tb_spot at = tb_spot_of(p, p.regions - TB_RECUR_ENDS);
    const tb_i64 end = at.first + p.length < p.n ? at.first + p.length : p.n;
    tb_wait();
    tb_begin(p, at, carry);
    for (tb_i64 first = at.first; first < end; first += at.across) {
        const int here = end - first < at.across ? (int)(end - first) : at.across;
        const int left = at.row + at.mine < at.rows ? here - at.chunk * TB_ITEMS : 0;
        const int count = left < 0 ? 0 : left < TB_ITEMS ? left : TB_ITEMS;
        tb_move<true>(p, at, first, here, tile);
        __syncthreads();
        for (int s = 0; s < p.sections; s++) {
            tb_number z[TB_ORDER];
            tb_section(p, at, s, count, carry + (s * TB_ORDER << at.bits), mine, shared, z);
#if TB_RECUR_APPLY
            if (p.zf && count && first + at.chunk * TB_ITEMS + count == p.n)
                for (int i = 0; i < TB_ORDER; i++) p.zf[tb_state_at(p, at.row + at.mine, s * TB_ORDER + i)] = z[i];
#endif
        }
        __syncthreads();
#if TB_RECUR_APPLY
        tb_move<false>(p, at, first, here, tile);
        __syncthreads();
#endif
    }
#if TB_RECUR_ENDS
    const int states = p.sections * TB_ORDER;
    const tb_i64 row = at.row + at.mine;
    for (int i = at.chunk; i < states && row < at.rows; i += TB_THREADS >> at.bits)
        p.states[(row * p.regions + at.first / p.length) * states + i] = carry[(i << at.bits) + at.mine];
#endif
}
