/* solver_eigen.c - singular values and eigenvalues by cuSOLVER. */
#include <stdlib.h>

#include "backend/cuda/solver.h"
#include "base/error.h"

/* ---- work space of functions that say how much they want on the device and on the host --------------------------- */

typedef struct space {
    size_t device_bytes, host_bytes;
    void *device, *host;
} space;

static tb_status take(const tb_cusolve *x, space *w)
{
    TB_TRY(tb__cusolve_take(x, w->device_bytes, &w->device));
    if (!w->host_bytes || (w->host = malloc(w->host_bytes))) return TB_OK;
    tb__cusolve_give(x, w->device);
    return tb__fail_memory(w->host_bytes, 0, 0, 0);
}

static void give(const tb_cusolve *x, space *w)
{
    free(w->host);
    tb__cusolve_give(x, w->device);
}

static cusolverEigMode_t mode(const tb_cusolve *x)
{
    return x->q->job == 'N' ? CUSOLVER_EIG_MODE_NOVECTOR : CUSOLVER_EIG_MODE_VECTOR;
}

/* ---- singular values --------------------------------------------------------------------------------------------- */

/* Many small matrices, by Jacobi's method: all left vectors are made, and of the right ones v rather than its conjugate
 * transpose, so it is the values alone that are asked for here. */
static tb_status jacobi_values(const tb_cusolve *x)
{
    int lwork = 0;
    void *work = NULL, *vectors = NULL;
    const size_t bytes = (size_t)x->batch * ((size_t)x->m * (size_t)x->m + (size_t)x->n * (size_t)x->n) * x->item;
    TB_TRY(tb__cusolve_take(x, bytes, &vectors));
    void *u = vectors, *v = (char *)vectors + (size_t)x->batch * (size_t)x->m * (size_t)x->m * x->item;
    tb_status status = tb__cusolver_check(
        tb__cusolver.gesvdjBatched_bufferSize[x->type](x->handle, CUSOLVER_EIG_MODE_NOVECTOR, x->m, x->n, x->q->a, x->m,
                                                       x->q->v, u, x->m, v, x->n, &lwork, x->jacobi, x->batch),
        "gesvdjBatched_bufferSize");
    if (status == TB_OK) status = tb__cusolve_take(x, (size_t)lwork * x->item, &work);
    if (status == TB_OK)
        status = tb__cusolver_check(tb__cusolver.gesvdjBatched[x->type](x->handle, CUSOLVER_EIG_MODE_NOVECTOR, x->m,
                                                                        x->n, x->q->a, x->m, x->q->v, u, x->m, v, x->n,
                                                                        work, lwork, x->info, x->jacobi, x->batch),
                                    "gesvdjBatched");
    tb__cusolve_give(x, work);
    tb__cusolve_give(x, vectors);
    return status;
}

static tb_status gesvd(const tb_cusolve *x, int i, const space *w)
{
    const signed char job = (signed char)x->q->job;
    const int ldvt = x->q->job == 'A' ? x->n : x->m < x->n ? x->m : x->n;
    void *u = x->q->b ? tb__cusolve_at(x->q->b, i, x->size.b) : NULL;
    void *vt = x->q->c ? tb__cusolve_at(x->q->c, i, x->size.c) : NULL;
    TB_CUSOLVER(cusolverDnXgesvd, x->handle, x->params, job, job, x->m, x->n, x->data,
                tb__cusolve_at(x->q->a, i, x->size.a), x->m, x->real, tb__cusolve_at(x->q->v, i, x->size.v), x->data, u,
                x->m, x->data, vt, ldvt, x->data, w->device, w->device_bytes, w->host, w->host_bytes, x->info + i);
    return TB_OK;
}

/* cuSOLVER's gesvd asks for m >= n, which its callers see to. */
tb_status tb__cusolve_gesdd(const tb_cusolve *x)
{
    enum { SMALL = 32 };
    space w = {0};
    const signed char job = (signed char)x->q->job;
    const int ldvt = x->q->job == 'A' ? x->n : x->m < x->n ? x->m : x->n;
    if (x->batch > 1 && x->m <= SMALL && x->n <= SMALL && job == 'N') return jacobi_values(x);
    TB_CUSOLVER(cusolverDnXgesvd_bufferSize, x->handle, x->params, job, job, x->m, x->n, x->data, x->q->a, x->m,
                x->real, x->q->v, x->data, x->q->b, x->m, x->data, x->q->c, ldvt, x->data, &w.device_bytes,
                &w.host_bytes);
    TB_TRY(take(x, &w));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++) status = gesvd(x, i, &w);
    give(x, &w);
    return status;
}

/* ---- eigenvalues ------------------------------------------------------------------------------------------------- */

static cublasFillMode_t fill(const tb_cusolve *x)
{
    return x->q->uplo == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}

static tb_status syev_batched(const tb_cusolve *x)
{
    space w = {0};
    TB_CUSOLVER(cusolverDnXsyevBatched_bufferSize, x->handle, x->params, mode(x), fill(x), x->n, x->data, x->q->a, x->n,
                x->real, x->q->v, x->data, &w.device_bytes, &w.host_bytes, x->batch);
    TB_TRY(take(x, &w));
    const tb_status status =
        tb__cusolver_check(tb__cusolver.cusolverDnXsyevBatched(x->handle, x->params, mode(x), fill(x), x->n, x->data,
                                                               x->q->a, x->n, x->real, x->q->v, x->data, w.device,
                                                               w.device_bytes, w.host, w.host_bytes, x->info, x->batch),
                           "cusolverDnXsyevBatched");
    give(x, &w);
    return status;
}

tb_status tb__cusolve_syevd(const tb_cusolve *x)
{
    space w = {0};
    if (x->batch > 1 && tb__cusolver.cusolverDnXsyevBatched) return syev_batched(x);
    TB_CUSOLVER(cusolverDnXsyevd_bufferSize, x->handle, x->params, mode(x), fill(x), x->n, x->data, x->q->a, x->n,
                x->real, x->q->v, x->data, &w.device_bytes, &w.host_bytes);
    TB_TRY(take(x, &w));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status =
            tb__cusolver_check(tb__cusolver.cusolverDnXsyevd(x->handle, x->params, mode(x), fill(x), x->n, x->data,
                                                             tb__cusolve_at(x->q->a, i, x->size.a), x->n, x->real,
                                                             tb__cusolve_at(x->q->v, i, x->size.v), x->data, w.device,
                                                             w.device_bytes, w.host, w.host_bytes, x->info + i),
                               "cusolverDnXsyevd");
    give(x, &w);
    return status;
}

/* Of complex matrices: the vectors of real ones come packed, so their callers make them complex. */
tb_status tb__cusolve_geev(const tb_cusolve *x)
{
    space w = {0};
    const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
    TB_CUSOLVER(cusolverDnXgeev_bufferSize, x->handle, x->params, none, mode(x), x->n, x->data, x->q->a, x->n, x->data,
                x->q->v, x->data, NULL, x->n, x->data, x->q->b, x->n, x->data, &w.device_bytes, &w.host_bytes);
    TB_TRY(take(x, &w));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(
            tb__cusolver.cusolverDnXgeev(x->handle, x->params, none, mode(x), x->n, x->data,
                                         tb__cusolve_at(x->q->a, i, x->size.a), x->n, x->data,
                                         tb__cusolve_at(x->q->v, i, x->size.v), x->data, NULL, x->n, x->data,
                                         x->q->b ? tb__cusolve_at(x->q->b, i, x->size.b) : NULL, x->n, x->data,
                                         w.device, w.device_bytes, w.host, w.host_bytes, x->info + i),
            "cusolverDnXgeev");
    give(x, &w);
    return status;
}
