/* softplus.c - log(1 + exp(x)) in its numerically stable form, maximum(0, x) + log1p(exp(-|x|)): six functions, one
 * kernel. */
#include <stdio.h>
#include <tombac/tombac.h>

enum { N = 9 };

int main(void)
{
    float y[N];
    tb_array *x = NULL, *t[6] = {NULL};
    tb_counters counters;
    tb_arange(TB_F32, tb_scalar_float(-4), tb_scalar_float(1), N, &x);
    tb_absolute(x, &t[0]);
    tb_negative(t[0], &t[1]);
    tb_exp(t[1], &t[2]);
    tb_log1p(t[2], &t[3]);
    tb_maximum_s(x, tb_scalar_int(0), &t[4]);
    tb_add(t[4], t[3], &t[5]);
    const tb_status status = tb_get(t[5], TB_F32, y, N); /* nothing has been computed until here */
    if (status != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    for (int i = 0; i < N && status == TB_OK; i++) printf("softplus(%+d) = %.6f\n", i - 4, y[i]);
    tb_counters_get(&counters, sizeof counters);
    printf("%llu kernel on %s\n", (unsigned long long)counters.launches, tb_backend_name());
    tb_array_release(x);
    tb_array_release_all(6, t);
    return status != TB_OK;
}
