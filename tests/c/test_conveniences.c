/* test_conveniences.c - the conveniences of the public API: numbers, text, keys, joins, take and put, dot, files,
 * memory of others. Against NumPy: tests/python/test_conveniences.py. */
#include <stdlib.h>
#include <unistd.h>

#include "arrays.h"
#include "conveniences/dl_tensor.h"

#define FLOATS(...) (float[]){__VA_ARGS__}
#define DOUBLES(...) (double[]){__VA_ARGS__}
#define LONGS(...) (int64_t[]){__VA_ARGS__}
#define ARRAYS(...) (tb_array *[]){__VA_ARGS__}

static tb_array *from(const void *host, tb_dtype t, int64_t n)
{
    tb_array *a = NULL;
    CHECK_OK(tb_from_host(host, t, 1, &n, NULL, 'C', &a));
    return a;
}

static tb_array *number(tb_dtype t, tb_scalar s)
{
    tb_array *a = NULL;
    CHECK_OK(tb_full(t, 0, NULL, 'C', s, &a));
    return a;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void test_items(void)
{
    for (int t = 0; t < TB_NDTYPE; t++) {
        tb_array *a = number((tb_dtype)t, tb_scalar_int(1));
        const bool complex = tb_dtype_kind((tb_dtype)t) == TB_KIND_COMPLEX;
        double f = 0, c[2] = {0, 7};
        int64_t i = 0;
        tb_scalar s = {0};
        CHECK(tb_item_f64(a, &f) == (complex ? TB_ERR_TYPE : TB_OK) && f == !complex);
        CHECK(tb_item_i64(a, &i) == (complex ? TB_ERR_TYPE : TB_OK) && i == !complex);
        CHECK(tb_item_c128(a, c) == TB_OK && c[0] == 1 && c[1] == 0);
        CHECK(tb_item(a, &s) == TB_OK && s.dtype == (tb_dtype)t && !s.weak);
        tb_array_release(a);
    }
}

static void test_items_that_do_not_fit(void)
{
    tb_array *half = number(TB_F32, tb_scalar_float(1.5)), *huge = number(TB_F64, tb_scalar_float(0x1p63));
    tb_array *top = number(TB_U64, (tb_scalar){.dtype = TB_U64, .v.u = UINT64_MAX}), *two = range(TB_F32, 0, 2);
    tb_array *least = number(TB_F64, tb_scalar_float(-0x1p63)), *pending = NULL, *none = range(TB_F32, 0, 0);
    int64_t i = 5;
    double f = 5;
    CHECK_FAILS(tb_item_i64(half, &i), TB_ERR_TYPE, "1.5 is no integer");
    CHECK_FAILS(tb_item_i64(huge, &i), TB_ERR_OVERFLOW, "beyond int64");
    CHECK_FAILS(tb_item_i64(top, &i), TB_ERR_OVERFLOW, "18446744073709551615");
    CHECK_FAILS(tb_item_f64(two, &f), TB_ERR_VALUE, "tb_item_f64: a has one element, not the shape (2,)");
    CHECK_FAILS(tb_item_f64(none, &f), TB_ERR_VALUE, "(0,)");
    CHECK_FAILS(tb_item_f64(NULL, &f), TB_ERR_VALUE, "tb_item_f64: a is NULL");
    CHECK_FAILS(tb_item_i64(half, NULL), TB_ERR_VALUE, "v is NULL");
    CHECK(i == 5 && f == 5);
    CHECK_OK(tb_item_f64(top, &f));
    CHECK(f == 0x1p64);
    CHECK_OK(tb_item_i64(least, &i));
    CHECK(i == INT64_MIN);
    CHECK_OK(tb_reshape(half, 3, LONGS(1, 1, 1), 'C', NULL, &pending));
    tb_array *sum = call("add", pending, half);
    CHECK_OK(tb_item_f64(sum, &f));
    CHECK(f == 3);
    tb_array *all[] = {half, huge, top, two, least, pending, none, sum};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

static void test_get_and_set(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *t = NULL;
    float got[6] = {0};
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_transpose(m, NULL, &t));
    CHECK_OK(tb_get(t, TB_F32, got, 6));
    CHECK(memcmp(got, FLOATS(0, 3, 1, 4, 2, 5), sizeof got) == 0);
    CHECK_OK(tb_set(t, TB_F32, FLOATS(1, 2, 3, 4, 5, 6), 6));
    CHECK(holds(a, FLOATS(1, 3, 5, 2, 4, 6)));
    CHECK_FAILS(tb_get(t, TB_F64, got, 6), TB_ERR_TYPE, "tb_get: a is of float32, not of float64");
    CHECK_FAILS(tb_set(t, TB_I32, got, 6), TB_ERR_TYPE, "tb_set");
    CHECK_FAILS(tb_get(t, TB_F32, got, 5), TB_ERR_VALUE, "a has 6 elements, and n is 5");
    CHECK_FAILS(tb_get(t, TB_F32, NULL, 6), TB_ERR_VALUE, "host is NULL");
    CHECK_FAILS(tb_get(t, (tb_dtype)99, got, 6), TB_ERR_VALUE, "99");
    tb_array *none = range(TB_I8, 0, 0);
    CHECK_OK(tb_get(none, TB_I8, NULL, 0));
    CHECK_OK(tb_set(none, TB_I8, NULL, 0));
    tb_array_release(none);
    tb_array_release(t);
    tb_array_release(m);
    tb_array_release(a);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static bool reads(tb_array *a, const char *expected)
{
    char *text = NULL;
    if (!CHECK_OK(tb_to_string(a, &text))) return false;
    const bool same = strcmp(text, expected) == 0;
    if (!same) fprintf(stderr, "the text was:\n%s\n", text);
    tb_free(text);
    tb_array_release(a);
    return same;
}

static void test_text(void)
{
    tb_array *m = NULL, *many = NULL, *a = range(TB_I64, 0, 4), *thousands = range(TB_I32, 0, 3000);
    CHECK_OK(tb_reshape(a, 3, LONGS(2, 1, 2), 'C', NULL, &m));
    CHECK(reads(m, "[[[0 1]]\n\n [[2 3]]]"));
    CHECK_OK(tb_reshape(thousands, 2, LONGS(2, 1500), 'C', NULL, &many));
    CHECK(reads(many, "[[   0    1    2 ... 1497 1498 1499]\n [1500 1501 1502 ... 2997 2998 2999]]"));
    CHECK(reads(from(DOUBLES(0.1, 1e-5, 2), TB_F64, 3), "[1.e-01 1.e-05 2.e+00]"));
    CHECK(reads(number(TB_F64, tb_scalar_float(1.0 / 3)), "0.3333333333333333"));
    CHECK(reads(number(TB_BOOL, tb_scalar_int(1)), "True"));
    CHECK(reads(range(TB_F16, 0, 0), "[]"));
    CHECK_FAILS(tb_to_string(a, NULL), TB_ERR_VALUE, "text is NULL");
    CHECK_FAILS(tb_print(NULL), TB_ERR_VALUE, "a is NULL");
    CHECK_OK(tb_print(a));
    tb_array_release(a);
    tb_array_release(thousands);
}

/* ---- keys, joins ------------------------------------------------------------------------------------------------- */

static tb_array *indexed(tb_array *a, int n, const tb_index *key)
{
    tb_array *out = NULL;
    CHECK_OK(tb_array_index(a, n, key, &out));
    return out;
}

static void test_keys(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *picks = from(LONGS(1, 1, 0), TB_I64, 3);
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK(gives(indexed(m, 2, (tb_index[]){tb_at(-1), tb_slice(TB_OPEN, TB_OPEN, -1)}), FLOATS(5, 4, 3)));
    CHECK(gives(indexed(m, 2, (tb_index[]){tb_whole(), tb_slice(1, -1, 1)}), FLOATS(1, 4)));
    CHECK(gives(indexed(m, 2, (tb_index[]){tb_ellipsis(), tb_at(0)}), FLOATS(0, 3)));
    CHECK(gives(indexed(m, 2, (tb_index[]){tb_by(picks), tb_at(2)}), FLOATS(5, 5, 2)));
    tb_array *places = NULL, *wrong;
    CHECK_OK(tb_reshape(picks, 2, LONGS(1, 3), 'C', NULL, &places));
    CHECK(gives(indexed(m, 1, (tb_index[]){tb_along(places, -1)}), FLOATS(1, 1, 0, 4, 4, 3)));
    CHECK(gives(indexed(m, 1, (tb_index[]){tb_along(places, 0)}), FLOATS(3, 4, 2)));
    CHECK(gives(indexed(m, 1, (tb_index[]){tb_along(picks, 0)}), FLOATS(3, 4, 5, 3, 4, 5, 0, 1, 2)));
    CHECK(tb_array_index(m, 1, (tb_index[]){tb_along(places, 2)}, &wrong) == TB_ERR_AXIS);
    CHECK(tb_array_index(m, 2, (tb_index[]){tb_along(places, 0), tb_at(0)}, &wrong) == TB_ERR_INDEX);
    tb_array *row = indexed(a, 2, (tb_index[]){tb_newaxis(), tb_slice(TB_OPEN, 2, 1)});
    CHECK(tb_array_ndim(row) == 2 && tb_array_shape(row)[0] == 1 && gives(row, FLOATS(0, 1)));
    const tb_operand nine = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(9)};
    CHECK_OK(tb_array_index_set(m, 1, (tb_index[]){tb_along(places, 1)}, &nine));
    CHECK(gives(tb_array_retain(m), FLOATS(9, 9, 2, 9, 9, 5)));
    tb_array_release(places);
    tb_array_release(m);
    tb_array_release(picks);
    tb_array_release(a);
}

static void test_joins(void)
{
    tb_array *a = range(TB_F32, 0, 2), *b = range(TB_I64, 5, 2), *c = range(TB_F32, 0, 3), *r = NULL;
    tb_array *zero = number(TB_F32, tb_scalar_int(0)), *four = range(TB_F32, 0, 4), *m = NULL, *row = NULL;
    CHECK_OK(tb_concatenate(2, ARRAYS(a, c), 0, &r));
    CHECK(gives(r, FLOATS(0, 1, 0, 1, 2)));
    CHECK_OK(tb_concatenate(2, ARRAYS(a, b), -1, &r));
    CHECK(tb_array_dtype(r) == TB_F64 && gives(r, DOUBLES(0, 1, 5, 6)));
    CHECK_OK(tb_stack(2, ARRAYS(a, b), 1, &r));
    CHECK(tb_array_ndim(r) == 2 && gives(r, DOUBLES(0, 5, 1, 6)));
    CHECK_OK(tb_stack_as(2, ARRAYS(a, b), -2, TB_F32, TB_CAST_SAME_KIND, &r));
    CHECK(gives(r, FLOATS(0, 1, 5, 6)));
    CHECK_OK(tb_concatenate_as(1, ARRAYS(a), 0, TB_NODTYPE, TB_CAST_NO, &r));
    CHECK(r != a && gives(r, FLOATS(0, 1)));
    CHECK_OK(tb_concatenate_into(2, ARRAYS(b, a), 0, TB_CAST_SAME_KIND, four));
    CHECK(holds(four, FLOATS(5, 6, 0, 1)));
    tb_array *head = indexed(four, 1, (tb_index[]){tb_slice(0, 2, 1)}),
             *tail = indexed(four, 1, (tb_index[]){tb_slice(2, 4, 1)});
    CHECK_OK(tb_reshape(four, 2, LONGS(2, 2), 'C', NULL, &m));
    CHECK_OK(tb_stack_into(2, ARRAYS(head, a), 0, TB_CAST_NO, m));
    CHECK(holds(four, FLOATS(5, 6, 0, 1)));
    r = NULL;
    CHECK_FAILS(tb_concatenate(2, ARRAYS(a, b), 1, &r), TB_ERR_AXIS, "axis 1 is out of bounds");
    CHECK_FAILS(tb_concatenate(0, ARRAYS(a), 0, &r), TB_ERR_VALUE, "at least one array");
    CHECK_FAILS(tb_concatenate(-5, ARRAYS(a), 0, &r), TB_ERR_VALUE, "at least one array");
    CHECK_FAILS(tb_concatenate(2, ARRAYS(a, NULL), 0, &r), TB_ERR_VALUE, "arrays[] is NULL");
    CHECK_FAILS(tb_concatenate(2, NULL, 0, &r), TB_ERR_VALUE, "arrays is NULL");
    CHECK_FAILS(tb_concatenate(1, ARRAYS(zero), 0, &r), TB_ERR_VALUE, "zero-dimensional");
    CHECK_FAILS(tb_concatenate(2, ARRAYS(a, m), 0, &r), TB_ERR_VALUE, "array 1 has 2");
    CHECK_OK(tb_reshape(c, 2, LONGS(1, 3), 'C', NULL, &row));
    CHECK_FAILS(tb_concatenate(2, ARRAYS(m, row), 0, &r), TB_ERR_VALUE, "along axis 1");
    CHECK_FAILS(tb_stack(2, ARRAYS(a, c), 0, &r), TB_ERR_VALUE, "same shape");
    CHECK_FAILS(tb_stack(2, ARRAYS(a, b), 2, &r), TB_ERR_AXIS, "2");
    CHECK_FAILS(tb_stack_as(1, ARRAYS(a), 0, TB_I64, TB_CAST_SAFE, &r), TB_ERR_CASTING, "");
    CHECK_FAILS(tb_stack_as(1, ARRAYS(a), 0, (tb_dtype)77, TB_CAST_SAFE, &r), TB_ERR_VALUE, "77");
    CHECK_FAILS(tb_concatenate_into(2, ARRAYS(a, a), 0, TB_CAST_SAFE, a), TB_ERR_VALUE, "wrong shape");
    CHECK_FAILS(tb_concatenate_into(2, ARRAYS(a, a), 0, (tb_casting)9, four), TB_ERR_VALUE, "9");
    CHECK(r == NULL);
    tb_array *all[] = {a, b, c, zero, four, m, row, head, tail};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

static void test_splits(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *out[4] = {NULL};
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_split(m, 1, LONGS(1), -1, out));
    CHECK(tb_may_share_memory(out[0], m));
    CHECK(gives(out[0], FLOATS(0, 3)) && gives(out[1], FLOATS(1, 2, 4, 5)));
    CHECK_OK(tb_split(a, 3, LONGS(4, 2, -1), 0, out));
    CHECK(gives(out[0], FLOATS(0, 1, 2, 3)) && tb_array_size(out[1]) == 0 && gives(out[1], FLOATS(0)));
    CHECK(gives(out[2], FLOATS(2, 3, 4)) && gives(out[3], FLOATS(5)));
    CHECK_OK(tb_split(a, 0, NULL, 0, out));
    CHECK(gives(out[0], FLOATS(0, 1, 2, 3, 4, 5)));
    out[0] = NULL;
    CHECK_FAILS(tb_split(a, 1, LONGS(1), 1, out), TB_ERR_AXIS, "1");
    CHECK_FAILS(tb_split(a, -1, LONGS(1), 0, out), TB_ERR_VALUE, "n is -1");
    CHECK_FAILS(tb_split(a, 1, NULL, 0, out), TB_ERR_VALUE, "positions is NULL");
    CHECK(out[0] == NULL);
    tb_array_release(m);
    tb_array_release(a);
}

/* ---- take, put --------------------------------------------------------------------------------------------------- */

static void test_take(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *r = NULL, *in = from(LONGS(0, -1), TB_I64, 2);
    tb_array *far = from(LONGS(7, -9), TB_I64, 2), *none = range(TB_F32, 0, 0);
    tb_array *huge = from((uint64_t[]){UINT64_MAX, 1}, TB_U64, 2), *flags = from((bool[]){true, false}, TB_BOOL, 2);
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_take(m, in, 1, TB_BOUNDS_RAISE, &r));
    CHECK(gives(r, FLOATS(0, 2, 3, 5)));
    CHECK_OK(tb_take(m, far, TB_ALL_AXES, TB_BOUNDS_WRAP, &r));
    CHECK(gives(r, FLOATS(1, 3)));
    CHECK_OK(tb_take(m, far, TB_ALL_AXES, TB_BOUNDS_CLIP, &r));
    CHECK(gives(r, FLOATS(5, 0)));
    CHECK_OK(tb_take(a, huge, 0, TB_BOUNDS_CLIP, &r));
    CHECK(gives(r, FLOATS(5, 1)));
    CHECK_OK(tb_take(a, flags, 0, TB_BOUNDS_RAISE, &r));
    CHECK(gives(r, FLOATS(1, 0)));
    CHECK_OK(tb_take_one(m, -1, 0, TB_BOUNDS_RAISE, &r));
    CHECK(!tb_may_share_memory(r, m) && gives(r, FLOATS(3, 4, 5)));
    CHECK_OK(tb_take_one(m, 8, 0, TB_BOUNDS_WRAP, &r));
    CHECK(gives(r, FLOATS(0, 1, 2)));
    CHECK_OK(tb_take_one(m, -3, 0, TB_BOUNDS_CLIP, &r));
    CHECK(gives(r, FLOATS(0, 1, 2)));
    CHECK_OK(tb_take(none, none, 0, TB_BOUNDS_RAISE, &r));
    CHECK(tb_array_size(r) == 0);
    tb_array_release(r);
    r = NULL;
    CHECK_FAILS(tb_take(a, far, 0, TB_BOUNDS_RAISE, &r), TB_ERR_INDEX,
                "index -9 is out of bounds for axis 0 with size 6");
    CHECK_FAILS(tb_take(a, huge, 0, TB_BOUNDS_RAISE, &r), TB_ERR_INDEX, "out of bounds");
    CHECK_FAILS(tb_take_one(a, 6, 0, TB_BOUNDS_RAISE, &r), TB_ERR_INDEX, "6");
    CHECK_FAILS(tb_take_one(none, 0, 0, TB_BOUNDS_WRAP, &r), TB_ERR_INDEX, "size 0");
    CHECK_FAILS(tb_take(a, a, 0, TB_BOUNDS_WRAP, &r), TB_ERR_TYPE, "indices must be integers, not float32");
    CHECK_FAILS(tb_take(m, in, 2, TB_BOUNDS_WRAP, &r), TB_ERR_AXIS, "2");
    CHECK_FAILS(tb_take(m, in, 0, (tb_bounds)3, &r), TB_ERR_VALUE, "bounds is 3");
    CHECK_FAILS(tb_take(m, NULL, 0, TB_BOUNDS_WRAP, &r), TB_ERR_VALUE, "indices is NULL");
    CHECK(r == NULL);
    tb_array *all[] = {a, m, in, far, none, huge, flags};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

static void test_put(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *t = NULL, *at = from(LONGS(0, 2, -1), TB_I64, 3);
    tb_array *far = from(LONGS(9), TB_I64, 1), *two = from(DOUBLES(7, 8), TB_F64, 2), *one = from(LONGS(3), TB_I64, 1);
    tb_array *none = range(TB_F64, 0, 0), *wide = NULL;
    CHECK_OK(tb_put(a, at, two, TB_BOUNDS_RAISE));
    CHECK(holds(a, FLOATS(7, 1, 8, 3, 4, 7)));
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_transpose(m, NULL, &t));
    CHECK_OK(tb_put(t, at, one, TB_BOUNDS_WRAP)); /* elements 0, 2 and 5 of [7, 3, 1, 4, 8, 7] */
    CHECK(holds(a, FLOATS(3, 3, 8, 3, 4, 3)));
    CHECK_OK(tb_put(a, far, two, TB_BOUNDS_CLIP));
    CHECK(holds(a, FLOATS(3, 3, 8, 3, 4, 7)));
    CHECK_OK(tb_put(a, none, two, TB_BOUNDS_RAISE));
    CHECK_OK(tb_put(a, at, none, TB_BOUNDS_RAISE));
    CHECK_OK(tb_put(a, at, a, TB_BOUNDS_RAISE)); /* reads what it writes */
    CHECK(holds(a, FLOATS(3, 3, 3, 3, 4, 8)));
    CHECK_FAILS(tb_put(a, far, two, TB_BOUNDS_RAISE), TB_ERR_INDEX, "index 9");
    CHECK_FAILS(tb_put(a, two, two, TB_BOUNDS_RAISE), TB_ERR_TYPE, "put: indices must be integers");
    CHECK_FAILS(tb_put(a, at, NULL, TB_BOUNDS_RAISE), TB_ERR_VALUE, "values is NULL");
    CHECK_OK(tb_broadcast_to(one, 2, LONGS(2, 2), &wide)); /* one element of memory: the last one that is put stays */
    CHECK_OK(tb_put(wide, far, two, TB_BOUNDS_WRAP));
    CHECK(holds(one, LONGS(3)));
    tb_array *all[] = {a, m, t, at, far, two, one, none, wide};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

/* ---- select, repeat ---------------------------------------------------------------------------------------------- */

static void test_selections(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *r = NULL, *none = range(TB_F64, 0, 0);
    tb_array *flags = from((bool[]){true, false, true}, TB_BOOL, 3), *few = from((bool[]){false, true}, TB_BOOL, 2);
    tb_array *mask = from((bool[]){false, true, true, false, true, false}, TB_BOOL, 6);
    tb_array *two = from(DOUBLES(7, 8), TB_F64, 2), *counts = from(LONGS(2, 0, 1), TB_I64, 3);
    tb_array *wrong = from(LONGS(1, -1, 1), TB_I64, 3), *one = from(LONGS(2), TB_I64, 1);
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_compress(flags, m, 1, &r));
    CHECK(gives(r, FLOATS(0, 2, 3, 5)));
    CHECK_OK(tb_compress(few, m, -1, &r));
    CHECK(gives(r, FLOATS(1, 4)));
    CHECK_OK(tb_compress(mask, m, TB_ALL_AXES, &r));
    CHECK(gives(r, FLOATS(1, 2, 4)));
    CHECK_OK(tb_repeat(m, 2, 0, &r));
    CHECK(gives(r, FLOATS(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5)));
    CHECK_OK(tb_repeat_by(m, counts, 1, &r));
    CHECK(gives(r, FLOATS(0, 0, 2, 3, 3, 5)));
    CHECK_OK(tb_repeat_by(a, one, TB_ALL_AXES, &r));
    CHECK(gives(r, FLOATS(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5)));
    r = NULL;
    CHECK_FAILS(tb_compress(flags, m, 0, &r), TB_ERR_INDEX, "beyond axis 0, which has size 2");
    CHECK_FAILS(tb_compress(m, m, 0, &r), TB_ERR_VALUE, "2 dimensions");
    CHECK_FAILS(tb_compress(flags, m, 2, &r), TB_ERR_AXIS, "2");
    CHECK_FAILS(tb_compress(NULL, m, 0, &r), TB_ERR_VALUE, "condition is NULL");
    CHECK_FAILS(tb_repeat(a, -1, 0, &r), TB_ERR_VALUE, "negative");
    CHECK_FAILS(tb_repeat_by(m, wrong, 1, &r), TB_ERR_VALUE, "negative");
    CHECK_FAILS(tb_repeat_by(m, counts, 0, &r), TB_ERR_VALUE, "3 repeats for an axis of length 2");
    CHECK_FAILS(tb_repeat_by(m, two, 0, &r), TB_ERR_TYPE, "float64");
    CHECK_FAILS(tb_repeat_by(m, m, 0, &r), TB_ERR_TYPE, "float32");
    CHECK_FAILS(tb_repeat(NULL, 1, 0, &r), TB_ERR_VALUE, "a is NULL");
    CHECK(r == NULL);
    CHECK_OK(tb_put_where(m, mask, two));
    CHECK(holds(a, FLOATS(0, 7, 8, 3, 7, 5)));
    CHECK_FAILS(tb_put_where(m, mask, none), TB_ERR_VALUE, "must not be empty");
    CHECK_FAILS(tb_put_where(m, flags, two), TB_ERR_VALUE, "a mask of 3 elements for an array of 6");
    CHECK(holds(a, FLOATS(0, 7, 8, 3, 7, 5)));
    tb_array *all[] = {a, m, none, flags, few, mask, two, counts, wrong, one};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

/* ---- round, dot, outer ------------------------------------------------------------------------------------------- */

static void test_round(void)
{
    tb_array *a = from(DOUBLES(1.25, -2.5, 1234.5), TB_F64, 3), *r = NULL, *into = range(TB_F32, 0, 3);
    tb_array *whole = from(LONGS(15, 25, -149), TB_I64, 3), *flag = from((bool[]){true}, TB_BOOL, 1);
    tb_array *c = from(DOUBLES(1.26, -0.74, 3, 0.05), TB_C128, 2);
    CHECK_OK(tb_round(a, 1, &r));
    CHECK(gives(r, DOUBLES(1.2, -2.5, 1234.5)));
    CHECK_OK(tb_round_into(a, 0, into));
    CHECK(holds(into, FLOATS(1, -2, 1234)));
    CHECK_OK(tb_round(whole, -1, &r));
    CHECK(gives(r, LONGS(20, 20, -150)));
    CHECK_OK(tb_round(whole, 3, &r));
    CHECK(r != whole && gives(r, LONGS(15, 25, -149)));
    CHECK_OK(tb_round(c, 1, &r));
    CHECK(gives(r, DOUBLES(1.3, -0.7, 3, 0)));
    CHECK_OK(tb_round_into(c, 1, c));
    CHECK(holds(c, DOUBLES(1.3, -0.7, 3, 0)));
    CHECK_FAILS(tb_round(flag, 1, &r), TB_ERR_TYPE, "bool arrays have no decimals");
    tb_array *all[] = {a, into, whole, flag, c};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

static void test_products_of_vectors(void)
{
    tb_array *v = range(TB_F64, 1, 2), *many = range(TB_F64, 0, 12), *one = number(TB_F64, tb_scalar_int(2));
    tb_array *into = range(TB_F32, 0, 6), *stack = NULL, *m = NULL, *z = NULL, *r = NULL;
    CHECK_OK(tb_reshape(many, 3, LONGS(3, 2, 2), 'C', NULL, &stack));
    CHECK_OK(tb_reshape(into, 2, LONGS(3, 2), 'C', NULL, &m));
    CHECK_OK(tb_vecdot(stack, v, -1, &r));
    CHECK(tb_array_ndim(r) == 2 && gives(r, DOUBLES(2, 8, 14, 20, 26, 32)));
    CHECK_OK(tb_matvec(stack, v, &r));
    CHECK(gives(r, DOUBLES(2, 8, 14, 20, 26, 32)));
    CHECK_OK(tb_vecmat(v, stack, &r));
    CHECK(gives(r, DOUBLES(4, 7, 16, 19, 28, 31)));
    CHECK_OK(tb_matvec_into(stack, v, m));
    CHECK(holds(into, FLOATS(2, 8, 14, 20, 26, 32)));
    CHECK_OK(tb_vecmat_into(v, stack, m));
    CHECK(holds(into, FLOATS(4, 7, 16, 19, 28, 31)));
    CHECK_OK(tb_full(TB_C128, 1, LONGS(2), 'C', tb_scalar_complex(0, 2), &z));
    CHECK_OK(tb_vdot(z, v, &r));
    CHECK(gives(r, DOUBLES(0, -6)));
    CHECK_FAILS(tb_vdot(v, many, &r), TB_ERR_VALUE, "2 and 12");
    CHECK_FAILS(tb_vecdot(v, many, -1, &r), TB_ERR_VALUE, "lengths 2 and 12");
    CHECK_FAILS(tb_vecdot(v, one, -1, &r), TB_ERR_VALUE, "operand 1");
    CHECK_FAILS(tb_vecdot(v, v, 1, &r), TB_ERR_AXIS, "axis 1");
    CHECK_FAILS(tb_matvec(v, v, &r), TB_ERR_VALUE, "at least 2 dimensions");
    tb_array *all[] = {v, many, one, into, stack, m, z};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

static void test_dot(void)
{
    tb_array *v = range(TB_F64, 1, 2), *many = range(TB_F64, 0, 12), *stack = NULL, *r = NULL, *m = NULL;
    tb_array *two = number(TB_F64, tb_scalar_int(2)), *into = range(TB_F32, 0, 6);
    CHECK_OK(tb_reshape(many, 3, LONGS(3, 2, 2), 'C', NULL, &stack));
    CHECK_OK(tb_dot(v, v, &r));
    CHECK(gives(r, DOUBLES(5)));
    CHECK_OK(tb_dot(two, v, &r));
    CHECK(gives(r, DOUBLES(2, 4)));
    CHECK_OK(tb_dot(v, stack, &r)); /* sums over the last axis but one */
    CHECK(tb_array_ndim(r) == 2 && gives(r, DOUBLES(4, 7, 16, 19, 28, 31)));
    CHECK_OK(tb_reshape(into, 2, LONGS(3, 2), 'C', NULL, &m));
    CHECK_OK(tb_dot_into(v, stack, m));
    CHECK(holds(into, FLOATS(4, 7, 16, 19, 28, 31)));
    CHECK_FAILS(tb_dot(many, stack, &r), TB_ERR_VALUE, "axis 0 of a has length 12, but axis 1 of b has length 2");
    CHECK_OK(tb_inner(stack, v, &r));
    CHECK(tb_array_ndim(r) == 2 && gives(r, DOUBLES(2, 8, 14, 20, 26, 32)));
    CHECK_FAILS(tb_inner(many, v, &r), TB_ERR_VALUE, "lengths 12 and 2");
    CHECK_OK(tb_ufunc_outer(tb_ufunc_find("subtract"), v, v, &r));
    CHECK(tb_array_ndim(r) == 2 && gives(r, DOUBLES(0, -1, 1, 0)));
    CHECK_FAILS(tb_ufunc_outer(tb_ufunc_find("exp"), v, v, &r), TB_ERR_VALUE, "exp does not have two inputs");
    CHECK_FAILS(tb_ufunc_outer(tb_ufunc_find("no such"), v, v, &r), TB_ERR_VALUE, "u is NULL");
    tb_array *all[] = {v, many, stack, m, two, into};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tb_array_release(all[k]);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void test_files(void)
{
    char path[] = "/tmp/tombac-npy-XXXXXX";
    const int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    tb_array *a = range(TB_I16, -3, 6), *m = NULL, *t = NULL, *r = NULL;
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_transpose(m, NULL, &t));
    CHECK_OK(tb_save_npy(t, path));
    CHECK_OK(tb_load_npy(path, &r));
    CHECK(tb_array_ndim(r) == 2 && tb_array_shape(r)[0] == 3 && tb_array_is_f_contiguous(r));
    CHECK(gives(r, (int16_t[]){-3, 0, -2, 1, -1, 2}));
    CHECK(truncate(path, 128 + 11) == 0);
    CHECK_FAILS(tb_load_npy(path, &r), TB_ERR_VALUE, "it ends after 11 of 12 bytes");
    CHECK(strstr(tb_error_message(), path) != NULL);
    unlink(path);
    CHECK_FAILS(tb_load_npy(path, &r), TB_ERR_VALUE, "/tmp/tombac-npy-");
    CHECK_FAILS(tb_load_npy("/tmp", &r), TB_ERR_VALUE, "/tmp");
    CHECK_FAILS(tb_load_npy(NULL, &r), TB_ERR_VALUE, "path is NULL");
    CHECK_FAILS(tb_save_npy(m, "/nowhere/x.npy"), TB_ERR_VALUE, "/nowhere/x.npy");
    tb_array_release(t);
    tb_array_release(m);
    tb_array_release(a);
}

/* ---- memory of others -------------------------------------------------------------------------------------------- */

static int gone;
static void count_gone(void *owner) { gone += *(int *)owner; }

static void test_memory(void)
{
    static float floats[6] = {0, 1, 2, 3, 4, 5};
    int one = 1;
    tb_array *a = NULL, *b = NULL;
    gone = 0;
    CHECK_OK(tb_from_memory(floats, TB_F32, 2, LONGS(2, 3), NULL, 0, false, count_gone, &one, &a));
    CHECK(holds(a, floats) && tb_array_is_writable(a));
    CHECK_OK(tb_from_memory(floats + 5, TB_F32, 1, LONGS(3), LONGS(-8), 0, true, NULL, NULL, &b));
    CHECK(holds(b, FLOATS(5, 3, 1)));
    CHECK_FAILS(tb_assign_scalar(b, tb_scalar_int(0)), TB_ERR_VALUE, "read-only");
    tb_array_release(b);
    b = NULL;
    tb_array_release(a);
    CHECK(gone == 1);
    CHECK_FAILS(tb_from_memory(NULL, TB_F32, 1, LONGS(3), NULL, 0, false, count_gone, &one, &b), TB_ERR_VALUE, "null");
    CHECK_FAILS(tb_from_memory(floats, TB_F32, 1, LONGS(INT64_MAX), NULL, 0, false, count_gone, &one, &b), TB_ERR_VALUE,
                "too large");
    CHECK_FAILS(tb_from_memory((char *)floats + 1, TB_F32, 1, LONGS(1), NULL, 0, false, count_gone, &one, &b),
                TB_ERR_VALUE, "");
    CHECK_FAILS(tb_from_memory((void *)64, TB_F32, 1, LONGS(1), NULL, 0, false, count_gone, &one, &b), TB_ERR_VALUE,
                "cannot read");
    CHECK_FAILS(tb_from_memory(floats, TB_F32, 1, LONGS(-1), NULL, 0, false, count_gone, &one, &b), TB_ERR_VALUE, "");
    CHECK_FAILS(tb_from_memory(floats, TB_NODTYPE, 1, LONGS(1), NULL, 0, false, count_gone, &one, &b), TB_ERR_VALUE,
                "t is");
    CHECK(b == NULL && gone == 1);
}

static void gone_plain(struct DLManagedTensor *m) { gone += *(int *)m->context; }
static void gone_versioned(struct DLManagedTensorVersioned *m) { gone += *(int *)m->context; }

static int calls;
static void call_deleter(void (*fn)(void *), void *arg)
{
    calls++;
    fn(arg);
}

static void test_import(void)
{
    static double numbers[4] = {1, 2, 3, 4};
    int64_t shape[2] = {2, 2}, strides[2] = {1, 2};
    int one = 1;
    const dl_tensor x = {.data = numbers, .device.type = DL_CPU, .ndim = 2, .dtype = {DL_FLOAT, 64, 1}, .shape = shape};
    struct DLManagedTensor plain = {x, &one, gone_plain};
    struct DLManagedTensorVersioned versioned = {
        .version = {1, 3}, .context = &one, .deleter = gone_versioned, .flags = DL_READ_ONLY, .tensor = x};
    tb_array *a = NULL;
    gone = calls = 0;
    CHECK_OK(tb_from_dlpack(&plain, false, &a));
    CHECK(tb_array_is_writable(a) && gives(a, numbers) && gone == 1);
    tb_dlpack_deleter_function(call_deleter);
    versioned.tensor.strides = strides;
    CHECK_OK(tb_from_dlpack_versioned(&versioned, &a));
    CHECK(!tb_array_is_writable(a) && gives(a, DOUBLES(1, 3, 2, 4)) && gone == 2 && calls == 1);
    tb_dlpack_deleter_function(NULL);
    plain.deleter = NULL;
    CHECK_OK(tb_from_dlpack(&plain, true, &a));
    CHECK(!tb_array_is_writable(a) && gives(a, numbers));
    a = NULL;
    plain.deleter = gone_plain;
    plain.tensor.dtype.lanes = 2;
    CHECK_FAILS(tb_from_dlpack(&plain, false, &a), TB_ERR_VALUE, "not supported");
    plain.tensor.dtype.lanes = 1;
    plain.tensor.device.type = 77;
    CHECK_FAILS(tb_from_dlpack(&plain, false, &a), TB_ERR_VALUE, "device type 77 is out of reach");
    versioned.version.major = 2;
    CHECK_FAILS(tb_from_dlpack_versioned(&versioned, &a), TB_ERR_VALUE, "version 2");
    CHECK_FAILS(tb_from_dlpack(NULL, false, &a), TB_ERR_VALUE, "managed is NULL");
    CHECK(a == NULL && gone == 2); /* what failed is still its owner's */
    tb_dlpack_delete(&plain);
    CHECK(gone == 3);
}

/* bfloat16: DLPack's code of its own, NumPy's two bytes with an order. */
static void test_bfloat(void)
{
    static uint16_t halves[4] = {0x3f80, 0x4000, 0x4040, 0xc080}; /* 1, 2, 3, -4 */
    int64_t shape[1] = {4};
    struct DLManagedTensor plain = {{.data = halves, .device.type = DL_CPU, .ndim = 1, .shape = shape}, NULL, NULL},
                           *out;
    tb_array *a = NULL, *wide = NULL, *read = NULL;
    char path[] = "/tmp/tombac-npy-XXXXXX", header[129] = {0};
    plain.tensor.dtype.code = DL_BFLOAT;
    plain.tensor.dtype.bits = 16;
    plain.tensor.dtype.lanes = 1;
    CHECK_OK(tb_from_dlpack(&plain, false, &a));
    CHECK(tb_array_dtype(a) == TB_BF16);
    CHECK_OK(tb_astype(a, TB_F32, 'K', TB_CAST_SAFE, true, &wide));
    CHECK(gives(wide, FLOATS(1, 2, 3, -4)));
    CHECK_OK(tb_astype(a, TB_BF16, 'K', TB_CAST_NO, true, &wide));
    CHECK_OK(tb_to_dlpack(wide, &out));
    CHECK(out->tensor.dtype.code == DL_BFLOAT && out->tensor.dtype.bits == 16);
    tb_dlpack_delete(out);
    const int file = mkstemp(path);
    CHECK(file >= 0);
    CHECK_OK(tb_save_npy(wide, path));
    CHECK(pread(file, header, 128, 0) == 128 && strstr(header + 10, "'<V2'"));
    CHECK_OK(tb_load_npy(path, &read));
    CHECK(tb_array_dtype(read) == TB_BF16 && gives(read, halves));
    *strchr(header + 10, '<') = '|'; /* bytes */
    CHECK(pwrite(file, header, 128, 0) == 128);
    CHECK_FAILS(tb_load_npy(path, &read), TB_ERR_TYPE, "'|V2'");
    close(file);
    unlink(path);
    tb_array_release(wide);
    tb_array_release(a);
}

static void test_export(void)
{
    tb_array *a = range(TB_F32, 0, 4), *m = NULL, *part = NULL, *b = NULL;
    struct DLManagedTensor *plain = NULL;
    struct DLManagedTensorVersioned *versioned = NULL;
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 2), 'C', NULL, &m));
    CHECK_OK(tb_transpose(m, NULL, &part));
    CHECK_OK(tb_to_dlpack_versioned(part, true, &versioned));
    const dl_tensor *x = &versioned->tensor;
    CHECK(versioned->version.major == 1 && versioned->flags == DL_COPIED && x->device.type == DL_CPU);
    CHECK(x->ndim == 2 && x->strides[0] == 1 && x->strides[1] == 2 && ((float *)x->data)[3] == 3);
    CHECK_OK(tb_from_dlpack_versioned(versioned, &b)); /* the array again */
    CHECK(b == part);
    tb_array_release(b);
    CHECK_OK(tb_to_dlpack(m, &plain));
    tb_array_release(m);
    tb_dlpack_delete(plain);
    CHECK_OK(tb_to_dlpack(part, &plain));
    CHECK_OK(tb_from_dlpack(plain, true, &b));
    CHECK(b == part && tb_array_is_writable(b));
    tb_array_release(b);
    tb_buffer_set_read_only(tb_array_buffer(a));
    plain = NULL;
    CHECK_FAILS(tb_to_dlpack(a, &plain), TB_ERR_VALUE, "read-only");
    CHECK(plain == NULL);
    CHECK_OK(tb_to_dlpack_versioned(a, false, &versioned));
    CHECK(versioned->flags == DL_READ_ONLY);
    tb_dlpack_delete_versioned(versioned);
    tb_dlpack_delete_versioned(NULL);
    tb_dlpack_delete(NULL);
    tb_array_release(part);
    tb_array_release(a);
}

int main(void)
{
    test_items();
    test_items_that_do_not_fit();
    test_get_and_set();
    test_text();
    test_keys();
    test_joins();
    test_splits();
    test_take();
    test_selections();
    test_put();
    test_round();
    test_dot();
    test_products_of_vectors();
    test_files();
    test_memory();
    test_import();
    test_bfloat();
    test_export();
    return check_report();
}
