/* recur.c - digital filters along rows: rows are cut into blocks (recur_blocks.c), and as many blocks as there are
 * lanes go through the loops (loops/recur_loops.h) at a time, on all threads.
 *
 * In one pass the blocks' first states are found, in another the blocks are computed from them. What comes behind the
 * last whole block is a third one. Numbers that are not finite stay in a filter for good: behind the first block that
 * ends in one its row is computed anew, without blocks, so that what they become is what it would be in a row. */
#include "backend/cpu/plans/recur.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { MOST_LANES = 64 };

static const tb_recur_loops *loops(tb_dtype t)
{
    const tb_recur_isa *isa = TB_OF_ISA(&tb__recur_);
    return &isa->of[t == TB_F32 ? 0 : t == TB_F64 ? 1 : t == TB_C64 ? 2 : 3];
}

/* ---- the filter -------------------------------------------------------------------------------------------------- */

tb_status tb__recur_filter(const tb_recur *r, tb_dtype t, tb_recur_filter *out)
{
    const size_t parts = tb_dtype_kind(t) == TB_KIND_COMPLEX ? 2 : 1, each = ((size_t)r->order + 1) * parts;
    const size_t n = (size_t)r->sections * 2 * each, part = tb_dtype_size(t) / parts;
    char *memory = malloc(n * part + (size_t)r->sections);
    if (!memory) return tb__fail_memory(n * part + (size_t)r->sections, 0, 0, 0);
    *out = (tb_recur_filter){loops(t),
                             r->sections,
                             r->order,
                             r->sections * r->order,
                             parts * part,
                             memory,
                             (bool *)(void *)(memory + n * part)};
    for (size_t i = 0; i < n; i++) {
        if (part == sizeof(float)) ((float *)(void *)memory)[i] = (float)r->coefficients[i];
        else ((double *)(void *)memory)[i] = r->coefficients[i];
    }
    for (int s = 0; s < r->sections; s++) {
        const double *a = r->coefficients + (2 * (size_t)s + 1) * each;
        out->whole[s] = false;
        for (size_t i = parts; i < each; i++)
            if (a[i] != 0) out->whole[s] = true;
    }
    return TB_OK;
}

void tb__recur_filter_free(tb_recur_filter *f) { free(f->c); }

void tb__recur_tile(const tb_recur_filter *f, void *tile, int64_t count, int n, void *states)
{
    const size_t of_section = 2 * ((size_t)f->order + 1) * f->item;
    const size_t of_states = (size_t)f->order * (size_t)f->loops->lanes * f->item;
    for (int s = 0; s < f->sections; s++)
        f->loops->section(tile, count, n, (char *)states + (size_t)s * of_states, f->c + (size_t)s * of_section,
                          f->order, f->whole[s]);
}

/* ---- lanes ------------------------------------------------------------------------------------------------------- */

typedef struct recur_job {
    const tb_recur *r;
    tb_recur_filter f;
    tb_recur_cut cut;
    int64_t rows, step; /* step: elements from one of a row to the next */
    size_t set;         /* bytes of a block's states */
    char *start, *end;  /* the states before and after each block, and before and after what is behind them */
} recur_job;

/* A stretch of a row, and where its states before and after it are. */
typedef struct stretch {
    int64_t row, at;
    const char *start; /* NULL: zeros */
    char *end;
} stretch;

static int64_t offset_of(const recur_job *j, int64_t row, int64_t at)
{
    const tb_recur *r = j->r;
    return row / r->inner * r->n * r->inner + row % r->inner + (r->backwards ? r->n - 1 - at : at) * r->inner;
}

/* Bytes `to` and `from` of a lane's state number i: in lines of tiles, and in a set. */
static void move_states(const recur_job *j, int lane, char *lines, char *set, bool in)
{
    const size_t lanes = (size_t)j->f.loops->lanes;
    const size_t parts = tb_dtype_kind(j->r->dtype) == TB_KIND_COMPLEX ? 2 : 1, part = j->f.item / parts;
    for (size_t i = 0; i < (size_t)j->f.states * parts; i++) {
        char *line = lines + (i * lanes + (size_t)lane) * part, *one = set + i * part;
        memcpy(in ? line : one, in ? one : line, part);
    }
}

static void run_lanes(const recur_job *j, int n, const stretch *s, int64_t length, bool stores, char *room)
{
    const tb_recur_loops *l = j->f.loops;
    const size_t line = (size_t)l->lanes * j->f.item;
    char *states = room + TB_RECUR_TILE * line, *to[MOST_LANES];
    const char *from[MOST_LANES];
    memset(states, 0, (size_t)j->f.states * line);
    for (int i = 0; i < n; i++)
        if (s[i].start) move_states(j, i, states, (char *)s[i].start, true);
    for (int64_t at = 0, count; at < length; at += count) {
        count = tb__min(length - at, TB_RECUR_TILE);
        for (int i = 0; i < n; i++) {
            const int64_t offset = offset_of(j, s[i].row, s[i].at + at) * (int64_t)j->f.item;
            from[i] = (const char *)j->r->x + offset;
            to[i] = (char *)j->r->y + offset;
        }
        l->load(room, count, n, (const void *const *)from, j->step);
        tb__recur_tile(&j->f, room, count, n, states);
        if (stores) l->store(room, count, n, (void *const *)to, j->step);
    }
    for (int i = 0; i < n; i++) move_states(j, i, states, s[i].end, false);
}

static char *room_of(const recur_job *j)
{
    return tb__scratch((TB_RECUR_TILE + (size_t)j->f.states) * (size_t)j->f.loops->lanes * j->f.item);
}

static char *states_at(const recur_job *j, char *of, int64_t block, int64_t row)
{
    return of + (size_t)(block * j->rows + row) * j->set;
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

/* Blocks from number `first` on, of every row; each begins `before` elements before itself. */
typedef struct recur_pass {
    const recur_job *j;
    int64_t first, blocks, before, length;
    bool finds; /* the states before the blocks, rather than what the blocks become from them */
} recur_pass;

static bool pass_task(void *arg, int64_t task)
{
    const recur_pass *p = arg;
    const recur_job *j = p->j;
    const int lanes = j->f.loops->lanes;
    const int64_t from = task * lanes, n = tb__min(lanes, p->blocks * j->rows - from);
    stretch s[MOST_LANES];
    char *room = room_of(j);
    if (!room) return false;
    for (int64_t i = 0; i < n; i++) {
        const int64_t block = p->first + (from + i) / j->rows, row = (from + i) % j->rows;
        char *start = states_at(j, j->start, block, row);
        s[i] = (stretch){row, block * j->cut.length - p->before, p->finds ? NULL : start,
                         p->finds ? start : states_at(j, j->end, block, row)};
    }
    run_lanes(j, (int)n, s, p->length, !p->finds, room);
    return true;
}

static tb_status run_pass(recur_pass p)
{
    return tb__parallel(tb__ceil_div(p.blocks * p.j->rows, p.j->f.loops->lanes), pass_task, &p);
}

static tb_status find_states(const recur_job *j)
{
    const int64_t reach = tb__min(j->cut.reach, j->cut.length);
    if (j->cut.blocks > 1) TB_TRY(run_pass((recur_pass){j, 1, j->cut.blocks - 1, reach, reach, true}));
    for (int64_t b = 1; j->cut.power && b < j->cut.blocks; b++)
        for (int64_t row = 0; row < j->rows; row++)
            tb__recur_advance(&j->cut, j->f.states, j->r->dtype, states_at(j, j->start, b - 1, row),
                              states_at(j, j->start, b, row));
    return TB_OK;
}

static bool is_finite(const recur_job *j, const char *states)
{
    const size_t part = j->r->dtype == TB_F32 || j->r->dtype == TB_C64 ? sizeof(float) : sizeof(double);
    for (size_t i = 0; i < j->set / part; i++) {
        const double z = part == sizeof(float) ? (double)((const float *)(const void *)states)[i]
                                               : ((const double *)(const void *)states)[i];
        if (!isfinite(z)) return false;
    }
    return true;
}

/* A row behind the first of its blocks that ends in numbers that are not finite. */
static bool mend_task(void *arg, int64_t row)
{
    const recur_job *j = arg;
    const int64_t last = j->cut.blocks - 1;
    for (int64_t b = 0; b < last; b++) {
        const char *end = states_at(j, j->end, b, row);
        if (is_finite(j, end)) continue;
        char *room = room_of(j);
        if (!room) return false;
        const stretch rest = {row, (b + 1) * j->cut.length, end, states_at(j, j->end, last, row)};
        run_lanes(j, 1, &rest, (last - b) * j->cut.length, true, room);
        break;
    }
    return true;
}

static tb_status run_blocks(recur_job *j)
{
    const tb_recur_cut *cut = &j->cut;
    const int64_t left = j->r->n - cut->blocks * cut->length;
    TB_TRY(find_states(j));
    TB_TRY(run_pass((recur_pass){j, 0, cut->blocks, 0, cut->length, false}));
    if (cut->blocks > 1) TB_TRY(tb__parallel(j->rows, mend_task, j));
    memcpy(states_at(j, j->start, cut->blocks, 0), states_at(j, j->end, cut->blocks - 1, 0), (size_t)j->rows * j->set);
    return left ? run_pass((recur_pass){j, cut->blocks, 1, 0, left, false}) : TB_OK;
}

/* ---- states of the caller ---------------------------------------------------------------------------------------- */

/* (sections, outer, order, inner), and sets. */
static void move_outer_states(const recur_job *j, char *outer, char *sets, bool in)
{
    const tb_recur *r = j->r;
    const int64_t item = (int64_t)j->f.item;
    for (int64_t row = 0; row < j->rows; row++)
        for (int64_t i = 0; i < j->f.states; i++) {
            const int64_t place = (i / r->order * r->outer + row / r->inner) * r->order + i % r->order;
            char *theirs = outer + (place * r->inner + row % r->inner) * item;
            char *ours = sets + (size_t)row * j->set + i * item;
            memcpy(in ? ours : theirs, in ? theirs : ours, (size_t)item);
        }
}

static tb_status run(recur_job *j)
{
    const size_t all = (size_t)((j->cut.blocks + 1) * j->rows) * j->set;
    j->start = calloc(2, all);
    if (!j->start) return tb__fail_memory(2 * all, 0, 0, 0);
    j->end = j->start + all;
    if (j->r->zi) move_outer_states(j, (char *)j->r->zi, j->start, true);
    const tb_status status = run_blocks(j);
    const bool whole = j->cut.blocks * j->cut.length == j->r->n;
    if (status == TB_OK && j->r->zf)
        move_outer_states(j, j->r->zf, states_at(j, j->end, j->cut.blocks - (whole ? 1 : 0), 0), false);
    free(j->start);
    return status;
}

tb_status tb__cpu_recur(const tb_recur *r)
{
    recur_job j = {.r = r, .rows = r->outer * r->inner, .step = r->backwards ? -r->inner : r->inner};
    TB_TRY(tb__recur_cut(r, &j.cut));
    tb_status status = tb__recur_filter(r, r->dtype, &j.f);
    if (status == TB_OK) {
        j.set = (size_t)j.f.states * j.f.item;
        status = run(&j);
        tb__recur_filter_free(&j.f);
    }
    free(j.cut.power);
    return status;
}
