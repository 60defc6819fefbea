/* triangulate.h - the Delaunay triangulation of points of the plane, in host memory. */
#ifndef TB_OPS_GEOMETRY_TRIANGULATE_H
#define TB_OPS_GEOMETRY_TRIANGULATE_H
#include <stdint.h>

#include "ops/geometry/predicates.h"
#include "tombac/tombac.h"

enum { TB_MOST_CORNERS = 1 << 28 }; /* so that an edge's number is an int32 */

/* What tb_delaunay gives. */
typedef struct tb_triangles {
    int64_t n, twins;
    int32_t *corners, *neighbors; /* (n, 3) */
    int32_t *of_point;            /* (points) */
    int32_t *twin;                /* (twins, 3): points that equal one before them, a triangle, the one before */
} tb_triangles;

/* Of finite points, fewer than TB_MOST_CORNERS, which are scaled by a power of two in place. The arrays are the
 * caller's to free. */
tb_status tb__triangulate(int64_t n, tb_point *points, tb_triangles *out);
void tb__free_triangles(tb_triangles *t);
#endif
