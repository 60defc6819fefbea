/* search_loops.h - searches of graphs, and the trees that they leave. Included by searches.c for each width of indices:
 * INDEX is their type, LOOP(name) a loop's name. */

static int64_t LOOP(breadth_first)(const tb_sparse_search *s)
{
    const INDEX *start = s->p.start, *index = s->p.index;
    int32_t *const order = s->order, *const from = s->from, first = s->first;
    int64_t found = 1;
    for (int64_t k = 0; k < found; k++) {
        const int32_t v = order[k];
        for (INDEX j = start[v], end = start[v + 1]; j < end; j++) {
            const int32_t w = (int32_t)index[j];
            if (from[w] >= 0 || w == first) continue;
            from[w] = v;
            order[found++] = w;
        }
    }
    return found;
}

/* The way back is in `from`; done: how many edges of each vertex have been gone along, of INDEX. */
static int64_t LOOP(depth_first)(const tb_sparse_search *s, void *room)
{
    const INDEX *start = s->p.start, *index = s->p.index;
    int32_t *const order = s->order, *const from = s->from, first = s->first;
    INDEX *done = room;
    int64_t found = 1;
    for (int32_t v = first; v >= 0;) {
        const INDEX end = start[v + 1];
        INDEX j = start[v] + done[v];
        while (j < end && (from[index[j]] >= 0 || index[j] == first)) j++;
        done[v] = j + 1 - start[v];
        if (j < end) {
            from[index[j]] = v;
            v = order[found++] = (int32_t)index[j];
        } else v = from[v];
    }
    return found;
}

/* Each row with the column's elements behind its own: start is of rows + 1 numbers, index and values (or NULL) of twice
 * p's. */
static void LOOP(both_ways)(const tb_sparse_pattern *p, const double *data, int64_t *start, int64_t *index,
                            double *values)
{
    const INDEX *own = p->start, *to = p->index;
    for (int64_t v = 0; v <= p->rows; v++) start[v] = 0;
    for (INDEX k = 0; k < own[p->rows]; k++) start[to[k]]++;
    int64_t at = 0; /* start[v] becomes where the column's elements of row v go */
    for (int64_t v = 0; v < p->rows; v++) {
        const int64_t others = start[v];
        for (INDEX k = own[v]; k < own[v + 1]; k++) {
            if (data) values[at] = data[k];
            index[at++] = to[k];
        }
        start[v] = at;
        at += others;
    }
    for (int64_t v = 0; v < p->rows; v++)
        for (INDEX k = own[v]; k < own[v + 1]; k++) {
            const int64_t place = start[to[k]]++;
            if (data) values[place] = data[k];
            index[place] = v;
        }
    for (int64_t v = p->rows; v > 0; v--) start[v] = start[v - 1];
    start[0] = 0;
}

/* Adds up the lengths of the edge to each vertex from the one before it, and back if `back` is not NULL. */
static void LOOP(lengths)(const tb_sparse_tree *t, double *there, double *back)
{
    const INDEX *start = t->p.start, *index = t->p.index;
    for (int64_t v = 0; v < t->p.rows; v++)
        for (INDEX k = start[v]; k < start[v + 1]; k++) {
            const INDEX w = index[k];
            if (t->from[w] == v) there[w] += t->data[k];
            if (back && t->from[v] == w) back[v] += t->data[k];
        }
}
