/* reduce_truth.c - reductions of truth values along rows of memory that their first elements decide: most rows are such
 * where any, all or the first true element is asked for, and sooner done than shared out among threads. */
#include <string.h>

#include "backend/cpu/plans/block.h"
#include "backend/cpu/plans/rows.h"
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

static bool suits(const tb_plan *p, int64_t rows)
{
    const int last = p->ndim - 1;
    if (p->nload != 1 || p->ninstr > 0 || p->store[0].value != 0 || p->nstore != 1) return false;
    return p->reduced == 1u << last && p->load[0].strides[last] == 1 && rows <= MOST_ROWS;
}

/* False: the row has to be looked at as a whole. */
static bool decide(const tb_red_info *info, int value, const char *row, int64_t n, char *to)
{
    const int64_t at = find_first(row, n, value), index = at < 0 ? 0 : at;
    if (at < 0 && n > FIRST) return false;
    if (info->has_index) memcpy(to, &index, sizeof index);
    else *to = (char)(at < 0 ? !value : value);
    return true;
}

/* False: it is another reduction, or rows have to be looked at as a whole. */
bool tb__cpu_reduce_truth(const tb_plan *p)
{
    const tb_red_info *info = &tb_red_table[p->red];
    const int value = tb__red_absorbing(info), d = p->ndim - 2;
    if (value < 0 || d < 0 || p->size == 0) return false;
    const int64_t n = p->shape[p->ndim - 1], rows = p->size / n;
    if (!suits(p, rows)) return false;
    const int64_t step = p->load[0].strides[d], to_step = p->store[0].strides[d], some = p->shape[d];
    tb_rows r = {.plan = p};
    tb__rows_add(&r, p->load[0].ptr, p->load[0].strides);
    tb__rows_add(&r, p->store[0].ptr, p->store[0].strides);
    for (int64_t k = 0; k < rows; k += some, tb__rows_skip(&r, some))
        for (int64_t i = 0; i < some; i++)
            if (!decide(info, value, r.at[0] + i * step, n, r.at[1] + i * to_step)) return false;
    return true;
}
