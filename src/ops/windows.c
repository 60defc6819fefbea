/* windows.c - filters over windows, by a kernel of the device's; on the host those of arrays that are not large. What
 * there is none for is a composition of array operations. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

static bool is_sum(tb_window_kind k) { return k <= TB_WINDOW_OPPOSED; }

static tb_status filter(tb_array *x, const tb_window *w, tb_dtype work, tb_dtype t, tb_array *result)
{
    tb_stream *s;
    tb_scalar fill;
    tb_scalar beyond = w->beyond;
    beyond.weak = false;
    TB_TRY(tb_scalar_cast(beyond, work, &fill));
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__before_write(result->buffer));
    const tb_windows q = {.w = w,
                          .from = (tb_dtype)x->dtype,
                          .work = work,
                          .to = t,
                          .fill = fill,
                          .weights = w->on_device ? w->on_device->buffer->ptr + w->on_device->offset : NULL,
                          .ndim = x->ndim,
                          .shape = x->dims,
                          .x_strides = x->strides,
                          .y_strides = result->strides,
                          .x = x->buffer->ptr + x->offset,
                          .y = result->buffer->ptr + result->offset};
    return tb__backend->windows(s, &q);
}

static tb_status window_filter(tb_array *given, const tb_window *w, tb_dtype work, tb_dtype t, tb_array **out)
{
    tb_array *x, *result;
    if (!tb__backend->windows)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: the backend %s has none", tb__backend->name);
    TB_TRY(tb__aligned(given, &x));
    tb_status status = tb__buffer_here(x->buffer);
    if (status == TB_OK && w->on_device) status = tb__buffer_here(w->on_device->buffer);
    if (status == TB_OK) status = tb__empty(t, x->ndim, x->dims, 'C', &result);
    if (status == TB_OK) {
        if (x->size > 0) status = filter(x, w, work, t, result);
        if (status == TB_OK) *out = result;
        else tb_array_release(result);
    }
    tb_array_release(x);
    return status;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* Whether places follow one another along an axis. */
static bool is_line(const tb_window *w, int ndim)
{
    int along = -1;
    for (int d = 0; d < ndim; d++)
        if (w->nplace > 1 && w->place[ndim + d] == w->place[d] + 1) along = d;
    for (int64_t i = 1; i < w->nplace; i++)
        for (int d = 0; d < ndim; d++)
            if (w->place[i * ndim + d] != w->place[d] + (d == along ? i : 0)) return false;
    return true;
}

static tb_status check_window(const tb_window *w, int ndim)
{
    const bool pairs = w->kind == TB_WINDOW_MIRRORED || w->kind == TB_WINDOW_OPPOSED;
    if (w->nplace < 1)
        return tb__fail(TB_ERR_VALUE, "window_filter: nplace must be at least 1, it is %lld", (long long)w->nplace);
    for (int64_t i = 0; i < w->nplace * ndim; i++)
        if (w->place[i] > INT16_MAX || w->place[i] < INT16_MIN)
            return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: a place is %lld away", (long long)w->place[i]);
    for (int d = 0; d < ndim; d++) TB_IS_CHOICE(w->edge[d], TB_SPLINE_CONSTANT + 1);
    if (is_sum(w->kind) && !w->weights && !w->on_device)
        return tb__fail(TB_ERR_VALUE, "window_filter: sums need weights");
    if ((pairs || w->kind == TB_WINDOW_MEAN) && !is_line(w, ndim))
        return tb__fail(TB_ERR_VALUE, "window_filter: places must follow one another along an axis");
    if (pairs && w->nplace % 2 == 0)
        return tb__fail(TB_ERR_VALUE, "window_filter: nplace must be odd, it is %lld", (long long)w->nplace);
    if (w->kind == TB_WINDOW_RANK && (w->rank < 0 || w->rank >= w->nplace))
        return tb__fail(TB_ERR_VALUE, "window_filter: rank must be from 0 to %lld, it is %lld",
                        (long long)w->nplace - 1, (long long)w->rank);
    return TB_OK;
}

static tb_status check_work(const tb_window *w, tb_dtype from, tb_dtype work, tb_dtype t)
{
    const bool complex = tb_dtype_kind(from) == TB_KIND_COMPLEX;
    const bool sums = is_sum(w->kind) || w->kind == TB_WINDOW_MEAN;
    if (sums ? work == TB_C128 || (work == TB_F64 && !complex)
             : !complex && (work == TB_F64 || (work == from && !w->weights)))
        return TB_OK;
    return tb__fail(TB_ERR_TYPE, "window_filter: %s cannot be computed from %s to %s", tb_dtype_name(work),
                    tb_dtype_name(from), tb_dtype_name(t));
}

static tb_status check_on_device(const tb_window *w, tb_dtype work)
{
    const tb_array *a = w->on_device;
    if (!is_sum(w->kind) || w->weights)
        return tb__fail(TB_ERR_VALUE, "window_filter: weights on the device are those of sums, in place of others");
    if (a->dtype != work || a->size != w->nplace || !tb_array_is_c_contiguous(a))
        return tb__fail(TB_ERR_VALUE, "window_filter: weights must be %lld %s in C order", (long long)w->nplace,
                        tb_dtype_name(work));
    return TB_OK;
}

/* The second windows, of what the first ones make. */
static tb_status check_second(const tb_window *first, int ndim, tb_dtype work, tb_dtype t)
{
    TB_NOT_NULL(first->then->place);
    TB_IS_CHOICE(first->then->kind, TB_WINDOW_RANK + 1);
    tb_window second = *first->then;
    second.edge = first->edge;
    if (second.then || second.on_device)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: more than two filters, or weights on the device");
    TB_TRY(check_window(&second, ndim));
    return check_work(&second, t, work, t);
}

tb_status tb_window_filter(tb_array *x, const tb_window *window, tb_dtype work, tb_dtype t, tb_array **out)
{
    TB_NOT_NULL(x, window, out);
    TB_NOT_NULL(window->place, window->edge);
    TB_IS_CHOICE(window->kind, TB_WINDOW_RANK + 1);
    TB_ARE_NUMBERS("window_filter", x->dtype);
    TB_ARE_NUMBERS("window_filter", work);
    TB_ARE_NUMBERS("window_filter", t);
    TB_IS_DTYPE(work);
    TB_IS_DTYPE(t);
    TB_TRY(check_window(window, x->ndim));
    TB_TRY(check_work(window, (tb_dtype)x->dtype, work, t));
    if (window->on_device) TB_TRY(check_on_device(window, work));
    if (window->then) TB_TRY(check_second(window, x->ndim, work, t));
    if (tb__backend->windows && tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(window_filter(x, window, work, t, out));
}
