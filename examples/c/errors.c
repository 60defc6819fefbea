/* errors.c - what goes wrong is said once, and nothing crashes: a failed call leaves NULL, which may be passed on. */
#include <stdio.h>
#include <tombac/tombac.h>

int main(void)
{
    tb_array *a = NULL, *b = NULL, *sum = NULL, *root = NULL, *total = NULL;
    double number = 0;
    tb_full(TB_F64, 1, (int64_t[]){3}, 'C', tb_scalar_int(1), &a);
    tb_full(TB_F64, 1, (int64_t[]){4}, 'C', tb_scalar_int(1), &b);
    tb_add(a, b, &sum); /* the shapes do not match */
    tb_sqrt(sum, &root);
    tb_sum(root, TB_ALL_AXES, &total);
    const tb_status status = tb_item_f64(total, &number);
    printf("status %d: %s\n", (int)status, tb_error_message());
    printf("status %d: %s\n", (int)tb_sum(a, 7, &total), tb_error_message());
    printf("status %d: %s\n", (int)tb_empty((tb_dtype)99, 0, NULL, 'C', &total), tb_error_message());
    tb_array_release_all(2, (tb_array *[]){a, b});
    return status != TB_ERR_VALUE;
}
