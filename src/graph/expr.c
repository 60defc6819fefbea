/* expr.c - expression nodes: making, sharing and freeing them, and the limits on how large a graph may grow.
 *
 * Invariants: what a node stands for never changes once another node or a buffer refers to it; every non-scalar node of
 * a graph has the graph's shape; nodes are freed by a worklist, so that no graph is deep enough to exhaust the C
 * stack. */
#include "graph/expr.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/record.h"
#include "base/shape.h"
#include "graph/eval.h"

enum { SMALL_NDIM = 4 };
static tb_expr *keep[TB_RECYCLED];
static int nkeep;

static tb_expr *node_alloc(int ndim)
{
    tb__count.nodes++;
    if (ndim <= SMALL_NDIM && nkeep > 0) return keep[--nkeep];
    int room = ndim <= SMALL_NDIM ? SMALL_NDIM : ndim;
    tb_expr *e = malloc(sizeof *e + 2 * (size_t)room * sizeof(int64_t));
    if (e) {
        e->capacity = (uint8_t)room;
        e->mark = 0;
    }
    return e;
}

static void node_free(tb_expr *e)
{
    if (e->capacity == SMALL_NDIM && nkeep < tb__recycle_most) keep[nkeep++] = e;
    else if (tb__debug) tb__object_end(TB_OBJECT_INTERNAL, e, sizeof *e + 2 * e->capacity * sizeof(int64_t), NULL);
    else free(e);
}

static void leaf_link(tb_expr *e, tb_buffer *b, int64_t offset)
{
    e->eager = b->shared > 0;
    e->u.leaf.buffer = b;
    b->refs++;
    e->u.leaf.offset = offset;
    e->u.leaf.prev = NULL;
    e->u.leaf.next = b->readers;
    if (b->readers) b->readers->u.leaf.prev = e;
    b->readers = e;
}

static void leaf_unlink(tb_expr *e)
{
    if (e->u.leaf.prev) e->u.leaf.prev->u.leaf.next = e->u.leaf.next;
    else e->u.leaf.buffer->readers = e->u.leaf.next;
    if (e->u.leaf.next) e->u.leaf.next->u.leaf.prev = e->u.leaf.prev;
}

void tb__expr_release(tb_expr *e)
{
    if (--e->refs > 0) return;
    /* Dead nodes have no owner: that field links the worklist. */
    tb_expr *work = e;
    e->owner = NULL;
    while (work) {
        tb_expr *dead = work;
        work = (tb_expr *)(void *)dead->owner;
        if (dead->kind == TB_EXPR_LEAF) {
            leaf_unlink(dead);
            tb__buffer_release(dead->u.leaf.buffer);
        }
        for (int i = 0; i < dead->nin; i++) {
            tb_expr *in = dead->u.in[i];
            if (--in->refs > 0) continue;
            in->owner = (tb_buffer *)(void *)work;
            work = in;
        }
        node_free(dead);
    }
}

static tb_expr *node_new(tb_expr_kind kind, tb_dtype t, int ndim, tb_stream *s)
{
    tb_expr *e = node_alloc(ndim);
    if (!e) return NULL;
    e->refs = 1;
    e->kind = (uint8_t)kind;
    e->dtype = (uint8_t)t;
    e->ndim = (uint8_t)ndim;
    e->nin = 0;
    e->loop = TB_NOLOOP;
    e->height = e->nodes = e->leaves = e->scalars = 0;
    e->c_order = true;
    e->eager = e->base = e->products = false;
    e->computed = 0;
    e->owner = NULL;
    e->stream = s;
    e->size = 1;
    return e;
}

tb_expr *tb__expr_scalar(tb_scalar s)
{
    tb_expr *e = node_new(TB_EXPR_SCALAR, s.dtype, 0, NULL);
    if (!e) return NULL;
    e->u.scalar = s;
    e->scalars = 1;
    return e;
}

tb_expr *tb__leaf(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides,
                  tb_stream *s)
{
    tb_expr *e = node_new(TB_EXPR_LEAF, t, ndim, s);
    if (!e) return NULL;
    memcpy(e->dims, shape, (size_t)ndim * sizeof(int64_t));
    memcpy(e->dims + ndim, strides, (size_t)ndim * sizeof(int64_t));
    e->size = tb__product(ndim, shape);
    e->c_order = tb__is_c_contiguous(ndim, shape, strides, (int64_t)tb_dtype_size(t));
    e->leaves = 1;
    leaf_link(e, b, offset);
    return e;
}

void tb__expr_to_leaf(tb_expr *e, tb_buffer *b)
{
    tb_expr *in[TB_MAXIN];
    const int nin = e->nin;
    for (int i = 0; i < nin; i++) in[i] = e->u.in[i];
    e->kind = TB_EXPR_LEAF;
    e->loop = TB_NOLOOP;
    e->nin = 0;
    e->height = e->nodes = e->scalars = 0;
    e->products = false;
    e->leaves = 1;
    leaf_link(e, b, 0);
    for (int i = 0; i < nin; i++) tb__expr_release(in[i]);
}

bool tb__is_pending_view(const tb_array *view)
{
    const tb_expr *e = view->buffer->expr;
    int64_t offset = view->buffer->ptr ? view->buffer->target : 0;
    return e && view->offset == offset && view->dtype == e->dtype && view->ndim == e->ndim &&
           memcmp(view->dims, e->dims, 2 * (size_t)e->ndim * sizeof(int64_t)) == 0;
}

/* Which part of its buffer's pending complex numbers a view is, all of them: the operation that gives it. */
static tb_loop part_of_pending(const tb_array *view)
{
    const tb_expr *e = view->buffer->expr;
    const tb_dtype whole = (tb_dtype)e->dtype;
    if (view->dtype == whole || view->dtype != tb_dtype_real(whole) || view->ndim != e->ndim) return TB_NOLOOP;
    if (memcmp(view->dims, e->dims, 2 * (size_t)e->ndim * sizeof(int64_t)) != 0) return TB_NOLOOP;
    const bool imag = view->offset == (int64_t)tb_dtype_size(view->dtype);
    return imag || view->offset == 0 ? tb__loop_find(imag ? TB_OP_imag : TB_OP_real, 1, &whole) : TB_NOLOOP;
}

/* The pending content of a's memory as an input, if a is all of it, or one part of complex numbers. *out: NULL if not.
 */
static tb_status pending_input(tb_array *a, tb_stream *s, tb_expr **out)
{
    tb_expr *e = a->buffer->expr;
    *out = NULL;
    if (a->buffer->ptr || e->stream != s) return TB_OK;
    const bool all = tb__is_pending_view(a);
    const tb_loop part = all ? TB_NOLOOP : part_of_pending(a);
    if (!all && part == TB_NOLOOP) return TB_OK;
    e->refs++;
    if (all) *out = e;
    return all ? TB_OK : tb__expr_op(part, 1, &e, e->ndim, e->dims, 'K', out);
}

tb_status tb__expr_input(tb_array *a, int ndim, const int64_t *shape, tb_expr **out)
{
    tb_stream *s;
    if (__builtin_expect(tb__is_record(a->dtype), 0))
        return tb__fail(TB_ERR_TYPE, "elements are numbers, not %s", tb_dtype_name(a->dtype));
    TB_TRY(tb__current_stream(&s));
    tb_buffer *b = a->buffer;
    TB_TRY(tb__reach(s, b));
    if (b->joined) TB_TRY(tb__buffer_eval(b->joined));
    bool same_shape = a->ndim == ndim && memcmp(a->dims, shape, (size_t)ndim * sizeof(int64_t)) == 0;
    if (b->expr) {
        tb_expr *pending = NULL;
        if (same_shape) TB_TRY(pending_input(a, s, &pending));
        if (pending) {
            *out = pending;
            return TB_OK;
        }
        TB_TRY(tb__buffer_eval(b));
    }
    int64_t strides[TB_MAXDIM];
    if (same_shape) memcpy(strides, a->strides, (size_t)ndim * sizeof(int64_t));
    else tb__broadcast_strides(a->ndim, a->dims, a->strides, ndim, shape, strides);
    tb_expr *e = tb__leaf(b, a->offset, (tb_dtype)a->dtype, ndim, shape, strides, s);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    *out = e;
    return TB_OK;
}

tb_status tb__expr_base(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                        const int64_t *strides, tb_expr **out)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__reach(s, b));
    if (b->joined) TB_TRY(tb__buffer_eval(b->joined));
    TB_TRY(tb__buffer_eval(b));
    tb_expr *e = tb__leaf(b, offset, t, ndim, shape, strides, s);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    e->base = true;
    *out = e;
    return TB_OK;
}

/* What a dtype was found for on the way: that has the layout that counts, where it is broadcast, too. */
static const tb_expr *uncast(const tb_expr *e)
{
    while (e->kind == TB_EXPR_OP && e->nin == 1 && e->loop != TB_NOLOOP && !e->owner && e->u.in[0]->ndim == e->ndim &&
           e->u.in[0]->kind != TB_EXPR_SCALAR)
        e = e->u.in[0];
    return e;
}

static void strides_k(int nin, tb_expr *const *in, int ndim, const int64_t *shape, int64_t itemsize, int64_t *strides)
{
    const int64_t *operand[TB_MAXARGS];
    int n = 0;
    for (int i = 0; i < nin; i++)
        if (in[i]->ndim == ndim && in[i]->kind != TB_EXPR_SCALAR) operand[n++] = uncast(in[i])->dims + ndim;
    tb__strides_k(n, operand, ndim, shape, itemsize, strides);
}

static tb_status set_layout(tb_expr *e, int nin, tb_expr *const *in, const int64_t *shape, char order)
{
    int ndim = e->ndim;
    int64_t itemsize = (int64_t)tb_dtype_size((tb_dtype)e->dtype);
    int64_t *strides = e->dims + ndim;
    TB_TRY(tb__shape_size("result", ndim, shape, (size_t)itemsize, &e->size));
    if (ndim > 0) memcpy(e->dims, shape, (size_t)ndim * sizeof(int64_t));
    bool c = order == 'C' || ndim <= 1;
    if (!c && order != 'F') {
        c = true;
        for (int i = 0; i < nin; i++) c &= in[i]->c_order;
    }
    if (c) tb__strides_c(ndim, shape, itemsize, strides);
    else if (order == 'F') tb__strides_f(ndim, shape, itemsize, strides);
    else strides_k(nin, in, ndim, shape, itemsize, strides);
    e->c_order = c || tb__is_c_contiguous(ndim, shape, strides, itemsize);
    return TB_OK;
}

static void set_bounds(tb_expr *e, int nin, tb_expr *const *in)
{
    unsigned height = 0, nodes = 1, leaves = 0, scalars = 0;
    e->eager = e->products = false;
    for (int i = 0; i < nin; i++) {
        e->eager |= in[i]->eager;
        e->products |= in[i]->products;
        if (in[i]->height > height) height = in[i]->height;
        nodes += in[i]->nodes;
        leaves += in[i]->leaves;
        scalars += in[i]->scalars;
    }
    e->height = (uint16_t)(height + 1);
    e->nodes = (uint16_t)(nodes > 60000 ? 60000 : nodes);
    e->leaves = (uint16_t)(leaves > 60000 ? 60000 : leaves);
    e->scalars = (uint16_t)(scalars > 60000 ? 60000 : scalars);
}

static bool too_large(const tb_expr *e)
{
    return e->nodes > TB_MAX_NODES || e->leaves > TB_MAX_LEAVES || e->scalars > TB_MAX_SCALARS;
}

static tb_expr *largest_input(const tb_expr *e)
{
    int big = 0;
    for (int i = 1; i < e->nin; i++)
        if (e->u.in[i]->nodes > e->u.in[big]->nodes) big = i;
    return e->u.in[big];
}

tb_status tb__compute(tb_expr *e)
{
    tb_array *a = NULL;
    if (!e->owner) {
        e->refs++;
        TB_TRY(tb__promise(e, &a));
    }
    const tb_status status = e->owner ? tb__buffer_eval(e->owner) : TB_OK;
    tb__array_release(a);
    return status;
}

tb_status tb__compute_part(tb_expr *e)
{
    for (tb_expr *in = largest_input(e); in->kind == TB_EXPR_OP; in = largest_input(e)) {
        e = in;
        tb__recount(e); /* promises below it may have become leaves */
        if (!too_large(e)) break;
    }
    return tb__compute(e);
}

static tb_status keep_small(tb_expr *e)
{
    if (!too_large(e)) return TB_OK;
    tb__recount(e); /* the bounds count shared nodes more than once */
    while (too_large(e)) {
        TB_TRY(tb__compute(largest_input(e)));
        set_bounds(e, e->nin, e->u.in);
    }
    return TB_OK;
}

tb_status tb__expr_op(tb_loop loop, int nin, tb_expr **in, int ndim, const int64_t *shape, char order, tb_expr **out)
{
    tb_stream *s;
    tb_status status = tb__current_stream(&s);
    tb_dtype t = loop == TB_NOLOOP ? (tb_dtype)in[0]->dtype : (tb_dtype)tb_loop_table[loop].out;
    tb_expr *e = status == TB_OK ? node_new(TB_EXPR_OP, t, ndim, s) : NULL;
    if (!e) {
        for (int i = 0; i < nin; i++) tb__expr_release(in[i]);
        return status != TB_OK ? status : tb__fail_memory(sizeof *e, 0, 0, 0);
    }
    e->loop = loop;
    e->nin = (uint8_t)nin;
    for (int i = 0; i < nin; i++) e->u.in[i] = in[i];
    set_bounds(e, nin, in);
    status = set_layout(e, nin, in, shape, order);
    if (status == TB_OK) status = keep_small(e);
    if (status != TB_OK) tb__expr_release(e);
    else *out = e;
    return status;
}

tb_status tb__expr_product(tb_expr *const *in, tb_compute compute, tb_expr **out)
{
    const int64_t shape[] = {in[0]->dims[0], in[1]->dims[1]};
    tb_expr *e = node_new(TB_EXPR_PRODUCT, (tb_dtype)in[0]->dtype, 2, in[0]->stream);
    if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    set_bounds(e, 2, in);
    const tb_status status = set_layout(e, 2, in, shape, 'C');
    if (status != TB_OK) {
        tb__expr_release(e);
        return status;
    }
    e->nin = 2;
    for (int i = 0; i < 2; i++) e->u.in[i] = in[i];
    e->products = true;
    e->compute = (uint8_t)compute;
    *out = e;
    return TB_OK;
}

tb_loop tb__add_loop(const tb_expr *e)
{
    const tb_dtype t = (tb_dtype)e->dtype;
    return tb__loop_find(TB_OP_add, 2, (const tb_dtype[]){t, t});
}

tb_status tb__expr_cast(tb_expr *e, tb_dtype t, tb_expr **out)
{
    if (e->dtype == t) {
        *out = e;
        return TB_OK;
    }
    return tb__expr_op(tb__cast_loop((tb_dtype)e->dtype, t), 1, &e, e->ndim, e->dims, 'K', out);
}

tb_expr *tb__alias(tb_expr *e, int ndim, const int64_t *shape, const int64_t *strides)
{
    tb_expr *alias;
    if (tb__expr_op(TB_NOLOOP, 1, &e, ndim, shape, 'C', &alias) != TB_OK) return NULL;
    if (strides && memcmp(strides, alias->dims + ndim, (size_t)ndim * sizeof(int64_t)) != 0) {
        memcpy(alias->dims + ndim, strides, (size_t)ndim * sizeof(int64_t));
        alias->c_order = tb__is_c_contiguous(ndim, shape, strides, (int64_t)tb_dtype_size((tb_dtype)alias->dtype));
    }
    return alias;
}
