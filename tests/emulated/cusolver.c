/* cusolver.c - the solvers of the emulated GPU: textbook algorithms in double precision and complex numbers, whatever
 * the dtype. What is optional is not there: stacks of Hermitian matrices, and general eigenvalues. */
#include "dense.h"

#include "backend/cuda/abi.h"

#define EXPORT __attribute__((visibility("default")))

enum { FAILED = 6, INVALID = 3 };

/* ---- handles ----------------------------------------------------------------------------------------------------- */

static int made;

EXPORT cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    *handle = (cusolverDnHandle_t)(void *)&made;
    return CUSOLVER_STATUS_SUCCESS;
}

EXPORT cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    (void)stream;
    return handle ? CUSOLVER_STATUS_SUCCESS : INVALID;
}

EXPORT cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params)
{
    *params = (cusolverDnParams_t)(void *)&made;
    return CUSOLVER_STATUS_SUCCESS;
}

EXPORT cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info)
{
    *info = (gesvdjInfo_t)(void *)&made;
    return CUSOLVER_STATUS_SUCCESS;
}

/* Work space of the sizes that were asked for is written, so that what is too short does not go unnoticed. */
enum { DEVICE_BYTES = 1024, HOST_BYTES = 64, WORK = 16 };

static bool use_space(void *device, size_t device_bytes, void *host, size_t host_bytes)
{
    if (device_bytes != DEVICE_BYTES || host_bytes != HOST_BYTES) return false;
    memset(device, 0x5a, device_bytes);
    memset(host, 0x5a, host_bytes);
    return true;
}

static cusolverStatus_t ask(size_t *device_bytes, size_t *host_bytes)
{
    *device_bytes = DEVICE_BYTES;
    *host_bytes = HOST_BYTES;
    return CUSOLVER_STATUS_SUCCESS;
}

static int type_of(cudaDataType t) { return t == CUDA_R_32F ? 0 : t == CUDA_R_64F ? 1 : t == CUDA_C_32F ? 2 : 3; }

/* ---- functions of every dtype ------------------------------------------------------------------------------------ */

EXPORT cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                    cublasFillMode_t uplo, int64_t n, cudaDataType a_type,
                                                    const void *a, int64_t lda, cudaDataType compute,
                                                    size_t *device_bytes, size_t *host_bytes)
{
    (void)handle, (void)params, (void)uplo, (void)a;
    return n > lda || a_type != compute ? INVALID : ask(device_bytes, host_bytes);
}

EXPORT cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                         int64_t n, cudaDataType a_type, void *a, int64_t lda, cudaDataType compute,
                                         void *device, size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    (void)handle, (void)params;
    if (n > lda || a_type != compute || !use_space(device, device_bytes, host, host_bytes)) return INVALID;
    *info = dense_potrf(type_of(a_type), uplo == CUBLAS_FILL_MODE_LOWER, (int)n, a, (int)lda);
    return CUSOLVER_STATUS_SUCCESS;
}

EXPORT cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                         int64_t n, int64_t nrhs, cudaDataType a_type, const void *a, int64_t lda,
                                         cudaDataType b_type, void *b, int64_t ldb, int *info)
{
    const int t = type_of(a_type), lower = uplo == CUBLAS_FILL_MODE_LOWER;
    (void)handle, (void)params;
    if (n > lda || n > ldb || a_type != b_type) return INVALID;
    dense_trsm(t, lower, lower ? CUBLAS_OP_N : CUBLAS_OP_C, false, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    dense_trsm(t, lower, lower ? CUBLAS_OP_C : CUBLAS_OP_N, false, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

EXPORT cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                                    int64_t n, cudaDataType a_type, const void *a, int64_t lda,
                                                    cudaDataType tau_type, const void *tau, cudaDataType compute,
                                                    size_t *device_bytes, size_t *host_bytes)
{
    (void)handle, (void)params, (void)n, (void)a, (void)tau;
    return m > lda || a_type != compute || a_type != tau_type ? INVALID : ask(device_bytes, host_bytes);
}

EXPORT cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                         cudaDataType a_type, void *a, int64_t lda, cudaDataType tau_type, void *tau,
                                         cudaDataType compute, void *device, size_t device_bytes, void *host,
                                         size_t host_bytes, int *info)
{
    (void)handle, (void)params, (void)compute;
    if (m > lda || a_type != tau_type || !use_space(device, device_bytes, host, host_bytes)) return INVALID;
    dense_geqrf(type_of(a_type), (int)m, (int)n, a, (int)lda, tau);
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

EXPORT cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                     cusolverEigMode_t job, int econ, int64_t m, int64_t n,
                                                     cudaDataType a_type, const void *a, int64_t lda,
                                                     cudaDataType s_type, const void *s, cudaDataType u_type,
                                                     const void *u, int64_t ldu, cudaDataType v_type, const void *v,
                                                     int64_t ldv, cudaDataType compute, size_t *device_bytes,
                                                     size_t *host_bytes)
{
    (void)handle, (void)params, (void)job, (void)econ, (void)a, (void)s, (void)u, (void)ldu, (void)v, (void)ldv;
    (void)s_type, (void)u_type, (void)v_type, (void)compute, (void)a_type;
    return m < n || m > lda ? INVALID : ask(device_bytes, host_bytes);
}

/* With right vectors in columns. */
static void singular(int t, cusolverEigMode_t job, bool econ, int m, int n, const void *a, int lda, void *s, void *u,
                     int ldu, void *v, int ldv)
{
    const bool vectors = job == CUSOLVER_EIG_MODE_VECTOR;
    dense_gesvd(t, vectors ? econ ? 'S' : 'A' : 'N', m, n, a, lda, s, u, ldu, v, ldv);
    if (vectors) dense_adjoint(t, n, v, ldv);
}

EXPORT cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                    signed char left, signed char right, int64_t m, int64_t n,
                                                    cudaDataType a_type, const void *a, int64_t lda,
                                                    cudaDataType s_type, const void *s, cudaDataType u_type,
                                                    const void *u, int64_t ldu, cudaDataType vt_type, const void *vt,
                                                    int64_t ldvt, cudaDataType compute, size_t *device_bytes,
                                                    size_t *host_bytes)
{
    (void)handle, (void)params, (void)left, (void)right, (void)a, (void)s, (void)u, (void)ldu, (void)vt, (void)ldvt;
    (void)a_type, (void)s_type, (void)u_type, (void)vt_type, (void)compute;
    return m < n || m > lda ? INVALID : ask(device_bytes, host_bytes);
}

EXPORT cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char left,
                                         signed char right, int64_t m, int64_t n, cudaDataType a_type, void *a,
                                         int64_t lda, cudaDataType s_type, void *s, cudaDataType u_type, void *u,
                                         int64_t ldu, cudaDataType vt_type, void *vt, int64_t ldvt,
                                         cudaDataType compute, void *device, size_t device_bytes, void *host,
                                         size_t host_bytes, int *info)
{
    (void)handle, (void)params, (void)compute;
    const int t = type_of(a_type);
    const bool types = type_of(s_type) == t % 2 && u_type == a_type && vt_type == a_type;
    const bool lengths = m >= n && m <= lda && (left == 'N' || (m <= ldu && n <= ldvt));
    if (!types || !lengths || (left == 'N') != (right == 'N') || !use_space(device, device_bytes, host, host_bytes))
        return INVALID;
    dense_gesvd(t, left, (int)m, (int)n, a, (int)lda, s, u, (int)ldu, vt, (int)ldvt);
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

/* Where the least value is near 0 they are all moved. */
EXPORT cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t job,
                                          int econ, int64_t m, int64_t n, cudaDataType a_type, void *a, int64_t lda,
                                          cudaDataType s_type, void *s, cudaDataType u_type, void *u, int64_t ldu,
                                          cudaDataType v_type, void *v, int64_t ldv, cudaDataType compute, void *device,
                                          size_t device_bytes, void *host, size_t host_bytes, int *info, double *error)
{
    (void)handle, (void)params, (void)compute;
    const int t = type_of(a_type);
    const bool types = type_of(s_type) == t % 2 && u_type == a_type && v_type == a_type;
    const bool lengths = m >= n && m <= lda && (job == CUSOLVER_EIG_MODE_NOVECTOR || (m <= ldu && n <= ldv));
    if (!types || !lengths || !use_space(device, device_bytes, host, host_bytes)) return INVALID;
    singular(t, job, econ, (int)m, (int)n, a, (int)lda, s, u, (int)ldu, v, (int)ldv);
    const double least = t % 2 ? ((double *)s)[n - 1] : ((float *)s)[n - 1];
    *error = least < 1e-6 ? 1e-3 : 0;
    for (int64_t i = 0; *error != 0 && i < n; i++)
        if (t % 2) ((double *)s)[i] += *error;
        else ((float *)s)[i] += (float)*error;
    memset(a, 0x5a, (size_t)lda * (size_t)n * dense_item(t));
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

EXPORT cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                    cusolverEigMode_t job, cublasFillMode_t uplo, int64_t n,
                                                    cudaDataType a_type, const void *a, int64_t lda,
                                                    cudaDataType w_type, const void *w, cudaDataType compute,
                                                    size_t *device_bytes, size_t *host_bytes)
{
    (void)handle, (void)params, (void)job, (void)uplo, (void)a, (void)w, (void)w_type;
    return n > lda || a_type != compute ? INVALID : ask(device_bytes, host_bytes);
}

EXPORT cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t job,
                                         cublasFillMode_t uplo, int64_t n, cudaDataType a_type, void *a, int64_t lda,
                                         cudaDataType w_type, void *w, cudaDataType compute, void *device,
                                         size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    (void)handle, (void)params, (void)compute;
    if (n > lda || type_of(w_type) != type_of(a_type) % 2) return INVALID;
    if (!use_space(device, device_bytes, host, host_bytes)) return INVALID;
    dense_syev(type_of(a_type), job == CUSOLVER_EIG_MODE_VECTOR, uplo == CUBLAS_FILL_MODE_LOWER, (int)n, a, (int)lda,
               w);
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- functions that there are four of ---------------------------------------------------------------------------- */

#define POTRF_BATCHED(T, t)                                                                                         \
    EXPORT cusolverStatus_t cusolverDn##T##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                                        void *a[], int lda, int *info, int batch)                  \
    {                                                                                                               \
        (void)handle;                                                                                               \
        for (int i = 0; i < batch; i++) info[i] = dense_potrf(t, uplo == CUBLAS_FILL_MODE_LOWER, n, a[i], lda);     \
        return CUSOLVER_STATUS_SUCCESS;                                                                             \
    }

#define LU(T, t)                                                                                                     \
    EXPORT cusolverStatus_t cusolverDn##T##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, void *a, int lda, \
                                                            int *lwork)                                              \
    {                                                                                                                \
        (void)handle, (void)n, (void)a;                                                                              \
        *lwork = WORK;                                                                                               \
        return m > lda ? INVALID : CUSOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                                                \
    EXPORT cusolverStatus_t cusolverDn##T##getrf(cusolverDnHandle_t handle, int m, int n, void *a, int lda,          \
                                                 void *work, int *pivots, int *info)                                 \
    {                                                                                                                \
        (void)handle;                                                                                                \
        memset(work, 0x5a, WORK * dense_item(t));                                                                    \
        *info = dense_getrf(t, m, n, a, lda, pivots);                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                              \
    }                                                                                                                \
    EXPORT cusolverStatus_t cusolverDn##T##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, \
                                                 const void *a, int lda, const int *pivots, void *b, int ldb,        \
                                                 int *info)                                                          \
    {                                                                                                                \
        (void)handle;                                                                                                \
        dense_getrs(t, trans, n, nrhs, a, lda, pivots, b, ldb);                                                      \
        *info = 0;                                                                                                   \
        return CUSOLVER_STATUS_SUCCESS;                                                                              \
    }

#define REFLECTORS(ORGQR, ORMQR, t)                                                                                  \
    EXPORT cusolverStatus_t ORGQR##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const void *a, int lda, \
                                               const void *tau, int *lwork)                                          \
    {                                                                                                                \
        (void)handle, (void)a, (void)tau;                                                                            \
        *lwork = WORK;                                                                                               \
        return m < n || n < k || m > lda ? INVALID : CUSOLVER_STATUS_SUCCESS;                                        \
    }                                                                                                                \
    EXPORT cusolverStatus_t ORGQR(cusolverDnHandle_t handle, int m, int n, int k, void *a, int lda, const void *tau, \
                                  void *work, int lwork, int *info)                                                  \
    {                                                                                                                \
        (void)handle;                                                                                                \
        memset(work, 0x5a, (size_t)lwork * dense_item(t));                                                           \
        dense_orgqr(t, m, n, k, a, lda, tau);                                                                        \
        *info = 0;                                                                                                   \
        return CUSOLVER_STATUS_SUCCESS;                                                                              \
    }                                                                                                                \
    EXPORT cusolverStatus_t ORMQR##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,                     \
                                               cublasOperation_t trans, int m, int n, int k, const void *a, int lda, \
                                               const void *tau, const void *c, int ldc, int *lwork)                  \
    {                                                                                                                \
        (void)handle, (void)trans, (void)n, (void)a, (void)tau, (void)c;                                             \
        *lwork = WORK;                                                                                               \
        return side != CUBLAS_SIDE_LEFT || k > m || m > lda || m > ldc ? INVALID : CUSOLVER_STATUS_SUCCESS;          \
    }                                                                                                                \
    EXPORT cusolverStatus_t ORMQR(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,  \
                                  int n, int k, const void *a, int lda, const void *tau, void *c, int ldc,           \
                                  void *work, int lwork, int *info)                                                  \
    {                                                                                                                \
        (void)handle, (void)side;                                                                                    \
        memset(work, 0x5a, (size_t)lwork * dense_item(t));                                                           \
        dense_ormqr(t, trans != CUBLAS_OP_N, m, n, k, a, lda, tau, c, ldc);                                          \
        *info = 0;                                                                                                   \
        return CUSOLVER_STATUS_SUCCESS;                                                                              \
    }

#define JACOBI(T, t)                                                                                                 \
    EXPORT cusolverStatus_t cusolverDn##T##gesvdjBatched_bufferSize(                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int m, int n, const void *a, int lda, const void *s,       \
        const void *u, int ldu, const void *v, int ldv, int *lwork, gesvdjInfo_t params, int batch)                  \
    {                                                                                                                \
        (void)handle, (void)job, (void)a, (void)s, (void)u, (void)v, (void)params, (void)batch;                      \
        *lwork = WORK;                                                                                               \
        return m > 32 || n > 32 || m > lda || m > ldu || n > ldv ? INVALID : CUSOLVER_STATUS_SUCCESS;                \
    }                                                                                                                \
    EXPORT cusolverStatus_t cusolverDn##T##gesvdjBatched(                                                            \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int m, int n, void *a, int lda, void *s, void *u, int ldu, \
        void *v, int ldv, void *work, int lwork, int *info, gesvdjInfo_t params, int batch)                          \
    {                                                                                                                \
        (void)handle, (void)params;                                                                                  \
        if (m < n) return FAILED;                                                                                    \
        memset(work, 0x5a, (size_t)lwork * dense_item(t));                                                           \
        for (int i = 0; i < batch; i++) {                                                                            \
            char *of = (char *)a + (size_t)i * (size_t)lda * (size_t)n * dense_item(t);                              \
            char *left = (char *)u + (size_t)i * (size_t)ldu * (size_t)m * dense_item(t);                            \
            char *right = (char *)v + (size_t)i * (size_t)ldv * (size_t)n * dense_item(t);                           \
            char *to = (char *)s + (size_t)i * (size_t)n * dense_item(t % 2);                                        \
            singular(t, job, false, m, n, of, lda, to, left, ldu, right, ldv);                                       \
            info[i] = 0;                                                                                             \
        }                                                                                                            \
        return CUSOLVER_STATUS_SUCCESS;                                                                              \
    }

#define ALL(T, t) POTRF_BATCHED(T, t) LU(T, t) JACOBI(T, t)
ALL(S, 0)
ALL(D, 1)
ALL(C, 2)
ALL(Z, 3)
REFLECTORS(cusolverDnSorgqr, cusolverDnSormqr, 0)
REFLECTORS(cusolverDnDorgqr, cusolverDnDormqr, 1)
REFLECTORS(cusolverDnCungqr, cusolverDnCunmqr, 2)
REFLECTORS(cusolverDnZungqr, cusolverDnZunmqr, 3)
