/* move_loops.h - columns of a matrix picked with their values, for rows `from` up to `to`. Included by moves.c for each
 * width of indices and size of values: INDEX and VALUE are their types, LOOP(name) a loop's name. */

static void LOOP(take_cols)(const tb_sparse_move *m, int64_t from, int64_t to)
{
    const INDEX *start = m->a.start, *index = m->a.index, *place = m->table, *order = place + m->a.cols + 1;
    const INDEX *new_start = m->start;
    const VALUE *values = m->values;
    for (int64_t r = from; r < to; r++) {
        INDEX *out = (INDEX *)m->index + new_start[r], *const end = (INDEX *)m->index + new_start[r + 1];
        VALUE *moved = (VALUE *)m->moved + new_start[r];
        for (INDEX k = start[r]; k < start[r + 1] && out < end; k++) {
            const INDEX first = place[index[k]], n = place[index[k] + 1] - first;
            const VALUE value = values[k];
            /* The first place is written even if there is none, since a branch would be foreseen as often as not. */
            *out = order[first];
            *moved = value;
            for (INDEX i = 1; i < n; i++) {
                out[i] = order[first + i];
                moved[i] = value;
            }
            out += n;
            moved += n;
        }
    }
}
