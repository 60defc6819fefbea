/* select.c - the wanted positions of a row, without sorting the rest of it.
 *
 * The keys of a short row are split in place, and only parts that hold a wanted position are split again. Of a long row
 * a sample says between which keys the wanted ones are, most likely; one pass counts what is less, and keeps the few
 * keys between, among which they are found. Elements and positions are then put into their parts, piece by piece, in
 * the order in which they come. Both are cut by size, so that results do not depend on the number of threads. */
#include "backend/cpu/plans/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "backend/cpu/loops/sort_loops.h"
#include "base/error.h"

enum { MOST = 16, CLASSES = 2 * MOST + 1, BLOCK = 1024, LEAST_SAMPLE = 1 << 10, MOST_SAMPLE = 1 << 15 };

/* Neighbouring wanted positions, and the keys that they are not expected to be beyond. */
typedef struct band {
    int64_t least, most; /* keys */
    int64_t last;        /* of the sample: `most` */
    int first, n;        /* of the wanted positions */
    bool found;
} band;

/* What pieces count for a band: keys less than `least`, up to it, between both, up to `most`. */
typedef struct band_count {
    int64_t below, upto, between, within;
} band_count;

typedef struct row {
    const tb_sort_rows *s;
    const tb_sort_loops *loops;
    const char *in;
    char *out;              /* or NULL */
    int64_t *order;         /* in that case */
    int64_t n, size, width; /* bytes of an element, of a key */
    int64_t value[MOST];    /* keys at the wanted positions */
    int nband, nvalue;      /* values, when those that repeat are gone */
    band band[MOST];
    int64_t *count;     /* of each class, for each piece; then where its elements go */
    band_count *counts; /* of each band, for each piece */
} row;

enum { FEW_VALUES = 4 }; /* so many passes over a block take less time than one without vectors */

/* ---- keys of either width ------------------------------------------------------------------------------------- */

static void keys_of(const row *r, const void *in, int64_t n, void *key)
{
    if (r->width == 8) r->loops->keys_64(r->s->dtype, in, n, false, key);
    else r->loops->keys_32(r->s->dtype, in, n, false, key);
}

/* The same where they are only read: the elements themselves, or in the room for them. */
static const void *read_keys(const row *r, const void *in, int64_t n, void *room)
{
    if (r->s->dtype == TB_I32 || r->s->dtype == TB_I64) return in;
    keys_of(r, in, n, room);
    return room;
}

static void elements_of(const row *r, const void *key, int64_t n, void *out)
{
    if (r->width == 8) r->loops->elements_64(r->s->dtype, key, n, out);
    else r->loops->elements_32(r->s->dtype, key, n, out);
}

static int64_t key_at(const row *r, const void *key, int64_t i)
{
    return r->width == 8 ? ((const int64_t *)key)[i] : ((const int32_t *)key)[i];
}

static void store_value(const row *r, int64_t value, void *out)
{
    const int32_t narrow = (int32_t)value;
    elements_of(r, r->width == 8 ? (const void *)&value : &narrow, 1, out);
}

static int64_t most_key(const row *r) { return r->width == 8 ? INT64_MAX : INT32_MAX; }
static int64_t least_key(const row *r) { return r->width == 8 ? INT64_MIN : INT32_MIN; }

static void select_keys(const row *r, void *key, int64_t n, const int64_t *kth, int64_t nkth)
{
    if (r->width == 8) r->loops->select_64(key, n, kth, nkth);
    else r->loops->select_32(key, n, kth, nkth);
}

static int64_t less_than(const row *r, const void *key, int64_t n, int64_t pivot)
{
    return r->width == 8 ? r->loops->less_64(key, n, pivot) : r->loops->less_32(key, n, (int32_t)pivot);
}

static int64_t up_to(const row *r, const void *key, int64_t n, int64_t pivot)
{
    return pivot == most_key(r) ? n : less_than(r, key, n, pivot + 1);
}

/* ---- elements or positions to their parts ---------------------------------------------------------------------- */

/* Of what is less than the first value, equal to it, between it and the second, and so on. */
static int class_of(const row *r, int64_t key)
{
    int class = 0;
    for (int i = 0; i < r->nvalue; i++) class += (key >= r->value[i]) + (key > r->value[i]);
    return class;
}

static bool count_classes(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t from = task * TB_SORT_PIECE, to = tb__min(from + TB_SORT_PIECE, r->n);
    int64_t room[BLOCK], *count = r->count + task * CLASSES;
    for (int64_t at = from; at < to; at += BLOCK) {
        const int64_t n = tb__min(BLOCK, to - at);
        int64_t before = 0;
        const void *key = read_keys(r, r->in + at * r->size, n, room);
        for (int i = 0; i < r->nvalue; i++) {
            const int64_t less = less_than(r, key, n, r->value[i]), upto = up_to(r, key, n, r->value[i]);
            count[2 * i] += less - before;
            count[2 * i + 1] += upto - less;
            before = upto;
        }
        count[2 * r->nvalue] += n - before;
    }
    return true;
}

#define DIVIDE(K, T, to, what)                                                 \
    for (int64_t i = 0; i < n; i++) {                                          \
        const int64_t place = next[class_of(r, ((const K *)key)[i])]++; \
        ((T *)(void *)(to))[place] = what;                                     \
    }

/* The keys that class i is from *least to *most of; false: there are none. */
static bool bounds_of(const row *r, int i, int64_t *least, int64_t *most)
{
    const int64_t *value = r->value + i / 2; /* the next one, or this */
    if (i % 2 == 1) *least = *most = *value;
    else {
        const bool from_first = i == 0, to_last = i == 2 * r->nvalue;
        if ((!from_first && value[-1] == most_key(r)) || (!to_last && *value == least_key(r))) return false;
        *least = from_first ? least_key(r) : value[-1] + 1;
        *most = to_last ? most_key(r) : *value - 1;
    }
    return *least <= *most;
}

/* To room for a vector more. */
static int64_t take_keys(const row *r, const void *key, int64_t n, int64_t least, int64_t most, void *to)
{
    int64_t below;
    if (r->width == 8) return r->loops->between_64(key, n, least, most, to, &below);
    return r->loops->between_32(key, n, (int32_t)least, (int32_t)most, to, &below);
}

static int64_t take_places(const row *r, int64_t at, const void *key, int64_t n, int64_t least, int64_t most,
                           int64_t *to)
{
    if (r->width == 8) return r->loops->places_64(key, n, least, most, at, to);
    return r->loops->places_32(key, n, (int32_t)least, (int32_t)most, at, to);
}

/* Class by class. False: the values are many, or NaN may be among the elements, whose bits no key has. */
static bool divide_by_vectors(const row *r, int64_t at, int64_t n, const void *key, int64_t *next)
{
    const bool whole = r->order || tb_dtype_kind(r->s->dtype) == TB_KIND_INT;
    int64_t some[BLOCK + 8], least, most;
    if (r->nvalue > FEW_VALUES || (!r->order && r->size != r->width)) return false;
    if (!whole && less_than(r, key, n, most_key(r)) < n) return false;
    for (int i = 0; i <= 2 * r->nvalue; i++) {
        if (!bounds_of(r, i, &least, &most)) continue;
        const int64_t m =
            r->order ? take_places(r, at, key, n, least, most, some) : take_keys(r, key, n, least, most, some);
        if (!r->order) elements_of(r, some, m, some);
        if (r->order) memcpy(r->order + next[i], some, (size_t)m * sizeof *some);
        else memcpy(r->out + next[i] * r->size, some, (size_t)(m * r->size));
        next[i] += m;
    }
    return true;
}

static void divide_block(const row *r, int64_t at, int64_t n, const void *key, int64_t *next)
{
    const void *in = r->in + at * r->size;
    if (divide_by_vectors(r, at, n, key, next)) return;
    if (r->order && r->width == 8) DIVIDE(int64_t, int64_t, r->order, at + i)
    else if (r->order) DIVIDE(int32_t, int64_t, r->order, at + i)
    else if (r->width == 8) DIVIDE(int64_t, int64_t, r->out, ((const int64_t *)in)[i])
    else DIVIDE(int32_t, int32_t, r->out, ((const int32_t *)in)[i])
}

static bool divide_piece(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t from = task * TB_SORT_PIECE, to = tb__min(from + TB_SORT_PIECE, r->n);
    int64_t room[BLOCK];
    for (int64_t at = from; at < to; at += BLOCK) {
        const int64_t n = tb__min(BLOCK, to - at);
        const void *key = read_keys(r, r->in + at * r->size, n, room);
        divide_block(r, at, n, key, r->count + task * CLASSES);
    }
    return true;
}

/* To r->order, or r->out, by the values. */
static tb_status divide(row *r)
{
    int64_t few[CLASSES] = {0};
    const int64_t pieces = tb__sort_pieces(r->n);
    int nvalue = 1;
    for (int i = 1; i < r->s->nkth; i++)
        if (r->value[i] != r->value[nvalue - 1]) r->value[nvalue++] = r->value[i];
    r->nvalue = nvalue;
    r->count = pieces == 1 ? few : calloc((size_t)(pieces * CLASSES), sizeof *r->count);
    if (!r->count) return tb__fail_memory((size_t)(pieces * CLASSES) * sizeof *r->count, 0, 0, 0);
    tb_status status = tb__parallel(pieces, count_classes, r);
    int64_t at = 0;
    for (int class = 0; class <= 2 * nvalue; class ++)
        for (int64_t i = 0; i < pieces; i++) {
            const int64_t n = r->count[i * CLASSES + class];
            r->count[i * CLASSES + class] = at;
            at += n;
        }
    if (status == TB_OK) status = tb__parallel(pieces, divide_piece, r);
    if (r->count != few) free(r->count);
    return status;
}

/* ---- a short row ---------------------------------------------------------------------------------------------- */

static tb_status select_short(row *r)
{
    const tb_sort_rows *s = r->s;
    const bool apart = !r->out || s->only || r->size != r->width;
    void *key = apart ? tb__scratch((size_t)(r->n * r->width)) : r->out;
    if (!key) return tb__fail_memory((size_t)(r->n * r->width), 0, 0, 0);
    keys_of(r, r->in, r->n, key);
    select_keys(r, key, r->n, s->kth, s->nkth);
    if (r->out && !s->only) {
        elements_of(r, key, r->n, r->out);
        return TB_OK;
    }
    for (int64_t i = 0; i < s->nkth; i++) {
        if (r->out) store_value(r, key_at(r, key, s->kth[i]), r->out + s->kth[i] * r->size);
        else r->value[i] = key_at(r, key, s->kth[i]);
    }
    return r->order ? divide(r) : TB_OK;
}

/* ---- a long row ----------------------------------------------------------------------------------------------- */

/* The memory of the result holds, for each piece, its keys that are in bands. */
static char *room_of(const row *r, int64_t piece)
{
    return (r->order ? (char *)r->order : r->out) + piece * TB_SORT_PIECE * r->width;
}

/* A band for each wanted position, as wide as five times what its place in the sample deviates by; those that meet are
 * one. */
static void make_bands(row *r, const void *sample, int64_t n)
{
    r->nband = 0;
    for (int i = 0; i < r->s->nkth; i++) {
        const double share = ((double)r->s->kth[i] + 0.5) / (double)r->n, place = share * (double)n;
        const double spread = 5 * sqrt(place * (1 - share)) + 4;
        const int64_t first = (int64_t)floor(place - spread), last = (int64_t)ceil(place + spread);
        if (i == 0 || first > r->band[r->nband - 1].last)
            r->band[r->nband++] = (band){.first = i, .least = first < 0 ? least_key(r) : key_at(r, sample, first)};
        band *b = &r->band[r->nband - 1];
        b->n++;
        b->last = last;
        b->most = last >= n ? most_key(r) : key_at(r, sample, last);
    }
}

static tb_status take_sample(row *r)
{
    const int64_t n = tb__max(LEAST_SAMPLE, tb__min(MOST_SAMPLE, r->n >> 9));
    uint64_t random = (uint64_t)r->n;
    char *room = tb__scratch((size_t)(n * 2 * 8)), *element = room + n * 8;
    if (!room) return tb__fail_memory((size_t)(n * 2 * 8), 0, 0, 0);
    for (int64_t i = 0; i < n; i++) { /* one of each stretch of the row */
        const int64_t from = r->n / n * i, to = i + 1 < n ? from + r->n / n : r->n;
        random = random * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
        const int64_t at = from + (int64_t)((random >> 33) % (uint64_t)(to - from));
        memcpy(element + i * r->size, r->in + at * r->size, (size_t)r->size);
    }
    keys_of(r, element, n, room);
    if (r->width == 8) r->loops->sort_64((int64_t *)(void *)room, n);
    else r->loops->sort_32((int32_t *)(void *)room, n);
    make_bands(r, room, n);
    return TB_OK;
}

/* The keys strictly between the band's bounds, of which none has none. */
static int64_t between(const row *r, const band *b, const void *key, int64_t n, void *to, int64_t *upto)
{
    if (b->least == b->most) {
        *upto = up_to(r, key, n, b->least);
        return 0;
    }
    if (r->width == 8) return r->loops->between_64(key, n, b->least + 1, b->most - 1, to, upto);
    return r->loops->between_32(key, n, (int32_t)(b->least + 1), (int32_t)(b->most - 1), to, upto);
}

static bool count_bands(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t from = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE, r->n - from), keys = TB_SORT_PIECE * r->width;
    char *room = tb__scratch((size_t)(2 * keys) + 64), *some = room + keys, *to = room_of(r, task);
    if (!room) return false;
    const void *key = read_keys(r, r->in + from * r->size, n, room);
    for (int i = 0; i < r->nband; i++) {
        const band *b = &r->band[i];
        band_count *c = &r->counts[task * MOST + i];
        c->below = less_than(r, key, n, b->least);
        c->between = between(r, b, key, n, some, &c->upto);
        c->within = up_to(r, key, n, b->most);
        memcpy(to, some, (size_t)(c->between * r->width));
        to += c->between * r->width;
    }
    return true;
}

/* The band's keys from all pieces. */
static void gather_band(const row *r, int i, char *to)
{
    for (int64_t piece = 0; piece < tb__sort_pieces(r->n); piece++) {
        const band_count *c = &r->counts[piece * MOST];
        const char *from = room_of(r, piece);
        for (int before = 0; before < i; before++) from += c[before].between * r->width;
        memcpy(to, from, (size_t)(c[i].between * r->width));
        to += c[i].between * r->width;
    }
}

/* The values at the band's wanted positions, unless one of them is not in it. */
static bool find_values(void *arg, int64_t task)
{
    row *r = arg;
    band *b = &r->band[task];
    band_count sum = {0};
    int64_t kth[MOST], n = 0;
    for (int64_t piece = 0; piece < tb__sort_pieces(r->n); piece++) {
        const band_count *c = &r->counts[piece * MOST + task];
        sum.below += c->below, sum.upto += c->upto, sum.between += c->between, sum.within += c->within;
    }
    b->found = r->s->kth[b->first] >= sum.below && r->s->kth[b->first + b->n - 1] < sum.within;
    for (int i = b->first; b->found && i < b->first + b->n; i++) {
        const int64_t at = r->s->kth[i] - sum.upto;
        r->value[i] = at < 0 ? b->least : b->most;
        if (at >= 0 && at < sum.between) kth[n++] = at;
    }
    if (n == 0) return true;
    char *key = malloc((size_t)(sum.between * r->width));
    if (!key) return false;
    gather_band(r, (int)task, key);
    select_keys(r, key, sum.between, kth, n);
    for (int i = b->first; i < b->first + b->n; i++) {
        const int64_t at = r->s->kth[i] - sum.upto;
        if (at >= 0 && at < sum.between) r->value[i] = key_at(r, key, at);
    }
    free(key);
    return true;
}

static tb_status select_long(row *r, bool *done)
{
    const int64_t pieces = tb__sort_pieces(r->n);
    TB_TRY(take_sample(r));
    r->counts = malloc((size_t)(pieces * MOST) * sizeof *r->counts);
    if (!r->counts) return tb__fail_memory((size_t)(pieces * MOST) * sizeof *r->counts, 0, 0, 0);
    tb_status status = tb__parallel(pieces, count_bands, r);
    if (status == TB_OK) status = tb__parallel(r->nband, find_values, r);
    free(r->counts);
    for (int i = 0; status == TB_OK && i < r->nband; i++) *done &= r->band[i].found;
    if (status != TB_OK || !*done) return status;
    if (!r->s->only || r->order) return divide(r);
    for (int i = 0; i < r->s->nkth; i++) store_value(r, r->value[i], r->out + r->s->kth[i] * r->size);
    return TB_OK;
}

tb_status tb__select(const tb_sort_rows *s, const void *in, void *out, int64_t *order, bool *done)
{
    const int64_t size = (int64_t)tb_dtype_size(s->dtype);
    row r = {.s = s, .loops = tb__sort_loops(), .in = in, .out = out, .order = order, .n = s->n, .size = size};
    r.width = size == 8 ? 8 : 4;
    *done = s->nkth > 0 && tb_dtype_kind(s->dtype) != TB_KIND_COMPLEX;
    if (s->n > TB_SORT_PIECE) *done &= size >= 4 && s->nkth <= MOST;
    else if (order) *done &= s->nkth <= MOST;
    if (!*done) return TB_OK;
    return s->n > TB_SORT_PIECE ? select_long(&r, done) : select_short(&r);
}
