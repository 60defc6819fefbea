/* user_kernel.c - operands and compiled variants of user kernels; see user_kernel.h. */
#include "ops/user_kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"

char *tb__user_copy(const char *s) { return strdup(s ? s : ""); }

static bool is_kernel_name(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

tb_status tb__user_init(tb_user_kernel *k, const char *name, const char *in, const char *out, int noption,
                        const char *const *options)
{
    *k = (tb_user_kernel){.name = tb__user_copy(name)};
    if (!k->name) return tb__fail_memory(1, 0, 0, 0);
    if (!is_kernel_name(k->name)) return tb__fail(TB_ERR_VALUE, "Invalid kernel name: \"%s\"", k->name);
    TB_TRY(tb__user_params_parse(k->name, in ? in : "", out ? out : "", &k->params));
    if (noption < 0 || (noption > 0 && !options))
        return tb__fail(TB_ERR_VALUE, "%s: noption is %d, options are %s", k->name, noption,
                        options ? "given" : "NULL");
    k->options = calloc((size_t)noption + 1, sizeof *k->options);
    for (int i = 0; k->options && i < noption; i++) {
        k->options[i] = strdup(options[i]);
        if (!k->options[i]) return tb__fail_memory(strlen(options[i]), 0, 0, 0);
        k->noption++;
    }
    return k->options ? TB_OK : tb__fail_memory((size_t)noption * sizeof *k->options, 0, 0, 0);
}

static void free_entry(tb_user_entry *e)
{
    tb_function_release(e->function);
    tb_function_release(e->second);
    tb_module_release(e->module);
    free(e->source);
    free(e);
}

void tb__user_destroy(tb_user_kernel *k)
{
    for (tb_user_fused *d = k->fused, *next; d; d = next) {
        next = d->next;
        if (k->reduces) tb_reducer_release(d->kernel);
        else tb_elementwise_release(d->kernel);
        free(d);
    }
    for (int i = 0; i < k->nmade; i++) free_entry(k->made[i]);
    for (int i = 0; i < k->noption; i++) free(k->options[i]);
    tb__user_params_free(&k->params);
    free(k->options);
    free(k->made);
    free(k->name);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static tb_status add_shape(const tb_user_kernel *k, tb_user_operands *o, const tb_array *a)
{
    if (!o->has_shape) {
        o->has_shape = true;
        o->ndim = a->ndim;
        memcpy(o->shape, a->dims, a->ndim * sizeof *o->shape);
        return TB_OK;
    }
    if (a->ndim == o->ndim && memcmp(a->dims, o->shape, a->ndim * sizeof *o->shape) == 0) return TB_OK;
    return tb__broadcast(k->name, &o->ndim, o->shape, a->ndim, a->dims);
}

tb_status tb__user_resolve(const tb_user_kernel *k, const tb_operand *in, tb_array *const *out, bool with_out,
                           tb_user_operands *o)
{
    const tb_user_params *p = &k->params;
    const int nout = p->n - p->nin;
    o->nout = nout > 0 && out[0] ? nout : 0;
    o->device = tb__device_current();
    o->has_shape = false;
    o->ndim = 0;
    TB_TRY(tb__device_ready(k->name, o->device));
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    for (int m = 0; m < nout; m++)
        if (!out[m] != !o->nout) return tb__fail(TB_ERR_TYPE, "%s: either all outputs are given or none", k->name);
    for (int m = 0; m < p->n; m++) {
        o->array[m] = m < p->nin ? in[m].array : o->nout ? out[m - p->nin] : NULL;
        if (o->array[m]) TB_ARE_NUMBERS(k->name, o->array[m]->dtype);
        o->type[m] = o->array[m] ? o->array[m]->dtype : TB_NODTYPE;
        o->owned[m] = false;
        o->kind[m] = m < p->nin && !in[m].array ? TB_USER_SCALAR : p->param[m].raw ? TB_USER_RAW : TB_USER_ELEMENT;
    }
    TB_TRY(tb__user_params_types(k->name, p, in, o->type));
    for (int m = 0; m < p->n; m++) {
        if (o->kind[m] == TB_USER_SCALAR) {
            TB_TRY(tb_scalar_cast(in[m].scalar, (tb_dtype)o->type[m], &o->number[m]));
            continue;
        }
        if (!o->array[m]) continue;
        TB_TRY(tb__reach(s, o->array[m]->buffer));
        if (o->kind[m] == TB_USER_ELEMENT && (m < p->nin || with_out)) TB_TRY(add_shape(k, o, o->array[m]));
    }
    return TB_OK;
}

static bool is_very_same(const tb_array *a, const tb_array *b)
{
    return a->offset == b->offset && a->ndim == b->ndim && a->dtype == b->dtype &&
           memcmp(a->dims, b->dims, 2 * (size_t)a->ndim * sizeof *a->dims) == 0;
}

static bool clashes(const tb_user_kernel *k, const tb_user_operands *o, int m)
{
    for (int w = 0; w < k->params.n; w++) {
        if (w == m || !k->params.param[w].writable || o->kind[w] != TB_USER_ELEMENT) continue;
        const tb_array *a = o->array[m], *b = o->array[w];
        if (a->buffer == b->buffer && !is_very_same(a, b) && tb_may_share_memory(a, b)) return true;
    }
    return false;
}

tb_status tb__user_evaluate_one(const tb_user_kernel *k, const tb_user_operands *o, int m)
{
    tb_buffer *b = o->array[m]->buffer;
    if (k->params.param[m].writable) TB_TRY(tb__check_writable(b, k->params.param[m].name));
    if (k->params.param[m].writable) tb__forget(b);
    if (b->expr) TB_TRY(tb__buffer_eval(b));
    return k->params.param[m].writable && b->readers ? tb__before_write(b) : TB_OK;
}

tb_status tb__user_evaluate(const tb_user_kernel *k, tb_user_operands *o)
{
    const tb_user_params *p = &k->params;
    for (int m = 0; m < p->nin; m++) {
        tb_array *copy;
        if (o->kind[m] != TB_USER_ELEMENT || p->param[m].writable || !clashes(k, o, m)) continue;
        TB_TRY(tb__copy(o->array[m], 'C', &copy));
        o->array[m] = copy;
        o->owned[m] = true;
    }
    for (int m = 0; m < p->n; m++)
        if (o->array[m]) TB_TRY(tb__user_evaluate_one(k, o, m));
    return TB_OK;
}

void tb__user_release(const tb_user_kernel *k, tb_user_operands *o)
{
    for (int m = 0; m < k->params.n; m++)
        if (o->owned[m]) tb_array_release(o->array[m]);
}

static unsigned char *put_raw(unsigned char *to, const tb_array *a, const void *ptr)
{
    to = tb__user_put_word(to, (int64_t)(uintptr_t)ptr);
    to = tb__user_put_word(to, a->size);
    for (int d = 0; d < a->ndim; d++) to = tb__user_put_word(to, tb__shape(a)[d]);
    if (a->ndim == 0) to = tb__user_put_word(to, 1);
    for (int d = 0; d < a->ndim; d++) to = tb__user_put_word(to, a->strides[d]);
    if (a->ndim == 0) to = tb__user_put_word(to, 0);
    return to;
}

tb_status tb__user_put(const tb_user_kernel *k, const tb_user_operands *o, unsigned char **to, const unsigned char *end)
{
    unsigned char *at = *to;
    for (int m = 0; m < k->params.n; m++) {
        if (o->kind[m] == TB_USER_ELEMENT) continue;
        const size_t need = o->kind[m] == TB_USER_SCALAR ? 16 : 32 + 16 * (size_t)o->array[m]->ndim;
        if ((size_t)(end - at) < need)
            return tb__fail(TB_ERR_VALUE, "%s: the arguments take more than the %d bytes that a kernel's may", k->name,
                            TB_USER_ARGS);
        if (o->kind[m] == TB_USER_SCALAR) at = tb__user_put_scalar(at, &o->number[m]);
        else at = put_raw(at, o->array[m], tb__user_ptr(o, m));
    }
    *to = at;
    return TB_OK;
}

void tb__user_raw_kind(const tb_array *a, tb_user_raw *raw)
{
    int64_t low, high;
    tb__extent(a->ndim, a->dims, a->strides, (int64_t)tb_dtype_size((tb_dtype)a->dtype), &low, &high);
    raw->ndim = a->ndim;
    raw->contiguous = a->c_contiguous;
    raw->narrow = a->size < INT32_MAX && high - low < INT32_MAX;
}

/* ---- compiled variants ------------------------------------------------------------------------------------------ */

tb_user_entry *tb__user_find(tb_user_kernel *k, int device, const unsigned char *key, size_t nkey)
{
    tb_user_entry **link = &k->first;
    for (tb_user_entry *e = *link; e; link = &e->next, e = *link) {
        if (e->nkey != nkey || e->device != device || memcmp(e->key, key, nkey) != 0) continue;
        *link = e->next;
        e->next = k->first;
        k->first = e;
        return e;
    }
    return NULL;
}

static tb_status load(tb_user_kernel *k, tb_user_entry *e, const char *entry, const char *second, bool is_reduction)
{
    const char *options[66] = {"--std=c++17"};
    if (k->noption > 64) return tb__fail(TB_ERR_VALUE, "%s: at most 64 options are supported", k->name);
    int n = 1;
    for (int i = 0; i < k->noption; i++) {
        if (strstr(k->options[i], "-std=")) options[0] = k->options[i];
        else options[n++] = k->options[i];
    }
    const tb_module_source source = {sizeof(tb_module_source), .code = e->source, .noption = n, .options = options,
                                     .waits = true};
    TB_TRY(tb_module_compile(&source, NULL, &e->module));
    TB_TRY(tb_module_function(e->module, entry, &e->function));
    if (second) TB_TRY(tb_module_function(e->module, second, &e->second));
    void *room; /* its size says how large an accumulator is */
    return is_reduction ? tb_module_global(e->module, "tb_acc_room", &room, &e->acc_bytes) : TB_OK;
}

static tb_status keep(tb_user_kernel *k, tb_user_entry *e)
{
    tb_user_entry **made = realloc(k->made, ((size_t)k->nmade + 1) * sizeof *made);
    if (!made) return tb__fail_memory(sizeof *made, 0, 0, 0);
    k->made = made;
    k->made[k->nmade++] = e;
    e->next = k->first;
    k->first = e;
    return TB_OK;
}

tb_status tb__user_compile(tb_user_kernel *k, int device, const unsigned char *key, size_t nkey, tb_text *source,
                           const char *entry, const char *second, bool is_reduction)
{
    tb_user_entry *e = calloc(1, sizeof *e + nkey);
    if (!e) {
        tb__text_free(source);
        return tb__fail_memory(sizeof *e + nkey, 0, 0, 0);
    }
    e->source = source->s;
    e->device = device;
    e->nkey = nkey;
    memcpy(e->key, key, nkey);
    tb_status status = load(k, e, entry, second, is_reduction);
    tb__lock();
    if (status == TB_OK) status = keep(k, e);
    tb__unlock();
    if (status != TB_OK) free_entry(e);
    return status;
}

const char *tb__user_code_at(const tb_user_kernel *k, int i, tb_dtype *dtypes)
{
    if (i < 0 || i >= k->nmade) return NULL;
    for (int m = 0; dtypes && m < k->params.n; m++) dtypes[m] = (tb_dtype)k->made[i]->key[4 + 4 * m];
    return k->made[i]->source;
}

tb_parameter tb__user_parameter(const tb_user_kernel *k, int i)
{
    if (i < 0 || i >= k->params.n) return (tb_parameter){0};
    const tb_user_param *q = &k->params.param[i];
    return (tb_parameter){
        .name = q->name, .dtype = q->dtype, .letter = q->letter, .raw = q->raw, .writable = q->writable};
}
