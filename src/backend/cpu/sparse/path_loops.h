/* path_loops.h - shortest paths. Included by paths.c for each width of indices: INDEX is their type, LOOP(name) a
 * loop's name. */

/* From the vertices that are waiting, whose distances are 0; all others are infinitely far. */
static void LOOP(go)(const tb_sparse_paths *s, ways *w)
{
    const INDEX *start = s->p.start, *index = s->p.index;
    double *distance = w->distance;
    while (w->n > 0) {
        const int32_t v = nearest(w);
        for (INDEX k = start[v]; k < start[v + 1]; k++) {
            const INDEX u = index[k];
            const double there = distance[v] + (s->data ? s->data[k] : 1);
            if (!(there < distance[u]) || there > s->limit) continue;
            if (distance[u] == HUGE_VAL) w->place[u] = w->n++;
            distance[u] = there;
            rise(w, w->place[u], (int32_t)u);
        }
    }
}
