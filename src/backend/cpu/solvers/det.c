/* det.c - determinants: the product of the diagonal of LU factors, in float64 whatever the matrix has. Its exponent is
 * kept apart, so that nothing on the way is out of range where the product is not. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "backend/cpu/solvers/composed.h"

typedef struct product {
    double complex mantissa;
    int64_t exponent;
} product;

static double size_of(double complex z) { return fmax(fabs(creal(z)), fabs(cimag(z))); }

/* As C's CMPLX, which not every compiler has: products with I make infinities NaN. */
static double complex of_parts(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

static double complex scaled(double complex z, int n) { return of_parts(ldexp(creal(z), n), ldexp(cimag(z), n)); }

/* z with a size about 1, whose exponent goes to p, if it is a number and not such already. */
static double complex normal(product *p, double complex z)
{
    const double size = size_of(z);
    if ((size > 0x1p-250 && size < 0x1p250) || size == 0 || !isfinite(size)) return z;
    const int n = ilogb(size);
    p->exponent += n;
    return scaled(z, -n);
}

/* Numbers with no imaginary parts are multiplied as real ones: infinities do not become NaN then. */
static void multiply(product *p, double complex z, bool real)
{
    z = normal(p, z);
    p->mantissa = real ? of_parts(creal(p->mantissa) * creal(z), 0) : p->mantissa * z;
    p->mantissa = normal(p, p->mantissa);
}

static double complex value(const product *p)
{
    enum { BEYOND = 4096 };
    const int64_t n = p->exponent > BEYOND ? BEYOND : p->exponent < -BEYOND ? -BEYOND : p->exponent;
    return n ? scaled(p->mantissa, (int)n) : p->mantissa;
}

static double complex element(const tb_lapack_item *x, int i)
{
    const size_t at = (size_t)i * ((size_t)x->n + 1);
    if (x->is_complex) return x->is_narrow ? ((float complex *)x->a)[at] : ((double complex *)x->a)[at];
    return x->is_narrow ? (double)((float *)x->a)[at] : ((double *)x->a)[at];
}

bool tb__measure_det(const tb_lapack_item *x, tb_lapack_space *need)
{
    need->ninteger = x->n;
    return true;
}

int tb__call_det(const tb_lapack_item *x, tb_lapack_space *space)
{
    product p = {1, 0};
    if (tb__lapack_getrf(x, x->a, space->integer) < 0) return -1;
    bool negative = false; /* LAPACK counts from 1 */
    for (int i = 0; i < x->n; i++) {
        multiply(&p, element(x, i), !x->is_complex);
        negative ^= space->integer[i] != i + 1;
    }
    const double complex det = negative ? -value(&p) : value(&p);
    if (x->is_complex) *(double complex *)x->v = det;
    else *(double *)x->v = creal(det);
    return 0;
}
