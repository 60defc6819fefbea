/* recur.h - RECUR: sections of a digital filter. Rows are cut into regions, each the work of a thread block, which goes
 * through it tile by tile (recur_tile.h).
 *
 * RECUR_ENDS finds in which states regions end that begin with zeros, RECUR_CHAIN (recur_chain.h) makes of these the
 * states in which they begin, and RECUR_APPLY computes the regions from them. Where rows are one region each, the last
 * kernel is all there is. What `count` elements make of the states before them is a product with a matrix, which the
 * host has found for the counts that are needed. */

struct tb_params {
    const tb_input *x;
    const tb_number *zi;
    tb_number *y, *zf;
    const tb_wide *c;      /* coefficients (sections, 2, TB_ORDER + 1): b, then a */
    const tb_wide *powers; /* (doublings, sections, TB_ORDER, TB_ORDER): what TB_ITEMS << i elements make of states */
    const tb_wide *jumps;  /* (leaps or 1, states, states): what `length << i` elements make of those of all sections */
    tb_wide *states;       /* (rows, regions, states) */
    tb_wide *room;         /* as large */
    tb_i64 outer, n, inner, regions, length;
    int sections, order, leaps;
    int row_bits;  /* a tile has 1 << row_bits rows */
    int backwards; /* from the last element to the first */
    int in_turn;   /* a row's elements one after the other */
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

/* sum + by * from. Where outputs come back NaN and infinities stay for good, also when all else has died away; else
 * what has left a filter is nothing. */
TB_FN tb_wide tb_add_part(tb_wide sum, tb_wide by, tb_wide from)
{
    return TB_FEEDBACK || !tb_is_zero(by) ? tb_sum(sum, tb_times(by, from)) : sum;
}

/* Where a row's state is among (sections, outer, order, inner). */
TB_FN tb_i64 tb_state_at(const tb_params &p, tb_i64 row, int state)
{
    return ((state / p.order * p.outer + row / p.inner) * p.order + state % p.order) * p.inner + row % p.inner;
}
