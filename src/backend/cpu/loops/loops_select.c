/* loops_select.c - which loops this machine runs: those of the best instruction set it has, with vector code on top. */
#include "backend/cpu/loops/isa.h"
#include "backend/cpu/loops/loops.h"
#include "base/environment.h"
#include "base/processor.h"
#include "tables/loops.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct isa {
    const char *name;
    tb_cpu_level level;
    const tb_cpu_loop *loops;
    void (*vecmath)(tb_cpu_loop *table);
    void (*special)(tb_cpu_loop *table);
    void (*random)(tb_cpu_loop *table);
    void (*distributions)(tb_cpu_loop *table);
    void (*modulo)(tb_cpu_loop *table);
    void (*divide)(tb_cpu_loop *by_number);
    void (*numbers)(tb_cpu_loop *by_number, tb_cpu_loop *of_number);
} isa;

#define ISA(isa, level)                                                                                   \
    {                                                                                                     \
        #isa, level, tb__loops_##isa, tb__vecmath_##isa, tb__special_vectors_##isa, tb__random_##isa,     \
            tb__distributions_##isa, tb__modulo_##isa, tb__divide_##isa, tb__numbers_##isa                \
    }
static const isa base = ISA(base, TB_CPU_BASE);
#ifdef TB_HAVE_ISA_AVX2
static const isa avx2 = ISA(avx2, TB_CPU_AVX2);
#endif
#ifdef TB_HAVE_ISA_AVX512
static const isa avx512 = ISA(avx512, TB_CPU_AVX512);
#endif

static const tb_cpu_loop *chosen, *by_number, *of_number;
static const char *chosen_name;
static tb_cpu_level chosen_level;
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* The best that the processor, the build and the environment (0: base, 1: avx2, 2: avx512) allow. */
static const isa *best(void)
{
    const int level = tb__processor_level();
    const int64_t most = tb__environment(TB_ENV_CPU_ISA, INT64_MAX);
    (void)level, (void)most;
#ifdef TB_HAVE_ISA_AVX512
    if (level >= 4 && most >= 2) return &avx512;
#endif
#ifdef TB_HAVE_ISA_AVX2
    if (level >= 3 && most >= 1) return &avx2;
#endif
    return &base;
}

static void make(void)
{
    const isa *set = best();
    chosen_name = set->name;
    chosen_level = set->level;
    tb_cpu_loop *table = malloc((size_t)tb_nloop * sizeof *table);
    tb_cpu_loop *numbers = calloc(2 * (size_t)tb_nloop, sizeof *numbers);
    if (!table || !numbers) {
        free(table);
        free(numbers);
        chosen = base.loops; /* correct, only slower */
        return;
    }
    for (int i = 0; i < tb_nloop; i++) table[i] = set->loops[i] ? set->loops[i] : base.loops[i];
    set->vecmath(table);
    set->special(table);
    set->random(table);
    set->distributions(table);
    set->modulo(table);
    set->divide(numbers);
    set->numbers(numbers, numbers + tb_nloop);
    chosen = table;
    by_number = numbers;
    of_number = numbers + tb_nloop;
}

const tb_cpu_loop *tb__cpu_loops(void)
{
    pthread_once(&made, make);
    return chosen;
}

tb_cpu_loop tb__cpu_loop_by_number(uint16_t loop)
{
    pthread_once(&made, make);
    return by_number ? by_number[loop] : NULL;
}

tb_cpu_loop tb__cpu_loop_of_number(uint16_t loop)
{
    pthread_once(&made, make);
    return of_number ? of_number[loop] : NULL;
}

const char *tb__cpu_isa(void)
{
    tb__cpu_loops();
    return chosen_name;
}

tb_cpu_level tb__cpu_level(void)
{
    tb__cpu_loops();
    return chosen_level;
}
