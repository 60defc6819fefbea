/* fault_equations.c - matrices solved and decomposed in steps, for fault_programs.c, by a LAPACK of plain loops. */
#include "fault_programs.h"
#include "lapack_loops.h"

#define A s->a

static tb_status add(tb_array *x, tb_array *y, tb_array **out)
{
    const tb_operand in[] = {{TB_OPERAND_ARRAY, .array = x}, {TB_OPERAND_ARRAY, .array = y}};
    return tb_ufunc_call(tb_ufunc_find("add"), in, out, NULL);
}

static tb_status watched(tb_array *a, tb_array *b, tb_array **out)
{
    const bool before = tb_linalg_errors_set(true);
    const tb_status status = tb_solve_linear(a, b, out);
    tb_linalg_errors_set(before);
    return status;
}

int fault_equations(int step, slots *s)
{
    static const int64_t square[] = {6, 6}, wide[] = {2, 4, 6};
    switch (step) {
    case 0: tb_provide_lapack(lapack_loops, NULL); return TB_OK;
    case 1: return tb_eye(TB_F64, 6, 6, 0, 'C', &A[0]);
    case 2: return tb_full(TB_F64, 2, square, 'C', tb_scalar_int(1), &A[1]);
    case 3: return add(A[0], A[1], &A[2]);
    case 4: return tb_full(TB_C64, 3, wide, 'C', tb_scalar_int(2), &A[3]);
    case 5: return tb_solve_linear(A[2], A[1], &A[4]);
    case 6: return tb_inverse(A[2], &A[5]);
    case 7: return tb_cholesky(A[2], true, &A[6]);
    case 8: return tb_cholesky_solve(A[6], false, A[1], &A[7]);
    case 9: return tb_lu_factor(A[2], &A[8], &A[9]);
    case 10: return tb_lu_solve(A[8], A[9], A[1], 'T', &A[10]);
    case 11: return watched(A[2], A[10], &A[13]);
    case 12: return tb_qr(A[3], TB_QR_COMPLETE, &A[11], &A[12]);
    default: return LAST;
    }
}

/* What there is more of than one program has slots for. */
int fault_eigenvalues(int step, slots *s)
{
    switch (step) {
    case 0: tb_provide_lapack(lapack_loops, NULL); return TB_OK;
    case 1: return tb_eye(TB_C128, 5, 5, 0, 'C', &A[0]);
    case 2: return add(A[0], A[0], &A[1]);
    case 3: return tb_eigh(A[1], true, &A[2], &A[3]);
    case 4: return tb_eigvalsh(A[1], false, &A[4]);
    case 5: return tb_eig(A[1], &A[5], &A[6]);
    case 6: return tb_eigvals(A[1], &A[7]);
    case 7: return tb_singular_values(A[1], &A[8]);
    case 8: return tb_qr(A[1], TB_QR_RAW, &A[9], &A[10]);
    case 9: return tb_solve_triangular(A[1], A[3], true, 'C', false, &A[11]);
    case 10: return tb_svd(A[1], false, &A[12], &A[13], &A[14]);
    default: return LAST;
    }
}

/* What is composed of several routines for each matrix. */
int fault_functions(int step, slots *s)
{
    static const int64_t stack[] = {3, 5, 5};
    int64_t below, above;
    switch (step) {
    case 0: tb_provide_lapack(lapack_loops, NULL); return TB_OK;
    case 1: return tb_eye(TB_F64, 5, 5, 0, 'C', &A[0]);
    case 2: return tb_full(TB_F64, 3, stack, 'C', tb_scalar_float(0.25), &A[1]);
    case 3: return add(A[0], A[1], &A[2]);
    case 4: return tb_expm(A[2], &A[3]);
    case 5: return tb_det(A[2], &A[4]);
    case 6: return tb_qr_pivoted(A[0], TB_QR_REDUCED, &A[5], &A[6], &A[7]);
    case 7: return tb_bandwidth(A[0], &below, &above);
    default: return LAST;
    }
}
