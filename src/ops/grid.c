/* grid.c - functions between the points of a grid, which the host computes (geometry/grid.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/geometry/grid.h"
#include "ops/sparse/calc.h"

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tb_status check_real(const char *name, const tb_array *a, int ndim)
{
    TB_ARE_NUMBERS("grid_at", a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "grid_at: %s must be real, not %s", name, tb_dtype_name((tb_dtype)a->dtype));
    if (a->ndim != ndim)
        return tb__fail(TB_ERR_VALUE, "grid_at: %s must have %d dimensions, not %d", name, ndim, a->ndim);
    return TB_OK;
}

/* How long the line or the knots of an axis are. */
static int64_t length_of(tb_grid_form form, int degree, int64_t values)
{
    return form == TB_GRID_SPLINE ? values + degree + 1 : values;
}

static tb_status check_axis(const tb_grid_side *s, tb_grid_form form, int axis, int64_t values)
{
    if (form == TB_GRID_SPLINE && (s->degree < 0 || s->degree > TB_GRID_DEGREE || s->order < 0))
        return tb__fail(TB_ERR_VALUE, "grid_at: degrees are from 0 to %d and orders not negative, not %d and %d",
                        TB_GRID_DEGREE, s->degree, s->order);
    if (values <= (form == TB_GRID_SPLINE ? s->degree : 0))
        return tb__fail(TB_ERR_VALUE, "grid_at: there are only %lld values along the axis %d", (long long)values, axis);
    return TB_OK;
}

/* What is known of the axes before elements are: degrees, orders, which values there are. */
static tb_status describe(tb_grid *g, const tb_array *values, const int *degrees, const int *orders, int64_t *lines)
{
    g->each = tb__product(values->ndim - g->naxis, values->dims + g->naxis) * g->parts;
    *lines = 0;
    for (int d = g->naxis - 1; d >= 0; d--) {
        tb_grid_side *s = &g->side[d];
        const int64_t n = values->dims[d];
        s->degree = g->form == TB_GRID_SPLINE ? degrees[d] : (int)g->form;
        s->order = g->form == TB_GRID_SPLINE && orders ? orders[d] : 0;
        TB_TRY(check_axis(s, g->form, d, n));
        s->knots = length_of(g->form, s->degree, n);
        s->first = g->form == TB_GRID_SPLINE ? s->degree : 0;
        s->last = g->form == TB_GRID_SPLINE ? n - 1 : n - 2;
        *lines += s->knots;
    }
    return TB_OK;
}

/* ---- computing --------------------------------------------------------------------------------------------------- */

static void find_shares(const tb_grid_side *s, double *shares)
{
    for (int d = 1; d <= s->degree; d++)
        for (int64_t i = 0; i < s->knots; i++) {
            const double apart = i + d < s->knots ? s->line[i + d] - s->line[i] : 0;
            shares[(d - 1) * s->knots + i] = apart == 0 ? 0 : 1 / apart;
        }
}

/* What the lines say. *shares is to be freed. */
static tb_status read_lines(tb_grid *g, const double *line, double **shares)
{
    int64_t size = 0, at = 0;
    for (int d = 0; d < g->naxis; d++) size += g->side[d].degree * g->side[d].knots;
    *shares = g->form == TB_GRID_SPLINE && size ? malloc((size_t)size * sizeof **shares) : NULL;
    if (g->form == TB_GRID_SPLINE && size && !*shares) return tb__fail_memory((size_t)size * sizeof **shares, 0, 0, 0);
    for (int d = 0; d < g->naxis; d++) {
        tb_grid_side *s = &g->side[d];
        const int64_t count = s->last - s->first + 1;
        s->line = line;
        s->begin = line[s->first];
        s->end = line[s->last + 1];
        s->density = (double)count / (s->end - s->begin);
        line += s->knots;
        if (!*shares) continue;
        s->shares = *shares + at;
        find_shares(s, *shares + at);
        at += s->degree * s->knots;
    }
    return TB_OK;
}

static tb_array *stored(tb_calc *c, tb_array *a, tb_dtype t)
{
    tb_array *kept = NULL;
    return c->status == TB_OK ? tb__calc_keep(c, tb__stored(a, t, &kept), &kept) : NULL;
}

/* The dtype that numbers are read in; others are converted before. */
static tb_dtype number_of(tb_dtype t)
{
    switch (t) {
    case TB_F16:
    case TB_F32: return t;
    case TB_C64: return TB_F32;
    default: return TB_F64;
    }
}

/* The axes behind those of the grid as one: whether elements are all equally far apart. */
static bool is_one_line(const tb_array *values, int naxis, int64_t *apart)
{
    int64_t elements = 1;
    for (int d = values->ndim - 1; d >= naxis; d--) {
        if (values->dims[d] == 1) continue;
        if (elements == 1) *apart = values->strides[d];
        else if (values->strides[d] != *apart * elements) return false;
        elements *= values->dims[d];
    }
    return true;
}

/* The values as they are where the loop can read them so, else as others in C order. */
static tb_array *readable(tb_calc *c, tb_grid *g, tb_array *values)
{
    const tb_dtype t = (tb_dtype)values->dtype;
    const int size = (int)tb_dtype_size(g->number);
    int64_t apart = 0;
    tb_array *kept = NULL;
    if (c->status != TB_OK) return NULL;
    const bool as_it_is = number_of(t) != TB_F64 || t == TB_F64 || t == TB_C128;
    if (as_it_is && tb__is_aligned(values) && is_one_line(values, g->naxis, &apart)) {
        c->status = tb__buffer_here(values->buffer);
    } else {
        values = tb__calc_keep(c, tb__stored(values, as_it_is ? t : g->parts == 2 ? TB_C128 : TB_F64, &kept), &kept);
        apart = g->parts * size;
    }
    if (c->status != TB_OK) return NULL;
    g->apart = apart / size;
    for (int d = 0; d < g->naxis; d++) g->side[d].step = values->dims[d] > 1 ? values->strides[d] / size : 0;
    return values;
}

static tb_status grid_at(const tb_grid *given, tb_array *lines, tb_array *values, tb_array *x, tb_array **out,
                         int *beyond)
{
    tb_calc c = {.status = TB_OK};
    tb_grid g = *given;
    const tb_dtype t = g.parts == 2 ? TB_C128 : TB_F64;
    const int others = values->ndim - g.naxis;
    int64_t shape[TB_MAXDIM] = {g.m};
    double *shares = NULL;
    tb_array *made = NULL;
    memcpy(shape + 1, values->dims + g.naxis, (size_t)others * sizeof *shape);
    lines = stored(&c, lines, TB_F64);
    values = readable(&c, &g, values);
    x = stored(&c, x, TB_F64);
    if (c.status == TB_OK) tb__calc_keep(&c, tb__empty(t, 1 + others, shape, 'C', &made), &made);
    if (c.status == TB_OK) c.status = tb__before_write(made->buffer);
    if (c.status == TB_OK) c.status = read_lines(&g, tb__vector_at(lines), &shares);
    if (c.status == TB_OK) {
        g.values = tb__vector_at(values);
        g.x = tb__vector_at(x);
        g.out = tb__vector_at(made);
        c.status = tb__grid_at(&g);
    }
    free(shares);
    tb__calc_give(&c, made, TB_NODTYPE, out);
    if (c.status == TB_OK && beyond) *beyond = (int)g.beyond;
    return tb__calc_end(&c);
}

tb_status tb_grid_at(tb_array *lines, tb_array *values, tb_grid_form form, int naxis, const int *degrees,
                     const int *orders, tb_array *x, const double *outside, tb_array **out, int *beyond)
{
    int64_t length;
    TB_NOT_NULL(lines, values, x, out);
    TB_IS_CHOICE(form, TB_GRID_SPLINE + 1);
    if (!tb__backend->on_host) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "grid_at: the device is not the host");
    if (form == TB_GRID_SPLINE && !degrees) return tb__fail_null(__func__, "degrees");
    TB_ARE_NUMBERS("grid_at", values->dtype);
    if (naxis < 1 || naxis > TB_GRID_AXES || naxis > values->ndim)
        return tb__fail(TB_ERR_VALUE, "grid_at: naxis must be from 1 to the %d of the values, and %d at most, it is %d",
                        values->ndim, TB_GRID_AXES, naxis);
    TB_TRY(check_real("lines", lines, 1));
    TB_TRY(check_real("x", x, 2));
    tb_grid g = {.form = form,
                 .naxis = naxis,
                 .m = x->dims[0],
                 .number = number_of((tb_dtype)values->dtype),
                 .parts = tb_dtype_kind((tb_dtype)values->dtype) == TB_KIND_COMPLEX ? 2 : 1,
                 .outside = outside};
    TB_TRY(describe(&g, values, degrees, orders, &length));
    if (lines->size != length || x->dims[1] != naxis)
        return tb__fail(TB_ERR_VALUE, "grid_at: %lld numbers in lines and %lld columns of x do not fit the values",
                        (long long)lines->size, (long long)x->dims[1]);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(grid_at(&g, lines, values, x, out, beyond));
}
