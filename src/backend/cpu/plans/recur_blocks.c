/* recur_blocks.c - where rows of a filter may be cut, so that their blocks are computed side by side.
 *
 * A block needs the states in which the one before it ends. Those are what the elements before it leave in a filter
 * that began with zeros, and what that filter makes of the states before them: which is nothing if it has died away by
 * then, as it mostly has after some hundred elements, and else a product with the matrix of this file: what becomes of
 * each state alone. Filters whose states grow are not cut, since errors would grow with them. Where blocks begin
 * depends on sizes and coefficients alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "backend/cpu/plans/recur.h"
#include "base/error.h"

static const double NOTHING = 1e-30, GROWS = 64, SWINGS = 1e8;

/* The states after each tile, begun in each of them alone, of up to `lanes` of them from number `first` on. *reach is
 * made larger if they live longer than that. Returns whether they stay small. */
static bool die_away(const tb_recur_filter *f, int first, int64_t length, char *tile, double *states, int64_t *reach,
                     double *power)
{
    const int lanes = f->loops->lanes, parts = (int)(f->item / sizeof(double)), column = lanes * parts;
    const int n = (int)tb__min(lanes, f->states - first);
    double largest = 1;
    int64_t at = 0;
    memset(states, 0, (size_t)(f->states * column) * sizeof *states);
    for (int l = 0; l < n; l++) states[(first + l) * column + l] = 1;
    while (at < length && largest > NOTHING) {
        const int64_t count = tb__min(TB_RECUR_TILE, length - at);
        memset(tile, 0, (size_t)(count * column) * sizeof(double));
        tb__recur_tile(f, tile, count, n, states);
        at += count;
        largest = 0;
        for (int i = 0; i < f->states * column; i++) {
            if (!(fabs(states[i]) <= SWINGS)) return false;
            largest = fmax(largest, fabs(states[i]));
        }
    }
    *reach = tb__max(*reach, largest > NOTHING ? length + 1 : at);
    for (int i = 0; i < f->states; i++)
        for (int l = 0; l < n; l++)
            for (int p = 0; p < 2; p++)
                power[2 * (i * f->states + first + l) + p] = p < parts ? states[i * column + p * lanes + l] : 0;
    return largest <= GROWS;
}

/* Of blocks of that length: how far states reach, and the matrix. False: not to be cut. */
static tb_status look(const tb_recur *r, int64_t length, int64_t *reach, double *power, bool *safe)
{
    tb_recur_filter f;
    const tb_dtype t = tb_dtype_kind(r->dtype) == TB_KIND_COMPLEX ? TB_C128 : TB_F64;
    TB_TRY(tb__recur_filter(r, t, &f));
    const size_t column = (size_t)f.loops->lanes * f.item;
    char *room = tb__scratch((TB_RECUR_TILE + (size_t)f.states) * column);
    *reach = 0;
    *safe = room != NULL;
    for (int first = 0; *safe && first < f.states; first += f.loops->lanes)
        *safe = die_away(&f, first, length, room, (double *)(void *)(room + TB_RECUR_TILE * column), reach, power);
    tb__recur_filter_free(&f);
    return TB_OK;
}

/* A row or two are cut into blocks for a few vectors of lanes, also where these are short, unless they are so few that
 * computing them twice takes longer; long rows into blocks for threads. The matrix costs as much as the filter does for
 * some elements of each state. */
static int64_t blocks_of(int64_t rows, int64_t n, int64_t states)
{
    enum { LONG = 2048, PIECES = 256, SHORT = 64, PER_STATE = 8, LANES = 16, FEW = 8 };
    const int64_t of_lanes = tb__min(LANES / rows, n / tb__max(SHORT, PER_STATE * states));
    return tb__max(of_lanes < FEW ? 1 : of_lanes, tb__min(tb__ceil_div(PIECES, rows), n / LONG));
}

tb_status tb__recur_cut(const tb_recur *r, tb_recur_cut *out)
{
    enum { MANY_ROWS = 16 };
    const int64_t rows = r->outer * r->inner, states = (int64_t)r->sections * r->order;
    const int64_t blocks = blocks_of(rows, r->n, states);
    bool safe = false;
    *out = (tb_recur_cut){.blocks = 1, .length = r->n};
    if (blocks < 2 || states > TB_RECUR_STATES) return TB_OK;
    tb_recur_cut cut = {.blocks = blocks, .length = r->n / blocks};
    cut.power = malloc((size_t)(2 * states * states) * sizeof *cut.power);
    if (!cut.power) return tb__fail_memory((size_t)(2 * states * states) * sizeof *cut.power, 0, 0, 0);
    const tb_status status = look(r, cut.length, &cut.reach, cut.power, &safe);
    /* Computing every block twice pays where there is nothing else that can go side by side. */
    const bool pays = cut.reach <= cut.length / 2 || rows < MANY_ROWS;
    if (cut.reach <= cut.length || !safe || !pays) {
        free(cut.power);
        cut.power = NULL;
    }
    if (status == TB_OK && safe && pays) *out = cut;
    return status;
}

#define ADVANCE(T, C)                                                                                                  \
    do {                                                                                                               \
        const T *z = from;                                                                                             \
        T *result = to;                                                                                                \
        for (int i = 0; i < states; i++) {                                                                             \
            double sum[2] = {(double)result[C * i], (double)result[C * i + C - 1]};                                    \
            for (int j = 0; j < states; j++) {                                                                         \
                const double *by = cut->power + 2 * (i * states + j), re = (double)z[C * j];                           \
                const double im = C == 2 ? (double)z[C * j + C - 1] : 0;                                               \
                sum[0] += by[0] * re - by[1] * im;                                                                     \
                sum[1] += by[0] * im + by[1] * re;                                                                     \
            }                                                                                                          \
            result[C * i] = (T)sum[0];                                                                                 \
            if (C == 2) result[C * i + C - 1] = (T)sum[1];                                                             \
        }                                                                                                              \
    } while (0)

void tb__recur_advance(const tb_recur_cut *cut, int states, tb_dtype t, const void *from, void *to)
{
    switch (t) {
    case TB_F32: ADVANCE(float, 1); break;
    case TB_F64: ADVANCE(double, 1); break;
    case TB_C64: ADVANCE(float, 2); break;
    default: ADVANCE(double, 2); break;
    }
}
