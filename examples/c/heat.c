/* heat.c - heat spreads over a plate: each inner point becomes the mean of its neighbours. Views of one array are made
 * once; every step is one kernel. */
#include <stdio.h>
#include <tombac/tombac.h>

enum { SIZE = 256, STEPS = 500 };

/* u[row:row - 2, column:column - 2], where 0 stands for the end. */
static tb_array *part(tb_array *u, int64_t row, int64_t column)
{
    tb_array *view = NULL;
    tb_array_index(u, 2, (tb_index[]){tb_slice(row, row + SIZE - 2, 1), tb_slice(column, column + SIZE - 2, 1)}, &view);
    return view;
}

int main(void)
{
    double middle = 0;
    tb_array *u = NULL, *edge = NULL, *centre = NULL;
    tb_full(TB_F64, 2, (int64_t[]){SIZE, SIZE}, 'C', tb_scalar_int(0), &u);
    tb_array_index(u, 1, (tb_index[]){tb_at(0)}, &edge);
    tb_assign_scalar(edge, tb_scalar_int(100));
    tb_array *inner = part(u, 1, 1), *side[] = {part(u, 0, 1), part(u, 2, 1), part(u, 1, 0), part(u, 1, 2)};
    tb_status status = TB_OK;
    for (int i = 0; i < STEPS && status == TB_OK; i++) {
        tb_array *t[3] = {NULL};
        tb_add(side[0], side[1], &t[0]);
        tb_add(side[2], side[3], &t[1]);
        tb_add(t[0], t[1], &t[2]);
        status = tb_multiply_s_into(t[2], tb_scalar_float(0.25), inner);
        tb_array_release_all(3, t);
    }
    if (status == TB_OK) status = tb_array_index(u, 2, (tb_index[]){tb_at(8), tb_at(SIZE / 2)}, &centre);
    if (status != TB_OK || tb_item_f64(centre, &middle) != TB_OK) fprintf(stderr, "%s\n", tb_error_message());
    else printf("near the hot edge: %.3f degrees\n", middle);
    tb_array_release_all(4, side);
    tb_array_release_all(4, (tb_array *[]){u, edge, centre, inner});
    return status != TB_OK;
}
