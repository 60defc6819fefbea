/* points.h - a section of tombac.h, which includes it: functions in pieces, distances, neighbours and
 * triangulations of points, and assignments. */
#ifndef TOMBAC_POINTS_H
#define TOMBAC_POINTS_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- functions in pieces, distances, neighbours ------------------------------------------------------------------ */

/* Functions in pieces: what the coefficients belong to. */
typedef enum tb_piece_form {
    TB_PIECE_POWERS, /* powers of the distance from where a piece begins: c[order][piece], the highest first */
    TB_PIECE_LINES,  /* lines between points: c[i] is the value at x[i] */
    TB_PIECE_SPLINE  /* B-splines of a degree over the knots x: c[i] is that of the i-th */
} tb_piece_form;
/* What such a function is before its first breakpoint and behind its last one. */
typedef enum tb_piece_outside {
    TB_PIECE_GOES_ON, /* what the first or the last piece is */
    TB_PIECE_NAN,     /* NaN */
    TB_PIECE_REPEATS  /* what is inside, repeated */
} tb_piece_outside;
/* A function in pieces, or its derivative nu (lines have none but themselves), at real points: float64, or complex128
 * where c is complex, in the points' shape with the other dimensions of c behind. x is a real vector of breakpoints,
 * at least two, in ascending order, that of TB_PIECE_POWERS in ascending or descending order; it is not looked over: if
 * it is not in order the results are some numbers. The degree, of TB_PIECE_SPLINE alone, is 99 at most; a spline begins
 * at x[degree] and ends at the knot with as many behind it. NaN where a point is. */
TB_API tb_status tb_pieces_at(tb_array *x, tb_array *c, tb_piece_form form, int degree, tb_array *points, int nu,
                              tb_piece_outside outside, tb_array **out);
/* The integral of such a function of TB_PIECE_POWERS from a to b, in the shape of c behind its first two dimensions;
 * NaN where one of them is, or is outside and that is NaN. TB_ERR_VALUE with TB_PIECE_REPEATS, TB_ERR_NOT_IMPLEMENTED
 * where the device is not the host. */
TB_API tb_status tb_pieces_integral(tb_array *x, tb_array *c, double a, double b, tb_piece_outside outside,
                                    tb_array **out);

/* What is between the points of a grid. */
typedef enum tb_grid_form {
    TB_GRID_NEAREST, /* the value of the nearest one, in the middle the lower one's */
    TB_GRID_LINES,   /* lines along each axis */
    TB_GRID_SPLINE   /* products of B-splines, whose coefficients the values are */
} tb_grid_form;
enum { TB_GRID_AXES = 8, TB_GRID_DEGREE = 9 };
/* A function on a grid of naxis variables, up to TB_GRID_AXES, at the rows of x, a real array of shape (m, naxis):
 * float64, or complex128 where the values are complex, of shape (m, ...). values: of an axis for each variable, and
 * others. lines: a real vector: the coordinates along each axis, one behind the other, or each spline's knots, whose
 * degrees are 0 to TB_GRID_DEGREE; they must ascend, and are not looked over. degrees and orders, which derivative by
 * each variable, are for splines; orders may be NULL. outside: what points outside have, one number or a complex one's
 * two parts, or NULL: what is inside goes on. NaN where a coordinate is. beyond (or NULL): bits of the variables in
 * which any point is outside, or NaN. TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_grid_at(tb_array *lines, tb_array *values, tb_grid_form form, int naxis, const int *degrees,
                            const int *orders, tb_array *x, const double *outside, tb_array **out, int *beyond);

/* The cubic spline through points, whose second derivative has no jumps, as coefficients of TB_PIECE_POWERS over x: x a
 * real vector that ascends, y as long along its first axis, real or complex, both finite. At either end there is one
 * piece for the first, or last, two (order 0), or the derivative of order 1 or 2 is a number, of no imaginary part. Two
 * points without a condition have a line, three a parabola. Computed on the host, which waits for the points. */
TB_API tb_status tb_cubic_spline(tb_array *x, tb_array *y, int first_order, double first_value, int last_order,
                                 double last_value, tb_array **c);
/* The spline of a degree from 1 to 9 through points, as those of tb_cubic_spline: its knots and its coefficients. Knots
 * are given, as many as there are points and the degree and one more, or chosen where `given` is NULL: points, of even
 * degree halfway between them, but for those that are nearest to the ends. Computed on the host, which waits for the
 * points. TB_ERR_VALUE where knots do not fit the points. */
TB_API tb_status tb_spline_through(tb_array *x, tb_array *y, int degree, tb_array *given, tb_array **t, tb_array **c);
/* The coefficients of the spline of a degree from 1 to 9 over given knots whose weighted distances from points,
 * squared, have the least sum: x a real vector that does not descend, y as in tb_spline_through, weights NULL (all
 * alike) or a real vector. Computed on the host, which waits for the points. TB_ERR_VALUE where a point is outside of
 * the knots, or they do not fit the points. */
TB_API tb_status tb_spline_nearest(tb_array *x, tb_array *y, int degree, tb_array *knots, tb_array *weights,
                                   tb_array **c);

/* What is between two vectors. */
typedef enum tb_metric {
    TB_METRIC_SQEUCLIDEAN, /* the sum of squared differences, */
    TB_METRIC_EUCLIDEAN,   /* and its root */
    TB_METRIC_CITYBLOCK,   /* the sum of absolute differences */
    TB_METRIC_CHEBYSHEV,   /* the largest of them */
    TB_METRIC_MINKOWSKI,   /* the sum of their powers p, to 1 / p */
    TB_METRIC_HAMMING,     /* the share of elements that differ */
    TB_METRIC_CANBERRA,    /* the sum of absolute differences by sums of absolute values, 0 / 0 being 0 */
    TB_METRIC_BRAYCURTIS,  /* the sum of absolute differences, by that of absolute sums */
    TB_METRIC_COSINE /* one less the cosine of the angle, from 0 to 2; where the device is not the host of rows that are
                      * of length 1 alone: one less the sum of products */
} tb_metric;
/* The distances of each row of a matrix from each of another, both of float32 or both of float64, or where b is NULL of
 * each pair of a's rows, (0, 1), (0, 2), ..., once. Computed in that dtype, but cosines in float64 on the host. */
TB_API tb_status tb_distances(tb_array *a, tb_array *b, tb_metric metric, double p, tb_array **out);
/* A tree of boxes over points, in which neighbours are found. The arrays are the caller's to release. */
typedef struct tb_tree {
    tb_array *points; /* float64 of shape (points, dimensions), in the order of the tree */
    tb_array *order;  /* int64: the number of each */
    tb_array *boxes;  /* float64 of shape (nodes, 2, dimensions) */
} tb_tree;
/* The tree of a real array of shape (points, dimensions), of finite numbers. */
TB_API tb_status tb_tree_make(tb_array *points, tb_tree *out);
/* The k nearest points of each row of x, a real array of shape (m, dimensions) of finite numbers, that are nearer than
 * `bound`: distances in order, as float64 of shape (m, k), and their numbers as int64; infinity and the number of all
 * points where there are not so many. Distances are Minkowski's of p, from 1 to infinity. Axes may be periodic:
 * `periods` is NULL, or a vector with the period of each axis, or 0, and coordinates of the points and of x lie between
 * 0 and it. */
TB_API tb_status tb_tree_nearest(const tb_tree *tree, tb_array *x, int64_t k, double p, double bound, tb_array *periods,
                                 tb_array **distances, tb_array **numbers);
/* How many points are no further from each row of x than radii says, a vector; or with `starts` (or NULL), a vector of
 * m + 1 running sums of these counts that begins with 0, the numbers of those points, in any order within a row. As
 * int64. Waits for it if `starts` is given. */
TB_API tb_status tb_tree_within(const tb_tree *tree, tb_array *x, tb_array *radii, double p, tb_array *periods,
                                tb_array *starts, tb_array **out);
/* All pairs of a point of a tree and one of another (of as many dimensions) that are no further apart than `radius`:
 * their numbers as int64 of shape (pairs, 2), in any order, and if `distances` is not NULL, how far apart they are, as
 * float64. Where `other` is NULL, each pair of two points of the one tree once, the lesser number first. p and
 * periods as above. TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_tree_pairs(const tb_tree *tree, const tb_tree *other, double radius, double p, tb_array *periods,
                               tb_array **numbers, tb_array **distances);
/* The Delaunay triangulation of points of the plane. The arrays are of int32, and the caller's to release. */
typedef struct tb_triangulation {
    tb_array *simplices; /* of shape (triangles, 3): the numbers of each one's corners, counterclockwise */
    tb_array *neighbors; /* of shape (triangles, 3): the triangle opposite to each corner, -1 where there is none */
    tb_array *vertex_to_simplex; /* for each point a triangle that has it for a corner, or -1 */
    tb_array *coplanar; /* of shape (n, 3): points that equal one with a lesser number, a triangle that has that one for
                         * a corner, and its number */
} tb_triangulation;
/* The triangulation of a real array of shape (points, 2), of finite numbers, fewer than 2^28 points: in the circle of a
 * triangle is no point. This is exact, but for coordinates being rounded to multiples of 2^-260 of the greatest. There
 * are no triangles if all points are on one line. Made by one thread of the host, which waits for the points. */
TB_API tb_status tb_delaunay(tb_array *points, tb_triangulation *out);
/* Which triangle of the triangulation of `points` each row of x is in, a real array of shape (m, 2), as int32; -1:
 * none, or the row is not finite. Barycentric coordinates may be -tol. Found by walks through neighbouring triangles;
 * if `exhaustive`, by looking at one after the other, flat ones left out: the first that it is in.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_delaunay_find(const tb_triangulation *t, tb_array *points, tb_array *x, double tol, bool exhaustive,
                                  tb_array **out);
/* The slopes at points with which cubic polynomials along the triangulation's edges bend least, for each column of a
 * real matrix of values with a row for each point: float64 of shape (points, columns, 2). Made better in rounds, `most`
 * at most, until none changes by more than tol, relative to itself if that is more than 1. rounds: how many it took,
 * the columns' largest number; 0 where they were not enough. Computed by one thread of the host. TB_ERR_NOT_IMPLEMENTED
 * where the device is not the host. */
TB_API tb_status tb_delaunay_slopes(const tb_triangulation *t, tb_array *points, tb_array *values, double tol, int most,
                                    tb_array **slopes, int *rounds);
/* Functions on the triangles, at the rows of x, a real array of shape (m, 2): float64 of shape (m, columns). values:
 * real, of shape (points, columns). slopes: NULL, and functions are linear on each triangle; or real, of shape (points,
 * columns, 2), and they are smooth, and cubic on the thirds of each triangle (Clough and Tocher). outside: a real
 * vector of a number for each column, for rows in no triangle. NaN in triangles that are flat but for rounding.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_delaunay_values(const tb_triangulation *t, tb_array *points, tb_array *values, tb_array *slopes,
                                    tb_array *outside, tb_array *x, tb_array **out);

/* The assignment of rows to columns of a real matrix of costs whose total is least, or greatest: vectors of int64, the
 * rows in order and the column of each, as many as the lesser dimension. A cost of infinity forbids a pair.
 * TB_ERR_VALUE where a cost is NaN or infinitely good, or each assignment has a pair that is forbidden. Found by one
 * thread of the host, which waits for the costs. */
TB_API tb_status tb_linear_sum_assignment(tb_array *cost, bool maximize, tb_array **rows, tb_array **columns);
#endif
