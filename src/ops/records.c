/* records.c - arrays of records: new ones, fields, assignment, and casts, which go field by field down to numbers and
 * bytes. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"

static bool is_of(const tb_record *r, tb_record_kind kind) { return r && r->kind == kind; }

/* ---- fields ------------------------------------------------------------------------------------------------------ */

tb_status tb__field(tb_array *a, const tb_field *f, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM], step = (int64_t)tb_dtype_size(f->dtype);
    const int ndim = a->ndim + f->ndim;
    if (ndim > TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "field '%s': an array may have at most %d dimensions, found %d", f->name,
                        TB_MAXDIM, ndim);
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    memcpy(strides, a->strides, (size_t)a->ndim * sizeof *strides);
    for (int d = f->ndim - 1; d >= 0; d--) {
        shape[a->ndim + d] = f->shape[d];
        strides[a->ndim + d] = step;
        step *= f->shape[d] > 1 ? f->shape[d] : 1;
    }
    return tb__view(a, a->offset + f->offset, f->dtype, ndim, shape, strides, out);
}

static tb_status array_field(tb_array *a, const char *name, tb_array **out)
{
    const tb_record *r = tb__record_known(a->dtype);
    const tb_field *f = NULL;
    tb_array *view;
    for (int i = 0; is_of(r, TB_RECORD_FIELDS) && i < r->nfield; i++)
        if (strcmp(r->fields[i].name, name) == 0) f = &r->fields[i];
    if (!f) return tb__fail(TB_ERR_VALUE, "no field of name %s", name);
    TB_TRY(tb__field(a, f, &view));
    if (view->size == 0 || tb__is_aligned(view)) {
        *out = view;
        return TB_OK;
    }
    tb_array_release(view);
    return tb__fail(TB_ERR_VALUE,
                    "field '%s': its %s at byte %lld of records of %lld bytes are not aligned; a dtype "
                    "with aligned fields (align=True) can be cast to",
                    name, tb_dtype_name(f->dtype), (long long)f->offset, (long long)r->size);
}

tb_status tb_array_field(tb_array *a, const char *name, tb_array **out)
{
    TB_NOT_NULL(a, name, out);
    tb__lock();
    const tb_status status = array_field(a, name, out);
    tb__unlock();
    return status;
}

/* ---- casts, to new arrays ---------------------------------------------------------------------------------------- */

static tb_status cast_any(tb_array *dst, tb_array *src);

/* Numbers, which need not be aligned. */
static tb_status cast_numbers(tb_array *dst, tb_array *src)
{
    tb_array *from, *cast;
    TB_TRY(tb__aligned(src, &from));
    tb_status status = TB_OK;
    if (tb__is_aligned(dst)) {
        status = tb__assign(dst, from, TB_CAST_UNSAFE);
    } else {
        status = tb__astype(from, dst->dtype, 'K', TB_CAST_UNSAFE, false, &cast);
        if (status == TB_OK) {
            status = tb__move(dst, NULL, cast);
            tb_array_release(cast);
        }
    }
    tb_array_release(from);
    return status;
}

/* Times as the integers that they are. */
static tb_status without_time(tb_array *a, tb_array **out)
{
    const bool time = is_of(tb__record_known(a->dtype), TB_RECORD_TIME);
    return tb__view(a, a->offset, time ? TB_I64 : a->dtype, a->ndim, a->dims, a->strides, out);
}

/* `bytes` of each element, from `first` on, as an axis of their own. */
static tb_status bytes_of(tb_array *a, int64_t first, int64_t bytes, tb_array **out)
{
    const tb_field f = {"bytes", TB_U8, first, 1, &bytes};
    return tb__field(a, &f, out);
}

/* As many bytes as both have; what is left becomes 0. */
static tb_status cast_bytes(tb_array *dst, tb_array *src)
{
    const int64_t to = (int64_t)tb_dtype_size(dst->dtype), from = (int64_t)tb_dtype_size(src->dtype);
    const int64_t both = to < from ? to : from;
    tb_array *d = NULL, *s = NULL, *rest = NULL;
    if (to == from) return tb__move(dst, NULL, src);
    tb_status status = bytes_of(dst, 0, both, &d);
    if (status == TB_OK) status = bytes_of(src, 0, both, &s);
    if (status == TB_OK) status = bytes_of(dst, both, to - both, &rest);
    if (status == TB_OK) status = tb__assign(d, s, TB_CAST_NO);
    if (status == TB_OK && rest->size > 0) status = tb_assign_scalar(rest, (tb_scalar){.dtype = TB_U8});
    tb_array_release(d);
    tb_array_release(s);
    tb_array_release(rest);
    return status;
}

/* A field of an array of `outer` dimensions, with n dimensions of its own: the last ones, others are of length 1. */
static tb_status with_dims(tb_array *field, int outer, int n, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    for (int k = 0; k < outer + n; k++) {
        const int own = k < outer ? k : k + field->ndim - outer - n;
        const bool there = k < outer || own >= outer;
        shape[k] = there ? field->dims[own] : 1;
        strides[k] = there ? field->strides[own] : 0;
    }
    return tb__view(field, field->offset, field->dtype, outer + n, shape, strides, out);
}

/* One field of dst from one of src, or where that has no fields from itself. */
static tb_status cast_field(tb_array *dst, const tb_field *to, tb_array *src, const tb_field *from)
{
    tb_array *d = NULL, *s = NULL, *one = NULL;
    tb_status status = tb__field(dst, to, &d);
    if (status == TB_OK) status = from ? tb__field(src, from, &s) : tb__with_axes(src, to->ndim, &s);
    if (status == TB_OK && from && from->ndim != to->ndim) {
        status = with_dims(s, src->ndim, to->ndim, &one);
        tb_array_release(s);
        s = one;
    }
    if (status == TB_OK) status = cast_any(d, s);
    tb_array_release(d);
    tb_array_release(s);
    return status;
}

static tb_status cast_fields(tb_array *dst, const tb_record *to, tb_array *src, const tb_record *from)
{
    const bool fields = is_of(from, TB_RECORD_FIELDS);
    for (int i = 0; i < to->nfield; i++) TB_TRY(cast_field(dst, &to->fields[i], src, fields ? &from->fields[i] : NULL));
    return TB_OK;
}

static tb_status cast_first_field(tb_array *dst, tb_array *src, const tb_record *from)
{
    tb_array *s;
    TB_TRY(tb__field(src, from->fields, &s));
    const tb_status status = cast_any(dst, s);
    tb_array_release(s);
    return status;
}

static tb_status cast_times(tb_array *dst, tb_array *src)
{
    tb_array *d = NULL, *s = NULL;
    tb_status status = without_time(dst, &d);
    if (status == TB_OK) status = without_time(src, &s);
    if (status == TB_OK) status = cast_any(d, s);
    tb_array_release(d);
    tb_array_release(s);
    return status;
}

static tb_status cast_any(tb_array *dst, tb_array *src)
{
    const tb_record *to = tb__record_known(dst->dtype), *from = tb__record_known(src->dtype);
    if (dst->size == 0) return TB_OK;
    if (to && dst->dtype == src->dtype) return tb__move(dst, NULL, src);
    if (is_of(to, TB_RECORD_FIELDS)) return cast_fields(dst, to, src, from);
    if (is_of(from, TB_RECORD_FIELDS)) return cast_first_field(dst, src, from);
    if (is_of(to, TB_RECORD_BYTES)) return cast_bytes(dst, src);
    if (to || from) return cast_times(dst, src);
    return cast_numbers(dst, src);
}

/* ---- assignment -------------------------------------------------------------------------------------------------- */

/* The elements of another dtype are made first: fields are cast one after the other, so that what is yet to be read
 * must not change, and where one fails nothing has been written. */
tb_status tb__record_assign(tb_array *dst, tb_array *mask, tb_array *src)
{
    tb_array *cast;
    if (dst->dtype == src->dtype) return tb__move(dst, mask, src);
    TB_TRY(tb__record_copy(src, dst->dtype, 'K', &cast));
    const tb_status status = tb__move(dst, mask, cast);
    tb_array_release(cast);
    return status;
}

/* Bytes are no number; all of them may be none. */
static tb_status number_of(tb_dtype t, tb_scalar value, tb_array **out)
{
    static const tb_dtype plain[] = {TB_BOOL, TB_I64, TB_F64, TB_C128};
    const bool unsigned_number = value.dtype == TB_U64;
    const tb_dtype own = value.weak && !unsigned_number ? plain[tb_dtype_kind(value.dtype)] : value.dtype;
    if (is_of(tb__record_known(t), TB_RECORD_BYTES) && (value.weak || tb_dtype_size(own) > tb_dtype_size(t)))
        return tb__fail(TB_ERR_TYPE, "a number cannot be assigned to elements of %s", tb_dtype_name(t));
    TB_TRY(tb__check_cast(own, t, TB_CAST_UNSAFE));
    return tb__full(own, 0, NULL, 'C', value, out);
}

tb_status tb__record_assign_scalar(tb_array *dst, tb_array *mask, tb_scalar value)
{
    tb_array *number;
    TB_TRY(number_of(dst->dtype, value, &number));
    const tb_status status = tb__record_assign(dst, mask, number);
    tb_array_release(number);
    return status;
}

/* ---- new arrays -------------------------------------------------------------------------------------------------- */

static bool is_zero(tb_scalar s)
{
    switch (tb_dtype_kind(s.dtype)) {
    case TB_KIND_FLOAT: return s.v.f == 0;
    case TB_KIND_COMPLEX: return s.v.c.re == 0 && s.v.c.im == 0;
    default: return s.v.i == 0;
    }
}

static tb_status clear(tb_array *a)
{
    tb_array *words;
    bool axis;
    TB_TRY(tb__words(1, &a, &words, &axis));
    const tb_status status = tb_assign_scalar(words, (tb_scalar){.dtype = TB_U8});
    tb_array_release(words);
    return status;
}

tb_status tb__record_full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out)
{
    tb_array *a;
    TB_TRY(tb__empty(t, ndim, shape, order == 'F' ? 'F' : 'C', &a));
    tb_status status = clear(a); /* what lies between fields too */
    if (status == TB_OK && !is_zero(value) && a->size > 0) status = tb__record_assign_scalar(a, NULL, value);
    if (status == TB_OK) *out = a;
    else tb_array_release(a);
    return status;
}

tb_status tb__record_copy(tb_array *a, tb_dtype t, char order, tb_array **out)
{
    tb_array *copy;
    TB_TRY(tb_empty_like(a, t, order, &copy));
    const tb_record *to = tb__record_known(t);
    tb_status status = is_of(to, TB_RECORD_FIELDS) && t != a->dtype ? clear(copy) : TB_OK;
    if (status == TB_OK) status = t == a->dtype ? tb__move_all(copy, a) : cast_any(copy, a);
    if (status == TB_OK) *out = copy;
    else tb_array_release(copy);
    return status;
}
