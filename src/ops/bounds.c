/* bounds.c - indices out of range. They wrap around, unless a thread has asked for strict indices: then each index
 * array is looked over by a reduction of its own before anything is read or written, for which the host waits. */
#include "base/environment.h"
#include "base/error.h"
#include "base/shape.h"
#include "ops/places.h"

/* ---- what the thread wants --------------------------------------------------------------------------------------- */

/* A thread that never chose follows the environment. */
enum { FOLLOW };
static TB_THREAD_LOCAL unsigned char strict; /* FOLLOW, or what was chosen and 1 */
static bool strict_default;

__attribute__((constructor)) static void read_environment(void)
{
    strict_default = tb__environment(TB_ENV_STRICT_INDICES, 0) == 1;
}

bool tb_strict_indices_get(void) { return strict == FOLLOW ? strict_default : strict - 1; }

bool tb_strict_indices_set(bool on)
{
    const bool before = tb_strict_indices_get();
    strict = (unsigned char)(on + 1);
    return before;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* op(index, bound), a node of truth values. */
static tb_status compare(tb_op op, tb_array *index, int64_t bound, tb_expr **out)
{
    tb_expr *in[2];
    TB_TRY(tb__node_input(index, TB_I64, index->ndim, index->dims, &in[0]));
    tb_status status = tb__node_scalar(tb_scalar_int(bound), TB_I64, &in[1]);
    if (status == TB_OK) return tb__node(op, 2, in, index->ndim, index->dims, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

/* Where index is none of -length to length - 1. */
static tb_status outside(tb_array *index, int64_t length, tb_array **out)
{
    tb_expr *in[2], *either;
    TB_TRY(compare(TB_OP_less, index, -length, &in[0]));
    tb_status status = compare(TB_OP_greater_equal, index, length, &in[1]);
    if (status != TB_OK) {
        tb__expr_release(in[0]);
        return status;
    }
    TB_TRY(tb__node(TB_OP_logical_or, 2, in, index->ndim, index->dims, 'C', &either));
    return tb__promise(either, out);
}

/* All of a reduced to one number, for which the host waits. */
static tb_status reduce(tb_reduction op, tb_array *a, void *number)
{
    tb_array *r = NULL;
    const tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = -1, .dtype = TB_NODTYPE};
    TB_TRY(tb__reduce(op, a, &args, NULL, &r));
    tb_status status = tb_array_get(r, number, NULL, NULL, true);
    tb_array_release(r);
    return status;
}

/* One of the indices that are outside, as NumPy says it. */
static tb_status fail_outside(tb_array *index, int axis, int64_t length)
{
    tb_array *wide;
    int64_t least, most;
    TB_TRY(tb__astype(index, TB_I64, 'K', TB_CAST_UNSAFE, false, &wide));
    tb_status status = reduce(TB_RED_MIN, wide, &least);
    if (status == TB_OK) status = reduce(TB_RED_MAX, wide, &most);
    tb_array_release(wide);
    TB_TRY(status);
    return tb__fail(TB_ERR_INDEX, "index %lld is out of bounds for axis %d with size %lld",
                    (long long)(most >= length ? most : least), axis, (long long)length);
}

tb_status tb__check_indices(tb_array *index, int axis, int64_t length)
{
    tb_array *bad;
    uint8_t any;
    if (index->size == 0) return TB_OK;
    TB_TRY(tb__buffer_eval(index->buffer)); /* it is read again */
    TB_TRY(outside(index, length, &bad));
    tb_status status = reduce(TB_RED_ANY, bad, &any);
    tb_array_release(bad);
    TB_TRY(status);
    return any ? fail_outside(index, axis, length) : TB_OK;
}
