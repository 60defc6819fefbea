/* fault_programs.c - what programs do, a step at a time; see fault_programs.h. */
#include "fault_programs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define LONGS(...) (int64_t[]){__VA_ARGS__}
#define N fault_n
#define A s->a

int64_t fault_n = 40;

/* ---- words of the programs ------------------------------------------------------------------------------------ */

static tb_status range(tb_dtype t, tb_array **out) { return tb_arange(t, tb_scalar_int(1), tb_scalar_int(1), N, out); }

/* To the array at *out, if there is one. */
static tb_status apply(const char *name, const tb_operand *in, tb_array **out)
{
    const tb_ufunc *u = tb_ufunc_find(name);
    return *out ? tb_ufunc_into(u, in, out, NULL, NULL) : tb_ufunc_call(u, in, out, NULL);
}

static tb_status call(const char *name, tb_array *a, tb_array *b, tb_array **out)
{
    return apply(name, (tb_operand[]){{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_ARRAY, .array = b}}, out);
}

static tb_status call_number(const char *name, tb_array *a, double number, tb_array **out)
{
    return apply(name,
                 (tb_operand[]){{TB_OPERAND_ARRAY, .array = a}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_float(number)}},
                 out);
}

/* *x = name(*x, number), as Python's names are bound again. */
static tb_status rebind(tb_array **x, const char *name, double number)
{
    tb_array *out = NULL;
    tb_status status = call_number(name, *x, number, &out);
    if (status != TB_OK) return status;
    tb_array_release(*x);
    *x = out;
    return TB_OK;
}

static tb_status in_place(const char *name, tb_array *x, double number) { return call_number(name, x, number, &x); }

static tb_status drop(tb_array **x)
{
    tb_array_release(*x);
    *x = NULL;
    return TB_OK;
}

static tb_status slice(tb_array *x, int64_t start, int64_t step, tb_array **out)
{
    tb_index i = {.kind = TB_INDEX_SLICE, .start = start, .has_start = start != 0, .step = step};
    return tb_array_index(x, 1, &i, out);
}

static tb_status matrix(tb_array *x, tb_array **out) { return tb_reshape(x, 2, LONGS(4, N / 4), 'C', NULL, out); }

static tb_status reduce(tb_reduction op, tb_array *x, int axis, tb_array **out)
{
    tb_reduce_args args = {sizeof(tb_reduce_args), .naxis = axis < 0 ? -1 : 1, .axis = {axis}, .dtype = TB_NODTYPE};
    return *out ? tb_reduce_into(op, x, &args, *out) : tb_reduce(op, x, &args, out);
}

static tb_status scan(tb_reduction op, tb_array *x, int axis, tb_array **out)
{
    return *out ? tb_scan_into(op, x, axis, TB_NODTYPE, *out) : tb_scan(op, x, axis, TB_NODTYPE, out);
}

static tb_status multiply(tb_array *x, tb_array *y, tb_array **out)
{
    return *out ? tb_matmul_into(x, y, *out) : tb_matmul(x, y, out);
}

/* ---- elementwise ---------------------------------------------------------------------------------------------- */

static int live_chain(int step, slots *s)
{
    if (step == 0) return range(TB_F64, &A[0]);
    if (step < 13) {
        tb_array *half = NULL;
        tb_status status = call_number("multiply", A[step - 1], 0.5, &half);
        if (status == TB_OK) status = call_number("add", half, 1, &A[step]);
        tb_array_release(half);
        return status;
    }
    if (step < 15) return tb_array_eval(A[step == 13 ? 12 : 3]);
    return LAST;
}

static int donations(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_array_eval(A[0]);
    case 2: return rebind(&A[0], "multiply", 0.5);
    case 3: return rebind(&A[0], "add", 1);
    case 4: return tb_array_eval(A[0]);
    case 5: return call_number("add", A[0], 3, &A[1]);
    case 6: return call_number("add", A[1], 4, &A[2]);
    case 7: return drop(&A[0]);
    case 8: return tb_array_eval(A[2]);
    case 9: return rebind(&A[1], "multiply", 2);
    case 10: return tb_array_eval(A[1]);
    default: return LAST;
    }
}

static int shared_parts(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F32, &A[0]);
    case 1: return call_number("subtract", A[0], 9, &A[1]);
    case 2: return call("absolute", A[1], NULL, &A[2]);
    case 3: return call("multiply", A[2], A[2], &A[3]);
    case 4: return call("add", A[3], A[1], &A[4]);
    case 5: return call("maximum", A[3], A[2], &A[5]);
    case 6: return drop(&A[2]);
    case 7: return drop(&A[0]);
    case 8: return tb_array_eval(A[4]);
    case 9: return call("subtract", A[5], A[4], &A[6]);
    case 10: return drop(&A[3]);
    case 11: return tb_array_eval(A[6]);
    default: return LAST;
    }
}

static int deep(int step, slots *s)
{
    if (step == 0) return range(TB_I64, &A[0]);
    if (step == 1) return tb_astype(A[0], TB_F64, 'K', TB_CAST_SAFE, true, &A[1]);
    if (step < 150) return rebind(&A[1], step % 3 ? "add" : "multiply", step % 3 ? step : 0.5);
    return LAST;
}

static int casts(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_I16, &A[0]);
    case 1: return tb_astype(A[0], TB_F16, 'K', TB_CAST_UNSAFE, true, &A[1]);
    case 2: return tb_astype(A[0], TB_C64, 'K', TB_CAST_UNSAFE, true, &A[2]);
    case 3: return tb_real_imag(A[2], true, &A[3]);
    case 4: return tb_assign(A[3], A[1], TB_CAST_SAME_KIND);
    case 5: return call("multiply", A[2], A[1], &A[4]);
    case 6: return tb_astype(A[1], TB_BOOL, 'K', TB_CAST_UNSAFE, true, &A[5]);
    case 7: return tb_assign(A[0], A[1], TB_CAST_UNSAFE);
    case 8: return tb_copy(A[3], 'C', &A[6]);
    case 9: return call("add", A[5], A[0], &A[7]);
    default: return LAST;
    }
}

static int outputs(int step, slots *s)
{
    tb_operand in[3] = {{TB_OPERAND_ARRAY, .array = A[0]}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(4)}};
    tb_ufunc_args masked = {sizeof(tb_ufunc_args), .dtype = TB_NODTYPE, .casting = TB_CAST_SAME_KIND, .order = 'K',
                            .where = A[3]};
    tb_array *made[2] = {NULL, NULL};
    tb_status status;
    switch (step) {
    case 0: return range(TB_I64, &A[0]);
    case 1:
        status = tb_ufunc_call(tb_ufunc_find("divmod"), in, made, NULL);
        if (status != TB_OK) return status;
        A[1] = made[0], A[2] = made[1];
        return TB_OK;
    case 2: return call_number("greater", A[0], 7, &A[3]);
    case 3: return tb_full(TB_I64, 1, LONGS(N), 'C', tb_scalar_int(-1), &A[4]);
    case 4: return tb_ufunc_into(tb_ufunc_find("add"), in, &A[4], NULL, &masked);
    case 5: return tb_where(&(tb_operand){TB_OPERAND_ARRAY, .array = A[3]}, &in[0], &in[1], &A[5]);
    case 6: return tb_ufunc_into(tb_ufunc_find("divmod"), in, &A[4], NULL, NULL);
    default: return LAST;
    }
}

static int made_of_nothing(int step, slots *s)
{
    switch (step) {
    case 0: return tb_full(TB_F32, 2, LONGS(4, N / 4), 'F', tb_scalar_int(3), &A[0]);
    case 1: return tb_eye(TB_F64, 4, N / 4, 1, 'C', &A[1]);
    case 2: return tb_linspace(TB_F64, tb_scalar_int(0), tb_scalar_int(1), N / 4, true, &A[2]);
    case 3: return call("multiply", A[1], A[2], &A[3]);
    case 4: return call("add", A[3], A[0], &A[4]);
    case 5: return tb_tri(TB_I8, 4, N / 4, 0, &A[5]);
    case 6: return tb_assign_scalar(A[0], tb_scalar_int(8));
    case 7: return call("add", A[5], A[0], &A[6]);
    default: return LAST;
    }
}

static int random_numbers(int step, slots *s)
{
    switch (step) {
    case 0: return tb_random(&s->rng, TB_RAND_UNIFORM, TB_F64, tb_scalar_int(0), tb_scalar_int(1), 1, LONGS(N), &A[0]);
    case 1: return tb_random(&s->rng, TB_RAND_NORMAL, TB_F32, tb_scalar_int(0), tb_scalar_int(1), 1, LONGS(N), &A[1]);
    case 2: return call("add", A[0], A[1], &A[2]);
    case 3: return tb_random(&s->rng, TB_RAND_INTEGERS, TB_I32, tb_scalar_int(0), tb_scalar_int(9), 1, LONGS(N), &A[3]);
    case 4: return reduce(TB_RED_SUM, A[3], -1, &A[4]);
    case 5: return call("multiply", A[3], A[4], &A[5]);
    default: return LAST;
    }
}

/* ---- writes --------------------------------------------------------------------------------------------------- */

static int writes(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_array_eval(A[0]);
    case 2: return slice(A[0], 1, 2, &A[1]);
    case 3: return call_number("multiply", A[0], 2, &A[2]);
    case 4: return in_place("add", A[1], 100);
    case 5: return in_place("multiply", A[0], 0.5);
    case 6: return call_number("add", A[1], 1, &A[3]);
    case 7: return in_place("subtract", A[1], 7);
    case 8: return tb_assign(A[1], A[3], TB_CAST_SAME_KIND);
    case 9: return tb_assign_scalar(A[1], tb_scalar_int(5));
    case 10: return drop(&A[2]);
    case 11: return in_place("add", A[0], 1);
    default: return LAST;
    }
}

static int overlaps(int step, slots *s)
{
    tb_index head = {.kind = TB_INDEX_SLICE, .stop = -1, .has_stop = true, .step = 1};
    switch (step) {
    case 0: return range(TB_F32, &A[0]);
    case 1: return slice(A[0], 1, 1, &A[1]);
    case 2: return tb_array_index(A[0], 1, &head, &A[2]);
    case 3: return slice(A[0], 0, -1, &A[3]);
    case 4: return tb_assign(A[1], A[2], TB_CAST_SAME_KIND);
    case 5: return call("add", A[0], A[3], &A[0]);
    case 6: return call("add", A[1], A[2], &A[1]);
    case 7: return tb_assign(A[0], A[3], TB_CAST_SAME_KIND);
    default: return LAST;
    }
}

/* Promises that are part of a write, and readers of the old elements. */
static int joined(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_array_eval(A[0]);
    case 2: return call_number("multiply", A[0], 0.5, &A[1]);
    case 3: return call("subtract", A[0], A[1], &A[0]);
    case 4: return call_number("add", A[1], 1, &A[2]);
    case 5: return slice(A[0], 0, -1, &A[3]);
    case 6: return call_number("multiply", A[3], 3, &A[4]);
    case 7: return in_place("add", A[0], 1);
    case 8: return call("add", A[0], A[4], &A[0]);
    case 9: return call("add", A[4], A[2], &A[5]);
    case 10: return call("maximum", A[3], A[5], &A[3]);
    default: return LAST;
    }
}

static int many_writes(int step, slots *s)
{
    switch (step) {
    case 0: return tb_empty(TB_F64, 2, LONGS(2, N), 'C', &A[0]);
    case 1: return tb_assign_scalar(A[0], tb_scalar_int(2));
    case 2: return range(TB_F64, &A[1]);
    case 3: return call_number("add", A[1], 3, &A[2]);
    case 4: return tb_array_index(A[0], 1, &(tb_index){.kind = TB_INDEX_INT, .start = 0}, &A[3]);
    case 5: return tb_array_index(A[0], 1, &(tb_index){.kind = TB_INDEX_INT, .start = 1}, &A[4]);
    case 6: return tb_assign_all(2, (tb_array *[]){A[3], A[4]}, (tb_array *[]){A[1], A[2]}, TB_CAST_SAME_KIND);
    case 7: return call("multiply", A[3], A[4], &A[5]);
    default: return LAST;
    }
}

/* What was deferred meets what is not. */
static int at_once(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_array_eval(A[0]);
    case 2: return in_place("add", A[0], 1);
    case 3: return call_number("multiply", A[0], 2, &A[1]);
    case 4: tb_fusion_set(TB_FUSION_OFF); return TB_OK;
    case 5: return in_place("add", A[0], 1);
    case 6: return call("add", A[1], A[0], &A[1]);
    case 7: return tb_assign(A[0], A[1], TB_CAST_SAME_KIND);
    case 8: tb_fusion_set(TB_FUSION_ALL); return TB_OK;
    case 9: return in_place("multiply", A[1], 3);
    case 10: return call("subtract", A[0], A[1], &A[2]);
    case 11: return in_place("add", A[2], 1);
    case 12: tb_fusion_set(TB_FUSION_OFF); return TB_OK;
    case 13: return tb_assign_scalar(A[1], tb_scalar_int(7));
    case 14: return in_place("add", A[2], 1);
    default: return LAST;
    }
}

/* Memory that others look at without asking. */
static int shared_memory(int step, slots *s)
{
    void *p;
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return call_number("add", A[0], 1, &A[1]);
    case 2: return tb_array_share(A[0], &p);
    case 3: return in_place("multiply", A[0], 2);
    case 4: return call("add", A[0], A[1], &A[2]);
    case 5: return tb_array_data(A[2], &p);
    case 6: tb_array_unshare(A[0]); return TB_OK;
    case 7: return in_place("add", A[2], 2);
    default: return LAST;
    }
}

/* ---- reductions, indexing ------------------------------------------------------------------------------------- */

static int reductions(int step, slots *s)
{
    static const tb_reduction ops[] = {TB_RED_SUM,    TB_RED_MAX, TB_RED_MEAN,   TB_RED_VAR,
                                       TB_RED_ARGMIN, TB_RED_PTP, TB_RED_NANSUM, TB_RED_ANY};
    switch (step) {
    case 0: return range(TB_F32, &A[0]);
    case 1: return matrix(A[0], &A[1]);
    case 2: return call_number("subtract", A[1], 9, &A[2]);
    case 3: return call("multiply", A[2], A[1], &A[3]);
    default: break;
    }
    if (step < 12) return reduce(ops[step - 4], step % 2 ? A[3] : A[2], step % 3 - 1, &A[step]);
    switch (step) {
    case 12: return reduce(TB_RED_SUM, A[3], 0, &A[4]); /* into what is there */
    case 13: return call("multiply", A[4], A[3], &A[12]);
    case 14: return reduce(TB_RED_SUM, A[0], -1, &A[13]);
    default: return LAST;
    }
}

static int scans(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return matrix(A[0], &A[1]);
    case 2: return call_number("add", A[1], 0.5, &A[2]);
    case 3: return scan(TB_RED_SUM, A[2], 0, &A[3]);
    case 4: return scan(TB_RED_MAX, A[2], 1, &A[4]);
    case 5: return scan(TB_RED_SUM, A[1], TB_ALL_AXES, &A[5]);
    case 6: return scan(TB_RED_SUM, A[0], 0, &A[5]);
    case 7: return tb_arange(TB_I64, tb_scalar_int(0), tb_scalar_int(2), 2, &A[6]);
    case 8: return tb_reduceat(TB_RED_SUM, A[2], A[6], 0, TB_NODTYPE, &A[7]);
    case 9: return tb_searchsorted(A[0], A[2], false, &A[8]);
    case 10: return tb_searchsorted(A[0], A[6], true, &A[9]);
    case 11: return tb_order_statistics(A[2], 2, (int64_t[]){1, -1}, 0, &A[10]);
    case 12: return tb_argpartition(A[0], 1, (int64_t[]){3}, 0, &A[11]);
    case 13: return tb_partition_into(A[0], 1, (int64_t[]){2}, 0, A[0]);
    case 14: return tb_bincount(A[6], NULL, 0, &A[12]);
    case 15: return tb_convolve(A[0], A[6], TB_OVERLAP_FULL, &A[13]);
    case 16: return tb_lexsort(2, (tb_array *[]){A[2], A[4]}, 0, &A[14]);
    case 17: return tb_interp(A[2], A[0], A[0], NULL, NULL, &A[15]);
    case 18: {
        const tb_filter filter = {1, 1, false, (const double[]){1, 2}, (const double[]){1, 0.5}};
        return tb_recurrence(A[2], 0, TB_F64, &filter, false, NULL, &A[16], &A[17]);
    }
    case 19: return tb_label(A[2], (bool[9]){[1] = true, [7] = true}, &A[18], &(int64_t){0});
    case 20: return tb_label_boxes(A[18], 3, &A[19]);
    case 21: return tb_distance_transform(A[2], (double[2]){1, 1}, TB_F32, &A[20], &A[21]);
    case 22: return tb_spline_at(A[2], 3, TB_SPLINE_AT_REFLECT, 0, 0, 1, &A[0], &A[22]);
    case 23: return tb_entropy(A[2], 0, &A[23]);
    case 24: return tb_standardize(A[2], NULL, &A[24]);
    case 25: return call("add", A[24], A[23], &A[25]);
    default: return LAST;
    }
}

static tb_index at(tb_array *i) { return (tb_index){.kind = TB_INDEX_ARRAY, .array = i}; }

static int gathers(int step, slots *s)
{
    tb_index key = at(A[2]);
    tb_array *m[] = {A[0]};
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_arange(TB_I64, tb_scalar_int(0), tb_scalar_int(1), N / 2, &A[1]);
    case 2: return call_number("multiply", A[1], 2, &A[3]);
    case 3: return tb_astype(A[3], TB_I64, 'K', TB_CAST_UNSAFE, true, &A[2]);
    case 4: return tb_array_index(A[0], 1, &key, &A[4]);
    case 5: return call_number("add", A[4], 1, &A[5]);
    case 6: return in_place("multiply", m[0], 3);
    case 7: return tb_array_index(A[5], 1, &(tb_index){.kind = TB_INDEX_ARRAY, .array = A[1]}, &A[6]);
    case 8: return reduce(TB_RED_SUM, A[6], -1, &A[7]);
    case 9: return drop(&A[0]);
    default: return LAST;
    }
}

static int scatters(int step, slots *s)
{
    tb_index key = at(A[1]);
    tb_operand value = {TB_OPERAND_ARRAY, .array = A[3]}, number = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(7)};
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_arange(TB_I64, tb_scalar_int(1), tb_scalar_int(3), N / 4, &A[1]);
    case 2: return tb_linspace(TB_F64, tb_scalar_int(0), tb_scalar_int(1), N / 4, true, &A[2]);
    case 3: return call_number("multiply", A[2], 8, &A[3]);
    case 4: return call_number("add", A[0], 2, &A[4]);
    case 5: return tb_array_index_set(A[0], 1, &key, &value);
    case 6: return tb_ufunc_update(tb_ufunc_find("add"), A[0], 1, &key, &value);
    case 7: return tb_array_index_set(A[4], 1, &key, &number);
    case 8: return tb_ufunc_update(tb_ufunc_find("multiply"), A[4], 1, &key, &number);
    case 9: return tb_array_index_set(A[2], 1, &(tb_index){.kind = TB_INDEX_SLICE, .step = 2}, &number);
    default: return LAST;
    }
}

/* Records of 12 bytes, of which 8 are a field's, which takes a write of its own. */
static int records(int step, slots *s)
{
    static const tb_field fields[] = {{"x", TB_F32, 4, 0, NULL}, {"y", TB_F32, 8, 0, NULL}};
    static const tb_field others[] = {{"x", TB_F64, 0, 0, NULL}, {"y", TB_F32, 8, 0, NULL}};
    static const tb_record gaps = {sizeof gaps, "with gaps", TB_RECORD_FIELDS, 12, 2, fields};
    static const tb_record none = {sizeof none, "without gaps", TB_RECORD_FIELDS, 12, 2, others};
    tb_dtype t, u;
    tb_index key = at(A[1]);
    tb_operand value = {TB_OPERAND_ARRAY, .array = A[3]}, number = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(7)};
    if (tb_record_new(&gaps, &t) != TB_OK || tb_record_new(&none, &u) != TB_OK) return TB_ERR_MEMORY;
    switch (step) {
    case 0: return tb_full(t, 1, LONGS(N), 'C', tb_scalar_int(3), &A[0]);
    case 1: return tb_arange(TB_I64, tb_scalar_int(1), tb_scalar_int(3), N / 4, &A[1]);
    case 2: return range(TB_F32, &A[2]);
    case 3: return tb_array_index(A[0], 1, &key, &A[3]);
    case 4: return tb_assign(A[0], A[2], TB_CAST_UNSAFE);
    case 5: return tb_array_index_set(A[0], 1, &key, &value);
    case 6: return tb_astype(A[0], u, 'K', TB_CAST_SAME_KIND, true, &A[4]);
    case 7: return tb_record_equal(A[0], A[4], &A[5]);
    case 8: return tb_assign_where(A[0], A[5], &number);
    default: return LAST;
    }
}

static int strict_places(int step, slots *s)
{
    tb_index key = at(A[1]);
    tb_operand value = {TB_OPERAND_ARRAY, .array = A[2]};
    switch (step) {
    case 0: return tb_strict_indices_set(true), TB_OK;
    case 1: return range(TB_F64, &A[0]);
    case 2: return tb_arange(TB_I64, tb_scalar_int(-3), tb_scalar_int(1), N / 4, &A[1]);
    case 3: return tb_array_index(A[0], 1, &key, &A[2]);
    case 4: return call_number("multiply", A[2], 2, &A[3]);
    case 5: return tb_array_index_set(A[0], 1, &key, &value);
    case 6: return tb_ufunc_update(tb_ufunc_find("add"), A[0], 1, &key, &value);
    case 7: return tb_take(A[0], A[1], 0, TB_BOUNDS_WRAP, &A[4]);
    case 8: return tb_strict_indices_set(false), TB_OK;
    default: return LAST;
    }
}

static int masks(int step, slots *s)
{
    tb_index key = at(A[1]);
    tb_operand value = {TB_OPERAND_ARRAY, .array = A[2]}, number = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(7)};
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return call_number("greater", A[0], 7, &A[1]);
    case 2: return tb_array_index(A[0], 1, &key, &A[2]);
    case 3: return in_place("multiply", A[2], 2);
    case 4: return tb_array_index_set(A[0], 1, &key, &value);
    case 5: return call_number("add", A[0], 2, &A[3]);
    case 6: return tb_array_index_set(A[0], 1, &key, &number);
    case 7: return tb_nonzero(A[1], &A[4]);
    case 8: return tb_argwhere(A[1], &A[5]);
    case 9: return tb_ufunc_update(tb_ufunc_find("add"), A[3], 1, &key, &number);
    default: return LAST;
    }
}

static int products(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return matrix(A[0], &A[1]);
    case 2: return call_number("add", A[1], 1, &A[2]);
    case 3: return tb_transpose(A[2], NULL, &A[3]);
    case 4: return multiply(A[2], A[3], &A[4]);
    case 5: return tb_astype(A[2], TB_I32, 'K', TB_CAST_UNSAFE, true, &A[5]);
    case 6: return tb_transpose(A[5], NULL, &A[6]);
    case 7: return multiply(A[5], A[6], &A[7]);
    case 8: return multiply(A[4], A[1], &A[8]);
    case 9: return multiply(A[2], A[3], &A[4]);
    case 10: return multiply(A[0], A[0], &A[9]);
    case 11: return tb_astype(A[2], TB_F16, 'K', TB_CAST_UNSAFE, true, &A[10]);
    case 12: return multiply(A[10], A[3], &A[11]);
    default: return LAST;
    }
}

/* ---- copies, streams, allocators ------------------------------------------------------------------------------ */

static int copies(int step, slots *s)
{
    static double numbers[4096];
    int64_t strides[2] = {8, 32};
    for (int i = 0; i < 4096; i++) numbers[i] = i * 0.5;
    switch (step) {
    case 0: return tb_from_host(numbers, TB_F64, 2, LONGS(N / 4, 4), NULL, 'C', &A[0]);
    case 1: return tb_from_host(numbers, TB_F64, 2, LONGS(4, N / 4), strides, 'F', &A[1]);
    case 2: return call_number("add", A[0], 1, &A[2]);
    case 3: return tb_array_set(A[0], numbers + 3, NULL, NULL, true);
    case 4: return tb_transpose(A[0], NULL, &A[3]);
    case 5: return tb_array_set(A[3], numbers + 1, NULL, NULL, true);
    case 6: return tb_assign(A[1], A[3], TB_CAST_SAME_KIND);
    case 7: return tb_copy(A[3], 'F', &A[4]);
    case 8: return tb_copy(A[2], 'F', &A[5]);
    case 9: return tb_reshape(A[3], 1, LONGS(N / 4 * 4), 'C', NULL, &A[6]);
    default: return LAST;
    }
}

/* One array from three: a part of it for each. */
static int joins(int step, slots *s)
{
    tb_index parts[3] = {
        {.kind = TB_INDEX_SLICE, .stop = N, .has_stop = true, .step = 1},
        {.kind = TB_INDEX_SLICE, .start = N, .has_start = true, .stop = 2 * N, .has_stop = true, .step = 1},
        {.kind = TB_INDEX_SLICE, .start = 2 * N, .has_start = true, .step = 1}};
    tb_array *part[3] = {NULL}, *from[3] = {A[0], A[1], A[2]}, *made = NULL;
    tb_status status;
    switch (step) {
    case 0: return range(TB_F32, &A[0]);
    case 1: return call_number("add", A[0], 1, &A[1]);
    case 2: return call("multiply", A[1], A[1], &A[2]);
    case 3:
        status = tb_empty(TB_F32, 1, LONGS(3 * N), 'C', &made);
        for (int i = 0; i < 3 && status == TB_OK; i++) status = tb_array_index(made, 1, &parts[i], &part[i]);
        if (status == TB_OK) status = tb_assign_all(3, part, from, TB_CAST_SAME_KIND);
        for (int i = 0; i < 3; i++) tb_array_release(part[i]);
        if (status == TB_OK) A[3] = made;
        else tb_array_release(made);
        return status;
    case 4: return drop(&A[1]);
    case 5: return call("add", A[3], A[3], &A[4]);
    default: return LAST;
    }
}

static int conveniences(int step, slots *s)
{
    tb_array *parts[2] = {NULL};
    char *text;
    double number;
    tb_status status;
    switch (step) {
    case 0: return range(TB_I64, &A[0]);
    case 1: return call_number("multiply", A[0], 3, &A[1]);
    case 2: return tb_concatenate(2, (tb_array *[]){A[0], A[1]}, 0, &A[2]);
    case 3: return tb_stack(2, (tb_array *[]){A[1], A[0]}, 1, &A[3]);
    case 4: return tb_take(A[2], A[0], 0, TB_BOUNDS_CLIP, &A[4]);
    case 5: return tb_take(A[3], A[0], TB_ALL_AXES, TB_BOUNDS_RAISE, &A[5]);
    case 6: return tb_take_one(A[3], 1, 0, TB_BOUNDS_WRAP, &A[6]);
    case 7: return tb_put(A[4], A[0], A[6], TB_BOUNDS_WRAP);
    case 8:
        status = tb_split(A[2], 1, LONGS(3), 0, parts);
        if (status != TB_OK) return status;
        A[7] = parts[0];
        A[8] = parts[1];
        return TB_OK;
    case 9:
        status = tb_to_string(A[3], &text);
        if (status == TB_OK) tb_free(text);
        return status;
    case 10: return tb_reduce(TB_RED_SUM, A[1], NULL, &A[9]);
    case 11: return tb_item_f64(A[9], &number);
    case 12: return tb_concatenate_into(2, (tb_array *[]){A[1], A[0]}, 0, TB_CAST_UNSAFE, A[2]);
    case 13: return call_number("less", A[0], 2, &A[10]);
    case 14: return tb_repeat_by(A[0], A[10], 0, &A[11]);
    case 15: return tb_compress(A[0], A[1], 0, &A[12]);
    case 16: return tb_put_where(A[1], A[0], A[9]);
    default: return LAST;
    }
}

static int streams(int step, slots *s)
{
    tb_stream *null;
    tb_status status = tb_stream_null(&null);
    if (status != TB_OK) return status;
    switch (step) {
    case 0: return tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s->stream);
    case 1: return tb_event_new(0, &s->event);
    case 2: return range(TB_F64, &A[0]);
    case 3: return tb_stream_use(s->stream);
    case 4: return call_number("add", A[0], 1, &A[1]);
    case 5: return call_number("multiply", A[1], 2, &A[2]);
    case 6: return tb_event_record(s->event, NULL);
    case 7: return tb_stream_use(null);
    case 8: return tb_stream_wait_event(null, s->event);
    case 9: return call("add", A[1], A[2], &A[3]);
    case 10: return tb_stream_synchronize(s->stream);
    case 11: return in_place("add", A[2], 1);
    case 12: return tb_event_synchronize(s->event);
    case 13: return tb_device_synchronize(0);
    default: return LAST;
    }
}

static void dawdle(void *ignored)
{
    (void)ignored;
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Work behind a function of the host is outstanding: commands instead of calls. */
static int behind_the_host(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_stream_new(0, 0, &s->stream);
    case 2: return tb_stream_use(s->stream);
    case 3: return tb_stream_host_func(s->stream, dawdle, NULL, NULL);
    case 4: return call_number("add", A[0], 1, &A[1]);
    case 5: return tb_array_eval(A[1]);
    case 6: return tb_copy(A[1], 'C', &A[2]);
    case 7: return tb_array_eval(A[2]);
    case 8: return tb_stream_synchronize(s->stream);
    case 9: return in_place("multiply", A[1], 2);
    default: return LAST;
    }
}

static int captures(int step, slots *s)
{
    tb_status status;
    tb_stream *null;
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return tb_full(TB_F64, 1, LONGS(N), 'C', tb_scalar_int(0), &A[1]);
    case 2: return tb_array_eval(A[1]);
    case 3: return tb_array_eval(A[0]);
    case 4: return tb_stream_new(TB_STREAM_NON_BLOCKING, 0, &s->stream);
    case 5: return tb_stream_use(s->stream);
    case 6:
        status = tb_stream_capture_begin(s->stream, 0);
        if (status == TB_OK) s->capturing = true;
        return status;
    case 7: return call_number("multiply", A[0], 2, &A[2]);
    case 8: return call("add", A[2], A[1], &A[1]);
    case 9: return tb_assign(A[0], A[1], TB_CAST_SAME_KIND);
    case 10:
        drop(&A[2]); /* nothing was computed for it */
        status = tb_stream_capture_end(s->stream, &s->graph);
        s->capturing = status != TB_OK;
        return status;
    case 11: return tb_graph_launch(s->graph, s->stream);
    case 12: return tb_graph_launch(s->graph, s->stream);
    case 13: return tb_stream_synchronize(s->stream);
    case 14: status = tb_stream_null(&null); return status == TB_OK ? tb_stream_use(null) : status;
    default: return LAST;
    }
}

static int allocators(int step, slots *s)
{
    switch (step) {
    case 0: return tb_allocator_pool(NULL, &s->allocator);
    case 1: tb_allocator_use(true, s->allocator); return TB_OK;
    case 2: return range(TB_F64, &A[0]);
    case 3: return call_number("add", A[0], 1, &A[1]);
    case 4: return tb_array_eval(A[1]);
    case 5: tb_allocator_use(false, NULL); return TB_OK;
    case 6: return call("add", A[0], A[1], &A[2]);
    case 7: return rebind(&A[1], "multiply", 2);
    default: return LAST;
    }
}

static int direct(int step, slots *s)
{
    switch (step) {
    case 0: return tb_allocator_direct(TB_MEMORY_DEVICE, 0, NULL, &s->allocator);
    case 1: tb_allocator_use(true, s->allocator); return TB_OK;
    default: return live_chain(step - 2, s);
    }
}

/* Arrays of another device, and work there. */
static int devices(int step, slots *s)
{
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return call_number("add", A[0], 1, &A[1]);
    case 2: return tb_device_use(1);
    case 3: return range(TB_F64, &A[2]);
    case 4: return tb_copy(A[1], 'C', &A[3]);
    case 5: return call("add", A[2], A[3], &A[4]);
    case 6: return tb_astype(A[0], TB_F32, 'K', TB_CAST_SAME_KIND, true, &A[5]);
    case 7: return tb_assign(A[2], A[1], TB_CAST_SAME_KIND);
    case 8: return tb_assign(A[0], A[4], TB_CAST_SAME_KIND);
    case 9: return tb_device_use(0);
    case 10: return call("add", A[5], A[2], &A[6]);
    case 11: return tb_device_synchronize(1);
    case 12: return in_place("add", A[4], 1);
    default: return LAST;
    }
}

/* ---- kernels of the user's ------------------------------------------------------------------------------------ */

static int kernels(int step, slots *s)
{
    static char operation[64];
    static const tb_elementwise_source elementwise = {sizeof(tb_elementwise_source), .in_params = "T x, T y",
                                                      .out_params = "T z", .operation = operation};
    static const tb_reducer_source reducer = {
        sizeof(tb_reducer_source), .in_params = "T x",         .out_params = "T y", .map_expr = "x * x",
        .reduce_expr = "a + b",    .post_map_expr = operation, .identity = "0"};
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = A[1]}, {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(3)}};
    switch (step) {
    case 0: return range(TB_F64, &A[0]);
    case 1: return call_number("subtract", A[0], 9, &A[1]);
    case 2: snprintf(operation, sizeof operation, "z = x * y; /* %ld */", s->run); return TB_OK;
    case 3: return tb_elementwise_new(&elementwise, &s->kernel);
    case 4: return tb_elementwise_call(s->kernel, in, &A[2], NULL);
    case 5: return tb_elementwise_into(s->kernel, in, &A[0], NULL);
    case 6: snprintf(operation, sizeof operation, "y = a; /* %ld */", s->run); return TB_OK;
    case 7: return tb_reducer_new(&reducer, &s->reducer);
    case 8: return tb_reducer_call(s->reducer, in, &A[3], NULL);
    case 9: return call("add", A[2], A[3], &A[4]);
    default: return LAST;
    }
}

static int modules(int step, slots *s)
{
    static char code[256];
    snprintf(code, sizeof code, "// %ld\nextern \"C\" __global__ void k(double *x) { x[threadIdx.x] += threadIdx.x; }",
             s->run);
    tb_module_source source = {sizeof(tb_module_source), .code = code};
    tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {1, 1, 1}, .block = {8, 1, 1}};
    switch (step) {
    case 0: return tb_module_compile(&source, NULL, &s->module);
    case 1: return tb_module_function(s->module, "k", &s->function);
    case 2: return range(TB_F64, &A[0]);
    case 3: return call_number("add", A[0], 1, &A[1]);
    case 4: return tb_function_launch(s->function, &shape, NULL, 1, &(tb_kernel_arg){.array = A[0]});
    case 5: return call("multiply", A[0], A[1], &A[2]);
    default: return LAST;
    }
}

#define PROGRAM(f) {.name = #f, .step = f}
const fault_program fault_programs[] = {
    PROGRAM(live_chain),
    PROGRAM(donations),
    PROGRAM(shared_parts),
    PROGRAM(deep),
    PROGRAM(casts),
    {"outputs", outputs, .parts = true},
    PROGRAM(made_of_nothing),
    PROGRAM(random_numbers),
    PROGRAM(writes),
    PROGRAM(overlaps),
    PROGRAM(joined),
    {"many_writes", many_writes, .parts = true},
    PROGRAM(at_once),
    PROGRAM(shared_memory),
    PROGRAM(reductions),
    PROGRAM(scans),
    {.name = "points", .step = fault_points},
    {.name = "peaks", .step = fault_peaks},
    {.name = "sparse_matrices", .step = fault_sparse},
    {.name = "sparse_routines", .step = fault_sparse_routines},
    PROGRAM(gathers),
    PROGRAM(scatters),
    {"records", records, .parts = true},
    PROGRAM(masks),
    PROGRAM(strict_places),
    PROGRAM(products),
    {.name = "equations", .step = fault_equations},
    {.name = "eigenvalues", .step = fault_eigenvalues},
    {.name = "functions_of_matrices", .step = fault_functions},
    PROGRAM(copies),
    PROGRAM(joins),
    {"conveniences", conveniences, .parts = true},
    PROGRAM(streams),
    PROGRAM(behind_the_host),
    {"captures", captures, .keeps = true},
    PROGRAM(allocators),
    PROGRAM(direct),
    PROGRAM(devices),
    {"kernels", kernels, .compiles = true},
    {"modules", modules, .compiles = true},
};
const int fault_nprogram = sizeof fault_programs / sizeof *fault_programs;
