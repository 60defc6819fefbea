/* reduce_extremes.c - the loops of minima, maxima, truth values and bits, whose order does not matter. Compiled once
 * per instruction set (TB_ISA). */
#include "backend/cpu/loops/loops.h"

#define TB_UNIT TB_ISA_NAME(tb__red_extremes_, TB_ISA)
#define SUMS(...)
#define EXTREMES(...) __VA_ARGS__
#include "backend/cpu/loops/reduce_unit.h"
