/* expm.c - exponentials of matrices by scaling and squaring: A. H. Al-Mohy and N. J. Higham, A new scaling and squaring
 * algorithm for the matrix exponential, SIAM J. Matrix Anal. Appl. 31 (2009). Where that estimates norms of powers,
 * those of the powers that are there bound them. Norms are of rows, since exp(a^T) = exp(a)^T, so that it does not
 * matter either whether matrices lie in columns.
 *
 * Of triangles the diagonal, and the one beside it, are computed anew after each squaring (code fragment 2.1 there); of
 * diagonals and of 2 x 2 matrices there are formulas. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "backend/cpu/solvers/composed.h"
#include "base/arith.h"

/* ---- degrees ----------------------------------------------------------------------------------------------------- */

/* A diagonal Padé approximation of exp. */
typedef struct degree {
    int m;
    double bound; /* of what stands for the norm: up to it the error is a rounding one (table 3.1; float32: table 2.3 of
                   * Higham, SIAM J. Matrix Anal. Appl. 26 (2005), for its rounding unit) */
    double error; /* log2 of 1 over the first coefficient of the backward error: C(2m, m) (2m + 1)! */
    double c[14]; /* of the numerator, from the constant on */
} degree;

static const degree wide[] = {
    {3, 1.495585217958292e-2, 16.62113611327464, {120, 60, 12, 1}},
    {5, 2.539398330063230e-1, 33.227772656854164, {30240, 15120, 3360, 420, 30, 1}},
    {7, 9.504178996162932e-1, 51.994974307382165, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
    {9,
     2.097847961257068,
     72.32471809893495,
     {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1}},
    {13,
     4.25,
     116.447004251763,
     {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
      670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}},
};
static const degree narrow[] = {
    {3, 4.258730016922831e-1, 16.62113611327464, {120, 60, 12, 1}},
    {5, 1.880152677804762, 33.227772656854164, {30240, 15120, 3360, 420, 30, 1}},
    {7, 3.925724783138660, 51.994974307382165, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
};

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* (exp(x) - exp(y)) / (x - y), with its limit where they are equal. */
static double complex divided(double complex x, double complex y)
{
    const double complex half = (x - y) / 2, middle = (x + y) / 2;
    if (half == 0) return cexp(middle);
    if (cabs(half) < 1) return cexp(middle) * (csinh(half) / half);
    return (cexp(x) - cexp(y)) / (x - y);
}

/* Of a 2 x 2 matrix, whatever order its elements are in. */
static void exp_of_two(double complex *a)
{
    const double complex middle = (a[0] + a[3]) / 2, half = (a[0] - a[3]) / 2, product = a[1] * a[2];
    const double complex root = product == 0 ? half : csqrt(half * half + product);
    const double complex slope = divided(middle + root, middle - root);
    const double complex mean = (cexp(middle + root) + cexp(middle - root)) / 2;
    a[0] = product == 0 ? cexp(a[0]) : mean + slope * half;
    a[3] = product == 0 ? cexp(a[3]) : mean - slope * half;
    a[1] *= slope;
    a[2] *= slope;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

enum { MATRICES = 6 };

/* What a matrix has outside its diagonal. */
typedef enum shape { DIAGONAL, UPPER, LOWER, FULL } shape;

/* Halvings after which powers up to the sixth are in range. */
static int halvings_for(double norm, bool is_narrow)
{
    const int most = is_narrow ? 16 : 160;
    return norm > 0 ? (int)tb__max(ilogb(norm) - most, 0) : 0;
}

static int halvings_below(double norm, double bound) { return norm <= bound ? 0 : (int)ceil(log2(norm / bound)); }

#define T       double
#define SIZE(x) fabs(x)
#define PART(z) creal(z)
#define NAME(f) f##_f64
#include "expm_of_type.h"
#undef T
#undef NAME
#define T       float
#define NAME(f) f##_f32
#include "expm_of_type.h"
#undef T
#undef SIZE
#undef PART
#undef NAME
/* No norm, but between it and its square root of 2. */
#define SIZE(x) (fabs(creal(x)) + fabs(cimag(x)))
#define PART(z) (z)
#define T       float complex
#define NAME(f) f##_c64
#include "expm_of_type.h"
#undef T
#undef NAME
#define T       double complex
#define NAME(f) f##_c128
#include "expm_of_type.h"
#undef T
#undef SIZE
#undef PART
#undef NAME

/* Matrices, two vectors for norms, and two diagonals. */
bool tb__measure_expm(const tb_lapack_item *x, tb_lapack_space *need)
{
    const size_t n = (size_t)x->n;
    need->real_bytes = 3 * n * sizeof(double complex) + MATRICES * n * n * x->item;
    need->ninteger = x->n;
    return true;
}

int tb__call_expm(const tb_lapack_item *x, tb_lapack_space *space)
{
    if (x->is_complex) return x->is_narrow ? expm_c64(x, space) : expm_c128(x, space);
    return x->is_narrow ? expm_f32(x, space) : expm_f64(x, space);
}
