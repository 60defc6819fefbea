/* stack.c - arrays as stacks of matrices, and what becomes of those that cannot be solved. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/shape.h"
#include "ops/linalg/linalg.h"

/* ---- whether somebody wants to know ----------------------------------------------------------------------------- */

static TB_THREAD_LOCAL bool errors;

bool tb_linalg_errors_get(void) { return errors; }

bool tb_linalg_errors_set(bool on)
{
    const bool before = errors;
    errors = on;
    return before;
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

tb_dtype tb__matrix_dtype(tb_dtype t)
{
    if (tb__is_half(t)) return TB_F32;
    return t >= TB_F32 && t <= TB_C128 ? t : TB_F64;
}

tb_status tb__matrices(const char *who, const tb_array *a, bool square, tb_matrices *out)
{
    char text[256];
    TB_ARE_NUMBERS(who, a->dtype);
    if (a->ndim < 2)
        return tb__fail(TB_ERR_LINALG, "%s: %d-dimensional array given: it must be at least two-dimensional", who,
                        a->ndim);
    out->t = tb__matrix_dtype((tb_dtype)a->dtype);
    out->nbatch = a->ndim - 2;
    memcpy(out->shape, a->dims, (size_t)out->nbatch * sizeof *out->shape);
    out->batch = tb__product(out->nbatch, out->shape);
    out->m = a->dims[a->ndim - 2];
    out->n = a->dims[a->ndim - 1];
    if (square && out->m != out->n)
        return tb__fail(TB_ERR_LINALG, "%s: the last two dimensions must be square, the shape is %s", who,
                        tb__shape_text(text, sizeof text, a->ndim, a->dims));
    return TB_OK;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static tb_status matrix_array(const tb_matrices *s, tb_array *a, bool turned, bool copy, tb_array **out)
{
    tb_array *view, *result;
    if (turned) TB_TRY(tb__swap_axes(a, a->ndim - 2, a->ndim - 1, &view));
    else view = tb_array_retain(a);
    tb_status status = tb__astype(view, s->t, 'C', TB_CAST_UNSAFE, copy, &result);
    tb_array_release(view);
    TB_TRY(status);
    status = tb__buffer_eval(result->buffer);
    if (status == TB_OK && copy) status = tb__before_write(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb__matrix_copy(const tb_matrices *s, tb_array *a, bool turned, tb_array **out)
{
    return matrix_array(s, a, turned, true, out);
}

tb_status tb__matrix_own(const tb_matrices *s, tb_array *a, bool turned, tb_array **out)
{
    tb_array *result;
    TB_TRY(matrix_array(s, a, turned, false, &result));
    const tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb__matrix_read(const tb_matrices *s, tb_array *a, bool turned, tb_array **out)
{
    return matrix_array(s, a, turned, false, out);
}

tb_status tb__matrix_new(const tb_matrices *s, tb_dtype t, int64_t rows, int64_t cols, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    tb_array *result;
    memcpy(shape, s->shape, (size_t)s->nbatch * sizeof *shape);
    shape[s->nbatch] = rows;
    if (cols >= 0) shape[s->nbatch + 1] = cols;
    TB_TRY(tb__empty(t, s->nbatch + 1 + (cols >= 0), shape, 'C', &result));
    const tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb__matrix_turn(tb_array *a, tb_array **out)
{
    const tb_status status = tb__swap_axes(a, a->ndim - 2, a->ndim - 1, out);
    tb_array_release(a);
    return status;
}

tb_status tb__matrix_triangle(tb_array *a, bool lower, tb_array **out)
{
    tb_array *mask;
    const int64_t rows = a->dims[a->ndim - 2], cols = a->dims[a->ndim - 1];
    tb_status status = tb_tri(TB_BOOL, rows, cols, lower ? 0 : -1, &mask);
    if (status == TB_OK) {
        const tb_operand x = tb_operand_array(a), zero = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(0)};
        const tb_operand where = tb_operand_array(mask);
        status = tb_where(&where, lower ? &x : &zero, lower ? &zero : &x, out);
        tb_array_release(mask);
    }
    tb_array_release(a);
    return status;
}

/* ---- solving ---------------------------------------------------------------------------------------------------- */

/* Waits for what the device says of each matrix. */
static tb_status look(const tb_array *info, const char *failure)
{
    tb_array *worst = NULL;
    int32_t least, most;
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    TB_TRY(tb__reduce(TB_RED_MIN, (tb_array *)info, &args, NULL, &worst));
    tb_status status = tb_array_get(worst, &least, NULL, NULL, true);
    tb_array_release(worst);
    TB_TRY(status);
    TB_TRY(tb__reduce(TB_RED_MAX, (tb_array *)info, &args, NULL, &worst));
    status = tb_array_get(worst, &most, NULL, NULL, true);
    tb_array_release(worst);
    TB_TRY(status);
    return least == 0 && most == 0 ? TB_OK : tb__fail(TB_ERR_LINALG, "%s", failure);
}

bool tb__linalg_errors_wanted(void) { return errors || tb_strict_indices_get(); }

tb_status tb__solve(const tb_matrices *s, tb_solve *q, const char *failure)
{
    tb_stream *stream;
    tb_array *info = NULL;
    const bool wanted = failure && tb__linalg_errors_wanted();
    q->batch = s->batch;
    q->dtype = s->t;
    TB_TRY(tb__current_stream(&stream));
    if (wanted) {
        TB_TRY(tb__empty(TB_I32, 1, &s->batch, 'C', &info));
        const tb_status status = tb__before_write(info->buffer);
        if (status != TB_OK) {
            tb_array_release(info);
            return status;
        }
        q->info = tb__matrix_at(info);
    }
    tb__count.launches++;
    tb_status status = tb__backend->solve(stream, q);
    tb__retry_no_more(); /* it is not done again for want of a kernel */
    if (wanted) {
        if (status == TB_OK) status = look(info, failure);
        tb_array_release(info);
    }
    return status;
}
