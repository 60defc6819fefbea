/* array.c - arrays (views) and buffers: lifetime and accessors. States of a buffer are explained in expr.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/capture.h"
#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/shape.h"
#include "base/waits.h"
#include "graph/eval.h"
#include "graph/expr.h"

/* Arrays of few dimensions and all buffers are recycled: both are made and dropped by every operation. */
enum { SMALL_NDIM = 4 };
static tb_array *array_keep[TB_RECYCLED];
static tb_buffer *buffer_keep[TB_RECYCLED];
static int narray_keep, nbuffer_keep;

/* What is pending on a stream is enqueued before the stream ends. */
static void before_stream_end(tb_stream *s)
{
    const bool may_retry = tb__retry_pause();
    tb__flush_stream(s);
    tb__retry_resume(may_retry);
}

__attribute__((constructor)) static void watch_streams(void) { tb__stream_flush = before_stream_end; }

static size_t array_bytes(int ndim)
{
    int room = ndim <= SMALL_NDIM ? SMALL_NDIM : ndim;
    return sizeof(tb_array) + 2 * (size_t)room * sizeof(int64_t);
}

static __attribute__((noinline)) tb_array *array_begin(int ndim)
{
    tb_array *a = malloc(array_bytes(ndim));
    if (a) tb__object_made(TB_OBJECT_ARRAY, a);
    return a;
}

static tb_array *array_alloc(int ndim)
{
    return ndim <= SMALL_NDIM && narray_keep > 0 ? array_keep[--narray_keep] : array_begin(ndim);
}

/* Shape, strides (NULL: C order) and what follows from them, in one pass from the last dimension to the first. */
static void lay_out(tb_array *a, const int64_t *shape, const int64_t *strides)
{
    int64_t itemsize = (int64_t)tb_dtype_size((tb_dtype)a->dtype), step = itemsize, size = 1;
    int ndim = a->ndim;
    bool c = true;
    a->strides = a->dims + ndim;
    for (int d = ndim - 1; d >= 0; d--) {
        int64_t n = shape[d];
        a->dims[d] = n;
        a->strides[d] = strides ? strides[d] : step;
        c &= n == 1 || a->strides[d] == step;
        step *= n > 1 ? n : 1;
        size *= n;
    }
    if (size == 0 && !strides) memset(a->strides, 0, (size_t)ndim * sizeof *a->strides); /* as NumPy's */
    a->size = size;
    a->c_contiguous = c || size == 0;
    a->f_contiguous = ndim <= 1 ? a->c_contiguous : tb__is_f_contiguous(ndim, a->dims, a->strides, itemsize);
}

tb_array *tb__array_new(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                        const int64_t *strides)
{
    tb_array *a = array_alloc(ndim);
    if (!a) return NULL;
    a->refs = 1;
    a->dtype = t;
    a->ndim = (uint8_t)ndim;
    a->buffer = b;
    b->refs++;
    a->offset = offset;
    lay_out(a, shape, strides);
    return a;
}

bool tb__array_is_distinct(const tb_array *a)
{
    return a->c_contiguous || tb__is_distinct(a->ndim, a->dims, a->strides, (int64_t)tb_dtype_size((tb_dtype)a->dtype));
}

static __attribute__((noinline)) void array_end(tb_array *a)
{
    char text[64 + 24 * TB_MAXDIM], shape[24 * TB_MAXDIM];
    if (tb__debug)
        snprintf(text, sizeof text, "%s, shape %s", tb_dtype_name((tb_dtype)a->dtype),
                 tb__shape_text(shape, sizeof shape, a->ndim, a->dims));
    tb__object_end(TB_OBJECT_ARRAY, a, array_bytes(a->ndim), tb__debug ? text : NULL);
}

static void array_free(tb_array *a)
{
    tb_buffer *b = a->buffer;
    if (b->refs > 1 && !b->expr) b->refs--; /* a view goes, and no more */
    else tb__buffer_release(b);
    if (a->ndim <= SMALL_NDIM && narray_keep < tb__recycle_most) array_keep[narray_keep++] = a;
    else array_end(a);
}

tb_array *tb_array_retain(tb_array *a)
{
    if (!a) return NULL;
    tb__lock();
    if (__builtin_expect(a->refs++ <= 0, 0)) tb__released_again("tb_array_retain", TB_OBJECT_ARRAY, a);
    tb__unlock();
    return a;
}

void tb__array_release(tb_array *a)
{
    if (!a) return;
    if (--a->refs == 0) array_free(a);
    else if (__builtin_expect(a->refs < 0, 0)) tb__released_again("tb_array_release", TB_OBJECT_ARRAY, a);
}

static void release_array(void *a) { tb_array_release(a); }

void tb_array_release(tb_array *a)
{
    if (!a) return;
    tb__lock();
    if (__builtin_expect(tb__foreign != 0, 0)) tb__defer(release_array, a);
    else tb__array_release(a);
    tb__unlock();
}

void tb_array_release_all(int n, tb_array **arrays)
{
    for (int i = 0; arrays && i < n; i++) tb_array_replace(&arrays[i], NULL);
}

void tb_array_replace(tb_array **variable, tb_array *by)
{
    if (!variable) return;
    tb_array *before = *variable;
    *variable = by;
    tb_array_release(before);
}

int tb_array_ndim(const tb_array *a)
{
    if (TB_IS_NONE(a)) return 0;
    return a->ndim;
}
const int64_t *tb_array_shape(const tb_array *a)
{
    if (TB_IS_NONE(a)) return NULL;
    return a->dims;
}
const int64_t *tb_array_strides(const tb_array *a)
{
    if (TB_IS_NONE(a)) return NULL;
    return a->strides;
}
int64_t tb_array_size(const tb_array *a)
{
    if (TB_IS_NONE(a)) return 0;
    return a->size;
}
tb_dtype tb_array_dtype(const tb_array *a)
{
    if (TB_IS_NONE(a)) return TB_NODTYPE;
    return (tb_dtype)a->dtype;
}
int tb_array_device(const tb_array *a)
{
    if (TB_IS_NONE(a)) return 0;
    return a->buffer->device;
}
bool tb_array_is_writable(const tb_array *a)
{
    if (TB_IS_NONE(a)) return false;
    return !a->buffer->read_only;
}
bool tb_array_is_c_contiguous(const tb_array *a)
{
    if (TB_IS_NONE(a)) return false;
    return a->c_contiguous;
}
bool tb_array_is_f_contiguous(const tb_array *a)
{
    if (TB_IS_NONE(a)) return false;
    return a->f_contiguous;
}
bool tb_array_is_pending(const tb_array *a)
{
    if (TB_IS_NONE(a)) return false;
    return a->buffer->expr != NULL;
}
tb_buffer *tb_array_buffer(const tb_array *a)
{
    if (TB_IS_NONE(a)) return NULL;
    return a->buffer;
}
int64_t tb_array_offset(const tb_array *a)
{
    if (TB_IS_NONE(a)) return 0;
    return a->offset;
}

tb_status tb_array_eval(tb_array *a)
{
    TB_NOT_NULL(a);
    return TB__OPERATION(tb__buffer_demand(a->buffer));
}

/* Who has the address may write through it, so whatever still reads the memory is enqueued as well. */
static tb_status expose(tb_buffer *b)
{
    tb__forget(b);
    TB_TRY(tb__buffer_demand(b));
    return b->readers ? tb__after_readers(b) : TB_OK;
}

/* Who has the address may keep it, and will not ask again. */
static tb_status hand_out(tb_buffer *b)
{
    TB_TRY(expose(b));
    b->shared += !b->handed_out;
    b->handed_out = true;
    return TB_OK;
}

static char *address_of(const tb_array *a) { return a->buffer->ptr ? a->buffer->ptr + a->offset : NULL; }

tb_status tb__array_address(tb_array *a, void **ptr)
{
    TB_TRY(expose(a->buffer));
    *ptr = address_of(a);
    return TB_OK;
}

tb_status tb_array_share(tb_array *a, void **ptr)
{
    TB_NOT_NULL(a, ptr);
    tb__lock();
    tb_status status = TB__RETRYING(tb__array_address(a, ptr));
    if (status == TB_OK) a->buffer->shared++;
    tb__unlock();
    return status;
}

void tb_array_unshare(tb_array *a)
{
    if (TB_IS_NONE(a)) return;
    tb__lock();
    a->buffer->shared--;
    tb__unlock();
}

const void *tb_array_peek(const tb_array *a)
{
    if (TB_IS_NONE(a)) return NULL;
    const tb_buffer *b = a->buffer;
    bool idle = tb__backend && tb__backend->on_host && tb__backend_plain() && !tb__waits_forbidden;
    if (!idle || __atomic_load_n(&b->expr, __ATOMIC_ACQUIRE))
        return NULL; /* which another thread may be about to store */
    return b->ptr ? b->ptr + a->offset : NULL;
}

int64_t tb_array_version(const tb_array *a)
{
    if (TB_IS_NONE(a)) return 0;
    tb__lock();
    const int64_t version = a->buffer->handed_out ? ++tb__writes : a->buffer->written;
    tb__unlock();
    return version;
}

tb_status tb_array_data(tb_array *a, void **ptr)
{
    TB_NOT_NULL(a, ptr);
    tb__lock();
    tb_status status = TB__RETRYING(hand_out(a->buffer));
    if (status == TB_OK) *ptr = address_of(a);
    tb__unlock();
    return status;
}

/* ---- buffers -------------------------------------------------------------------------------------------------- */

static void remember_allocator(tb_buffer *b)
{
    tb_allocator *a = tb__allocator_current();
    if (a) b->allocator = tb_allocator_retain(a);
}

static __attribute__((noinline)) tb_buffer *buffer_begin(void)
{
    tb_buffer *b = malloc(sizeof *b);
    if (b) tb__object_made(TB_OBJECT_BUFFER, b);
    return b;
}

tb_buffer *tb__buffer_alloc(size_t size, tb_stream *stream)
{
    tb_buffer *b = nbuffer_keep > 0 ? buffer_keep[--nbuffer_keep] : buffer_begin();
    if (!b) return NULL;
    *b = (tb_buffer){.refs = 1,
                     .device = stream->device,
                     .size = size,
                     .stream = stream,
                     .born = tb__attempt,
                     .written = ++tb__writes};
    stream->refs++;
    if (__builtin_expect(tb__allocators != 0, 0)) remember_allocator(b);
    return b;
}

int64_t tb__writes;

enum { KNOWN = 512 }; /* bytes */

void tb__remember(tb_buffer *b, const void *bytes)
{
    /* The memory of other allocators may be known to somebody. */
    if (b->size > KNOWN || b->shared || !tb__allocator_is_pool(b->allocator)) return;
    if (!(b->known = malloc(b->size))) return;
    memcpy(b->known, bytes, b->size);
}

void tb__forget_known(tb_buffer *b)
{
    free(b->known);
    b->known = NULL;
}

/* A write that no array can see any more, since only leaves refer to the buffer, is not worth doing. */
static void forget_unseen_write(tb_buffer *b)
{
    int leaves = 0;
    for (const tb_expr *leaf = b->readers; leaf; leaf = leaf->u.leaf.next) leaves++;
    if (leaves != b->refs || b->shared) return;
    b->refs++;
    tb__abandon(b);
    tb__buffer_release(b);
}

void tb__buffer_release(tb_buffer *b)
{
    if (--b->refs != 0) {
        if (__builtin_expect(b->refs < 0, 0)) tb__released_again("tb_buffer_release", TB_OBJECT_BUFFER, b);
        else if (b->expr && b->ptr) forget_unseen_write(b);
        return;
    }
    if (b->expr) tb__abandon(b);
    if (b->hold) tb__pool_let_go(b->hold);
    tb__forget(b);
    if (b->foreign) {
        if (b->deleter) tb__defer(b->deleter, b->owner);
    } else {
        tb__buffer_unstore(b);
    }
    if (__builtin_expect(b->allocator != NULL, 0)) tb__allocator_release(b->allocator);
    tb__stream_release(b->stream);
    if (nbuffer_keep < tb__recycle_most) buffer_keep[nbuffer_keep++] = b;
    else tb__object_end(TB_OBJECT_BUFFER, b, sizeof *b, NULL);
}

void tb_buffer_retain(tb_buffer *b)
{
    if (!b) return;
    tb__lock();
    if (__builtin_expect(b->refs++ <= 0, 0)) tb__released_again("tb_buffer_retain", TB_OBJECT_BUFFER, b);
    tb__unlock();
}

static void release_buffer(void *b) { tb_buffer_release(b); }

void tb_buffer_release(tb_buffer *b)
{
    if (!b) return;
    if (!b) return;
    tb__lock();
    if (__builtin_expect(tb__foreign != 0, 0)) tb__defer(release_buffer, b);
    else tb__buffer_release(b);
    tb__unlock();
}

size_t tb_buffer_size(const tb_buffer *b)
{
    if (TB_IS_NONE(b)) return 0;
    return b->size;
}

tb_status tb_buffer_data(tb_buffer *b, void **ptr)
{
    TB_NOT_NULL(b, ptr);
    tb__lock();
    tb_status status = TB__RETRYING(hand_out(b));
    if (status == TB_OK) *ptr = b->ptr;
    tb__unlock();
    return status;
}

/* Whoever still has the address reads and writes what the pool hands out next, but never memory that is not there: so
 * the pool does not give it up meanwhile, and what another allocator gave goes with the last reference. */
static tb_status buffer_free(tb_buffer *b)
{
    if (b->foreign || !tb__allocator_is_pool(b->allocator)) return TB_OK;
    TB_TRY(expose(b));
    char *ptr = b->ptr;
    b->hold = tb__pool_hold(ptr);
    tb__buffer_unstore(b);
    b->ptr = ptr;
    b->foreign = true; /* from here on it is somebody else's */
    return TB_OK;
}

tb_status tb_buffer_free(tb_buffer *b)
{
    TB_NOT_NULL(b);
    return TB__OPERATION(buffer_free(b));
}

tb_allocator *tb_buffer_allocator(const tb_buffer *b)
{
    if (TB_IS_NONE(b)) return NULL;
    return b->allocator;
}

tb_status tb__buffer_store(tb_buffer *b)
{
    if (b->ptr || b->size == 0) return TB_OK;
    void *ptr;
    if (__builtin_expect(b->allocator != NULL, 0))
        TB_TRY(tb__allocator_take(b->allocator, b->stream, b->size, &ptr, &b->owner));
    else TB_TRY(tb__pool_alloc(b->stream, b->size, &ptr));
    b->ptr = ptr;
    tb__count.allocations++;
    tb__count.bytes_allocated += b->size;
    return TB_OK;
}

void tb__buffer_unstore(tb_buffer *b)
{
    if (!b->ptr) return;
    if (__builtin_expect(b->allocator != NULL, 0))
        tb__allocator_give(b->allocator, b->device, b->stream, b->ptr, b->owner);
    else tb__pool_free(b->device, b->stream->handle, b->ptr);
    b->ptr = NULL;
    b->owner = NULL;
}

void tb__buffer_undo_store(tb_buffer *b)
{
    tb__buffer_unstore(b);
    tb__count.allocations--;
    tb__count.bytes_allocated -= b->size;
}

/* What pending work reads may be memory that nothing else needs: it is done before memory is reported to have run
 * out. */
static tb_status store_at_any_cost(tb_buffer *b)
{
    tb_status status = tb__buffer_store(b);
    if (status != TB_ERR_MEMORY || tb__foreign) return status;
    if (tb__flush_device(b->device) == TB__AGAIN) return TB__AGAIN;
    return tb__buffer_store(b);
}

static tb_status buffer_new(size_t bytes, tb_buffer **out)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    tb_buffer *b = tb__buffer_alloc(bytes, s);
    if (!b) return tb__fail_memory(sizeof *b, 0, 0, 0);
    tb_status status = store_at_any_cost(b);
    if (status != TB_OK) tb__buffer_release(b);
    else *out = b;
    return status;
}

tb_status tb_buffer_new(size_t bytes, tb_buffer **out)
{
    TB_NOT_NULL(out);
    return TB__OPERATION(buffer_new(bytes, out));
}

static tb_status buffer_new_in(tb_allocator *a, size_t bytes, tb_buffer **out)
{
    tb_stream *s;
    TB_TRY(tb__current_stream(&s));
    tb_buffer *b = tb__buffer_alloc(bytes, s);
    if (!b) return tb__fail_memory(sizeof *b, 0, 0, 0);
    tb_allocator *current = b->allocator;
    b->allocator = a ? tb_allocator_retain(a) : NULL;
    if (current) tb__allocator_release(current);
    tb_status status = store_at_any_cost(b);
    if (status != TB_OK) tb__buffer_release(b);
    else *out = b;
    return status;
}

tb_status tb_buffer_new_in(tb_allocator *a, size_t bytes, tb_buffer **out)
{
    TB_NOT_NULL(out);
    TB_NOT_RELEASED(a);
    TB_TRY(tb_init());
    return TB__OPERATION(buffer_new_in(a, bytes, out));
}

void tb_buffer_set_read_only(tb_buffer *b)
{
    if (TB_IS_NONE(b)) return;
    b->read_only = true;
}

bool tb_buffer_is_wrapped(const tb_buffer *b)
{
    if (TB_IS_NONE(b)) return false;
    return b->foreign;
}

static tb_status buffer_wrap(void *ptr, size_t bytes, int device, void (*deleter)(void *), void *owner, tb_buffer **out)
{
    tb_stream *s;
    if (!ptr && bytes > 0)
        return tb__fail(TB_ERR_VALUE, "tb_buffer_wrap: nothing is at address 0, where %zu bytes are expected", bytes);
    TB_TRY(tb__current_stream(&s));
    tb_buffer *b = tb__buffer_alloc(bytes, s);
    if (!b) return tb__fail_memory(sizeof *b, 0, 0, 0);
    b->ptr = ptr;
    b->device = device;
    b->foreign = true;
    b->deleter = deleter;
    b->owner = owner;
    *out = b;
    return TB_OK;
}

tb_status tb__array_adopt(void *ptr, tb_dtype t, int ndim, const int64_t *shape, void (*deleter)(void *), void *owner,
                          tb_array **out)
{
    tb_buffer *b = NULL;
    int device;
    const size_t bytes = (size_t)tb__product(ndim, shape) * tb_dtype_size(t);
    TB_TRY(tb_device_current(&device));
    TB_TRY(buffer_wrap(ptr, bytes, device, deleter, owner, &b));
    tb_array *a = tb__array_new(b, 0, t, ndim, shape, NULL);
    if (!a) b->deleter = NULL; /* on failure it stays its owner's */
    tb__buffer_release(b);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    *out = a;
    return TB_OK;
}

tb_status tb_buffer_wrap(void *ptr, size_t bytes, int device, void (*deleter)(void *), void *owner, tb_buffer **out)
{
    TB_NOT_NULL(out);
    if (bytes > 0) TB_NOT_NULL(ptr);
    tb__lock();
    tb_status status = buffer_wrap(ptr, bytes, device, deleter, owner, out);
    if (status == TB_OK) (*out)->shared = 1;
    tb__unlock();
    return status;
}

tb_status tb__empty_sized(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides, int64_t size,
                          tb_array **out)
{
    tb_buffer *b = NULL;
    TB_TRY(buffer_new((size_t)size * tb_dtype_size(t), &b));
    tb_array *a = tb__array_new(b, 0, t, ndim, shape, strides);
    if (TB_LIKELY(a)) b->refs--; /* it is the array's */
    else tb__buffer_release(b);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    *out = a;
    return TB_OK;
}

tb_status tb__empty(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out)
{
    int64_t size, strides[TB_MAXDIM];
    TB_TRY(tb__shape_size("empty", ndim, shape, tb_dtype_size(t), &size));
    if (order == 'F') tb__strides_f(ndim, shape, (int64_t)tb_dtype_size(t), strides);
    return tb__empty_sized(t, ndim, shape, order == 'F' ? strides : NULL, size, out);
}
