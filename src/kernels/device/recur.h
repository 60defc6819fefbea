/* recur.h - RECUR: sections of a digital filter. Rows are cut into blocks of `length` elements, and each thread has a
 * block; the last one of a row may be shorter.
 *
 * RECUR_ENDS finds in which states blocks end that begin with zeros, RECUR_CHAIN (recur_chain.h) makes of these the
 * states in which they begin, and RECUR_APPLY computes the blocks from them. Where rows are one block each, the last
 * kernel is all there is. `states` are those of the blocks, (rows, blocks, TB_STATES), as wide numbers.
 *
 * TB_STAGED: the elements of a row are near each other, so that a warp brings pieces of its blocks to shared memory
 * side by side. Else neighbouring threads have neighbouring rows. */

enum {
    TB_STATES = TB_SECTIONS * TB_ORDER,
    TB_EACH = 2 * (TB_ORDER + 1), /* coefficients of a section: b, then a */
    TB_COEFFICIENTS = TB_SECTIONS * TB_EACH,
    TB_PARTS = sizeof(tb_wide) / sizeof(double),
    TB_PIECE = sizeof(tb_number) > 8 ? 16 : 32, /* elements of a block in shared memory */
};

struct tb_params {
    const tb_number *x, *zi;
    tb_number *y, *zf;
    tb_wide *states, *room;
    tb_i64 outer, n, inner, blocks, length;
    tb_i64 backwards;
    double c[TB_COEFFICIENTS * TB_PARTS];
};

template <class T> TB_FN T tb_sum(T x, T y) { return x + y; }
TB_FN tb_c64 tb_sum(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re + y.re, x.im + y.im); }
TB_FN tb_c128 tb_sum(tb_c128 x, tb_c128 y) { return tb_make_c128(x.re + y.re, x.im + y.im); }
template <class T> TB_FN T tb_less(T x, T y) { return x - y; }
TB_FN tb_c64 tb_less(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re - y.re, x.im - y.im); }
TB_FN tb_c128 tb_less(tb_c128 x, tb_c128 y) { return tb_make_c128(x.re - y.re, x.im - y.im); }
template <class T> TB_FN T tb_times(T x, T y) { return x * y; }
TB_FN tb_c64 tb_times(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); }
TB_FN tb_c128 tb_times(tb_c128 x, tb_c128 y)
{
    return tb_make_c128(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

TB_FN void tb_turn(double x, float *to) { *to = (float)x; }
TB_FN void tb_turn(double x, double *to) { *to = x; }
TB_FN void tb_turn(tb_c128 x, tb_c64 *to) { *to = tb_make_c64((float)x.re, (float)x.im); }
TB_FN void tb_turn(tb_c128 x, tb_c128 *to) { *to = x; }
TB_FN tb_wide tb_widen(float x) { return tb_wide_of(x, 0); }
TB_FN tb_wide tb_widen(double x) { return tb_wide_of(x, 0); }
TB_FN tb_wide tb_widen(tb_c64 x) { return tb_wide_of(x.re, x.im); }
TB_FN tb_wide tb_widen(tb_c128 x) { return tb_wide_of(x.re, x.im); }

/* An element through all sections. */
template <class T> TB_FN T tb_step(T x, T *z, const T *c)
{
#pragma unroll
    for (int s = 0; s < TB_SECTIONS; s++) {
        const T *b = c + s * TB_EACH, *a = b + TB_ORDER + 1;
        T *at = z + s * TB_ORDER;
        const T y = tb_sum(at[0], tb_times(x, b[0]));
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++) {
            T next = tb_times(x, b[i + 1]);
            if (i + 1 < TB_ORDER) next = tb_sum(at[i + 1], next);
            at[i] = TB_FEEDBACK ? tb_less(next, tb_times(y, a[i + 1])) : next;
        }
        x = y;
    }
    return x;
}

template <class T> TB_FN void tb_coefficients(const tb_params &p, T *c)
{
    for (int i = (int)threadIdx.x; i < TB_COEFFICIENTS; i += TB_THREADS)
        tb_turn(tb_wide_of(p.c[i * TB_PARTS], p.c[i * TB_PARTS + TB_PARTS - 1]), c + i);
    __syncthreads();
}

/* Where a row's state is among (sections, outer, TB_ORDER, inner). */
TB_FN tb_i64 tb_state_at(const tb_params &p, tb_i64 row, int state)
{
    return ((state / TB_ORDER * p.outer + row / p.inner) * TB_ORDER + state % TB_ORDER) * p.inner + row % p.inner;
}

TB_FN tb_i64 tb_place(const tb_params &p, tb_i64 row, tb_i64 at)
{
    return (row / p.inner * p.n + (p.backwards ? p.n - 1 - at : at)) * p.inner + row % p.inner;
}

#if TB_RECUR_ENDS || TB_RECUR_APPLY

/* Which block a thread has. Neighbours are blocks of a row where elements are staged, else rows. */
struct tb_block {
    tb_i64 row, number, first;
    int count;
};

TB_FN tb_block tb_block_of(const tb_params &p, tb_i64 thread)
{
    tb_block b;
    const tb_i64 rows = p.outer * p.inner;
    b.row = TB_STAGED ? thread / p.blocks : thread % rows;
    b.number = TB_STAGED ? thread % p.blocks : thread / rows;
    b.first = b.number * p.length;
    const tb_i64 left = p.n - b.first;
    b.count = b.row >= rows || b.number >= p.blocks ? 0 : left < p.length ? (int)left : (int)p.length;
    return b;
}

TB_FN void tb_begin(const tb_params &p, const tb_block &b, tb_number *z)
{
#pragma unroll
    for (int i = 0; i < TB_STATES; i++) {
        z[i] = tb_number();
#if TB_RECUR_APPLY
        if (b.count && p.states) tb_turn(p.states[(b.row * p.blocks + b.number) * TB_STATES + i], z + i);
        else if (b.count && p.zi) z[i] = p.zi[tb_state_at(p, b.row, i)];
#endif
    }
}

TB_FN void tb_end(const tb_params &p, const tb_block &b, const tb_number *z)
{
#pragma unroll
    for (int i = 0; i < TB_STATES; i++) {
#if TB_RECUR_APPLY
        if (b.count && p.zf && b.number == p.blocks - 1) p.zf[tb_state_at(p, b.row, i)] = z[i];
#else
        if (b.count) p.states[(b.row * p.blocks + b.number) * TB_STATES + i] = tb_widen(z[i]);
#endif
    }
}

#if TB_STAGED
/* The warp's pieces, of TB_PIECE elements from number `at` of each block on: lanes go along a row. */
template <bool IN> TB_FN void tb_move(const tb_params &p, tb_i64 first, tb_i64 at, tb_number (*piece)[TB_PIECE + 1])
{
    const int lane = (int)threadIdx.x % 32, column = lane % TB_PIECE;
    for (int k = lane / TB_PIECE; k < 32; k += 32 / TB_PIECE) {
        const tb_block other = tb_block_of(p, first + k);
        if (at + column >= other.count) continue;
        const tb_i64 place = tb_place(p, other.row, other.first + at + column);
        if (IN) piece[k][column] = p.x[place];
        else p.y[place] = piece[k][column];
    }
}

TB_FN void tb_run(const tb_params &p, tb_i64 thread, const tb_block &b, tb_number *z, const tb_number *c)
{
    __shared__ tb_number pieces[TB_THREADS / 32][32][TB_PIECE + 1];
    tb_number(*piece)[TB_PIECE + 1] = pieces[threadIdx.x / 32];
    const int lane = (int)threadIdx.x % 32;
    for (tb_i64 at = 0; at < p.length; at += TB_PIECE) {
        tb_move<true>(p, thread - lane, at, piece);
        __syncwarp();
        const int count = b.count - at < TB_PIECE ? (int)(b.count - at) : TB_PIECE;
        for (int t = 0; t < count; t++) piece[lane][t] = tb_step(piece[lane][t], z, c);
        __syncwarp();
        if (TB_RECUR_APPLY) tb_move<false>(p, thread - lane, at, piece);
        __syncwarp();
    }
}
#else
TB_FN void tb_run(const tb_params &p, tb_i64 thread, const tb_block &b, tb_number *z, const tb_number *c)
{
    (void)thread;
    for (int t = 0; t < b.count; t++) {
        const tb_i64 place = tb_place(p, b.row, b.first + t);
        const tb_number y = tb_step(p.x[place], z, c);
        if (TB_RECUR_APPLY) p.y[place] = y;
    }
}
#endif

extern "C" __global__ void __launch_bounds__(TB_THREADS) tb_main(const __grid_constant__ tb_params p)
{
    __shared__ tb_number c[TB_COEFFICIENTS];
    tb_number z[TB_STATES];
    tb_coefficients(p, c);
    tb_wait();
    const tb_i64 thread = (tb_i64)blockIdx.x * TB_THREADS + threadIdx.x;
    const tb_block b = tb_block_of(p, thread);
    tb_begin(p, b, z);
    tb_run(p, thread, b, z, c);
    tb_end(p, b, z);
}
#endif
