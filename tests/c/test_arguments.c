/* test_arguments.c - failures that are passed on, operands that say what they are, structures that grow. */
#include "arrays.h"

#define FLOATS(...) (float[]){__VA_ARGS__}

static tb_status add(tb_operand a, tb_operand b, tb_array **out)
{
    return tb_ufunc_call(tb_ufunc_find("add"), (tb_operand[]){a, b}, out, NULL);
}

/* What an earlier call could not make is no number, and the last message still says what went wrong first. */
static void test_failures_are_passed_on(void)
{
    tb_array *a = range(TB_F32, 0, 3), *b = range(TB_F32, 0, 4), *sum = NULL, *more = NULL;
    CHECK_FAILS(add(tb_operand_array(a), tb_operand_array(b), &sum), TB_ERR_VALUE, "(4,)");
    CHECK_FAILS(add(tb_operand_array(sum), tb_operand_int(1), &more), TB_ERR_VALUE, "(4,)");
    CHECK(strstr(tb_error_message(), "in[0] is NULL"));
    CHECK_FAILS(tb_reduce(TB_RED_SUM, more, NULL, &more), TB_ERR_VALUE, "(4,)");
    CHECK(strstr(tb_error_message(), "a is NULL") && !strstr(tb_error_message(), "in[0]"));
    CHECK(!sum && !more);
    tb_array_release(a);
    tb_array_release(b);
}

static void test_operands_say_what_they_are(void)
{
    tb_array *a = range(TB_F32, 0, 3), *out = NULL;
    tb_operand both = tb_operand_array(a), unknown = tb_operand_int(1);
    both.kind = TB_OPERAND_SCALAR;
    unknown.scalar.dtype = TB_NODTYPE;
    CHECK_FAILS(add(tb_operand_array(a), (tb_operand){0}, &out), TB_ERR_VALUE, "in[1] is neither");
    CHECK_FAILS(add(both, tb_operand_array(a), &out), TB_ERR_VALUE, "in[0] is a scalar with an array");
    CHECK_FAILS(add(tb_operand_array(a), unknown, &out), TB_ERR_VALUE, "dtype");
    CHECK_OK(add(tb_operand_array(a), tb_operand_scalar((tb_scalar){.dtype = TB_F32, .v.f = 0.5}), &out));
    CHECK(gives(out, FLOATS(0.5f, 1.5f, 2.5f)));
    tb_array_release(a);
}

/* What may be left out, and what then stands for it. */
static void test_what_may_be_left_out(void)
{
    tb_array *a = range(TB_F32, 0, 3), *like = NULL, *number = NULL;
    tb_rng rng = {.seed = 1};
    tb_allocator *allocator = NULL;
    size_t used = 0, held = 0;
    CHECK_OK(tb_empty_like(a, TB_NODTYPE, 'K', &like));
    CHECK(tb_array_dtype(like) == TB_F32);
    CHECK_OK(tb_random(&rng, TB_RAND_UNIFORM, TB_F32, tb_scalar_int(0), tb_scalar_int(1), 0, NULL, &number));
    CHECK(tb_array_ndim(number) == 0);
    CHECK_FAILS(tb_allocator_direct(TB_MEMORY_ASYNC, 1, NULL, &allocator), TB_ERR_VALUE, "driver_pools is NULL");
    CHECK(!allocator);
    CHECK(tb_error_memory(NULL, &used, &held) == 0);
    const tb_fusion before = tb_fusion_set((tb_fusion)99);
    CHECK(tb_fusion_get() == before);
    tb_array_release(a);
    tb_array_release(like);
    tb_array_release(number);
}

/* An empty vector of the caller's may have no address. */
static void test_memory_for_nothing(void)
{
    tb_array *a = NULL;
    CHECK_OK(tb_from_host(NULL, TB_F32, 2, (int64_t[]){3, 0}, NULL, 'C', &a));
    CHECK_OK(tb_array_set(a, NULL, NULL, NULL, true));
    CHECK_OK(tb_array_get(a, NULL, NULL, NULL, true));
    tb_array_release(a);
    CHECK_FAILS(tb_from_host(NULL, TB_F32, 0, NULL, NULL, 'C', &a), TB_ERR_VALUE, "host");
}

static void test_complex_numbers(void)
{
    tb_array *a = range(TB_F32, 0, 2), *out = NULL;
    CHECK_OK(add(tb_operand_array(a), tb_operand_scalar(tb_scalar_complex(1, 2)), &out));
    CHECK(tb_array_dtype(out) == TB_C64 && gives(out, FLOATS(1, 2, 2, 2)));
    tb_array_release(a);
}

static void test_replacement(void)
{
    tb_array *x = NULL, *next;
    tb_array_replace(&x, range(TB_F32, 0, 3));
    for (int i = 0; i < 3; i++)
        if (CHECK_OK(add(tb_operand_array(x), tb_operand_float(0.5), &next))) tb_array_replace(&x, next);
    CHECK(holds(x, FLOATS(1.5f, 2.5f, 3.5f)));
    tb_array_replace(&x, NULL);
    CHECK(!x);
    tb_array_replace(NULL, NULL);
    tb_array *both[] = {range(TB_F32, 0, 3), NULL};
    tb_array_release_all(2, both);
    CHECK(!both[0] && !both[1]);
    tb_array_release_all(2, NULL);
}

/* Of programs that were built with an older header, and with a newer one. */
static void test_sizes_of_structures(void)
{
    struct {
        tb_reduce_args now;
        int64_t new_member;
    } args = {TB_REDUCE_ARGS_INIT, 0};
    tb_array *a = range(TB_F32, 0, 4), *out = NULL;
    args.now.struct_size = sizeof args;
    CHECK_OK(tb_reduce(TB_RED_SUM, a, &args.now, &out));
    CHECK(gives(out, FLOATS(6)));
    args.new_member = 1;
    CHECK_FAILS(tb_reduce(TB_RED_SUM, a, &args.now, &out), TB_ERR_VALUE, "version");
    args.now.struct_size = offsetof(tb_reduce_args, keepdims);
    args.now.keepdims = true;
    CHECK_OK(tb_reduce(TB_RED_SUM, a, &args.now, &out));
    CHECK(tb_array_ndim(out) == 0 && gives(out, FLOATS(6)));
    for (int i = 0; i < 2; i++) {
        args.now.struct_size = i ? SIZE_MAX : 0;
        CHECK_FAILS(tb_reduce(TB_RED_SUM, a, &args.now, &out), TB_ERR_VALUE, "struct_size");
    }
    CHECK_OK(tb_reduce(TB_RED_SUM, a, NULL, &out));
    CHECK(gives(out, FLOATS(6)));
    tb_array_release(a);
}

static void test_sizes_of_results(void)
{
    struct {
        tb_counters now;
        uint64_t new_member;
    } later = {.new_member = 1};
    uint64_t earlier[2] = {1, 1};
    const tb_counters all = counted();
    tb_counters_get((tb_counters *)earlier, sizeof *earlier);
    CHECK(earlier[0] == all.launches && earlier[1] == 1);
    tb_counters_get(&later.now, sizeof later);
    CHECK(later.now.nodes == all.nodes && later.new_member == 0);
}

int main(void)
{
    CHECK_OK(tb_init());
    test_failures_are_passed_on();
    test_operands_say_what_they_are();
    test_what_may_be_left_out();
    test_memory_for_nothing();
    test_complex_numbers();
    test_replacement();
    test_sizes_of_structures();
    test_sizes_of_results();
    return check_report();
}
