/* delaunay.c - triangulations of points of the plane, which the host makes (geometry/triangulate.h) and searches. */
#include <float.h>
#include <stdlib.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/geometry/locate.h"
#include "ops/geometry/patches.h"
#include "ops/geometry/slopes.h"
#include "ops/geometry/triangulate.h"
#include "ops/sparse/calc.h"

static tb_status check_points(const char *who, const char *name, const tb_array *points)
{
    TB_ARE_NUMBERS(who, points->dtype);
    if (tb_dtype_kind((tb_dtype)points->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: %s must be real, not %s", who, name, tb_dtype_name((tb_dtype)points->dtype));
    if (points->ndim != 2 || points->dims[1] != 2)
        return tb__fail(TB_ERR_VALUE, "%s: %s must be of shape (n, 2)", who, name);
    return TB_OK;
}

static tb_status check_count(const tb_array *points)
{
    if (points->dims[0] >= TB_MOST_CORNERS)
        return tb__fail(TB_ERR_VALUE, "delaunay: there must be fewer than %d points, not %lld", TB_MOST_CORNERS,
                        (long long)points->dims[0]);
    return TB_OK;
}

/* *out is to be freed. */
static tb_status read_points(tb_array *points, tb_point **out)
{
    tb_array *cast;
    const int64_t n = points->dims[0];
    tb_point *at = malloc((n ? (size_t)n : 1) * sizeof *at);
    if (!at) return tb__fail_memory((size_t)n * sizeof *at, 0, 0, 0);
    tb_status status = tb_astype(points, TB_F64, 'C', TB_CAST_UNSAFE, false, &cast);
    if (status == TB_OK) {
        status = tb_array_get(cast, at, NULL, NULL, true);
        tb_array_release(cast);
    }
    for (int64_t i = 0; i < n && status == TB_OK; i++)
        if (!isfinite(at[i].x) || !isfinite(at[i].y))
            status = tb__fail(TB_ERR_VALUE, "delaunay: points must be finite, point %lld is not", (long long)i);
    if (status == TB_OK) *out = at;
    else free(at);
    return status;
}

static tb_status to_device(const tb_triangles *t, int64_t npoints, tb_triangulation *out)
{
    const int64_t faces[] = {t->n, 3}, twins[] = {t->twins, 3};
    tb_triangulation made = {NULL, NULL, NULL, NULL};
    tb_status status = tb_from_host(t->corners, TB_I32, 2, faces, NULL, 'C', &made.simplices);
    if (status == TB_OK) status = tb_from_host(t->neighbors, TB_I32, 2, faces, NULL, 'C', &made.neighbors);
    if (status == TB_OK) status = tb_from_host(t->of_point, TB_I32, 1, &npoints, NULL, 'C', &made.vertex_to_simplex);
    if (status == TB_OK) status = tb_from_host(t->twin, TB_I32, 2, twins, NULL, 'C', &made.coplanar);
    if (status == TB_OK) {
        *out = made;
        return TB_OK;
    }
    if (made.simplices) tb_array_release(made.simplices);
    if (made.neighbors) tb_array_release(made.neighbors);
    if (made.vertex_to_simplex) tb_array_release(made.vertex_to_simplex);
    return status;
}

tb_status tb_delaunay(tb_array *points, tb_triangulation *out)
{
    TB_NOT_NULL(points, out);
    tb_point *at = NULL;
    tb_triangles t;
    TB_TRY(check_points("delaunay", "points", points));
    TB_TRY(check_count(points));
    const int64_t n = points->dims[0];
    TB_TRY(read_points(points, &at));
    tb_status status = tb__triangulate(n, at, &t);
    free(at);
    TB_TRY(status);
    status = to_device(&t, n, out);
    tb__free_triangles(&t);
    return status;
}

/* ---- what belongs to a triangulation ----------------------------------------------------------------------------- */

static const void *memory(tb_calc *c, tb_array *a, tb_dtype t)
{
    tb_array *stored = NULL;
    if (c->status == TB_OK) stored = tb__calc_keep(c, tb__stored(a, t, &stored), &stored);
    return stored ? stored->buffer->ptr + stored->offset : NULL;
}

/* A new array, and where its elements are. */
static tb_array *new_array(tb_calc *c, tb_dtype t, int ndim, const int64_t *shape, void **at)
{
    tb_array *made = NULL;
    if (c->status == TB_OK) made = tb__calc_keep(c, tb__empty(t, ndim, shape, 'C', &made), &made);
    if (c->status == TB_OK) c->status = tb__before_write(made->buffer);
    *at = c->status == TB_OK ? made->buffer->ptr + made->offset : NULL;
    return made;
}

static bool are_triples(const tb_array *a, int64_t n)
{
    return a->dtype == TB_I32 && a->ndim == 2 && a->dims[1] == 3 && a->dims[0] == n;
}

static tb_status check_triangulation(const char *who, const tb_triangulation *t, const tb_array *points)
{
    TB_NOT_NULL(t->simplices, t->neighbors);
    if (!tb__backend->on_host) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s: the device is not the host", who);
    TB_TRY(check_points(who, "points", points));
    const int64_t n = t->simplices->ndim == 2 ? t->simplices->dims[0] : -1;
    if (!are_triples(t->simplices, n) || !are_triples(t->neighbors, n))
        return tb__fail(TB_ERR_VALUE, "%s: these arrays are not a triangulation's", who);
    return tb_host_func_pending() ? tb__wait_unlocked(NULL, true) : TB_OK;
}

static tb_status check_shape(const char *who, const char *name, const tb_array *a, int ndim, const int64_t *shape)
{
    TB_ARE_NUMBERS(who, a->dtype);
    if (tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: %s must be real, not %s", who, name, tb_dtype_name((tb_dtype)a->dtype));
    bool same = a->ndim == ndim;
    for (int i = 0; i < ndim && same; i++) same = a->dims[i] == shape[i];
    return same ? TB_OK : tb__fail(TB_ERR_VALUE, "%s: %s do not fit the points", who, name);
}

static tb_status locate(const tb_triangulation *t, tb_array *points, tb_array *x, double tol, bool exhaustive,
                        tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    tb_location l = {.n = t->simplices->dims[0], .m = x->dims[0], .tol = tol, .exhaustive = exhaustive};
    l.points = memory(&c, points, TB_F64);
    l.x = memory(&c, x, TB_F64);
    l.corners = memory(&c, t->simplices, TB_I32);
    l.neighbors = memory(&c, t->neighbors, TB_I32);
    tb_array *found = new_array(&c, TB_I32, 1, &l.m, (void **)&l.found);
    if (c.status == TB_OK) c.status = tb__locate(&l);
    tb__calc_give(&c, found, TB_NODTYPE, out);
    return tb__calc_end(&c);
}

tb_status tb_delaunay_find(const tb_triangulation *t, tb_array *points, tb_array *x, double tol, bool exhaustive,
                           tb_array **out)
{
    TB_NOT_NULL(t, points, x, out);
    TB_TRY(check_triangulation("delaunay_find", t, points));
    TB_TRY(check_points("delaunay_find", "x", x));
    return TB__OPERATION(locate(t, points, x, tol, exhaustive, out));
}

static tb_status find_slopes(const tb_triangulation *t, tb_array *points, tb_array *values, double tol, int most,
                             tb_array **slopes, int *rounds)
{
    tb_calc c = {.status = TB_OK};
    tb_bending b = {
        .n = points->dims[0], .triangles = t->simplices->dims[0], .columns = values->dims[1], .tol = tol, .most = most};
    b.points = memory(&c, points, TB_F64);
    b.values = memory(&c, values, TB_F64);
    b.corners = memory(&c, t->simplices, TB_I32);
    b.neighbors = memory(&c, t->neighbors, TB_I32);
    tb_array *made = new_array(&c, TB_F64, 3, (int64_t[]){b.n, b.columns, 2}, (void **)&b.slopes);
    if (c.status == TB_OK) c.status = tb__find_slopes(&b);
    tb__calc_give(&c, made, TB_NODTYPE, slopes);
    const tb_status status = tb__calc_end(&c);
    if (status == TB_OK) *rounds = b.rounds;
    return status;
}

tb_status tb_delaunay_slopes(const tb_triangulation *t, tb_array *points, tb_array *values, double tol, int most,
                             tb_array **slopes, int *rounds)
{
    TB_NOT_NULL(t, points, values, slopes);
    if (!rounds) return tb__fail_null(__func__, "rounds");
    TB_TRY(check_triangulation("delaunay_slopes", t, points));
    if (values->ndim != 2)
        return tb__fail(TB_ERR_VALUE, "delaunay_slopes: values must have two dimensions, they have %d", values->ndim);
    TB_TRY(check_shape("delaunay_slopes", "values", values, 2, (int64_t[]){points->dims[0], values->dims[1]}));
    return TB__OPERATION(find_slopes(t, points, values, tol, most, slopes, rounds));
}

static tb_status evaluate(const tb_triangulation *t, tb_array *points, tb_array *at, tb_patches *p, tb_array *values,
                          tb_array *slopes, tb_array *outside, tb_array *x, tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    p->at = memory(&c, at, TB_I32);
    p->points = memory(&c, points, TB_F64);
    p->corners = memory(&c, t->simplices, TB_I32);
    p->neighbors = memory(&c, t->neighbors, TB_I32);
    p->values = memory(&c, values, TB_F64);
    p->slopes = slopes ? memory(&c, slopes, TB_F64) : NULL;
    p->outside = memory(&c, outside, TB_F64);
    p->x = memory(&c, x, TB_F64);
    tb_array *made = new_array(&c, TB_F64, 2, (int64_t[]){p->m, p->columns}, (void **)&p->out);
    if (c.status == TB_OK) c.status = tb__patches_at(p);
    tb__calc_give(&c, made, TB_NODTYPE, out);
    return tb__calc_end(&c);
}

tb_status tb_delaunay_values(const tb_triangulation *t, tb_array *points, tb_array *values, tb_array *slopes,
                             tb_array *outside, tb_array *x, tb_array **out)
{
    static const double tol = 100 * DBL_EPSILON;
    TB_NOT_NULL(t, points, values, outside);
    TB_NOT_NULL(x, out);
    TB_NOT_RELEASED(slopes);
    TB_TRY(check_triangulation("delaunay_values", t, points));
    TB_TRY(check_points("delaunay_values", "x", x));
    if (values->ndim != 2)
        return tb__fail(TB_ERR_VALUE, "delaunay_values: values must have two dimensions, they have %d", values->ndim);
    tb_patches p = {.columns = values->dims[1], .m = x->dims[0]};
    const int64_t shape[] = {points->dims[0], p.columns, 2};
    TB_TRY(check_shape("delaunay_values", "values", values, 2, shape));
    TB_TRY(check_shape("delaunay_values", "outside", outside, 1, &p.columns));
    if (slopes) TB_TRY(check_shape("delaunay_values", "slopes", slopes, 3, shape));
    tb_array *at;
    TB_TRY(TB__OPERATION(locate(t, points, x, tol, false, &at)));
    const tb_status status = TB__OPERATION(evaluate(t, points, at, &p, values, slopes, outside, x, out));
    tb_array_release(at);
    return status;
}
