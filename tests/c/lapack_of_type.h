/* lapack_of_type.h - LAPACK's routines for one dtype, included by lapack_loops.h once for each: T the elements, R their
 * parts, CONJ(x), NAME(routine). */

static T NAME(element)(char trans, const T *a, int ld, int i, int j)
{
    const T x = trans == 'N' ? a[i + (size_t)j * (size_t)ld] : a[j + (size_t)i * (size_t)ld];
    return trans == 'C' ? CONJ(x) : x;
}

static void NAME(swap)(T *x, T *y)
{
    const T kept = *x;
    *x = *y;
    *y = kept;
}

static R NAME(length)(int n, const T *x)
{
    R sum = 0;
    for (int i = 0; i < n; i++) sum += (R)creal(x[i] * CONJ(x[i]));
    return (R)sqrt((double)sum);
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

/* b becomes the solution; lower is of the triangle as it is read, transposed or not. */
static void NAME(substitute)(bool lower, char trans, char diag, int n, int k, const T *a, int lda, T *b, int ldb)
{
    for (int col = 0; col < k; col++) {
        T *x = b + (size_t)col * (size_t)ldb;
        for (int step = 0; step < n; step++) {
            const int i = lower ? step : n - 1 - step;
            for (int j = lower ? 0 : i + 1; j < (lower ? i : n); j++) x[i] -= NAME(element)(trans, a, lda, i, j) * x[j];
            if (diag == 'N') x[i] /= NAME(element)(trans, a, lda, i, i);
        }
    }
}

static void NAME(trtrs)(const char *uplo, const char *trans, const char *diag, const int *n, const int *k, const T *a,
                        const int *lda, T *b, const int *ldb, int *info)
{
    CHECK((*uplo == 'L' || *uplo == 'U') && (*trans == 'N' || *trans == 'T' || *trans == 'C'));
    CHECK(*n > 0 && *k > 0 && *lda >= *n && *ldb >= *n && (*diag == 'N' || *diag == 'U'));
    *info = 0;
    for (int i = 0; *diag == 'N' && i < *n; i++)
        if (a[i + (size_t)i * (size_t)*lda] == 0) {
            *info = i + 1;
            return;
        }
    NAME(substitute)((*uplo == 'L') == (*trans == 'N'), *trans, *diag, *n, *k, a, *lda, b, *ldb);
}

static void NAME(potrf)(const char *uplo, const int *n, T *a, const int *lda, int *info)
{
    const bool lower = *uplo == 'L';
    const size_t ld = (size_t)*lda;
    CHECK((lower || *uplo == 'U') && *n > 0 && *lda >= *n);
    *info = 0;
    for (int j = 0; j < *n; j++)
        for (int i = j; i < *n; i++) {
            T *at = lower ? &a[i + j * ld] : &a[j + i * ld], sum = lower ? *at : CONJ(*at);
            for (int l = 0; l < j; l++)
                sum -= lower ? a[i + l * ld] * CONJ(a[j + l * ld]) : CONJ(a[l + i * ld]) * a[l + j * ld];
            if (i == j && !(creal(sum) > 0)) {
                *info = j + 1;
                return;
            }
            if (i == j) *at = (R)sqrt(creal(sum));
            else *at = lower ? sum / a[j + j * ld] : CONJ(sum / a[j + j * ld]);
        }
}

static void NAME(potrs)(const char *uplo, const int *n, const int *k, const T *a, const int *lda, T *b, const int *ldb,
                        int *info)
{
    const bool lower = *uplo == 'L';
    CHECK((lower || *uplo == 'U') && *n > 0 && *k > 0 && *lda >= *n && *ldb >= *n);
    *info = 0;
    NAME(substitute)(true, lower ? 'N' : 'C', 'N', *n, *k, a, *lda, b, *ldb);
    NAME(substitute)(false, lower ? 'C' : 'N', 'N', *n, *k, a, *lda, b, *ldb);
}

/* ---- LU ---------------------------------------------------------------------------------------------------------- */

static void NAME(getrf)(const int *m, const int *n, T *a, const int *lda, int *pivots, int *info)
{
    const size_t ld = (size_t)*lda;
    CHECK(*m > 0 && *n > 0 && *lda >= *m);
    *info = 0;
    for (int j = 0; j < *m && j < *n; j++) {
        int best = j;
        for (int i = j + 1; i < *m; i++)
            if (NAME(length)(1, &a[i + j * ld]) > NAME(length)(1, &a[best + j * ld])) best = i;
        pivots[j] = best + 1;
        for (int l = 0; l < *n; l++) NAME(swap)(&a[j + l * ld], &a[best + l * ld]);
        if (a[j + j * ld] == 0) {
            if (!*info) *info = j + 1;
            continue;
        }
        for (int i = j + 1; i < *m; i++) {
            a[i + j * ld] /= a[j + j * ld];
            for (int l = j + 1; l < *n; l++) a[i + l * ld] -= a[i + j * ld] * a[j + l * ld];
        }
    }
}

static void NAME(getrs)(const char *trans, const int *n, const int *k, const T *a, const int *lda, const int *pivots,
                        T *b, const int *ldb, int *info)
{
    const bool plain = *trans == 'N';
    CHECK((plain || *trans == 'T' || *trans == 'C') && *n > 0 && *k > 0 && *lda >= *n && *ldb >= *n);
    *info = 0;
    if (!plain) NAME(substitute)(true, *trans, 'N', *n, *k, a, *lda, b, *ldb);
    if (!plain) NAME(substitute)(false, *trans, 'U', *n, *k, a, *lda, b, *ldb);
    for (int step = 0; step < *n; step++) {
        const int i = plain ? step : *n - 1 - step;
        CHECK(pivots[i] >= 1 && pivots[i] <= *n);
        for (int l = 0; l < *k; l++)
            NAME(swap)(&b[i + (size_t)l * (size_t)*ldb], &b[pivots[i] - 1 + (size_t)l * (size_t)*ldb]);
    }
    if (plain) NAME(substitute)(true, 'N', 'U', *n, *k, a, *lda, b, *ldb);
    if (plain) NAME(substitute)(false, 'N', 'N', *n, *k, a, *lda, b, *ldb);
}

/* True where the work space is only asked for. */
static bool NAME(ask)(int wanted, T *work, const int *nwork, int *info)
{
    *info = 0;
    if (*nwork == -1) *work = (R)wanted;
    else CHECK(*nwork >= wanted);
    return *nwork == -1;
}

static void NAME(getri)(const int *n, T *a, const int *lda, const int *pivots, T *work, const int *nwork, int *info)
{
    if (NAME(ask)(*n * *n, work, nwork, info)) return;
    CHECK(*lda == *n);
    for (int i = 0; i < *n * *n; i++) work[i] = i % (*n + 1) == 0;
    NAME(getrs)("N", n, n, a, lda, pivots, work, n, info);
    memcpy(a, work, (size_t)(*n * *n) * sizeof *a);
}

/* ---- QR ---------------------------------------------------------------------------------------------------------- */

/* c (m x n) becomes (1 - tau v v^H) c; v's first element is one, the others follow. */
static void NAME(reflect)(int m, int n, const T *v, T tau, T *c, size_t ldc)
{
    for (int j = 0; j < n; j++, c += ldc) {
        T sum = c[0];
        for (int i = 1; i < m; i++) sum += CONJ(v[i]) * c[i];
        c[0] -= tau * sum;
        for (int i = 1; i < m; i++) c[i] -= tau * v[i] * sum;
    }
}

static void NAME(geqrf)(const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *nwork, int *info)
{
    const size_t ld = (size_t)*lda;
    if (NAME(ask)(*n, work, nwork, info)) return;
    CHECK(*m > 0 && *n > 0 && *lda >= *m);
    for (int j = 0; j < *m && j < *n; j++) {
        T *v = a + j + j * ld;
        const R size = NAME(length)(*m - j, v);
        const T alpha = *v, beta = creal(alpha) > 0 ? -size : size;
        tau[j] = 0;
        if (NAME(length)(*m - j - 1, v + 1) == 0 && alpha == CONJ(alpha)) continue;
        tau[j] = (beta - alpha) / beta;
        for (int i = 1; i < *m - j; i++) v[i] /= alpha - beta;
        *v = beta;
        NAME(reflect)(*m - j, *n - j - 1, v, CONJ(tau[j]), v + ld, ld);
    }
}

/* The longest of the columns that are left comes next. */
static void NAME(longest_first)(int m, int n, int j, T *a, size_t ld, int *pivots)
{
    int best = j;
    for (int l = j + 1; l < n; l++)
        if (NAME(length)(m - j, a + j + (size_t)l * ld) > NAME(length)(m - j, a + j + (size_t)best * ld)) best = l;
    for (int i = 0; i < m; i++) NAME(swap)(a + i + (size_t)j * ld, a + i + (size_t)best * ld);
    const int kept = pivots[j];
    pivots[j] = pivots[best];
    pivots[best] = kept;
}

/* By decompositions of one column at a time. */
static void NAME(qr_of_longest)(const int *m, const int *n, T *a, const int *lda, int *pivots, T *tau, T *work,
                                const int *nwork, int *info)
{
    const int one = 1;
    const size_t ld = (size_t)*lda;
    if (NAME(ask)(*n, work, nwork, info)) return;
    for (int j = 0; j < *n; j++) {
        CHECK(pivots[j] == 0);
        pivots[j] = j + 1;
    }
    for (int j = 0; j < *m && j < *n; j++) {
        const int rows = *m - j;
        T *v = a + j + (size_t)j * ld;
        NAME(longest_first)(*m, *n, j, a, ld, pivots);
        NAME(geqrf)(&rows, &one, v, lda, tau + j, work, nwork, info);
        NAME(reflect)(rows, *n - j - 1, v, CONJ(tau[j]), v + ld, ld);
    }
}

static void NAME(orgqr)(const int *m, const int *n, const int *k, T *a, const int *lda, const T *tau, T *work,
                        const int *nwork, int *info)
{
    const size_t ld = (size_t)*lda;
    if (NAME(ask)(*m * *n, work, nwork, info)) return;
    CHECK(*m >= *n && *n >= *k && *k > 0 && *lda >= *m);
    for (int i = 0; i < *m * *n; i++) work[i] = i % (*m + 1) == 0;
    for (int j = *k - 1; j >= 0; j--)
        NAME(reflect)(*m - j, *n - j, a + j + j * ld, tau[j], work + j + (size_t)j * (size_t)*m, (size_t)*m);
    for (int j = 0; j < *n; j++) memcpy(a + j * ld, work + (size_t)j * (size_t)*m, (size_t)*m * sizeof *a);
}

static void NAME(ormqr)(const char *side, const char *trans, const int *m, const int *n, const int *k, const T *a,
                        const int *lda, const T *tau, T *c, const int *ldc, T *work, const int *nwork, int *info)
{
    if (NAME(ask)(*n, work, nwork, info)) return;
    CHECK(*side == 'L' && *m >= *k && *lda >= *m && *ldc >= *m);
    for (int step = 0; step < *k; step++) {
        const int j = *trans == 'N' ? *k - 1 - step : step;
        NAME(reflect)(*m - j, *n, a + j + (size_t)j * (size_t)*lda, *trans == 'N' ? tau[j] : CONJ(tau[j]), c + j,
                      (size_t)*ldc);
    }
}

/* ---- singular values and eigenvalues, by rotations --------------------------------------------------------------- */

/* Columns x and y of n elements become orthogonal to one another, with those of v rotated alike. The sine of the angle
 * between them before. */
static R NAME(rotate)(int n, T *x, T *y, int nv, T *v, T *w)
{
    T dot = 0;
    for (int i = 0; i < n; i++) dot += CONJ(x[i]) * y[i];
    const R p = NAME(length)(n, x), q = NAME(length)(n, y), size = NAME(length)(1, &dot);
    if (size == 0 || !(size > p * q * (R)1e-16)) return 0;
    const T phase = dot / size;
    const R zeta = (q * q - p * p) / (2 * size), root = (R)sqrt(1 + (double)(zeta * zeta));
    const R t = (zeta < 0 ? -1 : 1) / ((zeta < 0 ? -zeta : zeta) + root);
    const R c = 1 / (R)sqrt(1 + (double)(t * t)), s = c * t;
    for (int pass = 0; pass < 2; pass++) {
        T *a = pass ? v : x, *b = pass ? w : y;
        for (int i = 0; i < (pass ? nv : n); i++) {
            const T kept = a[i], turned = b[i] * CONJ(phase);
            a[i] = c * kept - s * turned;
            b[i] = s * kept + c * turned;
        }
    }
    return size / (p * q);
}

/* a (m x n, m >= n) becomes a v, with columns of the lengths s, descending; v (n x n) the rotations. */
static void NAME(jacobi)(int m, int n, T *a, R *s, T *v)
{
    const size_t rows = (size_t)m, cols = (size_t)n;
    R worst = 1;
    for (int i = 0; i < n * n; i++) v[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 60 && worst > (R)1e-15; sweep++) {
        worst = 0;
        for (size_t i = 0; i + 1 < cols; i++)
            for (size_t j = i + 1; j < cols; j++) {
                const R sine = NAME(rotate)(m, a + i * rows, a + j * rows, n, v + i * cols, v + j * cols);
                if (sine > worst) worst = sine;
            }
    }
    for (size_t i = 0; i < cols; i++) s[i] = NAME(length)(m, a + i * rows);
    for (size_t i = 0; i < cols; i++)
        for (size_t j = i + 1; j < cols; j++)
            if (s[j] > s[i]) {
                const R kept = s[i];
                s[i] = s[j];
                s[j] = kept;
                for (size_t l = 0; l < rows; l++) NAME(swap)(&a[l + i * rows], &a[l + j * rows]);
                for (size_t l = 0; l < cols; l++) NAME(swap)(&v[l + i * cols], &v[l + j * cols]);
            }
}

/* Of square matrices, and the values alone of tall ones: what else there is fails, as if it did not converge. */
static void NAME(svd)(const char *job, int m, int n, T *a, R *s, T *u, T *vt, int ldvt, T *work, const int *nwork,
                      int *info)
{
    if (NAME(ask)(n * n, work, nwork, info)) return;
    if (m < n || (m != n && *job != 'N')) {
        *info = 1;
        return;
    }
    NAME(jacobi)(m, n, a, s, work);
    for (int j = 0; *job != 'N' && j < n; j++)
        for (int i = 0; i < n; i++) {
            u[i + j * n] = a[i + j * n] / s[j];
            vt[j + i * ldvt] = CONJ(work[i + j * n]);
        }
}

/* Of Hermitian matrices with positive eigenvalues, which are their singular values. */
static void NAME(eigh)(const char *job, const char *uplo, int n, T *a, R *w, T *work, const int *nwork, int *info)
{
    if (NAME(ask)(n * n, work, nwork, info)) return;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (*uplo == 'L') a[i + j * n] = CONJ(a[j + i * n]);
            else a[j + i * n] = CONJ(a[i + j * n]);
    NAME(jacobi)(n, n, a, w, work);
    for (int j = 0; j < n / 2; j++) {
        const R kept = w[j];
        w[j] = w[n - 1 - j];
        w[n - 1 - j] = kept;
        for (int i = 0; i < n; i++) NAME(swap)(&work[i + j * n], &work[i + (n - 1 - j) * n]);
    }
    if (*job == 'V') memcpy(a, work, (size_t)(n * n) * sizeof *a);
}
