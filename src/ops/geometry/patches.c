/* patches.c - a function that is linear on each triangle by its values at the corners, or smooth and cubic on each
 * third by slopes too (P. Alfeld, A trivariate Clough-Tocher scheme for tetrahedral data, 1984; G. Farin, Triangular
 * Bernstein-Bezier patches, 1986). Across an edge slopes are linear in the direction of the neighbour's centre. */
#include "ops/geometry/patches.h"

#include <stdbool.h>

#include "base/arith.h"
#include "base/threads.h"
#include "ops/geometry/thin.h"

enum { PIECE = 256 };

/* A triangle: its corners, and for each the direction across the edge opposite to it, as what a third of it adds to the
 * coordinates of the next corner, of the one behind that, and of the triangle's centre. */
typedef struct triangle {
    const int32_t *corner;
    tb_point at[3];
    double across[3][3];
} triangle;

static int next_of(int k) { return k == 2 ? 0 : k + 1; }
static int last_of(int k) { return k == 0 ? 2 : k - 1; }

/* The barycentric coordinates of x. */
static void coordinates(const tb_point *p, tb_point x, double *b)
{
    for (int k = 0; k < 3; k++) {
        const tb_point from = p[next_of(k)], to = p[last_of(k)];
        b[k] = (to.x - from.x) * (x.y - from.y) - (to.y - from.y) * (x.x - from.x);
    }
    const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    for (int k = 0; k < 3; k++) b[k] /= area;
}

static void find_directions(const tb_patches *p, int32_t at, triangle *t)
{
    for (int k = 0; k < 3; k++) {
        const int32_t beyond = p->neighbors[3 * at + k];
        double b[3], *to = t->across[k];
        if (beyond < 0) { /* of the edge's middle */
            to[0] = to[1] = 0.5;
            to[2] = -1;
            continue;
        }
        const int32_t *other = p->corners + 3 * beyond;
        const tb_point a = p->points[other[0]], c = p->points[other[1]], d = p->points[other[2]];
        coordinates(t->at, (tb_point){(a.x + c.x + d.x) / 3, (a.y + c.y + d.y) / 3}, b);
        to[0] = b[next_of(k)] - b[k];
        to[1] = b[last_of(k)] - b[k];
        to[2] = 3 * b[k] - 1;
    }
}

/* ---- smooth functions -------------------------------------------------------------------------------------------- */

/* Bernstein's ordinates of the three cubic polynomials: at corners, along edges and towards the centre. */
typedef struct ordinates {
    double corner[3], along[3][3]; /* along[i][j]: next to i, towards j */
    double inwards[3];             /* next to i, towards the centre */
    double edge[3];                /* beside the middle of the edge opposite to k */
    double near[3], centre;
} ordinates;

static void find_ordinates(const tb_patches *p, const triangle *t, int64_t column, ordinates *o)
{
    for (int i = 0; i < 3; i++) {
        const int64_t place = t->corner[i] * p->columns + column;
        const double *slope = p->slopes + 2 * place;
        o->corner[i] = p->values[place];
        o->inwards[i] = o->corner[i];
        for (int j = 0; j < 3; j++) {
            if (j == i) continue;
            const double x = t->at[j].x - t->at[i].x, y = t->at[j].y - t->at[i].y;
            o->along[i][j] = o->corner[i] + (slope[0] * x + slope[1] * y) / 3;
            o->inwards[i] += o->along[i][j];
        }
        o->inwards[i] /= 3;
    }
    for (int k = 0; k < 3; k++) {
        const int i = next_of(k), j = last_of(k);
        const double *to = t->across[k];
        const double ends = to[0] * (o->corner[i] + o->along[j][i]) + to[1] * (o->along[i][j] + o->corner[j]) +
                            to[2] * (o->inwards[i] + o->inwards[j]);
        o->edge[k] = (ends / 2 - to[0] * o->along[i][j] - to[1] * o->along[j][i]) / to[2];
    }
    o->centre = 0;
    for (int i = 0; i < 3; i++) {
        o->near[i] = (o->inwards[i] + o->edge[next_of(i)] + o->edge[last_of(i)]) / 3;
        o->centre += o->near[i] / 3;
    }
}

/* At a point with the coordinates b: of the corners of the third that it is in, and w of the centre. */
static double smooth_at(const ordinates *o, const double *b)
{
    const double first = b[1] < b[0] ? b[1] : b[0], least = b[2] < first ? b[2] : first, w = 3 * least;
    const double u[3] = {b[0] - least, b[1] - least, b[2] - least};
    double cubes = 0, squares = 0, products = 0, lines = 0;
    for (int i = 0; i < 3; i++) {
        const int j = next_of(i), k = last_of(i);
        cubes += u[i] * u[i] * (o->corner[i] * u[i] + 3 * (o->along[i][j] * u[j] + o->along[i][k] * u[k]));
        squares += o->inwards[i] * u[i] * u[i];
        products += o->edge[i] * u[j] * u[k];
        lines += o->near[i] * u[i];
    }
    return cubes + 3 * w * (squares + 2 * products) + w * w * (3 * lines + w * o->centre);
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static void evaluate(const tb_patches *p, int32_t at, tb_point x, double *out)
{
    triangle t = {.corner = p->corners + 3 * at};
    double b[3] = {(double)NAN, (double)NAN, (double)NAN};
    for (int k = 0; k < 3; k++) t.at[k] = p->points[t.corner[k]];
    if (!tb__is_thin(t.at)) coordinates(t.at, x, b);
    if (p->slopes) find_directions(p, at, &t);
    for (int64_t e = 0; e < p->columns; e++) {
        ordinates o;
        if (p->slopes) {
            find_ordinates(p, &t, e, &o);
            out[e] = smooth_at(&o, b);
            continue;
        }
        out[e] = 0;
        for (int k = 0; k < 3; k++) out[e] += b[k] * p->values[t.corner[k] * p->columns + e];
    }
}

static bool evaluate_piece(void *arg, int64_t task)
{
    const tb_patches *p = arg;
    const int64_t end = tb__min((task + 1) * PIECE, p->m);
    for (int64_t i = task * PIECE; i < end; i++) {
        double *out = p->out + i * p->columns;
        if (p->at[i] >= 0) evaluate(p, p->at[i], p->x[i], out);
        else
            for (int64_t e = 0; e < p->columns; e++) out[e] = p->outside[e];
    }
    return true;
}

tb_status tb__patches_at(const tb_patches *p)
{
    return tb__parallel(tb__ceil_div(p->m, PIECE), evaluate_piece, (void *)p);
}
