/* take.c - take and put: elements by integers along one axis, where integers beyond it wrap around, are clipped or are
 * errors. */
#include "base/argument.h"
#include "base/shape.h"
#include "ops/array_ops.h"

/* What is taken from: an array seen so that it has the axis, and the axis. */
typedef struct source {
    const char *who;
    tb_array *array; /* a reference */
    int axis;
    int64_t length; /* of the axis */
} source;

/* TB_ALL_AXES, and any axis of an array of no dimension, is the only one of the elements in a row. */
static tb_status open_source(const char *who, tb_array *a, int axis, source *s)
{
    const bool flat = axis == TB_ALL_AXES || tb_array_ndim(a) == 0;
    const int64_t size = tb_array_size(a);
    bool copied;
    TB_TRY(tb__axis(axis == TB_ALL_AXES ? 0 : axis, flat ? 1 : tb_array_ndim(a), &s->axis));
    if (flat && tb_array_ndim(a) != 1) TB_TRY(tb_reshape(a, 1, &size, 'C', &copied, &s->array));
    else s->array = tb_array_retain(a);
    s->who = who;
    s->length = tb_array_shape(s->array)[s->axis];
    return TB_OK;
}

/* ---- indices ----------------------------------------------------------------------------------------------------- */

static tb_status fail_bounds(int64_t index, const source *s)
{
    return tb__fail(TB_ERR_INDEX, "index %lld is out of bounds for axis %d with size %lld", (long long)index, s->axis,
                    (long long)s->length);
}

static tb_status place_one(int64_t i, const source *s, tb_bounds bounds, int64_t *out)
{
    const int64_t n = s->length;
    const bool inside = i >= -n && i < n;
    if (n == 0 || (bounds == TB_BOUNDS_RAISE && !inside)) return fail_bounds(i, s);
    if (bounds == TB_BOUNDS_CLIP) *out = i < 0 ? 0 : i >= n ? n - 1 : i;
    else *out = i % n < 0 ? i % n + n : i % n;
    return TB_OK;
}

/* The smallest or largest element: waits. */
static tb_status extreme(tb_array *a, tb_reduction op, int64_t *out)
{
    tb_scalar s = {.dtype = TB_I64};
    tb_array *r;
    TB_TRY(tb_reduce(op, a, NULL, &r));
    const tb_status status = tb_item(r, &s);
    tb_array_release(r);
    if (status != TB_OK) return status;
    *out = tb_dtype_is_unsigned(s.dtype) && s.v.u > INT64_MAX ? INT64_MAX : s.v.i; /* which is out of any bounds too */
    return TB_OK;
}

static tb_status check_bounds(tb_array *indices, const source *s)
{
    int64_t least, most;
    if (tb_array_size(indices) == 0) return TB_OK;
    TB_TRY(extreme(indices, TB_RED_MIN, &least));
    TB_TRY(extreme(indices, TB_RED_MAX, &most));
    if (least < -s->length) return fail_bounds(least, s);
    return most >= s->length ? fail_bounds(most, s) : TB_OK;
}

static tb_status clip_indices(tb_array *indices, const source *s, tb_array **out)
{
    const int64_t last = s->length > 0 ? s->length - 1 : 0;
    const tb_operand in[3] = {tb_operand_array(indices), tb_operand_scalar(tb_scalar_int(0)),
                              tb_operand_scalar(tb_scalar_int(last))};
    return tb_ufunc_call(tb_ufunc_find("clip"), in, out, NULL);
}

/* For who has strict indices: indexing would refuse what is to wrap around. */
static tb_status wrap_indices(tb_array *indices, const source *s, tb_array **out)
{
    tb_array *wide;
    TB_TRY(tb_astype(indices, TB_I64, 'K', TB_CAST_UNSAFE, false, &wide));
    const tb_operand in[2] = {tb_operand_array(wide), tb_operand_scalar(tb_scalar_int(s->length))};
    const tb_status status = tb_ufunc_call(tb_ufunc_find("remainder"), in, out, NULL);
    tb_array_release(wide);
    return status;
}

/* Truth values count as 0 and 1 here. No elements at all are integers, whatever their dtype. */
static tb_status as_integers(const char *who, tb_array *indices, tb_bounds bounds, tb_array **out)
{
    const tb_dtype t = tb_array_dtype(indices);
    const tb_kind kind = tb_dtype_kind(t);
    if (kind > TB_KIND_INT && tb_array_size(indices) > 0)
        return tb__fail(TB_ERR_TYPE, "%s: indices must be integers, not %s", who, tb_dtype_name(t));
    if (kind == TB_KIND_INT && (bounds != TB_BOUNDS_CLIP || t == TB_U64)) *out = tb_array_retain(indices);
    else return tb_astype(indices, TB_I64, 'K', TB_CAST_UNSAFE, false, out);
    return TB_OK;
}

/* A new reference to indices that are in bounds, or are to wrap around. */
static tb_status read_indices(tb_array *indices, const source *s, tb_bounds bounds, tb_array **out)
{
    tb_array *integers;
    TB_TRY(as_integers(s->who, indices, bounds, &integers));
    tb_status status = TB_OK;
    if (bounds == TB_BOUNDS_RAISE) status = check_bounds(integers, s);
    if (bounds == TB_BOUNDS_CLIP) status = clip_indices(integers, s, out);
    else if (bounds == TB_BOUNDS_WRAP && tb_strict_indices_get()) status = wrap_indices(integers, s, out);
    else if (status == TB_OK) *out = tb_array_retain(integers);
    tb_array_release(integers);
    return status;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static tb_status take_item(const source *s, tb_index item, tb_array **out)
{
    tb_index key[TB_MAXDIM];
    for (int d = 0; d < s->axis; d++) key[d] = tb_whole();
    key[s->axis] = item;
    return tb_array_index(s->array, s->axis + 1, key, out);
}

/* Where there is nothing before the axis, indices are not looked at, as in NumPy: any axis with elements will do. */
static tb_status skip_indices(source *s, tb_bounds *bounds)
{
    tb_array *other;
    if (tb__product(s->axis, tb_array_shape(s->array)) > 0) return TB_OK;
    *bounds = TB_BOUNDS_WRAP;
    if (s->length > 0) return TB_OK;
    TB_TRY(tb__with_axis(s->array, s->axis, 1, &other));
    tb_array_release(s->array);
    s->array = other;
    s->length = 1;
    return TB_OK;
}

static tb_status take_array(const source *s, tb_array *indices, tb_bounds bounds, tb_array **out)
{
    tb_array *places;
    TB_TRY(read_indices(indices, s, bounds, &places));
    const tb_status status = take_item(s, tb_by(places), out);
    tb_array_release(places);
    return status;
}

static tb_status take_index(const source *s, int64_t index, tb_bounds bounds, tb_array **out)
{
    tb_array *view;
    TB_TRY(place_one(index, s, bounds, &index));
    TB_TRY(take_item(s, tb_at(index), &view));
    const tb_status status = tb_copy(view, 'C', out);
    tb_array_release(view);
    return status;
}

tb_status tb_take(tb_array *a, tb_array *indices, int axis, tb_bounds bounds, tb_array **out)
{
    source s;
    TB_NOT_NULL(a, indices, out);
    TB_IS_CHOICE(bounds, TB_BOUNDS_CLIP + 1);
    TB_TRY(open_source("take", a, axis, &s));
    tb_status status = skip_indices(&s, &bounds);
    if (status == TB_OK) status = take_array(&s, indices, bounds, out);
    tb_array_release(s.array);
    return status;
}

tb_status tb_take_one(tb_array *a, int64_t index, int axis, tb_bounds bounds, tb_array **out)
{
    source s;
    TB_NOT_NULL(a, out);
    TB_IS_CHOICE(bounds, TB_BOUNDS_CLIP + 1);
    TB_TRY(open_source("take", a, axis, &s));
    tb_status status = skip_indices(&s, &bounds);
    if (status == TB_OK) status = take_index(&s, index, bounds, out);
    tb_array_release(s.array);
    return status;
}

/* ---- putting ----------------------------------------------------------------------------------------------------- */

/* *a, a reference of the caller's, becomes its elements in a row. */
static tb_status flatten(tb_array **a)
{
    const int64_t size = tb_array_size(*a);
    tb_array *flat;
    bool copied;
    TB_TRY(tb_reshape(*a, 1, &size, 'C', &copied, &flat));
    tb_array_release(*a);
    *a = flat;
    return TB_OK;
}

/* The first n of the values, which begin anew when they are used up; one value is for all. */
static tb_status repeated(tb_array *values, int64_t n, tb_array **out)
{
    const int64_t size = tb_array_size(values), rows[2] = {(n + size - 1) / size, size};
    tb_array *flat = tb_array_retain(values), *many = NULL, *block = NULL;
    tb_status status;
    TB_GOTO(flatten(&flat));
    if (size > 1 && size < n) {
        TB_GOTO(tb_broadcast_to(flat, 2, rows, &many));
        TB_GOTO(tb_copy(many, 'C', &block));
        TB_GOTO(flatten(&block));
    }
    const tb_index first = tb_slice(0, size == 1 ? 1 : n, 1);
    TB_GOTO(tb_array_index(block ? block : flat, 1, &first, out));
fail:
    tb_array_release(flat);
    tb_array_release(many);
    tb_array_release(block);
    return status;
}

/* A new reference to a, or where elements share memory to a copy of it: what is not written over goes back too, and of
 * those that share memory the last one stays. */
static tb_status target_of(tb_array *a, tb_array **out)
{
    const int64_t size = (int64_t)tb_dtype_size(tb_array_dtype(a));
    if (!tb__is_distinct(tb_array_ndim(a), tb_array_shape(a), tb_array_strides(a), size)) return tb_copy(a, 'C', out);
    *out = tb_array_retain(a);
    return TB_OK;
}

/* s is a in a row, a view or a copy that goes back. */
static tb_status put(tb_array *a, const source *s, tb_array *indices, tb_array *values, tb_bounds bounds)
{
    tb_array *places = NULL, *value = NULL, *shaped = NULL;
    bool copied;
    tb_status status;
    TB_GOTO(read_indices(indices, s, bounds, &places));
    TB_GOTO(flatten(&places));
    TB_GOTO(repeated(values, tb_array_size(places), &value));
    const tb_index key = tb_by(places);
    const tb_operand operand = tb_operand_array(value);
    TB_GOTO(tb_array_index_set(s->array, 1, &key, &operand));
    if (tb_array_buffer(s->array) != tb_array_buffer(a)) {
        TB_GOTO(tb_reshape(s->array, tb_array_ndim(a), tb_array_shape(a), 'C', &copied, &shaped));
        TB_GOTO(tb_assign(a, shaped, TB_CAST_NO));
    }
fail:
    tb_array_release(places);
    tb_array_release(value);
    tb_array_release(shaped);
    return status;
}

tb_status tb_put(tb_array *a, tb_array *indices, tb_array *values, tb_bounds bounds)
{
    source s;
    tb_array *target;
    TB_NOT_NULL(a, indices, values);
    TB_IS_CHOICE(bounds, TB_BOUNDS_CLIP + 1);
    if (tb_array_size(indices) == 0 || tb_array_size(values) == 0) return TB_OK;
    TB_TRY(target_of(a, &target));
    tb_status status = open_source("put", target, TB_ALL_AXES, &s);
    tb_array_release(target);
    if (status != TB_OK) return status;
    status = put(a, &s, indices, values, bounds);
    tb_array_release(s.array);
    return status;
}
