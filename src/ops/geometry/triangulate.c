/* triangulate.c - Delaunay triangulation of the plane by inserting points one after the other: the triangles in whose
 * circles a point lies are replaced by others around it (A. Bowyer, Computing Dirichlet tessellations, 1981; D. F.
 * Watson, Computing the n-dimensional Delaunay tessellation, 1981).
 *
 * What is outside of the hull is triangles too, with a corner at infinity, whose circles are what is beyond an edge of
 * the hull. So every edge has a triangle on both sides, and a triangle is found by walking from the one before towards
 * the point, which comes to an end in a Delaunay triangulation. All signs are exact (predicates.h): what is replaced is
 * in one piece, and star-shaped around the point. No point is inside of it, so it is a tree of triangles. */
#include "ops/geometry/triangulate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/error.h"
#include "ops/geometry/insertion_order.h"

enum { INFINITE = 0, ALL_EDGES = 3 };

/* Corners go round counterclockwise. Edge k is opposite to corner k, from the next one to the one behind that. */
typedef struct face {
    int32_t corner[4]; /* of three */
    int32_t across[4]; /* an edge's number in the triangle on its other side: 4 * triangle + k */
} face;

/* An edge of what is replaced, counterclockwise, and that edge's number on the other side. */
typedef struct rim {
    int32_t from, to, across;
} rim;

/* Corner i + 1 is the i-th point that is inserted; there is none at corner INFINITE, but NaN. */
typedef struct mesh {
    tb_point *at;
    int32_t *order; /* the numbers of the points as given, one further on */
    int32_t *twin;  /* the corner that equals this one and was before; 0: none */
    face *faces;
    int32_t nface, inside; /* a triangle without INFINITE, where walks begin */
    int32_t *replaced, *stack;
    rim *rim;
    int32_t nreplaced, nrim, room;
} mesh;

static int next_of(int k) { return k == 2 ? 0 : k + 1; }
static int last_of(int k) { return k == 0 ? 2 : k - 1; }

static bool make_room(void **p, size_t n, size_t each)
{
    void *more = realloc(*p, (n ? n : 1) * each);
    if (more) *p = more;
    return more;
}

static tb_status no_memory(size_t n, size_t each) { return tb__fail_memory(n * each, 0, 0, 0); }

/* ---- inserting --------------------------------------------------------------------------------------------------- */

/* Whether p, which is on the line through a and b and neither of them, is between them. */
static bool is_between(tb_point p, tb_point a, tb_point b)
{
    return a.x != b.x ? (a.x < p.x) != (b.x < p.x) : (a.y < p.y) != (b.y < p.y);
}

/* Whether p is beyond an edge of the hull, or on it. */
static bool is_beyond(const mesh *m, const face *f, tb_point p)
{
    const int k = f->corner[0] == INFINITE ? 0 : f->corner[1] == INFINITE ? 1 : 2;
    const tb_point a = m->at[f->corner[next_of(k)]], b = m->at[f->corner[last_of(k)]];
    const int side = tb__orient(a, b, p);
    return side > 0 || (side == 0 && is_between(p, a, b));
}

static bool is_infinite(const face *f)
{
    return f->corner[0] == INFINITE || f->corner[1] == INFINITE || f->corner[2] == INFINITE;
}

static bool is_below(tb_point a, tb_point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/* Whether p, which is on the circle, counts as being in it: as if points were a little outside of where they are, the
 * more so the further behind in the order of their coordinates, so that triangles do not depend on the order in which
 * points are inserted (O. Devillers, M. Teillaud, Perturbations for Delaunay and weighted Delaunay 3D triangulations,
 * 2011). */
static bool holds_tied(tb_point a, tb_point b, tb_point c, tb_point p)
{
    const bool of_a = is_below(b, a) && is_below(c, a), of_b = !of_a && is_below(c, b);
    if (is_below(of_a ? a : of_b ? b : c, p)) return false;
    return of_a ? tb__orient(p, b, c) > 0 : of_b ? tb__orient(a, p, c) > 0 : tb__orient(a, b, p) > 0;
}

/* Whether p is in a triangle's circle. It is no corner. */
static bool holds(const mesh *m, int32_t triangle, tb_point p)
{
    const face *f = m->faces + triangle;
    const tb_point a = m->at[f->corner[0]], b = m->at[f->corner[1]], c = m->at[f->corner[2]];
    const int side = tb__in_circle_quick(a, b, c, p); /* 0 of INFINITE */
    if (side) return side > 0;
    if (is_infinite(f)) return is_beyond(m, f, p);
    const int exact = tb__in_circle_exact(a, b, c, p);
    return exact ? exact > 0 : holds_tied(a, b, c, p);
}

/* The triangle in which p is, or one beyond the hull whose edge p is beyond. */
static int32_t find(const mesh *m, tb_point p)
{
    int32_t triangle = m->inside;
    int came = ALL_EDGES;
    for (;;) {
        const face *f = m->faces + triangle;
        int k = 0;
        while (k < 3 && (k == came || tb__orient(m->at[f->corner[next_of(k)]], m->at[f->corner[last_of(k)]], p) >= 0))
            k++;
        if (k == 3) return triangle;
        triangle = f->across[k] >> 2;
        came = f->across[k] & 3;
        if (m->faces[triangle].corner[came] == INFINITE) return triangle;
    }
}

static bool make_room_for_more(mesh *m)
{
    const size_t room = 2 * (size_t)m->room + 64;
    if (!make_room((void **)&m->replaced, room, sizeof *m->replaced) ||
        !make_room((void **)&m->stack, room, sizeof *m->stack) || !make_room((void **)&m->rim, room, sizeof *m->rim))
        return false;
    m->room = (int32_t)room;
    return true;
}

/* The triangles in whose circles p is, of which `first` is one, and the edges around them one after the other. */
static bool find_replaced(mesh *m, int32_t first, tb_point p)
{
    int32_t depth = 0;
    m->nreplaced = m->nrim = 0;
    m->replaced[m->nreplaced++] = first;
    for (int k = 2; k >= 0; k--) m->stack[depth++] = 4 * first + k;
    while (depth > 0) {
        const int32_t edge = m->stack[--depth];
        const int k = edge & 3;
        const face *f = m->faces + (edge >> 2);
        const int32_t across = f->across[k], other = across >> 2;
        if (!holds(m, other, p)) {
            m->rim[m->nrim++] = (rim){f->corner[next_of(k)], f->corner[last_of(k)], across};
            continue;
        }
        if (m->nreplaced + 8 > m->room && !make_room_for_more(m)) return false;
        m->replaced[m->nreplaced++] = other;
        m->stack[depth++] = 4 * other + last_of(across & 3);
        m->stack[depth++] = 4 * other + next_of(across & 3);
    }
    return true;
}

/* Triangles of a corner and each edge around it. */
static void replace(mesh *m, int32_t corner)
{
    m->replaced[m->nreplaced++] = m->nface++;
    m->replaced[m->nreplaced++] = m->nface++;
    int32_t before = m->replaced[m->nrim - 1];
    for (int32_t i = 0; i < m->nrim; i++) {
        const int32_t triangle = m->replaced[i], behind = m->replaced[i + 1 < m->nrim ? i + 1 : 0];
        const rim r = m->rim[i];
        m->faces[triangle] = (face){{corner, r.from, r.to, 0}, {r.across, 4 * behind + 2, 4 * before + 1, 0}};
        m->faces[r.across >> 2].across[r.across & 3] = 4 * triangle;
        if (r.from != INFINITE && r.to != INFINITE) m->inside = triangle;
        before = triangle;
    }
}

static bool are_equal(tb_point a, tb_point b) { return a.x == b.x && a.y == b.y; }

/* Of corners that are the same point, the one with the least number stays. */
static void pair(mesh *m, int32_t corner, int32_t old)
{
    const int32_t number = m->order[corner];
    m->twin[corner] = old;
    if (number > m->order[old]) return;
    m->order[corner] = m->order[old];
    m->order[old] = number;
}

static bool insert(mesh *m, int32_t corner)
{
    const tb_point p = m->at[corner];
    const int32_t first = find(m, p);
    for (int k = 0; k < 3; k++)
        if (are_equal(p, m->at[m->faces[first].corner[k]])) {
            pair(m, corner, m->faces[first].corner[k]);
            return true;
        }
    if (!find_replaced(m, first, p)) return false;
    replace(m, corner);
    return true;
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

static void exchange(int32_t *a, int32_t *b)
{
    const int32_t t = *a;
    *a = *b;
    *b = t;
}

/* Brings three points that are not on one line to the beginning; false: there are none. */
static bool find_first(int64_t n, const tb_point *points, int32_t *order)
{
    int64_t second = 1, third = 2;
    while (second < n && are_equal(points[order[0]], points[order[second]])) second++;
    if (second >= n) return false;
    exchange(order + 1, order + second);
    while (third < n && tb__orient(points[order[0]], points[order[1]], points[order[third]]) == 0) third++;
    if (third >= n) return false;
    exchange(order + 2, order + third);
    return true;
}

/* The triangle of corners 1, 2 and 3, and three beyond its edges. */
static void begin(mesh *m)
{
    if (tb__orient(m->at[1], m->at[2], m->at[3]) < 0) {
        const tb_point p = m->at[2];
        m->at[2] = m->at[3];
        m->at[3] = p;
        exchange(m->order + 2, m->order + 3);
    }
    m->faces[0] = (face){{1, 2, 3, 0}, {4, 8, 12, 0}};
    for (int k = 0; k < 3; k++)
        m->faces[k + 1] = (face){{INFINITE, last_of(k) + 1, next_of(k) + 1, 0},
                                 {k, 4 * (last_of(k) + 1) + 2, 4 * (next_of(k) + 1) + 1, 0}};
    m->nface = 4;
    m->inside = 0;
}

/* The greatest coordinate becomes 1 at most, and all multiples of 2^-260. */
static void scale(int64_t n, tb_point *points)
{
    double most = 0;
    int exponent;
    for (int64_t i = 0; i < n; i++) most = fmax(most, fmax(fabs(points[i].x), fabs(points[i].y)));
    frexp(most, &exponent);
    /* Two factors, neither of which overflows. */
    const double once = ldexp(1, -exponent / 2), again = ldexp(1, -exponent + exponent / 2), round = 0x1.8p-207;
    for (int64_t i = 0; i < n; i++) {
        double *p = &points[i].x;
        for (int k = 0; k < 2; k++, p++) {
            *p = *p * once * again;
            if (fabs(*p) < 0x1p-208) *p = (*p + round) - round;
        }
    }
}

/* ---- the results ------------------------------------------------------------------------------------------------- */

static void number_triangles(const mesh *m, tb_triangles *out, int32_t *number)
{
    for (int32_t f = 0; f < m->nface; f++) {
        if (is_infinite(m->faces + f)) {
            number[f] = -1;
            continue;
        }
        number[f] = (int32_t)out->n;
        for (int k = 0; k < 3; k++) {
            const int32_t point = m->order[m->faces[f].corner[k]];
            out->corners[3 * out->n + k] = point;
            out->of_point[point] = (int32_t)out->n;
        }
        out->n++;
    }
    for (int32_t f = 0; f < m->nface; f++)
        if (number[f] >= 0)
            for (int k = 0; k < 3; k++) out->neighbors[3 * (int64_t)number[f] + k] = number[m->faces[f].across[k] >> 2];
}

static int compare_twins(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static tb_status list_twins(const mesh *m, int64_t n, tb_triangles *out)
{
    for (int64_t i = 1; i <= n; i++) out->twins += m->twin[i] != 0;
    const size_t bytes = 3 * sizeof *out->twin;
    out->twin = malloc((out->twins ? (size_t)out->twins : 1) * bytes);
    if (!out->twin) return no_memory((size_t)out->twins, bytes);
    int32_t *row = out->twin;
    for (int64_t i = 1; i <= n; i++) {
        if (!m->twin[i]) continue;
        const int32_t corner = m->order[m->twin[i]];
        row[0] = m->order[i];
        row[1] = out->of_point[corner];
        row[2] = corner;
        row += 3;
    }
    qsort(out->twin, (size_t)out->twins, bytes, compare_twins);
    return TB_OK;
}

static tb_status give(const mesh *m, int64_t n, tb_triangles *out)
{
    const size_t count = (size_t)m->nface;
    int32_t *number = malloc((count ? count : 1) * sizeof *number);
    bool made = number && make_room((void **)&out->corners, 3 * count, sizeof *out->corners) &&
                make_room((void **)&out->neighbors, 3 * count, sizeof *out->neighbors) &&
                make_room((void **)&out->of_point, (size_t)n, sizeof *out->of_point);
    if (made) {
        for (int64_t i = 0; i < n; i++) out->of_point[i] = -1;
        number_triangles(m, out, number);
    }
    free(number);
    return made ? list_twins(m, n, out) : no_memory(7 * count, sizeof *number);
}

static void free_mesh(mesh *m)
{
    free(m->at);
    free(m->order);
    free(m->twin);
    free(m->faces);
    free(m->replaced);
    free(m->stack);
    free(m->rim);
}

/* Memory, and the order of the points. */
static tb_status make_mesh(int64_t n, const tb_point *points, mesh *m, bool *flat)
{
    const size_t corners = (size_t)n + 1;
    if (!make_room((void **)&m->at, corners, sizeof *m->at) ||
        !make_room((void **)&m->order, corners, sizeof *m->order))
        return no_memory(corners, sizeof *m->at + sizeof *m->order);
    TB_TRY(tb__insertion_order(n, points, m->order + 1));
    *flat = !find_first(n, points, m->order + 1);
    if (!make_room((void **)&m->twin, corners, sizeof *m->twin)) return no_memory(corners, sizeof *m->twin);
    memset(m->twin, 0, corners * sizeof *m->twin);
    if (*flat) return TB_OK;
    if (!make_room((void **)&m->faces, 2 * corners, sizeof *m->faces) || !make_room_for_more(m))
        return no_memory(2 * corners, sizeof *m->faces);
    m->at[INFINITE] = (tb_point){NAN, NAN};
    for (int64_t i = 1; i <= n; i++) m->at[i] = points[m->order[i]];
    return TB_OK;
}

tb_status tb__triangulate(int64_t n, tb_point *points, tb_triangles *out)
{
    mesh m = {0};
    tb_triangles made = {0};
    bool flat = true;
    scale(n, points);
    tb_status status = make_mesh(n, points, &m, &flat);
    if (status == TB_OK && !flat) {
        begin(&m);
        for (int64_t i = 4; i <= n && status == TB_OK; i++)
            if (!insert(&m, (int32_t)i)) status = no_memory(2 * (size_t)m.room, sizeof *m.rim);
    }
    if (status == TB_OK) status = give(&m, n, &made);
    if (status == TB_OK) *out = made;
    else tb__free_triangles(&made);
    free_mesh(&m);
    return status;
}

void tb__free_triangles(tb_triangles *t)
{
    free(t->corners);
    free(t->neighbors);
    free(t->of_point);
    free(t->twin);
}
