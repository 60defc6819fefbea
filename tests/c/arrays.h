/* arrays.h - short ways to make, combine and compare small arrays in C tests. A failure inside is a failed check. */
#ifndef TB_TESTS_ARRAYS_H
#define TB_TESTS_ARRAYS_H
#include "check.h"

enum { MAX_ITEMS = 4096 };

static inline tb_array *range(tb_dtype t, double start, int64_t n)
{
    tb_array *a = NULL;
    CHECK_OK(tb_arange(t, tb_scalar_float(start), tb_scalar_int(1), n, &a));
    return a;
}

static inline tb_array *call(const char *ufunc, tb_array *a, tb_array *b)
{
    tb_array *out = NULL;
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_ARRAY, .array = b}};
    CHECK_OK(tb_ufunc_call(tb_ufunc_find(ufunc), in, &out, NULL));
    return out;
}

static inline tb_array *call_scalar(const char *ufunc, tb_array *a, tb_scalar s)
{
    tb_array *out = NULL;
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_SCALAR, .scalar = s}};
    CHECK_OK(tb_ufunc_call(tb_ufunc_find(ufunc), in, &out, NULL));
    return out;
}

static inline tb_array *reduced(tb_reduction op, tb_array *a, int naxis, int axis)
{
    tb_array *out = NULL;
    tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = naxis, .axis = {axis}, .dtype = TB_NODTYPE};
    CHECK_OK(tb_reduce(op, a, &args, &out));
    return out;
}

/* The elements of a, in C order, are exactly these numbers of a's dtype. */
static inline bool holds(tb_array *a, const void *expected)
{
    static _Alignas(16) char got[16 * MAX_ITEMS];
    size_t bytes = (size_t)tb_array_size(a) * tb_dtype_size(tb_array_dtype(a));
    return CHECK_OK(tb_array_get(a, got, NULL, NULL, true)) && memcmp(got, expected, bytes) == 0;
}

/* As holds, for an array that is not wanted any more. */
static inline bool gives(tb_array *a, const void *expected)
{
    bool ok = a && holds(a, expected);
    tb_array_release(a);
    return ok;
}

static inline tb_counters counted(void)
{
    tb_counters c;
    tb_counters_get(&c, sizeof c);
    return c;
}
#endif
