/* least_squares.c - LSQR and LSMR, where the device is the host. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"

static const char who[] = "tb_sparse_solve_least_squares";

/* What goes in and out, in memory. */
typedef struct problem {
    tb_held h;
    tb_array *data, *conjugate, *b, *x, *variance;
} problem;

static void drop(problem *y)
{
    tb_array_release(y->data);
    tb_array_release(y->conjugate);
    tb_array_release(y->b);
    tb_array_release(y->x);
    tb_array_release(y->variance);
    tb__pattern_drop(&y->h);
}

/* Whatever is in it, a copy that is written at once. */
static tb_status writable(tb_array *a, tb_dtype t, tb_array **out)
{
    TB_TRY(tb__astype(a, t, 'C', TB_CAST_UNSAFE, true, out));
    TB_TRY(tb__buffer_eval((*out)->buffer));
    return tb__before_write((*out)->buffer);
}

static tb_status zeros(tb_dtype t, int64_t n, tb_array **out)
{
    TB_TRY(tb__empty(t, 1, &n, 'C', out));
    TB_TRY(tb__before_write((*out)->buffer));
    if (n > 0) memset(tb__vector_at(*out), 0, (size_t)n * tb_dtype_size(t));
    return TB_OK;
}

static bool is_complex(tb_dtype t) { return t == TB_C64 || t == TB_C128; }

static tb_status hold(tb_array *data, tb_array *b, tb_array *x0, int64_t n, bool variance, problem *y)
{
    const tb_dtype t = (tb_dtype)data->dtype, wide = is_complex(t) ? TB_C128 : TB_F64;
    TB_TRY(tb__stored(data, t, &y->data));
    TB_TRY(tb__stored(b, t, &y->b));
    if (is_complex(t)) {
        tb_array *conjugate;
        TB_TRY(tb_conjugate(data, &conjugate));
        const tb_status status = tb__stored(conjugate, t, &y->conjugate);
        tb_array_release(conjugate);
        TB_TRY(status);
    }
    TB_TRY(x0 ? writable(x0, wide, &y->x) : zeros(wide, n, &y->x));
    return variance ? zeros(TB_F64, n, &y->variance) : TB_OK;
}

static tb_status solve(const problem *y, bool transposed, bool from_x, tb_least_squares *o)
{
    TB_TRY(tb__sparse_begin());
    tb_sparse_least_squares l = {.a = y->h.p,
                                 .columns = transposed,
                                 .lsmr = o->lsmr,
                                 .dtype = (tb_dtype)y->data->dtype,
                                 .n = y->h.n,
                                 .data = tb__vector_at(y->data),
                                 .conjugate = tb__vector_at(y->conjugate ? y->conjugate : y->data),
                                 .b = tb__vector_at(y->b),
                                 .x = tb__vector_at(y->x),
                                 .from_x = from_x,
                                 .variance = y->variance ? tb__vector_at(y->variance) : NULL,
                                 .damp = o->damp,
                                 .atol = o->atol,
                                 .btol = o->btol,
                                 .conlim = o->conlim,
                                 .limit = o->limit};
    tb__count.launches++;
    TB_TRY(tb__backend->sparse->least_squares(&l));
    o->reason = l.reason;
    o->steps = l.steps;
    memcpy(o->norm, l.norm, sizeof l.norm);
    return TB_OK;
}

static tb_status least_squares(const tb_pattern *a, tb_array *data, bool transposed, tb_array *b, tb_array *x0,
                               tb_least_squares *o, tb_array **x, tb_array **variance)
{
    problem y = {.data = NULL};
    TB_TRY(tb__pattern_hold(who, a, &y.h));
    tb_status status = hold(data, b, x0, transposed ? a->rows : a->cols, variance != NULL, &y);
    if (status == TB_OK) status = solve(&y, transposed, x0 != NULL, o);
    if (status == TB_OK) {
        *x = tb_array_retain(y.x);
        if (variance) *variance = tb_array_retain(y.variance);
    }
    drop(&y);
    return status;
}

static tb_status check_vector(const char *name, const tb_array *a, tb_dtype t, int64_t n)
{
    if (a->ndim == 1 && a->size == n && a->dtype == t) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: %s must be a vector of %lld elements, of %s", who, name, (long long)n,
                    tb_dtype_name(t));
}

tb_status tb_sparse_solve_least_squares(const tb_pattern *a, tb_array *data, bool transposed, tb_array *b, tb_array *x0,
                                        tb_least_squares *options, tb_array **x, tb_array **variance)
{
    TB_NOT_NULL(a, data, b, options);
    TB_NOT_NULL(x, a->start, a->index);
    TB_NOT_RELEASED(x0);
    const tb_dtype t = (tb_dtype)data->dtype;
    TB_TRY(tb__sparse_on_host(who));
    TB_TRY(tb__values_usable(who, a, data));
    if (t < TB_F32 || t > TB_C128)
        return tb__fail(TB_ERR_VALUE, "%s: a matrix of float32, float64, complex64 or complex128 is expected", who);
    TB_TRY(check_vector("b", b, t, transposed ? a->cols : a->rows));
    if (x0) TB_TRY(check_vector("x0", x0, is_complex(t) ? TB_C128 : TB_F64, transposed ? a->rows : a->cols));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(least_squares(a, data, transposed, b, x0, options, x, variance));
}
