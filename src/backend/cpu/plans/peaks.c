/* peaks.c - where a vector has peaks, and which of them stay if those around them are too close. The shapes of peaks
 * are in peak_shapes.c. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { RUN = 64, PIECE = 1 << 16, FEW_PIECES = 64 };

/* ---- where they end ---------------------------------------------------------------------------------------------- */

/* How an element differs from the one before it, and from the one behind it. */
enum { RISES = 1, EQUAL = 2, FALLS = 4 };

/* What is true of elements of a run, a bit each. */
typedef struct run {
    uint64_t rises, equal, falls;
} run;

/* A bit of each of 8 bytes. */
static uint64_t bits_of(uint64_t bytes, int shift)
{
    return ((bytes >> shift & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

/* Of n elements from x on, which have neighbours. */
static run look_at(const double *x, int64_t n)
{
    uint8_t code[RUN] = {0};
    run of = {0, 0, 0};
    for (int64_t i = 0; i < n; i++)
        code[i] = (uint8_t)((x[i - 1] < x[i]) | (x[i - 1] == x[i]) << 1 | (x[i + 1] < x[i]) << 2);
    for (int i = 0; i < RUN; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, code + i, sizeof bytes);
        of.rises |= bits_of(bytes, 0) << i;
        of.equal |= bits_of(bytes, 1) << i;
        of.falls |= bits_of(bytes, 2) << i;
    }
    return of;
}

/* The first of the elements up to x[i] that are equal to it. */
static int64_t first_equal(const double *x, int64_t i)
{
    const double value = x[i];
    while (i > 0 && x[i - 1] == value) i--;
    return i;
}

/* Whether a plateau that began before element `from` is a peak that ends before `to`: then its last element. Nobody
 * else looks at all of it, however many pieces it has. */
static int64_t joined_end(const double *x, int64_t from, int64_t to)
{
    int64_t i = from;
    if (!(x[from - 1] == x[from])) return -1;
    while (i < to && x[i + 1] == x[i]) i++;
    if (i == to || !(x[i + 1] < x[i])) return -1;
    const int64_t first = first_equal(x, from);
    return first > 0 && x[first - 1] < x[first] ? i : -1;
}

/* An element has risen if it rises, or is equal to one that has: what an addition's carries come to, of numbers that
 * both have the bits that rise, and one of them those that are equal. */
static bool mark_piece(void *arg, int64_t task)
{
    const tb_peaks *p = arg;
    const int64_t begin = task * PIECE, from = tb__max(begin, 1), end = tb__min(begin + PIECE, p->n);
    const int64_t to = tb__min(end, p->n - 1);
    uint64_t carry = 0;
    for (int64_t at = begin; at < end; at += RUN) {
        const int64_t first = tb__max(at, 1), n = tb__min(at + RUN, to) - first;
        run of = n > 0 ? look_at(p->x + first, n) : (run){0, 0, 0};
        if (at == 0) of = (run){of.rises << 1, of.equal << 1, of.falls << 1};
        const uint64_t both = of.rises | of.equal, sum = both + of.rises + carry;
        const uint64_t risen = of.rises | (of.equal & (sum ^ both ^ of.rises));
        carry = risen >> 63;
        p->rises[at / RUN] = of.rises;
        p->ends[at / RUN] = risen & of.falls;
    }
    const int64_t last = from < to ? joined_end(p->x, from, to) : -1;
    if (last >= 0) p->ends[last / RUN] |= (uint64_t)1 << last % RUN;
    return true;
}

/* ---- where they are ---------------------------------------------------------------------------------------------- */

typedef struct listing {
    const tb_peaks *p;
    int64_t *before; /* how many ends there are before each piece */
} listing;

static int64_t count_ends(const tb_peaks *p, int64_t piece)
{
    int64_t count = 0;
    for (int64_t w = piece * PIECE / RUN; w < tb__ceil_div(tb__min((piece + 1) * PIECE, p->n), RUN); w++)
        count += __builtin_popcountll(p->ends[w]);
    return count;
}

static void put(const tb_peaks *p, int64_t k, int64_t left, int64_t right)
{
    p->at[k] = left + (right - left) / 2;
    if (!p->left) return;
    p->left[k] = left;
    p->right[k] = right;
}

static bool list_piece(void *arg, int64_t task)
{
    const listing *l = arg;
    const tb_peaks *p = l->p;
    int64_t k = l->before[task], risen = -1; /* the last element before the run that rises */
    for (int64_t at = task * PIECE; at < tb__min((task + 1) * PIECE, p->n); at += RUN) {
        const uint64_t rises = p->rises[at / RUN];
        for (uint64_t ends = p->ends[at / RUN]; ends; ends &= ends - 1) {
            const int bit = __builtin_ctzll(ends);
            const uint64_t before = rises & UINT64_MAX >> (63 - bit);
            int64_t left = before ? at + 63 - __builtin_clzll(before) : risen;
            if (left < 0) left = first_equal(p->x, at + bit);
            put(p, k++, left, at + bit);
        }
        if (rises) risen = at + 63 - __builtin_clzll(rises);
    }
    return true;
}

/* Counts the ends, and lists the peaks where there is room for them. */
static tb_status list(tb_peaks *p)
{
    int64_t few[FEW_PIECES], pieces = tb__ceil_div(p->n, PIECE);
    listing l = {p, few};
    if (pieces > FEW_PIECES) l.before = malloc((size_t)pieces * sizeof *l.before);
    if (!l.before) return tb__fail_memory((size_t)pieces * sizeof *l.before, 0, 0, 0);
    p->count = 0;
    for (int64_t i = 0; i < pieces; i++) {
        l.before[i] = p->count;
        p->count += count_ends(p, i);
    }
    const tb_status status = p->at && p->count > 0 ? tb__parallel(pieces, list_piece, &l) : TB_OK;
    if (l.before != few) free(l.before);
    return status;
}

/* ---- which of them stay ------------------------------------------------------------------------------------------ */

static tb_status thin(const tb_peaks *p)
{
    memset(p->flags, 1, (size_t)p->count);
    for (int64_t k = p->count - 1; k >= 0; k--) {
        const int64_t i = p->order[k], at = p->peak[i];
        if (!p->flags[i]) continue;
        for (int64_t j = i - 1; j >= 0 && at - p->peak[j] < p->reach; j--) p->flags[j] = 0;
        for (int64_t j = i + 1; j < p->count && p->peak[j] - at < p->reach; j++) p->flags[j] = 0;
    }
    return TB_OK;
}

tb_status tb__cpu_peaks(tb_peaks *p)
{
    switch (p->work) {
    case TB_PEAKS_MARK: return tb__parallel(tb__ceil_div(p->n, PIECE), mark_piece, p);
    case TB_PEAKS_LIST: return list(p);
    case TB_PEAKS_THIN: return thin(p);
    default: return tb__cpu_peak_shapes(p);
    }
}
