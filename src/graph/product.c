/* product.c - matrix products that wait, so that what is added to one comes out of the library's own kernel.
 *
 * A PRODUCT node has two leaves, over matrices of shapes of their own. No plan computes it: before one is made of what
 * is above, the product is enqueued and the node becomes a leaf (tb__settle). Only a product itself, and one to which
 * nothing but a row and a matrix are added, go to the backend as a whole. One product waits at a time on a stream: the
 * next one sends it off, so that a device has work and memory does not pile up. */
#include <stdio.h>

#include "backend/retry.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "graph/eval.h"

/* What a buffer waits for: a product, and what is added to it. */
typedef struct wanted {
    const tb_expr *product;
    const tb_expr *row, *plus; /* or NULL */
} wanted;

static const void *address(const tb_expr *leaf) { return leaf->u.leaf.buffer->ptr + leaf->u.leaf.offset; }

/* ---- enqueuing ------------------------------------------------------------------------------------------------- */

static tb_gemm gemm_of(const wanted *w, void *c)
{
    const tb_expr *a = w->product->u.in[0], *b = w->product->u.in[1];
    const int64_t item = (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    return (tb_gemm){
        .dtype = (tb_dtype)a->dtype,
        .m = a->dims[0],
        .n = b->dims[1],
        .k = a->dims[1],
        .batch = 1,
        .a = address(a),
        .b = address(b),
        .c = c,
        .a_row = a->dims[2] / item,
        .a_col = a->dims[3] / item,
        .b_row = b->dims[2] / item,
        .b_col = b->dims[3] / item,
        .c_row = b->dims[1],
        .compute = (tb_compute)w->product->compute,
        .row = w->row ? address(w->row) : NULL,
        .plus = w->plus ? address(w->plus) : NULL,
        .plus_row = w->plus ? w->plus->dims[2] / item : 0,
    };
}

/* b's memory becomes what is wanted; on failure b is as it was. TB_ERR_NOT_IMPLEMENTED: not in one call. */
static tb_status enqueue(tb_buffer *b, const wanted *w)
{
    TB_TRY(tb__buffer_store(b));
    const tb_gemm g = gemm_of(w, b->ptr);
    const uint64_t before = tb__count.launches++;
    const tb_status status = tb__backend->gemm(w->product->stream, &g);
    if (status == TB_OK) return status;
    tb__count.launches = before;
    tb__buffer_undo_store(b);
    return status;
}

/* ---- what may be added ----------------------------------------------------------------------------------------- */

static bool is_sum(const tb_expr *e) { return e->kind == TB_EXPR_OP && e->nin == 2 && e->loop == tb__add_loop(e); }

/* Nobody else wants it for itself. */
static bool is_passing(const tb_expr *e) { return e->refs == 1 && !e->owner; }

/* A leaf that each row is added of, or NULL; or a matrix whose rows lie behind one another. */
static bool is_addend(const tb_expr *sum, const tb_expr *e, bool row)
{
    if (e->kind != TB_EXPR_LEAF || e->base || e->u.leaf.buffer->device != sum->stream->device) return false;
    const int64_t item = (int64_t)tb_dtype_size((tb_dtype)e->dtype), n = e->dims[1];
    return e->dims[3] == item && (row ? e->dims[2] == 0 : e->dims[2] >= n * item && e->dims[2] % item == 0);
}

/* e as another node and a row or a matrix: that other node, or NULL. */
static const tb_expr *without(const tb_expr *e, bool row, const tb_expr **addend)
{
    if (!is_sum(e)) return NULL;
    for (int i = 0; i < 2; i++) {
        const tb_expr *rest = e->u.in[i], *other = e->u.in[1 - i];
        if (!rest->products || !is_passing(rest) || !is_addend(e, other, row)) continue;
        *addend = other;
        return rest;
    }
    return NULL;
}

/* The row is added after the matrix, as the library's kernels do. */
static bool find_wanted(const tb_expr *root, wanted *w)
{
    *w = (wanted){.product = root};
    if (!root->c_order || root->ndim != 2) return false;
    const tb_expr *rest = without(w->product, true, &w->row);
    if (rest) w->product = rest;
    rest = without(w->product, false, &w->plus);
    if (rest) w->product = rest;
    return w->product->kind == TB_EXPR_PRODUCT;
}

bool tb__product_text(const tb_expr *root, char *text, size_t cap)
{
    wanted w;
    if (!root->products || !find_wanted(root, &w)) return false;
    const tb_expr *a = w.product->u.in[0], *b = w.product->u.in[1];
    snprintf(text, cap, "matmul %s (%lld, %lld) (%lld, %lld)%s%s", tb_dtype_name((tb_dtype)root->dtype),
             (long long)a->dims[0], (long long)a->dims[1], (long long)b->dims[0], (long long)b->dims[1],
             w.plus ? ", a matrix added" : "", w.row ? ", a row added" : "");
    return true;
}

tb_status tb__product_eval(tb_buffer *b, bool *done)
{
    wanted w;
    *done = false;
    if (b->ptr || !find_wanted(b->expr, &w)) return TB_OK;
    const tb_status status = enqueue(b, &w);
    if (status == TB_ERR_NOT_IMPLEMENTED && b->expr->kind != TB_EXPR_PRODUCT) return TB_OK;
    TB_TRY(status);
    tb__buffer_stored(b);
    *done = true;
    return TB_OK;
}

/* ---- settling -------------------------------------------------------------------------------------------------- */

static bool is_product(tb_expr *e, void *found)
{
    if (e->kind != TB_EXPR_PRODUCT) return false;
    *(tb_expr **)found = e;
    return true;
}

/* Memory for a product that is no array's any more. */
static tb_status store_alone(tb_expr *e)
{
    tb_buffer *b = tb__buffer_alloc((size_t)e->size * tb_dtype_size((tb_dtype)e->dtype), e->stream);
    if (!b) return tb__fail_memory(sizeof *b, 0, 0, 0);
    const tb_status status = enqueue(b, &(wanted){.product = e});
    if (status == TB_OK) tb__expr_to_leaf(e, b);
    tb__buffer_release(b);
    return status;
}

tb_status tb__settle(tb_expr *root)
{
    while (root->products) {
        tb_expr *e = NULL;
        tb__walk(root, is_product, &e);
        if (e) TB_TRY(e->owner ? tb__buffer_eval(e->owner) : store_alone(e));
        else root->products = false; /* others have settled them */
    }
    return TB_OK;
}

/* ---- promises -------------------------------------------------------------------------------------------------- */

/* What waits for a product on the stream. */
static tb_buffer *find_waiting(const tb_stream *s)
{
    tb_buffer *b = tb__pending_last();
    while (b && !(b->expr->products && b->expr->stream == s)) b = b->prev;
    return b;
}

tb_status tb__promise_product(tb_expr *a, tb_expr *b, tb_compute compute, tb_array **out)
{
    tb_expr *e = NULL, *in[2] = {a, b};
    tb_status status = TB_OK;
    for (tb_buffer *waits; status == TB_OK && (waits = find_waiting(a->stream));) status = tb__buffer_eval(waits);
    if (status == TB_OK) status = tb__expr_product(in, compute, &e);
    if (status == TB_OK) return tb__promise(e, out);
    tb__expr_release(a);
    tb__expr_release(b);
    return status;
}
