/* solve.c - systems of linear equations, by factors made here or given, and inverses. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/linalg/linalg.h"

static const char singular[] = "singular matrix";

/* ---- both sides ------------------------------------------------------------------------------------------------- */

/* a x = b for stacks that broadcast. */
typedef struct system {
    const char *who;
    tb_matrices s;       /* of a; its stack is that of both */
    int64_t k;           /* columns of b */
    bool vector;         /* b's last axis is the equations, and there are no columns */
    tb_array *a, *b, *x; /* retained: views of one stack; b in columns, where x is made */
} system;

/* a, with its last `core` axes kept, broadcast to the stack. */
static tb_status spread(const tb_matrices *s, tb_array *a, int core, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    const int own = a->ndim - core, n = s->nbatch;
    memcpy(shape, s->shape, (size_t)n * sizeof *shape);
    tb__broadcast_strides(own, a->dims, a->strides, n, shape, strides);
    memcpy(shape + n, a->dims + own, (size_t)core * sizeof *shape);
    memcpy(strides + n, a->strides + own, (size_t)core * sizeof *strides);
    return tb__view(a, a->offset, (tb_dtype)a->dtype, n + core, shape, strides, out);
}

static tb_status check_sides(system *y, tb_array *a, tb_array *b, bool vector)
{
    const int core = vector ? 1 : 2;
    TB_ARE_NUMBERS(y->who, b->dtype);
    TB_TRY(tb__matrices(y->who, a, true, &y->s));
    if (b->ndim < core)
        return tb__fail(TB_ERR_VALUE, "%s: b must have at least %d dimensions, it has %d", y->who, core, b->ndim);
    y->vector = vector;
    y->k = vector ? 1 : b->dims[b->ndim - 1];
    if (b->dims[b->ndim - core] != y->s.n)
        return tb__fail(TB_ERR_VALUE, "%s: b has %lld rows where a has %lld", y->who,
                        (long long)b->dims[b->ndim - core], (long long)y->s.n);
    y->s.t = tb_promote(y->s.t, tb__matrix_dtype((tb_dtype)b->dtype));
    TB_TRY(tb__broadcast(y->who, &y->s.nbatch, y->s.shape, b->ndim - core, b->dims));
    y->s.batch = tb__product(y->s.nbatch, y->s.shape);
    if (y->s.nbatch + 2 > TB_MAXDIM) return tb__fail(TB_ERR_VALUE, "%s: at most %d dimensions", y->who, TB_MAXDIM);
    return TB_OK;
}

static void release(system *y)
{
    if (y->a) tb_array_release(y->a);
    if (y->b) tb_array_release(y->b);
    if (y->x) tb_array_release(y->x);
}

/* On failure nothing is retained. */
static tb_status make_sides(system *y, tb_array *a, tb_array *b, bool vector)
{
    TB_TRY(check_sides(y, a, b, vector));
    tb_status status = spread(&y->s, a, 2, &y->a);
    if (status == TB_OK) status = spread(&y->s, b, vector ? 1 : 2, &y->b);
    if (status == TB_OK) status = tb__matrix_copy(&y->s, y->b, !vector, &y->x);
    if (status != TB_OK) release(y);
    return status;
}

/* The solution that was made in x, and the end of y. */
static tb_status deliver(system *y, tb_status status, tb_array **out)
{
    if (status == TB_OK && y->vector) *out = tb_array_retain(y->x);
    else if (status == TB_OK) status = tb__swap_axes(y->x, y->x->ndim - 2, y->x->ndim - 1, out);
    release(y);
    return status;
}

/* ---- solve, inverse --------------------------------------------------------------------------------------------- */

/* Factors of a's memory, which is its transpose; steals nothing. */
static tb_status factorize(const tb_matrices *s, tb_array *a, tb_array **factors, tb_array **pivots)
{
    TB_TRY(tb__matrix_copy(s, a, false, factors));
    tb_status status = tb__matrix_new(s, TB_I32, s->n, -1, pivots);
    if (status == TB_OK) {
        tb_solve q = {TB_SOLVER_getrf, .m = s->n, .n = s->n, .a = tb__matrix_at(*factors),
                      .pivots = tb__matrix_at(*pivots)};
        status = tb__solve(s, &q, singular);
        if (status != TB_OK) tb_array_release(*pivots);
    }
    if (status != TB_OK) tb_array_release(*factors);
    return status;
}

static tb_status solve_factored(const system *y)
{
    tb_array *factors, *pivots;
    TB_TRY(factorize(&y->s, y->a, &factors, &pivots));
    tb_solve q = {TB_SOLVER_getrs,
                  .m = y->s.n,
                  .n = y->s.n,
                  .k = y->k,
                  .trans = 'T',
                  .a = tb__matrix_at(factors),
                  .b = tb__matrix_at(y->x),
                  .pivots = tb__matrix_at(pivots)};
    const tb_status status = tb__solve(&y->s, &q, NULL);
    tb_array_release(factors);
    tb_array_release(pivots);
    return status;
}

static tb_status solve(tb_array *a, tb_array *b, tb_array **out)
{
    system y = {.who = "solve"};
    TB_TRY(make_sides(&y, a, b, b->ndim == 1));
    return deliver(&y, y.x->size ? solve_factored(&y) : TB_OK, out);
}

tb_status tb_solve_linear(tb_array *a, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(solve(a, b, out));
}

/* Unit matrices, in memory and of nobody else. */
static tb_status units(const tb_matrices *s, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    tb_array *eye, *view;
    TB_TRY(tb_eye(s->t, s->n, s->n, 0, 'C', &eye));
    memcpy(shape, s->shape, (size_t)s->nbatch * sizeof *shape);
    shape[s->nbatch] = shape[s->nbatch + 1] = s->n;
    tb_status status = tb_broadcast_to(eye, s->nbatch + 2, shape, &view);
    tb_array_release(eye);
    TB_TRY(status);
    status = tb__matrix_own(s, view, false, out);
    tb_array_release(view);
    return status;
}

/* LAPACK inverts by factors in place; a GPU's libraries solve for unit matrices instead. */
static tb_status invert_factored(const tb_matrices *s, tb_array *factors, tb_array *pivots, tb_array **out)
{
    tb_solve q = {TB_SOLVER_getri, .m = s->n, .n = s->n, .a = tb__matrix_at(factors), .pivots = tb__matrix_at(pivots)};
    tb_array *result;
    if (tb__backend->on_host) {
        result = tb_array_retain(factors);
    } else {
        TB_TRY(units(s, &result));
        q.routine = TB_SOLVER_getrs;
        q.k = s->n;
        q.trans = 'N';
        q.b = tb__matrix_at(result);
    }
    const tb_status status = tb__solve(s, &q, NULL);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status inverse(tb_array *a, tb_array **out)
{
    tb_matrices s;
    tb_array *factors, *pivots;
    TB_TRY(tb__matrices("inv", a, true, &s));
    if (s.n == 0 || s.batch == 0) return tb__matrix_copy(&s, a, false, out);
    TB_TRY(factorize(&s, a, &factors, &pivots));
    const tb_status status = invert_factored(&s, factors, pivots, out);
    tb_array_release(pivots);
    tb_array_release(factors);
    return status;
}

tb_status tb_inverse(tb_array *a, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(inverse(a, out));
}

/* ---- by given factors ------------------------------------------------------------------------------------------- */

/* Pivots counted from 1, for every matrix of the stack. */
static tb_status count_pivots(const system *y, tb_array *pivots, tb_array **out)
{
    tb_array *stack, *sum;
    if (pivots->ndim < 1 || pivots->dims[pivots->ndim - 1] != y->s.n)
        return tb__fail(TB_ERR_VALUE, "%s: there must be %lld pivots for each matrix", y->who, (long long)y->s.n);
    TB_TRY(spread(&y->s, pivots, 1, &stack));
    const tb_operand in[] = {tb_operand_array(stack), tb_operand_scalar(tb_scalar_int(1))};
    tb_status status = tb_ufunc_call(tb_ufunc_find("add"), in, &sum, NULL);
    tb_array_release(stack);
    TB_TRY(status);
    status = tb__stored(sum, TB_I32, out);
    tb_array_release(sum);
    return status;
}

static tb_status lu_solve_sides(const system *y, tb_array *pivots, char trans)
{
    tb_array *factors, *counted;
    TB_TRY(count_pivots(y, pivots, &counted));
    tb_status status = tb__matrix_read(&y->s, y->a, true, &factors);
    if (status == TB_OK) {
        tb_solve q = {TB_SOLVER_getrs,
                      .m = y->s.n,
                      .n = y->s.n,
                      .k = y->k,
                      .trans = trans,
                      .a = tb__matrix_at(factors),
                      .b = tb__matrix_at(y->x),
                      .pivots = tb__matrix_at(counted)};
        status = tb__solve(&y->s, &q, NULL);
        tb_array_release(factors);
    }
    tb_array_release(counted);
    return status;
}

static tb_status lu_solve(tb_array *lu, tb_array *pivots, tb_array *b, char trans, tb_array **out)
{
    system y = {.who = "lu_solve"};
    TB_TRY(make_sides(&y, lu, b, b->ndim == 1));
    return deliver(&y, y.x->size ? lu_solve_sides(&y, pivots, trans) : TB_OK, out);
}

static tb_status check_trans(const char *who, char trans)
{
    if (trans && strchr("NTC", trans)) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: trans must be 'N', 'T' or 'C'", who);
}

tb_status tb_lu_solve(tb_array *lu, tb_array *pivots, tb_array *b, char trans, tb_array **out)
{
    TB_NOT_NULL(lu, pivots, b, out);
    TB_TRY(check_trans("lu_solve", trans));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(lu_solve(lu, pivots, b, trans, out));
}

/* The memory of a real matrix does as well as the matrix turned round, its triangle and its transpose being the other
 * ones; of a complex one that has to be conjugated it does not. */
static tb_status by_triangle(system *y, tb_solve *q, bool may_flip)
{
    tb_array *triangle;
    const bool flip = may_flip && y->a->c_contiguous;
    if (flip) {
        q->uplo = q->uplo == 'L' ? 'U' : 'L';
        q->trans = q->trans == 'N' ? 'T' : 'N';
    }
    if (q->routine == TB_SOLVER_trtrs && q->diag != 'U') TB_TRY(tb__matrix_check_diagonal(y->a, singular));
    TB_TRY(tb__matrix_read(&y->s, y->a, !flip, &triangle));
    q->m = q->n = y->s.n;
    q->k = y->k;
    q->a = tb__matrix_at(triangle);
    q->b = tb__matrix_at(y->x);
    const tb_status status = tb__solve(&y->s, q, q->routine == TB_SOLVER_trtrs ? singular : NULL);
    tb_array_release(triangle);
    return status;
}

static tb_status triangular(tb_array *a, tb_array *b, tb_solve q, tb_array **out)
{
    system y = {.who = q.routine == TB_SOLVER_trtrs ? "solve_triangular" : "cho_solve"};
    TB_TRY(make_sides(&y, a, b, b->ndim == 1));
    const bool is_complex = tb_dtype_kind(y.s.t) == TB_KIND_COMPLEX;
    const bool may_flip = !is_complex || (q.routine == TB_SOLVER_trtrs && q.trans != 'C');
    return deliver(&y, y.x->size ? by_triangle(&y, &q, may_flip) : TB_OK, out);
}

tb_status tb_solve_triangular(tb_array *a, tb_array *b, bool lower, char trans, bool unit_diagonal, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    TB_TRY(check_trans("solve_triangular", trans));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    const tb_solve q = {TB_SOLVER_trtrs, .uplo = lower ? 'L' : 'U', .trans = trans, .diag = unit_diagonal ? 'U' : 'N'};
    return TB__OPERATION(triangular(a, b, q, out));
}

tb_status tb_cholesky_solve(tb_array *factor, bool lower, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(factor, b, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    const tb_solve q = {TB_SOLVER_potrs, .uplo = lower ? 'L' : 'U', .trans = 'N'};
    return TB__OPERATION(triangular(factor, b, q, out));
}
