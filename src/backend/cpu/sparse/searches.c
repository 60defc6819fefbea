/* searches.c - searches of graphs, and the trees that they leave. */
#include <math.h>
#include <stdlib.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

#define LOOPS "backend/cpu/sparse/search_loops.h"
#include "backend/cpu/sparse/index_widths.h"

/* Of edges that go as they say. */
static tb_status search(tb_sparse_search *s)
{
    for (int64_t v = 0; v < s->p.rows; v++) s->from[v] = TB_NO_VERTEX;
    s->order[0] = s->first;
    if (!s->depth) {
        s->count = (s->p.wide ? breadth_first_64 : breadth_first_32)(s);
        return TB_OK;
    }
    const size_t bytes = (size_t)s->p.rows * tb__index_loops(s->p.wide)->size;
    void *done = calloc(bytes, 1);
    if (!done) return tb__fail_memory(bytes, 0, 0, 0);
    s->count = (s->p.wide ? depth_first_64 : depth_first_32)(s, done);
    free(done);
    return TB_OK;
}

tb_status tb__sparse_both_ways(const tb_sparse_pattern *p, const double *data, int64_t n, tb_sparse_pattern *out,
                               const double **values, void **room)
{
    const size_t index_bytes = ((size_t)p->rows + 1 + 2 * (size_t)n) * sizeof(int64_t);
    const size_t bytes = index_bytes + (data ? 2 * (size_t)n * sizeof *data : 0);
    int64_t *start = malloc(bytes), *index = start ? start + p->rows + 1 : NULL;
    double *lengths = data && start ? (double *)(void *)(index + 2 * n) : NULL;
    if (!start) return tb__fail_memory(bytes, 0, 0, 0);
    (p->wide ? both_ways_64 : both_ways_32)(p, data, start, index, lengths);
    *out = (tb_sparse_pattern){p->rows, p->cols, true, start, index};
    *values = lengths;
    *room = start;
    return TB_OK;
}

static tb_status search_both_ways(tb_sparse_search *s, int64_t n)
{
    const double *none;
    void *room = NULL;
    TB_TRY(tb__sparse_both_ways(&s->p, NULL, n, &s->p, &none, &room));
    const tb_status status = search(s);
    free(room);
    return status;
}

tb_status tb__cpu_sparse_search(tb_sparse_search *s, int64_t n) { return s->both ? search_both_ways(s, n) : search(s); }

/* Vertices by the ones before them: start, which is zero, and index. */
static void children(const tb_sparse_tree *t)
{
    const int64_t n = t->p.rows;
    for (int64_t v = 0; v < n; v++)
        if (t->from[v] >= 0) t->start[t->from[v] + 1]++;
    for (int64_t v = 0; v < n; v++) t->start[v + 1] += t->start[v];
    for (int64_t v = 0; v < n; v++)
        if (t->from[v] >= 0) t->index[t->start[t->from[v]]++] = (int32_t)v;
    for (int64_t v = n; v > 0; v--) t->start[v] = t->start[v - 1];
    t->start[0] = 0;
}

tb_status tb__cpu_sparse_tree(const tb_sparse_tree *t)
{
    const size_t n = (size_t)t->p.rows;
    double *there = calloc(2 * n + 1, sizeof *there), *back = t->both && there ? there + n : NULL;
    if (!there) return tb__fail_memory((2 * n + 1) * sizeof *there, 0, 0, 0);
    (t->p.wide ? lengths_64 : lengths_32)(t, there, back);
    children(t);
    for (int64_t k = 0; k < t->start[n]; k++) {
        const int32_t v = t->index[k];
        double length = there[v];
        if (back) { /* zero is no edge */
            const double other = back[v] != 0 ? back[v] : HUGE_VAL;
            length = length != 0 ? length : HUGE_VAL;
            length = length < other || isnan(length) ? length : other;
        }
        t->value[k] = length;
    }
    free(there);
    return TB_OK;
}
