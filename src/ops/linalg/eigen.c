/* eigen.c - singular values, eigenvalues and their vectors. */
#include <string.h>

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
    tb_array *a, *left, *values, *right, *sound;
    bool plain; /* as in tb_solve */
} parts;

static void release_parts(parts *p)
{
    release(p->a);
    release(p->left);
    release(p->values);
    release(p->right);
    release(p->sound);
}

/* NaN for what is not finite, if the library does not see to it. */
static tb_status spoil(parts *p)
{
    TB_TRY(tb__matrix_spoil(p->sound, &p->left));
    TB_TRY(tb__matrix_spoil(p->sound, &p->values));
    return tb__matrix_spoil(p->sound, &p->right);
}

/* The matrices to work on: of a, which is the caller's. */
static tb_status copy_sound(const tb_matrices *s, tb_array *a, bool turned, parts *p)
{
    tb_array *clean;
    TB_TRY(tb__matrix_sound(tb_array_retain(a), &p->sound, &clean));
    const tb_status status =
        p->sound ? tb__matrix_own(s, clean, turned, &p->a) : tb__matrix_copy(s, clean, turned, &p->a);
    tb_array_release(clean);
    return status;
}

/* cuSOLVER wants no more columns than rows, which either the matrix has or its memory, the transpose: whose left
 * vectors are the right ones of a, so that what LAPACK puts in columns is in rows what is asked for. */
static tb_status decompose(const tb_matrices *s, tb_array *a, bool turned, char job, parts *p)
{
    static const char *const failure = "svd: the singular values did not converge";
    const int64_t few = tb__min(s->m, s->n), many = tb__max(s->m, s->n);
    TB_TRY(copy_sound(s, a, turned, p));
    TB_TRY(tb__matrix_check_sound(p->sound, failure));
    TB_TRY(tb__matrix_new(s, real_dtype(s->t), few, -1, &p->values));
    if (job != 'N') TB_TRY(tb__matrix_new(s, s->t, job == 'A' ? many : few, many, &p->left));
    if (job != 'N') TB_TRY(tb__matrix_new(s, s->t, few, few, &p->right));
    if (!p->a->size) return TB_OK;
    tb_solve q = {TB_SOLVER_gesdd,
                  .m = many,
                  .n = few,
                  .job = job,
                  .a = tb__matrix_at(p->a),
                  .b = tb__matrix_at(p->left),
                  .c = tb__matrix_at(p->right),
                  .v = tb__matrix_at(p->values),
                  .plain = &p->plain};
    TB_TRY(tb__solve(s, &q, failure));
    return spoil(p);
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

/* The adjoint of the last two axes, or where it is real the transpose: a view. */
static tb_status adjoint(tb_array *a, tb_array **out)
{
    tb_array *turned;
    TB_TRY(tb__swap_axes(a, a->ndim - 2, a->ndim - 1, &turned));
    const tb_operand in[] = {tb_operand_array(turned)};
    if (tb_dtype_kind((tb_dtype)a->dtype) != TB_KIND_COMPLEX) *out = tb_array_retain(turned);
    const tb_status status = *out ? TB_OK : tb_ufunc_call(tb_ufunc_find("conjugate"), in, out, NULL);
    tb_array_release(turned);
    return status;
}

/* u and vh of a from the vectors of what was decomposed. */
static tb_status hand_out(parts *p, bool turned, tb_array **u, tb_array **vh)
{
    const int last = p->left->ndim - 1;
    tb_array *left, *right = NULL;
    if (p->plain) {
        TB_TRY(adjoint(p->right, &right));
        tb_array_release(p->right);
        p->right = right;
    }
    if (!turned) {
        *u = tb_array_retain(p->right);
        *vh = tb_array_retain(p->left);
        return TB_OK;
    }
    TB_TRY(tb__swap_axes(p->left, last - 1, last, &left));
    const tb_status status = tb__swap_axes(p->right, last - 1, last, vh);
    if (status == TB_OK) *u = left;
    else tb_array_release(left);
    return status;
}

/* Of all left vectors, rows in memory, the first ones. */
static tb_status keep_first(parts *p, int64_t n)
{
    int64_t dims[TB_MAXDIM];
    tb_array *first, *all = p->left;
    memcpy(dims, all->dims, (size_t)all->ndim * sizeof *dims);
    dims[all->ndim - 2] = n;
    TB_TRY(tb__view(all, all->offset, (tb_dtype)all->dtype, all->ndim, dims, all->strides, &first));
    p->left = first;
    tb_array_release(all);
    return TB_OK;
}

static tb_status svd(tb_array *a, char job, tb_array **u, tb_array **s, tb_array **vh)
{
    tb_matrices m;
    parts p = {0};
    TB_TRY(tb__matrices("svd", a, false, &m));
    const bool turned = m.m > m.n;
    /* A GPU makes all of few vectors at once, or some matrix by matrix. */
    const bool more = job == 'S' && !tb__backend->on_host && tb__max(m.m, m.n) <= 32;
    tb_status status = decompose(&m, a, turned, more ? 'A' : job, &p);
    if (status == TB_OK && more) status = keep_first(&p, tb__min(m.m, m.n));
    if (status == TB_OK && job == 'A' && !p.a->size) {
        status = fill_unit(p.left);
        if (status == TB_OK) status = fill_unit(p.right);
    }
    if (status == TB_OK && job != 'N') status = hand_out(&p, turned, u, vh);
    if (status == TB_OK) *s = tb_array_retain(p.values);
    release_parts(&p);
    return status;
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
    static const char *const failure = "eig: the eigenvalues did not converge, or the array has infs or NaNs";
    tb_matrices s;
    parts p = {0};
    TB_TRY(tb__matrices("eig", a, true, &s));
    const tb_dtype t = complex_dtype(s.t);
    tb_status status = copy_sound(&s, a, true, &p);
    if (status == TB_OK) status = tb__matrix_check_sound(p.sound, failure);
    if (status == TB_OK) status = tb__matrix_new(&s, t, s.n, -1, &p.values);
    if (status == TB_OK && vectors) status = tb__matrix_new(&s, t, s.n, s.n, &p.right);
    if (status == TB_OK && p.a->size) {
        tb_solve q = {TB_SOLVER_geev,
                      .m = s.n,
                      .n = s.n,
                      .job = vectors ? 'V' : 'N',
                      .a = tb__matrix_at(p.a),
                      .b = tb__matrix_at(p.right),
                      .v = tb__matrix_at(p.values)};
        status = tb__solve(&s, &q, failure);
        if (status == TB_OK) status = spoil(&p);
    }
    if (status == TB_OK && vectors) status = tb__swap_axes(p.right, a->ndim - 2, a->ndim - 1, vectors);
    if (status == TB_OK) *values = tb_array_retain(p.values);
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
