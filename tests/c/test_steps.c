/* test_steps.c - a plan taken apart gives, bit for bit, what the whole plan gives: random plans with several outputs,
 * in-place outputs, broadcasting, casts, reductions and scans, run by the CPU backend both ways. */
#include <stdlib.h>

#include "backend/gpu/kernel.h"
#include "check.h"
#include "plans.h"

enum { PLANS = 3000, ROWS = 7, COLS = 33, POINTS = ROWS * COLS, LOADS = 6, STORES = 3, AREA = POINTS * 16 + 64 };

static _Alignas(64) char memory[LOADS + STORES][AREA], before[LOADS + STORES][AREA], whole[LOADS + STORES][AREA];
static uint64_t random_state = 7;

static int below(int n)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((random_state >> 33) % (uint64_t)n);
}

static const tb_dtype dtypes[] = {TB_F32, TB_I32, TB_F64};

static void fill(void)
{
    for (int i = 0; i < LOADS + STORES; i++) {
        for (int k = 0; k < POINTS; k++) {
            int value = below(19) - 9;
            if (dtypes[i % 3] == TB_F32) ((float *)memory[i])[k] = (float)value / 4;
            else if (dtypes[i % 3] == TB_I32) ((int32_t *)memory[i])[k] = value;
            else ((double *)memory[i])[k] = (double)value / 4;
        }
    }
    memcpy(before, memory, sizeof memory);
}

/* A value of dtype t among those there are, or -1. */
static int pick(const tb_plan *p, tb_dtype t)
{
    int n = tb__plan_nvalue(p), start = below(n);
    for (int i = 0; i < n; i++) {
        int value = (start + i) % n;
        if (tb__plan_dtype(p, value) == t) return value;
    }
    return -1;
}

static void add_instr(tb_plan *p)
{
    static const char *const ops[] = {"add", "subtract", "multiply", "maximum", "negative", "absolute"};
    tb_dtype t = dtypes[below(3)];
    int a = pick(p, t), b = pick(p, t);
    if (a < 0 || below(5) == 0) {
        int from = below(tb__plan_nvalue(p));
        if (tb__plan_dtype(p, from) != t) plan_loop(p, tb__cast_loop(tb__plan_dtype(p, from), t), from, 0, 0);
        return;
    }
    plan_op(p, ops[below(6)], t, a, b);
}

static void add_operands(tb_plan *p)
{
    int loads = 1 + below(LOADS - 1), scalars = below(3);
    for (int i = 0; i < loads; i++) {
        int l = plan_load(p, dtypes[i % 3], memory[i]);
        if (below(4) == 0) p->load[l].strides[below(2)] = 0;
    }
    for (int i = 0; i < scalars; i++) plan_scalar(p, dtypes[i], below(5));
}

/* Some stores are in place: the very memory of a load with the same strides. */
static void add_stores(tb_plan *p)
{
    int stores = 1 + below(STORES), used = 0;
    for (int s = 0; s < stores; s++) {
        int value = s == 0 ? tb__plan_nvalue(p) - 1 : below(tb__plan_nvalue(p));
        tb_dtype t = tb__plan_dtype(p, value);
        int l = below(p->nload);
        char *ptr = memory[LOADS + s];
        bool same_size = tb_dtype_size((tb_dtype)p->load[l].dtype) == tb_dtype_size(t);
        bool plain = p->load[l].strides[0] && p->load[l].strides[1];
        if (same_size && plain && !(used >> l & 1) && below(2)) {
            used |= 1 << l;
            ptr = memory[l];
        }
        plan_store(p, t, value, ptr);
    }
}

static void make_map(tb_plan *p)
{
    plan_start(p, TB_PLAN_MAP, 2, (int64_t[]){ROWS, COLS});
    add_operands(p);
    int instrs = below(12);
    for (int i = 0; i < instrs; i++) add_instr(p);
    add_stores(p);
}

static void make_reduction(tb_plan *p)
{
    plan_start(p, TB_PLAN_REDUCE, 2, (int64_t[]){ROWS, COLS});
    p->reduced = 1u + (uint32_t)below(3);
    p->count = (p->reduced & 1 ? ROWS : 1) * (p->reduced & 2 ? COLS : 1);
    add_operands(p);
    for (int i = below(6); i >= 0; i--) add_instr(p);
    int value = tb__plan_nvalue(p) - 1;
    p->red = tb__red_find(below(2) ? TB_REDUCE_SUM : TB_REDUCE_ARGMAX, tb__plan_dtype(p, value));
    plan_store(p, (tb_dtype)tb_red_table[p->red].out, value, memory[LOADS]);
}

static void make_scan(tb_plan *p)
{
    plan_start(p, TB_PLAN_SCAN, 2, (int64_t[]){ROWS, COLS});
    p->axis = below(2);
    add_operands(p);
    for (int i = below(6); i >= 0; i--) add_instr(p);
    int value = pick(p, TB_F64);
    if (value < 0) value = plan_loop(p, tb__cast_loop(TB_F32, TB_F64), pick(p, TB_F32), 0, 0);
    p->red = tb__red_find(TB_REDUCE_SUM, TB_F64);
    plan_store(p, (tb_dtype)tb_red_table[p->red].out, value, memory[LOADS]);
}

static void run_steps(tb_stream *s, const tb_steps *steps)
{
    static tb_plan step;
    static _Alignas(512) char temporary[TB_PLAN_MAXINSTR][POINTS * 8];
    void *slots[TB_PLAN_MAXINSTR];
    for (int i = 0; i < steps->nslot; i++) {
        CHECK(steps->slot_size[i] <= sizeof temporary[i]);
        slots[i] = temporary[i];
        memset(temporary[i], 0x5a, sizeof temporary[i]);
    }
    for (int i = 0; i < steps->n; i++) {
        tb__steps_plan(steps, i, slots, &step);
        CHECK(step.ninstr <= 1 && step.nstore == 1);
        CHECK(step.kind == TB_PLAN_MAP || step.ninstr == 0);
        CHECK_OK(tb__backend->run(s, &step));
    }
}

/* A chain of one dtype stays in one block of memory. A value of another size, or one that is read again, does not. */
static void test_temporaries(void)
{
    static tb_plan p;
    tb_steps steps;
    plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){POINTS});
    const int x = plan_load(&p, TB_F32, memory[0]);
    int a = plan_op(&p, "sin", TB_F32, x, 0);
    for (int i = 0; i < 4; i++) a = plan_op(&p, "add", TB_F32, a, x);
    plan_store(&p, TB_F32, plan_op(&p, "sin", TB_F32, a, 0), memory[LOADS]);
    CHECK(tb__steps_of(&p, &steps) && steps.nslot == 1);

    plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){POINTS});
    plan_load(&p, TB_F32, memory[0]);
    a = plan_op(&p, "sin", TB_F32, 0, 0);
    const int b = plan_op(&p, "sin", TB_F32, a, 0);
    plan_store(&p, TB_F32, plan_op(&p, "add", TB_F32, a, b), memory[LOADS]);
    CHECK(tb__steps_of(&p, &steps) && steps.nslot == 2);

    plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){POINTS});
    plan_load(&p, TB_F32, memory[0]);
    a = plan_op(&p, "sin", TB_F32, 0, 0);
    const int wide = plan_loop(&p, tb__cast_loop(TB_F32, TB_F64), a, 0, 0);
    plan_store(&p, TB_F64, plan_op(&p, "sin", TB_F64, wide, 0), memory[LOADS]);
    CHECK(tb__steps_of(&p, &steps) && steps.nslot == 2);
}

int main(void)
{
    static tb_plan p, finished;
    tb_steps steps;
    tb_stream *s;
    int taken_apart = 0;
    setenv("TOMBAC_BACKEND", "cpu", 1);
    CHECK_OK(tb_stream_null(&s));
    for (int i = 0; i < PLANS && !check_failures; i++) {
        fill();
        if (i % 4 == 2) make_reduction(&p);
        else if (i % 4 == 3) make_scan(&p);
        else make_map(&p);
        if (i % 3) tb__plan_finish(&p);
        if (!tb__steps_of(&p, &steps)) continue;
        taken_apart++;
        finished = p;
        tb__plan_finish(&finished);
        CHECK_OK(tb__backend->run(s, &finished));
        memcpy(whole, memory, sizeof memory);
        memcpy(memory, before, sizeof memory);
        run_steps(s, &steps);
        CHECK(memcmp(memory, whole, sizeof memory) == 0);
    }
    CHECK(taken_apart > PLANS * 3 / 4);
    test_temporaries();
    return check_report();
}
