/* user_reduction.c - reductions made from a user's code: calls. */
#include <stdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/user_kernel.h"
#include "runtime/runtime.h"

struct tb_reducer {
    int refs; /* the owner's, and one for each call that is under way */
    tb_user_kernel kernel;
    tb_user_reduce_code code;
    bool ordered, indexed; /* what its code wants to know: see codegen/user.h */
};

typedef struct call {
    struct call *fused; /* of the kernel that computes pending inputs itself */
    tb_user_operands o;
    tb_user_raw raw[TB_USER_MAXPARAM];
    tb_reduce_axes axes;
    tb_array *made;
    tb_plan plan;
    tb_user_reduce u;
    /* GPU */
    tb_layout layout;
    tb_geometry geometry;
    tb_variant variant;
    /* CPU */
    tb_user_host_layout host;
    unsigned char *workspace_at;
    unsigned char *params, *end;
    unsigned char key[512];
    size_t nkey;
} call;

/* ---- making and freeing ----------------------------------------------------------------------------------------- */

static void destroy(tb_reducer *k)
{
    char name[64];
    snprintf(name, sizeof name, "%s", k->kernel.name ? k->kernel.name : "");
    tb__user_destroy(&k->kernel);
    free((void *)k->code.map);
    free((void *)k->code.reduce);
    free((void *)k->code.post_map);
    free((void *)k->code.preamble);
    free((void *)k->code.identity);
    free((void *)k->code.reduce_type);
    tb__object_end(TB_OBJECT_REDUCER, k, sizeof *k, name);
}

static tb_status check(const tb_reducer *k)
{
    const tb_user_params *p = &k->kernel.params;
    const tb_user_reduce_code *c = &k->code;
    if (!c->map || !c->reduce || !c->post_map || !c->preamble || !c->identity || !c->reduce_type)
        return tb__fail_memory(1, 0, 0, 0);
    if (p->n - p->nin != 1)
        return tb__fail(TB_ERR_VALUE, "%s: a reduction has exactly one output, got %d", k->kernel.name, p->n - p->nin);
    if (p->param[p->nin].raw)
        return tb__fail(TB_ERR_VALUE, "%s: the output '%s' of a reduction cannot be raw", k->kernel.name,
                        p->param[p->nin].name);
    for (int m = 0; m < p->nin; m++)
        if (p->param[m].writable)
            return tb__fail(TB_ERR_VALUE, "%s: the input '%s' of a reduction cannot be written", k->kernel.name,
                            p->param[m].name);
    return TB_OK;
}

tb_status tb_reducer_new(const tb_reducer_source *source, tb_reducer **out)
{
    TB_NOT_NULL(source, out);
    TB_WHOLE_ARGS(tb_reducer_source, source, TB_REDUCER_SOURCE_INIT);
    const tb_reducer_source *s = source;
    tb_reducer *k = calloc(1, sizeof *k);
    if (!k) return tb__fail_memory(sizeof *k, 0, 0, 0);
    k->refs = 1;
    tb_status status = tb__user_init(&k->kernel, s->name ? s->name : "reduce_kernel", s->in_params, s->out_params,
                                     s->noption, s->options);
    if (status == TB_OK) {
        k->code = (tb_user_reduce_code){
            .map = tb__user_copy(s->map_expr),
            .reduce = tb__user_copy(s->reduce_expr),
            .post_map = tb__user_copy(s->post_map_expr),
            .preamble = tb__user_copy(s->preamble),
            .identity = tb__user_copy(s->identity),
            .reduce_type = tb__user_copy(s->reduce_type),
        };
        status = check(k);
    }
    if (status == TB_OK) {
        k->ordered = tb__user_reduce_ordered(&k->code);
        k->indexed = tb__user_has_indexers(&k->code);
        k->kernel.reduces = true;
        k->kernel.fuses = tb__user_fuses(&k->kernel);
        for (int m = 0; m < k->kernel.params.nin; m++)
            k->kernel.addressed[m] = tb__takes_address(k->code.map, k->kernel.params.param[m].name);
        tb__object_made(TB_OBJECT_REDUCER, k);
        *out = k;
    } else {
        destroy(k);
    }
    return status;
}

void tb_reducer_release(tb_reducer *k)
{
    if (!k) return;
    if (!k) return;
    tb__lock();
    const bool last = --k->refs == 0;
    if (k->refs < 0) tb__released_again("tb_reducer_release", TB_OBJECT_REDUCER, k);
    tb__unlock();
    if (last) destroy(k);
}

int tb_reducer_nin(const tb_reducer *k)
{
    if (TB_IS_NONE(k)) return 0;
    return k->kernel.params.nin;
}

const char *tb_reducer_code(const tb_reducer *k, int i, tb_dtype *dtypes)
{
    if (TB_IS_NONE(k)) return NULL;
    return tb__user_code_at(&k->kernel, i, dtypes);
}

tb_parameter tb_reducer_parameter(const tb_reducer *k, int i)
{
    if (TB_IS_NONE(k)) return (tb_parameter){0};
    return tb__user_parameter(&k->kernel, i);
}

/* ---- the plan --------------------------------------------------------------------------------------------------- */

static tb_status make_output(const tb_reducer *k, call *c)
{
    const int m = k->kernel.params.nin;
    const tb_reduce_axes *r = &c->axes;
    tb_array *a = c->o.array[m];
    char text[2][24 * TB_MAXDIM];
    if (!a) {
        TB_TRY(tb__empty((tb_dtype)c->o.type[m], r->out_ndim, r->out_shape, 'C', &c->made));
        c->o.array[m] = c->made;
        return TB_OK;
    }
    if (a->ndim == r->out_ndim && memcmp(a->dims, r->out_shape, a->ndim * sizeof *a->dims) == 0) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "%s: the output has shape %s, but the result has shape %s", k->kernel.name,
                    tb__shape_text(text[0], sizeof text[0], a->ndim, a->dims),
                    tb__shape_text(text[1], sizeof text[1], r->out_ndim, r->out_shape));
}

/* The built-in reduction that is scheduled as this one should be: some sum, or what needs positions. */
static tb_red schedule(const tb_reducer *k, tb_dtype t)
{
    return tb__red_find(k->ordered ? TB_REDUCE_ARGMAX : TB_REDUCE_SUM, t);
}

static tb_status make_plan(const tb_reducer *k, call *c)
{
    const tb_user_params *p = &k->kernel.params;
    const tb_user_operands *o = &c->o;
    const tb_reduce_axes *r = &c->axes;
    tb_plan *plan = &c->plan;
    plan->kind = TB_PLAN_REDUCE;
    plan->ndim = o->ndim;
    plan->nload = plan->nscalar = plan->ninstr = 0;
    plan->nstore = 1;
    plan->uses_index = plan->scatters = false;
    plan->reduced = r->reduced;
    plan->count = (double)r->count;
    memcpy(plan->shape, o->shape, (size_t)o->ndim * sizeof *o->shape);
    for (int m = 0; m < p->nin; m++) {
        if (o->kind[m] != TB_USER_ELEMENT) continue;
        if (plan->nload == TB_PLAN_MAXLOAD)
            return tb__fail(TB_ERR_VALUE, "%s: at most %d arrays are supported", k->kernel.name, TB_PLAN_MAXLOAD);
        const tb_array *a = o->array[m];
        tb_load *l = &plan->load[plan->nload++];
        l->ptr = tb__user_ptr(o, m);
        l->dtype = o->type[m];
        l->base = false;
        tb__broadcast_strides(a->ndim, a->dims, a->strides, o->ndim, o->shape, l->strides);
    }
    plan->red = schedule(k, (tb_dtype)plan->load[0].dtype);
    const tb_array *y = o->array[p->nin];
    tb_store *s = &plan->store[0];
    s->ptr = tb__user_ptr(o, p->nin);
    s->value = 0;
    s->dtype = o->type[p->nin];
    for (int d = 0, at = 0; d < o->ndim; d++) {
        const bool gone = r->reduced >> d & 1;
        s->strides[d] = gone ? 0 : y->strides[at];
        at += !gone || r->keepdims;
    }
    tb__plan_finish(plan);
    return TB_OK;
}

static unsigned char *begin_key(const tb_reducer *k, const call *c, unsigned char form, unsigned char *to)
{
    const tb_user_params *p = &k->kernel.params;
    *to++ = form;
    *to++ = (unsigned char)c->plan.ndim;
    *to++ = (unsigned char)c->plan.nload;
    *to++ = tb__backend->on_host;
    if (k->indexed) {
        *to++ = (unsigned char)c->o.ndim;
        *to++ = (unsigned char)__builtin_popcount(c->axes.reduced);
    }
    for (int m = 0; m < p->n; m++) {
        *to++ = c->o.type[m];
        *to++ = c->o.kind[m];
        *to++ = c->raw[m].ndim;
        *to++ = (unsigned char)(c->raw[m].contiguous | c->raw[m].narrow << 1);
    }
    return to;
}

/* The user's part of the parameter block. */
static tb_status put_user(const tb_reducer *k, const call *c)
{
    const unsigned char *end = c->params + TB_PARAM_MAX;
    unsigned char *to = c->end;
    int64_t shape[TB_MAXDIM];
    int nreduced = 0, n = 0;
    TB_TRY(tb__user_put(&k->kernel, &c->o, &to, end));
    if (!k->indexed) return TB_OK;
    if ((size_t)(end - to) < 8 * (2 + 4 * (size_t)(c->o.ndim + 1)))
        return tb__fail(TB_ERR_VALUE, "%s: the arguments take more than the %d bytes that a kernel's may",
                        k->kernel.name, TB_PARAM_MAX);
    for (int d = 0; d < c->o.ndim; d++)
        if (c->axes.reduced >> d & 1) shape[nreduced++] = c->o.shape[d];
    n = nreduced;
    for (int d = 0; d < c->o.ndim; d++)
        if (!(c->axes.reduced >> d & 1)) shape[n++] = c->o.shape[d];
    tb__user_put_indexer(tb__user_put_indexer(to, n, shape), n - nreduced, shape + nreduced);
    return TB_OK;
}

/* ---- GPU -------------------------------------------------------------------------------------------------------- */

enum { ATTRIBUTE_SHARED = 8, ATTRIBUTE_SMS = 16, ATTRIBUTE_THREADS = 39 };

static tb_status chip_of(int device, tb_chip *out)
{
    static tb_chip chips[TB_DEVICE_MAX];
    tb_chip *chip = &chips[device];
    if (!chip->sms) {
        TB_TRY(tb__backend->device_attribute(device, ATTRIBUTE_SHARED, &chip->max_shared));
        TB_TRY(tb__backend->device_attribute(device, ATTRIBUTE_THREADS, &chip->threads_per_sm));
        TB_TRY(tb__backend->device_attribute(device, ATTRIBUTE_SMS, &chip->sms));
    }
    *out = *chip;
    return TB_OK;
}

static tb_status device_variant(const tb_reducer *k, call *c)
{
    const tb_layout *l = &c->layout;
    tb_chip chip;
    TB_TRY(chip_of(c->o.device, &chip));
    tb__layout(&c->plan, NULL, &c->layout);
    tb__geometry(&c->plan, &chip, &c->layout, &c->geometry);
    c->layout.plain = c->geometry.parts == 1;
    TB_TRY(tb__params_pack(&c->plan, &c->layout, &c->geometry, &c->variant));
    c->params = c->variant.params;
    c->end = c->params + c->variant.nparam;
    unsigned char *to = begin_key(k, c, l->form, c->key);
    *to++ = l->vec;
    *to++ = l->unroll;
    *to++ = (unsigned char)(l->wide | l->aligned << 1 | l->gather << 2);
    *to++ = l->na;
    *to++ = l->nb;
    *to++ = l->inner;
    for (int x = 0; x < l->noperand; x++) {
        *to++ = l->access[x];
        *to++ = l->group[x];
    }
    *to++ = l->plain;
    c->nkey = (size_t)(to - c->key);
    return TB_OK;
}

/* Where a block does a row there is plain code, which compiles in two thirds of the time, unless code for all is there
 * already. */
static tb_user_entry *find_device(tb_reducer *k, call *c)
{
    tb_user_entry *e = tb__user_find(&k->kernel, c->o.device, c->key, c->nkey);
    if (e || !c->layout.plain) return e;
    unsigned char *plain = &c->key[c->nkey - 1];
    *plain = false;
    e = tb__user_find(&k->kernel, c->o.device, c->key, c->nkey);
    *plain = true;
    return e;
}

static tb_status device_launch(const tb_reducer *k, const tb_user_entry *e, tb_stream *s, call *c)
{
    const tb_geometry *g = &c->geometry;
    void *values[1] = {c->params}, *counters = NULL, *workspace = NULL;
    TB_TRY(put_user(k, c));
    if (g->counters) {
        TB_TRY(tb__backend->counters(s, g->counters, &counters));
        memcpy(c->params + c->variant.counters_at, &counters, sizeof counters);
    }
    if (g->workspace) {
        TB_TRY(tb__pool_alloc(s, g->workspace / tb__acc_bytes(&c->plan) * e->acc_bytes, &workspace));
        memcpy(c->params + c->variant.workspace_at, &workspace, sizeof workspace);
    }
    tb_launch_shape shape = {sizeof(tb_launch_shape), .shared = 0};
    memcpy(shape.grid, g->grid, sizeof shape.grid);
    memcpy(shape.block, g->block, sizeof shape.block);
    const tb_status status = tb__function_launch_ready(e->function, &shape, s, values);
    if (workspace) tb__pool_free(s->device, s->handle, workspace);
    return status;
}

/* ---- CPU -------------------------------------------------------------------------------------------------------- */

static tb_status host_variant(const tb_reducer *k, call *c)
{
    tb_user_host_layout *h = &c->host;
    tb__user_host_layout(&c->plan, h);
    const size_t need = 8 * (8 + (size_t)(h->na + h->nb) * (2 + (size_t)c->plan.nload) + (size_t)c->plan.nload);
    c->params = c->variant.params;
    if (need > TB_PARAM_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: the arguments take more than the %d bytes that a kernel's may",
                        k->kernel.name, TB_PARAM_MAX);
    c->end = tb__user_host_pack(&c->plan, h, c->params, &c->workspace_at);
    unsigned char *to = begin_key(k, c, h->column, c->key);
    *to++ = h->parts > 1;
    *to++ = (unsigned char)h->na;
    *to++ = (unsigned char)h->nb;
    for (int x = 0; x < c->plan.nload; x++) *to++ = h->access[x];
    c->nkey = (size_t)(to - c->key);
    return TB_OK;
}

static tb_status host_launch(const tb_reducer *k, const tb_user_entry *e, tb_stream *s, call *c)
{
    const tb_user_host_layout *h = &c->host;
    void *values[1] = {c->params}, *workspace = NULL;
    TB_TRY(put_user(k, c));
    if (h->tasks > INT32_MAX) return tb__fail(TB_ERR_VALUE, "%s: too many results for one call", k->kernel.name);
    if (h->parts > 1) {
        TB_TRY(tb__pool_alloc(s, (size_t)(h->rows * h->parts) * e->acc_bytes, &workspace));
        memcpy(c->workspace_at, &workspace, sizeof workspace);
    }
    tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {(uint32_t)h->tasks, 1, 1}, .block = {1, 1, 1}};
    tb_status status = tb__function_launch_ready(e->function, &shape, s, values);
    if (status == TB_OK && workspace) {
        shape.grid[0] = (uint32_t)tb__ceil_div(h->rows, TB_USER_HOST_SECOND);
        status = tb__function_launch_ready(e->second, &shape, s, values);
        tb__count.launches--; /* it is part of the same reduction */
    }
    if (workspace) tb__pool_free(s->device, s->handle, workspace);
    return status;
}

/* ---- nothing to reduce ------------------------------------------------------------------------------------------ */

/* The post-map of the identity is an elementwise kernel of those parameters that the post-map sees. */
static tb_status fill_with_identity(const tb_reducer *k, const tb_operand *in, tb_stream *s, call *c)
{
    const tb_user_params *p = &k->kernel.params;
    tb_text list = {0}, types = {0}, operation = {0};
    tb_operand seen[TB_USER_MAXPARAM];
    tb_array *out = c->o.array[p->nin];
    char output[160];
    int n = 0;
    if (!*k->code.identity)
        return tb__fail(TB_ERR_VALUE, "zero-size array to reduction operation %s which has no identity",
                        k->kernel.name);
    for (int m = 0; m < p->nin; m++) {
        if (c->o.kind[m] == TB_USER_ELEMENT) continue;
        tb__text_addf(&list, "%s%s%s %s", n ? ", " : "", p->param[m].raw && in[m].array ? "raw " : "",
                      tb_dtype_name((tb_dtype)c->o.type[m]), p->param[m].name);
        seen[n++] = in[m];
    }
    tb__user_typedefs(p, c->o.type, &types);
    tb__text_addf(&types, "%s\ntypedef %s _type_reduce;\n", k->code.preamble,
                  *k->code.reduce_type ? k->code.reduce_type : tb__ctype[c->o.type[p->nin]]);
    if (tb__user_post_has_position(&k->code))
        tb__text_add(&operation, "const ptrdiff_t _i = i; const auto &_out_ind = _ind; ");
    tb__text_addf(&operation, "_type_reduce a = _type_reduce(%s); %s", k->code.identity, k->code.post_map);
    snprintf(output, sizeof output, "%s %s", tb_dtype_name((tb_dtype)c->o.type[p->nin]), p->param[p->nin].name);
    const tb_elementwise_source source = {
        sizeof(tb_elementwise_source),
        .in_params = list.s,
        .out_params = output,
        .operation = operation.s,
        .name = k->kernel.name,
        .preamble = types.s,
        .keep_dims = true,
        .noption = k->kernel.noption,
        .options = (const char *const *)k->kernel.options,
    };
    tb_elementwise *fill;
    tb_status status = tb_elementwise_new(&source, &fill);
    if (status == TB_OK) {
        const tb_elementwise_args args = {sizeof(tb_elementwise_args), .size = -1, .stream = s};
        tb__unlock();
        status = tb_elementwise_into(fill, seen, &out, &args);
        tb_elementwise_release(fill);
        tb__lock();
    }
    tb__text_free(&list);
    tb__text_free(&types);
    tb__text_free(&operation);
    return status;
}

/* ---- pending inputs --------------------------------------------------------------------------------------------- */

static const char *reduce_type(const tb_reducer *k, const tb_user_operands *o)
{
    const tb_user_params *p = &k->kernel.params;
    const char *type = k->code.reduce_type;
    for (int m = 0; m < p->n; m++)
        if (p->param[m].letter && p->param[m].letter == type[0] && !type[1]) return tb__ctype[o->type[m]];
    return type;
}

/* The kernel that computes them itself; see user_elementwise.c. */
static tb_status make_fused(const tb_reducer *k, const tb_user_operands *o, const tb_user_fusion *f, void **out)
{
    tb_text in = {0}, outs = {0}, preamble = {0}, map = {0};
    tb_reducer *made = NULL;
    const tb_user_reduce_code *c = &k->code;
    tb__user_fused_params(&k->kernel, o, f, &in, &outs);
    tb__user_typedefs(&k->kernel.params, o->type, &preamble);
    tb__text_add(&preamble, c->preamble);
    tb__text_add(&map, "[&]() -> _type_reduce {\n");
    tb__user_fused_code(&k->kernel, o, f, &map);
    tb__text_addf(&map, "return static_cast<_type_reduce>(%s);\n}()", c->map);
    const tb_reducer_source source = {
        sizeof(tb_reducer_source),
        .in_params = in.s,
        .out_params = outs.s,
        .map_expr = map.s,
        .reduce_expr = c->reduce,
        .post_map_expr = c->post_map,
        .identity = c->identity,
        .name = k->kernel.name,
        .reduce_type = reduce_type(k, o),
        .preamble = preamble.s,
        .noption = k->kernel.noption,
        .options = (const char *const *)k->kernel.options,
    };
    tb_status status = TB_OK;
    if (in.failed || outs.failed || preamble.failed || map.failed)
        status = tb__fail(TB_ERR_MEMORY, "out of host memory while writing a kernel's source");
    if (status == TB_OK) status = tb_reducer_new(&source, &made);
    if (status == TB_OK) {
        made->kernel.fuses = false;
        *out = made;
    }
    tb__text_free(&in);
    tb__text_free(&outs);
    tb__text_free(&preamble);
    tb__text_free(&map);
    return status;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

/* What has to be compiled before a call can go on. */
typedef struct missing {
    tb_reducer *kernel;
    call *call;
} missing;

static tb_status run_plain(tb_reducer *k, tb_stream *s, call *c, missing *what)
{
    const bool on_host = tb__backend->on_host;
    TB_TRY(tb__user_evaluate(&k->kernel, &c->o));
    TB_TRY(make_plan(k, c));
    TB_TRY(on_host ? host_variant(k, c) : device_variant(k, c));
    tb_user_entry *e = on_host ? tb__user_find(&k->kernel, c->o.device, c->key, c->nkey) : find_device(k, c);
    if (e) return on_host ? host_launch(k, e, s, c) : device_launch(k, e, s, c);
    *what = (missing){k, c};
    return TB_OK;
}

static void raw_kinds(const tb_reducer *k, call *c)
{
    for (int m = 0; m < k->kernel.params.n; m++) {
        c->raw[m] = (tb_user_raw){.ndim = TB_NODTYPE};
        if (c->o.kind[m] == TB_USER_RAW) tb__user_raw_kind(c->o.array[m], &c->raw[m]);
    }
}

static tb_status run_fused(tb_user_fused *d, tb_reducer *k, tb_stream *s, call *c, const tb_user_fusion *f,
                           missing *what)
{
    tb_user_inputs in;
    if (!d->kernel) TB_TRY(make_fused(k, &c->o, f, &d->kernel));
    if (!c->fused) c->fused = malloc(sizeof *c->fused);
    if (!c->fused) return tb__fail_memory(sizeof *c->fused, 0, 0, 0);
    call *inner = c->fused;
    inner->fused = NULL;
    tb_reducer *fused = d->kernel;
    TB_TRY(tb__user_fused_begin(&k->kernel, &c->o, f, &fused->kernel, &in, &inner->o));
    inner->axes = c->axes;
    raw_kinds(fused, inner);
    const tb_status status = run_plain(fused, s, inner, what);
    tb__user_fused_end(&fused->kernel, f, status == TB_OK && !what->kernel, &in, &inner->o);
    return status;
}

/* With the lock held. *what: a variant has to be compiled, and nothing has been launched. */
static tb_status run(tb_reducer *k, tb_stream *s, call *c, missing *what)
{
    tb_user_fusion f;
    tb_user_fused *d;
    what->kernel = NULL;
    TB_TRY(tb__user_choose(&k->kernel, &c->o, &f, &d));
    return d ? run_fused(d, k, s, c, &f, what) : run_plain(k, s, c, what);
}

static tb_status compile(tb_reducer *k, call *c)
{
    tb_text source = {0};
    const bool on_host = tb__backend->on_host;
    c->u = (tb_user_reduce){.params = &k->kernel.params,
                            .code = &k->code,
                            .type = c->o.type,
                            .kind = c->o.kind,
                            .raw = c->raw,
                            .plan = &c->plan,
                            .in_ndim = c->o.ndim,
                            .out_ndim = c->o.ndim - __builtin_popcount(c->axes.reduced)};
    const tb_status status =
        on_host ? tb__user_reduction_host(&c->u, &c->host, &source) : tb__user_reduction(&c->u, &c->layout, &source);
    if (status != TB_OK) {
        tb__text_free(&source);
        return status;
    }
    const char *second = on_host && c->host.parts > 1 ? "tb_second" : NULL;
    return tb__user_compile(&k->kernel, c->o.device, c->key, c->nkey, &source, "tb_main", second, true);
}

static tb_status prepare(tb_reducer *k, const tb_operand *in, tb_array *const *into, const tb_reducer_args *args,
                         call *c)
{
    TB_TRY(tb_init());
    TB_TRY(tb__user_resolve(&k->kernel, in, into, false, &c->o));
    if (!c->o.has_shape)
        return tb__fail(TB_ERR_VALUE,
                        "%s: nothing decides what is reduced; at least one input must be an array "
                        "that is "
                        "not raw",
                        k->kernel.name);
    TB_TRY(tb__reduce_axes(c->o.ndim, c->o.shape, args->naxis, args->axis, args->keepdims, &c->axes));
    raw_kinds(k, c);
    return make_output(k, c);
}

/* Results are numbered, and arguments of a position found, in C order: what lies otherwise is copied. */
static tb_status order_inputs(const tb_reducer *k, call *c)
{
    for (int m = 0; m < k->kernel.params.nin && k->ordered; m++) {
        tb_array *a = c->o.array[m], *copy;
        if (c->o.kind[m] != TB_USER_ELEMENT || a->c_contiguous) continue;
        TB_TRY(TB__RETRYING(tb__copy(a, 'C', &copy)));
        c->o.array[m] = copy;
        c->o.owned[m] = true;
    }
    return TB_OK;
}

static tb_status prepare_and_run(tb_reducer *k, const tb_operand *in, tb_array *const *into,
                                 const tb_reducer_args *args, call *c)
{
    tb_stream *s = args->stream;
    missing what;
    TB_TRY(prepare(k, in, into, args, c));
    if (!s) TB_TRY(tb__current_stream(&s));
    if (c->axes.out_size == 0) return TB_OK;
    if (c->axes.count == 0) return fill_with_identity(k, in, s, c);
    c->o.stream = s;
    tb_status status = order_inputs(k, c);
    if (status == TB_OK) status = TB__RETRYING(tb__user_ask(&k->kernel, &c->o));
    for (;;) {
        if (status == TB_OK) status = TB__RETRYING(run(k, s, c, &what));
        if (status != TB_OK || !what.kernel) break;
        tb__unlock();
        status = compile(what.kernel, what.call);
        tb__lock();
    }
    tb__user_release(&k->kernel, &c->o);
    return status;
}

static tb_status reduce(tb_reducer *k, const tb_operand *in, tb_array *into, tb_array **out,
                        const tb_reducer_args *args)
{
    call c;
    c.made = NULL;
    c.fused = NULL;
    tb__lock();
    k->refs++;
    const tb_status status = prepare_and_run(k, in, &into, args, &c);
    if (status == TB_OK && c.made) *out = c.made;
    else tb_array_release(c.made);
    tb__unlock();
    free(c.fused);
    tb_reducer_release(k);
    return status;
}

tb_status tb_reducer_call(tb_reducer *k, const tb_operand *in, tb_array **out, const tb_reducer_args *args)
{
    TB_NOT_NULL(k, in, out);
    TB_ARE_OPERANDS(k->kernel.params.nin, in);
    TB_WHOLE_ARGS(tb_reducer_args, args, TB_REDUCER_ARGS_INIT);
    return reduce(k, in, NULL, out, args);
}

tb_status tb_reducer_into(tb_reducer *k, const tb_operand *in, tb_array *into, const tb_reducer_args *args)
{
    TB_NOT_NULL(k, in, into);
    TB_ARE_OPERANDS(k->kernel.params.nin, in);
    TB_WHOLE_ARGS(tb_reducer_args, args, TB_REDUCER_ARGS_INIT);
    return reduce(k, in, into, NULL, args);
}
