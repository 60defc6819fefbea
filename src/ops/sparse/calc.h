/* calc.h - sequences of array operations of which any may fail: results belong to the calculation, and after a failure
 * nothing more is done. Functions give NULL then; an argument of NULL says that something before has failed. */
#ifndef TB_OPS_SPARSE_CALC_H
#define TB_OPS_SPARSE_CALC_H
#include "ops/array_ops.h"

enum { TB_CALC_MOST = 64 };

typedef struct tb_calc {
    tb_status status;
    int n;
    tb_array *held[TB_CALC_MOST];
} tb_calc;

/* The new array *a is the calculation's, if status says that there is one. */
tb_array *tb__calc_keep(tb_calc *c, tb_status status, tb_array *const *a);
/* a, and of what was kept since the calculation held `from` arrays nothing else: what still has owners would be written
 * to memory when a is computed. */
tb_array *tb__calc_only(tb_calc *c, int from, tb_array *a);
/* Releases everything but what is given away. */
tb_status tb__calc_end(tb_calc *c);
/* A reference of the caller's to one of its arrays, cast to dtype t (TB_NODTYPE: as it is). */
void tb__calc_give(tb_calc *c, tb_array *a, tb_dtype t, tb_array **out);

tb_array *tb__calc_cast(tb_calc *c, tb_array *a, tb_dtype t);
tb_array *tb__calc_count(tb_calc *c, int64_t n);                                    /* 0 to n - 1, int64 */
tb_array *tb__calc_fill(tb_calc *c, int64_t value, int64_t n);                      /* of int64 */
tb_array *tb__calc_of(tb_calc *c, const char *ufunc, tb_array *a, tb_array *b);     /* of two arrays */
tb_array *tb__calc_with(tb_calc *c, const char *ufunc, tb_array *a, int64_t value); /* of an array and a number */
tb_array *tb__calc_where(tb_calc *c, tb_array *condition, tb_array *a, int64_t other);
tb_array *tb__calc_pick(tb_calc *c, tb_array *a, tb_array *numbers);
tb_array *tb__calc_part(tb_calc *c, tb_array *a, int64_t start, int64_t stop); /* a view */
tb_array *tb__calc_join(tb_calc *c, tb_array *a, tb_array *b);
tb_array *tb__calc_search(tb_calc *c, tb_array *sorted, tb_array *values, bool right);
tb_array *tb__calc_order(tb_calc *c, tb_array *keys, int64_t end); /* stable; keys are from 0 on, and below end */
tb_array *tb__calc_nonzero(tb_calc *c, tb_array *mask);
tb_array *tb__calc_running_sum(tb_calc *c, tb_array *a); /* of int64, with a 0 before it */
/* The element, for which the host waits; 0 after a failure. */
int64_t tb__calc_item(tb_calc *c, tb_array *a, int64_t at);
int64_t tb__calc_reduce(tb_calc *c, tb_reduction op, tb_array *a); /* to a number; 0 after a failure */
#endif
