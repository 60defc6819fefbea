/* sort_parallel.c - quicksort of keys (loops/sort_loops.c) on all threads: many are split until there are parts for
 * each. */
#include "backend/cpu/plans/sort.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "base/error.h"
#include "base/threads.h"

enum { MOST_PARTS = 1 << 10 };

typedef struct part {
    int64_t from, n;
    int64_t less; /* after a split */
    bool same;
} part;

typedef struct key_job {
    const tb_sort_loops *loops;
    tb_dtype t; /* int32, int64, float32 or float64 */
    void *key;
    int64_t n;
    part *part;
    _Atomic bool in_order; /* all that was looked at */
} key_job;

/* A piece and the element behind it. */
static bool look_at_piece(void *arg, int64_t task)
{
    key_job *j = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE + 1, j->n - at);
    bool in_order = j->in_order;
    switch (in_order ? j->t : TB_NODTYPE) {
    case TB_I32: in_order = j->loops->in_order_32((int32_t *)j->key + at, n); break;
    case TB_F32: in_order = j->loops->in_order_f32((float *)j->key + at, n); break;
    case TB_F64: in_order = j->loops->in_order_f64((double *)j->key + at, n); break;
    case TB_I64: in_order = j->loops->in_order_64((int64_t *)j->key + at, n); break;
    default: return true;
    }
    if (!in_order) j->in_order = false;
    return true;
}

static bool split_part(void *arg, int64_t task)
{
    const key_job *j = arg;
    part *p = &j->part[task];
    switch (j->t) {
    case TB_I32: p->less = j->loops->split_32((int32_t *)j->key + p->from, p->n, &p->same); break;
    case TB_F32: p->less = j->loops->split_f32((float *)j->key + p->from, p->n, &p->same); break;
    case TB_F64: p->less = j->loops->split_f64((double *)j->key + p->from, p->n, &p->same); break;
    default: p->less = j->loops->split_64((int64_t *)j->key + p->from, p->n, &p->same);
    }
    return true;
}

static bool sort_part(void *arg, int64_t task)
{
    const key_job *j = arg;
    const part *p = &j->part[task];
    switch (j->t) {
    case TB_I32: j->loops->sort_32((int32_t *)j->key + p->from, p->n); break;
    case TB_F32: j->loops->sort_f32((float *)j->key + p->from, p->n); break;
    case TB_F64: j->loops->sort_f64((double *)j->key + p->from, p->n); break;
    default: j->loops->sort_64((int64_t *)j->key + p->from, p->n);
    }
    return true;
}

/* Parts of up to `enough` stay behind at `done`; the others, of which there are n at j->part, are replaced by their
 * halves. Returns how many those are. */
static int64_t halve(key_job *j, int64_t n, int64_t enough, part *halves, part *done, int64_t *ndone)
{
    int64_t more = 0;
    for (int64_t i = 0; i < n; i++) {
        const part *p = &j->part[i];
        const part half[2] = {{.from = p->from, .n = p->same ? 0 : p->less},
                              {.from = p->from + p->less, .n = p->n - p->less}};
        for (int k = 0; k < 2; k++) {
            if (half[k].n > enough) halves[more++] = half[k];
            else if (half[k].n > 1) done[(*ndone)++] = half[k];
        }
    }
    return more;
}

static tb_status split_and_sort(key_job *j)
{
    const int64_t n = j->n, enough = tb__max(n / (4 * tb__threads()), TB_SORT_PIECE);
    /* Halves are at most twice what is split at a time; of those that are enough there are at most one a split. */
    part *room = malloc(3 * MOST_PARTS * sizeof *room), *now = room, *next = room + MOST_PARTS,
         *done = room + 2 * MOST_PARTS;
    if (!room) return tb__fail_memory(3 * MOST_PARTS * sizeof *room, 0, 0, 0);
    int64_t parts = 1, ndone = 0;
    now[0] = (part){.n = n};
    tb_status status = TB_OK;
    while (status == TB_OK && parts > 0 && 2 * parts + ndone < MOST_PARTS) {
        j->part = now;
        status = tb__parallel(parts, split_part, j);
        if (status != TB_OK) break;
        parts = halve(j, parts, enough, next, done, &ndone);
        part *other = now;
        now = next;
        next = other;
    }
    memcpy(done + ndone, now, (size_t)parts * sizeof *now);
    j->part = done;
    if (status == TB_OK) status = tb__parallel(ndone + parts, sort_part, j);
    free(room);
    return status;
}

static tb_status sort_keys(tb_dtype t, void *key, int64_t n)
{
    part whole = {.n = n};
    key_job j = {tb__sort_loops(), t, key, n, &whole, true};
    if (n <= TB_SORT_PIECE || tb__threads() == 1) {
        sort_part(&j, 0);
        return TB_OK;
    }
    TB_TRY(tb__parallel(tb__sort_pieces(n), look_at_piece, &j));
    return j.in_order ? TB_OK : split_and_sort(&j);
}

tb_status tb__sort_32(int32_t *key, int64_t n) { return sort_keys(TB_I32, key, n); }

tb_status tb__sort_64(int64_t *key, int64_t n) { return sort_keys(TB_I64, key, n); }

tb_status tb__sort_plain(tb_dtype t, void *x, int64_t n) { return sort_keys(t, x, n); }
