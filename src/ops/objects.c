/* objects.c - the host's passes over labelled arrays: connected objects, the boxes around them, and distances along an
 * axis. Other devices have them as compositions of array operations. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "base/waits.h"
#include "ops/array_ops.h"

static char *memory(const tb_array *a) { return a->buffer->ptr + a->offset; }

static tb_status new_array(tb_dtype t, int ndim, const int64_t *shape, tb_array **out)
{
    tb_array *a;
    TB_TRY(tb__empty(t, ndim, shape, 'C', &a));
    const tb_status status = tb__before_write(a->buffer);
    if (status == TB_OK) *out = a;
    else tb_array_release(a);
    return status;
}

static tb_status here(const void *entry, const char *who)
{
    if (entry) return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the backend %s has none", who, tb__backend->name);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static tb_status label_stored(tb_array *inside, const bool *connected, tb_array **out, int64_t *count)
{
    tb_stream *s;
    tb_array *labels;
    uint8_t one[3] = {0};
    const int64_t single = 1;
    const bool flat = inside->ndim == 0, wide = inside->size > INT32_MAX;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(new_array(wide ? TB_I64 : TB_I32, inside->ndim, inside->dims, &labels));
    tb_objects o = {.ndim = flat ? 1 : inside->ndim,
                    .shape = flat ? &single : inside->dims,
                    .connected = flat ? one : (const uint8_t *)connected,
                    .inside = (const uint8_t *)memory(inside),
                    .wide = wide,
                    .labels = memory(labels)};
    const tb_status status = inside->size > 0 ? tb__backend->label(s, &o) : TB_OK;
    if (status == TB_OK) {
        *out = labels;
        *count = o.count;
    } else {
        tb_array_release(labels);
    }
    return status;
}

static tb_status label(tb_array *a, const bool *connected, tb_array **out, int64_t *count)
{
    tb_array *inside;
    TB_TRY(here(tb__backend->label, "label"));
    TB_TRY(tb__stored(a, TB_BOOL, &inside));
    const tb_status status = label_stored(inside, connected, out, count);
    tb_array_release(inside);
    return status;
}

tb_status tb_label(tb_array *a, const bool *connected, tb_array **labels, int64_t *count)
{
    TB_NOT_NULL(a, connected, labels, count);
    TB_ARE_NUMBERS("label", a->dtype);
    TB_TRY(tb__may_wait("the labels"));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(label(a, connected, labels, count));
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static tb_status fill_boxes(tb_array *labels, tb_array *boxes, int64_t n)
{
    tb_stream *s;
    int64_t *out = (int64_t *)(void *)memory(boxes);
    TB_TRY(tb__current_stream(&s));
    if (boxes->size == 0) return TB_OK;
    if (labels->size == 0) {
        for (int64_t i = 0; i < boxes->size; i++) out[i] = i % 2 ? 0 : INT64_MAX;
        return TB_OK;
    }
    const tb_boxes b = {(tb_dtype)labels->dtype, labels->ndim, labels->dims, memory(labels), n, out};
    return tb__backend->label_boxes(s, &b);
}

static tb_status label_boxes(tb_array *a, int64_t n, tb_array **out)
{
    tb_array *labels, *boxes;
    const int64_t shape[] = {n, a->ndim, 2};
    TB_TRY(here(tb__backend->label_boxes, "label_boxes"));
    TB_TRY(tb__stored(a, (tb_dtype)a->dtype, &labels));
    tb_status status = new_array(TB_I64, 3, shape, &boxes);
    if (status == TB_OK) {
        status = fill_boxes(labels, boxes, n);
        if (status == TB_OK) *out = boxes;
        else tb_array_release(boxes);
    }
    tb_array_release(labels);
    return status;
}

tb_status tb_label_boxes(tb_array *labels, int64_t n, tb_array **out)
{
    TB_NOT_NULL(labels, out);
    TB_ARE_NUMBERS("label_boxes", labels->dtype);
    if (tb_dtype_kind((tb_dtype)labels->dtype) > TB_KIND_INT)
        return tb__fail(TB_ERR_TYPE, "label_boxes: labels are integers, not %s",
                        tb_dtype_name((tb_dtype)labels->dtype));
    if (n < 0) return tb__fail(TB_ERR_VALUE, "label_boxes: n must not be negative, it is %lld", (long long)n);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(label_boxes(labels, n, out));
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Results have the axis in its place again. */
static tb_status least_of_rows(tb_array *rows, int axis, double step, tb_array **least, tb_array **nearest)
{
    tb_stream *s;
    tb_array *made[2] = {NULL, NULL};
    const int last = rows->ndim - 1;
    TB_TRY(tb__current_stream(&s));
    tb_status status = new_array(TB_F64, rows->ndim, rows->dims, &made[0]);
    if (status == TB_OK && nearest) status = new_array(TB_I64, rows->ndim, rows->dims, &made[1]);
    if (status == TB_OK && rows->size > 0) {
        const int64_t n = rows->dims[last];
        const tb_parabolas p = {.lines = rows->size / n,
                                .n = n,
                                .step = step,
                                .in = (const double *)(const void *)memory(rows),
                                .least = (double *)(void *)memory(made[0]),
                                .nearest = made[1] ? (int64_t *)(void *)memory(made[1]) : NULL};
        status = tb__backend->parabolas(s, &p);
    }
    tb_array *turned[2] = {NULL, NULL};
    for (int i = 0; i < 2 && status == TB_OK; i++)
        if (made[i]) status = tb__swap_axes(made[i], axis, last, &turned[i]);
    for (int i = 0; i < 2; i++) {
        if (made[i]) tb_array_release(made[i]);
        if (status != TB_OK && turned[i]) tb_array_release(turned[i]);
    }
    TB_TRY(status);
    *least = turned[0];
    if (nearest) *nearest = turned[1];
    return TB_OK;
}

static tb_status least_parabolas(tb_array *a, int axis, double step, tb_array **least, tb_array **nearest)
{
    tb_array *wide, *rows;
    TB_TRY(here(tb__backend->parabolas, "least_parabolas"));
    TB_TRY(tb__axis(axis, a->ndim, &axis));
    TB_TRY(tb__astype(a, TB_F64, 'K', TB_CAST_UNSAFE, false, &wide));
    tb_status status = tb__rows_of(wide, axis, &rows);
    tb_array_release(wide);
    TB_TRY(status);
    status = least_of_rows(rows, axis, step, least, nearest);
    tb_array_release(rows);
    return status;
}

tb_status tb_least_parabolas(tb_array *a, int axis, double step, tb_array **least, tb_array **nearest)
{
    TB_NOT_NULL(a, least);
    TB_ARE_NUMBERS("least_parabolas", a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "least_parabolas: a must be real, not %s", tb_dtype_name((tb_dtype)a->dtype));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(least_parabolas(a, axis, step, least, nearest));
}
