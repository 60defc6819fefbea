/* thin.h - triangles in which coordinates are mostly rounding. */
#ifndef TB_OPS_GEOMETRY_THIN_H
#define TB_OPS_GEOMETRY_THIN_H
#include <float.h>
#include <stdbool.h>

#include "ops/geometry/predicates.h"

/* Whether the map to the barycentric coordinates of three corners has a reciprocal condition so small. */
static inline bool tb__is_thin(const tb_point *p)
{
    static const double least = 1000 * DBL_EPSILON;
    const double a = p[0].x - p[2].x, b = p[1].x - p[2].x, c = p[0].y - p[2].y, d = p[1].y - p[2].y;
    return fabs(a * d - b * c) <
           least * fmax(fabs(a) + fabs(c), fabs(b) + fabs(d)) * fmax(fabs(d) + fabs(c), fabs(b) + fabs(a));
}
#endif
