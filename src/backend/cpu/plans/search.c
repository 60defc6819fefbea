/* search.c - where values belong among elements in order, on all threads (loops/search_loops.h). */
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/search_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { PIECE = 1 << 14 };

extern const tb_search_loops tb__search_loops_base;
#ifdef TB_HAVE_ISA_AVX2
extern const tb_search_loops tb__search_loops_avx2;
#endif
#ifdef TB_HAVE_ISA_AVX512
extern const tb_search_loops tb__search_loops_avx512;
#endif

static const tb_search_loops *loops(void)
{
#ifdef TB_HAVE_ISA_AVX2
    if (strcmp(tb__cpu_isa(), "avx2") == 0) return &tb__search_loops_avx2;
#endif
#ifdef TB_HAVE_ISA_AVX512
    if (strcmp(tb__cpu_isa(), "avx512") == 0) return &tb__search_loops_avx512;
#endif
    return &tb__search_loops_base;
}

typedef struct search_job {
    const tb_search *s;
    tb_search_loop *loop;
} search_job;

static bool search_piece(void *arg, int64_t task)
{
    const search_job *j = arg;
    const tb_search *s = j->s;
    const int64_t to = tb__min((task + 1) * PIECE, s->n), size = (int64_t)tb_dtype_size(s->dtype);
    for (int64_t at = task * PIECE; at < to; at += TB_SEARCH_FEW)
        j->loop(s->sorted, s->nsorted, (const char *)s->values + at * size, (int)tb__min(TB_SEARCH_FEW, to - at),
                s->out + at);
    return true;
}

tb_status tb__cpu_search(const tb_search *s)
{
    search_job j = {s, (s->right ? loops()->right : loops()->left)[s->dtype]};
    return tb__parallel(tb__ceil_div(s->n, PIECE), search_piece, &j);
}
