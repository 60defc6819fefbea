/* round.c - NumPy's round: to a number of decimals, by scaling, rounding to integers and scaling back. */
#include <math.h>

#include "base/argument.h"

/* u(*x, s) as the new *x, a reference of the caller's; s NULL: u(*x). The result goes to `into` if there is one. */
static tb_status step(const char *u, tb_array **x, const tb_scalar *s, tb_array *into)
{
    const tb_operand in[2] = {tb_operand_array(*x), s ? tb_operand_scalar(*s) : (tb_operand){0}};
    const tb_ufunc *f = tb_ufunc_find(u);
    tb_array *r;
    if (into) TB_TRY(tb_ufunc_into(f, in, &into, NULL, NULL));
    else TB_TRY(tb_ufunc_call(f, in, &r, NULL));
    tb_array_release(*x);
    *x = into ? tb_array_retain(into) : r;
    return TB_OK;
}

/* *x, a reference of the caller's, is replaced. */
static tb_status to_integers(tb_array **x, tb_dtype t, tb_array *into)
{
    tb_array *r;
    if (into) return tb_assign(into, *x, TB_CAST_UNSAFE);
    TB_TRY(tb_astype(*x, t, 'K', TB_CAST_UNSAFE, false, &r));
    tb_array_release(*x);
    *x = r;
    return TB_OK;
}

static tb_status round_steps(tb_array **x, int64_t decimals, tb_array *into)
{
    const tb_dtype t = tb_array_dtype(*x);
    const bool integer = tb_dtype_kind(t) == TB_KIND_INT, up = decimals > 0;
    const tb_scalar scale = tb_scalar_float(pow(10.0, fabs((double)decimals)));
    if (decimals == 0) return step("rint", x, NULL, into);
    TB_TRY(step(up ? "multiply" : "divide", x, &scale, NULL));
    TB_TRY(step("rint", x, NULL, NULL));
    TB_TRY(step(up ? "divide" : "multiply", x, &scale, integer ? NULL : into));
    return integer ? to_integers(x, t, into) : TB_OK;
}

/* out is NULL where there is an array to write to. */
static tb_status round_real(tb_array *a, int64_t decimals, tb_array *into, tb_array **out)
{
    tb_array *x = tb_array_retain(a);
    const tb_status status = round_steps(&x, decimals, into);
    if (status == TB_OK && !into) *out = x;
    else tb_array_release(x);
    return status;
}

/* In place. */
static tb_status round_parts(tb_array *a, int64_t decimals)
{
    tb_status status = TB_OK;
    for (int imag = 0; status == TB_OK && imag < 2; imag++) {
        tb_array *part;
        TB_TRY(tb_real_imag(a, imag, &part));
        status = round_real(part, decimals, part, NULL);
        tb_array_release(part);
    }
    return status;
}

static tb_status round_complex(tb_array *a, int64_t decimals, tb_array *into, tb_array **out)
{
    tb_array *x = NULL;
    if (into) TB_TRY(tb_assign(into, a, TB_CAST_SAME_KIND));
    else TB_TRY(tb_copy(a, 'K', &x));
    const tb_status status = round_parts(into ? into : x, decimals);
    if (status == TB_OK && !into) *out = x;
    else tb_array_release(x);
    return status;
}

static tb_status round_any(tb_array *a, int64_t decimals, tb_array *into, tb_array **out)
{
    const tb_kind kind = tb_dtype_kind(tb_array_dtype(a));
    TB_ARE_NUMBERS("round", tb_array_dtype(a));
    if (kind == TB_KIND_BOOL && decimals != 0)
        return tb__fail(TB_ERR_TYPE, "round: bool arrays have no decimals; %lld were asked for", (long long)decimals);
    if (kind == TB_KIND_INT && decimals >= 0)
        return into ? tb_assign(into, a, TB_CAST_SAME_KIND) : tb_copy(a, 'K', out);
    return (kind == TB_KIND_COMPLEX ? round_complex : round_real)(a, decimals, into, out);
}

tb_status tb_round(tb_array *a, int64_t decimals, tb_array **out)
{
    TB_NOT_NULL(a, out);
    return round_any(a, decimals, NULL, out);
}

tb_status tb_round_into(tb_array *a, int64_t decimals, tb_array *into)
{
    TB_NOT_NULL(a, into);
    return round_any(a, decimals, into, NULL);
}
