/* functions.c - functions of matrices: determinants, exponentials, how wide a band is. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/waits.h"
#include "ops/linalg/linalg.h"

/* ---- determinants ----------------------------------------------------------------------------------------------- */

static tb_status det(tb_array *a, tb_array **out)
{
    tb_matrices s;
    tb_array *factors, *result;
    TB_TRY(tb__matrices("det", a, true, &s));
    const tb_dtype t = tb_dtype_kind(s.t) == TB_KIND_COMPLEX ? TB_C128 : TB_F64;
    if (s.n == 0 || s.batch == 0) return tb__full(t, s.nbatch, s.shape, 'C', tb_scalar_int(1), out);
    TB_TRY(tb__empty(t, s.nbatch, s.shape, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) status = tb__matrix_copy(&s, a, false, &factors); /* the transpose has the same */
    if (status == TB_OK) {
        tb_solve q = {TB_SOLVER_det, .m = s.n, .n = s.n, .a = tb__matrix_at(factors), .v = tb__matrix_at(result)};
        status = tb__solve(&s, &q, NULL);
        tb_array_release(factors);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb_det(tb_array *a, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(det(a, out));
}

/* ---- exponentials ----------------------------------------------------------------------------------------------- */

/* The exponential of what LAPACK sees in memory, the transpose, is that of what is asked for, transposed. */
static tb_status expm(tb_array *a, tb_array **out)
{
    tb_matrices s;
    tb_array *result;
    TB_TRY(tb__matrices("expm", a, true, &s));
    TB_TRY(tb__matrix_copy(&s, a, false, &result));
    tb_solve q = {TB_SOLVER_expm, .m = s.n, .n = s.n, .a = tb__matrix_at(result)};
    const tb_status status = result->size ? tb__solve(&s, &q, NULL) : TB_OK;
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb_expm(tb_array *a, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(expm(a, out));
}

/* ---- bands ------------------------------------------------------------------------------------------------------ */

static tb_status bandwidth(tb_array *a, int64_t *out)
{
    out[0] = out[1] = 0;
    if (a->size == 0) return TB_OK;
    TB_TRY(tb__buffer_eval(a->buffer));
    tb__backend->bandwidth((tb_dtype)a->dtype, tb__matrix_at(a), a->dims, a->strides, out);
    return TB_OK;
}

tb_status tb_bandwidth(tb_array *a, int64_t *below, int64_t *above)
{
    int64_t out[2];
    TB_NOT_NULL(a, below, above);
    TB_ARE_NUMBERS("bandwidth", a->dtype);
    if (a->ndim != 2) return tb__fail(TB_ERR_VALUE, "bandwidth: a must be a matrix, not of %d dimensions", a->ndim);
    if (!tb__backend->bandwidth) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "bandwidth: the device is not the host");
    TB_TRY(tb__may_wait("the bandwidth"));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    TB_TRY(TB__OPERATION(bandwidth(a, out)));
    *below = out[0];
    *above = out[1];
    return TB_OK;
}
