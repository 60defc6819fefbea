/* triangle.c - equations with one triangle of a sparse matrix, row after row: each needs the ones before it. */
#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

/* Rows of one number each, whose sum can stay in a register. */
#define VECTOR(VALUE)                                                                                 \
    VALUE sum = x[i], pivot = 0;                                                                      \
    for (int64_t k = start[i]; k < start[i + 1]; k++) {                                               \
        const int64_t col = index[k];                                                                 \
        if (col == i) pivot += data[k];                                                               \
        else if ((col < i) == t->lower) sum -= data[k] * x[col];                                      \
    }                                                                                                 \
    if (!t->unit && pivot == 0) return false;                                                         \
    x[i] = t->unit ? sum : sum / pivot;

#define MATRIX(VALUE)                                                                                 \
    VALUE *row = x + i * t->width, pivot = 0;                                                         \
    for (int64_t k = start[i]; k < start[i + 1]; k++) {                                               \
        const int64_t col = index[k];                                                                 \
        const VALUE factor = data[k], *other = x + col * t->width;                                    \
        if (col == i) pivot += factor;                                                                \
        else if ((col < i) == t->lower)                                                               \
            for (int64_t c = 0; c < t->width; c++) row[c] -= factor * other[c];                       \
    }                                                                                                 \
    if (!t->unit && pivot == 0) return false;                                                         \
    for (int64_t c = 0; c < t->width && !t->unit; c++) row[c] /= pivot;

/* False: there is a zero on the diagonal. */
#define SOLVE(name, VALUE, INDEX, EACH)                                                               \
    static bool name(const tb_sparse_triangle *t)                                                     \
    {                                                                                                 \
        const INDEX *start = t->a.start, *index = t->a.index;                                         \
        const VALUE *data = t->data;                                                                  \
        VALUE *x = t->x;                                                                              \
        for (int64_t done = 0; done < t->a.rows; done++) {                                            \
            const int64_t i = t->lower ? done : t->a.rows - 1 - done;                                 \
            EACH(VALUE)                                                                               \
        }                                                                                             \
        return true;                                                                                  \
    }
#define SOLVES(name, VALUE)                      \
    SOLVE(name##_32, VALUE, int32_t, VECTOR)     \
    SOLVE(name##_64, VALUE, int64_t, VECTOR)     \
    SOLVE(name##s_32, VALUE, int32_t, MATRIX)    \
    SOLVE(name##s_64, VALUE, int64_t, MATRIX)
SOLVES(f32, float)
SOLVES(f64, double)
SOLVES(c64, float _Complex)
SOLVES(c128, double _Complex)

#define ROW(name)                                   \
    {                                               \
        {name##_32, name##_64}, {name##s_32, name##s_64} \
    }
static bool (*const solves[4][2][2])(const tb_sparse_triangle *t) = {ROW(f32), ROW(f64), ROW(c64), ROW(c128)};

tb_status tb__cpu_sparse_triangle(const tb_sparse_triangle *t)
{
    if (solves[t->dtype - TB_F32][t->width != 1][t->a.wide](t)) return TB_OK;
    return tb__fail(TB_ERR_LINALG, "A is singular: zero entry on diagonal.");
}
