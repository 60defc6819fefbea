/* insertion_order.c - rounds, and within each the order in which a Hilbert curve passes points. */
#include "ops/geometry/insertion_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/error.h"
#include "kernels/types.h"

#include "kernels/tree.h"

enum { ROUNDS = 16, SMALLEST_ROUND = 64, MOST_BITS = 16, FEW = 8, DIGIT = 8 };

/* ---- along a curve ----------------------------------------------------------------------------------------------- */

/* A point's cell along the curve above its number. */
static int32_t number_of(uint64_t item) { return (int32_t)(uint32_t)item; }
static uint32_t cell_of(uint64_t item) { return (uint32_t)(item >> 32); }

/* By `bits` bits of the cell, from the least digit on. What is sorted is in *items then. */
static void sort_cells(int64_t n, int bits, uint64_t **items, uint64_t **other)
{
    for (int shift = 32; shift < 32 + bits; shift += DIGIT) {
        int64_t start[(1 << DIGIT) + 1] = {0};
        const uint64_t *from = *items;
        uint64_t *to = *other;
        for (int64_t i = 0; i < n; i++) start[(from[i] >> shift & ((1 << DIGIT) - 1)) + 1]++;
        for (int d = 0; d < 1 << DIGIT; d++) start[d + 1] += start[d];
        for (int64_t i = 0; i < n; i++) to[start[from[i] >> shift & ((1 << DIGIT) - 1)]++] = from[i];
        *other = *items;
        *items = to;
    }
}

typedef struct box {
    tb_point low;
    double width; /* of a square */
} box;

static box box_of(int64_t n, const int32_t *order, const tb_point *at)
{
    tb_point low = at[order[0]], high = low;
    for (int64_t i = 1; i < n; i++) {
        const tb_point p = at[order[i]];
        low.x = p.x < low.x ? p.x : low.x;
        low.y = p.y < low.y ? p.y : low.y;
        high.x = p.x > high.x ? p.x : high.x;
        high.y = p.y > high.y ? p.y : high.y;
    }
    return (box){low, fmax(high.x - low.x, high.y - low.y)};
}

/* Puts n numbers in the order of their cells; those of a cell with many, as far apart ones leave them, in that of cells
 * within it. items, other: of n elements. */
static void follow_curve(int64_t n, int32_t *order, const tb_point *at, uint64_t *items, uint64_t *other)
{
    const box b = box_of(n, order, at);
    if (!(b.width > 0)) return;
    int bits = 2;
    while (bits < MOST_BITS && (int64_t)1 << 2 * bits < 4 * n) bits++;
    const uint32_t last = (1u << bits) - 1;
    const double each = (double)(last + 1) / b.width;
    for (int64_t i = 0; i < n; i++) {
        const tb_point p = at[order[i]];
        uint32_t cell[] = {(uint32_t)((p.x - b.low.x) * each), (uint32_t)((p.y - b.low.y) * each)};
        cell[0] = cell[0] < last ? cell[0] : last;
        cell[1] = cell[1] < last ? cell[1] : last;
        items[i] = tb_tree_curve(cell, 2, bits) << 32 | (uint32_t)order[i];
    }
    uint64_t *sorted = items, *rest = other;
    sort_cells(n, 2 * bits, &sorted, &rest);
    for (int64_t i = 0; i < n; i++) order[i] = number_of(sorted[i]);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && cell_of(sorted[end]) == cell_of(sorted[begin]);) end++;
        if (end - begin > FEW) follow_curve(end - begin, order + begin, at, items + begin, other + begin);
    }
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* The round of a point, from the last on: each of a quarter of the points that are in none after it. */
static int round_of(int64_t i, int rounds)
{
    uint64_t h = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u; /* SplitMix64's, which tells neighbours apart */
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    const int quarters = __builtin_ctzll(h | (uint64_t)1 << 62) / 2;
    return quarters < rounds ? quarters : rounds - 1;
}

tb_status tb__insertion_order(int64_t n, const tb_point *at, int32_t *order)
{
    int64_t start[ROUNDS + 1] = {0};
    int rounds = 1;
    while (rounds < ROUNDS && n >> 2 * rounds >= SMALLEST_ROUND) rounds++;
    uint64_t *items = malloc(2 * (size_t)tb__max(n, 1) * sizeof *items);
    if (!items) return tb__fail_memory(2 * (size_t)n * sizeof *items, 0, 0, 0);
    for (int64_t i = 0; i < n; i++) start[rounds - round_of(i, rounds)]++;
    for (int r = 0; r < rounds; r++) start[r + 1] += start[r];
    int64_t next[ROUNDS];
    memcpy(next, start, sizeof next);
    for (int64_t i = 0; i < n; i++) order[next[rounds - 1 - round_of(i, rounds)]++] = (int32_t)i;
    for (int r = 0; r < rounds; r++)
        if (start[r + 1] > start[r]) follow_curve(start[r + 1] - start[r], order + start[r], at, items, items + n);
    free(items);
    return TB_OK;
}
