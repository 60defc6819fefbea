/* reduction.c - the table of reductions, made from tombac/reductions.def; which loop serves each and what its elements
 * are. */
#include <math.h>

#include "base/error.h"
#include "base/half.h"
#include "ops/reduction.h"

#define TB_REDUCTION(NAME, name_, says, of_, initial_, running_, fold_, result_, nan_, empty_, ...) \
    {.name = says,                                                                                  \
     .running = running_,                                                                           \
     .of = TB_OP_##of_,                                                                             \
     .initial = TB_OP_##initial_,                                                                   \
     .fold = TB_REDUCE_##fold_,                                                                     \
     .result = TB_RESULT_##result_,                                                                 \
     .nan = TB_NAN_##nan_,                                                                          \
     .empty = TB_EMPTY_##empty_},
const tb_reduction_rule tb_reduction_table[TB_RED_COUNT] = {
#include "tombac/reductions.def"
};

tb_reduction tb_ufunc_reduction(const tb_ufunc *u)
{
    if (!u) return TB_RED_COUNT;
    int i = 0;
    while (i < TB_RED_COUNT && tb_reduction_table[i].of != u->op) i++;
    return (tb_reduction)i;
}

static bool is_inexact(tb_dtype t) { return tb_dtype_kind(t) >= TB_KIND_FLOAT; }

static bool has_loop(const tb_reduction_rule *r, tb_dtype t) { return tb__red_find(r->fold, t) != TB_NOLOOP; }

tb_dtype tb__reduction_dtype(const tb_reduction_rule *r, tb_dtype t, tb_dtype asked, const tb_array *out)
{
    switch (r->result) {
    case TB_RESULT_INDEX:
    case TB_RESULT_COUNT: return TB_I64;
    case TB_RESULT_BOOL: return TB_BOOL;
    case TB_RESULT_SUM: return tb__sum_dtype(t, asked, out);
    case TB_RESULT_MEAN:
    case TB_RESULT_SPREAD:
        if (asked != TB_NODTYPE) return asked;
        if (tb__is_half(t) && out) return tb_promote(TB_F32, tb_dtype_real((tb_dtype)out->dtype));
        if (!is_inexact(t)) return TB_F64;
        return out ? tb_promote(t, tb_dtype_real((tb_dtype)out->dtype)) : t;
    case TB_RESULT_FLOAT: t = asked != TB_NODTYPE ? asked : t; return is_inexact(t) ? t : TB_F64;
    default:
        if (asked != TB_NODTYPE) return asked;
        return out && r->of != TB_OP_none && has_loop(r, (tb_dtype)out->dtype) ? (tb_dtype)out->dtype : t;
    }
}

bool tb__averages_integers(const tb_reduction_rule *r, tb_dtype result)
{
    return r->result == TB_RESULT_MEAN && !is_inexact(result);
}

/* Sums and products of truth values are truth values: the loops for them have other names. */
static tb_red_op loop_op(const tb_reduction_rule *r, tb_dtype result)
{
    if (result != TB_BOOL || r->result != TB_RESULT_SUM) return r->fold;
    return r->empty == TB_EMPTY_ZERO ? TB_REDUCE_ANY : TB_REDUCE_ALL;
}

tb_status tb__reduction_loop(const tb_reduction_rule *r, tb_dtype t, tb_dtype result, tb_red *loop)
{
    if (r->result == TB_RESULT_INDEX) return tb__reduce_loop(r->fold, t, t, loop);
    if (r->result == TB_RESULT_COUNT || r->result == TB_RESULT_BOOL) t = TB_BOOL;
    if (tb__averages_integers(r, result)) return tb__reduce_loop(TB_REDUCE_MEAN, TB_F64, TB_F64, loop);
    return tb__reduce_loop(loop_op(r, result), t, result, loop);
}

static tb_status replace_nan(tb_nan_rule rule, tb_expr *e, tb_expr **out)
{
    static const double value[] = {0, 0, 1, INFINITY, -INFINITY};
    tb_dtype t = (tb_dtype)e->dtype;
    tb_expr *in[3] = {NULL, NULL, e};
    if (rule == TB_NAN_KEEP || !is_inexact(t)) {
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
