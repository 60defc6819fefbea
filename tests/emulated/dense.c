/* dense.c - the algorithms of dense.h, for small matrices: plain loops, Jacobi's rotations. */
#include "dense.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef double complex z;

static z load(int t, const void *p, size_t i)
{
    switch (t) {
    case 0: return ((const float *)p)[i];
    case 1: return ((const double *)p)[i];
    case 2: return ((const float complex *)p)[i];
    default: return ((const z *)p)[i];
    }
}

static void store(int t, void *p, size_t i, z v)
{
    switch (t) {
    case 0: ((float *)p)[i] = (float)creal(v); break;
    case 1: ((double *)p)[i] = creal(v); break;
    case 2: ((float complex *)p)[i] = (float complex)v; break;
    default: ((z *)p)[i] = v;
    }
}

/* A matrix as numbers to work with, m x n without gaps. */
static z *take(int t, int m, int n, const void *a, int lda)
{
    z *w = malloc(((size_t)m * (size_t)n + 1) * sizeof *w);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) w[i + (size_t)j * (size_t)m] = load(t, a, (size_t)i + (size_t)j * (size_t)lda);
    return w;
}

static void put(int t, int m, int n, const z *w, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) store(t, a, (size_t)i + (size_t)j * (size_t)lda, w[i + (size_t)j * (size_t)m]);
}

#define AT(w, m, i, j) (w)[(size_t)(i) + (size_t)(j) * (size_t)(m)]

/* Brings the largest element to about 1; returns by what they were divided. */
static double scale_down(z *w, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fmax(fabs(creal(w[i])), fabs(cimag(w[i]))));
    if (!(most > 0) || isinf(most)) return 1;
    for (size_t i = 0; i < n; i++) w[i] /= most;
    return most;
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

/* Element (i, j) of the triangle after op. */
static z of_triangle(const z *a, int n, int op, int i, int j)
{
    return op == 0 ? AT(a, n, i, j) : op == 1 ? AT(a, n, j, i) : conj(AT(a, n, j, i));
}

void dense_trsm(int t, bool lower, int op, bool unit, int n, int k, const void *a, int lda, void *b, int ldb)
{
    z *w = take(t, n, n, a, lda), *x = take(t, n, k, b, ldb);
    const bool forward = lower == (op == 0);
    for (int c = 0; c < k; c++)
        for (int step = 0; step < n; step++) {
            const int i = forward ? step : n - 1 - step;
            z sum = AT(x, n, i, c);
            for (int j = forward ? 0 : i + 1; j < (forward ? i : n); j++)
                sum -= of_triangle(w, n, op, i, j) * AT(x, n, j, c);
            AT(x, n, i, c) = unit ? sum : sum / of_triangle(w, n, op, i, i);
        }
    put(t, n, k, x, b, ldb);
    free(w);
    free(x);
}

int dense_potrf(int t, bool lower, int n, void *a, int lda)
{
    z *w = take(t, n, n, a, lda);
    int failed = 0;
    for (int j = 0; j < n && !failed; j++)
        for (int i = j; i < n && !failed; i++) {
            z sum = lower ? AT(w, n, i, j) : conj(AT(w, n, j, i));
            for (int k = 0; k < j; k++)
                sum -= lower ? AT(w, n, i, k) * conj(AT(w, n, j, k)) : conj(AT(w, n, k, i)) * AT(w, n, k, j);
            if (i == j && !(creal(sum) > 0)) failed = j + 1;
            const z l = i == j ? sqrt(creal(sum)) : sum / (lower ? AT(w, n, j, j) : AT(w, n, j, j));
            if (lower) AT(w, n, i, j) = l;
            else AT(w, n, j, i) = conj(l);
        }
    put(t, n, n, w, a, lda);
    free(w);
    return failed;
}

/* ---- LU ---------------------------------------------------------------------------------------------------------- */

static void swap_rows(z *w, int m, int n, int i, int k)
{
    for (int j = 0; j < n && i != k; j++) {
        const z old = AT(w, m, i, j);
        AT(w, m, i, j) = AT(w, m, k, j);
        AT(w, m, k, j) = old;
    }
}

int dense_getrf(int t, int m, int n, void *a, int lda, int *pivots)
{
    z *w = take(t, m, n, a, lda);
    int failed = 0;
    for (int j = 0; j < (m < n ? m : n); j++) {
        int best = j;
        for (int i = j + 1; i < m; i++)
            if (cabs(AT(w, m, i, j)) > cabs(AT(w, m, best, j))) best = i;
        pivots[j] = best + 1;
        swap_rows(w, m, n, j, best);
        if (AT(w, m, j, j) == 0) {
            if (!failed) failed = j + 1;
            continue;
        }
        for (int i = j + 1; i < m; i++) {
            AT(w, m, i, j) /= AT(w, m, j, j);
            for (int k = j + 1; k < n; k++) AT(w, m, i, k) -= AT(w, m, i, j) * AT(w, m, j, k);
        }
    }
    put(t, m, n, w, a, lda);
    free(w);
    return failed;
}

void dense_getrs(int t, int op, int n, int k, const void *a, int lda, const int *pivots, void *b, int ldb)
{
    z *x = take(t, n, k, b, ldb);
    for (int i = 0; op == 0 && i < n; i++) swap_rows(x, n, k, i, pivots[i] - 1);
    put(t, n, k, x, b, ldb);
    dense_trsm(t, op == 0, op, op == 0, n, k, a, lda, b, ldb);
    dense_trsm(t, op != 0, op, op != 0, n, k, a, lda, b, ldb);
    free(x);
    x = take(t, n, k, b, ldb);
    for (int i = n - 1; op != 0 && i >= 0; i--) swap_rows(x, n, k, i, pivots[i] - 1);
    put(t, n, k, x, b, ldb);
    free(x);
}

/* ---- QR ---------------------------------------------------------------------------------------------------------- */

/* Column c of x, from row j on, times I - tau v v^H, of which v is below the diagonal of column j of a. */
static void reflect(const z *a, int m, int j, z tau, z *x, int c)
{
    z sum = AT(x, m, j, c);
    for (int i = j + 1; i < m; i++) sum += conj(AT(a, m, i, j)) * AT(x, m, i, c);
    AT(x, m, j, c) -= tau * sum;
    for (int i = j + 1; i < m; i++) AT(x, m, i, c) -= tau * sum * AT(a, m, i, j);
}

void dense_geqrf(int t, int m, int n, void *a, int lda, void *tau)
{
    z *w = take(t, m, n, a, lda);
    const double scale = scale_down(w, (size_t)m * (size_t)n);
    for (int j = 0; j < (m < n ? m : n); j++) {
        const z alpha = AT(w, m, j, j);
        double rest = 0;
        for (int i = j + 1; i < m; i++) rest += creal(AT(w, m, i, j) * conj(AT(w, m, i, j)));
        if (rest == 0 && cimag(alpha) == 0) {
            store(t, tau, (size_t)j, 0);
            continue;
        }
        const double beta = -copysign(sqrt(rest + creal(alpha * conj(alpha))), creal(alpha));
        const z factor = (beta - alpha) / beta;
        for (int i = j + 1; i < m; i++) AT(w, m, i, j) /= alpha - beta;
        store(t, tau, (size_t)j, factor);
        for (int c = j + 1; c < n; c++) reflect(w, m, j, conj(factor), w, c);
        AT(w, m, j, j) = beta;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m && i <= j; i++) AT(w, m, i, j) *= scale;
    put(t, m, n, w, a, lda);
    free(w);
}

void dense_ormqr(int t, bool adjoint, int m, int n, int k, const void *a, int lda, const void *tau, void *c, int ldc)
{
    z *w = take(t, m, k, a, lda), *x = take(t, m, n, c, ldc);
    for (int step = 0; step < k; step++) {
        const int j = adjoint ? step : k - 1 - step;
        const z factor = load(t, tau, (size_t)j);
        for (int i = 0; i < n; i++) reflect(w, m, j, adjoint ? conj(factor) : factor, x, i);
    }
    put(t, m, n, x, c, ldc);
    free(w);
    free(x);
}

void dense_orgqr(int t, int m, int n, int k, void *a, int lda, const void *tau)
{
    z *w = take(t, m, k, a, lda), *q = calloc((size_t)m * (size_t)n + 1, sizeof *q);
    for (int i = 0; i < n; i++) AT(q, m, i, i) = 1;
    for (int j = k - 1; j >= 0; j--)
        for (int i = 0; i < n; i++) reflect(w, m, j, load(t, tau, (size_t)j), q, i);
    put(t, m, n, q, a, lda);
    free(w);
    free(q);
}

/* ---- rotations --------------------------------------------------------------------------------------------------- */

enum { SWEEPS = 60 };

static z dot(const z *w, int m, int i, int j)
{
    z sum = 0;
    for (int k = 0; k < m; k++) sum += conj(AT(w, m, k, i)) * AT(w, m, k, j);
    return sum;
}

/* Columns i and j by the rotation of which s has the phase of what it makes zero. */
static void rotate(z *w, int m, int i, int j, double c, z s)
{
    for (int k = 0; k < m; k++) {
        const z x = AT(w, m, k, i), y = AT(w, m, k, j);
        AT(w, m, k, i) = c * x - conj(s) * y;
        AT(w, m, k, j) = s * x + c * y;
    }
}

/* Columns i and j of w made orthogonal, v turned with them. False: they are. */
static bool part(z *w, int m, z *v, int n, int i, int j)
{
    const double a = creal(dot(w, m, i, i)), b = creal(dot(w, m, j, j));
    const z g = dot(w, m, i, j);
    if (cabs(g) <= 1e-17 * sqrt(a * b) || cabs(g) == 0) return false;
    const double zeta = (b - a) / (2 * cabs(g));
    const double tangent = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const double c = 1 / sqrt(1 + tangent * tangent);
    const z s = c * tangent * (g / cabs(g));
    rotate(w, m, i, j, c, s);
    rotate(v, n, i, j, c, s);
    return true;
}

/* Column j of u as a unit vector orthogonal to those before it: the first of the axes that will do. */
static void complete(z *u, int m, int j)
{
    for (int axis = 0; axis < m; axis++) {
        for (int i = 0; i < m; i++) AT(u, m, i, j) = i == axis;
        for (int twice = 0; twice < 2; twice++)
            for (int k = 0; k < j; k++) {
                const z g = dot(u, m, k, j);
                for (int i = 0; i < m; i++) AT(u, m, i, j) -= g * AT(u, m, i, k);
            }
        const double size = sqrt(creal(dot(u, m, j, j)));
        if (size < 0.5 / m) continue;
        for (int i = 0; i < m; i++) AT(u, m, i, j) /= size;
        return;
    }
}

/* The singular values of w in descending order, of which `order` says which columns they are. */
static void order_columns(const z *w, int m, int n, double *s, int *order)
{
    for (int j = 0; j < n; j++) {
        const double size = sqrt(creal(dot(w, m, j, j)));
        int at = j;
        for (; at > 0 && s[at - 1] < size; at--) s[at] = s[at - 1], order[at] = order[at - 1];
        s[at] = size;
        order[at] = j;
    }
}

/* By one-sided rotations (Hestenes 1958). */
void dense_gesvd(int t, int job, int m, int n, const void *a, int lda, void *s, void *u, int ldu, void *vt, int ldvt)
{
    z *w = take(t, m, n, a, lda), *v = calloc((size_t)n * (size_t)n + 1, sizeof *v);
    z *left = calloc((size_t)m * (size_t)m + 1, sizeof *left);
    double *size = malloc(((size_t)n + 1) * sizeof *size);
    int *order = malloc(((size_t)n + 1) * sizeof *order);
    bool again = true;
    const double scale = scale_down(w, (size_t)m * (size_t)n);
    for (int i = 0; i < n; i++) AT(v, n, i, i) = 1;
    for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
        again = false;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) again |= part(w, m, v, n, i, j);
    }
    order_columns(w, m, n, size, order);
    for (int j = 0; j < n; j++) store(t % 2, s, (size_t)j, size[j] * scale);
    for (int j = 0; job != 'N' && j < n; j++) {
        for (int i = 0; i < n; i++) store(t, vt, (size_t)j + (size_t)i * (size_t)ldvt, conj(AT(v, n, i, order[j])));
        if (size[j] <= 1e-15 * size[0]) complete(left, m, j);
        else
            for (int i = 0; i < m; i++) AT(left, m, i, j) = AT(w, m, i, order[j]) / size[j];
    }
    for (int j = n; job == 'A' && j < m; j++) complete(left, m, j);
    if (job != 'N') put(t, m, job == 'A' ? m : n, left, u, ldu);
    free(w);
    free(v);
    free(left);
    free(size);
    free(order);
}

void dense_adjoint(int t, int n, void *a, int lda)
{
    z *w = take(t, n, n, a, lda);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) store(t, a, (size_t)i + (size_t)j * (size_t)lda, conj(AT(w, n, j, i)));
    free(w);
}

/* Element (i, j) of the Hermitian matrix of which w has a triangle. */
static z hermitian(const z *w, int n, bool lower, int i, int j)
{
    return i == j ? creal(AT(w, n, i, j)) : lower == (i > j) ? AT(w, n, i, j) : conj(AT(w, n, j, i));
}

/* By two-sided rotations (Jacobi 1846) of a copy with both triangles. */
void dense_syev(int t, bool vectors, bool lower, int n, void *a, int lda, void *w)
{
    z *given = take(t, n, n, a, lda), *h = malloc(((size_t)n * (size_t)n + 1) * sizeof *h);
    z *v = calloc((size_t)n * (size_t)n + 1, sizeof *v);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) AT(h, n, i, j) = hermitian(given, n, lower, i, j);
    for (int i = 0; i < n; i++) AT(v, n, i, i) = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                const z g = AT(h, n, i, j);
                if (cabs(g) == 0) continue;
                const double zeta = (creal(AT(h, n, j, j)) - creal(AT(h, n, i, i))) / (2 * cabs(g));
                const double tangent = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                const double c = 1 / sqrt(1 + tangent * tangent);
                const z s = c * tangent * (g / cabs(g));
                rotate(h, n, i, j, c, s);
                for (int k = 0; k < n; k++) {
                    const z x = AT(h, n, i, k), y = AT(h, n, j, k);
                    AT(h, n, i, k) = c * x - s * y;
                    AT(h, n, j, k) = conj(s) * x + c * y;
                }
                rotate(v, n, i, j, c, s);
            }
    for (int place = 0; place < n; place++) {
        int least = place;
        for (int j = place + 1; j < n; j++)
            if (creal(AT(h, n, j, j)) < creal(AT(h, n, least, least))) least = j;
        const z value = AT(h, n, least, least);
        AT(h, n, least, least) = AT(h, n, place, place);
        AT(h, n, place, place) = value;
        for (int i = 0; i < n; i++) {
            const z x = AT(v, n, i, place);
            AT(v, n, i, place) = AT(v, n, i, least);
            AT(v, n, i, least) = x;
        }
        store(t % 2, w, (size_t)place, value);
    }
    put(t, n, n, vectors ? v : h, a, lda);
    free(given);
    free(h);
    free(v);
}
