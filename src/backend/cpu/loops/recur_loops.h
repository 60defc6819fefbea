/* recur_loops.h - sections of a digital filter over tiles, compiled once for each instruction set. A tile has a column
 * for each of its lanes, which are stretches of rows, one element of each in a line of it; of complex numbers a column
 * for the real parts of all lanes and one for the imaginary ones behind it. */
#ifndef TB_BACKEND_CPU_LOOPS_RECUR_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_RECUR_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

#include "backend/cpu/loops/isa.h"
#include "tombac/tombac.h"

enum { TB_RECUR_TILE = 64 /* lines */ };

typedef struct tb_recur_loops {
    int lanes; /* at most 64 */
    /* The first n lanes, or more, of `count` lines of a tile, in place. states: `order` lines. c: b[0..order],
     * a[0..order]; whole: a is not all 0. */
    void (*section)(void *tile, int64_t count, int n, void *states, const void *c, int order, bool whole);
    /* To and from a tile: `count` elements from each of n <= lanes addresses on, `step` elements apart. */
    void (*load)(void *tile, int64_t count, int n, const void *const *from, int64_t step);
    void (*store)(const void *tile, int64_t count, int n, void *const *to, int64_t step);
} tb_recur_loops;
/* Of float32, float64, complex64 and complex128. */
typedef struct tb_recur_isa {
    tb_recur_loops of[4];
} tb_recur_isa;
TB_ISA_EXTERN(const tb_recur_isa, tb__recur_, )
#endif
