/* matmul.c - matrix products: NumPy's shape rules, operands in the form that the backend's gemm takes, stacks.
 *
 * A product goes to the backend's gemm if that suits it, without a copy whenever one stride of each matrix is one
 * element, of out too. Otherwise (inner products of two vectors; what the backend has no gemm for, or is quicker
 * without) it is a fused multiplication and sum. Where the backend can add to a product as it makes it, one of two
 * matrices waits (graph/product.c). */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/array_ops.h"
#include "ops/compute.h"

typedef struct product {
    tb_array *a, *b;
    tb_dtype t;
    int64_t m, n, k;
    int nbatch;
    int64_t batch[TB_MAXDIM];
    int ndim; /* of the result, with the axes that vectors lack left out */
    int64_t shape[TB_MAXDIM];
} product;

/* A stack of matrices: strides in elements, the stack's broadcast to the product's. */
typedef struct side {
    tb_array *array;
    const char *ptr;
    int64_t row, col, batch[TB_MAXDIM];
} side;

/* ---- shapes --------------------------------------------------------------------------------------------------- */

#define SIGNATURE "(n?,k),(k,m?)->(n?,m?)"

static tb_status resolve(product *p)
{
    const tb_array *a = p->a, *b = p->b;
    for (int i = 0; i < 2; i++)
        if ((i ? b : a)->ndim == 0)
            return tb__fail(TB_ERR_VALUE,
                            "matmul: Input operand %d does not have enough dimensions (has 0, gufunc "
                            "core with signature " SIGNATURE " requires 1)",
                            i);
    bool row = a->ndim == 1, column = b->ndim == 1;
    int64_t k2 = b->dims[column ? 0 : b->ndim - 2];
    p->t = tb_promote((tb_dtype)a->dtype, (tb_dtype)b->dtype);
    p->k = a->dims[a->ndim - 1];
    p->m = row ? 1 : a->dims[a->ndim - 2];
    p->n = column ? 1 : b->dims[b->ndim - 1];
    if (p->k != k2)
        return tb__fail(TB_ERR_VALUE,
                        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                        "signature " SIGNATURE " (size %lld is different from %lld)",
                        (long long)k2, (long long)p->k);
    p->nbatch = row ? 0 : a->ndim - 2;
    memcpy(p->batch, a->dims, (size_t)p->nbatch * sizeof *p->batch);
    TB_TRY(tb__broadcast("matmul", &p->nbatch, p->batch, column ? 0 : b->ndim - 2, b->dims));
    p->ndim = p->nbatch;
    memcpy(p->shape, p->batch, (size_t)p->nbatch * sizeof *p->shape);
    if (!row) p->shape[p->ndim++] = p->m;
    if (!column) p->shape[p->ndim++] = p->n;
    int64_t size;
    return tb__shape_size("matmul", p->ndim, p->shape, tb_dtype_size(p->t), &size);
}

/* ---- without gemm --------------------------------------------------------------------------------------------- */

/* An operand as (stack, rows, k, cols), broadcast: rows only where the left operand is a matrix, cols only where the
 * right one is. */
static tb_status spread(const product *p, tb_array *a, bool left, tb_array **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    bool rows = p->a->ndim > 1, cols = p->b->ndim > 1;
    int last = a->ndim - 1, n = p->nbatch;
    if (p->nbatch + 3 > TB_MAXDIM)
        return tb__fail(TB_ERR_VALUE, "matmul: at most %d dimensions of stacked matrices, found %d", TB_MAXDIM - 3,
                        p->nbatch);
    memcpy(shape, p->batch, (size_t)n * sizeof *shape);
    tb__broadcast_strides(last > 0 ? last - 1 : 0, a->dims, a->strides, n, shape, strides);
    if (rows) {
        shape[n] = p->m;
        strides[n++] = left ? a->strides[last - 1] : 0;
    }
    shape[n] = p->k;
    strides[n++] = a->strides[left || last == 0 ? last : last - 1];
    if (cols) {
        shape[n] = p->n;
        strides[n++] = left ? 0 : a->strides[last];
    }
    return tb__view(a, a->offset, (tb_dtype)a->dtype, n, shape, strides, out);
}

static tb_loop product_loop(tb_op op, tb_dtype t)
{
    static tb_loop known[2][TB_NDTYPE]; /* and 1; 0: not looked up yet */
    tb_loop *loop = &known[op == TB_OP_multiply][t];
    if (!*loop) *loop = (tb_loop)(tb__loop_find(op, 2, (const tb_dtype[]){t, t}) + 1);
    return (tb_loop)(*loop - 1);
}

/* An expression of stored arrays of one dtype is known without making it. */
tb_status tb__sum_of_products(tb_op op, tb_dtype t, tb_array *a, tb_array *b, int axis, tb_array *into, tb_array **out)
{
    tb_red loop;
    tb_expr *in[2], *e;
    tb_reduce_axes axes;
    const double count = (double)a->dims[axis];
    TB_TRY(tb__reduce_loop(t == TB_BOOL ? TB_REDUCE_ANY : TB_REDUCE_SUM, t, t, &loop));
    TB_TRY(tb__reduce_axes(a->ndim, a->dims, 1, &axis, false, &axes));
    if (a->dtype == t && b->dtype == t && !a->buffer->expr && !b->buffer->expr) {
        tb_array *const stored[] = {a, b};
        return tb__reduce_stored(loop, product_loop(op, t), 2, stored, &axes, count, into, out);
    }
    TB_TRY(tb__node_input(a, t, a->ndim, a->dims, &in[0]));
    tb_status status = tb__node_input(b, t, a->ndim, a->dims, &in[1]);
    if (status != TB_OK) {
        tb__expr_release(in[0]);
        return status;
    }
    TB_TRY(tb__node(op, 2, in, a->ndim, a->dims, 'C', &e));
    return tb__reduce_kernel(loop, e, &axes, count, into, out);
}

/* A sum's axes would lie in memory as those of its terms do; a product's are in C order. */
static tb_status multiply_and_sum(const product *p, tb_array *into, tb_array **out)
{
    if (p->a->ndim == 1 && p->b->ndim == 1) return tb__sum_of_products(TB_OP_multiply, p->t, p->a, p->b, 0, into, out);
    const int axis = p->nbatch + (p->a->ndim > 1);
    tb_array *a = NULL, *b = NULL, *c = NULL;
    tb_status status = into ? TB_OK : tb__empty(p->t, p->ndim, p->shape, 'C', &c);
    if (status == TB_OK) status = spread(p, p->a, true, &a);
    if (status == TB_OK) status = spread(p, p->b, false, &b);
    if (status == TB_OK) status = tb__sum_of_products(TB_OP_multiply, p->t, a, b, axis, into ? into : c, out);
    tb_array_release(a);
    tb_array_release(b);
    tb_array_release(c);
    return status;
}

/* ---- operands for gemm ---------------------------------------------------------------------------------------- */

/* Element strides for a rows x cols matrix, one of them 1; false when the memory is not laid out so. */
static bool leading_dimension(int64_t rows, int64_t cols, int64_t row, int64_t col, int64_t item, side *s)
{
    if ((col == item || cols == 1) && (rows == 1 || (row >= cols * item && row % item == 0))) {
        s->col = 1;
        s->row = rows == 1 ? cols : row / item;
        return true;
    }
    if ((row == item || rows == 1) && (cols == 1 || (col >= rows * item && col % item == 0))) {
        s->row = 1;
        s->col = cols == 1 ? rows : col / item;
        return true;
    }
    return false;
}

static bool lay_out(const product *p, tb_array *a, bool left, side *s)
{
    int64_t item = (int64_t)tb_dtype_size(p->t);
    int last = a->ndim - 1, nbatch = last > 0 ? last - 1 : 0;
    int64_t rows = left ? p->m : p->k, cols = left ? p->k : p->n;
    int64_t row = last > 0 ? a->strides[last - 1] : left ? 0 : a->strides[0];
    int64_t col = last > 0 ? a->strides[last] : left ? a->strides[0] : 0;
    s->array = a;
    tb__broadcast_strides(nbatch, a->dims, a->strides, p->nbatch, p->batch, s->batch);
    for (int d = 0; d < p->nbatch; d++) {
        if (s->batch[d] % item != 0) return false;
        s->batch[d] /= item;
    }
    return leading_dimension(rows, cols, row, col, item, s);
}

/* On success s->array is a reference for the caller to release. */
static tb_status prepare(const product *p, tb_array *a, bool left, side *s)
{
    tb_array *cast, *copy;
    TB_TRY(tb__astype(a, p->t, 'K', TB_CAST_UNSAFE, false, &cast));
    if (!lay_out(p, cast, left, s)) {
        tb_status status = tb__copy(cast, 'C', &copy);
        tb_array_release(cast);
        TB_TRY(status);
        lay_out(p, copy, left, s);
    }
    tb_status status = tb__buffer_eval(s->array->buffer);
    if (status != TB_OK) tb_array_release(s->array);
    else s->ptr = s->array->buffer->ptr + s->array->offset;
    return status;
}

/* ---- stacks --------------------------------------------------------------------------------------------------- */

/* The stack's axes, outermost first, with the element strides of a, b and the result. */
typedef struct stack {
    int n;
    int64_t size[TB_MAXDIM], a[TB_MAXDIM], b[TB_MAXDIM], c[TB_MAXDIM];
} stack;

/* Merges neighbouring axes that all three operands walk as one. */
static void collapse(const product *p, const side *a, const side *b, const side *c, stack *s)
{
    s->n = 0;
    for (int d = 0; d < p->nbatch; d++) {
        int64_t size = p->batch[d];
        int i = s->n - 1;
        if (size == 1) continue;
        if (i >= 0 && s->a[i] == a->batch[d] * size && s->b[i] == b->batch[d] * size && s->c[i] == c->batch[d] * size) {
            s->size[i] *= size;
        } else {
            i = s->n++;
            s->size[i] = size;
        }
        s->a[i] = a->batch[d];
        s->b[i] = b->batch[d];
        s->c[i] = c->batch[d];
    }
}

/* A stack of matrices times one matrix, whose rows follow one another through the stack, is one tall product. */
static void fold_rows(tb_gemm *g, stack *s)
{
    int i = s->n - 1;
    bool follow = i >= 0 && s->b[i] == 0 && g->a_col == 1 && s->a[i] == g->m * g->a_row && s->c[i] == g->m * g->c_row;
    if (!follow || g->m * s->size[i] > INT32_MAX) return;
    g->m *= s->size[i];
    s->n--;
}

static void swap(int64_t *x, int64_t *y)
{
    int64_t z = *x;
    *x = *y;
    *y = z;
}

/* One call of gemm goes along the last axis: the longest one makes for the fewest calls. */
static void put_longest_last(stack *s)
{
    int longest = 0, last = s->n - 1;
    for (int i = 1; i < s->n; i++)
        if (s->size[i] >= s->size[longest]) longest = i;
    if (longest >= last) return;
    swap(&s->size[longest], &s->size[last]);
    swap(&s->a[longest], &s->a[last]);
    swap(&s->b[longest], &s->b[last]);
    swap(&s->c[longest], &s->c[last]);
}

static tb_status run_stack(tb_stream *stream, tb_gemm *g, const stack *s)
{
    int64_t at[TB_MAXDIM] = {0}, item = (int64_t)tb_dtype_size(g->dtype);
    const char *a = g->a, *b = g->b;
    char *c = g->c;
    int outer = s->n - 1;
    g->batch = 1;
    if (outer >= 0) {
        g->batch = s->size[outer];
        g->a_batch = s->a[outer];
        g->b_batch = s->b[outer];
        g->c_batch = s->c[outer];
    }
    for (;;) {
        g->a = a;
        g->b = b;
        g->c = c;
        const uint64_t before = tb__count.launches++;
        const tb_status status = tb__backend->gemm(stream, g);
        if (status == TB__AGAIN) tb__count.launches = before;
        TB_TRY(status);
        int d = outer - 1;
        for (; d >= 0; d--) {
            a += s->a[d] * item;
            b += s->b[d] * item;
            c += s->c[d] * item;
            if (++at[d] < s->size[d]) break;
            a -= s->a[d] * s->size[d] * item;
            b -= s->b[d] * s->size[d] * item;
            c -= s->c[d] * s->size[d] * item;
            at[d] = 0;
        }
        if (d < 0) return TB_OK;
    }
}

/* Where the result's columns are contiguous, its transpose is what gemm is asked for. */
static tb_status multiply(const product *p, const side *a, const side *b, const side *c)
{
    stack s;
    tb_stream *stream;
    bool turned = c->col != 1;
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__reach(stream, a->array->buffer));
    TB_TRY(tb__reach(stream, b->array->buffer));
    TB_TRY(tb__reach(stream, c->array->buffer));
    if (turned) {
        const side *x = a;
        a = b;
        b = x;
    }
    tb_gemm g = {.dtype = p->t, .k = p->k, .a = a->ptr, .b = b->ptr, .compute = tb__compute_of(p->t)};
    TB_TRY(tb__before_write(c->array->buffer));
    g.c = c->array->buffer->ptr + c->array->offset;
    g.m = turned ? p->n : p->m;
    g.n = turned ? p->m : p->n;
    g.a_row = turned ? a->col : a->row;
    g.a_col = turned ? a->row : a->col;
    g.b_row = turned ? b->col : b->row;
    g.b_col = turned ? b->row : b->col;
    g.c_row = turned ? c->col : c->row;
    collapse(p, a, b, c, &s);
    fold_rows(&g, &s);
    put_longest_last(&s);
    TB_TRY(run_stack(stream, &g, &s));
    tb__wrote(c->array->buffer);
    return TB_OK;
}

/* How the result lies; false where gemm cannot write to it. */
static bool lay_out_result(const product *p, tb_array *r, side *s)
{
    int64_t item = (int64_t)tb_dtype_size(p->t), row = 0, col = 0;
    int d = p->nbatch;
    if (p->a->ndim > 1) row = r->strides[d++];
    if (p->b->ndim > 1) col = r->strides[d];
    s->array = r;
    for (d = 0; d < p->nbatch; d++) {
        if (r->strides[d] % item != 0 || (r->strides[d] == 0 && p->batch[d] > 1)) return false;
        s->batch[d] = r->strides[d] / item;
    }
    return leading_dimension(p->m, p->n, row, col, item, s);
}

/* ---- products that wait --------------------------------------------------------------------------------------- */

static bool may_wait(const product *p)
{
    if (!tb__backend->gemm_adds || !tb__deferring() || p->nbatch > 0 || p->ndim != 2) return false;
    const tb_gemm g = {.dtype = p->t, .m = p->m, .n = p->n, .k = p->k, .batch = 1, .compute = tb__compute_of(p->t)};
    return tb__backend->gemm_adds(&g);
}

static tb_expr *leaf(const product *p, const side *s, int64_t rows, int64_t cols, tb_stream *stream)
{
    const int64_t item = (int64_t)tb_dtype_size(p->t);
    return tb__leaf(s->array->buffer, s->array->offset, p->t, 2, (int64_t[]){rows, cols},
                    (int64_t[]){s->row * item, s->col * item}, stream);
}

/* What is added to it may come out of the same kernel. */
static tb_status promise(const product *p, const side *a, const side *b, tb_array **out)
{
    tb_stream *stream;
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__reach(stream, a->array->buffer));
    TB_TRY(tb__reach(stream, b->array->buffer));
    tb_expr *left = leaf(p, a, p->m, p->k, stream), *right = leaf(p, b, p->k, p->n, stream);
    if (left && right) return tb__promise_product(left, right, tb__compute_of(p->t), out);
    if (left) tb__expr_release(left);
    if (right) tb__expr_release(right);
    return tb__fail_memory(sizeof *left, 0, 0, 0);
}

static tb_status at_once(const product *p, const side *a, const side *b, tb_array *into, tb_array **out)
{
    side c;
    tb_array *result;
    if (into && lay_out_result(p, into, &c)) {
        result = tb_array_retain(into);
    } else {
        TB_TRY(tb__empty(p->t, p->ndim, p->shape, 'C', &result));
        lay_out_result(p, result, &c);
    }
    const tb_status status = multiply(p, a, b, &c);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status by_gemm(const product *p, tb_array *into, tb_array **out)
{
    side a, b;
    TB_TRY(prepare(p, p->a, true, &a));
    tb_status status = prepare(p, p->b, false, &b);
    if (status != TB_OK) {
        tb_array_release(a.array);
        return status;
    }
    if (!into && may_wait(p)) status = promise(p, &a, &b, out);
    else status = at_once(p, &a, &b, into, out);
    tb_array_release(a.array);
    tb_array_release(b.array);
    return status;
}

/* ---- matmul --------------------------------------------------------------------------------------------------- */

/* Whether the product can be computed where out is. */
static bool is_apart(const product *p, const tb_array *out)
{
    return out->dtype == p->t && !tb_may_share_memory(out, p->a) && !tb_may_share_memory(out, p->b);
}

static bool gemm_suits(const product *p)
{
    tb_gemm g = {.dtype = p->t, .m = p->m, .n = p->n, .k = p->k, .batch = tb__product(p->nbatch, p->batch)};
    return tb__backend->gemm_suits(&g);
}

static tb_status matmul(tb_array *a, tb_array *b, tb_array *into, tb_array **out)
{
    product p; /* not cleared as a whole: shapes are large */
    p.a = a;
    p.b = b;
    tb_array *result, *target;
    TB_ARE_NUMBERS("matmul", a->dtype);
    TB_ARE_NUMBERS("matmul", b->dtype);
    if (into) TB_ARE_NUMBERS("matmul", into->dtype);
    TB_TRY(resolve(&p));
    if (into) TB_TRY(tb__check_out("matmul", into, p.t, TB_CAST_SAME_KIND, p.ndim, p.shape));
    target = into && is_apart(&p, into) ? into : NULL;
    if (tb__product(p.ndim, p.shape) == 0) TB_TRY(tb__empty(p.t, p.ndim, p.shape, 'C', &result));
    else if (p.k == 0) TB_TRY(tb__full(p.t, p.ndim, p.shape, 'C', tb_scalar_int(0), &result));
    else if (gemm_suits(&p)) TB_TRY(by_gemm(&p, target, &result));
    else TB_TRY(multiply_and_sum(&p, target, &result));
    return tb__deliver(result, into, out);
}

tb_status tb_matmul(tb_array *a, tb_array *b, tb_array **out)
{
    TB_NOT_NULL(a, b, out);
    return TB__OPERATION(matmul(a, b, NULL, out));
}

tb_status tb_matmul_into(tb_array *a, tb_array *b, tb_array *into)
{
    TB_NOT_NULL(a, b, into);
    return TB__OPERATION(matmul(a, b, into, NULL));
}
