/* reduce_select.c - which reduction loops this machine runs: of the same instruction set as the elementwise loops. */
#include <pthread.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/reduce_loops.h"

enum {
#define RED(op, in, ...) AT_##op##_##in,
#undef bool
#include "tables/reduce.def"
    ROWS
};

static tb_red_loops table[ROWS];

#define FILL(isa)                                                                                       \
    tb__red_sums_##isa(table), tb__red_extremes_##isa(table), tb__red_places_##isa(table), tb__red_exps_##isa(table)

static void make(void)
{
    const char *isa = tb__cpu_isa();
    (void)isa;
#ifdef TB_HAVE_ISA_AVX512
    if (strcmp(isa, "avx512") == 0) FILL(avx512);
    else
#endif
#ifdef TB_HAVE_ISA_AVX2
        if (strcmp(isa, "avx2") == 0)
        FILL(avx2);
    else
#endif
        FILL(base);
    tb__red_scans(table);
#define RED_TWIN(of, op, in, ...) table[AT_##op##_##in] = table[AT_##of];
#include "tables/reduce.def"
}

const tb_red_loops *tb__cpu_red_loops(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make);
    return table;
}
