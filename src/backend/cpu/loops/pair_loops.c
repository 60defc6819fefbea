/* pair_loops.c - see pair_loops.h. Elements of a tile's rows lie side by side, so that one of a row meets those of all
 * of them at once: with any instruction set the same numbers. */
#include "backend/cpu/loops/pair_loops.h"
#include "backend/cpu/loops/loops.h"
#include "base/arith.h"

#include <math.h>
#include <string.h>

/* The larger of two numbers without a sign, NaN if either is: the order of such numbers is that of their bits. */
static inline double larger(double a, double b)
{
    int64_t first, second;
    memcpy(&first, &a, sizeof a);
    memcpy(&second, &b, sizeof b);
    return first > second ? a : b;
}

static inline float largerf(float a, float b)
{
    int32_t first, second;
    memcpy(&first, &a, sizeof a);
    memcpy(&second, &b, sizeof b);
    return first > second ? a : b;
}

/* Where the distance of row i from row l of the tile is, but for l: of pairs once each, those of later rows. */
static int64_t row_of_results(const tb_pair_task *t, int64_t i)
{
    return (t->once ? i * (2 * t->columns - i - 1) / 2 - i - 1 : i * t->columns) + t->first;
}

/* Sums that are computed at a time: what registers hold, and not so few that a compiler writes them out, which it makes
 * no vectors of. */
enum { LANES = 32 };

/* A loop over rows of a, for numbers T and a metric: sums s of terms of x, y and d, their difference, others r where
 * `two`, and what is made of them. Numbers beyond the last row are not stored. */
#define LOOP_OF(name, T, fabs_, two, term, other, end)                                                \
    static void name(const tb_pair_task *t)                                                           \
    {                                                                                                 \
        const int64_t n = t->n;                                                                       \
        for (int64_t i = 0; i < t->rows; i++) {                                                       \
            const T *a = (const T *)t->a + i * n;                                                     \
            T *out = (T *)t->out + row_of_results(t, i);                                              \
            const int64_t begin = t->once && i >= t->first ? i - t->first + 1 : 0;                    \
            for (int64_t lane = begin / LANES * LANES; lane < t->count; lane += LANES) {              \
                const T *b = (const T *)t->tile + lane;                                               \
                T sum[LANES] = {0}, rest[two ? LANES : 1] = {0};                                      \
                for (int64_t e = 0; e < n; e++, b += TB_PAIRS_TILE)                                   \
                    for (int l = 0; l < LANES; l++) {                                                 \
                        const T x = a[e], y = b[l], d = fabs_(x - y), s = sum[l], r = rest[two ? l : 0]; \
                        (void)y, (void)d, (void)r;                                                    \
                        sum[l] = term;                                                                \
                        if (two) rest[two ? l : 0] = other;                                           \
                    }                                                                                 \
                for (int64_t l = tb__max(begin - lane, 0); l < tb__min(LANES, t->count - lane); l++) { \
                    const T s = sum[l], r = rest[two ? l : 0];                                        \
                    (void)r;                                                                          \
                    out[lane + l] = end;                                                              \
                }                                                                                     \
            }                                                                                         \
        }                                                                                             \
    }
#define LOOP(name, T, fabs_, term, end) LOOP_OF(name, T, fabs_, 0, term, r, end)

/* Sums of products by the lengths of both rows. */
#define ANGLES(name, T, sqrt_)                                                                        \
    static void name(const tb_pair_task *t)                                                           \
    {                                                                                                 \
        const int64_t n = t->n;                                                                       \
        const T *tile = t->tile;                                                                      \
        T size[TB_PAIRS_TILE] = {0};                                                                  \
        for (int64_t e = 0; e < n; e++)                                                               \
            for (int l = 0; l < TB_PAIRS_TILE; l++)                                                   \
                size[l] += tile[e * TB_PAIRS_TILE + l] * tile[e * TB_PAIRS_TILE + l];                 \
        for (int l = 0; l < TB_PAIRS_TILE; l++) size[l] = sqrt_(size[l]);                             \
        for (int64_t i = 0; i < t->rows; i++) {                                                       \
            const T *a = (const T *)t->a + i * n, *b = tile;                                          \
            T sum[TB_PAIRS_TILE] = {0}, own = 0;                                                      \
            for (int64_t e = 0; e < n; e++, b += TB_PAIRS_TILE) {                                     \
                own += a[e] * a[e];                                                                   \
                for (int l = 0; l < TB_PAIRS_TILE; l++) sum[l] += a[e] * b[l];                        \
            }                                                                                         \
            own = sqrt_(own);                                                                         \
            T *out = (T *)t->out + row_of_results(t, i);                                              \
            for (int64_t l = t->once && i >= t->first ? i - t->first + 1 : 0; l < t->count; l++) {    \
                const T s = sum[l] / (own * size[l]);                                                 \
                out[l] = s > 1 ? 0 : s < -1 ? 2 : 1 - s;                                              \
            }                                                                                         \
        }                                                                                             \
    }
#define LOOPS(T, s_, f)                                                                               \
    LOOP(squares_##s_, T, fabs##f, s + d * d, s)                                                      \
    LOOP(roots_##s_, T, fabs##f, s + d * d, sqrt##f(s))                                               \
    LOOP(sums_##s_, T, fabs##f, s + d, s)                                                             \
    LOOP(largest_##s_, T, fabs##f, larger##f(d, s), s)                                   \
    LOOP(powers_##s_, T, fabs##f, s + (T)pow((double)d, t->p), (T)pow((double)s, 1 / t->p))           \
    LOOP(shares_##s_, T, fabs##f, s + (x != y ? 1 : 0), (T)((double)s / (double)n))                   \
    LOOP(quotients_##s_, T, fabs##f, s + (fabs##f(x) + fabs##f(y) == 0 ? 0 : d / (fabs##f(x) + fabs##f(y))), s) \
    LOOP_OF(parts_##s_, T, fabs##f, 1, s + d, r + fabs##f(x + y), s / r)                              \
    ANGLES(angles_##s_, T, sqrt##f)
LOOPS(double, f64, )
LOOPS(float, f32, f)

const tb_pair_loops TB_ISA_NAME(tb__pair_loops_, TB_ISA) = {{
    [TB_METRIC_SQEUCLIDEAN] = {squares_f32, squares_f64},
    [TB_METRIC_EUCLIDEAN] = {roots_f32, roots_f64},
    [TB_METRIC_CITYBLOCK] = {sums_f32, sums_f64},
    [TB_METRIC_CHEBYSHEV] = {largest_f32, largest_f64},
    [TB_METRIC_MINKOWSKI] = {powers_f32, powers_f64},
    [TB_METRIC_HAMMING] = {shares_f32, shares_f64},
    [TB_METRIC_CANBERRA] = {quotients_f32, quotients_f64},
    [TB_METRIC_BRAYCURTIS] = {parts_f32, parts_f64},
    [TB_METRIC_COSINE] = {angles_f32, angles_f64},
}};
