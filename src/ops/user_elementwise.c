/* user_elementwise.c - elementwise kernels made from a user's code: calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/user_kernel.h"
#include "runtime/runtime.h"

enum { BLOCK = 256, SMALLEST_BLOCK = 64, FULL = 1 << 15 };

struct tb_elementwise {
    int refs; /* the owner's, and one for each call that is under way */
    tb_user_kernel kernel;
    tb_user_code code;
    tb_user_traits traits;
    bool keep_dims;
};

/* What a call is made ready with. */
typedef struct call {
    struct call *fused; /* of the kernel that computes pending inputs itself */
    tb_user_operands o;
    tb_user_walk walk;
    tb_user_variant v;
    int element[TB_USER_MAXPARAM]; /* the parameters that are walked, in the order of walk */
    tb_array *made[TB_USER_MAXPARAM];
    int nmade;
    unsigned char key[16 + 8 * TB_USER_MAXPARAM];
    size_t nkey;
    _Alignas(16) unsigned char args[TB_USER_ARGS];
} call;

/* ---- making and freeing ----------------------------------------------------------------------------------------- */

static void destroy(tb_elementwise *k)
{
    char name[64];
    snprintf(name, sizeof name, "%s", k->kernel.name ? k->kernel.name : "");
    tb__user_destroy(&k->kernel);
    free((void *)k->code.operation);
    free((void *)k->code.preamble);
    free((void *)k->code.loop_prep);
    free((void *)k->code.after_loop);
    tb__object_end(TB_OBJECT_ELEMENTWISE, k, sizeof *k, name);
}

static tb_status init(tb_elementwise *k, const tb_elementwise_source *s)
{
    const char *name = s->name ? s->name : "kernel";
    k->refs = 1;
    k->keep_dims = s->keep_dims;
    TB_TRY(tb__user_init(&k->kernel, name, s->in_params, s->out_params, s->noption, s->options));
    k->code = (tb_user_code){
        .name = k->kernel.name,
        .operation = tb__user_copy(s->operation),
        .preamble = tb__user_copy(s->preamble),
        .loop_prep = tb__user_copy(s->loop_prep),
        .after_loop = tb__user_copy(s->after_loop),
    };
    if (!k->code.operation || !k->code.preamble || !k->code.loop_prep || !k->code.after_loop)
        return tb__fail_memory(1, 0, 0, 0);
    tb__user_traits(&k->kernel.params, &k->code, &k->traits);
    k->kernel.fuses = tb__user_fuses(&k->kernel);
    for (int m = 0; m < k->kernel.params.nin; m++)
        k->kernel.addressed[m] = tb__takes_address(k->code.operation, k->kernel.params.param[m].name);
    return TB_OK;
}

tb_status tb_elementwise_new(const tb_elementwise_source *source, tb_elementwise **out)
{
    TB_NOT_NULL(source, out);
    TB_WHOLE_ARGS(tb_elementwise_source, source, TB_ELEMENTWISE_SOURCE_INIT);
    tb_elementwise *k = calloc(1, sizeof *k);
    if (!k) return tb__fail_memory(sizeof *k, 0, 0, 0);
    const tb_status status = init(k, source);
    if (status == TB_OK) {
        tb__object_made(TB_OBJECT_ELEMENTWISE, k);
        *out = k;
    } else {
        destroy(k);
    }
    return status;
}

void tb_elementwise_release(tb_elementwise *k)
{
    if (!k) return;
    if (!k) return;
    tb__lock();
    const bool last = --k->refs == 0;
    if (k->refs < 0) tb__released_again("tb_elementwise_release", TB_OBJECT_ELEMENTWISE, k);
    tb__unlock();
    if (last) destroy(k);
}

int tb_elementwise_nin(const tb_elementwise *k)
{
    if (TB_IS_NONE(k)) return 0;
    return k->kernel.params.nin;
}
int tb_elementwise_nout(const tb_elementwise *k)
{
    if (TB_IS_NONE(k)) return 0;
    return k->kernel.params.n - k->kernel.params.nin;
}

const char *tb_elementwise_code(const tb_elementwise *k, int i, tb_dtype *dtypes)
{
    if (TB_IS_NONE(k)) return NULL;
    return tb__user_code_at(&k->kernel, i, dtypes);
}

tb_parameter tb_elementwise_parameter(const tb_elementwise *k, int i)
{
    if (TB_IS_NONE(k)) return (tb_parameter){0};
    return tb__user_parameter(&k->kernel, i);
}

/* ---- the loop's shape and the outputs --------------------------------------------------------------------------- */

static tb_status decide_shape(const tb_elementwise *k, const tb_elementwise_args *args, tb_user_operands *o)
{
    if (args->size >= 0) {
        if (o->has_shape)
            return tb__fail(TB_ERR_VALUE, "Specified 'size' can be used only where all arrays are raw (%s)",
                            k->kernel.name);
        o->ndim = 1;
        o->shape[0] = args->size;
        return TB_OK;
    }
    if (!o->has_shape)
        return tb__fail(TB_ERR_VALUE, "Loop size is undecided. Pass size= where all arrays are raw (%s)",
                        k->kernel.name);
    return TB_OK;
}

static tb_status check_out(const tb_elementwise *k, const tb_user_operands *o, int m)
{
    char text[2][24 * TB_MAXDIM];
    const tb_array *a = o->array[m];
    if (k->kernel.params.param[m].raw) return TB_OK;
    if (a->ndim == o->ndim && memcmp(a->dims, o->shape, (size_t)o->ndim * sizeof *o->shape) == 0) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: the output '%s' has shape %s, but the result has shape %s", k->kernel.name,
                    k->kernel.params.param[m].name, tb__shape_text(text[0], sizeof text[0], a->ndim, a->dims),
                    tb__shape_text(text[1], sizeof text[1], o->ndim, o->shape));
}

static tb_status make_outputs(const tb_elementwise *k, const tb_elementwise_args *args, call *c)
{
    const tb_user_params *p = &k->kernel.params;
    for (int m = p->nin; m < p->n; m++) {
        if (c->o.array[m]) {
            TB_TRY(check_out(k, &c->o, m));
            continue;
        }
        if (p->param[m].raw && args->size < 0)
            return tb__fail(TB_ERR_VALUE, "%s: the size of the raw output '%s' is not decided; pass the array or size=",
                            k->kernel.name, p->param[m].name);
        TB_TRY(tb__empty((tb_dtype)c->o.type[m], c->o.ndim, c->o.shape, 'C', &c->made[c->nmade]));
        c->o.array[m] = c->made[c->nmade++];
    }
    return TB_OK;
}

/* ---- layout and key --------------------------------------------------------------------------------------------- */

/* Nearly every call: arrays of one shape in C order are one dimension. */
static bool is_plain(const tb_user_operands *o, const tb_array *a)
{
    return a->c_contiguous && a->ndim == o->ndim && memcmp(a->dims, o->shape, (size_t)o->ndim * sizeof *o->shape) == 0;
}

static void make_walk(const tb_elementwise *k, call *c)
{
    tb_user_walk *w = &c->walk;
    const tb_user_operands *o = &c->o;
    const bool whole = k->traits.indexer && k->keep_dims;
    bool plain = !whole;
    w->n = 0;
    w->size = tb__product(o->ndim, o->shape);
    for (int m = 0; m < k->kernel.params.n; m++) {
        if (o->kind[m] != TB_USER_ELEMENT) continue;
        plain = plain && is_plain(o, o->array[m]);
        w->itemsize[w->n] = (int64_t)tb_dtype_size((tb_dtype)o->type[m]);
        w->ptr[w->n] = tb__user_ptr(o, m);
        c->element[w->n++] = m;
    }
    w->ndim = plain ? 1 : o->ndim;
    w->shape[0] = w->size;
    for (int d = 0; d < o->ndim && !plain; d++) w->shape[d] = o->shape[d];
    for (int m = 0; m < w->n; m++) {
        const tb_array *a = o->array[c->element[m]];
        if (plain) w->strides[m][0] = w->itemsize[m];
        else tb__broadcast_strides(a->ndim, a->dims, a->strides, o->ndim, o->shape, w->strides[m]);
    }
    if (!plain && !whole) tb__user_walk_merge(w);
}

static void make_variant(const tb_elementwise *k, call *c)
{
    const tb_user_params *p = &k->kernel.params;
    const tb_user_operands *o = &c->o;
    tb_user_variant *v = &c->v;
    uint8_t access[TB_USER_MAXPARAM];
    bool writable[TB_USER_MAXPARAM], flat, wide;
    tb__user_walk_access(&c->walk, &flat, &wide, access);
    v->ndim = (uint8_t)c->walk.ndim;
    v->flat = flat;
    v->on_host = tb__backend->on_host;
    v->wide = wide || v->on_host;
    v->vector = 0;
    v->unroll = 1;
    for (int m = 0; m < c->walk.n; m++) writable[m] = p->param[c->element[m]].writable;
    if (flat && !v->on_host && k->traits.vector)
        tb__user_walk_vector(&c->walk, access, writable, k->traits.work, &v->vector, &v->unroll);
    for (int m = 0, e = 0; m < p->n; m++) {
        v->type[m] = o->type[m];
        v->kind[m] = o->kind[m];
        v->access[m] = 0;
        v->raw[m] = (tb_user_raw){.ndim = TB_NODTYPE};
        if (o->kind[m] == TB_USER_ELEMENT) v->access[m] = access[e++];
        else if (o->kind[m] == TB_USER_RAW) tb__user_raw_kind(o->array[m], &v->raw[m]);
    }
}

static void make_key(const tb_user_params *p, call *c)
{
    const tb_user_variant *v = &c->v;
    unsigned char *to = c->key;
    *to++ = v->ndim;
    *to++ = (unsigned char)(v->flat | v->wide << 1 | v->on_host << 2);
    *to++ = v->vector;
    *to++ = v->unroll;
    for (int m = 0; m < p->n; m++) {
        *to++ = v->type[m];
        *to++ = (unsigned char)(v->kind[m] | v->access[m] << 2);
        *to++ = v->raw[m].ndim;
        *to++ = (unsigned char)(v->raw[m].contiguous | v->raw[m].narrow << 1);
    }
    c->nkey = (size_t)(to - c->key);
}

/* ---- launch ----------------------------------------------------------------------------------------------------- */

static tb_status pack(const tb_elementwise *k, call *c)
{
    const tb_user_walk *w = &c->walk;
    const tb_user_variant *v = &c->v;
    const size_t need = 8 + 16 * (size_t)w->ndim + (size_t)w->n * (8 + 8 * (size_t)w->ndim);
    if (need > TB_USER_ARGS)
        return tb__fail(TB_ERR_VALUE, "%s: the arguments take more than the %d bytes that a kernel's may",
                        k->kernel.name, TB_USER_ARGS);
    unsigned char *to = tb__user_put_word(c->args, w->size);
    for (int d = 0; d < w->ndim && (k->traits.indexer || !v->flat); d++) to = tb__put_divisor(to, w->shape[d], v->wide);
    for (int m = 0; m < w->n; m++) {
        to = tb__user_put_word(to, (int64_t)(uintptr_t)w->ptr[m]);
        if (v->access[c->element[m]] < TB_USER_UNIT) continue;
        for (int d = 0; d < w->ndim; d++) to = tb__user_put_word(to, w->strides[m][d]);
    }
    return tb__user_put(&k->kernel, &c->o, &to, c->args + TB_USER_ARGS);
}

static tb_status launch(const tb_elementwise *k, tb_user_entry *e, const tb_elementwise_args *args, call *c)
{
    tb_stream *s = args->stream;
    int64_t block = args->block ? args->block : BLOCK;
    void *values[1] = {c->args};
    const tb_user_variant *v = &c->v;
    const int64_t each = v->on_host ? TB_USER_HOST_CHUNK : v->vector ? v->vector * v->unroll : 1;
    const int64_t threads = tb__ceil_div(c->walk.size, each);
    if (v->on_host) block = 1;
    else if (!args->block && threads < FULL) block = threads < FULL / 2 ? SMALLEST_BLOCK : 2 * SMALLEST_BLOCK;
    const int64_t grid = tb__ceil_div(threads, block);
    if (grid > INT32_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: %lld elements are too many for blocks of %lld threads", k->kernel.name,
                        (long long)c->walk.size, (long long)block);
    if (!s) TB_TRY(tb__current_stream(&s));
    TB_TRY(pack(k, c));
    const tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {(uint32_t)grid, 1, 1},
                                   .block = {(uint32_t)block, 1, 1}};
    return tb__function_launch_ready(e->function, &shape, s, values);
}

/* ---- pending inputs --------------------------------------------------------------------------------------------- */

/* The kernel that computes them itself. Letters are dtypes by now, so that its parameters name these; where other code
 * than the operation may use a letter, that is a type before the kernel, and else in it. */
static tb_status make_fused(const tb_elementwise *k, const tb_user_operands *o, const tb_user_fusion *f, void **out)
{
    tb_text in = {0}, outs = {0}, preamble = {0}, operation = {0};
    tb_elementwise *made = NULL;
    const tb_user_code *c = &k->code;
    const bool before = *c->preamble || *c->loop_prep || *c->after_loop;
    tb__user_fused_params(&k->kernel, o, f, &in, &outs);
    tb__user_typedefs(&k->kernel.params, o->type, before ? &preamble : &operation);
    tb__text_add(&preamble, c->preamble);
    tb__user_fused_code(&k->kernel, o, f, &operation);
    tb__text_addf(&operation, "{\n%s;\n}", c->operation);
    const tb_elementwise_source source = {
        sizeof(tb_elementwise_source),
        .in_params = in.s,
        .out_params = outs.s,
        .operation = operation.s,
        .name = k->kernel.name,
        .preamble = preamble.s,
        .loop_prep = c->loop_prep,
        .after_loop = c->after_loop,
        .keep_dims = k->keep_dims,
        .noption = k->kernel.noption,
        .options = (const char *const *)k->kernel.options,
    };
    tb_status status = TB_OK;
    if (in.failed || outs.failed || preamble.failed || operation.failed)
        status = tb__fail(TB_ERR_MEMORY, "out of host memory while writing a kernel's source");
    if (status == TB_OK) status = tb_elementwise_new(&source, &made);
    if (status == TB_OK) {
        made->kernel.fuses = false;
        *out = made;
    }
    tb__text_free(&in);
    tb__text_free(&outs);
    tb__text_free(&preamble);
    tb__text_free(&operation);
    return status;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

/* What has to be compiled before a call can go on. */
typedef struct missing {
    tb_elementwise *kernel;
    call *call;
} missing;

static tb_status run_plain(tb_elementwise *k, const tb_elementwise_args *args, call *c, missing *what)
{
    TB_TRY(tb__user_evaluate(&k->kernel, &c->o));
    make_walk(k, c);
    make_variant(k, c);
    make_key(&k->kernel.params, c);
    tb_user_entry *e = tb__user_find(&k->kernel, c->o.device, c->key, c->nkey);
    if (e) return launch(k, e, args, c);
    *what = (missing){k, c};
    return TB_OK;
}

static tb_status run_fused(tb_user_fused *d, tb_elementwise *k, const tb_elementwise_args *args, call *c,
                           const tb_user_fusion *f, missing *what)
{
    tb_user_inputs in;
    if (!d->kernel) TB_TRY(make_fused(k, &c->o, f, &d->kernel));
    if (!c->fused) c->fused = malloc(sizeof *c->fused);
    if (!c->fused) return tb__fail_memory(sizeof *c->fused, 0, 0, 0);
    call *inner = c->fused;
    inner->fused = NULL;
    tb_elementwise *fused = d->kernel;
    TB_TRY(tb__user_fused_begin(&k->kernel, &c->o, f, &fused->kernel, &in, &inner->o));
    const tb_status status = run_plain(fused, args, inner, what);
    tb__user_fused_end(&fused->kernel, f, status == TB_OK && !what->kernel, &in, &inner->o);
    return status;
}

/* With the lock held. *what: a variant has to be compiled, and nothing has been launched. */
static tb_status run(tb_elementwise *k, const tb_elementwise_args *args, call *c, missing *what)
{
    tb_user_fusion f;
    tb_user_fused *d;
    what->kernel = NULL;
    if (tb__product(c->o.ndim, c->o.shape) == 0) return TB_OK;
    TB_TRY(tb__user_choose(&k->kernel, &c->o, &f, &d));
    return d ? run_fused(d, k, args, c, &f, what) : run_plain(k, args, c, what);
}

static tb_status compile(tb_elementwise *k, call *c)
{
    tb_text source = {0};
    const tb_status status = tb__user_elementwise(&k->kernel.params, &k->code, &c->v, &source);
    if (status != TB_OK) {
        tb__text_free(&source);
        return status;
    }
    return tb__user_compile(&k->kernel, c->o.device, c->key, c->nkey, &source, k->kernel.name, NULL, false);
}

/* While a variant is compiled other threads go on: what is found after that is looked at anew. */
static tb_status prepare_and_run(tb_elementwise *k, const tb_operand *in, tb_array *const *into,
                                 const tb_elementwise_args *args, call *c)
{
    missing what;
    TB_TRY(tb_init());
    TB_TRY(tb__user_resolve(&k->kernel, in, into, true, &c->o));
    TB_TRY(decide_shape(k, args, &c->o));
    TB_TRY(make_outputs(k, args, c));
    c->o.stream = args->stream;
    if (!c->o.stream) TB_TRY(tb__current_stream(&c->o.stream));
    tb_status status = TB__RETRYING(tb__user_ask(&k->kernel, &c->o));
    for (;;) {
        if (status == TB_OK) status = TB__RETRYING(run(k, args, c, &what));
        if (status != TB_OK || !what.kernel) break;
        tb__unlock();
        status = compile(what.kernel, what.call);
        tb__lock();
    }
    tb__user_release(&k->kernel, &c->o);
    return status;
}

/* out: for new arrays, where `into` has none. */
static tb_status elementwise(tb_elementwise *k, const tb_operand *in, tb_array *const *into, tb_array **out,
                             const tb_elementwise_args *args)
{
    const tb_user_params *p = &k->kernel.params;
    call c;
    c.nmade = 0;
    c.fused = NULL;
    tb__lock();
    k->refs++;
    tb_status status = prepare_and_run(k, in, into, args, &c);
    for (int m = 0; m < c.nmade; m++) {
        if (status == TB_OK) out[p->n - p->nin - c.nmade + m] = c.made[m];
        else tb_array_release(c.made[m]);
    }
    tb__unlock();
    free(c.fused);
    tb_elementwise_release(k);
    return status;
}

tb_status tb_elementwise_call(tb_elementwise *k, const tb_operand *in, tb_array **out, const tb_elementwise_args *args)
{
    TB_NOT_NULL(k, in, out);
    TB_ARE_OPERANDS(k->kernel.params.nin, in);
    TB_WHOLE_ARGS(tb_elementwise_args, args, TB_ELEMENTWISE_ARGS_INIT);
    static tb_array *const nothing[TB_USER_MAXPARAM];
    return elementwise(k, in, nothing, out, args);
}

tb_status tb_elementwise_into(tb_elementwise *k, const tb_operand *in, tb_array *const *into,
                              const tb_elementwise_args *args)
{
    TB_NOT_NULL(k, in, into);
    TB_ARE_OPERANDS(k->kernel.params.nin, in);
    TB_WHOLE_ARGS(tb_elementwise_args, args, TB_ELEMENTWISE_ARGS_INIT);
    TB_NONE_RELEASED(tb_elementwise_nout(k), into, *into);
    for (int m = 0; m < tb_elementwise_nout(k); m++)
        if (!into[m]) return tb__fail(TB_ERR_VALUE, "%s: there is no array to write result %d to", k->kernel.name, m);
    return elementwise(k, in, into, NULL, args);
}
