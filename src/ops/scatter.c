/* scatter.c - a[key] = value and a[key] = f(a[key], value) for keys that hold arrays: one kernel, which runs at the
 * call.
 *
 * Values and offsets are the kernel's prologue. Where indices repeat, the last value stays on the CPU and any of them
 * on a GPU; with a function each of them counts. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/places.h"
#include "ops/resolve.h"

/* ---- one kernel ------------------------------------------------------------------------------------------------- */

/* The plan has everything but where the values go. */
static tb_status run_plan(tb_plan *plan, tb_array *to, const int64_t *strides, tb_loop combine)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__reach(s, to->buffer));
    plan->scatters = true;
    plan->combine = combine;
    plan->count = to->c_contiguous ? (double)to->size : 0;
    plan->nstore = 1;
    plan->store[0].ptr = to->buffer->ptr + to->offset;
    plan->store[0].dtype = to->dtype;
    memcpy(plan->store[0].strides, strides, (size_t)plan->ndim * sizeof *strides);
    TB_TRY(tb__run(s, plan));
    tb__wrote(to->buffer);
    return TB_OK;
}

static tb_status run(tb_array *to, const int64_t *strides, tb_expr *const *in, tb_loop combine)
{
    tb_plan plan;
    uint16_t value[2];
    TB_TRY(tb__plan_from_exprs(&plan, 2, in, value));
    plan.where = value[0];
    plan.store[0].value = value[1];
    return run_plan(&plan, to, strides, combine);
}

tb_status tb__scatter(tb_array *to, const int64_t *strides, tb_expr *where, tb_expr *value, tb_loop combine)
{
    tb_expr *in[2] = {where, value};
    tb_status status = TB_OK;
    for (int i = 0; i < 2 && status == TB_OK; i++) status = tb__apart_from(to, &in[i]);
    if (status == TB_OK) status = run(to, strides, in, combine);
    for (int i = 0; i < 2; i++)
        if (in[i]) tb__expr_release(in[i]);
    return status;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* Leading dimensions of 1 that the places lack are dropped, as NumPy does. */
static tb_status check_value(const tb_places *p, const tb_array *value, int *dropped)
{
    char text[2][256];
    const int extra = value->ndim - p->ndim;
    bool fits = true;
    for (int d = 0; d < value->ndim; d++)
        fits = fits && (value->dims[d] == 1 || (d >= extra && value->dims[d] == p->shape[d - extra]));
    *dropped = extra > 0 ? extra : 0;
    if (fits) return TB_OK;
    return tb__fail(TB_ERR_VALUE,
                    "shape mismatch: value array of shape %s could not be broadcast to indexing result of "
                    "shape %s",
                    tb__shape_text(text[0], sizeof text[0], value->ndim, value->dims),
                    tb__shape_text(text[1], sizeof text[1], p->ndim, p->shape));
}

static tb_status value_input(const tb_places *p, const tb_operand *value, tb_dtype t, tb_loop combine, tb_expr **out)
{
    int dropped;
    tb_array *v = value->array, *narrow;
    if (!v) return tb__node_scalar(value->scalar, t, out);
    TB_TRY(check_value(p, v, &dropped));
    if (p->size == 0) return tb__node_scalar(tb_scalar_int(0), t, out);
    /* On the host what lies in memory is moved by plain loops, which take less time than to compute a pending value's
     * elements where they go. */
    if (combine == TB_NOLOOP && v->dtype == t && tb__backend->on_host) TB_TRY(tb__buffer_eval(v->buffer));
    else TB_TRY(tb__fit_prologue(v, TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    if (dropped == 0) return tb__node_input(v, t, p->ndim, p->shape, out);
    TB_TRY(tb__view(v, v->offset, (tb_dtype)v->dtype, p->ndim, v->dims + dropped, v->strides + dropped, &narrow));
    tb_status status = tb__node_input(narrow, t, p->ndim, p->shape, out);
    tb_array_release(narrow);
    return status;
}

/* Whether the value can be read as it lies in memory, and neither it nor an index is what is written. */
static bool is_value_ready(const tb_places *p, const tb_array *value, tb_dtype t)
{
    const tb_buffer *to = p->view->buffer;
    for (int i = 0; i < p->narray; i++)
        if (p->index[i]->buffer == to) return false;
    if (!value) return true;
    const tb_buffer *b = value->buffer;
    return value->dtype == t && !b->expr && b != to && b->device == to->device && value->ndim <= p->ndim;
}

static tb_status scatter_at_once(const tb_places *p, const tb_operand *value, tb_dtype t, tb_loop combine)
{
    tb_plan plan;
    int dropped;
    tb__places_start(p, &plan);
    if (value->array) {
        TB_TRY(check_value(p, value->array, &dropped));
        plan.store[0].value = (uint16_t)plan.nload;
        tb__plan_load(&plan, value->array, 0, p->ndim);
    } else {
        plan.store[0].value = (uint16_t)plan.nload;
        TB_TRY(tb_scalar_cast(value->scalar, t, &plan.scalar[plan.nscalar++]));
    }
    plan.where = tb__places_plan(p, &plan);
    return run_plan(&plan, p->view, p->strides, combine);
}

static tb_status scatter_nodes(tb_places *p, const tb_operand *value, tb_dtype t, tb_loop combine)
{
    tb_expr *v, *where;
    for (int i = 0; i < p->narray; i++) TB_TRY(tb__fit_prologue(p->index[i], TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    TB_TRY(value_input(p, value, t, combine, &v));
    tb_status status = p->size > 0 ? tb__places_offset(p, &where) : TB_OK;
    if (p->size > 0 && status == TB_OK) return tb__scatter(p->view, p->strides, where, v, combine);
    tb__expr_release(v);
    return status;
}

static tb_status scatter_places(tb_places *p, const tb_operand *value, tb_dtype t, tb_loop combine)
{
    if (tb__backend->on_host) TB_TRY(tb__places_settle(p));
    TB_TRY(tb__before_write(p->view->buffer));
    if (tb__places_are_little(p) && is_value_ready(p, value->array, t)) return scatter_at_once(p, value, t, combine);
    return scatter_nodes(p, value, t, combine);
}

/* The value's dimensions as those of the places are turned. */
static tb_status turn_value(const tb_places *before, const int *axes, const tb_array *v, tb_array **out)
{
    int dropped;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM];
    TB_TRY(check_value(before, v, &dropped));
    for (int d = 0; d < before->ndim; d++) {
        const int from = axes[d] + v->ndim - before->ndim;
        shape[d] = from >= 0 ? v->dims[from] : 1;
        strides[d] = from >= 0 ? v->strides[from] : 0;
    }
    return tb__view(v, v->offset, (tb_dtype)v->dtype, before->ndim, shape, strides, out);
}

/* The places' elements become the value, or `combine` of what they are and the value, which is taken as a t. */
static tb_status scatter(tb_array *a, int n, const tb_index *key, const tb_operand *value, tb_dtype t, tb_loop combine)
{
    int axes[TB_MAXDIM];
    tb_places p;
    TB_TRY(tb__check_writable(a->buffer, combine == TB_NOLOOP ? "assignment destination" : "output array"));
    TB_TRY(tb__places(a, n, key, &p));
    const tb_places before = p;
    tb_operand operand = *value;
    tb_array *view = NULL;
    const bool turned = tb__places_turn(&p, axes) && value->array;
    tb_status status = turned ? turn_value(&before, axes, value->array, &view) : TB_OK;
    if (turned) operand.array = view;
    if (status == TB_OK) status = scatter_places(&p, &operand, t, combine);
    tb_array_release(view);
    tb__places_free(&p);
    return status;
}

/* Records, or a number out of records of one field. */
static tb_status set_records(tb_array *a, int n, const tb_index *key, const tb_operand *value)
{
    tb_operand cast = *value;
    if (tb__is_record(a->dtype)) return tb__record_index_set(a, n, key, value);
    TB_TRY(tb__astype(value->array, a->dtype, 'K', TB_CAST_UNSAFE, false, &cast.array));
    const tb_status status = tb_array_index_set(a, n, key, &cast);
    tb_array_release(cast.array);
    return status;
}

static tb_status set(tb_array *a, int n, const tb_index *key, const tb_operand *value)
{
    const tb_dtype given = value->array ? value->array->dtype : TB_BOOL;
    if (TB_UNLIKELY(tb__are_records(a->dtype, given)) && tb__has_arrays(n, key)) return set_records(a, n, key, value);
    tb_array *mask = tb__only_mask(a, n, key), *view;
    if (mask) return tb__mask_set(a, mask, value);
    if (tb__has_arrays(n, key)) return scatter(a, n, key, value, (tb_dtype)a->dtype, TB_NOLOOP);
    TB_TRY(tb__index_view(a, n, key, &view));
    tb_status status =
        value->array ? tb__assign(view, value->array, TB_CAST_UNSAFE) : tb_assign_scalar(view, value->scalar);
    tb_array_release(view);
    return status;
}

tb_status tb_array_index_set(tb_array *a, int n, const tb_index *index, const tb_operand *value)
{
    TB_NOT_NULL(a, value);
    if (n != 0) TB_NOT_NULL(index);
    TB_TRY(tb__check_key(__func__, n, index));
    TB_ARE_OPERANDS(1, value);
    if (tb__has_arrays(n, index) && tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(set(a, n, index, value));
}

/* ---- updates ---------------------------------------------------------------------------------------------------- */

/* NumPy's rule: the loop is that for both dtypes, where Python's numbers are int64, float64 or complex128, and what it
 * gives is cast whatever it is. Elements are cast to and fro for each value, unless the loop for their own dtype gives
 * the same, which takes less time. */

/* Of numbers that a dtype holds: a wider loop's result, rounded to the dtype, is the dtype's own. A double has over
 * twice the digits of a float, and a float of a float16 or a bfloat16, so that rounding twice is rounding once. Complex
 * products and quotients take several steps. */
static bool rounds_once(const tb_ufunc *u, tb_dtype t)
{
    const bool steps = tb_dtype_kind(t) == TB_KIND_COMPLEX && u->facts & (TB_FACT_MULTIPLIES | TB_FACT_DIVIDES);
    return u->facts & TB_FACT_ROUNDS_ONCE && !steps;
}

static bool is_held(tb_scalar s, tb_dtype t)
{
    tb_scalar there, back;
    s.weak = true; /* so that casts of integers check the range */
    if (tb_scalar_cast(s, t, &there) != TB_OK || tb_scalar_cast(there, s.dtype, &back) != TB_OK) return false;
    switch (tb_dtype_kind(s.dtype)) {
    case TB_KIND_FLOAT: return back.v.f == s.v.f;
    case TB_KIND_COMPLEX: return back.v.c.re == s.v.c.re && back.v.c.im == s.v.c.im;
    default: return true;
    }
}

/* A number becomes one of the array's dtype, if that does not matter. */
static void choose_dtype(const tb_ufunc *u, tb_dtype t, tb_scalar *s)
{
    const tb_kind from = tb_dtype_kind(s->dtype), to = tb_dtype_kind(t);
    /* Integers and uint64 meet in float64, which loses what a number of Python's need not. */
    const bool exact = tb__loop_find((tb_op)u->op, 2, (tb_dtype[]){TB_U64, TB_U64}) != TB_NOLOOP;
    if (s->weak && t == TB_U64 && s->dtype == TB_I64 && s->v.i >= 0 && exact) s->dtype = TB_U64;
    s->weak = false;
    if (from > to || to == TB_KIND_BOOL) return;
    const bool integers = to == TB_KIND_INT;
    if (integers && tb_dtype_kind(tb_promote(t, s->dtype)) != TB_KIND_INT) return;
    if (integers ? u->facts & TB_FACT_MODULAR || is_held(*s, t) : rounds_once(u, t) && is_held(*s, t))
        (void)tb_scalar_cast(*s, t, s);
}

/* The loop that u runs on elements of a and the value. */
static tb_status find_loop(const tb_ufunc *u, tb_array *a, const tb_operand *value, tb_loop *out)
{
    const tb_dtype t = (tb_dtype)a->dtype;
    const tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, *value};
    TB_TRY(tb__ufunc_resolve(u, in, TB_NODTYPE, out));
    const tb_loop_info *l = &tb_loop_table[*out];
    if (tb_dtype_kind(t) == TB_KIND_INT && tb_dtype_kind((tb_dtype)l->in[0]) == TB_KIND_INT &&
        u->facts & TB_FACT_MODULAR)
        *out = tb__loop_find((tb_op)u->op, 2, (tb_dtype[]){t, t});
    return TB_OK;
}

/* A view whose elements share memory: each of them counts, one after the other. */
static tb_status update_shared(tb_array *view, const tb_operand *value, tb_dtype t, tb_loop combine)
{
    tb_expr *where, *v;
    tb_places p = {.view = view, .ndim = view->ndim, .position = view->ndim, .size = view->size};
    memcpy(p.shape, view->dims, (size_t)view->ndim * sizeof *p.shape);
    TB_TRY(tb__before_write(view->buffer));
    TB_TRY(value_input(&p, value, t, combine, &v));
    tb_status status = view->size > 0 ? tb__node_fill(tb_scalar_int(0), TB_I64, p.ndim, p.shape, 'C', &where) : TB_OK;
    if (view->size > 0 && status == TB_OK) return tb__scatter(view, view->strides, where, v, combine);
    tb__expr_release(v);
    return status;
}

/* A key that means no element twice: u in place, where the mask (or NULL) holds. */
static tb_status update_view(const tb_ufunc *u, tb_array *view, const tb_operand *value, tb_array *mask)
{
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = view}};
    if (u->nin == 2) in[1] = *value;
    const tb_ufunc_args args = {sizeof(tb_ufunc_args), .dtype = TB_NODTYPE, .casting = TB_CAST_UNSAFE, .order = 'K',
                                .where = mask};
    return tb_ufunc_into(u, in, &view, NULL, &args);
}

static tb_status update_masked(const tb_ufunc *u, tb_array *a, tb_array *mask, const tb_operand *value)
{
    tb_array *wide;
    TB_TRY(tb__check_mask(a, 0, mask));
    TB_TRY(tb__mask_view(a, mask, &wide));
    tb_status status = update_view(u, a, value, wide);
    tb_array_release(wide);
    return status;
}

static tb_status update(const tb_ufunc *u, tb_array *a, int n, const tb_index *key, const tb_operand *value)
{
    tb_loop loop;
    tb_operand number;
    tb_array *mask = tb__only_mask(a, n, key), *view;
    const bool one = !value || !value->array;
    TB_ARE_NUMBERS(u->name, a->dtype);
    if (!one) TB_ARE_NUMBERS(u->name, value->array->dtype);
    if (u->nout != 1 || u->nin > 2 || (u->nin == 2) != (value != NULL))
        return tb__fail(TB_ERR_VALUE, "at: %s cannot be applied in place with these operands", u->name);
    if (value && !value->array) {
        number = *value;
        choose_dtype(u, (tb_dtype)a->dtype, &number.scalar);
        value = &number;
    }
    const bool shared = !tb__array_is_distinct(a);
    const tb_operand nothing = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(0)},
                     *operand = u->nin == 2 ? value : &nothing;
    if (mask && !shared && (one || value->array->ndim <= a->ndim - mask->ndim)) return update_masked(u, a, mask, value);
    if (shared || tb__has_arrays(n, key)) TB_TRY(find_loop(u, a, operand, &loop));
    /* A GPU takes an element's numbers as they come. */
    if (u->facts & TB_FACT_ORDERED && !one && !shared && !tb__backend->on_host && tb__has_arrays(n, key))
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "%s.at is not one kernel, since its numbers have an order", u->name);
    if (tb__has_arrays(n, key)) return scatter(a, n, key, operand, (tb_dtype)tb_loop_table[loop].in[u->nin - 1], loop);
    TB_TRY(tb__index_view(a, n, key, &view));
    tb_status status = shared ? update_shared(view, operand, (tb_dtype)tb_loop_table[loop].in[u->nin - 1], loop)
                              : update_view(u, view, value, NULL);
    tb_array_release(view);
    return status;
}

tb_status tb_ufunc_update(const tb_ufunc *u, tb_array *a, int n, const tb_index *index, const tb_operand *value)
{
    TB_NOT_NULL(u, a);
    if (n != 0) TB_NOT_NULL(index);
    TB_TRY(tb__check_key(__func__, n, index));
    if (value) TB_ARE_OPERANDS(1, value);
    if (tb__has_arrays(n, index) && tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(update(u, a, n, index, value));
}
