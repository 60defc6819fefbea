/* test_emulated.c - generated kernels do what their plans say: random plans run on the host (cuda_on_host.h), compiled
 * by the C++ compiler, and by reference_run.h; the memory around all operands must come out the same, byte for byte.
 * Numbers are small integers in every dtype, so that sums are exact in any order. Plans with equal keys must have equal
 * sources. Skipped where there is no C++ compiler. argv: number of plans, seed. */
#include "check.h"
#include "plans.h"
#include "base/half.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SKIPPED = 77, ARENA = 128 << 20, WORKSPACE = 16 << 20, COUNTERS = 1 << 16, MAX_PLANS = 4000, LAYOUTS = 4 };

static const tb_chip small_chip = {2, 512, 49152};

typedef void (*run_kernel)(const void *params, const uint32_t *grid, const uint32_t *block);
typedef void (*run_reference)(const tb_plan *p);

static const int64_t FAR = (int64_t)6 << 30;
static char *arena, *twin; /* the kernel's memory, the reference's */
static char *far;          /* both read this */
static size_t used, far_used;
static tb_plan *plans;
static int body_of[MAX_PLANS], nbody, chunked_tiles, staged, panels, strips, interleaved, casting;
static int first_fill; /* of the random plans */
static uint64_t body_hash[MAX_PLANS];
static tb_text bodies[MAX_PLANS];

static int below(int n) { return rand() % n; }
static bool chance(int percent) { return below(100) < percent; }

/* ---- random plans ---------------------------------------------------------------------------------------------- */

static void put_number(char *at, tb_dtype t, int64_t x)
{
    const int64_t magnitude = x < 0 ? -x : x;
    const float f = (float)x, cf[2] = {f, 1};
    const double d = (double)x, cd[2] = {d, -2};
    const uint16_t h = tb__half_from_double(d), b = tb__bfloat_from_double(d);
    switch (t) {
    case TB_BOOL: *at = magnitude & 1; break;
    case TB_F16: memcpy(at, &h, 2); break;
    case TB_BF16: memcpy(at, &b, 2); break;
    case TB_F32: memcpy(at, &f, 4); break;
    case TB_F64: memcpy(at, &d, 8); break;
    case TB_C64: memcpy(at, cf, 8); break;
    case TB_C128: memcpy(at, cd, 16); break;
    default: memcpy(at, tb_dtype_is_unsigned(t) ? &magnitude : &x, tb_dtype_size(t));
    }
}

static void fill(char *start, int64_t bytes, tb_dtype t)
{
    const int64_t size = (int64_t)tb_dtype_size(t);
    for (int64_t at = 0; at + size <= bytes; at += size) put_number(start + at, t, below(8) - 3);
}

/* Some load reads rows that are gigabytes apart: indices need 64 bits. False if shape or system have no room. */
static bool far_view(tb_plan *p, tb_dtype t, int64_t *strides, char **first)
{
    int row = 0;
    while (row < p->ndim && p->shape[row] != 2) row++;
    if (row == p->ndim || !far) return false;
    int64_t extent = (int64_t)tb_dtype_size(t);
    for (int d = p->ndim; d-- > 0;) {
        strides[d] = d == row ? FAR / 2 : extent;
        if (d != row) extent *= p->shape[d];
    }
    *first = far + far_used;
    fill(*first, extent, t);
    fill(*first + FAR / 2, extent, t);
    far_used += (size_t)(extent + 63) / 64 * 64;
    return true;
}

static char *take(size_t bytes)
{
    char *start = arena + used;
    used += bytes;
    if (used > ARENA) abort();
    return start;
}

/* Strides of some view of memory of its own; returns where its first element is. */
static char *random_view(tb_plan *p, tb_dtype t, int64_t *strides, bool load)
{
    const int64_t size = (int64_t)tb_dtype_size(t);
    const bool plain = chance(50), mirrored = plain && load && chance(25);
    char *found;
    if (load && chance(12) && far_view(p, t, strides, &found)) return found;
    int order[TB_MAXDIM];
    int64_t extent = size, first = 0;
    for (int d = 0; d < p->ndim; d++) order[d] = d;
    for (int d = 0; d + 1 < p->ndim && !plain && chance(60); d++) {
        const int other = d + below(p->ndim - d), x = order[d];
        order[d] = order[other];
        order[other] = x;
    }
    for (int k = p->ndim; k-- > 0;) {
        const int d = order[k];
        strides[d] = extent * (!plain && extent < 65536 && chance(15) ? 2 + below(2) : 1);
        extent = strides[d] * p->shape[d] + (!plain && chance(15) ? size * below(5) : 0);
        if (load && !plain && chance(20)) strides[d] = 0;
        if ((mirrored && d == p->ndim - 1) || (!plain && chance(10)))
            strides[d] = -strides[d], first -= strides[d] * (p->shape[d] - 1);
    }
    used = (used + 127) / 64 * 64;
    if (!plain && chance(25)) used += (size_t)(size * below(4));
    if (t == TB_C64 && chance(10)) used += 4;
    char *start = take((size_t)extent);
    fill(start, extent, t);
    return start + first;
}

static bool exact_dtype(tb_dtype t) { return t < TB_C64; }

static void random_shape(tb_plan *p, tb_plan_kind kind, int64_t most)
{
    static const int64_t some[] = {2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 32, 33, 48, 64, 100, 129, 256, 1000, 4096, 5003};
    int64_t shape[TB_MAXDIM], size = 1;
    int ndim = kind == TB_PLAN_MAP ? below(5) : 1 + below(4);
    for (int d = 0; d < ndim; d++) {
        do shape[d] = some[below(20)];
        while (size * shape[d] > most && shape[d] > 2);
        size *= shape[d];
    }
    plan_start(p, kind, ndim, shape);
}

/* Rows that are short, and begin anywhere: they may be staged. */
static void many_rows(tb_plan *p, tb_plan_kind kind)
{
    static const int64_t length[] = {2, 3, 4, 5, 6, 7, 13, 17, 31, 33, 50, 100, 129, 255, 301};
    const int64_t columns = length[below(15)], rows = 10 + (2000 + below(20000)) / columns;
    plan_start(p, kind, 2, (const int64_t[]){rows, columns});
}

/* One long dimension: several tiles or blocks a row. */
static void long_shape(tb_plan *p, tb_plan_kind kind)
{
    const int64_t few[] = {2, 3, 4, 8, 17, 40}, length = 2000 + below(chance(30) ? 100000 : 10000);
    const int64_t shape[3] = {few[below(6)], few[below(6)], few[below(6)]};
    int64_t all[3];
    const int ndim = 1 + below(2), at = below(ndim);
    for (int d = 0; d < ndim; d++) all[d] = d == at ? (chance(50) ? length : length & ~15ll) : shape[d];
    plan_start(p, kind, ndim, all);
}

/* Any value but a base. */
static int any_value(const tb_plan *p)
{
    for (;;) {
        const int v = below(tb__plan_nvalue(p));
        if (v >= p->nload || !p->load[v].base) return v;
    }
}

/* A value of dtype t: one there is, if the dice say so, or a cast of one. */
static int value_of(tb_plan *p, tb_dtype t)
{
    const int n = tb__plan_nvalue(p);
    int v = below(n);
    for (int k = 0; k < n; k++, v = (v + 1) % n)
        if (tb__plan_dtype(p, v) == t && (v >= p->nload || !p->load[v].base)) return v;
    v = any_value(p);
    return plan_loop(p, tb__cast_loop(tb__plan_dtype(p, v), t), v, 0, 0);
}

static void random_instruction(tb_plan *p)
{
    static const char *const ops[] = {"add",      "subtract", "multiply", "maximum",     "minimum", "negative",
                                      "absolute", "less",     "square",   "logical_and", "equal"};
    const int a = any_value(p);
    const tb_dtype t = tb__plan_dtype(p, a), in[3] = {t, t, t};
    const char *op = ops[below(11)];
    const int b = value_of(p, t);
    if (!exact_dtype(t) || chance(20)) {
        const tb_dtype to = (tb_dtype)below(TB_F64 + 1);
        if (to != t) plan_loop(p, tb__cast_loop(t, to), a, 0, 0);
        return;
    }
    if (loop_named(op, 2, in) != TB_NOLOOP || loop_named(op, 1, in) != TB_NOLOOP) plan_op(p, op, t, a, b);
}

/* An axis that indices walk along besides the plan's dimensions: its length, its stride, memory behind the view. */
typedef struct axis {
    int64_t length, stride;
} axis;

static axis random_axis(tb_dtype t, const char *view)
{
    const int64_t size = (int64_t)tb_dtype_size(t);
    const axis x = {1 + below(5), size * (1 + below(3))};
    if (view >= arena && view < arena + ARENA) fill(take((size_t)(x.length * x.stride)), x.length * x.stride, t);
    else far_used += (size_t)(x.length * x.stride + 63) / 64 * 64;
    return x;
}

static void plan_diagonal(tb_plan *p, int columns)
{
    const tb_dtype in[3] = {TB_I64, TB_I64, TB_U64};
    const int a = plan_scalar(p, TB_I64, columns), b = plan_scalar(p, TB_I64, below(9) - 4.0);
    const int c = plan_scalar(p, TB_U64, 0);
    p->scalar[c - p->nload].v.u = UINT64_MAX / (uint64_t)columns;
    plan_loop(p, tb__loop_find(chance(50) ? TB_OP_eye : TB_OP_tri, 3, in), a, b, c);
}

/* Loads, scalars, a gather and a generator or none: what instructions start from. */
static void random_inputs(tb_plan *p)
{
    int base = -1, index = -1;
    axis x = {0};
    const int nload = below(4);
    for (int k = 0; k < nload; k++) {
        const tb_dtype t = (tb_dtype)below(TB_NDTYPE);
        plan_load(p, t, NULL);
        p->load[k].ptr = random_view(p, t, p->load[k].strides, true);
    }
    if (chance(35)) {
        const tb_dtype t = (tb_dtype)below(TB_NDTYPE);
        base = plan_base(p, t, NULL);
        char *view = random_view(p, t, p->load[base].strides, true);
        p->load[base].ptr = view;
        x = random_axis(t, view);
        index = plan_load(p, TB_I64, NULL);
        p->load[index].ptr = random_view(p, TB_I64, p->load[index].strides, true);
    }
    for (int k = below(3); k-- > 0;) plan_scalar(p, (tb_dtype)below(TB_F64 + 1), below(5));
    if (base >= 0) {
        const int n = plan_scalar(p, TB_I64, (double)x.length), s = plan_scalar(p, TB_I64, (double)x.stride);
        plan_gather(p, base, plan_place(p, index, n, s));
        return;
    }
    if (nload && !chance(20)) return;
    if (chance(33)) {
        plan_diagonal(p, 1 + below(chance(50) ? 5 : 1000));
        return;
    }
    const bool draw = chance(50);
    const tb_dtype t = draw ? TB_U64 : chance(50) ? TB_I32 : TB_F32, in[2] = {t, t};
    const int a = plan_scalar(p, t, below(100)), b = plan_scalar(p, t, 1 + below(3));
    plan_loop(p, tb__loop_find(draw ? TB_OP_random_u32 : TB_OP_iota, 2, in), a, b, 0);
}

/* Neighbours along dimension `first`, then along those after it, cyclically; starts at some element. */
static void transpose_load(tb_plan *p, int k, int first)
{
    const tb_dtype t = (tb_dtype)p->load[k].dtype;
    int64_t extent = (int64_t)tb_dtype_size(t);
    for (int n = 0; n < p->ndim; n++) {
        const int d = (first + n) % p->ndim;
        p->load[k].strides[d] = extent;
        extent *= p->shape[d];
    }
    used = (used + 63) / 64 * 64 + (chance(50) ? 0 : tb_dtype_size(t) * (size_t)below(3));
    p->load[k].ptr = take((size_t)extent);
    fill(arena + used - extent, extent, t);
}

/* Two dimensions, one of them narrow, or several such pairs: loads that have them inside out go with panels. */
static void narrow_shape(tb_plan *p)
{
    const int64_t narrow = 2 + below(chance(70) ? 12 : 150), other = 70 + (2500 + below(6000)) / narrow;
    const int64_t batch = 1 + below(4), pair[3] = {batch, narrow, other}, turned[3] = {batch, other, narrow};
    const int skip = chance(60);
    plan_start(p, TB_PLAN_MAP, 3 - skip, (chance(60) ? pair : turned) + skip);
}

/* The same transcendental again and again, which is a function that is called. */
static void repeat_heavy(tb_plan *p)
{
    const tb_dtype t = chance(50) ? TB_F32 : TB_F64;
    for (int k = 0, v = value_of(p, t); k < 7; k++) v = plan_op(p, "tanh", t, v, 0);
}

static void random_map(tb_plan *p)
{
    const bool narrow = chance(25), small = chance(25);
    if (narrow) narrow_shape(p);
    else if (small) plan_start(p, TB_PLAN_MAP, 2 + below(2), (int64_t[]){2 + below(76), 2 + below(76), 8 + below(40)});
    else random_shape(p, TB_PLAN_MAP, 30000);
    random_inputs(p);
    for (int k = 0; k < p->nload && p->ndim > 1; k++)
        if (!p->load[k].base && chance(narrow ? 60 : 20)) transpose_load(p, k, narrow ? p->ndim - 2 : 0);
    for (int k = below(6); k-- > 0;) random_instruction(p);
    if (chance(5)) repeat_heavy(p);
    const int nstore = 1 + (chance(20) ? 1 + below(2) : 0);
    for (int k = 0; k < nstore; k++) {
        const int v = any_value(p);
        const tb_dtype t = tb__plan_dtype(p, v);
        plan_store(p, t, v, NULL);
        tb_store *y = &p->store[k];
        y->ptr = random_view(p, t, y->strides, false);
        if (k || !p->nload || p->load[0].base || p->load[0].dtype != t || !chance(50)) continue;
        /* In place of the first load. */
        memcpy(p->load[0].strides, y->strides, sizeof y->strides);
        p->load[0].ptr = y->ptr;
    }
}

/* Elements of one and two bytes, of which a tile's chunks have several where extents and addresses allow it. */
static void small_elements(tb_plan *p)
{
    static const tb_dtype small[] = {TB_BOOL, TB_I8, TB_U8, TB_I16, TB_U16, TB_F16, TB_BF16};
    const int64_t unit = 1 << below(3);
    plan_start(p, TB_PLAN_MAP, 3, (int64_t[]){1 + below(3), unit * (1 + below(60)), unit * (1 + below(60))});
    const int nload = 1 + below(3);
    for (int k = 0; k < nload; k++) {
        const tb_dtype t = small[below(7)];
        plan_load(p, t, NULL);
        if (k == 0 || chance(40)) transpose_load(p, k, 1);
        else p->load[k].ptr = random_view(p, t, p->load[k].strides, true);
    }
    for (int k = below(4); k-- > 0;) random_instruction(p);
    const int v = any_value(p);
    plan_store(p, tb__plan_dtype(p, v), v, NULL);
    p->store[0].ptr = random_view(p, tb__plan_dtype(p, v), p->store[0].strides, false);
}

/* Stores whose elements take turns in one piece of memory, for the most part. */
static void random_interleaved(tb_plan *p)
{
    const int n = 2 + below(4);
    const tb_dtype t = (tb_dtype)below(TB_NDTYPE);
    int64_t strides[TB_MAXDIM];
    if (chance(50)) many_rows(p, TB_PLAN_MAP);
    else plan_start(p, TB_PLAN_MAP, 1, (const int64_t[]){2 + below(4000)});
    const int last = p->ndim - 1;
    random_inputs(p);
    for (int k = below(3); k-- > 0;) random_instruction(p);
    tb_plan wide = *p;
    wide.shape[last] *= n;
    char *first = random_view(&wide, t, strides, false);
    for (int k = 0; k < n; k++) {
        plan_store(p, t, value_of(p, t), first + k * strides[last]);
        memcpy(p->store[k].strides, strides, sizeof strides);
        p->store[k].strides[last] *= n;
    }
}

/* In which dtype elements of t are combined: any order gives the same in those that are chosen. */
static tb_dtype computed_dtype(tb_dtype t)
{
    const tb_kind kind = tb_dtype_kind(t);
    tb_dtype w = (tb_dtype)below(TB_NDTYPE);
    if (chance(60) || (kind == TB_KIND_FLOAT && tb__is_half(t))) return t;
    if (kind != TB_KIND_INT && kind != TB_KIND_FLOAT) return t;
    while (tb_dtype_kind(w) != kind || tb__is_half(w)) w = (tb_dtype)below(TB_NDTYPE);
    return w;
}

/* Sums and the like at indices that repeat. */
static void random_scatter(tb_plan *p)
{
    static const char *const ops[] = {"add",      "subtract",    "maximum",    "minimum",    "multiply",
                                      "negative", "bitwise_and", "bitwise_or", "bitwise_xor"};
    random_shape(p, TB_PLAN_MAP, chance(50) ? 8000 : 30000);
    tb_dtype t = (tb_dtype)below(TB_NDTYPE);
    const char *op = ops[chance(50) ? below(2) : below(9)];
    const int nin = strcmp(op, "negative") == 0 ? 1 : 2;
    /* Sums of float16 are exact up to 2048, of bfloat16 up to 256. */
    while (!exact_dtype(t) || (tb__is_half(t) && p->size > (t == TB_F16 ? 600 : 60)) ||
           loop_named(op, nin, (tb_dtype[]){t, t, t}) == TB_NOLOOP)
        t = (tb_dtype)below(TB_NDTYPE);
    tb_dtype w = computed_dtype(t);
    if (loop_named(op, nin, (tb_dtype[]){w, w}) == TB_NOLOOP) w = t;
    const int64_t size = (int64_t)tb_dtype_size(t);
    const int index = plan_load(p, TB_I64, NULL), v = plan_load(p, w, NULL);
    for (int k = 0; k < 2; k++) p->load[k].ptr = random_view(p, (tb_dtype)p->load[k].dtype, p->load[k].strides, true);
    const axis x = {1 + below(40), size * (1 + below(3))};
    const int n = plan_scalar(p, TB_I64, (double)x.length), s = plan_scalar(p, TB_I64, (double)x.stride);
    p->scatters = true;
    p->combine = loop_named(op, nin, (tb_dtype[]){w, w, w});
    casting += w != t;
    p->where = (uint16_t)plan_place(p, index, n, s);
    plan_store(p, t, v, NULL);
    tb_store *y = &p->store[0];
    used = (used + 63) / 64 * 64;
    y->ptr = arena + used;
    p->count = 0;
    if (chance(50)) {
        memset(y->strides, 0, sizeof y->strides);
        if (chance(80)) p->count = (double)(x.length * x.stride / size);
    } else {
        y->ptr = random_view(p, t, y->strides, false);
    }
    fill(take((size_t)(x.length * x.stride)), x.length * x.stride, t);
}

/* Values that are picked by flags. */
static void random_pick(tb_plan *p)
{
    const int64_t length = chance(30) ? 2 + below(300) : 2000 + below(60000);
    plan_start(p, TB_PLAN_SCAN, 1, &length);
    const int flag = plan_load(p, TB_BOOL, NULL), n = 1 + below(2);
    for (int k = 0; k < n; k++) plan_load(p, (tb_dtype)below(TB_NDTYPE), NULL);
    for (int k = 0; k <= n; k++) p->load[k].ptr = random_view(p, (tb_dtype)p->load[k].dtype, p->load[k].strides, true);
    if (chance(40)) {
        const int from = plan_scalar(p, TB_I64, below(100)), step = plan_scalar(p, TB_I64, 1 + below(3));
        plan_loop(p, tb__loop_find(TB_OP_iota, 2, (tb_dtype[]){TB_I64, TB_I64}), from, step, 0);
    }
    for (int k = below(4); k-- > 0;) random_instruction(p);
    const int v = any_value(p);
    const tb_dtype t = tb__plan_dtype(p, v);
    p->red = tb__red_find(TB_REDUCE_SUM, TB_BOOL);
    p->where = (uint16_t)flag;
    p->count = (double)(chance(80) ? length : below((int)length));
    p->scatters = true;
    p->combine = TB_NOLOOP;
    plan_store(p, t, v, NULL);
    used = (used + 63) / 64 * 64;
    p->store[0].ptr = take((size_t)length * tb_dtype_size(t));
    memset(p->store[0].strides, 0, sizeof p->store[0].strides);
}

/* Integer reductions of anything; float ones of what stays exact in any order. */
static tb_red random_red(tb_plan_kind kind)
{
    for (;;) {
        const tb_red red = (tb_red)below(tb_nred), fold = tb_red_table[red].fold;
        if (kind == TB_PLAN_SCAN && tb_fold_table[fold].repeats == TB_OP_none) continue;
        if (fold == TB_REDUCE_LOGSUMEXP || fold == TB_REDUCE_ENTROPY) continue;
        if (fold == TB_REDUCE_PROD && tb_red_table[red].in >= TB_F16) continue;
        if ((fold >= TB_REDUCE_VAR && fold <= TB_REDUCE_MEAN_VAR) || fold == TB_REDUCE_MIN_MAX) continue;
        return red;
    }
}

static void random_walk(tb_plan *p, tb_plan_kind kind)
{
    const int dice = below(10);
    if (dice < 3) long_shape(p, kind);
    else if (dice < 6) many_rows(p, kind);
    else random_shape(p, kind, 20000);
    p->red = random_red(kind);
    const tb_red_info *red = &tb_red_table[p->red];
    if (kind == TB_PLAN_REDUCE) p->reduced = 1 + (uint32_t)below((1 << p->ndim) - 1);
    else p->axis = below(p->ndim);
    const bool integer = red->in < TB_F16 || (red->fold != TB_REDUCE_SUM && red->fold != TB_REDUCE_MEAN);
    if (integer && chance(30)) {
        random_inputs(p);
    } else {
        plan_load(p, chance(70) ? (tb_dtype)red->in : TB_I8, NULL);
        p->load[0].ptr = random_view(p, (tb_dtype)p->load[0].dtype, p->load[0].strides, true);
    }
    if (integer && chance(40)) random_instruction(p);
    for (int d = 0; d < p->ndim && kind == TB_PLAN_REDUCE; d++)
        if (p->reduced >> d & 1) p->count *= (double)p->shape[d];
    const int v = value_of(p, (tb_dtype)red->in);
    plan_store(p, (tb_dtype)red->out, v, NULL);
    /* Results are dense: a view of the shape without what is reduced. */
    tb_plan kept = *p;
    for (int d = 0; d < p->ndim && kind == TB_PLAN_REDUCE; d++)
        if (p->reduced >> d & 1) kept.shape[d] = 1;
    p->store[0].ptr = random_view(&kept, (tb_dtype)red->out, p->store[0].strides, false);
    for (int d = 0; d < p->ndim && kind == TB_PLAN_REDUCE; d++)
        if (p->reduced >> d & 1) p->store[0].strides[d] = 0;
}

/* One number to memory that several points, or all of them, share. */
static void random_fill(tb_plan *p)
{
    const tb_dtype t = (tb_dtype)below(TB_F64 + 1);
    const int all = chance(50);
    random_shape(p, TB_PLAN_MAP, 30000);
    plan_store(p, t, plan_scalar(p, t, below(5)), NULL);
    p->store[0].ptr = random_view(p, t, p->store[0].strides, false);
    for (int d = 0; d < p->ndim; d++)
        if (all || chance(50)) p->store[0].strides[d] = 0;
    tb__plan_finish(p);
}

static void random_plan(tb_plan *p)
{
    const int dice = below(10);
    if (dice == 0 && chance(50)) random_scatter(p);
    else if (dice == 0) random_pick(p);
    else if (dice == 1) small_elements(p);
    else if (dice < 4 && chance(25)) random_interleaved(p);
    else if (dice < 4) random_map(p);
    else random_walk(p, dice < 8 ? TB_PLAN_REDUCE : TB_PLAN_SCAN);
    tb__plan_finish(p);
}

/* ---- the C++ program ------------------------------------------------------------------------------------------- */

static void write_values(const tb_plan *p, tb_text *out)
{
    for (int k = 0; k < p->nload; k++) {
        const char *t = tb__token[p->load[k].dtype];
        if (p->load[k].base) {
            tb__text_addf(out, "    const char *v%d = p->load[%d].ptr + offset_of(p, p->load[%d].strides, at);\n", k, k,
                          k);
            continue;
        }
        tb__text_addf(out,
                      "    const tb_reg_%s v%d = tb_load_%s(*(const tb_%s *)(p->load[%d].ptr + offset_of(p, "
                      "p->load[%d].strides, at)));\n",
                      t, k, t, t, k, k);
    }
    for (int k = 0; k < p->nscalar; k++) {
        const tb_dtype t = p->scalar[k].dtype;
        tb__text_addf(out, "    const tb_reg_%s v%d = (tb_reg_%s)p->scalar[%d].v.%s;\n", tb__token[t], p->nload + k,
                      tb__token[t], k, t >= TB_F16 ? "f" : "u");
    }
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *x = &p->instr[k];
        const tb_loop_info *info = &tb_loop_table[x->loop];
        const int value = p->nload + p->nscalar + k;
        tb__text_addf(out, "    const tb_reg_%s v%d = op_%s(", tb__token[x->dtype], value, info->name);
        for (int m = 0; m < x->nin; m++) tb__text_addf(out, "%sv%d", m ? ", " : "", x->in[m]);
        tb__text_add(out, info->flags & TB_LOOP_INDEX ? ", i);\n" : ");\n");
    }
}

static void write_store(const tb_plan *p, int k, const char *format, tb_text *out)
{
    const char *t = tb__token[p->store[k].dtype];
    tb__text_addf(out, "    *(tb_%s *)(p->store[%d].ptr + offset_of(p, p->store[%d].strides, at)) = ", t, k, k);
    tb__text_addf(out, format, t, p->store[k].value);
    tb__text_add(out, ";\n");
}

static void write_scatter(const tb_plan *p, tb_text *out)
{
    const char *t = tb__token[p->store[0].dtype];
    const int v = p->store[0].value, w = p->where;
    tb__text_addf(out,
                  "    tb_%s *to = (tb_%s *)(p->store[0].ptr + offset_of(p, p->store[0].strides, at) + v%d);\n"
                  "    *to = ",
                  t, t, w);
    if (p->combine == TB_NOLOOP) {
        tb__text_addf(out, "tb_store_%s(v%d);\n", t, v);
        return;
    }
    const tb_loop_info *info = &tb_loop_table[p->combine];
    tb__text_addf(out, "tb_store_%s(TB_CAST(%s, %s, op_%s(TB_CAST(%s, %s, tb_load_%s(*to))", t, tb__token[info->out], t,
                  info->name, t, tb__token[info->in[0]], t);
    if (info->nin > 1) tb__text_addf(out, ", v%d", v);
    tb__text_add(out, ")));\n");
}

static void write_pick(const tb_plan *p, tb_text *out)
{
    const char *t = tb__token[p->store[0].dtype];
    tb__text_add(out, "    const tb_i64 i = point_of(p, at);\n    (void)i;\n");
    write_values(p, out);
    tb__text_addf(out, "    if (v%d && s <= p->count) ((tb_%s *)p->store[0].ptr)[s - 1] = tb_store_%s(v%d);\n",
                  p->where, t, t, p->store[0].value);
}

static void write_reference(const tb_plan *p, tb_text *out)
{
    if (p->kind == TB_PLAN_MAP) {
        tb__text_add(out, "static void reference(const tb_plan *p)\n{\n"
                          "    reference_map(p, [](const tb_plan *p, const int64_t *at, tb_i64 i) {\n    (void)i;\n");
        write_values(p, out);
        if (p->scatters) write_scatter(p, out);
        for (int k = 0; k < p->nstore && !p->scatters; k++) write_store(p, k, "tb_store_%s(v%d)", out);
        tb__text_add(out, "    });\n}\n");
        return;
    }
    tb__text_addf(out, "static tb_reg_%s reference_value(", tb__token[tb_red_table[p->red].in]);
    tb__text_add(out, "const tb_plan *p, const int64_t *at, tb_i64 i)\n{\n    (void)i;\n");
    write_values(p, out);
    tb__text_addf(out, "    return v%d;\n}\n", p->scatters ? p->where : p->store[0].value);
    tb__text_add(out, "static void reference_store(const tb_plan *p, const int64_t *at, tb_acc s)\n{\n");
    if (p->scatters) write_pick(p, out);
    else write_store(p, 0, p->kind == TB_PLAN_SCAN ? "tb_final(s, 1)" : "tb_final(s, p->count)", out);
    tb__text_add(out, "}\nstatic void reference_none(const tb_plan *, const int64_t *, tb_acc) {}\n"
                      "static void reference(const tb_plan *p)\n{\n    reference_walk<tb_acc>(p, ");
    tb__text_add(out, p->kind == TB_PLAN_REDUCE ? "p->reduced" : "p->ndim ? 1u << p->axis : 0");
    tb__text_addf(out, ", tb_init, reference_value, tb_step, %s, %s);\n}\n",
                  p->kind == TB_PLAN_SCAN ? "reference_store" : "reference_none",
                  p->kind == TB_PLAN_SCAN ? "reference_none" : "reference_store");
}

static void write_body(const tb_plan *p, const tb_layout *l, int number, tb_text *out)
{
    tb__text_addf(out, "#define tb_main tb_main_%d\nnamespace k%d {\n", number, number);
    tb__source_body(p, l, out);
    write_reference(p, out);
    tb__text_add(out, "static void run(const void *params, const uint32_t *grid, const uint32_t *block)\n"
                      "{\n    tb_params p;\n    memcpy(&p, params, sizeof p);\n"
                      "    const dim3 g{grid[0], grid[1], 1}, b{block[0], block[1], 1};\n");
    tb__text_addf(out, "    run_grid(g, b, %s, [&] { tb_main(p); });\n}\n}\n#undef tb_main\n",
                  l->split ? "true" : "false");
}

static void write_program(FILE *f)
{
    static const char headers[] = "cuda_on_host kernels/types kernels/half kernels/integer kernels/real "
                                  "kernels/random_math kernels/philox kernels/random_points kernels/random_floats "
                                  "kernels/random_counts kernels/reduce kernels/argreduce reference_run ";
    for (const char *h = headers; *h; h = strchr(h, ' ') + 1)
        fprintf(f, "#include \"%.*s.h\"\n", (int)strcspn(h, " "), h);
    for (int k = 0; k < nbody; k++) fputs(bodies[k].s, f);
    fputs("typedef void (*run_kernel)(const void *, const uint32_t *, const uint32_t *);\n"
          "extern \"C\" { extern const run_kernel kernels[];\n",
          f);
    fputs("extern void (*const references[])(const tb_plan *); }\n", f);
    fputs("const run_kernel kernels[] = {\n", f);
    for (int k = 0; k < nbody; k++) fprintf(f, "k%d::run,\n", k);
    fputs("};\nvoid (*const references[])(const tb_plan *) = {\n", f);
    for (int k = 0; k < nbody; k++) fprintf(f, "k%d::reference,\n", k);
    fputs("};\n", f);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static void find_body(int n)
{
    static tb_variant v;
    tb_layout l;
    tb_geometry g;
    tb_text text = {0};
    CHECK_OK(tb__codegen_variant(&plans[n], &small_chip, &v));
    tb__layout(&plans[n], &small_chip, &l);
    tb__geometry(&plans[n], &small_chip, &l, &g);
    l.plain = n % 2 && plans[n].kind == TB_PLAN_REDUCE && g.parts == 1;
    const uint64_t hash = v.hash + l.plain;
    int k = 0;
    while (k < nbody && body_hash[k] != hash) k++;
    write_body(&plans[n], &l, k, &text);
    body_of[n] = k;
    staged += l.staged;
    panels += l.form == TB_FORM_PANEL;
    strips += l.staged && l.form == TB_FORM_SCAN_COLUMN;
    interleaved += l.access[plans[n].nload] == TB_ACCESS_INTERLEAVED;
    chunked_tiles += l.form == TB_FORM_TILE && l.vec > 1;
    if (k == nbody) {
        body_hash[k] = hash;
        bodies[nbody++] = text;
        return;
    }
    if (strcmp(text.s, bodies[k].s) != 0) {
        fprintf(stderr, "plans with one key have these sources:\n%s\n---- and ----\n%s\n", text.s, bodies[k].s);
        CHECK(false);
    }
    tb__text_free(&text);
}

static tb_plan twin_plan(const tb_plan *p)
{
    tb_plan q = *p;
    for (int k = 0; k < q.nload; k++)
        if (q.load[k].ptr >= arena && q.load[k].ptr < arena + ARENA) q.load[k].ptr += twin - arena;
    for (int k = 0; k < q.nstore; k++) q.store[k].ptr += twin - arena;
    return q;
}

static void launch_plan(const tb_plan *p, run_kernel kernel)
{
    static tb_variant v;
    static char workspace[WORKSPACE];
    static uint32_t counters[COUNTERS];
    if (!CHECK_OK(tb__codegen_variant(p, &small_chip, &v))) return;
    if (v.workspace > sizeof workspace || v.counters > COUNTERS) abort();
    const char *w = workspace;
    const uint32_t *c = counters;
    memset(workspace, v.clear ? 0 : 0xee, v.workspace);
    if (v.workspace) memcpy(v.params + v.workspace_at, &w, 8);
    if (v.counters) memcpy(v.params + v.counters_at, &c, 8);
    kernel(v.params, v.grid, v.block);
    for (size_t k = 0; k < v.counters; k++) CHECK(counters[k] == 0);
}

static bool compile_program(const char *folder)
{
    char path[256], command[1024];
    snprintf(path, sizeof path, "%s/kernels.cpp", folder);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    write_program(f);
    fclose(f);
    snprintf(command, sizeof command,
             "${CXX:-c++} -std=c++20 -O1 -w -fwrapv -fno-strict-aliasing -ffp-contract=off -shared -fPIC "
             "-I%s/src -I%s/include -I%s/tests/c -o %s/kernels.so %s",
             SOURCE_ROOT, SOURCE_ROOT, SOURCE_ROOT, folder, path);
    return system(command) == 0;
}

static void make_random(int k, unsigned seed)
{
    srand(seed + (unsigned)k);
    used = far_used = 0;
    if (k >= first_fill) random_fill(&plans[k]);
    else random_plan(&plans[k]);
}

static bool test_random(int k, unsigned seed, run_kernel kernel, run_reference reference)
{
    make_random(k, seed);
    memcpy(twin, arena, used);
    launch_plan(&plans[k], kernel);
    const tb_plan q = twin_plan(&plans[k]);
    reference(&q);
    if (memcmp(arena, twin, used) == 0) return true;
    tb_text text = {0};
    tb__plan_print(&plans[k], &text);
    fprintf(stderr, "plan %d (seed %u) is wrong:\n%s%s", k, seed + (unsigned)k, text.s, bodies[body_of[k]].s);
    tb__text_free(&text);
    return false;
}

/* The inputs of a float sum in LAYOUTS forms; the result must be the same, to the last bit. */
static void make_ordered(int n, int number, int layout)
{
    static const tb_dtype dtypes[] = {TB_F16, TB_BF16, TB_F32, TB_F64, TB_C64};
    tb_plan *p = &plans[n];
    srand((unsigned)number);
    const tb_plan_kind kind = chance(50) ? TB_PLAN_REDUCE : TB_PLAN_SCAN;
    const tb_dtype t = dtypes[below(5)];
    const int64_t size = (int64_t)tb_dtype_size(t), part = tb__is_half(t) ? 2 : t == TB_F64 ? 8 : 4;
    const bool wide = chance(50);
    if (wide) plan_start(p, kind, 2, (const int64_t[]){70 + below(200), 90 + below(150)});
    else long_shape(p, kind);
    p->red = tb__red_find(TB_REDUCE_SUM, t);
    p->axis = wide ? 0 : below(p->ndim);
    p->reduced = 1u << p->axis;
    used = 4096 + (layout == 1 ? (size_t)size : 0);
    int x = plan_load(p, t, arena + used);
    /* Results are in the arena's other half. */
    const bool spread = layout == 2 && (int64_t)used + 2 * size * p->size <= ARENA / 2;
    for (int d = 0; d < p->ndim && spread; d++) p->load[0].strides[d] *= 2;
    for (int64_t k = 0; k < p->size; k++) {
        char *at = take((size_t)size);
        if (spread) take((size_t)size);
        for (int64_t m = 0; m < size; m += part) {
            const double value = (double)below(100003) / 100003 - 0.3;
            const float f = (float)value;
            const uint16_t h = tb__half_of(t, value);
            const void *from = part == 8 ? (const void *)&value : part == 4 ? (const void *)&f : (const void *)&h;
            memcpy(at + m, from, (size_t)part);
        }
    }
    /* Much work, which changes nothing. */
    for (int k = 0; k < 20 && layout == 3; k++) x = plan_loop(p, tb__loop_find(TB_OP_positive, 1, &t), x, 0, 0);
    used = ARENA / 2;
    plan_store(p, t, x, arena + used);
    tb__plan_finish(p);
}

static bool test_ordered(int n, int number, run_kernel kernel)
{
    static char expected[ARENA / 2];
    const int layout = number % LAYOUTS;
    memset(arena + ARENA / 2, 0, ARENA / 2);
    make_ordered(n, number / LAYOUTS, layout);
    launch_plan(&plans[n], kernel);
    if (layout == 0) memcpy(expected, arena + ARENA / 2, ARENA / 2);
    if (memcmp(expected, arena + ARENA / 2, ARENA / 2) == 0) return true;
    fprintf(stderr, "sum %d comes out differently in layout %d\n", number / LAYOUTS, layout);
    return false;
}

static void test_plans(int n, unsigned seed, const char *folder)
{
    char path[256];
    const int ordered = n / 10 * LAYOUTS;
    first_fill = n - n / 24;
    plans = calloc((size_t)(n + ordered), sizeof *plans);
    arena = aligned_alloc(4096, ARENA);
    twin = aligned_alloc(4096, ARENA);
    far = mmap(NULL, (size_t)FAR, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (far == MAP_FAILED) far = NULL;
    for (int k = 0; k < n + ordered; k++) {
        if (k < n) make_random(k, seed);
        else make_ordered(k, (k - n) / LAYOUTS, (k - n) % LAYOUTS);
        find_body(k);
    }
    printf("%d plans, %d kernels, %d with tiles of small elements, %d staged, %d of these panels, %d strips; "
           "%d interleaved, %d updates with casts\n",
           n + ordered, nbody, chunked_tiles, staged, panels, strips, interleaved, casting);
    CHECK(n < 100 || (chunked_tiles > 0 && staged > panels + strips && panels > 0 && strips > 0 && interleaved > 0 &&
                      casting > 0));
    CHECK(compile_program(folder));
    snprintf(path, sizeof path, "%s/kernels.so", folder);
    void *lib = dlopen(path, RTLD_NOW);
    CHECK(lib != NULL);
    if (!lib) return;
    const run_kernel *kernels = dlsym(lib, "kernels");
    const run_reference *references = dlsym(lib, "references");
    for (int k = 0; k < n + ordered && check_failures < 4; k++) {
        const int body = body_of[k];
        if (k < n) CHECK(test_random(k, seed, kernels[body], references[body]));
        else CHECK(test_ordered(k, k - n, kernels[body]));
    }
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/tombac-emulated-XXXXXX", command[128];
    if (system("${CXX:-c++} --version >/dev/null 2>&1") != 0 || !mkdtemp(folder)) return SKIPPED;
    const int n = argc > 1 ? atoi(argv[1]) : 300;
    test_plans(n < MAX_PLANS / 2 ? n : MAX_PLANS / 2, argc > 2 ? (unsigned)atoi(argv[2]) : 1, folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 ? 1 : check_report();
}
