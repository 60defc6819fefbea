/* recur_powers.c - of each section of a digital filter, what many elements make of the states before them: the matrix
 * of one element, squared again and again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/recur.h"
#include "base/error.h"

/* What an element of zero makes of a section's states: y = z[0], z[i] = z[i + 1] - a[i + 1] y. */
static void one_element(const tb_recur *r, int section, size_t parts, long double *power)
{
    const size_t order = (size_t)r->order, each = (order + 1) * parts;
    const double *a = r->coefficients + (2 * (size_t)section + 1) * each;
    memset(power, 0, order * order * parts * sizeof *power);
    for (size_t i = 0; i < order; i++) {
        if (i + 1 < order) power[(i * order + i + 1) * parts] = 1;
        for (size_t k = 0; k < parts; k++) power[i * order * parts + k] -= a[(i + 1) * parts + k];
    }
}

static void multiply_exactly(const long double *x, const long double *y, int order, int parts, long double *out)
{
    for (int i = 0; i < order; i++)
        for (int k = 0; k < order; k++)
            for (int j = 0; j < order; j++) {
                const long double *p = x + (i * order + k) * parts, *q = y + (k * order + j) * parts;
                long double *sum = out + (i * order + j) * parts;
                sum[0] += p[0] * q[0] - (parts == 2 ? p[1] * q[1] : 0);
                if (parts == 2) sum[1] += p[0] * q[1] + p[1] * q[0];
            }
}

static void multiply_roughly(const double *x, const double *y, int order, int parts, double *out)
{
    for (int i = 0; i < order; i++)
        for (int k = 0; k < order; k++)
            for (int j = 0; j < order; j++) {
                const double *p = x + (i * order + k) * parts, *q = y + (k * order + j) * parts;
                double *sum = out + (i * order + j) * parts;
                sum[0] += p[0] * q[0] - (parts == 2 ? p[1] * q[1] : 0);
                if (parts == 2) sum[1] += p[0] * q[1] + p[1] * q[0];
            }
}

enum { MOST_NUMBERS = 2 * TB_RECUR_STATES * TB_RECUR_STATES };

/* out = x y; `out` is neither of them. */
static void multiply(const tb_recur_powers *p, const long double *x, const long double *y, long double *out)
{
    double a[MOST_NUMBERS], b[MOST_NUMBERS], c[MOST_NUMBERS];
    const int n = p->order * p->order * p->parts;
    if (p->exact) {
        memset(out, 0, (size_t)n * sizeof *out);
        multiply_exactly(x, y, p->order, p->parts, out);
        return;
    }
    for (int i = 0; i < n; i++) {
        a[i] = (double)x[i];
        b[i] = (double)y[i];
        c[i] = 0;
    }
    multiply_roughly(a, b, p->order, p->parts, c);
    for (int i = 0; i < n; i++) out[i] = c[i];
}

/* NaN where there is one. */
static double largest(const long double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n && !isnan(most); i++)
        if (!(fabs((double)x[i]) <= most)) most = fabs((double)x[i]);
    return most;
}

/* Returns the largest element of all. */
static double fill_powers(const tb_recur *r, tb_recur_powers *out)
{
    const double NOTHING = 1e-40;
    const size_t square = out->size / (size_t)out->sections;
    double most = 0;
    for (int s = 0; s < r->sections; s++) one_element(r, s, (size_t)out->parts, out->memory + (size_t)s * square);
    for (out->count = 1;; out->count++) {
        long double *last = out->memory + (size_t)(out->count - 1) * out->size;
        const double here = out->largest[out->count - 1] = largest(last, out->size);
        if (!(here <= most)) most = here;
        if (out->count == TB_RECUR_DOUBLINGS || (int64_t)1 << (out->count - 1) >= r->n) return most;
        if (!(here > NOTHING)) return most;
        for (size_t at = 0; at < out->size; at += square) multiply(out, last + at, last + at, last + out->size + at);
    }
}

tb_status tb__recur_powers(const tb_recur *r, tb_recur_powers *out)
{
    const double ROUGH = 100;
    const int parts = tb_dtype_kind(r->dtype) == TB_KIND_COMPLEX ? 2 : 1;
    const size_t order = (size_t)r->order;
    *out = (tb_recur_powers){.sections = r->sections, .order = r->order, .parts = parts};
    out->size = (size_t)r->sections * order * order * (size_t)parts;
    out->memory = malloc(TB_RECUR_DOUBLINGS * out->size * sizeof *out->memory);
    if (!out->memory) return tb__fail_memory(TB_RECUR_DOUBLINGS * out->size * sizeof *out->memory, 0, 0, 0);
    out->exact = !(fill_powers(r, out) <= ROUGH);
    if (out->exact) fill_powers(r, out);
    return TB_OK;
}

/* One section's, of which `power` is one; NULL: it is nothing. */
static void fill_multiples(const tb_recur_powers *p, const long double *power, double *out)
{
    const size_t order = (size_t)p->order, parts = (size_t)p->parts, n = order * order * parts;
    long double last[MOST_NUMBERS], next[MOST_NUMBERS];
    memset(last, 0, n * sizeof *last);
    for (size_t i = 0; i < order; i++) last[i * (order + 1) * parts] = 1;
    for (size_t times = 0; times < TB_RECUR_TIMES; times++) {
        for (size_t i = 0; i < n; i++) out[(i / parts * TB_RECUR_TIMES + times) * parts + i % parts] = (double)last[i];
        if (power) multiply(p, power, last, next);
        else memset(next, 0, n * sizeof *next);
        memcpy(last, next, n * sizeof *last);
    }
}

void tb__recur_multiples(const tb_recur_powers *p, int doubling, double *out)
{
    const size_t square = p->size / (size_t)p->sections;
    for (size_t at = 0; at < p->size; at += square)
        fill_multiples(p, doubling < p->count ? p->memory + (size_t)doubling * p->size + at : NULL,
                       out + at * TB_RECUR_TIMES);
}

bool tb__recur_stays_small(const tb_recur_powers *p, int64_t n)
{
    enum { LOOK = 12 };
    const double MOST = 1e4, SWINGS = 1e4;
    double last = 0;
    for (int i = 0; i < p->count && i <= LOOK && (int64_t)1 << i <= n; i++) {
        last = p->largest[i];
        if (!(last <= SWINGS)) return false;
    }
    return last <= MOST;
}
