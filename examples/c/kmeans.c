/* kmeans.c - Lloyd's algorithm: 100,000 points in the plane, eight centres. What a failed call did not make is NULL,
 * and passed on: the last call of an iteration tells of any failure. */
#include <stdio.h>
#include <tombac/tombac.h>

enum { N = 100000, K = 8 };

int main(void)
{
    const tb_scalar zero = tb_scalar_int(0), one = tb_scalar_int(1);
    const tb_index column[] = {tb_whole(), tb_newaxis()};
    tb_rng rng = {.seed = 1};
    tb_status status = TB_OK;
    tb_array *x = NULL, *centres = NULL, *rows = NULL, *numbers = NULL, *names = NULL;
    tb_random(&rng, TB_RAND_UNIFORM, TB_F32, zero, one, 2, (int64_t[]){N, 2}, &x);
    tb_random(&rng, TB_RAND_UNIFORM, TB_F32, zero, one, 2, (int64_t[]){K, 2}, &centres);
    tb_array_index(centres, 2, column, &rows); /* (K, 1, 2), a view */
    tb_arange(TB_I64, zero, one, K, &numbers);
    tb_array_index(numbers, 2, column, &names); /* (K, 1) */
    for (int i = 0; i < 20 && status == TB_OK; i++) {
        tb_array *t[8] = {NULL};
        tb_subtract(x, rows, &t[0]); /* (K, N, 2) */
        tb_square(t[0], &t[1]);
        tb_sum(t[1], 2, &t[2]);
        tb_argmin(t[2], 0, &t[3]);    /* the nearest centre's number */
        tb_equal(names, t[3], &t[4]); /* (K, N) */
        tb_matmul(t[4], x, &t[5]);    /* sums of each centre's points */
        tb_sum(t[4], 1, &t[6]);       /* how many these are */
        tb_array_index(t[6], 2, column, &t[7]);
        status = tb_divide_into(t[5], t[7], centres);
        tb_array_release_all(8, t);
    }
    if (status != TB_OK || tb_print(centres) != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    tb_array_release_all(5, (tb_array *[]){x, centres, rows, numbers, names});
    return status != TB_OK;
}
