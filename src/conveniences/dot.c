/* dot.c - NumPy's dot and the outer form of functions of two elements. */
#include "base/argument.h"
#include "base/shape.h"

/* b, of two dimensions or more, as the matrix (K, rest): its last but one axis first, the others flattened. */
static tb_status as_matrix(tb_array *b, tb_array **out)
{
    const int nd = tb_array_ndim(b);
    const int64_t *shape = tb_array_shape(b);
    int axes[TB_MAXDIM];
    axes[0] = nd - 2;
    for (int i = 0; i < nd - 2; i++) axes[i + 1] = i;
    axes[nd - 1] = nd - 1;
    const int64_t matrix[2] = {shape[nd - 2], tb__product(nd - 2, shape) * shape[nd - 1]};
    tb_array *moved;
    bool copied;
    TB_TRY(tb_transpose(b, axes, &moved));
    const tb_status status = tb_reshape(moved, 2, matrix, 'C', &copied, out);
    tb_array_release(moved);
    return status;
}

/* Of a (n-d) and b (m-d, m > 2): the product of two matrices, shaped a.shape[:-1] + b.shape[:-2] + b.shape[-1:]. */
static tb_status dot_stacks(tb_array *a, tb_array *b, tb_array **out)
{
    const int na = tb_array_ndim(a), nb = tb_array_ndim(b);
    const int64_t *sa = tb_array_shape(a), *sb = tb_array_shape(b), rows[2] = {tb__product(na - 1, sa), sa[na - 1]};
    int64_t shape[TB_MAXDIM];
    int n = 0;
    tb_array *ma = NULL, *mb = NULL, *r = NULL;
    tb_status status;
    bool copied;
    if (sa[na - 1] != sb[nb - 2])
        return tb__fail(TB_ERR_VALUE, "dot: axis %d of a has length %lld, but axis %d of b has length %lld", na - 1,
                        (long long)sa[na - 1], nb - 2, (long long)sb[nb - 2]);
    if (na + nb - 2 > TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "dot: the result would have %d dimensions; %d is the limit", na + nb - 2,
                        TB_MAXDIM);
    for (int i = 0; i < na - 1; i++) shape[n++] = sa[i];
    for (int i = 0; i < nb; i++)
        if (i != nb - 2) shape[n++] = sb[i];
    TB_GOTO(tb_reshape(a, 2, rows, 'C', &copied, &ma));
    TB_GOTO(as_matrix(b, &mb));
    TB_GOTO(tb_matmul(ma, mb, &r));
    status = tb_reshape(r, n, shape, 'C', &copied, out);
fail:
    tb_array_release(ma);
    tb_array_release(mb);
    tb_array_release(r);
    return status;
}

/* Numbers multiply, and up to two dimensions of b dot is matmul. out is NULL where there is an array to write to. */
static tb_status dot(tb_array *a, tb_array *b, tb_array *into, tb_array **out)
{
    if (tb_array_ndim(a) == 0 || tb_array_ndim(b) == 0) {
        const tb_operand in[2] = {tb_operand_array(a), tb_operand_array(b)};
        const tb_ufunc *u = tb_ufunc_find("multiply");
        return into ? tb_ufunc_into(u, in, &into, NULL, NULL) : tb_ufunc_call(u, in, out, NULL);
    }
    if (tb_array_ndim(b) <= 2) return into ? tb_matmul_into(a, b, into) : tb_matmul(a, b, out);
    if (!into) return dot_stacks(a, b, out);
    tb_array *r;
    TB_TRY(dot_stacks(a, b, &r));
    const tb_status status = tb_assign(into, r, TB_CAST_SAME_KIND);
    tb_array_release(r);
    return status;
}

tb_status tb_dot(tb_array *a, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    return dot(a, b, NULL, out);
}

tb_status tb_dot_into(tb_array *a, tb_array *b, tb_array *into)
{
    TB_NOT_NULL(a, b, into);
    return dot(a, b, into, NULL);
}

/* ---- outer ------------------------------------------------------------------------------------------------------- */

tb_status tb_ufunc_outer(const tb_ufunc *u, tb_array *a, tb_array *b, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    tb_array *wide;
    bool copied;
    TB_NOT_NULL(u, a, b, out);
    if (tb_ufunc_nin(u) != 2)
        return tb__fail(TB_ERR_VALUE, "tb_ufunc_outer: %s does not have two inputs", tb_ufunc_name(u));
    const int na = tb_array_ndim(a), ndim = na + tb_array_ndim(b);
    if (ndim > TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "tb_ufunc_outer: the result would have %d dimensions; %d is the limit", ndim,
                        TB_MAXDIM);
    for (int i = 0; i < ndim; i++) shape[i] = i < na ? tb_array_shape(a)[i] : 1;
    TB_TRY(tb_reshape(a, ndim, shape, 'C', &copied, &wide));
    const tb_operand in[2] = {tb_operand_array(wide), tb_operand_array(b)};
    const tb_status status = tb_ufunc_call(u, in, out, NULL);
    tb_array_release(wide);
    return status;
}
