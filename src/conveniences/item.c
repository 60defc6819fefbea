/* item.c - the numbers of arrays in variables and host memory of the caller's, dtypes and sizes checked. */
#include <math.h>

#include "base/argument.h"
#include "conveniences/number.h"

static tb_status item(const char *who, tb_array *a, tb_scalar *out)
{
    char number[16];
    const tb_dtype t = tb_array_dtype(a);
    TB_ARE_NUMBERS(who, t);
    if (tb_array_size(a) != 1) {
        char shape[256];
        return tb__fail(TB_ERR_VALUE, "%s: a has one element, not the shape %s", who,
                        tb__shape_text(shape, sizeof shape, tb_array_ndim(a), tb_array_shape(a)));
    }
    const void *there = tb_array_peek(a);
    if (!there) TB_TRY(tb_array_get(a, number, NULL, NULL, true));
    *out = tb__number(there ? there : number, t);
    return TB_OK;
}

static tb_status fail_complex(const char *who, tb_scalar s)
{
    return tb__fail(TB_ERR_TYPE, "%s: a is of %s, which may have imaginary parts", who, tb_dtype_name(s.dtype));
}

static double as_float(tb_scalar s)
{
    if (tb_dtype_kind(s.dtype) == TB_KIND_FLOAT) return s.v.f;
    return tb_dtype_is_unsigned(s.dtype) ? (double)s.v.u : (double)s.v.i;
}

tb_status tb_item(tb_array *a, tb_scalar *v)
{
    TB_NOT_NULL(a, v);
    return item(__func__, a, v);
}

tb_status tb_item_f64(tb_array *a, double *v)
{
    tb_scalar s = {.dtype = TB_I64};
    TB_NOT_NULL(a, v);
    TB_TRY(item(__func__, a, &s));
    if (tb_dtype_kind(s.dtype) == TB_KIND_COMPLEX) return fail_complex(__func__, s);
    *v = as_float(s);
    return TB_OK;
}

tb_status tb_item_i64(tb_array *a, int64_t *v)
{
    tb_scalar s = {.dtype = TB_I64};
    TB_NOT_NULL(a, v);
    TB_TRY(item(__func__, a, &s));
    const tb_kind kind = tb_dtype_kind(s.dtype);
    if (kind == TB_KIND_COMPLEX) return fail_complex(__func__, s);
    if (kind == TB_KIND_FLOAT) {
        if (!(s.v.f == floor(s.v.f)) || isinf(s.v.f))
            return tb__fail(TB_ERR_TYPE, "tb_item_i64: %.17g is no integer", s.v.f);
        if (s.v.f < -0x1p63 || s.v.f >= 0x1p63)
            return tb__fail(TB_ERR_OVERFLOW, "tb_item_i64: %.17g is beyond int64", s.v.f);
        *v = (int64_t)s.v.f;
        return TB_OK;
    }
    if (tb_dtype_is_unsigned(s.dtype) && s.v.u > INT64_MAX)
        return tb__fail(TB_ERR_OVERFLOW, "tb_item_i64: %llu is beyond int64", (unsigned long long)s.v.u);
    *v = s.v.i;
    return TB_OK;
}

tb_status tb_item_c128(tb_array *a, double v[2])
{
    tb_scalar s = {.dtype = TB_I64};
    TB_NOT_NULL(a, v);
    TB_TRY(item(__func__, a, &s));
    const bool complex = tb_dtype_kind(s.dtype) == TB_KIND_COMPLEX;
    v[0] = complex ? s.v.c.re : as_float(s);
    v[1] = complex ? s.v.c.im : 0;
    return TB_OK;
}

static tb_status check_host(const char *who, const tb_array *a, tb_dtype dtype, int64_t n)
{
    if (tb_array_dtype(a) != dtype)
        return tb__fail(TB_ERR_TYPE, "%s: a is of %s, not of %s", who, tb_dtype_name(tb_array_dtype(a)),
                        tb_dtype_name(dtype));
    if (tb_array_size(a) != n)
        return tb__fail(TB_ERR_VALUE, "%s: a has %lld elements, and n is %lld", who, (long long)tb_array_size(a),
                        (long long)n);
    return TB_OK;
}

tb_status tb_get(tb_array *a, tb_dtype dtype, void *host, int64_t n)
{
    TB_NOT_NULL(a);
    TB_IS_ELEMENT(dtype);
    TB_TRY(check_host(__func__, a, dtype, n));
    if (n == 0) return TB_OK;
    TB_NOT_NULL(host);
    return tb_array_get(a, host, NULL, NULL, true);
}

tb_status tb_set(tb_array *a, tb_dtype dtype, const void *host, int64_t n)
{
    TB_NOT_NULL(a);
    TB_IS_ELEMENT(dtype);
    TB_TRY(check_host(__func__, a, dtype, n));
    if (n == 0) return TB_OK;
    TB_NOT_NULL(host);
    return tb_array_set(a, host, NULL, NULL, true);
}
