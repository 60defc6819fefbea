/* convolve.c - convolutions and correlations of vectors: the backend's, or where a GPU would have few results a
 * reduction of the products of windows. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/array_ops.h"

/* What a result is: of the windows of `a`, k at a time, `before` of which begin before it. */
typedef struct sliding {
    tb_array *a, *w; /* stored; w is not the longer one */
    tb_dtype work;
    int64_t before, m;
} sliding;

/* Sums of narrow integers are the low bits of wider ones; those of 16 bits are rounded once, as NumPy's. */
static tb_dtype work_dtype(tb_dtype t)
{
    switch (t) {
    case TB_BOOL: return TB_I64; /* counts, of which what is not 0 is true */
    case TB_I8:
    case TB_U8:
    case TB_I16:
    case TB_U16:
    case TB_U32: return TB_I32;
    case TB_U64: return TB_I64;
    case TB_F16:
    case TB_BF16: return TB_F32;
    default: return t;
    }
}

static tb_status slide_along(const sliding *s, tb_array **out)
{
    tb_stream *stream;
    tb_array *result;
    TB_TRY(tb__current_stream(&stream));
    TB_TRY(tb__empty(s->work, 1, &s->m, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) {
        const tb_slide slide = {s->work,
                                s->a->size,
                                s->w->size,
                                s->m,
                                s->before,
                                s->a->buffer->ptr + s->a->offset,
                                s->w->buffer->ptr + s->w->offset,
                                result->buffer->ptr};
        tb__count.launches += tb__backend->on_host; /* a GPU's are counted where they are made */
        status = tb__backend->slide(stream, &slide);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- by a reduction ---------------------------------------------------------------------------------------------- */

static tb_status sum_of_products(const sliding *s, tb_array *windows, tb_array *weights, tb_array **out)
{
    tb_red loop;
    tb_reduce_axes axes;
    const int along = 1;
    TB_TRY(tb__reduce_loop(TB_REDUCE_SUM, s->work, s->work, &loop));
    TB_TRY(tb__reduce_axes(2, windows->dims, 1, &along, false, &axes));
    const tb_loop multiply = tb__loop_find(TB_OP_multiply, 2, (tb_dtype[]){s->work, s->work});
    return tb__reduce_stored(loop, multiply, 2, (tb_array *[]){windows, weights}, &axes, (double)s->w->size, NULL, out);
}

/* A few long windows, all of them within a. */
static tb_status reduce_windows(const sliding *s, tb_array **out)
{
    const int64_t item = (int64_t)tb_dtype_size(s->work), shape[2] = {s->m, s->w->size};
    tb_array *windows, *weights;
    TB_TRY(tb__view(s->a, s->a->offset, s->work, 2, shape, (int64_t[]){item, item}, &windows));
    tb_status status = tb__view(s->w, s->w->offset, s->work, 2, shape, (int64_t[]){0, item}, &weights);
    if (status == TB_OK) {
        status = sum_of_products(s, windows, weights, out);
        tb_array_release(weights);
    }
    tb_array_release(windows);
    return status;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* a, or a view of it backwards, as dtype t in memory. */
static tb_status line(tb_array *a, tb_dtype t, bool backwards, tb_array **out)
{
    tb_array *view = a;
    const int64_t size = a->size;
    if (a->ndim == 0) TB_TRY(tb__reshape(a, 1, &size, 'C', NULL, &view));
    else tb_array_retain(a);
    if (backwards && size > 1) {
        tb_array *turned;
        const int64_t step = -view->strides[0];
        const tb_status status =
            tb__view(view, view->offset - step * (size - 1), (tb_dtype)view->dtype, 1, view->dims, &step, &turned);
        tb_array_release(view);
        TB_TRY(status);
        view = turned;
    }
    const tb_status status = tb__stored(view, t, out);
    tb_array_release(view);
    return status;
}

static tb_status slide_cast(const sliding *s, tb_dtype t, tb_array **out)
{
    tb_array *sums;
    const bool few = !tb__backend->on_host && s->m < s->w->size;
    TB_TRY((few ? reduce_windows : slide_along)(s, &sums));
    if (t == s->work) {
        *out = sums;
        return TB_OK;
    }
    const tb_status status = tb__astype(sums, t, 'C', TB_CAST_UNSAFE, false, out);
    tb_array_release(sums);
    return status;
}

/* The longer one's windows by the shorter one. A convolution turns this round; a correlation both if it is the first
 * one, which slides the other way then. */
static tb_status slide(tb_array *a, tb_array *v, tb_overlap mode, bool turns, tb_array **out)
{
    const tb_dtype t = tb_promote((tb_dtype)a->dtype, (tb_dtype)v->dtype);
    const bool swapped = v->size > a->size;
    sliding s = {.work = work_dtype(t)};
    const int64_t n = tb__max(a->size, v->size), k = tb__min(a->size, v->size);
    const int64_t before = mode == TB_OVERLAP_FULL ? k - 1 : mode == TB_OVERLAP_SAME ? k / 2 : 0;
    const int64_t behind = mode == TB_OVERLAP_FULL ? k - 1 : mode == TB_OVERLAP_SAME ? k - k / 2 - 1 : 0;
    s.before = swapped && !turns ? behind : before;
    s.m = n + before + behind - k + 1;
    TB_TRY(line(swapped ? v : a, s.work, swapped && !turns, &s.a));
    tb_status status = line(swapped ? a : v, s.work, swapped || turns, &s.w);
    if (status == TB_OK) {
        status = slide_cast(&s, t, out);
        tb_array_release(s.w);
    }
    tb_array_release(s.a);
    return status;
}

static tb_status check(const char *function, const char *name, const tb_array *a, int least)
{
    TB_ARE_NUMBERS(function, a->dtype);
    if (a->ndim < least || a->ndim > 1)
        return tb__fail(TB_ERR_VALUE, "%s: %s must have one dimension, it has %d", function, name, a->ndim);
    if (a->size == 0) return tb__fail(TB_ERR_VALUE, "%s: %s must not be empty", function, name);
    return TB_OK;
}

tb_status tb_convolve(tb_array *a, tb_array *v, tb_overlap mode, tb_array **out)
{
    TB_NOT_NULL(a, v, out);
    TB_IS_CHOICE(mode, TB_OVERLAP_VALID + 1);
    TB_TRY(check("convolve", "a", a, 0));
    TB_TRY(check("convolve", "v", v, 0));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(slide(a, v, mode, true, out));
}

tb_status tb_correlate(tb_array *a, tb_array *v, tb_overlap mode, tb_array **out)
{
    TB_NOT_NULL(a, v, out);
    TB_IS_CHOICE(mode, TB_OVERLAP_VALID + 1);
    TB_TRY(check("correlate", "a", a, 1));
    TB_TRY(check("correlate", "v", v, 1));
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    tb_array *conjugate = NULL;
    if (tb_dtype_kind((tb_dtype)v->dtype) == TB_KIND_COMPLEX) {
        const tb_operand of = tb_operand_array(v);
        TB_TRY(tb_ufunc_call(tb_ufunc_find("conjugate"), &of, &conjugate, NULL));
    }
    const tb_status status = TB__OPERATION(slide(a, conjugate ? conjugate : v, mode, false, out));
    if (conjugate) tb_array_release(conjugate);
    return status;
}
