/* reduce_loops.h - the innermost loops of reductions and scans, one set for each row of tables/reduce.def.
 *
 * Elements are storage values, contiguous along a line or a row; accumulators are contiguous arrays. Sums over a line
 * go pairwise over leaves of TB_LEAF_BYTES of accumulators, so that splitting a line at a multiple of a power of two of
 * leaves and merging the parts in a balanced tree changes no bit. */
#ifndef TB_BACKEND_CPU_LOOPS_REDUCE_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_REDUCE_LOOPS_H
#include "tables/loops.h"

enum { TB_LEAF_BYTES = 4096, TB_FEW_ROWS = 8, TB_NARROW = 8 };

/* Folds of products of lines, which lie one behind the other. */
typedef void tb_red_products(int64_t nline, int64_t n, const void *x, const void *y, void *acc);

typedef struct tb_red_loops {
    int acc; /* bytes of an accumulator */
    void (*init)(int64_t n, void *acc);
    /* acc[r] = the fold of line r: n elements, the next line `stride` bytes on. i: position of a line's first
     * element. */
    void (*lines)(int64_t nline, int64_t n, const void *v, int64_t stride, void *acc, int64_t i);
    /* The same of x[k] * y[k], and of x[k]'s conjugate times y[k]: the bits of `lines` over the products. NULL where
     * these have no such loop. */
    tb_red_products *products, *conjugate_products;
    /* acc[j] = acc[j] and column j of nrow rows of w elements; row r's position is i + r. */
    void (*rows)(int64_t nrow, int64_t w, const void *v, int64_t stride, void *acc, int64_t i);
    /* out[j] = the result of column j of 2 to TB_FEW_ROWS rows. NULL: there is no such loop. */
    void (*few_rows)(int64_t nrow, int64_t w, const void *v, int64_t stride, void *out, int64_t i, double count);
    /* acc[j] = acc[j] merged with other[j]. */
    void (*merge)(int64_t n, void *acc, const void *other);
    void (*final)(int64_t n, const void *acc, void *out, double count);
    /* Running results; the accumulators carry over from call to call. out may be v itself. NULL where there is no
     * scan. */
    void (*scan_lines)(int64_t nline, int64_t n, const void *v, int64_t v_stride, void *out, int64_t out_stride,
                       void *acc);
    void (*scan_rows)(int64_t nrow, int64_t w, const void *v, int64_t v_stride, void *out, int64_t out_stride,
                      void *acc);
    /* scan_rows for rows of less than TB_NARROW elements. */
    void (*scan_narrow)(int64_t nrow, int64_t w, const void *v, int64_t v_stride, void *out, int64_t out_stride,
                        void *acc);
} tb_red_loops;

/* Indexed by tb_red: the best set that this processor runs. */
const tb_red_loops *tb__cpu_red_loops(void);

/* What fills that table: units compiled once for each instruction set, and the scans. */
#define TB_RED_UNITS(isa)                            \
    void tb__red_sums_##isa(tb_red_loops *table);     \
    void tb__red_extremes_##isa(tb_red_loops *table); \
    void tb__red_places_##isa(tb_red_loops *table);   \
    void tb__red_exps_##isa(tb_red_loops *table);
TB_RED_UNITS(base)
TB_RED_UNITS(avx2)
TB_RED_UNITS(avx512)
void tb__red_scans(tb_red_loops *table);
#endif
