/* products.c - products of vectors by dot, matmul and vecdot: inner, vdot, matvec, vecmat. */
#include "base/argument.h"
#include "base/shape.h"

/* ---- inner ------------------------------------------------------------------------------------------------------- */

tb_status tb_inner(tb_array *a, tb_array *b, tb_array **out)
{
    tb_array *turned;
    int axes[TB_MAXDIM];
    TB_NOT_NULL(a, b, out);
    const int na = tb_array_ndim(a), nb = tb_array_ndim(b);
    if (na && nb && tb_array_shape(a)[na - 1] != tb_array_shape(b)[nb - 1])
        return tb__fail(TB_ERR_VALUE, "inner: the last axes have lengths %lld and %lld",
                        (long long)tb_array_shape(a)[na - 1], (long long)tb_array_shape(b)[nb - 1]);
    if (na == 0 || nb < 2) return tb_dot(a, b, out);
    for (int d = 0; d < nb; d++) axes[d] = d;
    axes[nb - 2] = nb - 1;
    axes[nb - 1] = nb - 2;
    TB_TRY(tb_transpose(b, axes, &turned));
    const tb_status status = tb_dot(a, turned, out);
    tb_array_release(turned);
    return status;
}

/* ---- vdot -------------------------------------------------------------------------------------------------------- */

static tb_status flattened(tb_array *a, tb_array **out)
{
    bool copied;
    const int64_t size = tb_array_size(a);
    return tb_array_ndim(a) == 1 ? (*out = tb_array_retain(a), TB_OK) : tb_reshape(a, 1, &size, 'C', &copied, out);
}

tb_status tb_vdot(tb_array *a, tb_array *b, tb_array **out)
{
    tb_array *x = NULL, *y = NULL;
    tb_status status;
    TB_NOT_NULL(a, b, out);
    if (tb_array_size(a) != tb_array_size(b))
        return tb__fail(TB_ERR_VALUE, "vdot: the sizes differ: %lld and %lld", (long long)tb_array_size(a),
                        (long long)tb_array_size(b));
    TB_GOTO(flattened(a, &x));
    TB_GOTO(flattened(b, &y));
    status = tb_vecdot(x, y, 0, out);
fail:
    tb_array_release(x);
    tb_array_release(y);
    return status;
}

/* ---- a vector beside matrices ------------------------------------------------------------------------------------ */

typedef enum side { LEFT, RIGHT } side; /* of the vector */

/* a with an axis of length 1 as its last but one, or as its last. */
static tb_status widened(tb_array *a, side s, tb_array **out)
{
    int64_t shape[TB_MAXDIM];
    bool copied;
    const int n = tb_array_ndim(a), at = s == LEFT ? n - 1 : n;
    if (n == TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "matmul: at most %d dimensions of stacked vectors", TB_MAXDIM - 1);
    for (int d = 0; d <= n; d++) shape[d] = d == at ? 1 : tb_array_shape(a)[d < at ? d : d - 1];
    return tb_reshape(a, n + 1, shape, 'C', &copied, out);
}

/* The product of vectors and matrices, of which the vectors are matrices of one row or column. */
static tb_status stacked(tb_array *vectors, tb_array *matrices, side s, tb_array **out)
{
    tb_array *wide = NULL, *r = NULL;
    tb_status status;
    int64_t shape[TB_MAXDIM];
    int n = 0;
    bool copied;
    TB_GOTO(widened(vectors, s, &wide));
    TB_GOTO(s == LEFT ? tb_matmul(wide, matrices, &r) : tb_matmul(matrices, wide, &r));
    const int last = tb_array_ndim(r) - 1, gone = s == LEFT ? last - 1 : last;
    for (int d = 0; d <= last; d++)
        if (d != gone) shape[n++] = tb_array_shape(r)[d];
    status = tb_reshape(r, n, shape, 'C', &copied, out);
fail:
    tb_array_release(wide);
    tb_array_release(r);
    return status;
}

static tb_status product(tb_array *vectors, tb_array *matrices, side s, tb_array *into, tb_array **out)
{
    tb_array *r;
    if (tb_array_ndim(vectors) <= 1 || tb_array_ndim(matrices) < 2) {
        tb_array *a = s == LEFT ? vectors : matrices, *b = s == LEFT ? matrices : vectors;
        return into ? tb_matmul_into(a, b, into) : tb_matmul(a, b, out);
    }
    if (!into) return stacked(vectors, matrices, s, out);
    TB_TRY(stacked(vectors, matrices, s, &r));
    const tb_status status = tb_assign(into, r, TB_CAST_SAME_KIND);
    tb_array_release(r);
    return status;
}

static tb_status check(const char *who, tb_array *matrices, tb_array *vectors)
{
    if (tb_array_ndim(vectors) < 1 || tb_array_ndim(matrices) < 2)
        return tb__fail(TB_ERR_VALUE,
                        "%s: the matrices must have at least 2 dimensions and the vectors 1; they have %d "
                        "and %d",
                        who, tb_array_ndim(matrices), tb_array_ndim(vectors));
    return TB_OK;
}

static tb_status vecmat(tb_array *a, tb_array *b, tb_array *into, tb_array **out)
{
    const tb_operand of = tb_operand_array(a);
    tb_array *conjugate;
    TB_TRY(check("vecmat", b, a));
    if (tb_dtype_kind(tb_array_dtype(a)) != TB_KIND_COMPLEX) return product(a, b, LEFT, into, out);
    TB_TRY(tb_ufunc_call(tb_ufunc_find("conjugate"), &of, &conjugate, NULL));
    const tb_status status = product(conjugate, b, LEFT, into, out);
    tb_array_release(conjugate);
    return status;
}

tb_status tb_matvec(tb_array *a, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    TB_TRY(check("matvec", a, b));
    return product(b, a, RIGHT, NULL, out);
}

tb_status tb_matvec_into(tb_array *a, tb_array *b, tb_array *into)
{
    TB_NOT_NULL(a, b, into);
    TB_TRY(check("matvec", a, b));
    return product(b, a, RIGHT, into, NULL);
}

tb_status tb_vecmat(tb_array *a, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    return vecmat(a, b, NULL, out);
}

tb_status tb_vecmat_into(tb_array *a, tb_array *b, tb_array *into)
{
    TB_NOT_NULL(a, b, into);
    return vecmat(a, b, into, NULL);
}
