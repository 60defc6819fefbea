/* stack.c - stacks of matrices on the CPU: each is given to LAPACK, by several threads where they are many and small;
 * LAPACK has threads of its own for large ones. Where a decomposition fails, its results become NaN. */
#include "backend/cpu/solvers/stack.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/threads.h"

typedef struct job {
    const tb_solve *q;
    tb_solve_sizes size;
    tb_lapack_item like; /* what all matrices have in common */
    int64_t chunk;       /* matrices that a task has */
} job;

/* ---- one matrix ------------------------------------------------------------------------------------------------- */

static void *at(void *base, int64_t i, size_t size) { return size ? (char *)base + (size_t)i * size : NULL; }

static void fill_nan(tb_dtype t, void *to, size_t bytes)
{
    const bool narrow = t == TB_F32 || t == TB_C64;
    if (narrow)
        for (float *p = to; (char *)p < (char *)to + bytes; p++) *p = NAN;
    else
        for (double *p = to; (char *)p < (char *)to + bytes; p++) *p = NAN;
}

/* A singular matrix has LU factors all the same. */
static void spoil(const job *j, const tb_lapack_item *x)
{
    if (j->q->routine == TB_SOLVER_getrf) return;
    for (const char *out = tb__solve_use(j->q).out; *out; out++)
        if (*out == 'a') fill_nan(j->q->dtype, x->a, j->size.a);
        else if (*out == 'b') fill_nan(j->q->dtype, x->b, j->size.b);
        else if (*out == 'c') fill_nan(j->q->dtype, x->c, j->size.c);
        else fill_nan(j->q->dtype, x->v, j->size.v);
}

static void solve_one(const job *j, int64_t i, tb_lapack_space *space)
{
    tb_lapack_item x = j->like;
    x.a = at(j->q->a, i, j->size.a);
    x.b = at(j->q->b, i, j->size.b);
    x.c = at(j->q->c, i, j->size.c);
    x.v = at(j->q->v, i, j->size.v);
    x.pivots = at(j->q->pivots, i, j->size.pivots);
    const int info = x.routine->call(&x, space);
    if (j->q->info) j->q->info[i] = info;
    if (info != 0) spoil(j, &x);
}

/* ---- the stack -------------------------------------------------------------------------------------------------- */

static size_t up(size_t n) { return (n + 63) & ~(size_t)63; }

static bool solve_chunk(void *arg, int64_t task)
{
    enum { KEPT = 1 << 20 };
    const job *j = arg;
    const tb_lapack_space *need = &j->like.need;
    const size_t work = up((size_t)need->nwork * j->like.item), real = up(need->real_bytes);
    const size_t bytes = work + real + (size_t)need->ninteger * sizeof(int) + 64;
    char *p = bytes <= KEPT ? tb__scratch(bytes) : malloc(bytes);
    if (!p) return false;
    tb_lapack_space space = *need;
    space.work = p;
    space.real = p + work;
    space.integer = (int *)(void *)(p + work + real);
    const int64_t first = task * j->chunk, last = tb__min(first + j->chunk, j->q->batch);
    for (int64_t i = first; i < last; i++) solve_one(j, i, &space);
    if (bytes > KEPT) free(p);
    return true;
}

/* So many that starting a task pays, and for LAPACK to use its own threads all if matrices are large. */
static int64_t chunk_of(const tb_solve *q)
{
    enum { SMALL = 128, WORK = 1 << 15 };
    const int64_t m = tb__max(q->m, 1), n = tb__max(q->n, 1), k = tb__max(q->k, 1);
    if (m > SMALL || n > SMALL || k > 4 * SMALL) return q->batch;
    return tb__max(1, WORK / (m * n * tb__max(tb__min(m, n), k) + 1));
}

tb_status tb__cpu_solve(const tb_solve *q)
{
    job j = {.q = q};
    const tb_lapack *lapack;
    if (q->m > INT_MAX || q->n > INT_MAX || q->k > INT_MAX)
        return tb__fail(TB_ERR_VALUE, "%s: LAPACK has no matrices of more than 2^31 rows or columns",
                        tb__solver_name(q->routine));
    TB_TRY(tb__lapack(q->dtype, &lapack));
    tb__solve_sizes(q, &j.size);
    TB_TRY(tb__lapack_item_like(q, lapack, &j.like));
    if (q->routine == TB_SOLVER_expm) TB_TRY(tb__cpu_blas(q->dtype, &j.like.blas));
    j.chunk = chunk_of(q);
    /* It may take seconds, and its operands are nobody else's: meanwhile other threads go on. */
    const bool alone = tb__lock_depth == 1;
    if (alone) tb__unlock();
    const tb_status status = tb__parallel(tb__ceil_div(q->batch, j.chunk), solve_chunk, &j);
    if (alone) tb__lock();
    return status;
}
