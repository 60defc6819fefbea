/* fault_sparse.c - sparse matrices made of one another and multiplied in steps, for fault_programs.c. */
#include "fault_programs.h"

/* What was made goes to two slots from `first` on. */
static int keep(slots *s, int first, tb_status status, const tb_pattern *made)
{
    if (status == TB_OK) s->a[first] = made->start, s->a[first + 1] = made->index;
    return status;
}

static int with_int(const char *ufunc, tb_array *a, int64_t value, tb_array **out)
{
    const tb_operand in[] = {tb_operand_array(a), tb_operand_int(value)};
    return tb_ufunc_call(tb_ufunc_find(ufunc), in, out, NULL);
}

int fault_sparse(int step, slots *s)
{
    tb_pattern made = {0, 0, NULL, NULL};
    const tb_pattern p = {4, 6, s->a[5], s->a[6]}, turned = {6, 4, s->a[8], s->a[9]}, once = {4, 6, s->a[11], s->a[12]};
    switch (step) {
    case 0: return tb_arange(TB_I32, tb_scalar_int(0), tb_scalar_int(5), 12, &s->a[0]);
    case 1: return with_int("remainder", s->a[0], 4, &s->a[1]);
    case 2: return with_int("remainder", s->a[0], 6, &s->a[2]);
    case 3: return tb_astype(s->a[0], TB_F64, 'C', TB_CAST_UNSAFE, true, &s->a[3]);
    case 4: return keep(s, 5, tb_pattern_group(s->a[1], s->a[2], 4, 6, &made, &s->a[4]), &made);
    case 5: return keep(s, 8, tb_pattern_transpose(&p, &made, &s->a[7]), &made);
    case 6: return keep(s, 11, tb_pattern_unique(&p, &made, &s->a[10]), &made);
    case 7: return keep(s, 15, tb_pattern_match(&once, &once, true, &made, &s->a[13], &s->a[14]), &made);
    case 8: return keep(s, 18, tb_pattern_take(&p, s->a[1], &made, &s->a[17]), &made);
    case 9: return tb_pattern_find(&once, s->a[1], s->a[2], &s->a[20]);
    case 10: return tb_arange(TB_F64, tb_scalar_int(1), tb_scalar_int(1), 6, &s->a[21]);
    case 11: return tb_sparse_matmul(&p, s->a[3], false, s->a[21], &s->a[22]);
    case 12: return tb_sparse_matmul(&turned, s->a[3], true, s->a[21], &s->a[23]);
    case 13: return keep(s, 25, tb_sparse_multiply(&p, s->a[3], &turned, s->a[3], &made, &s->a[24]), &made);
    case 14: return tb_pattern_rows(&p, &s->a[27]);
    default: return LAST;
    }
}

/* Into three slots from `first` on. */
static int keep_with(slots *s, int first, tb_status status, const tb_pattern *made, tb_array *const *values)
{
    if (status == TB_OK) s->a[first + 2] = *values;
    return keep(s, first, status, made);
}

static int solve(slots *s, const tb_pattern *p, bool lsmr)
{
    tb_least_squares options = {.lsmr = lsmr, .atol = 1e-6, .btol = 1e-6, .conlim = 1e8, .limit = 20};
    tb_array *x, *variance = NULL;
    const tb_status status =
        tb_sparse_solve_least_squares(p, s->a[3], false, s->a[0], NULL, &options, &x, lsmr ? NULL : &variance);
    if (status == TB_OK) s->a[lsmr ? 26 : 24] = x, s->a[lsmr ? 27 : 25] = variance;
    return status;
}

/* What one routine does on the host, of the matrix with these diagonals. */
int fault_sparse_routines(int step, slots *s)
{
    tb_pattern made = {0, 0, NULL, NULL};
    const tb_pattern p = {6, 6, s->a[4], s->a[5]}, of_rows = {3, 6, s->a[8], s->a[9]};
    tb_array *values = NULL;
    int64_t count;
    switch (step) {
    case 0: return tb_arange(TB_F64, tb_scalar_int(1), tb_scalar_int(1), 6, &s->a[0]);
    case 1: return tb_arange(TB_I32, tb_scalar_int(-1), tb_scalar_int(1), 3, &s->a[1]);
    case 2: return tb_full(TB_F64, 2, (const int64_t[]){3, 6}, 'C', tb_scalar_float(2.5), &s->a[2]);
    case 3: /* start, index, values in 4, 5, 3 */
    {
        const tb_status status = tb_sparse_from_bands(6, 6, s->a[1], s->a[2], &made, &values);
        if (status == TB_OK) s->a[3] = values;
        return keep(s, 4, status, &made);
    }
    case 4: return tb_sparse_to_dense(&p, s->a[3], true, 'F', &s->a[6]);
    case 5: return tb_sparse_get_diagonal(&p, s->a[3], 1, &s->a[7]);
    case 6: return tb_arange(TB_I32, tb_scalar_int(0), tb_scalar_int(2), 3, &s->a[11]);
    case 7: return keep_with(s, 8, tb_sparse_pick(&p, s->a[3], false, s->a[11], &made, &values), &made, &values);
    case 8: return keep_with(s, 12, tb_sparse_pick(&of_rows, s->a[10], true, s->a[11], &made, &values), &made, &values);
    case 9: return tb_sparse_get_element(&p, s->a[3], 2, 3, &s->a[15]);
    case 10: {
        const tb_status status =
            tb_sparse_join(2, (const tb_pattern[]){p, p}, (tb_array *[]){s->a[3], s->a[3]}, &made, &values);
        return keep_with(s, 16, status, &made, &values);
    }
    case 11: {
        const tb_ufunc *u = tb_ufunc_find("subtract");
        const tb_status status = tb_sparse_combine(&p, s->a[3], &p, s->a[3], u, &made, &values);
        return keep_with(s, 19, status, &made, &values);
    }
    case 12: return tb_graph_components(&p, false, &count, &s->a[22]);
    case 13: return tb_graph_components(&p, true, &count, &s->a[23]);
    case 14: return solve(s, &p, false);
    case 15: return solve(s, &p, true);
    case 16: return tb_sparse_matmul_bands(6, 6, s->a[1], s->a[2], s->a[0], &s->a[28]);
    case 17: return tb_full(TB_F32, 3, (const int64_t[]){16, 2, 1}, 'C', tb_scalar_float(1.5), &s->a[29]);
    case 18: return tb_sparse_matmul_blocks(&p, s->a[29], s->a[0], &s->a[30]);
    case 19: return tb_sparse_get_block_diagonal(&p, s->a[29], 1, &s->a[31]);
    case 20: return tb_graph_search(&p, 0, true, false, &s->a[32], &s->a[33]);
    case 21: return keep_with(s, 34, tb_graph_tree(&p, s->a[3], s->a[33], false, &made, &values), &made, &values);
    case 22: return tb_argsort(s->a[3], 0, &s->a[37]);
    case 23: return tb_graph_forest(&p, s->a[37], &s->a[38]);
    case 24: return tb_graph_matching(&p, &s->a[39], &s->a[40]);
    case 25: return tb_graph_distances(&p, s->a[3], s->a[11], false, false, 9, &s->a[41]);
    default: return LAST;
    }
}
