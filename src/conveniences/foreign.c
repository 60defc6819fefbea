/* foreign.c - see foreign.h. What is said of the memory is somebody else's word, and may make no sense. */
#include "conveniences/foreign.h"

#include <string.h>

#include "base/argument.h"
#include "base/shape.h"
#include "graph/expr.h"

bool tb__foreign_extent(tb_foreign *m)
{
    const uintptr_t at = (uintptr_t)m->first;
    m->lo = 0;
    m->hi = (int64_t)tb_dtype_size(m->dtype);
    for (int d = 0; d < m->ndim; d++) {
        if (m->shape[d] > 0) continue;
        m->lo = m->hi = 0;
        return m->shape[d] == 0;
    }
    for (int d = 0; d < m->ndim; d++) {
        int64_t reach;
        if (__builtin_mul_overflow(m->shape[d] - 1, m->strides[d], &reach)) return false;
        int64_t *end = reach < 0 ? &m->lo : &m->hi;
        if (__builtin_add_overflow(*end, reach, end)) return false;
    }
    int64_t bytes;
    if (!m->first || __builtin_sub_overflow(m->hi, m->lo, &bytes)) return false;
    return at >= (uintptr_t)-m->lo && at <= UINTPTR_MAX - (uintptr_t)m->hi;
}

bool tb__foreign_fill_strides(tb_foreign *m)
{
    int64_t bytes = (int64_t)tb_dtype_size(m->dtype);
    for (int d = 0; d < m->ndim; d++)
        if (m->shape[d] > 1 && __builtin_mul_overflow(bytes, m->shape[d], &bytes)) return false;
    tb__strides_c(m->ndim, m->shape, (int64_t)tb_dtype_size(m->dtype), m->strides);
    return true;
}

tb_status tb__foreign_wrap(const tb_foreign *m, int device, bool read_only, void (*deleter)(void *), void *owner,
                           tb_array **out)
{
    tb_buffer *b;
    tb_array *a;
    TB_TRY(tb_buffer_wrap(m->first + m->lo, (size_t)(m->hi - m->lo), device, NULL, NULL, &b));
    const tb_status status = tb_array_on_buffer(b, -m->lo, m->dtype, m->ndim, m->shape, m->strides, &a);
    if (status == TB_OK) { /* before, a failure would have deleted the owner */
        b->deleter = deleter;
        b->owner = owner;
        b->read_only = read_only;
        *out = a;
    }
    tb_buffer_release(b);
    return status;
}

tb_status tb_from_memory(void *first, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides, int device,
                         bool read_only, void (*deleter)(void *), void *owner, tb_array **out)
{
    tb_foreign m = {.first = first, .dtype = t, .ndim = ndim};
    TB_NOT_NULL(out);
    TB_IS_ELEMENT(t);
    TB_IS_SHAPE(ndim, shape);
    if (ndim > 0) memcpy(m.shape, shape, (size_t)ndim * sizeof *shape);
    if (ndim > 0 && strides) memcpy(m.strides, strides, (size_t)ndim * sizeof *strides);
    if (!strides && !tb__foreign_fill_strides(&m)) return tb__fail(TB_ERR_VALUE, "tb_from_memory: it is too large");
    if (!tb__foreign_extent(&m))
        return tb__fail(TB_ERR_VALUE, "tb_from_memory: first is a null pointer, or the array is too large");
    TB_TRY(tb_init());
    if (m.hi > m.lo && strcmp(tb_backend_name(), "cpu") == 0 &&
        !tb_memory_is_mapped(m.first + m.lo, (size_t)(m.hi - m.lo)))
        return tb__fail(TB_ERR_VALUE, "tb_from_memory: the host cannot read %lld bytes from %p on",
                        (long long)(m.hi - m.lo), (void *)(m.first + m.lo));
    return tb__foreign_wrap(&m, device, read_only, deleter, owner, out);
}
