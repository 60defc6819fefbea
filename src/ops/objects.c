/* objects.c - connected objects of an array, the boxes around them (on the host), and distances to what is zero, by the
 * backend's passes. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "base/waits.h"
#include "ops/sparse/calc.h"

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

/* out: the labels, and how many objects there are, where the device has it. */
static tb_status label_stored(tb_array *inside, const bool *connected, tb_array *const *out)
{
    tb_stream *s;
    const int64_t single = 1;
    const uint8_t one[3] = {0};
    const bool flat = inside->ndim == 0;
    const tb_objects o = {.ndim = flat ? 1 : inside->ndim,
                          .shape = flat ? &single : inside->dims,
                          .connected = flat ? one : (const uint8_t *)connected,
                          .inside = (const uint8_t *)memory(inside),
                          .wide = out[0]->dtype == TB_I64,
                          .labels = memory(out[0]),
                          .count = (int64_t *)(void *)memory(out[1])};
    TB_TRY(tb__current_stream(&s));
    return tb__backend->label(s, &o);
}

static tb_status label(tb_array *a, const bool *connected, tb_array **labels, tb_array **count)
{
    tb_array *inside, *made[2] = {NULL, NULL};
    const int64_t one = 1;
    TB_TRY(tb__stored(a, TB_BOOL, &inside));
    tb_status status = new_array(inside->size > INT32_MAX ? TB_I64 : TB_I32, inside->ndim, inside->dims, &made[0]);
    if (status == TB_OK) status = new_array(TB_I64, 1, &one, &made[1]);
    if (status == TB_OK && inside->size > 0) status = label_stored(inside, connected, made);
    tb_array_release(inside);
    for (int i = 0; i < 2 && status != TB_OK; i++)
        if (made[i]) tb_array_release(made[i]);
    TB_TRY(status);
    *labels = made[0];
    *count = made[1];
    return TB_OK;
}

tb_status tb_label(tb_array *a, const bool *connected, tb_array **labels, int64_t *count)
{
    tb_array *made = NULL, *number = NULL;
    tb_calc c = {.status = TB_OK};
    TB_NOT_NULL(a, connected, labels, count);
    TB_ARE_NUMBERS("label", a->dtype);
    TB_TRY(tb__may_wait("the labels"));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    TB_TRY(TB__OPERATION(label(a, connected, &made, &number)));
    tb__calc_keep(&c, TB_OK, &number);
    const int64_t objects = a->size > 0 ? tb__calc_item(&c, number, 0) : 0;
    const tb_status status = tb__calc_end(&c);
    if (status == TB_OK) {
        *labels = made;
        *count = objects;
    } else {
        tb_array_release(made);
    }
    return status;
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

/* Passes over the axes from the last one on, of which each reads what the one before it wrote. */
typedef struct transform {
    tb_array *inside, *distances;
    const double *steps;
    tb_array *places[2]; /* those of even axes, which are the result, and of odd ones; NULL: none are wanted */
    bool whole;
} transform;

/* The planes of an axis and of those behind it. */
static int32_t *planes(const transform *t, int axis)
{
    const tb_array *places = t->places[axis % 2];
    return places ? (int32_t *)(void *)memory(places) + axis * t->inside->size : NULL;
}

static tb_status pass(const transform *t, int axis, const tb_array *in, const tb_array *out)
{
    tb_stream *s;
    const tb_array *a = t->inside;
    const int behind = a->ndim - 1 - axis;
    const tb_distance_pass d = {.to = (tb_dtype)t->distances->dtype,
                                .outer = tb__product(axis, a->dims),
                                .n = a->dims[axis],
                                .inner = tb__product(behind, a->dims + axis + 1),
                                .step = t->steps[axis],
                                .first = behind == 0,
                                .last = axis == 0,
                                .whole = t->whole,
                                .in = memory(in),
                                .out = memory(out),
                                .others = t->places[0] ? behind : -1,
                                .from = behind > 0 ? planes(t, axis + 1) : NULL,
                                .places = planes(t, axis)};
    TB_TRY(tb__current_stream(&s));
    return tb__backend->distances(s, &d);
}

static tb_status run_passes(const transform *t)
{
    const tb_array *a = t->inside;
    tb_array *in = tb_array_retain(t->inside), *out;
    tb_status status = TB_OK;
    for (int axis = a->ndim - 1; axis >= 0 && status == TB_OK; axis--) {
        if (axis == 0) out = tb_array_retain(t->distances);
        else status = new_array(t->whole ? TB_U32 : TB_F64, a->ndim, a->dims, &out);
        if (status != TB_OK) break;
        status = pass(t, axis, in, out);
        tb_array_release(in);
        in = out;
    }
    tb_array_release(in);
    return status;
}

/* Whether all squares are whole, and fit. */
static bool is_whole(const tb_array *a, const double *steps)
{
    double most = 0;
    for (int d = 0; d < a->ndim; d++) {
        if (steps[d] != 1) return false;
        most += (double)(a->dims[d] - 1) * (double)(a->dims[d] - 1);
    }
    return most < INT32_MAX && !tb__backend->on_host;
}

static tb_status new_places(const tb_array *a, transform *t)
{
    int64_t shape[TB_MAXDIM];
    shape[0] = a->ndim;
    memcpy(shape + 1, a->dims, (size_t)a->ndim * sizeof *shape);
    TB_TRY(new_array(TB_I32, a->ndim + 1, shape, &t->places[0]));
    return a->ndim > 1 ? new_array(TB_I32, a->ndim + 1, shape, &t->places[1]) : TB_OK;
}

static tb_status distance_transform(tb_array *a, const double *steps, tb_dtype to, tb_array **distances,
                                    tb_array **nearest)
{
    transform t = {.steps = steps, .whole = is_whole(a, steps)};
    TB_TRY(tb__stored(a, TB_BOOL, &t.inside));
    tb_status status = new_array(to, a->ndim, a->dims, &t.distances);
    if (status == TB_OK && nearest) status = new_places(a, &t);
    if (status == TB_OK && a->size > 0) status = run_passes(&t);
    tb_array_release(t.inside);
    if (t.places[1]) tb_array_release(t.places[1]);
    if (status == TB_OK) {
        *distances = t.distances;
        if (nearest) *nearest = t.places[0];
        return TB_OK;
    }
    if (t.distances) tb_array_release(t.distances);
    if (t.places[0]) tb_array_release(t.places[0]);
    return status;
}

tb_status tb_distance_transform(tb_array *a, const double *steps, tb_dtype to, tb_array **distances, tb_array **nearest)
{
    TB_NOT_NULL(a, steps, distances);
    TB_ARE_NUMBERS("distance_transform", a->dtype);
    if (to != TB_F32 && to != TB_F64)
        return tb__fail(TB_ERR_TYPE, "distance_transform: distances are of float32 or float64, not %s",
                        tb_dtype_name(to));
    if (a->ndim == 0 || a->ndim >= TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "distance_transform: a must have 1 to %d dimensions, it has %d", TB_MAXDIM - 1,
                        a->ndim);
    for (int d = 0; d < a->ndim; d++)
        if (a->dims[d] > INT32_MAX)
            return tb__fail(TB_ERR_VALUE, "distance_transform: axis %d has more than 2^31 - 1 elements", d);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(distance_transform(a, steps, to, distances, nearest));
}
