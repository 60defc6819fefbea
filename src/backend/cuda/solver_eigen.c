/* solver_eigen.c - singular values and eigenvalues by cuSOLVER. */
#include <stdlib.h>

#include "backend/cuda/solver.h"
#include "backend/retry.h"
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

/* Where the vectors of one matrix or of a stack go: for nobody, into work space. */
typedef struct vectors {
    void *u, *v, *taken;
} vectors;

static tb_status take_vectors(const tb_cusolve *x, int stack, int columns, vectors *out)
{
    const size_t u = (size_t)stack * (size_t)x->m * (size_t)columns * x->item;
    const size_t v = (size_t)stack * (size_t)x->n * (size_t)x->n * x->item;
    *out = (vectors){x->q->b, x->q->c, NULL};
    if (x->q->job != 'N') return TB_OK;
    TB_TRY(tb__cusolve_take(x, u + v, &out->taken));
    out->u = out->taken;
    out->v = (char *)out->taken + u;
    return TB_OK;
}

/* Many small matrices, by Jacobi's method. All left vectors are made. */
static tb_status jacobi_stack(const tb_cusolve *x)
{
    int lwork = 0;
    void *work = NULL;
    vectors to;
    TB_TRY(take_vectors(x, x->batch, x->m, &to));
    tb_status status = tb__cusolver_check(
        tb__cusolver.gesvdjBatched_bufferSize[x->type](x->handle, mode(x), x->m, x->n, x->q->a, x->m, x->q->v, to.u,
                                                       x->m, to.v, x->n, &lwork, x->jacobi, x->batch),
        "gesvdjBatched_bufferSize");
    if (status == TB_OK) status = tb__cusolve_take(x, (size_t)lwork * x->item, &work);
    if (status == TB_OK)
        status = tb__cusolver_check(tb__cusolver.gesvdjBatched[x->type](x->handle, mode(x), x->m, x->n, x->q->a, x->m,
                                                                        x->q->v, to.u, x->m, to.v, x->n, work, lwork,
                                                                        x->info, x->jacobi, x->batch),
                                    "gesvdjBatched");
    tb__cusolve_give(x, work);
    tb__cusolve_give(x, to.taken);
    return status;
}

/* What is asked of one matrix of the stack. */
typedef struct singular {
    void *a, *s;
    vectors to;
    int econ;
    int *info;
} singular;

/* The right vectors are the rows of what LAPACK's routine gives: n by n of them at `rows`. */
static tb_status turn_rows(const tb_cusolve *x, const void *rows, void *columns)
{
    const cublasOperation_t adjoint = x->type >= 2 ? CUBLAS_OP_C : CUBLAS_OP_T;
    return tb__cublas_check(tb__cublas.geam[x->type](x->blas, adjoint, CUBLAS_OP_N, x->n, x->n,
                                                     tb__cusolve_number(x, 1), rows, x->n, tb__cusolve_number(x, 0),
                                                     columns, x->n, columns, x->n),
                            "geam");
}

/* By the QR algorithm, which is the slowest of large matrices and loses nothing of any. */
static tb_status by_qr(const tb_cusolve *x, const singular *one)
{
    const bool vectors = x->q->job != 'N';
    const signed char left = !vectors ? 'N' : one->econ ? 'S' : 'A', right = vectors ? 'S' : 'N';
    space w = {0};
    void *rows = NULL;
    TB_CUSOLVER(cusolverDnXgesvd_bufferSize, x->handle, x->params, left, right, x->m, x->n, x->data, one->a, x->m,
                x->real, one->s, x->data, one->to.u, x->m, x->data, one->to.v, x->n, x->data, &w.device_bytes,
                &w.host_bytes);
    if (vectors) TB_TRY(tb__cusolve_take(x, (size_t)x->n * (size_t)x->n * x->item, &rows));
    tb_status status = take(x, &w);
    if (status == TB_OK) {
        status = tb__cusolver_check(
            tb__cusolver.cusolverDnXgesvd(x->handle, x->params, left, right, x->m, x->n, x->data, one->a, x->m, x->real,
                                          one->s, x->data, one->to.u, x->m, x->data, rows, x->n, x->data, w.device,
                                          w.device_bytes, w.host, w.host_bytes, one->info),
            "cusolverDnXgesvd");
        give(x, &w);
    }
    if (status == TB_OK && vectors) status = turn_rows(x, rows, one->to.v);
    tb__cusolve_give(x, rows);
    return status;
}

/* By way of the polar decomposition, which is fastest. *error: by how much the values had to be moved, since some were
 * near 0: by far more than rounding does. */
static tb_status polar(const tb_cusolve *x, const singular *one, double *error)
{
    space w = {0};
    TB_CUSOLVER(cusolverDnXgesvdp_bufferSize, x->handle, x->params, mode(x), one->econ, x->m, x->n, x->data, one->a,
                x->m, x->real, one->s, x->data, one->to.u, x->m, x->data, one->to.v, x->n, x->data, &w.device_bytes,
                &w.host_bytes);
    TB_TRY(take(x, &w));
    const cusolverStatus_t result =
        tb__cusolver.cusolverDnXgesvdp(x->handle, x->params, mode(x), one->econ, x->m, x->n, x->data, one->a, x->m,
                                       x->real, one->s, x->data, one->to.u, x->m, x->data, one->to.v, x->n, x->data,
                                       w.device, w.device_bytes, w.host, w.host_bytes, one->info, error);
    give(x, &w);
    return tb__cusolver_check(result, "cusolverDnXgesvdp");
}

static tb_status polar_or_qr(const tb_cusolve *x, const singular *one)
{
    const size_t bytes = (size_t)x->m * (size_t)x->n * x->item;
    double error = 0;
    void *kept;
    TB_TRY(tb__cusolve_take(x, bytes, &kept));
    tb_status status = tb__cuda_copy(x->s, kept, one->a, bytes);
    if (status == TB_OK) status = polar(x, one, &error);
    if (status == TB_OK && error != 0) {
        status = tb__cuda_copy(x->s, one->a, kept, bytes);
        if (status == TB_OK) status = by_qr(x, one);
    }
    tb__cusolve_give(x, kept);
    return status;
}

/* cuSOLVER asks for m >= n, which its callers see to, and gives the right vectors rather than their adjoint. Where each
 * way begins to pay: measured on an H200. Jacobi's method is for small matrices alone, though it is faster up to 128
 * columns: each rotation leaves vectors a little longer or shorter, and float32 of 64 columns lost 50 ULP. */
tb_status tb__cusolve_gesdd(const tb_cusolve *x)
{
    enum { SMALL = 32, FEW = 64 };
    vectors to;
    if (x->q->plain) *x->q->plain = true;
    if (x->m <= SMALL && x->n <= SMALL && (x->q->job != 'S' || x->m == x->n)) return jacobi_stack(x);
    TB_TRY(take_vectors(x, 1, x->n, &to));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++) {
        singular one = {tb__cusolve_at(x->q->a, i, x->size.a), tb__cusolve_at(x->q->v, i, x->size.v), to,
                        x->q->job != 'A', x->info + i};
        if (!to.taken) {
            one.to.u = tb__cusolve_at(to.u, i, x->size.b);
            one.to.v = tb__cusolve_at(to.v, i, x->size.c);
        }
        status = x->q->job == 'N' && x->n <= FEW ? by_qr(x, &one) : polar_or_qr(x, &one);
    }
    tb__cusolve_give(x, to.taken);
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
    if (tb__gpu_has_eigenvalues(x->s, x->q)) return tb__gpu_eigenvalues(x->s, x->q, x->info);
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

/* The vectors of real matrices come packed, of each matrix in memory of x->size.a bytes. */
static tb_status geev_each(const tb_cusolve *x, cudaDataType values, void *vectors, size_t size)
{
    space w = {0};
    const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
    TB_CUSOLVER(cusolverDnXgeev_bufferSize, x->handle, x->params, none, mode(x), x->n, x->data, x->q->a, x->n, values,
                x->q->v, x->data, NULL, x->n, x->data, vectors, x->n, x->data, &w.device_bytes, &w.host_bytes);
    TB_TRY(take(x, &w));
    tb_status status = TB_OK;
    for (int i = 0; status == TB_OK && i < x->batch; i++)
        status = tb__cusolver_check(
            tb__cusolver.cusolverDnXgeev(x->handle, x->params, none, mode(x), x->n, x->data,
                                         tb__cusolve_at(x->q->a, i, x->size.a), x->n, values,
                                         tb__cusolve_at(x->q->v, i, x->size.v), x->data, NULL, x->n, x->data,
                                         vectors ? tb__cusolve_at(vectors, i, size) : NULL, x->n, x->data, w.device,
                                         w.device_bytes, w.host, w.host_bytes, x->info + i),
            "cusolverDnXgeev");
    give(x, &w);
    return status;
}

tb_status tb__cusolve_geev(const tb_cusolve *x)
{
    const bool real = x->type < 2;
    const cudaDataType values = !real ? x->data : x->data == CUDA_R_32F ? CUDA_C_32F : CUDA_C_64F;
    void *packed;
    if (!real || !x->q->b) return geev_each(x, values, x->q->b, x->size.b);
    TB_TRY(tb__cusolve_take(x, (size_t)x->batch * x->size.a, &packed));
    tb_status status = geev_each(x, values, packed, x->size.a);
    tb__retry_no_more(); /* not all that again for want of a small kernel */
    if (status == TB_OK) status = tb__gpu_unpack_vectors(x->s, x->q, packed);
    tb__cusolve_give(x, packed);
    return status;
}
