/* eval.c - from a pending buffer to a plan that runs: walking the graph, choosing outputs, donating memory.
 *
 * The walk is iterative and visits each distinct node once. Values get provisional numbers (class and index) and are
 * renumbered at the end, when the numbers of loads and scalars are known. */
#include <stdlib.h>
#include <string.h>

#include "backend/memory/memory.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/tls.h"
#include "graph/eval.h"
#include "graph/expr.h"

enum { CLASS_LOAD = 0, CLASS_SCALAR = 0x4000, CLASS_INSTR = 0x8000, CLASS_MASK = 0xc000 };
enum { MAX_VISIT = TB_PLAN_MAXVALUE + 64 };

/* ---- building ------------------------------------------------------------------------------------------------- */

typedef struct builder {
    tb_plan *plan;
    int nvisit, nkept;
    tb_expr *visit[MAX_VISIT];          /* in the order of their values */
    tb_expr *kept[TB_PLAN_MAXSTORE];    /* intermediates that a live array still refers to */
    tb_expr *load_leaf[TB_PLAN_MAXLOAD];
    int load_refs[TB_PLAN_MAXLOAD];     /* how many leaves over that leaf's buffer are this load */
    bool overflow, more_kept;
} builder;

static uint16_t add_load(builder *w, tb_expr *e)
{
    tb_plan *p = w->plan;
    const char *ptr = e->u.leaf.buffer->ptr + e->u.leaf.offset;
    const int64_t *strides = e->dims + e->ndim;
    size_t bytes = (size_t)e->ndim * sizeof(int64_t);
    for (int i = 0; i < p->nload; i++)
        if (p->load[i].ptr == ptr && p->load[i].dtype == e->dtype && p->load[i].base == e->base &&
            memcmp(p->load[i].strides, strides, bytes) == 0) {
            w->load_refs[i] += w->load_leaf[i]->u.leaf.buffer == e->u.leaf.buffer;
            return (uint16_t)(CLASS_LOAD | i);
        }
    if (p->nload == TB_PLAN_MAXLOAD) {
        w->overflow = true;
        return 0;
    }
    tb_load *l = &p->load[p->nload];
    l->ptr = ptr;
    l->dtype = e->dtype;
    l->base = e->base;
    memcpy(l->strides, strides, bytes);
    w->load_leaf[p->nload] = e;
    w->load_refs[p->nload] = 1;
    return (uint16_t)(CLASS_LOAD | p->nload++);
}

static uint16_t add_scalar(builder *w, tb_expr *e)
{
    tb_plan *p = w->plan;
    if (p->nscalar == TB_PLAN_MAXSCALAR) {
        w->overflow = true;
        return CLASS_SCALAR;
    }
    p->scalar[p->nscalar] = e->u.scalar;
    return (uint16_t)(CLASS_SCALAR | p->nscalar++);
}

static uint16_t add_instr(builder *w, tb_expr *e)
{
    tb_plan *p = w->plan;
    if (e->loop == TB_NOLOOP) return e->u.in[0]->value;
    if (p->ninstr == TB_PLAN_MAXINSTR) {
        w->overflow = true;
        return CLASS_INSTR;
    }
    tb_instr *i = &p->instr[p->ninstr];
    *i = (tb_instr){.loop = e->loop, .nin = e->nin, .dtype = e->dtype};
    for (int k = 0; k < e->nin; k++) i->in[k] = e->u.in[k]->value;
    if (tb_loop_table[e->loop].flags & TB_LOOP_INDEX) p->uses_index = true;
    return (uint16_t)(CLASS_INSTR | p->ninstr++);
}

static void visit(builder *w, tb_expr *e)
{
    if (e->kind == TB_EXPR_LEAF) e->value = add_load(w, e);
    else if (e->kind == TB_EXPR_SCALAR) e->value = add_scalar(w, e);
    else e->value = add_instr(w, e);
    if (w->nvisit < MAX_VISIT) w->visit[w->nvisit++] = e;
    else w->overflow = true;
    if (e->owner && !e->owner->ptr && e->kind == TB_EXPR_OP) {
        if (w->nkept < TB_PLAN_MAXSTORE - 1) w->kept[w->nkept++] = e;
        else w->more_kept = true;
    }
}

/* Post-order walk. A node is pushed once to be expanded and met again, marked, to be numbered. */
static void walk(builder *w, tb_expr *root, uint32_t mark)
{
    struct { tb_expr *e; int next; } stack[TB_MAX_NODES + 8];
    int n = 0;
    if (root->mark == mark) return;
    root->mark = mark;
    root->uses = 0;
    stack[n].e = root;
    stack[n++].next = 0;
    while (n > 0) {
        tb_expr *e = stack[n - 1].e;
        if (e->kind == TB_EXPR_OP && stack[n - 1].next < e->nin) {
            tb_expr *in = e->u.in[stack[n - 1].next++];
            if (in->mark == mark) {
                in->uses++;
                continue;
            }
            in->mark = mark;
            in->uses = 1;
            if (in->kind != TB_EXPR_OP) {
                visit(w, in);
            } else {
                stack[n].e = in;
                stack[n++].next = 0;
            }
            continue;
        }
        visit(w, e);
        n--;
    }
}

static uint16_t final_number(const tb_plan *p, uint16_t value)
{
    int index = value & ~CLASS_MASK;
    if ((value & CLASS_MASK) == CLASS_INSTR) return (uint16_t)(p->nload + p->nscalar + index);
    return (uint16_t)((value & CLASS_MASK) == CLASS_SCALAR ? p->nload + index : index);
}

static void start_plan(tb_plan *p, int ndim, const int64_t *shape)
{
    p->kind = TB_PLAN_MAP;
    p->ndim = ndim;
    p->nload = p->nscalar = p->ninstr = p->nstore = 0;
    p->uses_index = false;
    p->red = TB_NOLOOP;
    p->reduced = 0;
    p->axis = 0;
    p->count = 1;
    p->scatters = false;
    memcpy(p->shape, shape, (size_t)ndim * sizeof(int64_t));
}

static tb_status build_all(builder *w, tb_plan *p, int n, tb_expr *const *root, uint16_t *value)
{
    uint32_t mark = tb__epoch();
    w->plan = p;
    w->nvisit = w->nkept = 0;
    w->overflow = w->more_kept = false;
    start_plan(p, root[0]->ndim, root[0]->dims);
    for (int i = 0; i < n; i++) walk(w, root[i], mark);
    if (w->overflow) return tb__fail(TB_ERR_INTERNAL, "expression with %d nodes does not fit a plan", root[0]->nodes);
    for (int i = 0; i < p->ninstr; i++)
        for (int k = 0; k < p->instr[i].nin; k++) p->instr[i].in[k] = final_number(p, p->instr[i].in[k]);
    for (int i = 0; i < n; i++) value[i] = final_number(p, root[i]->value);
    return TB_OK;
}

static tb_status build(builder *w, tb_plan *p, tb_expr *root, uint16_t *value)
{
    return build_all(w, p, 1, &root, value);
}

tb_status tb__plan_from_exprs(tb_plan *p, int n, tb_expr *const *e, uint16_t *value)
{
    static builder w;
    if (tb__foreign) return tb__may_compute();
    return build_all(&w, p, n, e, value);
}

tb_status tb__plan_from_expr(tb_plan *p, tb_expr *e, uint16_t *value) { return tb__plan_from_exprs(p, 1, &e, value); }

static void load_array(tb_plan *p, const tb_array *a)
{
    tb_load *l = &p->load[p->nload++];
    l->ptr = a->buffer->ptr + a->offset;
    l->dtype = a->dtype;
    l->base = false;
    memcpy(l->strides, a->strides, (size_t)a->ndim * sizeof(int64_t));
}

void tb__plan_from_arrays(tb_plan *p, tb_loop loop, int n, tb_array *const *a, uint16_t *value)
{
    start_plan(p, a[0]->ndim, a[0]->dims);
    for (int i = 0; i < n; i++) load_array(p, a[i]);
    *value = 0;
    if (loop == TB_NOLOOP) return;
    p->instr[p->ninstr++] = (tb_instr){.loop = loop, .nin = (uint8_t)n, .dtype = tb_loop_table[loop].out,
                                       .in = {0, 1, 2}};
    *value = (uint16_t)n;
}

bool tb__is_prompt(int64_t bytes)
{
    return tb__backend && tb__backend->on_host && bytes > 0 && bytes <= TB_PROMPT;
}

/* Operands of one element are read again and again. */
static void load_operand(tb_plan *p, const tb_array *a)
{
    int ndim = p->ndim;
    tb_load *l = &p->load[p->nload++];
    l->ptr = a->buffer->ptr + a->offset;
    l->dtype = a->dtype;
    l->base = false;
    if (a->size == 1) memset(l->strides, 0, (size_t)ndim * sizeof(int64_t));
    else memcpy(l->strides, a->strides, (size_t)ndim * sizeof(int64_t));
}

static tb_status reach_operands(const tb_array *into, int n, const tb_operand *in)
{
    for (int i = 0; i < n; i++)
        if (in[i].array && in[i].array->buffer->device != into->buffer->device)
            TB_TRY(tb__peer_ready(into->buffer->device, in[i].array->buffer->device));
    return TB_OK;
}

tb_status tb__run_loop(tb_array *into, tb_loop loop, int n, const tb_operand *in)
{
    static tb_plan plan;
    tb_plan *p = &plan;
    tb_stream *s;
    tb_instr instr = {.loop = loop, .nin = (uint8_t)n};
    TB_TRY(tb__current_stream(&s));
    TB_TRY(reach_operands(into, n, in));
    start_plan(p, into->ndim, into->dims);
    for (int i = 0; i < n; i++) {
        instr.in[i] = (uint16_t)(in[i].array ? p->nload : p->nscalar);
        if (in[i].array) load_operand(p, in[i].array);
        else p->scalar[p->nscalar++] = in[i].scalar;
    }
    for (int i = 0; i < n; i++)
        if (!in[i].array) instr.in[i] = (uint16_t)(instr.in[i] + p->nload);
    if (loop != TB_NOLOOP) {
        instr.dtype = tb_loop_table[loop].out;
        p->instr[p->ninstr++] = instr;
        p->uses_index = tb_loop_table[loop].flags & TB_LOOP_INDEX;
    }
    tb_store *to = &p->store[p->nstore++];
    to->ptr = into->buffer->ptr + into->offset;
    to->value = (uint16_t)(loop == TB_NOLOOP ? 0 : n);
    to->dtype = into->dtype;
    memcpy(to->strides, into->strides, (size_t)into->ndim * sizeof(int64_t));
    return tb__run(s, p);
}

/* ---- outputs -------------------------------------------------------------------------------------------------- */

/* Whether nothing outside this graph refers to any of its nodes, so that its leaves' memory is free once it has run. */
static bool exclusive(const builder *w, const tb_expr *root)
{
    for (int i = 0; i < w->nvisit; i++) {
        const tb_expr *e = w->visit[i];
        if (e->refs != e->uses + (e->owner || e == root ? 1 : 0)) return false;
    }
    return true;
}

/* A load's buffer that only this load's leaves keep alive, laid out as `out` will be. */
static tb_buffer *donor(const builder *w, const tb_expr *out)
{
    const tb_plan *p = w->plan;
    for (int i = 0; i < p->nload; i++) {
        const tb_expr *leaf = w->load_leaf[i];
        tb_buffer *b = leaf ? leaf->u.leaf.buffer : NULL;
        if (!b || p->load[i].base || b->refs != w->load_refs[i] || b->shared) continue;
        if (b->stream != out->owner->stream) continue;
        if (b->allocator != out->owner->allocator || b->owner) continue;
        if (b->size != out->owner->size || leaf->u.leaf.offset != 0) continue;
        if (tb_dtype_size((tb_dtype)leaf->dtype) != tb_dtype_size((tb_dtype)out->dtype)) continue;
        if (memcmp(leaf->dims, out->dims, 2 * (size_t)out->ndim * sizeof(int64_t)) != 0) continue;
        return b;
    }
    return NULL;
}

static void add_store(tb_plan *p, char *ptr, const tb_expr *e)
{
    tb_store *s = &p->store[p->nstore++];
    s->ptr = ptr;
    s->value = final_number(p, e->value);
    s->dtype = e->dtype;
    memcpy(s->strides, e->dims + e->ndim, (size_t)e->ndim * sizeof(int64_t));
}

static tb_status add_promised(builder *w, tb_expr *e, bool may_donate)
{
    tb_buffer *b = e->owner;
    tb_buffer *from = may_donate ? donor(w, e) : NULL;
    if (from) {
        b->ptr = from->ptr;
        from->ptr = NULL; /* the leaf's buffer dies with the graph, and has nothing left to free */
        tb__count.donations++;
    } else {
        TB_TRY(tb__buffer_store(b));
    }
    add_store(w->plan, b->ptr, e);
    return TB_OK;
}

/* Memory for the intermediates that are outputs as well. On failure everything is as it was. */
static tb_status store_kept(builder *w, int n)
{
    for (int i = 0; i < n; i++) {
        tb_status status = add_promised(w, w->kept[i], false);
        if (status == TB_OK) continue;
        while (i > 0) tb__buffer_unstore(w->kept[--i]->owner);
        return status;
    }
    return TB_OK;
}

/* Dropping an expression may free other outputs' last reference: they are all held first. */
static void outputs_done(builder *w, int n)
{
    tb_buffer *done[TB_PLAN_MAXSTORE];
    for (int i = 0; i < n; i++) {
        done[i] = w->kept[i]->owner;
        done[i]->refs++;
    }
    for (int i = 0; i < n; i++) tb__abandon(done[i]);
    for (int i = 0; i < n; i++) tb__buffer_release(done[i]);
}

/* Intermediates of the write that live arrays refer to read elements that are about to go: they cannot be left for
 * later, as those of a promise can. */
static tb_status eval_written(tb_buffer *b)
{
    static tb_plan plan;
    static builder w;
    uint16_t value;
    tb_expr *root = b->expr;
    for (;;) {
        TB_TRY(build(&w, &plan, root, &value));
        if (!w.more_kept) break;
        TB_TRY(tb__buffer_eval(w.kept[0]->owner));
    }
    TB_TRY(store_kept(&w, w.nkept));
    add_store(&plan, b->ptr + b->target, root);
    tb_status status = tb__run(root->stream, &plan);
    outputs_done(&w, w.nkept);
    tb__abandon(b);
    return status;
}

/* With keep, intermediates that live arrays refer to are outputs of the same kernel. Memory is found for the root last,
 * where it may be an input's. */
static tb_status eval_promised(tb_buffer *b, bool keep)
{
    static tb_plan plan;
    static builder w;
    uint16_t value;
    tb_expr *root = b->expr;
    TB_TRY(build(&w, &plan, root, &value));
    int n = 0;
    for (int i = 0; keep && i < w.nkept; i++)
        if (w.kept[i] != root) w.kept[n++] = w.kept[i];
    TB_TRY(store_kept(&w, n));
    /* What is recorded runs again and again: it must leave its inputs as they are. */
    tb_status status = add_promised(&w, root, !root->stream->capture && exclusive(&w, root));
    if (status != TB_OK) {
        while (n > 0) tb__buffer_unstore(w.kept[--n]->owner);
        return status;
    }
    w.kept[n++] = root;
    status = tb__run(root->stream, &plan);
    outputs_done(&w, n);
    return status;
}

tb_status tb__buffer_eval(tb_buffer *b)
{
    if (!b->expr) return TB_OK;
    if (tb__foreign) return tb__may_compute();
    if (b->ptr) return eval_written(b);
    tb_status status = eval_promised(b, true);
    if (status == TB_ERR_MEMORY && b->expr) status = eval_promised(b, false);
    return status;
}

static void count_kernel(int ninstr, bool fused)
{
    tb__count.launches++;
    if (!fused) return;
    tb__count.fused_kernels++;
    tb__count.fused_nodes += (uint64_t)ninstr;
}

tb_status tb__run(tb_stream *s, tb_plan *p)
{
    if (tb__foreign) return tb__may_compute();
    tb__plan_finish(p);
    if (p->size == 0) return TB_OK;
    count_kernel(p->ninstr, p->ninstr > 1 || (p->kind != TB_PLAN_MAP && p->ninstr > 0));
    return tb__backend->run(s, p);
}

bool tb__run_line(const tb_line *l)
{
    if (tb__foreign || !tb__backend->reduce_line(l)) return false;
    count_kernel(1, l->loop != TB_NOLOOP);
    return true;
}

/* A thread that never chose follows the environment. */
enum { FOLLOW };
static TB_THREAD_LOCAL unsigned char fusion; /* FOLLOW, or what was chosen and 1 */
static tb_fusion fusion_default = TB_FUSION_ON;

__attribute__((constructor)) static void read_environment(void)
{
    const char *v = getenv("TOMBAC_FUSION");
    if (v && strcmp(v, "0") == 0) fusion_default = TB_FUSION_OFF;
    if (v && strcmp(v, "all") == 0) fusion_default = TB_FUSION_ALL;
}

tb_fusion tb_fusion_get(void) { return fusion == FOLLOW ? fusion_default : (tb_fusion)(fusion - 1); }

bool tb__deferring(void) { return tb_fusion_get() != TB_FUSION_OFF; }

/* A function that must not compute is told so by the promise. */
bool tb__is_little(int64_t bytes) { return tb__is_prompt(bytes) && tb_fusion_get() != TB_FUSION_ALL && !tb__foreign; }

tb_fusion tb_fusion_set(tb_fusion mode)
{
    tb_fusion before = tb_fusion_get();
    fusion = (unsigned char)(mode + 1);
    return before;
}
