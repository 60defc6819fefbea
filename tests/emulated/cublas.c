/* cublas.c - matrix products, and solvers for stacks, of the emulated GPU. Matrices lie in columns. */
#include "dense.h"
#include "products.h"

#define EXPORT __attribute__((visibility("default")))

enum { NOT_SUPPORTED = 15 };

EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    static int made;
    *handle = (cublasHandle_t)(void *)&made;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle;
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    (void)handle, (void)stream;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes)
{
    (void)handle, (void)workspace, (void)bytes;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    (void)handle, (void)mode;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasGemmStridedBatchedEx_64(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int64_t m, int64_t n, int64_t k,
    const void *alpha, const void *a, cudaDataType a_type, int64_t lda, long long int stride_a, const void *b,
    cudaDataType b_type, int64_t ldb, long long int stride_b, const void *beta, void *c, cudaDataType c_type,
    int64_t ldc, long long int stride_c, int64_t batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    product p = {m,    n, k,   op_a ? lda : 1, op_a ? 1 : lda, op_b ? ldb : 1, op_b ? 1 : ldb, ldc, ldc, alpha,
                 beta, c, NULL};
    (void)handle, (void)algorithm;
    if (a_type != b_type || a_type != c_type) return NOT_SUPPORTED;
    const int64_t item = product_item(a_type);
    for (int64_t i = 0; i < batch; i++) {
        char *d = (char *)c + i * stride_c * item;
        p.c = d;
        if (!multiply(a_type, compute, &p, (const char *)a + i * stride_a * item, (const char *)b + i * stride_b * item,
                      d))
            return NOT_SUPPORTED;
    }
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                                 int m, int n, int k, const void *alpha, const void *a,
                                                 cudaDataType a_type, int lda, long long int stride_a, const void *b,
                                                 cudaDataType b_type, int ldb, long long int stride_b, const void *beta,
                                                 void *c, cudaDataType c_type, int ldc, long long int stride_c,
                                                 int batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx_64(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb,
                                         stride_b, beta, c, c_type, ldc, stride_c, batch, compute, algorithm);
}

EXPORT cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                                   int k, const void *alpha, const void *a, cudaDataType a_type, int lda, const void *b,
                                   cudaDataType b_type, int ldb, const void *beta, void *c, cudaDataType c_type,
                                   int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx_64(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb, 0, beta,
                                         c, c_type, ldc, 0, 1, compute, algorithm);
}

/* ---- stacks of small matrices ------------------------------------------------------------------------------------ */

#define STACKS(T, t)                                                                                                 \
    EXPORT cublasStatus_t cublas##T##getrfBatched(cublasHandle_t handle, int n, void *const *a, int lda, int *pivots, \
                                                  int *info, int batch)                                              \
    {                                                                                                                \
        (void)handle;                                                                                                \
        for (int i = 0; i < batch; i++) info[i] = dense_getrf(t, n, n, a[i], lda, pivots + (size_t)i * (size_t)n);   \
        return CUBLAS_STATUS_SUCCESS;                                                                                \
    }                                                                                                                \
    EXPORT cublasStatus_t cublas##T##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,   \
                                                  const void *const *a, int lda, const int *pivots, void *const *b,  \
                                                  int ldb, int *info, int batch)                                     \
    {                                                                                                                \
        (void)handle;                                                                                                \
        for (int i = 0; i < batch; i++)                                                                              \
            dense_getrs(t, trans, n, nrhs, a[i], lda, pivots + (size_t)i * (size_t)n, b[i], ldb);                    \
        *info = 0;                                                                                                   \
        return CUBLAS_STATUS_SUCCESS;                                                                                \
    }                                                                                                                \
    EXPORT cublasStatus_t cublas##T##geqrfBatched(cublasHandle_t handle, int m, int n, void *const *a, int lda,      \
                                                  void *const *tau, int *info, int batch)                            \
    {                                                                                                                \
        (void)handle;                                                                                                \
        for (int i = 0; i < batch; i++) dense_geqrf(t, m, n, a[i], lda, tau[i]);                                     \
        *info = 0;                                                                                                   \
        return CUBLAS_STATUS_SUCCESS;                                                                                \
    }                                                                                                                \
    EXPORT cublasStatus_t cublas##T##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,\
                                         int n, const void *alpha, const void *a, int lda, const void *beta,         \
                                         const void *b, int ldb, void *c, int ldc)                                   \
    {                                                                                                                \
        (void)handle, (void)op_b, (void)alpha, (void)beta, (void)b, (void)ldb;                                       \
        if (op_a == CUBLAS_OP_N || m != n || m > lda || m > ldc || a == c) return NOT_SUPPORTED;                     \
        for (int j = 0; j < n; j++)                                                                                  \
            memcpy((char *)c + (size_t)j * (size_t)ldc * dense_item(t),                                              \
                   (const char *)a + (size_t)j * (size_t)lda * dense_item(t), (size_t)m * dense_item(t));            \
        dense_adjoint(t, n, c, ldc);                                                                                 \
        return CUBLAS_STATUS_SUCCESS;                                                                                \
    }                                                                                                                \
    EXPORT cublasStatus_t cublas##T##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,    \
                                             cublasOperation_t trans, cublasDiagType_t diag, int m, int n,           \
                                             const void *alpha, const void *a, int lda, void *b, int ldb)            \
    {                                                                                                                \
        (void)handle, (void)alpha;                                                                                   \
        dense_trsm(t, uplo == CUBLAS_FILL_MODE_LOWER, trans, diag == CUBLAS_DIAG_UNIT, m, n, a, lda, b, ldb);        \
        return side == CUBLAS_SIDE_LEFT ? CUBLAS_STATUS_SUCCESS : NOT_SUPPORTED;                                     \
    }                                                                                                                \
    EXPORT cublasStatus_t cublas##T##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                 cublasOperation_t trans, cublasDiagType_t diag, int m, int n,       \
                                                 const void *alpha, const void *const *a, int lda, void *const *b,   \
                                                 int ldb, int batch)                                                 \
    {                                                                                                                \
        cublasStatus_t result = CUBLAS_STATUS_SUCCESS;                                                               \
        for (int i = 0; i < batch; i++)                                                                              \
            result = cublas##T##trsm_v2(handle, side, uplo, trans, diag, m, n, alpha, a[i], lda, b[i], ldb);         \
        return result;                                                                                               \
    }
STACKS(S, 0)
STACKS(D, 1)
STACKS(C, 2)
STACKS(Z, 3)
