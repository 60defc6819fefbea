/* predicates.c - signs where float64 does not tell: by pairs of float64, and by expansions. An expansion has its
 * components from the smallest on, none of them 0 unless it is the only one, so that its sign is that of the last. */
#include "ops/geometry/predicates.h"

#include <stdbool.h>

/* ---- two numbers, and what rounding takes away ------------------------------------------------------------------- */

static double two_sum(double a, double b, double *rest)
{
    const double sum = a + b, second = sum - a;
    *rest = (a - (sum - second)) + (b - second);
    return sum;
}

/* The upper half of the bits (T. J. Dekker, A floating-point technique for extending the available precision, 1971). */
static double upper(double a)
{
    const double far = 134217729.0 * a; /* 2^27 + 1 */
    return far - (far - a);
}

static double two_product(double a, double b, double *rest)
{
    const double product = a * b, a1 = upper(a), a0 = a - a1, b1 = upper(b), b0 = b - b1;
    *rest = a0 * b0 - (((product - a1 * b1) - a0 * b1) - a1 * b0);
    return product;
}

/* ---- expansions -------------------------------------------------------------------------------------------------- */

static int append(double *h, int n, double x)
{
    if (x != 0) h[n++] = x;
    return n;
}

static int finish(double *h, int n, double last)
{
    if (last != 0 || n == 0) h[n++] = last;
    return n;
}

/* h = e + f, which may have as many components as both together. */
static int add(int ne, const double *e, int nf, const double *f, double *h)
{
    int i = 0, j = 0, n = 0;
    double sum = 0, rest;
    while (i < ne || j < nf) {
        const bool first = j == nf || (i < ne && fabs(e[i]) < fabs(f[j]));
        sum = two_sum(sum, first ? e[i++] : f[j++], &rest);
        n = append(h, n, rest);
    }
    return finish(h, n, sum);
}

/* h = e * b, twice as many. */
static int scale(int ne, const double *e, double b, double *h)
{
    int n = 0;
    double rest, high = two_product(e[0], b, &rest);
    n = append(h, n, rest);
    for (int i = 1; i < ne; i++) {
        double low;
        const double product = two_product(e[i], b, &low), sum = two_sum(high, low, &rest);
        n = append(h, n, rest);
        high = two_sum(product, sum, &rest);
        n = append(h, n, rest);
    }
    return finish(h, n, high);
}

/* a x b, of 4 components. */
static int cross(tb_point a, tb_point b, double *h)
{
    double e[2], f[2];
    e[1] = two_product(a.x, b.y, &e[0]);
    f[1] = two_product(-a.y, b.x, &f[0]);
    return add(2, e, 2, f, h);
}

/* e * |p|^2: eight times as many. */
static int lift(int ne, const double *e, tb_point p, double *h)
{
    enum { MOST = 12 };
    double once[2 * MOST], x[4 * MOST], y[4 * MOST];
    const int nx = scale(scale(ne, e, p.x, once), once, p.x, x);
    const int ny = scale(scale(ne, e, p.y, once), once, p.y, y);
    return add(nx, x, ny, y, h);
}

static int sign_of(int n, const double *e) { return (e[n - 1] > 0) - (e[n - 1] < 0); }

/* Twice the area of a triangle: 12 components. */
static int turn(tb_point a, tb_point b, tb_point c, double *h)
{
    double ab[4], bc[4], ca[4], both[8];
    const int nab = cross(a, b, ab), nbc = cross(b, c, bc), nca = cross(c, a, ca);
    return add(add(nab, ab, nbc, bc, both), both, nca, ca, h);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* a - b, and what rounding took away from it; whether that is nothing. */
static bool subtract(tb_point a, tb_point b, tb_point *out, tb_point *rest)
{
    out->x = two_sum(a.x, -b.x, &rest->x);
    out->y = two_sum(a.y, -b.y, &rest->y);
    return rest->x == 0 && rest->y == 0;
}

int tb__orient_exact(tb_point a, tb_point b, tb_point c)
{
    tb_point ac, bc, lost_a, lost_b;
    double h[12];
    const bool all_a = subtract(a, c, &ac, &lost_a), all_b = subtract(b, c, &bc, &lost_b);
    const int n = all_a && all_b ? cross(ac, bc, h) : turn(a, b, c, h);
    return sign_of(n, h);
}

/* ---- circles ----------------------------------------------------------------------------------------------------- */

/* A number as the sum of two, the second within the rounding of the first. */
typedef struct wide {
    double high, low;
} wide;

static wide wide_of(double high, double low)
{
    wide a;
    a.high = two_sum(high, low, &a.low);
    return a;
}

static wide wide_product(wide a, wide b)
{
    double rest;
    const double product = two_product(a.high, b.high, &rest);
    return wide_of(product, rest + (a.high * b.low + a.low * b.high));
}

static wide wide_sum(wide a, wide b)
{
    double rest;
    const double sum = two_sum(a.high, b.high, &rest);
    return wide_of(sum, rest + (a.low + b.low));
}

static wide wide_difference(wide a, wide b) { return wide_sum(a, (wide){-b.high, -b.low}); }

/* |p|^2 (q x r), and how large its terms are. */
static wide wide_term(const wide *p, const wide *q, const wide *r, double *size)
{
    const wide square = wide_sum(wide_product(p[0], p[0]), wide_product(p[1], p[1]));
    const wide left = wide_product(q[0], r[1]), right = wide_product(q[1], r[0]);
    *size += square.high * (fabs(left.high) + fabs(right.high));
    return wide_product(square, wide_difference(left, right));
}

/* 0: does not tell. Each operation is off by few times 2^-106 of its operands, all together by less than 64 of the
 * terms' sizes. */
static int in_circle_wide(const tb_point *high, const tb_point *low)
{
    wide p[3][2];
    double size = 0;
    for (int i = 0; i < 3; i++) {
        p[i][0] = (wide){high[i].x, low[i].x};
        p[i][1] = (wide){high[i].y, low[i].y};
    }
    const wide a = wide_term(p[0], p[1], p[2], &size), b = wide_term(p[1], p[2], p[0], &size);
    const wide c = wide_term(p[2], p[0], p[1], &size), all = wide_sum(wide_sum(a, b), c);
    const double most = 0x1p-96 * size;
    return (all.high > most) - (all.high < -most);
}

static int in_circle_of_differences(const tb_point *p)
{
    double minor[4], x[32], y[32], z[32], both[64], all[96];
    const int nx = lift(cross(p[1], p[2], minor), minor, p[0], x);
    const int ny = lift(cross(p[2], p[0], minor), minor, p[1], y);
    const int nz = lift(cross(p[0], p[1], minor), minor, p[2], z);
    const int n = add(nx, x, ny, y, both);
    return sign_of(add(n, both, nz, z, all), all);
}

static int in_circle_of_points(tb_point a, tb_point b, tb_point c, tb_point d)
{
    double minor[12], x[96], y[96], both[192], rest[192], all[384];
    const int na = lift(turn(b, c, d, minor), minor, a, x), nb = lift(turn(c, a, d, minor), minor, b, y);
    const int n = add(na, x, nb, y, both);
    const int nc = lift(turn(a, b, d, minor), minor, c, x), nd = lift(turn(c, b, a, minor), minor, d, y);
    const int m = add(nc, x, nd, y, rest);
    return sign_of(add(n, both, m, rest, all), all);
}

/* Whether a, b and c are d or one other number. */
static bool are_two(double a, double b, double c, double d)
{
    const double other = a != d ? a : b != d ? b : c;
    return (a == d || a == other) && (b == d || b == other) && (c == d || c == other);
}

int tb__in_circle_exact(tb_point a, tb_point b, tb_point c, tb_point d)
{
    /* Corners of a rectangle, as everywhere in a grid. */
    if (are_two(a.x, b.x, c.x, d.x) && are_two(a.y, b.y, c.y, d.y)) return 0;
    tb_point p[3], lost[3];
    const bool all_a = subtract(a, d, &p[0], &lost[0]), all_b = subtract(b, d, &p[1], &lost[1]);
    const bool all = subtract(c, d, &p[2], &lost[2]) && all_a && all_b;
    const int side = in_circle_wide(p, lost);
    if (side) return side;
    return all ? in_circle_of_differences(p) : in_circle_of_points(a, b, c, d);
}
