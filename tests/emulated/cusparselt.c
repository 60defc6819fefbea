/* cusparselt.c - products of structured matrices on the emulated GPU, for matrices in rows. A compressed matrix has the
 * two elements that are kept of each four, and after all of these where they were. What the library demands of shapes,
 * addresses and types is demanded here too. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/abi.h"
#include "base/half.h"

#define EXPORT __attribute__((visibility("default")))

enum { HANDLE = 0x4c74, MATRIX, PRODUCT, CHOICE, PLAN, WORKSPACE = 256, BUFFER = 64 };

typedef struct handle {
    int kind;
} handle;

typedef struct matrix {
    int kind;
    bool structured;
    int64_t rows, cols, ld;
    cudaDataType type;
} matrix;

typedef struct product {
    int kind;
    bool transposed;
    matrix a, b, d;
} product;

typedef struct choice {
    int kind, id;
} choice;

typedef struct plan {
    int kind;
    product p;
} plan;

#define IS(pointer, wanted) ((pointer) && *(const int *)(const void *)(pointer) == (wanted))
#define DEMAND(condition) \
    do { \
        if (!(condition)) return CUSPARSE_STATUS_INVALID_VALUE; \
    } while (0)

static int64_t item(cudaDataType type) { return type == CUDA_R_8I ? 1 : type == CUDA_R_16F ? 2 : 4; }

static double read_at(const matrix *m, const void *p, int64_t at)
{
    if (m->type == CUDA_R_8I) return ((const int8_t *)p)[at];
    if (m->type == CUDA_R_16F) return tb__half_to_double(((const uint16_t *)p)[at]);
    return ((const float *)p)[at];
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

EXPORT cusparseStatus_t cusparseLtInit(void *h)
{
    DEMAND(h && (uintptr_t)h % 16 == 0);
    *(handle *)h = (handle){HANDLE};
    return CUSPARSE_STATUS_SUCCESS;
}

/* What a description has after its end is no kind. */
#define END(name, wanted) \
    EXPORT cusparseStatus_t name(void *p) \
    { \
        DEMAND(IS(p, wanted)); \
        *(int *)p = 0; \
        return CUSPARSE_STATUS_SUCCESS; \
    }
END(cusparseLtDestroy, HANDLE)
END(cusparseLtMatDescriptorDestroy, MATRIX)
END(cusparseLtMatmulAlgSelectionDestroy, CHOICE)
END(cusparseLtMatmulPlanDestroy, PLAN)

EXPORT cusparseStatus_t cusparseLtGetVersion(const void *h, int *version)
{
    DEMAND(IS(h, HANDLE));
    *version = 1000;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t describe(const void *h, void *m, matrix x, int64_t step, uint32_t alignment,
                                 cusparseOrder_t order)
{
    DEMAND(IS(h, HANDLE));
    DEMAND(m && x.rows > 0 && x.cols > 0 && x.ld >= x.cols && alignment >= 16);
    if (order != CUSPARSE_ORDER_ROW) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (x.rows % step || x.cols % step || x.ld % step) return CUSPARSE_STATUS_NOT_SUPPORTED;
    memcpy(m, &x, sizeof x);
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtDenseDescriptorInit(const void *h, void *m, int64_t rows, int64_t cols, int64_t ld,
                                                      uint32_t alignment, cudaDataType type, cusparseOrder_t order)
{
    return describe(h, m, (matrix){MATRIX, false, rows, cols, ld, type}, 16 / item(type), alignment, order);
}

EXPORT cusparseStatus_t cusparseLtStructuredDescriptorInit(const void *h, void *m, int64_t rows, int64_t cols,
                                                           int64_t ld, uint32_t alignment, cudaDataType type,
                                                           cusparseOrder_t order, cusparseLtSparsity_t sparsity)
{
    DEMAND(sparsity == CUSPARSELT_SPARSITY_50_PERCENT);
    return describe(h, m, (matrix){MATRIX, true, rows, cols, ld, type}, 32 / item(type), alignment, order);
}

EXPORT cusparseStatus_t cusparseLtMatmulDescriptorInit(const void *h, void *out, cusparseOperation_t op_a,
                                                       cusparseOperation_t op_b, const void *a, const void *b,
                                                       const void *c, const void *d, cusparseComputeType compute)
{
    product p = {.kind = PRODUCT, .transposed = op_b == CUSPARSE_OPERATION_TRANSPOSE};
    DEMAND(IS(h, HANDLE) && IS(a, MATRIX) && IS(b, MATRIX) && IS(c, MATRIX) && IS(d, MATRIX));
    memcpy(&p.a, a, sizeof p.a);
    memcpy(&p.b, b, sizeof p.b);
    memcpy(&p.d, d, sizeof p.d);
    const int64_t inner = p.transposed ? p.b.cols : p.b.rows, width = p.transposed ? p.b.rows : p.b.cols;
    DEMAND(p.a.structured && !p.b.structured && inner == p.a.cols && p.d.rows == p.a.rows && p.d.cols == width);
    const bool whole = p.a.type == CUDA_R_8I;
    if (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || p.a.type != p.b.type || (whole && !p.transposed))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (p.d.type != (whole ? CUDA_R_32I : p.a.type) || (compute == CUSPARSE_COMPUTE_32I) != whole)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    memcpy(out, &p, sizeof p);
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtMatmulAlgSelectionInit(const void *h, void *out, const void *p, int algorithm)
{
    DEMAND(IS(h, HANDLE) && IS(p, PRODUCT) && algorithm == CUSPARSELT_MATMUL_ALG_DEFAULT);
    *(choice *)out = (choice){CHOICE, 0};
    return CUSPARSE_STATUS_SUCCESS;
}

/* The number of the way in which a product is computed is all there is to choose. */
EXPORT cusparseStatus_t cusparseLtMatmulAlgSetAttribute(const void *h, void *c, int attribute, const void *data,
                                                        size_t size)
{
    DEMAND(IS(h, HANDLE) && IS(c, CHOICE) && attribute == 0 && size == sizeof(int));
    memcpy(&((choice *)c)->id, data, size);
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtMatmulAlgGetAttribute(const void *h, const void *c, int attribute, void *data,
                                                        size_t size)
{
    DEMAND(IS(h, HANDLE) && IS(c, CHOICE) && attribute == 0 && size == sizeof(int));
    memcpy(data, &((const choice *)c)->id, size);
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtMatmulPlanInit(const void *h, void *out, const void *p, const void *c)
{
    plan made = {.kind = PLAN};
    DEMAND(IS(h, HANDLE) && IS(p, PRODUCT) && IS(c, CHOICE));
    memcpy(&made.p, p, sizeof made.p);
    memcpy(out, &made, sizeof made);
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtMatmulGetWorkspace(const void *h, const void *p, size_t *bytes)
{
    DEMAND(IS(h, HANDLE) && IS(p, PLAN));
    *bytes = WORKSPACE;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- pruning and compressing ------------------------------------------------------------------------------------- */

/* Which two of four are largest, the first of those that are equal. */
static void choose(const matrix *m, const void *in, int64_t at, int kept[2])
{
    int first = 0, second;
    for (int i = 1; i < 4; i++)
        if (fabs(read_at(m, in, at + i)) > fabs(read_at(m, in, at + first))) first = i;
    second = first == 0;
    for (int i = 0; i < 4; i++)
        if (i != first && fabs(read_at(m, in, at + i)) > fabs(read_at(m, in, at + second))) second = i;
    kept[0] = first < second ? first : second;
    kept[1] = first < second ? second : first;
}

static cusparseStatus_t prune(const matrix *m, const void *in, void *out)
{
    const int64_t size = item(m->type);
    for (int64_t at = 0; at < m->rows * m->ld; at += 4) {
        int kept[2];
        choose(m, in, at, kept);
        for (int i = 0; i < 4; i++) {
            char *to = (char *)out + (at + i) * size;
            if (i == kept[0] || i == kept[1]) memmove(to, (const char *)in + (at + i) * size, (size_t)size);
            else memset(to, 0, (size_t)size);
        }
    }
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t look_over(const matrix *m, const void *in, int *wrong)
{
    *wrong = 0;
    for (int64_t at = 0; at < m->rows * m->ld; at += 4) {
        int n = 0;
        for (int i = 0; i < 4; i++) n += read_at(m, in, at + i) != 0;
        *wrong |= n > 2;
    }
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t measure(const matrix *m, size_t *bytes, size_t *buffer_bytes)
{
    *bytes = (size_t)(m->rows * m->cols / 2 * (item(m->type) + 1));
    *buffer_bytes = BUFFER;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t compress(const matrix *m, const void *in, void *out, void *buffer)
{
    const int64_t size = item(m->type), pairs = m->rows * m->cols / 4;
    char *places = (char *)out + 2 * pairs * size;
    DEMAND((uintptr_t)in % 16 == 0 && (uintptr_t)out % 16 == 0 && buffer);
    memset(buffer, 0xff, BUFFER);
    for (int64_t p = 0; p < pairs; p++) {
        const int64_t per_row = m->cols / 4, at = p / per_row * m->ld + p % per_row * 4;
        int kept[2];
        choose(m, in, at, kept);
        for (int i = 0; i < 2; i++) {
            memcpy((char *)out + (2 * p + i) * size, (const char *)in + (at + kept[i]) * size, (size_t)size);
            places[2 * p + i] = (char)kept[i];
        }
    }
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtSpMMAPrune(const void *h, const void *p, const void *in, void *out, int algorithm,
                                             cudaStream_t stream)
{
    (void)algorithm, (void)stream;
    DEMAND(IS(h, HANDLE) && IS(p, PRODUCT));
    return prune(&((const product *)p)->a, in, out);
}

EXPORT cusparseStatus_t cusparseLtSpMMAPruneCheck(const void *h, const void *p, const void *in, int *wrong,
                                                  cudaStream_t stream)
{
    (void)stream;
    DEMAND(IS(h, HANDLE) && IS(p, PRODUCT));
    return look_over(&((const product *)p)->a, in, wrong);
}

EXPORT cusparseStatus_t cusparseLtSpMMAPrune2(const void *h, const void *m, int is_a, cusparseOperation_t op,
                                              const void *in, void *out, int algorithm, cudaStream_t stream)
{
    (void)algorithm, (void)stream;
    DEMAND(IS(h, HANDLE) && IS(m, MATRIX) && is_a && op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    return prune(m, in, out);
}

EXPORT cusparseStatus_t cusparseLtSpMMAPruneCheck2(const void *h, const void *m, int is_a, cusparseOperation_t op,
                                                   const void *in, int *wrong, cudaStream_t stream)
{
    (void)stream;
    DEMAND(IS(h, HANDLE) && IS(m, MATRIX) && is_a && op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    return look_over(m, in, wrong);
}

EXPORT cusparseStatus_t cusparseLtSpMMACompressedSize(const void *h, const void *p, size_t *bytes, size_t *buffer_bytes)
{
    DEMAND(IS(h, HANDLE) && IS(p, PLAN));
    return measure(&((const plan *)p)->p.a, bytes, buffer_bytes);
}

EXPORT cusparseStatus_t cusparseLtSpMMACompressedSize2(const void *h, const void *m, size_t *bytes,
                                                       size_t *buffer_bytes)
{
    DEMAND(IS(h, HANDLE) && IS(m, MATRIX) && ((const matrix *)m)->structured);
    return measure(m, bytes, buffer_bytes);
}

EXPORT cusparseStatus_t cusparseLtSpMMACompress(const void *h, const void *p, const void *in, void *out, void *buffer,
                                                cudaStream_t stream)
{
    (void)stream;
    DEMAND(IS(h, HANDLE) && IS(p, PLAN));
    return compress(&((const plan *)p)->p.a, in, out, buffer);
}

EXPORT cusparseStatus_t cusparseLtSpMMACompress2(const void *h, const void *m, int is_a, cusparseOperation_t op,
                                                 const void *in, void *out, void *buffer, cudaStream_t stream)
{
    (void)stream;
    DEMAND(IS(h, HANDLE) && IS(m, MATRIX) && is_a && op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    return compress(m, in, out, buffer);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* An element of the product: sums of float16 in float32, of int8 in int32. */
static void multiply_row(const product *p, const void *a, const void *b, int64_t i, int64_t j, float alpha, void *d)
{
    const int64_t size = item(p->a.type), pairs = p->a.cols / 4;
    const char *places = (const char *)a + p->a.rows * p->a.cols / 2 * size;
    float sum = 0;
    int32_t whole = 0;
    for (int64_t n = 2 * i * pairs; n < 2 * (i + 1) * pairs; n++) {
        const int64_t k = (n / 2 - i * pairs) * 4 + places[n];
        const double x = read_at(&p->a, a, n), y = read_at(&p->b, b, p->transposed ? j * p->b.ld + k : k * p->b.ld + j);
        sum += (float)(x * y);
        whole += (int32_t)(x * y);
    }
    const int64_t at = i * p->d.ld + j;
    if (p->d.type == CUDA_R_32I) ((int32_t *)d)[at] = (int32_t)alpha * whole;
    else if (p->d.type == CUDA_R_16F) ((uint16_t *)d)[at] = tb__half_from_double((double)(alpha * sum));
    else ((float *)d)[at] = alpha * sum;
}

EXPORT cusparseStatus_t cusparseLtMatmul(const void *h, const void *plan_, const void *alpha, const void *a,
                                         const void *b, const void *beta, const void *c, void *d, void *workspace,
                                         cudaStream_t *streams, int32_t nstream)
{
    const product *p = &((const plan *)plan_)->p;
    DEMAND(IS(h, HANDLE) && IS(plan_, PLAN) && c && workspace && streams && nstream == 1);
    DEMAND((uintptr_t)a % 16 == 0 && (uintptr_t)b % 16 == 0 && (uintptr_t)d % 16 == 0);
    if (*(const float *)beta != 0) return CUSPARSE_STATUS_NOT_SUPPORTED;
    memset(workspace, 0xff, WORKSPACE);
    for (int64_t i = 0; i < p->d.rows; i++)
        for (int64_t j = 0; j < p->d.cols; j++) multiply_row(p, a, b, i, j, *(const float *)alpha, d);
    return CUSPARSE_STATUS_SUCCESS;
}

EXPORT cusparseStatus_t cusparseLtMatmulSearch(const void *h, void *p, const void *alpha, const void *a, const void *b,
                                               const void *beta, const void *c, void *d, void *workspace,
                                               cudaStream_t *streams, int32_t nstream)
{
    return cusparseLtMatmul(h, p, alpha, a, b, beta, c, d, workspace, streams, nstream);
}
