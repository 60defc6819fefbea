/* matching_loops.h - a matching of rows and columns. Included by matching.c for each width of indices: INDEX is their
 * type, LOOP(name) a loop's name. */

/* How far each row is from one without a column, along edges to columns and back with the rows that have these, up to
 * the length of a shortest path to a column without a row, which is returned: 0 if there is none. */
static int32_t LOOP(layers)(const tb_sparse_pattern *p, matching *m)
{
    const INDEX *start = p->start, *index = p->index;
    int64_t n = 0;
    int32_t length = 0;
    for (int64_t r = 0; r < p->rows; r++) {
        m->layer[r] = m->column[r] < 0 ? 0 : NOT_SEEN;
        if (m->column[r] < 0) m->waiting[n++] = (int32_t)r;
    }
    for (int64_t i = 0; i < n; i++) {
        const int32_t r = m->waiting[i], next = m->layer[r] + 1;
        if (length > 0 && next > length) break;
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            const int32_t other = m->row[index[k]];
            if (other < 0) length = next;
            else if (m->layer[other] == NOT_SEEN) {
                m->layer[other] = next;
                m->waiting[n++] = other;
            }
        }
    }
    return length;
}

/* Whether one of a row's columns has no row, at the end of a path of this length, along which edges take turns then. */
static bool LOOP(end)(const tb_sparse_pattern *p, matching *m, int32_t r, int32_t length)
{
    const INDEX *start = p->start, *index = p->index;
    if (m->layer[r] + 1 != length) return false;
    for (INDEX k = start[r]; k < start[r + 1]; k++)
        if (m->row[index[k]] < 0) {
            for (int32_t c = (int32_t)index[k], before; c >= 0; c = before, r = m->from[r]) {
                before = m->column[r];
                m->column[r] = c;
                m->row[c] = r;
            }
            return true;
        }
    return false;
}

/* A path from row `first` on, of which each row is in the layer behind the last one's; the last of several first. */
static bool LOOP(augment)(const tb_sparse_pattern *p, matching *m, int32_t first, int32_t length)
{
    const INDEX *start = p->start, *index = p->index;
    int64_t n = 0;
    m->waiting[n++] = first;
    while (n > 0) {
        const int32_t r = m->waiting[--n];
        if (m->layer[r] == DONE) continue;
        if (LOOP(end)(p, m, r, length)) return true;
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            const int32_t other = m->row[index[k]];
            if (other < 0 || m->layer[other] != m->layer[r] + 1) continue;
            m->from[other] = r;
            m->waiting[n++] = other;
        }
        m->layer[r] = DONE;
    }
    return false;
}

static void LOOP(match)(const tb_sparse_pattern *p, matching *m)
{
    int32_t length;
    while ((length = LOOP(layers)(p, m)) > 0)
        for (int64_t r = 0; r < p->rows; r++)
            if (m->column[r] < 0) LOOP(augment)(p, m, (int32_t)r, length);
}
