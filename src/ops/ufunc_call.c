/* ufunc_call.c - calling elementwise functions: operands in, deferred arrays out.
 *
 * Order of work: resolve the loop, check every cast and shape, and only then make nodes; so that a call that fails
 * leaves nothing behind. */
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "graph/eval.h"
#include "graph/expr.h"
#include "ops/array_ops.h"
#include "ops/resolve.h"

typedef struct call {
    const tb_ufunc *ufunc;
    const tb_operand *in;
    tb_ufunc_args args;
    tb_loop loop[2];
    tb_operand cast[TB_MAXIN]; /* the operands with numbers as the loop takes them */
    int ndim;
    int64_t shape[TB_MAXDIM];
} call;

static tb_status call_shape(call *c, tb_array *const *out)
{
    const char *name = c->ufunc->name;
    bool first = true;
    c->ndim = 0;
    for (int i = 0; i < c->ufunc->nin; i++) {
        tb_array *a = c->in[i].array;
        if (!a) continue;
        if (first) {
            c->ndim = a->ndim;
            memcpy(c->shape, a->dims, (size_t)a->ndim * sizeof(int64_t));
            first = false;
        } else {
            TB_TRY(tb__broadcast(name, &c->ndim, c->shape, a->ndim, a->dims));
        }
    }
    tb_array *mask = c->args.where;
    if (mask && mask->dtype != TB_BOOL)
        return tb__fail(TB_ERR_TYPE, "%s: where must be a bool array, not %s", name,
                        tb_dtype_name((tb_dtype)mask->dtype));
    if (mask) TB_TRY(tb__broadcast(name, &c->ndim, c->shape, mask->ndim, mask->dims));
    for (int k = 0; k < c->ufunc->nout; k++) {
        if (!out[k]) continue;
        int ndim = c->ndim;
        int64_t shape[TB_MAXDIM];
        char text[2][256];
        memcpy(shape, c->shape, sizeof shape);
        TB_TRY(tb__broadcast(name, &ndim, shape, out[k]->ndim, out[k]->dims));
        if (ndim != out[k]->ndim || memcmp(shape, out[k]->dims, (size_t)ndim * sizeof(int64_t)) != 0)
            return tb__fail(TB_ERR_VALUE,
                            "%s: non-broadcastable output operand with shape %s doesn't match the "
                            "broadcast shape %s",
                            name, tb__shape_text(text[0], 256, out[k]->ndim, out[k]->dims),
                            tb__shape_text(text[1], 256, ndim, shape));
        c->ndim = ndim;
        memcpy(c->shape, shape, sizeof shape);
    }
    return TB_OK;
}

static tb_status check_casts(call *c, tb_array *const *out)
{
    const tb_ufunc *u = c->ufunc;
    const tb_loop_info *l = &tb_loop_table[c->loop[0]];
    /* Otherwise the search has made sure, for it casts safely; of numbers that are only asked whether they are 0 every
     * cast is allowed. */
    bool unsure = (c->args.dtype != TB_NODTYPE || c->args.casting < TB_CAST_SAFE) && !(u->facts & TB_FACT_OF_TRUTH);
    for (int i = 0; unsure && i < u->nin; i++) {
        tb_array *a = c->in[i].array;
        tb_dtype from = a ? (tb_dtype)a->dtype : c->in[i].scalar.dtype;
        bool ok = tb_can_cast(from, (tb_dtype)l->in[i], c->args.casting);
        if (!a && c->in[i].scalar.weak && from != TB_BOOL && c->args.casting != TB_CAST_UNSAFE)
            ok = tb_dtype_kind(from) <= tb_dtype_kind((tb_dtype)l->in[i]);
        if (!ok)
            return tb__fail(TB_ERR_CASTING,
                            "Cannot cast ufunc '%s' input %d from dtype('%s') to dtype('%s') with casting "
                            "rule '%s'",
                            u->name, i, tb_dtype_name(from), tb_dtype_name((tb_dtype)l->in[i]),
                            tb__casting_name(c->args.casting));
    }
    for (int k = 0; k < u->nout; k++) {
        if (!out[k]) continue;
        TB_ARE_NUMBERS(u->name, out[k]->dtype);
        tb_dtype from = (tb_dtype)tb_loop_table[c->loop[k]].out, to = (tb_dtype)out[k]->dtype;
        if (!tb_can_cast(from, to, c->args.casting))
            return tb__fail(TB_ERR_CASTING,
                            "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting "
                            "rule '%s'",
                            u->name, tb_dtype_name(from), tb_dtype_name(to), tb__casting_name(c->args.casting));
    }
    return TB_OK;
}

/* A comparison with a Python integer that the array's dtype cannot hold has a well-defined answer: in a wider dtype. */
static tb_status widen_comparison(call *c, tb_status status)
{
    tb_dtype wide[2] = {TB_I64, TB_I64};
    for (int i = 0; i < 2; i++) {
        tb_array *a = c->in[i].array;
        tb_dtype t = a ? (tb_dtype)a->dtype : c->in[i].scalar.dtype;
        if (tb_dtype_kind(t) > TB_KIND_INT) return status;
        if (t == TB_U64) wide[i] = TB_U64;
    }
    tb_loop l = tb__loop_find((tb_op)c->ufunc->op, 2, wide);
    if (l == TB_NOLOOP) return status;
    c->loop[0] = l;
    return TB_OK;
}

/* Division happens in float64 whatever the integers: there the number always fits. */
static tb_status widen_division(call *c, tb_status status)
{
    if (!(c->ufunc->facts & TB_FACT_IN_FLOATS)) return status;
    c->loop[0] = tb__loop_find((tb_op)c->ufunc->op, 2, (tb_dtype[]){TB_F64, TB_F64});
    return TB_OK;
}

static tb_status cast_scalars(call *c)
{
    for (int i = 0; i < c->ufunc->nin; i++) {
        const tb_scalar *from = &c->in[i].scalar;
        tb_scalar *scalar = &c->cast[i].scalar;
        c->cast[i].array = c->in[i].array;
        if (c->in[i].array) continue;
        tb_dtype t = (tb_dtype)tb_loop_table[c->loop[0]].in[i];
        if (from->dtype == t && (t == TB_F64 || t == TB_I64)) { /* numbers just made are slow to copy as a whole */
            scalar->dtype = t;
            scalar->weak = false;
            scalar->v.u = from->v.u;
            continue;
        }
        tb_status status = tb_scalar_cast(*from, t, scalar);
        if (status == TB_ERR_OVERFLOW && c->ufunc->facts & TB_FACT_OF_TRUTH) {
            status = tb_scalar_cast(tb_scalar_int(1), t, scalar); /* it is not zero, and that is all that matters */
        } else if (status == TB_ERR_OVERFLOW) {
            const bool compares = c->ufunc->facts & TB_FACT_COMPARES;
            TB_TRY(compares ? widen_comparison(c, status) : widen_division(c, status));
            status = tb_scalar_cast(*from, (tb_dtype)tb_loop_table[c->loop[0]].in[i], scalar);
        }
        TB_TRY(status);
    }
    return TB_OK;
}

/* An input node of the loop's dtype. An operand that is exactly what a pending in-place write is about to store is
 * taken as that write's expression, so that `x += 1; x *= 2` becomes one kernel. */
static tb_status input_node(call *c, int i, tb_buffer *chain, tb_expr **node)
{
    tb_array *a = c->in[i].array;
    tb_expr *e;
    if (!a) {
        e = tb__expr_scalar(c->cast[i].scalar);
        if (!e) return tb__fail_memory(sizeof *e, 0, 0, 0);
    } else if (chain && a->buffer == chain && chain->expr) {
        e = chain->expr;
        e->refs++;
    } else {
        TB_TRY(tb__expr_input(a, c->ndim, c->shape, &e));
    }
    return tb__expr_cast(e, (tb_dtype)tb_loop_table[c->loop[0]].in[i], node);
}

/* The buffer of `out` if it is waiting to be written in place and every use of it here is that same view. */
static tb_status chained(call *c, tb_array *out, tb_buffer **chain)
{
    *chain = NULL;
    if (!out || !out->buffer->expr || !out->buffer->ptr) return TB_OK;
    tb_buffer *b = out->buffer;
    bool same = tb__is_pending_view(out) && out->ndim == c->ndim;
    for (int i = 0; i < c->ufunc->nin; i++)
        if (c->in[i].array && c->in[i].array->buffer == b) same = same && tb__is_pending_view(c->in[i].array);
    if (same) *chain = b;
    else TB_TRY(tb__buffer_eval(b));
    return TB_OK;
}

/* Does what taking the operands would evaluate, before any node is made: evaluation may change the memory that another
 * operand's node reads. */
static tb_status ready_operands(call *c, const tb_buffer *chain)
{
    for (int i = 0; i < c->ufunc->nin; i++) {
        tb_array *a = c->in[i].array;
        if (!a || a->buffer == chain) continue;
        if (a->buffer->joined) TB_TRY(tb__buffer_eval(a->buffer->joined));
        if (a->buffer->expr && a->buffer->ptr) TB_TRY(tb__buffer_eval(a->buffer));
    }
    return TB_OK;
}

static void release_nodes(int n, tb_expr **nodes)
{
    for (int i = 0; i < n; i++) tb__expr_release(nodes[i]);
}

static tb_status finish(call *c, tb_expr *e, tb_array **out)
{
    if (*out) {
        TB_TRY(tb__expr_cast(e, (tb_dtype)(*out)->dtype, &e));
        return tb__store(*out, c->args.where, e, 'K', c->ufunc->nin, c->in);
    }
    return tb__promise(e, out);
}

static tb_status ufunc_part(call *c, int k, tb_array **out)
{
    tb_expr *nodes[TB_MAXIN], *e;
    tb_buffer *chain;
    TB_TRY(chained(c, *out, &chain));
    if (c->args.where) chain = NULL;
    TB_TRY(ready_operands(c, chain));
    for (int i = 0; i < c->ufunc->nin; i++) {
        tb_status status = input_node(c, i, chain, &nodes[i]);
        if (status == TB_OK) continue;
        release_nodes(i, nodes);
        return status;
    }
    TB_TRY(tb__expr_op(c->loop[k], c->ufunc->nin, nodes, c->ndim, c->shape, c->args.order, &e));
    return finish(c, e, out);
}

/* ---- little work on the host ------------------------------------------------------------------------------------- */

/* Whether elements come one after the other in memory, neighbours or not: a result in C order lies as they do. */
static bool lies_in_order(const tb_array *a)
{
    int64_t inner = 1;
    for (int d = a->ndim - 1; d >= 0; d--) {
        if (a->dims[d] == 1) continue;
        if (a->strides[d] < inner) return false;
        inner = a->strides[d];
    }
    return true;
}

/* Whether a loop can read the operand where it is: stored, in C order or one element. */
static bool is_ready(const call *c, int i, int64_t size)
{
    const tb_array *a = c->in[i].array;
    if (a->buffer->expr || a->buffer->device != tb__device_current()) return false;
    return a->size == 1 || (a->size == size && a->ndim == c->ndim && (a->c_contiguous || lies_in_order(a)));
}

/* Whether writing `to` before all of `a` is read is right: it is read where it is written, or elsewhere. */
static bool may_overwrite(const tb_array *to, const tb_array *a)
{
    if (!a || a->buffer != to->buffer) return true;
    return a->offset == to->offset && a->size == to->size && a->dtype == to->dtype && a->c_contiguous;
}

/* Whether the operation is so small that the loop takes less time than an expression: the loop then runs at the call,
 * over elements in C order. */
static bool is_little_work(const call *c, int64_t size, const tb_array *out)
{
    tb_dtype t = (tb_dtype)tb_loop_table[c->loop[0]].out;
    if (c->ufunc->nout != 1 || c->args.where || c->args.order == 'F') return false;
    if (!tb__is_little(size * (int64_t)tb_dtype_size(t))) return false;
    for (int i = 0; i < c->ufunc->nin; i++)
        if (c->in[i].array && !is_ready(c, i, size)) return false;
    if (!out) return true;
    if (out->dtype != t || !out->c_contiguous || out->buffer->expr || out->buffer->readers ||
        out->buffer->device != tb__device_current())
        return false;
    for (int i = 0; i < c->ufunc->nin; i++)
        if (!may_overwrite(out, c->in[i].array)) return false;
    return true;
}

static tb_status run_at_once(const call *c, int64_t size, tb_array **out)
{
    tb_array *result = *out;
    if (!result) {
        const tb_dtype t = (tb_dtype)tb_loop_table[c->loop[0]].out;
        TB_TRY(tb__empty_sized(t, c->ndim, c->shape, NULL, size, &result));
    }
    tb_status status = tb__run_loop(result, c->loop[0], c->ufunc->nin, c->cast);
    if (status == TB_OK) *out = result;
    else if (!*out) tb_array_release(result);
    return status;
}

static tb_array *const nothing[2];
static tb_status ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array *const *out, const tb_ufunc_args *args,
                            tb_array **result);

/* Both results as the parts of a complex number, which is never stored. */
static tb_status results_of_both(call *c, tb_array **result)
{
    tb_array *whole = NULL, *made[2];
    c->loop[1] = (tb_loop)(c->ufunc->both->first + (c->loop[0] - c->ufunc->part[0]->first));
    TB_TRY(ufunc_part(c, 1, &whole));
    const tb_operand operand = tb_operand_array(whole);
    const tb_ufunc_args plain = TB_UFUNC_ARGS_INIT;
    tb_status status = ufunc_call(&tb_op_table[TB_OP_real], &operand, nothing, &plain, &made[0]);
    if (status == TB_OK) {
        status = ufunc_call(&tb_op_table[TB_OP_imag], &operand, nothing, &plain, &made[1]);
        if (status == TB_OK) memcpy(result, made, sizeof made);
        else tb__array_release(made[0]);
    }
    tb__array_release(whole);
    return status;
}

static tb_status two_results(call *c, tb_array **result)
{
    const tb_ufunc *both = c->ufunc->both;
    if (both && c->loop[0] - c->ufunc->part[0]->first < both->count) return results_of_both(c, result);
    tb_array *made[2] = {NULL, NULL};
    TB_TRY(ufunc_part(c, 0, &made[0]));
    tb_status status = ufunc_part(c, 1, &made[1]);
    if (status == TB_OK) memcpy(result, made, sizeof made);
    else tb__array_release(made[0]);
    return status;
}

/* out: arrays to write to, or NULL. Of two results both are new arrays, which the caller writes there. */
static tb_status ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array *const *out, const tb_ufunc_args *args,
                            tb_array **result)
{
    call c;
    c.ufunc = u;
    c.in = in;
    c.args = *args;
    TB_TRY(tb__ufunc_resolve(u, in, c.args.dtype, &c.loop[0]));
    c.loop[1] = c.loop[0];
    TB_TRY(cast_scalars(&c));
    if (u->nout == 2) c.loop[1] = (tb_loop)(u->part[1]->first + (c.loop[0] - u->part[0]->first));
    TB_TRY(check_casts(&c, out));
    TB_TRY(call_shape(&c, out));
    if (u->nout == 2) return two_results(&c, result);
    tb_array *made = out[0];
    const int64_t size = tb__product(c.ndim, c.shape);
    TB_TRY(is_little_work(&c, size, made) ? run_at_once(&c, size, &made) : ufunc_part(&c, 0, &made));
    *result = made;
    return TB_OK;
}

static tb_status write_result(tb_array *into, tb_array *result, const tb_ufunc_args *args)
{
    const tb_operand value = tb_operand_array(result);
    return args->where ? tb__assign_where(into, args->where, &value) : tb__assign(into, result, args->casting);
}

/* Both results are made before either is written: an output may be an input. Each write is begun anew by itself. */
static tb_status call_into_two(const tb_ufunc *u, const tb_operand *in, tb_array *const *into, tb_array **rest,
                               const tb_ufunc_args *args)
{
    tb_array *result[2];
    tb__lock();
    tb_status status = TB__RETRYING(ufunc_call(u, in, into, args, result));
    if (status != TB_OK) result[0] = result[1] = NULL;
    for (int k = 0; k < 2; k++)
        if (status == TB_OK && into[k]) status = TB__RETRYING(write_result(into[k], result[k], args));
    for (int k = 0; k < 2; k++) {
        if (into[k] || status != TB_OK) tb_array_release(result[k]);
        else rest[k] = result[k];
    }
    tb__unlock();
    return status;
}

tb_status tb__ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array **out, const tb_ufunc_args *args)
{
    return TB__OPERATION(ufunc_call(u, in, nothing, args, out));
}

tb_status tb__ufunc_into(const tb_ufunc *u, const tb_operand *in, tb_array *const *into, tb_array **rest,
                         const tb_ufunc_args *args)
{
    tb_array *result;
    if (u->nout == 2) return call_into_two(u, in, into, rest, args);
    const tb_status status = TB__OPERATION(ufunc_call(u, in, into, args, &result));
    if (status == TB_OK && !into[0]) rest[0] = result;
    return status;
}

static tb_status check_args(const char *function, const tb_ufunc_args *args)
{
    if (args->dtype != TB_NODTYPE && (unsigned)args->dtype >= TB_NDTYPE)
        return tb__fail_choice(function, "args->dtype", args->dtype);
    if ((unsigned)args->casting > TB_CAST_UNSAFE) return tb__fail_choice(function, "args->casting", args->casting);
    return tb__check_order(function, args->order, "CFAK");
}

tb_status tb_ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array **out, const tb_ufunc_args *args)
{
    TB_NOT_NULL(u, in, out);
    TB_ARE_OPERANDS(u->nin, in);
    TB_WHOLE_ARGS(tb_ufunc_args, args, TB_UFUNC_ARGS_INIT);
    TB_NOT_RELEASED(args->where);
    if (args != &args_default) TB_TRY(check_args(__func__, args));
    return tb__ufunc_call(u, in, out, args);
}

tb_status tb_ufunc_into(const tb_ufunc *u, const tb_operand *in, tb_array *const *into, tb_array **rest,
                        const tb_ufunc_args *args)
{
    TB_NOT_NULL(u, in, into);
    TB_ARE_OPERANDS(u->nin, in);
    TB_WHOLE_ARGS(tb_ufunc_args, args, TB_UFUNC_ARGS_INIT);
    TB_NOT_RELEASED(args->where);
    TB_TRY(check_args(__func__, args));
    TB_NONE_RELEASED(u->nout, into, *into);
    if (!into[0] || (u->nout == 2 && !into[1])) TB_NOT_NULL(rest);
    return tb__ufunc_into(u, in, into, rest, args);
}

static tb_status where_records(const tb_operand *cond, const tb_operand *x, const tb_operand *y, tb_array **out)
{
    if (x->array && y->array) return tb__record_where(cond, x->array, y->array, out);
    return tb__fail(TB_ERR_TYPE, "where: a number and elements of %s have no dtype in common",
                    tb_dtype_name((x->array ? x : y)->array->dtype));
}

static bool has_records(const tb_operand *o) { return o->array && tb__is_record(o->array->dtype); }

static tb_status where(const tb_operand *cond, const tb_operand *x, const tb_operand *y, tb_array **out)
{
    if (TB_UNLIKELY(has_records(x) || has_records(y))) return where_records(cond, x, y, out);
    tb_operand in[3] = {*cond, *x, *y};
    tb_dtype types[2];
    /* Both are converted to the result's dtype, whatever they are: Python integers, all of one dtype, wrap around. */
    tb_operand counted[2] = {*x, *y};
    for (int i = 0; i < 2; i++) {
        tb_scalar *s = &counted[i].scalar;
        if (!counted[i].array && s->weak && s->dtype == TB_U64) s->dtype = TB_I64;
        in[i + 1].scalar.weak = false;
    }
    TB_TRY(tb__operand_dtypes(2, counted, types));
    const tb_ufunc_args args = {sizeof(tb_ufunc_args), tb_promote(types[0], types[1]), TB_CAST_UNSAFE, 'K', NULL};
    return ufunc_call(&tb_op_table[TB_OP_where], in, nothing, &args, out);
}

tb_status tb_where(const tb_operand *cond, const tb_operand *x, const tb_operand *y, tb_array **out)
{
    TB_NOT_NULL(cond, x, y, out);
    TB_ARE_OPERANDS(1, cond);
    TB_ARE_OPERANDS(1, x);
    TB_ARE_OPERANDS(1, y);
    return TB__OPERATION(where(cond, x, y, out));
}
