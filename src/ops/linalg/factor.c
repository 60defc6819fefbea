/* factor.c - Cholesky, LU and QR. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/linalg/linalg.h"

/* ---- Cholesky --------------------------------------------------------------------------------------------------- */

/* The memory of a is its transpose, of which the lower triangle is the upper one; and the transpose of a Hermitian
 * matrix's factor is that of its transpose. cuSOLVER takes less than half the time for a lower triangle: there matrices
 * are turned. */
static tb_status cholesky(tb_array *a, bool upper, tb_array **out)
{
    tb_matrices s;
    tb_array *factor;
    TB_TRY(tb__matrices("cholesky", a, true, &s));
    const bool turned = !upper && !tb__backend->on_host;
    TB_TRY(tb__matrix_copy(&s, a, turned, &factor));
    tb_solve q = {TB_SOLVER_potrf, .m = s.n, .n = s.n, .uplo = upper || turned ? 'L' : 'U', .a = tb__matrix_at(factor)};
    tb_status status = factor->size ? tb__solve(&s, &q, "cholesky: the matrix is not positive definite") : TB_OK;
    if (status == TB_OK && turned) {
        status = tb__matrix_turn(factor, &factor);
        if (status != TB_OK) return status;
    }
    if (status == TB_OK) return tb__matrix_triangle(factor, !upper, out);
    tb_array_release(factor);
    return status;
}

tb_status tb_cholesky(tb_array *a, bool upper, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(cholesky(a, upper, out));
}

/* ---- LU --------------------------------------------------------------------------------------------------------- */

/* pivots + by, as int32. */
static tb_status shift(tb_array *pivots, int by, tb_array **out)
{
    tb_array *sum;
    const tb_operand in[] = {tb_operand_array(pivots), {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(by)}};
    TB_TRY(tb_ufunc_call(tb_ufunc_find("add"), in, &sum, NULL));
    const tb_status status = tb__stored(sum, TB_I32, out);
    tb_array_release(sum);
    return status;
}

static tb_status lu_factor(tb_array *a, tb_array **lu, tb_array **pivots)
{
    tb_matrices s;
    tb_array *factors, *order = NULL, *counted = NULL, *result = NULL;
    TB_TRY(tb__matrices("lu_factor", a, false, &s));
    TB_TRY(tb__matrix_copy(&s, a, true, &factors));
    tb_status status = tb__matrix_new(&s, TB_I32, tb__min(s.m, s.n), -1, &order);
    if (status == TB_OK) {
        tb_solve q = {TB_SOLVER_getrf,
                      .m = s.m,
                      .n = s.n,
                      .singular = true,
                      .a = tb__matrix_at(factors),
                      .pivots = tb__matrix_at(order)};
        if (factors->size) status = tb__solve(&s, &q, NULL);
        if (status == TB_OK) status = shift(order, -1, &counted);
        tb_array_release(order);
    }
    if (status == TB_OK) status = tb__swap_axes(factors, a->ndim - 2, a->ndim - 1, &result);
    tb_array_release(factors);
    if (status != TB_OK) {
        if (counted) tb_array_release(counted);
        return status;
    }
    *lu = result;
    *pivots = counted;
    return TB_OK;
}

tb_status tb_lu_factor(tb_array *a, tb_array **lu, tb_array **pivots)
{
    TB_NOT_NULL(a, lu, pivots);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(lu_factor(a, lu, pivots));
}

/* ---- QR --------------------------------------------------------------------------------------------------------- */

/* The first `rows` rows and `cols` columns of each matrix of a, which lies in columns: a view in rows. */
static tb_status corner(tb_array *a, int64_t rows, int64_t cols, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    const int last = a->ndim - 1;
    memcpy(shape, a->dims, (size_t)a->ndim * sizeof *shape);
    memcpy(strides, a->strides, (size_t)a->ndim * sizeof *strides);
    shape[last - 1] = rows;
    shape[last] = cols;
    strides[last - 1] = a->strides[last];
    strides[last] = a->strides[last - 1];
    return tb__view(a, a->offset, (tb_dtype)a->dtype, a->ndim, shape, strides, out);
}

/* R as an array of its own, which is in memory before the factors are overwritten. */
static tb_status take_r(tb_array *factors, int64_t rows, int64_t cols, tb_array **out)
{
    tb_array *view, *r;
    TB_TRY(corner(factors, rows, cols, &view));
    TB_TRY(tb__matrix_triangle(view, false, &r));
    const tb_status status = tb__buffer_eval(r->buffer);
    if (status == TB_OK) *out = r;
    else tb_array_release(r);
    return status;
}

/* Reflectors where Q is to be, `cols` columns of it: the factors' own memory if it has as many. */
static tb_status q_room(const tb_matrices *s, tb_array *factors, int64_t k, int64_t cols, tb_array **out)
{
    tb_array *room, *from = NULL, *to = NULL;
    if (cols == s->n) {
        *out = tb_array_retain(factors);
        return tb__before_write(factors->buffer);
    }
    TB_TRY(tb__matrix_new(s, s->t, cols, s->m, &room));
    tb_status status = corner(factors, s->m, k, &from);
    if (status == TB_OK) status = corner(room, s->m, k, &to);
    if (status == TB_OK) status = tb__assign(to, from, TB_CAST_NO);
    if (status == TB_OK) status = tb__before_write(room->buffer);
    if (from) tb_array_release(from);
    if (to) tb_array_release(to);
    if (status == TB_OK) *out = room;
    else tb_array_release(room);
    return status;
}

static tb_status make_q(const tb_matrices *s, tb_array *factors, tb_array *tau, int64_t k, int64_t cols, tb_array **out)
{
    tb_array *q;
    TB_TRY(q_room(s, factors, k, cols, &q));
    tb_solve solve = {TB_SOLVER_orgqr, .m = s->m, .n = cols, .k = k, .a = tb__matrix_at(q), .v = tb__matrix_at(tau)};
    tb_status status = q->size ? tb__solve(s, &solve, NULL) : TB_OK;
    if (status == TB_OK) return tb__matrix_turn(q, out);
    tb_array_release(q);
    return status;
}

/* Where there is nothing to reflect Q is the unit matrix. */
static tb_status unit_q(const tb_matrices *s, int64_t cols, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    tb_array *eye, *view;
    TB_TRY(tb_eye(s->t, s->m, cols, 0, 'C', &eye));
    memcpy(shape, s->shape, (size_t)s->nbatch * sizeof *shape);
    shape[s->nbatch] = s->m;
    shape[s->nbatch + 1] = cols;
    tb_status status = tb_broadcast_to(eye, s->nbatch + 2, shape, &view);
    tb_array_release(eye);
    TB_TRY(status);
    status = tb__copy(view, 'C', out);
    tb_array_release(view);
    return status;
}

static tb_status q_and_r(const tb_matrices *s, tb_array *factors, tb_array *tau, tb_qr_mode mode, tb_array **q,
                         tb_array **r)
{
    const int64_t k = tb__min(s->m, s->n), cols = mode == TB_QR_COMPLETE ? s->m : k;
    tb_array *upper, *unitary;
    TB_TRY(take_r(factors, cols, s->n, &upper));
    const tb_status status = mode == TB_QR_R           ? TB_OK
                             : k == 0 || s->batch == 0 ? unit_q(s, cols, &unitary)
                                                       : make_q(s, factors, tau, k, cols, &unitary);
    if (status != TB_OK) {
        tb_array_release(upper);
        return status;
    }
    if (mode != TB_QR_R) *q = unitary;
    *r = upper;
    return TB_OK;
}

static tb_status qr(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r)
{
    tb_matrices s;
    tb_array *factors, *tau;
    TB_TRY(tb__matrices("qr", a, false, &s));
    TB_TRY(tb__matrix_copy(&s, a, true, &factors));
    tb_status status = tb__matrix_new(&s, s.t, tb__min(s.m, s.n), -1, &tau);
    if (status != TB_OK) {
        tb_array_release(factors);
        return status;
    }
    tb_solve solve = {TB_SOLVER_geqrf, .m = s.m, .n = s.n, .a = tb__matrix_at(factors), .v = tb__matrix_at(tau)};
    if (factors->size) status = tb__solve(&s, &solve, NULL);
    if (status == TB_OK && mode == TB_QR_RAW) {
        *q = factors;
        *r = tau;
        return TB_OK;
    }
    if (status == TB_OK) status = q_and_r(&s, factors, tau, mode, q, r);
    tb_array_release(factors);
    tb_array_release(tau);
    return status;
}

tb_status tb_qr(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r)
{
    TB_NOT_NULL(a, r);
    TB_IS_CHOICE(mode, TB_QR_RAW + 1);
    if (mode != TB_QR_R) TB_NOT_NULL(q);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(qr(a, mode, q, r));
}
