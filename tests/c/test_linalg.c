/* test_linalg.c - stacks of matrices solved and decomposed through the C API, by a LAPACK of plain loops: what the
 * results multiply to, for every dtype; bad input; what fails; that nothing is lost. */
#include <stdlib.h>

#include "lapack_loops.h"

enum { STACK = 3, MOST = 4096 };

static const tb_dtype dtypes[] = {TB_F32, TB_F64, TB_C64, TB_C128};

/* ---- matrices on the host ---------------------------------------------------------------------------------------- */

/* A stack as complex numbers, whatever the array's dtype. */
typedef struct matrices {
    int64_t batch, rows, cols;
    double complex x[MOST];
} matrices;

static double tolerance(tb_dtype t) { return t == TB_F32 || t == TB_C64 ? 2e-4 : 1e-11; }

/* Steals a, of which the last `core` axes are the matrix. */
static void fetch(tb_array *a, int core, matrices *out)
{
    tb_array *wide = NULL;
    const int ndim = a ? tb_array_ndim(a) : 0;
    if (!a || ndim < core) {
        CHECK(!"an array");
        return;
    }
    const int64_t *shape = tb_array_shape(a);
    out->cols = core > 1 ? shape[ndim - 1] : 1;
    out->rows = shape[ndim - core];
    const int64_t size = tb_array_size(a);
    out->batch = out->rows * out->cols > 0 ? size / (out->rows * out->cols) : 0;
    CHECK(size <= MOST);
    if (CHECK_OK(tb_astype(a, TB_C128, 'C', TB_CAST_SAME_KIND, true, &wide)))
        CHECK_OK(tb_array_get(wide, out->x, NULL, NULL, true));
    tb_array_release(wide);
    tb_array_release(a);
}

static double complex *entry(matrices *a, int64_t batch, int64_t i, int64_t j)
{
    return &a->x[((a->batch == 1 ? 0 : batch) * a->rows + i) * a->cols + j];
}

/* c is a times b. */
static bool multiplies(matrices *a, matrices *b, matrices *c, double tol)
{
    if (a->cols != b->rows || c->rows != a->rows || c->cols != b->cols) return false;
    for (int64_t s = 0; s < c->batch; s++)
        for (int64_t i = 0; i < c->rows; i++)
            for (int64_t j = 0; j < c->cols; j++) {
                double complex sum = 0;
                for (int64_t l = 0; l < a->cols; l++) sum += *entry(a, s, i, l) * *entry(b, s, l, j);
                if (!(cabs(sum - *entry(c, s, i, j)) <= tol * (1 + cabs(sum)))) return false;
            }
    return true;
}

static void adjoin(const matrices *a, matrices *out)
{
    *out = (matrices){.batch = a->batch, .rows = a->cols, .cols = a->rows};
    for (int64_t s = 0; s < a->batch; s++)
        for (int64_t i = 0; i < a->rows; i++)
            for (int64_t j = 0; j < a->cols; j++) *entry(out, s, j, i) = conj(a->x[(s * a->rows + i) * a->cols + j]);
}

static void scale_columns(matrices *a, matrices *by)
{
    for (int64_t s = 0; s < a->batch; s++)
        for (int64_t i = 0; i < a->rows; i++)
            for (int64_t j = 0; j < a->cols; j++) *entry(a, s, i, j) *= by->x[s * by->rows + j];
}

/* Numbers that are far from singular; Hermitian and positive definite if asked for. */
static tb_array *make(tb_dtype t, int64_t batch, int64_t rows, int64_t cols, bool hermitian, matrices *kept)
{
    tb_array *wide = NULL, *out = NULL;
    const int64_t shape[] = {batch, rows, cols};
    *kept = (matrices){.batch = batch, .rows = rows, .cols = cols};
    const bool whole = tb_dtype_kind(t) == TB_KIND_COMPLEX;
    for (int64_t s = 0; s < batch; s++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++) {
                const int64_t low = hermitian && j > i ? j : i, high = hermitian && j > i ? i : j;
                const double re = (double)((s * 5 + low * 7 + high * 3) % 11) / 4 - 1;
                const double im = whole && low != high ? (double)((s + low * 3 + high * 5) % 7) / 4 - 1 : 0;
                const double complex turned = hermitian && j > i ? re - im * I : re + im * I;
                *entry(kept, s, i, j) = turned + (i == j ? 6.0 * (double)cols : 0);
            }
    if (CHECK_OK(tb_empty(TB_C128, 3, shape, 'C', &wide)) && CHECK_OK(tb_array_set(wide, kept->x, NULL, NULL, true)))
        CHECK_OK(tb_astype(wide, t, 'C', TB_CAST_UNSAFE, true, &out));
    tb_array_release(wide);
    return out;
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

static matrices A, B, X, Y, Z;

static void test_equations(tb_dtype t, int64_t n, int64_t k)
{
    const double tol = tolerance(t);
    tb_array *a = make(t, STACK, n, n, false, &A), *b = make(t, STACK, n, k, false, &B), *out = NULL, *pivots = NULL;
    if (CHECK_OK(tb_solve_linear(a, b, &out))) fetch(out, 2, &X);
    CHECK(multiplies(&A, &X, &B, tol));
    if (CHECK_OK(tb_inverse(a, &out))) fetch(out, 2, &Y);
    CHECK(multiplies(&Y, &B, &X, tol));
    for (const char *trans = "NTC"; *trans; trans++) {
        tb_array *lu = NULL;
        out = NULL;
        if (CHECK_OK(tb_lu_factor(a, &lu, &pivots)) && CHECK_OK(tb_lu_solve(lu, pivots, b, *trans, &out)))
            fetch(out, 2, &X);
        adjoin(&A, &Y);
        if (*trans == 'T')
            for (int64_t i = 0; i < STACK * n * n; i++) Y.x[i] = conj(Y.x[i]);
        CHECK(multiplies(*trans == 'N' ? &A : &Y, &X, &B, tol));
        tb_array_release(lu);
        tb_array_release(pivots);
    }
    tb_array_release(a);
    tb_array_release(b);
}

static void test_definite(tb_dtype t, int64_t n, int64_t k)
{
    const double tol = tolerance(t);
    tb_array *a = make(t, STACK, n, n, true, &A), *b = make(t, STACK, n, k, false, &B);
    for (int upper = 0; upper < 2; upper++) {
        tb_array *factor = NULL, *out = NULL;
        if (!CHECK_OK(tb_cholesky(a, upper, &factor))) continue;
        if (CHECK_OK(tb_cholesky_solve(factor, !upper, b, &out))) fetch(out, 2, &X);
        CHECK(multiplies(&A, &X, &B, tol));
        fetch(tb_array_retain(factor), 2, &Y);
        adjoin(&Y, &Z);
        CHECK(upper ? multiplies(&Z, &Y, &A, tol) : multiplies(&Y, &Z, &A, tol));
        for (const char *trans = "NTC"; *trans; trans++) {
            if (CHECK_OK(tb_solve_triangular(factor, b, !upper, *trans, false, &out))) fetch(out, 2, &X);
            adjoin(&Y, &Z);
            if (*trans == 'T')
                for (int64_t i = 0; i < STACK * n * n; i++) Z.x[i] = conj(Z.x[i]);
            CHECK(multiplies(*trans == 'N' ? &Y : &Z, &X, &B, tol));
        }
        tb_array_release(factor);
    }
    tb_array_release(a);
    tb_array_release(b);
}

/* ---- decompositions ---------------------------------------------------------------------------------------------- */

static bool orthonormal(matrices *q, double tol)
{
    static matrices adjoint, unit;
    adjoin(q, &adjoint);
    unit = (matrices){.batch = q->batch, .rows = q->cols, .cols = q->cols};
    for (int64_t s = 0; s < q->batch; s++)
        for (int64_t i = 0; i < q->cols; i++) *entry(&unit, s, i, i) = 1;
    return multiplies(&adjoint, q, &unit, tol);
}

static void test_qr(tb_dtype t, int64_t m, int64_t n)
{
    const double tol = tolerance(t);
    tb_array *a = make(t, STACK, m, n, false, &A);
    for (int mode = TB_QR_REDUCED; mode <= TB_QR_RAW; mode++) {
        tb_array *q = NULL, *r = NULL;
        if (!CHECK_OK(tb_qr(a, (tb_qr_mode)mode, mode == TB_QR_R ? NULL : &q, &r))) continue;
        fetch(r, mode == TB_QR_RAW ? 1 : 2, &Y);
        if (mode <= TB_QR_COMPLETE) {
            fetch(q, 2, &X);
            CHECK(multiplies(&X, &Y, &A, tol) && orthonormal(&X, tol));
        } else if (mode == TB_QR_R) CHECK(Y.rows == (m < n ? m : n) && Y.cols == n);
        else {
            fetch(q, 2, &X);
            CHECK(X.rows == n && X.cols == m && Y.rows == (m < n ? m : n));
        }
    }
    tb_array_release(a);
}

static void test_pivots(tb_dtype t, int64_t m, int64_t n)
{
    tb_array *a = make(t, STACK, m, n, false, &A), *q = NULL, *r = NULL, *pivots = NULL;
    int32_t order[STACK * MOST];
    if (CHECK_OK(tb_qr_pivoted(a, TB_QR_REDUCED, &q, &r, &pivots))) {
        CHECK(tb_array_dtype(pivots) == TB_I32 && CHECK_OK(tb_array_get(pivots, order, NULL, NULL, true)));
        tb_array_release(pivots);
        fetch(q, 2, &X);
        fetch(r, 2, &Y);
        Z = (matrices){.batch = STACK, .rows = m, .cols = n};
        for (int64_t s = 0; s < STACK; s++)
            for (int64_t i = 0; i < m * n; i++)
                *entry(&Z, s, i / n, i % n) = *entry(&A, s, i / n, order[s * n + i % n]);
        CHECK(multiplies(&X, &Y, &Z, tolerance(t)) && orthonormal(&X, tolerance(t)));
        for (int64_t i = 1; i < Y.rows; i++)
            CHECK(cabs(*entry(&Y, 1, i, i)) <= cabs(*entry(&Y, 1, i - 1, i - 1)) * (1 + tolerance(t)));
    }
    tb_array_release(a);
}

/* exp(a) exp(-a) = 1, and det(exp(a)) = exp(trace(a)). */
static void test_functions(tb_dtype t, int64_t n)
{
    const double tol = 100 * tolerance(t);
    tb_array *a = make(t, STACK, n, n, false, &A), *small = NULL, *back = NULL, *e = NULL, *f = NULL, *det = NULL;
    const tb_operand in[] = {tb_operand_array(a), tb_operand_scalar(tb_scalar_float(1.0 / (double)(8 * n)))};
    if (CHECK_OK(tb_ufunc_call(tb_ufunc_find("multiply"), in, &small, NULL))) {
        const tb_operand it[] = {tb_operand_array(small)};
        CHECK_OK(tb_ufunc_call(tb_ufunc_find("negative"), it, &back, NULL));
        if (CHECK_OK(tb_expm(small, &e)) && CHECK_OK(tb_expm(back, &f))) {
            fetch(tb_array_retain(e), 2, &X);
            fetch(f, 2, &Y);
            Z = (matrices){.batch = STACK, .rows = n, .cols = n};
            for (int64_t i = 0; i < STACK * n; i++) *entry(&Z, i / n, i % n, i % n) = 1;
            CHECK(multiplies(&X, &Y, &Z, tol));
        }
        if (e && CHECK_OK(tb_det(e, &det))) fetch(det, 1, &Y);
        fetch(small, 2, &X);
        for (int64_t s = 0; s < STACK; s++) {
            double complex trace = 0;
            for (int64_t i = 0; i < n; i++) trace += *entry(&X, s, i, i);
            CHECK(cabs(Y.x[s] - cexp(trace)) <= tol * cabs(cexp(trace)));
        }
    }
    tb_array_release(back);
    tb_array_release(e);
    tb_array_release(a);
}

static void test_bandwidth(void)
{
    const int64_t shape[] = {5, 7};
    int64_t below = -1, above = -1;
    tb_array *a = NULL, *v = NULL;
    if (CHECK_OK(tb_eye(TB_C64, 5, 7, 2, 'C', &a))) {
        CHECK(CHECK_OK(tb_bandwidth(a, &below, &above)) && below == 0 && above == 2);
        CHECK(CHECK_OK(tb_transpose(a, NULL, &v)) && CHECK_OK(tb_bandwidth(v, &below, &above)));
        CHECK(below == 2 && above == 0);
    }
    tb_array_release(a);
    tb_array_release(v);
    if (!CHECK_OK(tb_full(TB_F16, 1, shape, 'C', tb_scalar_int(1), &a))) return;
    CHECK_FAILS(tb_bandwidth(a, &below, &above), TB_ERR_VALUE, "1 dimensions");
    tb_array_release(a);
}

static void test_values(tb_dtype t, int64_t n)
{
    const double tol = tolerance(t);
    tb_array *a = make(t, STACK, n, n, true, &A), *u = NULL, *s = NULL, *vh = NULL;
    for (int full = 0; full < 2; full++) {
        if (!CHECK_OK(tb_svd(a, full, &u, &s, &vh))) continue;
        fetch(u, 2, &X);
        fetch(s, 1, &Y);
        fetch(vh, 2, &Z);
        CHECK(orthonormal(&X, tol));
        scale_columns(&X, &Y);
        CHECK(multiplies(&X, &Z, &A, tol));
    }
    if (CHECK_OK(tb_singular_values(a, &s))) fetch(s, 1, &Z);
    for (int64_t i = 0; i < STACK * n; i++) CHECK(cabs(Y.x[i] - Z.x[i]) <= tol * cabs(Z.x[i]));
    for (int lower = 0; lower < 2; lower++) {
        if (!CHECK_OK(tb_eigh(a, lower, &s, &u))) continue;
        fetch(u, 2, &X);
        fetch(s, 1, &Y);
        Z = X;
        scale_columns(&Z, &Y);
        CHECK(multiplies(&A, &X, &Z, tol) && orthonormal(&X, tol));
        if (CHECK_OK(tb_eigvalsh(a, lower, &s))) fetch(s, 1, &Z);
        for (int64_t i = 0; i < STACK * n; i++) CHECK(cabs(Y.x[i] - Z.x[i]) <= tol * cabs(Z.x[i]));
    }
    tb_array_release(a);
}

static bool all_nan(tb_array *a)
{
    static matrices m;
    bool nan = true;
    fetch(a, 1, &m);
    for (int64_t i = 0; i < m.batch * m.rows; i++) nan = nan && isnan(creal(m.x[i]));
    return nan;
}

/* Of what did not converge nothing is left; who asks for errors is told. */
static void test_failures(tb_dtype t)
{
    tb_array *a = make(t, STACK, 3, 3, false, &A), *w = NULL, *v = NULL, *zeros = NULL;
    CHECK(CHECK_OK(tb_eig(a, &w, &v)) && all_nan(w) && all_nan(v));
    CHECK(CHECK_OK(tb_eigvals(a, &w)) && all_nan(w));
    CHECK_OK(tb_full(t, 2, (int64_t[]){3, 3}, 'C', tb_scalar_int(0), &zeros));
    CHECK_OK(tb_inverse(zeros, &w));
    tb_array_release(w);
    CHECK(!tb_linalg_errors_set(true) && tb_linalg_errors_get());
    CHECK_FAILS(tb_eig(a, &w, &v), TB_ERR_LINALG, "eig: the eigenvalues did not converge");
    CHECK_FAILS(tb_inverse(zeros, &w), TB_ERR_LINALG, "singular matrix");
    CHECK_FAILS(tb_solve_linear(zeros, zeros, &w), TB_ERR_LINALG, "singular matrix");
    CHECK_FAILS(tb_cholesky(zeros, true, &w), TB_ERR_LINALG, "cholesky: the matrix is not positive definite");
    CHECK(tb_linalg_errors_set(false));
    tb_array_release(zeros);
    tb_array_release(a);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tb_array *ones(int ndim, const int64_t *shape)
{
    tb_array *a = NULL;
    CHECK_OK(tb_full(TB_F64, ndim, shape, 'C', tb_scalar_int(1), &a));
    return a;
}

static void test_arguments(void)
{
    tb_array *wide = ones(2, (int64_t[]){2, 3}), *line = ones(1, (int64_t[]){3}), *square = ones(2, (int64_t[]){3, 3});
    tb_array *out = NULL, *other = NULL, *short_one = ones(1, (int64_t[]){2});
    CHECK_FAILS(tb_inverse(wide, &out), TB_ERR_LINALG, "inv: the last two dimensions must be square");
    CHECK_FAILS(tb_cholesky(line, false, &out), TB_ERR_LINALG, "cholesky: 1-dimensional array given");
    CHECK_FAILS(tb_eigh(wide, true, &out, &other), TB_ERR_LINALG, "eigh");
    CHECK_FAILS(tb_solve_linear(square, short_one, &out), TB_ERR_VALUE, "solve: b has 2 rows where a has 3");
    CHECK_FAILS(tb_solve_triangular(square, line, true, 'X', false, &out), TB_ERR_VALUE, "trans must be");
    CHECK_FAILS(tb_lu_solve(square, short_one, line, 'N', &out), TB_ERR_VALUE, "there must be 3 pivots");
    CHECK(out == NULL && other == NULL);
    tb_array_release(wide);
    tb_array_release(line);
    tb_array_release(square);
    tb_array_release(short_one);
}

/* Without elements, and stacks of none. */
static void test_nothing(void)
{
    const int64_t shapes[][3] = {{0, 2, 2}, {2, 0, 0}, {2, 0, 3}, {2, 3, 0}};
    for (int i = 0; i < 4; i++) {
        const int64_t m = shapes[i][1], n = shapes[i][2];
        tb_array *a = ones(3, shapes[i]), *out = NULL, *u = NULL, *vh = NULL;
        if (CHECK_OK(tb_svd(a, true, &u, &out, &vh)))
            CHECK(tb_array_shape(u)[1] == m && tb_array_shape(vh)[2] == n && tb_array_size(out) == 0);
        tb_array_release(u);
        tb_array_release(out);
        tb_array_release(vh);
        if (CHECK_OK(tb_qr(a, TB_QR_COMPLETE, &u, &out)))
            CHECK(tb_array_shape(u)[1] == m && tb_array_shape(u)[2] == m && tb_array_shape(out)[2] == n);
        tb_array_release(u);
        tb_array_release(out);
        if (m == n && CHECK_OK(tb_inverse(a, &out))) {
            CHECK(tb_array_size(out) == 0);
            tb_array_release(out);
        }
        tb_array_release(a);
    }
}

/* ---- how exactly ------------------------------------------------------------------------------------------------- */

static tb_compute chosen(tb_dtype t)
{
    tb_compute how = TB_COMPUTE_UNSET;
    CHECK_OK(tb_compute_get(t, &how));
    return how;
}

static void test_compute_types(void)
{
    tb_compute how;
    CHECK(chosen(TB_F32) == TB_COMPUTE_DEFAULT && chosen(TB_F16) == TB_COMPUTE_DEFAULT);
    CHECK_OK(tb_compute_set(TB_C64, TB_COMPUTE_TF32));
    CHECK(chosen(TB_F32) == TB_COMPUTE_TF32 && chosen(TB_C64) == TB_COMPUTE_TF32);
    CHECK(chosen(TB_F64) == TB_COMPUTE_DEFAULT && chosen(TB_C128) == TB_COMPUTE_DEFAULT);
    CHECK_OK(tb_compute_set(TB_F32, TB_COMPUTE_UNSET));
    CHECK(chosen(TB_C64) == TB_COMPUTE_DEFAULT);
    CHECK_FAILS(tb_compute_set(TB_I32, TB_COMPUTE_TF32), TB_ERR_TYPE, "int32");
    CHECK_FAILS(tb_compute_get(TB_BOOL, &how), TB_ERR_TYPE, "bool");
    CHECK_FAILS(tb_compute_set(TB_F32, (tb_compute)8), TB_ERR_VALUE, "how");
}

int main(void)
{
    static const int64_t sizes[] = {1, 2, 5, 9};
    CHECK_OK(tb_init());
    CHECK(tb_needs_lapack());
    tb_provide_lapack(lapack_loops, "zheevd");
    tb_provide_lapack(NULL, NULL);
    CHECK(tb_needs_lapack());
    tb_provide_lapack(lapack_loops, NULL);
    CHECK(!tb_needs_lapack());
    for (int i = 0; i < 16; i++) {
        const tb_dtype t = dtypes[i % 4];
        const int64_t n = sizes[i / 4];
        for (int64_t k = 1; k < 4; k += 2) test_equations(t, n, k);
        test_definite(t, n, 2);
        test_values(t, n);
        test_functions(t, n);
        for (int j = 0; j < 4; j++) test_qr(t, n, sizes[j]);
        for (int j = 0; j < 4; j++) test_pivots(t, n, sizes[j]);
    }
    for (int i = 0; i < 4; i++) test_failures(dtypes[i]);
    test_arguments();
    test_compute_types();
    test_nothing();
    test_bandwidth();
    return check_report();
}
