/* routines.c - calls of LAPACK, a function for each routine of solver.h. Lengths of strings come last in the Fortran
 * interface; who does not expect them does not look. */
#include <math.h>
#include <string.h>

#include "backend/cpu/solvers/composed.h"
#include "base/error.h"

#define CALL(type) ((type)x->function)
#define INT const int *
#define CHAR const char *

/* ---- factors and their solutions -------------------------------------------------------------------------------- */

static int potrf(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(CHAR uplo, INT n, void *a, INT lda, int *info, size_t);
    int info = 0;
    (void)space;
    CALL(function)(&x->uplo, &x->n, x->a, &x->n, &info, 1);
    return info;
}

static int potrs(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(CHAR uplo, INT n, INT nrhs, const void *a, INT lda, void *b, INT ldb, int *info, size_t);
    int info = 0;
    (void)space;
    CALL(function)(&x->uplo, &x->n, &x->k, x->a, &x->n, x->b, &x->n, &info, 1);
    return info;
}

typedef void (*getrf_function)(INT m, INT n, void *a, INT lda, int *pivots, int *info);
typedef void (*getrs_function)(CHAR trans, INT n, INT nrhs, const void *a, INT lda, INT pivots, void *b, INT ldb,
                               int *info, size_t);

static int getrf(const tb_lapack_item *x, tb_lapack_space *space)
{
    int info = 0;
    (void)space;
    CALL(getrf_function)(&x->m, &x->n, x->a, &x->m, x->pivots, &info);
    return info;
}

int tb__lapack_getrf(const tb_lapack_item *x, void *a, int *pivots)
{
    int info = 0;
    ((getrf_function)x->lapack->routine[TB_SOLVER_getrf])(&x->n, &x->n, a, &x->n, pivots, &info);
    return info;
}

static int getrs(const tb_lapack_item *x, tb_lapack_space *space)
{
    int info = 0;
    (void)space;
    CALL(getrs_function)(&x->trans, &x->n, &x->k, x->a, &x->n, x->pivots, x->b, &x->n, &info, 1);
    return info;
}

int tb__lapack_getrs(const tb_lapack_item *x, const void *a, const int *pivots, void *b)
{
    int info = 0;
    ((getrs_function)x->lapack->routine[TB_SOLVER_getrs])("N", &x->n, &x->n, a, &x->n, pivots, b, &x->n, &info, 1);
    return info;
}

static int getri(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(INT n, void *a, INT lda, INT pivots, void *work, INT lwork, int *info);
    int info = 0;
    CALL(function)(&x->n, x->a, &x->n, x->pivots, space->work, &space->nwork, &info);
    return info;
}

static int trtrs(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(CHAR uplo, CHAR trans, CHAR diag, INT n, INT nrhs, const void *a, INT lda, void *b,
                             INT ldb, int *info, size_t, size_t, size_t);
    int info = 0;
    (void)space;
    CALL(function)(&x->uplo, &x->trans, &x->diag, &x->n, &x->k, x->a, &x->n, x->b, &x->n, &info, 1, 1, 1);
    return info;
}

static int geqrf(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(INT m, INT n, void *a, INT lda, void *tau, void *work, INT lwork, int *info);
    int info = 0;
    CALL(function)(&x->m, &x->n, x->a, &x->m, x->v, space->work, &space->nwork, &info);
    return info;
}

/* Complex ones need real work space. */
static bool measure_geqp3(const tb_lapack_item *x, tb_lapack_space *need)
{
    if (x->is_complex) need->real_bytes = (size_t)x->n * x->item;
    return true;
}

static int geqp3(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*real)(INT m, INT n, void *a, INT lda, int *jpvt, void *tau, void *work, INT lwork, int *info);
    typedef void (*complex)(INT m, INT n, void *a, INT lda, int *jpvt, void *tau, void *work, INT lwork, void *rwork,
                            int *info);
    int info = 0;
    if (x->is_complex)
        CALL(complex)(&x->m, &x->n, x->a, &x->m, x->pivots, x->v, space->work, &space->nwork, space->real, &info);
    else CALL(real)(&x->m, &x->n, x->a, &x->m, x->pivots, x->v, space->work, &space->nwork, &info);
    return info;
}

static int orgqr(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(INT m, INT n, INT k, void *a, INT lda, const void *tau, void *work, INT lwork, int *info);
    int info = 0;
    CALL(function)(&x->m, &x->n, &x->k, x->a, &x->m, x->v, space->work, &space->nwork, &info);
    return info;
}

static int ormqr(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*function)(CHAR side, CHAR trans, INT m, INT n, INT k, const void *a, INT lda, const void *tau,
                             void *c, INT ldc, void *work, INT lwork, int *info, size_t, size_t);
    int info = 0;
    CALL(function)("L", &x->trans, &x->m, &x->n, &x->k, x->a, &x->m, x->v, x->b, &x->m, space->work, &space->nwork,
                   &info, 1, 1);
    return info;
}

/* ---- singular values -------------------------------------------------------------------------------------------- */

static int least(int a, int b) { return a < b ? a : b; }

/* By the documentation of gesdd, with the larger of its bounds for older versions. */
static bool measure_gesdd(const tb_lapack_item *x, tb_lapack_space *need)
{
    const double few = least(x->m, x->n), many = x->m > x->n ? x->m : x->n;
    const double vectors = fmax(5 * few * few + 5 * few, 2 * many * few + 2 * few * few + few);
    const double real = !x->is_complex ? 0 : x->job == 'N' ? 7 * few : vectors;
    need->real_bytes = (size_t)real * (x->item / 2);
    need->ninteger = (int)(8 * few);
    return 4 * few * few < INT32_MAX;
}

static int gesdd(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*real)(CHAR job, INT m, INT n, void *a, INT lda, void *s, void *u, INT ldu, void *vt, INT ldvt,
                         void *work, INT lwork, int *iwork, int *info, size_t);
    typedef void (*complex)(CHAR job, INT m, INT n, void *a, INT lda, void *s, void *u, INT ldu, void *vt, INT ldvt,
                            void *work, INT lwork, void *rwork, int *iwork, int *info, size_t);
    const int ldvt = x->job == 'A' ? x->n : least(x->m, x->n);
    int info = 0;
    if (x->is_complex)
        CALL(complex)(&x->job, &x->m, &x->n, x->a, &x->m, x->v, x->b, &x->m, x->c, &ldvt, space->work, &space->nwork,
                      space->real, space->integer, &info, 1);
    else
        CALL(real)(&x->job, &x->m, &x->n, x->a, &x->m, x->v, x->b, &x->m, x->c, &ldvt, space->work, &space->nwork,
                   space->integer, &info, 1);
    return info;
}

/* ---- eigenvalues ------------------------------------------------------------------------------------------------ */

static bool measure_syevd(const tb_lapack_item *x, tb_lapack_space *need)
{
    const double n = x->n, real = x->job == 'N' ? n : 1 + 5 * n + 2 * n * n;
    if (x->is_complex) need->real_bytes = (size_t)real * (x->item / 2);
    need->ninteger = x->job == 'N' ? 1 : 3 + 5 * x->n;
    return 1 + 6 * n + 2 * n * n < INT32_MAX;
}

static int syevd(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*real)(CHAR job, CHAR uplo, INT n, void *a, INT lda, void *w, void *work, INT lwork, int *iwork,
                         INT liwork, int *info, size_t, size_t);
    typedef void (*complex)(CHAR job, CHAR uplo, INT n, void *a, INT lda, void *w, void *work, INT lwork, void *rwork,
                            INT lrwork, int *iwork, INT liwork, int *info, size_t, size_t);
    const int nreal = (int)(space->real_bytes / (x->item / 2));
    int info = 0;
    if (x->is_complex)
        CALL(complex)(&x->job, &x->uplo, &x->n, x->a, &x->n, x->v, space->work, &space->nwork, space->real, &nreal,
                      space->integer, &space->ninteger, &info, 1, 1);
    else
        CALL(real)(&x->job, &x->uplo, &x->n, x->a, &x->n, x->v, space->work, &space->nwork, space->integer,
                   &space->ninteger, &info, 1, 1);
    return info;
}

/* Of real matrices LAPACK gives the parts of the values, and a pair of conjugate vectors as their real and their
 * imaginary part. */
#define GEEV_PARTS(NAME, T)                                                                            \
    static void NAME(int n, const T *re, const T *im, const T *packed, T *values, T *vectors)          \
    {                                                                                                  \
        for (int j = 0; j < n; j++) values[2 * j] = re[j], values[2 * j + 1] = im[j];                  \
        for (int j = 0; vectors && j < n; j++) {                                                       \
            const int pair = im[j] != 0 && j + 1 < n;                                                  \
            const T *r = packed + (size_t)j * (size_t)n, *i = r + n;                                   \
            T *to = vectors + 2 * (size_t)j * (size_t)n, *next = to + 2 * (size_t)n;                   \
            for (int k = 0; k < n; k++) {                                                              \
                to[2 * k] = r[k];                                                                      \
                to[2 * k + 1] = pair ? i[k] : 0;                                                       \
                if (pair) next[2 * k] = r[k], next[2 * k + 1] = -i[k];                                 \
            }                                                                                          \
            j += pair;                                                                                 \
        }                                                                                              \
    }
GEEV_PARTS(join_f32, float)
GEEV_PARTS(join_f64, double)

static bool measure_geev(const tb_lapack_item *x, tb_lapack_space *need)
{
    const size_t n = (size_t)x->n, real = x->is_complex ? x->item / 2 : x->item;
    need->real_bytes = real * (x->is_complex || x->job == 'N' ? 2 * n : 2 * n + n * n);
    return true;
}

/* The iteration of LAPACK's need not end where there are such. */
static bool is_finite(const tb_lapack_item *x)
{
    const size_t n = (size_t)x->n * (size_t)x->n * (x->is_complex ? 2 : 1);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += 0 * (x->is_narrow ? (double)((float *)x->a)[i] : ((double *)x->a)[i]);
    return sum == 0;
}

static int geev_real(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*real)(CHAR left, CHAR right, INT n, void *a, INT lda, void *re, void *im, void *vl, INT ldvl,
                         void *vr, INT ldvr, void *work, INT lwork, int *info, size_t, size_t);
    char *re = space->real, *im = re ? re + (size_t)x->n * x->item : NULL;
    char *packed = re && x->b ? im + (size_t)x->n * x->item : NULL;
    int info = 0;
    CALL(real)("N", &x->job, &x->n, x->a, &x->n, re, im, NULL, &x->n, packed, &x->n, space->work, &space->nwork, &info,
               1, 1);
    if (space->nwork < 0) return info;
    if (x->is_narrow) join_f32(x->n, (float *)(void *)re, (float *)(void *)im, (float *)(void *)packed, x->v, x->b);
    else join_f64(x->n, (double *)(void *)re, (double *)(void *)im, (double *)(void *)packed, x->v, x->b);
    return info;
}

static int geev(const tb_lapack_item *x, tb_lapack_space *space)
{
    typedef void (*complex)(CHAR left, CHAR right, INT n, void *a, INT lda, void *w, void *vl, INT ldvl, void *vr,
                            INT ldvr, void *work, INT lwork, void *rwork, int *info, size_t, size_t);
    enum { NOT_FINITE = -1 };
    int info = 0;
    if (space->nwork >= 0 && !is_finite(x)) return NOT_FINITE;
    if (!x->is_complex) return geev_real(x, space);
    CALL(complex)("N", &x->job, &x->n, x->a, &x->n, x->v, NULL, &x->n, x->b, &x->n, space->work, &space->nwork,
                  space->real, &info, 1, 1);
    return info;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

const tb_lapack_routine tb__lapack_routines[TB_NSOLVER] = {
    [TB_SOLVER_potrf] = {potrf, false, NULL},
    [TB_SOLVER_potrs] = {potrs, false, NULL},
    [TB_SOLVER_getrf] = {getrf, false, NULL},
    [TB_SOLVER_getrs] = {getrs, false, NULL},
    [TB_SOLVER_getri] = {getri, true, NULL},
    [TB_SOLVER_trtrs] = {trtrs, false, NULL},
    [TB_SOLVER_geqrf] = {geqrf, true, NULL},
    [TB_SOLVER_orgqr] = {orgqr, true, NULL},
    [TB_SOLVER_ormqr] = {ormqr, true, NULL},
    [TB_SOLVER_gesdd] = {gesdd, true, measure_gesdd},
    [TB_SOLVER_syevd] = {syevd, true, measure_syevd},
    [TB_SOLVER_geev] = {geev, true, measure_geev},
    [TB_SOLVER_geqp3] = {geqp3, true, measure_geqp3},
    [TB_SOLVER_det] = {tb__call_det, false, tb__measure_det},
    [TB_SOLVER_expm] = {tb__call_expm, false, tb__measure_expm},
};

static tb_status ask(tb_lapack_item *x)
{
    union {
        float narrow;
        double wide[2];
    } answer = {.wide = {0, 0}};
    int integer[1];
    tb_lapack_item asked = *x;
    tb_lapack_space space = x->need;
    /* Nothing is read, but LAPACK may look whether an address is there. */
    asked.a = asked.b = asked.c = asked.v = &answer;
    asked.pivots = integer;
    space.work = space.real = &answer;
    space.integer = integer;
    space.nwork = -1;
    const int info = x->routine->call(&asked, &space);
    const double n = x->is_narrow ? (double)answer.narrow : answer.wide[0];
    if (info != 0 || n > INT32_MAX / 2) return TB_ERR_VALUE;
    x->need.nwork = (int)n + 1;
    return TB_OK;
}

tb_status tb__lapack_item_like(const tb_solve *q, const tb_lapack *lapack, tb_lapack_item *x)
{
    *x = (tb_lapack_item){
        .routine = &tb__lapack_routines[q->routine],
        .function = q->routine < TB_NLAPACK ? lapack->routine[q->routine] : NULL,
        .lapack = lapack,
        .m = (int)q->m,
        .n = (int)q->n,
        .k = (int)q->k,
        .job = q->job,
        .uplo = q->uplo,
        .trans = q->trans,
        .diag = q->diag,
        .is_complex = tb_dtype_kind(q->dtype) == TB_KIND_COMPLEX,
        .is_narrow = q->dtype == TB_F32 || q->dtype == TB_C64,
        .item = tb_dtype_size(q->dtype),
    };
    const bool countable = !x->routine->measure || x->routine->measure(x, &x->need);
    if (!countable || (x->routine->asks && ask(x) != TB_OK))
        return tb__fail(TB_ERR_VALUE, "%s: matrices of %d x %d are more than LAPACK's work space can be counted for",
                        tb__solver_name(q->routine), x->m, x->n);
    return TB_OK;
}
