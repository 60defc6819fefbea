/* sort_keys.h - quicksort of KEY, included with KEY, BITS, FLOATS and NAME(x) for each width, of integers and of floats
 * that are plain (sort_loops.h). Where there are vectors, parts are split and short ones sorted by them
 * (sort_network.h). */

#if FLOATS
static const KEY NAME(most) = (KEY)__builtin_inf();

/* The next one above, of which there is one. */
static KEY NAME(above)(KEY x) { return BITS == 32 ? (KEY)nextafterf((float)x, INFINITY) : (KEY)nextafter(x, INFINITY); }
#else
static const KEY NAME(most) = (KEY)((1ull << (BITS - 1)) - 1);

static KEY NAME(above)(KEY x) { return x + 1; }
#endif

/* Few enough to be in order one by one. */
static void NAME(insert)(KEY *x, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const KEY key = x[i];
        int64_t k = i;
        for (; k > 0 && x[k - 1] > key; k--) x[k] = x[k - 1];
        x[k] = key;
    }
}

#ifdef __AVX2__
#include "backend/cpu/loops/sort_network.h"
#else
enum { NAME(FEW) = 32 };

static void NAME(sort_few)(KEY *x, int64_t n) { NAME(insert)(x, n); }

static bool NAME(in_order)(const KEY *x, int64_t n)
{
    int64_t i = 0;
    while (i + 1 < n && x[i] <= x[i + 1]) i++;
    return i + 1 >= n;
}

/* How many are less than the pivot, which are at the front then. Which is as good as random: nothing branches on it. */
static int64_t NAME(part_at)(KEY *x, int64_t n, KEY pivot)
{
    int64_t less = 0;
    for (int64_t i = 0; i < n; i++) {
        const KEY key = x[i];
        x[i] = x[less];
        x[less] = key;
        less += key < pivot;
    }
    return less;
}

#if !FLOATS
static int64_t NAME(between)(const KEY *x, int64_t n, KEY least, KEY most, KEY *to, int64_t *less)
{
    int64_t in = 0, below = 0;
    for (int64_t i = 0; i < n; i++) {
        to[in] = x[i];
        in += (x[i] >= least) & (x[i] <= most);
        below += x[i] < least;
    }
    *less = below;
    return in;
}

static int64_t NAME(places)(const KEY *x, int64_t n, KEY least, KEY most, int64_t first, int64_t *to)
{
    int64_t in = 0;
    for (int64_t i = 0; i < n; i++) {
        to[in] = first + i;
        in += (x[i] >= least) & (x[i] <= most);
    }
    return in;
}
#endif
#endif

static KEY NAME(middle)(KEY a, KEY b, KEY c)
{
    const KEY low = a < b ? a : b, high = a < b ? b : a, second = high < c ? high : c;
    return low < second ? second : low;
}

/* The middle one of some that are spread over all (of nine that of three middle ones); the same for the same keys,
 * wherever they are. */
static KEY NAME(pivot)(const KEY *x, int64_t n)
{
    KEY some[NAME(FEW)];
    const int count = n > 1 << 16 ? NAME(FEW) - 1 : n > 4096 ? 31 : 9;
    uint64_t middle = 0;
    memcpy(&middle, x + n / 2, sizeof *x);
    uint64_t at = (uint64_t)n * 0x9e3779b97f4a7c15 ^ middle;
    for (int i = 0; i < count; i++) {
        at = at * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
        some[i] = x[(uint64_t)(((unsigned __int128)at * (uint64_t)n) >> 64)];
    }
    if (count == 9)
        return NAME(middle)(NAME(middle)(some[0], some[1], some[2]), NAME(middle)(some[3], some[4], some[5]),
                            NAME(middle)(some[6], some[7], some[8]));
    NAME(sort_few)(some, count);
    return some[count / 2];
}

static int64_t NAME(split)(KEY *x, int64_t n, bool *same)
{
    const KEY pivot = NAME(pivot)(x, n);
    const int64_t less = NAME(part_at)(x, n, pivot);
    *same = less == 0;
    if (less > 0) return less;
    return pivot == NAME(most) ? n : NAME(part_at)(x, n, NAME(above)(pivot));
}

/* ---- when splits are bad ---------------------------------------------------------------------------------------- */

static void NAME(sink)(KEY *x, int64_t i, int64_t n)
{
    const KEY key = x[i];
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && x[child] < x[child + 1];
        if (x[child] <= key) break;
        x[i] = x[child];
    }
    x[i] = key;
}

static void NAME(heapsort)(KEY *x, int64_t n)
{
    for (int64_t i = n / 2; i-- > 0;) NAME(sink)(x, i, n);
    for (int64_t i = n; i-- > 1;) {
        const KEY key = x[0];
        x[0] = x[i];
        x[i] = key;
        NAME(sink)(x, 0, i);
    }
}

static void NAME(quicksort)(KEY *x, int64_t n, int splits)
{
    for (; n > NAME(FEW); splits--) {
        bool same;
        if (splits == 0) {
            NAME(heapsort)(x, n);
            return;
        }
        const int64_t less = NAME(split)(x, n, &same);
        if (same || less < n - less) {
            if (!same) NAME(quicksort)(x, less, splits - 1);
            x += less;
            n -= less;
        } else {
            NAME(quicksort)(x + less, n - less, splits - 1);
            n = less;
        }
    }
    NAME(sort_few)(x, n);
}

static void NAME(sort)(KEY *x, int64_t n)
{
    if (!NAME(in_order)(x, n)) NAME(quicksort)(x, n, 2 * (64 - __builtin_clzll((uint64_t)n | 1)));
}

#if !FLOATS
/* ---- some positions only ---------------------------------------------------------------------------------------- */

/* The wanted ones among positions at to at + n: parts that hold none of them stay as they are. */
static void NAME(select_some)(KEY *x, int64_t n, int64_t at, const int64_t *kth, int64_t nkth, int splits)
{
    for (; n > NAME(FEW) && nkth > 0; splits--) {
        bool same;
        if (splits == 0) {
            NAME(heapsort)(x, n);
            return;
        }
        const int64_t less = NAME(split)(x, n, &same);
        int64_t first = 0;
        while (first < nkth && kth[first] < at + less) first++;
        if (first == nkth && !same) {
            n = less;
            continue;
        }
        if (!same) NAME(select_some)(x, less, at, kth, first, splits - 1);
        x += less;
        n -= less;
        at += less;
        kth += first;
        nkth -= first;
    }
    if (nkth > 0) NAME(sort_few)(x, n);
}

static void NAME(select)(KEY *x, int64_t n, const int64_t *kth, int64_t nkth)
{
    NAME(select_some)(x, n, 0, kth, nkth, 2 * (64 - __builtin_clzll((uint64_t)n | 1)));
}

static int64_t NAME(less)(const KEY *x, int64_t n, KEY pivot)
{
    int64_t total = 0;
    for (int64_t from = 0; from < n; from += 1 << 15) {
        const int64_t to = n - from < 1 << 15 ? n : from + (1 << 15);
        KEY some = 0; /* as wide as what is compared: so are vectors of them */
        for (int64_t i = from; i < to; i++) some += x[i] < pivot;
        total += some;
    }
    return total;
}

/* ---- few values -------------------------------------------------------------------------------------------------- */

static int64_t NAME(count)(const KEY *x, int64_t n, const KEY *value, int nvalue, int64_t *count)
{
    int64_t total = 0;
    for (int k = 0; k < nvalue; k++) {
        const KEY v = value[k];
        KEY some = 0;
        for (int64_t i = 0; i < n; i++) some += x[i] == v;
        count[k] += some;
        total += some;
    }
    return total;
}

static void NAME(which)(const KEY *x, int64_t n, const KEY *value, int nvalue, uint8_t *which)
{
    KEY below[512];
    for (int64_t i = 0; i < n; i++) below[i] = 0;
    for (int k = 1; k < nvalue; k++) {
        const KEY v = value[k];
        for (int64_t i = 0; i < n; i++) below[i] += x[i] >= v;
    }
    for (int64_t i = 0; i < n; i++) which[i] = (uint8_t)below[i];
}
#endif

#undef KEY
#undef BITS
#undef FLOATS
#undef NAME
