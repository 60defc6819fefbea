/* functions.c - the functions of tombac/functions.h, which tools/functions.py declares from the same rows.
 *
 * Each says which row it is of and what it is called, and hands on its arguments to the one function for all that have
 * such operands and results: there are hundreds of them, so each is to be a few instructions. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/shape.h"
#include "ops/array_ops.h"
#include "tables/loops.h"

static const tb_ufunc_args defaults = TB_UFUNC_ARGS_INIT;

#define SHARED static __attribute__((noinline))

/* ---- checks, under the name that the caller used ---------------------------------------------------------------- */

static inline tb_status check_array(const char *name, const char *parameter, const tb_array *a)
{
    if (TB_UNLIKELY(!a)) return tb__fail_null(name, parameter);
    return TB_WAS_RELEASED(a) ? tb__fail_ended(name, parameter, TB_OBJECT_ARRAY, a) : TB_OK;
}

static inline tb_status check_number(const char *name, const char *parameter, tb_dtype t)
{
    return TB_UNLIKELY((unsigned)t >= TB_NDTYPE) ? tb__fail_choice(name, parameter, t) : TB_OK;
}

static inline tb_status check_result(const char *name, const char *parameter, tb_array **out)
{
    return TB_UNLIKELY(!out) ? tb__fail_null(name, parameter) : TB_OK;
}

/* ---- elementwise functions ------------------------------------------------------------------------------------- */

/* Operand i. It is not cleared: what its kind does not use is not read. */
#define ARRAY(i, x)                       \
    TB_TRY(check_array(name, #x, (x)));   \
    in[i].kind = TB_OPERAND_ARRAY;        \
    in[i].array = (x);
#define NUMBER(i, x)                                   \
    TB_TRY(check_number(name, #x ".dtype", (x).dtype)); \
    in[i].kind = TB_OPERAND_SCALAR;                    \
    in[i].array = NULL;                                \
    in[i].scalar = (x);

/* Lists in brackets are handed on as one argument. */
#define BARE(...) __VA_ARGS__

/* For operands of one form: one result or two, in new arrays or written to the caller's. */
#define FUNCTIONS_OF(form, parameters, operands)                                                                    \
    SHARED tb_status form##_new(BARE parameters, tb_array **out, const tb_ufunc *u, const char *name)               \
    {                                                                                                               \
        tb_operand in[2];                                                                                           \
        operands                                                                                                    \
        TB_TRY(check_result(name, "out", out));                                                                     \
        return tb__ufunc_call(u, in, out, &defaults);                                                               \
    }                                                                                                               \
    SHARED tb_status form##_into(BARE parameters, tb_array *into, const tb_ufunc *u, const char *name)              \
    {                                                                                                               \
        tb_operand in[2];                                                                                           \
        operands                                                                                                    \
        TB_TRY(check_array(name, "into", into));                                                                    \
        return tb__ufunc_into(u, in, &into, NULL, &defaults);                                                       \
    }                                                                                                               \
    SHARED tb_status form##_new_2(BARE parameters, tb_array **out1, tb_array **out2, const tb_ufunc *u,             \
                                  const char *name)                                                                 \
    {                                                                                                               \
        tb_operand in[2];                                                                                           \
        tb_array *out[2];                                                                                           \
        operands                                                                                                    \
        TB_TRY(check_result(name, "out1", out1));                                                                   \
        TB_TRY(check_result(name, "out2", out2));                                                                   \
        TB_TRY(tb__ufunc_call(u, in, out, &defaults));                                                              \
        *out1 = out[0];                                                                                             \
        *out2 = out[1];                                                                                             \
        return TB_OK;                                                                                               \
    }                                                                                                               \
    SHARED tb_status form##_into_2(BARE parameters, tb_array *into1, tb_array *into2, const tb_ufunc *u,            \
                                   const char *name)                                                                \
    {                                                                                                               \
        tb_operand in[2];                                                                                           \
        tb_array *const into[] = {into1, into2};                                                                    \
        operands                                                                                                    \
        TB_TRY(check_array(name, "into1", into1));                                                                  \
        TB_TRY(check_array(name, "into2", into2));                                                                  \
        return tb__ufunc_into(u, in, into, NULL, &defaults);                                                        \
    }
FUNCTIONS_OF(array, (tb_array * a), ARRAY(0, a))
FUNCTIONS_OF(arrays, (tb_array * a, tb_array *b), ARRAY(0, a) ARRAY(1, b))
FUNCTIONS_OF(array_number, (tb_array * a, tb_scalar b), ARRAY(0, a) NUMBER(1, b))
FUNCTIONS_OF(number_array, (tb_scalar a, tb_array *b), NUMBER(0, a) ARRAY(1, b))

/* The functions of a row: tb_exp, tb_exp_into; with two results RESULTS_2. */
#define RESULTS_1(row, name, form, parameters, operands)                                                            \
    tb_status name(BARE parameters, tb_array **out) { return form##_new(BARE operands, out, row, __func__); }       \
    tb_status name##_into(BARE parameters, tb_array *into) { return form##_into(BARE operands, into, row, __func__); }
#define RESULTS_2(row, name, form, parameters, operands)                                                            \
    tb_status name(BARE parameters, tb_array **out1, tb_array **out2)                                               \
    {                                                                                                               \
        return form##_new_2(BARE operands, out1, out2, row, __func__);                                              \
    }                                                                                                               \
    tb_status name##_into(BARE parameters, tb_array *into1, tb_array *into2)                                        \
    {                                                                                                               \
        return form##_into_2(BARE operands, into1, into2, row, __func__);                                           \
    }
#define OPERANDS_1(RESULTS, row, op) RESULTS(row, tb_##op, array, (tb_array *a), (a))
#define OPERANDS_2(RESULTS, row, op)                                                  \
    RESULTS(row, tb_##op, arrays, (tb_array *a, tb_array *b), (a, b))                 \
    RESULTS(row, tb_##op##_s, array_number, (tb_array *a, tb_scalar b), (a, b))       \
    RESULTS(row, tb_s_##op, number_array, (tb_scalar a, tb_array *b), (a, b))

#define UFUNC(op, nin, text) OPERANDS_##nin(RESULTS_1, &tb_op_table[TB_OP_##op], op)
#define INTERNAL(op, nin, text)
#define UFUNC2(op, nin, x, y, text) OPERANDS_##nin(RESULTS_2, &tb_op_table[TB_OP_##op], op)
#include "tables/loops.def"

/* ---- reductions, running forms ---------------------------------------------------------------------------------- */

SHARED tb_status reduced(tb_array *a, int axis, tb_array **out, tb_reduction op, const char *name)
{
    tb_reduce_args args; /* not cleared as a whole: it has room for many axes */
    TB_TRY(check_array(name, "a", a));
    TB_TRY(check_result(name, "out", out));
    args.struct_size = sizeof args;
    args.naxis = axis == TB_ALL_AXES ? -1 : 1;
    args.axis[0] = axis;
    args.keepdims = false;
    args.dtype = TB_NODTYPE;
    args.ddof = 0;
    args.has_initial = false;
    return TB__OPERATION(tb__reduce(op, a, &args, NULL, out));
}

SHARED tb_status running(tb_array *a, int axis, tb_array **out, tb_reduction op, const char *name)
{
    TB_TRY(check_array(name, "a", a));
    TB_TRY(check_result(name, "out", out));
    return tb_scan(op, a, axis, TB_NODTYPE, out);
}

#define ALONG_AXIS(op, name, function) \
    tb_status name(tb_array *a, int axis, tb_array **out) { return function(a, axis, out, op, __func__); }
#define REDUCTION_METHOD(NAME, name)   ALONG_AXIS(TB_RED_##NAME, tb_##name, reduced)
#define REDUCTION_FUNCTION(NAME, name) ALONG_AXIS(TB_RED_##NAME, tb_##name, reduced)
#define REDUCTION_NONE(NAME, name) /* a ufunc's name */
#define TB_REDUCTION(NAME, name, says, of, initial, running_, fold, result, nan, empty, place, like, doc) \
    REDUCTION_##place(NAME, name)
#define TB_RUNNING(NAME, name, place, doc) ALONG_AXIS(TB_RED_##NAME, tb_##name, running)
#include "tombac/reductions.def"
