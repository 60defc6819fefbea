/* fault_points.c - programs for test_faults.c: points, their triangulation and neighbours, functions in pieces; peaks
 * of a vector and their shapes. */
#include "fault_programs.h"

#define A s->a

/* A[1]: a vector that rises and falls. */
static int waves(int step, slots *s)
{
    if (step == 0) return tb_arange(TB_F64, tb_scalar_int(1), tb_scalar_int(3), 40, &A[0]);
    const tb_operand in[] = {tb_operand_array(A[0]), tb_operand_int(17)};
    return tb_ufunc_call(tb_ufunc_find("remainder"), in, &A[1], NULL);
}

int fault_points(int step, slots *s)
{
    tb_triangulation t;
    tb_status status;
    switch (step) {
    case 0:
    case 1: return waves(step, s);
    case 2: return tb_reshape(A[1], 2, (int64_t[]){20, 2}, 'C', NULL, &A[2]);
    case 3:
        status = tb_delaunay(A[2], &t);
        if (status != TB_OK) return status;
        A[3] = t.simplices;
        A[4] = t.neighbors;
        A[5] = t.vertex_to_simplex;
        A[6] = t.coplanar;
        return TB_OK;
    case 4: {
        tb_tree tree;
        status = tb_tree_make(A[2], &tree);
        if (status == TB_OK) A[7] = tree.points, A[8] = tree.order, A[9] = tree.boxes;
        return status;
    }
    case 5: return tb_tree_nearest(&(tb_tree){A[7], A[8], A[9]}, A[2], 3, 2, 1e9, NULL, &A[10], &A[11]);
    case 6: return tb_full(TB_F64, 1, tb_array_shape(A[2]), 'C', tb_scalar_int(1), &A[12]);
    case 7: return tb_tree_within(&(tb_tree){A[7], A[8], A[9]}, A[2], A[12], 2, NULL, NULL, &A[13]);
    case 8: return tb_pieces_at(A[0], A[0], TB_PIECE_LINES, 0, A[1], 0, TB_PIECE_NAN, &A[14]);
    case 9: return tb_tree_pairs(&(tb_tree){A[7], A[8], A[9]}, NULL, 3, 2, NULL, &A[15], &A[16]);
    case 10:
        t = (tb_triangulation){.simplices = A[3], .neighbors = A[4]};
        return tb_delaunay_find(&t, A[2], A[2], 0, false, &A[17]);
    case 11: {
        int rounds;
        t = (tb_triangulation){.simplices = A[3], .neighbors = A[4]};
        return tb_delaunay_slopes(&t, A[2], A[2], 1e-6, 9, &A[18], &rounds);
    }
    case 12: return tb_full(TB_F64, 1, (int64_t[]){2}, 'C', tb_scalar_int(0), &A[19]);
    case 13:
        t = (tb_triangulation){.simplices = A[3], .neighbors = A[4]};
        return tb_delaunay_values(&t, A[2], A[2], A[18], A[19], A[2], &A[20]);
    case 14: return tb_arange(TB_F64, tb_scalar_int(4), tb_scalar_int(3), 38, &A[21]);
    case 15: return tb_spline_nearest(A[21], A[21], 1, A[0], A[21], &A[22]);
    case 16: {
        int64_t count;
        tb_array *whole;
        status = tb_astype(A[1], TB_I64, 'K', TB_CAST_UNSAFE, true, &whole);
        if (status != TB_OK) return status;
        status = tb_inversions(whole, &count);
        tb_array_release(whole);
        return status;
    }
    case 17: return tb_reshape(A[1], 2, (int64_t[]){40, 1}, 'C', NULL, &A[23]);
    case 18: return tb_grid_at(A[0], A[21], TB_GRID_SPLINE, 1, (const int[]){1}, NULL, A[23], NULL, &A[24], NULL);
    case 19: return tb_full(TB_F64, 3, (const int64_t[]){2, 39, 1}, 'C', tb_scalar_int(1), &A[25]);
    case 20: return tb_pieces_integral(A[0], A[25], 2, 30, TB_PIECE_NAN, &A[26]);
    case 21: return tb_linear_sum_assignment(A[2], true, &A[27], &A[28]);
    default: return LAST;
    }
}

int fault_peaks(int step, slots *s)
{
    switch (step) {
    case 0:
    case 1: return waves(step, s);
    case 2: return tb_peaks_find(A[1], &A[2], &A[3], &A[4]);
    case 3: return tb_argsort(A[2], 0, &A[5]);
    case 4: return tb_peaks_apart(A[2], A[5], 9, &A[6]);
    case 5: return tb_peak_prominences(A[1], A[2], 0, &A[7], NULL);                    /* to three slots */
    case 6: return tb_peak_widths(A[1], A[2], 0.5, 0, A[7], A[8], A[9], &A[10], NULL); /* to four */
    case 7: return tb_peak_widths(A[1], A[2], 1, 9, NULL, NULL, NULL, &A[14], NULL);
    default: return LAST;
    }
}
