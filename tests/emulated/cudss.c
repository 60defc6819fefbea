/* cudss.c - sparse equations on the emulated GPU, by factors of the dense matrix. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/abi.h"
#include "dense.h"

#define EXPORT __attribute__((visibility("default")))
#define DEMAND(condition) \
    do { \
        if (!(condition)) return CUDSS_STATUS_INVALID_VALUE; \
    } while (0)

struct cudssContext {
    int type; /* of the matrices, or -1 */
};

struct cudssConfig {
    int nothing;
};

struct cudssMatrix {
    bool sparse, wide;
    int64_t rows, cols, n;
    const void *start, *index;
    void *values;
    int type, kind, view; /* type: dense.h's */
};

struct cudssData {
    int phase; /* the last one */
    int info, replaced;
    char *lu;
    int *pivots;
};

static int type_of(cudaDataType_t type)
{
    static const int types[] = {[CUDA_R_32F] = 0, [CUDA_R_64F] = 1, [CUDA_C_32F] = 2, [CUDA_C_64F] = 3};
    return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F ? types[type] : -1;
}

/* A new object that is all zeros. */
#define NEW(name, type, ...) \
    EXPORT cudssStatus_t name(__VA_ARGS__ type *out) \
    { \
        *out = calloc(1, sizeof **out); \
        return *out ? CUDSS_STATUS_SUCCESS : CUDSS_STATUS_ALLOC_FAILED; \
    }
#define OF_HANDLE __attribute__((unused)) cudssHandle_t handle,
NEW(cudssConfigCreate, cudssConfig_t, )
NEW(cudssDataCreate, cudssData_t, OF_HANDLE)

EXPORT cudssStatus_t cudssCreate(cudssHandle_t *out)
{
    *out = calloc(1, sizeof **out);
    if (!*out) return CUDSS_STATUS_ALLOC_FAILED;
    (*out)->type = -1;
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssDestroy(cudssHandle_t handle)
{
    free(handle);
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssMatrixDestroy(cudssMatrix_t matrix)
{
    DEMAND(matrix);
    free(matrix);
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssDataDestroy(cudssHandle_t handle, cudssData_t data)
{
    DEMAND(handle && data);
    free(data->lu);
    free(data->pivots);
    free(data);
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssSetStream(cudssHandle_t handle, cudaStream_t stream)
{
    (void)stream;
    DEMAND(handle);
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssSetMgStreams(cudssHandle_t handle, const cudaStream_t *streams, int n)
{
    (void)handle, (void)streams, (void)n;
    return CUDSS_STATUS_NOT_SUPPORTED;
}

static cudssStatus_t describe(cudssMatrix_t *out, struct cudssMatrix m)
{
    DEMAND(m.type >= 0 && m.rows > 0 && m.cols > 0 && m.values);
    *out = malloc(sizeof **out);
    if (!*out) return CUDSS_STATUS_ALLOC_FAILED;
    **out = m;
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssMatrixCreateDn(cudssMatrix_t *out, int64_t rows, int64_t cols, int64_t ld, const void *values,
                                         cudaDataType_t type, cudssLayout_t layout)
{
    DEMAND(ld == rows && layout == CUDSS_LAYOUT_COL_MAJOR);
    return describe(out,
                    (struct cudssMatrix){.rows = rows, .cols = cols, .values = (void *)values, .type = type_of(type)});
}

EXPORT cudssStatus_t cudssMatrixCreateCsr(cudssMatrix_t *out, int64_t rows, int64_t cols, int64_t n,
                                          const void *row_start, const void *row_end, const void *columns,
                                          const void *values, cudaDataType_t offset_type, cudaDataType_t index_type,
                                          cudaDataType_t type, cudssMatrixType_t kind, cudssMatrixViewType_t view,
                                          cudssIndexBase_t base)
{
    DEMAND(rows == cols && !row_end && row_start && columns && offset_type == index_type && base == CUDSS_BASE_ZERO);
    DEMAND(index_type == CUDA_R_32I || index_type == CUDA_R_64I);
    return describe(out, (struct cudssMatrix){true, index_type == CUDA_R_64I, rows, cols, n, row_start, columns,
                                              (void *)values, type_of(type), kind, view});
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

static int64_t at(const cudssMatrix_t m, const void *indices, int64_t i)
{
    return m->wide ? ((const int64_t *)indices)[i] : ((const int32_t *)indices)[i];
}

/* By columns; of a positive matrix the triangle that is looked at, and its mirror. */
static void spread(const cudssMatrix_t a, char *dense)
{
    const size_t item = dense_item(a->type);
    memset(dense, 0, (size_t)(a->rows * a->rows) * item);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = at(a, a->start, i); k < at(a, a->start, i + 1); k++) {
            const int64_t j = at(a, a->index, k);
            if (a->view == CUDSS_MVIEW_LOWER && j > i) continue;
            memcpy(dense + (size_t)(i + j * a->rows) * item, (const char *)a->values + (size_t)k * item, item);
        }
}

static cudssStatus_t factor(cudssData_t data, cudssMatrix_t a)
{
    const int n = (int)a->rows;
    data->lu = malloc((size_t)(a->rows * a->rows) * dense_item(a->type));
    data->pivots = malloc((size_t)a->rows * sizeof *data->pivots);
    if (!data->lu || !data->pivots) return CUDSS_STATUS_ALLOC_FAILED;
    spread(a, data->lu);
    if (a->kind == CUDSS_MTYPE_GENERAL) data->replaced = dense_getrf(a->type, n, n, data->lu, n, data->pivots) != 0;
    else data->info = dense_potrf(a->type, true, n, data->lu, n);
    return CUDSS_STATUS_SUCCESS;
}

static cudssStatus_t solve(cudssData_t data, cudssMatrix_t a, cudssMatrix_t x, cudssMatrix_t b)
{
    const int n = (int)a->rows, k = (int)b->cols;
    DEMAND(x && b && x->rows == n && b->rows == n && x->cols == k && x->type == a->type && b->type == a->type);
    memcpy(x->values, b->values, (size_t)(b->rows * b->cols) * dense_item(a->type));
    if (a->kind == CUDSS_MTYPE_GENERAL) {
        dense_getrs(a->type, 0, n, k, data->lu, n, data->pivots, x->values, n);
    } else {
        dense_trsm(a->type, true, 0, false, n, k, data->lu, n, x->values, n);
        dense_trsm(a->type, true, 2, false, n, k, data->lu, n, x->values, n);
    }
    return CUDSS_STATUS_SUCCESS;
}

EXPORT cudssStatus_t cudssExecute(cudssHandle_t handle, int phase, cudssConfig_t config, cudssData_t data,
                                  cudssMatrix_t a, cudssMatrix_t x, cudssMatrix_t b)
{
    DEMAND(handle && config && data && a && a->sparse);
    DEMAND(handle->type == -1 || handle->type == a->type);
    handle->type = a->type;
    const int before = data->phase;
    data->phase = phase;
    if (phase == CUDSS_PHASE_ANALYSIS) return CUDSS_STATUS_SUCCESS;
    if (phase == CUDSS_PHASE_FACTORIZATION && before == CUDSS_PHASE_ANALYSIS) return factor(data, a);
    if (phase == CUDSS_PHASE_SOLVE && before >= CUDSS_PHASE_FACTORIZATION) return solve(data, a, x, b);
    return CUDSS_STATUS_INVALID_VALUE;
}

EXPORT cudssStatus_t cudssDataGet(cudssHandle_t handle, cudssData_t data, cudssDataParam_t param, void *value,
                                  size_t bytes, size_t *written)
{
    DEMAND(handle && data && value && written && bytes == sizeof(int));
    DEMAND(param == CUDSS_DATA_INFO || param == CUDSS_DATA_NPIVOTS);
    memcpy(value, param == CUDSS_DATA_INFO ? &data->info : &data->replaced, bytes);
    *written = bytes;
    return CUDSS_STATUS_SUCCESS;
}
