/* sort_parallel.c - quicksort of keys (loops/sort_loops.c) on all threads: many are split until there are parts for
 * each. Keys that are made of something elsewhere are split while they are made, piece by piece. */
#include "backend/cpu/plans/sort.h"

#include <stdatomic.h>
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

static bool is_in_order(const key_job *j, const void *key, int64_t n)
{
    switch (j->t) {
    case TB_I32: return j->loops->in_order_32(key, n);
    case TB_F32: return j->loops->in_order_f32(key, n);
    case TB_F64: return j->loops->in_order_f64(key, n);
    default: return j->loops->in_order_64(key, n);
    }
}

/* A piece and the key behind it. */
static bool look_at_piece(void *arg, int64_t task)
{
    key_job *j = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE + 1, j->n - at);
    if (j->in_order && !is_in_order(j, (char *)j->key + at * (int64_t)tb_dtype_size(j->t), n)) j->in_order = false;
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

/* The whole, of which `less` are in front of the others. */
static tb_status split_and_sort(key_job *j, int64_t less)
{
    const int64_t n = j->n, enough = tb__max(n / (4 * tb__threads()), TB_SORT_PIECE);
    /* Halves are at most twice what is split at a time; of those that are enough there are at most one a split. */
    part *room = malloc(3 * MOST_PARTS * sizeof *room), *now = room, *next = room + MOST_PARTS,
         *done = room + 2 * MOST_PARTS;
    if (!room) return tb__fail_memory(3 * MOST_PARTS * sizeof *room, 0, 0, 0);
    int64_t ndone = 0;
    part whole = {.n = n, .less = less};
    j->part = &whole;
    int64_t parts = halve(j, 1, enough, now, done, &ndone);
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
    return j.in_order ? TB_OK : split_and_sort(&j, 0);
}

tb_status tb__sort_64(int64_t *key, int64_t n) { return sort_keys(TB_I64, key, n); }

/* ---- keys that are made ------------------------------------------------------------------------------------------ */

enum { SAMPLE = 511 };

typedef union number {
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
} number;

typedef struct made {
    key_job keys;
    tb_make_keys *make;
    const void *arg;
    int64_t size;
    number pivot;
    _Atomic int64_t low, high; /* up to where, and from where, keys are in their part */
    _Atomic bool all;          /* could be made */
} made;

static bool make_piece(void *arg, int64_t task)
{
    made *m = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE, m->keys.n - at);
    if (m->all && !m->make(m->arg, at, n, (char *)m->keys.key + at * m->size)) m->all = false;
    return true;
}

static void *room_for(const made *m) { return tb__scratch((size_t)((TB_SORT_PIECE + 1) * m->size)); }

/* A piece and the key behind it. */
static bool look_at_made(void *arg, int64_t task)
{
    made *m = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE + 1, m->keys.n - at);
    void *key = room_for(m);
    if (!key) return false;
    if (!m->keys.in_order || !m->all) return true;
    if (!m->make(m->arg, at, n, key)) m->all = false;
    else if (!is_in_order(&m->keys, key, n)) m->keys.in_order = false;
    return true;
}

static int64_t part_by(const made *m, void *key, int64_t n)
{
    const tb_sort_loops *loops = m->keys.loops;
    switch (m->keys.t) {
    case TB_I32: return loops->part_32(key, n, m->pivot.i32);
    case TB_F32: return loops->part_f32(key, n, m->pivot.f32);
    case TB_F64: return loops->part_f64(key, n, m->pivot.f64);
    default: return loops->part_64(key, n, m->pivot.i64);
    }
}

/* A piece is split where it is made, and its parts go to those of the whole. */
static bool deal_out_piece(void *arg, int64_t task)
{
    made *m = arg;
    const int64_t at = task * TB_SORT_PIECE, n = tb__min(TB_SORT_PIECE, m->keys.n - at), size = m->size;
    char *key = room_for(m), *to = m->keys.key;
    if (!key) return false;
    if (!m->all) return true;
    if (!m->make(m->arg, at, n, key)) {
        m->all = false;
        return true;
    }
    const int64_t less = part_by(m, key, n), low = atomic_fetch_add(&m->low, less);
    const int64_t high = atomic_fetch_sub(&m->high, n - less) - (n - less);
    memcpy(to + low * size, key, (size_t)(less * size));
    memcpy(to + high * size, key + less * size, (size_t)((n - less) * size));
    return true;
}

/* The middle one of a sample. */
static bool choose_pivot(made *m)
{
    char some[SAMPLE * sizeof(number)];
    part whole = {.n = SAMPLE};
    key_job j = {.loops = m->keys.loops, .t = m->keys.t, .key = some, .part = &whole};
    const int64_t stretch = m->keys.n / SAMPLE;
    uint64_t random = (uint64_t)m->keys.n;
    for (int64_t i = 0; i < SAMPLE; i++) {
        random = random * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
        const int64_t at = stretch * i + (int64_t)((random >> 33) % (uint64_t)stretch);
        if (!m->make(m->arg, at, 1, some + i * m->size)) return false;
    }
    sort_part(&j, 0);
    memcpy(&m->pivot, some + SAMPLE / 2 * m->size, (size_t)m->size);
    return true;
}

/* Keys are read and written once for the first split. */
static tb_status deal_out(made *m)
{
    if (!choose_pivot(m)) {
        m->all = false;
        return TB_OK;
    }
    TB_TRY(tb__parallel(tb__sort_pieces(m->keys.n), deal_out_piece, m));
    return m->all ? split_and_sort(&m->keys, m->low) : TB_OK;
}

tb_status tb__sort_made(tb_dtype t, tb_make_keys *make, const void *arg, bool apart, void *key, int64_t n, bool *done)
{
    made m = {{tb__sort_loops(), t, key, n, NULL, true}, make, arg, (int64_t)tb_dtype_size(t), {0}, 0, n, true};
    const bool deals = apart && n > TB_SORT_PIECE && tb__threads() > 1;
    if (deals) TB_TRY(tb__parallel(tb__sort_pieces(n), look_at_made, &m));
    tb_status status = TB_OK;
    if (deals && !m.keys.in_order) status = deal_out(&m);
    else {
        if (m.all) status = tb__parallel(tb__sort_pieces(n), make_piece, &m);
        if (status == TB_OK && m.all && !deals) status = sort_keys(t, key, n);
    }
    *done = m.all;
    return status;
}
