/* product_loops.c - product_loops.h for each dtype and width of indices. */
#include <string.h>

#include "backend/cpu/sparse/sparse.h"

#define LOOPS "backend/cpu/sparse/product_loops.h"
#include "backend/cpu/sparse/product_types.h"

static const tb_product_loops *const loops[TB_NDTYPE][2] = BY_DTYPE(tb__product_loops);

const tb_product_loops *tb__product_loops(tb_dtype t, bool wide) { return loops[t][wide]; }
