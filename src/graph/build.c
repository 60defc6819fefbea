/* build.c - from expressions to a plan: walking the graph, numbering values.
 *
 * The walk is iterative and visits each distinct node once. Values get provisional numbers (class and index) and are
 * renumbered at the end, when the numbers of loads and scalars are known. */
#include "graph/build.h"

#include <string.h>

#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/eval.h"

enum { CLASS_LOAD = 0, CLASS_SCALAR = 0x4000, CLASS_INSTR = 0x8000, CLASS_MASK = 0xc000 };

/* ---- values --------------------------------------------------------------------------------------------------- */

static uint16_t add_load(tb_builder *w, tb_expr *e)
{
    tb_plan *p = w->plan;
    const char *ptr = e->u.leaf.buffer->ptr + e->u.leaf.offset;
    const int64_t *strides = e->dims + e->ndim;
    size_t bytes = (size_t)e->ndim * sizeof(int64_t);
    for (int i = 0; i < p->nload; i++)
        if (p->load[i].ptr == ptr && p->load[i].dtype == e->dtype && p->load[i].base == e->base &&
            memcmp(p->load[i].strides, strides, bytes) == 0)
            return (uint16_t)(CLASS_LOAD | i);
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
    return (uint16_t)(CLASS_LOAD | p->nload++);
}

static uint16_t add_scalar(tb_builder *w, tb_expr *e)
{
    tb_plan *p = w->plan;
    if (p->nscalar == TB_PLAN_MAXSCALAR) {
        w->overflow = true;
        return CLASS_SCALAR;
    }
    p->scalar[p->nscalar] = e->u.scalar;
    return (uint16_t)(CLASS_SCALAR | p->nscalar++);
}

static uint16_t add_instr(tb_builder *w, tb_expr *e)
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

/* ---- the walk ------------------------------------------------------------------------------------------------- */

static void visit(tb_builder *w, tb_expr *e)
{
    if (e->kind == TB_EXPR_LEAF) e->value = add_load(w, e);
    else if (e->kind == TB_EXPR_SCALAR) e->value = add_scalar(w, e);
    else e->value = add_instr(w, e);
    if (w->nvisit < TB_BUILDER_MAXVISIT) w->visit[w->nvisit++] = e;
    else w->overflow = true;
    if (e->owner && !e->owner->ptr && e->kind == TB_EXPR_OP) {
        if (w->nowned < TB_PLAN_MAXSTORE) w->owned[w->nowned++] = e, w->nfit = w->nvisit;
        else w->more_owned = true;
    }
}

/* Post-order. A node is pushed once to be expanded and met again, marked, to be numbered. */
static void walk(tb_builder *w, tb_expr *root)
{
    struct {
        tb_expr *e;
        int next;
    } stack[TB_MAX_NODES + 8];
    int n = 0;
    if (root->mark == w->mark) return;
    root->mark = w->mark;
    root->uses = 0;
    stack[n].e = root;
    stack[n++].next = 0;
    while (n > 0) {
        tb_expr *e = stack[n - 1].e;
        if (e->kind == TB_EXPR_OP && stack[n - 1].next < e->nin) {
            tb_expr *in = e->u.in[stack[n - 1].next++];
            if (in->mark == w->mark) {
                in->uses++;
                continue;
            }
            in->mark = w->mark;
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

static void start(tb_builder *w, tb_plan *p, const tb_expr *shape)
{
    w->plan = p;
    w->mark = tb__epoch();
    w->nvisit = w->nowned = w->nfit = 0;
    w->overflow = w->more_owned = false;
    tb__plan_start(p, shape->ndim, shape->dims);
}

static void walk_all(tb_builder *w, tb_plan *p, int n, tb_expr *const *root)
{
    start(w, p, root[0]);
    for (int i = 0; i < n; i++) walk(w, root[i]);
}

/* Expressions are small when they are made; promises below them that are stored since are more loads than before. */
static tb_status build(tb_builder *w, tb_plan *p, int n, tb_expr *const *root)
{
    for (int i = 0; i < n; i++) TB_TRY(tb__settle(root[i]));
    walk_all(w, p, n, root);
    for (; w->overflow; walk_all(w, p, n, root)) {
        tb_expr *largest = root[0];
        for (int i = 1; i < n; i++)
            if (root[i]->nodes > largest->nodes) largest = root[i];
        if (largest->kind != TB_EXPR_OP) return tb__fail(TB_ERR_INTERNAL, "%d expressions do not fit a plan", n);
        TB_TRY(tb__compute_part(largest));
    }
    return TB_OK;
}

tb_status tb__build(tb_builder *w, tb_plan *p, tb_expr *root) { return build(w, p, 1, &root); }

/* What of the nodes that were visited before promises were too many is the largest part. A promise is taken if it is
 * half as large: it needs no memory but its own. */
tb_expr *tb__build_first(const tb_builder *w)
{
    tb_expr *last = w->owned[TB_PLAN_MAXSTORE - 1], *largest = last;
    for (int i = 0; i < w->nfit; i++) {
        tb_expr *e = w->visit[i];
        if (e->kind == TB_EXPR_OP && e->loop != TB_NOLOOP && e->nodes > largest->nodes) largest = e;
    }
    return 2 * last->nodes < largest->nodes ? largest : last;
}

/* What a builder would have to add for an expression. */
typedef struct addition {
    uint32_t inside; /* mark of the builder's nodes */
    int budget, nodes, loads, scalars, instrs, owned;
    bool meets; /* some operation is in the plan already */
} addition;

static void survey(addition *a, tb_expr *root)
{
    const uint32_t seen = tb__epoch();
    tb_expr *stack[TB_WALK_STACK];
    int n = 0;
    stack[n++] = root;
    while (n > 0 && a->budget > 0) {
        tb_expr *e = stack[--n];
        if (e->mark == seen) continue;
        if (e->mark == a->inside) {
            a->meets |= e->kind == TB_EXPR_OP && e->loop != TB_NOLOOP;
            continue;
        }
        e->mark = seen;
        a->budget--;
        a->nodes++;
        a->loads += e->kind == TB_EXPR_LEAF;
        a->scalars += e->kind == TB_EXPR_SCALAR;
        if (e->kind != TB_EXPR_OP) continue;
        a->instrs += e->loop != TB_NOLOOP;
        a->owned += e->owner && !e->owner->ptr;
        for (int i = 0; i < e->nin; i++) stack[n++] = e->u.in[i];
    }
}

bool tb__build_more(tb_builder *w, tb_expr *root, int nstore, int *budget)
{
    const tb_plan *p = w->plan;
    addition a = {.inside = w->mark, .budget = *budget};
    if (root->products) return false;
    survey(&a, root);
    *budget = a.budget;
    if (a.budget <= 0 || !a.meets) return false;
    if (p->nload + a.loads > TB_MAX_LEAVES || p->nscalar + a.scalars > TB_MAX_SCALARS) return false;
    if (p->ninstr + a.instrs > TB_PLAN_MAXINSTR || w->nvisit + a.nodes > TB_BUILDER_MAXVISIT) return false;
    if (nstore + a.owned > TB_PLAN_MAXSTORE) return false;
    walk(w, root);
    return true;
}

/* ---- the end -------------------------------------------------------------------------------------------------- */

static uint16_t final_number(const tb_plan *p, uint16_t value)
{
    int index = value & ~CLASS_MASK;
    if ((value & CLASS_MASK) == CLASS_INSTR) return (uint16_t)(p->nload + p->nscalar + index);
    return (uint16_t)((value & CLASS_MASK) == CLASS_SCALAR ? p->nload + index : index);
}

void tb__build_finish(tb_builder *w)
{
    tb_plan *p = w->plan;
    for (int i = 0; i < p->ninstr; i++)
        for (int k = 0; k < p->instr[i].nin; k++) p->instr[i].in[k] = final_number(p, p->instr[i].in[k]);
}

uint16_t tb__build_value(const tb_builder *w, const tb_expr *e) { return final_number(w->plan, e->value); }

bool tb__is_computed(const tb_expr *e)
{
    return e->computed && e->computed != tb__attempt && !tb__given_up(e->computed);
}

void tb__build_count(const tb_builder *w)
{
    for (int i = 0; i < w->nvisit; i++) {
        tb_expr *e = w->visit[i];
        if (e->kind != TB_EXPR_OP) continue;
        tb__count.recomputed_nodes += e->loop != TB_NOLOOP && e->computed && !tb__given_up(e->computed);
        e->computed = tb__attempt;
    }
}

/* ---- plans of reductions, scans, copies ----------------------------------------------------------------------- */

/* The outermost promise that a kernel has computed before without writing it: others are written with it. */
static tb_expr *computed_before(const tb_builder *w)
{
    for (int i = w->nowned - 1; i >= 0; i--)
        if (tb__is_computed(w->owned[i])) return w->owned[i];
    return NULL;
}

tb_status tb__plan_from_exprs(tb_plan *p, int n, tb_expr *const *e, uint16_t *value)
{
    tb_builder w;
    if (tb__foreign) return tb__may_compute();
    for (;;) {
        TB_TRY(build(&w, p, n, e));
        tb_expr *again = computed_before(&w);
        if (!again) break;
        TB_TRY(tb__buffer_eval(again->owner));
    }
    tb__build_finish(&w);
    for (int i = 0; i < n; i++) value[i] = tb__build_value(&w, e[i]);
    tb__build_count(&w);
    return TB_OK;
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
    tb__plan_start(p, a[0]->ndim, a[0]->dims);
    for (int i = 0; i < n; i++) load_array(p, a[i]);
    *value = 0;
    if (loop == TB_NOLOOP) return;
    p->instr[p->ninstr++] =
        (tb_instr){.loop = loop, .nin = (uint8_t)n, .dtype = tb_loop_table[loop].out, .in = {0, 1, 2, 3}};
    *value = (uint16_t)n;
}

/* Operands of one element are read again and again. */
static void load_operand(tb_plan *p, const tb_array *a)
{
    load_array(p, a);
    if (a->size == 1) memset(p->load[p->nload - 1].strides, 0, (size_t)p->ndim * sizeof(int64_t));
}

static void add_operands(tb_plan *p, int n, const tb_operand *in, tb_instr *instr)
{
    for (int i = 0; i < n; i++) {
        instr->in[i] = (uint16_t)(in[i].array ? p->nload : p->nscalar);
        if (in[i].array) load_operand(p, in[i].array);
        else p->scalar[p->nscalar++] = in[i].scalar;
    }
    for (int i = 0; i < n; i++)
        if (!in[i].array) instr->in[i] = (uint16_t)(instr->in[i] + p->nload);
}

static uint16_t append(tb_plan *p, const tb_instr *instr)
{
    p->instr[p->ninstr++] = *instr;
    p->instr[p->ninstr - 1].dtype = tb_loop_table[instr->loop].out;
    return (uint16_t)(tb__plan_nvalue(p) - 1);
}

/* `value`, of dtype from, as to. */
static uint16_t add_cast(tb_plan *p, uint16_t value, tb_dtype from, tb_dtype to)
{
    if (from == to) return value;
    return append(p, &(tb_instr){.loop = tb__cast_loop(from, to), .nin = 1, .in = {value}});
}

void tb__plan_of_loop(tb_plan *p, const tb_array *into, tb_loop loop, int n, const tb_operand *in)
{
    tb_instr instr = {.loop = loop, .nin = (uint8_t)n};
    uint16_t value = 0;
    tb__plan_start(p, into->ndim, into->dims);
    add_operands(p, n, in, &instr);
    if (loop != TB_NOLOOP) {
        const tb_loop_info *l = &tb_loop_table[loop];
        for (int i = 0; i < n; i++)
            if (in[i].array) instr.in[i] = add_cast(p, instr.in[i], (tb_dtype)in[i].array->dtype, (tb_dtype)l->in[i]);
        value = add_cast(p, append(p, &instr), (tb_dtype)l->out, (tb_dtype)into->dtype);
        p->uses_index = l->flags & TB_LOOP_INDEX;
    }
    tb_store *to = &p->store[p->nstore++];
    to->ptr = into->buffer->ptr + into->offset;
    to->value = value;
    to->dtype = into->dtype;
    memcpy(to->strides, into->strides, (size_t)into->ndim * sizeof(int64_t));
}
