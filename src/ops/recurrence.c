/* recurrence.c - digital filters along an axis. What they are computed from is in C order and memory; real coefficients
 * filter both parts of complex numbers, as two rows. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* What is asked for. */
typedef struct request {
    const tb_filter *filter;
    tb_dtype t;
    int axis;
    bool backwards;
    tb_array *zi;
    double *coefficients; /* divided by the first of a; of order 1 at least */
} request;

static size_t parts_of(const tb_filter *f) { return f->is_complex ? 2 : 1; }

/* ---- coefficients ------------------------------------------------------------------------------------------------ */

static void divide(const double *x, const double *by, size_t parts, double *out)
{
    if (parts == 1) {
        out[0] = x[0] / by[0];
        return;
    }
    const double _Complex quotient = (x[0] + x[1] * (double _Complex)1.0i) / (by[0] + by[1] * (double _Complex)1.0i);
    out[0] = __real__ quotient;
    out[1] = __imag__ quotient;
}

static tb_status prepare(request *q)
{
    const tb_filter *f = q->filter;
    const size_t parts = parts_of(f), given = ((size_t)f->order + 1) * parts, each = f->order ? given : 2 * parts;
    const size_t bytes = (size_t)f->sections * 2 * each * sizeof(double);
    q->coefficients = calloc(1, bytes);
    if (!q->coefficients) return tb__fail_memory(bytes, 0, 0, 0);
    for (size_t s = 0; s < (size_t)f->sections; s++) {
        const double *b = f->b + s * given, *a = f->a + s * given;
        double *to = q->coefficients + 2 * s * each;
        for (size_t i = 0; i < given; i += parts) {
            divide(b + i, a, parts, to + i);
            divide(a + i, a, parts, to + each + i);
        }
    }
    return TB_OK;
}

/* ---- the arrays -------------------------------------------------------------------------------------------------- */

static void state_shape(const request *q, const tb_array *x, int64_t *shape)
{
    shape[0] = q->filter->sections;
    memcpy(shape + 1, x->dims, (size_t)x->ndim * sizeof *shape);
    shape[1 + q->axis] = q->filter->order;
}

static void *address(const tb_array *a) { return a && a->size ? a->buffer->ptr + a->offset : NULL; }

static tb_status recur(const request *q, tb_array *x, tb_array *zi, tb_array *y, tb_array *zf)
{
    const tb_filter *f = q->filter;
    tb_stream *stream;
    if (x->size == 0) return TB_OK;
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__before_write(y->buffer));
    if (zf) TB_TRY(tb__before_write(zf->buffer));
    const bool pairs = tb_dtype_kind(q->t) == TB_KIND_COMPLEX && !f->is_complex;
    tb_recur r = {
        .dtype = pairs ? q->t == TB_C64 ? TB_F32 : TB_F64 : q->t,
        .sections = f->sections,
        .order = tb__max(f->order, 1),
        .outer = 1,
        .n = x->dims[q->axis],
        .inner = pairs ? 2 : 1,
        .backwards = q->backwards,
        .single = x->dtype != q->t,
        .coefficients = q->coefficients,
        .x = address(x),
        .zi = address(zi),
        .y = address(y),
        .zf = address(zf),
    };
    for (int d = 0; d < q->axis; d++) r.outer *= x->dims[d];
    for (int d = q->axis + 1; d < x->ndim; d++) r.inner *= x->dims[d];
    tb__count.launches += tb__backend->on_host; /* a GPU's are counted where they are made */
    return tb__backend->recur(stream, &r);
}

/* For the last states: those before them, where there is nothing in between. */
static tb_status new_states(const request *q, tb_array *x, tb_array *zi, tb_array **out)
{
    int64_t shape[TB_MAXDIM + 1];
    if (x->size == 0 && zi) return tb__copy(zi, 'C', out);
    state_shape(q, x, shape);
    if (x->size == 0) return tb__full(q->t, x->ndim + 1, shape, 'C', tb_scalar_int(0), out);
    return tb__empty(q->t, x->ndim + 1, shape, 'C', out);
}

static tb_status with_states(const request *q, tb_array *x, tb_array *y, tb_array **zf)
{
    tb_array *zi = NULL, *last = NULL;
    tb_status status = TB_OK;
    if (q->zi) TB_TRY(tb__stored(q->zi, q->t, &zi));
    if (zf) status = new_states(q, x, zi, &last);
    if (status == TB_OK) status = recur(q, x, zi, y, last);
    if (zi) tb_array_release(zi);
    if (status == TB_OK && zf) *zf = last;
    else if (last) tb_array_release(last);
    return status;
}

/* A GPU's kernels read numbers of half the width as they are. */
static tb_dtype read_as(const request *q, const tb_array *x)
{
    const bool widens = (x->dtype == TB_F32 && q->t == TB_F64) || (x->dtype == TB_C64 && q->t == TB_C128);
    return widens && !q->filter->is_complex && !tb__backend->on_host ? (tb_dtype)x->dtype : q->t;
}

static tb_status filter_axis(const request *q, tb_array *x, tb_array **y, tb_array **zf)
{
    tb_array *stored, *result;
    TB_TRY(tb__stored(x, read_as(q, x), &stored));
    tb_status status = tb__empty(q->t, x->ndim, x->dims, 'C', &result);
    if (status == TB_OK) {
        status = with_states(q, stored, result, zf);
        if (status == TB_OK) *y = result;
        else tb_array_release(result);
    }
    tb_array_release(stored);
    return status;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tb_status check_filter(const tb_filter *f)
{
    if (f->sections < 1 || f->order < 0)
        return tb__fail(TB_ERR_VALUE, "recurrence: a filter has 1 section of order 0 at least, not %d of order %d",
                        f->sections, f->order);
    const size_t parts = parts_of(f), each = ((size_t)f->order + 1) * parts;
    for (size_t s = 0; s < (size_t)f->sections; s++)
        if (f->a[s * each] == 0 && f->a[s * each + parts - 1] == 0)
            return tb__fail(TB_ERR_VALUE, "recurrence: a[0] of section %zu must not be 0", s);
    return TB_OK;
}

static tb_status check_states(const request *q, const tb_array *x)
{
    int64_t shape[TB_MAXDIM + 1];
    if (x->ndim == TB_MAXDIM) return tb__fail(TB_ERR_VALUE, "recurrence: states of %d dimensions", TB_MAXDIM + 1);
    if (!q->zi) return TB_OK;
    TB_ARE_NUMBERS("recurrence", q->zi->dtype);
    state_shape(q, x, shape);
    if (q->zi->ndim == x->ndim + 1 && memcmp(q->zi->dims, shape, (size_t)q->zi->ndim * sizeof *shape) == 0)
        return TB_OK;
    return tb__fail(TB_ERR_VALUE,
                    "recurrence: zi must have the shape (sections, and x's with the order in place of axis "
                    "%d)",
                    q->axis);
}

tb_status tb_recurrence(tb_array *x, int axis, tb_dtype t, const tb_filter *filter, bool backwards, tb_array *zi,
                        tb_array **y, tb_array **zf)
{
    TB_NOT_NULL(x, filter, y);
    TB_NOT_NULL(filter->b, filter->a);
    TB_NOT_RELEASED(zi);
    request q = {.filter = filter, .t = t, .backwards = backwards, .zi = zi};
    TB_ARE_NUMBERS("recurrence", x->dtype);
    TB_IS_ELEMENT(t);
    if (t != TB_F32 && t != TB_F64 && t != TB_C64 && t != TB_C128)
        return tb__fail(TB_ERR_TYPE, "recurrence: computed in float32, float64, complex64 or complex128, not %s",
                        tb_dtype_name(t));
    if (filter->is_complex && tb_dtype_kind(t) != TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "recurrence: complex coefficients, and numbers of %s", tb_dtype_name(t));
    TB_TRY(tb__axis(axis, x->ndim, &q.axis));
    TB_TRY(check_filter(filter));
    TB_TRY(check_states(&q, x));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    TB_TRY(prepare(&q));
    const tb_status status = TB__OPERATION(filter_axis(&q, x, y, zf));
    free(q.coefficients);
    return status;
}
