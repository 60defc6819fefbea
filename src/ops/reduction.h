/* reduction.h - what each reduction means, and its running form: NumPy's dtype rules, and what is done to the elements
 * before its loop. */
#ifndef TB_OPS_REDUCTION_H
#define TB_OPS_REDUCTION_H
#include "ops/array_ops.h"

typedef enum tb_result_rule {
    TB_RESULT_SAME,  /* the input's dtype, or the one asked for */
    TB_RESULT_SUM,   /* the same, narrow integers widened */
    TB_RESULT_MEAN,  /* the same, integers as float64 */
    TB_RESULT_INDEX, /* int64 */
    TB_RESULT_COUNT, /* int64, of truth values */
    TB_RESULT_BOOL,  /* bool, of truth values */
} tb_result_rule;

/* What takes the place of nan before the loop. */
typedef enum tb_nan_rule {
    TB_NAN_KEEP,
    TB_NAN_TO_ZERO,
    TB_NAN_TO_ONE,
    TB_NAN_TO_INF,
    TB_NAN_TO_MINUS_INF,
} tb_nan_rule;

typedef enum tb_empty_rule {
    TB_EMPTY_FAILS,
    TB_EMPTY_ZERO,
    TB_EMPTY_ONE,
    TB_EMPTY_ALL_BITS,
    TB_EMPTY_NAN,
} tb_empty_rule;

typedef struct tb_reduction_rule {
    const char *name; /* NumPy's, for messages */
    tb_red_op loop;
    tb_result_rule result;
    tb_nan_rule nan;
    tb_empty_rule empty;
    const char *combine; /* the ufunc that takes an initial value in; NULL when there can be none */
    const char *running; /* the running form's name, for messages; NULL when there is none */
} tb_reduction_rule;

/* The rule for elements of dtype t: nan has no place among integers, so there the plain loops serve. */
const tb_reduction_rule *tb__reduction_rule(tb_reduction op, tb_dtype t);
/* The result's dtype, from the input's, the one asked for (or TB_NODTYPE) and that of out (or NULL). */
tb_dtype tb__reduction_dtype(const tb_reduction_rule *r, tb_dtype t, tb_dtype asked, const tb_array *out);
/* A mean that was asked for as integers is one of integers. */
bool tb__averages_integers(const tb_reduction_rule *r, tb_dtype result);
/* The loop from elements of dtype t to the result. */
tb_status tb__reduction_loop(const tb_reduction_rule *r, tb_dtype t, tb_dtype result, tb_red *loop);
/* The elements that the loop takes: nan replaced, cast. */
tb_status tb__reduction_input(const tb_reduction_rule *r, tb_array *a, tb_dtype result, tb_red loop, tb_expr **out);
#endif
