/* test_retry.c - operations that are begun anew because a kernel was being compiled: no number changes, nothing is done
 * twice or left out, and the lock is free in between. The CPU backend runs the plans; what is in front of it says
 * "again" first. */
#include <pthread.h>
#include <stdlib.h>

#include "operations.h"
#include "backend/retry.h"
#include "base/lock.h"

#define FLOATS(...) (float[]){__VA_ARGS__}

static const tb_backend *real;
static tb_backend slow;
static int refusals, waits, waits_with_lock;
static void (*meanwhile)(void);

enum { KINDS = 1024 };
static uint8_t refused[KINDS]; /* by what a plan's kernel would be, roughly */

/* Every kind of plan is refused so many times, and then never again. */
static tb_status run(tb_stream *s, const tb_plan *p)
{
    const int last = p->ninstr > 0 ? p->instr[p->ninstr - 1].loop : 0;
    const int kind = (((int)p->kind * 37 + p->ninstr) * 37 + p->nstore) * 37 + last + p->red;
    uint8_t *times = &refused[(unsigned)kind % KINDS];
    if (*times < refusals) {
        ++*times;
        return TB__AGAIN;
    }
    return real->run(s, p);
}

static bool product_refused;

static tb_status gemm(tb_stream *s, const tb_gemm *g)
{
    product_refused = !product_refused && refusals > 0;
    return product_refused ? TB__AGAIN : real->gemm(s, g);
}

static void run_wait(void)
{
    void (*then)(void) = meanwhile;
    waits++;
    waits_with_lock += tb__lock_held();
    meanwhile = NULL;
    if (then) then();
}

static void be_slow(int times)
{
    refusals = times;
    waits = waits_with_lock = 0;
    memset(refused, 0, sizeof refused);
    tb__backend = &slow;
    tb_counters_reset();
}

static void be_fast(void) { tb__backend = real; }

static tb_array *stored(double start, int64_t n)
{
    tb_array *a = range(TB_F32, start, n);
    CHECK_OK(tb_array_eval(a));
    return a;
}

static void test_chain(void)
{
    tb_array *x = stored(0, 4), *a = call_scalar("add", x, tb_scalar_int(1)), *b = call("multiply", a, a);
    be_slow(3);
    CHECK(holds(b, FLOATS(1, 4, 9, 16)));
    CHECK(waits == 3 && waits_with_lock == 0);
    CHECK(counted().launches == 1 && counted().fused_kernels == 1 && counted().fused_nodes == 2);
    CHECK(!tb_array_is_pending(a)); /* it came out of the same kernel */
    be_fast();
    CHECK(gives(a, FLOATS(1, 2, 3, 4)));
    tb_array_release(b);
    CHECK(gives(x, FLOATS(0, 1, 2, 3)));
}

/* Memory that an output was to take over is its owner's again, and is taken over in the end. */
static void test_donation(void)
{
    tb_array *x = stored(0, 4), *a = call_scalar("add", x, tb_scalar_int(1)), *b = call("multiply", a, a);
    tb_array_release(x);
    tb_array_release(a);
    be_slow(2);
    CHECK(gives(b, FLOATS(1, 4, 9, 16)));
    CHECK(waits == 2 && waits_with_lock == 0 && counted().donations == 1 && counted().allocations == 0);
    be_fast();
}

static void add_in_place(tb_array *x, tb_scalar s)
{
    tb_array *out[1] = {x};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = s}};
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("add"), in, out, NULL, NULL));
}

/* Nothing is added twice, whether writes wait or not, or are too little work for it. */
static void check_writes(tb_fusion mode, int n)
{
    static float doubled[MAX_ITEMS], added[MAX_ITEMS];
    for (int i = 0; i < n; i++) {
        doubled[i] = 2 * (float)i;
        added[i] = (float)i + 110;
    }
    tb_array *x = stored(0, n), *reader = call_scalar("multiply", x, tb_scalar_int(2));
    tb_fusion_set(mode);
    be_slow(2);
    add_in_place(x, tb_scalar_int(10));
    add_in_place(x, tb_scalar_int(100));
    CHECK(gives(reader, doubled));
    CHECK(gives(x, added));
    CHECK(waits > 0 && waits_with_lock == 0);
    be_fast();
    tb_fusion_set(TB_FUSION_ALL);
}

/* Of two results, one takes the place of an operand: it is written once. */
static void test_two_writes(void)
{
    tb_array *x = stored(5, 4), *rest = range(TB_F64, 0, 4), *out[2] = {x, rest};
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(2)}};
    CHECK_OK(tb_array_eval(rest));
    tb_fusion_set(TB_FUSION_OFF);
    be_slow(1);
    CHECK_OK(tb_ufunc_into(tb_ufunc_find("divmod"), in, out, NULL, NULL));
    CHECK(gives(x, FLOATS(2, 3, 3, 4)));
    CHECK(gives(rest, (double[]){1, 0, 1, 0}));
    CHECK(waits > 0);
    be_fast();
    tb_fusion_set(TB_FUSION_ALL);
}

static void test_writes(void)
{
    for (int mode = TB_FUSION_OFF; mode <= TB_FUSION_ALL; mode++) {
        check_writes((tb_fusion)mode, 4);
        check_writes((tb_fusion)mode, MAX_ITEMS);
    }
}

static void test_reductions(void)
{
    static const tb_reduction ops[] = {TB_RED_SUM, TB_RED_MEAN, TB_RED_VAR, TB_RED_PTP, TB_RED_MAX, TB_RED_ARGMAX};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        tb_array *x = stored(3, 100), *y = call("multiply", x, x), *z = call("multiply", x, x);
        tb_array *quick = reduced(ops[i], y, -1, 0);
        double want[2] = {0}, got[2] = {0};
        tb_counters_reset();
        CHECK_OK(tb_array_get(quick, want, NULL, NULL, true));
        be_slow(2);
        tb_array *late = reduced(ops[i], z, -1, 0);
        CHECK_OK(tb_array_get(late, got, NULL, NULL, true));
        CHECK(memcmp(want, got, sizeof want) == 0 && waits > 0 && waits_with_lock == 0);
        be_fast();
        tb_array_release(late);
        tb_array_release(quick);
        tb_array_release(z);
        tb_array_release(y);
        tb_array_release(x);
    }
}

/* An operand that was computed on the fly in an attempt that came to nothing is so again in the next. */
static void test_prologue(void)
{
    tb_array *x = stored(0, 4), *y = call_scalar("add", x, tb_scalar_int(1));
    be_slow(3);
    tb_array *sum = reduced(TB_RED_SUM, y, -1, 0);
    CHECK(waits == 3 && counted().launches == 1 && counted().fused_kernels == 1 && tb_array_is_pending(y));
    be_fast();
    CHECK(gives(sum, FLOATS(10)));
    CHECK(gives(y, FLOATS(1, 2, 3, 4)));
    tb_array_release(x);
}

/* What another thread does meanwhile: it evaluates the very array, or changes what it is computed from. */
static tb_array *shared, *input;

static void *evaluate(void *unused)
{
    (void)unused;
    CHECK_OK(tb_array_eval(shared));
    return NULL;
}

static void *change_input(void *unused)
{
    (void)unused;
    add_in_place(input, tb_scalar_int(1000));
    return NULL;
}

static void *(*deed)(void *);

static void do_it_in_another_thread(void)
{
    pthread_t thread;
    refusals = 0;
    CHECK(pthread_create(&thread, NULL, deed, NULL) == 0);
    pthread_join(thread, NULL);
}

/* The other thread does not wait itself. */
static void do_it_in_another_thread_too(void)
{
    const int before = refusals;
    do_it_in_another_thread();
    refusals = before;
}

static void test_others_go_on(void)
{
    for (int turn = 0; turn < 4; turn++) {
        deed = turn & 1 ? change_input : evaluate;
        input = stored(0, 4);
        shared = call_scalar("add", input, tb_scalar_int(1));
        be_slow(1);
        meanwhile = do_it_in_another_thread;
        if (turn & 2) CHECK(gives(reduced(TB_RED_SUM, shared, -1, 0), FLOATS(10)));
        CHECK(holds(shared, FLOATS(1, 2, 3, 4)));
        CHECK(!meanwhile && waits == 1);
        be_fast();
        tb_array_release(shared);
        tb_array_release(input);
    }
}

/* ---- every operation -------------------------------------------------------------------------------------------- */

/* What o gives, as bytes. */
static void perform(const struct operation *o, op_inputs *v, char *result)
{
    static char room[16 * MAX_ITEMS];
    tb_array *out = o->run(v);
    memset(room, 0, sizeof room);
    if (!out) return;
    CHECK(tb_array_size(out) <= MAX_ITEMS);
    CHECK_OK(tb_array_get(out, room, NULL, NULL, true));
    memcpy(result, room, sizeof room);
    tb_array_release(out);
}

static op_inputs beside;

static void *compute_beside(void *unused)
{
    tb_array *sum = reduced(TB_RED_SUM, beside.wide, -1, 0);
    (void)unused;
    CHECK_OK(tb_array_eval(sum));
    tb_array_release(sum);
    return NULL;
}

/* Where the device is the host. */
static bool runs_plans(const struct operation *o)
{
    return o->run != op_nonzero && o->run != op_mask_get && o->run != op_mask_set_each && o->run != op_transfer;
}

/* Each operation gives the same numbers however often it is begun anew, and every time another thread can go on. */
static void test_operations(tb_fusion mode)
{
    static char want[16 * MAX_ITEMS], got[16 * MAX_ITEMS];
    tb_fusion_set(mode);
    op_prepare(&beside);
    deed = compute_beside;
    for (int i = 0; i < OPERATIONS; i++) {
        const struct operation *o = &operations[i];
        op_inputs v;
        op_prepare(&v);
        perform(o, &v, want);
        op_finish(&v);
        op_prepare(&v);
        be_slow(2);
        meanwhile = do_it_in_another_thread_too;
        perform(o, &v, got);
        bool ok = memcmp(want, got, sizeof want) == 0 && waits_with_lock == 0;
        if (runs_plans(o)) ok = ok && waits > 0 && !meanwhile;
        be_fast();
        if (!ok)
            fprintf(stderr, "%s, fusion %d: %d waits, %d with the lock\n", o->name, (int)mode, waits, waits_with_lock);
        CHECK(ok);
        op_finish(&v);
    }
    op_finish(&beside);
    tb_fusion_set(TB_FUSION_ALL);
}

int main(void)
{
    setenv("TOMBAC_BACKEND", "cpu", 1);
    setenv("TOMBAC_FUSION", "all", 1);
    CHECK_OK(tb_init());
    tb_fusion_set(TB_FUSION_ALL);
    real = tb__backend;
    slow = *real;
    slow.run = run;
    slow.run_wait = run_wait;
    slow.gemm = gemm;
    slow.reduce_line = NULL;
    slow.run_points = NULL;
    test_chain();
    test_donation();
    test_writes();
    test_two_writes();
    test_reductions();
    test_prologue();
    test_others_go_on();
    for (int mode = TB_FUSION_OFF; mode <= TB_FUSION_ALL; mode++) test_operations((tb_fusion)mode);
    return check_report();
}
