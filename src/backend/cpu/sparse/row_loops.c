/* row_loops.c - row_loops.h for each dtype and width of indices, in vectors of one instruction set. */
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/sparse/sparse.h"

#define LOOPS "backend/cpu/sparse/row_loops.h"
#include "backend/cpu/sparse/product_types.h"

const tb_row_loops *const TB_ISA_NAME(tb__row_loops_, TB_ISA)[TB_NDTYPE][2] = BY_DTYPE(row_loops);
