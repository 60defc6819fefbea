/* shape.c - arithmetic on shapes and byte strides. Dimensions of 1 and empty shapes follow NumPy's relaxed rules: the
 * stride of a dimension of 1 does not matter for contiguity, and an empty array is contiguous in every order. */
#include "base/shape.h"
#include "base/error.h"
#include <string.h>

enum { SHAPE_TEXT = 24 * TB_MAXDIM };

static int64_t at_least_one(int64_t n) { return n > 1 ? n : 1; }

tb_status tb__shape_size(const char *who, int ndim, const int64_t *shape, size_t itemsize, int64_t *size)
{
    char text[SHAPE_TEXT];
    int64_t bytes = (int64_t)itemsize, n = 1;
    if (ndim < 0 || ndim > TB_MAXDIM) {
        return tb__fail(TB_ERR_VALUE, "%s: an array may have at most %d dimensions, found %d", who, TB_MAXDIM, ndim);
    }
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < 0) {
            return tb__fail(TB_ERR_VALUE, "%s: negative dimensions are not allowed, got shape %s", who,
                            tb__shape_text(text, sizeof text, ndim, shape));
        }
    }
    for (int d = 0; d < ndim; d++) {
        /* Dimensions of 0 count as 1 here, because strides do not shrink for them. */
        if (__builtin_mul_overflow(bytes, at_least_one(shape[d]), &bytes) || bytes > INT64_MAX / 2) {
            return tb__fail(TB_ERR_VALUE, "%s: array is too big: shape %s with items of %zu bytes", who,
                            tb__shape_text(text, sizeof text, ndim, shape), itemsize);
        }
        n *= shape[d];
    }
    *size = n;
    return TB_OK;
}

int64_t tb__product(int ndim, const int64_t *shape)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++) n *= shape[d];
    return n;
}

static bool is_empty(int ndim, const int64_t *shape)
{
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0) return true;
    }
    return false;
}

/* NumPy's: new arrays of no elements have no strides to speak of. */
static bool no_strides(int ndim, const int64_t *shape, int64_t *strides)
{
    if (!is_empty(ndim, shape)) return false;
    memset(strides, 0, (size_t)ndim * sizeof *strides);
    return true;
}

void tb__strides_c(int ndim, const int64_t *shape, int64_t itemsize, int64_t *strides)
{
    if (no_strides(ndim, shape, strides)) return;
    for (int d = ndim - 1; d >= 0; d--) {
        strides[d] = itemsize;
        itemsize *= shape[d];
    }
}

void tb__strides_f(int ndim, const int64_t *shape, int64_t itemsize, int64_t *strides)
{
    if (no_strides(ndim, shape, strides)) return;
    for (int d = 0; d < ndim; d++) {
        strides[d] = itemsize;
        itemsize *= shape[d];
    }
}

bool tb__is_c_contiguous(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize)
{
    int64_t expected = itemsize;
    for (int d = ndim - 1; d >= 0; d--) {
        if (shape[d] != 1 && strides[d] != expected) return is_empty(ndim, shape);
        expected *= shape[d];
    }
    return true;
}

bool tb__is_f_contiguous(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize)
{
    int64_t expected = itemsize;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] != 1 && strides[d] != expected) return is_empty(ndim, shape);
        expected *= shape[d];
    }
    return true;
}

tb_status tb__broadcast(const char *who, int *ndim, int64_t *result, int ndim2, const int64_t *shape2)
{
    int64_t shape[TB_MAXDIM], size = 1;
    int n = *ndim > ndim2 ? *ndim : ndim2;
    bool too_big = false;
    for (int d = 1; d <= n; d++) {
        int64_t a = d <= *ndim ? result[*ndim - d] : 1, b = d <= ndim2 ? shape2[ndim2 - d] : 1;
        if (a != b && a != 1 && b != 1) {
            char text[SHAPE_TEXT], text2[SHAPE_TEXT];
            return tb__fail(TB_ERR_VALUE, "%s: operands could not be broadcast together with shapes %s and %s", who,
                            tb__shape_text(text, sizeof text, *ndim, result),
                            tb__shape_text(text2, sizeof text2, ndim2, shape2));
        }
        shape[n - d] = a == 1 ? b : a;
        too_big |= __builtin_mul_overflow(size, at_least_one(shape[n - d]), &size);
    }
    if (too_big) return tb__shape_size(who, n, shape, 1, &size);
    memcpy(result, shape, (size_t)n * sizeof *shape);
    *ndim = n;
    return TB_OK;
}

void tb__broadcast_strides(int ndim, const int64_t *shape, const int64_t *strides, int to_ndim, const int64_t *to_shape,
                           int64_t *out)
{
    int added = to_ndim - ndim;
    for (int d = 0; d < to_ndim; d++) {
        bool repeated = d < added || (shape[d - added] == 1 && to_shape[d] != 1);
        out[d] = repeated ? 0 : strides[d - added];
    }
}

/* Which of two axes is the outer one in memory, the first, which comes before in C order, or the second. */
enum { NO_SAY, FIRST, SECOND };

static int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }

/* Strides that are 0 have no say; where operands disagree C order stays. */
static int outer_axis(int n, const int64_t *const *strides, int first, int second)
{
    int outer = NO_SAY;
    for (int i = 0; i < n; i++) {
        const int64_t a = magnitude(strides[i][first]), b = magnitude(strides[i][second]);
        if (a == 0 || b == 0) continue;
        if (a >= b) return FIRST;
        outer = SECOND;
    }
    return outer;
}

/* By insertion from the innermost axis of C order on. An axis goes inside of those that it belongs inside of; others,
 * of which none has a say (axes of one element have none), are passed over. */
void tb__axis_order(int n, const int64_t *const *strides, int ndim, const int64_t *shape, int *order)
{
    for (int have = 0; have < ndim; have++) {
        const int axis = ndim - 1 - have;
        int place = have;
        for (int at = have - 1; at >= 0; at--) {
            const bool one = shape[axis] == 1 || shape[order[at]] == 1;
            const int outer = one ? NO_SAY : outer_axis(n, strides, axis, order[at]);
            if (outer == FIRST) break;
            if (outer == SECOND) place = at;
        }
        memmove(order + place + 1, order + place, (size_t)(have - place) * sizeof *order);
        order[place] = axis;
    }
}

void tb__strides_k(int n, const int64_t *const *operands, int ndim, const int64_t *shape, int64_t itemsize,
                   int64_t *strides)
{
    int order[TB_MAXDIM];
    if (no_strides(ndim, shape, strides)) return;
    tb__axis_order(n, operands, ndim, shape, order);
    for (int k = 0; k < ndim; k++) {
        strides[order[k]] = itemsize;
        itemsize *= shape[order[k]];
    }
}

/* Sorted by stride, each axis steps over all that the ones before it cover. */
bool tb__is_distinct(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize)
{
    int64_t step[TB_MAXDIM], length[TB_MAXDIM], covered = itemsize;
    int n = 0;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0) return true;
        if (shape[d] == 1) continue;
        int at = n++;
        for (; at > 0 && step[at - 1] > magnitude(strides[d]); at--) {
            step[at] = step[at - 1];
            length[at] = length[at - 1];
        }
        step[at] = magnitude(strides[d]);
        length[at] = shape[d];
    }
    for (int k = 0; k < n; k++) {
        if (step[k] < covered) return false;
        covered += step[k] * (length[k] - 1);
    }
    return true;
}

void tb__extent(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, int64_t *lo, int64_t *hi)
{
    *lo = *hi = 0;
    if (is_empty(ndim, shape)) return;
    for (int d = 0; d < ndim; d++) {
        *(strides[d] < 0 ? lo : hi) += (shape[d] - 1) * strides[d];
    }
    *hi += itemsize;
}

tb_status tb__axis(int axis, int ndim, int *out)
{
    if (axis < -ndim || axis >= ndim) return tb__fail_axis(axis, ndim);
    *out = axis < 0 ? axis + ndim : axis;
    return TB_OK;
}

/* One row of a copy. */
static void copy_row(int64_t n, size_t itemsize, char *dst, int64_t dst_stride, const char *src, int64_t src_stride)
{
    if (dst_stride == (int64_t)itemsize && src_stride == (int64_t)itemsize) {
        memcpy(dst, src, (size_t)n * itemsize);
        return;
    }
#define COPY_ITEMS(size)                                                                       \
    case size:                                                                                 \
        for (int64_t i = 0; i < n; i++) memcpy(dst + i * dst_stride, src + i * src_stride, size); \
        break
    switch (itemsize) {
        COPY_ITEMS(1);
        COPY_ITEMS(2);
        COPY_ITEMS(4);
        COPY_ITEMS(8);
        COPY_ITEMS(16);
    default:
        for (int64_t i = 0; i < n; i++) memcpy(dst + i * dst_stride, src + i * src_stride, itemsize);
    }
#undef COPY_ITEMS
}

void tb__host_copy(int ndim, const int64_t *shape, size_t itemsize, char *dst, const int64_t *dst_strides,
                   const char *src, const int64_t *src_strides)
{
    /* Dimensions that both sides walk without a gap become one, the first of `n` being the innermost. */
    int64_t size[TB_MAXDIM + 1] = {1}, to[TB_MAXDIM + 1] = {0}, from[TB_MAXDIM + 1] = {0}, at[TB_MAXDIM + 1] = {0};
    int n = 0;
    if (is_empty(ndim, shape)) return;
    for (int d = ndim - 1; d >= 0; d--) {
        if (shape[d] == 1) continue;
        if (n && dst_strides[d] == to[n - 1] * size[n - 1] && src_strides[d] == from[n - 1] * size[n - 1]) {
            size[n - 1] *= shape[d];
            continue;
        }
        size[n] = shape[d];
        to[n] = dst_strides[d];
        from[n++] = src_strides[d];
    }
    if (n == 0) {
        memcpy(dst, src, itemsize);
        return;
    }
    for (;;) {
        int d = 1;
        copy_row(size[0], itemsize, dst, to[0], src, from[0]);
        for (; d < n; d++) {
            dst += to[d];
            src += from[d];
            if (++at[d] < size[d]) break;
            dst -= to[d] * size[d];
            src -= from[d] * size[d];
            at[d] = 0;
        }
        if (d >= n) return;
    }
}
