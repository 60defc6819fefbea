/* test_nvrtc.c - every loop and every reduction, in every form of kernel, passes the runtime compiler for the oldest
 * and a current architecture without a message; with an argument, 0 or 1, for one of the two, so that they can be tried
 * at once. Needs NVRTC but no GPU; skipped where there is none. */
#include "nvrtc.h"
#include "check.h"
#include "plans.h"
#include "backend/gpu/gpu.h"
#include "base/error.h"

enum { SKIPPED = 77, BATCH = 96 };

/* Machine code of the forms of kernels; the loops, of which there are many, only as far as PTX. */
static const char *const machine[] = {"sm_75", "sm_90"}, *const virtual[] = {"compute_75", "compute_90"};

static nvrtc_api nvrtc;
static tb_text batch;
static int batched, compiled, outlined, first_arch = 0, last_arch = 1;
static void *const aligned = (void *)4096, *const odd = (void *)(4096 + 16 * 1024 + 8);

static void flush_batch(const char *const *arches)
{
    if (!batched) return;
    for (int k = first_arch; k <= last_arch; k++) {
        const bool ok = nvrtc_compile(&nvrtc, batch.s, arches[k], tb__codegen_options);
        CHECK(ok);
        if (ok) continue;
        FILE *f = fopen("failed.cu", "w");
        if (f) fputs(batch.s, f), fclose(f);
        exit(check_report());
    }
    compiled += batched;
    batched = 0;
    tb__text_free(&batch);
}

static bool same_outline(const tb_plan *a, const tb_plan *b)
{
    tb_outline x, y;
    CHECK(tb__codegen_outline(a, &x) && tb__codegen_outline(b, &y));
    return x.hash == y.hash && x.n == y.n && memcmp(x.word, y.word, (size_t)x.n * sizeof *x.word) == 0;
}

/* A plan that differs in addresses and numbers alone has the same outline, and its parameters are those of the first
 * one with its own addresses and numbers written over them. Whatever else differs shows in the outline. */
static void check_outline(const tb_plan *p, const tb_chip *chip, const tb_variant *v)
{
    static tb_plan q;
    static tb_variant want;
    unsigned char params[TB_PARAM_MAX];
    tb_outline unused;
    if (!tb__codegen_outline(p, &unused)) return; /* too large a plan */
    outlined++;
    q = *p;
    for (int k = 0; k < q.nload; k++) q.load[k].ptr += 4096 * (k + 1);
    for (int k = 0; k < q.nstore; k++) q.store[k].ptr += 4096 * (k + 9);
    for (int k = 0; k < q.nscalar; k++) q.scalar[k].v.u += 77;
    CHECK(same_outline(p, &q));
    CHECK_OK(tb__codegen_variant(&q, chip, &want));
    CHECK(want.hash == v->hash && want.nparam == v->nparam && want.operands_at == v->operands_at);
    CHECK(memcmp(want.grid, v->grid, sizeof v->grid) == 0 && memcmp(want.block, v->block, sizeof v->block) == 0);
    memcpy(params, v->params, v->nparam);
    tb__codegen_refill(&q, params + v->operands_at);
    CHECK(memcmp(params, want.params, v->nparam) == 0);

    q.store[0].ptr += 1;
    CHECK(!same_outline(p, &q));
    q.store[0].ptr -= 1;
    if (p->ndim) {
        q.shape[0]++;
        CHECK(!same_outline(p, &q));
        q.shape[0]--;
        q.store[0].strides[0]++;
        CHECK(!same_outline(p, &q));
        q.store[0].strides[0]--;
    }
    q.store[0].dtype ^= 1;
    CHECK(!same_outline(p, &q));
    q.store[0].dtype ^= 1;
    if (p->nscalar) {
        q.scalar[0].dtype ^= 1;
        CHECK(!same_outline(p, &q));
        q.scalar[0].dtype ^= 1;
    }
    if (p->ninstr) {
        q.instr[0].in[0] ^= 1;
        CHECK(!same_outline(p, &q));
        q.instr[0].in[0] ^= 1;
    }
    q.count++;
    CHECK(same_outline(p, &q) == (p->kind == TB_PLAN_MAP && !p->scatters));
}

/* Each body becomes a namespace of one translation unit: NVRTC's own cost is paid once for many. */
static void add_plan(const tb_plan *p, const tb_chip *chip)
{
    const char *const *arches = p->ninstr == 1 && p->kind == TB_PLAN_MAP ? virtual : machine;
    static tb_variant v;
    tb_layout l;
    tb_geometry g;
    CHECK_OK(tb__codegen_variant(p, chip, &v));
    check_outline(p, chip, &v);
    tb__layout(p, chip, &l);
    tb__geometry(p, chip, &l, &g);
    if (!batched) tb__source_helpers(&batch);
    tb__text_addf(&batch, "#define tb_main tb_main_%d\n", batched);
    tb__text_addf(&batch, "namespace k%d {\n", batched);
    const size_t from = batch.len;
    tb__source_body(p, &l, &batch);
    CHECK(batch.failed || strstr(batch.s + from, "tb_params p)\n{\ntb_wait();\n"));
    tb__text_addf(&batch, "static_assert(sizeof(tb_params) == %zu, \"as packed\");\n}\n", v.nparam);
    tb__text_add(&batch, "#undef tb_main\n");
    if (++batched == BATCH) flush_batch(arches);
}

/* A single operation: operands contiguous, or rows of a larger array and every second element. */
static void add_loop(tb_loop loop, bool strided)
{
    static tb_plan p;
    const tb_loop_info *info = &tb_loop_table[loop];
    const bool index = info->flags & TB_LOOP_INDEX;
    int in[3] = {0, 0, 0};
    plan_start(&p, TB_PLAN_MAP, strided ? 2 : 1, strided ? (int64_t[]){500, 300} : (int64_t[]){100003});
    for (int k = 0; k < info->nin && !index; k++) {
        p.load[k].base = k == 0 && info->flags & TB_LOOP_ADDRESS;
        in[k] = plan_load(&p, (tb_dtype)info->in[k], aligned);
        if (strided) p.load[k].strides[1] *= 2;
    }
    for (int k = 0; k < info->nin && index; k++) in[k] = plan_scalar(&p, (tb_dtype)info->in[k], 1);
    int value = plan_loop(&p, loop, in[0], in[1], in[2]);
    plan_store(&p, (tb_dtype)info->out, value, strided ? odd : aligned);
    add_plan(&p, &test_chip);
}

/* A reduction of a 2-d array, whose element is read through a prologue of one operation where there is one. */
static void add_reduction(tb_red red, int64_t rows, int64_t columns, uint32_t reduced, const tb_chip *chip)
{
    static tb_plan p;
    const tb_red_info *info = &tb_red_table[red];
    const tb_dtype in = (tb_dtype)info->in;
    plan_start(&p, TB_PLAN_REDUCE, 2, (int64_t[]){rows, columns});
    p.red = red;
    p.reduced = reduced;
    int value = plan_load(&p, in, aligned);
    if (tb__loop_find(TB_OP_absolute, 1, &in) != TB_NOLOOP && !tb_dtype_is_unsigned(in) && in < TB_C64)
        value = plan_op(&p, "absolute", in, value, 0);
    plan_store(&p, (tb_dtype)info->out, value, aligned);
    add_plan(&p, chip);
}

static void add_scan(tb_red red, int64_t rows, int64_t columns, int axis)
{
    static tb_plan p;
    const tb_red_info *info = &tb_red_table[red];
    plan_start(&p, TB_PLAN_SCAN, 2, (int64_t[]){rows, columns});
    p.red = red;
    p.axis = axis;
    plan_store(&p, (tb_dtype)info->out, plan_load(&p, (tb_dtype)info->in, aligned), aligned);
    add_plan(&p, &test_chip);
}

static void test_loops(void)
{
    for (int k = 0; k < tb_nloop; k++) {
        if (tb__loop_is_cast((tb_loop)k) && tb_loop_table[k].in[0] == tb_loop_table[k].out) continue;
        add_loop((tb_loop)k, false);
        if (k % 3 == 0) add_loop((tb_loop)k, true);
    }
}

static void test_reductions(void)
{
    for (int k = 0; k < tb_nred; k++) {
        add_reduction((tb_red)k, 5000, 64, 2, &test_chip);
        add_reduction((tb_red)k, 50, 64 * 1024 + 3, 2, &test_chip);
        add_reduction((tb_red)k, 5000, 5000, 1, &test_chip);
        if (k % 4 == 0) add_reduction((tb_red)k, 1 << 20, 5001, 1, &test_chip);
        if (k % 4 == 1) add_reduction((tb_red)k, 20000, 33, 2, &test_chip);
    }
}

/* Sums and products of every form, of other reductions one form for each dtype in turn. */
static void test_scans(void)
{
    static const tb_red_op ops[] = {TB_REDUCE_SUM,  TB_REDUCE_PROD, TB_REDUCE_MIN,    TB_REDUCE_MAX,   TB_REDUCE_FMIN,
                                    TB_REDUCE_FMAX, TB_REDUCE_ANY,  TB_REDUCE_BITAND, TB_REDUCE_BITXOR};
    static const struct {
        int64_t rows, columns;
        int axis;
    } forms[] = {{100000, 60, 1}, {1000, 100000, 1}, {1, 10000001, 1}, {60, 100000, 0}, {100000, 6, 0}};
    enum { FORMS = sizeof forms / sizeof *forms, OPS = sizeof ops / sizeof *ops };
    for (int op = 0; op < OPS; op++) {
        for (int t = 0; t < TB_NDTYPE; t++) {
            const tb_red red = tb__red_find(ops[op], (tb_dtype)t);
            if (red == TB_NOLOOP) continue;
            for (int k = 0; k < FORMS; k++)
                if (op < 2 || k == (op + t) % FORMS) add_scan(red, forms[k].rows, forms[k].columns, forms[k].axis);
            if (op < 2 && t % 3 == 0) add_scan(red, 100000, 31, 1);
        }
    }
}

/* What is not negative of x, an element's number or twice x; x of dtype t. */
static void pick(tb_plan *p, tb_dtype t, int64_t size, int what)
{
    const tb_dtype number[2] = {TB_I64, TB_I64};
    plan_start(p, TB_PLAN_SCAN, 1, &size);
    p->red = tb__red_find(TB_REDUCE_SUM, TB_BOOL);
    p->scatters = true;
    p->combine = TB_NOLOOP;
    const int x = plan_load(p, t, aligned), zero = plan_scalar(p, t, 0), one = plan_scalar(p, TB_I64, 1);
    p->where = (uint16_t)plan_op(p, "greater_equal", t, x, zero);
    if (what == 0) plan_store(p, t, x, aligned);
    else if (what == 1) plan_store(p, t, plan_op(p, "add", t, x, x), aligned);
    else plan_store(p, TB_I64, plan_loop(p, tb__loop_find(TB_OP_iota, 2, number), one, one, 0), aligned);
    p->store[0].strides[0] = 0;
}

static void test_picks(void)
{
    static tb_plan p;
    static const tb_dtype some[] = {TB_U8, TB_I16, TB_F32, TB_F64, TB_C128};
    for (int k = 0; k < 5; k++) {
        for (int what = 0; what < 3; what++) {
            pick(&p, some[k], 10000019, what);
            add_plan(&p, &test_chip);
            pick(&p, some[k], 1000, what);
            add_plan(&p, &test_chip);
            pick(&p, some[k], (int64_t)3 << 30, what);
            add_plan(&p, &test_chip);
        }
    }
}

/* max(x, 0) + log1p(exp(-|x|)) with a scalar, x of dtype t, optionally over its own memory. */
static void softplus(tb_plan *p, tb_dtype t, int ndim, const int64_t *shape, bool in_place)
{
    plan_start(p, TB_PLAN_MAP, ndim, shape);
    const int x = plan_load(p, t, aligned), zero = plan_scalar(p, t, 0);
    const int small = plan_op(p, "exp", t, plan_op(p, "negative", t, plan_op(p, "absolute", t, x, 0), 0), 0);
    const int sum = plan_op(p, "add", t, plan_op(p, "maximum", t, x, zero), plan_op(p, "log1p", t, small, 0));
    plan_store(p, t, sum, in_place ? aligned : odd);
}

/* (log(s / k) + (r + v v / 2) t) / (v sqrt(t)) and what a price is made of: many nodes, several results. */
static void option_price(tb_plan *p, tb_dtype t)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){1 << 20});
    const int s = plan_load(p, t, aligned), k = plan_load(p, t, aligned), years = plan_load(p, t, aligned);
    const int rate = plan_scalar(p, t, 0.02), vol = plan_scalar(p, t, 0.3), half = plan_scalar(p, t, 0.5);
    const int root = plan_op(p, "multiply", t, vol, plan_op(p, "sqrt", t, years, 0));
    const int drift = plan_op(p, "add", t, rate, plan_op(p, "multiply", t, half, plan_op(p, "square", t, vol, 0)));
    const int top = plan_op(p, "add", t, plan_op(p, "log", t, plan_op(p, "divide", t, s, k), 0),
                            plan_op(p, "multiply", t, drift, years));
    const int d1 = plan_op(p, "divide", t, top, root), d2 = plan_op(p, "subtract", t, d1, root);
    const int n1 = plan_op(p, "multiply", t, half, plan_op(p, "tanh", t, d1, 0));
    const int n2 = plan_op(p, "multiply", t, half, plan_op(p, "tanh", t, d2, 0));
    const int decay = plan_op(p, "exp", t, plan_op(p, "negative", t, plan_op(p, "multiply", t, rate, years), 0), 0);
    const int paid = plan_op(p, "multiply", t, plan_op(p, "multiply", t, k, decay), n2);
    const int call = plan_op(p, "subtract", t, plan_op(p, "multiply", t, s, n1), paid);
    const int put = plan_op(p, "add", t, plan_op(p, "subtract", t, call, s), plan_op(p, "multiply", t, k, decay));
    plan_store(p, t, call, aligned);
    plan_store(p, t, put, aligned);
}

/* x + row + column of an outer product, in mixed dtypes, with the inner dimension contiguous or not. */
static void broadcast(tb_plan *p, int64_t rows, int64_t columns, bool transposed)
{
    plan_start(p, TB_PLAN_MAP, 2, (int64_t[]){rows, columns});
    const int x = plan_load(p, TB_F32, aligned), row = plan_load(p, TB_F32, aligned);
    const int column = plan_load(p, TB_F32, odd);
    p->load[row].strides[0] = 0;
    p->load[column].strides[1] = 0;
    p->load[column].strides[0] = 4;
    if (transposed) p->load[x].strides[0] = 4, p->load[x].strides[1] = 4 * rows;
    const int sum = plan_op(p, "add", TB_F32, plan_op(p, "add", TB_F32, x, row), column);
    plan_store(p, TB_F32, sum, aligned);
    plan_store(p, TB_BOOL, plan_op(p, "greater", TB_F32, sum, x), aligned);
}

static void test_fused(void)
{
    static tb_plan p;
    static const tb_dtype floats[] = {TB_F16, TB_BF16, TB_F32, TB_F64};
    for (int k = 0; k < 4; k++) {
        softplus(&p, floats[k], 1, (int64_t[]){1 << 20}, false);
        add_plan(&p, &test_chip);
        softplus(&p, floats[k], 1, (int64_t[]){(int64_t)5 << 31}, true);
        add_plan(&p, &test_chip);
        softplus(&p, floats[k], 0, NULL, true);
        add_plan(&p, &test_chip);
        option_price(&p, floats[k]);
        add_plan(&p, &test_chip);
    }
    broadcast(&p, 1000, 1000, false);
    add_plan(&p, &test_chip);
    broadcast(&p, 1001, 999, false);
    add_plan(&p, &test_chip);
    broadcast(&p, 1000, 1000, true);
    add_plan(&p, &test_chip);
    broadcast(&p, 1 << 20, 1 << 12, false);
    add_plan(&p, &test_chip);
    broadcast(&p, 3, 100000, true);
    add_plan(&p, &test_chip);
    broadcast(&p, 100001, 5, true);
    add_plan(&p, &test_chip);
}

/* Complex numbers that start at an odd float. */
static void test_unaligned_complex(void)
{
    static tb_plan p;
    plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){100});
    const int x = plan_load(&p, TB_C64, (char *)aligned + 4), y = plan_load(&p, TB_C64, aligned);
    plan_store(&p, TB_C64, plan_op(&p, "add", TB_C64, x, y), aligned);
    add_plan(&p, &test_chip);
}

/* Reductions whose prologue counts points, and ones with several dimensions on both sides. */
static void test_reductions_of_generators(void)
{
    static tb_plan p;
    const tb_dtype in[2] = {TB_U64, TB_U64};
    for (uint32_t reduced = 1; reduced < 31; reduced++) {
        plan_start(&p, TB_PLAN_REDUCE, 5, (int64_t[]){12, 3, 14, 5, 60});
        p.red = tb__red_find(reduced % 2 ? TB_REDUCE_ARGMAX : TB_REDUCE_MAX, TB_F32);
        p.reduced = reduced;
        const int seed = plan_scalar(&p, TB_U64, 1), offset = plan_scalar(&p, TB_U64, 7);
        const int value = plan_loop(&p, tb__loop_find(TB_OP_uniform_f32, 2, in), seed, offset, 0);
        plan_store(&p, (tb_dtype)tb_red_table[p.red].out, value, aligned);
        add_plan(&p, &test_chip);
    }
}

/* Complete sources, with the helpers that each asks for and no others. */
static void test_whole_sources(void)
{
    static tb_plan p;
    for (int k = 0; k < tb_nloop + tb_nred; k += 37) {
        tb_text source = {0};
        if (k < tb_nloop) {
            if (tb_loop_table[k].flags & TB_LOOP_INDEX) continue;
            plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){1000});
            int in[3] = {0, 0, 0};
            const tb_loop_info *info = &tb_loop_table[k];
            p.load[0].base = info->flags & TB_LOOP_ADDRESS;
            for (int m = 0; m < info->nin; m++) in[m] = plan_load(&p, (tb_dtype)info->in[m], aligned);
            plan_store(&p, (tb_dtype)info->out, plan_loop(&p, (tb_loop)k, in[0], in[1], in[2]), aligned);
        } else {
            plan_start(&p, TB_PLAN_REDUCE, 1, (int64_t[]){1000});
            p.red = (tb_red)(k - tb_nloop);
            p.reduced = 1;
            plan_store(&p, (tb_dtype)tb_red_table[p.red].out, plan_load(&p, (tb_dtype)tb_red_table[p.red].in, aligned),
                       aligned);
        }
        CHECK_OK(tb__codegen_source(&p, &test_chip, &source));
        CHECK(nvrtc_compile(&nvrtc, source.s, "sm_75", tb__codegen_options));
        tb__text_free(&source);
        compiled++;
    }
}

/* x[i] * 2, in rows or one by one, from more than 2^31 bytes or fewer; what a loop adds up at indices. */
static void gather(tb_plan *p, tb_dtype t, int64_t rows, int64_t columns)
{
    plan_start(p, TB_PLAN_MAP, 2, (int64_t[]){rows, columns});
    const int base = plan_base(p, t, aligned), index = plan_load(p, TB_I64, aligned);
    p->load[base].strides[0] = p->load[index].strides[1] = 0;
    const int n = plan_scalar(p, TB_I64, 1000), s = plan_scalar(p, TB_I64, 8);
    const int x = plan_gather(p, base, plan_place(p, index, n, s));
    plan_store(p, t, plan_op(p, "add", t, x, x), aligned);
}

static void scatter(tb_plan *p, tb_loop combine, tb_dtype t, tb_dtype value)
{
    plan_start(p, TB_PLAN_MAP, 1, (int64_t[]){1 << 20});
    const int index = plan_load(p, TB_I32, aligned), x = plan_load(p, value, aligned);
    const int n = plan_scalar(p, TB_I64, 1000), s = plan_scalar(p, TB_I64, 8);
    const int wide = plan_loop(p, tb__cast_loop(TB_I32, TB_I64), index, 0, 0);
    p->scatters = true;
    p->combine = combine;
    p->count = 0;
    p->where = (uint16_t)plan_place(p, wide, n, s);
    plan_store(p, t, x, aligned);
    p->store[0].strides[0] = 0;
}

static void test_gathers(void)
{
    static tb_plan p;
    for (int t = 0; t < TB_NDTYPE; t++) {
        gather(&p, (tb_dtype)t, 1000, 60);
        add_plan(&p, &test_chip);
        gather(&p, (tb_dtype)t, 1 << 20, 1 << 12);
        add_plan(&p, &test_chip);
        gather(&p, (tb_dtype)t, 100, 64);
        p.kind = TB_PLAN_REDUCE;
        p.reduced = 2;
        p.red = tb__red_find(TB_REDUCE_ANY, TB_BOOL);
        if (t != TB_BOOL)
            p.store[0].value = (uint16_t)plan_loop(&p, tb__cast_loop((tb_dtype)t, TB_BOOL), p.store[0].value, 0, 0);
        p.store[0].dtype = TB_BOOL;
        p.store[0].strides[1] = 0;
        add_plan(&p, &test_chip);
        scatter(&p, TB_NOLOOP, (tb_dtype)t, (tb_dtype)t);
        add_plan(&p, &test_chip);
    }
}

/* Loops over elements of another dtype. */
static void test_updates_with_casts(void)
{
    static const tb_dtype elements[] = {TB_BOOL, TB_I8, TB_U64, TB_F16, TB_BF16, TB_F32, TB_C64};
    static const tb_op ops[] = {TB_OP_add, TB_OP_maximum, TB_OP_equal, TB_OP_arctan2};
    static tb_plan p;
    for (int i = 0; i < 7; i++)
        for (int w = 0; w < TB_NDTYPE; w++)
            for (int k = 0; k < 4; k++) {
                const tb_loop loop = tb__loop_find(ops[k], 2, (tb_dtype[]){(tb_dtype)w, (tb_dtype)w});
                if (loop == TB_NOLOOP) continue;
                scatter(&p, loop, elements[i], (tb_dtype)w);
                add_plan(&p, &test_chip);
            }
}

/* Every loop whose result can take its first input's place; of the widest numbers, sums alone. */
static void test_updates(void)
{
    static tb_plan p;
    for (int k = 0; k < tb_nloop; k++) {
        const tb_loop_info *info = &tb_loop_table[k];
        const bool sum = info->op == TB_OP_add || info->op == TB_OP_subtract;
        if (info->nin > 2 || info->in[0] != info->out || info->flags & (TB_LOOP_INDEX | TB_LOOP_ADDRESS)) continue;
        if (tb__loop_is_cast((tb_loop)k) || (info->out == TB_C128 && !sum)) continue;
        scatter(&p, (tb_loop)k, (tb_dtype)info->out, (tb_dtype)info->in[info->nin - 1]);
        add_plan(&p, &test_chip);
        p.count = 1000;
        if (tb__bin_red(&p) != TB_NOLOOP) add_plan(&p, &test_chip);
    }
}

/* One number at many places, which is counted. */
static void test_counts(void)
{
    static tb_plan p;
    for (int t = TB_I8; t <= TB_U64; t++) {
        plan_start(&p, TB_PLAN_MAP, 1, (int64_t[]){1 << 20});
        const int index = plan_load(&p, TB_I64, aligned), n = plan_scalar(&p, TB_I64, 1000);
        const int s = plan_scalar(&p, TB_I64, 8), five = plan_scalar(&p, (tb_dtype)t, 5);
        p.scatters = true;
        p.combine = tb__loop_find(TB_OP_add, 2, (tb_dtype[]){(tb_dtype)t, (tb_dtype)t});
        p.count = 1000;
        p.where = (uint16_t)plan_place(&p, index, n, s);
        plan_store(&p, (tb_dtype)t, five, aligned);
        p.store[0].strides[0] = 0;
        CHECK(tb__bins_count(&p));
        add_plan(&p, &test_chip);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) first_arch = last_arch = atoi(argv[1]) != 0;
    if (!nvrtc_open(&nvrtc)) {
        fprintf(stderr, "there is no NVRTC here\n");
        return SKIPPED;
    }
    test_fused();
    test_unaligned_complex();
    test_gathers();
    test_updates();
    test_counts();
    test_updates_with_casts();
    test_reductions_of_generators();
    test_reductions();
    test_scans();
    test_picks();
    flush_batch(machine);
    if (first_arch == 0) test_whole_sources();
    test_loops();
    flush_batch(virtual);
    CHECK(outlined > tb_nloop);
    printf("%d kernels compiled\n", compiled);
    return check_report();
}
