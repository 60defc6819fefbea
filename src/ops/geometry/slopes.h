/* slopes.h - slopes at points of the plane, with which a function bends least, in host memory. */
#ifndef TB_OPS_GEOMETRY_SLOPES_H
#define TB_OPS_GEOMETRY_SLOPES_H
#include <stdint.h>

#include "ops/geometry/predicates.h"
#include "tombac/tombac.h"

typedef struct tb_bending {
    int64_t n, triangles, columns; /* n: points */
    const tb_point *points;
    const int32_t *corners, *neighbors; /* (triangles, 3) */
    const double *values;               /* (n, columns) */
    double tol;
    int most, rounds; /* rounds: is set, 0 where `most` were not enough */
    double *slopes;   /* (n, columns, 2) */
} tb_bending;

tb_status tb__find_slopes(tb_bending *b);
#endif
