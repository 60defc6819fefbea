/* loops.h - src/backend/cpu/loops is the host's loops, compiled once for each instruction set: here the elementwise
 * ones, a function for each row of the tables; reduce_loops.h has reductions, gemm_loops.h products of integers. */
#ifndef TB_BACKEND_CPU_LOOPS_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_LOOPS_H
#include <stdint.h>

/* Computes n points. p[0] is the output, p[1] ... the inputs; all are contiguous and of the loop's dtypes in memory.
 * The output may be exactly one of the inputs; other overlap is not allowed. A generator's inputs point to one value
 * each, and `index` is the number of its first point; other loops ignore it. What a point gives does not depend on its
 * place in the run. */
typedef void (*tb_cpu_loop)(int64_t n, void *const *p, int64_t index);

/* The table for this machine, indexed by tb_loop, casts included. Made at the first call; any thread may ask. The
 * environment variable TOMBAC_CPU_ISA (base, avx2, avx512) names a lesser instruction set to use. */
const tb_cpu_loop *tb__cpu_loops(void);
/* The loop, where inputs behind the first are one number each, to which p points. NULL: there is none that would take
 * less time than the loop with as many numbers as there are points. */
tb_cpu_loop tb__cpu_loop_by_number(uint16_t loop);
/* The same where the first of two inputs is one number. */
tb_cpu_loop tb__cpu_loop_of_number(uint16_t loop);
/* n times: the element of the loop's output dtype at to + k * step + where[k] becomes the loop of what it is and v[k].
 * The places may lie at any address, and be one place. */
typedef void (*tb_cpu_update)(int64_t n, char *to, int64_t step, const int64_t *where, const char *v);
/* NULL: the loop has no such form, but for a call of the loop each time. */
tb_cpu_update tb__cpu_update(uint16_t loop);
/* The name of the instruction set that the loops use: "base", "avx2" or "avx512". */
const char *tb__cpu_isa(void);

/* What loops.c, libmvec.c, vecmath.c, special_vectors.c, random_loops.c, distribution_loops.c and modulo.c, compiled
 * once for each instruction set, provide: the loops of all rows (NULL: the base set's), and replacements by vector
 * code, written over a copy of that table in this order (libmvec by vecmath). divide.c and number_loops.c write those
 * by a number. */
#define TB_ISA_PASTE(name, isa) name##isa
#define TB_ISA_NAME(name, isa) TB_ISA_PASTE(name, isa)
#define TB_ISA_PART(isa)                            \
    extern const tb_cpu_loop tb__loops_##isa[];     \
    void tb__libmvec_##isa(tb_cpu_loop *table);     \
    void tb__vecmath_##isa(tb_cpu_loop *table);     \
    void tb__special_vectors_##isa(tb_cpu_loop *table); \
    void tb__random_##isa(tb_cpu_loop *table);      \
    void tb__distributions_##isa(tb_cpu_loop *table); \
    void tb__modulo_##isa(tb_cpu_loop *table);      \
    void tb__divide_##isa(tb_cpu_loop *by_number);  \
    void tb__numbers_##isa(tb_cpu_loop *by_number, tb_cpu_loop *of_number);
TB_ISA_PART(base)
TB_ISA_PART(avx2)
TB_ISA_PART(avx512)
#endif
