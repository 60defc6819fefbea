/* scan.c - running sums, products and the like along an axis. A pending input is the prologue of the scan's kernel. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/reduction.h"

static tb_status run(tb_red loop, tb_expr *e, int axis, tb_array *result)
{
    tb_plan plan;
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

/* A new array with the running combination of a's elements. */
static tb_status scan_axis(const tb_reduction_rule *r, tb_array *a, int axis, tb_dtype t, tb_array **out)
{
    tb_red loop;
    tb_expr *e;
    tb_array *result, *cast;
    TB_TRY(tb__reduction_loop(r, (tb_dtype)a->dtype, t, &loop));
    if (a->size == 0) return tb__empty(t, a->ndim, a->dims, 'C', out);
    TB_TRY(tb__fit_prologue(a, TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    TB_TRY(tb__reduction_input(r, a, t, loop, &e));
    const tb_dtype made = (tb_dtype)tb_red_table[loop].out;
    int64_t layout[TB_MAXDIM];
    tb__strides_k(1, (const int64_t *[]){e->dims + e->ndim}, a->ndim, a->dims, (int64_t)tb_dtype_size(made), layout);
    tb_status status = tb__empty_strided(made, a->ndim, a->dims, layout, &result);
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

static tb_status scan(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array *into, tb_array **out)
{
    const tb_reduction_rule *r = &tb_reduction_table[op];
    TB_ARE_NUMBERS(r->name, a->dtype);
    if (into) TB_ARE_NUMBERS(r->name, into->dtype);
    tb_dtype t = tb__reduction_dtype(r, (tb_dtype)a->dtype, dtype, into);
    bool flat = axis == TB_ALL_AXES;
    tb_array *line = NULL, *result;
    if (!r->running) return tb__fail(TB_ERR_VALUE, "the reduction %s has no running form", r->name);
    if (!flat) TB_TRY(tb__axis(axis, a->ndim > 0 ? a->ndim : 1, &axis));
    flat = (flat && a->ndim != 1) || a->ndim == 0;
    int64_t size = a->size;
    if (into) TB_TRY(tb__check_out(r->running, into, t, TB_CAST_UNSAFE, flat ? 1 : a->ndim, flat ? &size : a->dims));
    if (flat) TB_TRY(tb__reshape(a, 1, &size, 'C', NULL, &line));
    tb_status status = scan_axis(r, line ? line : a, flat || axis == TB_ALL_AXES ? 0 : axis, t, &result);
    tb_array_release(line);
    TB_TRY(status);
    return tb__deliver(result, into, out);
}

tb_status tb_scan(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_CHOICE(op, TB_RED_COUNT);
    TB_IS_DTYPE_OR_NONE(dtype);
    return TB__OPERATION(scan(op, a, axis, dtype, NULL, out));
}

tb_status tb_scan_into(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array *into)
{
    TB_NOT_NULL(a, into);
    TB_IS_CHOICE(op, TB_RED_COUNT);
    TB_IS_DTYPE_OR_NONE(dtype);
    return TB__OPERATION(scan(op, a, axis, dtype, into, NULL));
}
