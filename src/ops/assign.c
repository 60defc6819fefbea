/* assign.c - dst[...] = value: broadcasting, casting, and a deferred write. Overlap is the write's affair. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"
#include "ops/resolve.h"

tb_status tb__check_cast(tb_dtype from, tb_dtype to, tb_casting rule)
{
    if (tb_can_cast(from, to, rule)) return TB_OK;
    return tb__fail(TB_ERR_CASTING, "Cannot cast array data from dtype('%s') to dtype('%s') according to the rule '%s'",
                    tb_dtype_name(from), tb_dtype_name(to), tb__casting_name(rule));
}

/* Leading dimensions of 1 that the destination lacks are dropped, as NumPy does. */
static tb_status check_shapes(const tb_array *dst, const tb_array *src, int *dropped)
{
    char text[2][256];
    int extra = src->ndim - dst->ndim;
    bool fits = true;
    for (int d = 0; d < src->ndim; d++)
        fits = fits && (src->dims[d] == 1 || (d >= extra && src->dims[d] == dst->dims[d - extra]));
    if (!fits)
        return tb__fail(TB_ERR_VALUE, "could not broadcast input array from shape %s into shape %s",
                        tb__shape_text(text[0], sizeof text[0], src->ndim, src->dims),
                        tb__shape_text(text[1], sizeof text[1], dst->ndim, dst->dims));
    *dropped = extra > 0 ? extra : 0;
    return TB_OK;
}

/* Whether so little is to be written, to memory that nothing pending reads or writes, that it is written at once. */
static bool is_little_work(const tb_array *dst)
{
    const tb_buffer *b = dst->buffer;
    if (!tb__array_is_distinct(dst)) return false;
    if (b->expr || b->readers || b->device != tb__device_current()) return false;
    return tb__is_little(dst->size * (int64_t)tb_dtype_size((tb_dtype)dst->dtype));
}

/* What is assigned, without its first dimensions. */
static tb_status narrow_value(const tb_array *dst, tb_array *src, int dropped, tb_array **out)
{
    return tb__view(src, src->offset, src->dtype, dst->ndim, src->dims + dropped, src->strides + dropped, out);
}

static tb_status value_input(const tb_array *dst, tb_array *src, int dropped, tb_expr **out)
{
    tb_array *narrow;
    if (dropped == 0) return tb__node_input(src, (tb_dtype)dst->dtype, dst->ndim, dst->dims, out);
    TB_TRY(narrow_value(dst, src, dropped, &narrow));
    tb_status status = tb__node_input(narrow, (tb_dtype)dst->dtype, dst->ndim, dst->dims, out);
    tb_array_release(narrow);
    return status;
}

static tb_status assign_records(tb_array *dst, tb_array *mask, tb_array *src, int dropped)
{
    tb_array *narrow;
    if (dropped == 0) return tb__record_assign(dst, mask, src);
    TB_TRY(narrow_value(dst, src, dropped, &narrow));
    const tb_status status = tb__record_assign(dst, mask, narrow);
    tb_array_release(narrow);
    return status;
}

tb_status tb__assign(tb_array *dst, tb_array *src, tb_casting casting)
{
    int dropped = 0;
    tb_expr *e;
    TB_TRY(tb__check_writable(dst->buffer, "assignment destination"));
    TB_TRY(tb__check_cast((tb_dtype)src->dtype, (tb_dtype)dst->dtype, casting));
    TB_TRY(check_shapes(dst, src, &dropped));
    if (dst->size == 0) return TB_OK;
    if (TB_UNLIKELY(tb__are_records(dst->dtype, src->dtype))) return assign_records(dst, NULL, src, dropped);
    if (is_little_work(dst) && src->buffer != dst->buffer && !src->buffer->expr &&
        (src->size == 1 || (src->size == dst->size && src->ndim == dst->ndim))) {
        tb_loop cast = src->dtype == dst->dtype ? TB_NOLOOP : tb__cast_loop((tb_dtype)src->dtype, (tb_dtype)dst->dtype);
        return tb__run_loop(dst, cast, 1, &(tb_operand){TB_OPERAND_ARRAY, .array = src});
    }
    TB_TRY(value_input(dst, src, dropped, &e));
    return tb__store(dst, NULL, e, 'K', 0, NULL);
}

tb_status tb_assign(tb_array *dst, tb_array *src, tb_casting casting)
{
    TB_NOT_NULL(dst, src);
    TB_IS_CASTING(casting);
    return TB__OPERATION(tb__assign(dst, src, casting));
}

static tb_status assign_scalar(tb_array *dst, tb_scalar value)
{
    tb_expr *e;
    TB_TRY(tb__check_writable(dst->buffer, "assignment destination"));
    if (TB_UNLIKELY(tb__is_record(dst->dtype))) return tb__record_assign_scalar(dst, NULL, value);
    if (is_little_work(dst)) {
        TB_TRY(tb_scalar_cast(value, (tb_dtype)dst->dtype, &value));
        return tb__run_loop(dst, TB_NOLOOP, 1, &(tb_operand){TB_OPERAND_SCALAR, .scalar = value});
    }
    TB_TRY(tb__node_fill(value, (tb_dtype)dst->dtype, dst->ndim, dst->dims, 'C', &e));
    return tb__store(dst, NULL, e, 'K', 0, NULL);
}

tb_status tb_assign_scalar(tb_array *dst, tb_scalar value)
{
    TB_NOT_NULL(dst);
    return TB__OPERATION(assign_scalar(dst, value));
}

tb_status tb__assign_where(tb_array *dst, tb_array *mask, const tb_operand *value)
{
    char text[2][256];
    int ndim = dst->ndim, dropped = 0;
    int64_t shape[TB_MAXDIM];
    tb_expr *e;
    tb_array *src = value->array;
    memcpy(shape, dst->dims, (size_t)ndim * sizeof *shape);
    if (mask->dtype != TB_BOOL)
        return tb__fail(TB_ERR_TYPE, "assignment: where must be a bool array, not %s",
                        tb_dtype_name((tb_dtype)mask->dtype));
    TB_TRY(tb__broadcast("assignment", &ndim, shape, mask->ndim, mask->dims));
    if (ndim != dst->ndim || memcmp(shape, dst->dims, (size_t)ndim * sizeof *shape) != 0)
        return tb__fail(TB_ERR_VALUE, "could not broadcast where mask from shape %s into shape %s",
                        tb__shape_text(text[0], sizeof text[0], mask->ndim, mask->dims),
                        tb__shape_text(text[1], sizeof text[1], dst->ndim, dst->dims));
    if (src) TB_TRY(check_shapes(dst, src, &dropped));
    if (TB_UNLIKELY(tb__are_records(dst->dtype, src ? src->dtype : TB_BOOL))) {
        TB_TRY(tb__check_writable(dst->buffer, "assignment destination"));
        if (!src) return tb__record_assign_scalar(dst, mask, value->scalar);
        TB_TRY(tb__check_cast(src->dtype, dst->dtype, TB_CAST_UNSAFE));
        return assign_records(dst, mask, src, dropped);
    }
    if (dst->size == 0) return TB_OK;
    TB_TRY(tb__ready(3, (tb_array *const[]){dst, mask, src}));
    if (src) TB_TRY(value_input(dst, src, dropped, &e));
    else TB_TRY(tb__node_scalar(value->scalar, (tb_dtype)dst->dtype, &e));
    return tb__store(dst, mask, e, 'K', 0, NULL);
}

tb_status tb_assign_where(tb_array *dst, tb_array *mask, const tb_operand *value)
{
    TB_NOT_NULL(dst, mask, value);
    TB_ARE_OPERANDS(1, value);
    return TB__OPERATION(tb__assign_where(dst, mask, value));
}
