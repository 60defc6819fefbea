/* loops_select.c - which loops this machine runs: those of the best instruction set it has, with vector code on top. */
#include "backend/cpu/loops/loops.h"
#include "tables/loops.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct isa {
    const char *name;
    const tb_cpu_loop *loops;
    void (*vecmath)(tb_cpu_loop *table);
    void (*random)(tb_cpu_loop *table);
    void (*modulo)(tb_cpu_loop *table);
} isa;

static const isa base = {"base", tb__loops_base, tb__vecmath_base, tb__random_base, tb__modulo_base};
#ifdef TB_HAVE_ISA_AVX2
static const isa avx2 = {"avx2", tb__loops_avx2, tb__vecmath_avx2, tb__random_avx2, tb__modulo_avx2};
#endif
#ifdef TB_HAVE_ISA_AVX512
static const isa avx512 = {"avx512", tb__loops_avx512, tb__vecmath_avx512, tb__random_avx512, tb__modulo_avx512};
#endif

static const tb_cpu_loop *chosen;
static const char *chosen_name;
static pthread_once_t made = PTHREAD_ONCE_INIT;

#if defined(TB_HAVE_ISA_AVX2) || defined(TB_HAVE_ISA_AVX512)
/* Whether the environment allows `name`, given that it may ask for a lesser set. */
static bool allowed(const char *name)
{
    static const char *const order[] = {"base", "avx2", "avx512"};
    const char *limit = getenv("TOMBAC_CPU_ISA");
    for (int i = 0; limit && i < 3; i++) {
        if (strcmp(order[i], name) == 0) return true;
        if (strcmp(order[i], limit) == 0) return false;
    }
    return true;
}
#endif

static const isa *best(void)
{
#ifdef TB_HAVE_ISA_AVX512
    if (allowed("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &avx512;
#endif
#ifdef TB_HAVE_ISA_AVX2
    if (allowed("avx2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return &avx2;
#endif
    return &base;
}

static void make(void)
{
#if defined(TB_HAVE_ISA_AVX2) || defined(TB_HAVE_ISA_AVX512)
    __builtin_cpu_init();
#endif
    const isa *set = best();
    chosen_name = set->name;
    tb_cpu_loop *table = malloc((size_t)tb_nloop * sizeof *table);
    if (!table) {
        chosen = set->loops; /* correct, only slower */
        return;
    }
    memcpy(table, set->loops, (size_t)tb_nloop * sizeof *table);
    set->vecmath(table);
    set->random(table);
    set->modulo(table);
    chosen = table;
}

const tb_cpu_loop *tb__cpu_loops(void)
{
    pthread_once(&made, make);
    return chosen;
}

const char *tb__cpu_isa(void)
{
    tb__cpu_loops();
    return chosen_name;
}
