/* recur.h - RECUR: sections of a digital filter. A thread block goes through a row tile by tile (recur_tile.h), or
 * where rows are few through one tile, and learns from what the blocks of the tiles before have posted in which states
 * the tile begins (recur_back.h). So elements are read once and written once. What `count` elements make of the states
 * before them is a product with a matrix, which the host has found for the counts that are needed. */

enum {
    TB_FAN_IN = 32,   /* tiles of a group, groups of a stretch */
    TB_TIMES = 33,    /* what 0 to 32 of something make of states is in the table */
    TB_LEVEL_THREAD = 0, TB_LEVEL_TILE, TB_LEVEL_GROUP, /* of the elements of a thread, of a tile, of a group */
    TB_SQUARE = TB_ORDER * TB_ORDER
};

struct tb_params {
    const tb_input *x;
    const tb_number *zi;
    tb_number *y, *zf;
    const tb_wide *c;      /* coefficients (sections, 2, TB_ORDER + 1): b, then a */
    const tb_wide *powers; /* (levels, sections, TB_SQUARE, TB_TIMES) */
    tb_u64 *posts;         /* zero when the kernel starts */
    tb_i64 outer, n, inner;
    tb_i64 tiles; /* of a row, with a block each; 1: a block goes through all of them */
    int sections;
    int row_bits;  /* a tile has 1 << row_bits rows */
    int backwards; /* from the last element to the first */
    int in_turn;   /* a row's elements one after the other */
};

TB_FN double tb_sum(double x, double y) { return x + y; }
TB_FN tb_c64 tb_sum(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re + y.re, x.im + y.im); }
TB_FN tb_c128 tb_sum(tb_c128 x, tb_c128 y) { return tb_make_c128(x.re + y.re, x.im + y.im); }
TB_FN tb_c64 tb_less(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re - y.re, x.im - y.im); }
TB_FN tb_c128 tb_less(tb_c128 x, tb_c128 y) { return tb_make_c128(x.re - y.re, x.im - y.im); }
TB_FN tb_c64 tb_times(tb_c64 x, tb_c64 y) { return tb_make_c64(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); }
TB_FN tb_c128 tb_times(tb_c128 x, tb_c128 y)
{
    return tb_make_c128(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

/* sum + x y, and sum - x y: rounded once. */
TB_FN float tb_plus(float sum, float x, float y) { return fmaf(x, y, sum); }
TB_FN double tb_plus(double sum, double x, double y) { return fma(x, y, sum); }
template <class T> TB_FN T tb_plus(T sum, T x, T y) { return tb_sum(sum, tb_times(x, y)); }
TB_FN float tb_minus(float sum, float x, float y) { return fmaf(-x, y, sum); }
TB_FN double tb_minus(double sum, double x, double y) { return fma(-x, y, sum); }
template <class T> TB_FN T tb_minus(T sum, T x, T y) { return tb_less(sum, tb_times(x, y)); }

TB_FN void tb_turn(double x, float *to) { *to = (float)x; }
TB_FN void tb_turn(double x, double *to) { *to = x; }
TB_FN void tb_turn(tb_c128 x, tb_c64 *to) { *to = tb_make_c64((float)x.re, (float)x.im); }
TB_FN void tb_turn(tb_c128 x, tb_c128 *to) { *to = x; }
TB_FN tb_wide tb_widen(float x) { return tb_wide_of(x, 0); }
TB_FN tb_wide tb_widen(double x) { return tb_wide_of(x, 0); }
TB_FN tb_wide tb_widen(tb_c64 x) { return tb_wide_of(x.re, x.im); }
TB_FN tb_wide tb_widen(tb_c128 x) { return tb_wide_of(x.re, x.im); }

/* ---- states ------------------------------------------------------------------------------------------------------ */

enum { TB_UNROLLED = TB_ORDER > 8 ? 1 : TB_ORDER };

/* sum + by * from. Where outputs come back NaN and infinities stay for good, also when all else has died away; else
 * what has left a filter is nothing. */
TB_FN tb_wide tb_add_part(tb_wide sum, tb_wide by, tb_wide from)
{
    return TB_FEEDBACK || !tb_is_zero(by) ? tb_plus(sum, by, from) : sum;
}

TB_FN const tb_wide *tb_powers(const tb_params &p, int level, int section)
{
    return p.powers + (level * p.sections + section) * (TB_SQUARE * TB_TIMES);
}

/* to += what `times` of a level make of `from`. */
TB_FN void tb_advance(const tb_wide *powers, int times, const tb_wide *from, tb_wide *to)
{
#pragma unroll TB_UNROLLED
    for (int j = 0; j < TB_ORDER; j++)
#pragma unroll
        for (int i = 0; i < TB_ORDER; i++)
            to[i] = tb_add_part(to[i], powers[(i * TB_ORDER + j) * TB_TIMES + times], from[j]);
}

TB_FN void tb_copy_states(const tb_wide *from, tb_wide *to)
{
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) to[i] = from[i];
}
TB_FN void tb_no_states(tb_wide *to)
{
#pragma unroll
    for (int i = 0; i < TB_ORDER; i++) to[i] = tb_wide_of(0, 0);
}

TB_FN double tb_from_below(double x, int lanes) { return __shfl_up_sync(0xffffffffu, x, lanes); }
TB_FN tb_c128 tb_from_below(tb_c128 x, int lanes)
{
    return tb_make_c128(tb_from_below(x.re, lanes), tb_from_below(x.im, lanes));
}
TB_FN double tb_from_across(double x, int lanes) { return __shfl_xor_sync(0xffffffffu, x, lanes); }
TB_FN tb_c128 tb_from_across(tb_c128 x, int lanes)
{
    return tb_make_c128(tb_from_across(x.re, lanes), tb_from_across(x.im, lanes));
}

/* Where a row's state is among (sections, outer, TB_ORDER, inner). */
TB_FN tb_i64 tb_state_at(const tb_params &p, tb_i64 row, int state)
{
    return ((state / TB_ORDER * p.outer + row / p.inner) * TB_ORDER + state % TB_ORDER) * p.inner + row % p.inner;
}

/* In which a row begins. */
TB_FN tb_wide tb_first_state(const tb_params &p, tb_i64 row, int state)
{
    return p.zi && row < p.outer * p.inner ? tb_widen(p.zi[tb_state_at(p, row, state)]) : tb_wide_of(0, 0);
}
