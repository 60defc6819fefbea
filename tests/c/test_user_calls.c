/* test_user_calls.c - a user's elementwise kernel and reduction from C, on the CPU backend. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "tombac/tombac.h"

enum { N = 1000 };

static tb_array *numbers(void)
{
    tb_array *a = NULL;
    CHECK_OK(tb_arange(TB_F32, tb_scalar_int(0), tb_scalar_int(1), N, &a));
    return a;
}

static void test_elementwise(tb_array *x)
{
    const tb_elementwise_source source = {sizeof(tb_elementwise_source), .in_params = "T x, T y", .out_params = "T z",
                                          .operation = "z = (x - y) * (x - y)", .name = "squared"};
    tb_elementwise *k = NULL;
    tb_array *z; /* it is not looked at */
    float got[N];
    CHECK_OK(tb_elementwise_new(&source, &k));
    CHECK(tb_elementwise_nin(k) == 2 && tb_elementwise_nout(k) == 1);
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(3)}};
    CHECK_OK(tb_elementwise_call(k, in, &z, NULL));
    CHECK_OK(tb_array_get(z, got, NULL, NULL, true));
    for (int i = 0; i < N; i++) CHECK(got[i] == (float)((i - 3) * (i - 3)));
    CHECK(tb_elementwise_code(k, 0, NULL) != NULL && tb_elementwise_code(k, 1, NULL) == NULL);
    CHECK_OK(tb_assign_scalar(z, tb_scalar_int(0)));
    CHECK_OK(tb_elementwise_into(k, in, &z, NULL));
    CHECK_OK(tb_array_get(z, got, NULL, NULL, true));
    for (int i = 0; i < N; i++) CHECK(got[i] == (float)((i - 3) * (i - 3)));
    tb_array *none = NULL;
    CHECK_FAILS(tb_elementwise_into(k, in, &none, NULL), TB_ERR_VALUE, "squared");
    tb_array_release(z);
    tb_elementwise_release(k);
}

static void test_reduction(tb_array *x)
{
    const tb_reducer_source source = {sizeof(tb_reducer_source),
                                      .in_params = "T x",
                                      .out_params = "T y",
                                      .map_expr = "x * x",
                                      .reduce_expr = "a + b",
                                      .post_map_expr = "y = sqrt(a)",
                                      .identity = "0"};
    tb_reducer *k = NULL;
    tb_array *y = NULL;
    float got = 0;
    double sum = 0;
    CHECK_OK(tb_reducer_new(&source, &k));
    const tb_operand in = {TB_OPERAND_ARRAY, .array = x};
    CHECK_OK(tb_reducer_call(k, &in, &y, NULL));
    CHECK_OK(tb_array_get(y, &got, NULL, NULL, true));
    for (int i = 0; i < N; i++) sum += (double)i * i;
    CHECK(fabs(got / sqrt(sum) - 1) < 1e-5);
    tb_array_release(y);
    tb_reducer_release(k);
}

static void test_refusals(void)
{
    tb_elementwise *k = NULL;
    tb_reducer *r = NULL;
    CHECK(tb_elementwise_new(
              &(tb_elementwise_source){sizeof(tb_elementwise_source), .in_params = "nope x", .out_params = "T y"},
              &k) == TB_ERR_TYPE);
    CHECK(tb_elementwise_new(
              &(tb_elementwise_source){sizeof(tb_elementwise_source), .in_params = "T", .out_params = "T y"}, &k) ==
          TB_ERR_VALUE);
    CHECK(tb_reducer_new(&(tb_reducer_source){sizeof(tb_reducer_source), .in_params = "T x", .out_params = "T y, T z"},
                         &r) == TB_ERR_VALUE);
    CHECK(k == NULL && r == NULL);
}

/* ---- with a lock of the application's, as an interpreter has --------------------------------------------------- */

static pthread_mutex_t interpreter = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool has_interpreter;
static atomic_int given_up;

static void take_again(void *lock)
{
    pthread_mutex_lock(lock);
    has_interpreter = true;
}

static void *give_up(void)
{
    if (!has_interpreter) return NULL;
    has_interpreter = false;
    atomic_fetch_add(&given_up, 1);
    pthread_mutex_unlock(&interpreter);
    return &interpreter;
}

static tb_elementwise *shared;

static void *call_shared(void *x)
{
    const tb_operand in = {TB_OPERAND_ARRAY, .array = x};
    tb_array *z = NULL;
    float got[N];
    take_again(&interpreter);
    CHECK_OK(tb_elementwise_call(shared, &in, &z, NULL));
    CHECK_OK(tb_array_get(z, got, NULL, NULL, true));
    give_up();
    for (int i = 0; i < N; i++) CHECK(got[i] == (float)(3 * i + 1));
    tb_array_release(z);
    return NULL;
}

/* Nobody who compiles, or waits for another thread that does, keeps what that thread may need to get to its end. */
static void test_threads(tb_array *x)
{
    const tb_elementwise_source source = {sizeof(tb_elementwise_source), .in_params = "T x", .out_params = "T z",
                                          .operation = "z = 3 * x + 1", .name = "from_threads"};
    pthread_t threads[4];
    tb_lock_wait_functions(give_up, take_again);
    CHECK_OK(tb_elementwise_new(&source, &shared));
    call_shared(x);
    CHECK(atomic_load(&given_up) == 2); /* once by call_shared itself */
    tb_elementwise_release(shared);
    CHECK_OK(tb_elementwise_new(&source, &shared));
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, call_shared, x) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    tb_lock_wait_functions(NULL, NULL);
    tb_elementwise_release(shared);
}

int main(void)
{
    tb_array *x = numbers();
    test_elementwise(x);
    test_reduction(x);
    test_refusals();
    test_threads(x);
    tb_array_release(x);
    return check_report();
}
