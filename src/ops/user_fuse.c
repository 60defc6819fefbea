/* user_fuse.c - pending inputs that a user's kernel computes itself instead of having them written first.
 *
 * A kernel whose input x is promised to be an expression is made into another kernel of the same kind: the expression's
 * leaves and numbers are its parameters in the place of x, and its code begins by computing x from them. So whatever
 * holds for user kernels holds for it. Only operations that round the same in any kernel are taken in: no function but
 * those that IEEE 754 defines, and on a GPU, where user code is contracted to fused multiply-adds, products that say
 * that they are not. Everything else is evaluated first, as are expressions that are met for the first time: no call
 * waits for a compiler longer than it would without. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/error.h"
#include "base/half.h"
#include "ops/user_kernel.h"

enum { MOST_FUSED = 64 }; /* expressions that a kernel remembers */

/* ---- what is exact --------------------------------------------------------------------------------------------- */

static bool is_number_dtype(tb_dtype t) { return !tb__is_half(t) && t < TB_C64; }
static bool is_float(tb_dtype t) { return t == TB_F32 || t == TB_F64; }

static bool is_exact(tb_loop loop)
{
    const tb_loop_info *info = &tb_loop_table[loop];
    if (!is_number_dtype((tb_dtype)info->out)) return false;
    for (int k = 0; k < info->nin; k++)
        if (!is_number_dtype((tb_dtype)info->in[k])) return false;
    if (tb__loop_is_cast(loop)) return is_float((tb_dtype)info->out) || !is_float((tb_dtype)info->in[0]);
    return info->flags & TB_LOOP_EXACT;
}

/* ---- collecting ------------------------------------------------------------------------------------------------- */

/* Every use of an array makes a leaf. */
static bool is_same_node(const tb_expr *a, const tb_expr *b)
{
    if (a == b) return true;
    return a->kind == TB_EXPR_LEAF && b->kind == TB_EXPR_LEAF && a->u.leaf.buffer == b->u.leaf.buffer &&
           a->u.leaf.offset == b->u.leaf.offset && a->dtype == b->dtype && a->ndim == b->ndim &&
           memcmp(a->dims, b->dims, 2 * (size_t)a->ndim * sizeof *a->dims) == 0;
}

/* The number of e among the nodes, which it joins if need be after those it is made of; -1: it cannot be fused. */
static int add_node(tb_user_fusion *f, tb_expr *e)
{
    uint8_t in[TB_MAXIN] = {0};
    for (int k = 0; k < f->nnode; k++)
        if (is_same_node(f->node[k], e)) return k;
    if (e->kind == TB_EXPR_OP) {
        if (e->owner && tb__is_computed(e)) return -1;
        for (int k = 0; k < e->nin; k++) {
            const int number = add_node(f, e->u.in[k]);
            if (number < 0) return -1;
            in[k] = (uint8_t)number;
        }
        if (e->loop == TB_NOLOOP) return in[0];
        if (!is_exact(e->loop)) return -1;
    } else if (!is_number_dtype((tb_dtype)e->dtype)) {
        return -1;
    }
    if (e->kind == TB_EXPR_LEAF && e->u.leaf.buffer->device != f->device) return -1;
    if (f->nnode == TB_USER_FUSED_NODES) return -1;
    memcpy(f->in[f->nnode], in, sizeof in);
    f->node[f->nnode] = e;
    return f->nnode++;
}

static bool has_leaf(const tb_expr *e) { return e->leaves > 0; }

/* A reduction's order of steps follows from how its inputs lie: leaves must lie as the written input would. */
static bool lies_alike(const tb_user_fusion *f, int from, const tb_expr *root)
{
    for (int k = from; k < f->nnode; k++) {
        const tb_expr *e = f->node[k];
        if (e->kind != TB_EXPR_LEAF) continue;
        if (e->dtype != root->dtype || e->ndim != root->ndim) return false;
        if (memcmp(e->dims, root->dims, 2 * (size_t)e->ndim * sizeof *e->dims) != 0) return false;
    }
    return true;
}

static bool is_root(const tb_user_fusion *f, int m)
{
    for (int i = 0; i < f->nroot; i++)
        if (f->param[i] == m) return true;
    return false;
}

/* A reduction is scheduled by the dtype of its first array, which must stay the same. */
static bool schedules_alike(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f)
{
    int first = -1, first_left = -1;
    for (int m = k->params.nin; m-- > 0;) {
        if (o->kind[m] != TB_USER_ELEMENT) continue;
        first = m;
        if (!is_root(f, m)) first_left = m;
    }
    if (first_left < 0) first_left = f->param[0];
    return o->type[first] == o->type[first_left];
}

static bool is_promised(const tb_array *a, const tb_stream *s)
{
    const tb_buffer *b = a->buffer;
    return b->expr && !b->ptr && !b->joined && !b->expr->products && b->expr->stream == s && b->expr->size > 0 &&
           tb__is_pending_view(a);
}

static bool may_fuse(const tb_user_kernel *k, const tb_user_operands *o, int m)
{
    return k->fuses && o->array[m] && o->kind[m] == TB_USER_ELEMENT && m < k->params.nin &&
           !k->params.param[m].writable && !k->addressed[m] && is_promised(o->array[m], o->stream);
}

static void begin(const tb_user_operands *o, tb_user_fusion *f)
{
    f->nnode = f->nroot = 0;
    f->device = o->device;
}

static bool add_root(const tb_user_kernel *k, const tb_user_operands *o, int m, tb_user_fusion *f)
{
    tb_expr *e = o->array[m]->buffer->expr;
    const int from = f->nnode, number = has_leaf(e) ? add_node(f, e) : -1;
    if (number < 0 || (k->reduces && !lies_alike(f, 0, e))) {
        f->nnode = from;
        return false;
    }
    f->root[f->nroot] = (uint8_t)number;
    f->param[f->nroot++] = (uint8_t)m;
    return true;
}

bool tb__user_fuses(const tb_user_kernel *k)
{
    static const char *const harmless[] = {"-D", "-I", "-std=", "--std=", NULL};
    bool fuses = true;
    for (int i = 0; i < k->noption; i++) {
        bool found = false;
        for (const char *const *h = harmless; *h; h++) found |= strncmp(k->options[i], *h, strlen(*h)) == 0;
        fuses &= found;
    }
    return fuses;
}

tb_status tb__user_ask(const tb_user_kernel *k, const tb_user_operands *o)
{
    for (int m = 0; m < k->params.nin; m++)
        if (may_fuse(k, o, m)) TB_TRY(tb__fit_prologue(o->array[m], TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    return TB_OK;
}

static tb_status collect_fusion(const tb_user_kernel *k, tb_user_operands *o, tb_user_fusion *f)
{
    const tb_user_params *p = &k->params;
    bool fused[TB_USER_MAXPARAM] = {false};
    /* Evaluating one input may write another, so that what is to be fused is collected once nothing is evaluated any
     * more. */
    for (int m = 0; m < p->nin; m++) {
        begin(o, f);
        fused[m] = may_fuse(k, o, m) && add_root(k, o, m, f);
    }
    for (int m = 0; m < p->n; m++)
        if (o->array[m] && !fused[m]) TB_TRY(tb__user_evaluate_one(k, o, m));
    begin(o, f);
    for (int m = 0; m < p->nin; m++) {
        if (!fused[m] || !may_fuse(k, o, m)) continue;
        if (f->nroot < TB_USER_FUSED_ROOTS && add_root(k, o, m, f)) continue;
        f->nroot = 0;
        return TB_OK;
    }
    if (p->n + f->nnode > TB_USER_MAXPARAM) f->nroot = 0;
    if (k->reduces && f->nroot && !schedules_alike(k, o, f)) f->nroot = 0;
    return TB_OK;
}

/* ---- kernels that have been made ------------------------------------------------------------------------------- */

/* What the code of the fused kernel depends on. */
static void make_key(const tb_user_kernel *k, const tb_user_operands *o, tb_user_fusion *f)
{
    uint16_t *to = f->key;
    for (int m = 0; m < k->params.n; m++) *to++ = (uint16_t)(o->type[m] | o->kind[m] << 8);
    for (int i = 0; i < f->nnode; i++) {
        const tb_expr *e = f->node[i];
        *to++ = (uint16_t)(e->dtype | e->kind << 8);
        if (e->kind != TB_EXPR_OP) continue;
        *to++ = e->loop;
        *to++ = (uint16_t)(f->in[i][0] | f->in[i][1] << 8);
        *to++ = (uint16_t)(f->in[i][2] | f->in[i][3] << 8);
    }
    for (int i = 0; i < f->nroot; i++) *to++ = (uint16_t)(f->root[i] | f->param[i] << 8);
    f->nkey = (size_t)(to - f->key) * sizeof *f->key;
}

/* What is remembered of the structure of f: NULL if there are too many already. */
static tb_status find_fused(tb_user_kernel *k, const tb_user_operands *o, tb_user_fusion *f, tb_user_fused **out)
{
    make_key(k, o, f);
    tb_user_fused *d = k->fused;
    int n = 0;
    for (; d && (d->nkey != f->nkey || memcmp(d->key, f->key, f->nkey) != 0); n++) d = d->next;
    *out = d;
    if (d || n == MOST_FUSED) return TB_OK;
    d = calloc(1, sizeof *d + f->nkey);
    if (!d) return tb__fail_memory(sizeof *d + f->nkey, 0, 0, 0);
    d->nkey = f->nkey;
    memcpy(d->key, f->key, f->nkey);
    d->next = k->fused;
    *out = k->fused = d;
    return TB_OK;
}

tb_status tb__user_choose(tb_user_kernel *k, tb_user_operands *o, tb_user_fusion *f, tb_user_fused **out)
{
    tb_user_fused *d = NULL;
    f->nroot = 0;
    *out = NULL;
    if (k->fuses) TB_TRY(collect_fusion(k, o, f));
    if (f->nroot) TB_TRY(find_fused(k, o, f, &d));
    if (d && d->met) *out = d;
    else if (d) d->met = true;
    return TB_OK;
}

/* ---- code ------------------------------------------------------------------------------------------------------- */

void tb__user_fused_params(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f, tb_text *in,
                           tb_text *out)
{
    const tb_user_params *p = &k->params;
    tb__text_add(in, "");
    tb__text_add(out, "");
    for (int m = 0; m < p->n; m++) {
        tb_text *to = m < p->nin ? in : out;
        if (is_root(f, m)) continue;
        tb__text_addf(to, "%s%s%s%s %s", to->len ? ", " : "", p->param[m].raw ? "raw " : "",
                      m < p->nin && p->param[m].writable ? "_non_const " : "", tb_dtype_name((tb_dtype)o->type[m]),
                      p->param[m].name);
    }
    for (int i = 0; i < f->nnode; i++)
        if (f->node[i]->kind != TB_EXPR_OP)
            tb__text_addf(in, "%s%s _fused_%d", in->len ? ", " : "", tb_dtype_name((tb_dtype)f->node[i]->dtype), i);
}

/* On a GPU a product that no sum may take up. */
static const char *product(const tb_loop_info *info)
{
    if (info->out == TB_F32) return info->nin == 1 ? "__fmul_rn(a, a)" : "__fmul_rn(a, b)";
    return info->nin == 1 ? "__dmul_rn(a, a)" : "__dmul_rn(a, b)";
}

static void operation(const tb_user_fusion *f, int i, tb_text *out)
{
    const tb_loop loop = f->node[i]->loop;
    const tb_loop_info *info = &tb_loop_table[loop];
    const char *type = tb__ctype[info->out];
    tb__text_addf(out, "%s _fused_%d;\n{ ", type, i);
    for (int k = 0; k < info->nin; k++)
        tb__text_addf(out, "const %s %c = _fused_%d; ", tb__ctype[info->in[k]], 'a' + k, f->in[i][k]);
    tb__text_addf(out, "_fused_%d = (%s)(%s); }\n", i, type,
                  tb__loop_is_cast(loop)                                   ? "a"
                  : !tb__backend->on_host && info->flags & TB_LOOP_PRODUCT ? product(info)
                                                                           : info->expr);
}

void tb__user_fused_code(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f, tb_text *out)
{
    tb__text_add(out, "typedef unsigned int tb_u32;\ntypedef unsigned long long tb_u64;\n");
    for (int i = 0; i < f->nnode; i++)
        if (f->node[i]->kind == TB_EXPR_OP) operation(f, i, out);
    for (int i = 0; i < f->nroot; i++) {
        const int m = f->param[i];
        tb__text_addf(out, "const %s &%s = _fused_%d;\n", tb__ctype[o->type[m]], k->params.param[m].name, f->root[i]);
    }
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static tb_status add_inputs(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f,
                            tb_user_inputs *in)
{
    for (int m = 0; m < k->params.nin; m++) {
        if (is_root(f, m)) continue;
        tb_operand *x = &in->operand[in->n++];
        *x = o->array[m] ? tb_operand_array(tb_array_retain(o->array[m])) : tb_operand_scalar(o->number[m]);
    }
    for (int i = 0; i < f->nnode; i++) {
        const tb_expr *e = f->node[i];
        if (e->kind == TB_EXPR_OP) continue;
        tb_operand *x = &in->operand[in->n++];
        if (e->kind == TB_EXPR_SCALAR) {
            *x = tb_operand_scalar(e->u.scalar);
            continue;
        }
        *x = tb_operand_array(
            tb__array_new(e->u.leaf.buffer, e->u.leaf.offset, (tb_dtype)e->dtype, e->ndim, e->dims, e->dims + e->ndim));
        if (!x->array) return tb__fail_memory(sizeof *e, 0, 0, 0);
    }
    return TB_OK;
}

static void release_inputs(tb_user_inputs *in)
{
    for (int i = 0; i < in->n; i++) tb_array_release(in->operand[i].array);
}

tb_status tb__user_fused_begin(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f,
                               const tb_user_kernel *fused, tb_user_inputs *in, tb_user_operands *inner)
{
    in->n = 0;
    tb_status status = add_inputs(k, o, f, in);
    if (status == TB_OK)
        status = tb__user_resolve(fused, in->operand, o->array + k->params.nin, !fused->reduces, inner);
    if (status != TB_OK) release_inputs(in);
    return status;
}

static void count_fused(const tb_user_fusion *f)
{
    tb__count.fused_kernels++;
    for (int i = 0; i < f->nnode; i++) {
        if (f->node[i]->kind != TB_EXPR_OP) continue;
        tb__count.fused_nodes++;
        f->node[i]->computed = tb__attempt;
    }
}

void tb__user_fused_end(const tb_user_kernel *fused, const tb_user_fusion *f, bool ran, tb_user_inputs *in,
                        tb_user_operands *inner)
{
    tb__user_release(fused, inner);
    if (ran) count_fused(f);
    release_inputs(in);
}
