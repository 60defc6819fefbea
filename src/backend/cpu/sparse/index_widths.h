/* index_widths.h - includes LOOPS, a file of loops, for indices of 32 and of 64 bits: INDEX is their type, LOOP(name) a
 * loop's name. */
#define INDEX int32_t
#define LOOP(name) name##_32
#include LOOPS
#undef INDEX
#undef LOOP
#define INDEX int64_t
#define LOOP(name) name##_64
#include LOOPS
#undef INDEX
#undef LOOP
#undef LOOPS
