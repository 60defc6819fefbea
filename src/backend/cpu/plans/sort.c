/* sort.c - rows put in order, by sorting the keys of their elements. Elements of one or two bytes are counted where
 * they are many. */
#include "backend/cpu/plans/sort.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "base/half.h"

enum { MANY = 1 << 12 };

/* What is done to pieces of a row, each by itself. */
typedef struct row {
    const tb_sort_rows *s;
    const void *in;
    void *out;
    int32_t *key_32;
    int64_t *key_64;
    int64_t n;
} row;

static const char *element(const row *r, int64_t i)
{
    return (const char *)r->in + i * (int64_t)tb_dtype_size(r->s->dtype);
}

static bool make_keys(const void *arg, int64_t at, int64_t n, void *key)
{
    const row *r = arg;
    if (r->key_32) tb__sort_loops()->keys_32(r->s->dtype, element(r, at), n, false, key);
    else tb__sort_loops()->keys_64(r->s->dtype, element(r, at), n, false, key);
    return true;
}

static bool make_elements(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE, r->n - at);
    char *out = (char *)r->out + at * (int64_t)tb_dtype_size(r->s->dtype);
    if (r->key_32) tb__sort_loops()->elements_32(r->s->dtype, r->key_32 + at, n, out);
    else tb__sort_loops()->elements_64(r->s->dtype, r->key_64 + at, n, out);
    return true;
}

/* ---- elements in order ---------------------------------------------------------------------------------------- */

typedef struct count_job {
    const row *r;
    int64_t piece, values;
    int64_t *count; /* of each value, for each piece */
} count_job;

static bool count_piece(void *arg, int64_t task)
{
    const count_job *j = arg;
    const int64_t from = task * j->piece, to = tb__min(from + j->piece, j->r->n);
    int64_t *count = j->count + task * j->values;
    if (j->values == 256)
        for (int64_t i = from; i < to; i++) count[((const uint8_t *)j->r->in)[i]]++;
    else
        for (int64_t i = from; i < to; i++) count[((const uint16_t *)j->r->in)[i]]++;
    return true;
}

/* The bits of the i-th of all values in their order. */
static unsigned nth_value(tb_dtype t, unsigned i)
{
    if (t == TB_I8) return i ^ 0x80;
    if (t == TB_I16) return i ^ 0x8000;
    return !tb__is_half(t) ? i : i < 0x8000 ? 0xffff - i : i - 0x8000;
}

static char *fill(char *out, unsigned bits, size_t size, int64_t n)
{
    if (size == 1) memset(out, (int)bits, (size_t)n);
    else
        for (int64_t i = 0; i < n; i++) ((uint16_t *)(void *)out)[i] = (uint16_t)bits;
    return out + n * (int64_t)size;
}

/* How often each of the values of a narrow dtype is there, then that many of each. */
static tb_status count_elements(row *r)
{
    const tb_dtype t = r->s->dtype;
    const unsigned infinity = t == TB_F16 ? 0x7c00 : 0x7f80;
    const size_t size = tb_dtype_size(t);
    count_job j = {r, .values = size == 1 ? 256 : 65536};
    const int64_t pieces = tb__max(tb__min(tb__threads(), r->n / (16 * j.values)), 1);
    j.piece = tb__ceil_div(r->n, pieces);
    j.count = calloc((size_t)(pieces * j.values), sizeof *j.count);
    if (!j.count) return tb__fail_memory((size_t)(pieces * j.values) * sizeof *j.count, 0, 0, 0);
    const tb_status status = tb__parallel(pieces, count_piece, &j);
    char *out = r->out;
    int64_t nans = 0;
    for (unsigned i = 0; status == TB_OK && i < (unsigned)j.values; i++) {
        const unsigned bits = nth_value(t, i);
        int64_t n = 0;
        for (int64_t k = 0; k < pieces; k++) n += j.count[k * j.values + bits];
        if (tb__is_half(t) && (bits & 0x7fff) > infinity) nans += n;
        else out = fill(out, bits, size, n);
    }
    if (status == TB_OK) fill(out, t == TB_F16 ? 0x7e00 : 0x7fc0, size, nans);
    free(j.count);
    return status;
}

/* Floats that are plain are their own keys. */
static bool copy_plain(const void *arg, int64_t at, int64_t n, void *key)
{
    const row *r = arg;
    const size_t size = tb_dtype_size(r->s->dtype);
    const char *in = element(r, at);
    if (!(size == 4 ? tb__sort_loops()->plain_32 : tb__sort_loops()->plain_64)(in, n)) return false;
    if (in != key) memcpy(key, in, (size_t)n * size);
    return true;
}

static tb_status sort_elements(row *r)
{
    const size_t size = tb_dtype_size(r->s->dtype);
    void *room = NULL;
    bool done;
    TB_TRY(tb__sort_few(r->s->dtype, r->in, r->n, r->out, NULL, &done));
    if (done) return TB_OK;
    if (r->s->dtype == TB_F32 || r->s->dtype == TB_F64)
        TB_TRY(tb__sort_made(r->s->dtype, copy_plain, r, r->in != r->out, r->out, r->n, &done));
    if (done) return TB_OK;
    if (size == 1 || (size == 2 && r->n >= MANY)) return count_elements(r);
    if (size == 2) room = malloc((size_t)r->n * sizeof(int32_t));
    if (size == 2 && !room) return tb__fail_memory((size_t)r->n * sizeof(int32_t), 0, 0, 0);
    if (size == 8) r->key_64 = r->out;
    else r->key_32 = room ? room : r->out;
    void *key = size == 8 ? (void *)r->key_64 : r->key_32;
    tb_status status = tb__sort_made(size == 8 ? TB_I64 : TB_I32, make_keys, r, key != r->in, key, r->n, &done);
    if (status == TB_OK) status = tb__parallel(tb__sort_pieces(r->n), make_elements, r);
    free(room);
    return status;
}

/* ---- complex64 -------------------------------------------------------------------------------------------------- */

/* Both parts in one key, where neither is NaN, which has an order of its own, or a zero with a sign, which has none. */
typedef struct pairs {
    const row *r;
    int64_t *key;
    _Atomic bool plain;
} pairs;

static bool pair_keys(void *arg, int64_t task)
{
    pairs *p = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE, p->r->n - at);
    const int32_t *part = (const int32_t *)p->r->in + 2 * at;
    int64_t *key = p->key + at;
    bool plain = true;
    for (int64_t i = 0; i < 2 * n; i++) plain &= (part[i] & INT32_MAX) <= 0x7f800000 && part[i] != INT32_MIN;
    if (!plain) p->plain = false;
    if (!p->plain) return true;
    tb__sort_loops()->keys_32(TB_F32, part, 2 * n, false, (int32_t *)key);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t both = (uint64_t)key[i]; /* the real part is below the other */
        key[i] = (int64_t)(both << 32 | ((both >> 32) ^ 0x80000000u));
    }
    return true;
}

static bool pair_elements(void *arg, int64_t task)
{
    const pairs *p = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE, p->r->n - at);
    int64_t *key = p->key + at;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t both = (uint64_t)key[i];
        key[i] = (int64_t)((both ^ 0x80000000u) << 32 | both >> 32);
    }
    tb__sort_loops()->elements_32(TB_F32, (const int32_t *)key, 2 * n, key);
    return true;
}

/* *done: false where the row has to be sorted by positions. */
static tb_status sort_pairs(const row *r, bool *done)
{
    pairs p = {r, r->out, r->s->dtype == TB_C64};
    if (p.plain) TB_TRY(tb__parallel(tb__sort_pieces(r->n), pair_keys, &p));
    *done = p.plain;
    if (!*done) return TB_OK;
    TB_TRY(tb__sort_64(p.key, r->n));
    return tb__parallel(tb__sort_pieces(r->n), pair_elements, &p);
}

/* ---- rows ----------------------------------------------------------------------------------------------------- */

static void gather(const row *r, const int64_t *order)
{
    const size_t size = tb_dtype_size(r->s->dtype);
    for (int64_t i = 0; i < r->n; i++) memcpy((char *)r->out + (size_t)i * size, element(r, order[i]), size);
}

static tb_status sort_row(const tb_sort_rows *s, int64_t i)
{
    const int64_t size = (int64_t)tb_dtype_size(s->dtype);
    row r = {.s = s, .in = (const char *)s->in + i * s->n * size, .n = s->n};
    bool done;
    if (s->out) r.out = (char *)s->out + i * s->n * size;
    TB_TRY(tb__select(s, r.in, r.out, s->order ? s->order + i * s->n : NULL, &done));
    if (done) return TB_OK;
    if (s->order) return tb__order(1, &s->dtype, &r.in, s->n, s->order + i * s->n);
    if (tb_dtype_kind(s->dtype) != TB_KIND_COMPLEX) return sort_elements(&r);
    TB_TRY(sort_pairs(&r, &done));
    if (done) return TB_OK;
    int64_t *order = malloc((size_t)s->n * sizeof *order);
    if (!order) return tb__fail_memory((size_t)s->n * sizeof *order, 0, 0, 0);
    const tb_status status = tb__order(1, &s->dtype, &r.in, s->n, order);
    if (status == TB_OK) gather(&r, order);
    free(order);
    return status;
}

typedef struct rows_job {
    const tb_sort_rows *s;
    int64_t each; /* rows of a task */
} rows_job;

static bool sort_rows(void *arg, int64_t task)
{
    const rows_job *j = arg;
    const int64_t from = task * j->each, to = tb__min(from + j->each, j->s->rows);
    if (tb__is_short(j->s)) return tb__sort_short(j->s, from, to - from) == TB_OK;
    for (int64_t i = from; i < to; i++)
        if (sort_row(j->s, i) != TB_OK) return false;
    return true;
}

typedef struct keys_job {
    const tb_sort_keys *s;
    int64_t each; /* rows of a task */
} keys_job;

static bool order_rows(void *arg, int64_t task)
{
    const keys_job *j = arg;
    const tb_sort_keys *s = j->s;
    const int64_t to = tb__min((task + 1) * j->each, s->rows);
    const void **key = malloc((size_t)s->nkey * sizeof *key);
    if (!key) return tb__fail_memory((size_t)s->nkey * sizeof *key, 0, 0, 0) == TB_OK;
    bool ok = true;
    for (int64_t i = task * j->each; ok && i < to; i++) {
        for (int k = 0; k < s->nkey; k++)
            key[k] = (const char *)s->key[k] + i * s->n * (int64_t)tb_dtype_size(s->dtype[k]);
        ok = tb__order(s->nkey, s->dtype, key, s->n, s->order + i * s->n) == TB_OK;
    }
    free(key);
    return ok;
}

tb_status tb__cpu_sort_keys(const tb_sort_keys *s)
{
    keys_job j = {s, tb__max(TB_SORT_PIECE / s->n, 1)};
    if (s->rows == 1) return order_rows(&j, 0) ? TB_OK : TB_ERR_MEMORY; /* it says so, and uses all threads */
    return tb__parallel(tb__ceil_div(s->rows, j.each), order_rows, &j);
}

/* Rows are a thread's each where there are as many, and else spread over all threads one after the other. */
tb_status tb__cpu_sort(const tb_sort_rows *s)
{
    if (s->n == 0 || s->rows == 0) return TB_OK;
    rows_job j = {s, tb__max(TB_SORT_PIECE / s->n, 1)};
    if (s->n > TB_SORT_PIECE && s->rows < 2 * tb__threads()) {
        for (int64_t i = 0; i < s->rows; i++) TB_TRY(sort_row(s, i));
        return TB_OK;
    }
    return tb__parallel(tb__ceil_div(s->rows, j.each), sort_rows, &j);
}
