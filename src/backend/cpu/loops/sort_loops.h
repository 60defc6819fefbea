/* sort_loops.h - sorting signed integers of 32 and 64 bits in place, compiled once for each instruction set. Every
 * other order is one of such integers (plans/sort.c). */
#ifndef TB_BACKEND_CPU_LOOPS_SORT_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_SORT_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

typedef struct tb_sort_loops {
    void (*sort_32)(int32_t *x, int64_t n);
    void (*sort_64)(int64_t *x, int64_t n);
    /* Brings what is less than the others to the front, and returns how many these are. *same: they are all equal, and
     * may be all there are. n is at least TB_SORT_SPLIT. */
    int64_t (*split_32)(int32_t *x, int64_t n, bool *same);
    int64_t (*split_64)(int64_t *x, int64_t n, bool *same);
} tb_sort_loops;

enum { TB_SORT_SPLIT = 512 };

/* Of the best instruction set that the machine has. */
const tb_sort_loops *tb__sort_loops(void);
#endif
