/* cublaslt.c - matrix products of the emulated GPU, and what is added to them, as cuBLASLt has them. Matrices lie in
 * columns. Products of more than 4,096 rows have no algorithm, so that programs meet that too. */
#include <stdlib.h>
#include <string.h>

#include "products.h"

#define EXPORT __attribute__((visibility("default")))

enum { NOT_SUPPORTED = 15, INVALID = 7, MOST_ROWS = 4096, NATTRIBUTE = 16 };

struct cublasLtMatmulDescOpaque_t {
    cublasComputeType_t compute;
    int32_t value[NATTRIBUTE];
    const void *row;
};

struct cublasLtMatrixLayoutOpaque_t {
    cudaDataType type;
    int64_t rows, cols, ld;
};

EXPORT cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                               cudaDataType scale)
{
    if ((scale == CUDA_R_16F) != (compute == CUBLAS_COMPUTE_16F)) return INVALID;
    *desc = calloc(1, sizeof **desc);
    if (!*desc) return CUBLAS_STATUS_ALLOC_FAILED;
    (*desc)->compute = compute;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc)
{
    free(desc);
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                                     const void *value, size_t size)
{
    const bool row = which == CUBLASLT_MATMUL_DESC_BIAS_POINTER;
    if ((unsigned)which >= NATTRIBUTE || size != (row ? sizeof desc->row : sizeof *desc->value)) return INVALID;
    memcpy(row ? (void *)&desc->row : (void *)&desc->value[which], value, size);
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                                                 uint64_t cols, int64_t ld)
{
    if (ld < (int64_t)rows) return INVALID;
    *layout = malloc(sizeof **layout);
    if (!*layout) return CUBLAS_STATUS_ALLOC_FAILED;
    **layout = (struct cublasLtMatrixLayoutOpaque_t){type, (int64_t)rows, (int64_t)cols, ld};
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    *preference = malloc(1);
    return *preference ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORT cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    free(preference);
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                           cublasLtMatmulPreferenceAttributes_t which,
                                                           const void *value, size_t size)
{
    (void)preference, (void)value;
    return size == (which == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? sizeof(uint64_t) : sizeof(uint32_t))
               ? CUBLAS_STATUS_SUCCESS
               : INVALID;
}

/* Whether the operands' shapes go together. */
static bool fits(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                 cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d)
{
    const bool ta = desc->value[CUBLASLT_MATMUL_DESC_TRANSA], tb = desc->value[CUBLASLT_MATMUL_DESC_TRANSB];
    const int64_t k = ta ? a->rows : a->cols;
    return (ta ? a->cols : a->rows) == d->rows && (tb ? b->cols : b->rows) == k &&
           (tb ? b->rows : b->cols) == d->cols && c->rows == d->rows && c->cols == d->cols && a->type == b->type &&
           a->type == c->type && a->type == d->type;
}

EXPORT cublasStatus_t cublasLtMatmulAlgoCheck(cublasHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              const cublasLtMatmulAlgo_t *algorithm,
                                              cublasLtMatmulHeuristicResult_t *result)
{
    (void)handle;
    if (!fits(desc, a, b, c, d) || d->cols > MOST_ROWS) return NOT_SUPPORTED;
    *result = (cublasLtMatmulHeuristicResult_t){.algo = *algorithm};
    return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasHandle_t handle, cublasLtMatmulDesc_t desc,
                                                     cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                     cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                     cublasLtMatmulPreference_t preference, int most,
                                                     cublasLtMatmulHeuristicResult_t *results, int *found)
{
    const cublasLtMatmulAlgo_t one = {{1}};
    (void)preference;
    const cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, desc, a, b, c, d, &one, results);
    *found = most > 0 && status == CUBLAS_STATUS_SUCCESS;
    return status;
}

EXPORT cublasStatus_t cublasLtMatmul(cublasHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a,
                                     cublasLtMatrixLayout_t al, const void *b, cublasLtMatrixLayout_t bl,
                                     const void *beta, const void *c, cublasLtMatrixLayout_t cl, void *d,
                                     cublasLtMatrixLayout_t dl, const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                                     size_t size, cudaStream_t stream)
{
    const bool ta = desc->value[CUBLASLT_MATMUL_DESC_TRANSA], tb = desc->value[CUBLASLT_MATMUL_DESC_TRANSB];
    const bool row = desc->value[CUBLASLT_MATMUL_DESC_EPILOGUE] == CUBLASLT_EPILOGUE_BIAS;
    (void)handle, (void)workspace, (void)size, (void)stream;
    if (!fits(desc, al, bl, cl, dl) || algorithm->data[0] != 1) return INVALID;
    const product p = {dl->rows,
                       dl->cols,
                       ta ? al->rows : al->cols,
                       ta ? al->ld : 1,
                       ta ? 1 : al->ld,
                       tb ? bl->ld : 1,
                       tb ? 1 : bl->ld,
                       cl->ld,
                       dl->ld,
                       alpha,
                       beta,
                       c,
                       row ? desc->row : NULL};
    return multiply(dl->type, desc->compute, &p, a, b, d) ? CUBLAS_STATUS_SUCCESS : NOT_SUPPORTED;
}
