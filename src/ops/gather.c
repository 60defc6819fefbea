/* gather.c - a[key] for keys that hold arrays: a node of the graph, whose input is where each element is. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/places.h"

tb_status tb__gather(tb_array *base, const int64_t *strides, tb_expr *where, tb_expr **out)
{
    tb_expr *in[2] = {NULL, where};
    const int ndim = where->ndim;
    tb_status status =
        tb__expr_base(base->buffer, base->offset, (tb_dtype)base->dtype, ndim, where->dims, strides, &in[0]);
    if (status != TB_OK) {
        tb__expr_release(where);
        return status;
    }
    return tb__node(TB_OP_gather, 2, in, ndim, where->dims, 'C', out);
}

static tb_status run_at_once(const tb_places *p, tb_array *result)
{
    tb_plan plan;
    tb_stream *s;
    const tb_dtype t = (tb_dtype)p->view->dtype;
    TB_TRY(tb__current_stream(&s));
    tb__places_start(p, &plan);
    tb_load *base = &plan.load[plan.nload++];
    *base = (tb_load){.ptr = p->view->buffer->ptr + p->view->offset, .dtype = (uint8_t)t, .base = true};
    memcpy(base->strides, p->strides, (size_t)p->ndim * sizeof *p->strides);
    const uint16_t where = tb__places_plan(p, &plan);
    const tb_loop gather = tb__loop_find(TB_OP_gather, 2, (tb_dtype[]){t, TB_I64});
    plan.instr[plan.ninstr++] =
        (tb_instr){.loop = gather, .nin = 2, .dtype = (uint8_t)t, .in = {(uint16_t)p->narray, where}};
    plan.nstore = 1;
    plan.store[0].ptr = result->buffer->ptr + result->offset;
    plan.store[0].value = (uint16_t)(where + 1);
    plan.store[0].dtype = result->dtype;
    memcpy(plan.store[0].strides, result->strides, (size_t)p->ndim * sizeof *p->strides);
    return tb__run(s, &plan);
}

static tb_status get_at_once(const tb_places *p, tb_array **out)
{
    tb_array *result;
    TB_TRY(tb__empty((tb_dtype)p->view->dtype, p->ndim, p->shape, 'C', &result));
    tb_status status = run_at_once(p, result);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* What has been taken in the order of memory, in that of the key. */
static tb_status turn_back(const int *axes, tb_array **out)
{
    int back[TB_MAXDIM];
    tb_array *turned = *out;
    for (int d = 0; d < turned->ndim; d++) back[axes[d]] = d;
    const tb_status status = tb_transpose(turned, back, out);
    tb_array_release(turned);
    return status;
}

static tb_status promise_places(const tb_places *p, tb_array **out)
{
    tb_expr *where, *e;
    TB_TRY(tb__places_offset(p, &where));
    TB_TRY(tb__gather(p->view, p->strides, where, &e));
    return tb__promise(e, out);
}

/* Whole rows or columns, which the host moves by plain loops: as a part of an expression each of their elements would
 * have a place computed, which takes up to 15 times as long. */
static tb_status move_runs(tb_places *p, tb_array **out)
{
    tb_array *result;
    TB_TRY(tb__places_settle(p));
    TB_TRY(promise_places(p, &result));
    const tb_status status = tb__buffer_eval(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

static tb_status get_places(tb_places *p, tb_array **out)
{
    if (p->size == 0) return tb__empty((tb_dtype)p->view->dtype, p->ndim, p->shape, 'C', out);
    if (tb__places_are_little(p)) return get_at_once(p, out);
    return tb__backend->on_host && p->index_ndim < p->ndim ? move_runs(p, out) : promise_places(p, out);
}

static tb_status get(tb_array *a, int n, const tb_index *key, tb_array **out)
{
    int axes[TB_MAXDIM];
    tb_places p;
    if (TB_UNLIKELY(tb__is_record(a->dtype))) return tb__record_index(a, n, key, out);
    tb_array *mask = tb__only_mask(a, n, key);
    if (mask) return tb__mask_get(a, mask, out);
    TB_TRY(tb__places(a, n, key, &p));
    const bool turned = tb__places_turn(&p, axes);
    tb_status status = get_places(&p, out);
    if (turned && status == TB_OK) status = turn_back(axes, out);
    tb__places_free(&p);
    return status;
}

tb_status tb_array_index(tb_array *a, int n, const tb_index *index, tb_array **out)
{
    TB_NOT_NULL(a, out);
    if (n != 0) TB_NOT_NULL(index);
    TB_TRY(tb__check_key(__func__, n, index));
    const bool one = n == 1 && index->kind == TB_INDEX_INT && a->ndim > 0;
    const bool arrays = !one && tb__has_arrays(n, index);
    if (arrays && tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    if (arrays) return TB__OPERATION(get(a, n, index, out));
    tb__lock();
    tb_status status = one ? tb__index_first(a, index->start, out) : tb__index_view(a, n, index, out);
    tb__unlock();
    return status;
}
