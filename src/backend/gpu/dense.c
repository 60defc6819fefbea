/* dense.c - stacks of small matrices, by a kernel with a block for each (kernels/device/dense_*.h): the libraries have
 * no call for the stack, need several kernels for one matrix, or leave singular ones unfinished. */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum {
    SMALL = 32,  /* rows and columns that a warp works on, or for fewer of them than a STACK four, */
    MIDDLE = 64, /* that four do, */
    LARGE = 256, /* and that eight do in place, */
    MANY = 8,    /* if they are at least so many */
    STACK = 1024,
};

static int kind_of(const tb_solve *q)
{
    switch (q->routine) {
    case TB_SOLVER_getrf: return TB_ROUTINE_DENSE_LU;
    case TB_SOLVER_getrs: return TB_ROUTINE_DENSE_SOLVE;
    case TB_SOLVER_geqrf: return TB_ROUTINE_DENSE_QR;
    case TB_SOLVER_orgqr: return TB_ROUTINE_DENSE_Q;
    default: return -1;
    }
}

/* Whether large matrices are better worked on in place than by a library: what cuBLAS leaves of singular ones is no
 * factor, and of Q there is no call for a stack. */
static bool works_in_place(const tb_solve *q)
{
    if (q->routine == TB_SOLVER_getrf) return q->singular && q->batch > 1;
    return q->routine == TB_SOLVER_orgqr && q->batch >= MANY;
}

bool tb__gpu_solves(const tb_solve *q)
{
    const int64_t size = tb__max(q->m, q->n);
    if (kind_of(q) < 0 || q->batch > INT32_MAX) return false;
    if (size <= SMALL || (size <= MIDDLE && tb_dtype_size(q->dtype) <= sizeof(double))) return true;
    return size <= LARGE && works_in_place(q);
}

tb_routine_source tb__dense_source(const tb_solve *q)
{
    const int64_t size = tb__max(q->m, q->n);
    const bool fits = size <= MIDDLE && tb_dtype_size(q->dtype) <= sizeof(double);
    const int room = size <= SMALL ? SMALL : fits ? MIDDLE : 0;
    return (tb_routine_source){.kind = (uint8_t)kind_of(q),
                               .dtype = (uint8_t)q->dtype,
                               .items = (uint8_t)room,
                               .warps = room == 0                            ? 8
                                        : room == MIDDLE || q->batch < STACK ? 4
                                                                             : 1};
}

static tb_status run(tb_stream *s, const tb_routine_source *source, const tb_solve *q, void *a, int64_t blocks)
{
    const struct {
        void *a, *b, *v;
        int32_t *pivots, *info;
        int64_t m, n, k;
        int32_t transposed, conjugated;
    } params = {a, q->b, q->v, q->pivots, q->info, q->m, q->n, q->k, q->trans != 'N', q->trans == 'C'};
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, source, &params, sizeof params, blocks, 32 * source->warps);
}

tb_status tb__gpu_solve(tb_stream *s, const tb_solve *q)
{
    const tb_routine_source source = tb__dense_source(q);
    return run(s, &source, q, q->a, q->batch);
}

/* Fewer rows or columns are exchanged soon enough by the library, a thread for each column. */
bool tb__gpu_exchanges(const tb_solve *q)
{
    const int64_t most = TB_ROWS_BYTES / (int64_t)(sizeof(int32_t) + tb_dtype_size(q->dtype));
    return q->batch == 1 && q->n > LARGE && q->n <= most && q->k > MIDDLE;
}

tb_routine_source tb__exchanges_source(tb_dtype t)
{
    return (tb_routine_source){.kind = TB_ROUTINE_DENSE_ROWS, .dtype = (uint8_t)t, .warps = 8};
}

tb_status tb__gpu_exchange_rows(tb_stream *s, const tb_solve *q, bool back)
{
    enum { BLOCKS = 512 };
    const tb_routine_source source = tb__exchanges_source(q->dtype);
    const struct {
        void *b;
        const int32_t *pivots;
        int64_t n, k;
        int32_t back;
    } params = {q->b, q->pivots, q->n, q->k, back};
    TB_TRY(tb__gpu->enter(s->device));
    return tb__gpu_run_routine(s, &source, &params, sizeof params, tb__min(q->k, BLOCKS), 32 * source.warps);
}

tb_routine_source tb__vectors_source(tb_dtype t)
{
    return (tb_routine_source){.kind = TB_ROUTINE_DENSE_VECTORS, .dtype = (uint8_t)t, .warps = 8};
}

tb_status tb__gpu_unpack_vectors(tb_stream *s, const tb_solve *q, void *packed)
{
    const tb_routine_source source = tb__vectors_source(q->dtype);
    return run(s, &source, q, packed, q->batch * q->n);
}
