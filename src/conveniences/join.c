/* join.c - concatenate, stack and split. What is joined is one new array, and each input assigned to its part of it. */
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/shape.h"

/* What is joined. */
typedef struct inputs {
    const char *who;
    int n;
    tb_array *const *array;
    int added; /* the axis that the result has and no input; TB_MAXDIM: none */
} inputs;

/* Where it goes, and how. */
typedef struct result {
    tb_array *into; /* NULL: a new array */
    tb_dtype dtype; /* of a new one; TB_NODTYPE: the inputs' promotion */
    tb_casting casting;
} result;

static tb_status joined_dtype(const inputs *in, tb_dtype given, tb_dtype *out)
{
    if (given != TB_NODTYPE) {
        *out = given;
        return TB_OK;
    }
    bool seen[TB_NDTYPE] = {false};
    tb_dtype types[TB_NDTYPE + 2];
    int n = 0, records = 0;
    for (int i = 0; i < in->n; i++) {
        const tb_dtype t = tb_array_dtype(in->array[i]);
        if (!tb__is_record(t) && !seen[t]) {
            types[n++] = t;
            seen[t] = true;
        } else if (tb__is_record(t) && records < 2 && (records == 0 || types[n - 1] != t)) {
            types[n++] = t;
            records++;
        }
    }
    return tb_result_type(n, types, 0, NULL, out);
}

/* ---- the layout of what is joined -------------------------------------------------------------------------------- */

/* Whether axis d of every input is inside of axis e in memory, which comes before it in C order: 1, or -1 for outside;
 * 0 where axes of one element do not tell. Where inputs disagree C order wins. */
static int nests(const inputs *in, int e, int d)
{
    int said = 0;
    if (e == in->added || d == in->added) return 0;
    e -= e > in->added;
    d -= d > in->added;
    for (int i = 0; i < in->n; i++) {
        const int64_t *shape = tb_array_shape(in->array[i]), *strides = tb_array_strides(in->array[i]);
        if (shape[e] == 1 || shape[d] == 1) continue;
        if (llabs(strides[d]) <= llabs(strides[e])) return 1;
        said = -1;
    }
    return said;
}

/* NumPy's layout: axes sorted by the inputs' strides, the outermost first. */
static void joined_order(const inputs *in, int ndim, int *order)
{
    for (int d = 0; d < ndim; d++) {
        int place = d;
        for (int k = d - 1; k >= 0; k--) {
            const int inside = nests(in, order[k], d);
            if (inside > 0) break;
            if (inside < 0) place = k;
        }
        memmove(order + place + 1, order + place, (size_t)(d - place) * sizeof *order);
        order[place] = d;
    }
}

static tb_status new_target(const inputs *in, tb_dtype t, int ndim, const int64_t *shape, tb_array **out)
{
    int order[TB_MAXDIM], back[TB_MAXDIM];
    int64_t outer[TB_MAXDIM];
    bool plain = true;
    for (int i = 0; i < in->n && plain; i++) plain = tb_array_is_c_contiguous(in->array[i]);
    if (plain) return tb_empty(t, ndim, shape, 'C', out);
    joined_order(in, ndim, order);
    for (int k = 0; k < ndim; k++) {
        outer[k] = shape[order[k]];
        back[order[k]] = k;
    }
    tb_array *block;
    TB_TRY(tb_empty(t, ndim, outer, 'C', &block));
    const tb_status status = tb_transpose(block, back, out);
    tb_array_release(block);
    return status;
}

static tb_status target_array(const inputs *in, const result *r, int ndim, const int64_t *shape, tb_array **out)
{
    if (!r->into) {
        tb_dtype t;
        TB_TRY(joined_dtype(in, r->dtype, &t));
        return new_target(in, t, ndim, shape, out);
    }
    if (tb_array_ndim(r->into) != ndim || memcmp(tb_array_shape(r->into), shape, (size_t)ndim * sizeof *shape) != 0)
        return tb__fail(TB_ERR_VALUE, "%s: out has the wrong shape for the joined arrays", in->who);
    *out = tb_array_retain(r->into);
    return TB_OK;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The i-th input's part of target. */
typedef tb_status (*part_function)(const inputs *in, tb_array *target, int axis, int i, int64_t *start, tb_array **out);

static tb_status slice_of(const inputs *in, tb_array *target, int axis, int i, int64_t *start, tb_array **out)
{
    const int64_t *strides = tb_array_strides(target);
    const int ndim = tb_array_ndim(target);
    int64_t shape[TB_MAXDIM];
    memcpy(shape, tb_array_shape(target), (size_t)ndim * sizeof *shape);
    shape[axis] = tb_array_shape(in->array[i])[axis];
    const int64_t offset = *start * strides[axis];
    *start += shape[axis];
    return tb_as_strided(target, ndim, shape, strides, offset, out);
}

static tb_status layer_of(const inputs *in, tb_array *target, int axis, int i, int64_t *start, tb_array **out)
{
    const int ndim = tb_array_ndim(in->array[i]);
    const int64_t *strides = tb_array_strides(target);
    int64_t left[TB_MAXDIM];
    (void)start;
    for (int d = 0; d < ndim; d++) left[d] = strides[d + (d >= axis)];
    return tb_as_strided(target, ndim, tb_array_shape(in->array[i]), left, i * strides[axis], out);
}

/* An array that the caller gave may overlap with what is read. */
static tb_status write_parts(const inputs *in, const result *r, tb_array *const *part)
{
    tb_status status = TB_OK;
    if (!r->into) return tb_assign_all(in->n, part, in->array, r->casting);
    for (int i = 0; i < in->n && status == TB_OK; i++) status = tb_assign(part[i], in->array[i], r->casting);
    return status;
}

static tb_status join_in(const inputs *in, const result *r, int axis, part_function part_of, tb_array *target)
{
    tb_array **part = malloc((size_t)in->n * sizeof *part);
    tb_status status = TB_OK;
    int64_t start = 0;
    int made = 0;
    if (!part) return tb__fail(TB_ERR_MEMORY, "%s: no memory for %d arrays", in->who, in->n);
    for (; made < in->n && status == TB_OK; made += status == TB_OK)
        status = part_of(in, target, axis, made, &start, &part[made]);
    if (status == TB_OK) status = write_parts(in, r, part);
    while (made > 0) tb_array_release(part[--made]);
    free(part);
    return status;
}

static tb_status join(const inputs *in, const result *r, int axis, int ndim, const int64_t *shape,
                      part_function part_of, tb_array **out)
{
    tb_array *target;
    TB_TRY(target_array(in, r, ndim, shape, &target));
    const tb_status status = join_in(in, r, axis, part_of, target);
    if (status == TB_OK && out) *out = target;
    else tb_array_release(target);
    return status;
}

/* ---- concatenate, stack ------------------------------------------------------------------------------------------ */

static tb_status check_inputs(const inputs *in)
{
    if (in->n < 1) return tb__fail(TB_ERR_VALUE, "%s: at least one array is needed", in->who);
    for (int i = 0; i < in->n; i++)
        if (!in->array[i]) return tb__fail_null(in->who, "arrays[]");
    return TB_UNLIKELY(tb__debug) ? tb__check_ended(in->who, "arrays", in->n, in->array, sizeof *in->array) : TB_OK;
}

static tb_status concatenate(inputs in, const result *r, int axis, tb_array **out)
{
    TB_TRY(check_inputs(&in));
    const int ndim = tb_array_ndim(in.array[0]);
    int64_t shape[TB_MAXDIM];
    if (ndim == 0) return tb__fail(TB_ERR_VALUE, "%s: zero-dimensional arrays cannot be joined; use stack", in.who);
    TB_TRY(tb__axis(axis, ndim, &axis));
    memcpy(shape, tb_array_shape(in.array[0]), (size_t)ndim * sizeof *shape);
    for (int i = 1; i < in.n; i++) {
        const int64_t *other = tb_array_shape(in.array[i]);
        if (tb_array_ndim(in.array[i]) != ndim)
            return tb__fail(TB_ERR_VALUE, "%s: array 0 has %d dimensions, but array %d has %d", in.who, ndim, i,
                            tb_array_ndim(in.array[i]));
        for (int d = 0; d < ndim; d++)
            if (d != axis && other[d] != shape[d])
                return tb__fail(TB_ERR_VALUE, "%s: along axis %d, array 0 has length %lld, array %d %lld", in.who, d,
                                (long long)shape[d], i, (long long)other[d]);
        if (__builtin_add_overflow(shape[axis], other[axis], &shape[axis]))
            return tb__fail(TB_ERR_VALUE, "%s: the result would be longer than arrays can be", in.who);
    }
    in.added = TB_MAXDIM;
    return join(&in, r, axis, ndim, shape, slice_of, out);
}

static tb_status stack(inputs in, const result *r, int axis, tb_array **out)
{
    TB_TRY(check_inputs(&in));
    const int ndim = tb_array_ndim(in.array[0]);
    const int64_t *each = tb_array_shape(in.array[0]);
    int64_t shape[TB_MAXDIM];
    TB_TRY(tb__axis(axis, ndim + 1, &axis));
    if (ndim == TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "%s: the result would have more than %d dimensions", in.who, TB_MAXDIM);
    for (int i = 1; i < in.n; i++)
        if (tb_array_ndim(in.array[i]) != ndim ||
            memcmp(tb_array_shape(in.array[i]), each, (size_t)ndim * sizeof *each) != 0)
            return tb__fail(TB_ERR_VALUE, "%s: all arrays must have the same shape, array %d differs from array 0",
                            in.who, i);
    for (int d = 0; d <= ndim; d++) shape[d] = d == axis ? in.n : each[d - (d > axis)];
    in.added = axis;
    return join(&in, r, axis, ndim + 1, shape, layer_of, out);
}

static const result promoted = {.dtype = TB_NODTYPE, .casting = TB_CAST_SAME_KIND};

tb_status tb_concatenate(int n, tb_array *const *arrays, int axis, tb_array **out)
{
    TB_NOT_NULL(arrays, out);
    return concatenate((inputs){"concatenate", n, arrays, 0}, &promoted, axis, out);
}

tb_status tb_concatenate_as(int n, tb_array *const *arrays, int axis, tb_dtype dtype, tb_casting casting,
                            tb_array **out)
{
    TB_NOT_NULL(arrays, out);
    TB_IS_ELEMENT_OR_NONE(dtype);
    TB_IS_CASTING(casting);
    return concatenate((inputs){"concatenate", n, arrays, 0}, &(result){NULL, dtype, casting}, axis, out);
}

tb_status tb_concatenate_into(int n, tb_array *const *arrays, int axis, tb_casting casting, tb_array *into)
{
    TB_NOT_NULL(arrays, into);
    TB_IS_CASTING(casting);
    return concatenate((inputs){"concatenate", n, arrays, 0}, &(result){into, TB_NODTYPE, casting}, axis, NULL);
}

tb_status tb_stack(int n, tb_array *const *arrays, int axis, tb_array **out)
{
    TB_NOT_NULL(arrays, out);
    return stack((inputs){"stack", n, arrays, 0}, &promoted, axis, out);
}

tb_status tb_stack_as(int n, tb_array *const *arrays, int axis, tb_dtype dtype, tb_casting casting, tb_array **out)
{
    TB_NOT_NULL(arrays, out);
    TB_IS_ELEMENT_OR_NONE(dtype);
    TB_IS_CASTING(casting);
    return stack((inputs){"stack", n, arrays, 0}, &(result){NULL, dtype, casting}, axis, out);
}

tb_status tb_stack_into(int n, tb_array *const *arrays, int axis, tb_casting casting, tb_array *into)
{
    TB_NOT_NULL(arrays, into);
    TB_IS_CASTING(casting);
    return stack((inputs){"stack", n, arrays, 0}, &(result){into, TB_NODTYPE, casting}, axis, NULL);
}

/* ---- split ------------------------------------------------------------------------------------------------------- */

tb_status tb_split(tb_array *a, int n, const int64_t *positions, int axis, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    tb_status status = TB_OK;
    int made = 0;
    TB_NOT_NULL(a, out);
    TB_IS_COUNT(n, INT_MAX - 1);
    if (n > 0) TB_NOT_NULL(positions);
    TB_TRY(tb__axis(axis, tb_array_ndim(a), &axis));
    tb_array **part = malloc(((size_t)n + 1) * sizeof *part);
    if (!part) return tb__fail(TB_ERR_MEMORY, "tb_split: no memory for %d parts", n);
    for (int d = 0; d < axis; d++) key[d] = tb_whole();
    for (; made <= n && status == TB_OK; made += status == TB_OK) {
        key[axis] = tb_whole();
        key[axis].has_start = made > 0;
        key[axis].has_stop = made < n;
        if (made > 0) key[axis].start = positions[made - 1];
        if (made < n) key[axis].stop = positions[made];
        status = tb_array_index(a, axis + 1, key, &part[made]);
    }
    if (status == TB_OK) memcpy(out, part, ((size_t)n + 1) * sizeof *part);
    while (status != TB_OK && made > 0) tb_array_release(part[--made]);
    free(part);
    return status;
}
