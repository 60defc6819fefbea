/* reduce.c - reductions. Two patterns over boxes of values, which block.c puts in contiguous memory:
 *
 *   lines  the innermost dimensions are reduced: every result is the fold of a contiguous line
 *   rows   the innermost dimensions are kept: rows are added to an array of accumulators
 *
 * A leaf (some rows, or a box of lines) is folded on its own, leaves are merged in a balanced tree, so errors grow with
 * the logarithm of the number of elements. What a leaf is follows from the shape and the layout alone. A task may do a
 * segment of the leaves of its results: a power of two of them, so the whole remains the same tree. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/block.h"
#include "backend/cpu/loops/reduce_loops.h"
#include "base/error.h"

enum {
    TASK_POINTS = 32768, /* the least a task should do */
    SPLIT_TASKS = 64,    /* reductions to few results are cut into about as many tasks */
    BOX_POINTS = 4096,   /* values in scratch */
    LINE_POINTS = 16384, /* read from memory */
    SHORT_BYTES = 8192,  /* made in one go */
    FIRST_POINTS = 2048, /* looked at before tasks are started */
    ROW_POINTS = 4096,
    LEAF_ROWS = 32,
    BOX_ROWS = 16,
    NARROW = 64,       /* rows shorter than this are folded many at a time */
    FOLD_POINTS = 512, /* into this many accumulators */
    SHORT_AXIS = 8,    /* fewer elements are not worth a line of lanes */
    FEW_ROWS = 32,
    LONG_LINE = 128,
    MAX_LEVEL = 48,
};

typedef struct reduction {
    tb_block block;
    const tb_plan *plan;
    const tb_red_loops *loops;
    bool has_index;
    bool lines;
    bool direct;             /* results are made in the store's memory... */
    bool few;                /* ... at once, from all rows of a column */
    const tb_instr *product; /* lines: the plan's last instruction, when its products are made as they are folded... */
    tb_red_products *products; /* ... by this */
    bool in_memory;            /* values are read from a load's own memory... */
    int64_t stride;            /* ... whose lines or rows are this far apart */
    int nkept, nred;
    int kept, red; /* first iteration dimension of each kind */
    int64_t fold;  /* rows: how many form one wide row */
    int64_t leaf_rows;
    size_t acc_bytes, out_bytes; /* of a kept box */
    int64_t kept_boxes, red_boxes;
    int64_t leaf_boxes, nleaf; /* boxes to a leaf; leaves to a result */
    int64_t group;             /* kept boxes to a task */
    int64_t segments, segment; /* tasks to a kept box, and leaves to each */
    int absorbing;             /* a truth value that decides a result, or -1... */
    atomic_llong *absorbed;    /* ... and, of a single result, the first segment that has met it */
    int nlevel;
    char *partial; /* segments > 1: accumulators by kept box, then segment */
} reduction;

/* ---- a balanced tree over leaves ------------------------------------------------------------------------------ */

/* A binary counter: level l, when in use, holds the merge of 2^l leaves. */
typedef struct tree {
    char *leaf, *level[MAX_LEVEL];
    uint64_t used;
} tree;

static void tree_start(const reduction *r, tree *t, char *memory)
{
    t->used = 0;
    t->leaf = memory;
    for (int l = 0; l < r->nlevel; l++) t->level[l] = memory + (size_t)(l + 1) * r->acc_bytes;
}

static void tree_push(const reduction *r, tree *t, int64_t width)
{
    char *sum = t->leaf, *free_one;
    int l = 0;
    for (; t->used >> l & 1; l++) {
        r->loops->merge(width, t->level[l], sum);
        free_one = sum, sum = t->level[l], t->level[l] = free_one;
    }
    free_one = t->level[l], t->level[l] = sum, t->leaf = free_one;
    t->used = (t->used | 1ull << l) & ~((1ull << l) - 1);
}

static char *tree_finish(const reduction *r, tree *t, int64_t width)
{
    char *sum = NULL;
    for (int l = 0; l < r->nlevel; l++) {
        if (!(t->used >> l & 1)) continue;
        if (sum) r->loops->merge(width, t->level[l], sum);
        sum = t->level[l];
    }
    return sum;
}

/* ---- products -------------------------------------------------------------------------------------------------- */

/* The fold that makes a loop's results, which are then reduced, itself; or NULL. */
static tb_red_products *fold_of_products(tb_loop loop, tb_red red)
{
    const tb_loop_info *info = &tb_loop_table[loop];
    const tb_red_loops *loops = &tb__cpu_red_loops()[red];
    if (info->out != tb_red_table[red].in) return NULL;
    if (info->op == TB_OP_multiply_conjugate) return loops->conjugate_products;
    return tb_op_table[info->op].facts & TB_FACT_MULTIPLIES ? loops->products : NULL;
}

/* Looks for an instruction that makes the reduced values and is one that the fold can do. */
static void choose_product(reduction *r)
{
    const tb_plan *p = r->plan;
    if (p->ninstr == 0 || p->store[0].value != tb__plan_nvalue(p) - 1) return;
    const tb_instr *in = &p->instr[p->ninstr - 1];
    r->products = fold_of_products(in->loop, p->red);
    if (r->products) r->product = in;
}

static int second_factor(const tb_instr *product) { return product->in[product->nin - 1]; }

/* ---- one box -------------------------------------------------------------------------------------------------- */

static void fold_rows(const reduction *r, const char *v, int64_t stride, int64_t nrow, int64_t width, char *acc,
                      int64_t i)
{
    int64_t item = (int64_t)tb_dtype_size((tb_dtype)tb_red_table[r->plan->red].in);
    if (r->fold == 1) {
        r->loops->rows(nrow, width, v, stride, acc, i);
        return;
    }
    int64_t wide = r->fold * width, whole = nrow / r->fold;
    r->loops->rows(whole, wide, v, wide * item, acc, i);
    r->loops->rows(1, nrow % r->fold * width, v + whole * wide * item, 0, acc, i);
    for (int64_t half = wide / 2; half >= width; half /= 2) r->loops->merge(half, acc, acc + half * r->loops->acc);
}

static int64_t position(const reduction *r, const int64_t *at)
{
    int64_t i = 0;
    for (int d = r->red; d < r->red + r->nred; d++) i = i * r->block.shape[d] + at[d];
    return i;
}

static void fold_box(const reduction *r, tb_frame *f, const int64_t *at, const int64_t *len, int64_t width, int64_t n,
                     char *acc)
{
    const tb_block *b = &r->block;
    int value = r->plan->store[0].value;
    int64_t stride = r->stride;
    const char *v;
    if (r->product) {
        tb__block_eval(b, f, at, len);
        r->products(width, n, f->ptr[r->product->in[0]], f->ptr[second_factor(r->product)], acc);
        return;
    }
    if (r->in_memory) {
        v = tb__box_base(b, r->plan->load[value].ptr, r->plan->load[value].strides, at);
    } else {
        tb__block_eval(b, f, at, len);
        v = f->ptr[value];
        stride = (r->lines ? n : width) * (int64_t)tb_dtype_size(tb__plan_dtype(r->plan, value));
    }
    if (r->lines) r->loops->lines(width, n, v, stride, acc, position(r, at));
    else fold_rows(r, v, stride, n, width, acc, position(r, at));
}

/* Whether the one result of a leaf cannot change any more; accumulators of truth values begin with one. */
static bool is_absorbed(const reduction *r, const char *acc, int64_t width)
{
    return r->absorbing >= 0 && width == 1 && *acc == r->absorbing;
}

/* Folds leaves [first, end) of the kept box that `at` and `len` describe. */
static char *fold_leaves(const reduction *r, tb_frame *f, tree *t, int64_t *at, int64_t *len, int64_t width,
                         int64_t first, int64_t end)
{
    const tb_block *b = &r->block;
    int last = r->red + r->nred;
    int64_t box = first * r->leaf_boxes, n = tb__block_box(b, r->red, last, box, at, len);
    const bool ahead = !r->in_memory && b->nd == 1;
    t->used = 0;
    for (int64_t leaf = first; leaf < end; leaf++) {
        int64_t stop = tb__min(box + r->leaf_boxes, r->red_boxes);
        if (!r->lines) r->loops->init(r->fold * width, t->leaf);
        for (; box < stop; box++) {
            if (ahead) {
                f->next = at[0] + b->ext[0];
                f->next_n = box + 1 < r->red_boxes ? tb__min(b->ext[0], b->shape[0] - f->next) : 0;
            }
            fold_box(r, f, at, len, width, n, t->leaf);
            if (box + 1 < r->red_boxes) n = tb__block_next(b, r->red, last, at, len);
        }
        bool absorbed = is_absorbed(r, t->leaf, width);
        tree_push(r, t, width);
        if (absorbed) break;
    }
    return tree_finish(r, t, width);
}

/* Of an operand or the results, where the kept dimensions are at `at` and the others at their start. */
static char *kept_place(const reduction *r, const char *ptr, const int64_t *strides, const int64_t *at)
{
    int64_t kept_at[TB_MAXDIM] = {0};
    for (int d = r->kept; d < r->kept + r->nkept; d++) kept_at[d] = at[d];
    return (char *)(uintptr_t)tb__box_base(&r->block, ptr, strides, kept_at);
}

static void reduce_few(const reduction *r, const int64_t *at, int64_t width)
{
    const tb_store *st = &r->plan->store[0];
    const tb_load *l = &r->plan->load[st->value];
    r->loops->few_rows(r->block.ext[r->red + r->nred - 1], width, kept_place(r, l->ptr, l->strides, at), r->stride,
                       kept_place(r, st->ptr, st->strides, at), 0, r->plan->count);
}

static void store_results(const reduction *r, const int64_t *at, const int64_t *len, int64_t width, const char *acc,
                          char *out)
{
    const tb_store *st = &r->plan->store[0];
    char *to = kept_place(r, st->ptr, st->strides, at);
    r->loops->final(width, acc, r->direct ? to : out, r->plan->count);
    if (r->direct) return;
    tb__box_copy(&r->block, r->kept, r->kept + r->nkept, len, (tb_dtype)st->dtype, to, st->strides, out, NULL, false);
}

/* ---- tasks ---------------------------------------------------------------------------------------------------- */

static char *partial_of(const reduction *r, int64_t kept_box, int64_t segment)
{
    return r->partial + (size_t)(kept_box * r->segments + segment) * r->acc_bytes;
}

/* Later segments need not be looked at then: they neither change the result nor have an earlier position. */
static void note_absorbed(const reduction *r, int64_t segment)
{
    long long first = atomic_load(r->absorbed);
    while (segment < first && !atomic_compare_exchange_weak(r->absorbed, &first, segment)) continue;
}

static bool reduce_task(void *arg, int64_t task)
{
    const reduction *r = arg;
    const tb_block *b = &r->block;
    int64_t segment = task % r->segments, box = task / r->segments * r->group;
    int64_t end = tb__min(box + r->group, r->kept_boxes);
    if (r->absorbed && atomic_load_explicit(r->absorbed, memory_order_relaxed) < segment) {
        r->loops->init(1, partial_of(r, box, segment));
        return true;
    }
    int64_t first = segment * r->segment, last = tb__min(first + r->segment, r->nleaf);
    int64_t at[TB_MAXDIM], len[TB_MAXDIM];
    size_t accs = (size_t)(r->nlevel + 1) * r->acc_bytes, values = r->in_memory ? 0 : tb__block_scratch(b);
    tb_frame f;
    tree t;
    char *scratch = tb__scratch(accs + r->out_bytes + values);
    if (!scratch) return false;
    if (!r->in_memory) tb__frame_start(b, &f, scratch + accs + r->out_bytes, b->points);
    tree_start(r, &t, scratch);
    int64_t width = tb__block_box(b, r->kept, r->kept + r->nkept, box, at, len);
    for (; r->few && box < end; box++) {
        reduce_few(r, at, width);
        if (box + 1 < end) width = tb__block_next(b, r->kept, r->kept + r->nkept, at, len);
    }
    for (; box < end; box++) {
        char *acc = fold_leaves(r, &f, &t, at, len, width, first, last);
        if (r->absorbed && is_absorbed(r, acc, width)) note_absorbed(r, segment);
        if (r->segments > 1) memcpy(partial_of(r, box, segment), acc, (size_t)(width * r->loops->acc));
        else store_results(r, at, len, width, acc, scratch + accs);
        if (box + 1 < end) width = tb__block_next(b, r->kept, r->kept + r->nkept, at, len);
    }
    return true;
}

static bool merge_task(void *arg, int64_t box)
{
    const reduction *r = arg;
    int64_t at[TB_MAXDIM], len[TB_MAXDIM];
    int64_t width = tb__block_box(&r->block, r->kept, r->kept + r->nkept, box, at, len);
    char *out = tb__scratch(r->out_bytes);
    if (!out) return false;
    for (int64_t step = 1; step < r->segments; step *= 2)
        for (int64_t s = 0; s + step < r->segments; s += 2 * step)
            r->loops->merge(width, partial_of(r, box, s), partial_of(r, box, s + step));
    store_results(r, at, len, width, partial_of(r, box, 0), out);
    return true;
}

/* ---- choices -------------------------------------------------------------------------------------------------- */

/* The dimension along which most of what is read runs through memory. */
static int memory_dim(const tb_plan *p)
{
    int64_t weight[TB_MAXDIM] = {0};
    int best = p->ndim - 1;
    if (p->uses_index) return best;
    for (int l = 0; l < p->nload; l++) {
        int64_t least = INT64_MAX;
        int fastest = -1;
        for (int d = p->ndim - 1; d >= 0; d--) {
            int64_t s = llabs(p->load[l].strides[d]);
            if (s != 0 && s < least) least = s, fastest = d;
        }
        if (fastest >= 0) weight[fastest] += (int64_t)tb_dtype_size((tb_dtype)p->load[l].dtype);
    }
    for (int d = p->ndim - 1; d >= 0; d--)
        if (weight[d] > weight[best]) best = d;
    return best;
}

static int list_dims(const tb_plan *p, bool reduced, int last, int *dims)
{
    int n = 0;
    for (int d = 0; d < p->ndim; d++)
        if (d != last && (p->reduced >> d & 1) == reduced) dims[n++] = d;
    if (last >= 0 && (p->reduced >> last & 1) == reduced) dims[n++] = last;
    return n;
}

/* Whether of several elements that nothing can be compared with the first is to stay: complex ones with NaN. */
static bool keeps_first(const tb_red_info *info)
{
    const tb_op op = (tb_op)tb_fold_table[info->fold].repeats;
    const bool extreme = op == TB_OP_minimum || op == TB_OP_maximum || op == TB_OP_fmin || op == TB_OP_fmax;
    return extreme && tb_dtype_kind((tb_dtype)info->in) == TB_KIND_COMPLEX;
}

/* Chooses the pattern and the order of the dimensions. Positions have to rise, so where they matter the reduced
 * dimensions stay in C order. */
static void choose_order(reduction *r, const tb_plan *p)
{
    int fast = p->ndim > 0 ? memory_dim(p) : -1, kept[TB_MAXDIM], red[TB_MAXDIM], order[TB_MAXDIM];
    int64_t nred = 1, nkept = 1;
    for (int d = 0; d < p->ndim; d++) *(p->reduced >> d & 1 ? &nred : &nkept) *= p->shape[d];
    bool along = fast >= 0 && (p->reduced >> fast & 1);
    int64_t run = fast >= 0 ? p->shape[fast] : 1;
    if (along) r->lines = nred >= SHORT_AXIS || nkept < SHORT_AXIS;
    else r->lines = r->has_index && run < FEW_ROWS && nred >= 2 * FEW_ROWS;
    r->nkept = list_dims(p, false, along ? -1 : fast, kept);
    r->nred = list_dims(p, true, along && !r->has_index ? fast : -1, red);
    r->kept = r->lines ? 0 : r->nred;
    r->red = r->lines ? r->nkept : 0;
    memcpy(order + r->kept, kept, (size_t)r->nkept * sizeof *kept);
    memcpy(order + r->red, red, (size_t)r->nred * sizeof *red);
    tb__block_start(&r->block, p, p->ndim, order);
    r->fold = 1;
    r->leaf_rows = r->lines ? 1 : LEAF_ROWS;
    bool narrow = !r->lines && !r->has_index && !along && run < NARROW && nred >= NARROW;
    narrow = narrow && !keeps_first(&tb_red_table[p->red]);
    if (narrow) {
        r->fold = tb__floor_pow2(tb__min(FOLD_POINTS / run, nred / 2));
        r->leaf_rows = tb__floor_pow2(BOX_POINTS / run);
    }
}

static int64_t product(const int64_t *x, int first, int last)
{
    int64_t n = 1;
    for (int d = first; d < last; d++) n *= x[d];
    return n;
}

/* The outermost dimension that a line runs over: one that is long enough makes a line alone. */
static int first_red(const reduction *r)
{
    int last = r->red + r->nred - 1;
    return r->nred > 0 && r->block.shape[last] >= LONG_LINE ? last : r->red;
}

static void reset_boxes(tb_block *b)
{
    for (int d = 0; d < b->nd; d++) b->ext[d] = 1;
}

/* Boxes of few points cost more than a copy to scratch that makes them long. */
static bool is_worthwhile(const tb_block *b, int64_t size)
{
    return product(b->ext, 0, b->nd) >= tb__min(BOX_POINTS / 8, size);
}

/* Boxes for values that lie in a load's memory as they are wanted; false if they do not. */
static bool choose_in_memory(reduction *r, const tb_plan *p)
{
    tb_block *b = &r->block;
    if (p->store[0].value >= p->nload) return false;
    const tb_load *l = &p->load[p->store[0].value];
    if (!tb__elements_are_aligned(l->ptr, p->ndim, l->strides, (tb_dtype)l->dtype)) return false;
    int64_t item = (int64_t)tb_dtype_size((tb_dtype)l->dtype);
    int last_kept = r->kept + r->nkept - 1, last_red = r->red + r->nred - 1;
    reset_boxes(b);
    if (r->lines) {
        int64_t n = tb__block_fit(b, first_red(r), r->red + r->nred, LINE_POINTS);
        if (!tb__box_contiguous(b, l->strides, item, r->red, r->red + r->nred)) return false;
        if (r->nkept > 0) b->ext[last_kept] = tb__min(b->shape[last_kept], tb__max(LINE_POINTS / n, 1));
        r->stride = r->nkept > 0 ? l->strides[b->dim[last_kept]] : 0;
        return is_worthwhile(b, p->size);
    }
    int64_t width = r->nkept > 0 ? tb__block_fit(b, last_kept, last_kept + 1, ROW_POINTS) : 1;
    if (!tb__box_contiguous(b, l->strides, item, r->kept, r->kept + r->nkept)) return false;
    if (r->nred > 0) b->ext[last_red] = tb__min(b->shape[last_red], r->leaf_rows);
    r->stride = r->nred > 0 ? l->strides[b->dim[last_red]] : 0;
    return (r->fold == 1 || r->stride == width * item) && is_worthwhile(b, p->size);
}

/* Boxes for values that are computed or gathered. Long rows come one at a time, which leaves operands where they
 * are. */
static void choose_in_scratch(reduction *r)
{
    tb_block *b = &r->block;
    int kept_end = r->kept + r->nkept, red_end = r->red + r->nred;
    reset_boxes(b);
    if (r->lines) {
        int64_t leaf = TB_LEAF_BYTES / r->loops->acc, box = b->ninstr == 0 ? LINE_POINTS : BOX_POINTS;
        int64_t n = tb__block_fit(b, first_red(r), red_end, r->has_index ? box : tb__max(box / 2, leaf));
        tb__block_fit(b, r->kept, kept_end, tb__max(box / n, 1));
        return;
    }
    if (r->fold > 1) {
        tb__block_fit(b, r->kept, kept_end, b->shape[kept_end - 1]);
        tb__block_fit(b, r->red, red_end, r->leaf_rows);
        return;
    }
    int64_t nred = 1;
    for (int d = r->red; d < red_end; d++) nred *= b->shape[d];
    bool long_rows = r->nkept > 0 && b->shape[kept_end - 1] >= BOX_POINTS / 4 && nred >= FEW_ROWS;
    int64_t rows = tb__min(nred, BOX_ROWS);
    int64_t width = tb__block_fit(b, r->kept, kept_end, long_rows ? BOX_POINTS : BOX_POINTS / rows);
    tb__block_fit(b, r->red, red_end, tb__min(BOX_ROWS, tb__floor_pow2(tb__max(BOX_POINTS / width, 1))));
}

static void choose_tasks(reduction *r)
{
    const tb_block *b = &r->block;
    const tb_store *st = &r->plan->store[0];
    int64_t item = (int64_t)tb_dtype_size((tb_dtype)st->dtype);
    int kept_end = r->kept + r->nkept, red_end = r->red + r->nred;
    int64_t width = product(b->ext, r->kept, kept_end), box = b->points;
    r->direct = tb__box_contiguous(b, st->strides, item, r->kept, kept_end) &&
                tb__elements_are_aligned(st->ptr, 0, NULL, (tb_dtype)st->dtype);
    r->kept_boxes = tb__block_boxes(b, r->kept, kept_end);
    r->red_boxes = tb__block_boxes(b, r->red, red_end);
    r->leaf_boxes = r->fold > 1 ? 1 : tb__max(r->leaf_rows / product(b->ext, r->red, red_end), 1);
    r->nleaf = tb__ceil_div(r->red_boxes, r->leaf_boxes);
    r->group = tb__max(TASK_POINTS / (box * r->red_boxes), 1);
    int64_t wanted = SPLIT_TASKS / tb__ceil_div(r->kept_boxes, r->group);
    int64_t least = tb__max(TASK_POINTS / (box * r->leaf_boxes), 1);
    r->segment = tb__max(tb__ceil_div(r->nleaf, tb__max(wanted, 1)), least);
    r->segment = r->segment > 1 ? 2 * tb__floor_pow2(r->segment - 1) : 1;
    r->segments = tb__ceil_div(r->nleaf, r->segment);
    if (r->segments > 1) r->group = 1;
    const int64_t rows = r->nred > 0 ? b->ext[red_end - 1] : 1;
    r->few = r->loops->few_rows && r->in_memory && !r->lines && r->direct && r->fold == 1 && r->red_boxes == 1 &&
             rows > 1 && rows <= TB_FEW_ROWS;
    r->nlevel = 64 - __builtin_clzll((unsigned long long)tb__min(r->segment, r->nleaf));
    r->acc_bytes = ((size_t)(r->fold * width * r->loops->acc) + 63) & ~(size_t)63;
    r->out_bytes = ((size_t)(width * item) + 63) & ~(size_t)63;
}

/* ---- entry ---------------------------------------------------------------------------------------------------- */

/* The first n elements at in[i], of `size` bytes, one behind the other; NULL where there is no room for them. */
static const void *gathered(const tb_line *l, int i, int64_t n, size_t size, char *room)
{
    if (!l->step[i]) return l->in[i];
    if ((size_t)n * size > SHORT_BYTES) return NULL;
    tb__cpu_copy(size, 1, &n, room, &(int64_t){(int64_t)size}, l->in[i], &l->step[i], false);
    return room;
}

/* The first n of the elements that a line's loop makes; NULL where there is no room for them. */
static const char *make_values(const tb_line *l, int64_t n, tb_dtype t, char *scratch)
{
    _Alignas(64) char room[SHORT_BYTES];
    const tb_loop_info *info = &tb_loop_table[l->loop];
    void *args[TB_MAXARGS] = {scratch};
    int64_t steps = 0;
    for (int i = 0; i < l->nin; i++) steps |= l->step[i];
    if ((size_t)n * tb_dtype_size(t) > SHORT_BYTES || (l->nin > 1 && steps)) return NULL;
    for (int i = 0; i < l->nin; i++) {
        args[i + 1] = (void *)(uintptr_t)gathered(l, i, n, tb_dtype_size((tb_dtype)info->in[i]), room);
        if (!args[i + 1] || !tb__elements_are_aligned(args[i + 1], 0, NULL, (tb_dtype)info->in[i])) return NULL;
    }
    tb__cpu_loops()[l->loop](n, args, 0);
    return scratch;
}

/* Folds the first n elements, or what the line's loop makes of them; false where that takes memory. */
static bool fold_line(const tb_line *l, const tb_red_loops *loops, tb_dtype t, int64_t n, char *acc)
{
    _Alignas(64) char scratch[SHORT_BYTES];
    const bool adjacent = l->loop != TB_NOLOOP && !(l->step[0] | l->step[1]);
    tb_red_products *products = adjacent ? fold_of_products(l->loop, l->red) : NULL;
    const char *x = l->in[0], *y = products ? l->in[l->nin - 1] : x;
    if (l->loop == TB_NOLOOP) x = y = gathered(l, 0, n, tb_dtype_size(t), scratch);
    else if (!products) x = y = make_values(l, n, t, scratch);
    if (!x || !tb__elements_are_aligned(x, 0, NULL, t) || !tb__elements_are_aligned(y, 0, NULL, t)) return false;
    if (products) products(1, n, x, y, acc);
    else loops->lines(1, n, x, 0, acc, 0);
    return true;
}

/* Few enough elements for one call, or the first of them decide it. */
bool tb__cpu_reduce_line(const tb_line *l)
{
    _Alignas(32) char acc[32];
    const tb_red_info *info = &tb_red_table[l->red];
    const tb_red_loops *loops = &tb__cpu_red_loops()[l->red];
    int64_t n = l->n <= LINE_POINTS ? l->n : FIRST_POINTS;
    int absorbing = n < l->n ? tb__red_absorbing(info) : -1;
    if ((n < l->n && absorbing < 0) || !tb__elements_are_aligned(l->out, 0, NULL, (tb_dtype)info->out)) return false;
    if (!fold_line(l, loops, (tb_dtype)info->in, n, acc)) return false;
    if (n < l->n && *acc != absorbing) return false;
    loops->final(1, acc, l->out, l->count);
    return true;
}

static bool add_to_line(const tb_plan *p, int value, tb_line *l)
{
    if (value >= p->nload) return false;
    const tb_load *from = &p->load[value];
    if (from->strides[0] == 0) return false;
    if (from->strides[0] != (int64_t)tb_dtype_size((tb_dtype)from->dtype)) l->step[l->nin] = from->strides[0];
    l->in[l->nin++] = from->ptr;
    return true;
}

/* Arrays of one dimension to one number. */
static bool reduce_short(const tb_plan *p)
{
    tb_line l = {.red = p->red, .loop = TB_NOLOOP, .n = p->size, .count = p->count, .out = p->store[0].ptr};
    const tb_instr *in = &p->instr[0];
    if (p->ndim != 1 || p->reduced != 1 || p->nload == 0) return false;
    if (p->store[0].value < p->nload) return add_to_line(p, p->store[0].value, &l) && tb__cpu_reduce_line(&l);
    if (p->ninstr != 1 || p->nscalar > 0 || p->uses_index) return false;
    l.loop = in->loop;
    for (int i = 0; i < in->nin; i++)
        if (!add_to_line(p, in->in[i], &l)) return false;
    return tb__cpu_reduce_line(&l);
}

static tb_status reduce_in_boxes(const tb_plan *p)
{
    const tb_red_info *info = &tb_red_table[p->red];
    reduction r = {.plan = p,
                   .loops = &tb__cpu_red_loops()[p->red],
                   .absorbing = tb__red_absorbing(info),
                   .has_index = info->has_index};
    choose_order(&r, p);
    if (r.lines) choose_product(&r);
    if (r.product) r.block.ninstr--;
    r.in_memory = choose_in_memory(&r, p);
    if (!r.in_memory) choose_in_scratch(&r);
    tb__block_finish(&r.block, r.product ? TB_BLOCK_NONE : p->store[0].value, false);
    choose_tasks(&r);
    atomic_llong absorbed = INT64_MAX;
    if (r.absorbing >= 0 && r.segments > 1 && r.nkept == 0) r.absorbed = &absorbed;
    if (r.segments > 1) {
        size_t bytes = (size_t)(r.kept_boxes * r.segments) * r.acc_bytes;
        r.partial = aligned_alloc(64, bytes);
        if (!r.partial) return tb__fail(TB_ERR_MEMORY, "out of host memory for %zu bytes of partial results", bytes);
    }
    tb_status status = tb__parallel(tb__ceil_div(r.kept_boxes, r.group) * r.segments, reduce_task, &r);
    if (status == TB_OK && r.segments > 1) status = tb__parallel(r.kept_boxes, merge_task, &r);
    free(r.partial);
    return status;
}

tb_status tb__cpu_reduce(const tb_plan *p)
{
    return reduce_short(p) || tb__cpu_reduce_truth(p) ? TB_OK : reduce_in_boxes(p);
}
