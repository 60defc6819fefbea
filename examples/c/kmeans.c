/* kmeans.c - Lloyd's algorithm: 100,000 points in the plane, eight centres. What a failed call did not make is NULL,
 * and passed on: the last call of an iteration tells of any failure. */
#include <stdio.h>
#include <tombac/tombac.h>

enum { N = 100000, K = 8 };

typedef struct step {
    tb_array *apart, *square, *distance, *nearest, *column, *mine, *weight, *sums, *count, *row, *next;
} step;

int main(void)
{
    const tb_index as_column[] = {tb_whole(), tb_newaxis()}, first[] = {tb_slice(0, K, 1)};
    tb_rng rng = {.seed = 1};
    tb_array *x = NULL, *points = NULL, *centres = NULL, *names = NULL;
    tb_random(&rng, TB_RAND_UNIFORM, TB_F32, tb_scalar_int(0), tb_scalar_int(1), 2, (int64_t[]){N, 2}, &x);
    tb_array_index(x, 2, as_column, &points); /* (N, 1, 2) */
    tb_array_index(x, 1, first, &centres);    /* (K, 2) */
    tb_arange(TB_I64, tb_scalar_int(0), tb_scalar_int(1), K, &names);
    tb_status status = TB_OK;
    for (int i = 0; i < 20 && status == TB_OK; i++) {
        step s = {0};
        tb_subtract(points, centres, &s.apart);
        tb_square(s.apart, &s.square);
        tb_sum(s.square, 2, &s.distance); /* (N, K) */
        tb_argmin(s.distance, 1, &s.nearest);
        tb_array_index(s.nearest, 2, as_column, &s.column);
        tb_equal(s.column, names, &s.mine);
        tb_astype(s.mine, TB_F32, 'K', TB_CAST_SAFE, false, &s.weight);
        tb_transpose(s.weight, NULL, &s.row); /* (K, N) */
        tb_matmul(s.row, x, &s.sums);
        tb_sum(s.row, 1, &s.distance);
        tb_array_index(s.distance, 2, as_column, &s.count);
        status = tb_divide(s.sums, s.count, &s.next);
        if (status == TB_OK) tb_array_replace(&centres, tb_array_retain(s.next));
        tb_array_release_all(sizeof s / sizeof(tb_array *), (tb_array **)&s);
    }
    if (status != TB_OK || tb_print(centres) != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    tb_array_release_all(4, (tb_array *[]){x, points, centres, names});
    return status != TB_OK;
}
