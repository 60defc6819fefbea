/* lapack.h - the routines of a Fortran LAPACK: one that was provided, else one found by dlopen. */
#ifndef TB_BACKEND_CPU_SOLVERS_LAPACK_H
#define TB_BACKEND_CPU_SOLVERS_LAPACK_H
#include <stdbool.h>

#include "backend/solver.h"

typedef void (*tb_lapack_function)(void);

/* The routines of one dtype, numbered as in solver.h. Integers have 32 bits. */
typedef struct tb_lapack {
    tb_lapack_function routine[TB_NLAPACK];
} tb_lapack;

enum { TB_LAPACK_TYPES = 4 }; /* f32, f64, c64, c128 */

/* Those of f32, f64, c64 or c128. TB_ERR_LIBRARY where there is none. With the core lock. */
tb_status tb__lapack(tb_dtype t, const tb_lapack **out);
/* Where they come from, as text; NULL: nowhere. With the core lock. */
const char *tb__lapack_source(void);

/* stack.c: every matrix of the stack, by several threads where they are many and small. */
tb_status tb__cpu_solve(const tb_solve *q);
#endif
