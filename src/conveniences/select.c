/* select.c - compress and place: the elements where a vector or an array is true, and others written there. */
#include "base/argument.h"
#include "base/arith.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* ---- compress ---------------------------------------------------------------------------------------------------- */

static tb_status cut(tb_array *a, int axis, int64_t from, int64_t to, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    for (int d = 0; d < axis; d++) key[d] = tb_whole();
    key[axis] = tb_slice(from, to, 1);
    return tb_array_index(a, axis + 1, key, out);
}

static tb_status check_rest(tb_array *mask, int64_t n, int axis)
{
    tb_array *rest, *any = NULL;
    tb_scalar found = {.dtype = TB_BOOL};
    TB_TRY(cut(mask, 0, n, tb_array_size(mask), &rest));
    tb_status status = tb_reduce(TB_RED_ANY, rest, NULL, &any);
    if (status == TB_OK) status = tb_item(any, &found);
    tb_array_release(any);
    tb_array_release(rest);
    if (status != TB_OK || !found.v.u) return status;
    return tb__fail(TB_ERR_INDEX, "compress: the condition holds beyond axis %d, which has size %lld", axis,
                    (long long)n);
}

static tb_status pick(tb_array *a, int axis, tb_array *mask, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    for (int d = 0; d < axis; d++) key[d] = tb_whole();
    key[axis] = tb_by(mask);
    return tb_array_index(a, axis + 1, key, out);
}

/* The parts of both that the other one has too. */
static tb_status pick_common(tb_array *a, int axis, tb_array *mask, tb_array **out)
{
    const int64_t length = tb_array_shape(a)[axis], given = tb_array_size(mask), n = tb__min(length, given);
    tb_array *part = NULL, *some = NULL;
    tb_status status = TB_OK;
    if (given == length) return pick(a, axis, mask, out);
    if (tb__product(axis, tb_array_shape(a)) == 0) { /* there is nothing that could be missing, as in NumPy */
        TB_GOTO(tb__with_axis(a, axis, given, &part));
        TB_GOTO(pick(part, axis, mask, out));
        goto fail;
    }
    if (given > length) TB_GOTO(check_rest(mask, length, axis));
    TB_GOTO(cut(a, axis, 0, n, &part));
    TB_GOTO(cut(mask, 0, 0, n, &some));
    TB_GOTO(pick(part, axis, some, out));
fail:
    tb_array_release(part);
    tb_array_release(some);
    return status;
}

tb_status tb_compress(tb_array *condition, tb_array *a, int axis, tb_array **out)
{
    tb_array *from = NULL, *mask = NULL;
    TB_NOT_NULL(condition, a, out);
    const bool flat = axis == TB_ALL_AXES || tb_array_ndim(a) == 0;
    const int64_t size = tb_array_size(a);
    tb_status status;
    bool copied;
    TB_TRY(tb__axis(axis == TB_ALL_AXES ? 0 : axis, flat ? 1 : tb_array_ndim(a), &axis));
    if (tb_array_ndim(condition) != 1)
        return tb__fail(TB_ERR_VALUE, "compress: the condition must be one-dimensional, it has %d dimensions",
                        tb_array_ndim(condition));
    if (flat) TB_GOTO(tb_reshape(a, 1, &size, 'C', &copied, &from));
    else from = tb_array_retain(a);
    TB_GOTO(tb_astype(condition, TB_BOOL, 'K', TB_CAST_UNSAFE, false, &mask));
    TB_GOTO(pick_common(from, axis, mask, out));
fail:
    tb_array_release(from);
    tb_array_release(mask);
    return status;
}

/* ---- place ------------------------------------------------------------------------------------------------------- */

tb_status tb_put_where(tb_array *a, tb_array *mask, tb_array *values)
{
    tb_array *flat, *positions = NULL;
    TB_NOT_NULL(a, mask, values);
    const int64_t size = tb_array_size(a);
    bool copied, done;
    if (tb_array_size(mask) != size)
        return tb__fail(TB_ERR_VALUE, "place: a mask of %lld elements for an array of %lld",
                        (long long)tb_array_size(mask), (long long)size);
    TB_TRY(tb__put_where(a, mask, values, &done));
    if (done) return TB_OK;
    TB_TRY(tb_reshape(mask, 1, &size, 'C', &copied, &flat));
    tb_status status = tb_nonzero(flat, &positions);
    tb_array_release(flat);
    if (status != TB_OK) return status;
    if (tb_array_size(values) == 0 && tb_array_size(positions) > 0)
        status = tb__fail(TB_ERR_VALUE, "place: values must not be empty where the mask holds");
    else status = tb_put(a, positions, values, TB_BOUNDS_WRAP);
    tb_array_release(positions);
    return status;
}
