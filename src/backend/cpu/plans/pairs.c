/* pairs.c - distances of pairs of rows. A task makes those from some rows of b, which it lays out side by side, so that
 * one element of a row of a meets those of all of them at once. Each distance is summed up in the order of the
 * elements, whatever the tasks are. */
#include <math.h>

#include "backend/cpu/plans/plans.h"
#include "base/arith.h"
#include "base/threads.h"

enum { TILE = 64 }; /* enough for vectors; not so few that a compiler writes a tile out, which it then makes none of */

/* Where the distance of row i from row j is, but for j: of pairs once each, those of i and later rows. */
static int64_t row_of_results(const tb_pairs *p, int64_t i)
{
    return p->once ? i * (2 * p->m - i - 1) / 2 - i - 1 : i * p->k;
}

/* A loop over rows of a, for numbers T and a metric: sums s of terms of x, y and d, their difference, and what is made
 * of a sum. Numbers beyond the last row are not stored. */
#define LOOP(name, T, fabs_, term, end)                                                               \
    static void name(const tb_pairs *p, const void *panel, int64_t first)                             \
    {                                                                                                 \
        const int64_t n = p->n, count = tb__min(TILE, p->k - first);                                  \
        const int64_t rows = p->once ? first + count - 1 : p->m;                                      \
        for (int64_t i = 0; i < rows; i++) {                                                          \
            const T *a = (const T *)p->a + i * n, *b = panel;                                         \
            T sum[TILE] = {0};                                                                        \
            for (int64_t e = 0; e < n; e++, b += TILE)                                                \
                for (int l = 0; l < TILE; l++) {                                                      \
                    const T x = a[e], y = b[l], d = fabs_(x - y), s = sum[l];                         \
                    (void)y, (void)d;                                                                  \
                    sum[l] = term;                                                                    \
                }                                                                                     \
            T *out = (T *)p->out + row_of_results(p, i) + first;                                      \
            for (int64_t l = p->once && i >= first ? i - first + 1 : 0; l < count; l++) {             \
                const T s = sum[l];                                                                   \
                out[l] = end;                                                                         \
            }                                                                                         \
        }                                                                                             \
    }
#define LOOPS(T, s_, f)                                                                               \
    LOOP(squares_##s_, T, fabs##f, s + d * d, s)                                                      \
    LOOP(roots_##s_, T, fabs##f, s + d * d, sqrt##f(s))                                               \
    LOOP(sums_##s_, T, fabs##f, s + d, s)                                                             \
    LOOP(largest_##s_, T, fabs##f, ((d > s) | (d != d)) ? d : s, s)                                        \
    LOOP(powers_##s_, T, fabs##f, s + (T)pow((double)d, p->p), (T)pow((double)s, 1 / p->p))           \
    LOOP(shares_##s_, T, fabs##f, s + (x != y ? 1 : 0), (T)((double)s / (double)n))                   \
    LOOP(quotients_##s_, T, fabs##f, s + (fabs##f(x) + fabs##f(y) == 0 ? 0 : d / (fabs##f(x) + fabs##f(y))), s)
LOOPS(double, f64, )
LOOPS(float, f32, f)

typedef void pairs_loop(const tb_pairs *p, const void *panel, int64_t first);

static pairs_loop *const loops[][2] = {
    [TB_METRIC_SQEUCLIDEAN] = {squares_f32, squares_f64},  [TB_METRIC_EUCLIDEAN] = {roots_f32, roots_f64},
    [TB_METRIC_CITYBLOCK] = {sums_f32, sums_f64},          [TB_METRIC_CHEBYSHEV] = {largest_f32, largest_f64},
    [TB_METRIC_MINKOWSKI] = {powers_f32, powers_f64},      [TB_METRIC_HAMMING] = {shares_f32, shares_f64},
    [TB_METRIC_CANBERRA] = {quotients_f32, quotients_f64},
};

static bool some_rows(void *arg, int64_t task)
{
    const tb_pairs *p = arg;
    const int64_t first = task * TILE, n = p->n, last = p->k - 1;
    const bool wide = p->dtype == TB_F64;
    void *panel = tb__scratch((size_t)tb__max(n, 1) * TILE * (wide ? 8 : 4));
    if (!panel) return false;
    for (int l = 0; l < TILE; l++) { /* the last row for those that are not there */
        const int64_t from = tb__min(first + l, last) * n;
        for (int64_t e = 0; e < n; e++) {
            if (wide) ((double *)panel)[e * TILE + l] = ((const double *)p->b)[from + e];
            else ((float *)panel)[e * TILE + l] = ((const float *)p->b)[from + e];
        }
    }
    loops[p->metric][wide](p, panel, first);
    return true;
}

tb_status tb__cpu_pairs(const tb_pairs *p)
{
    tb_pairs some = *p;
    return tb__parallel(tb__ceil_div(p->k, TILE), some_rows, &some);
}
