/* eigenvalues.c - the eigenvalues of one real symmetric matrix of middle size, for which cuSOLVER takes 2.5 to 3 times
 * as long. */
#include "backend/gpu/kernel.h"
#include "backend/retry.h"
#include "base/arith.h"
#include "base/error.h"

enum {
    LEAST = 33,      /* rows: fewer are a stack's, whatever its length */
    WARPS = 4,       /* of a block of TRIDIAGONAL, */
    ROWS = 2,        /* and the rows of each */
    MOST = 512,      /* rows, whose elements fit registers: of float64, */
    MOST_F32 = 1024, /* and of float32 */
    SEARCHERS = 8,   /* warps of a block of EIGENVALUES */
};

static int64_t blocks_of(int64_t n) { return tb__ceil_div(n, WARPS * ROWS); }

bool tb__gpu_has_eigenvalues(const tb_stream *s, const tb_solve *q)
{
    const int64_t most = q->dtype == TB_F32 ? MOST_F32 : q->dtype == TB_F64 ? MOST : 0;
    return q->routine == TB_SOLVER_syevd && q->job == 'N' && q->batch == 1 && q->n >= LEAST && q->n <= most &&
           blocks_of(q->n) <= tb__gpu_devices[s->device].chip.sms;
}

void tb__eigenvalues_sources(tb_dtype t, int64_t n, tb_routine_source *out)
{
    uint8_t columns = 4;
    while (32 * columns < n) columns = (uint8_t)(2 * columns);
    out[0] = (tb_routine_source){.kind = TB_ROUTINE_TRIDIAGONAL, .dtype = (uint8_t)t, .items = columns, .warps = WARPS};
    out[1] =
        (tb_routine_source){.kind = TB_ROUTINE_EIGENVALUES, .dtype = (uint8_t)t, .items = columns, .warps = SEARCHERS};
}

/* work: two vectors of n + 1, then what is posted. */
static tb_status run(tb_stream *s, const tb_solve *q, int32_t *info, char *work, size_t item)
{
    tb_routine_source source[TB_EIGEN_SOURCES];
    char *d = work, *e = d + (size_t)(q->n + 1) * item, *posts = e + (size_t)(q->n + 1) * item;
    const size_t posted = (size_t)(2 * q->n * q->n + blocks_of(q->n)) * item;
    const struct {
        const void *a;
        void *d, *e, *posts;
        int64_t n;
        int32_t upper;
    } reduce = {q->a, d, e, posts, q->n, q->uplo == 'U'};
    const struct {
        const void *d, *e;
        void *values;
        int32_t *info;
        int64_t n;
    } find = {d, e, q->v, info, q->n};
    tb__eigenvalues_sources(q->dtype, q->n, source);
    tb__gpu_routine_ahead(s, &source[1]);
    TB_TRY(tb__gpu->set(s, posts, UINT32_MAX, 4, posted));
    TB_TRY(tb__gpu_run_routine(s, &source[0], &reduce, sizeof reduce, blocks_of(q->n), 32 * WARPS));
    tb__retry_no_more();
    return tb__gpu_run_routine(s, &source[1], &find, sizeof find, tb__ceil_div(q->n, SEARCHERS), 32 * SEARCHERS);
}

tb_status tb__gpu_eigenvalues(tb_stream *s, const tb_solve *q, int32_t *info)
{
    const size_t item = tb_dtype_size(q->dtype);
    const int64_t numbers = 2 * (q->n + 1) + 2 * q->n * q->n + blocks_of(q->n);
    void *work;
    TB_TRY(tb__gpu->enter(s->device));
    TB_TRY(tb__pool_alloc(s, (size_t)numbers * item, &work));
    const tb_status status = run(s, q, info, work, item);
    tb__pool_free(s->device, s->handle, work);
    return status;
}
