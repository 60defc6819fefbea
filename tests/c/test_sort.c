/* test_sort.c - the orders of elements of every shape of input, by the loops of the instruction set that the
 * environment names. tests/python/test_sorting.py has all dtypes. */
#include "arrays.h"
#include <stdlib.h>

enum { PATTERNS = 8 };

static uint64_t state = 1;

static uint64_t next(void)
{
    state = state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    return state ^ state >> 29;
}

static int64_t number(int pattern, int64_t i, int64_t least, int64_t most)
{
    const uint64_t r = next();
    switch (pattern) {
    case 0: return (int64_t)r & most;
    case 1: return (int64_t)(r % 3);
    case 2: return most - (int64_t)(r % 2);
    case 3: return least + (int64_t)(r % 2);
    case 4: return i;
    case 5: return -i;
    case 6: return i % 17;
    default: return 7;
    }
}

static int compare_32(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int compare_64(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of 64-bit numbers at x: are these the positions of a stable sort? */
static bool are_positions(const int64_t *position, const int64_t *x, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const int64_t a = x[position[i - 1]], b = x[position[i]];
        if (a > b || (a == b && position[i - 1] >= position[i])) return false;
    }
    return true;
}

static bool sorts(int pattern, int64_t n)
{
    int32_t *narrow = malloc((size_t)(n + 1) * sizeof *narrow), *got_narrow = malloc((size_t)(n + 1) * sizeof *narrow);
    int64_t *wide = malloc((size_t)(n + 1) * sizeof *wide), *got = malloc((size_t)(n + 1) * sizeof *wide);
    tb_array *a = NULL, *b = NULL, *sorted = NULL, *positions = NULL;
    for (int64_t i = 0; i < n; i++) {
        narrow[i] = (int32_t)number(pattern, i, INT32_MIN, INT32_MAX);
        wide[i] = number(pattern, i, INT64_MIN, INT64_MAX);
    }
    CHECK_OK(tb_from_host(narrow, TB_I32, 1, &n, NULL, 'C', &a));
    CHECK_OK(tb_from_host(wide, TB_I64, 1, &n, NULL, 'C', &b));
    bool ok = CHECK_OK(tb_argsort(b, 0, &positions)) && CHECK_OK(tb_array_get(positions, got, NULL, NULL, true)) &&
              are_positions(got, wide, n);
    ok = ok && CHECK_OK(tb_sort(a, 0, &sorted)) && CHECK_OK(tb_array_get(sorted, got_narrow, NULL, NULL, true));
    ok = ok && CHECK_OK(tb_sort_into(b, 0, b)) && CHECK_OK(tb_array_get(b, got, NULL, NULL, true));
    qsort(narrow, (size_t)n, sizeof *narrow, compare_32);
    qsort(wide, (size_t)n, sizeof *wide, compare_64);
    ok = ok && memcmp(narrow, got_narrow, (size_t)n * sizeof *narrow) == 0;
    ok = ok && memcmp(wide, got, (size_t)n * sizeof *wide) == 0;
    tb_array_release(a);
    tb_array_release(b);
    tb_array_release(sorted);
    tb_array_release(positions);
    free(narrow);
    free(got_narrow);
    free(wide);
    free(got);
    return ok;
}

/* Whether the wanted positions of x hold what `sorted` has there, and what is between them belongs there. */
static bool is_parted(const int64_t *x, const int64_t *sorted, int64_t n, const int64_t *kth, int nkth)
{
    for (int64_t i = 0, k = 0; i < n; i++) {
        while (k < nkth && kth[k] < i) k++;
        if (k < nkth && kth[k] == i && x[i] != sorted[i]) return false;
        if (k < nkth && x[i] > sorted[kth[k]]) return false;
        if (k > 0 && x[i] < sorted[kth[k - 1]]) return false;
    }
    return true;
}

/* x: n elements of dtype t on the device, `sorted` the same in order; wide is room for them. */
static bool selects(tb_array *x, const int64_t *sorted, int64_t n, const int64_t *kth, int nkth, int64_t *wide)
{
    tb_array *parted = NULL, *order = NULL, *by_order = NULL, *found = NULL, *cast = NULL;
    bool ok = CHECK_OK(tb_partition(x, nkth, kth, 0, &parted)) && CHECK_OK(tb_argpartition(x, nkth, kth, -1, &order)) &&
              CHECK_OK(tb_order_statistics(x, nkth, kth, 0, &found)) &&
              CHECK_OK(tb_take(x, order, 0, TB_BOUNDS_WRAP, &by_order));
    for (int i = 0; ok && i < 3; i++) {
        tb_array *result = i == 0 ? parted : i == 1 ? by_order : found;
        ok = CHECK_OK(tb_astype(result, TB_I64, 'C', TB_CAST_UNSAFE, true, &cast)) &&
             CHECK_OK(tb_array_get(cast, wide, NULL, NULL, true));
        if (i < 2) ok = ok && is_parted(wide, sorted, n, kth, nkth);
        for (int k = 0; ok && i == 2 && k < nkth; k++) ok = wide[k] == sorted[kth[k]];
        if (i == 2) break;
        qsort(wide, (size_t)n, sizeof *wide, compare_64);
        ok = ok && memcmp(wide, sorted, (size_t)n * sizeof *wide) == 0;
        tb_array_release(cast);
        cast = NULL;
    }
    ok = ok && CHECK_OK(tb_partition_into(x, nkth, kth, 0, x)) && CHECK_OK(tb_array_get(x, wide, NULL, NULL, true));
    tb_array *all[] = {parted, order, by_order, found, cast};
    for (int i = 0; i < 5; i++)
        if (all[i]) tb_array_release(all[i]);
    return ok;
}

static bool selects_of(int pattern, int64_t n, const int64_t *kth, int nkth)
{
    int64_t *x = malloc((size_t)n * sizeof *x), *wide = malloc((size_t)n * sizeof *wide);
    bool ok = true;
    for (int narrow = 0; narrow < 2; narrow++) {
        tb_array *a = NULL, *b = NULL;
        for (int64_t i = 0; i < n; i++)
            x[i] = narrow ? number(pattern, i, INT32_MIN, INT32_MAX) : number(pattern, i, INT64_MIN, INT64_MAX);
        CHECK_OK(tb_from_host(x, TB_I64, 1, &n, NULL, 'C', &a));
        CHECK_OK(tb_astype(a, narrow ? TB_I32 : TB_I64, 'C', TB_CAST_UNSAFE, true, &b));
        if (narrow)
            for (int64_t i = 0; i < n; i++) x[i] = (int32_t)x[i];
        qsort(x, (size_t)n, sizeof *x, compare_64);
        ok = selects(b, x, n, kth, nkth, wide) && ok;
        tb_array_release(a);
        tb_array_release(b);
    }
    free(x);
    free(wide);
    return ok;
}

/* Rows that are split in place, and rows of which a sample is taken. */
static void test_selections(void)
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        for (int64_t n = 1; n < 1000; n += 1 + n / 9) {
            CHECK(selects_of(pattern, n, (int64_t[]){n / 2}, 1));
            CHECK(selects_of(pattern, n, (int64_t[]){0, n - 1}, n > 1 ? 2 : 1));
        }
        CHECK(selects_of(pattern, 30000, (int64_t[]){0, 1, 14999, 15000, 29999}, 5));
        CHECK(selects_of(pattern, 200000, (int64_t[]){0, 20000, 99999, 100000, 199999}, 5));
        CHECK(selects_of(pattern, 200000, (int64_t[]){199999}, 1));
        CHECK(selects_of(pattern, 200000, (int64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, 17));
    }
}

/* Positions in any order, from the end, and more than once. */
static void test_positions(void)
{
    tb_array *a = range(TB_F32, 0, 12), *m = NULL, *out = NULL;
    CHECK_OK(tb_reshape(a, 2, (int64_t[]){3, 4}, 'C', NULL, &m));
    CHECK_OK(tb_order_statistics(m, 3, (int64_t[]){-1, 0, -1}, 1, &out));
    CHECK(gives(out, (float[]){3, 0, 3, 7, 4, 7, 11, 8, 11}));
    CHECK_OK(tb_order_statistics(m, 2, (int64_t[]){2, 1}, 0, &out));
    CHECK(gives(out, (float[]){8, 9, 10, 11, 4, 5, 6, 7}));
    CHECK_OK(tb_order_statistics(m, 1, (int64_t[]){5}, TB_ALL_AXES, &out));
    CHECK(tb_array_ndim(out) == 1 && gives(out, (float[]){5}));
    CHECK_OK(tb_partition(m, 0, (int64_t[]){9}, 1, &out));
    CHECK(gives(out, (float[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    CHECK_FAILS(tb_partition(m, 1, (int64_t[]){4}, 1, &out), TB_ERR_VALUE, "kth(=4) is out of bounds");
    CHECK_FAILS(tb_argpartition(m, 1, (int64_t[]){-4}, 0, &out), TB_ERR_VALUE, "argpartition: kth(=-4)");
    CHECK_FAILS(tb_order_statistics(m, -1, (int64_t[]){0}, 0, &out), TB_ERR_VALUE, "n is -1");
    CHECK_FAILS(tb_partition_into(m, 1, (int64_t[]){0}, 2, m), TB_ERR_AXIS, "axis 2");
    tb_array_release(m);
    tb_array_release(a);
}

static void test_orders(void)
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        for (int64_t n = 0; n < 600; n += 1 + n / 40)
            if (!sorts(pattern, n)) fprintf(stderr, "pattern %d, %lld elements\n", pattern, (long long)n);
        CHECK(sorts(pattern, 5000) && sorts(pattern, 200000));
    }
}

static void test_keys(void)
{
    tb_array *a = NULL, *b = NULL, *m = NULL, *out = NULL;
    CHECK_OK(tb_from_host((double[]){2, 1, 2, 1, 1, 0}, TB_F64, 1, (int64_t[]){6}, NULL, 'C', &a));
    CHECK_OK(tb_from_host((int8_t[]){1, 0, 0, 1, 0, 1}, TB_I8, 1, (int64_t[]){6}, NULL, 'C', &b));
    CHECK_OK(tb_lexsort(2, (tb_array *[]){a, b}, -1, &out));
    CHECK(gives(out, (int64_t[]){1, 4, 2, 5, 3, 0}));
    CHECK_OK(tb_lexsort(2, (tb_array *[]){b, a}, 0, &out));
    CHECK(gives(out, (int64_t[]){5, 1, 4, 3, 2, 0}));
    CHECK_OK(tb_reshape(a, 2, (int64_t[]){2, 3}, 'C', NULL, &m));
    CHECK_OK(tb_lexsort(1, &m, 0, &out));
    CHECK(gives(out, (int64_t[]){1, 0, 1, 0, 1, 0}));
    CHECK_FAILS(tb_lexsort(2, (tb_array *[]){a, m}, 0, &out), TB_ERR_VALUE, "same shape");
    CHECK_FAILS(tb_lexsort(2, (tb_array *[]){a, NULL}, 0, &out), TB_ERR_VALUE, "keys");
    CHECK_FAILS(tb_lexsort(0, &a, 0, &out), TB_ERR_TYPE, "at least one key");
    CHECK_FAILS(tb_lexsort(1, &a, 1, &out), TB_ERR_AXIS, "axis 1");
    tb_array_release(a);
    tb_array_release(b);
    tb_array_release(m);
}

static void test_errors(void)
{
    tb_array *a = range(TB_F32, 0, 6), *one = NULL, *out = NULL;
    CHECK_FAILS(tb_sort(a, 1, &out), TB_ERR_AXIS, "axis 1");
    CHECK_FAILS(tb_argsort(a, -2, &out), TB_ERR_AXIS, "axis -2");
    CHECK_OK(tb_full(TB_F32, 0, NULL, 'C', tb_scalar_int(1), &one));
    CHECK_FAILS(tb_sort(one, -1, &out), TB_ERR_AXIS, "");
    CHECK_FAILS(tb_sort_into(a, 0, one), TB_ERR_VALUE, "");
    CHECK_OK(tb_argsort(one, TB_ALL_AXES, &out));
    CHECK(tb_array_ndim(out) == 1 && gives(out, (int64_t[]){0}));
    tb_array_release(a);
    tb_array_release(one);
}

static int calls;

static int provided_i64(void *elements, intptr_t n, void *arg)
{
    if (++calls % 3 == 0) return -1; /* the library's own does it */
    qsort(elements, (size_t)n, sizeof(int64_t), compare_64);
    return arg != NULL;
}

static int compare_f64(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int provided_f64(void *elements, intptr_t n, void *arg)
{
    if (++calls % 3 == 0) return -1;
    qsort(elements, (size_t)n, sizeof(double), compare_f64);
    return arg != NULL;
}

/* Asked for with AVX2 alone, and all orders are the same with them. */
static void test_provided(void)
{
    const bool needs = tb_needs_sort();
    tb_provide_sort(NULL, provided_f64);
    CHECK(tb_needs_sort() == needs);
    tb_provide_sort(provided_i64, provided_f64);
    CHECK(!tb_needs_sort());
    test_orders();
    CHECK((calls > 0) == needs);
}

int main(void)
{
    CHECK_OK(tb_init());
    test_orders();
    test_selections();
    test_positions();
    test_keys();
    test_errors();
    test_provided();
    return check_report();
}
