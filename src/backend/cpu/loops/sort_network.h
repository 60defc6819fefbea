/* sort_network.h - sorting what fits sixteen vectors, in as few as it fits, and splitting in place, for sort_keys.h: by
 * a sorting network (Batcher's odd-even merge sort of the columns, then bitonic merges; K. E. Batcher, "Sorting
 * networks and their applications", 1968), and by compressing each vector's lanes to the two ends of a gap (B. Bramas,
 * "A novel hybrid quicksort algorithm vectorized using AVX-512", 2017). */
#include "backend/cpu/loops/sort_vector.h"

enum { NAME(FEW) = 16 * LANES };

/* ---- the network ------------------------------------------------------------------------------------------------ */

#define PARTNER(l, x) ((l) ^ (x))
#define ALTERNATE ((1u << LANES) - 1)
/* The lanes whose bit d is set. */
#define WITH_BIT(d) \
    (((d) == 1 ? 0xaaaau : (d) == 2 ? 0xccccu : (d) == 4 ? 0xf0f0u : 0xff00u) & ALTERNATE)

/* Loops of constant bounds and steps: compilers unroll these before they look at what is in registers. */

/* A step of Batcher's merge of 2 p vectors: those that are k apart meet. */
#define MEET(p, k)                                                                                   \
    UNROLL for (int i = 0; i + (k) < count; i++)                                                     \
    {                                                                                                \
        const bool apart = i / (2 * (p)) != (i + (k)) / (2 * (p)), first = i >= (k) % (p);           \
        if (count > (p) && !apart && first && (i - (k) % (p)) / (k) % 2 == 0) EXCHANGE(v[i], v[i + (k)]); \
    }
/* The elements of each lane in order; there are `count` vectors, a power of two. */
static inline __attribute__((always_inline)) void NAME(columns)(VEC *v, int count){
    MEET(1, 1) MEET(2, 2) MEET(2, 1) MEET(4, 4) MEET(4, 2) MEET(4, 1) MEET(8, 8) MEET(8, 4) MEET(8, 2) MEET(8, 1)}

#define HALF(d) \
    UNROLL for (int i = 0; i + (d) < count; i++) if (!(i & (d))) EXCHANGE(v[i], v[i + (d)]);
/* Each lane, whose elements are bitonic, in order. */
static inline __attribute__((always_inline)) void NAME(halves)(VEC *v, int count){HALF(8) HALF(4) HALF(2) HALF(1)}

/* Columns of d lanes in order become bitonic ones of 2 d lanes, halves apart: each element meets the one that is as far
 * from the end. */
#define CROSS(d)                                                                                                    \
    if (count == 1) v[0] = MAX_IN(WITH_BIT(d), v[0], SHUFFLE(v[0], v[0], PARTNER, 2 * d - 1));                      \
    UNROLL for (int i = 0; i < count / 2; i++)                                                                      \
    {                                                                                                               \
        const VEC a = v[i], b = v[count - 1 - i];                                                                   \
        const VEC across_a = SHUFFLE(b, b, PARTNER, 2 * d - 1), across_b = SHUFFLE(a, a, PARTNER, 2 * d - 1);       \
        v[i] = MAX_IN(WITH_BIT(d), a, across_a);                                                                    \
        v[count - 1 - i] = MAX_IN(WITH_BIT(d), b, across_b);                                                        \
    }
/* Lanes that are d apart meet. */
#define APART(d)                                              \
    UNROLL for (int i = 0; i < count; i++)                    \
    {                                                         \
        const VEC across = SHUFFLE(v[i], v[i], PARTNER, d);   \
        v[i] = MAX_IN(WITH_BIT(d), v[i], across);             \
    }
/* Squares of d lanes and d vectors change places. */
#define UPPER(l, d) ((l) & (d) ? LANES + ((l) ^ (d)) : (l))
#define LOWER(l, d) ((l) & (d) ? LANES + (l) : ((l) ^ (d)))
#define TURN(d)                                                        \
    UNROLL for (int i = 0; i < count; i++)                             \
    {                                                                  \
        if (count <= (d) || (i & (d))) continue;                       \
        const VEC a = v[i], b = v[i + (d)];                            \
        v[i] = SHUFFLE(a, b, UPPER, d);                                \
        v[i + (d)] = SHUFFLE(a, b, LOWER, d);                          \
    }

/* The columns one after the other, once squares have changed places. */
static inline __attribute__((always_inline)) void NAME(store_lanes)(KEY *x, VEC *v, int count)
{
    UNROLL for (int i = 0; i < count; i++)
    {
        if (count >= LANES) STORE(x + i % LANES * count + i / LANES * LANES, v[i]);
        else {
            KEY lane[LANES];
            STORE(lane, v[i]);
            UNROLL for (int at = 0; at < LANES; at += count)
                memcpy(x + (at + i) * count, lane + at, (size_t)count * sizeof *x);
        }
    }
}

static inline __attribute__((always_inline)) void NAME(sort_vectors)(KEY *x, int count)
{
    VEC v[16];
    UNROLL for (int i = 0; i < count; i++) v[i] = LOAD(x + i * LANES);
    NAME(columns)(v, count);
    CROSS(1)
    NAME(halves)(v, count);
    CROSS(2)
    APART(1)
    NAME(halves)(v, count);
#if LANES >= 8
    CROSS(4)
    APART(2)
    APART(1)
    NAME(halves)(v, count);
#endif
#if LANES >= 16
    CROSS(8)
    APART(4)
    APART(2)
    APART(1)
    NAME(halves)(v, count);
#endif
    TURN(1)
    TURN(2)
#if LANES >= 8
    TURN(4)
#endif
#if LANES >= 16
    TURN(8)
#endif
    NAME(store_lanes)(x, v, count);
}

#define SORT_VECTORS(count) \
    static __attribute__((noinline)) void NAME(sort_##count)(KEY *x) { NAME(sort_vectors)(x, count); }
SORT_VECTORS(1)
SORT_VECTORS(2)
SORT_VECTORS(4)
SORT_VECTORS(8)
SORT_VECTORS(16)

static void (*const NAME(sort_by_count)[])(KEY *) = {NAME(sort_1), NAME(sort_2), NAME(sort_4), NAME(sort_8),
                                                     NAME(sort_16)};

/* A call of memcpy takes longer. The last vector overlaps the one before. */
static inline __attribute__((always_inline)) void NAME(copy_few)(KEY *to, const KEY *from, int64_t n)
{
    if (n < LANES) {
        for (int64_t i = 0; i < n; i++) to[i] = from[i];
        return;
    }
    const VEC last = LOAD(from + n - LANES);
    for (int64_t i = 0; i + LANES <= n; i += LANES) STORE(to + i, LOAD(from + i));
    STORE(to + n - LANES, last);
}

static void NAME(sort_few)(KEY *x, int64_t n)
{
    KEY room[NAME(FEW) + LANES];
    if (n <= 4) {
        NAME(insert)(x, n);
        return;
    }
    const int vectors = (int)((n + LANES - 1) / LANES), step = vectors == 1 ? 0 : 32 - __builtin_clz(vectors - 1);
    const int64_t full = LANES << step;
    if (n == full) {
        NAME(sort_by_count)[step](x);
        return;
    }
    NAME(copy_few)(room, x, n);
    for (int64_t i = n; i < full; i += LANES) STORE(room + i, SET1(NAME(most)));
    NAME(sort_by_count)[step](room);
    NAME(copy_few)(x, room, n);
}

static bool NAME(in_order)(const KEY *x, int64_t n)
{
    int64_t i = 0;
    for (; i + LANES < n; i += LANES)
        if (LESS(LOAD(x + i + 1), LOAD(x + i))) return false;
    while (i + 1 < n && x[i] <= x[i + 1]) i++;
    return i + 1 >= n;
}

/* ---- splitting -------------------------------------------------------------------------------------------------- */

/* What is read at a time, so that loads are on their way before stores, whose places are known late; what is kept. */
enum { NAME(STEP) = 8 * LANES, NAME(KEPT) = (1 << 15) / sizeof(KEY) };

/* `count` vectors: lanes less than p to *lo, the others to where *hi ends. */
static inline __attribute__((always_inline)) void NAME(deal)(const KEY *from, int count, VEC p, KEY **lo, KEY **hi)
{
    VEC v[8];
    UNROLL for (int i = 0; i < count; i++) v[i] = LOAD(from + i * LANES);
    UNROLL for (int i = 0; i < count; i++)
    {
        const MASK m = LESS(v[i], p);
        PART(v[i], m, *lo, *hi);
        *lo += __builtin_popcount(m);
        *hi -= LANES - __builtin_popcount(m);
    }
}

/* How many are less than the pivot, which are at the front then. Read forwards, what is less never gets ahead of what
 * is read; the rest is kept back, until there is no more room for it. What that leaves is a gap, to which the back goes
 * until it is full, while the gap at the back grows; then the front goes there, and so on. */
static __attribute__((noinline)) int64_t NAME(part_at)(KEY *x, int64_t n, KEY pivot)
{
    enum { STEP = NAME(STEP) };
    KEY room[NAME(KEPT)], last[STEP], *const end = room + NAME(KEPT), *kept = end;
    KEY *lo = x, *hi = x + n, *from = x, *to = x + n;
    const VEC p = SET1(pivot);
    for (; to - from >= STEP && kept - room >= STEP; from += STEP) NAME(deal)(from, 8, p, &lo, &kept);
    while (to - from >= STEP) {
        while (to - from >= STEP && from - lo >= STEP) NAME(deal)(to -= STEP, 8, p, &lo, &hi);
        for (; to - from >= STEP && hi - to >= STEP; from += STEP) NAME(deal)(from, 8, p, &lo, &hi);
    }
    for (; hi == to && to - from >= LANES && kept - room >= LANES; from += LANES) NAME(deal)(from, 1, p, &lo, &kept);
    const int64_t left = to - from;
    memcpy(last, from, (size_t)left * sizeof *x);
    for (int64_t i = 0; i < left; i++) {
        const bool less = last[i] < pivot;
        *lo = hi[-1] = last[i];
        lo += less;
        hi -= !less;
    }
    memcpy(lo, kept, (size_t)(end - kept) * sizeof *x);
    return lo - x;
}

#if !FLOATS
/* ---- selecting -------------------------------------------------------------------------------------------------- */

static int64_t NAME(between)(const KEY *x, int64_t n, KEY least, KEY most, KEY *to, int64_t *less)
{
    const VEC low = SET1(least), high = SET1(most);
    int64_t i = 0, in = 0, below = 0;
    for (; i + LANES <= n; i += LANES) {
        const VEC v = LOAD(x + i);
        const unsigned under = LESS(v, low), m = ~(under | LESS(high, v)) & ALTERNATE;
        FRONT(to + in, v, m);
        in += __builtin_popcount(m);
        below += __builtin_popcount(under);
    }
    for (; i < n; i++) {
        to[in] = x[i];
        in += (x[i] >= least) & (x[i] <= most);
        below += x[i] < least;
    }
    *less = below;
    return in;
}

static int64_t NAME(places)(const KEY *x, int64_t n, KEY least, KEY most, int64_t first, int64_t *to)
{
    const VEC low = SET1(least), high = SET1(most);
    int64_t i = 0, in = 0;
    for (; i + LANES <= n; i += LANES) {
        const VEC v = LOAD(x + i);
        const unsigned m = ~(LESS(v, low) | LESS(high, v)) & ALTERNATE;
        UNROLL for (int l = 0; l < LANES; l += WIDE_LANES) in += put_places(to + in, first + i + l, m >> l);
    }
    for (; i < n; i++) {
        to[in] = first + i;
        in += (x[i] >= least) & (x[i] <= most);
    }
    return in;
}
#endif

#undef PARTNER
#undef ALTERNATE
#undef WITH_BIT
#undef MEET
#undef HALF
#undef CROSS
#undef APART
#undef UPPER
#undef LOWER
#undef TURN
#undef SORT_VECTORS
#undef VEC
#undef LOAD
#undef STORE
#undef LANES
#undef MASK
#undef ORDERS
#undef SET1
#undef ABOVE
#undef MIN
#undef MAX
#undef MAX_IN
#undef EXCHANGE
#undef AS
#undef LESS
#undef FRONT
#undef FRONT_ONLY
#undef PART
#undef SHUFFLE
