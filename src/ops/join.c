/* join.c - several assignments at once: parts of a new array that inputs are joined in. Inputs of one shape are written
 * by one kernel, which can store elements that lie side by side as one piece. */
#include <string.h>

#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "ops/array_ops.h"

/* Whether dst is memory that nothing pending reads or writes, apart from src, and of its shape. */
static bool is_plain(const tb_array *dst, const tb_array *src)
{
    const tb_buffer *b = dst->buffer;
    const int device = tb__device_current();
    if (b->expr || b->readers || b->shared || b->device != device || src->buffer->device != device) return false;
    if (!tb__array_is_distinct(dst)) return false;
    return b != src->buffer && dst->ndim == src->ndim &&
           memcmp(dst->dims, src->dims, (size_t)src->ndim * sizeof *src->dims) == 0;
}

/* On the host one part after the other is as fast, or faster, but where elements take turns. */
static bool takes_turns(const tb_array *dst)
{
    return dst->ndim > 0 && dst->strides[dst->ndim - 1] != (int64_t)tb_dtype_size((tb_dtype)dst->dtype);
}

static bool go_together(int n, tb_array *const *dst, tb_array *const *src)
{
    const int64_t bytes = dst[0]->size * (int64_t)tb_dtype_size((tb_dtype)dst[0]->dtype);
    if (n < 2 || bytes == 0 || tb__foreign) return false;
    for (int i = 0; i < n; i++)
        if (tb__are_records(dst[i]->dtype, src[i]->dtype)) return false;
    if (tb__backend->on_host && (tb__is_little(bytes) || !takes_turns(dst[0]))) return false;
    for (int i = 0; i < n; i++)
        if (!is_plain(dst[i], src[i]) || dst[i]->ndim != dst[0]->ndim ||
            memcmp(dst[i]->dims, dst[0]->dims, (size_t)dst[0]->ndim * sizeof *dst[0]->dims) != 0)
            return false;
    return true;
}

static tb_status run(int n, tb_array *const *dst, tb_expr *const *value)
{
    tb_plan plan;
    tb_stream *s;
    uint16_t number[TB_PLAN_MAXSTORE];
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__plan_from_exprs(&plan, n, value, number));
    for (int i = 0; i < n; i++) {
        tb_store *to = &plan.store[plan.nstore++];
        to->ptr = dst[i]->buffer->ptr + dst[i]->offset;
        to->value = number[i];
        to->dtype = dst[i]->dtype;
        memcpy(to->strides, dst[i]->strides, (size_t)dst[i]->ndim * sizeof *to->strides);
    }
    TB_TRY(tb__run(s, &plan));
    for (int i = 0; i < n; i++) tb__wrote(dst[i]->buffer);
    return TB_OK;
}

static int least(int a, int b) { return a < b ? a : b; }

/* What is pending is computed in the kernel as far as all of it, and a cast of each, fit a plan. */
static tb_status fit_together(int n, tb_array *const *src)
{
    const int nodes = least(TB_PLAN_MAXINSTR / n - 1, TB_PROLOGUE_NODES / 2);
    const int leaves = least(TB_PLAN_MAXLOAD / n, TB_PROLOGUE_LEAVES);
    for (int i = 0; i < n; i++) TB_TRY(tb__fit_prologue(src[i], nodes, leaves));
    return TB_OK;
}

static tb_status assign_together(int n, tb_array *const *dst, tb_array *const *src)
{
    tb_expr *value[TB_PLAN_MAXSTORE];
    tb_status status = TB_OK;
    int made = 0;
    TB_TRY(fit_together(n, src));
    for (; made < n && status == TB_OK; made += status == TB_OK)
        status = tb__node_input(src[made], (tb_dtype)dst[made]->dtype, dst[made]->ndim, dst[made]->dims, &value[made]);
    if (status == TB_OK) status = run(n, dst, value);
    while (made > 0) tb__expr_release(value[--made]);
    return status;
}

static tb_status check_arrays(const char *function, int n, tb_array *const *dst, tb_array *const *src)
{
    for (int i = 0; i < n; i++)
        if (!dst[i] || !src[i]) return tb__fail_null(function, dst[i] ? "src[]" : "dst[]");
    if (TB_UNLIKELY(tb__debug)) {
        TB_TRY(tb__check_ended(function, "dst", n, dst, sizeof *dst));
        TB_TRY(tb__check_ended(function, "src", n, src, sizeof *src));
    }
    return TB_OK;
}

static tb_status check_casts(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting)
{
    for (int i = 0; i < n; i++) TB_TRY(tb__check_cast((tb_dtype)src[i]->dtype, (tb_dtype)dst[i]->dtype, casting));
    return TB_OK;
}

/* As many of the assignments from *done on as one kernel does. */
static tb_status assign_next(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting, int *done)
{
    const int most = n - *done < TB_PLAN_MAXSTORE ? n - *done : TB_PLAN_MAXSTORE;
    const bool together = go_together(most, dst + *done, src + *done);
    if (together) TB_TRY(assign_together(most, dst + *done, src + *done));
    else TB_TRY(tb__assign(dst[*done], src[*done], casting));
    *done += together ? most : 1;
    return TB_OK;
}

tb_status tb__assign_all(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting)
{
    TB_TRY(check_casts(n, dst, src, casting));
    for (int done = 0; done < n;) TB_TRY(assign_next(n, dst, src, casting, &done));
    return TB_OK;
}

tb_status tb_assign_all(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting)
{
    TB_IS_COUNT(n, INT_MAX);
    if (n > 0) TB_NOT_NULL(dst, src);
    TB_IS_CASTING(casting);
    TB_TRY(check_arrays(__func__, n, dst, src));
    int done = 0;
    tb__lock();
    tb_status status = check_casts(n, dst, src, casting);
    while (done < n && status == TB_OK) status = TB__RETRYING(assign_next(n, dst, src, casting, &done));
    tb__unlock();
    return status;
}
