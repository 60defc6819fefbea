/* search_loops.c - binary search for a few values side by side, without branches: none of them waits for the memory
 * that another one reads, and vectors gather it. */
#include "backend/cpu/loops/search_loops.h"

#include <string.h>

#include "backend/cpu/loops/loops.h"

/* ---- what comes before what: NaN is last ------------------------------------------------------------------------ */

#define WHOLE(a, b)   ((a) < (b))
#define REAL(a, b)    (((a) < (b)) | (((b) != (b)) & ((a) == (a))))
#define COMPLEX(a, b) less_complex((a).part[0], (a).part[1], (b).part[0], (b).part[1])

typedef struct complex_f {
    float part[2];
} complex_f;
typedef struct complex_d {
    double part[2];
} complex_d;

/* By NumPy's order: what is NaN in them comes first. */
static bool less_complex(double a_re, double a_im, double b_re, double b_im)
{
    const bool a_whole = a_im == a_im, b_whole = b_im == b_im;
    if (a_re < b_re) return a_whole || !b_whole;
    if (a_re > b_re) return a_whole && !b_whole;
    if (a_re == b_re || (a_re != a_re && b_re != b_re)) return REAL(a_im, b_im);
    return b_re != b_re;
}

#define WHOLE_TOO(a, b)   (!WHOLE(b, a))
#define UP_TO(a, b)       ((a) <= (b))
#define COMPLEX_TOO(a, b) (!COMPLEX(b, a))

/* ---- loops ------------------------------------------------------------------------------------------------------ */

/* `place` is as wide as `type` where places fit: so are vectors of both. */
#define SEARCH_BY(name, type, place, before)                                                           \
    static void name(const void *in_order, int64_t n, const void *values, int few, int64_t *out)       \
    {                                                                                                  \
        const type *sorted = in_order, *value = values;                                                \
        place from[TB_SEARCH_FEW] = {0};                                                               \
        for (place left = (place)n, half; left > 1; left -= half) {                                    \
            half = left / 2;                                                                           \
            for (int k = 0; k < few; k++)                                                              \
                from[k] += half & -(place)(before(sorted[from[k] + half - 1], value[k]));              \
        }                                                                                              \
        for (int k = 0; k < few; k++) out[k] = from[k] + (int64_t)(before(sorted[from[k]], value[k])); \
    }
/* Among few elements, which the cache has: four at a time, whose places stay in registers. */
#define SEARCH_FEW(name, type, before)                                                             \
    static void name(const void *in_order, int64_t n, const void *values, int few, int64_t *out)   \
    {                                                                                              \
        const type *sorted = in_order, *value = values;                                            \
        int k = 0;                                                                                 \
        for (; k + 4 <= few; k += 4) {                                                             \
            const type *a = sorted, *b = sorted, *c = sorted, *d = sorted;                         \
            const type u = value[k], v = value[k + 1], w = value[k + 2], x = value[k + 3];         \
            for (int64_t left = n, half; left > 1; left -= half) {                                 \
                half = left / 2;                                                                   \
                STEP(a, u, before)                                                                 \
                STEP(b, v, before)                                                                 \
                STEP(c, w, before)                                                                 \
                STEP(d, x, before)                                                                 \
            }                                                                                      \
            out[k] = a - sorted + (int64_t)(before(*a, u));                                        \
            out[k + 1] = b - sorted + (int64_t)(before(*b, v));                                    \
            out[k + 2] = c - sorted + (int64_t)(before(*c, w));                                    \
            out[k + 3] = d - sorted + (int64_t)(before(*d, x));                                    \
        }                                                                                          \
        for (; k < few; k++) {                                                                     \
            const type *a = sorted, u = value[k];                                                  \
            for (int64_t left = n, half; left > 1; left -= half) {                                 \
                half = left / 2;                                                                   \
                STEP(a, u, before)                                                                 \
            }                                                                                      \
            out[k] = a - sorted + (int64_t)(before(*a, u));                                        \
        }                                                                                          \
    }
/* Which it will be is as good as random: compilers make this a move, no branch. */
#define STEP(at, x, before)                     \
    {                                           \
        const __typeof__(at) next = at + half;  \
        at = before(next[-1], x) ? next : at;   \
    }

/* Four at a time, all from the last one's place on, in the elements up to WINDOW - 1 from there. */
enum { WINDOW = 16 };
#define FOLLOW(name, type, before)                                                                           \
    static int name(const void *in_order, int64_t n, const void *values, int few, int64_t from, int64_t *out) \
    {                                                                                                        \
        const type *sorted = in_order, *value = values;                                                      \
        int k = 0;                                                                                           \
        for (; k + 4 <= few && n - from >= WINDOW; k += 4) {                                                 \
            const type *begin = sorted + from, *a = begin, *b = begin, *c = begin, *d = begin;               \
            const type u = value[k], v = value[k + 1], w = value[k + 2], x = value[k + 3], low = begin[-1];  \
            if (!(before(low, u) && before(low, v) && before(low, w) && before(low, x))) break;              \
            for (int half = WINDOW / 2; half > 0; half /= 2) {                                               \
                STEP(a, u, before)                                                                           \
                STEP(b, v, before)                                                                           \
                STEP(c, w, before)                                                                           \
                STEP(d, x, before)                                                                           \
            }                                                                                                \
            const type *const end = begin + WINDOW - 1;                                                      \
            if (a == end || b == end || c == end || d == end) break;                                         \
            out[k] = a - sorted;                                                                             \
            out[k + 1] = b - sorted;                                                                         \
            out[k + 2] = c - sorted;                                                                         \
            out[k + 3] = d - sorted;                                                                         \
            from = out[k + 3];                                                                               \
        }                                                                                                    \
        return k;                                                                                            \
    }

/* Among fewer still, against which all values are compared by vectors. Counts are as wide as `type`, for that. */
#define WIDE_AS(type)                                              \
    __typeof__(__builtin_choose_expr(                              \
        sizeof(type) == 8, (int64_t)0,                             \
        __builtin_choose_expr(sizeof(type) == 4, (int32_t)0,       \
                              __builtin_choose_expr(sizeof(type) == 2, (int16_t)0, (int8_t)0))))
#define SEARCH_ALL(name, type, before)                                               \
    static void name(const type *sorted, int64_t n, const type *value, int64_t *out) \
    {                                                                                \
        WIDE_AS(type) below[TB_SEARCH_FEW] = {0};                                    \
        for (int64_t i = 0; i < n; i++) {                                            \
            const type x = sorted[i];                                                \
            for (int k = 0; k < TB_SEARCH_FEW; k++) below[k] += before(x, value[k]); \
        }                                                                            \
        for (int k = 0; k < TB_SEARCH_FEW; k++) out[k] = below[k];                   \
    }

/* Bytes that are few; elements, and narrow ones: of up to 4 bytes, and no more than counts of a byte hold. */
enum { CACHED = 1 << 14, COMPARED = 32, NARROW = 64 };

#define SEARCH(name, type, before)                                                                   \
    SEARCH_FEW(name##_few, type, before)                                                             \
    SEARCH_ALL(name##_all, type, before)                                                             \
    SEARCH_BY(name##_near, type, int32_t, before)                                                    \
    SEARCH_BY(name##_far, type, int64_t, before)                                                     \
    static void name(const void *sorted, int64_t n, const void *values, int few, int64_t *out)       \
    {                                                                                                \
        const int64_t compared = sizeof(type) <= 4 ? NARROW : COMPARED;                              \
        if (n <= compared && few == TB_SEARCH_FEW) name##_all(sorted, n, values, out);               \
        else if (n * (int64_t)sizeof(type) <= CACHED) name##_few(sorted, n, values, few, out);       \
        else (sizeof(type) <= 4 && n <= INT32_MAX ? name##_near : name##_far)(sorted, n, values, few, out); \
    }
#define BOTH(name, type, order)                                          \
    SEARCH(name##_left, type, order) SEARCH(name##_right, type, order##_TOO) \
    FOLLOW(name##_follow_left, type, order) FOLLOW(name##_follow_right, type, order##_TOO)

/* Comparisons with NaN are false: so what is sorted ends before it, and values that are NaN have to be put right. */
#define REALS(name, type)                                                                                   \
    SEARCH(name##_left_numbers, type, WHOLE)                                                                \
    SEARCH(name##_right_numbers, type, UP_TO)                                                               \
    FOLLOW(name##_follow_left, type, WHOLE)                                                                 \
    FOLLOW(name##_follow_right, type, UP_TO)                                                                \
    static int64_t name##_first_nan(const type *sorted, int64_t n)                                          \
    {                                                                                                       \
        int64_t from = 0;                                                                                   \
        while (from < n) {                                                                                  \
            const int64_t middle = from + (n - from) / 2;                                                   \
            if (sorted[middle] == sorted[middle]) from = middle + 1;                                        \
            else n = middle;                                                                                \
        }                                                                                                   \
        return from;                                                                                        \
    }                                                                                                       \
    static void name##_left(const void *sorted, int64_t n, const void *values, int few, int64_t *out)       \
    {                                                                                                       \
        const type *value = values;                                                                         \
        name##_left_numbers(sorted, n, values, few, out);                                                   \
        for (int k = 0; k < few; k++)                                                                       \
            if (value[k] != value[k]) out[k] = name##_first_nan(sorted, n);                                 \
    }                                                                                                       \
    static void name##_right(const void *sorted, int64_t n, const void *values, int few, int64_t *out)      \
    {                                                                                                       \
        const type *value = values;                                                                         \
        name##_right_numbers(sorted, n, values, few, out);                                                  \
        for (int k = 0; k < few; k++)                                                                       \
            if (value[k] != value[k]) out[k] = n;                                                           \
    }

BOTH(i8, int8_t, WHOLE)
BOTH(u8, uint8_t, WHOLE)
BOTH(i16, int16_t, WHOLE)
BOTH(u16, uint16_t, WHOLE)
BOTH(i32, int32_t, WHOLE)
BOTH(i64, int64_t, WHOLE)
BOTH(u32, uint32_t, WHOLE)
BOTH(u64, uint64_t, WHOLE)
REALS(f32, float)
REALS(f64, double)
BOTH(c64, complex_f, COMPLEX)
BOTH(c128, complex_d, COMPLEX)

/* ---- between points --------------------------------------------------------------------------------------------- */

/* Numbers of two neighbours, which lie side by side: read so, they cost less than gathering them. */
typedef struct neighbours {
    double here, next;
} neighbours;

static void between(const double *xp, const double *fp, int64_t n, const double *x, const int64_t *place, int few,
                    double left, double right, double *out)
{
    const double first = xp[0], last = xp[n - 1];
    neighbours xs[TB_SEARCH_FEW], fs[TB_SEARCH_FEW];
    for (int k = 0; k < few; k++) {
        const int64_t at = place[k] > n - 1 ? n - 2 : place[k] > 0 ? place[k] - 1 : 0;
        memcpy(&xs[k], xp + at, sizeof *xs);
        memcpy(&fs[k], fp + at, sizeof *fs);
    }
    for (int k = 0; k < few; k++) {
        const double v = x[k], x0 = xs[k].here, x1 = xs[k].next, f0 = fs[k].here, f1 = fs[k].next;
        const double slope = (f1 - f0) / (x1 - x0);
        double y = slope * (v - x0) + f0;
        /* Between infinities, from the other end; where both say nothing, points of equal height do. */
        const double other = slope * (v - x1) + f1;
        y = y == y ? y : other;
        y = y == y || f0 != f1 ? y : f0;
        y = v == x1 ? f1 : v == x0 ? f0 : y; /* both where the last points are at one place */
        y = v < first ? left : v > last ? right : y;
        out[k] = v == v ? y : v;
    }
}

/* ---- between edges ---------------------------------------------------------------------------------------------- */

#define BUCKETS(type, bits)                                                                            \
    static void bucket_##bits(const type *x, int64_t n, const tb_buckets *t, int32_t *out)             \
    {                                                                                                  \
        const type first = (type)t->first, scale = (type)t->scale, most = (type)(t->n - 1);            \
        for (int64_t i = 0; i < n; i++) {                                                              \
            type place = (x[i] - first) * scale;                                                       \
            place = place > 0 ? place : 0; /* NaN too */                                               \
            out[i] = (int32_t)(place < most ? place : most);                                           \
        }                                                                                              \
    }                                                                                                  \
    static bool buckets_##bits(const type *x, int64_t n, const tb_buckets *t, int32_t *out)            \
    {                                                                                                  \
        const type *edge = t->edge, first = (type)t->first, last = (type)t->last;                      \
        const int32_t *before = t->before;                                                             \
        int32_t inside = 0;                                                                            \
        for (int64_t i = 0; i < n; i++) inside += (x[i] >= first) & (x[i] <= last);                    \
        if (inside == 0) return false;                                                                 \
        bucket_##bits(x, n, t, out);                                                                   \
        for (int64_t i = 0; i < n; i++) out[i] = before[out[i]];                                       \
        for (int k = 0; k < t->together; k++)                                                          \
            for (int64_t i = 0; i < n; i++) out[i] += edge[out[i]] <= x[i];                            \
        return true;                                                                                   \
    }

BUCKETS(float, 32)
BUCKETS(double, 64)

#define TABLE(side)                                                                                               \
    {[TB_BOOL] = u8_##side, [TB_I8] = i8_##side, [TB_U8] = u8_##side, [TB_I16] = i16_##side, [TB_U16] = u16_##side, \
     [TB_I32] = i32_##side, [TB_I64] = i64_##side, [TB_U32] = u32_##side,  [TB_U64] = u64_##side,                 \
     [TB_F32] = f32_##side, [TB_F64] = f64_##side, [TB_C64] = c64_##side, [TB_C128] = c128_##side}

extern const tb_search_loops TB_ISA_NAME(tb__search_loops_, TB_ISA);
const tb_search_loops TB_ISA_NAME(tb__search_loops_, TB_ISA) = {TABLE(left),         TABLE(right), TABLE(follow_left),
                                                                TABLE(follow_right), between,      bucket_32,
                                                                bucket_64,           buckets_32,   buckets_64};
