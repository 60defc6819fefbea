/* places.c - see places.h: from a key to a view, index arrays, and the offsets that they stand for. */
#include "ops/places.h"

#include <string.h>

#include "base/argument.h"
#include "base/error.h"
#include "base/shape.h"

enum { MAXITEM = 2 * TB_MAXDIM, TEXT = 256 };

static bool is_mask(const tb_index *x) { return x->kind == TB_INDEX_ARRAY && x->array->dtype == TB_BOOL; }

static bool has_array(const tb_index *x) { return x->kind == TB_INDEX_ARRAY || x->kind == TB_INDEX_ALONG; }

static tb_status check_item(const char *function, int i, const tb_index *x)
{
    if ((unsigned)x->kind > TB_INDEX_ALONG)
        return tb__fail(TB_ERR_VALUE, "%s: index[%d].kind is %d, which is none of its values", function, i, x->kind);
    if (has_array(x) && !x->array) return tb__fail_null(function, "index[].array");
    if (x->kind == TB_INDEX_SLICE && x->step == 0) return tb__fail(TB_ERR_VALUE, "slice step cannot be zero");
    return TB_OK;
}

tb_status tb__check_key(const char *function, int n, const tb_index *key)
{
    if (n < 0) return tb__fail_count(function, "n", n, MAXITEM);
    if (n > MAXITEM) return tb__fail(TB_ERR_INDEX, "too many indices for array: %d were given", n);
    for (int i = 0; i < n; i++) {
        TB_TRY(check_item(function, i, &key[i]));
        if (TB_UNLIKELY(tb__debug) && has_array(&key[i]))
            TB_TRY(tb__check_ended(function, "index", 1, &key[i].array, 0));
    }
    return TB_OK;
}

bool tb__has_arrays(int n, const tb_index *key)
{
    for (int i = 0; i < n; i++)
        if (has_array(&key[i]) || key[i].kind == TB_INDEX_BOOL) return true;
    return false;
}

static bool is_whole(const tb_index *x)
{
    if (x->kind == TB_INDEX_ELLIPSIS) return true;
    return x->kind == TB_INDEX_SLICE && !x->has_start && !x->has_stop && x->step == 1;
}

/* How many axes of the indexed array an item stands for; an ellipsis has the rest. */
static int axes_of(const tb_index *x)
{
    if (is_mask(x) || x->kind == TB_INDEX_ALONG) return x->array->ndim;
    return x->kind == TB_INDEX_INT || x->kind == TB_INDEX_SLICE || x->kind == TB_INDEX_ARRAY;
}

static tb_status check_along(int n, const tb_index *x)
{
    if (n > 1) return tb__fail(TB_ERR_INDEX, "an index along an axis is a key of its own: %d items were given", n);
    if (x->array->dtype != TB_BOOL) return TB_OK;
    return tb__fail(TB_ERR_INDEX, "indices along an axis must be integers, not truth values");
}

static tb_status check_items(const tb_array *a, int n, const tb_index *key, int *used)
{
    int ellipses = 0;
    *used = 0;
    for (int i = 0; i < n; i++) {
        *used += axes_of(&key[i]);
        ellipses += key[i].kind == TB_INDEX_ELLIPSIS;
        if (has_array(&key[i]) && tb_dtype_kind((tb_dtype)key[i].array->dtype) > TB_KIND_INT)
            return tb__fail(TB_ERR_INDEX, "arrays used as indices must be of integer (or boolean) type");
        if (key[i].kind == TB_INDEX_ALONG) TB_TRY(check_along(n, &key[i]));
    }
    if (ellipses > 1) return tb__fail(TB_ERR_INDEX, "an index can only have a single ellipsis ('...')");
    if (*used <= a->ndim) return TB_OK;
    return tb__fail(TB_ERR_INDEX, "too many indices for array: array is %d-dimensional, but %d were indexed", a->ndim,
                    *used);
}

tb_status tb__check_items(const tb_array *a, int n, const tb_index *key)
{
    int used;
    return check_items(a, n, key, &used);
}

tb_array *tb__only_mask(const tb_array *a, int n, const tb_index *key)
{
    int used;
    if (n == 0 || !is_mask(key) || key->array->size == 0 || key->array->ndim == 0) return NULL;
    if (check_items(a, n, key, &used) != TB_OK) return NULL;
    for (int i = 1; i < n; i++)
        if (!is_whole(&key[i])) return NULL;
    return key->array;
}

/* As in NumPy, where a mask has no elements any axis will do. */
tb_status tb__check_mask(const tb_array *a, int axis, const tb_array *mask)
{
    for (int d = 0; d < mask->ndim; d++)
        if (mask->dims[d] != a->dims[axis + d] && mask->dims[d] != 0)
            return tb__fail(TB_ERR_INDEX,
                            "boolean index did not match indexed array along axis %d; size of axis is "
                            "%lld but size of corresponding boolean axis is %lld",
                            axis + d, (long long)a->dims[axis + d], (long long)mask->dims[d]);
    return TB_OK;
}

/* ---- from items to a view and index arrays ---------------------------------------------------------------------- */

/* A key on its way: the part that makes the view, and which of the view's dimensions have an index array. */
typedef struct parts {
    int n, used;
    tb_index basic[MAXITEM + TB_MAXDIM];
    int axis, dim;             /* the next axis of the array, the next dimension of the view */
    int at[TB_MAXDIM];         /* dimension of an index array */
    int of[TB_MAXDIM];         /* the axis of the array that it is for; -1: it cannot be out of range */
    int first, last, advanced; /* items that are arrays or integers */
} parts;

static const tb_index whole = {.kind = TB_INDEX_SLICE, .step = 1};
static const tb_index newaxis = {.kind = TB_INDEX_NEWAXIS};

static void add_basic(parts *w, tb_index x)
{
    w->basic[w->n++] = x;
    w->axis += axes_of(&x);
    w->dim += x.kind != TB_INDEX_INT;
}

/* Steals the index array. */
static void add_array(parts *w, tb_places *p, tb_array *index, tb_index over, bool given)
{
    w->at[p->narray] = w->dim;
    w->of[p->narray] = given ? w->axis : -1;
    p->index[p->narray++] = index;
    add_basic(w, over);
}

/* A truth value stands for an axis of length 1 of its own, and either one index into it or none. */
static tb_status add_truth(parts *w, tb_places *p, bool truth)
{
    tb_array *zeros;
    int64_t n = truth;
    if (p->narray == TB_MAXDIM) return tb__fail(TB_ERR_INDEX, "too many indices for array");
    TB_TRY(tb__full(TB_I64, 1, &n, 'C', tb_scalar_int(0), &zeros));
    add_array(w, p, zeros, newaxis, false);
    return TB_OK;
}

static tb_status add_mask(parts *w, tb_places *p, const tb_array *a, tb_array *mask)
{
    tb_array *positions[TB_MAXDIM];
    if (mask->ndim == 0) {
        uint8_t truth;
        TB_TRY(tb_array_get(mask, &truth, NULL, NULL, true));
        return add_truth(w, p, truth);
    }
    TB_TRY(tb__check_mask(a, w->axis, mask));
    if (p->narray + mask->ndim > TB_MAXDIM) return tb__fail(TB_ERR_INDEX, "too many indices for array");
    TB_TRY(tb__mask_positions(mask, positions));
    for (int d = 0; d < mask->ndim; d++) add_array(w, p, positions[d], whole, false);
    return TB_OK;
}

static tb_status add_item(parts *w, tb_places *p, const tb_array *a, const tb_index *x)
{
    switch (x->kind) {
    case TB_INDEX_BOOL: return add_truth(w, p, x->start != 0);
    case TB_INDEX_ARRAY:
        if (is_mask(x)) return add_mask(w, p, a, x->array);
        add_array(w, p, tb_array_retain(x->array), whole, true);
        return TB_OK;
    case TB_INDEX_ELLIPSIS:
        for (int rest = a->ndim - w->used; rest > 0; rest--) add_basic(w, whole);
        return TB_OK;
    default: add_basic(w, *x); return TB_OK;
    }
}

static tb_status add_items(parts *w, tb_places *p, const tb_array *a, int n, const tb_index *key)
{
    w->first = -1;
    for (int i = 0; i < n; i++) {
        const tb_index_kind kind = key[i].kind;
        if (kind == TB_INDEX_INT || kind == TB_INDEX_ARRAY || kind == TB_INDEX_BOOL) {
            if (w->first < 0) {
                w->first = i;
                p->position = w->dim;
            }
            w->last = i;
            w->advanced++;
        }
        TB_TRY(add_item(w, p, a, &key[i]));
    }
    while (w->axis < a->ndim) add_basic(w, whole);
    if (w->last - w->first + 1 != w->advanced) p->position = 0;
    return TB_OK;
}

/* ---- the result ------------------------------------------------------------------------------------------------- */

static tb_status fail_broadcast(const tb_places *p)
{
    char shapes[4 * TEXT] = "", text[TEXT];
    for (int i = 0; i < p->narray; i++) {
        const char *one = tb__shape_text(text, sizeof text, p->index[i]->ndim, p->index[i]->dims);
        if (strlen(shapes) + strlen(one) + 2 > sizeof shapes) break;
        strcat(strcat(shapes, " "), one);
    }
    return tb__fail(TB_ERR_INDEX, "shape mismatch: indexing arrays could not be broadcast together with shapes%s",
                    shapes);
}

static void add_dim(tb_places *p, int64_t length, int64_t stride)
{
    p->shape[p->ndim] = length;
    p->strides[p->ndim++] = stride;
}

static tb_status set_result(tb_places *p, const parts *w)
{
    const tb_array *v = p->view;
    int64_t common[TB_MAXDIM];
    p->index_ndim = 0;
    for (int i = 0; i < p->narray; i++) {
        if (tb__broadcast("index", &p->index_ndim, common, p->index[i]->ndim, p->index[i]->dims) != TB_OK)
            return fail_broadcast(p);
        p->length[i] = v->dims[w->at[i]];
        p->stride[i] = v->strides[w->at[i]];
    }
    if (v->ndim - p->narray + p->index_ndim > TB_MAXDIM)
        return tb__fail(TB_ERR_INDEX, "number of dimensions must be within [0, %d], indexing result would have %d",
                        TB_MAXDIM, v->ndim - p->narray + p->index_ndim);
    p->ndim = 0;
    for (int d = 0, array = 0; d <= v->ndim; d++) {
        if (p->ndim == p->position)
            for (int k = 0; k < p->index_ndim; k++) add_dim(p, common[k], 0);
        if (d == v->ndim) break;
        if (array < p->narray && w->at[array] == d) array++;
        else add_dim(p, v->dims[d], v->strides[d]);
    }
    TB_TRY(tb__shape_size("index", p->ndim, p->shape, tb_dtype_size((tb_dtype)v->dtype), &p->size));
    for (int i = 0; i < p->narray; i++)
        if (p->length[i] == 0 && tb__product(p->index_ndim, common) > 0)
            return tb__fail(TB_ERR_INDEX, "index is out of bounds for axis %d with size 0", w->at[i]);
    return TB_OK;
}

/* Indices that are broadcast to nothing are not looked at, as in NumPy. */
static tb_status check_strict(const tb_places *p, const parts *w)
{
    for (int k = 0; k < p->index_ndim; k++)
        if (p->shape[p->position + k] == 0) return TB_OK;
    for (int i = 0; i < p->narray; i++)
        if (w->of[i] >= 0) TB_TRY(tb__check_indices(p->index[i], w->of[i], p->length[i]));
    return TB_OK;
}

/* ---- along an axis ---------------------------------------------------------------------------------------------- */

/* The length of dimension d, where a and the indices are broadcast. */
static tb_status along_length(const tb_array *a, const tb_array *index, int d, int64_t *out)
{
    const int64_t n = a->dims[d], given = index->dims[d];
    if (n != given && n != 1 && given != 1)
        return tb__fail(TB_ERR_INDEX,
                        "shape mismatch: along axis %d the array has %lld elements, the indices have %lld", d,
                        (long long)n, (long long)given);
    *out = n == 1 ? given : n;
    return TB_OK;
}

static tb_status set_along(tb_places *p, const tb_array *a, int axis)
{
    tb_array *index = p->index[0];
    TB_TRY(tb__axis(axis, index->ndim, &axis));
    p->length[0] = a->dims[axis];
    p->stride[0] = a->strides[axis];
    p->index_ndim = index->ndim;
    p->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++) {
        p->shape[d] = d == axis ? index->dims[d] : a->dims[d];
        if (d < index->ndim && d != axis) TB_TRY(along_length(a, index, d, &p->shape[d]));
        p->strides[d] = d == axis || a->dims[d] == 1 ? 0 : a->strides[d];
    }
    TB_TRY(tb__shape_size("index", p->ndim, p->shape, tb_dtype_size((tb_dtype)a->dtype), &p->size));
    if (p->length[0] == 0 && p->size > 0)
        return tb__fail(TB_ERR_INDEX, "index is out of bounds for axis %d with size 0", axis);
    return tb_strict_indices_get() && p->size > 0 ? tb__check_indices(index, axis, p->length[0]) : TB_OK;
}

/* The other axes are those of strides, as in a view, so that nothing but the index array is read. */
static tb_status places_along(tb_array *a, const tb_index *x, tb_places *p)
{
    p->view = tb_array_retain(a);
    p->narray = 1;
    p->index[0] = tb_array_retain(x->array);
    const tb_status status = set_along(p, a, x->start == (int)x->start ? (int)x->start : TB_MAXDIM);
    if (status != TB_OK) tb__places_free(p);
    return status;
}

tb_status tb__places(tb_array *a, int n, const tb_index *key, tb_places *p)
{
    parts w;
    w.n = w.axis = w.dim = w.advanced = 0;
    w.last = -1;
    p->view = NULL;
    p->narray = p->position = 0;
    TB_TRY(check_items(a, n, key, &w.used));
    if (n == 1 && key->kind == TB_INDEX_ALONG) return places_along(a, key, p);
    tb_status status = add_items(&w, p, a, n, key);
    if (status == TB_OK) status = tb__index_view(a, w.n, w.basic, &p->view);
    if (status == TB_OK) status = set_result(p, &w);
    if (status == TB_OK && tb_strict_indices_get()) status = check_strict(p, &w);
    if (status != TB_OK) tb__places_free(p);
    return status;
}

void tb__places_free(tb_places *p)
{
    tb_array_release(p->view);
    while (p->narray > 0) tb_array_release(p->index[--p->narray]);
}

/* ---- offsets ---------------------------------------------------------------------------------------------------- */

/* An index array's elements as int64, seen from the result's dimensions. */
static tb_status index_input(const tb_places *p, tb_array *index, tb_expr **out)
{
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    const int first = p->position + p->index_ndim - index->ndim;
    tb_array *view;
    if (index->ndim == p->ndim) return tb__node_input(index, TB_I64, p->ndim, p->shape, out);
    for (int d = 0; d < p->ndim; d++) {
        const bool own = d >= first && d < first + index->ndim;
        shape[d] = own ? index->dims[d - first] : 1;
        strides[d] = own ? index->strides[d - first] : 0;
    }
    TB_TRY(tb__view(index, index->offset, (tb_dtype)index->dtype, p->ndim, shape, strides, &view));
    tb_status status = tb__node_input(view, TB_I64, p->ndim, p->shape, out);
    tb_array_release(view);
    return status;
}

static tb_status index_offset(const tb_places *p, int i, tb_expr **out)
{
    tb_expr *in[3];
    TB_TRY(index_input(p, p->index[i], &in[0]));
    tb_status status = tb__node_scalar(tb_scalar_int(p->length[i]), TB_I64, &in[1]);
    if (status == TB_OK) {
        status = tb__node_scalar(tb_scalar_int(p->stride[i]), TB_I64, &in[2]);
        if (status == TB_OK) return tb__node(TB_OP_place, 3, in, p->ndim, p->shape, 'C', out);
        tb__expr_release(in[1]);
    }
    tb__expr_release(in[0]);
    return status;
}

tb_status tb__places_offset(const tb_places *p, tb_expr **out)
{
    tb_expr *in[2];
    TB_TRY(index_offset(p, 0, &in[0]));
    for (int i = 1; i < p->narray; i++) {
        tb_status status = index_offset(p, i, &in[1]);
        if (status != TB_OK) {
            tb__expr_release(in[0]);
            return status;
        }
        TB_TRY(tb__node(TB_OP_add, 2, in, p->ndim, p->shape, 'C', &in[0]));
    }
    *out = in[0];
    return TB_OK;
}

/* ---- little work ------------------------------------------------------------------------------------------------ */

enum { MAXLITTLE = 8 }; /* index arrays of a plan */

static bool is_ready(const tb_array *a) { return !a->buffer->expr && a->buffer->device == tb__device_current(); }

bool tb__places_are_little(const tb_places *p)
{
    if (p->narray > MAXLITTLE || !tb__is_little(p->size * (int64_t)tb_dtype_size((tb_dtype)p->view->dtype)))
        return false;
    for (int i = 0; i < p->narray; i++)
        if (!is_ready(p->index[i])) return false;
    return is_ready(p->view);
}

void tb__plan_load(tb_plan *plan, const tb_array *a, int first, int ndim)
{
    tb_load *l = &plan->load[plan->nload++];
    l->ptr = a->buffer->ptr + a->offset;
    l->dtype = a->dtype;
    l->base = false;
    for (int d = 0; d < plan->ndim; d++) {
        const int own = d - first - (ndim - a->ndim);
        l->strides[d] = own >= 0 && own < a->ndim && a->dims[own] != 1 ? a->strides[own] : 0;
    }
}

static uint16_t add_instr(tb_plan *plan, tb_loop loop, int nin, int a, int b, int c)
{
    const tb_instr instr = {
        .loop = loop, .nin = (uint8_t)nin, .dtype = TB_I64, .in = {(uint16_t)a, (uint16_t)b, (uint16_t)c}};
    plan->instr[plan->ninstr++] = instr;
    return (uint16_t)(plan->nload + plan->nscalar + plan->ninstr - 1);
}

void tb__places_start(const tb_places *p, tb_plan *plan)
{
    tb__plan_start(plan, p->ndim, p->shape);
    for (int i = 0; i < p->narray; i++) tb__plan_load(plan, p->index[i], p->position, p->index_ndim);
}

uint16_t tb__places_plan(const tb_places *p, tb_plan *plan)
{
    static tb_loop place, add;
    uint16_t where = 0;
    const int first = plan->nload + plan->nscalar;
    if (!place) {
        place = tb__loop_find(TB_OP_place, 3, (tb_dtype[]){TB_I64, TB_I64, TB_I64});
        add = tb__loop_find(TB_OP_add, 2, (tb_dtype[]){TB_I64, TB_I64});
    }
    for (int i = 0; i < p->narray; i++) {
        plan->scalar[plan->nscalar++] = (tb_scalar){.dtype = TB_I64, .v.i = p->length[i]};
        plan->scalar[plan->nscalar++] = (tb_scalar){.dtype = TB_I64, .v.i = p->stride[i]};
    }
    for (int i = 0; i < p->narray; i++) {
        const tb_dtype t = (tb_dtype)p->index[i]->dtype;
        const int index = t == TB_I64 ? i : add_instr(plan, tb__cast_loop(t, TB_I64), 1, i, 0, 0);
        const uint16_t offset = add_instr(plan, place, 3, index, first + 2 * i, first + 2 * i + 1);
        where = i == 0 ? offset : add_instr(plan, add, 2, where, offset, 0);
    }
    return where;
}

tb_status tb__places_settle(tb_places *p)
{
    for (int i = 0; i < p->narray; i++) {
        tb_array *index = p->index[i], *plain;
        if (index->dtype == TB_U64) continue; /* of which the largest are no int64 */
        TB_TRY(tb__astype(index, TB_I64, 'C', TB_CAST_UNSAFE, false, &plain));
        p->index[i] = plain;
        tb_array_release(index);
        TB_TRY(tb__buffer_eval(plain->buffer));
    }
    return TB_OK;
}

/* ---- the order of memory ----------------------------------------------------------------------------------------- */

static int64_t step_of(const tb_places *p, int d)
{
    const int64_t step = d == p->position ? p->stride[0] : p->strides[d];
    return step < 0 ? -step : step;
}

/* Whether the elements of some dimension are closer to each other than those of the last one. */
static bool is_turned(const tb_places *p)
{
    int last = p->ndim - 1;
    bool turned = false;
    while (last > 0 && p->shape[last] == 1) last--;
    for (int d = 0; d < p->ndim; d++) {
        if (p->shape[d] == 1) continue;
        if (step_of(p, d) == 0) return false;
        turned = turned || (d != p->position && step_of(p, d) < step_of(p, last));
    }
    return turned;
}

bool tb__places_turn(tb_places *p, int *axes)
{
    const tb_places before = *p;
    if (p->narray != 1 || p->index_ndim != 1 || p->ndim < 2 || !is_turned(p)) return false;
    for (int d = 0; d < p->ndim; d++) {
        int at = d; /* largest steps first; equal ones stay as they are */
        while (at > 0 && step_of(&before, axes[at - 1]) < step_of(&before, d)) {
            axes[at] = axes[at - 1];
            at--;
        }
        axes[at] = d;
    }
    for (int d = 0; d < p->ndim; d++) {
        p->shape[d] = before.shape[axes[d]];
        p->strides[d] = before.strides[axes[d]];
        if (axes[d] == before.position) p->position = d;
    }
    return true;
}
