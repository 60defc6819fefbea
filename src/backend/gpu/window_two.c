/* window_two.c - filters over short windows along two axes, one after the other, by one kernel
 * (kernels/device/window_two.h): whether they are such, and what the kernel is told. */
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum {
    THREADS = TB_WINDOW_THREADS,
    BATCHES = TB_WINDOW_BATCHES,
    SHORT = TB_WINDOW_SHORT,
    SIDE = 64,
    ROWS = 0,
    COLUMNS = 1
};
enum { MOST_ELEMENTS = 1 << 30 /* of a side, so that twice as many have a number of 32 bits */ };

/* As the kernel declares it. */
typedef struct two_params {
    const char *x;
    char *y;
    int64_t sx[2], sy[2];
    int64_t batch_x[BATCHES], batch_y[BATCHES];
    int64_t whole;
    double number[2];
    double weights[2][SHORT];
    double reciprocal[2];
    int32_t n[2], tiles[2], first[2], edge[2];
    uint32_t batch_n[BATCHES];
    int32_t batches;
} two_params;
_Static_assert(sizeof(two_params) <= TB_ROUTINE_PARAMS, "parameters have no room");

static tb_status no_kernel(const char *why)
{
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "window_filter: two filters are no kernel: %s", why);
}

/* The axis along which places follow one another, and the least of them; -1: they do not. `turned`: the last one is
 * listed first. */
static int axis_of(const tb_window *w, int ndim, bool turned, int64_t *least)
{
    const int64_t n = w->nplace, *const begin = w->place + (turned && n > 1 ? ndim : 0);
    int axis = -1;
    if (n < 2 || n > SHORT) return -1;
    for (int d = 0; d < ndim; d++)
        if (w->place[ndim + d] != w->place[d]) axis = d;
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < ndim; d++) {
            const int64_t at = w->place[(turned ? (i + 1) % n : i) * ndim + d];
            if (d == axis ? at != begin[d] + i : at) return -1;
        }
    if (axis >= 0) *least = begin[axis];
    return axis;
}

static int64_t apart(const tb_windows *q, int d) { return q->x_strides[d] < 0 ? -q->x_strides[d] : q->x_strides[d]; }

/* Axes that are neither ROWS nor COLUMNS, neighbours merged where they are one. */
static tb_status list_batches(const tb_windows *q, const int *of, two_params *p)
{
    for (int d = 0; d < q->ndim; d++) {
        const int last = p->batches - 1;
        if (d == of[ROWS] || d == of[COLUMNS] || q->shape[d] == 1) continue;
        if (last >= 0 && d > 0 && d - 1 != of[ROWS] && d - 1 != of[COLUMNS] &&
            p->batch_x[last] == q->x_strides[d] * q->shape[d] && p->batch_y[last] == q->y_strides[d] * q->shape[d] &&
            (int64_t)p->batch_n[last] * q->shape[d] <= MOST_ELEMENTS) {
            p->batch_n[last] *= (uint32_t)q->shape[d];
            p->batch_x[last] = q->x_strides[d];
            p->batch_y[last] = q->y_strides[d];
            continue;
        }
        if (last + 1 == BATCHES || q->shape[d] > MOST_ELEMENTS) return no_kernel("there are too many axes around them");
        p->batch_n[last + 1] = (uint32_t)q->shape[d];
        p->batch_x[last + 1] = q->x_strides[d];
        p->batch_y[last + 1] = q->y_strides[d];
        p->batches++;
    }
    return TB_OK;
}

static void fill_weights(const tb_window *w, double *weights, double *reciprocal)
{
    const int64_t n = w->nplace, turned = w->kind == TB_WINDOW_SUM;
    *reciprocal = 1.0 / (double)n;
    for (int64_t i = 0; i < n && w->weights; i++) weights[(i + (turned ? n - 1 : 0)) % n] = w->weights[i];
}

static tb_status prepare(const tb_windows *q, tb_routine_source *source, two_params *p)
{
    const tb_window *const windows[2] = {q->w, q->w->then};
    int of[2]; /* axes: of the first windows, of the second ones; then of rows and columns */
    int64_t least[2];
    const bool least_or_greatest = q->w->kind >= TB_WINDOW_LEAST || q->w->then->kind >= TB_WINDOW_LEAST;
    memset(p, 0, sizeof *p);
    if (q->weights || tb_dtype_kind(q->work) == TB_KIND_COMPLEX || (least_or_greatest && q->from != q->to))
        return no_kernel("of these dtypes");
    for (int i = 0; i < 2; i++) {
        if (windows[i]->kind > TB_WINDOW_GREATEST || (windows[i]->kind >= TB_WINDOW_LEAST && windows[i]->weights))
            return no_kernel("of this kind");
        of[i] = axis_of(windows[i], q->ndim, windows[i]->kind == TB_WINDOW_SUM, &least[i]);
        if (of[i] < 0 || q->shape[of[i]] > MOST_ELEMENTS) return no_kernel("of these places");
    }
    if (of[0] == of[1]) return no_kernel("along one axis");
    const bool columns_first = apart(q, of[0]) < apart(q, of[1]);
    const int rows = of[columns_first], columns = of[!columns_first];
    for (int d = 0; d < q->ndim; d++)
        if (q->shape[d] > 1 && apart(q, d) < apart(q, columns)) return no_kernel("of an array in this order");
    for (int i = 0; i < 2; i++) {
        const int d = i == ROWS ? rows : columns, window = (i == ROWS) == columns_first;
        p->n[i] = (int32_t)q->shape[d];
        p->sx[i] = q->x_strides[d];
        p->sy[i] = q->y_strides[d];
        p->edge[i] = (int32_t)q->w->edge[d];
        p->first[i] = (int32_t)least[window];
        p->tiles[i] = (int32_t)tb__ceil_div(q->shape[d], SIDE + 1 - windows[window]->nplace);
        fill_weights(windows[i], p->weights[i], &p->reciprocal[i]);
    }
    *source = (tb_routine_source){.kind = TB_ROUTINE_WINDOW_TWO,
                                  .dtype = (uint8_t)q->from,
                                  .work = (uint8_t)q->work,
                                  .to = (uint8_t)q->to,
                                  .order = columns_first,
                                  .lanes = (uint8_t)q->w->nplace,
                                  .items = (uint8_t)q->w->then->nplace,
                                  .warps = THREADS / 32,
                                  .targets = (uint8_t)q->w->kind,
                                  .levels = (uint8_t)q->w->then->kind};
    p->x = q->x;
    p->y = q->y;
    if (tb_dtype_kind(q->work) == TB_KIND_FLOAT) p->number[0] = q->fill.v.f;
    else p->whole = q->fill.v.i;
    return list_batches(q, (int[]){rows, columns}, p);
}

tb_status tb__two_windows_source(const tb_windows *q, tb_routine_source *out)
{
    two_params p;
    return prepare(q, out, &p);
}

tb_status tb__gpu_two_windows(tb_stream *s, const tb_windows *q)
{
    two_params p;
    tb_routine_source source;
    TB_TRY(prepare(q, &source, &p));
    TB_TRY(tb__gpu->enter(s->device));
    int64_t blocks = (int64_t)p.tiles[ROWS] * p.tiles[COLUMNS];
    for (int d = 0; d < p.batches; d++)
        if (__builtin_mul_overflow(blocks, (int64_t)p.batch_n[d], &blocks) || blocks > INT32_MAX)
            return no_kernel("there are too many blocks");
    return tb__gpu_run_routine(s, &source, &p, sizeof p, blocks, THREADS);
}
