/* sort_few.c - long rows of few values, such as labels: a sample says which ones there are likely to be, each piece
 * counts them, and then it is known where every element or position goes. */
#include "backend/cpu/plans/sort.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { LONG = 1 << 12, SAMPLE = 256, BLOCK = 512 };

typedef struct row {
    const tb_sort_loops *loops;
    tb_dtype dtype;
    const char *in;
    char *out;      /* or NULL */
    int64_t *order; /* in that case */
    int64_t n, size;
    int64_t wide[SAMPLE]; /* the values' keys in ascending order; of 32 bits in the first half where size is not 8 */
    int nvalue;
    int64_t *count; /* of each value, for each piece; then where its positions go */
    _Atomic bool known;
} row;

/* The keys of n elements, which have room for them, but may be their own. */
static const void *keys_of(const row *r, const char *in, int64_t n, int64_t *room)
{
    if (r->dtype == TB_I32 || r->dtype == TB_I64) return in;
    if (r->size == 8) r->loops->keys_64(r->dtype, in, n, r->order != NULL, room);
    else r->loops->keys_32(r->dtype, in, n, r->order != NULL, (int32_t *)room);
    return room;
}

#define DISTINCT(K)                                          \
    do {                                                     \
        K *key = (K *)(void *)r->wide;                       \
        for (int i = 1; i < SAMPLE; i++)                     \
            if (key[i] != key[some - 1]) key[some++] = key[i]; \
    } while (0)

/* Sets the values; how many there are in the sample. */
static int take_sample(row *r)
{
    char element[SAMPLE * 8];
    uint64_t random = (uint64_t)r->n;
    int some = 1;
    for (int i = 0; i < SAMPLE; i++) { /* one of each stretch of the row */
        random = random * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
        const int64_t at = r->n / SAMPLE * i + (int64_t)((random >> 33) % (uint64_t)(r->n / SAMPLE));
        memcpy(element + i * r->size, r->in + at * r->size, (size_t)r->size);
    }
    memmove(r->wide, keys_of(r, element, SAMPLE, r->wide), (size_t)(SAMPLE * tb__max(r->size, 4)));
    if (r->size == 8) r->loops->sort_64(r->wide, SAMPLE);
    else r->loops->sort_32((int32_t *)(void *)r->wide, SAMPLE);
    if (r->size == 8) DISTINCT(int64_t);
    else DISTINCT(int32_t);
    return some;
}

static bool count_piece(void *arg, int64_t task)
{
    row *r = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, r->n);
    int64_t room[BLOCK], *count = r->count + task * TB_SORT_FEW;
    for (int64_t at = task * TB_SORT_PIECE; r->known && at < to; at += BLOCK) {
        const int64_t n = tb__min(BLOCK, to - at);
        const void *key = keys_of(r, r->in + at * r->size, n, room);
        const int64_t found = r->size == 8 ? r->loops->count_64(key, n, r->wide, r->nvalue, count)
                                           : r->loops->count_32(key, n, (int32_t *)r->wide, r->nvalue, count);
        if (found != n) r->known = false;
    }
    return true;
}

static bool deal_out_piece(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, r->n);
    int64_t room[BLOCK], *next = r->count + task * TB_SORT_FEW;
    for (int64_t at = task * TB_SORT_PIECE; at < to; at += BLOCK) {
        const int64_t n = tb__min(BLOCK, to - at);
        uint8_t which[BLOCK];
        const void *key = keys_of(r, r->in + at * r->size, n, room);
        if (r->size == 8) r->loops->which_64(key, n, r->wide, r->nvalue, which);
        else r->loops->which_32(key, n, (int32_t *)r->wide, r->nvalue, which);
        for (int64_t i = 0; i < n; i++) r->order[next[which[i]]++] = at + i;
    }
    return true;
}

#define FILL(T)                                                           \
    do {                                                                  \
        T *to = (T *)(void *)r->out, x;                                   \
        memcpy(&x, element, sizeof x);                                    \
        for (; from < end; from++) memcpy(to + from, &x, sizeof x);       \
    } while (0)

/* A piece of what is in order: which values it has is known from where each begins in the first piece. */
static bool fill_piece(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, r->n);
    int64_t from = task * TB_SORT_PIECE;
    for (int i = 0; from < to; i++) {
        const int64_t end = i + 1 < r->nvalue ? tb__min(r->count[i + 1], to) : to;
        int64_t element[1];
        if (from >= end) continue;
        if (r->size == 8) r->loops->elements_64(r->dtype, r->wide + i, 1, element);
        else r->loops->elements_32(r->dtype, (int32_t *)r->wide + i, 1, element);
        if (r->size == 8) FILL(int64_t);
        else FILL(int32_t);
    }
    return true;
}

static tb_status sort_row(row *r)
{
    const int64_t pieces = tb__sort_pieces(r->n);
    TB_TRY(tb__parallel(pieces, count_piece, r));
    int64_t at = 0;
    for (int i = 0; r->known && i < r->nvalue; i++)
        for (int64_t k = 0; k < pieces; k++) {
            int64_t *count = &r->count[k * TB_SORT_FEW + i];
            const int64_t n = *count;
            *count = at;
            at += n;
        }
    return r->known ? tb__parallel(pieces, r->order ? deal_out_piece : fill_piece, r) : TB_OK;
}

static tb_status sort_sampled(row *r, bool *done)
{
    r->nvalue = take_sample(r);
    if (r->nvalue > TB_SORT_FEW) return TB_OK;
    const size_t counts = (size_t)(tb__sort_pieces(r->n) * TB_SORT_FEW);
    r->count = calloc(counts, sizeof *r->count);
    if (!r->count) return tb__fail_memory(counts * sizeof *r->count, 0, 0, 0);
    const tb_status status = sort_row(r);
    free(r->count);
    *done = status == TB_OK && r->known;
    return status;
}

/* ---- bytes, of which there are few values in any case ------------------------------------------------------------ */

typedef struct bytes {
    const uint8_t *in;
    int64_t *order, n;
    uint8_t flip;         /* signed ones are in order by this bit */
    int64_t (*next)[256]; /* of each piece: how many it has of a value; then where the next one's position goes */
} bytes;

static bool count_bytes(void *arg, int64_t task)
{
    const bytes *b = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, b->n);
    for (int64_t i = task * TB_SORT_PIECE; i < to; i++) b->next[task][b->in[i] ^ b->flip]++;
    return true;
}

static bool deal_out_bytes(void *arg, int64_t task)
{
    const bytes *b = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, b->n);
    for (int64_t i = task * TB_SORT_PIECE; i < to; i++) b->order[b->next[task][b->in[i] ^ b->flip]++] = i;
    return true;
}

static tb_status order_bytes(bytes *b)
{
    const int64_t pieces = tb__sort_pieces(b->n);
    b->next = calloc((size_t)pieces, sizeof *b->next);
    if (!b->next) return tb__fail_memory((size_t)pieces * sizeof *b->next, 0, 0, 0);
    tb_status status = tb__parallel(pieces, count_bytes, b);
    int64_t at = 0;
    for (int value = 0; value < 256; value++)
        for (int64_t k = 0; k < pieces; k++) {
            const int64_t n = b->next[k][value];
            b->next[k][value] = at;
            at += n;
        }
    if (status == TB_OK) status = tb__parallel(pieces, deal_out_bytes, b);
    free(b->next);
    return status;
}

tb_status tb__sort_few(tb_dtype t, const void *in, int64_t n, void *out, int64_t *order, bool *done)
{
    row r = {tb__sort_loops(), t, in, out, order, n, (int64_t)tb_dtype_size(t), .known = true};
    *done = false;
    if (n <= LONG || tb_dtype_kind(t) == TB_KIND_COMPLEX || (out && r.size < 4)) return TB_OK;
    TB_TRY(sort_sampled(&r, done));
    if (*done || r.size > 1 || t == TB_BOOL) return TB_OK;
    bytes b = {in, order, n, t == TB_I8 ? 0x80 : 0, NULL};
    *done = true;
    return order_bytes(&b);
}
