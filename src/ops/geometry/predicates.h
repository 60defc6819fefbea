/* predicates.h - on which side of a line, or of a circle, a point is: the sign is exact, whatever rounding does.
 *
 * Sums of products are computed in float64 first, with a bound of the error (J. R. Shewchuk, Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates, 1997); where they are not further from 0 than that,
 * by expansions: sums of float64 that do not overlap. Nothing may be contracted or reassociated. Coordinates are at
 * most 1 and multiples of 2^-260, so that no product of four is rounded to where float64 ends. */
#ifndef TB_OPS_GEOMETRY_PREDICATES_H
#define TB_OPS_GEOMETRY_PREDICATES_H
#include <math.h>

typedef struct tb_point {
    double x, y;
} tb_point;

/* What the functions below ask where float64 does not tell. */
int tb__orient_exact(tb_point a, tb_point b, tb_point c);
int tb__in_circle_exact(tb_point a, tb_point b, tb_point c, tb_point d);

/* 1: a, b and c turn left; -1: right; 0: they are on one line. */
static inline int tb__orient(tb_point a, tb_point b, tb_point c)
{
    static const double bound = 3.3306690738754716e-16; /* (3 + 16 e) e with e = 2^-53 */
    const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    const double turn = left - right, most = bound * (fabs(left) + fabs(right));
    if (turn > most) return 1;
    if (turn < -most) return -1;
    return most == 0 ? 0 : tb__orient_exact(a, b, c);
}

/* Of a, b and c, which turn left. 1: d is inside of the circle through them; -1: outside; 0: float64 does not tell, nor
 * if a coordinate is NaN. */
static inline int tb__in_circle_quick(tb_point a, tb_point b, tb_point c, tb_point d)
{
    static const double bound = 1.1102230246251577e-15; /* (10 + 96 e) e */
    const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    const double bc = bx * cy, cb = by * cx, ca = cx * ay, ac = cy * ax, ab = ax * by, ba = ay * bx;
    const double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    const double inside = aa * (bc - cb) + bb * (ca - ac) + cc * (ab - ba);
    const double most = bound * (aa * (fabs(bc) + fabs(cb)) + bb * (fabs(ca) + fabs(ac)) + cc * (fabs(ab) + fabs(ba)));
    return (inside > most) - (inside < -most);
}

/* The same; 0: d is on the circle. d is none of the others. */
static inline int tb__in_circle(tb_point a, tb_point b, tb_point c, tb_point d)
{
    const int side = tb__in_circle_quick(a, b, c, d);
    return side ? side : tb__in_circle_exact(a, b, c, d);
}
#endif
