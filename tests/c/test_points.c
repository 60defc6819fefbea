/* test_points.c - functions in pieces, splines through points, distances of rows, neighbours in trees; their errors. */
#include "arrays.h"

#include <math.h>

#define LONGS(...) (int64_t[]){__VA_ARGS__}
#define DOUBLES(...) (double[]){__VA_ARGS__}

static tb_array *vector(int64_t n, const double *x)
{
    tb_array *a = NULL;
    CHECK_OK(tb_from_host(x, TB_F64, 1, &n, NULL, 'C', &a));
    return a;
}

static tb_array *matrix(int64_t rows, int64_t columns, const double *x)
{
    tb_array *a = NULL;
    CHECK_OK(tb_from_host(x, TB_F64, 2, LONGS(rows, columns), NULL, 'C', &a));
    return a;
}

/* The elements of a, which is not wanted any more, are these numbers but for rounding. */
static bool about(tb_array *a, int64_t n, const double *expected)
{
    double got[64];
    bool ok = a && tb_array_size(a) == n && CHECK_OK(tb_array_get(a, got, NULL, NULL, true));
    for (int64_t i = 0; ok && i < n; i++) ok = fabs(got[i] - expected[i]) <= 1e-12 * (1 + fabs(expected[i]));
    tb_array_release(a);
    return ok;
}

/* x^2 from 0 on, and 1 + (x - 1) from 1 to 3. */
static void test_pieces(void)
{
    tb_array *x = vector(3, DOUBLES(0, 1, 3)), *c = matrix(3, 2, DOUBLES(1, 0, 0, 1, 0, 1));
    tb_array *at = vector(5, DOUBLES(-1, 0.5, 1, 2, 4)), *line = vector(3, DOUBLES(2, 0, 4)), *out = NULL;
    CHECK_OK(tb_pieces_at(x, c, TB_PIECE_POWERS, 0, at, 0, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 5, DOUBLES(1, 0.25, 1, 2, 4)));
    CHECK_OK(tb_pieces_at(x, c, TB_PIECE_POWERS, 0, at, 1, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 5, DOUBLES(-2, 1, 1, 1, 1)));
    CHECK_OK(tb_pieces_at(x, c, TB_PIECE_POWERS, 0, at, 0, TB_PIECE_REPEATS, &out));
    CHECK(about(out, 5, DOUBLES(2, 0.25, 1, 2, 1)));
    CHECK_OK(tb_pieces_at(x, line, TB_PIECE_LINES, 0, at, 0, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 5, DOUBLES(4, 1, 0, 2, 6)));
    CHECK_OK(tb_pieces_integral(x, c, -1, 2, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 1, DOUBLES(1 / 3. + 1 / 3. + 1.5)));
    CHECK_OK(tb_pieces_integral(x, c, 2, 0.5, TB_PIECE_NAN, &out));
    CHECK(about(out, 1, DOUBLES(-(7 / 24. + 1.5))));
    CHECK_FAILS(tb_pieces_integral(x, c, 0, 1, TB_PIECE_REPEATS, &out), TB_ERR_VALUE, "outside is 2");
    CHECK_FAILS(tb_pieces_integral(x, line, 0, 1, TB_PIECE_NAN, &out), TB_ERR_VALUE, "2 dimensions");
    CHECK_FAILS(tb_pieces_at(x, at, TB_PIECE_LINES, 0, at, 0, TB_PIECE_NAN, &out), TB_ERR_VALUE, "not 5");
    CHECK_FAILS(tb_pieces_at(x, line, TB_PIECE_LINES, 0, at, 1, TB_PIECE_NAN, &out), TB_ERR_VALUE, "derivative 1");
    CHECK_FAILS(tb_pieces_at(x, line, TB_PIECE_POWERS, 0, at, 0, TB_PIECE_NAN, &out), TB_ERR_VALUE, "2 dimensions");
    CHECK_FAILS(tb_pieces_at(x, line, TB_PIECE_SPLINE, 100, at, 0, TB_PIECE_NAN, &out), TB_ERR_VALUE, "it is 100");
    CHECK_FAILS(tb_pieces_at(x, line, TB_PIECE_SPLINE, 1, at, 0, TB_PIECE_NAN, &out), TB_ERR_VALUE, "4 knots");
    CHECK_FAILS(tb_pieces_at(x, line, (tb_piece_form)9, 1, at, 0, TB_PIECE_NAN, &out), TB_ERR_VALUE, "form is 9");
    CHECK_FAILS(tb_pieces_at(NULL, line, TB_PIECE_LINES, 1, at, 0, TB_PIECE_NAN, &out), TB_ERR_VALUE, "x");
    tb_array_release(x);
    tb_array_release(c);
    tb_array_release(at);
    tb_array_release(line);
}

/* The spline of degree 1 with a knot at 1, by its coefficients and, at many points, by its powers; and knots that are
 * more than a kernel has room for. */
static void test_splines(void)
{
    enum { MANY = 3000, KNOTS = MANY + 2 };
    static double knots[KNOTS], values[MANY];
    tb_array *t = vector(5, DOUBLES(0, 0, 1, 3, 3)), *c = vector(3, DOUBLES(2, 0, 4)), *out = NULL;
    tb_array *at = vector(3, DOUBLES(0.5, 1, 2)), *more = vector(8, DOUBLES(0, 0.5, 1, 1.5, 2, 2.5, 3, 4));
    CHECK_OK(tb_pieces_at(t, c, TB_PIECE_SPLINE, 1, at, 0, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 3, DOUBLES(1, 0, 2)));
    CHECK_OK(tb_pieces_at(t, c, TB_PIECE_SPLINE, 1, more, 0, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 8, DOUBLES(2, 1, 0, 1, 2, 3, 4, 6)));
    CHECK_OK(tb_pieces_at(t, c, TB_PIECE_SPLINE, 1, at, 2, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 3, DOUBLES(0, 0, 0)));
    for (int i = 0; i < MANY; i++) {
        values[i] = i * (double)i;
        knots[i + 1] = i;
    }
    knots[0] = 0;
    knots[KNOTS - 1] = MANY - 1;
    tb_array *long_t = vector(KNOTS, knots), *long_c = vector(MANY, values);
    tb_array *far = vector(3, DOUBLES(1.5, 2047.5, 2998));
    CHECK_OK(tb_pieces_at(long_t, long_c, TB_PIECE_SPLINE, 1, far, 0, TB_PIECE_GOES_ON, &out));
    CHECK(about(out, 3, DOUBLES(2.5, 4192256.5, 8988004)));
    tb_array *all[] = {t, c, at, more, long_t, long_c, far};
    for (int i = 0; i < 7; i++) tb_array_release(all[i]);
}

static void test_cubic_splines(void)
{
    tb_array *x = vector(4, DOUBLES(0, 1, 2, 3)), *cubes = vector(4, DOUBLES(0, 1, 8, 27)), *c = NULL;
    tb_array *line = vector(4, DOUBLES(1, 3, 5, 7)), *three = vector(3, DOUBLES(1, 2, 3));
    CHECK_OK(tb_cubic_spline(x, cubes, 0, 0, 0, 0, &c));
    CHECK(about(c, 12, DOUBLES(1, 1, 1, 0, 3, 6, 0, 3, 12, 0, 1, 8)));
    CHECK_OK(tb_cubic_spline(x, cubes, 1, 0, 2, 18, &c));
    CHECK(about(c, 12, DOUBLES(1, 1, 1, 0, 3, 6, 0, 3, 12, 0, 1, 8)));
    CHECK_OK(tb_cubic_spline(x, line, 2, 0, 2, 0, &c));
    CHECK(about(c, 12, DOUBLES(0, 0, 0, 0, 0, 0, 2, 2, 2, 1, 3, 5)));
    CHECK_FAILS(tb_cubic_spline(x, line, 3, 0, 0, 0, &c), TB_ERR_VALUE, "not 3 and 0");
    CHECK_FAILS(tb_cubic_spline(x, three, 0, 0, 0, 0, &c), TB_ERR_VALUE, "as many rows as x has elements, 4");
    CHECK_FAILS(tb_cubic_spline(cubes, x, 0, 0, 0, 0, NULL), TB_ERR_VALUE, "c");
    tb_array *back = vector(4, DOUBLES(3, 2, 1, 0)), *number = vector(1, DOUBLES(1));
    CHECK_FAILS(tb_cubic_spline(back, line, 0, 0, 0, 0, &c), TB_ERR_VALUE, "must be finite and ascend");
    CHECK_FAILS(tb_cubic_spline(number, number, 0, 0, 0, 0, &c), TB_ERR_VALUE, "2 elements at least");
    tb_array *all[] = {x, cubes, line, three, back, number};
    for (int i = 0; i < 6; i++) tb_array_release(all[i]);
}

static void test_splines_through(void)
{
    tb_array *x = vector(5, DOUBLES(0, 1, 2, 3, 4)), *y = vector(5, DOUBLES(0, 1, 4, 9, 16)), *t = NULL, *c = NULL;
    tb_array *at = vector(3, DOUBLES(0.5, 2, 3.5)), *out = NULL;
    tb_array *given[] = {NULL, vector(9, DOUBLES(0, 0, 0, 0, 1, 4, 4, 4, 4))};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(tb_spline_through(x, y, 3, given[i], &t, &c));
        CHECK_OK(tb_pieces_at(t, c, TB_PIECE_SPLINE, 3, at, 0, TB_PIECE_NAN, &out));
        CHECK(about(out, 3, DOUBLES(0.25, 4, 12.25)) && about(t, 9, DOUBLES(0, 0, 0, 0, i ? 1 : 2, 4, 4, 4, 4)));
        tb_array_release(c);
    }
    tb_array *apart = vector(9, DOUBLES(0, 0, 0, 0, 0, 0, 4, 4, 4)), *few = vector(8, DOUBLES(0, 0, 0, 0, 4, 4, 4, 4));
    tb_array *back = vector(9, DOUBLES(4, 4, 4, 4, 2, 0, 0, 0, 0));
    CHECK_FAILS(tb_spline_through(x, y, 3, apart, &t, &c), TB_ERR_VALUE, "do not fit");
    CHECK_FAILS(tb_spline_through(x, y, 3, few, &t, &c), TB_ERR_VALUE, "9 elements");
    CHECK_FAILS(tb_spline_through(x, y, 3, back, &t, &c), TB_ERR_VALUE, "must not descend");
    CHECK_FAILS(tb_spline_through(x, y, 5, NULL, &t, &c), TB_ERR_VALUE, "not 5");
    CHECK_FAILS(tb_spline_through(x, y, 10, NULL, &t, &c), TB_ERR_VALUE, "it is 10");
    tb_array *all[] = {x, y, at, given[1], apart, few, back};
    for (int i = 0; i < 7; i++) tb_array_release(all[i]);
}

/* Lines that break at 2, from points beside them, which count differently. */
static void test_splines_near(void)
{
    tb_array *x = vector(6, DOUBLES(0, 1, 1, 2, 3, 4)), *y = vector(6, DOUBLES(0, 0, 4, 4, 2, 0)), *c = NULL;
    tb_array *t = vector(5, DOUBLES(0, 0, 2, 4, 4)), *w = vector(6, DOUBLES(1, 2, 2, 1, 1, 1));
    tb_array *apart = vector(5, DOUBLES(0, 0, 9, 10, 10)), *back = vector(5, DOUBLES(4, 4, 2, 0, 0));
    tb_array *within = vector(5, DOUBLES(1, 1, 2, 4, 4));
    CHECK_OK(tb_spline_nearest(x, y, 1, t, NULL, &c));
    CHECK(about(c, 3, DOUBLES(0, 4, 0)));
    CHECK_OK(tb_spline_nearest(x, y, 1, t, w, &c));
    CHECK(about(c, 3, DOUBLES(0, 4, 0)));
    CHECK_FAILS(tb_spline_nearest(x, y, 1, apart, NULL, &c), TB_ERR_VALUE, "do not fit");
    CHECK_FAILS(tb_spline_nearest(x, y, 1, back, NULL, &c), TB_ERR_VALUE, "do not fit");
    CHECK_FAILS(tb_spline_nearest(x, y, 1, within, NULL, &c), TB_ERR_VALUE, "do not fit");
    CHECK_FAILS(tb_spline_nearest(x, y, 1, t, t, &c), TB_ERR_VALUE, "weights must be a real vector of 6");
    CHECK_FAILS(tb_spline_nearest(x, y, 3, t, NULL, &c), TB_ERR_VALUE, "8 knots");
    CHECK_FAILS(tb_spline_nearest(x, y, 10, t, NULL, &c), TB_ERR_VALUE, "it is 10");
    CHECK_FAILS(tb_spline_nearest(y, x, 1, t, NULL, &c), TB_ERR_VALUE, "must not descend");
    tb_array *all[] = {x, y, t, w, apart, back, within};
    for (int i = 0; i < 7; i++) tb_array_release(all[i]);
}

static void test_distances(void)
{
    tb_array *a = matrix(3, 2, DOUBLES(0, 0, 3, 4, 6, 8)), *b = matrix(2, 3, DOUBLES(1, 2, 3, 4, 5, 6)), *whole;
    tb_array *out = NULL;
    CHECK_OK(tb_astype(a, TB_I32, 'K', TB_CAST_UNSAFE, true, &whole));
    CHECK_OK(tb_distances(a, a, TB_METRIC_EUCLIDEAN, 2, &out));
    CHECK(about(out, 9, DOUBLES(0, 5, 10, 5, 0, 5, 10, 5, 0)));
    CHECK_OK(tb_distances(a, NULL, TB_METRIC_CITYBLOCK, 2, &out));
    CHECK(about(out, 3, DOUBLES(7, 14, 7)));
    CHECK_OK(tb_distances(a, NULL, TB_METRIC_BRAYCURTIS, 2, &out));
    CHECK(about(out, 3, DOUBLES(1, 1, 1.0 / 3)));
    CHECK_OK(tb_distances(b, NULL, TB_METRIC_COSINE, 2, &out));
    CHECK(about(out, 1, DOUBLES(0.0253681538029238)));
    CHECK_FAILS(tb_distances(a, b, TB_METRIC_EUCLIDEAN, 2, &out), TB_ERR_VALUE, "as many columns");
    CHECK_FAILS(tb_distances(a, whole, TB_METRIC_EUCLIDEAN, 2, &out), TB_ERR_TYPE, "int32");
    CHECK_FAILS(tb_distances(a, b, (tb_metric)9, 2, &out), TB_ERR_VALUE, "metric is 9");
    tb_array_release(a);
    tb_array_release(b);
    tb_array_release(whole);
}

static void test_trees(void)
{
    tb_array *points = matrix(4, 2, DOUBLES(0, 0, 1, 0, 0, 2, 5, 5)), *x = matrix(1, 2, DOUBLES(0.75, 0));
    tb_array *far = matrix(1, 2, DOUBLES(9.5, 0)), *periods = vector(2, DOUBLES(10, 10)),
             *radii = vector(1, DOUBLES(1));
    tb_array *starts, *d = NULL, *i = NULL, *flat = vector(2, DOUBLES(1, 2));
    tb_tree tree;
    int64_t found[2];
    CHECK_OK(tb_tree_make(points, &tree));
    CHECK_OK(tb_tree_nearest(&tree, x, 3, 2, 2, NULL, &d, &i));
    CHECK(gives(d, DOUBLES(0.25, 0.75, (double)INFINITY)) && gives(i, LONGS(1, 0, 4)));
    CHECK_OK(tb_tree_nearest(&tree, far, 1, 1, 1e9, periods, &d, &i));
    CHECK(about(d, 1, DOUBLES(0.5)) && gives(i, LONGS(0)));
    CHECK_OK(tb_tree_within(&tree, x, radii, 2, NULL, NULL, &i));
    CHECK(gives(i, LONGS(2)));
    CHECK_OK(tb_from_host(LONGS(0, 2), TB_I64, 1, LONGS(2), NULL, 'C', &starts));
    CHECK_OK(tb_tree_within(&tree, x, radii, 2, NULL, starts, &i));
    CHECK_OK(tb_array_get(i, found, NULL, NULL, true));
    CHECK(tb_array_size(i) == 2 && found[0] + found[1] == 1 && found[0] * found[1] == 0);
    tb_array_release(i);
    CHECK_FAILS(tb_tree_nearest(&tree, x, -1, 2, 9, NULL, &d, &i), TB_ERR_VALUE, "it is -1");
    CHECK_FAILS(tb_tree_nearest(&tree, x, 1, 0.5, 9, NULL, &d, &i), TB_ERR_VALUE, "it is 0.5");
    CHECK_FAILS(tb_tree_nearest(&tree, x, 1, 2, 9, radii, &d, &i), TB_ERR_VALUE, "periods");
    CHECK_FAILS(tb_tree_nearest(&tree, flat, 1, 2, 9, NULL, &d, &i), TB_ERR_VALUE, "two dimensions");
    CHECK_FAILS(tb_tree_within(&tree, x, flat, 2, NULL, NULL, &i), TB_ERR_VALUE, "radii");
    CHECK_FAILS(tb_tree_make(flat, &tree), TB_ERR_VALUE, "it has 1");
    const tb_tree other = {tree.points, tree.order, tree.points};
    CHECK_FAILS(tb_tree_nearest(&other, x, 1, 2, 9, NULL, &d, &i), TB_ERR_VALUE, "not a tree's");
    tb_array *all[] = {points, x, far, periods, radii, starts, flat, tree.points, tree.order, tree.boxes};
    for (int k = 0; k < 10; k++) tb_array_release(all[k]);
}

/* Far more pairs than there is room for at first, of points on a line, and those of two trees. */
static void test_pairs(void)
{
    enum { N = 700, REACH = 5, ALL = N * REACH - REACH * (REACH + 1) / 2 };
    static double at[N];
    static int64_t found[ALL][2];
    static double apart[ALL];
    for (int i = 0; i < N; i++) at[i] = (i * 9) % N;
    tb_array *points = matrix(N, 1, at), *x = matrix(2, 1, DOUBLES(0.25, 2)), *period = vector(1, DOUBLES(N));
    tb_array *pairs = NULL, *distances = NULL;
    tb_tree tree, other;
    CHECK_OK(tb_tree_make(points, &tree));
    CHECK_OK(tb_tree_make(x, &other));
    if (CHECK_OK(tb_tree_pairs(&tree, NULL, REACH, 2, NULL, &pairs, &distances))) {
        const bool all = tb_array_shape(pairs)[0] == ALL && tb_array_size(distances) == ALL;
        CHECK(all);
        if (all) CHECK_OK(tb_array_get(pairs, found, NULL, NULL, true));
        if (all) CHECK_OK(tb_array_get(distances, apart, NULL, NULL, true));
        for (int i = 0; all && i < ALL; i++) {
            const int64_t a = found[i][0], b = found[i][1];
            const bool there = 0 <= a && a < b && b < N;
            CHECK(there && fabs(at[a] - at[b]) == apart[i] && apart[i] <= REACH);
        }
        tb_array_release(pairs);
        tb_array_release(distances);
    }
    if (CHECK_OK(tb_tree_pairs(&tree, NULL, REACH, 1, period, &pairs, NULL))) {
        CHECK(tb_array_shape(pairs)[0] == N * REACH);
        tb_array_release(pairs);
    }
    if (CHECK_OK(tb_tree_pairs(&other, &tree, 0.25, INFINITY, NULL, &pairs, &distances))) {
        CHECK(tb_array_shape(pairs)[0] == 2);
        tb_array_release(pairs);
        tb_array_release(distances);
    }
    CHECK_OK(tb_tree_pairs(&tree, NULL, NAN, 2, NULL, &pairs, NULL));
    CHECK(tb_array_shape(pairs)[0] == 0);
    tb_array_release(pairs);
    CHECK_FAILS(tb_tree_pairs(&tree, NULL, 1, 0, NULL, &pairs, NULL), TB_ERR_VALUE, "it is 0");
    tb_array *all[] = {points, x, period, tree.points, tree.order, tree.boxes, other.points, other.order, other.boxes};
    for (int k = 0; k < 9; k++) tb_array_release(all[k]);
}

/* Values 0, 1 and 10, 11 at the corners of a cell from 0 to 2 and 0 to 1. */
static void test_grids(void)
{
    static const int degrees[] = {1, 1}, orders[] = {1, 0}, many[] = {10, 1}, negative[] = {0, -1};
    tb_array *lines = vector(4, DOUBLES(0, 2, 0, 1)), *knots = vector(8, DOUBLES(0, 0, 2, 2, 0, 0, 1, 1));
    tb_array *values = matrix(2, 2, DOUBLES(0, 1, 10, 11)), *out = NULL;
    tb_array *x = matrix(3, 2, DOUBLES(1, 0.25, 2, 1, 3, 0.5)), *bad = matrix(1, 2, DOUBLES(1, (double)NAN));
    int beyond = 9;
    const double other = -1;
    CHECK_OK(tb_grid_at(lines, values, TB_GRID_LINES, 2, NULL, NULL, x, NULL, &out, &beyond));
    CHECK(beyond == 1 && about(out, 3, DOUBLES(5.25, 11, 15.5)));
    CHECK_OK(tb_grid_at(lines, values, TB_GRID_NEAREST, 2, NULL, NULL, x, &other, &out, NULL));
    CHECK(about(out, 3, DOUBLES(0, 11, -1)));
    CHECK_OK(tb_grid_at(knots, values, TB_GRID_SPLINE, 2, degrees, NULL, x, NULL, &out, NULL));
    CHECK(about(out, 3, DOUBLES(5.25, 11, 15.5)));
    CHECK_OK(tb_grid_at(knots, values, TB_GRID_SPLINE, 2, degrees, orders, x, NULL, &out, NULL));
    CHECK(about(out, 3, DOUBLES(5, 5, 5)));
    CHECK_OK(tb_grid_at(lines, values, TB_GRID_LINES, 2, NULL, NULL, bad, &other, &out, &beyond));
    double got;
    CHECK_OK(tb_array_get(out, &got, NULL, NULL, true));
    CHECK(got != got && beyond == 2);
    tb_array_release(out);
    static const tb_dtype narrow[] = {TB_F32, TB_F16, TB_I8};
    for (int k = 0; k < 3; k++) { /* read where they are, or converted before, here along the other axis first */
        tb_array *cast = NULL, *turned = NULL;
        CHECK_OK(tb_astype(values, narrow[k], 'F', TB_CAST_UNSAFE, true, &cast));
        CHECK_OK(tb_grid_at(lines, cast, TB_GRID_LINES, 2, NULL, NULL, x, NULL, &out, NULL));
        CHECK(about(out, 3, DOUBLES(5.25, 11, 15.5)));
        CHECK_OK(tb_transpose(cast, NULL, &turned));
        CHECK_OK(tb_grid_at(knots, turned, TB_GRID_SPLINE, 2, degrees, NULL, x, NULL, &out, NULL));
        CHECK(about(out, 3, DOUBLES(3, 11, 6.5)));
        tb_array_release(cast);
        tb_array_release(turned);
    }
    CHECK_FAILS(tb_grid_at(lines, values, TB_GRID_LINES, 3, NULL, NULL, x, NULL, &out, NULL), TB_ERR_VALUE, "it is 3");
    CHECK_FAILS(tb_grid_at(knots, values, TB_GRID_LINES, 2, NULL, NULL, x, NULL, &out, NULL), TB_ERR_VALUE,
                "8 numbers");
    CHECK_FAILS(tb_grid_at(knots, values, TB_GRID_SPLINE, 2, many, NULL, x, NULL, &out, NULL), TB_ERR_VALUE, "not 10");
    CHECK_FAILS(tb_grid_at(knots, values, TB_GRID_SPLINE, 2, degrees, negative, x, NULL, &out, NULL), TB_ERR_VALUE,
                "1 and -1");
    CHECK_FAILS(tb_grid_at(x, values, TB_GRID_LINES, 2, NULL, NULL, x, NULL, &out, NULL), TB_ERR_VALUE, "1 dimensions");
    CHECK_FAILS(tb_grid_at(lines, values, (tb_grid_form)9, 2, NULL, NULL, x, NULL, &out, NULL), TB_ERR_VALUE,
                "form is 9");
    CHECK_FAILS(tb_grid_at(knots, values, TB_GRID_SPLINE, 2, NULL, NULL, x, NULL, &out, NULL), TB_ERR_VALUE, "degrees");
    tb_array_release(lines);
    tb_array_release(knots);
    tb_array_release(values);
    tb_array_release(x);
    tb_array_release(bad);
}

/* Whether those rows get those columns. */
static bool assigns(tb_array *cost, bool maximize, int64_t n, const int64_t *rows, const int64_t *columns)
{
    tb_array *first = NULL, *second = NULL;
    int64_t at[8], of[8];
    if (!CHECK_OK(tb_linear_sum_assignment(cost, maximize, &first, &second))) return false;
    bool ok = tb_array_size(first) == n && tb_array_size(second) == n && tb_array_dtype(first) == TB_I64;
    ok = ok && CHECK_OK(tb_array_get(first, at, NULL, NULL, true)) &&
         CHECK_OK(tb_array_get(second, of, NULL, NULL, true));
    for (int64_t i = 0; ok && i < n; i++) ok = at[i] == rows[i] && of[i] == columns[i];
    tb_array_release(first);
    tb_array_release(second);
    return ok;
}

static void test_assignments(void)
{
    tb_array *tall = matrix(3, 2, DOUBLES(4, 1, 2, 9, 0, 8)), *wide = NULL, *line = vector(2, DOUBLES(1, 2));
    tb_array *forbidden = matrix(2, 2, DOUBLES(HUGE_VAL, 1, HUGE_VAL, 2)), *nan = matrix(1, 2, DOUBLES(1, NAN));
    tb_array *none = matrix(0, 3, DOUBLES(0)), *rows = NULL, *columns = NULL;
    CHECK_OK(tb_transpose(tall, NULL, &wide));
    CHECK(assigns(tall, false, 2, LONGS(0, 2), LONGS(1, 0)));
    CHECK(assigns(tall, true, 2, LONGS(0, 1), LONGS(0, 1)));
    CHECK(assigns(wide, false, 2, LONGS(0, 1), LONGS(2, 0)));
    CHECK(assigns(none, false, 0, NULL, NULL));
    CHECK_FAILS(tb_linear_sum_assignment(line, false, &rows, &columns), TB_ERR_VALUE, "got a 1 array");
    CHECK_FAILS(tb_linear_sum_assignment(forbidden, false, &rows, &columns), TB_ERR_VALUE, "infeasible");
    CHECK_FAILS(tb_linear_sum_assignment(forbidden, true, &rows, &columns), TB_ERR_VALUE, "invalid numeric");
    CHECK_FAILS(tb_linear_sum_assignment(nan, false, &rows, &columns), TB_ERR_VALUE, "invalid numeric");
    tb_array *all[] = {tall, wide, line, forbidden, nan, none};
    for (int i = 0; i < 6; i++) tb_array_release(all[i]);
}

int main(void)
{
    CHECK_OK(tb_init());
    test_pieces();
    test_grids();
    test_splines();
    test_cubic_splines();
    test_splines_through();
    test_splines_near();
    test_distances();
    test_trees();
    test_pairs();
    test_assignments();
    return check_report();
}
