/* lapack_loops.h - a LAPACK of plain loops, which checks that its arguments are what the Fortran interface lays down:
 * for tests, which need no other. Singular values and eigenvalues are those of few kinds of matrices; geev has none. */
#ifndef TB_TESTS_LAPACK_LOOPS_H
#define TB_TESTS_LAPACK_LOOPS_H
#include <complex.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define T             float
#define R             float
#define CONJ(x)       (x)
#define NAME(routine) s##routine
#include "lapack_of_type.h"
#undef T
#undef R
#undef NAME
#define T             double
#define R             double
#define NAME(routine) d##routine
#include "lapack_of_type.h"
#undef T
#undef R
#undef CONJ
#undef NAME
#define T             float complex
#define R             float
#define CONJ(x)       conjf(x)
#define NAME(routine) c##routine
#include "lapack_of_type.h"
#undef T
#undef R
#undef CONJ
#undef NAME
#define T             double complex
#define R             double
#define CONJ(x)       conj(x)
#define NAME(routine) z##routine
#include "lapack_of_type.h"
#undef T
#undef R
#undef CONJ
#undef NAME

/* What differs between real and complex is what they are given besides. */
#define REAL_PIVOTS(P, T)                                                                                   \
    static void P##geqp3(const int *m, const int *n, T *a, const int *lda, int *pivots, T *tau, T *work,    \
                         const int *nwork, int *info)                                                       \
    {                                                                                                       \
        P##qr_of_longest(m, n, a, lda, pivots, tau, work, nwork, info);                                     \
    }
#define COMPLEX_PIVOTS(P, T, R)                                                                             \
    static void P##geqp3(const int *m, const int *n, T *a, const int *lda, int *pivots, T *tau, T *work,    \
                         const int *nwork, R *real, int *info)                                              \
    {                                                                                                       \
        P##qr_of_longest(m, n, a, lda, pivots, tau, work, nwork, info);                                     \
        if (*nwork != -1) real[2 * *n - 1] = 1;                                                             \
    }
REAL_PIVOTS(s, float)
REAL_PIVOTS(d, double)
COMPLEX_PIVOTS(c, float complex, float)
COMPLEX_PIVOTS(z, double complex, double)

#define REAL_DECOMPOSITIONS(P, T)                                                                                     \
    static void P##gesdd(const char *job, const int *m, const int *n, T *a, const int *lda, T *s, T *u,               \
                         const int *ldu, T *vt, const int *ldvt, T *work, const int *nwork, int *integer, int *info)  \
    {                                                                                                                 \
        CHECK(*lda == *m && *ldu >= *m);                                                                              \
        P##svd(job, *m, *n, a, s, u, vt, *ldvt, work, nwork, info);                                                   \
        if (*nwork != -1) integer[8 * (*m < *n ? *m : *n) - 1] = 1;                                                   \
    }                                                                                                                 \
    static void P##syevd(const char *job, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work,        \
                         const int *nwork, int *integer, const int *ninteger, int *info)                              \
    {                                                                                                                 \
        CHECK(*lda == *n && *ninteger >= (*job == 'N' ? 1 : 3 + 5 * *n));                                             \
        P##eigh(job, uplo, *n, a, w, work, nwork, info);                                                              \
        if (*nwork != -1) integer[*ninteger - 1] = 1;                                                                 \
    }                                                                                                                 \
    static void P##geev(const char *left, const char *right, const int *n, T *a, const int *lda, T *re, T *im, T *vl, \
                        const int *ldvl, T *vr, const int *ldvr, T *work, const int *nwork, int *info)                \
    {                                                                                                                 \
        (void)left, (void)right, (void)a, (void)re, (void)im, (void)vl, (void)vr;                                     \
        CHECK(*lda == *n && *ldvl >= 1 && *ldvr >= 1);                                                                \
        if (!P##ask(*n, work, nwork, info)) *info = 1;                                                                \
    }
REAL_DECOMPOSITIONS(s, float)
REAL_DECOMPOSITIONS(d, double)

#define COMPLEX_DECOMPOSITIONS(P, T, R)                                                                              \
    static void P##gesdd(const char *job, const int *m, const int *n, T *a, const int *lda, R *s, T *u,              \
                         const int *ldu, T *vt, const int *ldvt, T *work, const int *nwork, R *real, int *integer,   \
                         int *info)                                                                                  \
    {                                                                                                                \
        const int few = *m < *n ? *m : *n;                                                                           \
        CHECK(*lda == *m && *ldu >= *m);                                                                             \
        P##svd(job, *m, *n, a, s, u, vt, *ldvt, work, nwork, info);                                                  \
        if (*nwork != -1) integer[8 * few - 1] = 1, real[*job == 'N' ? 7 * few - 1 : 5 * few * few + 5 * few - 1] = 1; \
    }                                                                                                                \
    static void P##heevd(const char *job, const char *uplo, const int *n, T *a, const int *lda, R *w, T *work,       \
                         const int *nwork, R *real, const int *nreal, int *integer, const int *ninteger, int *info)  \
    {                                                                                                                \
        CHECK(*lda == *n && *ninteger >= (*job == 'N' ? 1 : 3 + 5 * *n));                                            \
        CHECK(*nreal >= (*job == 'N' ? *n : 1 + 5 * *n + 2 * *n * *n));                                              \
        P##eigh(job, uplo, *n, a, w, work, nwork, info);                                                             \
        if (*nwork != -1) integer[*ninteger - 1] = 1, real[*nreal - 1] = 1;                                          \
    }                                                                                                                \
    static void P##geev(const char *left, const char *right, const int *n, T *a, const int *lda, T *w, T *vl,        \
                        const int *ldvl, T *vr, const int *ldvr, T *work, const int *nwork, R *real, int *info)      \
    {                                                                                                                \
        (void)left, (void)right, (void)a, (void)w, (void)vl, (void)vr;                                               \
        CHECK(*lda == *n && *ldvl >= 1 && *ldvr >= 1);                                                               \
        if (P##ask(*n, work, nwork, info)) return;                                                                   \
        real[2 * *n - 1] = 1;                                                                                        \
        *info = 1;                                                                                                   \
    }
COMPLEX_DECOMPOSITIONS(c, float complex, float)
COMPLEX_DECOMPOSITIONS(z, double complex, double)

typedef void (*lapack_routine)(void);

/* For tb_provide_lapack: every routine but the one that arg names. */
static void *lapack_loops(void *arg, const char *name)
{
#define ROW(P, routine) {#P #routine, (lapack_routine)P##routine}
#define ROWS(P, org, orm, he)                                                                                \
    ROW(P, potrf), ROW(P, potrs), ROW(P, getrf), ROW(P, getrs), ROW(P, getri), ROW(P, trtrs), ROW(P, geqrf), \
        {#P #org, (lapack_routine)P##orgqr}, {#P #orm, (lapack_routine)P##ormqr}, ROW(P, gesdd),             \
        {#P #he, (lapack_routine)P##he}, ROW(P, geev), ROW(P, geqp3)
    static const struct {
        const char *name;
        lapack_routine routine;
    } rows[] = {ROWS(s, orgqr, ormqr, syevd), ROWS(d, orgqr, ormqr, syevd), ROWS(c, ungqr, unmqr, heevd),
                ROWS(z, ungqr, unmqr, heevd)};
    void *address = NULL;
    if (arg && strcmp(arg, name) == 0) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) memcpy(&address, &rows[i].routine, sizeof address);
    return address;
}
#endif
