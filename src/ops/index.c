/* index.c - basic indexing: integers, slices, new axes and the ellipsis in any combination, as a view. */
#include "base/error.h"
#include "ops/places.h"

typedef struct selection {
    const tb_array *a;
    int axis; /* the next axis of a */
    int ndim; /* dimensions of the result so far */
    int64_t offset, shape[TB_MAXDIM], strides[TB_MAXDIM];
} selection;

static void add_dim(selection *s, int64_t size, int64_t stride)
{
    s->shape[s->ndim] = size;
    s->strides[s->ndim++] = stride;
}

static void keep_axes(selection *s, int n)
{
    for (; n > 0; n--, s->axis++) add_dim(s, s->a->dims[s->axis], s->a->strides[s->axis]);
}

static tb_status fail_bounds(int64_t index, int axis, int64_t n)
{
    return tb__fail(TB_ERR_INDEX, "index %lld is out of bounds for axis %d with size %lld", (long long)index, axis,
                    (long long)n);
}

static tb_status take_int(selection *s, int64_t index)
{
    int64_t n = s->a->dims[s->axis], at = index < 0 ? index + n : index;
    if (at < 0 || at >= n) return fail_bounds(index, s->axis, n);
    s->offset += at * s->a->strides[s->axis++];
    return TB_OK;
}

/* A slice bound as Python clips it, to [lo, hi]. */
static int64_t clip(int64_t bound, int64_t n, int64_t lo, int64_t hi)
{
    if (bound < 0) bound += n;
    return bound < lo ? lo : bound > hi ? hi : bound;
}

static void take_slice(selection *s, const tb_index *x)
{
    int64_t n = s->a->dims[s->axis], stride = s->a->strides[s->axis], length = 0;
    int64_t step = x->step == INT64_MIN ? -INT64_MAX : x->step;
    int64_t lo = step < 0 ? -1 : 0, hi = step < 0 ? n - 1 : n;
    int64_t start = x->has_start ? clip(x->start, n, lo, hi) : step < 0 ? hi : lo;
    int64_t stop = x->has_stop ? clip(x->stop, n, lo, hi) : step < 0 ? lo : hi;
    if (step > 0 && start < stop) length = (stop - start - 1) / step + 1;
    if (step < 0 && start > stop) length = (start - stop - 1) / -step + 1;
    /* The start of an empty slice may lie past the end: the view stays at the first element. */
    if (length > 0) s->offset += start * stride;
    add_dim(s, length, stride * step);
    s->axis++;
}

/* Counts the axes that the items use up and the dimensions that they make. */
static tb_status check_items(const tb_array *a, int n, const tb_index *index, int *used)
{
    int axes = 0, made = 0, ellipses = 0;
    for (int i = 0; i < n; i++) {
        axes += index[i].kind == TB_INDEX_INT || index[i].kind == TB_INDEX_SLICE;
        made += index[i].kind == TB_INDEX_NEWAXIS || index[i].kind == TB_INDEX_SLICE;
        ellipses += index[i].kind == TB_INDEX_ELLIPSIS;
        if (index[i].kind == TB_INDEX_SLICE && index[i].step == 0)
            return tb__fail(TB_ERR_VALUE, "slice step cannot be zero");
    }
    if (ellipses > 1) return tb__fail(TB_ERR_INDEX, "an index can only have a single ellipsis ('...')");
    if (axes > a->ndim)
        return tb__fail(TB_ERR_INDEX, "too many indices for array: array is %d-dimensional, but %d were indexed",
                        a->ndim, axes);
    if (made + a->ndim - axes > TB_MAXDIM)
        return tb__fail(TB_ERR_INDEX, "number of dimensions must be within [0, %d], indexing result would have %d",
                        TB_MAXDIM, made + a->ndim - axes);
    *used = axes;
    return TB_OK;
}

/* With the axis goes the first of the strides. */
tb_status tb__index_first(tb_array *a, int64_t index, tb_array **out)
{
    int64_t n = a->dims[0], at = index < 0 ? index + n : index;
    if (at < 0 || at >= n) return fail_bounds(index, 0, n);
    return tb__view_sized(a, a->offset + at * a->strides[0], (tb_dtype)a->dtype, a->ndim - 1, a->dims + 1,
                          a->strides + 1, out);
}

tb_status tb__index_view(tb_array *a, int n, const tb_index *index, tb_array **out)
{
    selection s;
    int used = 0;
    TB_TRY(check_items(a, n, index, &used));
    s.a = a;
    s.axis = s.ndim = 0;
    s.offset = a->offset;
    for (int i = 0; i < n; i++) {
        switch (index[i].kind) {
        case TB_INDEX_INT: TB_TRY(take_int(&s, index[i].start)); break;
        case TB_INDEX_SLICE: take_slice(&s, &index[i]); break;
        case TB_INDEX_NEWAXIS: add_dim(&s, 1, 0); break;
        case TB_INDEX_ELLIPSIS: keep_axes(&s, a->ndim - used); break;
        case TB_INDEX_BOOL:
        case TB_INDEX_ARRAY:
        case TB_INDEX_ALONG: break; /* not in such a key */
        }
    }
    keep_axes(&s, a->ndim - s.axis);
    return tb__view(a, s.offset, (tb_dtype)a->dtype, s.ndim, s.shape, s.strides, out);
}
