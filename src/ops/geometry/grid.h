/* grid.h - functions between the points of a grid, at other points, in host memory. */
#ifndef TB_OPS_GEOMETRY_GRID_H
#define TB_OPS_GEOMETRY_GRID_H
#include <stdint.h>

#include "tombac/tombac.h"

typedef struct tb_grid_side {
    const double *line;  /* the grid's, or knots; ascending */
    int64_t first, last; /* the intervals of it that points may be in, the last one -1 where there is a point alone */
    int64_t step;        /* numbers between values, which are real ones, or parts of complex ones */
    double begin, end;   /* between which points are inside */
    double density;      /* intervals by length, if all were alike */
    int degree, order;   /* of a spline and its derivative */
    int64_t knots;
    const double *shares; /* (degree, knots): one by the distance of a knot to the one so many and one behind, or 0 */
} tb_grid_side;

typedef struct tb_grid {
    tb_grid_form form;
    int naxis;
    tb_grid_side side[TB_GRID_AXES];
    int64_t m, each;       /* points; doubles for each of them, as many as numbers at each point of the grid */
    const double *x;       /* (m, naxis) */
    const void *values;    /* at each point `each / parts` elements */
    tb_dtype number;       /* TB_F64, TB_F32 or TB_F16: of elements, or of their parts */
    int64_t apart;         /* numbers from one element to the next */
    int parts;             /* 2: elements are real and imaginary parts in turn */
    const double *outside; /* parts of what points outside have, or NULL: what is inside goes on */
    double *out;           /* (m, each) */
    unsigned beyond;       /* bits: axes beyond whose ends a point is; set by threads */
} tb_grid;

tb_status tb__grid_at(tb_grid *g);
#endif
