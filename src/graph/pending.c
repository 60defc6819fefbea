/* pending.c - what waits, and when it must not wait any longer: the pending list, promises, writes and hazards.
 *
 * The rule that keeps views and in-place operations right: before a write is accepted, everything pending that reads
 * the memory is evaluated. Exempt are promises that are part of the write itself (`x -= x * 0.5` while the product is
 * still referred to): they are marked as joined to the written buffer and come out of the same kernel if they live that
 * long; whoever uses one in a new expression has the write done first. So the memory of a written buffer is read by
 * nothing but its own expression. */
#include <string.h>

#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "graph/eval.h"
#include "graph/expr.h"

/* Program order: oldest first. */
static tb_buffer *first, *last;
static int npending;

void tb__pend(tb_buffer *b, tb_expr *e, int64_t target)
{
    tb__forget(b);
    b->expr = e;
    b->target = target;
    b->next = NULL;
    b->prev = last;
    if (last) last->next = b;
    else first = b;
    last = b;
    npending++;
}

static void unlink_pending(tb_buffer *b)
{
    if (b->prev) b->prev->next = b->next;
    else first = b->next;
    if (b->next) b->next->prev = b->prev;
    else last = b->prev;
    npending--;
}

/* Takes b off the list; its expression is the caller's. */
static tb_expr *detach(tb_buffer *b)
{
    tb_expr *e = b->expr;
    unlink_pending(b);
    __atomic_store_n(&b->expr, NULL, __ATOMIC_RELEASE); /* for tb_array_peek, which takes no lock */
    b->joined = NULL;
    for (tb_buffer *p = b->has_joined ? first : NULL; p; p = p->next)
        if (p->joined == b) p->joined = NULL;
    b->has_joined = false;
    if (e->owner == b) e->owner = NULL;
    return e;
}

void tb__abandon(tb_buffer *b) { tb__expr_release(detach(b)); }

void tb__buffer_stored(tb_buffer *b)
{
    tb_expr *e = detach(b);
    if (e->refs > 1) tb__expr_to_leaf(e, b);
    tb__expr_release(e);
}

tb_buffer *tb__pending_last(void) { return last; }

static tb_status eval_one(tb_buffer *b)
{
    b->refs++;
    tb_status status = tb__buffer_eval(b);
    tb__buffer_release(b);
    return status;
}

/* Evaluates what is pending on b's device but for b; what fails is left. Any evaluation changes the list. */
static void eval_others(const tb_buffer *b)
{
    for (int failed = 0;;) {
        int skip = failed;
        tb_buffer *k = first;
        while (k && (k == b || k->device != b->device || skip-- > 0)) k = k->next;
        if (!k) return;
        if (eval_one(k) != TB_OK) failed++;
    }
}

tb_status tb__buffer_demand(tb_buffer *b)
{
    tb_status status = tb__buffer_eval(b);
    if (status != TB_ERR_MEMORY || tb__foreign) return status;
    tb__retry_no_more();
    eval_others(b);
    return tb__buffer_eval(b);
}

/* What fails stays pending, and is an error for who asks for it. */
static void limit_pending(void)
{
    if (npending <= TB_MAX_PENDING) return;
    const bool may_retry = tb__retry_pause();
    while (npending > TB_MAX_PENDING)
        if (eval_one(first) != TB_OK) break;
    tb__retry_resume(may_retry);
}

/* Whether e, which b is to hold, may wait: not if others look at the memory that it reads or writes, and not where
 * memory is so short that whoever asked for e should hear of it. */
static bool may_wait(const tb_expr *e, const tb_buffer *b)
{
    if (!tb__deferring() || e->eager || b->shared) return false;
    if (b->ptr || (!b->allocator && b->size < TB_LARGE)) return true;
    return tb__allocator_may_wait(b->allocator, b->device, b->size);
}

tb_status tb__promise(tb_expr *e, tb_array **out)
{
    tb_array *a = NULL;
    if (e->owner || e->nin == 0) {
        int64_t shape[TB_MAXDIM];
        int ndim = e->ndim;
        memcpy(shape, e->dims, (size_t)ndim * sizeof(int64_t));
        TB_TRY(tb__expr_op(TB_NOLOOP, 1, &e, ndim, shape, 'K', &e));
    }
    int64_t bytes = e->size * (int64_t)tb_dtype_size((tb_dtype)e->dtype);
    tb_buffer *b = tb__buffer_alloc((size_t)bytes, e->stream);
    if (b) {
        a = tb__array_new(b, 0, (tb_dtype)e->dtype, e->ndim, e->dims, e->dims + e->ndim);
        tb__buffer_release(b);
    }
    if (!a) {
        tb__expr_release(e);
        return tb__fail_memory((size_t)bytes, 0, 0, 0);
    }
    if (bytes == 0) {
        tb__expr_release(e);
        *out = a;
        return TB_OK;
    }
    e->owner = b;
    tb__pend(b, e, 0);
    tb_status status = TB_OK;
    if (may_wait(e, b)) limit_pending();
    else status = tb__buffer_eval(b);
    if (status != TB_OK) tb__array_release(a);
    else *out = a;
    return status;
}

/* ---- writes --------------------------------------------------------------------------------------------------- */

static bool same_map(const tb_expr *leaf, const tb_array *view)
{
    return leaf->u.leaf.offset == view->offset && leaf->dtype == view->dtype && leaf->ndim == view->ndim &&
           memcmp(leaf->dims + leaf->ndim, view->strides, (size_t)view->ndim * sizeof(int64_t)) == 0;
}

static bool disjoint(const tb_expr *leaf, const tb_array *view)
{
    int64_t lo1, hi1, lo2, hi2;
    tb__extent(leaf->ndim, leaf->dims, leaf->dims + leaf->ndim, (int64_t)tb_dtype_size((tb_dtype)leaf->dtype), &lo1,
               &hi1);
    tb__extent(view->ndim, view->dims, view->strides, (int64_t)tb_dtype_size((tb_dtype)view->dtype), &lo2, &hi2);
    return leaf->u.leaf.offset + hi1 <= view->offset + lo2 || view->offset + hi2 <= leaf->u.leaf.offset + lo1;
}

static bool is_overwritten_early(tb_expr *e, void *arg)
{
    const tb_array *view = arg;
    if (e->kind != TB_EXPR_LEAF || e->u.leaf.buffer != view->buffer) return false;
    return e->base || (!same_map(e, view) && !disjoint(e, view));
}

static bool needs_temporary(tb_expr *e, tb_array *view)
{
    return view->buffer->readers && tb__walk(e, is_overwritten_early, view) == 0;
}

/* e's elements, evaluated into memory of their own, as a leaf (steals e). */
static tb_status through_temporary(tb_expr **e)
{
    tb_array *a;
    tb_status status = tb__promise(*e, &a);
    *e = NULL;
    TB_TRY(status);
    status = tb__buffer_eval(a->buffer);
    if (status == TB_OK) {
        tb_stream *s;
        status = tb__current_stream(&s);
        if (status == TB_OK) *e = tb__leaf(a->buffer, 0, (tb_dtype)a->dtype, a->ndim, a->dims, a->strides, s);
        if (status == TB_OK && !*e) status = tb__fail_memory(sizeof **e, 0, 0, 0);
    }
    tb__array_release(a);
    return status;
}

tb_status tb__apart_from(const tb_array *view, tb_expr **e)
{
    return tb__reads(*e, view->buffer) ? through_temporary(e) : TB_OK;
}

/* The pending expression of a buffer must have its layout: the strides in the node say where elements go. */
static tb_status with_layout(tb_expr **e, const tb_array *view)
{
    bool fits = (*e)->kind == TB_EXPR_OP && !(*e)->owner &&
                memcmp((*e)->dims, view->dims, 2 * (size_t)view->ndim * sizeof(int64_t)) == 0;
    if (fits) return TB_OK;
    *e = tb__alias(*e, view->ndim, view->dims, view->strides);
    return *e ? TB_OK : tb__fail_memory(sizeof **e, 0, 0, 0);
}

/* Tells for each pending buffer whether it is part of e. */
static void mark_inside(tb_expr *e)
{
    uint32_t mark = e ? tb__walk(e, NULL, NULL) : 0;
    for (tb_buffer *p = first; p; p = p->next) p->inside = e && p->expr->mark == mark;
}

/* Evaluates whatever reads b's memory, but for e and what is part of it. Leaves are shared, so that who reads can only
 * be told by looking into every pending expression. Evaluating may free other pending buffers: the walk starts over
 * after each. */
static tb_status evaluate_readers(tb_buffer *b, tb_expr *e)
{
    while (b->readers) {
        mark_inside(e);
        tb_buffer *reader = first;
        while (reader && (reader == b || reader->inside || !tb__reads(reader->expr, b))) reader = reader->next;
        if (!reader) break;
        TB_TRY(eval_one(reader));
    }
    return TB_OK;
}

static void mark_joined(tb_buffer *b)
{
    if (!b->readers) return;
    uint32_t mark = tb__walk(b->expr, NULL, NULL);
    for (tb_buffer *p = first; p; p = p->next) {
        if (p == b || p->ptr || p->expr->mark != mark) continue;
        p->joined = b;
        b->has_joined = true;
    }
}

/* Where memory was short a joined promise was stored alone: as a leaf it hides from the write what it was computed
 * from. */
tb_status tb__eval_left_behind(tb_buffer *b)
{
    while (b->has_joined) {
        mark_inside(b->expr);
        tb_buffer *p = first;
        while (p && (p->joined != b || p->inside)) p = p->next;
        if (!p) break;
        TB_TRY(eval_one(p));
    }
    return TB_OK;
}

/* Does the write that b waits for. A write that fails has not happened: then b waits for `before` again, in whose place
 * it came (steals it; NULL: nothing). Where it is computed from that, it alone holds it meanwhile: a node that somebody
 * else refers to would be given memory. */
static tb_status write_now(tb_buffer *b, tb_expr *before)
{
    const int64_t target = b->target;
    const bool part = before && before->refs > 1 && tb__walk(b->expr, NULL, NULL) == before->mark;
    if (part) before->refs--;
    tb_status status = tb__buffer_eval(b);
    if (status == TB_OK) {
        if (before && !part) tb__expr_release(before);
        return TB_OK;
    }
    if (part) before->refs++;
    tb__abandon(b);
    if (!before) return status;
    if (!b->ptr) before->owner = b;
    tb__pend(b, before, target);
    if (b->ptr) mark_joined(b);
    return status;
}

tb_status tb__write(tb_array *view, tb_expr *e)
{
    tb_buffer *b = view->buffer;
    tb_status status = TB_OK;
    tb_expr *before = NULL;
    const bool waits = may_wait(e, b), again = b->expr && tb__is_pending_view(view);
    TB_GOTO(tb__check_writable(b, "output array"));
    if (view->size == 0) goto fail;
    TB_GOTO(tb__reach(e->stream, b));
    if (b->expr && !again) TB_GOTO(tb__buffer_eval(b));
    if (b->ptr) {
        TB_GOTO(tb__settle(e));
        if (needs_temporary(e, view)) TB_GOTO(through_temporary(&e));
        TB_GOTO(evaluate_readers(b, e));
    }
    TB_GOTO(with_layout(&e, view));
    if (again) before = detach(b);
    if (before && waits) {
        tb__expr_release(before);
        before = NULL;
    }
    if (!b->ptr) e->owner = b;
    tb__pend(b, e, view->offset);
    if (b->ptr) mark_joined(b);
    if (waits) limit_pending();
    else TB_TRY(write_now(b, before));
    tb__wrote(b);
    return TB_OK;
fail:
    if (e) tb__expr_release(e);
    return status;
}

/* ---- flushing ------------------------------------------------------------------------------------------------- */

bool tb_work_pending(void)
{
    tb__lock();
    bool pending = last != NULL;
    tb__unlock();
    return pending;
}

void tb__wrote(tb_buffer *b)
{
    tb__forget(b);
    if (b->born != tb__attempt) tb__retry_no_more();
}

tb_status tb__refuse_write(const char *what) { return tb__fail(TB_ERR_VALUE, "%s is read-only", what); }

tb_status tb__before_write(tb_buffer *b)
{
    TB_TRY(tb__check_writable(b, "output array"));
    tb__forget(b);
    return tb__after_readers(b);
}

tb_status tb__after_readers(tb_buffer *b)
{
    TB_TRY(tb__buffer_eval(b));
    return evaluate_readers(b, NULL);
}

/* The newest first: what it was computed from comes out of the same kernel. */
static tb_status flush(tb_stream *s, int device)
{
    for (;;) {
        tb_buffer *b = last;
        while (b && (s ? b->expr->stream != s : b->device != device)) b = b->prev;
        if (!b) return TB_OK;
        TB_TRY(eval_one(b));
    }
}

tb_status tb__flush_stream(tb_stream *s) { return flush(s, 0); }
tb_status tb__flush_device(int device) { return flush(NULL, device); }
