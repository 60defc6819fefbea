/* tally_wide.c - how often each number comes up where numbers are many: a table beyond the cache would be waited for
 * with every number. They are put in order of their leading bits first, of each the rest in 16 bits, then counted in a
 * part of the table at a time, which the cache keeps; parts are shared out among threads. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { MOST_PIECES = 16, PIECE = 1 << 17, REST = 15, MOST_REST = 16, MOST_PARTS = 1 << 11 };

typedef struct wide {
    const void *in;
    int64_t n, each, places; /* numbers, and of a piece; the largest and one */
    int size, rest;          /* bytes of a number; bits of which a part has all numbers */
    int64_t pieces, parts;
    int64_t *begin; /* (pieces, parts): how many numbers, then where they go */
    uint16_t *moved;
    int64_t *table;
} wide;

#define OF_TYPE(T, bits)                                                                                    \
    static void count_##bits(const wide *w, int64_t from, int64_t to, int64_t *begin)                       \
    {                                                                                                       \
        const T *x = w->in;                                                                                 \
        for (int64_t i = from; i < to; i++) begin[x[i] >> w->rest]++;                                       \
    }                                                                                                       \
    static void move_##bits(const wide *w, int64_t from, int64_t to, int64_t *begin)                        \
    {                                                                                                       \
        const T *x = w->in, mask = ((T)1 << w->rest) - 1;                                                   \
        for (int64_t i = from; i < to; i++) w->moved[begin[x[i] >> w->rest]++] = (uint16_t)(x[i] & mask);   \
    }
OF_TYPE(uint32_t, 32)
OF_TYPE(uint64_t, 64)

static bool count_piece(void *arg, int64_t k)
{
    const wide *w = arg;
    (w->size == 4 ? count_32 : count_64)(w, k * w->each, tb__min((k + 1) * w->each, w->n), w->begin + k * w->parts);
    return true;
}

static bool move_piece(void *arg, int64_t k)
{
    const wide *w = arg;
    (w->size == 4 ? move_32 : move_64)(w, k * w->each, tb__min((k + 1) * w->each, w->n), w->begin + k * w->parts);
    return true;
}

static void add_up(const wide *w)
{
    int64_t sum = 0;
    for (int64_t part = 0; part < w->parts; part++)
        for (int64_t k = 0; k < w->pieces; k++) {
            int64_t *at = &w->begin[k * w->parts + part];
            const int64_t count = *at;
            *at = sum;
            sum += count;
        }
}

/* The last piece's numbers of a part end where those of the next one begin. */
static bool count_part(void *arg, int64_t part)
{
    const wide *w = arg;
    const int64_t *ends = w->begin + (w->pieces - 1) * w->parts, first = part << w->rest;
    int64_t *table = w->table + first;
    memset(table, 0, (size_t)tb__min((int64_t)1 << w->rest, w->places - first) * sizeof *table);
    for (int64_t i = part > 0 ? ends[part - 1] : 0; i < ends[part]; i++) table[w->moved[i]]++;
    return true;
}

static tb_status count(wide *w)
{
    TB_TRY(tb__parallel(w->pieces, count_piece, w));
    add_up(w);
    TB_TRY(tb__parallel(w->pieces, move_piece, w));
    return tb__parallel(w->parts, count_part, w);
}

bool tb__cpu_tally_wide(const void *in, int64_t n, size_t size, int64_t places, int64_t *table, tb_status *status)
{
    wide w = {.in = in, .n = n, .places = places, .size = (int)size, .rest = REST, .table = table};
    while (places > (int64_t)MOST_PARTS << w.rest && w.rest < MOST_REST) w.rest++;
    w.parts = ((places - 1) >> w.rest) + 1;
    w.pieces = tb__min(MOST_PIECES, n / PIECE);
    if (size < 4 || w.pieces < 2 || w.parts > MOST_PARTS) return false;
    w.each = tb__ceil_div(n, w.pieces);
    w.begin = calloc((size_t)(w.pieces * w.parts), sizeof *w.begin);
    w.moved = malloc((size_t)n * sizeof *w.moved);
    const bool done = w.begin && w.moved; /* without memory it takes longer */
    if (done) *status = count(&w);
    free(w.begin);
    free(w.moved);
    return done;
}
