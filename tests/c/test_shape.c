/* test_shape.c - shapes, strides, broadcasting, strided host copies; growing text, hashes and error messages. */
#include "base/shape.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "check.h"

static void test_size(void)
{
    int64_t size = -1, many[TB_MAXDIM + 1] = {0};
    CHECK_OK(tb__shape_size("zeros", 0, NULL, 8, &size));
    CHECK(size == 1);
    CHECK_OK(tb__shape_size("zeros", 3, (int64_t[]){2, 0, 5}, 8, &size));
    CHECK(size == 0);
    size = -1;
    CHECK_FAILS(tb__shape_size("zeros", 2, (int64_t[]){2, -3}, 8, &size), TB_ERR_VALUE, "(2, -3)");
    CHECK_FAILS(tb__shape_size("zeros", 2, (int64_t[]){1ll << 40, 1ll << 40}, 8, &size), TB_ERR_VALUE, "too big");
    CHECK_FAILS(tb__shape_size("zeros", 3, (int64_t[]){0, 1ll << 40, 1ll << 40}, 8, &size), TB_ERR_VALUE, "too big");
    CHECK_FAILS(tb__shape_size("zeros", TB_MAXDIM + 1, many, 8, &size), TB_ERR_VALUE, "at most 32 dimensions");
    CHECK(size == -1);
}

static void test_contiguity(void)
{
    int64_t shape[] = {2, 1, 3}, strides[3];
    tb__strides_c(3, shape, 4, strides);
    CHECK(strides[0] == 12 && strides[1] == 12 && strides[2] == 4);
    CHECK(tb__is_c_contiguous(3, shape, strides, 4) && !tb__is_f_contiguous(3, shape, strides, 4));
    tb__strides_f(3, shape, 4, strides);
    CHECK(strides[0] == 4 && strides[1] == 8 && strides[2] == 8);
    CHECK(tb__is_f_contiguous(3, shape, strides, 4) && !tb__is_c_contiguous(3, shape, strides, 4));
    strides[1] = 12345; /* of a dimension of 1: does not matter */
    CHECK(tb__is_f_contiguous(3, shape, strides, 4));
    CHECK(tb__is_c_contiguous(2, (int64_t[]){0, 3}, (int64_t[]){7, 7}, 4)); /* empty */
}

static void test_broadcast(void)
{
    int ndim = 2;
    int64_t result[TB_MAXDIM] = {3, 1}, strides[3];
    CHECK_OK(tb__broadcast("add", &ndim, result, 3, (int64_t[]){5, 1, 4}));
    CHECK(ndim == 3 && result[0] == 5 && result[1] == 3 && result[2] == 4);
    CHECK_FAILS(tb__broadcast("add", &ndim, result, 1, (int64_t[]){3}), TB_ERR_VALUE,
                "add: operands could not be broadcast together with shapes (5, 3, 4) and (3,)");
    CHECK(ndim == 3);
    tb__broadcast_strides(2, (int64_t[]){3, 1}, (int64_t[]){8, 8}, 3, result, strides);
    CHECK(strides[0] == 0 && strides[1] == 8 && strides[2] == 0);
    ndim = 1;
    result[0] = 1;
    CHECK_OK(tb__broadcast("add", &ndim, result, 1, (int64_t[]){0}));
    CHECK(result[0] == 0);
}

static void test_extent(void)
{
    int64_t lo, hi;
    tb__extent(2, (int64_t[]){3, 4}, (int64_t[]){-32, 8}, 8, &lo, &hi);
    CHECK(lo == -64 && hi == 32);
    tb__extent(2, (int64_t[]){3, 0}, (int64_t[]){-32, 8}, 8, &lo, &hi);
    CHECK(lo == 0 && hi == 0);
}

static void test_axis(void)
{
    int axis = 7, ndim = 7;
    CHECK_OK(tb__axis(-2, 3, &axis));
    CHECK(axis == 1);
    CHECK_FAILS(tb__axis(3, 3, &axis), TB_ERR_AXIS, "axis 3 is out of bounds for array of dimension 3");
    CHECK(tb_error_axis(&axis, &ndim) && axis == 3 && ndim == 3);
}

static void test_host_copy(void)
{
    int16_t from[24], to[24];
    int64_t shape[] = {2, 3, 4}, c[3], f[3];
    for (int i = 0; i < 24; i++) from[i] = (int16_t)i;
    tb__strides_c(3, shape, 2, c);
    tb__strides_f(3, shape, 2, f);
    tb__host_copy(3, shape, 2, (char *)to, f, (char *)from, c);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) CHECK(to[i + 2 * j + 6 * k] == from[12 * i + 4 * j + k]);
        }
    }
    tb__host_copy(1, (int64_t[]){24}, 2, (char *)(to + 23), (int64_t[]){-2}, (char *)from, (int64_t[]){2});
    for (int i = 0; i < 24; i++) CHECK(to[i] == 23 - i);
    tb__host_copy(2, (int64_t[]){0, 4}, 2, NULL, c, NULL, c);
    tb__host_copy(0, NULL, 2, (char *)to, NULL, (char *)(from + 5), NULL);
    CHECK(to[0] == 5);
}

static void test_text(void)
{
    tb_text t = {0};
    for (int i = 0; i < 1000; i++) tb__text_addf(&t, "%d,", i);
    tb__text_add(&t, "end");
    tb__text_addn(&t, "xyz", 1);
    CHECK(t.len == 3894 && strlen(t.s) == t.len && !t.failed && strcmp(t.s + t.len - 8, "999,endx") == 0);
    tb__text_free(&t);
    CHECK(!t.s && t.len == 0);
}

static void test_errors(void)
{
    char text[64];
    size_t asked, used, held;
    CHECK(strcmp(tb__shape_text(text, sizeof text, 1, (int64_t[]){4}), "(4,)") == 0);
    CHECK(strcmp(tb__shape_text(text, sizeof text, 0, NULL), "()") == 0);
    CHECK(strcmp(tb__shape_text(text, 6, 2, (int64_t[]){123, 456}), "(123,") == 0);
    CHECK(tb__fail(TB_ERR_VALUE, "bad %s", "thing") == TB_ERR_VALUE);
    tb__error_prefix("reshape");
    CHECK(strcmp(tb_error_message(), "reshape: bad thing") == 0);
    CHECK(!tb_error_memory(&asked, &used, &held) && tb_error_driver_code() == 0);
    CHECK(tb__fail_memory(10, 20, 30, 40) == TB_ERR_MEMORY);
    CHECK(tb_error_memory(&asked, &used, &held) && asked == 10 && used == 20 && held == 30);
    CHECK(tb__fail_device(700, "cuLaunchKernel", "illegal address") == TB_ERR_DEVICE && tb_error_driver_code() == 700);
    CHECK(tb__fail(TB_ERR_INDEX, "%s again", tb_error_message()) == TB_ERR_INDEX); /* from its own text */
    CHECK(strcmp(tb_error_message(), "cuLaunchKernel failed: illegal address (700) again") == 0);
}

static void test_hash(void)
{
    CHECK(tb__hash_bytes(TB_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cull); /* FNV-1a's published value */
    CHECK(tb__hash_u64(TB_HASH_START, 1) != tb__hash_u64(TB_HASH_START, 2));
}

int main(void)
{
    test_size();
    test_contiguity();
    test_broadcast();
    test_extent();
    test_axis();
    test_host_copy();
    test_text();
    test_errors();
    test_hash();
    return check_report();
}
