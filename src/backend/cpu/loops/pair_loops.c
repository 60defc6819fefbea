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

/* Where the distance of row i from row 0 of the tile is, from which others follow: of pairs once each, those of later
 * rows. */
static int64_t row_of_results(const tb_pair_task *t, int64_t i)
{
    return t->once ? i * (2 * t->columns - i - 1) / 2 - i - 1 + t->first : i * t->down + t->first * t->across;
}

static int64_t first_of_row(const tb_pair_task *t, int64_t i)
{
    return t->once && i >= t->first ? i - t->first + 1 : 0;
}

/* Sums that are computed at a time: what registers hold, and not so few that a compiler writes them out, which it makes
 * no vectors of. */
enum { LANES = TB_PAIRS_LANES };

/* Sums of lanes as one, by halves. */
#define FOLDED(join, s)                                               \
    for (int half = LANES / 2; half; half /= 2)                       \
        for (int l = 0; l < half; l++) (s)[l] = join((s)[l], (s)[l + half]);
#define PLUS(a, b) ((a) + (b))

/* The loops of a metric over numbers T: sums s of terms of x, y and d, their difference, others r where `two`, how sums
 * of parts are joined, and what is made of them. Numbers beyond the last row are not stored. */
#define LOOPS_OF(name, T, fabs_, two, term, other, join, end)                                         \
    static void name(const tb_pair_task *t)                                                           \
    {                                                                                                 \
        const int64_t n = t->n, across = t->once ? 1 : t->across;                                     \
        for (int64_t i = 0; i < t->rows; i++) {                                                       \
            const T *a = (const T *)t->a + i * n;                                                     \
            T *out = (T *)t->out + row_of_results(t, i);                                              \
            const int64_t begin = first_of_row(t, i);                                                 \
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
                    out[(lane + l) * across] = end;                                                   \
                }                                                                                     \
            }                                                                                         \
        }                                                                                             \
    }                                                                                                 \
    static double name##_line(const tb_pair_task *t, const void *first, const void *second)           \
    {                                                                                                 \
        const int64_t n = t->n;                                                                       \
        const T *a = first, *b = second;                                                              \
        T sum[LANES] = {0}, rest[two ? LANES : 1] = {0};                                              \
        for (int64_t e = 0; e < n; e += LANES, a += LANES, b += LANES) {                              \
            const int count = (int)tb__min(LANES, n - e);                                             \
            if (count == LANES) STEP(T, fabs_, two, LANES, term, other)                               \
            else STEP(T, fabs_, two, count, term, other)                                              \
        }                                                                                             \
        FOLDED(join, sum)                                                                    \
        if (two) FOLDED(PLUS, rest)                                                          \
        const T s = sum[0], r = rest[0];                                                              \
        (void)r;                                                                                      \
        return (double)(end);                                                                         \
    }
#define STEP(T, fabs_, two, count, term, other)                                                       \
    for (int l = 0; l < (count); l++) {                                                               \
        const T x = a[l], y = b[l], d = fabs_(x - y), s = sum[l], r = rest[two ? l : 0];              \
        (void)x, (void)y, (void)d, (void)r;                                                           \
        sum[l] = term;                                                                                \
        if (two) rest[two ? l : 0] = other;                                                           \
    }
#define LOOP(name, T, fabs_, term, join, end) LOOPS_OF(name, T, fabs_, 0, term, r, join, end)

/* One less s, of which rounding may make more than a cosine is. */
static inline double off(double s) { return s > 1 ? 0 : s < -1 ? 2 : 1 - s; }

/* Sums of products by the lengths of both rows, in double precision: what is nearly 1 is taken from 1. */
#define ANGLES(name, T)                                                                               \
    static void name(const tb_pair_task *t)                                                           \
    {                                                                                                 \
        const int64_t n = t->n, across = t->once ? 1 : t->across;                                     \
        const T *tile = t->tile;                                                                      \
        double size[TB_PAIRS_TILE] = {0};                                                             \
        for (int64_t e = 0; e < n; e++)                                                               \
            for (int l = 0; l < TB_PAIRS_TILE; l++) {                                                 \
                const double y = tile[e * TB_PAIRS_TILE + l];                                         \
                size[l] += y * y;                                                                     \
            }                                                                                         \
        for (int l = 0; l < TB_PAIRS_TILE; l++) size[l] = sqrt(size[l]);                              \
        for (int64_t i = 0; i < t->rows; i++) {                                                       \
            const T *a = (const T *)t->a + i * n, *b = tile;                                          \
            double sum[TB_PAIRS_TILE] = {0}, own = 0;                                                 \
            for (int64_t e = 0; e < n; e++, b += TB_PAIRS_TILE) {                                     \
                const double x = a[e];                                                                \
                own += x * x;                                                                         \
                for (int l = 0; l < TB_PAIRS_TILE; l++) sum[l] += x * b[l];                           \
            }                                                                                         \
            own = sqrt(own);                                                                          \
            T *out = (T *)t->out + row_of_results(t, i);                                              \
            for (int64_t l = first_of_row(t, i); l < t->count; l++)                                   \
                out[l * across] = (T)off(sum[l] / (own * size[l]));                                   \
        }                                                                                             \
    }                                                                                                 \
    static double name##_line(const tb_pair_task *t, const void *first, const void *second)           \
    {                                                                                                 \
        const T *a = first, *b = second;                                                              \
        double sum[LANES] = {0}, own[LANES] = {0}, size[LANES] = {0};                                 \
        for (int64_t e = 0; e < t->n; e += LANES, a += LANES, b += LANES) {                           \
            const int count = (int)tb__min(LANES, t->n - e);                                          \
            if (count == LANES) PRODUCTS(LANES)                                                       \
            else PRODUCTS(count)                                                                      \
        }                                                                                             \
        FOLDED(PLUS, sum)                                                                    \
        FOLDED(PLUS, own)                                                                    \
        FOLDED(PLUS, size)                                                                   \
        return off(sum[0] / (sqrt(own[0]) * sqrt(size[0])));                                          \
    }
#define PRODUCTS(count)                                                                               \
    for (int l = 0; l < (count); l++) {                                                               \
        const double x = a[l], y = b[l];                                                              \
        sum[l] += x * y;                                                                              \
        own[l] += x * x;                                                                              \
        size[l] += y * y;                                                                             \
    }

#define LOOPS(T, s_, f)                                                                               \
    LOOP(squares_##s_, T, fabs##f, s + d * d, PLUS, s)                                                \
    LOOP(roots_##s_, T, fabs##f, s + d * d, PLUS, sqrt##f(s))                                         \
    LOOP(sums_##s_, T, fabs##f, s + d, PLUS, s)                                                       \
    LOOP(largest_##s_, T, fabs##f, larger##f(d, s), larger##f, s)                                     \
    LOOP(powers_##s_, T, fabs##f, s + (T)pow((double)d, t->p), PLUS, (T)pow((double)s, 1 / t->p))     \
    LOOP(shares_##s_, T, fabs##f, s + (x != y ? 1 : 0), PLUS, (T)((double)s / (double)n))             \
    LOOP(quotients_##s_, T, fabs##f, s + (fabs##f(x) + fabs##f(y) == 0 ? 0 : d / (fabs##f(x) + fabs##f(y))), PLUS, s) \
    LOOPS_OF(parts_##s_, T, fabs##f, 1, s + d, r + fabs##f(x + y), PLUS, s / r)                       \
    ANGLES(angles_##s_, T)
LOOPS(double, f64, )
LOOPS(float, f32, f)

#define ROW(name) {{name##_f32, name##_f64}, {name##_f32_line, name##_f64_line}}
const tb_pair_loops TB_ISA_NAME(tb__pair_loops_, TB_ISA) = {{
    [TB_METRIC_SQEUCLIDEAN] = ROW(squares),
    [TB_METRIC_EUCLIDEAN] = ROW(roots),
    [TB_METRIC_CITYBLOCK] = ROW(sums),
    [TB_METRIC_CHEBYSHEV] = ROW(largest),
    [TB_METRIC_MINKOWSKI] = ROW(powers),
    [TB_METRIC_HAMMING] = ROW(shares),
    [TB_METRIC_CANBERRA] = ROW(quotients),
    [TB_METRIC_BRAYCURTIS] = ROW(parts),
    [TB_METRIC_COSINE] = ROW(angles),
}};
