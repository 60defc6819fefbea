/* histogram.c - counts between edges, in one reading: a table says for each of many buckets of equal width how many
 * edges are before it, and the few in a bucket are compared (loops/search_loops.h). Pieces have counts of their own. */
#include <math.h>
#include <stdlib.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/search_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "tables/loops.h"

/* Of edges, and of them in a bucket; buckets; points of a piece, and pieces. */
enum { MOST_EDGES = 1 << 14, MOST_TOGETHER = 4, MOST_BUCKETS = 1 << 16, PIECE = 1 << 16, MOST_PIECES = 16 };
/* Counts of few bins that take turns, since one that has just been stored is not there at once. */
enum { BLOCK = 512, TURNS = 4, FEW_BINS = 1 << 10 };

typedef struct job {
    const tb_between *b;
    const tb_search_loops *loops;
    tb_cpu_loop cast; /* of elements to what edges are, or NULL */
    tb_buckets buckets;
    int64_t each, turns; /* points of a piece; tables of one */
    int64_t *counts;     /* turns tables of nedge + 1 for each piece: what is before the first edge, in a bin, behind */
} job;

/* False: none of them is in a bin. */
static bool bin_block(const job *j, const char *in, int64_t n, int32_t *bin)
{
    int64_t room[BLOCK];
    if (j->cast) {
        j->cast(n, (void *[]){room, (void *)in}, 0);
        in = (const char *)room;
    }
    if (j->b->edge_dtype == TB_F64) return j->loops->buckets_64((const double *)(const void *)in, n, &j->buckets, bin);
    return j->loops->buckets_32((const float *)(const void *)in, n, &j->buckets, bin);
}

static bool count_piece(void *arg, int64_t task)
{
    const job *j = arg;
    const tb_between *b = j->b;
    const int64_t to = tb__min((task + 1) * j->each, b->n), size = (int64_t)tb_dtype_size(b->dtype);
    const int64_t places = b->nedge + 1, turn = j->turns == 1 ? 0 : places;
    int64_t *counts = j->counts + task * j->turns * places;
    for (int64_t at = task * j->each; at < to; at += BLOCK) {
        const int64_t n = tb__min(BLOCK, to - at);
        int32_t bin[BLOCK];
        int64_t i = 0;
        if (!bin_block(j, (const char *)b->in + at * size, n, bin)) continue;
        for (; i + TURNS <= n; i += TURNS)
            for (int64_t k = 0; k < TURNS; k++) counts[k * turn + bin[i + k]]++;
        for (; i < n; i++) counts[bin[i]]++;
    }
    return true;
}

/* ---- buckets ---------------------------------------------------------------------------------------------------- */

static double edge_at(const tb_between *b, int64_t i)
{
    return b->edge_dtype == TB_F64 ? ((const double *)b->edges)[i] : (double)((const float *)b->edges)[i];
}

/* The edges, of which the last one belongs to the last bin, and behind them what nothing is beyond. */
static void copy_edges(const tb_between *b, tb_buckets *t)
{
    const double last = edge_at(b, b->nedge - 1);
    for (int64_t i = 0; i <= b->nedge; i++) {
        const double edge = i == b->nedge ? (double)NAN : edge_at(b, i);
        if (b->edge_dtype == TB_F64) ((double *)t->edge)[i] = i == b->nedge - 1 ? nextafter(last, INFINITY) : edge;
        else ((float *)t->edge)[i] = i == b->nedge - 1 ? nextafterf((float)last, INFINITY) : (float)edge;
    }
}

/* What comes before a bucket are the edges of buckets before: places in buckets rise with what is placed, however they
 * are rounded. Returns how many edges are in one bucket at most. */
static int64_t fill_buckets(const job *j, tb_buckets *t, int32_t *place)
{
    const int64_t nedge = j->b->nedge;
    int64_t together = 0, i = 0;
    if (j->b->edge_dtype == TB_F64) j->loops->bucket_64(t->edge, nedge, t, place);
    else j->loops->bucket_32(t->edge, nedge, t, place);
    for (int64_t k = 0; k < t->n; k++) {
        const int64_t first = i;
        t->before[k] = (int32_t)i;
        while (i < nedge && place[i] <= k) i++;
        together = tb__max(together, i - first);
    }
    return together;
}

/* False: the edges are not spread well enough for as many buckets as there may be. */
static bool make_buckets(job *j, int32_t *place)
{
    const tb_between *b = j->b;
    tb_buckets *t = &j->buckets;
    const double first = edge_at(b, 0), last = edge_at(b, b->nedge - 1), width = last - first;
    copy_edges(b, t);
    t->first = first;
    t->last = last;
    for (t->n = 16; t->n < 4 * b->nedge; t->n *= 2) {}
    for (; t->n <= MOST_BUCKETS; t->n *= 4) {
        t->scale = (double)t->n / width;
        if (b->edge_dtype == TB_F32) t->scale = (double)(float)t->scale;
        if (!(width > 0 && isfinite(width) && isfinite(t->scale) && t->scale > 0)) return false;
        t->together = (int)tb__min(fill_buckets(j, t, place), MOST_TOGETHER + 1);
        if (t->together <= MOST_TOGETHER) return true;
    }
    return false;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static tb_status count_all(job *j)
{
    const tb_between *b = j->b;
    const int64_t places = b->nedge + 1, pieces = tb__max(tb__min(MOST_PIECES, b->n / PIECE), 1);
    j->turns = places <= FEW_BINS ? TURNS : 1;
    j->each = tb__ceil_div(tb__ceil_div(b->n, pieces), BLOCK) * BLOCK;
    const size_t bytes = (size_t)(pieces * j->turns * places) * sizeof *j->counts;
    j->counts = calloc(bytes, 1);
    if (!j->counts) return tb__fail_memory(bytes, 0, 0, 0);
    const tb_status status = tb__parallel(pieces, count_piece, j);
    for (int64_t i = 0; i < b->nedge - 1; i++) {
        b->counts[i] = 0;
        for (int64_t k = 0; k < pieces * j->turns; k++) b->counts[i] += j->counts[k * places + i + 1];
    }
    free(j->counts);
    return status;
}

tb_status tb__cpu_histogram(const tb_between *b, bool *done)
{
    job j = {.b = b, .loops = tb__search_loops()};
    *done = false;
    if (b->nedge > MOST_EDGES) return TB_OK;
    if (b->dtype != b->edge_dtype) j.cast = tb__cpu_loops()[tb__cast_loop(b->dtype, b->edge_dtype)];
    const size_t edges = (size_t)(b->nedge + 1) * sizeof(double), buckets = MOST_BUCKETS * sizeof(int32_t);
    char *room = malloc(edges + buckets + (size_t)b->nedge * sizeof(int32_t));
    if (!room) return tb__fail_memory(edges + buckets, 0, 0, 0);
    j.buckets.edge = room;
    j.buckets.before = (int32_t *)(void *)(room + edges);
    *done = make_buckets(&j, (int32_t *)(void *)(room + edges + buckets));
    const tb_status status = *done ? count_all(&j) : TB_OK;
    free(room);
    return status;
}
