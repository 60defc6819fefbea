/* delaunay.c - triangulations of points of the plane, which the host makes (geometry/triangulate.h) and searches. */
#include <stdlib.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/geometry/locate.h"
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

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static const void *memory(tb_calc *c, tb_array *a, tb_dtype t)
{
    tb_array *stored = NULL;
    if (c->status == TB_OK) stored = tb__calc_keep(c, tb__stored(a, t, &stored), &stored);
    return stored ? stored->buffer->ptr + stored->offset : NULL;
}

static tb_status locate(const tb_triangulation *t, tb_array *points, tb_array *x, double tol, bool exhaustive,
                        tb_array **out)
{
    tb_calc c = {.status = TB_OK};
    tb_array *found = NULL;
    tb_location l = {.n = t->simplices->dims[0], .m = x->dims[0], .tol = tol, .exhaustive = exhaustive};
    l.points = memory(&c, points, TB_F64);
    l.x = memory(&c, x, TB_F64);
    l.corners = memory(&c, t->simplices, TB_I32);
    l.neighbors = memory(&c, t->neighbors, TB_I32);
    if (c.status == TB_OK) found = tb__calc_keep(&c, tb__empty(TB_I32, 1, &l.m, 'C', &found), &found);
    if (c.status == TB_OK) c.status = tb__before_write(found->buffer);
    if (c.status == TB_OK) l.found = (int32_t *)(void *)(found->buffer->ptr + found->offset);
    if (c.status == TB_OK) c.status = tb__locate(&l);
    tb__calc_give(&c, found, TB_NODTYPE, out);
    return tb__calc_end(&c);
}

static bool are_triples(const tb_array *a, int64_t n)
{
    return a->dtype == TB_I32 && a->ndim == 2 && a->dims[1] == 3 && a->dims[0] == n;
}

tb_status tb_delaunay_find(const tb_triangulation *t, tb_array *points, tb_array *x, double tol, bool exhaustive,
                           tb_array **out)
{
    TB_NOT_NULL(t, points, x, out);
    TB_NOT_NULL(t->simplices, t->neighbors);
    if (!tb__backend->on_host) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "delaunay_find: the device is not the host");
    TB_TRY(check_points("delaunay_find", "points", points));
    TB_TRY(check_points("delaunay_find", "x", x));
    const int64_t n = t->simplices->ndim == 2 ? t->simplices->dims[0] : -1;
    if (!are_triples(t->simplices, n) || !are_triples(t->neighbors, n))
        return tb__fail(TB_ERR_VALUE, "delaunay_find: these arrays are not a triangulation's");
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(locate(t, points, x, tol, exhaustive, out));
}
