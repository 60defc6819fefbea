/* search_loops.h - where values belong among elements in order, compiled once for each instruction set. */
#ifndef TB_BACKEND_CPU_LOOPS_SEARCH_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_SEARCH_LOOPS_H
#include <stdint.h>

#include "tombac/tombac.h"

enum { TB_SEARCH_FEW = 32 };

/* How many of n elements come before each of `few` values, at most TB_SEARCH_FEW of them; n is not 0. */
typedef void tb_search_loop(const void *sorted, int64_t n, const void *value, int few, int64_t *out);

typedef struct tb_search_loops {
    tb_search_loop *left[TB_C128 + 1];  /* by dtype; NULL: there is none */
    tb_search_loop *right[TB_C128 + 1]; /* those that come before or are equal */
    /* The function through the points (xp, fp) at `few` values; place says how many points are not behind each. */
    void (*between)(const double *xp, const double *fp, int64_t n, const double *x, const int64_t *place, int few,
                    double left, double right, double *out);
} tb_search_loops;
#endif
