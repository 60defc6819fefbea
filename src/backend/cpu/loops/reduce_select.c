/* reduce_select.c - which reduction loops this machine runs: of the same instruction set as the elementwise loops. */
#include <stdatomic.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/reduce_loops.h"

extern const tb_red_loops tb__cpu_red_loops_base[];
#ifdef TB_HAVE_ISA_AVX2
extern const tb_red_loops tb__cpu_red_loops_avx2[];
#endif
#ifdef TB_HAVE_ISA_AVX512
extern const tb_red_loops tb__cpu_red_loops_avx512[];
#endif

static const tb_red_loops *best(void)
{
#ifdef TB_HAVE_ISA_AVX512
    if (strcmp(tb__cpu_isa(), "avx512") == 0) return tb__cpu_red_loops_avx512;
#endif
#ifdef TB_HAVE_ISA_AVX2
    if (strcmp(tb__cpu_isa(), "avx2") == 0) return tb__cpu_red_loops_avx2;
#endif
    return tb__cpu_red_loops_base;
}

const tb_red_loops *tb__cpu_red_loops(void)
{
    static const tb_red_loops *_Atomic chosen;
    const tb_red_loops *loops = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (!loops) {
        loops = best();
        atomic_store_explicit(&chosen, loops, memory_order_relaxed);
    }
    return loops;
}
