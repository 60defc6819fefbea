/* softplus.c - the C API: log(1 + exp(x)), written as its numerically stable form, evaluated as one fused kernel. */
#include <stdio.h>
#include <tombac/tombac.h>

static tb_array *call(const char *ufunc, tb_array *a, tb_operand b)
{
    tb_array *out = NULL;
    tb_operand in[2] = {{TB_OPERAND_ARRAY, .array = a}, b};
    if (tb_ufunc_call(tb_ufunc_find(ufunc), in, &out, NULL) != TB_OK) {
        fprintf(stderr, "%s: %s\n", ufunc, tb_error_message());
    }
    return out;
}

int main(void)
{
    enum { N = 9 };
    tb_operand none = {0}, zero = {TB_OPERAND_SCALAR, .scalar = tb_scalar_int(0)};
    float numbers[N];
    tb_array *x = NULL;
    if (tb_arange(TB_F32, tb_scalar_float(-4), tb_scalar_float(1), N, &x) != TB_OK) {
        fprintf(stderr, "%s\n", tb_error_message());
        return 1;
    }
    /* maximum(0, x) + log1p(exp(-|x|)): six functions, nothing computed yet. */
    tb_array *magnitude = call("absolute", x, none), *minus = call("negative", magnitude, none);
    tb_array *power = call("exp", minus, none), *tail = call("log1p", power, none);
    tb_array *ramp = call("maximum", x, zero), *y = call("add", ramp, (tb_operand){TB_OPERAND_ARRAY, .array = tail});
    tb_status status = tb_array_get(y, numbers, NULL, NULL, true);
    if (status != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    for (int i = 0; i < N && status == TB_OK; i++) printf("softplus(%+d) = %.6f\n", i - 4, numbers[i]);

    tb_counters counters;
    tb_counters_get(&counters, sizeof counters);
    printf("%llu kernel on %s\n", (unsigned long long)counters.launches, tb_backend_name());
    tb_array *arrays[] = {x, magnitude, minus, power, tail, ramp, y};
    for (int i = 0; i < 7; i++) tb_array_release(arrays[i]);
    return status != TB_OK;
}
