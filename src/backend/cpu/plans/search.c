/* search.c - where values belong among elements in order, on all threads (loops/search_loops.h): of values that are
 * close to each other the next ones are looked for about the last ones' places first, and one after the other where
 * they rise. */

#include "backend/cpu/loops/search_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"

/* ABOUT: more elements than values that are close to each other move by. HARDLY, SLOWLY: TB_SEARCH_FEW values that rise
 * slowly pass more than the one and at most the other; those that pass fewer are best compared with all of them. */
enum { PIECE = 1 << 14, ABOUT = 8, HARDLY = 4, SLOWLY = 48 };

const tb_search_loops *tb__search_loops(void) { return TB_OF_ISA(&tb__search_loops_); }

typedef struct search_job {
    const tb_search *s;
    tb_search_loop *loop;
    tb_follow_loop *follow;
    int64_t size;          /* of an element */
    const tb_lines *lines; /* or NULL */
} search_job;

/* Elements [from, from + n) of those in order; and of values that rise slowly the last one's place, else 0. */
typedef struct window {
    int64_t from, n, follow;
} window;

/* The least and the largest of places. */
typedef struct places {
    int64_t least, most;
} places;

static places places_of(const int64_t *place, int few)
{
    places p = {place[0], place[0]};
    for (int k = 1; k < few; k++) {
        p.least = tb__min(p.least, place[k]);
        p.most = tb__max(p.most, place[k]);
    }
    return p;
}

/* Whether what was found in a part of what is in order is so in all of it: something in the part comes before each
 * value, and something does not. */
static bool holds(places p, window w, int64_t nsorted)
{
    return (p.least > 0 || w.from == 0) && (p.most < w.n || w.from + w.n == nsorted);
}

/* Where values that follow on those from place `first` to place `last` are likely to be, in either direction; all,
 * where that is no small part. */
static window guess(places p, int64_t first, int64_t last, int64_t nsorted)
{
    const int64_t span = p.most - p.least, ahead = span + span / 4 + ABOUT;
    const bool up = last - first >= span - ABOUT;
    const bool down = first - last >= span - ABOUT;
    const int64_t follow = last >= first && up && span > HARDLY && span <= SLOWLY ? last : 0;
    const int64_t from = tb__max(up ? p.most - ABOUT : p.least - ahead, 0);
    const int64_t n = tb__min(down && !up ? p.least + ABOUT : p.most + ahead, nsorted) - from;
    return n < nsorted / 4 ? (window){from, n, follow} : (window){0, nsorted, follow};
}

/* At most TB_SEARCH_FEW values; the window for those that follow is left behind. */
static void search_few(const search_job *j, const char *value, int few, window *w, int64_t *out)
{
    const tb_search *s = j->s;
    if (w->follow > 0 && j->follow(s->sorted, s->nsorted, value, few, w->follow, out) == few) {
        *w = guess((places){out[0], out[few - 1]}, out[0], out[few - 1], s->nsorted);
        return;
    }
    j->loop((const char *)s->sorted + w->from * j->size, w->n, value, few, out);
    places p = places_of(out, few);
    if (!holds(p, *w, s->nsorted)) {
        *w = (window){0, s->nsorted, 0};
        j->loop(s->sorted, w->n, value, few, out);
        p = places_of(out, few);
    }
    const int64_t from = w->from;
    for (int k = 0; k < few && from > 0; k++) out[k] += from;
    *w = guess((places){p.least + from, p.most + from}, out[0], out[few - 1], s->nsorted);
}

static bool search_piece(void *arg, int64_t task)
{
    const search_job *j = arg;
    const int64_t to = tb__min((task + 1) * PIECE, j->s->n);
    window w = {0, j->s->nsorted, 0};
    for (int64_t at = task * PIECE; at < to; at += TB_SEARCH_FEW)
        search_few(j, (const char *)j->s->values + at * j->size, (int)tb__min(TB_SEARCH_FEW, to - at), &w,
                   j->s->out + at);
    return true;
}

tb_status tb__cpu_search(const tb_search *s)
{
    const tb_search_loops *all = tb__search_loops();
    search_job j = {s, (s->right ? all->right : all->left)[s->dtype],
                    (s->right ? all->follow_right : all->follow_left)[s->dtype], (int64_t)tb_dtype_size(s->dtype),
                    NULL};
    return tb__parallel(tb__ceil_div(s->n, PIECE), search_piece, &j);
}

/* ---- lines between points ---------------------------------------------------------------------------------------- */

static bool interp_piece(void *arg, int64_t task)
{
    const search_job *j = arg;
    const tb_lines *l = j->lines;
    const int64_t to = tb__min((task + 1) * PIECE, l->n);
    const tb_search_loops *all = tb__search_loops();
    int64_t place[TB_SEARCH_FEW];
    window w = {0, l->npoint, 0};
    for (int64_t at = task * PIECE; at < to; at += TB_SEARCH_FEW) {
        const int few = (int)tb__min(TB_SEARCH_FEW, to - at);
        search_few(j, (const char *)(l->x + at), few, &w, place);
        all->between(l->xp, l->fp, l->npoint, l->x + at, place, few, l->left, l->right, l->out + at);
    }
    return true;
}

tb_status tb__cpu_interp(const tb_lines *l)
{
    if (l->npoint == 1) {
        for (int64_t i = 0; i < l->n; i++)
            l->out[i] = l->x[i] < l->xp[0] ? l->left : l->x[i] > l->xp[0] ? l->right : l->fp[0];
        return TB_OK;
    }
    const tb_search s = {.dtype = TB_F64, .sorted = l->xp, .nsorted = l->npoint, .n = l->n};
    const tb_search_loops *all = tb__search_loops();
    search_job j = {&s, all->right[TB_F64], all->follow_right[TB_F64], sizeof(double), l};
    return tb__parallel(tb__ceil_div(l->n, PIECE), interp_piece, &j);
}
