/* window_loops.h - sums of products of the elements of windows with weights, and elements of a rank, compiled once for
 * each instruction set. */
#ifndef TB_BACKEND_CPU_LOOPS_WINDOW_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_WINDOW_LOOPS_H
#include <stdint.h>

#include "backend/cpu/loops/isa.h"

/* n places of a window that are a step apart. */
typedef struct tb_window_run {
    int64_t at, n;
} tb_window_run;

typedef struct tb_window_loops {
    /* out[i] = x[at[0] + i] * w[0] + x[at[1] + i] * w[1] + ..., n of them, in this order; count is at least 1.
     * out and x have nothing in common. */
    void (*sum)(const double *x, int64_t count, const int64_t *at, const double *w, int64_t n, double *out);
    /* The same of an odd number of places with weights that are the same from either end, but for the sign if it is -1:
     * the one in the middle first, then pairs from the ends on. */
    void (*pairs)(const double *x, int64_t count, const int64_t *at, const double *w, double sign, int64_t n,
                  double *out);
    /* Sums without weights, by a divisor. */
    void (*mean)(const double *x, int64_t count, const int64_t *at, double divisor, int64_t n, double *out);
    /* The number of a rank in a window, and in the n - 1 windows that follow, each a step further on. Numbers are
     * nowhere twice. bits: one for each number, all 0 before. */
    void (*ranked)(const int32_t *number, int64_t nrun, const tb_window_run *run, int64_t step, int64_t rank,
                   uint64_t *bits, int64_t n, int32_t *out);
} tb_window_loops;
TB_ISA_EXTERN(const tb_window_loops, tb__window_loops_, )
#endif
