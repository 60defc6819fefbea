/* fft_fit.c - the input of a transform: as long as asked for, of its dtype, in memory, in a layout that the backend
 * takes. */
#include <string.h>

#include "base/arith.h"
#include "base/error.h"
#include "base/shape.h"
#include "ops/fft.h"

/* The part of a that both shapes have. */
static tb_status common_part(const tb_array *a, const int64_t *shape, tb_array **out)
{
    int64_t least[TB_MAXDIM];
    for (int d = 0; d < a->ndim; d++) least[d] = tb__min(a->dims[d], shape[d]);
    return tb__view(a, a->offset, (tb_dtype)a->dtype, a->ndim, least, a->strides, out);
}

/* part, continued by zeros. */
static tb_status continued(tb_array *part, tb_dtype t, const int64_t *shape, tb_array **out)
{
    tb_array *whole, *place;
    TB_TRY(tb__full(t, part->ndim, shape, 'C', tb_scalar_int(0), &whole));
    tb_status status = common_part(whole, part->dims, &place);
    if (status == TB_OK) {
        status = tb__assign(place, part, TB_CAST_UNSAFE);
        tb_array_release(place);
    }
    if (status == TB_OK) *out = whole;
    else tb_array_release(whole);
    return status;
}

/* Whether elements are as far apart as elements can be. */
static bool has_whole_strides(const tb_array *a)
{
    const int64_t item = (int64_t)tb_dtype_size((tb_dtype)a->dtype);
    for (int d = 0; d < a->ndim; d++)
        if (a->strides[d] % item != 0) return false;
    return tb__is_aligned(a);
}

static tb_status cast(tb_array *a, tb_dtype t, tb_array **out)
{
    if (a->dtype == t && has_whole_strides(a)) {
        *out = tb_array_retain(a);
        return TB_OK;
    }
    return tb__astype(a, t, 'C', TB_CAST_UNSAFE, a->dtype == t, out);
}

/* a (stolen), in memory. */
static tb_status evaluated(tb_array *a, tb_array **out)
{
    const tb_status status = tb__buffer_eval(a->buffer);
    if (status == TB_OK) *out = a;
    else tb_array_release(a);
    return status;
}

tb_status tb__fft_fit(tb_array *a, tb_dtype t, const int64_t *shape, tb_array **out)
{
    tb_array *part, *result;
    const size_t bytes = (size_t)a->ndim * sizeof *shape;
    if (memcmp(a->dims, shape, bytes) == 0) {
        TB_TRY(cast(a, t, &result));
        return evaluated(result, out);
    }
    TB_TRY(common_part(a, shape, &part));
    const bool whole = memcmp(part->dims, shape, bytes) == 0;
    const tb_status status = whole ? cast(part, t, &result) : continued(part, t, shape, &result);
    tb_array_release(part);
    TB_TRY(status);
    return evaluated(result, out);
}

void tb__fft_strides(const tb_transform *t, const int64_t *shape, int64_t item, int64_t *strides)
{
    uint32_t taken = 0;
    for (int i = t->naxis - 1; i >= 0; i--) {
        strides[t->axis[i]] = item;
        item *= shape[t->axis[i]];
        taken |= UINT32_C(1) << t->axis[i];
    }
    for (int d = t->ndim - 1; d >= 0; d--) {
        if (taken >> d & 1) continue;
        strides[d] = item;
        item *= shape[d];
    }
}

tb_status tb__fft_lay_out(tb_array *a, const tb_transform *t, tb_array **out)
{
    int64_t strides[TB_MAXDIM];
    tb_array *copy;
    tb__fft_strides(t, a->dims, (int64_t)tb_dtype_size((tb_dtype)a->dtype), strides);
    TB_TRY(tb__empty_strided((tb_dtype)a->dtype, a->ndim, a->dims, strides, &copy));
    const tb_status status = tb__assign(copy, a, TB_CAST_UNSAFE);
    if (status == TB_OK) return evaluated(copy, out);
    tb_array_release(copy);
    return status;
}
