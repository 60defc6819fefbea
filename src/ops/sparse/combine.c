/* combine.c - elementwise functions of two matrices in one pass over both, on the host. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/sparse/sparse.h"
#include "tables/loops.h"

static tb_status find_function(const tb_ufunc *u, tb_sparse_function *out)
{
    static const tb_op ops[] = {
        [TB_SPARSE_ADD] = TB_OP_add,           [TB_SPARSE_SUBTRACT] = TB_OP_subtract,
        [TB_SPARSE_MULTIPLY] = TB_OP_multiply, [TB_SPARSE_MAXIMUM] = TB_OP_maximum,
        [TB_SPARSE_MINIMUM] = TB_OP_minimum,   [TB_SPARSE_NOT_EQUAL] = TB_OP_not_equal,
        [TB_SPARSE_LESS] = TB_OP_less,         [TB_SPARSE_GREATER] = TB_OP_greater,
    };
    for (int i = 0; i < TB_SPARSE_FUNCTIONS; i++)
        if (u->op == ops[i]) {
            *out = (tb_sparse_function)i;
            return TB_OK;
        }
    return tb__fail(TB_ERR_NOT_IMPLEMENTED, "tb_sparse_combine: there is no routine for %s", tb_ufunc_name(u));
}

static tb_status make_elements(const tb_sparse_combination *c, int64_t n, tb_array **index, tb_array **values)
{
    TB_TRY(tb__index_vector(c->a.wide, n, index));
    return tb__sparse_room(c->function < TB_SPARSE_NOT_EQUAL ? c->dtype : TB_BOOL, 1, &n, 'C', values);
}

static tb_status fill(tb_sparse_combination *c, int64_t most, tb_pattern *made, tb_array **values)
{
    tb_array *index = NULL, *data = NULL;
    int64_t n = 0;
    *made = (tb_pattern){c->a.rows, c->a.cols, NULL, NULL};
    TB_TRY(tb__index_vector(c->a.wide, c->a.rows + 1, &made->start));
    tb_status status = make_elements(c, most, &index, &data);
    if (status == TB_OK) {
        c->size = tb_dtype_size(data->dtype);
        c->start = tb__vector_at(made->start);
        c->room.index = tb__vector_at(index);
        c->room.data = tb__vector_at(data);
        tb__count.launches++;
        status = tb__backend->sparse->combine(c);
    }
    if (status == TB_OK) status = tb__pattern_size(made->start, &n);
    if (status == TB_OK) status = make_elements(c, n, &made->index, values);
    if (status == TB_OK && n > 0) {
        c->made.index = tb__vector_at(made->index);
        c->made.data = tb__vector_at(*values);
        status = tb__backend->sparse->combine(c);
    }
    tb_array_release(index);
    tb_array_release(data);
    return status;
}

static tb_status combine_stored(tb_sparse_combination *c, int64_t most, tb_array *a_values, tb_array *b_values,
                                tb_pattern *made, tb_array **values)
{
    tb_array *x = NULL, *y = NULL;
    tb_status status = tb__stored(a_values, c->dtype, &x);
    if (status == TB_OK) status = tb__stored(b_values, c->dtype, &y);
    if (status == TB_OK) status = tb__sparse_begin();
    if (status == TB_OK) {
        c->a_data = tb__vector_at(x);
        c->b_data = tb__vector_at(y);
        status = fill(c, most, made, values);
    }
    tb_array_release(x);
    tb_array_release(y);
    return status;
}

static tb_status combine(const tb_pattern *a, tb_array *a_values, const tb_pattern *b, tb_array *b_values,
                         tb_sparse_function function, tb_pattern *out, tb_array **values)
{
    tb_held x, y;
    tb_pattern made = {0, 0, NULL, NULL};
    tb_array *result = NULL;
    tb_sparse_combination c = {.dtype = (tb_dtype)a_values->dtype, .function = function};
    TB_TRY(tb__pattern_hold("tb_sparse_combine", a, &x));
    tb_status status = tb__pattern_hold("tb_sparse_combine", b, &y);
    if (status == TB_OK) {
        c.a = x.p;
        c.b = y.p;
        status = combine_stored(&c, x.n + y.n, a_values, b_values, &made, &result);
        tb__pattern_drop(&y);
    }
    tb__pattern_drop(&x);
    if (status != TB_OK) {
        tb__pattern_release(&made);
        tb_array_release(result);
        return status;
    }
    *out = made;
    *values = result;
    return TB_OK;
}

/* Whether there is a loop for the dtype, before anything is made. */
static tb_status check_loop(const tb_pattern *a, tb_dtype t, tb_sparse_function function)
{
    tb_sparse_combination c = {.a = {.wide = a->index->dtype == TB_I64}, .dtype = t, .function = function};
    return tb__backend->sparse->combine(&c);
}

tb_status tb_sparse_combine(const tb_pattern *a, tb_array *a_values, const tb_pattern *b, tb_array *b_values,
                            const tb_ufunc *u, tb_pattern *out, tb_array **values)
{
    tb_sparse_function function = TB_SPARSE_ADD;
    TB_NOT_NULL(a, b, u);
    TB_NOT_NULL(a_values, b_values, out, values);
    TB_NOT_NULL(a->start, a->index, b->start, b->index);
    TB_TRY(tb__sparse_on_host(__func__));
    TB_TRY(tb__values_usable(__func__, a, a_values));
    TB_TRY(tb__values_usable(__func__, b, b_values));
    if (a->rows != b->rows || a->cols != b->cols || a->index->dtype != b->index->dtype)
        return tb__fail(TB_ERR_VALUE, "tb_sparse_combine: both must have one shape and one dtype of indices");
    if (a_values->dtype != b_values->dtype)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "tb_sparse_combine: there is no routine for two dtypes");
    TB_TRY(find_function(u, &function));
    TB_TRY(check_loop(a, (tb_dtype)a_values->dtype, function));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(combine(a, a_values, b, b_values, function, out, values));
}
