/* component_loops.h - connected components of graphs. Included by components.c for each width of indices: INDEX is
 * their type, LOOP(name) a loop's name. */

/* Vertices point to others of their component, of lower numbers: trees, whose roots have the lowest. Paths to the root
 * are halved as they are gone (Tarjan and van Leeuwen, 1984). */
static void LOOP(unite)(const tb_sparse_pattern *p, int32_t *above)
{
    const INDEX *start = p->start, *index = p->index;
    for (int64_t r = 0; r < p->rows; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            int32_t a = root_of(above, (int32_t)r), b = root_of(above, (int32_t)index[k]);
            if (a < b) above[b] = a;
            else above[a] = b;
        }
}

/* Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion: `path` are the vertices that are
 * being searched, `waiting` those whose component is not complete. A vertex is labelled when its component is; until
 * then its label is -1 (not seen), or -2. */
static int64_t LOOP(search)(const tb_sparse_pattern *p, const tb_search *s, int32_t *label)
{
    const INDEX *start = p->start, *index = p->index;
    INDEX *left = s->left;
    int64_t count = 0, seen = 0, nwaiting = 0;
    for (int64_t r = 0; r < p->rows; r++) {
        int64_t length = 0;
        if (label[r] != -1) continue;
        s->path[length++] = (int32_t)r;
        while (length > 0) {
            const int32_t v = s->path[length - 1];
            if (label[v] == -1) {
                label[v] = -2;
                left[v] = start[v + 1];
                s->order[v] = s->low[v] = (int32_t)seen++;
                s->waiting[nwaiting++] = v;
            }
            if (left[v] > start[v]) {
                const int32_t w = (int32_t)index[--left[v]];
                if (label[w] == -1) s->path[length++] = w;
                else if (label[w] == -2 && s->order[w] < s->low[v]) s->low[v] = s->order[w];
                continue;
            }
            length--;
            if (length > 0) s->low[s->path[length - 1]] = (int32_t)tb__min(s->low[s->path[length - 1]], s->low[v]);
            if (s->low[v] != s->order[v]) continue;
            while (label[v] == -2) label[s->waiting[--nwaiting]] = (int32_t)count;
            count++;
        }
    }
    return count;
}

/* Kruskal, "On the shortest spanning subtree of a graph and the traveling salesman problem" (1956). */
static tb_status LOOP(connect)(const tb_sparse_pattern *p, int32_t *above, const int64_t *order, bool *kept)
{
    const INDEX *start = p->start, *index = p->index;
    const int64_t n = start[p->rows];
    const size_t bytes = (size_t)n * sizeof(int32_t);
    int32_t *row = malloc(bytes + 1);
    if (!row) return tb__fail_memory(bytes, 0, 0, 0);
    for (int64_t r = 0; r < p->rows; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++) row[k] = (int32_t)r;
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = order[i];
        const int32_t a = root_of(above, row[k]), b = root_of(above, (int32_t)index[k]);
        kept[k] = a != b;
        if (a < b) above[b] = a;
        else above[a] = b;
    }
    free(row);
    return TB_OK;
}
