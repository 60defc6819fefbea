/* tally.c - how often each number comes up in a row of integers, or what its weights add up to.
 *
 * Piece by piece: the largest of a block's numbers is found while the block is in cache, the table made long enough,
 * and the numbers counted. Weights are added in the order in which they come, by one thread. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { BLOCK = 4096, PIECE = 1 << 16, MOST_PIECES = 16, FEW_PLACES = 1 << 16, WIDE_PLACES = 1 << 18, OFTEN = 64 };

typedef struct piece {
    void *table;          /* int64 or double */
    int64_t room, places; /* of the table; up to the largest number */
    bool over;            /* a number is larger than is of use, or negative */
    uint64_t most;        /* the largest number, where that is asked for first */
} piece;

typedef struct tally {
    tb_tally *t;
    tb_red most;       /* the largest of numbers taken as unsigned */
    int64_t each, top; /* numbers of a piece; numbers are less */
    uint64_t first;    /* the largest of the first block */
    piece *piece;
} tally;

static tb_dtype unsigned_of(tb_dtype t)
{
    static const tb_dtype of_size[] = {[1] = TB_U8, [2] = TB_U16, [4] = TB_U32, [8] = TB_U64};
    return of_size[tb_dtype_size(t)];
}

static uint64_t largest(const tally *j, const char *in, int64_t n)
{
    union {
        uint64_t wide;
        char bytes[8];
    } most = {0};
    const tb_line line = {.red = j->most, .loop = TB_NOLOOP, .in = {in}, .n = n, .out = most.bytes};
    if (!tb__cpu_reduce_line(&line)) return UINT64_MAX;
    return most.wide;
}

static bool find_largest(void *arg, int64_t task)
{
    const tally *j = arg;
    const size_t size = tb_dtype_size(j->t->dtype);
    const int64_t to = tb__min((task + 1) * j->each, j->t->n);
    uint64_t most = 0;
    for (int64_t at = task * j->each; at < to; at += BLOCK) {
        const uint64_t here = largest(j, (const char *)j->t->in + (size_t)at * size, tb__min(BLOCK, to - at));
        if (here > most) most = here; /* negative ones are the largest */
    }
    j->piece[task].most = most;
    return true;
}

/* Of all numbers. */
static tb_status largest_of_all(tally *j, uint64_t *most)
{
    const int64_t each = j->each, pieces = tb__max(tb__min(MOST_PIECES, j->t->n / PIECE), 1);
    j->each = tb__ceil_div(tb__ceil_div(j->t->n, pieces), BLOCK) * BLOCK;
    const int64_t all = tb__ceil_div(j->t->n, j->each);
    const tb_status status = tb__parallel(all, find_largest, j);
    *most = 0;
    for (int64_t i = 0; i < all; i++)
        if (j->piece[i].most > *most) *most = j->piece[i].most;
    j->each = each;
    return status;
}

static bool reserve(piece *p, int64_t places)
{
    if (places <= p->places) return true;
    p->places = places;
    if (places <= p->room) return true;
    int64_t room = tb__max(p->room, tb__min(places, FEW_PLACES)); /* few are not worth more than there are */
    while (room < places) room *= 2;
    char *table = realloc(p->table, (size_t)room * 8);
    if (!table) return false;
    memset(table + p->room * 8, 0, (size_t)(room - p->room) * 8);
    p->table = table;
    p->room = room;
    return true;
}

#define TALLY(T)                                                                       \
    do {                                                                               \
        const T *x = (const T *)(const void *)in;                                      \
        if (weight)                                                                    \
            for (int64_t i = 0; i < n; i++) ((double *)p->table)[x[i]] += weight[i];   \
        else                                                                           \
            for (int64_t i = 0; i < n; i++) ((int64_t *)p->table)[x[i]]++;             \
    } while (0)

static void tally_block(const piece *p, size_t size, const char *in, const double *weight, int64_t n)
{
    switch (size) {
    case 1: TALLY(uint8_t); break;
    case 2: TALLY(uint16_t); break;
    case 4: TALLY(uint32_t); break;
    default: TALLY(uint64_t); break;
    }
}

static bool tally_piece(void *arg, int64_t task)
{
    const tally *j = arg;
    const tb_tally *t = j->t;
    const size_t size = tb_dtype_size(t->dtype);
    const int64_t to = tb__min((task + 1) * j->each, t->n);
    piece *p = &j->piece[task];
    for (int64_t at = task * j->each; at < to; at += BLOCK) {
        const int64_t n = tb__min(BLOCK, to - at);
        const char *in = (const char *)t->in + (size_t)at * size;
        const uint64_t most = at == 0 ? j->first : largest(j, in, n);
        if (most >= (uint64_t)j->top) {
            p->over = true;
            return true;
        }
        if (!reserve(p, (int64_t)most + 1)) return false;
        tally_block(p, size, in, t->weights ? t->weights + at : NULL, n);
    }
    return true;
}

/* Into the first piece's table. */
static bool add_up(const tally *j, int64_t pieces)
{
    int64_t places = j->piece[0].places;
    for (int64_t i = 1; i < pieces; i++) places = tb__max(places, j->piece[i].places);
    if (!reserve(&j->piece[0], places)) return false;
    int64_t *sum = j->piece[0].table;
    for (int64_t i = 1; i < pieces; i++) {
        const int64_t *more = j->piece[i].table;
        for (int64_t k = 0; k < j->piece[i].places; k++) sum[k] += more[k];
    }
    return true;
}

/* From the first numbers: how many pieces are worth tables of their own, and up to what. */
static int64_t choose_pieces(tally *j)
{
    const tb_tally *t = j->t;
    j->first = largest(j, t->in, tb__min(BLOCK, t->n));
    const int64_t most = t->n + FEW_PLACES; /* of places: a table as long as the row is no loss */
    int64_t pieces = tb__min(MOST_PIECES, t->n / PIECE);
    if (j->first < (uint64_t)most) pieces = tb__min(pieces, t->n / (OFTEN * ((int64_t)j->first + 1)));
    pieces = t->weights ? 1 : tb__max(pieces, 1);
    j->top = tb__max(most / pieces, FEW_PLACES);
    j->each = tb__ceil_div(tb__ceil_div(t->n, pieces), BLOCK) * BLOCK;
    return tb__ceil_div(t->n, j->each);
}

/* The largest of all numbers is known: they are counted where the result is to be. */
static tb_status tally_up_to(const tally *j, uint64_t most)
{
    tb_tally *t = j->t;
    if (most >= (uint64_t)j->top) return TB_OK;
    t->places = (int64_t)most + 1;
    const piece p = {.table = t->room(t->owner, t->places)};
    tb_status status = TB_OK;
    if (!p.table) return TB_OK; /* its owner knows why */
    if (!t->weights && t->places >= WIDE_PLACES &&
        tb__cpu_tally_wide(t->in, t->n, tb_dtype_size(t->dtype), t->places, p.table, &status))
        return status;
    memset(p.table, 0, (size_t)t->places * 8);
    tally_block(&p, tb_dtype_size(t->dtype), t->in, t->weights, t->n);
    return TB_OK;
}

tb_status tb__cpu_tally(tb_tally *t)
{
    piece piece[MOST_PIECES] = {0};
    tally j = {.t = t, .most = tb__red_find(TB_REDUCE_MAX, unsigned_of(t->dtype)), .piece = piece};
    const int64_t pieces = choose_pieces(&j);
    t->table = NULL;
    t->places = 0;
    if (t->n <= BLOCK) return tally_up_to(&j, j.first);
    /* A large table takes longer to make, and to copy, than its length to find. */
    uint64_t most;
    if (pieces == 1 && j.first >= FEW_PLACES) {
        TB_TRY(largest_of_all(&j, &most));
        return tally_up_to(&j, most);
    }
    tb_status status = tb__parallel(pieces, tally_piece, &j);
    bool over = false;
    for (int64_t i = 0; i < pieces; i++) over |= piece[i].over;
    if (status == TB_OK && !over && !add_up(&j, pieces)) status = tb__fail_memory((size_t)j.top * 8, 0, 0, 0);
    t->table = status == TB_OK && !over ? piece[0].table : NULL;
    t->places = t->table ? piece[0].places : 0;
    for (int64_t i = t->table ? 1 : 0; i < pieces; i++) free(piece[i].table);
    return status;
}
