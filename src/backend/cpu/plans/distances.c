/* distances.c - distances to what is zero, along an axis: the lower envelope of the parabolas that stand on a line's
 * elements (P. F. Felzenszwalb, D. P. Huttenlocher, Distance transforms of sampled functions, 2012), in time that grows
 * with the line's length. Lines side by side are brought together, so that memory is read in order. */
#include <math.h>

#include "backend/cpu/plans/plans.h"

enum { PIECE = 1 << 15, WIDTH = 8 };

#define FAR 1e300 /* of what no element is near */

typedef struct envelope {
    const tb_distance_pass *d;
    int64_t width, across, groups, each; /* lines side by side, groups of such beside another; groups of a task */
} envelope;

/* Of one task. */
typedef struct room {
    double *a, *until; /* lines, one after the other; where the next parabola is less */
    int64_t *at;       /* which parabolas are the least somewhere, by where they stand */
    int32_t *nearest;  /* of lines */
} room;

static bool reserve(int64_t n, int64_t width, room *out)
{
    const size_t line = (size_t)n, lines = line * (size_t)width;
    double *memory = tb__scratch(lines * sizeof(double) + line * (sizeof(double) + sizeof(int64_t)) + lines * 4);
    if (!memory) return false;
    out->a = memory;
    out->until = memory + lines;
    out->at = (int64_t *)(void *)(out->until + line);
    out->nearest = (int32_t *)(void *)(out->at + line);
    return true;
}

static int64_t find_envelope(const double *a, int64_t n, double step, int64_t *at, double *until)
{
    const double unit = 1 / (step * step);
    int64_t top = -1;
    for (int64_t i = 0; i < n; i++) {
        if (!(a[i] < FAR)) continue;
        const double here = a[i] * unit + (double)i * (double)i;
        while (top >= 0) {
            const double k = (double)at[top], meet = (here - (a[at[top]] * unit + k * k)) / (2 * ((double)i - k));
            until[top] = meet;
            if (top == 0 || meet > until[top - 1]) break;
            top--;
        }
        at[++top] = i;
    }
    return top + 1;
}

/* Without a distance between elements the least of them is near all. */
static int64_t find_least(const double *a, int64_t n, int64_t *at)
{
    at[0] = 0;
    for (int64_t i = 1; i < n; i++)
        if (a[i] < a[at[0]]) at[0] = i;
    return 1;
}

static double square_from(const double *a, int64_t from, int64_t i, double step)
{
    const double apart = (double)(i - from) * step;
    return a[from] + apart * apart;
}

/* Of two as near, the one before: where parabolas meet is rounded, distances between whole numbers are not. */
static void find_nearest(const room *r, const double *a, int64_t n, double step, int32_t *nearest)
{
    const int64_t count = step == 0 ? find_least(a, n, r->at) : find_envelope(a, n, step, r->at, r->until);
    for (int64_t i = 0, k = 0; i < n; i++) {
        while (k + 1 < count && r->until[k] < (double)i + 0.5 &&
               square_from(a, r->at[k + 1], i, step) < square_from(a, r->at[k], i, step))
            k++;
        nearest[i] = (int32_t)(count ? r->at[k] : i);
    }
}

/* The same where elements are 0 or FAR: the zero before or the one behind; of two as near, the one before. */
static void find_nearest_zero(const double *a, int64_t n, int32_t *nearest)
{
    int64_t before = -1, behind = -1;
    for (int64_t i = 0; i < n; i++) {
        if (a[i] == 0) before = i;
        nearest[i] = (int32_t)before;
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        if (a[i] == 0) behind = i;
        const int64_t last = nearest[i];
        if (last < 0 || (behind >= 0 && behind - i < i - last)) nearest[i] = (int32_t)(behind < 0 ? i : behind);
    }
}

static void take(const tb_distance_pass *d, int64_t from, int64_t width, double *a)
{
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t k = 0; k < width; k++) {
            const int64_t at = from + i * d->inner + k;
            a[k * d->n + i] = !d->first ? ((const double *)d->in)[at] : ((const uint8_t *)d->in)[at] ? FAR : 0;
        }
}

static void put(const tb_distance_pass *d, int64_t at, double square)
{
    if (!d->last) ((double *)d->out)[at] = square < FAR ? square : FAR;
    else if (d->to == TB_F64) ((double *)d->out)[at] = square < FAR ? sqrt(square) : (double)INFINITY;
    else ((float *)d->out)[at] = square < FAR ? (float)sqrt(square) : INFINITY;
}

static void put_places(const tb_distance_pass *d, int64_t at, int64_t place, int32_t nearest)
{
    const int64_t plane = d->outer * d->n * d->inner;
    d->places[at] = nearest;
    for (int e = 0; e < d->others; e++) d->places[(e + 1) * plane + at] = d->from[e * plane + place];
}

static void give(const tb_distance_pass *d, int64_t from, int64_t width, const room *r)
{
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t k = 0; k < width; k++) {
            const int64_t at = from + i * d->inner + k, j = r->nearest[k * d->n + i];
            put(d, at, square_from(r->a + k * d->n, j, i, d->step));
            if (d->others >= 0) put_places(d, at, from + j * d->inner + k, (int32_t)j);
        }
}

static bool envelope_piece(void *arg, int64_t task)
{
    const envelope *e = arg;
    const tb_distance_pass *d = e->d;
    room r;
    if (!reserve(d->n, e->width, &r)) return false;
    for (int64_t g = task * e->each; g < tb__min((task + 1) * e->each, e->groups); g++) {
        const int64_t column = g % e->across * e->width, from = g / e->across * d->n * d->inner + column;
        const int64_t width = tb__min(e->width, d->inner - column);
        take(d, from, width, r.a);
        for (int64_t k = 0; k < width; k++) {
            if (d->first) find_nearest_zero(r.a + k * d->n, d->n, r.nearest + k * d->n);
            else find_nearest(&r, r.a + k * d->n, d->n, d->step, r.nearest + k * d->n);
        }
        give(d, from, width, &r);
    }
    return true;
}

tb_status tb__cpu_distances(const tb_distance_pass *d)
{
    envelope e = {.d = d, .width = tb__min(d->inner, (int64_t)WIDTH)};
    e.across = tb__ceil_div(d->inner, e.width);
    e.groups = d->outer * e.across;
    e.each = tb__max(PIECE / (d->n * e.width), 1);
    return tb__parallel(tb__ceil_div(e.groups, e.each), envelope_piece, &e);
}
