/* resolve.h - which loop a ufunc runs for given operands (NumPy 2's promotion, NEP 50). */
#ifndef TB_OPS_RESOLVE_H
#define TB_OPS_RESOLVE_H
#include "tables/loops.h"

/* The dtype each operand counts as once weak scalars have bent to the others. */
tb_status tb__operand_dtypes(int nin, const tb_operand *in, tb_dtype *out);
/* *loop: the first loop of u (or of its first part) that every operand can be safely cast to; with dtype given, the
 * first whose output is dtype. */
tb_status tb__ufunc_resolve(const tb_ufunc *u, const tb_operand *in, tb_dtype dtype, tb_loop *loop);
const char *tb__casting_name(tb_casting rule);
#endif
