/* spline_map.c - sums of B-splines at the points that an affine map makes of a result's indices, row by row of the
 * result. Where the map is diagonal an index alone decides where a point is along its axis: what a row's points are of
 * along the last axis is found once for some rows. */
#include <stdlib.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/plans/spline_taps.h"
#include "base/error.h"
#include "base/shape.h"
#include "tables/loops.h"

enum { COLUMNS = 256, TASK_POINTS = 1 << 13 };

typedef struct map_job {
    const tb_spline_map *m;
    const double *in;
    int64_t stride[TB_SPLINE_AXES], elements; /* of an image */
    int64_t lines, rows;                      /* in all, and of a task */
} map_job;

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Where the point of index i is along an axis of a diagonal map. */
static double along(const tb_spline_map *m, int d, int64_t i)
{
    return ((double)i + m->map[3 * d]) * m->map[3 * d + 1] + m->map[3 * d + 2] + m->margin;
}

/* The offset comes first, as in SciPy: the last bit decides which element is nearest. */
static double across(const tb_spline_map *m, int d, const int64_t *index)
{
    const double *row = m->map + d * (m->naxis + 1);
    double x = row[m->naxis];
    for (int e = 0; e < m->naxis; e++) x += row[e] * (double)index[e];
    return x + m->margin;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* What the columns of a row are of along the last axis. */
typedef struct columns {
    taps taps[COLUMNS];
    bool inside[COLUMNS];
    int64_t nearest[COLUMNS]; /* the element alone, where splines are of one and none is beyond an edge */
    bool alone;
    double out[COLUMNS];
} columns;

FOR_AN_ORDER void look_along(const map_job *j, int order, int64_t n, int64_t first, columns *c)
{
    const tb_spline_map *m = j->m;
    const int last = m->naxis - 1;
    c->alone = true;
    for (int64_t i = 0; i < n; i++) {
        taps *t = &c->taps[i];
        c->inside[i] = look(m->mode, m->sides[last], order, along(m, last, first + i), j->stride[last], t);
        c->alone &= c->inside[i] && t->whole;
        c->nearest[i] = c->inside[i] ? t->offset[0] : 0;
    }
}

FOR_AN_ORDER void diagonal_row(const map_job *j, int order, int64_t n, int64_t *index, const double *image, columns *c)
{
    const tb_spline_map *m = j->m;
    const int last = m->naxis - 1;
    taps own[TB_SPLINE_AXES];
    const taps *t[TB_SPLINE_AXES];
    bool inside = true;
    for (int d = 0; d < last; d++) {
        inside &= look(m->mode, m->sides[d], order, along(m, d, index[d]), j->stride[d], &own[d]);
        t[d] = &own[d];
    }
    if (order == 0 && inside && c->alone && last == 1 && own[0].whole) {
        for (int64_t i = 0; i < n; i++) c->out[i] = image[own[0].offset[0] + c->nearest[i]];
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        t[last] = &c->taps[i];
        c->out[i] = inside && c->inside[i] ? sum_at(m->naxis, m->cval, order, t, image) : m->cval;
    }
}

FOR_AN_ORDER void turned_row(const map_job *j, int order, int64_t n, int64_t *index, const double *image, columns *c)
{
    const tb_spline_map *m = j->m;
    const int last = m->naxis - 1;
    taps own[TB_SPLINE_AXES];
    const taps *t[TB_SPLINE_AXES];
    for (int d = 0; d <= last; d++) t[d] = &own[d];
    for (int64_t i = 0; i < n; i++, index[last]++) {
        bool inside = true;
        for (int d = 0; inside && d <= last; d++)
            inside = look(m->mode, m->sides[d], order, across(m, d, index), j->stride[d], &own[d]);
        c->out[i] = inside ? sum_at(m->naxis, m->cval, order, t, image) : m->cval;
    }
}

static void store(const map_job *j, int64_t at, int64_t n, const double *from)
{
    if (j->m->out_dtype == TB_F64)
        for (int64_t i = 0; i < n; i++) ((double *)j->m->out)[at + i] = from[i];
    else
        for (int64_t i = 0; i < n; i++) ((float *)j->m->out)[at + i] = (float)from[i];
}

/* The columns from `first` on of the rows from `row` on. */
FOR_AN_ORDER void some_rows(const map_job *j, int order, int64_t row, int64_t end, int64_t first, columns *c)
{
    const tb_spline_map *m = j->m;
    const int last = m->naxis - 1;
    const int64_t n = tb__min(COLUMNS, m->shape[last] - first);
    if (m->diagonal) look_along(j, order, n, first, c);
    for (; row < end; row++) {
        int64_t index[TB_SPLINE_AXES], rest = row;
        for (int d = last - 1; d >= 0; d--) {
            index[d] = rest % m->shape[d];
            rest /= m->shape[d];
        }
        index[last] = first;
        const double *image = j->in + rest * j->elements;
        if (m->diagonal) diagonal_row(j, order, n, index, image, c);
        else turned_row(j, order, n, index, image, c);
        store(j, row * m->shape[last] + first, n, c->out);
    }
}

static void rows_of_order(const map_job *j, int64_t row, int64_t end, int64_t first, columns *c)
{
    switch (j->m->order) {
    case 0: some_rows(j, 0, row, end, first, c); break;
    case 1: some_rows(j, 1, row, end, first, c); break;
    case 2: some_rows(j, 2, row, end, first, c); break;
    case 3: some_rows(j, 3, row, end, first, c); break;
    case 4: some_rows(j, 4, row, end, first, c); break;
    default: some_rows(j, 5, row, end, first, c); break;
    }
}

static bool map_task(void *arg, int64_t task)
{
    const map_job *j = arg;
    const int64_t columns_of_all = j->m->shape[j->m->naxis - 1];
    columns c;
    for (int64_t first = 0; first < columns_of_all; first += COLUMNS)
        rows_of_order(j, task * j->rows, tb__min((task + 1) * j->rows, j->lines), first, &c);
    return true;
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static tb_status run(map_job *j)
{
    const tb_spline_map *m = j->m;
    int64_t step = 1;
    for (int d = m->naxis - 1; d >= 0; d--) {
        j->stride[d] = step;
        step *= m->sides[d];
    }
    j->elements = step;
    j->lines = m->batch * tb__product(m->naxis - 1, m->shape);
    j->rows = tb__max(TASK_POINTS / m->shape[m->naxis - 1], 1);
    return tb__parallel(tb__ceil_div(j->lines, j->rows), map_task, j);
}

/* Few points of an image that is taken as it is; `at` has room for their coordinates and results. */
static tb_status at_points(const tb_spline_map *m, int64_t n, double *at)
{
    const double *rows[TB_SPLINE_AXES];
    double *out = at + m->naxis * n;
    int64_t index[TB_SPLINE_AXES] = {0};
    for (int64_t i = 0; i < n; i++) {
        for (int d = 0; d < m->naxis; d++) at[d * n + i] = m->diagonal ? along(m, d, index[d]) : across(m, d, index);
        for (int d = m->naxis - 1; d >= 0 && ++index[d] == m->shape[d]; d--) index[d] = 0;
    }
    for (int d = 0; d < m->naxis; d++) rows[d] = at + d * n;
    const tb_spline_points p = {.naxis = m->naxis,
                                .order = m->order,
                                .mode = m->mode,
                                .cval = m->cval,
                                .batch = 1,
                                .n = n,
                                .shape = m->sides,
                                .strides = m->strides,
                                .dtype = m->in_dtype,
                                .there = m->in,
                                .at = rows,
                                .out = out};
    TB_TRY(tb__cpu_splines(&p));
    store(&(map_job){.m = m}, 0, n, out);
    return TB_OK;
}

static tb_status some_points(const tb_spline_map *m)
{
    const int64_t n = tb__product(m->naxis, m->shape);
    const size_t bytes = (size_t)((m->naxis + 1) * n) * sizeof(double);
    double *room = malloc(bytes);
    if (!room) return tb__fail_memory(bytes, 0, 0, 0);
    const tb_status status = at_points(m, n, room);
    free(room);
    return status;
}

tb_status tb__cpu_spline_map(const tb_spline_map *m)
{
    if (m->strides) return some_points(m);
    map_job j = {.m = m, .in = m->in};
    if (m->in_dtype == TB_F64) return run(&j);
    const int64_t n = m->batch * tb__product(m->naxis, m->sides);
    double *numbers = malloc((size_t)n * sizeof *numbers);
    if (!numbers) return tb__fail_memory((size_t)n * sizeof *numbers, 0, 0, 0);
    tb__cpu_loops()[tb__cast_loop(m->in_dtype, TB_F64)](n, (void *[]){numbers, (void *)m->in}, 0);
    j.in = numbers;
    const tb_status status = run(&j);
    free(numbers);
    return status;
}
