/* recur_powers.c - of a digital filter in sections, what many elements make of the states before them: the matrix of
 * one element, squared again and again. The states of a section reach those of the sections after it alone, so that
 * the matrices are of blocks, which are zero above the diagonal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/recur.h"
#include "base/error.h"

/* An element of zero through all sections. */
static void step(const tb_recur *r, size_t parts, double *z)
{
    const size_t order = (size_t)r->order, each = (order + 1) * parts;
    double y[2] = {0, 0};
    for (size_t s = 0; s < (size_t)r->sections; s++, z += order * parts) {
        const double *b = r->coefficients + 2 * s * each, *a = b + each;
        const double x[2] = {y[0], y[1]};
        const double bi = parts == 2 ? b[1] : 0;
        y[0] = z[0] + x[0] * b[0] - x[1] * bi;
        y[1] = parts == 2 ? z[1] + x[0] * bi + x[1] * b[0] : 0;
        for (size_t i = 1; i <= order; i++) {
            const double br = b[i * parts], ar = a[i * parts];
            const double bj = parts == 2 ? b[2 * i + 1] : 0, aj = parts == 2 ? a[2 * i + 1] : 0;
            const double *next = z + i * parts;
            double *to = z + (i - 1) * parts;
            to[0] = (i < order ? next[0] : 0) + x[0] * br - x[1] * bj - (y[0] * ar - y[1] * aj);
            if (parts == 2) to[1] = (i < order ? next[1] : 0) + x[0] * bj + x[1] * br - (y[0] * aj + y[1] * ar);
        }
    }
}

static void one_element(const tb_recur *r, size_t parts, double *power)
{
    const size_t states = (size_t)(r->sections * r->order);
    double z[2 * TB_RECUR_STATES];
    for (size_t j = 0; j < states; j++) {
        memset(z, 0, sizeof z);
        z[j * parts] = 1;
        step(r, parts, z);
        for (size_t i = 0; i < states; i++) memcpy(power + (i * states + j) * parts, z + i * parts, parts * sizeof *z);
    }
}

static void add_product(const double *x, const double *y, size_t parts, double *sum)
{
    if (parts == 1) {
        sum[0] += x[0] * y[0];
        return;
    }
    sum[0] += x[0] * y[0] - x[1] * y[1];
    sum[1] += x[0] * y[1] + x[1] * y[0];
}

static void square(const double *x, size_t states, size_t order, size_t parts, double *out)
{
    memset(out, 0, states * states * parts * sizeof *out);
    for (size_t i = 0; i < states; i++)
        for (size_t k = 0; k < (i / order + 1) * order; k++)
            for (size_t j = 0; j < (k / order + 1) * order; j++)
                add_product(x + (i * states + k) * parts, x + (k * states + j) * parts, parts,
                            out + (i * states + j) * parts);
}

/* NaN where there is one. */
static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

tb_status tb__recur_powers(const tb_recur *r, tb_recur_powers *out)
{
    const double NOTHING = 1e-40;
    const size_t parts = tb_dtype_kind(r->dtype) == TB_KIND_COMPLEX ? 2 : 1, states = (size_t)(r->sections * r->order);
    out->size = states * states * parts;
    out->memory = malloc(TB_RECUR_DOUBLINGS * out->size * sizeof *out->memory);
    if (!out->memory) return tb__fail_memory(TB_RECUR_DOUBLINGS * out->size * sizeof *out->memory, 0, 0, 0);
    one_element(r, parts, out->memory);
    for (out->count = 1;; out->count++) {
        double *last = out->memory + (size_t)(out->count - 1) * out->size;
        out->largest[out->count - 1] = largest(last, out->size);
        if (out->count == TB_RECUR_DOUBLINGS || (int64_t)1 << (out->count - 1) >= r->n) return TB_OK;
        if (!(out->largest[out->count - 1] > NOTHING)) return TB_OK;
        square(last, states, (size_t)r->order, parts, last + out->size);
    }
}

bool tb__recur_stays_small(const tb_recur_powers *p, int64_t n)
{
    enum { LOOK = 12 };
    const double MOST = 1e4, SWINGS = 1e8;
    double last = 0;
    for (int i = 0; i < p->count && i <= LOOK && (int64_t)1 << i <= n; i++) {
        last = p->largest[i];
        if (!(last <= SWINGS)) return false;
    }
    return last <= MOST;
}
