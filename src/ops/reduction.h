/* reduction.h - what each reduction means, and its running form: NumPy's dtype rules, and what is done to the elements
 * before its loop. */
#ifndef TB_OPS_REDUCTION_H
#define TB_OPS_REDUCTION_H
#include "ops/array_ops.h"

/* The words of tombac/reductions.def, which says what they mean. */
typedef enum tb_result_rule {
    TB_RESULT_SAME,
    TB_RESULT_SUM,
    TB_RESULT_MEAN,
    TB_RESULT_SPREAD,
    TB_RESULT_FLOAT,
    TB_RESULT_INDEX,
    TB_RESULT_COUNT,
    TB_RESULT_BOOL,
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
    TB_EMPTY_MINUS_INF,
} tb_empty_rule;

typedef struct tb_reduction_rule {
    const char *name;    /* NumPy's, for messages */
    const char *running; /* the running form's name, for messages; NULL when there is none */
    tb_op of;            /* the ufunc whose reduce it is, or TB_OP_none */
    tb_op initial;       /* what takes an initial value in, or TB_OP_none */
    tb_red_op fold;
    tb_result_rule result;
    tb_nan_rule nan;
    tb_empty_rule empty;
} tb_reduction_rule;

extern const tb_reduction_rule tb_reduction_table[TB_RED_COUNT];
/* The result's dtype, from the input's, the one asked for (or TB_NODTYPE) and that of out (or NULL). */
tb_dtype tb__reduction_dtype(const tb_reduction_rule *r, tb_dtype t, tb_dtype asked, const tb_array *out);
/* A mean that was asked for as integers is one of integers. */
bool tb__averages_integers(const tb_reduction_rule *r, tb_dtype result);
/* The loop from elements of dtype t to the result. */
tb_status tb__reduction_loop(const tb_reduction_rule *r, tb_dtype t, tb_dtype result, tb_red *loop);
/* The elements that the loop takes: nan replaced, cast. */
tb_status tb__reduction_input(const tb_reduction_rule *r, tb_array *a, tb_dtype result, tb_red loop, tb_expr **out);
#endif
