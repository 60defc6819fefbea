/* reduce.c - reductions: their arguments, empty input, and compositions.
 *
 * A pending input is read by the reduction's own kernel (its prologue), so the input of sum(abs(a)**2) is never
 * written. Casts, nan replacement and truth tests are nodes on top of it (reduction.c). */
#include <math.h>

#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/half.h"
#include "base/lock.h"
#include "base/shape.h"
#include "ops/reduction.h"

/* A reduction under way. */
typedef struct job {
    tb_reduction op;
    const tb_reduction_rule *r;
    tb_array *a;
    const tb_reduce_args *args;
    tb_array *into; /* or NULL */
    tb_reduce_axes axes;
    tb_dtype result; /* dtype of the result */
} job;

static bool is_inexact(tb_dtype t) { return tb_dtype_kind(t) >= TB_KIND_FLOAT; }

/* ---- one kernel ----------------------------------------------------------------------------------------------- */

static tb_status fail_empty(const tb_reduction_rule *r)
{
    if (r->result == TB_RESULT_INDEX) return tb__fail(TB_ERR_VALUE, "attempt to get %s of an empty sequence", r->name);
    return tb__fail(TB_ERR_VALUE, "zero-size array to reduction operation %s which has no identity", r->name);
}

/* The result of reducing no elements, or of reducing to none. */
static tb_status fill_empty(const job *j, tb_array **out)
{
    if (j->axes.count > 0) return tb__empty(j->result, j->axes.out_ndim, j->axes.out_shape, 'C', out);
    tb_scalar value = tb_scalar_int(0);
    switch (j->r->empty) {
    case TB_EMPTY_FAILS: return fail_empty(j->r);
    case TB_EMPTY_ZERO: break;
    case TB_EMPTY_ONE: value.v.i = 1; break;
    case TB_EMPTY_ALL_BITS:
        value.v.i = -1;
        value.weak = false;
        break;
    case TB_EMPTY_NAN: value = tb_scalar_float(NAN); break;
    case TB_EMPTY_MINUS_INF: value = tb_scalar_float(-INFINITY); break;
    }
    if (tb_dtype_kind(j->result) == TB_KIND_COMPLEX && j->r->empty == TB_EMPTY_NAN)
        value = (tb_scalar){.dtype = TB_C128, .v.c = {NAN, NAN}};
    return tb__full(j->result, j->axes.out_ndim, j->axes.out_shape, 'C', value, out);
}

/* The caller's output array, if the kernel can store straight into it. */
static tb_array *direct_output(const job *j, tb_red loop)
{
    tb_array *out = j->into;
    bool usable = out && out->dtype == j->result && tb_red_table[loop].out == j->result && !j->args->has_initial;
    usable = usable && tb__array_is_distinct(out);
    return usable && out->buffer != j->a->buffer && !tb_may_share_memory(out, j->a) ? out : NULL;
}

static tb_status cast_to(tb_array *a, tb_dtype t, tb_array **out)
{
    if (a->dtype == t) {
        *out = a;
        return TB_OK;
    }
    tb_status status = tb__astype(a, t, 'K', TB_CAST_UNSAFE, false, out);
    tb_array_release(a);
    return status;
}

/* Whether the elements are in memory as the loop takes them; or need only be cast, which a line of them does without an
 * expression where there is one result. */
static bool is_stored_input(const job *j, tb_red loop, tb_loop *cast)
{
    const tb_dtype from = (tb_dtype)j->a->dtype, to = (tb_dtype)tb_red_table[loop].in;
    const bool keeps = j->r->nan == TB_NAN_KEEP || !is_inexact(from);
    if (j->a->buffer->expr || !keeps || tb__averages_integers(j->r, j->result)) return false;
    *cast = from == to ? TB_NOLOOP : tb__cast_loop(from, to);
    return from == to || (tb__backend->reduce_line && j->axes.out_size == 1);
}

static tb_status one_kernel(const job *j, tb_array **out)
{
    tb_red loop;
    tb_expr *e;
    TB_TRY(tb__reduction_loop(j->r, (tb_dtype)j->a->dtype, j->result, &loop));
    if (j->axes.count == 0 || j->axes.out_size == 0) return fill_empty(j, out);
    tb_array *into = direct_output(j, loop);
    /* The output's pending readers come first: the input may be one of them. */
    if (into) TB_TRY(tb__before_write(into->buffer));
    TB_TRY(tb__fit_prologue(j->a, TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    tb_loop cast;
    if (is_stored_input(j, loop, &cast)) {
        TB_TRY(tb__reduce_stored(loop, cast, 1, &j->a, &j->axes, (double)j->axes.count, into, out));
    } else {
        TB_TRY(tb__reduction_input(j->r, j->a, j->result, loop, &e));
        TB_TRY(tb__reduce_kernel(loop, e, &j->axes, (double)j->axes.count, into, out));
    }
    return cast_to(*out, j->result, out);
}

/* ---- compositions --------------------------------------------------------------------------------------------- */

/* x -> then(op(x, whole)) for the input cast to t. */
static tb_status beside_whole(const job *j, tb_dtype t, tb_array *whole, tb_op op, tb_op then, tb_expr **out)
{
    const int ndim = j->a->ndim;
    const int64_t *shape = j->a->dims;
    tb_expr *in[2], *e;
    TB_TRY(tb__node_input(j->a, t, ndim, shape, &in[0]));
    tb_status status = tb__node_input(whole, t, ndim, shape, &in[1]);
    if (status != TB_OK) {
        tb__expr_release(in[0]);
        return status;
    }
    TB_TRY(tb__node(op, 2, in, ndim, shape, 'K', &e));
    return tb__node(then, 1, &e, ndim, shape, 'K', out);
}

/* x -> |x - mean|^2, real; the imaginary parts count even where t is real. */
static tb_status squared_distance(const job *j, tb_dtype t, tb_array *mean, tb_expr **out)
{
    if (tb_dtype_kind((tb_dtype)j->a->dtype) == TB_KIND_COMPLEX) t = tb_promote(t, TB_C64);
    return beside_whole(j, t, mean, TB_OP_subtract, TB_OP_abs2, out);
}

/* float16 is accumulated in float32, as NumPy does, and bfloat16. */
static tb_dtype variance_dtype(tb_dtype result)
{
    return tb__is_half(result) ? TB_F32 : is_inexact(result) ? result : TB_F64;
}

/* Whether moments of double precision are found in one pass over the elements. Where the device is the host, two passes
 * take less time than what becomes of each element then. */
static bool takes_one_pass(const job *j)
{
    const tb_dtype t = (tb_dtype)j->a->dtype;
    const bool real = tb_dtype_kind(t) < TB_KIND_COMPLEX, narrow = t == TB_F32 || tb__is_half(t);
    return !tb__backend->on_host && real && (j->result == TB_F64 || (narrow && j->result == t));
}

static tb_red_op spread_fold(const job *j)
{
    const bool root = j->r->fold == TB_REDUCE_STD;
    if (j->result == TB_F64) return root ? TB_REDUCE_STD : TB_REDUCE_VAR;
    return root ? TB_REDUCE_STD_NARROW : TB_REDUCE_VAR_NARROW;
}

static double spread_divisor(const job *j)
{
    const double count = (double)j->axes.count - j->args->ddof;
    return count > 0 ? count : 0;
}

/* A fold of elements of dtype t, with its own result. */
static tb_status in_one_pass(const job *j, tb_red_op fold, tb_dtype t, tb_array **out)
{
    const tb_red loop = tb__red_find(fold, t);
    tb_expr *e;
    TB_TRY(tb__fit_prologue(j->a, TB_PROLOGUE_NODES, TB_PROLOGUE_LEAVES));
    if (!j->a->buffer->expr && j->a->dtype == t)
        return tb__reduce_stored(loop, TB_NOLOOP, 1, &j->a, &j->axes, spread_divisor(j), NULL, out);
    TB_TRY(tb__node_input(j->a, t, j->a->ndim, j->a->dims, &e));
    return tb__reduce_kernel(loop, e, &j->axes, spread_divisor(j), NULL, out);
}

/* The host goes over the elements twice, as for variances. */
static tb_status entropy(const job *j, tb_array **out)
{
    tb_red loop;
    TB_TRY(tb__reduction_loop(j->r, (tb_dtype)j->a->dtype, j->result, &loop));
    if (!tb__backend->on_host || j->axes.count == 0 || j->axes.out_size == 0) return one_kernel(j, out);
    const tb_dtype t = variance_dtype(j->result);
    tb_reduce_axes keep;
    tb_array *sum;
    tb_expr *e;
    TB_TRY(tb__reduce_axes(j->a->ndim, j->a->dims, j->args->naxis, j->args->axis, true, &keep));
    TB_TRY(tb__reduce_loop(TB_REDUCE_SUM, t, t, &loop));
    TB_TRY(tb__fit_prologue(j->a, TB_PROLOGUE_NODES / 2, TB_PROLOGUE_LEAVES / 2));
    TB_TRY(tb__node_input(j->a, t, j->a->ndim, j->a->dims, &e));
    TB_TRY(tb__reduce_kernel(loop, e, &keep, 1, NULL, &sum));
    tb_status status = beside_whole(j, t, sum, TB_OP_divide, TB_OP_special_entr, &e);
    tb_array_release(sum);
    if (status == TB_OK) status = tb__reduce_kernel(loop, e, &j->axes, 1, NULL, out);
    return status == TB_OK ? cast_to(*out, j->result, out) : status;
}

/* The mean, with the axes, is the caller's too. */
static tb_status variance(const job *j, tb_array **mean, tb_array **out)
{
    tb_dtype t = variance_dtype(j->result);
    tb_red mean_loop, loop;
    tb_reduce_axes keep;
    tb_expr *e;
    TB_TRY(tb__reduce_axes(j->a->ndim, j->a->dims, j->args->naxis, j->args->axis, true, &keep));
    TB_TRY(tb__reduce_loop(TB_REDUCE_MEAN, t, t, &mean_loop));
    TB_TRY(tb__reduce_loop(TB_REDUCE_MEAN, tb_dtype_real(t), tb_dtype_real(t), &loop));
    TB_TRY(tb__fit_prologue(j->a, TB_PROLOGUE_NODES / 2, TB_PROLOGUE_LEAVES / 2));
    TB_TRY(tb__node_input(j->a, t, j->a->ndim, j->a->dims, &e));
    TB_TRY(tb__reduce_kernel(mean_loop, e, &keep, (double)keep.count, NULL, mean));
    tb_status status = squared_distance(j, t, *mean, &e);
    if (status == TB_OK) status = tb__reduce_kernel(loop, e, &j->axes, spread_divisor(j), NULL, out);
    if (status != TB_OK) tb_array_release(*mean);
    return status;
}

/* out = op(x, y), both stolen; y NULL: op(x, s). */
static tb_status apply(tb_op op, tb_array *x, tb_array *y, tb_scalar s, tb_array **out)
{
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = x}, y ? tb_operand_array(y) : tb_operand_scalar(s)};
    tb_array *result = NULL;
    tb_status status = tb_ufunc_call(&tb_op_table[op], in, &result, NULL);
    tb_array_release(x);
    tb_array_release(y);
    if (status == TB_OK) *out = result;
    return status;
}

/* Variances are real, but come in the dtype that was asked for. */
static tb_dtype variance_result(const job *j)
{
    return j->args->dtype != TB_NODTYPE ? j->result : tb_dtype_real(j->result);
}

static tb_status deviation(const job *j, tb_array **out)
{
    if (j->axes.count == 0 || j->axes.out_size == 0) {
        job empty = *j;
        empty.result = variance_result(j);
        return fill_empty(&empty, out);
    }
    if (takes_one_pass(j)) {
        TB_TRY(in_one_pass(j, spread_fold(j), TB_F64, out));
        return cast_to(*out, variance_result(j), out);
    }
    tb_array *mean;
    TB_TRY(variance(j, &mean, out));
    tb_array_release(mean);
    if (j->r->fold == TB_REDUCE_STD) TB_TRY(apply(TB_OP_sqrt, *out, NULL, tb_scalar_int(0), out));
    return cast_to(*out, variance_result(j), out);
}

static tb_status peak_to_peak(const job *j, tb_array **out)
{
    const tb_kind kind = tb_dtype_kind(j->result);
    if (j->axes.count > 0 && (kind == TB_KIND_INT || kind == TB_KIND_FLOAT)) return one_kernel(j, out);
    tb_array *high, *low;
    TB_TRY(tb__reduce(TB_RED_MAX, j->a, j->args, NULL, &high));
    tb_status status = tb__reduce(TB_RED_MIN, j->a, j->args, NULL, &low);
    if (status == TB_OK) return apply(TB_OP_subtract, high, low, tb_scalar_int(0), out);
    tb_array_release(high);
    return status;
}

/* The position is -1 where every element is NaN, as in CuPy: the test stops at the first one that is a number. */
static tb_status position_of_number(const job *j, tb_array **out)
{
    tb_reduce_args args = *j->args;
    tb_array *test, *nothing, *place;
    const tb_operand a = tb_operand_array(j->a);
    args.dtype = TB_NODTYPE;
    TB_TRY(tb_ufunc_call(&tb_op_table[TB_OP_isnan], &a, &test, NULL));
    tb_status status = tb__reduce(TB_RED_ALL, test, &args, NULL, &nothing);
    tb_array_release(test);
    TB_TRY(status);
    status = one_kernel(j, &place);
    if (status == TB_OK) {
        const tb_operand missing = tb_operand_array(nothing), none = tb_operand_int(-1),
                         found = tb_operand_array(place);
        status = tb_where(&missing, &none, &found, out);
        tb_array_release(place);
    }
    tb_array_release(nothing);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static tb_status check_initial(const job *j)
{
    const tb_scalar *initial = &j->args->initial;
    tb_kind from = tb_dtype_kind(initial->dtype), to = tb_dtype_kind(j->result);
    if (j->r->initial == TB_OP_none) return tb__fail(TB_ERR_TYPE, "%s takes no initial value", j->r->name);
    if (from == TB_KIND_COMPLEX && to < TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "%s: initial is complex, but the result is %s", j->r->name,
                        tb_dtype_name(j->result));
    if (from == TB_KIND_FLOAT && to == TB_KIND_INT && !isfinite(initial->v.f))
        return tb__fail(TB_ERR_VALUE, "%s: initial is %g, which %s cannot hold", j->r->name, initial->v.f,
                        tb_dtype_name(j->result));
    return TB_OK;
}

/* Results are converted to out's dtype whatever it is. The exceptions are NumPy's: positions go where their dtype can
 * be read back, and a difference of two extremes or a root has been through an elementwise function. */
static tb_status check_out(const job *j)
{
    const tb_array *out = j->into;
    bool spread = j->r->result == TB_RESULT_SPREAD;
    bool strict = j->op == TB_RED_PTP || j->op == TB_RED_STD;
    tb_casting casting = strict ? TB_CAST_SAME_KIND : TB_CAST_UNSAFE;
    if (j->r->result == TB_RESULT_INDEX && !tb_can_cast((tb_dtype)out->dtype, TB_I64, TB_CAST_SAFE))
        return tb__fail(TB_ERR_TYPE, "%s: out must have an integer dtype that int64 holds, not %s", j->r->name,
                        tb_dtype_name((tb_dtype)out->dtype));
    return tb__check_out(j->r->name, out, spread ? variance_result(j) : j->result, casting, j->axes.out_ndim,
                         j->axes.out_shape);
}

/* What a reduction's axes must be beyond being there: positions are along one axis, and NumPy's means, unlike its sums,
 * do not let a 0-d array have an axis. */
static tb_status check_axes(const job *j)
{
    const tb_reduce_args *args = j->args;
    int axis;
    if (j->r->result == TB_RESULT_INDEX && args->naxis >= 0 && args->naxis != 1)
        return tb__fail(TB_ERR_TYPE, "%s: axis must be one integer or None, got %d axes", j->r->name, args->naxis);
    const bool mean = j->r->result == TB_RESULT_MEAN || j->r->result == TB_RESULT_SPREAD;
    if (mean && j->a->ndim == 0 && args->naxis > 0) return tb__axis(args->axis[0], 0, &axis);
    return TB_OK;
}

static tb_status check(const job *j)
{
    const tb_reduce_args *args = j->args;
    if (args->has_initial) TB_TRY(check_initial(j));
    return j->into ? check_out(j) : TB_OK;
}

static tb_status compute(const job *j, tb_array **out)
{
    if (j->op == TB_RED_PTP) return peak_to_peak(j, out);
    if (j->r->result == TB_RESULT_SPREAD) return deviation(j, out);
    if (j->op == TB_RED_ENTROPY) return entropy(j, out);
    if (j->r->result == TB_RESULT_INDEX && j->r->nan != TB_NAN_KEEP && is_inexact((tb_dtype)j->a->dtype))
        return position_of_number(j, out);
    if (!j->args->has_initial) return one_kernel(j, out);
    tb_scalar initial;
    TB_TRY(tb_scalar_cast(j->args->initial, j->result, &initial));
    if (j->axes.count == 0) return tb__full(j->result, j->axes.out_ndim, j->axes.out_shape, 'C', initial, out);
    TB_TRY(one_kernel(j, out));
    return apply(j->r->initial, *out, NULL, initial, out);
}

tb_status tb__reduce(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array *into, tb_array **out)
{
    job j; /* not cleared as a whole: shapes are large */
    tb_array *result;
    j.a = a;
    j.args = args;
    j.into = into;
    j.op = op;
    j.r = &tb_reduction_table[op];
    TB_ARE_NUMBERS(j.r->name, a->dtype);
    if (into) TB_ARE_NUMBERS(j.r->name, into->dtype);
    j.result = tb__reduction_dtype(j.r, (tb_dtype)a->dtype, args->dtype, into);
    TB_TRY(check_axes(&j));
    TB_TRY(tb__reduce_axes(a->ndim, a->dims, args->naxis, args->axis, args->keepdims, &j.axes));
    TB_TRY(check(&j));
    TB_TRY(compute(&j, &result));
    return tb__deliver(result, into, out);
}

tb_status tb_reduce(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_IS_CHOICE(op, TB_RED_COUNT);
    TB_WHOLE_ARGS(tb_reduce_args, args, TB_REDUCE_ARGS_INIT);
    TB_IS_DTYPE_OR_NONE(args->dtype);
    return TB__OPERATION(tb__reduce(op, a, args, NULL, out));
}

tb_status tb_reduce_into(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array *into)
{
    TB_NOT_NULL(a, into);
    TB_IS_CHOICE(op, TB_RED_COUNT);
    TB_WHOLE_ARGS(tb_reduce_args, args, TB_REDUCE_ARGS_INIT);
    TB_IS_DTYPE_OR_NONE(args->dtype);
    return TB__OPERATION(tb__reduce(op, a, args, into, NULL));
}

/* ---- mean and variance ------------------------------------------------------------------------------------------ */

/* Views of one array of pairs, cast to the result's dtype. */
static tb_status both_in_one_pass(const job *j, tb_array **mean, tb_array **var)
{
    tb_array *pairs;
    TB_TRY(in_one_pass(j, TB_REDUCE_MEAN_VAR, TB_F64, &pairs));
    tb_status status = tb__real_imag(pairs, false, mean);
    if (status == TB_OK) status = cast_to(*mean, j->result, mean);
    if (status == TB_OK) {
        status = tb__real_imag(pairs, true, var);
        if (status == TB_OK) status = cast_to(*var, j->result, var);
        if (status != TB_OK) tb_array_release(*mean);
    }
    tb_array_release(pairs);
    return status;
}

static tb_status both_in_two_passes(const job *j, tb_array **mean, tb_array **var)
{
    tb_array *kept, *shaped = NULL;
    bool copied = false;
    TB_TRY(variance(j, &kept, var));
    tb_status status = tb__reshape(kept, j->axes.out_ndim, j->axes.out_shape, 'C', &copied, &shaped);
    tb_array_release(kept);
    if (status == TB_OK) status = cast_to(shaped, j->result, mean);
    if (status == TB_OK) {
        status = cast_to(*var, tb_dtype_real(j->result), var);
        if (status != TB_OK) tb_array_release(*mean);
    } else {
        tb_array_release(*var);
    }
    return status;
}

static tb_status begin_moments(const char *name, tb_array *a, const tb_reduce_args *args, job *j)
{
    j->a = a;
    j->args = args;
    j->into = NULL;
    j->op = TB_RED_VAR;
    j->r = &tb_reduction_table[TB_RED_VAR];
    TB_ARE_NUMBERS(name, a->dtype);
    if (args->has_initial || args->dtype != TB_NODTYPE)
        return tb__fail(TB_ERR_VALUE, "%s: there is no initial value, and no other dtype", name);
    j->result = tb__reduction_dtype(j->r, (tb_dtype)a->dtype, TB_NODTYPE, NULL);
    TB_TRY(check_axes(j));
    return tb__reduce_axes(a->ndim, a->dims, args->naxis, args->axis, args->keepdims, &j->axes);
}

static tb_status mean_var(tb_array *a, const tb_reduce_args *args, tb_array **mean, tb_array **var)
{
    job j;
    TB_TRY(begin_moments("mean_var", a, args, &j));
    if (j.axes.count > 0 && j.axes.out_size > 0)
        return takes_one_pass(&j) ? both_in_one_pass(&j, mean, var) : both_in_two_passes(&j, mean, var);
    job real = j;
    real.result = tb_dtype_real(j.result);
    TB_TRY(fill_empty(&j, mean));
    const tb_status status = fill_empty(&real, var);
    if (status != TB_OK) tb_array_release(*mean);
    return status;
}

tb_status tb_mean_var(tb_array *a, const tb_reduce_args *args, tb_array **mean, tb_array **var)
{
    tb_array *both[2];
    TB_NOT_NULL(a, mean, var);
    TB_WHOLE_ARGS(tb_reduce_args, args, TB_REDUCE_ARGS_INIT);
    TB_TRY(TB__OPERATION(mean_var(a, args, &both[0], &both[1])));
    *mean = both[0];
    *var = both[1];
    return TB_OK;
}

/* ---- standard scores --------------------------------------------------------------------------------------------- */

static tb_status known_scale(tb_array *mean, tb_array *var, tb_array **scale)
{
    const tb_dtype t = (tb_dtype)var->dtype;
    const double epsilon = t == TB_F16 ? 0x1p-10 : t == TB_BF16 ? 0x1p-7 : t == TB_F32 ? 0x1p-23 : 0x1p-52;
    tb_array *deviation, *size, *least, *same;
    tb_operand in[3] = {tb_operand_array(var)};
    TB_TRY(tb_ufunc_call(&tb_op_table[TB_OP_sqrt], in, &deviation, NULL));
    in[0] = tb_operand_array(mean);
    tb_status status = tb_ufunc_call(&tb_op_table[TB_OP_absolute], in, &size, NULL);
    if (status == TB_OK) status = apply(TB_OP_multiply, size, NULL, tb_scalar_float(epsilon), &least);
    if (status == TB_OK) {
        in[0] = tb_operand_array(deviation), in[1] = tb_operand_array(least);
        status = tb_ufunc_call(&tb_op_table[TB_OP_less_equal], in, &same, NULL);
        tb_array_release(least);
    }
    if (status == TB_OK) {
        in[0] = tb_operand_array(same), in[1] = tb_operand_float(NAN), in[2] = tb_operand_array(deviation);
        status = tb_where(&in[0], &in[1], &in[2], scale);
        tb_array_release(same);
    }
    tb_array_release(deviation);
    return status;
}

/* Of samples that there are, as views of one array of pairs where they are found in one pass. */
static tb_status mean_and_scale(const job *j, tb_array **mean, tb_array **scale)
{
    tb_array *both = NULL;
    tb_status status;
    if (takes_one_pass(j) && !tb__is_half(j->result)) {
        TB_TRY(in_one_pass(j, j->result == TB_F64 ? TB_REDUCE_MEAN_SCALE : TB_REDUCE_MEAN_SCALE_NARROW, TB_F64, &both));
        status = tb__real_imag(both, false, mean);
        if (status == TB_OK) {
            status = tb__real_imag(both, true, scale);
            if (status != TB_OK) tb_array_release(*mean);
        }
    } else {
        TB_TRY(takes_one_pass(j) ? both_in_one_pass(j, mean, &both) : both_in_two_passes(j, mean, &both));
        status = known_scale(*mean, both, scale);
        if (status != TB_OK) tb_array_release(*mean);
    }
    tb_array_release(both);
    return status;
}

static tb_status standardize(tb_array *a, const tb_reduce_args *args, tb_array **out)
{
    job j;
    tb_reduce_args keep = *args;
    tb_array *mean, *scale, *apart;
    keep.keepdims = true;
    TB_TRY(begin_moments("standardize", a, &keep, &j));
    if (tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "standardize: complex numbers have no standard scores");
    if (a->size == 0) return tb__empty(j.result, a->ndim, a->dims, 'C', out);
    TB_TRY(mean_and_scale(&j, &mean, &scale));
    const tb_operand in[] = {tb_operand_array(a), tb_operand_array(mean)};
    tb_status status = tb_ufunc_call(&tb_op_table[TB_OP_subtract], in, &apart, NULL);
    tb_array_release(mean);
    if (status == TB_OK) return apply(TB_OP_divide, apart, scale, tb_scalar_int(0), out);
    tb_array_release(scale);
    return status;
}

tb_status tb_standardize(tb_array *a, const tb_reduce_args *args, tb_array **out)
{
    TB_NOT_NULL(a, out);
    TB_WHOLE_ARGS(tb_reduce_args, args, TB_REDUCE_ARGS_INIT);
    return TB__OPERATION(standardize(a, args, out));
}

/* ---- the least and the greatest ---------------------------------------------------------------------------------- */

static tb_status pair_of_extremes(tb_array *a, const tb_reduce_args *args, tb_array **pairs)
{
    job j;
    j.a = a;
    j.args = args;
    TB_TRY(tb__reduce_axes(a->ndim, a->dims, args->naxis, args->axis, args->keepdims, &j.axes));
    *pairs = NULL;
    if (j.axes.count == 0 || j.axes.out_size == 0 || tb_dtype_kind((tb_dtype)a->dtype) == TB_KIND_COMPLEX) return TB_OK;
    return in_one_pass(&j, TB_REDUCE_MIN_MAX, (tb_dtype)a->dtype, pairs);
}

static tb_status min_max(tb_array *a, const tb_reduce_args *args, tb_array **least, tb_array **most)
{
    tb_array *pairs;
    TB_ARE_NUMBERS("min_max", a->dtype);
    const tb_dtype t = (tb_dtype)a->dtype;
    TB_TRY(pair_of_extremes(a, args, &pairs));
    tb_status status;
    if (pairs) {
        const int64_t size = (int64_t)tb_dtype_size(t);
        status = tb__view(pairs, pairs->offset, t, pairs->ndim, pairs->dims, pairs->strides, least);
        if (status == TB_OK) {
            status = tb__view(pairs, pairs->offset + size, t, pairs->ndim, pairs->dims, pairs->strides, most);
            if (status != TB_OK) tb_array_release(*least);
        }
        tb_array_release(pairs);
        return status;
    }
    TB_TRY(tb__reduce(TB_RED_MIN, a, args, NULL, least));
    status = tb__reduce(TB_RED_MAX, a, args, NULL, most);
    if (status != TB_OK) tb_array_release(*least);
    return status;
}

tb_status tb_min_max(tb_array *a, const tb_reduce_args *args, tb_array **least, tb_array **most)
{
    tb_array *both[2];
    TB_NOT_NULL(a, least, most);
    TB_WHOLE_ARGS(tb_reduce_args, args, TB_REDUCE_ARGS_INIT);
    if (args->has_initial || args->dtype != TB_NODTYPE)
        return tb__fail(TB_ERR_VALUE, "min_max: there is no initial value, and no other dtype");
    TB_TRY(TB__OPERATION(min_max(a, args, &both[0], &both[1])));
    *least = both[0];
    *most = both[1];
    return TB_OK;
}
