/* recur_tile.h - RECUR_ENDS, RECUR_APPLY: a region of some rows, tile by tile. Needs recur.h.
 *
 * A tile is in shared memory: of each of its rows a stretch, TB_ITEMS elements of which are a thread's. Section by
 * section threads go through theirs from zeros, put the states they end in together by doubling distances, and go
 * through theirs again from the states before them. */

enum {
    TB_EACH = 2 * (TB_ORDER + 1), /* coefficients of a section */
    TB_TOGETHER = 4,              /* elements in registers */
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

/* The tile from element `first` on, `count` of each row: neighbouring threads have what is near each other. */
template <bool IN> TB_FN void tb_move(const tb_params &p, const tb_spot &at, tb_i64 first, int count, tb_number *tile)
{
    const int t = (int)threadIdx.x, across_bits = at.across == 1 ? 0 : 31 - __clz(at.across);
    const bool by_rows = p.inner > 1;
    tb_i64 row = at.row + at.mine;
    const tb_i64 start = row / p.inner * p.n * p.inner + row % p.inner;
#pragma unroll 8
    for (int k = 0; k < TB_ITEMS; k++) {
        const int i = k * TB_THREADS + t, r = by_rows ? at.mine : i >> across_bits;
        const int e = by_rows ? i >> at.bits : i & (at.across - 1);
        if (e >= count || at.row + r >= at.rows) continue;
        const tb_i64 along = p.backwards ? p.n - 1 - (first + e) : first + e;
        const tb_i64 from = by_rows ? start + along * p.inner : (at.row + r) * p.n + along;
        tb_number *slot = tile + (((e / TB_ITEMS) << at.bits) + r) * (TB_ITEMS + 1) + e % TB_ITEMS;
        if (IN) *slot = (tb_number)p.x[from];
        else p.y[from] = *slot;
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

typedef tb_wide tb_shared_states[TB_ORDER][TB_THREADS];

/* to += power * the states of another thread, or of what is before the tile. */
TB_FN void tb_advance(const tb_wide *power, const tb_wide *from, int stride, tb_wide *to)
{
#pragma unroll 1
    for (int j = 0; j < TB_ORDER; j++) {
        const tb_wide by = from[j * stride];
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) to[i] = tb_add_part(to[i], power[i * TB_ORDER + j], by);
    }
}

TB_FN void tb_show(const tb_wide *z, tb_shared_states shared)
{
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) shared[i][threadIdx.x] = z[i];
    __syncthreads();
}

/* Of the states in which the threads' elements end that begin with zeros, those in which they begin. */
TB_FN void tb_chain(const tb_params &p, const tb_spot &at, int section, tb_wide *carry, tb_shared_states shared,
                    tb_wide *z)
{
    const int t = (int)threadIdx.x, rows = 1 << at.bits, chunks = TB_THREADS >> at.bits;
    const tb_wide *power = p.powers + section * TB_ORDER * TB_ORDER;
    const int next = p.sections * TB_ORDER * TB_ORDER;
    if (at.chunk == 0) tb_advance(power, carry + at.mine, rows, z);
#pragma unroll 1
    for (int distance = 1; distance < chunks; distance *= 2, power += next) {
        tb_show(z, shared);
        if (at.chunk >= distance) tb_advance(power, &shared[0][t - distance * rows], TB_THREADS, z);
        __syncthreads();
    }
    tb_show(z, shared);
    tb_wide begin[TB_ORDER];
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) {
        begin[i] = at.chunk ? shared[i][t - rows] : carry[i * rows + at.mine];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) {
        if (at.chunk == chunks - 1) carry[i * rows + at.mine] = z[i];
        z[i] = begin[i];
    }
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
                      tb_shared_states shared, tb_number *z)
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

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
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
