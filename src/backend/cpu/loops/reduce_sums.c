/* reduce_sums.c - the loops of sums, products, means and variances. Compiled once per instruction set (TB_ISA). */
#include "backend/cpu/loops/loops.h"

#define TB_UNIT TB_ISA_NAME(tb__red_sums_, TB_ISA)
#define SUMS(...) __VA_ARGS__
#define EXTREMES(...)
#include "backend/cpu/loops/reduce_unit.h"
