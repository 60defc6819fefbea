/* convert.c - copies: to another layout, to another dtype, from the host and to it.
 *
 * The device moves contiguous blocks. Memory of any other layout goes through a contiguous copy: on the device when the
 * array has gaps, on the host when only the order of the elements differs. */
#include <stdlib.h>
#include <string.h>

#include "backend/retry.h"
#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "base/waits.h"
#include "ops/array_ops.h"

/* ---- copy, astype --------------------------------------------------------------------------------------------- */

static char resolve_order(const tb_array *a, char order)
{
    if (order != 'A') return order;
    return a->f_contiguous && !a->c_contiguous ? 'F' : 'C';
}

static size_t bytes_of(const tb_array *a) { return (size_t)a->size * tb_dtype_size((tb_dtype)a->dtype); }

static tb_status copy_as(tb_array *a, tb_dtype t, char order, tb_array **out);

static tb_status copy_from_elsewhere(tb_array *a, tb_dtype t, char order, tb_array **out)
{
    tb_array *here;
    TB_TRY(tb__bring(a, order, &here));
    if (a->dtype == t) {
        *out = here;
        return TB_OK;
    }
    tb_status status = copy_as(here, t, order, out);
    tb_array_release(here);
    return status;
}

static tb_status copy_as(tb_array *a, tb_dtype t, char order, tb_array **out)
{
    tb_expr *e;
    if (__builtin_expect(a->buffer->device != tb__device_current(), 0)) return copy_from_elsewhere(a, t, order, out);
    if (TB_UNLIKELY(tb__are_records(a->dtype, t))) return tb__record_copy(a, t, order, out);
    bool plain = a->c_contiguous && order != 'F' && !a->buffer->expr;
    tb_loop loop = a->dtype == t ? TB_NOLOOP : tb__cast_loop((tb_dtype)a->dtype, t);
    int64_t bytes = a->size * (int64_t)tb_dtype_size(t);
    if (plain && (a->dtype == t ? tb__is_prompt(bytes) : tb__is_little(bytes)))
        return tb__loop_array(loop, 1, &(tb_operand){TB_OPERAND_ARRAY, .array = a}, t, a->ndim, a->dims, 'C', out);
    const bool dense = a->c_contiguous || a->f_contiguous; /* 'K' is one of the two orders then */
    if (a->dtype == t && (order != 'K' || dense) && !a->buffer->expr && tb__is_little(bytes))
        return tb__loop_array(loop, 1, &(tb_operand){TB_OPERAND_ARRAY, .array = a}, t, a->ndim, a->dims,
                              resolve_order(a, order == 'K' ? 'A' : order), out);
    TB_TRY(tb__expr_input(a, a->ndim, a->dims, &e));
    TB_TRY(tb__expr_op(loop, 1, &e, a->ndim, a->dims, resolve_order(a, order), &e));
    if (order == 'K' && !a->c_contiguous) {
        /* Unlike an operation's operand, a copied array has a say with strides of 0: those axes go innermost. */
        int64_t *strides = e->dims + a->ndim, item = (int64_t)tb_dtype_size(t);
        tb__strides_like(a->ndim, a->dims, a->strides, item, strides);
        e->c_order = tb__is_c_contiguous(a->ndim, a->dims, strides, item);
    }
    return tb__promise(e, out);
}

tb_status tb__copy(tb_array *a, char order, tb_array **out) { return copy_as(a, (tb_dtype)a->dtype, order, out); }

tb_status tb_copy(tb_array *a, char order, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_ORDER(order);
    return TB__OPERATION(tb__copy(a, order, out));
}

static bool has_order(const tb_array *a, char order)
{
    switch (order) {
    case 'C': return a->c_contiguous;
    case 'F': return a->f_contiguous;
    case 'A': return a->c_contiguous || a->f_contiguous;
    default: return true;
    }
}

tb_status tb__astype(tb_array *a, tb_dtype t, char order, tb_casting casting, bool copy, tb_array **out)
{
    TB_TRY(tb__check_cast((tb_dtype)a->dtype, t, casting));
    if (copy || a->dtype != t || !has_order(a, order)) return copy_as(a, t, order, out);
    *out = tb_array_retain(a);
    return TB_OK;
}

tb_status tb__stored(tb_array *a, tb_dtype t, tb_array **out)
{
    tb_array *cast, *result;
    TB_TRY(tb__astype(a, t, 'C', TB_CAST_UNSAFE, false, &cast));
    tb_status status = TB_OK;
    if (cast->c_contiguous) result = tb_array_retain(cast);
    else status = tb__copy(cast, 'C', &result);
    tb_array_release(cast);
    TB_TRY(status);
    status = tb__buffer_here(result->buffer);
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

tb_status tb_astype(tb_array *a, tb_dtype t, char order, tb_casting casting, bool copy, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_ELEMENT(t);
    TB_IS_ORDER(order);
    TB_IS_CASTING(casting);
    return TB__OPERATION(tb__astype(a, t, order, casting, copy, out));
}

/* ---- layouts -------------------------------------------------------------------------------------------------- */

/* Whether the elements fill one block of memory without gap or overlap, in whatever order of the axes. */
static bool fills_block(const tb_array *a)
{
    int64_t expected = (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    int left = 0, next;
    for (int d = 0; d < a->ndim; d++) left += a->dims[d] != 1;
    for (; left > 0; left--) {
        for (next = 0; next < a->ndim; next++)
            if (a->dims[next] != 1 && a->strides[next] == expected) break;
        if (next == a->ndim) return false;
        expected *= a->dims[next];
    }
    return true;
}

static bool same_layout(int ndim, const int64_t *shape, const int64_t *strides, const int64_t *strides2)
{
    for (int d = 0; d < ndim; d++)
        if (shape[d] > 1 && strides[d] != strides2[d]) return false;
    return true;
}

static char *address(const tb_array *a) { return a->buffer->ptr + a->offset; }

static tb_status host_block(size_t bytes, char **out)
{
    char *p = malloc(bytes);
    if (!p) return tb__fail(TB_ERR_MEMORY, "out of host memory staging a copy of %zu bytes", bytes);
    *out = p;
    return TB_OK;
}

typedef struct place {
    int device;
    tb_stream *stream; /* current on the device of the stream that was entered; retained */
} place;

/* Makes s and its device current; *before receives what to go back to with leave_stream. */
static tb_status enter_stream(tb_stream *s, place *before)
{
    before->device = tb__device_current();
    if (s->device != before->device) TB_TRY(tb_device_use(s->device));
    tb_status status = tb__current_stream(&before->stream);
    if (status == TB_OK) {
        tb_stream_retain(before->stream);
        if (before->stream == s) return TB_OK;
        status = tb_stream_use(s);
        if (status == TB_OK) return TB_OK;
        tb_stream_release(before->stream);
    }
    if (s->device != before->device) tb_device_use(before->device);
    return status;
}

static tb_status leave_stream(tb_stream *s, place before, tb_status status)
{
    tb_status back = before.stream == s ? TB_OK : tb_stream_use(before.stream);
    tb_stream_release(before.stream);
    if (s->device != before.device) tb_device_use(before.device);
    return status == TB_OK ? back : status;
}

/* ---- device to host ------------------------------------------------------------------------------------------- */

static tb_status get_block(tb_array *a, char *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    if (same_layout(a->ndim, a->dims, a->strides, strides))
        return tb__backend->copy_out(s, host, address(a), bytes_of(a), blocking);
    char *stage = NULL;
    TB_TRY(host_block(bytes_of(a), &stage));
    tb_status status = tb__backend->copy_out(s, stage, address(a), bytes_of(a), true);
    if (status == TB_OK)
        tb__host_copy(a->ndim, a->dims, tb_dtype_size((tb_dtype)a->dtype), host, strides, stage, a->strides);
    free(stage);
    return status;
}

static tb_status get_gathered(tb_array *a, char *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    tb_array *block = NULL;
    place before;
    bool fortran = tb__is_f_contiguous(a->ndim, a->dims, strides, (int64_t)tb_dtype_size((tb_dtype)a->dtype));
    TB_TRY(enter_stream(s, &before));
    tb_status status = tb__copy(a, fortran ? 'F' : 'C', &block);
    if (status == TB_OK) status = tb__buffer_eval(block->buffer);
    if (status == TB_OK) status = get_block(block, host, strides, s, blocking);
    tb_array_release(block);
    return leave_stream(s, before, status);
}

static void get_known(const tb_array *a, char *host, const int64_t *strides)
{
    const char *known = (const char *)a->buffer->known + a->offset;
    tb__host_copy(a->ndim, a->dims, tb_dtype_size((tb_dtype)a->dtype), host, strides, known, a->strides);
}

static tb_status array_get(tb_array *a, char *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    int64_t c_strides[TB_MAXDIM];
    size_t itemsize = tb_dtype_size((tb_dtype)a->dtype);
    if (!s) TB_TRY(tb__stream_on(a->buffer->device, &s));
    TB_TRY(tb__buffer_demand(a->buffer));
    if (a->size == 0) return TB_OK;
    const bool known = a->buffer->known && !s->capture;
    if (a->size == 1 && !known) return tb__backend->copy_out(s, host, address(a), itemsize, blocking);
    if (!strides) {
        tb__strides_c(a->ndim, a->dims, (int64_t)itemsize, c_strides);
        strides = c_strides;
    }
    if (known) {
        get_known(a, host, strides);
        return TB_OK;
    }
    if (fills_block(a) && (!tb__backend->on_host || same_layout(a->ndim, a->dims, a->strides, strides)))
        return get_block(a, host, strides, s, blocking);
    if (!tb__backend->on_host) return get_gathered(a, host, strides, s, blocking);
    TB_TRY(tb__backend->stream_synchronize(s));
    tb__host_copy(a->ndim, a->dims, itemsize, host, strides, address(a), a->strides);
    return TB_OK;
}

tb_status tb_array_get(tb_array *a, void *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    TB_NOT_NULL(a);
    if (a->size > 0) TB_NOT_NULL(host);
    TB_NOT_RELEASED(s);
    if (blocking && a->size > 0) TB_TRY(tb__may_wait("elements of an array"));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(s, blocking));
    return TB__OPERATION(array_get(a, host, strides, s, blocking));
}

/* ---- host to device ------------------------------------------------------------------------------------------- */

static tb_status set_block(tb_array *a, const char *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    if (same_layout(a->ndim, a->dims, a->strides, strides))
        return tb__backend->copy_in(s, address(a), host, bytes_of(a), blocking);
    char *stage = NULL;
    TB_TRY(host_block(bytes_of(a), &stage));
    tb__host_copy(a->ndim, a->dims, tb_dtype_size((tb_dtype)a->dtype), stage, a->strides, host, strides);
    tb_status status = tb__backend->copy_in(s, address(a), stage, bytes_of(a), true);
    free(stage);
    return status;
}

static tb_status set_scattered(tb_array *a, const char *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    tb_array *block = NULL;
    place before;
    TB_TRY(enter_stream(s, &before));
    tb_status status = tb__empty((tb_dtype)a->dtype, a->ndim, a->dims, 'C', &block);
    if (status == TB_OK) status = set_block(block, host, strides, s, blocking);
    if (status == TB_OK) status = tb__assign(a, block, TB_CAST_NO);
    tb_array_release(block);
    return leave_stream(s, before, status);
}

/* Whether some bytes of an element are not to be written. */
static bool has_gaps(const tb_array *a)
{
    int n;
    return tb__is_record(a->dtype) && tb__record_runs(a->dtype, &n) && n > 0;
}

/* May leave the write pending. */
static tb_status array_set(tb_array *a, const char *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    int64_t c_strides[TB_MAXDIM];
    size_t itemsize = tb_dtype_size((tb_dtype)a->dtype);
    if (!s) TB_TRY(tb__stream_on(a->buffer->device, &s));
    if (a->size == 0) return TB_OK;
    TB_TRY(tb__before_write(a->buffer));
    if (!strides) {
        tb__strides_c(a->ndim, a->dims, (int64_t)itemsize, c_strides);
        strides = c_strides;
    }
    if (has_gaps(a)) return set_scattered(a, host, strides, s, blocking);
    if (fills_block(a) && (!tb__backend->on_host || same_layout(a->ndim, a->dims, a->strides, strides)))
        return set_block(a, host, strides, s, blocking);
    if (!tb__backend->on_host || !tb__array_is_distinct(a)) return set_scattered(a, host, strides, s, blocking);
    TB_TRY(tb__backend->stream_synchronize(s));
    tb__host_copy(a->ndim, a->dims, itemsize, address(a), a->strides, host, strides);
    return TB_OK;
}

tb_status tb_array_set(tb_array *a, const void *host, const int64_t *strides, tb_stream *s, bool blocking)
{
    TB_NOT_NULL(a);
    if (a->size > 0) TB_NOT_NULL(host);
    TB_NOT_RELEASED(s);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(s, blocking && !tb__backend->on_host));
    tb__lock();
    tb_status status = TB__RETRYING(array_set(a, host, strides, s, blocking));
    if (status == TB_OK) status = TB__RETRYING(tb__buffer_eval(a->buffer));
    tb__unlock();
    return status;
}

/* A new array from contiguous memory. */
static tb_status from_block(const void *host, tb_dtype t, int ndim, const int64_t *shape, tb_array **out)
{
    tb_stream *s;
    tb_array *a;
    TB_TRY(tb__empty(t, ndim, shape, 'C', &a));
    tb_status status = tb__current_stream(&s);
    if (status == TB_OK && a->size > 0) status = tb__backend->copy_in(s, address(a), host, bytes_of(a), true);
    if (status == TB_OK && a->size > 0 && !tb__backend->on_host && !s->capture) tb__remember(a->buffer, host);
    if (status == TB_OK) *out = a;
    else tb_array_release(a);
    return status;
}

static tb_status from_host(const void *host, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides,
                           char order, tb_array **out)
{
    int64_t size, itemsize = (int64_t)tb_dtype_size(t), c_strides[TB_MAXDIM], layout[TB_MAXDIM];
    if (order != 'F' && (!strides || tb__is_c_contiguous(ndim, shape, strides, itemsize)))
        return from_block(host, t, ndim, shape, out);
    TB_TRY(tb__shape_size("from_host", ndim, shape, (size_t)itemsize, &size));
    tb__strides_c(ndim, shape, itemsize, c_strides);
    if (!strides) strides = c_strides;
    bool fortran = order == 'F' || (order == 'A' && tb__is_f_contiguous(ndim, shape, strides, itemsize) &&
                                    !tb__is_c_contiguous(ndim, shape, strides, itemsize));
    if (order == 'K') tb__strides_like(ndim, shape, strides, itemsize, layout);
    else if (fortran) tb__strides_f(ndim, shape, itemsize, layout);
    else memcpy(layout, c_strides, (size_t)ndim * sizeof *layout);
    tb_array *a;
    TB_TRY(tb__empty_strided(t, ndim, shape, layout, &a));
    tb_status status = array_set(a, host, strides, NULL, true);
    if (status == TB_OK) status = tb__buffer_eval(a->buffer);
    if (status != TB_OK) tb_array_release(a);
    else *out = a;
    return status;
}

static bool is_nothing(int ndim, const int64_t *shape)
{
    for (int d = 0; d < ndim; d++)
        if (shape[d] == 0) return true;
    return false;
}

tb_status tb_from_host(const void *host, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides, char order,
                       tb_array **out)
{
    TB_NOT_NULL(out);
    TB_IS_ELEMENT(t);
    TB_IS_SHAPE(ndim, shape);
    TB_IS_ORDER(order);
    if (!is_nothing(ndim, shape)) TB_NOT_NULL(host);
    return TB__OPERATION(from_host(host, t, ndim, shape, strides, order, out));
}
