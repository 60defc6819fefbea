/* factors.c - sparse equations: what is kept beside the backend's factors, and operands in its layouts. */
#include <stdlib.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

/* The solver may look at the matrix again, so it has arrays of its own, which nobody else writes to. */
struct tb_sparse_factors {
    int device;
    tb_dtype dtype;
    int64_t n;
    tb_array *start, *index, *data;
    void *own; /* the backend's */
};

static tb_status check_backend(void)
{
    if (tb__backend->sparse_solver) return TB_OK;
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "sparse equations: cuDSS solves them on GPUs; the CPU backend has none");
}

static tb_status check(void)
{
    TB_TRY(check_backend());
    return tb__backend->sparse_solver->check();
}

tb_status tb_sparse_solver_check(void)
{
    tb__lock();
    const tb_status status = check();
    tb__unlock();
    return status;
}

static void drop(tb_sparse_factors *f)
{
    if (f->own) tb__backend->sparse_solver->free(f->own);
    tb_array_release(f->start);
    tb_array_release(f->index);
    tb_array_release(f->data);
    free(f);
}

void tb_sparse_factors_release(tb_sparse_factors *factors)
{
    if (!factors) return;
    tb__lock();
    drop(factors);
    tb__unlock();
}

/* ---- factoring --------------------------------------------------------------------------------------------------- */

/* A copy as dtype t, in memory. */
static tb_status keep(tb_array *a, tb_dtype t, tb_array **out)
{
    tb_array *copy;
    TB_TRY(tb__astype(a, t, 'C', TB_CAST_UNSAFE, true, &copy));
    const tb_status status = tb__buffer_eval(copy->buffer);
    if (status == TB_OK) *out = copy;
    else tb_array_release(copy);
    return status;
}

static tb_status fill(const tb_pattern *a, tb_array *data, bool positive, tb_sparse_factors *f)
{
    tb_stream *s;
    const bool wide = a->rows > INT32_MAX || a->index->size > INT32_MAX;
    const tb_dtype index = wide ? TB_I64 : TB_I32;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(keep(a->start, index, &f->start));
    TB_TRY(keep(a->index, index, &f->index));
    TB_TRY(keep(data, (tb_dtype)data->dtype, &f->data));
    f->device = s->device;
    f->dtype = (tb_dtype)data->dtype;
    f->n = a->rows;
    const tb_sparse_equations e = {
        .a = {a->rows, a->cols, wide, tb__vector_at(f->start), tb__vector_at(f->index)},
        .n = f->index->size,
        .dtype = f->dtype,
        .positive = positive,
        .data = tb__vector_at(f->data),
    };
    return tb__backend->sparse_solver->factor(s, &e, &f->own);
}

static tb_status factor(const tb_pattern *a, tb_array *data, bool positive, tb_sparse_factors **out)
{
    TB_TRY(check());
    tb_sparse_factors *f = calloc(1, sizeof *f);
    if (!f) return tb__fail_memory(sizeof *f, 0, 0, 0);
    const tb_status status = fill(a, data, positive, f);
    if (status == TB_OK) *out = f;
    else drop(f);
    return status;
}

static tb_status check_matrix(const tb_pattern *a, const tb_array *data)
{
    static const char who[] = "tb_sparse_factor";
    TB_TRY(tb__pattern_usable(who, a));
    TB_ARE_NUMBERS(who, data->dtype);
    if (data->dtype < TB_F32 || data->dtype > TB_C128)
        return tb__fail(TB_ERR_TYPE, "%s: float32, float64, complex64 or complex128 is expected, not %s", who,
                        tb_dtype_name((tb_dtype)data->dtype));
    if (data->ndim != 1 || data->size != a->index->size)
        return tb__fail(TB_ERR_VALUE, "%s: a pattern of %lld elements must have as many values", who,
                        (long long)a->index->size);
    if (a->rows == a->cols && a->rows > 0 && data->size > 0) return TB_OK;
    return tb__fail(TB_ERR_LINALG, "%s: the matrix must be square and not empty, its shape is (%lld, %lld)", who,
                    (long long)a->rows, (long long)a->cols);
}

tb_status tb_sparse_factor(const tb_pattern *a, tb_array *data, bool positive, tb_sparse_factors **out)
{
    TB_NOT_NULL(a, data, out);
    TB_NOT_NULL(a->start, a->index);
    TB_TRY(check_matrix(a, data));
    return TB__OPERATION(factor(a, data, positive, out));
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static tb_status solve_held(tb_stream *s, const tb_sparse_factors *f, const tb_array *b, tb_array **out)
{
    tb_array *x;
    TB_TRY(tb__empty(f->dtype, b->ndim, b->dims, 'F', &x));
    tb_status status = tb__before_write(x->buffer);
    if (status == TB_OK && x->size > 0) {
        tb__count.launches++;
        status = tb__backend->sparse_solver->solve(s, f->own, x->size / f->n, tb__vector_at(b), tb__vector_at(x));
    }
    if (status == TB_OK) *out = x;
    else tb_array_release(x);
    return status;
}

static tb_status solve(const tb_sparse_factors *f, tb_array *b, tb_array **out)
{
    tb_stream *s;
    tb_array *held, *cast;
    TB_TRY(tb__current_stream(&s));
    if (s->device != f->device)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_solve: the factors are device %d's, which is not the current one",
                        f->device);
    TB_TRY(tb__astype(b, f->dtype, 'F', TB_CAST_UNSAFE, false, &cast));
    tb_status status = TB_OK;
    if (cast->f_contiguous) held = tb_array_retain(cast);
    else status = tb__copy(cast, 'F', &held);
    tb_array_release(cast);
    TB_TRY(status);
    status = tb__buffer_eval(held->buffer);
    if (status == TB_OK) status = solve_held(s, f, held, out);
    tb_array_release(held);
    return status;
}

tb_status tb_sparse_solve(tb_sparse_factors *factors, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(factors, b, out);
    TB_ARE_NUMBERS(__func__, b->dtype);
    TB_TRY(check_backend());
    if ((b->ndim != 1 && b->ndim != 2) || b->dims[0] != factors->n)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_solve: b must have the shape (%lld,) or (%lld, k)",
                        (long long)factors->n, (long long)factors->n);
    return TB__OPERATION(solve(factors, b, out));
}
