/* slopes.c - along each edge of a triangulation the function is the cubic polynomial by values and slopes at its ends.
 * The slopes that make the sum of all integrals of squared second derivatives least solve a linear system (G. Nielson,
 * A method for interpolating scattered data based upon a minimum norm network, 1983), here by rounds in which each
 * point's slope is made right for its neighbours' (Gauss and Seidel). */
#include "ops/geometry/slopes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/error.h"

/* Those of point i are number[start[i]], ... */
typedef struct around {
    int64_t *start; /* n + 1 */
    int32_t *number;
} around;

/* A triangle's corner k and the next one; each edge is seen from either end by one of its triangles, but for the
 * hull's, which have one. */
static int32_t end_of(const tb_bending *b, int64_t at, int k) { return b->corners[3 * at + k % 3]; }
static bool is_hull(const tb_bending *b, int64_t at, int k) { return b->neighbors[3 * at + (k + 2) % 3] < 0; }

static void count_neighbors(const tb_bending *b, int64_t *count)
{
    for (int64_t at = 0; at < b->triangles; at++)
        for (int k = 0; k < 3; k++) {
            count[end_of(b, at, k)]++;
            if (is_hull(b, at, k)) count[end_of(b, at, k + 1)]++;
        }
}

static tb_status find_neighbors(const tb_bending *b, around *a)
{
    const size_t most = 6 * (size_t)b->triangles + 1;
    a->start = calloc((size_t)b->n + 2, sizeof *a->start);
    a->number = malloc(most * sizeof *a->number);
    if (!a->start || !a->number) return tb__fail_memory(most * sizeof *a->number, 0, 0, 0);
    int64_t *next = a->start + 1; /* where the next one goes, which in the end is where those of the next point begin */
    count_neighbors(b, next);
    int64_t sum = 0;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t own = next[i];
        next[i] = sum;
        sum += own;
    }
    for (int64_t at = 0; at < b->triangles; at++)
        for (int k = 0; k < 3; k++) {
            const int32_t i = end_of(b, at, k), j = end_of(b, at, k + 1);
            a->number[next[i]++] = j;
            if (is_hull(b, at, k)) a->number[next[j]++] = i;
        }
    return TB_OK;
}

/* The slope at point i that is right for its neighbours'; how much it changes. */
static double improve(const tb_bending *b, const around *a, int64_t i, int64_t column)
{
    const double value = b->values[i * b->columns + column];
    double xx = 0, xy = 0, yy = 0, sx = 0, sy = 0, *own = b->slopes + 2 * (i * b->columns + column);
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
        const int64_t other = a->number[k] * b->columns + column;
        const double x = b->points[a->number[k]].x - b->points[i].x, y = b->points[a->number[k]].y - b->points[i].y;
        const double length = sqrt(x * x + y * y), weight = 1 / (length * length * length);
        const double there = b->slopes[2 * other] * x + b->slopes[2 * other + 1] * y;
        const double pull = (3 * (b->values[other] - value) - there) * weight;
        xx += 2 * x * x * weight;
        xy += 2 * x * y * weight;
        yy += 2 * y * y * weight;
        sx += pull * x;
        sy += pull * y;
    }
    const double det = xx * yy - xy * xy;
    if (det == 0) return 0; /* of no neighbours */
    const double gx = (yy * sx - xy * sy) / det, gy = (xx * sy - xy * sx) / det;
    const double change = fmax(fabs(gx - own[0]), fabs(gy - own[1]));
    own[0] = gx;
    own[1] = gy;
    return change / fmax(1, fmax(fabs(gx), fabs(gy)));
}

static int rounds_of(const tb_bending *b, const around *a, int64_t column)
{
    for (int round = 1; round <= b->most; round++) {
        double most = 0;
        for (int64_t i = 0; i < b->n; i++) most = fmax(most, improve(b, a, i, column));
        if (most < b->tol) return round;
    }
    return 0;
}

tb_status tb__find_slopes(tb_bending *b)
{
    around a = {NULL, NULL};
    const tb_status status = find_neighbors(b, &a);
    bool enough = true;
    memset(b->slopes, 0, (size_t)(2 * b->n * b->columns) * sizeof *b->slopes);
    b->rounds = 0;
    for (int64_t column = 0; column < b->columns && status == TB_OK; column++) {
        const int rounds = rounds_of(b, &a, column);
        enough &= rounds > 0;
        b->rounds = (int)tb__max(b->rounds, rounds);
    }
    if (!enough) b->rounds = 0;
    free(a.start);
    free(a.number);
    return status;
}
