/* finite.c - what LAPACK says of a matrix and a GPU's libraries do not: of elements that are not finite some fail and
 * some make numbers of them; of zeros on a triangle's diagonal they say nothing. */
#include <math.h>

#include "backend/backend.h"
#include "base/error.h"
#include "ops/linalg/linalg.h"

static tb_status all_finite(tb_array *a, tb_array **out)
{
    const tb_operand in[] = {tb_operand_array(a)};
    const tb_reduce_args args = {sizeof args, .naxis = 2, .axis = {a->ndim - 2, a->ndim - 1}, .keepdims = true,
                                 .dtype = TB_NODTYPE};
    tb_array *finite;
    TB_TRY(tb_ufunc_call(tb_ufunc_find("isfinite"), in, &finite, NULL));
    const tb_status status = tb_reduce(TB_RED_ALL, finite, &args, out);
    tb_array_release(finite);
    return status;
}

static tb_status clear(tb_array *a, tb_array *sound, tb_array **clean)
{
    const tb_operand where = tb_operand_array(sound), x = tb_operand_array(a);
    const tb_operand zero = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(0)};
    return tb_where(&where, &x, &zero, clean);
}

tb_status tb__matrix_sound(tb_array *a, tb_array **sound, tb_array **clean)
{
    *sound = NULL;
    *clean = a;
    if (tb__backend->on_host || a->size == 0 || tb_dtype_kind((tb_dtype)a->dtype) < TB_KIND_FLOAT) return TB_OK;
    tb_status status = all_finite(a, sound);
    if (status == TB_OK) {
        status = clear(a, *sound, clean);
        if (status != TB_OK) tb_array_release(*sound);
    }
    tb_array_release(a);
    if (status != TB_OK) *sound = *clean = NULL;
    return status;
}

tb_status tb__matrix_spoil(tb_array *sound, tb_array **result)
{
    tb_array *condition, *spoiled;
    if (!sound || !*result) return TB_OK;
    TB_TRY(tb__view(sound, sound->offset, TB_BOOL, (*result)->ndim, sound->dims, sound->strides, &condition));
    const bool is_complex = tb_dtype_kind((tb_dtype)(*result)->dtype) == TB_KIND_COMPLEX;
    const tb_operand where = tb_operand_array(condition), x = tb_operand_array(*result);
    const tb_operand none = {TB_OPERAND_SCALAR,
                             .scalar = is_complex ? tb_scalar_complex(NAN, NAN) : tb_scalar_float(NAN)};
    const tb_status status = tb_where(&where, &x, &none, &spoiled);
    tb_array_release(condition);
    if (status != TB_OK) return status;
    tb_array_release(*result);
    *result = spoiled;
    return TB_OK;
}

/* Where the thread asks for errors: waits, and fails unless all elements are true. */
static tb_status check(tb_array *truths, const char *failure)
{
    const tb_reduce_args args = TB_REDUCE_ARGS_INIT;
    tb_array *all;
    bool good = true;
    TB_TRY(tb_reduce(TB_RED_ALL, truths, &args, &all));
    const tb_status status = tb_array_get(all, &good, NULL, NULL, true);
    tb_array_release(all);
    return status != TB_OK || good ? status : tb__fail(TB_ERR_LINALG, "%s", failure);
}

tb_status tb__matrix_check_sound(tb_array *sound, const char *failure)
{
    return sound && tb__linalg_errors_wanted() ? check(sound, failure) : TB_OK;
}

tb_status tb__matrix_check_diagonal(tb_array *a, const char *failure)
{
    const int last = a->ndim - 1;
    int64_t strides[TB_MAXDIM];
    tb_array *diagonal, *there;
    if (tb__backend->on_host || !tb__linalg_errors_wanted()) return TB_OK;
    for (int d = 0; d < last; d++) strides[d] = a->strides[d];
    strides[last - 1] += a->strides[last];
    TB_TRY(tb__view(a, a->offset, (tb_dtype)a->dtype, last, a->dims, strides, &diagonal));
    const tb_operand in[] = {tb_operand_array(diagonal), {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(0)}};
    tb_status status = tb_ufunc_call(tb_ufunc_find("not_equal"), in, &there, NULL);
    tb_array_release(diagonal);
    if (status != TB_OK) return status;
    status = check(there, failure);
    tb_array_release(there);
    return status;
}
