/* paths.c - lengths of shortest paths by Dijkstra's algorithm ("A note on two problems in connexion with graphs",
 * 1959), of all vertices to begin with on all threads. Vertices wait in a heap with four branches at each place, whose
 * nearest is at the front, and each knows its place. */
#include <math.h>
#include <stdlib.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/arith.h"
#include "base/error.h"

enum { TASK = 1 << 14, BRANCHES = 4 };

typedef struct ways {
    double *distance;
    int32_t *heap, *place;
    int32_t n; /* in the heap */
} ways;

/* Puts v in place `at`, or nearer to the front. */
static inline void rise(ways *w, int32_t at, int32_t v)
{
    const double distance = w->distance[v];
    while (at > 0) {
        const int32_t above = (at - 1) / BRANCHES, u = w->heap[above];
        if (w->distance[u] <= distance) break;
        w->heap[at] = u;
        w->place[u] = at;
        at = above;
    }
    w->heap[at] = v;
    w->place[v] = at;
}

/* Takes the vertex at the front. */
static inline int32_t nearest(ways *w)
{
    const int32_t found = w->heap[0], v = w->heap[--w->n];
    const double distance = w->distance[v];
    int64_t at = 0;
    for (;;) {
        const int64_t first = BRANCHES * at + 1, end = tb__min(first + BRANCHES, w->n);
        int64_t least = -1;
        double to_beat = distance;
        for (int64_t k = first; k < end; k++)
            if (w->distance[w->heap[k]] < to_beat) {
                to_beat = w->distance[w->heap[k]];
                least = k;
            }
        if (least < 0) break;
        w->heap[at] = w->heap[least];
        w->place[w->heap[at]] = (int32_t)at;
        at = least;
    }
    w->heap[at] = v;
    w->place[v] = (int32_t)at;
    return found;
}

#define LOOPS "backend/cpu/sparse/path_loops.h"
#include "backend/cpu/sparse/index_widths.h"

typedef struct job {
    const tb_sparse_paths *s;
    int64_t parts;
} job;

/* A row of results from `count` vertices. */
static void row(const tb_sparse_paths *s, ways *w, const int64_t *first, int64_t count, double *distance)
{
    for (int64_t v = 0; v < s->p.rows; v++) distance[v] = HUGE_VAL;
    w->distance = distance;
    for (int64_t i = 0; i < count; i++) {
        if (distance[first[i]] != 0) w->heap[w->n++] = (int32_t)first[i];
        distance[first[i]] = 0;
    }
    (s->p.wide ? go_64 : go_32)(s, w);
}

static bool rows(void *arg, int64_t part)
{
    const job *j = arg;
    const tb_sparse_paths *s = j->s;
    const int64_t n = s->p.rows, from = s->count * part / j->parts, to = s->count * (part + 1) / j->parts;
    ways w = {.heap = malloc((2 * (size_t)n + 1) * sizeof(int32_t))};
    if (!w.heap) return false;
    w.place = w.heap + n;
    if (s->any) row(s, &w, s->first, s->count, s->distance);
    for (int64_t i = from; i < to && !s->any; i++) row(s, &w, s->first + i, 1, s->distance + i * n);
    free(w.heap);
    return true;
}

static tb_status directed(const tb_sparse_paths *s, int64_t n)
{
    const int64_t work = s->count * (s->p.rows + n);
    const job j = {s, s->any ? 1 : tb__max(tb__min(s->count, work / TASK), 1)};
    return tb__parallel(j.parts, rows, (void *)&j);
}

tb_status tb__cpu_sparse_paths(const tb_sparse_paths *s, int64_t n)
{
    if (!s->both) return directed(s, n);
    tb_sparse_paths turned = *s;
    void *room = NULL;
    TB_TRY(tb__sparse_both_ways(&s->p, s->data, n, &turned.p, &turned.data, &room));
    const tb_status status = directed(&turned, 2 * n);
    free(room);
    return status;
}
