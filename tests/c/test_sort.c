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

static void test_orders(void)
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        for (int64_t n = 0; n < 600; n += 1 + n / 40)
            if (!sorts(pattern, n)) fprintf(stderr, "pattern %d, %lld elements\n", pattern, (long long)n);
        CHECK(sorts(pattern, 5000) && sorts(pattern, 200000));
    }
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

int main(void)
{
    CHECK_OK(tb_init());
    test_orders();
    test_errors();
    return check_report();
}
