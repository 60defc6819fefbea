/* least_squares.c - least squares by Golub and Kahan's bidiagonalisation (1965): LSQR of Paige and Saunders, "LSQR: an
 * algorithm for sparse linear equations and sparse least squares" (1982), and LSMR of Fong and Saunders, "LSMR: an
 * iterative algorithm for sparse least-squares problems" (2011), whose names of numbers are kept. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"
#include "base/interrupt.h"

typedef struct vector_loops {
    double (*squares)(int64_t n, const void *x);
    void (*scale)(int64_t n, double factor, void *x);
    double (*turn)(int64_t n, const void *y, double factor, void *x);
    void (*narrow)(int64_t n, const double *x, void *to);
    void (*widen)(int64_t n, const void *x, double *to);
    double (*move)(int64_t n, const void *v, double along, double back, double *x, double *w);
    double (*move_twice)(int64_t n, const void *v, const double factor[3], double *x, double *h, double *hbar);
} vector_loops;

static inline double total(const double sum[8], double rest)
{
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) + rest;
}

#define REAL float
#define LOOP(name) name##_f32
#include "backend/cpu/sparse/vector_loops.h"
#undef REAL
#undef LOOP
#define REAL double
#define LOOP(name) name##_f64
#include "backend/cpu/sparse/vector_loops.h"

/* ---- the process ------------------------------------------------------------------------------------------------- */

typedef struct process {
    tb_sparse_least_squares *l;
    const vector_loops *f;
    int64_t m, n, work; /* lengths of u and v in reals; products since somebody was asked whether to go on */
    size_t size;        /* of a real */
    void *u, *v, *y;
    double *w, *hbar; /* LSQR: w alone; LSMR: h and hbar */
    double alpha, beta, norm_b;
} process;

static tb_status multiply(process *q, bool adjoint, const void *x)
{
    enum { ASK = 1 << 24 };
    const tb_sparse_least_squares *l = q->l;
    const tb_sparse_product p = {.a = l->a,
                                 .dtype = l->dtype,
                                 .transposed = adjoint != l->columns,
                                 .width = 1,
                                 .n = l->n,
                                 .data = adjoint ? l->conjugate : l->data,
                                 .x = x,
                                 .out = q->y};
    q->work += l->n + q->m + q->n;
    if (q->work > ASK) {
        q->work = 0;
        TB_TRY(tb__interrupted());
    }
    if ((adjoint ? q->n : q->m) == 0) return TB_OK;
    return tb__cpu_sparse_product(&p);
}

static double length_of(const process *q, int64_t n, void *x, double squares)
{
    const double length = sqrt(squares);
    if (length > 0) q->f->scale(n, 1 / length, x);
    return length;
}

static tb_status begin(process *q)
{
    const tb_sparse_least_squares *l = q->l;
    if (q->m > 0) memcpy(q->u, l->b, (size_t)q->m * q->size);
    double squares = q->f->squares(q->m, q->u);
    q->norm_b = sqrt(squares);
    if (l->from_x) {
        q->f->narrow(q->n, l->x, q->v);
        TB_TRY(multiply(q, false, q->v));
        squares = q->f->turn(q->m, q->y, 1, q->u); /* A x0 - b */
        q->f->scale(q->m, -1, q->u);
    }
    q->beta = length_of(q, q->m, q->u, squares);
    q->alpha = 0;
    if (!(q->beta > 0)) return TB_OK;
    TB_TRY(multiply(q, true, q->u));
    memset(q->v, 0, (size_t)q->n * q->size);
    q->alpha = length_of(q, q->n, q->v, q->f->turn(q->n, q->y, 0, q->v));
    q->f->widen(q->n, q->v, q->w);
    return TB_OK;
}

/* The next u and v, beta and alpha. */
static tb_status advance(process *q)
{
    TB_TRY(multiply(q, false, q->v));
    q->beta = length_of(q, q->m, q->u, q->f->turn(q->m, q->y, q->alpha, q->u));
    if (!(q->beta > 0)) return TB_OK;
    TB_TRY(multiply(q, true, q->u));
    q->alpha = length_of(q, q->n, q->v, q->f->turn(q->n, q->y, q->beta, q->v));
    return TB_OK;
}

/* c a + s b = r and c b = s a. */
static void rotate(double a, double b, double *c, double *s, double *r)
{
    const double length = hypot(a, b);
    *c = length != 0 ? a / length : 0;
    *s = length != 0 ? b / length : 0;
    *r = length;
}

/* Tests in order; of those that hold the last counts. */
static int reason_to_stop(const tb_sparse_least_squares *l, double test1, double test2, double test3, double scaled)
{
    int reason = l->steps >= l->limit ? 7 : 0;
    if (1 + test3 <= 1) reason = 6;
    if (1 + test2 <= 1) reason = 5;
    if (1 + test1 / (1 + scaled) <= 1) reason = 4;
    if (test3 <= (l->conlim > 0 ? 1 / l->conlim : 0)) reason = 3;
    if (test2 <= l->atol) reason = 2;
    if (test1 <= l->btol + l->atol * scaled) reason = 1;
    return reason;
}

/* What is no number stays so. */
static void give_up(tb_sparse_least_squares *l)
{
    l->steps = l->limit;
    l->reason = 7;
}

/* ---- LSQR -------------------------------------------------------------------------------------------------------- */

typedef struct lsqr {
    double rhobar, phibar, norm_a, cond_a, dd, res2, norm_x, xx, z, c2, s2, norm_r, norm_r1, norm_ar;
} lsqr;

static void lsqr_deliver(const lsqr *t, tb_sparse_least_squares *l)
{
    const double norms[] = {t->norm_r1, t->norm_r, t->norm_a, t->cond_a, t->norm_ar, t->norm_x};
    memcpy(l->norm, norms, sizeof norms);
}

static void add_variance(const process *q, double rho)
{
    const int parts = q->l->dtype >= TB_C64 ? 2 : 1;
    for (int64_t i = 0; i < q->n; i++) q->l->variance[i / parts] += (q->w[i] / rho) * (q->w[i] / rho);
}

/* The norm of x, by rotations from the other side. */
static void estimate_x(lsqr *t, double rho, double theta, double phi)
{
    const double delta = t->s2 * rho, gambar = -t->c2 * rho, right = phi - delta * t->z, zbar = right / gambar;
    t->norm_x = sqrt(t->xx + zbar * zbar);
    const double gamma = sqrt(gambar * gambar + theta * theta);
    t->c2 = gambar / gamma;
    t->s2 = theta / gamma;
    t->z = right / gamma;
    t->xx += t->z * t->z;
}

static void lsqr_step(process *q, lsqr *t)
{
    tb_sparse_least_squares *l = q->l;
    double rhobar1 = t->rhobar, psi = 0, c, s, rho;
    if (l->damp > 0) {
        rhobar1 = sqrt(t->rhobar * t->rhobar + l->damp * l->damp);
        psi = l->damp / rhobar1 * t->phibar;
        t->phibar *= t->rhobar / rhobar1;
    }
    rotate(rhobar1, q->beta, &c, &s, &rho);
    const double theta = s * q->alpha, phi = c * t->phibar, tau = s * phi;
    t->rhobar = -c * q->alpha;
    t->phibar *= s;
    if (l->variance) add_variance(q, rho);
    t->dd += q->f->move(q->n, q->v, phi / rho, -theta / rho, l->x, q->w) / (rho * rho);
    estimate_x(t, rho, theta, phi);
    t->cond_a = t->norm_a * sqrt(t->dd);
    t->res2 += psi * psi;
    t->norm_r = sqrt(t->phibar * t->phibar + t->res2);
    t->norm_ar = q->alpha * fabs(tau);
    t->norm_r1 = t->norm_r;
    if (l->damp > 0) {
        const double r1 = t->norm_r * t->norm_r - l->damp * l->damp * t->xx;
        t->norm_r1 = copysign(sqrt(fabs(r1)), r1);
    }
}

static tb_status run_lsqr(process *q)
{
    tb_sparse_least_squares *l = q->l;
    lsqr t = {.rhobar = q->alpha, .phibar = q->beta, .norm_r = q->beta, .norm_r1 = q->beta, .c2 = -1};
    t.norm_ar = q->alpha * q->beta;
    const bool solved = t.norm_ar == 0;
    while (!solved && !l->reason && l->steps < l->limit) {
        const double alpha = q->alpha;
        TB_TRY(advance(q));
        l->steps++;
        if (q->beta > 0) t.norm_a = sqrt(t.norm_a * t.norm_a + alpha * alpha + q->beta * q->beta + l->damp * l->damp);
        lsqr_step(q, &t);
        const double scaled = t.norm_a * t.norm_x / q->norm_b;
        l->reason = reason_to_stop(l, t.norm_r / q->norm_b, t.norm_ar / (t.norm_a * t.norm_r + DBL_EPSILON),
                                   1 / (t.cond_a + DBL_EPSILON), scaled);
        if (isnan(t.dd)) give_up(l);
    }
    lsqr_deliver(&t, l);
    return TB_OK;
}

/* ---- LSMR -------------------------------------------------------------------------------------------------------- */

typedef struct lsmr {
    double zetabar, alphabar, rho, rhobar, cbar, sbar;
    double betadd, betad, rhodold, tautildeold, thetatilde, zeta, d;
    double norm_r, norm_ar, norm_a, norm_a2, cond_a, norm_x, largest, smallest;
} lsmr;

/* The norm of the residual, by rotations that make the triangle's bidiagonal factor lower again. */
static void estimate_r(lsmr *t, double betaacute, double betacheck, double c, double s, double thetabar, double zetaold)
{
    const double betahat = c * betaacute, thetatildeold = t->thetatilde;
    double ctilde, stilde, rhotilde;
    t->betadd = -s * betaacute;
    rotate(t->rhodold, thetabar, &ctilde, &stilde, &rhotilde);
    t->thetatilde = stilde * t->rhobar;
    t->rhodold = ctilde * t->rhobar;
    t->betad = -stilde * t->betad + ctilde * betahat;
    t->tautildeold = (zetaold - thetatildeold * t->tautildeold) / rhotilde;
    const double taud = (t->zeta - t->thetatilde * t->tautildeold) / t->rhodold;
    t->d += betacheck * betacheck;
    t->norm_r = sqrt(t->d + (t->betad - taud) * (t->betad - taud) + t->betadd * t->betadd);
}

static void lsmr_step(process *q, lsmr *t)
{
    tb_sparse_least_squares *l = q->l;
    double chat, shat, alphahat, c, s;
    const double rhoold = t->rho, rhobarold = t->rhobar, zetaold = t->zeta;
    rotate(t->alphabar, l->damp, &chat, &shat, &alphahat);
    rotate(alphahat, q->beta, &c, &s, &t->rho);
    const double thetanew = s * q->alpha, thetabar = t->sbar * t->rho, rhotemp = t->cbar * t->rho;
    t->alphabar = c * q->alpha;
    rotate(rhotemp, thetanew, &t->cbar, &t->sbar, &t->rhobar);
    t->zeta = t->cbar * t->zetabar;
    t->zetabar *= -t->sbar;
    const double factors[3] = {thetabar * t->rho / (rhoold * rhobarold), t->zeta / (t->rho * t->rhobar),
                               thetanew / t->rho};
    t->norm_x = sqrt(q->f->move_twice(q->n, q->v, factors, l->x, q->w, q->hbar));
    estimate_r(t, chat * t->betadd, -shat * t->betadd, c, s, thetabar, zetaold);
    t->norm_a2 += q->beta * q->beta;
    t->norm_a = sqrt(t->norm_a2);
    t->norm_a2 += q->alpha * q->alpha;
    t->largest = fmax(t->largest, rhobarold);
    if (l->steps > 1) t->smallest = fmin(t->smallest, rhobarold);
    t->cond_a = fmax(t->largest, rhotemp) / fmin(t->smallest, rhotemp);
    t->norm_ar = fabs(t->zetabar);
}

static tb_status run_lsmr(process *q)
{
    tb_sparse_least_squares *l = q->l;
    lsmr t = {.zetabar = q->alpha * q->beta,
              .alphabar = q->alpha,
              .rho = 1,
              .rhobar = 1,
              .cbar = 1,
              .betadd = q->beta,
              .rhodold = 1,
              .norm_r = q->beta,
              .norm_ar = q->alpha * q->beta,
              .norm_a = q->alpha,
              .norm_a2 = q->alpha * q->alpha,
              .cond_a = 1,
              .smallest = 1e100};
    const bool solved = t.norm_ar == 0 || q->norm_b == 0;
    if (t.norm_ar != 0 && solved) memset(l->x, 0, (size_t)q->n * sizeof(double));
    while (!solved && !l->reason && l->steps < l->limit) {
        TB_TRY(advance(q));
        l->steps++;
        lsmr_step(q, &t);
        const double both = t.norm_a * t.norm_r;
        l->reason = reason_to_stop(l, t.norm_r / q->norm_b, both != 0 ? t.norm_ar / both : HUGE_VAL, 1 / t.cond_a,
                                   t.norm_a * t.norm_x / q->norm_b);
        if (isnan(t.norm_x)) give_up(l);
    }
    const double norms[] = {t.norm_r, t.norm_ar, t.norm_a, t.cond_a, t.norm_x};
    memcpy(l->norm, norms, sizeof norms);
    return TB_OK;
}

static size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

tb_status tb__cpu_sparse_least_squares(tb_sparse_least_squares *l)
{
    const bool narrow = l->dtype == TB_F32 || l->dtype == TB_C64;
    const int64_t parts = l->dtype >= TB_C64 ? 2 : 1;
    process q = {.l = l, .f = narrow ? &loops_f32 : &loops_f64, .size = narrow ? sizeof(float) : sizeof(double)};
    q.m = parts * (l->columns ? l->a.cols : l->a.rows);
    q.n = parts * (l->columns ? l->a.rows : l->a.cols);
    /* One after the other. */
    const size_t u = rounded((size_t)q.m * q.size), v = rounded((size_t)q.n * q.size), y = u > v ? u : v,
                 w = rounded((size_t)q.n * sizeof(double)), bytes = u + v + y + 2 * w + 1;
    char *room = calloc(bytes, 1);
    if (!room) return tb__fail_memory(bytes, 0, 0, 0);
    q.u = room;
    q.v = room + u;
    q.y = room + u + v;
    q.w = (double *)(room + u + v + y);
    q.hbar = (double *)(room + u + v + y + w);
    l->steps = l->reason = 0;
    tb_status status = begin(&q);
    if (status == TB_OK) status = (l->lsmr ? run_lsmr : run_lsqr)(&q);
    free(room);
    return status;
}
