/* solver.c - what the routines of solver.h take: sizes and uses of their operands. */
#include "backend/solver.h"

#include <string.h>

tb_status (*tb__host_solve)(tb_stream *none, const tb_solve *q);

const char *tb__solver_name(tb_solver r)
{
    static const char *const names[] = {
#define X(name) #name,
        TB_SOLVERS(X)
#undef X
    };
    return names[r];
}

static size_t least(int64_t a, int64_t b) { return (size_t)(a < b ? a : b); }

void tb__solve_sizes(const tb_solve *q, tb_solve_sizes *out)
{
    const size_t item = tb_dtype_size(q->dtype), real = tb_dtype_kind(q->dtype) == TB_KIND_COMPLEX ? item / 2 : item;
    const size_t m = (size_t)q->m, n = (size_t)q->n, k = (size_t)q->k, few = least(q->m, q->n);
    *out = (tb_solve_sizes){0};
    switch (q->routine) {
    case TB_SOLVER_potrf: out->a = n * n * item; break;
    case TB_SOLVER_potrs:
    case TB_SOLVER_trtrs:
        out->a = n * n * item;
        out->b = n * k * item;
        break;
    case TB_SOLVER_getrf:
        out->a = m * n * item;
        out->pivots = few * sizeof(int32_t);
        break;
    case TB_SOLVER_getrs: out->b = n * k * item; /* fallthrough */
    case TB_SOLVER_getri:
        out->a = n * n * item;
        out->pivots = n * sizeof(int32_t);
        break;
    case TB_SOLVER_geqp3: out->pivots = n * sizeof(int32_t); /* fallthrough */
    case TB_SOLVER_geqrf:
        out->a = m * n * item;
        out->v = few * item;
        break;
    case TB_SOLVER_orgqr:
        out->a = m * n * item;
        out->v = k * item;
        break;
    case TB_SOLVER_ormqr:
        out->a = m * k * item;
        out->b = m * n * item;
        out->v = k * item;
        break;
    case TB_SOLVER_gesdd:
        out->a = m * n * item;
        out->v = few * real;
        if (q->job == 'N') break;
        out->b = m * (q->job == 'A' ? m : few) * item;
        out->c = n * (q->job == 'A' ? n : few) * item;
        break;
    case TB_SOLVER_syevd:
        out->a = n * n * item;
        out->v = n * real;
        break;
    case TB_SOLVER_det:
        out->a = n * n * item;
        out->v = real == item ? sizeof(double) : 2 * sizeof(double);
        break;
    case TB_SOLVER_expm: out->a = n * n * item; break;
    default: /* geev */
        out->a = n * n * item;
        out->v = n * 2 * real;
        if (q->job == 'V') out->b = n * n * 2 * real;
    }
}

tb_solve_use tb__solve_use(const tb_solve *q)
{
    switch (q->routine) {
    case TB_SOLVER_potrf: return (tb_solve_use){"a", "a"};
    case TB_SOLVER_getrf: return (tb_solve_use){"a", "ap"};
    case TB_SOLVER_getrs: return (tb_solve_use){"abp", "b"};
    case TB_SOLVER_getri: return (tb_solve_use){"ap", "a"};
    case TB_SOLVER_geqrf: return (tb_solve_use){"a", "av"};
    case TB_SOLVER_geqp3: return (tb_solve_use){"ap", "avp"};
    case TB_SOLVER_det: return (tb_solve_use){"a", "v"};
    case TB_SOLVER_expm: return (tb_solve_use){"a", "a"};
    case TB_SOLVER_orgqr: return (tb_solve_use){"av", "a"};
    case TB_SOLVER_ormqr: return (tb_solve_use){"abv", "b"};
    case TB_SOLVER_gesdd: return (tb_solve_use){"a", q->job == 'N' ? "v" : "bcv"};
    case TB_SOLVER_syevd: return (tb_solve_use){"a", q->job == 'N' ? "v" : "av"};
    case TB_SOLVER_geev: return (tb_solve_use){"a", q->job == 'N' ? "v" : "bv"};
    default: return (tb_solve_use){"ab", "b"}; /* potrs, trtrs */
    }
}
