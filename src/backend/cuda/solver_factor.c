/* solver_factor.c - triangular factors, and solutions by them: stacks of small matrices by one call where a library has
 * one, others matrix by matrix. */
#include <stdlib.h>

#include "backend/cuda/solver.h"
#include "base/error.h"

/* Up to which size a call for the whole stack is taken rather than one for each matrix. */
enum { SMALL = 256, SMALL_QR = 128 };

static cublasFillMode_t half(bool lower) { return lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER; }

static cublasFillMode_t fill(const tb_cusolve *x) { return half(x->q->uplo == 'L'); }

static cublasOperation_t operation(char trans)
{
    return trans == 'N' ? CUBLAS_OP_N : trans == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
}

static bool is_complex(const tb_cusolve *x) { return x->type >= 2; }

/* ---- Cholesky ---------------------------------------------------------------------------------------------------- */

static tb_status potrf_each(const tb_cusolve *x)
{
    size_t device_bytes = 0, host_bytes = 0;
    void *device = NULL, *host = NULL;
    TB_CUSOLVER(cusolverDnXpotrf_bufferSize, x->handle, x->params, fill(x), x->n, x->data, x->q->a, x->n, x->data,
                &device_bytes, &host_bytes);
    TB_TRY(tb__cusolve_take(x, device_bytes, &device));
    tb_status status = TB_OK;
    if (host_bytes && !(host = malloc(host_bytes))) status = tb__fail_memory(host_bytes, 0, 0, 0);
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(tb__cusolver.cusolverDnXpotrf(x->handle, x->params, fill(x), x->n, x->data,
                                                                  tb__cusolve_at(x->q->a, i, x->size.a), x->n, x->data,
                                                                  device, device_bytes, host, host_bytes, x->info + i),
                                    "cusolverDnXpotrf");
    free(host);
    tb__cusolve_give(x, device);
    return status;
}

tb_status tb__cusolve_potrf(const tb_cusolve *x)
{
    void *a;
    if (x->batch == 1 || x->n > SMALL) return potrf_each(x);
    TB_TRY(tb__cusolve_pointers(x, x->q->a, x->size.a, &a));
    const cusolverStatus_t result =
        tb__cusolver.potrfBatched[x->type](x->handle, fill(x), x->n, a, x->n, x->info, x->batch);
    tb__cusolve_give(x, a);
    return tb__cusolver_check(result, "potrfBatched");
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

typedef struct triangle {
    bool lower;
    cublasOperation_t operation;
    cublasDiagType_t diagonal;
} triangle;

static tb_status solve_triangles(const tb_cusolve *x, int n, const triangle *t)
{
    const void *one = tb__cusolve_number(x, 1);
    void *a = NULL, *b = NULL;
    tb_status status = TB_OK;
    if (x->batch > 1) {
        TB_TRY(tb__cusolve_pointers(x, x->q->a, x->size.a, &a));
        status = tb__cusolve_pointers(x, x->q->b, x->size.b, &b);
    }
    for (int i = 0; status == TB_OK && i < n; i++)
        status = tb__cublas_check(
            x->batch == 1 ? tb__cublas.trsm[x->type](x->blas, CUBLAS_SIDE_LEFT, half(t[i].lower), t[i].operation,
                                                     t[i].diagonal, x->n, x->k, one, x->q->a, x->n, x->q->b, x->n)
                          : tb__cublas.trsmBatched[x->type](x->blas, CUBLAS_SIDE_LEFT, half(t[i].lower), t[i].operation,
                                                            t[i].diagonal, x->n, x->k, one, a, x->n, b, x->n, x->batch),
            "trsm");
    tb__cusolve_give(x, a);
    tb__cusolve_give(x, b);
    return status;
}

/* cuBLAS does not look at the diagonal: what is singular becomes infinite. */
tb_status tb__cusolve_trtrs(const tb_cusolve *x)
{
    const triangle t = {x->q->uplo == 'L', operation(x->q->trans),
                        x->q->diag == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT};
    TB_TRY(tb__cuda_set(x->s, x->info, 0, sizeof *x->info, (size_t)x->batch * sizeof *x->info));
    return solve_triangles(x, 1, &t);
}

tb_status tb__cusolve_potrs(const tb_cusolve *x)
{
    const cublasOperation_t turned = is_complex(x) ? CUBLAS_OP_C : CUBLAS_OP_T;
    const bool lower = x->q->uplo == 'L';
    const triangle both[] = {{lower, lower ? CUBLAS_OP_N : turned, CUBLAS_DIAG_NON_UNIT},
                             {lower, lower ? turned : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT}};
    if (x->batch > 1) return solve_triangles(x, 2, both);
    TB_CUSOLVER(cusolverDnXpotrs, x->handle, x->params, fill(x), x->n, x->k, x->data, x->q->a, x->n, x->data, x->q->b,
                x->n, x->info);
    return TB_OK;
}

/* ---- LU ---------------------------------------------------------------------------------------------------------- */

static tb_status getrf_each(const tb_cusolve *x)
{
    int lwork = 0;
    void *work = NULL;
    TB_CUSOLVER(getrf_bufferSize[x->type], x->handle, x->m, x->n, x->q->a, x->m, &lwork);
    TB_TRY(tb__cusolve_take(x, (size_t)lwork * x->item, &work));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(
            tb__cusolver.getrf[x->type](x->handle, x->m, x->n, tb__cusolve_at(x->q->a, i, x->size.a), x->m, work,
                                        tb__cusolve_at(x->q->pivots, i, x->size.pivots), x->info + i),
            "getrf");
    tb__cusolve_give(x, work);
    return status;
}

tb_status tb__cusolve_getrf(const tb_cusolve *x)
{
    void *a;
    if (x->batch == 1 || x->m != x->n || x->n > SMALL) return getrf_each(x);
    TB_TRY(tb__cusolve_pointers(x, x->q->a, x->size.a, &a));
    const cublasStatus_t result =
        tb__cublas.getrfBatched[x->type](x->blas, x->n, a, x->n, x->q->pivots, x->info, x->batch);
    tb__cusolve_give(x, a);
    return tb__cublas_check(result, "getrfBatched");
}

/* As getrs does it, but for the exchanges: a third of its time for 2,048 columns. */
static tb_status solve_exchanged(const tb_cusolve *x)
{
    const cublasOperation_t trans = operation(x->q->trans);
    const bool turned = trans != CUBLAS_OP_N;
    const triangle lower = {true, trans, CUBLAS_DIAG_UNIT}, upper = {false, trans, CUBLAS_DIAG_NON_UNIT};
    const triangle both[] = {turned ? upper : lower, turned ? lower : upper};
    TB_TRY(tb__cuda_set(x->s, x->info, 0, sizeof *x->info, sizeof *x->info));
    if (!turned) TB_TRY(tb__gpu_exchange_rows(x->s, x->q, false));
    TB_TRY(solve_triangles(x, 2, both));
    return turned ? tb__gpu_exchange_rows(x->s, x->q, true) : TB_OK;
}

tb_status tb__cusolve_getrs(const tb_cusolve *x)
{
    const cublasOperation_t trans = operation(x->q->trans);
    void *a, *b;
    int wrong = 0;
    if (tb__gpu_exchanges(x->q)) return solve_exchanged(x);
    if (x->batch == 1) {
        TB_CUSOLVER(getrs[x->type], x->handle, trans, x->n, x->k, x->q->a, x->n, x->q->pivots, x->q->b, x->n, x->info);
        return TB_OK;
    }
    TB_TRY(tb__cusolve_pointers(x, x->q->a, x->size.a, &a));
    tb_status status = tb__cusolve_pointers(x, x->q->b, x->size.b, &b);
    if (status == TB_OK) {
        status = tb__cublas_check(tb__cublas.getrsBatched[x->type](x->blas, trans, x->n, x->k, a, x->n, x->q->pivots, b,
                                                                   x->n, &wrong, x->batch),
                                  "getrsBatched");
        tb__cusolve_give(x, b);
    }
    tb__cusolve_give(x, a);
    return status;
}

/* ---- QR ---------------------------------------------------------------------------------------------------------- */

static tb_status geqrf_each(const tb_cusolve *x)
{
    size_t device_bytes = 0, host_bytes = 0;
    void *device = NULL, *host = NULL;
    TB_CUSOLVER(cusolverDnXgeqrf_bufferSize, x->handle, x->params, x->m, x->n, x->data, x->q->a, x->m, x->data, x->q->v,
                x->data, &device_bytes, &host_bytes);
    TB_TRY(tb__cusolve_take(x, device_bytes, &device));
    tb_status status = TB_OK;
    if (host_bytes && !(host = malloc(host_bytes))) status = tb__fail_memory(host_bytes, 0, 0, 0);
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(tb__cusolver.cusolverDnXgeqrf(x->handle, x->params, x->m, x->n, x->data,
                                                                  tb__cusolve_at(x->q->a, i, x->size.a), x->m, x->data,
                                                                  tb__cusolve_at(x->q->v, i, x->size.v), x->data,
                                                                  device, device_bytes, host, host_bytes, x->info + i),
                                    "cusolverDnXgeqrf");
    free(host);
    tb__cusolve_give(x, device);
    return status;
}

tb_status tb__cusolve_geqrf(const tb_cusolve *x)
{
    void *a, *tau;
    int wrong = 0;
    if (x->batch == 1 || x->m > SMALL_QR || x->n > SMALL_QR) return geqrf_each(x);
    TB_TRY(tb__cusolve_pointers(x, x->q->a, x->size.a, &a));
    tb_status status = tb__cusolve_pointers(x, x->q->v, x->size.v, &tau);
    if (status == TB_OK) {
        status = tb__cublas_check(tb__cublas.geqrfBatched[x->type](x->blas, x->m, x->n, a, x->m, tau, &wrong, x->batch),
                                  "geqrfBatched");
        tb__cusolve_give(x, tau);
    }
    tb__cusolve_give(x, a);
    return status;
}

tb_status tb__cusolve_orgqr(const tb_cusolve *x)
{
    int lwork = 0;
    void *work = NULL;
    TB_CUSOLVER(orgqr_bufferSize[x->type], x->handle, x->m, x->n, x->k, x->q->a, x->m, x->q->v, &lwork);
    TB_TRY(tb__cusolve_take(x, (size_t)lwork * x->item, &work));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(
            tb__cusolver.orgqr[x->type](x->handle, x->m, x->n, x->k, tb__cusolve_at(x->q->a, i, x->size.a), x->m,
                                        tb__cusolve_at(x->q->v, i, x->size.v), work, lwork, x->info + i),
            "orgqr");
    tb__cusolve_give(x, work);
    return status;
}

tb_status tb__cusolve_ormqr(const tb_cusolve *x)
{
    const cublasOperation_t trans = x->q->trans == 'N' ? CUBLAS_OP_N : is_complex(x) ? CUBLAS_OP_C : CUBLAS_OP_T;
    int lwork = 0;
    void *work = NULL;
    TB_CUSOLVER(ormqr_bufferSize[x->type], x->handle, CUBLAS_SIDE_LEFT, trans, x->m, x->n, x->k, x->q->a, x->m, x->q->v,
                x->q->b, x->m, &lwork);
    TB_TRY(tb__cusolve_take(x, (size_t)lwork * x->item, &work));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(tb__cusolver.ormqr[x->type](x->handle, CUBLAS_SIDE_LEFT, trans, x->m, x->n, x->k,
                                                                tb__cusolve_at(x->q->a, i, x->size.a), x->m,
                                                                tb__cusolve_at(x->q->v, i, x->size.v),
                                                                tb__cusolve_at(x->q->b, i, x->size.b), x->m, work,
                                                                lwork, x->info + i),
                                    "ormqr");
    tb__cusolve_give(x, work);
    return status;
}
