/* scan.c - running sums and products along an axis. A pending input is the prologue of the scan's kernel. */
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

static tb_status run(tb_red loop, tb_expr *e, int axis, tb_array *result)
{
    static tb_plan plan;
    tb_stream *s;
    uint16_t value;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__plan_from_expr(&plan, e, &value));
    plan.kind = TB_PLAN_SCAN;
    plan.red = loop;
    plan.axis = axis;
    plan.nstore = 1;
    plan.store[0].ptr = result->buffer->ptr + result->offset;
    plan.store[0].value = value;
    plan.store[0].dtype = tb_red_table[loop].out;
    memcpy(plan.store[0].strides, result->strides, (size_t)result->ndim * sizeof(int64_t));
    return tb__run(s, &plan);
}

/* A new array with the running combination of a's elements, cast to t. */
static tb_status scan_axis(tb_scan_op op, tb_array *a, int axis, tb_dtype t, tb_array **out)
{
    tb_red loop;
    tb_expr *e;
    tb_array *result, *cast;
    /* Truth values are counted and the counts tested: there is no scan of truth values itself. */
    tb_dtype computed = t == TB_BOOL ? TB_I64 : t;
    tb_dtype from = t == TB_BOOL ? TB_BOOL : (tb_dtype)a->dtype;
    TB_TRY(tb__reduce_loop(op == TB_SCAN_SUM ? TB_REDUCE_SUM : TB_REDUCE_PROD, from, computed, &loop));
    tb_dtype made = (tb_dtype)tb_red_table[loop].out;
    if (a->size == 0) return tb__empty(t, a->ndim, a->dims, 'C', out);
    TB_TRY(tb__settle(a, TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    TB_TRY(tb__node_input(a, from, a->ndim, a->dims, &e));
    TB_TRY(tb__expr_cast(e, (tb_dtype)tb_red_table[loop].in, &e));
    tb_status status = tb__empty(made, a->ndim, a->dims, 'C', &result);
    if (status == TB_OK) {
        status = run(loop, e, axis, result);
        if (status != TB_OK) tb_array_release(result);
    }
    tb__expr_release(e);
    TB_TRY(status);
    status = tb__astype(result, t, 'K', TB_CAST_UNSAFE, false, &cast);
    tb_array_release(result);
    if (status == TB_OK) *out = cast;
    return status;
}

static tb_status scan(tb_scan_op op, tb_array *a, int axis, tb_dtype dtype, tb_array **out)
{
    tb_dtype t = tb__sum_dtype((tb_dtype)a->dtype, dtype, *out);
    const char *name = op == TB_SCAN_SUM ? "cumsum" : "cumprod";
    bool flat = axis == TB_MAXDIM;
    tb_array *line = NULL, *result;
    if (!flat) TB_TRY(tb__axis(axis, a->ndim > 0 ? a->ndim : 1, &axis));
    flat = (flat && a->ndim != 1) || a->ndim == 0;
    int64_t size = a->size;
    if (*out) TB_TRY(tb__check_out(name, *out, t, TB_CAST_UNSAFE, flat ? 1 : a->ndim, flat ? &size : a->dims));
    if (flat) TB_TRY(tb__reshape(a, 1, &size, 'C', NULL, &line));
    tb_status status = scan_axis(op, line ? line : a, flat || axis == TB_MAXDIM ? 0 : axis, t, &result);
    tb_array_release(line);
    TB_TRY(status);
    return tb__deliver(result, *out, out);
}

tb_status tb_scan(tb_scan_op op, tb_array *a, int axis, tb_dtype dtype, tb_array **out)
{
    tb__lock();
    tb_status status = scan(op, a, axis, dtype, out);
    tb__unlock();
    return status;
}
