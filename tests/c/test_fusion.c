/* test_fusion.c - deferral: what becomes one kernel, hazards between pending reads and writes, large graphs, and that
 * nothing of it changes a number. */
#include "arrays.h"

#define FLOATS(...) (float[]){__VA_ARGS__}

static tb_array *softplus(tb_array *x)
{
    tb_array *magnitude = call("absolute", x, NULL), *minus = call("negative", magnitude, NULL);
    tb_array *power = call("exp", minus, NULL), *tail = call("log1p", power, NULL);
    tb_array *ramp = call_scalar("maximum", x, tb_scalar_int(0)), *y = call("add", ramp, tail);
    tb_array *parts[] = {magnitude, minus, power, tail, ramp};
    for (int i = 0; i < 5; i++) tb_array_release(parts[i]);
    return y;
}

static void test_one_kernel(void)
{
    tb_array *x = range(TB_F32, -100, 200);
    CHECK_OK(tb_array_eval(x));
    tb_counters_reset();
    tb_array *y = softplus(x);
    CHECK(tb_array_is_pending(y) && counted().launches == 0 && counted().nodes >= 6);
    CHECK_OK(tb_array_eval(y));
    CHECK(!tb_array_is_pending(y) && counted().launches == 1 && counted().allocations == 1);
    CHECK(counted().fused_kernels == 1 && counted().fused_nodes == 6);
    tb_array_release(y);
    tb_array_release(x);
}

static void test_prologue(void)
{
    tb_array *x = range(TB_F32, -3, 6);
    CHECK_OK(tb_array_eval(x));
    tb_counters_reset();
    tb_array *a = call("absolute", x, NULL), *b = call("multiply", a, a), *sum = reduced(TB_RED_SUM, b, -1, 0);
    CHECK_OK(tb_array_eval(sum));
    CHECK(counted().launches == 1 && counted().allocations == 1);
    CHECK(gives(sum, FLOATS(19)));
    CHECK(gives(b, FLOATS(9, 4, 1, 0, 1, 4)));
    tb_array_release(a);
    tb_array_release(x);
}

/* The pending reader of memory that is about to change is evaluated first. */
static void test_write_after_read(void)
{
    tb_array *x = range(TB_F32, 0, 4);
    CHECK_OK(tb_array_eval(x));
    tb_array *before = call_scalar("add", x, tb_scalar_int(10));
    CHECK_OK(tb_assign_scalar(x, tb_scalar_int(1)));
    tb_array *after = call_scalar("add", x, tb_scalar_int(10));
    CHECK(gives(before, FLOATS(10, 11, 12, 13)));
    CHECK(gives(after, FLOATS(11, 11, 11, 11)));
    tb_array_release(x);
}

static void add_in_place(tb_array *x, tb_scalar s)
{
    tb_array *out[1] = {x};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = s}};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), in, out, NULL, NULL));
}

static void test_in_place(void)
{
    tb_array *x = range(TB_F32, 0, 4), *odd = NULL;
    tb_index index = {.kind = TB_INDEX_SLICE, .start = 1, .has_start = true, .step = 2};
    CHECK_OK(tb_array_index(x, 1, &index, &odd));
    tb_array *old = call_scalar("multiply", x, tb_scalar_int(1));
    for (int i = 0; i < 10; i++) add_in_place(odd, tb_scalar_int(1));
    add_in_place(x, tb_scalar_int(100));
    CHECK(gives(old, FLOATS(0, 1, 2, 3)));
    CHECK(gives(odd, FLOATS(111, 113)));
    CHECK(gives(x, FLOATS(100, 111, 102, 113)));
}

/* x[1:] += x[:-1] reads what it writes: as if the operands were copied first. */
static void test_overlap(void)
{
    tb_array *x = range(TB_F32, 1, 4), *head = NULL, *tail = NULL;
    tb_index index = {.kind = TB_INDEX_SLICE, .step = 1, .stop = -1, .has_stop = true};
    CHECK_OK(tb_array_index(x, 1, &index, &head));
    index = (tb_index){.kind = TB_INDEX_SLICE, .step = 1, .start = 1, .has_start = true};
    CHECK_OK(tb_array_index(x, 1, &index, &tail));
    tb_array *out[1] = {tail};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = tail}, {TB_OPERAND_ARRAY, .array = head}};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), in, out, NULL, NULL));
    CHECK(gives(x, FLOATS(1, 3, 5, 7)));
    tb_array_release(head);
    tb_array_release(tail);
}

static void test_same_bits(void)
{
    static float deferred[200], immediate[200];
    tb_array *x = range(TB_F32, -100.3, 200), *y = softplus(x);
    CHECK_OK(tb_array_get(y, deferred, NULL, NULL, true));
    tb_array_release(y);
    tb_fusion before = tb_fusion_set(TB_FUSION_OFF);
    CHECK(before == TB_FUSION_ALL && tb_fusion_get() == TB_FUSION_OFF);
    y = softplus(x);
    CHECK(!tb_array_is_pending(y));
    CHECK_OK(tb_array_get(y, immediate, NULL, NULL, true));
    CHECK(memcmp(deferred, immediate, sizeof deferred) == 0);
    CHECK(tb_fusion_set(before) == TB_FUSION_OFF);
    tb_array_release(y);
    tb_array_release(x);
}

static void test_large_graphs(void)
{
    tb_array *x = range(TB_F64, 0, 3), *y = tb_array_retain(x);
    for (int i = 0; i < 5000; i++) {
        tb_array *next = call_scalar("add", y, tb_scalar_int(1));
        tb_array_release(y);
        y = next;
    }
    CHECK(gives(y, ((double[]){5000, 5001, 5002})));
    /* Every level uses the one below twice: 2^200 paths, 200 nodes. */
    y = tb_array_retain(x);
    for (int i = 0; i < 200; i++) {
        tb_array *both = call("add", y, y), *next = call_scalar("multiply", both, tb_scalar_float(0.5));
        tb_array_release(both);
        tb_array_release(y);
        y = next;
    }
    CHECK(gives(y, ((double[]){0, 1, 2})));
    /* Many arrays wait at once. */
    tb_array *many[600];
    for (int i = 0; i < 600; i++) many[i] = call_scalar("add", x, tb_scalar_int(i));
    for (int i = 0; i < 600; i++) CHECK(gives(many[i], ((double[]){i, i + 1, i + 2})));
    tb_array_release(x);
}

static void test_explain(void)
{
    tb_array *x = range(TB_F32, 0, 3), *y = softplus(x);
    const char forms[] = "tsc";
    char *text = NULL;
    for (int i = 0; i < 2; i++) {
        CHECK_OK(tb_explain(y, forms[i], &text));
        CHECK(strstr(text, "log1p"));
        tb_free(text);
    }
    CHECK_FAILS(tb_explain(y, 'x', &text), TB_ERR_VALUE, "form");
    tb_array_release(y);
    tb_array_release(x);
}

/* A loop over little memory takes less time than the bookkeeping, and runs at once unless all is to be deferred. */
static void test_little_work(void)
{
    tb_array *x = range(TB_F32, -100, 200), *one = range(TB_F32, 3, 1), *view;
    tb_index first = {.kind = TB_INDEX_INT, .start = 0}, reversed = {.kind = TB_INDEX_SLICE, .step = -1};
    CHECK_OK(tb_array_eval(x));
    tb_fusion before = tb_fusion_set(TB_FUSION_ON);
    tb_counters_reset();
    tb_array *y = softplus(x);
    CHECK(!tb_array_is_pending(y) && counted().launches == 6 && counted().nodes == 0 && counted().allocations == 6);
    tb_array_release(y);
    /* An operand of one element, and one that does not lie in C order, which is left to an expression. */
    y = call("add", x, one);
    CHECK(!tb_array_is_pending(y) && counted().nodes == 0);
    tb_array_release(y);
    CHECK_OK(tb_array_index(x, 1, &reversed, &view));
    y = call("add", x, view);
    CHECK(tb_array_is_pending(y));
    /* x is read by what is pending: writing to it is not little work any more. */
    tb_array *into = x;
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_ARRAY, .array = one}};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), in, &into, NULL, NULL));
    CHECK(!tb_array_is_pending(y));
    tb_array_release(view);
    CHECK_OK(tb_array_eval(x));
    tb_counters_reset();
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), in, &into, NULL, NULL));
    CHECK(counted().nodes == 0 && counted().launches == 1 && counted().allocations == 0);
    CHECK_OK(tb_array_index(x, 1, &first, &view));
    CHECK(gives(view, FLOATS(-94)));
    tb_fusion_set(before);
    tb_array_release(y);
    tb_array_release(one);
    tb_array_release(x);
}

int main(void)
{
    CHECK(tb_fusion_set(TB_FUSION_ALL) == TB_FUSION_ON);
    test_one_kernel();
    test_prologue();
    test_write_after_read();
    test_in_place();
    test_overlap();
    test_same_bits();
    test_large_graphs();
    test_explain();
    test_little_work();
    return check_report();
}
