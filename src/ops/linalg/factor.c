/* factor.c - Cholesky and LU. */
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

tb_status tb__pivots_shift(tb_array *pivots, int by, tb_array **out)
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
        if (status == TB_OK) status = tb__pivots_shift(order, -1, &counted);
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
