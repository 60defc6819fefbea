/* windows.c - filters over windows of arrays that are not large, on one thread. An array is laid out as one line, in
 * the dtype that is computed, with what is beyond its edges: C order, all axes so much longer. An element of a window
 * is then as far from one result as from any other, and all results are made by loops along the line, a block at a time
 * for all places of the window. What they make between the array's own rows is not stored. */
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/window_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "base/shape.h"
#include "tables/loops.h"

enum { BLOCK = 512, MOST_ELEMENTS = 1 << 17, MOST_PLACES = 1 << 12, MOST_RANKED = 128, WIDEST = 16, SEQUENCE = 16 };

extern const tb_window_loops tb__window_loops_base;
#ifdef TB_HAVE_ISA_AVX2
extern const tb_window_loops tb__window_loops_avx2;
#endif
#ifdef TB_HAVE_ISA_AVX512
extern const tb_window_loops tb__window_loops_avx512;
#endif

static const tb_window_loops *sums(void)
{
#ifdef TB_HAVE_ISA_AVX2
    if (strcmp(tb__cpu_isa(), "avx2") == 0) return &tb__window_loops_avx2;
#endif
#ifdef TB_HAVE_ISA_AVX512
    if (strcmp(tb__cpu_isa(), "avx512") == 0) return &tb__window_loops_avx512;
#endif
    return &tb__window_loops_base;
}

/* A filter over a line. Lengths and steps are in elements. */
typedef struct line {
    const tb_windows *q;
    int64_t before[TB_MAXDIM], behind[TB_MAXDIM], step[TB_MAXDIM];
    int64_t elements, results; /* of the line; from the first to the last result */
    int64_t item;              /* bytes of an element */
    int64_t *at;               /* where each place is, counted from a result's own first element */
    char *whole, *made, *row, *spare;
} line;

static tb_cpu_loop loop_of(tb_op op, tb_dtype t)
{
    const tb_dtype in[] = {t, t};
    return tb__cpu_loops()[tb__loop_find(op, 2, in)];
}

/* ---- the line ---------------------------------------------------------------------------------------------------- */

static bool is_float(tb_dtype t) { return tb_dtype_kind(t) == TB_KIND_FLOAT; }

/* Floats that are too large for an integer wrap around, as where float64 becomes int64 first. */
static bool goes_by_int64(tb_dtype from, tb_dtype to)
{
    return is_float(from) && tb_dtype_kind(to) == TB_KIND_INT && tb_dtype_size(to) < 8;
}

/* `spare` has room for n elements of int64. */
static void convert(tb_dtype from, tb_dtype to, int64_t n, const char *in, char *out, char *spare)
{
    if (from == to) {
        memcpy(out, in, (size_t)n * tb_dtype_size(to));
    } else if (goes_by_int64(from, to)) {
        tb__cpu_loops()[tb__cast_loop(from, TB_I64)](n, (void *[]){spare, (void *)in}, 0);
        tb__cpu_loops()[tb__cast_loop(TB_I64, to)](n, (void *[]){out, spare}, 0);
    } else {
        tb__cpu_loops()[tb__cast_loop(from, to)](n, (void *[]){out, (void *)in}, 0);
    }
}

static void read_row(const line *l, char *to, const char *from)
{
    const tb_windows *q = l->q;
    const int last = q->ndim - 1;
    const int64_t n = q->shape[last], item = (int64_t)tb_dtype_size(q->from);
    if (n > 1 && q->x_strides[last] != item) {
        char *row = q->from == q->work ? to : l->row;
        tb__cpu_copy((size_t)item, 1, &n, row, &item, from, &q->x_strides[last], false);
        if (row == to) return;
        from = row;
    }
    convert(q->from, q->work, n, from, to, l->spare);
}

/* The elements between two of the axis d, which are beyond an edge: those of index i, counted from the first one. */
static void put_beyond(const line *l, int d, char *first, int64_t i)
{
    const int64_t bytes = l->step[d] * l->item, from = tb__cpu_folded(i, l->q->shape[d], l->q->w->edge[d]);
    char *to = first + i * bytes;
    if (from < 0) tb__cpu_fill(l->q->fill, to, l->step[d]);
    else if (bytes == 8) memcpy(to, first + from * bytes, 8);
    else memcpy(to, first + from * bytes, (size_t)bytes);
}

static void lay_out(const line *l, int d, char *to, const char *from)
{
    const tb_windows *q = l->q;
    const int64_t n = q->shape[d];
    char *first = to + l->before[d] * l->step[d] * l->item;
    if (d == q->ndim - 1) read_row(l, first, from);
    else
        for (int64_t i = 0; i < n; i++) lay_out(l, d + 1, first + i * l->step[d] * l->item, from + i * q->x_strides[d]);
    for (int64_t i = -l->before[d]; i < 0; i++) put_beyond(l, d, first, i);
    for (int64_t i = n; i < n + l->behind[d]; i++) put_beyond(l, d, first, i);
}

/* The array's own rows of what is made. */
static void store(const line *l, int d, const char *from, char *to)
{
    const tb_windows *q = l->q;
    int64_t n = 1;
    for (int e = d; e < q->ndim; e++) n *= q->shape[e];
    if (d == q->ndim - 1 || n == l->step[d] * q->shape[d]) { /* one after the other */
        convert(q->work, q->to, n, from, to, l->spare);
        return;
    }
    const int64_t each = n / q->shape[d] * (int64_t)tb_dtype_size(q->to);
    for (int64_t i = 0; i < q->shape[d]; i++) store(l, d + 1, from + i * l->step[d] * l->item, to + i * each);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static void add_up(const line *l, const double *w, const char *in, int64_t n, char *out)
{
    const tb_window_kind kind = l->q->w->kind;
    const double *x = (const double *)(const void *)in;
    double *y = (double *)(void *)out;
    if (kind == TB_WINDOW_SUM || kind == TB_WINDOW_MEAN) sums()->sum(x, l->q->w->nplace, l->at, w, n, y);
    else sums()->pairs(x, l->q->w->nplace, l->at, w, kind == TB_WINDOW_MIRRORED ? 1 : -1, n, y);
}

/* out = in * weight, by way of a row of equal numbers. */
static void times(const line *l, const char *in, const double *weight, int64_t n, char *out)
{
    const tb_scalar s = {.dtype = TB_C128, .v.c = {weight[0], weight[1]}};
    tb__cpu_fill(s, l->row, n);
    loop_of(TB_OP_multiply, TB_C128)(n, (void *[]){out, (void *)in, l->row}, 0);
}

static void add_up_complex(const line *l, const double *w, const char *in, int64_t n, char *out)
{
    const tb_cpu_loop add = loop_of(TB_OP_add, TB_C128), subtract = loop_of(TB_OP_subtract, TB_C128);
    const int64_t count = l->q->w->nplace, middle = l->q->w->kind == TB_WINDOW_SUM ? 0 : count / 2;
    times(l, in + l->at[middle] * l->item, w + 2 * middle, n, out);
    for (int64_t k = middle ? 0 : 1; k < (middle ? middle : count); k++) {
        const char *x = in + l->at[k] * l->item, *far = in + l->at[count - 1 - k] * l->item;
        if (middle) {
            const tb_cpu_loop both = l->q->w->kind == TB_WINDOW_MIRRORED ? add : subtract;
            both(n, (void *[]){l->spare, (void *)x, (void *)far}, 0);
            x = l->spare;
        }
        times(l, x, w + 2 * k, n, l->spare);
        add(n, (void *[]){out, out, l->spare}, 0);
    }
}

/* One place after the other. */
static void fold(const line *l, tb_op op, const char *in, int64_t n, char *out)
{
    const tb_cpu_loop loop = loop_of(op, l->q->work);
    memcpy(out, in + l->at[0] * l->item, (size_t)(n * l->item));
    for (int64_t k = 1; k < l->q->w->nplace; k++) loop(n, (void *[]){out, out, (void *)(in + l->at[k] * l->item)}, 0);
}

/* The same of sums with weights; work is float64. */
static void fold_sums(const line *l, tb_op op, const char *in, int64_t n, char *out)
{
    const tb_cpu_loop loop = loop_of(op, TB_F64);
    for (int64_t k = 0; k < l->q->w->nplace; k++) {
        const double *x = (const double *)(const void *)in + l->at[k], weight = l->q->w->weights[k];
        double *sum = (double *)(void *)(k ? l->row : out);
        for (int64_t i = 0; i < n; i++) sum[i] = x[i] + weight;
        if (k) loop(n, (void *[]){out, out, sum}, 0);
    }
}

/* Windows of places that follow one another, put together from windows of 1, 2, 4, ... of them, all along the line. */
static void fold_halves(const line *l, tb_op op)
{
    const tb_cpu_loop loop = loop_of(op, l->q->work);
    const int64_t size = l->q->w->nplace, step = l->at[1] - l->at[0];
    char *level[32] = {l->whole + l->at[0] * l->item}, *room = l->spare;
    int64_t n = l->results + (size - 1) * step, part = 1;
    int i = 0;
    for (; 2 * part <= size; part *= 2, i++) {
        n -= part * step;
        level[i + 1] = room;
        room += n * l->item;
        loop(n, (void *[]){level[i + 1], level[i], level[i] + part * step * l->item}, 0);
    }
    char *have = level[i];
    for (int64_t at = part; at < size;) {
        part /= 2;
        i--;
        if (!(size & part)) continue;
        loop(l->results, (void *[]){l->made, have, level[i] + at * step * l->item}, 0);
        have = l->made;
        at += part;
    }
    if (have != l->made) memcpy(l->made, have, (size_t)(l->results * l->item));
}

static void divide(const line *l)
{
    if (l->q->work == TB_F64) {
        double *x = (double *)(void *)l->made;
        const double count = (double)l->q->w->nplace;
        for (int64_t i = 0; i < l->results; i++) x[i] /= count;
        return;
    }
    const tb_scalar count = {.dtype = TB_F64, .v.f = (double)l->q->w->nplace};
    tb_scalar number;
    if (tb_scalar_cast(count, l->q->work, &number) != TB_OK) return;
    for (int64_t i = 0; i < l->results; i += BLOCK) {
        const int64_t n = tb__min(BLOCK, l->results - i);
        char *x = l->made + i * l->item;
        tb__cpu_fill(number, l->row, n);
        loop_of(TB_OP_divide, l->q->work)(n, (void *[]){x, x, l->row}, 0);
    }
}

/* ---- ranks ------------------------------------------------------------------------------------------------------- */

typedef struct comparison {
    uint8_t i, j;
    bool least, most; /* which of the two is needed further on */
} comparison;

enum { MOST_COMPARISONS = 2048 };

/* The comparisons that bring the element of a rank to its place, from odd-even merging (K. E. Batcher, Sorting networks
 * and their applications, 1968): what the place does not depend on is left out, from the last one back. */
static int find_network(int n, int rank, comparison *out)
{
    bool needed[MOST_RANKED] = {false};
    int count = 0, kept = 0;
    for (int p = 1; p < n; p *= 2)
        for (int k = p; k > 0; k /= 2)
            for (int j = k % p; j < n - k; j += 2 * k)
                for (int i = j; i < j + k && i + k < n; i++)
                    if (i / (2 * p) == (i + k) / (2 * p))
                        out[count++] = (comparison){(uint8_t)i, (uint8_t)(i + k), false, false};
    needed[rank] = true;
    for (int c = count; c-- > 0;) {
        comparison *o = &out[c];
        o->least = needed[o->i];
        o->most = needed[o->j];
        needed[o->i] |= o->most;
        needed[o->j] |= o->least;
    }
    for (int c = 0; c < count; c++)
        if (out[c].least || out[c].most) out[kept++] = out[c];
    return kept;
}

/* `wires` has room for a block of each place's elements and one more. */
static void pick(const line *l, const comparison *network, int count, int64_t block)
{
    const tb_cpu_loop lesser = loop_of(TB_OP_minimum, l->q->work), greater = loop_of(TB_OP_maximum, l->q->work);
    const int places = (int)l->q->w->nplace;
    char *wire[MOST_RANKED], *own[MOST_RANKED + 1];
    for (int k = 0; k <= places; k++) own[k] = l->spare + k * block * l->item;
    for (int64_t first = 0; first < l->results; first += block) {
        const int64_t n = tb__min(block, l->results - first);
        for (int k = 0; k < places; k++) wire[k] = l->whole + (l->at[k] + first) * l->item;
        for (int c = 0; c < count; c++) {
            const comparison o = network[c];
            char *a = wire[o.i], *b = wire[o.j], *room = own[places];
            if (o.least) lesser(n, (void *[]){o.most ? room : own[o.i], a, b}, 0);
            if (o.most) greater(n, (void *[]){own[o.j], a, b}, 0);
            if (o.least && o.most) { /* what was compared is needed until both are there */
                own[places] = own[o.i];
                own[o.i] = room;
            }
            wire[o.i] = own[o.i];
            wire[o.j] = own[o.j];
        }
        memcpy(l->made + first * l->item, wire[l->q->w->rank], (size_t)(n * l->item));
    }
}

static int64_t ranked_block(const tb_windows *q)
{
    enum { CACHED = 1 << 16 };
    const int64_t all = (q->w->nplace + 1) * (int64_t)tb_dtype_size(q->work);
    return tb__max(tb__min(CACHED / all, BLOCK), 64) / 8 * 8;
}

static void make_ranked(const line *l)
{
    comparison network[MOST_COMPARISONS];
    const int count = find_network((int)l->q->w->nplace, (int)l->q->w->rank, network);
    pick(l, network, count, ranked_block(l->q));
}

/* ---- filters ----------------------------------------------------------------------------------------------------- */

static bool is_extreme(const tb_window *w) { return w->kind == TB_WINDOW_LEAST || w->kind == TB_WINDOW_GREATEST; }

/* Whether windows are put together from halves: least and greatest elements are the same in any order, and sums have
 * this one, by which those of many places are rounded less often. */
static bool by_halves(const line *l)
{
    const int64_t *at = l->at, count = l->q->w->nplace;
    if (l->q->w->kind == TB_WINDOW_MEAN) return count > SEQUENCE;
    if (!is_extreme(l->q->w) || l->q->w->weights || count < 4) return false;
    for (int64_t k = 2; k < count; k++)
        if (at[k] - at[k - 1] != at[1] - at[0]) return false;
    return at[1] > at[0];
}

/* Weights of means. */
static const double ones[SEQUENCE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void make_block(const line *l, const void *weights, const char *in, int64_t n, char *out)
{
    const tb_op op = l->q->w->kind == TB_WINDOW_LEAST ? TB_OP_minimum : TB_OP_maximum;
    switch (l->q->w->kind) {
    case TB_WINDOW_MEAN:
        if (l->q->work == TB_F64) add_up(l, ones, in, n, out);
        else fold(l, TB_OP_add, in, n, out);
        break;
    case TB_WINDOW_LEAST:
    case TB_WINDOW_GREATEST:
        if (l->q->w->weights) fold_sums(l, op, in, n, out);
        else fold(l, op, in, n, out);
        break;
    default:
        if (l->q->work == TB_C128) add_up_complex(l, weights, in, n, out);
        else add_up(l, weights, in, n, out);
        break;
    }
}

static void make(const line *l)
{
    static const tb_op ops[] = {
        [TB_WINDOW_MEAN] = TB_OP_add, [TB_WINDOW_LEAST] = TB_OP_minimum, [TB_WINDOW_GREATEST] = TB_OP_maximum};
    const void *weights = l->q->weights ? l->q->weights : l->q->w->weights;
    const tb_window_kind kind = l->q->w->kind;
    if (kind == TB_WINDOW_RANK) {
        make_ranked(l);
    } else if (by_halves(l)) {
        fold_halves(l, ops[kind]);
    } else {
        for (int64_t i = 0; i < l->results; i += BLOCK)
            make_block(l, weights, l->whole + i * l->item, tb__min(BLOCK, l->results - i), l->made + i * l->item);
    }
    if (kind == TB_WINDOW_MEAN) divide(l);
}

/* How long the line is; false where that is too long. */
static bool measure(line *l, const tb_windows *q)
{
    l->q = q;
    l->item = (int64_t)tb_dtype_size(q->work);
    l->elements = l->results = 1;
    for (int d = q->ndim - 1; d >= 0; d--) {
        int64_t least = 0, most = 0;
        for (int64_t k = 0; k < q->w->nplace; k++) {
            least = tb__min(least, q->w->place[k * q->ndim + d]);
            most = tb__max(most, q->w->place[k * q->ndim + d]);
        }
        l->before[d] = -least;
        l->behind[d] = most;
        l->step[d] = l->elements;
        l->results += (q->shape[d] - 1) * l->step[d];
        l->elements *= q->shape[d] + most - least; /* no more than 2^17 times 2^17 */
        if (q->shape[d] > MOST_ELEMENTS || l->elements > MOST_ELEMENTS) return false;
    }
    return true;
}

static size_t rounded(int64_t elements, int64_t item) { return (size_t)(elements * item + 63) / 64 * 64; }

/* Bytes of `spare`: where windows are put together from halves those are as many lines, and of ranks a block for each
 * place; and a row's integers for conversions. */
static size_t spare_bytes(const line *l)
{
    const tb_windows *q = l->q;
    int64_t elements = tb__max(BLOCK, q->w->kind == TB_WINDOW_RANK ? (q->w->nplace + 1) * ranked_block(q) : 0);
    for (int64_t part = 2; part <= q->w->nplace && (q->w->kind == TB_WINDOW_MEAN || is_extreme(q->w)); part *= 2)
        elements += l->elements;
    return rounded(tb__max(elements, l->results), WIDEST);
}

static void filter(line *l, char *room, char *y)
{
    const tb_windows *q = l->q;
    l->at = (int64_t *)(void *)room;
    room += rounded(q->w->nplace, sizeof *l->at);
    l->whole = room;
    room += rounded(l->elements, l->item);
    l->made = room;
    room += rounded(l->results, l->item);
    l->row = room;
    room += rounded(tb__max(BLOCK, q->shape[q->ndim - 1]), WIDEST);
    l->spare = room;
    for (int64_t k = 0; k < q->w->nplace; k++) {
        l->at[k] = 0;
        for (int d = 0; d < q->ndim; d++) l->at[k] += (q->w->place[k * q->ndim + d] + l->before[d]) * l->step[d];
    }
    lay_out(l, 0, l->whole, q->x);
    make(l);
    store(l, 0, l->made, y);
}

static size_t room_of(const line *l)
{
    const tb_windows *q = l->q;
    return rounded(q->w->nplace, sizeof *l->at) + rounded(l->elements, l->item) + rounded(l->results, l->item) +
           rounded(tb__max(BLOCK, q->shape[q->ndim - 1]), WIDEST) + spare_bytes(l);
}

static bool has_loops(const tb_windows *q)
{
    if (q->ndim == 0 || q->w->nplace > (q->w->kind == TB_WINDOW_RANK ? MOST_RANKED : MOST_PLACES)) return false;
    if (is_float(q->work) && q->to == TB_U64) return false;
    return q->work != TB_C128 || tb_dtype_kind(q->to) == TB_KIND_COMPLEX;
}

static tb_status too_large(const tb_windows *q)
{
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: a window of %lld places is composed of other operations",
                    (long long)q->w->nplace);
}

/* The second of two filters: over what the first one makes, in C order. */
static tb_windows second_of(const tb_windows *q, tb_window *w, int64_t *strides)
{
    tb_windows second = *q;
    *w = *q->w->then;
    w->edge = q->w->edge;
    w->beyond = q->w->beyond;
    second.w = w;
    second.from = q->to;
    second.weights = NULL;
    second.x_strides = strides;
    int64_t step = (int64_t)tb_dtype_size(q->to);
    for (int d = q->ndim - 1; d >= 0; d--) {
        strides[d] = step;
        step *= q->shape[d];
    }
    return second;
}

tb_status tb__cpu_windows(const tb_windows *q)
{
    line first, second;
    tb_windows behind;
    tb_window then;
    int64_t strides[TB_MAXDIM];
    const bool two = q->w->then;
    if (!has_loops(q) || !measure(&first, q)) return too_large(q);
    if (two) {
        behind = second_of(q, &then, strides);
        if (!has_loops(&behind) || !measure(&second, &behind)) return too_large(&behind);
    }
    size_t own = 0, room = room_of(&first);
    if (two) {
        own = rounded(tb__product(q->ndim, q->shape), (int64_t)tb_dtype_size(q->to));
        if (room_of(&second) > room) room = room_of(&second);
    }
    char *memory = tb__scratch(own + room);
    if (!memory) return tb__fail_memory(own + room, 0, 0, 0);
    filter(&first, memory + own, two ? memory : q->y);
    if (!two) return TB_OK;
    behind.x = memory;
    filter(&second, memory + own, q->y);
    return TB_OK;
}
