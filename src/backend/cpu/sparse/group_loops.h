/* group_loops.h - elements put where their rows are, and rows put in order, with their values. Included by groups.c for
 * each width of indices and size of values: INDEX and VALUE are their types, LOOP(name) a loop's name. */

/* Elements `from` up to `to`, or of a pattern rows; false: some column is none. The table says where rows go on. */
static bool LOOP(place)(const tb_sparse_grouping *g, int64_t from, int64_t to, void *table_)
{
    const INDEX *row = g->row, *col = g->col;
    const VALUE *values = g->values;
    INDEX *table = table_, *index = g->index;
    VALUE *moved = g->moved;
    for (int64_t k = from; k < to; k++) {
        const INDEX at = table[row[k]]++;
        if ((uint64_t)col[k] >= (uint64_t)g->cols) return false;
        index[at] = col[k];
        moved[at] = values[k];
    }
    return true;
}

static void LOOP(place_rows)(const tb_sparse_grouping *g, int64_t from, int64_t to, void *table_)
{
    const INDEX *start = g->p->start, *old = g->p->index;
    const VALUE *values = g->values;
    INDEX *table = table_, *index = g->index;
    VALUE *moved = g->moved;
    for (int64_t r = from; r < to; r++)
        for (INDEX k = start[r]; k < start[r + 1]; k++) {
            const INDEX at = table[old[k]]++;
            index[at] = (INDEX)r;
            moved[at] = values[k];
        }
}

static bool LOOP(is_row_sorted)(const INDEX *index, INDEX n)
{
    INDEX falls = 0;
    for (INDEX i = 1; i < n; i++) falls |= index[i] < index[i - 1];
    return !falls;
}

static bool LOOP(sort_rows)(const tb_sparse_grouping *g, const tb_index_loops *l, int64_t from, int64_t to)
{
    const INDEX *start = g->start;
    for (int64_t r = from; r < to; r++) {
        INDEX *index = (INDEX *)g->index + start[r];
        VALUE *moved = (VALUE *)g->moved + start[r];
        const INDEX n = start[r + 1] - start[r];
        if (LOOP(is_row_sorted)(index, n)) continue;
        /* Either may be the wider one: both begin where any type may. */
        const size_t places = ((size_t)n * 3 * sizeof(INDEX) + 15) / 16 * 16;
        char *room = tb__scratch(places + (size_t)n * sizeof(VALUE));
        if (!room) return false;
        INDEX *order = (INDEX *)room;
        VALUE *before = (VALUE *)(room + places);
        memcpy(before, moved, (size_t)n * sizeof *before);
        l->sort_row(n, index, order, order + n);
        for (INDEX i = 0; i < n; i++) moved[i] = before[order[i]];
    }
    return true;
}
