/* reduce_kernel.c - reductions as single kernels: which axes go, which loop runs, where the result is stored.
 *
 * What a reduction means (its dtype, its treatment of nan, its composition from kernels) is in reduce.c. */
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "ops/array_ops.h"
#include "ops/resolve.h"

tb_status tb__reduce_axes(int ndim, const int64_t *shape, int naxis, const int *axis, bool keepdims, tb_reduce_axes *r)
{
    r->ndim = ndim;
    r->keepdims = keepdims;
    r->reduced = 0;
    r->count = r->out_size = 1;
    r->out_ndim = 0;
    memcpy(r->shape, shape, (size_t)ndim * sizeof *shape);
    if (naxis < 0) r->reduced = ndim < 32 ? (1u << ndim) - 1 : ~0u;
    for (int i = 0; i < naxis; i++) {
        int d;
        /* A 0-d array counts as having one axis here. */
        TB_TRY(tb__axis(axis[i], ndim > 0 ? ndim : 1, &d));
        if (r->reduced >> d & 1) return tb__fail(TB_ERR_VALUE, "duplicate value in 'axis'");
        r->reduced |= 1u << d;
    }
    if (ndim == 0) r->reduced = 0;
    for (int d = 0; d < ndim; d++) {
        bool gone = r->reduced >> d & 1;
        if (gone) r->count *= shape[d];
        else r->out_size *= shape[d];
        if (!gone || keepdims) r->out_shape[r->out_ndim++] = gone ? 1 : shape[d];
    }
    return TB_OK;
}

tb_dtype tb__sum_dtype(tb_dtype t, tb_dtype asked, const tb_array *out)
{
    if (asked != TB_NODTYPE) return asked;
    if (out) return tb_promote(t, (tb_dtype)out->dtype);
    if (tb_dtype_kind(t) > TB_KIND_INT) return t;
    return tb_dtype_is_unsigned(t) ? TB_U64 : TB_I64;
}

tb_status tb__reduce_loop(tb_red_op op, tb_dtype from, tb_dtype to, tb_red *loop)
{
    bool widens = tb_dtype_kind(from) <= TB_KIND_INT && tb_dtype_kind(to) == TB_KIND_INT;
    tb_red direct = from == to || widens ? tb__red_find(op, from) : TB_NOLOOP;
    if (direct == TB_NOLOOP || (from != to && tb_red_table[direct].out != to)) direct = tb__red_find(op, to);
    if (direct == TB_NOLOOP)
        return tb__fail(TB_ERR_TYPE, "the reduction %s is not defined for dtype %s", tb_fold_table[op].name,
                        tb_dtype_name(to));
    *loop = direct;
    return TB_OK;
}

/* Where the result's elements go, seen from the input's dimensions. */
static void store_strides(const tb_reduce_axes *r, const tb_array *result, int64_t *strides)
{
    int at = 0;
    for (int d = 0; d < r->ndim; d++) {
        bool gone = r->reduced >> d & 1;
        strides[d] = gone ? 0 : result->strides[at];
        at += !gone || r->keepdims;
    }
}

/* What is reduced: an expression, or a loop over n stored arrays of one shape. */
typedef struct reduced_input {
    tb_expr *e;
    tb_loop loop;
    int n;
    tb_array *const *a;
} reduced_input;

/* Stored arrays of one dimension, or that follow one another to the last element, on the device itself, need no plan:
 * one number is not worth it. False: nothing was done. */
static bool run_line(tb_red loop, const reduced_input *in, const tb_reduce_axes *r, double count, tb_array *result)
{
    int device = tb__device_current();
    if (!tb__backend->reduce_line || in->n == 0 || r->out_size != 1 || result->buffer->device != device) return false;
    tb_line l = {.red = loop, .loop = in->loop, .nin = in->n, .n = r->count, .count = count};
    for (int i = 0; i < in->n; i++) {
        const tb_array *a = in->a[i];
        if (a->buffer->device != device) return false;
        if (!a->c_contiguous && (a->ndim != 1 || a->strides[0] == 0)) return false;
        l.in[i] = a->buffer->ptr + a->offset;
        l.step[i] = a->c_contiguous ? 0 : a->strides[0];
    }
    l.out = result->buffer->ptr + result->offset;
    return tb__run_line(&l);
}

static tb_status run(tb_red loop, const reduced_input *in, const tb_reduce_axes *r, double count, tb_array *result)
{
    tb_plan plan;
    tb_stream *s;
    uint16_t value = 0;
    TB_TRY(tb__before_write(result->buffer));
    if (run_line(loop, in, r, count, result)) return TB_OK;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__reach(s, result->buffer));
    for (int i = 0; i < in->n; i++) TB_TRY(tb__reach(s, in->a[i]->buffer));
    if (in->e) TB_TRY(tb__plan_from_expr(&plan, in->e, &value));
    else tb__plan_from_arrays(&plan, in->loop, in->n, in->a, &value);
    plan.kind = TB_PLAN_REDUCE;
    plan.red = loop;
    plan.reduced = r->reduced;
    plan.count = count;
    plan.nstore = 1;
    plan.store[0].ptr = result->buffer->ptr + result->offset;
    plan.store[0].value = value;
    plan.store[0].dtype = tb_red_table[loop].out;
    store_strides(r, result, plan.store[0].strides);
    return tb__run(s, &plan);
}

/* A new array for the result, whose axes lie in memory as the input's do. Positions are in C order, as NumPy's are. */
static tb_status new_result(tb_red loop, const reduced_input *in, const tb_reduce_axes *r, tb_array **out)
{
    const tb_dtype t = (tb_dtype)tb_red_table[loop].out;
    const int64_t *operand[TB_MAXARGS];
    int64_t strides[TB_MAXARGS][TB_MAXDIM], layout[TB_MAXDIM];
    const int n = in->e ? 1 : in->n;
    bool plain = r->out_ndim < 2 || tb_red_table[loop].has_index || (in->e && in->e->c_order);
    for (int i = 0; i < n && !plain; i++) {
        const int64_t *all = in->e ? in->e->dims + in->e->ndim : in->a[i]->strides;
        int at = 0;
        for (int d = 0; d < r->ndim; d++) {
            const bool gone = r->reduced >> d & 1;
            if (!gone || r->keepdims) strides[i][at++] = gone ? 0 : all[d];
        }
        operand[i] = strides[i];
    }
    if (plain || (in->e && in->e->kind == TB_EXPR_SCALAR)) return tb__empty(t, r->out_ndim, r->out_shape, 'C', out);
    tb__strides_k(n, operand, r->out_ndim, r->out_shape, (int64_t)tb_dtype_size(t), layout);
    return tb__empty_strided(t, r->out_ndim, r->out_shape, layout, out);
}

static tb_status reduce(tb_red loop, const reduced_input *in, const tb_reduce_axes *r, double count, tb_array *into,
                        tb_array **out)
{
    tb_array *result = NULL;
    tb_status status = TB_OK;
    if (into) result = tb_array_retain(into);
    else status = new_result(loop, in, r, &result);
    if (status == TB_OK) status = run(loop, in, r, count, result);
    if (status == TB_OK) tb__wrote(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb__reduce_kernel(tb_red loop, tb_expr *e, const tb_reduce_axes *r, double count, tb_array *into,
                            tb_array **out)
{
    tb_status status = reduce(loop, &(reduced_input){.e = e}, r, count, into, out);
    tb__expr_release(e);
    return status;
}

tb_status tb__reduce_stored(tb_red loop, tb_loop of, int n, tb_array *const *a, const tb_reduce_axes *r, double count,
                            tb_array *into, tb_array **out)
{
    return reduce(loop, &(reduced_input){.loop = of, .n = n, .a = a}, r, count, into, out);
}

/* ---- output arrays -------------------------------------------------------------------------------------------- */

tb_status tb__check_out(const char *who, const tb_array *out, tb_dtype t, tb_casting casting, int ndim,
                        const int64_t *shape)
{
    char text[2][256];
    if (out->ndim != ndim || memcmp(out->dims, shape, (size_t)ndim * sizeof *shape) != 0)
        return tb__fail(TB_ERR_VALUE, "%s: the output array has shape %s, but the result has shape %s", who,
                        tb__shape_text(text[0], sizeof text[0], out->ndim, out->dims),
                        tb__shape_text(text[1], sizeof text[1], ndim, shape));
    if (!tb_can_cast(t, (tb_dtype)out->dtype, casting))
        return tb__fail(TB_ERR_CASTING, "Cannot cast %s output from dtype('%s') to dtype('%s') with casting rule '%s'",
                        who, tb_dtype_name(t), tb_dtype_name((tb_dtype)out->dtype), tb__casting_name(casting));
    return TB_OK;
}

tb_status tb__deliver(tb_array *result, tb_array *into, tb_array **out)
{
    if (!into) {
        *out = result;
        return TB_OK;
    }
    tb_status status = into == result ? TB_OK : tb__assign(into, result, TB_CAST_UNSAFE);
    tb_array_release(result);
    return status;
}
