/* reduction.c - the table of reductions; which loop serves each and what its elements are. */
#include <math.h>

#include "base/error.h"
#include "ops/reduction.h"

#define SAME  TB_RESULT_SAME
#define SUM   TB_RESULT_SUM
#define MEAN  TB_RESULT_MEAN
#define INDEX TB_RESULT_INDEX
#define COUNT TB_RESULT_COUNT
#define BOOL  TB_RESULT_BOOL
#define KEEP  TB_NAN_KEEP
#define FAILS TB_EMPTY_FAILS
#define ZERO  TB_EMPTY_ZERO
#define ONE   TB_EMPTY_ONE
#define RUN(name) name ".accumulate"

static const tb_reduction_rule table[TB_RED_COUNT] = {
    [TB_RED_SUM] = {"add", TB_REDUCE_SUM, SUM, KEEP, ZERO, "add", "cumsum"},
    [TB_RED_PROD] = {"multiply", TB_REDUCE_PROD, SUM, KEEP, ONE, "multiply", "cumprod"},
    [TB_RED_MIN] = {"minimum", TB_REDUCE_MIN, SAME, KEEP, FAILS, "minimum", RUN("minimum")},
    [TB_RED_MAX] = {"maximum", TB_REDUCE_MAX, SAME, KEEP, FAILS, "maximum", RUN("maximum")},
    [TB_RED_ARGMIN] = {"argmin", TB_REDUCE_ARGMIN, INDEX, KEEP, FAILS, NULL, NULL},
    [TB_RED_ARGMAX] = {"argmax", TB_REDUCE_ARGMAX, INDEX, KEEP, FAILS, NULL, NULL},
    [TB_RED_ANY] = {"any", TB_REDUCE_ANY, BOOL, KEEP, ZERO, NULL, RUN("logical_or")},
    [TB_RED_ALL] = {"all", TB_REDUCE_ALL, BOOL, KEEP, ONE, NULL, RUN("logical_and")},
    [TB_RED_MEAN] = {"mean", TB_REDUCE_MEAN, MEAN, KEEP, TB_EMPTY_NAN, NULL, NULL},
    [TB_RED_VAR] = {"var", TB_REDUCE_MEAN, MEAN, KEEP, TB_EMPTY_NAN, NULL, NULL},
    [TB_RED_STD] = {"std", TB_REDUCE_MEAN, MEAN, KEEP, TB_EMPTY_NAN, NULL, NULL},
    [TB_RED_COUNT_NONZERO] = {"count_nonzero", TB_REDUCE_SUM, COUNT, KEEP, ZERO, NULL, NULL},
    [TB_RED_PTP] = {"ptp", TB_REDUCE_MAX, SAME, KEEP, FAILS, NULL, NULL},
    [TB_RED_NANSUM] = {"nansum", TB_REDUCE_SUM, SUM, TB_NAN_TO_ZERO, ZERO, "add", "nancumsum"},
    [TB_RED_NANPROD] = {"nanprod", TB_REDUCE_PROD, SUM, TB_NAN_TO_ONE, ONE, "multiply", "nancumprod"},
    [TB_RED_NANMIN] = {"fmin", TB_REDUCE_FMIN, SAME, KEEP, FAILS, "fmin", RUN("fmin")},
    [TB_RED_NANMAX] = {"fmax", TB_REDUCE_FMAX, SAME, KEEP, FAILS, "fmax", RUN("fmax")},
    [TB_RED_NANARGMIN] = {"argmin", TB_REDUCE_ARGMIN, INDEX, TB_NAN_TO_INF, FAILS, NULL, NULL},
    [TB_RED_NANARGMAX] = {"argmax", TB_REDUCE_ARGMAX, INDEX, TB_NAN_TO_MINUS_INF, FAILS, NULL, NULL},
    [TB_RED_AND] = {"bitwise_and", TB_REDUCE_BITAND, SAME, KEEP, TB_EMPTY_ALL_BITS, "bitwise_and", RUN("bitwise_and")},
    [TB_RED_OR] = {"bitwise_or", TB_REDUCE_BITOR, SAME, KEEP, ZERO, "bitwise_or", RUN("bitwise_or")},
    [TB_RED_XOR] = {"bitwise_xor", TB_REDUCE_BITXOR, SAME, KEEP, ZERO, "bitwise_xor", RUN("bitwise_xor")},
};

static bool is_inexact(tb_dtype t) { return tb_dtype_kind(t) >= TB_KIND_FLOAT; }

const tb_reduction_rule *tb__reduction_rule(tb_reduction op, tb_dtype t)
{
    if (!is_inexact(t)) op = op == TB_RED_NANMIN ? TB_RED_MIN : op == TB_RED_NANMAX ? TB_RED_MAX : op;
    return &table[op];
}

tb_dtype tb__reduction_dtype(const tb_reduction_rule *r, tb_dtype t, tb_dtype asked, const tb_array *out)
{
    switch (r->result) {
    case INDEX:
    case COUNT: return TB_I64;
    case BOOL: return TB_BOOL;
    case SUM: return tb__sum_dtype(t, asked, out);
    case MEAN:
        if (asked != TB_NODTYPE) return asked;
        if (t == TB_F16 && out) return tb_promote(TB_F32, tb_dtype_real((tb_dtype)out->dtype));
        return is_inexact(t) ? t : TB_F64;
    default: return asked != TB_NODTYPE ? asked : t;
    }
}

bool tb__averages_integers(const tb_reduction_rule *r, tb_dtype result)
{
    return r->result == MEAN && !is_inexact(result);
}

/* Sums and products of truth values are truth values: the loops for them have other names. */
static tb_red_op loop_op(const tb_reduction_rule *r, tb_dtype result)
{
    if (result != TB_BOOL || r->result != SUM) return r->loop;
    return r->empty == ZERO ? TB_REDUCE_ANY : TB_REDUCE_ALL;
}

tb_status tb__reduction_loop(const tb_reduction_rule *r, tb_dtype t, tb_dtype result, tb_red *loop)
{
    if (r->result == INDEX) return tb__reduce_loop(r->loop, t, t, loop);
    if (r->result == COUNT || r->result == BOOL) t = TB_BOOL;
    if (tb__averages_integers(r, result)) return tb__reduce_loop(TB_REDUCE_MEAN, TB_F64, TB_F64, loop);
    return tb__reduce_loop(loop_op(r, result), t, result, loop);
}

static tb_status replace_nan(tb_nan_rule rule, tb_expr *e, tb_expr **out)
{
    static const double value[] = {0, 0, 1, INFINITY, -INFINITY};
    tb_dtype t = (tb_dtype)e->dtype;
    tb_expr *in[3] = {NULL, NULL, e};
    if (rule == KEEP || !is_inexact(t)) {
        *out = e;
        return TB_OK;
    }
    tb_status status = tb__node_scalar(tb_scalar_float(value[rule]), t, &in[1]);
    if (status == TB_OK) {
        tb_expr *tested = e;
        tested->refs++;
        status = tb__node(TB_OP_isnan, 1, &tested, e->ndim, e->dims, 'K', &in[0]);
    }
    if (status == TB_OK) return tb__node(TB_OP_where, 3, in, e->ndim, e->dims, 'K', out);
    if (in[1]) tb__expr_release(in[1]);
    tb__expr_release(e);
    return status;
}

tb_status tb__reduction_input(const tb_reduction_rule *r, tb_array *a, tb_dtype result, tb_red loop, tb_expr **out)
{
    tb_expr *e;
    TB_TRY(tb__expr_input(a, a->ndim, a->dims, &e));
    TB_TRY(replace_nan(r->nan, e, &e));
    if (tb__averages_integers(r, result)) TB_TRY(tb__expr_cast(e, result, &e));
    return tb__expr_cast(e, (tb_dtype)tb_red_table[loop].in, out);
}
