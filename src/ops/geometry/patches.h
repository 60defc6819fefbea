/* patches.h - functions on the triangles of a triangulation, at points in them, in host memory. */
#ifndef TB_OPS_GEOMETRY_PATCHES_H
#define TB_OPS_GEOMETRY_PATCHES_H
#include <stdint.h>

#include "ops/geometry/predicates.h"
#include "tombac/tombac.h"

typedef struct tb_patches {
    int64_t columns;
    const tb_point *points;
    const int32_t *corners, *neighbors; /* (triangles, 3) */
    const double *values;               /* (points, columns) */
    const double *slopes;               /* (points, columns, 2), or NULL: functions are linear */
    const double *outside;              /* (columns) */
    int64_t m;
    const tb_point *x;
    const int32_t *at; /* (m): which triangle a point is in, or -1 */
    double *out;       /* (m, columns) */
} tb_patches;

/* NaN in flat triangles, in which points have no coordinates. */
tb_status tb__patches_at(const tb_patches *p);
#endif
