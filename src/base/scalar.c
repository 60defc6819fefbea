/* scalar.c - single numbers: conversion to a dtype, and their part in choosing a result dtype (NEP 50).
 *
 * A tb_scalar always holds a value its dtype can represent: narrow integers are in range, float16 and float32 values
 * are rounded. */
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include <inttypes.h>

tb_scalar tb_scalar_int(int64_t v) { return (tb_scalar){.dtype = TB_I64, .weak = true, .v.i = v}; }

tb_scalar tb_scalar_float(double v) { return (tb_scalar){.dtype = TB_F64, .weak = true, .v.f = v}; }

tb_scalar tb_scalar_complex(double re, double im)
{
    return (tb_scalar){.dtype = TB_C128, .weak = true, .v.c = {re, im}};
}

tb_operand tb_operand_array(tb_array *a) { return (tb_operand){TB_OPERAND_ARRAY, .array = a}; }

tb_operand tb_operand_scalar(tb_scalar s) { return (tb_operand){TB_OPERAND_SCALAR, .scalar = s}; }

tb_operand tb_operand_int(int64_t v) { return tb_operand_scalar(tb_scalar_int(v)); }

tb_operand tb_operand_float(double v) { return tb_operand_scalar(tb_scalar_float(v)); }

static bool is_signed(tb_dtype t)
{
    return t == TB_BOOL || (tb_dtype_kind(t) == TB_KIND_INT && !tb_dtype_is_unsigned(t));
}

static uint64_t integer_max(tb_dtype t)
{
    int bits = 8 * (int)tb_dtype_size(t) - is_signed(t);
    return UINT64_MAX >> (64 - bits);
}

static bool integer_fits(tb_scalar s, tb_dtype t)
{
    bool negative = is_signed(s.dtype) && s.v.i < 0;
    if (!negative) return s.v.u <= integer_max(t);
    return is_signed(t) && s.v.i >= -(int64_t)integer_max(t) - 1;
}

/* Two's complement of the value cut to t, as C converts integers. */
static tb_scalar wrapped(uint64_t bits, tb_dtype t)
{
    tb_scalar out = {.dtype = t};
    int unused = 64 - 8 * (int)tb_dtype_size(t);
    if (is_signed(t)) {
        out.v.i = (int64_t)(bits << unused) >> unused;
    } else {
        out.v.u = bits << unused >> unused;
    }
    return out;
}

/* A float as an integer's bits. C leaves values out of range undefined; here they become what x86-64 makes of them, as
 * NumPy does there: the most negative number of the width that the conversion is done in. */
static uint64_t integer_bits(double f, tb_dtype t)
{
    bool in_long = f >= -0x1p63 && f < 0x1p63;
    if (t == TB_U64 && f >= 0x1p63) return f < 0x1p64 ? (uint64_t)(f - 0x1p63) + (1ull << 63) : 0;
    if (t == TB_U64 || t == TB_I64 || t == TB_U32) return in_long ? (uint64_t)(int64_t)f : 1ull << 63;
    return f > -0x1p31 - 1 && f < 0x1p31 ? (uint64_t)(int64_t)f : (uint64_t)INT32_MIN;
}

static double rounded(double f, tb_dtype t)
{
    if (tb__is_half(t)) return tb__half_value(t, tb__half_of(t, f));
    return t == TB_F32 ? (float)f : f;
}

/* Integers go to float32 in one rounding, not by way of double; to bfloat16 by way of float32, as ml_dtypes' do. */
static double integer_to_float(tb_scalar s, tb_dtype t)
{
    const bool narrow = t == TB_F32 || t == TB_BF16;
    if (is_signed(s.dtype)) return narrow ? rounded((float)s.v.i, t) : rounded((double)s.v.i, t);
    return narrow ? rounded((float)s.v.u, t) : rounded((double)s.v.u, t);
}

static bool is_true(tb_scalar s)
{
    switch (tb_dtype_kind(s.dtype)) {
    case TB_KIND_FLOAT: return s.v.f != 0;
    case TB_KIND_COMPLEX: return s.v.c.re != 0 || s.v.c.im != 0;
    default: return s.v.u != 0;
    }
}

static tb_status fail_out_of_bounds(tb_scalar s, tb_dtype t)
{
    if (is_signed(s.dtype)) {
        return tb__fail(TB_ERR_OVERFLOW, "Python integer %" PRId64 " out of bounds for %s", s.v.i, tb_dtype_name(t));
    }
    return tb__fail(TB_ERR_OVERFLOW, "Python integer %" PRIu64 " out of bounds for %s", s.v.u, tb_dtype_name(t));
}

tb_status tb_scalar_cast(tb_scalar s, tb_dtype t, tb_scalar *out)
{
    TB_NOT_NULL(out);
    TB_IS_DTYPE(t);
    if (s.dtype == t && (t == TB_I64 || t == TB_U64 || t == TB_F64)) {
        *out = s;
        out->weak = false;
        return TB_OK;
    }
    tb_kind from = tb_dtype_kind(s.dtype), to = tb_dtype_kind(t);
    bool from_integer = from == TB_KIND_INT || from == TB_KIND_BOOL;
    double re = from_integer ? integer_to_float(s, tb_dtype_real(t)) : s.v.f;
    if (to == TB_KIND_BOOL) {
        *out = (tb_scalar){.dtype = t, .v.i = is_true(s)};
    } else if (to == TB_KIND_INT) {
        if (from_integer && s.weak && !integer_fits(s, t)) return fail_out_of_bounds(s, t);
        *out = wrapped(from_integer ? s.v.u : integer_bits(re, t), t);
    } else if (to == TB_KIND_FLOAT) {
        *out = (tb_scalar){.dtype = t, .v.f = rounded(re, t)};
    } else {
        double im = from == TB_KIND_COMPLEX ? s.v.c.im : 0;
        tb_dtype part = tb_dtype_real(t);
        *out = (tb_scalar){.dtype = t, .v.c = {rounded(re, part), rounded(im, part)}};
    }
    return TB_OK;
}

/* The dtype that a weak scalar of `kind` makes of t: only the kind is raised; the precision is kept if it can be. */
static tb_dtype raise_kind(tb_dtype t, tb_kind kind)
{
    if (tb_dtype_kind(t) >= kind) return t;
    if (kind == TB_KIND_INT) return TB_I64;
    if (kind == TB_KIND_FLOAT) return TB_F64;
    return t <= TB_F32 && t >= TB_F16 ? TB_C64 : TB_C128;
}

static bool is_weak(const tb_scalar *s) { return s->weak && s->dtype != TB_BOOL; }

/* One of them is a record: then all are the same. */
static tb_status record_type(int n, const tb_dtype *dtypes, int nscalar, tb_dtype *out)
{
    for (int i = 0; i < n; i++) {
        TB_IS_ELEMENT(dtypes[i]);
        if (dtypes[i] != dtypes[0] || nscalar > 0)
            return tb__fail(TB_ERR_TYPE, "result_type: there is none for %s and %s", tb_dtype_name(dtypes[0]),
                            dtypes[i] != dtypes[0] ? tb_dtype_name(dtypes[i]) : "a number");
    }
    *out = dtypes[0];
    return TB_OK;
}

/* NumPy begins with the dtype that is highest in kind and then in size, as they are numbered here, so that the order of
 * the others does not matter: int8, uint8 and float16 make float16. */
tb_status tb_result_type(int ndtype, const tb_dtype *dtypes, int nscalar, const tb_scalar *scalars, tb_dtype *out)
{
    TB_NOT_NULL(out);
    TB_IS_COUNT(ndtype, INT_MAX);
    TB_IS_COUNT(nscalar, INT_MAX);
    if (ndtype > 0) TB_NOT_NULL(dtypes);
    if (nscalar > 0) TB_NOT_NULL(scalars);
    for (int i = 0; i < ndtype; i++)
        if (TB_UNLIKELY(tb__is_record(dtypes[i]))) return record_type(ndtype, dtypes, nscalar, out);
    for (int i = 0; i < ndtype; i++) TB_IS_DTYPE(dtypes[i]);
    for (int i = 0; i < nscalar; i++) TB_IS_DTYPE(scalars[i].dtype);
    tb_dtype t = TB_BOOL;
    tb_kind weak_kind = TB_KIND_BOOL;
    if (ndtype + nscalar == 0) return tb__fail(TB_ERR_VALUE, "result_type: at least one array or dtype is required");
    for (int i = 0; i < ndtype; i++) t = dtypes[i] > t ? dtypes[i] : t;
    for (int i = 0; i < nscalar; i++) {
        const tb_dtype s = scalars[i].dtype;
        if (!is_weak(&scalars[i])) t = s > t ? s : t;
        else if (tb_dtype_kind(s) > weak_kind) weak_kind = tb_dtype_kind(s);
    }
    for (int i = 0; i < ndtype; i++) t = tb_promote(t, dtypes[i]);
    for (int i = 0; i < nscalar; i++)
        if (!is_weak(&scalars[i])) t = tb_promote(t, scalars[i].dtype);
    *out = raise_kind(t, weak_kind);
    return TB_OK;
}
