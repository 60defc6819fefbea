/* recur_tile.h - RECUR: some rows, tile by tile. Needs recur.h, tb_spot, recur_back.h.
 *
 * A tile is in shared memory: of each of its rows a stretch, TB_ITEMS elements of which are a thread's. Section by
 * section threads go through theirs from zeros, learn from the states they end in, and from tiles before, in which
 * states they begin, and go through theirs again from these. */

enum {
    TB_EACH = 2 * (TB_ORDER + 1), /* coefficients of a section */
    TB_TOGETHER = 4,              /* elements in registers */
    TB_WORDS = TB_ORDER * sizeof(tb_wide) / sizeof(double),
    TB_RESIDENT = TB_WORDS <= 2   ? 8
                  : TB_WORDS <= 4 ? 6
                  : TB_WORDS <= 8 ? 4
                                  : 1, /* blocks of a multiprocessor */
};

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
    if (at.bits == 0 && count == at.across) {
        const tb_i64 step = sign * p.inner * TB_THREADS;
        const tb_i64 place = (at.row / p.inner * p.n + begin + sign * t) * p.inner + at.row % p.inner;
        tb_number *const slot = tb_slot(at, tile, 0, t);
#pragma unroll
        for (int k = 0; k < TB_ITEMS; k++)
            tb_move_one<IN>(p, place + k * step, slot + k * (TB_THREADS / TB_ITEMS * (TB_ITEMS + 1)));
        return;
    }
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

/* ---- sections ---------------------------------------------------------------------------------------------------- */

TB_FN tb_number tb_step(tb_number x, tb_number *z, const tb_number *c)
{
    const tb_number *b = c, *a = c + TB_ORDER + 1;
    const tb_number y = tb_plus(z[0], x, b[0]);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) {
        const tb_number next = tb_plus(i + 1 < TB_ORDER ? z[i + 1] : tb_number(), x, b[i + 1]);
        z[i] = TB_FEEDBACK ? tb_minus(next, y, a[i + 1]) : next;
    }
    return y;
}

/* The thread's elements through a section. */
template <bool KEPT> TB_FN void tb_run(tb_number *mine, int count, tb_number *z, const tb_number *c)
{
    if (count == TB_ITEMS) {
#pragma unroll 1
        for (int i = 0; i < TB_ITEMS; i += TB_TOGETHER) {
            tb_number x[TB_TOGETHER];
#pragma unroll
            for (int k = 0; k < TB_TOGETHER; k++) x[k] = mine[i + k];
#pragma unroll
            for (int k = 0; k < TB_TOGETHER; k++) x[k] = tb_step(x[k], z, c);
#pragma unroll
            for (int k = 0; KEPT && k < TB_TOGETHER; k++) mine[i + k] = x[k];
        }
        return;
    }
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        const tb_number y = tb_step(mine[i], z, c);
        if (KEPT) mine[i] = y;
    }
}

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
    if (p.in_turn) {
        tb_in_turn(at, count, carry, mine, z, c);
        return;
    }
    tb_wide wide[TB_ORDER];
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) z[i] = tb_number();
    tb_run<false>(mine, count, z, c);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) wide[i] = tb_widen(z[i]);
    tb_chain_threads(p, at, section, carry, shared, wide);
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) tb_turn(wide[i], z + i);
    tb_run<true>(mine, count, z, c);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The states in which a block's rows begin, if it has all of their tiles. */
TB_FN void tb_begin(const tb_params &p, const tb_spot &at, tb_wide *carry)
{
    for (int i = 0; at.chunk == 0 && p.tiles == 1 && i < p.sections * TB_ORDER; i++)
        carry[(i << at.bits) + at.mine] = tb_first_state(p, at.row + at.mine, i);
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(TB_THREADS, TB_RESIDENT) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number tile[TB_THREADS * (TB_ITEMS + 1)];
    __shared__ tb_shared_states shared;
    __shared__ tb_wide carry[TB_CARRIED];
    tb_number *const mine = tile + threadIdx.x * (TB_ITEMS + 1);
    const tb_spot at = tb_spot_of(p);
    tb_wait();
    tb_begin(p, at, carry);
    for (tb_i64 first = at.first; first < at.end; first += at.across) {
        const int here = at.end - first < at.across ? (int)(at.end - first) : at.across;
        const int left = at.row + at.mine < at.rows ? here - at.chunk * TB_ITEMS : 0;
        const int count = left < 0 ? 0 : left < TB_ITEMS ? left : TB_ITEMS;
        tb_move<true>(p, at, first, here, tile);
        __syncthreads();
        for (int s = 0; s < p.sections; s++) {
            tb_number z[TB_ORDER];
            tb_section(p, at, s, count, carry + (s * TB_ORDER << at.bits), mine, shared, z);
            if (p.zf && count && first + at.chunk * TB_ITEMS + count == p.n)
                for (int i = 0; i < TB_ORDER; i++) p.zf[tb_state_at(p, at.row + at.mine, s * TB_ORDER + i)] = z[i];
        }
        __syncthreads();
        tb_move<false>(p, at, first, here, tile);
        __syncthreads();
    }
}
