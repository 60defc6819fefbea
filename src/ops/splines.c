/* splines.c - sums of B-splines at points, by the host's loop. Other devices have them as compositions of array
 * operations. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* All stored, of float64 in C order, but for an image that is as it is given. */
typedef struct points {
    tb_array *image, *at[TB_SPLINE_AXES];
    bool as_given;
    int naxis, order;
    tb_spline_mode mode;
    double cval, margin;
} points;

static double *numbers(const tb_array *a) { return (double *)(void *)(a->buffer->ptr + a->offset); }

static tb_status at_points(const points *q, tb_array **out)
{
    tb_stream *s;
    tb_array *result;
    const double *at[TB_SPLINE_AXES];
    const int own = q->image->ndim - q->naxis, ndim = own + q->at[0]->ndim;
    int64_t shape[TB_MAXDIM];
    if (ndim > TB_MAXDIM) return tb__fail(TB_ERR_VALUE, "spline_at: the result has more than %d dimensions", TB_MAXDIM);
    memcpy(shape, q->image->dims, (size_t)own * sizeof *shape);
    memcpy(shape + own, q->at[0]->dims, (size_t)q->at[0]->ndim * sizeof *shape);
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty(TB_F64, ndim, shape, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK && result->size > 0) {
        for (int d = 0; d < q->naxis; d++) at[d] = numbers(q->at[d]);
        const tb_spline_points p = {.naxis = q->naxis,
                                    .order = q->order,
                                    .mode = q->mode,
                                    .cval = q->cval,
                                    .margin = q->margin,
                                    .batch = tb__product(own, q->image->dims),
                                    .n = q->at[0]->size,
                                    .shape = q->image->dims + own,
                                    .in = q->as_given ? NULL : numbers(q->image),
                                    .strides = q->as_given ? q->image->strides : NULL,
                                    .dtype = (tb_dtype)q->image->dtype,
                                    .there = q->image->buffer->ptr + q->image->offset,
                                    .at = at,
                                    .out = numbers(result)};
        status = tb__backend->splines(s, &p);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status check(const points *q)
{
    if (!tb__backend->splines)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "spline_at: the backend %s has none", tb__backend->name);
    for (int d = 0; d < q->naxis; d++) {
        if (q->image->dims[q->image->ndim - q->naxis + d] == 0)
            return tb__fail(TB_ERR_VALUE, "spline_at: axis %d of the image has no elements", d);
        const tb_array *a = q->at[d], *first = q->at[0];
        if (a->ndim != first->ndim || memcmp(a->dims, first->dims, (size_t)a->ndim * sizeof *a->dims) != 0)
            return tb__fail(TB_ERR_VALUE, "spline_at: coordinates must be of one shape");
    }
    return TB_OK;
}

bool tb__few_points(const tb_array *image, int naxis, int order, int64_t n)
{
    enum { IN_CACHE = 1 << 21, READ_THERE = 48, READ = 16 }; /* as many elements are converted while one is read */
    double elements = (image->size <= IN_CACHE ? READ_THERE : READ) * (double)n;
    for (int d = 0; d < naxis; d++) elements *= order + 1;
    return tb__backend->splines && naxis == image->ndim && elements < (double)image->size &&
           !(image->dtype == TB_F64 && tb_array_is_c_contiguous(image));
}

static tb_status spline_at(const points *given, tb_array **out)
{
    points q = *given;
    int ready = 0;
    TB_TRY(check(&q));
    q.as_given = tb__few_points(given->image, q.naxis, q.order, q.at[0]->size);
    if (q.as_given) TB_TRY(tb__aligned(given->image, &q.image));
    else TB_TRY(tb__stored(given->image, TB_F64, &q.image));
    tb_status status = tb__buffer_here(q.image->buffer);
    for (; ready < q.naxis && status == TB_OK; ready++) {
        status = tb__stored(given->at[ready], TB_F64, &q.at[ready]);
        if (status != TB_OK) break;
    }
    if (status == TB_OK) status = at_points(&q, out);
    while (ready-- > 0) tb_array_release(q.at[ready]);
    tb_array_release(q.image);
    return status;
}

static tb_status check_real(const tb_array *a)
{
    TB_ARE_NUMBERS("spline_at", a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) != TB_KIND_COMPLEX) return TB_OK;
    return tb__fail(TB_ERR_TYPE, "spline_at: arrays must be real, not %s", tb_dtype_name((tb_dtype)a->dtype));
}

tb_status tb_spline_at(tb_array *image, int order, tb_spline_mode mode, double cval, double margin, int naxis,
                       tb_array *const *at, tb_array **out)
{
    points q = {.image = image, .naxis = naxis, .order = order, .mode = mode, .cval = cval, .margin = margin};
    TB_NOT_NULL(image, at, out);
    TB_IS_CHOICE(mode, TB_SPLINE_AT_GRID_WRAP + 1);
    TB_TRY(check_real(image));
    if (order < 0 || order >= TB_SPLINE_ORDERS)
        return tb__fail(TB_ERR_VALUE, "spline_at: order must be from 0 to %d, it is %d", TB_SPLINE_ORDERS - 1, order);
    if (naxis < 1 || naxis > TB_SPLINE_AXES || naxis > image->ndim)
        return tb__fail(TB_ERR_VALUE,
                        "spline_at: naxis must be from 1 to the %d of the image, and %d at most, it is %d", image->ndim,
                        TB_SPLINE_AXES, naxis);
    for (int d = 0; d < naxis; d++) {
        TB_NOT_NULL(at[d]);
        TB_TRY(check_real(at[d]));
        q.at[d] = at[d];
    }
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(spline_at(&q, out));
}
