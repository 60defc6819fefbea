/* window.c - filters over windows, by one kernel (kernels/device/window*.h): how an array is cut into tiles, and what
 * the kernel is told of the places of a window. */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/half.h"

enum { THREADS = TB_WINDOW_THREADS, BATCHES = TB_WINDOW_BATCHES, EACH = 8, WALK = 0, LANE = 1, BATCH = 2 };
enum { MOST_RANKED = 49, MOST_BYTES = 48 << 10, LINES = 32, SLACK = 40, STEP = 8 /* of room, in KB */ };

/* As the kernels declare it. */
typedef struct window_params {
    const char *x;
    char *y;
    const double *weights;
    const int32_t *table;
    int64_t n[2], sx[2], sy[2], tiles[2];
    int64_t batch_n[BATCHES], batch_x[BATCHES], batch_y[BATCHES];
    int64_t whole;
    double number[2];
    int32_t edge[2 + BATCHES];
    int32_t batches, planes, runs, count, nweight;
    int32_t columns, rows, pitch, first[2];
    double near[TB_WINDOW_NEAR];
} window_params;
_Static_assert(sizeof(window_params) <= TB_ROUTINE_PARAMS, "parameters have no room");

/* An axis, or several that no window reaches along. */
typedef struct axis {
    int64_t n, sx, sy, least, most; /* the last: of the places */
    int of, edge;
} axis;

/* A filter as the kernel sees it. */
typedef struct layout {
    const tb_windows *q;
    axis axes[TB_MAXDIM + 2]; /* WALK, LANE, batches */
    int count;
    bool across, by_lines; /* by_lines: lines of a window are planes */
    int lines, room;       /* room: KB */
    int32_t *table;
    size_t entries;
    window_params p;
} layout;

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static bool reaches(const axis *a) { return a->least || a->most; }

/* Axes in their order, neighbours merged as far as nothing looks beyond them. */
static int collect(const tb_windows *q, axis *out)
{
    int count = 0;
    for (int d = 0; d < q->ndim; d++) {
        axis a = {q->shape[d], q->x_strides[d], q->y_strides[d], 0, 0, d, (int)q->w->edge[d]};
        for (int64_t i = 0; i < q->w->nplace; i++) {
            const int64_t at = q->w->place[i * q->ndim + d];
            a.least = i ? tb__min(a.least, at) : at;
            a.most = i ? tb__max(a.most, at) : at;
        }
        if (a.n == 1 && !reaches(&a)) continue;
        axis *last = count ? &out[count - 1] : NULL;
        if (last && !reaches(last) && !reaches(&a) && last->sx == a.sx * a.n && last->sy == a.sy * a.n) {
            a.n *= last->n;
            *last = a;
        } else {
            out[count++] = a;
        }
    }
    return count;
}

static int64_t apart(const axis *a) { return a->n > 1 ? a->sx < 0 ? -a->sx : a->sx : INT64_MAX; }

/* WALK is the axis along which windows are walked, LANE the other one of a tile. One of them is that along which
 * elements are neighbours in memory. */
static void choose_axes(layout *l)
{
    axis found[TB_MAXDIM];
    const int count = collect(l->q, found);
    int fast = -1, walk = -1, lane = -1;
    for (int i = 0; i < count; i++)
        if (fast < 0 || apart(&found[i]) <= apart(&found[fast])) fast = i;
    for (int i = 0; i < count; i++)
        if (reaches(&found[i])) walk = i;
    if (walk < 0 || reaches(&found[tb__max(fast, 0)])) walk = fast;
    l->across = walk != fast;
    if (l->across) lane = fast;
    for (int i = 0; i < count && !l->across; i++) { /* the last that windows reach along, else the longest */
        if (i == walk) continue;
        const bool better =
            lane < 0 || (reaches(&found[i]) ? true : !reaches(&found[lane]) && found[i].n >= found[lane].n);
        if (better) lane = i;
    }
    const axis none = {1, 0, 0, 0, 0, -1, TB_SPLINE_NEAREST};
    l->axes[WALK] = walk < 0 ? none : found[walk];
    l->axes[LANE] = lane < 0 ? none : found[lane];
    l->count = BATCH;
    for (int i = 0; i < count; i++)
        if (i != walk && i != lane) l->axes[l->count++] = found[i];
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

static bool is_ranked(const layout *l) { return l->q->w->kind == TB_WINDOW_RANK; }

static bool fits(layout *l, int lines, bool by_lines)
{
    window_params *p = &l->p;
    const axis *walk = &l->axes[WALK], *lane = &l->axes[LANE];
    const int64_t span = (int64_t)(THREADS / lines) * EACH, columns = span + walk->most - walk->least;
    const int64_t rows = lines + (by_lines ? 0 : lane->most - lane->least);
    if (columns > MOST_BYTES || rows > MOST_BYTES) return false;
    /* Threads' elements are in different banks: lines of a warp by an odd pitch, else TB_EACH apart by skewing. */
    const bool skewed = !is_ranked(l) && lines < LINES;
    const int64_t length = columns + (skewed ? columns / EACH : 0);
    const int64_t pitch = l->across || (!is_ranked(l) && !skewed) ? length | 1
                          : is_ranked(l) || lines == 1            ? length
                                                                  : (length + 23) / 32 * 32 + 8;
    const size_t item =
        tb__is_half((tb_dtype)l->q->work) ? sizeof(float) : tb_dtype_size(l->q->work); /* in registers */
    const int64_t kb = tb__ceil_div((rows * pitch + SLACK) * (int64_t)item, 1024);
    l->lines = lines;
    l->by_lines = by_lines;
    l->room = (int)(tb__ceil_div(kb, STEP) * STEP);
    p->columns = (int32_t)columns;
    p->rows = (int32_t)rows;
    p->pitch = (int32_t)pitch;
    p->first[WALK] = (int32_t)walk->least;
    p->first[LANE] = by_lines ? 0 : (int32_t)lane->least;
    p->tiles[WALK] = tb__ceil_div(walk->n, span);
    p->tiles[LANE] = tb__ceil_div(lane->n, lines);
    return l->room <= MOST_BYTES / 1024;
}

static tb_status no_room(const layout *l, const char *what)
{
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: a window of %lld places has %s", (long long)l->q->w->nplace,
                    what);
}

static tb_status cut(layout *l)
{
    const axis *lane = &l->axes[LANE];
    const int wanted = l->across || lane->n >= LINES / 2 ? LINES : lane->n > 1 ? 4 : 1;
    if (l->count - BATCH > BATCHES) return no_room(l, "too many axes around it");
    for (int by_lines = 0; by_lines <= (reaches(lane) && !is_ranked(l)); by_lines++)
        for (int lines = wanted; lines >= 1; lines /= 2)
            if (fits(l, lines, by_lines)) return TB_OK;
    return no_room(l, "no room in shared memory");
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static int64_t distance(const layout *l, int64_t i, int axis)
{
    const int of = l->axes[axis].of;
    return of < 0 ? 0 : l->q->w->place[i * l->q->ndim + of];
}

static bool same_plane(const layout *l, int64_t i, int64_t k)
{
    if (l->by_lines && distance(l, i, LANE) != distance(l, k, LANE)) return false;
    for (int d = BATCH; d < l->count; d++)
        if (distance(l, i, d) != distance(l, k, d)) return false;
    return true;
}

/* Planes of windows and runs of places in these; only those of the kernels that walk. */
static void list_runs(layout *l)
{
    int32_t *plane = NULL, *run = NULL, *end = l->table;
    for (int64_t i = 0; i < l->q->w->nplace; i++) {
        const bool new_plane = i == 0 || !same_plane(l, i - 1, i);
        if (new_plane) {
            plane = end;
            *end++ = 0;
            *end++ = l->by_lines ? (int32_t)distance(l, i, LANE) : 0;
            for (int d = BATCH; d < l->count; d++) *end++ = (int32_t)distance(l, i, d);
            l->p.planes++;
        }
        if (!new_plane && distance(l, i, LANE) == distance(l, i - 1, LANE) &&
            distance(l, i, WALK) == distance(l, i - 1, WALK) + 1) {
            run[2]++;
            continue;
        }
        run = end;
        *end++ = l->by_lines ? 0 : (int32_t)(distance(l, i, LANE) - l->p.first[LANE]);
        *end++ = (int32_t)(distance(l, i, WALK) - l->p.first[WALK]);
        *end++ = 1;
        plane[0]++;
        l->p.runs++;
    }
    l->entries = (size_t)(end - l->table);
}

static tb_status list_ranked(layout *l)
{
    for (int64_t i = 0; i < l->q->w->nplace; i++) {
        if (!same_plane(l, 0, i) || l->q->w->nplace > MOST_RANKED) return no_room(l, "no room in registers");
        l->table[i] =
            (int32_t)((distance(l, i, LANE) - l->p.first[LANE]) * l->p.pitch + distance(l, i, WALK) - l->p.first[WALK]);
    }
    l->p.planes = 1;
    l->entries = (size_t)l->q->w->nplace;
    return TB_OK;
}

/* ---- the launch -------------------------------------------------------------------------------------------------- */

static tb_routine_source source_of(const layout *l)
{
    static const uint8_t kinds[] = {
        [TB_WINDOW_SUM] = TB_ROUTINE_WINDOW_SUM,     [TB_WINDOW_MIRRORED] = TB_ROUTINE_WINDOW_SUM,
        [TB_WINDOW_OPPOSED] = TB_ROUTINE_WINDOW_SUM, [TB_WINDOW_MEAN] = TB_ROUTINE_WINDOW_MEAN,
        [TB_WINDOW_LEAST] = TB_ROUTINE_WINDOW_LEAST, [TB_WINDOW_GREATEST] = TB_ROUTINE_WINDOW_GREATEST,
        [TB_WINDOW_RANK] = TB_ROUTINE_WINDOW_RANK,
    };
    const tb_windows *q = l->q;
    return (tb_routine_source){.kind = kinds[q->w->kind],
                               .dtype = (uint8_t)q->from,
                               .work = (uint8_t)q->work,
                               .to = (uint8_t)q->to,
                               .order = l->across,
                               .right = q->w->weights && q->w->kind >= TB_WINDOW_LEAST,
                               .lanes = (uint8_t)l->lines,
                               .items = (uint8_t)l->room,
                               .warps = THREADS / 32,
                               .targets = is_ranked(l) ? (uint8_t)q->w->nplace : (uint8_t)q->w->kind,
                               .levels = is_ranked(l) ? (uint8_t)q->w->rank : 0};
}

static void fill_params(layout *l)
{
    const tb_windows *q = l->q;
    window_params *p = &l->p;
    p->x = q->x;
    p->y = q->y;
    for (int i = 0; i < 2; i++) {
        p->n[i] = l->axes[i].n;
        p->sx[i] = l->axes[i].sx;
        p->sy[i] = l->axes[i].sy;
    }
    for (int d = BATCH; d < l->count; d++) {
        p->batch_n[d - BATCH] = l->axes[d].n;
        p->batch_x[d - BATCH] = l->axes[d].sx;
        p->batch_y[d - BATCH] = l->axes[d].sy;
    }
    for (int d = 0; d < l->count; d++) p->edge[d] = l->axes[d].edge;
    p->batches = l->count - BATCH;
    p->count = (int32_t)q->w->nplace;
    const tb_kind kind = tb_dtype_kind(q->work);
    if (kind == TB_KIND_COMPLEX) memcpy(p->number, &q->fill.v, sizeof p->number);
    else if (kind == TB_KIND_FLOAT) p->number[0] = q->fill.v.f;
    else p->whole = q->fill.v.i;
}

/* Weights and table, where the argument has no room for them. */
static tb_status upload(tb_stream *s, layout *l, size_t weights, size_t all, void **memory)
{
    char *host = malloc(all);
    if (!host) return tb__fail_memory(all, 0, 0, 0);
    if (weights) memcpy(host, l->q->w->weights, weights);
    memcpy(host + weights, l->table, all - weights);
    tb_status status = tb__pool_alloc(s, all, memory);
    if (status == TB_OK) {
        status = tb__backend->copy_in(s, *memory, host, all, true);
        if (status != TB_OK) tb__pool_free(s->device, s->handle, *memory);
    }
    free(host);
    if (status != TB_OK) return status;
    if (weights) l->p.weights = *memory;
    l->p.table = (const int32_t *)(const void *)((char *)*memory + weights);
    return TB_OK;
}

static tb_status launch(tb_stream *s, layout *l)
{
    const tb_routine_source source = source_of(l);
    const tb_window *w = l->q->w;
    const size_t parts = tb_dtype_kind(l->q->work) == TB_KIND_COMPLEX ? 2 : 1;
    const size_t numbers = w->weights ? (size_t)w->nplace * parts : 0, weights = numbers * sizeof(double);
    const size_t all = weights + l->entries * sizeof *l->table;
    void *memory = NULL;
    int64_t blocks = l->p.tiles[WALK];
    fill_params(l);
    l->p.weights = l->q->weights;
    l->p.nweight = (int32_t)numbers;
    for (int d = LANE; d < l->count; d++)
        if (__builtin_mul_overflow(blocks, d == LANE ? l->p.tiles[LANE] : l->axes[d].n, &blocks) || blocks > INT32_MAX)
            return no_room(l, "too many blocks");
    if (all <= sizeof l->p.near) {
        if (weights) memcpy(l->p.near, w->weights, weights);
        memcpy(l->p.near + numbers, l->table, all - weights);
    } else {
        TB_TRY(upload(s, l, weights, all, &memory));
    }
    const size_t size = offsetof(window_params, near) + (memory ? 0 : (all + 7) / 8 * 8);
    const tb_status status = tb__gpu_run_routine(s, &source, &l->p, size, blocks, THREADS);
    if (memory) tb__pool_free(s->device, s->handle, memory);
    return status;
}

/* l->table is to be freed. */
static tb_status prepare(const tb_windows *q, layout *l)
{
    memset(l, 0, sizeof *l);
    l->q = q;
    choose_axes(l);
    TB_TRY(cut(l));
    const size_t each = 2 + (size_t)l->count - BATCH + 3, bytes = (size_t)q->w->nplace * each * sizeof *l->table;
    l->table = malloc(bytes);
    if (!l->table) return tb__fail_memory(bytes, 0, 0, 0);
    if (is_ranked(l)) return list_ranked(l);
    list_runs(l);
    return TB_OK;
}

tb_status tb__window_source(const tb_windows *q, tb_routine_source *out)
{
    layout l;
    if (q->w->then) return tb__two_windows_source(q, out);
    const tb_status status = prepare(q, &l);
    if (status == TB_OK) *out = source_of(&l);
    free(l.table);
    return status;
}

tb_status tb__gpu_windows(tb_stream *s, const tb_windows *q)
{
    layout l;
    if (q->w->then) return tb__gpu_two_windows(s, q);
    TB_TRY(tb__gpu->enter(s->device));
    tb_status status = prepare(q, &l);
    if (status == TB_OK) status = launch(s, &l);
    free(l.table);
    return status;
}
