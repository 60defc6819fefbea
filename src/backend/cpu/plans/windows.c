/* windows.c - filters over windows. A tile of the array is laid out as one line, in the dtype that is computed, with
 * what windows see around it: C order, all axes so much longer. An element of a window is then as far from one result
 * as from any other, and all results are made by loops along the line, a block at a time for all places of the window.
 * What they make between the tile's own rows is not stored. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/window_loops.h"
#include "backend/cpu/plans/plans.h"
#include "backend/cpu/plans/window_ranks.h"
#include "base/error.h"
#include "base/shape.h"
#include "tables/loops.h"

enum { BLOCK = 512, MOST_PLACES = 1 << 12, MOST_MOVING = 1 << 16, MOST_RANKED = 112, WIDEST = 16, SEQUENCE = 16 };
enum { TILE = 1 << 14, LARGEST = 1 << 18, NARROW = 64 }; /* elements of a line; of a tile along the last axis */

/* A filter over a tile. Lengths and steps are in elements. */
typedef struct line {
    const tb_windows *q;
    bool moving;                                  /* by window_ranks.h */
    int64_t before[TB_MAXDIM], behind[TB_MAXDIM]; /* how far windows reach */
    int64_t start[TB_MAXDIM], count[TB_MAXDIM];   /* the tile */
    int64_t step[TB_MAXDIM];                      /* of the line, along each axis */
    int64_t elements, results;                    /* of the line; from the first to the last result */
    int64_t item;                                 /* bytes of an element */
    int64_t *at;                                  /* where each place is, counted from a result's own first element */
    int64_t *folded;                              /* what stands for those around a row, or -1, from the first one on */
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

/* n elements along the last axis. */
static void read_row(const line *l, int64_t n, char *to, const char *from)
{
    const tb_windows *q = l->q;
    const int64_t item = (int64_t)tb_dtype_size(q->from), stride = q->x_strides[q->ndim - 1];
    if (n > 1 && stride != item) {
        char *row = q->from == q->work ? to : l->row;
        tb__cpu_copy((size_t)item, 1, &n, row, &item, from, &stride, false);
        if (row == to) return;
        from = row;
    }
    convert(q->from, q->work, n, from, to, l->spare);
}

/* The first element along an axis that windows see, the first of these that is there, and where both end. */
typedef struct span {
    int64_t first, inside, outside, end;
} span;

static span span_of(const line *l, int d)
{
    const int64_t first = l->start[d] - l->before[d], end = l->start[d] + l->count[d] + l->behind[d];
    return (span){first, tb__max(first, 0), tb__min(end, l->q->shape[d]), end};
}

/* Once for all rows. */
static void fold_edges(const line *l)
{
    const int d = l->q->ndim - 1;
    const span s = span_of(l, d);
    int64_t *to = l->folded;
    for (int64_t i = s.first; i < s.inside; i++) *to++ = tb__cpu_folded(i, l->q->shape[d], l->q->w->edge[d]);
    for (int64_t i = s.outside; i < s.end; i++) *to++ = tb__cpu_folded(i, l->q->shape[d], l->q->w->edge[d]);
}

/* The last axis. `to` is where its first element would be. */
static void lay_out_row(const line *l, char *to, const char *from)
{
    const tb_windows *q = l->q;
    const int64_t stride = q->x_strides[q->ndim - 1], item = l->item, *folded = l->folded;
    const span s = span_of(l, q->ndim - 1);
    read_row(l, s.outside - s.inside, to + s.inside * item, from + s.inside * stride);
    for (int64_t i = s.first; i < s.end; i++) {
        if (i == s.inside) i = s.outside;
        if (i == s.end) break;
        const int64_t k = *folded++;
        if (k < 0) tb__cpu_fill(q->fill, to + i * item, 1);
        else if (k < s.inside || k >= s.outside) read_row(l, 1, to + i * item, from + k * stride);
        else if (item == 8) memcpy(to + i * 8, to + k * 8, 8);
        else memcpy(to + i * item, to + k * item, (size_t)item);
    }
}

/* The axes from d on: `from` is where their first elements are. What is beyond an edge is what stands for it. */
static void lay_out(const line *l, int d, char *to, const char *from)
{
    const tb_windows *q = l->q;
    const int64_t bytes = l->step[d] * l->item;
    const span s = span_of(l, d);
    to -= s.first * bytes;
    if (d == q->ndim - 1) {
        lay_out_row(l, to, from);
        return;
    }
    for (int64_t i = s.inside; i < s.outside; i++) lay_out(l, d + 1, to + i * bytes, from + i * q->x_strides[d]);
    for (int64_t i = s.first; i < s.end; i++) {
        if (i == s.inside) i = s.outside;
        if (i == s.end) break;
        const int64_t k = tb__cpu_folded(i, q->shape[d], q->w->edge[d]);
        if (k < 0) tb__cpu_fill(q->fill, to + i * bytes, l->step[d]);
        else if (k >= s.inside && k < s.outside) memcpy(to + i * bytes, to + k * bytes, (size_t)bytes);
        else lay_out(l, d + 1, to + i * bytes, from + k * q->x_strides[d]);
    }
}

/* Whether the tile's rows from axis d on are one behind the other, on the line and where results go. */
static bool are_rows(const line *l, int d)
{
    const tb_windows *q = l->q;
    int64_t inner = 1;
    for (int e = d + 1; e < q->ndim; e++) inner *= l->count[e];
    return inner == l->step[d] && inner * (int64_t)tb_dtype_size(q->to) == q->y_strides[d];
}

/* Whether the array's memory is the line already. */
static bool is_there(const line *l)
{
    const tb_windows *q = l->q;
    for (int d = 0; d < q->ndim; d++) {
        if (q->x_strides[d] != l->step[d] * l->item) return false;
        if (d > 0 && l->before[d] + l->behind[d] > 0) return false;
    }
    return q->from == q->work && l->start[0] >= l->before[0] && l->start[0] + l->count[0] + l->behind[0] <= q->shape[0];
}

/* The tile's own rows of what is made. */
static void store(const line *l, int d, const char *from, char *to)
{
    const tb_windows *q = l->q;
    if (are_rows(l, d)) {
        convert(q->work, q->to, l->step[d] * l->count[d], from, to, l->spare);
        return;
    }
    for (int64_t i = 0; i < l->count[d]; i++)
        store(l, d + 1, from + i * l->step[d] * l->item, to + i * q->y_strides[d]);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static void add_up(const line *l, const double *w, const char *in, int64_t n, char *out)
{
    const tb_window_kind kind = l->q->w->kind;
    const double *x = (const double *)(const void *)in;
    double *y = (double *)(void *)out;
    const tb_window_loops *of = TB_OF_ISA(&tb__window_loops_);
    if (kind == TB_WINDOW_SUM) of->sum(x, l->q->w->nplace, l->at, w, n, y);
    else of->pairs(x, l->q->w->nplace, l->at, w, kind == TB_WINDOW_MIRRORED ? 1 : -1, n, y);
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
    const char *have = in + l->at[0] * l->item;
    for (int64_t k = 1; k < l->q->w->nplace; k++, have = out)
        loop(n, (void *[]){out, (void *)have, (void *)(in + l->at[k] * l->item)}, 0);
    if (have != out) memcpy(out, have, (size_t)(n * l->item));
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

static void average(const line *l, const char *in, int64_t n, char *out)
{
    const int64_t count = l->q->w->nplace;
    TB_OF_ISA(&tb__window_loops_)
        ->mean((const double *)(const void *)in, count, l->at, (double)count, n, (double *)(void *)out);
}

/* n is up to BLOCK. */
static void divide(const line *l, int64_t n, char *sums)
{
    const double count = (double)l->q->w->nplace;
    if (l->q->work == TB_F64) {
        double *x = (double *)(void *)sums;
        for (int64_t i = 0; i < n; i++) x[i] /= count;
        return;
    }
    tb__cpu_fill((tb_scalar){.dtype = TB_C128, .v.c = {count, 0}}, l->row, n);
    loop_of(TB_OP_divide, TB_C128)(n, (void *[]){sums, sums, l->row}, 0);
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
    if (l->moving) {
        const tb_window *w = l->q->w;
        const tb_window_ranks ranks = {.dtype = l->q->work,
                                       .line = l->whole,
                                       .elements = l->elements,
                                       .ndim = l->q->ndim,
                                       .count = l->count,
                                       .step = l->step,
                                       .at = l->at,
                                       .nplace = w->nplace,
                                       .rank = w->rank,
                                       .made = l->made};
        tb__cpu_window_ranks(&ranks, l->spare);
        return;
    }
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
    if (!is_extreme(l->q->w) || l->q->w->weights || count < 7) return false;
    for (int64_t k = 2; k < count; k++)
        if (at[k] - at[k - 1] != at[1] - at[0]) return false;
    return at[1] > at[0];
}

static void make_block(const line *l, const void *weights, const char *in, int64_t n, char *out)
{
    const tb_op op = l->q->w->kind == TB_WINDOW_LEAST ? TB_OP_minimum : TB_OP_maximum;
    switch (l->q->w->kind) {
    case TB_WINDOW_MEAN:
        if (l->q->work == TB_F64) {
            average(l, in, n, out);
            break;
        }
        fold(l, TB_OP_add, in, n, out);
        divide(l, n, out);
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

/* n results that follow one another on the line. */
static void make_run(const line *l, const void *weights, const char *in, int64_t n, char *out)
{
    for (int64_t i = 0; i < n; i += BLOCK)
        make_block(l, weights, in + i * l->item, tb__min(BLOCK, n - i), out + i * l->item);
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
        for (int64_t i = 0; i < l->results && kind == TB_WINDOW_MEAN; i += BLOCK)
            divide(l, tb__min(BLOCK, l->results - i), l->made + i * l->item);
    } else {
        make_run(l, weights, l->whole, l->results, l->made);
    }
}

/* Whether each row of results is made where it belongs: rows of any length are, but where they are little of the line,
 * or of a kind that is made all along it. */
static bool by_rows(const line *l)
{
    enum { LEAST = 24 };
    const tb_windows *q = l->q;
    const int last = q->ndim - 1;
    return q->work == q->to && q->work == TB_F64 && q->w->kind != TB_WINDOW_RANK && !by_halves(l) &&
           q->y_strides[last] == l->item && l->count[last] >= LEAST;
}

static void make_rows(const line *l, int d, const char *in, char *out)
{
    const tb_windows *q = l->q;
    const void *weights = q->weights ? q->weights : q->w->weights;
    if (d == q->ndim - 1) {
        make_run(l, weights, in, l->count[d], out);
        return;
    }
    for (int64_t i = 0; i < l->count[d]; i++)
        make_rows(l, d + 1, in + i * l->step[d] * l->item, out + i * q->y_strides[d]);
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

/* Whether places are in C order, none of them twice. */
static bool are_in_order(const tb_windows *q)
{
    for (int64_t k = 1; k < q->w->nplace; k++) {
        const int64_t *place = q->w->place + k * q->ndim;
        int d = 0;
        while (d < q->ndim && place[d] == place[d - q->ndim]) d++;
        if (d == q->ndim || place[d] < place[d - q->ndim]) return false;
    }
    return true;
}

/* Whether windows are those of plans/window_ranks.c: of many places, the fewer of these a vector holds. */
static bool is_moving(const tb_windows *q)
{
    static const int most[] = {[1] = MOST_RANKED, [2] = 72, [4] = 45, [8] = 30};
    return q->w->kind == TB_WINDOW_RANK && q->w->nplace > most[tb_dtype_size(q->work)] && are_in_order(q);
}

/* How far windows reach; the tile is all of the array. */
static void reach(line *l, const tb_windows *q)
{
    l->q = q;
    l->moving = is_moving(q);
    l->item = (int64_t)tb_dtype_size(q->work);
    for (int d = 0; d < q->ndim; d++) {
        int64_t least = 0, most = 0;
        for (int64_t k = 0; k < q->w->nplace; k++) {
            least = tb__min(least, q->w->place[k * q->ndim + d]);
            most = tb__max(most, q->w->place[k * q->ndim + d]);
        }
        l->before[d] = -least;
        l->behind[d] = most;
        l->start[d] = 0;
        l->count[d] = q->shape[d];
    }
}

/* The line of the tile; false where it is longer than LARGEST. */
static bool measure(line *l)
{
    l->elements = l->results = 1;
    for (int d = l->q->ndim - 1; d >= 0; d--) {
        const int64_t n = l->before[d] + l->count[d] + l->behind[d];
        l->step[d] = l->elements;
        l->results += (l->count[d] - 1) * l->step[d];
        if (n > LARGEST || n * l->elements > LARGEST) return false;
        l->elements *= n;
    }
    return true;
}

/* Halves the tile along the axis where it is longest, compared with what windows reach or a row should have, until the
 * line fits a cache; false where that is not enough. */
static bool cut(line *l)
{
    const int ndim = l->q->ndim;
    while (!measure(l) || l->elements > TILE) {
        int longest = -1;
        int64_t most = 1;
        for (int d = 0; d < ndim; d++) {
            const int64_t least = tb__max(2 * (l->before[d] + l->behind[d]), d == ndim - 1 ? NARROW : 1);
            if (l->count[d] / least > most) {
                most = l->count[d] / least;
                longest = d;
            }
        }
        if (longest < 0) return measure(l);
        l->count[longest] = tb__ceil_div(l->count[longest], 2);
    }
    return true;
}

static size_t rounded(int64_t elements, int64_t item) { return (size_t)(elements * item + 63) / 64 * 64; }

/* Elements along the last axis with what is around them. */
static int64_t row_length(const line *l)
{
    const int last = l->q->ndim - 1;
    return l->before[last] + l->count[last] + l->behind[last];
}

/* Bytes of `spare`: where windows are put together from halves those are as many lines, and of ranks a block for each
 * place, or what moving windows take; and integers for conversions. */
static size_t spare_bytes(const line *l)
{
    const tb_windows *q = l->q;
    if (l->moving)
        return rounded((int64_t)tb__cpu_window_ranks_room(l->elements, q->w->nplace) +
                           tb__max(l->results, row_length(l)) * (int64_t)sizeof(int64_t),
                       1);
    int64_t elements = tb__max(BLOCK, q->w->kind == TB_WINDOW_RANK ? (q->w->nplace + 1) * ranked_block(q) : 0);
    for (int64_t part = 2; part <= q->w->nplace && (q->w->kind == TB_WINDOW_MEAN || is_extreme(q->w)); part *= 2)
        elements += l->elements;
    return rounded(tb__max(elements * l->item, tb__max(l->results, row_length(l)) * (int64_t)sizeof(int64_t)), 1);
}

static size_t room_of(const line *l)
{
    const int last = l->q->ndim - 1;
    return rounded(l->q->w->nplace, sizeof *l->at) + rounded(l->before[last] + l->behind[last], sizeof *l->folded) +
           rounded(l->elements, l->item) + rounded(l->results, l->item) +
           rounded(tb__max(BLOCK, row_length(l)), WIDEST) + spare_bytes(l);
}

/* By `room`, of room_of bytes. */
static void filter(line *l, char *room)
{
    const tb_windows *q = l->q;
    l->at = (int64_t *)(void *)room;
    room += rounded(q->w->nplace, sizeof *l->at);
    l->folded = (int64_t *)(void *)room;
    room += rounded(l->before[q->ndim - 1] + l->behind[q->ndim - 1], sizeof *l->folded);
    l->whole = room;
    room += rounded(l->elements, l->item);
    l->made = room;
    room += rounded(l->results, l->item);
    l->row = room;
    room += rounded(tb__max(BLOCK, row_length(l)), WIDEST);
    l->spare = room;
    for (int64_t k = 0; k < q->w->nplace; k++) {
        l->at[k] = 0;
        for (int d = 0; d < q->ndim; d++) l->at[k] += (q->w->place[k * q->ndim + d] + l->before[d]) * l->step[d];
    }
    char *y = q->y;
    for (int d = 0; d < q->ndim; d++) y += l->start[d] * q->y_strides[d];
    if (is_there(l)) {
        l->whole = (char *)q->x + (l->start[0] - l->before[0]) * q->x_strides[0];
    } else {
        fold_edges(l);
        lay_out(l, 0, l->whole, q->x);
    }
    if (are_rows(l, 0) && q->work == q->to) {
        l->made = y;
        make(l);
    } else if (by_rows(l)) {
        make_rows(l, 0, l->whole, y);
    } else {
        make(l);
        store(l, 0, l->made, y);
    }
}

static bool tile_task(void *arg, int64_t task)
{
    line l = *(const line *)arg;
    char *room = tb__scratch(room_of(&l));
    if (!room) return false;
    for (int d = l.q->ndim - 1; d >= 0; d--) {
        const int64_t tiles = tb__ceil_div(l.q->shape[d], l.count[d]);
        l.start[d] = task % tiles * l.count[d];
        l.count[d] = tb__min(l.count[d], l.q->shape[d] - l.start[d]);
        task /= tiles;
    }
    measure(&l);
    filter(&l, room);
    return true;
}

static bool has_loops(const tb_windows *q)
{
    const bool ranked = q->w->kind == TB_WINDOW_RANK;
    if (q->ndim == 0 || q->w->nplace > (!ranked ? MOST_PLACES : is_moving(q) ? MOST_MOVING : MOST_RANKED)) return false;
    if (is_float(q->work) && q->to == TB_U64) return false;
    return q->work != TB_C128 || tb_dtype_kind(q->to) == TB_KIND_COMPLEX;
}

static tb_status one_filter(const tb_windows *q)
{
    line l;
    int64_t tiles = 1;
    if (!has_loops(q) || (reach(&l, q), !cut(&l)))
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: a window of %lld places is composed of operations",
                        (long long)q->w->nplace);
    for (int d = 0; d < q->ndim; d++) tiles *= tb__ceil_div(q->shape[d], l.count[d]);
    return tb__parallel(tiles, tile_task, &l);
}

/* ---- two filters ------------------------------------------------------------------------------------------------- */

/* The second one goes over what the first one makes, in C order. */
static tb_status two_filters(const tb_windows *q, char *between)
{
    tb_window w = *q->w, then = *q->w->then;
    tb_windows first = *q, second = *q;
    int64_t strides[TB_MAXDIM], step = (int64_t)tb_dtype_size(q->to);
    for (int d = q->ndim - 1; d >= 0; d--) {
        strides[d] = step;
        step *= q->shape[d];
    }
    w.then = NULL;
    then.edge = w.edge;
    then.beyond = w.beyond;
    first.w = &w;
    first.y = between;
    first.y_strides = strides;
    second.w = &then;
    second.weights = NULL;
    second.from = q->to;
    second.x = between;
    second.x_strides = strides;
    TB_TRY(one_filter(&first));
    return one_filter(&second);
}

tb_status tb__cpu_windows(const tb_windows *q)
{
    if (!q->w->then) return one_filter(q);
    const size_t bytes = (size_t)tb__product(q->ndim, q->shape) * tb_dtype_size(q->to);
    char *between = malloc(bytes);
    if (!between) return tb__fail_memory(bytes, 0, 0, 0);
    const tb_status status = two_filters(q, between);
    free(between);
    return status;
}
