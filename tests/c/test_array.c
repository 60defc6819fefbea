/* test_array.c - arrays through the public API: making them, views, indexing, assignment, conversion, host memory. */
#include "arrays.h"

#define FLOATS(...) (float[]){__VA_ARGS__}
#define LONGS(...) (int64_t[]){__VA_ARGS__}

static void test_creation(void)
{
    tb_array *a = NULL;
    CHECK_OK(tb_full(TB_F32, 2, LONGS(2, 2), 'C', tb_scalar_float(1.5), &a));
    CHECK(tb_array_ndim(a) == 2 && tb_array_size(a) == 4 && tb_array_dtype(a) == TB_F32);
    CHECK(gives(a, FLOATS(1.5, 1.5, 1.5, 1.5)));
    CHECK(gives(range(TB_I64, -1, 3), LONGS(-1, 0, 1)));
    CHECK_OK(tb_linspace(TB_F32, tb_scalar_int(0), tb_scalar_int(1), 5, true, &a));
    CHECK(gives(a, FLOATS(0, 0.25, 0.5, 0.75, 1)));
    CHECK_OK(tb_eye(TB_F32, 2, 3, 1, 'C', &a));
    CHECK(gives(a, FLOATS(0, 1, 0, 0, 0, 1)));
    CHECK_OK(tb_tri(TB_F32, 2, 2, 0, &a));
    CHECK(gives(a, FLOATS(1, 0, 1, 1)));
    CHECK_OK(tb_empty(TB_C128, 3, LONGS(2, 0, 3), 'F', &a));
    CHECK(tb_array_size(a) == 0 && tb_array_is_c_contiguous(a) && tb_array_is_f_contiguous(a));
    tb_array_release(a);
    tb_array_release(NULL);
    CHECK_FAILS(tb_empty(TB_F32, 1, LONGS(-1), 'C', &a), TB_ERR_VALUE, "negative dimensions");
    CHECK_FAILS(tb_full(TB_U8, 0, NULL, 'C', tb_scalar_int(256), &a), TB_ERR_OVERFLOW, "256 out of bounds for uint8");
}

static void test_views(void)
{
    tb_array *a = NULL, *m = NULL, *t = NULL, *b = NULL;
    bool copied = true;
    a = range(TB_F32, 0, 6);
    CHECK_OK(tb_reshape(a, 2, LONGS(2, -1), 'C', &copied, &m));
    CHECK(!copied && tb_array_shape(m)[1] == 3 && tb_may_share_memory(a, m));
    CHECK_OK(tb_transpose(m, NULL, &t));
    CHECK(tb_array_is_f_contiguous(t) && holds(t, FLOATS(0, 3, 1, 4, 2, 5)));
    CHECK_OK(tb_reshape(t, 1, LONGS(6), 'C', &copied, &b));
    CHECK(copied && gives(b, FLOATS(0, 3, 1, 4, 2, 5)));
    CHECK_FAILS(tb_reshape(a, 2, LONGS(4, 2), 'C', NULL, &b), TB_ERR_VALUE, "6");
    tb_array_release(t);

    /* m[1, ::-1] */
    tb_index index[2] = {{.kind = TB_INDEX_INT, .start = 1}, {.kind = TB_INDEX_SLICE, .step = -1}};
    CHECK_OK(tb_array_index(m, 2, index, &b));
    CHECK(tb_array_ndim(b) == 1 && tb_array_strides(b)[0] == -4 && holds(b, FLOATS(5, 4, 3)));
    CHECK_OK(tb_assign_scalar(b, tb_scalar_int(7)));
    tb_array_release(b);
    CHECK(holds(a, FLOATS(0, 1, 2, 7, 7, 7)));
    index[0].start = 2;
    CHECK_FAILS(tb_array_index(m, 2, index, &b), TB_ERR_INDEX, "2");
    tb_array_release(m);

    CHECK_OK(tb_broadcast_to(a, 2, LONGS(2, 6), &b));
    CHECK(tb_array_strides(b)[0] == 0 && gives(b, FLOATS(0, 1, 2, 7, 7, 7, 0, 1, 2, 7, 7, 7)));
    CHECK_OK(tb_as_strided(a, 2, LONGS(2, 2), LONGS(4, 8), 4, &b));
    CHECK(gives(b, FLOATS(1, 7, 2, 7)));
    CHECK_FAILS(tb_as_strided(a, 1, LONGS(7), LONGS(4), 0, &b), TB_ERR_VALUE, "");
    tb_array_release(a);
}

static void test_assignment(void)
{
    tb_array *a = range(TB_F32, 0, 4), *head = NULL, *tail = NULL;
    tb_index index = {.kind = TB_INDEX_SLICE, .step = 1, .stop = -1, .has_stop = true};
    CHECK_OK(tb_array_index(a, 1, &index, &head));
    index = (tb_index){.kind = TB_INDEX_SLICE, .step = 1, .start = 1, .has_start = true};
    CHECK_OK(tb_array_index(a, 1, &index, &tail));
    CHECK_OK(tb_assign(tail, head, TB_CAST_SAME_KIND)); /* overlapping: as if head were copied first */
    CHECK(holds(a, FLOATS(0, 0, 1, 2)));
    tb_array *twos = range(TB_I64, 2, 1);
    CHECK_OK(tb_assign(head, twos, TB_CAST_SAME_KIND));
    CHECK(holds(a, FLOATS(2, 2, 2, 2)));
    CHECK_FAILS(tb_assign(twos, head, TB_CAST_UNSAFE), TB_ERR_VALUE, "(3,)");
    tb_array_release(head);
    CHECK_OK(tb_reshape(tail, 3, LONGS(1, 3, 1), 'C', NULL, &head));
    CHECK_FAILS(tb_assign(twos, a, TB_CAST_SAFE), TB_ERR_CASTING, "int64");
    tb_array_release(head);
    tb_array_release(tail);
    tb_array_release(twos);
    tb_array_release(a);
}

static void test_conversion(void)
{
    tb_array *a = range(TB_F32, -1.5, 3), *b = NULL;
    CHECK_OK(tb_astype(a, TB_I64, 'K', TB_CAST_UNSAFE, true, &b));
    CHECK(gives(b, LONGS(-1, 0, 0)));
    CHECK_FAILS(tb_astype(a, TB_I64, 'K', TB_CAST_SAFE, true, &b), TB_ERR_CASTING, "float32");
    CHECK_OK(tb_astype(a, TB_F32, 'K', TB_CAST_SAFE, false, &b));
    CHECK(tb_may_share_memory(a, b));
    tb_array_release(b);
    CHECK_OK(tb_view_dtype(a, TB_I32, &b));
    CHECK(gives(b, (int32_t[]){(int32_t)0xbfc00000, (int32_t)0xbf000000, 0x3f000000}));
    CHECK_OK(tb_copy(a, 'C', &b));
    CHECK(!tb_may_share_memory(a, b) && gives(b, FLOATS(-1.5, -0.5, 0.5)));
    tb_array_release(a);
}

static void test_complex_parts(void)
{
    double numbers[] = {1, 2, 3, 4};
    tb_array *z = NULL, *part = NULL;
    CHECK_OK(tb_from_host(numbers, TB_C128, 1, LONGS(2), NULL, 'C', &z));
    CHECK_OK(tb_real_imag(z, true, &part));
    CHECK(holds(part, ((double[]){2, 4})));
    CHECK_OK(tb_assign_scalar(part, tb_scalar_int(0)));
    tb_array_release(part);
    CHECK(gives(z, ((double[]){1, 0, 3, 0})));
}

static void test_host_memory(void)
{
    float numbers[] = {0, 1, 2, 3, 4, 5}, back[6] = {0};
    tb_array *a = NULL;
    CHECK_OK(tb_from_host(numbers + 5, TB_F32, 2, LONGS(2, 3), LONGS(-12, -4), 'F', &a));
    CHECK(tb_array_is_f_contiguous(a) && holds(a, FLOATS(5, 4, 3, 2, 1, 0)));
    CHECK_OK(tb_array_get(a, back, LONGS(4, 8), NULL, true));
    CHECK(memcmp(back, FLOATS(5, 2, 4, 1, 3, 0), sizeof back) == 0);
    CHECK_OK(tb_array_set(a, numbers, NULL, NULL, true));
    CHECK(gives(a, numbers));
}

static int freed;

static void count_freed(void *owner)
{
    CHECK(owner == &freed);
    freed++;
}

static void test_foreign_memory(void)
{
    static _Alignas(64) float memory[4] = {1, 2, 3, 4};
    tb_buffer *b = NULL;
    tb_array *a = NULL, *sum;
    CHECK_OK(tb_buffer_wrap(memory, sizeof memory, 0, count_freed, &freed, &b));
    CHECK_OK(tb_array_on_buffer(b, 4, TB_F32, 1, LONGS(3), NULL, &a));
    CHECK_FAILS(tb_array_on_buffer(b, 4, TB_F32, 1, LONGS(4), NULL, &sum), TB_ERR_VALUE, "");
    tb_buffer_release(b);
    sum = call("add", a, a);
    tb_array_release(a);
    CHECK(gives(sum, FLOATS(4, 6, 8)));
    CHECK(freed == 1);
}

/* Windows of two over four numbers: each number but the first is the first of a window last. */
static void test_overlapping_windows(void)
{
    tb_array *a = range(TB_F32, 0, 4), *windows = NULL, *ten = range(TB_F32, 10, 6), *new = NULL, *mask = NULL;
    CHECK_OK(tb_as_strided(a, 2, LONGS(3, 2), LONGS(4, 4), 0, &windows));
    CHECK_OK(tb_reshape(ten, 2, LONGS(3, 2), 'C', NULL, &new));
    CHECK_OK(tb_assign(windows, new, TB_CAST_NO));
    CHECK(holds(a, FLOATS(10, 12, 14, 15)));
    tb_operand one = {TB_OPERAND_SCALAR, .scalar = tb_scalar_float(1)},
               both[2] = {{TB_OPERAND_ARRAY, .array = windows}, one};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), both, &windows, NULL, NULL));
    CHECK(holds(a, FLOATS(11, 13, 15, 16)));
    mask = call_scalar("less", new, tb_scalar_float(12));
    CHECK_OK(tb_assign_where(windows, mask, &(tb_operand){TB_OPERAND_ARRAY, .array = new}));
    CHECK(holds(a, FLOATS(10, 11, 15, 16)));
    CHECK_OK(tb_ufunc_update(tb_ufunc_find("add"), windows, 1, &(tb_index){.kind = TB_INDEX_ELLIPSIS}, &one));
    CHECK(holds(a, FLOATS(11, 13, 17, 17)));
    CHECK_FAILS(tb_assign_where(windows, a, &one), TB_ERR_TYPE, "where");
    tb_array_release(mask);
    tb_array_release(new);
    tb_array_release(ten);
    tb_array_release(windows);
    tb_array_release(a);
}

static void test_sizes(void)
{
    tb_array *a = range(TB_F64, 0, 1), *bytes = NULL, *wide = NULL, *out = NULL;
    CHECK_FAILS(tb_broadcast_to(a, 1, LONGS(1LL << 61), &wide), TB_ERR_VALUE, "too big");
    CHECK_OK(tb_astype(a, TB_I8, 'K', TB_CAST_UNSAFE, true, &bytes));
    CHECK_OK(tb_broadcast_to(bytes, 1, LONGS(1LL << 61), &wide));
    CHECK_FAILS(tb_astype(wide, TB_F64, 'K', TB_CAST_SAFE, true, &out), TB_ERR_VALUE, "too big");
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = wide}, {TB_OPERAND_ARRAY, .array = a}};
    CHECK_FAILS(tb_ufunc_call(tb_ufunc_find("add"), in, &out, NULL), TB_ERR_VALUE, "too big");
    CHECK_FAILS(tb_copy(wide, 'C', &out), TB_ERR_MEMORY, "");
    tb_array_release(wide);
    tb_array_release(bytes);
    tb_array_release(a);
}

int main(void)
{
    test_creation();
    test_views();
    test_assignment();
    test_conversion();
    test_complex_parts();
    test_host_memory();
    test_foreign_memory();
    test_overlapping_windows();
    test_sizes();
    return check_report();
}
