/* delaunay.c - triangulations of points of the plane, which the host makes (geometry/triangulate.h). */
#include <stdlib.h>

#include "base/argument.h"
#include "base/error.h"
#include "ops/array_ops.h"
#include "ops/geometry/triangulate.h"

static tb_status check_points(const tb_array *points)
{
    TB_ARE_NUMBERS("delaunay", points->dtype);
    if (tb_dtype_kind((tb_dtype)points->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "delaunay: points must be real, not %s", tb_dtype_name((tb_dtype)points->dtype));
    if (points->ndim != 2 || points->dims[1] != 2)
        return tb__fail(TB_ERR_VALUE, "delaunay: points must be of shape (n, 2)");
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
    TB_TRY(check_points(points));
    const int64_t n = points->dims[0];
    TB_TRY(read_points(points, &at));
    tb_status status = tb__triangulate(n, at, &t);
    free(at);
    TB_TRY(status);
    status = to_device(&t, n, out);
    tb__free_triangles(&t);
    return status;
}
