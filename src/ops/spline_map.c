/* spline_map.c - sums of B-splines at the points of an affine map, and of exponentials along an axis, by a device's
 * kernels, or the host's loops. */
#include <math.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

static char *memory(const tb_array *a) { return a->buffer->ptr + a->offset; }

static tb_status check_real(const char *who, const tb_array *a)
{
    TB_ARE_NUMBERS(who, a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) != TB_KIND_COMPLEX) return TB_OK;
    return tb__fail(TB_ERR_TYPE, "%s: arrays must be real, not %s", who, tb_dtype_name((tb_dtype)a->dtype));
}

static tb_status there(const void *entry, const char *who)
{
    if (entry) return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the backend %s has none", who, tb__backend->name);
}

/* Stored, as kernels read it: they have none of 16 bits. */
static tb_status readable(tb_array *a, tb_array **out)
{
    return tb__stored(a, tb__is_half((tb_dtype)a->dtype) ? TB_F32 : (tb_dtype)a->dtype, out);
}

static tb_status new_array(tb_dtype t, int ndim, const int64_t *shape, tb_array **out)
{
    tb_array *a;
    TB_TRY(tb__empty(t, ndim, shape, 'C', &a));
    const tb_status status = tb__before_write(a->buffer);
    if (status == TB_OK) *out = a;
    else tb_array_release(a);
    return status;
}

/* ---- at points --------------------------------------------------------------------------------------------------- */

static tb_status map_stored(tb_array *image, const tb_spline_map *given, bool as_it_is, tb_array **out)
{
    tb_spline_map m = *given;
    tb_stream *s;
    tb_array *result;
    int64_t shape[TB_MAXDIM];
    const int own = image->ndim - m.naxis;
    memcpy(shape, image->dims, (size_t)own * sizeof *shape);
    memcpy(shape + own, m.shape, (size_t)m.naxis * sizeof *shape);
    TB_TRY(tb__current_stream(&s));
    TB_TRY(new_array(m.out_dtype, image->ndim, shape, &result));
    m.in_dtype = (tb_dtype)image->dtype;
    m.batch = tb__product(own, image->dims);
    m.sides = image->dims + own;
    m.strides = as_it_is ? image->strides : NULL;
    m.in = memory(image);
    m.out = memory(result);
    const tb_status status = result->size > 0 ? tb__backend->spline_map(s, &m) : TB_OK;
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status spline_map(tb_array *a, const tb_spline_map *m, tb_array **out)
{
    tb_array *image;
    TB_TRY(there(tb__backend->spline_map, "spline_at_map"));
    for (int d = a->ndim - m->naxis; d < a->ndim; d++)
        if (a->dims[d] == 0) return tb__fail(TB_ERR_VALUE, "spline_at_map: axis %d of the image has no elements", d);
    const bool few = tb__few_points(a, m->naxis, m->order, tb__product(m->naxis, m->shape));
    if (few) TB_TRY(tb__aligned(a, &image));
    else TB_TRY(readable(a, &image));
    tb_status status = tb__buffer_here(image->buffer);
    if (status == TB_OK) status = map_stored(image, m, few, out);
    tb_array_release(image);
    return status;
}

tb_status tb_spline_at_map(tb_array *image, int order, tb_spline_mode mode, double cval, double margin, int naxis,
                           const int64_t *shape, bool diagonal, const double *map, tb_dtype dtype, tb_array **out)
{
    const tb_spline_map m = {.naxis = naxis,
                             .order = order,
                             .mode = mode,
                             .diagonal = diagonal,
                             .out_dtype = dtype,
                             .cval = cval,
                             .margin = margin,
                             .shape = shape,
                             .map = map};
    TB_NOT_NULL(image, shape, map, out);
    TB_IS_CHOICE(mode, TB_SPLINE_AT_GRID_WRAP + 1);
    TB_IS_DTYPE(dtype);
    TB_TRY(check_real("spline_at_map", image));
    if (order < 0 || order >= TB_SPLINE_ORDERS)
        return tb__fail(TB_ERR_VALUE, "spline_at_map: order must be from 0 to %d, it is %d", TB_SPLINE_ORDERS - 1,
                        order);
    if (naxis < 1 || naxis > TB_SPLINE_AXES || naxis > image->ndim)
        return tb__fail(TB_ERR_VALUE,
                        "spline_at_map: naxis must be from 1 to the %d of the image, and %d at most, it is %d",
                        image->ndim, TB_SPLINE_AXES, naxis);
    if (dtype != TB_F32 && dtype != TB_F64)
        return tb__fail(TB_ERR_TYPE, "spline_at_map: the result is of float32 or float64, not %s",
                        tb_dtype_name(dtype));
    for (int d = 0; d < naxis; d++)
        if (shape[d] < 0)
            return tb__fail(TB_ERR_VALUE, "spline_at_map: shape must not be negative, axis %d has %lld", d,
                            (long long)shape[d]);
    return TB__OPERATION(spline_map(image, &m, out));
}

/* ---- sums of exponentials ---------------------------------------------------------------------------------------- */

static tb_status sums_of(tb_array *x, int axis, const tb_two_sided *given, tb_array **out)
{
    tb_two_sided t = *given;
    tb_stream *s;
    tb_array *result;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(new_array(TB_F64, x->ndim, x->dims, &result));
    t.dtype = (tb_dtype)x->dtype;
    t.outer = tb__product(axis, x->dims);
    t.n = x->dims[axis];
    t.inner = tb__product(x->ndim - axis - 1, x->dims + axis + 1);
    t.x = memory(x);
    t.y = (double *)(void *)memory(result);
    const tb_status status = result->size > 0 ? tb__backend->two_sided(s, &t) : TB_OK;
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status two_sided_sums(tb_array *a, int axis, const tb_two_sided *t, tb_array **out)
{
    tb_array *x;
    TB_TRY(there(tb__backend->two_sided, "two_sided_sums"));
    TB_TRY(tb__axis(axis, a->ndim, &axis));
    if (a->dims[axis] == 1)
        return tb__fail(TB_ERR_VALUE, "two_sided_sums: axis %d must have more than one element", axis);
    TB_TRY(readable(a, &x));
    const tb_status status = sums_of(x, axis, t, out);
    tb_array_release(x);
    return status;
}

tb_status tb_two_sided_sums(tb_array *a, int axis, tb_spline_edge edge, int poles, const double *pole,
                            const double *weight, tb_array **out)
{
    const double MOST = 0.6;
    tb_two_sided t = {.edge = edge, .poles = poles};
    TB_NOT_NULL(a, pole, weight, out);
    TB_IS_CHOICE(edge, TB_SPLINE_WRAP + 1);
    TB_TRY(check_real("two_sided_sums", a));
    if (poles < 1 || poles > TB_TWO_SIDED_POLES)
        return tb__fail(TB_ERR_VALUE, "two_sided_sums: poles must be 1 or %d, it is %d", TB_TWO_SIDED_POLES, poles);
    for (int k = 0; k < poles; k++) {
        if (!(fabs(pole[k]) <= MOST))
            return tb__fail(TB_ERR_VALUE, "two_sided_sums: poles must be from -%g to %g, there is %g", MOST, MOST,
                            pole[k]);
        t.pole[k] = pole[k];
        t.weight[k] = weight[k];
    }
    return TB__OPERATION(two_sided_sums(a, axis, &t, out));
}
