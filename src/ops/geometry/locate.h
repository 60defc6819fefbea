/* locate.h - which triangle of a triangulation points are in, in host memory. */
#ifndef TB_OPS_GEOMETRY_LOCATE_H
#define TB_OPS_GEOMETRY_LOCATE_H
#include <stdbool.h>
#include <stdint.h>

#include "ops/geometry/predicates.h"
#include "tombac/tombac.h"

typedef struct tb_location {
    int64_t n; /* triangles */
    const tb_point *points;
    const int32_t *corners, *neighbors; /* (n, 3) */
    int64_t m;
    const tb_point *x;
    double tol;      /* by which barycentric coordinates may be negative */
    bool exhaustive; /* look at all triangles, and take the first */
    int32_t *found;  /* (m): triangles, or -1 */
} tb_location;

tb_status tb__locate(const tb_location *l);
#endif
