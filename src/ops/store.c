/* store.c - view[...] = e, also where elements of the view share memory: windows that overlap, strides of 0.
 *
 * There the last element that is stored stays, in the order in which NumPy stores them, on every backend and with any
 * number of threads. One kernel finds for each piece of memory the number of the last element that goes there, by a
 * scatter that keeps the largest. The others are then never stored: what is written is the memory itself, each piece
 * from the element with that number. */
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "ops/places.h"

/* A view's axes as they are walked, the outermost first; strides are positive, `flipped` says which were not. */
typedef struct walk {
    int ndim, axis[TB_MAXDIM];
    bool flipped[TB_MAXDIM];
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    int64_t lowest; /* offset of the first byte that belongs to an element */
} walk;

/* ---- the order of stores ---------------------------------------------------------------------------------------- */

static int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }

/* Memory is walked upwards, axes sorted by their strides; equals stay in C order. */
static void walk_memory(const tb_array *view, walk *w)
{
    for (int d = 0; d < view->ndim; d++) {
        int at = d;
        for (; at > 0 && magnitude(view->strides[w->axis[at - 1]]) < magnitude(view->strides[d]); at--)
            w->axis[at] = w->axis[at - 1];
        w->axis[at] = d;
    }
    for (int k = 0; k < view->ndim; k++) w->flipped[k] = view->strides[w->axis[k]] < 0;
}

/* As an elementwise function walks its operands and results: the first that tells two axes apart decides, and an axis
 * is walked backwards where that is forwards in the memory of all. */
static void walk_operands(const tb_array *view, int n, const int64_t *const *strides, walk *w)
{
    int inner[TB_MAXDIM];
    tb__axis_order(n, strides, view->ndim, view->dims, inner);
    for (int k = 0; k < view->ndim; k++) {
        bool down = false, up = view->ndim == 1;
        w->axis[k] = inner[view->ndim - 1 - k];
        for (int i = 0; i < n; i++) {
            down |= strides[i][w->axis[k]] < 0;
            up |= strides[i][w->axis[k]] > 0;
        }
        w->flipped[k] = down && !up;
    }
}

static bool shares_memory(const tb_array *view, const tb_array *mask, int nin, const tb_operand *in)
{
    bool shares = mask && tb_may_share_memory(view, mask);
    for (int i = 0; i < nin; i++) shares |= in[i].array && tb_may_share_memory(view, in[i].array);
    return shares;
}

static void choose_walk(const tb_array *view, char order, int nin, const tb_operand *in, walk *w)
{
    const int64_t *strides[TB_MAXARGS];
    int64_t broadcast[TB_MAXARGS][TB_MAXDIM];
    int n = 0;
    for (int d = 0; d < view->ndim; d++) {
        w->axis[d] = d;
        w->flipped[d] = false;
    }
    if (order == 'C') return;
    for (int i = 0; i < nin; i++) {
        const tb_array *a = in[i].array;
        if (!a) continue;
        tb__broadcast_strides(a->ndim, a->dims, a->strides, view->ndim, view->dims, broadcast[n]);
        strides[n] = broadcast[n];
        n++;
    }
    strides[n++] = view->strides;
    if (nin == 0 || shares_memory(view, NULL, nin, in)) walk_memory(view, w);
    else walk_operands(view, n, strides, w);
}

/* The rest of the walk, once axes and directions have been chosen. */
static void set_walk(const tb_array *view, walk *w)
{
    w->ndim = view->ndim;
    w->lowest = view->offset;
    for (int k = 0; k < w->ndim; k++) {
        const int64_t stride = view->strides[w->axis[k]];
        w->shape[k] = view->dims[w->axis[k]];
        w->strides[k] = stride;
        if (stride < 0) w->lowest += stride * (w->shape[k] - 1);
    }
}

/* Strides of any array of the view's shape, and where its first element is, as the walk goes. */
static void along(const walk *w, const int64_t *strides, int64_t *offset, int64_t *out)
{
    for (int k = 0; k < w->ndim; k++) {
        const int64_t stride = strides[w->axis[k]];
        out[k] = w->flipped[k] ? -stride : stride;
        if (w->flipped[k]) *offset += stride * (w->shape[k] - 1);
    }
}

/* ---- the last to come ------------------------------------------------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What the memory of a view is made of: `count` pieces of dtype t, `step` bytes apart from offset `at` on. */
typedef struct pieces {
    tb_dtype t;
    int64_t at, step, count;
} pieces;

/* Elements that overlap in part are complex, since memory is aligned: then pieces are real numbers. */
static void cut(const tb_array *view, const walk *w, pieces *p)
{
    int64_t item = (int64_t)tb_dtype_size((tb_dtype)view->dtype), reach = 0;
    p->t = (tb_dtype)view->dtype;
    p->at = w->lowest;
    p->step = 0;
    for (int k = 0; k < w->ndim; k++) {
        if (w->shape[k] == 1) continue;
        p->step = gcd(magnitude(w->strides[k]), p->step);
        reach += magnitude(w->strides[k]) * (w->shape[k] - 1);
    }
    if (p->step == 0) p->step = item;
    if (p->step < item) {
        p->t = tb_dtype_real(p->t);
        reach += (int64_t)tb_dtype_size(p->t);
        p->step = gcd(p->step, (int64_t)tb_dtype_size(p->t));
    }
    p->count = reach / p->step + 1;
}

/* The elements (stolen) one after the other as they are stored, as a vector of pieces. */
static tb_status line_up(const tb_array *view, const walk *w, const pieces *p, tb_expr *e, tb_array **out)
{
    int64_t dense[TB_MAXDIM], strides[TB_MAXDIM], offset = 0;
    const tb_dtype t = (tb_dtype)view->dtype;
    tb_array *line = NULL, *seen = NULL;
    const int64_t n = view->size * (int64_t)(tb_dtype_size(t) / tb_dtype_size(p->t));
    tb_status status = tb__empty(p->t, 1, &n, 'C', &line);
    tb__strides_c(w->ndim, w->shape, (int64_t)tb_dtype_size(t), dense);
    for (int k = 0; k < w->ndim; k++) {
        strides[w->axis[k]] = w->flipped[k] ? -dense[k] : dense[k];
        if (w->flipped[k]) offset += dense[k] * (w->shape[k] - 1);
    }
    if (status == TB_OK) status = tb__view(line, offset, t, view->ndim, view->dims, strides, &seen);
    if (status != TB_OK) tb__expr_release(e);
    else if (e->kind == TB_EXPR_SCALAR) status = tb__expr_op(TB_NOLOOP, 1, &e, view->ndim, view->dims, 'C', &e);
    if (status == TB_OK) status = tb__write(seen, e);
    tb_array_release(seen);
    if (status == TB_OK) *out = line;
    else tb_array_release(line);
    return status;
}

static void release(int n, tb_expr **nodes)
{
    for (int i = 0; i < n; i++) tb__expr_release(nodes[i]);
}

static tb_status numbers(int ndim, const int64_t *shape, tb_expr **out)
{
    tb_expr *in[2];
    TB_TRY(tb__node_scalar(tb_scalar_int(0), TB_I64, &in[0]));
    tb_status status = tb__node_scalar(tb_scalar_int(1), TB_I64, &in[1]);
    if (status == TB_OK) return tb__node(TB_OP_iota, 2, in, ndim, shape, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

/* The mask as the walk goes; where elements are cut, both pieces have one truth value. */
static tb_status mask_input(const tb_array *view, const walk *w, tb_array *mask, int ndim, const int64_t *shape,
                            tb_expr **out)
{
    int64_t wide[TB_MAXDIM], strides[TB_MAXDIM] = {0}, offset = mask->offset;
    tb_array *seen;
    tb__broadcast_strides(mask->ndim, mask->dims, mask->strides, view->ndim, view->dims, wide);
    along(w, wide, &offset, strides);
    TB_TRY(tb__view(mask, offset, TB_BOOL, ndim, shape, strides, &seen));
    tb_status status = tb__expr_input(seen, ndim, shape, out);
    tb_array_release(seen);
    return status;
}

/* Steals the numbers: those where the mask is false become -1. */
static tb_status only_where(tb_expr *mask, tb_expr *number, tb_expr **out)
{
    tb_expr *in[3] = {mask, number, NULL};
    tb_status status = tb__node_scalar(tb_scalar_int(-1), TB_I64, &in[2]);
    if (status == TB_OK) return tb__node(TB_OP_where, 3, in, number->ndim, number->dims, 'C', out);
    release(2, in);
    return status;
}

static tb_status find_last(const tb_array *view, const walk *w, const pieces *p, tb_array *mask, tb_array *last)
{
    int ndim = w->ndim;
    int64_t shape[TB_MAXDIM + 1], strides[TB_MAXDIM + 1], at = 0;
    const int64_t part = (int64_t)tb_dtype_size(p->t);
    tb_expr *value, *where, *chosen;
    memcpy(shape, w->shape, sizeof w->shape);
    along(w, view->strides, &at, strides);
    at += view->offset - p->at; /* of the element that the walk begins with */
    if (p->t != view->dtype) {
        if (ndim == TB_MAXDIM) return tb__fail(TB_ERR_VALUE, "assignment: too many dimensions to overlap in part");
        shape[ndim] = 2;
        strides[ndim++] = part;
    }
    TB_TRY(numbers(ndim, shape, &value));
    tb_status status = mask ? mask_input(view, w, mask, ndim, shape, &chosen) : TB_OK;
    if (status == TB_OK && mask) TB_TRY(only_where(chosen, value, &value));
    if (status == TB_OK) status = tb__node_fill(tb_scalar_int(at / p->step * 8), TB_I64, ndim, shape, 'C', &where);
    if (status != TB_OK) {
        tb__expr_release(value);
        return status;
    }
    for (int k = 0; k < ndim; k++) strides[k] = strides[k] / p->step * 8;
    const tb_loop larger = tb__loop_find(TB_OP_maximum, 2, (tb_dtype[]){TB_I64, TB_I64});
    return tb__scatter(last, strides, where, value, larger);
}

/* A vector with the number of the last element that goes to each piece, or -1. */
static tb_status make_last(const tb_array *view, const walk *w, const pieces *p, tb_array *mask, tb_array **out)
{
    tb_array *last;
    TB_TRY(tb__full(TB_I64, 1, &p->count, 'C', tb_scalar_int(-1), &last));
    tb_status status = tb__before_write(last->buffer);
    if (status == TB_OK) status = find_last(view, w, p, mask, last);
    if (status == TB_OK) *out = last;
    else tb_array_release(last);
    return status;
}

/* The elements of the line that `last` names. */
static tb_status pick(tb_array *line, tb_array *last, tb_expr **out)
{
    tb_expr *in[3], *where;
    int n = 0;
    tb_status status = tb__expr_input(last, 1, last->dims, &in[0]);
    if (status == TB_OK) status = (n++, tb__node_scalar(tb_scalar_int(line->size), TB_I64, &in[1]));
    if (status == TB_OK) status = (n++, tb__node_scalar(tb_scalar_int(line->strides[0]), TB_I64, &in[2]));
    if (status != TB_OK) {
        release(n, in);
        return status;
    }
    TB_TRY(tb__node(TB_OP_place, 3, in, 1, last->dims, 'C', &where));
    return tb__gather(line, (int64_t[]){0}, where, out);
}

static tb_status is_stored(tb_array *last, tb_expr **out)
{
    tb_expr *in[2];
    TB_TRY(tb__expr_input(last, 1, last->dims, &in[0]));
    tb_status status = tb__node_scalar(tb_scalar_int(0), TB_I64, &in[1]);
    if (status == TB_OK) return tb__node(TB_OP_greater_equal, 2, in, 1, last->dims, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

/* memory = where(last >= 0, line[last], memory) */
static tb_status write_pieces(tb_array *memory, tb_array *line, tb_array *last)
{
    tb_expr *in[3], *e;
    int n = 0;
    TB_TRY(tb__buffer_eval(memory->buffer));
    tb_status status = is_stored(last, &in[0]);
    if (status == TB_OK) status = (n++, pick(line, last, &in[1]));
    if (status == TB_OK) status = (n++, tb__expr_input(memory, 1, memory->dims, &in[2]));
    if (status != TB_OK) {
        release(n, in);
        return status;
    }
    TB_TRY(tb__node(TB_OP_where, 3, in, 1, memory->dims, 'C', &e));
    return tb__write(memory, e);
}

static tb_status store_last(tb_array *view, tb_array *mask, tb_expr *e, const walk *w)
{
    pieces p;
    tb_array *line, *last = NULL, *memory = NULL;
    cut(view, w, &p);
    TB_TRY(line_up(view, w, &p, e, &line));
    tb_status status = make_last(view, w, &p, mask, &last);
    if (status == TB_OK) status = tb__view(view, p.at, p.t, 1, &p.count, &p.step, &memory);
    if (status == TB_OK) status = write_pieces(memory, line, last);
    tb_array_release(memory);
    tb_array_release(last);
    tb_array_release(line);
    return status;
}

/* ---- the write -------------------------------------------------------------------------------------------------- */

/* where(mask, e, view), e stolen. */
static tb_status blend(tb_array *view, tb_array *mask, tb_expr *e, tb_expr **out)
{
    tb_expr *in[3] = {NULL, e, NULL};
    tb_status status = tb__expr_input(mask, view->ndim, view->dims, &in[0]);
    if (status == TB_OK) {
        status = tb__expr_input(view, view->ndim, view->dims, &in[2]);
        if (status == TB_OK) return tb__node(TB_OP_where, 3, in, view->ndim, view->dims, 'K', out);
        tb__expr_release(in[0]);
    }
    tb__expr_release(e);
    return status;
}

static bool is_one_number(const tb_expr *e)
{
    return e->kind == TB_EXPR_SCALAR ||
           (e->kind == TB_EXPR_OP && e->loop == TB_NOLOOP && e->u.in[0]->kind == TB_EXPR_SCALAR);
}

/* Elements on top of each other that get the same number may come in any order; those that overlap in part may not. */
static bool order_matters(const tb_array *view, const tb_array *mask, const tb_expr *e)
{
    const bool partly = tb_dtype_kind((tb_dtype)view->dtype) == TB_KIND_COMPLEX;
    return !(is_one_number(e) && !mask && !partly) && !tb__array_is_distinct(view);
}

tb_status tb__store(tb_array *view, tb_array *mask, tb_expr *e, char order, int nin, const tb_operand *in)
{
    walk w;
    if (!order_matters(view, mask, e)) {
        if (mask) TB_TRY(blend(view, mask, e, &e));
        return tb__write(view, e);
    }
    if (view->size == 0) {
        tb__expr_release(e);
        return TB_OK;
    }
    /* NumPy computes into a copy and writes all of that back. */
    if (mask && nin > 0 && shares_memory(view, mask, nin, in)) {
        TB_TRY(blend(view, mask, e, &e));
        mask = NULL;
    }
    choose_walk(view, order, nin, in, &w);
    set_walk(view, &w);
    return store_last(view, mask, e, &w);
}
