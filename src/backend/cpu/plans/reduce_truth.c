/* reduce_truth.c - reductions of truth values along rows of memory that their first elements decide: most rows are such
 * where any, all or the first true element is asked for, and sooner done than shared out among threads. */
#include <string.h>

#include "backend/cpu/plans/block.h"
#include "tables/loops.h"

enum { MOST_ROWS = 1 << 13, FIRST = 64 };

/* Where the first of n elements is that is true, or false; -1: none of the first ones is. */
static int64_t find_first(const char *x, int64_t n, int value)
{
    const uint64_t ones = 0x0101010101010101u;
    int64_t k = 0;
    for (; k + 8 <= n && k < FIRST; k += 8) {
        uint64_t word;
        memcpy(&word, x + k, sizeof word);
        const uint64_t found = value ? word : (word - ones) & ~word & ones << 7;
        if (found) return k + __builtin_ctzll(found) / 8;
    }
    for (; k < n && k < FIRST; k++)
        if ((x[k] != 0) == value) return k;
    return -1;
}

typedef struct row_at {
    int64_t place[TB_MAXDIM];
    const char *from;
    char *to;
} row_at;

static void next_row(const tb_plan *p, row_at *r)
{
    for (int d = p->ndim - 2; d >= 0; d--) {
        r->from += p->load[0].strides[d];
        r->to += p->store[0].strides[d];
        if (++r->place[d] < p->shape[d]) return;
        r->from -= r->place[d] * p->load[0].strides[d];
        r->to -= r->place[d] * p->store[0].strides[d];
        r->place[d] = 0;
    }
}

static bool suits(const tb_plan *p, int64_t rows)
{
    const int last = p->ndim - 1;
    if (last < 1 || p->nload != 1 || p->ninstr > 0 || p->store[0].value != 0 || p->nstore != 1) return false;
    return p->reduced == 1u << last && p->load[0].strides[last] == 1 && rows <= MOST_ROWS;
}

/* False: it is another reduction, or rows have to be looked at as a whole. */
bool tb__cpu_reduce_truth(const tb_plan *p)
{
    const tb_red_info *info = &tb_red_table[p->red];
    const int value = tb__red_absorbing(info);
    if (value < 0 || p->size == 0) return false;
    const int64_t n = p->shape[p->ndim - 1], rows = p->size / n;
    if (!suits(p, rows)) return false;
    row_at r = {.from = p->load[0].ptr, .to = p->store[0].ptr};
    for (int64_t k = 0; k < rows; k++, next_row(p, &r)) {
        const int64_t at = find_first(r.from, n, value);
        if (at < 0 && n > FIRST) return false;
        const int64_t index = at < 0 ? 0 : at;
        if (info->has_index) memcpy(r.to, &index, sizeof index);
        else *r.to = (char)(at < 0 ? !value : value);
    }
    return true;
}
