/* test_calls.c - ufunc calls, reductions, scans, random numbers; their errors; the memory limit, streams, threads. */
#include "arrays.h"
#include <math.h>
#include <pthread.h>

#define FLOATS(...) (float[]){__VA_ARGS__}
#define LONGS(...) (int64_t[]){__VA_ARGS__}
#define DOUBLES(...) (double[]){__VA_ARGS__}

static void test_ufunc_errors(void)
{
    tb_array *two = range(TB_F32, 0, 2), *three = range(TB_F32, 0, 3), *z = NULL, *out[1] = {NULL};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = two}, {TB_OPERAND_ARRAY, .array = three}};
    CHECK(tb_ufunc_find("no_such_ufunc") == NULL);
    CHECK_FAILS(tb_ufunc_call(tb_ufunc_find("add"), in, out, NULL), TB_ERR_VALUE, "(2,)");
    CHECK_OK(tb_full(TB_C64, 1, LONGS(2), 'C', tb_scalar_int(1), &z));
    in[1].array = z;
    CHECK_FAILS(tb_ufunc_call(tb_ufunc_find("arctan2"), in, out, NULL), TB_ERR_TYPE, "arctan2");
    CHECK(out[0] == NULL);
    /* Complex into float. */
    CHECK_FAILS(tb_ufunc_into(tb_ufunc_find("add"), in, &two, NULL, NULL), TB_ERR_CASTING, "complex64");
    in[1] = (tb_operand){TB_OPERAND_SCALAR, .scalar = tb_scalar_int(1000)};
    tb_array *bytes = range(TB_U8, 0, 2);
    in[0].array = bytes;
    CHECK_FAILS(tb_ufunc_call(tb_ufunc_find("add"), in, out, NULL), TB_ERR_OVERFLOW, "1000");
    tb_array_release(bytes);
    tb_array_release(two);
    tb_array_release(three);
    tb_array_release(z);
}

static void test_ufunc_table(void)
{
    CHECK(tb_ufunc_count() > 60);
    for (int i = 0; i < tb_ufunc_count(); i++) {
        const tb_ufunc *u = tb_ufunc_at(i);
        CHECK(tb_ufunc_find(tb_ufunc_name(u)) == u && tb_ufunc_doc(u)[0]);
        CHECK(tb_ufunc_nin(u) + tb_ufunc_nout(u) <= TB_MAXARGS);
        for (int k = 0; k < tb_ufunc_ntypes(u); k++) {
            const char *type = tb_ufunc_type(u, k);
            CHECK((int)strlen(type) == tb_ufunc_nin(u) + tb_ufunc_nout(u) + 2);
            CHECK(type[tb_ufunc_nin(u)] == '-');
        }
    }
}

/* What a variable held is not looked at, and what is written to gets no more references. */
static void test_results(void)
{
    tb_array *const garbage = (tb_array *)(uintptr_t)0x10, *x = range(TB_F32, 1, 4), *keep = x, *y, *both[2], *into[2];
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(2)}};
    const tb_reduce_args all = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    const tb_ufunc *add = tb_ufunc_find("add"), *divmod = tb_ufunc_find("divmod");
    y = garbage;
    CHECK_FAILS(
        tb_ufunc_call(
            add, (tb_operand[]){{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_float(1)}}, &y,
            &(tb_ufunc_args){sizeof(tb_ufunc_args), .dtype = TB_BOOL, .casting = TB_CAST_SAFE, .order = 'K'}),
        TB_ERR_CASTING, "add");
    CHECK(y == garbage);
    CHECK_OK(tb_ufunc_call(add, in, &y, NULL));
    CHECK(gives(y, FLOATS(3, 4, 5, 6)));
    both[0] = both[1] = garbage;
    CHECK_OK(tb_ufunc_call(divmod, in, both, NULL));
    CHECK(gives(both[0], FLOATS(0, 1, 1, 2)) && gives(both[1], FLOATS(1, 0, 1, 0)));
    into[0] = NULL, into[1] = x;
    CHECK_OK(tb_ufunc_into(divmod, in, into, both, NULL));
    CHECK(gives(both[0], FLOATS(0, 1, 1, 2)) && holds(x, FLOATS(1, 0, 1, 0)));
    y = garbage;
    CHECK_OK(tb_scan(TB_RED_SUM, x, 0, TB_NODTYPE, &y));
    CHECK(holds(y, FLOATS(1, 1, 2, 2)));
    CHECK_OK(tb_scan_into(TB_RED_SUM, y, 0, TB_NODTYPE, y));
    CHECK(holds(y, FLOATS(1, 2, 4, 6)));
    tb_array *sum = garbage, *product = garbage;
    CHECK_OK(tb_reduce(TB_RED_SUM, y, &all, &sum));
    CHECK_OK(tb_reduce_into(TB_RED_MAX, y, &all, sum));
    CHECK(holds(sum, FLOATS(6)));
    CHECK_OK(tb_matmul(x, y, &product));
    CHECK_OK(tb_matmul_into(y, y, product));
    CHECK(gives(product, FLOATS(57)));
    tb_array_release(sum);
    /* x = x + 2: the old array is the caller's to release. */
    CHECK_OK(tb_ufunc_call(add, in, &x, NULL));
    CHECK(x != keep);
    tb_array_release(keep);
    CHECK(gives(x, FLOATS(3, 2, 3, 2)));
    tb_array_release(y);
}

static void test_two_outputs(void)
{
    tb_array *a = range(TB_I64, -7, 3), *out[2] = {NULL, NULL};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(4)}};
    CHECK_OK(tb_ufunc_call(tb_ufunc_find("divmod"), in, out, NULL));
    CHECK(gives(out[0], LONGS(-2, -2, -2)) && gives(out[1], LONGS(1, 2, 3)));
    tb_array_release(a);
}

static void test_where_mask(void)
{
    tb_array *a = range(TB_F32, 0, 4), *mask = call_scalar("greater", a, tb_scalar_int(1)), *out[1] = {NULL};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(10)}},
               condition = {TB_OPERAND_ARRAY, .array = mask};
    CHECK_OK(tb_where(&condition, &in[0], &in[1], out));
    CHECK(gives(out[0], FLOATS(10, 10, 2, 3)));
    CHECK_OK(tb_full(TB_F32, 1, LONGS(4), 'C', tb_scalar_int(-1), &out[0]));
    tb_ufunc_args args = {sizeof(tb_ufunc_args), .dtype = TB_NODTYPE, .casting = TB_CAST_SAME_KIND, .order = 'K',
                          .where = mask};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), in, out, NULL, &args));
    CHECK(gives(out[0], FLOATS(-1, -1, 12, 13)));
    tb_array_release(a);
    tb_array_release(mask);
}

static void test_where_mask_of_two_results(void)
{
    tb_array *a = range(TB_I64, 0, 4), *mask = call_scalar("greater", a, tb_scalar_int(1)), *into[2], *rest[2];
    tb_operand in[2] = {tb_operand_array(a), tb_operand_int(2)};
    CHECK_OK(tb_full(TB_I64, 1, LONGS(4), 'C', tb_scalar_int(-1), &into[0]));
    CHECK_OK(tb_full(TB_I64, 1, LONGS(4), 'C', tb_scalar_int(-2), &into[1]));
    tb_ufunc_args args = TB_UFUNC_ARGS_INIT;
    args.where = mask;
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("divmod"), in, into, NULL, &args));
    CHECK(gives(into[0], LONGS(-1, -1, 1, 1)) && gives(into[1], LONGS(-2, -2, 0, 1)));
    into[0] = NULL;
    into[1] = a;
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("divmod"), in, into, rest, &args));
    CHECK(gives(a, LONGS(0, 1, 0, 1)));
    tb_array_release(rest[0]);
    tb_array_release(mask);
}

static void test_reductions(void)
{
    tb_array *a = range(TB_F32, 0, 6), *m = NULL, *out = NULL, *empty = NULL;
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK(gives(reduced(TB_RED_SUM, m, -1, 0), FLOATS(15)));
    CHECK(gives(reduced(TB_RED_SUM, m, 1, 0), FLOATS(3, 5, 7)));
    CHECK(gives(reduced(TB_RED_MAX, m, 1, -1), FLOATS(2, 5)));
    CHECK(gives(reduced(TB_RED_MEAN, m, 1, 1), FLOATS(1, 4)));
    CHECK(gives(reduced(TB_RED_ARGMAX, m, 1, 1), LONGS(2, 2)));
    CHECK(gives(reduced(TB_RED_PTP, m, -1, 0), FLOATS(5)));
    CHECK(gives(reduced(TB_RED_COUNT_NONZERO, m, -1, 0), LONGS(5)));
    tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = 1, .axis = {2}, .dtype = TB_NODTYPE};
    CHECK_FAILS(tb_reduce(TB_RED_SUM, m, &args, &out), TB_ERR_AXIS, "axis 2 is out of bounds");
    CHECK_OK(tb_empty(TB_F32, 1, LONGS(0), 'C', &empty));
    args.naxis = -1;
    CHECK_FAILS(tb_reduce(TB_RED_MAX, empty, &args, &out), TB_ERR_VALUE, "");
    CHECK(gives(reduced(TB_RED_SUM, empty, -1, 0), FLOATS(0)));
    CHECK(out == NULL);
    CHECK_OK(tb_scan(TB_RED_SUM, m, TB_ALL_AXES, TB_NODTYPE, &out));
    CHECK(gives(out, FLOATS(0, 1, 3, 6, 10, 15)));
    out = NULL;
    CHECK_OK(tb_scan(TB_RED_SUM, m, 0, TB_NODTYPE, &out));
    CHECK(gives(out, FLOATS(0, 1, 2, 3, 5, 7)));
    out = NULL;
    CHECK_OK(tb_scan(TB_RED_MIN, m, 0, TB_NODTYPE, &out));
    CHECK(gives(out, FLOATS(0, 1, 2, 0, 1, 2)));
    out = NULL;
    CHECK_FAILS(tb_scan(TB_RED_MEAN, m, 0, TB_NODTYPE, &out), TB_ERR_VALUE, "mean has no running form");
    tb_array *starts = range(TB_I64, 0, 2), *wrong = range(TB_I64, 2, 2);
    CHECK_OK(tb_reduceat(TB_RED_MAX, m, starts, 0, TB_NODTYPE, &out));
    CHECK(gives(out, FLOATS(0, 1, 2, 3, 4, 5)));
    out = NULL;
    CHECK_FAILS(tb_reduceat(TB_RED_MAX, m, wrong, 0, TB_NODTYPE, &out), TB_ERR_INDEX, "index 2 is out of bounds");
    CHECK_FAILS(tb_reduceat(TB_RED_MEAN, m, starts, 0, TB_NODTYPE, &out), TB_ERR_VALUE, "mean");
    CHECK_FAILS(tb_reduceat(TB_RED_MAX, m, a, 0, TB_NODTYPE, &out), TB_ERR_TYPE, "integers");
    tb_array_release(starts);
    tb_array_release(wrong);
    tb_array_release(empty);
    tb_array_release(m);
    tb_array_release(a);
}

static void test_search(void)
{
    tb_array *sorted = range(TB_F32, 0, 6), *whole = range(TB_I64, 2, 3), *m, *none, *out = NULL;
    CHECK_OK(tb_reshape(sorted, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_searchsorted(sorted, m, false, &out));
    CHECK(gives(out, LONGS(0, 1, 2, 3, 4, 5)));
    out = NULL;
    CHECK_OK(tb_searchsorted(sorted, whole, true, &out));
    CHECK(gives(out, LONGS(3, 4, 5)));
    out = NULL;
    CHECK_FAILS(tb_searchsorted(m, sorted, false, &out), TB_ERR_VALUE, "one-dimensional, not of 2");
    CHECK_FAILS(tb_searchsorted(NULL, sorted, false, &out), TB_ERR_VALUE, "sorted");
    CHECK_OK(tb_empty(TB_F32, 1, LONGS(0), 'C', &none));
    CHECK_OK(tb_searchsorted(none, whole, false, &out));
    CHECK(gives(out, LONGS(0, 0, 0)));
    out = NULL;
    CHECK_OK(tb_histogram_between(m, whole, &out));
    CHECK(gives(out, LONGS(1, 2)));
    out = NULL;
    CHECK_FAILS(tb_histogram_between(m, m, &out), TB_ERR_VALUE, "one-dimensional");
    CHECK_FAILS(tb_histogram_between(m, none, &out), TB_ERR_VALUE, "at least two");
    CHECK_OK(tb_interp(m, whole, whole, &(double){-5}, NULL, &out));
    CHECK(gives(out, DOUBLES(-5, -5, 2, 3, 4, 4)));
    CHECK_FAILS(tb_interp(m, m, whole, NULL, NULL, &out), TB_ERR_VALUE, "one-dimensional");
    CHECK_FAILS(tb_interp(m, sorted, whole, NULL, NULL, &out), TB_ERR_VALUE, "6 elements, fp has 3");
    CHECK_FAILS(tb_interp(m, none, none, NULL, NULL, &out), TB_ERR_VALUE, "at least one point");
    tb_array_release(none);
    tb_array_release(whole);
    tb_array_release(m);
    tb_array_release(sorted);
}

/* By the host in one pass, and where numbers are large for it by a reduction and a scatter. */
static void test_objects(void)
{
    tb_array *six = range(TB_I32, 0, 6), *reals = range(TB_F64, 0, 4), *m, *out = NULL, *at = NULL;
    const bool cross[] = {false, true, false, true, true, true, false, true, false};
    int64_t count = 7;
    CHECK_OK(tb_reshape(six, 2, LONGS(2, 3), 'C', NULL, &m));
    CHECK_OK(tb_label(m, cross, &out, &count));
    CHECK(count == 1 && tb_array_dtype(out) == TB_I32);
    CHECK(gives(out, ((int32_t[]){0, 1, 1, 1, 1, 1})));
    CHECK_FAILS(tb_label(m, NULL, &out, &count), TB_ERR_VALUE, "connected");
    CHECK_OK(tb_label_boxes(m, 2, &out));
    CHECK(gives(out, LONGS(0, 1, 1, 2, 0, 1, 2, 3)));
    CHECK_FAILS(tb_label_boxes(reals, 1, &out), TB_ERR_TYPE, "float64");
    CHECK_FAILS(tb_label_boxes(m, -1, &out), TB_ERR_VALUE, "-1");
    CHECK_OK(tb_distance_transform(m, DOUBLES(1, 2), TB_F64, &out, &at));
    CHECK(gives(out, DOUBLES(0, 2, 4, 1, sqrt(5), sqrt(17))) && gives(at, ((int32_t[12]){0})));
    CHECK_OK(tb_distance_transform(m, DOUBLES(1, 1), TB_F32, &out, NULL));
    CHECK(gives(out, FLOATS(0, 1, 2, 1, sqrtf(2), sqrtf(5))));
    CHECK_FAILS(tb_distance_transform(m, DOUBLES(1, 1), TB_I32, &out, NULL), TB_ERR_TYPE, "int32");
    CHECK_FAILS(tb_distance_transform(m, NULL, TB_F32, &out, NULL), TB_ERR_VALUE, "steps");
    const double ten = 10;
    tb_array *point;
    CHECK_OK(tb_full(TB_F64, 1, LONGS(2), 'C', tb_scalar_float(1), &point));
    CHECK_OK(tb_spline_at(reals, 3, TB_SPLINE_AT_MIRROR, 0, 0, 1, &point, &out));
    CHECK(gives(out, DOUBLES(1, 1))); /* splines through a line are the line */
    CHECK_OK(tb_spline_at(m, 0, TB_SPLINE_AT_CONSTANT, ten, 0, 1, &point, &out));
    CHECK(gives(out, DOUBLES(1, 1, 4, 4)));
    CHECK_FAILS(tb_spline_at(m, 6, TB_SPLINE_AT_WRAP, 0, 0, 1, &point, &out), TB_ERR_VALUE, "it is 6");
    CHECK_FAILS(tb_spline_at(m, 1, TB_SPLINE_AT_WRAP, 0, 0, 3, &point, &out), TB_ERR_VALUE, "it is 3");
    CHECK_FAILS(tb_spline_at(reals, 1, TB_SPLINE_AT_WRAP, 0, 0, 1, (tb_array *[]){NULL}, &out), TB_ERR_VALUE, "at[d]");
    const double one = 1;
    const tb_spline_edge edge = TB_SPLINE_MIRROR;
    tb_window w = {.kind = TB_WINDOW_SUM, .nplace = 1, .place = LONGS(0), .weights = &one, .edge = &edge};
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F32, TB_F64, &out), TB_ERR_TYPE, "float32 cannot be computed");
    w.weights = NULL;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "weights");
    w.kind = TB_WINDOW_RANK;
    w.rank = 1;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "it is 1");
    w.nplace = 0;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "it is 0");
    w.kind = TB_WINDOW_MEAN;
    w.nplace = 2;
    w.place = LONGS(0, 2);
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "follow one another");
    tb_window then = {.kind = TB_WINDOW_MEAN, .nplace = 2, .place = LONGS(0, 2)};
    w = (tb_window){.kind = TB_WINDOW_MEAN, .nplace = 2, .place = LONGS(0, 1), .edge = &edge, .then = &then};
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "follow one another");
    then.place = NULL;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "place");
    then = (tb_window){.kind = TB_WINDOW_LEAST, .nplace = 1, .place = LONGS(0)};
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_C128, &out), TB_ERR_TYPE, "cannot be computed");
    then.then = &then;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_NOT_IMPLEMENTED, "more than two");
    w = (tb_window){.kind = TB_WINDOW_SUM, .nplace = 1, .place = LONGS(0), .edge = &edge, .on_device = reals};
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "weights must be 1 float64");
    w.weights = &one;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_VALUE, "in place of others");
    w = (tb_window){.kind = TB_WINDOW_MEAN, .nplace = 2, .place = LONGS(0, 1), .edge = &edge};
    CHECK_OK(tb_window_filter(reals, &w, TB_F64, TB_F32, &out));
    CHECK(gives(out, FLOATS(0.5, 1.5, 2.5, 2.5)));
    w = (tb_window){.kind = TB_WINDOW_RANK, .nplace = 3, .place = LONGS(-1, 0, 1), .rank = 1, .edge = &edge};
    CHECK_OK(tb_window_filter(reals, &w, TB_F64, TB_F64, &out));
    CHECK(gives(out, DOUBLES(1, 1, 2, 2)));
    w.rank = 0;
    w.nplace = 200;
    int64_t far[200] = {0};
    w.place = far;
    CHECK_FAILS(tb_window_filter(reals, &w, TB_F64, TB_F64, &out), TB_ERR_NOT_IMPLEMENTED, "200 places");
    w.nplace = 60; /* one place, sixty times */
    w.rank = 59;
    CHECK_OK(tb_window_filter(reals, &w, TB_F64, TB_F64, &out));
    CHECK(gives(out, DOUBLES(0, 1, 2, 3)));
    for (int i = 0; i < 200; i++) far[i] = i - 199;
    w.nplace = 200;
    w.rank = 100;
    CHECK_OK(tb_window_filter(reals, &w, TB_F64, TB_F64, &out));
    CHECK(gives(out, DOUBLES(1, 1, 2, 2)));
    const double map[] = {1, 0, 0}, half = 0.5;
    CHECK_OK(tb_spline_at_map(m, 1, TB_SPLINE_AT_WRAP, 0, 0, 1, LONGS(2), true, map, TB_F64, &out));
    CHECK(gives(out, DOUBLES(0, 0, 3, 3)));
    CHECK_OK(tb_spline_at_map(m, 0, TB_SPLINE_AT_CONSTANT, 7, 0, 2, LONGS(1, 3), false, DOUBLES(0, -1, 1, 0, 1, 0),
                              TB_F32, &out));
    CHECK(gives(out, FLOATS(3, 1, 7)));
    CHECK_FAILS(tb_spline_at_map(m, -1, TB_SPLINE_AT_WRAP, 0, 0, 1, LONGS(2), true, map, TB_F64, &out), TB_ERR_VALUE,
                "it is -1");
    CHECK_FAILS(tb_spline_at_map(m, 1, TB_SPLINE_AT_WRAP, 0, 0, 3, LONGS(2), true, map, TB_F64, &out), TB_ERR_VALUE,
                "it is 3");
    CHECK_FAILS(tb_spline_at_map(m, 1, TB_SPLINE_AT_WRAP, 0, 0, 1, LONGS(-2), true, map, TB_F64, &out), TB_ERR_VALUE,
                "-2");
    CHECK_FAILS(tb_spline_at_map(m, 1, TB_SPLINE_AT_WRAP, 0, 0, 1, LONGS(2), true, map, TB_I32, &out), TB_ERR_TYPE,
                "int32");
    CHECK_FAILS(tb_polyphase(reals, reals, 1 << 20, 3, 0, 1, &out), TB_ERR_NOT_IMPLEMENTED, "1048576 to 3");
    CHECK_FAILS(tb_polyphase(reals, reals, 0, 1, 0, 1, &out), TB_ERR_VALUE, "not 0 and 1");
    CHECK_FAILS(tb_polyphase(reals, reals, 1, 1, -1, 1, &out), TB_ERR_VALUE, "negative");
    CHECK_FAILS(tb_polyphase(reals, reals, 1, INT64_MAX, 0, 3, &out), TB_ERR_VALUE, "3 results");
    CHECK_FAILS(tb_polyphase(six, reals, 1, 1, 0, 1, &out), TB_ERR_TYPE, "int32 and float64");
    tb_array *square;
    CHECK_OK(tb_reshape(reals, 2, LONGS(2, 2), 'C', NULL, &square));
    CHECK_FAILS(tb_polyphase(reals, square, 1, 1, 0, 1, &out), TB_ERR_VALUE, "taps 2 and 4 elements");
    tb_array_release(square);
    CHECK_OK(tb_two_sided_sums(point, 0, TB_SPLINE_MIRROR, 1, &half, &one, &out));
    CHECK(gives(out, DOUBLES(3, 3)));
    CHECK_FAILS(tb_two_sided_sums(reals, 0, TB_SPLINE_MIRROR, 3, &half, &half, &out), TB_ERR_VALUE, "it is 3");
    CHECK_FAILS(tb_two_sided_sums(reals, 0, TB_SPLINE_MIRROR, 1, &ten, &half, &out), TB_ERR_VALUE, "10");
    CHECK_FAILS(tb_two_sided_sums(reals, 0, TB_SPLINE_NEAREST, 1, &half, &half, &out), TB_ERR_VALUE, "edge");
    tb_array_release(point);
    tb_array_release(m);
    tb_array_release(six);
    tb_array_release(reals);
}

static void test_bincount(void)
{
    tb_array *x = range(TB_I32, 0, 4), *weights = range(TB_F32, 1, 4), *m, *large, *wide, *out = NULL;
    CHECK_OK(tb_bincount(x, NULL, 0, &out));
    CHECK(gives(out, LONGS(1, 1, 1, 1)));
    CHECK_OK(tb_bincount(x, weights, 6, &out));
    CHECK(gives(out, (double[]){1, 2, 3, 4, 0, 0}));
    CHECK_OK(tb_from_host(LONGS(70000, 2), TB_I64, 1, LONGS(2), NULL, 'C', &large));
    CHECK_OK(tb_from_host((double[]){5, 7}, TB_F64, 1, LONGS(2), NULL, 'C', &wide));
    for (int weighted = 0; weighted < 2; weighted++) {
        tb_array *some, *sum;
        CHECK_OK(tb_bincount(large, weighted ? wide : NULL, 0, &out));
        CHECK(tb_array_size(out) == 70001);
        CHECK_OK(tb_take(out, large, 0, TB_BOUNDS_RAISE, &some));
        CHECK(weighted ? gives(some, (double[]){5, 7}) : gives(some, LONGS(1, 1)));
        CHECK_OK(tb_reduce(TB_RED_SUM, out, NULL, &sum));
        CHECK(weighted ? gives(sum, (double[]){12}) : gives(sum, LONGS(2)));
        tb_array_release(out);
    }
    CHECK_OK(tb_array_set(large, LONGS(-3, 9), NULL, NULL, true));
    CHECK_FAILS(tb_bincount(large, NULL, 0, &out), TB_ERR_VALUE, "negative elements, one is -3");
    CHECK_OK(tb_array_set(large, LONGS(1, -100000), NULL, NULL, true));
    CHECK_FAILS(tb_bincount(large, NULL, 0, &out), TB_ERR_VALUE, "one is -100000");
    CHECK_OK(tb_reshape(x, 2, LONGS(2, 2), 'C', NULL, &m));
    CHECK_FAILS(tb_bincount(m, NULL, 0, &out), TB_ERR_VALUE, "one-dimensional");
    CHECK_FAILS(tb_bincount(weights, NULL, 0, &out), TB_ERR_TYPE, "integers, not float32");
    CHECK_FAILS(tb_bincount(x, wide, 0, &out), TB_ERR_VALUE, "weights must have x's shape");
    CHECK_FAILS(tb_bincount(x, NULL, -1, &out), TB_ERR_VALUE, "minlength must not be negative");
    tb_array *all[] = {x, weights, m, large, wide};
    for (int i = 0; i < 5; i++) tb_array_release(all[i]);
}

static void test_convolutions(void)
{
    tb_array *a = range(TB_F32, 1, 4), *v = range(TB_I32, 1, 2), *m, *none, *number, *out = NULL;
    CHECK_OK(tb_convolve(a, v, TB_OVERLAP_FULL, &out));
    CHECK(tb_array_dtype(out) == TB_F64 && gives(out, (double[]){1, 4, 7, 10, 8}));
    CHECK_OK(tb_convolve(v, a, TB_OVERLAP_SAME, &out));
    CHECK(gives(out, (double[]){1, 4, 7, 10}));
    CHECK_OK(tb_correlate(a, v, TB_OVERLAP_VALID, &out));
    CHECK(gives(out, (double[]){5, 8, 11}));
    CHECK_OK(tb_correlate(v, a, TB_OVERLAP_VALID, &out));
    CHECK(gives(out, (double[]){11, 8, 5}));
    CHECK_OK(tb_full(TB_I32, 0, NULL, 'C', tb_scalar_int(3), &number));
    CHECK_OK(tb_convolve(v, number, TB_OVERLAP_FULL, &out));
    CHECK(gives(out, (int32_t[]){3, 6}));
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 2), 'C', NULL, &m));
    CHECK_OK(tb_empty(TB_F32, 1, LONGS(0), 'C', &none));
    CHECK_FAILS(tb_convolve(a, m, TB_OVERLAP_FULL, &out), TB_ERR_VALUE, "v must have one dimension, it has 2");
    CHECK_FAILS(tb_correlate(none, a, TB_OVERLAP_FULL, &out), TB_ERR_VALUE, "a must not be empty");
    CHECK_FAILS(tb_correlate(a, number, TB_OVERLAP_FULL, &out), TB_ERR_VALUE, "v must have one dimension, it has 0");
    CHECK_FAILS(tb_convolve(a, v, (tb_overlap)3, &out), TB_ERR_VALUE, "mode is 3");
    tb_array *all[] = {a, v, m, none, number};
    for (int i = 0; i < 5; i++) tb_array_release(all[i]);
}

static void test_filters(void)
{
    const tb_filter echo = {1, 1, false, (double[]){2, 0}, (double[]){2, -1}};
    const tb_filter sums = {2, 1, false, (double[]){1, 0, 1, 0}, (double[]){1, -1, 1, -1}};
    const tb_filter turns = {1, 1, true, (double[]){1, 0, 0, 0}, (double[]){1, 0, 0, -1}};
    const tb_filter gain = {1, 0, false, (double[]){3}, (double[]){1}},
                    none = {1, 0, false, (double[]){1}, (double[]){0}};
    tb_array *a = range(TB_I32, 1, 4), *zi, *y = NULL, *zf = NULL, *m, *empty;
    CHECK_OK(tb_full(TB_F32, 2, LONGS(1, 1), 'C', tb_scalar_int(8), &zi));
    CHECK_OK(tb_recurrence(a, 0, TB_F64, &echo, false, NULL, &y, NULL));
    CHECK(gives(y, (double[]){1, 2.5, 4.25, 6.125}));
    CHECK_OK(tb_recurrence(a, -1, TB_F32, &echo, true, zi, &y, &zf));
    CHECK(tb_array_dtype(y) == TB_F32);
    CHECK(gives(y, (float[]){4.25f, 6.5f, 9, 12}) && gives(zf, (float[]){2.125f}));
    CHECK_OK(tb_recurrence(a, 0, TB_F64, &sums, false, NULL, &y, &zf));
    CHECK(tb_array_ndim(zf) == 2 && gives(y, (double[]){1, 4, 10, 20}) && gives(zf, (double[]){10, 20}));
    CHECK_OK(tb_recurrence(a, 0, TB_C128, &turns, false, NULL, &y, NULL));
    CHECK(gives(y, (double[]){1, 0, 2, 1, 2, 2, 2, 2}));
    CHECK_OK(tb_recurrence(a, 0, TB_C64, &gain, false, NULL, &y, &zf));
    CHECK(gives(y, (float[]){3, 0, 6, 0, 9, 0, 12, 0}) && tb_array_size(zf) == 0);
    tb_array_release(zf);
    CHECK_OK(tb_reshape(a, 2, LONGS(2, 2), 'C', NULL, &m));
    CHECK_OK(tb_recurrence(m, 0, TB_F64, &echo, false, NULL, &y, NULL));
    CHECK(gives(y, (double[]){1, 2, 3.5, 5}));
    CHECK_OK(tb_empty(TB_F64, 1, LONGS(0), 'C', &empty));
    CHECK_OK(tb_recurrence(empty, 0, TB_F32, &echo, false, zi, &y, &zf));
    CHECK(tb_array_size(y) == 0 && gives(zf, (float[]){8}));
    tb_array_release(y);
    CHECK_FAILS(tb_recurrence(a, 0, TB_F64, &none, false, NULL, &y, NULL), TB_ERR_VALUE, "a[0] of section 0 must not");
    CHECK_FAILS(tb_recurrence(a, 1, TB_F64, &echo, false, NULL, &y, NULL), TB_ERR_AXIS, "axis 1");
    CHECK_FAILS(tb_recurrence(a, 0, TB_I32, &echo, false, NULL, &y, NULL), TB_ERR_TYPE, "not int32");
    CHECK_FAILS(tb_recurrence(a, 0, TB_F64, &turns, false, NULL, &y, NULL), TB_ERR_TYPE, "complex coefficients");
    CHECK_FAILS(tb_recurrence(a, 0, TB_F64, &sums, false, zi, &y, &zf), TB_ERR_VALUE, "zi must have the shape");
    tb_array *all[] = {a, zi, m, empty};
    for (int i = 0; i < 4; i++) tb_array_release(all[i]);
}

static void test_peaks(void)
{
    tb_array *x, *peaks, *order, *m, *out[4], *left, *right, *kept;
    bool flat = true;
    CHECK_OK(tb_from_host((double[]){0, 3, 1, 4, 4, 0, 2, 0}, TB_F64, 1, LONGS(8), NULL, 'C', &x));
    CHECK_OK(tb_peaks_find(x, &peaks, &left, &right));
    CHECK(gives(left, LONGS(1, 3, 6)) && gives(right, LONGS(1, 4, 6)) && holds(peaks, LONGS(1, 3, 6)));
    CHECK_OK(tb_from_host(LONGS(2, 0, 1), TB_I64, 1, LONGS(3), NULL, 'C', &order));
    CHECK_OK(tb_peaks_apart(peaks, order, 3, &kept));
    CHECK(gives(kept, (uint8_t[]){0, 1, 1}));
    CHECK_OK(tb_peak_prominences(x, peaks, 0, out, &flat));
    CHECK(!flat && holds(out[0], (double[]){2, 4, 2}) && holds(out[1], LONGS(0, 0, 5)));
    CHECK(holds(out[2], LONGS(2, 5, 7)));
    CHECK_FAILS(tb_peak_widths(x, peaks, 0.5, 0, out[0], out[2], out[1], &kept, NULL), TB_ERR_VALUE, "around");
    CHECK_FAILS(tb_peak_widths(x, peaks, 0.5, 0, out[0], NULL, out[1], &kept, NULL), TB_ERR_VALUE, "left_bases");
    for (int i = 0; i < 3; i++) tb_array_release(out[i]);
    CHECK_OK(tb_peak_widths(x, peaks, 0.5, 0, NULL, NULL, NULL, out, NULL));
    CHECK(gives(out[1], (double[]){2, 2, 1}));
    tb_array_release(out[0]);
    CHECK(gives(out[2], (double[]){2 / 3.0, 2 + 1 / 3.0, 5.5}) && gives(out[3], (double[]){1.5, 4.5, 6.5}));
    CHECK_FAILS(tb_peak_prominences(x, peaks, 1, out, NULL), TB_ERR_VALUE, "window");
    CHECK_FAILS(tb_peak_prominences(peaks, x, 0, out, NULL), TB_ERR_TYPE, "must be integers");
    CHECK_FAILS(tb_peak_prominences(order, peaks, 0, out, NULL), TB_ERR_VALUE, "peak 3 is not");
    CHECK_FAILS(tb_peak_widths(x, peaks, -1, 0, NULL, NULL, NULL, out, NULL), TB_ERR_VALUE, "rel_height");
    CHECK_FAILS(tb_peaks_apart(peaks, peaks, 3, &kept), TB_ERR_VALUE, "no peak 3");
    CHECK_FAILS(tb_peaks_apart(peaks, x, 3, &kept), TB_ERR_TYPE, "`by` must be integers");
    CHECK_OK(tb_reshape(x, 2, LONGS(2, 4), 'C', NULL, &m));
    CHECK_FAILS(tb_peaks_find(m, &kept, NULL, NULL), TB_ERR_VALUE, "2 dimensions");
    tb_array *all[] = {x, peaks, order, m};
    for (int i = 0; i < 4; i++) tb_array_release(all[i]);
}

static void test_random(void)
{
    tb_rng one = {.seed = 7}, two = {.seed = 7};
    tb_array *a = NULL, *b = NULL;
    double numbers[100];
    CHECK_OK(tb_random(&one, TB_RAND_UNIFORM, TB_F64, tb_scalar_int(0), tb_scalar_int(1), 1, LONGS(100), &a));
    CHECK_OK(tb_random(&two, TB_RAND_UNIFORM, TB_F64, tb_scalar_int(0), tb_scalar_int(1), 1, LONGS(100), &b));
    CHECK(one.offset == two.offset && one.offset > 0);
    CHECK_OK(tb_array_get(a, numbers, NULL, NULL, true));
    CHECK(holds(b, numbers));
    for (int i = 0; i < 100; i++) CHECK(numbers[i] >= 0 && numbers[i] < 1);
    tb_array_release(b);
    CHECK_OK(tb_random(&two, TB_RAND_UNIFORM, TB_F64, tb_scalar_int(0), tb_scalar_int(1), 1, LONGS(100), &b));
    CHECK(!holds(b, numbers));
    tb_array_release(a);
    tb_array_release(b);
}

static void test_memory_limit(void)
{
    enum { LIMIT = 1 << 20 };
    size_t asked = 0, used, held;
    tb_array *big = NULL, *small = NULL;
    tb_pool_stats stats;
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK_OK(tb_pool_set_limit(NULL, 0, LIMIT));
    /* Whether it is told at the call or when the numbers are wanted depends on what is deferred. */
    tb_status status = tb_full(TB_F64, 1, LONGS(LIMIT), 'C', tb_scalar_int(1), &big);
    CHECK_FAILS(status == TB_OK ? tb_array_eval(big) : status, TB_ERR_MEMORY, "1048576");
    CHECK(tb_error_memory(&asked, &used, &held) && asked >= 8 * LIMIT && held <= LIMIT);
    tb_array_release(big);
    CHECK_OK(tb_full(TB_F64, 1, LONGS(1000), 'C', tb_scalar_int(1), &small));
    CHECK_OK(tb_array_eval(small));
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    CHECK(stats.limit == LIMIT && stats.used_bytes >= 8000 && stats.total_bytes <= LIMIT);
    tb_array_release(small);
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    CHECK(stats.used_bytes == 0);
    CHECK_OK(tb_pool_free_all(NULL, 0, NULL));
    CHECK_OK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    CHECK(stats.total_bytes == 0);
    CHECK_OK(tb_pool_set_limit(NULL, 0, 0));
}

static void test_streams(void)
{
    tb_stream *s = NULL, *before = NULL, *now = NULL;
    tb_event *e = NULL;
    bool done = false;
    CHECK_OK(tb_stream_current(&before));
    CHECK_OK(tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s));
    CHECK_OK(tb_stream_use(s));
    CHECK_OK(tb_stream_current(&now));
    CHECK(now == s);
    tb_fusion mode = tb_fusion_set(TB_FUSION_ALL);
    tb_array *a = range(TB_F32, 0, 3), *b = call("add", a, a);
    tb_fusion_set(mode);
    CHECK(tb_array_is_pending(b));
    CHECK_OK(tb_event_new(0, &e));
    CHECK_OK(tb_event_record(e, s));
    CHECK(!tb_array_is_pending(b));
    CHECK_OK(tb_event_synchronize(e));
    CHECK_OK(tb_event_query(e, &done));
    CHECK(done);
    CHECK_OK(tb_stream_use(before));
    tb_stream_release(s);
    tb_event_release(e);
    tb_array_release(a);
    CHECK(gives(b, FLOATS(0, 2, 4)));
}

static void *compute(void *unused)
{
    for (int i = 0; i < 300; i++) {
        double total = -1;
        tb_array *a = range(TB_F64, 0, 50), *b = call("multiply", a, a), *sum = reduced(TB_RED_SUM, b, -1, 0);
        CHECK_OK(tb_array_get(sum, &total, NULL, NULL, true));
        CHECK(total == 40425);
        tb_array_release(a);
        tb_array_release(b);
        tb_array_release(sum);
    }
    return unused;
}

static void test_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, compute, NULL) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static void test_forbidden_waits(void)
{
    tb_array *a = range(TB_F64, 0, 4), *mask = NULL, *r = NULL;
    double number[4];
    tb_stream *s;
    tb_event *e;
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(1)}};
    CHECK_OK(tb_ufunc_call(tb_ufunc_find("greater"), in, &mask, NULL));
    CHECK_OK(tb_stream_current(&s));
    CHECK_OK(tb_event_new(0, &e));
    tb_index key = {.kind = TB_INDEX_ARRAY, .array = mask};
    CHECK(tb_waits_get() && tb_waits_set(false) && !tb_waits_get());
    CHECK_FAILS(tb_array_get(a, number, NULL, NULL, true), TB_ERR_WAIT, "elements");
    CHECK_FAILS(tb_array_index(a, 1, &key, &r), TB_ERR_WAIT, "true elements");
    CHECK_FAILS(tb_stream_synchronize(s), TB_ERR_WAIT, "stream");
    CHECK_FAILS(tb_event_synchronize(e), TB_ERR_WAIT, "event");
    CHECK_FAILS(tb_device_synchronize(0), TB_ERR_WAIT, "device");
    CHECK(!tb_array_peek(a));
    CHECK_OK(tb_array_get(a, number, NULL, NULL, false));
    CHECK(!tb_waits_set(true));
    CHECK_OK(tb_array_index(a, 1, &key, &r));
    CHECK(tb_array_size(r) == 2);
    tb_event_release(e);
    tb_array_release(r);
    tb_array_release(mask);
    tb_array_release(a);
}

int main(void)
{
    CHECK_OK(tb_init());
    CHECK(strcmp(tb_backend_name(), "cpu") == 0);
    test_ufunc_errors();
    test_ufunc_table();
    test_results();
    test_two_outputs();
    test_where_mask();
    test_where_mask_of_two_results();
    test_reductions();
    test_search();
    test_objects();
    test_bincount();
    test_convolutions();
    test_filters();
    test_peaks();
    test_random();
    test_memory_limit();
    test_streams();
    test_threads();
    test_forbidden_waits();
    return check_report();
}
