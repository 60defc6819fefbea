/* search_loops.h - where values belong among elements in order, compiled once for each instruction set. */
#ifndef TB_BACKEND_CPU_LOOPS_SEARCH_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_SEARCH_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

#include "backend/cpu/loops/isa.h"
#include "tombac/tombac.h"

enum { TB_SEARCH_FEW = 32 };

/* Buckets of equal width, the first and the last one without an end, and how many of some numbers in order, the edges,
 * are in those before each. */
typedef struct tb_buckets {
    void *edge; /* float or double; NaN behind them */
    int32_t *before;
    int64_t n;          /* buckets */
    double first, last; /* edges */
    double scale;       /* a number's bucket is (x - first) * scale; NaN is in the first one */
    int together;       /* of edges that are in one */
} tb_buckets;

/* How many of n elements come before each of `few` values, at most TB_SEARCH_FEW of them; n is not 0. */
typedef void tb_search_loop(const void *sorted, int64_t n, const void *value, int few, int64_t *out);

/* The same of values that rise slowly, the first of them from place `from` on, before which there are elements. How
 * many were looked for: no more where that is not so. */
typedef int tb_follow_loop(const void *sorted, int64_t n, const void *value, int few, int64_t from, int64_t *out);

typedef struct tb_search_loops {
    tb_search_loop *left[TB_C128 + 1];  /* by dtype; NULL: there is none */
    tb_search_loop *right[TB_C128 + 1]; /* those that come before or are equal */
    tb_follow_loop *follow_left[TB_C128 + 1], *follow_right[TB_C128 + 1];
    /* The function through the points (xp, fp) at `few` values; place says how many points are not behind each. */
    void (*between)(const double *xp, const double *fp, int64_t n, const double *x, const int64_t *place, int few,
                    double left, double right, double *out);
    /* The buckets of n numbers. */
    void (*bucket_32)(const float *x, int64_t n, const tb_buckets *t, int32_t *out);
    void (*bucket_64)(const double *x, int64_t n, const tb_buckets *t, int32_t *out);
    /* How many edges come before or are equal to each of them; none where it is NaN. False: none of them is between the
     * outer edges, and `out` is not set. */
    bool (*buckets_32)(const float *x, int64_t n, const tb_buckets *t, int32_t *out);
    bool (*buckets_64)(const double *x, int64_t n, const tb_buckets *t, int32_t *out);
} tb_search_loops;

/* Of the best instruction set that the machine has (plans/search.c). */
const tb_search_loops *tb__search_loops(void);
TB_ISA_EXTERN(const tb_search_loops, tb__search_loops_, )
#endif
