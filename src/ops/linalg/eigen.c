/* eigen.c - singular values, eigenvalues and their vectors. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/linalg/linalg.h"

static tb_dtype real_dtype(tb_dtype t) { return t == TB_C64 ? TB_F32 : t == TB_C128 ? TB_F64 : t; }
static tb_dtype complex_dtype(tb_dtype t) { return t == TB_F32 ? TB_C64 : t == TB_F64 ? TB_C128 : t; }

static void release(tb_array *a)
{
    if (a) tb_array_release(a);
}

/* ---- singular values -------------------------------------------------------------------------------------------- */

typedef struct parts {
    tb_array *a, *u, *s, *vh;
} parts;

static void release_parts(parts *p)
{
    release(p->a);
    release(p->u);
    release(p->s);
    release(p->vh);
}

/* The memory of a is its transpose, whose left vectors are the right ones of a: what LAPACK puts in columns is in rows
 * what is asked for. */
static tb_status decompose(const tb_matrices *s, tb_array *a, char job, parts *p)
{
    const int64_t few = tb__min(s->m, s->n);
    TB_TRY(tb__matrix_copy(s, a, false, &p->a));
    TB_TRY(tb__matrix_new(s, real_dtype(s->t), few, -1, &p->s));
    if (job != 'N') TB_TRY(tb__matrix_new(s, s->t, s->m, job == 'A' ? s->m : few, &p->u));
    if (job != 'N') TB_TRY(tb__matrix_new(s, s->t, job == 'A' ? s->n : few, s->n, &p->vh));
    if (!p->a->size) return TB_OK;
    tb_solve q = {TB_SOLVER_gesdd,
                  .m = s->n,
                  .n = s->m,
                  .job = job,
                  .a = tb__matrix_at(p->a),
                  .b = tb__matrix_at(p->vh),
                  .c = tb__matrix_at(p->u),
                  .v = tb__matrix_at(p->s)};
    return tb__solve(s, &q, "svd: the singular values did not converge");
}

/* Of matrices without elements the vectors are unit ones. */
static tb_status fill_unit(tb_array *vectors)
{
    tb_array *eye;
    const int last = vectors->ndim - 1;
    TB_TRY(tb_eye((tb_dtype)vectors->dtype, vectors->dims[last - 1], vectors->dims[last], 0, 'C', &eye));
    const tb_status status = tb_assign(vectors, eye, TB_CAST_NO);
    tb_array_release(eye);
    return status;
}

static tb_status svd(tb_array *a, char job, tb_array **u, tb_array **s, tb_array **vh)
{
    tb_matrices m;
    parts p = {0};
    TB_TRY(tb__matrices("svd", a, false, &m));
    tb_status status = decompose(&m, a, job, &p);
    if (status == TB_OK && job == 'A' && !p.a->size) {
        status = fill_unit(p.u);
        if (status == TB_OK) status = fill_unit(p.vh);
    }
    if (status != TB_OK) {
        release_parts(&p);
        return status;
    }
    release(p.a);
    *s = p.s;
    if (job == 'N') return TB_OK;
    *u = p.u;
    *vh = p.vh;
    return TB_OK;
}

tb_status tb_svd(tb_array *a, bool full_matrices, tb_array **u, tb_array **s, tb_array **vh)
{
    TB_NOT_NULL(a, u, s, vh);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(svd(a, full_matrices ? 'A' : 'S', u, s, vh));
}

tb_status tb_singular_values(tb_array *a, tb_array **s)
{
    TB_NOT_NULL(a, s);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(svd(a, 'N', NULL, s, NULL));
}

/* ---- Hermitian matrices ----------------------------------------------------------------------------------------- */

/* The memory of a real matrix is as symmetric as the matrix; that of a complex one has the conjugate vectors. */
static tb_status eigh(tb_array *a, bool lower, tb_array **values, tb_array **vectors)
{
    tb_matrices s;
    tb_array *w, *v;
    TB_TRY(tb__matrices("eigh", a, true, &s));
    const bool turned = tb_dtype_kind(s.t) == TB_KIND_COMPLEX;
    TB_TRY(tb__matrix_copy(&s, a, turned, &v));
    tb_status status = tb__matrix_new(&s, real_dtype(s.t), s.n, -1, &w);
    if (status == TB_OK && v->size) {
        tb_solve q = {TB_SOLVER_syevd,
                      .m = s.n,
                      .n = s.n,
                      .job = vectors ? 'V' : 'N',
                      .uplo = lower == turned ? 'L' : 'U',
                      .a = tb__matrix_at(v),
                      .v = tb__matrix_at(w)};
        status = tb__solve(&s, &q, "eigh: the eigenvalues did not converge");
        if (status != TB_OK) tb_array_release(w);
    }
    if (status != TB_OK) {
        tb_array_release(v);
        return status;
    }
    if (vectors) status = tb__matrix_turn(v, vectors);
    else tb_array_release(v);
    if (status == TB_OK) *values = w;
    else tb_array_release(w);
    return status;
}

tb_status tb_eigh(tb_array *a, bool lower, tb_array **values, tb_array **vectors)
{
    TB_NOT_NULL(a, values, vectors);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(eigh(a, lower, values, vectors));
}

tb_status tb_eigvalsh(tb_array *a, bool lower, tb_array **values)
{
    TB_NOT_NULL(a, values);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(eigh(a, lower, values, NULL));
}

/* ---- any square matrices ---------------------------------------------------------------------------------------- */

static tb_status eig(tb_array *a, tb_array **values, tb_array **vectors)
{
    tb_matrices s;
    parts p = {0};
    TB_TRY(tb__matrices("eig", a, true, &s));
    const tb_dtype t = complex_dtype(s.t);
    tb_status status = tb__matrix_copy(&s, a, true, &p.a);
    if (status == TB_OK) status = tb__matrix_new(&s, t, s.n, -1, &p.s);
    if (status == TB_OK && vectors) status = tb__matrix_new(&s, t, s.n, s.n, &p.u);
    if (status == TB_OK && p.a->size) {
        tb_solve q = {TB_SOLVER_geev,
                      .m = s.n,
                      .n = s.n,
                      .job = vectors ? 'V' : 'N',
                      .a = tb__matrix_at(p.a),
                      .b = tb__matrix_at(p.u),
                      .v = tb__matrix_at(p.s)};
        status = tb__solve(&s, &q, "eig: the eigenvalues did not converge, or the array has infs or NaNs");
    }
    tb_array *turned = NULL;
    if (status == TB_OK && vectors) status = tb__swap_axes(p.u, p.u->ndim - 2, p.u->ndim - 1, &turned);
    if (status == TB_OK) {
        if (vectors) *vectors = turned;
        *values = tb_array_retain(p.s);
    }
    release_parts(&p);
    return status;
}

tb_status tb_eig(tb_array *a, tb_array **values, tb_array **vectors)
{
    TB_NOT_NULL(a, values, vectors);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(eig(a, values, vectors));
}

tb_status tb_eigvals(tb_array *a, tb_array **values)
{
    TB_NOT_NULL(a, values);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(eig(a, values, NULL));
}
