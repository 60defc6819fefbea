/* qr.c - QR decompositions, with the columns as they are or the largest first. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/linalg/linalg.h"

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

/* ---- pivots ----------------------------------------------------------------------------------------------------- */

/* Zeros, which are what geqp3 wants: any column may come first. */
static tb_status no_order(const tb_matrices *s, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    tb_array *result;
    memcpy(shape, s->shape, (size_t)s->nbatch * sizeof *shape);
    shape[s->nbatch] = s->n;
    TB_TRY(tb__full(TB_I32, s->nbatch + 1, shape, 'C', tb_scalar_int(0), &result));
    tb_status status = tb__buffer_eval(result->buffer);
    if (status == TB_OK) status = tb__before_write(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* The columns as they come, where there is nothing to decompose. */
static tb_status plain_order(const tb_matrices *s, tb_array **out)
{
    tb_array *none, *step;
    TB_TRY(no_order(s, &none));
    tb_status status = tb_arange(TB_I32, tb_scalar_int(0), tb_scalar_int(1), s->n, &step);
    if (status == TB_OK) {
        const tb_operand in[] = {tb_operand_array(none), tb_operand_array(step)};
        status = tb_ufunc_call(tb_ufunc_find("add"), in, out, NULL);
        tb_array_release(step);
    }
    tb_array_release(none);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* Reflectors, and where they are wanted pivots counted from 0. */
static tb_status factorize(const tb_matrices *s, tb_array *factors, tb_array *tau, tb_array **pivots)
{
    tb_solve solve = {TB_SOLVER_geqrf, .m = s->m, .n = s->n, .a = tb__matrix_at(factors), .v = tb__matrix_at(tau)};
    tb_array *order;
    if (!factors->size) return pivots ? plain_order(s, pivots) : TB_OK;
    if (!pivots) return tb__solve(s, &solve, NULL);
    TB_TRY(no_order(s, &order));
    solve.routine = TB_SOLVER_geqp3;
    solve.pivots = tb__matrix_at(order);
    tb_status status = tb__solve(s, &solve, NULL);
    if (status == TB_OK) status = tb__pivots_shift(order, -1, pivots);
    tb_array_release(order);
    return status;
}

static tb_status qr(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r, tb_array **pivots)
{
    tb_matrices s;
    tb_array *factors, *tau, *order = NULL;
    TB_TRY(tb__matrices("qr", a, false, &s));
    TB_TRY(tb__matrix_copy(&s, a, true, &factors));
    tb_status status = tb__matrix_new(&s, s.t, tb__min(s.m, s.n), -1, &tau);
    if (status != TB_OK) {
        tb_array_release(factors);
        return status;
    }
    status = factorize(&s, factors, tau, pivots ? &order : NULL);
    if (status == TB_OK && mode == TB_QR_RAW) {
        *q = tb_array_retain(factors);
        *r = tb_array_retain(tau);
    } else if (status == TB_OK) {
        status = q_and_r(&s, factors, tau, mode, q, r);
    }
    tb_array_release(factors);
    tb_array_release(tau);
    if (status == TB_OK && pivots) *pivots = order;
    else if (order) tb_array_release(order);
    return status;
}

tb_status tb_qr(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r)
{
    TB_NOT_NULL(a, r);
    TB_IS_CHOICE(mode, TB_QR_RAW + 1);
    if (mode != TB_QR_R) TB_NOT_NULL(q);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(qr(a, mode, q, r, NULL));
}

tb_status tb_qr_pivoted(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r, tb_array **pivots)
{
    TB_NOT_NULL(a, r, pivots);
    TB_IS_CHOICE(mode, TB_QR_RAW + 1);
    if (mode != TB_QR_R) TB_NOT_NULL(q);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(qr(a, mode, q, r, pivots));
}
