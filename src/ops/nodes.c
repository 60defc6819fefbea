/* nodes.c - expression nodes by operation, for operations that are compositions of loops. */
#include "backend/retry.h"
#include "base/error.h"
#include "graph/eval.h"
#include "ops/array_ops.h"

tb_status tb__node_scalar(tb_scalar s, tb_dtype t, tb_expr **out)
{
    tb_scalar value;
    TB_TRY(tb_scalar_cast(s, t, &value));
    tb_expr *e = tb__expr_scalar(value);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    *out = e;
    return TB_OK;
}

tb_status tb__node_fill(tb_scalar s, tb_dtype t, int ndim, const int64_t *shape, char order, tb_expr **out)
{
    tb_expr *e;
    TB_TRY(tb__node_scalar(s, t, &e));
    return tb__expr_op(TB_NOLOOP, 1, &e, ndim, shape, order, out);
}

tb_status tb__node_input(tb_array *a, tb_dtype t, int ndim, const int64_t *shape, tb_expr **out)
{
    tb_expr *e;
    TB_TRY(tb__expr_input(a, ndim, shape, &e));
    return tb__expr_cast(e, t, out);
}

tb_status tb__node(tb_op op, int nin, tb_expr **in, int ndim, const int64_t *shape, char order, tb_expr **out)
{
    tb_dtype types[TB_MAXIN] = {TB_NODTYPE};
    for (int i = 0; i < nin; i++) types[i] = (tb_dtype)in[i]->dtype;
    tb_loop loop = tb__loop_find(op, nin, types);
    if (loop != TB_NOLOOP) return tb__expr_op(loop, nin, in, ndim, shape, order, out);
    for (int i = 0; i < nin; i++) tb__expr_release(in[i]);
    return tb__fail(TB_ERR_TYPE, "%s has no loop for %s", tb_op_table[op].name, tb_dtype_name(types[0]));
}

tb_status tb__ready(int n, tb_array *const *a)
{
    for (int i = 0; i < n; i++) {
        tb_buffer *b = a[i] ? a[i]->buffer : NULL;
        if (b && b->joined) TB_TRY(tb__buffer_eval(b->joined));
        if (b && b->expr && b->ptr) TB_TRY(tb__buffer_eval(b));
    }
    return TB_OK;
}

tb_status tb__fit_prologue(tb_array *a, int max_nodes, int max_leaves)
{
    tb_expr *e = a->buffer->expr;
    if (!e) return TB_OK;
    if (tb__is_computed(e)) return tb__buffer_eval(a->buffer);
    if (e->nodes <= max_nodes && e->leaves <= max_leaves) return TB_OK;
    tb__recount(e); /* the bounds count shared nodes more than once */
    return e->nodes <= max_nodes && e->leaves <= max_leaves ? TB_OK : tb__buffer_eval(a->buffer);
}
