/* move_sizes.h - move_loops.h for each size of values. Included by moves.c for each width of indices. */
#define SIZE 1
#define VALUE uint8_t
#include "backend/cpu/sparse/move_loops.h"
#undef SIZE
#undef VALUE
#define SIZE 2
#define VALUE uint16_t
#include "backend/cpu/sparse/move_loops.h"
#undef SIZE
#undef VALUE
#define SIZE 4
#define VALUE uint32_t
#include "backend/cpu/sparse/move_loops.h"
#undef SIZE
#undef VALUE
#define SIZE 8
#define VALUE uint64_t
#include "backend/cpu/sparse/move_loops.h"
#undef SIZE
#undef VALUE
#define SIZE 16
#define VALUE value16
#include "backend/cpu/sparse/move_loops.h"
#undef SIZE
#undef VALUE
