/* index_loops.c - index_loops.h for indices of 32 and of 64 bits. */
#include <string.h>

#include "backend/cpu/sparse/sparse.h"

#define INDEX int32_t
#define LOOP(name) name##_32
#include "backend/cpu/sparse/index_loops.h"
#undef INDEX
#undef LOOP
#define INDEX int64_t
#define LOOP(name) name##_64
#include "backend/cpu/sparse/index_loops.h"
