/* move_forms.h - the file LOOPS for each width of indices and each size of values, where LOOP(name) is the name of a
 * function. Included by moves.c and groups.c. */
typedef struct value16 {
    uint64_t half[2];
} value16;

#define PASTE(name, size, width) name##_##size##_##width
#define EXPAND(name, size, width) PASTE(name, size, width)
#define LOOP(name) EXPAND(name, SIZE, WIDTH)
#define INDEX int32_t
#define WIDTH 32
#include "backend/cpu/sparse/move_sizes.h"
#undef INDEX
#undef WIDTH
#define INDEX int64_t
#define WIDTH 64
#include "backend/cpu/sparse/move_sizes.h"
#undef INDEX
#undef WIDTH
