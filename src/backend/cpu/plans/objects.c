/* objects.c - the connected objects of an array, by runs of elements along its last axis: runs of neighbouring lines
 * that touch are united (a forest whose roots are the first runs of their trees), then numbered in their order.
 *
 * Lines are cut into pieces, each of which is united within itself; what touches across two pieces comes after that. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { PIECE = 1 << 17 }; /* elements */

typedef struct run {
    int64_t from, to;
} run;

/* Another line that comes before a line, and how far along it neighbours are. */
typedef struct near {
    int64_t lines; /* it is so many lines before */
    bool step[3];  /* by -1, 0 and 1 elements */
    int8_t at[TB_MAXDIM];
} near;

typedef struct forest {
    const tb_objects *o;
    int64_t length, lines, each; /* of a line; of all, of a piece */
    bool single;                 /* neighbours within a line are not connected */
    int64_t *first;              /* runs before each line, and all of them */
    run *runs;
    int64_t *parent; /* of a run, not behind it; in the end its number */
    int64_t nnear;
    near *near;
} forest;

/* ---- runs -------------------------------------------------------------------------------------------------------- */

#define BYTES UINT64_C(0x0101010101010101)

/* 8 truth values, or what is left of a line, as bytes of 0 and 1 with the first one lowest. */
static inline uint64_t eight(const uint8_t *x, int64_t n)
{
    uint64_t w = 0;
    memcpy(&w, x, n < 8 ? (size_t)n : 8);
    const uint64_t low = 0x7f * BYTES, top = ((w & low) + low) | w; /* the top bit of a byte: any of it is set */
    return (top >> 7) & BYTES;
}

static int64_t count_runs(const uint8_t *x, int64_t n, bool single)
{
    int64_t count = 0;
    uint64_t before = 0;
    for (int64_t i = 0; i < n; i += 8) {
        const uint64_t w = eight(x + i, n - i), begins = single ? w : w & ~((w << 8) | before);
        count += (int64_t)(begins * BYTES >> 56);
        before = w >> 56;
    }
    return count;
}

static void find_singles(const uint8_t *x, int64_t n, run *out)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i]) *out++ = (run){i, i + 1};
}

static void find_runs(const uint8_t *x, int64_t n, run *out)
{
    int64_t *const first = (int64_t *)(void *)out, *edge = first;
    uint64_t before = 0;
    for (int64_t i = 0; i < n; i += 8) {
        const uint64_t w = eight(x + i, n - i);
        for (uint64_t changes = w ^ ((w << 8) | before); changes; changes &= changes - 1) {
            const int64_t at = i + __builtin_ctzll(changes) / 8;
            if (at < n) *edge++ = at;
        }
        before = w >> 56;
    }
    if ((edge - first) % 2) *edge = n;
}

/* ---- unions ------------------------------------------------------------------------------------------------------ */

static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(int64_t *parent, int64_t i, int64_t k)
{
    i = root_of(parent, i);
    k = root_of(parent, k);
    if (i < k) parent[k] = i;
    else parent[i] = k;
}

static bool touch(const near *by, run a, run b)
{
    for (int d = 0; d < 3; d++)
        if (by->step[d] && tb__max(a.from + d - 1, b.from) < tb__min(a.to + d - 1, b.to)) return true;
    return false;
}

/* Runs of a line with those of one before. */
static void unite_lines(const forest *f, int64_t line, const near *by)
{
    const int64_t other = line - by->lines;
    const int64_t least = by->step[0] ? -1 : by->step[1] ? 0 : 1, most = by->step[2] ? 1 : by->step[1] ? 0 : -1;
    int64_t k = f->first[other];
    const int64_t end = f->first[other + 1];
    for (int64_t i = f->first[line]; i < f->first[line + 1]; i++) {
        const run r = f->runs[i];
        while (k < end && f->runs[k].to <= r.from + least) k++;
        for (int64_t q = k; q < end && f->runs[q].from < r.to + most; q++)
            if (touch(by, r, f->runs[q])) unite(f->parent, i, q);
    }
}

/* With the lines before it that are not before `from`; or if `across` with the others. */
static void unite_line(const forest *f, int64_t line, int64_t from, bool across)
{
    const tb_objects *o = f->o;
    int64_t at[TB_MAXDIM], rest = line;
    if (f->first[line] == f->first[line + 1]) return;
    for (int d = o->ndim - 2; d >= 0; d--) {
        at[d] = rest % o->shape[d];
        rest /= o->shape[d];
    }
    for (int64_t k = 0; k < f->nnear; k++) {
        const near *by = &f->near[k];
        bool there = across == (line - by->lines < from);
        for (int d = 0; there && d < o->ndim - 1; d++) there = (uint64_t)(at[d] + by->at[d]) < (uint64_t)o->shape[d];
        if (there) unite_lines(f, line, by);
    }
}

static void unite_across(const forest *f)
{
    int64_t reach = 0;
    for (int64_t k = 0; k < f->nnear; k++) reach = tb__max(reach, f->near[k].lines);
    for (int64_t from = f->each; from < f->lines; from += f->each)
        for (int64_t line = from; line < tb__min(tb__min(from + reach, from + f->each), f->lines); line++)
            unite_line(f, line, from, true);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static int64_t end_of(const forest *f, int64_t task) { return tb__min((task + 1) * f->each, f->lines); }

static bool count_piece(void *arg, int64_t task)
{
    const forest *f = arg;
    for (int64_t line = task * f->each; line < end_of(f, task); line++)
        f->first[line + 1] = count_runs(f->o->inside + line * f->length, f->length, f->single);
    return true;
}

static bool unite_piece(void *arg, int64_t task)
{
    const forest *f = arg;
    const int64_t from = task * f->each;
    for (int64_t line = from; line < end_of(f, task); line++) {
        (f->single ? find_singles : find_runs)(f->o->inside + line * f->length, f->length, f->runs + f->first[line]);
        for (int64_t i = f->first[line]; i < f->first[line + 1]; i++) f->parent[i] = i;
        unite_line(f, line, from, false);
    }
    return true;
}

static bool fill_piece(void *arg, int64_t task)
{
    const forest *f = arg;
    for (int64_t line = task * f->each; line < end_of(f, task); line++) {
        const int64_t at = line * f->length;
        if (f->o->wide) memset((int64_t *)f->o->labels + at, 0, (size_t)f->length * 8);
        else memset((int32_t *)f->o->labels + at, 0, (size_t)f->length * 4);
        for (int64_t i = f->first[line]; i < f->first[line + 1]; i++) {
            const run r = f->runs[i];
            if (f->o->wide)
                for (int64_t k = r.from; k < r.to; k++) ((int64_t *)f->o->labels)[at + k] = f->parent[i];
            else
                for (int64_t k = r.from; k < r.to; k++) ((int32_t *)f->o->labels)[at + k] = (int32_t)f->parent[i];
        }
    }
    return true;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* The lines before a line with which it may be connected: those of the first half of the box. */
static bool find_near(forest *f)
{
    const tb_objects *o = f->o;
    int64_t others = 1;
    for (int d = 0; d < o->ndim - 1; d++) others *= 3;
    f->near = malloc((size_t)(others / 2 + 1) * sizeof *f->near);
    if (!f->near) return false;
    for (int64_t k = 0; k < others / 2; k++) {
        near by = {.lines = 0};
        int64_t rest = k, stride = 1;
        for (int d = o->ndim - 2; d >= 0; d--) {
            by.at[d] = (int8_t)(rest % 3 - 1);
            by.lines -= by.at[d] * stride;
            stride *= o->shape[d];
            rest /= 3;
        }
        bool any = false;
        for (int d = 0; d < 3; d++) any |= by.step[d] = o->connected[3 * k + d];
        if (any && by.lines > 0) f->near[f->nnear++] = by;
    }
    f->single = !o->connected[3 * (others / 2)];
    return true;
}

static bool reserve(forest *f)
{
    f->first[0] = 0;
    for (int64_t line = 0; line < f->lines; line++) f->first[line + 1] += f->first[line];
    const size_t n = (size_t)f->first[f->lines] + 1;
    f->runs = malloc(n * sizeof *f->runs);
    f->parent = malloc(n * sizeof *f->parent);
    return f->runs && f->parent;
}

static int64_t number(const forest *f)
{
    int64_t count = 0;
    for (int64_t i = 0; i < f->first[f->lines]; i++) {
        const int64_t p = f->parent[i];
        f->parent[i] = p == i ? ++count : f->parent[p];
    }
    return count;
}

static tb_status find_objects(forest *f, const tb_objects *o)
{
    const int64_t pieces = tb__ceil_div(f->lines, f->each);
    f->first = malloc((size_t)(f->lines + 1) * sizeof *f->first);
    if (!f->first || !find_near(f)) return tb__fail_memory((size_t)f->lines * 8, 0, 0, 0);
    TB_TRY(tb__parallel(pieces, count_piece, f));
    if (!reserve(f)) return tb__fail_memory((size_t)f->first[f->lines] * sizeof(run), 0, 0, 0);
    TB_TRY(tb__parallel(pieces, unite_piece, f));
    unite_across(f);
    *o->count = number(f);
    return tb__parallel(pieces, fill_piece, f);
}

tb_status tb__cpu_label(const tb_objects *o)
{
    forest f = {.o = o, .length = o->shape[o->ndim - 1], .lines = 1};
    for (int d = 0; d < o->ndim - 1; d++) f.lines *= o->shape[d];
    f.each = tb__max(PIECE / f.length, 1);
    const tb_status status = find_objects(&f, o);
    free(f.first);
    free(f.near);
    free(f.runs);
    free(f.parent);
    return status;
}
