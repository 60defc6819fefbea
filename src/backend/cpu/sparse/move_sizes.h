/* move_sizes.h - the file LOOPS for each size of values. Included by move_forms.h for each width of indices. */
#define SIZE 1
#define VALUE uint8_t
#include LOOPS
#undef SIZE
#undef VALUE
#define SIZE 2
#define VALUE uint16_t
#include LOOPS
#undef SIZE
#undef VALUE
#define SIZE 4
#define VALUE uint32_t
#include LOOPS
#undef SIZE
#undef VALUE
#define SIZE 8
#define VALUE uint64_t
#include LOOPS
#undef SIZE
#undef VALUE
#define SIZE 16
#define VALUE value16
#include LOOPS
#undef SIZE
#undef VALUE
