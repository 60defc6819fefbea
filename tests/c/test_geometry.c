/* test_geometry.c - signs of areas and circles, and triangulations of points of the plane, against arithmetic with
 * integers of 128 bits. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "ops/geometry/insertion_order.h"
#include "ops/geometry/triangulate.h"

typedef __int128 wide_int;

static uint64_t state = 1;

static int64_t below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

/* Of points that are whole numbers times 2^-shift. */
static wide_int whole(double x, int shift) { return (wide_int)(int64_t)ldexp(x, shift); }

static int sign(wide_int x) { return (x > 0) - (x < 0); }

static int orient(tb_point a, tb_point b, tb_point c, int shift)
{
    const wide_int ax = whole(a.x, shift), ay = whole(a.y, shift), bx = whole(b.x, shift), by = whole(b.y, shift);
    const wide_int cx = whole(c.x, shift), cy = whole(c.y, shift);
    return sign((ax - cx) * (by - cy) - (ay - cy) * (bx - cx));
}

static int in_circle(tb_point a, tb_point b, tb_point c, tb_point d, int shift)
{
    const wide_int dx = whole(d.x, shift), dy = whole(d.y, shift);
    const wide_int ax = whole(a.x, shift) - dx, ay = whole(a.y, shift) - dy, bx = whole(b.x, shift) - dx;
    const wide_int by = whole(b.y, shift) - dy, cx = whole(c.x, shift) - dx, cy = whole(c.y, shift) - dy;
    return sign((ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
                (cx * cx + cy * cy) * (ax * by - ay * bx));
}

/* ---- signs ------------------------------------------------------------------------------------------------------- */

static tb_point point(int64_t range, double unit)
{
    return (tb_point){(double)below(range) * unit, (double)below(range) * unit};
}

static void test_signs_of_whole_numbers(void)
{
    for (int i = 0; i < 200000; i++) {
        const int shift = i % 2 ? 3 : 28;
        const tb_point a = point(1 << shift, ldexp(1, -shift)), b = point(1 << shift, ldexp(1, -shift));
        tb_point c = point(1 << shift, ldexp(1, -shift)), d = point(1 << shift, ldexp(1, -shift));
        if (i % 4 == 0) c = (tb_point){b.x + (b.x - a.x), b.y + (b.y - a.y)}; /* on the line */
        if (i % 3 == 0) d = (tb_point){a.x + c.x - b.x, a.y + c.y - b.y};     /* near the circle, if it is not on it */
        if (d.x == c.x && d.y == c.y) continue;
        CHECK(tb__orient(a, b, c) == orient(a, b, c, shift));
        CHECK(tb__orient_exact(a, b, c) == orient(a, b, c, shift));
        if (orient(a, b, c, shift) <= 0 || (d.x == a.x && d.y == a.y) || (d.x == b.x && d.y == b.y)) continue;
        CHECK(tb__in_circle(a, b, c, d) == in_circle(a, b, c, d, shift));
        CHECK(tb__in_circle_exact(a, b, c, d) == in_circle(a, b, c, d, shift));
    }
}

/* The least that coordinates may differ by. */
static const double least = 0x1p-260;

static void test_signs_of_small_differences(void)
{
    const tb_point a = {0, 0}, b = {1, 1}, c = {0.5, 0.5};
    CHECK(tb__orient(a, b, c) == 0);
    CHECK(tb__orient(a, (tb_point){1, 1}, (tb_point){0x1p-200, 0x1p-200 + 0x1p-252}) == 1);
    CHECK(tb__orient((tb_point){1, 1}, (tb_point){least, least}, (tb_point){2 * least, 2 * least}) == 0);
    CHECK(tb__orient((tb_point){1, 1}, (tb_point){least, 0}, (tb_point){2 * least, 2 * least}) == -1);
    CHECK(tb__orient((tb_point){1, 1}, (tb_point){0, least}, (tb_point){2 * least, 2 * least}) == 1);
    const tb_point p = {0.6, 0}, q = {0, 0.8}, r = {-least, 0.8};
    CHECK(tb__in_circle(p, q, (tb_point){0, 0}, (tb_point){0.6, 0.8}) == 0);
    CHECK(tb__in_circle(p, q, (tb_point){0, 0}, (tb_point){0.6, nextafter(0.8, 0)}) == 1);
    CHECK(tb__in_circle(p, q, (tb_point){0, 0}, (tb_point){0.6, nextafter(0.8, 1)}) == -1);
    CHECK(tb__in_circle(p, r, (tb_point){0, 0}, (tb_point){0.6, 0.8}) == 1);
    CHECK(tb__in_circle(p, q, (tb_point){0, -least}, (tb_point){0.6, 0.8}) == -1);
    CHECK(tb__in_circle((tb_point){least, 0}, (tb_point){0, least}, (tb_point){-least, 0}, (tb_point){0, -least}) == 0);
    CHECK(tb__in_circle((tb_point){1, 0}, (tb_point){0, 1}, (tb_point){-1, 0}, (tb_point){0, -1}) == 0);
    /* By the square of that. */
    CHECK(tb__in_circle((tb_point){1, least}, (tb_point){0, 1}, (tb_point){-1, 0}, (tb_point){0, -1}) == 1);
    CHECK(tb__in_circle((tb_point){1, 0}, (tb_point){0, 1}, (tb_point){-1, 0}, (tb_point){least, -1}) == -1);
}

/* ---- triangulations ---------------------------------------------------------------------------------------------- */

static bool are_neighbors(const tb_triangles *t, const tb_point *at, int32_t i, int k)
{
    const int32_t other = t->neighbors[3 * i + k], *c = t->corners + 3 * i;
    if (other < 0) return true;
    const int32_t *d = t->corners + 3 * other;
    for (int j = 0; j < 3; j++)
        if (t->neighbors[3 * other + j] == i && d[(j + 1) % 3] == c[(k + 2) % 3] && d[(j + 2) % 3] == c[(k + 1) % 3])
            return in_circle(at[c[0]], at[c[1]], at[c[2]], at[d[j]], 0) <= 0;
    return false;
}

/* Triangles that are Delaunay's with each neighbour, and have the hull's corners and as many as Euler says, are the
 * triangulation. */
static void check_triangles(int64_t n, const tb_point *at, const tb_triangles *t)
{
    int64_t used = 0, hull = 0;
    for (int32_t i = 0; i < t->n; i++) {
        const int32_t *c = t->corners + 3 * i;
        CHECK(orient(at[c[0]], at[c[1]], at[c[2]], 0) > 0);
        for (int k = 0; k < 3; k++) {
            CHECK(are_neighbors(t, at, i, k));
            if (t->neighbors[3 * i + k] >= 0) continue;
            hull++;
            for (int64_t p = 0; p < n && n < 200; p++)
                CHECK(orient(at[c[(k + 1) % 3]], at[c[(k + 2) % 3]], at[p], 0) >= 0);
        }
    }
    for (int64_t p = 0; p < n; p++) {
        const int32_t of = t->of_point[p];
        if (of < 0) continue;
        used++;
        CHECK(t->corners[3 * of] == p || t->corners[3 * of + 1] == p || t->corners[3 * of + 2] == p);
    }
    CHECK(used + t->twins == n);
    CHECK(t->n == 2 * used - 2 - hull);
    for (int64_t i = 0; i < t->twins; i++) {
        const int32_t *row = t->twin + 3 * i;
        CHECK(row[2] < row[0] && t->of_point[row[0]] == -1 && t->of_point[row[2]] == row[1]);
        CHECK(at[row[0]].x == at[row[2]].x && at[row[0]].y == at[row[2]].y);
        CHECK(i == 0 || row[-3] < row[0]);
    }
}

static bool are_on_line(int64_t n, const tb_point *at)
{
    int64_t second = 1;
    while (second < n && at[second].x == at[0].x && at[second].y == at[0].y) second++;
    for (int64_t p = second + 1; p < n; p++)
        if (orient(at[0], at[second], at[p], 0) != 0) return false;
    return true;
}

static void test_triangles_of_whole_numbers(void)
{
    enum { MOST = 3000 };
    static tb_point at[MOST], scaled[MOST];
    for (int i = 0; i < 330; i++) {
        const int shift = i % 3 == 0 ? 3 : i % 3 == 1 ? 6 : 25;
        const int64_t n = i < 300 ? 3 + below(60) : 500 + below(MOST - 500);
        for (int64_t p = 0; p < n; p++) at[p] = point((int64_t)1 << shift, 1);
        for (int64_t p = 0; p < n && i % 5 == 4; p++) at[p].y = i % 2 ? at[p].x : 0; /* on a line, but for the first */
        if (i % 10 == 9) at[0].y += 1;
        memcpy(scaled, at, sizeof at);
        const bool flat = are_on_line(n, at);
        tb_triangles t;
        if (!CHECK_OK(tb__triangulate(n, scaled, &t))) continue;
        CHECK((t.n == 0) == flat);
        if (!flat) check_triangles(n, at, &t);
        tb__free_triangles(&t);
    }
}

/* Each number once, however points are spread. */
static void test_order(void)
{
    enum { N = 5000 };
    static tb_point at[N];
    static int32_t order[N];
    static bool seen[N];
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < N; i++) {
            at[i] = point(kind ? 1 << 30 : 1, 0x1p-30);
            if (kind == 2) at[i] = (tb_point){ldexp(at[i].x, -(int)below(200)), ldexp(at[i].y, -(int)below(200))};
        }
        memset(seen, 0, sizeof seen);
        CHECK_OK(tb__insertion_order(N, at, order));
        for (int i = 0; i < N; i++) {
            CHECK(!seen[order[i]]);
            seen[order[i]] = true;
        }
    }
    CHECK_OK(tb__insertion_order(0, at, order));
}

/* In a square whose middle is the only inner point. */
static void test_finding(tb_array *points, const tb_triangulation *t)
{
    enum { N = 6 };
    const double x[2 * N] = {1, 0.25, 1.75, 1, 1, 1.75, 0.25, 1, 2.5, 1, NAN, 1};
    int32_t found[2][N], corners[4][3];
    tb_array *at, *line, *out;
    CHECK_OK(tb_from_host(x, TB_F64, 2, (int64_t[]){N, 2}, NULL, 'C', &at));
    CHECK_OK(tb_from_host(x, TB_F64, 1, (int64_t[]){N}, NULL, 'C', &line));
    CHECK_OK(tb_array_get(t->simplices, corners, NULL, NULL, true));
    for (int exhaustive = 0; exhaustive < 2; exhaustive++) {
        if (!CHECK_OK(tb_delaunay_find(t, points, at, 1e-9, exhaustive, &out))) return;
        CHECK_OK(tb_array_get(out, found[exhaustive], NULL, NULL, true));
        tb_array_release(out);
    }
    CHECK(memcmp(found[0], found[1], sizeof found[0]) == 0 && found[0][4] == -1 && found[0][5] == -1);
    for (int i = 0; i < 4; i++) { /* the side of corners i and i + 1 */
        int sum = 0;
        for (int k = 0; k < 3 && found[0][i] >= 0; k++) sum |= 1 << corners[found[0][i]][k];
        CHECK(sum == (1 << i | 1 << (i + 1) % 4 | 1 << 4));
    }
    const tb_triangulation other = {.simplices = points, .neighbors = t->neighbors};
    CHECK_FAILS(tb_delaunay_find(&other, points, at, 0, false, &out), TB_ERR_VALUE, "not a triangulation's");
    CHECK_FAILS(tb_delaunay_find(t, points, line, 0, false, &out), TB_ERR_VALUE, "x must be of shape (n, 2)");
    tb_array_release(at);
    tb_array_release(line);
}

/* A plane is bent nowhere; of its slopes, and without them, there is the plane again. */
static void test_functions(tb_array *points, const tb_triangulation *t)
{
    enum { N = 6, M = 3 };
    const double plane[N][2] = {{0, 1}, {4, 1}, {10, 1}, {6, 1}, {5, 1}, {4, 1}}; /* 2 x + 3 y, and 1 */
    const double x[M][2] = {{1, 0.25}, {0.25, 1.5}, {9, 9}}, want[M][2] = {{2.75, 1}, {5, 1}, {-1, -2}};
    double got[2 * N * 2];
    int rounds = 0;
    tb_array *values, *at, *outside, *slopes = NULL, *out = NULL;
    CHECK_OK(tb_from_host(plane, TB_F64, 2, (int64_t[]){N, 2}, NULL, 'C', &values));
    CHECK_OK(tb_from_host(x, TB_F64, 2, (int64_t[]){M, 2}, NULL, 'C', &at));
    CHECK_OK(tb_from_host(want[2], TB_F64, 1, (int64_t[]){2}, NULL, 'C', &outside));
    CHECK_OK(tb_delaunay_slopes(t, points, values, 1e-12, 100, &slopes, &rounds));
    CHECK_OK(tb_array_get(slopes, got, NULL, NULL, true));
    CHECK(rounds > 1);
    for (int i = 0; i < 5; i++) /* the last point is no corner */
        for (int k = 0; k < 4; k++) CHECK(fabs(got[4 * i + k] - (k == 0 ? 2 : k == 1 ? 3 : 0)) < 1e-9);
    for (int smooth = 0; smooth < 2; smooth++) {
        CHECK_OK(tb_delaunay_values(t, points, values, smooth ? slopes : NULL, outside, at, &out));
        CHECK_OK(tb_array_get(out, got, NULL, NULL, true));
        for (int i = 0; i < 2 * M; i++) CHECK(fabs(got[i] - want[i / 2][i % 2]) < 1e-9);
        tb_array_release(out);
    }
    tb_array_release(slopes);
    CHECK_OK(tb_delaunay_slopes(t, points, values, 1e-12, 1, &slopes, &rounds));
    CHECK(rounds == 0);
    CHECK_FAILS(tb_delaunay_slopes(t, points, at, 0, 1, &out, &rounds), TB_ERR_VALUE, "values do not fit");
    CHECK_FAILS(tb_delaunay_values(t, points, values, at, outside, at, &out), TB_ERR_VALUE, "slopes do not fit");
    CHECK_FAILS(tb_delaunay_values(t, points, values, NULL, at, at, &out), TB_ERR_VALUE, "outside do not fit");
    tb_array *all[] = {values, at, outside, slopes};
    for (int i = 0; i < 4; i++) tb_array_release(all[i]);
}

/* As many as there are, of one piece, of several, and of equal elements. */
static void test_inversions(void)
{
    enum { N = 50000 };
    static int64_t number[N];
    const int64_t sizes[] = {0, 1, 7, N};
    for (int i = 0; i < 4; i++)
        for (int kind = 0; kind < 3; kind++) {
            const int64_t n = sizes[i];
            int64_t count = -1, two[] = {0, 0}, want = kind == 0 ? n * (n - 1) / 2 : 0;
            for (int64_t k = 0; k < n; k++) {
                number[k] = kind == 0 ? -k : kind == 1 ? k / 3 : below(2);
                if (kind == 2 && number[k] == 0) want += two[1];
                if (kind == 2) two[number[k]]++;
            }
            tb_array *a;
            CHECK_OK(tb_from_host(number, TB_I64, 1, &n, NULL, 'C', &a));
            CHECK_OK(tb_inversions(a, &count));
            CHECK(count == want);
            tb_array_release(a);
        }
}

static void test_arrays(void)
{
    const double square[] = {0, 0, 2, 0, 2, 2, 0, 2, 1, 1, 2, 0};
    tb_array *points, *line, *big;
    tb_triangulation t;
    CHECK_OK(tb_from_host(square, TB_F64, 2, (int64_t[]){6, 2}, NULL, 'C', &points));
    if (!CHECK_OK(tb_delaunay(points, &t))) return;
    CHECK(tb_array_shape(t.simplices)[0] == 4 && tb_array_dtype(t.neighbors) == TB_I32);
    int32_t row[3];
    CHECK(tb_array_shape(t.coplanar)[0] == 1);
    CHECK_OK(tb_array_get(t.coplanar, row, NULL, NULL, true));
    CHECK(row[0] == 5 && row[2] == 1);
    test_finding(points, &t);
    test_functions(points, &t);
    tb_array_release(t.simplices);
    tb_array_release(t.neighbors);
    tb_array_release(t.vertex_to_simplex);
    tb_array_release(t.coplanar);
    CHECK_OK(tb_from_host(square, TB_F64, 2, (int64_t[]){4, 3}, NULL, 'C', &line));
    CHECK_FAILS(tb_delaunay(line, &t), TB_ERR_VALUE, "(n, 2)");
    CHECK_OK(tb_full(TB_F32, 2, (int64_t[]){4, 2}, 'C', tb_scalar_float(INFINITY), &big));
    CHECK_FAILS(tb_delaunay(big, &t), TB_ERR_VALUE, "point 0");
    tb_array_release(big);
    CHECK_OK(tb_full(TB_C64, 2, (int64_t[]){4, 2}, 'C', tb_scalar_float(1), &big));
    CHECK_FAILS(tb_delaunay(big, &t), TB_ERR_TYPE, "complex64");
    tb_array_release(big);
    tb_array_release(line);
    tb_array_release(points);
}

int main(void)
{
    CHECK_OK(tb_init());
    test_signs_of_whole_numbers();
    test_signs_of_small_differences();
    test_triangles_of_whole_numbers();
    test_order();
    test_arrays();
    test_inversions();
    return check_report();
}
