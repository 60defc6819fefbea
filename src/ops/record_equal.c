/* record_equal.c - whether elements of records are equal: field by field, joined by logical and. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/shape.h"
#include "ops/array_ops.h"

static tb_status equal_any(tb_array *a, tb_array *b, tb_array **out);

static tb_status apply(tb_op op, tb_array *a, tb_array *b, tb_array **out)
{
    static const tb_ufunc_args plain = TB_UFUNC_ARGS_INIT;
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_ARRAY, .array = b}};
    return tb__ufunc_call(&tb_op_table[op], in, out, &plain);
}

/* *e (stolen) without its last n axes: whether all along them are true. */
static tb_status all_of(tb_array **e, int n)
{
    tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = n, .dtype = TB_NODTYPE};
    tb_array *all = NULL;
    if (n == 0) return TB_OK;
    for (int k = 0; k < n; k++) args.axis[k] = (*e)->ndim - n + k;
    const tb_status status = tb__reduce(TB_RED_ALL, *e, &args, NULL, &all);
    tb_array_release(*e);
    *e = all;
    return status;
}

static tb_status fail_pair(tb_array *a, tb_array *b)
{
    return tb__fail(TB_ERR_TYPE, "equal: elements of %s and of %s cannot be compared", tb_dtype_name(a->dtype),
                    tb_dtype_name(b->dtype));
}

static tb_status equal_bytes(tb_array *a, tb_array *b, tb_array **out)
{
    tb_array *words[2], *e = NULL;
    bool axis;
    if (tb_dtype_size(a->dtype) != tb_dtype_size(b->dtype)) return fail_pair(a, b);
    const int64_t size = (int64_t)tb_dtype_size(a->dtype), integer = 8;
    TB_TRY(tb__words_at(0, size, integer, 2, (tb_array *const[]){a, b}, words, &axis));
    tb_status status = apply(TB_OP_equal, words[0], words[1], &e);
    tb_array_release(words[0]);
    tb_array_release(words[1]);
    if (status == TB_OK) status = all_of(&e, axis);
    if (status == TB_OK) *out = e;
    return status;
}

static tb_status equal_numbers(tb_array *a, tb_array *b, tb_array **out)
{
    tb_array *x, *y = NULL;
    TB_TRY(tb__aligned(a, &x));
    tb_status status = tb__aligned(b, &y);
    if (status == TB_OK) status = apply(TB_OP_equal, x, y, out);
    tb_array_release(x);
    tb_array_release(y);
    return status;
}

/* The integers, but the one that stands for no time. */
static tb_status equal_times(tb_array *a, tb_array *b, tb_array **out)
{
    tb_array *x = NULL, *y = NULL, *none = NULL, *same = NULL, *some = NULL;
    if (a->dtype != b->dtype) return fail_pair(a, b);
    tb_status status = tb__view(a, a->offset, TB_I64, a->ndim, a->dims, a->strides, &x);
    if (status == TB_OK) status = tb__view(b, b->offset, TB_I64, b->ndim, b->dims, b->strides, &y);
    if (status == TB_OK) status = tb__full(TB_I64, 0, NULL, 'C', tb_scalar_int(INT64_MIN), &none);
    if (status == TB_OK) status = equal_numbers(x, y, &same);
    tb_array *aligned = NULL;
    if (status == TB_OK) status = tb__aligned(x, &aligned);
    if (status == TB_OK) status = apply(TB_OP_not_equal, aligned, none, &some);
    if (status == TB_OK) status = apply(TB_OP_logical_and, same, some, out);
    tb_array *const made[] = {x, y, none, same, some, aligned};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) tb_array_release(made[i]);
    return status;
}

static bool same_place(const tb_field *f, const tb_field *g)
{
    return strcmp(f->name, g->name) == 0 && f->ndim == g->ndim &&
           (f->ndim == 0 || memcmp(f->shape, g->shape, (size_t)f->ndim * sizeof *f->shape) == 0);
}

static tb_status equal_field(tb_array *a, const tb_field *f, tb_array *b, const tb_field *g, tb_array **out)
{
    tb_array *x, *y = NULL, *e = NULL;
    TB_TRY(tb__field(a, f, &x));
    tb_status status = tb__field(b, g, &y);
    if (status == TB_OK) status = equal_any(x, y, &e);
    tb_array_release(x);
    tb_array_release(y);
    if (status == TB_OK) status = all_of(&e, f->ndim);
    if (status == TB_OK) *out = e;
    return status;
}

static tb_status equal_fields(tb_array *a, const tb_record *r, tb_array *b, const tb_record *s, tb_array **out)
{
    tb_array *all, *one, *both;
    int64_t shape[TB_MAXDIM];
    int ndim = a->ndim;
    bool alike = r->nfield == s->nfield;
    for (int i = 0; alike && i < r->nfield; i++) alike = same_place(&r->fields[i], &s->fields[i]);
    if (!alike) return fail_pair(a, b);
    memcpy(shape, a->dims, (size_t)ndim * sizeof *shape);
    TB_TRY(tb__broadcast("equal", &ndim, shape, b->ndim, b->dims));
    TB_TRY(tb__full(TB_BOOL, ndim, shape, 'C', tb_scalar_int(1), &all));
    for (int i = 0; i < r->nfield; i++) {
        tb_status status = equal_field(a, &r->fields[i], b, &s->fields[i], &one);
        if (status == TB_OK) {
            status = apply(TB_OP_logical_and, all, one, &both);
            tb_array_release(one);
        }
        tb_array_release(all);
        TB_TRY(status);
        all = both;
    }
    *out = all;
    return TB_OK;
}

static tb_status equal_any(tb_array *a, tb_array *b, tb_array **out)
{
    const tb_record *r = tb__record_known(a->dtype), *s = tb__record_known(b->dtype);
    if (!r && !s) return equal_numbers(a, b, out);
    if (!r || !s || r->kind != s->kind) return fail_pair(a, b);
    switch (r->kind) {
    case TB_RECORD_FIELDS: return equal_fields(a, r, b, s, out);
    case TB_RECORD_TIME: return equal_times(a, b, out);
    default: return equal_bytes(a, b, out);
    }
}

tb_status tb_record_equal(tb_array *a, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    return TB__OPERATION(equal_any(a, b, out));
}
