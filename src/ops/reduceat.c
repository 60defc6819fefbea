/* reduceat.c - reductions of slices of an axis, where the device is the host. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/reduction.h"

static const char who[] = "reduceat";

/* What is reduced and where slices begin, in memory and in C order. */
typedef struct operands {
    tb_array *a, *starts;
} operands;

static void release(operands *in)
{
    tb_array_release(in->a);
    tb_array_release(in->starts);
}

static tb_status prepare(tb_array *a, tb_array *starts, tb_red loop, operands *in)
{
    TB_TRY(tb__astype(starts, TB_I64, 'C', TB_CAST_UNSAFE, false, &in->starts));
    TB_TRY(tb__astype(a, (tb_dtype)tb_red_table[loop].in, 'C', TB_CAST_UNSAFE, false, &in->a));
    TB_TRY(tb__buffer_here(in->starts->buffer));
    return tb__buffer_here(in->a->buffer);
}

static const int64_t *start_of(const tb_array *starts)
{
    return (const int64_t *)(const void *)(starts->buffer->ptr + starts->offset);
}

static tb_status check_starts(const tb_array *starts, int axis, int64_t length)
{
    const int64_t *start = start_of(starts);
    for (int64_t i = 0; i < starts->size; i++)
        if (start[i] < 0 || start[i] >= length)
            return tb__fail(TB_ERR_INDEX, "%s: index %lld is out of bounds for axis %d with size %lld", who,
                            (long long)start[i], axis, (long long)length);
    return TB_OK;
}

/* Into result: a new array of a's shape, but for the axis. */
static tb_status reduce_slices(const operands *in, int axis, tb_red loop, tb_array *result)
{
    const tb_array *a = in->a;
    tb_stream *s;
    tb_slices l = {.red = loop, .outer = 1, .inner = 1, .length = a->dims[axis], .n = in->starts->size};
    for (int d = 0; d < a->ndim; d++)
        if (d != axis) *(d < axis ? &l.outer : &l.inner) *= a->dims[d];
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__backend->stream_synchronize(s));
    TB_TRY(check_starts(in->starts, axis, l.length));
    if (result->size == 0) return TB_OK;
    TB_TRY(tb__before_write(result->buffer));
    l.in = a->buffer->ptr + a->offset;
    l.start = start_of(in->starts);
    l.out = result->buffer->ptr + result->offset;
    return tb__backend->reduce_slices(&l);
}

static tb_status check(const tb_reduction_rule *r, const tb_array *starts)
{
    if (!tb__backend->reduce_slices) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the device is not the host", who);
    if (!r->running) return tb__fail(TB_ERR_VALUE, "%s: %s is no function of two elements", who, r->name);
    if (starts->ndim != 1 || (starts->size > 0 && tb_dtype_kind((tb_dtype)starts->dtype) > TB_KIND_INT))
        return tb__fail(TB_ERR_TYPE, "%s: the indices must be one-dimensional and of integers", who);
    return TB_OK;
}

static tb_status reduceat(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype, tb_array *into,
                          tb_array **out)
{
    const tb_reduction_rule *r = &tb_reduction_table[op];
    TB_ARE_NUMBERS(who, a->dtype);
    if (into) TB_ARE_NUMBERS(who, into->dtype);
    tb_dtype t = tb__reduction_dtype(r, (tb_dtype)a->dtype, dtype, into);
    int64_t shape[TB_MAXDIM];
    tb_red loop;
    tb_array *result = NULL, *cast;
    operands in = {NULL, NULL};
    TB_TRY(check(r, starts));
    TB_TRY(tb__axis(axis, a->ndim, &axis));
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    shape[axis] = starts->size;
    if (into) TB_TRY(tb__check_out(who, into, t, TB_CAST_UNSAFE, a->ndim, shape));
    TB_TRY(tb__reduction_loop(r, (tb_dtype)a->dtype, t, &loop));
    tb_status status = tb__empty((tb_dtype)tb_red_table[loop].out, a->ndim, shape, 'C', &result);
    if (status == TB_OK) status = prepare(a, starts, loop, &in);
    if (status == TB_OK) status = reduce_slices(&in, axis, loop, result);
    if (status == TB_OK) status = tb__astype(result, t, 'K', TB_CAST_UNSAFE, false, &cast);
    release(&in);
    tb_array_release(result);
    TB_TRY(status);
    return tb__deliver(cast, into, out);
}

tb_status tb_reduceat(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype, tb_array **out)
{
    TB_NOT_NULL(a, starts, out);
    TB_IS_CHOICE(op, TB_RED_COUNT);
    TB_IS_DTYPE_OR_NONE(dtype);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(reduceat(op, a, starts, axis, dtype, NULL, out));
}

tb_status tb_reduceat_into(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype, tb_array *into)
{
    TB_NOT_NULL(a, starts, into);
    TB_IS_CHOICE(op, TB_RED_COUNT);
    TB_IS_DTYPE_OR_NONE(dtype);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(reduceat(op, a, starts, axis, dtype, into, NULL));
}
