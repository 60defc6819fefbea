/* eval.c - from a pending buffer to memory that holds its elements: what comes out of one kernel, and where it goes.
 *
 * Work is done once. A kernel stores the expression that was asked for, what live promises below it stand for, and live
 * promises that share an operation with it; a shared operation that nobody will store by its own name is given memory
 * of its own. What was stored and is still referred to becomes a leaf (tb__buffer_stored), so that nothing computes it
 * again.
 *
 * A failure leaves everything as it was: no output counts as computed before the kernel has been enqueued, memory that
 * was taken goes back, and donated memory to its owner. */
#include <string.h>

#include "backend/memory/memory.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/build.h"
#include "graph/eval.h"

/* Nodes that are looked at to find what shares an operation with a plan. */
enum { SHARING_BUDGET = 2048 };

typedef struct evaluation {
    tb_plan plan;
    tb_builder w;
    tb_buffer *buffer; /* what was asked for, and its expression */
    tb_expr *root;
    bool written; /* root goes to memory that is there, beside the outputs */
    bool alone;   /* other promises stay promises */
    bool sharing; /* what shares operations with root is looked for */
    int nadopted;
    tb_buffer *adopted[TB_PLAN_MAXSTORE]; /* memory that no array has asked for */
    int n;                                /* outputs */
    tb_expr *out[TB_PLAN_MAXSTORE];
    tb_buffer *donor[TB_PLAN_MAXSTORE]; /* whose memory an output took over, or NULL */
} evaluation;

/* ---- what is computed ----------------------------------------------------------------------------------------- */

/* References to e from outside of the plan, but for the promise whose content it is. */
static int outside(const evaluation *v, const tb_expr *e)
{
    return e->refs - e->uses - (e->owner || e == v->root ? 1 : 0);
}

/* Whether somebody else needs an operation that is not about to be stored. */
static bool is_loose(const evaluation *v, const tb_expr *e)
{
    return e->kind == TB_EXPR_OP && !e->owner && e != v->root && outside(v, e) > 0;
}

static bool any_loose(const evaluation *v)
{
    for (int i = 0; i < v->w.nvisit; i++)
        if (is_loose(v, v->w.visit[i])) return true;
    return false;
}

static bool may_join(const evaluation *v, const tb_buffer *b)
{
    const tb_expr *e = b->expr, *root = v->root;
    return !b->ptr && e->mark != v->w.mark && e->stream == root->stream && e->ndim == root->ndim &&
           memcmp(e->dims, root->dims, (size_t)e->ndim * sizeof(int64_t)) == 0;
}

/* Promises that share operations with the plan, the newest first: older ones are often below them. One store is left
 * for what they share, if there are more than fit. */
static void add_sharers(evaluation *v)
{
    int budget = SHARING_BUDGET;
    for (tb_buffer *b = tb__pending_last(); b && budget > 0; b = b->prev)
        if (may_join(v, b)) tb__build_more(&v->w, b->expr, v->written + v->w.nowned + 1, &budget);
}

/* Memory of its own for what is shared by more than fits the plan. Not for a single operation, which costs less than
 * its memory. */
static tb_status adopt(evaluation *v, tb_expr *e)
{
    if (e->nodes < 2 || v->written + v->w.nowned == TB_PLAN_MAXSTORE) return TB_OK;
    tb_buffer *b = tb__buffer_alloc((size_t)e->size * tb_dtype_size((tb_dtype)e->dtype), e->stream);
    if (!b) return tb__fail_memory(sizeof *b, 0, 0, 0);
    e->refs++;
    e->owner = b;
    tb__pend(b, e, 0);
    v->adopted[v->nadopted++] = b;
    v->w.owned[v->w.nowned++] = e;
    return TB_OK;
}

/* Only the leaf that the node has become keeps such memory. */
static void drop_adopted(evaluation *v)
{
    while (v->nadopted > 0) tb__buffer_release(v->adopted[--v->nadopted]);
}

/* The promises below root that fit one kernel; more are evaluated before, the oldest as many as fit. Any that is
 * evaluated on its own becomes a leaf, below which the write may have had others. */
static tb_status build_all(evaluation *v)
{
    for (;;) {
        if (v->written) TB_TRY(tb__eval_left_behind(v->buffer));
        TB_TRY(tb__build(&v->w, &v->plan, v->root));
        if (!v->w.more_owned && v->w.nowned + v->written <= TB_PLAN_MAXSTORE) break;
        TB_TRY(tb__compute(tb__build_first(&v->w)));
    }
    if (!v->sharing || !any_loose(v)) return TB_OK;
    add_sharers(v);
    for (int i = 0; i < v->w.nvisit; i++)
        if (is_loose(v, v->w.visit[i])) TB_TRY(adopt(v, v->w.visit[i]));
    return TB_OK;
}

static tb_status build(evaluation *v)
{
    if (v->alone) TB_TRY(tb__build(&v->w, &v->plan, v->root));
    else TB_TRY(build_all(v));
    tb__build_finish(&v->w);
    return TB_OK;
}

/* ---- where it goes -------------------------------------------------------------------------------------------- */

static bool is_output(const evaluation *v, const tb_expr *e) { return e == v->root || (!v->alone && e->owner); }

/* Which nodes will be read again: what is referred to and not stored, and whatever that is computed from. */
static void find_lasting(evaluation *v)
{
    for (int i = 0; i < v->w.nvisit; i++) v->w.visit[i]->lasts = false;
    for (int i = v->w.nvisit - 1; i >= 0; i--) {
        tb_expr *e = v->w.visit[i];
        if (is_output(v, e)) continue;
        e->lasts |= e->owner || outside(v, e) > 0;
        for (int k = 0; e->lasts && k < e->nin; k++) e->u.in[k]->lasts = true;
    }
}

/* Whether load i's buffer is kept alive by nothing but leaves of this load that nobody reads again. */
static bool is_free_afterwards(const evaluation *v, int i)
{
    const tb_buffer *b = v->w.load_leaf[i]->u.leaf.buffer;
    int leaves = 0;
    for (int k = 0; k < v->w.nvisit; k++) {
        const tb_expr *e = v->w.visit[k];
        if (e->kind != TB_EXPR_LEAF || e->u.leaf.buffer != b) continue;
        if (e->value != i || e->lasts) return false;
        leaves++;
    }
    return leaves == b->refs;
}

/* The buffer of a load that is laid out as `out` will be and is about to be free. */
static tb_buffer *find_donor(const evaluation *v, const tb_expr *out)
{
    const tb_plan *p = &v->plan;
    for (int i = 0; i < p->nload; i++) {
        const tb_expr *leaf = v->w.load_leaf[i];
        tb_buffer *b = leaf->u.leaf.buffer;
        if (p->load[i].base || !b->ptr || b->expr || b->shared) continue;
        if (b->stream != out->owner->stream) continue;
        if (b->allocator != out->owner->allocator || b->owner || b->foreign) continue;
        if (b->size != out->owner->size || leaf->u.leaf.offset != 0) continue;
        if (tb_dtype_size((tb_dtype)leaf->dtype) != tb_dtype_size((tb_dtype)out->dtype)) continue;
        if (memcmp(leaf->dims, out->dims, 2 * (size_t)out->ndim * sizeof(int64_t)) != 0) continue;
        if (is_free_afterwards(v, i)) return b;
    }
    return NULL;
}

static void add_store(evaluation *v, char *ptr, const tb_expr *e)
{
    tb_store *s = &v->plan.store[v->plan.nstore++];
    s->ptr = ptr;
    s->value = tb__build_value(&v->w, e);
    s->dtype = e->dtype;
    memcpy(s->strides, e->dims + e->ndim, (size_t)e->ndim * sizeof(int64_t));
}

static tb_status add_output(evaluation *v, tb_expr *e)
{
    tb_buffer *b = e->owner;
    /* What is recorded runs again and again: it must leave its inputs as they are. */
    tb_buffer *from = v->root->stream->capture ? NULL : find_donor(v, e);
    if (from) {
        b->ptr = from->ptr;
        from->ptr = NULL; /* the leaf's buffer dies with the graph, and has nothing left to free */
        tb__count.donations++;
    } else {
        TB_TRY(tb__buffer_store(b));
    }
    v->donor[v->n] = from;
    v->out[v->n++] = e;
    add_store(v, b->ptr, e);
    return TB_OK;
}

static void undo_outputs(evaluation *v)
{
    while (v->n > 0) {
        tb_buffer *b = v->out[--v->n]->owner, *from = v->donor[v->n];
        if (!from) {
            tb__buffer_undo_store(b);
            continue;
        }
        from->ptr = b->ptr;
        b->ptr = NULL;
        tb__count.donations--;
    }
}

/* Memory is found for the root last. */
static tb_status add_outputs(evaluation *v)
{
    find_lasting(v);
    for (int i = 0; !v->alone && i < v->w.nowned; i++)
        if (v->w.owned[i] != v->root) TB_TRY(add_output(v, v->w.owned[i]));
    if (!v->written) return add_output(v, v->root);
    add_store(v, v->buffer->ptr + v->buffer->target, v->root);
    return TB_OK;
}

/* Dropping an expression may free other outputs' last reference: they are all held first. */
static void outputs_done(evaluation *v)
{
    tb_buffer *done[TB_PLAN_MAXSTORE];
    for (int i = 0; i < v->n; i++) {
        done[i] = v->out[i]->owner;
        done[i]->refs++;
    }
    for (int i = 0; i < v->n; i++) tb__buffer_stored(done[i]);
    if (v->written) tb__abandon(v->buffer);
    for (int i = 0; i < v->n; i++) tb__buffer_release(done[i]);
}

/* ---- evaluating ----------------------------------------------------------------------------------------------- */

static tb_status compute(evaluation *v)
{
    TB_TRY(build(v));
    tb_status status = add_outputs(v);
    if (status == TB_OK) status = tb__run(v->root->stream, &v->plan);
    if (status != TB_OK) {
        undo_outputs(v);
        return status;
    }
    tb__build_count(&v->w);
    outputs_done(v);
    return TB_OK;
}

static tb_status evaluate(tb_buffer *b, bool alone, bool sharing)
{
    evaluation v;
    v.buffer = b;
    v.root = b->expr;
    v.written = b->ptr != NULL;
    v.alone = alone;
    v.sharing = sharing;
    v.n = v.nadopted = 0;
    tb_status status = compute(&v);
    drop_adopted(&v);
    return status;
}

/* Where memory is short less is stored. Promises below a write are never left: they read elements that are about to
 * go. */
tb_status tb__buffer_eval(tb_buffer *b)
{
    if (!b->expr) return TB_OK;
    if (tb__foreign) return tb__may_compute();
    if (b->expr->products) {
        bool done;
        TB_TRY(tb__product_eval(b, &done));
        if (done) return TB_OK;
    }
    tb_status status = evaluate(b, false, true);
    if (status == TB_ERR_MEMORY && b->expr) status = evaluate(b, b->ptr == NULL, false);
    return status;
}
