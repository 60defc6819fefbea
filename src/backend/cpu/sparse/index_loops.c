/* index_loops.c - index_loops.h for indices of 32 and of 64 bits. */
#include <string.h>

#include "backend/cpu/sparse/sparse.h"

#define LOOPS "backend/cpu/sparse/index_loops.h"
#include "backend/cpu/sparse/index_widths.h"
