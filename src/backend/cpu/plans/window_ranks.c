/* window_ranks.c - see window_ranks.h. The elements of the line are numbered in their order once. A window is a set of
 * such numbers, a bit for each, from which few are taken and to which few are put where it moves on by a step; the
 * number of the rank is then some bits further on than it was. */
#include "backend/cpu/plans/window_ranks.h"

#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/loops/window_loops.h"
#include "base/arith.h"

typedef struct moving {
    const tb_window_ranks *w;
    int axis; /* along which windows move */
    tb_window_run *runs;
    int64_t nrun, words;
    uint64_t *bits;
    int32_t *number, *order, *found; /* of each element; the element of each number; of each result of a line */
} moving;

static int64_t words_of(int64_t elements) { return tb__ceil_div(elements, 64); }

size_t tb__cpu_window_ranks_room(int64_t elements, int64_t nplace)
{
    return (size_t)(2 * elements + words_of(elements)) * sizeof(int64_t) + (size_t)nplace * sizeof(tb_window_run) +
           3 * (size_t)elements * sizeof(int32_t);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void make_keys(const tb_window_ranks *w, int64_t *key, int32_t *room)
{
    if (tb_dtype_size(w->dtype) == 8) {
        tb__sort_loops()->keys_64(w->dtype, w->line, w->elements, false, key);
        return;
    }
    tb__sort_loops()->keys_32(w->dtype, w->line, w->elements, false, room);
    for (int64_t i = 0; i < w->elements; i++) key[i] = room[i];
}

static int width_of(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

/* Those that are equal in all bits above `shift`, each in an integer above its position, put in order by the others. */
static void sort_ties(const int64_t *key, uint64_t least, int shift, int below, int64_t *packed, int64_t n)
{
    const int64_t mask = ((int64_t)1 << below) - 1;
    const uint64_t low = ((uint64_t)1 << shift) - 1;
    for (int64_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && packed[end] >> below == packed[first] >> below;) end++;
        if (end == first + 1) continue;
        for (int64_t i = first; i < end; i++) {
            const int64_t position = packed[i] & mask;
            packed[i] = (int64_t)((((uint64_t)key[position] - least) & low) << below) | position;
        }
        tb__sort_loops()->sort_64(packed + first, end - first);
    }
}

/* Keys with their positions below them in one integer are sorted; those that have no room there are shifted. */
static void number_elements(const moving *m, int64_t *key, int64_t *packed)
{
    const int64_t n = m->w->elements;
    make_keys(m->w, key, m->number);
    int64_t least = key[0], most = key[0];
    for (int64_t i = 1; i < n; i++) {
        least = tb__min(least, key[i]);
        most = tb__max(most, key[i]);
    }
    const int below = width_of((uint64_t)n - 1), bits = width_of((uint64_t)most - (uint64_t)least);
    const int shift = tb__max(bits - (63 - below), 0);
    for (int64_t i = 0; i < n; i++) packed[i] = (int64_t)(((uint64_t)key[i] - (uint64_t)least) >> shift << below) | i;
    tb__sort_loops()->sort_64(packed, n);
    if (shift > 0) sort_ties(key, (uint64_t)least, shift, below, packed, n);
    for (int64_t k = 0; k < n; k++) {
        m->order[k] = (int32_t)(packed[k] & (((int64_t)1 << below) - 1));
        m->number[m->order[k]] = (int32_t)k;
    }
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static bool is_in(const moving *m, int64_t at)
{
    return at >= 0 && at < m->w->elements && (m->bits[at / 64] >> (at & 63) & 1);
}

/* The places as runs of such as are a step apart. */
static int64_t find_runs(const moving *m, int64_t step)
{
    const tb_window_ranks *w = m->w;
    int64_t nrun = 0;
    for (int64_t k = 0; k < w->nplace; k++) {
        if (is_in(m, w->at[k] - step)) continue;
        tb_window_run *r = &m->runs[nrun++];
        *r = (tb_window_run){w->at[k], 1};
        while (is_in(m, r->at + r->n * step)) r->n++;
    }
    return nrun;
}

/* The axis along which the least of a window changes at a step. */
static void choose_axis(moving *m)
{
    const tb_window_ranks *w = m->w;
    int64_t least = INT64_MAX;
    memset(m->bits, 0, (size_t)m->words * sizeof *m->bits);
    for (int64_t k = 0; k < w->nplace; k++) m->bits[w->at[k] / 64] |= (uint64_t)1 << (w->at[k] & 63);
    for (int d = w->ndim - 1; d >= 0; d--) {
        /* Windows at the first of each line are made of all their places. */
        const int64_t cost = find_runs(m, w->step[d]) + w->nplace / w->count[d];
        if (cost < least) {
            least = cost;
            m->axis = d;
        }
    }
    m->nrun = find_runs(m, w->step[m->axis]);
}

static void make_line(const moving *m, int64_t first)
{
    const tb_window_ranks *w = m->w;
    const int64_t item = (int64_t)tb_dtype_size(w->dtype), step = w->step[m->axis], n = w->count[m->axis];
    memset(m->bits, 0, (size_t)m->words * sizeof *m->bits);
    TB_OF_ISA(&tb__window_loops_)->ranked(m->number + first, m->nrun, m->runs, step, w->rank, m->bits, n, m->found);
    char *to = w->made + first * item;
    for (int64_t i = 0; i < n; i++, to += step * item) memcpy(to, w->line + m->order[m->found[i]] * item, (size_t)item);
}

static void make_lines(const moving *m, int d, int64_t first)
{
    const tb_window_ranks *w = m->w;
    if (d == w->ndim) make_line(m, first);
    else if (d == m->axis) make_lines(m, d + 1, first);
    else
        for (int64_t i = 0; i < w->count[d]; i++) make_lines(m, d + 1, first + i * w->step[d]);
}

void tb__cpu_window_ranks(const tb_window_ranks *w, char *room)
{
    int64_t *key = (int64_t *)(void *)room, *packed = key + w->elements;
    moving m = {.w = w, .words = words_of(w->elements)};
    m.bits = (uint64_t *)(void *)(packed + w->elements);
    m.runs = (tb_window_run *)(void *)(m.bits + m.words);
    m.number = (int32_t *)(void *)(m.runs + w->nplace);
    m.order = m.number + w->elements;
    m.found = m.order + w->elements;
    number_elements(&m, key, packed);
    choose_axis(&m);
    make_lines(&m, 0, 0);
}
