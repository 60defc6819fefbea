/* histogram.c - counts in bins. Of a few numbers in bins of equal width, where a device has a kernel for it: one finds
 * the range, which the host waits for, another does all the rest. Between edges that are there, by the host's loops. */
#include <float.h>
#include <math.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/waits.h"
#include "ops/array_ops.h"
#include "plan/routine.h"

static const char who[] = "histogram";

/* x, whose elements follow one another. */
static tb_status run(tb_array *x, tb_bins *b, tb_array **counts, tb_array **edges)
{
    tb_stream *stream;
    const int64_t n[2] = {b->bins, b->bins + 1};
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__empty(TB_I64, 1, &n[0], 'C', counts));
    tb_status status = tb__empty(b->dtype, 1, &n[1], 'C', edges);
    if (status == TB_OK) {
        status = tb__before_write((*counts)->buffer);
        if (status == TB_OK) status = tb__before_write((*edges)->buffer);
        b->in = x->buffer->ptr + x->offset;
        b->counts = (int64_t *)(void *)(*counts)->buffer->ptr;
        b->edges = (*edges)->buffer->ptr;
        if (status == TB_OK) status = tb__backend->histogram(stream, b);
        if (status != TB_OK) tb_array_release(*edges);
    }
    if (status != TB_OK) tb_array_release(*counts);
    return status;
}

static tb_status count(tb_array *x, tb_bins *b, tb_array **counts, tb_array **edges)
{
    tb_array *row;
    TB_TRY(tb__stored(x, b->dtype, &row));
    const tb_status status = run(row, b, counts, edges);
    tb_array_release(row);
    return status;
}

/* The steps of NumPy's linspace between x's extremes, in x's precision. Where rounding could make neighbouring edges
 * one, or there is no finite range, others have to look. */
static tb_status find_range(tb_array *x, tb_bins *b)
{
    union {
        float f32[2];
        double f64[2];
    } ends;
    tb_array *least, *most, *both;
    const int64_t two = 2, stride = (int64_t)tb_dtype_size(b->dtype);
    TB_TRY(tb_min_max(x, NULL, &least, &most));
    tb_array_release(most);
    tb_status status = tb_as_strided(least, 1, &two, &stride, 0, &both);
    tb_array_release(least);
    TB_TRY(status);
    status = tb_array_get(both, &ends, NULL, NULL, true);
    tb_array_release(both);
    TB_TRY(status);
    const bool wide = b->dtype == TB_F64;
    b->first = wide ? ends.f64[0] : (double)ends.f32[0];
    b->last = wide ? ends.f64[1] : (double)ends.f32[1];
    b->step =
        wide ? (ends.f64[1] - ends.f64[0]) / (double)b->bins : (double)((ends.f32[1] - ends.f32[0]) / (float)b->bins);
    const double most_of_both = fmax(fabs(b->first), fabs(b->last));
    if (isfinite(most_of_both) && isfinite(b->step) && b->step > fmax(1e-5 * most_of_both, FLT_MIN)) return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the range is not a plain one", who);
}

tb_status tb_histogram(tb_array *x, int64_t bins, tb_array **counts, tb_array **edges)
{
    enum { FEW = 1 << 14 };
    tb_array *result[2];
    TB_NOT_NULL(x, counts, edges);
    tb_bins b = {.dtype = (tb_dtype)x->dtype, .n = x->size, .bins = bins};
    const bool fits = tb__backend->histogram && (b.dtype == TB_F32 || b.dtype == TB_F64) && b.n > 0 && b.n <= FEW &&
                      bins > 0 && bins <= TB_MOST_BINS && x->buffer->device == tb__device_current();
    if (!fits) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: there is no kernel for it", who);
    TB_TRY(tb__may_wait("the range of a histogram"));
    TB_TRY(find_range(x, &b));
    TB_TRY(TB__OPERATION(count(x, &b, &result[0], &result[1])));
    *counts = result[0];
    *edges = result[1];
    return TB_OK;
}

/* ---- between edges ---------------------------------------------------------------------------------------------- */

/* In what elements and edges are compared: float32 or float64, which hold what either is; TB_NDTYPE: in none. */
static tb_dtype compared_in(tb_dtype x, tb_dtype edges)
{
    const tb_dtype t = tb_promote(x, edges);
    const bool floats = tb_dtype_kind(t) == TB_KIND_FLOAT;
    if (tb_dtype_kind(t) == TB_KIND_COMPLEX || (!floats && tb_dtype_size(t) == 8)) return TB_NDTYPE;
    return floats && tb_dtype_size(t) <= 4 ? TB_F32 : TB_F64;
}

/* x and edges are stored. */
static tb_status count_stored(tb_array *x, tb_array *edges, tb_array **out)
{
    tb_stream *stream;
    tb_array *counts;
    const int64_t n = edges->size - 1;
    bool done = false;
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__empty(TB_I64, 1, &n, 'C', &counts));
    tb_status status = tb__before_write(counts->buffer);
    if (status == TB_OK) {
        const tb_between job = {.dtype = (tb_dtype)x->dtype,
                                .edge_dtype = (tb_dtype)edges->dtype,
                                .in = x->buffer->ptr + x->offset,
                                .edges = edges->buffer->ptr + edges->offset,
                                .n = x->size,
                                .nedge = edges->size,
                                .counts = (int64_t *)(void *)counts->buffer->ptr};
        status = tb__backend->histogram_between(stream, &job, &done);
    }
    if (status == TB_OK && !done) status = tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the edges do not suit its loop", who);
    if (status == TB_OK) *out = counts;
    else tb_array_release(counts);
    return status;
}

static tb_status count_between(tb_array *x, tb_array *edges, tb_array **out)
{
    tb_array *numbers, *limits;
    TB_TRY(tb__stored(edges, compared_in((tb_dtype)x->dtype, (tb_dtype)edges->dtype), &limits));
    tb_status status = tb__stored(x, (tb_dtype)x->dtype, &numbers);
    if (status == TB_OK) {
        status = count_stored(numbers, limits, out);
        tb_array_release(numbers);
    }
    tb_array_release(limits);
    return status;
}

tb_status tb_histogram_between(tb_array *x, tb_array *edges, tb_array **counts)
{
    TB_NOT_NULL(x, edges, counts);
    TB_ARE_NUMBERS(who, x->dtype);
    TB_ARE_NUMBERS(who, edges->dtype);
    if (edges->ndim != 1 || edges->size < 2)
        return tb__fail(TB_ERR_VALUE, "%s: edges must be one-dimensional, and at least two", who);
    if (!tb__backend->histogram_between || compared_in((tb_dtype)x->dtype, (tb_dtype)edges->dtype) == TB_NDTYPE)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: there is no loop for it", who);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(count_between(x, edges, counts));
}
