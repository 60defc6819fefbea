/* recur_powers.c - of each section of a digital filter, what many elements make of the states before them: the matrix
 * of one element, squared again and again. Filters are small, and this is done in every call: in double, but for those
 * whose numbers grow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/recur.h"
#include "base/error.h"

enum { MOST_NUMBERS = 2 * TB_RECUR_STATES * TB_RECUR_STATES };

/* Of numbers of type T; s ends the functions' names.
 *   one_element    what an element of zero makes of a section's states: y = z[0], z[i] = z[i + 1] - a[i + 1] y
 *   multiply       out = x y; `out` is neither of them
 *   largest        NaN where there is one
 *   fill_powers    returns the largest element of all
 *   fill_multiples one section's, of which `power` is one; NULL: it is nothing */
#define MATRICES(T, s)                                                                                        \
    static void one_element_##s(const tb_recur *r, size_t section, size_t parts, T *power)                    \
    {                                                                                                         \
        const size_t order = (size_t)r->order, each = (order + 1) * parts;                                    \
        const double *a = r->coefficients + (2 * section + 1) * each;                                         \
        memset(power, 0, order * order * parts * sizeof *power);                                              \
        for (size_t i = 0; i < order; i++) {                                                                  \
            if (i + 1 < order) power[(i * order + i + 1) * parts] = 1;                                        \
            for (size_t k = 0; k < parts; k++) power[i * order * parts + k] -= a[(i + 1) * parts + k];        \
        }                                                                                                     \
    }                                                                                                         \
    static void multiply_real_##s(const T *x, const T *y, size_t order, T *restrict out)                      \
    {                                                                                                         \
        for (size_t i = 0; i < order; i++)                                                                    \
            for (size_t k = 0; k < order; k++) {                                                              \
                const T factor = x[i * order + k];                                                            \
                for (size_t j = 0; j < order; j++) out[i * order + j] += factor * y[k * order + j];           \
            }                                                                                                 \
    }                                                                                                         \
    static void multiply_complex_##s(const T *x, const T *y, size_t order, T *restrict out)                   \
    {                                                                                                         \
        for (size_t i = 0; i < order; i++)                                                                    \
            for (size_t k = 0; k < order; k++) {                                                              \
                const T re = x[2 * (i * order + k)], im = x[2 * (i * order + k) + 1];                         \
                for (size_t j = 0; j < order; j++) {                                                          \
                    const T *by = y + 2 * (k * order + j);                                                    \
                    out[2 * (i * order + j)] += re * by[0] - im * by[1];                                      \
                    out[2 * (i * order + j) + 1] += re * by[1] + im * by[0];                                  \
                }                                                                                             \
            }                                                                                                 \
    }                                                                                                         \
    static void multiply_##s(const tb_recur_powers *p, const T *x, const T *y, T *out)                        \
    {                                                                                                         \
        const size_t order = (size_t)p->order;                                                                \
        memset(out, 0, order * order * (size_t)p->parts * sizeof *out);                                       \
        (p->parts == 2 ? multiply_complex_##s : multiply_real_##s)(x, y, order, out);                         \
    }                                                                                                         \
    static double largest_##s(const T *x, size_t n)                                                           \
    {                                                                                                         \
        double most = 0;                                                                                      \
        for (size_t i = 0; i < n && !isnan(most); i++)                                                        \
            if (!(fabs((double)x[i]) <= most)) most = fabs((double)x[i]);                                     \
        return most;                                                                                          \
    }                                                                                                         \
    static double fill_powers_##s(const tb_recur *r, tb_recur_powers *out)                                    \
    {                                                                                                         \
        const double NOTHING = 1e-40;                                                                         \
        const size_t square = out->size / (size_t)out->sections;                                              \
        T *memory = out->memory;                                                                              \
        double most = 0;                                                                                      \
        for (size_t k = 0; k < (size_t)r->sections; k++)                                                      \
            one_element_##s(r, k, (size_t)out->parts, memory + k * square);                                   \
        for (out->count = 1;; out->count++) {                                                                 \
            T *last = memory + (size_t)(out->count - 1) * out->size;                                          \
            const double here = out->largest[out->count - 1] = largest_##s(last, out->size);                  \
            if (!(here <= most)) most = here;                                                                 \
            if (out->count == TB_RECUR_DOUBLINGS || (int64_t)1 << (out->count - 1) >= r->n) return most;      \
            if (!(here > NOTHING)) return most;                                                               \
            for (size_t at = 0; at < out->size; at += square)                                                 \
                multiply_##s(out, last + at, last + at, last + out->size + at);                               \
        }                                                                                                     \
    }                                                                                                         \
    static void fill_multiples_##s(const tb_recur_powers *p, const T *power, double *out)                     \
    {                                                                                                         \
        const size_t order = (size_t)p->order, parts = (size_t)p->parts, n = order * order * parts;           \
        T last[MOST_NUMBERS], next[MOST_NUMBERS];                                                             \
        memset(last, 0, n * sizeof *last);                                                                    \
        for (size_t i = 0; i < order; i++) last[i * (order + 1) * parts] = 1;                                 \
        for (size_t times = 0; times < TB_RECUR_TIMES; times++) {                                             \
            for (size_t i = 0; i < n; i++)                                                                    \
                out[(i / parts * TB_RECUR_TIMES + times) * parts + i % parts] = (double)last[i];              \
            if (power) multiply_##s(p, power, last, next);                                                    \
            else memset(next, 0, n * sizeof *next);                                                           \
            memcpy(last, next, n * sizeof *last);                                                             \
        }                                                                                                     \
    }                                                                                                         \
    static void fill_all_multiples_##s(const tb_recur_powers *p, int doubling, double *out)                   \
    {                                                                                                         \
        const size_t square = p->size / (size_t)p->sections;                                                  \
        const T *power = doubling < p->count ? (const T *)p->memory + (size_t)doubling * p->size : NULL;      \
        for (size_t at = 0; at < p->size; at += square)                                                       \
            fill_multiples_##s(p, power ? power + at : NULL, out + at * TB_RECUR_TIMES);                      \
    }
MATRICES(double, roughly)
MATRICES(long double, exactly)

tb_status tb__recur_powers(const tb_recur *r, tb_recur_powers *out)
{
    const double ROUGH = 100;
    const int parts = tb_dtype_kind(r->dtype) == TB_KIND_COMPLEX ? 2 : 1;
    const size_t order = (size_t)r->order;
    *out = (tb_recur_powers){.sections = r->sections, .order = r->order, .parts = parts};
    out->size = (size_t)r->sections * order * order * (size_t)parts;
    out->memory = malloc(TB_RECUR_DOUBLINGS * out->size * sizeof(long double));
    if (!out->memory) return tb__fail_memory(TB_RECUR_DOUBLINGS * out->size * sizeof(long double), 0, 0, 0);
    out->exact = !(fill_powers_roughly(r, out) <= ROUGH);
    if (out->exact) fill_powers_exactly(r, out);
    return TB_OK;
}

void tb__recur_multiples(const tb_recur_powers *p, int doubling, double *out)
{
    (p->exact ? fill_all_multiples_exactly : fill_all_multiples_roughly)(p, doubling, out);
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
