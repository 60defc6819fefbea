/* composed.h - what LAPACK has no routine for and is made of its routines, for one matrix of a stack. */
#ifndef TB_BACKEND_CPU_SOLVERS_COMPOSED_H
#define TB_BACKEND_CPU_SOLVERS_COMPOSED_H
#include "backend/cpu/solvers/stack.h"

/* det.c, expm.c: as tb_lapack_routine has them. */
bool tb__measure_det(const tb_lapack_item *x, tb_lapack_space *need);
int tb__call_det(const tb_lapack_item *x, tb_lapack_space *space);
bool tb__measure_expm(const tb_lapack_item *x, tb_lapack_space *need);
int tb__call_expm(const tb_lapack_item *x, tb_lapack_space *space);

/* routines.c: LU factors of the n x n matrix a and b (n x k) solved by them. LAPACK's info. */
int tb__lapack_getrf(const tb_lapack_item *x, void *a, int *pivots);
int tb__lapack_getrs(const tb_lapack_item *x, const void *a, const int *pivots, void *b);
#endif
