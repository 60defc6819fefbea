/* cublas.c - matrix products, and solvers for stacks, of the emulated GPU: sums one after the other, in the product's
 * own precision, of numbers with fewer bits where TF32 is asked for. Matrices lie in columns. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/abi.h"
#include "base/half.h"
#include "dense.h"

#define EXPORT __attribute__((visibility("default")))

enum { NOT_SUPPORTED = 15 };

typedef struct product {
    int64_t m, n, k, a_row, a_col, b_row, b_col, ldc;
    const void *alpha, *beta;
} product;

#define MULTIPLY(name, T, S, READ, WRITE)                                                                  \
    static void name(const product *p, const void *a, const void *b, void *c)                              \
    {                                                                                                      \
        const S alpha = *(const S *)p->alpha, beta = *(const S *)p->beta;                                  \
        for (int64_t j = 0; j < p->n; j++)                                                                 \
            for (int64_t i = 0; i < p->m; i++) {                                                           \
                T *to = (T *)c + i + j * p->ldc;                                                           \
                S sum = 0;                                                                                 \
                for (int64_t x = 0; x < p->k; x++)                                                         \
                    sum += READ(((const T *)a)[i * p->a_row + x * p->a_col]) *                             \
                           READ(((const T *)b)[x * p->b_row + j * p->b_col]);                              \
                *to = WRITE(alpha * sum + (beta != 0 ? beta * READ(*to) : 0));                             \
            }                                                                                              \
    }
#define PLAIN(x) (x)
#define HALF_READ(x) ((float)tb__half_to_double(x))
#define HALF_WRITE(x) tb__half_from_double((double)(x))
#define BFLOAT_READ(x) ((float)tb__bfloat_to_double(x))
#define BFLOAT_WRITE(x) tb__bfloat_from_double((double)(x))
static float tf32_read(float x)
{
    union {
        float f;
        uint32_t bits;
    } kept = {.f = x};
    kept.bits &= ~UINT32_C(0x1fff); /* 10 bits of the fraction are left */
    return kept.f;
}
MULTIPLY(multiply_tf32, float, float, tf32_read, PLAIN)
MULTIPLY(multiply_f16, uint16_t, float, HALF_READ, HALF_WRITE)
MULTIPLY(multiply_bf16, uint16_t, float, BFLOAT_READ, BFLOAT_WRITE)
MULTIPLY(multiply_f32, float, float, PLAIN, PLAIN)
MULTIPLY(multiply_f64, double, double, PLAIN, PLAIN)
MULTIPLY(multiply_c64, float _Complex, float _Complex, PLAIN, PLAIN)
MULTIPLY(multiply_c128, double _Complex, double _Complex, PLAIN, PLAIN)

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
    static void (*const multiply[])(const product *, const void *, const void *, void *) = {
        [CUDA_R_16F] = multiply_f16, [CUDA_R_32F] = multiply_f32,  [CUDA_R_64F] = multiply_f64,
        [CUDA_C_32F] = multiply_c64, [CUDA_C_64F] = multiply_c128, [CUDA_R_16BF] = multiply_bf16,
    };
    static const int64_t size[] = {[CUDA_R_16F] = 2, [CUDA_R_32F] = 4,  [CUDA_R_64F] = 8,
                                   [CUDA_C_32F] = 8, [CUDA_C_64F] = 16, [CUDA_R_16BF] = 2};
    product p = {m, n, k, op_a ? lda : 1, op_a ? 1 : lda, op_b ? ldb : 1, op_b ? 1 : ldb, ldc, alpha, beta};
    float factors[2];
    (void)handle, (void)algorithm;
    if (compute == CUBLAS_COMPUTE_16F) { /* so are its factors */
        if (a_type != CUDA_R_16F) return NOT_SUPPORTED;
        factors[0] = HALF_READ(*(const uint16_t *)alpha);
        factors[1] = HALF_READ(*(const uint16_t *)beta);
        p.alpha = &factors[0];
        p.beta = &factors[1];
    }
    if (a_type != b_type || a_type != c_type || (unsigned)a_type > CUDA_R_16BF || !multiply[a_type])
        return NOT_SUPPORTED;
    const int64_t item = size[a_type];
    const bool tf32 = compute == CUBLAS_COMPUTE_32F_FAST_TF32 && a_type == CUDA_R_32F;
    for (int64_t i = 0; i < batch; i++)
        (tf32 ? multiply_tf32 : multiply[a_type])(&p, (const char *)a + i * stride_a * item,
                                                  (const char *)b + i * stride_b * item,
                                                  (char *)c + i * stride_c * item);
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
