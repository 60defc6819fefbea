/* window_loops.h - sums of products of the elements of windows with weights, compiled once for each instruction set. */
#ifndef TB_BACKEND_CPU_LOOPS_WINDOW_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_WINDOW_LOOPS_H
#include <stdint.h>

#include "backend/cpu/loops/isa.h"

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
} tb_window_loops;
TB_ISA_EXTERN(const tb_window_loops, tb__window_loops_, )
#endif
