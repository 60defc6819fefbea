/* sort_short.c - short rows: the keys of a stretch of them are made at once, and each row is sorted in the cache. Where
 * some positions are wanted all are found, which takes less time than to look for those. */
#include "backend/cpu/plans/sort.h"

#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "base/half.h"

/* Elements of a row: more bytes, or values of one, are worth counting; of so many a few are found by splitting. */
enum { SHORT = 1 << 12, SHORT_OF_BYTES = 1 << 9, SHORT_TO_SELECT = 1 << 8 };
/* Of a stretch, and equal in what decides first before whole rows are sorted in another way. */
enum { STRETCH = 1 << 12, MANY_EQUAL = 32 };

bool tb__is_short(const tb_sort_rows *s)
{
    if (tb_dtype_kind(s->dtype) == TB_KIND_COMPLEX) return false;
    if (s->order && tb_dtype_size(s->dtype) == 1) return s->n <= SHORT;
    if (s->nkth > 0) return s->n <= SHORT_TO_SELECT;
    return s->n <= (s->out && tb_dtype_size(s->dtype) == 1 ? SHORT_OF_BYTES : SHORT);
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

/* Whether they were floats that are compared as such. */
static bool sort_plain(const tb_sort_rows *s, const tb_sort_loops *loops, const void *in, void *out, int64_t rows)
{
    const int64_t n = rows * s->n;
    if (s->dtype == TB_F32 && loops->plain_32(in, n)) {
        if (in != out) memcpy(out, in, (size_t)n * sizeof(float));
        for (int64_t i = 0; i < rows; i++) loops->sort_f32((float *)out + i * s->n, s->n);
        return true;
    }
    if (s->dtype != TB_F64 || !loops->plain_64(in, n)) return false;
    if (in != out) memcpy(out, in, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < rows; i++) loops->sort_f64((double *)out + i * s->n, s->n);
    return true;
}

static tb_status sort_elements(const tb_sort_rows *s, const tb_sort_loops *loops, int64_t from, int64_t rows)
{
    const int64_t size = (int64_t)tb_dtype_size(s->dtype), at = from * s->n * size, n = rows * s->n;
    const char *in = (const char *)s->in + at;
    char *out = (char *)s->out + at;
    if (sort_plain(s, loops, in, out, rows)) return TB_OK;
    if (size == 8) {
        int64_t *key = (int64_t *)(void *)out;
        loops->keys_64(s->dtype, in, n, false, key);
        for (int64_t i = 0; i < rows; i++) loops->sort_64(key + i * s->n, s->n);
        loops->elements_64(s->dtype, key, n, out);
        return TB_OK;
    }
    int32_t *key = size == 4 ? (void *)out : tb__scratch((size_t)n * sizeof *key);
    if (!key) return tb__fail_memory((size_t)n * sizeof *key, 0, 0, 0);
    loops->keys_32(s->dtype, in, n, false, key);
    for (int64_t i = 0; i < rows; i++) loops->sort_32(key + i * s->n, s->n);
    loops->elements_32(s->dtype, key, n, out);
    return TB_OK;
}

/* ---- positions -------------------------------------------------------------------------------------------------- */

static int width_of(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

/* The positions of what is false, then those of what is true. */
static void deal_out(const uint8_t *in, int64_t n, int64_t *order)
{
    int64_t no = 0, yes = 0;
    for (int64_t i = 0; i < n; i++) yes += in[i] == 0;
    for (int64_t i = 0; i < n; i++) {
        const bool truth = in[i] != 0;
        order[truth ? yes : no] = i;
        yes += truth;
        no += !truth;
    }
}

/* Bytes are counted, and their positions go where those of what is less end. */
void tb__order_bytes(tb_dtype t, const uint8_t *in, int64_t n, int64_t *order)
{
    const uint8_t flip = t == TB_I8 ? 0x80 : 0;
    int32_t count[2][256] = {0}, before = 0;
    int64_t i = 1;
    while (i < n && (in[i - 1] ^ flip) <= (in[i] ^ flip)) i++;
    if (i == n) {
        for (i = 0; i < n; i++) order[i] = i;
        return;
    }
    if (t == TB_BOOL) {
        deal_out(in, n, order);
        return;
    }
    for (i = 0; i < n; i++) count[i & 1][in[i] ^ flip]++;
    for (int value = 0; value < 256; value++) {
        const int32_t here = count[0][value] + count[1][value];
        count[0][value] = before;
        before += here;
    }
    for (i = 0; i < n; i++) order[count[0][in[i] ^ flip]++] = i;
}

/* Key and position in one integer: sorted by any method they are stably sorted. */
static void order_32(const tb_sort_loops *loops, const int32_t *key, int64_t n, int64_t *order)
{
    for (int64_t i = 0; i < n; i++) order[i] = (int64_t)((uint64_t)(int64_t)key[i] << 32) | i;
    if (!loops->in_order_32(key, n)) loops->sort_64(order, n);
    for (int64_t i = 0; i < n; i++) order[i] &= UINT32_MAX;
}

/* The same of elements of one or two bytes: both fit 32 bits. */
static void order_narrow(const tb_sort_loops *loops, tb_dtype t, int32_t *key, int64_t n, int64_t *order)
{
    const int unused = tb__is_half(t) ? 16 : 0, mask = SHORT - 1;
    const bool in_order = loops->in_order_32(key, n);
    for (int64_t i = 0; i < n; i++) key[i] = (int32_t)((uint32_t)(key[i] >> unused) * SHORT) | (int32_t)i;
    if (!in_order) loops->sort_32(key, n);
    for (int64_t i = 0; i < n; i++) order[i] = key[i] & mask;
}

/* Whether keys differ whose positions are in a run. */
static bool run_differs(const int64_t *key, const int64_t *packed, int64_t n, int64_t mask)
{
    int64_t differ = 0;
    for (int64_t i = 1; i < n; i++) differ |= key[packed[i] & mask] ^ key[packed[0] & mask];
    return differ != 0;
}

/* The positions in each run of what the sorted integers have equal above `below` bits. *many: a run is too long. */
static void order_runs(const int64_t *key, int64_t *packed, int64_t n, int below, bool *many)
{
    const int64_t mask = ((int64_t)1 << below) - 1;
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && (packed[i] ^ packed[end]) >> below == 0; end++) {}
        if (end - i > MANY_EQUAL) {
            *many |= run_differs(key, packed + i, end - i, mask);
            continue;
        }
        for (int64_t at = i + 1; at < end && !*many; at++) {
            const int64_t position = packed[at];
            int64_t to = at;
            for (; to > i && key[packed[to - 1] & mask] > key[position & mask]; to--) packed[to] = packed[to - 1];
            packed[to] = position;
        }
    }
}

/* As many of the upper bits in which keys differ as there is room for above the positions. *many: these do not do. */
static void order_64(const tb_sort_loops *loops, const int64_t *key, int64_t n, int64_t *order, bool *many)
{
    int64_t least = key[0], most = key[0];
    for (int64_t i = 1; i < n; i++) {
        least = tb__min(least, key[i]);
        most = tb__max(most, key[i]);
    }
    const int below = width_of((uint64_t)(n - 1)), bits = width_of((uint64_t)most - (uint64_t)least);
    const int shift = bits > 63 - below ? bits - (63 - below) : 0;
    for (int64_t i = 0; i < n; i++) order[i] = (int64_t)(((uint64_t)key[i] - (uint64_t)least) >> shift << below) | i;
    if (!loops->in_order_64(key, n)) {
        loops->sort_64(order, n);
        if (shift > 0) order_runs(key, order, n, below, many);
    }
    for (int64_t i = 0; i < n; i++) order[i] &= ((int64_t)1 << below) - 1;
}

static tb_status order_elements(const tb_sort_rows *s, const tb_sort_loops *loops, int64_t from, int64_t rows)
{
    const int64_t size = (int64_t)tb_dtype_size(s->dtype), n = rows * s->n;
    const char *in = (const char *)s->in + from * s->n * size;
    int64_t *order = s->order + from * s->n;
    if (size == 1 && s->n >= TB_COUNTED) {
        for (int64_t i = 0; i < rows; i++)
            tb__order_bytes(s->dtype, (const uint8_t *)in + i * s->n, s->n, order + i * s->n);
        return TB_OK;
    }
    void *key = tb__scratch((size_t)n * sizeof(int64_t));
    if (!key) return tb__fail_memory((size_t)n * sizeof(int64_t), 0, 0, 0);
    if (size == 8) loops->keys_64(s->dtype, in, n, true, key);
    else loops->keys_32(s->dtype, in, n, true, key);
    for (int64_t i = 0; i < rows; i++) {
        bool many = false;
        if (size < 4) order_narrow(loops, s->dtype, (int32_t *)key + i * s->n, s->n, order + i * s->n);
        else if (size < 8) order_32(loops, (int32_t *)key + i * s->n, s->n, order + i * s->n);
        else order_64(loops, (int64_t *)key + i * s->n, s->n, order + i * s->n, &many);
        const void *row = in + i * s->n * size;
        if (many) TB_TRY(tb__order(1, &s->dtype, &row, s->n, order + i * s->n));
    }
    return TB_OK;
}

tb_status tb__sort_short(const tb_sort_rows *s, int64_t from, int64_t rows)
{
    const tb_sort_loops *loops = tb__sort_loops();
    const int64_t each = tb__max(STRETCH / s->n, 1), end = from + rows;
    for (; from < end; from += each) {
        const int64_t some = tb__min(each, end - from);
        if (s->order) TB_TRY(order_elements(s, loops, from, some));
        else TB_TRY(sort_elements(s, loops, from, some));
    }
    return TB_OK;
}
