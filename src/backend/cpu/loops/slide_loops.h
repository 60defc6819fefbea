/* slide_loops.h - sums of products of a vector's windows with another vector, compiled once for each instruction
 * set. */
#ifndef TB_BACKEND_CPU_LOOPS_SLIDE_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_SLIDE_LOOPS_H
#include <stdint.h>

#include "backend/cpu/loops/isa.h"
#include "tombac/tombac.h"

/* The most results that are made at a time. */
enum { TB_SLIDE_MOST = 128 };

/* out[l] = sum over j < k of a[l + j] * w[j], for every l of a tile. */
typedef void tb_slide_loop(const void *a, const void *w, int64_t k, void *out);

typedef struct tb_slide_loops {
    tb_slide_loop *loop[TB_NDTYPE]; /* NULL: there is none */
    int tile[TB_NDTYPE];            /* results */
} tb_slide_loops;
TB_ISA_EXTERN(const tb_slide_loops, tb__slide_loops_, )
#endif
